# SPDX-License-Identifier: Apache-2.0
"""The subspace basis of the additive FFT: powers of x and products of s_k, each from the other."""

from collections.abc import Sequence

from gcmforge.circuit import Builder, Net


def to_subspace_basis(b: Builder, nets: Sequence[Net]) -> list[Net]:
    """Coefficients at powers of x -> coefficients at the products of s_k over the set bits k of
    the index; as many as a power of two."""
    size = len(nets)
    if size <= 2:
        return list(nets)
    block = _block(size)
    taylor = _taylor(b, list(nets), block)
    rows = [to_subspace_basis(b, taylor[i : i + block]) for i in range(0, size, block)]
    columns = [to_subspace_basis(b, column) for column in zip(*rows, strict=True)]
    return [net for row in zip(*columns, strict=True) for net in row]


def from_subspace_basis(b: Builder, nets: Sequence[Net]) -> list[Net]:
    size = len(nets)
    if size <= 2:
        return list(nets)
    block = _block(size)
    rows = [nets[i : i + block] for i in range(0, size, block)]
    columns = [from_subspace_basis(b, column) for column in zip(*rows, strict=True)]
    rows = [from_subspace_basis(b, row) for row in zip(*columns, strict=True)]
    return _untaylor(b, [net for row in rows for net in row], block)


def _block(size: int) -> int:
    """2^t for the largest power of two t with 2^t < size: there s_t = x^(2^t) + x."""
    block = 2
    while block * block < size:
        block *= block
    return block


def _taylor(b: Builder, nets: list[Net], block: int) -> list[Net]:
    """The expansion in powers of x^block + x: blocks of coefficients, lowest power first."""
    if len(nets) <= block:
        return nets
    half = len(nets) // 2
    step = half - half // block  # (x^block + x)^(half / block) = x^half + x^(half - step)
    nets = list(nets)
    for i in range(len(nets) - 1, half - 1, -1):
        nets[i - step] = b.xor(nets[i - step], nets[i])
    return _taylor(b, nets[:half], block) + _taylor(b, nets[half:], block)


def _untaylor(b: Builder, nets: list[Net], block: int) -> list[Net]:
    if len(nets) <= block:
        return nets
    half = len(nets) // 2
    step = half - half // block
    nets = _untaylor(b, nets[:half], block) + _untaylor(b, nets[half:], block)
    for i in range(half, len(nets)):
        nets[i - step] = b.xor(nets[i - step], nets[i])
    return nets
