# SPDX-License-Identifier: Apache-2.0
"""The SystemVerilog of a core with its properties.

Properties stand in properties/MODULE.sv and go into that module, before its end, so that they see
its signals. They are labelled immediate assertions of five kinds, and one attribute:

    lemma    holds in every state that can be reached; proven first, by induction, all at once;
             then relied upon, here and in the modules around
    assert   what is to be shown
    reach    what must be possible, so that what is shown of it says something
    suppose  what the proof is limited to: of what else the inputs may do, nothing is said
    require  what the modules around keep; relied upon in the module, watched in simulation. These
             stand apart, in required/MODULE.sv, with no more than they need, and go in before
    (* look = "u_a.b" *) logic [...] name;    the signal b of the instance u_a, under that name
    (* look = "gen[WIDTH/8].u_a.b" *) ...     that of all instances, WIDTH / 8 of them by gcm_pkg,
                                              the last on top
    (* look = "u_a.b", where = "Depth > 2" *) that of an instance that is there with such parameters

In the proof of one module those inside it that have a file in models/ are that: a queue without
pointers, a sum that may be anything. They are proven each alone.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources

from gcmforge.tools import ToolError

_KIND = re.compile(r"\b(\w+)(\s*:\s*)(lemma|assert|require|suppose|reach) \(")
_LOOK = re.compile(
    r'\(\* look = "(?P<path>[^"]+)"(?:, where = "(?P<parameter>\w+) > (?P<least>\d+)")? \*\) '
    r"logic (?:\[[^\]]*\] )?(?P<name>\w+);"
)
_ALL = re.compile(r"\[(\w+)/(\d+)\]")
_MARK = re.compile(r"^\s*// synthesis translate_o(?:ff|n)\n", re.M)
_IN_A_LOOP = re.compile(r"for \(int[^\n]*\n\s*\w+ : assert \(.*?\);", re.S)
_OF_DATA = re.compile(r"\b(nothing_but_text|no_tag_on_error)( : )assert\b")
_HAS_RESET = re.compile(r"\binput\s+logic\s+(?:rst|aresetn)\b")
_HAS_CLOCK = re.compile(r"\blogic\b[^;]*?\bclk\b")
_WORD = re.compile(r"\w+")
_MODULE = re.compile(r"^module (\w+)", re.M)

_CLOCK = """
  (* anyseq *) logic clk;
"""
"""Of a module that has none: its circuit has one register, which says that time has begun."""
_BEGUN = """
  logic f_begun_q = 1'b0;
  always_ff @(posedge clk) f_begun_q <= 1'b1;
"""
_RESET = """
  always_comb if (!f_begun_q) begins_with_a_reset : assume (rst);
"""

LEMMAS, PROPERTIES, REACH, ALL = "lemmas", "properties", "reach", "all"
"""What is asked of a module: its lemmas; what it asserts, relying on them; what is possible; lemmas
and what it asserts alike."""

_ASKED = {
    LEMMAS: {"lemma": "assert", "assert": "cover", "reach": "cover"},
    PROPERTIES: {"lemma": "assume", "assert": "assert", "reach": "cover"},
    REACH: {"lemma": "cover", "assert": "cover", "reach": "never"},
    ALL: {"lemma": "assert", "assert": "assert", "reach": "cover"},
}
_MODELLED = (
    "gcm_axis_core", "gcm_fifo", "gcm_length", "gcm_ram", "micro_aes", "micro_ghash", "nano_aes",
    "nano_ghash",
)  # fmt: skip
_INPUTS = {"require": "assume", "suppose": "assume"}


@dataclass(frozen=True, kw_only=True, slots=True)
class Look:
    """A signal inside an instance, and the name by which properties know it."""

    name: str
    path: str


def properties() -> Mapping[str, str]:
    """The text of the properties by module."""
    return _texts_in("properties")


def requirements() -> Mapping[str, str]:
    """The text of what modules require of those around them, by module."""
    return _texts_in("required")


@cache
def _texts_in(folder_name: str) -> Mapping[str, str]:
    folder = resources.files("gcmforge.formal") / folder_name
    return {
        file.name.removesuffix(".sv"): file.read_text()
        for file in sorted(folder.iterdir(), key=lambda file: file.name)
        if file.name.endswith(".sv")
    }


def modules(texts: Mapping[str, str]) -> frozenset[str]:
    """The modules of a core's files."""
    return frozenset(map(_module_of, texts.values())) - {""}


def required(module: str) -> tuple[str, ...]:
    """What the proofs of a module rely on of its inputs, by name."""
    body = requirements().get(module, "")
    return tuple(match[1] for match in _KIND.finditer(body))


def _all_of(module: str) -> str:
    """What a module requires, and what is asked of it."""
    return requirements().get(module, "") + properties()[module]


def looks(texts: Mapping[str, str], module: str, parameters: Mapping[str, int]) -> tuple[Look, ...]:
    """The signals inside instances that a module's properties name, by the files of a core."""
    return tuple(
        Look(name=look["name"], path=_of_all(texts, look["path"]))
        for look in _LOOK.finditer(_all_of(module))
        if not look["parameter"] or parameters[look["parameter"]] > int(look["least"])
    )


