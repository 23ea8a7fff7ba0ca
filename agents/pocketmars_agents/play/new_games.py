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
    """A field of the form for new games."""

    name: str  # in requests
    label: str  # the name on the page
    help: str
    value: Value  # the default value
    choices: tuple[tuple[str, Value], ...] = ()  # labels and accepted values; if empty, see `check`
    alone: bool | None = None  # whether it is only for games without bots (True) or with them (False)

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
    """

    fields: tuple[Field, ...]
    make: Callable[[Mapping[str, Any]], Seating]  # from values of all fields; raises a ValueError
    guided: Seating | None = None  # of the guided game, in which lessons explain the first decisions

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
