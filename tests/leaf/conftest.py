# SPDX-License-Identifier: Apache-2.0
"""The library, each leaf made once, when it is first asked for."""

from collections.abc import Mapping
from functools import cache

import pytest

from gcmforge.leaf import Leaf, leaf_makers


class Leaves(Mapping[str, Leaf]):
    """Leaves by name."""

    def __init__(self):
        self._makers = leaf_makers()
        self._made = cache(lambda name: self._makers[name]())

    def __getitem__(self, name):
        return self._made(name)

    def __iter__(self):
        return iter(self._makers)

    def __len__(self):
        return len(self._makers)


@pytest.fixture(scope="session")
def leaves():
    return Leaves()
