# SPDX-License-Identifier: Apache-2.0
"""Fixtures for simulations; every compiled simulator comes from or goes to the usual cache."""

from pathlib import Path

import pytest
from toy import TOY_CORE

from gcmforge.sim.compile import compile_sources


@pytest.fixture(scope="session")
def toy_library() -> Path:
    """The toy core with two lanes, compiled."""
    return compile_sources([TOY_CORE])
