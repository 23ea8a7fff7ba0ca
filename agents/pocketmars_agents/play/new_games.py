"""New games that a person starts from the browser page of a game."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pocketmars_agents.play.seats import Seating, SessionError
from pocketmars_env.core.errors import quoted

Value = str | int | bool
Settings = Mapping[str, Any] | str | None
"""What a person has chosen on the page: values of the form, or `GUIDED`; None for the command's own game."""
GUIDED = "guided"
BOT = "bot"
"""The name of the form field with the opponents' bot."""
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
        alone: whether the field is only for games without bots (True) or only for games with them (False).

    """

    name: str
    label: str
    help: str
    value: Value
    choices: tuple[tuple[str, Value], ...] = ()
    alone: bool | None = None

    def as_data(self, value: Value) -> dict[str, Any]:
        """Return the field with the given value, as JSON-serializable data for the page."""
        choices = [{"label": label, "value": choice} for label, choice in self.choices]
        return {**vars(self), "value": value, "choices": choices or None}

    def check(self, value: object) -> None:
        """Check the type and length of a value and, if there are `choices`, that the value is one of them."""
        accepted = [choice for _, choice in self.choices]
        if type(value) is not type(self.value) or (accepted and value not in accepted):
            raise SessionError(f"{self.label}: {quoted(value)} is not accepted")
        if isinstance(value, str) and len(value) > LONGEST_TEXT:
            raise SessionError(f"{self.label}: the text is too long")


@dataclass(frozen=True)
class NewGames:
    """The games that a person may start from the page of a one-person game.

    The page can select only bots that a field accepts, so that a request cannot start programs or open files.

    Attributes:
        fields: the fields of the form.
        make: a function that returns the settings and players of a game, given the values of all fields, or
            raises a ValueError if a value is invalid.
        guided: the settings and players of the guided game, in which lessons explain the first decisions;
            None if there is no guided game.

    """

    fields: tuple[Field, ...]
    make: Callable[[Mapping[str, Any]], Seating]
    guided: Seating | None = None

    def as_data(self, settings: Settings = None) -> list[dict[str, Any]]:
        """Return the fields with the values of the form for `settings`, or default values, as JSON data."""
        values = settings if isinstance(settings, Mapping) else {}
        return [field.as_data(values.get(field.name, field.value)) for field in self.fields]

    def seating(self, settings: Settings) -> Seating:
        """Return the settings and players of a new game, given what the person has chosen on the page."""
        if settings == GUIDED and self.guided is not None:
            return self.guided
        if not isinstance(settings, Mapping) or set(settings) != {field.name for field in self.fields}:
            raise SessionError(f"the settings must be {', '.join(field.name for field in self.fields)}")
        for field in self.fields:
            field.check(settings[field.name])
        try:
            return self.make(settings)
        except ValueError as error:
            raise SessionError(str(error)) from error
