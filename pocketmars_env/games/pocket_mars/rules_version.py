"""The rules version, and the error message for data of the earlier version."""

RULES_VERSION = 1
"""The number at the end of the environments' ids."""
VERSION_0_OBSERVATION_SIZE = 1031
"""Identifies policies for version 0."""


def version_0_message(what: str) -> str:
    """The error message for `what` of version 0; it names the package with that version."""
    return (
        f"{what} belongs to version 0 of the rules, which pocketmars_env 0.1.0 has; "
        f"this package has version {RULES_VERSION}"
    )
