# SPDX-License-Identifier: Apache-2.0
"""The explorer page in headless Chromium: 2,928 points, no network, every control."""

import csv
import itertools
import json
import random
import re
import shlex
import time
from dataclasses import replace
from pathlib import Path

import pytest

from gcmforge.cli import main
from gcmforge.config import ConfigError, CoreConfig
from gcmforge.explore.explore import Exploration, Plan, front_of
from gcmforge.explore.point import Point
from gcmforge.explore.space import Space
from gcmforge.report.explorer import own_marks, page, page_data, paper_marks

EXAMPLE = Path(__file__).parents[2] / "examples" / "explore-wide.toml"
SEED = 20260
LOADS_S = 2.0


@pytest.fixture(scope="module")
def found():
    """Every point of the example with figures that are made up, the same ones each time."""
    draw = random.Random(SEED)
    points = []
    for config in Space.from_toml(EXAMPLE).survey().points:
        area = 60_000 * config.lanes * draw.uniform(1.0, 3.0)
        fmax = draw.uniform(120, 260)
        points.append(
            Point(
                config=config, target="osu018", depth="estimate", packet_bytes=1500, area_ge=area,
                fmax_mhz=fmax, bits_per_cycle=100.0 * config.lanes, latency_cycles=20,
                gbit_per_s=0.1 * config.lanes * fmax,
            )
        )  # fmt: skip
    return Exploration(plan=Plan(), combinations=13_824, points=tuple(points))


MINE = 'name,area_ge,gbit_per_s,note\n"ours, routed",210000,31.5,lab\n'


@pytest.fixture(scope="module")
def file(found, tmp_path_factory):
    folder = tmp_path_factory.mktemp("page")
    (folder / "mine.csv").write_text(MINE)
    (folder / "page.html").write_text(page(found, mine=own_marks(folder / "mine.csv")))
    return folder / "page.html"


@pytest.fixture
def opened(chromium, file):
    """The page, offline; any error in it fails the test."""
    context = chromium.new_context(
        offline=True, viewport={"width": 1400, "height": 1000}, accept_downloads=True
    )
    tab = context.new_page()
    errors = []
    tab.on("pageerror", lambda error: errors.append(str(error)))
    tab.on("console", lambda line: errors.append(line.text) if line.type == "error" else None)
    tab.on(
        "request", lambda r: None if r.url.startswith(("file:", "blob:")) else errors.append(r.url)
    )
    tab.goto(file.as_uri())
    tab.wait_for_selector("html[data-ready=yes]")
    yield tab
    context.close()
    assert errors == []


def best(found):
    points = found.of("osu018")
    on_front = [points[i] for i in front_of(points, ("gbit_per_s", "area_ge"))]
    return sorted(on_front, key=lambda point: point.area_ge)


@pytest.mark.slow
def test_2928_points_load_in_time(chromium, file, found):
    assert len(found.points) == 2_928
    times = []
    for _ in range(3):
        tab = chromium.new_page()
        began = time.perf_counter()
        tab.goto(file.as_uri())
        tab.wait_for_selector("html[data-ready=yes]")
        times.append(time.perf_counter() - began)
        tab.close()
    print(f"loaded in {', '.join(f'{t:.2f}' for t in times)} s")
    assert min(times) < LOADS_S


def test_the_front_is_that_of_the_points(opened, found):
    assert (
        opened.text_content("#count") == f"2,928 of 2,928 points, {len(best(found))} on the front"
    )


def test_arrow_keys_go_along_the_front_and_enter_gives_the_command(opened, found):
    opened.locator("#plot").focus()
    opened.keyboard.press("Home")
    opened.keyboard.press("ArrowRight")
    opened.keyboard.press("Enter")
    second = best(found)[1]
    assert opened.text_content("#command") == second.build_command
    assert f"{second.area_ge:,.0f}" in opened.text_content("#figures")
    assert f"{second.area_ge:,.0f}" in opened.text_content("#live")
    opened.keyboard.press("Escape")
    assert opened.is_hidden("#commandbox")


