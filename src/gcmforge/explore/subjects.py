# SPDX-License-Identifier: Apache-2.0
"""What is measured when a core's folder is: the core without its name, which changes no figure."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from gcmforge.config import CoreConfig

if TYPE_CHECKING:
    from gcmforge.measure.subject import Subject


def subject_of(what: str | Path | CoreConfig, settings: Sequence[str] = ()) -> Subject:
    """As gcmforge.measure.subject.find_subject, and folders of cores that have a name."""
    from gcmforge.config.presets import PRESETS
    from gcmforge.measure.subject import find_subject, leaf_names

    known = isinstance(what, str) and (what in PRESETS or what in leaf_names())
    if isinstance(what, CoreConfig) or known or settings or not _has_name(Path(what)):
        return find_subject(what, settings)
    return _without_name(Path(what))


def _has_name(folder: Path) -> bool:
    from gcmforge.emit.naming import LIST, find_list

    try:
        return find_list(folder).name != LIST
    except FileNotFoundError:
        return False


def _without_name(folder: Path) -> Subject:
    from gcmforge.emit import changes, open_core
    from gcmforge.emit.layers import public_ports
    from gcmforge.emit.naming import unnamed
    from gcmforge.measure.subject import ONE_KEY, Subject

    core = open_core(folder, changed_is_error=False)
    config = dataclasses.replace(core.config, name="")
    texts = unnamed(folder, core.rtl)
    changed = sorted(set(core.rtl) & set(changes(folder).changed))
    notes = (f"changed since it was built: {', '.join(changed)}",) if changed else ()
    return Subject(
        what=str(folder),
        kind="core",
        summary=config.summary,
        configuration=config.to_mapping(),
        texts=texts,
        top=config.top,
        ports=tuple((port.name, port.direction, port.width) for port in public_ports(config)),
        clock="aclk",
        notes=(*notes, ONE_KEY) if "gen/gf128_fixed.sv" in texts else notes,
    )
