# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Verifiers of llvm operations that access memory, convert values or build aggregates."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseIntOrFPElementsAttr,
    FixedBitwidthType,
    FloatAttr,
    IntegerAttr,
    IntegerType,
    StringAttr,
    TensorType,
    VectorType,
)
from xdsl.ir import Attribute, Operation

from xgpu.core.ir.elements import element_count
from xgpu.core.ir.errors import error, op_error, shown
from xgpu.core.ir.integers import integers_of
from xgpu.core.ods.predicates import (
    is_llvm_compatible,
    is_llvm_float,
    is_llvm_scalable_vector,
    is_llvm_vector,
    is_ranked_tensor,
    is_vector,
)
from xgpu.dialects import llvm
from xgpu.dialects.llvm.attributes import DYNAMIC_INDEX
from xgpu.dialects.llvm.directives import element_type
from xgpu.dialects.llvm.types import (
    LLVMArrayType,
    LLVMPointerType,
    LLVMStructType,
    LLVMTargetExtType,
)

if TYPE_CHECKING:
    from xgpu.dialects.interfaces import Verifier


# -- Verifiers of memory accesses, atomics and address computations of the llvm dialect.


ORDERINGS = ("not_atomic", "unordered", "monotonic", "", "acquire", "release", "acq_rel", "seq_cst")
_NOT_ATOMIC, _UNORDERED, _MONOTONIC, _ACQUIRE, _RELEASE, _ACQ_REL = 0, 1, 2, 4, 5, 6
#: The operations of `llvm.atomicrmw` on floats, and the exchange.
_XCHG = 0
_FLOAT_OPERATIONS = frozenset((11, 12, 13, 14, 19, 20))
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


#: What target extension types allow, by name; LLVM has these and no other.
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
    if constants.count(DYNAMIC_INDEX) != len(op.operands) - 1:
        raise op_error(op, "expected as many dynamic indices as specified in 'rawConstantIndices'")
    flags = op.properties.get("noWrapFlags")
    value = getattr(flags, "value", 0)
    if getattr(value, "data", value) == 1:  # the bit without what it implies
        raise op_error(op, "'inbounds_flag' cannot be used directly.")
    t = op.elem_type
    for place, index in enumerate(constants[1:], 1):
        if isinstance(t, LLVMStructType):
            if index == DYNAMIC_INDEX:
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


# -- Verifiers of constants, casts, aggregates and intrinsics of the llvm dialect.


_NEUTRAL = ("llvm.mlir.zero", "llvm.zero", "llvm.undef")
_ELEMENTS = ("dense", "dense_resource", "builtin.sparse")


# -- constants ------------------------------------------------------------------------------------


def _count(t: Attribute) -> int:
    if is_vector(t):
        product = 1
        for size in t.get_shape():
            product *= size
        return product
    if isinstance(t, LLVMArrayType):
        return t.size * _count(t.element_type)
    return 1


def _innermost(t: Attribute) -> Attribute:
    while isinstance(t, LLVMArrayType):
        t = t.element_type
    return t.element_type if is_vector(t) or is_ranked_tensor(t) else t


def _scalable(t: Attribute) -> bool:
    if isinstance(t, LLVMArrayType):
        return _scalable(t.element_type)
    return is_llvm_scalable_vector(t)


def _is_float(t: Attribute) -> bool:
    return hasattr(t, "bitwidth") and not isinstance(t, IntegerType)


def _float_semantics(op: Operation, kind: Attribute, t: Attribute) -> None:
    """A float attribute of type `kind` may stand for a value whose element type is `t`."""
    if _is_float(t):
        if t != kind:
            raise op_error(op, "attribute and type have different float semantics")
    elif isinstance(t, IntegerType):
        width = cast("FixedBitwidthType", kind).bitwidth
        if t.width.data != width:
            raise op_error(op, f"expected integer type of width {width}")


def _struct_constant(op: Operation, value: Attribute, t: LLVMStructType) -> None:
    if not isinstance(value, ArrayAttr):
        raise op_error(op, "expected array attribute for struct type")
    if len(value.data) != len(t.body):
        raise op_error(op, f"expected array attribute of size {len(t.body)}")
    for place, (element, kind) in enumerate(zip(value.data, t.body, strict=True)):
        if not isinstance(kind, IntegerType) and kind.name != "index" and not _is_float(kind):
            raise op_error(
                op, "expected struct element types to be floating point type or integer type"
            )
        if not isinstance(element, (FloatAttr, IntegerAttr)):
            raise op_error(
                op, "expected element of array attribute to be floating point or integer"
            )
        if element.type != kind:
            raise op_error(op, f"struct element at index {place} is of wrong type")


