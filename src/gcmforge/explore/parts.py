# SPDX-License-Identifier: Apache-2.0
"""What a core is made of, counted from its configuration: the same counts as in the RTL's text.

Engines count themselves, in their descriptors, in the kinds that gcmforge.engines.counting lists;
what every core has is counted here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from gcmforge.config import ConfigError, CoreConfig
from gcmforge.engines.counting import Count, memory, products, tail_product
from gcmforge.leaf.costs import column_cost, sbox_cost


class UncountedError(ConfigError):
    """A core that has something of which no estimate knows what it is made of."""


Parts = Mapping[str, float]


@dataclass(frozen=True, kw_only=True, slots=True)
class Leaves:
    """S-boxes and columns of MixColumns as they were measured by themselves on a target: GE and
    delay by name, as aes_sbox/fast. What was not measured is as its circuit."""

    measured: Mapping[str, tuple[float, float]] = field(default_factory=dict)

    def sbox_ge(self, config: CoreConfig) -> float:
        """Without registers."""
        found = self.measured.get(f"aes_sbox/{config.sbox}")
        return found[0] if found else sbox_cost(config.sbox, 1, 0.0).ge

    def column_ge(self, config: CoreConfig) -> float:
        found = self.measured.get(f"aes_mix_column/{config.mix_columns}")
        return found[0] if found else column_cost(config.mix_columns).ge

    @property
    def time_unit(self) -> float | None:
        """What a T_A is, by the S-boxes; None where none was measured."""
        ratios = sorted(
            delay / sbox_cost(name.removeprefix("aes_sbox/"), 1, 0.0).period_ta
            for name, (_, delay) in self.measured.items()
            if name.startswith("aes_sbox/")
        )
        return ratios[len(ratios) // 2] if ratios else None

    def delays(self, config: CoreConfig) -> tuple[float, float] | None:
        """Of S-box and column in the target's unit; None where they were not measured."""
        box = self.measured.get(f"aes_sbox/{config.sbox}")
        column = self.measured.get(f"aes_mix_column/{config.mix_columns}")
        return (box[1], column[1]) if box and column else None


CIRCUITS = Leaves()
BLOCKS = ("aes", "key schedule", "ghash", "control", "buffers")


def parts(config: CoreConfig, leaves: Leaves = CIRCUITS) -> dict[str, Parts]:
    """Counts of every block, by the names that a measured Result uses."""
    return {
        "aes": _in_ge(config.aes_engine.counts(config), config, leaves),
        "key schedule": _in_ge(config.aes_engine.key_counts(config), config, leaves),
        "ghash": _ghash(config),
        "control": _control(config),
        "buffers": _buffers(config),
    }


def _in_ge(counts: Parts, config: CoreConfig, leaves: Leaves) -> Parts:
    """S-boxes and columns in GE instead of their number."""
    sizes = {"sbox": leaves.sbox_ge(config), "column": leaves.column_ge(config)}
    return {kind: number * sizes.get(kind, 1.0) for kind, number in counts.items()}


# Engines ------------------------------------------------------------------------------------------


def _ghash(config: CoreConfig) -> Count:
    counts = config.ghash_engine.counts
    if counts is None:
        raise UncountedError(f"ghash={config.ghash}: no estimate counts it; use --depth measure")
    found = Count(counts(config))
    return found + _tail(config) if config.tail == "dedicated" else found


def _tail(config: CoreConfig) -> Count:
    """gcm_tail: a multiplier behind GHASH, and H of each context."""
    found = products(tail_product(config), 1) + memory(128, config.contexts)
    return found + Count(register=4 * 128, xor=128)


# Control and buffers ------------------------------------------------------------------------------


def _control(config: CoreConfig) -> Parts:
    """gcm_issue, gcm_join and gcm_command without its queue."""
    lanes, log = config.lanes, config.lanes.bit_length()
    return Count(
        one=1,
        register=440,
        lane=lanes,
        lane_log=lanes * log,
        context=config.contexts,
        any_iv=float(config.iv_any),
        sharing=lanes * (config.counter_sharing == "on"),
    )


def _buffers(config: CoreConfig) -> Parts:
    """gcm_slots, gcm_tag, the queue of gcm_command, the packet buffer; axis_skid of both streams
    and of a pipelined AES, two words each, one behind an AES that all slots move beside."""
    lanes = config.lanes
    found = _slots(config) + _tags(config) + _commands(config)
    registers = 2 * (144 * lanes + 3 + 144 * lanes + 2)
    if config.aes_engine.flows:
        registers += (1 if config.in_step else 2) * (128 * lanes + 1)
    found += memory(145 * lanes + 1, config.release_depth) if config.release_depth else Count()
    return found + Count(register=registers, one=1)


def _commands(config: CoreConfig) -> Count:
    """gcm_command, and with slots=ahead the queue and the registers of gcm_ahead."""
    found = memory(278 + config.context_bits, 1 if config.ahead_depth == 1 else 2)
    if config.ahead:
        found += memory(167 + config.context_bits, config.ahead_depth)
        found += Count(register=96 + 3 * 32 + config.context_bits)
    return found


def _slots(config: CoreConfig) -> Count:
    """gcm_slots: facts and data of slots in two queues or lines, then two steps in which bytes are
    counted and held against the limits."""
    lanes = config.lanes
    facts = 21 + config.context_bits + lanes.bit_length()
    fact_places, data_places = config.slot_depth - 2, config.slot_depth - 1
    if config.in_step:
        found = Count(register=facts * fact_places + 128 * lanes * data_places)
    else:
        found = memory(facts, fact_places) + memory(128 * lanes, data_places)
    lengths = config.max_text_bytes.bit_length() + config.max_aad_bytes.bit_length() + 4
    return found + Count(register=2 * facts + 128 * lanes + 16 * lanes + lengths)


def _tags(config: CoreConfig) -> Count:
    """gcm_tag: a queue of what a tag is for, one of verdicts, and a word a packet that is written
    from two sides and read on two."""
    depth = config.tag_depth
    found = memory(10 + 3, depth) + Count(
        store=128 * depth, read=2 * 128 * (depth - 1), mux=128 * depth
    )
    return found + Count(register=128 + 24, xor=128)
