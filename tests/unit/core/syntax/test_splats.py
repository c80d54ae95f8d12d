# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Splats of any size: read, printed, verified, folded and lowered without holding each element."""

from __future__ import annotations

import tracemalloc

import pytest

from xgpu.core.ir.elements import MOST_BYTES, Repeated, repeated
from xgpu.core.ir.errors import DiagnosticError
from xgpu.core.passes.pipeline_text import parse_pipeline
from xgpu.core.syntax import context, parse_module, print_module
from xgpu.core.syntax.verify import verify_module

SHAPE = "100000x100000"


def run(text: str, pipeline: str = "builtin.module()") -> str:
    module = parse_module(text)
    verify_module(module)
    parse_pipeline(pipeline).run(module, context(), [])
    verify_module(module)
    return print_module(module)


@pytest.mark.parametrize(
    ("type", "value"),
    [
        ("f32", "1.500000e+00"),
        ("f16", "0.000000e+00"),
        ("i1", "true"),
        ("i20", "-7"),
        ("i128", "3"),
        ("index", "42"),
        ("complex<f64>", "(1.000000e+00,2.000000e+00)"),
    ],
)
def test_round_trip(type: str, value: str) -> None:
    constant = f"dense<{value}> : tensor<{SHAPE}x{type}>"
    tracemalloc.start()
    module = parse_module(f'"test.op"() {{value = {constant}}} : () -> ()', allow_unregistered=True)
    printed = print_module(module)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert constant in printed
    assert peak < 64 << 20


def test_hexadecimal_splat() -> None:
    printed = run(
        f"func.func @f() -> tensor<{SHAPE}xi16> {{\n"
        f'%0 = arith.constant dense<"0x0100"> : tensor<{SHAPE}xi16>\n'
        f"return %0 : tensor<{SHAPE}xi16>\n}}"
    )
    assert f"dense<1> : tensor<{SHAPE}xi16>" in printed


def test_folds_and_equal_constants() -> None:
    ty = f"tensor<{SHAPE}xf32>"
    printed = run(
        f"func.func @f() -> ({ty}, {ty}) {{\n"
        f"%0 = arith.constant dense<1.5> : {ty}\n%1 = arith.constant dense<1.5> : {ty}\n"
        f"%2 = arith.addf %0, %1 : {ty}\nreturn %2, %0 : {ty}, {ty}\n}}",
        "builtin.module(canonicalize,cse)",
    )
    assert printed.count("arith.constant") == 2
    assert f"dense<3.000000e+00> : {ty}" in printed


def test_zeros_reach_llvm_ir_and_others_are_refused() -> None:
    from xgpu.backend import llvm_ir

    def lowered(value: str) -> str:
        ty = "memref<100000x100000xf32>"
        module = parse_module(
            f"memref.global @g : {ty} = dense<{value}>\n", allow_unregistered=True
        )
        passes = "builtin.module(finalize-memref-to-llvm)"
        parse_pipeline(passes).run(module, context(), [])
        return llvm_ir.translate(module, target="host")

    assert "zeroinitializer" in lowered("0.0")
    with pytest.raises(DiagnosticError, match="an array of 10000000000 elements"):
        lowered("1.0")


def test_repeated_is_like_bytes() -> None:
    count = MOST_BYTES
    data = repeated(b"abc", count)
    assert isinstance(data, Repeated)
    assert len(data) == 3 * count
    assert data[3:6] == b"abc"
    assert data[4:8] == b"bcab"
    assert data[-1] == ord("c")
    assert data == repeated(b"abc", count)
    assert data != repeated(b"abd", count)
    assert repeated(b"abc", 2) == b"abcabc"
