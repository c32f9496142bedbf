# SPDX-License-Identifier: Apache-2.0
"""The claim of Crenne 2011 on the zeros of table T, counted again: 30, 50 and 70 % for 10^8 keys.

Random AES-128 keys by the Mersenne Twister, seed 2011. It fails if mean or variance is not what
theory says, or lowest and highest do not round to 30 and 70 %.
"""

import hashlib
from collections.abc import Iterator

from gcmforge.study.checkout import DOCS, clean_commit
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

KEYS, SEED = 10**8, 2011
NAME = "10^8 keys"
KEPT = Kept("zeros")
PICTURE = DOCS / "theory" / "table-zeros.svg"


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
    """The picture, from what is kept."""
    clean_commit("gcmforge-study pages zeros")
    save_picture(kept(), PICTURE)
