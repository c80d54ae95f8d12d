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

from xdsl.dialects.builtin import i64
from xdsl.ir import Attribute, Operation

from xgpu.core import ods
from xgpu.core.rewriting.builder import Rewriter
from xgpu.dialects.llvm.types import LLVMArrayType, LLVMPointerType

_SHARED = 3  # the address space


@contextmanager
def dynamic_memory_behind_static(module: Operation) -> Generator[None]:
    """Make the variables that stand for dynamic memory external for a while."""
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


# -- Addresses of a block's own shared memory as addresses of the cluster's.
#
# The window of shared memory of a block lies in that of its cluster, so that the one address is the
# other (PTX ISA, state spaces: .shared::cta is a part of .shared::cluster). LLVM casts from the one
# to the other by way of generic addresses, which the assembler does not undo: each copy of the copy
# engine then gets its target with upper bits that nothing reads. As a number of 64 bits it stays
# what it is.


_BLOCK, _CLUSTER = 3, 7


def keep_addresses(kernel: Operation) -> None:
    """Replaces casts of pointers from shared memory to that of the cluster in `kernel`."""
    casts = [
        op
        for op in kernel.walk()
        if op.name == "llvm.addrspacecast"
        and _space(op.operands[0].type) == _BLOCK
        and _space(op.results[0].type) == _CLUSTER
    ]
    for cast in casts:
        rw = Rewriter(cast)
        number = rw.value("llvm.ptrtoint", [cast.operands[0]], i64)
        rw.replace(cast, [rw.value("llvm.inttoptr", [number], cast.results[0].type)])


def _space(ty: Attribute) -> int | None:
    return ty.address_space if isinstance(ty, LLVMPointerType) else None
