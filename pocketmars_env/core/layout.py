"""Descriptions of a game's action blocks, decisions and observation pieces."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

import numpy as np
from numpy.typing import NDArray

from pocketmars_env.core.errors import quoted


@dataclass(frozen=True)
class Block:
    """A block of consecutive action numbers for one kind of action.

    Attributes:
        name: the kind of action, such as ``PLAY_HAND``.
        size: the number of actions.
        argument: the meaning of an action's index in the block; ``-`` if the action has no argument.
        decisions: the decisions at which these actions can be legal, as text.

    """

    name: str
    size: int
    argument: str
    decisions: str


def first_action_of(blocks: Sequence[Block], name: str) -> int:
    """Return the number of the first action in the block `name`."""
    names = [block.name for block in blocks]
    return sum(block.size for block in blocks[: names.index(name)])


def block_of_action(blocks: Sequence[Block], action: int) -> tuple[Block, int]:
    """Return the block that contains an action number, and the action's index in the block."""
    index = action
    for block in blocks:
        if 0 <= index < block.size:
            return block, index
        index -= block.size
    raise ValueError(f"there is no action {action}")


@dataclass(frozen=True)
class DecisionRow:
    """A decision and its possible actions.

    Attributes:
        name: the decision's name, such as ``KEEP``.
        blocks: the names of the action blocks of this decision, except ``PASS``.
        prompt: the text that tells a player what to decide.
        action_text: a template for the text of actions in ``blocks[0]``, such as ``keep {}``, in which ``{}``
            is replaced by the action's argument; empty to use the block's default text.
        is_hidden: whether the argument of the chosen action, such as a card, is hidden from other seats
            (unless they already know the card).
        may_pass: whether the action ``PASS`` can be legal.
        reason: a short text on the rule that leads to the decision; empty if there is no such rule, or if
            the reason depends on the position.

    """

    name: str
    blocks: tuple[str, ...]
    prompt: str
    action_text: str = ""
    is_hidden: bool = False
    may_pass: bool = False
    reason: str = ""


@dataclass(frozen=True)
class Piece:
    """A named part of the observation vector.

    Attributes:
        name: the name of the piece.
        shape: the shape of the piece; the entries are in C order.
        meaning: the meaning of the entries.
        steps: the divisors by which counts are scaled, such as 7 for the entry ``colonists / 7``: one divisor
            for each index of the last axis, or one for all entries; 0 marks flags, which are not scaled.

    """

    name: str
    shape: tuple[int, ...]
    meaning: str
    steps: tuple[int, ...] = (0,)

    @property
    def size(self) -> int:
        return prod(self.shape)


def size_of(layout: Sequence[Piece]) -> int:
    """Return the number of entries in an observation."""
    return sum(piece.size for piece in layout)


def start_of_piece(layout: Sequence[Piece], name: str) -> int:
    """Return the index of the first entry of the piece `name` in an observation."""
    names = [piece.name for piece in layout]
    if name not in names:
        raise AttributeError(f"there is no piece {quoted(name)}")
    return size_of(layout[: names.index(name)])


def scales_of(layout: Sequence[Piece]) -> NDArray[np.float32]:
    """Return ``(OBSERVATION_SIZE,)`` float32: 1 / divisor for counts (see `Piece.steps`), 1 for flags.

    A float32 observation equals the uint8 observation times these scales.
    """
    steps = [np.broadcast_to(np.maximum(piece.steps, 1), piece.shape).ravel() for piece in layout]
    return (1 / np.concatenate(steps)).astype(np.float32)


def entry_name(piece: str, index: tuple[int, ...]) -> str:
    """Return the default name of an observation entry, such as ``scores[1]``."""
    return f"{piece}{list(index)}"
