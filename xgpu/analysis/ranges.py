# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Integer range inference: the rules of operations, and the domain of the data flow solver."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, cast

from xdsl.dialects.builtin import (
    AffineMapAttr,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineSymExpr,
)
from xdsl.traits import IsTerminator

from xgpu.analysis import int_range as a
from xgpu.analysis.int_range import (
    IntRange,
    Ranges,
    Rule,
    constant,
    extend,
    extend_signed,
    extend_unsigned,
    from_signed,
    from_unsigned,
    full,
    max_signed,
    min_signed,
    storage_width,
    truncate,
)
from xgpu.analysis.sparse import VARIES, Constant, ConstantDomain, Domain
from xgpu.core.ir.constants import int_of, int_value, make
from xgpu.core.ir.elements import distinct_values
from xgpu.core.ir.op_info import op_info, traits_of

if TYPE_CHECKING:
    from xgpu.core.ods.operation import OdsOperation
    from xgpu.dialects import affine, arith, gpu, index, scf, vector
    from xgpu.dialects.llvm.attributes import ConstantRangeAttr


# -- Ranges of ids and sizes of the gpu dialect.
#
# Sizes are at least 1; an id is less than its size. What is known of a size comes from the launch
# around the operation, from the `known_*_size` of its function, and from `upper_bound`.


Found = dict[SSAValue, IntRange]

MAX_DIM = (1 << 32) - 1
MAX_CLUSTER_DIM = 16
MAX_SUBGROUP_SIZE = 128

#: Where the sizes stand in the operands of gpu.launch, behind the async dependencies.
_LAUNCH_OPERANDS = {"grid": 0, "block": 3, "cluster": 6}
_AXES = ("x", "y", "z")


def _index_range(low: int, high: int) -> IntRange:
    return from_unsigned(64, low, high)


def known_size(op: Operation, kind: str) -> int | None:
    """The size of `kind` ("grid", "block", "cluster") along the dimension of `op`, if fixed."""
    axis = _AXES.index(cast("gpu.DimAttr", op.properties["dimension"]).data)
    launch = _around(op, lambda o: o.name == "gpu.launch")
    if launch is not None:
        value = _launch_size(launch, kind, axis)
        constant = None if value is None else int_of(value)
        if constant is not None:
            return constant
    function = _around(op, lambda o: o.name == "gpu.func")
    if function is not None:
        found = _axis(function.properties.get(f"known_{kind}_size"), axis)
        if found is not None:
            return found
    function = _around(op, lambda o: "FunctionOpInterface" in traits_of(o.name))
    if function is None:
        return None
    return _axis(function.attributes.get(f"gpu.known_{kind}_size"), axis)


def _around(op: Operation, wanted: Callable[[Operation], bool]) -> Operation | None:
    parent = op.parent_op()
    while parent is not None and not wanted(parent):
        parent = parent.parent_op()
    return parent


def _launch_size(op: Operation, kind: str, axis: int) -> SSAValue | None:
    group = cast("OdsOperation", op).operand_group(1 + _LAUNCH_OPERANDS[kind] + axis)
    return group[0] if group else None


def _axis(found: Attribute | None, axis: int) -> int | None:
    sizes = cast("DenseArrayBase[IntegerType] | None", found)
    if sizes is None:
        return None
    values = list(sizes.get_values())
    return values[axis] if axis < len(values) else None


def _upper_bound(op: Operation) -> int | None:
    bound = cast("IntegerAttr | None", op.properties.get("upper_bound"))
    return None if bound is None else bound.value.data & ((1 << 64) - 1)


def _size(limit: int, kind: str | None = None) -> Rule:
    def rule(op: gpu.BlockDimOp, ranges: Ranges) -> Found:
        known = None if kind is None else known_size(op, kind)
        if known is not None:
            return {op.results[0]: _index_range(known, known)}
        bound = _upper_bound(op)
        return {op.results[0]: _index_range(1, limit if bound is None else bound)}

    return rule


