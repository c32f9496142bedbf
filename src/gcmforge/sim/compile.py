# SPDX-License-Identifier: Apache-2.0
"""A core as a shared library: Verilator's C++ and the harness, compiled once for each content.

The cache lies in $GCMFORGE_CACHE, else in $XDG_CACHE_HOME/gcmforge, else in ~/.cache/gcmforge. An
entry's name is the hash of everything that decides what comes out: sources, harness, parameters,
options, what proves leaves, the versions of Verilator, Yosys and the C++ compiler, and the
instructions that this machine has. Entries appear by one rename and under a lock, so that
processes may compile at the same time.

Verilator's own makefile is not used: it refuses folders with blanks in their names, and its
run-time library, which is the same for all cores, would be compiled again for each.
"""

import hashlib
import json
import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from gcmforge import tools
from gcmforge.cache import cache_folder, locked, new_entry, program_digest
from gcmforge.config import CoreConfig
from gcmforge.config.architecture import dot_lanes
from gcmforge.emit.naming import listed, unnamed_sources
from gcmforge.sim import covered, gadgets, leaves, properties

TOP = "gcm_axis"
LIBRARY = "libsim.so"
LEAF_NOTES = "leaves.json"
PROPERTIES, UNWATCHED = "properties of modules", "not watched"
_ERROR = re.compile(r"^%Error: (.*)$", re.M)

VERILATOR_FLAGS = (
    "--cc", "--no-timing", "--assert", "--coverage-user", "-O3", "-Wno-fatal", "-Wno-lint",
    "--x-assign", "unique", "--x-initial", "unique",
    "--top-module", TOP, "--prefix", "Vgcm_axis",
)  # fmt: skip
CXX_FLAGS = ("-std=gnu++17", "-fPIC", "-fvisibility=hidden", "-w")
CELLS = ("-fno-split", "--output-split-cfuncs", "300")
"""More flags for Verilator where the source is a netlist of cells: its processes stay whole, and
functions small enough for the C++ compiler."""
JOINED_BYTES = 1_000_000
"""Files of the model are joined to about that before they are compiled."""
QUICK_BYTES = 8_000_000
"""The same with flags of the user's own: the headers take a second of the processor a file."""
OPTIMISE = {"fast": "-O3", "cells": "-O1", "slow": "-O0", "runtime": "-O1", "harness": "-O2"}
"""For this machine's own instructions: a third faster than -Os without, and compiled as soon. A
model of a netlist's cells is compiled as "cells": it would take minutes with -O3."""

_TRACE_FLAGS = {"vcd": ("--trace-vcd",), "fst": ("--trace-fst",)}
_TRACE_DEFINES = {
    "vcd": ("-DGCM_TRACE_VCD", "-DVM_TRACE=1", "-DVM_TRACE_VCD=1", "-DVM_TRACE_FST=0"),
    "fst": ("-DGCM_TRACE_FST", "-DVM_TRACE=1", "-DVM_TRACE_VCD=0", "-DVM_TRACE_FST=1"),
    "": ("-DVM_TRACE=0", "-DVM_TRACE_VCD=0", "-DVM_TRACE_FST=0"),
}
_COMMON_DEFINES = (
    "-DVERILATOR=1", "-DVM_COVERAGE=1", "-DVM_SC=0", "-DVM_TIMING=0", "-DVM_TRACE_SAIF=0",
)  # fmt: skip


_SAYS = "int gcm_says(const char* format, ...);\n#define VL_PRINTF gcm_says\n"
"""For Verilator's run-time library: it prints into the harness, not on standard output."""


class CompileError(tools.ToolError):
    """Verilator or the C++ compiler refused; the text holds their words."""


def harness_source() -> Path:
    return Path(__file__).with_name("harness.cpp")


def waveform_format() -> str:
    """ "fst" where the compiler finds the headers that FST needs (Debian: liblz4-dev,
    zlib1g-dev), else "vcd", which always works."""
    return "fst" if tools.cxx_accepts_header("lz4.h", "zlib.h") else "vcd"


def core_sources(core_dir: Path) -> tuple[Path, ...]:
    """The core's SystemVerilog files in the order of its file lists."""
    return tuple(core_dir / path for path in listed(core_dir))


