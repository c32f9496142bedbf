# SPDX-License-Identifier: Apache-2.0
"""Which block of a core a module counts for."""

from __future__ import annotations

import re

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

HOLD_CONTEXTS = (KEYS, GHASH, TAIL, IVS)
"""Blocks whose memories have a place for each context."""

RAM = "gcm_ram"
"""A memory with a place for each context or step."""

COPY = "gcm_copy"
"""Registers that have the same value for the sake of what reads them."""

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
    "gcm_segments": CONTROL,
    "segments_aes": AES,
    "segments_schedule_stored": KEYS,
    "segments_keys": KEYS,
    "segments_ghash": GHASH,
    "segments_release_verified": RELEASE,
    "segments_tags": BUFFERS,
    "segments_out": BUFFERS,
    "segments_pack": BUFFERS,
    "segments_unpack": BUFFERS,
    "segments_unpack_frames": BUFFERS,
    "gcm_streams": CONTROL,
    "streams_keys": KEYS,
    "streams_ghash": GHASH,
    "streams_line": BUFFERS,
    "streams_tags": BUFFERS,
}


def block_of(module: str, parent: str) -> str:
    """The block that an instance counts for: its module's own, else that of what holds it."""
    plain = re.sub(r"_\d+$", "", module)
    if parent in _WHOLE and plain != "gcm_axis":
        return parent
    if (plain == RAM and parent == AES) or plain.startswith(("aes_key_", "aes_schedule_")):
        return KEYS  # round keys, stored or made
    return _BLOCK_OF.get(module) or _BLOCK_OF.get(plain) or parent
