# SPDX-License-Identifier: Apache-2.0
"""The register map of `registers=axi4lite`, and its SystemRDL, C header and page, from one table.

rtl/axi/gcm_regs.sv is written by hand; tests/axi compares it with this table, access by access. The
C header is printed here and not by PeakRDL's exporter, whose licence (LGPL) is not one for what
ships; a test compares both headers.
"""

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gcmforge.config import CoreConfig
from gcmforge.config.codes import KEY_SIZES, Code, status_bits, statuses

MAP_BYTES = 4096
"""Address space of the block: 12 bits."""

MAGIC = 0x014D4347
"""What ID reads: "GCM" and the number of the register map."""

RESULT_DEPTH = 8
"""Answers that wait to be read before the core's m_tag stream waits."""

COUNTERS = (
    ("PACKETS", "packets answered"),
    ("FORGED", "packets whose tag did not match"),
    ("REFUSED", "packets with any other error"),
    ("AAD_BYTES", "bytes of additional authenticated data taken on s_axis"),
    ("TEXT_BYTES", "bytes of text taken on s_axis"),
    ("IN_STALLS", "cycles in which s_axis was offered a beat and did not take it"),
    ("OUT_STALLS", "cycles in which m_axis offered a beat and nobody took it"),
    ("CYCLES", "clock cycles"),
)
"""64 bits each, in the order of their addresses."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Field:
    """Bits of a register; access is rw, ro, wo (reads as 0) or w1c (a written 1 clears it)."""

    name: str
    low: int
    width: int
    access: str
    meaning: str
    reset: int | None = 0
    """None where it follows from the state of the core."""

    @property
    def high(self) -> int:
        return self.low + self.width - 1

    @property
    def mask(self) -> int:
        return ((1 << self.width) - 1) << self.low


@dataclass(frozen=True, kw_only=True, slots=True)
class Register:
    """32 bits, or `count` of them one after another.

    `whole` is a register that does something when written: it takes no write of single bytes.
    """

    name: str
    offset: int
    meaning: str
    fields: tuple[Field, ...]
    count: int = 1
    whole: bool = False

    @property
    def addresses(self) -> range:
        return range(self.offset, self.offset + 4 * self.count, 4)


def registers(config: CoreConfig) -> tuple[Register, ...]:
    """Every register of that core's block, in the order of their addresses."""
    return (
        *_status_registers(config),
        *_key_registers(config),
        *_command_registers(config),
        *_result_registers(config),
        *_counter_registers(),
    )


def _field(
    name: str, bits: tuple[int, int], access: str, meaning: str, reset: int | None = 0
) -> Field:
    """bits: highest, lowest."""
    high, low = bits
    return Field(
        name=name, low=low, width=high - low + 1, access=access, meaning=meaning, reset=reset
    )


def _status_registers(config: CoreConfig) -> Iterator[Register]:
    sizes = sum(
        1 << index for index, size in enumerate((128, 192, 256)) if size in config.key_sizes
    )
    at_once = "no command waits" if config.bus else "the core would take a command at once"
    yield Register(
        name="ID", offset=0x000,
        meaning=f"what this block is: {MAGIC:#010x}, \"GCM\" and the number of this map, 1",
        fields=(_field("magic", (31, 0), "ro", f"{MAGIC:#010x}", MAGIC),),
    )  # fmt: skip
    yield Register(
        name="CONFIG", offset=0x004, meaning="what the core was built with",
        fields=(
            _field("lanes", (4, 0), "ro", "blocks of 128 bits a beat", config.lanes),
            _field("key_sizes", (10, 8), "ro", "bit 0: AES-128, 1: AES-192, 2: AES-256", sizes),
            _field("any_iv", (12, 12), "ro", "IVs of other lengths than 12 bytes are taken",
                   int(config.iv_any)),
            _field("contexts", (31, 16), "ro", "keys held at the same time", config.contexts),
        ),
    )  # fmt: skip
    yield Register(
        name="STATUS", offset=0x008, meaning="what can be done now",
        fields=(
            _field("key_ready", (0, 0), "ro",
                   "no key waits or is being loaded: KEY_LOAD begins at once; high again when the "
                   "context is usable", None),
            _field("command_ready", (1, 1), "ro", at_once, None),
            _field("key_waits", (2, 2), "ro", "a key waits for the core: KEY and KEY_LOAD refuse"),
            _field("command_waits", (3, 3), "ro",
                   "a command waits for the core: IV to IV_MORE refuse"),
            _field("results", (15, 8), "ro", "answers that wait to be read"),
            _field("iv_more", (27, 16), "ro", "IV_MORE writes that the last command still needs"),
        ),
    )  # fmt: skip
    yield Register(
        name="IRQ_STATUS", offset=0x010, meaning="causes of an interrupt",
        fields=(
            _field("result", (0, 0), "ro", "an answer waits to be read"),
            _field("failed", (1, 1), "w1c", "a packet failed since this was cleared"),
        ),
    )  # fmt: skip
    yield Register(
        name="IRQ_ENABLE", offset=0x014, meaning="which causes raise irq",
        fields=(
            _field("result", (0, 0), "rw", "irq while an answer waits"),
            _field("failed", (1, 1), "rw", "irq while IRQ_STATUS.failed is set"),
        ),
    )  # fmt: skip


