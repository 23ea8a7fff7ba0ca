"""# Project Mars

Project Mars is a card game for two players, who place cards on four lanes, face to face. Each field has an
attack row and a defence row, and most effects work in only one of them. Traps lie on the enemy's field. Both
deck lists are known; hands and decks are hidden. A game has up to three rounds.

| | |
| --- | --- |
| Creation | `pettingzoo.make("aec", "projectmars/projectmars-v0")` or `projectmars_v0.env()` |
| Import | `from pocketmars_env import projectmars_v0` |
| Actions | Discrete |
| Parallel API | No |
| Manual control | No |
| Agents | `player_0`, `player_1` |
| Number of agents | 2 |
| Action shape | () |
| Action values | `Discrete(227)` |
| Observation shape | (893,) |
| Observation values | [0, 1], float32 |

### Arguments

| argument | default | accepted |
| --- | --- | --- |
| `mode` | `"starter"` | `"starter"`: a starter deck for each seat; `"same"`: one starter deck for both; `"random"`: random decks; `"constructed"`: given lists |
| `deck_0` | None | the deck of seat 0: the name of a starter deck, or None to draw one (`starter`, `same`); a list of 30 type numbers, at most 3 of them UTILITY cards (`constructed`) |
| `deck_1` | None | the deck of seat 1: the same (not with `same`) |
| `copies` | 30 | 1..30: how often a type may be in a given list |
| `reward` | `"win"` | `"win"`, `"margin"` |
| `render_mode` | None | `"ansi"`, `"rgb_array"`, `"svg"`, `"human"`, see Rendering |
| `render_view` | `"to_play"` | the point of view: `"to_play"` (the agent to play), a seat, or `"all"` |
| `render_theme` | `"light"` | `"light"`, `"dark"` |
| `action_mask` | `"observation"` | where the action masks are: `"observation"` or `"info"` |
| `observation_dtype` | `"float32"` | `"float32"`, or `"uint8"` for counts: a quarter of the memory; times `GameSpec.scales` they are the observations in float32 |

The starter decks are `machines`, `infantry`, `fortress`, `shadow` and `motor`. They differ in strength, so
compare agents in `mode="same"`, or let them exchange decks and seats.

### Course of an episode

Seats play their turns alternately, but a turn can have several decisions, and some are the other agent's: the
player who meets a trap chooses what happens, and its owner where it comes back to. A seat that has passed has no
more turns in the round. `agent_selection` is the agent to play. Decisions with a single legal action are
skipped.

`reset(seed=n)` starts the game of `Game(seed=n)`, which is the same on every platform. `reset()` without a seed
starts another game: after a seeded game, the next one of a sequence that the seed determines; otherwise a
random one. `options` are ignored.

### Observation space

A dictionary with two entries. The space is the same for every mode and both agents:

- `observation`: a vector of what the agent knows. In pieces with a first axis of length 2, place 0 is the
  agent and place 1 its enemy. `SPEC.observation_pieces` (`pocketmars_env.games.project_mars.spec`) splits the
  vector into these named pieces:

| from | shape | piece | meaning |
| --- | --- | --- | --- |
| 0 | 4 | `mode` | one-hot: where the decks come from |
| 4 | 9 | `decision` | one-hot, in the order of `Decision`; zeros if the enemy is to play |
| 13 | 1 | `left` | trades, buildings to cover, or buildings to destroy / 10 |
| 14 | 3 | `round` | one-hot |
| 17 | 2 | `began` | one-hot: who began the round; zeros before that is drawn |
| 19 | 2 | `wins` | rounds won / 2 |
| 21 | 2 | `passed` | flag: has passed |
| 23 | 2 | `utility_used` | flag: has used a UTILITY card in this round |
| 25 | 1 | `gas` | flag: Toxic Gas works |
| 26 | 2 | `turn` | one-hot: whose turn it is; zeros outside turns |
| 28 | 27 | `effect_card` | one-hot: the card whose effect is carried out |
| 55 | 2 | `effect_seat` | one-hot: its player |
| 57 | 8 | `effect_slot` | one-hot: its slot; zeros for a UTILITY |
| 65 | 2 × 8 × 22 | `field_card` | one-hot type in each slot |
| 417 | 2 × 8 | `field_trap` | flag: the card lies on its enemy's field |
| 433 | 2 × 8 | `field_power` | PWR / 24 |
| 449 | 2 × 8 | `field_bonus` | bonus / 20 |
| 465 | 2 × 8 | `field_zeroed` | flag |
| 481 | 2 × 8 | `field_disabled` | flag |
| 497 | 2 × 8 | `field_works` | flag: its effect works |
| 513 | 2 × 4 | `lane_power` | PWR of each column / 48 |
| 521 | 2 × 4 | `lane_won` | flag: wins the lane, if the round were resolved now |
| 529 | 2 | `tpr` | TPR / 80, if the round were resolved now |
| 531 | 2 × 2 | `results` | TPR / 80 in rounds 1 and 2 |
| 535 | 27 | `hand` | own cards of each type / 10 |
| 562 | 2 × 27 | `hand_revealed` | revealed cards in hand / 10 |
| 616 | 27 | `back_hand` | own cards in the back hand / 10 |
| 643 | 2 × 27 | `back_revealed` | revealed cards in the back hand / 10 |
| 697 | 27 | `aside` | own cards set aside / 10 |
| 724 | 27 | `deck` | cards in the seat's deck / 30 |
| 751 | 27 | `pool` | the enemy's cards that the seat has not seen / 30 |
| 778 | 2 × 3 | `sizes` | cards in hand / 10, in the back hand / 10, in the deck / 30 |
| 784 | 1 | `set_aside` | cards that the enemy has set aside / 10 |
| 785 | 2 × 27 | `junkyard` | cards in the junkyards / 30 |
| 839 | 2 × 27 | `decklist` | cards of the deck lists / 30 |

- `action_mask`: (227,) int8, 1 for a legal action; all zeros for an agent whose turn it is not.

The vector describes the current position, not the earlier moves: an agent with memory can infer more, such as
how many cards the enemy has traded.

With `action_mask="info"` the observation is the vector alone, and `infos[agent]["action_mask"]` has the mask of
each agent, starting with `reset`.

`state()` concatenates the observations of both agents, for a centralized critic. It shows both hands, so no
playing agent may use it.

### Action space

| from | size | kind | argument | decision |
| --- | --- | --- | --- | --- |
| 0 | 176 | `PLAY` | type * 8 + slot (a trap: of the enemy's field) | TURN |
| 176 | 5 | `UTILITY` | type - 22 | TURN |
| 181 | 1 | `PASS` | - | TURN, MULLIGAN, KEEP, DISCARD |
| 182 | 27 | `CARD` | type | MULLIGAN, KEEP, TRAP, GIVE, TAKE, DISCARD |
| 209 | 16 | `SLOT` | relative seat * 8 + slot | TARGET, COME_BACK |
| 225 | 1 | `LOSE` | - | TRAP |
| 226 | 1 | `SEND_BACK` | - | TRAP |

Slots 0 to 3 are the attack row, 4 to 7 the defence row, both from lane 0 to lane 3. `SPEC.action_name` gives the
name of an action.

In `env` an illegal action ends the episode: the agent gets -1 (with `reward="margin"` -3), the other 0. `raw_env`
raises `IllegalAction` and does not change the game.

### Rewards

Rewards are 0 until the end of the game. They sum to 0.

| `reward` | reward of an agent |
| --- | --- |
| `"win"` | 1 for a win, -1 for a loss, 0 for a draw |
| `"margin"` | the rounds won minus the other agent's |

### End of an episode

Both agents terminate after round 2 if one has won more rounds, otherwise after round 3. Nothing is truncated: a game
has fewer than 360 decisions, about 60 with random play. `env.unwrapped.game.termination` is the reason:
`"TWO_ROUNDS"`, `"THREE_ROUNDS"`.

### Rendering

`render()` returns text in ANSI colours (`"ansi"`), pixels (H, W, 3) uint8 (`"rgb_array"`) or an SVG document
(`"svg"`). `"human"` opens a window that updates after every step. Pixels and the window need the extra
`render`. By default a picture shows only what the agent to play knows (after the end of the game, what seat 0
knows), so that pictures can serve as observations. `render_view="all"` shows every card.

### Version history

* v0: first version
"""  # noqa: E501

