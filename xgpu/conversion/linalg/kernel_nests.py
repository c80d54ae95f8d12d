# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the kernels of structured operations share: launches, indices, guards, loops, bodies.

Sizes are integers or values of the host, which become arguments of the kernel when that is
outlined. Index arithmetic is built folded: a quotient by 1 is not built.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from xdsl.dialects.builtin import FloatAttr, IndexType, IntegerAttr, IntegerType, MemRefType
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
)

from xgpu.core.ir import constants
from xgpu.core.rewriting.rewriter import Rewriter
from xgpu.dialects.affine import maps as ap
from xgpu.dialects.affine.index_math import apply, as_value
from xgpu.dialects.affine.maps import Mixed
from xgpu.dialects.arith.builders import attribute_constant
from xgpu.transforms.scf.builders import for_loop, if_else

_INDEX = IndexType()
_ULT = 6  # arith.cmpi's predicate


def dims_of(expr: AffineExpr) -> set[int]:
    """The loops that an expression mentions."""
    if isinstance(expr, AffineDimExpr):
        return {expr.position}
    if isinstance(expr, AffineBinaryOpExpr):
        return dims_of(expr.lhs) | dims_of(expr.rhs)
    return set()


def is_projection(affine_map: AffineMap) -> bool:
    """Whether each result is another loop."""
    positions = [r.position for r in affine_map.results if isinstance(r, AffineDimExpr)]
    return len(positions) == len(affine_map.results) == len(set(positions))


def binary(rw: Rewriter, kind: AffineBinaryOpKind, a: Mixed, b: Mixed) -> Mixed:
    expr = AffineBinaryOpExpr(kind, ap.symbol(0), ap.symbol(1))
    return apply(rw, expr, [a, b])


def add(rw: Rewriter, a: Mixed, b: Mixed) -> Mixed:
    return apply(rw, ap.affine.add(ap.symbol(0), ap.symbol(1)), [a, b])


def times(rw: Rewriter, a: Mixed, b: Mixed) -> Mixed:
    if isinstance(a, int) and isinstance(b, int):
        return a * b
    if isinstance(a, int) or isinstance(b, int):
        return apply(rw, ap.affine.mul(ap.symbol(0), ap.symbol(1)), [a, b])
    return rw.value("arith.muli", [as_value(rw, a), as_value(rw, b)], _INDEX)


