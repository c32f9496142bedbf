# SPDX-License-Identifier: Apache-2.0
"""Vector files become the right vectors, and the right operations for a core."""

import importlib.util
import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import cryptography_vectors
import pytest

from gcmforge import model
from gcmforge.sim import reference
from gcmforge.sim.operations import LoadKey, Packet, Status, packets_of
from gcmforge.sim.vectors import (
    Vector,
    VectorFileError,
    parse_rsp,
    parse_vectors,
    parse_wycheproof,
    vector_operations,
)

NIST = Path(cryptography_vectors.__file__).parent / "ciphers/AES/GCM"
DATA = Path(__file__).parents[1] / "data"
EDGE_CASES = DATA / "aes_gcm_edge_cases.json"


@dataclass(frozen=True, kw_only=True, slots=True)
class Core:
    """A core's abilities, without a core."""

    lanes: int = 1
    key_sizes: tuple[int, ...] = (128, 192, 256)
    contexts: int = 4
    iv: str = "any"
    max_text_bytes: int = 2**36 - 32
    max_aad_bytes: int = 2**32 - 1
    length_first: bool = False
    own_key_unit: bool = False
    key_load_cycles: int = 169
    direction: str = "both"


@pytest.fixture(scope="module")
def nist() -> list[Vector]:
    return [vector for path in sorted(NIST.glob("*.rsp")) for vector in parse_vectors(path)]


@pytest.fixture(scope="module")
def edge_cases() -> list[Vector]:
    return list(parse_wycheproof(EDGE_CASES))


