# SPDX-License-Identifier: Apache-2.0
"""Why a mutant is not killed, where somebody has found out."""

REASONS: dict[tuple[str, str, str], str] = {}
"""File, what stands there and what stands there instead -> reason."""

_BY_VERDICT = {
    "refuted": "a property of the module is false",
    "slower": "every answer is right, and no law of cycles that `verify` holds is broken",
}


def reason(file: str, old: str, new: str, verdict: str) -> str:
    """For the page; a mutant that nobody has looked at has none."""
    return REASONS.get((file, old, new)) or _BY_VERDICT.get(verdict, "not found out")
