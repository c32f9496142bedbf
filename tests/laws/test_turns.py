# SPDX-License-Identifier: Apache-2.0
"""Cores that do one thing at a time: keys and commands that both wait are taken in turn, so that
neither waits for more than one of the other. And what micro_bus makes of answers in words."""

from itertools import groupby
from pathlib import Path

import pytest
from bench import Bench, Sink, Source, compile_bench, run

from gcmforge.config import CoreConfig
from gcmforge.config.presets import preset
from gcmforge.emit.core import core_files
from gcmforge.emit.rtl import handwritten

pytestmark = [pytest.mark.verilator, pytest.mark.slow]
SHORT = {"max_text_bytes": 64, "max_aad_bytes": 64}
MASKED = {**SHORT, "key_sizes": (128,), "contexts": 1, "iv": "96"}
NANO, MICRO = preset("nano"), preset("micro")
CORES = {
    "nano": NANO,
    "nano, IVs of any length": NANO.with_settings(["iv=any"]),
    "nano, keys of 256 bits": NANO.with_settings(["key_sizes=128,256"]),
    "micro": MICRO,
    "micro of four S-boxes": MICRO.with_settings(["sboxes=4"]),
    "micro that finds faults": MICRO.with_settings(["faults=detect"]),
    "masked": CoreConfig(core="masked", **MASKED),
    "masked_fast": CoreConfig(core="masked_fast", **MASKED),
    "masked_line": CoreConfig(core="masked_line", **MASKED),
    "masked, with a generator": CoreConfig(core="masked", **MASKED, randomness="generator"),
}
KEYS = PACKETS = 7
IV = bytes(range(1, 13))


def in_words(data: bytes, width: int) -> list[dict[str, int]]:
    """Its words of so many bytes, the last one with tlast."""
    return [
        {"tdata": int.from_bytes(data[at : at + width], "little"), "tlast": at + width >= len(data)}
        for at in range(0, len(data), width)
    ]


def key_words(bench: Bench) -> list[dict[str, int]]:
    width = bench.widths["s_key_tdata"] // 8
    return in_words(bytes(16), width) if "s_key_tlast" in bench.widths else [{}]


def command_words(bench: Bench) -> list[dict[str, int]]:
    """A packet to encrypt, with a tag of 16 bytes."""
    if "s_cmd_tdata" not in bench.widths:
        return [{"tag_bytes": 16, "iv_bytes": 12, "iv": int.from_bytes(IV, "little")}]
    width = bench.widths["s_cmd_tdata"] // 8
    if width == 16:
        return [{"tdata": int.from_bytes(IV + b"\x10", "little")}]
    return [{"tdata": 16, "tlast": 0}, *in_words(IV, width)]


def offered(bench: Bench, stream: str, words: list[dict[str, int]]) -> Source:
    own = [name for name in bench.widths if name.startswith(f"{stream}_")]
    own = [name for name in own if not name.endswith(("_tvalid", "_tready"))]
    full = [{name: word.get(name.removeprefix(f"{stream}_"), 0) for name in own} for word in words]
    return Source(bench, f"{stream}_tvalid", f"{stream}_tready", full)


def compiled(name: str, top: str) -> Path:
    files, rtl, _ = core_files(CORES[name], prove=False)
    return compile_bench(top, {Path(file).stem: files[file] for file in rtl})


@pytest.mark.parametrize("wide", [False, True], ids=["the core", "its wide ports"])
@pytest.mark.parametrize("name", CORES)
def test_keys_and_commands_that_wait_are_taken_in_turn(name, wide):
    top = "gcm_axis" if wide else CORES[name].top
    bench = Bench(compiled(name, top), clock="aclk", reset="aresetn", reset_level=0)
    if "s_rnd_tvalid" in bench.widths:
        bench.put("s_rnd_tvalid", 1)
        bench.put("s_rnd_tdata", 0x2A5_9C3E)
    key, command = key_words(bench), command_words(bench)
    keys = offered(bench, "s_key", KEYS * key)
    commands = offered(bench, "s_cmd", PACKETS * command)
    data = offered(bench, "s_axis", PACKETS * [{"tkeep": 1, "tuser": 1, "tlast": 1}])
    text = Sink(bench, "m_axis_tvalid", "m_axis_tready", ["m_axis_tlast"])
    status = "m_tag_status" if "m_tag_status" in bench.widths else "m_tag_tuser"
    last = ["m_tag_tlast"] if "m_tag_tlast" in bench.widths else []
    tags = Sink(bench, "m_tag_tvalid", "m_tag_tready", [status, *last])
    run(bench, [keys, commands, data, text, tags], lambda: keys.done and commands.done)
    begun = sorted(
        [(cycle, "key") for cycle in keys.sent[:: len(key)]]
        + [(cycle, "command") for cycle in commands.sent[:: len(command)]]
    )
    runs = [(kind, len(list(same))) for kind, same in groupby(kind for _, kind in begun)]
    assert all(count == 1 for _, count in runs[:-1]), runs
    assert len(begun) == KEYS + PACKETS and runs[-1][1] <= 2


STANDS_FOR_A_CORE = """
  assign {s_key_tready, s_cmd_tready, m_axis_tvalid, m_axis_tlast} = '0;
  assign {m_axis_tdata, m_axis_tkeep, m_tag_tkeep} = '0;
  assign s_axis_tready = m_tag_tready;
  assign m_tag_tvalid = s_axis_tvalid;
  assign m_tag_tdata = s_axis_tdata;
  assign m_tag_tuser = s_axis_tkeep;
  assign m_tag_tlast = s_axis_tlast;
endmodule
"""


def test_nothing_is_left_of_a_tag_that_a_fault_has_cut() -> None:
    """micro_bus around what tells words of data as words of an answer."""
    texts = {name: handwritten()[name].read_text() for name in ("gcm_micro", "micro_bus")}
    ports = texts["gcm_micro"].partition("\n);\n")[0]
    texts["gcm_micro"] = f"{ports}\n);\n{STANDS_FOR_A_CORE}"
    texts["micro_bus"] = texts["micro_bus"].replace("int StatusBits = 3", "int StatusBits = 4")
    bench = Bench(compile_bench("micro_bus", texts), clock="aclk", reset="aresetn", reset_level=0)
    answers = ((0, 0, 0, 0), (0, 0, 9), (0, 9), (9,), (0, 0, 0, 0))
    words = [
        {"tdata": 0x1111_1111 * (1 + n), "tkeep": status, "tlast": n == len(answer) - 1}
        for answer in answers
        for n, status in enumerate(answer)
    ]
    data = offered(bench, "s_axis", words)
    tags = Sink(bench, "m_tag_tvalid", "m_tag_tready", ["m_tag_tag", "m_tag_status"])
    run(bench, [data, tags], lambda: len(tags.got) == len(answers))
    tag = 0x44444444_33333333_22222222_11111111
    assert tags.got == [(tag, 0), (0, 9), (0, 9), (0, 9), (tag, 0)]
