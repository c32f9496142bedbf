# SPDX-License-Identifier: Apache-2.0
"""What a core is needed for, and the smallest one that serves.

need = parse_need("100 Gbit/s, osu018, 64-byte packets, AES-256, 16 contexts")
answer = recommend(points, need)
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from gcmforge.config import ConfigError, options
from gcmforge.config.installed import own_options
from gcmforge.config.presets import PRESETS
from gcmforge.explore.point import Point

RUNNERS_UP = 4
NEAR = 0.75
"""Of what is needed: what an estimate says that more effort may still reach."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Need:
    """What the core has to do; None and empty ask nothing."""

    target: str = "osu018"
    gbit_per_s: float | None = None
    packet_bytes: int = 1_500
    key_sizes: tuple[int, ...] = ()
    contexts: int = 1
    clock_mhz: float | None = None
    """The clock that there is; without one the core runs at its own Fmax."""
    max_latency_ns: float | None = None
    max_area_ge: float | None = None
    any_iv: bool = False
    placed: bool = False
    """Clock and area are those with wires and a clock tree, not those with ideal ones."""

    @property
    def text(self) -> str:
        """The need in words, as parse_need reads them."""
        words = [] if self.gbit_per_s is None else [f"{self.gbit_per_s:g} Gbit/s"]
        words += [self.target, f"{self.packet_bytes}-byte packets"]
        words += [f"AES-{size}" for size in self.key_sizes]
        words += [f"{self.contexts} contexts"] if self.contexts > 1 else []
        words += [f"clock {self.clock_mhz:g} MHz"] if self.clock_mhz else []
        words += [f"latency {self.max_latency_ns:g} ns"] if self.max_latency_ns else []
        words += [f"at most {self.max_area_ge / 1000:g} kGE"] if self.max_area_ge else []
        words += ["any IV"] if self.any_iv else []
        words += ["placed"] if self.placed else []
        return ", ".join(words)


_SCALE = {"k": 1e-6, "m": 1e-3, "g": 1.0, "t": 1e3}
_NUMBER = r"(\d+(?:\.\d+)?)"
_WORDS: tuple[tuple[str, str], ...] = (
    ("gbit_per_s", rf"{_NUMBER} ?([kmgt])(?:bit/s|bps|b/s)"),
    ("packet_bytes", r"(\d+)[- ]bytes?(?: packets?)?"),
    ("key_sizes", r"(?:aes-?(128|192|256)|(128|192|256)[- ]bit keys?)"),
    ("contexts", r"(\d+) (?:contexts?|keys?)"),
    ("clock_mhz", rf"(?:clock |at )?{_NUMBER} ?([mg])hz"),
    ("max_latency_ns", rf"(?:latency )?(?:at most )?{_NUMBER} ?(ns|us)(?: latency)?"),
    ("max_area_ge", rf"(?:at most )?{_NUMBER} ?kge"),
    ("any_iv", r"any iv"),
    ("placed", r"placed"),
)


def parse_need(text: str, flags: Mapping[str, Any] | None = None) -> Need:
    """The need in a text, words between commas, and in flags. ConfigError names a word that is not
    understood, and a figure that is given twice with two values."""
    said = dict(flags or {})
    for word in filter(None, (part.strip() for part in text.split(","))):
        for name, value in _said(word, Need(**said)).items():
            if name != "key_sizes" and said.get(name, value) != value:
                raise ConfigError(
                    f"{word}: {name} was given as {said[name]}, too; use one of the two"
                )
            said[name] = value
    if not said:
        raise ConfigError(f"the need is empty; {_SUCH_AS}")
    need = Need(**said)
    for name in ("gbit_per_s", "packet_bytes", "contexts", "clock_mhz"):
        number = getattr(need, name)
        if number is not None and not 0 < number < math.inf:
            raise ConfigError(f"{name} {number}: use a number above 0; {_SUCH_AS}")
    return need


def asked_need(
    text: str | None, gbit: float | None, packet_bytes: int | None, targets: Sequence[str]
) -> Need | None:
    """The need of a command in its flags and words; None when it has neither."""
    if text is None and gbit is None:
        return None
    if len(targets) > 1:
        raise ConfigError(f"{len(targets)} targets: a need has one; name one of them")
    flags = {"gbit_per_s": gbit, "packet_bytes": packet_bytes, "target": next(iter(targets), None)}
    return parse_need(
        text or "", {name: value for name, value in flags.items() if value is not None}
    )


def _said(word: str, need: Need) -> dict[str, Any]:
    for name, pattern in _WORDS:
        if match := re.fullmatch(pattern, word.lower()):
            return {name: _value(name, match, need)}
    from gcmforge.netlist.targets import target_names

    if word in target_names():
        return {"target": word}
    raise ConfigError(f"{word}: not understood; {_SUCH_AS}")


_SUCH_AS = (
    "write it such as: 100 Gbit/s, osu018, 64-byte packets, AES-256, 16 contexts, clock 200 MHz, "
    "latency 300 ns, at most 500 kGE, any IV, placed"
)