def _id(limit: int, kind: str | None = None) -> Rule:
    def rule(op: gpu.LaneIdOp | gpu.ThreadIdOp, ranges: Ranges) -> Found:
        most = limit
        known = None if kind is None else known_size(op, kind)
        if known is not None:
            most = known
        bound = _upper_bound(op)
        return {op.results[0]: _index_range(0, (most if bound is None else bound) - 1)}

    return rule


def _global_id(op: Operation, ranges: Ranges) -> Found:
    bound = _upper_bound(op)
    if bound is None:
        sizes = [known_size(op, kind) for kind in ("block", "grid")]
        block, grid = (MAX_DIM if size is None else size for size in sizes)
        bound = block * grid
    return {op.results[0]: _index_range(0, bound - 1)}


def _launch(op: gpu.LaunchOp, ranges: Ranges) -> Found:
    """Ids and sizes are arguments of the region: ids of grid and block, then their sizes."""
    # What is not an integer, as a token, has no range.
    integers = ranges[len(op.operand_group(0)) :]
    if any(r is None for r in integers):
        return {}
    sizes = integers[:6]
    arguments = op.regions[0].blocks[0].args
    found: Found = {}
    for position, size in enumerate(sizes):
        if size is None or size.width != 64:
            continue
        bounded = size.intersection(_index_range(1, MAX_DIM))
        found[arguments[6 + position]] = bounded
        found[arguments[position]] = _index_range(0, bounded.umax - 1)
    return found


def _broadcast(op: Operation, ranges: Ranges) -> Found:
    """One lane's value."""
    return {} if ranges[0] is None else {op.results[0]: ranges[0]}


def special_register(op: Operation, ranges: Ranges) -> Found:
    """A special register of NVIDIA's GPUs is in the range that the operation states, if it does.

    As in MLIR, the upper bound belongs to the range here, though the attribute excludes it.
    """
    stated = cast("ConstantRangeAttr | None", op.properties.get("range"))
    if stated is None:
        return {}
    width, lower, upper = stated.data
    return {op.results[0]: from_unsigned(width, lower, upper)}


GPU_RULES: dict[str, Rule] = {
    "gpu.block_dim": _size(MAX_DIM, "block"),
    "gpu.block_id": _id(MAX_DIM, "grid"),
    "gpu.cluster_block_id": _id(MAX_CLUSTER_DIM, "cluster"),
    "gpu.cluster_dim": _size(MAX_DIM),
    "gpu.cluster_dim_blocks": _size(MAX_CLUSTER_DIM, "cluster"),
    "gpu.cluster_id": _id(MAX_DIM),
    "gpu.global_id": _global_id,
    "gpu.grid_dim": _size(MAX_DIM, "grid"),
    "gpu.lane_id": _id(MAX_SUBGROUP_SIZE),
    "gpu.launch": _launch,
    "gpu.num_subgroups": _size(MAX_DIM),
    "gpu.subgroup_broadcast": _broadcast,
    "gpu.subgroup_id": _id(MAX_DIM),
    "gpu.subgroup_size": _size(MAX_SUBGROUP_SIZE),
    "gpu.thread_id": _id(MAX_DIM, "block"),
}


# -- The range of what an affine.apply computes. Source: MLIR 22.1 InferIntRangeInterfaceImpls.


_WIDTH = 64


def _remainder(value: IntRange, by: IntRange) -> IntRange:
    """The remainder of affine maps: never below zero, for a divisor that is positive."""
    # Nothing comes of a division by zero.
    if by.smin < 0 or by.smax == 0:
        return full(_WIDTH)
    if value.smin >= 0 and value.smax < max(by.smin, 1):
        return value
    divisor = by.constant
    # Within one multiple of the divisor remainders are in order.
    if divisor is not None and value.smin // divisor == value.smax // divisor:
        return from_signed(_WIDTH, value.smin % divisor, value.smax % divisor)
    return from_signed(_WIDTH, 0, by.smax - 1)


