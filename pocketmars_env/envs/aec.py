"""# Pocket Mars

Pocket Mars is a card game for 1 to 4 players who bring seven colonists each from Earth to the
Buildings of Mars. Every card can be used in several ways, its suit shows on its back, and much of the
play is about what others may know. Alone, a player plays against Devious Automatics (the DA).

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
| `edition` | `"grey_fox"` | `"grey_fox"`, `"board_and_dice"`: whose tie-breaks count |
| `da_agent` | False | whether the agent `da_0` makes the DA's choices (solo) |
| `round_limit` | None | the round at whose end the game is truncated; None: 200, solo 60 |
| `reward` | `"win"` | `"win"`, `"margin"` |
| `render_mode` | None | `"ansi"`, `"rgb_array"`, `"svg"`, `"human"`, see Rendering |
| `render_view` | `"asked"` | `"asked"`, a seat, or `"all"`: whose knowledge a picture shows |
| `render_theme` | `"light"` | `"light"`, `"dark"` |
| `action_mask` | `"observation"` | `"observation"`, `"info"`: where the masks are |
| `handicap` | 0 | 0..20: points added to the DA's score (solo) |

### Course of an episode

Agents do not take turns in a fixed cycle: one turn asks an agent several questions, and often another
agent in between. `agent_selection` is the agent that is asked. A question with a single possible answer
is never asked, except for the main action of a turn. The setup asks the seats in the order of their numbers. Choices
of the setup are carried out when all seats have chosen. Before that, the choices and the starting seat are hidden.

`reset(seed=n)` starts the game of `Game(seed=n)`, the same on every platform. A `reset()` without a seed
starts another game: after a seeded one, the next of a sequence that the seed decides; otherwise a random
one. `options` are ignored.

### Observation space

A dictionary with two entries, the same for every mode, number of players and agent:

- `observation`: what the agent knows, as one vector. Seats are relative: 0 is the agent's own, 1 the next
  one clockwise. `pocketmars_env.observation_pieces` splits it into its named pieces:

| from | shape | piece | meaning |
| --- | --- | --- | --- |
| 0 | 4 | `players` | one-hot: 1 (the solo game), 2, 3 or 4 players |
| 4 | 3 | `level` | solo, one-hot: standard, super_droid, cyborg |
| 7 | 1 | `handicap` | points added to the DA's score / 20 |
| 8 | 3 | `variants` | flags: edition board_and_dice, draft, the DA's choices are an agent's |
| 11 | 4 | `round` | round / 20 and rounds left until truncation / 20, both at most 1; the same two / 10,000 |
| 15 | 4 | `starting_seat` | one-hot, relative; zeros during the setup |
| 19 | 4 | `active_seat` | one-hot, relative: whose turn it is; zeros during the setup |
| 23 | 4 | `asked_seat` | one-hot, relative: who has to answer; zeros when over |
| 27 | 1 | `to_move` | seats that have their turn after this one in this round / 3; 0 during the setup |
| 28 | 1 | `last_round` | flag: somebody has all colonists in Buildings |
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

- `action_mask`: (267,) int8, 1 for a legal action; all zeros for an agent that is not asked.

With `action_mask="info"` the observation is the vector alone, and the masks are in `infos[agent]["action_mask"]`, of
all agents, from `reset` on. AgileRL wants it so, and wrappers that change observations, such as SuperSuit's,
want a `Box`.

`state()` is the observations of all agents one after the other, in the order of `possible_agents`, for a critic
that sees the whole table. It shows every hand and every pending choice: nothing that plays may have it.

### Action space

Seats in actions are relative too; `pocketmars_env.action_name` puts an action into words.

| from | size | kind | argument | asked in |
| --- | --- | --- | --- | --- |
| 0 | 35 | `PLAY_HAND` | card | TURN |
| 35 | 35 | `PLAY_PREP` | card | TURN |
| 70 | 6 | `PLAY_OTHER` | (relative seat - 1) * 2 + prep slot | TURN |
| 76 | 1 | `LAUNCH` | - | TURN |
| 77 | 35 | `DISCARD_FOR_ENERGY` | card (of hand or prep module) | TURN |
| 112 | 1 | `PASS` | - | every optional decision |
| 113 | 1 | `ACCEPT` | - | every yes/no decision |
| 114 | 35 | `CARD` | card | choosing a card that the asked seat may see |
| 149 | 6 | `SLOT` | (relative seat - 1) * 2 + prep slot | choosing a face-down card in another prep module |
| 155 | 3 | `SEAT` | relative seat - 1 | choosing another player (look) |
| 158 | 5 | `BUILDING` | building | choosing a Building or its pile |
| 163 | 32 | `SHIFT` | building * 8 + relative owner * 2 + (0: ★→★★, 1: ★★→★) | upgrade, downgrade |
| 195 | 64 | `SWAP` | building * 16 + relative owner on ★ * 4 + relative owner on ★★ | swap |
| 259 | 8 | `RECALL` | building * 2 + (0: from ★, 1: from ★★) | Comms 6 bottom |

An illegal action ends the episode in `env`: the agent gets -1 (with `reward="margin"` -60, more than any
game can be lost by), the others 0. `raw_env` raises `IllegalAction` and leaves the game as it was.

### Rewards

All rewards come at the end of the game, and sum to 0 over the seats.

| `reward` | reward of an agent |
| --- | --- |
| `"win"` | with n seats and k winners: (n / k - 1) / (n - 1) for a winner, -1 / (n - 1) for the others; so against one opponent 1, -1, or 0 for a shared win |
| `"margin"` | the own score minus the mean of the other seats' scores, in points |

In the solo game there are two seats, and `player_0` wins or loses against the DA; a tie is a loss.

### End of an episode

All agents are terminated at once, at the end of the round in which somebody has all seven colonists in
Buildings; the solo game also ends when the DA's cards run out. At the end of the round `round_limit` all
agents are truncated instead, with the rewards of the scores as they stand.

### Rendering

`render()` gives the table as text in ANSI colours (`"ansi"`), as pixels (H, 1000, 3) uint8 (`"rgb_array"`), or
as a picture in text form (`"svg"`); `"human"` shows it in a window, which follows the game by itself. Pixels
and the window need the extra `render`. By default a picture shows what the agent that is asked may know (at
the end of the game, what seat 0 may know), so that pictures may serve as observations; `render_view="all"`
shows every card.

### Version history

* v0: first version
* v1: Comms 6 and Greenhouse 6 at full energy, the DA's own score first, a secret setup, known cards in the deck, and a
  new observation; argument `handicap`
"""  # noqa: E501

