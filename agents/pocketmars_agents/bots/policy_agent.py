"""Agent that uses onnxruntime to play a policy stored in an ONNX file."""

import os
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray

from pocketmars_agents.bots.batched import BatchedAgent
from pocketmars_agents.bots.estimates import REWARD, Estimate
from pocketmars_agents.extras import imported
from pocketmars_agents.network.mlp import CompactMlp, Mlp, compact
from pocketmars_agents.network.mlp_file import OPPONENT_WIN_SPLIT, read_mlp
from pocketmars_agents.network.policy_card import read_card
from pocketmars_env.core.errors import error_text, quoted
from pocketmars_env.core.game import View, Views
from pocketmars_env.core.game_spec import GAMES, GameSpec
from pocketmars_env.core.games import Games
from pocketmars_env.core.gate import read_file
from pocketmars_env.core.settings import check_choice

os.environ.setdefault(
    "ORT_DISABLE_TELEMETRY", "1"
)  # otherwise, onnxruntime reports its use to its developers

MAX_BYTES = 512 * 2**20
"""Maximum size of a policy file in bytes."""
CHECKED_BATCHES = (1, 3)
"""Batch sizes with which a policy is checked when it is loaded."""
NO_FOLDER = "/no/such/folder"
"""The folder where onnxruntime looks for a policy's external weights. The folder does not exist, so only the
policy file is read."""
INPUTS = ("observation", "action_mask")
OUTPUTS = ("logits", "value")
PLAYS = ("best", "sample")
MASK_TYPES = {"tensor(int8)": np.int8, "tensor(bool)": np.bool_, "tensor(float)": np.float32}


