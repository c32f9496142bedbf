# SPDX-License-Identifier: Apache-2.0
"""bench/ of a core's folder: its program, and those of the stored vectors that the core takes."""

import json
from functools import cache
from typing import Any

from gcmforge.config import CoreConfig
from gcmforge.emit.rendering import HERE
from gcmforge.model import encrypt_block, ghash, ghash_length_first, key_expansion
from gcmforge.model.gcm import bit_lengths, blocks

_FIRST_IV = bytes(12).hex()


def bench(config: CoreConfig) -> dict[str, str]:
    """bench/: the same program for every core, and the vectors that this core can take."""
    names = ("Makefile", "requirements.txt", "run.py", "test_gcm_axis.py")
    texts = {f"bench/{name}": (HERE / "bench" / name).read_text() for name in names}
    vectors = {"contexts": config.contexts, "vectors": bench_vectors(config)}
    return {**texts, "bench/vectors.json": json.dumps(vectors, indent=1) + "\n"}


def bench_vectors(config: CoreConfig) -> list[dict[str, Any]]:
    """Those of the stored vectors whose direction, key size, IV and lengths the core accepts."""
    other = {"encrypt": True, "decrypt": False}.get(config.direction)
    return [vector for vector in known_vectors(config) if vector["decrypt"] is not other]


def known_vectors(config: CoreConfig) -> list[dict[str, Any]]:
    """The same for both directions, whichever the core has."""
    vectors = [vector for vector in _stored_vectors() if _accepts(config, vector)]
    if config.release_engine.holds:
        vectors = [_withheld(vector) for vector in vectors]
    return [_length_first(vector) for vector in vectors] if config.length_first else vectors


def _withheld(vector: dict[str, Any]) -> dict[str, Any]:
    """A vector for a core that gives no text out of a packet whose status is not OK."""
    return vector | {"expected_text": ""} if vector["expected_status"] else vector


@cache
def _stored_vectors() -> list[dict[str, Any]]:
    vectors: list[dict[str, Any]] = json.loads((HERE / "bench_vectors.json").read_text())
    return vectors


def _length_first(vector: dict[str, Any]) -> dict[str, Any]:
    """A vector of an IV of 96 bits with the tag of Yang 2005, equation (3).

    Both tags have the same mask E(K, J0), so they differ by the difference of the two digests; a
    wrong tag stays as wrong as it was.
    """
    key, aad = bytes.fromhex(vector["key"]), bytes.fromhex(vector["aad"])
    text = bytes.fromhex(vector["text" if vector["decrypt"] else "expected_text"])
    h = encrypt_block(key_expansion(key), 0)
    lengths = bit_lengths(aad, text)
    digest = ghash_length_first(h, blocks(aad), lengths, blocks(text))
    change = digest ^ ghash(h, (*blocks(aad), *blocks(text), lengths))

    def changed(tag: str) -> str:
        bits = 4 * len(tag)
        return f"{int(tag, 16) ^ change >> 128 - bits:0{len(tag)}x}" if tag else ""

    return vector | {
        "source": f"{vector['source']}; but its tag is by Yang 2005, equation (3)",
        "tag": changed(vector["tag"]),
        "expected_tag": changed(vector["expected_tag"]),
    }


def _accepts(config: CoreConfig, vector: dict[str, Any]) -> bool:
    """Lengths are those of hex digits: four bits each. A core that makes the IVs and does nothing
    but encrypt gets packets under the first IV after a key."""
    own_ivs = config.iv == "counter" and config.direction == "encrypt"
    return (
        4 * len(vector["key"]) in config.key_sizes
        and (config.iv_any or len(vector["iv"]) == 24)
        and (vector["iv"] == _FIRST_IV) == own_ivs
        and (config.iv != "counter" or vector["decrypt"] or own_ivs)
        and len(vector["text"]) <= 2 * config.max_text_bytes
        and len(vector["aad"]) <= 2 * config.max_aad_bytes
    )
