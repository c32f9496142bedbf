# SPDX-License-Identifier: Apache-2.0
"""The blocks of one core, drawn from its configuration."""

from __future__ import annotations

from dataclasses import dataclass

from gcmforge.config import CoreConfig
from gcmforge.emit.layers import public_ports
from gcmforge.report.own_diagram import own_diagram
from gcmforge.report.svg import arrow, box, document, text

WIDTH, HEIGHT = 1070.0, 412.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Block:
    """A box with its name and what is particular about it."""

    name: str
    notes: tuple[str, ...]
    x: float
    y: float
    width: float = 150.0
    height: float = 64.0
    kind: str = ""

    @property
    def left(self) -> tuple[float, float]:
        return self.x, self.y + self.height / 2

    @property
    def right(self) -> tuple[float, float]:
        return self.x + self.width, self.y + self.height / 2

    @property
    def top(self) -> tuple[float, float]:
        return self.x + self.width / 2, self.y

    @property
    def bottom(self) -> tuple[float, float]:
        return self.x + self.width / 2, self.y + self.height

    def drawn(self) -> list[str]:
        middle, first = self.top[0], self.y + 20
        lines = [box(self.x, self.y, self.width, self.height, self.kind)]
        lines.append(text(middle, first, self.name))
        for number, note in enumerate(self.notes, 1):
            lines.append(text(middle, first + 15 * number, note, "soft"))
        return lines


def block_diagram(config: CoreConfig) -> str:
    """SVG of the core."""
    if config.architecture:
        return own_diagram(config, config.architecture)
    blocks = _blocks(config)
    core, top = config.named("gcm_axis"), config.named(config.top)
    name = core if core == top else f"{core} inside {top}"
    body = [box(132, 14, 802, 384, "panel"), text(146, 34, name, "soft", "start")]
    for block in blocks.values():
        body += block.drawn()
    lines = _lines(blocks, config)
    return document(WIDTH, HEIGHT, f"Blocks of {core}: {config.summary}", body + lines)


def _blocks(config: CoreConfig) -> dict[str, Block]:
    contexts = f"{config.contexts} context{'s' * (config.contexts > 1)}"
    found = {
        "keys": Block(
            name="gcm_keys", notes=(contexts, f"{config.key_schedule} round keys"), x=152, y=46
        ),
        "command": Block(
            name="gcm_ahead" if config.ahead else "gcm_command",
            notes=(
                ("counters, places", f"for {config.ahead_depth} packets") if config.ahead
                else ("queue of commands",)
            ),
            x=152, y=152,
        ),
        "input": Block(
            name="axis_skid", notes=(f"{config.data_bits} bits a beat",), x=152, y=258
        ),
        "issue": Block(
            name="gcm_issue",
            notes=("beats to slots",) if config.ahead else ("beats to slots,", "counters"),
            x=346, y=205,
        ),
        "aes": Block(
            name=f"aes_{config.aes}", notes=(_aes(config), _lanes_of_aes(config)), x=524, y=46,
            width=170, kind="one",
        ),
        "slots": Block(
            name=config.slots_engine.diagram,
            notes=(f"{config.slot_depth} in {'step' if config.in_step else 'order'}",),
            x=524, y=152, width=170,
        ),
        "ghash": Block(
            name=f"ghash_{config.ghash}", notes=_ghash(config), x=524, y=300, width=170, kind="two"
        ),
        "subkey": Block(name="gcm_subkey", notes=config.key_unit_engine.diagram, x=346, y=300),
        "join": Block(name="gcm_join", notes=("adds, masks",), x=808, y=99, width=104),
        "tail": Block(name="gcm_tail", notes=config.tail_engine.diagram, x=711, y=300, width=80),
        "tag": Block(name="gcm_tag", notes=("compares",), x=808, y=300, width=104),
    }  # fmt: skip
    if config.release_engine.holds:
        found["release"] = Block(
            name="gcm_release", notes=(f"{config.release_depth} beats",), x=808, y=205, width=104
        )
    return found


def _aes(config: CoreConfig) -> str:
    stages = config.aes_substages
    per_round = f"{stages} stage{'s' * (stages > 1)} each"
    rounds = config.aes_engine.diagram(config)
    return rounds if config.aes_engine.side_by_side else f"{rounds}, {per_round}"