def _value(name: str, match: re.Match[str], need: Need) -> Any:
    groups = [group for group in match.groups() if group]
    if name in ("any_iv", "placed"):
        return True
    if name == "key_sizes":
        return tuple(sorted({*need.key_sizes, int(groups[0])}))
    if name in ("packet_bytes", "contexts"):
        return int(groups[0])
    number = float(groups[0])
    if name == "gbit_per_s":
        return number * _SCALE[groups[1]]
    if name == "clock_mhz":
        return number * (1000 if groups[1] == "g" else 1)
    if name == "max_latency_ns":
        return number * (1000 if groups[1] == "us" else 1)
    return number * 1000  # kGE


# Who serves ---------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, slots=True)
class Candidate:
    """A core that serves, at the clock it would run at."""

    point: Point
    clock_mhz: float
    gbit_per_s: float
    size: float
    """Area in GE, or LUTs."""

    def to_mapping(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "clock_mhz": self.clock_mhz,
            "gbit_per_s": self.gbit_per_s,
            "size": self.size,
            "point": self.point.to_mapping(),
        }


@dataclass(frozen=True, kw_only=True, slots=True)
class Recommendation:
    """The smallest core that serves, the next ones after it, and why; or why none does."""

    need: Need
    best: Candidate | None
    candidates: tuple[Candidate, ...]
    """All that serve, the smallest first."""
    runners_up: tuple[Candidate, ...]
    """The smallest of each other architecture."""
    looked_at: int
    why: tuple[str, ...]

    def to_mapping(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "need": asdict(self.need),
            "best": None if self.best is None else self.best.to_mapping(),
            "runners_up": [candidate.to_mapping() for candidate in self.runners_up],
            "serving": len(self.candidates),
            "looked_at": self.looked_at,
            "why": list(self.why),
        }


def relaxed(need: Need, margin: float) -> Need:
    """The need, eased by that share: for cores whose figures may turn out better."""
    less, more = 1 - margin, 1 + margin
    return replace(
        need,
        gbit_per_s=None if need.gbit_per_s is None else need.gbit_per_s * less,
        clock_mhz=None if need.clock_mhz is None else need.clock_mhz * less,
        max_latency_ns=None if need.max_latency_ns is None else need.max_latency_ns * more,
        max_area_ge=None if need.max_area_ge is None else need.max_area_ge * more,
    )


def recommend(points: Sequence[Point], need: Need) -> Recommendation:
    """The answer among these points; those of other targets are not looked at."""
    known = [p for p in points if p.target == need.target and not p.error]
    serving, missed = [], []
    for point in known:
        lacks = _lacks(point, need)
        if lacks:
            missed.append((point, lacks))
        else:
            serving.append(_candidate(point, need))
    serving.sort(key=lambda c: (c.size, -c.gbit_per_s))
    best = serving[0] if serving else None
    runners = tuple(_different(serving))[:RUNNERS_UP]
    why = _why(best, runners, need) if best else _why_none(known, missed, need)
    return Recommendation(
        need=need,
        best=best,
        candidates=tuple(serving),
        runners_up=runners,
        looked_at=len(known),
        why=tuple(why),
    )


def _fmax(point: Point, need: Need) -> float | None:
    return point.placed_fmax_mhz if need.placed else point.fmax_mhz


def _clock(point: Point, need: Need) -> float:
    fmax = _fmax(point, need) or 0.0
    return fmax if need.clock_mhz is None else need.clock_mhz


def _candidate(point: Point, need: Need) -> Candidate:
    clock = _clock(point, need)
    area = point.placed_area_ge if need.placed else point.area_ge
    return Candidate(
        point=point,
        clock_mhz=clock,
        gbit_per_s=(point.bits_per_cycle or 0.0) * clock / 1000,
        size=area if area is not None else float(point.luts or 0),
    )


def _lacks(point: Point, need: Need) -> str:
    """The first thing that a point lacks; empty when it serves."""
    config = point.config
    if not set(need.key_sizes) <= set(config.key_sizes):
        return "key sizes"
    if config.contexts < need.contexts:
        return "contexts"
    if need.any_iv and not config.iv_any:
        return "IVs"
    if config.length_first:
        return "tags of SP 800-38D"
    fmax = _fmax(point, need)
    if fmax is None:
        return "a placed clock" if need.placed and point.fmax_mhz is not None else "clock"
    if need.clock_mhz and fmax < need.clock_mhz:
        return "clock"
    found = _candidate(point, need)
    if need.gbit_per_s is not None and found.gbit_per_s < need.gbit_per_s:
        return "throughput"
    latency = 1000 * (point.latency_cycles or 0) / found.clock_mhz
    if need.max_latency_ns is not None and latency > need.max_latency_ns:
        return "latency"
    if need.max_area_ge is not None and found.size > need.max_area_ge:
        return "area"
    return ""


