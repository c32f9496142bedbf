# SPDX-License-Identifier: Apache-2.0
"""The packed variant of a core: all of its streams in AXI4-Stream, every field where it is said.

tests/test_designs.py plays packets through it, with sources and sinks of cocotbext-axi.
"""

import json
import re
import subprocess

import pytest

from gcmforge.config import CoreConfig
from gcmforge.emit.layers import public_ports
from gcmforge.emit.packed import packed_module, packed_rows
from gcmforge.tools import run_yosys, verilator_binary, verilator_environment

CORES = {
    "plain": CoreConfig(aes="loop", ghash="digit", sbox="table", contexts=2),
    "counter": CoreConfig(iv="counter", zeroise="on", contexts=1),
    "ahead": CoreConfig(contexts=1000, slots="ahead", iv="96", key_unit="dedicated"),
    "lanes": CoreConfig(lanes=2, aad_lanes=2),
    "registers": CoreConfig(registers="axi4lite", aad_lanes=1),
    "macsec": CoreConfig(profile="macsec", aad_lanes=2, lanes=2, iv="96"),
    "ipsec": CoreConfig(profile="ipsec", iv="96"),
    "tls13": CoreConfig(profile="tls13", iv="96"),
    "streams": CoreConfig(core="streams", streams=5, iv="96"),
}
STANDARD = ("tvalid", "tready", "tdata", "tkeep", "tuser", "tlast", "tid")


def text_of(config: CoreConfig) -> str:
    (text,) = packed_module(config).values()
    return text


def fields_of(config: CoreConfig) -> dict[str, tuple[str, int, int]]:
    """Port of the core -> the port that carries it, its first bit there and its width: by the
    header of the module, which the table of the documents repeats."""
    lines = re.findall(r"^//   (\w+)\[(\S+)\] +(\w+)$", text_of(config), re.MULTILINE)
    assert lines == [row[:3] for row in packed_rows(config)]
    found = {}
    for carrier, bits, port in lines:
        high, _, low = bits.partition(":")
        found[port] = carrier, int(low or high), int(high) - int(low or high) + 1
    return found


def stand_in(config: CoreConfig) -> str:
    """A module with the ports of the core."""
    ports = [f"{port.direction} logic {port.range} {port.name}" for port in public_ports(config)]
    constant = [port.name for port in public_ports(config) if port.direction == "output"]
    unused = [port.name for port in public_ports(config) if port.direction == "input"]
    return (
        f"module {config.top} ({', '.join(ports)});\n"
        + "".join(f"  assign {name} = '0;\n" for name in constant)
        + f"  logic unused;\n  assign unused = &{{1'b0, {', '.join(unused)}}};\nendmodule\n"
    )


def test_the_fields_of_the_default_core_are_where_a_program_expects_them():
    """As struct.pack("<32sBB"), ("<16s16sHBBB") and ("<16sBB") have them."""
    assert fields_of(CoreConfig()) == {
        "s_key_tdata": ("s_key_tdata", 0, 256),
        "s_key_size": ("s_key_tdata", 256, 2),
        "s_key_context": ("s_key_tdata", 264, 2),
        "s_cmd_tag": ("s_cmd_tdata", 0, 128),
        "s_cmd_iv": ("s_cmd_tdata", 128, 128),
        "s_cmd_iv_bytes": ("s_cmd_tdata", 256, 16),
        "s_cmd_context": ("s_cmd_tdata", 272, 2),
        "s_cmd_decrypt": ("s_cmd_tdata", 280, 1),
        "s_cmd_tag_bytes": ("s_cmd_tdata", 288, 5),
        "m_tag_tag": ("m_tag_tdata", 0, 128),
        "m_tag_ok": ("m_tag_tdata", 128, 1),
        "m_tag_status": ("m_tag_tdata", 136, 3),
    }


@pytest.mark.yosys
@pytest.mark.parametrize("name", CORES)
def test_each_port_of_the_core_is_wired_to_its_field(name, tmp_path):
    """By the netlist that Yosys reads: what is at each bit of each port."""
    config = CORES[name]
    (tmp_path / "core.sv").write_text(stand_in(config))
    (tmp_path / "packed.sv").write_text(text_of(config))
    run_yosys(
        [
            "read_verilog -sv -lib core.sv",
            "read_verilog -sv packed.sv",
            f"hierarchy -check -top {config.top}_packed",
            "proc", "check -assert", "write_json netlist.json",
        ],
        time_limit_s=60, cwd=tmp_path,
    )  # fmt: skip
    netlist = json.loads((tmp_path / "netlist.json").read_text())
    module = netlist["modules"][f"{config.top}_packed"]
    outside = {name: port["bits"] for name, port in module["ports"].items()}
    inside = module["cells"]["u_core"]["connections"]
    fields, used = fields_of(config), set()
    for port in public_ports(config):
        carrier, bit, width = fields.get(port.name, (port.name, 0, port.width))
        assert width == port.width and bit % 8 == 0
        assert inside[port.name] == outside[carrier][bit : bit + width]
        used |= {(carrier, at) for at in range(bit, bit + width)}
        assert module["ports"][carrier]["direction"] == port.direction
    for port, bits in outside.items():
        spare = [wire for at, wire in enumerate(bits) if (port, at) not in used]
        if module["ports"][port]["direction"] == "output":
            assert set(spare) <= {"1" if port == "m_tag_tlast" else "0"}
        if any(port == carrier for carrier, _, _ in fields.values()):
            kind, size = port.rpartition("_")[2], len(bits)
            assert size % 8 == 0 and (kind == "tuser" or size.bit_count() == 1)
    streams = [port for port in outside if port.startswith(("s_key", "s_cmd", "s_axis_", "m_"))]
    assert {port.rpartition("_")[2] for port in streams} <= set(STANDARD)


@pytest.mark.verilator
@pytest.mark.parametrize("name", CORES)
def test_verilator_finds_nothing_in_it(name, tmp_path):
    config = CORES[name]
    top = f"{config.top}_packed"
    (tmp_path / f"{config.top}.sv").write_text(stand_in(config))
    (tmp_path / f"{top}.sv").write_text(text_of(config))
    run = subprocess.run(
        [verilator_binary(), "--lint-only", "-Wall", "--quiet", "-y", ".", f"{top}.sv"],
        cwd=tmp_path, env=verilator_environment(), text=True, capture_output=True,
    )  # fmt: skip
    assert run.stdout + run.stderr == ""


def test_its_lines_have_at_most_100_columns():
    for config in CORES.values():
        assert max(map(len, text_of(config).splitlines())) <= 100


def test_a_core_whose_ports_are_standard_has_none():
    assert packed_module(CoreConfig(registers="axi4lite")) == {}