def _key_registers(config: CoreConfig) -> Iterator[Register]:
    sizes = ", ".join(f"{code.value}: {code.name}" for code in KEY_SIZES) + " bits"
    cleared = "by a reset and when the core takes it"
    if config.zeroise == "on":
        sizes += ", 3: erases the context"
        cleared = "by a reset, by zeroise and when the core takes it"
    yield Register(
        name="KEY", offset=0x040, count=8,
        meaning="the key, first byte in the lowest bits of the first word; shorter keys use the "
        f"lower words; cleared {cleared}",
        fields=(_field("data", (31, 0), "wo", "four bytes of the key"),),
    )  # fmt: skip
    yield Register(
        name="KEY_LOAD", offset=0x060, whole=True,
        meaning="loads KEY into a context once the packets of its earlier commands are done; "
        "refused until all bytes of a key of this size have been written since KEY was cleared",
        fields=(
            _field("context", (15, 0), "wo",
                   "the context that gets the key; refused if there is no such context"),
            _field("size", (17, 16), "wo", sizes),
        ),
    )  # fmt: skip


def _command_registers(config: CoreConfig) -> Iterator[Register]:
    lengths = "1 to 65535 bytes" if config.iv_any else "12 bytes; others are a BAD_IV"
    yield Register(
        name="IV", offset=0x080, count=4,
        meaning="the initialisation vector, first byte in the lowest bits; its next 16 bytes for "
        "IV_MORE",
        fields=(_field("data", (31, 0), "rw", "four bytes of the IV"),),
    )  # fmt: skip
    yield Register(
        name="EXPECTED_TAG", offset=0x090, count=4,
        meaning="decrypting: the tag that came with the packet, first byte in the lowest bits",
        fields=(_field("data", (31, 0), "rw", "four bytes of the tag"),),
    )  # fmt: skip
    yield Register(
        name="IV_BYTES", offset=0x0A0, meaning="length of the IV",
        fields=(_field("bytes", (15, 0), "rw", lengths, 12),),
    )  # fmt: skip
    yield Register(
        name="COMMAND", offset=0x0A4, whole=True,
        meaning="begins a packet with IV, IV_BYTES and EXPECTED_TAG; its data comes on s_axis",
        fields=(
            _field("context", (15, 0), "wo",
                   "the context whose key the packet uses; refused if there is no such context"),
            _field("decrypt", (16, 16), "wo", "1: decrypt and check the tag, 0: encrypt"),
            _field("tag_bytes", (28, 24), "wo", "length of the tag: 4, 8 or 12 to 16 bytes"),
        ),
    )  # fmt: skip
    yield Register(
        name="IV_MORE", offset=0x0A8, whole=True,
        meaning="hands over IV as the next 16 bytes of a longer IV; as often as "
        "STATUS.iv_more says, and refused otherwise",
        fields=(_field("any", (31, 0), "wo", "any value"),),
    )  # fmt: skip


def _result_registers(config: CoreConfig) -> Iterator[Register]:
    yield Register(
        name="RESULT_TAG", offset=0x0C0, count=4,
        meaning="the oldest answer's tag, first byte in the lowest bits; zero when decrypting",
        fields=(_field("data", (31, 0), "ro", "four bytes of the tag"),),
    )  # fmt: skip
    yield Register(
        name="RESULT", offset=0x0D0, meaning="the oldest answer; zero when none waits",
        fields=(
            _field("status", (status_bits(config) - 1, 0), "ro", "m_tag_status"),
            _field("ok", (8, 8), "ro", "the status is 0; decrypting: the tag matched"),
            _field("valid", (31, 31), "ro", "an answer waits"),
        ),
    )  # fmt: skip
    yield Register(
        name="RESULT_NEXT", offset=0x0D4, whole=True,
        meaning="drops the oldest answer, so that the next can be read; refused when none waits",
        fields=(_field("any", (31, 0), "wo", "any value"),),
    )  # fmt: skip


def _counter_registers() -> Iterator[Register]:
    yield Register(
        name="COUNTERS_TAKE", offset=0x100, whole=True,
        meaning="copies every counter to where it is read, and begins it again, in one cycle",
        fields=(_field("any", (31, 0), "wo", "any value"),),
    )  # fmt: skip
    for index, (name, meaning) in enumerate(COUNTERS):
        yield Register(
            name=name, offset=0x140 + 8 * index, count=2,
            meaning=f"{meaning}, between the last two writes to COUNTERS_TAKE; low word first",
            fields=(_field("data", (31, 0), "ro", "half of the count"),),
        )  # fmt: skip


