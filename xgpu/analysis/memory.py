# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which memory values stand for, and what operations read and write."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from xdsl.dialects.builtin import IntegerAttr, MemRefType, UnrankedMemRefType
from xdsl.ir import Attribute, Block, BlockArgument, Operation, SSAValue

from xgpu.core.ir.effects import effects, is_memory_effect_free
from xgpu.core.ir.op_info import traits_of

# -- What memory a value stands for: its root, found through views.
#
# A root is the value that an allocation, an attribution of workgroup memory or an argument is, or
# the name of a global. What cannot be followed (a choice between memrefs, one that a loop
# carries) has the root None, which may be any memory.
#
# Different arguments of a function are taken for different memory, as `__restrict__` says in
# CUDA: what a kernel reads by one pointer it does not write by another.


#: A value, the name of a global, or None for memory that is not known.
Root = SSAValue | str | None

_WORKGROUP, _PRIVATE = 3, 5
_VIEW_TRAITS = frozenset({"CastOpInterface", "ViewLikeOpInterface"})
#: Views of whose operands the first is not the only memref that they could stand for.
_NO_VIEWS = frozenset({"builtin.unrealized_conversion_cast"})
_ALLOCATIONS = frozenset(
    {"memref.alloc", "memref.alloca", "gpu.alloc", "gpu.dynamic_shared_memory"}
)
#: Operations that say where memory is, and read nothing, whatever their definitions state.
_DESCRIPTIONS = frozenset({"nvgpu.warpgroup.generate.descriptor"})
#: Operations whose block's arguments are memory of their own.
_OWNERS = frozenset({"gpu.launch", "gpu.func"})


def space_of(ty: Attribute) -> int | None:
    """The number of a memref's memory space: 3 for workgroup memory, None for the default."""
    space = ty.memory_space if isinstance(ty, MemRefType | UnrankedMemRefType) else None
    if isinstance(space, IntegerAttr):
        return space.value.data
    if space is None or space.name != "gpu.address_space":
        return None
    return {"workgroup": _WORKGROUP, "private": _PRIVATE}.get(str(getattr(space, "data", "")))


def is_workgroup(ty: Attribute) -> bool:
    return space_of(ty) == _WORKGROUP


def is_view(op: Operation) -> bool:
    """Whether the result of `op` is memory of its first operand."""
    if op.name == "memref.transpose":  # without the interface in MLIR
        return True
    return op.name not in _NO_VIEWS and bool(_VIEW_TRAITS & traits_of(op.name))


def root_of(value: SSAValue) -> Root:
    """The root of a memref."""
    owner = value.owner
    while isinstance(owner, Operation) and is_view(owner):
        value = owner.operands[0]
        owner = value.owner
    if isinstance(owner, Operation):
        if owner.name == "memref.get_global":
            return str(owner.properties["name"])
        return value if owner.name in _ALLOCATIONS else None
    return value if _is_memory_of_its_own(owner) else None


def _is_memory_of_its_own(block: Block) -> bool:
    parent = block.parent_op()
    if parent is None:
        return False
    return parent.name in _OWNERS or "FunctionOpInterface" in traits_of(parent.name)


def roots_behind(value: SSAValue) -> Iterator[Root]:
    """The roots of all memory that a number, a pointer or a descriptor was computed from."""
    pending, seen = [value], {value}
    while pending:
        current = pending.pop()
        if isinstance(current.type, MemRefType | UnrankedMemRefType):
            yield root_of(current)
            continue
        owner = current.owner
        if not isinstance(owner, Operation):
            continue
        if not is_memory_effect_free(owner) and owner.name not in _DESCRIPTIONS:
            continue
        for operand in owner.operands:
            if operand not in seen:
                seen.add(operand)
                pending.append(operand)


def _kind(root: Root) -> str:
    if isinstance(root, str):
        return "global"
    if root is None:
        return "unknown"
    return "argument" if isinstance(root, BlockArgument) else "allocation"


def may_alias(first: Root, second: Root) -> bool:
    """Whether two roots may be the same memory; see above for what is taken for granted."""
    if first is None or second is None:
        return True
    if isinstance(first, str) or isinstance(second, str):
        return first == second
    return first is second


def describe(root: Root) -> str:
    """A root in words, for messages."""
    if root is None:
        return "memory that is not known"
    if isinstance(root, str):
        return f"the global {root}" if root.startswith("@") else f"the global @{root}"
    return f"%{root.name_hint}" if root.name_hint else f"an {_kind(root)}"


