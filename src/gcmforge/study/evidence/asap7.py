# SPDX-License-Identifier: Apache-2.0
"""Every preset, and every core beside a paper, on a node of today: ASAP7, a predictive 7 nm
process, at its slow corner.

Each is mapped with one script a module (--effort quick), wires and clock ideal. Up to
`POWER_LANES` lanes it is also simulated as a netlist under packets, for its power; wider cores have
their leakage only, as that simulation takes long. `gcmforge-study evidence asap7` measures;
`gcmforge-study pages asap7` writes docs/reference/asap7.md from what is kept.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from gcmforge.config.presets import PRESETS, load_config
from gcmforge.measure.result import Result
from gcmforge.measure.table import significant
from gcmforge.place.families import FAMILIES
from gcmforge.study.checkout import REFERENCE, write_page
from gcmforge.study.kept import Found, Kept, Step
from gcmforge.study.pages.asks import Ask
from gcmforge.study.pages.tables import head, line, of_plain_streams
from gcmforge.study.papers.contenders import CONTENDERS

TARGET = "asap7"
POWER_LANES = 2
SIZES = (64, 576, 1500, 9000)
"""Bytes of packets."""
AGREEMENT_PERCENT = 1.0
"""By how much OpenSTA's path may differ."""
KEPT = Kept("asap7")


def asks() -> dict[str, Ask]:
    """By preset, those with few lanes first; without those that are for an FPGA. Then the cores
    that stand beside a paper."""
    cells = [name for name in PRESETS if PRESETS[name].technology not in FAMILIES]
    cores: dict[str, tuple[str, tuple[str, ...]]] = {name: (name, ()) for name in cells}
    cores = dict(sorted(cores.items(), key=lambda one: PRESETS[one[0]].config.lanes))
    for one in CONTENDERS:
        cores[f"{one.name}, beside {one.paper}"] = "plain", one.all_settings
    return {
        name: Ask(
            what=what, settings=settings, target=TARGET, effort="quick",
            power=_lanes(what, settings) <= POWER_LANES,
        )
        for name, (what, settings) in cores.items()
    }  # fmt: skip


def _lanes(what: str, settings: Sequence[str]) -> int:
    return load_config(None, what, settings).lanes


def steps() -> Iterator[Step]:
    for name, ask in asks().items():
        yield Step(
            kind="asap7", name=name, call=measured, arguments=(ask,),
            command=f"gcmforge measure {ask.words}",
        )  # fmt: skip


def measured(ask: Ask) -> Found:
    """A preset's figures; it fails where OpenSTA finds another path or an unclocked flip-flop."""
    result = ask.result(lambda step: None)
    data = figures(result)
    differs = data["opensta_differs_percent"]
    good = (differs is None or abs(differs) <= AGREEMENT_PERCENT) and not data["unclocked"]
    said = "done" if good else f"OpenSTA differs by {differs} %, {data['unclocked']} unclocked"
    text = f"{result.command}: {said}"
    return Found(ok=good, text=text, data=data, seconds=result.seconds)


def figures(result: Result) -> dict[str, Any]:
    """What the page shows of a result; power at Fmax, of packets of 576 bytes one after another."""
    timing, power, throughput = result.timing, result.power, result.throughput
    assert timing is not None and timing.fmax_mhz is not None and throughput is not None
    long = throughput.long_message
    mw = None
    if power is not None:
        dynamic = power.average_uw - power.leakage_uw
        mw = (dynamic * timing.fmax_mhz / power.frequency_mhz + power.leakage_uw) / 1000
    other = result.other_timing
    rates = {str(size): throughput.rate(size) for size in SIZES}
    return {
        "area_ge": result.area_ge,
        "area_um2": result.area_um2,
        "flip_flops": result.flip_flops,
        "fmax_mhz": timing.fmax_mhz,
        "clock_transition_ns": timing.clock_transition_ns,
        "opensta_differs_percent": other.difference_percent if other else None,
        "unclocked": other.unclocked if other else 0,
        "key_bits": throughput.key_bits,
        "gbit_per_s": result.gbit_per_s,
        "long_bits_per_cycle": long.bits_per_cycle if long else None,
        "gbit_per_s_by_bytes": {size: r.gbit_per_s for size, r in rates.items() if r},
        "mw_at_fmax": mw,
        "leakage_mw": leakage_mw(result),
        "pj_per_bit": result.pj_per_bit,
        "no_power": result.pj_per_bit_missing,
        "target_version": result.target_version,
        "tools": result.tools,
        "measured_at": result.measured_at,
    }


