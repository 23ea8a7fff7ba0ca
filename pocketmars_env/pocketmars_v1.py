"""# Pocket Mars

Pocket Mars is a card game for 1 to 4 players. Each player brings seven colonists from Earth to the
Buildings of Mars. Every card has several uses, its suit shows on its back, and hidden information matters.
A single player plays against Devious Automatics (the DA).

| | |
| --- | --- |
| Creation | `pettingzoo.make("aec", "pocketmars/pocketmars-v1")` or `pocketmars_v1.env()` |
| Import | `from pocketmars_env import pocketmars_v1` |
| Actions | Discrete |
| Parallel API | No |
| Manual control | No |
| Agents | `player_0` to `player_3`; `da_0` if the DA's choices are an agent's |
| Number of agents | 1 to 4 |
| Action shape | () |
| Action values | `Discrete(267)` |
| Observation shape | (1365,) |
| Observation values | [0, 1], float32 |

### Arguments

| argument | default | accepted |
| --- | --- | --- |
| `players` | 2 | 2, 3, 4; the solo game has one player |
| `mode` | `"multi"` | `"multi"`, or `"solo"` against the DA |
| `level` | `"standard"` | `"standard"`, `"super_droid"`, `"cyborg"` (solo) |
| `draft` | False | whether the cards are drafted |
| `edition` | `"grey_fox"` | `"grey_fox"`, `"board_and_dice"`: the edition whose tie-breaks apply |
| `da_agent` | False | whether the agent `da_0` makes the DA's choices (solo) |
| `round_limit` | None | the game is truncated at the end of this round; None: 200, solo 60 |
| `handicap` | 0 | 0..20: points added to the DA's score (solo) |
| `reward` | `"win"` | `"win"`, `"margin"` |
| `render_mode` | None | `"ansi"`, `"rgb_array"`, `"svg"`, `"human"`, see Rendering |
| `render_view` | `"to_play"` | the point of view: `"to_play"` (the agent to play), a seat, or `"all"` |
| `render_theme` | `"light"` | `"light"`, `"dark"` |
| `action_mask` | `"observation"` | where the action masks are: `"observation"` or `"info"` |
| `observation_dtype` | `"float32"` | `"float32"`, or `"uint8"` for counts: a quarter of the memory; times `GameSpec.scales` they are the observations in float32 |

### Course of an episode

Agents do not take turns in a fixed cycle: a turn has several decisions, and another agent often decides in
between. `agent_selection` is the agent to play. Decisions with a single legal action are skipped, except for
the main action of a turn. During the setup the seats decide in ascending order. Setup choices are carried out
when all seats have chosen; until then the choices and the starting seat are hidden.

`reset(seed=n)` starts the game of `Game(seed=n)`, which is the same on every platform. `reset()` without a seed
starts another game: after a seeded game, the next one of a sequence that the seed determines; otherwise a
random one. `options` are ignored.

### Observation space

A dictionary with two entries. The space is the same for every mode, number of players and agent:

- `observation`: a vector of what the agent knows. Seats are relative: 0 is the agent's own seat, 1 the next
  one clockwise. `pocketmars_env.observation_pieces` splits the vector into these named pieces:

| from | shape | piece | meaning |
| --- | --- | --- | --- |
| 0 | 4 | `players` | one-hot: 1 (the solo game), 2, 3 or 4 players |
| 4 | 3 | `level` | solo, one-hot: standard, super_droid, cyborg |
| 7 | 1 | `handicap` | points added to the DA's score / 20 |
| 8 | 3 | `variants` | flags: edition board_and_dice, draft, the DA's choices are an agent's |
| 11 | 4 | `round` | round / 20 and rounds left until truncation / 20, both at most 1; the same two / 10,000 |
| 15 | 4 | `starting_seat` | one-hot, relative; zeros during the setup |
| 19 | 4 | `active_seat` | one-hot, relative: whose turn it is; zeros during the setup |
| 23 | 4 | `to_play` | one-hot, relative: the seat to play; zeros when over |
| 27 | 1 | `to_move` | seats that have their turn after this one in this round / 3; 0 during the setup |
| 28 | 1 | `last_round` | flag: a seat has all colonists in Buildings |
| 29 | 27 | `decision` | one-hot, in the order of `Decision` |
| 56 | 35 | `resolving` | one-hot: the card whose action is being resolved |
| 91 | 3 | `half` | one-hot: its top, its bottom, or its Building's ability is carried out |
| 94 | 4 | `owner` | one-hot, relative: from whose prep module it came |
| 98 | 1 | `left` | how often the choice may still be repeated / 2 |
| 99 | 1 | `extra_action` | flag: this is the extra action of Energy 7 |
| 100 | 35 | `picked` | one-hot: the card that the seat itself has chosen first for a swap |
| 135 | 35 | `pending` | setup, the seat's own choices that are not carried out yet: 1/2 the first card, 1 the second |
| 170 | 4 × 9 | `seats` | the seat exists; it is the DA; it has the highest energy; colonists on Earth / 7; colonists on the Ship / 7; colonists in Buildings / 7; energy / 7; score if the game ended now / 60; cards in hand / 8 |
| 206 | 4 × 4 | `star` | colonists on ★ / 7 |
| 222 | 4 × 4 | `star2` | colonists on ★★ / 2 |
| 238 | 4 × 5 | `hand_suits` | cards of each suit in hand or packet / 7 |
| 258 | 4 × 5 | `packet_suits` | draft: cards of each suit in the packet alone / 7 |
| 278 | 4 × 2 × 5 | `prep_suits` | one-hot suit of the card in the slot |
| 318 | 4 | `free_star2` | free ★★ places / 2 |
| 322 | 5 × 4 | `buildings` | value to beat / 7; has a card; its top card is face down; cards / 7 |
| 342 | 3 | `deck` | cards in the deck, in the discard pile, and put under the deck, each / 35 |
| 345 | 35 × 5 | `deck_suits` | one-hot suit of each card of the deck, top first, where it is known to all |
| 520 | 5 | `drawn_suits` | cards of each suit held apart from the hand / 2 |
| 525 | 35 | `in_packet` | flag: the card is in a packet, and the seat knows in which |
| 560 | 35 | `depth` | known cards in the deck, the discard pile or a Building's pile: 1 on top, 1/35 less for each card above |
| 595 | 35 × 22 | `cards` | one-hot place of each card: own hand, own packet (draft), own prep slot 0, own prep slot 1, hand of seat +1, hand of seat +2, hand of seat +3, prep slot 0 of seat +1, prep slot 1 of seat +1, prep slot 0 of seat +2, prep slot 1 of seat +2, prep slot 0 of seat +3, prep slot 1 of seat +3, drawn, held apart from the hand, in play, discard pile, top of its pile, face up, covered in its pile, face up, top of its pile, face down, covered in its pile, face down, unknown, deck |

- `action_mask`: (267,) int8, 1 for a legal action; all zeros for every agent except the agent to play.

With `action_mask="info"` the observation is the vector alone, and `infos[agent]["action_mask"]` has the mask of
every agent, starting with `reset`. AgileRL needs this, as do wrappers that change observations, such as
SuperSuit's: they need a `Box`.

`state()` concatenates the observations of all agents in the order of `possible_agents`, for a centralized
critic. It shows every hand and every pending choice, so no playing agent may use it.

### Action space

Seats in actions are relative too. `pocketmars_env.action_name` gives the name of an action.

| from | size | kind | argument | decision |
| --- | --- | --- | --- | --- |
| 0 | 35 | `PLAY_HAND` | card | TURN |
| 35 | 35 | `PLAY_PREP` | card | TURN |
| 70 | 6 | `PLAY_OTHER` | (relative seat - 1) * 2 + prep slot | TURN |
| 76 | 1 | `LAUNCH` | - | TURN |
| 77 | 35 | `DISCARD_FOR_ENERGY` | card (of hand or prep module) | TURN |
| 112 | 1 | `PASS` | - | every optional decision |
| 113 | 1 | `ACCEPT` | - | every yes/no decision |
| 114 | 35 | `CARD` | card | choosing a card that the seat to play can see |
| 149 | 6 | `SLOT` | (relative seat - 1) * 2 + prep slot | choosing a face-down card in another prep module |
| 155 | 3 | `SEAT` | relative seat - 1 | choosing another player (look) |
| 158 | 5 | `BUILDING` | building | choosing a Building or its pile |
| 163 | 32 | `SHIFT` | building * 8 + relative owner * 2 + (0: ★→★★, 1: ★★→★) | upgrade, downgrade |
| 195 | 64 | `SWAP` | building * 16 + relative owner on ★ * 4 + relative owner on ★★ | swap |
| 259 | 8 | `RECALL` | building * 2 + (0: from ★, 1: from ★★) | Comms 6 bottom |

In `env` an illegal action ends the episode: the agent gets -1 (with `reward="margin"` -60, more points than
any game can be lost by), the others 0. `raw_env` raises `IllegalAction` and does not change the game.

### Rewards

Rewards are 0 until the end of the game. They sum to 0 over the seats.

| `reward` | reward of an agent |
| --- | --- |
| `"win"` | with n seats and k winners: (n / k - 1) / (n - 1) for a winner, -1 / (n - 1) for the others; so against one opponent 1, -1, or 0 for a shared win |
| `"margin"` | the seat's score minus the mean of the other seats' scores, in points |

The solo game has two seats: `player_0` wins or loses against the DA, and a tie is a loss.

### End of an episode

All agents terminate at the end of the round in which a player has all seven colonists in Buildings. The solo
game also terminates when the DA's cards run out. At the end of round `round_limit` all agents are truncated instead,
and the rewards follow from the current scores. `env.unwrapped.game.termination` is the reason:
`"ALL_SETTLED"`, `"DA_MODULE_EMPTY"` or `"ROUND_LIMIT"`. It is not in the infos, whose keys never change.

### Rendering

`render()` returns text in ANSI colours (`"ansi"`), pixels (H, 1000, 3) uint8 (`"rgb_array"`) or an SVG document
(`"svg"`). `"human"` opens a window that updates after every step. Pixels and the window need the extra
`render`. By default a picture shows only what the agent to play knows (after the end of the game, what seat 0
knows), so that pictures can serve as observations. `render_view="all"` shows every card.

### Version history

* v0: first version
* v1: Comms 6 and Greenhouse 6 at full energy, the DA's own score first, a secret setup, known cards in the deck, and a
  new observation; argument `handicap`
"""  # noqa: E501

