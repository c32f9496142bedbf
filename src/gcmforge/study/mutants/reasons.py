# SPDX-License-Identifier: Apache-2.0
"""Why a mutant is not killed, where somebody has found out.

What is said holds for the core on which the mutant was judged: others have other parts and sizes,
and may show it.
"""

from gcmforge.study.mutants.reasons_of_back import BACK
from gcmforge.study.mutants.reasons_of_ciphers import CIPHERS
from gcmforge.study.mutants.reasons_of_front import FRONT

_FOUND: dict[str, dict[tuple[str, str], str]] = {**CIPHERS, **FRONT, **BACK}
"""File -> what stands there and what stands there instead -> reason."""

REASONS: dict[tuple[str, str, str], str] = {
    (file, *change): why for file, found in _FOUND.items() for change, why in found.items()
}
"""File, what stands there and what stands there instead -> reason."""

_BY_VERDICT = {
    "refuted": "a property of the module is false",
    "slower": "every answer is right, and no law of cycles that `verify` holds is broken",
}


def reason(file: str, old: str, new: str, verdict: str) -> str:
    """For the page; a mutant that nobody has looked at has none."""
    return REASONS.get((file, old, new)) or _BY_VERDICT.get(verdict, "not found out")
