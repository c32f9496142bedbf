# SPDX-License-Identifier: Apache-2.0
"""Write docs/reference/ from the code: options, ports, commands; and the pictures that are drawn
from it, which needs the simulator. Run: python docs/generate.py"""

import sys
from pathlib import Path
from typing import cast

from gcmforge import cli
from gcmforge.config import CoreConfig, Option, default_of, options
from gcmforge.config.architecture import Architecture
from gcmforge.config.codes import Status
from gcmforge.config.installed import engines
from gcmforge.config.intent import GOALS, plan_core
from gcmforge.config.option import either
from gcmforge.config.options import named
from gcmforge.config.presets import PRESETS
from gcmforge.config.stated import INTENTS
from gcmforge.emit.core import core_files
from gcmforge.emit.layers import public_ports
from gcmforge.emit.packed import packed, packed_note, packed_rows
from gcmforge.emit.ports import Port, own_ports, top_ports
from gcmforge.emit.registers import register_rows
from gcmforge.report.block_diagram import block_diagram
from gcmforge.report.timing_diagram import timing_diagram
from gcmforge.sim.trace import trace_core

sys.path.insert(0, str(Path(__file__).parent))
from beats_picture import beats_picture
from rooms import rooms_page

REFERENCE = Path(__file__).parent / "reference"
ASIDE = """\
A core with lanes for AAD has two ports more. They belong to `s_axis`, and move with it.

- Short AAD, up to 16 bytes a lane of AAD, may come here in the same transfer as the packet's first
  beat of text, filled from byte 0 without holes. It then has no beats of its own.
- A packet without text has it in its one beat, with `tkeep` = 0 and `tlast`.
- Longer AAD comes in beats with `tuser` 0, as in any core; `s_axis_aad_keep` is 0 in them.
- A packet has its AAD in one of the two ways. Bytes in a beat of AAD, or in a beat that is not the
  packet's first, are BAD_FRAME.
"""
PACKED = """\
AXI4-Stream does not know the fields of `s_key`, `s_cmd` and `m_tag`. `ip/gcm_axis_packed.sv` in a
core's folder is the core with these fields in `tdata`, so that each of the five streams is a whole
interface. `component.xml` has this variant. The file list does not: `gcm_axis` is the core. Where
the top has another name, this module has that name with `_packed`, as `gcm_axis_packed` has.

- Each field begins at a byte, its byte 0 lowest. The longest field comes first; fields of one
  length are in the order of their ports. In Python `struct.pack("<32sBB", key, size, context)` is
  a key, and `struct.pack("<16s16sHBBB", tag, iv, iv_bytes, context, decrypt, tag_bytes)` a command.
- `tdata` is filled up to a power of two of bytes, for which FIFOs, width converters and DMAs are
  made. What a DMA moves from and to memory is `tdata` alone, so no field is in a `tuser`.
- `aad_lanes` puts AAD into `s_axis_tuser`, after the bit that says which section it is.
- `gcm_streams` has a `tuser` of its own: context, direction, lengths and expected tag come after it
  there, 176 bits in all. A DMA that has no `tuser` needs logic that makes the commands.
- With a profile, or options that add ports, the fields are those of that core, in the same order:
  its README and datasheet have the table. A core with `registers=axi4lite` has packed ports only
  with `aad_lanes`, because its other ports are AXI4-Lite and AXI4-Stream already.
- {whole} no packed ports, because all of theirs are AXI4-Stream.

Of the default core:
"""
ERRORS = f"""\
This is about the streams of `gcm_axis`; of a top with a bus of its own its section says what comes.
Every command that is taken gets one answer on `m_tag`, in the order of the commands, when its
packet has ended. A packet that fails does not change the answer of another one, as long as every
command has exactly one packet. Four things break that: a wrong `tlast`, a packet without a command,
a command without a packet, and a reset. The table says what comes of each.

- With an error there is no tag, and text is zero from the beat on in which the error was found.
  It is ended by a beat with `tlast`, as ever. With `release={named("release", "holds")}`
  no text leaves at all.
- The first error counts. If several are known from the command alone, the order is NO_KEY, BAD_IV,
  BAD_TAG_LENGTH.
"""
TOPS = """\
The module at the top of a core, which its README names, has the ports. It depends on the
configuration:

| top | of | ports |
| --- | --- | --- |
| `gcm_axis` | all other cores | [its ports](#gcm_axis), with those that some options add |
| `gcm_axil` | `registers=axi4lite` | [registers](registers.md) on AXI4-Lite, and the data streams |
{more}

With a `name` the module begins with it: `rx_gcm_axis` with `name=rx`. [Statuses](#statuses) are the
same for all of them; where there is no `m_tag_status`, they are in `m_tag_tuser`.

## gcm_axis

"""
OWN_CORE = """\
What keys, commands, tags and statuses mean is as with `gcm_axis`; they come on {streams}. The
folder also has a `gcm_axis` in `bench/wide/`, with `{module}` inside and the ports of the first
table. It is there to verify the core: name `{module}` as the top of your design, and leave its
parameters as they are.
[How it works](../theory/{page}.md). Numbers and widths here are those of one core,
{title}; the README of a core has its own.
"""
OUTCOMES = (
    ("the tag does not match", "AUTH_FAIL"),
    (
        "the context holds no key, or does not exist; or its last key had a size that is not built",
        "NO_KEY",
    ),
    ("a key for a context that does not exist", "it is taken, and no context changes"),
    (
        "the IV has no byte, or not 12 bytes where the core takes no other length; with "
        "`iv=counter`: no IV is left",
        "BAD_IV",
    ),
    ("the tag has a length that SP 800-38D does not have", "BAD_TAG_LENGTH"),
    (
        "a command to decrypt with `direction=encrypt`, or to encrypt with `direction=decrypt`",
        "BAD_DIRECTION, whatever else is wrong; zeros leave for its text, and no tag",
    ),
    (
        "with `faults=detect`: the core finds that a fault has made it wrong, or found it before "
        "and has had no new key since",
        "FAULT, whatever else is wrong but the direction; in the packet in which it is found "
        "nothing more of its text leaves but a word without a byte, in later ones zeros leave for "
        "it; no tag, or the last word of an answer that has begun says FAULT",
    ),
    (
        "AAD or text is longer than the core's limit, or than SP 800-38D's",
        "TOO_LONG; text within the limit has left, in whole beats",
    ),
    ("`tkeep` has holes, or does not begin with byte 0", "BAD_FRAME"),
    (
        "a beat inside a section is not full; AAD comes after text; AAD comes in a beat where it "
        "may not be",
        "BAD_FRAME",
    ),
    (
        "`tlast` is missing",
        "the next packet's beats belong to this packet. If they begin with AAD: BAD_FRAME. Else "
        "the packet is longer: AUTH_FAIL or TOO_LONG. One command is left over",
    ),
    (
        f"with `slots={named('slots', 'ahead')}`: text comes in more or fewer beats than its "
        "command told",
        "BAD_FRAME; text is zero from the first beat too many, or from the last beat",
    ),
    (
        "`tlast` comes early; or data breaks off and a last beat is sent, which may have "
        "`tkeep` = 0",
        "a shorter packet. Decrypting: AUTH_FAIL. Encrypting: OK, and the tag is that of what came",
    ),
    (
        "data breaks off, and the sender wants the packet refused",
        "the sender sends a last beat with a hole in `tkeep`: BAD_FRAME",
    ),
    (
        "data comes without a command",
        "no answer. Two beats are taken (none with `zeroise=on`). Then `s_axis_tready` is low "
        "until a command comes, and the data belongs to it",
    ),
    (
        "a command comes without data",
        "no answer. Two more commands are taken, then `s_cmd_tready` is low. A key for a context "
        "of these packets waits; other contexts' keys can be loaded. A beat with `tlast` ends the "
        "packet, see above",
    ),
    (
        "with `timeout` = N: data comes without a command",
        "after N cycles an answer that no command asked for, BAD_FRAME. The data is taken, and "
        "none of it leaves. After that every packet is BAD_FRAME until both streams have been "
        "silent for N cycles, because nobody can know to which packet late words belong",
    ),
    (
        "with `timeout` = N: a command comes without data, or data breaks off",
        "BAD_FRAME after N cycles without an offer. If data had begun, its rest is dropped up to "
        "its `tlast`, whenever it comes. If none had come, every packet is BAD_FRAME until both "
        "streams have been silent for N cycles",
    ),
    (
        "with `timeout` = N: the long IV of a command breaks off",
        "BAD_FRAME (BAD_IV where the core takes no such IV). After N cycles the missing words are "
        "taken as zeros, and every packet is BAD_FRAME until both streams have been silent for N "
        "cycles",
    ),
    (
        "nobody takes text or answers",
        "the core stops taking data and commands, and loses nothing",
    ),
    (
        "a reset, at any moment",
        "no answer for what was under way; no context holds a key; what is offered afterwards is "
        "new",
    ),
    (
        "`zeroise`, at any moment",
        "ERASED for each command that was taken, when the rest of its data has come; no context "
        "holds a key",
    ),
    (
        "key size 3 with `zeroise=on`",
        "packets under way come to their end first; then the context is erased",
    ),
)
"""What happens, and what comes of it."""
STATUSES = """\
`m_tag_status` has three bits, or four on a core that can say a number above 7, with {four}.

| `m_tag_status` | name | meaning | what to do |
| --- | --- | --- | --- |
"""
ERASE = """\
An erase may withdraw what is offered: when the core is erased, by `zeroise` or after a reset, an
`m_axis_tvalid` or `m_tag_tvalid` that was high and not yet taken may fall. Apart from a reset, this
is the one exception from AXI4-Stream's rule that an offer stays. Text that had begun to leave is
ended by a beat with `tlast` and `tkeep` = 0. What was under way is answered with ERASED. A packet
that was answered before keeps its answer; text of it that had not left by then is lost. Erasing one
context, by key size 3, withdraws nothing.
"""
NOTE = "Generated from the code by `python docs/generate.py`.\n"

