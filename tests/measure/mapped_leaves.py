# SPDX-License-Identifier: Apache-2.0
"""Leaves mapped to osu018 with plain Yosys scripts."""

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from needs import OSU018

from gcmforge import tools
from gcmforge.circuit import pipeline
from gcmforge.leaf import leaf_text, mix_columns, multiplier, sbox
from gcmforge.netlist.liberty import parse_liberty
from gcmforge.netlist.library import Library
from gcmforge.netlist.netlist import Netlist, read_yosys_json

DRIVER, LOAD_FF = "INVX4", 20.0

SCRIPTS = {
    "area": "strash; dc2; map -a; topo; buffer -c; upsize; dnsize",
    "speed": "strash; dc2; strash; &get -n; &nf; &put; topo; buffer -c; upsize; dnsize",
}
SBOXES = ("table", "mozaffari_2012", "boyar_peralta")
OTHER_SBOXES = ("table_inverse", "twisted_bdd", "mixed", "normal_phi2_nu1_reduced", "gf16_nu14")


def library() -> Library:
    return parse_liberty(OSU018)


@cache
def mapped_sbox(variant: str, script: str) -> Netlist:
    leaf = sbox(variant)
    return _map(leaf_text(leaf), leaf.module, script)


@cache
def mapped_pipelined_sbox() -> Netlist:
    """Three stages, enable: 46 flip-flops."""
    leaf = sbox("boyar_peralta")
    text = leaf_text(leaf, pipeline(leaf.circuit, 3), clocked=True, enable=True)
    return _map(text, leaf.module, "speed")


@cache
def mapped_mix_column() -> Netlist:
    leaf = mix_columns("small")
    return _map(leaf_text(leaf), leaf.module, "speed")


@cache
def mapped_multiplier() -> Netlist:
    leaf = multiplier("ko4")
    return _map(leaf_text(leaf), leaf.module, "speed")


def _map(text: str, top: str, script: str) -> Netlist:
    with TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "leaf.sv").write_text(text)
        (folder / "abc").write_text(SCRIPTS[script] + "\n")
        (folder / "constr").write_text(f"set_driving_cell {DRIVER}\nset_load {LOAD_FF}\n")
        commands = (
            "read_verilog -sv leaf.sv", f"hierarchy -top {top}", "proc -norom", "flatten", "opt",
            "techmap", "opt", f"dfflibmap -liberty {OSU018}", "opt",
            f"abc -liberty {OSU018} -constr constr -script abc", "opt_clean -purge",
            "write_json mapped.json",
        )  # fmt: skip
        tools.run_yosys(commands, time_limit_s=300, cwd=folder)
        return read_yosys_json(folder / "mapped.json", top)