_BINARY = {
    AffineBinaryOpKind.Add: a.add,
    AffineBinaryOpKind.Mul: a.mul,
    AffineBinaryOpKind.FloorDiv: a.floordiv_s,
    AffineBinaryOpKind.CeilDiv: a.ceildiv_s,
    AffineBinaryOpKind.Mod: _remainder,
}


def _range_of(expr: AffineExpr, dims: Sequence[IntRange], symbols: Sequence[IntRange]) -> IntRange:
    if isinstance(expr, AffineConstantExpr):
        return constant(_WIDTH, expr.value)
    if isinstance(expr, AffineDimExpr):
        return dims[expr.position]
    if isinstance(expr, AffineSymExpr):
        return symbols[expr.position]
    binary = cast("AffineBinaryOpExpr", expr)
    infer = _BINARY[binary.kind]
    return infer(_range_of(binary.lhs, dims, symbols), _range_of(binary.rhs, dims, symbols))


def _apply(op: Operation, ranges: Ranges) -> dict[SSAValue, IntRange]:
    known = [r for r in ranges if r is not None]
    if len(known) != len(ranges):
        return {}
    affine_map = cast("AffineMapAttr", op.properties["map"]).data
    dims, symbols = known[: affine_map.num_dims], known[affine_map.num_dims :]
    return {op.results[0]: _range_of(affine_map.results[0], dims, symbols)}


AFFINE_RULES: dict[str, Rule] = {"affine.apply": _apply}


# -- What operations say of the ranges of their results: MLIR's InferIntRangeInterface.
#
# A rule gets the operation and the ranges of its operands (None where nothing is known yet) and
# returns ranges of results and of region arguments. Nothing is said while an operand is not known.


def _complete(infer: Callable[..., IntRange]) -> Rule:
    """A rule for the only result that needs all operands."""

    def rule(op: Operation, ranges: Ranges) -> Found:
        known = [r for r in ranges if r is not None]
        if len(known) != len(ranges):
            return {}
        return {op.results[0]: infer(op, known)}

    return rule


def _binary(infer: a.Binary) -> Rule:
    def apply(op: Operation, r: list[IntRange]) -> IntRange:
        return infer(r[0], r[1])

    return _complete(apply)


def _wrapping(infer: Callable[..., IntRange]) -> Rule:
    """An operation that may be declared not to overflow."""

    def apply(op: Operation, r: list[IntRange]) -> IntRange:
        flags: Any = op.properties.get("overflowFlags")
        names = flags.flags if flags is not None else ()
        return infer(r[0], r[1], "nuw" in names, "nsw" in names)

    return _complete(apply)


def _size_of(op: Operation, ranges: Ranges) -> Found:
    return {op.results[0]: from_unsigned(64, 32, 64)}


# --- arith -------------------------------------------------------------------------------------
def _constant(op: Operation, ranges: Ranges) -> Found:
    value = op.properties["value"]
    width = storage_width(op.results[0].type)
    if not width:
        return {}
    if isinstance(value, IntegerAttr):
        return {op.results[0]: constant(width, value.value.data)}
    if isinstance(value, DenseIntOrFPElementsAttr):
        numbers = distinct_values(value)
        found: IntRange | None = None
        for number in numbers:
            one = constant(width, int(number))
            found = one if found is None else found.union(one)
        return {} if found is None else {op.results[0]: found}
    return {}


def _width(op: Operation) -> int:
    return storage_width(op.results[0].type)


def _cast(extend_: Callable[[IntRange, int], IntRange]) -> Rule:
    def apply(op: Operation, r: list[IntRange]) -> IntRange:
        width = _width(op)
        if width > r[0].width:
            return extend_(r[0], width)
        return truncate(r[0], width) if width < r[0].width else r[0]

    return _complete(apply)


