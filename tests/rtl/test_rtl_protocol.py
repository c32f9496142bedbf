# SPDX-License-Identifier: Apache-2.0
"""What a core answers to streams that break the rules, and that the next packet is right again.

SEED in the environment changes stalls, data, and what registers hold before reset.
"""

from typing import Any

import pytest
from axis_bench import AxisBench, Beat, beat, le
from core_bench import library

from gcmforge.config import CoreConfig
from gcmforge.sim.operations import Status
from gcmforge.sim.reference import answer, open_unchecked, seal

pytestmark = pytest.mark.slow

CORES = {
    "loop-serial": CoreConfig(
        aes="loop", ghash="serial", contexts=3, key_sizes=(128, 256), multiplier="schoolbook",
        max_text_bytes=70, max_aad_bytes=50, sbox="table",
    ),
    "two-lanes": CoreConfig(
        lanes=2, aes="pipelined", ghash="dot", ghash_stages=2, contexts=2, key_sizes=(128,),
        multiplier="schoolbook", iv="96", max_text_bytes=5120, max_aad_bytes=64, sbox="table",
    ),
    "line": CoreConfig(
        slots="line", contexts=2, ghash_stages=2, multiplier="schoolbook", max_text_bytes=5120,
        max_aad_bytes=100, sbox="table", tag_places=2, key_sizes=(128,),
    ),
    "one-context": CoreConfig(
        slots="line", contexts=1, multiplier="schoolbook", max_text_bytes=5120,
        max_aad_bytes=100, sbox="table", key_sizes=(128,),
    ),
}  # fmt: skip
SEVERAL = [name for name, config in CORES.items() if config.contexts > 1]
PIPELINED = [name for name in SEVERAL if CORES[name].aes == "pipelined"]
IV = bytes(range(12))


def ready_bench(core: str, *, stall: bool = False) -> AxisBench:
    """A core that holds a key in its first and its last context."""
    bench = AxisBench(library(CORES[core]), CORES[core])
    for context in sorted({0, bench.last_context}):
        bench.load(context, new_key(bench))
    if stall:
        bench.stall()
    return bench