def test_the_command_is_one_that_build_takes(opened, found):
    opened.locator("#plot").focus()
    opened.keyboard.press("End")
    opened.keyboard.press("Enter")
    words = shlex.split(opened.text_content("#command"))
    assert words[:2] == ["gcmforge", "build"]
    settings = [words[n + 1] for n, word in enumerate(words) if word == "--set"]
    assert CoreConfig().with_settings(settings) == best(found)[-1].config


def place_of(tab, mark):
    """Where a mark of the plot is, in pixels of the window."""
    x, y = tab.evaluate(
        f"(() => {{ const p = drawn.find(d => d.mark === {mark}); return [p.x, p.y]; }})()"
    )
    box = tab.locator("#plot").bounding_box()
    return box["x"] + x, box["y"] + y


def test_hovering_shows_the_point_in_the_panel_and_leaves_the_plot_in_sight(opened, found):
    first, chosen = best(found)[0], best(found)[-1]
    opened.mouse.click(*place_of(opened, "front.at(-1)"))
    x, y = place_of(opened, "front[0]")
    opened.mouse.move(x, y)
    assert opened.text_content("#command") == first.build_command
    for name in ("lanes", "ghash"):
        assert str(getattr(first.config, name)) in opened.text_content("#options")
    tip, plot = (opened.locator(name).bounding_box() for name in ("#tip", "#plot"))
    assert f"{first.area_ge:,.0f}" in opened.text_content("#tip")
    assert tip["width"] * tip["height"] < 0.02 * plot["width"] * plot["height"]
    assert not (tip["x"] <= x <= tip["x"] + tip["width"])
    opened.mouse.move(5, 5)
    assert opened.text_content("#command") == chosen.build_command


SCREENS = {"phone": (375, 812), "small laptop": (1280, 720), "desk": (1400, 1000)}


@pytest.fixture(scope="module", params=SCREENS)
def screen(chromium, file, request):
    """The page on that screen."""
    width, height = SCREENS[request.param]
    tab = chromium.new_page(viewport={"width": width, "height": height})
    tab.goto(file.as_uri())
    tab.wait_for_selector("html[data-ready=yes]")
    yield tab
    tab.close()


def test_labels_of_the_axes_do_not_overlap(screen):
    """Their widths as the canvas measures them."""
    labels = screen.evaluate("""(() => {
      const pen = document.createElement("canvas").getContext("2d"), found = { x: [], y: [] };
      pen.font = "12px system-ui, 'DejaVu Sans', sans-serif";
      for (const [way, letter, size] of [["x", LETTER, plot.width], ["y", 0, plot.height]]) {
        for (const tick of labelled(plot[way], letter, size)) {
          const half = way === "x" ? pen.measureText(short(tick)).width / 2 : 6;
          const at = plot[way].place(tick);
          found[way].push([at - half, at + half, size]);
        }
      }
      return found;
    })()""")
    for ends in labels.values():
        ends.sort()
        assert len(ends) >= 3
        assert all(low >= 0 and high <= size for low, high, size in ends)
        assert all(one[1] < other[0] for one, other in itertools.pairwise(ends))


def test_nothing_of_the_page_lies_beside_the_screen(screen):
    assert screen.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_plot_and_panel_of_a_chosen_point_are_on_one_screen(screen):
    """But on a phone, where the panel is under the plot: what builds the point is in sight."""
    screen.locator("#plot").focus()
    screen.keyboard.press("Home")
    screen.keyboard.press("Enter")
    boxes = {name: screen.locator(f"#{name}").bounding_box() for name in ("plot", "chosen", "copy")}
    ends = {name: box["y"] + box["height"] for name, box in boxes.items()}
    if screen.viewport_size["width"] > 960:
        assert screen.evaluate("scrollY") == 0
        assert max(ends.values()) <= screen.viewport_size["height"]
    assert ends["copy"] <= ends["chosen"]
    assert screen.evaluate("at('chosen').scrollHeight <= at('chosen').clientHeight")


