# SPDX-License-Identifier: Apache-2.0
"""The SystemVerilog of a core for proofs of what gcmforge.sim.properties says of its modules.

In the proof of one module those inside it that have a file in models/ are that: a queue without
pointers, a sum that may be anything. They are proven each alone.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources

from gcmforge.emit.rtl import names_in
from gcmforge.sim.covered import before_the_end
from gcmforge.sim.properties import (
    BEGUN,
    HAS_CLOCK,
    LOOK,
    all_of,
    module_of,
    path_of_all,
    properties,
    requirements,
    with_kinds,
)
from gcmforge.tools import ToolError

_MARK = re.compile(r"^\s*// synthesis translate_o(?:ff|n)\n", re.M)
_IN_A_LOOP = re.compile(r"for \(int[^\n]*\n\s*\w+ : assert \(.*?\);", re.S)
_OF_DATA = re.compile(r"\b(nothing_but_text|no_tag_on_error)( : )assert\b")
_HAS_RESET = re.compile(r"\binput\s+logic\s+(?:rst|aresetn)\b")
_WORD = re.compile(r"\w+")
_SUMS = re.compile(r"[\d\s+*<>=-]+(?:&&[\d\s+*<>=-]+)*")

_CLOCK = """
  (* anyseq *) logic clk;
"""
"""Of a module that has none: its circuit has one register, which says that time has begun."""
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
    "gcm_axis_core", "gcm_fifo", "gcm_length", "gcm_ram", "micro_cipher", "micro_hash",
    "nano_cipher", "nano_ghash",
)  # fmt: skip
_INPUTS = {"require": "assume", "suppose": "assume"}


@dataclass(frozen=True, kw_only=True, slots=True)
class Look:
    """A signal inside an instance, and the name by which properties know it."""

    name: str
    path: str


def modules(texts: Mapping[str, str]) -> frozenset[str]:
    """The modules of a core's files."""
    return frozenset(map(module_of, texts.values())) - {""}


def looks(texts: Mapping[str, str], module: str, parameters: Mapping[str, int]) -> tuple[Look, ...]:
    """The signals inside instances that a module's properties name, by the files of a core."""
    return tuple(
        Look(name=look["name"], path=path_of_all(texts, look["path"]))
        for look in LOOK.finditer(all_of(module))
        if not look["where"] or _holds(look["where"], parameters)
    )


def _holds(condition: str, parameters: Mapping[str, int]) -> bool:
    """Sums and products of parameters, compared, joined by `&&`."""
    text = _WORD.sub(lambda word: str(parameters.get(word[0], word[0])), condition)
    if not _SUMS.fullmatch(text):
        raise ToolError(f"{condition}: no comparison of parameters of the module")
    return bool(eval(text.replace("&&", " and "), {"__builtins__": {}}))


def for_module(
    texts: Mapping[str, str], module: str, parameters: Mapping[str, int], asked: str
) -> dict[str, str]:
    """The files of a core for a proof of one module; asked: LEMMAS, PROPERTIES, REACH or ALL."""
    result = {}
    for name, text in with_its_parts(texts, module).items():
        inside = module_of(text)
        if inside in _MODELLED and inside != module:
            result[name] = _as(_model(inside), {"lemma": "assume"})
        elif inside == module:
            text = with_parameters(text, parameters)
            reset = bool(_HAS_RESET.search(text))
            body = _as(all_of(module), _ASKED[asked] | _INPUTS, begun=not reset)
            clock = "" if HAS_CLOCK.search(text) else _CLOCK
            result[name] = before_the_end(text, clock + BEGUN + body + (_RESET if reset else ""))
        elif inside in properties() and inside not in requirements():
            # without its looks: those of an inner instance have longer names
            kinds = {"lemma": "assume", "assert": "cover", "reach": "cover"}
            held = "" if LOOK.search(all_of(inside)) else _as(all_of(inside), kinds)
            result[name] = before_the_end(text, held)
        else:
            result[name] = text
    return result


def with_its_parts(texts: Mapping[str, str], module: str) -> dict[str, str]:
    """The files of the module, of those that it instantiates, and so on, and of packages."""
    names = {module_of(text): name for name, text in texts.items() if module_of(text)}
    needed, to_do = set(), [module]
    while to_do:
        one = to_do.pop()
        if one not in needed:
            needed.add(one)
            to_do += names_in(texts[names[one]], names)
    return {name: text for name, text in texts.items() if module_of(text) in {"", *needed}}


def users_of(texts: Mapping[str, str], module: str) -> tuple[str, ...]:
    """The modules whose code names that one."""
    found = (module_of(text) for text in texts.values() if any(names_in(text, {module})))
    return tuple(user for user in found if user not in {"", module})


def with_parameters(text: str, parameters: Mapping[str, int]) -> str:
    """A module's text with those values where its defaults stand."""
    for key, value in parameters.items():
        default = rf"(\bparameter\b[^=;()]*\b{key} = )[^,\s]+"
        text, found = re.subn(default, rf"\g<1>{value}", text, count=1)
        if not found:
            raise ToolError(f"parameter {key}: its default is not found in {module_of(text)}")
    return text


def for_core(texts: Mapping[str, str], top: str) -> dict[str, str]:
    """The files of a core, with the assertions of the RTL itself and of its top's properties, those
    about data left out."""
    result = {}
    for name, text in texts.items():
        inside = module_of(text)
        text = _OF_DATA.sub(r"\1\2cover", _IN_A_LOOP.sub(";", _MARK.sub("", text)))
        if inside == "stream_rules":
            text = _model(inside)
        elif inside == top:
            body = _as(all_of(top), {"lemma": "assert", "reach": "cover"} | _INPUTS)
            text = before_the_end(text, BEGUN + body + _RESET)
        result[name] = text
    return result


def with_what_holds(texts: Mapping[str, str]) -> dict[str, str]:
    """The files of a core, with what is proven of its modules, and what these require, as
    assumptions; of modules whose properties have a limit, or look into instances, only what they
    require."""
    result = dict(texts)
    holds = {"lemma": "assume", "assert": "assume", "require": "assume", "reach": "cover"}
    for name, text in texts.items():
        module = module_of(text)
        body = all_of(module)
        if "suppose (" in body or LOOK.search(body):
            body = requirements().get(module, "")
        if body and HAS_CLOCK.search(text) and not LOOK.search(body):
            result[name] = before_the_end(text, BEGUN + _as(body, holds))
    return result


def _model(module: str) -> str:
    return (resources.files("gcmforge.formal") / "models" / f"{module}.sv").read_text()


def _as(text: str, kinds: Mapping[str, str], *, begun: bool = False) -> str:
    """Every property as what stands for its kind in SystemVerilog; `never` asserts its opposite.

    With `begun` nothing is asserted in the first cycle: ABC wants a register in each circuit.
    """

    def written(kind: str, inside: str) -> str:
        stands = kinds.get(kind, kind)
        if stands == "never":
            return f"assert (!(f_begun_q && ({inside})))"
        if stands == "assert" and begun:
            return f"assert (!f_begun_q || ({inside}))"
        return f"{stands} ({inside})"

    return with_kinds(text, written)
