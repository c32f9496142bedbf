# SPDX-License-Identifier: Apache-2.0
"""Numbers that a core and its users exchange, or that its modules do: the one table of them.

The package of a core's SystemVerilog, the C header, the register description and the documents of a
folder are made from it.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gcmforge.config.core import CoreConfig


@dataclass(frozen=True, kw_only=True, slots=True)
class Code:
    """A number with a name and a meaning."""

    value: int
    name: str
    meaning: str


def _codes(*rows: tuple[str, str]) -> tuple[Code, ...]:
    """Codes counted from zero."""
    return tuple(
        Code(value=value, name=name, meaning=meaning) for value, (name, meaning) in enumerate(rows)
    )


STATUS_BITS = 3
STATUSES = _codes(
    ("OK", "encrypting, or the tag matched"),
    ("AUTH_FAIL", "decrypting, and the tag did not match"),
    ("NO_KEY", "the context holds no usable key"),
    ("BAD_IV", "an IV of a length that the core does not take, or none is left"),
    ("BAD_TAG_LENGTH", "not 4, 8 or 12 to 16 bytes"),
    ("TOO_LONG", "AAD or text above the core's limit"),
    ("BAD_FRAME", "data not framed as the interface asks"),
    ("ERASED", "given up when the core was erased"),
)
"""`m_tag_status`: the first thing that went wrong in a packet."""


def statuses(config: "CoreConfig") -> tuple[Code, ...]:
    """Those that this core can give: ERASED only when it can be erased."""
    return tuple(code for code in STATUSES if code.name != "ERASED" or config.zeroise == "on")


KEY_SIZE_BITS = 2
KEY_SIZES = _codes(
    ("128", "AES-128, 10 rounds"),
    ("192", "AES-192, 12 rounds"),
    ("256", "AES-256, 14 rounds"),
)
"""`s_key_size`; an AES key of that size takes 10 + 2 * size rounds."""

SLOT_KIND_BITS = 2
SLOT_KINDS = _codes(
    ("KEY", "E(K, 0^128), the hash subkey of a context"),
    ("IV", "one block of GHASH over an IV that is not 96 bits"),
    ("AAD", "one beat of additional authenticated data"),
    ("TEXT", "one beat of text, or the closing slot alone"),
)
"""What a slot, one step of the in-order stream from gcm_issue to gcm_join, stands for."""
