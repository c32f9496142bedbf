# SPDX-License-Identifier: Apache-2.0
"""Links, answers, examples and pictures of the documents, and the site that is made of them."""

import importlib.util
import re
import subprocess
import tomllib
from collections import Counter
from functools import cache
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import pytest

from gcmforge.config import CoreConfig
from gcmforge.config.presets import PRESETS, preset
from gcmforge.emit import build_core
from gcmforge.emit.core import core_files
from gcmforge.sim import Core
from gcmforge.sim.operations import LoadKey
from gcmforge.tools import verilator_binary, verilator_environment

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = sorted([*ROOT.glob("*.md"), *DOCS.rglob("*.md")])
QUESTIONS = tomllib.loads((ROOT / "tests/data/questions.toml").read_text())["question"]
LINK = re.compile(r"!?\[(?:[^\[\]]|\[[^\]]*\])*\]\(([^)\s]+)\)")
HEADING = re.compile(r"^(#{1,6}) +(.*)$", re.MULTILINE)


def prose(page):
    """A page's text without its blocks of code, in which brackets are no links."""
    text = re.sub(r"^```.*?^```$", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)
    return re.sub(r"^(?: {4}|\t).*$", "", text, flags=re.MULTILINE)


def slug(heading):
    """GitHub's anchor of a heading, and MyST's."""
    words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "")
    return re.sub(r"[^\w\- ]", "", words.strip().lower()).replace(" ", "-")


@cache
def anchors(page):
    seen, found = Counter(), set()
    for _, heading in HEADING.findall(prose(page)):
        name = slug(heading)
        found.add(f"{name}-{seen[name]}" if seen[name] else name)
        seen[name] += 1
    return found


def section(page, anchor):
    """The words under a heading, down to the next one of its level, on one line."""
    text = page.read_text()
    headings = list(HEADING.finditer(text))
    for number, one in enumerate(headings):
        if slug(one.group(2)) == anchor:
            level = len(one.group(1))
            after = (two.start() for two in headings[number + 1 :] if len(two.group(1)) <= level)
            return " ".join(text[one.end() : next(after, len(text))].split())
    raise AssertionError(f"{page}: no heading for #{anchor}")


def dead_links(page):
    for target in LINK.findall(prose(page)):
        path, _, anchor = target.partition("#")
        if ":" in path:
            continue
        there = (page.parent / path).resolve() if path else page
        if not there.exists():
            yield f"{target}: no such file"
        elif anchor and anchor not in anchors(there):
            yield f"{target}: no such heading"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_of_a_page_leads_to_a_file_and_a_heading(page):
    assert list(dead_links(page)) == []


def test_a_dead_link_and_a_dead_anchor_are_found(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("# A page: of `two` words\n\n[a](#a-page-of-two-words) [b](#c) [d](e.md#f)\n")
    assert list(dead_links(page)) == ["#c: no such heading", "e.md#f: no such file"]


def test_there_are_thirty_questions():
    assert len(QUESTIONS) == 30


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question["ask"])
def test_the_section_that_answers_a_question_does(question):
    path, _, anchor = question["page"].partition("#")
    answer = section(DOCS / path, anchor).lower()
    assert [words for words in question["words"] if words.lower() not in answer] == []


def test_every_page_is_in_the_site():
    """A new page gets a line in CONTENTS of docs/site/build.py, and one in docs/README.md."""
    build = site_builder()
    assert {file for file in build.pages() if file.startswith("docs/")} == {
        str(page.relative_to(ROOT)) for page in DOCS.rglob("*.md")
    }


def test_the_first_page_leads_to_every_other():
    listed = {DOCS / target.partition("#")[0] for target in LINK.findall(prose(DOCS / "README.md"))}
    assert set(DOCS.rglob("*.md")) - listed == {DOCS / "README.md"}


