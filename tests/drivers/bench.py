# SPDX-License-Identifier: Apache-2.0
"""Single modules, compiled by Verilator and driven from Python cycle by cycle.

A bench shows the ports of the compiled module as plain ints. Several modules can stand side by side
under one top (`side_by_side`), each with its own prefix: a leaf that they share is compiled once.

One clock cycle, number `bench.cycle`: inputs are put while the clock is low, the model settles,
transfers are sampled, the clock rises. A transfer's cycle is the cycle in which it was sampled, so
a register between two streams is a latency of 1.
"""

import contextlib
import ctypes
import hashlib
import json
import random
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from gcmforge import tools
from gcmforge.cache import cache_folder
from gcmforge.config import CoreConfig
from gcmforge.emit.package import gcm_pkg
from gcmforge.emit.ports import Port
from gcmforge.emit.rtl import handwritten

DEFAULT = CoreConfig()
VERILATOR_FLAGS = (
    "--cc", "--no-timing", "--assert", "--x-assign", "unique", "--x-initial", "unique",
    "--output-split", "0", "--prefix", "Vbench",
)  # fmt: skip
CXX_FLAGS = ("-std=gnu++17", "-O0", "-fPIC", "-w", "-fno-gnu-unique", "-Wl,-Bsymbolic")
DEFINES = tuple(
    f"-DVM_{name}=0" for name in ("COVERAGE", "SC", "TIMING", "TRACE", "TRACE_FST", "TRACE_VCD")
)
INLINED = {"gf128_mul": "no_inline", "aes_sbox": "inline", "aes_sub_shift": "inline"}


# ---- compiling -----------------------------------------------------------------------------------


def compile_bench(top: str, texts: Mapping[str, str], *, state: bool = False) -> Path:
    """The shared library of the module `top`; texts maps file stem -> SystemVerilog, packages
    first. The same content is compiled once, ever. With `state` a bench can show its whole state.
    """
    runtime = _made("", _compile_runtime)
    made = _made(
        json.dumps([top, list(texts.items()), state]),
        lambda work: _compile(work, top, texts, runtime, state=state),
    )
    return made / "bench.so"


def _made(content: str, make: Callable[[Path], None]) -> Path:
    """A folder of the cache that `make` has filled, now or before."""
    versions = [tools.verilator_version(), tools.cxx_version()]
    key = json.dumps([content, versions, Path(__file__).read_text(encoding="utf-8")])
    entry = cache_folder() / "laws" / hashlib.sha256(key.encode()).hexdigest()[:32]
    if not entry.is_dir():
        entry.parent.mkdir(parents=True, exist_ok=True)
        work = Path(tempfile.mkdtemp(prefix=".work-", dir=entry.parent))
        try:
            make(work)
            with contextlib.suppress(OSError):  # another process was faster
                work.rename(entry)
        finally:
            shutil.rmtree(work, ignore_errors=True)
    return entry


def rtl(*names: str, config: CoreConfig = DEFAULT) -> dict[str, str]:
    """Hand-written modules by name, the package of that core first."""
    files = handwritten()
    texts = {name: files[name].read_text(encoding="utf-8") for name in names}
    return {"gcm_pkg": gcm_pkg(config), **texts}


def _compile(work: Path, top: str, texts: Mapping[str, str], runtime: Path, *, state: bool) -> None:
    # What is there many times is cheapest inside its users when small, a function when large.
    hints = [f'{how} -module "{name}"\n' for name, how in INLINED.items() if name in texts]
    files = [work / "leaves.vlt", *(work / f"{name}.sv" for name in texts)]
    files[0].write_text("`verilator_config\n" + "".join(hints), encoding="utf-8")
    for path, text in zip(files[1:], texts.values(), strict=True):
        path.write_text(text, encoding="utf-8")
    flags = [*VERILATOR_FLAGS, *(["--savable"] if state else [])]
    verilator = [str(tools.verilator_binary()), *flags, "--top-module", top]
    _run(
        [*verilator, "-Wno-fatal", "-Wno-lint", "--Mdir", str(work), *map(str, files)],
        environment=tools.verilator_environment(),
    )
    _write_glue(work, state=state)
    objects = [str(path) for path in sorted(runtime.glob("*.o"))]
    out = ["-shared", "-o", str(work / "bench.so")]
    _run([*_cxx(), f"-I{work}", *out, str(work / "all.cpp"), *objects, "-pthread"])


