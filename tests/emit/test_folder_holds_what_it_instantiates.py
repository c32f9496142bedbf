# SPDX-License-Identifier: Apache-2.0
"""A core's folder holds exactly the hand-written modules that the core instantiates; 100 columns.

Yosys elaborates the core; gate-level leaves are left out. It does not see what is there for
simulation only, the rules of streams: those are found by the text of the modules that it sees.
"""

import re
from pathlib import Path

import pytest

from gcmforge.config import CoreConfig
from gcmforge.config.presets import PRESETS, preset
from gcmforge.emit.core import core_files
from gcmforge.emit.leaves import LEAF_MODULES
from gcmforge.emit.rtl import RTL, engine_folders
from gcmforge.tools import run_yosys

QUICK = {"sbox": "table", "aes": "loop", "ghash": "serial"}
CORES = {
    "keys made in loops": CoreConfig(aes="loop_parallel", aes_loops=3, key_schedule="travelling"),
    "stored keys in loops": CoreConfig(aes="loop_parallel", aes_loops=2, ghash="digit", contexts=1),
    "guarded": CoreConfig(**QUICK, contexts=3, iv="counter", zeroise="on", timeout=100),
    "erased": CoreConfig(**QUICK, iv="96", zeroise="on", contexts=1),
    "encrypting": CoreConfig(**QUICK, direction="encrypt"),
    "decrypting": CoreConfig(**QUICK, direction="decrypt"),
    "decrypting, held and erased": CoreConfig(
        **QUICK, direction="decrypt", zeroise="on", release="verified", max_text_bytes=1500,
    ),
    "own IVs": CoreConfig(**QUICK, iv="counter"),
    "erased, with registers": CoreConfig(**QUICK, registers="axi4lite", zeroise="on"),
    "timeout": CoreConfig(timeout=64, aad_lanes=2, lanes=2, contexts=3, aes="loop", ghash="dot"),
    "macsec": CoreConfig(profile="macsec", aad_lanes=2, lanes=2, aes="loop", ghash="dot"),
    "tables in block RAM": CoreConfig(lanes=2, aes="loop", ghash="window", window_bits=8),
    "tables in LUT RAM": CoreConfig(lanes=2, ghash="window", window_splits=1),
    "residues": CoreConfig(lanes=2, ghash="residues", contexts=1, key_sizes=(128,)),
    "ahead": CoreConfig(
        slots="ahead", lanes=4, contexts=3, iv="96", sbox="table", counter_sharing="on",
        key_unit="dedicated", ghash_stages=2, release="verified", max_text_bytes=1500,
    ),
    "dedicated": CoreConfig(
        lanes=2, contexts=20, sbox="table", tail="dedicated", j0="dedicated", aad_lanes=2,
        counter_sharing="on", ghash_stages=2, key_unit="dedicated", aes_substages=2,
    ),
    "many powers": CoreConfig(lanes=8, aes="loop", ghash_stages=4, multiplier="ko4"),
    "memories, keys made in a loop": CoreConfig(
        aes="loop", sbox="bram", aes_substages=3, key_schedule="travelling", ghash="serial",
    ),
    "nano of two key sizes": preset("nano").with_settings(["key_sizes=128,256"]),
    "nano, IVs of any length": preset("nano").with_settings(["iv=any"]),
    "nano encrypts": preset("nano").with_settings(["direction=encrypt"]),
    "nano decrypts": preset("nano").with_settings(["direction=decrypt"]),
    "micro with registers": preset("micro").with_settings(["registers=axi4lite"]),
    "micro that finds faults": preset("micro").with_settings(["faults=detect"]),
    "micro that finds faults, short keys": preset("micro").with_settings(
        ["faults=detect", "key_sizes=128"]
    ),
    "micro of short keys": preset("micro").with_settings(["key_sizes=128"]),
    "micro of four S-boxes": preset("micro").with_settings(["sboxes=4"]),
    "micro of four memories, short keys": preset("micro").with_settings(
        ["sboxes=4", "sbox=bram", "key_sizes=128"]
    ),
    **{
        f"Yang 2005, Fig. 5, {direction}": CoreConfig(
            core="yang2005", key_sizes=(128,), contexts=1, iv="96", direction=direction
        )
        for direction in ("both", "encrypt", "decrypt")
    },
    "segments": CoreConfig(
        core="segments", lanes=4, segments=2, iv="96", max_text_bytes=65_536, max_aad_bytes=65_536,
    ),
    **{
        f"streams, {direction}": CoreConfig(core="streams", iv="96", direction=direction)
        for direction in ("both", "encrypt", "decrypt")
    },
    "length first": CoreConfig(
        key_sizes=(128,), contexts=1, iv="96", aes="loop", ghash="serial_length_first",
        tags_not_of_gcm="yes",
        aes_rounds=5, aes_substages=2, key_schedule="travelling",
    ),
}  # fmt: skip
"""In addition to the presets: every form of every part at least once."""