def make_wycheproof() -> ModuleType:
    path = DATA / "make_wycheproof.py"
    spec = importlib.util.spec_from_file_location("make_wycheproof", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def right_answer(vector: Vector) -> tuple[bytes, bytes | None, bool]:
    """Text, tag and success as `cryptography` has them."""
    expected = reference.answer(
        key=vector.key,
        decrypt=vector.decrypt,
        iv=vector.iv,
        aad=vector.aad,
        text=vector.text,
        tag=vector.tag,
        tag_bytes=len(vector.tag),
    )
    return expected.text, expected.tag, expected.status is Status.OK


# NIST ------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_every_nist_vector_is_read_and_agrees_with_cryptography(nist: list[Vector]) -> None:
    assert len(nist) == 47_250
    assert Counter(v.decrypt for v in nist) == {True: 23_625, False: 23_625}
    assert Counter(len(v.iv) for v in nist) == {1: 15_750, 12: 15_750, 128: 15_750}
    failures = [v for v in nist if v.valid is False]
    assert len(failures) == sum(p.read_text().count("\nFAIL") for p in NIST.glob("*.rsp"))
    for vector in nist:
        text, tag, good = right_answer(vector)
        assert good is vector.valid, vector.label
        if vector.valid:
            assert text == vector.result, vector.label
            assert vector.decrypt or tag == vector.tag, vector.label


def test_the_second_record_of_a_file_field_by_field() -> None:
    vector = list(parse_rsp(NIST / "gcmDecrypt128.rsp"))[1]
    assert vector == Vector(
        label="gcmDecrypt128.rsp:21 Count 1",
        decrypt=True,
        key=bytes.fromhex("a49a5e26a2f8cb63d05546c2a62f5343"),
        iv=bytes.fromhex("907763b19b9b4ab6bd4f0281"),
        aad=b"",
        text=b"",
        result=None,
        tag=bytes.fromhex("a2be08210d8c470a8df6e8fbd79ec5cf"),
        valid=False,
    )


@pytest.mark.slow
def test_a_full_core_skips_no_nist_vector(nist: list[Vector]) -> None:
    made = vector_operations(nist, Core())
    assert (made.packets, made.skipped) == (47_250, {})
    packets = packets_of(made.operations)
    assert [p.label for p in packets] == [v.label for v in nist]
    assert Counter(p.expect.status for p in packets) == {
        Status.OK: 47_250 - 11_908,
        Status.AUTH_FAIL: 11_908,
    }


def test_what_a_small_core_cannot_take_is_counted_by_reason(nist: list[Vector]) -> None:
    made = vector_operations(nist, Core(key_sizes=(128, 256), iv="96", contexts=1))
    assert made.packets == len(packets_of(made.operations)) == 10_500
    assert made.skipped == {
        "AES-192 not built": 15_750,
        "IV is not 96 bits and the core is built for 96-bit IVs": 21_000,
    }


@pytest.mark.slow
def test_a_sample_is_spread_evenly_over_the_vectors_that_a_core_can_take(
    nist: list[Vector],
) -> None:
    core = Core(key_sizes=(128,))
    labels = [p.label for p in packets_of(vector_operations(nist, core).operations)]
    made = vector_operations(nist, core, sample=1_000)
    step = len(labels) / 1_000
    assert (made.packets, made.skipped) == (
        1_000,
        {"AES-192 not built": 15_750, "AES-256 not built": 15_750},
    )
    assert [p.label for p in packets_of(made.operations)] == [
        labels[int(step * i)] for i in range(1_000)
    ]
    assert vector_operations(nist[:5], core, sample=9).packets == len(labels[:5])


# Operations ------------------------------------------------------------------------------------


def vector(**changes: object) -> Vector:
    fields = {
        "label": "one",
        "decrypt": False,
        "key": bytes(16),
        "iv": bytes(12),
        "aad": b"",
        "text": b"",
        "result": b"",
        "tag": bytes(16),
        "valid": True,
    }
    return Vector(**{**fields, **changes})  # type: ignore[arg-type]


def test_vectors_rotate_over_contexts_and_reload_only_other_keys() -> None:
    a, b = bytes(16), bytes(range(16))
    made = vector_operations([vector(key=k) for k in (a, a, a, b, a)], Core(contexts=2))
    kinds = [(type(op), op.context, getattr(op, "key", None)) for op in made.operations]
    assert kinds == [
        (LoadKey, 0, a),
        (Packet, 0, None),
        (LoadKey, 1, a),
        (Packet, 1, None),
        (Packet, 0, None),
        (LoadKey, 1, b),
        (Packet, 1, None),
        (Packet, 0, None),
    ]


def test_a_failing_decryption_releases_its_text_before_the_tag_is_known() -> None:
    key, iv, text = bytes(16), bytes(12), b"some plaintext, released"
    ciphertext, _ = model.encrypt(key, iv, text)
    bad = vector(decrypt=True, text=ciphertext, result=None, tag=bytes(4), valid=False)
    (packet,) = packets_of(vector_operations([bad], Core()).operations)
    assert packet.tag == bytes(4) and packet.tag_bytes == 4
    assert packet.expect.text == text
    assert (packet.expect.tag, packet.expect.status) == (None, Status.AUTH_FAIL)


@pytest.mark.parametrize("iv", ["any", "96"])
def test_an_empty_iv_is_asked_and_expected_to_be_refused(iv: str) -> None:
    bad = vector(decrypt=True, iv=b"", text=b"abc", result=None, valid=False)
    (packet,) = packets_of(vector_operations([bad], Core(iv=iv)).operations)
    assert packet.expect.status is Status.BAD_IV
    assert (packet.expect.text, packet.expect.tag) == (bytes(3), None)


def test_sections_beyond_a_cores_limits_are_skipped_with_a_reason() -> None:
    long = [vector(text=bytes(33), result=bytes(33)), vector(aad=bytes(17)), vector()]
    made = vector_operations(long, Core(max_text_bytes=32, max_aad_bytes=16))
    assert made.packets == 1
    assert made.skipped == {
        "text is longer than the core's limit of 32 bytes": 1,
        "AAD is longer than the core's limit of 16 bytes": 1,
    }


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"key": bytes(8)}, "a key of 64 bits is no AES key"),
        ({"tag": bytes(6)}, "a tag of 48 bits is none of GCM's"),
        ({"iv": bytes(65_536)}, "IV is longer than the 65535 bytes that a command can carry"),
    ],
)
def test_what_no_core_takes_is_skipped_with_a_reason(
    changes: dict[str, bytes], reason: str
) -> None:
    made = vector_operations([vector(**changes)], Core())
    assert (made.operations, made.skipped) == ((), {reason: 1})


# Wycheproof schema -----------------------------------------------------------------------------


def test_the_committed_edge_cases_are_what_their_generator_writes() -> None:
    assert make_wycheproof().rendered() == EDGE_CASES.read_text()


@pytest.mark.slow
def test_every_edge_case_agrees_with_the_model(edge_cases: list[Vector]) -> None:
    """Their tags are `cryptography`'s; the model is the second opinion."""
    assert len(edge_cases) > 800
    for case in edge_cases:
        if not case.iv:
            assert case.valid is False
        elif case.decrypt:
            got = model.decrypt(case.key, case.iv, case.text, case.aad, tag=case.tag)
            assert got == case.result, case.label
        else:
            got_both = model.encrypt(
                case.key, case.iv, case.text, case.aad, tag_bytes=len(case.tag)
            )
            assert got_both == (case.result, case.tag), case.label