import copy
import hashlib
from typing import Any, ClassVar, SupportsIndex, TypeVar

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from pocketmars_env.core.batch import mask_at, observe_at
from pocketmars_env.core.game import Game, check_seed
from pocketmars_env.envs.rendering import PICTURES_PER_SECOND, RENDER_MODES, Renderer
from pocketmars_env.envs.rewards import ILLEGAL_REWARD, check_reward, final_rewards
from pocketmars_env.games.pocket_mars.config import GameConfig, check_choice
from pocketmars_env.games.pocket_mars.rules.actions import NUM_ACTIONS
from pocketmars_env.games.pocket_mars.rules.constants import NO_SEAT
from pocketmars_env.games.pocket_mars.rules.observation import OBSERVATION_SIZE

Observation = dict[str, NDArray[Any]]
Value = TypeVar("Value")
Infos = dict[str, dict[str, Any]]
ASKED = "asked"
IN_OBSERVATION, IN_INFO = "observation", "info"
"""Where the masks are."""


def env(reward: str = "win", **settings: Any) -> AECEnv:
    """The environment in PettingZoo's usual wrappers; an illegal action ends the episode.

    Args:
        reward: what the rewards measure.
        settings: the other arguments of `raw_env`.

    Raises:
        ValueError: names the setting and what is accepted.

    """
    wrapped = wrappers.TerminateIllegalWrapper(
        raw_env(reward=reward, **settings), illegal_reward=ILLEGAL_REWARD[reward]
    )
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(wrapped))


class ByAgent(dict[str, Value]):
    """Something for each agent."""

    def __missing__(self, agent: str) -> Value:
        raise KeyError(f"agent must be one of {list(self)}, got {agent!r}")


