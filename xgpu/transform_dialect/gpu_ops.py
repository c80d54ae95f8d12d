# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""transform.gpu.map_forall_to_blocks and map_nested_forall_to_threads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import ArrayAttr, IndexType, IntegerAttr, i1, i64
from xdsl.ir import Block, Operation, Region, SSAValue

from xgpu.core import ods
from xgpu.core.ir import affine
from xgpu.core.ir.constants import int_of
from xgpu.core.ir.construction import clone_operation
from xgpu.core.support.gpu_limits import MAX_BLOCK, MAX_GRID, MAX_THREADS
from xgpu.dialects.affine.index_math import apply, as_value, product, strides
from xgpu.dialects.affine.maps import Mixed, symbol
from xgpu.dialects.affine.maps import constant as literal
from xgpu.dialects.arith.builders import index_constant
from xgpu.dialects.gpu.ops import create_launch
from xgpu.transform_dialect.interpreter import each, flag, integer
from xgpu.transform_dialect.state import TrackingRewriter, definite, silenceable

if TYPE_CHECKING:
    from xdsl.dialects.builtin import DenseArrayBase, IntegerType
    from xdsl.ir import Attribute
    from xdsl.ir.affine import AffineExpr

    from xgpu.core.ods.attributes import EnumAttr
    from xgpu.core.rewriting.builder import Rewriter
    from xgpu.dialects import gpu, scf
    from xgpu.transform_dialect.state import State


# --- forall --------------------------------------------------------------------------------------
# What transform operations ask of an scf.forall.


_DYNAMIC = -(1 << 63)


def _bounds(forall: Operation, static: str, dynamic: Sequence[SSAValue]) -> list[int | None]:
    values = iter(dynamic)
    return [
        int_of(next(values)) if number == _DYNAMIC else number
        for number in cast("DenseArrayBase[IntegerType]", forall.properties[static]).get_values()
    ]


def trip_counts(op: Operation) -> list[int] | None:
    """The upper bounds, if all are constant."""
    forall = cast("scf.ForallOp", op)
    bounds = _bounds(forall, "staticUpperBound", forall.dynamic_upper_bound)
    return None if any(b is None for b in bounds) else bounds  # type: ignore[return-value]


def is_normalized(op: Operation) -> bool:
    """Whether all loops go from 0 in steps of 1."""
    forall = cast("scf.ForallOp", op)
    lower = _bounds(forall, "staticLowerBound", forall.dynamic_lower_bound)
    steps = _bounds(forall, "staticStep", forall.dynamic_step)
    return all(b == 0 for b in lower) and all(s == 1 for s in steps)


def mapping(forall: Operation) -> list[Attribute] | None:
    """The mapping attributes, masks among them."""
    attr = forall.properties.get("mapping")
    return list(attr.data) if isinstance(attr, ArrayAttr) else None


# --- gpu ids -------------------------------------------------------------------------------------
# Ids of blocks, warp groups, warps, threads and lanes for the iterations of an scf.forall.
#
# A builder takes the loop's sizes (ordered by mapping id) and the sizes of the grid or block, and
# gives for each loop its id, and predicates that pick the processors which take part.


_INDEX = IndexType()
_ULT, _NE = 6, 1
#: Ids of the mapping attributes from here on are linear.
LINEAR = 3
MAX_LINEAR = 10
WARPS_IN_GROUP = 4
MASK_BITS = 64

TOO_FEW = (
    "Trying to map to fewer GPU threads than loop iterations but overprovisioning is not yet "
    "supported. Try additional tiling before mapping or map to more threads."
)


class Ids:
    """Ids by relative mapping index, predicates, and what is wrong, if anything."""

    __slots__ = ("ids", "predicates", "problem")

    def __init__(
        self, ids: Sequence[SSAValue], predicates: Sequence[SSAValue], problem: str = ""
    ) -> None:
        self.ids = ids
        self.predicates = predicates
        self.problem = problem


