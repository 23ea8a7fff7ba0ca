"""Tests of games in the terminal program, played with the keyboard."""

import re
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from textual.pilot import Pilot

from pocketmars_agents.bots.look_ahead_agent import PlannerAgent
from pocketmars_agents.bots.random_agent import RandomAgent
from pocketmars_agents.play.seats import Seating
from pocketmars_agents.play.session import RoundEnd, Session
from pocketmars_agents.play.terminal.dialogs import Cover, Note, Question
from pocketmars_agents.play.terminal.panels import Choices
from pocketmars_agents.play.terminal.words import CHOICE_KEYS, card_pattern
from pocketmars_env import Game
from pocketmars_env.games.pocket_mars.rules.cards import CARDS
from pocketmars_env.games.project_mars.config import DuelConfig
from pocketmars_env.replays import Replay
from tests.agents.human.bots import FirstBot
from tests.agents.human.driving import (
    LARGE,
    SMALL,
    Waiting,
    choices_on,
    drive,
    driven,
    press,
    sees,
    settled,
    until,
    waiting_in,
    words_on,
)
from tests.agents.human.sessions import session_with

solo = partial(session_with, mode="solo", seed=1)
short = partial(session_with, players=2, round_limit=1, seed=1)
CARD_NAMES = [card.name for card in CARDS]


async def play_to_the_end(pilot: Pilot[None], session: Session) -> list[int]:
    """Press the keys of random choices until the game is over, and return the actions played."""
    rng, answers = np.random.default_rng(1), list[int]()
    while not session.over:
        if isinstance(pilot.app.screen, Cover):
            await press(pilot, "enter")
            continue
        place = int(rng.integers(min(choices_on(pilot), len(CHOICE_KEYS))))
        answers.append(session.choices(session.to_play or "")[place].action)
        await press(pilot, CHOICE_KEYS[place])
    return answers


def points_on(words: str) -> list[int]:
    """Return the points of all seats on the final screen; check that each is the sum of its parts."""
    totals, sums = list[int](), list[int]()
    for total, part in re.findall(r": (\d+) points|(\d+) for ", words):
        if total:
            totals.append(int(total))
            sums.append(0)
        else:
            sums[-1] += int(part)
    assert totals == sums
    return totals


# --- whole games ------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_whole_solo_game_is_played_with_keys(tmp_path: Path) -> None:
    session, file = solo(seed=3, round_limit=4), tmp_path / "game.json"
    engine = Game(mode="solo", seed=3, round_limit=4)

    async def how(pilot: Pilot[None]) -> None:
        for action in await play_to_the_end(pilot, session):
            engine.step(action)
        await sees(pilot, "The game is saved in", where=".card")
        assert engine.over
        assert points_on(words_on(pilot, ".card")) == engine.scores
        await press(pilot, "enter", "q")

    drive(session, how, file)
    replay = Replay.load(file)
    assert replay.actions == tuple(engine.actions)
    assert replay.final().scores == engine.scores


@pytest.mark.slow
@driven(lambda: short(bot=RandomAgent()), LARGE)
async def test_a_whole_game_is_played_against_a_bot(pilot: Pilot[None], session: Session) -> None:
    await play_to_the_end(pilot, session)
    await sees(pilot, "The end", "quit")
    assert points_on(words_on(pilot, ".card")) == session.game.scores
    await press(pilot, "enter")
    await until(pilot, lambda: not isinstance(pilot.app.screen, Note))
    assert choices_on(pilot) == 0
    await sees(pilot, "Game over")


@driven(lambda: short(bot=RandomAgent()), LARGE)
async def test_the_result_is_shown_once(pilot: Pilot[None], session: Session) -> None:
    await play_to_the_end(pilot, session)
    await sees(pilot, "The end", "quit")
    session.version += 1  # the table is shown again
    await pilot.pause(1)
    await press(pilot, "enter")
    assert not isinstance(pilot.app.screen, Note)


async def sees_the_last_field(pilot: Pilot[None], session: Session) -> None:
    end = session.round_end("player_0")
    assert end is not None
    await sees(pilot, *(f"TPR {side.tpr} ·" for side in end.seat_view.sides), where="#table")


