# SPDX-License-Identifier: Apache-2.0
"""gcmforge new: five questions, and a configuration that builds a core which serves."""

import io
import json
import os
import pty
import random
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from gcmforge.cli import main
from gcmforge.config import CoreConfig
from gcmforge.config.presets import load_plan
from gcmforge.config.rates import cycles_per_packet
from gcmforge.explore.estimate import estimate

SEED = 2_027
ANSWERS = {
    "rate": "10", "packets": "64-1500", "keys": "128,256 x 4", "release": "verified",
    "target": "osu018",
}  # fmt: skip


def flags(**changes):
    said = {name: text for name, text in (ANSWERS | changes).items() if text is not None}
    return [word for name, text in said.items() for word in (f"--{name}", str(text))]


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def run(capsys, monkeypatch, tmp_path):
    """In an empty folder; `typed` is what a terminal gives, None that there is none."""
    monkeypatch.chdir(tmp_path)

    def command(*arguments, typed=None):
        monkeypatch.setattr(sys, "stdin", io.StringIO() if typed is None else Terminal(typed))
        with pytest.raises(SystemExit) as end:
            main([str(argument) for argument in arguments])
        printed = capsys.readouterr()
        return end.value.code, printed.out, printed.err

    return command


# What is written ----------------------------------------------------------------------------------


def test_flags_alone_write_a_configuration_an_estimate_and_the_next_command(run, tmp_path):
    code, out, err = run("new", "mine.toml", *flags())
    assert (code, err) == (0, "")
    text = (tmp_path / "mine.toml").read_text()
    values = tomllib.loads(text)
    assert values["key_sizes"] == [128, 256] and values["contexts"] == 4
    assert (values["release"], values["max_text_bytes"]) == ("verified", 1500)
    assert values["gbit_per_s"] == 10 and values["goal"] and values["clock_mhz"]
    assert all("  # " in line for line in text.splitlines() if " = " in line)
    config = load_plan(tmp_path / "mine.toml").config
    told = estimate(config, "osu018", 64)
    said = (
        f"Estimated on osu018: {told.area_ge / 1000:,.0f} kGE, clock up to {told.fmax_mhz:.0f} MHz"
    )
    for place in (out, text):
        assert said in place and config.summary in place
        assert "gcmforge build mine.toml -o cores/mine" in place


@pytest.mark.slow
def test_the_core_serves_as_the_laws_and_the_estimate_have_it(run, tmp_path):
    """Random answers: rate in the shortest packets at the planned clock, which the core reaches."""
    draw = random.Random(SEED)
    served = 0
    for number in range(12):
        rate, shortest = draw.choice((1, 2, 5, 10, 25, 40, 100)), draw.choice((16, 40, 64, 256))
        longest = shortest + draw.choice((0, 512, 1436))
        sizes = sorted(draw.sample((128, 192, 256), draw.randint(1, 3)))
        contexts, release = draw.choice((1, 4, 64)), draw.choice(("streaming", "verified"))
        file = tmp_path / f"{number}.toml"
        code, out, _ = run(
            "new", file, "--json",
            *flags(rate=rate, packets=f"{shortest}-{longest}", release=release,
                   keys=f"{','.join(map(str, sizes))} x {contexts}"),
        )  # fmt: skip
        if code:
            assert not file.exists()
            continue
        served += 1
        config, values = load_plan(file).config, tomllib.loads(file.read_text())
        assert config == CoreConfig.from_mapping(json.loads(out)["config"])
        assert (list(config.key_sizes), config.contexts, config.release) == (
            sizes, contexts, release,
        )  # fmt: skip
        reached = 8 * shortest / cycles_per_packet(config, shortest) * values["clock_mhz"] / 1000
        assert reached >= rate
        assert values["clock_mhz"] <= estimate(config, "osu018", shortest).fmax_mhz
    assert served >= 8


