"""The table screen, which shows a session from the viewpoint of one person at a time."""

from functools import partial
from typing import ClassVar

from rich.text import Text
from textual import events, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Footer, Static

from pocketmars_agents.play.seats import SessionError
from pocketmars_agents.play.session import RoundEnd, Session
from pocketmars_agents.play.terminal.dialogs import HELP, Cover, Note
from pocketmars_agents.play.terminal.panels import Choices, LogPanel, TablePanel, TextPanel
from pocketmars_agents.play.terminal.thread import in_thread
from pocketmars_agents.play.terminal.words import log_lines, points_lines
from pocketmars_env.core.presentation.interface import Choice

SECONDS_BETWEEN_LOOKS = 0.1
"""Interval in seconds between checks for a new position."""

CONTINUE = Choice(-1, "continue", None, "", "")
"""The only choice at the end of a round, until the person goes on."""
NEVER = -1
"""A version number that no position has."""


class TableScreen(Screen[None]):
    """Screen with the table, choices, log and card texts, as one person sees them.

    When it is another person's turn, a cover hides the game until that person is ready. The screen then
    shows the game from that person's viewpoint.
    """

    class Ended(Message):
        """Posted with the result and the points when the game is over or a bot has failed."""

        def __init__(self, words: Text) -> None:
            super().__init__()
            self.words = words

    class Acted(Message):
        """Posted when an action and the bots' replies have been played, or when the action was rejected."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("h", "hint", "Hint"),
        Binding("u", "undo", "Undo"),
        Binding("s", "app.save", "Save"),
        Binding("l", "log", "Log"),
        Binding("t", "app.colours", "Light/dark"),
        Binding("question_mark", "help", "Help", key_display="?"),
        Binding("q", "app.leave", "Quit"),
        Binding("pagedown", "scroll_table(1)", show=False, priority=True),
        Binding("pageup", "scroll_table(-1)", show=False, priority=True),
    ]

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._seat = session.to_play or session.humans[0]
        self._shown_version = NEVER
        self._pause: RoundEnd | None = None
        """The end of a round that is shown until the person goes on."""
        self._passed_end = NEVER
        self._is_covered = False
        self._is_over = False

    def compose(self) -> ComposeResult:
        yield Static(id="prompt", markup=False)
        yield Static(id="hint", markup=False)
        with Container(id="panels"):
            yield TablePanel(self._session.presentation)
            yield Choices()
            yield LogPanel()
            yield TextPanel()
        yield Footer(show_command_palette=False)

    def on_mount(self) -> None:
        self.query_one(Choices).focus()
        self.set_interval(SECONDS_BETWEEN_LOOKS, self.look)
        if len(self._session.humans) > 1:
            self._hand_over(self._seat)
        else:
            self.look()

    # --- display ------------------------------------------------------------------------------------

    def look(self) -> None:
        """Show the current position, unless it is already shown or the game is covered.

        If it is another person's turn, the method covers the game until that person is ready.
        """
        if self._is_covered or self._session.version == self._shown_version:
            return
        if self._session.to_play not in (None, self._seat):
            self._hand_over(self._session.to_play or "")
        else:
            self._show()

    def _hand_over(self, seat: str) -> None:
        """Cover the game until the person in `seat` is ready, then show what that person sees."""

        def uncover(_: None) -> None:
            self._is_covered, self._seat, self._passed_end = False, seat, NEVER
            self._show()

        self._is_covered = True
        stack = self.app.screen_stack
        if self in stack:  # close what the last person has opened, such as their log
            for _ in stack[stack.index(self) + 1 :]:
                self.app.pop_screen()
        self.app.push_screen(Cover(f"Player {self._session.number_of(seat) + 1}"), uncover)

    def _show(self) -> None:
        """Show the position as the person in `self._seat` sees it."""
        session, seat = self._session, self._seat
        self._shown_version = session.version
        is_over = session.over  # read before `round_end`: a bot in another thread may end the game in between
        self.workers.cancel_group(self, "hint")
        self._show_hint("")
        names, end, prompt = session.player_names(seat), session.round_end(seat), session.prompt(seat)
        seat_view, choices = session.seat_view(seat), session.choices(seat)
        to_play = f"{names.labels[seat]}: " if session.to_play else ""
        if end is None:
            self._passed_end = NEVER
        elif is_over:
            seat_view = end.seat_view  # stays on the screen
        self._pause = end if end is not None and end.number != self._passed_end else None
        if self._pause is not None:
            seat_view, choices, to_play = self._pause.seat_view, (CONTINUE,), ""
            prompt = session.presentation.headline(seat_view)
        self.query_one("#prompt", Static).update(to_play + names.in_text(prompt))
        self.query_one(TablePanel).show(seat_view, names)
        self.query_one(LogPanel).show([names.in_words(entry) for entry in session.log(seat)])
        self.query_one(TextPanel).show("")
        self.query_one(Choices).show([names.in_words(choice) for choice in choices])
        was_over, self._is_over = self._is_over, is_over and self._pause is None
        if self._is_over and not was_over:  # the version can change once more while the end is being shown
            self._post_end()

    def _show_hint(self, words: str) -> None:
        """Show `words` in the line for hints; hide the line if `words` is empty."""
        line = self.query_one("#hint", Static)
        line.set_class(bool(words), "-shown")
        line.update(words)

    def _post_end(self) -> None:
        session, names = self._session, self._session.player_names(self._seat)
        points = points_lines([names.in_words(points) for points in session.scores])
        end = Text.assemble(names.in_text(session.prompt(self._seat)), "\n\n", points)
        self.post_message(self.Ended(end))

    def on_choices_looked(self, event: Choices.Looked) -> None:
        self.query_one(TextPanel).show(event.choice.text)

    def on_table_panel_pointed(self, event: TablePanel.Pointed) -> None:
        self.query_one(TextPanel).show(self._session.presentation.card_texts()[event.card])

    # --- input --------------------------------------------------------------------------------------

    def on_key(self, event: events.Key) -> None:
        if self.query_one(Choices).choose_by_key(event.key):
            event.stop()

    def on_choices_chosen(self, event: Choices.Chosen) -> None:
        if self._pause is not None and event.choice == CONTINUE:
            self._passed_end = self._pause.number
            self._show()
            return
        self.query_one(Choices).show(())  # shows no choices until the action has been played
        self._act(event.choice.action)

    @work(exclusive=True, group="act")
    async def _act(self, action: int) -> None:
        """Play an action and the bots' replies in a thread, so that the screen keeps updating."""
        try:
            await in_thread(partial(self._session.act, self._seat, action))
        except SessionError as error:
            self.notify(str(error), severity="warning", markup=False)
            self._shown_version = NEVER
        self.look()
        self.post_message(self.Acted())

    def action_hint(self) -> None:
        if self._session.to_play == self._seat and self._pause is None:
            self._show_hint("Hint: thinking …")
            self._request_hint()

    @work(exclusive=True, group="hint")
    async def _request_hint(self) -> None:
        """Show a hint, or the reason why there is none, unless the position changes first."""
        try:
            hint = await in_thread(partial(self._session.hint, self._seat))
        except SessionError as error:
            self._show_hint(f"No hint: {error}")
            return
        value = f" ({hint.value})" if hint.value else ""
        self._show_hint(f"Hint from {hint.by}: {hint.words}{value}")
        self.query_one(Choices).point_to(hint.action)

    def action_undo(self) -> None:
        try:
            self._session.undo(self._seat)
        except SessionError as error:
            self.notify(str(error), severity="warning", markup=False)
        self.look()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Hide and disable the undo key in games without undo, and the hint key in games without hints."""
        offered = {"undo": self._session.practice, "hint": self._session.seating.hint is not None}
        return offered.get(action, True)

    def action_log(self) -> None:
        names = self._session.player_names(self._seat)
        entries = [names.in_words(entry) for entry in self._session.log(self._seat)]
        self.app.push_screen(Note("What happened", log_lines(entries)))

    def action_help(self) -> None:
        self.app.push_screen(Note("Help", HELP.format(legend=self._session.presentation.legend)))

    def action_scroll_table(self, pages: int) -> None:
        table = self.query_one(TablePanel)
        table.scroll_relative(y=pages * table.size.height // 2, animate=False)
