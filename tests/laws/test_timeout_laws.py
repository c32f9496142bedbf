# SPDX-License-Identifier: Apache-2.0
"""The law of gcm_timeout, and what a core with a timeout answers when its sender stops."""

import random
from dataclasses import replace

import pytest
from bench import Bench, Instance, Sink, Source, compile_bench, play, ports, rtl, side_by_side
from packets import CORES as KIND_OF_CORE
from packets import KEYS, Packets, several

from gcmforge.sim.operations import Status

LIMIT = 150
KINDS = ("loop", "dedicated", "verified", "erasable", "own IVs")
CORES = {name: replace(KIND_OF_CORE[name], timeout=LIMIT) for name in KINDS}
CORES["guarded"] = CORES["verified"].with_settings(["iv=counter", "zeroise=on"])
QUICK = "loop"
every_core = [pytest.param(n, marks=[pytest.mark.slow] * (n != QUICK)) for n in CORES]
REFUSED = (0, Status.BAD_FRAME)


# ---- the module alone ----------------------------------------------------------------------------

LIMITS = (1, 2, 7)
TIMEOUT_PORTS = {
    "command_valid_i": 1, "command_ready_o": 1, "command_iv_bytes_i": 16, "command_valid_o": 1,
    "command_ready_i": 1, "made_o": 1, "data_valid_i": 1, "data_ready_o": 1, "data_last_i": 1,
    "data_valid_o": 1, "data_ready_i": 1, "close_o": 1, "doubt_o": 1,
}  # fmt: skip


@pytest.fixture
def modules() -> Bench:
    instances = [
        Instance(
            prefix=f"t{limit}", module="gcm_timeout", parameters={"Limit": limit},
            ports=ports(**TIMEOUT_PORTS),
        )
        for limit in LIMITS
    ]  # fmt: skip
    texts = rtl("gcm_iv_words", "gcm_timeout")
    bench = Bench(compile_bench("laws_top", texts | {"laws_top": side_by_side(instances)}))
    for limit in LIMITS:
        bench.put(f"t{limit}_command_iv_bytes_i", 12)
        bench.put(f"t{limit}_command_ready_i", 1)
        bench.put(f"t{limit}_data_ready_i", 1)
    return bench


def cycle(bench: Bench, limit: int, **values: int) -> set[str]:
    """One clock cycle with those inputs; outputs that were high in it."""
    for name, value in values.items():
        bench.put(f"t{limit}_{name}", value)
    bench.settle()
    high = {name for name in TIMEOUT_PORTS if name[-1] == "o" and bench.get(f"t{limit}_{name}")}
    bench.edge()
    return high


@pytest.mark.parametrize("limit", LIMITS)
def test_data_is_waited_for_as_long_as_the_law_says(modules, limit):
    assert "command_valid_o" in cycle(modules, limit, command_valid_i=1)
    waited = [cycle(modules, limit, command_valid_i=0) for _ in range(limit)]
    assert not any({"data_valid_o", "close_o"} & high for high in waited)
    assert {"data_valid_o", "close_o"} <= cycle(modules, limit)
    assert not {"data_valid_o", "close_o"} & cycle(modules, limit)


@pytest.mark.parametrize("limit", LIMITS)
def test_a_command_is_waited_for_as_long_as_the_law_says(modules, limit):
    waited = [cycle(modules, limit, data_valid_i=1, data_last_i=1) for _ in range(limit)]
    assert not any({"data_ready_o", "command_valid_o", "made_o"} & high for high in waited)
    assert {"command_valid_o", "made_o"} <= cycle(modules, limit)
    taken = cycle(modules, limit)
    assert {"data_valid_o", "data_ready_o"} <= taken
    assert not {"close_o", "command_valid_o", "made_o"} & taken


@pytest.mark.parametrize("limit", LIMITS)
def test_a_pause_of_a_cycle_less_changes_nothing(modules, limit):
    cycle(modules, limit, command_valid_i=1)
    for _ in range(3):
        for _ in range(limit - 1):
            high = cycle(modules, limit, command_valid_i=0, data_valid_i=0)
            assert not {"data_valid_o", "close_o"} & high
        high = cycle(modules, limit, command_valid_i=0, data_valid_i=1)
        assert {"data_valid_o", "data_ready_o"} <= high
        assert "close_o" not in high


@pytest.mark.parametrize("limit", LIMITS)
def test_a_receiver_that_stops_is_no_reason(modules, limit):
    cycle(modules, limit, command_valid_i=1)
    modules.put(f"t{limit}_data_ready_i", 0)
    for _ in range(3 * limit):
        high = cycle(modules, limit, command_valid_i=0)
        assert not {"data_valid_o", "close_o"} & high


