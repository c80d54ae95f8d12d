# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Verifiers of transform.structured operations: handles, sizes, orders."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    DenseArrayBase,
    IntegerAttr,
    IntegerType,
    StringAttr,
)
from xdsl.ir import Attribute, Operation
from xdsl.traits import IsolatedFromAbove, OpTrait

from xgpu.core.ir.errors import error, op_error, shown
from xgpu.core.ir.op_info import traits_of
from xgpu.dialects import transform
from xgpu.dialects.transform.ops import kind_of

if TYPE_CHECKING:
    from xgpu.core.ods.attributes import StructAttr
    from xgpu.dialects.interfaces import Verifier


def _numbers(op: Operation, name: str) -> list[int]:
    attr = cast("DenseArrayBase[IntegerType] | None", op.properties.get(name))
    return list(attr.get_values()) if attr is not None else []


def verify_tile_using_for(op: Operation) -> None:
    """A handle for each loop, that is for each size that is not zero."""
    sizes = _numbers(op, "static_sizes")
    scalable = _numbers(op, "scalable_sizes")
    if scalable and len(scalable) != len(sizes):
        raise op_error(
            op,
            f"expected same number of sizes ({len(sizes)}) and scalable sizes ({len(scalable)})",
        )
    expected = sum(size != 0 for size in sizes)
    if len(op.results) - 1 != expected:
        raise op_error(
            op,
            f"expected number of loops to tile ({expected}) to match number of `loops` results "
            f"({len(op.results) - 1})",
        )


_PARENT = "transform.match.structured"


def verify_match(op: Operation) -> None:
    """One argument, a handle to an operation."""
    args = op.regions[0].block.args
    if len(args) != 1:
        raise op_error(op, "expected one body argument")
    if kind_of(args[0].type) != "op":
        raise op_error(op, "expected body argument to implement TransformHandleTypeInterface")
    for inner in op.regions[0].block.ops:
        if inner.name != f"{_PARENT}.yield" and "MatchOpInterface" not in traits_of(inner.name):
            raise op_error(
                op,
                "expects nested operations to implement MatchOpInterface",
                [(inner.location, "offending operation")],
            )


def _in_match(op: Operation) -> None:
    parent = op.parent_op()
    if parent is None or parent.name != _PARENT:
        raise op_error(op, f"expects parent op to be '{_PARENT}'")
    if op.operands[0] is not parent.regions[0].block.args[0]:
        raise op_error(op, "expected predicate to apply to the surrounding structured op")


def verify_body(op: Operation) -> None:
    _in_match(op)
    names = ("reduction_position", "passthrough", "elementwise", "contraction")
    if sum(name in op.properties for name in names) > 1:
        words = ", ".join(f'"{name}"' for name in names)
        raise op_error(op, f"only one of {{{words}}} is allowed")
    contraction = cast("ArrayAttr[StringAttr] | None", op.properties.get("contraction"))
    if contraction is not None and len(contraction.data) != 2:
        raise op_error(op, 'expects "contraction" to contain two elements')


def verify_list(op: Operation, name: str) -> None:
    """A list of positions, or all, or all except some."""
    numbers = _numbers(op, name)
    everything = "is_all" in op.properties
    if everything and "is_inverted" in op.properties:
        raise op_error(op, "cannot request both 'all' and 'inverted' values in the list")
    if everything and numbers:
        raise op_error(op, "cannot both request 'all' and specific values in the list")
    if not everything and not numbers:
        raise op_error(op, "must request specific values in the list if 'all' is not specified")
    if len(set(numbers)) != len(numbers):
        raise op_error(op, "expected the listed values to be unique")


def verify_dim(op: Operation) -> None:
    _in_match(op)
    if "parallel" in op.properties and "reduction" in op.properties:
        raise op_error(op, "cannot request the same dimension to be both parallel and reduction")
    verify_list(op, "raw_dim_list")


def verify_operand(op: Operation) -> None:
    """match.structured.input and init"""
    _in_match(op)
    if "permutation" in op.properties and "projected_permutation" in op.properties:
        raise op_error(op, '"permutation" and "projected_permutation" are mutually exclusive')
    several = len(_numbers(op, "raw_position_list")) > 1
    several = several or "is_all" in op.properties or "is_inverted" in op.properties
    if op.results and several and kind_of(op.results[0].type) == "op":
        raise op_error(op, "cannot bind multiple inputs/inits to the same value")
    verify_list(op, "raw_position_list")


