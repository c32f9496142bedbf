# SPDX-License-Identifier: Apache-2.0
"""gcmforge new: five questions, and a configuration that answers them."""

import re
import shlex
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gcmforge.cli.common import Json, print_json

if TYPE_CHECKING:
    from gcmforge.explore.start import Start

Answers = Mapping[str, Any]
"""Fields of explore.start.Wanted by name."""


def new(
    file: Path = Path("core.toml"),
    /,
    *,
    rate: str | None = None,
    packets: str | None = None,
    keys: str | None = None,
    release: str | None = None,
    target: str | None = None,
    json: Json = False,
) -> int:
    """Ask five questions and write a configuration with comments, an estimate and the next command.

    On a terminal what no option sets is asked; elsewhere all five options are needed. An
    existing file is never replaced. The smallest core that serves by its estimate is chosen.

    Parameters
    ----------
    file
        File to write.
    rate
        Gbit/s that the core has to reach, even in the shortest packets: 10.
    packets
        Shortest and longest text of a packet in bytes: 64-1500.
    keys
        Key sizes in bits, and how many keys are held at the same time: 128,256 x 4.
    release
        streaming: text leaves at once, and whoever takes it waits for the tag; verified: text
        leaves after its tag has matched, from a packet buffer.
    target
        What it is built on, and its clock in MHz: osu018, or xc7 at 250. The clock may be left out
        where cores can be estimated (osu018): it follows from the rate.
    """
    from gcmforge.config import ConfigError

    check_place(file)
    said = {"rate": rate, "packets": packets, "keys": keys, "release": release, "target": target}
    missing = [name for name, text in said.items() if text is None]
    if missing and not sys.stdin.isatty():
        lacking = " ".join(
            f"--{one.name} '{one.default}'" for one in QUESTIONS if one.name in missing
        )
        raise ConfigError(f"new: there is no terminal to ask on; say also, for example: {lacking}")
    try:
        found = settle(said)
    except KeyboardInterrupt:
        print("\ngcmforge: interrupted; nothing was written", file=sys.stderr)
        return 130
    except EOFError:
        print("gcmforge: no more answers; nothing was written", file=sys.stderr)
        return 1
    write_new(file, toml(found, file))
    if json:
        print_json(mapping(found, file))
    else:
        print("\n".join(told(found, file)))
    return 0


def settle(said: Mapping[str, str | None]) -> "Start":
    """The core that the answers make. Where none serves, the reason is told, and what was asked is
    asked again; each answer stands until another one is given."""
    from gcmforge.config import ConfigError
    from gcmforge.explore.start import Wanted, start

    asked = {one.name: one.default for one in QUESTIONS if said[one.name] is None}
    read = {one.name: one.read(text) for one in QUESTIONS if (text := said[one.name]) is not None}
    while True:
        for question in QUESTIONS:
            if question.name in asked:
                text, read[question.name] = ask(question, asked[question.name])
                asked[question.name] = text
        answers = {name: value for one in QUESTIONS for name, value in read[one.name].items()}
        try:
            return start(Wanted(**answers))
        except ConfigError as error:
            if not asked:
                raise
            print(f"  {error}", file=sys.stderr)


# Questions ----------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, slots=True)
class Question:
    """One question: the option that answers it, its words, and how an answer is read."""

    name: str
    words: str
    default: str
    read: Callable[[str], Answers]
    """ConfigError says what is wrong with an answer."""


def ask(question: Question, default: str) -> tuple[str, Answers]:
    """Ask until the answer can be read: it, and what it says. An empty one is the default."""
    from gcmforge.config import ConfigError

    number = 1 + QUESTIONS.index(question)
    print(f"{number} of {len(QUESTIONS)}: {question.words}", file=sys.stderr)
    while True:
        print(f"  {question.name} [{default}]: ", end="", file=sys.stderr, flush=True)
        line = sys.stdin.readline()
        if not line:
            print(file=sys.stderr)
            raise EOFError
        text = line.strip() or default
        try:
            return text, question.read(text)
        except ConfigError as error:
            print(f"  {error}", file=sys.stderr)


