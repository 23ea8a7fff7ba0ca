"""Players' names as one person sees them, such as "You", "Player 2", "greedy" and "Devious Automatics"."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from typing import Any, TypeVar

from pocketmars_agents.arena.match_replays import AUTOMATON
from pocketmars_agents.play.seats import HUMAN, SessionError
from pocketmars_env.core.presentation.interface import Choice, Entry, SeatPoints

AUTOMATON_NAME = "Devious Automatics"
SHORT_AUTOMATON_NAME = "DA"
OWN_NAME = "You"
CHOSEN_NAME = re.compile(r"\w(?:[\w .'-]{0,18}[\w.])?")
"""Pattern of the names that people may choose."""

Words = TypeVar("Words", Choice, Entry, SeatPoints)


class PlayerNames:
    """Replaces names of seats with names of players in the texts and pictures shown to one person.

    `players` has the name of the player in each seat, `HUMAN` for every person; `chosen` has the names that
    people have chosen for themselves, keyed by seat name.
    """

    def __init__(
        self, seats: Sequence[str], players: Sequence[str], own_seat: str, chosen: Mapping[str, str]
    ) -> None:
        self.labels = {own_seat: OWN_NAME}
        for number, (seat, player) in enumerate(zip(seats, players, strict=True)):
            if seat != own_seat:
                self.labels[seat] = chosen.get(seat) or label_of(number, player, players)
        self._seats = re.compile(rf"(?:\b|(?<=\dm))({'|'.join(map(re.escape, seats))})\b")
        self._cells = re.compile(rf"{self._seats.pattern}((?:\x1b\[[\d;]*m)*)(  +)")
        self._own_phrases = own_phrases(own_seat)

    def in_text(self, text: str) -> str:
        """Replace names of seats in a text."""
        for pattern, replacement in self._own_phrases:
            text = pattern.sub(replacement, text)
        return self._seats.sub(lambda match: self.labels[match[1]], text)

    def in_table(self, text: str) -> str:
        """Replace names of seats in a table, which may contain ANSI color codes.

        The table's columns stay aligned: names that are too long for their column are shortened.
        """

        def cell(match: re.Match[str]) -> str:
            label, colors = self.labels[match[1]].replace(AUTOMATON_NAME, SHORT_AUTOMATON_NAME), match[2]
            width = len(match[1]) + len(match[3])
            fitted = label if len(label) < width else f"{label[: width - 2]}…"
            return f"{fitted}{colors}{' ' * (width - len(fitted))}"

        return self.in_text(self._cells.sub(cell, text))

    def in_words(self, words: Words) -> Words:
        """Replace names of seats in a choice (except in the card's name), a log entry or a seat's points."""
        texts = {key.name: getattr(words, key.name) for key in fields(words) if key.name != "card"}
        changed: dict[str, Any] = {
            name: self.in_text(text) for name, text in texts.items() if isinstance(text, str)
        }
        return replace(words, **changed)


def check_chosen_name(name: str, seats: Sequence[str], others: PlayerNames) -> None:
    """Check the name that a person has chosen."""
    if not CHOSEN_NAME.fullmatch(name):
        raise SessionError("a name has 1 to 20 letters, digits, spaces or . ' - _")
    taken = {label.casefold() for label in (*others.labels.values(), *seats)}
    if name.casefold() in taken:
        raise SessionError(f"the name {name} is already taken")


def label_of(number: int, player: str, players: Sequence[str]) -> str:
    """Return the name that a person sees for another player, whose seat has the index `number`.

    `number` + 1 is appended if the other player is a person or if several players have the same name.
    """
    name = {AUTOMATON: AUTOMATON_NAME, HUMAN: "Player"}.get(player, player)
    return f"{name} {number + 1}" if players.count(player) > 1 or player == HUMAN else name


def own_phrases(seat: str) -> list[tuple[re.Pattern[str], str]]:
    """Return replacements for phrases that name the person's seat, such as "You have" for "player_0 has"."""
    name = re.escape(seat)
    return [
        (re.compile(rf"\bas {name} sees it"), "as you see it"),
        (re.compile(rf"^({name}: [^\n]*?)\btheir\b"), r"\1your"),
        (re.compile(rf"\b{name}: (prep module|packet|hand)\b"), r"Your \1"),
        (re.compile(rf"\b(?:[Tt]he )?(prep module|colonist) of {name}\b"), r"your \1"),
        (re.compile(rf"\bBack hand of {name}\b"), "Your back hand"),
        (re.compile(rf"\bHand of {name}\b"), "Your hand"),
        (re.compile(rf"\b((?:[A-Z]\w* )*[A-Z]\w*) of {name}\b"), r"Your \1"),
        (re.compile(rf"\b{name} has\b"), "You have"),
        (re.compile(rf"(?<=[a-z,;] ){name} (\w+)s\b"), r"you \1"),
        (re.compile(rf"\b{name} (win|draw|get|take|see|play|lead|begin|pass)(?:e?s)\b"), r"You \1"),
        (re.compile(rf"(?<=[a-z,;] ){name}\b"), "you"),
    ]
