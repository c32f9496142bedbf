# SPDX-License-Identifier: Apache-2.0
"""The record of one leaf: a circuit, and what it must compute."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from gcmforge.circuit import Circuit

ProofKind = Literal["exhaustive", "linear", "bytewise", "bilinear", "dot"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Leaf:
    """One circuit of the library.

    `spec` takes the input buses as ints, in port order, and returns the output bus as an int; it
    is written over gcmforge.field and knows nothing of the circuit.  `proof_kind` names the
    complete proof that applies: all inputs, the basis of a linear map, all values of each byte of
    a sum of functions of bytes, or all pairs of basis vectors of a bilinear map.  What is
    specified is `whole`, where the circuit has a meaning only together with another one.
    """

    module: str
    variant: str
    title: str
    circuit: Circuit
    spec: Callable[..., int]
    proof_kind: ProofKind
    source: str
    notes: tuple[str, ...] = ()
    as_table: bool = False
    as_memory: bool = False
    """Whether it is a memory in a core; its registers follow what is read there."""
    whole: Circuit | None = None

    @property
    def proven(self) -> Circuit:
        """The circuit that `spec` is about."""
        return self.circuit if self.whole is None else self.whole

    @property
    def name(self) -> str:
        """module and variant, as in aes_sbox/table."""
        return f"{self.module}/{self.variant}" if self.variant else self.module
