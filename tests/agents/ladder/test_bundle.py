"""Bundles hold only what they may hold, and reading them is safe."""

import stat
import zipfile
from pathlib import Path

import pytest

from pocketmars_agents.ladder import bundle as bundles
from pocketmars_agents.ladder.bundle import BundleError, read_bundle
from tests.agents.ladder.conftest import Submit

CARD = (
    b'{"format": "pocketmars-bundle-1", "name": "my-bot", "author": "me", "license": "MIT", '
    b'"description": "A test.", "division": "test", "command": ["python3", "bot.py"]}'
)


def archive(path: Path, *members: tuple[str | zipfile.ZipInfo, bytes], card: bytes = CARD) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for member, content in (("card.json", card), *members):
            file.writestr(member, content)
    return path


def check_refused(path: Path, *members: tuple[str | zipfile.ZipInfo, bytes], card: bytes = CARD) -> None:
    with pytest.raises(BundleError):
        read_bundle(archive(path, *members, card=card))


def test_a_bundle_is_read_as_it_was_written(submit: Submit, tmp_path: Path) -> None:
    bundle = submit("x")
    assert read_bundle(tmp_path / "my-bot.zip") == bundle
    assert submit("x") == bundle  # its hash depends only on the contents
    assert bundle.card.command == ("python3", "program.py", "x")
    (tmp_path / "program").mkdir()
    bundle.unpack(tmp_path / "program")
    assert [path.name for path in (tmp_path / "program").iterdir()] == ["program.py"]


@pytest.mark.parametrize(
    "name",
    [
        *("../bot.py", "/bot.py", "program/../../bot.py", "program/.hidden", "program\\bot.py"),
        *("program/a\x1b[2J", "program/é", "bot.py", "program/", "program//bot.py", "PROGRAM/bot.py"),
    ],
)
def test_names_of_files_are_plain(tmp_path: Path, name: str) -> None:
    check_refused(tmp_path / "a.zip", (zipfile.ZipInfo(name), b"x"))
    assert [path.name for path in tmp_path.iterdir()] == ["a.zip"]


@pytest.mark.parametrize("pair", [("a", "A"), ("a", "a/b")])
def test_files_do_not_hide_each_other(tmp_path: Path, pair: tuple[str, str]) -> None:
    check_refused(tmp_path / "a.zip", *((f"program/{name}", b"x") for name in pair))


def test_links_are_refused(tmp_path: Path) -> None:
    link = zipfile.ZipInfo("program/bot.py")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    check_refused(tmp_path / "a.zip", (link, b"/etc/passwd"))


def test_zip_bombs_are_refused_before_they_are_unpacked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = archive(tmp_path / "a.zip", ("program/zeros", bytes(2**20)))
    assert read_bundle(path).files["program/zeros"] == bytes(2**20)
    monkeypatch.setattr(bundles, "MAX_UNPACKED", 2**20)
    monkeypatch.setattr(zipfile.ZipFile, "read", None)
    with pytest.raises(BundleError):
        read_bundle(path)


def test_a_file_is_not_larger_than_its_entry_says(tmp_path: Path) -> None:
    content = archive(tmp_path / "a.zip", ("program/zeros", bytes(2**20))).read_bytes()
    lie = (2**20).to_bytes(4, "little")
    assert content.count(lie) == 2
    (tmp_path / "b.zip").write_bytes(content.replace(lie, (10).to_bytes(4, "little")))
    with pytest.raises(BundleError):
        read_bundle(tmp_path / "b.zip")


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_only_deflate_is_unpacked(tmp_path: Path, method: int) -> None:
    """Other decompressors raise exceptions of their own."""
    member = zipfile.ZipInfo("program/bot.py")
    member.compress_type = method
    check_refused(tmp_path / "a.zip", (member, b"x"))


@pytest.mark.parametrize(("limit", "value"), [("MAX_FILES", 2), ("MAX_BYTES", 100)])
def test_large_archives_and_many_files_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str, value: int
) -> None:
    members = [(f"program/{i}", b"") for i in range(2)]
    assert len(read_bundle(archive(tmp_path / "a.zip", *members)).files) == 2
    monkeypatch.setattr(bundles, limit, value)
    check_refused(tmp_path / "a.zip", *members)


@pytest.mark.parametrize("content", [b"", b"PK", b"no archive", bytes(1000)])
def test_other_files_are_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "a.zip").write_bytes(content)
    with pytest.raises(BundleError):
        read_bundle(tmp_path / "a.zip")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'"my-bot"', b'"My-bot"'),
        (b'"my-bot"', b'"my:bot"'),
        (b'"my-bot"', b'"../my-bot"'),
        (b'"my-bot"', b'"my-b\xd0\xbet"'),
        (b'"my-bot"', b'"my-bot\\n"'),
        (b'"me"', b'"\\u001b[31mme"'),
        (b'"me"', b'" "'),
        (b'"me"', b'"<script>me</script>"'),
        (b'"me"', b'"[me](javascript:me)"'),
        (b'"me"', b'"\\u202eem"'),
        (b'"MIT"', b'"' + b"x" * 301 + b'"'),
        (b'["python3", "bot.py"]', b"[]"),
        (b'["python3", "bot.py"]', b'["a\\u0000b"]'),
        (b'"author"', b'"writer"'),
    ],
)
def test_cards_are_checked(tmp_path: Path, old: bytes, new: bytes) -> None:
    member = ("program/bot.py", b"")
    assert read_bundle(archive(tmp_path / "a.zip", member)).card.author == "me"
    check_refused(tmp_path / "b.zip", member, card=CARD.replace(old, new))


def test_a_bundle_has_one_bot(tmp_path: Path) -> None:
    policy, program = ("policy.onnx", b""), ("program/bot.py", b"")
    without_command = CARD.replace(b'["python3", "bot.py"]', b"[]")
    assert read_bundle(archive(tmp_path / "a.zip", policy, card=without_command)).files == {
        "policy.onnx": b""
    }
    for members in ([], [policy], [policy, program]):
        check_refused(tmp_path / "a.zip", *members)
