"""The card table matches the rulebook's list of components."""

import numpy as np

from pocketmars_env.games.pocket_mars.rules.cards import (
    ABILITIES,
    ALL_PROGRAMS,
    CARD_NUMBER,
    CARD_SUIT,
    CARD_VALUE,
    CARDS,
    FIRST_ABILITY,
    FIRST_BOTTOM,
    FIRST_TOP,
    NUM_CARDS,
    NUM_PROGRAMS,
    PROGRAM_AMOUNT,
    PROGRAM_BUILDING,
    PROGRAM_LENGTH,
    PROGRAM_OP,
    SUIT_CARDS,
)
from pocketmars_env.games.pocket_mars.rules.constants import (
    BUILDING_NAMES,
    LAST_CONDITION,
    LAST_PRICE,
    Building,
    Op,
)

SUIT_WORDS = tuple(enumerate(("Greenhouse", "Aqualab", "Energy", "Comms")))


def kind(op: Op) -> int:
    """Return 0 for a condition, 1 for a price and 2 for an effect."""
    return int(op > LAST_CONDITION) + int(op > LAST_PRICE)


def test_the_buildings_stand_in_the_order_of_the_suits() -> None:
    assert BUILDING_NAMES == ("Greenhouse", "Aqualab", "Energy Bank", "Comms Center", "Habitation")
    assert list(ABILITIES) == list(Building)


def test_each_suit_has_the_values_1_to_7_except_habitation_which_has_the_letters_a_to_g() -> None:
    expected = [(f"{word} {value}", suit, value) for suit, word in SUIT_WORDS for value in range(1, 8)]
    expected += [(f"Habitation {letter}", Building.HABITATION, 0) for letter in "abcdefg"]
    assert [(card.name, card.suit, card.value) for card in CARDS] == expected
    assert [CARD_NUMBER[card.name] for card in CARDS] == list(range(NUM_CARDS)) == list(range(35))


def test_the_tables_that_kernels_read_say_the_same() -> None:
    assert CARD_SUIT.tolist() == [card.suit for card in CARDS]
    assert CARD_VALUE.tolist() == [card.value for card in CARDS]
    sevens = [0b1111111 << 7 * suit for suit in range(5)]
    assert SUIT_CARDS.tolist() == sevens


def test_programs_are_numbered_tops_bottoms_abilities() -> None:
    assert NUM_PROGRAMS == len(ALL_PROGRAMS) == 35 + 35 + 5
    for number, card in enumerate(CARDS):
        assert ALL_PROGRAMS[FIRST_TOP + number] == card.top
        assert ALL_PROGRAMS[FIRST_BOTTOM + number] == card.bottom
        assert PROGRAM_BUILDING[FIRST_TOP + number] == PROGRAM_BUILDING[FIRST_BOTTOM + number] == card.suit
    for building, program in ABILITIES.items():
        assert ALL_PROGRAMS[FIRST_ABILITY + building] == program
        assert PROGRAM_BUILDING[FIRST_ABILITY + building] == building


def test_a_program_is_written_out_line_by_line_and_ends() -> None:
    for number, program in enumerate(ALL_PROGRAMS):
        assert 0 < len(program) < PROGRAM_LENGTH
        rest = PROGRAM_LENGTH - len(program)
        assert PROGRAM_OP[number].tolist() == [op for op, _ in program] + [Op.END] * rest
        assert PROGRAM_AMOUNT[number].tolist() == [amount for _, amount in program] + [0] * rest
        assert all(amount > 0 for _, amount in program)


def test_conditions_stand_before_prices_and_both_before_effects() -> None:
    for program in ALL_PROGRAMS:
        kinds = [kind(op) for op, _ in program]
        assert kinds == sorted(kinds)
        assert kinds[-1] == 2


def test_every_op_but_the_end_is_on_some_card() -> None:
    assert {op for program in ALL_PROGRAMS for op, _ in program} == set(Op) - {Op.END}


def test_one_more_action_comes_last_and_only_on_a_top() -> None:
    found = [
        (number, line)
        for number, program in enumerate(ALL_PROGRAMS)
        for line, (op, _) in enumerate(program)
        if op == Op.ACT_AGAIN
    ]
    energy_7 = CARD_NUMBER["Energy 7"]
    assert found == [(FIRST_TOP + energy_7, len(CARDS[energy_7].top) - 1)]


def test_two_cards_drawn_aside_are_followed_by_keeping_one() -> None:
    for program in ALL_PROGRAMS:
        ops = [op for op, _ in program]
        assert (Op.DRAW_ASIDE in ops) == (Op.KEEP_ONE in ops)
        if Op.KEEP_ONE in ops:
            assert program == ((Op.DRAW_ASIDE, 2), (Op.KEEP_ONE, 1))


def test_abilities_cost_nothing() -> None:
    assert all(kind(op) == 2 for program in ABILITIES.values() for op, _ in program)


def test_tables_are_integers_that_kernels_can_index_with() -> None:
    for table in (CARD_SUIT, CARD_VALUE, SUIT_CARDS, PROGRAM_OP, PROGRAM_AMOUNT, PROGRAM_BUILDING):
        assert table.dtype == np.int64
