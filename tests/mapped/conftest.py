# SPDX-License-Identifier: Apache-2.0
"""The toy core of tests/sim and the small library of tests/measure are used here, too."""

import sys
from pathlib import Path

TESTS = Path(__file__).parents[1]
sys.path += [str(TESTS / "sim"), str(TESTS / "measure")]
