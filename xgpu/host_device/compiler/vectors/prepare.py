# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A kernel's control flow in the form that the analyses expect.

* One block returns. Ways that end in `llvm.unreachable` go there too: what makes them unreachable
  (a trap, a failed assertion) ends the kernel at run time.
* A barrier is the last operation of its block before a branch.
* Each loop has one latch, and a block of its own before its header.
* `llvm.switch` is a chain of `llvm.cond_br`.

Values of struct, array and vector type are `scalarize`'s.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import IntegerAttr, i1, i64
from xdsl.ir import Block, Operation, SSAValue

from xgpu.backend.llvm_ir.facts import number, prop, text_of
from xgpu.core import ods
from xgpu.core.ir.blocks import split_before
from xgpu.core.ir.construction import operations_of
from xgpu.core.ir.dominance import ControlFlowGraph, program_order
from xgpu.core.ir.elements import values_of
from xgpu.core.ir.region_flow import (
    case_sizes,
    predecessor_edges,
    segment_sizes,
    set_successor_operands,
    successor_operands,
)
from xgpu.dialects.llvm.attributes import ATOMIC_RMW
from xgpu.host_device.compiler import claims, operations
from xgpu.host_device.compiler.emission import (
    Builder,
    Emitted,
    Lanes,
    each_lane,
    lane_of,
    spilled,
)
from xgpu.host_device.compiler.operations import is_barrier
from xgpu.host_device.compiler.types import (
    I8,
    I32,
    I64,
    alignment_of,
    integer_constant,
    plain,
    size_of,
    vector_of,
)
from xgpu.host_device.compiler.vectors.live_across_barriers import Segment, find_leaders
from xgpu.host_device.compiler.vectors.memory import is_float_addition, minus_zeros
from xgpu.host_device.compiler.vectors.uniformity import Uniformity

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, IntegerType, SymbolRefAttr
    from xdsl.ir import Attribute, LocationAttr, Region


def prepare(function: Operation) -> None:
    """Brings the body of an `llvm.func` into that form."""
    region = function.regions[0]
    for block in list(region.blocks):
        last = block.last_op
        if last is not None and last.name == "llvm.switch":
            _expand_switch(last)
    _remove_unreachable(region)
    _unify_returns(region)
    for block in list(region.blocks):
        for op in operations_of(block):
            if is_barrier(op) and op.next_op is not None and not _ends(op.next_op):
                _end_block_after(op)
    _simplify_loops(region)
    for block in region.blocks:
        for op in operations_of(block):
            if op.name == "llvm.extractvalue":
                _move_to_producer(op)


def _move_to_producer(op: Operation) -> None:
    """Takes a member of a struct where the struct is made: no struct leaves its block."""
    producer = op.operands[0].owner
    if isinstance(producer, Block) or producer.parent is None or producer.parent is op.parent:
        return
    op.detach()
    producer.parent.insert_op_after(op, producer)


def _ends(op: Operation) -> bool:
    """Whether `op` is an unconditional branch without arguments."""
    return op.name == "llvm.br" and not op.operands


def _end_block_after(op: Operation) -> None:
    assert op.next_op is not None
    head, tail = split_before(op.next_op)
    append(head, "llvm.br", (), successors=(tail,), location=op.location)


def append(
    block: Block,
    name: str,
    operands: Sequence[SSAValue | Sequence[SSAValue]] = (),
    result_types: Sequence[Attribute] = (),
    properties: Mapping[str, Attribute] | None = None,
    successors: Sequence[Block] = (),
    location: LocationAttr | None = None,
) -> Operation:
    """Creates an operation at the end of `block`."""
    op = ods.create(
        name, operands, result_types, properties, successors=successors, location=location
    )
    block.add_op(op)
    return op


def _remove_unreachable(region: Region) -> None:
    kept = set(program_order(region))
    dead = [b for b in region.blocks if b not in kept]
    for block in dead:
        for op in operations_of(block):
            op.drop_all_references()
    for block in dead:
        region.detach_block(block)


