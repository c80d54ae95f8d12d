# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`ownership-based-buffer-deallocation`: frees what functions allocate; and the pipeline
`buffer-deallocation-pipeline` that does so with as few checks as possible.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    DenseArrayBase,
    FunctionType,
    MemRefType,
    NoneAttr,
    StringAttr,
    UnrankedMemRefType,
    i1,
    i32,
    i64,
)
from xdsl.ir import Block, BlockArgument, Operation, Region, SSAValue

from xgpu.core import ods
from xgpu.core.ir.blocks import location_of
from xgpu.core.ir.constants import int_of
from xgpu.core.ir.dominance import reverse_post_order
from xgpu.core.ir.effects import effects
from xgpu.core.ir.errors import Diagnostic, DiagnosticError, error
from xgpu.core.ir.liveness import Liveness, home
from xgpu.core.ir.op_info import traits_of
from xgpu.core.ir.region_flow import (
    edges,
    is_region_branch,
    segment_sizes,
    set_successor_operands,
    successor_operands,
    successor_ranges,
)
from xgpu.core.ir.symbols import lookup, nearest_table, visibility
from xgpu.core.passes.base import Option, Pass
from xgpu.core.passes.manager import Pipeline
from xgpu.core.passes.registry import pass_class
from xgpu.core.rewriting.builder import Rewriter
from xgpu.dialects.bufferization.canonicalize import boolean, dealloc, has_effect, is_memref
from xgpu.dialects.memref.verify import INFER

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.dialects.builtin import ModuleOp, SymbolRefAttr
    from xdsl.ir import LocationAttr

    from xgpu.core.passes.manager import PassManager
    from xgpu.dialects import func


# --- ownership -----------------------------------------------------------------------------------
# Who must free which memory, block by block: what ownership-based deallocation keeps track of.
#
# The ownership of a memref in a block is a value that says whether the block has to free it, or it
# is not known. Source: MLIR 22.1 BufferDeallocationOpInterface.cpp.


#: In place of an ownership: it depends on which way control came.
UNKNOWN = "unknown"

Ownership = SSAValue | str | None


def at_start(block: Block, location: LocationAttr) -> Rewriter:
    """A rewriter at the start of `block`."""
    rw = Rewriter(block=block, location=location)
    rw.at_start(block)
    return rw


class DeallocationState:
    """Liveness, ownerships, and what each block frees in its end."""

    def __init__(self, root: Operation) -> None:
        self.liveness = Liveness(root)
        self._ownership: dict[tuple[SSAValue, Block], Ownership] = {}
        self._to_free: dict[Block, list[SSAValue]] = {}
        #: Results of operations that got more results -> those of their successors.
        self._renamed: dict[SSAValue, SSAValue] = {}

    def rename(self, old: Sequence[SSAValue], new: Sequence[SSAValue]) -> None:
        """Says that `old` are `new` now."""
        self._renamed.update(zip(old, new, strict=False))

    # --- ownership -----------------------------------------------------------------------------
    def ownership(self, memref: SSAValue, block: Block | None) -> Ownership:
        """Who owns `memref` in `block`; None if nothing was said."""
        assert block is not None
        return self._ownership.get((memref, block))

    def update(self, memref: SSAValue, owned: Ownership, block: Block | None = None) -> None:
        """Joins what is known of `memref` with `owned`."""
        block = home(memref) if block is None else block
        assert block is not None
        key = (memref, block)
        self._ownership[key] = _join(self._ownership.get(key), owned)

    def reset(self, memref: SSAValue, owned: SSAValue, block: Block) -> None:
        """Replaces what is known of `memref`."""
        self._ownership[memref, block] = owned

    def free_later(self, memref: SSAValue, block: Block | None) -> None:
        """Remembers that `block` frees `memref` where it owns it."""
        assert block is not None
        self._to_free.setdefault(block, []).append(memref)

    def with_unique_ownership(
        self, rw: Rewriter, memref: SSAValue, block: Block
    ) -> tuple[SSAValue, SSAValue]:
        """`memref` and its ownership; a clone of it if that is not known."""
        owned = self.ownership(memref, block)
        if isinstance(owned, SSAValue):
            return memref, owned
        clone = rw.value("bufferization.clone", (memref,), memref.type)
        true = boolean(rw, True)
        self.update(clone, true)
        self.free_later(clone, home(clone))
        return clone, true

    # --- what lives ----------------------------------------------------------------------------
    def _memrefs(self, values: Iterable[SSAValue]) -> list[SSAValue]:
        found = {self._renamed.get(value, value) for value in values}
        return sorted(filter(is_memref, found), key=_place)

    def live_in(self, block: Block) -> list[SSAValue]:
        """The memrefs from elsewhere that `block` and what follows it use."""
        return self._memrefs(self.liveness.live_in.get(block, ()))

    def retained(
        self, block: Block, target: Block | None, passed: Iterable[SSAValue]
    ) -> list[SSAValue]:
        """What must outlive `block` on its way to `target`: what is passed, and what lives on."""
        after = self.liveness.live_out.get(block, set())
        if target is not None:
            after = after & self.liveness.live_in.get(target, set())
        return [*filter(is_memref, passed), *self._memrefs(after)]

    def freed(self, rw: Rewriter, block: Block) -> tuple[list[SSAValue], list[SSAValue]]:
        """The bases of what `block` frees, and under which conditions."""
        memrefs: list[SSAValue] = []
        conditions: list[SSAValue] = []
        for memref in self._to_free.get(block, ()):
            owned = self.ownership(memref, block)
            if not isinstance(owned, SSAValue):
                message = "MemRef value does not have valid ownership"
                raise DiagnosticError(Diagnostic("error", message, location_of(memref)))
            memrefs.append(base_of(rw, memref))
            conditions.append(owned)
        return memrefs, conditions


