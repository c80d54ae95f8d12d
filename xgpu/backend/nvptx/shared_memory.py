# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where dynamic workgroup memory begins: behind all static variables of a kernel.

MLIR's `gpu.dynamic_shared_memory` becomes an internal variable without elements:

    llvm.mlir.global internal @__dynamic_shmem__0() {addr_space = 3 : i32} : !llvm.array<0 x i8>
    .shared .align 16 .b8 __dynamic_shmem__0;           // what LLVM makes of it: one static byte

The assembler may put static variables behind that byte, and then the dynamic memory, which begins
there, overlaps them. An external variable without a size is the memory of the launch (PTX ISA,
"Variables of incomplete type"), which lies behind all that is static:

    .extern .shared .align 16 .b8 __dynamic_shmem__0[];
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from xgpu.dialects.llvm.types import LLVMArrayType

if TYPE_CHECKING:
    from xdsl.ir import Operation

_SHARED = 3  # the address space


@contextmanager
def dynamic_memory_behind_static(module: Operation) -> Generator[None]:
    """Make the variables that stand for dynamic memory external for a while."""
    from xgpu.core import ods

    changed = [op for op in module.regions[0].block.ops if _is_dynamic(op)]
    before = [op.properties["linkage"] for op in changed]
    for op in changed:
        op.properties["linkage"] = ods.enum("llvm.linkage", "external")
    try:
        yield
    finally:
        for op, linkage in zip(changed, before, strict=True):
            op.properties["linkage"] = linkage


def _is_dynamic(op: Operation) -> bool:
    """Whether a variable in shared memory has no size of its own and no value."""
    from xgpu.backend.llvm_ir.facts import number, prop

    if op.name != "llvm.mlir.global" or number(prop(op, "addr_space")) != _SHARED:
        return False
    kind = prop(op, "global_type")
    is_empty = isinstance(kind, LLVMArrayType) and kind.size == 0
    return is_empty and prop(op, "value") is None and not op.regions[0].blocks
