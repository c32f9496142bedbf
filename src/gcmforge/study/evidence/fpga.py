# SPDX-License-Identifier: Apache-2.0
"""The presets of FPGAs, placed and routed with several seeds: clock, spread, what limits it. Parts
that no open tool places: mapped.

`gcmforge-study evidence fpga` measures, which needs gcmforge[fpga]; `gcmforge-study pages fpga`
writes docs/reference/fpga.md from what is kept.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from gcmforge.config.presets import PRESETS
from gcmforge.measure.measure import measure
from gcmforge.measure.result import Result
from gcmforge.measure.table import significant
from gcmforge.place.families import FAMILIES
from gcmforge.study.checkout import REFERENCE, write_page
from gcmforge.study.evidence import peers
from gcmforge.study.kept import Found, Kept, Step
from gcmforge.study.pages.tables import head, line

SEEDS = 5
KEPT = Kept("fpga")

COMPARED = (("nano", "ice40-up5k"),)
"""Presets that are not for an FPGA, to compare with."""
PEERS_OWN = "ecp5", "ecp5-25", "key_sizes=128"
"""Preset, target and setting that the cores of others stand beside: most have AES-128 alone."""
PARTS = ("ice40-up5k", "nexus", "gowin", "gatemate", "ecp5-25", "ecp5-85-8")
"""The smallest first: placing takes minutes on the last one."""
MAPPED = tuple(
    (name, target) for target in ("xc7", "xcup") for name in ("nano", "micro", "ecp5", "ecp5-line")
)
"""Presets on parts that no open tool places."""


def asks() -> list[tuple[str, str]]:
    """Preset and target, in the order of the parts."""
    own = [(name, p.technology) for name, p in PRESETS.items() if p.technology in FAMILIES]
    return sorted([*own, *COMPARED], key=lambda ask: PARTS.index(ask[1]))


def steps() -> Iterator[Step]:
    for name, target in asks():
        yield Step(
            kind="fpga", name=f"{name} on {target}", call=placed, arguments=(name, target),
            command=f"gcmforge measure {name} --target {target} --seeds {SEEDS}",
        )  # fmt: skip
    name, target, setting = PEERS_OWN
    yield Step(
        kind="fpga", name=_peers_own(), call=placed, arguments=(name, target, setting),
        command=f"gcmforge measure {name} --set {setting} --target {target} --seeds {SEEDS}",
    )  # fmt: skip
    for name, target in MAPPED:
        yield Step(
            kind="fpga", name=f"{name} on {target}", call=mapped, arguments=(name, target),
            command=f"gcmforge measure {name} --target {target}",
        )  # fmt: skip


def _peers_own() -> str:
    name, target, setting = PEERS_OWN
    return f"{name}, {setting} on {target}"


def mapped(name: str, target: str) -> Found:
    """What a preset takes."""
    result = measure(name, target)
    data = {**resources(result), "tools": result.tools, "measured_at": result.measured_at}
    return Found(ok=True, text=result.command, data=data, seconds=result.seconds)


def resources(result: Result) -> dict[str, Any]:
    """Of the core alone."""
    fpga = result.fpga
    assert fpga is not None
    return {
        "summary": result.summary,
        "device": fpga.device,
        "luts": fpga.luts,
        "lut_ram_luts": fpga.lut_ram_luts,
        "flip_flops": fpga.flip_flops,
        "block_rams": fpga.block_rams,
        "carry": fpga.carry,
    }


def placed(name: str, target: str, *settings: str) -> Found:
    """A preset's figures; it fails where a clock that its preset names is not met."""
    result = measure(name, target, seeds=SEEDS, settings=settings)
    data = figures(result)
    asked = PRESETS[name].clock_mhz if PRESETS[name].technology == target else None
    good = asked is None or data["fmax_mhz"] >= asked
    said = f"{data['fmax_mhz']:.1f} MHz" + ("" if good else f", and {asked:g} are asked")
    text = f"{result.command}: {said}"
    return Found(ok=good, text=text, data=data, seconds=result.seconds)


