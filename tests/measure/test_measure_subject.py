# SPDX-License-Identifier: Apache-2.0
"""What can be measured, by the names that a user has for it."""

from dataclasses import replace

import pytest

from gcmforge.config import ConfigError, CoreConfig
from gcmforge.config.presets import preset
from gcmforge.emit import build_core
from gcmforge.measure.subject import MeasureError, find_subject


def test_what_is_said_of_a_circuit_is_no_part_of_it():
    subject = find_subject("small")
    name, text = next(iter(subject.texts.items()))

    def with_text(changed):
        return replace(subject, texts=subject.texts | {name: changed}).rtl_sha256

    assert with_text(f"// another licence\n{text}  // end\n\n") == subject.rtl_sha256
    assert with_text(text.replace("endpackage", "  localparam bit More = 1; endpackage")) != (
        subject.rtl_sha256
    )
    renamed = replace(subject, texts={f"other_{key}": one for key, one in subject.texts.items()})
    assert renamed.rtl_sha256 != subject.rtl_sha256


def test_a_preset_a_folder_a_file_and_a_configuration_are_one_core(tmp_path):
    config = preset("small")
    build_core(config, tmp_path / "core", prove=False)
    (tmp_path / "mine.toml").write_text(config.to_toml())
    found = [
        find_subject("small"),
        find_subject(str(tmp_path / "core")),
        find_subject(tmp_path / "mine.toml"),
        find_subject(config),
    ]
    assert {subject.rtl_sha256 for subject in found} == {found[0].rtl_sha256}
    assert {subject.identity for subject in found} == {found[0].identity}
    assert found[0].summary == config.summary
    assert ("aclk", "input", 1) in found[0].ports


def test_a_changed_core_is_measured_as_it_is_and_is_not_mistaken_for_the_built_one(tmp_path):
    folder = tmp_path / "core"
    build_core(preset("small"), folder, prove=False)
    file = folder / "rtl/axis_skid.sv"
    file.write_text(file.read_text() + "module mine; endmodule\n")
    changed = find_subject(folder)
    assert changed.notes == ("changed since it was built: rtl/axis_skid.sv",)
    assert changed.identity != find_subject("small").identity
    assert changed.rtl_sha256 != find_subject("small").rtl_sha256


def test_settings_change_a_preset_and_come_back_in_the_command():
    subject = find_subject("small", ["contexts=1"])
    assert subject.configuration is not None
    assert subject.configuration["contexts"] == 1
    assert subject.settings == ("contexts=1",)
    same = find_subject(CoreConfig(**{**preset("small").to_mapping(), "contexts": 1}))
    assert same.rtl_sha256 == subject.rtl_sha256
    assert find_subject("plain", same.settings).rtl_sha256 == subject.rtl_sha256


@pytest.mark.parametrize(
    ("what", "settings", "says"),
    [
        ("smal", (), "did you mean small"),
        ("aes_sbox/boyar_peralt", (), r"did you mean aes_sbox/boyar_peralta"),
        ("aes_mix_column/depth", (), "there is aes_mix_column/small, aes_mix_column/depth3"),
        ("gf128_squar", (), "did you mean gf128_square"),
        ("xyz", (), "no preset, leaf, TOML file or core's folder of that name; presets are"),
        ("aes_sbox/table", ("lanes=2",), "a leaf has no options"),
    ],
)
def test_what_cannot_be_measured_is_refused_with_what_can(what, settings, says):
    with pytest.raises(MeasureError, match=says):
        find_subject(what, settings)


def test_a_setting_that_does_not_exist_is_refused():
    with pytest.raises(ConfigError, match="lane: no such option"):
        find_subject("small", ["lane=2"])


@pytest.mark.parametrize(
    "text",
    [
        "", "[]", "{}", "[" * 50_000, "9" * 5000,
        '{"shape": "chain", "blocks": "two", "skewed": false, "target": "gates"}',
        '{"shape": "chain", "blocks": 2.5, "skewed": false, "target": "gates"}',
        '{"shape": "chain", "blocks": 2, "skewed": false, "target": []}',
        '{"shape": "chain", "blocks": 2, "skewed": false, "target": "gold"}',
    ],
)  # fmt: skip
def test_the_folder_of_a_ghash_for_one_key_without_its_plan_is_refused(tmp_path, text):
    (tmp_path / "ghash_key.f").write_text("ghash_key.sv\n")
    (tmp_path / "plan.json").write_text(text)
    with pytest.raises(MeasureError, match=r"plan\.json: no plan of a GHASH for one key"):
        find_subject(tmp_path)


def test_what_is_missing_in_a_plan_is_told(tmp_path):
    (tmp_path / "ghash_key.f").write_text("ghash_key.sv\n")
    for text, why in (('{"blocks": 1}', "there is no shape"), ("5", "of another form")):
        (tmp_path / "plan.json").write_text(text)
        with pytest.raises(MeasureError, match=rf"\({why}\); make the folder again with gcmforge"):
            find_subject(tmp_path)


def test_the_folder_for_tools_is_gone_afterwards():
    subject = find_subject("small")
    with subject.folder() as folder:
        assert (folder / "gcm_axis.f").read_text().split() == list(subject.texts)
        assert (folder / "core.toml").is_file()
    assert not folder.exists()
