# SPDX-License-Identifier: Apache-2.0
"""Open cores of others through the same flow: mapped, placed and counted as ours are.

    git clone https://github.com/secworks/aes /tmp/aes
    gcmforge-study run peers secworks-aes /tmp/aes

Their sources are read at the commit that PEERS names, and not kept; only figures are. A peer gets
what favours it: inputs that GCM never changes are tied, so that what it does not need is left out.
VHDL becomes Verilog by GHDL first (`ghdl synth`), SystemVerilog with packages is read by Yosys's
read_slang. A core that has a generator of its own is made by it.
"""

import argparse
import json
import sys
import tarfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from gcmforge.config import ConfigError
from gcmforge.measure.table import significant
from gcmforge.netlist.targets import find_target
from gcmforge.place.fpga import Design, measure_fpga, nextpnr_version
from gcmforge.study.evidence.peer_cores import PEERS, Peer
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

TOP = "peer"


def wrapper(peer: Peer) -> str:
    """The peer with its tied inputs."""
    ports = [
        f"{way} logic {f'[{width - 1}:0] ' if width > 1 else ''}{name}"
        for name, way, width in peer.ports
    ]
    pins = [f".{name}({name})" for name, _, _ in peer.ports]
    pins += [f".{name}({value})" for name, value in peer.tied]
    values = [".{}({})".format(*generic.split("=", 1)) for generic in peer.generics]
    given = f"#({', '.join(values)}) " if values and not is_vhdl(peer) else ""
    return (
        f"module {TOP} (\n  " + ",\n  ".join(ports) + "\n);\n"
        f"  {peer.module} {given}u_peer (" + ", ".join(pins) + ");\nendmodule\n"
    )


def is_vhdl(peer: Peer) -> bool:
    """Whether GHDL makes Verilog of it."""
    return peer.files[0].endswith(".vhd")


def sources(peer: Peer, checkout: Path, folder: Path) -> list[Path]:
    """The files of that commit, and the wrapper, in the folder; ConfigError without them."""
    archive = folder / "source.tar"
    folders = [name[1:] for name in peer.slang if name[0] == "+"]
    only = [*peer.files, *folders] if peer.slang else []
    command = ["git", "archive", "-o", str(archive.resolve()), peer.commit, *only]
    run_tool(checkout, command, "clone it")
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
    if is_vhdl(peer):
        made = [verilog(made, peer.module, peer.generics, folder)]
    top = folder / f"{TOP}.sv"
    top.write_text(wrapper(peer))
    reads = [f'read_verilog -sv "{file.resolve()}"' for file in (*made, top)]
    if peer.slang:
        options = [str(source / name[1:]) if name[0] == "+" else name for name in peer.slang]
        reads = [" ".join(["read_slang", *options, "--top", TOP, *map(str, made), str(top)])]
    return [flattened(reads, folder)]


def flattened(reads: Sequence[str], folder: Path) -> Path:
    """One module of what Yosys reads, so that a tied input takes out what it does not need."""
    made = folder / "flat.v"
    passes = [f"hierarchy -check -top {TOP}", "proc -norom", "flatten", "bwmuxmap", "opt"]
    Yosys().run(
        [*reads, *passes, "opt_clean -purge", f"write_verilog -noattr {made.name}"],
        time_limit_s=1800, cwd=folder, what=f"reading {TOP}",
    )  # fmt: skip
    return made


def measured(peer: Peer, checkout: Path, seeds: int = SEEDS) -> dict[str, Any]:
    """Placed on an FPGA where it fits, and mapped to cells."""
    with TemporaryDirectory(prefix="gcmforge-peer-") as name:
        files = sources(peer, checkout, Path(name))
        design = Design(files=tuple(files), top=TOP, ports=peer.ports, clock=peer.clock)
        fpga = measure_fpga(
            design,
            FPGA,
            place=not peer.no_clock,
            most_luts=LUTS_OF_FPGA,
            seeds=range(1, seeds + 1),
            progress=_say,
        )
        luts = fpga.luts + fpga.lut_ram_luts
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
    if fpga.fmax_mhz is None:
        return found
    assert fpga.limit is not None
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


def table(known: dict[str, Any], own: tuple[str, float] | None = None) -> Iterator[str]:
    """The peers on the page of FPGAs; `own` is a preset of ours and its Mbit/s per LUT."""
    yield "## Cores of others\n"
    yield f"Through the same script: placed on `{FPGA}` with the same seeds, mapped to `{CELLS}`."
    yield "Their sources are not kept here. S-boxes that are tables take this flow hundreds of LUTs"
    yield "each; a maker's own tools may do better. SystemVerilog with packages is read by Yosys's"
    yield "`read_slang`; its `read_verilog` refuses a parameter of another package's type.\n"
    if own:
        rate = significant(own[1])
        yield f"There `{own[0]}` with `key_sizes=128` gives {rate} Mbit/s per LUT, beside"
        yield "block RAMs, with both directions, the check of tags, statuses and streams in it. The"
        yield "list below tells what each of these has and lacks.\n"
    yield from head(
        "core",
        ["commit", "LUTs", "flip-flops", "block RAMs", "median, MHz", "key", "cycles a block",
         "Mbit/s", "Mbit/s per LUT", f"GE on {CELLS}", "command"],
    )  # fmt: skip
    for name, record in known.items():
        yield line(f"[{name}]({PEERS[name].repository})", _row(PEERS[name], record))
    bare = [name for name, peer in PEERS.items() if peer.not_mapped and name not in known]
    for name in bare:
        peer = PEERS[name]
        cells = [f"`{peer.commit[:10]}`", "-", "-", "-", "not mapped", f"{peer.key_bits}"]
        yield line(f"[{name}]({peer.repository})", [*cells, f"{peer.cycles}", *["-"] * 4])
    yield ""
    for name in [*known, *bare]:
        peer = PEERS[name]
        why = f" No clock: {peer.no_clock}." if peer.no_clock else ""
        why += f" No figures: {peer.not_mapped}." if name in bare else ""
        said = f"{peer.does}; cycles from {peer.cycles_from}. Not in it: {peer.lacks}.{why}"
        yield f"- {name}: {said}"
    yield ""


def _row(peer: Peer, record: dict[str, Any]) -> list[str]:
    found = record["found"]
    clock, rate, per_lut = "none" if peer.no_clock else "does not fit as mapped here", "-", "-"
    if "fmax_mhz" in found:
        clock = f"{found['fmax_mhz']:.1f}"
        rate = significant(found["mbit_per_s"])
        per_lut = significant(found["mbit_per_s_per_lut"])
    return [
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
    ]
