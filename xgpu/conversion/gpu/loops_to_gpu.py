# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`convert-parallel-loops-to-gpu` and `convert-affine-for-to-gpu`: loops become launches."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, cast

from xdsl.context import Context
from xdsl.dialects.builtin import (
    AffineMapAttr,
    ArrayAttr,
    DenseArrayBase,
    Float16Type,
    IndexType,
    IntegerAttr,
    IntegerType,
    Signedness,
    UnitAttr,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
)

from xgpu.core.ir.blocks import block_with
from xgpu.core.ir.constants import int_of
from xgpu.core.ir.construction import clone_operation
from xgpu.core.ir.effects import effects, is_memory_effect_free
from xgpu.core.ir.errors import error, op_error
from xgpu.core.passes.base import Option, Pass
from xgpu.core.rewriting.builder import Rewriter
from xgpu.dialects.arith.builders import cmpi, index_constant
from xgpu.dialects.gpu.ops import (
    create_launch,
    defining_op,
    is_inside,
    used_values_defined_above,
)
from xgpu.transforms.affine.expand import expand_map
from xgpu.transforms.gpu.gpu_map_parallel_loops import MAPPING, PROCESSORS

if TYPE_CHECKING:
    from xdsl.ir import LocationAttr

    from xgpu.dialects import gpu, scf


# --- affine for to gpu ---------------------------------------------------------------------------
# convert-affine-for-to-gpu: perfectly nested affine.for loops at the top of a function become
# a launch.
#
# The first `gpu-block-dims` loops go to blocks, the next `gpu-thread-dims` to threads. A loop from
# lower to upper by step runs (upper - lower) ceildiv step times; iteration id has the induction
# value lower + step * id. Source: MLIR 22.1 SCFToGPU.cpp.


_INDEX = IndexType()


class ConvertAffineForToGPUPass(Pass):
    """Converts top-level affine.for loops to GPU kernels."""

    name = "convert-affine-for-to-gpu"
    summary = "Convert top-level AffineFor Ops to GPU kernels"
    anchor = "func.func"
    options = (
        Option("gpu-block-dims", int, 1, "Number of GPU block dimensions for mapping"),
        Option("gpu-thread-dims", int, 1, "Number of GPU thread dimensions for mapping"),
    )

    gpu_block_dims: int
    gpu_thread_dims: int

    def run(self, op: Operation, ctx: Context) -> None:
        for region in op.regions:
            for block in region.blocks:
                for loop in list(block.ops):
                    if loop.name == "affine.for":
                        _convert(loop, self.gpu_block_dims, self.gpu_thread_dims)


class _Loop(NamedTuple):
    lower: SSAValue
    size: SSAValue
    step: SSAValue
    step_value: int
    variable: SSAValue


def _bounds(loop: Operation) -> tuple[list[SSAValue], list[SSAValue]]:
    sizes = cast("DenseArrayBase[IntegerType]", loop.properties["operandSegmentSizes"])
    lower, upper, _ = sizes.get_values()
    operands = list(loop.operands)
    return operands[:lower], operands[lower : lower + upper]


def _nest(root: Operation, count: int) -> list[Operation]:
    """The `count` loops from `root` inwards; an error if they cannot be mapped together."""
    loops = [root]
    while len(loops) < count:
        body = loops[-1].regions[0].block
        first = body.first_op
        if first is None or first.next_op is None or first.next_op.next_op is not None:
            raise error(loops[-1], "expected perfectly nested loops in the body")
        if first.name != "affine.for":
            raise error(first, "expected a nested loop")
        for operand in first.operands:
            owner = operand.owner
            block = owner if isinstance(owner, Block) else owner.parent
            if is_inside(block, root.regions[0]):
                raise error(
                    first, "loops with bounds depending on other mapped loops are not supported"
                )
        loops.append(first)
    return loops


