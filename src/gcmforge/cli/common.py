# SPDX-License-Identifier: Apache-2.0
"""What commands share: how they print."""

import errno
import json as json_format
import sys
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

if TYPE_CHECKING:
    from gcmforge.emit import BuiltCore

Json = Annotated[
    bool, Parameter(name="--json", negative=(), help="Print the result, or the error, as JSON.")
]
AllowChanged = Annotated[
    bool,
    Parameter(
        negative=(),
        help="Take a folder that is not what was built (files changed, missing or added); the last "
        "line says so. Without it such a folder is refused.",
    ),
]


def core_text(core: "BuiltCore") -> str:
    """What was built, for people."""
    proofs = len(core.proofs)
    proven = f"{proofs} of {proofs} proofs passed" if proofs else "nothing proven (--no-prove)"
    state = "written" if core.written else "already there, unchanged"
    return (
        f"{core.path}: {core.config.summary}\n"
        f"  {len(core.files)} files {state}; {len(core.rtl)} SystemVerilog files, "
        f"top {core.config.named(core.config.top)}\n"
        f"  {proven}"
    )


def core_mapping(core: "BuiltCore") -> dict[str, Any]:
    """The same for programs."""
    return {
        "path": str(core.path),
        "written": core.written,
        "config": core.config.to_mapping(),
        "files": list(core.files),
        "rtl": list(core.rtl),
        "proofs": [proof.to_mapping() for proof in core.proofs],
    }


def changed_line(changed: str) -> str:
    """The last line of a command that took a folder which is not what was built."""
    return f"NOT AS BUILT, allowed by --allow-changed: {changed}"


def fail(message: str, *, json: bool, code: int = 1, **more: object) -> int:
    """Says why a command ends without its result, and returns the exit code: a line on standard
    error, or with --json one object on standard output, which has `error` and nothing more but
    `more`."""
    if json:
        print_json({"error": message, **more})
    else:
        print(f"gcmforge: {message}", file=sys.stderr)
    return code


_ADVICE = {
    errno.ENOSPC: "free some space, or write elsewhere",
    errno.EDQUOT: "free some space, or write elsewhere",
    errno.EACCES: "you may not read or write it; change its rights, or use another place",
    errno.EPERM: "you may not read or write it; change its rights, or use another place",
    errno.EROFS: "write elsewhere",
    errno.ENOENT: "look at its name",
}


def words_of(error: BaseException) -> str:
    """An error's text for the user: of a system's error the file, the matter, and what to do."""
    if not (isinstance(error, OSError) and error.errno and error.strerror):
        return str(error)
    where = error.filename or "standard output, or a temporary file"  # all others are named
    advice = _ADVICE.get(error.errno, "")
    return f"{where}: {error.strerror.lower()}{f'; {advice}' if advice else ''}"


def moved(old: str, new: str) -> int:
    """Says what a command is called now; 2, the exit code of a wrong command line."""
    print(f"{old}: it is now `{new}`", file=sys.stderr)
    return 2


def print_json(value: object) -> None:
    """On standard output."""
    print(json_format.dumps(value, indent=2))