def _of_all(texts: Mapping[str, str], path: str) -> str:
    """One path; or those of all instances, the last first, as Yosys writes what stands together."""
    found = _ALL.search(path)
    if not found:
        return path
    constant, part = found[1], int(found[2])
    value = re.search(rf"\blocalparam int {constant} = (\d+);", "\n".join(texts.values()))
    if not value:
        raise ToolError(f"{path}: {constant} is not a constant of this core")
    each = range(int(value[1]) // part)
    return ",".join(_ALL.sub(f"[{number}]", path) for number in reversed(each))


def for_module(
    texts: Mapping[str, str], module: str, parameters: Mapping[str, int], asked: str
) -> dict[str, str]:
    """The files of a core for a proof of one module; asked: LEMMAS, PROPERTIES, REACH or ALL."""
    result = {}
    for name, text in _with_its_parts(texts, module).items():
        inside = _module_of(text)
        if inside in _MODELLED and inside != module:
            result[name] = _as(_model(inside), {"lemma": "assume"})
        elif inside == module:
            text = with_parameters(text, parameters)
            reset = bool(_HAS_RESET.search(text))
            body = _as(_all_of(module), _ASKED[asked] | _INPUTS, begun=not reset)
            clock = "" if _HAS_CLOCK.search(text) else _CLOCK
            result[name] = _insert(text, clock + _BEGUN + body + (_RESET if reset else ""))
        elif inside in properties() and inside not in requirements():
            # without its looks: those of an inner instance have longer names
            kinds = {"lemma": "assume", "assert": "cover", "reach": "cover"}
            held = "" if _LOOK.search(_all_of(inside)) else _as(_all_of(inside), kinds)
            result[name] = _insert(text, held)
        else:
            result[name] = text
    return result


def _with_its_parts(texts: Mapping[str, str], module: str) -> dict[str, str]:
    """The files of the module, of those that it instantiates, and so on, and of packages."""
    names = {_module_of(text): name for name, text in texts.items() if _module_of(text)}
    needed, to_do = set(), [module]
    while to_do:
        one = to_do.pop()
        if one not in needed:
            needed.add(one)
            to_do += [word for word in set(_WORD.findall(texts[names[one]])) if word in names]
    return {name: text for name, text in texts.items() if _module_of(text) in {"", *needed}}


def with_parameters(text: str, parameters: Mapping[str, int]) -> str:
    """A module's text with those values where its defaults stand."""
    for key, value in parameters.items():
        default = rf"(\bparameter\b[^=;()]*\b{key} = )[^,\s]+"
        text, found = re.subn(default, rf"\g<1>{value}", text, count=1)
        if not found:
            raise ToolError(f"parameter {key}: its default is not found in {_module_of(text)}")
    return text


def for_core(texts: Mapping[str, str], top: str) -> dict[str, str]:
    """The files of a core, with the assertions of the RTL itself and of its top's properties, those
    about data left out."""
    result = {}
    for name, text in texts.items():
        inside = _module_of(text)
        text = _OF_DATA.sub(r"\1\2cover", _IN_A_LOOP.sub(";", _MARK.sub("", text)))
        if inside == "stream_rules":
            text = _model(inside)
        elif inside == top:
            body = _as(_all_of(top), {"lemma": "assert", "reach": "cover"} | _INPUTS)
            text = _insert(text, _BEGUN + body + _RESET)
        result[name] = text
    return result


def with_what_holds(texts: Mapping[str, str]) -> dict[str, str]:
    """The files of a core, with what is proven of its modules, and what these require, as
    assumptions; but for modules whose properties have a limit, or look into instances."""
    result = dict(texts)
    holds = {"lemma": "assume", "assert": "assume", "require": "assume", "reach": "cover"}
    for name, text in texts.items():
        module = _module_of(text)
        body = _all_of(module) if module in properties() else ""
        clocked = _HAS_CLOCK.search(text)
        if body and clocked and "suppose (" not in body and not _LOOK.search(body):
            result[name] = _insert(text, _BEGUN + _as(body, holds))
    return result


def for_simulation(texts: Mapping[str, str]) -> dict[str, str]:
    """The files of a core, with assertions of what its modules require of each other."""
    result = dict(texts)
    for name, text in texts.items():
        if body := requirements().get(_module_of(text), ""):
            body = _LOOK.sub(
                lambda look: f"{look[0]}\n  assign {look['name']} = {look['path']};", body
            )
            body = body.replace("always_comb", "always_ff @(posedge clk)")
            result[name] = _insert(text, _as(body, {"require": "assert"}))
    return result


def _model(module: str) -> str:
    return (resources.files("gcmforge.formal") / "models" / f"{module}.sv").read_text()


def _as(text: str, kinds: Mapping[str, str], *, begun: bool = False) -> str:
    """Every property as what stands for its kind in SystemVerilog; `never` asserts its opposite.

    With `begun` nothing is asserted in the first cycle: ABC wants a register in each circuit.
    """
    result, at = "", 0
    for found in _KIND.finditer(text):
        kind = kinds.get(found[3], found[3])
        result += text[at : found.start()] + found[1] + found[2]
        at = _closing(text, found.end())
        inside = text[found.end() : at]
        if kind == "never":
            result += f"assert (!(f_begun_q && ({inside})))"
        elif kind == "assert" and begun:
            result += f"assert (!f_begun_q || ({inside}))"
        else:
            result += f"{kind} ({inside})"
        at += 1
    return result + text[at:]


def _closing(text: str, at: int) -> int:
    """Where the parenthesis closes that was opened just before."""
    depth = 1
    while depth:
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        at += 1
    return at - 1


def _insert(text: str, body: str) -> str:
    end = text.rindex("endmodule")
    return text[:end] + body + text[end:]


def _module_of(text: str) -> str:
    found = _MODULE.search(text)
    return found[1] if found else ""