@pytest.mark.parametrize("limit", LIMITS)
def test_data_that_comes_in_the_cycle_of_the_close_is_not_taken_in_it(modules, limit):
    cycle(modules, limit, command_valid_i=1)
    for _ in range(limit):
        cycle(modules, limit, command_valid_i=0)
    closing = cycle(modules, limit, data_valid_i=1, data_last_i=1)
    assert {"data_valid_o", "close_o"} <= closing
    assert "data_ready_o" not in closing


@pytest.mark.parametrize("limit", LIMITS)
def test_doubt_ends_after_as_many_silent_cycles_and_not_while_anything_is_offered(modules, limit):
    cycle(modules, limit, command_valid_i=1)
    for _ in range(limit + 1):
        high = cycle(modules, limit, command_valid_i=0)
    assert "close_o" in high
    for _ in range(limit - 1):
        assert "doubt_o" in cycle(modules, limit)
    modules.put(f"t{limit}_command_ready_i", 0)
    assert "doubt_o" in cycle(modules, limit, command_valid_i=1)
    modules.put(f"t{limit}_command_ready_i", 1)
    for _ in range(limit):
        assert "doubt_o" in cycle(modules, limit, command_valid_i=0)
    assert "doubt_o" not in cycle(modules, limit)


@pytest.mark.parametrize("limit", LIMITS)
def test_a_command_is_not_waited_for_while_none_would_be_taken(modules, limit):
    modules.put(f"t{limit}_command_ready_i", 0)
    for _ in range(3 * limit):
        assert "command_valid_o" not in cycle(modules, limit, data_valid_i=1)


@pytest.mark.parametrize("limit", LIMITS)
def test_packets_of_a_beat_follow_each_other_each_cycle(modules, limit):
    prefix = f"t{limit}_"
    count = 40
    commands = Source(
        modules, f"{prefix}command_valid_i", f"{prefix}command_ready_o",
        [{f"{prefix}command_iv_bytes_i": 12}] * count,
    )  # fmt: skip
    data = Source(
        modules, f"{prefix}data_valid_i", f"{prefix}data_ready_o",
        [{f"{prefix}data_last_i": 1}] * count,
    )  # fmt: skip
    taken = Sink(modules, f"{prefix}data_valid_o", f"{prefix}data_ready_i", [f"{prefix}close_o"])
    play(modules, [commands, data, taken], lambda: len(taken.got) == count, limit=count + 10)
    assert taken.got == [(0,)] * count
    cycles = list(data.sent)
    assert cycles == list(range(cycles[0], cycles[0] + count))


# ---- cores ---------------------------------------------------------------------------------------


def packets_of(name: str) -> Packets:
    return Packets(CORES[name])


def erase(packets: Packets) -> None:
    packets.core.put("zeroise", 1)
    packets.cycles(1)
    packets.core.put("zeroise", 0)


def erased(packets: Packets) -> None:
    packets.until(lambda: not packets.core.get("zeroise_busy"))


def silence(packets: Packets) -> None:
    """Long enough for whatever was late to be given up."""
    packets.until(lambda: all(source.done for source in packets.sources.values()))
    packets.cycles(2 * LIMIT)


@pytest.mark.parametrize("name", every_core)
@pytest.mark.parametrize("decrypt", [0, 1])
def test_commands_without_data_are_refused_each(name, decrypt):
    packets = packets_of(name)
    command, _ = packets.core.packet(b"text that does not come")
    packets.send("s_cmd", *[command | {"decrypt": decrypt, "tag": 5}] * 5)
    packets.encrypted[0] += 0 if decrypt else 5
    assert packets.answers(5) == [REFUSED] * 5
    assert not packets.text.got
    silence(packets)
    packets.next_is_right()


@pytest.mark.parametrize("name", every_core)
def test_data_without_a_command_is_refused_and_no_text_of_it_leaves(name):
    packets = packets_of(name)
    _, beats = packets.core.packet(bytes(range(64)))
    packets.send("s_axis", *beats)
    assert packets.answers(1) == [REFUSED]
    assert not packets.text.got
    silence(packets)
    packets.next_is_right()


@pytest.mark.parametrize("name", every_core)
@pytest.mark.parametrize("decrypt", [0, 1])
@pytest.mark.parametrize("section", [0, 1])
def test_a_packet_that_breaks_off_is_refused_and_its_rest_dropped(name, decrypt, section):
    packets = packets_of(name)
    command, beats = packets.core.packet(bytes(range(64)))
    begun = beats[0] | {"tlast": 0, "tuser": section}
    packets.send("s_cmd", command | {"decrypt": decrypt, "tag": 5})
    packets.encrypted[0] += 1 - decrypt
    packets.send("s_axis", begun)
    assert packets.answers(1) == [REFUSED]
    text = packets.text.got[:]
    packets.send("s_axis", begun, begun, beats[-1])  # so late
    packets.cycles(3 * LIMIT)
    assert packets.sources["s_axis"].done
    assert not packets.tags.got
    assert packets.text.got == text
    packets.frames()
    packets.next_is_right()


