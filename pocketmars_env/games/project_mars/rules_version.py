"""The version of rules, observations and actions; environment ids end with it."""

RULES_VERSION = 0


def older_version(what: str) -> str:
    """A one-line message that something belongs to an earlier version of the rules: there is none."""
    return f"{what} belongs to no version of Project Mars"
