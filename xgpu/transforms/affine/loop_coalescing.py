# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`affine-loop-coalescing`: nests of affine.for, and of scf.for, as one loop."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, AffineMapAttr, DenseArrayBase, IndexType, i64
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineExpr, AffineMap, AffineSymExpr

from xgpu.core.ir.affine import add, ceildiv, floordiv, mod, mul, negate
from xgpu.core.ir.constants import int_of
from xgpu.core.ir.construction import operations_of, replace_all_uses
from xgpu.core.passes.base import Pass
from xgpu.core.rewriting.builder import Rewriter
from xgpu.core.rewriting.folding import fold
from xgpu.dialects import affine
from xgpu.dialects.affine import index_math
from xgpu.dialects.affine.fold import set_bounds
from xgpu.dialects.arith.builders import attribute_constant, binary, constant

if TYPE_CHECKING:
    from xdsl.context import Context


# --- loop coalescing -----------------------------------------------------------------------------
# Nests of scf.for as one loop.
#
#     for i = 0 to 4            for l = 0 to 12
#       for j = 0 to 3    ->      i, j = delinearize l into (4, 3)
#         use(i, j)               use(i, j)
#
# Loops with other bounds are counted from 0 by 1 first. Source: MLIR 22.1 SCF/Utils/Utils.cpp.


_FIRST, _SECOND, _THIRD = (AffineSymExpr(i) for i in range(3))


def perfect_nest(loop: Operation) -> list[Operation]:
    """The loop and those in it of which each is all that the one around it does."""
    nest = [loop]
    while True:
        body = nest[-1].regions[0].blocks[0]
        inner = body.first_op
        if inner is None or inner.name != loop.name or inner.next_op is not body.last_op:
            return nest
        nest.append(inner)


def is_defined_above(value: SSAValue, region: Region) -> bool:
    """Whether `value` is defined outside of `region`."""
    owner = value.owner
    inside = owner.parent if isinstance(owner, Block) else owner.parent_region()
    while inside is not None:
        if inside is region:
            return False
        inside = None if inside.parent is None else inside.parent.parent_region()
    return True


def outermost_place(nest: Sequence[Operation], at: int, bounds: Sequence[SSAValue]) -> int:
    """The first loop of the nest that could begin with the bounds of the loop `at`."""
    for i in range(at):
        if all(is_defined_above(value, nest[i].regions[0]) for value in bounds):
            return i
    return at


def bands(nest: Sequence[Operation], places: Sequence[int], chains: Sequence[int]) -> list[slice]:
    """The parts of a nest that may be one loop, from the inside: `places` says above which loop the
    bounds of each are known, `chains` since which loop what they carry is the same."""
    found: list[slice] = []
    end = len(nest)
    while end > 0:
        for start in range(end - 1):
            if max(places[start:end]) <= start and chains[end - 1] <= start:
                found.append(slice(start, end))
                end = start + 1
                break
        end -= 1
    return found


#: What makes rewriters that build before an operation.
Rewriters = Callable[[Operation], Rewriter]


def coalesce_nest(loop: Operation, rewriters: Rewriters = Rewriter) -> bool:
    """Coalesces what can be of the nest that begins with an scf.for; whether anything could."""
    nest = perfect_nest(loop)
    places = [outermost_place(nest, i, inner.operands[:3]) for i, inner in enumerate(nest)]
    chains = [0]
    for i in range(1, len(nest)):
        chains.append(chains[i - 1] if _carries_the_same(nest[i - 1], nest[i]) else i)
    found = bands(nest, places, chains)
    for band in found:
        _coalesce(nest[band], rewriters)
    return bool(found)


def _carries_the_same(outer: Operation, inner: Operation) -> bool:
    body = outer.regions[0].blocks[0]
    end = body.last_op
    assert end is not None
    return list(body.args[1:]) == list(inner.operands[3:]) and list(end.operands) == list(
        inner.results
    )


