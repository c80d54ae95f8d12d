# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Structs, arrays and vectors of a thread as their elements, each a value of its own.

    %d = llvm.insertvalue %p, %0[1] : !llvm.struct<(ptr, ptr)>        ->  %p
    %q = llvm.extractvalue %d[1] : !llvm.struct<(ptr, ptr)>               (uses of %q are of %p)
    %v = llvm.load %a : !llvm.ptr -> vector<2xf32>                    ->  two loads of f32
    %w = llvm.fadd %v, %v : vector<2xf32>                             ->  two additions

So vectors of threads hold scalars only, and each element has a shape of its own. An operation that
needs an aggregate as a whole (a shuffle's result is one) keeps it; taking it apart stays too.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Never, cast

from xdsl.dialects.builtin import (
    DenseArrayBase,
    IntegerAttr,
    IntegerType,
    UnitAttr,
    VectorType,
    i1,
    i32,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue

from xgpu.backend.llvm_ir.facts import integers, prop
from xgpu.core import ods
from xgpu.core.ir.construction import nested_operations, operations_of
from xgpu.core.ir.dominance import ControlFlowGraph, program_order
from xgpu.core.ir.region_flow import set_successor_operands, successor_operands
from xgpu.dialects.llvm.types import LLVMArrayType, LLVMStructType
from xgpu.host_device.compiler import claims, operations
from xgpu.host_device.compiler.code import NoRegions
from xgpu.host_device.compiler.operations import is_ordered
from xgpu.host_device.compiler.types import I8, bits, gep_strides, member_offset, plain, size_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from xdsl.dialects.builtin import DenseIntOrFPElementsAttr

    from xgpu.dialects import llvm


# -- Structs, arrays and vectors of a thread: which scalars they have, and where those lie.


_MOST_ELEMENTS = 512


def is_aggregate(ty: Attribute) -> bool:
    return ty.name in ("llvm.struct", "llvm.array", "vector")


def elements(ty: Attribute) -> list[tuple[tuple[int, ...], Attribute]]:
    """The scalars in a type: position, and type."""
    if isinstance(ty, LLVMStructType):
        inner = list(enumerate(ty.body))
    elif isinstance(ty, LLVMArrayType):
        inner = [(i, ty.element_type) for i in range(ty.size)]
    elif isinstance(ty, VectorType):
        if len(ty.shape.data) != 1:
            raise NoRegions(f"a value has type {ty}", None)
        inner = [(i, ty.element_type) for i in range(ty.get_shape()[0])]
    else:
        return [((), ty)]
    found = [((i, *at), t) for i, member in inner for at, t in elements(member)]
    if len(found) > _MOST_ELEMENTS:
        raise NoRegions(f"a value has more than {_MOST_ELEMENTS} elements", None)
    return found


def offset_of(ty: Attribute, position: tuple[int, ...]) -> int:
    """Where an element lies in memory, in bytes."""
    total = 0
    for index in position:
        if isinstance(ty, LLVMStructType):
            at = member_offset(ty, index)
            inner = ty.body[index]
        else:
            inner = cast("LLVMArrayType | VectorType", ty).element_type
            size = size_of(inner)
            at = None if size is None else index * size
        if at is None:
            raise NoRegions(f"a value has type {ty}", None)
        total += at
        ty = inner
    return total


# -- Private memory as values, where it is read and written at known places only.
#
#     %m = llvm.alloca 1 x array<2 x i64>                  ->  (nothing)
#     llvm.store %a, %m
#     %p = llvm.getelementptr %m[0, 1]; llvm.store %b, %p
#     %v = llvm.load %m                                    ->  uses of %v are of %a
#
# A lowering leaves such memory behind for what it chose by number (`memref.dim`), and front ends
# for every variable. As memory, its content would differ in every lane. Block arguments stand where
# ways meet that stored different values (dominance frontiers, pruned where nothing reads any more).


#: On a function that may read memory of its own before it has written to it.
UNWRITTEN = "host.unwritten"


class _Slot:
    """A scalar at a known place in an allocation."""

    __slots__ = ("loads", "size", "stores", "type")

    def __init__(self, ty: Attribute, size: int) -> None:
        self.type = ty
        self.size = size
        self.loads: list[Operation] = []
        self.stores: list[Operation] = []


def promote(function: Operation) -> None:
    """Changes a function in place; it gets the attribute `UNWRITTEN` where a way leads to a load of
    what nothing has stored."""
    allocas = [op for op in nested_operations(function) if op.name == "llvm.alloca"]
    if not allocas:
        return
    graph = ControlFlowGraph(function.regions[0])
    frontiers = graph.frontiers()
    children = graph.children()
    for op in allocas:
        found = _slots(op)
        if found is None:
            continue
        slots, addresses = found
        for slot in slots.values():
            if _promote(graph, frontiers, children, slot):
                function.attributes[UNWRITTEN] = UnitAttr()
        for address in reversed(addresses):
            _erase(address)


def _slots(alloca: Operation) -> tuple[dict[int, _Slot], list[Operation]] | None:
    """The scalars of an allocation by offset, and all addresses; None if some use is another."""
    slots: dict[int, _Slot] = {}
    addresses = [alloca]
    pending: list[tuple[SSAValue, int]] = [(alloca.results[0], 0)]
    while pending:
        address, at = pending.pop()
        for use in address.uses:
            op = use.operation
            if op.name == "llvm.getelementptr" and len(op.operands) == 1:
                strides = gep_strides(op)
                if strides is None:
                    return None
                addresses.append(op)
                pending.append((op.results[0], at + strides[0]))
            elif op.name == "llvm.addrspacecast":
                addresses.append(op)
                pending.append((op.results[0], at))
            elif not _access(op, use.index, at, slots):
                return None
    places = sorted(slots)
    for here, following in pairwise(places):
        if here + slots[here].size > following:
            return None
    return slots, addresses


def _access(op: Operation, index: int, at: int, slots: dict[int, _Slot]) -> bool:
    """Notes a load or store of a slot. Whether it is one."""
    if op.name == "llvm.load":
        ty = op.results[0].type
    elif op.name == "llvm.store" and index == 1:
        ty = op.operands[0].type
    else:
        return False
    size = size_of(ty)
    if is_ordered(op) or size is None or ty.name in ("llvm.struct", "llvm.array", "vector"):
        return False
    slot = slots.setdefault(at, _Slot(ty, size))
    if slot.type != ty:
        return False
    (slot.loads if op.name == "llvm.load" else slot.stores).append(op)
    return True


def _erase(op: Operation) -> None:
    op.detach()
    op.erase()


def _promote(
    graph: ControlFlowGraph, frontiers: list[set[int]], children: list[list[int]], slot: _Slot
) -> bool:
    """Whether there is a load of what nothing has stored."""
    number = graph.number
    writers = {number[b] for op in slot.stores if (b := op.parent) is not None and b in number}
    joins = _joins(writers, frontiers) & _live_in(graph, slot, writers)
    arguments: dict[int, SSAValue] = {}
    for b in sorted(joins):
        block = graph.blocks[b]
        arguments[b] = block.insert_arg(plain(slot.type), len(block.args))
    return _rename(graph, children, slot, arguments)


def _joins(writers: set[int], frontiers: list[set[int]]) -> set[int]:
    found: set[int] = set()
    stack = list(writers)
    while stack:
        for b in frontiers[stack.pop()]:
            if b not in found:
                found.add(b)
                stack.append(b)
    return found


def _live_in(graph: ControlFlowGraph, slot: _Slot, writers: set[int]) -> set[int]:
    """Blocks at whose beginning the content is read later."""
    accesses = {id(op): op for op in (*slot.loads, *slot.stores)}
    live: set[int] = set()
    for block in {op.parent for op in slot.loads}:
        if block is None or block not in graph.number:
            continue
        first = next(op for op in block.ops if id(op) in accesses)
        if first.name == "llvm.load":
            live.add(graph.number[block])
    stack = list(live)
    while stack:
        for p, _ in graph.edges_in[stack.pop()]:
            if p not in live and p not in writers:
                live.add(p)
                stack.append(p)
    return live


def _rename(
    graph: ControlFlowGraph, children: list[list[int]], slot: _Slot, arguments: dict[int, SSAValue]
) -> bool:
    accesses = {id(op) for op in (*slot.loads, *slot.stores)}
    value: SSAValue
    ty = plain(slot.type)
    nothing = ods.create("llvm.mlir.poison", (), (ty,))
    entry = graph.blocks[0]
    first = entry.first_op
    assert first is not None
    entry.insert_op_before(nothing, first)
    stack: list[tuple[int, SSAValue]] = [(0, nothing.results[0])]
    while stack:
        b, value = stack.pop()
        if b in arguments:
            value = arguments[b]
        block = graph.blocks[b]
        for op in list(block.ops):
            if id(op) not in accesses:
                continue
            if op.name == "llvm.store":
                value = op.operands[0]
            else:
                op.results[0].replace_all_uses_with(value)
            _erase(op)
        _pass_on(graph, b, value, arguments)
        stack += [(c, value) for c in children[b]]
    if nothing.results[0].first_use is not None:
        return True
    _erase(nothing)
    return False


def _pass_on(
    graph: ControlFlowGraph, b: int, value: SSAValue, arguments: dict[int, SSAValue]
) -> None:
    last = cast("Operation", graph.blocks[b].last_op)
    for k, target in enumerate(graph.successors[b]):
        if target in arguments:
            given = successor_operands(last, k) or []
            set_successor_operands(last, k, [*given, value])


_KEPT = ("llvm.cmpxchg", "nvvm.shfl.sync", "nvvm.match.sync")


class Scalarize:
    """Changes a function in place. Raises `NoRegions` at what it cannot take apart."""

    def __init__(self, function: Operation) -> None:
        self.region = function.regions[0]
        self.parts: dict[SSAValue, list[SSAValue]] = {}
        self.dead: list[Operation] = []

    def run(self) -> None:
        blocks = program_order(self.region)
        if not self._is_needed(blocks):
            return
        for number, block in enumerate(blocks):
            if number:
                self._split_arguments(block)
        for block in blocks:
            for op in operations_of(block):
                self._visit(op)
        for block in blocks:
            self._split_operands(block)
        for op in reversed(self.dead):
            op.detach()
            op.erase()
        for block in blocks:
            for argument in reversed(list(block.args)):
                if argument in self.parts:
                    block.erase_arg(argument)

    @staticmethod
    def _is_needed(blocks: list[Block]) -> bool:
        return any(
            is_aggregate(v.type)
            for block in blocks for op in block.ops for v in (*op.operands, *op.results)
        )  # fmt: skip

    # -- block arguments

    def _split_arguments(self, block: Block) -> None:
        for argument in list(block.args):
            if is_aggregate(argument.type):
                self.parts[argument] = [
                    block.insert_arg(plain(ty), len(block.args), argument.location)
                    for _, ty in elements(argument.type)
                ]

    def _split_operands(self, block: Block) -> None:
        """Branches pass the elements, at the end of what they pass."""
        last = cast("Operation", block.last_op)
        for index, target in enumerate(last.successors):
            given = successor_operands(last, index) or []
            if not any(is_aggregate(v.type) for v in given):
                continue
            whole = [v for v in given if not is_aggregate(v.type)]
            extra = [p for v in given if is_aggregate(v.type) for p in self._of(v, last)]
            if len(whole) + len(extra) + sum(is_aggregate(a.type) for a in target.args) != len(
                target.args
            ):
                raise NoRegions("a branch passes an aggregate", last)
            set_successor_operands(last, index, [*whole, *extra])

    # -- operations

    def _of(self, value: SSAValue, at: Operation) -> list[SSAValue]:
        found = self.parts.get(value)
        if found is None:
            owner = value.owner
            raise NoRegions(
                f"a value of type {value.type} is used as a whole",
                owner if not isinstance(owner, Block) else at,
            )
        return found

    def _visit(self, op: Operation) -> None:
        types = [v.type for v in (*op.operands, *op.results)]
        if not any(is_aggregate(t) for t in types) or op.name in operations.TERMINATORS:
            return
        if op.name in _KEPT:
            return
        if op.name == "llvm.extractvalue" and op.operands[0] not in self.parts:
            return  # of what is kept
        handler = _HANDLERS.get(op.name)
        if handler is not None:
            handler(self, cast("Never", op))
        elif op.name in operations.ELEMENTWISE or op.name in _UNDEFINED:
            self._each(op)
        else:
            raise NoRegions(f"'{op.name}' has a value of type {_aggregate(types)}", op)

    def _create(
        self,
        op: Operation,
        name: str,
        operands: Sequence[SSAValue],
        ty: Attribute | None,
        properties: Mapping[str, Attribute] | None = None,
    ) -> SSAValue:
        new = ods.create(
            name, operands, () if ty is None else (ty,), properties, location=op.location
        )
        cast("Block", op.parent).insert_op_before(new, op)
        return cast("SSAValue", new.results[0] if ty is not None else op)

    def _become(self, op: Operation, parts: list[SSAValue]) -> None:
        self.parts[op.results[0]] = parts
        self.dead.append(op)

    def _replace(self, op: Operation, value: SSAValue) -> None:
        op.results[0].replace_all_uses_with(value)
        self.dead.append(op)

    def _each(self, op: Operation) -> None:
        """The same operation for each element."""
        result = op.results[0].type
        if not is_aggregate(result):
            if op.name == "llvm.bitcast" and op.operands[0].type.name == "vector":
                self._packed(op)
                return
            raise NoRegions(f"'{op.name}' takes an aggregate as a whole", op)
        if op.name == "llvm.bitcast":
            self._recast(op)
            return
        given = [self._of(o, op) if is_aggregate(o.type) else None for o in op.operands]
        parts: list[SSAValue] = []
        for index, (_, ty) in enumerate(elements(result)):
            operands = [
                o if g is None else g[index] for o, g in zip(op.operands, given, strict=True)
            ]
            parts.append(self._create(op, op.name, operands, plain(ty), dict(op.properties)))
        self._become(op, parts)

    def _recast(self, op: Operation) -> None:
        """A cast between vectors: element for element where they are of one width."""
        source, target = op.operands[0].type, op.results[0].type
        to = elements(target)
        if is_aggregate(source) and len(elements(source)) == len(to):
            parts = [
                self._create(op, "llvm.bitcast", (p,), plain(ty))
                for p, (_, ty) in zip(self._of(op.operands[0], op), to, strict=True)
            ]
            self._become(op, parts)
            return
        whole = op.operands[0]
        if is_aggregate(source):
            whole = self._whole(op, self._of(whole, op), elements(source)[0][1], len(to))
            if whole is None:
                raise NoRegions(f"'{op.name}' from {source} to {target}", op)
        self._become(op, self._split(op, whole, [ty for _, ty in to]))

    def _packed(self, op: Operation) -> None:
        source = op.operands[0].type
        whole = self._whole(op, self._of(op.operands[0], op), elements(source)[0][1], 0)
        if whole is None:
            raise NoRegions(f"'{op.name}' from {source}", op)
        self._replace(op, self._create(op, "llvm.bitcast", (whole,), op.results[0].type)
                      if whole.type != op.results[0].type else whole)  # fmt: skip

    def _whole(
        self, op: Operation, parts: list[SSAValue], ty: Attribute, _: int
    ) -> SSAValue | None:
        """Elements side by side in one integer, the first lowest; None if it is too wide."""
        width = bits(ty)
        if width is None or width * len(parts) > 64:
            return None
        whole = IntegerType(width * len(parts))
        total: SSAValue | None = None
        for index, part in enumerate(parts):
            raw = part if ty.name == "integer_type" else self._create(
                op, "llvm.bitcast", (part,), IntegerType(width)
            )  # fmt: skip
            wide = self._create(op, "llvm.zext", (raw,), whole) if len(parts) > 1 else raw
            if index:
                by = self._create(
                    op, "llvm.mlir.constant", (), whole,
                    {"value": IntegerAttr(index * width, whole)},
                )  # fmt: skip
                wide = self._create(op, "llvm.shl", (wide, by), whole)
                assert total is not None
                wide = self._create(op, "llvm.or", (total, wide), whole)
            total = wide
        return total

    def _split(self, op: Operation, whole: SSAValue, types: list[Attribute]) -> list[SSAValue]:
        ty = whole.type
        if not isinstance(ty, IntegerType):
            width = bits(ty)
            if width is None:
                raise NoRegions(f"'{op.name}' from {ty}", op)
            whole = self._create(op, "llvm.bitcast", (whole,), IntegerType(width))
            ty = whole.type
        parts: list[SSAValue] = []
        for index, element in enumerate(types):
            width = bits(element)
            assert width is not None
            by = self._create(
                op,
                "llvm.mlir.constant",
                (),
                ty,
                {"value": IntegerAttr(index * width, cast("IntegerType", ty))},
            )
            moved = self._create(op, "llvm.lshr", (whole, by), ty)
            low = self._create(op, "llvm.trunc", (moved,), IntegerType(width))
            if element.name != "integer_type":
                low = self._create(op, "llvm.bitcast", (low,), plain(element))
            parts.append(low)
        return parts

    # -- making and taking apart

    def _constant(self, op: Operation) -> None:
        value = cast("DenseIntOrFPElementsAttr", prop(op, "value"))
        types = elements(op.results[0].type)
        try:
            has_list = hasattr(value, "get_attrs")
            numbers = list(value.get_attrs() if has_list else value.iter_attrs())
        except (AttributeError, NotImplementedError):
            raise NoRegions("a constant has an aggregate type", op) from None
        if len(numbers) == 1:
            numbers *= len(types)
        parts = [
            self._create(op, "llvm.mlir.constant", (), ty, {"value": n})
            for n, (_, ty) in zip(numbers, types, strict=True)
        ]
        self._become(op, parts)

    def _insert_value(self, op: Operation) -> None:
        ty = op.results[0].type
        position = tuple(integers(op.properties["position"]))
        parts = list(self._of(op.operands[0], op))
        value = op.operands[1]
        inner = self._of(value, op) if is_aggregate(value.type) else [value]
        at = [i for i, (p, _) in enumerate(elements(ty)) if p[: len(position)] == position]
        for index, part in zip(at, inner, strict=True):
            parts[index] = part
        self._become(op, parts)

    def _extract_value(self, op: Operation) -> None:
        position = tuple(integers(op.properties["position"]))
        whole = op.operands[0]
        parts = self._of(whole, op)
        found = [
            parts[i] for i, (p, _) in enumerate(elements(whole.type))
            if p[: len(position)] == position
        ]  # fmt: skip
        if is_aggregate(op.results[0].type):
            self._become(op, found)
        else:
            self._replace(op, found[0])

    def _extract_element(self, op: Operation) -> None:
        parts = self._of(op.operands[0], op)
        index = _known(op.operands[1])
        if index is not None:
            self._replace(op, parts[index % len(parts)])
            return
        result = parts[0]
        for i, part in enumerate(parts[1:], 1):
            result = self._create(
                op, "llvm.select", (self._is(op, op.operands[1], i), part, result), part.type
            )
        self._replace(op, result)

    def _insert_element(self, op: Operation) -> None:
        parts = list(self._of(op.operands[0], op))
        value = op.operands[1]
        index = _known(op.operands[2])
        if index is not None:
            parts[index % len(parts)] = value
        else:
            parts = [
                self._create(
                    op, "llvm.select", (self._is(op, op.operands[2], i), value, part), part.type
                )
                for i, part in enumerate(parts)
            ]
        self._become(op, parts)

    def _is(self, op: Operation, index: SSAValue, number: int) -> SSAValue:
        constant = self._create(
            op,
            "llvm.mlir.constant",
            (),
            index.type,
            {"value": IntegerAttr(number, index.type)},  # type: ignore[arg-type]
        )
        return self._create(
            op, "llvm.icmp", (index, constant), i1, {"predicate": IntegerAttr(0, i64)}
        )

    def _shuffle(self, op: Operation) -> None:
        first, second = (self._of(o, op) for o in op.operands)
        both = [*first, *second]
        parts = [both[i] if i >= 0 else both[0] for i in integers(op.properties["mask"])]
        self._become(op, parts)

    # -- memory

    def _place(self, op: llvm.LoadOp | llvm.StoreOp, base: SSAValue, offset: int) -> SSAValue:
        if offset == 0:
            return base
        return self._create(
            op, "llvm.getelementptr", (base,), base.type,
            {
                "elem_type": I8,
                "noWrapFlags": IntegerAttr(0, i32),
                "rawConstantIndices": DenseArrayBase.from_list(i32, [offset]),
            },
        )  # fmt: skip

    def _aligned(self, op: Operation, ty: Attribute, offset: int) -> Mapping[str, Attribute]:
        return claims.aligned(claims.of_element(op, ty, offset))

    def _load(self, op: llvm.LoadOp) -> None:
        if operations.is_ordered(op):
            raise NoRegions("a volatile load of an aggregate", op)
        ty = op.results[0].type
        parts: list[SSAValue] = []
        for position, inner in elements(ty):
            at = offset_of(ty, position)
            place = self._place(op, op.operands[0], at)
            parts.append(self._create(op, "llvm.load", (place,), inner, self._aligned(op, ty, at)))
        self._become(op, parts)

    def _store(self, op: llvm.StoreOp) -> None:
        if operations.is_ordered(op):
            raise NoRegions("a volatile store of an aggregate", op)
        value, base = op.operands
        for (position, _), part in zip(elements(value.type), self._of(value, op), strict=True):
            at = offset_of(value.type, position)
            place = self._place(op, base, at)
            self._create(op, "llvm.store", (part, place), None, self._aligned(op, value.type, at))
        self.dead.append(op)

    def _reduction(self, op: Operation) -> None:
        """`llvm.intr.vector.reduce.*` of integers, and of floats in their order."""
        kind = op.name.rpartition(".")[2]
        vector = op.operands[-1]
        parts = self._of(vector, op)
        binary = _REDUCE.get(kind)
        if binary is None:
            raise NoRegions(f"'{op.name}' takes an aggregate as a whole", op)
        total = op.operands[0] if len(op.operands) > 1 else parts[0]
        for part in parts if len(op.operands) > 1 else parts[1:]:
            total = self._create(op, f"llvm.{binary}", (total, part), part.type)
        self._replace(op, total)


def _known(value: SSAValue) -> int | None:
    owner = value.owner
    if isinstance(owner, Block) or owner.name != "llvm.mlir.constant":
        return None
    return cast("IntegerAttr", owner.properties["value"]).value.data


def _aggregate(types: list[Attribute]) -> Attribute:
    return next(t for t in types if is_aggregate(t))


_UNDEFINED = ("llvm.mlir.undef", "llvm.mlir.poison", "llvm.mlir.zero")
_REDUCE = {
    "add": "add", "mul": "mul", "and": "and", "or": "or", "xor": "xor", "fadd": "fadd",
    "fmul": "fmul", "smax": "intr.smax", "smin": "intr.smin", "umax": "intr.umax",
    "umin": "intr.umin", "fmax": "intr.maxnum", "fmin": "intr.minnum",
    "fmaximum": "intr.maximum", "fminimum": "intr.minimum",
}  # fmt: skip
_HANDLERS: dict[str, Callable[[Scalarize, Never], None]] = {
    "llvm.mlir.constant": Scalarize._constant,
    "llvm.insertvalue": Scalarize._insert_value,
    "llvm.extractvalue": Scalarize._extract_value,
    "llvm.extractelement": Scalarize._extract_element,
    "llvm.insertelement": Scalarize._insert_element,
    "llvm.shufflevector": Scalarize._shuffle,
    "llvm.load": Scalarize._load,
    "llvm.store": Scalarize._store,
    **{f"llvm.intr.vector.reduce.{kind}": Scalarize._reduction for kind in _REDUCE},
}
