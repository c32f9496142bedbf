# SPDX-License-Identifier: Apache-2.0
"""Bindings of the parts inside engines and guards: modules whose name is always the same and whose
content the configuration chooses.

A hand-written module instantiates such a part by its name; the folder has a generated file of that
name, one instance of the hand-written module that was chosen. `parts` has them all; only those that
a core instantiates are made.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from gcmforge.config import CoreConfig
from gcmforge.emit.ports import Port
from gcmforge.emit.rendering import render

BLOCK_RAM_BITS = 7
"""Windows of so many bits and more are looked up in block RAM, narrower ones in LUT RAM."""


def parts(config: CoreConfig) -> dict[str, Callable[[], str]]:
    """How to make each part that a module of this core may instantiate."""
    made = (
        ghash_window_table,
        aes_front,
        aes_schedule,
        aes_output,
        aes_loop_keys,
        aes_loop_parallel_keys,
        gcm_key_feed,
        gcm_ahead_commands,
        gcm_side,
        gcm_said,
        gcm_closing,
    )
    return {make.__name__: partial(make, config) for make in made}


def ghash_window_table(config: CoreConfig) -> str:
    """The memory of one table of ghash_window."""
    bits, splits = config["window_bits"], config["window_splits"]
    width = (128 >> splits) + bits - 1
    depth = config.contexts << bits
    address = (depth - 1).bit_length()
    ports = (
        Port(name="clk", direction="input", width=1),
        Port(name="write_i", direction="input", width=1),
        Port(name="write_addr_i", direction="input", width=address),
        Port(name="write_data_i", direction="input", width=width),
        Port(name="read_i", direction="input", width=1),
        Port(name="read_addr_i", direction="input", width=address),
        Port(name="read_data_o", direction="output", width=width),
    )
    sizes = (("Width", str(width)), ("Depth", str(depth)))
    if bits >= BLOCK_RAM_BITS:
        return _part("ghash_window_table", "A table of this core's GHASH, in block RAM.", ports,
                     "gcm_ram", sizes)  # fmt: skip
    return _part(
        "ghash_window_table",
        "A table of this core's GHASH, in LUT RAM: one port, to read or to write.",
        ports,
        "ghash_table",
        sizes,
        instead={"read_addr_i": "addr_i"},
        unused=("write_addr_i", "read_i"),
    )


def aes_front(config: CoreConfig) -> str:
    """Whitening and the first two rounds of aes_pipelined."""
    width = 128 * config.aes_lanes
    ports = (
        _in("clk"),
        _in("advance_i"),
        _in("valid_i"),
        _in("blocks_i", width),
        _in("keys_i", 3 * 128),
        _out("state_o", width),
    )
    purpose = "The first two rounds of this core's AES."
    lanes = ("Lanes", str(config.aes_lanes))
    stages = ("SubStages", str(config.aes_substages))
    if config.counter_sharing == "off":
        return _part("aes_front", purpose, ports, "aes_front_plain", (lanes,), unused=("valid_i",))
    if config.j0 == "dedicated":
        other = ("OtherLanes", "1")
        return _part("aes_front", purpose, ports, "aes_front_mixed", (lanes, other, stages))
    return _part("aes_front", purpose, ports, "aes_front_shared", (lanes, stages))


def aes_schedule(config: CoreConfig) -> str:
    """The round keys of aes_pipelined."""
    ports = (
        _in("clk"),
        _in("advance_i"),
        _in("in_context_i", config.context_bits),
        _in("in_size_i", 2),
        _out("keys_o", 128 * (config.rounds + 1)),
        *_key_ports(config, sized=True),
    )
    travelling = config.key_schedule == "travelling"
    parameters = [
        ("Contexts", str(config.contexts)),
        *([_min_rounds(config)] if travelling else []),
        ("MaxRounds", str(config.rounds)),
        ("SubStages", str(config.aes_substages)),
    ]
    return _part(
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
        _in("clk"),
        _in("rst"),
        _out("advance_o"),
        _in("in_valid_i"),
        _in("state_i", width),
        _out("out_valid_o"),
        _in("out_ready_i"),
        _out("out_blocks_o", width),
    )
    purpose = "The end of this core's AES pipeline: when its stages move."
    lanes = ("Lanes", str(config.aes_lanes))
    if config.in_step:
        idle = ("rst", "in_valid_i")
        return _part("aes_output", purpose, ports, "aes_output_in_step", (lanes,), unused=idle)
    places = ("Places", str(config.rounds * config.aes_substages + 1))
    return _part("aes_output", purpose, ports, "aes_output_buffer", (lanes, places))


def aes_loop_keys(config: CoreConfig) -> str:
    """The round keys of aes_loop."""
    rounds = int(config["aes_rounds"])
    passes = (-(-config.rounds // rounds)).bit_length()
    travelling = config.key_schedule == "travelling"
    ports = (
        _in("clk"),
        _in("advance_i"),
        *_waiting_ports(config),
        _in("turn_free_i"),
        _in("context_i", rounds * config.context_bits),
        _in("pass_i", rounds * passes),
        _out("keys_o", 128 * rounds),
        *_key_ports(config),
    )
    parameters = [
        ("Contexts", str(config.contexts)),
        *([_min_rounds(config)] if travelling else []),
        ("MaxRounds", str(config.rounds)),
        ("Rounds", str(rounds)),
        *([("SubStages", str(config.aes_substages))] if travelling else []),
    ]
    return _part(
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
    travelling = config.key_schedule == "travelling"
    ports = (
        _in("clk"),
        *_waiting_ports(config),
        _in("enters_i", loops),
        _in("move_i", loops),
        _in("context_i", loops * config.context_bits),
        _in("round_i", loops * 4),
        _out("keys_o", 128 * loops),
        *_key_ports(config),
    )
    parameters = [
        ("Contexts", str(config.contexts)),
        *([_min_rounds(config)] if travelling else []),
        ("MaxRounds", str(config.rounds)),
        ("Loops", str(loops)),
    ]
    return _part(
        "aes_loop_parallel_keys",
        "Where the round keys of this core's AES come from.",
        ports,
        f"aes_loop_parallel_keys_{config.key_schedule}",
        parameters,
        unused=("context_i", "round_i") if travelling else (*_WAITING, "enters_i"),
    )


def gcm_key_feed(config: CoreConfig) -> str:
    """What a key becomes on its way into the AES, and into a key unit of its own."""
    ports = (
        _in("clk"),
        _in("rst"),
        _in("take_i"),
        _in("key_i", 256),
        _in("size_i", 2),
        _in("keep_i"),
        _in("start_i"),
        _out("busy_o"),
        _out("round_valid_o"),
        _out("round_index_o", 4),
        _out("round_key_o", 128),
        _out("schedule_valid_o"),
        _out("schedule_index_o", 4),
        _out("schedule_key_o", 128),
        _in("hold_i"),
    )
    purpose = "How a key comes into this core's AES."
    bits = "".join(str(int(size in config.key_sizes)) for size in (256, 192, 128))
    sizes = ("Sizes", f"3'b{bits}")
    stages = ("SubStages", str(config.aes_substages))
    if config.key_schedule == "stored":
        return _part("gcm_key_feed", purpose, ports, "gcm_key_feed_expanded", (sizes, stages))
    if config.key_unit == "dedicated":
        return _part("gcm_key_feed", purpose, ports, "gcm_key_feed_both", (sizes, stages))
    idle = ("size_i", "hold_i")
    return _part("gcm_key_feed", purpose, ports, "gcm_key_feed_handed", (sizes,), unused=idle)


def gcm_ahead_commands(config: CoreConfig) -> str:
    """Where commands wait whose key stream is made before their text comes."""
    width = config.context_bits + 1 + 128 + 5 + 1 + 32 + 1  # word_in of gcm_ahead
    ports = (
        _in("clk"),
        _in("rst"),
        _in("in_valid_i"),
        _out("in_ready_o"),
        _in("in_data_i", width),
        _out("told_o"),
        _in("start_i"),
        _out("out_valid_o"),
        _in("out_ready_i"),
        _out("out_data_o", width),
    )
    purpose = "Where this core's commands wait for their text."
    sizes = [("Width", str(width))]
    if config.ahead_depth > 1:
        sizes += [("Places", str(config.ahead_depth))]
    target = "gcm_ahead_commands_queue" if config.ahead_depth > 1 else "gcm_ahead_commands_one"
    return _part("gcm_ahead_commands", purpose, ports, target, sizes)


_WAITING = ("accept_i", "in_context_i", "wait_size_i", "first_key_i")


def _waiting_ports(config: CoreConfig) -> tuple[Port, ...]:
    """The beat that waits to enter a loop: its context, and its key as it sets out."""
    widths = (1, config.context_bits, 2, 128)
    return tuple(_in(name, width) for name, width in zip(_WAITING, widths, strict=True))


def _key_ports(config: CoreConfig, *, sized: bool = False) -> tuple[Port, ...]:
    """Round keys, or the key in two parts, as an AES engine gets them."""
    return (
        _in("key_valid_i"),
        _in("key_context_i", config.context_bits),
        *([_in("key_size_i", 2)] if sized else []),
        _in("key_round_i", 4),
        _in("key_data_i", 128),
    )


def _min_rounds(config: CoreConfig) -> tuple[str, str]:
    return ("MinRounds", str(min(config.key_sizes) // 32 + 6))


def gcm_side(config: CoreConfig) -> str:
    """AAD that comes with a beat of text, in gcm_issue."""
    lanes = max(config.aad_lanes, 1)
    ports = (
        _in("data_i", 128 * lanes),
        _in("keep_i", 16 * lanes),
        *map(_in, ("late_i", "text_i", "null_i")),
        *map(_out, ("any_o", "bad_o")),
        _out("bytes_o", (16 * lanes).bit_length()),
        _out("data_o", 128 * lanes),
    )
    purpose = "AAD on ports of its own, in this core."
    if config.aad_lanes:
        return _part("gcm_side", purpose, ports, "gcm_side_aad")
    return _part("gcm_side", purpose, ports, "gcm_side_none", unused=_inputs(ports))


def gcm_said(config: CoreConfig) -> str:
    """What gcm_issue knows of text that is still to come."""
    ports = (
        *map(_in, ("clk", "rst", "start_i")),
        _in("text_beats_i", 32),
        *map(_in, ("data_i", "close_i", "text_i", "last_i", "drained_i", "taken_i", "still_i")),
        _in("left_i", 6),
        *map(_out, ("has_stream_o", "more_streams_o", "wrong_o", "drains_o", "cut_o")),
    )
    purpose = "Text that this core's commands said, and that is still to come."
    if config.ahead:
        return _part("gcm_said", purpose, ports, "gcm_said_ahead")
    return _part("gcm_said", purpose, ports, "gcm_said_none", unused=_inputs(ports))


_CLOSING = {
    "ahead": ("text_i", "short_i", "more_i"),
    "own_j0": ("last_i",),
    "own_tail": ("text_i", "last_i", "free_i", "j0_sent_i"),
    "shared": ("free_i",),
}
"""What each way to end a packet looks at."""


def gcm_closing(config: CoreConfig) -> str:
    """Whether J0 and a packet's end go with a beat, in gcm_issue."""
    form = (
        "ahead" if config.ahead
        else "own_j0" if config.j0 == "dedicated"
        else "own_tail" if config.tail == "dedicated"
        else "shared"
    )  # fmt: skip
    inputs = ("text_i", "last_i", "free_i", "short_i", "more_i", "j0_sent_i")
    ports = (*map(_in, inputs), *map(_out, ("j0_here_o", "closes_o")))
    unused = [name for name in inputs if name not in _CLOSING[form]]
    purpose = "When the end of a packet goes with its last beat, in this core."
    return _part("gcm_closing", purpose, ports, f"gcm_closing_{form}", unused=unused)


