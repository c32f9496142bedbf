# SPDX-License-Identifier: Apache-2.0
"""Points in a core's modules that verification should reach, counted in every simulation.

Each MODULE.sv here goes into that module, before its end, so that it sees its signals. A point is a
labelled `cover` with what has to be true in a clock cycle. They say what presses a module: a queue
without a free place, a stream that alone stands still, two things in one cycle.
"""

import re
from collections.abc import Mapping
from functools import cache
from importlib import resources

MODULE = re.compile(r"^module (\w+)", re.M)
_POINT = re.compile(r"\x01o\x02(\w+)\x01h\x02(\S+)\.\S+?' (\d+)$", re.M)
_TOP = "gcm_axis.gcm_axis."


@cache
def points() -> Mapping[str, str]:
    """The text of the points by module."""
    return {
        file.name.removesuffix(".sv"): file.read_text(encoding="utf-8")
        for file in resources.files(__name__).iterdir()
        if file.name.endswith(".sv")
    }


def with_points(text: str) -> str:
    """A file of SystemVerilog, with the points of its module where it has some."""
    found = MODULE.search(text)
    body = points().get(found[1], "") if found else ""
    return before_the_end(text, body)


def before_the_end(text: str, body: str) -> str:
    """A module's text with more before its end."""
    if not body:
        return text
    end = text.rindex("endmodule")
    return text[:end] + body + text[end:]


def counts(text: str) -> dict[str, int]:
    """What Verilator wrote, as counts by place in the core and point: "u_core.u_tag: wrong_tag"."""
    found = _POINT.findall(text)
    return {f"{place.removeprefix(_TOP)}: {point}": int(count) for point, place, count in found}
