# SPDX-License-Identifier: Apache-2.0
"""What is measured for the papers' tables: asked for by name, made once, kept with the tables.

Making all of it takes most of an hour. So the figures are kept in data/measured.json, each with
the tools that made it; `gcmforge-study papers --measure` makes them again (what is in the
results store is not made twice), and `gcmforge-study evidence papers` writes the file.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass, field
from multiprocessing import get_context
from pathlib import Path
from typing import Any

KEPT = Path(__file__).parent / "data" / "measured.json"


class NotMeasuredError(LookupError):
    """A figure that is not there; the text says why."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Need:
    """One measurement: a core, a part of one, or a leaf, on a target; or a core's cycles."""

    what: str
    """A preset or a leaf."""
    target: str = ""
    """Empty: only packets are played, and `packets` says of how many bytes."""
    settings: tuple[str, ...] = ()
    module: str = ""
    """gcm_aes or gcm_ghash: that part of the core alone."""
    goal: str = ""
    power: bool = False
    effort: str = "quick"
    packets: tuple[int, ...] = ()
    placed: bool = False

    @property
    def name(self) -> str:
        """What it is kept under, in the words of `gcmforge measure`."""
        words = [f"{self.module} of {self.what}" if self.module else self.what]
        words += [f"--set {setting}" for setting in self.settings]
        words += [f"--target {self.target}"] if self.target else []
        words += [f"--effort {self.effort}"] if self.target and self.effort != "normal" else []
        words += [f"--goal {self.goal}"] if self.goal else []
        words += ["--power"] if self.power else []
        words += ["--placed"] if self.placed else []
        words += [f"packets of {', '.join(map(str, self.packets))} bytes"] if self.packets else []
        return " ".join(words)


@dataclass(frozen=True, kw_only=True, slots=True)
class Measured:
    """Figures of one Need; None is what it does not have."""

    area_ge: float | None = None
    area_um2: float | None = None
    flip_flops: int | None = None
    delay_ns: float | None = None
    delay_ta: float | None = None
    fmax_mhz: float | None = None
    gbit_per_s: float | None = None
    average_uw: float | None = None
    peak_uw: float | None = None
    peak_at: str = ""
    """Bytes before and after, as hex."""
    luts: int | None = None
    lut_ram_luts: int | None = None
    blocks_ge: Mapping[str, float] = field(default_factory=dict)
    bits_per_cycle: Mapping[str, float] = field(default_factory=dict)
    """By bytes of a packet."""
    long_bits_by_key: Mapping[str, float] = field(default_factory=dict)
    """Bits a cycle of a long message, by bits of the key."""
    placed_area_ge: float | None = None
    placed_fmax_mhz: float | None = None
    """Of the same core once its cells are placed, with what that added."""
    layout_area_ge: float | None = None
    """By the library's LEF file."""
    first_text_latency_cycles: int | None = None
    values: Mapping[str, float] = field(default_factory=dict)
    """What else was counted, by name."""
    note: str = ""
    family: str = ""
    tools: str = ""
    at: str = ""
    """ISO 8601, UTC."""
    seconds: float = 0.0


def read_kept(path: Path = KEPT) -> dict[str, Measured]:
    """What the repository keeps, by the need's name."""
    found: dict[str, dict[str, Any]] = json.loads(path.read_text()) if path.exists() else {}
    return {name: Measured(**values) for name, values in found.items()}


def write_kept(figures: Mapping[str, Measured], path: Path = KEPT) -> None:
    """In order of names, empty figures left out."""
    shown = {
        name: {
            key: value
            for key, value in asdict(figures[name]).items()
            if value not in (None, {}, "")
        }
        for name in sorted(figures)
    }
    path.write_text(json.dumps(shown, indent=1) + "\n")


ONE_KEY = "one key"
"""What of a Need that asks for a GHASH fixed to a key: AES-128 of the bytes 0 to 15."""
ZEROS = Need(what="zeros in table T over 10^8 keys")


class Figures:
    """Where the tables get what was measured."""

    def __init__(
        self,
        known: Mapping[str, Measured] | None = None,
        failed: Mapping[str, str] | None = None,
    ) -> None:
        """What is kept, unless `known` says what there is; `failed` has the reasons of what could
        not be measured. Both by the need's name."""
        self._known = read_kept() if known is None else known
        self._failed = failed or {}
        self.missing: dict[str, Need] = {}
        """What was asked for, and neither is there nor has failed."""

    def get(self, need: Need) -> Measured:
        """NotMeasuredError where it is not there."""
        if need.name in self._known:
            return self._known[need.name]
        if need.name in self._failed:
            raise NotMeasuredError(self._failed[need.name])
        self.missing[need.name] = need
        raise NotMeasuredError("not measured yet: gcmforge-study papers --measure")

    def known(self, needs: Iterable[Need]) -> dict[str, Measured]:
        """Those of the needs that are there."""
        names = {need.name for need in needs}
        return {name: value for name, value in self._known.items() if name in names}


# Making them --------------------------------------------------------------------------------------


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
        need.target,
        settings=() if need.module else need.settings,
        effort=need.effort,
        goal=need.goal or None,
        power=need.power,
        placed=need.placed,
    )
    return measured_of(result)


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
    are counted as they are printed, what is around them by mapping it without them."""
    import tempfile
    from datetime import UTC, datetime
    from time import perf_counter

    from gcmforge.place.fpga import Design, measure_fpga
    from gcmforge.specialise import make_plan, specialise, subkey_of_key
    from gcmforge.specialise.module import TOP
    from gcmforge.tools import yosys_version

    start = perf_counter()
    numbers = {name: int(value) for name, _, value in (one.partition("=") for one in need.settings)}
    plan = make_plan(**numbers, target=need.target)  # type: ignore[arg-type]
    with tempfile.TemporaryDirectory(prefix="gcmforge-papers-") as name:
        folder = Path(name, "key")
        made = specialise(subkey_of_key(bytes(range(16))), plan, folder)
        listed = (folder / f"{TOP}.f").read_text().split()
        (folder / "gen" / "gf128_fixed.sv").write_text(_HOLLOW)
        design = Design(
            files=tuple(folder / file for file in listed),
            top=TOP,
            ports=tuple((port.name, port.direction, port.width) for port in plan.ports),
            clock="clk",
        )
        found = measure_fpga(design, need.target, place=False)
    return Measured(
        luts=found.luts + plan.multipliers * made.units,
        flip_flops=found.flip_flops,
        values={"multiplier": made.units},
        note="after mapping, not placed",
        tools=f"yosys {yosys_version()}",
        at=datetime.now(UTC).isoformat(timespec="seconds"),
        seconds=round(perf_counter() - start, 1),
    )