REGISTER_RULES = """\
A core built with `registers=axi4lite` has the top `gcm_axil`. It has an AXI4-Lite port of 32 bits
in place of the streams `s_key`, `s_cmd` and `m_tag`; the data streams `s_axis` and `m_axis` stay.
The core's folder holds this map as SystemRDL (`gcm_regs.rdl`) and for C (`gcm_regs.h`), and a
[driver in C](../how-to/drive-a-core.md).

**How to send a packet**

1. Load a key: write KEY, then KEY_LOAD. When STATUS.key_ready is 1 the context is usable.
2. Write IV and IV_BYTES, and EXPECTED_TAG when decrypting. Then write COMMAND.
3. An IV of more than 16 bytes: write the next 16 bytes to IV and anything to IV_MORE, as often as
   STATUS.iv_more says.
4. Give the packet's data to `s_axis`.
5. When RESULT.valid is 1, or `irq` is high, read RESULT and RESULT_TAG. Then write RESULT_NEXT.

**Rules**

- **A refused access** is answered with SLVERR and has no effect. Refused are an address that is
  unknown or no multiple of four; a write to a register that is only read; a write of single bytes
  (`wstrb`) to a register that does something; a context that does not exist; and what cannot be
  done now: a key while another one waits, a command while another one waits or still misses parts
  of its IV. The core never holds the bus up.
- **With `timeout`** an IV that breaks off is over when the core has waited so long for its next 16
  bytes: its packet is answered, STATUS.iv_more is 0, and a COMMAND begins a new one.
- **Keys are write-only.** KEY reads as zero, nothing that can be read depends on it, and it is
  cleared when the core takes it. KEY_LOAD is refused until every byte of the key has been written
  since then, so that no zeros are loaded in place of a key.
- **Erasing.** With `zeroise=on` size 3 in KEY_LOAD erases a context, and `gcm_axil` has the ports
  `zeroise` and `zeroise_busy` of [gcm_axis](ports.md#with-zeroiseon), which erase everything. That
  clears KEY, IV and EXPECTED_TAG, and not IV_BYTES. A write that `zeroise` meets is refused. A
  COMMAND that was answered OKAY before it has an answer: ERASED, or a refusal (NO_KEY as a rule)
  where the core had not taken it. Its data is taken with it.
- **Answers.** Eight answers wait to be read. After that `s_axis` and `m_axis` wait.
- **Counters** have 64 bits. COUNTERS_TAKE copies all of them in one cycle to where they are read,
  and begins them again, so nothing is lost between two takings. Reading changes nothing. An event
  is counted from two cycles after it on.
- **`irq`** follows IRQ_STATUS and IRQ_ENABLE one cycle later. IRQ_STATUS.result falls when the
  last answer is given away; IRQ_STATUS.failed stays until a 1 is written to it.

**Access**: `ro` is only read; `wo` is only written, and reads as zero; `rw` is both; `w1c` is
cleared by writing a 1.
"""

