# SPDX-License-Identifier: Apache-2.0
"""From a goal, a rate and a clock to a whole configuration."""

import random
import re
import tomllib
from pathlib import Path

import pytest

from gcmforge.config import ConfigError, CoreConfig, options
from gcmforge.config.architecture import own_of_cores
from gcmforge.config.intent import GOALS, plan_core
from gcmforge.config.presets import load_plan
from gcmforge.config.stated import INTENTS
from gcmforge.explore.estimate import estimate

PAGE = Path(__file__).parents[1] / "docs/reference/options.md"
DECIDED = [name for name, option in options().items() if not option.expert]


def built(run, folder, *words):
    """The files of a core that the command line builds, by name."""
    run("build", *words, "-o", str(folder), "--no-prove", "--no-datasheet")
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.fixture
def run(capsys):
    from gcmforge.cli import main

    def command(*words):
        with pytest.raises(SystemExit) as end:
            main(list(words))
        assert end.value.code == 0
        return capsys.readouterr().out

    return command


@pytest.mark.slow
@pytest.mark.parametrize("goal", GOALS)
def test_an_intent_builds_the_same_core_as_its_expert_form(goal, run, tmp_path):
    intent = tmp_path / "mine.toml"
    intent.write_text(f'goal = "{goal}"\ngbit_per_s = 30\nclock_mhz = 200\ncontexts = 2\n')
    spelled = [f"--set={setting}" for setting in load_plan(intent).config.settings]
    assert len(spelled) >= 4
    made = built(run, tmp_path / "intent", str(intent))
    assert made == built(run, tmp_path / "expert", *spelled)
    stated = tomllib.loads(made["core.toml"].decode())
    assert stated.keys() == options().keys() - own_of_cores()


def test_build_says_what_it_derived(run, tmp_path):
    out = run(
        "build", "--set", "goal=area", "--set", "contexts=1", "--no-prove", "--no-datasheet",
        "-o", str(tmp_path / "core"),
    )  # fmt: skip
    assert f"from goal=area follows, now in {tmp_path}/core/core.toml:" in out
    for one in plan_core({"goal": "area", "contexts": 1}).derived:
        assert f"    {one.name}={one.value}: " in out


MASKED = {"protection": "masked"}


@pytest.mark.parametrize(
    ("more", "core"),
    [
        ({}, "masked"),
        ({"goal": "area"}, "masked"),
        ({"goal": "balanced"}, "masked_fast"),
        ({"goal": "throughput"}, "masked_fast"),
        ({"goal": "short_packets"}, "masked_fast"),
        ({"gbit_per_s": 1, "clock_mhz": 100}, "masked_fast"),  # 272 cycles a block are too many
        ({"goal": "area", "gbit_per_s": 1, "clock_mhz": 86}, "masked_fast"),
        ({"goal": "area", "gbit_per_s": 1, "clock_mhz": 2125}, "masked"),
        ({"gbit_per_s": 2, "clock_mhz": 100}, "masked_line"),  # and so are 11
        ({"goal": "throughput", "gbit_per_s": 2, "clock_mhz": 100}, "masked_line"),
        ({"goal": "area", "core": "masked_fast"}, "masked_fast"),
        ({"randomness": "generator", "name": "rx"}, "masked"),
    ],
)
def test_protection_derives_a_masked_core_and_what_it_needs(more, core):
    plan = plan_core(MASKED | more)
    assert plan.config.core == core
    assert plan.config.key_sizes == (128,) and plan.config.iv == "96"
    derived = {one.name: one.value for one in plan.derived}
    assert all(plan.config[name] == value for name, value in derived.items())
    assert derived.keys() == {
        name
        for name in ("core", "key_sizes", "contexts", "iv", "max_text_bytes", "max_aad_bytes")
        if name not in more
    }


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"core": "nano"}, "protection=masked with core=nano: nothing of it is masked; use "
         "core=masked, core=masked_fast or core=masked_line, or protection=none"),
        ({"core": "standard"}, "protection=masked with core=standard: nothing of it is masked"),
        ({"key_sizes": (128, 256)}, "key_sizes=128,256 with protection=masked: a masked core has "
         "been built with fewer choices; use key_sizes=128, or protection=none"),
        ({"lanes": 2}, "lanes=2 with protection=masked: a masked core has been built"),
        ({"max_text_bytes": 100}, "use max_text_bytes=16, 32, ... 1048576, or protection=none"),
        ({"multiplier": "ko5_small"}, "core=masked does not have it; use core=masked_line, or "
         "leave multiplier out"),
        ({"zeroise": "on"}, "zeroise=on with protection=masked: no masked core has it; leave "
         "zeroise out, or use protection=none"),
        ({"gbit_per_s": 20, "clock_mhz": 100}, "gbit_per_s=20 with clock_mhz=100 and "
         "protection=masked: core=masked_line takes 1 cycle a block, which makes 12.80 Gbit/s; "
         "use clock_mhz=157, or several cores"),
        ({"gbit_per_s": 2, "clock_mhz": 100, "core": "masked_fast"}, "gbit_per_s=2 with "
         "clock_mhz=100 and protection=masked: core=masked_fast takes 11 cycles a block, "
         "which makes 1.16 Gbit/s; use clock_mhz=172, or several cores"),
        ({"gbit_per_s": 1, "clock_mhz": 100, "core": "masked"}, "core=masked takes 272 cycles a "
         "block, which makes 0.05 Gbit/s; use clock_mhz=2125"),
    ],
)  # fmt: skip
def test_protection_and_what_contradicts_it_is_refused(more, message):
    with pytest.raises(ConfigError, match=re.escape(message)):
        plan_core(MASKED | more)