def figures(result: Result) -> dict[str, Any]:
    """What the page shows of a result."""
    fpga, throughput = result.fpga, result.throughput
    assert fpga is not None and fpga.limit is not None and throughput is not None
    long = throughput.long_message_bytes
    assert fpga.fmax_mhz is not None
    gbit = {
        str(rate.key_bits): rate.bits_per_cycle * fpga.fmax_mhz / 1000
        for rate in throughput.rates
        if rate.packet_bytes == long
    }
    return {
        **resources(result),
        "fmax_mhz": fpga.fmax_mhz,
        "fmax_by_seed": {str(seed): mhz for seed, mhz in fpga.fmax_by_seed},
        "seed": fpga.seed,
        "utilisation": {kind: list(use) for kind, use in (fpga.utilisation or {}).items()},
        "wrapper_flip_flops": fpga.wrapper_flip_flops,
        "gbit_per_s_by_key": gbit,
        "limit": {
            "start": fpga.limit.start,
            "end": fpga.limit.end,
            "luts": fpga.limit.luts,
            "cells_ns": fpga.limit.cells_ns,
            "wires_ns": fpga.limit.wires_ns,
        },
        "tools": result.tools,
        "measured_at": result.measured_at,
    }


def write() -> None:
    """The page, from what is kept."""
    records = KEPT.read()
    KEPT.records()
    write_page(REFERENCE / "fpga.md", page(records), "gcmforge-study pages fpga")


