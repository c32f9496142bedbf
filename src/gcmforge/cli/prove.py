# SPDX-License-Identifier: Apache-2.0
"""gcmforge prove: leaves against their specifications."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from gcmforge.cli.common import AllowChanged, Json, changed_line, print_json
from gcmforge.cli.progress import counted, progress_line

if TYPE_CHECKING:
    from gcmforge.emit import ProofRecord
    from gcmforge.emit.core import Progress


def prove(*targets: str, allow_changed: AllowChanged = False, json: Json = False) -> int:
    """Prove leaves equal to their specifications, and their printed text equal to them.

    Exit code 1 when a proof fails, and for a folder that is not what was built.

    Parameters
    ----------
    targets
        A built core's folder, or names of leaves as aes_sbox or aes_sbox/table; without any, the
        whole library.
    """
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
    if json:
        mapping = [record.to_mapping() for record in records]
        print_json({"passed": passed, "failed": failed, "proofs": mapping, "changed": changed})
    else:
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
