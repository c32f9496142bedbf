# SPDX-License-Identifier: Apache-2.0
"""The paths that can be a core's slowest one, and what their length depends on.

    round    an AES round: S-box, MixColumns, key, ways past it
    key      a step of the key schedule: S-boxes and a chain of words
    product  GHASH: sum, product or the slowest of its stages, accumulation; or tables and their sum
    control  commands, beats and slots: who is ready, and with that `advance`, which every register
             inside the S-boxes of a cut round waits for, after a tree of buffers

`leaf` is the delay of S-boxes and MixColumns that were measured by themselves, `circuit` in T_A
that of those that were not, `ta` a depth in T_A; the rest are sizes that cost time.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from gcmforge.config import CoreConfig
from gcmforge.engines.counting import Count, product_of, sbox_of, sbox_tail
from gcmforge.explore.parts import CIRCUITS, Leaves
from gcmforge.leaf.costs import DOT_TAIL, XOR_DELAY, column_cost, sbox_cost

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
            ring=float(not config.aes_engine.flows),
            parallel=float(config.aes_engine.side_by_side),
        ),
    }


def _round(config: CoreConfig, leaves: Leaves) -> Count:
    period = sbox_of(config).period_ta
    column = column_cost(config.mix_columns).period_ta
    past = not config.aes_engine.flows or len(config.key_sizes) > 1
    sizes = Count(
        one=1,
        past=float(past),
        parallel=float(config.aes_engine.side_by_side),
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
    makes four words at once, after the S-box that the rounds have: where that is cut, its first
    stage or its last with the words is the slowest. In a loop it is chosen in the same step whose
    round and size of key these are, unless rounds are cut."""
    stages = config.aes_substages
    sizes = float(len(config.key_sizes) > 1)
    whole = sbox_cost(config.sbox, 1, 0.0).period_ta
    if not config.key_schedule_engine.travels:
        box, after = whole / stages, 0.0
        found = Count(one=1)
    else:
        words = (4.0 + 2.0 * sizes) * XOR_DELAY
        first = sbox_of(config).first_ta if stages > 1 else 0.0
        last = max(0.0, whole - (stages - 1) * first)
        box, after = max((first, 0.0), (last, words), key=sum)
        ring = float(not config.aes_engine.flows)
        found = Count(one=1, sizes=sizes, turn=ring, chosen=ring * sizes * float(stages == 1))
    measured = leaves.delays(config)
    if measured is None:
        return found + Count(circuit=box, ta=after)
    return found + Count(leaf=measured[0] * box / whole, ta=after)


def _product(config: CoreConfig) -> Count:
    ghash = config.ghash_engine
    if ghash.path is not None:
        return Count(ghash.path(config))
    leaf = product_of(config)
    tail = DOT_TAIL if config.ghash_stages == 1 else 0.0
    return Count(
        one=1,
        ta=leaf.period_ta + tail,
        lanes=math.log2(config.lanes),
        choice=float(ghash.chooses_powers),
        shared=float(ghash.summed and ghash.chooses_powers),
        karatsuba=max(0.0, math.log2(SCHOOLBOOK * config.ghash_lanes / leaf.gate_ge)),
        searched=float(config.multiplier.endswith("_small")),
        sum=float(ghash.adds_products and config.lanes > 1),
    )


def _cut_sboxes(config: CoreConfig) -> float:
    """S-boxes with registers that wait for `advance`."""
    if config.aes_substages == 1:
        return 0.0
    rounds = config.aes_engine.cut_rounds(config)
    keys = 4 * rounds if config.key_schedule_engine.travels else 0
    return 16.0 * config.aes_lanes * rounds + keys