class IdBuilder:
    """Makes ids for one kind of mapping attribute."""

    def __init__(self, kind: str, *, linear: bool, warp_size: int, mask: int | None) -> None:
        self.kind = kind
        self.linear = linear or kind == "gpu.lane"
        self.mask = mask
        self.warp_size = warp_size
        self.op = "gpu.block_id" if kind == "gpu.block" else "gpu.thread_id"
        self.multiplicity = {"gpu.warp": 1, "gpu.warpgroup": WARPS_IN_GROUP}.get(
            kind, 0
        ) * warp_size
        self.multiplicity = self.multiplicity or 1

    @property
    def mapping_ids(self) -> range:
        """The mapping ids that complete a mapping."""
        return range(LINEAR, MAX_LINEAR + 1) if self.linear else range(LINEAR)

    def build(self, rw: Rewriter, sizes: Sequence[int], basis: Sequence[int]) -> Ids:
        if self.kind == "gpu.lane":
            return self._lanes(rw, sizes, basis)
        if self.linear:
            return self._linear(rw, sizes, basis)
        return self._three_dimensional(rw, sizes, basis)

    # --- kinds -------------------------------------------------------------------------------
    def _three_dimensional(self, rw: Rewriter, sizes: Sequence[int], basis: Sequence[int]) -> Ids:
        ids = self._raw_ids(rw)
        first = apply(rw, affine.floordiv(symbol(0), literal(self.multiplicity)), [ids[0]])
        scaled = [as_value(rw, first), *ids[1:]]
        active = [sizes[0] * self.multiplicity, *sizes[1:]]
        predicates, problem = _predicates(rw, ids, active, basis)
        return Ids(scaled, predicates, problem)

    def _linear(self, rw: Rewriter, sizes: Sequence[int], basis: Sequence[int]) -> Ids:
        if self.mask is not None and product(basis) > MASK_BITS * self.multiplicity:
            return Ids(
                (),
                (),
                f"mask representation too short to capture all physical ids: {MASK_BITS}",
            )
        physical = self._linear_id(rw, basis)
        scaled: Mixed = apply(
            rw, affine.floordiv(symbol(0), literal(self.multiplicity)), [physical]
        )
        wide: SSAValue | None = None
        if self.mask is not None:
            wide = rw.value("arith.index_castui", [as_value(rw, scaled)], i64)
            logical = self._logical_id(rw, wide)
            scaled = rw.value("arith.index_castui", [logical], _INDEX)
        ids = _delinearized(rw, scaled, sizes)
        if wide is not None:
            return Ids(ids, [self._is_active(rw, wide)])
        predicates, problem = _predicates(
            rw, [physical], [product(sizes) * self.multiplicity], [product(basis)]
        )
        return Ids(ids, predicates, problem)

    def _lanes(self, rw: Rewriter, sizes: Sequence[int], basis: Sequence[int]) -> Ids:
        physical = self._linear_id(rw, basis)
        lane = as_value(rw, apply(rw, affine.mod(symbol(0), literal(self.warp_size)), [physical]))
        ids = _delinearized(rw, lane, sizes)
        predicates, problem = _predicates(rw, [lane], [product(sizes)], [self.warp_size])
        return Ids(ids, predicates, problem)

    # --- parts -------------------------------------------------------------------------------
    def _raw_ids(self, rw: Rewriter) -> list[SSAValue]:
        return [rw.value(self.op, (), _INDEX, {"dimension": ods.enum("gpu.dim", d)}) for d in "xyz"]

    def _linear_id(self, rw: Rewriter, basis: Sequence[int]) -> SSAValue:
        x, y, z = self._raw_ids(rw)
        expr = affine.add(
            affine.add(symbol(0), affine.mul(symbol(1), literal(basis[0]))),
            affine.mul(symbol(2), literal(basis[0] * basis[1])),
        )
        return as_value(rw, apply(rw, expr, [x, y, z]))

    def _logical_id(self, rw: Rewriter, physical: SSAValue) -> SSAValue:
        """How many active processors come before this one."""
        mask, one = _i64(rw, self.mask or 0), _i64(rw, 1)
        bit = rw.value("arith.shli", [one, physical], i64)
        below = rw.value("arith.subi", [bit, one], i64)
        return rw.value("math.ctpop", [rw.value("arith.andi", [mask, below], i64)], i64)

    def _is_active(self, rw: Rewriter, physical: SSAValue) -> SSAValue:
        mask, one = _i64(rw, self.mask or 0), _i64(rw, 1)
        bit = rw.value("arith.shli", [one, physical], i64)
        own = rw.value("arith.andi", [mask, bit], i64)
        return _compare(rw, _NE, own, _i64(rw, 0))


def _i64(rw: Rewriter, value: int) -> SSAValue:
    signed = value - (1 << 64) if value >= 1 << 63 else value
    return rw.value("arith.constant", (), i64, {"value": IntegerAttr(signed, i64)})


def _compare(rw: Rewriter, predicate: int, left: SSAValue, right: SSAValue) -> SSAValue:
    properties: dict[str, IntegerAttr] = {"predicate": IntegerAttr(predicate, i64)}
    return rw.value("arith.cmpi", [left, right], i1, properties)


