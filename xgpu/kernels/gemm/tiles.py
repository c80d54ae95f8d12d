# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How a product is cut: tiles of blocks, of warps, and of single instructions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import (
    BFloat16Type,
    Float16Type,
    Float32Type,
    IntegerType,
    f32,
    i8,
    i32,
)
from xdsl.ir import Attribute

from xgpu.core.ir.errors import error
from xgpu.kernels.circular.memory import STATIC_LIMIT
from xgpu.kernels.gemm.product import Product

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
    if warps_m * warps_n * WARP > 1024:
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
    return max(1, min(4, (STATIC_LIMIT - _BARRIERS) // tiles.bytes))
