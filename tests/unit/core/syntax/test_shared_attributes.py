# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What stands in a text over and over is read once: types, integers, lists of indices."""

from __future__ import annotations

from typing import Any

import pytest

from xgpu.core.syntax import parse_module, print_module

TEXT = """
llvm.func @f(%p: !llvm.ptr, %q: !llvm.ptr<3>, %n: i32) {
  %0 = llvm.getelementptr inbounds %p[%n, 1] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.array<4 x i8>
  %1 = llvm.getelementptr inbounds %0[%n, 1] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.array<4 x i8>
  %2 = llvm.addrspacecast %q : !llvm.ptr<3> to !llvm.ptr
  %3 = llvm.mlir.constant(7 : i32) : i32
  %4 = llvm.mlir.constant(7 : i32) : i32
  %5 = llvm.mlir.constant(-7 : i32) : i32
  %6 = llvm.mlir.constant(7 : i64) : i64
  llvm.return
}
"""


def operations() -> list[Any]:
    module = parse_module(TEXT)
    return list(module.regions[0].blocks[0].first_op.regions[0].blocks[0].ops)  # pyright: ignore


def test_a_type_whose_name_begins_another() -> None:
    first, second, cast, *_ = operations()
    assert first.results[0].type is second.results[0].type
    assert cast.results[0].type is first.results[0].type
    assert cast.operands[0].type != cast.results[0].type


def test_integers() -> None:
    same, again, negative, wide = (op.properties["value"] for op in operations()[3:7])
    assert same is again
    assert (same.value.data, negative.value.data, wide.value.data) == (7, -7, 7)
    assert wide.type != same.type


def test_lists_and_flags() -> None:
    first, second, *_ = operations()
    for name in ("rawConstantIndices", "noWrapFlags"):
        assert first.properties[name] is second.properties[name]


def test_a_plain_name_before_brackets_is_another_type() -> None:
    """In a form that does not come out of the lexer in one piece."""
    text = "func.func private @f(!llvm.ptr, !llvm.ptr <3>, !llvm.ptr, vector<2x!llvm.ptr<1>>)\n"
    printed = print_module(parse_module(text))
    assert "(!llvm.ptr, !llvm.ptr<3>, !llvm.ptr, vector<2x!llvm.ptr<1>>)" in printed


def test_an_integer_that_does_not_fit_is_refused_each_time() -> None:
    from xgpu.core.ir.errors import DiagnosticError

    for _ in range(2):
        with pytest.raises(DiagnosticError, match="out of range"):
            parse_module('"t.a"() {a = 256 : i8} : () -> ()', allow_unregistered=True)