PROFILES = options()["profile"].choices[1:]
CORES_OF_THEIR_OWN = [cast(Architecture, one) for one in engines("core").values()]
PROFILE_RULES = f"""\
A core built with {either(f"`profile={one}`" for one in PROFILES)} makes IV and AAD from the fields
of a packet's header. Its top is {either(f"`gcm_{one}`" for one in PROFILES)}: the ports of
`gcm_axis`, with these fields in place of the IV. What is constant for a key,
such as a salt, comes with the key. What changes comes with the command.

- **Which key.** A command uses what came with its key. A command that is accepted in the cycle of a
  key's handshake or earlier uses the old key; one that is accepted later uses the new key.
- **Fields that are bytes** (addresses, SCI, salt, IV) have their first byte in the lowest bits.
  **Fields that are numbers** (packet and sequence numbers, SPI, SSCI, length) are numbers.
- **Data** comes on `s_axis` as in any core. What is encrypted comes as text. What is only
  protected, after the header, comes as AAD: the user data of a MACsec frame without
  confidentiality, or what comes before its confidentiality offset. The header itself is not sent
  on `s_axis`, and does not come out.
- **Beats.** A packet takes ceil((header + AAD) / beat) + ceil(text / beat) beats of the core. With
  `aad_lanes`, and without AAD of its own, it takes ceil(text / beat): 64 bytes and their MACsec
  header are one beat of 512 bits. Headers have 20 or 28 bytes (MACsec without or with SCI), 8 or 12
  (IPsec without or with ESN), 5 (TLS 1.3). Latency is one cycle more than the core's.
- **Salts are key material.** No port shows them. They are erased after a reset, and by `zeroise`
  where the core has it, in a cycle for each context; keys wait so long.
- **The sender sees to it** that no IV comes twice under one key, as numbers are not counted here,
  and that the length field of a TLS record is right.
- **The receiver** drops what fails, and keeps the window of numbers against replay.
- **Tags** have 16 bytes. In IPsec `s_cmd_tag_bytes` says how many: RFC 4106 allows 8, 12 and 16.

*How they are tested*: with IEEE 802.1AE-2018, Annex C (its eight frames, in GCM-AES-128,
GCM-AES-256, GCM-AES-XPN-128 and GCM-AES-XPN-256); with the 16 AES-GCM cases of
draft-mcgrew-gcm-test-01; and with RFC 8448, section 3, the two records of application data and the
two alerts. Each is sealed, opened, and opened with a wrong tag. The `cryptography` package
computes the same for each.
"""


