# SPDX-License-Identifier: Apache-2.0
"""Write docs/reference/ from the code: options, ports, commands. Run: python docs/generate.py"""

from pathlib import Path

from gcmforge import cli
from gcmforge.build.ports import Port, top_ports
from gcmforge.config import CoreConfig, default_of, options
from gcmforge.presets import PRESETS

REFERENCE = Path(__file__).parent / "reference"
ASIDE = """\
A core with lanes for AAD has two ports more. They belong to `s_axis` and move with it. AAD of up to
16 bytes a lane may come there beside the packet's first beat of text, filled from byte 0 without
holes, and then has no beats of its own. A packet without text has it beside its one beat with
`tkeep` = 0 and `tlast`. AAD that is longer comes in beats with `tuser` 0 as in any core,
`s_axis_aad_keep` = 0 beside them. A packet has its AAD in one of the two ways: bytes beside a beat
of AAD, or beside a beat that is not the packet's first, are BAD_FRAME.
"""
NOTE = "Generated from the code by `python docs/generate.py`.\n"


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
    return "\n".join(lines) + "\n"


def _port_row(port: Port) -> str:
    return f"| `{port.name}` | {port.width} | {port.direction} | {port.meaning} |"


def commands_page() -> str:
    text = cli.app.generate_docs(output_format="markdown")
    title, _, rest = text.partition("\n")
    return f"{title}\n\n{NOTE}{rest.rstrip()}\n"


PAGES = {"options.md": options_page, "ports.md": ports_page, "commands.md": commands_page}

if __name__ == "__main__":
    REFERENCE.mkdir(exist_ok=True)
    for name, page in PAGES.items():
        (REFERENCE / name).write_text(page())