def duel(kind: type[Session] = Session) -> Session:
    return kind(Seating(DuelConfig(), {"player_1": FirstBot()}, ("player_0",)), 1)


@pytest.mark.slow
@driven(duel, LARGE)
async def test_the_last_field_is_shown_until_the_person_goes_on(pilot: Pilot[None], session: Session) -> None:
    while not session.over:
        while choices_on(pilot) > 1 and not session.over:
            await press(pilot, CHOICE_KEYS[0])
        await sees_the_last_field(pilot, session)
        await press(pilot, "h", "1")
        if not session.over:
            assert choices_on(pilot) == len(session.choices("player_0"))
    await sees(pilot, "The end")
    await press(pilot, "enter")
    await sees_the_last_field(pilot, session)


class SessionOfAQuickBot(Session):
    """A session whose bot plays while the program reads the position."""

    def go_on(self) -> None: ...

    def round_end(self, seat: str) -> RoundEnd | None:
        end = super().round_end(seat)
        super().go_on()
        return end


@driven(lambda: duel(SessionOfAQuickBot), LARGE)
async def test_the_last_field_is_shown_if_a_bot_ends_the_game_meanwhile(
    pilot: Pilot[None], session: Session
) -> None:
    while not session.over:
        await press(pilot, CHOICE_KEYS[0])
    await sees_the_last_field(pilot, session)


@driven(lambda: short(humans=2))
async def test_two_people_at_one_terminal_play_a_game_and_see_nothing_of_each_other(
    pilot: Pilot[None], session: Session
) -> None:
    first, second = ("player_0", "player_1") if session.to_play == "player_0" else ("player_1", "player_0")
    for seat in (first, second, first, second):
        assert isinstance(pilot.app.screen, Cover)
        await sees(pilot, f"Hand over to Player {1 + session.number_of(seat)}")
        words = words_on(pilot)
        assert not card_pattern(session.presentation.card_labels()).search(words)
        assert not any(name in words for name in CARD_NAMES)
        await press(pilot, "1", "h", "l", "question_mark", "u")
        assert words_on(pilot) == words
        await press(pilot, "enter")
        await sees(pilot, "You: ")
        assert_only_own_cards(words_on(pilot), session, seat)
        while session.to_play == seat:
            await press(pilot, "1")
    await play_to_the_end(pilot, session)
    assert isinstance(pilot.app.screen, Note)


def assert_only_own_cards(words: str, session: Session, seat: str) -> None:
    """Check that every card named is in the person's hand or prep module, or in the discard pile."""
    number = session.number_of(seat)
    entry = session.game.snapshot()["seats"][number]
    own = {CARDS[card].name for card in [*entry["hand"], *entry["prep"]] if card is not None}
    discarded = {CARDS[card].name for card in session.game.snapshot()["discard"]}
    named = {name for name in CARD_NAMES if name in words}
    assert named, words
    assert named <= own | discarded


# --- keys -------------------------------------------------------------------------------------------


@driven(solo)
async def test_arrows_and_enter_choose(pilot: Pilot[None], session: Session) -> None:
    wanted = session.choices("player_0")[2].action
    await press(pilot, "down", "down", "enter")
    assert session.game.actions == (wanted,)


@driven(solo)
async def test_other_keys_do_nothing(pilot: Pilot[None], session: Session) -> None:
    words, offered = words_on(pilot), choices_on(pilot)
    await press(pilot, CHOICE_KEYS[offered], "z", "0", "f5", "u", "escape", "space", "left")
    assert not session.game.actions
    assert words_on(pilot) == words


@driven(solo)
async def test_a_click_chooses(pilot: Pilot[None], session: Session) -> None:
    wanted = session.choices("player_0")[1].action
    await pilot.click(Choices, offset=(5, 2))
    await settled(pilot)
    assert session.game.actions == (wanted,)


@driven(solo)
async def test_the_mouse_over_a_choice_shows_its_card(pilot: Pilot[None], session: Session) -> None:
    first, second = session.choices("player_0")[:2]
    await pilot.hover(Choices, offset=(5, 2))
    await settled(pilot)
    await sees(pilot, *second.text.splitlines()[:2], where="#text")
    await pilot.hover(Choices, offset=(5, 1))
    await settled(pilot)
    await sees(pilot, *first.text.splitlines()[:2], where="#text")


