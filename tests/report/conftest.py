# SPDX-License-Identifier: Apache-2.0
"""What tests of pages share: a browser."""

import pytest
from needs import browser as browser_program


@pytest.fixture(scope="module")
def chromium():
    from playwright.sync_api import sync_playwright

    with sync_playwright() as started:
        browser = started.chromium.launch(executable_path=browser_program(), args=["--no-sandbox"])
        yield browser
        browser.close()
