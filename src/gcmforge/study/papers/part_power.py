# SPDX-License-Identifier: Apache-2.0
"""The AES or the GHASH of a core by itself, with its power: Mozaffari 2012, Table 7.

The part is mapped and simulated as a netlist, gate delays and glitches included, under what it has
in a core: counter blocks that follow one another, or random blocks of a long message, a beat every
cycle. Before anything is counted, the netlist has to give the blocks or the digest of the models.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from gcmforge.model import encrypt_block, ghash, key_expansion
from gcmforge.power.traffic import FREQUENCY_MHZ, TrafficError

if TYPE_CHECKING:
    from gcmforge.config import CoreConfig
    from gcmforge.netlist.targets import Target
    from gcmforge.power.design import EventDesign
    from gcmforge.power.events import Bytes
    from gcmforge.power.power import Power
    from gcmforge.synth.synthesis import Synthesis

CYCLES = 40
"""That are counted."""
TIME_LIMIT_S = 3600.0
"""Of one run of Yosys: CWC's multiplier has 100,000 gates."""
_LOADS = 24
"""Cycles that round keys or powers of H have to be in place."""
_KEY = bytes(range(16))
_RESET = 2


@dataclass(frozen=True, kw_only=True, slots=True)
class Traffic:
    """Values of each input port by cycle; what an output port shows in two cycles, of which is seen
    how each bit goes from one to the other; and where counting begins, later."""

    ports: Mapping[str, Sequence[int]]
    output: str
    cycles: tuple[int, int]
    expected: tuple[int, int]
    first_cycle: int


def part_power(
    config: CoreConfig, module: str, mapped: Synthesis, target: Target, cycles: int = CYCLES
) -> Power:
    """Of the mapped module; TrafficError where it does not do what the models do."""
    from gcmforge.netlist.targets import library_of
    from gcmforge.power.power import event_design, traffic_power
    from gcmforge.power.stimuli import port_patterns

    design = event_design(
        mapped.netlist, library_of(target), driving_cell=target.driving_cell,
        load_ff=target.load_ff,
    )  # fmt: skip
    traffic = (aes_traffic if module == "gcm_aes" else ghash_traffic)(config, cycles)
    patterns = port_patterns(design, traffic.ports)
    before, after = traffic.cycles
    first, second = traffic.expected
    steps = _steps(design, patterns[: after + 1], before, traffic.output)
    wrong = [n for n, step in enumerate(steps) if step != (second >> n & 1) - (first >> n & 1)]
    if wrong:
        raise TrafficError(
            f"{module}: from cycle {before} to {after} {len(wrong)} of {len(steps)} bits of "
            f"{traffic.output} do not go as the model's do, the first is bit {wrong[0]}"
        )
    return traffic_power(design, patterns, warm_up=traffic.first_cycle, frequency_mhz=FREQUENCY_MHZ)


