# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`ownership-based-buffer-deallocation`: frees what functions allocate.

Each memref has an owner, known when the program runs: a boolean goes with each memref that a block,
a region or a function passes on. Where a block ends, `bufferization.dealloc` frees what the block
owns and nobody after it needs. Functions own nothing that they are given, and hand over what they
return. Source: MLIR 22.1 OwnershipBasedBufferDeallocation.cpp.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import DenseArrayBase, FunctionType, StringAttr, i1, i32
from xdsl.ir import Block, Operation, Region, SSAValue

from xgpu.core import ods
from xgpu.core.ir.branches import (
    segment_sizes,
    set_successor_operands,
    successor_operands,
    successor_ranges,
)
from xgpu.core.ir.constants import int_of
from xgpu.core.ir.dominance import reverse_post_order
from xgpu.core.ir.effects import effects
from xgpu.core.ir.errors import error
from xgpu.core.ir.liveness import home
from xgpu.core.ir.op_info import traits_of
from xgpu.core.ir.region_flow import edges, is_region_branch
from xgpu.core.ir.symbols import lookup, nearest_table, visibility
from xgpu.core.passes.base import Option, Pass
from xgpu.core.rewriting.rewriter import Rewriter
from xgpu.dialects.bufferization.canonicalize import boolean, dealloc, has_effect, is_memref
from xgpu.transforms.bufferization.ownership import (
    DeallocationState,
    at_start,
    insert_dealloc_for_return,
)

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.dialects.builtin import ModuleOp, SymbolRefAttr

    from xgpu.dialects import func

#: The attribute by which memory stays out of this: who allocates it frees it.
MANUAL = "bufferization.manual_deallocation"
#: Terminators that hand nothing on.
_ENDS = frozenset({"gpu.terminator", "scf.forall.in_parallel", "scf.reduce.return"})


class OwnershipBasedBufferDeallocation(Pass):
    """Frees what functions allocate."""

    name = "ownership-based-buffer-deallocation"
    summary = "Adds all required dealloc operations for all allocations in the input program"
    options = (
        Option(
            "private-function-dynamic-ownership",
            bool,
            False,
            "Allows to add additional arguments to private functions to dynamically pass ownership "
            "of memrefs to callees. This can enable earlier deallocations.",
        ),
    )
    private_function_dynamic_ownership: bool

    def run(self, op: Operation, ctx: Context) -> None:
        for function in list(op.walk()):
            if function.name == "func.func" and function.regions[0].blocks.first is not None:
                _Deallocation(function, self.private_function_dynamic_ownership).run()


