# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Counters in workgroup memory that a region only adds to: each lane has a copy of its own.

    for all threads: llvm.atomicrmw add %table[%bin], %n     (nobody reads the result)
becomes
    copies[0 .. 4] = 0
    for all threads: copies[lane % 4][%bin] += %n            (atomic for every fourth lane)
    for all bins: table[bin] += copies[0][bin] + ... + copies[3][bin]

One thread of the machine runs a block, so nobody can see the difference: between two barriers the
table is used by nothing but such operations, of one kind.

Four neighbours in the code have different copies, so they need not wait for one another. Every
fourth operation stays atomic for the processor's sake: it lets no load pass it that may depend on a
store before. Without, the processor guesses which of many loads do, and starts over where it was
wrong. A million additions to 256 bins took 3.2 ms when all were atomic, 5.5 to 9 when none was
(with 1 to 8 copies), and 1.5 this way (medians of processor time, AMD EPYC with AVX-512).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.ir import Block, Operation, SSAValue

from xgpu.backend.llvm_ir.facts import ATOMIC_RMW, number, prop, text_of
from xgpu.host_device.compiler import claims
from xgpu.host_device.compiler.constants import integer_constant
from xgpu.host_device.compiler.types import I8, I64, alignment_of, plain, size_of, vector_of
from xgpu.host_device.compiler.vectors.emission import Builder, Emitted, Lanes
from xgpu.host_device.compiler.vectors.lanes import each_lane
from xgpu.host_device.compiler.vectors.regions import Segment
from xgpu.host_device.compiler.vectors.uniformity import Uniformity
from xgpu.host_device.sanitizer.instrument.screening_marks import is_check

if TYPE_CHECKING:
    from xdsl.dialects.builtin import SymbolRefAttr
    from xdsl.ir import Attribute


COPIES = 4
_MOST_BYTES = 4096
#: Kinds that begin with zero: the operation without its atomicity, and what adds up copies.
_OPERATIONS = {
    "add": "llvm.add", "sub": "llvm.sub", "or": "llvm.or", "xor": "llvm.xor",
    "umax": "llvm.intr.umax",
}  # fmt: skip
_TOTALS = _OPERATIONS | {"sub": "llvm.add"}
#: Operations that use memory, and which operand is the address.
_ACCESSES = {"llvm.load": 0, "llvm.atomicrmw": 0, "llvm.cmpxchg": 0, "llvm.store": 1}
_THROUGH = ("llvm.getelementptr", "llvm.addrspacecast")


class Table:
    """A variable, the operations of a region on it, and where the copies lie."""

    __slots__ = ("address", "alignment", "copies", "element", "kind", "properties", "size")

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

    def __init__(self, uniformity: Uniformity, sizes: dict[str, int], threads: int) -> None:
        self.u = uniformity
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
            if table is not None and self._pays(table, own):
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
            elif is_check(op):
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
    if kind not in _OPERATIONS or ty.name != "integer_type" or size % (size_of(ty) or 1):
        return None
    return Table(address, accesses, kind, size)


def clear(b: Builder, table: Table) -> None:
    """Zeros all copies, where a region begins."""
    from xdsl.dialects.builtin import IntegerAttr, i1

    if table.copies is None:
        table.copies = b.alloca(I8, table.size * COPIES)
    b.create(
        "llvm.intr.memset", (table.copies, b.integer(0, I8), b.integer(table.size * COPIES)), (),
        {"isVolatile": IntegerAttr(0, i1)},
    )  # fmt: skip


def add(
    b: Builder, table: Table, base: SSAValue, operands: list[Emitted], mask: SSAValue | None
) -> None:
    """An operation on the copies of its lanes. `base` is where the variable begins."""
    addresses = b.as_lanes(operands[0])
    places = b.value("llvm.ptrtoint", (addresses,), vector_of(I64, b.width))
    start = b.splat(b.value("llvm.ptrtoint", (base,), I64))
    copies = b.vector([lane % COPIES * table.size for lane in range(b.width)], I64)
    offsets = b.binary("add", b.binary("sub", places, start), copies)

    def one(lane: SSAValue, given: list[SSAValue]) -> list[SSAValue]:
        offset, value = given
        place = b.address(cast("SSAValue", table.copies), offset)
        number = integer_constant(lane)
        if number is None or number % COPIES == COPIES - 1:
            b.value("llvm.atomicrmw", (place, value), table.element, table.properties)
            return []
        old = b.load(place, table.element, table.alignment)
        new = b.value(_OPERATIONS[table.kind], (old, value), table.element)
        b.store(new, place, table.alignment)
        return []

    each_lane(b, mask, [Lanes(offsets), operands[1]], [], one, is_short=True)


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