def _join(first: Ownership, second: Ownership) -> Ownership:
    if second is None or first is second:
        return first
    if first is None:
        return second
    if isinstance(first, str) or isinstance(second, str):
        return UNKNOWN
    a, b = int_of(first), int_of(second)
    return first if a is not None and a == b else UNKNOWN


def _place(value: SSAValue) -> tuple[int, ...]:
    """Arguments before results, then the order in the text."""
    owner = value.owner
    if isinstance(value, BlockArgument):
        return (0, value.index, _block_place(value.block))
    assert isinstance(owner, Operation)
    assert owner.parent is not None
    at = next(i for i, op in enumerate(owner.parent.ops) if op is owner)
    return (1, _block_place(owner.parent), at, value.index)  # pyright: ignore


def _block_place(block: Block) -> int:
    region = block.parent
    return 0 if region is None else region.get_block_index(block)


def base_of(rw: Rewriter, memref: SSAValue) -> SSAValue:
    """The allocation that `memref` is a view of."""
    kind = memref.type
    if isinstance(kind, UnrankedMemRefType):
        # A view of no dimensions: all that the base needs.
        kind = MemRefType(kind.element_type, [], NoneAttr(), kind.memory_space)
        none = DenseArrayBase.from_list(i64, [])
        static = {"static_offsets": DenseArrayBase.from_list(i64, [0])}
        static |= {"static_sizes": none, "static_strides": none}
        memref = rw.value("memref.reinterpret_cast", ([memref], [], [], []), kind, static)
    types = INFER["memref.extract_strided_metadata"]([memref], {}, (), {})
    return rw.create("memref.extract_strided_metadata", (memref,), types).results[0]


def insert_dealloc_for_return(
    state: DeallocationState, op: Operation, operands: Sequence[SSAValue]
) -> list[SSAValue]:
    """Frees in front of the terminator `op`, which hands `operands` on; their ownerships."""
    block = op.parent
    assert block is not None
    rw = Rewriter(op)
    memrefs, conditions = state.freed(rw, block)
    retained = state.retained(block, None, operands)
    if not memrefs and not retained:
        return []
    freeing = dealloc(rw, memrefs, conditions, retained)
    for memref, owned in zip(retained, freeing.results, strict=True):
        state.reset(memref, owned, block)
    return list(freeing.results[: sum(map(is_memref, operands))])


# --- ownership based buffer deallocation ---------------------------------------------------------
# `ownership-based-buffer-deallocation`: frees what functions allocate.
#
# Each memref has an owner, known when the program runs: a boolean goes with each memref that a
# block, a region or a function passes on. Where a block ends, `bufferization.dealloc` frees what
# the block owns and nothing after it needs. Functions own nothing that they are given, and hand
# over what they return. Source: MLIR 22.1 OwnershipBasedBufferDeallocation.cpp.


#: The attribute by which memory stays out of this: who allocates it frees it.
MANUAL = "bufferization.manual_deallocation"
#: Terminators that hand nothing on.
_ENDS = frozenset({"gpu.terminator", "scf.forall.in_parallel", "scf.reduce.return"})


class OwnershipBasedBufferDeallocationPass(Pass):
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
                state.update(memref, boolean(at_start(block, location_of(memref)), False), block)
        for argument in tuple(block.args):
            if not is_memref(argument):
                continue
            if self._gets_ownership(block):
                owned: SSAValue = block.insert_arg(i1, len(block.args))
                owned.location = location_of(argument)
            else:
                owned = boolean(at_start(block, location_of(argument)), False)
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
            owned = boolean(at_start(op.parent, op.location), ours)
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
        with rw.located(location_of(memref)):
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


# --- buffer deallocation pipeline ----------------------------------------------------------------
# `buffer-deallocation-pipeline`: frees what functions allocate, with as few checks as possible.


class BufferDeallocationPipeline(Pipeline):
    """MLIR's pipeline, in its order."""

    name = "buffer-deallocation-pipeline"
    summary = "The default pipeline for automatically inserting deallocation operations"
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

    def build(self, manager: PassManager) -> None:
        manager.add(pass_class("expand-realloc")(emit_deallocs=False))
        manager.add(pass_class("canonicalize")())
        manager.add(
            pass_class("ownership-based-buffer-deallocation")(
                private_function_dynamic_ownership=self.private_function_dynamic_ownership
            )
        )
        manager.add(pass_class("canonicalize")())
        manager.add(pass_class("buffer-deallocation-simplification")())
        manager.add(pass_class("bufferization-lower-deallocations")())
        manager.add(pass_class("cse")())
        manager.add(pass_class("canonicalize")())
