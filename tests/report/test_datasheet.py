# SPDX-License-Identifier: Apache-2.0
"""The datasheet: what is in it, that it stands alone, and that it draws what was simulated."""

import re
import xml.etree.ElementTree as ElementTree
from dataclasses import replace

import pytest

import gcmforge
from gcmforge import tools
from gcmforge.cli import main
from gcmforge.config import CoreConfig
from gcmforge.config.architecture import Architecture
from gcmforge.config.installed import engines
from gcmforge.config.presets import PRESETS, preset
from gcmforge.emit.core import build_core, core_files
from gcmforge.emit.folder import LOCK, BuildError
from gcmforge.emit.layers import public_ports
from gcmforge.emit.leaves import LEAF_MODULES
from gcmforge.emit.packed import packed_rows
from gcmforge.emit.registers import registers
from gcmforge.explore.estimate import estimate
from gcmforge.measure.leakage_record import Leakage, LeakageRecord
from gcmforge.measure.result import CriticalPath, PlacedFigure, PlacedMap, Result
from gcmforge.report import datasheet, ethernet
from gcmforge.report.block_diagram import block_diagram
from gcmforge.report.datasheet import datasheet_documents, datasheet_files, stored_results
from gcmforge.report.leakage_plot import leakage_drawing
from gcmforge.report.own_diagram import own_diagram
from gcmforge.report.placement import placement_drawing
from gcmforge.report.timing_diagram import ROWS, timing_diagram
from gcmforge.sim.trace import WAITING, Section, Trace, TraceError
from gcmforge.tools import ToolError

SMALL = preset("small")
TRACE = Trace(
    packets=(
        Section(direction="encrypt", aad_bytes=13, text_bytes=24, aad_beats=1, text_beats=2),
        Section(direction="decrypt", aad_bytes=0, text_bytes=16, aad_beats=0, text_beats=1),
    ),
    transfers={
        "s_cmd": (0, 1), "s_axis": (0, 1, 2, 4), WAITING: (3,), "m_axis": (40, 41, 43),
        "m_tag": (60, 61),
    },
)  # fmt: skip


@pytest.fixture
def simulated(monkeypatch):
    """The simulation left out: what it found is given."""
    found = datasheet.Simulated(trace=TRACE)
    monkeypatch.setattr(datasheet, "simulated", lambda config, files: found)


@pytest.fixture(scope="module")
def small():
    return core_files(SMALL)


def pages(core, config=SMALL, **more):
    files, _, proofs = core
    return datasheet_files(config, files, proofs, **more)


def words(page: str) -> str:
    """Its text, tags left out."""
    text = re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", page))
    return text.replace("&#39;", "'").replace("&#34;", '"')


# Drawings -----------------------------------------------------------------------------------------


def drawn(svg: str) -> list[ElementTree.Element]:
    return list(ElementTree.fromstring(svg).iter())


def test_every_transfer_is_drawn_once_and_long_pauses_are_left_out():
    parts = drawn(timing_diagram(TRACE))
    boxes = [part for part in parts if part.tag.endswith("rect")]
    assert len(boxes) == sum(len(TRACE.transfers[name]) for name in (*ROWS, WAITING))
    texts = [part.text for part in parts if part.tag.endswith("text")]
    assert {"35 cycles", "16 cycles"} <= set(texts)
    for label, times in (("A1", 1), ("T1", 4), ("T2", 2), ("1", 3), ("2", 3)):
        assert texts.count(label) == times, label
    assert "30" not in texts and "43" in texts


def test_latencies_are_those_of_the_first_packet():
    assert TRACE.first_text_latency_cycles == 39
    assert TRACE.tag_latency_cycles == 58
    assert Trace.from_mapping(TRACE.to_mapping()) == TRACE


