"""Tests of `Moment`: it is immutable and remembers the actions; the OpenSpiel tests cover the rest."""

import copy
import pickle

import pytest

from pocketmars_env import GameConfig, IllegalAction
from pocketmars_env.adapters.moments import Moment
from pocketmars_env.core.compiled.states import copy_states
from pocketmars_env.games.pocket_mars.spec import SPEC

START = Moment.dealt(GameConfig(players=3), 7)


def test_a_moment_never_changes() -> None:
    record, legal = START.states.tobytes(), list(START.legal)
    for action in legal:
        assert START.after(action).states.tobytes() != record
    START.game().step(legal[0])
    with pytest.raises(IllegalAction, match="accepted: "):
        START.after(-1)
    assert (START.states.tobytes(), START.legal) == (record, legal)
    assert copy.copy(START) is copy.deepcopy(START) is START


def test_a_seat_remembers_its_own_answer_even_where_it_shows_no_more() -> None:
    states = START.after(START.legal[0]).states
    ends = [Moment(SPEC, copy_states(states), START, answer) for answer in START.legal[:2]]
    for seat in range(3):
        is_own = seat == START.to_play
        assert (ends[0].memory(seat) != ends[1].memory(seat)) == is_own


def test_a_memory_does_not_depend_on_when_it_was_read() -> None:
    early = late = START
    for _ in range(20):
        early.memory(1)
        early, late = early.after(early.legal[-1]), late.after(late.legal[-1])
    assert early.memory(1) == late.memory(1)
    assert pickle.loads(pickle.dumps(late)).memory(1) == late.memory(1)


def test_the_others_begin_anew_in_a_sampled_world() -> None:
    moment = START.after(START.legal[0])
    memories = [moment.memory(seat) for seat in range(3)]
    sample = moment.sampled(0, seed=1)
    alone = Moment(SPEC, copy_states(sample.states))
    assert sample.memory(0) == memories[0]
    for seat in (1, 2):
        assert sample.memory(seat) == alone.memory(seat) != memories[seat]
    assert sample.previous is None