def _compile_runtime(work: Path) -> None:
    """Verilator's own library, the same for all benches."""
    for name in ("verilated", "verilated_threads"):
        source = tools.verilator_root() / "include" / f"{name}.cpp"
        _run([*_cxx(), "-c", "-o", str(work / f"{name}.o"), str(source)])


def _cxx() -> list[str]:
    include = tools.verilator_root() / "include"
    return [*tools.cxx_command(), *CXX_FLAGS, *DEFINES, f"-I{include}", f"-I{include / 'vltstd'}"]


def _write_glue(work: Path, *, state: bool) -> None:
    """One C++ file with everything, and the ports' names and widths."""
    header = (work / "Vbench.h").read_text(encoding="utf-8")
    found = re.findall(r"VL_(IN|OUT)\w*\(&?(\w+),(\d+),(\d+)", header)
    ports = [[name, int(high) - int(low) + 1] for _, name, high, low in found]
    inputs = [name for kind, name, _, _ in found if kind == "IN"]
    (work / "ports.json").write_text(json.dumps(ports), encoding="utf-8")
    model = sorted(work.glob("Vbench*.cpp"))
    lines = [f'#include "{path.name}"' for path in model]
    if state:
        lines += [
            '#include "verilated_save.cpp"',
            'extern "C" void bench_save(void* m, const char* to) {',
        ]
        lines += [
            "  VerilatedSave file;",
            "  file.open(to);",
            "  file << *static_cast<Vbench*>(m);",
        ]
        lines += ["  file.close();", "}"]
    # Registers and memories start at random, the same in every run; inputs at zero.
    lines += ['extern "C" {', "void* bench_new(int seed) {", "  Verilated::randReset(2);"]
    lines += ["  Verilated::threadContextp()->randSeed(seed);"]
    lines += ["  auto* p = new Vbench;"]
    lines += [f"  std::memset(&p->{name}, 0, sizeof(p->{name}));" for name in inputs]
    lines += ["  auto* c = p->contextp();", "  c->fatalOnError(false);"]
    lines += ["  c->gotError(false);", "  c->gotFinish(false);", "  return p;", "}"]
    lines += ["int bench_eval(void* m) {", "  auto* p = static_cast<Vbench*>(m);", "  p->eval();"]
    lines += ["  return p->contextp()->gotError();", "}"]
    lines += ["void* bench_port(void* m, int number) {", "  auto* p = static_cast<Vbench*>(m);"]
    lines += [f"  if (number == {i}) return &p->{name};" for i, (name, _) in enumerate(ports)]
    lines += ["  return nullptr;", "}", "}", ""]
    (work / "all.cpp").write_text("\n".join(lines), encoding="utf-8")


