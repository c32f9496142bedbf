# SPDX-License-Identifier: Apache-2.0
"""A built core that can be run, and the scoreboard that compares its answers with the expected.

core = Core(Path("cores/default"))
result = core.run(operations, stalls=Stalls.named("both"), seed=1)
assert not result.failures
"""

import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from gcmforge.config import CoreConfig
from gcmforge.config.codes import status_name
from gcmforge.sim.compile import compile_core
from gcmforge.sim.driver import PATIENCE_CYCLES, Batch, Counters, Simulation
from gcmforge.sim.operations import Operation, Packet, Status, packets_of
from gcmforge.sim.packing import Answer, FramedPacket, Waveform
from gcmforge.sim.stalls import Stalls

BATCH_OPERATIONS = 4_000
"""Operations handed to the simulator at a time; the core runs on, not reset, between batches."""

PAUSES_IN_A_TIMEOUT = 4
"""A sender pauses for a timeout's fourth at most: a command may wait for its key, and that for the
key before it, while its data is there."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Failure:
    """One packet (or stream rule) that went wrong.

    `packet` counts from 0 over the run; None for what belongs to no packet. `cycle` is where to
    look in a waveform.
    """

    label: str
    what: str
    expected: str
    got: str
    seed: int
    packet: int | None
    cycle: int | None

    def __str__(self) -> str:
        where = "" if self.cycle is None else f", cycle {self.cycle}"
        said = f": expected {self.expected}, got {self.got}" if self.expected or self.got else ""
        return f"{self.label} (seed {self.seed}{where}): {self.what}{said}"


@dataclass(frozen=True, kw_only=True, slots=True)
class RunResult:
    """What a run gave. `passed` and `failed` count packets. `failures` says what went wrong: one
    entry at least for each packet that failed, and one for every broken stream rule."""

    answers: tuple[Answer, ...]
    failures: tuple[Failure, ...]
    passed: int
    failed: int
    counters: Counters
    seconds: float
    seed: int
    hang: str | None
    points: Mapping[str, int] = field(default_factory=dict)
    """In how many cycles each point of the core's modules was reached, see `covered`."""

    @property
    def clean(self) -> bool:
        return not self.failures and self.hang is None


class Core:
    """A core folder, compiled when first needed. It may stand wherever a path may.

    Each leaf is simulated as the function that it is proven to compute; with `gates` gate by gate.
    """

    def __init__(self, core_dir: str | os.PathLike[str], *, gates: bool = False) -> None:
        self.path = Path(core_dir)
        self.gates = gates
        self.config = CoreConfig.from_toml(self.path / "core.toml")

    @property
    def summary(self) -> str:
        """What is simulated where it is not the SystemVerilog of the folder."""
        return ""

    def __fspath__(self) -> str:
        return str(self.path)

    def library(self, *, waveform: str = "") -> Path:
        """The compiled simulator; one that can write a waveform ("vcd" or "fst") is slower."""
        return compile_core(self.path, waveform=waveform, gates=self.gates)

    def simulation(
        self, *, stalls: Stalls | None = None, seed: int = 0, waveform: Waveform | None = None
    ) -> Simulation:
        """A running core, to be played to piece by piece. The waveform's suffix is its format."""
        library = self.library(waveform=waveform.path.suffix.lstrip(".") if waveform else "")
        return Simulation(
            library, seed=seed, stalls=stalls, waveform=waveform,
            verified=self.config.release_engine.holds,
            longest_pause=self.config.timeout // PAUSES_IN_A_TIMEOUT,
        )  # fmt: skip

    def run(
        self,
        operations: Sequence[Operation],
        *,
        stalls: Stalls | None = None,
        seed: int = 0,
        waveform: Waveform | None = None,
        patience_cycles: int = PATIENCE_CYCLES,
        progress: Callable[[int], None] | None = None,
    ) -> RunResult:
        """Play all operations from reset and compare every answer with the packet's `expect`.

        `progress` is called with the number of packets done.
        """
        with self.simulation(stalls=stalls, seed=seed, waveform=waveform) as simulation:
            result = run_on(
                simulation, operations, seed=seed,
                patience_cycles=patience_cycles, progress=progress,
            )  # fmt: skip
            return replace(result, points=simulation.points())


def run_on(
    simulation: Simulation,
    operations: Sequence[Operation],
    *,
    seed: int = 0,
    patience_cycles: int = PATIENCE_CYCLES,
    progress: Callable[[int], None] | None = None,
) -> RunResult:
    """As `Core.run`, on a simulation that goes on afterwards. Stops at the first hang."""
    began = time.perf_counter()
    answers: list[Answer] = []
    failures: list[Failure] = []
    hang = None
    done = 0
    for batch in _batches(operations):
        tags_before = simulation.counters().tags

        def tell(_: int, base: int = done - tags_before) -> None:
            if progress is not None:
                progress(base + simulation.counters().tags)

        played = simulation.play(batch, patience_cycles=patience_cycles, progress=tell)
        failures += judge(batch, played, done, seed, verified=simulation.verified)
        answers += played.answers
        done += len(played.answers)
        hang = played.hang
        if hang is not None:
            break
    total = len(packets_of(operations))
    unanswered = {number for number, answer in enumerate(answers) if not answer.answered}
    wrong = {failure.packet for failure in failures if failure.packet is not None}
    failed = len(wrong | unanswered) + total - done
    return RunResult(
        answers=tuple(answers),
        failures=tuple(failures),
        passed=total - failed,
        failed=failed,
        counters=simulation.counters(),
        seconds=time.perf_counter() - began,
        seed=seed,
        hang=hang,
    )


