# SPDX-License-Identifier: Apache-2.0
"""One function for each text of a core's folder. No date, no path and no chance gets into any."""

import json
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gcmforge import __version__
from gcmforge.config import ONE_BLOCK, CoreConfig, options
from gcmforge.emit.layers import Bound, checked_streams, public_ports
from gcmforge.emit.leaves import ProofRecord, key_bits
from gcmforge.emit.ports import (
    Port,
    Stream,
    aes_ports,
    fixed_ghash_ports,
    gcm_ghash_ports,
    ghash_ports,
    subkey_ports,
    tail_ports,
    top_ports,
)
from gcmforge.emit.registers import register_rows
from gcmforge.model import encrypt_block, ghash, ghash_length_first, key_expansion
from gcmforge.model.gcm import bit_lengths, blocks

if TYPE_CHECKING:
    from jinja2 import Environment

HERE = Path(__file__).parent

_EVERY = ("Lanes", "Contexts")
AES_PARAMETERS = {
    "pipelined": (
        *_EVERY, "MinRounds", "MaxRounds", "SubStages", "CounterSharing", "OtherLanes",
        "Travelling", "InStep",
    ),
    "loop": (*_EVERY, "MinRounds", "MaxRounds", "Rounds", "SubStages", "Travelling"),
    "loop_parallel": (*_EVERY, "MinRounds", "MaxRounds", "Loops", "Travelling"),
}  # fmt: skip
"""Of each AES engine: the parameters of its module, in its order."""


@cache
def _templates() -> "Environment":
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    return Environment(
        loader=FileSystemLoader(HERE / "templates"),
        undefined=StrictUndefined,
        keep_trailing_newline=True,
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=False,
    )


def _render(template: str, **values: Any) -> str:
    return _templates().get_template(template).render(version=__version__, **values)


# SystemVerilog ------------------------------------------------------------------------------------


def gcm_axis(config: CoreConfig) -> str:
    """The top: the hand-written core with this configuration's parameters."""
    sizes = "".join(str(int(size in config.key_sizes)) for size in (256, 192, 128))
    guard = (
        ("Zeroise", f"1'b{int(config.zeroise == 'on')}"),
        ("ErasePackets", str(config.erase_packets)),
        ("IvCounter", f"1'b{int(config.iv == 'counter')}"),
        ("IvLimit", f"64'd{config.iv_limit}"),
        ("Timeout", str(config.timeout)),
    )
    return _binding(
        "gcm_axis",
        [f"{config.summary}.", "Made by gcmforge from core.toml; belongs to whoever generated it."],
        top_ports(config),
        "gcm_axis_guard" if config.guarded else "gcm_axis_core",
        [
            ("Lanes", str(config.lanes)),
            ("AadLanes", str(config.aad_lanes)),
            ("Contexts", str(config.contexts)),
            ("KeySizes", f"3'b{sizes}"),
            ("SubStages", str(config.aes_substages)),
            ("AnyIv", f"1'b{int(config.iv_any)}"),
            ("CounterSharing", f"1'b{int(config.counter_sharing == 'on')}"),
            ("TravellingKeys", f"1'b{int(config.key_schedule == 'travelling')}"),
            ("AesWaits", f"1'b{int(config.aes != 'pipelined')}"),
            ("OwnSubkey", f"1'b{int(config.key_unit == 'dedicated')}"),
            ("OwnTail", f"1'b{int(config.tail == 'dedicated')}"),
            ("OwnJ0", f"1'b{int(config.j0 == 'dedicated')}"),
            ("MaxTextBytes", f"64'd{config.max_text_bytes}"),
            ("MaxAadBytes", f"64'd{config.max_aad_bytes}"),
            ("SlotDepth", str(config.slot_depth)),
            ("InStep", f"1'b{int(config.in_step)}"),
            ("AesLatency", str(config.aes_latency_cycles)),
            ("TagDepth", str(config.tag_depth)),
            ("ReleaseDepth", str(config.release_depth)),
            *(guard if config.guarded else (("AheadPlaces", str(config.ahead_depth)),)),
        ],
        tied=_tied(config),
        dropped=_dropped(config),
        streams=checked_streams(config),
    )


