# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where launches put arguments: as LLVM lays out what is stored there."""

from __future__ import annotations

from typing import Any

import pytest
from xdsl.dialects.builtin import Float8E4M3FNType, IntegerType, VectorType, f16, f32, f80, i8, i64

from xgpu.conversion.launch.kernel_signature import storage
from xgpu.core.ir.errors import DiagnosticError
from xgpu.core.syntax import parse_module
from xgpu.dialects.llvm.types import LLVMArrayType, LLVMPointerType, LLVMStructType

MODULE = parse_module("")


@pytest.mark.parametrize(
    ("kind", "size", "alignment"),
    [
        (i8, 1, 1),
        (i64, 8, 8),
        (IntegerType(33), 8, 8),
        (IntegerType(128), 16, 16),
        (f16, 2, 2),
        (f80, 16, 16),
        (VectorType(f32, [3]), 16, 16),
        (VectorType(f32, [8]), 32, 32),
        (LLVMPointerType(0), 8, 8),
        (LLVMArrayType(3, i8), 3, 1),
        (LLVMStructType([i8, i64]), 16, 8),
        (LLVMStructType([i8, i64], packed=True), 9, 1),
    ],
)
def test_sizes(kind: Any, size: int, alignment: int) -> None:
    assert storage(MODULE, kind) == (size, alignment)


def test_what_has_no_size_is_refused() -> None:
    with pytest.raises(DiagnosticError, match="cannot be passed to a kernel"):
        storage(MODULE, Float8E4M3FNType())