def read_rate(text: str) -> Answers:
    found = re.fullmatch(r"(\d+)\s*(?:g|gbps|gbit|gbit/s)?", text.strip().lower())
    if found is None:
        raise _wrong(
            f"rate {text}: use a whole number of Gbit/s, such as 10; for less than 1 say 1"
        )
    return _checked("gbit_per_s", int(found[1]))


def read_packets(text: str) -> Answers:
    found = re.fullmatch(r"(\d+)\s*(?:(?:-|\.\.|to)\s*(\d+))?\s*(?:bytes)?", text.strip().lower())
    if found is None:
        raise _wrong(
            f"packets {text}: use the shortest and the longest length in bytes, such as 64-1500"
        )
    shortest, longest = int(found[1]), int(found[2] or found[1])
    if not 1 <= shortest <= longest:
        raise _wrong(f"packets {text}: the shortest has 1 byte or more, and the longest no less")
    _checked("max_text_bytes", max(16, longest))
    return {"shortest_bytes": shortest, "longest_bytes": longest}


def read_keys(text: str) -> Answers:
    found = re.fullmatch(r"([\d\s,]+?)\s*(?:(?:x|\*)\s*(\d+))?", text.strip().lower())
    if found is None or not re.search(r"\d", found[1]):
        raise _wrong(
            f"keys {text}: use key sizes in bits and how many keys are held at the same time, such "
            "as 128,256 x 4"
        )
    sizes = tuple(sorted({int(size) for size in re.findall(r"\d+", found[1])}))
    return {**_checked("key_sizes", sizes), **_checked("contexts", int(found[2] or 1))}


def read_release(text: str) -> Answers:
    return _checked("release", text.strip().lower())


def read_target(text: str) -> Answers:
    from gcmforge.config.option import either, nearest
    from gcmforge.explore.calibration import calibrated
    from gcmforge.netlist.targets import target_names

    found = re.fullmatch(
        r"([^\s@]+)(?:(?:\s*@\s*|\s+(?:at\s+)?)(\d+)\s*(?:mhz)?)?", text.strip().lower()
    )
    name, clock = found.groups() if found else (text, None)
    if name not in target_names():
        near = nearest(name, target_names())
        hint = f" (did you mean {either(near)}?)" if near else ""
        raise _wrong(
            f"target {text}: use one of {', '.join(target_names())}{hint}; a clock in MHz may come "
            "after it, such as xc7 at 250"
        )
    if clock is None and name not in calibrated():
        raise _wrong(
            f"target {name}: nothing is known of its clock before a core is measured; say the one "
            f"that is planned, such as {name} at 250"
        )
    return {"target": name, **(_checked("clock_mhz", int(clock)) if clock else {})}


def _checked(name: str, value: Any) -> Answers:
    """The option's value, if its range has it."""
    from gcmforge.config import options
    from gcmforge.config.stated import INTENTS

    {**INTENTS, **options()}[name].check(name, value)
    return {name: value}


def _wrong(text: str) -> Exception:
    from gcmforge.config import ConfigError

    return ConfigError(text)


QUESTIONS = (
    Question(
        name="rate",
        words="How many Gbit/s, even in the shortest packets?",
        default="10",
        read=read_rate,
    ),
    Question(
        name="packets",
        words="How many bytes of text has a packet, from the shortest to the longest?",
        default="64-1500",
        read=read_packets,
    ),
    Question(
        name="keys",
        words="Which key sizes in bits (128, 192, 256), and how many keys at the same time?",
        default="128,256 x 4",
        read=read_keys,
    ),
    Question(
        name="release",
        words="When does decrypted text leave: streaming (before its tag is known) or verified "
        "(after its tag matched, from a packet buffer)?",
        default="verified",
        read=read_release,
    ),
    Question(
        name="target",
        words="What is it built on, and at which clock (may be left out on osu018)?",
        default="osu018",
        read=read_target,
    ),
)


# What is written and printed ----------------------------------------------------------------------


def check_place(file: Path) -> None:
    """ConfigError unless a new file can be written there."""
    if file.is_dir():
        raise _wrong(f"{file}: is a folder; name a file, such as {file / 'core.toml'}")
    if file.exists() or file.is_symlink():
        raise _wrong(f"{file}: is there already, and is not replaced; choose another name")
    if not file.parent.is_dir():
        raise _wrong(f"{file}: there is no folder {file.parent}; make it first")