import inspect
from typing import Any, ClassVar

from pettingzoo import AECEnv

from pocketmars_env.envs import aec
from pocketmars_env.envs.single_player import SeatEnv
from pocketmars_env.envs.vector import SeatVectorEnv
from pocketmars_env.games.project_mars.spec import DUEL, SPEC


def env(**settings: Any) -> AECEnv:
    """The environment in PettingZoo's usual wrappers; an illegal action ends the episode.

    Args:
        settings: the arguments of `raw_env`.

    Raises:
        ValueError: names the setting and its accepted values.

    """
    return aec.wrapped(raw_env(**settings))


class raw_env(aec.raw_env):
    """The environment without wrappers; see the module for its arguments."""

    game_spec = SPEC
    metadata: ClassVar[dict[str, Any]] = {**aec.raw_env.metadata, "name": "projectmars_v0"}


env.__signature__ = inspect.signature(raw_env)  # type: ignore[attr-defined]  # for help(env)


class DuelEnv(SeatEnv):
    """One seat of a duel against a given opponent; see `SeatEnv`."""

    game_spec, env_mode = SPEC, DUEL


class DuelVectorEnv(SeatVectorEnv):
    """N `DuelEnv` in one batched call, with batched opponents; see `SeatVectorEnv`."""

    game_spec, env_mode = SPEC, DUEL
