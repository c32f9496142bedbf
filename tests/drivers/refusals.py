# SPDX-License-Identifier: Apache-2.0
"""Commands that a small core refuses, on its own streams of words; and the next packet."""

from collections.abc import Callable, Sequence
from typing import Any

from gcmforge.config.codes import Status


def hold_refusals(
    answers: Callable[[list[Any]], Sequence[Any]],
    make: Callable[..., Any],
    sealed: Callable[[Any], tuple[bytes, bytes]],
    *,
    iv_lengths: Sequence[int],
    word: int,
) -> None:
    """Each gets its first error, without a tag or a text, and the packet after it is right.

    `make` a packet; `answers` plays packets on a core of at most 64 bytes of text and 32 of AAD,
    with a key in its only context; `word` has as many bytes.
    """
    good = make(iv=bytes(12), text=b"text")
    cases = [
        (make(iv=bytes(12), text=b"text", context=1), Status.NO_KEY),
        *((make(iv=bytes(n), text=b"text"), Status.BAD_IV) for n in iv_lengths),
        (make(iv=bytes(12), text=b"text", tag_bytes=0), Status.BAD_TAG_LENGTH),
        (make(iv=bytes(12), text=b"text", tag_bytes=17), Status.BAD_TAG_LENGTH),
        (make(iv=bytes(12), text=b"text", tag=b"tags"[:word], tag_bytes=31), Status.BAD_TAG_LENGTH),
        (make(iv=bytes(12 - word), text=b"text", tag_bytes=3), Status.BAD_IV),
        (make(iv=bytes(12), text=bytes(65)), Status.TOO_LONG),
        (make(iv=bytes(12), text=bytes(200)), Status.TOO_LONG),
        (make(iv=bytes(12), aad=bytes(33), text=b"text"), Status.TOO_LONG),
    ]
    found = answers([one for packet, _ in cases for one in (packet, good)])
    for (packet, status), answer, after in zip(cases, found[::2], found[1::2], strict=True):
        assert (answer.status, answer.tag) == (status, b"\0"), packet
        assert len(answer.text) == len(packet.text)
        assert answer.ended
        assert status is Status.TOO_LONG or not any(answer.text)
        assert (after.text, after.tag, after.status) == (*sealed(good), Status.OK), packet