def page(records: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """Lines; `records` are by step."""
    names = [step.name for step in steps()]
    by_name = {name: records[name] for name in names if name in records}
    unplaced = {
        name: record for name, record in by_name.items() if "fmax_mhz" not in record["found"]
    }
    known = {name: record for name, record in by_name.items() if name not in unplaced}
    yield "# On FPGAs, placed and routed\n"
    yield "Written by `gcmforge-study pages fpga`; the figures are of `gcmforge-study evidence"
    yield "fpga`. Each core is mapped by Yosys, and placed and routed by nextpnr, with"
    yield f"{SEEDS} seeds. Its clock is the median of them."
    yield "[How to measure](../how-to/measure.md#luts) tells what is counted.\n"
    yield from _clocks(known)
    yield from _resources(known)
    yield from _limits(known)
    yield from _mapped(unplaced)
    if others := peers.kept():
        own = known.get(_peers_own())
        yield from peers.table(others, (PEERS_OWN[0], per_lut(own["found"])) if own else None)
    first = next(iter(known.values()))["found"]
    tools = ", ".join(f"{name} {version}" for name, version in first["tools"].items())
    yield f"\nTools: {tools}."
    if missing := [name for name in names if name not in by_name]:
        yield f"\nNot measured: {', '.join(missing)}."


def _clocks(known: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    yield "## Clock and rate\n"
    yield "*Spread* is from the slowest to the fastest placement. Mbit/s are those of one long"
    yield "message at the median clock, by key. A clock on Gowin is a"
    yield "[bound from above](../how-to/measure.md#luts): nextpnr's times leave out most wires.\n"
    yield from head(
        "preset and target",
        ["median, MHz", "spread, MHz", "Mbit/s, AES-128", "Mbit/s, AES-256", "Mbit/s per LUT",
         "command"],
    )  # fmt: skip
    for name, record in known.items():
        found = record["found"]
        clocks = list(found["fmax_by_seed"].values())
        rates = found["gbit_per_s_by_key"]
        mbit = {key: significant(1000 * rates[key]) if key in rates else "-" for key in _KEYS}
        yield line(
            name,
            [
                f"{found['fmax_mhz']:.1f}",
                f"{min(clocks):.1f} to {max(clocks):.1f}",
                *mbit.values(),
                significant(per_lut(found)),
                f"`{record['command']}`",
            ],
        )
    yield ""
    fewer = {name: missing for name, one in known.items() if (missing := _not_ended(one))}
    for name, missing in fewer.items():
        seeds = " and ".join(filter(None, (", ".join(missing[:-1]), missing[-1])))
        yield f"With seed{'s' * (len(missing) > 1)} {seeds} nextpnr did not end: {name}.\n"
    if fewer:
        yield "Of an even number of clocks, the lower one of the two in the middle is the median.\n"


def _not_ended(record: Mapping[str, Any]) -> list[str]:
    """Seeds without a placement."""
    return [str(n) for n in range(1, SEEDS + 1) if str(n) not in record["found"]["fmax_by_seed"]]


_KEYS = ("128", "256")


def _luts(found: Mapping[str, Any]) -> int:
    """LUTs of logic and those that are RAM."""
    return int(found["luts"] + found["lut_ram_luts"])


def per_lut(found: Mapping[str, Any]) -> float:
    """Mbit/s by LUT, with the key that gives the most."""
    rates: Mapping[str, float] = found["gbit_per_s_by_key"]
    return 1000 * max(rates.values()) / _luts(found)


def _resources(known: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    yield "## What they take\n"
    yield "The first columns are of the core alone. *Placed* is what nextpnr used of the part, with"
    yield "the wrapper of four pins around the core, which has a flip-flop and half a LUT or more"
    yield "for each port's bit.\n"
    yield from head(
        "preset and target",
        ["part", "LUTs, logic", "LUTs, RAM", "flip-flops", "carry", "block RAMs", "placed"],
    )
    for name, record in known.items():
        found = record["found"]
        used = ", ".join(
            f"{kind} {use:,}" + (f" of {there:,} ({use / there:.0%})" if there else "")
            for kind, (use, there) in found["utilisation"].items()
        )
        yield line(
            name,
            [
                found["device"],
                f"{found['luts']:,}",
                f"{found['lut_ram_luts']:,}",
                f"{found['flip_flops']:,}",
                f"{found['carry']:,}",
                f"{found['block_rams']:g}",
                used,
            ],
        )
    yield ""


def _limits(known: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    yield "## What limits the clock\n"
    yield "The slowest path of the placement that is the median. *Cells* are from the clock to the"
    yield "first cell's output, LUTs, and the setup of the last cell.\n"
    yield from head("preset and target", ["seed", "LUTs", "cells, ns", "wires, ns", "from", "to"])
    for name, record in known.items():
        found = record["found"]
        limit = found["limit"]
        yield line(
            name,
            [
                f"{found['seed']}",
                f"{limit['luts']}",
                f"{limit['cells_ns']:.2f}",
                f"{limit['wires_ns']:.2f}",
                f"`{short(limit['start'])}`",
                f"`{short(limit['end'])}`",
            ],
        )
    yield ""


def _mapped(known: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    if not known:
        return
    yield "## Mapped, without a clock\n"
    yield "No open tool places 7-series or UltraScale+ with timing. These have no clock here: the"
    yield "maker's tool tells it. A LUT has six inputs.\n"
    columns = ["LUTs, logic", "LUTs, RAM", "flip-flops", "carry", "block RAMs", "command"]
    yield from head("preset and target", columns)
    for name, record in known.items():
        found = record["found"]
        counts = [f"{found[kind]:,}" for kind in ("luts", "lut_ram_luts", "flip_flops", "carry")]
        yield line(name, [*counts, f"{found['block_rams']:g}", f"`{record['command']}`"])
    yield ""


def short(cell: str) -> str:
    """A cell's name without what the mapper added to that of the register."""
    for mark in ("_TRELLIS_FF", "_FD1P3", "_DFF", "_SB_", "_LUT4", "_DI", "_CCU2"):
        cell = cell.partition(mark)[0]
    return cell.removeprefix("u_design.")
