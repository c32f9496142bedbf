# SPDX-License-Identifier: Apache-2.0
"""Templates of a core's texts, with undefined names refused. No date and no path gets into any."""

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gcmforge.version import release

if TYPE_CHECKING:
    from jinja2 import Environment

HERE = Path(__file__).parent


@cache
def _templates() -> "Environment":
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    return Environment(
        loader=FileSystemLoader(HERE / "templates"),
        undefined=StrictUndefined,
        keep_trailing_newline=True,
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=False,
    )


def render(template: str, **values: Any) -> str:
    """That template, with the version of gcmforge and these values."""
    return _templates().get_template(template).render(version=release(), **values)