def _unify_returns(region: Region) -> None:
    ends = [
        b.last_op for b in region.blocks
        if b.last_op is not None and b.last_op.name in ("llvm.return", "llvm.unreachable")
    ]  # fmt: skip
    if len(ends) == 1 and ends[0].name == "llvm.return":
        return
    last = Block()
    region.add_block(last)
    location = ends[0].location if ends else None
    append(last, "llvm.return", location=location)
    for op in ends:
        block = op.parent
        assert block is not None
        op.detach()
        op.erase()
        append(block, "llvm.br", successors=(last,), location=op.location)


def _expand_switch(op: Operation) -> None:
    """Compares with one case after the other."""
    cases_attr = op.properties.get("case_values")
    values = (
        [int(v) for v in values_of(cast("DenseIntOrFPElementsAttr", cases_attr))]
        if cases_attr is not None
        else []
    )
    condition = op.operands[0]
    block = cast("Block", op.parent)
    sizes = segment_sizes(op)
    default = list(op.operands[1 : 1 + sizes[1]])
    at = 1 + sizes[1]
    cases: list[list[SSAValue]] = []
    for size in case_sizes(op):
        cases.append(list(op.operands[at : at + size]))
        at += size
    targets = list(op.successors)
    location = op.location
    op.detach()
    op.erase()
    region = cast("Region", block.parent)
    for value, operands, target in zip(values, cases, targets[1:], strict=True):
        constant = append(
            block, "llvm.mlir.constant", (), (condition.type,),
            {"value": IntegerAttr(value, cast("IntegerType", condition.type))}, location=location,
        ).results[0]  # fmt: skip
        equal = append(
            block, "llvm.icmp", (condition, constant), (ods_i1(),),
            {"predicate": IntegerAttr(0, i64)}, location=location,
        ).results[0]  # fmt: skip
        following = Block()
        region.insert_block_after(following, block)
        append(
            block, "llvm.cond_br", (equal, operands, ()), successors=(target, following),
            location=location,
        )  # fmt: skip
        block = following
    append(block, "llvm.br", default, successors=(targets[0],), location=location)


def ods_i1() -> IntegerType:
    return i1


def _simplify_loops(region: Region) -> None:
    graph = ControlFlowGraph(region)
    if graph.irreducible is not None:
        return
    for loop in graph.loops:
        header = graph.blocks[loop.header]
        inside = {graph.blocks[b] for b in loop.blocks}
        edges = predecessor_edges(header)
        back = [e for e in edges if e[0].parent in inside]
        entering = [e for e in edges if e[0].parent not in inside]
        if len(back) > 1:
            _merge_edges(header, back, region.insert_block_before)
        if len(entering) != 1 or len(entering[0][0].successors) != 1:
            _merge_edges(header, entering, region.insert_block_before)


def separate_region_ends(function: Operation) -> None:
    """Gives each region between barriers one block at its end, and edges with operands that leave
    a branch between regions a block of their own (see `regions`)."""
    region = function.regions[0]
    graph = ControlFlowGraph(region)
    leaders, owner = find_leaders(graph)
    for leader in sorted(leaders):
        by_owner: dict[int, list[tuple[Operation, int]]] = {}
        for b, k in graph.edges_in[leader]:
            by_owner.setdefault(owner[b], []).append(
                (cast("Operation", graph.blocks[b].last_op), k)
            )
        for edges in by_owner.values():
            if len(edges) > 1:
                _merge_edges(graph.blocks[leader], edges, region.insert_block_before)
            elif len(edges[0][0].successors) > 1 and graph.blocks[leader].args:
                split_edge(*edges[0])


def _merge_edges(
    target: Block, edges: list[tuple[Operation, int]], insert: Callable[[Block, Block], None]
) -> Block:
    """A new block before `target` that these edges lead to, with the same arguments."""
    block = Block(arg_types=[a.type for a in target.args])
    for new, old in zip(block.args, target.args, strict=True):
        new.location = old.location
    insert(block, target)
    location = edges[0][0].location
    for op, index in edges:
        op.successors[index] = block
    append(block, "llvm.br", list(block.args), successors=(target,), location=location)
    return block


