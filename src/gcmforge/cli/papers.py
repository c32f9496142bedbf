# SPDX-License-Identifier: Apache-2.0
"""What went to the study, and where it is now."""

from typing import Annotated

from cyclopts import Parameter

from gcmforge.cli.common import moved


def papers(*_: Annotated[str, Parameter(allow_leading_hyphen=True)]) -> int:
    """Says where the papers' tables are now."""
    return moved("gcmforge papers", "gcmforge-study papers")
