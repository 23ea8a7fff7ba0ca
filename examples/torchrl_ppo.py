"""One seat of the PettingZoo environment learns with TorchRL's PPO; the other seats play randomly.

python examples/torchrl_ppo.py --players 3 --iterations 200
python examples/torchrl_ppo.py --game project_mars --iterations 200
"""

import torch
import typer
from tensordict.nn import TensorDictModule, TensorDictSequential
from torch import nn
from torchrl.collectors import Collector
from torchrl.envs.libs.pettingzoo import PettingZooWrapper
from torchrl.modules import MLP, MaskedCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

from pocketmars_env.core.game_spec import GameSpec, game_named
from pocketmars_env.envs.classes import environments_of

LEARNER = "player_0"
FRAMES = 2048  # decisions of all seats per iteration
EPOCHS = 4
MINIBATCH = 128
HIDDEN = [256, 256]


def make_env(spec: GameSpec, players: int) -> PettingZooWrapper:
    """Create an environment with the agent groups ``learner`` (one seat) and ``others``."""
    env = environments_of(spec)["env"](**spec.player_settings(players))
    others = [agent for agent in env.possible_agents if agent != LEARNER]
    return PettingZooWrapper(env, use_mask=True, group_map={"learner": [LEARNER], "others": others})


def make_actor(num_actions: int) -> ProbabilisticActor:
    """Create the learner's policy, in which illegal actions have probability 0."""
    network = MLP(out_features=num_actions, num_cells=HIDDEN, activation_class=nn.Tanh)
    return ProbabilisticActor(
        TensorDictModule(
            network, in_keys=[("learner", "observation", "observation")], out_keys=[("learner", "logits")]
        ),
        in_keys={"logits": ("learner", "logits"), "mask": ("learner", "action_mask")},
        out_keys=[("learner", "action")],
        distribution_class=MaskedCategorical,
        return_log_prob=True,
    )


def make_random() -> TensorDictModule:
    """Create the policy of the other seats, which plays random legal actions."""
    return TensorDictModule(
        lambda mask: MaskedCategorical(logits=torch.zeros(mask.shape), mask=mask).sample(),
        in_keys=[("others", "action_mask")],
        out_keys=[("others", "action")],
    )


def train(iterations: int = 10, players: int = 2, seed: int = 1, game: str = "pocket_mars") -> None:
    """Train, and print the learner's mean return after each iteration."""
    torch.manual_seed(seed)
    spec = game_named(game)
    env = make_env(spec, players)
    env.set_seed(seed)
    actor = make_actor(spec.num_actions)
    critic = ValueOperator(
        MLP(out_features=1, num_cells=HIDDEN, activation_class=nn.Tanh),
        in_keys=[("learner", "observation", "observation")],
        out_keys=[("learner", "state_value")],
    )
    critic(actor(env.reset()))  # the layers infer their input sizes from the first observation

    collector = Collector(
        env,
        TensorDictSequential(actor, make_random()),
        frames_per_batch=FRAMES,
        total_frames=FRAMES * iterations,
    )
    keys = {
        "value": ("learner", "state_value"),
        "reward": ("learner", "reward"),
        "done": ("learner", "done"),
        "terminated": ("learner", "terminated"),
    }
    gae = GAE(gamma=1.0, lmbda=0.95, value_network=critic)
    gae.set_keys(**keys)
    loss = ClipPPOLoss(actor, critic, clip_epsilon=0.2, entropy_coeff=0.01, normalize_advantage=True)
    loss.set_keys(**keys, action=("learner", "action"), sample_log_prob=("learner", "action_log_prob"))
    optimizer = torch.optim.Adam(loss.parameters(), lr=3e-4)

    for iteration, data in enumerate(collector, start=1):
        with torch.no_grad():
            gae(data)
        # In steps in which another seat is to play, the learner's action has no effect.
        decisions = data[data["learner", "mask"].squeeze(-1)]
        for _ in range(EPOCHS):
            for indices in torch.split(torch.randperm(len(decisions)), MINIBATCH):
                losses = loss(decisions[indices])
                total = losses["loss_objective"] + losses["loss_critic"] + losses["loss_entropy"]
                optimizer.zero_grad()
                total.backward()
                nn.utils.clip_grad_norm_(loss.parameters(), 0.5)
                optimizer.step()
        returns = data["next", "learner", "reward"][data["next", "done"].squeeze(-1)]
        print(f"iteration {iteration}: mean return {returns.mean():+.3f} in {len(returns)} games", flush=True)
    collector.shutdown()


if __name__ == "__main__":
    typer.run(train)