def _delinearized(rw: Rewriter, linear: Mixed, sizes: Sequence[int]) -> list[SSAValue]:
    """The indices of `linear` in a space of `sizes` whose first dimension runs fastest."""
    rest: AffineExpr = symbol(0)
    found: list[AffineExpr] = []
    for stride in strides(list(reversed(sizes))):
        found.append(affine.floordiv(rest, literal(stride)))
        rest = affine.mod(rest, literal(stride))
    return [as_value(rw, apply(rw, expr, [linear])) for expr in reversed(found)]


def _predicates(
    rw: Rewriter, ids: Sequence[SSAValue], active: Sequence[int], available: Sequence[int]
) -> tuple[list[SSAValue], str]:
    predicates: list[SSAValue] = []
    for value, wanted, there in zip(ids, active, available, strict=True):
        if wanted > there:
            return [], TOO_FEW
        if wanted < there:
            predicates.append(_compare(rw, _ULT, value, index_constant(rw, wanted)))
    return predicates, ""


# --- gpu mapping ---------------------------------------------------------------------------------
# Mapping one scf.forall to processors: its body, with ids instead of induction variables.


if TYPE_CHECKING:
    pass

_THREAD_KINDS = frozenset(("gpu.thread", "gpu.warp", "gpu.warpgroup", "gpu.lane"))
_KINDS = frozenset(("gpu.block", *_THREAD_KINDS))

#: Makes the error of the transform operation.
Fail = "Callable[[str], DiagnosticError]"


def is_linear(attr: Attribute) -> bool:
    return cast("EnumAttr", attr).value >= LINEAR


def split_mapping(forall: Operation) -> tuple[list[Attribute], int | None]:
    """The mapping attributes of `forall`, and its mask."""
    attrs = mapping(forall) or []
    masks = [a for a in attrs if a.name == "gpu.mask"]
    mask = cast("gpu.MaskAttr", masks[0]).data[0] if masks else None
    value = getattr(getattr(mask, "value", mask), "data", getattr(mask, "value", mask))
    return [a for a in attrs if a.name != "gpu.mask"], value


def check(op: Operation, forall: Operation, *, blocks: bool) -> tuple[list[Attribute], int | None]:
    """The mapping of `forall`, if it can be mapped to blocks or to what a block consists of."""
    if mapping(forall) is None:
        raise definite(op, "scf.forall op requires a mapping attribute")
    attrs, mask = split_mapping(forall)
    kinds = {a.name for a in attrs} & _KINDS
    if len(kinds) > 1:
        raise definite(op, "cannot mix different mapping types, use nesting")
    if blocks and "gpu.block" not in kinds:
        raise definite(op, "scf.forall op requires a mapping attribute of kind 'block'")
    if not blocks and not kinds & _THREAD_KINDS:
        raise definite(op, "scf.forall op requires a mapping attribute of kind 'thread' or 'warp'")
    if len(set(attrs)) != len(attrs):
        raise definite(op, "duplicate attribute, cannot map different loops to the same mapping id")
    linear = [is_linear(a) for a in attrs]
    if any(linear) and not all(linear):
        raise definite(op, "cannot mix linear and non-linear mapping modes")
    if mask is not None and not any(linear):
        raise definite(op, "device masking is only available in linear mapping mode")
    if not is_normalized(forall):
        raise definite(op, "unsupported non-normalized loops")
    if forall.results:
        raise definite(op, "only bufferized scf.forall can be mapped")
    rank = len(forall.regions[0].block.args)
    most = MAX_LINEAR - LINEAR + 1 if linear[0] else LINEAR
    if rank > most:
        raise definite(
            op,
            f"scf.forall with rank > {most} does not lower for the specified mapping attribute "
            "type",
        )
    if trip_counts(forall) is None:
        raise definite(op, "requires statically sized, normalized forall op")
    return attrs, mask


