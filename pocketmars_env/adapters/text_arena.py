"""TextArena environments, in which language models play all seats except those of automata.

Importing this module registers all games in `GAMES` with TextArena: Pocket Mars as ``PocketMars-v1``, Project
Mars as ``ProjectMars-v0``, and any other game under its `env_id`. As for TextArena's own environments, an id
with the suffix ``-raw`` makes the environment without its observation wrapper. Pass the settings of a game,
such as ``mode="solo"``, to `textarena.make`.
"""

from typing import Any

import textarena as ta
from textarena.envs.registration import register_with_versions

from pocketmars_env.core.game import Game
from pocketmars_env.core.game_spec import GAMES, Config, GameSpec
from pocketmars_env.envs.rewards import final_rewards
from pocketmars_env.text_interface import ReplyError, decision_prompt, parse_action, system_prompt


class TextArenaEnv(ta.Env):  # type: ignore[misc]
    """A game as a TextArena environment.

    The first message to a player is the system prompt. At each of its decisions, a player receives a message
    with its view as text and the legal actions; see `parse_action` for the accepted replies. Each player also
    receives its own replies, and an error message for each illegal reply that it may correct. Rewards are
    those of ``reward="win"``; see `final_rewards`.

    Args:
        error_allowance: the number of consecutive illegal replies that a player may correct; with one more,
            the player loses the game, and all other seats share the win.
        settings: settings of the game; `reset` checks them and sets the number of players.

    """

    def __init__(self, spec: GameSpec, error_allowance: int = 1, **settings: Any) -> None:
        self.spec = spec
        self.error_allowance = error_allowance
        self.settings = settings
        self.game: Any = None
        self.state: Any = None

    def reset(self, num_players: int, seed: int | None = None) -> None:
        """Start a game."""
        config = self._config(num_players)
        self.game = Game(self.spec, **config.as_dict(), seed=seed)
        self.state = ta.FFAMultiPlayerState(num_players, seed, error_allowance=self.error_allowance)
        names = dict(enumerate(config.seat_names[:num_players]))
        self.state.reset(
            game_state={},
            player_prompt_function=lambda player_id, game_state: system_prompt(self.spec),
            role_mapping=names,
        )
        self._ask()

    def _config(self, players: int) -> Config:
        """Return the configuration of a game in which agents play `players` seats."""
        config: Config = self.spec.config(**self.settings)
        if config.seats_to_play != players:
            required = self.spec.player_settings(players)
            for name, value in required.items():
                if self.settings.get(name, value) != value:
                    raise ValueError(f"with {players} players, {name} must be {value!r}")
            config = self.spec.config(**{**self.settings, **required})
        if config.seats_to_play != players:
            raise ValueError(f"with these settings, {config.seats_to_play} players play, not {players}")
        return config

    def step(self, action: str) -> tuple[bool, dict[str, Any]]:
        """Play the action that a reply names; see `parse_action`.

        After an illegal reply, no action is played: the player faces the same decision again, or loses the
        game if `error_allowance` is exceeded.
        """
        player = self.state.current_player_id
        self.state.add_observation(
            from_id=player,
            to_id=player,
            message=str(action),
            observation_type=ta.ObservationType.PLAYER_ACTION,
        )
        try:
            number = parse_action(self.game.view(), action)
        except ReplyError as error:
            if self.state.set_invalid_move(f"{error}."):
                self._end(
                    [seat for seat in range(self.game.seats) if seat != player], f"Invalid Move: {error}"
                )
            is_played = False
        else:
            self.game.step(number)
            is_played = True
            if self.game.over:
                self._end(self.game.winners, "the game is over")
        done, info = self.state.step(rotate_player=False)  # counts the turn of the player who replied
        if is_played and not done:
            self._ask()
        return bool(done), info

    def _ask(self) -> None:
        """Send the prompt of the current decision to the seat to play, and to no other seat."""
        seat = self.game.to_play
        self.state.manually_set_current_player_id(seat)
        self.state.add_observation(
            to_id=seat,
            message=decision_prompt(self.game.view(has_events=True)),
            observation_type=ta.ObservationType.GAME_BOARD,
        )

    def _end(self, winners: list[int], reason: str) -> None:
        rewards = final_rewards("win", self.game.scores, winners)
        self.state.set_game_outcome(dict(enumerate(rewards[: self.state.num_players])), reason)


class CurrentDecisionWrapper(ta.ObservationWrapper):  # type: ignore[misc]
    """Wrapper that omits all decisions except the latest from a player's observation.

    The observation consists of the system prompt, the prompt of the player's latest decision, the player's
    replies to this prompt, and error messages for illegal replies.
    """

    def __init__(self, env: ta.Env) -> None:
        super().__init__(env)
        self._seen: dict[int, list[ta.Message]] = {}

    def reset(self, num_players: int, seed: int | None = None) -> None:
        self._seen.clear()
        super().reset(num_players, seed)

    def observation(self, player_id: int, observation: list[ta.Message]) -> str:
        """Return the observation of a player as text."""
        messages = [*self._seen.get(player_id, []), *observation]
        boards = [i for i, (_, _, kind) in enumerate(messages) if kind == ta.ObservationType.GAME_BOARD]
        prompt = [message for message in messages if message[2] == ta.ObservationType.PROMPT]
        self._seen[player_id] = [*prompt, *messages[boards[-1] :]]
        return "\n\n".join(text for _, text, _ in self._seen[player_id])


def env_id(spec: GameSpec) -> str:
    """Return the id of a game in TextArena, such as ``PocketMars-v1``."""
    return f"{spec.title.replace(' ', '')}-v{spec.rules_version}"


for _spec in GAMES.values():
    register_with_versions(env_id(_spec), TextArenaEnv, {"default": [CurrentDecisionWrapper]}, spec=_spec)
