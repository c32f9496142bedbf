# SPDX-License-Identifier: Apache-2.0
"""Which gcmforge this is: the version that was installed, and the release that it belongs to.

The version comes from git's tags when the package is built (pyproject.toml), and differs from one
commit to the next: 0.1.0.post1.dev12+g1a2b3c4. What is written into a core, and what keys a stored
result, is the release alone, 0.1.0: the same configuration gives the same bytes at every commit of
a release.
"""

import re
from functools import cache

UNKNOWN = "0+unknown"
"""The version of a source tree that was never installed."""


@cache
def installed_version() -> str:
    """The version of the installed package, as pip shows it."""
    from importlib.metadata import PackageNotFoundError, version  # 30 ms: not at import

    try:
        return version("gcmforge")
    except PackageNotFoundError:
        return UNKNOWN


def release() -> str:
    """The release that the installed version belongs to, such as 0.1.0."""
    return release_of(installed_version())


def release_of(version: str) -> str:
    """The numbers at the start of a version: what comes after its release is cut off."""
    numbers = re.match(r"\d+(\.\d+)*", version)
    if numbers is None:
        raise ValueError(f"{version}: not a version; it begins with no number")
    return numbers[0]
