# SPDX-License-Identifier: Apache-2.0
"""What synthesis says of a part of a design."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Block:
    """A part of a design by what its cells take, wires not counted; um2 is None on `ge`."""

    name: str
    area_ge: float
    area_um2: float | None
    flip_flops: int