def split_edge(op: Operation, index: int) -> Block:
    """A new block on the edge `index` of the branch `op`; it passes the operands on."""
    target = op.successors[index]
    operands = successor_operands(op, index)
    assert operands is not None
    block = Block()
    region = target.parent
    assert region is not None
    region.insert_block_before(block, target)
    set_successor_operands(op, index, [])
    op.successors[index] = block
    append(block, "llvm.br", operands, successors=(target,), location=op.location)
    return block


# -- Counters in workgroup memory that a region only adds to: each lane has a copy of its own.
#
#     for all threads: llvm.atomicrmw add %table[%bin], %n     (the result is not read)
# becomes
#     copies[0 .. 4] = 0
#     for all threads: copies[lane % 4][%bin] += %n            (atomic for every fourth lane)
#     for all bins: table[bin] += copies[0][bin] + ... + copies[3][bin]
#
# One thread of the machine runs a block, so no thread can see the difference: between two barriers
# the table is used by nothing but such operations, of one kind.
#
# Four neighbours in the code have different copies, so they need not wait for one another. Every
# fourth operation stays atomic for the processor's sake: it lets no load pass it that may depend on
# a store before. Without, the processor guesses which of many loads do, and starts over where it
# was wrong. A million additions to 256 bins took 3.2 ms when all were atomic, 5.5 to 9 when none
# was (with 1 to 8 copies), and 1.5 this way (medians of processor time, AMD EPYC with AVX-512).
# What it learns of them is by their addresses in the code, so each is a loop over groups of four
# lanes: sixteen in a loop, for all lanes written out, took 1.5 ms, as loops 0.6.


COPIES = 4
_MOST_BYTES = 4096
#: Kinds of operations: the operation without its atomicity.
OPERATIONS = {
    "add": "llvm.add", "sub": "llvm.sub", "or": "llvm.or", "xor": "llvm.xor", "and": "llvm.and",
    "umax": "llvm.intr.umax", "umin": "llvm.intr.umin", "max": "llvm.intr.smax",
    "min": "llvm.intr.smin", "fadd": "llvm.fadd",
}  # fmt: skip
#: Kinds that begin with zero, and what adds up copies.
_ZERO_BASED = ("add", "sub", "or", "xor", "umax")
_TOTALS = OPERATIONS | {"sub": "llvm.add"}
#: Operations that use memory, and which operand is the address.
_ACCESSES = {"llvm.load": 0, "llvm.atomicrmw": 0, "llvm.cmpxchg": 0, "llvm.store": 1}
_THROUGH = ("llvm.getelementptr", "llvm.addrspacecast")


class Table:
    """A variable, the operations of a region on it, and where the copies lie."""

    __slots__ = (
        "address", "alignment", "copies", "element", "kind", "properties", "size",
    )  # fmt: skip

    def __init__(self, address: SSAValue, ops: list[Operation], kind: str, size: int) -> None:
        self.address = address
        self.element = plain(ops[0].results[0].type)
        #: What all its elements are multiples of, and the copies' are: a single operation may
        #: claim more of its own element.
        natural = alignment_of(self.element)
        self.alignment = min(natural, *(claims.of_access(op, self.element) for op in ops))
        #: Of an atomic operation on it.
        self.properties: dict[str, Attribute] = dict(ops[0].properties)
        if "alignment" in self.properties or self.alignment < natural:
            self.properties |= claims.aligned(self.alignment)
        self.kind = kind
        self.size = size
        self.copies: SSAValue | None = None


