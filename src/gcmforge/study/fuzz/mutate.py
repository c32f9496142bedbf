# SPDX-License-Identifier: Apache-2.0
"""From a valid file to one that is almost valid: changes of bytes, of words, of lines and of the
values that the file holds.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

MOST_BYTES = 100_000
"""A longer file is cut, so that the next ones are tried soon, too."""

ODD_BYTES = (
    b"\xef\xbb\xbf", b"\0", b"\xff", b"\xc0\x80", b"\xed\xa0\x80", b"\xf0\x9f\x92\xa9", b"\r",
    b"\n", b"\x1b[2J", b"\x0c", b"\x85", b"\xe2\x80\xa8", b"\\", b'"', b"'", b"{", b"}", b"[", b"]",
    b"(", b")", b"#", b"/*", b"*/", b"=", b":", b";", b",", b".", b" ", b"\t",
)  # fmt: skip
EXTREMES = (
    "0", "1", "-1", "00", "-0", "+1", "1.5", "1e999", "-1e999", "1e-400", "nan", "inf", "-inf",
    "1e", ".", "-", "1.2.3", "2147483648", "4294967295", "-9223372036854775809",
    "18446744073709551616", "9" * 30, "9" * 400, "9" * 5000, "0x10", "0xffffffffffffffffff", "0b2",
    "1_000", "1..4", "0..99999999", "4..1", "true", "false", "null", "None", "''", '""', "[]", "{}",
    "1979-05-27T07:32:00Z", "2020-13-45", "25:61:61", "é", "\u0663", "\u00b2", "\u202e", "x" * 5000,
)  # fmt: skip
DEPTHS = (2, 50, 500, 2_000, 50_000)
_WORD = re.compile(rb"[A-Za-z_][\w.]*|[-+]?[\d.]+|\"[^\"\n]*\"|'[^'\n]*'|[^\w\s]|\s+")


@dataclass(frozen=True, kw_only=True, slots=True)
class Form:
    """What a kind of files is made of."""

    words: tuple[str, ...] = ()
    """Words that mean something in it."""
    nests: tuple[tuple[str, str], ...] = (("[", "]"),)
    """What opens and closes one more level of it."""
    change: Callable[[Random, bytes, "Form"], bytes] | None = None
    """A change of the values that a valid file holds; ValueError where it is not valid."""
    text: bool = True
    """Whether it has words and lines."""


def mutated(rng: Random, pool: Sequence[bytes], form: Form) -> bytes:
    """One of the files with one change or some."""
    data = rng.choice(pool)
    for _ in range(min(8, 1 + int(rng.expovariate(1.2)))):
        data = _changed(rng, data, pool, form)
    return data[: MOST_BYTES if len(data) < 10 * MOST_BYTES else MOST_BYTES // 10]


def _changed(rng: Random, data: bytes, pool: Sequence[bytes], form: Form) -> bytes:
    kind = rng.random()
    if form.change is not None and kind < 0.45:
        try:
            return form.change(rng, data, form)
        except ValueError:
            kind = rng.uniform(0.45, 1)
        except RecursionError:
            return data
    if not form.text or kind > 0.85:
        return _bytes(rng, data, pool)
    return _lines(rng, data) if kind > 0.75 else _words(rng, data, form)


# Bytes --------------------------------------------------------------------------------------------


def _bytes(rng: Random, data: bytes, pool: Sequence[bytes]) -> bytes:
    at, end = sorted(rng.randrange(len(data) + 1) for _ in range(2))
    short = min(end, at + rng.choice((1, 2, 8, 64)))
    kind = rng.randrange(8)
    if kind == 0 and data:
        at = min(at, len(data) - 1)
        return data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1 :]
    if kind == 1:
        return data[:at] + data[short:]
    if kind == 2:
        return data[:end] + data[at:short] * rng.choice((1, 2, 50)) + data[end:]
    if kind == 3:
        return data[:at]
    if kind == 4:
        other = rng.choice(pool)
        return data[:at] + other[rng.randrange(len(other) + 1) :]
    if kind == 5:
        return data[:at] + rng.randbytes(short - at) + data[short:]
    if kind == 6 and rng.random() < 0.2:
        return rng.choice(ODD_BYTES[:4]) + data
    return data[:at] + rng.choice(ODD_BYTES) * rng.choice((1, 1, 1, 3)) + data[at:]


# Words and lines ----------------------------------------------------------------------------------


def _words(rng: Random, data: bytes, form: Form) -> bytes:
    words = _WORD.findall(data)
    if not words:
        return data
    at, other = rng.randrange(len(words)), rng.randrange(len(words))
    kind = rng.randrange(7)
    if kind == 0:
        del words[at]
    elif kind == 1:
        words.insert(other, words[at])
    elif kind == 2:
        words[at], words[other] = words[other], words[at]
    elif kind == 3:
        words[at] = words[other]
    elif kind == 4 and rng.random() < 0.3:
        opening, closing = rng.choice(form.nests)
        depth = rng.choice(DEPTHS)
        closings = depth if rng.random() < 0.8 else rng.randrange(depth)
        words[at] = opening.encode() * depth + words[at] + closing.encode() * closings
    elif kind == 5 and form.words:
        words[at] = rng.choice(form.words).encode()
    else:
        words[at] = _extreme(rng).encode()
    return b"".join(words)


def _lines(rng: Random, data: bytes) -> bytes:
    lines = data.splitlines(keepends=True)
    if not lines:
        return data
    at, other = rng.randrange(len(lines)), rng.randrange(len(lines))
    kind = rng.randrange(5)
    if kind == 0:
        del lines[at]
    elif kind == 1:
        lines.insert(other, lines[at])
    elif kind == 2:
        lines[at], lines[other] = lines[other], lines[at]
    elif kind == 3:
        lines[at] = lines[at].rstrip(b"\r\n") + rng.choice((b"", b"\r\n", b"\r", b"\\\n", b"\n\n"))
    else:
        first, last = sorted((at, other))
        lines[first:last] = lines[first:last] * rng.choice((0, 2, 3))
    return b"".join(lines)


def _extreme(rng: Random) -> str:
    return rng.choice(EXTREMES) if rng.random() < 0.8 else str(rng.randint(-300, 300))