def _tied(config: CoreConfig) -> list[tuple[str, str]]:
    """Ports of the hand-written core that this one does without."""
    tied = [] if config.aad_lanes else [("s_axis_aad", "128'd0"), ("s_axis_aad_keep", "16'd0")]
    if config.guarded and config.zeroise == "off":
        tied += [("zeroise", "1'b0")]
    if config.guarded and config.iv != "counter":
        tied += [("s_key_fixed", "32'd0")]
    if not config.guarded:
        tied += [("s_cmd_void", "1'b0")]
    if not config.guarded and not config.ahead:
        tied += [("s_cmd_text_beats", "32'd0")]
    return tied


def _dropped(config: CoreConfig) -> list[Port]:
    """Outputs of the guard that this core does without."""
    if not config.guarded:
        return []
    there = {port.name for port in top_ports(config)}
    outputs = (("zeroise_busy", 1), ("m_tag_iv", 96))
    return [
        Port(name=name, direction="output", width=width)
        for name, width in outputs
        if name not in there
    ]


def layer(bound: Bound) -> str:
    """The top that holds a layer and what it surrounds."""
    target = bound.layer
    range_width = max(len(port.range) for port in bound.ports)
    wire_width = max(len(wire.range) for wire in bound.wires)
    return _render(
        "layer.sv.j2",
        module=target.top,
        header=[
            target.purpose,
            "Made by gcmforge from core.toml; belongs to whoever generated it.",
        ],
        ports=bound.ports,
        wires=bound.wires,
        target=target.module,
        instance=f"u_{target.module.removeprefix('gcm_')}",
        parameters=target.parameters,
        parameter_width=max(len(name) for name, _ in target.parameters),
        layer_connections=bound.connections,
        layer_width=max(len(port.name) for port in target.ports),
        loose=bound.loose,
        streams=bound.streams,
        reset=_reset(bound.ports),
        inner=bound.inner,
        inner_instance=f"u_{bound.inner.removeprefix('gcm_')}",
        connections=bound.inner_connections,
        inner_width=max(len(name) for name, _ in bound.inner_connections),
        pad=str.ljust,
        declare=lambda port: f"{port.direction:6} logic {port.range:{range_width}} {port.name}",
        wire_of=lambda wire: f"logic {wire.range:{wire_width}} {wire.name}",
    )


