"""Rows that describe a game: blocks of action numbers, decisions, and pieces of the observation."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Block:
    """A run of action numbers with one kind of argument.

    Attributes:
        name: of the kind of action, such as ``PLAY_HAND``.
        size: how many actions it has.
        argument: what the place in the block means.
        asked_in: the decisions that it is for, in words.

    """

    name: str
    size: int
    argument: str
    asked_in: str


def first_action_of(blocks: Sequence[Block], name: str) -> int:
    """The number of the first action of the block `name`."""
    names = [block.name for block in blocks]
    return sum(block.size for block in blocks[: names.index(name)])


def block_of_action(blocks: Sequence[Block], action: int) -> tuple[Block, int]:
    """The block of an action number and the argument in it.

    Raises:
        ValueError: if there is no such action.

    """
    number = sum(block.size for block in blocks)
    if not 0 <= action < number:
        raise ValueError(f"action must be in 0..{number - 1}, got {action}")
    for block in blocks:
        if action < block.size:
            return block, action
        action -= block.size
    raise AssertionError("the blocks cover all actions")


def blocks_table(blocks: Sequence[Block]) -> str:
    """The action blocks as a Markdown table."""
    rows = ["| from | size | kind | argument | asked in |", "| --- | --- | --- | --- | --- |"]
    start = 0
    for block in blocks:
        rows.append(f"| {start} | {block.size} | `{block.name}` | {block.argument} | {block.asked_in} |")
        start += block.size
    return "\n".join(rows)


@dataclass(frozen=True)
class DecisionRow:
    """A decision: what a seat is asked, and how it may answer.

    Attributes:
        name: of the decision, such as ``KEEP``.
        blocks: the names of the action blocks that answer it, ``PASS`` apart.
        prompt: the question in words.
        wording: how an action of the first block reads as an answer, with ``{}`` for its argument, such as
            ``keep {}``. Empty: the action reads the same in every decision.
        is_hidden: whether other seats do not see which action was chosen.
        may_pass: whether the action of the block ``PASS`` can be legal.
        reason: the rule by which the seat is asked, in words. Empty: something else on the table tells.

    """

    name: str
    blocks: tuple[str, ...]
    prompt: str
    wording: str = ""
    is_hidden: bool = False
    may_pass: bool = False
    reason: str = ""


@dataclass(frozen=True)
class Piece:
    """A named part of the observation vector.

    Attributes:
        name: of the piece.
        shape: its shape; its entries lie in the vector in C order.
        meaning: what its entries say.
        steps: into how many equal steps each entry along the last axis is divided, such as 7 for
            colonists / 7; one number stands for all of them; 0 for flags.

    """

    name: str
    shape: tuple[int, ...]
    meaning: str
    steps: tuple[int, ...] = (0,)

    @property
    def size(self) -> int:
        return prod(self.shape)


def size_of(layout: Sequence[Piece]) -> int:
    """Entries of an observation."""
    return sum(piece.size for piece in layout)


def start_of_piece(layout: Sequence[Piece], name: str) -> int:
    """Where the piece `name` begins in the vector."""
    names = [piece.name for piece in layout]
    return size_of(layout[: names.index(name)])


def entry_name(piece: str, place: tuple[int, ...]) -> str:
    """A name for an entry of the observation, such as ``scores[1]``."""
    return f"{piece}{list(place)}"


def pieces_of(layout: Sequence[Piece], observation: NDArray[np.float32]) -> dict[str, NDArray[np.float32]]:
    """The named pieces of a vector as views of its memory, each in its shape.

    Args:
        layout: the game's.
        observation: ``(..., OBSERVATION_SIZE)``.

    Raises:
        ValueError: if the last axis has another length.

    """
    size = size_of(layout)
    shape = observation.shape if isinstance(observation, np.ndarray) else ()
    if shape[-1:] != (size,):
        raise ValueError(f"an observation has {size} entries along its last axis, got shape {shape}")
    pieces, start = {}, 0
    for piece in layout:
        flat = observation[..., start : start + piece.size]
        pieces[piece.name] = flat.reshape(*observation.shape[:-1], *piece.shape)
        start += piece.size
    return pieces


def layout_table(layout: Sequence[Piece]) -> str:
    """The layout as a Markdown table."""
    rows = ["| from | shape | piece | meaning |", "| --- | --- | --- | --- |"]
    start = 0
    for piece in layout:
        shape = " × ".join(map(str, piece.shape))
        rows.append(f"| {start} | {shape} | `{piece.name}` | {piece.meaning} |")
        start += piece.size
    return "\n".join(rows)
