# SPDX-License-Identifier: Apache-2.0
"""Gadgets of masked cores as files, with what was proven of them."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gcmforge.circuit.readback import prove_readback
from gcmforge.emit.records import LeafFile, ProofRecord

if TYPE_CHECKING:
    from gcmforge.circuit.prove import Proof

GADGET_MODULES = ("masked_sbox", "masked_match")
"""Every gadget that a core may have."""

CONTROLS = ("clk", "en_i")


def gadget_text(module: str) -> str:
    """The gadget as a core has it."""
    from gcmforge.leaf.masked import gadget

    return gadget(module).text(enable=True)


def gadget_file(module: str, *, prove: bool) -> LeafFile:
    """The gadget, with its proofs if they are asked for. They take a few seconds."""
    text = gadget_text(module)
    return LeafFile(
        module=module, text=text, proofs=tuple(check_gadget(module, text)) if prove else ()
    )


def check_gadget(module: str, text: str) -> Iterator[ProofRecord]:
    """What the gadget claims, what it computes, and that `text` is its circuit."""
    from gcmforge.leaf.masked import gadget
    from gcmforge.leaf.masked.function import prove_function

    found = gadget(module)
    probing = found.probing()
    proofs = [probing.prove(*claim) for claim in found.claims]
    proofs += [prove_function(found), prove_readback(found.pipe, text, controls=CONTROLS)]
    for proof in proofs:
        yield _record(module, proof)


def _record(module: str, proof: "Proof") -> ProofRecord:
    return ProofRecord(
        module=module,
        variant="2 shares",
        kind=proof.kind,
        passed=proof.passed,
        cases=proof.cases,
        detail=proof.detail,
    )