class _Deallocation:
    """The work on one function."""

    def __init__(self, function: Operation, dynamic: bool) -> None:
        self.function = function
        self.dynamic = dynamic
        self.state = DeallocationState(function)

    def run(self) -> None:
        _check_loops(self.function)
        for region in self.function.regions:
            self._region(region)
        self._update_signature()

    # --- blocks --------------------------------------------------------------------------------
    def _region(self, region: Region) -> None:
        for block in reverse_post_order(region):
            for op in list(block.ops):
                for inner in op.regions:
                    self._region(inner)
            self._block(block)

    def _block(self, block: Block) -> None:
        state = self.state
        for memref in state.live_in(block):
            defined = home(memref)
            assert defined is not None
            if defined.parent is block.parent:
                state.update(memref, state.ownership(memref, defined), block)
                state.free_later(memref, block)
            else:
                # What regions use of the world around them is not theirs.
                state.update(memref, boolean(self._start(block), False), block)
        for argument in tuple(block.args):
            if not is_memref(argument):
                continue
            if self._gets_ownership(block):
                owned: SSAValue = block.insert_arg(i1, len(block.args))
                owned.location = getattr(argument, "location", None)  # pyright: ignore
            else:
                owned = boolean(self._start(block), False)
            state.update(argument, owned)
            state.free_later(argument, block)
        op = block.first_op
        while op is not None:
            op = self._operation(op)
            self._remaining(op)
            op = op.next_op

    def _start(self, block: Block) -> Rewriter:
        return at_start(block, self.function.location)

    def _gets_ownership(self, block: Block) -> bool:
        """Whether those who pass memrefs to `block` pass who owns them, too."""
        region = block.parent
        if region is None or region.first_block is not block:
            return True
        parent = block.parent_op()
        return parent is not None and is_region_branch(parent)

    def _remaining(self, op: Operation) -> None:
        """A result of which nothing is known may be each operand."""
        block = op.parent
        assert block is not None
        for result in filter(is_memref, op.results):
            if self.state.ownership(result, block) is not None:
                continue
            for operand in filter(is_memref, op.operands):
                owned = self.state.ownership(operand, block)
                if owned is None:
                    owned = self.state.ownership(operand, home(operand))
                self.state.update(result, owned, block)
            if self.state.ownership(result, block) is None:
                self.state.update(result, boolean(Rewriter(op), False))

    # --- operations ----------------------------------------------------------------------------
    def _operation(self, op: Operation) -> Operation:
        """Does what `op` needs; the operation that is in its place now."""
        if op.name == "cf.cond_br":
            self._cond_branch(op)
        elif op.name in _ENDS:
            insert_dealloc_for_return(self.state, op, ())
        elif op.name != "arith.select":
            _check_operation(op)
            self._effects(op)
            if is_region_branch(op):
                op = self._region_branch(op)
            if "CallOpInterface" in traits_of(op.name):
                op = self._call(op)
            if op.successors:
                self._branch(op)
            elif "RegionBranchTerminatorOpInterface" in traits_of(op.name):
                self._return(op)
        return op

    def _effects(self, op: Operation) -> None:
        for operand in filter(is_memref, op.operands):
            if not has_effect(op, "free", operand):
                continue
            if MANUAL not in op.attributes:
                raise error(op, "memory free side-effect on MemRef value not supported!")
            owned = self.state.ownership(operand, op.parent)
            if isinstance(owned, SSAValue):
                rw = Rewriter(op)
                free = rw.value("arith.xori", (owned, boolean(rw, True)), i1)
                message = StringAttr("expected that the block does not have ownership")
                rw.create("cf.assert", (free,), (), {"msg": message})
        for result in filter(is_memref, op.results):
            if not has_effect(op, "allocate", result):
                continue
            assert op.parent is not None
            ours = op.name not in ("memref.alloca",) and MANUAL not in op.attributes
            owned = boolean(self._start(op.parent), ours)
            if ours:
                self.state.update(result, owned)
                self.state.free_later(result, op.parent)
            else:
                self.state.reset(result, owned, op.parent)

    def _region_branch(self, op: Operation) -> Operation:
        """A region gets no ownership from outside, and hands over that of its results."""
        assert op.parent is not None
        given = sum(map(is_memref, edges(op, op)[0].operands))
        false = boolean(self._start(op.parent), False)
        operands = [*op.operands, *[false] * given]
        if given and "operandSegmentSizes" in op.properties:
            sizes = segment_sizes(op)
            sizes[-1] += given
            op.properties["operandSegmentSizes"] = DenseArrayBase.from_list(i32, sizes)
        op.operands = operands
        return self._with_ownerships(op)

    def _with_ownerships(self, op: Operation) -> Operation:
        """`op` with a boolean more for each memref among its results."""
        memrefs = sum(map(is_memref, op.results))
        new = ods.create(
            op.name,
            list(op.operands),
            [*(r.type for r in op.results), *[i1] * memrefs],
            dict(op.properties),
            dict(op.attributes),
            [op.detach_region(region) for region in tuple(op.regions)],
            location=op.location,
        )
        block = op.parent
        assert block is not None
        block.insert_op_before(new, op)
        count = len(op.results)
        self.state.rename(op.results, new.results)
        for old, result in zip(tuple(op.results), new.results, strict=False):
            result.name_hint = old.name_hint
            old.replace_all_uses_with(result)
        op.detach()
        op.erase()
        for result in filter(is_memref, new.results):
            self.state.update(result, new.results[count])
            self.state.free_later(result, block)
            count += 1
        return new

    def _call(self, op: Operation) -> Operation:
        if self.dynamic and self._calls_private(op):
            return self._with_ownerships(op)
        true = boolean(Rewriter(op), True)
        for result in filter(is_memref, op.results):
            self.state.update(result, true)
            self.state.free_later(result, op.parent)
        return op

    def _calls_private(self, op: Operation) -> bool:
        callee = cast("SymbolRefAttr | None", op.properties.get("callee"))
        table = cast("ModuleOp | None", nearest_table(op))
        if callee is None or table is None:
            return True
        function = cast("func.FuncOp | None", lookup(table, callee.root_reference.data))
        return function is None or self._is_dynamic(function)

    def _is_dynamic(self, function: Operation) -> bool:
        return (
            self.dynamic
            and visibility(function) == "private"
            and function.regions[0].blocks.first is not None
        )

    # --- ends of blocks ------------------------------------------------------------------------
    def _branch(self, op: Operation) -> None:
        block = op.parent
        if len(op.successors) != 1 or successor_ranges(op) is None or block is None:
            raise error(op, "Terminators with more than one successor are not supported!")
        rw = Rewriter(op)
        memrefs, conditions = self.state.freed(rw, block)
        passed = successor_operands(op, 0) or []
        retained = self.state.retained(block, op.successors[0], passed)
        freeing = dealloc(rw, memrefs, conditions, retained)
        for memref, owned in zip(retained, freeing.results, strict=True):
            self.state.reset(memref, owned, block)
        count = sum(map(is_memref, passed))
        set_successor_operands(op, 0, [*passed, *freeing.results[:count]])

    def _cond_branch(self, op: Operation) -> None:
        """Frees for each way what is not needed on it, if it is taken."""
        block = op.parent
        assert block is not None
        rw, condition = Rewriter(op), op.operands[0]
        memrefs, conditions = self.state.freed(rw, block)

        def if_taken(owned: SSAValue) -> SSAValue:
            return rw.value("arith.andi", (owned, condition), i1)

        def if_not_taken(owned: SSAValue) -> SSAValue:
            negation = rw.value("arith.xori", (boolean(rw, True), condition), i1)
            return rw.value("arith.andi", (owned, negation), i1)

        ways = [
            self._one_way(rw, op, index, memrefs, [adapt(c) for c in conditions])
            for index, adapt in enumerate((if_taken, if_not_taken))
        ]
        for memref in ways[1]:
            if memref in ways[0]:
                values = (condition, ways[0][memref], ways[1][memref])
                self.state.reset(memref, rw.value("arith.select", values, i1), block)

    def _one_way(
        self,
        rw: Rewriter,
        op: Operation,
        index: int,
        memrefs: Sequence[SSAValue],
        conditions: Sequence[SSAValue],
    ) -> dict[SSAValue, SSAValue]:
        block = op.parent
        assert block is not None
        passed = successor_operands(op, index) or []
        retained = self.state.retained(block, op.successors[index], passed)
        freeing = dealloc(rw, memrefs, conditions, retained)
        owned: dict[SSAValue, SSAValue] = dict(zip(retained, freeing.results, strict=True))
        for memref, ownership in owned.items():
            self.state.reset(memref, ownership, block)
        extra = [owned[value] for value in passed if is_memref(value)]
        set_successor_operands(op, index, [*passed, *extra])
        return owned

    def _return(self, op: Operation) -> None:
        parent = op.parent_op()
        is_function = parent is not None and "FunctionOpInterface" in traits_of(parent.name)
        hands_over = is_function and parent is not None and not self._is_dynamic(parent)
        if hands_over:
            rw = Rewriter(op)
            for index, value in enumerate(op.operands):
                if is_memref(value):
                    op.operands[index] = self._owned(rw, value)
        first = 1 if op.name == "scf.condition" else 0
        owned = insert_dealloc_for_return(self.state, op, op.operands[first:])
        if not hands_over:
            op.operands = [*op.operands, *owned]

    def _owned(self, rw: Rewriter, memref: SSAValue) -> SSAValue:
        """`memref`, or a clone of it where it turns out that it is not the block's own."""
        assert rw.block is not None
        memref, owned = self._unique(rw, memref, rw.block)
        if int_of(owned) not in (None, 0):
            return memref

        def region(make: Callable[[Rewriter], SSAValue]) -> Region:
            block = Block()
            inner = Rewriter(block=block, location=rw.location)
            inner.create("scf.yield", (make(inner),))
            return Region(block)

        result = rw.create(
            "scf.if",
            (owned,),
            (memref.type,),
            regions=(
                region(lambda inner: memref),
                region(lambda r: r.value("bufferization.clone", (memref,), memref.type)),
            ),
        ).results[0]
        self.state.update(result, boolean(rw, True))
        self.state.free_later(result, rw.block)
        return result

    def _unique(self, rw: Rewriter, memref: SSAValue, block: Block) -> tuple[SSAValue, SSAValue]:
        owner = memref.owner
        if isinstance(owner, Operation) and owner.name == "arith.select" and owner.parent is block:
            known = [self.state.ownership(value, block) for value in owner.operands[1:]]
            if all(isinstance(owned, SSAValue) for owned in known):
                values = (owner.operands[0], *known)
                return memref, rw.value("arith.select", values, i1)
        return self.state.with_unique_ownership(rw, memref, block)

    def _update_signature(self) -> None:
        """A private function returns ownerships where callers expect them."""
        returns = [b.last_op for b in self.function.regions[0].blocks if b.last_op is not None]
        types = [[v.type for v in op.operands] for op in returns if op.name == "func.return"]
        if not types:
            return
        if any(other != types[0] for other in types):
            raise error(
                self.function,
                "there are multiple return operations with different operand types",
            )
        function = self.function
        inputs = cast("FunctionType", function.properties["function_type"]).inputs.data
        function.properties["function_type"] = FunctionType.from_lists(inputs, types[0])


