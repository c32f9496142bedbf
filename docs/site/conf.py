# SPDX-License-Identifier: Apache-2.0
"""How Sphinx reads the pages that build.py has put together."""

from gcmforge import __version__

project = "gcmforge"
author = "the gcmforge authors"
version = release = __version__
html_title = f"gcmforge {__version__}"

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.viewcode"]
myst_heading_anchors = 6  # the anchors that GitHub makes
suppress_warnings = ["myst.header"]  # a command's help begins at another level

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_class_signature = "mixed"
default_role = "literal"  # docstrings mark names with single backticks
viewcode_line_numbers = True

html_theme = "furo"
html_static_path = ["site.css"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_copyright = False
html_show_sphinx = False


def indented_is_code(app, what, name, obj, options, lines: list[str]) -> None:
    """In docstrings an indented block after an empty line is code, as in Markdown."""
    found: list[str] = []
    code = False
    for number, line in enumerate(lines):
        if line and not line.startswith("    "):
            code = False
        elif line and not code and number and not lines[number - 1]:
            found += ["::", ""]
            code = True
        found.append(line)
    lines[:] = found


def setup(app) -> None:
    app.connect("autodoc-process-docstring", indented_is_code)
