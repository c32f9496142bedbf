# SPDX-License-Identifier: Apache-2.0
"""What holds for every test: its tools, its cost, and that nothing is skipped in silence.

Marks of tools come from drivers/needs.py. The summary names what was skipped for want of a tool,
and tests that ran a tool without having its mark. What a test costs is its time, or the processor's
where that is less because others were busy. The summary names those above their limit; with
`--hold-costs` the run fails, which says something on a free machine only. A run that is given an
end with `--until` skips what would begin later, and the summary counts it.
"""

import os
import sys
import time
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from pathlib import Path

import needs
import pytest

_seen: set[str] = set()
_started: dict[str, tuple[float, float]] = {}
_costs: dict[str, tuple[float, float]] = {}
"""By test: what it cost and what it may."""
_unmarked: list[str] = []
LIMITS = {"quick_limit_s": "15", "slow_limit_s": "60"}


def _watch(event: str, arguments: tuple[object, ...]) -> None:
    if event == "subprocess.Popen":
        program, words = arguments[0], arguments[1]
        listed = words if isinstance(words, list | tuple) else [words]
        _seen.update(needs.seen([str(program), *map(str, listed)]))
    elif event == "ctypes.dlopen":
        _seen.update(needs.seen([str(arguments[0])]))


def pytest_addoption(parser: pytest.Parser) -> None:
    for name, default in LIMITS.items():
        parser.addini(name, "the most that such a test may cost, in seconds", default=default)
    parser.addoption(
        "--hold-costs", action="store_true", help="fail when a test costs more than it may"
    )
    parser.addoption(
        "--until", type=float, metavar="TIME", help="begin no test after it, in seconds since 1970"
    )


def pytest_configure(config: pytest.Config) -> None:
    for name, need in needs.NEEDS.items():
        config.addinivalue_line("markers", f"{name}: runs {need.what} ({need.install})")
    sys.addaudithook(_watch)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    missing = {name for name, need in needs.NEEDS.items() if not need.here()}
    by_module: dict[object, set[str]] = {}
    for item in items:
        module = getattr(item, "module", None)
        if module not in by_module:
            by_module[module] = needs.of_imports(module) if module else set()
        given = by_module[module] | needs.of_fixtures(set(getattr(item, "fixturenames", ())))
        for name in sorted(given):
            item.add_marker(name)
        for name in sorted(missing & {mark.name for mark in item.iter_markers()}):
            item.add_marker(pytest.mark.skip(reason=_reason(name)))

    _mark_long(items, chosen=any("::" in word for word in config.args))


def _mark_long(items: Sequence[pytest.Item], *, chosen: bool) -> None:
    """Mark what stands in long.toml. A name there that is no test is an error, as it would leave
    nothing out; unless single tests are `chosen`."""
    listed = tomllib.loads(Path(__file__).with_name("long.toml").read_text())
    by_name: dict[str, list[pytest.Item]] = {}
    for item in items:
        by_name.setdefault(item.nodeid.partition("[")[0], []).append(item)
        by_name.setdefault(item.nodeid, []).append(item)
    modules = {item.nodeid.partition("::")[0] for item in items}
    for entry in [*listed["family"], *listed["alone"]]:
        found = by_name.get(entry["test"], [])
        if not found and entry["test"].partition("::")[0] in modules and not chosen:
            raise pytest.UsageError(f"tests/long.toml: {entry['test']} is no test")
        for item in found:
            case = item.nodeid.partition("[")[2].removesuffix("]")
            if not any(fnmatchcase(case, pattern) for pattern in entry.get("keep", ())):
                item.add_marker("long")
    for group in listed["group"]:
        for item in items:
            file, _, case = item.nodeid.partition("[")
            if file.startswith(f"{group['file']}::") and any(
                fnmatchcase(case.removesuffix("]"), pattern) for pattern in group["cases"]
            ):
                item.add_marker("long")


def _reason(name: str) -> str:
    need = needs.NEEDS[name]
    return f"needs {name}, which is missing: {need.install}"


# ---- a test --------------------------------------------------------------------------------------


def _processor_s() -> float:
    now = os.times()
    return now.user + now.system + now.children_user + now.children_system


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    _seen.clear()
    _started[item.nodeid] = time.monotonic(), _processor_s()
    return (yield)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    until = item.config.getoption("--until")
    if until is not None and time.time() > until:
        pytest.skip("there was no time left for it: see --until in tests/conftest.py")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Iterator[pytest.TestReport]:
    report = yield
    if call.when == "teardown":
        wall, processor = _started.pop(item.nodeid)
        cost = min(time.monotonic() - wall, _processor_s() - processor)
        limit = "slow_limit_s" if item.get_closest_marker("slow") else "quick_limit_s"
        report.user_properties.append(("cost_s", [cost, float(item.config.getini(limit))]))
        for name in sorted(_seen - {mark.name for mark in item.iter_markers()}):
            report.user_properties.append(("unmarked", name))
    return report


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.when == "teardown":
        for name, value in report.user_properties:
            if name == "cost_s":
                _costs[report.nodeid] = value[0], value[1]
            elif name == "unmarked":
                _unmarked.append(f"{report.nodeid} ran {value}")


@pytest.fixture(autouse=True)
def no_lines_of_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a command prints does not depend on how busy the machine is. test_progress.py has its
    own fixture of this name."""
    monkeypatch.setattr("gcmforge.cli.progress.FIRST_S", 3600.0)


# ---- the session ---------------------------------------------------------------------------------


def above_their_limit() -> list[str]:
    """A line for each test that cost more than it may."""
    found = [(cost, limit, name) for name, (cost, limit) in _costs.items() if cost > limit]
    return [f"{cost:.0f} s of {limit:.0f} s: {name}" for cost, limit, name in sorted(found)[::-1]]


def pytest_sessionfinish(session: pytest.Session) -> None:
    held = session.config.getoption("--hold-costs")
    if held and above_their_limit() and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    write, section = terminalreporter.write_line, terminalreporter.section
    if costly := above_their_limit():
        section("tests above the limit of their cost", yellow=True)
        for line in costly:
            write(line)
    if _unmarked:
        section("tools without their mark: see tests/drivers/needs.py", yellow=True)
        for line in sorted(_unmarked):
            write(line)
    skipped = terminalreporter.stats.get("skipped", [])
    reasons = Counter(str(report.longrepr[2]).removeprefix("Skipped: ") for report in skipped)
    if reasons:
        section("what was not tested here", yellow=True)
        for reason, count in reasons.most_common():
            write(f"{count} tests: {reason}")
