# SPDX-License-Identifier: Apache-2.0
"""What `gcmforge verify` does: vectors or random traffic on a built core, and one report.

report = verify(Path("cores/default"), vectors=nist_files())
report = verify(Path("cores/default"), packets=10_000, seed=1, stalls="both")
print(format_line(report))  # of gcmforge.sim.report
"""

import os
import secrets
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from itertools import chain
from multiprocessing import get_context
from pathlib import Path

from gcmforge.config import ConfigError, CoreConfig
from gcmforge.config.installed import default_engine
from gcmforge.emit.folder import check_unchanged
from gcmforge.sim.compile import simulated_leaves, waveform_format
from gcmforge.sim.core import Core, Failure, RunResult
from gcmforge.sim.coverage import Coverage
from gcmforge.sim.operations import Operation, Packet, packets_of
from gcmforge.sim.packing import Waveform
from gcmforge.sim.rates import beats_per_cycle, rate_failures
from gcmforge.sim.report import VerifyReport
from gcmforge.sim.resets import Resets, reset_in_every_cycle, reset_near_events
from gcmforge.sim.stalls import STALL_PATTERNS, Stalls, patterns_of

ROUND_PACKETS = 10_000
"""Random packets from one reset to the next, at most; round k has the seed of the run plus k."""

PACKETS = 4_000
"""Random packets where nothing else is asked for."""

MAX_FAILURES = 20
"""Failures that a report keeps; all of them are counted."""

MOMENTS = 24
"""Resets amid packets where not all cycles are asked for."""

SLOW_READER, SHORT_OF_READERS, PAUSES_OF_READERS = 0.998, 0.93, 0.7
"""Of tags: so that every queue fills up; a little slower than empty packets come; with some taken
in cycles that follow each other."""

WAVEFORM_CYCLES_AROUND = 50

Progress = Callable[[int, int], None]
"""Called now and then with the packets done and the packets there are."""


@dataclass(frozen=True, kw_only=True, slots=True)
class VerifyJob:
    """One verification: files of vectors, or a number of random packets.

    `seed` draws the stalls, and the random packets. `stalls` is a pattern, or "pressure", in which
    as many packets go under each. `trace` is the file for a waveform of the first
    failure. With `gates` the leaves are simulated gate by gate, and not as the function that they
    are proven to compute; that takes minutes to compile. A folder that was changed since it was
    built is refused, unless `allow_changed`. `sample` vectors of the files are played where it is
    not 0, evenly spread. With `resets` the core is also reset in every cycle of two packets.
    Without `edges` nothing is played but what was asked for.
    """

    core: Path
    vectors: tuple[Path, ...] = ()
    packets: int = 0
    seed: int = 0
    stalls: str = "none"
    trace: Path | None = None
    gates: bool = False
    allow_changed: bool = False
    sample: int = 0
    resets: bool = False
    edges: bool = True

    def __post_init__(self) -> None:
        if bool(self.vectors) == bool(self.packets):
            raise ValueError("verify: use either vector files or a number of random packets")
        if self.packets < 0:
            raise ValueError(f"packets={self.packets}: use 1 or more")
        if self.sample < 0 or (self.sample and not self.vectors):
            raise ValueError(f"sample={self.sample}: that many of some vectors; give files, too")
        patterns_of(self.stalls)


def verify(
    core: Path,
    *,
    vectors: Sequence[Path] = (),
    packets: int = 0,
    seed: int | None = None,
    stalls: str = "none",
    trace: Path | None = None,
    gates: bool = False,
    allow_changed: bool = False,
    sample: int = 0,
    resets: bool = False,
    progress: Progress | None = None,
) -> VerifyReport:
    """Run vector files, or `packets` random packets, on a core folder as it was built.

    Without a seed one is drawn. The report has it, and with it the run repeats exactly. BuildError
    for a folder that was changed since, unless that is allowed.
    """
    job = VerifyJob(
        core=Path(core), vectors=tuple(map(Path, vectors)), packets=packets,
        seed=secrets.randbits(32) if seed is None else seed,
        stalls=stalls, trace=trace, gates=gates, allow_changed=allow_changed, sample=sample,
        resets=resets,
    )  # fmt: skip
    return run_job(job, progress=progress)


def verify_many(jobs: Sequence[VerifyJob], *, processes: int | None = None) -> list[VerifyReport]:
    """Several verifications at a time, each in a process of its own; reports in the jobs' order."""
    workers = min(len(jobs), processes or os.cpu_count() or 1)
    if workers <= 1:
        return [run_job(job) for job in jobs]
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        return list(pool.map(run_job, jobs))


def nist_files() -> tuple[Path, ...]:
    """The NIST CAVP GCM files of the `cryptography-vectors` package, 47,250 vectors."""
    from gcmforge.tools import package_folder

    root = package_folder("cryptography_vectors", "the NIST vectors", "sim")
    return tuple(sorted((root / "ciphers" / "AES" / "GCM").glob("*.rsp")))