def write_new(file: Path, text: str) -> None:
    try:
        with file.open("x", encoding="utf-8") as stream:
            stream.write(text)
    except FileExistsError:
        raise _wrong(
            f"{file}: is there already, and is not replaced; choose another name"
        ) from None


def build_command(file: Path) -> str:
    return shlex.join(["gcmforge", "build", str(file), "-o", f"cores/{file.stem}"])


def toml(found: "Start", file: Path) -> str:
    """The configuration, with what each line is for."""
    from gcmforge.config.option import toml_text

    wanted = found.wanted
    why = {
        "goal": "the expert options follow: area, balanced, throughput or short_packets",
        "gbit_per_s": "to be reached",
        "clock_mhz": "MHz; "
        + ("as set" if wanted.clock_mhz else "the slowest that reaches the rate in these packets"),
        "lanes": f"of 128 bits; packets of {wanted.shortest_bytes:,} bytes need them",
        "key_sizes": "bits; each key says which it is",
        "contexts": "keys at the same time",
        "release": "when text leaves: streaming (before its tag) or verified (after it)",
        "max_text_bytes": "the longest text; a longer one ends with status TOO_LONG",
    }
    head = [
        found.plan.config.summary,
        f"for {wanted.need.text}, {wanted.release} release.",
        *estimate_lines(found),
        f"Build it: {build_command(file)}",
        "Any other option may stand here, too; gcmforge prints what it derives.",
    ]
    values = {name: f"{name} = {toml_text(value)}" for name, value in found.values.items()}
    width = max(map(len, values.values()))
    body = [f"{values[name]:{width}}  # {why[name]}" for name in why if name in values]
    return "\n".join([*(f"# {line}" for line in head), "", *body, ""])


def estimate_lines(found: "Start") -> Iterator[str]:
    """Area, clock and throughput, as far as they are known before anything is measured."""
    from gcmforge.explore.start import STANDS_IN

    wanted, point = found.wanted, found.point
    area = f"{(point.area_ge or 0) / 1000:,.0f} kGE"
    if wanted.is_estimated:
        yield (
            f"Estimated on {wanted.target}: {area}, clock up to {point.fmax_mhz:.0f} MHz; "
            f"{found.clock_mhz} MHz are planned."
        )
        if point.placed_fmax_mhz is not None:
            yield (
                f"That is with ideal wires; placed, its clock is up to about "
                f"{point.placed_fmax_mhz:.0f} MHz."
            )
    else:
        yield (
            f"On {wanted.target} nothing can be estimated, nor whether it reaches the clock; on "
            f"{STANDS_IN} it would be {area}, estimated."
        )
    rates = (
        f"{gbit_per_s:.1f} Gbit/s in packets of {size:,} bytes"
        for size, gbit_per_s in found.rates.items()
    )
    yield f"At {found.clock_mhz} MHz: {', '.join(rates)}."
    if point.note:
        yield f"{point.note[0].upper()}{point.note[1:]}."


def told(found: "Start", file: Path) -> Iterator[str]:
    """What was written, for people."""
    yield f"{file} written: {found.plan.config.summary}"
    yield from (f"  {line}" for line in estimate_lines(found))
    yield f"  next: {build_command(file)}"
    yield f"  then: {measure_command(found, file)}"


def measure_command(found: "Start", file: Path) -> str:
    """What says how good the estimate is, and whether the clock is reached where that is known."""
    from gcmforge.explore.fronts import is_timed

    target = found.wanted.target
    words = ["gcmforge", "measure", f"cores/{file.stem}", "--target", target]
    if is_timed(target):
        words += ["--clock", f"{1000 / found.clock_mhz:.2f}"]
    return shlex.join(words)


def mapping(found: "Start", file: Path) -> dict[str, Any]:
    """For --json."""
    return {
        "file": str(file),
        "values": dict(found.values),
        "config": found.plan.config.to_mapping(),
        "estimate": found.point.to_mapping() if found.wanted.is_estimated else None,
        "gbit_per_s": {str(size): rate for size, rate in found.rates.items()},
        "build": build_command(file),
        "measure": measure_command(found, file),
    }
