# SPDX-License-Identifier: Apache-2.0
"""The gate-level leaves of a core: chosen, pipelined, proven and printed."""

import hashlib
import math
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import gcmforge.leaf as library
from gcmforge.cache import cached, digest, program_digest
from gcmforge.config import CoreConfig
from gcmforge.config.architecture import dot_lanes
from gcmforge.config.names import MEMORY_SBOXES
from gcmforge.emit.folder import BuildError
from gcmforge.emit.gadgets import GADGET_MODULES, check_gadget, gadget_file
from gcmforge.emit.records import LeafFile, ProofRecord
from gcmforge.engines.counting import sbox_stages, sbox_tail
from gcmforge.leaf import Leaf
from gcmforge.leaf.costs import AND_DELAY, SBOX_HEAD, XOR_DELAY, dot_head

if TYPE_CHECKING:
    from gcmforge.circuit import Circuit, PipelinedCircuit, Proof


def leaf_file(config: CoreConfig, module: str, *, prove: bool) -> LeafFile:
    """The leaf of that configuration; BuildError when a proof fails.

    The text is kept in the cache under everything that makes it; each proof under the circuit and
    the text that it is about.
    """
    if module in GADGET_MODULES:
        return _gadget_file(module, prove=prove)
    plan = _plan(config, module)
    key = digest(program_digest(), str(prove), repr(plan))
    made = cached("leaf", key, lambda: _print(plan, prove))
    proofs = tuple(_proofs(plan, made["circuit"], made["text"])) if prove else ()
    return LeafFile(module=module, text=made["text"], proofs=proofs)


def check_leaf(config: CoreConfig, module: str, text: str) -> Iterator[ProofRecord]:
    """Prove the leaf of that configuration, and that `text` is it; nothing comes from the cache."""
    if module in GADGET_MODULES:
        yield from check_gadget(module, text)
        return
    plan = _plan(config, module)
    leaf = _leaf(plan)
    yield prove_specification(leaf)
    yield prove_text(leaf, _pipelined(leaf, plan), text, plan.controls)


def prove_specification(leaf: Leaf) -> ProofRecord:
    """The leaf's circuit computes its specification, for every input."""
    from gcmforge.circuit import prove

    return _record(leaf, prove(leaf.proven, leaf.spec, leaf.proof_kind))


def prove_text(
    leaf: Leaf,
    circuit: "Circuit | PipelinedCircuit",
    text: str,
    controls: Collection[str] = (),
) -> ProofRecord:
    """The SystemVerilog text, read by Yosys, is the circuit, with these control inputs."""
    from gcmforge.circuit import prove_readback

    return _record(leaf, prove_readback(circuit, text, controls=controls))


