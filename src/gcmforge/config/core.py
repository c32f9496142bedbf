# SPDX-License-Identifier: Apache-2.0
"""The configuration of a core.

    config = CoreConfig(lanes=4, ghash_stages=2)
    config = CoreConfig.from_toml(Path("core.toml"))
    config = config.with_settings(["lanes=4", "key_sizes=128,256"])

A value that cannot be built raises ConfigError, which says what was asked, what is allowed and
what to do. Every CoreConfig that exists is one that can be built.
"""

import dataclasses
import tomllib
from collections.abc import Collection, Iterable, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Self, TypeVar

from gcmforge.config.architecture import own_of_cores, understood
from gcmforge.config.brief import brief, why_unread
from gcmforge.config.installed import own_options
from gcmforge.config.laws import Laws
from gcmforge.config.names import belongs_to_study
from gcmforge.config.option import ConfigError, Option, either, nearest, shown, toml_text
from gcmforge.config.rules import contradictions
from gcmforge.config.stated import INTENTS

T = TypeVar("T")
_ONLY = {"both": "", "encrypt": " encryption", "decrypt": " decryption"}

_FIRST = frozenset(
    (
        "lanes", "key_sizes", "contexts", "aes", "aes_substages", "aes_slack", "key_schedule",
        "key_unit", "counter_sharing", "j0", "sbox", "mix_columns", "ghash", "multiplier",
        "ghash_stages", "tail", "aad_lanes", "iv", "iv_limit", "zeroise", "release",
        "buffer_beats", "slots", "ahead_places", "tag_places", "timeout", "registers", "profile",
        "max_text_bytes", "max_aad_bytes", "aes_rounds", "aes_loops", "digit_bits", "window_bits",
        "window_splits", "squarers", "tags_not_of_gcm",
    )
)  # fmt: skip
"""Options that always stand in a stored result. No new option comes here: with it in each mapping,
no result that is stored would be found again."""


def _with_own_options(cls: type[T]) -> type[T]:
    """The class as a dataclass, with a field for each option that only one engine has."""
    for name, (_, own) in own_options().items():
        cls.__annotations__[name] = type(own.default)
        setattr(cls, name, dataclasses.field(default=own.default, metadata={"option": own.option}))
    return dataclasses.dataclass(frozen=True, kw_only=True, slots=True)(cls)