def test_a_rest_that_never_comes_costs_the_next_packet_its_data_and_no_more():
    """What begins with a frame's middle cannot be told from its rest."""
    packets = packets_of("loop")
    command, beats = packets.core.packet(bytes(range(64)))
    packets.send("s_cmd", command)
    packets.send("s_axis", beats[0])
    assert packets.answers(1) == [REFUSED]
    packets.send("s_cmd", command)
    packets.send("s_axis", *beats)
    packets.encrypted[0] += 2
    assert packets.answers(1) == [REFUSED]
    packets.send("s_cmd", command)  # no data, while nothing is dropped any more
    assert packets.answers(1) == [REFUSED]
    packets.frames()
    silence(packets)
    packets.next_is_right()


def test_a_rest_is_dropped_however_long_it_is():
    packets = packets_of("loop")
    command, beats = packets.core.packet(bytes(16))
    begun = beats[0] | {"tlast": 0}
    packets.send("s_cmd", command)
    packets.send("s_axis", begun)
    assert packets.answers(1) == [REFUSED]
    packets.send("s_axis", *[begun] * (3 * LIMIT), beats[0])
    packets.until(lambda: packets.sources["s_axis"].done)
    packets.cycles(3 * LIMIT)
    assert not packets.tags.got
    packets.encrypted[0] += 1
    packets.frames()
    packets.next_is_right()


def test_commands_are_answered_while_a_rest_is_waited_for():
    packets = packets_of("loop")
    command, beats = packets.core.packet(bytes(range(64)))
    packets.send("s_cmd", command, command)
    packets.send("s_axis", beats[0])
    assert packets.answers(2) == [REFUSED] * 2
    packets.send("s_axis", *beats[1:])
    silence(packets)
    packets.frames()
    packets.next_is_right()


@pytest.mark.parametrize("size", [17, 40, 60])
@pytest.mark.parametrize("data", [True, False])
def test_a_command_whose_iv_breaks_off_is_refused(size, data):
    packets = packets_of("loop")
    command, beats = packets.core.packet(bytes(range(64)))
    packets.send("s_cmd", command | {"iv_bytes": size})
    if data:
        packets.send("s_axis", *beats)
    assert packets.answers(1) == [REFUSED]
    assert not packets.text.got
    silence(packets)
    packets.next_is_right()


LATE = 5
"""Packets that follow at once what comes late."""


def paired_wrongly(packets: Packets) -> None:
    """More packets, back to back, each command with the data of the packet before."""
    commands, beats, _ = several(packets, LATE)
    packets.send("s_cmd", *commands)
    packets.send("s_axis", *beats)


@pytest.mark.parametrize("name", [n for n in every_core if n.values[0] != "guarded"])
@pytest.mark.parametrize("what", ["command", "data"])
def test_what_comes_late_is_paired_with_nothing(name, what):
    packets = packets_of(name)
    command, beats = packets.core.packet(bytes(range(64)))
    packets.send("s_axis", *beats) if what == "command" else packets.send("s_cmd", command)
    assert packets.answers(1) == [REFUSED]
    packets.send("s_cmd", command) if what == "command" else packets.send("s_axis", *beats)
    paired_wrongly(packets)
    packets.until(lambda: all(source.done for source in packets.sources.values()))
    packets.cycles(5 * LIMIT)
    answers = packets.answers(LATE)
    assert len(answers) >= LATE
    assert set(answers) == {REFUSED}
    assert not packets.text.got
    packets.encrypted = [0, 0]
    packets.load()
    silence(packets)
    packets.next_is_right()


def test_late_words_of_an_iv_are_no_command():
    packets = packets_of("loop")
    command, beats = packets.core.packet(bytes(range(64)))
    packets.send("s_cmd", command | {"iv_bytes": 40})
    packets.send("s_axis", *beats)
    assert packets.answers(1) == [REFUSED]
    packets.send("s_cmd", *[command | {"iv_bytes": 40, "iv": 7}] * 2)
    for _ in range(LATE):
        packets.send("s_cmd", *[command | {"iv_bytes": 40}] * 3)
        packets.send("s_axis", *beats)
    answers = packets.answers(LATE)
    packets.cycles(5 * LIMIT)
    answers += packets.answers(0)
    assert set(answers) == {REFUSED}
    assert not packets.text.got
    silence(packets)
    packets.next_is_right()


