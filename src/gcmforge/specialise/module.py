# SPDX-License-Identifier: Apache-2.0
"""The folder of one key: RTL, the key's logic, its proof, and what says that it is key material."""

import json
import re
import time
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gcmforge.circuit.lut_text import LUT_CELLS, lut_model
from gcmforge.emit.folder import BuildError, check_target, with_lock, write_folder
from gcmforge.emit.rtl import gather, handwritten
from gcmforge.specialise.keys import Subkey
from gcmforge.specialise.logic import Logic, make_logic, prove_texts
from gcmforge.specialise.plan import Plan
from gcmforge.version import release

if TYPE_CHECKING:
    from jinja2 import Environment

TOP = "ghash_key"


@dataclass(frozen=True, kw_only=True, slots=True)
class Specialised:
    """What was made of one key; units are the target's (XOR gates or LUTs), of the logic of one
    multiplier, and levels are those of its longest path."""

    path: Path
    plan: Plan
    files: tuple[str, ...]
    units: int
    levels: int
    proof: str
    seconds: float
    written: bool

    def to_mapping(self) -> dict[str, Any]:
        """For JSON; nothing of the key."""
        return {
            "path": str(self.path), "written": self.written, **self.plan.to_mapping(),
            "unit": self.plan.target.unit, "units": self.units,
            "multipliers": self.plan.multipliers, "levels": self.levels, "proof": self.proof,
            "seconds": round(self.seconds, 3), "files": list(self.files),
        }  # fmt: skip


def specialise(subkey: Subkey, plan: Plan, out: Path, *, force: bool = False) -> Specialised:
    """Write the folder of one key, whole or not at all, readable by its owner only.

    The logic is proven before anything is written; BuildError when it is not what it should be.
    """
    start = time.perf_counter()
    out = Path(out)
    before = check_target(out, force=force)
    logic = make_logic(subkey, plan, proven=True)
    proof = prove_logic({TOP: logic}, plan)[TOP]
    files = module_files(plan, logic, proof)
    written = write_folder(files, out, private=True, before=before)
    return Specialised(
        path=out, plan=plan, files=tuple(sorted(files)), units=logic.units, levels=logic.depth,
        proof=proof, seconds=time.perf_counter() - start, written=written,
    )  # fmt: skip


def prove_logic(logics: dict[str, Logic], plan: Plan) -> dict[str, str]:
    """What was proven of each; BuildError for the first that fails."""
    proofs = prove_texts(
        {name: logic.leaf for name, logic in logics.items()},
        {name: logic.text for name, logic in logics.items()},
        plan,
    )
    for name, proof in proofs.items():
        if not proof.passed:
            raise BuildError(f"{name}: the logic of gf128_fixed failed its proof: {proof.detail}")
    return {name: proof.detail for name, proof in proofs.items()}


def module_files(plan: Plan, logic: Logic, proof: str) -> dict[str, str]:
    """Every file of the folder by its name, the lock of their hashes among them."""
    rtl = _rtl(plan, logic.text)
    models = _models(plan, logic.text)
    record = {"module": "gf128_fixed", "kind": "linear", "passed": True, "detail": proof}
    readme = _templates().get_template("README.md.j2").render(
        version=release(), plan=plan, amount=amount(plan, logic.units, logic.depth),
        proof=proof, models=models,
    )  # fmt: skip
    return with_lock({
        "README.md": readme,
        f"{TOP}.f": "".join(f"{name}\n" for name in rtl),
        "plan.json": json.dumps(plan.to_mapping(), indent=2) + "\n",
        "proofs/proofs.json": json.dumps([record], indent=2) + "\n",
        **models,
        **rtl,
    })  # fmt: skip


def amount(plan: Plan, units: int, levels: int) -> str:
    """The logic in words."""
    plural = "s" * (units > 1)
    one = (
        f"{units:,} {plan.target.unit} gates"
        if plan.target.unit == "XOR"
        else (f"{units:,} {plan.target.unit}{plural}")
    )
    copies = f"{plan.multipliers} times {one}" if plan.multipliers > 1 else one
    dual = ", some with two outputs" if plan.target.dual else ""
    return f"{copies}{dual}, {levels} levels, and the XOR and the registers around"


def top_text(plan: Plan) -> str:
    """ghash_key: the hand-written module with the standard's order of bits."""
    pairs = ", ".join(f".{name}({value})" for name, value in plan.parameters)
    wide = max(len(port.range) for port in plan.ports)
    return _templates().get_template("ghash_key.sv.j2").render(
        law=plan.law, ports=plan.ports, module=plan.module, width=128 * plan.blocks,
        parameters=f"#({pairs}) " if pairs else "",
        declare=lambda port: f"{port.direction:6} logic {port.range:{wide}} {port.name}",
    )  # fmt: skip


def _rtl(plan: Plan, leaf: str) -> dict[str, str]:
    """In compile order."""
    generated = {TOP: lambda: top_text(plan), "gf128_fixed": lambda: leaf}
    written = {name: path.read_text() for name, path in handwritten().items()}
    return {
        f"{'gen' if name in generated else 'rtl'}/{name}.sv": text
        for name, text in gather(TOP, generated, written).items()
    }


def _models(plan: Plan, leaf: str) -> dict[str, str]:
    """Simulation models of the LUT cells that the leaf instantiates."""
    if not plan.target.cells:
        return {}
    used = set(re.findall(r"^  (\w+) #\(", leaf, re.MULTILINE))
    cells = [cell for cell in LUT_CELLS[plan.target.cells] if cell.name in used]
    return {f"sim/{cell.name}.sv": lut_model(cell) for cell in cells}


@cache
def _templates() -> "Environment":
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    return Environment(
        loader=FileSystemLoader(Path(__file__).parent / "templates"),
        undefined=StrictUndefined, keep_trailing_newline=True, trim_blocks=True,
        lstrip_blocks=True, autoescape=False,
    )  # fmt: skip
