# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The words of constraint expressions that speak of attributes; see `predicates`."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    DictionaryAttr,
    FloatAttr,
    IntegerAttr,
    StringAttr,
    SymbolRefAttr,
    UnitAttr,
)
from xdsl.ir import Attribute, TypeAttribute

from xgpu.core.ods.type_predicates import (
    is_f32,
    is_f64,
    is_float,
    is_index,
    is_integer,
    is_signless,
)

if TYPE_CHECKING:
    from xdsl.dialects.builtin import IntegerType


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
