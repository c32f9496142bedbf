# SPDX-License-Identifier: Apache-2.0
"""Every option that cores have in common: its default, its range and its meaning, written once.

Options that only one engine has stand in its descriptor (gcmforge.config.engine).
"""

import dataclasses
from dataclasses import dataclass
from typing import Any

from gcmforge.config.architecture import STANDARD
from gcmforge.config.installed import default_engine, engine_meaning, engines
from gcmforge.config.names import MEMORY_SBOXES, MULTIPLIERS, SBOXES
from gcmforge.config.option import Option, either

GCM_MAX_TEXT_BYTES = 2**36 - 32
"""SP 800-38D section 5.2.1.1: a plaintext is at most 2^39 - 256 bits."""

DEFAULT_IV_LIMIT = 2**32
"""SP 800-38D section 8.3 allows no more invocations with one key, but for deterministic IVs."""

MAX_BUFFER_BEATS = 2**16
"""Beats that a packet buffer may have: a megabyte a lane."""

MAX_TAG_PLACES = 64
MAX_AHEAD_PLACES = 64
"""More than any core needs for packets of one beat."""

MAX_AAD_BYTES = 2**32 - 1
"""The core counts AAD in bytes with 32 bits; SP 800-38D would allow 2^61 - 1."""

PROFILE_AAD_BYTES = 32
"""Room for any profile's header; the longest is MACsec's, of 28 bytes."""


def option_field(default: Any, meaning: str, **allowed: Any) -> Any:
    """A field of CoreConfig whose values an Option checks."""
    return dataclasses.field(
        default=default, metadata={"option": Option(meaning=meaning, **allowed)}
    )


_option = option_field


def _engine(kind: str, what: str, also: str = "", **more: Any) -> Any:
    """The field that chooses among the engines of a kind."""
    meaning = engine_meaning(what, kind) + also
    return option_field(default_engine(kind), meaning, choices=tuple(engines(kind)), **more)


def named(kind: str, flag: str) -> str:
    """The engines of a kind that have a flag of their descriptor, as a message names them."""
    return either(e.name for e in engines(kind).values() if getattr(e, flag))


_PROFILES = tuple(engines("profile").values())


