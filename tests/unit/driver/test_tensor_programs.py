# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The programs of examples/tensors, by passes alone to kernels on the host device, beside NumPy."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp

import xgpu
from tests.support.some_cases import each, short
from xgpu.core.ir.errors import DiagnosticError
from xgpu.core.passes.pipeline_text import parse_pipeline
from xgpu.core.syntax import context, parse_module

EXAMPLES = Path(__file__).parents[3] / "examples" / "tensors"
PASSES = "builtin.module(gpu-kernels-from-linalg-pipeline)"
Array = np.ndarray[Any, Any]


def _softmax(x: Array) -> Array:
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def _layer_norm(x: Array, gain: Array, bias: Array) -> Array:
    mean, variance = x.mean(axis=1, keepdims=True), x.var(axis=1, keepdims=True)
    return (x - mean) / np.sqrt(variance + 1e-5) * gain + bias


def _scores(q: Array, k: Array) -> Array:
    scores = np.einsum("bid,bjd->bij", q, k) * 0.125
    i, j = np.indices(scores.shape[1:])
    return np.where(j <= i, scores, -np.inf)


def _convolution(x: Array, w: Array) -> Array:
    windows = np.lib.stride_tricks.sliding_window_view(x, w.shape[2:], axis=(2, 3))
    return np.einsum("ncpqrs,fcrs->nfpq", windows, w)


#: Shapes of the static function, other shapes for the dynamic one, and the result in NumPy.
PROGRAMS: dict[str, tuple[list[tuple[int, ...]], list[tuple[int, ...]], Callable[..., Array]]] = {
    "matmul": ([(257, 129), (129, 65)], [(70, 33), (33, 129)], np.matmul),
    "batch_matmul": ([(3, 33, 40), (3, 40, 70)], [(2, 65, 17), (2, 17, 66)], np.matmul),
    "convolution": ([(2, 3, 20, 37), (5, 3, 3, 3)], [(1, 2, 9, 12), (3, 2, 4, 2)], _convolution),
    "softmax": ([(19, 300)], [(300, 7)], _softmax),
    "layer_norm": ([(21, 130), (130,), (130,)], [(5, 64), (64,), (64,)], _layer_norm),
    "attention_scores": ([(2, 50, 64), (2, 50, 64)], [(1, 70, 20), (1, 66, 20)], _scores),
    "elementwise_chain": (
        [(37, 101), (37, 101), (101,)],
        [(3, 700), (3, 700), (700,)],
        lambda x, y, b: np.maximum(np.tanh(x * y + x) + b, 1),
    ),
    "column_sum": ([(61, 517)], [(300, 3)], lambda x: x.sum(axis=0)),
    "transpose": ([(5, 43, 34)], [(7, 2, 65)], lambda x: x.transpose(2, 0, 1)),
    "gather": ([(16, 71), (45,)], [(9, 300), (4,)], lambda table, at: table[at]),
}


def _arguments(name: str, shapes: list[tuple[int, ...]]) -> list[Array]:
    rng = np.random.default_rng(7)
    arrays: list[Array] = [rng.standard_normal(shape).astype(np.float32) for shape in shapes]
    if name == "gather":
        arrays[1] = rng.integers(0, shapes[0][0], shapes[1])
    return arrays


@functools.cache
def _loaded(name: str) -> xgpu.Module:
    return xgpu.load(EXAMPLES / f"{name}.mlir", passes=PASSES, device="host")


# The other three have what is in these: sums in a product, and rows that are reduced.
@pytest.mark.parametrize(
    "name",
    short(PROGRAMS, *(PROGRAMS.keys() - {"batch_matmul", "layer_norm", "attention_scores"})),
)
def test_program(name: str) -> None:
    static, dynamic, expected = PROGRAMS[name]
    module = _loaded(name)
    for function, shapes in (("static", static), ("dynamic", dynamic), ("dynamic", static)):
        arguments = _arguments(name, shapes)
        copies = [array.copy() for array in arguments]
        result = module.functions[function](*arguments).numpy()
        wanted = expected(*arguments)
        assert result.shape == wanted.shape
        np.testing.assert_allclose(result, wanted, rtol=2e-5, atol=2e-5)
        # Arguments are read only.
        assert all(np.array_equal(a, b) for a, b in zip(arguments, copies, strict=True))


