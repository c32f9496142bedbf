# SPDX-License-Identifier: Apache-2.0
"""A simulation that breaks a rule of valid/ready streams stops and says which, on the ports of a
core, too. What keeps to the rules runs to its end."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from bench import Bench, compile_bench, rtl
from core_bench import compiled

from gcmforge.config import CoreConfig
from gcmforge.emit import build_core, texts
from gcmforge.emit.layers import bound_layers
from gcmforge.tools import run_yosys

# Cycles of ports and values, of which a name keeps its value until it gets another.
Play = list[dict[str, int]]
Outcome = Callable[..., str]


@pytest.fixture
def outcome(capfd) -> Outcome:
    """What a simulation of some cycles said before it ended, at the first broken rule or well."""

    def of(library: Path, play: Play, **settings) -> str:
        capfd.readouterr()
        bench = Bench(library, **settings)
        try:
            for cycle in play:
                for name, value in cycle.items():
                    bench.put(name, value)
                bench.settle()
                bench.edge()
        except AssertionError as broken:
            said = capfd.readouterr().out
            assert "Assertion failed in" in said
            return f"{said} {broken}"
        return capfd.readouterr().out

    return of


@pytest.fixture
def stream() -> Path:
    return compile_bench("stream_rules", {"stream_rules": rtl("stream_rules")["stream_rules"]})


OFFER = {"valid_i": 1, "ready_i": 0, "data_i": 0x5A}
KEPT = {
    "waits and is taken": [OFFER, OFFER, OFFER | {"ready_i": 1}, {"valid_i": 0}],
    "taken at once, then another": [OFFER | {"ready_i": 1}, {"data_i": 1}, {"data_i": 2}],
    "ready comes and goes": [{"valid_i": 0, "ready_i": 1}, {"ready_i": 0}, {"ready_i": 1}],
    "data of nothing": [{"valid_i": 0, "ready_i": 0, "data_i": d} for d in (1, 2, 3)],
    "reset takes an offer back": [OFFER, {"rst": 1, "valid_i": 0}, {"rst": 0}, OFFER],
    "another after a reset": [OFFER, {"rst": 1}, {"rst": 0, "data_i": 1}, {"ready_i": 1}],
}
BROKEN = {
    "an offer is taken back": ([OFFER, {"valid_i": 0}], "stays_offered"),
    "taken back as ready comes": ([OFFER, {"valid_i": 0, "ready_i": 1}], "stays_offered"),
    "a bit changes": ([OFFER, {"data_i": 0xDA}], "stays_the_same"),
    "a bit changes later": ([OFFER, OFFER, {"data_i": 0x5B, "ready_i": 1}], "stays_the_same"),
}


@pytest.mark.parametrize("what", KEPT)
def test_a_stream_that_keeps_the_rules_goes_on(what, stream, outcome):
    assert outcome(stream, KEPT[what]) == ""


@pytest.mark.parametrize("what", BROKEN)
def test_a_broken_rule_stops_the_simulation_and_is_named(what, stream, outcome):
    play, rule = BROKEN[what]
    assert f"stream_rules.{rule}" in outcome(stream, play)


# ---- in a core

CORE = CoreConfig(
    contexts=1, key_sizes=(128,), iv="96", aes="loop", ghash="serial", sbox="table",
    multiplier="schoolbook", max_text_bytes=64, max_aad_bytes=64,
)  # fmt: skip
PORTS = {"clock": "aclk", "reset": "aresetn", "reset_level": 0}
NO_OFFER = {f"s_{name}_tvalid": 0 for name in ("key", "cmd", "axis")}
SINKS = {"m_axis_tready": 0, "m_tag_tready": 0}
COMMAND = {"s_cmd_tvalid": 1, "s_cmd_tag_bytes": 16, "s_cmd_iv_bytes": 12}
BEAT = {"s_axis_tvalid": 1, "s_axis_tkeep": 0x7FFF, "s_axis_tuser": 1, "s_axis_tlast": 1}
PACKET = [COMMAND, {"s_cmd_tvalid": 0} | BEAT, NO_OFFER]
WAIT: Play = [{}] * 150
REFUSED = [SINKS | NO_OFFER, *PACKET, *WAIT]
"""A packet without a key; nobody takes its answer."""
SEALED = [SINKS | NO_OFFER, {"s_key_tvalid": 1}, NO_OFFER, *WAIT, *(PACKET + WAIT[:40]) * 4]
"""A key and four packets of 15 bytes; nobody takes text or tags."""

FAULTS = {
    "text is taken back": (
        "axis_skid", "if (load) valid_q", "if (load || FAULT) valid_q",
        "m_axis_rules.stays_offered",
    ),
    "text changes": (
        "axis_skid", "if (load) data_q", "if (load || FAULT) data_q",
        "m_axis_rules.stays_the_same",
    ),
    "bytes outside tkeep": (
        "gcm_join", "mixed[Low+:128] & mask", "mixed[Low+:128] & (mask | {128{FAULT}})",
        "absent_bytes_zero",
    ),
    "a gap in tkeep": (
        "gcm_join", "out_keep_o     = ", "out_keep_o     = FAULT ? gcm_pkg::BYTES'(5) : ",
        "keep_without_gap",
    ),
    "a tag is taken back": (
        "gcm_tag", ".out_ready_i(tag_ready_i)", ".out_ready_i(tag_ready_i || FAULT)",
        "m_tag_rules.stays_offered",
    ),
    "a tag changes": (
        "gcm_back", "tag[8*(15-b)+:8];", "tag[8*(15-b)+:8] ^ {8{FAULT && there_i}};",
        "m_tag_rules.stays_the_same",
    ),
    "ok on an error": (
        "gcm_tag", "assign tag_ok_o = ", "assign tag_ok_o = FAULT || ", "ok_is_status_0"
    ),
    "a tag on an error": (
        "gcm_tag", "assign result_tag    = ", "assign result_tag    = FAULT ? '1 : ",
        "no_tag_on_error",
    ),
    "key stream is taken back": (
        "aes_loop", "if (out_ready_i) out_valid_q", "if (out_ready_i || FAULT) out_valid_q",
        "key_stream_rules.stays_offered",
    ),
    "a slot changes": (
        "gcm_slot_count", "= data_q;",
        "= data_q ^ gcm_pkg::SLOT_WIDTH'(FAULT && gcm_axis.s_axis_tvalid);",
        "slot_rules.stays_the_same",
    ),
}  # fmt: skip
"""Module, what is there, what it becomes, and the rule that is broken then. FAULT is whether the
expected tag, which nobody looks at when encrypting, is the fault's number."""


