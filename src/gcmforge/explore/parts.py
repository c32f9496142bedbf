# SPDX-License-Identifier: Apache-2.0
"""What a core is made of, counted from its configuration: the same counts as in the RTL's text.

Each block is a count of bits (or GE, of leaves) by kind. What a bit of a kind takes on a target is
for calibration to find; nothing here knows a target. Widths and depths are those of the modules
named beside them.

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

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from gcmforge.circuit.cost import GE
from gcmforge.circuit.ir import Op
from gcmforge.config import ConfigError, CoreConfig
from gcmforge.emit.leaves import dot_head, sbox_tail
from gcmforge.explore.leaf_cost import (
    LeafCost,
    column_cost,
    product_cost,
    sbox_cost,
    squares_cost,
)


class UncountedError(ConfigError):
    """A core that has something of which no estimate knows what it is made of."""


class Count(dict[str, float]):
    """Bits or GE by kind; counts add up kind by kind."""

    def __add__(self, other: Mapping[str, float]) -> Count:
        return Count(self | {kind: self.get(kind, 0.0) + n for kind, n in other.items()})


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
        "aes": _in_ge(_aes(config), config, leaves),
        "key schedule": _in_ge(_keys(config), config, leaves),
        "ghash": _ghash(config),
        "control": _control(config),
        "buffers": _buffers(config),
    }


def sbox_of(config: CoreConfig) -> LeafCost:
    """The core's S-box in its stages, with what follows in a round's last stage."""
    return sbox_cost(config.sbox, config.aes_substages, sbox_tail(config), config.aes_slack)


def product_of(config: CoreConfig) -> LeafCost:
    """The core's product, or sum of products, in its stages."""
    summed = config.ghash in ("aggregated", "shared_reduction")
    lanes, stages = config.ghash_lanes if summed else 1, config.ghash_stages
    return product_cost(config.multiplier, lanes, stages, dot_head(stages) if summed else 0.0)


def _in_ge(counts: Count, config: CoreConfig, leaves: Leaves) -> Parts:
    """S-boxes and columns in GE instead of their number."""
    sizes = {"sbox": leaves.sbox_ge(config), "column": leaves.column_ge(config)}
    return {kind: number * sizes.get(kind, 1.0) for kind, number in counts.items()}


def _sboxes(config: CoreConfig, number: float) -> Count:
    return Count(sbox=number, stage=number * sbox_of(config).registers)


def _products(leaf: LeafCost, number: int) -> Count:
    return Count(
        product_xor=number * leaf.xor_ge,
        product_gate=number * leaf.gate_ge,
        stage=number * leaf.registers,
    )


def _memory(width: float, depth: int) -> Count:
    """gcm_ram without its read register, or the words of a gcm_fifo."""
    return Count(store=width * depth, read=width * (depth - 1))


# AES ----------------------------------------------------------------------------------------------


def _key_bits(config: CoreConfig) -> int:
    """Of a travelling key's window."""
    return 32 * (config.rounds - 6)