def verify_result(op: Operation) -> None:
    _in_match(op)
    words = "any" in op.properties, "single" in op.properties
    if any(words) is (kind_of(op.results[0].type) == "value"):
        raise op_error(
            op, "expects either the any/single keyword or the type value handle result type"
        )
    if all(words):
        raise op_error(op, "'any' and 'single' are mutually exclusive")


STRUCTURED_VERIFY = {
    _PARENT: verify_match,
    f"{_PARENT}.body": verify_body,
    f"{_PARENT}.dim": verify_dim,
    f"{_PARENT}.init": verify_operand,
    f"{_PARENT}.input": verify_operand,
    f"{_PARENT}.result": verify_result,
    "transform.structured.tile_using_for": verify_tile_using_for,
}


# -- Verifiers of transform operations that tile, pad, pack and split: sizes, orders, handles.


def _is_permutation(numbers: Sequence[int]) -> bool:
    return sorted(numbers) == list(range(len(numbers)))


def _permutation(name: str) -> Verifier:
    """An attribute that is empty or a permutation."""

    def verify(op: Operation) -> None:
        numbers = _numbers(op, name)
        if not _is_permutation(numbers):
            listed = ", ".join(map(str, numbers))
            raise op_error(op, f"expects {name} to be a permutation, found {listed}")

    return verify


def _same_results(op: Operation) -> None:
    if len({result.type for result in op.results}) != 1:
        raise op_error(op, "expects all results type to be the same")


def _pack_greedily(op: Operation) -> None:
    if not _is_permutation(_numbers(op, "matmul_inner_dims_order")):
        raise op_error(op, '"matmul_inner_dims_order" is not a valid permutation')
    sizes = _numbers(op, "static_matmul_packed_sizes")
    multiples = _numbers(op, "matmul_padded_sizes_next_multiple_of")
    if any(a and b for a, b in zip(sizes, multiples, strict=False)):
        raise op_error(
            op,
            "at most one of the packed_size and the padded_sizes_next_multiple_of can be nonzero "
            "for the matmul strategy",
        )


def _pack_transpose(op: Operation) -> None:
    inner, outer = _numbers(op, "inner_perm"), _numbers(op, "outer_perm")
    if not _is_permutation(inner):
        raise op_error(op, '"inner_perm" is not a valid permutation')
    if not _is_permutation(outer):
        raise op_error(op, '"outer_perm" is not a valid permutation')
    if not inner and not outer:
        raise op_error(op, ' at least one of "inner_perm" or "outer_perm" must be specified')


def _split(op: transform.StructuredSplitOp) -> None:
    static = op.properties["static_chunk_sizes"].value.data
    if (static == DYNAMIC_INDEX) != (op.dynamic_chunk_sizes is not None):
        raise op_error(op, "expects either a dynamic or a static split point to be provided")


def _split_handle(op: Operation) -> None:
    overflow = cast("IntegerAttr | None", op.properties.get("overflow_result"))
    if overflow is not None and not 0 <= overflow.value.data < len(op.results):
        raise op_error(op, "overflow_result is not a valid result index")


def _positions(op: Operation) -> None:
    verify_list(op, "raw_position_list")


def _num_associations(op: Operation) -> None:
    """The number is a parameter of 64 bits."""
    kind = op.results[0].type
    inner = cast("StructAttr", kind).data[0] if kind.name == "transform.param" else None
    if inner is None:
        return  # `!transform.any_param`
    if not isinstance(inner, IntegerType) or inner.width.data != 64:
        raise error(
            op,
            "expected the type of the parameter attribute ('i64') to match the parameter type "
            f"('{shown(inner)}')",
        )


def _fuse(op: Operation) -> None:
    sizes, order = _numbers(op, "static_tile_sizes"), _numbers(op, "static_tile_interchange")
    if len(order) > len(sizes):
        raise op_error(
            op,
            f"interchange length exceeds iteration space dimensions ({len(sizes)}), found "
            + ", ".join(map(str, order)),
        )
    known = [n for n in order if n != DYNAMIC_INDEX]
    if len(set(known)) != len(known) or any(not 0 <= n < len(sizes) for n in known):
        listed = ", ".join(map(str, order))
        raise op_error(op, f"expects interchange to be a permutation, found {listed}")
    loops = sum(size != 0 for size in sizes)
    loops = min(loops, 1) if "use_forall" in op.properties else loops
    if len(op.results) - 1 != loops:
        raise op_error(op, f"expects {loops} loop results")


