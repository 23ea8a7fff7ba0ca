"""The rules version, and the error message for data of version 0."""

RULES_VERSION = 1
"""The rules version, which is the number at the end of the game's environment ids."""
VERSION_0_OBSERVATION_SIZE = 1031
"""The observation size of version 0, which identifies policies for that version."""


def version_0_message(what: str) -> str:
    """The error message for data of version 0; `what` describes the data, such as "this policy"."""
    return (
        f"{what} belongs to version 0 of the rules, which pocketmars_env 0.1.0 has; "
        f"this package has version {RULES_VERSION}"
    )
