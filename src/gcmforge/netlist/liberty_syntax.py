# SPDX-License-Identifier: Apache-2.0
"""The syntax of Liberty: a file as groups of statements."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from gcmforge.config.brief import brief


class LibertyError(ValueError):
    """The file is not a Liberty file that can be used; the text says where and why."""


@dataclass(slots=True)
class Group:
    """name (arguments) { attributes and groups }."""

    name: str
    argument: str
    line: int
    simple: dict[str, str] = field(default_factory=dict)
    complex: dict[str, str] = field(default_factory=dict)
    groups: list[Group] = field(default_factory=list)

    def all(self, name: str) -> Iterator[Group]:
        return (group for group in self.groups if group.name == name)

    def first(self, name: str) -> Group | None:
        return next(self.all(name), None)


_COMMENT = re.compile(r'/\*.*?\*/|"[^"]*"', re.DOTALL)


_TOKEN = re.compile(
    r"""\s*(?:
      (?P<name>\w[\w.]*)[ \t]*(?:
          :[ \t]*(?P<value>"[^"]*"|[^";{}\n]*)[ \t]*;?
        | \((?P<argument>[^()"]*(?:"[^"]*"[^()"]*)*)\)\s*(?P<open>\{)?
      )
      | (?P<close>\})
      | (?P<semicolon>;)
    )""",
    re.VERBOSE,
)


def _blank_comment(match: re.Match[str]) -> str:
    """A comment becomes its line ends, so that line numbers stay; a string stays."""
    text = match.group()
    return text if text[0] == '"' else " " + "\n" * text.count("\n")


def parse_groups(text: str, origin: str) -> Group:
    """The tree of groups under the one `library` group."""
    text = _COMMENT.sub(_blank_comment, text).replace("\\\r\n", " \n").replace("\\\n", " \n")
    root = Group(name="", argument="", line=1)
    stack = [root]
    position, end = 0, len(text.rstrip())
    scan = _TOKEN.match
    counted, line = 0, 1
    while position < end:
        match = scan(text, position)
        if match is None:
            raise LibertyError(_cannot_read(text, position, origin))
        name, value, argument, opening, closing, _ = match.groups()
        if value is not None:
            stack[-1].simple[name] = value.strip().strip('"').strip()
        elif opening:
            line += text.count("\n", counted, match.start("name"))
            counted = match.start("name")
            group = Group(name=name, argument=words(argument), line=line)
            stack[-1].groups.append(group)
            stack.append(group)
        elif argument is not None:
            stack[-1].complex[name] = argument
        elif closing:
            if len(stack) == 1:
                line = text.count("\n", 0, match.start("close")) + 1
                raise LibertyError(f"{origin}, line {line}: a closing brace without an opening one")
            stack.pop()
        position = match.end()
    if len(stack) > 1:
        group = stack[-1]
        where = brief(f"{group.name} ({group.argument})")
        raise LibertyError(
            f"{origin}, line {group.line}: {where} is never closed; file ends too early"
        )
    return root


def words(argument: str) -> str:
    return argument.replace('"', "").strip()


def _cannot_read(text: str, position: int, origin: str) -> str:
    while text[position].isspace():
        position += 1
    line = text.count("\n", 0, position) + 1
    shown = text[position : position + 60].split("\n")[0]
    return f"{origin}, line {line}: not Liberty: {shown!r}"
