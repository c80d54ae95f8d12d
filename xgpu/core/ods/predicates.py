# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The words of constraint expressions.

A constraint in `xgpu/core/ods/tables/` is a Python expression over these functions, with `t` the
type or attribute it is asked about: `is_memref(t) and rank(t) == 1`. Predicates of operations
(`Pred<...>` traits) have `op` instead. Builtin types are distinguished by name, so that types of
other representations (our own, xDSL's) answer alike.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any, TypeGuard, cast

from xdsl.dialects import builtin
from xdsl.dialects.builtin import (
    AffineMapAttr,
    AnyFloat,
    ArrayAttr,
    ComplexType,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    DictionaryAttr,
    FloatAttr,
    FunctionType,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    Signedness,
    StringAttr,
    SymbolRefAttr,
    TensorType,
    UnitAttr,
    UnrankedMemRefType,
    UnrankedTensorType,
    VectorType,
)
from xdsl.ir import Attribute, Data, Operation, Region, TypeAttribute
from xdsl.ir.affine import AffineExpr
from xdsl.ir.affine.affine_map import AffineMap

from xgpu.core.ir.services import definitions

FLOATS = frozenset(
    ("bf16", "f16", "f32", "f64", "f80", "f128", "tf32", "f8E5M2", "f8E4M3", "f8E4M3FN",
     "f8E5M2FNUZ", "f8E4M3FNUZ", "f8E4M3B11FNUZ", "f8E3M4", "f8E8M0FNU", "f6E2M3FN", "f6E3M2FN",
     "f4E2M1FN")
)  # fmt: skip
_SHAPED = frozenset(("memref", "unranked_memref", "vector", "tensor", "unranked_tensor"))
TENSORS = frozenset(("tensor", "unranked_tensor"))
MEMREFS = frozenset(("memref", "unranked_memref"))
_DYNAMIC = builtin.DYNAMIC_INDEX

# -- types ------------------------------------------------------------------------------------


def named(t: Attribute, name: str) -> bool:
    return t.name == name


def is_any_type(t: Attribute) -> bool:
    return isinstance(t, TypeAttribute)


def is_integer(t: Attribute, width: int | None = None) -> TypeGuard[IntegerType]:
    return isinstance(t, IntegerType) and (width is None or t.width.data == width)


def _has_sign(t: Attribute, sign: Signedness, width: int | None) -> bool:
    return (
        isinstance(t, IntegerType)
        and t.signedness.data == sign
        and (width is None or t.width.data == width)
    )


def is_signless(t: Attribute, width: int | None = None) -> TypeGuard[IntegerType]:
    return _has_sign(t, Signedness.SIGNLESS, width)


def is_signed(t: Attribute, width: int | None = None) -> TypeGuard[IntegerType]:
    return _has_sign(t, Signedness.SIGNED, width)


def is_unsigned(t: Attribute, width: int | None = None) -> TypeGuard[IntegerType]:
    return _has_sign(t, Signedness.UNSIGNED, width)


def is_signless_or_index(t: Attribute) -> bool:
    return t.name == "index" or is_signless(t)


def is_index(t: Attribute) -> TypeGuard[IndexType]:
    return t.name == "index"


def is_float(t: Attribute) -> TypeGuard[AnyFloat]:
    return t.name in FLOATS


def is_f16(t: Attribute) -> bool:
    return t.name == "f16"


def is_tf32(t: Attribute) -> bool:
    return t.name == "tf32"


def is_bf16(t: Attribute) -> bool:
    return t.name == "bf16"


def is_f32(t: Attribute) -> bool:
    return t.name == "f32"


def is_f64(t: Attribute) -> bool:
    return t.name == "f64"


def is_f80(t: Attribute) -> bool:
    return t.name == "f80"


def is_f128(t: Attribute) -> bool:
    return t.name == "f128"


def is_none(t: Attribute) -> bool:
    return t.name == "none_type"


def is_tuple(t: Attribute) -> bool:
    return t.name == "tuple"


def is_function(t: Attribute) -> TypeGuard[FunctionType]:
    return t.name == "fun"


def is_complex(t: Attribute) -> TypeGuard[ComplexType]:
    return t.name == "complex"


def is_vector(t: Attribute) -> TypeGuard[VectorType]:
    return t.name == "vector"


def scalable_dims(t: VectorType) -> tuple[bool, ...]:
    """Which dimensions of a vector type are scalable."""
    return tuple(bool(d.value.data) for d in t.scalable_dims)


def is_fixed_vector(t: Attribute) -> TypeGuard[VectorType]:
    return is_vector(t) and not any(scalable_dims(t))


def is_scalable_vector(t: Attribute) -> TypeGuard[VectorType]:
    return is_vector(t) and any(scalable_dims(t))


def is_tensor(t: Attribute) -> TypeGuard[TensorType | UnrankedTensorType]:
    return t.name in TENSORS


def is_ranked_tensor(t: Attribute) -> TypeGuard[TensorType]:
    return t.name == "tensor"


def is_unranked_tensor(t: Attribute) -> TypeGuard[UnrankedTensorType]:
    return t.name == "unranked_tensor"


def is_memref(t: Attribute) -> TypeGuard[MemRefType]:
    return t.name == "memref"


def is_unranked_memref(t: Attribute) -> TypeGuard[UnrankedMemRefType]:
    return t.name == "unranked_memref"


def is_base_memref(t: Attribute) -> TypeGuard[MemRefType | UnrankedMemRefType]:
    return t.name in MEMREFS


def is_shaped(
    t: Attribute,
) -> TypeGuard[MemRefType | TensorType | VectorType | UnrankedMemRefType | UnrankedTensorType]:
    return t.name in _SHAPED


def has_value_semantics(t: Attribute) -> TypeGuard[VectorType | TensorType | UnrankedTensorType]:
    return t.name == "vector" or t.name in TENSORS


def element_type(t: MemRefType | TensorType | VectorType) -> Attribute:
    return t.element_type


def element_or_self(t: Attribute) -> Attribute:
    return t.element_type if is_shaped(t) else t


def value_type(t: Attribute) -> Attribute:
    return cast("Data[Attribute]", t).data


def has_rank(t: Attribute) -> bool:
    return t.name not in ("unranked_memref", "unranked_tensor")


def shape(t: MemRefType | TensorType | VectorType) -> tuple[int, ...]:
    """The sizes of a shaped type, MLIR's kDynamic where they are dynamic; () of an unranked one."""
    return t.get_shape() if has_rank(t) else ()


def rank(t: MemRefType | TensorType | VectorType) -> int:
    return len(t.shape)


def dim_size(t: MemRefType | TensorType | VectorType, index: int) -> int:
    return t.get_shape()[index]


def has_static_shape(t: MemRefType | TensorType | VectorType) -> bool:
    return has_rank(t) and _DYNAMIC not in t.get_shape()


def element_count(t: MemRefType | TensorType | VectorType) -> int:
    """The number of elements of a statically shaped type."""
    count = 1
    for size in t.get_shape():
        count *= size
    return count


def is_strided(t: MemRefType) -> bool:
    """Whether a memref's layout is strides and an offset."""
    layout = t.layout
    return not isinstance(layout, AffineMapAttr) or _is_strided_map(layout.data)


def _is_strided_map(affine_map: AffineMap) -> bool:
    if len(affine_map.results) != 1:
        return affine_map == affine_map.identity(affine_map.num_dims)
    return not _is_semi_affine(affine_map.results[0])


def _is_semi_affine(expression: AffineExpr) -> bool:
    """Whether `expression` has a mod or a division, so that it is no sum of products."""
    kind = getattr(expression, "kind", None)
    if kind is not None and kind.name in ("Mod", "FloorDiv", "CeilDiv"):
        return True
    return any(
        _is_semi_affine(getattr(expression, side))
        for side in ("lhs", "rhs")
        if hasattr(expression, side)
    )


def address_space(t: Attribute) -> int:
    """Of an `!llvm.ptr`."""
    return cast("Data[int]", t).data


def inputs(t: FunctionType) -> tuple[Attribute, ...]:
    return tuple(t.inputs)


def results_of(t: FunctionType) -> tuple[Attribute, ...]:
    return tuple(t.outputs)


def operation_name(t: StringAttr) -> str:
    return t.data[0] if isinstance(t.data, tuple) else t.data


# -- types of the llvm dialect ----------------------------------------------------------------

_LLVM_FLOATS = frozenset(("bf16", "f16", "f32", "f64", "f80", "f128", "llvm.ppc_fp128"))
_LLVM_ONLY = frozenset(
    ("llvm.ptr", "llvm.struct", "llvm.array", "llvm.func", "llvm.void", "llvm.token",
     "llvm.metadata", "llvm.label", "llvm.target", "llvm.x86_amx", "llvm.ppc_fp128")
)  # fmt: skip


def is_llvm_float(t: Attribute) -> bool:
    return t.name in _LLVM_FLOATS


def is_llvm_compatible(t: Attribute) -> bool:
    """Whether the llvm dialect takes a type as it is."""
    if t.name in _LLVM_ONLY:
        return True
    if isinstance(t, IntegerType):
        return t.signedness.data == Signedness.SIGNLESS
    if t.name in _LLVM_FLOATS or is_llvm_pointer(t):
        return True
    return is_llvm_vector(t)


def is_llvm_pointer(t: Attribute) -> bool:
    """`!ptr.ptr` of a memory space that LLVM has a number for."""
    if t.name != "ptr.ptr":
        return False
    return cast("Data[tuple[Attribute, ...]]", t).data[0].name in (
        "llvm.address_space",
        "nvvm.memory_space",
    )


def is_llvm_vector(t: Attribute) -> TypeGuard[VectorType]:
    """Whether `t` is a vector of rank 1 of what LLVM has vectors of."""
    if not is_vector(t) or len(t.shape) != 1:
        return False
    element = t.element_type
    if element.name == "llvm.ptr" or is_llvm_pointer(element):
        return True
    return is_signless(element) or element.name in _LLVM_FLOATS


def is_llvm_scalable_vector(t: Attribute) -> TypeGuard[VectorType]:
    return is_vector(t) and any(scalable_dims(t))


def is_llvm_loadable(t: Attribute) -> bool:
    if t.name in ("llvm.void", "llvm.func", "llvm.label", "llvm.metadata", "llvm.token"):
        return False
    if t.name == "llvm.target":  # LLVM knows which of them have a size
        extension = cast("Data[tuple[str, ...]]", t).data[0]
        return extension.startswith("spirv.") or extension == "aarch64.svcount"
    return is_llvm_compatible(t)


def is_pointer_element(t: Attribute) -> bool:
    return False  # an interface for other dialects' types; none of ours has it


class ElementCount:
    """How many elements a vector has; of a scalable one, times what only the machine knows."""

    def __init__(self, least: int, scalable: bool) -> None:
        self.least, self.scalable = least, scalable

    def __mul__(self, factor: int) -> ElementCount:
        return ElementCount(self.least * factor, self.scalable)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ElementCount) and (self.least, self.scalable) == (
            other.least,
            other.scalable,
        )

    def __hash__(self) -> int:
        return hash((self.least, self.scalable))


