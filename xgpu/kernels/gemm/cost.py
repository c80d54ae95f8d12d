# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How long a product takes, by a model on paper: docs/concepts/gemm.md as code.

A block's step along k multiplies, copies and waits. Multiplying takes as many cycles as the tensor
cores need, or as shared memory needs to give them the factors; copying as many as the cache of the
whole chip needs for a processor's share; what is left of a copy's latency after the steps that
other stages hide is added. A wave of blocks takes as long as one block, and a product as many waves
as it has blocks for all processors. That leaves out clocks, memory beyond the cache and what
compilers do: it orders options by what bounds them, and says nothing about seconds.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import NamedTuple

#: Cycles from asking for a tile until it is there (assumed), and those that a step costs in
#: barriers and issue where the same warps copy and multiply, or other warps copy.
_LATENCY, _STEP_TOGETHER, _STEP_APART = 1000, 100, 30
#: Bytes of results that a processor stores a cycle.
_STORE_BYTES = 32
#: Shared memory of barriers, and of 64 rows of results on their way to memory.
_BARRIERS, _BOX_BYTES = 1024, 8192


class Chip(NamedTuple):
    """A processor's figures: bytes multiplied a cycle as 16-bit multiply-adds, bytes a cycle of
    shared memory and of a share of the second-level cache, bytes of shared memory for a block."""

    processors: int
    multiply_adds: int
    shared_bytes: int
    cache_bytes: int
    shared_limit: int
    #: Rows for which the columns' factor is read from shared memory once.
    rows: int = 64


#: NVIDIA's data sheets and whitepapers of A100 SXM and H100 SXM: 312 and 989.4 TFLOP/s of dense f16
#: at 1.41 and 1.83 GHz; shared memory gives 128 bytes a cycle; the share of the cache is assumed.
#: B200: 2.25 PFLOP/s of dense f16 with 148 processors at about 1.86 GHz.
CHIPS = {
    "mma.sync": Chip(108, 1024, 128, 48, 163 * 1024),
    "wgmma": Chip(132, 2048, 128, 48, 227 * 1024),
    "tcgen05": Chip(148, 4096, 128, 64, 227 * 1024, 128),
}


class Shape(NamedTuple):
    """Sizes of a product; `batches` of them."""

    m: int
    n: int
    k: int
    batches: int


class Choice(NamedTuple):
    """What the model is asked about: tile, stages, blocks along m that share tiles of B, and
    whether warps of their own copy."""

    m: int
    n: int
    k: int
    stages: int
    sharers: int
    apart: bool


class Estimate(NamedTuple):
    """Cycles of the whole, what bounds a step ("product", "copies" or "latency"), and the part of
    the tensor cores' time that multiplies elements of the product."""

    cycles: float
    bound: str
    efficiency: float


def stage_bytes(choice: Choice, size: int) -> int:
    """Bytes of the two tiles of a stage with elements of `size` bytes."""
    return (choice.m + choice.n) * choice.k * size


def estimate(chip: Chip, shape: Shape, choice: Choice, size: int) -> Estimate:
    """What a product of elements of `size` bytes takes."""
    rate = chip.multiply_adds * 2 // size
    multiply = choice.m * choice.n * choice.k / rate
    # Each 64 rows, or 128, read their factors from shared memory for themselves.
    read = (choice.m * choice.k + ceil(choice.m / chip.rows) * choice.k * choice.n) * size
    compute = max(multiply, read / chip.shared_bytes)
    fetched = (choice.m + choice.n / choice.sharers) * choice.k * size
    copy = fetched / chip.cache_bytes
    overhead = _STEP_APART if choice.apart else _STEP_TOGETHER
    busy = max(compute + overhead, copy)
    exposed = max(0.0, (_LATENCY - (choice.stages - 1) * busy) / choice.stages)
    bound = "latency" if exposed > 0 else "copies" if copy > compute + overhead else "product"
    steps = ceil(shape.k / choice.k)
    store = choice.m * choice.n * 4 / _STORE_BYTES
    tiles = ceil(shape.m / choice.m) * ceil(shape.n / choice.n) * shape.batches
    block = _LATENCY + steps * (busy + exposed) + store
    cycles = ceil(tiles / chip.processors) * block
    ideal = shape.m * shape.n * shape.k * shape.batches / rate / chip.processors
    return Estimate(cycles, bound, ideal / cycles)


def best(
    chip: Chip,
    shape: Shape,
    size: int,
    candidates: Sequence[Choice],
    results: int,
) -> Choice:
    """The one of `candidates` that takes the least cycles, with as many of its stages as fit beside
    `results` memrefs that are stored through shared memory. Of equals the one that needs less of
    the machine."""
    found: list[tuple[float, int, Choice]] = []
    for candidate in candidates:
        reserved = _BARRIERS + results * ceil(candidate.m / 64) * _BOX_BYTES
        room = (chip.shared_limit - reserved) // stage_bytes(candidate, size)
        stages = max(1, min(candidate.stages, room, ceil(shape.k / candidate.k)))
        rows = ceil(shape.m / candidate.m)
        if candidate.sharers > 1 and (rows % candidate.sharers or stages == 1):
            continue
        choice = candidate._replace(stages=stages, apart=candidate.apart and stages > 1)
        cycles = estimate(chip, shape, choice, size).cycles
        found.append((cycles, choice.m * choice.n * choice.sharers * choice.stages, choice))
    return min(found)[2]
