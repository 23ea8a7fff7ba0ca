"""New games that a person starts from the browser page of a game."""

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pocketmars_agents.play.saved_games import Autosave, game_in_folder
from pocketmars_agents.play.seats import Seating, SessionError
from pocketmars_env.core.errors import quoted

Value = str | int | bool
LONGEST_TEXT = 2_000
"""Maximum number of characters that a person may enter in a field."""


@dataclass(frozen=True)
class Field:
    """A field of the form for new games.

    Attributes:
        name: the field's name in requests.
        label: the field's name on the page.
        help: the explanation of the field on the page.
        value: the default value.
        choices: pairs of a label and an accepted value; if empty, all values of the same type as `value` are
            accepted, except texts longer than `LONGEST_TEXT`.

    """

    name: str
    label: str
    help: str
    value: Value
    choices: tuple[tuple[str, Value], ...] = ()

    def as_data(self, value: Value) -> dict[str, Any]:
        """Return the field with the given value, as JSON-serializable data for the page."""
        choices = [{"label": label, "value": choice} for label, choice in self.choices]
        return {**vars(self), "value": value, "choices": choices or None}

    def check(self, value: object) -> None:
        """Check the type and length of a value and, if there are `choices`, that the value is one of them.

        Raises:
            SessionError: if the value is not accepted.

        """
        accepted = [choice for _, choice in self.choices]
        if type(value) is not type(self.value) or (accepted and value not in accepted):
            raise SessionError(f"{self.label}: {quoted(value)} is not accepted")
        if isinstance(value, str) and len(value) > LONGEST_TEXT:
            raise SessionError(f"{self.label}: the text is too long")


@dataclass
class NewGames:
    """The games that a person may start from the page of a one-person game.

    The page can select only bots that a field accepts, so that a request cannot start programs or open files.

    Attributes:
        fields: the fields of the form.
        make: a function that returns the settings and players of a game, given the values of all fields, or
            raises a ValueError if a value is invalid.
        guided: the settings and players of the guided game, in which lessons explain the first decisions;
            None if there is no guided game.
        values: the values from the last successful call of `seating`, keyed by field name; initially empty.

    """

    fields: tuple[Field, ...]
    make: Callable[[Mapping[str, Value]], Seating]
    guided: Seating | None = None
    values: dict[str, Value] = dataclasses.field(default_factory=dict)

    def as_data(self) -> list[dict[str, Any]]:
        """Return the fields with their last or default values, as JSON-serializable data."""
        return [field.as_data(self.values.get(field.name, field.value)) for field in self.fields]

    def seating(self, values: Mapping[str, object]) -> Seating:
        """Return the settings and players of a new game, given the field values that the page sends.

        Raises:
            SessionError: if a field is missing or unknown, or a value is not accepted.

        """
        if set(values) != {field.name for field in self.fields}:
            raise SessionError(f"the settings must be {', '.join(field.name for field in self.fields)}")
        checked: dict[str, Value] = {}
        for field in self.fields:
            field.check(values[field.name])
            checked[field.name] = values[field.name]  # type: ignore[assignment]  # checked above
        try:
            seating = self.make(checked)
        except ValueError as error:
            raise SessionError(str(error)) from error
        self.values = checked
        return seating


def next_game(last: Autosave, seating: Seating, seed: int | None = None) -> Autosave:
    """Save and close the last game, and begin a new game in the same folder with the same links and names.

    Args:
        last: the game that is saved and closed.
        seating: the settings and players of the new game, with as many people as in the last game.
        seed: the seed of the new game; if None, a random seed is drawn.

    Raises:
        SessionError: if a file cannot be written, or if the number of people has changed.

    """
    session = last.session
    if len(seating.humans) != len(session.humans):
        raise SessionError(f"the number of people must be {len(session.humans)}, as in the last game")
    try:
        last.keep()
        game = game_in_folder(seating, seed, last.path.parent, is_new=True, warn=lambda words: None)
        tokens = [last.links.tokens[seat] for seat in session.humans]
        game.links.tokens = dict(zip(seating.humans, tokens, strict=True))
        game.links.names = {
            new: last.links.names[old]
            for new, old in zip(seating.humans, session.humans, strict=True)
            if old in last.links.names
        }
        game.session.chosen_names = game.links.names
        game.links.write(last.links.port)
        while game.links.starts < last.links.starts:  # version numbers must grow after a restart, too
            game.links.write(last.links.port)
    except OSError as error:
        raise SessionError(f"cannot write {error.filename}: {error.strerror or error}") from error
    last.close()
    game.session.version += session.version + 1
    game.keep()
    return game