def rewrite(
    op: Operation,
    forall: Operation,
    mapped: Sequence[Attribute],
    builder: IdBuilder,
    available: Sequence[int],
    rw: TrackingRewriter,
) -> list[int]:
    """Replaces `forall` by its body; returns the sizes of the loops, ordered by mapping id.

    `available` are the sizes of the grid or block; empty if the loop determines them.
    """
    attrs = [cast("EnumAttr", attr) for attr in mapped]
    counts = trip_counts(forall)
    assert counts is not None
    sized = {attr.value: count for attr, count in zip(attrs, counts, strict=True)}
    largest = max(sized)
    for mapping_id in builder.mapping_ids:
        if not (is_linear_id(largest) and mapping_id > largest):
            sized.setdefault(mapping_id, 1)
    sizes = [sized[i] for i in sorted(sized)]
    basis = list(available) or [*sizes, *[1] * (3 - len(sizes))]
    rw.location = forall.location
    rw.before(forall)
    built = builder.build(rw, sizes, basis)
    if built.problem:
        raise definite(op, built.problem)
    block: Block = forall.regions[0].block
    values = [built.ids[a.value - LINEAR if is_linear(a) else a.value] for a in attrs]
    predicate = _all_of(rw, built.predicates) if available else None
    terminator = block.last_op
    assert terminator is not None
    rw.erase(terminator)
    for argument, value in zip(list(block.args), values, strict=True):
        rw.state.value_replaced(argument, value)
        argument.replace_all_uses_with(value)
    body = list(block.ops)
    if predicate is not None:
        inner = Block()
        rw.create("scf.if", [predicate], (), regions=[Region(inner), Region()])
        for moved in body:
            moved.detach()
            inner.add_op(moved)
        rw.at_end(inner)
        rw.create("scf.yield")
    else:
        for moved in body:
            moved.detach()
            cast("Block", forall.parent).insert_op_before(moved, forall)
    rw.after(forall)
    rw.erase(forall)
    return sizes


def is_linear_id(mapping_id: int) -> bool:
    return mapping_id >= LINEAR


def _all_of(rw: TrackingRewriter, predicates: Sequence[SSAValue]) -> SSAValue | None:
    result: SSAValue | None = None
    for predicate in predicates:
        result = predicate if result is None else rw.value("arith.andi", [result, predicate], i1)
    return result


_GRID, _BLOCK = 0, 3


def check_limits(op: Operation, grid: Sequence[int], block: Sequence[int]) -> None:
    """Silenceable failure if no GPU launches that."""
    if (
        product(block) > MAX_THREADS
        or product(grid) > MAX_GRID[0]
        or any(size > most for size, most in zip(block, MAX_BLOCK, strict=True))
        or any(size > most for size, most in zip(grid, MAX_GRID, strict=True))
    ):
        raise silenceable(
            op,
            f"Trying to launch a GPU kernel with grid_dims = ({', '.join(map(str, grid))}) "
            f"block_dims = ({', '.join(map(str, block))}). It is larger than the limits.",
        )


def _create_launch(target: Operation, before: Operation, state: State) -> Operation:
    """A launch of one thread, with nothing in it."""
    rw = TrackingRewriter(state, before)
    rw.location = target.location
    one = index_constant(rw, 1)
    body = Block(arg_types=[IndexType()] * 12)
    launch = create_launch(rw, [one] * 6, body)
    rw.at_end(body)
    rw.create("gpu.terminator")
    return launch


def _set_sizes(op: Operation, start: int, sizes: Sequence[int], state: State) -> None:
    """Sets the grid's or the block's sizes to constants after what defines the block's width."""
    launch = cast("gpu.LaunchOp", op)
    first = len(launch.async_dependencies)
    width: SSAValue = launch.operands[first + _BLOCK]
    owner = width.owner
    rw = TrackingRewriter(state)
    if isinstance(owner, Operation):
        rw.after(owner)
        rw.location = owner.location
    else:
        rw.at_start(owner)
        rw.location = launch.location
    for index, size in enumerate(sizes):
        launch.operands[first + start + index] = index_constant(rw, size)


def _top_level_forall(op: Operation, target: Operation) -> Operation:
    found: list[Operation] = []
    for inner in target.walk():
        if inner.name == "scf.forall" and not _inside_forall(inner):
            found.append(inner)
    if len(found) != 1:
        raise silenceable(
            op,
            "could not find a unique topLevel scf.forall",
            [(target.location, "when applied to this payload op")],
        )
    return found[0]


def _inside_forall(op: Operation) -> bool:
    parent = op.parent_op()
    while parent is not None:
        if parent.name == "scf.forall":
            return True
        parent = parent.parent_op()
    return False


def _replace_unit_ids(
    root: Operation | Block, name: str, sizes: Sequence[int], zero: SSAValue
) -> None:
    """Ids in a dimension of size one are zero."""
    ops = root.walk()
    for inner in ops:
        if inner.name != name:
            continue
        dimension = cast("gpu.DimAttr", inner.properties["dimension"])
        index = "xyz".index(dimension.data)
        if index < len(sizes) and sizes[index] == 1:
            inner.results[0].replace_all_uses_with(zero)


