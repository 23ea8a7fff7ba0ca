"""Parsing of actions from a language model's replies, which are untrusted text.

A reply specifies an action by its number (``57``), its name (``PLAY_HAND(Comms 1)``) or its description
(``play Comms 1 from your hand``). Upper and lower case are equivalent.
"""

import re

from pocketmars_env.core.errors import quoted
from pocketmars_env.core.game import View
from pocketmars_env.core.presentation.presenting import presentation_of

MAX_CHARACTERS = 200_000
"""Maximum length of an accepted reply, in characters."""
MAX_DIGITS = 6
THOUGHT = re.compile(r"<(/?)think(?:ing)?>", re.IGNORECASE)
# Only the quantifier for the rest of a line is unbounded, so matching takes linear time on every reply.
ANSWER = re.compile(
    r"\"action\"\s{0,8}:\s{0,8}(?P<json>\"[^\"\n]{0,200}\"|\d{1,20})"
    r"|<(?:action|answer)>(?P<tag>[^<\n]{0,200})</"
    r"|\\boxed\{(?P<boxed>[^}\n]{0,200})\}"
    r"|\b(?:action|answer)[*_`]{0,3}\s{0,4}[:=](?P<line>[^\n]*)",
    re.IGNORECASE,
)
DECORATION = " \t\r\n*_`'\".[]<>#"
NUMBER = re.compile(rf"[0-9]{{1,{MAX_DIGITS}}}")
COMMENTED = re.compile(rf"({NUMBER.pattern})\s*[:.;()–-].*")
"""Matches a number that is followed by a punctuation mark and, optionally, more text."""


class ReplyError(ValueError):
    """Raised for an invalid reply; the message can be shown to the model."""


def parse_action(view: View, reply: str, *, is_strict: bool = False) -> int:
    r"""Return the legal action that a reply chooses.

    By default, the last marked action in the reply is used. An action can be marked as ``ACTION: 57``,
    ``<action>57</action>``, ``{"action": 57}`` or ``\boxed{57}``. If no action is marked, the last nonempty
    line is used, provided that it is a number, or the name or description of a legal action. Otherwise, the
    reply must contain names or descriptions of exactly one legal action; see `only_action_named`. Text
    between ``<think>`` and ``</think>``, or between ``<thinking>`` and ``</thinking>``, is ignored.

    Args:
        view: the view of the seat whose turn it is.
        is_strict: whether the whole reply must be an action's number, name or description, without markup.

    Raises:
        ReplyError: if the reply is not a string, is empty or has more than `MAX_CHARACTERS` characters, or
            if the text that is used does not identify exactly one legal action.

    """
    if not isinstance(reply, str):
        raise ReplyError(f"a reply must be a string, got {type(reply).__name__}")
    if len(reply) > MAX_CHARACTERS:
        raise ReplyError(f"a reply has at most {MAX_CHARACTERS:,} characters, got {len(reply):,}")
    if not reply.strip():
        raise ReplyError("the reply is empty")
    names = names_of_actions(view)
    if is_strict:
        return action_of(view, reply.strip(), names)
    text = without_thoughts(reply)
    answers = [match[match.lastgroup or ""] for match in ANSWER.finditer(text)]
    if answers:
        return action_of(view, bare(answers[-1]), names)
    last = bare(next((line for line in reversed(text.split("\n")) if line.strip(DECORATION)), ""))
    if NUMBER.fullmatch(last) or plain(last) in names:
        return action_of(view, last, names)
    return only_action_named(text, names)


def names_of_actions(view: View) -> dict[str, set[int]]:
    """Map the names and descriptions of the legal actions, normalized by `plain`, to action numbers."""
    presentation, names = presentation_of(view.spec), dict[str, set[int]]()
    for choice in presentation.choices(presentation.seat_view(view.states, view.seat), view.legal):
        for name in (view.spec.action_name(choice.action), choice.words):
            names.setdefault(plain(name), set()).add(choice.action)
    return names


def plain(text: str) -> str:
    """Return a text in lower case, with whitespace reduced to single spaces."""
    return " ".join(text.casefold().split())


def without_thoughts(reply: str) -> str:
    """Return the reply without its ``<think>`` blocks; an unclosed block extends to the end of the reply."""
    first, *rest = THOUGHT.split(reply)
    after = [text for slash, text in zip(rest[::2], rest[1::2]) if slash]
    # Some servers omit the opening tag.
    return "\n".join(after if rest[:1] == ["/"] else [first, *after])


def bare(answer: str) -> str:
    """Strip `DECORATION` from an action's text. If the text matches `COMMENTED`, return only its number."""
    text = answer.strip(DECORATION)
    commented = COMMENTED.fullmatch(text)
    return text if commented is None else commented[1]


def action_of(view: View, answer: str, names: dict[str, set[int]]) -> int:
    """Return the legal action with the given number, name or description."""
    if NUMBER.fullmatch(answer):
        action = int(answer)
        if action not in view.legal:
            raise ReplyError(f"action {action} is not legal here; legal actions: {numbers_of(view)}")
        return action
    actions = names.get(plain(answer), set())
    if len(actions) > 1:
        raise ReplyError(
            f"{quoted(answer)} may be {' or '.join(map(str, sorted(actions)))}: reply with a number"
        )
    if not actions:
        raise ReplyError(f"{quoted(answer)} is not a legal action; legal actions: {numbers_of(view)}")
    return next(iter(actions))


def only_action_named(text: str, names: dict[str, set[int]]) -> int:
    """Return the only legal action that a text names; one-word names, such as "pass", are ignored."""
    rest, actions = plain(text), set[int]()
    for name in sorted(names, key=len, reverse=True):  # a name may be part of a longer name
        if " " in name and name in rest:
            actions |= names[name]
            rest = rest.replace(name, "\n")
    if len(actions) != 1:
        count = "several actions" if actions else "no legal action"
        raise ReplyError(f"the reply names {count}: end it with a line such as ACTION: <number>")
    return actions.pop()


def numbers_of(view: View) -> str:
    """Return the numbers of the legal actions, separated by commas."""
    return ", ".join(map(str, view.legal))
