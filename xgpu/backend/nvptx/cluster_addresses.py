# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Addresses of a block's own shared memory as addresses of the cluster's.

The window of shared memory of a block lies in that of its cluster, so that the one address is the
other (PTX ISA, state spaces: .shared::cta is a part of .shared::cluster). LLVM casts from the one
to the other by way of generic addresses, which the assembler does not undo: each copy of the copy
engine then gets its target with upper bits that nobody reads. As a number of 64 bits it stays what
it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import i64

from xgpu.core.rewriting.rewriter import Rewriter
from xgpu.dialects.llvm.types import LLVMPointerType

if TYPE_CHECKING:
    from xdsl.ir import Attribute, Operation

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
