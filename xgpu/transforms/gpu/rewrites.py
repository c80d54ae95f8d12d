# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""gpu operations in terms of simpler ones: what MLIR calls the gpu rewrite patterns."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import cast

from xdsl.dialects.builtin import (
    AnyFloat,
    Float64Type,
    FunctionType,
    IndexType,
    IntAttr,
    IntegerAttr,
    IntegerType,
    MemRefType,
    i1,
    i32,
    i64,
)
from xdsl.ir import Block, Operation, Region, SSAValue

from xgpu.core import ods
from xgpu.core.ir.errors import op_error
from xgpu.core.ir.op_info import traits_of
from xgpu.core.rewriting.builder import Rewriter
from xgpu.core.rewriting.greedy import GreedyRewriter, Pattern, apply_patterns
from xgpu.dialects import gpu
from xgpu.dialects.arith.builders import constant, index_constant
from xgpu.dialects.gpu.syntax import WORKGROUP_COUNT, workgroup_count

# --- all reduce ----------------------------------------------------------------------------------
# gpu.all_reduce uniform as shuffles within subgroups, then one subgroup over workgroup memory.
#
# Each subgroup reduces its values with xor-shuffles; lane 0 stores the result to a workgroup
# buffer of 32 elements; after a barrier the first subgroups-many threads reduce the buffer the same
# way; after another barrier all threads load the result. Source: MLIR 22.1 AllReduceLowering.cpp.
#
# In MLIR all threads that reduce the buffer store what they have at its start. Only the first of
# them has all of it: of 13 partial results, the thread at 5 has eight, for there is none at 5 ^ 8.
# What lies there is what the last of them stored. What devices execute has the first thread store
# alone.


SUBGROUP_SIZE = 32
_INDEX = IndexType()
_EQ, _SLT = 0, 2
#: Kind -> operation for floats, for integers.
COMBINE = {
    "add": ("arith.addf", "arith.addi"),
    "mul": ("arith.mulf", "arith.muli"),
    "and": ("", "arith.andi"),
    "or": ("", "arith.ori"),
    "xor": ("", "arith.xori"),
    "minsi": ("", "arith.minsi"),
    "minui": ("", "arith.minui"),
    "maxsi": ("", "arith.maxsi"),
    "maxui": ("", "arith.maxui"),
    "minnumf": ("arith.minnumf", ""),
    "maxnumf": ("arith.maxnumf", ""),
    "minimumf": ("arith.minimumf", ""),
    "maximumf": ("arith.maximumf", ""),
}

Combine = Callable[[SSAValue, SSAValue], SSAValue]


def lower_all_reduces(function: Operation, rw: GreedyRewriter, *, for_device: bool = False) -> bool:
    """Rewrites all gpu.all_reduce of a gpu.func.

    As in MLIR nothing is done if one does not say `uniform`, and all threads that have a part of
    the result store it. With `for_device`, such a one is lowered where all threads of a block or
    none come, and refused elsewhere; the thread that has the whole result stores it.
    """
    found = [op for op in function.walk() if op.name == "gpu.all_reduce"]
    unsure = [op for op in found if "uniform" not in op.properties]
    if not found or (unsure and not for_device):
        return False
    for op in found:
        _check_region(op)
    _check_reached_together(function, unsure)
    for op in found:
        rw.at(op)
        _AllReduce(function, op, rw, for_device=for_device).rewrite()
    return True


def _check_region(op: Operation) -> None:
    """What becomes of the reduction has several blocks."""
    parent = op.parent_op()
    if parent is not None and "SingleBlock" in traits_of(parent.name):
        raise op_error(
            op,
            f"becomes branches, for which the region of '{parent.name}' around it has no room; "
            "convert-scf-to-cf makes it",
        )


def _check_reached_together(function: Operation, unsure: Sequence[Operation]) -> None:
    if not unsure:
        return
    from xgpu.analysis.convergence import Convergence

    convergence = Convergence(function)
    for op in unsure:
        if not convergence.reached_together(op):
            raise op_error(
                op,
                "may be reached by only some threads of a block, and all of them have to take "
                "part; say `uniform` if they do",
            )


