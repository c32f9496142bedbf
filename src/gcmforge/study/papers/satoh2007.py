# SPDX-License-Identifier: Apache-2.0
"""A. Satoh, "High-speed Parallelized Hardware Implementation of GCM", IPSJ Journal 2007 (in
Japanese): Tables 1 and 2, 0.13 um standard cells, post-synthesis with estimated wires."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from gcmforge.study.papers.form import (
    Below,
    Best,
    Claim,
    Column,
    Ours,
    Table,
    Value,
    Verdict,
    View,
    rows_of,
    short,
)
from gcmforge.study.papers.measured import OTHERS, Figures, Need
from gcmforge.study.papers.satoh2007_cycles import folded
from gcmforge.study.papers.yang2005_needs import CORE as YANG

LIBRARY = "ihp-sg13g2"
ARCHITECTURES: dict[str, tuple[str, ...]] = {
    "4 parallel": (),
    "sequential": ("lanes=1", "ghash=serial"),
    "4-stage loop": ("lanes=1", "ghash=serial", "aes=loop", "aes_rounds=4"),
    "4 loops": ("lanes=1", "ghash=serial", "aes=loop_parallel", "aes_loops=4"),
}
VERSIONS: dict[str, tuple[str, str]] = {
    "composite, area": ("poly_phi2_nu12", "area"),
    "composite, balanced": ("poly_phi2_nu12", "balanced"),
    "BDD, speed": ("twisted_bdd", "delay"),
}
"""S-box, and what synthesis is asked for: the paper goes from area to speed."""


def need(architecture: str, version: str) -> Need:
    sbox, goal = VERSIONS[version]
    settings = (*ARCHITECTURES[architecture], f"sbox={sbox}")
    return Need(what="satoh2007", target=LIBRARY, settings=settings, goal=goal)


ROWS = {
    f"{architecture}, {version}": need(architecture, version)
    for architecture in ARCHITECTURES
    for version in VERSIONS
}
_OTHERS = {
    version: Need(what=OTHERS, target=LIBRARY, goal=goal) for version, (_, goal) in VERSIONS.items()
}
"""What the paper has around AES, multipliers and key schedule, without queues and contexts."""
NEEDS = (*_OTHERS.values(), *sorted(ROWS.values(), key=lambda one: -len(one.settings)))

# Table 1 ------------------------------------------------------------------------------------------

_COLUMNS_1 = (
    Column(key="path", head="critical path", unit="ns", rank=True),
    Column(key="clock", head="clock", unit="MHz", rank=True),
    Column(key="rate", head="throughput", unit="Gbit/s", rank=True),
    Column(key="area", head="size", unit="gates", rank=True),
    Column(key="efficiency", head="efficiency", unit="kbit/s per gate", rank=True),
)
_OWN_1 = (
    Column(
        key="core", head="of it AES, GHASH and key schedule", unit="gates", rank=True,
        against="area",
    ),
    Column(
        key="core_efficiency", head="efficiency of these", unit="kbit/s per gate", rank=True,
        against="efficiency",
    ),
)  # fmt: skip


def _core(asked: Need) -> Ours:
    def ours(figures: Figures) -> Mapping[str, Value]:
        found = figures.get(asked)
        assert found.delay_ns and found.fmax_mhz and found.gbit_per_s and found.area_ge
        blocks = found.blocks_ge
        core = blocks["aes"] + blocks["ghash"] + blocks["key schedule"]
        return {
            "core": core, "core_efficiency": found.gbit_per_s * 1e6 / core,
            "path": found.delay_ns, "clock": found.fmax_mhz, "rate": found.gbit_per_s,
            "area": found.area_ge, "efficiency": found.gbit_per_s * 1e6 / found.area_ge,
        }  # fmt: skip

    return ours


def _subject(name: str) -> str:
    return " ".join(["`satoh2007", *(f"--set {one}" for one in ROWS[name].settings)]) + "`"


def _group(architecture: str) -> tuple[str, ...]:
    return tuple(f"{architecture}, {version}" for version in VERSIONS)


_PRODUCT = "a product that was sold: only its data sheet is published"

_BUILT = "we built it for SG13G2, 0.13 um as well"
_OTHER = "ours is in another library and keeps its round keys in flip-flops"
_SIZES = (
    f"{_BUILT}, and counted AES, GHASH and key schedule without the queues that the paper lacks"
)

TABLE_1 = Table(
    paper="satoh2007",
    key="1",
    title="GCM circuits: critical path, throughput, gates, efficiency",
    theirs="0.13 um standard cells, post-synthesis with estimated wires; [10] and [11] 0.18 um or "
    "not said",
    here="IHP SG13G2 (open 0.13 um cells), post-synthesis, ideal wires; Yang 2005 on osu018",
    done=_BUILT,
    columns=(*_COLUMNS_1, *_OWN_1),
    rows=rows_of(
        """
        4 parallel, composite, area       | 5.00 | 200.0 | 102.40 | 600,440 | 170.54
        4 parallel, composite, balanced   | 4.00 | 250.0 | 128.00 | 697,567 | 183.49
        4 parallel, BDD, speed            | 3.15 | 317.5 | 162.56 | 979,348 | 165.99
        sequential, composite, area       | 5.00 | 200.0 | 25.60  | 174,016 | 147.11
        sequential, composite, balanced   | 4.00 | 250.0 | 32.00  | 181,198 | 176.60
        sequential, BDD, speed            | 3.00 | 333.3 | 42.67  | 297,542 | 143.40
        4-stage loop, composite, area     | 5.00 | 200.0 | 6.40   | 73,104  | 87.55
        4-stage loop, composite, balanced | 4.00 | 250.0 | 8.00   | 79,566  | 100.55
        4-stage loop, BDD, speed          | 3.00 | 333.3 | 10.67  | 118,645 | 89.90
        4 loops, composite, area          | 5.00 | 200.0 | 6.40   | 96,241  | 66.50
        4 loops, composite, balanced      | 4.00 | 250.0 | 8.00   | 106,893 | 74.84
        4 loops, BDD, speed               | 3.00 | 333.3 | 10.67  | 162,373 | 65.69
        [10] Yang 2005                    | 3.69 | 271.0 | 34.69  | 498,658 | 69.57
        [11] Elliptic, 128 to 256         | 3.33 | 300.0 | 7.00   | 97,000  | 72.16
        [11] Elliptic, 10 Gbit/s          | -    | -     | 10.00  | 190,000 | 52.63
        [11] Elliptic, 20 Gbit/s          | -    | -     | 20.00  | 180,000 | 111.11
        [11] Elliptic, 40 Gbit/s          | -    | -     | 40.00  | 330,000 | 121.21
        """,
        _COLUMNS_1,
        ours={
            **{name: _core(asked) for name, asked in ROWS.items()},
            "[10] Yang 2005": _core(YANG),
        },
        subjects={**{name: _subject(name) for name in ROWS}, "[10] Yang 2005": "`yang2005`"},
        others=_PRODUCT,
    ),
    note="Throughput is that of a long message with a 256-bit key, as in the paper. The loops of "
    "the paper need 4 cycles a block at every key size.",
    claims=(
        Claim(
            text="more S-box area for speed does not pay: the composite field's best efficiency is "
            "above that of the BDD version in every architecture",
            done=_SIZES,
            unlike=_OTHER,
            where="Table 1, section 6",
            check=Below(
                column="core_efficiency",
                orders=tuple((_group(a)[2], _group(a)[1]) for a in ARCHITECTURES),
            ),
        ),
        Claim(
            text="four blocks in parallel are more efficient than one, as the key schedule is "
            "shared",
            done=_SIZES,
            unlike=_OTHER,
            where="section 6",
            check=Below(
                column="core_efficiency",
                orders=tuple(
                    (f"sequential, {version}", f"4 parallel, {version}") for version in VERSIONS
                ),
            ),
        ),
        Claim(
            text="a pipeline is more efficient than a loop with four blocks in flight, and that "
            "more than four loops",
            done=_SIZES,
            unlike=_OTHER,
            where="Table 1",
            check=Below(
                column="core_efficiency",
                orders=tuple(
                    (f"4 loops, {v}", f"4-stage loop, {v}", f"sequential, {v}") for v in VERSIONS
                ),
            ),
        ),
        Claim(
            text="the BDD version is the fastest of each architecture and the largest",
            unlike=_OTHER,
            where="Table 1",
            check=lambda view, figures: _fastest_and_largest(view),
        ),
        Claim(
            text="the critical path does not grow with the number of parallel blocks (5 % allowed)",
            unlike=_OTHER,
            where="abstract, section 6",
            check=Below(
                column="path",
                orders=tuple(
                    (f"4 parallel, {version}", f"sequential, {version}") for version in VERSIONS
                ),
                margin=0.05,
            ),
        ),
        Claim(
            text="four blocks in parallel with composite S-boxes do more than 100 Gbit/s",
            where="abstract",
            check=lambda view, figures: _above(view, _group("4 parallel")[:2], 100.0),
        ),
        Claim(
            text="the most efficient of all is four parallel blocks with composite S-boxes",
            done=_SIZES,
            unlike=_OTHER,
            where="Table 1",
            check=Best(column="core_efficiency", row="4 parallel, composite, balanced", most=True),
        ),
        Claim(
            text="a multiplier's critical path is 1 AND and about 10 XOR",
            done="we counted our multiplier's gates along its longest path",
            where="section 4",
            check=lambda view, figures: _ten_xors(),
        ),
        Claim(
            text="Len and E(K, Y0) are added up before the data, C_X, and the last blocks "
            "multiplied by one power of H more",
            done="we simulated it register by register (tests/laws/test_satoh2007_laws.py)",
            where="section 5, equation (10), Fig. 7",
            check=lambda view, figures: folded(),
        ),
    ),
)


def _fastest_and_largest(view: View) -> Verdict:
    path, area = view.ours("path"), view.ours("area")
    texts, good = [], []
    for architecture in ARCHITECTURES:
        names = _group(architecture)
        if not set(names) <= set(path):
            continue
        fast, large = min(names, key=path.__getitem__), max(names, key=area.__getitem__)
        good.append(fast == large == names[2])
        texts.append(f"{architecture}: {short(path[fast])} ns {fast.partition(', ')[2]}")
    if not texts:
        return Verdict(holds=None, evidence="not measured")
    complete = len(texts) == len(ARCHITECTURES)
    holds = (True if complete else None) if all(good) else False
    return Verdict(holds=holds, evidence="; ".join(texts))


def _above(view: View, names: Sequence[str], least: float) -> Verdict:
    found = {name: view.ours("rate")[name] for name in names if name in view.ours("rate")}
    if not found:
        return Verdict(holds=None, evidence="not measured")
    text = "; ".join(f"{name} {short(value)} Gbit/s" for name, value in found.items())
    return Verdict(holds=all(value > least for value in found.values()), evidence=text)


def _ten_xors() -> Verdict:
    from gcmforge.circuit import cost
    from gcmforge.leaf import multiplier

    built = cost(multiplier("schoolbook").circuit)
    text = f"our multiplier's path is {built.depth_and} AND and {built.depth_xor} XOR"
    return Verdict(holds=abs(built.depth_xor - 10) <= 1, evidence=text)


# Table 2 ------------------------------------------------------------------------------------------

_COLUMNS_2 = (
    Column(key="main", head="AES, mask and multiplier, one of four", unit="gates", rank=True),
    Column(key="keys", head="KeyGen", unit="gates"),
    Column(key="rest", head="XOR array and others", unit="gates"),
    Column(key="rate", head="throughput a block", unit="Gbit/s", rank=True),
)
_OWN_2 = (Column(key="whole", head="of our whole core in place of these others", unit="gates"),)
_CLOCKS = dict(zip(("200.0 MHz", "250.0 MHz", "317.5 MHz"), VERSIONS, strict=True))


def _blocks(version: str) -> Ours:
    def ours(figures: Figures) -> Mapping[str, Value]:
        found, others = figures.get(need("4 parallel", version)), figures.get(_OTHERS[version])
        assert found.gbit_per_s is not None
        area = found.blocks_ge
        return {
            "main": (area["aes"] + area["ghash"]) / 4,
            "keys": area["key schedule"],
            "rest": others.area_ge or 0.0,
            "whole": area["control"] + area["buffers"],
            "rate": found.gbit_per_s / 4,
        }

    return ours


TABLE_2 = Table(
    paper="satoh2007",
    key="2",
    title="Where the gates of the four parallel versions are",
    theirs=TABLE_1.theirs.partition(";")[0],
    here="IHP SG13G2, post-synthesis, ideal wires",
    done=_BUILT,
    columns=(*_COLUMNS_2, *_OWN_2),
    rows=rows_of(
        """
        200.0 MHz | 144,136 | 17,742 | 6,119 | 25.600
        250.0 MHz | 155,127 | 17,742 | 6,146 | 32.768
        317.5 MHz | 238,863 | 17,742 | 6,154 | 406.400
        """,
        _COLUMNS_2,
        ours={clock: _blocks(version) for clock, version in _CLOCKS.items()},
        subjects={clock: f"4 parallel, {version}" for clock, version in _CLOCKS.items()},
    ),
    note="Ours: a quarter of AES and GHASH; the key schedule with its stored round keys; and what "
    "the paper has around them, built as it describes it, without queues and contexts "
    "(study/papers/rtl/satoh2007_others.sv, shown by tests/laws/test_satoh2007_others.py). The "
    "last column is what our whole core has instead: control, queues and the streams' registers.",
    claims=(
        Claim(
            text="the parts add up to the sizes of Table 1",
            done="we added them up",
            where="Tables 1 and 2",
            check=lambda view, figures: _adds_up(view),
        ),
        Claim(
            text="a block does 25.600, 32.768 and 406.400 Gbit/s",
            done="we worked the printed figures out again",
            where="Table 2",
            check=lambda view, figures: _block_rates(view),
        ),
        Claim(
            text="key schedule and the rest are a small part of all gates, under 5 % by its "
            "figures",
            done="as its text has no such percentage, we worked it out from these, and built what "
            "the paper has around AES and multipliers",
            unlike=_OTHER,
            where="Table 2",
            check=lambda view, figures: _shared_part(view),
        ),
    ),
)


def _adds_up(view: View) -> Verdict:
    main, keys, rest = (view.theirs(key) for key in ("main", "keys", "rest"))
    texts, good = [], []
    for clock, version in _CLOCKS.items():
        total = 4 * main[clock] + keys[clock] + rest[clock]
        (row,) = [row for row in TABLE_1.rows if row.name == f"4 parallel, {version}"]
        whole = row.number("area")
        assert whole is not None
        texts.append(f"{total:,.0f} and {whole:,.0f}")
        good.append(abs(total / whole - 1) < 0.001)
    return Verdict(holds=all(good), evidence=f"sums of Table 2 and Table 1: {'; '.join(texts)}")


def _block_rates(view: View) -> Verdict:
    clocks = {clock: float(clock.partition(" ")[0]) for clock in _CLOCKS}
    found = {clock: mhz * 128 / 1000 for clock, mhz in clocks.items()}
    good = [abs(view.theirs("rate")[c] - value) < 0.0005 for c, value in found.items()]
    text = ", ".join(f"{clock} x 128 bits = {value:.3f}" for clock, value in found.items())
    return Verdict(holds=all(good), evidence=f"{text} Gbit/s")


def _shared_part(view: View) -> Verdict:
    """The most of the three versions: theirs, ours, and ours with its queues and contexts."""

    def most(column: Callable[[str], Mapping[str, float]], more: str) -> float:
        main, keys, rest = (column(key) for key in ("main", "keys", more))
        return max((keys[c] + rest[c]) / (4 * main[c] + keys[c] + rest[c]) for c in main)

    if not view.ours("main"):
        return Verdict(holds=None, evidence="not measured")
    theirs, ours = most(view.theirs, "rest"), most(view.ours, "rest")
    text = (
        f"they are {100 * theirs:.1f} % at most there and {100 * ours:.1f} % at most here, and "
        f"would be {100 * most(view.ours, 'whole'):.0f} % with the queues and contexts of our "
        "whole core"
    )
    return Verdict(holds=theirs < 0.05 and ours < 0.05, evidence=text)


TABLES = (TABLE_1, TABLE_2)