def leakage_mw(result: Result) -> float | None:
    """Of the whole core; None where power was not simulated."""
    return None if result.power is None else result.power.leakage_uw / 1000


def write() -> None:
    """The page, from what is kept."""
    records = KEPT.read()
    KEPT.records()
    write_page(REFERENCE / "asap7.md", page(records), "gcmforge-study pages asap7")


def page(records: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """Lines; `records` are by preset."""
    known = {name: records[name] for name in asks() if name in records}
    first = next(iter(known.values()))["found"]
    yield "# Every preset at 7 nm, and every core beside a paper\n"
    yield "Written by `gcmforge-study pages asap7`; the figures are of `gcmforge-study evidence"
    yield "asap7`. ASAP7 is a predictive process: nobody makes chips in it. Its cells are close"
    yield "to those of a 7 nm node, and their data are free. Here it is at its slow corner, 0.63 V"
    yield "and 100 C, with regular threshold voltage.\n"
    yield "- Post-synthesis, ideal wires, no clock gates. The clock has no skew and a transition of"
    yield f"  {1000 * first['clock_transition_ns']:g} ps. One script a module (`--effort quick`)."
    yield "- A gate equivalent is NAND2xp5, 0.05832 um2. Neither it nor other weak cells (`xp`,"
    yield "  `x1p`) are used, as OpenROAD-flow-scripts leaves them out, too, to ease routing."
    yield "- Gbit/s are at Fmax, packets one after another, the largest key; *long* is one long"
    yield "  message. The power is at Fmax, with packets of 576 bytes, glitches included, leakage"
    yield "  included. It is simulated for cores of one lane or two with the top `gcm_axis`; `-`"
    yield "  where it is not."
    for number, told in enumerate(of_plain_streams(name for name in known if name in PRESETS)):
        yield f"{' ' if number else '-'} {told}"
    yield ""
    yield from _tables(known)
    tools = ", ".join(f"{name} {version}" for name, version in first["tools"].items())
    yield f"\nTools: {tools}."
    missing = [name for name in asks() if name not in known]
    if missing:
        yield f"\nNot measured: {'; '.join(missing)}."


def _tables(known: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    sizes = [f"Gbit/s, {size:,} bytes" for size in SIZES]
    yield from head(
        "core",
        ["lanes", "Fmax, MHz", "Gbit/s, long", "kGE", "um2", "kbit/s per gate", "mW", "pJ/bit"],
    )
    every = asks()
    for name, record in known.items():
        yield line(
            _label(name), _row(_lanes(every[name].what, every[name].settings), record["found"])
        )
    yield ""
    yield from head("core", ["key", *sizes, "of it leakage, mW", "OpenSTA differs by", "command"])
    for name, record in known.items():
        found = record["found"]
        by_size = found["gbit_per_s_by_bytes"]
        differs = found["opensta_differs_percent"]
        yield line(
            _label(name),
            [
                f"{found['key_bits']}",
                *(significant(by_size.get(str(size))) for size in SIZES),
                significant(found["leakage_mw"]) or "-",
                "-" if differs is None else f"{abs(differs):.4f} %",
                f"`{record['command']}`",
            ],
        )


def _label(name: str) -> str:
    return f"`{name}`" if name in PRESETS else name


def _row(lanes: int, found: Mapping[str, Any]) -> Sequence[str]:
    per_gate = 1e6 * found["gbit_per_s"] / found["area_ge"]
    return [
        f"{lanes}",
        f"{found['fmax_mhz']:,.0f}",
        significant(found["gbit_per_s"]),
        f"{found['area_ge'] / 1000:,.0f}",
        f"{found['area_um2']:,.0f}",
        f"{per_gate:.0f}",
        significant(found["mw_at_fmax"]) or "-",
        significant(found["pj_per_bit"]) or "-",
    ]