class PolicyAgent(BatchedAgent):
    """Agent that plays a policy from an ONNX file.

    Args:
        path: an ONNX file that contains all weights. For any batch size n, the inputs are ``observation``
            ``(n, OBSERVATION_SIZE)`` float32 and, optionally, ``action_mask`` ``(n, NUM_ACTIONS)`` int8, bool
            or float32.
            The outputs are ``logits`` ``(n, NUM_ACTIONS)`` and ``value`` ``(n,)`` or ``(n, 1)``, both
            float32. An optional third output, ``opponent_win_split`` ``(n, MAX_SEATS - 1)`` float32, is the
            predicted split of the opponents' total win probability among them, as logits in turn order. This
            output is used only by PUCT search in games with three or four players, and only if search kernels
            support the network (see `mlp`). The policy's game is the registered game with these input sizes.
            If several games have these sizes, the policy's game is the one named in the file's metadata or,
            if none of them is named there, the one registered first.
        play: ``"best"`` plays the most likely legal action; ``"sample"`` samples a legal action from the
            policy.
        name: the agent's name; by default the path, with ``:sample`` if actions are sampled.

    Attributes:
        spec: the policy's game.
        card: the training metadata in the file; empty if missing or invalid.
        is_sampling: whether actions are sampled from the policy.

    Raises:
        ValueError: if `play` is unknown, if onnxruntime is not installed, or if the file does not exist, is
            larger than `MAX_BYTES`, cannot be loaded, or does not have the inputs and outputs described
            above. Also raised if the policy returns invalid outputs for the positions used to check it.

    """

    def __init__(self, path: Path | str, play: str = "best", name: str | None = None) -> None:
        check_play(play)
        self.name = name or (str(path) if play == "best" else f"{path}:{play}")
        self.is_sampling = play == "sample"
        self._path = Path(path)
        self._content = read_policy(self._path)
        self._session = load(self._path, self._content)
        self.card = card_of(self._session)
        self.spec = game_of(self._session, self.card, path)
        self._mask_type = check_inputs(self._session, self.spec, path)
        names = [tensor.name for tensor in self._session.get_outputs()]
        self._outputs = [name for name in names if name in (*OUTPUTS, *OPPONENT_WIN_SPLIT)]
        for count in CHECKED_BATCHES:
            self.outputs(*Games(count, self.spec, seed=0).observe())

    @cached_property
    def mlp(self) -> Mlp | None:
        """The network in the form that search kernels can evaluate; see `read_mlp`.

        The property is None if the kernels do not support the network, or if onnx is not installed.
        """
        return read_mlp(self._content, self.outputs, self.spec)

    @cached_property
    def compact_mlp(self) -> CompactMlp | None:
        """The network `mlp` with 16-bit weights, for use in search kernels; None if `mlp` is None."""
        return None if self.mlp is None else compact(self.mlp)

    def estimate(self, view: View, rng: np.random.Generator) -> Estimate:
        """Return the action and the network's estimate of the final reward; see `ValuedAgent`."""
        action = self.act(view, rng)
        _, values = self.evaluate(view.observation[None], view.mask[None])
        return Estimate(action, float(values[0]), REWARD)

    def act_batch(self, views: Views, seeds: NDArray[np.uint64]) -> NDArray[np.int64]:
        """Return a legal action for every view; see `BatchAgent`.

        Raises:
            ValueError: if the policy is for another game, or if its outputs are invalid (see `outputs`).

        """
        check_game(self.name, self.spec, views.spec)
        logits, _ = self.evaluate(views.observations, views.masks)
        if self.is_sampling:
            logits = logits + gumbel_noise(seeds, self.spec.num_actions)
        chosen: NDArray[np.int64] = np.where(views.masks != 0, logits, -np.inf).argmax(axis=1)
        return chosen

    def preferences(self, views: Views, seeds: NDArray[np.uint64]) -> NDArray[np.float32]:
        """Return the policy's probabilities ``(n, NUM_ACTIONS)`` float32, as targets for imitation learning.

        Raises:
            ValueError: as in `act_batch`.

        """
        check_game(self.name, self.spec, views.spec)
        masks = views.masks != 0
        logits = np.where(masks, self.evaluate(views.observations, views.masks)[0], -np.inf)
        probabilities: NDArray[np.float32] = scipy.special.softmax(logits, axis=1)
        return probabilities

    def evaluate(
        self, observations: NDArray[np.float32], masks: NDArray[np.int8]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return logits ``(n, NUM_ACTIONS)`` and expected final rewards ``(n,)``, both float32.

        Args:
            observations: ``(n, OBSERVATION_SIZE)`` float32 observations of the seats to play.
            masks: ``(n, NUM_ACTIONS)`` int8 action masks.

        Raises:
            ValueError: if the outputs are invalid (see `outputs`).

        """
        outputs = self.outputs(observations, masks)
        return outputs["logits"], outputs["value"]

    def outputs(
        self, observations: NDArray[np.float32], masks: NDArray[np.int8]
    ) -> dict[str, NDArray[np.float32]]:
        """Return the outputs by name: ``logits``, ``value`` and, if present, ``opponent_win_split``.

        ``value`` has the shape ``(n,)``. The arguments are those of `evaluate`.

        Raises:
            ValueError: if onnxruntime cannot compute the outputs, if an output does not have the shape and
                type described in `PolicyAgent`, if ``value`` or ``opponent_win_split`` is not finite, or if
                the logit of a legal action is NaN or ``+inf``. A legal action may have the logit ``-inf``,
                unless all legal actions of a row have it. Logits of illegal actions may have any value.

        """
        inputs = {"observation": observations}
        if self._mask_type is not None:
            inputs["action_mask"] = masks.astype(self._mask_type)
        try:
            arrays = self._session.run(self._outputs, inputs)
        except Exception as error:  # onnxruntime's errors have no other common base class
            raise ValueError(
                f"cannot run the policy {quoted(str(self._path))}: {error_text(error)}"
            ) from error
        names = [OPPONENT_WIN_SPLIT[0] if name in OPPONENT_WIN_SPLIT else name for name in self._outputs]
        outputs = dict(zip(names, arrays))
        check_outputs(outputs, masks, self.spec, self._path)
        return outputs | {"value": outputs["value"].reshape(len(observations))}


def check_play(play: str) -> None:
    """Raise a ValueError unless `play` is one of `PLAYS`."""
    check_choice("the way to play a policy", play, PLAYS)


def read_policy(path: Path) -> bytes:
    """Read a policy file; raise a ValueError if it cannot be read."""
    if not path.is_file():
        raise ValueError(f"there is no policy file {quoted(str(path))}")
    try:
        return read_file(path, MAX_BYTES)
    except OSError as error:
        raise ValueError(f"cannot read the policy file {quoted(str(path))}: {error.strerror}") from error


def load(path: Path, content: bytes) -> Any:
    """Create an onnxruntime session for a policy; raise a ValueError if that fails.

    The session uses a single thread, because agents run in parallel processes.
    """
    onnxruntime = imported("onnxruntime", "policies need onnxruntime", "policies")
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 4  # errors are raised as exceptions
    options.add_session_config_entry("session.load_model_format", "ONNX")
    options.add_session_config_entry("session.model_external_initializers_file_folder_path", NO_FOLDER)
    try:
        return onnxruntime.InferenceSession(
            content, options, providers=["CPUExecutionProvider"], enable_fallback=False
        )
    except Exception as error:  # onnxruntime's errors have no other common base class
        raise ValueError(
            f"{quoted(str(path))} is not an ONNX file that onnxruntime can load: {error_text(error)}"
        ) from error


def game_of(session: Any, card: dict[str, Any], path: Path | str) -> GameSpec:
    """Return the registered game whose observations and action masks have the sizes of the policy's inputs.

    If several games match, the result is the one named in the training metadata `card` or, if `card` names
    none of them, the one registered first.
    """
    sizes = input_sizes(session)
    alike = [
        spec
        for spec in GAMES.values()
        if sizes in (sizes_of(spec), {"observation": spec.observation_size})  # a mask is optional
    ]
    named = [spec for spec in alike if spec.name == card.get("game")]
    if alike:
        return (named or alike)[0]
    accepted = " or ".join(f"{sizes_of(spec)} ({spec.title})" for spec in GAMES.values())
    raise ValueError(
        f"{quoted(str(path))} has the inputs {sizes}; accepted: inputs {accepted} (sizes of the second "
        f"axis), outputs {list(OUTPUTS)}"
    )


def sizes_of(spec: GameSpec) -> dict[str, int]:
    """Return the input sizes of a game's policies, by input name."""
    return dict(zip(INPUTS, (spec.observation_size, spec.num_actions)))


def input_sizes(session: Any) -> dict[str, Any]:
    """Return, by name, the size of each input's second axis, or the whole shape if an input is not 2-D."""
    return {
        tensor.name: tensor.shape[-1] if len(tensor.shape) == 2 else tensor.shape
        for tensor in session.get_inputs()
    }


def check_game(name: str, own_spec: GameSpec, spec: GameSpec) -> None:
    """Raise a ValueError unless `spec` is the agent's game, `own_spec`."""
    if own_spec is not spec:
        raise ValueError(f"{name} plays only {own_spec.title}, not {spec.title}")


def check_inputs(session: Any, spec: GameSpec, path: Path | str) -> Any:
    """Check inputs and outputs of a policy; return the NumPy type of its action masks, None without masks."""
    inputs = {tensor.name: tensor for tensor in session.get_inputs()}
    outputs = {tensor.name: tensor for tensor in session.get_outputs()}
    if not outputs.keys() >= set(OUTPUTS):
        raise ValueError(
            f"{quoted(str(path))} has the outputs {sorted(outputs)}; accepted: outputs {list(OUTPUTS)}"
        )
    logits = outputs["logits"].shape  # may be empty or contain symbolic sizes
    if logits and (len(logits) != 2 or (isinstance(logits[1], int) and logits[1] != spec.num_actions)):
        raise ValueError(
            f"{quoted(str(path))} returns logits of shape {logits}; accepted: (n, {spec.num_actions})"
        )
    fixed = [name for name in inputs if isinstance(inputs[name].shape[0], int)]
    if fixed:
        raise ValueError(f"{quoted(str(path))} has a fixed batch size in {fixed}; accepted: any size")
    mask_type = inputs["action_mask"].type if "action_mask" in inputs else None
    if inputs["observation"].type != "tensor(float)" or mask_type not in (None, *MASK_TYPES):
        raise ValueError(
            f"{quoted(str(path))} takes {inputs['observation'].type} and {mask_type}; accepted: "
            f"tensor(float), and for action_mask {', '.join(MASK_TYPES)}"
        )
    return None if mask_type is None else MASK_TYPES[mask_type]


def check_outputs(outputs: dict[str, Any], masks: NDArray[np.int8], spec: GameSpec, path: Path) -> None:
    """Raise a ValueError unless a policy's outputs are valid; see `PolicyAgent.outputs`."""
    count = len(masks)
    shapes: dict[str, list[tuple[int, ...]]] = {
        "logits": [(count, spec.num_actions)],
        "value": [(count,), (count, 1)],
        OPPONENT_WIN_SPLIT[0]: [(count, spec.max_seats - 1)],
    }
    for name, array in outputs.items():
        is_array = isinstance(array, np.ndarray)
        if not is_array or array.dtype != np.float32 or array.shape not in shapes[name]:
            what = f"{array.dtype} {array.shape}" if is_array else type(array).__name__
            accepted = " or ".join(map(str, shapes[name]))
            raise ValueError(
                f"{quoted(str(path))} returns {name} of {what} for {count} positions; "
                f"accepted: float32 {accepted}"
            )
        if name != "logits" and not np.isfinite(array).all():
            raise ValueError(f"{quoted(str(path))} returns {name} that are not finite")
    # NaN if a legal action's logit is NaN
    best = np.where(masks != 0, outputs["logits"], -np.inf).max(axis=1)
    if not (np.isfinite(best) | ~masks.any(axis=1)).all():
        raise ValueError(
            f"{quoted(str(path))} returns a logit of NaN or +inf for a legal action, or -inf for all "
            "legal actions"
        )


def card_of(session: Any) -> dict[str, Any]:
    """Return the training metadata of a policy file; empty if missing or invalid."""
    try:
        return read_card(session.get_modelmeta().custom_metadata_map.get("pocketmars", "{}"))
    except UnicodeDecodeError:
        return {}


def gumbel_noise(seeds: NDArray[np.uint64], columns: int) -> NDArray[np.float32]:
    """Return Gumbel noise for sampling actions from logits, ``(n, columns)`` float32.

    The argmax of the logits plus this noise is a sample from the softmax of the logits. Row `k` depends only
    on ``seeds[k]``, the seed of a SplitMix64 generator (Steele, Lea and Flood, "Fast splittable pseudorandom
    number generators", OOPSLA 2014).
    """
    words = seeds[:, None] + np.arange(1, columns + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    words = words ^ (words >> np.uint64(31))
    uniform = ((words >> np.uint64(11)).astype(np.float64) + 0.5) * 2.0**-53
    noise: NDArray[np.float32] = (-np.log(-np.log(uniform))).astype(np.float32)
    return noise
