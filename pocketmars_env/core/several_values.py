"""Commands with options that take several values."""

from collections.abc import Collection, Iterable, Iterator
from typing import Any

from typer.core import TyperCommand


class SeveralValues(TyperCommand):
    """A command in which a list option takes several values, as in ``--players 2 3 4``."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the arguments after repeating the names of the list options."""
        lists = {name for param in self.params if getattr(param, "multiple", False) for name in param.opts}
        return super().parse_args(ctx, list(repeated(args, lists)))


def repeated(words: Iterable[str], lists: Collection[str]) -> Iterator[str]:
    """Yield the words of a command line, with the name of a list option before each of its values."""
    option = last = ""
    for word in words:
        if word.startswith("-"):
            option = word.partition("=")[0]
        elif option in lists and option != last:
            yield option
        yield word
        last = word
