"""Transcripts of conversations with language models, in JSON Lines format."""

import json
import os
import re
import uuid
from pathlib import Path
from typing import Any

from pocketmars_env.core.files.writing import write_whole

FOLDER = "POCKETMARS_LLM_TRANSCRIPTS"
"""Name of the environment variable that contains the path of the transcript folder. If the variable is unset
or empty, no transcripts are saved."""


class Transcript:
    """The transcript of one agent's conversations, with one line per decision.

    The whole file is replaced atomically after each decision, so an interruption cannot damage it.

    Args:
        model: the model's name; the file name begins with a simplified form of it.

    Attributes:
        path: the path of the transcript; None if transcripts are not saved.

    """

    def __init__(self, model: str) -> None:
        folder = os.environ.get(FOLDER)
        name = f"{re.sub(r'[^A-Za-z0-9.-]+', '_', model)[:60]}-{uuid.uuid4().hex[:12]}.jsonl"
        self.path = Path(folder) / name if folder else None
        self._lines: list[str] = []

    def add(self, entry: dict[str, Any]) -> None:
        """Add a decision and save the transcript, unless `path` is None; raise an OSError if saving fails."""
        if self.path is not None:
            self._lines.append(json.dumps(entry, ensure_ascii=False) + "\n")
            write_whole(self.path, "".join(self._lines).encode(errors="replace"))
