# SPDX-License-Identifier: Apache-2.0
"""Write src/gcmforge/emit/bench_vectors.json: the vectors that go into the bench of a core.

Ten for each key size are taken from NIST's CAVP files (package cryptography-vectors), two longer
ones are computed with `cryptography`, and two with an IV of zeros: the first that a core makes.
What leaves a core before a wrong tag is known is computed with AES-CTR.
Run: python tests/emit/make_bench_vectors.py
"""

import json
import random
import re
from importlib.resources import files
from pathlib import Path

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

TARGET = Path(__file__).parents[2] / "src/gcmforge/emit/bench_vectors.json"
AUTH_FAIL = 1

# (file, IV, text, AAD and tag length in bits, whether NIST says that decrypting fails)
NIST = [
    ("EncryptExtIV", 96, 0, 0, 128, False),
    ("EncryptExtIV", 96, 0, 160, 96, False),
    ("EncryptExtIV", 96, 128, 0, 128, False),
    ("EncryptExtIV", 96, 408, 720, 128, False),
    ("EncryptExtIV", 96, 104, 384, 32, False),
    ("EncryptExtIV", 8, 256, 128, 128, False),
    ("EncryptExtIV", 1024, 408, 160, 104, False),
    ("Decrypt", 96, 408, 384, 128, False),
    ("Decrypt", 96, 256, 0, 64, False),
    ("Decrypt", 96, 128, 128, 128, True),
]


def nist(name, lengths, fails):
    """The first entry of that file under those lengths that fails, or does not."""
    folder = files("cryptography_vectors") / "ciphers/AES/GCM"
    text = (folder / f"gcm{name}.rsp").read_text()
    header = "".join(
        rf"\[{field} = {bits}\]\s+"
        for field, bits in zip(("IVlen", "PTlen", "AADlen", "Taglen"), lengths, strict=True)
    )
    entries = re.split(header, text)[1].split("[Keylen")[0].split("[IVlen")[0].split("\n\n")
    for entry in entries:
        fields = dict(re.findall(r"(\w+) = ?(\w*)", entry))
        if "Key" in fields and ("FAIL" in entry) == fails:
            return fields
    raise LookupError(f"{name} {lengths} {fails}")


def ctr(key, iv, text):
    """What GCM does to the text, for a 96-bit IV."""
    counter = iv + bytes([0, 0, 0, 2])
    return Cipher(algorithms.AES(key), modes.CTR(counter)).encryptor().update(text)


def nist_vector(size, name, iv, text, aad, tag, fails):
    fields = nist(f"{name}{size}", (iv, text, aad, tag), fails)
    decrypt = name == "Decrypt"
    given, made = ("CT", "PT") if decrypt else ("PT", "CT")
    key, iv_bytes = bytes.fromhex(fields["Key"]), bytes.fromhex(fields["IV"])
    if fails:
        fields[made] = ctr(key, iv_bytes, bytes.fromhex(fields[given])).hex()
    return {
        "source": f"NIST CAVP gcm{name}{size}.rsp, IVlen {iv}, PTlen {text}, AADlen {aad}, "
        f"Taglen {tag}, Count {fields['Count']}",
        "decrypt": decrypt,
        "key": fields["Key"],
        "iv": fields["IV"],
        "aad": fields["AAD"],
        "text": fields[given],
        "tag_bytes": tag // 8,
        "tag": fields["Tag"] if decrypt else "",
        "expected_text": fields[made],
        "expected_tag": "" if decrypt else fields["Tag"],
        "expected_status": AUTH_FAIL if fails else 0,
    }


def long_vector(size, rng, decrypt):
    """1000 bytes of text under 300 of AAD; when decrypting, with one bit of the tag wrong."""
    key, iv, aad, plain = (rng.randbytes(n) for n in (size // 8, 12, 300, 1000))
    sealed = AESGCM(key).encrypt(iv, plain, aad)
    cipher, tag = sealed[:-16], sealed[-16:]
    forged = bytes([tag[0] ^ 0x10]) + tag[1:]
    return {
        "source": "computed with the Python package cryptography"
        + (", one bit of the tag changed" if decrypt else ""),
        "decrypt": decrypt,
        "key": key.hex(),
        "iv": iv.hex(),
        "aad": aad.hex(),
        "text": (cipher if decrypt else plain).hex(),
        "tag_bytes": 16,
        "tag": forged.hex() if decrypt else "",
        "expected_text": (plain if decrypt else cipher).hex(),
        "expected_tag": "" if decrypt else tag.hex(),
        "expected_status": AUTH_FAIL if decrypt else 0,
    }


def first_iv_vector(size, rng, text_bytes):
    """A packet under the first IV of a core that makes them, its fixed field zero."""
    key, aad, plain = rng.randbytes(size // 8), rng.randbytes(20), rng.randbytes(text_bytes)
    sealed = AESGCM(key).encrypt(bytes(12), plain, aad)
    return {
        "source": "computed with the Python package cryptography, under an IV of zeros",
        "decrypt": False,
        "key": key.hex(),
        "iv": bytes(12).hex(),
        "aad": aad.hex(),
        "text": plain.hex(),
        "tag_bytes": 16,
        "tag": "",
        "expected_text": sealed[:-16].hex(),
        "expected_tag": sealed[-16:].hex(),
        "expected_status": 0,
    }


def make():
    rng = random.Random(38)
    vectors = []
    for size in (128, 192, 256):
        vectors += [nist_vector(size, *choice) for choice in NIST]
        vectors += [long_vector(size, rng, decrypt) for decrypt in (False, True)]
    for size in (128, 192, 256):
        vectors += [first_iv_vector(size, rng, text_bytes) for text_bytes in (13, 200)]
    return json.dumps(vectors, indent=1) + "\n"


if __name__ == "__main__":
    TARGET.write_text(make())