def test_every_example_is_here() -> None:
    assert {path.stem for path in EXAMPLES.glob("*.mlir")} == set(PROGRAMS)


def _lowered(text: str, pipeline: str = PASSES) -> ModuleOp:
    module = parse_module(text)
    parse_pipeline(pipeline).run(module, context())
    return module


def _launches(module: ModuleOp) -> list[Any]:
    return [op for op in module.walk() if op.name == "gpu.launch"]


def test_a_chain_is_one_kernel() -> None:
    text = (EXAMPLES / "elementwise_chain.mlir").read_text()
    assert len(_launches(_lowered(text))) == 2  # one for each function


@pytest.mark.parametrize(
    ("sizes", "threads", "name"),
    [
        *(
            pytest.param(*sizes, name, marks=pytest.mark.long)
            for sizes in (("32,32,8", "32,4"), ("16,96,5", "48,2"), ("8,8,64", "8,8"))
            for name in ("matmul", "attention_scores")
        ),
    ],
)
def test_tiles_of_other_sizes(sizes: str, threads: str, name: str) -> None:
    options = f"{{tile-sizes={sizes} threads={threads}}}"
    passes = f"builtin.module(gpu-kernels-from-linalg-pipeline{options})"
    static, _, expected = PROGRAMS[name]
    module = xgpu.load(EXAMPLES / f"{name}.mlir", passes=passes, device="host")
    arguments = _arguments(name, static)
    result = module.functions["dynamic"](*arguments).numpy()
    np.testing.assert_allclose(result, expected(*arguments), rtol=2e-5, atol=2e-5)


def test_memory_goes_back() -> None:
    """What a call allocates is freed by the program, and its result with the array."""
    import gc

    from xgpu.api.devices.registry import backend

    module = _loaded("softmax")
    memory: Any = backend("host").device.memory  # pyright: ignore
    counts: list[int] = []
    for _ in range(4):
        module.functions["dynamic"](*_arguments("softmax", [(19, 300)]))
        gc.collect()
        xgpu.empty(1, "int8", "host")  # what nobody uses any more is freed by who allocates next
        counts.append(memory._in_use)
    assert counts[1] == counts[-1], counts


def test_from_linalg_pipeline_gives_a_binary() -> None:
    text = (EXAMPLES / "matmul.mlir").read_text()
    pipeline = "builtin.module(gpu-from-linalg-pipeline{chip=sm_80 format=isa})"
    module = parse_module(text)

    parse_pipeline(pipeline).run(module, context())
    names = {op.name for op in module.walk()}
    assert "gpu.binary" in names
    assert not any(name.partition(".")[0] in ("linalg", "tensor", "memref") for name in names)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ("tile-sizes=64,64", "expected three tile sizes and two numbers of threads"),
        ("tile-sizes=60,64,16", "expected rows of a tile to be a multiple of the threads in y"),
        ("tile-sizes=64,64,200", "needs 102400 bytes of workgroup memory"),
        ("threads=64,32", "expected positive tile sizes and 1 to 1024 threads"),
    ],
)
def test_bad_sizes(options: str, words: str) -> None:
    text = (EXAMPLES / "matmul.mlir").read_text()
    with pytest.raises(DiagnosticError, match=words):
        _lowered(text, f"builtin.module(gpu-kernels-from-linalg-pipeline{{{options}}})")


def test_what_the_host_reads_is_not_on_the_device() -> None:
    text = """
    func.func @f(%x: tensor<8xf32>, %i: index) -> f32 {
      %e = tensor.empty() : tensor<8xf32>
      %y = linalg.exp ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
      %v = tensor.extract %y[%i] : tensor<8xf32>
      return %v : f32
    }
    """
    with pytest.raises(DiagnosticError, match=r"'memref\.load' of the host accesses a buffer"):
        _lowered(text)


