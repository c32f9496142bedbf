# SPDX-License-Identifier: Apache-2.0
"""What messages show of a file that somebody else may have written: little, and on one line."""

from collections.abc import Callable

MOST_SHOWN = 80
"""Characters of a value."""


def brief(value: object, text_of: Callable[[object], str] = str, *, most: int = MOST_SHOWN) -> str:
    """A value in characters that a terminal shows as they are, cut where it is long."""
    try:
        text = text_of(value)
    except ValueError:
        return "a number of too many digits"
    except RecursionError:
        return "lists in lists, too deep"
    cut = text[:most]
    if not cut.isprintable():
        cut = "".join(one if one.isprintable() else ascii(one)[1:-1] for one in cut)
    return f"{cut}..." if len(text) > most else cut


def why_unread(error: Exception) -> str:
    """Why a file could not be read, in words for whoever wrote it."""
    if isinstance(error, RecursionError):
        return "nested too deeply"
    if isinstance(error, KeyError):
        return f"there is no {brief(error.args[0])}"
    if isinstance(error, (TypeError, AttributeError)):  # they speak of Python
        return "of another form"
    if "integer string conversion" in str(error):
        return "a number of too many digits"
    return brief(error)