def _array_constant(
    op: Operation, t: LLVMArrayType, value: ArrayAttr[Attribute], depth: int
) -> None:
    if t.size != len(value.data):
        raise op_error(
            op,
            f"array attribute size does not match array type size in dimension {depth}: "
            f"{len(value.data)} vs. {t.size}",
        )
    inner = t.element_type
    if isinstance(inner, LLVMArrayType):
        for place, element in enumerate(value.data):
            if element.name in _NEUTRAL:
                continue
            if not isinstance(element, ArrayAttr):
                raise op_error(
                    op,
                    f"nested attribute for sub-array in dimension {depth} at index {place} must "
                    "be a zero, or undef, or array attribute",
                )
            _array_constant(op, inner, element, depth + 1)
        return
    if not isinstance(inner, LLVMStructType):
        raise op_error(op, "for array with an array attribute must have a struct element type")
    for place, element in enumerate(value.data):
        if element.name in _NEUTRAL:
            continue
        if not isinstance(element, ArrayAttr):
            raise op_error(
                op,
                f"nested attribute for struct element at index {place} must be a zero, or undef, "
                "or array attribute",
            )
        if len(element.data) != len(inner.body):
            raise op_error(
                op,
                f"nested array attribute size for struct element at index {place} must match "
                f"struct size: {len(element.data)} vs. {len(inner.body)}",
            )


def _elements_constant(op: Operation, value: Attribute, t: Attribute) -> None:
    kind = cast("TensorType | VectorType", cast("DenseIntOrFPElementsAttr", value).type)
    if _scalable(t):
        if isinstance(value, DenseIntOrFPElementsAttr) and not value.is_splat():
            raise op_error(op, "scalable vector type requires a splat attribute")
        return
    if t.name != "vector" and not isinstance(t, LLVMArrayType):
        raise op_error(op, "expected vector or array type")
    size = 1
    for length in kind.get_shape():
        size *= length
    if _count(t) != size:
        raise op_error(
            op,
            f"type and attribute have a different number of elements: {_count(t)} vs. {size}",
        )
    given, wanted = kind.element_type, _innermost(t)
    if _is_float(given):
        _float_semantics(op, given, wanted)
    elif isinstance(given, IntegerType) and not isinstance(wanted, IntegerType):
        raise op_error(op, "expected integer element type for integer elements attribute")


def _constant(op: llvm.MlirConstantOp) -> None:
    value, t = op.value, op.results[0].type
    if isinstance(value, IntegerAttr) and isinstance(t, IntegerType):
        return
    if isinstance(value, StringAttr):
        size = len(value.data.encode("utf-8", "surrogateescape"))
        if not isinstance(t, LLVMArrayType) or t.size != size or t.element_type != IntegerType(8):
            raise op_error(op, f"expected array type of {size} i8 elements for the string constant")
    elif isinstance(t, LLVMStructType):
        _struct_constant(op, value, t)
    elif isinstance(t, LLVMTargetExtType):
        raise op_error(op, "does not support target extension type.")
    elif isinstance(value, IntegerAttr):
        raise op_error(op, "expected integer type")
    elif isinstance(value, FloatAttr):
        _float_semantics(op, value.type, t)
    elif value.name in _ELEMENTS or (hasattr(value, "get_values") and hasattr(value, "type")):
        if hasattr(value, "type"):
            _elements_constant(op, value, t)
    elif isinstance(value, ArrayAttr):
        if not isinstance(t, LLVMArrayType):
            raise op_error(op, "expected array or struct type for array attribute")
        _array_constant(op, t, value, 0)
    else:
        raise op_error(op, "only supports integer, float, string or elements attributes")


def _zero(op: Operation) -> None:
    t = op.results[0].type
    if isinstance(t, LLVMTargetExtType) and not supports(t, "zero"):
        raise op_error(op, "target extension type does not support zero-initializer")


# -- casts ----------------------------------------------------------------------------------------


def _extension(op: llvm.SextOp | llvm.ZextOp) -> None:
    source, target = op.operands[0].type, op.results[0].type
    if is_vector(source):
        if not is_vector(target):
            raise error(op, "input type is a vector but output type is an integer")
        if (source.get_shape(), source.scalable_dims) != (target.get_shape(), target.scalable_dims):
            raise error(op, "input and output vectors are of incompatible shape")
        source, target = source.element_type, target.element_type
    elif not isinstance(target, IntegerType):
        raise error(op, "input type is an integer but output type is a vector")
    if cast("IntegerType", target).width.data <= cast("IntegerType", source).width.data:
        raise error(
            op,
            "integer width of the output type is smaller or equal to the integer width of the "
            "input type",
        )


