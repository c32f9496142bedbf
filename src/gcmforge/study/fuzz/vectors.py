# SPDX-License-Identifier: Apache-2.0
"""Files of test vectors that `gcmforge verify --vectors` plays."""

import json
from pathlib import Path
from typing import Any

from gcmforge.config import CoreConfig
from gcmforge.sim.aead import built
from gcmforge.sim.vectors import VectorFileError, parse_vectors, vector_operations
from gcmforge.study.fuzz.mutate import Form
from gcmforge.study.fuzz.reader import Reader
from gcmforge.study.fuzz.trees import json_changed

_CORE = CoreConfig(aes="loop", key_schedule="travelling", ghash="serial", sbox="small", iv="any")
"""It takes every vector that GCM has."""
_OTHERS = (CoreConfig(key_sizes=(128,), iv="96"), CoreConfig(iv="counter", release="verified",
           max_text_bytes=64))  # fmt: skip

_KEY = "feffe9928665731c6d6a8f9467308308"
_TEXT = "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
_HEAD = "[Keylen = 128]\n[IVlen = 96]\n[PTlen = 256]\n[AADlen = 160]\n[Taglen = 128]\n"
_AAD = "feedfacedeadbeeffeedfacedeadbeefabaddad2"


def _record(number: int, *, decrypt: bool, fails: bool = False, iv: str = "cafebabefacedbaddecaf888"
            ) -> str:  # fmt: skip
    fields = {"IV": iv, "PT": _TEXT, "AAD": _AAD, "CT": _TEXT, "Tag": _KEY}
    order = ("IV", "CT", "AAD", "Tag", "PT") if decrypt else ("IV", "PT", "AAD", "CT", "Tag")
    lines = [f"{name} = {fields[name]}" for name in order if not (fails and name == "PT")]
    return "\n".join([f"Count = {number}", f"Key = {_KEY}", *lines, *["FAIL"] * fails, "", ""])


_RSP = (
    f"# CAVS 14.0\n\n{_HEAD}\n{_record(0, decrypt=False)}{_record(1, decrypt=False)}".encode(),
    f"{_HEAD}\n{_record(0, decrypt=True)}{_record(1, decrypt=True, fails=True)}".encode(),
    b"[Keylen = 256]\n[IVlen = 8]\n[PTlen = 0]\n[AADlen = 0]\n[Taglen = 32]\n\nCount = 0\nKey = "
    + _KEY.encode() * 2 + b"\nIV = 0b\nPT = \nAAD = \nCT = \nTag = 00112233\n",
)  # fmt: skip


def _test(number: int, result: str, **more: Any) -> dict[str, Any]:
    return {
        "tcId": number, "comment": "a test", "flags": ["Ktv"], "key": _KEY,
        "iv": "cafebabefacedbaddecaf888", "aad": _AAD, "msg": _TEXT, "ct": _TEXT, "tag": _KEY,
        "result": result, **more,
    }  # fmt: skip


_GROUP = {"ivSize": 96, "keySize": 128, "tagSize": 128, "type": "AeadTest"}
_JSON = json.dumps(
    {
        "algorithm": "AES-GCM", "schema": "aead_test_schema_v1.json", "numberOfTests": 4,
        "testGroups": [
            {**_GROUP, "tests": [_test(1, "valid"), _test(2, "invalid"), _test(3, "acceptable")]},
            {**_GROUP, "ivSize": 8, "tests": [_test(4, "acceptable", iv="0b")]},
        ],
    },
    indent=1,
).encode()  # fmt: skip


def readers() -> tuple[Reader, ...]:
    return (
        Reader(
            name="rsp", file="vectors.rsp", samples=_RSP, read=_operations,
            refusals=(VectorFileError, OSError), command=_verify, whole=_verify,
            form=Form(
                words=("Count", "Key", "IV", "PT", "AAD", "CT", "Tag", "FAIL", "Keylen", "IVlen",
                       "PTlen", "AADlen", "Taglen", _KEY, "[Keylen = 256]", "Count = 1"),
                nests=(("[", "]"), ("Count = 0\n", ""), ("00", ""), ("#", "\n")),
            ),
        ),
        Reader(
            name="wycheproof", file="vectors.json", samples=(_JSON,), read=_operations,
            refusals=(VectorFileError, OSError), command=_verify, whole=_verify,
            form=Form(
                words=("algorithm", "AES-GCM", "testGroups", "tests", "tcId", "key", "iv", "aad",
                       "msg", "ct", "tag", "result", "valid", "invalid", "acceptable", "comment",
                       "keySize", "ivSize", "tagSize", "numberOfTests", "128", _KEY),
                nests=(("[", "]"), ('{"a":', "}"), ("00", "")), change=json_changed,
            ),
        ),
    )  # fmt: skip


def _operations(path: Path) -> None:
    vectors = list(parse_vectors(path))
    for core in (_CORE, *_OTHERS):
        vector_operations(vectors, core)


def _verify(path: Path) -> list[str]:
    return ["verify", str(built(_CORE)), "--vectors", str(path), "--seed", "1"]
