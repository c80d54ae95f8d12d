# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Texts that a lowered program prints: private globals, and pointers to them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import (
    DenseIntElementsAttr,
    IntegerAttr,
    StringAttr,
    TensorType,
    UnitAttr,
    i32,
)
from xdsl.ir import Operation, Region, SSAValue

from xgpu.core import ods
from xgpu.core.ir.symbols import lookup
from xgpu.dialects.llvm import builders as llvm
from xgpu.dialects.llvm.types import LLVMArrayType

if TYPE_CHECKING:
    from xgpu.core.rewriting.rewriter import Rewriter


def string_pointer(rw: Rewriter, table: Operation, prefix: str, text: str) -> SSAValue:
    """A pointer to `text` with a closing zero, in a new global of `table` whose name begins with
    `prefix`."""
    name, number = prefix, 0
    while lookup(table, name) is not None:
        name = f"{prefix}_{number}"
        number += 1
    data = [*text.encode(), 0]
    array = LLVMArrayType(len(data), llvm.I8)
    memory = ods.create(
        "llvm.mlir.global",
        properties={
            "addr_space": IntegerAttr(0, i32),
            "constant": UnitAttr(),
            "global_type": array,
            "linkage": ods.enum("llvm.linkage", "private"),
            "sym_name": StringAttr(name),
            "value": DenseIntElementsAttr.from_list(TensorType(llvm.I8, [len(data)]), data),
        },
        regions=(Region(),),
        location=rw.location,
    )
    block = table.regions[0].blocks[0]
    if block.first_op is None:
        block.add_op(memory)
    else:
        block.insert_op_before(memory, block.first_op)
    symbol = {"global_name": llvm.reference(memory)}
    address = rw.value("llvm.mlir.addressof", (), llvm.POINTER, symbol)
    return llvm.gep(rw, address, array, [0])