NAMED = """
func.func @softmax(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %x, %c0 : tensor<?x?xf32>
  %n = tensor.dim %x, %c1 : tensor<?x?xf32>
  %o = tensor.empty(%m, %n) : tensor<?x?xf32>
  %0 = linalg.softmax dimension(1) ins(%x : tensor<?x?xf32>)
      outs(%o : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
func.func @pack(%x: tensor<13x70xf32>) -> tensor<5x4x16x4xf32> {
  %z = arith.constant 7.0 : f32
  %o = tensor.empty() : tensor<5x4x16x4xf32>
  %0 = linalg.pack %x padding_value(%z : f32) outer_dims_perm = [1, 0] inner_dims_pos = [1, 0]
      inner_tiles = [16, 4] into %o : tensor<13x70xf32> -> tensor<5x4x16x4xf32>
  return %0 : tensor<5x4x16x4xf32>
}
func.func @unpack(%x: tensor<5x4x16x4xf32>) -> tensor<13x70xf32> {
  %o = tensor.empty() : tensor<13x70xf32>
  %0 = linalg.unpack %x outer_dims_perm = [1, 0] inner_dims_pos = [1, 0]
      inner_tiles = [16, 4] into %o : tensor<5x4x16x4xf32> -> tensor<13x70xf32>
  return %0 : tensor<13x70xf32>
}
"""


@pytest.mark.long
def test_softmax_pack_unpack() -> None:
    module = xgpu.load(NAMED, passes=PASSES, device="host")
    rng = np.random.default_rng(3)
    for shape in ((19, 300), (3, 5)):
        x = rng.standard_normal(shape).astype(np.float32)
        result = module.functions["softmax"](x).numpy()
        np.testing.assert_allclose(result, _softmax(x), rtol=2e-5, atol=2e-5)
    x = rng.standard_normal((13, 70)).astype(np.float32)
    packed = module.functions["pack"](x).numpy()
    padded = np.full((16, 80), 7, np.float32)
    padded[:13, :70] = x
    assert np.array_equal(packed, padded.reshape(4, 4, 5, 16).transpose(2, 0, 3, 1))
    assert np.array_equal(module.functions["unpack"](packed).numpy(), x)


def _unsigned(function: np.ufunc) -> Callable[..., Array]:
    def reduce(x: Array, axis: int, dtype: type) -> Array:
        unsigned = x.view(np.dtype(f"u{np.dtype(dtype).name}"))
        return function.reduce(unsigned, axis=axis).view(dtype)

    return reduce


#: Combiner, element type, and what NumPy reduces with.
ROWS: list[tuple[str, str, Callable[..., Array]]] = [
    ("arith.addf", "f32", np.add.reduce),
    ("arith.addf", "f64", np.add.reduce),
    ("arith.mulf", "f64", np.multiply.reduce),
    ("arith.maximumf", "f32", np.maximum.reduce),
    ("arith.minimumf", "f64", np.minimum.reduce),
    ("arith.maxnumf", "f32", np.fmax.reduce),
    ("arith.minnumf", "f32", np.fmin.reduce),
    ("arith.addi", "i32", np.add.reduce),
    ("arith.muli", "i64", np.multiply.reduce),
    ("arith.maxsi", "i32", np.maximum.reduce),
    ("arith.minsi", "i64", np.minimum.reduce),
    ("arith.andi", "i32", np.bitwise_and.reduce),
    ("arith.ori", "i32", np.bitwise_or.reduce),
    ("arith.xori", "i64", np.bitwise_xor.reduce),
    ("arith.addf", "f16", np.add.reduce),
    ("arith.maximumf", "f16", np.maximum.reduce),
    ("arith.addi", "i8", np.add.reduce),
    ("arith.maxsi", "i8", np.maximum.reduce),
    ("arith.minsi", "i16", np.minimum.reduce),
    ("arith.maxui", "i8", _unsigned(np.maximum)),
    ("arith.minui", "i16", _unsigned(np.minimum)),
    ("arith.xori", "i8", np.bitwise_xor.reduce),
]


