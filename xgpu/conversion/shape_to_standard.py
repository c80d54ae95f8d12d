# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`convert-shape-to-std`, `convert-shape-constraints`: shapes as tensors of extents.

What may hold an error (`!shape.shape`, `!shape.size`) has no tensor that it could be, and stays.

Source: MLIR 22.1 ShapeToStandard.cpp, ConvertShapeConstraints.cpp.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    IntegerAttr,
    StringAttr,
    TensorType,
    i1,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from xgpu.core.ir.blocks import block_with
from xgpu.core.ir.construction import defining
from xgpu.core.ods.operation import segment_sizes
from xgpu.core.passes.base import Pass
from xgpu.core.rewriting.builder import Builder
from xgpu.core.rewriting.converted_values import NoMatch
from xgpu.core.rewriting.driver import Conversion, Rule, convert
from xgpu.core.rewriting.greedy import GreedyRewriter, Pattern, apply_patterns
from xgpu.dialects.arith.builders import binary, cmpi, constant, index_constant, select
from xgpu.dialects.shape.ops import (
    INDEX,
    extent_tensor,
    extents_of,
    is_extent_tensor,
    is_shape,
    is_size,
)
from xgpu.dialects.syntax_helpers import i64_array

if TYPE_CHECKING:
    from xdsl.context import Context

Values = Sequence["SSAValue"]
_BROADCASTABLE = "required broadcastable shapes"
_EQUAL = "required equal shapes"


# -- Pieces of IR.


def _dim(rw: Builder, value: SSAValue, at: SSAValue) -> SSAValue:
    return rw.value("tensor.dim", [value, at], INDEX)


def _extent(rw: Builder, value: SSAValue, at: SSAValue) -> SSAValue:
    return rw.value("tensor.extract", [value, at], INDEX)


def _loop(
    rw: Builder, bounds: Values, inits: Values, body: Callable[[SSAValue, Values], Values]
) -> Values:
    """`scf.for` over bounds and step; `body` gives what the next iteration gets."""
    types = [init.type for init in inits]
    block = block_with([INDEX, *types], rw.location)
    with rw.inside(block):
        rw.create("scf.yield", body(block.args[0], block.args[1:]))
    return rw.create("scf.for", [*bounds, *inits], types, regions=[Region(block)]).results


def _if(
    rw: Builder, condition: SSAValue, kind: Attribute,
    yes: Callable[[], SSAValue], no: Callable[[], SSAValue],
) -> SSAValue:  # fmt: skip
    """`scf.if` that gives one value."""
    regions: list[Region] = []
    for branch in (yes, no):
        block = Block()
        with rw.inside(block):
            rw.create("scf.yield", [branch()])
        regions.append(Region(block))
    return rw.create("scf.if", [condition], [kind], regions=regions).results[0]


def _generate(rw: Builder, rank: SSAValue, extent: Callable[[SSAValue], SSAValue]) -> SSAValue:
    """A tensor of `rank` extents."""
    block = block_with([INDEX], rw.location)
    with rw.inside(block):
        rw.create("tensor.yield", [extent(block.args[0])])
    return rw.create("tensor.generate", [rank], [extent_tensor()], regions=[Region(block)]).results[
        0
    ]


def _no_errors(values: Values) -> None:
    if any(is_shape(value.type) for value in values):
        raise NoMatch("shapes that may hold errors have no tensor of extents")


# -- Broadcasting.


