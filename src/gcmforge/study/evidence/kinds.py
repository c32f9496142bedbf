# SPDX-License-Identifier: Apache-2.0
"""The kinds of long runs, and the pages that show them."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from gcmforge.study.evidence import (
    asap7,
    beats,
    control,
    coverage,
    faults,
    flips,
    fpga,
    fuzz,
    mapped,
    measuring,
    mutants,
    nist,
    routed,
    sbox_cores,
    segments_soak,
    soak,
    zeros_run,
)
from gcmforge.study.kept import Kept, Step


@dataclass(frozen=True, kw_only=True, slots=True)
class Kind:
    """One kind: its steps, and the pages that it is shown on."""

    what: str
    steps: Callable[[], Iterable[Step]]
    pages: tuple[str, ...] = ()


KINDS = {
    "soak": Kind(
        what="a million random packets through every preset", steps=soak.steps, pages=("soak",)
    ),
    "segments": Kind(
        what="a million random packets on the bus of each preset with segments",
        steps=segments_soak.steps,
        pages=("soak",),
    ),
    "nist": Kind(what="every NIST vector on every preset and engine", steps=nist.steps),
    "flips": Kind(what="one wrong bit releases nothing", steps=flips.steps, pages=("flips",)),
    "faults": Kind(
        what="every single fault in the netlist of a core that detects them",
        steps=faults.steps,
        pages=("faults",),
    ),
    "fuzz": Kind(
        what="an hour of files that are almost right, of four kinds",
        steps=fuzz.steps,
        pages=("fuzz",),
    ),
    "beats": Kind(what="beats of packets against the law", steps=beats.steps, pages=("beats",)),
    "mutants": Kind(
        what="mutants of six cores, judged by verification and proofs",
        steps=mutants.steps,
        pages=("mutants",),
    ),
    "control": Kind(
        what="the control of a core of each class proven", steps=control.steps, pages=("control",)
    ),
    "coverage": Kind(what="what the default verification reaches", steps=coverage.steps),
    "mapped": Kind(
        what="cores as netlists, and resets in every cycle", steps=mapped.steps, pages=("mapped",)
    ),
    "routed": Kind(what="placed blocks routed, net by net", steps=routed.steps, pages=("routed",)),
    "sbox-cores": Kind(what="every S-box inside a core, NIST", steps=sbox_cores.steps),
    "zeros": Kind(what="zeros in table T of 10^8 keys", steps=zeros_run.steps, pages=("zeros",)),
    "sboxes": Kind(
        what="every S-box mapped, with power", steps=measuring.sbox_steps, pages=("sboxes",)
    ),
    "papers": Kind(
        what="the figures that the papers' tables are compared with",
        steps=measuring.paper_steps,
        pages=("papers", "published"),
    ),
    "measured": Kind(
        what="cores, leaves and targets", steps=measuring.measured_steps, pages=("measured",)
    ),
    "features": Kind(
        what="what each feature takes", steps=measuring.feature_steps, pages=("features",)
    ),
    "line-rates": Kind(
        what="the clocks of the line rates", steps=measuring.line_rate_steps, pages=("line-rates",)
    ),
    "fpga": Kind(what="FPGA presets, placed five times", steps=fpga.steps, pages=("fpga",)),
    "asap7": Kind(what="every preset at 7 nm", steps=asap7.steps, pages=("asap7",)),
}
"""Name on the command line -> kind, in the order in which they are run."""


def keep(step: Step, record: Mapping[str, Any], order: Mapping[str, list[str]]) -> None:
    """Write what a step found."""
    if step.kind == "papers":
        measuring.keep_figure(step, record)
        record = {**record, "found": {}}
    Kept(step.kind).add(step.name, record, order[step.kind])
