# SPDX-License-Identifier: Apache-2.0
"""AES-GCM as `cryptography` offers it, computed by the simulated RTL of a core.

aead = AESGCM("default", key)            # a preset, a core's folder, a CoreConfig or a Core
sealed = aead.encrypt(nonce, data, aad)  # ciphertext, then the 16-byte tag
data = aead.decrypt(nonce, sealed, aad)  # InvalidTag if anything was changed
"""

import fcntl
import hashlib
import os
import secrets
from pathlib import Path
from typing import Self

from gcmforge.cache import cache_folder
from gcmforge.config import ConfigError, CoreConfig
from gcmforge.config.codes import status_name
from gcmforge.emit.folder import check_unchanged
from gcmforge.sim.core import Core
from gcmforge.sim.directions import takes
from gcmforge.sim.operations import Expected, LoadKey, Packet, Status
from gcmforge.sim.packing import Answer

try:
    from cryptography.exceptions import InvalidTag as _InvalidTag
except ImportError:  # an extra; without it the exception stands alone
    _InvalidTag = Exception  # type: ignore[assignment,misc]

TAG_BYTES = 16
_BUFFER = bytes | bytearray | memoryview


class InvalidTag(_InvalidTag):
    """The tag does not match: key, nonce, data or associated data is not what was sealed.

    A subclass of `cryptography.exceptions.InvalidTag` where that package is installed.
    """


class CoreError(RuntimeError):
    """The core gave an answer that no AES-GCM core may give: the core has a bug."""


class AESGCM:
    """AES-GCM with one key, computed by a core in simulation (the key is in context 0).

    Use it in a `with` statement, or `close` it.

    Tags are the core's: those of a length-first core (`config.length_first`) are not GCM's, and
    only such a core accepts them.

    A folder that is not what was built is refused (BuildError), unless `allow_changed`. A `Core` is
    taken as it is.
    """

    def __init__(
        self,
        core: "str | os.PathLike[str] | CoreConfig | Core",
        key: bytes,
        *,
        allow_changed: bool = False,
    ) -> None:
        self.core = find_core(core)
        if not isinstance(core, Core):
            check_unchanged(self.core.path, allow_changed=allow_changed)
        bits = len(key) * 8
        if bits not in self.core.config.key_sizes:
            built = ", ".join(map(str, self.core.config.key_sizes))
            raise ValueError(f"key of {bits} bits: this core takes keys of {built} bits")
        self._simulation = self.core.simulation(seed=secrets.randbits(32))
        self._simulation.play([LoadKey(context=0, key=bytes(key))])

    @staticmethod
    def generate_key(bit_length: int) -> bytes:
        """A random key of 128, 192 or 256 bits."""
        if bit_length not in (128, 192, 256):
            raise ValueError(f"bit_length={bit_length}: use 128, 192 or 256")
        return secrets.token_bytes(bit_length // 8)

    def encrypt(self, nonce: _BUFFER, data: _BUFFER, associated_data: _BUFFER | None) -> bytes:
        """The ciphertext, followed by the 16-byte tag."""
        answer = self._play(bytes(nonce), bytes(data), bytes(associated_data or b""), None)
        if answer.status != Status.OK or len(answer.text) != len(data):
            raise CoreError(f"encryption ended with {_name(answer)} and {len(answer.text)} bytes")
        return answer.text + answer.tag

    def decrypt(self, nonce: _BUFFER, data: _BUFFER, associated_data: _BUFFER | None) -> bytes:
        """The plaintext; InvalidTag, and no plaintext, when the tag does not match."""
        sealed = bytes(data)
        if len(sealed) < TAG_BYTES:
            raise InvalidTag
        text, tag = sealed[:-TAG_BYTES], sealed[-TAG_BYTES:]
        answer = self._play(bytes(nonce), text, bytes(associated_data or b""), tag)
        if answer.status == Status.AUTH_FAIL:
            raise InvalidTag
        if answer.status != Status.OK or len(answer.text) != len(text):
            raise CoreError(f"decryption ended with {_name(answer)} and {len(answer.text)} bytes")
        return answer.text

    def close(self) -> None:
        """End the simulation; may be called again."""
        self._simulation.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _play(self, nonce: bytes, text: bytes, aad: bytes, tag: bytes | None) -> Answer:
        config = self.core.config
        if not takes(config, decrypt=tag is not None):
            raise ValueError(f"this core was built to {config.direction} only")
        if config.iv == "counter" and tag is None:
            raise ValueError("this core makes its own IVs: it does not encrypt under a given nonce")
        if not nonce or (len(nonce) != 12 and not config.iv_any) or len(nonce) > 65535:
            allowed = "1 to 65535 bytes" if config.iv_any else "12 bytes"
            raise ValueError(f"nonce of {len(nonce)} bytes: this core takes {allowed}")
        for what, data, limit in (
            ("data", text, config.max_text_bytes),
            ("associated data", aad, config.max_aad_bytes),
        ):
            if len(data) > limit:
                raise OverflowError(f"{what} of {len(data)} bytes: this core takes {limit}")
        packet = Packet(
            context=0, decrypt=tag is not None, iv=nonce, aad=aad, text=text, tag=tag,
            tag_bytes=TAG_BYTES, label="packet",
            expect=Expected(text=b"", tag=None, status=Status.OK),
        )  # fmt: skip
        batch = self._simulation.play([packet])
        if batch.hang is not None:
            raise CoreError(f"the core hangs: {batch.hang}")
        if batch.violations:
            raise CoreError(f"broken stream rule: {batch.violations[0].rule}")
        return batch.answers[0]


def _name(answer: Answer) -> str:
    return f"status {answer.status} ({status_name(answer.status)})"


# ---- which core ----------------------------------------------------------------------------------


def find_core(core: "str | os.PathLike[str] | CoreConfig | Core") -> Core:
    """The core that is meant: itself, a folder's, or a CoreConfig's or a preset's in the cache."""
    if isinstance(core, Core):
        return core
    if isinstance(core, CoreConfig):
        return Core(built(core))
    if (Path(core) / "core.toml").is_file():
        return Core(Path(core))
    if not isinstance(core, str):
        raise FileNotFoundError(f"{Path(core)} is not a core folder: it holds no core.toml")
    from gcmforge.config.presets import preset

    try:
        return Core(built(preset(core)))
    except ConfigError as error:
        raise ConfigError(f"{error}; nor is {core} a core's folder") from None


def built(config: CoreConfig) -> Path:
    """The folder of a core of this configuration in the cache, built if it is not there."""
    folder = cache_folder() / "cores" / _generator_key(config)
    folder.parent.mkdir(parents=True, exist_ok=True)
    with folder.with_name(folder.name + ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "core.toml").is_file():
            from gcmforge.emit import build_core

            build_core(config, folder, prove=False)  # compiling for simulation proves the leaves
    return folder


def _generator_key(config: CoreConfig) -> str:
    """Changes with the configuration and with anything in this package."""
    digest = hashlib.sha256(config.to_toml().encode())
    package = Path(__file__).parent.parent
    for path in sorted(package.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            digest.update(str(path.relative_to(package)).encode())
            digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:32]
