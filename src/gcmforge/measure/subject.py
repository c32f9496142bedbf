# SPDX-License-Identifier: Apache-2.0
"""What is measured: from what a user says to SystemVerilog texts and what they are."""

from __future__ import annotations

import dataclasses
import difflib
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Literal

from gcmforge.cache import cached, digest, program_digest
from gcmforge.config import CoreConfig, default_of, options
from gcmforge.config.brief import why_unread
from gcmforge.config.presets import PRESETS, load_config
from gcmforge.emit.core import core_files, open_core
from gcmforge.emit.folder import changes
from gcmforge.emit.layers import public_ports
from gcmforge.emit.naming import unnamed
from gcmforge.emit.rtl import code_digest

if TYPE_CHECKING:
    from gcmforge.specialise import Plan

ONE_KEY = "its GHASH is made for one key, not known here: nothing can be sent through it"


class MeasureError(ValueError):
    """What was asked cannot be measured: one line, fit to be shown to a user."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Subject:
    """A core or a leaf, as texts."""

    what: str
    """As a command says it."""
    kind: Literal["core", "leaf"]
    summary: str
    configuration: dict[str, Any] | None
    """Every option of a core; None of a leaf."""
    texts: dict[str, str]
    """File name -> SystemVerilog, in compile order."""
    top: str
    ports: tuple[tuple[str, str, int], ...]
    """(name, direction, width) of the top."""
    clock: str
    settings: tuple[str, ...] = ()
    """What --set was given."""
    notes: tuple[str, ...] = ()

    @property
    def rtl_sha256(self) -> str:
        """Of the SystemVerilog, comments aside: what is said of a circuit does not change it."""
        return code_digest(self.texts)

    @property
    def one_key(self) -> bool:
        """Whether this is a core that refuses the packets of every key but its own."""
        return ONE_KEY in self.notes

    @property
    def identity(self) -> str:
        """The same over versions of the project: what the user chose, not what came out."""
        if self.configuration is None:
            return self.what
        chosen = {
            name: value
            for name, value in self.configuration.items()
            if value != _plain(default_of(name))
        }
        return json.dumps([chosen, list(self.notes)], sort_keys=True)

    @contextmanager
    def folder(self) -> Iterator[Path]:
        """A folder with the texts (and a core's configuration), there for as long as it is used."""
        with TemporaryDirectory(prefix="gcmforge-measure-") as name:
            folder = Path(name)
            for file, text in self.texts.items():
                path = folder / file
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            if self.configuration is not None:
                config = CoreConfig.from_mapping(self.configuration)
                (folder / "core.toml").write_text(config.to_toml())
                (folder / "gcm_axis.f").write_text("".join(f"{name}\n" for name in self.texts))
            yield folder


def find_subject(what: str | Path | CoreConfig, settings: Sequence[str] = ()) -> Subject:
    """A preset's name, a core's folder, a TOML file of options, a CoreConfig, or a leaf's name.

    A preset or a leaf comes before a folder of the same name; ./NAME is the folder.
    """
    if isinstance(what, CoreConfig):
        return _core("plain", what.with_settings(settings), _settings_of(what, settings))
    name = str(what)
    if name in PRESETS and not isinstance(what, Path):
        return _core(name, load_config(None, name, settings), tuple(settings))
    if name in leaf_names():
        if settings:
            raise MeasureError(f"{name} with --set: a leaf has no options; leave --set away")
        return _leaf(name)
    path = Path(what)
    if (path / "ghash_key.f").is_file() and not settings:
        return _specialised(path)
    if path.is_dir():
        if settings:
            raise MeasureError(f"{path} with --set: this core is built; use its core.toml instead")
        return _built(path)
    if path.suffix == ".toml":
        return _core(name, load_config(path, None, settings), tuple(settings))
    raise MeasureError(_unknown(name))


def part_subject(what: str, config: CoreConfig, module: str) -> Subject:
    """A module of a core by itself with all that is below it: gcm_aes or gcm_ghash."""
    from gcmforge.emit.ports import aes_ports, gcm_ghash_ports
    from gcmforge.emit.rtl import gather

    ports_of = {"gcm_aes": aes_ports, "gcm_ghash": gcm_ghash_ports}
    if module not in ports_of:
        raise MeasureError(f"{module} of {what}: parts of a core are {', '.join(ports_of)}")
    files, rtl, _ = core_files(config, prove=False)
    texts = gather(module, {}, {Path(name).stem: files[name] for name in rtl})
    return Subject(
        what=f"{module} of {what}",
        kind="leaf",
        summary=f"{module} of {config.summary}",
        configuration=None,
        texts={f"{name}.sv": text for name, text in texts.items()},
        top=module,
        ports=tuple((port.name, port.direction, port.width) for port in ports_of[module](config)),
        clock="clk",
    )


def leaf_names() -> tuple[str, ...]:
    """Names of every leaf of the library, without making their circuits."""
    from gcmforge.leaf.catalog import leaf_makers

    return tuple(leaf_makers())


MOST_SHOWN = 12
"""Names that a message lists at most."""


def _unknown(name: str) -> str:
    known = (*PRESETS, *leaf_names())
    near = difflib.get_close_matches(name, known, n=3, cutoff=0.5)
    module = name.partition("/")[0]
    variants = [leaf for leaf in leaf_names() if leaf.startswith(f"{module}/")]
    if 0 < len(variants) <= MOST_SHOWN:
        advice = f"there is {', '.join(variants)}"
    elif near:
        advice = f"did you mean {', '.join(near)}?"
    else:
        modules = dict.fromkeys(leaf.partition("/")[0] for leaf in leaf_names())
        advice = (
            f"presets are {', '.join(PRESETS)}; leaves are variants of {', '.join(modules)}, "
            "such as aes_sbox/small"
        )
    return f"{name}: no preset, leaf, TOML file or core's folder of that name; {advice}"


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _settings_of(config: CoreConfig, settings: Sequence[str]) -> tuple[str, ...]:
    """--set arguments that turn the default into this configuration with the settings."""
    final = config.with_settings(settings)
    values = {name: getattr(final, name) for name in options()}
    return tuple(
        f"{name}={','.join(map(str, value)) if isinstance(value, tuple) else value}"
        for name, value in values.items()
        if value != default_of(name)
    )


def _core(what: str, config: CoreConfig, settings: tuple[str, ...]) -> Subject:
    files, rtl, _ = core_files(config, prove=False)
    return _core_of(what, config, {name: files[name] for name in rtl}, settings, ())


def _built(path: Path) -> Subject:
    """A core's folder; its name, which changes no figure, is taken off."""
    core = open_core(path, changed_is_error=False)
    changed = set(core.rtl) & {*changes(path).changed, *changes(path).missing}
    notes = (f"changed since it was built: {', '.join(sorted(changed))}",) if changed else ()
    texts = unnamed(path, core.rtl)
    if "gen/gf128_fixed.sv" in texts:
        notes = (*notes, ONE_KEY)
    return _core_of(str(path), dataclasses.replace(core.config, name=""), texts, (), notes)


def _specialised(path: Path) -> Subject:
    """The folder of a GHASH for one key; LUT cells that it instantiates are declared with it."""
    from gcmforge.circuit.lut_text import black_boxes

    plan = _plan_of(path / "plan.json")
    target = plan.target
    cells = {"cells.sv": black_boxes(target.cells)} if target.cells else {}
    texts = {name: (path / name).read_text() for name in (path / "ghash_key.f").read_text().split()}
    return Subject(
        what=str(path),
        kind="leaf",
        summary=f"GHASH for one key, {plan.law}",
        configuration=None,
        texts={**cells, **texts},
        top="ghash_key",
        ports=tuple((port.name, port.direction, port.width) for port in plan.ports),
        clock="clk",
    )


def _plan_of(file: Path) -> Plan:
    """MeasureError where the file is no plan that `gcmforge specialise` wrote."""
    from gcmforge.specialise import make_plan

    try:
        made = json.loads(file.read_text(encoding="utf-8"))
        shape, blocks = made["shape"], made["blocks"]
        if not isinstance(blocks, int):
            raise TypeError("blocks is no number")
        return make_plan(
            target=made["target"], skewed=made["skewed"], cycles=2 if shape == "two_cycle" else 1,
            stages=blocks if shape == "chain" else 0, lanes=blocks if shape == "lanes" else 0,
        )  # fmt: skip
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise MeasureError(
            f"{file}: no plan of a GHASH for one key ({why_unread(error)}); make the folder again "
            "with gcmforge specialise"
        ) from None


def _core_of(
    what: str,
    config: CoreConfig,
    texts: dict[str, str],
    settings: tuple[str, ...],
    notes: tuple[str, ...],
) -> Subject:
    return Subject(
        what=what,
        kind="core",
        summary=config.summary,
        configuration=config.to_mapping(),
        texts=texts,
        top=config.top,
        ports=tuple((port.name, port.direction, port.width) for port in public_ports(config)),
        clock="aclk",
        settings=settings,
        notes=notes,
    )


def _leaf(name: str) -> Subject:
    """A leaf by itself, without registers; its text is kept, as making it can take long."""
    key = digest("measure", program_digest(), name)
    made = cached("leaf", key, lambda: _print_leaf(name))
    return Subject(
        what=name,
        kind="leaf",
        summary=made["title"],
        configuration=None,
        texts={f"{made['top']}.sv": made["text"]},
        top=made["top"],
        ports=tuple((port, direction, width) for port, direction, width in made["ports"]),
        clock="",
    )


def _print_leaf(name: str) -> dict[str, Any]:
    from gcmforge.leaf import (
        dot,
        from_residues,
        key,
        leaf_text,
        mix_columns,
        multiplier,
        reduce,
        residues,
        sbox,
        sbox_products,
        sbox_sum,
        square,
        squares,
        stored_dot,
        sub_mix_column,
    )

    module, _, variant = name.partition("/")
    choice = {
        "aes_sbox": sbox,
        "aes_mix_column": mix_columns,
        "gf128_mul": multiplier,
        "gf128_key": key,
        "gf128_squares": squares,
    }
    single = {
        "gf128_square": square,
        "gf128_reduce": reduce,
        "gf128_residues": residues,
        "aes_sub_mix_column": sub_mix_column,
        "aes_sbox_products": sbox_products,
        "aes_sbox_sum": sbox_sum,
    }
    sums = {"gf128_dot": dot, "gf128_dot_stored": stored_dot}
    if module in sums:
        scheme, _, lanes = variant.rpartition("x")
        leaf = sums[module](scheme, int(lanes))
    elif module == "gf128_from_residues":
        leaf = from_residues(int(variant.removeprefix("x")))
    else:
        leaf = choice[module](variant) if module in choice else single[module]()
    buses = [("input", bus) for bus in leaf.circuit.inputs]
    buses += [("output", bus) for bus in leaf.circuit.outputs]
    return {
        "top": leaf.module,
        "title": leaf.title,
        "text": leaf_text(leaf),
        "ports": [[bus.name, direction, bus.width] for direction, bus in buses],
    }
