# SPDX-License-Identifier: Apache-2.0
"""Parts inside the engines: a table of a GHASH, rounds and round keys of an AES."""

from gcmforge.config import CoreConfig
from gcmforge.emit.package import key_sizes_built
from gcmforge.emit.parts.making import input_, output, part
from gcmforge.emit.ports import Port
from gcmforge.engines.ghash_aggregated.engine import ROW_WORDS_MOVED, moves_early

BLOCK_RAM_BITS = 7
"""Windows of so many bits and more are looked up in block RAM, narrower ones in LUT RAM."""


def ghash_window_table(config: CoreConfig) -> str:
    """The memory of one table of ghash_window."""
    bits, splits = config["window_bits"], config["window_splits"]
    width = (128 >> splits) + bits - 1
    depth = config.contexts << bits
    address = (depth - 1).bit_length()
    ports = (
        input_("clk"),
        input_("write_i"),
        input_("write_addr_i", address),
        input_("write_data_i", width),
        input_("read_i"),
        input_("read_addr_i", address),
        output("read_data_o", width),
    )
    sizes = (("Width", str(width)), ("Depth", str(depth)))
    if bits >= BLOCK_RAM_BITS:
        return part("ghash_window_table", "A table of this core's GHASH, in block RAM.", ports,
                     "gcm_ram", sizes)  # fmt: skip
    return part(
        "ghash_window_table",
        "A table of this core's GHASH, in LUT RAM: one port, to read or to write.",
        ports,
        "ghash_table",
        sizes,
        instead={"read_addr_i": "addr_i"},
        unused=("write_addr_i", "read_i"),
    )


