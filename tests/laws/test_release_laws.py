# SPDX-License-Identifier: Apache-2.0
"""gcm_release_verified: nothing but the beats of good packets leaves, in order, and never a pause
that its header does not allow. What must come out follows from the packets alone."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pytest
from bench import Bench, Chance, Instance, at_random, compile_bench, never, ports, rtl, side_by_side

WIDTH = 24
LONGEST, DELAY = 9, 5
ENOUGH = LONGEST + DELAY + 1
DEPTHS = (LONGEST, ENOUGH - 1, ENOUGH, 64)
PENDING = DELAY + 1

WIDTHS = {
    "in_valid_i": 1, "in_ready_o": 1, "in_beat_i": WIDTH, "in_error_i": 1, "end_i": 1,
    "verdict_valid_i": 1, "verdict_ok_i": 1, "out_valid_o": 1, "out_ready_i": 1,
    "out_beat_o": WIDTH,
}  # fmt: skip


CHANGES = {
    "the verdict does not count": ("verdict_ok_i, judged", "1'b1, judged"),
    "a bad packet keeps its place": ("if (in_error_i) write_d = start_q;", "if (0) write_d = '0;"),
    "a skipped packet is not passed over": ("skip ? (CountWidth + 1)'(turn_length)", "skip ? '0"),
    "the ring counts a refused packet": ("&& in_error_i ? length_q : '0", "&& 1'b0 ? '1 : '0"),
    "the next packet's turn comes early": ("+ CountWidth'(1) == turn_length", "== turn_length"),
}


def changed(number: int, before: str, after: str) -> tuple[str, str]:
    """The module with one change, under a name of its own."""
    text = rtl("gcm_release_verified")["gcm_release_verified"]
    assert text.count(before) == 1
    text = text.replace(before, after).replace(
        "module gcm_release_verified", f"module changed_{number}"
    )
    return f"changed_{number}", text


@pytest.fixture
def bench() -> Bench:
    """Buffers of every depth side by side, and one for each change."""
    wrong = dict(changed(number, *change) for number, change in enumerate(CHANGES.values()))
    made = [(f"d{depth}", "gcm_release_verified", depth) for depth in DEPTHS]
    made += [(name, name, ENOUGH) for name in wrong]
    instances = [
        Instance(prefix=prefix, module=module, ports=ports(**WIDTHS),
                 parameters={"Width": WIDTH, "Depth": depth, "Pending": PENDING})
        for prefix, module, depth in made
    ]  # fmt: skip
    texts = rtl("gcm_ram", "gcm_fifo", "gcm_release_verified") | wrong
    return Bench(compile_bench("laws_top", texts | {"laws_top": side_by_side(instances)}))


@dataclass(frozen=True, kw_only=True, slots=True)
class Text:
    """A packet: its beats, the first of them that is known to be bad (its end, when there is no
    such beat but `bad_end`), and the verdict on it otherwise."""

    beats: tuple[int, ...]
    bad_from: int
    bad_end: bool
    ok: bool

    @property
    def good(self) -> bool:
        return self.ok and not self.bad_end and self.bad_from >= len(self.beats)


def texts(rng: random.Random, count: int, longest: int, bad: float) -> list[Text]:
    """Packets with beats that are all different; bad ones of each kind with that chance."""
    found, number = [], 0
    for _ in range(count):
        beats = rng.choice((0, 1, 1, 2, longest, rng.randint(0, longest)))
        early, wrong = rng.random() < bad / 2, rng.random() < bad
        found.append(
            Text(
                beats=tuple(range(number, number + beats)), ok=not wrong, bad_end=early,
                bad_from=rng.randint(0, beats) if early else beats,
            )
        )  # fmt: skip
        number += beats
    return found


def slots(packets: Sequence[Text]) -> list[tuple[int | None, bool, bool, bool]]:
    """Cycle by cycle: beat, whether it is bad, whether the packet ends, and then its verdict."""
    steps: list[tuple[int | None, bool, bool, bool]] = []
    for packet in packets:
        last = len(packet.beats) - 1
        for number, beat in enumerate(packet.beats):
            bad = number >= packet.bad_from or (number == last and packet.bad_end)
            steps.append((beat, bad, number == last, packet.good))
        if not packet.beats:
            steps.append((None, packet.bad_end, True, packet.good))
    return steps


def play(
    bench: Bench,
    which: int | str,
    packets: Sequence[Text],
    *,
    wait: Chance = never,
    idle: Chance = never,
) -> tuple[list[int], list[int], list[int]]:
    """Beats that came out, their cycles, and the cycles in which a beat was refused."""
    p, steps = f"d{which}_" if isinstance(which, int) else f"{which}_", slots(packets)
    at, verdicts = 0, dict[int, bool]()
    out, cycles, refused = [], [], []
    wanted = sum(len(packet.beats) for packet in packets if packet.good)
    limit = bench.cycle + 100 * len(steps) + 1_000

    def put(values: Mapping[str, int]) -> None:
        for name, value in values.items():
            bench.put(p + name, value)
        bench.settle()

    while at < len(steps) or verdicts or len(out) < wanted:
        assert bench.cycle < limit, "hang"
        beat, bad, end, good = steps[at] if at < len(steps) else (None, False, False, False)
        go = at < len(steps) and not idle(bench.cycle)
        verdict = verdicts.pop(bench.cycle, None)
        ready = not wait(bench.cycle)
        put({
            "in_valid_i": go and beat is not None, "in_beat_i": beat or 0, "in_error_i": bad,
            "verdict_valid_i": verdict is not None, "verdict_ok_i": bool(verdict),
            "out_ready_i": ready, "end_i": 0,
        })  # fmt: skip
        taken = go and (beat is None or bool(bench.get(p + "in_ready_o")))
        put({"end_i": taken and end})
        if go and not taken:
            refused.append(bench.cycle)
        if taken and end:
            verdicts[bench.cycle + DELAY] = good
        at += taken
        if ready and bench.get(p + "out_valid_o"):
            out.append(bench.get(p + "out_beat_o"))
            cycles.append(bench.cycle)
        bench.edge()
    return out, cycles, refused


def expected(packets: Sequence[Text]) -> list[int]:
    return [beat for packet in packets if packet.good for beat in packet.beats]


@pytest.mark.parametrize("depth", DEPTHS)
@pytest.mark.parametrize("seed", range(4))
def test_the_beats_of_good_packets_leave_and_nothing_else(bench, depth, seed):
    packets = texts(random.Random(seed), 400, LONGEST, 0.4)
    wait, idle = at_random(seed, 0.2 * seed), at_random(seed + 9, 0.3 * (seed % 2))
    out, _, _ = play(bench, depth, packets, wait=wait, idle=idle)
    assert out == expected(packets)


@pytest.mark.parametrize("beats", [0, 1, 2, 3, LONGEST])
def test_no_packets_of_n_beats_pause_when_the_ring_has_n_and_v_and_1(bench, beats):
    for bad in (0.0, 0.4):
        packets = [
            packet
            for packet in texts(random.Random(beats), 900, LONGEST, bad)
            if beats in (0, len(packet.beats))  # 0: of all lengths
        ]
        out, _, refused = play(bench, ENOUGH, packets)
        assert out == expected(packets)
        assert not refused


def test_a_beat_less_pauses_and_the_longest_packet_alone_still_fits(bench):
    longest = [Text(beats=tuple(range(LONGEST)), ok=True, bad_end=False, bad_from=LONGEST)] * 20
    assert play(bench, ENOUGH - 1, longest)[2]
    out, _, refused = play(bench, LONGEST, longest)
    assert refused
    assert out == expected(longest)


def test_a_beat_leaves_two_cycles_after_its_verdict_and_one_follows_each_cycle(bench):
    packet = Text(beats=tuple(range(LONGEST)), ok=True, bad_end=False, bad_from=LONGEST)
    began = bench.cycle
    _, cycles, _ = play(bench, ENOUGH, [packet])
    verdict = began + LONGEST - 1 + DELAY
    assert cycles == [verdict + 2 + beat for beat in range(LONGEST)]


def test_one_reader_that_never_reads_stops_nothing_before_the_ring_is_full(bench):
    """A whole packet and its verdict fit before anybody reads."""
    packet = Text(beats=tuple(range(LONGEST)), ok=True, bad_end=False, bad_from=LONGEST)
    out, cycles, refused = play(bench, LONGEST, [packet], wait=lambda cycle: cycle < 60)
    assert (out, refused) == (expected([packet]), [])
    assert cycles[0] == 60


@pytest.mark.slow
@pytest.mark.parametrize("what", CHANGES)
def test_the_checks_see_that(bench, what):
    packets = texts(random.Random(1), 400, LONGEST, 0.4)
    try:
        out, _, refused = play(bench, f"changed_{list(CHANGES).index(what)}", packets)
    except AssertionError:
        return  # a hang is seen, too
    assert out != expected(packets) or refused
