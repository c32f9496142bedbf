# SPDX-License-Identifier: Apache-2.0
"""Random traffic: key loads and packets that aim at the edges, reproducible from a seed.

What is expected comes from `cryptography` (see `reference`), never from the RTL or the model; the
model only solves for the few IVs that start the counter just before it wraps, and has the GHASH of
a length-first core.
"""

from dataclasses import replace
from random import Random

from gcmforge.model import TAG_BYTES, encrypt_block, iv_for_counter, key_expansion
from gcmforge.sim import reference
from gcmforge.sim.dice import (
    EDGE_IV_BYTES,
    Sealed,
    Traffic,
    draw_aad_bytes,
    draw_bytes,
    draw_iv_bytes,
    draw_tag_bytes,
    draw_text_bytes,
    flipped,
    label,
)
from gcmforge.sim.directions import decrypts, now_and_then_misdirected
from gcmforge.sim.frames import with_broken_frame
from gcmforge.sim.operations import (
    INVALID_KEY_SIZE_CODE,
    Abilities,
    Expected,
    LoadKey,
    Operation,
    Packet,
    Status,
)

FORGED = 0.08
"""Share of the packets that carry one flipped bit; all of them are decrypted."""

REFUSED = 0.015
"""Chance of a packet whose command must be refused."""

FIRST_PACKETS = 16
REFUSED_OFTEN = 0.25
"""The same among the first packets, when some contexts have never held a key, and after one that
was refused, so that refusals also come in runs."""

REKEYED = 0.08
REKEYED_SLOWLY = 0.01
"""Key loads a packet, in addition to those that a packet needs to have a key at all. A dedicated
key unit, or powers for many lanes, take a thousand cycles and more: with as many loads, most cycles
would be a wait."""
LOADED_SLOWLY = 1_000
"""Cycles of a key load, from which on keys come slowly."""

COUNTER_WRAP = 0.003
"""Share of the packets whose counter wraps within the packet, where the core takes any IV."""

BROKEN_FRAME = 0.03
"""Chance that a packet's beats do not come as they should, refused packets included."""

CROSSED_LIMIT_BYTES = 8192
"""Limits on text and AAD that are no higher than this are also tried from above."""

BAD_TAG_BYTES = tuple(n for n in range(32) if n not in TAG_BYTES)


def random_traffic(core: Abilities, *, packets: int, seed: int) -> list[Operation]:
    """`packets` packets and the key loads between them, the same for the same core and seed.

    Both directions, every key size and tag length that the core has, lengths around the edges of
    blocks and of its beats, forgeries, refused commands, frames that break the rules of s_axis, and
    new keys for contexts in use.
    """
    traffic = Traffic(core=core, seed=seed, rng=Random(seed))
    slow = core.own_key_unit or core.key_load_cycles > LOADED_SLOWLY
    rekeyed = REKEYED_SLOWLY if slow else REKEYED
    for number in range(packets):
        if traffic.rng.random() < rekeyed:
            load_key(traffic, traffic.rng.randrange(core.contexts))
        often = number < FIRST_PACKETS or traffic.refused_last
        traffic.refused_last = traffic.rng.random() < (REFUSED_OFTEN if often else REFUSED)
        make = _refused_packet if traffic.refused_last else _packet
        packet = now_and_then_misdirected(traffic.rng, core, make(traffic, number))
        if traffic.rng.random() < BROKEN_FRAME and packet.expect.status is not Status.TOO_LONG:
            key = traffic.keys.get(packet.context)
            packet = with_broken_frame(traffic.rng, core, packet, key)
        traffic.operations.append(packet)
    return traffic.operations


# Keys ------------------------------------------------------------------------------------------


