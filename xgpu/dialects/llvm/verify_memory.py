# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Verifiers of memory accesses, atomics and address computations of the llvm dialect."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import IntegerType

from xgpu.core.ir.attribute_text import shown
from xgpu.core.ir.dense_arrays import integers_of
from xgpu.core.ir.errors import op_error
from xgpu.core.ods.type_predicates import is_llvm_float, is_llvm_scalable_vector, is_llvm_vector
from xgpu.dialects.llvm.types import (
    LLVMArrayType,
    LLVMPointerType,
    LLVMStructType,
    LLVMTargetExtType,
)

if TYPE_CHECKING:
    from xdsl.dialects.builtin import IntegerAttr
    from xdsl.ir import Attribute, Operation

    from xgpu.dialects import llvm
    from xgpu.dialects.hook_types import Verifier


ORDERINGS = ("not_atomic", "unordered", "monotonic", "", "acquire", "release", "acq_rel", "seq_cst")
_NOT_ATOMIC, _UNORDERED, _MONOTONIC, _ACQUIRE, _RELEASE, _ACQ_REL = 0, 1, 2, 4, 5, 6
#: The operations of `llvm.atomicrmw` on floats, and the exchange.
_XCHG = 0
_FLOAT_OPERATIONS = frozenset((11, 12, 13, 14, 19, 20))
DYNAMIC = -(1 << 31)
_FLOAT_BITS = {"bf16": 16, "f16": 16, "f32": 32, "f64": 64, "f80": 80, "f128": 128}


def integer(op: Operation, name: str) -> int | None:
    """The value of an integer attribute, or None if it is not there."""
    attribute = cast("IntegerAttr | None", op.properties.get(name))
    return None if attribute is None else attribute.value.data


def _bits(t: Attribute) -> int:
    if isinstance(t, IntegerType):
        return t.width.data
    if isinstance(t, LLVMPointerType):
        return 64
    return _FLOAT_BITS.get(t.name, 128)


def is_atomic_type(t: Attribute) -> bool:
    """Whether atomic accesses take `t`: a power of two of bits, at least 8."""
    if not isinstance(t, (IntegerType, LLVMPointerType)) and not is_llvm_float(t):
        return False
    bits = _bits(t)
    return bits >= 8 and bits & (bits - 1) == 0


def _access(op: Operation, t: Attribute, unsupported: Sequence[int]) -> None:
    ordering = integer(op, "ordering") or 0
    if ordering == _NOT_ATOMIC:
        if "syncscope" in op.properties:
            raise op_error(op, "expected syncscope to be null for non-atomic access")
        return
    if not is_atomic_type(t):
        raise op_error(op, f"unsupported type '{shown(t)}' for atomic access")
    if ordering in unsupported:
        raise op_error(op, f"unsupported ordering '{ORDERINGS[ordering]}'")
    if "alignment" not in op.properties:
        raise op_error(op, "expected alignment for atomic access")


def _load(op: Operation) -> None:
    _access(op, op.results[0].type, (_RELEASE, _ACQ_REL))


def _store(op: Operation) -> None:
    _access(op, op.operands[0].type, (_ACQUIRE, _ACQ_REL))


def _atomicrmw(op: llvm.AtomicrmwOp) -> None:
    kind, t = integer(op, "bin_op"), op.operands[1].type
    if kind in _FLOAT_OPERATIONS:
        if is_llvm_vector(t):
            if is_llvm_scalable_vector(t):
                raise op_error(op, "expected LLVM IR fixed vector type")
            if not is_llvm_float(t.element_type):
                raise op_error(op, "expected LLVM IR floating point type for vector element")
        elif not is_llvm_float(t):
            raise op_error(op, "expected LLVM IR floating point type")
    elif kind == _XCHG:
        if not is_atomic_type(t):
            raise op_error(op, "unexpected LLVM IR type for 'xchg' bin_op")
    elif not isinstance(t, IntegerType) or t.width.data not in (8, 16, 32, 64):
        raise op_error(op, "expected LLVM IR integer type")
    if (integer(op, "ordering") or 0) < _MONOTONIC:
        raise op_error(op, "expected at least 'monotonic' ordering")


