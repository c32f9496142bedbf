# SPDX-License-Identifier: Apache-2.0
"""The C driver of a core with a register block: sw/ of its folder.

Its code is the same for every core but for the prefix of its names; what a core was built with are
constants of its header, and its self-test has those of NIST's vectors that it takes.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from gcmforge.config import CoreConfig
from gcmforge.config.codes import statuses
from gcmforge.emit.bench_vectors import known_vectors
from gcmforge.emit.registers import COUNTERS, MAGIC, RESULT_DEPTH, Register, registers
from gcmforge.emit.rendering import render

_BYTES_A_ROW = 15


def c_prefix(config: CoreConfig) -> str:
    """What every name and file of the driver begins with, macros in capitals."""
    return config.named("gcm")


def driver(config: CoreConfig, *, self_test: bool) -> dict[str, str]:
    """sw/: the driver, and its self-test where the core takes NIST's vectors."""
    prefix = c_prefix(config)
    vectors = tuple(_known(config)) if self_test else ()
    named = {register.name: register for register in registers(config)}
    bus = config.bus
    values = {
        "p": prefix,
        "P": prefix.upper(),
        "config": config,
        "beat_bytes": (bus.bits if bus else config.data_bits) // 8,
        "statuses": statuses(config),
        "erases": config.zeroise == "on",
        "built_with": _reset_value(named["CONFIG"]),
        "causes": tuple(_causes(named["IRQ_ENABLE"])),
        "counters": COUNTERS,
        "magic": MAGIC,
        "result_depth": RESULT_DEPTH,
        "vectors": len(vectors),
    }
    files = {
        f"sw/{prefix}.h": render("driver.h.j2", **values),
        f"sw/{prefix}.c": render("driver.c.j2", **values),
    }
    if vectors:
        values |= {"vectors": vectors, "most_text": max(one.text_bytes for one in vectors)}
        files[f"sw/{prefix}_self_test.c"] = render("driver_self_test.c.j2", **values)
    return files


def _reset_value(register: Register) -> int:
    return sum((field.reset or 0) << field.low for field in register.fields)


def _causes(register: Register) -> Iterator[tuple[str, int, str]]:
    """Name, bit and meaning of each cause of an interrupt."""
    names = {"result": "ANSWER", "failed": "FAILURE"}
    for field in register.fields:
        yield names[field.name], field.mask, field.meaning


# Known answers ------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, slots=True)
class Known:
    """One packet of the self-test, its bytes as rows of C."""

    source: str
    arrays: tuple[tuple[str, tuple[str, ...]], ...]
    key: str
    iv: str
    aad: str
    text: str
    sealed: str
    text_bytes: int
    tag_bytes: str


def _known(config: CoreConfig) -> Iterator[Known]:
    """For each key size the longest packet with an IV of 12 bytes, and with a longer IV if any."""
    vectors = [
        vector for vector in known_vectors(config)
        if vector["source"].startswith("NIST") and not vector["decrypt"] and vector["text"]
    ]  # fmt: skip
    number = 0
    for bits in config.key_sizes:
        own = [vector for vector in vectors if 4 * len(vector["key"]) == bits]
        for kind in (
            [vector for vector in own if len(vector["iv"]) == 24],
            [vector for vector in own if len(vector["iv"]) > 32],
        ):
            if kind:
                longest = max(kind, key=lambda one: (len(one["text"]), len(one["aad"])))
                yield _in_c(longest, number)
                number += 1


def _in_c(vector: dict[str, Any], number: int) -> Known:
    parts = {
        "key": vector["key"],
        "iv": vector["iv"],
        "aad": vector["aad"],
        "text": vector["text"],
        "sealed": vector["expected_text"] + vector["expected_tag"],
    }
    there = {name: f"{name}_{number}" for name, text in parts.items() if text}
    words = {
        name: f"{there[name]}, {len(text) // 2}" if text else "NULL, 0"
        for name, text in parts.items()
    }
    return Known(
        source=vector["source"],
        arrays=tuple((there[name], tuple(_rows(parts[name]))) for name in there),
        key=words["key"],
        iv=words["iv"],
        aad=words["aad"],
        text=words["text"],
        sealed=there["sealed"],
        text_bytes=len(vector["text"]) // 2,
        tag_bytes=str(vector["tag_bytes"]),
    )


def _rows(text: str) -> Iterable[str]:
    data = bytes.fromhex(text)
    for at in range(0, len(data), _BYTES_A_ROW):
        yield " ".join(f"0x{byte:02x}," for byte in data[at : at + _BYTES_A_ROW])
