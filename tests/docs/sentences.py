"""Sentences of the pages and docstrings, to proofread.

    python -m tests.docs.sentences          prints 100 random sentences; the seed is the commit's hash
    python -m tests.docs.sentences --all    prints all sentences

A line contains a file, the line where the sentence's paragraph begins, and the sentence.
"""

import ast
import random
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
PACKAGES = ("pocketmars_env/", "agents/", "training/")
SAMPLE_SIZE = 100
LEAST_WORDS = 4
HEADINGS = re.compile(r"#|<!--|!\[|>>> |\|[ |:-]*-[ |:-]*$|(Args|Returns|Raises|Attributes):$")
"""Matches lines without a sentence."""
ITEM = re.compile(r"([-*] |\d+\. |[\w`*]+: )")
"""Matches the beginning of a list item or of an argument's description."""
BETWEEN = re.compile(r"(?<=[.!?])\s+(?=[A-Z`*\"(\[])")


class Sentence(NamedTuple):
    """A sentence and its place."""

    path: str
    line: int
    text: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.text}"


def git(*arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True).stdout


def paragraphs(text: str, first: int) -> Iterator[tuple[int, str]]:
    """Yield the paragraphs, list items and table cells of a page or docstring, each with its first line."""
    is_code, begin, words = False, first, list[str]()
    for number, raw in enumerate([*text.split("\n"), ""], start=first):
        line = raw.strip()
        is_fence = line.startswith("```")
        is_code ^= is_fence
        is_apart = is_fence or is_code or not line or line.startswith("|") or HEADINGS.match(line) is not None
        if words and (is_apart or ITEM.match(line)):
            yield begin, " ".join(words)
            words = []
        if not is_apart:
            begin = begin if words else number
            words.append(line)
        elif line.startswith("|") and not is_code and not HEADINGS.match(line):
            yield from ((number, cell.strip()) for cell in line.strip("|").split(" | "))


def docstrings(source: str) -> Iterator[tuple[int, str]]:
    """Yield all strings that are statements, each with its first line."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Expr(value=ast.Constant(value=str(text))):
                yield node.lineno, text


def sentences_of(path: str) -> Iterator[Sentence]:
    """Yield the sentences of a page or module."""
    content = (ROOT / path).read_text(encoding="utf-8")
    texts = docstrings(content) if path.endswith(".py") else [(1, content)]
    for first, text in texts:
        for line, paragraph in paragraphs(text, first):
            for sentence in BETWEEN.split(paragraph):
                if len(sentence.split()) >= LEAST_WORDS:
                    yield Sentence(path, line, sentence)


def all_sentences() -> list[Sentence]:
    """Return the sentences of all pages, and of the docstrings of the three packages."""
    paths = git("ls-files", "*.md", "*.py").split()
    pages = [path for path in paths if path.endswith(".md") and not path.startswith("tests/")]
    modules = [path for path in paths if path.endswith(".py") and path.startswith(PACKAGES)]
    return sorted({sentence for path in [*pages, *modules] for sentence in sentences_of(path)})


def main() -> None:
    found = all_sentences()
    if "--all" not in sys.argv[1:]:
        commit = git("rev-parse", "HEAD").strip()
        print(f"# {SAMPLE_SIZE} of {len(found)} sentences, seed {commit}")
        found = random.Random(commit).sample(found, SAMPLE_SIZE)
    print(*found, sep="\n")


if __name__ == "__main__":
    main()
