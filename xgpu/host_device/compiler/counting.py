# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels that count what they do, for profiles.

    ^loop:
      llvm.call @xgpu.count() {host.count = 3}
      %v = llvm.load %p {host.count = 3}

A mark at the beginning of each block of a kernel counts how many threads execute it, and how many
lanes the vectors have that execute it: two counters of a variable of the module. What a thread does
in a block is known from its operations (`BlockWork`). An access knows the mark of its block, so
that gathers and scatters can be counted by source line.

Loops that wait for memory have no marks: how often they go round says nothing of the kernel.
A function counts in variables of its own, which it adds to the module's when it returns.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple, cast

from xdsl.dialects.builtin import (
    AnyFloat,
    ArrayAttr,
    IntegerAttr,
    StringAttr,
    SymbolRefAttr,
    VectorType,
    i64,
)
from xdsl.ir import Block, Operation, Region

from xgpu.backend.llvm_ir.facts import number, prop, text_of
from xgpu.core import ods
from xgpu.core.ir.construction import erase_operation, nested_operations, operations_of
from xgpu.core.ir.dominance import ControlFlowGraph
from xgpu.core.ir.locations import source_location
from xgpu.dialects.llvm import builders as llvm
from xgpu.dialects.llvm.attributes import ATOMIC_RMW
from xgpu.dialects.llvm.builders import LLVMBuilder
from xgpu.dialects.llvm.types import LLVMArrayType, LLVMPointerType
from xgpu.host_device.compiler import operations
from xgpu.host_device.compiler.code import Unsupported, call_properties
from xgpu.host_device.compiler.operations import MARK
from xgpu.host_device.compiler.operations import MARK_NUMBER as NUMBER
from xgpu.host_device.compiler.spin_waits import spins
from xgpu.host_device.compiler.types import I64, POINTER, size_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from xdsl.ir import Attribute, SSAValue

    from xgpu.host_device.compiler.code import Code
    from xgpu.host_device.compiler.emission import Builder

#: The variable with two words for each mark: threads that executed it, and lanes of the vectors.
COUNTERS = "xgpu_counters"
#: On a function of vectors: the accesses that are gathers and scatters.
GATHERS = "host.gathers"

_SHARED, _LOCAL = 3, 5  # address spaces
_MONOTONIC = 2  # an ordering of atomic operations


class BlockWork(NamedTuple):
    """What a thread does that executes a block once."""

    #: The function that it is in.
    function: str
    #: All operations but constants, hints and branches.
    operations: int
    #: Operations on floats of at most 32 bits, and on those of 64.
    floats: int
    doubles: int
    #: Bytes read and written in global memory, and both in workgroup memory.
    loaded: int
    stored: int
    shared: int


class Gather(NamedTuple):
    """An access of vectors whose lanes go to places of their own: the mark of its block, `gather`
    or `scatter`, and its `file:line:column`."""

    mark: int
    kind: str
    location: str


# -- Marks


def mark_module(module: Operation) -> list[BlockWork]:
    """Changes a kernel module in place; what a thread does at each mark, by its number."""
    from xgpu.host_device.compiler.ptx.raise_assembly import raise_assembly

    found: list[BlockWork] = []
    top = module.regions[0].blocks[0]
    for function in operations_of(top):
        if function.name != "llvm.func" or not function.regions[0].blocks:
            continue
        try:
            raise_assembly(function)
        except Unsupported:  # it is the same without marks
            continue
        _mark_function(function, found)
    if found:
        top.insert_op_before(_counters(len(found)), cast("Operation", top.first_op))
    return found


def _mark_function(function: Operation, found: list[BlockWork]) -> None:
    graph = ControlFlowGraph(function.regions[0])
    waits = {graph.blocks[b] for loop, _ in spins(graph) for b in loop.blocks}
    name = text_of(function.properties["sym_name"])
    for block in graph.blocks:
        work = _work(name, block.ops)
        if block in waits or not work.operations:
            continue
        number = IntegerAttr(len(found), i64)
        for op in block.ops:
            if op.name in ("llvm.load", "llvm.store"):
                op.attributes[NUMBER] = number
        first = cast("Operation", block.first_op)
        mark = ods.create(
            "llvm.call", (), (), call_properties(MARK, ()), {NUMBER: number},
            location=first.location,
        )  # fmt: skip
        block.insert_op_before(mark, first)
        found.append(work)


