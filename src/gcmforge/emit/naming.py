# SPDX-License-Identifier: Apache-2.0
"""A core's name in its folder: put there when the folder is written, taken off when it is read.

Everything that gcmforge makes, proves, simulates and measures is the core without its name; the
folder is the only place where `gcm_axis` is `rx_gcm_axis`. Identifiers are renamed token by token,
and only where one stands for a module or a package. Comments, strings, ports, signals and instances
stay as they are.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory

from gcmforge.config import ConfigError, CoreConfig
from gcmforge.emit.folder import BuildError

LIST = "gcm_axis.f"
"""The file list of a core without a name."""
WIDE = "bench/wide"
"""Where the modules are that give a core with ports of its own the streams of every other core."""
WIDE_LIST = f"{WIDE}/wide.f"
"""Their file list, of a core that has them; its paths begin at the core's folder, too."""

_TOKEN = re.compile(
    r"""
    (?P<blank>    \s+ | //[^\n]* | /\*.*?\*/ )
  | (?P<string>   "(?:\\.|[^"\\])*" )
  | (?P<number>   (?:\d[\d_]*\s*)? '[sS]?[bodhBODH]\s*[\da-fA-FxXzZ?_]+ | \d[\d_]* )
  | (?P<escaped>  \\\S+ | `\w+ | \$\w+ )
  | (?P<word>     [A-Za-z_][\w$]* )
  | (?P<other>    :: | . )
    """,
    re.DOTALL | re.VERBOSE,
)  # fmt: skip

_DECLARES = ("module", "macromodule", "package")
_ENDS = ("endmodule", "endpackage")


def renamed(text: str, names: Mapping[str, str]) -> str:
    """SystemVerilog with the modules and packages that have a new name called by it."""
    parts = [(match.lastgroup or "", match.group()) for match in _TOKEN.finditer(text)]
    code = [at for at, (kind, _) in enumerate(parts) if kind != "blank"]
    for place, at in enumerate(code):
        kind, word = parts[at]
        if kind == "word" and word in names and _is_module(parts, code, place):
            parts[at] = (kind, names[word])
    return "".join(word for _, word in parts)


def _is_module(parts: Sequence[tuple[str, str]], code: Sequence[int], place: int) -> bool:
    """Whether the word at that place of the code stands for a module or a package: where one is
    declared or ended, before `::`, and before an instance or its parameters."""

    def near(offset: int) -> tuple[str, str]:
        there = place + offset
        return parts[code[there]] if 0 <= there < len(code) else ("", "")

    before, after = near(-1)[1], near(1)
    if before in _DECLARES or (before == ":" and near(-2)[1] in _ENDS):
        return True
    if before == ".":
        return False
    if after[1] == "::":
        return True
    instance = after[0] in ("word", "escaped") and near(2)[1] in ("(", "[")
    return instance or (after[1] == "#" and near(2)[1] == "(")


def declared(text: str) -> Iterator[str]:
    """Names of the modules and packages in a SystemVerilog text."""
    tokens = [m for m in _TOKEN.finditer(text) if m.lastgroup != "blank"]
    for before, token in pairwise(tokens):
        if before.group() in _DECLARES and token.lastgroup == "word":
            yield token.group()


def _words(text: str) -> set[str]:
    return {match.group() for match in _TOKEN.finditer(text) if match.lastgroup == "word"}


# Into a folder ------------------------------------------------------------------------------------

_NAMED = ("gcm_axis.", "gcm_regs.")
"""Files of the folder's top that go into designs of others."""


def named_path(config: CoreConfig, path: str) -> str:
    """Where a file of the core is in its folder."""
    place = PurePosixPath(path)
    goes_out = place.suffix == ".sv" or place.name.startswith(_NAMED)
    return str(place.with_name(config.named(place.name))) if goes_out else path


def named_files(config: CoreConfig, files: Mapping[str, str]) -> dict[str, str]:
    """The files as they are in the folder of a core of that name.

    SystemVerilog and file lists are renamed here. Other texts have the name already: what writes
    them knows it.
    """
    if not config.name:
        return dict(files)
    sources = {path: text for path, text in files.items() if path.endswith(".sv")}
    names = {name: config.named(name) for text in sources.values() for name in declared(text)}
    taken = set(names.values()) & set().union(*map(_words, sources.values()))
    if taken:
        raise ConfigError(
            f"name={config.name}: {min(taken)} is a word of this core's SystemVerilog already; "
            "use another name"
        )
    made = {path: renamed(text, names) if path in sources else text for path, text in files.items()}
    for path in (LIST, WIDE_LIST):
        if path in files:
            lines = (named_path(config, line) for line in files[path].split())
            made[path] = "".join(f"{line}\n" for line in lines)
    return {named_path(config, path): text for path, text in made.items()}


# Out of a folder ----------------------------------------------------------------------------------


def find_list(folder: Path) -> Path:
    """The file list of a core's folder; FileNotFoundError where there is none, or more."""
    found = sorted(folder.glob(f"*{LIST}"))
    plain = [path for path in found if path.name == LIST]
    if len(plain or found) != 1:
        many = f"{len(found)} files NAME_{LIST}" if found else f"no {LIST}"
        raise FileNotFoundError(f"{folder} is not a core folder: it holds {many}")
    return (plain or found)[0]


def listed(folder: Path) -> tuple[str, ...]:
    """The SystemVerilog of a core's folder in compile order: what is the core, then what is around
    it for its bench."""
    files = []
    for place in (find_list(folder), folder / WIDE_LIST):
        for line in place.read_text(encoding="utf-8").splitlines() if place.is_file() else ():
            entry = re.split(r"//|#", line, maxsplit=1)[0].strip()
            if entry and not entry.startswith(("+", "-")):
                files.append(entry)
    return tuple(files)


def unnamed(folder: Path, listed: Sequence[str]) -> dict[str, str]:
    """Path -> SystemVerilog of a folder's core without its name, in the order of the list.

    BuildError where a text has changed so much that its name cannot be taken off and put back.
    """
    prefix = find_list(folder).name.removesuffix(LIST)
    texts = {path: (folder / path).read_text(encoding="utf-8") for path in listed}
    if not prefix:
        return texts
    own = {name for text in texts.values() for name in declared(text) if name.startswith(prefix)}
    off = {name: name.removeprefix(prefix) for name in own}
    on = {plain: name for name, plain in off.items()}
    made = {}
    for path, text in texts.items():
        plain = renamed(text, off)
        if renamed(plain, on) != text:
            raise BuildError(
                f"{folder / path}: uses a module both with and without {prefix} before its name; "
                "use it with the core's name"
            )
        place = PurePosixPath(path)
        made[str(place.with_name(place.name.removeprefix(prefix)))] = plain
    return made


@contextmanager
def unnamed_sources(folder: Path, sources: Sequence[Path]) -> Iterator[tuple[Path, ...]]:
    """The SystemVerilog of a folder as files without the core's name; the files themselves where
    it has none."""
    if find_list(folder).name == LIST:
        yield tuple(sources)
        return
    texts = unnamed(folder, [path.relative_to(folder).as_posix() for path in sources])
    with TemporaryDirectory(prefix="gcmforge-unnamed-") as place:
        made = []
        for path, text in texts.items():
            file = Path(place, path)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
            made.append(file)
        yield tuple(made)