def load_key(traffic: Traffic, context: int) -> None:
    rng = traffic.rng
    key = draw_bytes(rng, rng.choice(traffic.core.key_sizes) // 8)
    if rng.random() < 0.1 and traffic.keys:
        key = rng.choice(list(traffic.keys.values()))  # one key in two contexts, or again
    fixed = rng.randbytes(4) if traffic.core.iv == "counter" else bytes(4)
    traffic.operations.append(LoadKey(context=context, key=key, fixed=fixed))
    traffic.keys[context] = key
    traffic.fixed[context], traffic.counts[context] = fixed, 0


def _load_unusable_key(traffic: Traffic, context: int) -> str:
    """A key of a size that does not exist or is not built; says which."""
    rng = traffic.rng
    missing = [bits for bits in (128, 192, 256) if bits not in traffic.core.key_sizes]
    if missing and rng.random() < 0.5:
        bits = rng.choice(missing)
        load, what = LoadKey(context=context, key=rng.randbytes(bits // 8)), f"AES-{bits} not built"
    else:
        load = LoadKey(context=context, key=rng.randbytes(32), size_code=INVALID_KEY_SIZE_CODE)
        what = f"key size code {INVALID_KEY_SIZE_CODE}"
    traffic.operations.append(load)
    traffic.keys.pop(context, None)
    return what


def usable_context(traffic: Traffic) -> int:
    """Often the context of the packet before, else mostly one with a key, else one is loaded."""
    rng = traffic.rng
    dice = rng.random()
    if dice < 0.4 and traffic.last_context in traffic.keys:
        return traffic.last_context
    if dice < 0.9 and traffic.keys:
        context = rng.choice(sorted(traffic.keys))
    else:
        context = rng.randrange(traffic.core.contexts)
    if context not in traffic.keys:
        load_key(traffic, context)
    traffic.last_context = context
    return context


# Packets ---------------------------------------------------------------------------------------


def _packet(traffic: Traffic, number: int) -> Packet:
    rng = traffic.rng
    context = usable_context(traffic)
    sealed = _sealed(traffic, traffic.keys[context])
    tag_bytes = draw_tag_bytes(rng)
    if rng.random() < FORGED:
        return forged_packet(traffic, number, context, sealed, tag_bytes)
    decrypt = decrypts(traffic.core, rng.random() < 0.5)
    return good_packet(traffic, number, context, sealed, tag_bytes, decrypt=decrypt)


def good_packet(
    traffic: Traffic, number: int, context: int, sealed: Sealed, tag_bytes: int, *, decrypt: bool
) -> Packet:
    """A packet with nothing wrong."""
    if traffic.core.iv == "counter" and not decrypt:
        sealed = with_own_iv(traffic, context, sealed)
    return Packet(
        context=context,
        decrypt=decrypt,
        iv=sealed.iv,
        aad=sealed.aad,
        text=sealed.ciphertext if decrypt else sealed.plaintext,
        tag=sealed.tag[:tag_bytes] if decrypt else None,
        tag_bytes=tag_bytes,
        expect=Expected(
            text=sealed.plaintext if decrypt else sealed.ciphertext,
            tag=None if decrypt else sealed.tag[:tag_bytes],
            status=Status.OK,
        ),
        label=label(traffic, number, "decrypt" if decrypt else "encrypt"),
    )


def _next_iv(traffic: Traffic, context: int) -> bytes:
    """SP 800-38D section 8.2.1: the fixed field of the key, and how many packets came before. When
    they are used up, the key is loaded again before the packet, with another field."""
    if traffic.counts[context] == traffic.core.iv_limit:
        fixed = traffic.rng.randbytes(4)
        traffic.operations.append(LoadKey(context=context, key=traffic.keys[context], fixed=fixed))
        traffic.fixed[context], traffic.counts[context] = fixed, 0
    count = traffic.counts[context]
    traffic.counts[context] = count + 1
    return traffic.fixed[context] + count.to_bytes(8, "big")


def with_own_iv(traffic: Traffic, context: int, sealed: Sealed) -> Sealed:
    """The packet under the IV that the core gives it."""
    iv = _next_iv(traffic, context)
    ciphertext, tag = reference.seal(
        sealed.key, iv, sealed.plaintext, sealed.aad, length_first=traffic.core.length_first
    )
    return replace(sealed, iv=iv, ciphertext=ciphertext, tag=tag)


def forged_packet(
    traffic: Traffic, number: int, context: int, sealed: Sealed, tag_bytes: int
) -> Packet:
    """A decryption with one bit flipped in the tag, the ciphertext, the AAD or the IV."""
    parts = {
        "tag": sealed.tag[:tag_bytes],
        "ciphertext": sealed.ciphertext,
        "AAD": sealed.aad,
        "IV": sealed.iv,
    }
    part = traffic.rng.choice([name for name, data in parts.items() if data])
    bit = traffic.rng.randrange(len(parts[part]) * 8)
    parts[part] = flipped(parts[part], bit)
    return Packet(
        context=context,
        decrypt=True,
        iv=parts["IV"],
        aad=parts["AAD"],
        text=parts["ciphertext"],
        tag=parts["tag"],
        tag_bytes=tag_bytes,
        expect=reference.answer(
            key=sealed.key,
            decrypt=True,
            iv=parts["IV"],
            aad=parts["AAD"],
            text=parts["ciphertext"],
            tag=parts["tag"],
            tag_bytes=tag_bytes,
            length_first=traffic.core.length_first,
        ),
        label=label(traffic, number, f"decrypt, forged: bit {bit} of the {part} flipped"),
    )


def _refused_packet(traffic: Traffic, number: int) -> Packet:
    """A packet with one thing wrong."""
    core = traffic.core
    statuses = [Status.NO_KEY, Status.NO_KEY, Status.BAD_IV, Status.BAD_TAG_LENGTH]
    if min(core.max_text_bytes, core.max_aad_bytes) <= CROSSED_LIMIT_BYTES:
        statuses.append(Status.TOO_LONG)
    status = traffic.rng.choice(statuses)
    if status is Status.TOO_LONG:
        return too_long_packet(traffic, number)
    return refused_command(traffic, number, status)


def refused_command(traffic: Traffic, number: int, status: Status) -> Packet:
    """A command that must be refused, and its data after it."""
    rng = traffic.rng
    tag_bytes, iv_bytes = draw_tag_bytes(rng), draw_iv_bytes(traffic)
    if status is Status.NO_KEY:
        context, what = _unusable_context(traffic)
    else:
        context = usable_context(traffic)
        if status is Status.BAD_IV:
            none = traffic.core.iv == "any" or rng.random() < 0.25
            iv_bytes = 0 if none else rng.choice(EDGE_IV_BYTES)
            what = f"IV of {iv_bytes} bytes"
        else:
            tag_bytes = rng.choice(BAD_TAG_BYTES)
            what = f"tag of {tag_bytes} bytes"
    decrypt = decrypts(traffic.core, rng.random() < 0.5)
    if traffic.core.iv == "counter":
        decrypt = decrypt or status is Status.BAD_IV  # no IV of an encrypted packet is refused
        if not decrypt and status is not Status.NO_KEY:
            _next_iv(traffic, context)  # used up all the same
    text = draw_bytes(rng, draw_text_bytes(traffic))
    return Packet(
        context=context,
        decrypt=decrypt,
        iv=draw_bytes(rng, iv_bytes),
        aad=draw_bytes(rng, draw_aad_bytes(traffic)),
        text=text,
        tag=rng.randbytes(min(tag_bytes, 16)) if decrypt else None,
        tag_bytes=tag_bytes,
        expect=reference.refusal(text, status),
        label=label(traffic, number, f"{'decrypt' if decrypt else 'encrypt'}, refused: {what}"),
    )


def too_long_packet(traffic: Traffic, number: int) -> Packet:
    """A packet, right in every other way, whose AAD or text crosses the core's limit."""
    core, rng = traffic.core, traffic.rng
    context = usable_context(traffic)
    in_text = core.max_text_bytes <= core.max_aad_bytes
    if max(core.max_text_bytes, core.max_aad_bytes) <= CROSSED_LIMIT_BYTES:
        in_text = rng.random() < 0.5
    return crossing_packet(traffic, number, context, in_text=in_text)


def crossing_packet(
    traffic: Traffic,
    number: int,
    context: int,
    *,
    in_text: bool,
    decrypt: bool | None = None,
    over: int = 0,
) -> Packet:
    """One that crosses that limit, by `over` bytes, or else by a few bytes or beats."""
    core, rng = traffic.core, traffic.rng
    beat = 16 * core.lanes
    over = over or rng.choice((1, 2, 15, 16, 17, beat, 2 * beat + 1))
    sealed = sealed_lengths(
        traffic,
        traffic.keys[context],
        aad_bytes=draw_aad_bytes(traffic) if in_text else core.max_aad_bytes + over,
        text_bytes=core.max_text_bytes + over if in_text else draw_text_bytes(traffic),
    )
    if decrypt is None:
        decrypt = decrypts(core, rng.random() < 0.5)
    if core.iv == "counter" and not decrypt:
        sealed = with_own_iv(traffic, context, sealed)
    out = sealed.plaintext if decrypt else sealed.ciphertext
    good = core.max_text_bytes // beat * beat if in_text else 0
    what = f"{'text' if in_text else 'AAD'} {over} bytes too long"
    return Packet(
        context=context,
        decrypt=decrypt,
        iv=sealed.iv,
        aad=sealed.aad,
        text=sealed.ciphertext if decrypt else sealed.plaintext,
        tag=sealed.tag if decrypt else None,
        tag_bytes=16,
        expect=Expected(text=out[:good].ljust(len(out), b"\0"), tag=None, status=Status.TOO_LONG),
        label=label(traffic, number, f"{'decrypt' if decrypt else 'encrypt'}, refused: {what}"),
    )


def _unusable_context(traffic: Traffic) -> tuple[int, str]:
    """A context without a usable key, and why it has none."""
    rng, contexts = traffic.rng, traffic.core.contexts
    beyond = range(contexts, 1 << max(1, (contexts - 1).bit_length()))
    if beyond and rng.random() < 0.3:
        context = rng.choice(beyond)
        if rng.random() < 0.5:  # which changes no context
            key, fixed = draw_bytes(rng, rng.choice(traffic.core.key_sizes) // 8), rng.randbytes(4)
            traffic.operations.append(LoadKey(context=context, key=key, fixed=fixed))
        return context, "context does not exist"
    empty = [context for context in range(contexts) if context not in traffic.keys]
    if empty and rng.random() < 0.7:
        return rng.choice(empty), "context holds no key"
    context = rng.randrange(contexts)
    return context, _load_unusable_key(traffic, context)


def _sealed(traffic: Traffic, key: bytes) -> Sealed:
    """A packet of random lengths, now and then with a counter that wraps."""
    rng = traffic.rng
    iv = None
    aad_bytes, text_bytes = draw_aad_bytes(traffic), draw_text_bytes(traffic)
    if traffic.core.iv == "any" and rng.random() < COUNTER_WRAP:
        iv = _wrapping_iv(rng, key)
        text_bytes = min(text_bytes + 64, traffic.core.max_text_bytes)
    return sealed_lengths(traffic, key, aad_bytes=aad_bytes, text_bytes=text_bytes, iv=iv)


def sealed_lengths(
    traffic: Traffic, key: bytes, *, aad_bytes: int, text_bytes: int, iv: bytes | None = None
) -> Sealed:
    rng = traffic.rng
    iv = draw_bytes(rng, draw_iv_bytes(traffic)) if iv is None else iv
    aad, plaintext = draw_bytes(rng, aad_bytes), draw_bytes(rng, text_bytes)
    ciphertext, tag = reference.seal(
        key, iv, plaintext, aad, length_first=traffic.core.length_first
    )
    return Sealed(key=key, iv=iv, aad=aad, plaintext=plaintext, ciphertext=ciphertext, tag=tag)


def _wrapping_iv(rng: Random, key: bytes) -> bytes:
    """16 bytes whose J_0 ends in ffffffff, or up to three before it."""
    h = encrypt_block(key_expansion(key), 0)
    return iv_for_counter(h, rng.getrandbits(96) << 32 | 2**32 - rng.randint(1, 4))