OPTIONS_INTRO = """\
You decide these. Set them with `--set name=value`, or in a TOML file. What you do not set has its
default. With a goal gcmforge derives the [expert options](#expert-options) from what you set. It
prints what it derived, and writes every value into the core's `core.toml`: a core never changes
under its owner.

    gcmforge build --set goal=balanced --set gbit_per_s=100 --set clock_mhz=250 -o cores/mine
"""
GOALS_INTRO = """\
What a goal derives depends on lanes, key sizes, contexts, rate and clock. Here it is for the
defaults, with one lane and with four. An option that you set is never changed.
"""
EXPERT_INTRO = """\
Each has a default, and a goal may derive another value. You can set every one of them.
"""


def _option_row(name: str, option: Option, default: object) -> str:
    shown = ", ".join(map(str, default)) if isinstance(default, tuple) else default
    shown = "none" if shown == "" else shown
    unit = f" {option.unit}" if option.unit else ""
    when = f" | {option.expert}" if option.expert else ""
    return f"| `{name}` | {shown} | {option.allowed}{unit} | {option.meaning}{when} |"


def options_page() -> str:
    lines = ["# Options of a core\n", NOTE, OPTIONS_INTRO]
    lines += ["| option | default | allowed | meaning |", "| --- | --- | --- | --- |"]
    lines += [_option_row(name, option, "none") for name, option in INTENTS.items()]
    rows = {name: _option_row(name, option, default_of(name)) for name, option in options().items()}
    lines += [row for name, row in rows.items() if not options()[name].expert]
    lines += ["\n## Goals\n", GOALS_INTRO]
    lines += ["| goal | with `lanes=1` | with `lanes=4` |", "| --- | --- | --- |"]
    for goal in GOALS:
        one, four = (_derived(goal, lanes) for lanes in (1, 4))
        lines.append(f"| `{goal}` | {one} | {four} |")
    lines += ["\n## Expert options\n", EXPERT_INTRO]
    lines += ["| option | default | allowed | meaning | set it |"]
    lines += ["| --- | --- | --- | --- | --- |"]
    lines += [row for name, row in rows.items() if options()[name].expert]
    lines += ["\n## Presets\n", "| name | for | configuration |", "| --- | --- | --- |"]
    for preset in PRESETS.values():
        lines.append(f"| `{preset.name}` | {preset.purpose} | {preset.config.summary} |")
    return "\n".join(lines) + "\n"


