# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Products by tiles of tensor core instructions, plain and circular-buffered, against NumPy.

Factors are small integers, so that sums are exact in every type and order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pytest

import xgpu
from tests.support.some_cases import long_each
from xgpu.core.passes.pipeline_text import parse_pipeline
from xgpu.core.syntax import context
from xgpu.driver import compiler

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

DTYPES = {"f16": np.float16, "f32": np.float32, "i8": np.int8, "i32": np.int32}


def dtype(element: str) -> np.dtype:
    """NumPy's type, for floats of 8 bits that of ml_dtypes."""
    if element not in DTYPES:
        types = pytest.importorskip("ml_dtypes", reason="needs ml_dtypes")
        return np.dtype(
            getattr(types, {"f8E4M3FN": "float8_e4m3fn", "f8E5M2": "float8_e5m2"}[element])
        )
    return np.dtype(DTYPES[element])


class Case(NamedTuple):
    """A product of these sizes; `a` and `b` say how the factors lie."""

    m: int
    n: int
    k: int
    options: str
    element: str = "f16"
    result: str = "f32"
    a: str = "m, k"
    b: str = "k, n"
    batch: int = 0
    dynamic: bool = False
    chip: str = "sm_80"

    def shape(self, order: str) -> tuple[int, ...]:
        sizes = {"m": self.m, "n": self.n, "k": self.k}
        batch = (self.batch,) if self.batch else ()
        return (*batch, *(sizes[name] for name in order.split(", ")))

    def type(self, order: str, element: str) -> str:
        extents = ("?" if self.dynamic else str(size) for size in self.shape(order))
        return f"memref<{'x'.join(extents)}x{element}>"

    def text(self) -> str:
        batch, name = ("z, ", "batch_matmul") if self.batch else ("", "matmul")
        maps = ", ".join(
            f"affine_map<({batch}m, n, k) -> ({batch}{order})>"
            for order in (self.a, self.b, "m, n")
        )
        a, b = self.type(self.a, self.element), self.type(self.b, self.element)
        c = self.type("m, n", self.result)
        return f"""
        func.func @product(%a: {a}, %b: {b}, %c: {c}) {{
          linalg.{name} indexing_maps = [{maps}] ins(%a, %b : {a}, {b}) outs(%c : {c})
          return
        }}"""


def built(text: str, options: str) -> ModuleOp:
    module = compiler.parse(text, "product.mlir")
    passes = f"gpu-tile-matmul{{{options}}},circular-buffer"
    parse_pipeline(f"builtin.module({passes})").run(module, context())
    return module


def check(case: Case) -> None:
    module = built(case.text(), case.options)
    random = np.random.default_rng(5)
    a, b, c = (
        random.integers(-4, 5, case.shape(order)).astype(dtype(element))
        for order, element in (
            (case.a, case.element),
            (case.b, case.element),
            ("m, n", case.result),
        )
    )
    left = a if case.a == "m, k" else np.swapaxes(a, -1, -2)
    right = b if case.b == "k, n" else np.swapaxes(b, -1, -2)
    wanted = c + left.astype(np.float64) @ right.astype(np.float64)
    # LLVM's optimizations take most of the time, and other tests have them.
    loaded = xgpu.load(module, device="host", chip=case.chip, opt_level=0)
    loaded.functions["product"](a, b, c)
    np.testing.assert_array_equal(c.astype(np.float64), wanted)


