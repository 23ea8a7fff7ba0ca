"""The Parquet table of decisions matches the games played."""

import json
from pathlib import Path

import numpy as np
import pyarrow.parquet as parquet
import pytest

from pocketmars_agents.games.pocket_mars.columns import COLUMNS as OWN_COLUMNS
from pocketmars_agents.recording.columns import OBSERVATION_COLUMNS, columns_with
from pocketmars_agents.recording.parquet_format import FILE
from pocketmars_env import NUM_ACTIONS, Game, action_name, observation_pieces
from pocketmars_env.envs.rewards import final_rewards
from pocketmars_env.games.pocket_mars.rules.cards import CARDS
from tests.agents.recording.games import CONFIGS, plan_of, recorded

COLUMNS = columns_with(OWN_COLUMNS)
HALF_OFFERED = {"BOTTOM": "bottom", "ABILITY": "ability"}


@pytest.mark.parametrize("kind", CONFIGS)
def test_every_row_is_a_decision_of_its_game(kind: str, tmp_path: Path) -> None:
    plan = plan_of(kind)
    games = recorded(plan, tmp_path, format="parquet", has_observations=True, own_columns=OWN_COLUMNS)
    table = parquet.read_table(tmp_path / plan.dataset_id / FILE)
    assert table.column_names == [
        *(column.name for column in COLUMNS),
        *OBSERVATION_COLUMNS,
    ]
    rows = iter(table.to_pylist())
    episodes: dict[tuple[int, int], int] = {}
    for number, recorded_game in enumerate(games):
        game = Game(**plan.config.as_dict(), seed=recorded_game.match.seed)
        rewards = final_rewards(plan.reward, recorded_game.scores, recorded_game.winners)
        for step, action in enumerate(recorded_game.actions):
            row, seat = next(rows), game.to_play or 0
            pieces = observation_pieces(game.observe())
            card = np.flatnonzero(pieces["resolving"])
            half = np.flatnonzero(pieces["half"])
            halves = ("top", "bottom", "ability")
            named = [name for name in (c.name for c in CARDS) if f"({name})" in action_name(action)]
            observation, mask = row.pop("observation"), row.pop("action_mask")
            assert np.array(observation, dtype=np.float32).tobytes() == game.observe().tobytes()
            bits = np.unpackbits(np.frombuffer(mask, dtype=np.uint8), bitorder="little")[:NUM_ACTIONS]
            assert bits.tolist() == game.mask().tolist()
            episodes.setdefault((number, row["seat"]), row["episode"])
            assert row == {
                "game": number,
                "seed": plan.seed + number,
                "game_seed": recorded_game.match.seed,
                "number": step,
                "episode": episodes[number, seat],
                "seat": seat,
                "agent": recorded_game.match.bot_at(seat),
                "round": game.snapshot()["round"],
                "decision": game.decision,
                "legal_actions": len(game.legal),
                "action": action,
                "action_name": action_name(action),
                "action_kind": action_name(action).partition("(")[0],
                "action_card": named[0] if named else None,
                "meaning": game.describe(action),
                "card": CARDS[card[0]].name if len(card) else None,
                "half": HALF_OFFERED.get(game.decision or "", halves[half[0]] if len(half) else None),
                "score": game.scores[seat],
                "final_score": recorded_game.scores[seat],
                "final_scores": list(recorded_game.scores),
                "won": seat in recorded_game.winners,
                "reward": pytest.approx(rewards[seat]),
                "truncated": False,
            }
            game.step(action)
    assert next(rows, None) is None
    assert [episodes[key] for key in sorted(episodes)] == list(range(len(episodes)))


def test_texts_are_kept_once_and_the_file_says_how_it_was_made(tmp_path: Path) -> None:
    plan = plan_of("four", games=3)
    recorded(plan, tmp_path, format="parquet", own_columns=OWN_COLUMNS)
    schema = parquet.read_schema(tmp_path / plan.dataset_id / FILE)
    assert schema.names == [column.name for column in COLUMNS]
    texts = {column.name for column in COLUMNS if column.type == "text"}
    assert {field.name for field in schema if str(field.type).startswith("dictionary<values=string")} == texts
    about = json.loads(schema.metadata[b"pocketmars_env"])
    assert (about["bots"], about["seed"], about["config"]) == (list(plan.bots), 7, plan.config.as_dict())


def test_pandas_reads_text_columns_as_categoricals(tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    plan = plan_of("solo")
    recorded(plan, tmp_path, format="parquet", own_columns=OWN_COLUMNS)
    frame = pandas.read_parquet(tmp_path / plan.dataset_id / FILE)
    texts = [column.name for column in COLUMNS if column.type == "text"]
    assert len(texts) > 3
    assert {str(frame[name].dtype) for name in texts} == {"category"}
