"""The game for OpenSpiel: importing this module registers it as ``python_pocket_mars``.

    import pyspiel
    import pocketmars_env.adapters.open_spiel
    game = pyspiel.load_game("python_pocket_mars(players=3)")
    game = pyspiel.load_game("python_pocket_mars", {"mode": "solo", "level": "cyborg"})

The parameters are those of `Game`, with ``reward``, see `PARAMETERS`. Player `p` sits in seat `p`. The
solo game has one player, with ``da_agent=True`` a second one who makes the DA's choices.

**Chance.** At the start OpenSpiel draws the seed of the game, one hexadecimal digit after the other:
`SEED_DIGITS` chance nodes with 16 outcomes each. All that follows is decided by it, so `apply_action` is
deterministic, clones have the same future, and a history can be played again. (OpenSpiel's other way,
games that draw by themselves, has no means to save a game that is written in Python.) `seed_actions`
gives the outcomes that lead to ``Game(seed=...)``. With the parameter ``seed`` every game is that one, and
there are no chance nodes.

**What players see.** The observation is `Game.observe`: it shows what a player with a perfect memory
knows about the table *now*. It does not say how it came about. The information state does: as a string
it is a fingerprint of all that the player has observed at every question of the game, in order, and of its
own answers. A tensor of that has no fixed size; the information state's tensor is the observation, so two
information states may share one. What comes and goes between two questions is in neither.

**Sampled worlds.** `resample_from_infostate` gives a state that the player cannot tell from the true one.
Its history begins there: the true one would give away what the others hold. The information states of
the others begin there too. So Information Set MCTS plays; with this resampler its play can be repeated:

    from open_spiel.python.algorithms import ismcts, mcts
    rng = np.random.RandomState(1)
    bot = ismcts.ISMCTSBot(game, mcts.RandomRolloutEvaluator(1, rng), 2.0, 100, random_state=rng)
    bot.set_resampler(lambda state, player: state.resample_from_infostate(player, rng.random_sample))
    action = bot.step(state)

OpenSpiel's own scripts know only OpenSpiel's games; this runs one of them with the game registered:

    python -m pocketmars_env.adapters.open_spiel mcts --game="python_pocket_mars(seed=1)" --player2=random

OpenSpiel's C++ bot, `pyspiel.ISMCTSBot`, cannot play games that are written in Python: its `step` crashes
with any of them.

States are saved by OpenSpiel's own means, which for games in Python are pickles: read none that come
from strangers.
"""

import operator
from hashlib import blake2b
from typing import Any, SupportsIndex

import numpy as np
import pyspiel
from numpy.typing import NDArray

from pocketmars_env.adapters.moments import Moment
from pocketmars_env.core.game import IllegalAction, check_seed
from pocketmars_env.envs.rewards import check_reward, final_rewards
from pocketmars_env.games.pocket_mars.config import GameConfig
from pocketmars_env.games.pocket_mars.episode_length import most_questions
from pocketmars_env.games.pocket_mars.game import Game
from pocketmars_env.games.pocket_mars.rules.actions import NUM_ACTIONS
from pocketmars_env.games.pocket_mars.rules.cards import CARDS
from pocketmars_env.games.pocket_mars.rules.constants import MAX_HANDICAP, MAX_SEATS, NO_SEAT, Decision
from pocketmars_env.games.pocket_mars.rules.observation import (
    CARD_PLACES,
    OBSERVATION_LAYOUT,
    OBSERVATION_SIZE,
)
from pocketmars_env.games.pocket_mars.spec import SPEC
from pocketmars_env.games.pocket_mars.text.wording import describe_action

NAME = "python_pocket_mars"

DEFAULT = -1
"""A parameter with this value is left to its default; OpenSpiel's parameters cannot be None."""

PARAMETERS: dict[str, Any] = {
    "players": 2,
    "mode": "multi",
    "level": "standard",
    "draft": False,
    "edition": "grey_fox",
    "da_agent": False,
    "round_limit": DEFAULT,
    "handicap": 0,
    "reward": "win",
    "seed": DEFAULT,
}
"""The parameters and their defaults.

They are those of `Game`; ``reward`` is one of `REWARDS`; ``round_limit=-1`` stands for the mode's own
limit, and ``seed=-1`` for another game each time. OpenSpiel's integers end at 2**31 - 1.
"""

