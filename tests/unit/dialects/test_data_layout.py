# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sizes, alignments and offsets beside LLVM's own, of types at random under several layouts."""

from __future__ import annotations

from typing import Any

import llvmlite.binding as llvm
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.dialects.builtin import IntegerType, VectorType, bf16, f16, f32, f64, f80, f128

from xgpu.backend.llvm_ir.types import Types
from xgpu.dialects.llvm.types import DataLayout, LLVMArrayType, LLVMPointerType, LLVMStructType

LAYOUTS = {
    "default": "",
    "nvptx": "e-p3:32:32:32-p5:32:32:32-i64:64:64-i128:128:128-f64:64:64-v16:16:16-v32:32:32",
    "x86_64": "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128",
    "i386": "e-m:e-p:32:32-p270:32:32-f64:32:64-f80:32-n8:16:32-S128",
    "arm": "e-m:e-p:32:32-Fi8-i64:64-v128:64:128-a:0:32-n32-S64",
    "big": "E-m:a-p:32:32-i64:64-n32",
}
SCALARS = st.one_of(
    st.builds(IntegerType, st.integers(1, 200)),
    st.sampled_from([f16, bf16, f32, f64, f80, f128]),
    st.builds(LLVMPointerType, st.sampled_from([0, 3, 5])),
)
VECTORS = st.builds(
    lambda element, count: VectorType(element, [count]),
    st.one_of(st.builds(IntegerType, st.sampled_from([1, 7, 8, 16, 32, 64])), st.just(f32)),
    st.integers(1, 40),
)
KINDS = st.recursive(
    st.one_of(SCALARS, VECTORS),
    lambda inner: st.one_of(
        st.builds(LLVMArrayType, st.integers(0, 5), inner),
        st.builds(
            lambda body, packed: LLVMStructType(body, packed=packed),
            st.lists(inner, max_size=5),
            st.booleans(),
        ),
    ),
    max_leaves=8,
)


def of_llvm(kind: Any, layout: str) -> tuple[int, int, list[int]]:
    """Size, alignment and offsets of the fields, from LLVM."""
    source = f'target datalayout = "{layout}"\n@g = external global {Types()(kind)}\n'
    module = llvm.parse_assembly(source, llvm.create_context())
    t = module.get_global_variable("g").global_value_type
    data = llvm.create_target_data(layout)
    fields = len(kind.body) if isinstance(kind, LLVMStructType) else 0
    offsets = [data.get_element_offset(t, i) for i in range(fields)]
    return data.get_abi_size(t), data.get_abi_alignment(t), offsets


SOME = [
    IntegerType(1), IntegerType(24), IntegerType(65), IntegerType(128), f16, f64, f80,
    LLVMPointerType(), LLVMPointerType(3), VectorType(f32, [3]), VectorType(IntegerType(1), [9]),
    LLVMArrayType(3, IntegerType(24)),
    LLVMStructType([IntegerType(8), f64, IntegerType(16), LLVMPointerType(3), f80]),
    LLVMStructType([IntegerType(8), f64, LLVMArrayType(2, IntegerType(16))], packed=True),
]  # fmt: skip


@pytest.mark.parametrize("layout", sorted(LAYOUTS))
def test_some_types(layout: str) -> None:
    for kind in SOME:
        check(layout, kind)


@pytest.mark.parametrize("layout", sorted(LAYOUTS))
@given(kind=KINDS)
@settings(max_examples=60)
def test_as_llvm_has_it(layout: str, kind: Any) -> None:
    check(layout, kind)


def check(layout: str, kind: Any) -> None:
    text = LAYOUTS[layout]
    ours = DataLayout(text)
    offsets = ours.offsets(kind)[:-1] if isinstance(kind, LLVMStructType) else []
    assert (ours.size(kind), ours.align(kind), offsets) == of_llvm(kind, text)
