# SPDX-License-Identifier: Apache-2.0
"""gcmforge build: from a configuration to a core's folder."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from gcmforge.cli.common import Json, core_mapping, core_text, print_json
from gcmforge.cli.progress import progress_line, stepped

if TYPE_CHECKING:
    from gcmforge.config import CoreConfig


def build(
    file: Path | None = None,
    /,
    *,
    out: Annotated[Path, Parameter(name=["--out", "-o"])],
    preset: str | None = None,
    settings: Annotated[tuple[str, ...], Parameter(name="--set", negative=())] = (),
    prove: bool = True,
    datasheet: bool = True,
    measured: Annotated[bool, Parameter(negative=())] = False,
    force: Annotated[bool, Parameter(negative=())] = False,
    json: Json = False,
) -> int:
    """Build a core: from a configuration to a folder that stands alone.

    The same configuration gives the same bytes. Either the whole folder is written or nothing.
    The datasheet's timing comes from a simulation, which is compiled the first time. Without the
    simulator only --no-datasheet builds.

    Say what you need (--set goal=balanced --set gbit_per_s=100 --set clock_mhz=250). The rest is
    derived, printed, and written into the folder's core.toml. All options and presets:
    docs/reference/options.md.

    Parameters
    ----------
    file
        TOML file of options. Without FILE, --preset and --set: the preset default. With --set alone
        every other option has its own default, which is the preset plain.
    out
        Folder to write. A core that nobody changed since it was built is replaced.
    preset
        A named configuration: default, plain (one stage a round), small, compact, nano or micro
        (little area), quad, balanced, ice40, ecp5, nexus, gowin, gatemate or ecp5-line (FPGAs), a
        line rate from 100g to 800g, an Ethernet rate from 100ge to 800ge or 1t6, or the system of a
        paper, such as yang2005.
    settings
        key=value, an option or a goal; may be given more than once.
    prove
        Prove every leaf equal to its specification.
    datasheet
        Write datasheet.html and datasheet.md.
    measured
        Put what the results store has of this very core into the datasheet, too.
    force
        Replace a core's folder even if it was changed.
    """
    from gcmforge.config import ConfigError
    from gcmforge.config.presets import load_plan
    from gcmforge.emit import build_core
    from gcmforge.emit.folder import standing
    from gcmforge.emit.leaves import leaf_modules
    from gcmforge.report.datasheet import datasheet_documents

    if measured and not datasheet:
        raise ConfigError("--measured with --no-datasheet: there is no page to put it in")
    plan = load_plan(file, preset, settings)
    config = plan.config
    before = standing(out)
    try:
        with progress_line() as shown:
            progress = stepped(shown, len(leaf_modules(config)) + datasheet)
            documents = None
            if datasheet:  # which is refused without the simulator
                documents = datasheet_documents(measured=measured, progress=progress)
            core = build_core(
                config, out, prove=prove, force=force, progress=progress, documents=documents
            )
    except KeyboardInterrupt:
        untouched = standing(out) == before
        raise KeyboardInterrupt(
            f"interrupted; {f'{out} is as it was' if untouched else f'{out} was written before'}"
        ) from None
    if json:
        derived = {one.name: {"value": one.value, "why": one.why} for one in plan.derived}
        print_json(
            {**core_mapping(core), "derived": derived, "rate": _rate_lines(config, core.path)}
        )
    else:
        print(core_text(core))
        if settings and file is None and preset is None and not plan.intent:
            print("  what was not set is as in preset plain (another: --preset NAME --set ...)")
        if plan.derived:
            asked = ", ".join(f"{name}={value}" for name, value in plan.intent.items())
            print(f"  from {asked} follows, now in {core.path}/core.toml:")
        for one in plan.derived:
            print(f"    {one}")
        print(f"  next: gcmforge verify {core.path} --random 1000")
        for line in _rate_lines(config, core.path):
            print(f"  {line}")
    return 0


def _rate_lines(config: "CoreConfig", core: Path) -> tuple[str, ...]:
    """The arithmetic of a core that is a preset's which is named for its line rate."""
    from gcmforge.config.ethernet_presets import ethernet_arithmetic
    from gcmforge.config.preset import rate_arithmetic
    from gcmforge.config.presets import PRESETS

    for named in PRESETS.values():
        if named.config == config and named.ethernet_gbit_per_s is not None:
            return ethernet_arithmetic(named, str(core))
        if named.config == config and named.clock_mhz is not None:
            return rate_arithmetic(config, named.clock_mhz, named.technology, str(core))
    return ()
