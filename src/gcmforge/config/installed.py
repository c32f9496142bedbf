# SPDX-License-Identifier: Apache-2.0
"""The engines that are installed.

Folders are found in gcmforge.engines, and in every package that an installed distribution names in
the entry point group "gcmforge.engines". Nothing else lists them.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from types import MappingProxyType
from typing import cast

from gcmforge.config.engine import AesEngine, Engine, GhashEngine, Own
from gcmforge.config.option import ConfigError

ROOM = "gcmforge.engines"
GROUP = "gcmforge.engines"


class EngineError(ConfigError):
    """An engine's folder that cannot be used, and what to do."""


@cache
def _rooms() -> tuple[tuple[str, Path], ...]:
    """Package and folder of every room that holds engines; one that was taken away is passed."""
    rooms = []
    for package in dict.fromkeys([ROOM, *(point.value for point in entry_points(group=GROUP))]):
        try:
            found = import_module(package)
        except ModuleNotFoundError as error:
            if error.name is None or not package.startswith(error.name):
                raise
            continue
        rooms += [(package, Path(place)) for place in found.__path__]
    return tuple(rooms)


@cache
def engine_folders() -> tuple[Path, ...]:
    """The folders below which engines have their SystemVerilog."""
    return tuple(place for _, place in _rooms())


@cache
def _by_room() -> Mapping[str, tuple[Engine, ...]]:
    """The engines of each package."""
    return {
        package: tuple(
            _descriptor(f"{package}.{file.parent.name}.engine", file)
            for file in sorted(place.glob("*/engine.py"))
        )
        for package, place in _rooms()
    }


def _descriptor(module: str, file: Path) -> Engine:
    found = getattr(import_module(module), "ENGINE", None)
    if not isinstance(found, Engine):
        raise EngineError(
            f"{file}: it has no ENGINE that is a descriptor; name it so, one of the classes of "
            "gcmforge.config.engine or gcmforge.config.kinds"
        )
    return found


@cache
def every_engine() -> tuple[Engine, ...]:
    """All engines that are installed, by kind and name: of each kind the default one first, and
    those of other packages after our own."""
    own = _by_room()[ROOM]
    found = [engine for room in _by_room().values() for engine in room]
    for twice in _named_twice(found):
        rooms = [room for room, there in _by_room().items() for one in there if one is twice]
        raise EngineError(
            f"{twice.kind}={twice.name}: two engines have that name, the second one in "
            f"{rooms[0]}; give it another, or take its package away"
        )
    rank = {e: (e not in own, not e.default, e.rank, e.name) for e in found}
    return tuple(sorted(found, key=lambda engine: (engine.kind, rank[engine])))


def _named_twice(found: list[Engine]) -> Iterator[Engine]:
    """Each engine whose kind and name another one before it has."""
    seen = set[tuple[str, str]]()
    for one in found:
        if (one.kind, one.name) in seen:
            yield one
        seen.add((one.kind, one.name))


@cache
def engines(kind: str) -> Mapping[str, Engine]:
    """The engines of a kind by name."""
    return MappingProxyType({e.name: e for e in every_engine() if e.kind == kind})


def ghash_engine(name: str) -> GhashEngine:
    """The GHASH of that name."""
    return cast(GhashEngine, engines("ghash")[name])


def aes_engine(name: str) -> AesEngine:
    """The AES of that name."""
    return cast(AesEngine, engines("aes")[name])


def default_engine(kind: str) -> str:
    """The name of the engine of that kind that a core has when nobody sets another."""
    return next(engine.name for engine in engines(kind).values() if engine.default)


def engine_meaning(what: str, kind: str) -> str:
    """The meaning of the option that chooses among the engines of a kind."""
    own = [e for e in engines(kind).values() if e in _by_room()[ROOM]]
    others = [e.name for e in engines(kind).values() if e not in own]
    more = f" For comparison, from other packages: {', '.join(others)}." if others else ""
    return f"{what}. {' '.join(f'{kind}={e.name} {e.says}.' for e in own)}{more}"


def own_options() -> Mapping[str, tuple[tuple[Engine, ...], Own]]:
    """Every option that only one engine has, or a few of one kind, with these engines."""
    found = [(name, own) for e in every_engine() for name, own in e.own.items()]
    return {n: (tuple(e for e in every_engine() if n in e.own), own) for n, own in found}
