# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loops that count, addresses in them that nothing but the counter moves, and where a screened
launch looks at memory.

    for (i = first; i < bound; i += step) { .. load p(i) .. }

If p(i) is p(first) + stride * (number of the iteration), all that the loop loads there is known
before it begins.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import DenseArrayBase, IntegerAttr, SymbolRefAttr, UnitAttr, i32, i64
from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from xgpu.backend.llvm_ir.facts import number, prop, text_of
from xgpu.core.ir.construction import erase_operation, nested_operations
from xgpu.core.ir.dominance import ControlFlowGraph, Loop
from xgpu.core.ir.liveness import definition_block
from xgpu.core.ir.region_flow import successor_operands
from xgpu.host_device.abi.sanitizer_records import (
    FLAG_ACQUIRES,
    FLAG_ASYNC,
    FLAG_ATOMIC,
    FLAG_BLOCK_SCOPE,
    FLAG_CLUSTER_SCOPE,
    FLAG_COMPARES,
    FLAG_MODIFY,
    FLAG_RELEASES,
    FLAG_USED,
    FLAG_WRITE,
)
from xgpu.host_device.compiler import operations
from xgpu.host_device.compiler.address_roots import LAYOUT
from xgpu.host_device.compiler.code import NoRegions
from xgpu.host_device.compiler.raise_intrinsics import intrinsic_name
from xgpu.host_device.compiler.types import I64, gep_strides, integer_constant
from xgpu.host_device.sanitizer.instrument.block_invariance import BlockInvariance
from xgpu.host_device.sanitizer.instrument.calls import SCOPES, Instrumentation
from xgpu.host_device.sanitizer.instrument.kernels import (
    ACQ_REL,
    ACQUIRING,
    RELEASING,
    SEQ_CST,
    needs_the_old,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from xdsl.ir import Attribute

    from xgpu.dialects.llvm.builders import LLVMBuilder
    from xgpu.host_device.compiler.address_roots import Root


_LESS = ("slt", "ult")
_ICMP = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")
#: Special registers that are the same in all threads of a block.
_COMMON = ("ctaid.", "nctaid.", "ntid.")


class Counted:
    """A loop with a counter of 64 bits; `entry` is the branch that enters it."""

    def __init__(
        self,
        graph: ControlFlowGraph,
        loop: Loop,
        entry: Operation,
        counter: SSAValue,
        bounds: tuple[SSAValue, SSAValue, int],
        is_unsigned: bool,
    ) -> None:
        #: Whether a bound below zero is a great number: the count is below zero then.
        self.is_unsigned = is_unsigned
        self._graph = graph
        self._loop = loop
        self.entry = entry
        self._counter = counter
        self._first, self._bound, self._step = bounds
        self._slopes: dict[SSAValue, int | None] = {}

    def repeats(self, block: int) -> bool:
        """Whether each iteration runs a block, once."""
        graph, loop = self._graph, self._loop
        return (
            block != loop.header
            and graph.loop_of[block] is loop
            and graph.dominates(block, loop.latches[0])
        )

    def has(self, is_such: Callable[[Operation], bool]) -> bool:
        """Whether the loop has an operation of which `is_such` is true."""
        return any(is_such(op) for b in self._loop.blocks for op in self._graph.blocks[b].ops)

    def slope(self, value: SSAValue) -> int | None:
        """By how much an iteration moves a value; None if that is not known."""
        if value not in self._slopes:
            self._slopes[value] = self._slope(value)
        return self._slopes[value]

    def _slope(self, value: SSAValue) -> int | None:
        if value is self._counter:
            return self._step
        home = definition_block(value)
        if self._graph.number[home] not in self._loop.blocks:
            return 0
        if isinstance(value, BlockArgument):
            return None
        op = cast("Operation", value.owner)
        if op.name in operations.CONSTANTS:
            return 0
        if not operations.is_pure(op) and op.name != "llvm.addrspacecast":
            return None
        slopes = [self.slope(o) for o in op.operands]
        if any(s is None for s in slopes):
            return None
        return _combined(op, slopes)  # type: ignore[arg-type]

    def at_first(self, value: SSAValue, rw: LLVMBuilder) -> SSAValue:
        """A value as the first iteration has it, computed before the loop."""
        if value is self._counter:
            return self._first
        home = definition_block(value)
        if self._graph.number[home] not in self._loop.blocks:
            return value
        op = cast("Operation", value.owner)
        operands = [self.at_first(o, rw) for o in op.operands]
        return rw.value(op.name, operands, value.type, dict(op.properties))

    def count(self, rw: LLVMBuilder) -> SSAValue:
        """The number of iterations, computed before the loop."""
        first, bound = integer_constant(self._first), integer_constant(self._bound)
        if first is not None and bound is not None:
            return rw.integer(max(0, -(-(bound - first) // self._step)), I64)
        rest = rw.binary("sub", self._bound, self._first)
        if self._step > 1:
            rest = rw.binary("sdiv", rw.binary("add", rest, self._step - 1), self._step)
        return rest


def _combined(op: Operation, slopes: list[int]) -> int | None:
    """The slope of what an operation computes from values with known ones."""
    if not any(slopes):
        return 0
    if op.name == "llvm.add":
        return slopes[0] + slopes[1]
    if op.name == "llvm.sub":
        return slopes[0] - slopes[1]
    if op.name == "llvm.mul":
        for at in (0, 1):
            factor = integer_constant(op.operands[at])
            if factor is not None:
                return factor * slopes[1 - at]
        return None
    if op.name == "llvm.shl":
        by = integer_constant(op.operands[1])
        return slopes[0] << by if by is not None and 0 <= by < 32 else None
    if op.name == "llvm.addrspacecast":
        return slopes[0]
    if op.name == "llvm.getelementptr":
        steps = gep_strides(op)
        if steps is None:
            return None
        return slopes[0] + sum(s * n for s, n in zip(slopes[1:], steps[1], strict=True))
    return None


def counted_loops(graph: ControlFlowGraph) -> dict[int, Counted]:
    """The loops of a kernel that count, by the number of their header."""
    found: dict[int, Counted] = {}
    for loop in graph.loops:
        counted = _counted(graph, loop)
        if counted is not None:
            found[loop.header] = counted
    return found


def _counted(graph: ControlFlowGraph, loop: Loop) -> Counted | None:
    outside = [(b, k) for b, k in graph.edges_in[loop.header] if b not in loop.blocks]
    if len(outside) != 1 or len(loop.latches) != 1 or len(loop.exits) != 1:
        return None
    entry = cast("Operation", graph.blocks[outside[0][0]].last_op)
    header = graph.blocks[loop.header]
    test = cast("Operation", header.last_op)
    if entry.name != "llvm.br" or loop.exits[0][0] != loop.header or loop.exits[0][1] != 1:
        return None
    if any(operations.is_barrier(op) for b in loop.blocks for op in graph.blocks[b].ops):
        return None
    less = test.operands[0].owner
    if isinstance(less, Block) or less.name != "llvm.icmp" or less.parent is not header:
        return None
    counter, bound = less.operands
    predicate = _ICMP[number(less.properties["predicate"])]
    if predicate not in _LESS or counter.owner is not header:
        return None
    first = (successor_operands(entry, 0) or [])[cast("BlockArgument", counter).index]
    latch = cast("Operation", graph.blocks[loop.latches[0]].last_op)
    if latch.name != "llvm.br":
        return None
    following = (successor_operands(latch, 0) or [])[cast("BlockArgument", counter).index]
    step = _step(following, counter)
    if step is None or counter.type != I64 or not (_is_common(first) and _is_common(bound)):
        return None
    is_unsigned = predicate == "ult"
    least = integer_constant(first)
    if is_unsigned and (least is None or least < 0):
        return None
    return Counted(graph, loop, entry, counter, (first, bound, step), is_unsigned)


def _step(following: SSAValue, counter: SSAValue) -> int | None:
    op = following.owner
    if isinstance(op, Block) or op.name != "llvm.add" or op.operands[0] is not counter:
        return None
    step = integer_constant(op.operands[1])
    return step if step is not None and step > 0 else None


def _is_common(value: SSAValue, depth: int = 8) -> bool:
    """Whether a value is plainly the same in all threads of a block, and no loop changes it."""
    owner = value.owner
    if isinstance(owner, Block):
        return owner.parent is not None and owner.parent.blocks[0] is owner
    register = operations.register(owner)
    if register is not None:
        return register.startswith(_COMMON)
    return depth > 0 and operations.is_pure(owner) and all(
        _is_common(o, depth - 1) for o in owner.operands
    )  # fmt: skip


# -- Marks in a prepared kernel where a launch that is screened looks at memory.
#
#     llvm.call @xgpu_san_check(%address, %root) {host.info, host.extent}
#     %v = llvm.load %address
#
# One mark serves for several accesses of a thread to one address between which nothing happens that
# other threads could see: a load and a store of a block are a store that has to find something
# written. Loads at addresses that a loop's counter alone moves are looked at before the loop
# (`loops.py`).
#
# A kernel for which a check could miss something is refused (`NoRegions`): it runs thread by
# thread.


INFO, EXTENT, SPINS, STRIDE = "host.info", "host.extent", "host.spins", "host.stride"
UNSIGNED = "host.unsigned"  # of a mark with a `STRIDE`: a count below zero is a great one
#: Of a mark where groups of asynchronous copies end or are waited for.
GROUPS = "host.groups"
#: What `GROUPS` says other than how many groups may go on.
COMMIT, WAIT_ALL = -2, -1
FENCE = "host.fence"  # of a mark at a fence of the device, which has no address
SHARED = "host.shared"  # whether it is the block's own memory
#: Of a mark that says the same in each block of a launch: one block stands for all.
SAME = "host.same_in_blocks"
_SHARED = 3
_ADDRESS = {"llvm.load": 0, "llvm.store": 1, "llvm.atomicrmw": 0, "llvm.cmpxchg": 0}
#: Sites that a state of the native code can name.
_MOST_SITES = 2048
_WIDTHS = (1, 2, 4, 8)
_COMMIT, _WAIT = "cp.async.commit.group", "cp.async.wait.group"


class _Access:
    """An access that gets a mark, before operation `at`."""

    __slots__ = ("at", "bytes", "extent", "flags", "is_shared", "op", "pointer", "root", "size")

    def __init__(self, op: Operation, pointer: SSAValue, size: int, flags: int) -> None:
        self.op = op
        self.at = op
        self.pointer = pointer
        self.size = size
        self.flags = flags
        self.root: SSAValue | None = None
        self.extent = -1
        self.is_shared = False
        #: How many bytes it is, where the kernel computes that: none, or perhaps all.
        self.bytes: SSAValue | None = None


class Marks:
    """Puts marks into one kernel, and has what they have in common."""

    def __init__(self, made: Instrumentation, kinds: tuple[str, ...]) -> None:
        self.made = made
        self.races, self.inits = "race" in kinds, "init" in kinds
        made.volatile_races = "volatile" in kinds
        #: Whether a kernel's own memory is looked at as well, which only threads do.
        self.private = self.inits or "memory" in kinds
        #: Logarithm of the smallest access to workgroup memory, at most 2.
        self.shift = 2
        #: Whether one block stands for all in what they do in their own memory.
        self.is_same = False
        self._names: dict[object, int] = {}
        self._numbers: dict[SSAValue, int] = {}

    def mark(self, function: Operation) -> None:
        """Put marks into a prepared kernel. Raises `NoRegions`."""
        self.made.begin(function)
        graph = ControlFlowGraph(function.regions[0])
        loops = {
            header: loop for header, loop in counted_loops(graph).items()
            if not loop.has(_changes_copies)
        }  # fmt: skip
        for at, block in enumerate(graph.blocks):
            loop = graph.loop_of[at]
            for op in [op for op in block.ops if _is_device_fence(op)]:
                self._mark_fence(op)
            for access in self._accesses(block):
                counted = loops.get(loop.header) if loop is not None else None
                if counted is None or not self._before_loop(access, counted, at):
                    self._mark(access, access.pointer, loop is not None)
        self._find_same(function)

    def _find_same(self, function: Operation) -> None:
        """Give marks their `SAME`.

        It holds for a variable if each thread uses the same parts of it in each block, between the
        same barriers. An access without a known variable may be to any.
        """
        marks = [op for op in nested_operations(function) if operations.is_screen_check(op)]
        own = [op for op in marks if SHARED in op.attributes and number(op.attributes[SHARED])]
        if not own:
            return
        invariance = BlockInvariance(function)
        order = [op for op in nested_operations(function) if operations.is_barrier(op)]
        order += [op for op in marks if GROUPS in op.attributes]
        if not all(invariance.runs_alike(cast("Block", op.parent)) for op in order):
            return
        different: set[str] = set()
        for op in marks:
            if len(op.operands) < 2:
                continue
            is_own = op in own
            name = _variable(op.operands[1])
            if is_own and number(op.attributes[EXTENT]) < 0:
                name = None  # dynamic memory may have several names
            if name is None and (is_own or not isinstance(op.operands[1], BlockArgument)):
                return
            alike = invariance.runs_alike(cast("Block", op.parent))
            if is_own and not (alike and all(map(invariance.is_invariant, op.operands))):
                different.add(cast("str", name))
        for op in own:
            if _variable(op.operands[1]) not in different:
                op.attributes[SAME] = UnitAttr()
        self.is_same = not different
        for op in marks:
            if self.is_same and GROUPS in op.attributes:
                op.attributes[SAME] = UnitAttr()

    def mark_groups(self, function: Operation) -> None:
        """Put marks into a kernel, which still has its own operations, where groups of
        asynchronous copies end and where a thread waits for them. Raises `NoRegions` where it ends
        an mbarrier: a vector of threads has nothing to do there, so that no check remains."""
        made = self.made
        for op in nested_operations(function):
            if _name(op).startswith("mbarrier.inval"):
                raise NoRegions(f"'{op.name}' is looked at thread by thread", op)
            groups = _groups(op)
            if groups is None:
                continue
            made.before(op)
            made.location = op.location
            attributes = {GROUPS: IntegerAttr(groups, i64)}
            made.create("llvm.call", (), (), _check_properties(0), attributes)
            erase_operation(op)

    # -- accesses

    def _accesses(self, block: Block) -> list[_Access]:
        """The accesses of a block to look at, each address once where that is enough."""
        found: list[_Access] = []
        plain: dict[tuple[int, int], _Access] = {}
        for op in block.ops:
            if not _is_followed(op):
                raise NoRegions(f"'{op.name}' is looked at thread by thread", op)
            if operations.is_barrier(op) or _changes_copies(op):
                plain.clear()
            if operations.ASYNC in op.attributes:
                found += self._copy(op)
                continue
            access = self._access(op) if op.name in _ADDRESS else None
            if access is None:
                continue
            if access.flags & FLAG_ATOMIC:
                found.append(access)
                continue
            key = (self._number(access.pointer), access.size)
            earlier = plain.get(key)
            if earlier is None:
                plain[key] = access
                found.append(access)
            elif access.flags & FLAG_WRITE and not earlier.flags & FLAG_WRITE:
                earlier.flags = FLAG_WRITE | FLAG_MODIFY
                earlier.op = access.op
        return found

    def _copy(self, op: Operation) -> list[_Access]:
        """What an asynchronous copy reads, and what it writes some time later."""
        if op.name != "llvm.intr.memcpy":
            return []  # zeros for what such a copy does not bring
        size = number(op.attributes[operations.ASYNC])
        source = _Access(op, op.operands[1], size, FLAG_ASYNC)
        if integer_constant(op.operands[2]) != size:
            source.bytes = op.operands[2]
        target = _Access(op, op.operands[0], size, FLAG_WRITE | FLAG_ASYNC)
        for access in (source, target):
            self._belongs(access, self.made.root(access.pointer))
        if source.is_shared or not target.is_shared:
            raise NoRegions("an asynchronous copy of memory that is not known", op)
        return [source, target]

    def _access(self, op: Operation) -> _Access | None:
        pointer = op.operands[_ADDRESS[op.name]]
        root = self.made.root(pointer)
        if root is not None and root.alloca is not None:
            if self.private:
                raise NoRegions("its threads have memory of their own", op)
            return None
        size, flags = _size_and_flags(op, self.made.volatile_races)
        if size not in _WIDTHS:
            raise NoRegions(f"an access to {size} bytes", op)
        access = _Access(op, pointer, size, flags)
        self._belongs(access, root)
        return access

    def _belongs(self, access: _Access, root: Root | None) -> None:
        """Note which memory an access is to. Raises `NoRegions`."""
        op, size, flags = access.op, access.size, access.flags
        if root is not None:
            if not isinstance(root.value, BlockArgument) and (
                root.value.owner.name != "llvm.mlir.addressof"  # type: ignore[union-attr]
            ):
                raise NoRegions("an address that comes from memory", op)
            if flags & FLAG_WRITE and root.is_constant:
                raise NoRegions("a write to a constant", op)
            access.root = root.value
            access.extent = -1 if root.extent is None else root.extent
        access.is_shared = self._is_shared(root)
        if access.is_shared:
            self.shift = min(self.shift, size.bit_length() - 1)
        elif flags & (FLAG_BLOCK_SCOPE | FLAG_CLUSTER_SCOPE):
            raise NoRegions("an atomic operation for its block or cluster alone", op)

    def _is_shared(self, root: Root | None) -> bool:
        if root is None:
            return False
        owner = root.value.owner
        if isinstance(owner, Block) or owner.name != "llvm.mlir.addressof":
            return getattr(root.value.type, "data", 0) == _SHARED
        variable = self.made.variables.get(
            cast("SymbolRefAttr", owner.properties["global_name"]).string_value()
        )
        return variable is not None and number(prop(variable, "addr_space")) == _SHARED

    def _number(self, value: SSAValue) -> int:
        """Equal for values that are computed alike."""
        found = self._numbers.get(value)
        if found is None:
            owner = value.owner
            key: object = value
            if not isinstance(owner, Block) and (
                operations.is_pure(owner) or owner.name == "llvm.addrspacecast"
            ):
                facts = tuple(sorted((k, v) for k, v in owner.properties.items()
                                     if k not in ("overflowFlags", "noWrapFlags")))  # fmt: skip
                key = (owner.name, value.type, facts, *(self._number(o) for o in owner.operands))
            found = self._numbers[value] = self._names.setdefault(key, len(self._names))
        return found

    # -- marks

    def _before_loop(self, access: _Access, loop: Counted, block: int) -> bool:
        """Put the mark of a load before the loop that repeats it, if it can stand there."""
        if access.flags or not loop.repeats(block):
            return False
        stride = loop.slope(access.pointer)
        if stride is None:
            return False
        self.made.before(loop.entry)
        self.made.location = access.op.location
        first = loop.at_first(access.pointer, self.made)
        count = loop.count(self.made)
        access.at = loop.entry
        self._mark(access, first, False, (stride, count, loop.is_unsigned))
        return True

    def _mark_fence(self, op: Operation) -> None:
        made = self.made
        made.before(op)
        made.location = op.location
        made.create("llvm.call", (), (), _check_properties(0), {FENCE: UnitAttr()})

    def _mark(
        self, access: _Access, pointer: SSAValue, in_loop: bool,
        repeated: tuple[int, SSAValue, bool] | None = None,
    ) -> None:  # fmt: skip
        made, op = self.made, access.op
        if len(made.sites) >= _MOST_SITES:
            raise NoRegions("too many places to look at", op)
        made.before(access.at)
        made.location = op.location
        bits = made.site(op) | access.flags << 20 | access.size << 32
        bits |= _alignment(op, access.size) << 48
        operands = [pointer, access.root if access.root is not None else made.null()]
        attributes: dict[str, Attribute] = {
            INFO: IntegerAttr(bits, i64), EXTENT: IntegerAttr(access.extent, i64),
            SHARED: IntegerAttr(int(access.is_shared), i32),
            SPINS: IntegerAttr(int(in_loop and _may_spin(op)), i32),
        }  # fmt: skip
        if repeated is not None:
            attributes[STRIDE] = IntegerAttr(repeated[0], i64)
            operands.append(repeated[1])
            if repeated[2]:
                attributes[UNSIGNED] = UnitAttr()
        if access.bytes is not None:
            operands.append(access.bytes)
        made.create("llvm.call", operands, (), _check_properties(len(operands)), attributes)


def _variable(root: SSAValue) -> str | None:
    """The name of the variable that a mark's accesses are meant for, if it is one."""
    owner = root.owner
    if isinstance(owner, Block) or owner.name != "llvm.mlir.addressof":
        return None
    return cast("SymbolRefAttr", owner.properties["global_name"]).string_value()


def _check_properties(count: int) -> dict[str, Attribute]:
    return {
        "callee": SymbolRefAttr(operations.SCREEN_CHECK),
        "operandSegmentSizes": DenseArrayBase.from_list(i32, [count, 0]),
        "op_bundle_sizes": DenseArrayBase.from_list(i32, []),
    }


def _name(op: Operation) -> str:
    """Of an operation of nvvm or an intrinsic, without the words before it."""
    return intrinsic_name(op) or op.name.removeprefix("nvvm.")


def _groups(op: Operation) -> int | None:
    """What an operation does to groups of asynchronous copies, as `GROUPS` says it."""
    name = _name(op)
    if name == _COMMIT:
        return COMMIT
    if name == "cp.async.wait.all":
        return WAIT_ALL
    if name != _WAIT:
        return None
    return number(op.properties["n"]) if op.name.startswith("nvvm.") else (
        integer_constant(op.operands[0])
    )  # fmt: skip


def _changes_copies(op: Operation) -> bool:
    """Whether an operation begins asynchronous copies, or waits for them."""
    return operations.ASYNC in op.attributes or GROUPS in op.attributes


def _is_device_fence(op: Operation) -> bool:
    """Whether a fence orders what comes before it and behind it for all threads of the device."""
    if op.name == "nvvm.memory.barrier":
        return text_of(op.properties["scope"]) in ("gpu", "sys")
    if op.name != "llvm.fence" or number(op.properties["ordering"]) not in (ACQ_REL, SEQ_CST):
        return False
    scope = op.properties.get("syncscope")
    return scope is None or text_of(scope) in ("", "device")


#: Operations that use no memory but what marks stand for.
_PLAIN = (
    operations.TERMINATORS | operations.HINTS | operations.FENCES | operations.WARP
    | {"llvm.alloca", "llvm.addrspacecast", "llvm.extractvalue", "llvm.insertvalue"}
)  # fmt: skip


def _is_followed(op: Operation) -> bool:
    """Whether a launch with this operation can be screened, and undone."""
    if op.name in _ADDRESS or op.name in _PLAIN or operations.is_pure(op):
        return True
    if operations.ASYNC in op.attributes:
        return True
    if (
        operations.register(op) is not None
        or operations.is_barrier(op)
        or operations.is_screen_check(op)
    ):
        return True
    if op.name == "llvm.call":
        return (operations.callee(op) or "").startswith("__nv_")
    if op.name == "llvm.call_intrinsic":
        return operations.is_computed(op)
    if op.name.startswith(("nvvm.wgmma", "nvvm.tcgen05", "nvvm.cp.", "nvvm.barrier")):
        return False
    return op.name.startswith("nvvm.") and not any(
        getattr(o.type, "name", "") == "llvm.ptr" for o in op.operands
    ) and bool(op.results)  # fmt: skip


def _size_and_flags(op: Operation, volatile_races: bool) -> tuple[int, int]:
    """Bytes and flags of an access; a volatile one is like a plain one if that `volatile_races`."""
    if op.name == "llvm.load":
        ordered = _ordered(op, volatile_races)
        return LAYOUT.store_size(op.results[0].type), _scope(op) if ordered else 0
    if op.name == "llvm.store":
        ordered = _ordered(op, volatile_races)
        return LAYOUT.store_size(op.operands[0].type), FLAG_WRITE | (_scope(op) if ordered else 0)
    flags = FLAG_WRITE | _scope(op) | (FLAG_MODIFY if needs_the_old(op) else 0)
    name = "ordering" if op.name == "llvm.atomicrmw" else "success_ordering"
    ordering = number(op.properties[name])
    if op.name == "llvm.cmpxchg":
        flags |= FLAG_COMPARES  # and so may not write, and release nothing
    elif ordering in RELEASING:
        flags |= FLAG_RELEASES
    flags |= FLAG_ACQUIRES if ordering in ACQUIRING else 0
    flags |= FLAG_USED if op.results[0].first_use is not None else 0
    return LAYOUT.store_size(op.operands[1].type), flags


def _ordered(op: Operation, volatile_races: bool) -> bool:
    """Whether a load or store orders others, or does not race with its like."""
    is_atomic = number(op.properties.get("ordering")) != 0
    return is_atomic or (operations.is_ordered(op) and not volatile_races)


def _scope(op: Operation) -> int:
    attr = op.properties.get("syncscope")
    return FLAG_ATOMIC | (0 if attr is None else SCOPES.get(text_of(attr), 0))


def _alignment(op: Operation, size: int) -> int:
    """The logarithm of the alignment that an access needs."""
    given = op.properties.get("alignment")
    if given is not None and op.name not in operations.ATOMICS:
        return number(given).bit_length() - 1
    return size.bit_length() - 1


def _may_spin(op: Operation) -> bool:
    if op.name in operations.ATOMICS:
        return op.results[0].first_use is not None
    return op.name == "llvm.load" and operations.is_ordered(op)