def run_job(
    job: VerifyJob, *, core: Core | None = None, progress: Progress | None = None
) -> VerifyReport:
    """Everything that can be refused is refused before the core is compiled. `core` is what runs
    instead of the SystemVerilog in the job's folder: its netlist, see `mapped`."""
    changed = check_unchanged(job.core, allow_changed=job.allow_changed)
    core = core or Core(job.core, gates=job.gates)
    if job.vectors and core.config.length_first:
        raise ConfigError(_no_vectors(job, core.config.ghash))
    rounds, skipped, source = _rounds(core, job)
    began = time.perf_counter()
    library = core.library()
    compile_seconds = time.perf_counter() - began
    rate, probe = beats_per_cycle(core)
    coverage = Coverage(config=core.config)
    edges = _edges(core, job, coverage) if job.edges else []
    resets = reset_in_every_cycle(core, seed=job.seed) if job.resets else Resets()
    tally = _Tally()
    for operations, seed, pattern in rounds:
        total = job.packets or len(packets_of(operations))
        result = core.run(
            operations, stalls=pattern, seed=seed,
            progress=_told(progress, tally.passed + tally.failed, total),
        )  # fmt: skip
        tally.add(result)
        coverage.add(operations, result)
        if result.failures and job.trace is not None and tally.waveform is None:
            tally.waveform = trace_failure(core, operations, result, pattern, job.trace)
        if result.hang is not None:
            break
    for result, operations, stalls in edges:
        if result.failures and job.trace is not None and tally.waveform is None:
            tally.waveform = trace_failure(core, operations, result, stalls, job.trace)
    before = [*probe, *chain.from_iterable(result.failures for result, *_ in edges)]
    before += resets.failures
    if job.edges:
        before += interruption_failures(core, seed=job.seed)
    failures = [*before, *tally.failures]
    slow = [] if failures else list(rate_failures(core))  # of what works only
    return VerifyReport(
        core=job.core, summary=core.config.summary, source=source, seed=job.seed,
        stalls=job.stalls, passed=tally.passed, failed=tally.failed, skipped=skipped,
        failures=tuple([*failures, *slow][:MAX_FAILURES]),
        failures_total=len(before) + tally.failures_total + len(slow),
        cycles=tally.cycles, seconds=tally.seconds, compile_seconds=compile_seconds,
        beats_per_cycle=rate, leaves=simulated_leaves(library), waveform=tally.waveform,
        coverage=coverage, changed=changed, resets=resets.resets, simulated=core.summary,
    )  # fmt: skip


def _no_vectors(job: VerifyJob, ghash: str) -> str:
    names = job.vectors[0].name if len(job.vectors) == 1 else f"{len(job.vectors)} vector files"
    return (
        f"{names} on {job.core}: vectors have the tags of SP 800-38D, and with "
        f"ghash={ghash} this core has other tags; use random packets (--random N), or "
        f"build a core with ghash={default_engine('ghash')}"
    )


def _edges(
    core: Core, job: VerifyJob, coverage: Coverage
) -> list[tuple[RunResult, Sequence[Operation], Stalls]]:
    """What the packets that are the same before every run came to. They are not counted, but must
    not fail. Each round has a seed of its own, and so other values in registers at first."""
    found: list[tuple[RunResult, Sequence[Operation], Stalls]] = []
    rounds = edge_rounds(core.config, patterns_of(job.stalls)[0])
    for seed, (_, operations, stalls) in enumerate(rounds, job.seed):
        result = core.run(operations, stalls=stalls, seed=seed)
        coverage.add(operations, result)
        found.append((result, operations, stalls))
    return found


def edge_rounds(
    config: CoreConfig, first: Stalls
) -> tuple[tuple[str, Sequence[Operation], Stalls], ...]:
    """Edge packets, again with tags read so slowly that every queue fills up, every kind of packet
    after every kind, with pauses and without, empty packets, full beats, keys amid packets, all the
    IVs that a core makes, senders that stop where it does not wait for ever, and what is arranged:
    names, operations, how streams pause."""
    from gcmforge.sim.arranged import arranged_rounds
    from gcmforge.sim.edges import edge_operations
    from gcmforge.sim.pairs import (
        empty_packets,
        full_beats,
        ivs_to_their_limit,
        keys_amid_packets,
        pair_operations,
    )
    from gcmforge.sim.stopped import stopped_operations

    edges, pairs = edge_operations(config), pair_operations(config)
    rounds: list[tuple[str, Sequence[Operation], Stalls]] = [
        ("edges", edges, first),
        ("edges, slow tags", edges, Stalls(tag_wait=SLOW_READER)),
        ("pairs", pairs, first),
        ("pairs, pauses", pairs, Stalls.named("both")),
        ("empty packets", empty_packets(config), Stalls(tag_wait=SHORT_OF_READERS)),
        ("full beats", full_beats(config), Stalls(tag_wait=PAUSES_OF_READERS)),
    ]
    if keys := keys_amid_packets(config):
        rounds.append(("keys amid packets", keys, Stalls()))
    if ivs := ivs_to_their_limit(config):
        rounds.append(("IVs to their limit", ivs, Stalls()))
    if stopped := stopped_operations(config):
        rounds.append(("senders that stop", stopped, Stalls()))
        rounds.append(("senders that stop, pauses", stopped, Stalls.named("both")))
    return (*rounds, *arranged_rounds(config))