@pytest.mark.parametrize("name", PRESETS)
def test_blocks_name_the_engines_of_the_core(name):
    config = preset(name)
    texts = [part.text for part in drawn(block_diagram(config)) if part.tag.endswith("text")]
    names = {f"aes_{config.aes}", f"ghash_{config.ghash}", "gcm_issue"}
    if config.architecture:
        names = {name for name, _ in config.architecture.diagram(config)}
    assert names | {"m_axis", "m_tag", "s_key", "s_cmd", "s_axis"} <= set(texts)
    assert any(config.sbox in text for text in texts)


def test_blocks_of_micro_say_what_its_s_boxes_give():
    micro = preset("micro")
    words = {
        20: {"a round of AES a cycle,", "12 bits a cycle,", "11 cycles a block"},
        4: {"a column of AES a cycle,", "3 bits a cycle,", "43 cycles a block"},
    }
    for sboxes, (own, other) in {20: (words[20], words[4]), 4: (words[4], words[20])}.items():
        parts = drawn(block_diagram(micro.with_settings([f"sboxes={sboxes}"])))
        texts = {part.text for part in parts if part.tag.endswith("text")}
        assert own <= texts and not other & texts


@pytest.mark.parametrize("own", engines("core").values(), ids=lambda own: own.name)
def test_every_core_of_its_own_has_a_diagram(own: Architecture):
    config = CoreConfig(core=own.name, **{name: values[0] for name, values in own.needs.items()})
    texts = [part.text for part in drawn(own_diagram(config, own)) if part.tag.endswith("text")]
    assert {name for name, _ in own.diagram(config)} <= set(texts)


def test_only_a_core_that_holds_text_back_has_the_block_for_it():
    config = CoreConfig(release="verified", max_text_bytes=2048)
    assert "gcm_release" in block_diagram(config)
    assert "gcm_release" not in block_diagram(SMALL)


def test_the_tail_and_the_way_of_the_subkey_are_drawn():
    shared, own = CoreConfig(), preset("100g")
    assert (shared.tail, own.tail) == ("shared", "dedicated")
    for config, parts in ((shared, {"E(K, 0)", "passes the"}), (own, {"times H"})):
        texts = {part.text for part in drawn(block_diagram(config)) if part.tag.endswith("text")}
        assert parts | {"gcm_subkey", "H"} <= texts
        assert not {"E(K, 0)", "passes the", "times H"} - parts & texts
    assert "J0 of long IVs" in block_diagram(shared)
    assert "J0 of long IVs" not in block_diagram(shared.with_settings(["iv=96"]))


# Pages --------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_page_needs_nothing_else(simulated, small):
    page = pages(small)["datasheet.html"]
    assert not re.search(r"<(script|link|img|iframe)|url\(|@import|src=", page)
    assert set(re.findall(r"https?://[^\"'<> ]+", page)) <= {"http://www.w3.org/2000/svg"}
    assert "prefers-color-scheme: dark" in page and "@media print" in page


@pytest.mark.slow
@pytest.mark.parametrize("name", ["datasheet.html", "datasheet.md"])
def test_a_core_whose_packets_share_beats_shows_its_part_of_an_ethernet_line(simulated, name):
    config = preset("100ge")
    leaves = {leaf: f"module {leaf}; endmodule" for leaf in LEAF_MODULES}
    made = pages(core_files(config, prove=False, instead=leaves), config)
    # A frame of 64 bytes is 20 of AAD, 24 of text: a segment each, a cycle at 202 MHz for the 6.72
    # ns that 84 bytes take. One of 9,600 is 1 + 299 segments, 150 cycles for 769.6 ns.
    text = words(made[name])
    for length, part in (("64", 6.72e-3 * 202), ("9,600", 769.6e-3 * 202 / 150)):
        assert re.search(rf"{length}\b", text) and f"{part:.2f}" in text, length
    for part in ("201.6", "806.5", "3,225.8", "clock of the preset 100ge"):
        assert part in text, part
    (line,) = [part.get("d") for part in drawn(made[ethernet.FILE])
               if part.tag.endswith("path") and part.get("class") is None]  # fmt: skip
    heights = [float(point.split()[1]) for point in line[1:].split(" L")]
    one = ethernet.TOP + (ethernet.HEIGHT - ethernet.TOP - ethernet.BOTTOM) * (1 - 1 / 1.5)
    assert len(heights) > 500 and max(heights) <= one + 0.05
    assert ethernet.FILE not in pages(core_files(SMALL, prove=False, instead=leaves))