def site_builder():
    spec = importlib.util.spec_from_file_location("site_build", DOCS / "site/build.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def generator():
    spec = importlib.util.spec_from_file_location("generate", DOCS / "generate.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    "name",
    [
        "core.svg",
        "how-to/segments.svg",
        pytest.param("how-to/packets.svg", marks=pytest.mark.slow),
    ],
)
def test_the_pictures_are_what_the_code_draws(name):
    drawn = generator().PICTURES[name]()
    assert (DOCS / name).read_text() == drawn, "run: python docs/generate.py"


def test_the_instantiation_fits_the_default_core(tmp_path):
    """And is clean. Verilator reads the core's ports: what is inside is left out."""
    text = (DOCS / "how-to/connect-a-core.md").read_text()
    (example,) = re.findall(r"^```systemverilog\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    core = core_files(CoreConfig(), prove=False)[0]["gen/gcm_axis.sv"]
    ports, _, inside = core.partition("\n);\n")
    assert "u_core" in inside
    empty = f"/* verilator lint_off UNUSED */ /* verilator lint_off UNDRIVEN */\n{ports}\n);\n"
    (tmp_path / "gcm_axis.sv").write_text(empty + "endmodule\n")

    def lint(source):
        (tmp_path / "packet_sealer.sv").write_text(source)
        command = [str(verilator_binary()), "--lint-only", "-Wall", "--top-module", "packet_sealer"]
        return subprocess.run(
            [*command, "packet_sealer.sv", "gcm_axis.sv"], cwd=tmp_path,
            env=verilator_environment(), capture_output=True, text=True, timeout=120,
        )  # fmt: skip

    clean = lint(example)
    assert (clean.returncode, clean.stderr) == (0, "")
    wrong = lint(example.replace("[255:0] key,", "[127:0] key,"))
    assert "WIDTH" in wrong.stderr


def test_the_page_has_what_a_key_load_takes_at_most_in_each_preset():
    page = section(DOCS / "how-to/handle-keys.md", "how-long-a-key-load-takes")
    said = re.findall(r"\| `([\w-]+)` (?:\| *\d* *){3}\| ([\d,]+) \|", page)
    lawful = {name: f"{one.config.key_load_cycles:,}" for name, one in PRESETS.items()}
    assert dict(said) == lawful


@pytest.mark.slow
def test_a_key_load_takes_the_cycles_of_its_page(tmp_path):
    page = section(DOCS / "how-to/handle-keys.md", "how-long-a-key-load-takes")
    said = re.search(r"\| `small` \| (\d+) \| (\d+) \| (\d+) \|", page).groups()
    config = preset("small")
    core = build_core(config, tmp_path / "core", prove=False)
    found = []
    with Core(core.path).simulation() as simulation:
        for size in sorted(config.key_sizes):
            counts = [simulation.counters()]
            simulation.play(
                [LoadKey(context=0, key=bytes(size // 8))] * 2,
                cycles_per_call=1,
                progress=lambda cycle, counts=counts: counts.append(simulation.counters()),
            )
            first, second = (
                now.cycles for last, now in pairwise(counts) if now.key_loads > last.key_loads
            )
            found.append(second - first)
    assert found == [int(cycles) for cycles in said]


class Assets(HTMLParser):
    """What a page of the site loads."""

    def __init__(self):
        super().__init__()
        self.loaded = []

    def handle_starttag(self, tag, attrs):
        named = dict(attrs)
        if tag in ("script", "img", "iframe"):
            self.loaded.append(named.get("src") or "")
        elif tag == "link" and named.get("rel") != "author":
            self.loaded.append(named.get("href") or "")


@pytest.mark.slow
def test_the_site_builds_without_a_warning_and_needs_no_network(tmp_path):
    assert site_builder().build(tmp_path / "site") == 0
    pages = list((tmp_path / "site").rglob("*.html"))
    assert {"index.html", "glossary.html", "search.html"} <= {page.name for page in pages}
    for page in pages:
        reader = Assets()
        reader.feed(page.read_text())
        assert [name for name in reader.loaded if "//" in name] == [], page
    for style in (tmp_path / "site").rglob("*.css"):
        assert not re.search(r"(@import|url\()\s*['\"]?(https?:)?//", style.read_text()), style
    python = (tmp_path / "site/reference/python.html").read_text()
    assert 'id="gcmforge.verify"' in python
    assert (tmp_path / "site/searchindex.js").exists()