def test_lanes_are_written_where_short_packets_need_more_than_the_rate_alone(run, tmp_path):
    """24 bytes are two blocks: with one lane two beats, 19.2 Gbit/s at 200 MHz; with two lanes one.
    With 16 bytes no number of lanes makes more than a block a cycle."""
    code, *_ = run("new", "a.toml", *flags(rate=20, packets="24-1500", target="osu018 at 200"))
    assert code == 0
    assert tomllib.loads((tmp_path / "a.toml").read_text())["lanes"] == 2
    config = load_plan(tmp_path / "a.toml").config
    assert 8 * 24 / cycles_per_packet(config, 24) * 200 / 1000 >= 20
    code, _, err = run("new", "b.toml", *flags(rate=30, packets="16-64", target="osu018 at 200"))
    assert code == 1 and "no core serves 30 Gbit/s, osu018, 16-byte packets" in err


def test_a_target_without_estimates_says_so_and_takes_the_clock_that_was_said(run, tmp_path):
    code, out, _ = run("new", "f.toml", *flags(rate=40, target="ecp5 at 100", release="streaming"))
    assert code == 0
    assert "On ecp5 nothing can be estimated" in out
    assert "gcmforge measure cores/f --target ecp5 --clock 10.00" in out
    assert tomllib.loads((tmp_path / "f.toml").read_text())["clock_mhz"] == 100
    assert load_plan(tmp_path / "f.toml").config.lanes >= 4
    code, out, _ = run("new", "g.toml", *flags(target="xc7@100", release="streaming"))
    assert "--target xc7\n" in out  # nothing times it, so no clock is asked for


@pytest.mark.yosys
def test_what_it_writes_builds(run, tmp_path):
    """The command is the one that is printed; every leaf is proven."""
    _, out, _ = run("new", *flags(rate=2, keys="128"))
    command = shlex.split(next(line for line in out.splitlines() if " next: " in line))[1:]
    assert command == ["gcmforge", "build", "core.toml", "-o", "cores/core"]
    code, out, _ = run(*command[1:], "--no-datasheet")
    assert code == 0
    assert "proofs passed" in out
    assert (
        load_plan(tmp_path / "cores/core/core.toml").config
        == load_plan(tmp_path / "core.toml").config
    )


@pytest.mark.yosys
@pytest.mark.verilator
@pytest.mark.slow
def test_what_it_writes_works_at_the_rate_that_was_asked(run, tmp_path):
    """Simulated: every answer right, and so many bits a cycle that the planned clock is enough."""
    from gcmforge.measure.throughput import packet_rate
    from gcmforge.sim import Core
    from gcmforge.sim.verify import VerifyJob, run_job

    assert run("new", *flags(rate=2, keys="128"))[0] == 0
    assert run("build", "core.toml", "-o", "core", "--no-datasheet")[0] == 0
    assert run_job(VerifyJob(core=tmp_path / "core", packets=200, seed=SEED)).ok
    clock = tomllib.loads((tmp_path / "core.toml").read_text())["clock_mhz"]
    config = load_plan(tmp_path / "core.toml").config
    with Core(tmp_path / "core").simulation() as simulation:
        rate = packet_rate(simulation, config, 128, 64)
    assert rate.bits_per_cycle * clock / 1000 >= 2


def test_the_page_about_choosing_shows_what_is_printed(run):
    page = (Path(__file__).parents[1] / "docs/how-to/choose-a-core.md").read_text()
    command, shown = re.search(r"^    \$ (gcmforge new .*)\n((?:    .*\n)+)", page, re.M).groups()
    code, out, _ = run(*shlex.split(command)[1:])
    assert code == 0
    assert shown == "".join(f"    {line}\n" for line in out.splitlines())


# Refusals -----------------------------------------------------------------------------------------


def test_nothing_is_overwritten(run, tmp_path):
    (tmp_path / "core.toml").write_text("lanes = 2\n")
    code, out, err = run("new", *flags())
    assert (code, out) == (1, "")
    assert (
        err == "gcmforge: core.toml: is there already, and is not replaced; choose another name\n"
    )
    assert (tmp_path / "core.toml").read_text() == "lanes = 2\n"
    (tmp_path / "link.toml").symlink_to(tmp_path / "nowhere")
    assert run("new", "link.toml", *flags())[0] == 1
    assert not (tmp_path / "nowhere").exists()
    (tmp_path / "folder").mkdir()
    assert "is a folder" in run("new", "folder", *flags())[2]
    assert "there is no folder none" in run("new", "none/core.toml", *flags())[2]