@pytest.mark.slow
def test_an_iv_length_that_is_ignored_is_not_waited_for():
    """Packets to be encrypted get their IV from the core."""
    packets = packets_of("own IVs")
    text = bytes(range(64))
    command, beats = packets.core.packet(text)
    for length in (40, 0, 65535):
        packets.send("s_cmd", command | {"iv_bytes": length})
        packets.send("s_axis", *beats)
        ciphertext, answer = packets.sealed(0, text)
        assert packets.answers(1) == [answer]
        assert packets.frames() == [ciphertext]
    packets.next_is_right()


@pytest.mark.slow
def test_a_command_is_not_late_while_the_core_is_erased():
    packets = packets_of("erasable")
    text = bytes(range(64))
    command, beats = packets.core.packet(text)
    erase(packets)
    packets.send("s_axis", *beats)
    erased(packets)
    packets.send("s_cmd", command)
    assert packets.answers(1) == [(0, Status.NO_KEY)]
    packets.frames()
    packets.load()
    packets.next_is_right()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["erasable", "guarded"])
@pytest.mark.parametrize("what", ["s_axis", "s_cmd", "both"])
def test_erasing_ends_whenever_it_meets_the_end_of_a_wait(name, what):
    for offset in range(LIMIT - 4, LIMIT + 30, 2):
        packets = packets_of(name)
        command, beats = packets.core.packet(bytes(range(64)))
        if what != "s_axis":
            packets.send("s_cmd", command)
        if what != "s_cmd":
            packets.send("s_axis", beats[0] if what == "both" else beats[-1])
        packets.cycles(offset)
        erase(packets)
        erased(packets)
        packets.send("s_axis", *beats)
        silence(packets)
        packets.cycles(400)
        packets.tags.got.clear()
        packets.text.got.clear()
        silence(packets)
        packets.load()
        packets.next_is_right()


@pytest.mark.slow
def test_where_other_ivs_are_not_taken_its_length_was_refused_before():
    packets = packets_of("own IVs")
    command, beats = packets.core.packet(bytes(range(64)))
    packets.send("s_cmd", command | {"iv_bytes": 40, "decrypt": 1, "tag": 5})
    packets.send("s_axis", *beats)
    assert packets.answers(1) == [(0, Status.BAD_IV)]
    packets.frames()
    silence(packets)
    packets.next_is_right()


@pytest.mark.slow
def test_commands_without_data_are_answered_when_the_core_is_erased():
    packets = packets_of("erasable")
    command, _ = packets.core.packet(b"text")
    packets.send("s_cmd", command)
    packets.cycles(5)
    erase(packets)
    assert packets.answers(1) == [(0, Status.ERASED)]
    erased(packets)
    packets.frames()
    packets.load()
    packets.next_is_right()


@pytest.mark.slow
@pytest.mark.parametrize("name", CORES)
@pytest.mark.parametrize("seed", range(6))
def test_senders_that_pause_and_stop_at_random_get_their_answers(name, seed):
    """Some commands never get data, some data has no command, some frames break off and are gone
    on with too late; all else is right."""
    rng = random.Random(seed)
    packets = packets_of(name)
    for _ in range(12):
        what = rng.choice(["whole", "whole", "no data", "no command", "breaks off"])
        text = rng.randbytes(rng.choice([1, 16, 33, 64, 100]))
        context = rng.randrange(len(KEYS))
        command, beats = packets.core.packet(text)
        if what != "no command":
            packets.send("s_cmd", command | {"context": context})
            ciphertext, answer = packets.sealed(context, text)
        if what == "whole":
            for beat in beats:
                packets.cycles(rng.randrange(LIMIT - 2))
                packets.send("s_axis", beat)
            assert packets.answers(1) == [answer]
            assert packets.frames() == [ciphertext]
            continue
        if what == "no command":
            packets.send("s_axis", *beats)
        elif what == "breaks off" and len(beats) > 1:
            packets.send("s_axis", *beats[: rng.randrange(1, len(beats))])
        assert packets.answers(1) == [REFUSED]
        if what == "breaks off" and len(beats) > 1:
            packets.send("s_axis", *beats[-rng.randrange(1, len(beats)) :])
        silence(packets)
        packets.frames()
    packets.next_is_right()


def test_without_a_stop_a_core_with_a_timeout_is_the_same_core():
    packets = packets_of("loop")
    commands, beats, expected = several(packets, 8)
    packets.send("s_cmd", *commands)
    packets.send("s_axis", *beats)
    assert packets.answers(8) == [answer for _, answer in expected]
    assert packets.frames() == [text for text, _ in expected]
