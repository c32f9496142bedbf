# SPDX-License-Identifier: Apache-2.0
"""The paths that can be a core's slowest one, and what their length depends on.

    round    an AES round: S-box, MixColumns, key, ways past it
    key      a step of the key schedule: S-boxes and a chain of words
    product  GHASH: sum, product or the slowest of its stages, accumulation; or tables and their sum
    control  commands, beats and slots: who is ready, and with that `advance`, which every register
             inside the S-boxes of a cut round waits for, behind a tree of buffers

`leaf` is the delay of S-boxes and MixColumns that were measured by themselves, `circuit` in T_A
that of those that were not, `ta` a depth in T_A; the rest are sizes that cost time.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from gcmforge.config import CoreConfig
from gcmforge.emit.leaves import XOR_DELAY, sbox_tail
from gcmforge.explore.leaf_cost import DOT_TAIL, column_cost, sbox_cost
from gcmforge.explore.parts import CIRCUITS, Count, Leaves, product_of, sbox_of, table_windows

PATHS = ("round", "key", "product", "control")
SCHOOLBOOK = 128 * 128
"""AND gates of a product, each 1 GE here; how often Karatsuba halves them costs time, too, and so
do the XORs that a searched recombination shares."""


def paths(config: CoreConfig, leaves: Leaves = CIRCUITS) -> dict[str, Mapping[str, float]]:
    """What each path's delay depends on."""
    return {
        "round": _round(config, leaves),
        "key": _key(config, leaves),
        "product": _product(config),
        "control": Count(
            control=1,
            lanes=math.log2(config.lanes),
            depth=0.0 if config.in_step else math.log2(config.slot_depth),
            contexts=math.log2(config.contexts),
            any_iv=float(config.iv_any),
            loads=math.log2(1 + _cut_sboxes(config)),
            ring=float(config.aes != "pipelined"),
            parallel=float(config.aes == "loop_parallel"),
        ),
    }


def _round(config: CoreConfig, leaves: Leaves) -> Count:
    period = sbox_of(config).period_ta
    column = column_cost(config.mix_columns).period_ta
    past = config.aes != "pipelined" or len(config.key_sizes) > 1
    sizes = Count(
        one=1,
        past=float(past),
        parallel=float(config.aes == "loop_parallel"),
        cuts=config.aes_substages - 1.0,
    )
    measured = leaves.delays(config)
    if measured is None:
        return sizes + Count(circuit=period)
    # A round that is cut has its share of S-box and column in the slowest stage.
    whole = sbox_cost(config.sbox, 1, 0.0).period_ta + column
    after = period - whole if config.aes_substages == 1 else sbox_tail(config) - column
    share = min(1.0, (period - after) / whole)
    return sizes + Count(leaf=sum(measured) * share, ta=after)


def _key(config: CoreConfig, leaves: Leaves) -> Count:
    """The expander does a word a cycle, with registers around its S-boxes; a travelling window
    makes four words at once, behind the S-box that the rounds have: where that is cut, its first
    stage or its last with the words is the slowest. In a loop it is chosen in the same step whose
    round and size of key these are, unless rounds are cut."""
    stages = config.aes_substages
    sizes = float(len(config.key_sizes) > 1)
    whole = sbox_cost(config.sbox, 1, 0.0).period_ta
    if config.key_schedule == "stored":
        box, behind = whole / stages, 0.0
        found = Count(one=1)
    else:
        words = (4.0 + 2.0 * sizes) * XOR_DELAY
        first = sbox_of(config).first_ta if stages > 1 else 0.0
        last = max(0.0, whole - (stages - 1) * first)
        box, behind = max((first, 0.0), (last, words), key=sum)
        ring = float(config.aes != "pipelined")
        found = Count(one=1, sizes=sizes, turn=ring, chosen=ring * sizes * float(stages == 1))
    measured = leaves.delays(config)
    if measured is None:
        return found + Count(circuit=box, ta=behind)
    return found + Count(leaf=measured[0] * box / whole, ta=behind)


def _product(config: CoreConfig) -> Count:
    if config.windows:
        return _table_sum(config)
    if config.digits:  # a digit times H and the sum, four terms to reduce it, the next block
        levels = math.ceil(math.log2(config.digit_bits + 1)) + 4
        return Count(one=1, ta=1 + XOR_DELAY * levels, choice=1)
    leaf = product_of(config)
    tail = DOT_TAIL if config.ghash_stages == 1 else 0.0
    added = config.ghash in ("dot", "interleaved", "log_tail")
    return Count(
        one=1,
        ta=leaf.period_ta + tail,
        lanes=math.log2(config.lanes),
        choice=float(config.ghash != "aggregated"),
        shared=float(config.ghash == "shared_reduction"),
        karatsuba=max(0.0, math.log2(SCHOOLBOOK * config.ghash_lanes / leaf.gate_ge)),
        searched=float(config.multiplier.endswith("_small")),
        sum=float(added and config.lanes > 1),
    )


def _table_sum(config: CoreConfig) -> Count:
    """Parts of the operand, what the tables hold, summed, put together, reduced and brought to the
    operand of the next beat; an address bit goes to half of a table's multiplexers."""
    splits = config.window_splits
    entries = config.contexts * 2**config.window_bits
    sums = math.ceil(math.log2(table_windows(config) * config.lanes)) + 3 * splits
    reduced = 3  # gf128_reduce
    return Count(
        one=1,
        ta=XOR_DELAY * (math.log2(entries) + sums + reduced),
        table=math.log2(entries * ((128 >> splits) - 1 + config.window_bits)),
        lanes=math.log2(config.lanes),
        choice=1,
    )


def _cut_sboxes(config: CoreConfig) -> float:
    """S-boxes with registers that wait for `advance`."""
    if config.aes_substages == 1:
        return 0.0
    rounds = {"pipelined": config.rounds, "loop": config.aes_rounds}.get(config.aes, 0)
    keys = 4 * rounds if config.key_schedule == "travelling" else 0
    return 16.0 * config.aes_lanes * rounds + keys
