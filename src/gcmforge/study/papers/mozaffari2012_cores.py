# SPDX-License-Identifier: Apache-2.0
"""Mozaffari-Kermani, Reyhani-Masoleh 2012: Table 7, whole cores, and section 5's stages in rounds.

A core here is its AES and its GHASH, each mapped by itself, as the paper has no queues. Both are on
two nodes, 180 nm and 7 nm, between which the paper's 65 nm lies.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from gcmforge.study.papers.form import (
    AllBelow,
    Below,
    Best,
    Claim,
    Column,
    OnNodes,
    Table,
    Value,
    Verdict,
    View,
    rows_of,
    short,
)
from gcmforge.study.papers.measured import Figures, Measured, Need, NotMeasuredError
from gcmforge.study.papers.mozaffari2012_sboxes import CIRCUITS, HERE, NODES, TECHNOLOGY, on_nodes

_COLUMNS = (
    Column(key="mm2", head="area", unit="mm2"),
    Column(key="mm2_aes", head="of it AES", unit="mm2"),
    Column(key="kge", head="area", unit="kGE", rank=True),
    Column(key="kge_aes", head="of it AES", unit="kGE", rank=True),
    Column(key="power", head="power (ours: at 50 MHz)", unit="mW", rank=True),
    Column(key="clock", head="frequency", unit="MHz", rank=True),
    Column(key="rate", head="throughput (1)", unit="Gbit/s", rank=True),
    Column(key="efficiency", head="efficiency (1)", unit="Gbit/s per mm2", rank=True),
)
_OWN = (
    Column(key="kge_7", head="area on asap7", unit="kGE", rank=True, against="kge"),
    Column(key="power_7", head="power on asap7", unit="mW", rank=True, against="power"),
    Column(key="clock_7", head="frequency on asap7", unit="MHz", rank=True, against="clock"),
    Column(
        key="efficiency_7", head="efficiency on asap7", unit="Gbit/s per mm2", rank=True,
        against="efficiency",
    ),
)  # fmt: skip

SEQUENTIAL, SATOH = "[27], [28], [29]", "[31], [32]"
_ONE = ("lanes=1", "ghash=serial", "squarers=cascade")
PARTS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    SEQUENTIAL: (_ONE, (*_ONE, "multiplier=quadratic")),
    SATOH: (
        ("sbox=poly_phi2_nu12",),
        ("ghash=interleaved", "squarers=cascade", "multiplier=quadratic"),
    ),
    "Proposed (quad.)": ((), ("multiplier=quadratic",)),
    **{f"Proposed (KO{steps})": ((), (f"multiplier=ko{steps}",)) for steps in range(1, 7)},
}
"""Settings of AES and of GHASH, from the preset on."""
PROPOSED = tuple(name for name in PARTS if name.startswith("Proposed"))


def _part(node: str, module: str, *settings: str, after_shift: bool = False) -> Need:
    return Need(
        what="mozaffari2012", target=node, module=module, settings=settings, goal="balanced",
        power=True, after_shift=after_shift,
    )  # fmt: skip


def parts_of(name: str, node: str) -> tuple[Need, Need]:
    """AES and GHASH of a row."""
    aes, ghash = PARTS[name]
    return _part(node, "gcm_aes", *aes), _part(node, "gcm_ghash", *ghash)


def staged(node: str) -> Need:
    """The AES with a register between ShiftRows and MixColumns."""
    return _part(node, "gcm_aes", "aes_substages=2", after_shift=True)


NEEDS = tuple(
    dict.fromkeys(
        need
        for node in NODES
        for need in (*(part for name in PARTS for part in parts_of(name, node)), staged(node))
    )
)


def core(name: str, figures: Figures) -> Mapping[str, Value]:
    """AES and GHASH side by side, at the slower of their clocks, on both nodes; those of the second
    one, which is for the claims, where they are there."""
    large, small = (map(figures.get, parts_of(name, node)) for node in NODES)
    found: dict[str, Value] = dict(_whole(*large))
    try:
        other = _whole(*small)
    except NotMeasuredError:
        return found
    return found | {f"{key}_7": other[key] for key in ("kge", "power", "clock", "efficiency")}


def _whole(aes: Measured, ghash: Measured) -> dict[str, float]:
    assert aes.area_um2 and ghash.area_um2 and aes.area_ge and ghash.area_ge
    assert aes.fmax_mhz and ghash.fmax_mhz and aes.average_uw and ghash.average_uw
    area_mm2 = (aes.area_um2 + ghash.area_um2) / 1e6
    clock = min(aes.fmax_mhz, ghash.fmax_mhz)
    rate = 128 * clock / 1000
    return {
        "mm2": area_mm2, "mm2_aes": aes.area_um2 / 1e6,
        "kge": (aes.area_ge + ghash.area_ge) / 1000, "kge_aes": aes.area_ge / 1000,
        "power": (aes.average_uw + ghash.average_uw) / 1000, "clock": clock, "rate": rate,
        "efficiency": rate / area_mm2,
    }  # fmt: skip


def _bounds(node: str, view: View, figures: Figures) -> Verdict:
    """GHASH of those three is no slower than the AES, so that no core of these can be faster."""
    clocks = {}
    for name in ("Proposed (quad.)", "Proposed (KO1)", "Proposed (KO2)"):
        aes, clocks[name] = (figures.get(need).fmax_mhz or 0.0 for need in parts_of(name, node))
    slowest = min(clocks, key=clocks.__getitem__)
    text = (
        f"the AES has {short(aes)} MHz and the slowest GHASH of these, {slowest}, "
        f"{short(clocks[slowest])}"
    )
    return Verdict(holds=clocks[slowest] >= aes, evidence=text)


def _staged(name: str, node: str, figures: Figures) -> dict[str, float]:
    return _whole(figures.get(staged(node)), figures.get(parts_of(name, node)[1]))


def _plain(name: str, node: str, figures: Figures) -> dict[str, float]:
    return _whole(*map(figures.get, parts_of(name, node)))


def _fastest(node: str, view: View, figures: Figures) -> Verdict:
    one = "Proposed (KO1)"
    after, before = _staged(one, node, figures), _plain(one, node, figures)
    best = max(_plain(name, node, figures)["clock"] for name in PROPOSED)
    text = (
        f"{short(after['clock'])} MHz, where the best without it has {short(best)}, and "
        f"{short(after['kge'])} kGE, where KO1's without it has {short(before['kge'])}"
    )
    return Verdict(holds=after["clock"] > best and after["kge"] > before["kge"], evidence=text)


def _no_faster(node: str, view: View, figures: Figures) -> Verdict:
    two = "Proposed (KO2)"
    after, before = _staged(two, node, figures), _plain(two, node, figures)
    text = f"{short(after['clock'])} MHz with it and {short(before['clock'])} without"
    return Verdict(holds=after["clock"] <= 1.05 * before["clock"], evidence=text)


def _less_efficient(node: str, view: View, figures: Figures) -> Verdict:
    after = _staged("Proposed (KO1)", node, figures)["efficiency"]
    best = _plain("Proposed (KO4)", node, figures)["efficiency"]
    text = f"KO1's with it has {short(after)} Gbit/s per mm2, KO4's without {short(best)}"
    return Verdict(holds=after < best, evidence=text)


_SUBPIPELINED = (
    "we put that register into our AES and mapped this and the GHASH of KO1 and of KO2 on both "
    "nodes"
)
_POWERED = "we simulated the mapped AES and GHASH of each row with gate delays"

TABLE_7 = Table(
    paper="mozaffari2012",
    key="7",
    title="AES-GCM, one lane or eight",
    theirs=TECHNOLOGY,
    here=f"{HERE}; `gcm_aes` and `gcm_ghash` of `mozaffari2012`, at the slower of their clocks",
    done="we mapped the AES and the GHASH of each row on osu018 (180 nm) and on asap7 (7 nm)",
    columns=(*_COLUMNS, *_OWN),
    rows=rows_of(
        """
        [27], [28], [29] | 0.23 | 0.12 | 110 | 57  | 19.6  | 568 | 72.7 | 316.0
        [31], [32]       | 1.86 | 1.02 | 894 | 490 | 144.3 | 568 | 72.7 | 39.1
        Proposed (quad.) | 1.82 | 0.92 | 875 | 442 | 142.5 | 641 | 82.0 | 45.1
        Proposed (KO1)   | 1.62 | 0.92 | 779 | 442 | 124.6 | 641 | 82.0 | 50.6
        Proposed (KO2)   | 1.46 | 0.92 | 702 | 442 | 113.0 | 641 | 82.0 | 56.2
        Proposed (KO3)   | 1.34 | 0.92 | 644 | 442 | 104.8 | 621 | 79.4 | 59.3
        Proposed (KO4)   | 1.31 | 0.92 | 630 | 442 | 101.2 | 613 | 78.4 | 59.8
        Proposed (KO5)   | 1.30 | 0.92 | 625 | 442 | 102.0 | 595 | 76.1 | 58.5
        Proposed (KO6)   | 1.33 | 0.92 | 639 | 442 | 105.2 | 578 | 73.9 | 55.6
        """,
        _COLUMNS,
        ours={name: partial(core, name) for name in PARTS},
    ),
    note="(1) over n, n/8 + 7 and n/8 + 3 for the first row, the second and the rest. Queues and "
    "streams of our cores are left out, as the paper has none; the powers' squarers are in. Power "
    "is that of both netlists, a beat in every cycle, gate delays and glitches included, at the "
    "50 MHz of Table 2, as Table 7 does not tell its own; each netlist is first shown to do what "
    "the models do. Efficiencies are those before the division by (1), by which the proposed ones "
    "gain. The AES with a register between ShiftRows and MixColumns is a circuit of the study "
    "alone (study/papers/making.py), mapped and checked by itself: no option builds a core with "
    "it.",
    claims=(
        Claim(
            text="KO5 is the smallest core",
            unlike=CIRCUITS,
            where="section 5",
            check=on_nodes(Best, "kge", row="Proposed (KO5)", among=PROPOSED),
        ),
        Claim(
            text="KO4 has the highest efficiency of the proposed ones",
            unlike=CIRCUITS,
            where="section 5",
            check=on_nodes(Best, "efficiency", row="Proposed (KO4)", most=True, among=PROPOSED),
        ),
        Claim(
            text="quadratic, KO1 and KO2 are the fastest, as the AES bounds them",
            unlike=CIRCUITS,
            where="section 5",
            check=OnNodes(checks=tuple((node, partial(_bounds, node)) for node in NODES)),
        ),
        Claim(
            text="the clock falls from KO2 to KO6",
            unlike=CIRCUITS,
            where="section 5",
            check=on_nodes(
                Below,
                "clock",
                orders=(tuple(f"Proposed (KO{steps})" for steps in (6, 5, 4, 3, 2)),),
                strict=True,
                why="the AES, and not the multiplier, bounds several of these cores",
            ),
        ),
        Claim(
            text="the area falls up to KO5 and rises for KO6",
            unlike=CIRCUITS,
            where="section 5",
            check=on_nodes(
                Below,
                "kge",
                orders=(
                    (*(f"Proposed (KO{steps})" for steps in (5, 4, 3, 2, 1)), "Proposed (quad.)"),
                    ("Proposed (KO5)", "Proposed (KO6)"),
                ),
            ),
        ),
        Claim(
            text="all the proposed ones are more efficient than [31], [32]",
            unlike=CIRCUITS,
            where="abstract, section 6, Table 7",
            check=on_nodes(AllBelow, "efficiency", lesser=(SATOH,), greater=PROPOSED),
        ),
        Claim(
            text="multipliers by Karatsuba and Ofman take less power than the quadratic one",
            done=_POWERED,
            unlike=CIRCUITS,
            where="section 5",
            check=on_nodes(AllBelow, "power", lesser=PROPOSED[1:], greater=("Proposed (quad.)",)),
        ),
        Claim(
            text="the power is least with KO4",
            done=_POWERED,
            unlike=CIRCUITS,
            where="Table 7",
            check=on_nodes(Best, "power", row="Proposed (KO4)", among=PROPOSED),
        ),
        Claim(
            text="with a register between ShiftRows and MixColumns KO1's core is the fastest, 689 "
            "MHz for 641, and larger, 1.70 mm2 for 1.62",
            done=_SUBPIPELINED,
            unlike=CIRCUITS,
            where="section 5",
            check=OnNodes(checks=tuple((node, partial(_fastest, node)) for node in NODES)),
        ),
        Claim(
            text="the register after ShiftRows makes no major difference of the clock with KO2 "
            "(5 % allowed)",
            done=_SUBPIPELINED,
            unlike=CIRCUITS,
            where="section 5",
            check=OnNodes(checks=tuple((node, partial(_no_faster, node)) for node in NODES)),
        ),
        Claim(
            text="KO1's core with the register after ShiftRows is less efficient than KO4's "
            "without it, 51.9 for 59.8",
            done=_SUBPIPELINED,
            unlike=CIRCUITS,
            where="section 5",
            check=OnNodes(checks=tuple((node, partial(_less_efficient, node)) for node in NODES)),
        ),
    ),
)
