# SPDX-License-Identifier: Apache-2.0
"""Simulators for tests that run them for many cycles."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

import pytest


@contextmanager
def compiled_for_long_runs() -> Iterator[None]:
    """Most tests run a simulator for seconds, and `make test` has it compiled with -O0. For minutes
    -O1 is five times as fast."""
    with pytest.MonkeyPatch.context() as patch:
        if os.environ.get("GCMFORGE_CXXFLAGS") == "-O0":
            patch.setenv("GCMFORGE_CXXFLAGS", "-O1")
        yield
