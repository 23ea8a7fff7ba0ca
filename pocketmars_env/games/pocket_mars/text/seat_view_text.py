"""The table's state in words: the question, the result, what kind of game it is."""

from pocketmars_env.games.pocket_mars.rules.actions import DECISIONS
from pocketmars_env.games.pocket_mars.rules.constants import Decision
from pocketmars_env.games.pocket_mars.seat_view.seat_view import SeatView, SeenSeat


def headline(view: SeatView) -> str:
    """The question that stands, or how the game ended."""
    if view.over:
        return "Game over: " + result(view)
    if view.to_play is None or view.decision is None:
        return ""
    return f"{view.seats[view.to_play].name}: {prompt(view)}"


def prompt(view: SeatView) -> str:
    """What the asked seat is asked; the game is not over."""
    return DECISIONS[Decision[view.decision or ""]].prompt


def result(view: SeatView) -> str:
    """Who won a finished game."""
    names = [view.seats[seat].name for seat in view.winners]
    points = view.seats[view.winners[0]].score
    if len(names) == 1:
        return f"{names[0]} wins with {points} points"
    how = "share the win" if view.edition == "grey_fox" else "draw"
    return f"{', '.join(names[:-1])} and {names[-1]} {how} with {points} points"


def details(view: SeatView) -> str:
    """What stands below the headline: what is being resolved, or all scores."""
    if not view.over:
        return view.resolving
    scores = " · ".join(f"{seat.name} {points_text(view, seat, str(seat.score))}" for seat in view.seats)
    return f"{scores} · cut off by the round limit" if view.is_truncated else scores


def handicap_of(view: SeatView, seat: SeenSeat) -> str:
    """Such as "handicap 3", if the seat is that of Devious Automatics and was given points; else empty."""
    return f"handicap {view.handicap}" if seat.is_da and view.handicap else ""


def points_text(view: SeatView, seat: SeenSeat, points: str) -> str:
    """The points, and how many of them are the handicap."""
    handicap = handicap_of(view, seat)
    return f"{points} ({handicap})" if handicap else points


def title(view: SeatView) -> str:
    """Round, kind of game, and whose eyes we look through."""
    kind = f"solo, {view.level}" if view.mode == "solo" else f"{view.players} players"
    parts = [f"Round {view.round}", kind, f"edition {view.edition}"]
    if view.is_last_round and not view.over:
        parts.append("last round")
    return " · ".join(parts)


def card_list_text(view: SeatView) -> str:
    if view.viewpoint is None:
        return "all cards are shown"
    return f"as {view.seats[view.viewpoint].name} sees it"


def badges(view: SeatView, seat: int) -> list[str]:
    """What is special about a seat at the moment. Before the first turn nobody starts or has the turn."""
    marks = {
        "starts": seat == view.starting_seat,
        "wins": seat in view.winners,
        "turn": seat == view.active_seat and view.starting_seat is not None and not view.over,
        "asked": seat == view.to_play,
    }
    return [mark for mark, holds in marks.items() if holds]