@pytest.mark.parametrize(
    ("question", "text", "message"),
    [
        ("rate", "fast", "rate fast: use a whole number of Gbit/s, such as 10"),
        ("rate", "0.5", "for less than 1 say 1"),
        ("rate", "0", "gbit_per_s=0: not allowed; use 1 to 10000 Gbit/s"),
        ("packets", "small", "packets small: use the shortest and the longest length in bytes"),
        ("packets", "1500-64", "packets 1500-64: the shortest has 1 byte or more"),
        ("packets", "0-64", "packets 0-64: the shortest has 1 byte or more"),
        ("packets", "64-99999999999999", "max_text_bytes=99999999999999: not allowed"),
        ("keys", "100 x 4", "key_sizes=100: not allowed; use one or more of 128, 192, 256 bits"),
        ("keys", "many", "keys many: use key sizes in bits and how many keys"),
        ("keys", "128 x 5000", "contexts=5000: not allowed; use 1 to 1024"),
        ("release", "verifed", "did you mean verified?"),
        ("target", "osu81", "did you mean osu018"),
        ("target", "xc7", "target xc7: nothing is known of its clock"),
        ("target", "xc7 at 9000", "clock_mhz=9000: not allowed"),
    ],
)
def test_a_wrong_answer_is_one_line_and_is_asked_again_on_a_terminal(
    run, tmp_path, question, text, message
):
    code, out, err = run("new", *flags(**{question: text}))
    assert (code, out) == (1, "")
    assert err.startswith("gcmforge: ") and message in err and err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []
    code, out, err = run("new", *flags(**{question: None}), typed=f"{text}\n\n")
    assert code == 0 and message in err and "core.toml written" in out
    assert err.count(f"{question} [{ANSWERS[question]}]: ") == 2


def test_without_a_terminal_missing_answers_are_named(run, tmp_path):
    code, out, err = run("new", *flags(keys=None, target=None))
    assert (code, out) == (1, "")
    assert "no terminal to ask on" in err
    assert "--keys '128,256 x 4' --target 'osu018'" in err and "--rate" not in err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"rate": "4000"},
            "no core has 4000 Gbit/s: 16 lanes of 128 bits, the most that there are",
        ),
        ({"rate": "60", "packets": "1-64"}, "no core serves 60 Gbit/s, osu018, 1-byte packets"),
        ({"packets": "64-9999999"}, "max_text_bytes=9999999 with release=verified"),
    ],
)
def test_answers_that_no_core_serves_are_refused_with_the_reason(run, tmp_path, changes, message):
    code, out, err = run("new", *flags(**changes))
    assert (code, out) == (1, "")
    assert message in err and err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


# On a terminal ------------------------------------------------------------------------------------


def test_five_questions_with_defaults_make_a_core(run, tmp_path):
    code, out, err = run("new", "mine.toml", typed="\n" * 5)
    assert code == 0
    assert re.findall(r"(\d) of 5: ", err) == list("12345")
    assert "next: gcmforge build mine.toml -o cores/mine" in out
    by_flags = run("new", "other.toml", *flags())[1]
    assert by_flags == out.replace("mine", "other")


def test_answers_that_no_core_serves_are_asked_again_with_what_was_answered(run):
    code, out, err = run("new", *flags(rate=None, packets=None), typed="4000\n64-256\n25\n\n")
    assert code == 0
    assert "no core has 4000 Gbit/s" in err
    assert "rate [4000]: " in err and "packets [64-256]: " in err
    assert "packets of 256 bytes" in out


def test_the_end_of_the_answers_leaves_nothing(run, tmp_path):
    code, out, err = run("new", typed="10\n64-1500\n")
    assert (code, out) == (1, "")
    assert err.endswith("gcmforge: no more answers; nothing was written\n")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_it_asks_on_a_real_terminal(tmp_path):
    ours, theirs = pty.openpty()
    os.write(ours, b"ten\n25\n\n\nstreaming\n\n")
    done = subprocess.run(
        [sys.executable, "-m", "gcmforge", "new"], cwd=tmp_path, stdin=theirs,
        capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    os.close(ours)
    os.close(theirs)
    assert done.returncode == 0, done.stderr
    assert "rate ten: use a whole number" in done.stderr
    assert tomllib.loads((tmp_path / "core.toml").read_text())["gbit_per_s"] == 25
    assert done.stdout.startswith("core.toml written: ")