def test_a_target_without_the_figures_of_the_plot_is_drawn_with_its_own(chromium, found, tmp_path):
    ge = [
        replace(p, target="ge", fmax_mhz=None, gbit_per_s=None, delay_ta=80.0)
        for p in found.points[:50]
    ]
    both = Exploration(
        plan=Plan(targets=("osu018", "ge"), depth="measure"),
        combinations=100,
        points=(*found.points[:50], *ge),
    )
    (tmp_path / "page.html").write_text(page(both))
    tab = chromium.new_page()
    tab.goto((tmp_path / "page.html").as_uri())
    tab.select_option("#target", "ge")
    assert tab.input_value("#y") == "bits_per_cycle"
    assert tab.evaluate("front.length") == len(both.front("ge")) > 0
    tab.close()


def test_filters_leave_the_points_that_pass(opened, found):
    opened.uncheck('input[data-option="lanes"][data-value="1"]')
    opened.uncheck('input[data-option="aes"][data-value="loop"]')
    left = [p for p in found.points if p.config.lanes > 1 and p.config.aes == "pipelined"]
    assert opened.text_content("#count").startswith(f"{len(left):,} of 2,928 points")
    opened.fill("#ylimit", "100")
    left = [p for p in left if p.gbit_per_s >= 100]
    assert opened.text_content("#count").startswith(f"{len(left):,} of 2,928 points")
    opened.check("#frontonly")
    points = len(front_of(left, ("gbit_per_s", "area_ge")))
    assert opened.text_content("#count").startswith(f"{points} of 2,928 points")


def column(tab, number):
    cells = tab.locator(f"#table tbody tr td:nth-child({number})").all_text_contents()
    return [float(cell.replace(",", "")) for cell in cells]


def test_the_table_sorts_both_ways_by_any_column(opened, found):
    opened.click('button[data-column="gbit_per_s"]')
    first = column(opened, 1)
    assert first == sorted(first, reverse=True)
    assert first[0] == round(max(p.gbit_per_s for p in found.points), 2)
    opened.click('button[data-column="gbit_per_s"]')
    assert column(opened, 1)[0] == round(min(p.gbit_per_s for p in found.points), 2)
    assert opened.get_attribute('th:has(button[data-column="gbit_per_s"])', "aria-sort") == (
        "ascending"
    )


def test_the_whole_table_can_be_shown(opened):
    assert opened.locator("#table tbody tr").count() == 200
    opened.click("#more")
    assert opened.locator("#table tbody tr").count() == 2_928


def exported(tab, button):
    with tab.expect_download() as download:
        tab.click(button)
    return Path(download.value.path()).read_bytes()


def test_exports_hold_what_is_shown(opened, found):
    opened.uncheck('input[data-option="lanes"][data-value="8"]')
    left = {p.build_command: p for p in found.points if p.config.lanes < 8}
    rows = list(csv.DictReader(exported(opened, "#csv").decode().splitlines()))
    assert {row["build"] for row in rows} == set(left)
    for row in rows:
        assert float(row["area_ge"]) == pytest.approx(left[row["build"]].area_ge, rel=1e-5)
    assert len(json.loads(exported(opened, "#json"))) == len(rows)
    svg = exported(opened, "#svg").decode()
    assert svg.count("<circle") == len(rows)
    assert svg.count("<polygon") == len(paper_marks()) + 1
    assert exported(opened, "#png").startswith(b"\x89PNG")


def test_own_points_can_be_added_in_the_page(opened, tmp_path):
    (tmp_path / "more.csv").write_text(MINE + "second,300000,45,\n")
    opened.set_input_files("#file", tmp_path / "more.csv")
    opened.wait_for_function("own.length === 3")
    names = opened.evaluate("drawn.filter(d => d.mark.kind === 'mine').map(d => d.mark.name)")
    assert names == ["ours, routed", "ours, routed", "second"]
    opened.uncheck("#mine")
    assert opened.evaluate("drawn.filter(d => d.mark.kind === 'mine').length") == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_light_and_dark_follow_the_system_and_the_button(chromium, file, scheme):
    tab = chromium.new_page(color_scheme=scheme)
    tab.goto(file.as_uri())
    light = {"light": "rgb(255, 255, 255)", "dark": "rgb(20, 24, 29)"}
    other = "dark" if scheme == "light" else "light"
    read = "getComputedStyle(document.body).backgroundColor"
    assert tab.evaluate(read) == light[scheme]
    tab.click("#theme")
    assert tab.evaluate(read) == light[other]
    tab.close()