import inspect
from typing import Any, ClassVar

from pettingzoo import AECEnv

from pocketmars_env.envs import aec
from pocketmars_env.envs.single_player import SeatEnv
from pocketmars_env.envs.vector import SeatVectorEnv
from pocketmars_env.games.pocket_mars.spec import SOLO, SPEC, TABLE


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
    metadata: ClassVar[dict[str, Any]] = {**aec.raw_env.metadata, "name": "pocketmars_v1"}


env.__signature__ = inspect.signature(raw_env)  # type: ignore[attr-defined]  # for help(env)


class SoloEnv(SeatEnv):
    """One player against the DA, played by the automaton; see `SeatEnv`.

    The settings are those of `GameConfig` without players, mode and da_agent.

    >>> import gymnasium, pocketmars_env
    >>> env = gymnasium.make("pocketmars/Solo-v1", level="cyborg")
    >>> observation, info = env.reset(seed=1)
    >>> action = env.action_space.sample(info["action_mask"])
    >>> observation, reward, terminated, truncated, info = env.step(action)

    """

    game_spec, env_mode = SPEC, SOLO


class TableEnv(SeatEnv):
    """One seat of a game of 2 to 4 players against given opponents; see `SeatEnv`.

    It can also be the solo game with two seats: the player in seat 0 and the DA, played by an agent, in
    seat 1. ``TableEnv(mode="solo", seat=1, opponents="greedy")`` trains an agent for the DA. Games in
    which the learner has no decision, as can happen to the DA, are skipped.

    The settings are those of `GameConfig` without da_agent.
    """

    game_spec, env_mode = SPEC, TABLE


class SoloVectorEnv(SeatVectorEnv):
    """N `SoloEnv` in one batched call; see `SeatVectorEnv`."""

    game_spec, env_mode = SPEC, SOLO


class TableVectorEnv(SeatVectorEnv):
    """N `TableEnv` in one batched call, with batched opponents; see `SeatVectorEnv`."""

    game_spec, env_mode = SPEC, TABLE
