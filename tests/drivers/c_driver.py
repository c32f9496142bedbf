# SPDX-License-Identifier: Apache-2.0
"""A core's C driver, compiled strictly and with sanitizers, around a Verilated model of the core.

The program plays the lines of a file: see tests/axi/driver/packets.c.
"""

import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from gcmforge import tools

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples/driver"
PLAYER = ROOT / "tests/axi/driver"
STRICT = (
    "-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wsign-conversion", "-Wshadow",
    "-Wstrict-prototypes", "-Wcast-qual", "-Werror",
)  # fmt: skip
SANITIZED = ("-g", "-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")


def run(
    command: Sequence[object],
    cwd: Path,
    *,
    code: int = 0,
    environment: Mapping[str, str] | None = None,
) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [str(word) for word in command],
        cwd=cwd, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == code, f"{command}\n{done.stdout[-2000:]}\n{done.stderr[-4000:]}"
    return done


def accepts(words: Sequence[str], work: Path) -> bool:
    (work / "empty.c").write_text("int number;\n")
    command = ["cc", *words, "-S", "empty.c"]
    return subprocess.run(command, cwd=work, capture_output=True, check=False).returncode == 0


def headers(core: Path) -> list[str]:
    return [f"-I{folder}" for folder in (core, core / "sw", EXAMPLE, PLAYER)]


@dataclass(frozen=True, kw_only=True, slots=True)
class Model:
    """A Verilated model: where its header is, how the harness is told, what is linked."""

    words: tuple[object, ...]
    linked: tuple[object, ...]


def of_bench(library: Path) -> Model:
    """One that `bench.compile_bench` compiled."""
    folder = library.parent
    return Model(
        words=("-DMODEL=Vbench", "-include", folder / "Vbench.h"),
        linked=(library, f"-Wl,-rpath,{folder}"),
    )


def of_verilator(folder: Path, top: str) -> Model:
    """One in Verilator's own folder."""
    linked = (folder / f"V{top}__ALL.a", *sorted(folder.glob("verilated*.o")))
    return Model(words=(f"-I{folder}",), linked=linked)


def player(core: Path, work: Path, model: Model) -> Path:
    """The program for that core's folder, in `work` with its objects."""
    compile_c(core, work, *sorted((core / "sw").glob("*.c")), PLAYER / "packets.c")
    include = tools.verilator_root() / "include"
    systems = [word for folder in (include, include / "vltstd") for word in ("-isystem", folder)]
    run(
        [*tools.cxx_command(), "-std=c++20", *SANITIZED, *headers(core), *systems, *model.words,
         "-c", PLAYER / "more.cpp", "-o", work / "more.o"],
        work,
    )  # fmt: skip
    return link(work, model)


def compile_c(core: Path, work: Path, *sources: Path) -> None:
    for source in sources:
        out = work / f"{source.stem}.o"
        run(["cc", *STRICT, *SANITIZED, *headers(core), "-c", source, "-o", out], work)


def link(work: Path, model: Model) -> Path:
    program, objects = work / "player", sorted(work.glob("*.o"))
    linked = [*tools.cxx_command(), *SANITIZED, "-o", program, *objects, *model.linked, "-pthread"]
    run(linked, work)
    return program


def play(program: Path, lines: Sequence[str], *, seed: int = 0, code: int = 0) -> list[str]:
    """What the driver answers to each line; the sanitizers have nothing to say."""
    script = program.with_name("lines.txt")
    script.write_text("".join(f"{line}\n" for line in lines))
    done = run([program, script, seed], program.parent, code=code)
    assert "runtime error" not in done.stderr and "Sanitizer" not in done.stderr, done.stderr
    return done.stdout.splitlines()