# -- What an operation, with all that it contains, reads and writes, and by what means.
#
# The means says who does it and what has to be waited for: the thread itself ("thread"), its
# asynchronous copy ("cp.async"), the copy engine that fills workgroup memory ("bulk") or empties it
# ("bulk store"), the tensor cores by descriptor ("product", or "tensor product" where an mbarrier
# says that they are over).


#: What only orders or counts: no access of the memory that tiles lie in.
SYNCHRONIZATION = frozenset(
    {
        "gpu.barrier",
        "nvgpu.device_async_create_group",
        "nvgpu.device_async_wait",
        "nvgpu.mbarrier.arrive",
        "nvgpu.mbarrier.arrive.expect_tx",
        "nvgpu.mbarrier.arrive.nocomplete",
        "nvgpu.mbarrier.create",
        "nvgpu.mbarrier.get",
        "nvgpu.mbarrier.init",
        "nvgpu.mbarrier.test.wait",
        "nvgpu.mbarrier.try_wait.parity",
        "nvgpu.tma.fence.descriptor",
        "nvgpu.tma.prefetch.descriptor",
        "nvvm.bar.warp.sync",
        "nvvm.mapa",
        "nvvm.mbarrier.arrive",
        "nvvm.barrier",
        "nvvm.barrier0",
        "nvvm.cp.async.bulk.commit.group",
        "nvvm.cp.async.bulk.wait_group",
        "nvvm.cp.async.commit.group",
        "nvvm.cp.async.wait.group",
        "nvvm.elect.sync",
        "nvvm.fence.mbarrier.init",
        "nvvm.fence.proxy",
        "nvvm.prefetch",
        "nvvm.setmaxregister",
        "nvvm.tcgen05.commit",
        "nvvm.tcgen05.fence",
        "nvvm.wgmma.commit.group.sync.aligned",
        "nvvm.wgmma.fence.aligned",
        "nvvm.wgmma.wait.group.sync.aligned",
    }
)
#: Registers only, though their definitions state no effects or effects on nothing in particular.
_REGISTERS = frozenset(
    {
        "gpu.all_reduce",
        "gpu.printf",
        "gpu.shuffle",
        "gpu.subgroup_reduce",
        "nvgpu.mma.sync",
        "nvgpu.warpgroup.mma.init.accumulator",
        "nvvm.mma.sync",
        "nvvm.shfl.sync",
        "nvvm.vote.sync",
    }
)
#: What reads workgroup memory by descriptors; sums in tensor memory are no memory here.
PRODUCTS = {
    "nvgpu.warpgroup.mma": "product",
    "nvvm.wgmma.mma_async": "product",
    "nvvm.tcgen05.mma": "tensor product",
}
#: What a warp does by a pointer, its first operand, whose definition states no effects.
_BY_POINTER = {"nvvm.ldmatrix": "read", "nvvm.stmatrix": "write"}
ASYNCHRONOUS_READS = frozenset({"product", "tensor product", "bulk store"})
_MEANS = {
    ("nvgpu.device_async_copy", "write"): "cp.async",
    ("nvgpu.device_async_copy", "read"): "cp.async",
    ("nvgpu.tma.async.load", "write"): "bulk",
    ("nvgpu.tma.async.store", "read"): "bulk store",
    ("nvgpu.tma.async.store", "write"): "bulk store",
}


class Access(NamedTuple):
    """One access: the operation, "read" or "write", the root of the memory, and the means."""

    op: Operation
    kind: str
    root: Root
    means: str

    def conflicts(self, other: Access) -> bool:
        """Whether the order of the two matters."""
        return "write" in (self.kind, other.kind) and may_alias(self.root, other.root)


def accesses(op: Operation) -> Iterator[Access]:
    """Accesses of `op` and of what it contains, in the order of the program."""
    if op.name in SYNCHRONIZATION or op.name in _REGISTERS:
        return
    if op.name in PRODUCTS:
        for operand in op.operands:
            for root in roots_behind(operand):
                yield Access(op, "read", root, PRODUCTS[op.name])
        return
    if op.name in _BY_POINTER:
        for root in list(dict.fromkeys(roots_behind(op.operands[0]))) or [None]:
            yield Access(op, _BY_POINTER[op.name], root, "thread")
        return
    if op.regions and "RecursiveMemoryEffects" in traits_of(op.name):
        for region in op.regions:
            for block in region.blocks:
                for child in block.ops:
                    yield from accesses(child)
        return
    known = effects(op)
    if known is None:
        yield Access(op, "read", None, "thread")
        yield Access(op, "write", None, "thread")
        return
    for kind, value in known:
        means = _MEANS.get((op.name, kind), "thread")
        if kind in ("read", "write") and (value is not None or not _is_tied(op)):
            for root in _roots(value):
                yield Access(op, kind, root, means)


