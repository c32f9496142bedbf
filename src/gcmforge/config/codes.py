# SPDX-License-Identifier: Apache-2.0
"""Numbers that a core and its users exchange, or that its modules do: the one table of them.

The package of a core's SystemVerilog, the C header, the register description and the documents of a
folder are made from it.
"""

from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, Self

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


class Status(IntEnum):
    """`m_tag_status`: the first thing that went wrong in a packet. With each number go its meaning,
    what an engineer does on it, and the setting without which no core gives it."""

    meaning: str
    action: str
    only_with: str
    """`option=value`, or several values as `option=value|value`; empty: every core gives it."""
    shared: bool
    """Whether a module names it that is in cores which cannot give it, too: it is then in the
    package of each core that has bits for it."""

    def __new__(
        cls, value: int, meaning: str, action: str, only_with: str = "", shared: bool = False
    ) -> Self:
        one = int.__new__(cls, value)
        one._value_ = value
        one.meaning, one.action, one.only_with, one.shared = meaning, action, only_with, shared
        return one

    OK = 0, "encrypting, or the tag matched", "use the packet"
    AUTH_FAIL = (
        1, "decrypting, and the tag did not match",
        "discard its text, count it; do not ask the sender why", "direction=both|decrypt", True,
    )  # fmt: skip
    NO_KEY = (
        2, "the context holds no usable key",
        "discard; load a key into the context, then send the packet again",
    )  # fmt: skip
    BAD_IV = (
        3, "an IV of a length that the core does not take, or none is left",
        "discard; give an IV of a length in `iv`, or load a new key when none is left",
    )  # fmt: skip
    BAD_TAG_LENGTH = 4, "not 4, 8 or 12 to 16 bytes", "discard; correct `s_cmd_tag_bytes`"
    TOO_LONG = (
        5, "AAD or text above the core's limit", "discard; send less, or build with larger limits"
    )  # fmt: skip
    BAD_FRAME = (
        6, "data not framed as the interface asks",
        "discard; correct `tkeep`, `tuser`, `tlast` of the sender; with `timeout` = N, stop "
        "both streams for N cycles",
    )  # fmt: skip
    ERASED = (
        7, "given up when the core was erased",
        "discard; load a key, then send the packet again", "zeroise=on", True,
    )  # fmt: skip
    BAD_DIRECTION = (
        8, "a command of the direction that the core was built without, whatever else is wrong",
        "discard; use a core that has this direction", "direction=encrypt|decrypt", True,
    )  # fmt: skip
    FAULT = (
        9, "the core found that a fault had made it wrong, in this packet or before it",
        "discard; load the key, then send the packet again; if it comes back, the core is broken",
        "faults=detect",
    )  # fmt: skip

    @property
    def code(self) -> Code:
        """As a package, a header, a register description has it."""
        return Code(value=self.value, name=self.name, meaning=self.meaning)

    def given_by(self, config: "CoreConfig") -> bool:
        """Whether this core can give it."""
        option, _, values = self.only_with.partition("=")
        return not option or str(config[option]) in values.split("|")


def status_bits(config: "CoreConfig") -> int:
    """Of `m_tag_status`: four where the core gives one that three bits have no room for."""
    return max(3, max(one.value for one in statuses(config)).bit_length())


def status_name(value: int) -> str:
    """What stands on `m_tag_status`, which a broken core may have anything on."""
    return next((one.name for one in Status if one.value == value), "undefined")


def statuses(config: "CoreConfig") -> tuple[Code, ...]:
    """Those that this core can give."""
    return tuple(one.code for one in Status if one.given_by(config))


OTHER_TAG_BYTES = Code(
    value=31, name="OTHER_TAG_BYTES", meaning="for a command of the direction that is not built"
)
"""The length of a tag that such a command has inside the core: it is refused for it."""


KEY_SIZE_BITS = 2
KEY_SIZES = _codes(
    ("128", "AES-128, 10 rounds"),
    ("192", "AES-192, 12 rounds"),
    ("256", "AES-256, 14 rounds"),
)
"""`s_key_size`; an AES key of that size takes 10 + 2 * size rounds."""

ERASE_KEY_SIZE = Code(
    value=3, name="ERASE", meaning="no key; with zeroise=on the context is erased, too"
)
"""The value of `s_key_size` that no key has: its context holds no usable key afterwards."""

SLOT_KIND_BITS = 2
SLOT_KINDS = _codes(
    ("KEY", "E(K, 0^128), the hash subkey of a context"),
    ("IV", "one block of GHASH over an IV that is not 96 bits"),
    ("AAD", "one beat of additional authenticated data"),
    ("TEXT", "one beat of text, or the closing slot alone"),
)
"""What a slot, one step of the in-order stream from gcm_issue to gcm_join, stands for."""
