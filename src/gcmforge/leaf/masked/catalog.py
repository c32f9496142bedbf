# SPDX-License-Identifier: Apache-2.0
"""Every gadget by name."""

from collections.abc import Callable
from functools import partial

from gcmforge.field import NORMAL_BASES, TowerField
from gcmforge.leaf.masked.dom import dom_multiplier
from gcmforge.leaf.masked.gadget import Gadget
from gcmforge.leaf.masked.match import masked_match
from gcmforge.leaf.masked.sbox import masked_sbox

_FIELD = TowerField(phi=0b10, nu=0b0001, bases=NORMAL_BASES)


def _and(p: int, q: int) -> int:
    return p & q


def gadget_makers() -> dict[str, Callable[[], Gadget]]:
    """Name of every gadget -> what makes it."""
    return {
        "dom_mul1": partial(dom_multiplier, _and, 1),
        "dom_mul2": partial(dom_multiplier, _FIELD.multiply2, 2),
        "dom_mul4": partial(dom_multiplier, _FIELD.multiply4, 4),
        "masked_sbox": masked_sbox,
        "masked_match": masked_match,
    }


def gadget(name: str) -> Gadget:
    """The gadget of that name."""
    makers = gadget_makers()
    if name not in makers:
        raise ValueError(f"gadget={name!r}: there is {', '.join(makers)}")
    return makers[name]()