def test_the_clock_for_its_own_rate_stands_in_the_table_of_each_ethernet_preset():
    """Of 1t6 three segments of eight a frame of 73 bytes: one of AAD, two of 33 bytes of text. It
    and 20 bytes around it are 0.465 ns of the line."""
    needs = {
        name: dict(ethernet.ethernet(one.config).needs)[one.ethernet_gbit_per_s].clock_mhz
        for name, one in PRESETS.items()
        if one.ethernet_gbit_per_s
    }
    assert set(needs) == {"100ge", "200ge", "400ge", "800ge", "1t6"}
    assert all(need <= PRESETS[name].clock_mhz for name, need in needs.items())
    assert needs["1t6"] == pytest.approx(3 / 8 / 0.465e-3)


@pytest.mark.parametrize("name", ["datasheet.html", "datasheet.md"])
def test_what_a_datasheet_has(simulated, small, name):
    made = pages(small)
    page = words(made[name])
    for port in public_ports(SMALL):
        assert port.name in page
    for option in SMALL.understood:
        assert option in page
    for proof in small[2]:
        assert proof.detail in page
    text = re.sub(r"\s+", " ", page.replace("`", "").replace("|", " "))
    assert "AXI4-Stream, gcm_axis_packed" in text and "s_key_tdata has 512 bits" in text
    for carrier, bits, port, width in packed_rows(SMALL):
        assert f" {carrier} {bits} {port} {width} " in text
    assert "releases plaintext before its tag is known" in page
    assert "no masking" in page and "Latency: R * SubStages + 2 cycles" in page
    assert "39 cycles" in page and "58 cycles" in page
    assert "20,862.00 GE" in page
    assert "gcmforge measure DIR --target osu018 --power" in page
    if name.endswith("md"):
        assert all(target in made for target in re.findall(r"\]\((\S+\.svg)\)", made[name]))


def test_a_register_block_is_in_the_interface(simulated):
    config = SMALL.with_settings(["registers=axi4lite"])
    made = pages(core_files(config, prove=False), config)
    page = words(made["datasheet.html"])
    assert "gcm_axil" in page and "s_axil_awaddr" in page and "s_key_tdata" not in page
    assert "No leaf was proven" in page
    assert "_packed" not in page  # all of its ports are AXI4-Stream and AXI4-Lite
    for text in (page, words(made["datasheet.md"]).replace("`", "").replace("|", " ")):
        text = re.sub(r"\s+", " ", text)
        for register in registers(config):
            assert f"{register.offset:#05x}" in text
            assert register.meaning in text
            for field in register.fields if len(register.fields) > 1 else ():
                bits = f"{field.high}:{field.low}" if field.width > 1 else f"{field.low}"
                assert f".{field.name} {bits} {field.access} {field.meaning}" in text


def test_a_core_without_registers_has_no_map_of_them(simulated, small):
    for page in pages(small).values():
        assert "Registers" not in page and "KEY_LOAD" not in page


def test_contents_lead_to_every_section(simulated):
    config = SMALL.with_settings(["registers=axi4lite"])
    made = pages(core_files(config, prove=False), config)
    html = made["datasheet.html"]
    found = re.findall(r'<h2 id="([^"]+)">([^<]+)</h2>', html)
    assert re.findall(r'<li><a href="#([^"]+)">([^<]+)</a></li>', html) == found
    assert [title for _, title in found] == list(datasheet.SECTIONS)
    assert html.count("<h2") == len(found)
    markdown = made["datasheet.md"]
    titles = [title for title in re.findall(r"^## (.+)$", markdown, re.M) if title != "Contents"]
    assert re.findall(r"^- \[(.+)\]\(#(.+)\)$", markdown, re.M) == [
        (title, anchor) for anchor, title in found
    ]
    assert titles == list(datasheet.SECTIONS)