def _lanes_of_aes(config: CoreConfig) -> str:
    own = ", one for J0" if config.own_j0 else ""
    return f"{config.aes_lanes} lane{'s' * (config.aes_lanes > 1)}{own}, S-box {config.sbox}"


def _ghash(config: CoreConfig) -> tuple[str, ...]:
    stages = config.ghash_stages
    lanes = f"{config.ghash_lanes} lane{'s' * (config.ghash_lanes > 1)}"
    return (
        config.ghash_engine.product(config),
        f"{lanes}, {stages} stage{'s' * (stages > 1)}",
    )


def _lines(blocks: dict[str, Block], config: CoreConfig) -> list[str]:
    keys, command, source, issue = (blocks[n] for n in ("keys", "command", "input", "issue"))
    aes, slots, join = (blocks[n] for n in ("aes", "slots", "join"))
    ghash, tail, tag, subkey = (blocks[n] for n in ("ghash", "tail", "tag", "subkey"))
    left, right = 96.0, 970.0
    beats = 276.0 if "release" in blocks else 286.0
    lines = [
        *(arrow((left, one.left[1]), one.left) for one in (keys, command, source)),
        arrow((302, 66), (524, 66)),
        text(424, 60, "round keys", "soft"),
        arrow(command.right, (324, command.right[1]), (324, 226), (346, 226)),
        arrow(source.right, (324, source.right[1]), (324, 248), (346, 248)),
        arrow((302, 170), (420, 170), (420, 94), (524, 94)) if config.ahead
        else arrow((420, 205), (420, 94), (524, 94)),
        text(428, 112, "counters", "soft", "start"),
        arrow((460, 205), (460, 184), (524, 184)),
        arrow(aes.right, (860, aes.right[1]), join.top),
        text(777, 70, "key stream", "soft"),
        arrow(slots.right, (786, slots.right[1]), (786, 146), (808, 146)),
        text(705, beats - 6, "beats", "soft"),
        arrow(subkey.right, ghash.left),
        arrow(ghash.right, tail.left),
        arrow(tail.right, tag.left),
        text(516, 326, "H", "soft"),
        arrow(tag.right, (right, tag.right[1])),
    ]  # fmt: skip
    if config.key_unit_engine.dedicated:
        lines.append(arrow((302, 98), (312, 98), (312, subkey.left[1]), subkey.left))
    else:
        lines += [
            arrow((609, beats), (421, beats), subkey.top),
            text(566, beats - 6, "E(K, 0)", "soft"),
        ]
    if config.iv_any:
        lines += [
            arrow((860, 364), (860, 382), (505, 382), (505, 237), issue.right),
            text(680, 377, "J0 of long IVs", "soft"),
        ]
    if "release" in blocks:
        release = blocks["release"]
        lines += [
            arrow((808, 120), (796, 120), (796, beats), (609, beats), ghash.top),
            arrow((882, 163), (882, 205)),
            arrow(release.right, (right, release.right[1])),
            arrow((860, 300), (860, 269)),
        ]
    else:
        lines += [
            arrow((832, 163), (832, beats), (609, beats), ghash.top),
            arrow((888, 163), (888, 300)),
            arrow(join.right, (right, join.right[1])),
        ]
    return lines + _streams(blocks)


def _streams(blocks: dict[str, Block]) -> list[str]:
    text_out = blocks.get("release", blocks["join"])
    ends = [
        *((name, blocks[one].left, 90.0, "end") for name, one in
          (("s_key", "keys"), ("s_cmd", "command"), ("s_axis", "input"))),
        ("m_axis", text_out.right, 976.0, "start"),
        ("m_tag", blocks["tag"].right, 976.0, "start"),
    ]  # fmt: skip
    return [text(x, at[1] + 4, name, "name", side) for name, at, x, side in ends]


def port_groups(config: CoreConfig) -> dict[str, list[tuple[str, str, int, str]]]:
    """Ports of the outermost module by stream: name, direction, bits, meaning."""
    groups: dict[str, list[tuple[str, str, int, str]]] = {}
    for port in public_ports(config):
        stream = port.name.rpartition("_")[0] if "_" in port.name else "clock and reset"
        stream = next((s for s in STREAMS if port.name.startswith(f"{s}_")), stream)
        groups.setdefault(stream, []).append((port.name, port.direction, port.width, port.meaning))
    return groups


STREAMS = ("s_axil", "s_key", "s_cmd", "s_axis_aad", "s_axis", "m_axis", "m_tag")
