"""Lessons of the guided game; each lesson explains one of a person's first decisions."""

from typing import NamedTuple

from pocketmars_agents.play.session import Session

LEFT = "You have left the guided game. Undo your action to return to it."
"""The text for a person who has not followed the lessons."""


class Advice(NamedTuple):
    """A text for a person, which may be empty, and the recommended action, which may be None."""

    text: str
    action: int | None


def lesson_at(session: Session, seat: str) -> Advice:
    """Return the advice for a person's next decision.

    If the person has followed the lessons of the guided game so far and it is their turn, the advice is the
    next lesson. After the last lesson, the text is the guide's farewell until the person acts again. If the
    person has not followed the lessons, the text is `LEFT` until the person has made more decisions than
    there are lessons. In all other cases, the text is empty.
    """
    guide, game = session.presentation.guide(), session.game
    if session.seed != guide.seed or not is_guided(session):
        return Advice("", None)
    names = [session.spec.action_name(action) for action in session.actions_of(seat)]
    followed = [lesson.action for lesson in guide.lessons]
    if names[: len(followed)] != followed[: len(names)]:
        return Advice(LEFT if len(names) <= len(followed) else "", None)
    if len(names) == len(followed):
        return Advice(guide.farewell, None)
    if len(names) > len(followed) or session.to_play != seat:
        return Advice("", None)
    lesson = guide.lessons[len(names)]
    actions = [action for action in game.legal if session.spec.action_name(action) == lesson.action]
    number = f"Decision {len(names) + 1} of {len(followed)}"
    return Advice(f"{number}\n{lesson.text}", actions[0] if actions else None)


def is_guided(session: Session) -> bool:
    """Return whether the game has lessons and the session has the guided game's settings and one person."""
    guide, config = session.presentation.guide(), session.config.as_dict()
    return bool(guide.lessons) and guide.settings.items() <= config.items() and len(session.humans) == 1
