# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tcgen05.mma with sparse A, whose metadata lie in tensor memory, against NumPy."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.some_cases import long_first, some
from tests.support.tensor_products import Product, run_product
from xgpu.core.ir.errors import DeviceError

pytestmark = pytest.mark.sampled(2)

KINDS: dict[str, dict[str, Any]] = {
    "f16": {"kind": "f16", "d": "f32", "first": "f16", "second": "bf16"},
    "f16-f16": {"kind": "f16", "d": "f16", "first": "f16", "second": "f16"},
    "tf32": {"kind": "tf32", "d": "f32", "first": "tf32", "second": "tf32"},
    "i8": {"kind": "i8", "d": "s32", "first": "s8", "second": "u8"},
    "f8": {"kind": "f8f6f4", "d": "f32", "first": "e4m3", "second": "e5m2"},
    "f4f6": {"kind": "f8f6f4", "d": "f16", "first": "e2m1", "second": "e3m2"},
}
SCALED: dict[str, dict[str, Any]] = {
    "mxf8f6f4": {"kind": "mxf8f6f4", "first": "e5m2", "second": "e4m3", "scales": 1},
    "mxf8f6f4-f4": {"kind": "mxf8f6f4", "first": "e2m1", "second": "e2m3", "scales": 1},
    "mxf4": {"kind": "mxf4", "first": "e2m1", "second": "e2m1", "scales": 2},
    "mxf4nvf4-2": {"kind": "mxf4nvf4", "first": "e2m1", "second": "e2m1", "scales": 2},
    "mxf4nvf4-4": {"kind": "mxf4nvf4", "first": "e2m1", "second": "e2m1", "scales": 4},
}
SIZES = [(1, 64), (1, 128), (2, 128), (2, 256)]


@pytest.mark.parametrize(
    ("kind", "blocks", "m", "in_tensor"), some(list(KINDS), SIZES, [False, True], of=11)
)
def test_sparse(kind: str, blocks: int, m: int, in_tensor: bool):
    run_product(
        Product(**KINDS[kind], m=m, n=16 * blocks, blocks=blocks, sparse=True, in_tensor=in_tensor)
    )


@pytest.mark.parametrize(("kind", "blocks"), some(["f16", "tf32"], [1, 2]))
def test_second_column(kind: str, blocks: int):
    """The selector says which of two columns has the metadata."""
    for m in (64 * blocks, 128 * blocks):
        run_product(
            Product(**KINDS[kind], m=m, n=16 * blocks, blocks=blocks, sparse=True, selector=1)
        )


@pytest.mark.parametrize("blocks", [1, 2])
@pytest.mark.parametrize("kind", ["f16", "i8"])
def test_other_half_of_the_lanes(kind: str, blocks: int):
    """Where sixteen lanes of each warp are used, all that is in them may be in the other ones."""
    run_product(
        Product(**KINDS[kind], m=64 * blocks, n=16 * blocks, blocks=blocks, sparse=True,
                in_tensor=True, lane=16)
    )  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "blocks", "in_tensor"), some(list(SCALED), [1, 2], [False, True], of=7)
)
def test_scaled_blocks(kind: str, blocks: int, in_tensor: bool):
    """A scale is for twice as many columns as without sparsity."""
    run_product(
        Product(**SCALED[kind], d="f32", m=128 * blocks, n=16 * blocks, blocks=blocks, sparse=True,
                in_tensor=in_tensor)
    )  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "m", "in_tensor"),
    some(["f16", "tf32", "i8", "f8"], [32, 64, 128], [False, True], of=7),
)
def test_b_is_held(kind: str, m: int, in_tensor: bool):
    """Each bank of lanes has its own metadata, and its own A in tensor memory."""
    run_product(
        Product(**KINDS[kind], m=m, n=64, sparse=True, stationary=True, in_tensor=in_tensor,
                selector=int(kind == "tf32"))
    )  # fmt: skip


MORE = [
    {"m": 128}, {"m": 64, "in_tensor": True}, {"m": 128, "exponent": 3},
    {"m": 128, "masked": 1 << 77 | 7}, {"m": 64, "stationary": True, "n": 64},
    {"m": 64, "stationary": True, "n": 64, "zeros": 1 << 39 | 2 << 40 | 3 << 48},
    {"m": 256, "blocks": 2, "masked": 1 << 130 | 1, "n": 32},
    {"m": 64, "lane": 16, "masked": 1 << 16 | 1 << 35 | 1 << 50},
]  # fmt: skip


@pytest.mark.parametrize(("more", "intrinsic"), some(MORE, [True, False]))
def test_what_else_a_product_says(more: dict[str, Any], intrinsic: bool):
    run_product(Product(**KINDS["f16"], sparse=True, intrinsic=intrinsic, **more))


@pytest.mark.parametrize("kind", list(SCALED))
def test_scaled_blocks_by_intrinsics(kind: str):
    blocks = 2 if kind == "mxf4" else 1
    p = Product(**SCALED[kind], d="f32", m=128 * blocks, n=32, blocks=blocks, sparse=True)
    p.intrinsic = True
    run_product(p)


@pytest.mark.parametrize("in_tensor", [False, True])
@pytest.mark.parametrize("n", long_first([16, 32, 64]))
@pytest.mark.parametrize(("blocks", "m"), SIZES)
@pytest.mark.parametrize("first", ["e4m3", "e5m2", "e2m3", "e3m2", "e2m1"])
def test_every_small_type(first: str, blocks: int, m: int, n: int, in_tensor: bool):
    if in_tensor and first in ("e2m3", "e3m2"):
        return
    for second in ("e4m3", "e5m2", "e2m3", "e3m2", "e2m1"):
        run_product(
            Product("f8f6f4", "f32", first, second, m, max(n, 16 * blocks), blocks,
                    in_tensor=in_tensor, sparse=True)
        )  # fmt: skip


# -- what has no meaning


@pytest.mark.parametrize(
    ("kind", "more"),
    [
        ("f16", {"selector": 2}), ("f16", {"selector": 3}), ("i8", {"selector": 1}),
        ("f8", {"selector": 1}), ("f16", {"lane": 16}),
    ],
)  # fmt: skip
def test_metadata_that_are_nowhere(kind: str, more: dict[str, Any]):
    p = Product(**KINDS[kind], m=128, sparse=True, **more)
    with pytest.raises(DeviceError, match="metadata that are not in an even column"):
        run_product(p)


def test_sparsity_of_the_descriptor():
    for sparse in (False, True):
        p = Product(**KINDS["f16"], m=128, sparse=sparse, wrong=4)
        with pytest.raises(DeviceError, match="another sparsity than the instruction's"):
            run_product(p)


def test_scaled_blocks_of_a_pair_have_256_rows():
    p = Product(**SCALED["mxf8f6f4"], d="f32", m=128, n=32, blocks=2, sparse=True)
    with pytest.raises(DeviceError, match="sizes that do not belong together"):
        run_product(p)