def ceil_div(rw: Rewriter, a: Mixed, b: int) -> Mixed:
    return -(-a // b) if isinstance(a, int) else binary(rw, AffineBinaryOpKind.CeilDiv, a, b)


def split(rw: Rewriter, value: Mixed, by: Mixed) -> tuple[Mixed, Mixed]:
    """Quotient and remainder of what is not negative."""
    if by == 1:
        return value, 0
    if isinstance(value, int) and isinstance(by, int):
        return divmod(value, by)
    operands = [as_value(rw, value), as_value(rw, by)]
    return rw.value("arith.divui", operands, _INDEX), rw.value("arith.remui", operands, _INDEX)


def unflatten(rw: Rewriter, value: Mixed, sizes: Sequence[Mixed]) -> list[Mixed]:
    """The indices that `value` counts through, the last one fastest."""
    found: list[Mixed] = []
    for size in reversed(sizes[1:]):
        value, index = split(rw, value, size)
        found.append(index)
    return [*([value] if sizes else []), *reversed(found)]


def is_less(rw: Rewriter, a: Mixed, b: Mixed) -> SSAValue:
    operands = [as_value(rw, a), as_value(rw, b)]
    predicate = {"predicate": IntegerAttr(_ULT, 64)}
    return rw.value("arith.cmpi", operands, IntegerType(1), predicate)


def both(rw: Rewriter, conditions: Sequence[SSAValue]) -> SSAValue | None:
    """Whether all hold; None if there are none."""
    found: SSAValue | None = None
    for condition in conditions:
        found = (
            condition
            if found is None
            else rw.value("arith.andi", [found, condition], condition.type)
        )
    return found


def zero(rw: Rewriter, kind: Attribute) -> SSAValue:
    """A constant 0; ValueError for what has none."""
    value = constants.make(kind, 0)
    if not isinstance(value, FloatAttr | IntegerAttr):
        raise ValueError(f"a value of type {kind} has no zero")
    return attribute_constant(rw, value, kind)


def guarded(
    rw: Rewriter,
    condition: SSAValue | None,
    types: Sequence[Attribute],
    then: Callable[[], Sequence[SSAValue]],
    otherwise: Callable[[], Sequence[SSAValue]] | None = None,
) -> Sequence[SSAValue]:
    """What `then` gives where `condition` holds, or always if that is None."""
    if condition is None:
        return then()
    return if_else(rw, condition, types, then, otherwise).results


def loops(
    rw: Rewriter,
    sizes: Sequence[Mixed],
    inits: Sequence[SSAValue],
    body: Callable[[list[SSAValue], Sequence[SSAValue]], Sequence[SSAValue]],
) -> Sequence[SSAValue]:
    """A nest of loops from 0 to `sizes` that carries `inits`; `body` gets the loops' variables and
    what is carried."""

    def nest(done: list[SSAValue], carried: Sequence[SSAValue]) -> Sequence[SSAValue]:
        if len(done) == len(sizes):
            return body(done, carried)
        bounds = [as_value(rw, item) for item in (0, sizes[len(done)], 1)]
        return for_loop(
            rw, bounds[0], bounds[1], bounds[2], carried, lambda iv, c: nest([*done, iv], c)
        ).results

    return nest([], list(inits))


def subscripts(rw: Rewriter, affine_map: AffineMap, ivs: Sequence[Mixed]) -> list[SSAValue]:
    """Where an iteration reads or writes."""
    symbols = [ap.symbol(i) for i in range(len(ivs))]
    exprs = [ap.substitute(result, symbols, ()) for result in affine_map.results]
    return [as_value(rw, apply(rw, expr, ivs)) for expr in exprs]


def inline(
    rw: Rewriter, block: Block, arguments: Mapping[SSAValue, SSAValue], ivs: Sequence[Mixed]
) -> list[SSAValue]:
    """Copies a body, with values for those of its arguments that it uses; what it yields."""
    values = dict(arguments)
    for op in block.ops:
        if op.name == "linalg.yield":
            return [values.get(v, v) for v in op.operands]
        if op.name == "linalg.index":
            values[op.results[0]] = as_value(rw, ivs[_dimension(op)])
            continue
        copy = rw.insert(op.clone(value_mapper=values))
        for inner in list(copy.walk()):
            if inner.name == "linalg.index":
                rw.replace(inner, [as_value(rw, ivs[_dimension(inner)])])
    return []


def _dimension(op: Operation) -> int:
    dim = op.properties["dim"]
    assert isinstance(dim, IntegerAttr)
    return dim.value.data


class Launch:
    """A `gpu.launch` with blocks of `threads` in x and y and memory for each block; the rewriter
    of its body stands before the terminator."""

    def __init__(
        self,
        rw: Rewriter,
        blocks: Mixed,
        threads: tuple[int, int],
        memory: Sequence[MemRefType[Attribute]] = (),
    ) -> None:
        one = as_value(rw, 1)
        sizes = [as_value(rw, blocks), one, one, *(as_value(rw, n) for n in threads), one]
        block = Block(arg_types=[_INDEX] * 12 + list(memory))
        attributes = {"workgroup_attributions": IntegerAttr(len(memory), 64)} if memory else None
        groups = ([], *sizes, None, None, None, None)

        def launch() -> Sequence[SSAValue]:
            rw.create("gpu.launch", groups, (), None, attributes, [Region(block)])
            return ()

        # A grid of no blocks is an error.
        is_known = isinstance(blocks, int) and blocks > 0
        guarded(rw, None if is_known else is_less(rw, 0, blocks), (), launch)
        self.rw = Rewriter(block=block, location=rw.location)
        end = self.rw.create("gpu.terminator")
        self.rw.before(end)
        self.block_id: SSAValue = block.args[0]
        self.threads: tuple[SSAValue, SSAValue] = (block.args[3], block.args[4])
        self.memory: list[SSAValue] = list(block.args[12:])
