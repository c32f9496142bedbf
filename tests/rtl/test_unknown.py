# SPDX-License-Identifier: Apache-2.0
"""A core whose registers and memories all begin as X works after a reset: simulated by Yosys with
four values, 0, 1, X and Z. Its multiplexers give X for a select that is X, unless both words agree,
so nothing that is not known can hide in a branch."""

import re
from pathlib import Path

import pytest

from gcmforge.config import CoreConfig
from gcmforge.config.presets import preset
from gcmforge.emit import BuiltCore, build_core
from gcmforge.tools import run_yosys

# Test case 2 of the GCM specification, byte 0 lowest: a block of zeros under the key of zeros.
CIPHERTEXT = bytes.fromhex("0388dace60b6a392f328c2b971b2fe78")[::-1].hex()
TAG = bytes.fromhex("ab6e47d42cec13bdf53a67b21257bddf")[::-1].hex()

WRAPPER = """
module bench (
    input logic clk, input logic rst_n,
    output logic key_ready, output logic cmd_ready, output logic data_ready,
    output logic text_valid, output logic [127:0] text,
    output logic tag_valid, output logic [127:0] tag, output logic [2:0] status
);
  logic keyed, commanded, sent;
  always_ff @(posedge clk)
    if (!rst_n) {keyed, commanded, sent} <= '0;
    else begin
      if (key_ready) keyed <= 1'b1;
      if (keyed && cmd_ready) commanded <= 1'b1;
      if (commanded && data_ready) sent <= 1'b1;
    end

  gcm_axis dut (
      .aclk(clk), .aresetn(rst_n), @MORE@
      .s_key_tvalid(!keyed), .s_key_tready(key_ready), .s_key_tdata('0), .s_key_size('0),
      .s_key_context('0),
      .s_cmd_tvalid(keyed && !commanded), .s_cmd_tready(cmd_ready), .s_cmd_context('0),
      .s_cmd_decrypt(1'b0), .s_cmd_tag('0), .s_cmd_tag_bytes(5'd16), .s_cmd_iv_bytes(16'd12),
      .s_cmd_iv('0),
      .s_axis_tvalid(commanded && !sent), .s_axis_tready(data_ready), .s_axis_tdata('0),
      .s_axis_tkeep(16'hffff), .s_axis_tuser(1'b1), .s_axis_tlast(1'b1),
      .m_axis_tvalid(text_valid), .m_axis_tready(1'b1), .m_axis_tdata(text), .m_axis_tkeep(),
      .m_axis_tlast(),
      .m_tag_tvalid(tag_valid), .m_tag_tready(1'b1), .m_tag_tag(tag), .m_tag_ok(),
      .m_tag_status(status)
  );
endmodule
"""
GUARDED = {"zeroise": "on", "timeout": 4000, "release": "verified", "max_text_bytes": 64}
CORES = {
    "compact": preset("compact"),
    "guarded": CoreConfig(
        **GUARDED, aes="loop", key_schedule="travelling", ghash="digit", contexts=1, iv="96"
    ),
    "memories": CoreConfig(contexts=17, key_sizes=(128,)),  # as the default, and key memories
    "line": CoreConfig(slots="line", tail="dedicated", key_unit="dedicated", key_sizes=(128,)),
}


def built(config: CoreConfig, tmp_path: Path) -> BuiltCore:
    return build_core(config, tmp_path / "core", prove=False)


def simulate(core: BuiltCore, config: CoreConfig, tmp_path: Path) -> dict[str, list[str]]:
    """Values of the bench's outputs, one after another; of words in hexadecimal where known."""
    more = ".zeroise(1'b0), .zeroise_busy()," if config.zeroise == "on" else ""
    (tmp_path / "bench.sv").write_text(WRAPPER.replace("@MORE@", more))
    files = [*(core.path / name for name in core.rtl), tmp_path / "bench.sv"]
    run_yosys(
        [
            f"read_verilog -sv {' '.join(map(str, files))}",
            "hierarchy -top bench",
            *("proc", "flatten", "opt_clean", "memory_map", "opt_clean"),
            "sim -clock clk -resetn rst_n -rstlen 4 -n 900 -vcd bench.vcd bench",
        ],
        time_limit_s=300,
        cwd=tmp_path,
    )
    return changes((tmp_path / "bench.vcd").read_text())


def changes(vcd: str) -> dict[str, list[str]]:
    """The values of the outermost nets of a VCD file."""
    depth, names, found = 0, {}, {}
    for line in vcd.splitlines():
        if line.startswith("$scope"):
            depth += 1
        elif line.startswith("$upscope"):
            depth -= 1
        elif line.startswith("$var") and depth == 1:
            _, _, _, code, name, *_ = line.split()
            names[code] = name
        elif change := re.fullmatch(r"b?([01xz]+) ?(\S+)", line):
            value, code = change.groups()
            if code in names:
                known = len(value) > 3 and not set(value) - set("01")
                found.setdefault(names[code], []).append(
                    f"{int(value, 2):032x}" if known else value
                )
    return found


@pytest.mark.slow
@pytest.mark.parametrize("name", CORES)
def test_a_core_that_begins_unknown_answers_right(name, tmp_path):
    config = CORES[name]
    seen = simulate(built(config, tmp_path), config, tmp_path)
    for control in ("key_ready", "cmd_ready", "data_ready", "text_valid", "tag_valid"):
        assert set(seen[control][1:]) <= {"0", "1"}, control  # X before the reset only
    assert seen["text"][0].startswith("x")
    assert CIPHERTEXT in seen["text"]
    assert TAG in seen["tag"]
    assert "000" in seen["status"]


@pytest.mark.slow
def test_a_register_of_control_without_a_reset_is_found(tmp_path):
    core = built(CORES["compact"], tmp_path)
    (skid,) = core.path.rglob("axis_skid.sv")
    text = skid.read_text()
    assert "      valid_q       <= 1'b0;\n" in text
    skid.write_text(text.replace("      valid_q       <= 1'b0;\n", ""))
    seen = simulate(core, CORES["compact"], tmp_path)
    assert TAG not in seen["tag"]
