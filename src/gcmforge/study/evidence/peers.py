# SPDX-License-Identifier: Apache-2.0
"""Open cores of others through the same flow: mapped, placed and counted as ours are.

    git clone https://github.com/secworks/aes /tmp/aes
    gcmforge-study run peers secworks-aes /tmp/aes

Their sources are read at the commit that PEERS names, and not kept; only figures are. A peer gets
what favours it: inputs that GCM never changes are tied, so that what it does not need is left out.
VHDL becomes Verilog by GHDL first (`ghdl synth`). A core that has a generator of its own is made
by it.
"""

import argparse
import json
import sys
import tarfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from gcmforge.config import ConfigError
from gcmforge.measure.table import significant
from gcmforge.netlist.targets import find_target
from gcmforge.place.fpga import Design, measure_fpga, nextpnr_version
from gcmforge.study.evidence.vhdl import run_tool, verilog
from gcmforge.study.pages.tables import head, line
from gcmforge.synth.synthesis import synthesise
from gcmforge.synth.yosys import Yosys
from gcmforge.tools import yosys_version

KEPT = Path(__file__).parent / "data" / "peers.json"
SEEDS = 5
FPGA, CELLS = "ecp5-25", "osu018"
LUTS_OF_FPGA = 24_288
"""Of an LFE5U-25F (Lattice FPGA-DS-02012, Table 1.1)."""

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
    generator: tuple[str, ...] = ()
    """A Python script of its repository that makes some of the files, and its arguments."""
    generics: tuple[str, ...] = ()
    """Of a VHDL entity, as NAME=VALUE."""
    clock: str = "clk"
    no_clock: str = ""
    """Why it has none, in one line: such a one is counted on the FPGA, and not mapped to cells."""
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
        cycles=53,
        cycles_from="a simulation of that commit, from `next` to `ready`",
        does="AES-128 and 256, encryption alone (`encdec` tied to 1)",
        lacks="GHASH, counters, tags, statuses, streams",
    ),
    "satcat5": Peer(
        repository="https://github.com/the-aerospace-corporation/satcat5",
        commit="90c6f8d47c0f435f9b824c2aeb320e819a391cd7",
        files=tuple(
            f"src/vhdl/common/{name}.vhd"
            for name in ("common_functions", "aes_cipher", "aes_gcm_gf_mult", "aes_gcm")
        ),
        module="aes_gcm",
        generics=("KEY_WIDTH=256", "DATA_WIDTH=32", "CFG_WIDTH=32", "IS_ENCRYPT=false"),
        ports=(
            ("clk", "input", 1), ("reset_p", "input", 1), ("key_iv_in", "input", 32),
            ("key_iv_val", "input", 2), ("key_rdy", "output", 1), ("iv_rdy", "output", 1),
            ("aad_txt_in", "input", 32), ("aad_txt_last", "input", 1), ("aad_txt_val", "input", 2),
            ("aad_rdy", "output", 1), ("txt_in_rdy", "output", 1), ("txt_data", "output", 32),
            ("txt_last", "output", 1), ("txt_valid", "output", 1), ("txt_ready", "input", 1),
            ("tag_data", "output", 32), ("tag_valid", "output", 1), ("tag_ready", "input", 1),
        ),
        key_bits=256,
        cycles=16,
        cycles_from="the header of its aes_gcm.vhd",
        does="AES-256-GCM, decryption alone (GHDL 2.0 refuses a slice of its encryption), streams "
        "of 32 bits",
        lacks="keys of 128 bits beside those of 256, encryption, a check of the tag, statuses",
    ),
    "blu85": Peer(
        repository="https://github.com/BLu85/AES-GCM-128-192-256-bits",
        commit="d0515ae4896a06f89e48952b415406279e0993fd",
        generator=(
            "config/gcm_config.py", "--mode", "128", "--size", "XS", "--pipe", "0",
        ),
        files=tuple(
            f"src/{name}.vhd"
            for name in (
                "aes_pkg", "gcm_pkg", "aes_func", "gen_rtl/aes_kexp", "gen_rtl/aes_round",
                "aes_last_round", "gen_rtl/aes_ecb", "aes_icb", "gcm_gctr", "ghash_gfmul",
                "gcm_ghash", "aes_enc_dec_ctrl", "aes_gcm", "gen_rtl/top_aes_gcm",
            )
        ),
        module="top_aes_gcm",
        ports=(
            ("clk_i", "input", 1), ("rst_i", "input", 1), ("aes_gcm_enc_dec_i", "input", 1),
            ("aes_gcm_pipe_reset_i", "input", 1), ("aes_gcm_key_word_val_i", "input", 4),
            ("aes_gcm_key_word_i", "input", 256), ("aes_gcm_iv_val_i", "input", 1),
            ("aes_gcm_iv_i", "input", 96), ("aes_gcm_icb_start_cnt_i", "input", 1),
            ("aes_gcm_icb_stop_cnt_i", "input", 1), ("aes_gcm_ghash_pkt_val_i", "input", 1),
            ("aes_gcm_ghash_aad_bval_i", "input", 16), ("aes_gcm_ghash_aad_i", "input", 128),
            ("aes_gcm_data_in_bval_i", "input", 16), ("aes_gcm_data_in_i", "input", 128),
            ("aes_gcm_ready_o", "output", 1), ("aes_gcm_data_out_val_o", "output", 1),
            ("aes_gcm_data_out_bval_o", "output", 16), ("aes_gcm_data_out_o", "output", 128),
            ("aes_gcm_ghash_tag_val_o", "output", 1), ("aes_gcm_ghash_tag_o", "output", 128),
            ("aes_gcm_icb_cnt_overflow_o", "output", 1),
        ),
        tied=(("aes_gcm_mode_i", "2'b00"),),
        clock="clk_i",
        cycles=10,
        cycles_from="its README (size XS, 12.8 bits a clock)",
        does="AES-128-GCM, both directions, blocks of 128 bits with a port for AAD",
        lacks="keys of 256 bits, streams that can wait, a check of the tag, statuses",
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
        no_clock="nextpnr times no combinational loop, and the flow to cells refuses it",
        cycles=128,
        cycles_from="its README: those of its multiplier alone, so at most this rate",
        does="AES-GCM with keys of 128 and 256 bits, both directions, a check of the tag, "
        "registers of whole blocks",
        lacks="streams, lengths that are no whole blocks, statuses",
    ),
}  # fmt: skip
"""By name."""

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
    archive = folder / "source.tar"
    run_tool(checkout, ["git", "archive", "-o", str(archive.resolve()), peer.commit], "clone it")
    source = folder / "source"
    with tarfile.open(archive) as packed:
        packed.extractall(source, filter="data")
    if peer.generator:
        script, *arguments = peer.generator
        path = source / script
        run_tool(path.parent, [sys.executable, path.name, *arguments], "its generator failed")
    made = [source / name for name in peer.files]
    if missing := [file for file in made if not file.exists()]:
        raise ConfigError(f"{checkout}: no {missing[0].relative_to(source)} at {peer.commit[:10]}")
    if made[0].suffix == ".vhd":
        made = [verilog(made, peer.module, peer.generics, folder)]
    top = folder / f"{TOP}.sv"
    top.write_text(wrapper(peer))
    return [flattened([*made, top], folder)]


