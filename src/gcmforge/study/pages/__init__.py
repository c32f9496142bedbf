# SPDX-License-Identifier: Apache-2.0
"""The pages of figures under docs/, each with its writer."""

PAGES = {
    "measured": ("docs/reference/measured.md and README's table", "an hour or two, first time"),
    "sboxes": ("docs/reference/sboxes.md", "minutes"),
    "goals": ("docs/reference/goals.md", "an hour, first time"),
    "bound": ("docs/reference/bound.md", "minutes"),
    "features": ("docs/reference/features.md", "half an hour, first time"),
    "line-rates": ("docs/reference/line-rates.md", "an hour, first time"),
    "fpga": ("docs/reference/fpga.md", "from kept figures"),
    "asap7": ("docs/reference/asap7.md", "from kept figures"),
    "papers": (
        "docs/reference/papers.md, and README's counts of figures",
        "from kept figures",
    ),
    "soak": ("docs/reference/soak.md", "from kept runs"),
    "beats": ("docs/reference/beats.md", "from kept runs"),
    "faults": ("docs/reference/faults.md", "from kept runs"),
    "fuzz": ("docs/reference/fuzz.md", "from kept runs"),
    "flips": ("docs/reference/flips.md", "from kept runs"),
    "control": ("docs/reference/control.md", "from kept proofs"),
    "mutants": ("docs/reference/mutants.md", "from kept runs"),
    "sign-off": ("docs/reference/sign-off.md", "two minutes, from what is kept"),
    "mapped": ("docs/reference/mapped.md", "from kept runs"),
    "routed": ("docs/reference/routed.md", "from kept runs"),
    "zeros": ("the table of docs/theory/table-zeros.md, and its picture", "from the kept count"),
    "tools": ("docs/reference/tools.md", "two minutes, on a machine with these tools"),
    "published": ("the papers' points on the explorer page", "from the tables"),
}
"""Name on the command line -> what is written, and how long it takes."""