@pytest.mark.parametrize("name", ["datasheet.html", "datasheet.md"])
def test_this_cores_cycles_come_before_the_laws(simulated, small, name):
    page = words(pages(small)[name])
    section = page[page.rindex("Cycles Of this core" if "html" in name else "## Cycles") :]
    first, _, laws = section.partition("The laws, as the modules' headers state them")
    for number in ("39", "58", "1,330.00"):  # the trace's latencies; 95 slots of 14 cycles
        assert number in first
    assert "simulated" in first and "Latency:" not in first
    assert "Latency: R * SubStages + 2 cycles" in laws


@pytest.mark.parametrize("name", ["datasheet.html", "datasheet.md"])
def test_area_and_clock_are_the_estimate_and_say_so_until_they_are_measured(simulated, small, name):
    told = estimate(SMALL, "osu018", 1500)
    area, fmax = f"{told.area_ge / 1000:.1f}", f"{told.fmax_mhz:.0f}"
    page = words(pages(small)[name])
    assert f"{area} kGE" in page and f"{fmax} MHz" in page
    assert "area, estimated on osu018 at effort quick, not measured" in page
    assert "clock, estimated on osu018 at effort quick, not measured" in page
    assert "Estimated, not measured." in page and "each calibrated without the core itself" in page
    page = words(pages(small, measured=[result(small[0])])[name])
    assert "estimated" not in page.lower()
    assert "area, measured on osu018" in page and "clock, measured on osu018" in page
    assert "81.6 kGE" in page and "153 MHz" in page


def test_what_the_estimate_leaves_out_is_said_with_it(simulated):
    config = SMALL.with_settings(["registers=axi4lite"])
    made = pages(core_files(config, prove=False), config)
    assert "not in the estimate: registers=axi4lite" in words(made["datasheet.html"])
    assert "not in the estimate: registers=axi4lite" in made["datasheet.md"]


def test_on_a_phone_the_page_does_not_scroll_sideways(simulated, chromium, small, tmp_path):
    """375 pixels; only the two drawings move, each in its frame; a placement fits."""
    config = SMALL.with_settings(["registers=axi4lite", "zeroise=on", "timeout=500"])
    plain = pages(small, measured=[result(small[0], placed=PLACED)])
    for made in (plain, pages(core_files(config, prove=False), config)):
        (tmp_path / "page.html").write_text(made["datasheet.html"])
        tab = chromium.new_page(viewport={"width": 375, "height": 812})
        tab.goto((tmp_path / "page.html").as_uri())
        assert tab.evaluate("document.documentElement.scrollWidth") == 375
        beyond = tab.evaluate(
            "[...document.querySelectorAll('body *')].filter(e => !e.closest('.frame')"
            " && e.getBoundingClientRect().right > 375).map(e => e.outerHTML)"
        )
        tab.close()
        assert beyond == []


@pytest.mark.slow
def test_the_same_core_gives_the_same_bytes(simulated, tmp_path):
    documents = datasheet_documents(measured=False, progress=lambda step: None)
    for name in ("one", "two"):
        core = build_core(SMALL, tmp_path / name, prove=False, documents=documents)
        assert core.written and "datasheet.html" in core.files
    read = {
        name: {
            path.name: path.read_bytes() for path in (tmp_path / name).iterdir() if path.is_file()
        }
        for name in ("one", "two")
    }
    assert read["one"] == read["two"]
    assert not build_core(SMALL, tmp_path / "one", prove=False, documents=documents).written


def result(files, **changes):
    rtl = files["gcm_axis.f"].split()
    from gcmforge.emit.rtl import code_digest

    made = Result(
        what="small", kind="core", summary="", configuration=None,
        rtl_sha256=code_digest({name: files[name] for name in rtl}), target="osu018",
        target_kind="asic", target_family="OSU cells", target_version="1", tools={"yosys": "0.70"},
        effort="normal", note="post-synthesis, ideal wires", command="gcmforge measure small",
        area_ge=81_558.2, flip_flops=5_999, gbit_per_s=1.4, kbit_per_s_per_gate=17.1,
        timing=CriticalPath(
            delay_ns=6.5, delay_ta=None, fmax_mhz=153.0, start="a", end="b", cells=9
        ),
    )  # fmt: skip
    return replace(made, **changes)


