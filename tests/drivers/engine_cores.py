# SPDX-License-Identifier: Apache-2.0
"""Cores that have an engine, made of what its descriptor says: nothing here knows a name of one."""

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import product
from typing import Any

from gcmforge.config import ConfigError, CoreConfig, Option, options
from gcmforge.config.architecture import Architecture
from gcmforge.config.engine import Engine, GhashEngine

LANES = (1, 2, 3, 4, 8, 16)
STAGES = (1, 2, 3, 4, 5, 6)
CONTEXTS = (1, 16, 17)
"""More than 16 are kept in memories."""
SUBSTAGES = (1, 2, 3, 4)
KEY_SIZES = ((128,), (192,), (256,), (128, 192), (128, 256))
FEW = 8
"""Values of an option that are all tried; of more, some from the lowest to the highest."""


def values_of(option: Option, default: Any) -> tuple[Any, ...]:
    """Values of an option that an engine has for itself."""
    if option.bounds is None:
        return option.choices or option.numbers
    low, high = option.bounds
    if high - low < FEW:
        return tuple(range(low, high + 1))
    step = (high - low) / (FEW - 1)
    return tuple(sorted({default, *(low + int(n * step) for n in range(FEW))}))


def _axes(engine: Engine) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """What the laws of an engine may depend on, with values for each."""
    if isinstance(engine, GhashEngine):
        yield "lanes", (1,) if engine.one_block else LANES
        yield "ghash_stages", STAGES if engine.staged else (1,)
        yield "contexts", CONTEXTS
    else:
        yield "aes_substages", SUBSTAGES
        yield "key_sizes", KEY_SIZES
    for name, own in engine.own.items():
        yield name, values_of(own.option, own.default)


@cache
def _around() -> tuple[Mapping[str, str], ...]:
    """Nothing, and each other choice of one option: what an engine may need around it."""
    other = (
        {name: choice}
        for name, option in options().items()
        for choice in option.choices
        if not option.listed_by
    )
    return ({}, *other)


def _needs(engine: Engine) -> dict[str, Any]:
    """What a core of its own cannot do without."""
    if isinstance(engine, Architecture):
        return {name: values[0] for name, values in engine.needs.items()}
    return {}


@cache
def cores_of(engine: Engine) -> tuple[CoreConfig, ...]:
    """Every core of those axes that can be built, with one other option set where one has to be."""
    axes = {engine.kind: (engine.name,), **dict(_axes(engine))}
    found = []
    for values in product(*axes.values()):
        chosen = dict(zip(axes, values, strict=True))
        for around in _around():
            if around.keys() & chosen.keys():
                continue
            try:
                found.append(CoreConfig(**{**_needs(engine), **around, **chosen}))
            except ConfigError:
                continue
            break
    assert found, f"{engine.module}: no core has it, with one other option set or none"
    return tuple(found)
