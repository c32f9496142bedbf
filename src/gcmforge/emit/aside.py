# SPDX-License-Identifier: Apache-2.0
"""Modules that stand in the way of a few ports, within a module that is one instance of another."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from gcmforge.config import CoreConfig


@dataclass(frozen=True, kw_only=True, slots=True)
class Aside:
    """A small module on the way of some ports to the instance, or from it."""

    module: str
    wires: Sequence[tuple[str, str]]
    """Type and name of what is between it and the instance."""
    connections: Sequence[tuple[str, str]]
    instead: Mapping[str, str] = field(default_factory=dict)
    """Ports of the instance, and the wires that they have instead."""

    @property
    def instance(self) -> str:
        """How it is called."""
        return f"u_{self.module.removeprefix('gcm_')}"


def command_aside(config: CoreConfig) -> tuple[Aside, ...]:
    """On commands, where a core has one direction."""
    if config.direction == "both":
        return ()
    return (
        Aside(
            module=f"gcm_command_{config.direction}s",
            wires=(("logic [127:0]", "tag"), ("logic [4:0]", "tag_bytes")),
            connections=(
                ("decrypt_i", "s_cmd_decrypt"),
                ("tag_i", "s_cmd_tag"),
                ("tag_bytes_i", "s_cmd_tag_bytes"),
                ("tag_o", "tag"),
                ("tag_bytes_o", "tag_bytes"),
            ),
            instead={"s_cmd_tag": "tag", "s_cmd_tag_bytes": "tag_bytes"},
        ),
    )


def slot_aside(config: CoreConfig) -> tuple[Aside, ...]:
    """On slots that have met their key stream, where a core has one direction."""
    if config.direction == "both":
        return ()
    erased = config.zeroise == "on" and config.release_engine.holds
    return (
        Aside(
            module=f"gcm_slot_{config.direction}s{'_erased' * erased}",
            wires=(("gcm_pkg::counted_t", "slot"),),
            connections=(("slot_i", "slot"), ("slot_o", "slot_o")),
            instead={"slot_o": "slot"},
        ),
    )
