# SPDX-License-Identifier: Apache-2.0
"""The paths that can be a core's slowest one, and what their length depends on.

    round    an AES round: S-box, MixColumns, key, ways past it
    key      a step of the key schedule: S-boxes and a chain of words
    product  GHASH: sum, product or the slowest of its stages, accumulation
    output   slot queue, key stream, text, output register
    issue    commands and beats to slots
    enable   `advance`, which every register inside the S-boxes of a cut round waits for: one net
             over many modules, and module by module nobody puts buffers in it

`ta` is a depth in T_A out of the circuits; the rest are sizes that cost time.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from gcmforge.build.leaves import XOR_DELAY
from gcmforge.config import CoreConfig
from gcmforge.explore.leaf_cost import DOT_TAIL, sbox_cost
from gcmforge.explore.parts import Count, product_of, sbox_of

PATHS = ("round", "key", "product", "output", "issue", "enable")

ENDS = {
    "u_aes": ("round", "key"),
    "u_keys": ("key",),
    "u_ghash": ("product",),
    "u_output": ("output",),
    "u_issue": ("issue",),
}
"""Which path ends in a part of the core, as far as only these do."""


def paths(config: CoreConfig) -> dict[str, Mapping[str, float]]:
    """What each path's delay depends on; without those that the core does not have."""
    found: dict[str, Mapping[str, float]] = {
        "round": _round(config),
        "key": _key(config),
        "product": _product(config),
        "output": Count(one=1, lanes=math.log2(config.lanes), depth=math.log2(config.slot_depth)),
        "issue": Count(
            one=1,
            lanes=math.log2(config.lanes),
            contexts=math.log2(config.contexts),
            any_iv=float(config.iv_any),
        ),
    }
    if config.aes_substages > 1:
        found["enable"] = Count(one=1, loads=_cut_sboxes(config))
    return found


def _round(config: CoreConfig) -> Count:
    leaf = sbox_of(config)
    past = config.aes != "pipelined" or len(config.key_sizes) > 1
    loads = config.aes == "loop_parallel"
    return Count(one=1, ta=leaf.period_ta, past=float(past), parallel=float(loads))


def _key(config: CoreConfig) -> Count:
    """The expander does a word a cycle; a travelling window makes four words at once."""
    if config.key_schedule == "stored":
        leaf = sbox_cost(config.sbox, 1, 0.0)
        return Count(one=1, ta=leaf.period_ta / config.aes_substages + 3 * XOR_DELAY)
    words = 4 if len(config.key_sizes) == 1 else 6
    leaf = sbox_cost(config.sbox, config.aes_substages, words * XOR_DELAY)
    return Count(one=1, ta=leaf.period_ta, sizes=float(len(config.key_sizes) > 1))


def _product(config: CoreConfig) -> Count:
    leaf = product_of(config)
    tail = DOT_TAIL if config.ghash_stages == 1 else 0.0
    added = config.ghash in ("dot", "interleaved", "log_tail")
    return Count(
        one=1,
        ta=leaf.period_ta + tail,
        lanes=math.log2(config.lanes),
        choice=float(config.ghash not in ("serial", "serial_length_first", "aggregated")),
        sum=float(added and config.lanes > 1),
    )


def _cut_sboxes(config: CoreConfig) -> float:
    """S-boxes with registers that wait for `advance`."""
    rounds = {"pipelined": config.rounds, "loop": config.aes_rounds}.get(config.aes, 0)
    keys = 4 * rounds if config.key_schedule == "travelling" else 0
    return 16.0 * config.aes_lanes * rounds + keys
