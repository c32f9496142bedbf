# SPDX-License-Identifier: Apache-2.0
"""The configuration of a core: the one place where an option, its range and meaning are written.

    config = CoreConfig(lanes=4, ghash_stages=2)
    config = CoreConfig.from_toml(Path("core.toml"))
    config = config.with_settings(["lanes=4", "key_sizes=128,256"])

A value that cannot be built raises ConfigError, which says what was asked, what is allowed and
what to do. Every CoreConfig that exists is one that can be built.
"""

import dataclasses
import difflib
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Self

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

SBOXES = (
    "table", "table_mux", "table_inverse", "twisted_bdd", "boyar_peralta", "mozaffari_2012",
    "small", "fast", "merged_phi3_nu8", "merged_phi3_nu12", "mixed",
    *(f"poly_phi{phi}_nu{nu}" for phi in (2, 3) for nu in range(8, 16)),
    "poly_phi2_nu8_lemma1", "poly_phi2_nu14_lemma1",
    "poly_phi3_nu8_lemma1", "poly_phi3_nu10_lemma1",
    *(f"normal_phi{phi}_nu{nu}" for phi in (1, 2) for nu in (1, 2, 4, 7, 8, 11, 13, 14)),
    "normal_phi2_nu1_reduced", "gf16_nu14", "faster", "low_depth", "medium",
)  # fmt: skip
"""Every AES S-box there is; `gcmforge sbox` lists them with their figures."""

MULTIPLIERS = (
    "schoolbook", "quadratic", "mastrovito", "ko1", "ko2", "ko3", "ko4", "ko5", "ko6", "ko7",
    "ko1_fast", "ko2_fast", "ko3_fast", "ko4_fast", "ko5_fast", "ko6_fast", "ko7_fast",
    "mixed_14", "mixed_15", "mixed_16", "mixed_17", "mixed_18",
    "ko4_small", "ko5_small", "mixed_15_small", "fft", "fft_transposed",
)  # fmt: skip
"""Every multiplier in GF(2^128) there is; docs/theory/multipliers.md compares them."""