class _Aligned:
    """Shapes whose last extents stand below each other: the rank of the largest, and how many
    extents each lacks."""

    def __init__(self, rw: Builder, shapes: Values, zero: SSAValue) -> None:
        self.rw = rw
        self.shapes = shapes
        ranks = [_dim(rw, shape, zero) for shape in shapes]
        self.rank = ranks[0]
        for rank in ranks[1:]:
            self.rank = binary(rw, "maxui", rank, self.rank)
        self.missing = [binary(rw, "subi", self.rank, rank) for rank in ranks]

    def extent(self, at: SSAValue) -> SSAValue:
        """The extent `at` of the shape that all are broadcast to."""
        rw = self.rw
        one = index_constant(rw, 1)
        found = one
        for shape, missing in zip(self.shapes, self.missing, strict=True):
            found = self._joined(shape, missing, at, found, one)
        return found

    def _joined(
        self, shape: SSAValue, missing: SSAValue, at: SSAValue, found: SSAValue, one: SSAValue
    ) -> SSAValue:
        rw = self.rw

        def other() -> SSAValue:
            extent = _extent(rw, shape, binary(rw, "subi", at, missing))
            # An extent of 1 takes the other one; so an extent of 0 stays.
            return select(rw, cmpi(rw, "eq", extent, one), found, extent)

        return _if(rw, cmpi(rw, "ult", at, missing), INDEX, lambda: found, other)

    def all_fit(self, at: SSAValue, so_far: SSAValue, one: SSAValue) -> SSAValue:
        """Whether each shape's extent `at` is 1 or that of the whole."""
        whole = self.extent(at)
        for shape, missing in zip(self.shapes, self.missing, strict=True):
            so_far = self._fits(shape, missing, at, so_far, (one, whole))
        return so_far

    def _fits(
        self, shape: SSAValue, missing: SSAValue, at: SSAValue, so_far: SSAValue, allowed: Values
    ) -> SSAValue:
        rw = self.rw

        def checked() -> SSAValue:
            extent = _extent(rw, shape, binary(rw, "subi", at, missing))
            first, second = (cmpi(rw, "eq", extent, value) for value in allowed)
            return binary(rw, "andi", so_far, binary(rw, "ori", first, second))

        return _if(rw, cmpi(rw, "ult", at, missing), i1, lambda: so_far, checked)


def lower_broadcast(op: Operation, operands: Values, rw: Conversion) -> Values:
    """The extents one by one, in tensor.generate."""
    if is_shape(op.results[0].type):
        raise NoMatch("a shape that may hold an error")
    _no_errors(operands)
    aligned = _Aligned(rw, operands, index_constant(rw, 0))
    made = _generate(rw, aligned.rank, aligned.extent)
    wanted = op.results[0].type
    return [made if made.type == wanted else rw.value("tensor.cast", [made], wanted)]


def lower_is_broadcastable(op: Operation, operands: Values, rw: Conversion) -> Values:
    """A loop over the extents."""
    _no_errors(operands)
    zero, one = index_constant(rw, 0), index_constant(rw, 1)
    aligned = _Aligned(rw, operands, zero)
    bounds = (zero, aligned.rank, one)
    return _loop(
        rw, bounds, [constant(rw, True, i1)],
        lambda at, args: [aligned.all_fit(at, args[0], one)],
    )  # fmt: skip


# -- Shapes and sizes.


def lower_any(op: Operation, operands: Values, rw: Conversion) -> Values:
    """The first: each would do."""
    return [operands[0]]


def _arithmetic(name: str) -> Rule:
    def rule(op: Operation, operands: Values, rw: Conversion) -> Values:
        if any(is_size(value.type) for value in (*op.operands, *op.results)):
            raise NoMatch("sizes may hold errors")
        return [binary(rw, name, operands[0], operands[1])]

    return rule


def lower_const_shape(op: Operation, operands: Values, rw: Conversion) -> Values:
    """const_shape [2, 3]  =>  tensor.from_elements of constants"""
    if is_shape(op.results[0].type):
        raise NoMatch("a shape that may hold an error")
    extents = extents_of(op.properties["shape"]) or []
    values = [index_constant(rw, extent) for extent in extents]
    return [_cast(rw, _from_elements(rw, values), extent_tensor(len(extents)))]


def _from_elements(rw: Builder, extents: Values) -> SSAValue:
    return rw.value("tensor.from_elements", extents, extent_tensor(len(extents)))


def _cast(rw: Builder, value: SSAValue, kind: Attribute) -> SSAValue:
    return rw.value("tensor.cast", [value], kind)


def lower_const_size(op: Operation, operands: Values, rw: Conversion) -> Values:
    number = cast("IntegerAttr", op.properties["value"]).value.data
    return [index_constant(rw, number)]


def lower_dim(op: Operation, operands: Values, rw: Conversion) -> Values:
    """shape.dim %t, %i  =>  shape.get_extent (shape.shape_of %t), %i"""
    kind = operands[0].type
    if op.results[0].type != INDEX or not isinstance(kind, TensorType):
        raise NoMatch("an extent that may hold an error")
    tensor = extent_tensor(len(kind.get_shape()))
    shape = rw.value("shape.shape_of", [operands[0]], tensor)
    return [rw.value("shape.get_extent", [shape, operands[1]], INDEX)]


