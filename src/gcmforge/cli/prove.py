# SPDX-License-Identifier: Apache-2.0
"""gcmforge prove: leaves against their specifications, and the control of a core."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from gcmforge.cli.common import AllowChanged, Json, changed_line, fail, print_json
from gcmforge.cli.progress import counted, progress_line

if TYPE_CHECKING:
    from gcmforge.emit import IdleLeaf, ProofRecord
    from gcmforge.emit.core import Progress
    from gcmforge.formal import ControlProof


def prove(
    *targets: str,
    control: Annotated[bool, Parameter(negative=())] = False,
    packets: int = 2000,
    cycles: int = 0,
    allow_changed: AllowChanged = False,
    json: Json = False,
) -> int:
    """Prove leaves equal to their specifications, and their printed text equal to them.

    Nets of these leaves that never change, and gates that nobody reads, are named: they are area
    for nothing, and no proof fails of them.

    With --control also that words, tags and text go where they are to go in a built core: queues
    neither lose nor reorder, a wrong tag fails, no text leaves before its verdict. Exit code 1 when
    a proof fails, and for a folder that is not what was built.

    Parameters
    ----------
    targets
        A built core's folder, or names of leaves as aes_sbox or aes_sbox/table; without any, the
        whole library.
    control
        Prove the control of the cores, too, with Yosys and ABC: half a minute a core.
    packets
        With --control: watch what modules require of each other under so many random packets in
        simulation; 0 for not at all.
    cycles
        With --control: look at the whole core, too, for so many cycles from its reset. The time
        for it grows fast: minutes for 20.
    """
    if (control or cycles) and not all(Path(target).is_dir() for target in targets or ("",)):
        return fail("--control is about built cores: give their folders", json=json, code=2)
    if cycles and not control:
        return fail("--cycles goes with --control", json=json, code=2)
    for option, number in (("cycles", cycles), ("packets", packets)):
        if number < 0:
            return fail(f"--{option} {number}: a number of {option}, 0 or more", json=json, code=2)
    from gcmforge.emit import check_unchanged

    passed = failed = 0
    records: list[ProofRecord] = []
    folders = [target for target in targets if Path(target).is_dir()]
    changed = {name: check_unchanged(Path(name), allow_changed=allow_changed) for name in folders}
    changed = {name: difference for name, difference in changed.items() if difference}
    names = [target for target in targets if target not in folders]
    with progress_line() as progress:
        for record in _proofs(folders, names, allow_changed, progress):
            passed, failed = passed + record.passed, failed + (not record.passed)
            records.append(record)
            if not json:
                print(_proof_text(record), flush=True)
        waste = [] if failed else list(_idle(folders, names))
        of_control: list[ControlProof] = []
        asked = {"allow_changed": allow_changed, "cycles": cycles, "packets": packets}
        for proof in _control(folders if control else (), asked, progress):
            passed, failed = passed + proof.passed, failed + (not proof.passed)
            of_control.append(proof)
            if not json:
                print(_control_text(proof), flush=True)
    bare = _without_properties(folders if control else ())
    if json:
        mapping: dict[str, Any] = {
            "passed": passed,
            "failed": failed,
            "proofs": [record.to_mapping() for record in records],
            "changed": changed,
            "idle": [asdict(one) for one in waste],
        }
        if control:
            mapping["control"] = [proof.to_mapping() for proof in of_control]
            mapping["without_properties"] = bare
        print_json(mapping)
    else:
        for one in waste:
            print(one.line())
        for name, modules in bare.items():
            print(f"no properties of control in {name}: {', '.join(modules)}")
        print(f"{passed} passed, {failed} failed")
        if changed:
            print(changed_line("; ".join(f"{name}: {which}" for name, which in changed.items())))
    return 1 if failed or not passed else 0


def _proofs(
    folders: Sequence[str], names: Sequence[str], allow_changed: bool, progress: "Progress"
) -> "Iterator[ProofRecord]":
    from gcmforge.emit import prove_core, prove_library

    progress = counted(progress, _leaves(folders, names), "leaves")
    for folder in folders:
        yield from prove_core(Path(folder), allow_changed=allow_changed, progress=progress)
    if names or not folders:
        yield from prove_library(names, progress=progress)


def _idle(folders: Sequence[str], names: Sequence[str]) -> "Iterator[IdleLeaf]":
    """What the same leaves have for nothing: no proof fails of it."""
    from gcmforge.emit import idle_in_core, idle_in_library

    for folder in folders:
        yield from idle_in_core(Path(folder))
    if names or not folders:
        yield from idle_in_library(names)


def _control(
    folders: Sequence[str], asked: Mapping[str, Any], progress: "Progress"
) -> "Iterator[ControlProof]":
    if folders:
        from gcmforge.formal import prove_control
    for folder in folders:
        yield from prove_control(Path(folder), **asked, progress=progress)


def _without_properties(folders: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """The modules of each core of whose control nothing is proven."""
    if folders:
        from gcmforge.formal import without_properties
    return {folder: without_properties(Path(folder)) for folder in folders}


def _control_text(proof: "ControlProof") -> str:
    from gcmforge.formal.control import WATCHED

    verdict = ("watched" if proof.how == WATCHED else "proven") if proof.passed else "FAILED"
    return f"{verdict}  {proof.where}: {proof.name}: {proof.detail}"


def _leaves(folders: Sequence[str], names: Sequence[str]) -> int:
    """How many leaves these are; of a folder that is no core, none."""
    from gcmforge.config import ConfigError, CoreConfig
    from gcmforge.emit.leaves import leaf_modules
    from gcmforge.leaf import leaf_makers

    number = 0
    for folder in folders:
        try:
            number += len(leaf_modules(CoreConfig.from_toml(Path(folder) / "core.toml")))
        except (ConfigError, OSError):
            continue  # proving it says what is wrong
    if names or not folders:
        every = leaf_makers()
        number += sum(not names or one in names or one.split("/")[0] in names for one in every)
    return number


def _proof_text(record: "ProofRecord") -> str:
    verdict = "proven" if record.passed else "FAILED"
    name = f"{record.module}/{record.variant}" if record.variant else record.module
    return f"{verdict}  {name}: {record.kind}: {record.detail}"
