# SPDX-License-Identifier: Apache-2.0
"""Configure, build, verify and prove a core."""

from __future__ import annotations

import dataclasses
import os
import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gcmforge.api.terms import AnyCore, Configuration, Progress, silent
from gcmforge.config import ConfigError, CoreConfig, check_names
from gcmforge.config.core import toml_values
from gcmforge.config.intent import plan_core
from gcmforge.config.presets import PRESETS, preset

if TYPE_CHECKING:
    from gcmforge.emit import BuiltCore, ProofRecord
    from gcmforge.formal import ControlProof
    from gcmforge.sim import VerifyReport


def load_config(config: Configuration | None = None, /, **options: Any) -> CoreConfig:
    """A configuration with some of its options changed; checked as a whole.

        load_config()  # the preset default
        load_config("small", contexts=16)
        load_config("mine.toml", key_sizes=(128, 256))
        load_config(goal="balanced", gbit_per_s=100, clock_mhz=250)

    Without a configuration, what is not set has its default, as `gcmforge.options()` lists it.
    A goal, a rate and a clock decide what is not set (gcmforge.config.intent); they stand where a
    configuration begins, so not together with a preset.
    `gcmforge.options()` lists the options with their meaning and range, `gcmforge.PRESETS` the
    presets. ConfigError names the option, what is allowed and what to do.
    """
    if isinstance(config, CoreConfig):
        base = config
    elif config is None:
        return plan_core(options).config if options else preset("default")
    elif isinstance(config, str) and (config in PRESETS or not _is_file_name(config)):
        base = preset(config)
    else:
        return _of_file(Path(config), options)
    check_names(options)
    return dataclasses.replace(base, **options)


def _of_file(path: Path, options: dict[str, Any]) -> CoreConfig:
    said = toml_values(path) | options
    try:
        return plan_core(said).config
    except ConfigError as error:
        raise ConfigError(f"{path}: {error}") from None


def _is_file_name(text: str) -> bool:
    return Path(text).suffix == ".toml" or Path(text).name != text or Path(text).is_file()


def build(
    config: Configuration,
    out: str | os.PathLike[str],
    *,
    prove: bool = True,
    datasheet: bool = True,
    measured: bool = False,
    force: bool = False,
    progress: Progress = silent,
) -> BuiltCore:
    """Build a core into the folder `out`, whole or not at all; the same bytes every time.

        core = build("small", "cores/mine")
        core.path, core.config.summary, core.rtl     # folder, one line, SystemVerilog files

    The result may stand wherever a path may. `prove` proves each leaf equal to its specification
    (seconds; proofs are cached). `datasheet` adds datasheet.html and datasheet.md, for whose timing
    diagram the core is compiled and simulated the first time (about half a minute); ToolError where
    the simulator is missing. `measured` puts what the results store has of this very core into it.
    A core's folder that nobody changed is
    replaced, a changed one only with `force`, any other folder never: BuildError.
    """
    from gcmforge.emit import build_core
    from gcmforge.report.datasheet import datasheet_documents

    if measured and not datasheet:
        raise ConfigError("measured with datasheet=False: there is no page to put it in")
    documents = datasheet_documents(measured=measured, progress=progress) if datasheet else None
    return build_core(
        load_config(config), Path(out), prove=prove, force=force, documents=documents,
        progress=progress,
    )  # fmt: skip


def open_core(path: str | os.PathLike[str], *, changed_is_error: bool = True) -> BuiltCore:
    """The core in a folder that was built before.

    BuildError when there is none or when a file of it was changed since; with
    `changed_is_error=False` a changed core is opened, too.
    """
    from gcmforge import emit

    return emit.open_core(Path(path), changed_is_error=changed_is_error)


