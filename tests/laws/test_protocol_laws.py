# SPDX-License-Identifier: Apache-2.0
"""Data without a command, commands without data, packets that break off, a reset among packets:
what comes of each on every kind of core, and that the next packet is right.

What single beats and commands may do wrong is in tests/rtl/test_rtl_protocol.py, erasing among
packets in test_erase_laws.py.
"""

import pytest
from bench import Sink, play, run
from core_bench import CoreBench, library
from packets import CORES, Packets, several

from gcmforge.config import CoreConfig
from gcmforge.sim.operations import Status

pytestmark = pytest.mark.slow

QUICK = "loop"
every_core = [pytest.param(n, marks=[pytest.mark.slow] * (n != QUICK)) for n in CORES]


def commands_without_data(config: CoreConfig, text_beats: int) -> int:
    """That are taken: one whose packet is open, and two in the queue. With slots=ahead those are
    open that fill the AES with their text's key stream and J0's, and one that cannot go in, or as
    many as there are places for, and one; a single place is the queue."""
    if not config.ahead:
        return 1 + 2
    fill = config.aes_latency_cycles // (text_beats + 1) + 1
    return min(fill, config.ahead_depth + 1) + (0 if config.ahead_depth == 1 else 2)


def packets_of(name: str) -> Packets:
    return Packets(CORES[name])


@pytest.mark.parametrize("name", every_core)
def test_data_waits_for_its_command(name):
    packets = packets_of(name)
    commands, beats, expected = several(packets, 3)
    packets.send("s_axis", *beats)
    packets.cycles(300)
    assert packets.taken("s_axis") == (0 if name == "erasable" else 2)
    assert not packets.tags.got and not packets.text.got
    packets.send("s_cmd", *commands)
    assert packets.answers(3) == [answer for _, answer in expected]
    assert packets.frames() == [text for text, _ in expected]


@pytest.mark.parametrize("name", every_core)
def test_commands_wait_for_their_data_and_only_keys_of_their_context_for_them(name):
    packets = packets_of(name)
    text = bytes(range(40))
    command, beats = packets.core.packet(text)
    taken = commands_without_data(packets.core.config, len(beats))
    packets.send("s_cmd", *[command] * (taken + 1))
    packets.cycles(300)
    assert packets.taken("s_cmd") == taken
    for context, ready in ((1, True), (0, False)):
        loads = packets.taken("s_key")
        packets.send("s_key", {"tdata": 5, "size": 2, "context": context})
        packets.cycles(800)
        assert packets.taken("s_key") == loads + 1
        assert bool(packets.core.get("s_key_tready")) is ready
    assert not packets.tags.got and not packets.text.got
    packets.send("s_axis", *beats * taken)
    expected = [packets.sealed(0, text) for _ in range(taken)]
    assert packets.answers(taken) == [answer for _, answer in expected]
    assert packets.frames() == [text for text, _ in expected]


ENDS = {
    "nothing came, then an end": (0, {"tkeep": 0}, 0, Status.OK),
    "a beat came, then an end": (1, {"tkeep": 0}, 0, Status.OK),
    "nothing came, then a hole": (0, {"tkeep": 2}, 0, Status.BAD_FRAME),
    "a beat came, then a hole": (1, {"tkeep": 2}, 0, Status.BAD_FRAME),
    "decrypting, nothing came, then an end": (0, {"tkeep": 0}, 1, Status.AUTH_FAIL),
    "decrypting, a beat came, then an end": (1, {"tkeep": 0}, 1, Status.AUTH_FAIL),
}
"""Full beats of a packet of which no more comes; the beat that ends it; whether it is decrypted."""


@pytest.mark.parametrize("name", every_core)
@pytest.mark.parametrize("what", ENDS)
def test_a_packet_that_breaks_off_is_ended_by_any_last_beat(name, what):
    """With slots=ahead as a bad frame: its command said that there is more of it."""
    full, end, decrypt, status = ENDS[what]
    packets = packets_of(name)
    if packets.core.config.ahead:
        status = Status.BAD_FRAME
    size = 16 * packets.core.config.lanes
    text = bytes(range(size))[: full * size]
    command, _ = packets.core.packet(b"much more text than there will be")
    packets.send("s_cmd", command | {"decrypt": decrypt, "tag": 1})
    beats = packets.core.packet(text)[1] if full else []
    packets.send("s_axis", *(beat | {"tlast": 0} for beat in beats))
    packets.cycles(300)
    assert not packets.tags.got
    packets.send("s_axis", {"tdata": 0, "tuser": 1, "tlast": 1} | end)
    if not decrypt:
        _, whole = packets.sealed(0, text)
    assert packets.answers(1) == [whole if status is Status.OK else (0, status)]
    packets.frames()
    packets.next_is_right()


