# SPDX-License-Identifier: Apache-2.0
"""Neither a key nor its hash subkey is anywhere but in the logic.

Each command runs in a process of its own that may write below one folder only: what it is asked to
write, cache, results store, home and temporary folders, none of which is removed. All of that, the
files' names, and what the command prints, are searched for the secrets in many forms.
"""

import base64
import json
import os
import random
import re
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from gcmforge.model import encrypt_block, gf_mult, key_expansion

pytestmark = pytest.mark.slow

KEY = bytes.fromhex("feffe9928665731c6d6a8f9467308308")
"""Of test case 3 in McGrew and Viega's paper."""
H = 0xB83B533708BF535D0AA6E52980D53B78
"""Its hash subkey, from there."""

KEPT_TEMPORARY = """
import tempfile
tempfile.TemporaryDirectory._rmtree = classmethod(lambda *_, **__: None)
"""
"""sitecustomize.py: what was in temporary folders can be searched afterwards."""

CORE = """
lanes = 2
key_sizes = [128, 256]
aes = "loop"
aes_rounds = 7
sbox = "table"
key_schedule = "travelling"
"""


# ---- the search ----------------------------------------------------------------------------------


def forms(secret: bytes) -> set[bytes]:
    """How a secret may be written, in lower case: as it is, in hex, binary and decimal digits, as a
    list of bytes, in base64; forwards, backwards by bytes, bits and digits; whole, or in parts of
    six bytes."""
    bits = 8 * len(secret)
    mirrored = int(f"{int.from_bytes(secret):0{bits}b}"[::-1], 2).to_bytes(len(secret))
    found: set[bytes] = set()
    for data in (secret, mirrored):
        for part in (data, *(data[i : i + 6] for i in range(0, len(data) - 5, 2))):
            for way in (part, part[::-1]):
                found |= _written(way)
    return {form.lower() for form in found}


def _written(data: bytes) -> set[bytes]:
    digits = data.hex()
    texts = {
        digits, digits[::-1], str(int.from_bytes(data)), "".join(f"{byte:08b}" for byte in data),
        ",".join(map(str, data)), base64.b64encode(data).decode().rstrip("="),
    }  # fmt: skip
    return {data, *(text.encode() for text in texts)}


def views(data: bytes) -> tuple[bytes, ...]:
    """As it is; without white space and underscores; without what stands between hex digits."""
    plain = data.lower()
    tight = re.sub(rb"[\s_]", b"", plain)
    return tuple({plain, tight, re.sub(rb"0x|\\x|[,:;.'\"-]", b"", tight)})


def holders(folder: Path, secrets: list[bytes]) -> list[str]:
    """Files below the folder, by name or content, that hold a form of a secret."""
    wanted = {form for secret in secrets for form in forms(secret)}

    @cache
    def holds(data: bytes) -> bool:
        return any(form in text for text in views(data) for form in wanted)

    names = {path: str(path.relative_to(folder)) for path in sorted(folder.rglob("*"))}
    return [
        name
        for path, name in names.items()
        if holds(name.encode()) or (path.is_file() and holds(path.read_bytes()))
    ]


def test_the_search_sees_every_form(tmp_path):
    secret = H.to_bytes(16)
    for number, form in enumerate(sorted(forms(secret))):
        (tmp_path / f"f{number}").write_bytes(b"some text " + form + b" and more")
    spaced = " ".join(f"{byte:02X}" for byte in secret[3:11])
    (tmp_path / "spaced").write_text(spaced)
    (tmp_path / "array").write_text(", ".join(f"0x{byte:02x}" for byte in secret[4:12]))
    (tmp_path / "escaped").write_text("".join(rf"\x{byte:02x}" for byte in secret[2:10]))
    (tmp_path / "verilog").write_text(f"128'h{H >> 64:016x}_{H & (1 << 64) - 1:016x}")
    (tmp_path / f"name-{H:X}.txt").write_text("")
    (tmp_path / "innocent").write_text(f"{H ^ (1 << 128) - 1:x}")
    everything = {path.name for path in tmp_path.iterdir()}
    assert everything - set(holders(tmp_path, [secret])) == {"innocent"}


