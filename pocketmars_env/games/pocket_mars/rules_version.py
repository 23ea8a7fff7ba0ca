"""The version of the rules, and the error message for what belongs to the earlier one."""

RULES_VERSION = 1
"""The number at the end of the environments' ids."""
VERSION_0_OBSERVATION_SIZE = 1031
"""Policies for version 0 are recognized by it."""


def version_0_message(what: str) -> str:
    """One line which says that `what` belongs to version 0, and which package has that version."""
    return (
        f"{what} belongs to version 0 of the rules, which pocketmars_env 0.1.0 has; "
        f"this package has version {RULES_VERSION}"
    )
