# SPDX-License-Identifier: Apache-2.0
"""What each module keeps, and what it requires of those around it: asserted in every simulation,
proven by gcmforge.formal.

Properties stand in kept/MODULE.sv and required/MODULE.sv and go into that module, before its end,
so that they see its signals. They are labelled immediate assertions of five kinds, and one
attribute:

    lemma    holds in every state that can be reached; proven first, by induction, all at once;
             then relied upon, here and in the modules around
    assert   what is to be shown
    reach    what must be possible, so that what is shown of it says something
    suppose  what the proof is limited to: of what else the inputs may do, nothing is said
    require  what the modules around keep; relied upon by the proof of the module. These stand in
             required/, with no more than they need, and go in before
    (* look = "u_a.b" *) logic [...] name;    the signal b of the instance u_a, under that name
    (* look = "gen[WIDTH/8].u_a.b" *) ...     that of all instances, WIDTH / 8 of them by gcm_pkg,
                                              the last on top
    (* look = "u_a.b", where = "Depth > 2" *) that of an instance that is there with such
                                              parameters: sums and products, compared, joined by &&

A simulation draws what a proof chooses freely. What a proof is limited to ends the assertions of an
instance once it is left.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from importlib import resources

from gcmforge.sim.covered import MODULE, before_the_end
from gcmforge.tools import ToolError

_KIND = re.compile(r"\b(\w+)(\s*:\s*)(lemma|assert|require|suppose|reach) \(")
LOOK = re.compile(
    r'\(\* look = "(?P<path>[^"]+)"(?:, where = "(?P<where>[^"]+)")? \*\) '
    r"(?P<declared>logic (?:\[[^\]]*\] )?(?P<name>\w+);)"
)
_ALL = re.compile(r"\[(\w+)/(\d+)\]")
HAS_CLOCK = re.compile(r"\blogic\b[^;]*?\bclk\b")
_FREE = re.compile(r"\(\* any(const|seq) \*\) (logic (?:\[[^\]]*\] )?(\w+);)")
_BLOCK = re.compile(r"^( *)always_comb\b.*?(?=^\1\S|\Z)", re.S | re.M)

BEGUN = """
  logic f_begun_q = 1'b0;
  always_ff @(posedge clk) f_begun_q <= 1'b1;
"""
_OFF = """
  logic f_off, f_off_q = 1'b0;  // the proof says nothing of what is or was
  always_ff @(posedge clk) f_off_q <= f_begun_q && f_off;
"""
_WORDS = {
    "gcm_fifo": """
  logic [Depth*Width-1:0] words_q;
  always_comb
    for (int i = 0; i < Depth; i++) words_q[Width*i+:Width] = mem_q[(32'(read_q)+i)%Depth];
""",
    "gcm_ram": """
  logic [Depth*Width-1:0] words_q;
  if (Depth > 1) begin : gen_f_words
    always_comb for (int i = 0; i < Depth; i++) words_q[Width*i+:Width] = gen_memory.mem_q[i];
  end else begin : gen_f_words
    assign words_q = gen_word.word_q;
  end
""",
}
"""What properties name of a module's model (formal/models) that the module itself has not."""


def properties() -> Mapping[str, str]:
    """The text of what modules keep, by module."""
    return _texts_in("kept")


def requirements() -> Mapping[str, str]:
    """The text of what modules require of those around them, by module."""
    return _texts_in("required")


@cache
def _texts_in(folder_name: str) -> Mapping[str, str]:
    folder = resources.files(__name__) / folder_name
    return {
        file.name.removesuffix(".sv"): file.read_text(encoding="utf-8")
        for file in sorted(folder.iterdir(), key=lambda file: file.name)
        if file.name.endswith(".sv")
    }


def required(module: str) -> tuple[str, ...]:
    """What the proofs of a module rely on of its inputs, by name."""
    return tuple(match[1] for match in _KIND.finditer(requirements().get(module, "")))


def all_of(module: str) -> str:
    """What a module requires and keeps; nothing of one without properties."""
    return requirements().get(module, "") + properties().get(module, "")


def module_of(text: str) -> str:
    """The first module of a file; nothing of a file without one."""
    found = MODULE.search(text)
    return found[1] if found else ""


def with_kinds(text: str, written: Callable[[str, str], str | None]) -> str:
    """Properties as SystemVerilog: `written` makes the statement of a kind and an expression, or
    None for an empty one, without a label."""
    result, at = "", 0
    for found in _KIND.finditer(text):
        result += text[at : found.start()]
        at = _closing(text, found.end())
        statement = written(found[3], text[found.end() : at])
        result += "" if statement is None else f"{found[1]}{found[2]}{statement}"
        at += 1
    return result + text[at:]


def _closing(text: str, at: int) -> int:
    """Where the parenthesis closes that was opened just before."""
    depth = 1
    while depth:
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        at += 1
    return at - 1


def path_of_all(texts: Mapping[str, str], path: str) -> str:
    """One path into instances; or those of all, the last first, as they stand in one signal."""
    found = _ALL.search(path)
    if not found:
        return path
    constant, part = found[1], int(found[2])
    value = re.search(rf"\blocalparam int {constant} = (\d+);", "\n".join(texts.values()))
    if not value:
        raise ToolError(f"{path}: {constant} is not a constant of this core")
    each = range(int(value[1]) // part)
    return ",".join(_ALL.sub(f"[{number}]", path) for number in reversed(each))


def with_properties(texts: Mapping[str, str]) -> dict[str, str]:
    """Files of a core for a simulation, with the assertions of their modules."""
    result = dict(texts)
    for name, text in texts.items():
        module = module_of(text)
        body = _WORDS.get(module, "") + all_of(module)
        if body:
            clocked = bool(HAS_CLOCK.search(text))
            result[name] = before_the_end(text, _simulated(texts, body, clocked=clocked))
    return result


def _simulated(texts: Mapping[str, str], body: str, *, clocked: bool) -> str:
    """The properties of a module as assertions: at each edge of the clock, where it has one."""
    limits = []

    def written(kind: str, inside: str) -> str | None:
        if kind == "suppose":
            limits.append(f"({inside})")
        return None if kind in ("suppose", "reach") else f"assert (f_off || ({inside}))"

    def look(found: re.Match[str]) -> str:
        text = f"assign {found['name']} = {{{path_of_all(texts, found['path'])}}};"
        if found["where"]:
            text = f"if ({found['where']}) begin : gen_{found['name']}\n    {text}\n  end"
        return f"{found['declared']}\n  {text}"

    def drawn(found: re.Match[str]) -> str:
        once, declared, name = found.groups()
        when, gets = ("initial", "=") if once == "const" else ("always_ff @(posedge clk)", "<=")
        return f"{declared}\n  {when} {name} {gets} $bits({name})'($urandom);"

    def at_the_edge(found: re.Match[str]) -> str:
        if not clocked or not _KIND.search(found[0]):
            return found[0]
        return found[0].replace("always_comb", "always_ff @(posedge clk)", 1)

    body = with_kinds(_BLOCK.sub(at_the_edge, _FREE.sub(drawn, LOOK.sub(look, body))), written)
    if not clocked:
        return f"  localparam bit f_off = 1'b0;\n{body}"
    left = f"!rst && !({' && '.join(limits)})" if limits else "1'b0"
    return f"{BEGUN}{_OFF}  assign f_off = !f_begun_q || f_off_q || ({left});\n{body}"
