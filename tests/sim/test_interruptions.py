# SPDX-License-Identifier: Apache-2.0
"""Erases, resets and senders that stop amid packets, and what m_axis_tdata shows without offering
it: right cores pass, and faults that nothing else in a verification would see are seen."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from gcmforge.config import CoreConfig
from gcmforge.emit.core import core_files
from gcmforge.emit.naming import LIST
from gcmforge.sim.aead import built
from gcmforge.sim.core import Core, Failure
from gcmforge.sim.edges import edge_operations
from gcmforge.sim.pairs import ivs_to_their_limit
from gcmforge.sim.stalls import Stalls
from gcmforge.sim.stopped import LONGEST_CYCLES, stopped_operations
from gcmforge.sim.verify import interruption_failures

SHORT = {
    "sbox": "table", "aes": "loop", "ghash": "serial", "max_text_bytes": 500, "max_aad_bytes": 60,
}  # fmt: skip
CORES = {
    "both": CoreConfig(**SHORT, zeroise="on", timeout=1_200, contexts=2),
    "two lanes": CoreConfig(
        sbox="table", lanes=2, zeroise="on", timeout=1_200, key_sizes=(128,), max_text_bytes=500
    ),
    "verified": CoreConfig(**SHORT, zeroise="on", release="verified", contexts=1),
    "own IVs": CoreConfig(**SHORT, zeroise="on", timeout=300, iv="counter", iv_limit=1_000),
}
WITH_FAULTS = "both"

# What is wrong, and where: module, a piece of its text, what stands there instead when IT is true.
IT = "@"
FAULTS = (
    ("no packet is answered as erased", "gcm_erase",
     "tag_erased_o    = answer;", "tag_erased_o    = answer && !@;"),
    ("a text that was cut off stays open", "gcm_erase",
     "answer && text_open_q;", "answer && text_open_q && !@;"),
    ("text that leaves is not seen", "gcm_erase",
     "if (text_take) text_open_q", "if (text_take && !@) text_open_q"),
    ("the zero key stays", "gcm_erase",
     "(state_q == ERASE_VOID && all_q)", "(state_q == ERASE_VOID && all_q && !@)"),
    ("a broken frame is not closed", "gcm_timeout",
     "if (data_over) close_q", "if (data_over && !@) close_q"),
    ("the rest of a frame is not dropped", "gcm_timeout",
     "(data_end && begun_q)", "(data_end && begun_q && !@)"),
    ("a made command leaves no doubt", "gcm_timeout",
     "(made_q && command_take)", "(made_q && command_take && !@)"),
    ("a timer runs on", "gcm_timeout",
     "rst || !waits[t] ? '0", "rst || (!waits[t] && !@) ? '0"),
    ("key stream is shown", "gcm_join",
     "= shown ? text : '0;", "= shown || @ ? text : '0;"),
    ("keys outlive a reset", "gcm_keys",
     "if (rst) held_q <= '0;", "if (rst && !@) held_q <= '0;"),
)  # fmt: skip
CHOICE = "fault.txt"
_PACKAGE = "package gcm_fault;\n  int unsigned number = 0;\nendpackage\n"
_READ = f"""
  initial begin
    automatic int file = $fopen("{CHOICE}", "r");
    void'($fscanf(file, "%d", gcm_fault::number));
    $fclose(file);
  end
endmodule
"""


@pytest.fixture(scope="module")
def faulty(tmp_path_factory) -> Core:
    """A core with all faults; a file in the working directory says which one is there."""
    folder = tmp_path_factory.mktemp("faulty")
    files, rtl, _ = core_files(CORES[WITH_FAULTS], prove=False)
    files["rtl/gcm_fault.sv"] = _PACKAGE
    for number, (_, module, old, new) in enumerate(FAULTS, 1):
        (name,) = (name for name in rtl if Path(name).stem == module)
        assert files[name].count(old) == 1, (module, old)
        files[name] = files[name].replace(old, new.replace(IT, f"(gcm_fault::number == {number})"))
    (name,) = (name for name in rtl if Path(name).stem == "gcm_axis_core")
    files[name] = files[name].replace("endmodule\n", _READ)
    files[LIST] = "".join(f"{name}\n" for name in ["rtl/gcm_fault.sv", *rtl])
    files["core.toml"] = CORES[WITH_FAULTS].to_toml()
    for name in (*rtl, "rtl/gcm_fault.sv", LIST, "core.toml"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(files[name])
    return Core(folder)


def seen(core: Core) -> Iterator[Failure]:
    """What is wrong under interruptions and edge packets."""
    yield from interruption_failures(core, seed=1)
    for operations in (stopped_operations(core.config), edge_operations(core.config)):
        if operations:
            yield from core.run(operations, stalls=Stalls.named("both"), seed=1).failures


@pytest.mark.slow
@pytest.mark.parametrize("name", CORES)
def test_a_right_core_passes(name):
    assert not list(seen(Core(built(CORES[name]))))


@pytest.mark.slow
@pytest.mark.parametrize(
    "number", range(len(FAULTS) + 1), ids=["none", *(one[0] for one in FAULTS)]
)
def test_each_fault_is_seen(faulty, number, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path(CHOICE).write_text(f"{number}\n")
    found = next(seen(faulty), None)
    assert (found is not None) == (number > 0), found


def test_senders_stop_in_every_way_where_the_core_does_not_wait_for_ever():
    stopped = stopped_operations(CORES[WITH_FAULTS])
    told = " ".join(one.label for one in stopped[1:])
    for way in ("data breaks off", "no data", "whose data it is", "no command", "a word of an IV"):
        assert f"its sender stops: {way}" in told
    assert not stopped_operations(CoreConfig())
    assert not stopped_operations(CoreConfig(timeout=LONGEST_CYCLES + 1))


@pytest.mark.slow
def test_ivs_are_used_up_on_a_core_that_makes_few():
    few = ivs_to_their_limit(CORES["own IVs"])
    refused = [one for one in few if "no IV is left" in getattr(one, "label", "")]
    assert len(few) > 1_000 and len(refused) == 5
    assert not Core(built(CORES["own IVs"])).run(few, seed=1).failures
    assert not ivs_to_their_limit(CORES[WITH_FAULTS])
