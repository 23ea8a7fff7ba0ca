"""Model cards: metadata about the training of a policy, stored in its policy file.

In cards from earlier versions, the names of keys and settings are replaced with the current names.
"""

from typing import Any

from pocketmars_env.core import gate

KEYS = {"ladder": "evaluation", "share": "win_share"}
"""Maps the names of keys in version 0.2.0 and earlier to the current names."""
SETTINGS = {
    "decisions": "total_timesteps",
    "games": "n_envs",
    "steps": "n_steps",
    "batch": "batch_size",
    "epochs": "n_epochs",
    "gae": "gae_lambda",
    "clip": "clip_range",
    "entropy": "ent_coef",
    "barrier": "barrier_coef",
    "ladder_every": "eval_freq",
    "ladder_games": "n_eval_episodes",
    "checkpoint_every": "save_freq",
    "imitation": "imitation_timesteps",
    "update": "train_freq",
    "window": "buffer_size",
    "passes": "replay_ratio",
    "averaged": "ema_steps",
}
"""Maps the names of settings in version 0.2.0 and earlier to the current names."""
MAX_LAYERS = 100


def read_card(text: str) -> dict[str, Any]:
    """Return the model card in `text` with current names; it is empty if `text` is not a JSON object."""
    try:
        return with_present_names(gate.decode(text, dict[str, Any], "the card"))
    except ValueError:
        return {}


def with_present_names(card: dict[str, Any]) -> dict[str, Any]:
    """Return a copy of `card` in which all keys and settings have their current names.

    The earlier setting ``layers``, together with ``width``, becomes ``net_arch``, which is None if it cannot
    be determined. A missing ``width`` is taken from ``start``, the card of the policy from which the training
    started. The card in ``start`` is converted in the same way.
    """
    current: dict[str, Any] = renamed(card)
    if isinstance(card.get("start"), dict):
        current["start"] = with_present_names(card["start"])
    if isinstance(card.get("settings"), dict):
        settings = {SETTINGS.get(name, name): value for name, value in card["settings"].items()}
        if "layers" in settings:
            layers, width = settings.pop("layers"), settings.pop("width", None)
            width = width_of(current.get("start")) if width is None else width
            is_known = isinstance(layers, int) and isinstance(width, int) and 0 < layers <= MAX_LAYERS
            settings["net_arch"] = [width] * layers if is_known else None
        current["settings"] = settings
    return current


def renamed(data: Any) -> Any:
    """Return JSON data with the keys in `KEYS` renamed, at any depth."""
    if isinstance(data, dict):
        return {KEYS.get(key, key): renamed(value) for key, value in data.items()}
    return [renamed(value) for value in data] if isinstance(data, list) else data


def width_of(card: Any) -> Any:
    """Return the layer width from a card or from the first nested card that has one; None if none has."""
    while isinstance(card, dict) and isinstance(card.get("settings"), dict):
        net_arch = card["settings"].get("net_arch")
        if isinstance(net_arch, list) and net_arch:
            return net_arch[0]
        card = card.get("start")
    return None