def _convert(root: Operation, blocks: int, threads: int) -> None:
    if blocks < 1 and threads < 1:
        return
    for count, what in ((blocks, "block"), (threads, "thread")):
        if count > 3:
            raise error(root, f"cannot map to more than 3 {what} dimensions")
    nest = _nest(root, blocks + threads)
    rw = Rewriter(root)
    loops = [_measure(loop, rw) for loop in nest]
    rw.location = root.location
    one = index_constant(rw, 1) if blocks < 3 or threads < 3 else None
    sizes = [loop.size for loop in loops]
    grid = [*sizes[:blocks], *([one] * (3 - blocks))]
    block_sizes = [*sizes[blocks:], *([one] * (3 - threads))]
    body = block_with([_INDEX] * 12, root.location)
    create_launch(rw, [*grid, *block_sizes], body)
    _move(nest[-1].regions[0].block, body)
    _replace_indices(loops, body, blocks, root.location)
    rw.erase(root)


def _measure(loop: Operation, rw: Rewriter) -> _Loop:
    """Emits bounds, iteration count and step of a loop before the nest."""
    rw.location = loop.location
    low_operands, up_operands = _bounds(loop)
    lower_map = cast("AffineMapAttr", loop.properties["lowerBoundMap"])
    upper_map = cast("AffineMapAttr", loop.properties["upperBoundMap"])
    lower = _extreme(rw, "arith.maxsi", expand_map(rw, lower_map.data, low_operands))
    upper = _extreme(rw, "arith.minsi", expand_map(rw, upper_map.data, up_operands))
    size = rw.value("arith.subi", [upper, lower], _INDEX)
    attribute = cast("IntegerAttr", loop.properties["step"])
    step = index_constant(rw, attribute.value.data)
    if attribute.value.data != 1:
        size = rw.value("arith.ceildivsi", [size, step], _INDEX)
    index = loop.regions[0].block.args[0]
    return _Loop(lower, size, step, attribute.value.data, index)


def _extreme(rw: Rewriter, name: str, values: list[SSAValue]) -> SSAValue:
    result = values[0]
    for value in values[1:]:
        result = rw.value(name, [result, value], _INDEX)
    return result


def _move(source: Block, target: Block) -> None:
    """Moves what the innermost loop does to the launch."""
    end = source.last_op
    assert end is not None
    location = end.location
    Rewriter(end).erase(end)
    for op in list(source.ops):
        op.detach()
        target.add_op(op)
    Rewriter(block=target, location=location).create("gpu.terminator")


def _replace_indices(loops: list[_Loop], body: Block, blocks: int, location: LocationAttr) -> None:
    rw = Rewriter(body.first_op, location=location)
    for i, loop in enumerate(loops):
        value: SSAValue = body.args[i if i < blocks else 3 + i - blocks]
        if loop.step_value != 1:
            value = rw.value("arith.muli", [loop.step, value], _INDEX)
        value = rw.value("arith.addi", [loop.lower, value], _INDEX)
        value.name_hint = loop.variable.name_hint
        loop.variable.replace_all_uses_with(value)


# --- parallel loops to gpu -----------------------------------------------------------------------
# convert-parallel-loops-to-gpu: mapped scf.parallel loops become one gpu.launch.
#
# A worklist holds the operations still to be cloned into the launch; entering a loop or a
# conditional leaves a mark (None) there, so that the insertion point comes out again at its end.
# A loop nest that cannot be converted stays as it is. Source: MLIR 22.1 SCFToGPU.cpp.


_VISITED = "SCFToGPU_visited"
_SEGMENTS = "operandSegmentSizes"


class ConvertParallelLoopToGpuPass(Pass):
    """Converts mapped scf.parallel loops to gpu.launch."""

    name = "convert-parallel-loops-to-gpu"
    summary = "Convert mapped scf.parallel ops to gpu launch operations"

    def run(self, op: Operation, ctx: Context) -> None:
        loops = [loop for loop in op.walk() if loop.name == "scf.parallel" and not _is_nested(loop)]
        for loop in loops:
            if MAPPING not in loop.attributes:
                continue
            conversion = _Conversion(cast("scf.ParallelOp", loop))
            try:
                conversion.run()
            except _CannotConvert:
                conversion.undo()


