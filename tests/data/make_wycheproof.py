# SPDX-License-Identifier: Apache-2.0
"""Write aes_gcm_edge_cases.json: AES-GCM tests of our own in the schema of Project Wycheproof.

    python tests/data/make_wycheproof.py

The tests aim at what hardware gets wrong: lengths around blocks, beats and counters, IVs of every
kind, a 32-bit counter that wraps, ciphertexts of all zeros, tags wrong in one bit. Tags and texts
are `cryptography`'s; the model only solves GHASH for the IVs that lead to a chosen counter block.
The same bytes come out every time.
"""

import json
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

from gcmforge.model import encrypt_block, iv_for_counter, key_expansion
from gcmforge.sim.reference import open_unchecked, seal

OUTPUT = Path(__file__).with_name("aes_gcm_edge_cases.json")

NOTES = {
    "Ktv": "Plain tests of lengths.",
    "LongIv": "The IV is not 96 bits long and goes through GHASH.",
    "CounterWrap": "The 32-bit counter wraps to 0 within or just before the text.",
    "SpecialCounter": "The counter block J_0 is a special value.",
    "SpecialText": "Text, ciphertext or AAD of all zeros or all ones.",
    "SpecialKey": "The key is all zeros or all ones.",
    "ShortTag": "The tag is shorter than 128 bits.",
    "ModifiedTag": "The tag differs from the right one.",
    "ModifiedInput": "Ciphertext, AAD or IV differs from what was sealed, or moved between them.",
    "ZeroLengthIv": "GCM does not allow an empty IV.",
}
KEY_BYTES = (16, 24, 32)
EDGE_LENGTHS = (0, 1, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257)
IV_BYTES = (1, 2, 4, 7, 8, 11, 13, 15, 16, 17, 28, 31, 32, 33, 60, 64, 127, 128, 129, 256, 1024)
SHORT_TAGS = (4, 8, 12, 13, 14, 15)
ONES32 = 2**32 - 1

Test = dict[str, Any]


def sealed(
    comment: str,
    flags: list[str],
    *,
    key: bytes,
    iv: bytes,
    aad: bytes,
    msg: bytes,
    tag_bytes: int = 16,
) -> Test:
    """A valid test."""
    ct, tag = seal(key, iv, msg, aad)
    return {
        "comment": comment,
        "flags": flags,
        "key": key,
        "iv": iv,
        "aad": aad,
        "msg": msg,
        "ct": ct,
        "tag": tag[:tag_bytes],
        "result": "valid",
    }


def broken(test: Test, comment: str, flag: str, **changes: bytes) -> Test:
    """The same test with something changed, so that it must be rejected."""
    return {**test, "comment": comment, "flags": [flag], **changes, "result": "invalid"}


