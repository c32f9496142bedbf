# SPDX-License-Identifier: Apache-2.0
"""Test vectors from files: NIST CAVP `.rsp` and Wycheproof-schema JSON, turned into operations.

A file becomes a stream of `Vector`; `vector_operations` turns vectors into key loads and packets
for one core, and counts by reason those that the core was not built to take.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gcmforge.config.brief import brief, why_unread
from gcmforge.model import TAG_BYTES
from gcmforge.sim import reference
from gcmforge.sim.directions import takes
from gcmforge.sim.operations import Abilities, Expected, LoadKey, Operation, Packet, Status

MAX_IV_BYTES = 2**16 - 1
"""What `s_cmd_iv_bytes` can count."""


class VectorFileError(ValueError):
    """A vector file that cannot be understood; the message starts with file and line."""

    def __init__(self, path: Path, line: int | None, message: str) -> None:
        place = f"{path}:{line}" if line is not None else f"{path}"
        super().__init__(f"{place}: {message}")


@dataclass(frozen=True, kw_only=True, slots=True)
class Vector:
    """One call of GCM with its answer.

    `text` is what goes in and `result` what comes out; `result` is None when decrypting must fail.
    `tag` comes out when encrypting and goes in when decrypting. `valid` is True or False as the
    file claims, or None where the file allows either ("acceptable") and GCM itself decides.
    """

    label: str
    decrypt: bool
    key: bytes
    iv: bytes
    aad: bytes
    text: bytes
    result: bytes | None
    tag: bytes
    valid: bool | None


def parse_vectors(path: Path) -> Iterator[Vector]:
    """The vectors of a file, its format told by its suffix."""
    parsers = {".rsp": parse_rsp, ".json": parse_wycheproof}
    if path.is_dir():
        raise VectorFileError(path, None, "a folder; name the files in it")
    if path.suffix.lower() not in parsers:
        use = "use NIST .rsp or Wycheproof-schema .json"
        raise VectorFileError(path, None, f"unknown suffix {path.suffix!r}: {use}")
    return parsers[path.suffix.lower()](path)


# NIST CAVP response files ----------------------------------------------------------------------

_RSP_LENGTH = re.compile(r"\[(\w+) = (\d{1,18})\]")
_RSP_FIELD = re.compile(r"(\w+) = ?(.*)")
_RSP_LENGTH_OF = {"Keylen": "Key", "IVlen": "IV", "AADlen": "AAD", "Taglen": "Tag", "PTlen": "PT"}
_RSP_ENCRYPT = ("Count", "Key", "IV", "PT", "AAD", "CT", "Tag")
_RSP_DECRYPT = ("Count", "Key", "IV", "CT", "AAD", "Tag", "PT")


@dataclass(slots=True)
class _RspRecord:
    """One `Count`: its fields in the order in which they stand in the file, and their lines."""

    line: int
    fields: dict[str, str]
    lines: dict[str, int]
    failed: bool = False


def parse_rsp(path: Path) -> Iterator[Vector]:
    """Vectors of a CAVP GCM file, `gcmEncryptExtIV*.rsp` or `gcmDecrypt*.rsp`.

    Results stand last in a record: `CT` and `Tag` make it an encryption, `PT` or `FAIL` a
    decryption. Every length is compared with the `[...len = ...]` that governs it.
    """
    bit_lengths: dict[str, int] = {}
    vectors, record = 0, None
    for number, raw in enumerate([*_read_text(path).splitlines(), ""], start=1):
        line = raw.strip()
        if record is not None and (not line or line.startswith(("Count =", "["))):
            yield _rsp_vector(path, record, bit_lengths)
            vectors, record = vectors + 1, None
        if not line or line.startswith("#"):
            continue
        if match := _RSP_LENGTH.fullmatch(line):
            bit_lengths[match[1]] = int(match[2])
        else:
            record = _rsp_line(path, number, line, record)
    if vectors == 0:
        raise VectorFileError(path, 1, "no vectors in this file")


def _rsp_line(path: Path, number: int, line: str, record: _RspRecord | None) -> _RspRecord:
    """The record with one more line in it; `Count` starts one."""
    match = _RSP_FIELD.fullmatch(line)
    name = match[1] if match else line
    if name == "Count" and match:
        return _RspRecord(number, {"Count": match[2]}, {"Count": number})
    if record is None:
        raise VectorFileError(path, number, f"{line[:40]!r} outside a record: expected 'Count = N'")
    if line == "FAIL":
        record.failed = True
    elif match is None or name not in _RSP_ENCRYPT:
        raise VectorFileError(path, number, f"{line[:40]!r} is no field of a GCM vector")
    elif name in record.fields:
        raise VectorFileError(path, number, f"{name} stands twice in one record")
    else:
        record.fields[name] = match[2].strip()
        record.lines[name] = number
    return record


def _rsp_vector(path: Path, record: _RspRecord, bit_lengths: Mapping[str, int]) -> Vector:
    names = tuple(record.fields)
    decrypt = record.failed or names[-1] == "PT"
    wanted = _RSP_DECRYPT[:-1] if record.failed else _RSP_DECRYPT if decrypt else _RSP_ENCRYPT
    if names != wanted:
        raise VectorFileError(
            path,
            record.line,
            f"a record of {', '.join(names)}{' and FAIL' if record.failed else ''}: "
            f"expected {', '.join(wanted)}",
        )
    data = {
        name: _from_hex(path, record.lines[name], name, record.fields[name]) for name in names[1:]
    }
    _check_rsp_lengths(path, record, data, bit_lengths)
    return Vector(
        label=f"{path.name}:{record.line} Count {record.fields['Count']}",
        decrypt=decrypt,
        key=data["Key"],
        iv=data["IV"],
        aad=data["AAD"],
        text=data["CT" if decrypt else "PT"],
        result=None if record.failed else data["PT" if decrypt else "CT"],
        tag=data["Tag"],
        valid=not record.failed,
    )


def _check_rsp_lengths(
    path: Path, record: _RspRecord, data: Mapping[str, bytes], bit_lengths: Mapping[str, int]
) -> None:
    for header, name in _RSP_LENGTH_OF.items():
        bits = bit_lengths.get(header)
        for field in ("PT", "CT") if name == "PT" else (name,):
            if bits is not None and field in data and len(data[field]) * 8 != bits:
                raise VectorFileError(
                    path,
                    record.lines[field],
                    f"{field} has {len(data[field]) * 8} bits, but [{header} = {bits}]",
                )


# Wycheproof-schema JSON ------------------------------------------------------------------------

_WYCHEPROOF_HEX = ("key", "iv", "aad", "msg", "ct", "tag")
_WYCHEPROOF_RESULTS = {"valid": True, "invalid": False, "acceptable": None}


def parse_wycheproof(path: Path) -> Iterator[Vector]:
    """Vectors of a Wycheproof AEAD file with `"algorithm": "AES-GCM"`.

    A valid test gives two vectors, encryption of `msg` and decryption of `ct`; any other gives
    the decryption only.
    """
    source = _read_text(path)
    document = _wycheproof_document(path, source)
    tests = 0
    for group in document["testGroups"]:
        for test in _wycheproof_tests(path, source, group):
            tests += 1
            yield from _wycheproof_vectors(path, source, group, test)
    claimed = document.get("numberOfTests", tests)
    if claimed != tests:
        line = _line_of(source, "numberOfTests")
        raise VectorFileError(path, line, f"numberOfTests is {brief(claimed)}, found {tests}")
    if tests == 0:
        raise VectorFileError(path, 1, "no vectors in this file")


def _wycheproof_document(path: Path, source: str) -> dict[str, Any]:
    try:
        document = json.loads(source)
    except json.JSONDecodeError as error:
        raise VectorFileError(path, error.lineno, f"not JSON: {error.msg}") from None
    except (ValueError, RecursionError) as error:
        raise VectorFileError(path, 1, f"not JSON: {why_unread(error)}") from None
    if not isinstance(document, dict) or not isinstance(document.get("testGroups"), list):
        raise VectorFileError(path, 1, "not a Wycheproof file: no list 'testGroups'")
    if document.get("algorithm") != "AES-GCM":
        raise VectorFileError(
            path,
            _line_of(source, "algorithm"),
            f"algorithm is {brief(document.get('algorithm'), repr)}, expected 'AES-GCM'",
        )
    return document


def _wycheproof_tests(path: Path, source: str, group: Any) -> list[Any]:
    tests = group.get("tests") if isinstance(group, dict) else None
    if not isinstance(tests, list):
        raise VectorFileError(path, _line_of(source, "testGroups"), "a group without list 'tests'")
    return tests


def _wycheproof_vectors(
    path: Path, source: str, group: Mapping[str, Any], test: Any
) -> Iterator[Vector]:
    number = test.get("tcId") if isinstance(test, dict) else None
    if not isinstance(number, int) or abs(number) >= 10**18:
        raise VectorFileError(path, _line_of(source, "tests"), "a test without a number 'tcId'")
    line = _line_of(source, "tcId", number)
    data = {name: _wycheproof_bytes(path, line, test, name) for name in _WYCHEPROOF_HEX}
    for size, name in (("keySize", "key"), ("ivSize", "iv"), ("tagSize", "tag")):
        if group.get(size, len(data[name]) * 8) != len(data[name]) * 8:
            raise VectorFileError(
                path,
                line,
                f"tcId {number}: {name} has {len(data[name]) * 8} bits, but its group's "
                f"{size} is {brief(group[size])}",
            )
    result = test.get("result")
    if not isinstance(result, str) or result not in _WYCHEPROOF_RESULTS:
        allowed = ", ".join(_WYCHEPROOF_RESULTS)
        said = f"result {brief(result, repr)} is none of {allowed}"
        raise VectorFileError(path, line, f"tcId {number}: {said}")
    valid = _WYCHEPROOF_RESULTS[result]
    label = f"{path.name} tcId {number}"
    if comment := test.get("comment"):
        label += f" ({brief(comment)})"
    if valid:
        yield _wycheproof_vector(f"{label} encrypt", data, decrypt=False, valid=valid)
    yield _wycheproof_vector(f"{label} decrypt", data, decrypt=True, valid=valid)


def _wycheproof_vector(
    label: str, data: Mapping[str, bytes], *, decrypt: bool, valid: bool | None
) -> Vector:
    result = data["msg" if decrypt else "ct"]
    return Vector(
        label=label,
        decrypt=decrypt,
        key=data["key"],
        iv=data["iv"],
        aad=data["aad"],
        text=data["ct" if decrypt else "msg"],
        result=None if valid is False else result,
        tag=data["tag"],
        valid=valid,
    )


def _wycheproof_bytes(path: Path, line: int, test: Mapping[str, Any], name: str) -> bytes:
    value = test.get(name)
    if not isinstance(value, str):
        raise VectorFileError(path, line, f"tcId {test['tcId']}: no string {name!r}")
    return _from_hex(path, line, f"tcId {test['tcId']}: {name}", value)


# Operations ------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, slots=True)
class VectorOperations:
    """What a core is to be asked; `skipped` counts the vectors it cannot take, by reason."""

    operations: tuple[Operation, ...]
    packets: int
    skipped: Mapping[str, int]


def vector_operations(
    vectors: Iterable[Vector], core: Abilities, *, sample: int = 0
) -> VectorOperations:
    """Key loads and packets for `core`, consecutive vectors in consecutive contexts.

    A key that its context already holds is not loaded again. With `sample`, as many of the vectors
    that the core can take, evenly spread over all of them.
    """
    usable: list[Vector] = []
    asked: list[Operation] = []
    skipped: Counter[str] = Counter()
    held: dict[int, bytes] = {}
    for vector in vectors:
        if (reason := why_skipped(vector, core)) is not None:
            skipped[reason] += 1
        else:
            usable.append(vector)
    if 0 < sample < len(usable):
        usable = [usable[i * len(usable) // sample] for i in range(sample)]
    for number, vector in enumerate(usable):
        context = number % core.contexts
        if held.get(context) != vector.key:
            asked.append(LoadKey(context=context, key=vector.key))
            held[context] = vector.key
        asked.append(_packet(vector, context))
    return VectorOperations(operations=tuple(asked), packets=len(usable), skipped=dict(skipped))


def why_skipped(vector: Vector, core: Abilities) -> str | None:
    """Why a core cannot be asked this vector, or None. An empty IV is asked: it must be refused."""
    if core.length_first:
        return "its tag is that of SP 800-38D, the core's are length first"
    key_bits = len(vector.key) * 8
    if key_bits not in (128, 192, 256):
        return f"a key of {key_bits} bits is no AES key"
    if key_bits not in core.key_sizes:
        return f"AES-{key_bits} not built"
    if len(vector.tag) not in TAG_BYTES:
        return f"a tag of {len(vector.tag) * 8} bits is none of GCM's"
    if not takes(core, vector.decrypt):
        return "its direction is not built"
    if core.iv == "counter" and not vector.decrypt:
        return "its IV is given, and the core makes its own"
    if vector.iv and core.iv != "any" and len(vector.iv) != 12:
        return "IV is not 96 bits and the core is built for 96-bit IVs"
    if len(vector.iv) > MAX_IV_BYTES:
        return f"IV is longer than the {MAX_IV_BYTES} bytes that a command can carry"
    if len(vector.text) > core.max_text_bytes:
        return f"text is longer than the core's limit of {core.max_text_bytes} bytes"
    if len(vector.aad) > core.max_aad_bytes:
        return f"AAD is longer than the core's limit of {core.max_aad_bytes} bytes"
    return None


def _packet(vector: Vector, context: int) -> Packet:
    return Packet(
        context=context,
        decrypt=vector.decrypt,
        iv=vector.iv,
        aad=vector.aad,
        text=vector.text,
        tag=vector.tag if vector.decrypt else None,
        tag_bytes=len(vector.tag),
        expect=_expected(vector),
        label=vector.label,
    )


def _expected(vector: Vector) -> Expected:
    """The file's own answer; `cryptography`'s where the file has none.

    That is the text released before a tag is found wrong, and all of an "acceptable" vector.
    """
    if not vector.iv:
        return reference.refusal(vector.text, Status.BAD_IV)
    if vector.valid is None:
        return reference.answer(
            key=vector.key,
            decrypt=vector.decrypt,
            iv=vector.iv,
            aad=vector.aad,
            text=vector.text,
            tag=vector.tag,
            tag_bytes=len(vector.tag),
        )
    if vector.result is None:
        released = reference.open_unchecked(vector.key, vector.iv, vector.text)
        return Expected(text=released, tag=None, status=Status.AUTH_FAIL)
    tag = None if vector.decrypt else vector.tag
    return Expected(text=vector.result, tag=tag, status=Status.OK)


# Reading ---------------------------------------------------------------------------------------


def _read_text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise VectorFileError(path, line, "not a text file (UTF-8)") from None


def _from_hex(path: Path, line: int, name: str, digits: str) -> bytes:
    if len(digits) % 2 or not re.fullmatch(r"[0-9a-fA-F]*", digits):
        raise VectorFileError(path, line, f"{name}: {digits[:40]!r} is not hex for whole bytes")
    return bytes.fromhex(digits)


def _line_of(source: str, name: str, value: int | None = None) -> int:
    """The line of the first `"name"` (with that number as its value), or 1."""
    number = r"" if value is None else rf"{value}\b"
    match = re.search(rf'"{name}"\s*:\s*{number}', source)
    return source.count("\n", 0, match.start()) + 1 if match else 1