def test_protection_none_changes_nothing():
    assert plan_core({"protection": "none"}).config == CoreConfig()
    assert (
        plan_core({"protection": "none", "goal": "area"}).config
        == plan_core({"goal": "area"}).config
    )
    with pytest.raises(ConfigError, match="protection=maskd: not allowed; use none or masked"):
        plan_core({"protection": "maskd"})
    with pytest.raises(ConfigError, match="protection: options follow from it where a config"):
        CoreConfig.from_mapping(MASKED)


@pytest.mark.parametrize("goal", GOALS)
def test_a_goal_never_contradicts_what_can_be_built_without_it(goal):
    rng = random.Random(24)
    names = [name for name in DECIDED if not name.startswith("max_")]
    planned = 0
    for _ in range(150):
        said = {name: _any_value(rng, name) for name in rng.sample(names, 4)}
        try:
            CoreConfig(**said)
        except ConfigError:
            continue
        planned += 1
        config = plan_core({"goal": goal, **said}).config
        assert {name: config[name] for name in said} == said
    assert planned > 75


def _any_value(rng, name):
    option = options()[name]
    if option.choices:
        return rng.choice(option.choices)
    if option.numbers:
        return rng.choice(option.numbers)
    if option.identifier:
        return rng.choice(["", "rx"])
    if option.subset_of:
        return tuple(sorted(rng.sample(option.subset_of, rng.randint(1, 3))))
    return min(option.bounds[1], option.bounds[0] + int(rng.expovariate(0.05)))


@pytest.mark.parametrize("goal", [*GOALS, None])
def test_the_rate_is_reached_with_no_more_lanes_than_it_takes(goal):
    rng = random.Random(7)
    for _ in range(100):
        rate, clock = rng.randint(1, 800), rng.randint(50, 1000)
        asked = {"gbit_per_s": rate, "clock_mhz": clock} | ({"goal": goal} if goal else {})
        if rate * 1000 > 16 * 128 * clock:
            with pytest.raises(ConfigError, match=r"a core has 16 at most; use clock_mhz=\d+"):
                plan_core(asked)
            continue
        config = plan_core(asked).config
        assert 128 * config.lanes * clock / config.cycles_per_beat >= 1000 * rate
        assert config.lanes == 1 or 128 * config.lanes // 2 * clock < 1000 * rate


