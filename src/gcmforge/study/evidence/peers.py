# SPDX-License-Identifier: Apache-2.0
"""Open cores of others through the same flow: mapped, placed and counted as ours are.

    git clone https://github.com/secworks/aes /tmp/aes
    gcmforge-study run peers secworks-aes /tmp/aes

Their sources are read at the commit that PEERS names, and not kept; only figures are. A peer gets
what favours it: inputs that GCM never changes are tied, so that what it does not need is left out.
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from gcmforge.config import ConfigError
from gcmforge.measure.table import significant
from gcmforge.netlist.targets import find_target
from gcmforge.place.fpga import Design, measure_fpga, nextpnr_version
from gcmforge.study.pages.tables import head, line
from gcmforge.synth.synthesis import synthesise
from gcmforge.tools import yosys_version

KEPT = Path(__file__).parent / "data" / "peers.json"
SEEDS = 5
FPGA, CELLS = "ecp5-25", "osu018"

Port = tuple[str, str, int]


@dataclass(frozen=True, kw_only=True, slots=True)
class Peer:
    """One core of somebody else, and the module around it."""

    repository: str
    commit: str
    files: tuple[str, ...]
    """In the order of compilation."""
    module: str
    ports: tuple[Port, ...]
    """Name, direction, width."""
    tied: tuple[tuple[str, str], ...] = ()
    """Inputs that are constant, as Verilog writes them."""
    clock: str = "clk"
    key_bits: int = 128
    """Of the key that `cycles` is for."""
    cycles: int
    """From one block of a message to the next."""
    cycles_from: str
    does: str
    lacks: str
    """What it has not of what our core has, with which it would be larger."""


PEERS = {
    "secworks-aes": Peer(
        repository="https://github.com/secworks/aes",
        commit="80dc4718e1dcbbdb4b0dd1bdb393d8f7b98981dc",
        files=(
            "src/rtl/aes_core.v", "src/rtl/aes_encipher_block.v", "src/rtl/aes_decipher_block.v",
            "src/rtl/aes_key_mem.v", "src/rtl/aes_sbox.v", "src/rtl/aes_inv_sbox.v",
        ),
        module="aes_core",
        ports=(
            ("clk", "input", 1), ("reset_n", "input", 1), ("init", "input", 1),
            ("next", "input", 1), ("ready", "output", 1), ("key", "input", 256),
            ("keylen", "input", 1), ("block", "input", 128), ("result", "output", 128),
            ("result_valid", "output", 1),
        ),
        tied=(("encdec", "1'b1"),),
        cycles=46,
        cycles_from="its README",
        does="AES-128 and 256, encryption alone (`encdec` tied to 1)",
        lacks="GHASH, counters, tags, statuses, streams",
    ),
    "dngtuankiet": Peer(
        repository="https://github.com/dngtuankiet/aes-gcm_128-256",
        commit="0ff847cd8e3dd7be1067a11f8dc6de6b5a9453c1",
        files=tuple(
            f"source/{name}.v"
            for name in (
                "aes_core/aes_core", "aes_core/aes_core_TOP", "aes_core/aes_encipher_block",
                "aes_core/aes_key_mem", "aes_core/aes_sbox", "aes_core/aes_sub_sbox",
                "aes_core/mixcolumns", "aes_gcm/gctr_block_v2", "aes_gcm/gfmul_v2",
                "aes_gcm/ghash_block_v2", "aes_gcm/aes_gcm_v4",
            )
        ),
        module="aes_gcm_v4",
        ports=(
            ("iClk", "input", 1), ("iRstn", "input", 1), ("iCtrl", "input", 4),
            ("oReady", "output", 1), ("iIV", "input", 96), ("iIV_valid", "input", 1),
            ("iKey", "input", 256), ("iKey_valid", "input", 1), ("iKeylen", "input", 1),
            ("iAad", "input", 128), ("iAad_valid", "input", 1), ("iBlock", "input", 128),
            ("iBlock_valid", "input", 1), ("iTag", "input", 128), ("iTag_valid", "input", 1),
            ("oResult", "output", 128), ("oResult_valid", "output", 1), ("oTag", "output", 128),
            ("oTag_valid", "output", 1), ("oAuthentic", "output", 1),
        ),
        clock="iClk",
        cycles=128,
        cycles_from="its README: those of its multiplier alone, so at most this rate",
        does="AES-GCM with keys of 128 and 256 bits, both directions, a check of the tag, "
        "registers of whole blocks",
        lacks="streams, lengths that are no whole blocks, statuses",
    ),
}  # fmt: skip
"""By name."""

NOT_MEASURED = (
    "[BLu85/AES-GCM](https://github.com/BLu85/AES-GCM-128-192-256-bits) and "
    "[satcat5](https://github.com/the-aerospace-corporation/satcat5) are VHDL. The Verilog that "
    "GHDL 2.0 makes of them (`ghdl synth --out=verilog`) lacks what a `case` has for `others`, so "
    "it is another circuit, with latches.",
)
"""Cores that this flow cannot read, and why."""

TOP = "peer"


def wrapper(peer: Peer) -> str:
    """The peer with its tied inputs."""
    ports = [
        f"{way} logic {f'[{width - 1}:0] ' if width > 1 else ''}{name}"
        for name, way, width in peer.ports
    ]
    pins = [f".{name}({name})" for name, _, _ in peer.ports]
    pins += [f".{name}({value})" for name, value in peer.tied]
    return (
        f"module {TOP} (\n  " + ",\n  ".join(ports) + "\n);\n"
        f"  {peer.module} u_peer (" + ", ".join(pins) + ");\nendmodule\n"
    )


def sources(peer: Peer, checkout: Path, folder: Path) -> list[Path]:
    """The files of that commit, and the wrapper, in the folder; ConfigError without them."""
    made = []
    for name in peer.files:
        command = ["git", "-C", str(checkout), "show", f"{peer.commit}:{name}"]
        run = subprocess.run(command, capture_output=True, text=True, timeout=60)
        if run.returncode:
            said = run.stderr.strip()
            raise ConfigError(f"{checkout}: no {name} of {peer.commit[:10]} ({said}); clone it")
        made.append(folder / Path(name).name)
        made[-1].write_text(run.stdout)
    made.append(folder / f"{TOP}.sv")
    made[-1].write_text(wrapper(peer))
    return made


def measured(peer: Peer, checkout: Path, seeds: int = SEEDS) -> dict[str, Any]:
    """Placed on an FPGA, and mapped to cells."""
    with TemporaryDirectory(prefix="gcmforge-peer-") as name:
        files = sources(peer, checkout, Path(name))
        design = Design(files=tuple(files), top=TOP, ports=peer.ports, clock=peer.clock)
        fpga = measure_fpga(design, FPGA, seeds=range(1, seeds + 1), progress=_say)
        cells = synthesise(files, find_target(CELLS), top=TOP, goal="balanced", progress=_say)
    assert fpga.fmax_mhz is not None and fpga.limit is not None
    luts = fpga.luts + fpga.lut_ram_luts
    mbit = 128 / peer.cycles * fpga.fmax_mhz
    return {
        "luts": luts,
        "flip_flops": fpga.flip_flops,
        "block_rams": fpga.block_rams,
        "fmax_mhz": fpga.fmax_mhz,
        "fmax_by_seed": {str(seed): mhz for seed, mhz in fpga.fmax_by_seed},
        "mbit_per_s": mbit,
        "mbit_per_s_per_lut": mbit / luts,
        "limit": asdict(fpga.limit),
        "area_ge": cells.area_ge,
        "tools": {"yosys": yosys_version(), "nextpnr": nextpnr_version(FPGA)},
    }


def _say(step: str) -> None:
    print(step, file=sys.stderr, flush=True)


def kept() -> dict[str, Any]:
    """What was found, by name."""
    found: dict[str, Any] = json.loads(KEPT.read_text()) if KEPT.exists() else {}
    return found


def main(arguments: Sequence[str]) -> int:
    """Measure a peer, and keep its figures."""
    parser = argparse.ArgumentParser(prog="gcmforge-study run peers", description=__doc__)
    parser.add_argument("name", choices=PEERS)
    parser.add_argument("checkout", type=Path, help="a clone of its repository")
    asked = parser.parse_args(list(arguments))
    peer = PEERS[asked.name]
    found = measured(peer, asked.checkout)
    record = {
        "repository": peer.repository,
        "commit": peer.commit,
        "command": f"gcmforge-study run peers {asked.name} CHECKOUT",
        "found": found,
    }
    KEPT.write_text(json.dumps(kept() | {asked.name: record}, indent=1) + "\n")
    print(json.dumps(found, indent=1))
    return 0


def table(known: dict[str, Any]) -> Iterator[str]:
    """The peers on the page of FPGAs."""
    yield "## Cores of others\n"
    yield f"Through the same script: placed on `{FPGA}` with the same seeds, mapped to `{CELLS}`."
    yield "Their sources are not kept here.\n"
    yield from head(
        "core",
        ["commit", "LUTs", "flip-flops", "block RAMs", "median, MHz", "key", "cycles a block",
         "Mbit/s", "Mbit/s per LUT", f"GE on {CELLS}", "command"],
    )  # fmt: skip
    for name, record in known.items():
        peer, found = PEERS[name], record["found"]
        yield line(
            f"[{name}]({peer.repository})",
            [
                f"`{record['commit'][:10]}`",
                f"{found['luts']:,}",
                f"{found['flip_flops']:,}",
                f"{found['block_rams']:g}",
                f"{found['fmax_mhz']:.1f}",
                f"{peer.key_bits}",
                f"{peer.cycles}",
                significant(found["mbit_per_s"]),
                significant(found["mbit_per_s_per_lut"]),
                f"{found['area_ge']:,.0f}",
                f"`{record['command']}`",
            ],
        )
    yield ""
    for name in known:
        peer = PEERS[name]
        yield f"- {name}: {peer.does}; cycles from {peer.cycles_from}. Not in it: {peer.lacks}."
    for sentence in NOT_MEASURED:
        yield f"- Not measured: {sentence}"
    yield ""
