# SPDX-License-Identifier: Apache-2.0
"""Power of a whole core under real traffic.

The core is simulated with packets back to back, the values at its input ports are recorded cycle by
cycle, and the same values are put on the mapped netlist, gate delays and glitches included. That
the netlist does what the core did is checked on the way: it gives its tags, too.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from gcmforge.config import CoreConfig
from gcmforge.sim import Core, Expected, LoadKey, Operation, Packet, Status, Waveform
from gcmforge.sim.directions import decrypts

if TYPE_CHECKING:
    from gcmforge.netlist.library import Library
    from gcmforge.netlist.netlist import Netlist
    from gcmforge.power.design import EventDesign
    from gcmforge.power.events import Bytes
    from gcmforge.power.power import Power

Progress = Callable[[str], None]

PACKET_BYTES = 576
FREQUENCY_MHZ = 50.0
_CYCLES = 300
"""About as many cycles are counted, of two packets at least."""
_WARM_UP = 2
"""Packets before them."""


class TrafficError(RuntimeError):
    """The netlist does not do what the core did."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Recorded:
    """Input ports by cycle from reset on, and what happened."""

    ports: Mapping[str, Sequence[int]]
    first_cycle: int
    """After it cycles count: keys are loaded, the pipeline is full."""
    text_bits: int
    """Text of the packets whose tags come in the counted cycles."""
    tags: int
    """Rising edges of m_tag_tvalid up to first_cycle, that cycle included."""

    @property
    def cycles(self) -> int:
        return len(next(iter(self.ports.values())))


def core_power(
    core_dir: Path,
    netlist: Netlist,
    library: Library,
    *,
    driving_cell: str,
    load_ff: float,
    progress: Progress = lambda step: None,
) -> tuple[Power, float]:
    """Power of the mapped core under traffic, and pJ of dynamic energy for each bit of text."""
    from gcmforge.power.power import event_design, traffic_power
    from gcmforge.power.stimuli import port_patterns

    progress("recording traffic")
    recorded = record(core_dir)
    progress("preparing the netlist for power")
    design = event_design(netlist, library, driving_cell=driving_cell, load_ff=load_ff)
    patterns = port_patterns(design, recorded.ports)
    _check(design, patterns, recorded)
    power = traffic_power(
        design,
        patterns,
        warm_up=recorded.first_cycle,
        frequency_mhz=FREQUENCY_MHZ,
        progress=lambda done, total: progress(f"power: {done:,} of {total:,} cycles"),
    )
    dynamic_pj = power.energy_per_transition_pj * power.transitions
    return power, dynamic_pj / recorded.text_bits


def _check(design: EventDesign, patterns: Bytes, recorded: Recorded) -> None:
    """TrafficError unless the netlist gave the tags of the packets before the counted ones."""
    from gcmforge.power.events import simulate

    activity = simulate(design, patterns[: recorded.first_cycle + 1])
    net = design.bound.net_names.index("m_tag_tvalid")
    edges = int(activity.toggles.reshape(-1)[2 * net + 1])
    if edges != recorded.tags:
        raise TrafficError(
            f"the netlist gave {edges} tags where the core gave {recorded.tags}: they differ"
        )


def record(core_dir: Path) -> Recorded:
    """Simulate packets back to back with a waveform, and read the ports out of it."""
    core = Core(core_dir)
    size = min(PACKET_BYTES, core.config.max_text_bytes)
    beats = -(-size // (16 * core.config.lanes))
    count = _WARM_UP + max(2, _CYCLES // (beats * core.config.cycles_per_beat))
    key_bits = max(core.config.key_sizes)
    with TemporaryDirectory(prefix="gcmforge-traffic-") as folder:
        file = Path(folder) / "ports.vcd"
        with core.simulation(waveform=Waveform(path=file)) as simulation:
            batch = simulation.play(list(_operations(core.config, key_bits, size, count)))
        if batch.hang is not None:
            raise TrafficError(f"the core hangs: {batch.hang}")
        with file.open() as text:
            samples = read_vcd(text)
    start = samples["aresetn"].index(1)
    rises = _rises(samples["m_tag_tvalid"], start)
    if len(rises) != count:
        raise TrafficError(f"{len(rises)} tags were recorded, not {count}")
    first, last = rises[_WARM_UP - 1], rises[-1]
    return Recorded(
        ports={
            name: values[: last + 1]
            for name, values in samples.items()
            if name in _SINKS or (name.startswith("s_") and not name.endswith("ready"))
        },
        first_cycle=first,
        text_bits=8 * size * (count - _WARM_UP),
        tags=_WARM_UP,
    )


def _rises(values: Sequence[int], start: int) -> list[int]:
    """Where a signal goes up, from `start` on, taken to be low before."""
    before = [0, *values[start:]]
    return [start + n for n, value in enumerate(values[start:]) if value and not before[n]]


_SINKS = ("aresetn", "m_axis_tready", "m_tag_tready")


def _operations(config: CoreConfig, key_bits: int, size: int, count: int) -> Iterator[Operation]:
    """Random text; where it is decrypted, no tag matches, which changes nothing before the end."""
    decrypt = decrypts(config, wish=False)
    draw = random.Random(f"power {key_bits} {size} {count}")
    yield LoadKey(context=0, key=draw.randbytes(key_bits // 8))
    for number in range(count):
        yield Packet(
            context=0, decrypt=decrypt, iv=draw.randbytes(12), aad=b"", text=draw.randbytes(size),
            tag=bytes(16) if decrypt else None, tag_bytes=16, label=f"packet {number}",
            expect=Expected(text=b"", tag=None, status=Status.OK),
        )  # fmt: skip


def read_vcd(lines: Iterable[str], scope: str = "gcm_axis") -> dict[str, list[int]]:
    """Values of the ports of a scope just before each rising edge of aclk, cycle by cycle."""
    names: dict[str, list[str]] = {}
    values: dict[str, int] = {}
    samples: dict[str, list[int]] = {}
    depth: list[str] = []
    clock = ""
    reader = iter(lines)
    for line in reader:
        words = line.split()
        if words[:1] == ["$scope"]:
            depth.append(words[2])
        elif words[:1] == ["$upscope"]:
            depth.pop()
        elif words[:1] == ["$var"] and depth and depth[-1] == scope and _is_port(words[4]):
            found = names.setdefault(words[3], [])
            found += [words[4]] if words[4] not in found else []
            values[words[3]] = 0
            clock = words[3] if words[4] == "aclk" else clock
        elif words[:1] == ["$enddefinitions"]:
            break
    samples = {name: [] for found in names.values() for name in found}
    changes: dict[str, int] = {}
    for line in reader:
        if line[0] == "#":
            _settle(names, values, samples, changes, clock)
            changes = {}
        elif line[0] in "bB":
            bits, _, code = line[1:].strip().partition(" ")
            if code in names:
                changes[code] = int(bits.replace("x", "0").replace("z", "0"), 2)
        elif line[0] in "01xz" and (code := line[1:].strip()) in names:
            changes[code] = int(line[0] == "1")
    _settle(names, values, samples, changes, clock)
    return samples


def _is_port(name: str) -> bool:
    return name.startswith(("s_", "m_")) or name in ("aclk", "aresetn")


def _settle(
    names: Mapping[str, Sequence[str]],
    values: dict[str, int],
    samples: Mapping[str, list[int]],
    changes: Mapping[str, int],
    clock: str,
) -> None:
    """Take over one time's changes; a rising clock first samples what was there before it."""
    if changes.get(clock) == 1 and values[clock] == 0:
        for code, found in names.items():
            for name in found:
                samples[name].append(values[code])
    values.update(changes)