def _different(serving: Sequence[Candidate]) -> Iterable[Candidate]:
    """The next ones after the best that differ in more than a circuit of the same architecture."""
    seen = {_architecture(serving[0])} if serving else set()
    for candidate in serving[1:]:
        kind = _architecture(candidate)
        if kind not in seen:
            seen.add(kind)
            yield candidate


_ARCHITECTURE = ("core", "lanes", "aes", "aes_substages", "key_schedule", "counter_sharing",
                 "ghash", "ghash_stages")  # fmt: skip


def _architecture(candidate: Candidate) -> tuple[Any, ...]:
    """What two circuits of one architecture have in common: every option of one engine, too."""
    config = candidate.point.config
    return tuple(config[name] for name in (*_ARCHITECTURE, *own_options()))


def _why(best: Candidate, runners: Sequence[Candidate], need: Need) -> Iterable[str]:
    point = best.point
    beats = f"{point.bits_per_cycle:.1f} bits a cycle in {need.packet_bytes}-byte packets"
    yield (
        f"{point.config.lanes} lane{'s' * (point.config.lanes > 1)}: {beats} at "
        f"{best.clock_mhz:.0f} MHz is {best.gbit_per_s:.1f} Gbit/s"
        + (f", {need.gbit_per_s:g} needed" if need.gbit_per_s is not None else "")
    )
    yield from _wires(best, need)
    if point.blocks:
        largest = sorted(point.blocks.items(), key=lambda item: -item[1])[:3]
        parts = ", ".join(f"{name} {ge / 1000:.1f}" for name, ge in largest)
        yield f"its area in kGE: {parts}, all {best.size / 1000:.1f}"
    for runner in runners:
        yield f"{_difference(best, runner)}: {100 * (runner.size / best.size - 1):.0f} % larger"


def _wires(best: Candidate, need: Need) -> Iterable[str]:
    """Which kind of figure the clock is."""
    point = best.point
    if need.placed:
        yield "clock and area are those with wires and a clock tree, as placed cores have them"
    elif point.placed_fmax_mhz is not None and need.clock_mhz is None:
        gbit = (point.bits_per_cycle or 0.0) * point.placed_fmax_mhz / 1000
        yield (
            f"that clock is for ideal wires; placed it is about {point.placed_fmax_mhz:.0f} MHz, "
            f'{gbit:.1f} Gbit/s (the word "placed" in the need counts with that)'
        )
    elif point.placed_fmax_mhz is not None:
        yield (
            f"it reaches {point.fmax_mhz:.0f} MHz with ideal wires, placed about "
            f"{point.placed_fmax_mhz:.0f}"
        )
    elif point.area_ge is not None:
        yield "that clock is for ideal wires and an ideal clock"


def _difference(best: Candidate, runner: Candidate) -> str:
    pairs = (
        f"{name}={getattr(runner.point.config, name)}"
        for name in options()
        if getattr(runner.point.config, name) != getattr(best.point.config, name)
    )
    return ", ".join(pairs)


def _why_none(
    known: Sequence[Point], missed: Sequence[tuple[Point, str]], need: Need
) -> Iterable[str]:
    if not known:
        yield f"there is no point on {need.target}"
        return
    counts = {lack: sum(1 for _, other in missed if other == lack) for _, lack in missed}
    for lack, number in sorted(counts.items(), key=lambda item: -item[1]):
        yield f"{number:,} of {len(known):,} points lack {lack}"
    yield from _sharing_beats(need)
    near = [_candidate(p, need) for p, lack in missed if lack in ("throughput", "latency", "area")]
    if near and need.gbit_per_s is not None:
        fastest = max(near, key=lambda c: c.gbit_per_s)
        yield (
            f"the fastest that meets the rest has {fastest.gbit_per_s:.1f} Gbit/s: "
            f"{fastest.point.config.summary}"
        )
        if fastest.point.depth == "estimate" and fastest.gbit_per_s > NEAR * need.gbit_per_s:
            yield (
                "that is near enough for synthesis with more effort: try --depth measure --effort "
                "normal"
            )


def _sharing_beats(need: Need) -> Iterable[str]:
    """The narrowest preset whose packets share beats and that has the rate at the clock that it
    asks, or at the need's: no space of points has such cores."""
    if need.gbit_per_s is None or need.any_iv:
        return
    for preset in PRESETS.values():
        law = preset.config.architecture and preset.config.architecture.bus_cycles
        if not law or preset.clock_mhz is None:
            continue
        bits = 8 * need.packet_bytes / law(preset.config, 0, need.packet_bytes)
        clock = 1000 * need.gbit_per_s / bits
        if clock <= (need.clock_mhz or preset.clock_mhz):
            yield (
                f"cores whose packets share beats are not among these points: preset {preset.name} "
                f"takes {bits:,.0f} bits a cycle in {need.packet_bytes}-byte packets, so "
                f"{need.gbit_per_s:g} Gbit/s at {clock:.0f} MHz; "
                f"gcmforge measure {preset.name} --target {need.target} says whether it has that"
            )
            return
