"""Bundles: zip archives with a card and either a policy or a program that speaks the line protocol.

``card.json`` is a `Card`. Beside it is either ``policy.onnx`` or a folder ``program`` of regular files.
"""

import hashlib
import io
import re
import stat
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from pocketmars_env.core import gate
from pocketmars_env.core.errors import error_text, quoted
from pocketmars_env.core.files.writing import write_whole
from pocketmars_env.replays.replay import is_printable

MAX_BYTES = 64 * 2**20
MAX_UNPACKED = 256 * 2**20
MAX_FILES = 500
CARD, POLICY, PROGRAM = "card.json", "policy.onnx", "program"
MEMBER = re.compile(rf"{CARD}|{POLICY}|{PROGRAM}(/\w[\w.-]{{0,99}}){{1,8}}", flags=re.ASCII)
DATE = (2000, 1, 1, 0, 0, 0)
"""The time of all files in a bundle, so that its hash depends only on the contents."""

Text = Annotated[str, Meta(min_length=1, max_length=300)]
MARKUP = frozenset("[]<>`|\\")
"""Characters that an author cannot have, because the page of the ladder shows authors."""


class BundleError(ValueError):
    """Raised if a bundle cannot be read or made."""


class Card(gate.Record, kw_only=True):
    """The card of a bundle, a JSON object."""

    format: Literal["pocketmars-bundle-1"] = "pocketmars-bundle-1"
    name: Annotated[str, Meta(pattern=r"^[a-z][a-z0-9-]{1,31}\Z")]
    author: Text
    license: Text
    description: Text  # how the bot was made
    division: str
    command: Annotated[tuple[Text, ...], Meta(max_length=20)] = ()  # starts the program in its folder

    def __post_init__(self) -> None:
        for text in (self.author, self.license, self.description, *self.command):
            if not is_printable(text) or not text.strip():
                raise ValueError(f"texts must be printable, got {quoted(text)}")
        if MARKUP & set(self.author):
            raise ValueError(
                f"the author's name cannot contain {' '.join(sorted(MARKUP))}, got {quoted(self.author)}"
            )


@dataclass(frozen=True)
class Bundle:
    """The content of a bundle."""

    card: Card
    files: Mapping[str, bytes]  # the other files, by their names in the archive
    programs: frozenset[str]  # the names of the files that can be executed
    digest: str  # the SHA-256 hash of the archive, in hex

    def unpack(self, folder: Path) -> None:
        """Write the files of the program, or the policy, into a folder; all users can read them."""
        folder.chmod(0o755)
        for name, content in self.files.items():
            path = folder / name.removeprefix(f"{PROGRAM}/")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
            path.chmod(0o755 if name in self.programs else 0o644)


def read_bundle(path: Path) -> Bundle:
    """Read and check a bundle; nothing in it is executed."""
    try:
        content = gate.read_file(path, MAX_BYTES)
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            members = archive.infolist()
            check_members(members)
            files = {member.filename: archive.read(member) for member in members}
        card = gate.decode(files.pop(CARD, b""), Card, CARD)
        check_content(card, files)
    except (ValueError, zipfile.BadZipFile, RuntimeError, EOFError, OSError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or error_text(error)
        raise BundleError(f"cannot read {path}: {reason}") from error
    programs = frozenset(member.filename for member in members if member.external_attr >> 16 & 0o100)
    return Bundle(card, files, programs, hashlib.sha256(content).hexdigest())


def check_members(members: list[zipfile.ZipInfo]) -> None:
    """Check the names, kinds and sizes of the files before any of them is unpacked."""
    if len(members) > MAX_FILES:
        raise BundleError(f"accepted: {MAX_FILES} files, got {len(members):,}")
    for member in members:
        name, kind = member.orig_filename, stat.S_IFMT(member.external_attr >> 16)
        if not MEMBER.fullmatch(name):
            accepted = f"{CARD}, {POLICY} and files in {PROGRAM}/ with plain names"
            raise BundleError(f"accepted: {accepted}, got {quoted(name)}")
        if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise BundleError(f"{quoted(name)} is compressed in a way other than deflate")
        if kind not in (0, stat.S_IFREG):
            raise BundleError(f"{quoted(name)} is not a regular file")
    names = {member.filename.lower() for member in members}
    folders = {str(parent) for name in names for parent in Path(name).parents}
    if len(names) < len(members) or names & folders:
        raise BundleError("two files have the same name")
    if (size := sum(member.file_size for member in members)) > MAX_UNPACKED:
        raise BundleError(f"unpacked, the files have {size:,} bytes, the limit is {MAX_UNPACKED:,}")


def check_content(card: Card, files: Mapping[str, bytes]) -> None:
    """Check that a bundle contains either a policy or a program with a command."""
    is_policy = set(files) == {POLICY}
    if not is_policy and (not files or POLICY in files):
        raise BundleError(f"beside {CARD}, a bundle contains either {POLICY} or files in {PROGRAM}/")
    if is_policy == bool(card.command):
        raise BundleError("a program needs a command" if not is_policy else "a policy has no command")


def write_bundle(path: Path, card: Card, files: Mapping[str, Path]) -> Bundle:
    """Write a bundle with the given files, by their names in the archive, and return it as it is read."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        add(archive, CARD, msgspec.json.format(msgspec.json.encode(card)), 0o644)
        for name, source in sorted(files.items()):
            add(archive, name, source.read_bytes(), source.stat().st_mode & 0o755)
    write_whole(path, buffer.getvalue())
    try:
        return read_bundle(path)
    except BundleError:
        path.unlink()
        raise


def add(archive: zipfile.ZipFile, name: str, content: bytes, mode: int) -> None:
    member: Any = zipfile.ZipInfo(name, DATE)
    member.external_attr = (stat.S_IFREG | mode) << 16
    member.create_system = 3  # Unix, whose modes are stored
    archive.writestr(member, content, zipfile.ZIP_DEFLATED)
