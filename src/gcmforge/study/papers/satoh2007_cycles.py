# SPDX-License-Identifier: Apache-2.0
"""Cycles of a message in Satoh 2007's four multipliers: its own end, equation (10), and without it.

A lane multiplies by H^q in a cycle, and by any lower power of H in as many cycles as its exponent.
"""

import math
from collections.abc import Iterator

from gcmforge.study.papers.form import Verdict


def folded_cycles(blocks: int, lanes: int) -> int:
    """From the first beat to the last product, where Len and E(K, Y0) were added up before: the
    last block is multiplied by H^2, the q-th last by H^(q+1)."""
    return _cycles(blocks, lanes, lowest=2)


def plain_cycles(blocks: int, lanes: int) -> int:
    """The same where Len is one block more, and the last."""
    return _cycles(blocks + 1, lanes, lowest=1)


def _cycles(blocks: int, lanes: int, lowest: int) -> int:
    """Of so many blocks, the last of which is multiplied by H^lowest."""
    return max((beat + products for beat, products in _ends(blocks, lanes, lowest)), default=0)


def _ends(blocks: int, lanes: int, lowest: int) -> Iterator[tuple[int, int]]:
    """Of the last block of each lane: beats before it, and its products."""
    for number in range(max(0, blocks - lanes), blocks):
        exponent = blocks - 1 - number + lowest
        whole, rest = divmod(exponent, lanes) if exponent >= lanes else (0, exponent)
        yield number // lanes, whole + rest


def beats(blocks: int, lanes: int) -> int:
    """In which so many blocks come."""
    return math.ceil(blocks / lanes)


SETUP = 3
"""(a), (b), (e); and (c) to (d), a squaring each."""


def setup_cycles(lanes: int) -> int:
    """Before the data: steps (a) to (e) of Fig. 7."""
    return SETUP + int(math.log2(lanes))


_LANES = (2, 4, 8)


def folded() -> Verdict:
    """That it gives the tag is simulated; here what it saves."""
    most = 4096
    saved = [plain_cycles(n, q) - folded_cycles(n, q) for q in _LANES for n in range(1, most + 1)]
    slots = closing_slots(most, lanes=4)
    text = (
        f"for m = 5, n = 4 it takes {folded_cycles(9, 4)} cycles of products, and "
        f"{plain_cycles(9, 4)} with Len as a tenth block; in {sum(map(bool, saved))} of "
        f"{len(saved):,} cases of 1 to {most:,} blocks on 2, 4 or 8 lanes it saves a cycle of the "
        "paper's multipliers, as Len hides in the tail; beside our closing slot it would save one "
        "beat of a message whose last beat is full, which is one length in q, on 4 lanes "
        f"{slots:,} of {most:,}, for a product before each message, whose lengths have to be known "
        "by then"
    )
    return Verdict(holds=min(saved) >= 0, evidence=text)


def closing_slots(most: int, lanes: int) -> int:
    """How many of the texts of 1 to `most` blocks take a beat more in the preset than their blocks
    fill."""
    from gcmforge.config.presets import load_config

    core = load_config(None, "satoh2007", (f"lanes={lanes}",))
    return sum(core.packet_slots(0, 16 * n) - beats(n, lanes) for n in range(1, most + 1))


__all__ = ["beats", "closing_slots", "folded", "folded_cycles", "plain_cycles", "setup_cycles"]