def compile_core(core_dir: Path, *, waveform: str = "", gates: bool = False) -> Path:
    """The core's shared library, from the cache or compiled now.

    A core that has a name is simulated without it. `waveform` is "" for none, else "vcd" or "fst"
    for a library that can write one (slower). Leaves are proven first and simulated as what they
    were proven to be, see `leaves`; with `gates` they are simulated gate by gate, which takes
    minutes to compile.
    """
    listed = core_sources(core_dir)
    config = None if gates else CoreConfig.from_toml(core_dir / "core.toml")
    with unnamed_sources(core_dir, listed) as sources:
        return _compiled(sources, (), waveform, config, _store(listed), points=True)


def compile_sources(
    sources: Sequence[Path], *, parameters: Mapping[str, int] | None = None, waveform: str = ""
) -> Path:
    """The shared library of any files with a top module gcm_axis, packages first, as they are."""
    named = [f"-G{name}={value}" for name, value in sorted((parameters or {}).items())]
    return _compiled(sources, named, waveform, None, _store(sources))


def compile_cells(source: Path, *, waveform: str = "") -> Path:
    """The shared library of a netlist of library cells, one file with a module gcm_axis."""
    return _compiled([source], CELLS, waveform, None, _store([source]))


def simulated_leaves(library: Path) -> dict[str, str]:
    """For each leaf that was looked at when this library was made, what was proven of it;
    a text that starts with "gates" says that its gates are simulated, and why. PROPERTIES is there
    where they do not fit the modules: UNWATCHED, and why."""
    notes = library.with_name(LEAF_NOTES)
    found: dict[str, str] = json.loads(notes.read_text(encoding="utf-8"))
    return found


def _compiled(
    sources: Sequence[Path],
    more: Sequence[str],
    waveform: str,
    config: CoreConfig | None,
    store: Path,
    *,
    points: bool = False,
) -> Path:
    if waveform not in _TRACE_DEFINES:
        raise ValueError(f"waveform format {waveform}: use vcd, fst, or nothing for none")
    key = _key(sources, more, waveform, config, points)
    entry = store / key
    if (entry / LIBRARY).is_file():
        return entry / LIBRARY
    with locked(entry):
        if not (entry / LIBRARY).is_file():
            _compile_into(entry, sources, more, waveform, config, points)
    return entry / LIBRARY


# ---- cache ---------------------------------------------------------------------------------------


def _store(sources: Sequence[Path]) -> Path:
    """Where libraries are kept. One that holds a key in its logic stays in its core's folder, which
    is closed to others, and is no change of the core."""
    for path in sources:
        if path.name.endswith("gf128_fixed.sv"):
            return path.parent.parent / "bench" / "sim_build"
    return cache_folder() / "sim"


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _digest(parts: object) -> str:
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:32]


def _key(
    sources: Sequence[Path],
    more: Sequence[str],
    waveform: str,
    config: CoreConfig | None,
    points: bool,
) -> str:
    files = [(path.name, _sha256(path)) for path in sources]
    own = [_sha256(p) for p in (harness_source(), Path(leaves.__file__), Path(gadgets.__file__))]
    flags = [VERILATOR_FLAGS, CXX_FLAGS, OPTIMISE, waveform]
    proofs = config and [
        dot_lanes(config), config.aes_substages, config.ghash_stages,
        program_digest(), _yosys_version(),
    ]  # fmt: skip
    inside = [
        dict(covered.points()), dict(properties.properties()), dict(properties.requirements()),
        _sha256(Path(properties.__file__)),
    ] if points else []  # fmt: skip
    return _digest([files, own, list(more), flags, proofs, inside, _compilers()])


def _compilers() -> list[str]:
    """Versions, the machine for which they compile, and the user's own flags."""
    versions = [tools.verilator_version(), tools.cxx_version()]
    return [*versions, tools.cxx_native()[1], *_own_flags()]


def _own_flags() -> list[str]:
    """$GCMFORGE_CXXFLAGS, which come last: -O0 for simulators that are compiled in half the time
    and run a fifth as fast, -O1 for what is between."""
    return shlex.split(os.environ.get("GCMFORGE_CXXFLAGS", ""))