def test_the_edge_cases_reach_what_they_are_for(edge_cases: list[Vector]) -> None:
    assert {len(c.tag) for c in edge_cases} == set(model.TAG_BYTES)
    assert {len(c.key) for c in edge_cases} == {16, 24, 32}
    assert {0, 1, 8, 12, 16, 1024} <= {len(c.iv) for c in edge_cases}
    wrapping = 0
    for case in edge_cases:
        if len(case.iv) == 16 and len(case.text) > 64:
            h = model.encrypt_block(model.key_expansion(case.key), 0)
            last_word = model.initial_counter(h, case.iv) % 2**32
            wrapping += last_word + len(case.text) // 16 >= 2**32
    assert wrapping >= 42
    made = vector_operations(edge_cases, Core())
    assert made.skipped == {}
    statuses = Counter(p.expect.status for p in packets_of(made.operations))
    assert statuses[Status.BAD_IV] == 3
    assert statuses[Status.AUTH_FAIL] > 200


def wycheproof(**changes: object) -> dict[str, object]:
    ciphertext, tag = model.encrypt(bytes(16), bytes(12), b"message", b"aad", tag_bytes=12)
    test = {
        "tcId": 7,
        "comment": "note",
        "flags": [],
        "key": bytes(16).hex(),
        "iv": bytes(12).hex(),
        "aad": b"aad".hex(),
        "msg": b"message".hex(),
        "ct": ciphertext.hex(),
        "tag": tag.hex(),
        "result": "valid",
    }
    group = {"ivSize": 96, "keySize": 128, "tagSize": 96, "tests": [{**test, **changes}]}
    return {"algorithm": "AES-GCM", "numberOfTests": 1, "testGroups": [group]}


def written(path: Path, document: object) -> Path:
    path.write_text(json.dumps(document, indent=1))
    return path


def test_a_valid_test_is_asked_in_both_directions(tmp_path: Path) -> None:
    both = list(parse_wycheproof(written(tmp_path / "w.json", wycheproof())))
    assert [(v.label, v.decrypt, v.valid) for v in both] == [
        ("w.json tcId 7 (note) encrypt", False, True),
        ("w.json tcId 7 (note) decrypt", True, True),
    ]
    assert both[0].text == both[1].result == b"message"
    assert both[1].text == both[0].result


@pytest.mark.parametrize(
    ("tag", "status"), [(None, Status.OK), (bytes(12).hex(), Status.AUTH_FAIL)]
)
def test_gcm_itself_decides_an_acceptable_test(
    tmp_path: Path, tag: str | None, status: Status
) -> None:
    changes = {"result": "acceptable"} | ({"tag": tag} if tag else {})
    (only,) = parse_vectors(written(tmp_path / "w.json", wycheproof(**changes)))
    (packet,) = packets_of(vector_operations([only], Core()).operations)
    assert packet.decrypt and packet.expect.status is status
    assert packet.expect.text == b"message"


# Malformed files -------------------------------------------------------------------------------

GOOD_RSP = """[Keylen = 128]
[IVlen = 96]
[PTlen = 8]
[AADlen = 0]
[Taglen = 32]

Count = 0
Key = 11754cd72aec309bf52f7687212e8957
IV = 3c819d9a9bed087615030b65
PT = ab
AAD =
CT = cd
Tag = 250327c6
"""