def _run(command: Sequence[str], environment: Mapping[str, str] | None = None) -> None:
    run = subprocess.run(
        command, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    assert run.returncode == 0, "\n".join(run.stdout.splitlines()[-40:])


# ---- several modules under one top ---------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, slots=True)
class Instance:
    """One module of `side_by_side`; its ports appear as prefix_port, clk and rst are shared."""

    prefix: str
    module: str
    parameters: Mapping[str, int | str]
    ports: Iterable[Port]
    taps: Mapping[str, tuple[str, int]] = field(default_factory=dict)
    """More outputs: name -> what inside the module it shows, and its width."""


def ports(**widths: int) -> tuple[Port, ...]:
    """Ports by name: what ends in _o is an output."""
    return tuple(
        Port(name=name, direction="output" if name.endswith("_o") else "input", width=width)
        for name, width in widths.items()
    )


def side_by_side(instances: Iterable[Instance]) -> str:
    """A top module `laws_top` that holds the instances and nothing else."""
    declared, made = ["input logic clk", "input logic rst"], []
    for instance in instances:
        own = [port for port in instance.ports if port.name not in ("clk", "rst")]
        declared += [
            f"{port.direction} logic {port.range} {instance.prefix}_{port.name}" for port in own
        ]
        values = ", ".join(f".{name}({value})" for name, value in instance.parameters.items())
        wires = [".clk(clk)", ".rst(rst)"][: 1 if instance.module == "gcm_ram" else 2]
        wires += [f".{port.name}({instance.prefix}_{port.name})" for port in own]
        head = f"  {instance.module} #({values}) u_{instance.prefix} ("
        made.append(head + ", ".join(wires) + ");")
        for name, (inside, width) in instance.taps.items():
            declared.append(f"output logic [{width - 1}:0] {instance.prefix}_{name}")
            made.append(f"  assign {instance.prefix}_{name} = u_{instance.prefix}.{inside};")
    return "\n".join(["module laws_top (", ",\n".join(declared), ");", *made, "endmodule", ""])


# ---- running -------------------------------------------------------------------------------------


class Bench:
    """A running module: ports as ints, a cycle at a time. Reset is held for two cycles at first."""

    def __init__(
        self, library: Path, *, clock: str = "clk", reset: str = "rst", reset_level: int = 1,
        seed: int = 1,
    ) -> None:  # fmt: skip
        self._lib = ctypes.CDLL(str(library))
        self._lib.bench_new.restype = self._lib.bench_port.restype = ctypes.c_void_p
        self._lib.bench_port.argtypes = [ctypes.c_void_p, ctypes.c_int]
        self._lib.bench_eval.argtypes = [ctypes.c_void_p]
        self._lib.bench_eval.restype = ctypes.c_int
        self._model = self._lib.bench_new(ctypes.c_int(seed))
        self.widths: dict[str, int] = dict(
            json.loads(library.with_name("ports.json").read_text(encoding="utf-8"))
        )
        self._memory = {name: self._port(number) for number, name in enumerate(self.widths)}
        self._clock = clock
        self.cycle = 0
        for level in (reset_level, 1 - reset_level):
            self.put(reset, level)
            self.settle()
            self.edge()
            self.settle()
            self.edge()
        self.cycle = 0

    def _port(self, number: int) -> memoryview:
        # Verilator keeps a port in 1, 2, 4 or 8 bytes, or in as many words of 4 as it needs.
        bits = list(self.widths.values())[number]
        size = next((n for n in (1, 2, 4, 8) if bits <= 8 * n), 4 * ((bits + 31) // 32))
        address = self._lib.bench_port(self._model, number)
        return memoryview((ctypes.c_uint8 * size).from_address(address)).cast("B")

    def put(self, name: str, value: int) -> None:
        """Set an input; it stays until it is set again."""
        assert 0 <= value < 1 << self.widths[name], f"{name} has {self.widths[name]} bits: {value}"
        memory = self._memory[name]
        memory[:] = value.to_bytes(len(memory), "little")

    def get(self, name: str) -> int:
        """An output, as it stands after `settle`."""
        return int.from_bytes(self._memory[name], "little")

    def state(self) -> bytes:
        """Every register and memory word of the model, where it was compiled with `state`."""
        with tempfile.NamedTemporaryFile() as file:
            self._lib.bench_save(ctypes.c_void_p(self._model), file.name.encode())
            return Path(file.name).read_bytes()

    def settle(self) -> None:
        """Inputs to outputs, clock low."""
        self.put(self._clock, 0)
        self._lib.bench_eval(self._model)

    def edge(self) -> None:
        """The clock rises: the cycle is over."""
        self.put(self._clock, 1)
        broken = self._lib.bench_eval(self._model)
        assert not broken, (
            f"cycle {self.cycle}: an assertion of the RTL failed and printed its name"
        )
        self.cycle += 1


Chance = Callable[[int], bool]
"""Of a cycle's number: whether the stream pauses in it."""


def never(_: int) -> bool:
    """A stream without pauses."""
    return False


def at_random(seed: int, probability: float) -> Chance:
    """Pauses of that density."""
    rng = random.Random(seed)
    return lambda _: rng.random() < probability


class Source:
    """Offers words (port name -> value) on a valid/ready stream; noise where nothing is offered.

    `ready` is None for a stream that is always taken. `sent` has the cycle of each transfer.
    """

    def __init__(
        self, bench: Bench, valid: str, ready: str | None, words: Sequence[Mapping[str, int]],
        *, idle: Chance = never,
    ) -> None:  # fmt: skip
        self._bench, self._valid, self._ready, self._idle = bench, valid, ready, idle
        self.words = words
        self.sent: list[int] = []
        self._offered: int | None = None
        self._noise = random.Random(len(words))
        self.stop()

    @property
    def done(self) -> bool:
        return len(self.sent) == len(self.words)

    def put(self) -> None:
        """Inputs for this cycle; a word once offered stays until it is taken."""
        bench, number = self._bench, len(self.sent)
        if self._offered == number:
            return
        offer = not self.done and not self._idle(bench.cycle)
        bench.put(self._valid, offer)
        if offer:
            self._offered = number
            for name, value in self.words[number].items():
                bench.put(name, value)
        elif self.words:
            for name in self.words[0]:
                bench.put(name, self._noise.getrandbits(bench.widths[name]))

    def stop(self) -> None:
        """Nothing is offered while the stream is not run."""
        self._offered = None
        self._bench.put(self._valid, 0)

    def sample(self) -> None:
        if self._offered == len(self.sent) and (
            self._ready is None or self._bench.get(self._ready)
        ):
            self.sent.append(self._bench.cycle)


class Sink:
    """Takes words; `got` has the values of `fields`, one tuple a word, and `cycles` when."""

    def __init__(
        self, bench: Bench, valid: str, ready: str | None, fields: Sequence[str],
        *, wait: Chance = never,
    ) -> None:  # fmt: skip
        self._bench, self._valid, self._ready, self._wait = bench, valid, ready, wait
        self._fields = fields
        self.got: list[tuple[int, ...]] = []
        self.cycles: list[int] = []
        self._takes = True

    def put(self) -> None:
        if self._ready is not None:
            self._takes = not self._wait(self._bench.cycle)
            self._bench.put(self._ready, self._takes)

    def sample(self) -> None:
        if self._takes and self._bench.get(self._valid):
            self.got.append(tuple(map(self._bench.get, self._fields)))
            self.cycles.append(self._bench.cycle)


class Probe:
    """Records a port in every cycle: `values[cycle - first]`."""

    def __init__(self, bench: Bench, name: str) -> None:
        self._bench, self._name, self.first = bench, name, bench.cycle
        self.values: list[int] = []

    def put(self) -> None:
        """Nothing to put."""

    def sample(self) -> None:
        self.values.append(self._bench.get(self._name))

    def at(self, cycle: int) -> int:
        return self.values[cycle - self.first]


Stream = Source | Sink | Probe


def play(
    bench: Bench, streams: Sequence[Stream], done: Callable[[], bool], *, limit: int = 100_000
) -> None:
    """Cycles until `done` says so; more than `limit` of them are a hang."""
    end = bench.cycle + limit
    while not done():
        assert bench.cycle < end, f"not done after {limit} cycles"
        for stream in streams:
            stream.put()
        bench.settle()
        for stream in streams:
            stream.sample()
        bench.edge()


def run(
    bench: Bench, streams: Sequence[Stream], done: Callable[[], bool], *, limit: int = 100_000
) -> None:
    """`play`, and then nothing is offered any more."""
    play(bench, streams, done, limit=limit)
    for stream in streams:
        if isinstance(stream, Source):
            stream.stop()