def _counters(marks: int) -> Operation:
    ty = LLVMArrayType(2 * marks, I64)
    zero = ods.create("llvm.mlir.zero", (), (ty,))
    value = Block([zero, ods.create("llvm.return", zero.results)])
    properties: dict[str, Attribute] = {
        "sym_name": StringAttr(COUNTERS), "global_type": ty,
        "linkage": ods.attr_class("llvm.linkage")("external"),
    }  # fmt: skip
    return ods.create("llvm.mlir.global", (), (), properties, regions=[Region(value)])


# -- What a thread does


#: Beginnings of what follows `llvm.intr.`, `nvvm.` or `__nv_` in names of functions of floats.
_ELEMENTARY = re.compile(
    r"(?:llvm\.intr\.|llvm\.nvvm\.|nvvm\.|__nv_)(?:f?(?:a?sin|a?cos|a?tan)h?|tan|exp|ex2|log|lg2|pow|"
    r"sqrt|rsqrt|rcp|cbrt|hypot|erf|[lt]gamma|fast_|add[._]?[rf]|sub[._]?[rf]|mul[._]?r|div[._])"
)
_FUSED = re.compile(r"(?:llvm\.intr\.|llvm\.nvvm\.|nvvm\.|__nv_)(?:fma|fmuladd)")
_ARITHMETIC = frozenset(f"llvm.{name}" for name in ("fadd", "fsub", "fmul", "fdiv", "frem"))
_NOTHING = operations.CONSTANTS | operations.TERMINATORS | operations.HINTS


def _work(function: str, ops: Iterable[Operation]) -> BlockWork:
    count = floats = doubles = loaded = stored = shared = 0
    for op in ops:
        if op.name in _NOTHING:
            continue
        count += 1
        computed, is_double = _floats(op)
        doubles += computed * is_double
        floats += computed * (not is_double)
        for address, size, is_read, is_written in _accesses(op):
            space = _space(address)
            if space == _SHARED:
                shared += size * (is_read + is_written)
            elif space != _LOCAL:
                loaded += size * is_read
                stored += size * is_written
    return BlockWork(function, count, floats, doubles, loaded, stored, shared)


def _floats(op: Operation) -> tuple[int, bool]:
    """Operations on floats that `op` stands for, and whether they have 64 bits."""
    if op.name == "llvm.atomicrmw":
        ty = op.operands[1].type
        is_sum = ATOMIC_RMW[number(prop(op, "bin_op"))] in ("fadd", "fsub")
        return _elements(ty) * is_sum, _is_double(ty)
    if op.name in ("nvvm.mma.sync", "nvvm.wmma.mma"):
        return _matrix_floats(op), False
    if not op.results:
        return 0, False
    ty = op.results[0].type
    name = op.name
    if name == "llvm.call":
        name = operations.callee(op) or ""
    elif name == "llvm.call_intrinsic":
        name = text_of(op.properties["intrin"])
    if _element(ty) is None:
        return 0, False
    if _FUSED.match(name):
        return 2 * _elements(ty), _is_double(ty)
    is_computed = name in _ARITHMETIC or _ELEMENTARY.match(name) is not None
    return _elements(ty) * is_computed, _is_double(ty)


def _element(ty: Attribute) -> Attribute | None:
    """The type of the floats of a value, None for another one."""
    if isinstance(ty, VectorType):
        ty = ty.element_type
    return ty if isinstance(ty, AnyFloat) else None


def _is_double(ty: Attribute) -> bool:
    element = _element(ty)
    return element is not None and element.name == "f64"


def _elements(ty: Attribute) -> int:
    return ty.element_count() if isinstance(ty, VectorType) else 1


def _matrix_floats(op: Operation) -> int:
    """A lane's part of the multiplications and additions of a product of matrices."""
    sizes = re.findall(r"\b[mnk] ?= ?(\d+)", str(op.properties.get("shape", "")))
    if not sizes:
        sizes = [str(number(prop(op, name))) for name in "mnk" if name in op.properties]
    if len(sizes) != 3:
        return 0
    m, n, k = map(int, sizes)
    return 2 * m * n * k // 32


def _accesses(op: Operation) -> list[tuple[SSAValue, int, bool, bool]]:
    """Addresses that `op` uses, bytes, and whether it reads and writes them."""
    if op.name == "llvm.load":
        return [(op.operands[0], size_of(op.results[0].type) or 0, True, False)]
    if op.name == "llvm.store":
        return [(op.operands[1], size_of(op.operands[0].type) or 0, False, True)]
    if op.name in operations.ATOMICS:
        return [(op.operands[0], size_of(op.operands[1].type) or 0, True, True)]
    if op.name == "nvvm.cp.async.shared.global":
        size = number(prop(op, "size"))
        return [(op.operands[1], size, True, False), (op.operands[0], size, False, True)]
    return []


