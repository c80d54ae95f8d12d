# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a matrix product is, how it is cut into tiles, and the choice of tiles by a cost model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import NamedTuple

from xdsl.dialects.builtin import (
    BFloat16Type,
    Float16Type,
    Float32Type,
    IntegerType,
    MemRefType,
    f32,
    i8,
    i32,
)
from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineMap

from xgpu.core.ir.construction import defining
from xgpu.core.ir.errors import error
from xgpu.core.support.gpu_limits import MAX_STATIC_SHARED, MAX_THREADS
from xgpu.dialects.linalg import ops

# --- product -------------------------------------------------------------------------------------
# What a matrix product is: C[b.., m, n] += A[b.., m, k] * B[b.., k, n], in any order of indices.
#
# A structured operation on two inputs is one if its loops are parallel but for one, its maps are
# permutations of loops, and its body multiplies and adds. Names do not matter: `linalg.matmul`,
# batch and transposed forms and `linalg.generic` are recognized by maps and body.


#: Changes of a factor's type that a product of this hardware makes by itself.
_WIDENS = frozenset({"arith.extf", "arith.extsi"})
_MULTIPLIES = frozenset({"arith.mulf", "arith.muli"})
_ADDS = frozenset({"arith.addf", "arith.addi"})


@dataclass(frozen=True)
class Operand:
    """A memref of the product, and which loop runs along each of its dimensions."""

    value: SSAValue
    loops: tuple[int, ...]

    @property
    def type(self) -> MemRefType[Attribute]:
        found = self.value.type
        assert isinstance(found, MemRefType)
        return found

    @property
    def element(self) -> Attribute:
        return self.type.element_type


@dataclass(frozen=True)
class Product:
    """A product; `m`, `n`, `k` and `batch` are its loops."""

    op: Operation
    a: Operand
    b: Operand
    c: Operand
    batch: tuple[int, ...]
    m: int
    n: int
    k: int

    @property
    def is_integer(self) -> bool:
        return isinstance(self.a.element, IntegerType)

    def static_size(self, loop: int) -> int | None:
        """How often a loop runs, if a type says so."""
        for operand in (self.a, self.b, self.c):
            if loop in operand.loops:
                size = operand.type.get_shape()[operand.loops.index(loop)]
                if size >= 0:
                    return size
        return None


def product_of(op: Operation) -> Product | None:
    """What `op` multiplies, or None if it is no matrix product on memrefs. Raises a diagnostic for
    one on tensors: they have no place that threads could write."""
    if not ops.is_structured(op):
        return None
    inputs, outputs = ops.inputs(op), ops.outputs(op)
    if (len(inputs), len(outputs)) != (2, 1) or not _multiplies_and_adds(op):
        return None
    kinds = ops.iterator_types(op)
    if kinds.count("reduction") != 1 or kinds.count("parallel") != len(kinds) - 1:
        return None
    loops = [_loops(map) for map in ops.indexing_maps(op)]
    if any(found is None for found in loops):
        return None
    a, b, c = (
        Operand(value, found or ()) for value, found in zip((*inputs, *outputs), loops, strict=True)
    )
    if not ops.is_on_buffers(op):
        raise error(op, "a matrix product on tensors has to be bufferized first")
    return _assigned(op, a, b, c, kinds.index("reduction"), len(kinds))


def _assigned(
    op: Operation, a: Operand, b: Operand, c: Operand, k: int, count: int
) -> Product | None:
    in_a, in_b, in_c = set(a.loops), set(b.loops), set(c.loops)
    if k not in in_a & in_b or k in in_c:
        return None
    only_a, only_b = in_a & in_c - in_b, in_b & in_c - in_a
    shared = in_a & in_b & in_c
    if len(only_a) != 1 or len(only_b) != 1 or len(shared) + 3 != count:
        return None
    return Product(op, a, b, c, tuple(sorted(shared)), only_a.pop(), only_b.pop(), k)