SEED_DIGITS = 16
DIGIT_OUTCOMES = [(digit, 1 / 16) for digit in range(16)]

CHANCE = int(pyspiel.PlayerId.CHANCE)
TERMINAL = int(pyspiel.PlayerId.TERMINAL)

MAX_SCORE = 33 + MAX_HANDICAP
"""Of the DA: 4 colonists on ★★ and 3 on ★, both bonuses and the highest energy. Players get less."""


class IllegalSpielAction(IllegalAction, pyspiel.SpielError):  # type: ignore[misc]  # see PocketMarsGame
    """The action is not legal; the state is unchanged.

    It is also an OpenSpiel error: RLlib's wrapper, for one, catches that and goes on.
    """


class PocketMarsGame(pyspiel.Game):  # type: ignore[misc]  # OpenSpiel publishes no types
    """The rules with their settings.

    Args:
        parameters: some of `PARAMETERS`.

    Attributes:
        config: the settings.
        reward: what the returns measure.

    Raises:
        ValueError: names the parameter and what is accepted.

    """

    def __init__(self, parameters: dict[str, Any] | None = None) -> None:
        given = {**PARAMETERS, **(parameters or {})}
        if unknown := sorted(set(given) - set(PARAMETERS)):
            raise ValueError(f"unknown parameters {unknown}; accepted: {', '.join(PARAMETERS)}")
        seed, self.reward = given.pop("seed"), given.pop("reward")
        if given["round_limit"] == DEFAULT:
            given["round_limit"] = None
        self.config = GameConfig(**given)
        check_reward(self.reward)
        if type(seed) is not int or seed < DEFAULT:
            raise ValueError(f"seed must be in 0..2**31-1, or {DEFAULT} for another each time, got {seed!r}")
        self._beginning = None if seed == DEFAULT else Moment.dealt(self.config, seed)
        super().__init__(
            game_type(self.config, self._beginning is not None),
            game_info(self.config, self.reward, self._beginning is not None),
            parameters or {},
        )

    def __reduce__(self) -> tuple[Any, ...]:
        """OpenSpiel's own way to pickle a game loses what is kept in Python."""
        return PocketMarsGame, (self.get_parameters(),)

    def new_initial_state(self) -> "PocketMarsState":
        """The state before the cards are dealt; with the parameter ``seed`` the first question."""
        return PocketMarsState(self, self._beginning)

    def max_chance_nodes_in_history(self) -> int:
        """How many digits of the seed are drawn."""
        return 0 if self._beginning else SEED_DIGITS

    def make_py_observer(
        self, iig_obs_type: Any = None, params: dict[str, Any] | None = None
    ) -> "PocketMarsObserver | None":
        """What writes observations; None for a kind that `PocketMarsObserver` does not write.

        Raises:
            ValueError: if there are any `params`.

        """
        # OpenSpiel gives an empty dictionary where it means the default.
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        observer = PocketMarsObserver(kind.perfect_recall, params)
        is_own_view = kind.public_info and kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        return observer if is_own_view else None


