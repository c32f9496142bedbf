# SPDX-License-Identifier: Apache-2.0
"""The claim of Crenne 2011 on the zeros of table T, counted again: 30, 50 and 70 % for 10^8 keys.

python bench/table_zeros.py [--picture]: counts 10^8 random AES-128 keys (Mersenne Twister, seed
2011), writes its data and docs/theory/table-zeros.svg, and prints the figures. With
--picture nothing is counted: what the file has is printed and drawn. Exit code 1 if mean or
variance is not what theory says, or lowest and highest do not round to 30 and 70 %.
"""

import argparse
import json
import sys
from pathlib import Path

from gcmforge.study.evidence.zeros import (
    PUBLISHED_PERCENT,
    ZerosStatistics,
    percent,
    statistics_text,
    table_statistics,
)
from gcmforge.study.evidence.zeros_picture import save_picture

KEYS, SEED = 10**8, 2011
ROOT = Path(__file__).parents[1]
DATA = ROOT / "src/gcmforge/study/evidence/data/table_zeros.json"
PICTURE = ROOT / "docs" / "theory" / "table-zeros.svg"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--picture", action="store_true", help="count nothing, draw the file")
    if parser.parse_args().picture:
        found = kept()
    else:
        found = table_statistics(KEYS, draw="keys", generator="mt19937", seed=SEED)
        DATA.write_text(json.dumps(found.to_mapping(), separators=(",", ":")) + "\n")
    save_picture(found, PICTURE)
    print(statistics_text(found))
    return 0 if found.agrees and as_published(found) else 1


def kept() -> ZerosStatistics:
    return ZerosStatistics.from_mapping(json.loads(DATA.read_text()))


def as_published(found: ZerosStatistics) -> bool:
    """To the nearest ten per cent, which is how the paper gives them."""
    shares = (found.lowest, found.mean, found.highest)
    return tuple(10 * round(percent(share) / 10) for share in shares) == PUBLISHED_PERCENT


if __name__ == "__main__":
    sys.exit(main())