_THROUGH = ("llvm.getelementptr", "llvm.addrspacecast", "llvm.bitcast")


def _space(address: SSAValue) -> int:
    """The address space that an address points to, 0 where that is not known."""
    while True:
        ty, owner = address.type, address.owner
        if isinstance(ty, LLVMPointerType) and ty.data:
            return ty.data
        if isinstance(owner, Block):
            return 0
        if owner.name == "llvm.alloca":
            return _LOCAL
        if owner.name not in _THROUGH:
            return 0
        address = owner.operands[0]


# -- Code for marks


#: Of an `llvm.atomicrmw`.
_ADD: dict[str, Attribute] = {
    "bin_op": IntegerAttr(ATOMIC_RMW.index("add"), i64), "ordering": IntegerAttr(_MONOTONIC, i64),
}  # fmt: skip


def add_to_counters(b: Code | Builder, mark: Operation, lanes: SSAValue, whole: SSAValue) -> None:
    """At a mark: `lanes` threads execute it, in vectors of `whole` lanes; both are of 64 bits."""
    at = 2 * number(mark.attributes[NUMBER])
    for word, amount in ((at, lanes), (at + 1, whole)):
        op = b.create("llvm.atomicrmw", (_counter(b, word), amount), (I64,), _ADD)
        op.attributes[NUMBER] = IntegerAttr(word, i64)


def _counter(b: Code | Builder, word: int) -> SSAValue:
    name = {"global_name": SymbolRefAttr(COUNTERS)}
    base = b.once(COUNTERS, "llvm.mlir.addressof", POINTER, name)
    return b.address(base, 8 * word)


def count_in_functions(module: Operation) -> None:
    """Lets functions of the host count in variables of their own, which LLVM keeps in registers.
    Those that wait go on where they were, maybe in another thread: they stay as they are."""
    for function in operations_of(module.regions[0].blocks[0]):
        if function.name == "llvm.func" and function.regions[0].blocks:
            found = list(nested_operations(function))
            if not any(op.name.startswith("llvm.intr.coro.") for op in found):
                _count_in_function(function, found)


def _count_in_function(function: Operation, found: list[Operation]) -> None:
    adding = [op for op in found if op.name == "llvm.atomicrmw" and NUMBER in op.attributes]
    first = function.regions[0].blocks[0]
    words = dict.fromkeys(number(op.attributes[NUMBER]) for op in adding)
    if not words:
        return
    b = LLVMBuilder()
    b.before(cast("Operation", first.first_op))
    one, zero = llvm.constant(b, 1, I64), llvm.constant(b, 0, I64)
    places = {word: llvm.alloca(b, one, I64) for word in words}
    for place in places.values():
        llvm.store(b, zero, place)
    for op in adding:
        b.before(op)
        place = places[number(op.attributes[NUMBER])]
        llvm.store(b, llvm.binary(b, "add", llvm.load(b, place, I64), op.operands[1]), place)
        erase_operation(op)
    for op in found:
        if op.name == "llvm.return":
            _give_back(op, places)


def _give_back(end: Operation, places: dict[int, SSAValue]) -> None:
    """What a function has counted, to the variable of the module."""
    b = LLVMBuilder()
    b.before(end)
    base = b.value(
        "llvm.mlir.addressof", (), POINTER, {"global_name": SymbolRefAttr(COUNTERS)}
    )  # fmt: skip
    for word, place in places.items():
        counter = llvm.gep(b, base, I64, [word])
        b.create("llvm.atomicrmw", (counter, llvm.load(b, place, I64)), (I64,), _ADD)


# -- Gathers and scatters


def gathers_of(function: Operation) -> list[Gather]:
    """Those that a function of vectors says that it has."""
    texts = cast("ArrayAttr[StringAttr] | None", function.attributes.get(GATHERS))
    parts = [text.data.split(" ", 2) for text in texts.data] if texts is not None else []
    return [Gather(int(mark), kind, location) for mark, kind, location in parts]


def say_gathers(function: Operation, found: Iterable[Gather]) -> None:
    """What `gathers_of` will find."""
    texts = [StringAttr(f"{g.mark} {g.kind} {g.location}") for g in dict.fromkeys(found)]
    if texts:
        function.attributes[GATHERS] = ArrayAttr(texts)


def gather_of(op: Operation) -> Gather:
    """An access in a marked block, whose lanes go to places of their own."""
    place = source_location(op.location)
    kind = "gather" if op.name == "llvm.load" else "scatter"
    where = "" if place is None else ":".join(map(str, place))
    return Gather(number(op.attributes[NUMBER]), kind, where)
