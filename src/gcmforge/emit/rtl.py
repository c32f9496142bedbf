# SPDX-License-Identifier: Apache-2.0
"""Which SystemVerilog files a core is made of, and in which order a compiler wants them."""

import re
from collections.abc import Callable, Container, Iterator, Mapping
from pathlib import Path

from gcmforge.cache import digest
from gcmforge.config.installed import engine_folders

RTL = Path(__file__).parents[1] / "rtl"
"""What every core has; what a configuration chooses is with the engines."""

_COMMENT_OR_STRING = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\])*\"", re.DOTALL)
_LINE_COMMENT = re.compile(r"//[^\n]*")
_SIMULATED = re.compile(r"// synthesis translate_off\n(.*?)// synthesis translate_on\n", re.DOTALL)
_WORD = re.compile(r"[A-Za-z_]\w*")


def handwritten() -> dict[str, Path]:
    """Every hand-written file by its module's name, which is the file's name too."""
    rooms = (RTL, *engine_folders())
    files = (path for room in rooms for path in room.rglob("*.sv"))
    return {path.stem: path for path in sorted(files)}


def gather(
    top: str, generated: Mapping[str, Callable[[], str]], written: Mapping[str, str]
) -> dict[str, str]:
    """Module name -> text of everything that `top` needs, dependencies before their users.

    generated: how to make a module that has no file; called only for those that are needed.
    written: texts of the hand-written modules and packages.
    """
    texts: dict[str, str] = {}
    open_modules: list[str] = []

    def visit(name: str) -> None:
        if name in texts:
            return
        if name in open_modules:
            raise ValueError(f"modules need each other: {' -> '.join([*open_modules, name])}")
        open_modules.append(name)
        text = generated[name]() if name in generated else written[name]
        for needed in names_in(text, {*generated, *written} - {name}):
            visit(needed)
        open_modules.pop()
        texts[name] = text

    visit(top)
    packages = {name: text for name, text in texts.items() if name.endswith("_pkg")}
    return packages | texts


def with_defaults(text: str, values: Mapping[str, str]) -> str:
    """A module's text with these defaults of its parameters."""
    for name, value in values.items():
        default = rf"(\bparameter (?:bit|int|longint unsigned) {name} = )(?:\d+'[bd])?\d+"
        text, found = re.subn(default, rf"\g<1>{value}", text, count=1)
        if not found:
            raise ValueError(f"parameter {name} has no default that is a number")
    return text


def instead_of(text: str, name: str, other: str) -> str:
    """A module's text with instances of another module in the place of those of `name`."""
    return re.sub(rf"(?m)^( *){name}\b", rf"\g<1>{other}", text)


def names_in(text: str, known: Container[str]) -> Iterator[str]:
    """The known module and package names that the code (not its comments) uses, in order."""
    words = _WORD.findall(_COMMENT_OR_STRING.sub(" ", text))
    return (word for word in dict.fromkeys(words) if word in known)


def code_of(text: str) -> str:
    """A module without its comments and what stands in it for simulation alone, its words one blank
    apart. Two texts with the same code are the same circuit. The subset of design.md has no other
    comments, and no string with //."""
    return " ".join(_LINE_COMMENT.sub("", _SIMULATED.sub("", text)).split())


def simulated_of(text: str) -> str:
    """What synthesis leaves out of a module, the rest of what code_of leaves out but comments."""
    return " ".join(_LINE_COMMENT.sub("", "".join(_SIMULATED.findall(text))).split())


def code_digest(texts: Mapping[str, str]) -> str:
    """SHA-256 of the code of files, name -> SystemVerilog, in that order."""
    return digest(*(f"{name}\n{code_of(text)}" for name, text in texts.items()))
