# SPDX-License-Identifier: Apache-2.0
"""Cores of others: their files at a commit, tied inputs; on a core made here."""

import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from gcmforge.config import ConfigError
from gcmforge.place.fpga import Design, measure_fpga
from gcmforge.study.evidence import peers

VERILOG = "module adder(input clk, input [7:0] a, b, output reg [7:0] c);\n" \
    "  always @(posedge clk) c <= a + b;\nendmodule\n"  # fmt: skip


def repository(folder: Path, **files: str) -> str:
    """A repository with these files, and its commit."""
    for name, text in files.items():
        path = folder / name.replace("__", "/").replace("_DOT_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@b"]
    for arguments in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "toy"]):
        subprocess.run([*git, *arguments], cwd=folder, check=True)
    head = subprocess.run(["git", "rev-parse", "HEAD"], cwd=folder, capture_output=True, text=True)
    return head.stdout.strip()


def adder(commit: str) -> peers.Peer:
    return peers.Peer(
        repository="https://example.invalid/adder",
        commit=commit,
        files=("rtl/adder.v",),
        module="adder",
        ports=(("clk", "input", 1), ("a", "input", 8), ("c", "output", 8)),
        tied=(("b", "8'd1"),),
        cycles=16,
        cycles_from="its text",
        does="a sum",
        lacks="GCM",
    )


def test_a_peer_is_read_at_its_commit_and_its_inputs_are_tied(tmp_path: Path) -> None:
    there = tmp_path / "there"
    commit = repository(there, rtl__adder_DOT_v=VERILOG)
    (there / "rtl/adder.v").write_text("not what was committed")
    folder = tmp_path / "made"
    folder.mkdir()
    files = peers.sources(adder(commit), there, folder)
    assert files[0].read_text() == VERILOG
    assert ".b(8'd1)" in files[1].read_text()
    found = measure_fpga(
        Design(files=tuple(files), top=peers.TOP, ports=adder(commit).ports, clock="clk"),
        peers.FPGA,
        place=False,
    )
    assert found.flip_flops == 8


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"files": ("rtl/other.v",)}, "no rtl/other.v"),
        ({"commit": "0" * 40}, "clone it"),
    ],
)
def test_what_a_repository_has_not_is_told(
    tmp_path: Path, changes: dict[str, object], said: str
) -> None:
    commit = repository(tmp_path / "there", rtl__adder_DOT_v=VERILOG)
    (tmp_path / "made").mkdir()
    peer = replace(adder(commit), **changes)  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match=said):
        peers.sources(peer, tmp_path / "there", tmp_path / "made")


def test_every_peer_that_is_kept_is_one_of_those_named() -> None:
    known = peers.kept()
    assert known.keys() <= peers.PEERS.keys()
    for name, record in known.items():
        assert record["commit"] == peers.PEERS[name].commit
    text = "\n".join(peers.table(known))
    assert all(name in text for name in known)