@driven(solo, LARGE)
async def test_the_mouse_over_a_card_of_the_table_shows_its_text(
    pilot: Pilot[None], session: Session
) -> None:
    last = session.choices("player_0")[-1]
    lines = words_on(pilot).splitlines()
    label = (last.card or "")[0] + (last.card or "")[-1]
    row = next(place for place, line in enumerate(lines) if label in line)
    assert f"{last.card}\n" not in words_on(pilot)
    await pilot.hover(offset=(lines[row].index(label), row))
    await settled(pilot)
    await sees(pilot, last.text, where="#text")


@pytest.mark.parametrize("size", [SMALL, LARGE])
def test_seats_choices_and_keys_are_on_the_first_screen(size: tuple[int, int]) -> None:
    session = short(bot=RandomAgent())

    async def how(pilot: Pilot[None]) -> None:
        words = words_on(pilot)
        for expected in ("You", "random", "Greenhouse", "Habitation", "Choices", "Help", "Quit"):
            assert expected in words
        assert all((choice.card or "") in words for choice in session.choices("player_0"))

    drive(session, how, size=size)


@driven(solo, LARGE)
async def test_help_explains_every_command(pilot: Pilot[None], session: Session) -> None:
    await press(pilot, "question_mark")
    await sees(pilot, "hint", "undo", "log", "save", "light or dark", "quit")
    await press(pilot, "enter")
    assert not isinstance(pilot.app.screen, Note)


@driven(lambda: short(bot=RandomAgent()), LARGE)
async def test_the_log_tells_what_happened_and_why(pilot: Pilot[None], session: Session) -> None:
    await press(pilot, "1", "1", "l")
    entry = session.log("player_0")[0]
    await sees(pilot, entry.words, f"({entry.why})", where=".card")


# --- bots -------------------------------------------------------------------------------------------


@driven(lambda: short(bot=Waiting()))
async def test_the_screen_lives_while_a_bot_thinks(pilot: Pilot[None], session: Session) -> None:
    bot = waiting_in(session)
    bot.let_go.clear()
    while session.to_play:
        await pilot.press("1")
        await pilot.pause(0.02)
    await until(pilot, lambda: "Waiting for waiting" in words_on(pilot))
    answers = len(session.game.actions)
    await pilot.press("1", "question_mark")
    await until(pilot, lambda: isinstance(pilot.app.screen, Note))
    await pilot.press("enter")
    assert len(session.game.actions) == answers
    bot.let_go.set()
    await until(pilot, lambda: session.to_play is not None and choices_on(pilot) > 0)


@driven(lambda: session_with(2, players=3, bot=Waiting()))
async def test_what_a_person_has_opened_is_closed_for_the_next_person(
    pilot: Pilot[None], session: Session
) -> None:
    bot = waiting_in(session)
    while True:
        bot.let_go.set()
        await until(pilot, lambda: session.to_play is not None)
        if isinstance(pilot.app.screen, Cover):
            await pilot.press("enter")
        seat = session.to_play
        bot.let_go.clear()
        await pilot.press("1")
        await pilot.pause(0.05)
        if session.to_play is None and not isinstance(pilot.app.screen, Cover):
            await pilot.press("l")  # while the bot thinks
            await until(pilot, lambda: isinstance(pilot.app.screen, Note))
            bot.let_go.set()
            await until(pilot, lambda: session.to_play is not None)
            if session.to_play != seat:
                break
            await pilot.press("enter")
    await until(pilot, lambda: isinstance(pilot.app.screen, Cover))
    await pilot.press("enter")
    await pilot.pause(0.05)
    assert type(pilot.app.screen).__name__ == "TableScreen"


def test_the_program_can_be_left_while_a_bot_thinks(tmp_path: Path) -> None:
    bot = Waiting()
    session = short(bot=bot)

    async def how(pilot: Pilot[None]) -> None:
        bot.let_go.clear()
        while session.to_play:
            await pilot.press("1")
            await pilot.pause(0.02)
        await pilot.press("q", "y")

    try:
        drive(session, how)
    finally:
        bot.let_go.set()