def _optional_rounds(config: CoreConfig) -> int:
    return config.rounds - (min(config.key_sizes) // 32 + 6)


def _aes(config: CoreConfig) -> Count:
    engines: dict[str, Callable[[CoreConfig], Count]] = {
        "pipelined": _pipelined,
        "loop": _loop,
        "loop_parallel": _loop_parallel,
    }
    return engines[config.aes](config)


def _pipelined(config: CoreConfig) -> Count:
    """aes_pipelined, aes_front_shared."""
    bits = 128 * config.aes_lanes
    shared = config.counter_sharing == "on"
    rounds = config.rounds - 2 * shared
    columns = 4 * config.aes_lanes * (rounds - 1)
    found = _sboxes(config, 16 * config.aes_lanes * rounds + _front_sboxes(config) * shared)
    optional = bits * _optional_rounds(config)
    found += Count(
        column=columns + 6 * shared,
        xor=bits * rounds,
        mux=optional,
        register=bits * rounds + optional * (config.aes_substages - 1),
        one=1,
    )
    found += _front(config) if shared else Count(xor=bits, register=bits)
    return found


def _front_sboxes(config: CoreConfig) -> int:
    return 18 + config.aes_lanes + 24 + 4 * config.aes_lanes


def _front(config: CoreConfig) -> Count:
    """What the first two rounds have beside S-boxes and columns: common, two values, a lane's."""
    lanes, choosing = config.aes_lanes, config.aes_lanes - 2
    entrance = 96 + 2 * 24 + 8 * lanes
    places = 2 * config.aes_substages + 1
    return Count(
        xor=entrance + 6 * 32 + 9 * 116 + 5 * 43 * lanes + 24 * choosing,
        mux=128 * choosing,
        register=2 * entrance + 2 * 96 + 32 * lanes + places * lanes,
    )


def _loop(config: CoreConfig) -> Count:
    """aes_loop: a ring of rounds with an entrance and an exit."""
    bits, rounds = 128 * config.aes_lanes, config.aes_rounds
    found = _sboxes(config, 16 * config.aes_lanes * rounds)
    found += Count(
        column=4 * config.aes_lanes * rounds,
        xor=bits * (rounds + 1),
        mux=bits * (2 * rounds + 1),
        register=bits * (rounds + 2) + rounds * config.aes_substages * (config.context_bits + 9),
        one=1,
    )
    if config.key_schedule == "travelling":
        found += Count(register=rounds * (12 + _key_bits(config)), mux=_key_bits(config))
    return found


def _loop_parallel(config: CoreConfig) -> Count:
    """aes_loop_parallel: loops of one round that read one store of round keys."""
    bits, loops = 128 * config.aes_lanes, config.aes_loops
    found = _sboxes(config, 16 * config.aes_lanes * loops)
    found += Count(
        column=4 * config.aes_lanes * loops,
        xor=bits * (loops + 1),
        mux=bits * 3 * loops,
        register=bits * (loops + 2) + loops * (config.context_bits + 10),
        one=1,
    )
    if config.key_schedule == "travelling":
        return found + Count(
            register=loops * (12 + _key_bits(config)), mux=loops * _key_bits(config)
        )
    words = config.contexts * config.rounds
    return found + Count(store=128 * words, read=loops * 128 * (words - 1), register=128 * loops)


# Key schedule -------------------------------------------------------------------------------------


def _keys(config: CoreConfig) -> Count:
    """gcm_keys, aes_key_*, aes_schedule_*, and the memories of the AES engine."""
    found = Count(one=1, register=256 + 3 * config.contexts)
    travelling = config.key_schedule == "travelling"
    if config.aes == "pipelined":
        return found + (_travelling(config) if travelling else _stored(config))
    found += _memory(128, config.contexts)  # u_first_key
    found += Count(register=128 * (config.contexts > 1))
    number = config.aes_rounds if config.aes == "loop" else config.aes_loops
    if travelling:
        return found + _turns(config, number)
    found += _expander(config)
    if config.aes == "loop":
        passes = math.ceil(config.rounds / number)
        words = config.contexts * passes
        found += Count(
            store=128 * config.contexts * config.rounds,
            read=128 * number * (words - 1),
            register=128 * number,
        )
    return found


def _expander(config: CoreConfig) -> Count:
    """aes_key_expand: four S-boxes and a window of eight words."""
    return _sboxes(config, 4) + Count(register=346, expander=1)


def _stored(config: CoreConfig) -> Count:
    """aes_schedule_stored: a memory for each round."""
    rounds = config.rounds + 1
    found = _memory(128 * rounds, config.contexts) + _expander(config)
    ahead = 128 * rounds if config.contexts > 16 else 0  # read registers
    places = config.rounds * config.aes_substages + 1
    return found + Count(register=ahead + places * config.context_bits)


def _travelling(config: CoreConfig) -> Count:
    """aes_schedule_travelling: windows between the rounds, four S-boxes a step."""
    bits, sizes = _key_bits(config), len(config.key_sizes)
    found = _memory(bits, config.contexts) + _sboxes(config, 4 * config.rounds)
    return found + Count(
        register=bits * config.rounds * config.aes_substages + bits * (config.contexts > 1),
        xor=128 * config.rounds * sizes,
        mux=bits * config.rounds * (sizes - 1),
        step=config.rounds,
    )


def _turns(config: CoreConfig, number: int) -> Count:
    """aes_key_turn in each round of a loop, and the rest of the stored key."""
    bits, sizes = _key_bits(config), len(config.key_sizes)
    found = _sboxes(config, 4 * number)
    if bits > 128:
        found += _memory(bits - 128, config.contexts)
        found += Count(register=(bits - 128) * (config.contexts > 1))
    return found + Count(
        register=(config.aes_substages - 1) * (12 + bits) * number,
        xor=128 * number * sizes,
        mux=bits * number * (sizes - 1),
        step=number,
    )


# GHASH --------------------------------------------------------------------------------------------


def _ghash(config: CoreConfig) -> Parts:
    architectures: dict[str, Callable[[CoreConfig], Count]] = {
        "serial": _serial,
        "digit": _digit,
        "serial_length_first": _serial,
        "aggregated": _aggregated,
        "shared_reduction": _shared_reduction,
        "dot": _dot,
        "interleaved": _interleaved,
        "log_tail": _log_tail,
        "window": _window,
    }
    if config.ghash not in architectures:
        raise UncountedError(f"ghash={config.ghash}: no estimate counts it; use --depth measure")
    found = architectures[config.ghash](config)
    return found + _tail(config) if config.tail == "dedicated" else found


def _tail(config: CoreConfig) -> Count:
    """gcm_tail: a multiplier behind GHASH, and H of each context."""
    leaf = product_cost(config.multiplier, 1, config.ghash_stages)
    found = _products(leaf, 1) + _memory(128, config.contexts)
    return found + Count(register=4 * 128, xor=128)


def _serial(config: CoreConfig) -> Count:
    """ghash_serial, ghash_serial_length_first."""
    more = 2 if config.length_first else 1
    found = _products(product_of(config), 1) + _memory(128, config.contexts)
    return found + Count(
        register=128 * (1 + more) + 128 * (config.contexts > 1), xor=128 * more, mux=128, one=1
    )


def _digit(config: CoreConfig) -> Count:
    """ghash_digit: a digit times H, the sum moved by a digit and reduced, what is left of a
    block."""
    digit = config.digit_bits
    return _memory(128, config.contexts) + Count(
        product_xor=GE[Op.XOR] * 128 * digit,
        product_gate=GE[Op.AND] * 128 * digit,
        register=2 * 128 + 128 * (config.contexts > 1),
        xor=4 * digit + 128,
        mux=3 * 128,
        one=1,
    )


def _aggregated(config: CoreConfig) -> Count:
    """ghash_aggregated: the line of beats that wait, powers, and the row that is moved."""
    lanes, stages, bits = config.ghash_lanes, config.ghash_stages, 128 * config.ghash_lanes
    powers = lanes * stages
    row_bits = (powers - 1).bit_length() if powers > 1 else 1
    moves = sum(128 * (lanes + 2**k - 1) for k in range(row_bits)) if powers > 1 else 0
    found = _products(product_of(config), 1) + _memory(128 * powers, config.contexts)
    return found + Count(
        register=bits * (stages + 1) + 2 * 128 + (stages - 1) * (config.context_bits + 8),
        xor=2 * 128,
        mux=moves + bits + 2 * 128,
        one=1,
    )


def _dot(config: CoreConfig) -> Count:
    """ghash_dot: a multiplier a lane and one for the running sums; powers are kept twice."""
    lanes, stages, bits = config.ghash_lanes, config.ghash_stages, 128 * config.ghash_lanes
    powers = lanes * stages
    found = _products(product_of(config), lanes + 1) + _memory(bits, config.contexts)
    found += _memory(128, config.contexts * powers) + _memory(128, stages)
    return found + Count(
        register=bits + bits * (config.contexts > 1) + 5 * 128,
        xor=bits + 2 * 128,
        mux=bits * lanes.bit_length() + 4 * 128,
        one=1,
    )


def _shared_reduction(config: CoreConfig) -> Count:
    """ghash_shared_reduction: a queue of beats, and a table that each lane reads."""
    lanes, stages, bits = config.ghash_lanes, config.ghash_stages, 128 * config.ghash_lanes
    words = config.contexts * lanes * stages
    found = _products(product_of(config), 1) + _memory(128, stages)
    return found + Count(
        store=128 * words,
        read=lanes * 128 * (words - 1),
        register=bits * (stages + 2) + 3 * 128,
        xor=bits + 128,
        mux=bits * (lanes.bit_length() + stages + 1),
        one=1,
    )


def _interleaved(config: CoreConfig) -> Count:
    """ghash_interleaved, ghash_deal."""
    lanes, bits = config.ghash_lanes, 128 * config.ghash_lanes
    found = _products(product_of(config), lanes) + _memory(256, config.contexts)
    return found + Count(
        register=2 * bits + 3 * 128 + 256 * (config.contexts > 1),
        xor=2 * bits,
        mux=bits * (3 + lanes.bit_length()),
        one=1,
    )


def _log_tail(config: CoreConfig) -> Count:
    """ghash_log_tail, ghash_deal, gf128_squares."""
    lanes, bits = config.ghash_lanes, 128 * config.ghash_lanes
    steps = lanes.bit_length() - 1
    squares = squares_cost(f"{config.squarers}{steps}")
    found = _products(product_of(config), lanes) + _memory(128 * (steps + 1), config.contexts)
    return found + Count(
        product_xor=squares.xor_ge,
        register=2 * bits + 2 * 128 + 128 * (steps + 1) * (config.contexts > 1),
        xor=2 * bits,
        mux=bits * (3 + lanes.bit_length()) + 128 * steps,
        one=1,
    )


def _window(config: CoreConfig) -> Count:
    """ghash_window: a table for each window of each part of each lane, their sums put together and
    reduced once, and the loader.

    What is looked up is `window_bits` - 1 bits longer than a part, and each window's sum begins as
    many bits above the one before. Of 4^s pairs of a piece and a part with it, each part has one
    for nothing; a product of parts is in the whole one once or twice for each split, 5^s times.
    """
    lanes, bits = config.ghash_lanes, 128 * config.ghash_lanes
    splits, wide = config.window_splits, config.window_bits
    pieces, parts, width = 2**splits, 3**splits, 128 >> splits
    entry = width + wide - 1
    tables = lanes * parts * table_windows(config)
    indices = lanes * pieces * table_windows(config) * wide
    found = _memory(entry * tables, config.contexts * 2**wide)
    two_ports = entry * tables if wide > 6 else indices  # what was read, or the operand
    apart = (4**splits - parts) * (lanes * width + entry)
    together = (5**splits - parts) * (2 * width - 1)
    reduction = 4 * 127
    return found + Count(
        register=two_ports + 3 * 128 + pieces * entry,
        xor=entry * tables
        - (127 + 128)
        + bits
        + 128
        + reduction
        + 4 * pieces * entry
        + apart
        + together,
        mux=bits * lanes.bit_length() + bits + indices,
        table=tables,
        one=1,
    )


def table_windows(config: CoreConfig) -> int:
    """Windows of a block, or of a part of one (ghash=window)."""
    return -(-(128 >> config.window_splits) // config.window_bits)


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
    if config.aes == "pipelined":
        registers += (1 if config.in_step else 2) * (128 * lanes + 1)
    found += _memory(145 * lanes + 1, config.release_depth) if config.release_depth else Count()
    return found + Count(register=registers, one=1)


def _commands(config: CoreConfig) -> Count:
    """gcm_command, and with slots=ahead the queue and the registers of gcm_ahead."""
    found = _memory(278 + config.context_bits, 1 if config.ahead_depth == 1 else 2)
    if config.ahead:
        found += _memory(167 + config.context_bits, config.ahead_depth)
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
        found = _memory(facts, fact_places) + _memory(128 * lanes, data_places)
    lengths = config.max_text_bytes.bit_length() + config.max_aad_bytes.bit_length() + 4
    return found + Count(register=2 * facts + 128 * lanes + 16 * lanes + lengths)


def _tags(config: CoreConfig) -> Count:
    """gcm_tag: a queue of what a tag is for, one of verdicts, and a word a packet that is written
    from two sides and read on two."""
    depth = config.tag_depth
    found = _memory(10 + 3, depth) + Count(
        store=128 * depth, read=2 * 128 * (depth - 1), mux=128 * depth
    )
    return found + Count(register=128 + 24, xor=128)
