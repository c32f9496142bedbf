# SPDX-License-Identifier: Apache-2.0
"""What engines are made of, in the kinds that estimates know.

Each block is a count of bits (or GE, of leaves) by kind. What a bit of a kind takes on a target is
for calibration to find; nothing here knows a target. Widths and depths are those of the modules.

    sbox, column GE of S-boxes and of columns of MixColumns, by themselves on the target
    product_xor, product_gate   GE of products as circuits
    stage        register bits inside leaves
    register     other register bits, most with an enable
    store, read  stored bits; multiplexer inputs, less one a bit, that they are read through
    xor, mux     bits of either
    table        a memory with an address of its own
    one          the block itself
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gcmforge.config import CoreConfig
    from gcmforge.leaf.costs import LeafCost


class Count(dict[str, float]):
    """Bits or GE by kind; counts add up kind by kind."""

    def __add__(self, other: Mapping[str, float]) -> Count:
        return Count(self | {kind: self.get(kind, 0.0) + n for kind, n in other.items()})


def sbox_tail(config: CoreConfig) -> float:
    """What follows an S-box in stages in its last one, in T_A: MixColumns, the round key and the
    way past a round, or, with one key size, as long for what its outputs drive; in a loop that past
    MixColumns and the entrance, too. Shared counters take no longer than that."""
    from gcmforge.leaf.costs import XOR_DELAY, column_cost

    column = column_cost(config.mix_columns).period_ta
    return column + config.aes_engine.muxes_after_mix * XOR_DELAY


def sbox_stages(config: CoreConfig) -> int:
    """Stages of its S-box; a core without substages that has a memory makes room for its clock."""
    from gcmforge.config.names import MEMORY_SBOXES

    return max(2, config.aes_substages) if config.sbox in MEMORY_SBOXES else config.aes_substages


def sbox_of(config: CoreConfig) -> LeafCost:
    """The core's S-box in its stages, with what follows in a round's last stage."""
    from gcmforge.leaf.costs import sbox_cost

    return sbox_cost(config.sbox, config.aes_substages, sbox_tail(config), config.aes_slack)


def product_of(config: CoreConfig) -> LeafCost:
    """The core's product, or sum of products, in its stages."""
    from gcmforge.leaf.costs import dot_head, product_cost

    summed = config.ghash_engine.summed
    lanes, stages = config.ghash_lanes if summed else 1, config.ghash_stages
    return product_cost(config.multiplier, lanes, stages, dot_head(stages) if summed else 0.0)


def sboxes(config: CoreConfig, number: float) -> Count:
    """So many S-boxes with the registers inside them."""
    return Count(sbox=number, stage=number * sbox_of(config).registers)


def products(leaf: LeafCost, number: int) -> Count:
    """So many products, or sums of them."""
    return Count(
        product_xor=number * leaf.xor_ge,
        product_gate=number * leaf.gate_ge,
        stage=number * leaf.registers,
    )


def tail_product(config: CoreConfig) -> LeafCost:
    """The multiplier of a dedicated tail."""
    from gcmforge.leaf.costs import product_cost

    return product_cost(config.multiplier, 1, config.ghash_stages)


def squarers(variant: str) -> Count:
    """gf128_squares, as cascade3 or parallel2."""
    from gcmforge.leaf.costs import squares_cost

    return Count(product_xor=squares_cost(variant).xor_ge)


def gates(*, xors: int, ands: int) -> Count:
    """Gates of a product that is no leaf."""
    from gcmforge.circuit.cost import GE
    from gcmforge.circuit.ir import Op

    return Count(product_xor=GE[Op.XOR] * xors, product_gate=GE[Op.AND] * ands)


def xor_levels(levels: float) -> float:
    """The delay of so many XORs one after another, in T_A."""
    from gcmforge.leaf.costs import XOR_DELAY

    return levels * XOR_DELAY


def memory(width: float, depth: int) -> Count:
    """gcm_ram without its read register, or the words of a gcm_fifo."""
    return Count(store=width * depth, read=width * (depth - 1))


def travelling_bits(config: CoreConfig) -> int:
    """Bits of the window of key words that travels from round to round."""
    return 32 * (config.rounds - 6)


def optional_rounds(config: CoreConfig) -> int:
    """Rounds that only the larger key sizes need."""
    return config.rounds - (min(config.key_sizes) // 32 + 6)


def key_expander(config: CoreConfig) -> Count:
    """aes_key_expand: four S-boxes and a window of eight words."""
    return sboxes(config, 4) + Count(register=346, expander=1)


def keys_loaded(config: CoreConfig) -> Count:
    """gcm_keys, whichever the engine."""
    return Count(one=1, register=256 + 3 * config.contexts)


def keys_of_loops(config: CoreConfig, number: int) -> Count:
    """The first round key of every context, and in so many rounds aes_key_turn with the rest of the
    stored key, or the expander."""
    found = keys_loaded(config) + memory(128, config.contexts)  # u_first_key
    found += Count(register=128 * (config.contexts > 1))
    if not config.key_schedule_engine.travels:
        return found + key_expander(config)
    bits, sizes = travelling_bits(config), len(config.key_sizes)
    found += sboxes(config, 4 * number)
    if bits > 128:
        found += memory(bits - 128, config.contexts)
        found += Count(register=(bits - 128) * (config.contexts > 1))
    return found + Count(
        register=(config.aes_substages - 1) * (12 + bits) * number,
        xor=128 * number * sizes,
        mux=bits * number * (sizes - 1),
        step=number,
    )


def beat_bits(config: CoreConfig) -> int:
    """A beat of text with its tkeep and its tlast."""
    return config.data_bits + config.data_bits // 8 + 1


def slot_facts(config: CoreConfig) -> int:
    """Bits that are said of a slot, apart from its data."""
    return 21 + config.context_bits + config.lanes.bit_length()


def slot_line(config: CoreConfig) -> Count:
    """gcm_slots_line: facts and data of slots in two lines."""
    facts, data = slot_facts(config), 128 * config.lanes
    return Count(register=facts * (config.slot_depth - 2) + data * (config.slot_depth - 1))


def slot_steps(config: CoreConfig) -> Count:
    """The two steps in which a slot's bytes are counted and held against the limits."""
    lanes = config.lanes
    lengths = config.max_text_bytes.bit_length() + config.max_aad_bytes.bit_length() + 4
    return Count(register=2 * slot_facts(config) + 128 * lanes + 16 * lanes + lengths)


def slot_commands(config: CoreConfig, places: int) -> Count:
    """The queue of gcm_command."""
    return memory(278 + config.context_bits, places)