def _derived(goal: str, lanes: int) -> str:
    plan = plan_core({"goal": goal, "lanes": lanes})
    return "<br>".join(f"`{one.name}={one.value}`" for one in plan.derived)


def ports_page() -> str:
    lines = ["# Ports\n", NOTE, _tops()]
    lines += ["Widths are those of the default core: the data streams have 128 bits a lane,"]
    lines += ["context numbers as many bits as the contexts need.\n"]
    lines += ["| port | bits | direction | meaning |", "| --- | --- | --- | --- |"]
    lines += map(_port_row, top_ports(CoreConfig()))
    lines += ["\n## With `aad_lanes`\n", ASIDE, "| port | bits a lane | direction | meaning |"]
    lines += ["| --- | --- | --- | --- |"]
    aside = set(top_ports(CoreConfig(aad_lanes=1))) - set(top_ports(CoreConfig()))
    lines += map(_port_row, sorted(aside, key=lambda port: port.name))
    ahead, alone = f"slots={named('slots', 'ahead')}", ("contexts=1", "iv=96")
    for setting, *others in (("zeroise=on",), ("iv=counter",), (ahead, *alone)):
        lines += [f"\n## With `{setting}`\n", "| port | bits | direction | meaning |"]
        lines += ["| --- | --- | --- | --- |"]
        without = CoreConfig().with_settings(others)
        more = set(top_ports(without.with_settings([setting]))) - set(top_ports(without))
        lines += map(_port_row, sorted(more, key=lambda port: port.name))
        if setting == "zeroise=on":
            lines += ["", ERASE.rstrip()]
    four = dict.fromkeys(_settings(status) for status in Status if status > 7)
    lines += ["\n## Statuses\n", STATUSES.rstrip().format(four=" or ".join(four))]
    lines += map(_status_row, Status)
    lines += ["\n## What goes wrong, and what comes of it\n", ERRORS]
    lines += ["| what happens | what comes of it |", "| --- | --- |"]
    lines += [f"| {what} | {outcome} |" for what, outcome in OUTCOMES]
    lines += ["\n## Packed into AXI4-Stream\n", PACKED.format(whole=_whole())]
    lines += ["| port | its bits | field: port of `gcm_axis` | bits |"]
    lines += ["| --- | ---: | --- | ---: |"]
    lines += [
        f"| `{carrier}` | {bits} | `{port}` | {width} |"
        for carrier, bits, port, width in packed_rows(CoreConfig())
    ]
    lines += ["", packed_note(CoreConfig())]
    for own in CORES_OF_THEIR_OWN:
        lines += [f"\n## {own.module}: `core={own.name}`\n", _own_core(own)]
        lines += [f"- {line}" for line in own.told(_first_of(own))]
        lines += ["\n| port | bits | direction | meaning |", "| --- | --- | --- | --- |"]
        lines += map(_port_row, own_ports(own, _first_of(own)))
        lines += _other_tops(own)
    return "\n".join(lines) + "\n"


