# SPDX-License-Identifier: Apache-2.0
"""From a configuration to a core's folder, and back from a folder to what is in it."""

import difflib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from gcmforge.config import ConfigError, CoreConfig
from gcmforge.config.brief import why_unread
from gcmforge.emit import byproducts, texts
from gcmforge.emit.bench_vectors import bench
from gcmforge.emit.driver import driver
from gcmforge.emit.folder import (
    LOCK,
    BuildError,
    changes,
    check_target,
    check_unchanged,
    read_lock,
    with_lock,
    write_folder,
)
from gcmforge.emit.layers import bound_layers
from gcmforge.emit.leaves import (
    LEAF_MODULES,
    check_leaf,
    leaf_file,
    leaf_modules,
    prove_specification,
    prove_text,
)
from gcmforge.emit.naming import (
    LIST,
    WIDE,
    WIDE_LIST,
    find_list,
    listed,
    named_files,
    named_path,
    unnamed,
)
from gcmforge.emit.package import gcm_pkg
from gcmforge.emit.packaging import COMPONENT, component_xml, vhdl
from gcmforge.emit.packed import packed_module
from gcmforge.emit.parts import parts
from gcmforge.emit.records import LeafFile, ProofRecord
from gcmforge.emit.registers import c_header, systemrdl
from gcmforge.emit.rtl import gather, handwritten, instead_of, with_defaults
from gcmforge.emit.testbench import TESTBENCH, testbench

Progress = Callable[[str], None]
"""Called with a few words before each step that may take a while."""

Documents = Callable[[CoreConfig, Mapping[str, str], Sequence[ProofRecord]], Mapping[str, str]]
"""More files for the folder, made of the configuration, the core's files, and its proofs."""


@dataclass(frozen=True, kw_only=True, slots=True)
class BuiltCore:
    """A core's folder; `rtl` is in compile order, relative to `path`, top last.

    It may stand wherever a path may: `Path(core)`, `open(Path(core) / "README.md")`.
    """

    path: Path
    config: CoreConfig
    files: tuple[str, ...]
    rtl: tuple[str, ...]
    proofs: tuple[ProofRecord, ...]
    written: bool
    """Whether this call wrote it: False when opened, or when it was there already."""

    def __fspath__(self) -> str:
        return str(self.path)


def build_core(
    config: CoreConfig,
    out: Path,
    *,
    prove: bool = True,
    force: bool = False,
    documents: Documents | None = None,
    progress: Progress = lambda step: None,
) -> BuiltCore:
    """Write the core into the folder `out`, whole or not at all; the same bytes every time.

    If `out` is a core's folder that nobody changed, it is replaced. A changed one is replaced only
    with `force`, any other folder that is not empty never (BuildError). Without `prove` no leaf is
    proven, and the core's texts say so. `documents` adds files, such as the datasheet.
    """
    out = Path(out)
    before = check_target(out, force=force)
    files, rtl, proofs = core_files(config, prove=prove, progress=progress)
    if documents is not None:
        files = {**files, **documents(config, files, proofs)}
    return write_core(config, files, rtl, proofs, out, before=before)


def write_core(
    config: CoreConfig,
    files: Mapping[str, str],
    rtl: Sequence[str],
    proofs: tuple[ProofRecord, ...],
    out: Path,
    *,
    before: str | None = None,
    private: bool = False,
) -> BuiltCore:
    """Put the files of `core_files` into the folder, under the core's name and with a new lock.

    before: what `check_target` found there.
    """
    named = with_lock(named_files(config, {n: text for n, text in files.items() if n != LOCK}))
    written = write_folder(named, out, private=private, before=before)
    return BuiltCore(
        path=out,
        config=config,
        files=tuple(sorted(named)),
        rtl=tuple(named_path(config, path) for path in rtl),
        proofs=proofs,
        written=written,
    )


def core_files(
    config: CoreConfig,
    *,
    prove: bool = True,
    progress: Progress = lambda step: None,
    instead: Mapping[str, str] | None = None,
) -> tuple[dict[str, str], tuple[str, ...], tuple[ProofRecord, ...]]:
    """Every file of the core's folder, its SystemVerilog in compile order, and its proofs.

    Names of modules and files are those of a core without a name; `write_core` puts it there.

    instead: texts of generated modules that take the place of the usual ones, or are new. They
    make a core for one key, which refuses the bench's vectors: it has no bench.
    """
    leaves: dict[str, LeafFile] = {}

    def make_leaf(module: str) -> str:
        progress(f"{module}: making" + (" and proving" if prove else ""))
        leaves[module] = leaf_file(config, module, prove=prove)
        return leaves[module].text

    rtl = _rtl(config, make_leaf, instead or {})
    around = [path for path in rtl if path.startswith(WIDE)]
    own = [path for path in rtl if path not in around]
    proofs = tuple(proof for leaf in leaves.values() for proof in leaf.proofs)
    logs = {
        f"proofs/{leaf.module}.log": byproducts.proof_log(leaf.proofs)
        for leaf in leaves.values()
        if leaf.proofs
    }
    files = {
        "core.toml": byproducts.core_toml(config),
        LIST: byproducts.file_list(own),
        **({WIDE_LIST: byproducts.file_list(around)} if around else {}),
        "gcm_axis.core": byproducts.fusesoc(
            config, own, around, testbench="" if instead else TESTBENCH
        ),
        "gcm_axis.sdc": byproducts.constraints(config),
        "gcm_axis.xdc": byproducts.xilinx_constraints(config),
        "gcm_axis.vhd": vhdl(config),
        COMPONENT: component_xml(config, own),
        **packed_module(config),
        "README.md": byproducts.readme(config, proofs, one_key=bool(instead)),
        "proofs/proofs.json": byproducts.proofs_json(proofs),
        **logs,
        **_register_texts(config, one_key=bool(instead)),
        **({} if instead else {**bench(config), TESTBENCH: testbench(config)}),
        **rtl,
    }
    return with_lock(files), tuple(rtl), proofs