@pytest.mark.parametrize("name", every_core)
def test_packets_that_run_together_are_one_bad_frame(name):
    """The last beat of the first is not marked; the second begins with AAD. Its command is left
    over and waits, until a beat ends it: with less text than it said, if it says so."""
    packets = packets_of(name)
    command, beats = packets.core.packet(bytes(16 * packets.core.config.lanes))
    packets.send("s_cmd", command, command)
    packets.send("s_axis", beats[0] | {"tlast": 0}, beats[0] | {"tuser": 0, "tlast": 0}, beats[0])
    packets.iv(0)
    assert packets.answers(1) == [(0, Status.BAD_FRAME)]
    packets.send("s_axis", beats[0] | {"tkeep": 0})
    _, empty = packets.sealed(0, b"")
    assert packets.answers(1) == [(0, Status.BAD_FRAME) if packets.core.config.ahead else empty]
    packets.frames()
    packets.next_is_right()


@pytest.mark.parametrize("name", every_core)
def test_a_reset_among_packets_leaves_nothing_of_them_and_the_next_is_right(name):
    packets = packets_of(name)
    for cycles in range(1, 90, 8):
        commands, beats, _ = several(packets, 3)
        packets.send("s_cmd", *commands)
        packets.send("s_axis", *beats)
        packets.cycles(cycles)
        packets.core.put("aresetn", 0)
        packets.begin()
        packets.core.idle(2)  # nobody looks at what is offered in a reset
        packets.core.put("aresetn", 1)
        command, beats = packets.core.packet(b"text")
        packets.send("s_cmd", command)
        packets.send("s_axis", *beats)
        assert packets.answers(1) == [(0, Status.NO_KEY)], f"after {cycles} cycles"
        packets.frames()
        packets.load()
        packets.next_is_right()


ONE_CONTEXT = CoreConfig(sbox="table", multiplier="ko2", key_sizes=(128,), contexts=1)


def keyed(config: CoreConfig) -> CoreBench:
    """A core with a key in context 0."""
    core = CoreBench(library(config), config)
    core.idle(2)
    core.load([bytes(16)], size=0)
    return core


def test_a_key_for_a_context_that_does_not_exist_waits_for_no_packet():
    """Nor does it in a core of one context, which keeps no queue of contexts."""
    core = keyed(ONE_CONTEXT)
    command, _ = core.packet(bytes(16))
    key = core.stream("s_key", [{"tdata": 3, "size": 0, "context": 1}])
    commands = core.stream("s_cmd", [command])
    run(core, [commands], lambda: commands.done)
    run(core, [key], lambda: key.done)
    core.idle(20)
    assert core.get("s_key_tready")


@pytest.mark.parametrize("slots", ["queue", "line", "ahead"])
def test_a_refused_packet_needs_no_room_in_the_packet_buffer(slots):
    """Two good packets fill it, and nobody takes their text: the third has its answer."""
    needs = {"iv": "96", "key_unit": "dedicated"} if slots == "ahead" else {}
    core = keyed(
        CoreConfig(
            sbox="table", multiplier="ko2", key_sizes=(128,), contexts=2, slots=slots,
            tag_places=1, release="verified", max_text_bytes=64, max_aad_bytes=80, buffer_beats=5,
            **needs,
        )
    )  # fmt: skip
    commands, beats = [], []
    for size in (64, 48, 16):
        command, data = core.packet(bytes(size))
        commands.append(command | {"context": int(size == 16)})
        if size == 64:  # a last beat without a byte
            data[-1]["tlast"] = 0
            data.append({"tdata": 0, "tkeep": 0, "tuser": 1, "tlast": 1})
        beats += data
    core.put("m_axis_tready", 0)
    tags = Sink(core, "m_tag_tvalid", "m_tag_tready", ["m_tag_status"])
    streams = [core.stream("s_cmd", commands), core.stream("s_axis", beats), tags]
    play(core, streams, lambda: len(tags.got) == 3, limit=1000)
    assert tags.got == [(Status.OK,), (Status.OK,), (Status.NO_KEY,)]