def test_measured_figures_stand_beside_target_and_tools(simulated, small):
    for page in map(words, pages(small, measured=[result(small[0])]).values()):
        if "Interface" in page:
            assert "81,558" in page and "153" in page and "OSU cells" in page
            assert "yosys 0.70" in page and "post-synthesis, ideal wires" in page


MAP = PlacedMap(
    blocks=("aes", "ghash", "control"), rows=("aab.", "abbb", "ccc."),
    path=((0.1, 0.2), (0.5, 0.9), (0.75, 0.25)),
)  # fmt: skip
PLACED = PlacedFigure(
    utilisation=0.7, core_area_um2=240_000.0, width_um=600.0, height_um=400.0, wire_m=1.25,
    wire_pf=150.0, ff_per_um=0.12, ohm_per_um=0.25, wires_from="a file", cells_added=77,
    area_um2=1e5, area_ge=84_321.0, mapped_delay_ns=9.0, delay_ns=8.0, fmax_mhz=125.0, start="a_q",
    end="b_d", gbit_per_s=1.15, clock_buffers=40, clock_skew_ns=0.125, map=MAP,
)  # fmt: skip


def test_a_placement_has_a_colour_for_each_block_and_every_tile_once():
    parts = drawn(placement_drawing(PLACED, "Placed"))
    fills = [p for p in parts if p.tag.endswith("path") and "stroke:none" in p.get("style", "")]
    runs = [re.findall(r"M(\d+) (\d+)h(\d+)v1h-(\d+)z", part.get("d")) for part in fills]
    tiles = {
        (int(x) + n, int(y)): block
        for block, found in zip("abc", runs, strict=True)
        for x, y, size, _ in found
        for n in range(int(size))
    }
    wanted = {(x, y): tile for y, row in enumerate(MAP.rows) for x, tile in enumerate(row)}
    assert tiles == {spot: tile for spot, tile in wanted.items() if tile != "."}
    colours = {re.match(r"fill:(#\w+)", part.get("style"))[1] for part in fills}
    legend = [p.get("style") for p in parts if p.tag.endswith("rect") and p.get("width") == "14"]
    assert {f"fill:{colour}" for colour in colours} == set(legend) and len(colours) == 3
    texts = [part.text for part in parts if part.tag.endswith("text")]
    assert texts[:3] == list(MAP.blocks)
    assert "slowest path, from the dot to the square" in texts
    assert "600 um x 400 um, 70% of it cells" in texts


def test_the_slowest_path_is_drawn_from_below_with_its_ends():
    """The map's corner is the lower left one; a drawing's is the upper left one."""
    text = placement_drawing(PLACED, "Placed")
    side, high = 416.0, 416.0 * 400 / 600
    spots = [(12 + x * side, 12 + (1 - y) * high) for x, y in MAP.path]
    assert "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in spots) in text
    assert f'<circle cx="{spots[0][0]:.1f}" cy="{spots[0][1]:.1f}"' in text


def test_a_placed_core_shows_its_placement_and_leads_with_its_figures(simulated, small):
    made = pages(small, measured=[result(small[0], placed=PLACED), result(small[0])])
    drawing = made["datasheet_placed.svg"]
    assert drawing in made["datasheet.html"]
    assert "![Placed on osu018](datasheet_placed.svg)" in made["datasheet.md"]
    for page in (words(made["datasheet.html"]), words(made["datasheet.md"])):
        assert "84,321" in page and "600 x 400" in page and "0.125" in page
        assert "8.00 ns, goes from" in page and "81,558" in page
        assert "84.3 kGE" in page and "125 MHz" in page and "153 MHz" not in page
        assert "clock, measured on osu018, placed" in page
    assert "datasheet_placed.svg" not in pages(small, measured=[result(small[0])])