def _batches(operations: Sequence[Operation]) -> Iterator[Sequence[Operation]]:
    for start in range(0, max(1, len(operations)), BATCH_OPERATIONS):
        yield operations[start : start + BATCH_OPERATIONS]


# ---- scoreboard ----------------------------------------------------------------------------------


def judge(
    batch: Sequence[Operation], played: Batch, first: int, seed: int, *, verified: bool
) -> list[Failure]:
    """Everything that is wrong in a batch whose first packet has the number `first`."""
    packets = packets_of(batch)
    failures: list[Failure] = []
    if played.hang is not None:
        failures.append(_hang(packets, played, first, seed))
    for number, (packet, answer) in enumerate(zip(packets, played.answers, strict=True)):
        if answer.answered or played.hang is None:
            failures += compare(
                packet, answer, packet_number=first + number, seed=seed, verified=verified
            )
    failures += _rules_broken(batch, played, first, seed)
    return failures


def compare(
    packet: Packet, answer: Answer, *, packet_number: int, seed: int, verified: bool = False
) -> list[Failure]:
    """One packet's answer against what it expects; an empty list when all is well. A core with
    `verified` release gives no text out of a packet whose status is not OK."""
    expect = packet.expect
    if verified and expect.status != Status.OK:
        expect = replace(expect, text=b"")
    elif isinstance(packet, FramedPacket) and packet.holes:
        expect = replace(expect, text=expect.text.rstrip(b"\0"))
        answer = replace(answer, text=answer.text.rstrip(b"\0"))
    tag = (expect.tag or b"").ljust(16, b"\0")
    if (
        answer.answered
        and answer.text == expect.text
        and answer.tag == tag
        and answer.status == expect.status
        and answer.ok == (expect.status == Status.OK)
    ):
        return []

    def failure(what: str, expected: str, got: str) -> Failure:
        return Failure(
            label=packet.label, what=what, expected=expected, got=got, seed=seed,
            packet=packet_number, cycle=answer.tag_cycle,
        )  # fmt: skip

    if not answer.answered:
        return [failure("no answer on m_tag", "", "")]
    found = []
    if answer.status != expect.status:
        found.append(failure("status", _status(expect.status), _status(answer.status)))
    if answer.ok != (expect.status == Status.OK):
        found.append(failure("ok", str(int(expect.status == Status.OK)), str(int(answer.ok))))
    if answer.tag != tag:
        found.append(failure("tag", tag.hex(), answer.tag.hex()))
    if answer.text != expect.text:
        found.append(failure("text", *_difference(expect.text, answer.text)))
    return found


def _status(code: int) -> str:
    return f"{code} ({status_name(code)})"


def _difference(expected: bytes, got: bytes) -> tuple[str, str]:
    """Both texts around the first byte that differs."""
    same = next(
        (i for i, (a, b) in enumerate(zip(expected, got, strict=False)) if a != b),
        min(len(expected), len(got)),
    )
    start = same // 16 * 16

    def part(text: bytes) -> str:
        return f"{text[start : start + 32].hex() or '-'} at byte {start} of {len(text)}"

    return part(expected), part(got)


def _hang(packets: Sequence[Packet], played: Batch, first: int, seed: int) -> Failure:
    waiting = next((i for i, answer in enumerate(played.answers) if not answer.answered), None)
    label = packets[waiting].label if waiting is not None else "after the last packet"
    return Failure(
        label=label, what=f"the core hangs: {played.hang}", expected="", got="", seed=seed,
        packet=None if waiting is None else first + waiting, cycle=None,
    )  # fmt: skip


def _rules_broken(
    batch: Sequence[Operation], played: Batch, first: int, seed: int
) -> Iterator[Failure]:
    numbers: dict[int, int] = {}
    for index, operation in enumerate(batch):
        if isinstance(operation, Packet):
            numbers[index] = first + len(numbers)
    for violation in played.violations:
        at = violation.operation
        culprit = batch[at] if at is not None and at in numbers else None
        yield Failure(
            label=culprit.label if isinstance(culprit, Packet) else "between packets",
            what=violation.rule, expected="", got="", seed=seed,
            packet=None if at is None else numbers.get(at), cycle=violation.cycle,
        )  # fmt: skip
    unseen = played.violations_total - len(played.violations)
    if unseen:
        yield Failure(
            label="more", what=f"{unseen} more broken stream rules", expected="", got="",
            seed=seed, packet=None, cycle=None,
        )  # fmt: skip
