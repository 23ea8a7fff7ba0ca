"""Command line of the test of generalization."""

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from pocketmars_agents import make_agent
from pocketmars_agents.arena import text_table
from pocketmars_env.core.errors import quoted
from pocketmars_env.core.files.output import fail
from pocketmars_training.common.revision import revision, versions_of
from pocketmars_training.generalization.results import (
    BEST_RESPONSE,
    RESULT_FILE,
    PolicyResult,
    TrialResult,
    read_results,
    study_table,
    write_result,
)
from pocketmars_training.generalization.runs import best_response, trained
from pocketmars_training.generalization.studies import DECISIONS, RESPONSE_DECISIONS, STUDIES
from pocketmars_training.generalization.trials import agent_named, result_of

app = typer.Typer(no_args_is_help=True, add_completion=False, rich_markup_mode=None, help=__doc__)
Names = Annotated[list[str] | None, typer.Option(help=f"Studies: {', '.join(STUDIES)}; by default all.")]
Results = Annotated[Path, typer.Option(help="The result file.")]
Decisions = Annotated[int, typer.Option(help="Training decisions of a policy.", min=1)]
ResponseDecisions = Annotated[int, typer.Option(help="Training decisions of a best response.", min=1)]


@app.command()
def run(
    seeds: Annotated[list[int], typer.Argument(help="Seeds of the training runs.")],
    study: Names = None,
    case: Annotated[list[str] | None, typer.Option(help="Cases, such as '10 deals'; by default all.")] = None,
    decisions: Decisions = DECISIONS,
    response_decisions: ResponseDecisions = RESPONSE_DECISIONS,
    runs: Annotated[Path, typer.Option(help="The folder of the training runs.")] = Path(
        "runs/generalization"
    ),
    results: Results = RESULT_FILE,
) -> None:
    """Train the policies and their best responses, and test them; finished parts are skipped."""
    for names, known in ((study, STUDIES), (case, [one for each in STUDIES.values() for one in each.cases])):
        for name in names or ():
            check_name(name, known)
    code = revision()  # results change the tree, so the revision is read first
    budgets = decisions, response_decisions
    part = "" if budgets == (DECISIONS, RESPONSE_DECISIONS) else f"_{decisions}_{response_decisions}"
    for seed in seeds:
        for name in study or STUDIES:
            for case_name in STUDIES[name].cases:
                if not case or case_name in case:
                    folder = runs / name / case_name.replace(" ", "_").replace(",", "") / f"{seed}{part}"
                    run_case(name, case_name, seed, decisions, response_decisions, folder, results, code)


def check_name(name: str, known: Iterable[str]) -> None:
    """Exit with a message unless the name is known."""
    if name not in known:
        fail(f"generalization: accepted: {', '.join(known)}; got {quoted(name)}")


def run_case(
    study_name: str,
    case_name: str,
    seed: int,
    decisions: int,
    response_decisions: int,
    folder: Path,
    results: Path,
    code: str,
) -> None:
    """Train, exploit and test one policy; `code` is the Git revision."""
    study, done = STUDIES[study_name], dict[str, TrialResult]()
    for result in read_results(results):
        if result.policy == (study_name, case_name, seed, decisions, response_decisions):
            done = result.trials
    names = [*study.trials, *([BEST_RESPONSE] if study.best_response else [])]
    if set(names) <= set(done):
        print(f"{case_name}, seed {seed}: already done, {results}", flush=True)
    for name in names:
        if name in done:
            continue
        policy = trained(study, study.cases[case_name], folder, seed, decisions)
        if name == BEST_RESPONSE:
            assert study.best_response
            response = best_response(study, study.cases[case_name], policy, seed, response_decisions)
            trial = study.best_response._replace(opponents=(str(policy),))
            done[name] = result_of(make_agent(str(response)), study.spec, trial)
            done[name].opponents.clear()  # its name is a path
        else:
            done[name] = result_of(make_agent(str(policy)), study.spec, study.trials[name])
        write_result(
            PolicyResult(
                study=study_name,
                case=case_name,
                seed=seed,
                decisions=decisions,
                command=f"python -m pocketmars_training.generalization run {seed} --study {study_name} "
                f"--case '{case_name}' --decisions {decisions} --response-decisions {response_decisions}",
                versions=versions_of(("numpy", "numba", "torch", "onnxruntime")),
                trials=done,
                response_decisions=response_decisions,
                revision=code,
            ),
            results,
        )
        mean = sum(done[name].deals) / len(done[name].deals)
        print(f"{case_name}, seed {seed}: {name} {mean:.1%}", flush=True)


@app.command()
def measure(
    bot: Annotated[str, typer.Argument(help="A bot of the study's game, such as path/to/policy.onnx.")],
    study: Annotated[str, typer.Option(help=f"One of {', '.join(STUDIES)}.")] = "deals",
) -> None:
    """Test a bot in all trials of a study."""
    check_name(study, STUDIES)
    for name, trial in STUDIES[study].trials.items():
        result = result_of(agent_named(bot), STUDIES[study].spec, trial)
        typer.echo(f"{name}: {sum(result.deals) / len(result.deals):.1%}")
        for opponent, share in result.opponents.items():
            typer.echo(f"    {opponent}: {share:.1%}")


@app.command("table")
def show_table(
    study: Annotated[str, typer.Argument(help=f"One of {', '.join(STUDIES)}.")],
    results: Results = RESULT_FILE,
    decisions: Decisions = DECISIONS,
    response_decisions: ResponseDecisions = RESPONSE_DECISIONS,
) -> None:
    """Print the table of a study as Markdown."""
    check_name(study, STUDIES)
    text_table.show(
        study_table(study, read_results(results), decisions, response_decisions), is_markdown=True
    )


if __name__ == "__main__":
    app()