def aes_traffic(config: CoreConfig, cycles: int) -> Traffic:
    """Counter blocks in each cycle, once the keys are there; the blocks of the first beat."""
    lanes, latency = config.aes_lanes, config.aes_latency_cycles
    round_keys = key_expansion(_KEY)
    start = _RESET + _LOADS
    total = start + latency + 3 + cycles
    counters = random.Random("counters").getrandbits(96) << 32 | 2
    beats = [
        _joined([counters + lanes * number + lane for lane in range(lanes)])
        for number in range(total - start)
    ]
    rounds = [(cycle - _RESET) // 2 for cycle in range(total)]  # each key is there for two cycles
    known = [0 <= number < len(round_keys) for number in rounds]
    ports = {
        "rst": [int(cycle < _RESET) for cycle in range(total)],
        "in_valid_i": [int(cycle >= start) for cycle in range(total)],
        "in_blocks_i": [0] * start + beats,
        "out_ready_i": [1] * total,
        "key_valid_i": [int(there and (n - _RESET) % 2) for n, there in enumerate(known)],
        "key_round_i": [
            number if there else 0 for number, there in zip(rounds, known, strict=True)
        ],
        "key_data_i": [
            round_keys[number] if there else 0 for number, there in zip(rounds, known, strict=True)
        ],
    }
    blocks = [encrypt_block(round_keys, counters + number) for number in range(2 * lanes)]
    shown = start + latency
    return Traffic(
        ports=ports, output="out_blocks_o", cycles=(shown, shown + 1),
        expected=(_joined(blocks[:lanes]), _joined(blocks[lanes:])), first_cycle=shown + 2,
    )  # fmt: skip


def ghash_traffic(config: CoreConfig, cycles: int) -> Traffic:
    """Two messages of two beats, whose digests are known; then one of random blocks without an
    end."""
    lanes, latency = config.ghash_lanes, config.ghash_latency_cycles
    draw = random.Random("blocks")
    subkey = encrypt_block(key_expansion(_KEY), 0)
    messages = [[draw.getrandbits(128) for _ in range(2 * lanes)] for _ in range(2)]
    beats: dict[int, list[int]] = {}
    lasts, shown = [], []
    start = _RESET + _LOADS
    for message in messages:
        beats |= {start: message[:lanes], start + 1: message[lanes:]}
        lasts.append(start + 1)
        shown.append(start + 1 + latency)
        start = shown[-1] + 2
    first = start + 2 * lanes + 2
    total = first + 1 + cycles
    for cycle in range(start, total):
        beats[cycle] = [draw.getrandbits(128) for _ in range(lanes)]
    ports = {
        "rst": [int(cycle < _RESET) for cycle in range(total)],
        "in_valid_i": [int(cycle in beats) for cycle in range(total)],
        "in_data_i": [
            _joined([reflected(block) for block in beats.get(cycle, [0] * lanes)])
            for cycle in range(total)
        ],
        "in_count_i": [lanes if cycle in beats else 0 for cycle in range(total)],
        "in_last_i": [int(cycle in lasts) for cycle in range(total)],
        "subkey_valid_i": [int(cycle == _RESET) for cycle in range(total)],
        "subkey_first_i": [int(cycle == _RESET) for cycle in range(total)],
        "subkey_i": [reflected(subkey) if cycle == _RESET else 0 for cycle in range(total)],
    }
    one, two = (reflected(ghash(subkey, message)) for message in messages)
    return Traffic(
        ports=ports, output="digest_o", cycles=(shown[0], shown[1]), expected=(one, two),
        first_cycle=first,
    )  # fmt: skip


def reflected(block: int) -> int:
    """The standard's order of bits as a polynomial's, bit i that of x^i."""
    return int(f"{block:0128b}"[::-1], 2)


def _joined(blocks: Sequence[int]) -> int:
    """The first on top."""
    return int("".join(f"{block:032x}" for block in blocks), 16)


def _steps(design: EventDesign, patterns: Bytes, before: int, port: str) -> list[int]:
    """By bit of an output: 1 where it rises from that step to the last one, -1 where it falls."""
    from gcmforge.power.events import simulate

    falls, rises = simulate(design, patterns, warm_up=before).toggles.T
    names = {name: number for number, name in enumerate(design.bound.net_names)}
    bits = range(len(design.bound.module.ports[port].bits))
    nets = [names[f"{port}[{bit}]"] for bit in bits]
    return [int(rises[net] - falls[net]) for net in nets]


def mapped_part(
    texts: Mapping[str, str], module: str, target: Target, *, effort: str, goal: str, leaf: str = ""
) -> Synthesis:
    """The module's netlist; `leaf` is one more module that keeps its structure."""
    from gcmforge.synth.synthesis import LEAVES, synthesise

    with TemporaryDirectory(prefix="gcmforge-part-") as name:
        for file, text in texts.items():
            Path(name, file).write_text(text)
        return synthesise(
            [Path(name, file) for file in texts], target, top=module, clock_ns=None,
            effort=effort, goal=goal, time_limit_s=TIME_LIMIT_S,  # type: ignore[arg-type]
            leaves={*LEAVES, leaf},
        )  # fmt: skip