def test_an_area_goal_takes_the_fewest_rounds_that_reach_the_rate():
    def rounds(rate):
        config = plan_core({"goal": "area", "gbit_per_s": rate, "clock_mhz": 100}).config
        return config["aes_rounds"] if config.aes == "loop" else config.aes

    # AES-256 has 14 rounds: a block of 128 bits takes 14, 7, 5, 4, 3, 3, 2 cycles
    assert [rounds(r) for r in (1, 2, 3, 4, 5, 6, 7)] == [2, 3, 4, 5, 7, 7, "pipelined"]


@pytest.mark.parametrize("key_sizes", [(128,), (256,), (128, 192, 256)])
@pytest.mark.parametrize("rounds", range(1, 8))
def test_the_digit_multiplier_keeps_up_with_the_aes(key_sizes, rounds):
    config = plan_core({"goal": "area", "key_sizes": key_sizes, "aes_rounds": rounds}).config
    assert config.ghash_block_cycles <= -(-(min(key_sizes) // 32 + 6) // config["aes_rounds"])


@pytest.mark.slow
@pytest.mark.parametrize("lanes", [1, 2, 4, 8, 16])
def test_each_goal_is_the_best_at_what_it_is_for(lanes):
    made = {goal: plan_core({"goal": goal, "lanes": lanes}).config for goal in GOALS}
    made["none"] = CoreConfig(lanes=lanes)
    long, short = (
        {goal: estimate(config, "osu018", size) for goal, config in made.items()}
        for size in (1500, 64)
    )

    assert long["area"].area_ge == min(p.area_ge for p in long.values())
    assert long["balanced"].kbit_per_s_per_gate == max(p.kbit_per_s_per_gate for p in long.values())
    assert long["throughput"].fmax_mhz == max(p.fmax_mhz for p in long.values())
    assert short["short_packets"].bits_per_cycle == max(p.bits_per_cycle for p in short.values())
    assert short["short_packets"].bits_per_cycle == min(128 * lanes, 512)


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ({"goal": "fast"}, "goal=fast: not allowed; use area, balanced, throughput or short_pack"),
        ({"gaol": "area"}, "gaol: no such option; did you mean goal?"),
        ({"gbit_per_s": 10}, "gbit_per_s=10 without clock_mhz: lanes follow from both"),
        (
            {"goal": "balanced", "aes": "loop"},
            r"slots=line with aes=loop: .* \(from goal=balanced follows .*slots=line",
        ),
        (
            {"gbit_per_s": 30, "clock_mhz": 200, "lanes": 1},
            "a beat of 128 bits in 1 cycle makes 25.6 Gbit/s",
        ),
        (
            {"goal": "area", **CoreConfig().to_mapping()},
            "goal=area: every option that it decides is set already",
        ),
    ],
)
def test_what_cannot_follow_is_refused(said, message):
    with pytest.raises(ConfigError, match=message):
        plan_core(said)


def test_a_goal_stands_where_a_configuration_begins():
    with pytest.raises(ConfigError, match="goal=area with preset quad: a preset has decided"):
        load_plan(name="quad", settings=["goal=area"])
    with pytest.raises(ConfigError, match="goal: options follow from it where a configuration be"):
        CoreConfig().with_settings(["goal=area"])


def test_without_a_goal_options_have_their_defaults():
    plan = load_plan(settings=["lanes=4"])
    assert plan.config == CoreConfig(lanes=4)
    assert plan.derived == ()


def test_the_options_page_begins_with_what_every_engineer_decides():
    first, expert = PAGE.read_text().split("## Expert options")
    table = re.findall(r"^\| `(\w+)` \|", first.split("## Goals")[0], re.M)
    assert table == [*INTENTS, *DECIDED]
    assert len(table) <= 16, "what every engineer decides is few: give a new option `expert=`"
    rows = re.findall(r"^\| `(\w+)` \|", expert.split("## Presets")[0], re.M)
    assert rows == [name for name, option in options().items() if option.expert]
