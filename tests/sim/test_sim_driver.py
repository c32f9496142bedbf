# SPDX-License-Identifier: Apache-2.0
"""The driver and the scoreboard, shown on a toy core that can be told to go wrong."""

import dataclasses
from pathlib import Path

import pytest
from toy import TOY_CORE, Fault, toy_packet, toy_traffic

from gcmforge.sim.compile import compile_sources, waveform_format
from gcmforge.sim.core import RunResult, run_on
from gcmforge.sim.driver import Simulation
from gcmforge.sim.operations import LoadKey
from gcmforge.sim.packing import Waveform
from gcmforge.sim.stalls import PRESSURE, STALL_PATTERNS, Stalls, patterns_of

SEED = 20_101


def run_toy(
    library: Path, *, stalls: str | Stalls, seed: int = SEED, fault: Fault = Fault.NONE, **traffic
):
    pauses = Stalls.named(stalls) if isinstance(stalls, str) else stalls
    with Simulation(library, seed=seed, stalls=pauses) as simulation:
        operations = toy_traffic(traffic.pop("count", 300), seed=seed, fault=fault, **traffic)
        return run_on(simulation, operations, seed=seed, patience_cycles=2_000)


def said(result: RunResult) -> set[str]:
    return {failure.what for failure in result.failures}


@pytest.mark.parametrize("stalls", STALL_PATTERNS)
def test_a_right_core_passes_under_every_stall_pattern(toy_library, stalls):
    result = run_toy(toy_library, stalls=stalls, count=2_000)
    assert result.clean and (result.passed, result.failed) == (2_000, 0)
    assert result.counters.tags == 2_000


@pytest.mark.slow
@pytest.mark.parametrize("lanes", [1, 3, 8])
def test_port_widths_of_all_lane_counts_are_driven(lanes):
    library = compile_sources([TOY_CORE], parameters={"Lanes": lanes, "ContextBits": 1})
    with Simulation(library, seed=SEED, stalls=Stalls.named("both")) as simulation:
        assert simulation.lanes == lanes
        result = run_on(simulation, toy_traffic(500, seed=SEED, contexts=2, long=600), seed=SEED)
    assert result.clean


@pytest.mark.parametrize(
    ("fault", "word"),
    [
        (Fault.WRONG_TAG, "tag"),
        (Fault.DROPPED_BEAT, "m_axis_tlast too early: text is missing"),
        (Fault.VALID_FALLS, "m_axis_tvalid fell before m_axis_tready"),
        (Fault.PAYLOAD_CHANGES, "m_axis payload changed before m_axis_tready"),
        (Fault.DIRTY_BYTES, "m_axis_tdata is not zero outside tkeep"),
        (Fault.EXTRA_BEAT, "m_axis beat that no text beat asked for"),
        (Fault.FORGERY_ACCEPTED, "status"),
        (Fault.READY_FOLLOWS_VALID, "s_axis_tready follows s_axis_tvalid within a cycle"),
        (Fault.TAG_SHOWN, "m_tag_tag is not zero although decrypting or on an error"),
        (Fault.TAG_VALID_FOLLOWS_READY, "m_tag_tvalid follows m_tag_tready within a cycle"),
        (Fault.KEEP_TOO_WIDE, "m_axis_tkeep keeps more bytes than there are of text"),
        (Fault.OK_WRONG, "m_tag_ok does not agree with m_tag_status"),
    ],
)
def test_every_fault_is_caught_and_named(toy_library, fault, word):
    result = run_toy(toy_library, stalls="both", fault=fault)
    assert word in said(result)
    assert not result.clean


def test_a_broken_assertion_is_a_failure_with_its_name_and_cycle_and_the_run_goes_on(toy_library):
    result = run_toy(toy_library, stalls="none", fault=Fault.ASSERTED)
    assert (result.passed, result.failed) == (300, 0)
    assert said(result) == {"assertion in the RTL: gcm_axis.second_beat_taken"}
    cycles = [failure.cycle for failure in result.failures]
    assert len(cycles) > 10 and cycles == sorted(set(cycles)) and cycles[-1] is not None


def test_what_registers_hold_before_the_first_edge_breaks_no_assertion(toy_library):
    """One of the toy's is of a register that begins with any value, and is 0 from a reset on."""
    assert "is_reset : assert" in TOY_CORE.read_text()
    result = run_toy(toy_library, stalls="none", fault=Fault.NONE)
    assert result.clean and result.passed == 300


def test_a_hang_ends_the_run_and_says_what_was_waited_for(toy_library):
    result = run_toy(toy_library, stalls="none", fault=Fault.HANG)
    assert result.hang is not None and "commands" in result.hang
    assert result.passed < 300 and result.passed + result.failed == 300
    assert len([failure for failure in result.failures if "hangs" in failure.what]) == 1