def _loops(map: AffineMap) -> tuple[int, ...] | None:
    """The loop of each result of a map that selects different ones."""
    found = [e.position for e in map.results if isinstance(e, AffineDimExpr)]
    if len(found) != len(map.results) or len(set(found)) != len(found):
        return None
    return tuple(found)


def _multiplies_and_adds(op: Operation) -> bool:
    """Whether the body yields its last argument plus the product of the other two."""
    if not op.regions or op.regions[0].first_block is None:
        return False
    block = op.regions[0].block
    last = block.last_op
    if len(block.args) != 3 or last is None or len(last.operands) != 1:
        return False
    total = defining(last.operands[0], *_ADDS)
    if total is None:
        return False
    terms = [value for value in total.operands if value is not block.args[2]]
    factors = defining(terms[0], *_MULTIPLIES) if len(terms) == 1 else None
    return factors is not None and [_origin(v) for v in factors.operands] == list(block.args[:2])


def _origin(value: SSAValue) -> SSAValue:
    """The argument of which `value` is a wider form."""
    while not isinstance(value, BlockArgument):
        widening = defining(value, *_WIDENS)
        if widening is None:
            return value
        value = widening.operands[0]
    return value


def elements_before(type: MemRefType[Attribute], position: int) -> Sequence[int] | None:
    """The static strides of the dimensions before `position`; None if one is not known, or if
    neighbours along `position` are not neighbours in memory."""
    strides = type.get_strides()
    offset = type.get_offset()
    if strides is None or strides[position] != 1 or offset is None:
        return None
    known = [stride for stride in (*strides[:position], offset) if stride is not None]
    return known if len(known) == position + 1 else None


# --- tiles ---------------------------------------------------------------------------------------
# How a product is cut: tiles of blocks, of warps, and of single instructions.


WARP = 32
#: Rows and columns of what a warp's mma.sync multiplies, for all types here.
ROWS, COLUMNS = 16, 8
#: Bytes of a row of a box, which TMA and wgmma swizzle; rows that a warpgroup multiplies at once.
ROW_BYTES, GROUP_ROWS = 128, 64
#: Warps of a warpgroup; registers of a thread for sums, beyond which none are left for the rest.
GROUP_WARPS, _MOST_SUMS = 4, 128
#: Bytes that barriers of all stages take at most, rounded up.
_BARRIERS = 256
#: Columns that one wgmma multiplies at most.
_MOST_COLUMNS = 256
#: Registers of 32 bits of a thread for the left factor, and for the right one.
LEFT, RIGHT = 4, 2
#: Bytes along k that one mma.sync or wgmma multiplies.
_BYTES = 32
#: Columns that tiles of wgmma are multiples of: those of a box of 16-bit elements.
_PIECE = 64
#: Warpgroups of a block that multiply, beside one that copies; registers of an SM, and of a thread
#: that has been given more.
_MOST_GROUPS, _REGISTERS, _MOST_REGISTERS = 3, 65536, 232
#: Rows of sums in tensor memory, one a lane; columns that there are, and the fewest that are given.
TENSOR_LANES, _TENSOR_COLUMNS, _LEAST_COLUMNS = 128, 512, 32
#: Elements of 8 bits that wgmma multiplies.
F8 = ("f8E4M3FN", "f8E5M2")
_NEEDS_TF32 = (
    "a product of f32 needs the option tf32, which takes the 10 leading bits of each factor's "
    "fraction: there is no instruction for all of f32"
)


@dataclass(frozen=True)
class Tiles:
    """Sizes in elements: of a block's tile, how many warps share it each way, and how far one
    instruction goes along k."""

    m: int
    n: int
    k: int
    warps_m: int
    warps_n: int
    step: int
    element_bytes: int

    @property
    def threads(self) -> int:
        return self.warps_m * self.warps_n * WARP

    @property
    def bytes(self) -> int:
        """Of the two tiles of a stage, with rows padded by 16 bytes, whichever way they lie."""
        return max(
            (self.m + self.n) * (self.k * self.element_bytes + 16),
            self.k * ((self.m + self.n) * self.element_bytes + 32),
        )

    @property
    def rows(self) -> int:
        """Instructions of a warp along m."""
        return self.m // (self.warps_m * ROWS)

    @property
    def columns(self) -> int:
        """Instructions of a warp along n."""
        return self.n // (self.warps_n * COLUMNS)