class _CannotConvert(Exception):
    pass


def _is_nested(loop: Operation) -> bool:
    parent = loop.parent_op()
    while parent is not None:
        if parent.name == "scf.parallel":
            return True
        parent = parent.parent_op()
    return False


# xDSL's operators refuse products and quotients of dimensions and symbols; MLIR has them.
_D0, _S0, _S1 = AffineExpr.dimension(0), AffineExpr.symbol(0), AffineExpr.symbol(1)
_INDEX_OF = AffineBinaryOpExpr(AffineBinaryOpKind.Mul, _D0, _S0) + _S1
_ITERATIONS = AffineBinaryOpExpr(AffineBinaryOpKind.CeilDiv, _D0 - _S0, _S1)


def _compose(outer: AffineMap, inner: AffineExpr) -> Attribute:
    """The map (d0)[s0, s1] -> (outer(inner))."""

    def substitute(expr: AffineExpr) -> AffineExpr:
        if isinstance(expr, AffineDimExpr):
            return inner
        if isinstance(expr, AffineBinaryOpExpr):
            return AffineBinaryOpExpr(expr.kind, substitute(expr.lhs), substitute(expr.rhs))
        return expr

    return AffineMapAttr(AffineMap(1, 2, tuple(substitute(expr) for expr in outer.results)))


