# SPDX-License-Identifier: Apache-2.0
"""How the figures of the papers' tables are made, each from its Need (measured.py)."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gcmforge.study.papers.measured import (
    CWC,
    FIG_6,
    ONE_KEY,
    OTHERS,
    ZEROS,
    Measured,
    Need,
    read_kept,
)

if TYPE_CHECKING:
    from gcmforge.config import CoreConfig
    from gcmforge.netlist.targets import Target


def make_all(needs: Iterable[Need], *, jobs: int = 0) -> Iterator[tuple[Need, Measured | str]]:
    """Each with its figures, or with the reason why there are none, as they come.

    `jobs` processes, one a processor unless given. What took longest when it was kept is begun
    first, so that the processors are busy to the end.
    """
    kept = read_kept()
    order = sorted(needs, key=lambda need: -kept.get(need.name, Measured(seconds=math.inf)).seconds)
    if not order:
        return
    pool = ProcessPoolExecutor(jobs or os.cpu_count() or 1, mp_context=get_context("spawn"))
    try:
        running = {pool.submit(_made, need): need for need in order}
        for done in as_completed(running):
            yield running[done], done.result()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _made(need: Need) -> Measured | str:
    from gcmforge.measure.errors import SHOWN

    try:
        return make(need)
    except SHOWN as error:
        return str(error)


def make(need: Need) -> Measured:
    """From the results store where it is there, else measured."""
    if need.what == ZEROS.what:
        return _counted_zeros()
    if need.what == ONE_KEY:
        return _fixed_key(need)
    if need.what in (CWC, OTHERS, FIG_6):
        return _own_leaf(need)
    if need.module and need.power:
        return _powered_part(need)
    return _measured(need) if need.target else _played(need)


def _measured(need: Need) -> Measured:
    from gcmforge.config.presets import load_config
    from gcmforge.measure.measure import measure
    from gcmforge.measure.result import Result
    from gcmforge.measure.subject import Subject, part_subject

    subject: str | Subject = need.what
    if need.module:
        config = load_config(None, need.what, need.settings)
        subject = part_subject(" ".join((need.what, *need.settings)), config, need.module)
    result: Result = measure(
        subject,
        _target(need),
        settings=() if need.module else need.settings,
        effort=need.effort,
        goal=need.goal or None,
        power=need.power,
        placed=need.placed,
        seeds=need.seeds,
    )
    return measured_of(result)


def _own_leaf(need: Need) -> Measured:
    """A circuit of the study, as a leaf is measured; the largest one with more time."""
    from gcmforge.measure.measure import measure
    from gcmforge.measure.result import Result
    from gcmforge.measure.subject import Subject

    if need.what == CWC:
        return _mapped(need, *_cwc(need.module), leaf=need.module)
    texts, top, ports = _written(need.what)
    subject = Subject(
        what=need.name, kind="leaf", summary=need.name, configuration=None, texts=texts, top=top,
        ports=ports, clock="clk",
    )  # fmt: skip
    result: Result = measure(
        subject, need.target, effort=need.effort, goal=need.goal or None, seeds=need.seeds
    )
    return measured_of(result)


_Own = tuple[dict[str, str], str, tuple[tuple[str, str, int], ...]]
"""Files in compile order, the top, and its ports."""


def _cwc(module: str) -> tuple[dict[str, str], str]:
    """CWC's multiplier between registers."""
    from gcmforge.study.papers.cwc import MODULAR, registered_text

    return registered_text(modular=module == MODULAR), f"{module}_registered"


def _written(name: str) -> _Own:
    """A module of rtl/, and the leaf that Fig. 6 has in it."""
    from gcmforge.config.presets import load_config
    from gcmforge.measure.subject import part_subject

    file = Path(__file__).parent / "rtl" / f"{name}.sv"
    text, texts = file.read_text(), {}
    if name == FIG_6:
        part = part_subject("", load_config(None, "abdellatif2012", ()), "gcm_ghash")
        texts["gf128_dot.sv"] = part.texts["gf128_dot.sv"]
    rows = re.findall(r"^    (input|output) +logic (?:\[ *(\d+):0\])? *(\w+)", text, re.MULTILINE)
    ports = tuple((port, way, int(top or 0) + 1) for way, top, port in rows)
    return {**texts, file.name: text}, name, ports


_TOO_WIDE = "*33[123]x*"
"""Cells of ASAP7 with more than six inputs: power is simulated of up to six."""


def _target(need: Need) -> Target:
    """As named; for power on ASAP7 without the cells that it cannot be simulated with."""
    from gcmforge.netlist.targets import find_target

    found = find_target(need.target)
    if not need.power or need.target != "asap7":
        return found
    return replace(found, dont_use=(*found.dont_use, _TOO_WIDE))


