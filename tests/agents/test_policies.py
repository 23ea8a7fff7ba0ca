"""Tests of the README of the shipped policies.

``python -m tests.agents.test_policies`` regenerates the policy cards in it.
"""

import re
import shlex
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from pocketmars_agents.arena.statistics import wilson_interval
from pocketmars_agents.arena.text_table import percent
from pocketmars_agents.games.pocket_mars.bots import FOLDER, POLICIES, shipped_policy
from pocketmars_training.common.settings import RunSettings
from pocketmars_training.da_seat import DaSeatSettings
from pocketmars_training.device_ppo import DevicePpoSettings
from pocketmars_training.expert_iteration import ExpertSettings
from pocketmars_training.ppo import PpoSettings
from pocketmars_training.self_play import SelfPlaySettings
from pocketmars_training.solo import SoloSettings

PAGE = FOLDER / "README.md"


SCRIPTS: tuple[tuple[str, type[RunSettings], str], ...] = (
    ("expert-iteration", ExpertSettings, "simulations"),
    ("da-seat", DaSeatSettings, "player"),
    ("solo", SoloSettings, "level"),
    ("self-play", SelfPlaySettings, "past_every"),
    ("device-ppo", DevicePpoSettings, "n_steps"),
    ("self-play-ppo", PpoSettings, "seed"),
)
"""The scripts, each with a setting that the scripts after it do not have or do not use."""
BLOCK = re.compile(r"<!-- card: (\w+) -->\n(.*?)<!-- card end -->", flags=re.DOTALL)
MOST_BYTES = 7_500_000


def command(card: dict[str, Any], folder: str) -> str:
    """Return the training commands of a policy and of the policies that it started from."""
    cards = history(card)
    folders = [*(f"{folder}-{number}" for number in range(1, len(cards))), folder]
    commands = []
    for one, own, before in zip(cards, folders, [None, *folders]):
        script, kind = script_of(one)
        settings = {**one["settings"], "run": own}
        if before is not None:
            settings["start"] = f"{before}/{settings['start']}"
        commands.append(command_of(script, kind, settings))
    return " && \\\n".join(commands)


def script_of(card: dict[str, Any]) -> tuple[str, type[RunSettings]]:
    """Return the training script of a policy and the script's settings."""
    return next((script, kind) for script, kind, setting in SCRIPTS if card["settings"].get(setting))


def history(card: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the cards of the policies that a policy started from, followed by its own card."""
    return [*history(card["start"]), card] if "start" in card else [card]


def command_of(script: str, kind: type[RunSettings], settings: dict[str, Any]) -> str:
    """Return the command of a training script, with all settings that differ from the defaults."""
    words = ["pocketmars", "train", script, "--run", settings["run"]]
    defaults = {field.name: field.default for field in fields(kind) if field.init}
    if "n_steps" in settings.keys() - defaults.keys():  # the run used Stable-Baselines3
        settings["train_freq"] = settings["n_envs"] * settings["n_steps"]
    for name in [name for name in defaults if name not in ("run", "resume", "trust")]:
        value = settings.get(name, defaults[name])
        value = tuple(value) if isinstance(value, list) else value
        if value != defaults[name]:
            words.append(f"--{name.replace('_', '-')}")
            if value is not True:  # a flag takes no value
                words += map(str, value if isinstance(value, tuple) else (value,))
    return shlex.join(words)


def course(card: dict[str, Any]) -> list[str]:
    """Return the lines of a table of the training runs of a policy."""
    return [
        "| run | script | decisions | hours | seed |",
        "| ---: | --- | ---: | ---: | ---: |",
        *(
            f"| {number} | `{script_of(run)[0]}` | {run['decisions']:,} | {run['hours']:.1f} "
            f"| {run['settings']['seed']} |"
            for number, run in enumerate(history(card), start=1)
        ),
    ]


def card_or_back_text(name: str) -> str:
    """Return a policy's card as Markdown."""
    card = shipped_policy(name).card
    lines = [
        *course(card),
        "",
        "```sh",
        command(card, f"runs/{name}"),
        "```",
        "",
        "| matchup | games | win rate [95 %] |",
        "| --- | ---: | ---: |",
    ]
    for matchup, found in card["evaluation"].items():
        interval = wilson_interval(round(found["win_share"] * found["games"]), found["games"])
        lines.append(f"| {matchup} | {found['games']:,} | {percent(found['win_share'], interval)} |")
    return "\n" + "\n".join(lines) + "\n\n"


def page() -> str:
    return PAGE.read_text(encoding="utf-8")


def test_the_page_shows_the_cards() -> None:
    shown = {match[1]: match[2] for match in BLOCK.finditer(page())}
    assert shown == {name: card_or_back_text(name) for name in POLICIES}


@pytest.mark.parametrize("name", POLICIES)
def test_a_policy_is_a_small_file_and_its_card_names_no_place(name: str) -> None:
    path = FOLDER / f"{name}.onnx"
    assert path.stat().st_size < MOST_BYTES
    card = shipped_policy(name).card
    assert "run" not in card["settings"]
    assert str(Path.home()) not in str(card)


if __name__ == "__main__":
    PAGE.write_text(
        BLOCK.sub(
            lambda match: f"<!-- card: {match[1]} -->\n{card_or_back_text(match[1])}<!-- card end -->", page()
        ),
        encoding="utf-8",
    )