def test_every_control_has_a_name(opened):
    nameless = opened.evaluate(
        "[...document.querySelectorAll('select, input, button')].filter(e => !e.labels?.length"
        " && !e.textContent.trim() && !e.ariaLabel).map(e => e.id)"
    )
    assert nameless == []


# Without a browser --------------------------------------------------------------------------------


def test_the_page_is_one_file_that_names_no_other(file):
    text = file.read_text()
    assert not re.findall(r'(?:src|href)\s*=\s*"', text)
    assert not re.findall(r"@import|url\(", text)


def test_published_cores_are_those_of_the_papers_tables():
    marks = {mark["name"]: mark["figures"] for mark in paper_marks()}
    yang = marks["Yang, Mishra, Karri 2005: GCM en/decryption"]
    assert (yang["area_ge"], yang["gbit_per_s"]) == (498_658, 34.69)
    eight = marks["Mozaffari-Kermani, Reyhani-Masoleh 2012: Proposed (KO4)"]
    assert (eight["area_ge"], eight["gbit_per_s"]) == (630_000, pytest.approx(627.2))


def test_text_in_the_data_cannot_end_the_script(found):
    text = page(found, mine=[{"name": "</script><b>", "note": "", "figures": {}}])
    assert "</script><b>" not in text
    assert json.loads(re.search(r'<script id="data"[^>]*>(.*?)</script>', text)[1]) == page_data(
        found, [{"name": "</script><b>", "note": "", "figures": {}}]
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a,b\n1,2\n", "no points; its columns are"),
        ("name,area_ge\nx,big\n", "area_ge=big of point 1"),
        (f"name,area_ge\nx,{'y' * 5000}\n", r"area_ge=y{80}\.\.\. of point 1"),
        (f"name,area_ge\n{'y' * 200_000},1\n", "cannot be read"),
        ("name,area_ge\nx,nan\n", "area_ge=nan of point 1"),
        ("name,gbit_per_s\nx,1\ny,1e999\n", "gbit_per_s=1e999 of point 2"),
    ],
)
def test_a_file_of_own_points_that_is_none_is_refused(tmp_path, text, message):
    (tmp_path / "mine.csv").write_text(text)
    with pytest.raises(ConfigError, match=rf"mine\.csv: {message}"):
        own_marks(tmp_path / "mine.csv")


def test_a_mark_before_the_columns_of_own_points_is_read_over(tmp_path):
    """Spreadsheets put one there."""
    (tmp_path / "mine.csv").write_text("name,area_ge\nx,5\n", encoding="utf-8-sig")
    (point,) = own_marks(tmp_path / "mine.csv")
    assert (point["name"], point["figures"]["area_ge"]) == ("x", 5)


@pytest.mark.altair
@pytest.mark.slow
def test_the_command_writes_page_and_pictures(tmp_path, capsys):
    (tmp_path / "space.toml").write_text('lanes = [1, 2]\ncontexts = [1, 2]\nmultiplier = "ko4"\n')
    with pytest.raises(SystemExit) as end:
        main(
            ["explore", str(tmp_path / "space.toml"), "--out", str(tmp_path / "page.html"),
             "--plots", str(tmp_path / "plots")]
        )  # fmt: skip
    assert end.value.code == 0
    assert "4 cores, estimated on osu018" in (tmp_path / "page.html").read_text()
    names = sorted(path.name for path in (tmp_path / "plots").iterdir())
    assert names == [
        "osu018-gbit_per_s-area_ge.png", "osu018-gbit_per_s-area_ge.svg",
        "osu018-latency_ns-area_ge.png", "osu018-latency_ns-area_ge.svg",
    ]  # fmt: skip
    assert (tmp_path / "plots" / names[0]).read_bytes().startswith(b"\x89PNG")
    assert "<svg" in (tmp_path / "plots" / names[1]).read_text()