def llvm_vector_length(t: VectorType) -> ElementCount:
    return ElementCount(t.get_shape()[0], is_llvm_scalable_vector(t))


def vector_bits(t: VectorType) -> int:
    """The bits of a vector; of a scalable one, at its least length."""
    element = t.element_type
    if element.name == "llvm.ptr":
        return t.get_shape()[0] * 64
    return t.get_shape()[0] * getattr(element, "bitwidth", 64)


# -- transforms of types ----------------------------------------------------------------------


def i1_same_shape(t: Attribute) -> Attribute:
    """i1 in the shape of `t`."""
    i1 = builtin.i1
    if is_vector(t):
        return VectorType(i1, t.shape, t.scalable_dims)
    if is_ranked_tensor(t):
        return builtin.TensorType(i1, t.get_shape(), t.encoding)
    return builtin.UnrankedTensorType(i1) if is_unranked_tensor(t) else i1


def value_and_i1_struct(t: Attribute) -> Attribute:
    return definitions().attr_class("llvm.struct")((t, builtin.i1))


def _with_last_dimension(t: VectorType, size: int) -> Attribute:
    return VectorType(t.element_type, [*t.get_shape()[:-1], size], t.scalable_dims)


def double_last_dimension(t: VectorType) -> Attribute:
    if not t.get_shape():
        return VectorType(t.element_type, [2])
    return _with_last_dimension(t, t.get_shape()[-1] * 2)