def accumulator(product: Product) -> Attribute:
    """The type that sums are kept in: as wide as the instruction has it."""
    return i32 if product.is_integer else f32


def instruction_step(product: Product, *, tf32: bool) -> int:
    """How far one mma.sync goes along k. Raises for types that it does not multiply."""
    left, right, to = product.a.element, product.b.element, product.c.element
    if left == right:
        if isinstance(left, Float16Type | BFloat16Type) and to in (left, f32):
            return 16
        if isinstance(left, IntegerType) and left.width.data == 8 and to == i32:
            return 32
        if isinstance(left, Float32Type) and to == f32:
            if tf32:
                return 8
            raise error(product.op, _NEEDS_TF32)
    raise error(
        product.op, f"no tensor core instruction multiplies {left} by {right} and adds to {to}"
    )


def tiles_of(product: Product, tile: Sequence[int], warps: Sequence[int], *, tf32: bool) -> Tiles:
    """The tiles that were asked for. Raises for impossible ones."""
    step = instruction_step(product, tf32=tf32)
    for name, given, count in (("tile", tile, 3), ("warps", warps, 2)):
        if (given or name == "tile") and (len(given) != count or any(size <= 0 for size in given)):
            raise error(product.op, f"{name} has to be {count} positive numbers, got {list(given)}")
    m, n, k = tile
    warps_m, warps_n = warps or _spread(m, n)
    if m % (warps_m * ROWS) or n % (warps_n * COLUMNS * 2) or k % step:
        raise error(
            product.op,
            f"a tile of {m}x{n}x{k} shared by {warps_m}x{warps_n} warps is not made of pieces of "
            f"{ROWS}x{2 * COLUMNS}x{step}",
        )
    if warps_m * warps_n * WARP > MAX_THREADS:
        raise error(product.op, f"{warps_m}x{warps_n} warps are more than the 32 of a block")
    return Tiles(m, n, k, warps_m, warps_n, step, _BYTES // step)


def _spread(m: int, n: int) -> tuple[int, int]:
    """Four warps, or as many as there are pieces of 32 by 32: squares reuse most."""
    along_m = 2 if m >= 2 * ROWS else 1
    along_n = 2 if n >= 4 * COLUMNS else 1
    return along_m, along_n


def warpgroup_tiles_of(
    product: Product, tile: Sequence[int], warps: Sequence[int], *, tf32: bool
) -> Tiles:
    """The tiles of warpgroups, which share a block's rows. Raises for types and sizes that wgmma is
    not used for here."""
    size = warpgroup_bytes(product, tf32=tf32)
    depth = ROW_BYTES // size
    m, n, k = _three(product, tile)
    if m % GROUP_ROWS or n % _PIECE or n > _MOST_COLUMNS or k != depth:
        raise error(
            product.op,
            f"a tile of {m}x{n}x{k} is not what a warpgroup multiplies: rows have to be a multiple "
            f"of {GROUP_ROWS}, columns a multiple of {_PIECE} up to {_MOST_COLUMNS}, the depth "
            f"{depth}",
        )
    groups = _groups(product, m, n, warps)
    return Tiles(m, n, k, GROUP_WARPS * groups, 1, _BYTES // size, size)


def tensor_tiles_of(
    product: Product, tile: Sequence[int], warps: Sequence[int], *, tf32: bool
) -> Tiles:
    """The tiles of a warpgroup whose sums lie in tensor memory. Raises for types and sizes that
    tcgen05 is not used for here."""
    size = warpgroup_bytes(product, tf32=tf32, instruction="tcgen05")
    depth = ROW_BYTES // size
    m, n, k = _three(product, tile)
    if m % TENSOR_LANES or n % _PIECE or n > _MOST_COLUMNS or k != depth:
        raise error(
            product.op,
            f"a tile of {m}x{n}x{k} is not what tcgen05 multiplies: rows have to be a multiple of "
            f"{TENSOR_LANES}, columns a multiple of {_PIECE} up to {_MOST_COLUMNS}, the depth "
            f"{depth}",
        )
    if list(warps) not in ([], [GROUP_WARPS, 1]):
        raise error(
            product.op, f"tcgen05 is asked for and stored by 4 warps along m, got {list(warps)}"
        )
    if m // TENSOR_LANES * n > _TENSOR_COLUMNS:
        raise error(
            product.op,
            f"a tile of {m}x{n} needs {m // TENSOR_LANES * n} columns of tensor memory, which has "
            f"{_TENSOR_COLUMNS}",
        )
    return Tiles(m, n, k, GROUP_WARPS, 1, _BYTES // size, size)


def tensor_columns(tiles: Tiles) -> int:
    """Columns of tensor memory that hold a tile's sums: a power of two is given."""
    found, wanted = _LEAST_COLUMNS, tiles.m // TENSOR_LANES * tiles.n
    while found < wanted:
        found *= 2
    return found


def _three(product: Product, tile: Sequence[int]) -> Sequence[int]:
    if len(tile) != 3 or any(extent <= 0 for extent in tile):
        raise error(product.op, f"tile has to be 3 positive numbers, got {list(tile)}")
    return tile


def warpgroup_bytes(product: Product, *, tf32: bool, instruction: str = "wgmma") -> int:
    """The bytes of a factor's element. Raises for types that `instruction` is not used for here."""
    left, right, to = product.a.element, product.b.element, product.c.element
    if left == right and isinstance(left, Float16Type | BFloat16Type) and to in (left, f32):
        return 2
    if left == right == f32 and to == f32:
        if tf32:
            return 4
        raise error(product.op, _NEEDS_TF32)
    if left.name in F8 and right.name in F8 and to == f32:
        return 1
    if left == right == i8 and to == i32:
        return 1
    raise error(
        product.op,
        f"{instruction} is used for f16, bf16, f8E4M3FN, f8E5M2 and, as tf32, f32, with sums in "
        f"f32, and for i8 with sums in i32; not to multiply {left} by {right} and add to {to}",
    )


def _groups(product: Product, m: int, n: int, warps: Sequence[int]) -> int:
    """How many warpgroups share a tile: the fewest whose threads have registers for the sums, or
    what `warps` says."""
    rows = m // GROUP_ROWS
    if warps:
        if len(warps) != 2 or warps[1] != 1 or warps[0] <= 0 or warps[0] % GROUP_WARPS:
            raise error(
                product.op,
                f"warps of wgmma are 4, 8, .. along m and one along n, got {list(warps)}",
            )
        groups = warps[0] // GROUP_WARPS
        if rows % groups:
            raise error(
                product.op, f"{groups} warpgroups cannot share {rows} times {GROUP_ROWS} rows"
            )
        return groups
    for groups in range(1, _MOST_GROUPS + 1):
        if rows % groups == 0 and rows // groups * n // 2 <= _MOST_SUMS:
            return groups
    raise error(
        product.op,
        f"a tile of {m}x{n} needs more than the {_MOST_SUMS} registers for sums that each thread "
        f"of {_MOST_GROUPS} warpgroups can give: make it smaller",
    )


def shared_registers(tiles: Tiles) -> tuple[int, int]:
    """Registers of a thread that copies and of one that multiplies, where a warpgroup that copies
    joins those of `tiles`: together the 65,536 that an SM has, in steps of 8."""
    copies = 40 if tiles.warps_m <= 2 * GROUP_WARPS else 32
    rest = (_REGISTERS // (GROUP_WARPS * WARP) - copies) // (tiles.warps_m // GROUP_WARPS)
    return copies, min(_MOST_REGISTERS, rest // 8 * 8)


def stages_that_fit(tiles: Tiles) -> int:
    """As many tiles as a block's variables of workgroup memory can hold, at most four."""
    return max(1, min(4, (MAX_STATIC_SHARED - _BARRIERS) // tiles.bytes))


# --- cost ----------------------------------------------------------------------------------------
# How long a product takes, by a model on paper: docs/concepts/gemm.md as code.
#
# A block's step along k multiplies, copies and waits. Multiplying takes as many cycles as the
# tensor cores need, or as shared memory needs to give them the factors; copying as many as the
# cache of the whole chip needs for a processor's share; what is left of a copy's latency after the
# steps that other stages hide is added. A wave of blocks takes as long as one block, and a product
# as many waves as it has blocks for all processors. That leaves out clocks, memory beyond the
# cache and what compilers do: it orders options by what bounds them, and says nothing about
# seconds.


#: Cycles from asking for a tile until it is there (assumed), and those that a step costs in
#: barriers and issue where the same warps copy and multiply, or other warps copy.
_LATENCY, _STEP_TOGETHER, _STEP_APART = 1000, 100, 30
#: Bytes of results that a processor stores a cycle.
_STORE_BYTES = 32
#: Shared memory of barriers, and of 64 rows of results on their way to memory.
_COST_BARRIERS, _BOX_BYTES = 1024, 8192


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
        reserved = _COST_BARRIERS + results * ceil(candidate.m / 64) * _BOX_BYTES
        room = (chip.shared_limit - reserved) // stage_bytes(candidate, size)
        stages = max(1, min(candidate.stages, room, ceil(shape.k / candidate.k)))
        rows = ceil(shape.m / candidate.m)
        if candidate.sharers > 1 and (rows % candidate.sharers or stages == 1):
            continue
        choice = candidate._replace(stages=stages, apart=candidate.apart and stages > 1)
        cycles = estimate(chip, shape, choice, size).cycles
        found.append((cycles, choice.m * choice.n * choice.sharers * choice.stages, choice))
    return min(found)[2]


# --- choosing ------------------------------------------------------------------------------------
# Options of a product that are not given, by the model of `cost`.


#: What a size that is not known is taken for.
_UNKNOWN = 4096
#: Rows and columns of a block's tile.
_TILES = {
    "wgmma": ((64, 64), (64, 128), (64, 256), (128, 64), (128, 128), (128, 256), (256, 128)),
    "tcgen05": ((128, 64), (128, 128), (128, 256), (256, 64), (256, 128), (256, 256)),
}
_MOST_STAGES = 4
#: Columns of a box of 16-bit elements that lie along n.
_BOX_COLUMNS = 64


def shape_of(product: Product) -> Shape:
    batches = 1
    for loop in product.batch:
        batches *= product.static_size(loop) or 1
    m, n, k = (product.static_size(loop) or _UNKNOWN for loop in (product.m, product.n, product.k))
    return Shape(m, n, k, batches)


def choose_for_warpgroups(
    instruction: str,
    product: Product,
    size: int,
    depth: int,
    stages: int,
    results: int,
    *,
    may_share: bool,
) -> Choice:
    """A tile `depth` deep, with as many stages as are given or fit; `may_share` says whether pairs
    of blocks may share copies."""
    is_known = product.static_size(product.m) is not None
    sharers = (1, 2) if may_share and is_known and not product.batch else (1,)
    candidates = [
        Choice(m, n, depth, stages or _MOST_STAGES, count, apart=True)
        for m, n in _TILES[instruction]
        for count in sharers
        if n % (_BOX_COLUMNS * count) == 0  # what each of them asks for is boxes
    ]
    return best(CHIPS[instruction], shape_of(product), size, candidates, results)


def choose_for_warps(product: Product, size: int, step: int, stages: int) -> Choice:
    """A tile no larger than the product."""
    shape = shape_of(product)
    candidates = [
        Choice(m, n, 2 * step, stages or _MOST_STAGES, 1, apart=False)
        for m in _extents(shape.m, ROWS)
        for n in _extents(shape.n, 2 * COLUMNS)
    ]
    return best(CHIPS["mma.sync"], shape, size, candidates, 0)


def _extents(size: int, piece: int) -> Sequence[int]:
    """`piece` times powers of two up to 128, the last of which covers a smaller size."""
    found = [piece]
    while found[-1] < 128 and found[-1] < size:
        found.append(2 * found[-1])
    return found
