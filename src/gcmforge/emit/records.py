# SPDX-License-Identifier: Apache-2.0
"""What is kept of a leaf in a core's folder: its text, and what was proven of it."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Self


@dataclass(frozen=True, kw_only=True, slots=True)
class ProofRecord:
    """One statement about one leaf, and whether its proof passed; `cases` were compared."""

    module: str
    variant: str
    kind: str
    passed: bool
    cases: int
    detail: str

    def to_mapping(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)

    @classmethod
    def from_mapping(cls, values: Mapping[str, Any]) -> Self:
        return cls(**values)


@dataclass(frozen=True, kw_only=True, slots=True)
class LeafFile:
    """A leaf's SystemVerilog and what was proven of it."""

    module: str
    text: str
    proofs: tuple[ProofRecord, ...]
