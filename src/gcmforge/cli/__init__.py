# SPDX-License-Identifier: Apache-2.0
"""The commands of gcmforge, one file each: parse, call, print. Nothing imports this room.

Results go to standard output, as JSON with --json; progress and errors go to standard error. The
exit code is 0 only when what the command claims holds. A command imports what it needs when it
runs, so that help and errors are there at once.
"""

import os
import signal
import sys
from collections.abc import Sequence

from cyclopts import App, Parameter

from gcmforge.cli import (
    build,
    doctor,
    explore,
    measure,
    papers,
    prove,
    sbox,
    specialise,
    verify,
)
from gcmforge.version import installed_version


def _shown_default(value: object) -> object:
    """What help says of a default: nothing of "none" and "no", and no Python."""
    if value in (None, (), False):
        return None
    return "yes" if value is True else value


app = App(
    name="gcmforge",
    help="AES-GCM hardware: from one configuration to verified, proven SystemVerilog.",
    version=installed_version,
    result_action="return_value",
    default_parameter=Parameter(show_default=_shown_default),
)

app.command(build.build)
app.command(verify.verify)
app.command(sbox.sbox)
app.command(prove.prove)
app.command(measure.measure)
app.command(specialise.specialise)
app.command(explore.explore)
app.command(doctor.doctor)
app.command(papers.papers, show=False)
app.register_install_completion_command(
    help="Write completions of commands and options for the shell in use (bash, zsh, fish)."
)


def main(arguments: Sequence[str] | None = None) -> None:
    """Entry point of the program gcmforge; ends the process with the command's exit code."""
    if arguments is None:
        signal.signal(signal.SIGTERM, _terminated)
    try:
        code = app(sys.argv[1:] if arguments is None else list(arguments))
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 1
    except Exception as error:
        if not _is_shown(error):
            raise
        print(f"gcmforge: {error}", file=sys.stderr)
        code = 1
    sys.exit(code)


def _is_shown(error: Exception) -> bool:
    """Whether its text is written for the user; anything else is a bug and keeps its traceback."""
    from gcmforge.config import ConfigError
    from gcmforge.emit.folder import BuildError
    from gcmforge.tools import ToolError

    return isinstance(error, (ConfigError, BuildError, ToolError, OSError))


def _terminated(*_: object) -> None:
    """As Ctrl-C: whatever is under way clears up after itself."""
    sys.exit(128 + signal.SIGTERM)