def interruption_failures(core: Core, *, seed: int) -> Iterator[Failure]:
    """What goes wrong after a reset amid packets, and after an erase where the core has one."""
    from gcmforge.sim.erases import erased_amid_packets

    yield from reset_in_every_cycle(core, seed=seed, moments=MOMENTS).failures
    with core.simulation(seed=seed) as simulation:
        yield from reset_near_events(simulation, core.config, seed=seed)
    if core.config.zeroise == "on":
        with core.simulation(seed=seed) as simulation:
            yield from erased_amid_packets(simulation, core.config, seed=seed)


@dataclass(slots=True)
class _Tally:
    """Sums over rounds."""

    passed: int = 0
    failed: int = 0
    cycles: int = 0
    seconds: float = 0.0
    failures_total: int = 0
    failures: list[Failure] = field(default_factory=list)
    waveform: Path | None = None

    def add(self, result: RunResult) -> None:
        self.passed += result.passed
        self.failed += result.failed
        self.cycles += result.counters.cycles
        self.seconds += result.seconds
        self.failures_total += len(result.failures)
        self.failures += result.failures[: MAX_FAILURES - len(self.failures)]


def _told(progress: Progress | None, base: int, total: int) -> Callable[[int], None] | None:
    return None if progress is None else lambda done: progress(base + done, total)


Rounds = Iterable[tuple[Sequence[Operation], int, Stalls]]


def _rounds(core: Core, job: VerifyJob) -> tuple[Rounds, Mapping[str, int], str]:
    """Lists of operations with their seeds and pauses, what was skipped, where they come from."""
    patterns = patterns_of(job.stalls)
    if job.packets:
        found = random_rounds(core.config, job.packets, job.seed, patterns)
        return found, {}, f"{job.packets:,} random packets"
    from gcmforge.sim.vectors import parse_vectors, vector_operations

    vectors = chain.from_iterable(parse_vectors(path) for path in job.vectors)
    asked = vector_operations(vectors, core.config, sample=job.sample)
    names = job.vectors[0].name if len(job.vectors) == 1 else f"{len(job.vectors)} vector files"
    rounds = [(asked.operations, job.seed, pattern) for pattern in patterns]
    return rounds, asked.skipped, names


def random_rounds(
    config: CoreConfig, packets: int, seed: int, patterns: Sequence[Stalls]
) -> Iterator[tuple[Sequence[Operation], int, Stalls]]:
    """As many packets for each pattern, in rounds of at most ROUND_PACKETS."""
    from gcmforge.sim.traffic import random_traffic

    for number, pattern in enumerate(patterns):
        left = packets // len(patterns) + (number < packets % len(patterns))
        while left:
            size = min(left, ROUND_PACKETS)
            operations = random_traffic(config, packets=size, seed=seed)
            yield operations, seed, pattern
            left, seed = left - size, seed + 1


# ---- waveform of a failure -----------------------------------------------------------------------


def trace_failure(
    core: Core, operations: Sequence[Operation], result: RunResult, stalls: Stalls, path: Path
) -> Path:
    """Run again up to the first failure, writing a waveform of the cycles around it.

    FST where it can be compiled, else (or when `path` ends in .vcd) VCD; returns the file's path,
    which has the suffix of its format.
    """
    suffix = ".vcd" if path.suffix == ".vcd" else f".{waveform_format()}"
    path = path.with_suffix(suffix)
    path.parent.mkdir(parents=True, exist_ok=True)
    first, last = _window(result)
    window = Waveform(path=path, first_cycle=first, last_cycle=last)
    needed = operations[: _position(operations, result.failures[0].packet) + 64]
    core.run(needed, stalls=stalls, seed=result.seed, waveform=window)
    return path


def _position(operations: Sequence[Operation], packet: int | None) -> int:
    """Index of the packet of that number; for None the index after the last operation."""
    positions = [i for i, operation in enumerate(operations) if isinstance(operation, Packet)]
    return len(operations) if packet is None else positions[packet]


def _window(result: RunResult) -> tuple[int, int]:
    """First and last cycle to show: the failing packet and the one before it, with a margin."""
    failure = result.failures[0]
    cycles = [] if failure.cycle is None else [failure.cycle]
    if failure.packet is not None:
        for number in (failure.packet - 1, failure.packet):
            answer = result.answers[number] if number >= 0 else None
            if answer is not None:
                cycles += [
                    cycle
                    for cycle in (answer.command_cycle, answer.first_in_cycle, answer.tag_cycle)
                    if cycle is not None
                ]
    if not cycles:
        cycles = [result.counters.cycles]
    return max(0, min(cycles) - WAVEFORM_CYCLES_AROUND), max(cycles) + WAVEFORM_CYCLES_AROUND


__all__ = [
    "STALL_PATTERNS",
    "VerifyJob",
    "nist_files",
    "run_job",
    "trace_failure",
    "verify",
    "verify_many",
]
