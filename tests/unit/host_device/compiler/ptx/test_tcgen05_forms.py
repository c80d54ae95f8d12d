# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Further forms of tcgen05 against NumPy: rows that are shifted, columns of zeros, A of small
elements in tensor memory, and copies that unpack."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.support.some_cases import some
from tests.support.tensor_kernel import COLUMNS, SHARED, assembly, run_tensor, tensor_descriptor
from tests.support.tensor_products import Product, run_product
from tests.support.warp_kernel import packed
from tests.unit.host_device.compiler.ptx.test_tcgen05 import COPIES
from tests.unit.host_device.compiler.ptx.test_wgmma import image_of
from xgpu.core.ir.errors import DeviceError
from xgpu.host_device.compiler.code import Unsupported

pytestmark = pytest.mark.sampled(2)

F16: dict[str, Any] = {"kind": "f16", "d": "f32", "first": "f16", "second": "bf16"}
TF32: dict[str, Any] = {"kind": "tf32", "d": "f32", "first": "tf32", "second": "tf32"}
I8: dict[str, Any] = {"kind": "i8", "d": "s32", "first": "u8", "second": "s8"}
F8: dict[str, Any] = {"kind": "f8f6f4", "d": "f16", "first": "e5m2", "second": "e3m2"}


def random_cells(blocks: int) -> np.ndarray[Any, Any]:
    rng = np.random.default_rng(blocks)
    return rng.integers(0, 1 << 32, (blocks, 128, COLUMNS), dtype=np.uint32)


# -- rows that are shifted


@pytest.mark.parametrize(
    ("lane", "blocks", "intrinsic"), some([0, 32, 96], [1, 2], [False, True], of=7)
)
def test_shift(blocks: int, lane: int, intrinsic: bool):
    """Eight columns of a warp's lanes go down by one lane; the last one stays."""
    cells = random_cells(blocks)
    at = 24 + (lane << 16)
    issue = assembly(
        f"{{ .reg .b32 a; add.u32 a, @ta, {at}; tcgen05.shift.cta_group::{blocks}.down [a]; }}",
        ta="i32 %ta",
    )
    if intrinsic:
        issue = f"""  %n = add i32 %ta, {at}
  %p = inttoptr i32 %n to ptr addrspace(6)
  call void @llvm.nvvm.tcgen05.shift.down.cg{blocks}(ptr addrspace(6) %p)"""
    out = run_tensor(issue, {}, cells, np.zeros(SHARED * blocks, np.uint8))
    expected = cells.copy()
    expected[:, lane : lane + 31, 24:32] = cells[:, lane + 1 : lane + 32, 24:32]
    np.testing.assert_array_equal(out, expected)


def test_shift_begins_at_a_warp():
    issue = assembly(
        f"{{ .reg .b32 a; add.u32 a, @ta, {16 << 16}; tcgen05.shift.cta_group::1.down [a]; }}",
        ta="i32 %ta",
    )
    with pytest.raises(DeviceError, match="do not begin at the first of 32"):
        run_tensor(issue, {}, random_cells(1), np.zeros(SHARED, np.uint8))


@pytest.mark.parametrize(
    ("types", "blocks", "m", "sparse", "intrinsic"),
    some([F16, TF32, I8, F8], [(1, 128), (2, 256)], [False, True], [False, True], of=9),
)
def test_shifted_rows(types: dict[str, Any], blocks: int, m: int, sparse: bool, intrinsic: bool):
    """A is multiplied by as it is, and is shifted then."""
    run_product(
        Product(**types, m=m, n=16 * blocks, blocks=blocks, in_tensor=True, shifts=True,
                sparse=sparse, intrinsic=intrinsic)
    )  # fmt: skip


def test_rows_of_a_pair_are_shifted():
    run_product(Product(**F16, m=128, n=32, blocks=2, in_tensor=True, shifts=True))


def test_rows_that_cannot_be_shifted():
    with pytest.raises(DeviceError, match="rows of A that are not in all lanes"):
        run_product(Product(**F16, m=64, in_tensor=True, shifts=True))
    with pytest.raises(Unsupported, match="ashift is of A in tensor memory"):
        run_product(Product(**F16, m=128, shifts=True))
    with pytest.raises(Unsupported, match="ashift is of A in tensor memory"):
        run_product(Product(**F16, m=128, n=64, in_tensor=True, stationary=True, shifts=True))


def test_b_is_held_by_one_block():
    with pytest.raises(Unsupported, match="ws is of one block, without scales"):
        run_product(Product(**F16, m=256, n=64, blocks=2, stationary=True))


# -- columns of zeros


def zeros(skip: int, use: int, starts: str = "0000", first: str = "0000", shift: int = 0) -> int:
    """A descriptor; `starts` and `first` are of the last bank first."""
    found = 1 << 39 | (skip - 1) << 40 | (use - 1) << 48 | shift << 56 | int(first, 2) << 32
    return found | sum(int(start) << 8 * i for i, start in enumerate(reversed(starts)))


#: The last one is an example of the PTX ISA.
MASKS = [
    0, zeros(3, 4), zeros(3, 4, first="0101"), zeros(1, 1, "3210", "1111"), zeros(17, 5, "9180"),
    zeros(2, 256, "0000", "1010"), zeros(3, 4, shift=7), zeros(3, 4, shift=5) & ~(1 << 39),
    zeros(3, 4, "1210", "0011", 2),
]  # fmt: skip


@pytest.mark.parametrize(
    ("mask", "m", "intrinsic"), some(MASKS, [32, 64, 128], [False, True], of=13)
)
def test_columns_of_zeros(mask: int, m: int, intrinsic: bool):
    run_product(
        Product(**F16, m=m, n=64, stationary=True, zeros=mask, most_shifted=1, intrinsic=intrinsic)
    )