def test_a_tag_that_waits_for_its_sink_hangs_where_the_sink_waits_for_the_tag(toy_library):
    """AXI4-Stream lets a sink wait for valid, and forbids a source to wait for ready."""
    patient = Stalls(after_valid=True)
    assert run_toy(toy_library, stalls=patient, fault=Fault.NONE).clean
    assert run_toy(toy_library, stalls="both", fault=Fault.WAITS_FOR_READY).clean
    hang = run_toy(toy_library, stalls=patient, fault=Fault.WAITS_FOR_READY).hang
    assert hang is not None and "tags" in hang
    assert patient in patterns_of(PRESSURE)


def test_a_failure_names_packet_seed_expected_and_got(toy_library):
    operations = toy_traffic(50, seed=SEED)
    wrong = next(i for i, op in enumerate(operations) if not isinstance(op, LoadKey) and op.text)
    packet = operations[wrong]
    text = bytes([packet.expect.text[0] ^ 0x80]) + packet.expect.text[1:]
    operations[wrong] = dataclasses.replace(
        packet, expect=dataclasses.replace(packet.expect, text=text)
    )
    with Simulation(toy_library, seed=SEED) as simulation:
        result = run_on(simulation, operations, seed=SEED)
    (failure,) = result.failures
    assert result.failed == 1 and failure.label == packet.label and failure.seed == SEED
    assert text[:16].hex() in failure.expected and packet.expect.text[:16].hex() in failure.got
    assert packet.label in str(failure) and str(SEED) in str(failure)


def test_the_same_seed_gives_the_same_cycles_and_another_does_not(toy_library):
    first, again, other = (
        run_toy(toy_library, stalls="both", seed=seed).counters for seed in (7, 7, 8)
    )
    assert first == again
    assert first != other


def test_keys_and_commands_of_a_context_keep_their_order(toy_library):
    """Each packet meets the key before it in its own context, whatever overlaps elsewhere."""
    operations = []
    for number in range(400):
        key = bytes([number % 251 + 1]) * 16
        context = number % 3
        operations.append(LoadKey(context=context, key=key))
        operations.append(
            toy_packet(
                key, context=context, decrypt=False, iv=bytes(12), aad=b"", text=b"x" * 40,
                tag_bytes=16, forged=False, label=f"packet {number}",
            )
        )  # fmt: skip
    for stalls in STALL_PATTERNS:
        with Simulation(toy_library, seed=SEED, stalls=Stalls.named(stalls)) as simulation:
            assert run_on(simulation, operations, seed=SEED).clean


def test_one_beat_a_cycle_is_measured_inside_a_long_packet(toy_library):
    key = bytes(range(16))
    packet = toy_packet(
        key, context=0, decrypt=False, iv=bytes(12), aad=b"", text=bytes(32 * 200), tag_bytes=16,
        forged=False, label="long",
    )  # fmt: skip
    with Simulation(toy_library) as simulation:
        result = run_on(simulation, [LoadKey(context=0, key=key), packet])
    (answer,) = result.answers
    assert (answer.in_beats, answer.in_cycles) == (200, 200)
    assert result.counters.longest_in_run == 200


def test_batches_go_on_without_a_reset(toy_library):
    key = bytes(range(16))
    load = LoadKey(context=1, key=key)
    packet = toy_packet(
        key, context=1, decrypt=False, iv=bytes(12), aad=b"a", text=b"t", tag_bytes=16,
        forged=False, label="later",
    )  # fmt: skip
    with Simulation(toy_library) as simulation:
        assert run_on(simulation, [load]).clean
        assert run_on(simulation, [packet]).clean
        assert run_on(simulation, [packet] * 3).counters.tags == 4


@pytest.mark.slow
def test_a_waveform_shows_the_asked_cycles(tmp_path):
    library = compile_sources([TOY_CORE], waveform=waveform_format())
    path = tmp_path / f"wave.{waveform_format()}"
    window = Waveform(path=path, first_cycle=20, last_cycle=60)
    with Simulation(library, seed=SEED, waveform=window) as simulation:
        assert run_on(simulation, toy_traffic(100, seed=SEED), seed=SEED).clean
    assert path.stat().st_size > 1_000
    if path.suffix == ".vcd":
        text = path.read_text()
        times = [int(line[1:]) for line in text.splitlines() if line.startswith("#")]
        assert "m_axis_tvalid" in text
        assert len(times) == 82 and times[0] == 20 * 10_000


@pytest.mark.parametrize("field", ["data_idle", "text_wait"])
def test_a_probability_out_of_range_is_refused(field):
    with pytest.raises(ValueError, match=f"{field}=1.5: use a probability from 0 to 1"):
        Stalls(**{field: 1.5})


def test_an_unknown_stall_pattern_is_refused_with_those_there_are():
    with pytest.raises(ValueError, match="none, idle, backpressure, both"):
        Stalls.named("sometimes")
