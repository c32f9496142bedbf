# SPDX-License-Identifier: Apache-2.0
"""NIST GCM vectors on simulated RTL: all of them on two cores, some on the cores of papers, on each
AES engine and on the aggregated GHASH. `gcmforge-study run nist` has more cores, quad among
them."""

import dataclasses

import pytest

from gcmforge.config import CoreConfig
from gcmforge.config.presets import preset
from gcmforge.emit import build_core
from gcmforge.sim.verify import nist_files, verify

NIST_VECTORS = 47_250
PER_KEY_SIZE = 15_750
SHORT_IV_PER_KEY_SIZE = 5_250  # of 96 bits

ENGINES = {
    "evaluated keys": CoreConfig(
        lanes=2, aes="loop", sbox="table", ghash="evaluated", ghash_stages=2, multiplier="ko6"
    ),
    "ring": CoreConfig(aes="loop", aes_rounds=4, ghash="serial"),
    "turns": CoreConfig(aes="loop_parallel", aes_loops=3, ghash="serial"),
    "shared and travelling": CoreConfig(
        lanes=3, counter_sharing="on", key_schedule="travelling", multiplier="ko6"
    ),
    "own tail, lane for J0, and AAD with text": CoreConfig(
        lanes=2,
        aes="loop",
        sbox="table",
        tail="dedicated",
        j0="dedicated",
        aad_lanes=1,
        ghash_stages=2,
        multiplier="ko6",
    ),
    "digit": CoreConfig(aes="loop", sbox="table", ghash="digit", digit_bits=13, tag_places=1),
    "line": CoreConfig(lanes=2, sbox="table", slots="line", multiplier="ko6", tag_places=2),
    "ahead": CoreConfig(
        lanes=2, sbox="table", slots="ahead", iv="96", contexts=1, multiplier="ko6", tag_places=2
    ),
    "window": CoreConfig(lanes=2, aes="loop", sbox="table", ghash="window", window_bits=4),
    "residues": CoreConfig(lanes=2, aes="loop", sbox="table", ghash="residues"),
    "window of parts": CoreConfig(
        lanes=2, aes="loop", sbox="table", ghash="window", window_bits=5, window_splits=2
    ),
    "aggregated": CoreConfig(
        lanes=2, aes="loop", sbox="table", ghash="aggregated", ghash_stages=3, multiplier="ko6"
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", ["small", "default"])
def test_every_nist_vector_passes_and_none_is_skipped(name, tmp_path):
    core = build_core(preset(name), tmp_path / name).path
    report = verify(core, vectors=nist_files(), stalls="both", seed=3)
    assert (report.passed, report.failed, report.skipped) == (NIST_VECTORS, 0, {})


@pytest.mark.slow
@pytest.mark.parametrize("name", ["yang2005", "satoh2007", "mozaffari2012", "abdellatif2012"])
def test_nist_vectors_of_128_bit_keys_pass_on_a_papers_lanes_and_ghash(name, tmp_path):
    """With one AES round in a loop instead of the pipeline, which takes minutes to compile; the
    whole presets' runs are in docs/theory/ghash-architectures.md."""
    config = dataclasses.replace(preset(name), aes="loop", sbox="table", key_sizes=(128,))
    core = build_core(config, tmp_path / name, prove=False).path  # verify proves what it simulates
    files = [file for file in nist_files() if "128" in file.name]
    report = verify(core, vectors=files, stalls="both", seed=4)
    expected = PER_KEY_SIZE if config.iv_any else SHORT_IV_PER_KEY_SIZE
    assert (report.passed, report.failed) == (expected, 0)
    assert sum(report.skipped.values()) == PER_KEY_SIZE - expected


@pytest.mark.slow
def test_every_nist_vector_that_nano_takes_passes(tmp_path):
    """AES-128 and IVs of 96 bits, in both directions: of the other vectors it says why not."""
    core = build_core(preset("nano"), tmp_path / "nano").path
    files = [file for file in nist_files() if "128" in file.name]
    report = verify(core, vectors=files, stalls="none", seed=3)
    assert (report.passed, report.failed) == (SHORT_IV_PER_KEY_SIZE, 0)
    assert sum(report.skipped.values()) == PER_KEY_SIZE - SHORT_IV_PER_KEY_SIZE
    assert all("IV" in reason for reason in report.skipped)


@pytest.mark.slow
@pytest.mark.parametrize("sbox", ["small", "bram"])
def test_nano_of_two_key_sizes_passes_what_nist_has_of_256_bits_to_decrypt(sbox, tmp_path):
    config = preset("nano").with_settings(["key_sizes=128,256", f"sbox={sbox}"])
    core = build_core(config, tmp_path / "nano").path
    files = [file for file in nist_files() if "Decrypt256" in file.name]
    report = verify(core, vectors=files, stalls="none", seed=3)
    assert (report.passed, report.failed) == (SHORT_IV_PER_KEY_SIZE // 2, 0)
    report = verify(core, packets=200, stalls="pressure", seed=5)
    assert (report.passed, report.failed, report.failures) == (200, 0, ())


@pytest.mark.slow
def test_nano_with_any_iv_passes_all_that_nist_has_of_128_bits_to_decrypt(tmp_path):
    core = build_core(preset("nano").with_settings(["iv=any"]), tmp_path / "nano").path
    files = [file for file in nist_files() if "Decrypt128" in file.name]
    report = verify(core, vectors=files, stalls="none", seed=3)
    assert (report.passed, report.failed) == (PER_KEY_SIZE // 2, 0)
    report = verify(core, packets=200, stalls="pressure", seed=5)
    assert (report.passed, report.failed, report.failures) == (200, 0, ())


@pytest.mark.slow
@pytest.mark.parametrize("sboxes", [20, 4])
def test_every_nist_vector_that_micro_takes_passes(sboxes, tmp_path):
    """AES-128 and 256, IVs of 96 bits, in both directions: of the others it says why not."""
    core = build_core(preset("micro").with_settings([f"sboxes={sboxes}"]), tmp_path / "micro").path
    files = [file for file in nist_files() if "192" not in file.name]
    report = verify(core, vectors=files, stalls="none", seed=3)
    assert (report.passed, report.failed) == (2 * SHORT_IV_PER_KEY_SIZE, 0)
    assert sum(report.skipped.values()) == 2 * (PER_KEY_SIZE - SHORT_IV_PER_KEY_SIZE)
    assert all("IV" in reason for reason in report.skipped)


@pytest.mark.slow
def test_every_nist_vector_that_yang_2005_figure_5_takes_passes_and_random_packets(tmp_path):
    """AES-128 and IVs of 96 bits."""
    config = CoreConfig(core="yang2005", key_sizes=(128,), contexts=1, iv="96", sbox="table")
    core = build_core(config, tmp_path / "fig5", prove=False).path
    files = [file for file in nist_files() if "128" in file.name]
    report = verify(core, vectors=files, stalls="both", seed=3)
    assert (report.passed, report.failed) == (SHORT_IV_PER_KEY_SIZE, 0)
    report = verify(core, packets=500, stalls="pressure", seed=5)
    assert (report.passed, report.failed, report.failures) == (500, 0, ())


@pytest.mark.slow
@pytest.mark.parametrize("direction", ["encrypt", "decrypt"])
def test_nist_vectors_of_its_direction_pass_through_figure_5_with_one(direction, tmp_path):
    """Those of the other one are skipped, and so are IVs of other lengths."""
    config = CoreConfig(
        core="yang2005", key_sizes=(128,), contexts=1, iv="96", sbox="table", direction=direction
    )
    core = build_core(config, tmp_path / "fig5", prove=False).path
    files = [file for file in nist_files() if "128" in file.name]
    report = verify(core, vectors=files, stalls="both", seed=3)
    assert (report.passed, report.failed) == (SHORT_IV_PER_KEY_SIZE // 2, 0)
    assert report.skipped["its direction is not built"] > SHORT_IV_PER_KEY_SIZE // 4
    assert sum(report.skipped.values()) == PER_KEY_SIZE - SHORT_IV_PER_KEY_SIZE // 2
    report = verify(core, packets=500, stalls="pressure", seed=5)
    assert (report.passed, report.failed, report.failures) == (500, 0, ())
    assert not report.coverage.missed


@pytest.mark.slow
def test_every_nist_vector_that_segments_take_passes(tmp_path):
    """IVs of 96 bits, packets in the segments of a beat after each other, by its plain streams."""
    config = CoreConfig(
        core="segments", lanes=2, key_sizes=(128,), iv="96", max_text_bytes=65_536,
        max_aad_bytes=65_536, ghash_stages=2,
    )  # fmt: skip
    core = build_core(config, tmp_path / "segments").path
    files = [file for file in nist_files() if "128" in file.name]
    report = verify(core, vectors=files, stalls="both", seed=3)
    assert (report.passed, report.failed) == (SHORT_IV_PER_KEY_SIZE, 0)
    assert sum(report.skipped.values()) == PER_KEY_SIZE - SHORT_IV_PER_KEY_SIZE
    assert not report.failures


@pytest.mark.slow
def test_every_nist_vector_that_streams_take_passes(tmp_path):
    """IVs of 96 bits, each packet on another of five streams, by its plain streams."""
    config = CoreConfig(
        core="streams", streams=5, key_sizes=(128,), iv="96", max_text_bytes=65_536,
        max_aad_bytes=65_536, ghash_stages=3,
    )  # fmt: skip
    core = build_core(config, tmp_path / "streams").path
    files = [file for file in nist_files() if "128" in file.name]
    report = verify(core, vectors=files, stalls="both", seed=3)
    assert (report.passed, report.failed) == (SHORT_IV_PER_KEY_SIZE, 0)
    assert sum(report.skipped.values()) == PER_KEY_SIZE - SHORT_IV_PER_KEY_SIZE
    assert not report.failures


@pytest.mark.slow
@pytest.mark.parametrize("lanes", [1, 4])
@pytest.mark.parametrize("direction", ["encrypt", "decrypt"])
def test_every_nist_vector_of_the_direction_that_is_built_passes(direction, lanes, tmp_path):
    """Proven and simulated; of every vector of the other direction it says why not."""
    config = CoreConfig(
        direction=direction, lanes=lanes, aes="loop", sbox="table", contexts=1, multiplier="ko6"
    )
    core = build_core(config, tmp_path / "core").path  # which proves its leaves
    report = verify(core, vectors=nist_files(), stalls="none", seed=3)
    assert (report.passed, report.failed, report.failures) == (NIST_VECTORS // 2, 0, ())
    assert report.skipped == {"its direction is not built": NIST_VECTORS // 2}


@pytest.mark.slow
@pytest.mark.parametrize("direction", ["encrypt", "decrypt"])
@pytest.mark.parametrize(
    ("name", "more"), [("nano", []), ("micro", []), ("micro", ["sboxes=4"]),
                       ("micro", ["sboxes=4", "key_sizes=128"])],
)  # fmt: skip
def test_a_small_core_with_one_direction_passes_random_packets(name, more, direction, tmp_path):
    config = preset(name).with_settings([f"direction={direction}", *more])
    core = build_core(config, tmp_path / name).path
    report = verify(core, packets=200, stalls="pressure", seed=5)
    assert (report.passed, report.failed, report.failures) == (200, 0, ())
    assert not report.coverage.missed


@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES)
def test_a_part_of_the_nist_vectors_passes_on_each_engine(engine, tmp_path):
    """Of every key size: the whole set is played by gcmforge-study run nist. A core of 96-bit IVs
    skips all others, and says why."""
    files = [file for file in nist_files() if "Decrypt" in file.name]
    core = build_core(ENGINES[engine], tmp_path / "core", prove=False).path
    report = verify(core, vectors=files, stalls="both", seed=3)
    expected = NIST_VECTORS // 2 if ENGINES[engine].iv_any else 3 * SHORT_IV_PER_KEY_SIZE // 2
    assert (report.passed, report.failed) == (expected, 0)
    assert sum(report.skipped.values()) == NIST_VECTORS // 2 - expected
    assert all("IV" in reason for reason in report.skipped)
