"""The changes between two positions as text, from one viewpoint.

The text is derived only from two seat views, so it cannot reveal an unknown card.
"""

from collections.abc import Iterator

from pocketmars_env.games.pocket_mars.rules.constants import BUILDING_NAMES, NUM_BUILDINGS
from pocketmars_env.games.pocket_mars.seat_view.seat_view import SeatView, SeenCard, SeenSeat


def changes(before: SeatView, after: SeatView, actor: int | None = None) -> list[str]:
    """Return the changes between two positions as texts, such as "energy 1 → 3"."""
    texts: list[str] = []
    for old, new in zip(before.seats, after.seats, strict=True):
        prefix = "" if new.number == actor else f"{new.name}: "
        texts += [prefix + words for words in seat_changed(old, new)]
    return [*texts, *cards_moved(before, after)]


def seat_changed(old: SeenSeat, new: SeenSeat) -> Iterator[str]:
    """Yield texts about the changes in a seat's colonists and energy."""
    yield from colonists_moved(old, new)
    if new.energy != old.energy:
        yield f"energy {old.energy} → {new.energy}"


def colonists_moved(old: SeenSeat, new: SeenSeat) -> Iterator[str]:
    """Yield the net moves of a seat's colonists, such as "2 colonists Earth → Ship"."""
    starts, ends = list[str](), list[str]()
    for place, was, now in zip(places(), counts(old), counts(new), strict=True):
        starts += [place] * (was - now)
        ends += [place] * (now - was)
    moves = list(zip(starts, ends, strict=True))
    for start, end in dict.fromkeys(moves):
        number = moves.count((start, end))
        noun = "colonist" if number == 1 else "colonists"
        yield f"{number} {noun} {start} → {end}"


def places() -> list[str]:
    """Return the names of the places where colonists can be, in the order of `counts`."""
    buildings = [f"{stars} {BUILDING_NAMES[i]}" for i in range(NUM_BUILDINGS) for stars in ("★", "★★")]
    return ["Earth", "Ship", *buildings]


def counts(seat: SeenSeat) -> list[int]:
    pairs = zip(seat.star, seat.star2, strict=True)
    return [seat.earth, seat.ship, *[number for pair in pairs for number in pair]]


# --- cards ------------------------------------------------------------------------------------------


def cards_moved(before: SeatView, after: SeatView) -> Iterator[str]:
    yield from discarded(before, after)
    for building, (old, new) in enumerate(zip(before.piles, after.piles, strict=True)):
        yield from pile_changed(BUILDING_NAMES[building], old, new)
    if after.viewpoint is not None:
        yield from held(before, after, after.viewpoint, "you get")
    for old_seat, new_seat in zip(before.seats, after.seats, strict=True):
        if after.viewpoint is None and not new_seat.is_da:
            yield from held(before, after, new_seat.number, f"{new_seat.name} gets")
        elif new_seat.number != after.viewpoint:
            yield from others_cards(old_seat, new_seat, after.viewpoint)


def discarded(before: SeatView, after: SeatView) -> Iterator[str]:
    """Yield a text about the deck if it was shuffled; otherwise, a text about any newly discarded cards."""
    if after.shuffles != before.shuffles:
        yield f"the deck is reshuffled and now has {after.deck} cards"
        return
    old_cards = {card.card for card in before.discard}
    names = [card.name for card in after.discard if card.card not in old_cards]
    if names:
        yield f"{', '.join(names)} discarded"


def pile_changed(building: str, old: tuple[SeenCard, ...], new: tuple[SeenCard, ...]) -> Iterator[str]:
    """Yield a text about the top card of a pile if the card is new there or was turned face down."""
    if not new or new == old:
        return
    top, old_cards = new[-1], {card.card for card in old}
    # comparing sizes is not enough, because a pile can also lose cards to a hand or to a rebuilt deck
    is_new = top.card is not None and None not in old_cards and top.card not in old_cards
    if len(new) > len(old) or is_new:
        way = "" if top.is_open else ", face down"
        yield f"{top.name} now lies on the {building}{way}"
    elif old[-1].is_open and old[-1].card == top.card and not top.is_open:
        yield f"{top.name} on the {building} is turned face down"


def held(before: SeatView, after: SeatView, seat: int, verb: str) -> Iterator[str]:
    """Yield a text about the known cards that a seat has received; the text begins with `verb`."""
    gained = own_cards(after, seat) - own_cards(before, seat)
    if gained:
        yield f"{verb} {', '.join(name for _, name in sorted(gained))}"


def own_cards(seat_view: SeatView, seat: int) -> set[tuple[int, str]]:
    """Return (number, name) of a seat's known cards, including `seat_view.drawn` if the seat is to play."""
    seen_seat = seat_view.seats[seat]
    drawn = seat_view.drawn if seat_view.to_play == seat else ()
    cards = [*seen_seat.hand, *seen_seat.packet, *seen_seat.pending, *seen_seat.prep, *drawn]
    return {(card.card, card.name) for card in cards if card is not None and card.card is not None}


def others_cards(old: SeenSeat, new: SeenSeat, viewpoint: int | None) -> Iterator[str]:
    """Yield texts about cards that another seat got, and about cards newly seen in its prep module."""
    gained = cards_of(new) - cards_of(old)
    if not new.is_da and gained > 0:
        yield f"{new.name} gets {gained} more card{'s' if gained > 1 else ''}"
    for was, now in zip(old.prep, new.prep, strict=True):
        if now is None:
            continue
        is_new = now.card is not None and (was is None or was.card != now.card)
        if is_new and viewpoint is not None:
            yield f"you know {now.name} in the prep module of {new.name}"
        elif is_new or (new.is_da and was is None):
            yield f"{now.name} enters the prep module of {new.name}"


def cards_of(seat: SeenSeat) -> int:
    return len(seat.hand) + len(seat.packet) + sum(card is not None for card in seat.prep)
