# SPDX-License-Identifier: Apache-2.0
"""The `slow` mark: left out unless asked for with `-m slow`."""

from pathlib import Path

import pytest


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "slow: minutes rather than seconds; run with -m slow")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if "slow" in (config.option.markexpr or ""):
        return
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent) and "slow" in item.keywords:
            item.add_marker(pytest.mark.skip(reason="slow; run with -m slow"))