class _Conversion:
    """Builds the launch for one outermost loop."""

    def __init__(self, loop: scf.ParallelOp) -> None:
        self.loop = loop
        self.mapping: dict[SSAValue, SSAValue] = {}
        self.bounds: dict[str, SSAValue] = {}
        self.worklist: list[Operation | None] = []
        self.extra: dict[str, Attribute] = {}
        self.outside = Rewriter(loop)
        self.before = loop.prev_op
        one = index_constant(self.outside, 1)
        body = block_with([_INDEX] * 12, loop.location)
        self.launch = create_launch(self.outside, [one] * 6, body)
        self.outside.before(self.launch)
        self.inside = Rewriter(block=body, location=loop.location)
        terminator = self.inside.create("gpu.terminator")
        self.inside.before(terminator)

    def undo(self) -> None:
        """Erases what was built."""
        first: Operation | None = (
            self.before.next_op
            if self.before is not None
            else cast("Block", self.loop.parent).first_op
        )
        built: list[Operation] = []
        while first is not None and first is not self.loop:
            built.append(first)
            first = first.next_op
        for op in reversed(built):
            op.detach()
            op.erase()

    def run(self) -> None:
        if any(result.uses.get_length() for result in self.loop.results):
            raise _CannotConvert
        self.extra[_VISITED] = UnitAttr()
        self._enter(self.loop)
        # Operations with effects may come only in the innermost scope, before it is left.
        effects_seen = scope_left = False
        written: dict[SSAValue, None] = {}
        while self.worklist:
            op = self.worklist.pop()
            if op is None:
                parent = self.inside.block
                assert parent is not None
                outer = parent.parent_op()
                assert outer is not None
                self.inside.after(outer)
                scope_left, effects_seen = True, False
                written.clear()
            elif op.name == "scf.parallel":
                if effects_seen and _may_access(op, written):
                    raise _CannotConvert
                self._enter(cast("scf.ParallelOp", op))
            elif op.name == "scf.reduce":
                self._reduce(op)
            else:
                copy = self._copy(op)
                pure = is_memory_effect_free(copy)
                if not pure:
                    for effect in effects(copy) or ():
                        if effect.kind == "write":
                            if effect.value is None:
                                raise _CannotConvert
                            written[effect.value] = None
                effects_seen |= not pure or bool(copy.regions)
                if effects_seen and scope_left:
                    raise _CannotConvert
        for processor, bound in self.bounds.items():
            self.launch.operands[PROCESSORS.index(processor)] = bound
        self.launch.attributes.update(self.extra)
        self.loop.detach()
        self.loop.erase()

    def _copy(self, op: Operation) -> Operation:
        copy = self.inside.insert(clone_operation(op, self.mapping))
        for old, new in zip(op.results, copy.results, strict=True):
            self.mapping[old] = new
            new.name_hint = old.name_hint
        return copy

    def _look_up(self, value: SSAValue) -> SSAValue:
        return self.mapping.get(value, value)

    def _is_outside(self, value: SSAValue) -> bool:
        """Whether `value` is there where the launch is."""
        owner = value.owner
        block = owner if isinstance(owner, Block) else owner.parent
        return not is_inside(block, self.loop.regions[0]) and not is_inside(
            block, self.launch.regions[0]
        )

    def _available(self, value: SSAValue, rw: Rewriter) -> SSAValue:
        """`value` for use outside of the launch: itself, or a copy of a constant."""
        if self._is_outside(value):
            return value
        op = defining_op(value)
        if op is None or op.name != "arith.constant":
            raise _CannotConvert
        saved, rw.location = rw.location, op.location
        constant = rw.value("arith.constant", (), value.type, dict(op.properties))
        rw.location = saved
        return constant

    def _is_usable(self, value: SSAValue) -> bool:
        op = defining_op(value)
        return self._is_outside(value) or (op is not None and op.name == "arith.constant")

    # --- loops ---------------------------------------------------------------------------------
    def _enter(self, loop: scf.ParallelOp) -> None:
        mapping = loop.attributes.get(MAPPING)
        if not isinstance(mapping, ArrayAttr) or len(loop.results) > 1:
            raise _CannotConvert
        self.outside.location = self.inside.location = loop.location
        body = loop.regions[0].block
        lowers, uppers, steps = (loop.operand_group(i) for i in range(3))
        for entry, iv, lower, upper, step in zip(
            mapping.data, body.args, lowers, uppers, steps, strict=False
        ):
            if entry.name != "gpu.loop_dim_map":
                raise op_error(loop, "expected mapping attribute for lowering to GPU")
            processor, index_map, bound_map = _entry_parts(entry)
            if processor == "sequential":
                new = self._sequential(lower, upper, step)
            else:
                new = self._mapped(processor, index_map, bound_map, lower, upper, step)
            new.name_hint = iv.name_hint
            self.mapping[iv] = new
        for name, value in (*loop.properties.items(), *loop.attributes.items()):
            if name not in (MAPPING, _SEGMENTS):
                self.extra[name] = cast("Attribute", value)
        operations: list[Operation] = list(body.ops)
        end = operations.pop()
        if end.name == "scf.reduce" and len(end.operands) == 1:
            self.worklist.append(end)
        self.worklist += reversed(operations)

    def _sequential(self, lower: SSAValue, upper: SSAValue, step: SSAValue) -> SSAValue:
        block = block_with([_INDEX], self.inside.location)
        self.inside.create(
            "scf.for",
            [self._look_up(lower), self._look_up(upper), self._look_up(step)],
            regions=[Region(block)],
        )
        self.inside.at_end(block)
        end = self.inside.create("scf.yield")
        self.inside.before(end)
        self.worklist.append(None)
        return block.args[0]

    def _mapped(
        self,
        processor: str,
        index_map: AffineMap,
        bound_map: AffineMap,
        lower: SSAValue,
        upper: SSAValue,
        step: SSAValue,
    ) -> SSAValue:
        rw = self.inside
        operand = self.launch.regions[0].block.args[PROCESSORS.index(processor)]
        factor = self._available(self._look_up(step), rw)
        start = self._available(self._look_up(lower), rw)
        new = rw.value(
            "affine.apply",
            [operand, factor, start],
            _INDEX,
            {"map": _compose(index_map, _INDEX_OF)},
        )
        if not (self._is_usable(lower) and self._is_usable(step)):
            raise _CannotConvert
        precise = self._is_usable(upper)
        limit: SSAValue | None = upper
        if not precise:
            limit = _static_upper_bound(upper, self.outside)
            if limit is None:
                raise _CannotConvert
        bound = self.outside.value(
            "affine.apply",
            [self._available(self._look_up(v), self.outside) for v in (limit, lower, step)],
            _INDEX,
            {"map": _compose(bound_map, _ITERATIONS)},
        )
        if processor in self.bounds:
            raise _CannotConvert
        self.bounds[processor] = bound
        if not precise:
            self._guard(new, self._look_up(upper))
        return new

    def _guard(self, index: SSAValue, upper: SSAValue) -> None:
        """The launch has too many processors: those past the real bound do nothing."""
        rw = self.inside
        test = cmpi(rw, "slt", index, upper)
        then = Block()
        rw.create("scf.if", [test], regions=[Region(then), Region()])
        rw.at_end(then)
        rw.before(rw.create("scf.yield"))
        self.worklist.append(None)

    # --- reductions ----------------------------------------------------------------------------
    def _reduce(self, op: Operation) -> None:
        loop = op.parent_op()
        operand = op.operands[0]
        value = self.mapping.get(operand)
        if loop is None or loop.name != "scf.parallel" or value is None:
            raise _CannotConvert
        if not _is_signless_number(operand.type) or used_values_defined_above(op.regions[0]):
            raise _CannotConvert
        region = op.regions[0].clone()
        end = region.block.last_op
        assert end is not None
        rw = Rewriter(end)
        rw.create("gpu.yield", [end.operands[0]])
        rw.erase(end)
        reduced = self.inside.create("gpu.all_reduce", [value], [operand.type], regions=[region])
        self.mapping[loop.results[0]] = reduced.results[0]


