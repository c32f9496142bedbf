# SPDX-License-Identifier: Apache-2.0
"""What cannot go together, each as the message of a ConfigError: asked, why, what to do.

Rules of one engine alone are in its descriptor; those here are of options that several share.
"""

import dataclasses
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from gcmforge.config.architecture import Architecture, of_architecture
from gcmforge.config.engine import Engine, Own
from gcmforge.config.installed import default_engine, engines, own_options
from gcmforge.config.names import MEMORY_SBOXES
from gcmforge.config.option import ConfigError, either, shown
from gcmforge.config.options import (
    DEFAULT_IV_LIMIT,
    MAX_BUFFER_BEATS,
    PROFILE_AAD_BYTES,
    Options,
    named,
)

if TYPE_CHECKING:
    from gcmforge.config.core import CoreConfig


def contradictions(config: "CoreConfig") -> Iterator[str]:
    """Every rule that the configuration breaks, the most telling first."""
    yield from of_architecture(config, _defaults())
    yield from _of_rounds(config)
    yield from _of_slots(config)
    yield from _of_lanes(config)
    yield from config.aes_engine.refuses(config)
    yield from config.ghash_engine.refuses(config)
    yield from _of_keys_and_tail(config)
    yield from _of_places(config)
    yield from _of_interfaces(config)
    yield from _of_initialisation_vectors(config)
    yield from _of_direction(config)
    yield from _of_release(config)
    yield from _of_multiplier(config)
    yield from _of_foreign_options(config)


def _defaults() -> dict[str, Any]:
    """Of the options that cores have in common."""
    return {field.name: field.default for field in dataclasses.fields(Options)}


def _default(name: str) -> Any:
    return next(field.default for field in dataclasses.fields(Options) if field.name == name)


def _of_rounds(config: "CoreConfig") -> Iterator[str]:
    if config.aes_substages == 1 and config.aes_slack != _default("aes_slack"):
        yield (
            f"aes_slack={config.aes_slack} with aes_substages=1: a round is one stage; use "
            f"aes_slack={_default('aes_slack')}, or aes_substages=2 or more"
        )
    if config.sbox in MEMORY_SBOXES and not config.architecture:
        yield from _of_memories(config)


def _of_memories(config: "CoreConfig") -> Iterator[str]:
    circuit = f"sbox={_default('sbox')}"
    if config.aes_engine.side_by_side:
        cut = either(e.name for e in engines("aes").values() if not getattr(e, "side_by_side", 0))
        yield (
            f"sbox={config.sbox} with aes={config.aes}: its round is one stage, and a memory is "
            f"read with a clock; use aes={cut}, or {circuit}"
        )
    elif config.aes_substages not in (2, 3):
        yield (
            f"sbox={config.sbox} with aes_substages={config.aes_substages}: a round is cut after "
            f"the memory, and once more with three stages; use aes_substages=2 or 3, or {circuit}"
        )
    elif config.aes_slack != _default("aes_slack"):
        yield (
            f"aes_slack={config.aes_slack} with sbox={config.sbox}: where a memory is cut is "
            f"fixed; use aes_slack={_default('aes_slack')}, or {circuit}"
        )


def _of_slots(config: "CoreConfig") -> Iterator[str]:
    if config.in_step and not config.aes_engine.flows:
        yield (
            f"slots={config.slots} with aes={config.aes}: blocks go round in it, so nothing can "
            f"move along with them; use aes={named('aes', 'flows')}, or "
            f"slots={default_engine('slots')}"
        )
    if config.in_step and not config.ghash_engine.tells_ahead:
        telling = named("ghash", "tells_ahead")
        yield (
            f"slots={config.slots} with ghash={config.ghash}: only {telling} tells a cycle ahead "
            f"whether it takes a beat; use ghash={telling}, or "
            f"slots={default_engine('slots')}"
        )
    yield from config.slots_engine.refuses(config)
    if config.ahead_places and not config.ahead:
        yield (
            f"ahead_places={config.ahead_places} with slots={config.slots}: no key stream is made "
            f"ahead; use ahead_places=0, or slots={named('slots', 'ahead')}"
        )


