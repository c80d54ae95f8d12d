# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which operations vectors of threads have a form for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xgpu.backend.llvm_ir.facts import text_of
from xgpu.core.ir.construction import nested_operations
from xgpu.host_device.compiler import operations
from xgpu.host_device.compiler.aggregates import is_aggregate
from xgpu.host_device.compiler.types import bits
from xgpu.host_device.compiler.vectors.regions import NoRegions
from xgpu.host_device.compiler.vectors.warp_calls import is_device_call
from xgpu.host_device.sanitizer.instrument import bounds
from xgpu.host_device.sanitizer.instrument.screening_marks import CHECK

if TYPE_CHECKING:
    from xdsl.ir import Attribute, Operation, SSAValue


#: Operations of the nvvm dialect that each thread does by itself, without memory.
_OWN = (
    "nvvm.rcp.", "nvvm.fmin", "nvvm.fmax", "nvvm.ex2", "nvvm.lg2", "nvvm.sqrt", "nvvm.rsqrt",
    "nvvm.tanh", "nvvm.prmt", "nvvm.dot.accumulate", "nvvm.addf", "nvvm.subf", "nvvm.fma",
)  # fmt: skip
_KNOWN = (
    operations.ELEMENTWISE | operations.CONSTANTS | operations.WARP | operations.FENCES
    | operations.HINTS | operations.ATOMICS | operations.TERMINATORS | operations.RANGES
    | {"llvm.getelementptr", "llvm.addrspacecast", "llvm.load", "llvm.store", "llvm.alloca",
       "llvm.extractvalue"}
)  # fmt: skip


def check(function: Operation) -> None:
    """Raises `NoRegions` at the first operation that vectors cannot do."""
    for op in nested_operations(function):
        reason = _obstacle(op)
        if reason is not None:
            raise NoRegions(reason, op)


def _obstacle(op: Operation) -> str | None:
    name = op.name
    if name == "llvm.call":
        callee = operations.callee(op)
        known = callee is not None and (
            callee in operations.SERVICES
            or callee in (CHECK, bounds.CHECK)
            or (callee.startswith("__nv_") and op.results)
        )
        if not known and not is_device_call(op):
            return f"it calls '{callee or 'an address'}'"
    elif name == "llvm.call_intrinsic":
        if not operations.is_computed(op):
            return f"it calls '{text_of(op.properties['intrin'])}'"
    elif operations.register(op) is None and not operations.is_barrier(op):
        if name not in _KNOWN and not (name.startswith(_OWN) and op.results):
            return f"'{name}' has no form for a vector of threads"
    if name == "llvm.fence" or name in operations.HINTS:
        return None
    for value in (*op.operands, *op.results):
        if not _is_scalar(value.type) and not _is_pair(op, value):
            return f"'{name}' has a value of type {value.type}"
    return None


def is_vectorizable(op: Operation) -> bool:
    """Whether vectors have a form for an nvvm operation."""
    if any(is_aggregate(v.type) and not _is_pair(op, v) for v in (*op.operands, *op.results)):
        return False
    if operations.register(op) is not None:
        return True
    return op.name in _KNOWN or (op.name.startswith(_OWN) and bool(op.results))


def _is_scalar(ty: Attribute) -> bool:
    width = bits(ty)
    return width is not None and width <= 64 and (
        ty.name != "integer_type" or width in (1, 8, 16, 32, 64)
    )  # fmt: skip


def _is_pair(op: Operation, value: SSAValue) -> bool:
    """A struct that an operation delivers, or one that is taken apart."""
    return value.type.name == "llvm.struct" and op.name in (
        "nvvm.shfl.sync", "nvvm.match.sync", "llvm.cmpxchg", "llvm.extractvalue"
    )  # fmt: skip
