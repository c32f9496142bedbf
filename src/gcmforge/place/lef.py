# SPDX-License-Identifier: Apache-2.0
"""What placement needs of a LEF file: sizes of cells and of the site, and the routing layers."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass


class LefError(ValueError):
    """The text lacks what a LEF file of standard cells has."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Layer:
    """A wire of the usual width on a routing layer."""

    ff_per_um: float
    ohm_per_um: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Lef:
    """Lengths in um."""

    site: tuple[float, float]
    """Width and height of the core's site; the height is that of a row."""
    sizes: Mapping[str, tuple[float, float]]
    """Width and height by cell."""
    layers: Mapping[str, Layer]
    """Those that state resistance, and capacitance of area and edge."""


def read_lef(text: str) -> Lef:
    """LefError where there is no site of the core."""
    text = re.sub(r"#.*", "", text)
    sites = [_size(body) for body in _blocks(text, "SITE").values() if _is_core(body)]
    if not sites or sites[0] is None:
        raise LefError("the LEF file has no SITE of CLASS CORE with a SIZE")
    sizes = {name: _size(body) for name, body in _blocks(text, "MACRO").items()}
    layers = {name: _layer(body) for name, body in _blocks(text, "LAYER").items()}
    return Lef(
        site=sites[0],
        sizes={name: size for name, size in sizes.items() if size is not None},
        layers={name: layer for name, layer in layers.items() if layer is not None},
    )


def _blocks(text: str, word: str) -> dict[str, str]:
    """Bodies by name of what begins a line with the word and ends with END and the name."""
    pattern = rf"^[ \t]*{word}\s+(\S+)[ \t]*\n(.*?)^[ \t]*END\s+\1\s*$"
    return {found[1]: found[2] for found in re.finditer(pattern, text, re.MULTILINE | re.DOTALL)}


def _is_core(body: str) -> bool:
    return re.search(r"\bCLASS\s+CORE\b", body) is not None


def _size(body: str) -> tuple[float, float] | None:
    found = re.search(r"\bSIZE\s+([\d.]+)\s+BY\s+([\d.]+)", body)
    return None if found is None else (float(found[1]), float(found[2]))


def _layer(body: str) -> Layer | None:
    """A wire has an area, two edges, and as many squares as it is longer than wide."""
    if re.search(r"\bTYPE\s+ROUTING\b", body) is None:
        return None
    width = _number(body, "WIDTH")
    ohm = _number(body, "RESISTANCE RPERSQ")
    area = _number(body, "CAPACITANCE CPERSQDIST")
    edge = _number(body, "EDGECAPACITANCE")
    if width is None or ohm is None or area is None or edge is None:
        return None
    return Layer(ff_per_um=1000 * (area * width + 2 * edge), ohm_per_um=ohm / width)


def _number(body: str, words: str) -> float | None:
    pattern = r"^\s*" + r"\s+".join(words.split()) + r"\s+([\d.eE+-]+)\s*;"
    found = re.search(pattern, body, re.MULTILINE)
    return None if found is None else float(found[1])