def split_block(block: Block, before: Operation | None) -> Block:
    """Moves `before` and what follows it to a new block after `block`; predecessors stay."""
    new = Block()
    region = block.parent
    assert region is not None
    region.insert_block_after(new, block)
    op = before
    while op is not None:
        following = op.next_op
        op.detach()
        new.add_op(op)
        op = following
    return new


class _AllReduce:
    """One gpu.all_reduce. The rewriter is where the next operation goes."""

    def __init__(
        self, function: Operation, op: Operation, rw: GreedyRewriter, *, for_device: bool
    ) -> None:
        self.function = function
        self.for_device = for_device
        self.op = op
        self.rw = rw
        self.type = op.results[0].type
        kind = op.properties.get("op")
        if kind is not None:
            float_name, integer_name = COMBINE[kind.data]  # pyright: ignore
            name = float_name if isinstance(self.type, AnyFloat) else integer_name
            self.combine: Combine = lambda a, b: self.rw.value(name, (a, b), self.type)
        else:
            self.combine = self._inline_body

    def rewrite(self) -> None:
        rw, value = self.rw, self.op.operands[0]
        dim_x, dim_y, dim_z = (self._id("gpu.block_dim", d) for d in "xyz")
        tid_x, tid_y, tid_z = (self._id("gpu.thread_id", d) for d in "xyz")
        row = self._i32("muli", tid_z, dim_y)
        row = self._i32("addi", row, tid_y)
        row = self._i32("muli", row, dim_x)
        plane = self._i32("muli", dim_x, dim_y)
        invocation = self._i32("addi", row, tid_x)
        workgroup_size = self._i32("muli", plane, dim_z)
        mask = self._constant(SUBGROUP_SIZE - 1)
        lane = self._i32("andi", invocation, mask)
        is_first_lane = self._compare(_EQ, lane, self._constant(0))
        smaller = self._i32("subi", invocation, lane)
        active_width = self._i32("subi", workgroup_size, smaller)

        partial = self._reduce_subgroup(active_width, value)
        buffer = self._workgroup_buffer()

        def store_partial() -> list[SSAValue]:
            subgroup = self._divide(invocation)
            rw.create("memref.store", (partial, buffer, self._to_index(subgroup)))
            return []

        self._if(is_first_lane, store_partial, list)
        rw.create("gpu.barrier")
        biased = self._i32("addi", workgroup_size, mask)
        subgroups = self._divide(biased)
        is_valid_subgroup = self._compare(_SLT, invocation, subgroups)
        zero = index_constant(rw, 0)

        def reduce_partials() -> list[SSAValue]:
            index = self._to_index(invocation)
            loaded = rw.value("memref.load", (buffer, index), self.type)
            result = self._reduce_subgroup(subgroups, loaded)

            def store() -> list[SSAValue]:
                rw.create("memref.store", (result, buffer, zero))
                return []

            if self.for_device:
                self._if(self._compare(_EQ, invocation, self._constant(0)), store, list)
                return []
            return store()

        self._if(is_valid_subgroup, reduce_partials, list)
        rw.create("gpu.barrier")
        result = rw.value("memref.load", (buffer, zero), self.type)
        rw.replace(self.op, [result])

    # --- reducing ------------------------------------------------------------------------------
    def _reduce_subgroup(self, active_width: SSAValue, operand: SSAValue) -> SSAValue:
        """The reduction over `active_width` lanes, right in the first of them."""
        size = self._constant(SUBGROUP_SIZE)
        is_partial = self._compare(_SLT, active_width, size)

        def partial() -> list[SSAValue]:
            value = operand
            for i in self._offsets():
                shuffle = self._shuffle(value, i, active_width)
                # A lane outside of the active range gave nothing to accumulate.
                value = self._if(
                    shuffle.results[1],
                    lambda value=value, s=shuffle: [self.combine(value, s.results[0])],
                    lambda value=value: [value],
                )[0]
            return [value]

        def whole() -> list[SSAValue]:
            value = operand
            for i in self._offsets():
                shuffle = self._shuffle(value, i, size)
                value = self.combine(value, shuffle.results[0])
            return [value]

        return self._if(is_partial, partial, whole)[0]

    @staticmethod
    def _offsets() -> list[int]:
        return [1, 2, 4, 8, 16]

    def _shuffle(self, value: SSAValue, offset: int, width: SSAValue) -> Operation:
        return self.rw.create(
            "gpu.shuffle",
            (value, self._constant(offset), width),
            (self.type, i1),
            {"mode": ods.enum("gpu.shuffle_mode", "xor")},
        )

    def _inline_body(self, left: SSAValue, right: SSAValue) -> SSAValue:
        """Puts a copy of the operation's body here; its gpu.yield becomes a branch to what
        follows."""
        rw = self.rw
        block = rw.block
        assert block is not None
        rest = split_block(block, rw.anchor)
        copy = Region()
        self.op.regions[0].clone_into(copy)
        blocks = list(copy.blocks)
        entry = blocks[0]
        for argument, value in zip(tuple(entry.args), (left, right), strict=True):
            argument.replace_all_uses_with(value)
        for argument in reversed(tuple(entry.args)):
            entry.erase_arg(argument)
        region = block.parent
        assert region is not None
        for inner in blocks:
            copy.detach_block(inner)
            for op in inner.ops:
                rw.inserted(op)
            region.insert_block_before(inner, rest)
        rw.at_end(block)
        self._branch(entry, ())
        result = rest.insert_arg(self.type, 0, self.op.location)
        for inner in blocks:
            last = inner.last_op
            if last is not None and last.name == "gpu.yield":
                rw.at_end(inner)
                value = last.operands[0]
                rw.erase(last)
                self._branch(rest, (value,))
        rw.at_start(rest)
        return result

    # --- control flow --------------------------------------------------------------------------
    def _if(
        self,
        condition: SSAValue,
        then_factory: Callable[[], list[SSAValue]],
        else_factory: Callable[[], list[SSAValue]],
    ) -> list[SSAValue]:
        """Branches around; afterwards the rewriter is where the branches meet."""
        rw = self.rw
        current = rw.block
        assert current is not None
        then_block = split_block(current, rw.anchor)
        else_block = split_block(then_block, then_block.first_op)
        rest = split_block(else_block, else_block.first_op)
        rw.at_end(current)
        rw.create("cf.cond_br", (condition, [], []), successors=(then_block, else_block))
        rw.at_start(then_block)
        values = then_factory()
        self._branch(rest, values)
        rw.at_start(else_block)
        self._branch(rest, else_factory())
        rw.at_start(rest)
        return [rest.insert_arg(value.type, i, self.op.location) for i, value in enumerate(values)]

    def _branch(self, target: Block, values: Sequence[SSAValue]) -> None:
        self.rw.create("cf.br", tuple(values), successors=(target,))

    # --- values --------------------------------------------------------------------------------
    def _id(self, name: str, dimension: str) -> SSAValue:
        value = self.rw.value(name, (), _INDEX, {"dimension": ods.enum("gpu.dim", dimension)})
        return self.rw.value("arith.index_cast", (value,), i32)

    def _i32(self, name: str, left: SSAValue, right: SSAValue) -> SSAValue:
        return self.rw.value(f"arith.{name}", (left, right), i32)

    def _constant(self, value: int) -> SSAValue:
        return constant(self.rw, value, i32)

    def _compare(self, predicate: int, left: SSAValue, right: SSAValue) -> SSAValue:
        return self.rw.value(
            "arith.cmpi", (left, right), i1, {"predicate": IntegerAttr(predicate, i64)}
        )

    def _divide(self, value: SSAValue) -> SSAValue:
        return self._i32("divsi", value, self._constant(SUBGROUP_SIZE))

    def _to_index(self, value: SSAValue) -> SSAValue:
        return self.rw.value("arith.index_cast", (value,), _INDEX)

    def _workgroup_buffer(self) -> SSAValue:
        """A workgroup buffer of one element a subgroup, added to the function."""
        ty = MemRefType(
            self.type, [SUBGROUP_SIZE], memory_space=ods.enum("gpu.address_space", "workgroup")
        )
        function = self.function
        count = workgroup_count(function)
        function.attributes[WORKGROUP_COUNT] = IntegerAttr(count + 1, i64)
        position = (
            len(cast("FunctionType", function.properties["function_type"]).inputs.data) + count
        )
        entry = function.regions[0].blocks[0]
        return entry.insert_arg(ty, position, self.op.location)