def _record(leaf: Leaf, proof: "Proof") -> ProofRecord:
    """Without times and versions: a core's files depend on its configuration alone."""
    return ProofRecord(
        module=leaf.module,
        variant=leaf.variant,
        kind=proof.kind,
        passed=proof.passed,
        cases=proof.cases,
        detail=proof.detail,
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class _Plan:
    """How one leaf is to be made; lanes are those of a sum of products. In T_A, tail_delay is what
    follows it in its last stage, head_delay what comes before it in its first; by the share
    `margin` its stages may be longer than they have to be, for fewer registers."""

    module: str
    variant: str
    stages: int
    tail_delay: float
    clocked: bool
    enable: bool
    lanes: int = 1
    head_delay: float = 0.0
    margin: float = 0.0

    @property
    def controls(self) -> tuple[str, ...]:
        """Control inputs that the module has in addition to its data."""
        return ("clk",) * self.clocked + ("en_i",) * self.enable


_MAKERS: Mapping[str, Callable[[_Plan], Leaf]] = {
    "aes_sbox": lambda plan: library.sbox(plan.variant),
    "aes_sbox_pair": lambda plan: library.sbox_pair(plan.variant),
    "aes_mix_column": lambda plan: library.mix_columns(plan.variant),
    "gf128_mul": lambda plan: library.multiplier(plan.variant),
    "gf128_dot": lambda plan: library.dot(plan.variant, plan.lanes),
    "gf128_dot_stored": lambda plan: library.stored_dot(plan.variant, plan.lanes),
    "gf128_key": lambda plan: library.key(plan.variant),
    "gf128_squares": lambda plan: library.squares(plan.variant),
    "gf128_reduce": lambda plan: library.reduce(),
    "gf128_residues": lambda plan: library.residues(),
    "gf128_from_residues": lambda plan: library.from_residues(plan.lanes),
    "aes_sbox_products": lambda plan: library.sbox_products(),
    "aes_sbox_sum": lambda plan: library.sbox_sum(),
}
"""How each leaf is made that is no gadget of a masked core."""

LEAF_MODULES = (*_MAKERS, *GADGET_MODULES)
"""Every leaf that a core may have; leaf_modules(config) are those that it has."""


def leaf_modules(config: CoreConfig) -> tuple[str, ...]:
    """The leaves of that configuration."""
    if config.architecture:
        return config.architecture.leaves(config)
    products = config.ghash_engine.leaves(config)
    tail = config.tail_engine.leaves(config)
    pairs = ("aes_sbox_pair",) if config.sbox in MEMORY_SBOXES else ()
    return tuple(dict.fromkeys(("aes_sbox", *pairs, "aes_mix_column", *products, *tail)))


def _memory_stages(config: CoreConfig, module: str) -> int:
    """An engine whose rounds have no register of their own has a stage more in its memories."""
    more = module == "aes_sbox_pair" and config.aes_engine.memories_are_registers
    return sbox_stages(config) + more


def _plan(config: CoreConfig, module: str) -> _Plan:
    if module not in _MAKERS:
        raise BuildError(
            f"{module}: an engine names this leaf, and nothing makes it; use one of "
            f"{', '.join(_MAKERS)}, or enter it in _MAKERS of gcmforge/emit/leaves.py"
        )
    if module == "aes_sbox_pair" or (module == "aes_sbox" and config.sbox in MEMORY_SBOXES):
        return _Plan(
            module=module, variant=config.sbox, stages=_memory_stages(config, module),
            tail_delay=0.0, clocked=True, enable=True,
        )  # fmt: skip
    if module == "aes_sbox":
        tail = sbox_tail(config) if config.aes_substages > 1 else 0.0
        return _Plan(
            module=module, variant=config.sbox, stages=config.aes_substages,
            tail_delay=tail, clocked=True, enable=True,
            head_delay=SBOX_HEAD, margin=config.aes_slack / 100,
        )  # fmt: skip
    if module == "aes_mix_column":
        own = config.architecture.variants(config) if config.architecture else {}
        return _Plan(
            module=module, variant=own.get(module, config.mix_columns), stages=1,
            tail_delay=0.0, clocked=False, enable=False,
        )  # fmt: skip
    if module == "gf128_squares":
        return _Plan(
            module=module, variant=f"{config['squarers']}{config.ghash_lanes.bit_length() - 1}",
            stages=1, tail_delay=0.0, clocked=False, enable=False,
        )  # fmt: skip
    if module in (
        "gf128_reduce",
        "gf128_residues",
        "gf128_from_residues",
        "aes_sbox_products",
        "aes_sbox_sum",
    ):
        return _Plan(
            module=module, variant="", stages=1, tail_delay=0.0, clocked=False, enable=False,
            lanes=config.ghash_lanes if module == "gf128_from_residues" else 1,
        )  # fmt: skip
    if module == "gf128_dot":
        # The sum is masked and joined with the accumulator, masked for its lane and joined with it.
        tail = 2 * (AND_DELAY + XOR_DELAY)
        return _Plan(
            module=module, variant=config.multiplier, stages=config.ghash_stages,
            tail_delay=tail if config.ghash_stages > 1 else 0.0, clocked=True, enable=False,
            lanes=dot_lanes(config), head_delay=dot_head(config.ghash_stages),
        )  # fmt: skip
    if module in ("gf128_dot_stored", "gf128_key"):
        return _Plan(
            module=module, variant=config.multiplier, stages=config.ghash_stages,
            tail_delay=0.0, clocked=True, enable=False, lanes=config.ghash_lanes,
        )  # fmt: skip
    # The products of a beat are added in the last stage, or a product to the running sum. A tail's
    # multiplier has a factor that is masked in its first.
    tail = XOR_DELAY * max(2, math.ceil(math.log2(config.ghash_lanes)))
    masked = config.tail_engine.dedicated and config.ghash_stages > 1
    return _Plan(
        module=module, variant=config.multiplier, stages=config.ghash_stages,
        tail_delay=tail if config.ghash_stages > 1 else 0.0, clocked=True, enable=False,
        head_delay=AND_DELAY + XOR_DELAY if masked else 0.0,
    )  # fmt: skip


def _leaf(plan: _Plan) -> Leaf:
    return _MAKERS[plan.module](plan)


def _pipelined(leaf: Leaf, plan: _Plan) -> "PipelinedCircuit":
    from gcmforge.circuit import pipeline

    if leaf.as_memory:
        return library.memory_pipeline(leaf.circuit, plan.stages)
    if plan.stages == 1:
        return pipeline(leaf.circuit, 1, tail_delay=plan.tail_delay)
    return pipeline(
        leaf.circuit, plan.stages, plan.tail_delay, head_delay=plan.head_delay, margin=plan.margin
    )


def leaf_pipeline(config: CoreConfig, module: str) -> "PipelinedCircuit":
    """The circuit of a leaf in the stages in which that core has it."""
    from gcmforge.leaf.masked import gadget

    if module in GADGET_MODULES:
        return gadget(module).pipe
    plan = _plan(config, module)
    return _pipelined(_leaf(plan), plan)


def _print(plan: _Plan, proven: bool) -> dict[str, Any]:
    """The leaf's text, and the hash of its circuit in stages."""
    leaf = _leaf(plan)
    pipelined = _pipelined(leaf, plan)
    text = library.leaf_text(
        leaf, pipelined, proven=proven, clocked=plan.clocked, enable=plan.enable
    )
    return {"text": text, "circuit": hashlib.sha256(repr(pipelined).encode()).hexdigest()}


def _proofs(plan: _Plan, circuit: str, text: str) -> Iterator[ProofRecord]:
    """Both proofs of a leaf, from the cache where the same was proven before.

    Only what passed is kept: a failure may be one of the machine (a time limit, a full disk).
    """
    from gcmforge.tools import yosys_version

    made = cache(lambda: _leaf(plan))
    key = digest(program_digest(), plan.module, plan.variant, circuit)
    specification = cached("proof", key, lambda: _passed(prove_specification(made())))
    yield ProofRecord.from_mapping(specification)
    key = digest(program_digest(), repr(plan), circuit, text, yosys_version())
    readback = cached(
        "proof",
        key,
        lambda: _passed(prove_text(made(), _pipelined(made(), plan), text, plan.controls)),
    )
    yield ProofRecord.from_mapping(readback)


def _passed(proof: ProofRecord) -> dict[str, Any]:
    """The record for the cache; BuildError when the proof failed."""
    if not proof.passed:
        raise BuildError(
            f"{proof.module} ({proof.variant}): {proof.kind} proof failed: {proof.detail}"
        )
    return proof.to_mapping()


def _gadget_file(module: str, *, prove: bool) -> LeafFile:
    """A gadget of a masked core; BuildError when a proof fails."""
    made = gadget_file(module, prove=prove)
    for record in made.proofs:
        _passed(record)
    return made