def _bitcast(op: llvm.BitcastOp) -> None:
    source, target = op.operands[0].type, op.results[0].type
    of = source.element_type if is_vector(source) else source
    to = target.element_type if is_vector(target) else target
    from_pointer, to_pointer = isinstance(of, LLVMPointerType), isinstance(to, LLVMPointerType)
    if from_pointer != to_pointer:
        raise op_error(op, "can only cast pointers from and to pointers")
    if not to_pointer:
        return
    if target.name == "vector" and source.name != "vector":
        raise op_error(op, "cannot cast pointer to vector of pointers")
    if target.name != "vector" and source.name == "vector":
        raise op_error(op, "cannot cast vector of pointers to pointer")
    if of != to:
        raise op_error(
            op,
            "cannot cast pointers of different address spaces, use 'llvm.addrspacecast' instead",
        )


# -- aggregates -----------------------------------------------------------------------------------


def _element(op: llvm.ExtractvalueOp | llvm.InsertvalueOp, container: Attribute) -> Attribute:
    if not is_llvm_compatible(container):
        raise op_error(op, f"expected LLVM IR Dialect type, got '{shown(container)}'")
    position = integers_of(op.properties["position"])
    whole = element_type(container, position)
    if not isinstance(whole, str):
        return whole
    t = container
    for index in position:  # which of them is wrong
        found = element_type(t, (index,))
        if isinstance(found, str):
            if found.startswith("expected"):
                found = f"{found}, got: '{shown(t)}'"
            raise op_error(op, found)
        t = found
    return t


def _extractvalue(op: llvm.ExtractvalueOp) -> None:
    container, result = op.operands[0].type, op.results[0].type
    found = _element(op, container)
    if found != result:
        raise op_error(
            op,
            f"Type mismatch: extracting from '{shown(container)}' should produce "
            f"'{shown(found)}' but this op returns '{shown(result)}'",
        )


def _insertvalue(op: llvm.InsertvalueOp) -> None:
    container, value = op.operands[0].type, op.operands[1].type
    if _element(op, container) != value:
        raise op_error(
            op,
            f"Type mismatch: cannot insert '{shown(value)}' into '{shown(container)}'",
        )


def _shufflevector(op: llvm.ShufflevectorOp) -> None:
    if is_llvm_scalable_vector(op.operands[0].type) and any(op.mask.get_values()):
        raise op_error(op, "expected a splat operation for scalable vectors")


def _switch(op: Operation) -> None:
    values = cast("DenseIntOrFPElementsAttr | None", op.properties.get("case_values"))
    count = len(op.successors) - 1
    if (element_count(values) if values is not None else 0) != count:
        raise op_error(op, "expects number of case values to match number of case destinations")
    if values is not None and values.get_element_type() != op.operands[0].type:
        raise error(op, "expects case value type to match condition value type")
    from xgpu.dialects.interfaces import verify_segments

    verify_segments(op, len(cast("llvm.SwitchOp", op).case_operand_segments))


# -- intrinsics -----------------------------------------------------------------------------------


def _sincos(op: Operation) -> None:
    t, result = op.operands[0].type, op.results[0].type
    if not isinstance(result, LLVMStructType) or tuple(result.body) != (t, t):
        raise op_error(
            op,
            "expected result type to be an homogeneous struct with two elements matching the "
            f"operand type, but got '{shown(result)}'",
        )


def _masked(
    value: Callable[[Operation], Attribute], pointers: Callable[[Operation], Attribute], place: int
) -> Verifier:
    """The pointers of a masked gather or scatter are as many as the values."""

    def check(op: llvm.IntrMaskedGatherOp | llvm.IntrMaskedScatterOp) -> None:
        given, data = pointers(op), value(op)
        if not is_llvm_vector(given) or not is_llvm_vector(data):
            return
        wanted = VectorType(given.element_type, data.get_shape(), data.scalable_dims)
        if given != wanted:
            raise op_error(op, f"expected operand #{place} type to be '{shown(wanted)}'")

    return check


VALUE_VERIFY: dict[str, Verifier] = {
    "llvm.mlir.constant": _constant,
    "llvm.mlir.zero": _zero,
    "llvm.sext": _extension,
    "llvm.zext": _extension,
    "llvm.bitcast": _bitcast,
    "llvm.extractvalue": _extractvalue,
    "llvm.insertvalue": _insertvalue,
    "llvm.shufflevector": _shufflevector,
    "llvm.switch": _switch,
    "llvm.intr.sincos": _sincos,
    "llvm.intr.masked.gather": _masked(
        lambda op: op.results[0].type, lambda op: op.operands[0].type, 1
    ),
    "llvm.intr.masked.scatter": _masked(
        lambda op: op.operands[0].type, lambda op: op.operands[1].type, 2
    ),
}