def _register_texts(config: CoreConfig, *, one_key: bool) -> dict[str, str]:
    """What describes the register block to tools and programs, and its driver, if there is one."""
    if config.registers == "off":
        return {}
    texts = {"gcm_regs.rdl": systemrdl(config), "gcm_regs.h": c_header(config)}
    return texts | driver(config, self_test=not one_key)


def _rtl(
    config: CoreConfig, make_leaf: Callable[[str], str], instead: Mapping[str, str]
) -> dict[str, str]:
    """The SystemVerilog files by their place in the folder, in compile order."""
    generated: dict[str, Callable[[], str]] = {
        "gcm_axis": lambda: texts.gcm_axis(config),
        "gcm_aes": lambda: texts.gcm_aes(config),
        "gcm_ghash": lambda: texts.gcm_ghash(config),
        "gcm_subkey": lambda: texts.gcm_subkey(config),
        "gcm_tail": lambda: texts.gcm_tail(config),
        **parts(config),
        "gcm_middle": lambda: texts.gcm_middle(config),
        "gcm_release": lambda: texts.gcm_release(config),
        "gcm_pkg": lambda: gcm_pkg(config),
        **{bound.layer.top: partial(texts.layer, bound) for bound in bound_layers(config)},
        **{module: partial(make_leaf, module) for module in LEAF_MODULES},
        **{module: partial(str, text) for module, text in instead.items()},
    }
    written = {name: path.read_text() for name, path in handwritten().items()}
    if (architecture := config.architecture) is not None:  # whose modules are used as they are
        bus, top = architecture.bus_of(config), architecture.top_of(config)
        if top != architecture.module and architecture.wide_of(config) == architecture.wide:
            users = [architecture.bus.module] if architecture.bus else []
            for name in (architecture.wide, *users):
                written[name] = instead_of(written[name], architecture.module, top)
        for module in (top, *([bus.module] if bus else [])):
            values = dict(architecture.parameters(config))
            written[module] = with_defaults(written[module], values)
    own = gather(config.top, generated, written)
    around = gather("gcm_axis", generated, written) if config.architecture else {}
    return {
        f"{'gen' if name in generated else 'rtl'}/{name}.sv": text for name, text in own.items()
    } | {f"{WIDE}/{name}.sv": text for name, text in around.items() if name not in own}


def open_core(path: Path, *, changed_is_error: bool = True) -> BuiltCore:
    """A core that was built before. BuildError if the folder is no core, or was changed since."""
    path = Path(path)
    locked = read_lock(path)
    if changed_is_error and (difference := changes(path)):
        raise BuildError(f"{path}: was changed since it was built ({difference}); build it again")
    try:
        config = CoreConfig.from_toml(path / "core.toml")
        proofs = _proofs(path / "proofs/proofs.json")
        rtl = listed(path)
    except (ConfigError, OSError, ValueError) as error:
        raise BuildError(f"{path}: not a whole core's folder ({error}); build it again") from None
    return BuiltCore(
        path=path,
        config=config,
        files=tuple(sorted(locked)),
        rtl=rtl,
        proofs=proofs,
        written=False,
    )


def _proofs(file: Path) -> tuple[ProofRecord, ...]:
    """ConfigError where the file does not hold what was proven."""
    try:
        return tuple(map(ProofRecord.from_mapping, json.loads(file.read_text(encoding="utf-8"))))
    except (ValueError, TypeError, RecursionError) as error:
        raise ConfigError(f"{file}: no list of proofs ({why_unread(error)})") from None


def prove_core(
    path: Path, *, allow_changed: bool = False, progress: Progress = lambda step: None
) -> Iterator[ProofRecord]:
    """Prove the leaves that are in the folder now against its configuration.

    BuildError for a folder that was changed since it was built, unless that is allowed.
    """
    check_unchanged(Path(path), allow_changed=allow_changed)
    core = open_core(path, changed_is_error=False)
    texts = unnamed(path, core.rtl)
    if "gen/gf128_fixed.sv" in texts:
        raise BuildError(
            f"{path}: made for one key, and gf128_fixed cannot be proven without it; "
            "gcmforge specialise proves it when it writes the folder"
        )
    for module in leaf_modules(core.config):
        name = f"gen/{module}.sv"
        if name not in texts:
            missing = f"{find_list(path).name} does not list {named_path(core.config, name)}"
            raise BuildError(f"{path}: {missing}; build it again")
        progress(f"{module}: proving")
        yield from check_leaf(core.config, module, texts[name])


def prove_library(
    names: Sequence[str] = (), *, progress: Progress = lambda step: None
) -> Iterator[ProofRecord]:
    """Prove the leaves of those names (aes_sbox: all variants; aes_sbox/table: one), or all."""
    from gcmforge.leaf import leaf_makers, leaf_text

    makers = leaf_makers()
    kinds = {name.partition("/")[0] for name in makers}
    known = kinds | set(makers)
    for name in names:
        if name not in known:
            near = difflib.get_close_matches(name, known, n=3, cutoff=0.4)
            there = f"leaves: {', '.join(sorted(kinds))}, or one of a kind such as aes_sbox/small"
            advice = f"did you mean {', '.join(near)}?" if near else there
            raise BuildError(f"{name}: neither a core's folder nor a leaf; {advice}")
    for name, make in makers.items():
        if not names or name in names or name.partition("/")[0] in names:
            progress(f"{name}: proving")
            leaf = make()
            yield prove_specification(leaf)
            yield prove_text(leaf, leaf.circuit, leaf_text(leaf))