def new_vector_space() -> spaces.Box:
    """The observation without the mask."""
    return spaces.Box(0.0, 1.0, (OBSERVATION_SIZE,), np.float32)


def new_observation_space() -> spaces.Dict:
    """The observation with the mask."""
    return spaces.Dict(
        [  # of a plain dict the space would sort the keys
            ("observation", new_vector_space()),
            ("action_mask", spaces.Box(0, 1, (NUM_ACTIONS,), np.int8)),
        ]
    )


def following_seed(seed: int) -> int:
    """The seed of the game that follows the one of `seed`, the same on every platform."""
    digest = hashlib.blake2b(seed.to_bytes(8, "little"), digest_size=8).digest()
    return int.from_bytes(digest, "little")


class raw_env(AECEnv):  # type: ignore[misc]  # PettingZoo publishes no types
    """The environment without wrappers; the module describes it and its arguments.

    Copies (`clone`, `copy.deepcopy`, `pickle`) keep the game, its chance to come, and what a
    `reset` without a seed will start.

    Attributes:
        game: the game that is played, with all that is hidden: for analysis, not for agents. Step
            the environment, not the game. `reset` puts a new game here.

    Raises:
        ValueError: names the setting and what is accepted.

    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "pocketmars_v1",
        "render_modes": list(RENDER_MODES),
        "render_fps": PICTURES_PER_SECOND,
        "is_parallelizable": False,
    }

    def __init__(
        self,
        players: int = 2,
        mode: str = "multi",
        level: str | None = "standard",
        draft: bool = False,
        edition: str = "grey_fox",
        da_agent: bool = False,
        round_limit: int | None = None,
        reward: str = "win",
        render_mode: str | None = None,
        render_view: int | str = ASKED,
        render_theme: str = "light",
        action_mask: str = IN_OBSERVATION,
        handicap: int = 0,
    ) -> None:
        config = GameConfig(players, mode, level, draft, edition, da_agent, round_limit, handicap)
        check_reward(reward)
        check_choice("action_mask", action_mask, (IN_OBSERVATION, IN_INFO))
        self._has_mask_in_info = action_mask == IN_INFO
        self.render_mode = render_mode
        self._renderer = Renderer(render_mode, render_view, render_theme, config.seats, ASKED)
        self.reward = reward
        self.possible_agents = [f"player_{seat}" for seat in range(config.players)]
        if da_agent:
            self.possible_agents.append("da_0")
        agents = self.possible_agents
        new_space = new_vector_space if self._has_mask_in_info else new_observation_space
        self.observation_spaces = ByAgent({agent: new_space() for agent in agents})
        self.action_spaces = ByAgent({agent: spaces.Discrete(NUM_ACTIONS) for agent in agents})
        self.state_space = spaces.Box(0.0, 1.0, (len(agents) * OBSERVATION_SIZE,), np.float32)
        self._seats = ByAgent({agent: seat for seat, agent in enumerate(agents)})
        self._settings = config.as_dict()
        self._seed = check_seed(None)
        self.agents: list[str] = []
        self._begin(Game(**self._settings, seed=self._seed))

    def observation_space(self, agent: str) -> Any:
        """The agent's observation space, always the same object."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """The agent's action space, always the same object."""
        return self.action_spaces[agent]

    def reset(self, seed: SupportsIndex | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a new game.

        Args:
            seed: of the game; by default another game than before, see the module.
            options: ignored.

        Raises:
            ValueError: if the seed is not None or an integer in 0 .. 2**64 - 1.

        """
        self._seed = following_seed(self._seed) if seed is None else check_seed(seed)
        self.agents = self.possible_agents.copy()
        self._begin(Game(**self._settings, seed=self._seed))
        if self.render_mode == "human":
            self.render()

    def _begin(self, game: Game) -> None:
        """Put a game on the table of which nothing has been played."""
        self.game = game
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._select_asked()
        self.infos = self._new_infos()

    def observe(self, agent: str) -> Any:
        """What an agent knows now; at any time, for every possible agent.

        Returns:
            ``observation`` (OBSERVATION_SIZE,) float32 and ``action_mask`` (NUM_ACTIONS,) int8, both
            new arrays; with ``action_mask="info"`` the first alone.

        Raises:
            KeyError: if there is no such agent; names the agents.

        """
        observation = np.empty(OBSERVATION_SIZE, dtype=np.float32)
        mask = np.empty(NUM_ACTIONS, dtype=np.int8)
        observe_at(self.game._states, 0, self._seats[agent], observation, mask)
        return observation if self._has_mask_in_info else {"observation": observation, "action_mask": mask}

    def state(self) -> NDArray[np.float32]:
        """The observations of all possible agents in their order, (agents * OBSERVATION_SIZE,) float32.

        For centralized critics: it shows every hand.
        """
        seen = np.empty((len(self.possible_agents), OBSERVATION_SIZE), dtype=np.float32)
        mask = np.empty(NUM_ACTIONS, dtype=np.int8)
        for seat, row in enumerate(seen):
            observe_at(self.game._states, 0, seat, row, mask)
        return seen.ravel()

    def action_mask(self, agent: str | None = None) -> NDArray[np.int8]:
        """The mask (NUM_ACTIONS,) int8 of an agent, by default of the one that is asked.

        Raises:
            KeyError: if there is no such agent; names the agents.

        """
        mask = np.empty(NUM_ACTIONS, dtype=np.int8)
        seat = self._seats[self.agent_selection if agent is None else agent]
        mask_at(self.game._states, 0, seat, mask)
        return mask

    def step(self, action: Any) -> None:
        """Answer the question that `agent_selection` is asked; None after the end of the episode.

        Raises:
            IllegalAction: names the question and the legal actions; nothing is changed.
            ValueError: if an action is given after the end, or `reset` is due.

        """
        agent = self.agent_selection
        if self.terminations.get(agent, True) or self.truncations[agent]:
            self._step_dead(action)
            return
        # Rewards stay 0 until the game ends, so there is nothing to clear or to accumulate.
        self.game.step(action)
        self._select_asked()
        if self._has_mask_in_info:
            self.infos = self._new_infos()
        if self.render_mode == "human":
            self.render()

    def _select_asked(self) -> None:
        """Pass on to the agent that is asked, or end the episode if nobody is."""
        seat = self.game._states["asked_seat"].item()
        if seat == NO_SEAT:
            self._end()
        else:
            self.agent_selection = self.possible_agents[seat]

    def _new_infos(self) -> Infos:
        """The infos of the agents, whose keys are always the same."""
        if not self._has_mask_in_info:
            return {agent: {} for agent in self.agents}
        return {agent: {"action_mask": self.action_mask(agent)} for agent in self.agents}

    def _end(self) -> None:
        """All agents get their rewards and leave at once."""
        game = self.game
        rewards = final_rewards(self.reward, game.scores(), game.winners())
        self.rewards = dict(zip(self.agents, rewards))
        self._accumulate_rewards()
        self.terminations = dict.fromkeys(self.agents, not game.truncated)
        self.truncations = dict.fromkeys(self.agents, game.truncated)
        self.agent_selection = self.agents[0]

    def _step_dead(self, action: SupportsIndex | None) -> None:
        """Let an agent leave whose episode is over."""
        if not self.agents:
            raise ValueError("no agent is left to step: call reset() first")
        self._was_dead_step(action)

    def clone(self) -> "raw_env":
        """An equal environment that goes its own way; the two share the spaces.

        Through the wrappers of `env` too this gives the environment without wrappers.
        """
        twin = copy.copy(self)
        twin.game = self.game.clone()
        twin._renderer = copy.copy(self._renderer)
        twin.infos = {
            agent: {name: copy.copy(entry) for name, entry in info.items()}
            for agent, info in self.infos.items()
        }
        for name in ("agents", "rewards", "_cumulative_rewards", "terminations", "truncations"):
            setattr(twin, name, getattr(self, name).copy())
        return twin

    def render(self) -> Any:
        """The table as `render_view` sees it, in the form of `render_mode`.

        Returns:
            A string for ``"ansi"`` and ``"svg"``; a new ``(H, 1000, 3)`` uint8 array for ``"rgb_array"``,
            of the same height in a whole game; None for ``"human"`` and without a mode.

        """
        return self._renderer.render(self.game._states, self.game.asked or 0)

    def close(self) -> None:
        """Close the window, if there is one."""
        self._renderer.close()
