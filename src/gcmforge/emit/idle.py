# SPDX-License-Identifier: Apache-2.0
"""What leaves have for nothing: nets that never change and gates that nobody reads."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gcmforge.config import CoreConfig
from gcmforge.emit.leaves import leaf_modules, leaf_pipeline


@dataclass(frozen=True, kw_only=True, slots=True)
class IdleLeaf:
    """A leaf with something for nothing; `where` is a core's folder, or empty."""

    where: str
    leaf: str
    stages: int
    constant: tuple[tuple[str, int], ...]
    unread: tuple[str, ...]
    flip_flops: int
    """In one instance."""
    detail: str

    def line(self) -> str:
        """For people."""
        where = f"{self.where}: " if self.where else ""
        stages = f" in {self.stages} stages" if self.stages > 1 else ""
        return f"idle    {where}{self.leaf}{stages}: {self.detail}"


def idle_in_core(folder: Path) -> Iterator[IdleLeaf]:
    """Of the leaves of a built core, each in the stages in which that core has it."""
    config = CoreConfig.from_toml(folder / "core.toml")
    for module in leaf_modules(config):
        yield from _found(str(folder), module, leaf_pipeline(config, module))


def idle_in_library(names: Sequence[str] = ()) -> Iterator[IdleLeaf]:
    """Of leaves of those names, or of all; without stages."""
    from gcmforge.circuit import combinational
    from gcmforge.leaf import leaf_makers

    for name, make in leaf_makers().items():
        if not names or name in names or name.partition("/")[0] in names:
            yield from _found("", name, combinational(make().circuit))


def _found(where: str, leaf: str, pipe: Any) -> Iterator[IdleLeaf]:
    from gcmforge.circuit import idle

    if found := idle(pipe):
        yield IdleLeaf(
            where=where, leaf=leaf, stages=pipe.stages, constant=found.constant,
            unread=found.unread, flip_flops=found.flip_flops, detail=found.text(),
        )  # fmt: skip
