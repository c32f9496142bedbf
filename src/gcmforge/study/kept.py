# SPDX-License-Identifier: Apache-2.0
"""Steps of the evidence, and what they found: JSON files with the command and seed of each."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gcmforge.config import ConfigError, CoreConfig

FOLDER = Path(__file__).parent / "evidence" / "data"


@dataclass(frozen=True, kw_only=True, slots=True)
class Found:
    """What a step found."""

    ok: bool
    text: str
    """To be printed."""
    data: Mapping[str, Any] = field(default_factory=dict)
    seconds: float | None = None
    """That it took when it was made, where it is from the results store."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Step:
    """One run of minutes or hours, in a process of its own."""

    kind: str
    name: str
    command: str
    """That repeats it."""
    call: Callable[..., Found]
    arguments: tuple[Any, ...] = ()
    seed: int | None = None
    rtl: CoreConfig | None = None
    """The core whose SystemVerilog it depends on: not run again while that is the same. None where
    the results store knows what is to be done again."""
    digest: str = ""
    """What else it depends on, of a step without a core."""

    @property
    def asked(self) -> str:
        """What has to be the same for a result to be kept."""
        return f"{self.command} {self.digest}".strip()


class Kept:
    """The results of one kind of steps, a file of its own."""

    def __init__(self, kind: str, folder: Path | None = None) -> None:
        self.kind = kind
        self.path = (folder or FOLDER) / f"{kind}.json"

    def records(self) -> list[dict[str, Any]]:
        """ConfigError when there are none."""
        found = self.read()
        if not found:
            raise ConfigError(
                f"{self.kind}: nothing is kept of it; run `gcmforge-study evidence {self.kind}`"
            )
        return list(found.values())

    def read(self) -> dict[str, dict[str, Any]]:
        """By the step's name, in the order of the steps."""
        return json.loads(self.path.read_text()) if self.path.exists() else {}

    def add(self, name: str, record: Mapping[str, Any], order: list[str]) -> None:
        """One more; it replaces an older one. Names that are no longer steps are dropped."""
        records = {**self.read(), name: dict(record)}
        lines = [
            f"{json.dumps(one)}: {json.dumps(records[one])}" for one in order if one in records
        ]
        whole = self.path.with_suffix(".part")  # others read while this is written
        whole.write_text("{\n" + ",\n".join(lines) + "\n}\n")
        whole.replace(self.path)


def times_table() -> Iterator[str]:
    """How long the evidence took: the steps of each kind that are kept, and their minutes."""
    yield "| kind | steps | minutes |"
    yield "| --- | ---: | ---: |"
    steps, minutes = 0, 0.0
    for path in sorted(FOLDER.glob("*.json")):
        records = Kept(path.stem).read().values()
        took = sum(record["seconds"] for record in records) / 60
        yield f"| `{path.stem}` | {len(records)} | {took:,.1f} |"
        steps, minutes = steps + len(records), minutes + took
    yield f"| all | {steps} | {minutes:,.0f} |"