FEW = ("default", "small", "nano", "micro", "ecp5")
"""Presets of few parts."""

_RULES = "stream_rules"
_COMMENT = re.compile(r"//[^\n]*")


def spare(config: CoreConfig, work: Path) -> set[str]:
    """The hand-written modules and packages in the folder that nothing of the core uses."""
    leaves = {leaf: f"module {leaf}; endmodule" for leaf in LEAF_MODULES}
    files, order, _ = core_files(config, prove=False, instead=leaves)
    read = [name for name in order if Path(name).stem not in leaves]
    for name in read:
        path = work / name
        path.parent.mkdir(exist_ok=True, parents=True)
        path.write_text(files[name])
    run_yosys(
        [
            *(f"read_verilog -sv {name}" for name in read),
            f"hierarchy -top {config.top}",
            "tee -q -o modules.txt ls",
        ],
        time_limit_s=300, cwd=work,
    )  # fmt: skip
    listed = (work / "modules.txt").read_text()
    used = set(re.findall(r"^  (?:\$paramod\S*?\\)?(\w+)", listed, re.M))
    code = "".join(_COMMENT.sub("", files[name]) for name in read if Path(name).stem in used)
    used.update(re.findall(r"\b(\w+)::", code), re.findall(rf"\b{_RULES}(?= #)", code))
    assert config.top in used
    return {Path(name).stem for name in read if name.startswith("rtl/")} - used


COLUMNS = 100
"""Of every line; leaves are tables of gates."""


def test_no_two_files_have_a_module_of_the_same_name():
    files = [path.stem for room in (RTL, *engine_folders()) for path in room.rglob("*.sv")]
    assert sorted(files) == sorted(set(files))


@pytest.mark.parametrize("name", [*CORES, "default"])
def test_lines_are_not_too_long(name):
    leaves = {leaf: f"module {leaf}; endmodule" for leaf in LEAF_MODULES}
    config = CORES[name] if name in CORES else preset(name)
    files, order, _ = core_files(config, prove=False, instead=leaves)
    long = [
        f"{file}:{number}"
        for file in order
        for number, line in enumerate(files[file].splitlines(), 1)
        if len(line) > COLUMNS
    ]
    assert not long


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.slow] * (name not in FEW))
        for name in [*PRESETS, *CORES]
    ],
)
def test_a_folder_holds_what_its_core_instantiates(name, tmp_path):
    config = CORES[name] if name in CORES else preset(name)
    assert spare(config, tmp_path) == set()


@pytest.mark.slow
def test_a_module_that_nothing_instantiates_is_seen(tmp_path, monkeypatch):
    """A module that is only named, in a branch of a generate block that is not built."""
    from gcmforge.emit import texts

    whole = texts.gcm_axis
    branch = "  if (0) begin : gen_none\n    axil_slave u_none ();\n  end\nendmodule"
    monkeypatch.setattr(
        texts, "gcm_axis", lambda config: whole(config).replace("endmodule", branch)
    )
    assert "axil_slave" in spare(CoreConfig(**QUICK), tmp_path)
