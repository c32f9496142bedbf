# SPDX-License-Identifier: Apache-2.0
"""Write docs/reference/ from the code: options, ports, commands. Run: python docs/generate.py"""

from pathlib import Path

from gcmforge import cli
from gcmforge.config import CoreConfig, default_of, options
from gcmforge.config.presets import PRESETS
from gcmforge.emit.layers import public_ports
from gcmforge.emit.ports import Port, top_ports
from gcmforge.emit.registers import register_rows
from gcmforge.sim.operations import Status

REFERENCE = Path(__file__).parent / "reference"
ASIDE = """\
A core with lanes for AAD has two ports more. They belong to `s_axis` and move with it. AAD of up to
16 bytes a lane may come there beside the packet's first beat of text, filled from byte 0 without
holes, and then has no beats of its own. A packet without text has it beside its one beat with
`tkeep` = 0 and `tlast`. AAD that is longer comes in beats with `tuser` 0 as in any core,
`s_axis_aad_keep` = 0 beside them. A packet has its AAD in one of the two ways: bytes beside a beat
of AAD, or beside a beat that is not the packet's first, are BAD_FRAME.
"""
ERRORS = """\
A packet gets one answer on `m_tag`, in the order of the commands, whatever happens to it, and what
happens to one changes nothing for the next. With an error there is no tag, and text is zero from
the beat on in which the error was found; with `release=verified` no text leaves at all. The first
error counts; known from the command alone: NO_KEY before BAD_IV before BAD_TAG_LENGTH.
"""
OUTCOMES = (
    (
        "the tag does not match",
        "AUTH_FAIL",
    ),
    (
        "a context that holds no key or does not exist; one whose last key had a size that is"
        " not built",
        "NO_KEY",
    ),
    (
        "a key for a context that does not exist",
        "it is taken, and no context changes",
    ),
    (
        "an IV of no byte, or not of 12 where the core takes no other; with `iv=counter`, "
        "none left",
        "BAD_IV",
    ),
    (
        "a tag length that SP 800-38D does not have",
        "BAD_TAG_LENGTH",
    ),
    (
        "AAD or text longer than the core's limit, or than SP 800-38D's",
        "TOO_LONG; what is within the limit has left, in whole beats",
    ),
    (
        "`tkeep` with holes, or not beginning with byte 0",
        "BAD_FRAME",
    ),
    (
        "a beat that is not full inside a section; AAD after text; AAD beside a beat where it"
        " may not be",
        "BAD_FRAME",
    ),
    (
        "`tlast` is missing",
        "the next packet's beats belong to this one: BAD_FRAME if they begin with AAD, else a"
        " longer packet (AUTH_FAIL, TOO_LONG); a command is left over",
    ),
    (
        "with `slots=ahead`: text in more or fewer beats than its command said",
        "BAD_FRAME; text is zero from the first beat too many, or from the last beat",
    ),
    (
        "`tlast` comes early, or data breaks off and a last beat is sent, also one with "
        "`tkeep` = 0",
        "a shorter packet: decrypting AUTH_FAIL, encrypting OK, and the tag is of what came",
    ),
    (
        "data breaks off and the sender wants the packet refused",
        "any last beat with a hole in `tkeep`: BAD_FRAME",
    ),
    (
        "data without a command",
        "no answer; two beats are taken (none with `zeroise=on`), then `s_axis_tready` stays "
        "low until a command comes, to which the data belongs",
    ),
    (
        "a command without data",
        "no answer; two more commands are taken, then `s_cmd_tready` stays low. Other "
        "contexts' keys can be loaded, a key for a context of those packets waits. A beat "
        "with `tlast` ends it, see above",
    ),
    (
        "the same with `timeout` = N: data without a command",
        "after N cycles an answer that no command asked for, BAD_FRAME; the data is taken, and"
        " nothing of it leaves. Whose what comes late is cannot be known: every packet is BAD_FRAME"
        " until both streams have been silent for N cycles",
    ),
    (
        "with `timeout` = N: a command without data, or data that breaks off",
        "BAD_FRAME after N cycles without an offer; of data that had begun, the rest is taken and"
        " dropped up to its `tlast`, whenever it comes; where none had come, every packet is"
        " BAD_FRAME until both streams have been silent for N cycles",
    ),
    (
        "with `timeout` = N: a command whose long IV breaks off",
        "BAD_FRAME (BAD_IV where the core takes no such IV); the words that are missing are taken"
        " as zeros after N cycles, and every packet is BAD_FRAME until both streams have been"
        " silent for N cycles",
    ),
    (
        "nobody takes text or answers",
        "the core stops taking data and commands, and loses nothing",
    ),
    (
        "reset at any moment",
        "no answer for what was under way, no context holds a key; what is offered afterwards"
        " is new",
    ),
    (
        "`zeroise` at any moment",
        "ERASED for each command that was taken, when the rest of its data has come; no "
        "context holds a key",
    ),
    (
        "key size 3 with `zeroise=on`",
        "packets under way come to their end first",
    ),
)
"""What happens, and what comes of it."""
STATUSES = """\
| `m_tag_status` | name | meaning |
| --- | --- | --- |
"""
MEANINGS = {
    Status.OK: "encrypting, or the tag matched",
    Status.AUTH_FAIL: "decrypting, and the tag did not match",
    Status.NO_KEY: "the context holds no usable key",
    Status.BAD_IV: "the length of the IV is not one that the core takes, or no IV is left",
    Status.BAD_TAG_LENGTH: "not 4, 8 or 12 to 16 bytes",
    Status.TOO_LONG: "AAD or text above the limit",
    Status.BAD_FRAME: "the data did not come as a packet",
    Status.ERASED: "given up when the core was erased (`zeroise=on`)",
}
NOTE = "Generated from the code by `python docs/generate.py`.\n"