def _of_lanes(config: "CoreConfig") -> Iterator[str]:
    ghash, other = config.ghash, default_engine("ghash")
    if config.counter_sharing == "on" and not config.aes_engine.flows:
        yield (
            f"counter_sharing=on with aes={config.aes}: rounds 1 and 2 have hardware of their own "
            f"in a pipeline only; use aes={default_engine('aes')}, or counter_sharing=off"
        )
    if config.counter_sharing == "on" and config.lanes == 1:
        yield (
            "counter_sharing=on with lanes=1: one lane has nothing to share; use lanes=2 or more, "
            "or counter_sharing=off"
        )
    if config.aad_lanes and config.ghash_engine.one_block:
        yield (
            f"aad_lanes={config.aad_lanes} with ghash={ghash}: {ghash} takes one block at a time; "
            f"use aad_lanes=0, or ghash={other}"
        )
    if config.ghash_engine.one_block and config.lanes > 1:
        yield (
            f"lanes={config.lanes} with ghash={ghash}: {ghash} takes one block at a time; "
            f"use lanes=1, or ghash={other}"
        )


def _of_keys_and_tail(config: "CoreConfig") -> Iterator[str]:
    if config.key_unit_engine.dedicated and not config.ghash_engine.takes_powers:
        yield (
            f"key_unit={config.key_unit} with ghash={config.ghash}: {config.ghash} makes the "
            "powers of H itself, with what multiplies its blocks; use "
            f"key_unit={default_engine('key_unit')}, or "
            f"ghash={default_engine('ghash')}"
        )
    if config.own_j0 and not config.tail_engine.dedicated:
        yield (
            f"j0={config.j0} with tail={config.tail}: a packet whose last beat is full would still "
            "wait a beat for its length block, so the lane for J0 gains nothing; use "
            f"tail={named('tail', 'dedicated')}, or j0={_default('j0')}"
        )
    if config.tail_engine.dedicated and (reason := config.ghash_engine.product_tail):
        yield (
            f"tail={config.tail} with ghash={config.ghash}: {reason}; use "
            f"tail={default_engine('tail')}, or ghash={default_engine('ghash')}"
        )


def _of_places(config: "CoreConfig") -> Iterator[str]:
    ring = config.aes_engine.ring(config)
    if 0 < config.tag_places < config.full_tag_depth and ring > 2:
        yield (
            f"tag_places={config.tag_places} with aes={config.aes} and {ring} blocks in it: all of "
            "them would stand still for a packet that waits for a place; use tag_places=0"
        )
    if config.tag_places > config.full_tag_depth:
        yield (
            f"tag_places={config.tag_places}: no packets take more than {config.full_tag_depth} "
            "in this core; use that many or less, or 0"
        )


def _of_interfaces(config: "CoreConfig") -> Iterator[str]:
    if config.profile != "none":
        yield from _of_profile(config)
    if config.registers == "axi4lite" and config.iv == "counter":
        yield (
            "iv=counter with registers=axi4lite: the register block does not show the IV that a "
            "packet got; use iv=96, or registers=off"
        )


def _of_profile(config: "CoreConfig") -> Iterator[str]:
    if config.registers != "off":
        yield (
            f"registers={config.registers} with profile={config.profile}: a profile takes a "
            "command with each packet from hardware; use registers=off, or profile=none"
        )
    if config.length_first:
        yield (
            f"profile={config.profile} with ghash={config.ghash}: {config.profile} needs the tags "
            f"of SP 800-38D; use ghash={default_engine('ghash')}, or profile=none"
        )
    if config.profile_engine:
        yield from config.profile_engine.refuses(config)
    if config.max_aad_bytes < PROFILE_AAD_BYTES:
        yield (
            f"max_aad_bytes={config.max_aad_bytes} with profile={config.profile}: there is no room "
            f"for a header; use {PROFILE_AAD_BYTES} or more"
        )
    if config.iv == "counter":
        yield (
            f"iv=counter with profile={config.profile}: the profile makes the IVs; use iv=96, or "
            "profile=none"
        )
    if config.timeout:
        yield (
            f"timeout={config.timeout} with profile={config.profile}: the profile holds a command "
            "back for its data, and data for its command; use timeout=0, or profile=none"
        )