def _list_of(attr: Attribute) -> list[int]:
    items = cast("ArrayAttr[Attribute]", attr).data
    return [item.value.data for item in items if isinstance(item, IntegerAttr)]


def _shown_list(numbers: Sequence[int]) -> str:
    return f"[{', '.join(map(str, numbers))}]"


#: How a padded result is put back.
_COPIES = ("bufferization.materialize_in_destination", "linalg.copy", "none")


def _pad(op: Operation) -> None:
    properties = op.properties
    flags, dimensions = (
        _list_of(properties[name]) if name in properties else []
        for name in ("nofold_flags", "padding_dimensions")
    )
    if any(flag not in (0, 1) for flag in flags):
        raise op_error(
            op, f"expects nofold_flags to contain booleans (0/1), found {_shown_list(flags)}"
        )
    if any(dimension < 0 for dimension in dimensions):
        raise op_error(
            op,
            "expects padding_dimensions to contain positive integers, found "
            + _shown_list(dimensions),
        )
    multiples = _numbers(op, "static_pad_to_multiple_of")
    if multiples and len(multiples) != len(dimensions):
        raise op_error(op, "expects as many multiples as padding_dimensions")
    paddings = cast("ArrayAttr[Attribute] | None", properties.get("transpose_paddings"))
    for order in () if paddings is None else paddings.data:
        if not _is_permutation(_list_of(order)):
            raise op_error(
                op,
                "expects transpose_paddings to be a permutation, found "
                + _shown_list(_list_of(order)),
            )
    copy = properties.get("copy_back_op")
    if copy is not None and cast("StringAttr", copy).data not in _COPIES:
        raise op_error(op, "invalid copy_back_op")


def _vectorize(op: Operation) -> None:
    sizes, scalable = _numbers(op, "static_vector_sizes"), _numbers(op, "scalable_sizes")
    if scalable and len(sizes) != len(scalable):
        raise op_error(
            op,
            f"expected same number of vector sizes ({len(sizes)}) and scalable sizes "
            f"({len(scalable)})",
        )


def _replace(op: Operation) -> None:
    block = op.regions[0].first_block
    if block is None or block.first_op is None or block.first_op is not block.last_op:
        raise op_error(op, "expected one operation in block")
    inner = block.first_op
    if not inner.has_trait(_isolated(), value_if_unregistered=True):
        raise op_error(
            op,
            "expected in-region operation to be isolated from above",
            [(inner.location, "operation is not isolated from above")],
        )
    if inner.operands:
        raise op_error(op, "expected replacement without operands")


def _isolated() -> type[OpTrait]:
    return IsolatedFromAbove


def _one_of(name: str, choices: Sequence[str], message: str) -> Callable[[Operation], None]:
    def verify(op: Operation) -> None:
        attr = cast("StringAttr | None", op.properties.get(name))
        if attr is not None and attr.data not in choices:
            raise op_error(op, message)

    return verify


_COPY_OPS = ("memref.copy", "linalg.copy", "bufferization.materialize_in_destination")


def _bufferize_to_allocation(op: Operation) -> None:
    _one_of("memcpy_op", _COPY_OPS, "unsupported memcpy op")(op)
    _one_of("alloc_op", ("memref.alloc", "memref.alloca"), "unsupported alloc op")(op)


SIZE_VERIFY = {
    "transform.bufferization.one_shot_bufferize": _one_of(
        "memcpy_op", _COPY_OPS[:2], "unsupported memcpy op"
    ),
    "transform.get_operand": _positions,
    "transform.get_result": _positions,
    "transform.num_associations": _num_associations,
    "transform.split_handle": _split_handle,
    "transform.structured.bufferize_to_allocation": _bufferize_to_allocation,
    "transform.structured.continuous_tile_sizes": _same_results,
    "transform.structured.fuse": _fuse,
    "transform.structured.hoist_pad": _permutation("transpose"),
    "transform.structured.hoist_pad.build_packing_loop_nest": _permutation("transpose"),
    "transform.structured.interchange": _permutation("iterator_interchange"),
    "transform.structured.multitile_sizes": _same_results,
    "transform.structured.pack_greedily": _pack_greedily,
    "transform.structured.pack_transpose": _pack_transpose,
    "transform.structured.pad": _pad,
    "transform.structured.replace": _replace,
    "transform.structured.split": _split,
    "transform.structured.vectorize": _vectorize,
}