def _other_tops(own: Architecture) -> list[str]:
    """What its own options change of its top and of the ports there."""
    first, lines = _first_of(own), []
    for name, one in own.own.items():
        for value in one.option.choices:
            config = first.with_settings([f"{name}={value}"])
            if config.top == first.top:
                continue
            lines += [f"\nWith `{name}={value}` the top is `{config.top}`, and this differs:"]
            told = [f"- {line}" for line in own.told(config) if line not in own.told(first)]
            lines += ["", *told] if told else []
            lines += ["\n| port | bits | direction | meaning |", "| --- | --- | --- | --- |"]
            before = set(own_ports(own, first))
            lines += [_port_row(port) for port in own_ports(own, config) if port not in before]
    return lines


def _tops() -> str:
    """Every top that a core can have, and where its ports are."""
    rows = [
        f"| `gcm_{one}` | `profile={one}` | [profiles](profiles.md#gcm_{one}) |" for one in PROFILES
    ]
    rows += [
        f"| `{own.module}` | `core={own.name}` | [below](#{own.module}-core{own.name}) |"
        for own in CORES_OF_THEIR_OWN
    ]
    return TOPS.format(more="\n".join(rows)).rstrip() + "\n"


def _whole() -> str:
    """The cores of their own whose ports nothing has to be packed of."""
    names = [f"`core={own.name}`" for own in CORES_OF_THEIR_OWN if packed(_first_of(own)) is None]
    return f"{' and '.join(names)} {'has' if len(names) == 1 else 'have'}"


def _own_core(own: Architecture) -> str:
    """What its ports are, in a few words."""
    title = own.title(_first_of(own))
    return OWN_CORE.format(module=own.module, streams=own.streams, page=own.page, title=title)


def _first_of(own: Architecture) -> CoreConfig:
    """A core of that kind, whose widths the page has."""
    first = {name: values[0] for name, values in own.needs.items()}
    return CoreConfig(core=own.name, **first)


def _settings(status: Status) -> str:
    """Those with one of which a core gives it."""
    option, _, values = status.only_with.partition("=")
    return " or ".join(f"`{option}={value}`" for value in values.split("|"))


def _status_row(status: Status) -> str:
    only = f" ({_settings(status)})" if status.only_with else ""
    return f"| {status.value} | {status.name} | {status.meaning}{only} | {status.action} |"