def test_the_same_placement_is_drawn_once_and_another_one_has_another_file(simulated, small):
    other = replace(PLACED, map=replace(MAP, path=((0.0, 0.0), (1.0, 1.0))))
    found = [result(small[0], placed=one) for one in (PLACED, PLACED, other)]
    made = pages(small, measured=found)
    assert made["datasheet_placed.svg"] != made["datasheet_placed_2.svg"]
    assert "datasheet_placed_3.svg" not in made
    assert made["datasheet.md"].count("![Placed on osu018]") == 2
    assert made["datasheet.md"].count("| osu018, placed |") == 3


FOUND = Leakage(
    core="cores/mine", target="osu018", traces=2_560, randomness="fresh",
    first=(0.5, -5.2, 4.4, 1.0), second=(1.0, 2.0, 30.5, 0.0), fails_at=128,
    nets=(), parts=(("a key", 0, 1), ("its H", 1, 3), ("a packet", 3, 4)),
)  # fmt: skip


def test_a_masked_core_says_its_protection_and_whether_it_was_tested(simulated):
    config = CoreConfig(core="masked", key_sizes=(128,), contexts=1, iv="96", max_text_bytes=64,
                        max_aad_bytes=64, randomness="generator")  # fmt: skip
    made = pages(core_files(config, prove=False), config)
    for name in ("datasheet.html", "datasheet.md"):
        page = words(made[name])
        assert "every secret in two shares, against power analysis of first order" in page
        assert "Not tested for leakage here" in page
        assert "on a generator that is not masked itself" in page
        assert "stops the core for 50 cycles" in page


def test_t_is_drawn_by_cycle_and_what_is_above_the_threshold_in_red():
    svg = leakage_drawing(FOUND)
    parts = drawn(svg)
    texts = [part.text for part in parts if part.tag.endswith("text")]
    assert "|t| by cycle, 2,560 traces on osu018" in texts
    assert "first order: fails; at most 5.2, in cycle 1" in texts
    assert "second order; at most 30.5, in cycle 2" in texts
    assert texts.count("dashed: threshold 4.5") == 2
    assert {"a key", "its H", "a packet"} <= set(texts)
    red = [part.get("d") for part in parts if "fill:#d1453b" in (part.get("style") or "")]
    assert [d.count("M") for d in red] == [1, 1]  # a cycle of each order
    still = replace(FOUND, first=(0.0,) * 4, second=(0.1,) * 4, fails_at=None, parts=())
    assert "fill:#d1453b" not in leakage_drawing(still)


def test_a_test_for_leakage_is_told_and_drawn(simulated, small):
    record = LeakageRecord(
        rtl_sha256="0", target="osu018", command="gcmforge measure cores/mine --leakage 2560",
        seed=1, tools={"yosys": "1.0"}, found=FOUND,
    )  # fmt: skip
    found = pages(small, leakages=[record, replace(record, target="sky130")])
    assert {"datasheet_leakage.svg", "datasheet_leakage_1.svg"} <= found.keys()
    for name in ("datasheet.html", "datasheet.md"):
        page = words(found[name])
        assert "fails, from 128 traces on" in page
        assert "gcmforge measure cores/mine --leakage 2560" in page and "yosys 1.0; seed 1" in page
    assert found["datasheet_leakage.svg"].strip() in found["datasheet.html"]
    assert "A test for leakage" not in words(pages(small)["datasheet.md"])


def test_only_results_of_this_very_core_are_taken_from_the_store(small, tmp_path, monkeypatch):
    from gcmforge.measure.store import Store

    monkeypatch.setenv("GCMFORGE_STORE", str(tmp_path / "results.sqlite"))
    own, other = result(small[0]), result(small[0], rtl_sha256="another", area_ge=1.0)
    with Store() as store:
        for key, one in (("a", own), ("b", other)):
            store.put(key, one.to_json(), at="now")
    assert stored_results(small[0]) == [own]