def _coalesce(loops: Sequence[Operation], rewriters: Rewriters) -> None:
    outer, innermost = loops[0], loops[-1].regions[0].blocks[0]
    for loop in loops:
        bounds = list(loop.operands[:3])
        rw = rewriters(outer)
        rw.location = loop.location
        _normalize(rw, loop, bounds)
        rw.at_start(innermost)
        _denormalize(rw, _variable(loop), bounds[0], bounds[2])
    rw = rewriters(outer)
    counts = [loop.operands[1] for loop in loops]
    outer.operands[1] = _product(rw, counts)
    rw.at_start(innermost)
    variables, users = _delinearize(rw, _variable(outer), counts)
    _replace_except(_variable(outer), variables[0], users)
    for i in range(len(loops) - 1, 0, -1):
        _merge(loops[i - 1], loops[i], variables[i], rewriters(loops[i]))


def _variable(loop: Operation) -> SSAValue:
    return loop.regions[0].blocks[0].args[0]


def _replace_except(old: SSAValue, new: SSAValue, users: Sequence[Operation]) -> None:
    """Lets all but `users` use `new`."""
    if old is new:
        return
    for use in list(old.uses):
        if use.operation not in users:
            use.operation.operands[use.index] = new


def _normalize(rw: Rewriter, loop: Operation, bounds: Sequence[SSAValue]) -> None:
    """Makes the bounds of a loop 0, the number of its iterations, and 1."""
    lower, upper, step = bounds
    ty = lower.type
    if isinstance(ty, IndexType):
        expr = ceildiv(add(_SECOND, negate(_FIRST)), _THIRD)
        count = index_math.folded_apply(rw, expr, [_known(v) for v in bounds])
        zero = constant(rw, 0, ty)
        upper = index_math.as_value(rw, count)
        loop.operands = [zero, upper, constant(rw, 1, ty), *loop.operands[3:]]
        return
    from_zero, by_one = int_of(lower) == 0, int_of(step) == 1
    if from_zero and by_one:
        return
    if not from_zero:
        upper = _folded(rw, "subi", upper, lower)
    if not by_one:
        upper = _folded(rw, "ceildivsi", upper, step)
    loop.operands = [constant(rw, 0, ty), upper, constant(rw, 1, ty), *loop.operands[3:]]


def _folded(rw: Rewriter, name: str, left: SSAValue, right: SSAValue) -> SSAValue:
    """`arith.<name>`, or the constant that it is."""
    op = rw.create(f"arith.{name}", (left, right), (left.type,))
    found = fold(op)
    if not isinstance(found, list):
        return op.results[0]
    (value,) = found
    rw.erase(op)
    return value if isinstance(value, SSAValue) else attribute_constant(rw, value, left.type)


def _known(value: SSAValue) -> SSAValue | int:
    number = int_of(value)
    return value if number is None else number


def _denormalize(rw: Rewriter, variable: SSAValue, lower: SSAValue, step: SSAValue) -> None:
    """Lets users of a variable that counts from 0 by 1 use `lower + variable * step`."""
    if isinstance(variable.type, IndexType):
        expr = add(mul(AffineDimExpr(0), _SECOND), _FIRST)
        value = index_math.apply_map(rw, AffineMap(1, 2, (expr,)), [variable, lower, step])
        assert isinstance(value, SSAValue), "it depends on the variable"
        if isinstance(value.owner, Operation):
            _replace_except(variable, value, [value.owner])
        return
    result, made = variable, list[Operation]()
    if int_of(step) != 1:
        result = binary(rw, "muli", result, step)
        made.append(_owner(result))
    if int_of(lower) != 0:
        result = binary(rw, "addi", result, lower)
        made.append(_owner(result))
    _replace_except(variable, result, made)


def _owner(value: SSAValue) -> Operation:
    assert isinstance(value.owner, Operation)
    return value.owner


def _product(rw: Rewriter, values: Sequence[SSAValue]) -> SSAValue:
    if isinstance(values[0].type, IndexType):
        expr: AffineExpr = AffineConstantExpr(1)
        for i in range(len(values)):
            expr = mul(expr, AffineSymExpr(i))
        return index_math.as_value(
            rw, index_math.folded_apply(rw, expr, [_known(v) for v in values])
        )
    factors = [value for value in values if int_of(value) != 1]
    if not factors:
        return constant(rw, 1, values[0].type)
    result = factors[0]
    for factor in factors[1:]:
        result = binary(rw, "muli", result, factor)
    return result


