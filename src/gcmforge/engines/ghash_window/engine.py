# SPDX-License-Identifier: Apache-2.0
"""Tables of multiples of each lane's power of H instead of a multiplier, for FPGAs."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from gcmforge.config.engine import GhashEngine, Own, Parameters
from gcmforge.config.option import Option
from gcmforge.engines.counting import Count, memory, xor_levels

if TYPE_CHECKING:
    from gcmforge.config import CoreConfig

BITS, SPLITS = "window_bits", "window_splits"


def table_windows(config: CoreConfig) -> int:
    """Windows of a block, or of a part of one."""
    return -(-(128 >> int(config[SPLITS])) // int(config[BITS]))


def _parameters(config: CoreConfig) -> Parameters:
    return (
        ("Lanes", str(config.ghash_lanes)),
        ("WindowBits", str(config[BITS])),
        ("Splits", str(config[SPLITS])),
        ("Contexts", str(config.contexts)),
    )


def _counts(config: CoreConfig) -> Count:
    """A table for each window of each part of each lane, their sums put together and reduced once,
    and the loader.

    What is looked up is `window_bits` - 1 bits longer than a part, and each window's sum begins as
    many bits above the one before. Of 4^s pairs of a piece and a part with it, each part has one
    for nothing; a product of parts is in the whole one once or twice for each split, 5^s times.
    """
    lanes, bits = config.ghash_lanes, 128 * config.ghash_lanes
    splits, wide = config[SPLITS], config[BITS]
    pieces, parts, width = 2**splits, 3**splits, 128 >> splits
    entry = width + wide - 1
    tables = lanes * parts * table_windows(config)
    indices = lanes * pieces * table_windows(config) * wide
    found = memory(entry * tables, config.contexts * 2**wide)
    two_ports = entry * tables if wide > 6 else indices  # what was read, or the operand
    apart = (4**splits - parts) * (lanes * width + entry)
    together = (5**splits - parts) * (2 * width - 1)
    reduction = 4 * 127
    sums = entry * tables - (127 + 128) + bits + 128
    return found + Count(
        register=two_ports + 3 * 128 + pieces * entry,
        xor=sums + reduction + 4 * pieces * entry + apart + together,
        mux=bits * lanes.bit_length() + bits + indices,
        table=tables,
        one=1,
    )


def _path(config: CoreConfig) -> Count:
    """Parts of the operand, what the tables hold, summed, put together, reduced and brought to the
    operand of the next beat; an address bit goes to half of a table's multiplexers."""
    splits = config[SPLITS]
    entries = config.contexts * 2 ** config[BITS]
    sums = math.ceil(math.log2(table_windows(config) * config.lanes)) + 3 * splits
    reduced = 3  # gf128_reduce
    return Count(
        one=1,
        ta=xor_levels(math.log2(entries) + sums + reduced),
        table=math.log2(entries * ((128 >> splits) - 1 + config[BITS])),
        lanes=math.log2(config.lanes),
        choice=1,
    )


def _product(config: CoreConfig) -> str:
    parts = f" of {3 ** config[SPLITS]} parts" if config[SPLITS] else ""
    return f"{config[BITS]}-bit tables{parts}"


ENGINE = GhashEngine(
    name="window",
    says="has tables of multiples of each lane's power of H, and no multiplier, for FPGAs",
    own={
        BITS: Own(
            option=Option(
                meaning="Bits that address each table (ghash=window). Up to 6 are for LUT RAM, and "
                "no block is hashed while a key is loaded. More are for block RAM, which is loaded "
                "while packets go on.",
                bounds=(2, 9),
                expert="to fit the tables to the RAM of an FPGA",
            ),
            default=5,
            without="it has no tables of windows",
        ),
        SPLITS: Own(
            option=Option(
                meaning="Karatsuba-Ofman splits of blocks and of H before the tables "
                "(ghash=window). With each of them tables hold fewer bits, and there is more to "
                "add.",
                bounds=(0, 3),
                expert="to trade RAM against logic in an FPGA",
            ),
            default=0,
            without="it has no tables of windows",
        ),
    },
    parameters=_parameters,
    leaves=lambda config: ("gf128_reduce",),
    latency_cycles=lambda config: 2,
    load_cycles=lambda config: config.ghash_lanes * (2 ** int(config[BITS]) + 2),
    counts=_counts,
    path=_path,
    product=_product,
    multiplies="by tables",
)