def _is_tensor(value: SSAValue) -> bool:
    return value.type.name in ("tensor", "unranked_tensor")


def lower_get_extent(op: Operation, operands: Values, rw: Conversion) -> Values:
    """get_extent (shape_of %t), %i  =>  tensor.dim %t, %i; else tensor.extract"""
    if is_size(op.results[0].type):
        raise NoMatch("an extent that may hold an error")
    source = defining(op.operands[0], "shape.shape_of")
    if source is not None and _is_tensor(source.operands[0]):
        return [_dim(rw, source.operands[0], operands[1])]
    _no_errors(operands[:1])
    return [_extent(rw, operands[0], operands[1])]


def lower_rank(op: Operation, operands: Values, rw: Conversion) -> Values:
    """The length of the tensor of extents."""
    if is_size(op.results[0].type):
        raise NoMatch("a rank that may hold an error")
    return [_dim(rw, operands[0], index_constant(rw, 0))]


def lower_reduce(op: Operation, operands: Values, rw: Conversion) -> Values:
    """A loop over the extents."""
    _no_errors(operands[:1])
    zero, one = index_constant(rw, 0), index_constant(rw, 1)
    rank = _dim(rw, operands[0], zero)

    def body(at: SSAValue, args: Values) -> Values:
        values = (at, _extent(rw, operands[0], at), *args)
        block = op.regions[0].block
        mapping: dict[SSAValue, SSAValue] = dict(zip(block.args, values, strict=True))
        for inner in block.ops:
            if inner is not block.last_op:
                rw.insert(inner.clone(mapping))
        end = block.last_op
        assert end is not None
        return [mapping.get(value, value) for value in end.operands]

    return _loop(rw, (zero, rank, one), operands[1:], body)


def lower_shape_eq(op: Operation, operands: Values, rw: Conversion) -> Values:
    """Ranks, and extents in a loop, compared with those of the first."""
    _no_errors(operands)
    if len(operands) <= 1:
        return [constant(rw, True, i1)]
    zero = index_constant(rw, 0)
    first = operands[0]
    rank = _dim(rw, first, zero)
    result: SSAValue | None = None
    for shape in operands[1:]:
        same = _same_extents(rw, (first, shape), rank, zero)
        result = same if result is None else binary(rw, "andi", result, same)
    assert result is not None
    return [result]


def _same_extents(rw: Builder, shapes: Values, rank: SSAValue, zero: SSAValue) -> SSAValue:
    first, second = shapes

    def loop() -> SSAValue:
        one = index_constant(rw, 1)

        def body(at: SSAValue, args: Values) -> Values:
            equal = cmpi(rw, "eq", _extent(rw, first, at), _extent(rw, second, at))
            return [binary(rw, "andi", args[0], equal)]

        return _loop(rw, (zero, rank, one), [constant(rw, True, i1)], body)[0]

    same_rank = cmpi(rw, "eq", rank, _dim(rw, second, zero))
    return _if(rw, same_rank, i1, loop, lambda: constant(rw, False, i1))


def lower_shape_of(op: Operation, operands: Values, rw: Conversion) -> Values:
    """shape_of %t : tensor<1x?xf32>  =>  tensor.from_elements of a constant and tensor.dim"""
    if is_shape(op.results[0].type) or not _is_tensor(operands[0]):
        raise NoMatch("a shape that may hold an error")
    value = operands[0]
    kind = value.type
    if not isinstance(kind, TensorType):
        rank = rw.value("tensor.rank", [value], INDEX)
        made = _generate(rw, rank, lambda at: _dim(rw, value, at))
        return [made if made.type == op.results[0].type else _cast(rw, made, op.results[0].type)]
    extents = [
        index_constant(rw, extent)
        if extent != DYNAMIC_INDEX
        else _dim(rw, value, index_constant(rw, at))
        for at, extent in enumerate(kind.get_shape())
    ]
    return [_cast(rw, _from_elements(rw, extents), op.results[0].type)]


def lower_split_at(op: Operation, operands: Values, rw: Conversion) -> Values:
    """Two slices; an index below zero counts from the end."""
    _no_errors((operands[0], *op.results))
    shape, at = operands
    zero = index_constant(rw, 0)
    rank = _dim(rw, shape, zero)
    from_end = binary(rw, "addi", at, rank)
    start = select(rw, cmpi(rw, "slt", at, zero), from_end, at)
    one = index_constant(rw, 1)
    head = _slice(rw, shape, (zero, start, one))
    size = binary(rw, "subi", rank, start)
    return [head, _slice(rw, shape, (start, size, one))]