_AFTER_SHIFT = """module aes_sub_shift (
    input  logic         clk,
    input  logic         en_i,
    input  logic [127:0] state_i,
    output logic [127:0] state_o
);
  logic [127:0] shifted;
  aes_sub_shift_now u_now (.clk(clk), .en_i(en_i), .state_i(state_i), .state_o(shifted));
  always_ff @(posedge clk) if (en_i) state_o <= shifted;
endmodule
"""
"""Two stages a round as Mozaffari 2012, section 5, has them: whole S-boxes, then MixColumns."""


def _part_texts(need: Need, config: CoreConfig) -> dict[str, str]:
    """The part's files in compile order."""
    from gcmforge.measure.subject import part_subject

    texts = dict(part_subject(need.what, config, need.module).texts)
    if need.after_shift:
        whole = part_subject(need.what, config.with_settings(("aes_substages=1",)), need.module)
        text = whole.texts["aes_sub_shift.sv"]
        now = text.replace("module aes_sub_shift (", "module aes_sub_shift_now (")
        texts["aes_sbox.sv"] = whole.texts["aes_sbox.sv"]
        texts["aes_sub_shift.sv"] = f"{now}\n{_AFTER_SHIFT}"
    return texts


def _mapped(
    need: Need,
    texts: Mapping[str, str],
    top: str,
    powered: CoreConfig | None = None,
    leaf: str = "",
) -> Measured:
    """Area and clock of a module; of a part of that core its power under its own traffic, too, and
    then its netlist is first shown to do what the models do."""
    from datetime import UTC, datetime
    from time import perf_counter

    from gcmforge.netlist.targets import library_of
    from gcmforge.sta.timing import analyse
    from gcmforge.study.papers.part_power import mapped_part, part_power
    from gcmforge.tools import yosys_version

    start = perf_counter()
    target = _target(need)
    mapped = mapped_part(texts, top, target, effort=need.effort, goal=need.goal, leaf=leaf)
    timing = analyse(
        mapped.netlist, library_of(target), clock_ns=None, driving_cell=target.driving_cell,
        load_ff=target.load_ff, clock_slew_ns=target.clock_transition_ns,
    )  # fmt: skip
    power = part_power(powered, top, mapped, target) if powered else None
    return Measured(
        area_ge=mapped.area_ge,
        area_um2=mapped.area_um2,
        flip_flops=mapped.flip_flops,
        delay_ns=timing.critical_path_ns,
        fmax_mhz=timing.fmax_mhz,
        average_uw=power.average_uw if power else None,
        values={
            "leakage_uw": power.leakage_uw,
            "glitch_share": power.glitch_toggles / power.toggles,
            "cycles": power.transitions,
        }
        if power
        else {},
        note="post-synthesis, ideal wires"
        + (f"; power at {power.frequency_mhz:g} MHz" if power else ""),
        family=target.family,
        tools=f"yosys {yosys_version()}",
        at=datetime.now(UTC).isoformat(timespec="seconds"),
        seconds=round(perf_counter() - start, 1),
    )


def _powered_part(need: Need) -> Measured:
    """gcm_aes or gcm_ghash alone."""
    from gcmforge.config.presets import load_config

    config = load_config(None, need.what, need.settings)
    return _mapped(need, _part_texts(need, config), need.module, config)


def measured_of(result: Any) -> Measured:
    """What the tables need of a Result."""
    timing, power, fpga, throughput = result.timing, result.power, result.fpga, result.throughput
    rates = throughput.rates if throughput else ()
    return Measured(
        area_ge=result.area_ge,
        area_um2=result.area_um2,
        flip_flops=result.flip_flops,
        delay_ns=timing.delay_ns if timing else None,
        delay_ta=timing.delay_ta if timing else None,
        fmax_mhz=timing.fmax_mhz if timing else None,
        gbit_per_s=result.gbit_per_s,
        average_uw=power.average_uw if power else None,
        peak_uw=power.peak_uw if power else None,
        peak_at=_transition(power.peak_transition) if power else "",
        luts=fpga.luts if fpga else None,
        lut_ram_luts=fpga.lut_ram_luts if fpga else None,
        blocks_ge={block.name: block.area_ge for block in result.blocks},
        bits_per_cycle={
            str(rate.packet_bytes): rate.bits_per_cycle
            for rate in rates
            if rate.key_bits == throughput.key_bits
        },
        long_bits_by_key={
            str(rate.key_bits): rate.bits_per_cycle
            for rate in rates
            if rate.packet_bytes == throughput.long_message_bytes
        },
        placed_area_ge=result.placed.area_ge if result.placed else None,
        placed_fmax_mhz=result.placed.fmax_mhz if result.placed else None,
        layout_area_ge=result.layout.area_ge if result.layout else None,
        first_text_latency_cycles=throughput.first_text_latency_cycles if throughput else None,
        note=result.note,
        family=result.target_family,
        tools=", ".join(f"{name} {version}" for name, version in result.tools.items()),
        at=result.measured_at,
        seconds=result.seconds,
    )


