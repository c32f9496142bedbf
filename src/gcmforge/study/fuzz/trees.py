# SPDX-License-Identifier: Apache-2.0
"""Changes of the values that a file of TOML or JSON holds, and of the groups of Liberty."""

import copy
import json
import re
import tomllib
from collections.abc import Iterator
from random import Random
from typing import Any

from gcmforge.study.fuzz.mutate import Form

ODD_VALUES: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 2**31, 2**63, 2**64, 10**30, 0.5, -0.0, 1e308, float("inf"),
    float("-inf"), float("nan"), "", " ", "x", "é", "\n", "\x1b[2J", "\x00", "\ud800", "0", "1..4",
    "a" * 3000, [], {}, [[]], [1, 2], ["x"], {"a": 1}, [None], [1, [2, [3, [4]]]],
)  # fmt: skip
_BARE = re.compile(r"[\w-]+", re.ASCII)
_BLOCK = re.compile(rb"[{}]")

Path = tuple[Any, ...]


def toml_changed(rng: Random, data: bytes, form: Form) -> bytes:
    """ValueError where it is not TOML."""
    tree = _changed(rng, tomllib.loads(data.decode()), form)
    return "".join(f"{_key(key)} = {_toml(value)}\n" for key, value in tree.items()).encode(
        errors="surrogatepass"
    )


def json_changed(rng: Random, data: bytes, form: Form) -> bytes:
    """ValueError where it is not JSON."""
    tree = _changed(rng, json.loads(data), form)
    return json.dumps(tree, indent=rng.choice((None, 1)), ensure_ascii=rng.random() < 0.5).encode(
        errors="surrogatepass"
    )


def liberty_changed(rng: Random, data: bytes, form: Form) -> bytes:
    """A group removed, doubled, or put in another's place."""
    groups = list(_groups(data))
    if len(groups) < 2:
        raise ValueError("no groups")
    (at, end), (other, last) = rng.sample(groups, 2)
    kind = rng.randrange(3)
    if kind == 0:
        return data[:at] + data[end:]
    if kind == 1:
        return data[:end] + data[at:end] + data[end:]
    return data[:at] + data[other:last] + data[end:]


def _groups(data: bytes) -> Iterator[tuple[int, int]]:
    """From the beginning of each group's line to its closing brace."""
    begun = []
    for brace in _BLOCK.finditer(data):
        if brace.group() == b"{":
            begun.append(data.rfind(b"\n", 0, brace.start()) + 1)
        elif begun:
            yield begun.pop(), brace.end()


def _changed(rng: Random, tree: Any, form: Form) -> Any:
    tree = copy.deepcopy(tree)
    places = list(_places(tree))
    if not places:
        raise ValueError("nothing in it")
    holder, key = rng.choice(places)
    other, place = rng.choice(places)
    kind = rng.randrange(8)
    if kind == 0:
        del holder[key]
    elif kind == 1 and isinstance(holder, list):
        holder[key:key] = [holder[key]] * rng.choice((1, 2, 300))
    elif kind == 2:
        holder[key] = copy.deepcopy(other[place])
    elif kind == 3:
        holder[key], other[place] = copy.deepcopy(other[place]), copy.deepcopy(holder[key])
    elif kind == 4 and isinstance(holder, dict):
        name = rng.choice(form.words) if form.words else "x"
        holder[rng.choice((name, f"{key}x", "", "a b", "é"))] = holder.pop(key)
    elif kind == 5:
        for _ in range(rng.choice((1, 2, 40))):
            holder[key] = [holder[key]] if rng.random() < 0.7 else {str(key): holder[key]}
    elif kind == 6 and form.words:
        word: Any = rng.choice(form.words)
        holder[key] = int(word) if word.isdecimal() and rng.random() < 0.8 else word
    else:
        holder[key] = rng.choice(ODD_VALUES)
    return tree


def _places(tree: Any) -> Iterator[tuple[Any, Any]]:
    """Every holder with a key or number in it."""
    if isinstance(tree, (dict, list)):
        for key in list(tree) if isinstance(tree, dict) else range(len(tree)):
            yield tree, key
            yield from _places(tree[key])


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else _text(key)


def _toml(value: Any) -> str:
    """A value as TOML has it; nothing is an empty text."""
    if isinstance(value, dict):
        return f"{{{', '.join(f'{_key(key)} = {_toml(one)}' for key, one in value.items())}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(_toml, value))}]"
    if isinstance(value, bool):
        return str(value).lower()
    if value is None or isinstance(value, str):
        return _text(value or "")
    return str(value)


def _text(value: str) -> str:
    return json.dumps(value, ensure_ascii=False)