class PocketMarsState(pyspiel.State):  # type: ignore[misc]  # OpenSpiel publishes no types
    """A game in progress.

    Args:
        game: its rules.
        moment: where it stands; None before the cards are dealt.

    """

    # OpenSpiel copies and saves the attributes of the instance one by one: so these are few and light.

    def __init__(self, game: PocketMarsGame, moment: Moment | None) -> None:
        super().__init__(game)
        self._moment = moment
        self._seed_digits = ""  # drawn so far, hexadecimal

    @property
    def moment(self) -> Moment:
        """Where the game stands.

        Raises:
            ValueError: if the cards have not been dealt.

        """
        if self._moment is None:
            raise ValueError("the cards have not been dealt: apply the chance actions first")
        return self._moment

    def game(self) -> Game:
        """The position as a `Game` of its own, with all that is hidden: for analysis, not for bots."""
        return self.moment.game()

    # --- the question -------------------------------------------------------------------------------

    def current_player(self) -> int:
        """The seat that is asked, or OpenSpiel's number for chance or the end."""
        if self._moment is None:
            return CHANCE
        asked = self._moment.asked
        return TERMINAL if asked == NO_SEAT else asked

    def is_terminal(self) -> bool:
        """Whether the game has ended, by the rules or the round limit."""
        return self._moment is not None and self._moment.asked == NO_SEAT

    def _legal_actions(self, player: int) -> list[int]:
        """The legal actions of the seat that is asked, ascending."""
        return self.moment.legal()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The next digit of the seed."""
        return DIGIT_OUTCOMES

    def _apply_action(self, action: int) -> None:
        """Draw a digit of the seed, or answer the question.

        Raises:
            IllegalSpielAction: names the question and the legal actions; the state is unchanged.

        """
        if self._moment is not None:
            try:
                self._moment = self._moment.after(action)
            except IllegalAction as error:
                raise IllegalSpielAction(str(error)) from error
            return
        if not 0 <= action < 16:
            raise IllegalSpielAction(f"a digit of the seed must be in 0..15, got {action}")
        self._seed_digits += f"{action:x}"
        if len(self._seed_digits) == SEED_DIGITS:
            self._moment = Moment.dealt(self.get_game().config, int(self._seed_digits, 16))

    def _action_to_string(self, player: int, action: int) -> str:
        """What an action means as an answer to the present question, such as "keep Comms 1"."""
        if player == CHANCE:
            return f"seed digit {action:x}"
        number = -1 if self._moment is None else self._moment.states["decision"].item()
        return describe_action(action, None if number < 0 else Decision(number))

    # --- the end ------------------------------------------------------------------------------------

    def returns(self) -> list[float]:
        """Every player's reward: 0 until the end, then see `final_rewards`."""
        rules = self.get_game()
        if not self.is_terminal():
            return [0.0] * rules.num_players()
        game = self.game()
        return final_rewards(rules.reward, game.scores(), game.winners())[: rules.num_players()]

    def __str__(self) -> str:
        """Where the game stands, with a fingerprint: equal positions have equal texts."""
        if self._moment is None:
            return f"the seed begins with 0x{self._seed_digits}"
        game = self._moment.game()
        record = blake2b(game.to_bytes(), digest_size=8).hexdigest()
        return f"{game!r}, scores {game.scores()}, record {record}"

    # --- information --------------------------------------------------------------------------------

    def resample_from_infostate(self, player_id: int, probability_sampler: Any) -> "PocketMarsState":
        """A state that a player cannot tell from this one, all such equally likely.

        Its history begins there.

        Args:
            player_id: whose view it is.
            probability_sampler: called without arguments for random numbers in [0, 1), its only source
                of chance: a ``pyspiel.UniformProbabilitySampler(0.0, 1.0)``, or ``rng.random``.

        Raises:
            ValueError: if the cards have not been dealt, or there is no such player.

        """
        rules = self.get_game()
        check_player(player_id, rules.num_players())
        if self._moment is not None:
            halves = [int(probability_sampler() * 2**32) for _ in range(2)]
            return PocketMarsState(rules, self._moment.sampled(player_id, halves[0] << 32 | halves[1]))
        twin = PocketMarsState(rules, None)
        for _ in self._seed_digits:  # which nobody has seen
            twin.apply_action(int(probability_sampler() * 16))
        return twin


class PocketMarsObserver:
    """Writes what players see, as OpenSpiel's `make_observation` wants it.

    An observation is what one player sees, public and private. There are no observers of one part of
    it, or of several players.

    Args:
        has_recall: whether the strings are information states; otherwise they are observations.
        params: none.

    Attributes:
        tensor: ``(OBSERVATION_SIZE,)`` float32 in [0, 1], see `Game.observe`; zeros before the deal.
        dict: its named pieces, see `observation_pieces`: views of the same memory.
        mask: ``(NUM_ACTIONS,)`` int8, 1 for a legal action; zeros for a player that is not asked.

    Raises:
        ValueError: if there are any `params`.

    """

    def __init__(self, has_recall: bool = False, params: dict[str, Any] | None = None) -> None:
        if params:
            raise ValueError(f"observers of {NAME} take no parameters, got {params!r}")
        self._has_recall = has_recall
        self.mask = np.zeros(NUM_ACTIONS, dtype=np.int8)
        self.tensor = np.zeros(OBSERVATION_SIZE, dtype=np.float32)
        self.dict = SPEC.observation_pieces(self.tensor)

    def set_from(self, state: PocketMarsState, player: int) -> None:
        """Write what a player sees into `tensor` and `mask`.

        Raises:
            ValueError: if there is no such player.

        """
        check_player(player, state.num_players())
        if state._moment is None:
            self.tensor.fill(0)
            self.mask.fill(0)
        else:
            state._moment.observe(player, self.tensor, self.mask)

    def string_from(self, state: PocketMarsState, player: int) -> str:
        """What a player sees, or with perfect recall a fingerprint of all that it has seen.

        Raises:
            ValueError: if there is no such player.

        """
        check_player(player, state.num_players())
        if state._moment is None:
            return f"seat {player} before the deal"
        if self._has_recall:
            return f"seat {player}, memory {state._moment.memory(player).hex()}"
        self.set_from(state, player)
        return f"seat {player}: {', '.join(observation_words(self.tensor))}"