def _row_program(name: str, ty: str) -> str:
    return f"""
    func.func @f(%x: tensor<?x?x{ty}>, %init: tensor<?x{ty}>) -> tensor<?x{ty}> {{
      %0 = linalg.reduce {{{name}}} ins(%x : tensor<?x?x{ty}>)
          outs(%init : tensor<?x{ty}>) dimensions = [1]
      return %0 : tensor<?x{ty}>
    }}
    """


@pytest.mark.parametrize(("name", "ty", "reduce"), each(ROWS, 11))
def test_rows_in_blocks(name: str, ty: str, reduce: Callable[..., Array]) -> None:
    """A block reduces a row; what the output held before is part of the result."""
    lowered = _lowered(_row_program(name, ty))
    names = {op.name for launch in _launches(lowered) for op in launch.walk()}
    assert "gpu.all_reduce" in names
    module = xgpu.load(lowered, device="host")
    rng = np.random.default_rng(5)
    kind = np.dtype(f"{'float' if ty[0] == 'f' else 'int'}{ty[1:]}").type
    for shape in ((3, 700), (2, 1), (5, 256)):
        x = rng.integers(-9, 9, shape).astype(kind)
        if ty.startswith("f"):
            x = (x / 16 + 1).astype(kind)
        init = x[:, 0] + kind(1)
        if name == "arith.maxnumf":
            x[0, :] = np.nan
        wanted = reduce(np.concatenate([init[:, None], x], axis=1), axis=1, dtype=kind)
        result = module.functions["f"](x, init).numpy()
        np.testing.assert_allclose(result, wanted, rtol=1e-2 if ty == "f16" else 1e-5)


def test_rows_of_no_elements() -> None:
    module = xgpu.load(_row_program("arith.maximumf", "f32"), passes=PASSES, device="host")
    init = np.array([1, -2], np.float32)
    result = module.functions["f"](np.zeros((2, 0), np.float32), init).numpy()
    assert np.array_equal(result, init)


VIEWS = """
!view = memref<?x?xf32, strided<[?, 1], offset: ?>>
func.func @f(%a: !view, %b: !view, %c: memref<?x?xf32>) {
  linalg.matmul ins(%a, %b : !view, !view) outs(%c : memref<?x?xf32>)
  return
}
"""


def test_copies_of_buffers_that_are_not_aligned() -> None:
    """Vectors are moved where they are aligned, elements elsewhere, in one compiled program."""
    lowered = _lowered(VIEWS)
    names = {op.name for launch in _launches(lowered) for op in launch.walk()}
    assert {"vector.load", "memref.extract_aligned_pointer_as_index"} <= names
    module = xgpu.load(lowered, device="host")
    rng = np.random.default_rng(2)
    whole = [rng.standard_normal((160, 168)).astype(np.float32) for _ in range(2)]
    for rows, first, steps in ((0, 0, 96), (1, 4, 32), (0, 1, 64), (3, 0, 30), (0, 0, 31)):
        a = whole[0][rows : rows + 70, first : first + steps]
        b = whole[1][:steps, first : first + 68]
        result = np.zeros((70, 68), np.float32)
        module.functions["f"](a, b, result)
        np.testing.assert_allclose(result, a @ b, rtol=2e-5, atol=2e-5)


CALLS = """
func.func private @g(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = math.exp %x : tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func @f(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = call @g(%x) : (tensor<?xf32>) -> tensor<?xf32>
  %1 = call @g(%0) : (tensor<?xf32>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}
"""


def test_functions_that_call_functions() -> None:
    module = xgpu.load(CALLS, passes=PASSES, device="host")
    x = np.linspace(-1, 1, 33, dtype=np.float32)
    result = module.functions["f"](x).numpy()
    np.testing.assert_allclose(result, np.exp(np.exp(x)), rtol=2e-5)


@pytest.mark.parametrize("shape", [(0, 5, 6), (4, 5, 0), (4, 0, 6), (0, 0, 0)])
def test_products_of_no_elements(shape: tuple[int, int, int]) -> None:
    m, k, n = shape
    module = _loaded("matmul")
    a, b = np.ones((m, k), np.float32), np.ones((k, n), np.float32)
    result = module.functions["dynamic"](a, b).numpy()
    assert np.array_equal(result, a @ b)