@driven(lambda: solo(hint=Waiting()))
async def test_a_hint_points_to_a_choice(pilot: Pilot[None], session: Session) -> None:
    await press(pilot, "down", "h")
    first = session.choices("player_0")[0]
    await sees(pilot, f"Hint from waiting: {first.words}")
    assert pilot.app.screen.query_one(Choices).highlighted == 0
    await press(pilot, "2")
    await until(pilot, lambda: "Hint from" not in words_on(pilot))


@driven(lambda: solo(hint=PlannerAgent()), LARGE)
async def test_a_hint_tells_what_the_bot_expects(pilot: Pilot[None], session: Session) -> None:
    await press(pilot, "h")
    hint = session.hint("player_0")
    assert hint.value
    await sees(pilot, hint.value)


@driven(lambda: solo(hint=Waiting()))
async def test_a_hint_that_comes_too_late_is_not_shown(pilot: Pilot[None], session: Session) -> None:
    bot = waiting_in(session)
    bot.let_go.clear()
    await pilot.press("h")
    await until(pilot, lambda: "thinking" in words_on(pilot))
    await press(pilot, "2")
    assert len(session.game.actions) == 1
    bot.let_go.set()
    await pilot.pause(0.2)
    assert "Hint from" not in words_on(pilot)


@driven(solo)
async def test_without_a_bot_for_hints_and_practice_these_keys_are_not_offered(
    pilot: Pilot[None], session: Session
) -> None:
    await press(pilot, "h", "u")
    words = words_on(pilot)
    assert "Help" in words
    assert "Hint" not in words
    assert "Undo" not in words


# --- undo, saving, quitting -------------------------------------------------------------------------


@driven(lambda: solo(practice=True))
async def test_an_answer_is_taken_back(pilot: Pilot[None], session: Session) -> None:
    words = words_on(pilot)
    await press(pilot, "2")
    await until(pilot, lambda: words_on(pilot) != words)
    await press(pilot, "u")
    assert not session.game.actions
    await until(pilot, lambda: words_on(pilot) == words)
    await press(pilot, "u")
    await sees(pilot, "no action to undo")


@driven(lambda: solo(practice=True, round_limit=1))
async def test_the_end_is_taken_back(pilot: Pilot[None], session: Session) -> None:
    await play_to_the_end(pilot, session)
    await press(pilot, "enter", "u")
    assert not session.over
    assert choices_on(pilot) > 0
    await play_to_the_end(pilot, session)
    assert isinstance(pilot.app.screen, Note)


def test_every_answer_is_kept(tmp_path: Path) -> None:
    session, file = solo(), tmp_path / "game.json"

    async def how(pilot: Pilot[None]) -> None:
        await press(pilot, "2")
        assert Replay.load(file).actions == session.game.actions
        await press(pilot, "1", "s")
        assert Replay.load(file).actions == session.game.actions
        await sees(pilot, "saved in")

    drive(session, how, file)


def test_quitting_asks_and_tells_where_the_game_is(tmp_path: Path) -> None:
    session, file = solo(), tmp_path / "game.json"

    async def how(pilot: Pilot[None]) -> None:
        await press(pilot, "1", "q")
        assert isinstance(pilot.app.screen, Question)
        await sees(pilot, "game.json", where=".card")
        await press(pilot, "n")
        assert choices_on(pilot) > 0
        await pilot.press("q", "y")
        await pilot.pause()
        assert not pilot.app.is_running

    drive(session, how, file)
    assert not Replay.load(file).final().over


def test_a_file_that_cannot_be_written_is_told_and_the_game_goes_on(tmp_path: Path) -> None:
    session, folder = solo(), tmp_path / "game.json"
    folder.mkdir()

    async def how(pilot: Pilot[None]) -> None:
        await press(pilot, "1")
        await sees(pilot, "cannot be saved")
        await press(pilot, "1")
        assert len(session.game.actions) > 1

    drive(session, how, folder)