def ghash_aggregated_rest(config: CoreConfig) -> str:
    """How many blocks are still to come, for the row of powers that it moves."""
    powers = config.ghash_lanes * config.ghash_stages
    bits = (powers - 1).bit_length() if powers > 1 else 1
    early = moves_early(config)
    copies = -(-(config.ghash_lanes + 2**bits - 1) // ROW_WORDS_MOVED) if early else 1
    ports = (
        input_("clk"),
        input_("early_i", bits),
        input_("now_i", bits),
        output("rest_o", copies * bits),
    )
    purpose = "How far this core's GHASH moves its powers."
    width = ("Width", str(bits))
    if not early:
        idle = ("clk", "early_i")
        return part("ghash_aggregated_rest", purpose, ports, "ghash_aggregated_rest_now", (width,),
                    unused=idle)  # fmt: skip
    copied = (width, ("Copies", str(copies)))
    return part("ghash_aggregated_rest", purpose, ports, "ghash_aggregated_rest_early", copied,
                unused=("now_i",))  # fmt: skip


def aes_front(config: CoreConfig) -> str:
    """Whitening and the first two rounds of aes_pipelined, or of a core of its own."""
    own = config.architecture
    count, alone = config.aes_lanes, int(config.own_j0)
    if own and own.front_lanes:
        count, alone = own.front_lanes(config)
    width = 128 * count
    ports = (
        input_("clk"),
        input_("advance_i"),
        input_("valid_i"),
        input_("blocks_i", width),
        input_("keys_i", 3 * 128),
        output("state_o", width),
    )
    purpose = "The first two rounds of this core's AES."
    lanes = ("Lanes", str(count))
    stages = ("SubStages", str(config.aes_substages))
    if config.counter_sharing == "off":
        return part("aes_front", purpose, ports, "aes_front_plain", (lanes,), unused=("valid_i",))
    if alone:
        other = ("OtherLanes", str(alone))
        return part("aes_front", purpose, ports, "aes_front_mixed", (lanes, other, stages))
    return part("aes_front", purpose, ports, "aes_front_shared", (lanes, stages))


def aes_sub_shift(config: CoreConfig) -> str:
    """SubBytes and ShiftRows where two S-boxes are one memory; others are aes_sub_shift.sv."""
    ports = (
        input_("clk"),
        input_("en_i"),
        input_("state_i", 128),
        output("state_o", 128),
    )
    purpose = "SubBytes and ShiftRows of this core's AES."
    return part("aes_sub_shift", purpose, ports, "aes_sub_shift_pairs")


def aes_schedule(config: CoreConfig) -> str:
    """The round keys of aes_pipelined."""
    ports = (
        input_("clk"),
        input_("advance_i"),
        input_("in_context_i", config.context_bits),
        input_("in_size_i", 2),
        output("keys_o", 128 * (config.rounds + 1)),
        *_key_ports(config, sized=True),
    )
    travelling = config.key_schedule_engine.travels
    parameters = [
        ("Contexts", str(config.contexts)),
        *([("Sizes", key_sizes_built(config))] if travelling else []),
        ("MaxRounds", str(config.rounds)),
        ("SubStages", str(config.aes_substages)),
    ]
    return part(
        "aes_schedule",
        "Where the round keys of this core's AES come from.",
        ports,
        f"aes_schedule_{config.key_schedule}",
        parameters,
        unused=("key_size_i",) if travelling else ("in_size_i",),
    )


def aes_output(config: CoreConfig) -> str:
    """What moves aes_pipelined."""
    width = 128 * config.aes_lanes
    ports = (
        input_("clk"),
        input_("rst"),
        output("advance_o"),
        input_("in_valid_i"),
        input_("state_i", width),
        output("out_valid_o"),
        input_("out_ready_i"),
        output("out_blocks_o", width),
    )
    purpose = "The end of this core's AES pipeline: when its stages move."
    lanes = ("Lanes", str(config.aes_lanes))
    if config.in_step:
        idle = ("rst", "in_valid_i")
        return part("aes_output", purpose, ports, "aes_output_in_step", (lanes,), unused=idle)
    places = ("Places", str(config.rounds * config.aes_substages + 1))
    return part("aes_output", purpose, ports, "aes_output_buffer", (lanes, places))


def aes_loop_keys(config: CoreConfig) -> str:
    """The round keys of aes_loop."""
    rounds = int(config["aes_rounds"])
    passes = (-(-config.rounds // rounds)).bit_length()
    travelling = config.key_schedule_engine.travels
    ports = (
        input_("clk"),
        input_("advance_i"),
        *_waiting_ports(config),
        input_("turn_free_i"),
        input_("context_i", rounds * config.context_bits),
        input_("pass_i", rounds * passes),
        output("keys_o", 128 * rounds),
        *_key_ports(config),
    )
    parameters = [
        ("Contexts", str(config.contexts)),
        *([("Sizes", key_sizes_built(config))] if travelling else []),
        ("MaxRounds", str(config.rounds)),
        ("Rounds", str(rounds)),
        *([("SubStages", str(config.aes_substages))] if travelling else []),
    ]
    return part(
        "aes_loop_keys",
        "Where the round keys of this core's AES come from.",
        ports,
        f"aes_loop_keys_{config.key_schedule}",
        parameters,
        unused=("context_i", "pass_i") if travelling else (*_WAITING, "turn_free_i"),
    )


def aes_loop_parallel_keys(config: CoreConfig) -> str:
    """The round keys of aes_loop_parallel."""
    loops = int(config["aes_loops"])
    travelling = config.key_schedule_engine.travels
    ports = (
        input_("clk"),
        *_waiting_ports(config),
        input_("enters_i", loops),
        input_("move_i", loops),
        input_("context_i", loops * config.context_bits),
        input_("round_i", loops * 4),
        output("keys_o", 128 * loops),
        *_key_ports(config),
    )
    parameters = [
        ("Contexts", str(config.contexts)),
        *([("Sizes", key_sizes_built(config))] if travelling else []),
        ("MaxRounds", str(config.rounds)),
        ("Loops", str(loops)),
    ]
    return part(
        "aes_loop_parallel_keys",
        "Where the round keys of this core's AES come from.",
        ports,
        f"aes_loop_parallel_keys_{config.key_schedule}",
        parameters,
        unused=("context_i", "round_i") if travelling else (*_WAITING, "enters_i"),
    )


_WAITING = ("accept_i", "in_context_i", "wait_size_i", "first_key_i")


def _waiting_ports(config: CoreConfig) -> tuple[Port, ...]:
    """The beat that waits to enter a loop: its context, and its key as it sets out."""
    widths = (1, config.context_bits, 2, 128)
    return tuple(input_(name, width) for name, width in zip(_WAITING, widths, strict=True))


def _key_ports(config: CoreConfig, *, sized: bool = False) -> tuple[Port, ...]:
    """Round keys, or the key in two parts, as an AES engine gets them."""
    return (
        input_("key_valid_i"),
        input_("key_context_i", config.context_bits),
        *([input_("key_size_i", 2)] if sized else []),
        input_("key_round_i", 4),
        input_("key_data_i", 128),
    )