def _yosys_version() -> str:
    """Of the Yosys that proofs need; empty without one, when leaves are simulated as gates."""
    try:
        return tools.yosys_version()
    except tools.ToolError:
        return ""


# ---- steps ---------------------------------------------------------------------------------------


def _compile_into(
    entry: Path,
    sources: Sequence[Path],
    more: Sequence[str],
    waveform: str,
    config: CoreConfig | None,
    points: bool,
) -> None:
    with tools.naming(entry), new_entry(entry) as work:
        model = work / "model"
        model.mkdir()
        sources, notes = leaves.with_proven(sources, config, work)
        if points:
            notes |= _verilate_watched(model, sources, waveform)
        else:
            _verilate(model, sources, more, waveform)
        (work / LEAF_NOTES).write_text(json.dumps(notes, indent=2) + "\n", encoding="utf-8")
        defines = (*_COMMON_DEFINES, *_TRACE_DEFINES[waveform])
        groups = _generated_files(model)
        if more == CELLS:
            groups["cells"] = groups.pop("fast")
        runtime = _runtime(groups["runtime"], defines)
        objects = _compile_model(model, groups, defines)
        libraries = ["-llz4", "-lz"] if waveform == "fst" else []
        _run(
            [*tools.cxx_command(), "-shared", "-Wl,-Bsymbolic", "-o", str(work / LIBRARY)]
            + [str(path) for path in (*objects, *runtime)]
            + [*libraries, "-pthread"]
        )
        shutil.rmtree(model)


def _verilate_watched(model: Path, sources: Sequence[Path], waveform: str) -> dict[str, str]:
    """With the points and the properties of modules; without these where what they name is not
    there, as somebody has changed a module, and then with a note that says so."""
    texts = {path: path.read_text(encoding="utf-8") for path in sources}

    def verilate(more: Mapping[str, str]) -> None:
        """Those texts with their points; a file that stays as it is is read where it stands."""
        files = []
        for source, text in texts.items():
            pointed = covered.with_points(more[source.name])
            files.append(source if pointed == text else model / source.name)
            if pointed != text:
                files[-1].write_text(pointed, encoding="utf-8")
        _verilate(model, files, (), waveform)

    by_name = {path.name: text for path, text in texts.items()}
    try:
        verilate(properties.with_properties(by_name))
    except tools.ToolError as error:
        shutil.rmtree(model)
        model.mkdir()
        verilate(by_name)
        why = _ERROR.search(str(error))
        return {PROPERTIES: f"{UNWATCHED}: {why[1] if why else error}"}
    return {}


def _verilate(model: Path, sources: Sequence[Path], more: Sequence[str], waveform: str) -> None:
    flags = [*VERILATOR_FLAGS, *_TRACE_FLAGS.get(waveform, ()), *more]
    files = [str(path.resolve()) for path in sources]
    command = [str(tools.verilator_binary()), *flags, "--Mdir", str(model), *files]
    _run(command, environment=tools.verilator_environment())


def _generated_files(model: Path) -> dict[str, list[str]]:
    """Verilator's C++ files (no suffix) by how they are to be compiled."""
    text = (model / "Vgcm_axis_classes.mk").read_text(encoding="utf-8").replace("\\\n", " ")
    groups: dict[str, list[str]] = {"fast": [], "slow": [], "runtime": []}
    for variable, names in re.findall(r"^VM_(\w+?) \+=(.*)$", text, re.MULTILINE):
        kind = "runtime" if variable.startswith("GLOBAL") else variable.rsplit("_", 1)[1].lower()
        groups[kind] += names.split()
    return groups


def _cxx(kind: str, defines: Sequence[str]) -> list[str]:
    include = tools.verilator_root() / "include"
    unique = [] if "clang" in tools.cxx_version() else ["-fno-gnu-unique"]
    return [
        *tools.cxx_command(), *CXX_FLAGS, *unique, *tools.cxx_native()[0], OPTIMISE[kind],
        *_own_flags(), *defines, f"-I{include}", f"-I{include / 'vltstd'}",
    ]  # fmt: skip


