# SPDX-License-Identifier: Apache-2.0
"""VHDL of others as Verilog, by GHDL, with what GHDL 2.0 leaves out of it."""

import re
import subprocess
from collections.abc import Sequence
from pathlib import Path

from gcmforge.config import ConfigError

TIME_LIMIT_S = 1800

_REDUCED = re.compile(r"\b(and|or|xor)_reduce\(")
"""A function of std_logic_misc, which GHDL 2.0 does not synthesise, and VHDL-2008 has an operator
for."""
_KEYWORD = re.compile(r"\b(input|output)\b", re.IGNORECASE)
"""Names in VHDL that are keywords of Verilog, in which GHDL 2.0 writes them as they are."""


def verilog(files: Sequence[Path], top: str, generics: Sequence[str], folder: Path) -> Path:
    """What GHDL makes of VHDL files in the order of compilation; the file is in the folder."""
    options = ["--std=08", "-fsynopsys", f"--workdir={folder.resolve()}"]
    for file in files:
        text = file.read_text(encoding="latin-1")
        if "std_logic_misc" in text:
            lines = [line for line in text.splitlines() if "std_logic_misc" not in line]
            text = _REDUCED.sub(r"\1 (", "\n".join(lines))
        file.write_text(_KEYWORD.sub(r"\1_0", text), encoding="latin-1")
        run_tool(folder, ["ghdl", "-a", *options, str(file.resolve())], "GHDL refused it")
    command = ["ghdl", "synth", *options, *(f"-g{generic}" for generic in generics)]
    as_verilog, as_vhdl = (
        run_tool(folder, [*command, f"--out={language}", top], "GHDL refused it")
        for language in ("verilog", "vhdl")
    )
    made = folder / "peer.v"
    made.write_text(with_selectors(with_defaults(as_verilog, as_vhdl)))
    return made


_SELECTED = re.compile(r"with \w+ select (\w+) <=[^;]*?(\S+|\([^)]*\)) when others;")
_CASE = re.compile(r"( +case \(\w+\)\n(?: +\d+'b[01]+: (\w+) <= [^;]+;\n)+)( +endcase)")


def with_defaults(as_verilog: str, as_vhdl: str) -> str:
    """What GHDL 2.0 writes as Verilog, with what it leaves out: the value of a choice for all
    other cases. It stands in what GHDL writes as VHDL, where the nets have the same names.
    """
    others = dict(_SELECTED.findall(as_vhdl))

    def whole(found: re.Match[str]) -> str:
        cases, net, end = found.groups()
        if net not in others:
            raise ConfigError(f"{net}: GHDL's VHDL has no value of it for other cases")
        return f"{cases}      default: {net} <= {_value(others[net])};\n{end}"

    if "$signed" in as_verilog and ">>" in as_verilog:
        raise ConfigError("GHDL 2.0 writes an arithmetic shift as a logical one")
    made, count = _CASE.subn(whole, as_verilog)
    if count != as_verilog.count("endcase"):
        raise ConfigError("GHDL's Verilog has a case that is not understood")
    return made


_COMPARED = re.compile(r"assign (\w+) = (\w+) == (\d+'b[01]+);")
_JOINED = re.compile(r"assign (\w+) = \{([\w, \n]+)\};")
_ONE_HOT = re.compile(r"case \((\w+)\)\n((?: +\d+'b0*10*: .*\n)+)(?= +default:)")


def with_selectors(text: str) -> str:
    """A choice by the results of comparisons of one net, as GHDL writes it, by that net itself.

    Yosys would make a comparator for each of the 256 cases of an S-box otherwise.
    """
    compared: dict[str, tuple[str, str]] = {
        net: (source, value) for net, source, value in _COMPARED.findall(text)
    }
    joined = {net: re.findall(r"\w+", nets) for net, nets in _JOINED.findall(text)}

    def plain(found: re.Match[str]) -> str:
        selector, cases = found.groups()
        nets = joined.get(selector, [])
        choices = [compared[net] for net in nets if net in compared]
        values = {value for _, value in choices}
        if len({source for source, _ in choices}) != 1 or len(values) != len(nets):
            return str(found[0])

        def label(one: re.Match[str]) -> str:
            return choices[one[1].index("1")][1] + ":"

        return f"case ({choices[0][0]})\n" + re.sub(r"\d+'b(0*10*):", label, cases)

    return _ONE_HOT.sub(plain, text)


def _value(vhdl: str) -> str:
    """A net or a constant of GHDL's VHDL, in Verilog."""
    if same := re.fullmatch(r"\(\d+ downto 0 => '(\S)'\)", vhdl):
        return f"'{same[1].lower()}"
    bits = vhdl.strip("\"'")
    if bits == vhdl:
        return vhdl.removeprefix("wrap_")
    return f"{len(bits)}'b{bits.lower().replace('-', 'x')}"


def run_tool(folder: Path, command: Sequence[str], otherwise: str) -> str:
    """What a command prints; ConfigError with what it said when it failed."""
    try:
        run = subprocess.run(
            command, cwd=folder, capture_output=True, text=True, timeout=TIME_LIMIT_S
        )
    except FileNotFoundError:
        raise ConfigError(f"{command[0]}: not installed") from None
    except subprocess.TimeoutExpired:
        raise ConfigError(f"{command[0]}: not done after {TIME_LIMIT_S} s") from None
    if run.returncode:
        said = run.stderr.strip().splitlines() or ["no word"]
        raise ConfigError(f"{folder}: {' '.join(command[:2])}: {said[-1]}; {otherwise}")
    return run.stdout
