# SPDX-License-Identifier: Apache-2.0
"""Protected records of RFC 8448, section 3, "Simple 1-RTT Handshake", TLS_AES_128_GCM_SHA256.

A test opens each of them with the `cryptography` package and the traffic keys that the RFC prints.
"""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Record:
    """One record as sent, and what is in it: TLSInnerPlaintext, its content type last."""

    name: str
    key: bytes
    iv: bytes
    sequence: int
    sealed: bytes
    inner: bytes

    @property
    def header(self) -> bytes:
        """The five bytes that are the AAD."""
        return self.sealed[:5]


_CLIENT = ("17422dda596ed5d9acd890e3c63f5051", "5b78923dee08579033e523d9")
_SERVER = ("9f02283b6c9c07efc26bb9f2ac92e356", "cf782b88dd83549aadf1e984")
_DATA = bytes(range(0x32)) + b"\x17"
_CLOSE = b"\x01\x00\x15"


def _record(name: str, keys: tuple[str, str], sequence: int, inner: bytes, sealed: str) -> Record:
    key, iv = map(bytes.fromhex, keys)
    return Record(
        name=name, key=key, iv=iv, sequence=sequence, inner=inner, sealed=bytes.fromhex(sealed)
    )


RECORDS = (
    _record(
        "client application data", _CLIENT, 0, _DATA,
        "1703030043a23f7054b62c94d0affafe8228ba55cbefacea42f914aa66bcab3f2b9819a8a5b46b395bd54a9a20"
        "441e2b62974e1f5a6292a2977014bd1e3deae63aeebb21694915e4",
    ),
    _record(
        "server application data", _SERVER, 1, _DATA,
        "17030300432e937e11ef4ac740e538ad36005fc4a46932fc3225d05f82aa1b36e30efaf97d90e6dffc602dcb50"
        "1a59a8fcc49c4bf2e5f0a21c0047c2abf332540dd032e167c2955d",
    ),
    _record(
        "client alert", _CLIENT, 1, _CLOSE, "1703030013c9872760655666b74d7ff1153efd6db6d0b0e3"
    ),
    _record(
        "server alert", _SERVER, 2, _CLOSE, "1703030013b58fd67166ebf599d24720cfbe7efa7a8864a9"
    ),
)  # fmt: skip