def new_key(bench: AxisBench, bits: int | None = None) -> bytes:
    return bench.rng.randbytes((bits or bench.rng.choice(bench.config.key_sizes)) // 8)


def broken(bench: AxisBench, what: str, beats: list[Beat], status: Status, shown: bytes) -> None:
    """A packet with these beats between two good ones; `shown` is what leaves on m_axis."""
    bench.good()
    bench.command(0, iv=IV)
    bench.data(beats)
    bench.expect(what, status, text=shown)
    bench.good(bench.last_context, what=f"the packet after {what}")


def encrypted(bench: AxisBench, text: bytes) -> bytes:
    return open_unchecked(bench.keys[0], IV, text)


@pytest.mark.parametrize("core", CORES)
def test_tkeep_with_holes_is_a_bad_frame(core):
    bench = ready_bench(core, stall=True)
    n = bench.beat_bytes
    full = (1 << n) - 1
    block = bytes(range(1, n + 1))
    holes = [full ^ 1, full ^ 2, full ^ (1 << n // 2), full >> 1 ^ 1, 1 << (n - 1), 2, 0b101]
    for keep in holes:
        for user in (0, 1):
            name = f"tkeep {keep:x} in section {user}"
            if user == 0:
                beats = [beat(block, 0, keep=keep), beat(block, 1, 1)]
                broken(bench, name, beats, Status.BAD_FRAME, bytes(n))
                beats = [beat(block, 0, 1, keep=keep)]
                broken(bench, f"{name}, last", beats, Status.BAD_FRAME, b"")
            else:
                bench.good()
                bench.command(0, iv=IV)
                bench.data([beat(block, 1), beat(block, 1, keep=keep), beat(block, 1, 1)])
                bench.expect(name, Status.BAD_FRAME, text=None)  # its text is compared below
                at = len(bench.expected_frames) - 1
                bench.until(lambda: not any(bench.queue.values()), "sent")
                bench.until(lambda: len(bench.tags) == len(bench.expected), name)
                bench.until(lambda at=at: len(bench.frames) > at, f"{name}, its text")
                frame = bench.frames[at]
                assert len(frame.beats) == 3, f"{name}: {frame}"
                assert frame.beats[0] == encrypted(bench, block)
                assert not any(frame.beats[1]) and frame.beats[2] == bytes(n)
                bench.expected_frames[at] = (frame.text, name)
    bench.finish()


@pytest.mark.parametrize("core", CORES)
def test_aad_after_text_is_a_bad_frame(core):
    bench = ready_bench(core, stall=True)
    n = bench.beat_bytes
    block = bytes(range(n))
    shown = encrypted(bench, block)
    for last_aad in (block, block[:5], b""):
        beats = [beat(block, 1), beat(last_aad, 0, 1)]
        broken(bench, "AAD ends the packet", beats, Status.BAD_FRAME, shown)
    beats = [beat(block, 1), beat(block, 0), beat(block, 1, 1)]
    broken(bench, "AAD between text", beats, Status.BAD_FRAME, shown + bytes(n))
    beats = [beat(b"", 1), beat(block, 0, 1)]
    broken(bench, "AAD after an empty text", beats, Status.BAD_FRAME, b"")
    bench.finish()


@pytest.mark.parametrize("core", CORES)
def test_partial_beat_inside_a_section_is_a_bad_frame(core):
    bench = ready_bench(core, stall=True)
    n = bench.beat_bytes
    block = bytes(range(n))
    for size in (1, n - 1):
        part = block[:size]
        shown = encrypted(bench, part)
        beats = [beat(part, 0), beat(block, 0), beat(block, 1, 1)]
        broken(bench, "partial AAD", beats, Status.BAD_FRAME, bytes(n))
        beats = [beat(part, 0), beat(b"", 0), beat(block, 1, 1)]
        broken(bench, "partial AAD, none, text", beats, Status.BAD_FRAME, bytes(n))
        beats = [beat(part, 1), beat(block, 1, 1)]
        broken(bench, "partial text", beats, Status.BAD_FRAME, shown + bytes(n))
        beats = [beat(part, 1), beat(b"", 1, 1)]
        broken(bench, "partial text, then none", beats, Status.BAD_FRAME, shown)
    beats = [beat(b"", 1), beat(block, 1, 1)]
    broken(bench, "an empty beat inside the text", beats, Status.BAD_FRAME, bytes(n))
    beats = [beat(b"", 0), beat(block, 0, 1)]
    broken(bench, "an empty beat inside the AAD", beats, Status.BAD_FRAME, b"")
    bench.finish()


@pytest.mark.parametrize("core", CORES)
def test_empty_beat_at_the_end_of_a_section_adds_nothing(core):
    bench = ready_bench(core, stall=True)
    n = bench.beat_bytes
    key, aad, text = bench.keys[0], bytes(n), bytes(range(2 * n))
    for aad_part in (b"", aad):
        for text_part in (b"", text):
            beats = [*bench.section(aad_part, 0), beat(b"", 0)]
            beats += [*bench.section(text_part, 1), beat(b"", 1, 1)]
            bench.command(0, iv=IV)
            bench.data(beats)
            bench.expect_good("empty beats at the ends", key, IV, aad_part, text_part)
            bench.good()
    bench.finish()
    # Text that began to leave is ended by a beat without bytes.
    assert any(frame.beats[-1] == b"" for frame in bench.frames)


@pytest.mark.parametrize("core", CORES)
def test_sections_end_exactly_at_their_limit(core):
    bench = ready_bench(core, stall=True)
    most_aad, most_text = bench.config.max_aad_bytes, bench.config.max_text_bytes
    for over in (1, 2 * bench.beat_bytes):
        bench.good(aad_bytes=most_aad, text_bytes=most_text, what="both sections at their limit")
        text = bench.rng.randbytes(most_text + over)
        whole = most_text - most_text % bench.beat_bytes
        shown = encrypted(bench, text)[:whole] + bytes(len(text) - whole)
        bench.command(0, iv=IV)
        bench.data(bench.sections(b"", text))
        bench.expect(f"text {over} too long", Status.TOO_LONG, text=shown)
        bench.good()
        bench.command(0, iv=IV)
        bench.data(bench.sections(bytes(most_aad + over), bytes(16)))
        bench.expect(f"AAD {over} too long", Status.TOO_LONG, text=bytes(16))
    bench.command(0, iv=IV)
    bench.data(bench.sections(bytes(most_aad + 1), b""))
    bench.expect("AAD too long, no text", Status.TOO_LONG)
    bench.good(aad_bytes=most_aad, text_bytes=most_text)
    bench.finish()


@pytest.mark.parametrize("core", CORES)
def test_context_without_a_key_is_refused(core):
    bench = AxisBench(library(CORES[core]), CORES[core])
    for context in range(bench.config.contexts):
        bench.command(context, iv=IV)
        bench.data(bench.sections(b"aad", b"text"))
        bench.expect(f"context {context} before any key", Status.NO_KEY, text=bytes(4))
    bench.load(0, new_key(bench))
    bench.good()
    width = bench.widths["s_cmd_context"]
    for context in range(bench.config.contexts, 1 << width):
        for _ in range(2):
            bench.command(context, iv=IV)
            bench.data(bench.sections(b"", b"text"))
            bench.expect(f"context {context} does not exist", Status.NO_KEY, text=bytes(4))
            bench.good()
            key = bench.keys[0]
            bench.load(context, new_key(bench))
            assert bench.keys[0] == key
    bench.finish()


@pytest.mark.parametrize("core", CORES)
def test_key_of_a_size_not_built_makes_the_context_unusable(core):
    bench = ready_bench(core)
    codes = {bits: code for code, bits in enumerate((128, 192, 256))}
    wrong = [3, *(code for bits, code in codes.items() if bits not in bench.config.key_sizes)]
    for size in wrong:
        bench.good(bench.last_context)
        old = bench.keys[bench.last_context]
        bench.load(bench.last_context, old, size)
        bench.command(bench.last_context, iv=IV)
        bench.data(bench.sections(b"", b"text"))
        bench.expect(f"after key size code {size}", Status.NO_KEY, text=bytes(4))
        if bench.config.contexts > 1:
            bench.good(0)
        bench.load(bench.last_context, new_key(bench))
        bench.good(bench.last_context)
    bench.finish()


@pytest.mark.parametrize("core", CORES)
def test_iv_lengths(core):
    bench = ready_bench(core, stall=True)
    sizes = [0, 1, 11, 12, 13, 15, 16, 17, 31, 32, 33, 48, 100]
    for size in sizes:
        if size == 12 or (bench.config.iv == "any" and size):
            bench.good(iv_bytes=size, what=f"IV of {size} bytes")
        else:
            bench.command(0, iv=bytes(size))
            bench.data(bench.sections(b"aad", b"text"))
            bench.expect(f"IV of {size} bytes", Status.BAD_IV, text=bytes(4))
        bench.good(bench.last_context, what=f"the packet after an IV of {size} bytes")
    bench.finish()


@pytest.mark.parametrize("core", CORES)
def test_tag_lengths(core):
    bench = ready_bench(core, stall=True)
    key, aad, text = bench.keys[0], b"some data", b"the text of all packets"
    ciphertext, tag = seal(key, IV, text, aad)
    for size in range(32):
        allowed = size in (4, 8, 12, 13, 14, 15, 16)
        for received in (None, tag[:size]):
            data = text if received is None else ciphertext
            bench.command(0, iv=IV, tag=received, tag_bytes=size)
            bench.data(bench.sections(aad, data))
            if allowed:
                bench.expect_good(f"tag of {size}", key, IV, aad, data, received, size)
            else:
                bench.expect(f"tag of {size}", Status.BAD_TAG_LENGTH, text=bytes(len(text)))
    bench.finish()


@pytest.mark.parametrize("core", CORES)
def test_the_first_error_is_the_one_reported(core):
    bench = ready_bench(core, stall=True)
    n = bench.beat_bytes
    hole, none = beat(bytes(n), 1, keep=2), b""
    long_text = bench.section(bytes(bench.config.max_text_bytes + 1), 1)
    blank = bytes(bench.config.max_text_bytes + 1)

    def send(what: str, status: Status, beats: list[Beat], shown: bytes, **command: Any) -> None:
        beats = [dict(b) for b in beats]
        beats[-1]["tlast"] = 1
        bench.command(**({"context": 0, "iv": IV} | command))
        bench.data(beats)
        bench.expect(what, status, text=shown)
        bench.good(bench.last_context)

    aad_hole = beat(bytes(n), 0, keep=2)
    send("IV, tag, frame", Status.BAD_IV, [aad_hole], none, iv=b"", tag_bytes=3)
    send("tag, frame", Status.BAD_TAG_LENGTH, [aad_hole], none, tag_bytes=3)
    send("tag, length", Status.BAD_TAG_LENGTH, long_text, blank, tag_bytes=0)
    send("frame, length", Status.BAD_FRAME, [aad_hole, *long_text], blank)
    full = bench.section(bytes(bench.config.max_text_bytes + n), 1)
    shown = encrypted(bench, bytes(bench.config.max_text_bytes // n * n))
    shown += bytes(bench.config.max_text_bytes + n - len(shown))
    send("length, frame", Status.TOO_LONG, [*full, beat(b"", 0)], shown)
    bench.load(bench.last_context, new_key(bench), 3)
    bench.command(bench.last_context, iv=b"", tag_bytes=3)
    bench.data([hole | {"tuser": 0, "tlast": 1}])
    bench.expect("key, IV, tag, frame", Status.NO_KEY)
    bench.load(bench.last_context, new_key(bench))
    bench.good(bench.last_context)
    bench.finish()


@pytest.mark.parametrize("core", CORES)
def test_reset_at_any_moment_leaves_nothing_behind(core):
    bench = ready_bench(core)
    for cycles in (*range(1, 60, 7), 75, 90, 120):
        old = bench.keys[0]
        bench.send_key(bench.last_context, new_key(bench))
        for _ in range(2):
            bench.good(0, key=old, iv_bytes=40 if bench.config.iv == "any" else 12)
        bench.ticks(cycles)
        bench.reset()
        bench.command(0, iv=IV)
        bench.data(bench.sections(b"aad", b"text"))
        bench.expect(f"no key after a reset in cycle {cycles}", Status.NO_KEY, text=bytes(4))
        bench.load(0, new_key(bench))
        bench.load(bench.last_context, new_key(bench))
        for _ in range(2):
            bench.good(0, what=f"after a reset in cycle {cycles}")
        bench.finish()
        old = bench.keys[0]


@pytest.mark.parametrize("core", CORES)
def test_packets_use_the_key_that_was_there_when_their_command_came(core):
    """The key comes 0 to 5 cycles after the commands; data only later; then another key."""
    bench = ready_bench(core)
    for delay in (0, 0, 1, 2, 3, 5):
        for context in {0, bench.last_context}:
            bench.may_send["s_axis"] = lambda: False
            first, second, third = bench.keys[context], new_key(bench), new_key(bench)
            bench.good(context, what=f"before the key, {delay} cycles")
            sent = len(bench.taken["s_cmd"])
            if delay:
                bench.until(lambda sent=sent: len(bench.taken["s_cmd"]) == sent + 1)
                bench.ticks(delay - 1)
            bench.send_key(context, second)
            bench.until(lambda: not bench.queue["s_key"])
            bench.tick()
            assert bench.taken["s_cmd"][-1] <= bench.taken["s_key"][-1]
            bench.good(context, what="after the key")
            bench.good(bench.last_context - context, what="on the other context")
            bench.send_key(context, third)
            bench.ticks(300)
            assert first != second
            assert bench.queue["s_key"], "a second key was taken while the first one waited"
            before = len(bench.taken["s_key"])
            bench.may_send["s_axis"] = lambda: True
            bench.until(lambda before=before: len(bench.taken["s_key"]) > before)
            bench.tick()
            bench.good(context, what="after the third key")
            bench.finish()


@pytest.mark.parametrize("core", CORES)
def test_keys_and_commands_in_any_order_of_cycles(core):
    """Keys and commands race; the cycles of their handshakes decide which key a packet uses."""
    bench = ready_bench(core)
    bench.stall()
    keys = {context: [(-1, bench.keys[context])] for context in {0, bench.last_context}}
    loads: list[tuple[int, bytes]] = []
    packets: list[tuple[int, bytes, bytes, bytes]] = []
    for _ in range(40):
        if bench.rng.random() < 0.4:
            context, key = bench.rng.choice(list(keys)), new_key(bench)
            bench.send_key(context, key)
            loads.append((context, key))
        aad, text = bench.rng.randbytes(bench.rng.randrange(20)), bench.rng.randbytes(20)
        packets.append((bench.rng.choice(list(keys)), bench.rng.randbytes(12), aad, text))
        bench.command(packets[-1][0], iv=packets[-1][1])
        bench.data(bench.sections(aad, text))
        bench.ticks(bench.rng.randrange(60))
    already = len({0, bench.last_context})  # loaded by ready_bench
    bench.until(lambda: len(bench.tags) == len(packets) and not any(bench.queue.values()))
    for (context, key), cycle in zip(loads, bench.taken["s_key"][already:], strict=True):
        keys[context].append((cycle, key))
    for packet, cycle in zip(packets, bench.taken["s_cmd"], strict=True):
        context, iv, aad, text = packet
        key = [key for loaded, key in keys[context] if loaded < cycle][-1]
        bench.expect_good(f"command in cycle {cycle}", key, iv, aad, text)
    bench.finish()


@pytest.mark.parametrize("core", PIPELINED)
def test_key_for_another_context_does_not_hold_a_packet_up(core):
    """The packet is refused for the subkey's slot and the turns that its powers take, no longer."""
    bench = ready_bench(core)
    beats = bench.config.max_text_bytes // bench.beat_bytes
    bench.send_key(bench.last_context, new_key(bench))
    bench.until(lambda: not bench.queue["s_key"])
    bench.tick()
    key_taken = bench.cycle
    before = len(bench.taken["s_axis"])
    bench.may_send["s_axis"] = lambda: bench.cycle >= key_taken + 5  # the command has started then
    bench.good(0, aad_bytes=0, text_bytes=beats * bench.beat_bytes)
    bench.finish()
    cycles = bench.taken["s_axis"][before:]
    assert len(cycles) == beats
    # Expansion of the key ends well inside the packet, and m_tag shows that the load did.
    assert cycles[-1] > key_taken + 150
    powers = bench.config.lanes * bench.config.ghash_stages
    lost = cycles[-1] - cycles[0] + 1 - beats
    assert 1 <= lost <= powers, f"{lost} cycles lost, at most 1 + {powers - 1} are taken"
    bench.good(bench.last_context)
    bench.finish()


@pytest.mark.parametrize("core", SEVERAL)  # a key, too, would wait for packets that nobody takes
def test_blocked_outputs_stop_the_core_and_lose_nothing(core):
    bench = ready_bench(core)
    for blocked in (("m_tag",), ("m_axis",), ("m_axis", "m_tag")):
        for stream in blocked:
            bench.ready[stream] = lambda: False
        for _ in range(30):
            bench.good(bench.rng.choice((0, bench.last_context)))
        bench.ticks(700)
        before = {stream: len(taken) for stream, taken in bench.taken.items()}
        # A command that is offered stays; those after it would come after the key.
        offered = int(bench.shown["s_cmd"])
        first = bench.queue["s_cmd"][0]["context"] if offered else 0
        bench.send_key(bench.last_context - first, new_key(bench))
        bench.ticks(400)
        if blocked == ("m_tag",):
            room = min(3, bench.config.tag_depth)  # some packets have no text
            assert len(bench.frames) > room, "text waits for tags that nobody asked for"
        assert len(bench.taken["s_key"]) == before["s_key"] + 1
        assert len(bench.taken["s_axis"]) == before["s_axis"], "the core swallows without end"
        refused = len(bench.queue["s_cmd"]) - offered
        assert refused > 0
        kept = len(bench.expected) - refused
        for _ in range(refused):
            bench.queue["s_cmd"].pop()
        packets_left = refused
        beats = list(bench.queue["s_axis"])
        ends = [at for at, transfer in enumerate(beats) if transfer["tlast"]]
        keep = len(ends) - packets_left
        assert keep >= 0
        showing = bench.shown["s_axis"]
        bench.queue["s_axis"].clear()
        bench.queue["s_axis"].extend(beats[: ends[keep - 1] + 1] if keep else [])
        bench.shown["s_axis"] = showing and keep > 0
        texts = {what for _, what in bench.expected_frames}
        assert texts == {"good packet"}
        del bench.expected[kept:]
        del bench.expected_frames[kept:]
        bench.stall()
        bench.finish()
        bench.may_send = dict.fromkeys(bench.queue, lambda: True)
        bench.ready = dict.fromkeys(bench.ready, lambda: True)
        bench.until(lambda: bool(bench.get("s_key_tready")), "key in place")


@pytest.mark.parametrize("core", CORES)
def test_wrong_tags_are_refused_and_the_right_one_is_never_shown(core):
    bench = ready_bench(core, stall=True)
    key, aad, text = bench.keys[0], b"header", b"not for everybody"
    ciphertext, tag = seal(key, IV, text, aad)
    bench.secrets = {le(tag[:size]) for size in (4, 12, 16)}
    for bit in (0, 1, 7, 8, 31, 32, 63, 64, 95, 96, 119, 120, 127):
        forged = bytes(a ^ b for a, b in zip(tag, (1 << bit).to_bytes(16, "little"), strict=True))
        for size in (4, 12, 16):
            bench.command(0, iv=IV, tag=forged, tag_bytes=size)
            bench.data(bench.sections(aad, ciphertext))
            status = Status.AUTH_FAIL if bit < 8 * size else Status.OK
            bench.expect(f"bit {bit} of {size} bytes", status, text=text)
    for what, data in (("text", bytes(17)), ("empty text", b"")):
        bench.command(0, iv=IV, tag=tag)
        bench.data(bench.sections(aad, data))
        good = answer(key=key, decrypt=True, iv=IV, aad=aad, text=data, tag=tag, tag_bytes=16)
        bench.expect(what, Status.AUTH_FAIL, text=good.text)
    bench.finish()
    assert not any(tag for tag, _ in bench.tags)


@pytest.mark.parametrize("core", CORES)
def test_key_stream_is_on_no_port(core):
    """Full beats of AAD wait with the key stream of what follows them; the bench looks at
    m_axis_tdata and m_tag_tag in the cycles without tvalid."""
    bench = ready_bench(core)
    n = bench.beat_bytes
    for ready in (1.0, 0.5):
        bench.ready["m_axis"] = bench.some(ready)
        for text_bytes in (0, 1, n, 2 * n):
            for aad_bytes in (0, n, 2 * n):
                bench.good(0, aad_bytes=aad_bytes, text_bytes=text_bytes)
                bench.good(bench.last_context, aad_bytes=aad_bytes, text_bytes=text_bytes)
        bench.finish()
        bench.send_key(bench.last_context, new_key(bench))  # its subkey passes waiting data
        bench.until(lambda: not bench.queue["s_key"])
        bench.data(bench.sections(b"", bytes(n)))
        bench.until(lambda: bool(bench.get("s_key_tready")))
        bench.command(bench.last_context, iv=IV)
        bench.expect_good("data before command", bench.keys[bench.last_context], IV, b"", bytes(n))
        bench.finish()