def verify(
    core: AnyCore,
    *,
    random: int = 0,
    vectors: Sequence[str | os.PathLike[str]] = (),
    nist: bool = False,
    seed: int | None = None,
    stalls: str | None = None,
    trace: str | os.PathLike[str] | None = None,
    sample: int = 0,
    resets: bool = False,
    mapped: str | None = None,
    allow_changed: bool = False,
    progress: Progress = silent,
) -> VerifyReport:
    """Simulate the core's RTL with many packets in flight and compare every answer.

        report = verify("cores/mine", random=10_000, seed=1, stalls="both")
        assert report.ok, report.failures

    Either `random` packets, checked against the package cryptography, or vectors: files of NIST
    CAVP (.rsp) or JSON in Wycheproof's schema, and with `nist` the 47,250 NIST vectors of the
    package cryptography-vectors; without any of these, 4,000 random packets. Some hundred edge
    packets go before and are not counted, but must pass for `report.ok`. `seed` draws packets and
    stalls; without one it is drawn and stands in the report. `stalls` is how the streams pause:
    none, idle, backpressure, both, or pressure, which is all of these in turn and then each stream
    alone slow; None is pressure for random packets and none for vectors. `trace` is the file for a
    waveform of the first failure (.fst or .vcd). `sample` is how many of the vectors are played,
    evenly spread; 0 for all. With `resets` the core is also reset in every cycle of two packets.
    `mapped` is a target, such as osu018: the netlist on it is simulated cell by cell instead of the
    RTL, without edge packets.

    A failure is a value of the report and no exception. BuildError for a folder that is not what
    was built, files added included, before anything is compiled; with `allow_changed` it runs, and
    `report.changed` names the files. The first run of a core compiles it (10 to
    60 s); the simulator is cached.
    """
    from gcmforge.emit import check_unchanged
    from gcmforge.sim.aead import find_core
    from gcmforge.sim.stalls import PRESSURE
    from gcmforge.sim.vectors import VectorFileError
    from gcmforge.sim.verify import PACKETS, VerifyJob, nist_files, run_job
    from gcmforge.specialise.core import for_one_key, not_verified

    found = find_core(core)
    check_unchanged(found.path, allow_changed=allow_changed)
    if for_one_key(found.path):
        raise ConfigError(not_verified(found.path))
    files = (*map(Path, vectors), *(nist_files() if nist else ()))
    try:
        job = VerifyJob(
            core=found.path, vectors=files, gates=found.gates,
            packets=random or (0 if files else PACKETS),
            stalls=stalls or ("none" if files else PRESSURE),
            seed=secrets.randbits(32) if seed is None else seed,
            trace=None if trace is None else Path(trace), allow_changed=allow_changed,
            sample=sample, resets=resets, edges=not mapped,
        )  # fmt: skip
    except ValueError as error:
        raise ConfigError(str(error)) from None
    progress("compiling")
    try:
        netlist = None
        if mapped:
            from gcmforge.mapped import mapped_core

            netlist = mapped_core(found.path, mapped, progress=progress)
        return run_job(
            job, core=netlist,
            progress=lambda done, total: progress(f"{done:,} of {total:,} packets"),
        )  # fmt: skip
    except VectorFileError as error:
        raise ConfigError(str(error)) from None


def prove(
    core: AnyCore, *, allow_changed: bool = False, progress: Progress = silent
) -> tuple[ProofRecord, ...]:
    """Prove every leaf that is in the core's folder now equal to its specification.

        assert all(record.passed for record in prove("cores/mine"))

    A leaf is a circuit of gates, such as an S-box or a multiplier; each gets one record or more,
    which says how it was proven and over how many cases. BuildError for a folder that is not what
    was built, unless `allow_changed`; and for a core that is made for one key: its leaf was proven
    when it was made, and cannot be again without the key.
    """
    from gcmforge.emit import prove_core
    from gcmforge.sim.aead import find_core

    path = find_core(core).path
    return tuple(prove_core(path, allow_changed=allow_changed, progress=progress))


def prove_control(
    core: AnyCore,
    *,
    packets: int = 2000,
    cycles: int = 0,
    allow_changed: bool = False,
    progress: Progress = silent,
) -> tuple[ControlProof, ...]:
    """Prove the control of a built core, module by module: half a minute, with Yosys and ABC.

        assert all(proof.passed for proof in prove_control("cores/mine"))

    Queues neither lose nor reorder, a wrong tag fails, no text leaves before its verdict; each
    property of each module gets one record. What modules require of each other is watched in
    simulation of so many random `packets`. What is proven stands in docs/reference/assurance.md.
    With `cycles` the whole core is looked at, too, for so many from its reset. BuildError for a
    folder that is not what was built, unless `allow_changed`; ToolError where a tool is missing or
    stops.
    """
    from gcmforge.formal import prove_control
    from gcmforge.sim.aead import find_core

    path = find_core(core).path
    return tuple(
        prove_control(
            path, packets=packets, cycles=cycles, allow_changed=allow_changed, progress=progress
        )
    )


def prove_leaves(*names: str, progress: Progress = silent) -> tuple[ProofRecord, ...]:
    """Prove leaves of the library by name: one (aes_sbox/table), all of a kind (aes_sbox), or,
    without a name, the whole library (minutes).

        assert all(record.passed for record in prove_leaves("aes_sbox/boyar_peralta"))
    """
    from gcmforge.emit import prove_library

    return tuple(prove_library(names, progress=progress))
