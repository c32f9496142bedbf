# SPDX-License-Identifier: Apache-2.0
"""The library, built once."""

import pytest

from gcmforge.leaf import library


@pytest.fixture(scope="session")
def leaves():
    return {leaf.name: leaf for leaf in library()}