WGMMA = "instruction=wgmma stages=2"
TCGEN05 = "instruction=tcgen05 tile=128,64,64"
SHORT = [
    Case(136, 72, 200, f"{TCGEN05} stages=2", chip="sm_100a"),
    Case(16, 24, 64, "tile=16,16,32 warps=1,1 stages=2", "i8", "i32", dynamic=True),
    Case(72, 72, 136, f"{WGMMA} tile=64,64,64 mode=warp-specialized blocks=3 order=swizzled",
         a="k, m", b="n, k", batch=2, chip="sm_90a"),
    Case(72, 72, 144, f"{WGMMA} tile=64,64,128", "f8E4M3FN", b="n, k", chip="sm_90a"),
]  # fmt: skip
LONG = [
    Case(40, 56, 24, "tile=16,16,16 warps=1,1 stages=2 order=hilbert", batch=2),
    Case(72, 72, 40, f"{WGMMA} tile=64,64,32 tf32=1 mode=pipelined", "f32", b="n, k",
         chip="sm_90a"),
    Case(128, 72, 136, f"{WGMMA} tile=64,128,64 cluster=2,1", chip="sm_90a"),
    Case(16, 16, 8, "tile=16,16,8 warps=1,1 tf32=1 stages=2", "f32", a="k, m", b="n, k"),
    Case(136, 72, 136, f"{TCGEN05} stages=1 store=threads", a="k, m", chip="sm_100a"),
    Case(200, 136, 72, f"{WGMMA} tile=64,64,64 mode=warp-specialized blocks=3 order=hilbert",
         chip="sm_90a"),
    Case(40, 40, 24, "tile=16,16,16 warps=1,1 stages=2 blocks=2 order=swizzled"),
    Case(72, 72, 272, f"{WGMMA} tile=64,128,128", "i8", "i32", b="n, k", chip="sm_90a"),
    Case(130, 72, 72, f"{WGMMA} tile=128,64,64 warps=8,1", "f16", "f16", chip="sm_90a"),
    *(
        Case(136, 72, 200, f"{TCGEN05} stages={stages} mode={mode}", a=a, b=b, result=result,
             chip="sm_100a")
        for stages, mode in ((3, "pipelined"), (2, "pipelined-mbarrier"), (4, "warp-specialized"))
        for a, b, result in (("k, m", "n, k", "f16"), ("m, k", "k, n", "f32"))
    ),
    Case(264, 136, 200, "instruction=tcgen05 tile=256,64,64 stages=2 blocks=2 order=hilbert",
         result="f16", chip="sm_100a"),
    Case(256, 72, 136, "instruction=tcgen05 tile=128,128,64 stages=3 cluster=2,1", chip="sm_100a"),
    Case(128, 72, 272, "instruction=tcgen05 tile=128,64,128 store=threads", "i8", "i32", b="n, k",
         chip="sm_100a"),
    Case(72, 72, 272, "instruction=tcgen05 tile=128,64,128", "f8E5M2", b="n, k", chip="sm_100a"),
    Case(72, 72, 40, "instruction=tcgen05 tile=128,64,32 tf32=1", "f32", b="n, k", chip="sm_100a"),
    Case(72, 72, 72, TCGEN05, batch=2, chip="sm_100a"),
    *(
        Case(256, 136, 200, f"instruction=tcgen05 pairs=1 tile=128,128,64 stages={stages}", b=b,
             a=a, chip="sm_100a")
        for stages, a, b in ((1, "m, k", "n, k"), (2, "m, k", "k, n"), (3, "k, m", "k, n"))
    ),
    *(
        Case(m, n, k, f"tile=32,32,{depth} warps={w} stages={s} {tf32}", element, result, a, b)
        for m, n, k in ((64, 48, 40), (33, 47, 65), (7, 9, 3))
        for element, result, depth, tf32 in (
            ("f16", "f32", 16, ""), ("f16", "f16", 32, ""), ("i8", "i32", 32, ""),
            ("f32", "f32", 16, "tf32=1"),
        )
        for w, s, a, b in (
            ("1,1", 1, "m, k", "k, n"), ("2,1", 3, "k, m", "k, n"), ("1,2", 2, "m, k", "n, k"),
            ("2,1", 2, "k, m", "n, k"),
        )
    ),
    Case(130, 200, 72, ""),
    Case(40, 48, 24, "tile=32,32,16 warps=1,1", batch=3),
    Case(40, 50, 24, "tile=32,32,16 warps=1,1", dynamic=True),
    *(
        Case(m, n, k, f"instruction=wgmma tile={tile} stages={stages} mode={mode}", chip="sm_90a")
        for m, n, k in ((64, 64, 64), (100, 72, 200), (130, 136, 64), (8, 8, 8))
        for tile, stages in (("64,64,64", 2), ("64,128,64", 1))
        for mode in ("pipelined", "pipelined-mbarrier", "warp-specialized")
        if stages > 1 or mode == "pipelined"
    ),
    Case(136, 72, 272, f"{WGMMA} tile=128,64,128 warps=8,1", "f8E5M2", b="n, k", chip="sm_90a"),
    *(
        Case(200, 136, 136, f"instruction=wgmma stages={stages} mode={mode} tile={tile} {more}",
             result=result, a=a, b=b, chip="sm_90a")
        for tile, more in (("128,64,64", "warps=8,1"), ("64,128,64", "blocks=3 order=swizzled"),
                           ("192,64,64", "warps=12,1 blocks=2 store=threads"))
        for mode, stages in (("pipelined", 1), ("pipelined-mbarrier", 2), ("warp-specialized", 3))
        for a, b, result in (("k, m", "k, n", "f32"), ("m, k", "n, k", "f16"))
    ),
    *(
        Case(256, 256, 200, f"instruction=wgmma stages={stages} mode={mode} {more}",
             a=a, b=b, chip="sm_90a")
        for more in ("cluster=2,1 tile=64,128,64", "cluster=1,2 tile=128,64,64")
        for mode, stages in (("pipelined-mbarrier", 2), ("warp-specialized", 3))
        for a, b in (("k, m", "k, n"), ("m, k", "n, k"))
    ),
    Case(72, 72, 200, "instruction=wgmma tile=64,64,64 stages=2 mode=warp-specialized",
         chip="sm_90a"),
    Case(72, 72, 72, f"{WGMMA} tile=64,64,64 blocks=3 order=swizzled", a="k, m", b="n, k",
         batch=2, chip="sm_90a"),
    Case(33, 40, 24, "tile=32,32,16 warps=1,1 stages=2"),
]  # fmt: skip


