# SPDX-License-Identifier: Apache-2.0
"""gcmforge sbox: the S-boxes, listed and proven."""

from gcmforge.cli.common import Json, print_json
from gcmforge.cli.progress import progress_line


def sbox(*names: str, json: Json = False) -> int:
    """List the S-boxes: gates, area, delay, source; each is proven while it is listed.

    Any name is a value of the option sbox. Exit code 0 when every proof passes.

    Parameters
    ----------
    names
        S-boxes to tell more of: source, stages that it can be cut into, power that was published.
        Without any, all are listed, one a line.
    """
    from gcmforge.config import SBOXES, options
    from gcmforge.config.names import MEMORY_SBOXES
    from gcmforge.leaf.sbox_list import sbox_details, sbox_figures, sbox_table

    for name in names:
        options()["sbox"].check("sbox", name)
    with progress_line() as progress:
        rows = []
        for name in names or (*SBOXES, *MEMORY_SBOXES):
            progress(name)
            rows.append(sbox_figures(name, most_stages=4 if names or json else 1))
    if json:
        print_json([row.to_mapping() for row in rows])
    else:
        print("\n\n".join(map(sbox_details, rows)) if names else sbox_table(rows))
    return int(not all(row.proof.passed for row in rows))