def test_a_core_that_fails_its_simulation_is_not_built(monkeypatch, small):
    from gcmforge.sim import trace

    def wrong(config, files):
        raise TraceError("tag: expected 00, got 01")

    monkeypatch.setattr(trace, "trace_core", wrong)
    with pytest.raises(BuildError, match="fails its own simulation: tag: expected 00"):
        pages(small)


@pytest.mark.parametrize("missing", ["compiler", "verilator", "cryptography"])
def test_without_the_simulator_nothing_is_built_but_without_a_datasheet(
    missing, simulated, tmp_path, monkeypatch
):
    """Two folders of one configuration are never different."""
    folder_of = tools.package_folder

    def package_folder(package, *rest):
        if package == missing:
            raise ToolError(f"{package} is not installed")
        return folder_of(package, *rest)

    if missing == "compiler":
        monkeypatch.setenv("PATH", str(tmp_path))
        monkeypatch.delenv("CXX", raising=False)
    monkeypatch.setattr(tools, "package_folder", package_folder)
    with pytest.raises(ToolError, match=rf"(?i){missing}.* install.*use --no-datasheet"):
        gcmforge.build(SMALL, tmp_path / "core", prove=False)
    assert not (tmp_path / "core").exists()
    core = gcmforge.build(SMALL, tmp_path / "core", prove=False, datasheet=False)
    assert "datasheet.html" not in core.files
    words = ["build", "--preset", "small", "--no-prove", "-o", str(tmp_path / "command")]
    for more, code in (([], 1), (["--no-datasheet"], 0)):
        with pytest.raises(SystemExit) as end:
            main([*words, *more])
        assert end.value.code == code
    assert {*gcmforge.open_core(tmp_path / "command").files, LOCK} == set(core.files)


# The simulation -----------------------------------------------------------------------------------


@pytest.mark.verilator
@pytest.mark.slow
def test_the_trace_is_what_the_core_does(small):
    """Against the simulator's own record of each packet's first and last transfers."""
    from gcmforge.measure.rates import core_rates
    from gcmforge.sim import Core
    from gcmforge.sim.trace import _operations, core_folder, trace_core

    files = small[0]
    trace = trace_core(SMALL, files)
    key, *packets = _operations(SMALL)
    with core_folder(files) as folder, Core(folder).simulation() as simulation:
        simulation.play([key, packets[0]])
        answers = simulation.play(packets).answers
    start = answers[0].command_cycle
    first, second = answers
    assert trace.transfers["s_cmd"] == (0, second.command_cycle - start)
    assert trace.transfers["m_tag"] == (first.tag_cycle - start, second.tag_cycle - start)
    inward, outward = trace.transfers["s_axis"], trace.transfers["m_axis"]
    assert (inward[0], inward[-1]) == (first.first_in_cycle - start, second.last_in_cycle - start)
    assert (outward[0], outward[-1]) == (
        first.first_out_cycle - start, second.last_out_cycle - start,
    )  # fmt: skip
    rates = core_rates(SMALL, files)
    assert [rate.packet_bytes for rate in rates] == [64, 576, 1500, 9000]
    assert rates[0].bits_per_cycle < rates[-1].bits_per_cycle < 128 / SMALL.cycles_per_beat + 0.01


@pytest.mark.verilator
@pytest.mark.slow
def test_a_core_that_makes_its_own_ivs_is_traced():
    """Its key comes again before the trace, so that its IVs count from 0."""
    from gcmforge.sim.trace import trace_core

    config = SMALL.with_settings(["iv=counter", "zeroise=on", "timeout=500"])
    core = core_files(config)
    assert trace_core(config, core[0]).tag_latency_cycles > 0
    page = words(pages(core, config)["datasheet.html"])
    assert "a count that nobody can set" in page and "must never be used" not in page
    assert f"{config.erase_cycles:,} cycles at most from zeroise" in page
    assert "500 cycles of silence" in page and "ERASED" in page
    for module in ("gcm_timeout", "gcm_iv_counter", "gcm_erase"):
        assert module in page