def _inputs(ports: Sequence[Port]) -> tuple[str, ...]:
    return tuple(port.name for port in ports if port.direction == "input")


def _in(name: str, width: int = 1) -> Port:
    return Port(name=name, direction="input", width=width)


def _out(name: str, width: int = 1) -> Port:
    return Port(name=name, direction="output", width=width)


def _part(
    module: str,
    purpose: str,
    ports: Sequence[Port],
    target: str,
    parameters: Sequence[tuple[str, str]] = (),
    *,
    instead: Mapping[str, str] | None = None,
    unused: Sequence[str] = (),
) -> str:
    """A module that is one instance of `target`. Its ports are the target's, but for inputs that
    the target does without (`unused`) and those that have another name there (`instead`)."""
    there = {port.name: (instead or {}).get(port.name, port.name) for port in ports}
    kept = [(there[port.name], port.name) for port in ports if port.name not in unused]
    range_width = max(len(port.range) for port in ports)
    return render(
        "binding.sv.j2",
        module=module,
        header=[purpose],
        ports=ports,
        dropped=(),
        constant=(),
        unused=[port for port in ports if port.name in unused],
        target=target,
        instance=f"u_{target.partition('_')[2]}",
        parameters=parameters,
        parameter_width=max((len(name) for name, _ in parameters), default=0),
        connections=kept,
        streams=(),
        reset="",
        port_width=max(len(name) for name, _ in kept),
        pad=str.ljust,
        declare=lambda port: f"{port.direction:6} logic {port.range:{range_width}} {port.name}",
    )