def _joined(model: Path, sources: Sequence[Path], kind: str, most: int) -> list[Path]:
    """Few files of about `most` bytes that include all of these: most are small, and each reads the
    same headers."""
    parts: list[list[Path]] = []
    size = most
    for source in sources:
        if size >= most:
            parts.append([])
            size = 0
        parts[-1].append(source)
        size += source.stat().st_size
    files = [model / f"joined_{kind}_{number}.cpp" for number in range(len(parts))]
    for file, part in zip(files, parts, strict=True):
        text = "".join(f'#include "{source.resolve()}"\n' for source in part)
        file.write_text(text, encoding="utf-8")
    return files


def _compile_model(
    model: Path, groups: Mapping[str, Sequence[str]], defines: Sequence[str]
) -> list[Path]:
    """Compile the files side by side; returns the objects."""
    kinds = groups.keys() - {"runtime"}
    paths = {kind: [model / f"{name}.cpp" for name in groups[kind]] for kind in sorted(kinds)}
    paths["harness"] = [harness_source()]
    size, headers = JOINED_BYTES, list[str]()
    if any(flag.startswith("-O") for flag in _own_flags()):  # all are compiled alike, at least cost
        paths, size = {"fast": [path for kind in paths.values() for path in kind]}, QUICK_BYTES
        headers = _precompiled(defines)
    jobs = [(path, kind) for kind in paths for path in _joined(model, paths[kind], kind, size)]

    def compile_one(job: tuple[Path, str]) -> Path:
        source, kind = job
        out = model / f"{source.stem}.o"
        _run([*_cxx(kind, defines), *headers, f"-I{model}", "-c", "-o", str(out), str(source)])
        return out

    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        return list(pool.map(compile_one, jobs))


def _precompiled(defines: Sequence[str]) -> list[str]:
    """Flags for the headers that every model and the harness read, compiled once by GCC; reading
    them takes a third of the time of a small model."""
    if "clang" in tools.cxx_version():
        return []
    command = _cxx("fast", defines)
    names = re.findall(r"^#include (<\w+>)$", harness_source().read_text(), re.MULTILINE)
    text = "".join(f"#include {name}\n" for name in ['"verilated.h"', *names])
    entry = cache_folder() / "headers" / _digest([text, command, _compilers()])
    header = entry / "all.h"
    if not entry.is_dir():
        with locked(entry):
            if not entry.is_dir():
                with tools.naming(entry), new_entry(entry) as work:
                    (work / header.name).write_text(text, encoding="utf-8")
                    out = str(work / f"{header.name}.gch")
                    _run([*command, "-x", "c++-header", "-o", out, str(work / header.name)])
    return ["-include", str(header)]


def _runtime(names: Sequence[str], defines: Sequence[str]) -> list[Path]:
    """Verilator's run-time library: compiled once, used by every core."""
    flags = [*CXX_FLAGS, OPTIMISE["runtime"]]
    key = _digest([list(names), list(defines), flags, _SAYS, _compilers()])
    entry = cache_folder() / "runtime" / key
    if not entry.is_dir():
        with locked(entry):
            if not entry.is_dir():
                _compile_runtime(entry, names, defines)
    return [entry / f"{name}.o" for name in names]


def _compile_runtime(entry: Path, names: Sequence[str], defines: Sequence[str]) -> None:
    include = tools.verilator_root() / "include"
    with (
        tools.naming(entry),
        new_entry(entry) as work,
        ThreadPoolExecutor(os.cpu_count() or 1) as pool,
    ):
        says = work / "says.h"
        says.write_text(_SAYS, encoding="utf-8")

        def compile_one(name: str) -> None:
            source, out = str(include / f"{name}.cpp"), str(work / f"{name}.o")
            _run([*_cxx("runtime", defines), "-include", str(says), "-c", "-o", out, source])

        list(pool.map(compile_one, names))


def _run(command: Sequence[str], environment: Mapping[str, str] | None = None) -> None:
    run = subprocess.run(
        command, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    if run.returncode != 0:
        tail = "\n".join(run.stdout.strip().splitlines()[-40:])
        raise CompileError(f"{Path(command[0]).name} ended with code {run.returncode}:\n{tail}")
