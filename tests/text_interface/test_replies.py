"""Parsing of actions from a language model's replies."""

import time

import pytest

from pocketmars_env import Game
from pocketmars_env.core.game import View
from pocketmars_env.text_interface import ReplyError, parse_action
from pocketmars_env.text_interface.replies import MAX_CHARACTERS, names_of_actions, plain
from tests.text_interface.games import KINDS, positions


@pytest.fixture(scope="module")
def view() -> View:
    """The view of the seat to play at its first TURN decision."""
    game = Game(seed=1)
    while game.decision != "TURN":
        game.step(game.legal[0])
    return game.view()


@pytest.mark.parametrize("kind", KINDS)
def test_numbers_names_and_words_are_read(kind: str) -> None:
    for game in positions(kind):
        view = game.view()
        actions = names_of_actions(view)
        for action in view.legal[:: max(1, len(view.legal) // 4)]:
            for reply in (str(action), view.spec.action_name(action), view.describe(action).upper()):
                if len(actions.get(plain(reply), {action})) == 1:
                    assert parse_action(view, reply, is_strict=True) == action
                    assert parse_action(view, f"Hmm.\nACTION: {reply}") == action


@pytest.mark.parametrize(
    "reply",
    [
        "{number}",
        " {number}\n",
        "ACTION: {number}",
        "I compare 1 and 2.\n\n**Action:** {number}",
        "**ACTION: {number}**",
        "action = {number}.",
        "Action: {number} ({words})",
        "Action: {number}: {words}",
        "ACTION: 999\nNo, wait.\nACTION: {number}",
        '{{"reason": "best", "action": {number}}}',
        '```json\n{{"action": "{name}", "sure": true}}\n```',
        "<action>{number}</action>",
        "So the answer is \\boxed{{{number}}}",
        "[{number}]",
        "{number}: {words}",
        "{number} - {words}",
        "`{name}`",
        "<think>ACTION: 0 or 1?</think>\n{number}",
        "all this was thought, ACTION: 0</think>ACTION: {number}",
        "ACTION: {number}\n<think>or rather ACTION: 0",
        "I would like to {words}, because it is good.",
        "Action: {words}",
    ],
)
def test_lenient_replies(view: View, reply: str) -> None:
    action = view.legal[0]
    assert action != 0
    names = {"number": action, "name": view.spec.action_name(action), "words": view.describe(action)}
    assert parse_action(view, reply.format(**names)) == action
    if reply.strip() != "{number}":
        with pytest.raises(ReplyError):
            parse_action(view, reply.format(**names), is_strict=True)


@pytest.mark.parametrize(
    "reply",
    [
        "", " \n", "ACTION: 0", "ACTION: <number>", "ACTION: ", "-5", "٣", "9" * 5_000,
        "ACTION: " + "9" * 5_000, "PLAY_HAND(Comms 9)", "I pass.", "<think>ACTION: 76",
        "x" * (MAX_CHARACTERS + 1), "\x00\ud800",
    ],
)  # fmt: skip
def test_replies_without_an_action(view: View, reply: str) -> None:
    with pytest.raises(ReplyError) as caught:
        parse_action(view, reply)
    assert len(str(caught.value)) < 500
    assert "\n" not in str(caught.value)
    with pytest.raises(ReplyError):
        parse_action(view, reply, is_strict=True)


def test_a_reply_with_several_actions_is_refused(view: View) -> None:
    words = " or ".join(view.describe(action) for action in view.legal[:2])
    with pytest.raises(ReplyError, match="actions"):
        parse_action(view, words)


def test_a_reply_is_a_text(view: View) -> None:
    with pytest.raises(ReplyError, match="int"):
        parse_action(view, 5)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "part", ["<think>", "</think>", "\\boxed{", '"action":"', "<action>", "ACTION: ", "action*_`", "\n", "9 "]
)
def test_no_reply_takes_long_to_read(view: View, part: str) -> None:
    start = time.process_time()
    with pytest.raises(ReplyError):
        parse_action(view, part * (MAX_CHARACTERS // len(part)))
    assert time.process_time() - start < 2.0
