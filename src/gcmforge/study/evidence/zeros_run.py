# SPDX-License-Identifier: Apache-2.0
"""The claim of Crenne 2011 on the zeros of table T, counted again: 30, 50 and 70 % for 10^8 keys.

Random AES-128 keys by the Mersenne Twister, seed 2011. It fails if mean or variance is not what
theory says, or lowest and highest do not round to 30 and 70 %.
"""

import hashlib
import re
from collections.abc import Iterator, Sequence

from gcmforge.study.checkout import DOCS, origin, write_page
from gcmforge.study.evidence.zeros_picture import save_picture
from gcmforge.study.kept import Found, Kept, Step
from gcmforge.study.papers import zeros
from gcmforge.study.papers.zeros import (
    PUBLISHED_PERCENT,
    ZerosStatistics,
    percent,
    statistics_text,
    table_statistics,
)
from gcmforge.study.papers.zeros_theory import zeros_theory

KEYS, SEED = 10**8, 2011
NAME = "10^8 keys"
KEPT = Kept("zeros")
PAGE = DOCS / "theory" / "table-zeros.md"
PICTURE = PAGE.with_suffix(".svg")
COMMAND = "gcmforge-study pages zeros"
HEADING = f"zeros in T, {NAME}"
TABLE = re.compile(rf"^\| {re.escape(HEADING)} \|.*?\n\n", re.MULTILINE | re.DOTALL)
ORIGIN = re.compile(rf"\n+{re.escape(origin('', COMMAND)).replace('``', '`[0-9a-f]+`')}\n*\Z")


def steps() -> Iterator[Step]:
    yield Step(
        kind="zeros", name=NAME, seed=SEED, call=count, digest=sources_digest(),
        command=f"gcmforge-study zeros {KEYS} --seed {SEED}",
    )  # fmt: skip


def sources_digest() -> str:
    """Of what counts."""
    texts = [zeros.KERNEL.read_bytes(), zeros.KERNEL.with_suffix(".py").read_bytes()]
    return hashlib.sha256(b"".join(texts)).hexdigest()[:16]


def count() -> Found:
    found = table_statistics(KEYS, draw="keys", generator="mt19937", seed=SEED)
    ok = found.agrees and as_published(found)
    return Found(ok=ok, text=statistics_text(found), data=found.to_mapping())


def kept() -> ZerosStatistics:
    (record,) = KEPT.records()
    return ZerosStatistics.from_mapping(record["found"])


def as_published(found: ZerosStatistics) -> bool:
    """To the nearest ten per cent, which is how the paper gives them."""
    shares = (found.lowest, found.mean, found.highest)
    return tuple(10 * round(percent(share) / 10) for share in shares) == PUBLISHED_PERCENT


def write() -> None:
    """The page's table and the picture, from what is kept."""
    found = kept()
    write_page(PAGE, [with_table(PAGE.read_text(encoding="utf-8"), found)], COMMAND)
    save_picture(found, PICTURE)


def with_table(page: str, found: ZerosStatistics) -> str:
    """The page with the table as it is now, without the line of its origin."""
    text = "\n".join(table(found)) + "\n\n"
    written, times = TABLE.subn(lambda _: text, ORIGIN.sub("\n", page))
    if times != 1:
        raise ValueError(f"{PAGE}: {times} tables of zeros; one was expected")
    return written


def table(found: ZerosStatistics) -> Iterator[str]:
    """What the paper has, what was counted, and what theory expects."""
    theory = zeros_theory()
    low, high = theory.extremes(found.keys)
    yield f"| {HEADING} | lowest | mean | highest | standard deviation |"
    yield "| --- | ---: | ---: | ---: | ---: |"
    yield line("Crenne 2011", [f"{share} %" for share in PUBLISHED_PERCENT], "")
    for name, values, deviation in (
        ("counted", (found.lowest, found.mean, found.highest), found.standard_deviation),
        (
            "theory (lowest and highest: medians)", (low, theory.mean, high),
            theory.standard_deviation,
        ),
    ):  # fmt: skip
        yield line(name, [f"{percent(x):.2f} %" for x in values], f"{percent(deviation):.4f} %")


def line(name: str, shares: Sequence[str], deviation: str) -> str:
    return f"| {name} | {' | '.join(shares)} | {deviation} |"