@_with_own_options
class CoreConfig(Laws):
    """One AES-GCM core: the module gcm_axis, and what is put around it (`top` is the outermost).

    A core's `name` is put before the names of its modules and files when its folder is written.
    """

    if TYPE_CHECKING:  # fields for the options of engines are added when engines are found

        def __init__(self, **options: Any) -> None: ...

    def __post_init__(self) -> None:
        if isinstance(self.key_sizes, (list, set, frozenset)):
            object.__setattr__(self, "key_sizes", tuple(self.key_sizes))
        for name, option in options().items():
            option.check(name, getattr(self, name))
        object.__setattr__(self, "key_sizes", tuple(sorted(set(self.key_sizes))))
        for message in contradictions(self):
            raise ConfigError(message)

    def __getitem__(self, name: str) -> Any:
        """The value of an option by its name: of those that only one engine has, too."""
        return getattr(self, name)

    @classmethod
    def from_mapping(cls, values: Mapping[str, Any]) -> Self:
        """From option names and values, as read from TOML; an unknown name is refused."""
        check_names(values)
        return cls(**values)

    @classmethod
    def from_toml(cls, path: Path) -> Self:
        """From a TOML file of options; those that it does not name keep their defaults."""
        values = toml_values(path)
        try:
            return cls.from_mapping(values)
        except ConfigError as error:
            raise ConfigError(f"{path}: {error}") from None

    def with_settings(self, settings: Iterable[str]) -> Self:
        """This configuration with `key=value` strings applied, all of them at once."""
        return dataclasses.replace(self, **parse_settings(settings))

    def to_toml(self) -> str:
        """The whole configuration as TOML for from_toml, each option under its meaning: first
        what every engineer decides, then the expert options."""

        def paragraph(name: str, option: Option) -> str:
            unit = f" {option.unit}" if option.unit else ""
            when = f"# Set it {option.expert}.\n" if option.expert else ""
            text = f"# {option.meaning}\n# {option.allowed}{unit}\n{when}"
            return f"{text}{name} = {toml_text(getattr(self, name))}\n"

        there = {name: one for name, one in options().items() if name in self.understood}
        decided = [paragraph(name, one) for name, one in there.items() if not one.expert]
        expert = [paragraph(name, one) for name, one in there.items() if one.expert]
        return "\n".join([*decided, "# Expert options\n", *expert])

    def to_mapping(self) -> dict[str, Any]:
        """Option names and values, as JSON and from_mapping take them.

        An option that is younger than the first stored results has no entry where it has its
        default: it is the same core, with the same key among them, as before there was that option.
        """
        return {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in ((name, getattr(self, name)) for name in options())
            if name in _FIRST or value != default_of(name)
        }

    @property
    def top(self) -> str:
        """The outermost module of the core; in its folder the core's name is before it."""
        if self.architecture and not self.bus:
            return self.architecture.top_of(self._core)
        if self.profile_engine:
            return self.profile_engine.top
        return "gcm_axil" if self.registers == "axi4lite" else "gcm_axis"

    @property
    def listed_top(self) -> str:
        """What all modules of the file list are in: the top, or around a core of its own the
        module that gives it the streams of every other core."""
        return "gcm_axis" if self.architecture else self.top

    def named(self, identifier: str) -> str:
        """A module, a package or a file of the core, as its folder calls it."""
        return f"{self.name}_{identifier}" if self.name else identifier

    @property
    def understood(self) -> frozenset[str]:
        """The options that mean something in this core."""
        if self.architecture:
            return understood(self.architecture)
        return frozenset(options()) - own_of_cores()

    @property
    def settings(self) -> tuple[str, ...]:
        """The key=value strings that make this configuration of the default one."""
        values = ((name, getattr(self, name)) for name in options())
        return tuple(
            f"{name}={shown(value)}" for name, value in values if value != default_of(name)
        )

    @property
    def summary(self) -> str:
        """One line for headers and lists."""
        if self.architecture:
            return self.architecture.title(self)
        sizes = "/".join(map(str, self.key_sizes))
        substages = self.aes_engine.extent(self._core)
        substages += f" with {self.aes_substages} stages a round" if self.aes_substages > 1 else ""
        substages += self.key_schedule_engine.summary + self.key_unit_engine.summary
        substages += ", shared counters" if self.counter_sharing == "on" else ""
        substages += self.slots_engine.summary
        substages += ", own lane for J0" if self.own_j0 else ""
        stages = f", {self.ghash_stages} stages" if self.ghash_stages > 1 else ""
        stages += self.tail_engine.summary
        aad = f" and {self.aad_lanes} of AAD" if self.aad_lanes else ""
        product = self.ghash_engine.product(self._core)
        return (
            f"AES-{sizes}-GCM{_ONLY[self.direction]}, "
            f"{self.lanes} lane{'s' * (self.lanes > 1)}{aad}, "
            f"{self.aes} AES{substages}, {self.ghash} GHASH ({product}{stages}), "
            f"{self.contexts} context{'s' * (self.contexts > 1)}"
            f"{', AXI4-Lite registers' * (self.registers == 'axi4lite')}"
            f"{self.release_engine.summary}"
            f"{f', {self.profile} packets' * (self.profile_engine is not None)}"
            f"{', own IVs' * (self.iv == 'counter')}{', zeroise' * (self.zeroise == 'on')}"
            f"{f', timeout of {self.timeout:,} cycles' * (self.timeout > 0)}"
            f"{'; tags are not those of SP 800-38D' * self.length_first}"
        )


@cache
def options() -> Mapping[str, Option]:
    """Every option of CoreConfig by name, in the order in which they are written."""
    fields = dataclasses.fields(CoreConfig)
    return MappingProxyType({field.name: field.metadata["option"] for field in fields})


@cache
def default_of(name: str) -> Any:
    """The value that an option has when nobody sets it."""
    return next(field.default for field in dataclasses.fields(CoreConfig) if field.name == name)


def toml_values(path: Path) -> dict[str, Any]:
    """What a TOML file sets; nothing of it is checked yet."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))  # editors put a mark before it
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read ({error.strerror})") from None
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{path}: not a TOML file ({why_unread(error)})") from None


def check_names(names: Iterable[str], known: Collection[str] | None = None) -> None:
    """Raise ConfigError for a name that is no option (or not `known`), with the nearest that are.

    What a goal decides is decided where a configuration begins: a goal changes none that is there.
    """
    known = options() if known is None else known
    for name in names:
        if name not in known and name in INTENTS:
            raise ConfigError(
                f"{name}: options follow from it where a configuration begins; use it with "
                "gcmforge build and no preset, or in a TOML file"
            )
        if name not in known:
            near = nearest(name, known)
            advice = f"did you mean {either(near)}?" if near else f"options: {', '.join(known)}"
            raise ConfigError(f"{brief(name)}: no such option{belongs_to_study(name)}; {advice}")


def parse_settings(
    settings: Iterable[str], known: Mapping[str, Option] | None = None
) -> dict[str, Any]:
    """Typed option values from `key=value` strings; unknown keys and repeated ones are refused."""
    known = options() if known is None else known
    values: dict[str, Any] = {}
    for setting in settings:
        name, equals, text = (part.strip() for part in setting.partition("="))
        if not equals:
            raise ConfigError(f"{setting}: not a setting; use key=value, such as lanes=4")
        check_names([name], known)
        if name in values:
            raise ConfigError(f"{setting}: {name} is set twice; set it once")
        values[name] = known[name].parse(name, text)
    return values