# Texts --------------------------------------------------------------------------------------------

_RDL_ACCESS = {
    "rw": "sw = rw; hw = r;",
    "ro": "sw = r; hw = w;",
    "wo": "sw = w; hw = r;",
    "w1c": "sw = rw; onwrite = woclr; hw = rw;",
}


def systemrdl(config: CoreConfig) -> str:
    """gcm_regs.rdl: the block in SystemRDL 2.0."""
    lines = [
        "// SPDX-License-Identifier: Apache-2.0",
        f"// Registers of {config.named('gcm_axil')}, made by gcmforge from core.toml.",
        f"addrmap {config.named('gcm_regs')} {{",
        '  name = "gcmforge AES-GCM";',
        f'  desc = "{config.summary}";',
        "  default regwidth = 32;",
        "  default accesswidth = 32;",
        "  addressing = compact;",
        "  littleendian;",
    ]
    status = config.named("gcm_status")
    lines += ["", f"  enum {status} {{"]
    for code in statuses(config):
        described = f'desc = "{_quoted(code.meaning)}";'
        lines.append(f"    {code.name} = {status_bits(config)}'d{code.value} {{ {described} }};")
    lines.append("  };")
    for register in registers(config):
        lines += ["", "  reg {", f'    desc = "{_quoted(register.meaning)}";']
        for field in register.fields:
            reset = "" if field.reset is None or field.access == "wo" else f" = {field.reset:#x}"
            lines += [
                "    field {",
                f'      desc = "{_quoted(field.meaning)}";',
                f"      {_RDL_ACCESS[field.access]}",
                *([f"      encode = {status};"] if _is_status(register, field) else []),
                f"    }} {field.name}[{field.high}:{field.low}]{reset};",
            ]
        size = f"[{register.count}]" if register.count > 1 else ""
        lines.append(f"  }} {register.name}{size} @ {register.offset:#05x};")
    return "\n".join([*lines, "};", ""])


def _is_status(register: Register, field: Field) -> bool:
    return (register.name, field.name) == ("RESULT", "status")


def _quoted(text: str) -> str:
    return text.replace('"', '\\"')


def c_header(config: CoreConfig) -> str:
    """gcm_regs.h: offsets, and position and mask of every field that is not the whole register."""
    about, gcm = f"Registers of {config.named('gcm_axil')}", config.named("gcm").upper()
    lines = [
        "/* SPDX-License-Identifier: Apache-2.0 */",
        f"/* {about}, made by gcmforge from core.toml. Offsets are in bytes. */",
        f"#ifndef {gcm}_REGS_H",
        f"#define {gcm}_REGS_H",
    ]
    statuses_of = _defines(f"{gcm}_RESULT_STATUS", statuses(config))
    lines += ["", "/* RESULT.status */", *statuses_of]
    lines += ["", "/* KEY_LOAD.size */", *_defines(f"{gcm}_KEY_LOAD_SIZE", KEY_SIZES)]
    for register in registers(config):
        lines += ["", *(f"/* {line} */" for line in textwrap.wrap(register.meaning, 92))]
        lines.append(f"#define {gcm}_{register.name} {register.offset:#05x}u")
        if register.count > 1:
            lines.append(f"#define {gcm}_{register.name}_WORDS {register.count}u")
        for field in register.fields:
            if field.width < 32:
                name = f"{gcm}_{register.name}_{field.name.upper()}"
                lines += [
                    f"#define {name}_SHIFT {field.low}u",
                    f"#define {name}_MASK {field.mask:#010x}u",
                ]
    return "\n".join([*lines, "", "#endif", ""])


def _defines(prefix: str, codes: Sequence[Code]) -> list[str]:
    return [f"#define {prefix}_{code.name} {code.value}u /* {code.meaning} */" for code in codes]


def register_rows(config: CoreConfig) -> tuple[tuple[str, str, str, str, str], ...]:
    """For tables: address, register, bits and field, access, meaning; one row a field."""
    rows = []
    for register in registers(config):
        first = f"{register.offset:#05x}"
        where = first if register.count == 1 else f"{first} to {register.addresses[-1]:#05x}"
        only = register.fields[0].width == 32 and len(register.fields) == 1
        if only:
            rows.append((where, register.name, "31:0", register.fields[0].access, register.meaning))
            continue
        rows.append((where, register.name, "", "", register.meaning))
        for field in register.fields:
            bits = f"{field.high}:{field.low}" if field.width > 1 else f"{field.low}"
            rows.append(("", f".{field.name}", bits, field.access, field.meaning))
    return tuple(rows)
