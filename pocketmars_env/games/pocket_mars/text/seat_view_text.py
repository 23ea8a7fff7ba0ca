"""Texts that describe a position, such as the title, the prompt and the result."""

from pocketmars_env.games.pocket_mars.rules.actions import DECISIONS
from pocketmars_env.games.pocket_mars.rules.constants import BUILDING_NAMES, Decision
from pocketmars_env.games.pocket_mars.seat_view.seat_view import SeatView, SeenSeat, suit_of


def headline(view: SeatView) -> str:
    """Return the name of the seat to play and the prompt of its decision, or the result of a finished game.

    The text is empty if the game is not over but no decision is pending.
    """
    if view.over:
        return "Game over: " + result(view)
    if view.to_play is None or view.decision is None:
        return ""
    return f"{view.seats[view.to_play].name}: {prompt(view)}"


def prompt(view: SeatView) -> str:
    """Return the prompt of the current decision; the game must not be over."""
    return named_building(view, DECISIONS[Decision[view.decision or ""]].prompt)


def named_building(view: SeatView, words: str) -> str:
    """Return `words` with "here" replaced by "in" and the name of the played card's Building.

    If no card is being played, `words` is returned unchanged.
    """
    building = building_played(view)
    return words if building is None else words.replace(" here", f" in {BUILDING_NAMES[building]}")


def building_played(view: SeatView) -> int | None:
    """Return the Building of the card that is being played; None if no card is being played."""
    played = view.played if view.played is not None else next((card.card for card in view.in_play), None)
    return None if played is None else suit_of(played)


def result(view: SeatView) -> str:
    """Return the result of a finished game as text: the winners and their points."""
    names = [view.seats[seat].name for seat in view.winners]
    points = view.seats[view.winners[0]].score
    if len(names) == 1:
        return f"{names[0]} wins with {points} points"
    verb = "share the win" if view.edition == "grey_fox" else "draw"
    return f"{', '.join(names[:-1])} and {names[-1]} {verb} with {points} points"


def details(view: SeatView) -> str:
    """Return the text below the headline: `SeatView.resolving`, or the final scores if the game is over."""
    if not view.over:
        return view.resolving
    scores = " · ".join(f"{seat.name} {points_text(view, seat, str(seat.score))}" for seat in view.seats)
    return f"{scores} · cut off by the round limit" if view.is_truncated else scores


def handicap_of(view: SeatView, seat: SeenSeat) -> str:
    """Return a text such as "handicap 3" for the seat of Devious Automatics (DA).

    The text is empty for every other seat, and if there is no handicap.
    """
    return f"handicap {view.handicap}" if seat.is_da and view.handicap else ""


def points_text(view: SeatView, seat: SeenSeat, points: str) -> str:
    """Return `points`, followed by the handicap in parentheses if the seat has one."""
    handicap = handicap_of(view, seat)
    return f"{points} ({handicap})" if handicap else points


def title(view: SeatView) -> str:
    """Return the title: round, number of players or solo level, and edition.

    Until the game is over, the title ends in "last round" if a seat has all its colonists in Buildings.
    """
    mode = f"solo, {view.level}" if view.mode == "solo" else f"{view.players} players"
    parts = [f"Round {view.round}", mode, f"{view.edition.replace('_', ' ').title()} edition"]
    if view.is_last_round and not view.over:
        parts.append("last round")
    return " · ".join(parts)


def viewpoint_text(view: SeatView) -> str:
    if view.viewpoint is None:
        return "all cards are shown"
    return f"as {view.seats[view.viewpoint].name} sees it"


def badges(view: SeatView, seat: int) -> list[str]:
    """Return the badges of a seat, such as "to play"; "starts" and "turn" appear only after the setup."""
    marks = {
        "starts": seat == view.starting_seat,
        "wins": seat in view.winners,
        "turn": seat == view.active_seat and view.starting_seat is not None and not view.over,
        "to play": seat == view.to_play,
    }
    return [mark for mark, is_shown in marks.items() if is_shown]
