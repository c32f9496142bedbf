# SPDX-License-Identifier: Apache-2.0
"""Write docs/reference/features.md: what each feature takes, as the difference of two cores.

gcmforge-study pages features [--target osu018] [--effort normal] [--minutes N] [--out FILE]

Figures come from the results store where they are there. After N minutes nothing more is begun: the
page leaves out what is missing and tells how much, and the next run goes on from there.
"""

import argparse
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from gcmforge.measure.measure import measure
from gcmforge.measure.result import Block, Result
from gcmforge.study.checkout import REFERENCE, write_page

PAGE = REFERENCE / "features.md"

Settings = tuple[str, ...]

TEXT_512 = ("max_text_bytes=512",)
TEXT_1024 = ("max_text_bytes=1024",)
VERIFIED = "release=verified"
TRAVELLING = ("key_schedule=travelling",)


@dataclass(frozen=True, kw_only=True, slots=True)
class Feature:
    """A setting of the preset plain, and what it is compared with."""

    name: str
    settings: Settings
    without: Settings = ()
    line: str
    """Where `gcmforge measure` shows it: a block, or "contexts"."""


FEATURES = (
    Feature(name="travelling keys", settings=TRAVELLING, line="key schedule"),
    Feature(name="own tail", settings=("tail=dedicated",), line="tail"),
    Feature(
        name="own lane for J0", settings=("tail=dedicated", "j0=dedicated"),
        without=("tail=dedicated",), line="aes",
    ),
    Feature(name="own key unit", settings=("key_unit=dedicated",), line="key unit"),
    Feature(
        name="verified release, 512 bytes", settings=(VERIFIED, *TEXT_512), without=TEXT_512,
        line="verified release",
    ),
    Feature(
        name="verified release, 1,024 bytes", settings=(VERIFIED, *TEXT_1024), without=TEXT_1024,
        line="verified release",
    ),
    Feature(name="zeroise", settings=("zeroise=on",), line="zeroise"),
    Feature(name="timeout of 65,536 cycles", settings=("timeout=65536",), line="timeout"),
    Feature(name="own IVs", settings=("iv=counter",), without=("iv=96",), line="IV counter"),
    Feature(name="AXI4-Lite registers", settings=("registers=axi4lite",), line="registers"),
    Feature(name="a lane of AAD with text", settings=("aad_lanes=1",), line="ghash"),
    Feature(name="4 contexts instead of 1", settings=(), without=("contexts=1",), line="contexts"),
    Feature(
        name="16 contexts instead of 4", settings=("contexts=16",), line="contexts",
    ),
    *(
        Feature(
            name=f"{contexts} contexts instead of 1, travelling keys",
            settings=(*TRAVELLING, f"contexts={contexts}"),
            without=(*TRAVELLING, "contexts=1"), line="contexts",
        )
        for contexts in (4, 16, 64)
    ),
)  # fmt: skip
"""What matters most first."""

Found = Mapping[Settings, Result]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--target", default="osu018")
    parser.add_argument("--effort", default="normal")
    parser.add_argument("--minutes", type=float, default=600.0)
    parser.add_argument("--out", type=Path, default=PAGE)
    asked = parser.parse_args(arguments)
    until = time.monotonic() + 60 * asked.minutes
    found: dict[Settings, Result] = {}
    for settings in cores():
        if time.monotonic() > until:
            break
        found[settings] = measure("plain", asked.target, settings=settings, effort=asked.effort)
        print(" ".join(settings) or "plain", f"{found[settings].area_ge:,.0f} GE", flush=True)
        write_page(asked.out, page(found), "gcmforge-study pages features")
    return 0


def cores() -> Iterator[Settings]:
    """Every core that is compared, once, in the order of the features."""
    asked = (core for feature in FEATURES for core in (feature.without, feature.settings))
    yield from dict.fromkeys(asked)


def page(found: Found) -> Iterator[str]:
    """Lines of the page."""
    first = next(iter(found.values()))
    yield "# What a feature takes\n"
    yield "Written by `gcmforge-study pages features`: the preset `plain`, one lane, with and"
    yield f"without each feature, measured on {first.target}, effort {first.effort}."
    yield f"{first.note.capitalize()}; {first.target_family}. Memories are flip-flops"
    yield "here. A line is what `gcmforge measure` calls it; its figure is of the core with"
    yield "the feature, the difference that of the whole cores, for whose other parts the mapper"
    yield "may have chosen otherwise.\n"
    missing = [feature for feature in FEATURES if not there(feature, found)]
    if missing:
        yield f"**{len(missing)} features are not measured yet**; the next run goes on.\n"
    headings = (
        "feature", "settings", "compared with", "GE without", "GE with", "difference, GE",
        "flip-flops", "line", "GE of the line",
    )  # fmt: skip
    yield f"| {' | '.join(headings)} |"
    yield "| --- | --- | --- | ---: | ---: | ---: | ---: | --- | ---: |"
    for feature in FEATURES:
        if there(feature, found):
            yield row(feature, found)
    yield "\nEach core again:\n"
    yield from (f"- `{result.command}`" for result in found.values())


def there(feature: Feature, found: Found) -> bool:
    return feature.settings in found and feature.without in found


def row(feature: Feature, found: Found) -> str:
    """A feature's row."""
    with_it, without = found[feature.settings], found[feature.without]
    line = line_of(with_it, feature.line)
    assert with_it.area_ge is not None and without.area_ge is not None
    assert with_it.flip_flops is not None and without.flip_flops is not None
    cells = (
        feature.name, shown(feature.settings), shown(feature.without),
        f"{without.area_ge:,.0f}", f"{with_it.area_ge:,.0f}",
        f"{with_it.area_ge - without.area_ge:+,.0f}",
        f"{with_it.flip_flops - without.flip_flops:+,}",
        feature.line, "" if line is None else f"{line.area_ge:,.0f}",
    )  # fmt: skip
    return f"| {' | '.join(cells)} |"


def line_of(result: Result, name: str) -> Block | None:
    if name == "contexts":
        return result.contexts
    return next((block for block in result.blocks if block.name == name), None)


def shown(settings: Settings) -> str:
    return f"`{' '.join(settings)}`" if settings else "`plain`"