def flattened(files: Sequence[Path], folder: Path) -> Path:
    """One module of all, so that a tied input takes out what it does not need."""
    made = folder / "flat.v"
    reads = [f'read_verilog -sv "{file.resolve()}"' for file in files]
    passes = [f"hierarchy -check -top {TOP}", "proc -norom", "flatten", "opt", "opt_clean -purge"]
    Yosys().run(
        [*reads, *passes, f"write_verilog -noattr {made.name}"],
        time_limit_s=1800, cwd=folder, what=f"reading {TOP}",
    )  # fmt: skip
    return made


def measured(peer: Peer, checkout: Path, seeds: int = SEEDS) -> dict[str, Any]:
    """Placed on an FPGA where it fits, and mapped to cells."""
    with TemporaryDirectory(prefix="gcmforge-peer-") as name:
        files = sources(peer, checkout, Path(name))
        design = Design(files=tuple(files), top=TOP, ports=peer.ports, clock=peer.clock)
        fpga = measure_fpga(design, FPGA, place=False, progress=_say)
        luts = fpga.luts + fpga.lut_ram_luts
        placed = luts <= LUTS_OF_FPGA and not peer.no_clock
        if placed:
            fpga = measure_fpga(design, FPGA, seeds=range(1, seeds + 1), progress=_say)
        area_ge = None
        if not peer.no_clock:
            target = find_target(CELLS)
            area_ge = synthesise(files, target, top=TOP, goal="balanced", progress=_say).area_ge
    found = {
        "luts": luts,
        "flip_flops": fpga.flip_flops,
        "block_rams": fpga.block_rams,
        "area_ge": area_ge,
        "tools": {"yosys": yosys_version(), "nextpnr": nextpnr_version(FPGA)},
    }
    if not placed:
        return found
    assert fpga.fmax_mhz is not None and fpga.limit is not None
    mbit = 128 / peer.cycles * fpga.fmax_mhz
    return found | {
        "fmax_mhz": fpga.fmax_mhz,
        "fmax_by_seed": {str(seed): mhz for seed, mhz in fpga.fmax_by_seed},
        "mbit_per_s": mbit,
        "mbit_per_s_per_lut": mbit / luts,
        "limit": asdict(fpga.limit),
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
    yield "Their sources are not kept here. S-boxes that are tables, as these have, take this flow"
    yield "hundreds of LUTs each; a maker's own tools may do better.\n"
    yield from head(
        "core",
        ["commit", "LUTs", "flip-flops", "block RAMs", "median, MHz", "key", "cycles a block",
         "Mbit/s", "Mbit/s per LUT", f"GE on {CELLS}", "command"],
    )  # fmt: skip
    for name, record in known.items():
        peer, found = PEERS[name], record["found"]
        clock, rate, per_lut = "none" if peer.no_clock else "does not fit as mapped here", "-", "-"
        if "fmax_mhz" in found:
            clock = f"{found['fmax_mhz']:.1f}"
            rate = significant(found["mbit_per_s"])
            per_lut = significant(found["mbit_per_s_per_lut"])
        yield line(
            f"[{name}]({peer.repository})",
            [
                f"`{record['commit'][:10]}`",
                f"{found['luts']:,}",
                f"{found['flip_flops']:,}",
                f"{found['block_rams']:g}",
                clock,
                f"{peer.key_bits}",
                f"{peer.cycles}",
                rate,
                per_lut,
                f"{found['area_ge']:,.0f}" if found["area_ge"] else "-",
                f"`{record['command']}`",
            ],
        )
    yield ""
    for name in known:
        peer = PEERS[name]
        why = f" No clock: {peer.no_clock}." if peer.no_clock else ""
        said = f"{peer.does}; cycles from {peer.cycles_from}. Not in it: {peer.lacks}.{why}"
        yield f"- {name}: {said}"
    yield ""