def _slice(rw: Builder, shape: SSAValue, place: Values) -> SSAValue:
    dynamic = i64_array([DYNAMIC_INDEX])
    properties = {
        "static_offsets": dynamic,
        "static_sizes": dynamic,
        "static_strides": dynamic,
        "operandSegmentSizes": segment_sizes([1, 1, 1, 1]),
    }
    return rw.value("tensor.extract_slice", [shape, *place], extent_tensor(), properties)


def lower_to_extent_tensor(op: Operation, operands: Values, rw: Conversion) -> Values:
    if not is_extent_tensor(operands[0].type):
        raise NoMatch("a shape that may hold an error")
    return [_cast(rw, operands[0], op.results[0].type)]


def _require(check: str, message: str) -> Rule:
    """A constraint as a comparison that is required."""

    def rule(op: Operation, operands: Values, rw: Conversion) -> Values:
        holds = rw.value(check, operands, i1)
        kind = op.results[0].type
        return [rw.value("shape.cstr_require", [holds], kind, {"msg": StringAttr(message)})]

    return rule


RULES: dict[str, Rule] = {
    "shape.add": _arithmetic("addi"),
    "shape.any": lower_any,
    "shape.broadcast": lower_broadcast,
    "shape.const_shape": lower_const_shape,
    "shape.const_size": lower_const_size,
    "shape.cstr_broadcastable": _require("shape.is_broadcastable", _BROADCASTABLE),
    "shape.cstr_eq": _require("shape.shape_eq", _EQUAL),
    "shape.dim": lower_dim,
    "shape.get_extent": lower_get_extent,
    "shape.is_broadcastable": lower_is_broadcastable,
    "shape.mul": _arithmetic("muli"),
    "shape.rank": lower_rank,
    "shape.reduce": lower_reduce,
    "shape.shape_eq": lower_shape_eq,
    "shape.shape_of": lower_shape_of,
    "shape.split_at": lower_split_at,
    "shape.to_extent_tensor": lower_to_extent_tensor,
}


class ConvertShapeToStandardPass(Pass):
    """Shapes as tensors of extents, constraints as what is required."""

    name = "convert-shape-to-std"
    summary = "Convert operations from the shape dialect into the standard dialect"
    anchor = "builtin.module"

    def run(self, op: Operation, ctx: Context) -> None:
        # As in MLIR, what is not legal is folded also where it has no rule.
        convert(
            op, RULES, known=("arith", "scf", "tensor"),
            legal=lambda each: each.name == "shape.cstr_require",
        )  # fmt: skip


# -- Constraints, as assertions that are made at once.


def _asserted(check: str, message: str) -> Pattern:
    """cstr_eq %a, %b  =>  cf.assert (shape_eq %a, %b), "required equal shapes" """

    def pattern(op: Operation, rw: GreedyRewriter) -> bool:
        holds = rw.value(check, list(op.operands), i1)
        properties = {"msg": StringAttr(message)}
        rw.replace_with(op, "shape.cstr_require", [holds], [op.results[0].type], properties)
        return True

    return pattern


def assert_required(op: Operation, rw: GreedyRewriter) -> bool:
    """cstr_require %b, "text"  =>  cf.assert %b, "text", and a witness that holds"""
    rw.create("cf.assert", [op.operands[0]], (), {"msg": op.properties["msg"]})
    properties = {"passing": IntegerAttr.from_bool(True)}
    rw.replace_with(op, "shape.const_witness", (), [op.results[0].type], properties)
    return True


_CONSTRAINTS: dict[str, tuple[Pattern, ...]] = {
    "shape.cstr_broadcastable": (_asserted("shape.is_broadcastable", _BROADCASTABLE),),
    "shape.cstr_eq": (_asserted("shape.shape_eq", _EQUAL),),
    "shape.cstr_require": (assert_required,),
}


class ConvertShapeConstraintsPass(Pass):
    """Constraints as assertions."""

    name = "convert-shape-constraints"
    summary = "Convert shape constraint operations to the standard dialect"

    def run(self, op: Operation, ctx: Context) -> None:
        apply_patterns(op, _CONSTRAINTS)