def halve_last_dimension(t: VectorType) -> Attribute:
    size = t.get_shape()[-1] // 2 if t.get_shape() else 0
    return _with_last_dimension(t, size) if size > 0 else t


def last_dimension_is_even(t: VectorType) -> bool:
    return bool(t.get_shape()) and t.get_shape()[-1] % 2 == 0


class Repetition:
    """A type so many times: there may be more than a list can hold."""

    __slots__ = ("count", "type")

    def __init__(self, type: Attribute, count: int) -> None:
        self.type = type
        self.count = count

    def is_list_of(self, types: Sequence[Attribute]) -> bool:
        """Whether `types` are this."""
        return len(types) == self.count and all(t == self.type for t in types)


def repeat(t: Attribute, count: int) -> Repetition:
    return Repetition(t, count)


# -- attributes


def type_of(t: Any) -> Attribute:
    """The type of a typed attribute."""
    if hasattr(t, "get_type"):
        return t.get_type()
    return t.type


def value(t: Attribute) -> Attribute | int:
    """An IntegerAttr's number; a TypeAttr's type."""
    if isinstance(t, IntegerAttr):
        return t.value.data
    return t


def integer(t: IntegerAttr) -> int:
    return t.value.data


def is_positive(number: int) -> bool:
    return number > 0