def _port_row(port: Port) -> str:
    return f"| `{port.name}` | {port.width} | {port.direction} | {port.meaning} |"


def registers_page() -> str:
    config = CoreConfig(registers="axi4lite")
    lines = ["# Registers of gcm_axil\n", NOTE, REGISTER_RULES]
    lines += ["| address | register | bits | access | meaning |", "| --- | --- | --- | --- | --- |"]
    for address, name, bits, access, meaning in register_rows(config):
        lines.append(f"| {address} | `{name}` | {bits} | {access} | {meaning} |")
    own = {port.name for port in top_ports(config)}
    lines += ["\n## Ports\n", "| port | bits | direction | meaning |", "| --- | --- | --- | --- |"]
    for port in public_ports(config):
        if port.name not in own:
            lines.append(f"| `{port.name}` | {port.width} | {port.direction} | {port.meaning} |")
    lines.append(
        "\nand `aclk`, `aresetn`, `s_axis_*` and `m_axis_*` as [gcm_axis](ports.md) has them."
    )
    return "\n".join(lines) + "\n"


def profiles_page() -> str:
    lines = ["# Packet profiles\n", NOTE, PROFILE_RULES.rstrip()]
    core = {port.name for port in top_ports(CoreConfig())}
    for profile in PROFILES:
        lines.append(f"\n## gcm_{profile}\n")
        lines += ["| port | bits | direction | meaning |", "| --- | --- | --- | --- |"]
        ports = public_ports(CoreConfig(profile=profile))
        lines += [_port_row(port) for port in ports if port.name not in core]
        gone = core - {port.name for port in ports}
        names = ", ".join(f"`{name}`" for name in sorted(gone))
        lines.append(f"\nand the ports of [gcm_axis](ports.md) without {names}.")
    return "\n".join(lines) + "\n"


COMMANDS_INTRO = """\
Results go to standard output; progress and errors go to standard error. The exit code is 0 when
what the command claims holds, 1 when it does not or cannot be found out, 2 for a command line that
is not understood, 130 after Ctrl-C.

**With `--json`** standard output is JSON, and only that. An error is one object there, and standard
error is empty:

    {"error": "preset smal: no such preset; did you mean small?"}

`measure` adds `results`, what was measured before the error.

**A folder that is not what was built**, by `gcmforge.lock`, is refused by `verify`, `prove` and
`measure` before anything runs. The error names each file that was changed, is missing or was added.
With `--allow-changed` the command runs, and its last line names them; with `--json` they stand
under `changed`. A file of the file list that is missing is always an error.
"""


def commands_page() -> str:
    text = cli.app.generate_docs(output_format="markdown")
    # cyclopts links to one hyphen where GitHub and MyST make three of " --"
    text = text.replace("(#gcmforge-install-completion)", "(#gcmforge---install-completion)")
    title, _, rest = text.partition("\n")
    return f"{title}\n\n{NOTE}\n{COMMANDS_INTRO}{rest.rstrip()}\n"


PAGES = {
    "options.md": options_page,
    "ports.md": ports_page,
    "registers.md": registers_page,
    "profiles.md": profiles_page,
    "commands.md": commands_page,
    "rooms.md": lambda: rooms_page(NOTE),
}


def packets() -> str:
    """Two packets of the default core, from a simulation."""
    files, _, _ = core_files(CoreConfig(), prove=False)
    return timing_diagram(trace_core(CoreConfig(), files))


PICTURES = {
    "core.svg": lambda: block_diagram(CoreConfig()),
    "how-to/packets.svg": packets,
    "how-to/segments.svg": beats_picture,
}

if __name__ == "__main__":
    REFERENCE.mkdir(exist_ok=True)
    for name, page in PAGES.items():
        (REFERENCE / name).write_text(page())
    for name, picture in PICTURES.items():
        (REFERENCE.parent / name).write_text(picture())
