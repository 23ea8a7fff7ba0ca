"""The table's state in words: the question, the result, what kind of game it is."""

from pocketmars_env.games.pocket_mars.rules.actions import DECISIONS
from pocketmars_env.games.pocket_mars.rules.constants import Decision
from pocketmars_env.games.pocket_mars.seat_view.sight import SeenSeat, SeenTable


def headline(table: SeenTable) -> str:
    """The question that stands, or how the game ended."""
    if table.over:
        return "Game over: " + result(table)
    if table.asked_seat is None or table.decision is None:
        return ""
    return f"{table.seats[table.asked_seat].name}: {question(table)}"


def question(table: SeenTable) -> str:
    """What the asked seat is asked; the game is not over."""
    return DECISIONS[Decision[table.decision or ""]].prompt


def result(table: SeenTable) -> str:
    """Who won a finished game."""
    names = [table.seats[seat].name for seat in table.winners]
    points = table.seats[table.winners[0]].score
    if len(names) == 1:
        return f"{names[0]} wins with {points} points"
    how = "share the win" if table.edition == "grey_fox" else "draw"
    return f"{', '.join(names[:-1])} and {names[-1]} {how} with {points} points"


def details(table: SeenTable) -> str:
    """What stands below the headline: what is being resolved, or all scores."""
    if not table.over:
        return table.resolving
    scores = " · ".join(
        f"{seat.name} {points_in_words(table, seat, str(seat.score))}" for seat in table.seats
    )
    return f"{scores} · cut off by the round limit" if table.is_truncated else scores


def handicap_of(table: SeenTable, seat: SeenSeat) -> str:
    """Such as "handicap 3", if the seat is that of Devious Automatics and was given points; else empty."""
    return f"handicap {table.handicap}" if seat.is_da and table.handicap else ""


def points_in_words(table: SeenTable, seat: SeenSeat, points: str) -> str:
    """The points, and how many of them are the handicap."""
    handicap = handicap_of(table, seat)
    return f"{points} ({handicap})" if handicap else points


def title(table: SeenTable) -> str:
    """Round, kind of game, and whose eyes we look through."""
    kind = f"solo, {table.level}" if table.mode == "solo" else f"{table.players} players"
    parts = [f"Round {table.round}", kind, f"edition {table.edition}"]
    if table.is_last_round and not table.over:
        parts.append("last round")
    return " · ".join(parts)


def sight_in_words(table: SeenTable) -> str:
    if table.viewpoint is None:
        return "all cards are shown"
    return f"as {table.seats[table.viewpoint].name} sees it"


def badges(table: SeenTable, seat: int) -> list[str]:
    """What is special about a seat at the moment. Before the first turn nobody starts or has the turn."""
    marks = {
        "starts": seat == table.starting_seat,
        "wins": seat in table.winners,
        "turn": seat == table.active_seat and table.starting_seat is not None and not table.over,
        "asked": seat == table.asked_seat,
    }
    return [mark for mark, holds in marks.items() if holds]
