"""The version of rules, observations and actions; environment ids end with it."""

RULES_VERSION = 0


def older_version(what: str) -> str:
    """A one-line message for data of an earlier version of the rules; there is no earlier version yet."""
    return f"{what} belongs to no version of Project Mars"
