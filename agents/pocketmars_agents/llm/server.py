"""The address and API key of a chat-completions server, from environment variables.

The key is read for each request and not stored. Error messages never contain the key.
"""

import os
import re
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Self
from urllib.parse import urlsplit

BASE_URL, KEY = "OPENAI_BASE_URL", "OPENAI_API_KEY"
"""Names of the environment variables; many other clients of chat-completions servers use the same names."""
HIDDEN = "[key]"
PART = 8
"""Length of the shortest part of the API key that is hidden. The names of required fields of a response are
shorter, so that hidden parts do not change its structure."""
UNIT = re.compile(r'(?:\\+u00|%)[0-9a-fA-F]{2}|\\+["/]|\\\\+|.', re.DOTALL)
"""Pattern of one character as plain text, in a URL, or in a JSON string, even inside another JSON string."""


@dataclass(frozen=True)
class Server:
    """The address of a server.

    Attributes:
        is_secure: whether the connection uses TLS.
        host: the host name or IP address.
        port: the port; None if the URL contains no port.
        path: the path of the API, such as ``"/v1"``.

    """

    is_secure: bool
    host: str
    port: int | None
    path: str

    @classmethod
    def from_environment(cls) -> Self:
        """Return the server whose URL is in ``OPENAI_BASE_URL``."""
        url, example = os.environ.get(BASE_URL, ""), "such as http://localhost:8000/v1"
        if not url:
            raise ValueError(f"language models need a URL in the environment variable {BASE_URL}, {example}")
        key_of_server()
        try:
            parts = urlsplit(url)
            port = parts.port
            (parts.hostname or "").encode("idna")  # raises a UnicodeError, which is a ValueError
        except ValueError:
            raise ValueError(f"{BASE_URL} must be a URL, {example}") from None
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"{BASE_URL} must begin with http:// or https:// and a host, {example}")
        if parts.username is not None or parts.query or parts.fragment or not is_printable_ascii(url):
            raise ValueError(f"{BASE_URL} must be ASCII without spaces, user, query or fragment, {example}")
        return cls(parts.scheme == "https", parts.hostname, port, parts.path.rstrip("/"))


def key_of_server() -> str:
    """Return the API key from ``OPENAI_API_KEY``; an empty string if the variable is not set."""
    key = os.environ.get(KEY, "").strip()
    if key and not is_printable_ascii(key):
        raise ValueError(f"{KEY} must be printable ASCII without spaces")
    return key


def is_printable_ascii(text: str) -> bool:
    return text.isascii() and text.isprintable() and " " not in text


def without_key(text: str) -> str:
    """Return a text from the server with the API key, and long parts of it, replaced by `HIDDEN`.

    The key is found as plain text and in the encodings of JSON and URLs. A server may also cut the key short.
    """
    key = key_of_server()
    if not key:
        return text
    units = UNIT.findall(text)
    plain, is_hidden = "".join(map(decoded, units)), bytearray(len(units))
    # A key that looks encoded itself, such as "%41", is decoded with the text unless the server encodes it.
    for part in parts_of(key) | parts_of("".join(map(decoded, UNIT.findall(key)))):
        start = plain.find(part)
        while start >= 0:
            is_hidden[start : start + len(part)] = b"\1" * len(part)
            start = plain.find(part, start + 1)
    groups = groupby(zip(is_hidden, units, strict=True), key=itemgetter(0))
    return "".join(HIDDEN if hidden else "".join(unit for _, unit in group) for hidden, group in groups)


def parts_of(key: str) -> set[str]:
    """Return the substrings of a key with `PART` characters; a shorter key is its only part."""
    size = min(len(key), PART)
    return {key[i : i + size] for i in range(len(key) - size + 1)}


def decoded(unit: str) -> str:
    """Return the character that a match of `UNIT` encodes."""
    is_number = len(unit) > 2 and unit[-1] not in '"/\\'
    return chr(int(unit[-2:], 16)) if is_number else unit[-1]
