# SPDX-License-Identifier: Apache-2.0
"""The engines that a configuration chooses: of each kind the descriptor of the one it names."""

from typing import TYPE_CHECKING, cast

from gcmforge.config.architecture import Architecture, Bus, architecture_of
from gcmforge.config.engine import AesEngine, GhashEngine
from gcmforge.config.installed import aes_engine, engines, ghash_engine
from gcmforge.config.kinds import KeySchedule, KeyUnit, Profile, Release, Slots, Tail
from gcmforge.config.options import Options

if TYPE_CHECKING:
    from gcmforge.config.core import CoreConfig


class Chosen(Options):
    """Options, and the descriptors of what they choose."""

    __slots__ = ()

    @property
    def _core(self) -> "CoreConfig":
        return cast("CoreConfig", self)

    @property
    def architecture(self) -> Architecture | None:
        """The descriptor of a core of its own; None where it is put together of parts."""
        return architecture_of(self._core)

    @property
    def bus(self) -> Bus | None:
        """What carries the narrow streams of a core of its own; None where it has none."""
        return self.architecture.bus_of(self._core) if self.architecture else None

    @property
    def aes_engine(self) -> AesEngine:
        """The descriptor of the AES engine."""
        return aes_engine(self.aes)

    @property
    def ghash_engine(self) -> GhashEngine:
        """The descriptor of the GHASH architecture."""
        return ghash_engine(self.ghash)

    @property
    def key_schedule_engine(self) -> KeySchedule:
        """The descriptor of where round keys come from."""
        return cast(KeySchedule, engines("key_schedule")[self.key_schedule])

    @property
    def key_unit_engine(self) -> KeyUnit:
        """The descriptor of where hash subkeys are made."""
        return cast(KeyUnit, engines("key_unit")[self.key_unit])

    @property
    def own_key_unit(self) -> bool:
        """Whether subkeys are made in hardware of their own."""
        return self.key_unit_engine.dedicated

    @property
    def tail_engine(self) -> Tail:
        """The descriptor of the end of a hash."""
        return cast(Tail, engines("tail")[self.tail])

    @property
    def release_engine(self) -> Release:
        """The descriptor of when text leaves."""
        return cast(Release, engines("release")[self.release])

    @property
    def slots_engine(self) -> Slots:
        """The descriptor of how beats meet their key stream."""
        return cast(Slots, engines("slots")[self.slots])

    @property
    def profile_engine(self) -> Profile | None:
        """The descriptor of the protocol's packets; None where there is none."""
        return cast(Profile | None, engines("profile").get(self.profile))
