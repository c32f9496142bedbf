# SPDX-License-Identifier: Apache-2.0
"""Fixtures for simulations; every compiled simulator comes from or goes to the usual cache."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from long_runs import compiled_for_long_runs
from toy import TOY_CORE

from gcmforge.sim.compile import compile_sources


@pytest.fixture(scope="package")
def toy_library(simulators_for_long_runs: None) -> Path:
    """The toy core with two lanes, compiled."""
    return compile_sources([TOY_CORE])


@pytest.fixture(scope="package", autouse=True)
def simulators_for_long_runs() -> Iterator[None]:
    """Here are runs of minutes."""
    with compiled_for_long_runs():
        yield
