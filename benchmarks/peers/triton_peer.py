# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Triton, through its wheel: the stages of its compiler up to PTX, which need no GPU.

`triton.compile` itself would also run ptxas, and would look into its cache first.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

warnings.filterwarnings("ignore")

import triton  # noqa: E402
import triton.language as tl  # noqa: E402
from measure import report  # noqa: E402
from triton._C.libtriton import ir  # noqa: E402
from triton.backends.compiler import GPUTarget, Language  # noqa: E402
from triton.compiler import ASTSource, make_backend  # noqa: E402
from triton.language.extra.cuda import libdevice  # noqa: E402


@triton.jit
def vector_add(a, b, c, n, BLOCK: tl.constexpr):  # type: ignore[no-untyped-def]
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = i < n
    tl.store(c + i, tl.load(a + i, mask=inside) + tl.load(b + i, mask=inside), mask=inside)


@triton.jit
def matmul(a, b, c, TILE: tl.constexpr):  # type: ignore[no-untyped-def]
    row = tl.program_id(1) * TILE + tl.arange(0, TILE)
    col = tl.program_id(0) * TILE + tl.arange(0, TILE)
    inner = tl.arange(0, TILE)
    total = tl.zeros((TILE, TILE), dtype=tl.float32)
    for k in range(0, 1024, TILE):
        x = tl.load(a + row[:, None] * 1024 + (k + inner)[None, :])
        y = tl.load(b + (k + inner)[:, None] * 1024 + col[None, :])
        total += tl.dot(x, y, input_precision="ieee")
    tl.store(c + row[:, None] * 1024 + col[None, :], total)


@triton.jit
def gelu(x, y, n, BLOCK: tl.constexpr):  # type: ignore[no-untyped-def]
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = i < n
    v = tl.load(x + i, mask=inside)
    r = 0.5 * v * (1.0 + libdevice.tanh(0.7978845608 * (v + 0.044715 * v * v * v)))
    tl.store(y + i, r, mask=inside)


def compiler(kernel: Any, signature: dict[str, str], constants: dict[str, int]) -> Any:
    def compile_once() -> str:
        target = GPUTarget("cuda", 80, 32)
        backend = make_backend(target)
        types = {**signature, **dict.fromkeys(constants, "constexpr")}
        source = ASTSource(fn=kernel, signature=types, constexprs=constants)
        options = backend.parse_options({**source.parse_options()})
        stages: dict[str, Callable[..., Any]] = {}
        backend.add_stages(stages, options, Language.TRITON)
        context = ir.context()
        ir.load_dialects(context)
        backend.load_dialects(context)
        made = backend.get_module_map()
        module = source.make_ir(
            target, options, backend.get_codegen_implementation(options), made, context
        )
        metadata: dict[str, Any] = {"target": target, **options.__dict__}
        for name, stage in stages.items():
            module = stage(module, metadata)
            if name == "ptx":
                break
        return str(module)

    return compile_once


if __name__ == "__main__":
    pointers = {"a": "*fp32", "b": "*fp32", "c": "*fp32"}
    report(
        f"Triton {triton.__version__}",
        {
            "vector add": compiler(vector_add, {**pointers, "n": "i64"}, {"BLOCK": 256}),
            "tiled matmul": compiler(matmul, pointers, {"TILE": 16}),
            "gelu": compiler(gelu, {"x": "*fp32", "y": "*fp32", "n": "i64"}, {"BLOCK": 256}),
        },
    )
