# SPDX-License-Identifier: Apache-2.0
"""Area by block: which part of a core a module belongs to."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from gcmforge.netlist.library import Library
from gcmforge.netlist.netlist import Netlist
from gcmforge.netlist.targets import Target
from gcmforge.synth.figures import Block
from gcmforge.synth.mapping import own_area, own_flip_flops

CONTROL, KEYS, AES, GHASH, BUFFERS = "control", "key schedule", "aes", "ghash", "buffers"


KEY_UNIT, TAIL = "key unit", "tail"


REGISTERS, PROFILE = "registers", "profile"


RELEASE, ERASE, IVS = "verified release", "zeroise", "IV counter"


TIMEOUT = "timeout"


BLOCKS = (
    AES, KEYS, KEY_UNIT, GHASH, TAIL, RELEASE, IVS, ERASE, TIMEOUT, CONTROL, BUFFERS,
    REGISTERS, PROFILE,
)  # fmt: skip


_WHOLE = (REGISTERS, PROFILE, RELEASE, IVS)
"""Blocks that keep what is in them: their queues and memories are no others'."""


_HOLD_CONTEXTS = (KEYS, GHASH, TAIL, IVS)
"""Blocks whose memories have a place for each context."""


_BLOCK_OF = {
    "gcm_axis": CONTROL,
    "gcm_axis_core": CONTROL,
    "gcm_front": CONTROL,
    "gcm_middle": CONTROL,
    "gcm_back": CONTROL,
    "gcm_issue": CONTROL,
    "gcm_join": CONTROL,
    "gcm_command": CONTROL,
    "gcm_tag": BUFFERS,
    "gcm_subkey": KEYS,
    "gcm_subkey_dedicated": KEY_UNIT,
    "gcm_tail": GHASH,
    "gcm_tail_dedicated": TAIL,
    "gcm_keys": KEYS,
    "gcm_aes": AES,
    "gcm_ghash": GHASH,
    "gcm_axil": REGISTERS,
    "gcm_macsec": PROFILE,
    "gcm_ipsec": PROFILE,
    "gcm_tls13": PROFILE,
    "gcm_regs": REGISTERS,
    "profile_macsec": PROFILE,
    "profile_ipsec": PROFILE,
    "profile_tls13": PROFILE,
    "gcm_release_verified": RELEASE,
    "gcm_axis_guard": CONTROL,
    "gcm_iv_counter": IVS,
    "gcm_erase": ERASE,
    "gcm_timeout": TIMEOUT,
    "gcm_slots_queue": BUFFERS,
    "gcm_slots_line": BUFFERS,
    "gcm_fifo": BUFFERS,
    "axis_skid": BUFFERS,
}


def _block(module: str, parent: str) -> str:
    """The block that an instance counts for: its module's own, else that of what holds it."""
    plain = re.sub(r"_\d+$", "", module)
    if parent in _WHOLE and plain != "gcm_axis":
        return parent
    if (plain == "gcm_ram" and parent == AES) or plain.startswith(("aes_key_", "aes_schedule_")):
        return KEYS  # round keys, stored or made
    return _BLOCK_OF.get(module) or _BLOCK_OF.get(plain) or parent


def by_block(netlist: Netlist, library: Library, target: Target) -> tuple[dict[str, Block], Block]:
    """Area and flip-flops by block, and of them those that hold contexts; a design whose top is no
    core's is one block."""
    own = {
        name: Counter(cell.type for cell in module.cells.values())
        for name, module in netlist.modules.items()
    }
    cells: dict[str, list[str]] = {}
    held: list[str] = []
    block_at: dict[tuple[str, ...], str] = {}
    for path, module in netlist.instances():
        parent = block_at[path[:-1]] if path else netlist.top
        block = block_at[path] = _block(module, parent)
        cells.setdefault(block, []).append(module)
        if block in _HOLD_CONTEXTS and re.fullmatch(r"gcm_ram(_\d+)?", module):
            held.append(module)

    def made(name: str, modules: Sequence[str]) -> Block:
        area = sum(own_area(own[module], library, module) for module in modules)
        return Block(
            name=name,
            area_um2=area if target.has_units else None,
            area_ge=area / target.nand2_area,
            flip_flops=sum(own_flip_flops(own[module], library) for module in modules),
        )

    order = [block for block in BLOCKS if block in cells]
    order += [block for block in cells if block not in BLOCKS]
    return {block: made(block, cells[block]) for block in order}, made("contexts", held)