def _is_tied(op: Operation) -> bool:
    """Whether some effect of `op` names its memory: those that name none are of another kind (the
    order of instructions of a warp)."""
    return any(value is not None for _, value in effects(op) or ())


def _roots(value: SSAValue | None) -> list[Root]:
    if value is None:
        return [None]
    if isinstance(value.type, MemRefType | UnrankedMemRefType):
        return [root_of(value)]
    # A pointer: what it was computed from. A tensor map: memory of its own.
    return list(dict.fromkeys(roots_behind(value))) or [value]


# -- What operations of a loop's body need of that body: the part that has to go along with them.


#: Operations by which threads of one block differ; for a clock, by when they read it.
THREAD_IDS = frozenset(
    {"gpu.thread_id", "gpu.global_id", "gpu.lane_id", "gpu.subgroup_id", "nvvm.elect.sync"}
)
_THREAD_ID_PREFIXES = tuple(
    f"nvvm.read.ptx.sreg.{name}"
    for name in ("tid", "laneid", "lanemask", "warpid", "clock", "globaltimer")
)


def top_of(op: Operation | None, body: Block) -> Operation | None:
    """The operation directly in `body` that is or contains `op`; None for what is outside."""
    while op is not None and op.parent is not body:
        op = op.parent_op()
    return op


def operands_inside(op: Operation) -> Iterator[SSAValue]:
    """All values that `op` and what it contains use."""
    for inner in op.walk():
        yield from inner.operands


class Slice:
    """Operations of `body`, in its order, and arguments of its loop, that some need.

    `arguments` are indices of what the loop carries, without the induction variable.
    """

    __slots__ = ("arguments", "ops")

    def __init__(
        self,
        body: Block,
        needing: Iterable[Operation],
        results: Iterable[int] = (),
        given: Iterable[Operation] = (),
    ) -> None:
        """Of `needing`, operations directly in `body`, and of what the loop gives as `results`;
        what `given` operations give is there, and nothing that they need."""
        found = _Closure(body, set(given))
        roots = list(needing)
        for at in results:
            giving = found.needed(body.args[1 + at])
            roots += [] if giving is None else [giving]
        found.close(roots)
        self.arguments = sorted(found.arguments)
        order = {op: at for at, op in enumerate(body.ops)}
        self.ops = sorted(found.ops, key=order.__getitem__)


class _Closure:
    def __init__(self, body: Block, given: set[Operation]) -> None:
        self.body = body
        self.given = given
        self.ops: set[Operation] = set()
        self.arguments: set[int] = set()
        last = body.last_op
        self.yielded = [] if last is None else list(last.operands)

    def close(self, pending: list[Operation]) -> None:
        while pending:
            op = pending.pop()
            if op in self.ops:
                continue
            self.ops.add(op)
            for value in operands_inside(op):
                found = self.needed(value)
                if found is not None:
                    pending.append(found)

    def needed(self, value: SSAValue) -> Operation | None:
        """The operation of the body that `value` needs, through what the loop carries."""
        while isinstance(value, BlockArgument) and value.block is self.body:
            at = value.index - 1
            if at < 0 or at in self.arguments:
                return None
            self.arguments.add(at)
            value = self.yielded[at]
        owner = value.owner
        found = top_of(owner, self.body) if isinstance(owner, Operation) else None
        return None if found in self.given else found


def depends_on_thread(value: SSAValue) -> Operation | None:
    """An operation by which `value` may differ between the threads of a block, or None."""
    pending, seen = [value], {value}
    while pending:
        current = pending.pop()
        owner = current.owner
        if not isinstance(owner, Operation):
            parent = owner.parent_op()
            if parent is not None and parent.name == "gpu.launch" and _is_thread_argument(current):
                return parent
            continue
        if owner.name in THREAD_IDS or owner.name.startswith(_THREAD_ID_PREFIXES):
            return owner
        for operand in operands_inside(owner):
            if operand not in seen:
                seen.add(operand)
                pending.append(operand)
    return None


def _is_thread_argument(value: SSAValue) -> bool:
    """Arguments of a gpu.launch: three block numbers, three thread numbers, and the sizes."""
    return isinstance(value, BlockArgument) and value.index in (3, 4, 5)
