# SPDX-License-Identifier: Apache-2.0
"""What a core is made of, counted from its configuration: the same counts as in the RTL's text.

Engines count themselves, in their descriptors, in the kinds that gcmforge.engines.counting lists;
what every core has is counted here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from gcmforge.config import ConfigError, CoreConfig
from gcmforge.engines.counting import Count, memory
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
    if config.architecture:
        raise UncountedError(f"core={config.core}: no estimate counts it; use --depth measure")
    return {
        "aes": _in_ge(config.aes_engine.counts(config), config, leaves),
        "key schedule": _in_ge(_keys(config), config, leaves),
        "ghash": _ghash(config),
        "control": _control(config),
        "buffers": _buffers(config),
    }


def _in_ge(counts: Parts, config: CoreConfig, leaves: Leaves) -> Parts:
    """S-boxes and columns in GE instead of their number."""
    sizes = {"sbox": leaves.sbox_ge(config), "column": leaves.column_ge(config)}
    return {kind: number * sizes.get(kind, 1.0) for kind, number in counts.items()}


def _keys(config: CoreConfig) -> Count:
    """Round keys, and what makes hash subkeys."""
    return Count(config.aes_engine.key_counts(config)) + config.key_unit_engine.counts(config)


# Engines ------------------------------------------------------------------------------------------


def _ghash(config: CoreConfig) -> Count:
    counts = config.ghash_engine.counts
    if counts is None:
        raise UncountedError(f"ghash={config.ghash}: no estimate counts it; use --depth measure")
    found = Count(counts(config))
    return found + config.tail_engine.counts(config)


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
    and of a pipelined AES, two words each, one after an AES that all slots move along with."""
    lanes = config.lanes
    found = _tags(config) + config.slots_engine.counts(config)
    registers = 2 * (144 * lanes + 3 + 144 * lanes + 2)
    if config.aes_engine.flows:
        registers += (1 if config.in_step else 2) * (128 * lanes + 1)
    found += config.release_engine.counts(config)
    return found + Count(register=registers, one=1)


def _tags(config: CoreConfig) -> Count:
    """gcm_tag: a queue of what a tag is for, one of verdicts, and a word a packet that is written
    from two sides and read on two."""
    depth = config.tag_depth
    found = memory(10 + 3, depth) + Count(
        store=128 * depth, read=2 * 128 * (depth - 1), mux=128 * depth
    )
    return found + Count(register=128 + 24, xor=128)