REGISTER_RULES = """\
A core built with `registers=axi4lite` has the top `gcm_axil`: AXI4-Lite with 32 bits of data in
place of `s_key`, `s_cmd` and `m_tag`, and the data streams as they are. Its folder holds this map
for the same core as SystemRDL (`gcm_regs.rdl`) and for C (`gcm_regs.h`).

- **Refused, with SLVERR and without any effect:** an address that is unknown or no multiple of
  four, a write to what is only read, single bytes (`wstrb`) of a register that does something, a
  context that does not exist, and what cannot be done now: a key while another one waits, a
  command while another one waits or still misses parts of its IV. The bus is never held up by the
  core.
- **Keys are write-only.** KEY reads as zero, nothing that can be read depends on it, and it is
  cleared when the core takes it.
- **A packet:** write IV, IV_BYTES, EXPECTED_TAG when decrypting, then COMMAND; give its data to
  `s_axis`. When RESULT.valid is set, or `irq` is high, read RESULT and RESULT_TAG, then write
  RESULT_NEXT. Eight answers wait; then `m_axis` and `s_axis` wait for them to be read.
- **An IV of more than 16 bytes:** after COMMAND, write the next 16 bytes to IV and anything to
  IV_MORE, as often as STATUS.iv_more says.
- **Counters** are 64 bits and are read together: COUNTERS_TAKE copies all of them in one cycle
  and begins them again, so that nothing is lost between two takings; an event counts from two
  cycles after it on. Reading them changes nothing.
- **`irq`** follows IRQ_STATUS and IRQ_ENABLE one cycle later. IRQ_STATUS.result falls when the
  last answer is given away; IRQ_STATUS.failed stays until a 1 is written to it.
- `ro` is only read, `wo` only written and read as zero, `w1c` cleared by writing a 1.
"""

PROFILE_RULES = """\
A core built with `profile=macsec`, `ipsec` or `tls13` has the top `gcm_macsec`, `gcm_ipsec` or
`gcm_tls13`: `gcm_axis` with the fields of a packet's header in place of its IV and AAD. What is
constant for a key, such as a salt, goes with the key; what changes goes with the command. A command
uses what came with the key that it uses: one that is accepted at or before the cycle of a key's
handshake the old, one accepted later the new.

- **Fields that are bytes** (addresses, SCI, salt, IV) have their first byte in the lowest bits;
  **fields that are numbers** (packet and sequence numbers, SPI, SSCI, length) are numbers.
- **Data** comes on `s_axis` as in any core: what is encrypted as text, and what is only protected,
  behind the header, as AAD: the user data of a MACsec frame without confidentiality, or what comes
  before its confidentiality offset. The header itself is not sent there, and does not come out.
- **Beats.** A packet takes ceil((header + AAD) / beat) + ceil(text / beat) beats of the core; with
  `aad_lanes`, and without AAD of its own, ceil(text / beat): 64 bytes and their MACsec header are
  one beat of 512 bits. Headers have 20 or 28 bytes (MACsec without or with SCI), 8 or 12 (IPsec
  without or with ESN), 5 (TLS 1.3). Latency is one cycle more than the core's.
- **Salts are key material:** they are on no port, and are erased after a reset and by `zeroise`,
  where the core has it, in a cycle for each context; keys wait so long.
- **The sender sees to it** that no IV comes twice under one key (numbers are not counted here),
  and that the length field of a TLS record is right. **The receiver** drops what fails, and
  keeps the window of numbers against replay.
- Tags are of 16 bytes, but in IPsec `s_cmd_tag_bytes` says how long: RFC 4106 allows 8, 12 and 16.

They are tested with IEEE 802.1AE-2018, Annex C (its eight frames, in GCM-AES-128, GCM-AES-256,
GCM-AES-XPN-128 and GCM-AES-XPN-256), the 16 AES-GCM cases of draft-mcgrew-gcm-test-01, and of RFC
8448, section 3, the two records of application data and the two alerts, each of them sealed,
opened, and opened with a wrong tag. The `cryptography` package computes the same for each.
"""