def _transition(pair: tuple[int, int] | None) -> str:
    return f"{pair[0]:02X} to {pair[1]:02X}" if pair else ""


def _played(need: Need) -> Measured:
    """Bits per cycle of packets back to back on the simulated core, every answer checked."""
    import tempfile
    from datetime import UTC, datetime
    from time import perf_counter

    from gcmforge.config.presets import load_config
    from gcmforge.emit.core import build_core
    from gcmforge.measure.throughput import packet_rate
    from gcmforge.sim import Core
    from gcmforge.tools import verilator_version

    start = perf_counter()
    config = load_config(None, need.what, need.settings)
    with tempfile.TemporaryDirectory(prefix="gcmforge-papers-") as folder:
        build_core(config, Path(folder, "core"), prove=False)
        core = Core(Path(folder, "core"))
        core.library()
        with core.simulation() as simulation:
            rates = [
                packet_rate(simulation, config, max(config.key_sizes), size)
                for size in need.packets
            ]
    return Measured(
        bits_per_cycle={str(rate.packet_bytes): rate.bits_per_cycle for rate in rates},
        note="simulated, every answer checked",
        tools=f"verilator {verilator_version()}",
        at=datetime.now(UTC).isoformat(timespec="seconds"),
        seconds=round(perf_counter() - start, 1),
    )


def _counted_zeros() -> Measured:
    """Percent of zeros in table T of Crenne 2011: lowest, average and highest of all keys, counted
    as the paper did."""
    from datetime import UTC, datetime

    from gcmforge.study.papers.zeros import percent, table_statistics

    found = table_statistics(10**8, draw="keys", generator="mt19937", seed=2011)
    shares = {"lowest": found.lowest, "average": found.mean, "highest": found.highest}
    return Measured(
        values={name: percent(share) for name, share in shares.items()},
        note=f"{found.generator}, seed {found.seed}",
        at=datetime.now(UTC).isoformat(timespec="seconds"),
        seconds=round(found.seconds, 1),
    )


_HOLLOW = """(* keep_hierarchy *) module gf128_fixed (
  input logic [127:0] a_i, output logic [127:0] c_o
);
  assign c_o = {a_i[0], a_i[127:1]};
endmodule
"""
"""In the place of a multiplier: no LUT, and nothing is mapped across it."""


def _fixed_key(need: Need) -> Measured:
    """A specialised GHASH, `settings` as make_plan takes them. The LUTs of its proven multipliers
    are counted as they are printed, what is around them by mapping it without them. Where a tool
    places the family, the whole is placed with these LUTs in it."""
    import tempfile
    from datetime import UTC, datetime
    from time import perf_counter

    from gcmforge.circuit.lut_text import black_boxes
    from gcmforge.place.families import FAMILIES
    from gcmforge.place.fpga import Design, measure_fpga, nextpnr_version
    from gcmforge.specialise import make_plan, specialise, subkey_of_key
    from gcmforge.specialise.module import TOP
    from gcmforge.tools import yosys_version

    start = perf_counter()
    numbers = {name: int(value) for name, _, value in (one.partition("=") for one in need.settings)}
    plan = make_plan(**numbers, target=need.target)  # type: ignore[arg-type]
    placed = bool(FAMILIES[need.target].nextpnr)
    with tempfile.TemporaryDirectory(prefix="gcmforge-papers-") as name:
        folder = Path(name, "key")
        made = specialise(subkey_of_key(bytes(range(16))), plan, folder)
        listed = [folder / file for file in (folder / f"{TOP}.f").read_text().split()]
        leaf, cells = folder / "gen" / "gf128_fixed.sv", folder / "cells.sv"
        printed = leaf.read_text()
        cells.write_text(black_boxes(plan.target.cells) if placed else "")
        design = Design(
            files=tuple(listed),
            top=TOP,
            ports=tuple((port.name, port.direction, port.width) for port in plan.ports),
            clock="clk",
        )
        leaf.write_text(_HOLLOW)
        found = measure_fpga(design, need.target, place=False)
        fmax = None
        if placed:
            leaf.write_text(printed)
            whole = replace(design, files=(cells, *listed))
            fmax = measure_fpga(whole, need.target).fmax_mhz
    version = nextpnr_version(need.target)
    return Measured(
        luts=found.luts + plan.multipliers * made.units,
        flip_flops=found.flip_flops,
        fmax_mhz=fmax,
        values={"multiplier": made.units},
        note="placed and routed" if placed else "after mapping, not placed",
        tools=f"yosys {yosys_version()}" + (f", nextpnr {version}" if version else ""),
        at=datetime.now(UTC).isoformat(timespec="seconds"),
        seconds=round(perf_counter() - start, 1),
    )