def is_negative(number: int) -> bool:
    return number < 0


def is_power_of_2(number: int) -> bool:
    return number > 0 and number & (number - 1) == 0


def is_unit(t: Attribute) -> bool:
    return isinstance(t, UnitAttr)


def is_string(t: Attribute) -> bool:
    return isinstance(t, StringAttr)


def is_bool(t: Attribute) -> bool:
    return isinstance(t, IntegerAttr) and is_signless(t.type, 1)


def is_integer_attr(t: Attribute) -> bool:
    return isinstance(t, IntegerAttr)


def is_float_attr(t: Attribute) -> bool:
    return isinstance(t, FloatAttr)


def is_typed_attr(t: Attribute) -> bool:
    """Whether an attribute states a type of its own (MLIR's TypedAttr)."""
    if isinstance(t, IntegerAttr | FloatAttr | DenseIntOrFPElementsAttr | StringAttr):
        return True
    return t.name in _TYPED or (
        not isinstance(t, TypeAttribute | ArrayAttr) and hasattr(t, "get_type")
    )


_ELEMENTS = frozenset(
    (
        "dense_resource",
        "builtin.dense_resource_elements",
        "builtin.dense_string",
        "builtin.sparse",
    )
)
_TYPED = _ELEMENTS | {"complex.number", "opaque", "builtin.typed_string"}


def is_type_attr(t: Attribute) -> bool:
    return isinstance(t, TypeAttribute)


def is_array(t: Attribute) -> bool:
    return isinstance(t, ArrayAttr)


def is_dictionary(t: Attribute) -> bool:
    return isinstance(t, DictionaryAttr)


def is_affine_map(t: Attribute) -> bool:
    return t.name == "affine_map"


def is_integer_set(t: Attribute) -> bool:
    return t.name == "affine_set"


def is_symbol_ref(t: Attribute) -> bool:
    return isinstance(t, SymbolRefAttr)


def is_flat_symbol_ref(t: Attribute) -> bool:
    return isinstance(t, SymbolRefAttr) and not t.nested_references.data


def is_elements(t: Attribute) -> bool:
    return isinstance(t, DenseIntOrFPElementsAttr) or t.name in _ELEMENTS


def is_dense_elements(t: Attribute) -> bool:
    return isinstance(t, DenseIntOrFPElementsAttr)


def is_dense_int_elements(t: Attribute) -> bool:
    if not isinstance(t, DenseIntOrFPElementsAttr):
        return False
    element = t.type.element_type  # pyright: ignore[reportAttributeAccessIssue]
    return is_integer(element) or is_index(element)


def is_dense_float_elements(t: Attribute) -> bool:
    return isinstance(t, DenseIntOrFPElementsAttr) and is_float(
        t.type.element_type  # pyright: ignore[reportAttributeAccessIssue]
    )


def is_dense_array(t: Attribute) -> bool:
    return isinstance(t, DenseArrayBase)


def _is_dense_array_of(t: Attribute, width: int) -> bool:
    return isinstance(t, DenseArrayBase) and is_signless(t.elt_type, width)


def is_dense_bool_array(t: Attribute) -> bool:
    return _is_dense_array_of(t, 1)


def is_dense_i8_array(t: Attribute) -> bool:
    return _is_dense_array_of(t, 8)


def is_dense_i16_array(t: Attribute) -> bool:
    return _is_dense_array_of(t, 16)


def is_dense_i32_array(t: Attribute) -> bool:
    return _is_dense_array_of(t, 32)


def is_dense_i64_array(t: Attribute) -> bool:
    return _is_dense_array_of(t, 64)


def is_dense_f32_array(t: Attribute) -> bool:
    return isinstance(t, DenseArrayBase) and is_f32(t.elt_type)


