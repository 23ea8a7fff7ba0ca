"""The data card of a recording, and the checksums of its files."""

import hashlib
import json
from collections import Counter
from pathlib import Path

import numba
import numpy as np

from pocketmars_agents.arena.results import GameResult
from pocketmars_agents.recording.plan import Plan
from pocketmars_env.core.version import __version__

CARD, CHECKSUMS = "README.md", "SHA256SUMS"
CATEGORIES = ("n<1K", "1K<n<10K", "10K<n<100K", "100K<n<1M", "1M<n<10M", "10M<n<100M", "n>100M")
"""The size categories of data cards on Hugging Face."""


class DataCard:
    """The data card of a recording, which counts games, decisions, and seats and wins by bot."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self.games = self.decisions = self.truncated = 0
        self.seats: Counter[str] = Counter()
        self.wins: dict[str, float] = dict.fromkeys(plan.bots, 0.0)

    def count(self, game: GameResult) -> None:
        """Add a game."""
        self.games += 1
        self.decisions += len(game.actions)
        self.truncated += game.truncated
        for seat in range(len(game.match.bots)):
            self.seats[game.match.bot_at(seat)] += 1
            self.wins[game.match.bot_at(seat)] += game.win_share(seat)

    def write(self, folder: Path) -> None:
        """Write the card and the checksums of all files in the folder of the recording."""
        (folder / CARD).write_text(self.text(), encoding="utf-8")
        lines = []
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            with path.open("rb") as file:
                digest = hashlib.file_digest(file, "sha256").hexdigest()
            lines.append(f"{digest}  {path.relative_to(folder).as_posix()}\n")
        (folder / CHECKSUMS).write_text("".join(lines), encoding="utf-8")

    def text(self) -> str:
        """Return the card as Markdown, with the metadata that Hugging Face reads."""
        plan = self._plan
        category = CATEGORIES[min(max(len(str(self.decisions)) - 3, 0), len(CATEGORIES) - 1)]
        rows = [
            f"| {bot} | {self.seats[bot]:,} | {100 * self.wins[bot] / self.seats[bot]:.1f} % |"
            for bot in self.seats
        ]
        settings = json.dumps(plan.as_dict(), sort_keys=True)
        return f"""---
pretty_name: {plan.dataset_id}
license: mit
task_categories: [reinforcement-learning]
tags: [offline-rl, multi-agent, card-game, {plan.spec.name.replace("_", "-")}]
size_categories: ["{category}"]
---

# {plan.dataset_id}

{self.games:,} games of {plan.spec.title} between bots, with {self.decisions:,} decisions.
The round limit ended {self.truncated:,} games.

| bot | seats | win rate of a seat |
| --- | ---: | ---: |
{chr(10).join(rows)}

- **Files.** `data/` is a Minari dataset with one episode for each seat, and `decisions.parquet` has
  one row for each decision; either can be missing. `sha256sum -c {CHECKSUMS}` checks them.
- **Source.** All games were played by programs; there are no data about persons. Each episode shows
  only what its seat knew.
- **Made with** pocketmars_env {__version__}, NumPy {np.__version__} and Numba {numba.__version__}. The
  same settings give the same decisions, if the bots are reproducible:

```json
{settings}
```
"""
