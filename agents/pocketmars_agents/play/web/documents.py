"""Documents linked from a game's web page: the rules, and the replay of the finished game."""

from markdown_it import MarkdownIt

from pocketmars_agents.arena.match_replays import title_of
from pocketmars_agents.play.session import Session
from pocketmars_env.core.presentation.interface import Presentation
from pocketmars_env.core.svg.markup import element
from pocketmars_env.replays import Replay
from pocketmars_env.replays.page import replay_page

REPLAY_POLICY = "frame-ancestors 'none'"
"""The part of the content security policy of replay pages that a page itself cannot contain."""


def rules_html(presentation: Presentation) -> str:
    """Return the full rules as HTML, preceded by the short rules and a glossary if the game has them."""
    markdown, guide = MarkdownIt().enable("table"), presentation.guide()
    terms = element(
        "dl", *(element(*cell) for row in guide.glossary for cell in zip(("dt", "dd"), row, strict=True))
    )
    short = f"{markdown.render(guide.rules)}<h2>Glossary</h2>{terms}" if guide.rules else ""
    full = markdown.render(presentation.rules())
    return f"{short}<details><summary>All rules</summary>{full}</details>" if short else full


def replay_of(session: Session, seat: str) -> str:
    """Return the replay page of a game, with player names as shown to the person in `seat`."""
    names, seats = session.player_names(seat), session.config.seat_names
    title = title_of(session.config, [names.labels[name] for name in seats])
    return replay_page(Replay.of(session.game, seats, title), rename=names.in_text)
