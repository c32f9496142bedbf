# SPDX-License-Identifier: Apache-2.0
"""Build the documentation site from the Markdown of docs/: python docs/site/build.py [FOLDER]

The pages are those that are read in the repository. Here they get a table of contents, and links to
files that are no pages become their names. The site needs no network and no server: open its
index.html.
"""

from __future__ import annotations

import os
import posixpath
import re
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
SITE, STAGE = ROOT / "build/site", ROOT / "build/site-pages"
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")

CONTENTS = {
    "Learn": ("tutorial/first-core",),
    "How to": (
        "how-to/choose-a-core", "how-to/carry-ethernet", "how-to/serve-channels",
        "how-to/connect-a-core", "how-to/drive-a-core", "how-to/use-in-a-design",
        "how-to/work-without-a-clone",
        "how-to/handle-keys", "how-to/verify-a-core", "how-to/synthesise-a-core",
        "how-to/measure", "how-to/explore", "how-to/use-from-python", "how-to/add-a-part",
    ),
    "Look up": (
        "glossary", "reference/options", "reference/ports", "reference/registers",
        "reference/profiles", "reference/commands", "reference/python", "reference/assurance",
        "reference/tools", "reference/licence",
    ),
    "Understand": (
        "theory/inside-the-core", "theory/aes-engines", "theory/ghash-architectures",
        "theory/aggregated", "theory/multipliers", "theory/fixed-key", "theory/key-agile",
        "theory/minimiser", "theory/nano", "theory/micro", "theory/faults", "theory/masking",
        "theory/segments", "theory/streams", "reference/rooms",
    ),
    "Figures": (
        "reference/measured", "reference/line-rates", "reference/asap7", "reference/fpga",
        "reference/goals", "reference/features", "reference/sboxes", "reference/beats",
    ),
    "Evidence": (
        "reference/sign-off", "reference/control", "reference/mutants", "reference/soak",
        "reference/flips", "reference/faults", "reference/fuzz", "reference/mapped",
        "reference/routed", "reference/bound", "reference/papers", "theory/table-zeros",
    ),
}  # fmt: skip
"""The parts of the site and the pages of each, in order; the first page is docs/README.md."""
PROJECT = {
    "README.md": "project/readme",
    "CONTRIBUTING.md": "project/contributing",
    "CHANGELOG.md": "project/changes",
    "SECURITY.md": "project/security",
}
"""Pages that lie in the project's own folder, where they are there."""


TITLES = {
    "reference/commands": "Commands",
    "reference/ports": "Ports and statuses",
    "reference/assurance": "What is proven and tested",
    "theory/aggregated": "Aggregated GHASH",
    "theory/key-agile": "A key in tables",
    "reference/sign-off": "Sign-off",
    "reference/control": "Control, by class of core",
    "reference/mutants": "Mutants",
    "reference/soak": "Random packets",
    "reference/beats": "Beats of packets",
    "project/readme": "Readme",
}
"""Shorter than the pages' own, for the list at the side."""


def pages() -> dict[str, str]:
    """File in the repository -> page of the site, without its ending."""
    found = {"docs/README.md": "index"}
    for names in CONTENTS.values():
        found |= {f"docs/{name}.md": name for name in names}
    return found | {file: page for file, page in PROJECT.items() if (ROOT / file).exists()}


def moved(text: str, file: str, page: str, places: Mapping[str, str]) -> str:
    """A page with its links as the site has them. A link that leads nowhere stays, and Sphinx
    refuses it."""

    def link(found: re.Match[str]) -> str:
        image, words, target = found.groups()
        path, mark, anchor = target.partition("#")
        if not path or ":" in path:
            return found.group()
        path = posixpath.normpath(posixpath.join(posixpath.dirname(file), path))
        there = places.get("docs/README.md" if path == "docs" else path)
        start = posixpath.dirname(page) or "."
        if there is not None:
            return f"{image}[{words}]({posixpath.relpath(there, start)}.md{mark}{anchor})"
        if image:
            return f"![{words}]({posixpath.relpath(path.removeprefix('docs/'), start)})"
        if (ROOT / path).exists():
            return words if words.strip("`") == path else f"{words} (`{path}`)"
        return found.group()

    return LINK.sub(link, text)


def contents(places: Mapping[str, str]) -> str:
    """What comes after the first page: the table of contents, shown at the side only."""
    here = set(places.values())
    parts = {**CONTENTS, "The project": tuple(p for p in PROJECT.values() if p in here)}
    return "".join(
        f"\n```{{toctree}}\n:hidden:\n:caption: {title}\n\n"
        + "".join(f"{TITLES[name]} <{name}>\n" if name in TITLES else f"{name}\n" for name in names)
        + "```\n"
        for title, names in parts.items()
    )


def stage() -> None:
    """Everything that Sphinx reads, into STAGE."""
    shutil.rmtree(STAGE, ignore_errors=True)
    places = pages()
    for file, page in places.items():
        text = moved((ROOT / file).read_text(), file, page, places)
        if page == "reference/python":
            text = text.replace("```python-api\n", "```{eval-rst}\n")
        target = STAGE / f"{page}.md"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text + (contents(places) if page == "index" else ""))
    for picture in (ROOT / "docs").rglob("*.svg"):
        target = STAGE / picture.relative_to(ROOT / "docs")
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(picture, target)
    shutil.copyfile(HERE / "site.css", STAGE / "site.css")


def build(out: Path) -> int:
    """Sphinx's exit code; a warning is an error."""
    try:
        from sphinx.cmd.build import main as sphinx
    except ModuleNotFoundError as error:
        print(f"{error.name} is not installed: pip install 'gcmforge[docs]'", file=sys.stderr)
        return 2
    stage()
    shutil.rmtree(out, ignore_errors=True)
    os.environ.setdefault("SOURCE_DATE_EPOCH", "0")
    options = ["--quiet", "--fail-on-warning", "--keep-going", "--fresh-env", "--conf-dir"]
    found = sphinx([*options, str(HERE), "-d", str(STAGE) + ".cache", str(STAGE), str(out)])
    shutil.rmtree(str(STAGE) + ".cache", ignore_errors=True)
    return found


if __name__ == "__main__":
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else SITE
    code = build(folder)
    if code == 0:
        print(f"done: {folder}/index.html")
    sys.exit(code)
