# SPDX-License-Identifier: Apache-2.0
"""Keys from files or standard input, and what keeps them out of texts.

A key never comes from the command line, where every user of the machine can read it. Messages about
a bad file tell where it is wrong and never what it holds.
"""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from gcmforge.config import ConfigError
from gcmforge.model import encrypt_block, key_expansion

KEY_DIGITS = (32, 48, 64)
SUBKEY_DIGITS = (32,)


@dataclass(frozen=True, slots=True, repr=False)
class Subkey:
    """The hash subkey H, a block as in the standard. Printing it shows nothing of it."""

    value: int

    def __repr__(self) -> str:
        return "Subkey(...)"


@dataclass(frozen=True, kw_only=True, slots=True)
class NamedSubkey:
    """One line of a portfolio: the name chooses the folder, and says nothing of the key."""

    name: str
    subkey: Subkey


def subkey_of_key(key: bytes) -> Subkey:
    """H = E(K, 0^128), SP 800-38D section 7.1."""
    return Subkey(encrypt_block(key_expansion(key), 0))


def read_key_file(path: str) -> Subkey:
    """The subkey of the AES key in a file: 32, 48 or 64 hex digits; - is standard input."""
    return subkey_of_key(bytes.fromhex(_digits(path, KEY_DIGITS)))


def read_subkey_file(path: str) -> Subkey:
    """The subkey in a file: 32 hex digits; - is standard input."""
    return Subkey(int(_digits(path, SUBKEY_DIGITS), 16))


def read_portfolio(path: str) -> tuple[NamedSubkey, ...]:
    """A key a line: a name and the hex digits of an AES key, or the digits alone, which get the
    name key0001 and so on after their line. Empty lines and lines after # do not count."""
    keys: list[NamedSubkey] = []
    seen: set[str] = set()
    for number, words in _lines(path):
        where = f"{_shown(path)}, line {number}"
        if len(words) > 2:
            raise ConfigError(f"{where}: {len(words)} words; use a name and hex digits")
        name = words[0] if len(words) == 2 else f"key{number:04d}"
        _check_name(name, where)
        if name in seen:
            raise ConfigError(f"{where}: this name comes twice; give each key its own")
        seen.add(name)
        digits = _check_digits(words[-1], KEY_DIGITS, where)
        keys.append(NamedSubkey(name=name, subkey=subkey_of_key(bytes.fromhex(digits))))
    if not keys:
        raise ConfigError(f"{_shown(path)}: holds no key; use a line of hex digits for each")
    return tuple(keys)


def _check_name(name: str, where: str) -> None:
    plain = name.isascii() and name.replace("_", "").replace("-", "").isalnum()
    if not plain or len(name) > 64 or name.startswith("-"):
        raise ConfigError(
            f"{where}: not a name for a folder; use up to 64 letters, digits, - and _"
        )
    if len(name) >= 16 and all(c in "0123456789abcdefABCDEF" for c in name):
        raise ConfigError(f"{where}: the name looks like a key, and it becomes a folder's name")


def _lines(path: str) -> Iterator[tuple[int, list[str]]]:
    for number, line in enumerate(_text(path).splitlines(), 1):
        words = line.partition("#")[0].split()
        if words:
            yield number, words


def _digits(path: str, allowed: tuple[int, ...]) -> str:
    """The digits of the only key in a file; they may be in several lines."""
    return _check_digits("".join(_text(path).split()), allowed, _shown(path))


def _check_digits(text: str, allowed: tuple[int, ...], where: str) -> str:
    text = text.removeprefix("0x")
    numbers = " or ".join(map(str, allowed))
    if any(c not in "0123456789abcdefABCDEF" for c in text):
        raise ConfigError(
            f"{where}: not all hex digits; use {numbers} of them (of a binary file: xxd -p FILE)"
        )
    if len(text) not in allowed:
        raise ConfigError(f"{where}: {len(text)} hex digits; use {numbers}")
    return text


def _text(path: str) -> str:
    if path == "-":
        return sys.stdin.read()
    try:
        return Path(path).read_text(encoding="ascii")
    except UnicodeDecodeError:
        raise ConfigError(
            f"{path}: not a text file; use hex digits (of a binary file: xxd -p FILE)"
        ) from None
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read ({error.strerror})") from None


def _shown(path: str) -> str:
    return "standard input" if path == "-" else path