def observation_words(observation: NDArray[np.float32]) -> list[str]:
    """What is not zero in an observation: flags by their names, numbers with their values."""
    found = np.flatnonzero(observation)
    return [
        ENTRY_NAMES[entry] if value == 1 else f"{ENTRY_NAMES[entry]}={value:g}"
        for entry, value in zip(found.tolist(), observation[found].tolist())
    ]


def entry_name(piece: str, place: tuple[int, ...]) -> str:
    """One entry of the observation, such as "Comms 1: own hand"."""
    if piece == "cards":
        return f"{CARDS[place[0]].name}: {CARD_PLACES[place[1]]}"
    if piece == "decision":
        return f"decision {Decision(place[0]).name}"
    return f"{piece}{list(place)}"


ENTRY_NAMES = [
    entry_name(piece.name, place) for piece in OBSERVATION_LAYOUT for place in np.ndindex(*piece.shape)
]
"""By the entry's place in the vector."""


def check_player(player: int, players: int) -> None:
    """Raise a ValueError unless `player` is one of 0 .. players - 1."""
    if not isinstance(player, SupportsIndex) or not 0 <= operator.index(player) < players:
        raise ValueError(f"player must be in 0..{players - 1}, got {player!r}")


def seed_actions(seed: SupportsIndex) -> list[int]:
    """The chance actions, the digits of the seed, that lead to ``Game(seed=seed)``.

    Raises:
        ValueError: if the seed is not an integer in 0 .. 2**64 - 1.

    """
    return [int(digit, 16) for digit in f"{check_seed(seed):0{SEED_DIGITS}x}"]


# --- what OpenSpiel wants to know beforehand ----------------------------------------------------------


def number_of_players(config: GameConfig) -> int:
    """The seats that are asked: the DA's only if an agent makes its choices."""
    return config.players + config.da_agent


def game_type(config: GameConfig, is_dealt: bool) -> Any:
    """What kind of game it is, as a `pyspiel.GameType`."""
    kinds = pyspiel.GameType
    is_zero_sum = number_of_players(config) > 1  # alone there is nobody to lose what the player wins
    return kinds(
        short_name=NAME,
        long_name="Pocket Mars",
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.DETERMINISTIC if is_dealt else kinds.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kinds.Information.IMPERFECT_INFORMATION,
        utility=kinds.Utility.ZERO_SUM if is_zero_sum else kinds.Utility.GENERAL_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=MAX_SEATS,
        min_num_players=1,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=PARAMETERS,
    )


def game_info(config: GameConfig, reward: str, is_dealt: bool) -> Any:
    """The game's numbers, as a `pyspiel.GameInfo`."""
    players = number_of_players(config)
    least, most = (-1 / (config.seats - 1), 1) if reward == "win" else (-MAX_SCORE, MAX_SCORE)
    return pyspiel.GameInfo(
        num_distinct_actions=NUM_ACTIONS,
        max_chance_outcomes=0 if is_dealt else len(DIGIT_OUTCOMES),
        num_players=players,
        min_utility=least,
        max_utility=most,
        utility_sum=0.0 if players > 1 else None,
        max_game_length=most_questions(config),
    )


pyspiel.register_game(game_type(GameConfig(), is_dealt=False), PocketMarsGame)