def _cmpi(op: arith.CmpiOp, r: list[IntRange]) -> IntRange:
    predicate = a.PREDICATES[op.predicate.value.data]
    return a.truth(a.evaluate(predicate, r[0], r[1]))


def _select(op: Operation, ranges: Ranges) -> Found:
    if any(r is None for r in ranges):
        return {}
    condition, true, false = ranges
    assert condition is not None
    assert true is not None
    assert false is not None
    known = condition.constant
    if known is None:
        return {op.results[0]: true.union(false)}
    return {op.results[0]: true if known else false}


# --- index -------------------------------------------------------------------------------------
def _index_cast(extend_: Callable[[IntRange, int], IntRange]) -> Rule:
    """To index: what both widths of index may give."""

    def like(r: IntRange, width: int) -> IntRange:
        if r.width < width:
            return extend_(r, width)
        return truncate(r, width) if r.width > width else r

    def apply(op: Operation, r: list[IntRange]) -> IntRange:
        width = _width(op)
        if isinstance(op.operands[0].type, IndexType):
            return like(r[0], width)
        return like(r[0], width).union(extend(like(r[0], 32), width))

    return _complete(apply)


def _index_cmp(op: index.CmpOp, r: list[IntRange]) -> IntRange:
    predicate = op.properties["pred"].data
    wide = a.evaluate(predicate, r[0], r[1])
    narrow = a.evaluate(predicate, truncate(r[0], 32), truncate(r[1], 32))
    return a.truth(wide if wide == narrow else None)


# --- shapes ------------------------------------------------------------------------------------
def _dim(op: Operation, ranges: Ranges) -> Found:
    """The size of one of the dimensions that the index may mean."""
    top = max_signed(64)
    shape = getattr(op.operands[0].type, "get_shape", None)
    if shape is None:
        return {op.results[0]: from_signed(64, 0, top)}
    sizes = shape()
    low, high = 0, len(sizes) - 1
    if ranges[1] is not None:
        low, high = max(low, ranges[1].smin), min(high, ranges[1].smax)
    found: IntRange | None = None
    for size in sizes[low : high + 1]:
        one = from_signed(64, 0, top) if size < 0 else constant(64, size)
        found = one if found is None else found.union(one)
    return {op.results[0]: found if found is not None else from_signed(64, 0, top)}


def _step(op: vector.StepOp, ranges: Ranges) -> Found:
    type_ = op.results[0].type
    if any(bool(d.value.data) for d in type_.scalable_dims.data):
        return {}
    return {op.results[0]: from_unsigned(64, 0, type_.get_shape()[0] - 1)}


def _first(op: Operation, ranges: Ranges) -> Found:
    """Elements of the first operand."""
    known = ranges[0]
    return {} if known is None or not known.width else dict.fromkeys(op.results, known)


def _either(op: Operation, ranges: Ranges) -> Found:
    """Elements of the first or the second operand."""
    one, two = ranges[0], ranges[1]
    return {} if one is None or two is None else {op.results[0]: one.union(two)}


def _ceildivs(one: IntRange, two: IntRange) -> IntRange:
    """That of indices: the least one by a positive one comes out with another sign."""
    if one.smin == min_signed(one.width) and two.smax > 0:
        return full(one.width)
    return a.ceildiv_s(one, two)


