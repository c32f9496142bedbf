# SPDX-License-Identifier: Apache-2.0
"""Coverage bins that a core cannot reach, and why not."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from gcmforge.config import CoreConfig
from gcmforge.sim.arranged import SHORTEST_TIMEOUT, offers_keys_amid_packets
from gcmforge.sim.stopped import IN_DOUBT_CYCLES, LONGEST_CYCLES


@dataclass(frozen=True, kw_only=True, slots=True)
class Unreachable:
    """Bins whose names match, of cores for which it is so."""

    bins: re.Pattern[str]
    cores: Callable[[CoreConfig], bool]
    why: str


def _bins(*names: str) -> re.Pattern[str]:
    """Points by their names, with the end of their place or without."""
    return re.compile(f"( |^|\\.)({'|'.join(names)})$")


def _hash_is_ready(config: CoreConfig) -> bool:
    engine = config.ghash_engine
    if engine.block_cycles(config) > 1 or engine.wait_cycles(config, 1) > 0:
        return False
    makes_powers = engine.load_cycles(config) > 2 and not config.own_key_unit
    return config.contexts == 1 or not makes_powers


RULES = (
    Unreachable(
        bins=_bins(
            "command_of_another_key_passes", "subkey_in_a_packet", "subkey_before_a_packets_end"
        ),
        cores=lambda config: config.contexts == 1,
        why="the one key of a core with one context waits until no packet is under way",
    ),
    Unreachable(
        bins=_bins("two_packets_end_one_after_the_other"),
        cores=lambda config: config.architecture is not None,
        why="one packet is under way, and the next one begins when it has ended",
    ),
    Unreachable(
        bins=_bins("counter_wraps"),
        cores=lambda config: config.iv != "any",
        why="the counter after an IV of 96 bits wraps after 2^32 - 2 blocks",
    ),
    Unreachable(
        bins=_bins("hash_alone_stands", "waits_for_hash"),
        cores=_hash_is_ready,
        why="GHASH is always ready: no packet comes while it makes powers of a subkey",
    ),
    Unreachable(
        bins=_bins(
            "aes_stands", "text_waits", "waits_for_key_stream", "entry_waits_for_a_place",
            "u_output: third_word_waits",
        ),
        cores=lambda config: config.in_step,
        why="slots in step are offered only when everybody takes them",
    ),
    Unreachable(
        bins=_bins("data_waits_for_its_command"),
        cores=lambda config: config.zeroise == "on" or config.timeout > 0,
        why="the guard holds data back until its command has come",
    ),
    Unreachable(
        bins=_bins("end_in_a_slot_of_its_own"),
        cores=lambda config: config.own_j0,
        why="J0 has a lane of its own, so that every packet ends with its last beat",
    ),
    Unreachable(
        bins=_bins(
            "subkey_before_a_packet", "subkey_in_a_packet", "subkey_before_a_packets_end",
            "subkey_passes",
        ),
        cores=lambda config: config.own_key_unit,
        why="the subkey is made in hardware of its own",
    ),
    Unreachable(
        bins=_bins("decrypts", "wrong_tag", "no_tag_is_compared_after_an_error"),
        cores=lambda config: config.direction == "encrypt",
        why="a command to decrypt is refused, and its packet counts as an encryption",
    ),
    Unreachable(
        bins=_bins("encrypts"),
        cores=lambda config: config.direction == "decrypt",
        why="a command to encrypt is refused, and its packet counts as a decryption",
    ),
    Unreachable(
        bins=_bins(
            "key_as_a_packet_ends", "key_while_nothing_is_under_way", "expands_beside_packets",
            "asks_beside_packets", "powers_beside_packets", "entry_waits_for_a_place",
        ),
        cores=lambda config: config.architecture is not None and config.architecture.flows,
        why="one mark stands for all packets before a key, and no answer is asked for without room",
    ),
    Unreachable(
        bins=_bins("command_while_its_next_key_waits"),
        cores=lambda config: not offers_keys_amid_packets(config),
        why="a key waits on its port for the key of another context, while a packet's data is held "
        f"back: that takes two contexts, and no timeout below {SHORTEST_TIMEOUT} cycles",
    ),
    Unreachable(
        bins=_bins("low_part_carries"),
        cores=lambda config: config.iv_limit < 16,
        why="the low part of a count has 4 bits, and there are fewer packets under a key than 16",
    ),
    Unreachable(
        bins=_bins("word_that_is_not_the_last_is_late"),
        cores=lambda config: config.iv == "counter" and config.direction == "encrypt",
        why="no command brings an IV",
    ),
    Unreachable(
        bins=_bins(
            "command_is_made", "frame_is_ended", "rest_of_a_frame_is_dropped", "doubt_ends",
            "data_without_its_command_in_doubt",
        ),
        cores=lambda config: config.timeout > LONGEST_CYCLES,
        why=f"a timeout above {LONGEST_CYCLES:,} cycles is not waited for",
    ),
    Unreachable(
        bins=_bins("data_without_its_command_in_doubt"),
        cores=lambda config: 0 < config.timeout <= IN_DOUBT_CYCLES,
        why=f"an answer may take {IN_DOUBT_CYCLES:,} cycles, and doubt has ended when it comes",
    ),
)  # fmt: skip


def reason(config: CoreConfig, name: str) -> str:
    """Why a core cannot reach a bin; empty where it can."""
    own = config.architecture.unreached if config.architecture else ()
    for point, why in own:
        if _bins(point).search(name):
            return why
    return next((r.why for r in RULES if r.bins.search(name) and r.cores(config)), "")