def test_a_good_file_of_one_record_is_read(tmp_path: Path) -> None:
    (tmp_path / "v.rsp").write_text(GOOD_RSP)
    (only,) = parse_vectors(tmp_path / "v.rsp")
    assert (only.text, only.result, only.aad, only.decrypt) == (b"\xab", b"\xcd", b"", False)


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("PT = ab", "PT = abx", 10, "PT: 'abx' is not hex for whole bytes"),
        ("PT = ab", "PT = abcd", 10, r"PT has 16 bits, but \[PTlen = 8\]"),
        ("[IVlen = 96]", "[IVlen = 64]", 9, r"IV has 96 bits, but \[IVlen = 64\]"),
        ("Tag = 250327c6\n", "", 7, "a record of Count, Key, IV, PT, AAD, CT: expected Count"),
        ("CT = cd", "PT = cd", 12, "PT stands twice in one record"),
        ("CT = cd", "what is this", 12, "'what is this' is no field of a GCM vector"),
        ("Count = 0\n", "", 7, "outside a record: expected 'Count = N'"),
        ("Tag = 250327c6", "Tag = 250327c6\nFAIL", 7, "AAD, CT, Tag and FAIL: expected Count"),
        ("[PTlen = 8]", f"[PTlen = {'9' * 5000}]", 3, "outside a record"),
        (GOOD_RSP, "# nothing\n", 1, "no vectors in this file"),
    ],
)
def test_a_malformed_rsp_file_is_refused_with_its_line(
    tmp_path: Path, old: str, new: str, line: int, message: str
) -> None:
    path = tmp_path / "bad.rsp"
    assert old in GOOD_RSP
    path.write_text(GOOD_RSP.replace(old, new))
    with pytest.raises(VectorFileError, match=rf"bad\.rsp:{line}: .*{message}"):
        list(parse_vectors(path))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"key": "0"}, "tcId 7: key: '0' is not hex"),
        ({"msg": 5}, "tcId 7: no string 'msg'"),
        ({"result": "maybe"}, "tcId 7: result 'maybe' is none of valid, invalid, acceptable"),
        ({"result": []}, r"tcId 7: result \[\] is none of"),
        ({"result": "x" * 5000}, r"tcId 7: result 'x{79}\.\.\. is none of"),
        ({"iv": "00"}, "tcId 7: iv has 8 bits, but its group's ivSize is 96"),
    ],
)
def test_a_malformed_wycheproof_test_is_refused_with_its_line(
    tmp_path: Path, changes: dict[str, object], message: str
) -> None:
    path = written(tmp_path / "bad.json", wycheproof(**changes))
    line = next(i for i, text in enumerate(path.read_text().splitlines(), 1) if "tcId" in text)
    with pytest.raises(VectorFileError, match=rf"bad\.json:{line}: {message}"):
        list(parse_vectors(path))


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ('{\n "testGroups": [,]}', 2, "not JSON: "),
        ("[]", 1, "no list 'testGroups'"),
        ("[" * 50_000, 1, "not JSON: nested too deeply"),
        ("9" * 5000, 1, "not JSON: a number of too many digits"),
        (
            '{"algorithm": "AES-GCM", "testGroups": [{"tests": [{"tcId": %s}]}]}' % ("9" * 4000),
            1,
            "without a number 'tcId'",
        ),
        (
            '{"algorithm": "AES-GCM", "testGroups": [],\n"numberOfTests": "\\u001b%s"}'
            % ("x" * 999),
            2,
            r"numberOfTests is \\x1bx{79}\.\.\., found 0$",
        ),
        ('{"testGroups": [],\n "algorithm": "AES-CCM"}', 2, "algorithm is 'AES-CCM'"),
        ('{"testGroups": [5], "algorithm": "AES-GCM"}', 1, "a group without list 'tests'"),
        ('{"algorithm": "AES-GCM", "testGroups": [{"tests": [{}]}]}', 1, "without a number 'tcId'"),
        ('{"algorithm": "AES-GCM", "testGroups": []}', 1, "no vectors in this file"),
        (
            '{"algorithm": "AES-GCM", "testGroups": [],\n"numberOfTests": 3}',
            2,
            "numberOfTests is 3, found 0",
        ),
    ],
)
def test_a_malformed_wycheproof_file_is_refused_with_its_line(
    tmp_path: Path, text: str, line: int, message: str
) -> None:
    path = tmp_path / "bad.json"
    path.write_text(text)
    with pytest.raises(VectorFileError, match=rf"bad\.json:{line}: .*{message}"):
        list(parse_vectors(path))


def test_files_of_other_kinds_are_refused(tmp_path: Path) -> None:
    with pytest.raises(VectorFileError, match=r"x\.txt: unknown suffix '\.txt': use NIST \.rsp or"):
        list(parse_vectors(tmp_path / "x.txt"))
    with pytest.raises(VectorFileError, match=rf"{tmp_path}: a folder; name the files in it"):
        list(parse_vectors(tmp_path))
    (tmp_path / "x.rsp").write_bytes(b"# fine\n# \xff\n")
    with pytest.raises(VectorFileError, match=r"x\.rsp:2: not a text file"):
        list(parse_vectors(tmp_path / "x.rsp"))
