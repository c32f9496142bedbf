# SPDX-License-Identifier: Apache-2.0
"""The commands of gcmforge, one file each: parse, call, print. Only the study imports of this room
(how a command prints and tells of itself).

Results go to standard output, as JSON with --json; progress and errors go to standard error. With
--json an error is an object on standard output, too: {"error": "..."}. The exit code is 0 only when
what the command claims holds. A command imports what it needs when it runs, so that help and errors
are there at once.
"""

import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress

from cyclopts import App, CycloptsError, Parameter

from gcmforge.cli import (
    build,
    doctor,
    explore,
    measure,
    new,
    papers,
    prove,
    sbox,
    specialise,
    verify,
)
from gcmforge.cli.common import fail, words_of
from gcmforge.tools import naming
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
    suppress_keyboard_interrupt=False,
    default_parameter=Parameter(show_default=_shown_default),
)

app.command(new.new)
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
    help="Write completions of commands and options for the shell in use (bash, zsh, fish), and a "
    "line into its start-up file that loads them."
)


def main(arguments: Sequence[str] | None = None) -> None:
    """Entry point of the program gcmforge; ends the process with the command's exit code."""
    if arguments is None:
        signal.signal(signal.SIGTERM, _terminated)
    words = sys.argv[1:] if arguments is None else list(arguments)
    json = "--json" in words
    try:
        code = app(words, exit_on_error=not json, print_error=not json)
        _flush()
    except BrokenPipeError:
        with suppress(OSError):
            _flush()
        code = 1
    except KeyboardInterrupt as interrupt:
        code = fail(str(interrupt) or "interrupted", json=json, code=130)
    except CycloptsError as error:  # of a command line that is not understood, with --json
        code = fail(str(error), json=json, code=2)
    except Exception as error:
        if not _is_shown(error):
            raise
        code = fail(words_of(error), json=json)
    sys.exit(code)


def _flush() -> None:
    """What was printed is out, or an error says that it is not. It is not tried again after it."""
    try:
        with naming("standard output"):
            sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise


def _is_shown(error: Exception) -> bool:
    """Whether its text is written for the user; anything else is a bug and keeps its traceback."""
    from gcmforge.config import ConfigError
    from gcmforge.emit.folder import BuildError
    from gcmforge.tools import ToolError

    if isinstance(error, (ConfigError, BuildError, ToolError, OSError)):
        return True
    from gcmforge.measure.errors import SHOWN

    return isinstance(error, SHOWN)


def _terminated(*_: object) -> None:
    """As Ctrl-C: whatever is under way clears up after itself."""
    sys.exit(128 + signal.SIGTERM)