class PrivateTables:
    """Finds such variables, by the sizes of variables in workgroup memory."""

    def __init__(
        self, uniformity: Uniformity, sizes: dict[str, int], threads: int, is_relaxed: bool = False
    ) -> None:
        self.u = uniformity
        #: Whether additions of floats may change places.
        self.is_relaxed = is_relaxed
        self.threads = threads
        #: variable -> (an address of it, its bytes, all accesses)
        self._variables = self._find(sizes)

    def _find(self, sizes: dict[str, int]) -> dict[str, tuple[SSAValue, int, list[Operation]]]:
        found: dict[str, tuple[SSAValue, int, list[Operation]]] = {}
        escaped: set[str] = set()
        for block in self.u.graph.blocks:
            for op in block.ops:
                if op.name != "llvm.mlir.addressof":
                    continue
                reference = cast("SymbolRefAttr", op.properties["global_name"])
                name: str = reference.root_reference.data
                size = sizes.get(name, 0)
                accesses = _accesses(op.results[0]) if 0 < size <= _MOST_BYTES else None
                if accesses is None:
                    escaped.add(name)
                    continue
                _, _, known = found.setdefault(name, (op.results[0], size, []))
                known += accesses
        return {name: entry for name, entry in found.items() if name not in escaped}

    def of(self, segment: Segment) -> dict[Operation, Table]:
        """The operations of a region that go to copies."""
        found: dict[Operation, Table] = {}
        graph = self.u.graph
        for address, size, accesses in self._variables.values():
            own = [op for op in accesses if graph.number[op.parent] in segment.blocks]  # type: ignore[index]
            table = _table(address, size, own) if own else None
            if table is None or (table.kind == "fadd" and not self.is_relaxed):
                continue
            if self._pays(table, own):
                found.update(dict.fromkeys(own, table))
        return found

    def _pays(self, table: Table, operations: list[Operation]) -> bool:
        """Whether the additions of a region are worth a walk over the copies."""
        graph = self.u.graph
        rounds = sum(
            4 if any(True for _ in graph.loops_around(graph.number[op.parent])) else 1  # type: ignore[index]
            for op in operations
        )
        return table.size * COPIES // 64 <= rounds * self.threads


def _accesses(address: SSAValue) -> list[Operation] | None:
    """All accesses through an address; None if it goes anywhere else."""
    found: list[Operation] = []
    pending = [address]
    while pending:
        for use in pending.pop().uses:
            op = use.operation
            if op.name in _THROUGH and use.index == 0:
                pending += op.results
            elif _ACCESSES.get(op.name) == use.index:
                found.append(op)
            elif operations.is_screen_check(op):
                continue
            else:
                return None
    return found


def _table(address: SSAValue, size: int, accesses: list[Operation]) -> Table | None:
    kinds: set[tuple[str, Attribute]] = set()
    for op in accesses:
        if op.name != "llvm.atomicrmw" or op.results[0].first_use is not None:
            return None
        ty = op.results[0].type
        kinds.add((ATOMIC_RMW[number(prop(op, "bin_op"))], ty))
    ((kind, ty),) = kinds if len(kinds) == 1 else [("", I64)]
    is_counted = kind in _ZERO_BASED and ty.name == "integer_type"
    if not (is_counted or is_float_addition(accesses[0])) or size % (size_of(ty) or 1):
        return None
    return Table(address, accesses, kind, size)


def clear(b: Builder, table: Table) -> None:
    """Lets all copies hold what changes nothing, where a region begins."""
    if table.copies is None:
        table.copies = b.alloca(I8, table.size * COPIES)
    if table.kind == "fadd":
        _clear_floats(b, table)
        return
    b.create(
        "llvm.intr.memset", (table.copies, b.integer(0, I8), b.integer(table.size * COPIES)), (),
        {"isVolatile": IntegerAttr(0, i1)},
    )  # fmt: skip


def _clear_floats(b: Builder, table: Table) -> None:
    step = size_of(table.element) or 1
    lanes = 64 // step
    while table.size * COPIES % (lanes * step):
        lanes //= 2
    head, after = b.new_block([I64]), b.new_block()
    b.branch(head, [b.integer(0)])
    b.enter(head)
    place = b.address(cast("SSAValue", table.copies), head.args[0])
    b.store(minus_zeros(b, table.element, lanes), place, step)
    following = b.add(head.args[0], lanes * step)
    more = b.icmp("ult", following, table.size * COPIES)
    b.cond_branch(more, head, after, [following], [])
    b.enter(after)