# --- rewrites ------------------------------------------------------------------------------------
# gpu operations in terms of simpler ones: what MLIR calls the gpu rewrite patterns.
#
#     gpu.global_id x   =>  block_id x * block_dim x + thread_id x
#     gpu.subgroup_id   =>  linear thread id / gpu.subgroup_size
#     gpu.shuffle of i64, f64  =>  two of i32
#     gpu.all_reduce uniform   =>  below
#
# Source: MLIR 22.1 GlobalIdRewriter.cpp, SubgroupIdRewriter.cpp, ShuffleRewriter.cpp.


def _id(rw: Rewriter, name: str, dimension: str) -> SSAValue:
    return rw.value(name, (), _INDEX, {"dimension": ods.enum("gpu.dim", dimension)})


def _index(rw: Rewriter, name: str, left: SSAValue, right: SSAValue) -> SSAValue:
    return rw.value(f"arith.{name}", (left, right), _INDEX)


def rewrite_global_id(op: Operation, rw: Rewriter) -> bool:
    """block_id * block_dim + thread_id"""
    dimension = cast("gpu.DimAttr", op.properties["dimension"])
    block = _id(rw, "gpu.block_id", dimension.data)
    size = _id(rw, "gpu.block_dim", dimension.data)
    start = _index(rw, "muli", block, size)
    thread = _id(rw, "gpu.thread_id", dimension.data)
    rw.replace(op, [_index(rw, "addi", thread, start)])
    return True


