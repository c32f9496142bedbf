# SPDX-License-Identifier: Apache-2.0
"""What a simulated core is asked to do, and what it must answer: plain records.

Traffic and vector files make them, the driver plays them on the ports of `gcm_axis`, the scoreboard
compares. Everything is `bytes` in the order of the standards (first byte first); beats, lanes and
byte enables are the driver's business. Operations are in program order: a packet uses the key that
the last `LoadKey` before it put into its context; before the first operation the core is in reset
and no context holds a key.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from gcmforge.config.codes import ERASE_KEY_SIZE, KEY_SIZES, Status

__all__ = [
    "INVALID_KEY_SIZE_CODE",
    "KEY_SIZE_CODE",
    "Abilities",
    "Expected",
    "LoadKey",
    "Operation",
    "Packet",
    "Status",
    "packets_of",
]

KEY_SIZE_CODE = {int(size.name) // 8: size.value for size in KEY_SIZES}
"""Key length in bytes -> `s_key_size`."""

INVALID_KEY_SIZE_CODE = ERASE_KEY_SIZE.value
"""The one value of `s_key_size` that no core takes as a key: it makes the context unusable."""


@dataclass(frozen=True, kw_only=True, slots=True)
class LoadKey:
    """One transfer on `s_key`.

    `size_code` None means the code that belongs to `len(key)`. A number is sent as it is, to ask
    for a size that does not exist. To ask for a size that is not built, give a key of that length.
    """

    context: int
    key: bytes
    size_code: int | None = None
    fixed: bytes = bytes(4)
    """The first bytes of its IVs, on a core that makes them (iv=counter)."""
    early: int = 0
    """So many of the commands of its context that stand before it come while it is on offer. The
    core must not be able to take it before them."""

    def wire_size_code(self) -> int:
        """What `s_key_size` carries."""
        return KEY_SIZE_CODE[len(self.key)] if self.size_code is None else self.size_code


@dataclass(frozen=True, kw_only=True, slots=True)
class Expected:
    """What a core with `streaming` release must answer to a packet.

    `text` is every byte that leaves on `m_axis`. It leaves also if the tag does not match, because
    plaintext is released before the tag is known. It is zeros of the text's length if the command
    is refused; and zero from the beat on that makes a section longer than the core's limit. `tag`
    has the packet's `tag_bytes` bytes, or is None where `m_tag_tag` must be zero: when decrypting,
    and on every error.
    """

    text: bytes
    tag: bytes | None
    status: Status


@dataclass(frozen=True, kw_only=True, slots=True)
class Packet:
    """One command with its data.

    `text` is the plaintext when encrypting and the ciphertext when decrypting. `tag` is the tag
    that came with the ciphertext when decrypting, None when encrypting; `tag_bytes` is sent as it
    is (0..31), even if GCM does not allow that length; it may then differ from `len(tag)`, which is
    never above 16. `context` is sent as it is, too: a core whose number of contexts is not a power
    of two can be asked for a context that does not exist. `label` names the packet in messages.
    """

    context: int
    decrypt: bool
    iv: bytes
    aad: bytes
    text: bytes
    tag: bytes | None
    tag_bytes: int
    expect: Expected
    label: str
    after_key: bool = False
    """Its command comes while the key that stands after it is on offer."""
    held: int = 0
    """So many commands after its own are taken before its data is offered."""


Operation = LoadKey | Packet


class Abilities(Protocol):
    """What has to be known of a core to choose operations for it; a `CoreConfig` is one."""

    @property
    def lanes(self) -> int:
        """Blocks of 128 bits in a beat."""

    @property
    def direction(self) -> str:
        """The directions that are built: "both", "encrypt" or "decrypt"."""

    @property
    def aad_lanes(self) -> int:
        """Blocks of AAD that may come in the same transfer as a packet's first beat."""

    @property
    def key_sizes(self) -> tuple[int, ...]:
        """Key sizes built, in bits."""

    @property
    def contexts(self) -> int:
        """Number of key contexts."""

    @property
    def own_key_unit(self) -> bool:
        """Whether a new key's subkey and powers are made in hardware of their own, more slowly."""

    @property
    def key_load_cycles(self) -> int:
        """From a key's handshake until its context is usable, at most."""

    @property
    def ahead(self) -> bool:
        """Whether a command says in how many beats its text comes."""

    @property
    def iv(self) -> str:
        """Which IV lengths: "any" or "96" (bits); "counter" where the core makes those of
        encryptions."""

    @property
    def iv_limit(self) -> int:
        """How many IVs it makes under a key."""

    @property
    def max_text_bytes(self) -> int:
        """Longest text of a packet."""

    @property
    def max_aad_bytes(self) -> int:
        """Longest additional authenticated data of a packet."""

    @property
    def length_first(self) -> bool:
        """Whether tags are those of Yang 2005, equation (3), and not those of SP 800-38D."""


def packets_of(operations: Iterable[Operation]) -> list[Packet]:
    """The packets among the operations, in order: one answer on `m_tag` belongs to each."""
    return [operation for operation in operations if isinstance(operation, Packet)]