@pytest.fixture(scope="module")
def core(tmp_path_factory):
    return build_core(CORE, tmp_path_factory.mktemp("rules") / "core", prove=False)


@pytest.fixture(scope="module")
def faulty(core):
    """The core with all the faults in it, each asleep."""
    texts = {}
    for number, (module, before, after, _) in enumerate(FAULTS.values(), start=1):
        text = texts.get(module) or rtl(module)[module]
        assert text.count(before) == 1, before
        texts[module] = text.replace(
            before, after.replace("FAULT", f"(gcm_axis.s_cmd_tag == {number})")
        )
    return compiled(core, "gcm_axis", texts)


def with_fault(play: Play, number: int) -> Play:
    return [{"s_cmd_tag": number}, *play]


@pytest.mark.parametrize("play", [REFUSED, SEALED], ids=["refused", "sealed"])
def test_a_core_whose_faults_sleep_keeps_the_rules(play, faulty, outcome):
    assert outcome(faulty, with_fault(play, 0), **PORTS) == ""


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_of_the_core_breaks_its_rule(fault, faulty, outcome):
    number = list(FAULTS).index(fault) + 1
    rule = FAULTS[fault][3]
    play = REFUSED if "error" in fault else SEALED
    assert rule in outcome(faulty, with_fault(play, number), **PORTS)


OFFERS = {
    "s_key": ({"s_key_tvalid": 1, "s_key_tdata": 7}, {"s_key_tdata": 8}),
    "s_cmd": (COMMAND, {"s_cmd_iv": 1}),
    "s_axis": (BEAT, {"s_axis_tkeep": 1}),
}
"""Of each input a word to be offered until the core takes no more, and a change of it."""


@pytest.mark.parametrize("stream", OFFERS)
@pytest.mark.parametrize("rule", ["stays_offered", "stays_the_same"])
def test_who_offers_is_held_to_the_rules(stream, rule, faulty, outcome):
    word, change = OFFERS[stream]
    end = change if rule == "stays_the_same" else NO_OFFER
    play = [SINKS | NO_OFFER, word, *WAIT, end, {}]
    assert f"u_{stream}_rules.{rule}" in outcome(faulty, with_fault(play, 0), **PORTS)


def test_a_reset_takes_what_is_offered_back(faulty, outcome):
    offers = [word for word, _ in OFFERS.values()]
    play = [SINKS | NO_OFFER, *offers, *WAIT, {"aresetn": 0} | NO_OFFER, {}, {"aresetn": 1}, {}]
    assert outcome(faulty, with_fault(play, 0), **PORTS) == ""


LAYERED = {
    "plain": (CoreConfig(), "s_key s_cmd s_axis m_axis m_tag", ""),
    "registers": (
        CoreConfig(registers="axi4lite"), "s_axis m_axis m_tag",
        "s_axil_aw s_axil_w s_axil_b s_axil_ar s_axil_r",
    ),
    "profile": (CoreConfig(profile="tls13"), "m_axis m_tag", "s_key s_cmd s_axis"),
}  # fmt: skip
"""A core, and the streams that are looked at in gcm_axis and in the top around it."""


@pytest.mark.parametrize("name", LAYERED)
def test_every_stream_of_a_core_and_its_top_has_its_rules(name):
    config, inner, outer = LAYERED[name]
    layers = [texts.layer(bound) for bound in bound_layers(config)]
    for text, streams in ((texts.gcm_axis(config), inner), ("".join(layers), outer)):
        assert re.findall(r"u_(\w+)_rules", text) == streams.split()


@pytest.mark.slow
def test_synthesis_has_nothing_of_the_rules(core):
    run_yosys(
        [
            f"read_verilog -sv {' '.join(core.rtl)}", "hierarchy -check -top gcm_axis", "proc",
            "select -assert-none t:*stream_rules* t:$check t:$assert t:$print",
        ],
        time_limit_s=120, cwd=core.path,
    )  # fmt: skip
