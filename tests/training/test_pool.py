"""The pool of policies that share the seats in the learner's games."""

import numpy as np
import pytest

from pocketmars_training.rllib.pool import LEARNER, Pool, members, past_modules


def pool(present_share: float = 0.4) -> Pool:
    return Pool(("greedy", "planner"), past_kept=3, present_share=present_share)


def test_the_members_are_in_the_order_of_the_shares() -> None:
    assert members(("greedy", "planner"), 2) == [LEARNER, "greedy", "planner", "past_0", "past_1"]
    assert pool().members[3:] == past_modules(3)


def test_at_first_present_self_and_bots_share_the_seats() -> None:
    np.testing.assert_allclose(pool().shares(), [0.4, 0.3, 0.3, 0, 0, 0])
    np.testing.assert_allclose(pool(present_share=1.0).shares(), [1, 0, 0, 0, 0, 0])


def test_past_selves_get_seats_once_they_exist() -> None:
    one = pool()
    assert one.add_past() == "past_0"
    np.testing.assert_allclose(one.shares(), [0.4, 0.2, 0.2, 0.2, 0, 0])


def test_a_new_past_self_takes_the_oldest_ones_place_and_is_unknown() -> None:
    one = pool()
    for _ in range(3):
        one.add_past()
    for _ in range(20):
        one.record(one.members.index("past_0"), 1.0)
        one.record(one.members.index("past_1"), 1.0)
    assert one.add_past() == "past_0"
    assert one.scores[3] == 0.5
    assert one.scores[4] > 0.6
    assert (one.shares()[3:] > 0).all()


def test_the_table_names_bots_and_the_past_selves_there_are() -> None:
    one = pool()
    assert one.named_scores() == {"greedy": 0.5, "planner": 0.5}
    one.add_past()
    one.record(one.members.index("past_0"), 1.0)
    assert one.named_scores() == {"greedy": 0.5, "planner": 0.5, "past": pytest.approx(0.51)}


def test_what_is_kept_restores_the_pool() -> None:
    one, other = pool(), pool()
    one.add_past()
    one.record(one.members.index("past_0"), -1.0)
    other.load_state_dict(one.state_dict())
    np.testing.assert_array_equal(other.shares(), one.shares())
    assert other.add_past() == one.add_past() == "past_1"