class ConfigError(ValueError):
    """What was asked, what is allowed, what to do: one line, fit to be shown to a user."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Option:
    """What one option means and which values it takes; the metadata of a CoreConfig field.

    Exactly one of `choices`, `bounds` (lowest and highest, both allowed) and `subset_of`
    (any non-empty subset, kept in ascending order) says what is allowed.  `listed_by` is the
    command that lists choices which are too many for a message.
    """

    meaning: str
    choices: tuple[str, ...] = ()
    bounds: tuple[int, int] | None = None
    subset_of: tuple[int, ...] = ()
    unit: str = ""
    listed_by: str = ""

    @property
    def allowed(self) -> str:
        """The allowed values, for messages and documents."""
        if self.listed_by:
            return f"one of the {len(self.choices)} that `{self.listed_by}` lists"
        if self.choices:
            return _either(self.choices)
        if self.bounds is not None:
            return f"{self.bounds[0]} to {self.bounds[1]}"
        return f"one or more of {', '.join(map(str, self.subset_of))}"

    def check(self, name: str, value: object) -> None:
        """Raise ConfigError unless `value` has the right type and is allowed."""
        if self.choices:
            fits = isinstance(value, str) and value in self.choices
        elif self.bounds is not None:
            fits = _is_int(value) and self.bounds[0] <= value <= self.bounds[1]  # type: ignore[operator]
        else:
            listed = value if not self._wrong_type(value) else ()
            fits = bool(listed) and set(listed) <= set(self.subset_of)  # type: ignore[call-overload]
        if not fits:
            reason = self._wrong_type(value) or "not allowed"
            raise ConfigError(f"{name}={_shown(value)}: {reason}; {self._advice(value)}")

    def _wrong_type(self, value: object) -> str:
        """How the type of a value is wrong; empty when it is not."""
        kind = type(value).__name__
        if self.choices:
            return "" if isinstance(value, str) else f"{kind} instead of text in quotes"
        if self.subset_of:
            right = isinstance(value, tuple) and all(map(_is_int, value))
            return "" if right else "not a list of whole numbers"
        return "" if isinstance(value, int) else f"{kind} instead of whole numbers"

    def _advice(self, value: object) -> str:
        near = _nearest(value, self.choices) if isinstance(value, str) else []
        hint = f" (did you mean {_either(near)}?)" if near else ""
        unit = f" {self.unit}" if self.unit else ""
        return f"use {self.allowed}{unit}{hint}"

    def parse(self, name: str, text: str) -> Any:
        """The value that `--set name=text` means; not yet checked against the range."""
        if self.choices:
            return text
        try:
            if self.bounds is not None:
                return int(text, 0)
            if text.startswith("[") and text.endswith("]"):  # as in TOML
                text = text[1:-1]
            return tuple(int(part, 0) for part in text.split(",") if part.strip())
        except ValueError:
            raise ConfigError(f"{name}={text}: not a number; {self._advice(None)}") from None


def _option(default: Any, meaning: str, **allowed: Any) -> Any:
    return dataclasses.field(
        default=default, metadata={"option": Option(meaning=meaning, **allowed)}
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class CoreConfig:
    """One AES-GCM core: the module gcm_axis, and what is put around it (`top` is the outermost)."""

    lanes: int = _option(
        1, "Blocks of 128 bits per cycle; the data streams are 128*lanes bits wide.",
        bounds=(1, 16),
    )  # fmt: skip
    key_sizes: tuple[int, ...] = _option(
        (128, 192, 256), "AES key sizes that the core accepts, chosen at run time with each key.",
        subset_of=(128, 192, 256), unit="bits",
    )  # fmt: skip
    contexts: int = _option(
        4, "Keys held at the same time; every packet names the one it uses. More than 16 are kept "
        "in memories.",
        bounds=(1, 1024),
    )  # fmt: skip
    aes: str = _option(
        "pipelined",
        "AES engine: pipelined has every round in hardware and takes a block per lane and cycle; "
        "loop has a few and sends the blocks round; loop_parallel has loops of one round side by "
        "side that take the blocks in turn.",
        choices=("pipelined", "loop", "loop_parallel"),
    )
    aes_rounds: int = _option(
        1, "AES rounds in hardware, each with its own block under way (aes=loop).", bounds=(1, 7)
    )
    aes_loops: int = _option(
        1, "Loops side by side (aes=loop_parallel, which needs at least 2).", bounds=(1, 8)
    )
    aes_substages: int = _option(
        1, "Pipeline stages in each AES round (not aes=loop_parallel).", bounds=(1, 4)
    )
    aes_slack: int = _option(
        2,
        "Percent by which a stage of a round may be longer than the shortest possible, for fewer "
        "registers within S-boxes (aes_substages above 1).",
        bounds=(0, 100),
    )
    key_schedule: str = _option(
        "stored",
        "Round keys: stored are made once and kept for every context; travelling are made beside "
        "the data, round by round, from the key alone.",
        choices=("stored", "travelling"),
    )
    key_unit: str = _option(
        "shared",
        "Where a new key's hash subkey and its powers are made: shared takes a slot of the AES and "
        "cycles of the GHASH from packets; dedicated has a cipher of four S-boxes and a serial "
        "multiplier, slower, that take nothing from them.",
        choices=("shared", "dedicated"),
    )
    counter_sharing: str = _option(
        "off",
        "Rounds 1 and 2 of a beat's counter blocks: on builds what the lanes have in common once, "
        "and a packet whose last beat carries out of the counter's low byte takes a slot more.",
        choices=("off", "on"),
    )
    j0: str = _option(
        "shared",
        "Encryption of J0 for the tag: shared rides in a lane that a beat leaves free, or else "
        "takes a beat's time of its own; dedicated has one AES lane more, with tail=dedicated.",
        choices=("shared", "dedicated"),
    )
    sbox: str = _option(
        "fast", "Circuit of the AES S-box; low_depth has a form that is claimed in patents.",
        choices=SBOXES, listed_by="gcmforge sbox",
    )  # fmt: skip
    mix_columns: str = _option(
        "small", "Circuit of MixColumns: fewest XOR gates, or XOR depth three or four.",
        choices=("small", "depth3", "depth4"),
    )  # fmt: skip
    ghash: str = _option(
        "aggregated",
        "GHASH architecture: serial multiplies by H once a block (one lane); digit does so in "
        "steps of digit_bits (one lane); serial_length_first "
        "hashes the lengths between AAD and text as Yang 2005 proposes, so that its tags are NOT "
        "those of SP 800-38D (one lane, iv=96); "
        "interleaved has q sums that take turns, times H^q, and a tail of up to q - 1 cycles; "
        "log_tail is the same with a tail of log2 q cycles (lanes a power of two); "
        "dot multiplies the blocks of a beat by H^q .. H and adds the products; evaluated is the "
        "same with one recombination and reduction, and the sums of a key's bits that the products "
        "take made once a key; shared_reduction "
        "adds them before one reduction and lets each lane choose its power, up to H^(q*stages); "
        "aggregated adds them before one recombination and reduction, and closes its sums with "
        "H^(q*stages); window has no multiplier but tables of multiples of each lane's power, for "
        "FPGAs; residues has tables of the residues of these multiples, fewer and smaller but in a "
        "longer path, and no block is hashed while a key is loaded.",
        choices=(
            "serial",
            "digit",
            "serial_length_first",
            "interleaved",
            "log_tail",
            "dot",
            "evaluated",
            "shared_reduction",
            "aggregated",
            "window",
            "residues",
        ),
    )
    multiplier: str = _option(
        "mixed_15_small",
        "Multiplier in GF(2^128): quadratic ones of least delay, Karatsuba-Ofman with that many "
        "splits (small with a searched recombination, fast with an overlap-free one of less "
        "depth), mixtures for a depth in XORs, or an additive FFT for many lanes.",
        choices=MULTIPLIERS,
    )
    squarers: str = _option(
        "cascade",
        "How H^2, H^4, .. are made (ghash=log_tail): one squarer after another, every power "
        "straight from H, or every second one straight and its square from it.",
        choices=("cascade", "parallel", "hybrid"),
    )
    ghash_stages: int = _option(
        1,
        "Pipeline stages of the multiplier (ghash=dot, evaluated, shared_reduction or aggregated).",
        bounds=(1, 6),
    )
    tail: str = _option(
        "shared",
        "The length block that ends a packet's hash: shared goes through GHASH like any other; "
        "dedicated is added and multiplied behind GHASH by one multiplier more. With tail and j0 "
        "both dedicated a packet takes exactly the beats of its AAD and its text.",
        choices=("shared", "dedicated"),
    )
    aad_lanes: int = _option(
        0,
        "Blocks of AAD that may come beside a packet's first beat, on ports of their own: a packet "
        "of short AAD then takes the beats of its text only.",
        bounds=(0, 4),
    )
    window_bits: int = _option(
        5,
        "Bits that address each table (ghash=window): up to 6 are for LUT RAM, and no block is "
        "hashed while a key is loaded; more are for block RAM, loaded beside the traffic.",
        bounds=(2, 9),
    )
    window_splits: int = _option(
        0,
        "Karatsuba-Ofman splits of blocks and of H before the tables (ghash=window): with each of "
        "them tables hold fewer bits, and there is more to add.",
        bounds=(0, 3),
    )
    digit_bits: int = _option(
        16,
        "Bits of a block that are multiplied by H in a cycle (ghash=digit): a block takes "
        "128/digit_bits cycles, rounded up.",
        bounds=(4, 64),
    )
    iv: str = _option(
        "any",
        "Initialisation vectors: any is 1 to 65535 bytes; 96 is 12 bytes only, with less hardware; "
        "counter is 12 bytes, and those of packets to be encrypted are made by the core, a fixed "
        "field that comes with the key and a count that nobody can set.",
        choices=("any", "96", "counter"),
    )
    iv_limit: int = _option(
        DEFAULT_IV_LIMIT,
        "Packets that may be encrypted under one key (iv=counter); then the status is BAD_IV.",
        bounds=(1, 2**64 - 1),
    )
    zeroise: str = _option(
        "off",
        "Erasing of keys: on has a port that gives up what is under way and overwrites every "
        "register and memory word that held anything of a key, does the same after a reset, and "
        "erases one context by key size 3.",
        choices=("off", "on"),
    )
    release: str = _option(
        "streaming",
        "When text leaves: streaming is at once, decrypted text before its tag is known; verified "
        "is after the verdict, out of a packet buffer, and nothing leaves of a packet whose status "
        "is not OK.",
        choices=("streaming", "verified"),
    )
    buffer_beats: int = _option(
        0,
        "Depth of the packet buffer in beats of 128*lanes bits (release=verified); 0 is as many as "
        "packets of max_text_bytes take to follow each other without a pause.",
        bounds=(0, MAX_BUFFER_BEATS),
    )
    slots: str = _option(
        "queue",
        "How beats meet their key stream: queue stores each once, and passes blocks of an IV "
        "without delay; line moves all of them on beside the AES, step by step, with less hardware "
        "and a shorter path (aes=pipelined with ghash=aggregated); ahead is line with the key "
        "stream made before the text comes, so that nothing waits for the AES: then a command "
        "says in how many beats its text will come (iv=96, one context or key_unit=dedicated).",
        choices=("queue", "line", "ahead"),
    )
    ahead_places: int = _option(
        0,
        "Packets whose key stream is made before their text (slots=ahead), each with a place for "
        "its command; 0 is as many as packets of one beat take to follow each other without a "
        "pause. With fewer there is less hardware, and short packets wait.",
        bounds=(0, MAX_AHEAD_PLACES),
    )
    tag_places: int = _option(
        0,
        "Packets between their last beat and their tag, each with a word for it; 0 is as many as "
        "packets of one beat take to follow each other without a pause. With fewer there is less "
        "hardware, and short packets wait.",
        bounds=(0, MAX_TAG_PLACES),
    )
    timeout: int = _option(
        0,
        "Waiting for a sender that has stopped: a command without data, data without a command and "
        "a packet that breaks off are answered with BAD_FRAME after that many cycles without an "
        "offer; 0 waits for ever.",
        bounds=(0, 2**24), unit="cycles",
    )  # fmt: skip
    registers: str = _option(
        "off",
        "Register block: axi4lite puts keys, commands, answers and counters behind AXI4-Lite, for "
        "a processor, in a top gcm_axil around gcm_axis; data stays on its streams.",
        choices=("off", "axi4lite"),
    )
    profile: str = _option(
        "none",
        "Packets of a protocol: macsec (IEEE 802.1AE, XPN too), ipsec (RFC 4106) or tls13 (RFC "
        "8446) makes IV and AAD from the fields of a packet's header, in a top gcm_macsec, "
        "gcm_ipsec or gcm_tls13 around gcm_axis; with aad_lanes the header costs no beat.",
        choices=("none", "macsec", "ipsec", "tls13"),
    )
    max_text_bytes: int = _option(
        GCM_MAX_TEXT_BYTES, "Longest text of a packet; a longer one ends with status TOO_LONG.",
        bounds=(16, GCM_MAX_TEXT_BYTES), unit="bytes",
    )  # fmt: skip
    max_aad_bytes: int = _option(
        MAX_AAD_BYTES,
        "Longest additional authenticated data; longer data ends with status TOO_LONG.",
        bounds=(16, MAX_AAD_BYTES), unit="bytes",
    )  # fmt: skip

    def __post_init__(self) -> None:
        if isinstance(self.key_sizes, (list, set, frozenset)):
            object.__setattr__(self, "key_sizes", tuple(self.key_sizes))
        for name, option in options().items():
            option.check(name, getattr(self, name))
        object.__setattr__(self, "key_sizes", tuple(sorted(set(self.key_sizes))))
        for message in _contradictions(self):
            raise ConfigError(message)

    @classmethod
    def from_mapping(cls, values: Mapping[str, Any]) -> Self:
        """From option names and values, as read from TOML; an unknown name is refused."""
        check_names(values)
        return cls(**values)

    @classmethod
    def from_toml(cls, path: Path) -> Self:
        """From a TOML file of options; those that it does not name keep their defaults."""
        try:
            values = tomllib.loads(path.read_text(encoding="utf-8"))
        except OSError as error:
            raise ConfigError(f"{path}: cannot be read ({error.strerror})") from None
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise ConfigError(f"{path}: not a TOML file ({error})") from None
        try:
            return cls.from_mapping(values)
        except ConfigError as error:
            raise ConfigError(f"{path}: {error}") from None

    def with_settings(self, settings: Iterable[str]) -> Self:
        """This configuration with `key=value` strings applied, all of them at once."""
        return dataclasses.replace(self, **parse_settings(settings))

    def to_toml(self) -> str:
        """The whole configuration as TOML for from_toml, each option under its meaning."""
        paragraphs = [
            f"# {option.meaning}\n# {option.allowed}{f' {option.unit}' if option.unit else ''}\n"
            f"{name} = {_toml(getattr(self, name))}\n"
            for name, option in options().items()
        ]
        return "\n".join(paragraphs)

    def to_mapping(self) -> dict[str, Any]:
        """Option names and values, as JSON and from_mapping take them."""
        return {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in ((name, getattr(self, name)) for name in options())
        }

    @property
    def top(self) -> str:
        """The outermost module of the core's folder."""
        if self.profile != "none":
            return f"gcm_{self.profile}"
        return "gcm_axil" if self.registers == "axi4lite" else "gcm_axis"

    @property
    def settings(self) -> tuple[str, ...]:
        """The key=value strings that make this configuration of the default one."""
        values = ((name, getattr(self, name)) for name in options())
        return tuple(
            f"{name}={_shown(value)}" for name, value in values if value != default_of(name)
        )

    @property
    def data_bits(self) -> int:
        """Width of tdata on s_axis and m_axis, in bits."""
        return 128 * self.lanes

    @property
    def aes_lanes(self) -> int:
        """Blocks of a beat in the AES: those of the text, and J0 where it has its own."""
        return self.lanes + (self.j0 == "dedicated")

    @property
    def ghash_lanes(self) -> int:
        """Blocks of a beat in the GHASH: those of the text and of the AAD beside it."""
        return self.lanes + self.aad_lanes

    @property
    def context_bits(self) -> int:
        """Width of a context number, in bits: at least one, also with a single context."""
        return max(1, (self.contexts - 1).bit_length())

    @property
    def rounds(self) -> int:
        """AES rounds of the largest key size that is built (FIPS 197, section 5)."""
        return max(self.key_sizes) // 32 + 6

    @property
    def aes_latency_cycles(self) -> int:
        """From a counter block to its key stream, with the largest key (law of the AES engine)."""
        return self.rounds * self.aes_substages + 2

    @property
    def ghash_latency_cycles(self) -> int:
        """From a message's last beat to its digest, at most (laws of the GHASH architecture and of
        gcm_tail)."""
        stages, lanes = self.ghash_stages, self.ghash_lanes
        many = 16 if stages >= 5 else 32  # powers
        laws = {
            "serial": 2,
            "serial_length_first": 2,
            "digit": self.ghash_block_cycles + 1,
            "interleaved": lanes + 1,
            "log_tail": lanes.bit_length() + 1,
            "dot": 2 * stages + 2,
            "evaluated": 2 * stages + 2,
            "shared_reduction": 2 * stages + 1,
            "aggregated": 2 * stages
            + (lanes * stages >= many or (stages == 1 and self.contexts > 16)),
            "window": 2,
            "residues": 2,
        }
        return laws[self.ghash] + (stages if self.tail == "dedicated" else 0)

    @property
    def aes_turn(self) -> tuple[int, int]:
        """Beats that the AES takes in one turn, one a cycle, and the cycles of a turn, with the
        smallest key (law of the AES engine)."""
        rounds = min(self.key_sizes) // 32 + 6
        if self.aes == "loop":
            places = self.aes_rounds * self.aes_substages
            return places, -(-rounds // self.aes_rounds) * places
        return (self.aes_loops, rounds) if self.aes == "loop_parallel" else (1, 1)

    @property
    def cycles_per_beat(self) -> int:
        """Cycles from one beat of a long text to the next, with the largest key: the average,
        rounded up."""
        return max(self.aes_beat_cycles, self.ghash_block_cycles)

    @property
    def aes_beat_cycles(self) -> int:
        """The same as far as the AES has a say in it."""
        engines = {"loop": self.aes_rounds, "loop_parallel": self.aes_loops}
        return -(-self.rounds // engines[self.aes]) if self.aes in engines else 1

    @property
    def ghash_block_cycles(self) -> int:
        """Cycles from one beat into GHASH to the next (law of ghash_digit; all others take one a
        cycle)."""
        return -(-128 // self.digit_bits) if self.digits else 1

    @property
    def slot_depth(self) -> int:
        """Slots between gcm_issue and gcm_join: what the AES holds of them, and the next ones."""
        if self.ahead:
            return 3 if self.lanes >= 4 else 2  # whose bytes take longer to count
        if self.in_step:
            return self.aes_latency_cycles
        if self.aes == "pipelined":
            return self.aes_latency_cycles + 2
        return self.aes_turn[0] + 3  # one waits for its turn, one to leave, one is to come

    @property
    def in_step(self) -> bool:
        """Whether slots move on all together, one place a cycle."""
        return self.slots in ("line", "ahead")

    @property
    def ahead(self) -> bool:
        """Whether the key stream of a packet is made before its text comes."""
        return self.slots == "ahead"

    @property
    def ahead_depth(self) -> int:
        """Packets that gcm_ahead has places for; 0 where there is none."""
        return (self.ahead_places or self.full_ahead_depth) if self.ahead else 0

    @property
    def full_ahead_depth(self) -> int:
        """Packets that fill the AES with key stream, when each has one beat of text, and J0's."""
        return self.aes_latency_cycles // 2 + 1

    @property
    def tag_depth(self) -> int:
        """Packets that gcm_tag has places for."""
        return self.tag_places or self.full_tag_depth

    @property
    def full_tag_depth(self) -> int:
        """Packets between their last beat and m_tag, when each of them is one beat."""
        beats, cycles = self.aes_turn
        if self.digits:  # a packet has a block for GHASH at least
            beats, cycles = 1, max(cycles // beats, self.ghash_block_cycles)
        turns, rest = divmod(self.tag_cycles, cycles)
        return turns * beats + min(rest, beats) + 1

    @property
    def tag_cycles(self) -> int:
        """From one packet to the next in a place of gcm_tag, when tags are taken at once."""
        return self.ghash_latency_cycles + 3

    @property
    def verdict_cycles(self) -> int:
        """From a packet's last slot, where text and key stream meet, to its verdict, at most."""
        return self.ghash_latency_cycles + 1

    @property
    def release_depth(self) -> int:
        """Beats of the packet buffer (law of gcm_release); 0 where nothing is held back."""
        if self.release == "streaming":
            return 0
        return self.buffer_beats or self.full_release_depth

    @property
    def full_release_depth(self) -> int:
        """Beats with which packets of max_text_bytes follow each other without a pause."""
        return self.packet_beats + self.verdict_cycles + 1

    @property
    def full_throughput(self) -> bool:
        """Whether the packet buffer is deep enough for that."""
        return self.release_depth >= self.full_release_depth

    @property
    def packet_beats(self) -> int:
        """The most beats of text that a packet has: those of bytes, and a last one without any."""
        return -(-self.max_text_bytes // (16 * self.lanes)) + 1

    @property
    def guarded(self) -> bool:
        """Whether gcm_axis_guard stands before the core."""
        return self.zeroise == "on" or self.iv == "counter" or self.timeout > 0

    @property
    def erase_packets(self) -> int:
        """Packets of one beat after which every queue has gone round."""
        return max(self.slot_depth, self.tag_depth, self.release_depth) + 2

    @property
    def erase_cycles(self) -> int:
        """From a request to the end of erasing, at most: the key loads and the packets (law of
        gcm_erase)."""
        waits = -(-self.tag_cycles // self.tag_depth)  # for a place in gcm_tag
        packets = self.erase_packets * max(2 * self.cycles_per_beat, waits)
        return (
            self.contexts * self._load_cycles
            + packets
            + self._pass_cycles
            + self.ghash_latency_cycles
            + 40
        )

    @property
    def _load_cycles(self) -> int:
        """From a key's handshake until its context is usable, at most, while nothing is under way
        (laws of gcm_keys, of gcm_subkey_dedicated, and of the GHASH architecture)."""
        powers = self.ghash_lanes * self.ghash_stages if self.ghash == "aggregated" else 1
        if self.key_unit == "dedicated":
            return (self.rounds + 1) * (8 + 2 * self.aes_substages) + 33 * powers + 19
        expand = 13 * (self.aes_substages + 1) + 61 if self.key_schedule == "stored" else 4
        make = 2 * self.ghash_lanes * self.ghash_stages * (self.ghash_stages + 2)
        if self.tables:
            bits = self.window_bits if self.windows else 4
            make = self.ghash_lanes * (2**bits + 5)
        return expand + self._pass_cycles + make + 19

    @property
    def _pass_cycles(self) -> int:
        """From a block to its key stream, at most, whichever the AES engine."""
        places = self.aes_turn[0] if self.aes == "loop" else 1
        return self.rounds * self.aes_substages + 2 * places + 4

    @property
    def iv_any(self) -> bool:
        """Whether initialisation vectors of other lengths than 96 bits are taken."""
        return self.iv == "any"

    @property
    def length_first(self) -> bool:
        """Whether tags are those of Yang 2005, equation (3), and not those of SP 800-38D."""
        return self.ghash == "serial_length_first"

    @property
    def digits(self) -> bool:
        """Whether GHASH takes several cycles for a block."""
        return self.ghash == "digit"

    @property
    def windows(self) -> bool:
        """Whether GHASH looks products of a power and a window of a block up in tables."""
        return self.ghash == "window"

    @property
    def tables(self) -> bool:
        """Whether GHASH has tables instead of a multiplier."""
        return self.ghash in ("window", "residues")

    @property
    def summary(self) -> str:
        """One line for headers and lists."""
        sizes = "/".join(map(str, self.key_sizes))
        substages = f" of {self.aes_rounds} rounds" if self.aes_rounds > 1 else ""
        substages += f" of {self.aes_loops} loops" if self.aes_loops > 1 else ""
        substages += f" with {self.aes_substages} stages a round" if self.aes_substages > 1 else ""
        substages += ", travelling keys" if self.key_schedule == "travelling" else ""
        substages += ", own key unit" if self.key_unit == "dedicated" else ""
        substages += ", shared counters" if self.counter_sharing == "on" else ""
        substages += {"line": ", slots in step", "ahead": " ahead of the text"}.get(self.slots, "")
        substages += ", own lane for J0" if self.j0 == "dedicated" else ""
        stages = f", {self.ghash_stages} stages" if self.ghash_stages > 1 else ""
        stages += ", own tail" if self.tail == "dedicated" else ""
        aad = f" and {self.aad_lanes} of AAD" if self.aad_lanes else ""
        product = self.multiplier
        if self.windows:
            parts = f" of {3**self.window_splits} parts" if self.window_splits else ""
            product = f"{self.window_bits}-bit tables{parts}"
        elif self.tables:
            product = "4-bit tables"
        elif self.digits:
            product = f"{self.digit_bits} bits a cycle"
        return (
            f"AES-{sizes}-GCM, {self.lanes} lane{'s' * (self.lanes > 1)}{aad}, "
            f"{self.aes} AES{substages}, {self.ghash} GHASH ({product}{stages}), "
            f"{self.contexts} context{'s' * (self.contexts > 1)}"
            f"{', AXI4-Lite registers' * (self.registers == 'axi4lite')}"
            f"{', verified release' * (self.release == 'verified')}"
            f"{f', {self.profile} packets' * (self.profile != 'none')}"
            f"{', own IVs' * (self.iv == 'counter')}{', zeroise' * (self.zeroise == 'on')}"
            f"{f', timeout of {self.timeout:,} cycles' * (self.timeout > 0)}"
            f"{'; tags are not those of SP 800-38D' * self.length_first}"
        )


@cache
def options() -> Mapping[str, Option]:
    """Every option of CoreConfig by name, in the order in which they are written."""
    fields = dataclasses.fields(CoreConfig)
    return MappingProxyType({field.name: field.metadata["option"] for field in fields})


@cache
def default_of(name: str) -> Any:
    """The value that an option has when nothing is said."""
    return next(field.default for field in dataclasses.fields(CoreConfig) if field.name == name)


def check_names(names: Iterable[str]) -> None:
    """Raise ConfigError for a name that is no option, with the nearest that are."""
    known = list(options())
    for name in names:
        if name not in known:
            near = _nearest(name, known)
            advice = f"did you mean {_either(near)}?" if near else f"options: {', '.join(known)}"
            raise ConfigError(f"{name}: no such option; {advice}")


def parse_settings(settings: Iterable[str]) -> dict[str, Any]:
    """Typed option values from `key=value` strings; unknown keys and repeated ones are refused."""
    values: dict[str, Any] = {}
    for setting in settings:
        name, equals, text = (part.strip() for part in setting.partition("="))
        if not equals:
            raise ConfigError(f"{setting}: not a setting; use key=value, such as lanes=4")
        check_names([name])
        if name in values:
            raise ConfigError(f"{setting}: {name} is set twice; set it once")
        values[name] = options()[name].parse(name, text)
    return values


ONE_BLOCK = ("serial", "digit", "serial_length_first")
"""GHASH architectures of one lane."""


def _contradictions(config: CoreConfig) -> Iterator[str]:
    """What cannot go together, each as the message of a ConfigError."""
    if config.aes_substages == 1 and config.aes_slack != default_of("aes_slack"):
        yield (
            f"aes_slack={config.aes_slack} with aes_substages=1: a round is one stage; use "
            f"aes_slack={default_of('aes_slack')}, or aes_substages=2 or more"
        )
    if config.aes == "loop_parallel" and config.aes_substages > 1:
        yield (
            f"aes_substages={config.aes_substages} with aes=loop_parallel: a loop holds one block, "
            "so its round is one stage; use aes_substages=1, or aes=loop"
        )
    if config.aes == "loop_parallel" and config.aes_loops == 1:
        yield (
            "aes_loops=1 with aes=loop_parallel: there is nothing to take turns with; use "
            "aes_loops=2 to 8, or aes=loop"
        )
    if config.aes != "loop" and config.aes_rounds > 1:
        yield (
            f"aes_rounds={config.aes_rounds} with aes={config.aes}: only a loop has a choice of "
            "rounds; use aes_rounds=1, or aes=loop"
        )
    if config.aes != "loop_parallel" and config.aes_loops > 1:
        yield (
            f"aes_loops={config.aes_loops} with aes={config.aes}: there are no loops side by side; "
            "use aes_loops=1, or aes=loop_parallel"
        )
    if config.in_step and config.aes != "pipelined":
        yield (
            f"slots={config.slots} with aes={config.aes}: blocks go round in it, so nothing can "
            "move beside them; use aes=pipelined, or slots=queue"
        )
    if config.in_step and config.ghash != "aggregated":
        yield (
            f"slots={config.slots} with ghash={config.ghash}: only aggregated tells a cycle ahead "
            "whether it takes a beat; use ghash=aggregated, or slots=queue"
        )
    if config.ahead:
        yield from _against_ahead(config)
    elif config.ahead_places:
        yield (
            f"ahead_places={config.ahead_places} with slots={config.slots}: no key stream is made "
            "ahead; use ahead_places=0, or slots=ahead"
        )
    if config.counter_sharing == "on" and config.aes != "pipelined":
        yield (
            f"counter_sharing=on with aes={config.aes}: rounds 1 and 2 have hardware of their own "
            "in a pipeline only; use aes=pipelined, or counter_sharing=off"
        )
    if config.counter_sharing == "on" and config.lanes == 1:
        yield (
            "counter_sharing=on with lanes=1: one lane has nothing to share; use lanes=2 or more, "
            "or counter_sharing=off"
        )
    if config.key_unit == "dedicated" and config.ghash in (
        "interleaved",
        "dot",
        "shared_reduction",
        "window",
        "residues",
        "evaluated",
    ):
        yield (
            f"key_unit=dedicated with ghash={config.ghash}: it makes the powers of H with what "
            "multiplies blocks; use key_unit=shared, or ghash=aggregated"
        )
    if config.j0 == "dedicated" and config.tail == "shared":
        yield (
            "j0=dedicated with tail=shared: a packet whose last beat is full would still wait a "
            "beat for its length block, so the lane for J0 gains nothing; use tail=dedicated, or "
            "j0=shared"
        )
    if config.tail == "dedicated" and config.length_first:
        yield (
            f"tail=dedicated with ghash={config.ghash}: its length block comes before the text, "
            "not at the end; use tail=shared, or ghash=serial"
        )
    if config.tail == "dedicated" and config.digits:
        yield (
            f"tail=dedicated with ghash={config.ghash}: the multiplier behind GHASH would be "
            "larger than all of it; use tail=shared, or ghash=serial"
        )
    ring = config.aes_rounds * config.aes_substages if config.aes == "loop" else 1
    if config.digits and config.aes == "pipelined":
        yield (
            f"aes=pipelined with ghash={config.ghash}: the pipeline would wait "
            f"{config.ghash_block_cycles} cycles for each block; use aes=loop, or ghash=serial"
        )
    if config.digits and ring > 2:
        yield (
            f"aes_rounds={config.aes_rounds} and aes_substages={config.aes_substages} with ghash="
            f"{config.ghash}: all {ring} blocks of the loop would stand still for each that GHASH "
            "takes; use two at most, or ghash=serial"
        )
    if 0 < config.tag_places < config.full_tag_depth and ring > 2:
        yield (
            f"tag_places={config.tag_places} with aes=loop and {ring} blocks in it: all of them "
            "would stand still for a packet that waits for a place; use tag_places=0"
        )
    if config.tag_places > config.full_tag_depth:
        yield (
            f"tag_places={config.tag_places}: no packets take more than {config.full_tag_depth} "
            "in this core; use that many or less, or 0"
        )
    if config.aad_lanes and config.ghash in ONE_BLOCK:
        yield (
            f"aad_lanes={config.aad_lanes} with ghash={config.ghash}: {config.ghash} takes one "
            "block at a time; use aad_lanes=0, or ghash=dot or aggregated"
        )
    if config.ghash in ONE_BLOCK and config.lanes > 1:
        yield (
            f"lanes={config.lanes} with ghash={config.ghash}: {config.ghash} takes one block at a "
            "time; use lanes=1, or ghash=dot or aggregated"
        )
    if config.ghash in ("interleaved", "log_tail") and config.ghash_lanes == 1:
        yield (
            f"lanes=1 with ghash={config.ghash}: one lane alone has nothing to interleave with; "
            "use lanes=2 or more, or ghash=serial"
        )
    if config.ghash == "log_tail" and config.ghash_lanes & (config.ghash_lanes - 1):
        near = 1 << config.ghash_lanes.bit_length()
        asked, of_them = f"lanes={config.lanes}", ""
        if config.aad_lanes:
            asked, of_them = f"{asked} and aad_lanes={config.aad_lanes}", " lanes in all"
        yield (
            f"{asked} with ghash=log_tail: log_tail needs a power of two; "
            f"use {near // 2} or {near}{of_them}, or ghash=dot or aggregated"
        )
    if config.profile != "none" and config.registers != "off":
        yield (
            f"registers={config.registers} with profile={config.profile}: a profile takes a "
            "command with each packet from hardware; use registers=off, or profile=none"
        )
    if config.profile != "none" and config.length_first:
        yield (
            f"profile={config.profile} with ghash={config.ghash}: {config.profile} needs the tags "
            "of SP 800-38D; use ghash=serial, or profile=none"
        )
    if config.profile == "macsec" and config.aad_lanes == 1:
        yield (
            "aad_lanes=1 with profile=macsec: a MACsec header has up to 28 bytes; use aad_lanes=2, "
            "or 0"
        )
    if config.profile != "none" and config.max_aad_bytes < PROFILE_AAD_BYTES:
        yield (
            f"max_aad_bytes={config.max_aad_bytes} with profile={config.profile}: there is no room "
            f"for a header; use {PROFILE_AAD_BYTES} or more"
        )
    if config.length_first and config.iv_any:
        yield (
            f"iv={config.iv} with ghash={config.ghash}: Yang 2005 does not say how it would hash "
            "an IV; use iv=96, or ghash=serial"
        )
    if (
        config.ghash in (*ONE_BLOCK, "interleaved", "log_tail", "window", "residues")
        and config.ghash_stages > 1
    ):
        yield (
            f"ghash_stages={config.ghash_stages} with ghash={config.ghash}: every product of "
            f"{config.ghash} needs the one before it; use ghash_stages=1, or ghash=dot or "
            "aggregated"
        )
    if config.iv != "counter" and config.iv_limit != DEFAULT_IV_LIMIT:
        yield (
            f"iv_limit={config.iv_limit} with iv={config.iv}: nothing is counted; use "
            f"iv_limit={DEFAULT_IV_LIMIT}, or iv=counter"
        )
    if config.profile != "none" and config.iv == "counter":
        yield (
            f"iv=counter with profile={config.profile}: the profile makes the IVs; use iv=96, or "
            "profile=none"
        )
    if config.profile != "none" and config.timeout:
        yield (
            f"timeout={config.timeout} with profile={config.profile}: the profile holds a command "
            "back for its data, and data for its command; use timeout=0, or profile=none"
        )
    if config.registers == "axi4lite" and config.iv == "counter":
        yield (
            "iv=counter with registers=axi4lite: the register block does not show the IV that a "
            "packet got; use iv=96, or registers=off"
        )
    if config.release == "streaming" and config.buffer_beats:
        yield (
            f"buffer_beats={config.buffer_beats} with release=streaming: nothing is held back; use "
            "buffer_beats=0, or release=verified"
        )
    if config.release == "verified" and config.packet_beats > (
        config.buffer_beats or MAX_BUFFER_BEATS // 2
    ):
        most = ((config.buffer_beats or MAX_BUFFER_BEATS // 2) - 1) * 16 * config.lanes
        what = f"buffer_beats={config.buffer_beats}, " * (config.buffer_beats > 0)
        yield (
            f"{what}max_text_bytes={config.max_text_bytes} with release=verified: the packet "
            f"buffer holds a whole text and a beat; use max_text_bytes={most} or less"
            + f", or buffer_beats={config.packet_beats} or more"
            * (config.buffer_beats > 0 and config.packet_beats <= MAX_BUFFER_BEATS)
            + ", or release=streaming"
        )
    if config.ghash != "log_tail" and config.squarers != default_of("squarers"):
        yield (
            f"squarers={config.squarers} with ghash={config.ghash}: it has no squarers; use "
            f"squarers={default_of('squarers')}, or ghash=log_tail"
        )
    multiplies = not (config.tables or config.digits) or config.tail == "dedicated"
    if not multiplies and config.multiplier != default_of("multiplier"):
        instead = "tables stand" if config.tables else "digits times H stand"
        yield (
            f"multiplier={config.multiplier} with ghash={config.ghash}: {instead} in for it; use "
            f"multiplier={default_of('multiplier')}, or another ghash"
        )
    if not config.digits and config.digit_bits != default_of("digit_bits"):
        yield (
            f"digit_bits={config.digit_bits} with ghash={config.ghash}: it takes whole blocks; use "
            f"digit_bits={default_of('digit_bits')}, or ghash=digit"
        )
    for name in ("window_bits", "window_splits"):
        value = getattr(config, name)
        if not config.windows and value != default_of(name):
            instead = "its tables are those of residues" if config.tables else "it has no tables"
            yield (
                f"{name}={value} with ghash={config.ghash}: {instead}; use "
                f"{name}={default_of(name)}, or ghash=window"
            )


def _against_ahead(config: CoreConfig) -> Iterator[str]:
    """What cannot go together with slots=ahead."""
    if config.iv != "96":
        yield (
            f"iv={config.iv} with slots=ahead: a packet's counters have to follow from its command "
            "alone; use iv=96, or slots=line"
        )
    if config.contexts > 1 and config.key_unit == "shared":
        yield (
            f"contexts={config.contexts} with key_unit=shared and slots=ahead: a hash subkey would "
            "wait in the AES for the text of other packets; use key_unit=dedicated, contexts=1, or "
            "slots=line"
        )
    if config.tail == "dedicated":
        yield (
            "tail=dedicated with slots=ahead: J0 follows the counters of the text there, and would "
            "come too late for a beat of AAD; use tail=shared, or slots=line"
        )
    for name in ("zeroise", "timeout", "registers", "profile"):
        if getattr(config, name) != default_of(name):
            yield (
                f"{name}={getattr(config, name)} with slots=ahead: it does not know in how many "
                f"beats a packet's text comes; use {name}={default_of(name)}, or slots=line"
            )
    if config.ahead_places > config.full_ahead_depth:
        yield (
            f"ahead_places={config.ahead_places}: no packets take more than "
            f"{config.full_ahead_depth} in this core; use that many or less, or 0"
        )


def _is_int(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _nearest(name: str, known: Iterable[str]) -> list[str]:
    return difflib.get_close_matches(name, list(known), n=2, cutoff=0.6)


def _either(names: Iterable[str]) -> str:
    *others, last = names
    return f"{', '.join(others)} or {last}" if others else last


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (tuple, list)):
        return ",".join(map(str, value)) or "(empty)"
    return str(value)


def _toml(value: object) -> str:
    if isinstance(value, tuple):
        return f"[{', '.join(map(str, value))}]"
    return f'"{value}"' if isinstance(value, str) else str(value)