def map_forall_to_blocks(op: Operation, target: Operation, state: State) -> list[Operation]:
    generate = flag(op, "generate_gpu_launch")
    if not generate and target.name != "gpu.launch":
        raise silenceable(
            op,
            "Given target is not gpu.launch, set `generate_gpu_launch` attribute",
            [(target.location, "when applied to this payload op")],
        )
    forall = _top_level_forall(op, target)
    properties = cast("dict[str, DenseArrayBase[IntegerType]]", op.properties)
    grid = list(properties["grid_dims"].get_values()) if "grid_dims" in properties else []
    if not generate and len(grid) != 3:
        raise definite(op, "transform require size-3 mapping")
    launch = target
    if generate:
        launch = _create_launch(target, forall, state)
        clone = clone_operation(forall)
        body: Block = launch.regions[0].block
        first = body.first_op
        assert first is not None
        body.insert_op_before(clone, first)
        TrackingRewriter(state, forall).erase(forall)
        forall = clone
    all_attrs = mapping(forall) or []
    linear = bool(all_attrs) and all_attrs[0].name == "gpu.block" and is_linear(all_attrs[0])
    attrs, mask = check(op, forall, blocks=True)
    builder = IdBuilder("gpu.block", linear=linear, warp_size=1, mask=mask)
    parent = cast("Block", forall.parent)
    rw = TrackingRewriter(state, parent.first_op)
    rw.location = forall.location
    zero = index_constant(rw, 0)
    sizes = rewrite(op, forall, attrs, builder, grid, rw)
    if not grid:
        grid = [*sizes, *[1] * (3 - len(sizes))]
    _replace_unit_ids(parent, "gpu.block_dim", sizes, zero)
    check_limits(op, grid, (1, 1, 1))
    _set_sizes(launch, _GRID, grid, state)
    return [launch]


def _thread_builder(
    op: Operation,
    forall: Operation,
    attrs: Sequence[Attribute],
    mask: int | None,
    warp_size: int,
    block: Sequence[int],
) -> IdBuilder:
    kind: str = attrs[0].name
    linear = is_linear(attrs[0])
    counts = trip_counts(forall)
    assert counts is not None
    factor = {"gpu.warpgroup": WARPS_IN_GROUP * warp_size, "gpu.warp": warp_size}.get(kind, 1)
    if not linear and block[0] % factor:
        raise definite(op, f"3-D mapping: size of threadIdx.x must be a multiple of {factor}")
    if product(counts) * factor > product(block):
        raise definite(
            op,
            "the number of required parallel resources (blocks or threads) "
            f"{product(counts) * factor} overflows the number of available resources "
            f"{product(block)}",
        )
    return IdBuilder(kind, linear=linear, warp_size=warp_size, mask=mask)


def _foralls(op: Operation) -> list[Operation]:
    found: list[Operation] = []
    for region in op.regions:
        for block in region.blocks:
            for inner in block.ops:
                found.extend(_foralls(inner))
                if inner.name == "scf.forall":
                    found.append(inner)
    return found


def map_nested_forall_to_threads(op: Operation, target: Operation, state: State) -> list[Operation]:
    if target.name != "gpu.launch":
        raise silenceable(op, "Given target is not a gpu.launch")
    properties = op.properties
    block = list(cast("DenseArrayBase[IntegerType]", properties["block_dims"]).get_values())
    padded = [*block, 1, 1, 1][:3]
    try:
        check_limits(op, (1, 1, 1), padded)
    except Exception as failure:
        note = getattr(failure, "note", None)
        if note is not None:
            note(op, '"block_dims" is too large')
        raise
    if len(block) == 3:
        _set_sizes(target, _BLOCK, block, state)
    else:
        raise definite(op, "requires size-3 thread mapping")
    warp_size = integer(op, "warp_size", 32)
    sync = "sync_after_distribute" not in op.properties or flag(op, "sync_after_distribute")
    body: Block = target.regions[0].block
    rw = TrackingRewriter(state, body.first_op)
    rw.location = target.location
    zero = index_constant(rw, 0)
    for forall in _foralls(target):
        attrs, mask = check(op, forall, blocks=False)
        builder = _thread_builder(op, forall, attrs, mask, warp_size, block)
        rewrite(op, forall, attrs, builder, block, rw)
        if sync:
            rw.create("gpu.barrier")
    _replace_unit_ids(target, "gpu.thread_id", block, zero)
    return [target]


OPS = {
    "transform.gpu.map_forall_to_blocks": each(map_forall_to_blocks),
    "transform.gpu.map_nested_forall_to_threads": each(map_nested_forall_to_threads),
}

__all__ = ["OPS", "check_limits", "split_mapping"]
