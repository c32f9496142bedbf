# SPDX-License-Identifier: Apache-2.0
"""Parts: modules whose name is always the same and whose content the configuration chooses.

A hand-written module instantiates a part by its name; the folder has a generated file of that name,
one instance of the hand-written module that was chosen. `parts` has them all; only those that a
core instantiates are made.
"""

from collections.abc import Callable
from functools import partial

from gcmforge.config import CoreConfig
from gcmforge.config.names import MEMORY_SBOXES
from gcmforge.emit.parts import core, engines, guard
from gcmforge.emit.parts.making import chosen


def parts(config: CoreConfig) -> dict[str, Callable[[], str]]:
    """How to make each part that a module of this core may instantiate."""
    made = (
        engines.ghash_window_table,
        engines.ghash_aggregated_rest,
        engines.aes_front,
        engines.aes_schedule,
        engines.aes_output,
        engines.aes_loop_keys,
        engines.aes_loop_parallel_keys,
        core.gcm_key_feed,
        core.gcm_ahead_commands,
        core.gcm_side,
        core.gcm_said,
        core.gcm_closing,
        core.gcm_two_values,
        core.gcm_issue_iv,
        core.gcm_blocks,
        core.gcm_mask,
        core.gcm_hashed,
        core.gcm_input,
        core.gcm_command_places,
        core.gcm_command_words,
        guard.gcm_waiting,
        guard.gcm_ivs,
        guard.gcm_erasing,
    )
    own = config.architecture.choices if config.architecture else ()
    pairs = (engines.aes_sub_shift,) if config.sbox in MEMORY_SBOXES else ()
    return {
        **{make.__name__: partial(make, config) for make in (*made, *pairs)},
        **{
            choice.name: partial(chosen, config, choice)
            for choice in own
            if choice.target(config) != choice.name
        },
    }