def _of_initialisation_vectors(config: "CoreConfig") -> Iterator[str]:
    if config.iv != "counter" and config.iv_limit != DEFAULT_IV_LIMIT:
        yield (
            f"iv_limit={config.iv_limit} with iv={config.iv}: nothing is counted; use "
            f"iv_limit={DEFAULT_IV_LIMIT}, or iv=counter"
        )


def _of_direction(config: "CoreConfig") -> Iterator[str]:
    if config.direction == "encrypt" and config.release_engine.holds:
        yield (
            f"direction=encrypt with release={config.release}: no text waits for a verdict where "
            f"none is decrypted; use release={default_engine('release')}, or direction=both"
        )
    if config.direction == "decrypt" and config.iv == "counter":
        yield (
            "direction=decrypt with iv=counter: IVs are made for packets to be encrypted, and "
            "there are none; use iv=96, or direction=both"
        )


def _of_release(config: "CoreConfig") -> Iterator[str]:
    if config.buffer_beats and not config.release_engine.holds:
        yield (
            f"buffer_beats={config.buffer_beats} with release={config.release}: nothing is held "
            f"back; use buffer_beats=0, or release={named('release', 'holds')}"
        )
    room = config.buffer_beats or MAX_BUFFER_BEATS // 2
    if config.release_engine.holds and config.packet_beats > room:
        most = (room - 1) * 16 * config.lanes
        own = config.architecture.needs.get("max_text_bytes") if config.architecture else None
        most = max((limit for limit in own or () if limit <= most), default=most)
        what = f"buffer_beats={config.buffer_beats}, " * (config.buffer_beats > 0)
        yield (
            f"{what}max_text_bytes={config.max_text_bytes} with release={config.release}: the "
            f"packet buffer holds a whole text and a beat; use max_text_bytes={most} or less"
            + f", or buffer_beats={config.packet_beats} or more"
            * (config.buffer_beats > 0 and config.packet_beats <= MAX_BUFFER_BEATS)
            + f", or release={default_engine('release')}"
        )


def _of_multiplier(config: "CoreConfig") -> Iterator[str]:
    ghash, other = config.ghash_engine, default_engine("ghash")
    if config.ghash_stages > 1 and not ghash.staged:
        yield (
            f"ghash_stages={config.ghash_stages} with ghash={config.ghash}: every product of "
            f"{config.ghash} needs the one before it; use ghash_stages=1, or ghash={other}"
        )
    unused = bool(ghash.multiplies) and not config.tail_engine.dedicated
    if unused and config.multiplier != _default("multiplier"):
        yield (
            f"multiplier={config.multiplier} with ghash={config.ghash}: {config.ghash} multiplies "
            f"{ghash.multiplies}, without a multiplier; use multiplier={_default('multiplier')}, "
            "or another ghash"
        )


def _of_foreign_options(config: "CoreConfig") -> Iterator[str]:
    """Options of an engine that this core does not have."""
    for name, (having, own) in own_options().items():
        if not _heard(config, having) and config[name] != own.default:
            yield _foreign(config, name, having, own)


def check_heard(asked: Iterable[str], config: "CoreConfig") -> None:
    """ConfigError where an option is asked for by name, be it with its default, that only cores
    have which this one is not: it would do nothing."""
    for name, (having, own) in own_options().items():
        if name in asked and having[0].kind == Architecture.kind and not _heard(config, having):
            raise ConfigError(_foreign(config, name, having, own))


def _heard(config: "CoreConfig", having: Sequence[Engine]) -> bool:
    return config[having[0].kind] in [engine.name for engine in having]


def _foreign(config: "CoreConfig", name: str, having: Sequence[Engine], own: Own) -> str:
    kind = having[0].kind
    return (
        f"{name}={shown(config[name])} with {kind}={config[kind]}: "
        f"{own.without}; leave {name} out, or use {either(f'{kind}={one.name}' for one in having)}"
    )
