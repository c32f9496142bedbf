# SPDX-License-Identifier: Apache-2.0
"""Bits per cycle of a core that is still texts: for its datasheet, kept in the cache."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path

from gcmforge.cache import cached, digest
from gcmforge.config import CoreConfig
from gcmforge.measure import throughput
from gcmforge.measure.result import Rate
from gcmforge.sim import Core
from gcmforge.sim.trace import core_folder, core_texts
from gcmforge.tools import verilator_version


def core_rates(config: CoreConfig, files: Mapping[str, str]) -> tuple[Rate, ...]:
    """Packets of each length back to back, largest key; ThroughputError when an answer is wrong."""
    source = Path(throughput.__file__).read_text()
    key = digest("rates", source, verilator_version(), *core_texts(files))
    found = cached("rates", key, lambda: {"rates": [asdict(rate) for rate in _run(config, files)]})
    return tuple(Rate(**rate) for rate in found["rates"])


def _run(config: CoreConfig, files: Mapping[str, str]) -> list[Rate]:
    sizes = [size for size in throughput.PACKET_BYTES if size <= config.max_text_bytes]
    with core_folder(files) as folder, Core(folder).simulation() as simulation:
        return [
            throughput.packet_rate(simulation, config, max(config.key_sizes), size)
            for size in sizes or [config.max_text_bytes]
        ]