def add(
    b: Builder, table: Table, base: SSAValue, operands: list[Emitted], mask: SSAValue | None
) -> None:
    """An operation on the copies of its lanes. `base` is where the variable begins."""
    addresses = b.as_lanes(operands[0])
    places = b.value("llvm.ptrtoint", (addresses,), vector_of(I64, b.width))
    start = b.splat(b.value("llvm.ptrtoint", (base,), I64))
    copies = b.constant_vector([lane % COPIES * table.size for lane in range(b.width)], I64)
    offsets = b.binary("add", b.binary("sub", places, start), copies)
    add_at(b, table, offsets, operands[1], mask)


def add_at(
    b: Builder, table: Table, offsets: SSAValue, value: Emitted, mask: SSAValue | None
) -> None:
    """An operation of lanes at such offsets from the first copy."""

    def one(lane: SSAValue, given: list[SSAValue]) -> list[SSAValue]:
        offset, operand = given
        place = b.address(cast("SSAValue", table.copies), offset)
        number = integer_constant(lane)
        if number is None or number % COPIES == COPIES - 1:
            b.value("llvm.atomicrmw", (place, operand), table.element, table.properties)
            return []
        old = b.load(place, table.element, table.alignment)
        new = b.value(OPERATIONS[table.kind], (old, operand), table.element)
        b.store(new, place, table.alignment)
        return []

    if mask is not None:
        each_lane(b, mask, [Lanes(offsets), value], [], one)
        return
    operands = [spilled(b, Lanes(offsets)), spilled(b, value)]
    head, after = b.new_block([I64]), b.new_block()
    b.branch(head, [b.integer(0)])
    b.enter(head)
    at = head.args[0]
    for lane in range(COPIES):
        number = b.add(at, lane)
        one(b.integer(lane, I32), [lane_of(b, operand, number) for operand in operands])
    following = b.add(at, COPIES)
    more = b.icmp("ult", following, b.width)
    branch = b.cond_branch(more, head, after, [following], [])
    branch.properties["loop_annotation"] = _not_unrolled()
    b.enter(after)


def _not_unrolled() -> Attribute:
    """What a loop says that LLVM is not to unroll."""
    loop, unroll = ods.attr_class("llvm.loop_annotation"), ods.attr_class("llvm.loop_unroll")
    disabled = unroll(IntegerAttr(1, i1), *([None] * 6))
    return loop(*([None] * 3), disabled, *([None] * 11))


def merge(b: Builder, table: Table, base: SSAValue) -> None:
    """Adds the copies to the variable, where a region ends."""
    bytes_each = size_of(table.element) or 1
    lanes = 16
    while table.size // bytes_each % lanes:
        lanes //= 2
    step = lanes * bytes_each
    ty = vector_of(table.element, lanes) if lanes > 1 else table.element
    head, after = b.new_block([I64]), b.new_block()
    b.branch(head, [b.integer(0)])
    b.enter(head)
    at = head.args[0]
    place = b.address(base, at)
    total = b.load(place, ty, table.alignment)
    for copy in range(COPIES):
        offset = b.add(at, copy * table.size)
        part = b.load(b.address(cast("SSAValue", table.copies), offset), ty, table.alignment)
        total = b.value(_TOTALS[table.kind], (total, part), ty)
    b.store(total, place, table.alignment)
    following = b.add(at, step)
    b.cond_branch(b.icmp("ult", following, table.size), head, after, [following], [])
    b.enter(after)


def variable_sizes(function: Operation) -> dict[str, int]:
    """The bytes of each variable in workgroup memory of a function's module."""
    module = function.parent_op()
    found: dict[str, int] = {}
    body: Block | None = module.regions[0].blocks.first if module is not None else None
    for op in body.ops if body is not None else ():
        if op.name == "llvm.mlir.global" and number(prop(op, "addr_space")) == 3:
            name = text_of(op.properties["sym_name"])
            found[name] = size_of(prop(op, "global_type")) or 0
    return found