_PLAIN: dict[str, a.Binary] = {
    "andi": a.and_,
    "ceildivsi": a.ceildiv_s,
    "ceildivui": a.ceildiv_u,
    "divsi": a.div_s,
    "divui": a.div_u,
    "floordivsi": a.floordiv_s,
    "maxsi": a.max_s,
    "maxui": a.max_u,
    "minsi": a.min_s,
    "minui": a.min_u,
    "ori": a.or_,
    "remsi": a.rem_s,
    "remui": a.rem_u,
    "shrsi": a.shr_s,
    "shrui": a.shr_u,
    "xori": a.xor,
}
_INDEX: dict[str, tuple[a.Binary, str]] = {
    "add": (a.add, "both"),
    "and": (a.and_, "unsigned"),
    "ceildivs": (_ceildivs, "signed"),
    "ceildivu": (a.ceildiv_u, "unsigned"),
    "divs": (a.div_s, "signed"),
    "divu": (a.div_u, "unsigned"),
    "floordivs": (a.floordiv_s, "signed"),
    "maxs": (a.max_s, "signed"),
    "maxu": (a.max_u, "unsigned"),
    "mins": (a.min_s, "signed"),
    "minu": (a.min_u, "unsigned"),
    "mul": (a.mul, "both"),
    "or": (a.or_, "unsigned"),
    "rems": (a.rem_s, "signed"),
    "remu": (a.rem_u, "unsigned"),
    "shl": (a.shl, "both"),
    "shrs": (a.shr_s, "signed"),
    "shru": (a.shr_u, "unsigned"),
    "sub": (a.sub, "both"),
    "xor": (a.xor, "unsigned"),
}

RULES: dict[str, Rule] = {
    **GPU_RULES,
    **AFFINE_RULES,
    **{f"arith.{name}": _binary(infer) for name, infer in _PLAIN.items()},
    **{f"index.{name}": _binary(a.on_index(f, mode)) for name, (f, mode) in _INDEX.items()},
    "arith.addi": _wrapping(a.add),
    "arith.cmpi": _complete(_cmpi),
    "arith.constant": _constant,
    "arith.extsi": _cast(extend_signed),
    "arith.extui": _cast(extend_unsigned),
    "arith.index_cast": _cast(extend_signed),
    "arith.index_castui": _cast(extend_unsigned),
    "arith.muli": _wrapping(a.mul),
    "arith.select": _select,
    "arith.shli": _wrapping(a.shl),
    "arith.subi": _wrapping(a.sub),
    "arith.trunci": _cast(extend_signed),
    "index.bool.constant": _constant,
    "index.casts": _index_cast(extend_signed),
    "index.castu": _index_cast(extend_unsigned),
    "index.cmp": _complete(_index_cmp),
    "index.constant": _constant,
    "index.sizeof": _size_of,
    "memref.dim": _dim,
    "tensor.dim": _dim,
    "vector.bitcast": _first,
    "vector.broadcast": _first,
    "vector.extract": _first,
    "vector.extract_strided_slice": _first,
    "vector.insert": _either,
    "vector.insert_strided_slice": _either,
    "vector.shape_cast": _first,
    "vector.shuffle": _either,
    "vector.step": _step,
    "vector.transpose": _first,
}


# -- Between which bounds integers lie: the domain of integer range inference.


Bounds = tuple[int | SSAValue, int | SSAValue, int | SSAValue]
#: How lists of static numbers mark those that are operands.
DYNAMIC = -(1 << 63)


