"""Texts about a position, such as the title, the prompt and the result."""

from collections import Counter
from collections.abc import Iterable

from pocketmars_env.games.project_mars.rules.actions import DECISIONS
from pocketmars_env.games.project_mars.rules.cards import CARDS
from pocketmars_env.games.project_mars.rules.constants import ROUNDS, Decision
from pocketmars_env.games.project_mars.seat_view.seat_view import Card, SeatView
from pocketmars_env.games.project_mars.seat_view.see import seat_name
from pocketmars_env.games.project_mars.text.card_text import card_text


def title(seat_view: SeatView) -> str:
    """Return the title, such as "round 2 of 3 · starter decks · round 1: 31 to 27"."""
    results = [
        f"round {number}: {first} to {second}" for number, (first, second) in enumerate(seat_view.results, 1)
    ]
    return " · ".join([f"round {seat_view.round} of {ROUNDS}", f"{seat_view.mode} decks", *results])


def headline(seat_view: SeatView) -> str:
    """Return the seat to play and the prompt for its decision, or the result of a finished game or round."""
    if seat_view.over:
        return f"Game over: {result(seat_view)}"
    if seat_view.to_play is None:
        return f"Round {seat_view.round} is over: {round_result(seat_view)}"
    return f"{seat_name(seat_view.to_play)}: {prompt(seat_view)}"


def prompt(seat_view: SeatView) -> str:
    text = DECISIONS[Decision[seat_view.decision or ""]].prompt
    if seat_view.decision == "MULLIGAN":
        return f"{text} ({seat_view.left} left)"
    return text


def result(seat_view: SeatView) -> str:
    """Return the result of a finished game, such as "player_0 wins, 2 to 1 in rounds"."""
    first, second = (side.wins for side in seat_view.sides)
    if first == second:
        return f"a draw, {first} to {second} in rounds"
    winner = 0 if first > second else 1
    return f"{seat_name(winner)} wins, {max(first, second)} to {min(first, second)} in rounds"


def round_result(seat_view: SeatView) -> str:
    """Return the result of the last finished round, such as "player_0 wins the round, 31 to 27"."""
    first, second = seat_view.results[-1]
    if first == second:
        return f"the round is drawn, {first} to {second}"
    winner = seat_name(0 if first > second else 1)
    return f"{winner} wins the round, {max(first, second)} to {min(first, second)}"


def details(seat_view: SeatView) -> str:
    """Return the effect being carried out or, without one, who has passed and Toxic Gas; may be empty."""
    if seat_view.effect is not None:
        card, seat, _ = seat_view.effect
        return f"{CARDS[card].name} of {seat_name(seat)}: {card_text(card)}"
    passed = [f"{side.name} has passed" for side in seat_view.sides if side.has_passed]
    gas = ["Toxic Gas: no effect reveals cards"] if seat_view.has_gas else []
    return " · ".join(passed + gas)


def viewpoint_text(seat_view: SeatView) -> str:
    """Return the viewpoint as text, such as "as player_0 sees it"."""
    return (
        "both hands are shown"
        if seat_view.viewpoint is None
        else f"as {seat_name(seat_view.viewpoint)} sees it"
    )


def cards_in_words(cards: Iterable[Card]) -> str:
    """Return the names of cards with their counts, such as "2 Scout, Medic, 3 unknown", or "none"."""
    counts = Counter("unknown" if card is None else CARDS[card].name for card in cards)
    return ", ".join(name if count == 1 else f"{count} {name}" for name, count in counts.items()) or "none"
