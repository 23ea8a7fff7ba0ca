"""Promises of the security notes: no file is unpickled, and no data that is read is executed."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
SOURCES = [
    source
    for package in ("pocketmars_env", "agents", "training")
    for source in sorted((ROOT / package).rglob("*.py"))
]
DANGEROUS = {
    "eval", "exec", "compile", "os.system", "os.popen", "pickle.load", "pickle.loads", "pickle.Unpickler",
    "cloudpickle.load", "cloudpickle.loads", "marshal.load", "marshal.loads", "shelve.open", "joblib.load",
    "yaml.load", "yaml.unsafe_load",
}  # fmt: skip
ALLOWED = {
    ("pocketmars_env/core/testing.py", "pickle.loads"),
    ("pocketmars_env/core/compiled/kernel_cache.py", "pickle.loads"),
    ("pocketmars_env/wasm/compiler.py", "exec"),
}
"""The only allowed calls: the first unpickles data that the same function has just pickled; the second loads
machine code from the user's own cache folder, as Numba's cache does; the third defines a function whose code
depends only on the types of a function of this project."""


def faults(source: str, text: str) -> list[str]:
    """Return the dangerous calls in the text of a source file."""
    found = []
    for call in (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call)):
        name = ast.unparse(call.func)
        options = {option.arg: ast.unparse(option.value) for option in call.keywords}
        if (
            (name in DANGEROUS and (source, name) not in ALLOWED)
            or options.get("shell") == "True"
            or options.get("allow_pickle") == "True"
            or (name == "torch.load" and options.get("weights_only") != "True")
        ):
            found.append(f"{source}:{call.lineno}: {name}")
    return found


def test_nothing_that_is_read_is_run() -> None:
    assert SOURCES
    for source in SOURCES:
        assert faults(source.relative_to(ROOT).as_posix(), source.read_text(encoding="utf-8")) == []


def test_what_would_run_it_is_found() -> None:
    for line in (
        "pickle.load(file)",
        "eval(text)",
        "torch.load(path)",
        "torch.load(path, weights_only=False)",
        "np.load(path, allow_pickle=True)",
        "subprocess.run(text, shell=True)",
    ):
        assert faults("any.py", line) != [], line


def test_every_promise_names_its_tests() -> None:
    promises = (ROOT / "SECURITY.md").read_text(encoding="utf-8").split("## ")[1].split("\n- ")[1:]
    assert promises
    for promise in promises:
        tests = re.findall(r"`(tests/[\w/]+\.py)`", promise)
        assert tests, promise
        assert all("def test_" in (ROOT / test).read_text(encoding="utf-8") for test in tests), promise