def rewrite_subgroup_id(op: Operation, rw: GreedyRewriter) -> bool:
    """(tid.x + dim.x * (tid.y + dim.y * tid.z)) / subgroup_size"""
    dim_x = _id(rw, "gpu.block_dim", "x")
    dim_y = _id(rw, "gpu.block_dim", "y")
    tid_x, tid_y, tid_z = (_id(rw, "gpu.thread_id", d) for d in "xyz")
    row = _index(rw, "addi", _index(rw, "muli", dim_y, tid_z), tid_y)
    linear = _index(rw, "addi", tid_x, _index(rw, "muli", dim_x, row))
    size = rw.value("gpu.subgroup_size", (), _INDEX)
    rw.replace(op, [_index(rw, "divui", linear, size)])
    return True


def rewrite_shuffle(op: Operation, rw: GreedyRewriter) -> bool:
    """A 64-bit shuffle as two of 32 bits."""
    value, offset, width = op.operands
    ty = value.type
    is_float = isinstance(ty, Float64Type)
    if not is_float and not (isinstance(ty, IntegerType) and cast("IntAttr", ty.width).data == 64):
        return False
    if is_float:
        value = rw.value("arith.bitcast", (value,), i64)
    low = rw.value("arith.trunci", (value,), i32)
    thirty_two = constant(rw, 32, i64)
    shifted = rw.value("arith.shrui", (value, thirty_two), i64)
    high = rw.value("arith.trunci", (shifted,), i32)
    mode = {"mode": op.properties["mode"]}
    shuffled = [
        rw.create("gpu.shuffle", (half, offset, width), (i32, i1), mode) for half in (low, high)
    ]
    low, high = (rw.value("arith.extui", (s.results[0],), i64) for s in shuffled)
    high = rw.value("arith.shli", (high, thirty_two), i64)
    result = rw.value("arith.ori", (high, low), i64)
    if is_float:
        result = rw.value("arith.bitcast", (result,), ty)
    valid = rw.value("arith.andi", (shuffled[0].results[1], shuffled[1].results[1]), i1)
    rw.replace(op, [result, valid])
    return True


def rewrite_all_reduces(op: Operation, rw: GreedyRewriter) -> bool:
    """All reductions of a kernel at once: they share its buffers."""
    return lower_all_reduces(op, rw)


PATTERNS = {
    "gpu.func": (rewrite_all_reduces,),
    "gpu.global_id": (rewrite_global_id,),
    "gpu.shuffle": (rewrite_shuffle,),
}

#: What `convert-gpu-to-nvvm` does not do, as MLIR's does not.
SUBGROUP_ID_PATTERNS = {"gpu.subgroup_id": (rewrite_subgroup_id,)}


def apply_gpu_rewrites(
    root: Operation, more: Mapping[str, Sequence[Pattern]] | None = None
) -> None:
    """Rewrites, and folds on the way, as MLIR's greedy driver does; `more` are other patterns."""
    apply_patterns(root, {**PATTERNS, **(more or {})})
