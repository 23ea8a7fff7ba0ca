"""Conversion of the repository's pages and notebooks to pages of the site."""

import re
from pathlib import Path

import markdown  # type: ignore[import-untyped]
import pytest
from mkdocs.exceptions import PluginError

from docs import hooks
from pocketmars_env.games.pocket_mars.rules.constants import ROUND_LIMIT_MULTI, ROUND_LIMIT_SOLO


def test_a_section_ends_at_the_next_heading_of_its_level(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "page.md").write_text(
        "# A\n\n## B\n\nin B\n\n### C\n\nin C\n\n## D\n\nin D\n", encoding="utf-8"
    )
    monkeypatch.setattr(hooks, "ROOT", tmp_path)
    assert hooks.section("page.md", "B") == "in B\n\n### C\n\nin C"
    assert hooks.section("page.md", "C") == "in C"
    assert hooks.section("page.md", "D") == "in D"


def test_a_heading_that_does_not_exist_is_refused() -> None:
    with pytest.raises(PluginError, match=r"README.md has no heading 'Nothing'"):
        hooks.section("README.md", "Nothing")


@pytest.mark.parametrize(
    ("link", "source", "place", "shown"),
    [
        ("[a](agents/README.md)", "README.md", "index.md", "[a](agents.md)"),
        ("[a](agents/)", "README.md", "index.md", "[a](agents.md)"),
        ("[a](README.md#b)", "CONTRIBUTING.md", "contributing.md", "[a](index.md#b)"),
        ("[a](../../docs/rules.md)", "pocketmars_env/replays/README.md", "replays.md", "[a](rules.md)"),
        ("[a](../rules.md)", "docs/recipes/x.md", "recipes/x.md", "[a](../rules.md)"),
        ("[a](../../training/README.md#b)", "docs/recipes/x.md", "recipes/x.md", "[a](../training.md#b)"),
        ("[`a`](pyproject.toml)", "README.md", "index.md", "`a`"),
        ("[a](https://b.org/c)", "README.md", "index.md", "[a](https://b.org/c)"),
        ("[a](#b)", "README.md", "index.md", "[a](#b)"),
        ("![a](docs/images/a.svg)", "README.md", "index.md", "![a](images/a.svg)"),
        (
            "![a](baselines/curves.svg)",
            "training/BASELINES.md",
            "baselines.md",
            "![a](images/baselines.svg)",
        ),
        (
            "![a](data:image/png;base64,aGk=)",
            "notebooks/01.ipynb",
            "notebooks/01.md",
            "![a](data:image/png;base64,aGk=)",
        ),
        ('<img src="docs/images/a.svg">', "README.md", "index.md", '<img src="images/a.svg">'),
        ('<img src="../docs/a.svg">', "agents/README.md", "agents.md", '<img src="../a.svg">'),
    ],
)
def test_links_lead_to_pages_of_the_site_or_become_text(
    link: str, source: str, place: str, shown: str
) -> None:
    assert hooks.with_links(link, source, place) == shown


@pytest.mark.parametrize("picture", ['<img src="pictures/a.svg">', "![a](pictures/a.svg)"])
def test_a_picture_that_the_site_does_not_have_is_refused(picture: str) -> None:
    with pytest.raises(PluginError, match=r"no picture pictures/a\.svg"):
        hooks.with_links(picture, "README.md", "index.md")


def test_a_notebook_becomes_a_page_with_its_outputs() -> None:
    cells = [
        {"cell_type": "markdown", "source": ["# A ", "question"]},
        {
            "cell_type": "code",
            "source": ["1 + 1"],
            "outputs": [
                {"data": {"text/plain": ["2"]}},
                {"data": {"image/png": "aGVsbG8=\n", "text/plain": ["<Figure>"]}},
                {"data": {"image/svg+xml": ["hel", "lo"], "text/plain": ["<Picture>"]}},
                {"name": "stdout", "text": ["said\n"]},
                {"data": {"text/markdown": ["| a |"], "text/plain": ["table"]}},
            ],
        },
    ]
    code = '<details markdown="1"><summary>Code</summary>\n\n```python\n1 + 1\n```\n\n</details>'
    parts = ["# A question", code, "```text\n2\n```"]
    parts += [f"![Plot](data:{kind};base64,aGVsbG8=)" for kind in ("image/png", "image/svg+xml")]
    parts += ["```text\nsaid\n```", "| a |"]
    assert hooks.notebook_page({"cells": cells}) == "\n\n".join(parts)


def test_the_main_figure_and_the_answer_of_a_notebook_come_first() -> None:
    main = {"data": {"image/png": "aGk="}, "metadata": {"image/png": {"alt": "It is 2"}}}
    answer = {"data": {"text/markdown": ["**Answer.** It is 2."]}}
    cells = [
        {"cell_type": "markdown", "source": "# A\n\nFor people.\n\n**Question.** What is it?"},
        {"cell_type": "code", "source": "1", "outputs": []},
        {"cell_type": "code", "source": "2", "outputs": [main, {"text": "said"}]},
        {"cell_type": "code", "source": "3", "outputs": [answer], "metadata": {"tags": ["answer"]}},
    ]
    html = markdown.markdown(
        hooks.notebook_page({"cells": cells}), extensions=["md_in_html", "pymdownx.superfences"]
    )
    shown = ["For people", 'alt="It is 2"', "Answer.", "What is it?", "<details", "said", "<details"]
    places = [html.index(text) for text in shown[:-1]] + [html.rindex(shown[-1])]
    assert places == sorted(places)
    assert re.sub(r"(?s)<details>.*?</details>", "", html).count("<code>") == 1  # only the output is open


def rows_of(path: str) -> dict[str, list[str]]:
    """Return the cells of the table of arguments by the argument's name."""
    lines = hooks.arguments_of(path).splitlines()[2:]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return {name.strip("`"): rest for name, *rest in cells}


@pytest.mark.parametrize(
    "path",
    [
        "pocketmars_env.pocketmars_v1.env",
        "pocketmars_env.projectmars_v0.env",
        "pocketmars_agents.llm.settings.LlmSettings",
    ],
)
def test_every_argument_has_a_meaning(path: str) -> None:
    assert [name for name, (_, _, meaning) in rows_of(path).items() if len(meaning) < 10] == []


def test_arguments_come_from_the_signature() -> None:
    rows = rows_of("pocketmars_env.pocketmars_v1.env")
    assert rows["mode"][:2] == ["str", "`'multi'`"]
    assert {str(ROUND_LIMIT_MULTI), str(ROUND_LIMIT_SOLO)} <= set(re.findall(r"\d+", rows["round_limit"][2]))
