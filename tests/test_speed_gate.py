"""The speed gate measures two checkouts in turn and fails only if it is sure that one is slower."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from tests import speed_gate


def run_gate(monkeypatch: pytest.MonkeyPatch, ratio: float, noise: float) -> int:
    """Run the gate with a checkout that is `ratio` times as fast as the commit; return the exit status."""
    rng, drift = np.random.default_rng(1), iter(np.linspace(1, 3, 40))

    def rates(checkout: Path, rows: Sequence[str], seconds: float) -> dict[str, float]:
        is_new = checkout == speed_gate.ROOT
        assert (checkout / "pyproject.toml").exists()
        rate = 1000 * (ratio if is_new else 1.0) * np.exp(noise * rng.normal())
        return {"kernel": float(rate * next(drift)), "new" if is_new else "old": 1.0}

    monkeypatch.setattr(speed_gate, "rates", rates)
    with pytest.raises(SystemExit) as ended:
        speed_gate.main("HEAD", rounds=20)
    return int(ended.value.code or 0)


@pytest.mark.parametrize(("ratio", "noise", "status"), [(0.97, 0.02, 0), (0.9, 0.02, 1), (0.9, 0.3, 0)])
def test_only_a_sure_loss_of_speed_fails(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    ratio: float,
    noise: float,
    status: int,
) -> None:
    assert run_gate(monkeypatch, ratio, noise) == status
    (line,) = capsys.readouterr().out.splitlines()
    assert float(line.split()[1]) == pytest.approx(ratio, rel=0.2)