def _delinearize(
    rw: Rewriter, linear: SSAValue, counts: Sequence[SSAValue]
) -> tuple[list[SSAValue], list[Operation]]:
    """The variables of the single loops, and the operations that compute them from `linear`."""
    if not isinstance(linear.type, IndexType):
        return _delinearize_integer(rw, linear, counts)
    static = [int_of(count) for count in counts]
    dynamic = [c for c, known in zip(counts, static, strict=True) if known is None]
    numbers = [DYNAMIC_INDEX if known is None else known for known in static]
    types: list[Attribute] = [IndexType()] * len(counts)
    properties = {"static_basis": DenseArrayBase.from_list(i64, numbers)}
    op = rw.create("affine.delinearize_index", [linear, *dynamic], types, properties)
    return list(op.results), [op]


def _delinearize_integer(
    rw: Rewriter, linear: SSAValue, counts: Sequence[SSAValue]
) -> tuple[list[SSAValue], list[Operation]]:
    """By divisions and remainders, from the innermost loop on; loops that run once have none."""
    once = [int_of(count) == 1 for count in counts]
    leading = next((i for i, is_once in enumerate(once) if not is_once), len(counts))
    found: dict[int, SSAValue] = {}
    for i in range(leading):
        found[i] = constant(rw, 0, counts[i].type)
    users: list[Operation] = []
    rest = linear
    for i in range(len(counts) - 1, leading - 1, -1):
        if i != len(counts) - 1 and not once[i + 1]:
            rest = binary(rw, "divsi", rest, counts[i + 1])
            users.append(_owner(rest))
        found[i] = rest
        if i == leading:
            break
        if once[i]:
            found[i] = constant(rw, 0, counts[i].type)
        else:
            found[i] = binary(rw, "remsi", rest, counts[i])
            users.append(_owner(found[i]))
    return [found[i] for i in range(len(counts))], users


def _merge(outer: Operation, inner: Operation, variable: SSAValue, rw: Rewriter) -> None:
    """Moves what the inner loop does to its place in the outer one."""
    around, body = outer.regions[0].blocks[0], inner.regions[0].blocks[0]
    end = body.last_op
    assert end is not None
    carried = dict(zip(body.args[1:], around.args[1:], strict=True))
    yielded = [carried.get(value, value) for value in end.operands]  # pyright: ignore
    rw.erase(end)
    for argument, value in zip(body.args, [variable, *around.args[1:]], strict=True):
        replace_all_uses(argument, value)
    for op in operations_of(body):
        op.detach()
        around.insert_op_before(op, inner)
    rw.replace(inner, yielded)


# --- loop coalescing -----------------------------------------------------------------------------
# `affine-loop-coalescing`: nests of affine.for, and of scf.for, as one loop.
#
# The one loop runs to the product of the bounds; the old variables are remainders and quotients of
# the new one. Source: MLIR 22.1 LoopCoalescing.cpp, Affine/Utils/LoopUtils.cpp.


#: A map and what it is applied to.
Mapped = tuple[AffineMap, list["SSAValue"]]
_X, _S = AffineDimExpr(0), AffineSymExpr(0)
_ZERO = AffineMap(0, 0, (AffineConstantExpr(0),))


def coalesce_affine_nest(loop: Operation, rewriters: Rewriters = Rewriter) -> bool:
    """Coalesces what can be of the nest that begins with an affine.for; False if there is nothing
    or a part cannot be."""
    nest = perfect_nest(loop)
    places = [outermost_place(nest, i, inner.operands) for i, inner in enumerate(nest)]
    found = bands(nest, places, [0] * len(nest))
    return bool(found) and all(
        _coalesce_affine([cast("affine.ForOp", inner) for inner in nest[band]], rewriters)
        for band in found
    )


