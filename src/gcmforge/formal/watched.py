# SPDX-License-Identifier: Apache-2.0
"""What modules require of each other, watched while the whole core is simulated.

A proof about one module relies on what it requires (gcmforge.sim.properties). Every simulation has
that as assertions, in every instance; here under random packets, edge packets, and tags that are
read so slowly that queues fill up.
"""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from gcmforge.emit.naming import LIST
from gcmforge.formal.texts import modules
from gcmforge.sim import properties
from gcmforge.sim.core import Core
from gcmforge.sim.edges import edge_operations
from gcmforge.sim.stalls import Stalls
from gcmforge.sim.traffic import random_traffic
from gcmforge.sim.verify import SLOW_READER

CORE, ANSWERS = "gcm_axis_core", "packets_are_answered_right"
SEED = 1
_LABEL = re.compile(r"(\w+)(?=,|$)")


def watch(
    files: Mapping[str, str], toml: Path, *, packets: int
) -> Iterator[tuple[str, str, int | None, int]]:
    """Simulate files of a core without a name; toml is its configuration.

    Module, requirement, the first cycle in which it did not hold, and the cycles of the run, for
    every requirement of the core's modules; then the same for the answers of the core.
    """
    present = modules(files)
    with tempfile.TemporaryDirectory(prefix="gcmforge-watched-") as name:
        folder = Path(name)
        for path, text in files.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(text, encoding="utf-8")
        (folder / LIST).write_text("".join(f"{path}\n" for path in files), encoding="utf-8")
        shutil.copyfile(toml, folder / "core.toml")
        core = Core(folder)
        broken, cycles = _run(core, packets)
    for module in properties.requirements():
        for requirement in properties.required(module) if module in present else ():
            yield module, requirement, broken.get(requirement), cycles
    architecture = core.config.architecture
    whole = architecture.top_of(core.config) if architecture else CORE
    yield whole, ANSWERS, broken.get(ANSWERS), cycles


def _run(core: Core, packets: int) -> tuple[dict[str, int], int]:
    """Requirements that were broken, or ANSWERS, each with its first cycle; cycles."""
    edges, traffic = (
        edge_operations(core.config),
        random_traffic(core.config, packets=packets, seed=SEED),
    )
    known = {name for module in properties.requirements() for name in properties.required(module)}
    broken: dict[str, int] = {}
    cycles = 0
    for operations, stalls in (
        (traffic, Stalls.named("both")),
        (edges, Stalls.named("none")),
        (edges, Stalls(tag_wait=SLOW_READER)),
    ):
        result = core.run(operations, stalls=stalls, seed=SEED)
        for failure in result.failures:
            for name in known.intersection(_LABEL.findall(failure.what)) or {ANSWERS}:
                broken.setdefault(name, cycles + (failure.cycle or 0))
        cycles += result.counters.cycles
    return broken, cycles
