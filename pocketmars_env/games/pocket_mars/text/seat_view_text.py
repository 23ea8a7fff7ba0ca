"""Texts that describe a position, such as the title, the prompt and the result."""

from pocketmars_env.games.pocket_mars.rules.actions import DECISIONS
from pocketmars_env.games.pocket_mars.rules.constants import BUILDING_NAMES, Decision
from pocketmars_env.games.pocket_mars.seat_view.seat_view import SeatView, SeenSeat, suit_of


def headline(seat_view: SeatView) -> str:
    """Return the seat to play and its prompt, or the result of the game; empty between decisions."""
    if seat_view.over:
        return "Game over: " + result(seat_view)
    if seat_view.to_play is None or seat_view.decision is None:
        return ""
    return f"{seat_view.seats[seat_view.to_play].name}: {prompt(seat_view)}"


def prompt(seat_view: SeatView) -> str:
    """Return the prompt of the current decision; the game must not be over."""
    return named_building(seat_view, DECISIONS[Decision[seat_view.decision or ""]].prompt)


def named_building(seat_view: SeatView, words: str) -> str:
    """Return `words` with "here" replaced by the Building of the played card, if a card is being played."""
    building = building_played(seat_view)
    return words if building is None else words.replace(" here", f" in {BUILDING_NAMES[building]}")


def building_played(seat_view: SeatView) -> int | None:
    """Return the Building of the card that is being played; None if no card is being played."""
    played = (
        seat_view.played
        if seat_view.played is not None
        else next((card.card for card in seat_view.in_play), None)
    )
    return None if played is None else suit_of(played)


def result(seat_view: SeatView) -> str:
    """Return the result of a finished game as text: the winners and their points."""
    names = [seat_view.seats[seat].name for seat in seat_view.winners]
    points = seat_view.seats[seat_view.winners[0]].score
    if len(names) == 1:
        return f"{names[0]} wins with {points} points"
    verb = "share the win" if seat_view.edition == "grey_fox" else "draw"
    return f"{', '.join(names[:-1])} and {names[-1]} {verb} with {points} points"


def details(seat_view: SeatView) -> str:
    """Return the text below the headline: `SeatView.resolving`, or the final scores if the game is over."""
    if not seat_view.over:
        return seat_view.resolving
    scores = " · ".join(
        f"{seat.name} {points_text(seat_view, seat, str(seat.score))}" for seat in seat_view.seats
    )
    return f"{scores} · cut off by the round limit" if seat_view.is_truncated else scores


def handicap_of(seat_view: SeatView, seat: SeenSeat) -> str:
    """Return text such as "handicap 3" for the seat of Devious Automatics (DA); empty for other seats."""
    return f"handicap {seat_view.handicap}" if seat.is_da and seat_view.handicap else ""


def points_text(seat_view: SeatView, seat: SeenSeat, points: str) -> str:
    """Return `points`, followed by the handicap in parentheses if the seat has one."""
    handicap = handicap_of(seat_view, seat)
    return f"{points} ({handicap})" if handicap else points


def title(seat_view: SeatView) -> str:
    """Return the title: round, number of players or solo level, edition, and "last round" if it is one."""
    mode = f"solo, {seat_view.level}" if seat_view.mode == "solo" else f"{seat_view.players} players"
    parts = [f"Round {seat_view.round}", mode, f"{seat_view.edition.replace('_', ' ').title()} edition"]
    if seat_view.is_last_round and not seat_view.over:
        parts.append("last round")
    return " · ".join(parts)


def viewpoint_text(seat_view: SeatView) -> str:
    if seat_view.viewpoint is None:
        return "all cards are shown"
    return f"as {seat_view.seats[seat_view.viewpoint].name} sees it"


def badges(seat_view: SeatView, seat: int) -> list[str]:
    """Return the badges of a seat, such as "to play"; "starts" and "turn" appear only after the setup."""
    marks = {
        "starts": seat == seat_view.starting_seat,
        "wins": seat in seat_view.winners,
        "turn": seat == seat_view.active_seat and seat_view.starting_seat is not None and not seat_view.over,
        "to play": seat == seat_view.to_play,
    }
    return [mark for mark, is_shown in marks.items() if is_shown]