@pytest.mark.parametrize("case", SHORT, ids=str)
def test_product(case: Case) -> None:
    check(case)


@pytest.mark.parametrize("case", long_each(LONG, 11), ids=str)
def test_more_products(case: Case) -> None:
    check(case)


EPILOGUE = """
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d1)>
func.func @layer(%a: memref<40x24xf16>, %b: memref<24x48xf16>, %c: memref<40x48xf32>,
                 %bias: memref<48xf32>, %d: memref<40x48xf16>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<40x48xf32>)
  linalg.matmul ins(%a, %b : memref<40x24xf16>, memref<24x48xf16>) outs(%c : memref<40x48xf32>)
  linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%c, %bias : memref<40x48xf32>, memref<48xf32>) outs(%d : memref<40x48xf16>) {
  ^bb0(%x: f32, %y: f32, %z: f16):
    %s = arith.addf %x, %y : f32
    %m = arith.maximumf %s, %zero : f32
    %t = arith.truncf %m : f32 to f16
    linalg.yield %t : f16
  }
  return
}
"""


def test_what_follows_is_computed_in_the_kernel() -> None:
    module = compiler.parse(EPILOGUE, "layer.mlir")
    pipeline = "gpu-gemm-pipeline{tile=16,16,16 warps=1,1}"
    parse_pipeline(f"builtin.module({pipeline})").run(module, context())
    assert not [op.name for op in module.walk() if op.name.startswith("linalg.")]
    assert len([op for op in module.walk() if op.name == "gpu.launch"]) == 1
    random = np.random.default_rng(3)
    a = random.integers(-4, 5, (40, 24)).astype(np.float16)
    b = random.integers(-4, 5, (24, 48)).astype(np.float16)
    bias = random.integers(-9, 10, 48).astype(np.float32)
    c, d = np.full((40, 48), 7, np.float32), np.zeros((40, 48), np.float16)
    xgpu.load(module, device="host", chip="sm_80").functions["layer"](a, b, c, bias, d)
    product = a.astype(np.float64) @ b.astype(np.float64)
    np.testing.assert_array_equal(c.astype(np.float64), product)
    np.testing.assert_array_equal(d.astype(np.float64), np.maximum(product + bias, 0))


