# SPDX-License-Identifier: Apache-2.0
"""Stands in for a measurement: fast, known, and able to kill its worker."""

import os
import signal
import time
from pathlib import Path

from gcmforge.measure.result import Result

FOLDER = "GCMFORGE_TOY_FOLDER"


def result_of(ask):
    """A result whose area is what a test can compute itself."""
    return Result(
        what="toy", kind="core", summary="", configuration=ask.config.to_mapping(), rtl_sha256="",
        target=ask.target, target_kind="asic", target_family="", target_version="", tools={},
        effort=ask.effort, note="", command="",
        area_ge=1000.0 * ask.config.contexts * ask.config.lanes,
    )  # fmt: skip


def toy(ask):
    """Leaves a file for each time that it was called."""
    note(ask, "measured")
    return result_of(ask).to_json(), ""


def toy_slow(ask):
    time.sleep(0.2)
    return toy(ask)


def toy_with_error(ask):
    return ("", "no such thing") if ask.config.contexts == 3 else toy(ask)


def toy_that_dies_once(ask):
    """The worker that gets the third point first is killed in the middle of it."""
    if ask.config.contexts == 3 and not seen(ask, "died"):
        note(ask, "died")
        os.kill(os.getpid(), signal.SIGKILL)
    return toy(ask)


def toy_that_always_dies(ask):
    if ask.config.contexts == 3:
        note(ask, "died")
        os.kill(os.getpid(), signal.SIGKILL)
    return toy(ask)


def note(ask, what):
    with (Path(os.environ[FOLDER]) / f"{what}-{ask.config.contexts}").open("a") as file:
        file.write(f"{os.getpid()}\n")


def seen(ask, what):
    """How often that was noted."""
    file = Path(os.environ[FOLDER]) / f"{what}-{ask.config.contexts}"
    return len(file.read_text().split()) if file.exists() else 0