def is_dense_f64_array(t: Attribute) -> bool:
    return isinstance(t, DenseArrayBase) and is_f64(t.elt_type)


def is_location(t: Attribute) -> bool:
    return t.name in (
        "unknown_loc", "file_line_loc", "builtin.callsite_loc", "builtin.fused_loc",
        "builtin.name_loc",
    )  # fmt: skip


def array_values(t: DenseArrayBase[IntegerType]) -> tuple[int, ...]:
    return tuple(t.get_values())


def is_sorted(values: Sequence[int]) -> bool:
    return all(a <= b for a, b in itertools.pairwise(values))


def has_no_neighbours_alike(values: Sequence[int]) -> bool:
    return all(a != b for a, b in itertools.pairwise(values))


def is_one_of(t: Attribute, width: int, values: tuple[int, ...]) -> bool:
    """Whether `t` is an integer attribute with one of an enumeration's values."""
    return isinstance(t, IntegerAttr) and is_signless(t.type, width) and t.value.data in values


def is_bits(t: Attribute, width: int, mask: int) -> bool:
    """Whether `t` is an integer attribute with no bit outside of `mask`."""
    return isinstance(t, IntegerAttr) and is_signless(t.type, width) and not t.value.data & ~mask


# -- interfaces: who has them is listed here ----------------------------------------------------

_MAPPINGS = frozenset(
    ["gpu.thread", "gpu.block", "gpu.warp", "gpu.warpgroup", "gpu.lane", "gpu.memory_space"]
)
_HANDLES = frozenset(("transform.any_op", "transform.op"))
_PARAMS = frozenset(
    ("transform.param", "transform.any_param", "transform.affine_map", "transform.type")
)


def is_device_mapping(t: Attribute) -> bool:
    return t.name in _MAPPINGS


def is_device_masking(t: Attribute) -> bool:
    return t.name == "gpu.mask"


def is_poison(t: Attribute) -> bool:
    return t.name == "ub.poison"


def is_offloading_translation(t: Attribute) -> bool:
    return t.name in ("gpu.select_object",)


def is_buffer_like(t: Attribute) -> bool:
    return t.name in MEMREFS


def is_tensor_like(t: Attribute) -> bool:
    return t.name in TENSORS


def is_transform_handle(t: Attribute) -> bool:
    return t.name in _HANDLES


def is_transform_param(t: Attribute) -> bool:
    return t.name in _PARAMS


def is_transform_value_handle(t: Attribute) -> bool:
    return t.name == "transform.any_value"


# -- regions and operations ---------------------------------------------------------------------


def has_items(region: Region, count: int) -> bool:
    return len(region.blocks) == count


def has_items_or_more(region: Region, count: int) -> bool:
    return len(region.blocks) >= count


def has_items_or_fewer(region: Region, count: int) -> bool:
    return len(region.blocks) <= count


def types_of(values: Any) -> tuple[Attribute, ...]:
    """The types of a group of values."""
    return tuple(v.type for v in values)


def matches_after_bufferization(op: Operation, tensor: Any, buffer: Any) -> bool:
    """Whether a tensor and a buffer agree in shape and element type. Raises Mismatch if not."""
    t, b = tensor.type, buffer.type
    if has_rank(t) != has_rank(b) or (has_rank(t) and t.get_shape() != b.get_shape()):
        raise Mismatch("shapes do not match")
    if t.element_type != b.element_type:
        raise Mismatch("element types do not match")
    return True


class Mismatch(Exception):
    """A predicate that does not hold, and why: MLIR reports that first."""


def vector_print_is_literal_or_value(op: Any) -> bool:
    """A string literal is printed alone: no value, no punctuation but the newline."""
    if op.string_literal is None:
        return True
    return op.source is None and op.punctuation.data == "newline"


def compile_type_predicate(expression: str) -> Callable[[Any], Any]:
    """A table's expression over `t` as a function."""
    return eval(f"lambda t: {expression}", globals())


def compile_op_predicate(expression: str) -> Callable[[Operation], Any]:
    """A table's expression over `op` as a function."""
    return eval(f"lambda op: {expression}", globals())


# -- expressions as functions


Transform = Callable[..., Any]

_TRANSFORMS: dict[str, Transform] = {}


def find_transform(text: str) -> Transform:
    """The function for an expression like `element_type(t)`."""
    transform = _TRANSFORMS.get(text)
    if transform is None:
        transform = _TRANSFORMS[text] = compile_type_predicate(text)
    return transform