@dataclass(frozen=True, kw_only=True, slots=True)
class Options:
    """The options of a core, unchecked; CoreConfig checks them."""

    lanes: int = _option(
        1, "Blocks of 128 bits per cycle. The data streams are 128*lanes bits wide.",
        bounds=(1, 16),
    )  # fmt: skip
    direction: str = _option(
        "both",
        "Directions that are built. A core with direction=encrypt or direction=decrypt saves what "
        "only the other one needs; it answers commands of the other direction with BAD_DIRECTION.",
        choices=("both", "encrypt", "decrypt"),
        expert="to save area where one core encrypts, and another one decrypts",
    )
    core: str = _option(
        STANDARD,
        f"Architecture. core={STANDARD} is put together of parts that the other options choose. "
        + engine_meaning("Another has parts of its own", "core"),
        choices=(STANDARD, *engines("core")),
        expert="to have the smallest core, a masked one, or a bus with several packets in a beat",
    )
    key_sizes: tuple[int, ...] = _option(
        (128, 192, 256), "AES key sizes that the core accepts, chosen at run time with each key.",
        subset_of=(128, 192, 256), unit="bits",
    )  # fmt: skip
    contexts: int = _option(
        4, "Keys held at the same time. Every packet names the one that it uses. More than 16 are "
        "kept in memories.",
        bounds=(1, 1024),
    )  # fmt: skip
    aes: str = _engine(
        "aes",
        "AES engine",
        expert="to reach a low rate with fewer gates, or to build a paper's engine",
    )
    aes_substages: int = _option(
        1,
        f"Pipeline stages in each AES round (not aes={named('aes', 'side_by_side')}).",
        bounds=(1, 4),
        expert="to shorten the AES's path, or to save registers where the clock has room",
    )
    aes_slack: int = _option(
        2,
        "Percent by which a stage of a round may be longer than the shortest possible, for fewer "
        "registers within S-boxes (aes_substages above 1).",
        bounds=(0, 100),
        expert="to save registers within S-boxes where the clock has room",
    )
    key_schedule: str = _engine(
        "key_schedule",
        "Round keys",
        expert="to choose between many contexts in little area and a shorter path",
    )
    key_unit: str = _engine(
        "key_unit",
        "Where a new key's hash subkey and its powers are made",
        expert="to change keys so often that loading them would slow packets down",
    )
    counter_sharing: str = _option(
        "off",
        "Rounds 1 and 2 of a beat's counter blocks. counter_sharing=on builds once what the lanes "
        "have in common. With three lanes or more a packet may then take one beat more: when its "
        "last beat is not full, and the counter's low byte overflows in it. With an IV that is not "
        "96 bits every packet that ends with text does. With j0=dedicated none does.",
        choices=("off", "on"),
        expert="to save area in several lanes",
    )
    j0: str = _option(
        "shared",
        "Encryption of J0 for the tag. j0=shared uses a lane that the packet's last beat leaves "
        "free, or else a cycle of its own. j0=dedicated has one AES lane more, and needs "
        f"tail={named('tail', 'dedicated')}.",
        choices=("shared", "dedicated"),
        expert="to save a beat of each packet, where packets are short",
    )
    sbox: str = _option(
        "fast", "Circuit of the AES S-box. sbox=low_depth has a form that is claimed in patents. "
        "sbox=bram is no circuit but a table in the block RAM of an FPGA, two S-boxes a RAM. Its "
        "register is a stage of the round, and with aes_substages=3 another one follows.",
        choices=(*SBOXES, *MEMORY_SBOXES), listed_by="gcmforge sbox",
        expert="to fit an FPGA (table, bram), or the circuit that was measured best on a library",
    )  # fmt: skip
    mix_columns: str = _option(
        "small", "Circuit of MixColumns: fewest XOR gates, or XOR depth three or four.",
        choices=("small", "depth3", "depth4"),
        expert="to shorten the AES's path, or to save area where the clock has room",
    )  # fmt: skip
    ghash: str = _engine(
        "ghash",
        "GHASH architecture",
        expert="to use another GHASH that was measured better on the target",
    )
    multiplier: str = _option(
        "mixed_15_small",
        "Multiplier in GF(2^128). The quadratic ones (schoolbook, quadratic, mastrovito) have the "
        "least delay. koN is Karatsuba-Ofman with N splits, koN_small with a recombination that a "
        "search found, koN_fast with an overlap-free one of less depth. mixed_N is the best "
        "mixture of both for a depth of N XORs. fft and fft_transposed are for many lanes.",
        choices=MULTIPLIERS,
        expert="to use another multiplier that was measured better on the target",
    )
    ghash_stages: int = _option(
        1,
        f"Pipeline stages of the multiplier (ghash={named('ghash', 'staged')}).",
        bounds=(1, 6),
        expert="to shorten the GHASH's path, or to save registers where the clock has room",
    )
    tail: str = _engine(
        "tail",
        "The length block that ends a packet's hash",
        also=" With tail and j0 both dedicated a packet takes exactly the beats of its AAD and its "
        "text.",
        expert="to save a beat of each packet, where packets are short",
    )
    aad_lanes: int = _option(
        0,
        "Blocks of AAD that may come in the same transfer as a packet's first beat of text, on "
        "ports of their own. A packet of short AAD then takes the beats of its text only.",
        bounds=(0, 4),
        expert="to save the beat of short AAD",
    )
    iv: str = _option(
        "any",
        "Initialisation vectors. iv=any takes 1 to 65535 bytes. iv=96 takes 12 bytes only, with "
        "less hardware. iv=counter takes 12 bytes to decrypt; to encrypt, the core makes the IV of "
        "each packet from a fixed field that comes with the key, and a count that nobody can set.",
        choices=("any", "96", "counter"),
    )
    iv_limit: int = _option(
        DEFAULT_IV_LIMIT,
        "Packets that may be encrypted under one key (iv=counter). After these the status is "
        "BAD_IV.",
        bounds=(1, 2**64 - 1),
        expert="to follow a policy of fewer packets under one key",
    )
    zeroise: str = _option(
        "off",
        "Erasing of keys. zeroise=on has a port that gives up what is under way and overwrites "
        "every register and memory word that held anything of a key. A reset does the same. Key "
        "size 3 erases one context.",
        choices=("off", "on"),
    )
    release: str = _engine("release", "When text leaves")
    buffer_beats: int = _option(
        0,
        "Depth of the packet buffer in beats of 128*lanes bits "
        f"(release={named('release', 'holds')}). 0 is as many as packets of max_text_bytes "
        "take to follow each other without a pause.",
        bounds=(0, MAX_BUFFER_BEATS),
        expert="to fit the buffer of verified release to a memory",
    )
    slots: str = _engine(
        "slots",
        "Where a beat waits for its key stream",
        expert="to shorten the path between AES and GHASH, or to have text out after few cycles",
    )
    ahead_places: int = _option(
        0,
        f"Packets whose key stream is made before their text (slots={named('slots', 'ahead')}), "
        "each with a place for its command. 0 is as many as packets of one beat take to "
        "follow each other without a pause. With fewer there is less hardware, and short packets "
        "wait.",
        bounds=(0, MAX_AHEAD_PLACES),
        expert="to save area where packets are not short",
    )
    tag_places: int = _option(
        0,
        "Packets between their last beat and their tag, each with a word for it. 0 is as many as "
        "packets of one beat take to follow each other without a pause. With fewer there is less "
        "hardware, and short packets wait.",
        bounds=(0, MAX_TAG_PLACES),
        expert="to save area where packets are not short",
    )
    timeout: int = _option(
        0,
        "Waiting for a sender that has stopped. A command without data, data without a command and "
        "a packet that breaks off are answered with BAD_FRAME after that many cycles without an "
        "offer. 0 waits for ever.",
        bounds=(0, 2**24), unit="cycles",
    )  # fmt: skip
    registers: str = _option(
        "off",
        "Register block. registers=axi4lite gives a processor keys, commands, answers and counters "
        "as registers on AXI4-Lite, in a top gcm_axil around gcm_axis. Data stays on its streams.",
        choices=("off", "axi4lite"),
    )
    profile: str = _option(
        "none",
        f"Packets of a protocol. {either(f'{p.name} {p.says}' for p in _PROFILES)} makes IV and "
        "AAD from the fields of a packet's header, in a top "
        f"{either(f'gcm_{p.name}' for p in _PROFILES)} around gcm_axis. With aad_lanes the header "
        "costs no beat.",
        choices=("none", *(p.name for p in _PROFILES)),
    )
    name: str = _option(
        "", "What the names of modules, packages, files and C symbols begin with, so that several "
        "cores stand in one design: with name=rx the top is rx_gcm_axis.", identifier=True,
    )  # fmt: skip
    max_text_bytes: int = _option(
        GCM_MAX_TEXT_BYTES, "Longest text of a packet. A longer one ends with status TOO_LONG.",
        bounds=(16, GCM_MAX_TEXT_BYTES), unit="bytes",
    )  # fmt: skip
    max_aad_bytes: int = _option(
        MAX_AAD_BYTES,
        "Longest additional authenticated data. Longer data ends with status TOO_LONG.",
        bounds=(16, MAX_AAD_BYTES), unit="bytes",
        expert="to refuse what your protocol never has",
    )  # fmt: skip