def flipped(data: bytes, bit: int) -> bytes:
    """`data` with one bit flipped, bit 0 the first of the first byte."""
    return bytes(b ^ (0x80 >> bit % 8 if i == bit // 8 else 0) for i, b in enumerate(data))


def length_tests(rng: Random) -> Iterator[Test]:
    """Every text edge with some AAD edge and the other way round, for every key size."""
    for key_bytes in KEY_BYTES:
        for i, edge in enumerate(EDGE_LENGTHS):
            other = EDGE_LENGTHS[(5 * i + key_bytes) % len(EDGE_LENGTHS)]
            for aad_bytes, msg_bytes in dict.fromkeys([(edge, other), (0, edge), (edge, 0)]):
                yield sealed(
                    f"{aad_bytes} bytes AAD, {msg_bytes} bytes text",
                    ["Ktv"],
                    key=rng.randbytes(key_bytes),
                    iv=rng.randbytes(12),
                    aad=rng.randbytes(aad_bytes),
                    msg=rng.randbytes(msg_bytes),
                )


def iv_tests(rng: Random) -> Iterator[Test]:
    """IVs of many lengths, and of none."""
    for key_bytes in KEY_BYTES:
        for iv_bytes in IV_BYTES:
            yield sealed(
                f"IV of {iv_bytes} bytes",
                ["LongIv"],
                key=rng.randbytes(key_bytes),
                iv=rng.randbytes(iv_bytes),
                aad=rng.randbytes(rng.choice((0, 13))),
                msg=rng.randbytes(rng.choice((0, 16, 35))),
            )
        fields = {"key": rng.randbytes(key_bytes), "aad": b"aad", "msg": rng.randbytes(20)}
        test = sealed("", [], iv=rng.randbytes(12), **fields)
        yield broken(test, "empty IV", "ZeroLengthIv", iv=b"")


def counter_tests(rng: Random) -> Iterator[Test]:
    """IVs solved for J_0: counters about to wrap, and special counter blocks."""
    for key_bytes in KEY_BYTES:
        key = rng.randbytes(key_bytes)
        h = encrypt_block(key_expansion(key), 0)
        for back in (0, 1, 2, 3, 4, 7, 8):
            j0 = rng.getrandbits(96) << 32 | (ONES32 - back)
            yield sealed(
                f"J_0 ends in {j0 & ONES32:08x}",
                ["CounterWrap", "LongIv"],
                key=key,
                iv=iv_for_counter(h, j0),
                aad=rng.randbytes(20),
                msg=rng.randbytes(16 * 12 + 5),
            )
        for j0 in (0, 1, 1 << 127, 2**128 - 1, 2**128 - 2, ONES32, (2**96 - 1) << 32, 2**31 - 1):
            yield sealed(
                f"J_0 is {j0:032x}",
                ["SpecialCounter", "LongIv"],
                key=key,
                iv=iv_for_counter(h, j0),
                aad=b"",
                msg=rng.randbytes(16 * 5),
            )


def special_tests(rng: Random) -> Iterator[Test]:
    """All zeros and all ones in key, IV, AAD, text and ciphertext."""
    for key_bytes in KEY_BYTES:
        for fill in (b"\0", b"\xff"):
            name = f"all {'zeros' if fill == bytes(1) else 'ones'}"
            key, iv = rng.randbytes(key_bytes), rng.randbytes(12)
            yield sealed(
                f"key, IV, AAD and text {name}",
                ["SpecialKey", "SpecialText"],
                key=fill * key_bytes,
                iv=fill * 12,
                aad=fill * 16,
                msg=fill * 48,
            )
            for text_bytes in (16, 64, 75):
                yield sealed(
                    f"ciphertext {name}, {text_bytes} bytes",
                    ["SpecialText"],
                    key=key,
                    iv=iv,
                    aad=b"",
                    msg=open_unchecked(key, iv, fill * text_bytes),
                )
            yield sealed(
                f"AAD {name}", ["SpecialText"], key=key, iv=iv, aad=fill * 40, msg=bytes(7)
            )


def tag_tests(rng: Random, tag_bytes: int) -> Iterator[Test]:
    """One right tag and many wrong ones of a length."""
    for key_bytes in KEY_BYTES:
        test = sealed(
            f"tag of {tag_bytes} bytes",
            ["ShortTag" if tag_bytes < 16 else "Ktv"],
            key=rng.randbytes(key_bytes),
            iv=rng.randbytes(12),
            aad=rng.randbytes(18),
            msg=rng.randbytes(37),
            tag_bytes=tag_bytes,
        )
        yield test
        tag: bytes = test["tag"]
        for bit in sorted({0, 1, 7, 8, 31, tag_bytes * 8 - 8, tag_bytes * 8 - 1}):
            comment = f"bit {bit} of the tag flipped"
            yield broken(test, comment, "ModifiedTag", tag=flipped(tag, bit))
        for comment, wrong in {
            "tag all zeros": bytes(tag_bytes),
            "tag all ones": b"\xff" * tag_bytes,
            "every bit of the tag flipped": bytes(b ^ 0xFF for b in tag),
            "tag rotated by one byte": tag[1:] + tag[:1],
        }.items():
            yield broken(test, comment, "ModifiedTag", tag=wrong)
        if tag_bytes == 16:
            yield from input_tests(test)


def input_tests(test: Test) -> Iterator[Test]:
    """Wrong ciphertext, AAD or IV under a right tag."""
    aad, ct = test["aad"], test["ct"]
    for name in ("ct", "aad", "iv"):
        for bit in (0, len(test[name]) * 8 - 1):
            changed = flipped(test[name], bit)
            yield broken(test, f"bit {bit} of {name} flipped", "ModifiedInput", **{name: changed})
    for comment, changes in {
        "one ciphertext byte less": {"ct": ct[:-1]},
        "one zero byte more of ciphertext": {"ct": ct + b"\0"},
        "one zero byte more of AAD": {"aad": aad + b"\0"},
        "first ciphertext byte moved to the AAD": {"aad": aad + ct[:1], "ct": ct[1:]},
        "ciphertext and AAD swapped": {"aad": ct, "ct": aad},
    }.items():
        yield broken(test, comment, "ModifiedInput", **changes)


def all_tests() -> list[Test]:
    """Every test, in a fixed order."""
    rng = Random(0x6763_6D66)
    tests = [*length_tests(rng), *iv_tests(rng), *counter_tests(rng), *special_tests(rng)]
    for tag_bytes in (16, *SHORT_TAGS):
        tests += tag_tests(rng, tag_bytes)
    return tests


def document() -> dict[str, Any]:
    """The file as JSON data: tests grouped by their three sizes, numbered through."""
    groups: dict[tuple[int, int, int], list[Test]] = {}
    for test in all_tests():
        sizes = (len(test["iv"]) * 8, len(test["key"]) * 8, len(test["tag"]) * 8)
        groups.setdefault(sizes, []).append(test)
    numbered, numbers = [], count(1)
    for (iv_bits, key_bits, tag_bits), tests in sorted(groups.items()):
        rows = []
        for test in tests:
            texts = {k: v.hex() if isinstance(v, bytes) else v for k, v in test.items()}
            rows.append({"tcId": next(numbers), **texts})
        sizes = {"ivSize": iv_bits, "keySize": key_bits, "tagSize": tag_bits}
        numbered.append({"type": "AeadTest", **sizes, "tests": rows})
    return {
        "algorithm": "AES-GCM",
        "schema": "aead_test_schema_v1.json",
        "numberOfTests": next(numbers) - 1,
        "header": ["Made by make_wycheproof.py; not a file of Project Wycheproof."],
        "notes": {flag: {"description": text} for flag, text in NOTES.items()},
        "testGroups": numbered,
    }


def rendered() -> str:
    """The file's text, one test a line."""
    data = document()
    groups = data.pop("testGroups")
    head = json.dumps(data, indent=1)[:-2]
    parts = []
    for group in groups:
        tests = ",\n".join(json.dumps(test) for test in group.pop("tests"))
        parts.append(f'{json.dumps(group)[:-1]}, "tests": [\n{tests}\n]}}')
    body = ",\n".join(parts)
    return f'{head},\n "testGroups": [\n{body}\n ]\n}}\n'


if __name__ == "__main__":
    OUTPUT.write_text(rendered())