def test_what_reads_other_elements_is_left_alone() -> None:
    """A transposed reader cannot be computed where the element is stored."""
    text = EPILOGUE.replace(
        "ins(%c, %bias : memref<40x48xf32>,", "ins(%e, %bias : memref<48x40xf32>,"
    )
    text = text.replace("%d: memref<40x48xf16>", "%e: memref<48x40xf32>, %d: memref<40x48xf16>")
    text = text.replace("[#id, #row, #id]", "[affine_map<(i, j) -> (j, i)>, #row, #id]")
    text = text.replace("outs(%d", "outs(%d").replace(
        "memref<48x40xf32>, memref<48xf32>)", "memref<48x40xf32>, memref<48xf32>)"
    )
    module = compiler.parse(text, "layer.mlir")
    parse_pipeline("builtin.module(gpu-tile-matmul{tile=16,16,16 warps=1,1})").run(
        module, context()
    )
    assert [op.name for op in module.walk() if op.name == "linalg.generic"] == ["linalg.generic"]


def test_what_overwrites_a_factor_is_left_alone() -> None:
    """Other blocks still read the factor while this one stores its tile."""
    text = """
    #id = affine_map<(d0, d1) -> (d0, d1)>
    func.func @square(%a: memref<48x48xf16>, %b: memref<48x48xf16>, %c: memref<48x48xf32>) {
      linalg.matmul ins(%a, %b : memref<48x48xf16>, memref<48x48xf16>) outs(%c : memref<48x48xf32>)
      linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
          ins(%c : memref<48x48xf32>) outs(%a : memref<48x48xf16>) {
      ^bb0(%x: f32, %y: f16):
        %t = arith.truncf %x : f32 to f16
        linalg.yield %t : f16
      }
      return
    }"""
    module = compiler.parse(text, "square.mlir")
    passes = "builtin.module(gpu-tile-matmul{tile=16,16,16 warps=1,1})"
    parse_pipeline(passes).run(module, context())
    assert [op.name for op in module.walk() if op.name == "linalg.generic"] == ["linalg.generic"]


def test_numbers_are_no_memory() -> None:
    """A step with a scalar operand is computed in the kernel, too."""
    text = """
    #id = affine_map<(d0, d1) -> (d0, d1)>
    #no = affine_map<(d0, d1) -> ()>
    func.func @scaled(%a: memref<16x16xf16>, %b: memref<16x16xf16>, %c: memref<16x16xf32>,
                      %bias: memref<1xf32>) {
      %0 = arith.constant 0 : index
      %s = memref.load %bias[%0] : memref<1xf32>
      linalg.matmul ins(%a, %b : memref<16x16xf16>, memref<16x16xf16>) outs(%c : memref<16x16xf32>)
      linalg.generic {indexing_maps = [#id, #no, #id], iterator_types = ["parallel", "parallel"]}
          ins(%c, %s : memref<16x16xf32>, f32) outs(%c : memref<16x16xf32>) {
      ^bb0(%x: f32, %y: f32, %z: f32):
        %t = arith.mulf %x, %y : f32
        linalg.yield %t : f32
      }
      return
    }"""
    module = compiler.parse(text, "scaled.mlir")
    passes = "builtin.module(gpu-tile-matmul{tile=16,16,16 warps=1,1})"
    parse_pipeline(passes).run(module, context())
    assert not [op.name for op in module.walk() if op.name.startswith("linalg.")]