def options_page() -> str:
    lines = ["# Options of a core\n", NOTE, "| option | default | allowed | meaning |"]
    lines.append("| --- | --- | --- | --- |")
    for name, option in options().items():
        default = default_of(name)
        shown = ", ".join(map(str, default)) if isinstance(default, tuple) else default
        unit = f" {option.unit}" if option.unit else ""
        lines.append(f"| `{name}` | {shown} | {option.allowed}{unit} | {option.meaning} |")
    lines += ["\n## Presets\n", "| name | for | configuration |", "| --- | --- | --- |"]
    for preset in PRESETS.values():
        lines.append(f"| `{preset.name}` | {preset.purpose} | {preset.config.summary} |")
    return "\n".join(lines) + "\n"


def ports_page() -> str:
    lines = ["# Ports of gcm_axis\n", NOTE]
    lines += ["Widths are those of the default core: the data streams have 128 bits a lane,"]
    lines += ["context numbers as many bits as the contexts need.\n"]
    lines += ["| port | bits | direction | meaning |", "| --- | --- | --- | --- |"]
    lines += map(_port_row, top_ports(CoreConfig()))
    lines += ["\n## With `aad_lanes`\n", ASIDE, "| port | bits a lane | direction | meaning |"]
    lines += ["| --- | --- | --- | --- |"]
    beside = set(top_ports(CoreConfig(aad_lanes=1))) - set(top_ports(CoreConfig()))
    lines += map(_port_row, sorted(beside, key=lambda port: port.name))
    alone = ("contexts=1", "iv=96")
    for setting, *others in (("zeroise=on",), ("iv=counter",), ("slots=ahead", *alone)):
        lines += [f"\n## With `{setting}`\n", "| port | bits | direction | meaning |"]
        lines += ["| --- | --- | --- | --- |"]
        without = CoreConfig().with_settings(others)
        more = set(top_ports(without.with_settings([setting]))) - set(top_ports(without))
        lines += map(_port_row, sorted(more, key=lambda port: port.name))
    lines += ["\n## What goes wrong, and what comes of it\n", STATUSES.rstrip()]
    lines += [f"| {s.value} | {s.name} | {MEANINGS[s]} |" for s in Status]
    lines += ["", ERRORS, "| what happens | what comes of it |", "| --- | --- |"]
    lines += [f"| {what} | {outcome} |" for what, outcome in OUTCOMES]
    return "\n".join(lines) + "\n"


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
    for profile in options()["profile"].choices[1:]:
        lines.append(f"\n## gcm_{profile}\n")
        lines += ["| port | bits | direction | meaning |", "| --- | --- | --- | --- |"]
        ports = public_ports(CoreConfig(profile=profile))
        lines += [_port_row(port) for port in ports if port.name not in core]
        gone = core - {port.name for port in ports}
        names = ", ".join(f"`{name}`" for name in sorted(gone))
        lines.append(f"\nand the ports of [gcm_axis](ports.md) without {names}.")
    return "\n".join(lines) + "\n"


def commands_page() -> str:
    text = cli.app.generate_docs(output_format="markdown")
    title, _, rest = text.partition("\n")
    return f"{title}\n\n{NOTE}{rest.rstrip()}\n"


PAGES = {
    "options.md": options_page,
    "ports.md": ports_page,
    "registers.md": registers_page,
    "profiles.md": profiles_page,
    "commands.md": commands_page,
}

if __name__ == "__main__":
    REFERENCE.mkdir(exist_ok=True)
    for name, page in PAGES.items():
        (REFERENCE / name).write_text(page())