def _entry_parts(entry: gpu.LoopDimMapAttr) -> tuple[str, AffineMap, AffineMap]:
    processor, index_map, bound_map = entry.data
    return processor, index_map.data, bound_map.data


def _is_signless_number(ty: Attribute) -> bool:
    if isinstance(ty, IntegerType):
        return ty.signedness.data is Signedness.SIGNLESS
    return isinstance(ty, Float16Type) or ty.name.startswith(("f", "bf", "tf"))


def _static_upper_bound(value: SSAValue, rw: Rewriter) -> SSAValue | None:
    """A constant that `value` never exceeds, built by `rw` where needed, or None."""
    op = defining_op(value)
    if op is None:
        return None
    known = int_of(value)
    if known is not None:
        return value
    if op.name == "affine.min":
        attribute = cast("AffineMapAttr", op.properties["map"])
        for expr in attribute.data.results:
            if isinstance(expr, AffineConstantExpr):
                return index_constant(rw, expr.value)
    if op.name == "arith.minsi":
        for operand in op.operands:
            bound = _static_upper_bound(operand, rw)
            if bound is not None:
                return bound
    if op.name == "arith.muli":
        factors: list[int] = []
        for operand in op.operands:
            bound = _static_upper_bound(operand, rw)
            number = None if bound is None else int_of(bound)
            if number is None:
                return None
            factors.append(number)
        # With one negative factor, a product of upper bounds is no upper bound.
        if (factors[0] < 0) != (factors[1] < 0):
            return None
        return index_constant(rw, factors[0] * factors[1])
    return None


def _may_access(loop: Operation, written: dict[SSAValue, None]) -> bool:
    """Whether something in `loop` may touch a buffer in `written`."""
    for op in loop.walk():
        if op.regions or is_memory_effect_free(op):
            continue
        for effect in effects(op) or ():
            if effect.kind in ("read", "write") and (
                effect.value is None or any(_may_alias(effect.value, w) for w in written)
            ):
                return True
    return False


def _may_alias(a: SSAValue, b: SSAValue) -> bool:
    """False only for two different allocations."""
    if a is b:
        return True
    ops = defining_op(a), defining_op(b)
    return not all(op is not None and op.name in ("memref.alloc", "memref.alloca") for op in ops)
