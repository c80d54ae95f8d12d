# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`outline-shape-computation`, `remove-shape-constraints`, `shape-to-shape-lowering`.

Source: MLIR 22.1 OutlineShapeComputation.cpp, RemoveShapeConstraints.cpp, ShapeToShapeLowering.cpp.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import FunctionType, IntegerAttr, StringAttr, TensorType
from xdsl.ir import Block, Operation, Region, SSAValue

from xgpu.core import ods
from xgpu.core.ir.blocks import block_for, block_with, location_of
from xgpu.core.ir.construction import insert_before, replace_all_uses
from xgpu.core.ir.symbols import body_operations, symbol_name
from xgpu.core.passes.base import Pass
from xgpu.core.rewriting.builder import Builder
from xgpu.core.rewriting.driver import Conversion, Rule, convert
from xgpu.core.rewriting.greedy import GreedyRewriter, Pattern, apply_patterns
from xgpu.dialects.arith.builders import index_constant
from xgpu.dialects.shape.ops import INDEX, extent_tensor, is_shape, size_type

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.ir import LocationAttr


# -- shape-to-shape-lowering


def lower_num_elements(
    op: Operation, operands: Sequence[SSAValue], rw: Conversion
) -> Sequence[SSAValue]:
    """num_elements %s  =>  reduce(%s, 1) { ^bb0(%i, %extent, %product): their product }"""
    kind = op.results[0].type
    extent = size_type() if is_shape(operands[0].type) else INDEX
    if kind == INDEX:
        one = index_constant(rw, 1)
    else:
        one = rw.value("shape.const_size", (), kind, {"value": IntegerAttr(1, INDEX)})
    block = block_for([op.results[0], operands[0], one], [INDEX, extent, kind])
    with rw.inside(block):
        rw.create("shape.yield", [rw.value("shape.mul", block.args[1:], kind)])
    return rw.create("shape.reduce", [operands[0], one], [kind], regions=[Region(block)]).results


_LOWERED: dict[str, Rule] = {"shape.num_elements": lower_num_elements}


class ShapeToShapeLoweringPass(Pass):
    """What other operations of the dialect can say."""

    name = "shape-to-shape-lowering"
    summary = "Legalize Shape dialect to be convertible to Arith"
    anchor = "func.func"

    def run(self, op: Operation, ctx: Context) -> None:
        convert(op, _LOWERED, illegal=tuple(_LOWERED))


# -- remove-shape-constraints


def holds(op: Operation, rw: GreedyRewriter) -> bool:
    """cstr_eq %a, %b -> const_witness true"""
    properties = {"passing": IntegerAttr.from_bool(True)}
    rw.replace_with(op, "shape.const_witness", (), [op.results[0].type], properties)
    return True


_REMOVED: dict[str, tuple[Pattern, ...]] = {
    "shape.cstr_broadcastable": (holds,),
    "shape.cstr_eq": (holds,),
}


class RemoveShapeConstraintsPass(Pass):
    """Constraints are taken to hold."""

    name = "remove-shape-constraints"
    summary = "Replace all cstr_ ops with a true witness"
    anchor = "func.func"

    def run(self, op: Operation, ctx: Context) -> None:
        apply_patterns(op, _REMOVED)


# -- outline-shape-computation


def extent_for_dim(op: Operation, rw: GreedyRewriter) -> bool:
    """tensor.dim %t, %i -> get_extent (shape_of %t), %i"""
    source = op.operands[0]
    kind = source.type
    rank = len(kind.get_shape()) if isinstance(kind, TensorType) else None
    tensor = extent_tensor() if rank is None else extent_tensor(rank)
    shape = rw.value("shape.shape_of", [source], tensor)
    rw.replace_with(op, "shape.get_extent", [shape, op.operands[1]], [INDEX])
    return True


class _Outliner:
    """What one function computes of shapes alone, as functions of their own behind it."""

    def __init__(self, function: Operation, taken: set[str], first: int) -> None:
        self.function = function
        self.taken = taken
        self.number = first
        self.for_shapes: dict[Operation, bool] = {}
        #: Shapes that have a function.
        self.outlined: set[SSAValue] = set()

    def run(self) -> None:
        annotated = [op for op in self.function.walk() if op.name == "shape.with_shape"]
        for op in annotated:
            value, shape = op.operands
            if isinstance(value.type, TensorType) and shape not in self.outlined:
                self.outlined.add(shape)
                self._outline(shape, location_of(value))
        for op in annotated:
            _forget_shape(op)

    def _is_for_shapes(self, op: Operation) -> bool:
        """Whether all that uses the results of `op`, however far away, is a stated shape."""
        known = self.for_shapes.get(op)
        if known is not None:
            return known
        uses = [use for result in op.results for use in result.uses]
        found = bool(uses) and all(
            use.index == 1
            if use.operation.name == "shape.with_shape"
            else self._is_for_shapes(use.operation)
            for use in uses
        )
        self.for_shapes[op] = found
        return found

    def _cluster(self, shape: SSAValue) -> list[Operation]:
        """The operations that compute a shape and nothing else, in their order."""
        found: set[Operation] = set()
        queue = [shape]
        while queue:
            op = queue.pop().owner
            if isinstance(op, Block) or op in found or not self._is_for_shapes(op):
                continue
            found.add(op)
            queue.extend(op.operands)
        return [op for op in self.function.walk() if op in found]

    def _outline(self, shape: SSAValue, location: LocationAttr) -> None:
        cluster = self._cluster(shape)
        inside = {result for op in cluster for result in op.results}
        used = [value for op in cluster for value in op.operands if value not in inside]
        inputs = list(dict.fromkeys(used)) if cluster else [shape]
        types = [value.type for value in inputs]
        body = block_with(types, location)
        mapping: dict[SSAValue, SSAValue] = dict(zip(inputs, body.args, strict=True))
        builder = Builder(block=body, location=location)
        for op in cluster:
            builder.insert(op.clone(mapping))
        builder.create("shape.return", [mapping[shape]])
        properties = {
            "sym_name": StringAttr(self._name()),
            "sym_visibility": StringAttr("private"),
            "function_type": FunctionType.from_lists(types, [shape.type]),
        }
        made = ods.create("shape.func", (), (), properties, None, [Region(body)])
        made.location = location
        parent = self.function.parent
        assert parent is not None
        insert_before(parent, made, self.function.next_op)

    def _name(self) -> str:
        name = f"shape_cal_{self.number}"
        self.number += 1
        while name in self.taken:
            name += "_0"
        self.taken.add(name)
        return name


def _forget_shape(op: Operation) -> None:
    """value_of (with_shape %v, %s) -> %v, or value_of %v of another type"""
    value = op.operands[0]
    for use in list(op.results[0].uses):
        user = use.operation
        if user.name != "shape.value_of":
            continue
        if user.results[0].type == value.type:
            replace_all_uses(user.results[0], value)
        else:
            user.operands[0] = value


class OutlineShapeComputationPass(Pass):
    """What is computed of shapes alone, in functions of its own."""

    name = "outline-shape-computation"
    summary = "Using shape.func to preserve shape computation"
    anchor = "builtin.module"

    def run(self, op: Operation, ctx: Context) -> None:
        taken = {name for inner in body_operations(op) if (name := symbol_name(inner))}
        number = 0
        for function in [inner for inner in op.walk() if inner.name == "func.func"]:
            apply_patterns(function, {"tensor.dim": (extent_for_dim,)})
            outliner = _Outliner(function, taken, number)
            outliner.run()
            number = outliner.number
            apply_patterns(function, {})
