# SPDX-License-Identifier: Apache-2.0
"""Fixtures for simulations; every compiled simulator comes from or goes to the usual cache."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from toy import TOY_CORE

from gcmforge.sim.compile import compile_sources


@pytest.fixture(scope="package")
def toy_library(simulators_for_long_runs: None) -> Path:
    """The toy core with two lanes, compiled."""
    return compile_sources([TOY_CORE])


@pytest.fixture(scope="package", autouse=True)
def simulators_for_long_runs() -> Iterator[None]:
    """Other tests run a simulator for seconds, and `make test` has it compiled with -O0. Here are
    runs of minutes: -O1 is five times as fast."""
    with pytest.MonkeyPatch.context() as patch:
        if os.environ.get("GCMFORGE_CXXFLAGS") == "-O0":
            patch.setenv("GCMFORGE_CXXFLAGS", "-O1")
        yield
