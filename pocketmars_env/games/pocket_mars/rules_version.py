"""The rules version, and the error message for data from rules version 0."""

RULES_VERSION = 1
"""The version of the rules; the game's environment ids end with this number, as in ``Solo-v1``."""
VERSION_0_OBSERVATION_SIZE = 1031
"""The observation size in rules version 0, by which policies for that version are recognized."""


def version_0_message(subject: str) -> str:
    """Return the error message for data from version 0; `subject` names the data, such as "this policy"."""
    return (
        f"{subject} belongs to version 0 of the rules, which pocketmars_env 0.1.0 implements; "
        f"this package implements version {RULES_VERSION}"
    )