class RangeDomain(Domain):
    """Each value of integer type has a range."""

    def __init__(self, constants: ConstantDomain) -> None:
        super().__init__()
        self.constants = constants

    def entry(self, value: SSAValue) -> IntRange | None:
        width = storage_width(value.type)
        return full(width) if width else None

    def join(self, old: IntRange, new: IntRange) -> IntRange:
        return old.union(new)

    def updated(self, value: SSAValue, what: IntRange) -> None:
        constant = what.constant
        made = None if constant is None else make(value.type, constant)
        owner = value.owner
        op = owner if isinstance(owner, Operation) else owner.parent_op()
        known = VARIES if made is None or op is None else Constant(made, op)
        self.constants.learn(value, known)

    def visit(self, op: Operation) -> None:
        found = self._infer(op)
        if found is None:
            super().visit(op)
            return
        for result in op.results:
            if result in found:
                self._learn_bounded(result, found[result])

    def visit_arguments(self, op: Operation, index: int, arguments: Sequence[SSAValue]) -> None:
        found = self._infer(op)
        if found is not None:
            for argument in arguments:
                if argument in found:
                    self._learn_bounded(argument, found[argument])
            return
        loops = loop_bounds(op)
        rest = list(arguments)
        for position, bounds in enumerate(loops):
            variable = op.regions[index].blocks[0].args[position]
            if variable in rest:
                rest.remove(variable)
                self._visit_induction_variable(variable, *bounds)
        if rest:
            super().visit_arguments(op, index, rest)

    def _infer(self, op: Operation) -> dict[SSAValue, IntRange] | None:
        """What the rule of `op` says; None if it has none."""
        rule = RULES.get(op.name)
        if rule is None and op.name.startswith("nvvm.read.ptx.sreg."):
            rule = special_register
        if rule is None:
            rule = op_info(op.name).value_range
        if rule is None:
            return None
        return rule(op, [self.known.get(operand) for operand in op.operands])

    def _learn_bounded(self, value: SSAValue, what: IntRange) -> None:
        """Learns of a value that a loop may change again and again: the second time is the last."""
        old = self.known.get(value)
        self.learn(value, what)
        if old is not None and self.known[value] != old and _is_yielded(value):
            self.learn(value, full(what.width))

    def _visit_induction_variable(
        self, value: SSAValue, low: int | SSAValue, high: int | SSAValue, step: int | SSAValue
    ) -> None:
        width = storage_width(value.type)
        least = self._bound(low, width, upper=False)
        most = self._bound(high, width, upper=True)
        if self._bound(step, width, upper=True) < 0:
            least, most = most, least
        else:
            most -= 1
        if most >= least:
            self.learn(value, from_signed(width, least, most))

    def _bound(self, value: int | SSAValue, width: int, *, upper: bool) -> int:
        if isinstance(value, int):
            return value
        known = self.known.get(value)
        if known is not None:
            return known.smax if upper else known.smin
        constant = int_value(self.constants.constant(value))
        if constant is not None:
            return constant
        return max_signed(width) if upper else min_signed(width)


def loop_bounds(op: Operation) -> list[Bounds]:
    """Lower and upper bound and step of each induction variable of a loop; none for other ops."""
    operands = op.operands
    if op.name == "scf.for":
        return [(operands[0], operands[1], operands[2])]
    if op.name == "scf.parallel":
        count = len(op.regions[0].blocks[0].args)
        return [(operands[i], operands[count + i], operands[2 * count + i]) for i in range(count)]
    if op.name == "scf.forall":
        return _forall_bounds(cast("scf.ForallOp", op))
    if op.name == "affine.for":
        return _affine_bounds(cast("affine.ForOp", op))
    return []


def _forall_bounds(op: scf.ForallOp) -> list[Bounds]:
    columns: list[list[int | SSAValue]] = []
    for static, dynamic in (
        (op.static_lower_bound, op.dynamic_lower_bound),
        (op.static_upper_bound, op.dynamic_upper_bound),
        (op.static_step, op.dynamic_step),
    ):
        values = iter(dynamic)
        sizes = static.get_values()
        columns.append([next(values) if s == DYNAMIC else s for s in sizes])
    return list(zip(*columns, strict=True))  # type: ignore[arg-type]


def _affine_bounds(op: affine.ForOp) -> list[Bounds]:
    """Constant bounds; others are the least and the greatest number."""
    bounds: list[int] = []
    for bound, default in (
        (op.lower_bound_map, min_signed(64)),
        (op.upper_bound_map, max_signed(64)),
    ):
        results = bound.data.results
        value = getattr(results[0], "value", None) if len(results) == 1 else None
        bounds.append(value if isinstance(value, int) else default)
    return [(bounds[0], bounds[1], op.properties["step"].value.data)]


def _is_yielded(value: SSAValue) -> bool:
    return any(
        use.operation.has_trait(IsTerminator, value_if_unregistered=False) for use in value.uses
    )