def test_mask_of_an_example():
    """Which columns it makes zeros, bit by bit as the PTX ISA writes it down."""
    from tests.support.tensor_products import zero_columns

    p = Product(**F16, m=32, n=64, stationary=True, zeros=MASKS[-1])
    ends = ["0000111", "000011", "11100", "111000"]
    found = zero_columns(p).reshape(4, 16)
    for bank, end in enumerate(ends):
        text = "".join("1" if column else "0" for column in reversed(found[bank]))
        assert text.endswith(end)


@pytest.mark.parametrize(
    ("types", "m", "in_tensor"), some([TF32, I8, F8], [32, 64, 128], [False, True], of=7)
)
def test_columns_of_zeros_of_all_kinds(types: dict[str, Any], m: int, in_tensor: bool):
    mask = zeros(3, 4, "1210", "0011", 2)
    run_product(
        Product(**types, m=m, n=64, stationary=True, zeros=mask, most_shifted=1,
                in_tensor=in_tensor)
    )  # fmt: skip


@pytest.mark.parametrize(
    ("m", "shift", "most"), [(128, 9, 1), (64, 1, 0), (64, 17, 2), (128, 33, 3), (32, 17, 3)]
)
def test_columns_are_shifted_too_far(m: int, shift: int, most: int):
    p = Product(**F16, m=m, n=64, stationary=True, zeros=zeros(1, 1, shift=shift))
    p.most_shifted = most
    with pytest.raises(DeviceError, match="further than the instruction descriptor allows"):
        run_product(p)


# -- A in tensor memory


@pytest.mark.parametrize(
    ("second", "blocks", "m"),
    some(["e4m3", "e2m3", "e2m1"], [(1, 64), (1, 128), (2, 128), (2, 256)]),
)
def test_a_of_4_bits(second: str, blocks: int, m: int):
    """Each is in the middle of a byte."""
    run_product(Product("f8f6f4", "f32", "e2m1", second, m, 16 * blocks, blocks, in_tensor=True))


@pytest.mark.parametrize(
    ("kind", "first", "scales", "blocks"),
    some(
        [("mxf8f6f4", "e2m1", 1), ("mxf8f6f4", "e4m3", 1), ("mxf4", "e2m1", 2),
         ("mxf4nvf4", "e2m1", 2), ("mxf4nvf4", "e2m1", 4)],
        [1, 2],
    ),
)  # fmt: skip
def test_a_of_scaled_blocks(kind: str, first: str, scales: int, blocks: int):
    """Of the kinds of 4 bits two are in a byte."""
    run_product(
        Product(kind, "f32", first, "e2m1", 128 * blocks, 16 * blocks, blocks, in_tensor=True,
                scales=scales)
    )  # fmt: skip


@pytest.mark.parametrize("m", [32, 64, 128])
def test_a_where_b_is_held(m: int):
    """Lanes that are left over have A of their own."""
    run_product(Product(**F16, m=m, n=64, stationary=True, in_tensor=True))


@pytest.mark.parametrize("first", ["e2m3", "e3m2"])
def test_a_of_6_bits(first: str):
    p = Product("f8f6f4", "f32", first, "e4m3", 128, in_tensor=True)
    with pytest.raises(DeviceError, match="A of 6 bits in tensor memory"):
        run_product(p)


# -- copies


@pytest.mark.parametrize(
    ("shape", "blocks", "intrinsic"), some(list(COPIES), [1, 2], [False, True], of=7)
)
def test_copies_that_unpack(shape: str, blocks: int, intrinsic: bool):
    """Sixteen elements of 4 bits and 8 bytes that do not count become 16 bytes."""
    rows, width, lanes = COPIES[shape]
    rng = np.random.default_rng(2)
    codes = rng.integers(0, 16, (blocks, rows, width // 16, 16)).astype(np.uint64)
    data = rng.integers(0, 256, (blocks, rows, width // 16, 16), dtype=np.uint8)
    data[..., :8] = packed(codes, 4)
    image, leading, stride = np.zeros((blocks, SHARED), np.uint8), 0, 0
    for block in range(blocks):
        given = data[block].reshape(rows, width).astype(np.uint64)
        content, leading, stride = image_of(given, 8, 16, False)
        image[block, : len(content)] = content
    issue = assembly(
        f"tcgen05.cp.cta_group::{blocks}.{shape}.b8x16.b4x16_p64 [@ta], @da;",
        ta="i32 %ta", da="i64 %da",
    )  # fmt: skip
    if intrinsic:
        name = f"{shape.replace('.', '_').replace('::', '_')}.b4x16_p64.cg{blocks}"
        issue = f"  call void @llvm.nvvm.tcgen05.cp.{name}(ptr addrspace(6) %tm, i64 %da)"
    cells = random_cells(blocks)
    out = run_tensor(issue, {"da": tensor_descriptor(0, leading, stride, 16)}, cells, image)
    expected = cells.copy()
    for row in range(rows):
        for lane in lanes(row):
            bytes_of_row = (codes[:, row] << np.uint64(2)).astype(np.uint8).reshape(blocks, width)
            expected[:, lane, : width // 4] = bytes_of_row.view(np.uint32)
    np.testing.assert_array_equal(out, expected)


def test_copies_of_6_bits():
    issue = assembly(
        "tcgen05.cp.cta_group::1.128x128b.b8x16.b6x16_p32 [@ta], @da;", ta="i32 %ta", da="i64 %da"
    )
    given = {"da": tensor_descriptor(0, 128, 128, 16)}
    with pytest.raises(Unsupported, match="elements of 6 bits"):
        run_tensor(issue, given, random_cells(1), np.zeros(SHARED, np.uint8))
