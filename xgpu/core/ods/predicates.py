# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The words of constraint expressions.

A constraint in `xgpu/core/ods/tables/` is a Python expression over these functions, with `t` the
type or attribute it is asked about: `is_memref(t) and rank(t) == 1`. Predicates of operations
(`Pred<...>` traits) have `op` instead. Builtin types are told apart by name, so that types of other
representations (our own, xDSL's) answer alike.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any

from xdsl.ir import Attribute

from xgpu.core.ods.type_predicates import MEMREFS, TENSORS, has_rank

if TYPE_CHECKING:
    from xdsl.ir import Operation, Region


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
    """Whether a tensor and a buffer agree in shape and element type."""
    t, b = tensor.type, buffer.type
    return (
        has_rank(t) == has_rank(b)
        and t.element_type == b.element_type
        and (not has_rank(t) or t.get_shape() == b.get_shape())
    )


def vector_print_is_literal_or_value(op: Any) -> bool:
    """A string literal is printed alone: no value, no punctuation but the newline."""
    if op.string_literal is None:
        return True
    return op.source is None and op.punctuation.data == "newline"


@cache
def _words() -> dict[str, object]:
    """All words, by name."""
    from xgpu.core.ods import attribute_predicates, type_predicates

    return {**vars(type_predicates), **vars(attribute_predicates), **globals()}


def compile_type_predicate(expression: str) -> Callable[[Any], Any]:
    """A table's expression over `t` as a function."""
    return eval(f"lambda t: {expression}", _words())


def compile_op_predicate(expression: str) -> Callable[[Operation], Any]:
    """A table's expression over `op` as a function."""
    return eval(f"lambda op: {expression}", _words())
