"""Transcripts of the conversations in a game, as JSON lines."""

import json
import os
import re
import uuid
from pathlib import Path
from typing import Any

from pocketmars_env.core.files.writing import write_whole

FOLDER = "POCKETMARS_LLM_TRANSCRIPTS"
"""Environment variable that names the folder of the transcripts; if unset, no transcripts are saved."""


class Transcript:
    """The transcript of one agent, with one line per decision.

    The whole file is replaced atomically after each decision, so an interruption cannot damage it.

    Args:
        model: the model's name, which becomes part of the file name.

    Attributes:
        path: the file; None if transcripts are not saved.

    """

    def __init__(self, model: str) -> None:
        folder = os.environ.get(FOLDER)
        name = f"{re.sub(r'[^A-Za-z0-9.-]+', '_', model)[:60]}-{uuid.uuid4().hex[:12]}.jsonl"
        self.path = Path(folder) / name if folder else None
        self._lines: list[str] = []

    def add(self, entry: dict[str, Any]) -> None:
        """Add a decision; raise an OSError if the file cannot be written."""
        if self.path is not None:
            self._lines.append(json.dumps(entry, ensure_ascii=False) + "\n")
            write_whole(self.path, "".join(self._lines).encode(errors="replace"))