def gcm_aes(config: CoreConfig) -> str:
    """Binds the AES engine of this configuration."""
    parameters = {
        "Lanes": str(config.aes_lanes),
        "Contexts": str(config.contexts),
        "MinRounds": str(min(config.key_sizes) // 32 + 6),
        "MaxRounds": str(config.rounds),
        "Rounds": str(config.aes_rounds),
        "Loops": str(config.aes_loops),
        "SubStages": str(config.aes_substages),
        "CounterSharing": f"1'b{int(config.counter_sharing == 'on')}",
        "OtherLanes": str(int(config.j0 == "dedicated")),
        "Travelling": f"1'b{int(config.key_schedule == 'travelling')}",
        "InStep": f"1'b{int(config.in_step)}",
    }
    choices = [(name, parameters[name]) for name in AES_PARAMETERS[config.aes]]
    header = ["The AES engine of this core."]
    return _binding("gcm_aes", header, aes_ports(config), f"aes_{config.aes}", choices)


def gcm_ghash(config: CoreConfig) -> str:
    """Binds the GHASH architecture of this configuration."""
    parameters = [("Contexts", str(config.contexts))]
    if config.ghash == "aggregated":
        parameters.append(("PowersGiven", f"1'b{int(config.key_unit == 'dedicated')}"))
    if config.ghash == "evaluated":
        parameters.insert(0, ("KeyBits", str(key_bits(config))))
    if config.ghash in ("dot", "evaluated", "shared_reduction", "aggregated"):
        parameters.insert(0, ("Stages", str(config.ghash_stages)))
    if config.windows:
        parameters.insert(0, ("Splits", str(config.window_splits)))
        parameters.insert(0, ("WindowBits", str(config.window_bits)))
    if config.digits:
        parameters.insert(0, ("Digit", str(config.digit_bits)))
    if config.ghash not in ONE_BLOCK:
        parameters.insert(0, ("Lanes", str(config.ghash_lanes)))
    header = ["The GHASH of this core."]
    if config.length_first:
        header.append("Length first, as in Yang 2005: its tags are not those of SP 800-38D.")
    return _binding(
        "gcm_ghash",
        header,
        gcm_ghash_ports(config),
        f"ghash_{config.ghash}",
        parameters,
        connected=ghash_ports(config),
    )


def gcm_subkey(config: CoreConfig) -> str:
    """Binds what makes the hash subkeys of this configuration."""
    powers = config.ghash_lanes * config.ghash_stages if config.ghash == "aggregated" else 1
    parameters = [("Powers", str(powers)), ("SubStages", str(config.aes_substages))]
    return _binding(
        "gcm_subkey",
        ["Hash subkeys of this core."],
        subkey_ports(),
        f"gcm_subkey_{config.key_unit}",
        parameters if config.key_unit == "dedicated" else [],
    )


def gcm_ghash_fixed(config: CoreConfig) -> str:
    """Binds a GHASH for one key instead."""
    return _binding(
        "gcm_ghash",
        ["The GHASH of this core, for one key. KEY MATERIAL: gf128_fixed holds the hash subkey."],
        gcm_ghash_ports(config),
        "ghash_fixed_core",
        [("Lanes", str(config.lanes))],
        connected=fixed_ghash_ports(config),
    )


def gcm_tail(config: CoreConfig) -> str:
    """Binds what comes behind the GHASH of this configuration."""
    parameters = [("Contexts", str(config.contexts))]
    if config.tail == "dedicated":
        parameters = [
            ("Stages", str(config.ghash_stages)),
            *parameters,
            ("Depth", str(config.tag_depth)),
            ("TextBits", str((8 * config.max_text_bytes).bit_length())),
            ("AadBits", str((8 * config.max_aad_bytes).bit_length())),
        ]
    header = ["The end of a hash in this core."]
    return _binding("gcm_tail", header, tail_ports(config), f"gcm_tail_{config.tail}", parameters)


def _binding(
    module: str,
    header: Sequence[str],
    ports: Sequence[Port],
    target: str,
    parameters: Sequence[tuple[str, str]],
    connected: Sequence[Port] = (),
    tied: Sequence[tuple[str, str]] = (),
    dropped: Sequence[Port] = (),
    streams: Sequence[Stream] = (),
) -> str:
    """A module that is one instance of another, with literal parameters and the same ports, or
    those of them that are connected; the instance's inputs in `tied` have constants, its outputs in
    `dropped` lead nowhere, and the module's outputs that are not connected are 0. In simulation the
    streams are held to their rules."""
    connected = connected or ports
    kept = [*connected, *dropped]
    left = [port for port in ports if port not in connected]
    range_width = max(len(port.range) for port in ports)
    prefix = "gcm_axis_" if module == "gcm_axis" else f"{target.partition('_')[0]}_"
    return _render(
        "binding.sv.j2",
        module=module,
        header=header,
        ports=ports,
        dropped=dropped,
        constant=[port for port in left if port.direction == "output"],
        unused=[*(port for port in left if port.direction == "input"), *dropped],
        target=target,
        instance=f"u_{target.removeprefix(prefix)}",
        parameters=parameters,
        parameter_width=max((len(name) for name, _ in parameters), default=0),
        connections=[*((port.name, port.name) for port in kept), *tied],
        streams=streams,
        reset=_reset(ports),
        port_width=max(len(name) for name in (*(port.name for port in kept), *dict(tied))),
        pad=str.ljust,
        declare=lambda port: f"{port.direction:6} logic {port.range:{range_width}} {port.name}",
    )


def _reset(ports: Sequence[Port]) -> str:
    """When offers may be taken back: in a reset, and where a core is erased."""
    return "!aresetn || zeroise" if "zeroise" in {port.name for port in ports} else "!aresetn"


# By-products --------------------------------------------------------------------------------------


def core_toml(config: CoreConfig) -> str:
    """The configuration, defaults written out."""
    head = (
        "# SPDX-License-Identifier: Apache-2.0\n# Build this core again: gcmforge build core.toml"
    )
    return f"{head} -o DIR\n\n{config.to_toml()}"


def file_list(files: Iterable[str]) -> str:
    """gcm_axis.f: paths relative to the folder, in compile order."""
    return "".join(f"{file}\n" for file in files)


def fusesoc(config: CoreConfig, files: Sequence[str]) -> str:
    """gcm_axis.core: FuseSoC's description, CAPI version 2."""
    return _render("gcm_axis.core.j2", config=config, files=files)


def constraints(config: CoreConfig) -> str:
    """gcm_axis.sdc: one clock, and what the ports leave of its period."""
    return _render("gcm_axis.sdc.j2", top=config.top, ports=public_ports(config))


def readme(config: CoreConfig, proofs: Sequence[ProofRecord]) -> str:
    """README.md of the folder."""
    rows = [
        {"name": name, "value": _shown(getattr(config, name)), "meaning": option.meaning}
        for name, option in options().items()
    ]
    return _render(
        "README.md.j2",
        config=config,
        ports=public_ports(config),
        registers=register_rows(config) if config.registers == "axi4lite" else (),
        options=rows,
        proofs=proofs,
        vectors=len(bench_vectors(config)),
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


# Bench --------------------------------------------------------------------------------------------


def bench(config: CoreConfig) -> dict[str, str]:
    """bench/: the same program for every core, and the vectors that this core can take."""
    names = ("Makefile", "run.py", "test_gcm_axis.py")
    texts = {f"bench/{name}": (HERE / "bench" / name).read_text() for name in names}
    vectors = {"contexts": config.contexts, "vectors": bench_vectors(config)}
    return {**texts, "bench/vectors.json": json.dumps(vectors, indent=1) + "\n"}


def bench_vectors(config: CoreConfig) -> list[dict[str, Any]]:
    """Those of the stored vectors whose key size, IV and lengths the core accepts."""
    vectors = [vector for vector in _stored_vectors() if _accepts(config, vector)]
    if config.release == "verified":
        vectors = [_withheld(vector) for vector in vectors]
    return [_length_first(vector) for vector in vectors] if config.length_first else vectors


def _withheld(vector: dict[str, Any]) -> dict[str, Any]:
    """A vector for a core that gives no text out of a packet whose status is not OK."""
    return vector | {"expected_text": ""} if vector["expected_status"] else vector


@cache
def _stored_vectors() -> list[dict[str, Any]]:
    vectors: list[dict[str, Any]] = json.loads((HERE / "bench_vectors.json").read_text())
    return vectors


def _length_first(vector: dict[str, Any]) -> dict[str, Any]:
    """A vector of an IV of 96 bits with the tag of Yang 2005, equation (3).

    Both tags have the same mask E(K, J0), so they differ by the difference of the two digests; a
    wrong tag stays as wrong as it was.
    """
    key, aad = bytes.fromhex(vector["key"]), bytes.fromhex(vector["aad"])
    text = bytes.fromhex(vector["text" if vector["decrypt"] else "expected_text"])
    h = encrypt_block(key_expansion(key), 0)
    lengths = bit_lengths(aad, text)
    digest = ghash_length_first(h, blocks(aad), lengths, blocks(text))
    change = digest ^ ghash(h, (*blocks(aad), *blocks(text), lengths))

    def changed(tag: str) -> str:
        bits = 4 * len(tag)
        return f"{int(tag, 16) ^ change >> 128 - bits:0{len(tag)}x}" if tag else ""

    return vector | {
        "source": f"{vector['source']}; but its tag is by Yang 2005, equation (3)",
        "tag": changed(vector["tag"]),
        "expected_tag": changed(vector["expected_tag"]),
    }


def _accepts(config: CoreConfig, vector: dict[str, Any]) -> bool:
    """Lengths are those of hex digits: four bits each."""
    return (
        4 * len(vector["key"]) in config.key_sizes
        and (config.iv_any or len(vector["iv"]) == 24)
        and (config.iv != "counter" or vector["decrypt"])
        and len(vector["text"]) <= 2 * config.max_text_bytes
        and len(vector["aad"]) <= 2 * config.max_aad_bytes
    )
