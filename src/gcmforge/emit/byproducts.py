# SPDX-License-Identifier: Apache-2.0
"""What a core's folder has apart from SystemVerilog: lists, constraints, README, proofs to read."""

import json
from collections.abc import Iterable, Sequence

from gcmforge.config import CoreConfig, options
from gcmforge.config.architecture import withstands
from gcmforge.config.codes import statuses
from gcmforge.config.presets import period_of
from gcmforge.emit.bench_vectors import bench_vectors
from gcmforge.emit.driver import c_prefix
from gcmforge.emit.layers import public_ports
from gcmforge.emit.naming import named_path
from gcmforge.emit.packed import packed, packed_note, packed_rows
from gcmforge.emit.records import ProofRecord
from gcmforge.emit.registers import register_rows
from gcmforge.emit.rendering import render


def core_toml(config: CoreConfig) -> str:
    """The configuration, defaults written out."""
    head = (
        "# SPDX-License-Identifier: Apache-2.0\n# Build this core again: gcmforge build core.toml"
    )
    return f"{head} -o DIR\n\n{config.to_toml()}"


def file_list(files: Iterable[str]) -> str:
    """A list of files: paths relative to the folder, in compile order."""
    return "".join(f"{file}\n" for file in files)


def fusesoc(
    config: CoreConfig, files: Sequence[str], around: Sequence[str], *, testbench: str = ""
) -> str:
    """gcm_axis.core: FuseSoC's description, CAPI version 2. `around` is for the bench."""
    return render(
        "gcm_axis.core.j2",
        config=config,
        files=[named_path(config, file) for file in files],
        around=[named_path(config, file) for file in around],
        testbench=testbench and named_path(config, testbench),
    )


def constraints(config: CoreConfig) -> str:
    """gcm_axis.sdc: one clock, and what the ports leave of its period."""
    return render(
        "gcm_axis.sdc.j2",
        top=config.named(config.top),
        ports=public_ports(config),
        asked_ns=period_of(config),
    )


def xilinx_constraints(config: CoreConfig) -> str:
    """gcm_axis.xdc: the clock, for Vivado."""
    return render(
        "gcm_axis.xdc.j2", top=config.named(config.top), period_ns=period_of(config) or 5.0
    )


def readme(config: CoreConfig, proofs: Sequence[ProofRecord], *, one_key: bool = False) -> str:
    """README.md of the folder."""
    rows = [
        {"name": name, "value": _shown(getattr(config, name)), "meaning": option.meaning}
        for name, option in options().items()
        if name in config.understood
    ]
    made = packed(config)
    return render(
        "README.md.j2",
        config=config,
        withstands=withstands(config),
        ports=public_ports(config),
        packed=packed_rows(config),
        packed_file=named_path(config, made.path) if made else "",
        packed_module=config.named(made.module) if made else "",
        packed_widths=packed_note(config),
        statuses=statuses(config),
        prefix=c_prefix(config),
        registers=register_rows(config) if config.registers == "axi4lite" else (),
        options=rows,
        proofs=proofs,
        vectors=0 if one_key else len(bench_vectors(config)),
    )


def _shown(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def proofs_json(proofs: Sequence[ProofRecord]) -> str:
    """proofs/proofs.json: every proof of every leaf, for programs."""
    return json.dumps([proof.to_mapping() for proof in proofs], indent=2) + "\n"


def proof_log(proofs: Sequence[ProofRecord]) -> str:
    """proofs/LEAF.log: the same for one leaf, for people."""
    return "".join(
        f"{proof.module} ({proof.variant}): {proof.kind}: "
        f"{'passed' if proof.passed else 'FAILED'}\n  {proof.detail} ({proof.cases:,} cases)\n"
        for proof in proofs
    )
