# SPDX-License-Identifier: Apache-2.0
"""The control of cores is proven, and faults in it are found: a module is changed in a place where
order, room, verdicts or secrets depend on it, and a counterexample has to be found."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

import pytest

import gcmforge
from gcmforge.cli import main
from gcmforge.config import CoreConfig
from gcmforge.emit.core import core_files
from gcmforge.emit.leaves import leaf_modules
from gcmforge.formal import texts
from gcmforge.formal.control import BOUNDED, ControlProof, prove_texts

VERIFIED = {"release": "verified", "max_text_bytes": 1024}
LINE = {"slots": "line", "iv": "96"}
MODULES = {
    "axis_skid": {},
    "gcm_fifo": {},
    "gcm_issue": {},
    "gcm_join": {},
    "gcm_middle_queue": {},
    "gcm_release_verified": VERIFIED,
    "gcm_slot_count": {},
    "gcm_slots_line": LINE,
    "gcm_slots_queue": {},
    "gcm_step": LINE,
    "gcm_tag": {},
}


@dataclass(frozen=True)
class Fault:
    module: str
    what: str
    old: str
    new: str


FAULTS = (
    Fault("gcm_fifo", "takes what it has no room for", "in_valid_i && in_ready_o;", "in_valid_i;"),
    Fault("gcm_fifo", "gives what it does not have", "count_q != CountWidth'(1);", "1'b1;"),
    Fault("gcm_fifo", "changes the order", "if (pop) read_q", "if (pop && !push) read_q"),
    Fault("gcm_fifo", "keeps a word twice", "if (push) write_q <=", "if (push || pop) write_q <="),
    Fault("axis_skid", "writes over a word", "if (!spare_valid_q) spare_q", "spare_q"),
    Fault("axis_skid", "is always ready", "ready_q       <= !spare_valid_d;", "ready_q <= 1'b1;"),
    Fault("axis_skid", "withdraws an offer", "if (load) valid_q <=", "valid_q <="),
    Fault("gcm_tag", "compares 15 bytes", "tag == '0;", "tag[127:8] == '0;"),
    Fault("gcm_tag", "fails long tags only", "!match ? gcm", "!match && keep_q[15] ? gcm"),
    Fault("gcm_tag", "shows a tag it computed", "decrypt_q || status_q", "status_q"),
    Fault("gcm_tag", "shows a tag that is not valid", "tag_valid_o ? word_q", "1'b1 ? word_q"),
    Fault("gcm_tag", "frees a place early", "CountWidth'(result_pop)\n",
          "CountWidth'(result_valid)\n"),
    Fault("gcm_tag", "forgets an error", "status_q != gcm_pkg::STATUS_OK ? status_q", "1'b0 ? '0"),
    Fault("gcm_release_verified", "takes all for good", "{verdict_ok_i, jud", "{1'b1, jud"),
    Fault("gcm_release_verified", "reads bad packets", "turn_valid && turn_ok &&", "turn_valid &&"),
    Fault("gcm_release_verified", "skips a beat less", "(skip ? (CountWidth + 1)'(turn_length)",
          "(skip ? (CountWidth + 1)'(turn_length) - (CountWidth + 1)'(1)"),
    Fault("gcm_release_verified", "writes over a beat", "used_q != CountWidth'(Depth) ||",
          "1'b1 ||"),
    Fault("gcm_release_verified", "ends a turn early", "taken_q + CountWidth'(1) == turn_length",
          "taken_q == taken_q"),
    Fault("gcm_join", "shows E(K, J0)", "there_i && fact.gives_out &&", "there_i &&"),
    Fault("gcm_join", "shows text of bad packets", "&& fact.status == gcm_pkg::STATUS_OK;", ";"),
    Fault("gcm_middle_queue", "fills the tag queue never", "tag_ready_i || !slot_o.tag",
          "tag_ready_i || slot_o.tag"),
    Fault("gcm_middle_queue", "offers GHASH every slot", "&& slot_o.hash && out_clear",
          "&& out_clear"),
    Fault("gcm_slots_queue", "takes facts without data", "in_valid_i && lane_space[0]),",
          "in_valid_i),"),
    Fault("gcm_slots_queue", "loses data", "(first_valid && load)", "(load)"),
    Fault("gcm_slots_line", "counts a slot twice", "step_soon_i && counts_d", "counts_d"),
    Fault("gcm_slots_line", "moves data on its own", ".en_i  (step_i),\n      .word_i(slot_i.data)",
          ".en_i  (1'b1),\n      .word_i(slot_i.data)"),
    Fault("gcm_step", "does not wait for GHASH", "(hash_soon_i || !next_i.hash) && ", ""),
    Fault("gcm_step", "offers without a step", "slot_i.tag && join_step", "slot_i.tag"),
    Fault("gcm_slot_count", "forgets an error", "gcm_pkg::STATUS_OK : status;",
          "gcm_pkg::STATUS_OK : fact.status;"),
    Fault("gcm_slot_count", "tells none of its end", "!is_key && fact.closes;",
          "!is_key && fact.closes && fact.aes;"),
    Fault("gcm_issue", "takes tags of 11 bytes", ">= 5'd12", ">= 5'd11"),
    Fault("gcm_issue", "takes holes", "holes || side_bad", "side_bad"),
    Fault("gcm_issue", "writes over an error", "end else if (status_q == gcm_pkg::STATUS_OK && (",
          "end else if (1'b1 && ("),
    Fault("gcm_issue", "begins before the end", "&& (idle || closing);", ";"),
)  # fmt: skip


@cache
def files_of(*options: tuple[str, object]) -> Mapping[str, str]:
    config = CoreConfig.from_mapping(dict(options))
    files, rtl, _ = core_files(config, prove=False)
    return {name: files[name] for name in rtl}


def proofs_of(module: str, fault: Fault | None = None) -> Iterator[ControlProof]:
    options = MODULES[module]
    config = CoreConfig.from_mapping(options)
    files = dict(files_of(*options.items()))
    if fault:
        name = next(name for name in files if name.endswith(f"/{module}.sv"))
        assert files[name].count(fault.old) == 1, f"{fault.old!r} stands once in {name}"
        files[name] = files[name].replace(fault.old, fault.new)
    leaves = tuple(leaf_modules(config))
    return prove_texts(files, leaves, config.top, modules=(module,))


@pytest.mark.slow
@pytest.mark.parametrize("module", MODULES)
def test_the_control_of_a_module_is_proven(module: str) -> None:
    proofs = list(proofs_of(module))
    assert proofs
    assert [f"{proof.name}: {proof.detail}" for proof in proofs if not proof.passed] == []


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: f"{fault.module} {fault.what}")
def test_a_fault_is_found(fault: Fault) -> None:
    proofs = proofs_of(fault.module, fault)
    assert any(not proof.passed and proof.how == BOUNDED for proof in proofs)


@pytest.mark.slow
def test_the_command_says_what_is_proven_relied_upon_and_false(tmp_path, capsys) -> None:
    folder = tmp_path / "core"
    gcmforge.build("compact", folder, prove=False, datasheet=False)
    file = folder / "rtl" / "gcm_tag.sv"
    file.write_text(file.read_text().replace("tag == '0;", "tag[127:8] == '0;"))
    with pytest.raises(gcmforge.BuildError, match=r"gcm_tag\.sv"):
        gcmforge.prove_control(folder)

    asked = ["prove", str(folder), "--control", "--cycles", "4", "--allow-changed"]
    with pytest.raises(SystemExit) as end:
        main(asked)
    told = capsys.readouterr().out.splitlines()
    assert end.value.code == 1
    false = [line for line in told if line.startswith("FAILED") and "false" in line]
    assert any("gcm_tag (Depth 2, AnyIv 0): wrong_tag_fails: false" in line for line in false)
    assert {line.split()[1] for line in false} == {"gcm_tag"}
    assert any(line.startswith("proven  gcm_fifo (") and "for any time" in line for line in told)
    assert any("gcm_axis_core: answer_has_its_command: for 4 cycles" in line for line in told)
    assert "relied upon, of what surrounds gcm_tag: a_digest_has_an_entry" in "\n".join(told)
    assert told[-1].startswith("NOT AS BUILT")


def test_every_module_with_properties_is_in_this_test() -> None:
    assert set(texts.properties()) == {*MODULES, "gcm_axis_core"}
