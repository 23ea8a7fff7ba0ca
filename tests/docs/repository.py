"""Write the address of the public repository into the documents: ``python -m tests.docs.repository``.

The address is `Repository` in the section ``[project.urls]`` of ``pyproject.toml``. As long as there is none,
the documents have none of these additions.
"""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
COLAB = "https://colab.research.google.com"
COLAB_LINK = (
    f"[![Open in Colab]({COLAB}/assets/colab-badge.svg)]({COLAB}/github/{{path}}/blob/main/notebooks/NAME)"
)
FIRST_NOTEBOOK = "01_a_game_step_by_step.ipynb"
NOTEBOOK_LINES = f'    "{COLAB_LINK}\\n",\n    "\\n",\n'
TESTS_LINK = "[![Tests]({url}/actions/workflows/tests.yml/badge.svg)]({url}/actions)"

ADDITIONS = [
    ("README.md", "# Pocket Mars\n\n", f"{TESTS_LINK} {COLAB_LINK}\n\n".replace("NAME", FIRST_NOTEBOOK)),
    ("README.md", "clone of this repository:\n\n```sh\n", "git clone {url} && cd {name}\n"),
    ("README.md", "year = {2026}", ", url = {{{url}}}"),
    ("docs/index.md", "year = {2026}", ", url = {{{url}}}"),
    ("CITATION.cff", "license: MIT\n", 'repository-code: "{url}"\n'),
    *(
        (f"notebooks/{notebook.name}", '    "\\n",\n', NOTEBOOK_LINES.replace("NAME", notebook.name))
        for notebook in sorted(ROOT.glob("notebooks/*.ipynb"))
    ),
]  # fmt: skip
"""Each row has a file, the text after whose first occurrence something is added, and what is added."""


def address() -> str:
    """Return the address of the public repository, or an empty string."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return str(project.get("urls", {}).get("Repository", "")).rstrip("/")


def with_address(text: str, place: str, addition: str, url: str) -> str:
    """Return `text` with the addition for `url`; an earlier addition, for any address, is removed."""
    path = url.split("://")[-1].partition("/")[2]
    new = addition.format(url=url, path=path, name=path.rpartition("/")[2]) if url else ""
    anything = re.escape(addition.format(url="\0", path="\0", name="\0")).replace("\0", r"\S+?")
    return re.sub(f"({re.escape(place)})(?:{anything})?", lambda found: found[1] + new, text, count=1)


if __name__ == "__main__":
    for name, place, addition in ADDITIONS:
        file = ROOT / name
        text = with_address(file.read_text(encoding="utf-8"), place, addition, address())
        file.write_text(text, encoding="utf-8", newline="\n")