def _cmpxchg(op: llvm.CmpxchgOp) -> None:
    if not is_atomic_type(op.operands[2].type):
        raise op_error(op, "unexpected LLVM IR type")
    success, failure = integer(op, "success_ordering") or 0, integer(op, "failure_ordering") or 0
    if success < _MONOTONIC or failure < _MONOTONIC:
        raise op_error(op, "ordering must be at least 'monotonic'")
    if failure in (_RELEASE, _ACQ_REL):
        raise op_error(op, "failure ordering cannot be 'release' or 'acq_rel'")


def _fence(op: Operation) -> None:
    if (integer(op, "ordering") or 0) <= _MONOTONIC:
        raise op_error(op, "can be given only acquire, release, acq_rel, and seq_cst orderings")


def _alloca(op: Operation) -> None:
    t = op.properties["elem_type"]
    if isinstance(t, LLVMTargetExtType) and not supports(t, "memory"):
        raise op_error(op, "this target extension type cannot be used in alloca")


#: What target extension types allow, by name; LLVM knows these and no other.
_EXTENSIONS = {"aarch64.svcount": ("zero",), "amdgcn.named.barrier": ("global",)}


def supports(t: LLVMTargetExtType, use: str) -> bool:
    """Whether values of `t` may be zero ("zero"), globals ("global"), in memory ("memory")."""
    if t.extension.startswith("spirv."):
        allowed: Sequence[str] = ("zero", "global", "memory")
    else:
        allowed = _EXTENSIONS.get(t.extension, ())
    if use == "memory":
        return "memory" in allowed or t.extension == "aarch64.svcount"
    return use in allowed


def _getelementptr(op: llvm.GetelementptrOp) -> None:
    constants = integers_of(op.raw_constant_indices)
    if constants.count(DYNAMIC) != len(op.operands) - 1:
        raise op_error(op, "expected as many dynamic indices as specified in 'rawConstantIndices'")
    flags = op.properties.get("noWrapFlags")
    value = getattr(flags, "value", 0)
    if getattr(value, "data", value) == 1:  # the bit without what it implies
        raise op_error(op, "'inbounds_flag' cannot be used directly.")
    t = op.elem_type
    for place, index in enumerate(constants[1:], 1):
        if isinstance(t, LLVMStructType):
            if index == DYNAMIC:
                raise op_error(op, f"expected index {place} indexing a struct to be constant")
            if not 0 <= index < len(t.body):
                raise op_error(op, f"index {place} indexing a struct is out of bounds")
            t = t.body[index]
        elif isinstance(t, LLVMArrayType) or t.name == "vector":
            t = t.element_type  # pyright: ignore[reportAttributeAccessIssue]
        else:
            raise op_error(op, f"type '{shown(t)}' cannot be indexed (index #{place})")


def _dereferenceable(op: Operation) -> None:
    """What any operation with the attribute `dereferenceable` must hold."""
    if "dereferenceable" in op.properties and (
        len(op.results) != 1 or not isinstance(op.results[0].type, LLVMPointerType)
    ):
        raise op_error(op, "expected op to return a single LLVM pointer type")


def _load_checked(op: Operation) -> None:
    _dereferenceable(op)
    _load(op)


MEMORY_VERIFY: dict[str, Verifier] = {
    "llvm.load": _load_checked,
    "llvm.inttoptr": _dereferenceable,
    "llvm.store": _store,
    "llvm.atomicrmw": _atomicrmw,
    "llvm.cmpxchg": _cmpxchg,
    "llvm.fence": _fence,
    "llvm.alloca": _alloca,
    "llvm.getelementptr": _getelementptr,
}