def _upper(loop: affine.ForOp) -> Mapped:
    return loop.upper_bound_map.data, list(loop.upper_bound_operands)


def _is_normal(loop: affine.ForOp) -> bool:
    """Whether the loop counts from 0 by 1."""
    return loop.lower_bound_map.data == _ZERO and loop.step.value.data == 1


def _carries_nothing_new(loop: affine.ForOp) -> bool:
    """Whether what the loop carries is always what it began with."""
    body = loop.regions[0].blocks[0]
    end = body.last_op
    assert end is not None
    return list(end.operands) == list(body.args[1:])


def _apply(rw: Rewriter, what: Mapped, name: str = "affine.apply") -> SSAValue:
    return rw.value(name, what[1], IndexType(), {"map": AffineMapAttr(what[0])})


def _of_two(rw: Rewriter, expr: AffineExpr, a: SSAValue, b: SSAValue) -> SSAValue:
    return _apply(rw, (AffineMap(1, 1, (expr,)), [a, b]))


def _coalesce_affine(loops: Sequence[affine.ForOp], rewriters: Rewriters) -> bool:
    """Makes one loop of several; False if they do not count from 0 by 1, or carry values along."""
    outer, inner = loops[0], loops[-1]
    if outer.results or not all(_is_normal(loop) for loop in loops):
        return False
    if not all(_carries_nothing_new(loop) for loop in loops[1:]):
        return False
    rw = rewriters(outer)
    counts: list[SSAValue] = []
    total: SSAValue | None = None
    for loop in loops:
        name = "affine.apply" if len(loop.upper_bound_map.data.results) == 1 else "affine.min"
        counts.append(_apply(rw, _upper(loop), name))
        total = counts[-1] if total is None else _of_two(rw, mul(_X, _S), total, counts[-1])
    assert total is not None
    set_bounds(outer, (_ZERO, []), (AffineMap(0, 1, (_S,)), [total]))
    _replace_variables(loops, counts)
    for loop in loops[1:]:
        body = loop.regions[0].blocks[0]
        for argument, result, init in zip(body.args[1:], loop.results, loop.inits, strict=True):
            replace_all_uses(argument, init)
            replace_all_uses(result, init)
    body = inner.regions[0].blocks[0]
    end = body.last_op
    assert end is not None
    rw.erase(end)
    for op in operations_of(body):
        op.detach()
        outer.regions[0].blocks[0].insert_op_before(op, loops[1])
    rw.erase(loops[1])
    return True


def _replace_variables(loops: Sequence[affine.ForOp], counts: Sequence[SSAValue]) -> None:
    """Computes the variables of all loops from that of the outer one, from the inside."""
    body = loops[0].regions[0].blocks[0]
    rw = Rewriter(block=body, location=loops[0].location)
    rw.at_start(body)
    inner = loops[-1]
    rest: SSAValue = body.args[0]
    for at in range(len(loops) - 1, -1, -1):
        if at != len(loops) - 1:
            rest = _of_two(rw, floordiv(_X, _S), rest, counts[at + 1])
        value = rest if at == 0 else _of_two(rw, mod(_X, _S), rest, counts[at])
        for use in list(loops[at].regions[0].blocks[0].args[0].uses):
            if inner.is_ancestor(use.operation):
                use.operation.operands[use.index] = value


class LoopCoalescing(Pass):
    """Coalesces nested loops with independent bounds."""

    name = "affine-loop-coalescing"
    summary = "Coalesce nested loops with independent bounds into a single loop"
    anchor = "func.func"

    def run(self, op: Operation, ctx: Context) -> None:
        pending = list(reversed(_directly_in(op)))
        while pending:
            loop = pending.pop()
            if loop.name == "scf.for":
                coalesce_nest(loop)
            elif loop.name == "affine.for":
                coalesce_affine_nest(loop)
            pending += reversed(_directly_in(loop))


def _directly_in(op: Operation) -> list[Operation]:
    """The operations directly in the regions of `op`."""
    return [inner for region in op.regions for block in region.blocks for inner in block.ops]