# ---- commands ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class World:
    """The only folder that commands write to."""

    folder: Path

    def run(self, *arguments: object, key: str = "", code: int = 0) -> tuple[str, str]:
        """A command; what it prints is kept in the folder, too."""
        places = {
            "HOME": "home", "XDG_CACHE_HOME": "home/cache", "XDG_DATA_HOME": "home/data",
            "TMPDIR": "temporary", "GCMFORGE_CACHE": "cache", "GCMFORGE_STORE": "results.sqlite",
        }  # fmt: skip
        paths = [str(self.folder / "patch"), os.environ.get("PYTHONPATH", "")]
        environment = {
            **os.environ, **{name: str(self.folder / place) for name, place in places.items()},
            "PYTHONPATH": os.pathsep.join(filter(None, paths)),
        }  # fmt: skip
        for folder in ("home", "temporary"):
            (self.folder / folder).mkdir(parents=True, exist_ok=True)
        run = subprocess.run(
            [sys.executable, "-m", "gcmforge", *map(str, arguments)], env=environment, input=key,
            cwd=self.folder, capture_output=True, text=True,
        )  # fmt: skip
        assert run.returncode == code, run.stdout + run.stderr
        number = len(list(self.folder.glob("printed*")))
        (self.folder / f"printed{number}").write_text(run.stdout + run.stderr)
        return run.stdout, run.stderr

    def holders(self, keys: list[bytes], powers: int = 1) -> list[str]:
        """Where the keys are, or the first powers of their subkeys."""
        assert len(list((self.folder / "temporary").iterdir())) > 0, "nothing of them was kept"
        secrets = []
        for key in keys:
            power = subkey = encrypt_block(key_expansion(key), 0)
            secrets += [key, subkey.to_bytes(16)]
            for _ in range(powers - 1):
                power = gf_mult(power, subkey)
                secrets.append(power.to_bytes(16))
        return holders(self.folder, secrets)


@pytest.fixture
def world(tmp_path):
    (tmp_path / "world/patch").mkdir(parents=True)
    (tmp_path / "world/patch/sitecustomize.py").write_text(KEPT_TEMPORARY)
    return World(tmp_path / "world")


def test_a_module_and_its_measurement(world, tmp_path):
    """The figures are kept in the results store."""
    key = tmp_path / "key.txt"
    key.write_text(KEY.hex())
    assert encrypt_block(key_expansion(KEY), 0) == H
    out, _ = world.run("specialise", "--key-file", key, "-o", "made", "--effort", "quick")
    assert "KEY MATERIAL" in out
    world.run("measure", "made", "--effort", "quick")
    assert (world.folder / "results.sqlite").is_file()
    assert world.holders([KEY]) == []


def test_lanes_of_luts_with_the_key_from_standard_input(world):
    options = ("--lanes", 2, "--target", "xcv5", "--effort", "quick", "--json")
    out, _ = world.run("specialise", "--key-file", "-", "-o", "made", *options, key=KEY.hex())
    assert json.loads(out)["unit"] == "LUT6"
    assert world.holders([KEY], powers=2) == []


def test_a_portfolio_made_resumed_and_broken_off(world, tmp_path):
    keys = [random.Random(number).randbytes((16, 24, 32)[number]) for number in range(3)]
    file = tmp_path / "keys.txt"
    lines = [f"alice {keys[0].hex()}", f"bob {keys[1].hex()}", keys[2].hex()]
    options = (
        "--keys",
        file,
        "-o",
        "made",
        "--target",
        "xcv5",
        "--effort",
        "quick",
        "--workers",
        1,
    )
    file.write_text("\n".join(lines[:2]))
    world.run("specialise", *options)
    file.write_text("\n".join(lines))
    out, _ = world.run("specialise", *options, "--json")
    assert json.loads(out)["made"] == 1
    file.write_text("\n".join([*lines, keys[0].hex()[:-1]]))
    _, said = world.run("specialise", *options, code=1)
    assert "line 4: 31 hex digits" in said
    assert world.holders(keys) == []


def test_a_core(world, tmp_path):
    """Its other leaves go through the cache."""
    (tmp_path / "key.txt").write_text(KEY.hex())
    (tmp_path / "core.toml").write_text(CORE)
    options = ("--core", tmp_path / "core.toml", "--effort", "quick")
    out, _ = world.run("specialise", "--key-file", tmp_path / "key.txt", "-o", "made", *options)
    assert "one key only" in out
    assert any((world.folder / "cache").rglob("*.json"))
    assert world.holders([KEY], powers=2) == []