# --- what is not supported ----------------------------------------------------------------------
def _check_loops(function: Operation) -> None:
    """Loops of branches would need more than one pass over the blocks."""
    for op in function.walk():
        for region in op.regions:
            order = {block: i for i, block in enumerate(reverse_post_order(region))}
            for block, at in order.items():
                last = block.last_op
                if last is not None and any(order[s] <= at for s in last.successors):
                    raise error(function, "Only structured control-flow loops are supported.")


def _check_operation(op: Operation) -> None:
    traits = traits_of(op.name)
    if op.name == "bufferization.dealloc":
        raise error(op, "No deallocation operations must be present when running this pass!")
    known = effects(op) if "RecursiveMemoryEffects" not in traits else []
    if known is None and "CallOpInterface" not in traits:
        raise error(op, "ops with unknown memory side effects are not supported")
    if not _uses_memory(op) and not any(e.kind in ("allocate", "free") for e in known or ()):
        return
    count = len(op.regions)
    if ((count == 1 and op.results) or count > 1) and not is_region_branch(op):
        raise error(
            op,
            "All operations with attached regions need to implement the RegionBranchOpInterface.",
        )
    if "NoTerminator" in traits:
        raise error(op, "NoTerminator trait is not supported")
    if "Terminator" in traits:
        is_branch = successor_ranges(op) is not None
        if is_branch == ("RegionBranchTerminatorOpInterface" in traits):
            raise error(
                op,
                "Terminators must implement either BranchOpInterface or "
                "RegionBranchTerminatorOpInterface (but not both)!",
            )
        if len(op.successors) > 1:
            raise error(op, "Terminators with more than one successor are not supported!")


def _uses_memory(op: Operation) -> bool:
    arguments = [a for r in op.regions if r.first_block is not None for a in r.first_block.args]
    return any(map(is_memref, (*op.operands, *op.results, *arguments)))
