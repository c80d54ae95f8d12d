# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that a kernel stays within the arrays that it was given.

    llvm.func @k(%p: !llvm.ptr, %begin: i64, %room: i64)
      llvm.call @xgpu.bounds(%address, %begin, %room) {host.bounds = [group, low, span]}
      %v = llvm.load %address

Each parameter that is a pointer gets two more at the end: where its array begins, and the bytes of
the array plus one. `[address + low, address + low + span)` has to lie in the array, which is

    address + low - begin  <u  room -sat span

(`addresses.UNBOUNDED` without an array). Accesses of one block at one address
but for constants share a check: where one of them is done all are. Checks stand side by side before
the first access of all that are surely done, as far as nothing has to be loaded for their
addresses. What an address is computed from is followed through casts, getelementptr, select and
block arguments; where arrays meet, their bounds do as well. Addresses that come from memory, or
from more than one pointer, are not checked. Neither is workgroup and private memory.

A getelementptr says that it stays in its array, and the multiplications before it that they do not
wrap: LLVM would conclude from this that no check fails. These claims are taken away.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import ArrayAttr, DenseArrayBase, DictionaryAttr, IntegerAttr, i32, i64
from xdsl.ir import Block, Operation, SSAValue

from xgpu.backend.llvm_ir.facts import integers, number, text_of
from xgpu.core.ir.construction import nested_operations, operations_of
from xgpu.core.ir.locations import source_location
from xgpu.core.ir.region_flow import predecessor_edges, set_successor_operands, successor_operands
from xgpu.core.ir.symbols import references, symbol_name
from xgpu.dialects.llvm.builders import LLVMBuilder
from xgpu.dialects.llvm.types import LLVMFunctionType, LLVMPointerType
from xgpu.host_device.abi.addresses import UNBOUNDED
from xgpu.host_device.compiler import operations
from xgpu.host_device.compiler.address_roots import LAYOUT
from xgpu.host_device.compiler.code import BOUNDS_WORDS, call_properties
from xgpu.host_device.compiler.functions import pointer_parameters
from xgpu.host_device.compiler.types import I64, gep_strides, integer_constant

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from xdsl.ir import Attribute, BlockArgument

    from xgpu.dialects import nvvm


#: An access: `file:line:column`, what it does, how far behind the first byte of its check it
#: begins, its bytes (0: as many as the check has), and which parameter the array is of, below zero
#: if that is not known beforehand.
Access = tuple[str, str, int, int, int]
#: Accesses of each check, by its number.
Checks = list[list[Access]]

_SHARED = 3
_CASTS = ("llvm.addrspacecast", "llvm.bitcast")
_ADDRESS = {"llvm.load": 0, "llvm.store": 1, "llvm.atomicrmw": 0, "llvm.cmpxchg": 0}
_KINDS = {"llvm.load": "load", "llvm.store": "store"}
_BRANCHES = ("llvm.br", "llvm.cond_br")
_WRAPS = ("llvm.add", "llvm.sub", "llvm.mul", "llvm.shl")
_MOST_TERMS = 16
_MOST_MOVED = 24  # operations
_WORD = (1 << 64) - 1

#: A value, or what lies at a position in it, where it is a struct.
Place = tuple[SSAValue, tuple[int, ...]]
#: A pair of values: where an array begins, and its bytes plus one.
Pair = tuple[SSAValue, SSAValue]
#: A sum: each value with its factor, and a constant; modulo 2 to the 64.
Sum = tuple[dict[SSAValue, int], int]


def check_bounds(function: Operation, checks: Checks) -> None:
    """Changes a kernel in place, without its inline assembly; adds its accesses to `checks`."""
    _Checker(function, checks).run()


def check_module(module: Operation, checks: Checks) -> None:
    """Changes all kernels of a module in place, and the functions that they call."""
    from xgpu.host_device.compiler.functions import is_kernel
    from xgpu.host_device.compiler.ptx.raise_assembly import raise_assembly

    functions = [
        op for op in operations_of(module.regions[0].blocks[0])
        if op.name == "llvm.func" and op.regions[0].blocks
    ]  # fmt: skip
    own = [f for f in functions if not is_kernel(f) and _is_only_called(f, module)]
    called = {symbol_name(f) or "": pointer_parameters(f) for f in own}
    for function in functions:
        if is_kernel(function) or function in own:
            raise_assembly(function)
            _Checker(function, checks, called, function in own).run()


def _is_only_called(function: Operation, module: Operation) -> bool:
    """Whether a function is used by calls of its name alone, which can give it more arguments."""
    name = symbol_name(function) or ""
    ty = cast("LLVMFunctionType", function.properties["function_type"])
    uses = (
        op for op in nested_operations(module)
        if any(r.root_reference.data == name for r in references(op))
    )  # fmt: skip
    return not ty.variadic and all(
        op.name == "llvm.call" and operations.callee(op) == name for op in uses
    )


class Sums:
    """What pointers and integers of one type are sums of."""

    def __init__(self, ty: Attribute = I64) -> None:
        self.sums: dict[SSAValue, Sum] = {}
        self._type = ty

    def address(self, pointer: SSAValue) -> Sum:
        """A pointer as its base, values with factors, and a constant."""
        found = self.sums.get(pointer)
        if found is None:
            found = self.sums[pointer] = self._address_sum(pointer)
        return found

    def _address_sum(self, pointer: SSAValue) -> Sum:
        owner = pointer.owner
        if isinstance(owner, Operation) and owner.name in _CASTS:
            return self.address(owner.operands[0])
        strides = None
        if isinstance(owner, Operation) and owner.name == "llvm.getelementptr":
            strides = gep_strides(owner)
        if strides is None:
            return {pointer: 1}, 0
        owner = cast("Operation", owner)
        result = self.address(owner.operands[0])
        for index, stride in zip(owner.operands[1:], strides[1], strict=True):
            result = _added(result, self.sum(index), stride)
        return _bounded(result[0], result[1] + strides[0], pointer)

    def sum(self, value: SSAValue) -> Sum:
        found = self.sums.get(value)
        if found is None:
            found = self.sums[value] = self._computed_sum(value)
        return found

    def _computed_sum(self, value: SSAValue) -> Sum:
        constant = integer_constant(value)
        if constant is not None:
            return {}, constant
        owner = value.owner
        if isinstance(owner, Block) or value.type != self._type:
            return {value: 1}, 0
        if owner.name in ("llvm.add", "llvm.sub"):
            a, b = (self.sum(o) for o in owner.operands)
            total = _added(a, b, 1 if owner.name == "llvm.add" else -1)
            return _bounded(*total, value)
        if owner.name == "llvm.mul":
            for at in (0, 1):
                factor = integer_constant(owner.operands[at])
                if factor is not None:
                    return _added(({}, 0), self.sum(owner.operands[1 - at]), factor)
        if owner.name == "llvm.shl":
            by = integer_constant(owner.operands[1])
            if by is not None and 0 <= by < 64:
                return _added(({}, 0), self.sum(owner.operands[0]), 1 << by)
        return {value: 1}, 0


class _Group:
    """Accesses that one check before `at` stands for; `low` and `high` are around its address."""

    __slots__ = ("accesses", "at", "high", "low", "offset", "pair", "pointer", "size")

    def __init__(
        self, at: Operation, pointer: SSAValue, pair: Pair, offset: int,
        size: SSAValue | None = None,
    ) -> None:  # fmt: skip
        self.at = at
        self.pointer = pointer
        self.pair = pair
        self.offset = offset
        self.size = size
        self.low, self.high = 0, 0
        self.accesses: list[Access] = []


class _Checker:
    """Puts checks into one kernel, or a function that kernels call. `called` are functions that
    get bounds for those of their parameters that are pointers."""

    def __init__(
        self, function: Operation, checks: Checks, called: Mapping[str, list[int]] | None = None,
        is_called: bool = False,
    ) -> None:  # fmt: skip
        self.function = function
        self.checks = checks
        self.called = called or {}
        self.is_called = is_called
        self.rw = LLVMBuilder()
        self.entry = function.regions[0].blocks[0]
        #: Of a pointer: which parameters it may come from, -1 for what is not known.
        self.origins: dict[SSAValue, frozenset[int]] = {}
        self.pairs: dict[Place, Pair] = {}
        self.sums = Sums()
        self.parameters: dict[int, Pair] = {}
        #: Blocks' arguments that are pointers whose bounds have become arguments too.
        self._to_pass: list[Place] = []

    def run(self) -> None:
        self._add_parameters()
        groups = [g for b in list(self.function.regions[0].blocks) for g in self._groups(b)]
        for group in groups:
            self._place(group)
        for op in list(nested_operations(self.function)):
            numbers = self.called.get(operations.callee(op) or "") if op.name == "llvm.call" else ()
            if numbers:
                self._give(op, numbers)
        self._drop_claims()

    def _add_parameters(self) -> None:
        function, entry = self.function, self.entry
        numbers = pointer_parameters(function)
        count = len(entry.args)
        for at in numbers:
            begin = entry.insert_arg(I64, len(entry.args), function.location)
            room = entry.insert_arg(I64, len(entry.args), function.location)
            self.parameters[at] = begin, room
        if not self.is_called:
            words = [2 * at + i for at in numbers for i in (0, 1)]
            function.attributes[BOUNDS_WORDS] = DenseArrayBase.from_list(i64, words)
        ty = cast("LLVMFunctionType", function.properties["function_type"])
        arguments = [*ty.arguments, *(a.type for a in entry.args[count:])]
        function.properties["function_type"] = LLVMFunctionType(arguments, ty.result)
        attrs = cast("ArrayAttr[DictionaryAttr] | None", function.properties.get("arg_attrs"))
        if attrs is not None:
            added = [DictionaryAttr({})] * (2 * len(numbers))
            function.properties["arg_attrs"] = ArrayAttr([*attrs.data, *added])

    def _give(self, call: Operation, numbers: Sequence[int]) -> None:
        """Gives a function the bounds of the pointers that it gets."""
        given = list(call.operands)
        for at in numbers:
            given += self._pair(call.operands[at]) or self._nothing()
        call.operands = given
        sizes = [len(given), 0]
        call.properties["operandSegmentSizes"] = DenseArrayBase.from_list(i32, sizes)
        attrs = cast("ArrayAttr[DictionaryAttr] | None", call.properties.get("arg_attrs"))
        if attrs is not None:
            added = [DictionaryAttr({})] * (2 * len(numbers))
            call.properties["arg_attrs"] = ArrayAttr([*attrs.data, *added])

    # -- accesses

    def _groups(self, block: Block) -> list[_Group]:
        """The checks of a block's accesses."""
        found: list[_Group] = []
        joined: dict[object, _Group] = {}
        # Where checks stand, and the numbers of the operations from there on.
        anchor: Operation | None = None
        since: dict[Operation, int] = {}
        for place, op in enumerate(list(block.ops)):
            since[op] = place
            if op.name not in _ADDRESS:
                if not _goes_on(op):
                    joined.clear()
                    anchor = None
                found += self._ranges(op)
                continue
            if anchor is None:
                anchor, since = op, {op: place}
            pointer = op.operands[_ADDRESS[op.name]]
            pair = self._pair(pointer)
            size = LAYOUT.store_size(_accessed(op))
            if pair is None or not size:
                continue
            terms, offset = self.sums.address(pointer)
            key = (pair, frozenset(terms.items()))
            group = joined.get(key)
            if group is None:
                is_early = not isinstance(pair[0].owner, Operation)
                at = anchor if is_early and _moved(pointer, anchor, since) else op
                group = joined[key] = _Group(at, pointer, pair, offset)
                found.append(group)
            low = signed(offset - group.offset)
            group.accesses.append(self._access(op, pointer, low, size))
            group.low, group.high = min(group.low, low), max(group.high, low + size)
            if operations.is_ordered(op) or op.name in operations.ATOMICS:
                joined.clear()
                anchor = None
        return found

    def _access(
        self, op: Operation, pointer: SSAValue, low: int, size: int, kind: str = ""
    ) -> Access:
        location = source_location(op.location)
        where = f"{location[0]}:{location[1]}:{location[2]}" if location is not None else ""
        origins = self.origins[pointer]
        number = next(iter(origins)) if len(origins) == 1 and not self.is_called else -1
        return where, kind or _KINDS.get(op.name, "atomic operation"), low, size, number

    def _ranges(self, op: Operation) -> list[_Group]:
        """The checks of an operation on as many bytes as a value says."""
        found: list[_Group] = []
        for pointer, size, kind in self._parts(op):
            pair = self._pair(pointer)
            if pair is None:
                continue
            group = _Group(op, pointer, pair, 0, size)
            group.accesses.append(self._access(op, pointer, 0, 0, kind))
            found.append(group)
        return found

    def _parts(self, op: Operation) -> list[tuple[SSAValue, SSAValue, str]]:
        """Memory of arrays that an operation uses: address, bytes, and how."""
        self.rw.before(op)
        self.rw.location = op.location
        given, name = op.operands, op.name
        if name in ("llvm.intr.memcpy", "llvm.intr.memmove"):
            size = self._wide(given[2])
            return [(given[0], size, "store"), (given[1], size, "load")]
        if name == "llvm.intr.memcpy.inline":
            size = self._constant(number(op.properties["len"]))
            return [(given[0], size, "store"), (given[1], size, "load")]
        if name == "llvm.intr.memset":
            return [(given[0], self._wide(given[2]), "store")]
        if name == "llvm.intr.memset.inline":
            return [(given[0], self._constant(number(op.properties["len"])), "store")]
        if name == "nvvm.cp.async.shared.global":
            whole = self._constant(number(op.properties["size"]))
            size = self._wide(given[2]) if len(given) > 2 else whole
            return [(given[1], size, "copy from")]
        if name == "nvvm.cp.async.bulk.shared.cluster.global":
            copy = cast("nvvm.CpAsyncBulkSharedClusterGlobalOp", op)
            return [(copy.src_mem, self._wide(copy.size), "copy from")]
        if name == "nvvm.cp.async.bulk.global.shared.cta":
            store = cast("nvvm.CpAsyncBulkGlobalSharedCtaOp", op)
            return [(given[0], self._wide(store.size), "copy to")]
        if name in ("nvvm.wmma.load", "nvvm.wmma.store"):
            return self._matrix(op)
        return []

    def _matrix(self, op: Operation) -> list[tuple[SSAValue, SSAValue, str]]:
        """Rows of a matrix, a stride apart."""
        is_load = op.name == "nvvm.wmma.load"
        m, n, k = (number(op.properties[x]) for x in "mnk")
        frag = text_of(op.properties["frag"]) if is_load else "c"
        rows, columns = {"a": (m, k), "b": (k, n), "c": (m, n)}[frag]
        if text_of(op.properties["layout"]) == "col":
            rows, columns = columns, rows
        size = _MATRIX_BYTES.get(text_of(op.properties["eltype"]))
        if size is None:
            return []
        stride = self._wide(op.operands[1] if is_load else op.operands[-1])
        far = self.rw.value("llvm.mul", (stride, self._constant((rows - 1) * size)), I64)
        bytes = self.rw.value("llvm.add", (far, self._constant(columns * size)), I64)
        return [(op.operands[0], bytes, "load" if is_load else "store")]

    def _constant(self, value: int) -> SSAValue:
        return self.rw.integer(value, I64)

    def _wide(self, value: SSAValue) -> SSAValue:
        if value.type == I64:
            return value
        return self.rw.value("llvm.zext", (value,), I64)

    def _place(self, group: _Group) -> None:
        """Creates a check."""
        self.rw.before(group.at)
        self.rw.location = group.at.location
        given = [group.pointer, *group.pair]
        if group.size is not None:
            given.append(group.size)
        numbers = [len(self.checks), group.low, group.high - group.low]
        attributes = {operations.BOUNDS: DenseArrayBase.from_list(i64, numbers)}
        properties = call_properties(operations.BOUNDS_CHECK, given)
        self.rw.create("llvm.call", given, (), properties, attributes)
        self.checks.append(
            [(where, kind, at - group.low, size, n) for where, kind, at, size, n in group.accesses]
        )

    # -- where addresses come from

    def _pair(self, pointer: SSAValue) -> Pair | None:
        """The bounds of what a pointer is computed from; None if nothing is known of it."""
        if getattr(pointer.type, "data", 0) == _SHARED:
            return None
        origins = self.origins.get(pointer)
        if origins is None:
            origins = self.origins[pointer] = frozenset(self._origins(pointer))
        if all(origin < 0 for origin in origins):
            return None
        if len(origins) == 1:
            return self.parameters[next(iter(origins))]
        found = self._met((pointer, ()))
        self._pass_bounds()
        return found

    def _origins(self, pointer: SSAValue) -> set[int]:
        found: set[int] = set()
        seen: set[Place] = set()
        pending: list[Place] = [(pointer, ())]
        while pending:
            place = _base(pending.pop())
            if place in seen:
                continue
            seen.add(place)
            ways = self._ways(place)
            if ways is None:
                found.add(self._origin(place))
            else:
                pending += ways
        return found

    def _ways(self, place: Place) -> list[Place] | None:
        """The pointers of which one is there; None if it is none of others."""
        value, position = place
        owner = value.owner
        if isinstance(owner, Operation):
            if owner.name != "llvm.select":
                return None
            return [(o, position) for o in owner.operands[1:]]
        if owner is self.entry:
            return None
        found: list[Place] = []
        index = cast("BlockArgument", value).index
        for branch, successor in predecessor_edges(owner):
            if branch.name not in _BRANCHES:
                return None
            found.append(((successor_operands(branch, successor) or [])[index], position))
        return found

    def _origin(self, place: Place) -> int:
        """The parameter that a pointer is, or comes from by arithmetic; -1 for any other."""
        value, position = place
        owner = value.owner
        if position:
            return -1
        if isinstance(owner, Block):
            index = cast("BlockArgument", value).index
            return index if owner is self.entry and index in self.parameters else -1
        if owner.name != "llvm.inttoptr" or owner.operands[0].type != I64:
            return -1
        terms, _ = self.sums.sum(owner.operands[0])
        pointers = [v for v in terms if _is_address(v)]
        if len(pointers) != 1 or terms[pointers[0]] != 1:
            return -1
        if not all(v is pointers[0] or _is_computed(v, self.entry) for v in terms):
            return -1
        origins = self._origins(cast("Operation", pointers[0].owner).operands[0])
        return next(iter(origins)) if len(origins) == 1 else -1

    def _met(self, place: Place) -> Pair:
        """Bounds where pointers meet that come from several arrays."""
        place = _base(place)
        found = self.pairs.get(place)
        if found is not None:
            return found
        ways = self._ways(place)
        if ways is None:
            known = self.parameters.get(self._origin(place))
            found = self.pairs[place] = known if known is not None else self._nothing()
            return found
        owner = place[0].owner
        if isinstance(owner, Operation):
            first, second = self._met(ways[0]), self._met(ways[1])
            self.rw.after(owner)
            self.rw.location = owner.location
            condition = owner.operands[0]
            begin, room = (
                self.rw.value("llvm.select", (condition, a, b), I64)
                for a, b in zip(first, second, strict=True)
            )
            found = self.pairs[place] = begin, room
            return found
        location = owner.args[0].location
        begin, room = (owner.insert_arg(I64, len(owner.args), location) for _ in range(2))
        found = self.pairs[place] = begin, room
        self._to_pass.append(place)
        return found

    def _pass_bounds(self) -> None:
        """Lets branches pass what blocks have got arguments for, in the order of these."""
        while self._to_pass:
            value, position = self._to_pass.pop(0)
            index = cast("BlockArgument", value).index
            for branch, successor in predecessor_edges(cast("Block", value.owner)):
                given = successor_operands(branch, successor) or []
                pair = self._met((given[index], position))
                given = successor_operands(branch, successor) or []
                set_successor_operands(branch, successor, [*given, *pair])

    def _nothing(self) -> Pair:
        """Bounds within which everything lies."""
        self.rw.at_start(self.entry)
        self.rw.location = self.function.location
        begin, room = UNBOUNDED
        return self._constant(signed(begin)), self._constant(room)

    # -- claims

    def _drop_claims(self) -> None:
        """Takes from addresses, and from what they are computed from, what holds only where the
        kernel stays in its arrays."""
        pending: list[SSAValue] = []
        seen: set[SSAValue] = set()
        no_flags = IntegerAttr(0, i32)
        for op in nested_operations(self.function):
            if op.name == "llvm.getelementptr":
                op.properties["noWrapFlags"] = no_flags
                pending += op.operands[1:]
        while pending:
            value = pending.pop()
            owner = value.owner
            if value in seen or isinstance(owner, Block) or owner.name not in _WRAPS:
                continue
            seen.add(value)
            if value.type == I64:
                owner.properties.pop("overflowFlags", None)
                pending += owner.operands


_MATRIX_BYTES = {
    "f16": 2, "bf16": 2, "f32": 4, "tf32": 4, "s8": 1, "u8": 1, "s32": 4, "f64": 8,
}  # fmt: skip

_GOES_ON = operations.HINTS | operations.FENCES | {
    "llvm.addrspacecast", "llvm.alloca", "llvm.insertvalue", "llvm.extractvalue",
}  # fmt: skip


def _goes_on(op: Operation) -> bool:
    """Whether the thread surely does what follows an operation."""
    if op.name in operations.DIVISIONS:
        return integer_constant(op.operands[1]) not in (None, 0, -1)
    return operations.is_pure(op) or op.name in _GOES_ON or operations.register(op) is not None


def _moved(pointer: SSAValue, anchor: Operation, since: dict[Operation, int]) -> bool:
    """Moves what computes a pointer before `anchor`, where nothing is loaded for it; whether it is
    there. `since` are the operations from there on, in order."""
    found: dict[Operation, None] = {}
    pending = [pointer]
    while pending:
        op = pending.pop().owner
        if not isinstance(op, Operation) or op not in since or op in found:
            continue
        is_simple = operations.is_pure(op) or op.name in _CASTS
        if not is_simple or op.name in operations.DIVISIONS or len(found) >= _MOST_MOVED:
            return False
        found[op] = None
        pending += op.operands
    block = cast("Block", anchor.parent)
    for op in sorted(found, key=since.__getitem__):
        op.detach()
        block.insert_op_before(op, anchor)
        del since[op]
    return True


def _accessed(op: Operation) -> Attribute:
    """The type of what a load, a store or an atomic operation accesses."""
    if op.name == "llvm.load":
        return op.results[0].type
    return op.operands[0 if op.name == "llvm.store" else 1].type


def _base(place: Place) -> Place:
    """What a pointer is computed from, as far as one way leads there."""
    value, position = place
    while isinstance(owner := value.owner, Operation):
        if not position and (owner.name in _CASTS or owner.name == "llvm.getelementptr"):
            value = owner.operands[0]
        elif owner.name == "llvm.extractvalue":
            value = owner.operands[0]
            position = (*integers(owner.properties["position"]), *position)
        elif owner.name == "llvm.insertvalue":
            put = tuple(integers(owner.properties["position"]))
            if position[: len(put)] == put:
                value, position = owner.operands[1], position[len(put) :]
            elif put[: len(position)] == position:
                break
            else:
                value = owner.operands[0]
        else:
            break
    return value, position


def _is_address(value: SSAValue) -> bool:
    owner = value.owner
    return isinstance(owner, Operation) and owner.name == "llvm.ptrtoint"


def _is_computed(value: SSAValue, entry: Block) -> bool:
    """Whether a value comes from numbers that the launch and the thread have, not from memory or
    from pointers."""
    seen: set[SSAValue] = set()
    pending = [value]
    while pending:
        value = pending.pop()
        if value in seen:
            continue
        seen.add(value)
        owner = value.owner
        if isinstance(value.type, LLVMPointerType):
            return False
        if isinstance(owner, Operation):
            if not operations.is_pure(owner) and operations.register(owner) is None:
                return False
            pending += owner.operands
        elif owner is not entry:
            index = cast("BlockArgument", value).index
            for branch, successor in predecessor_edges(owner):
                given = successor_operands(branch, successor)
                if given is None:
                    return False
                pending.append(given[index])
    return True


def _added(a: Sum, b: Sum, factor: int) -> Sum:
    terms = dict(a[0])
    for value, by in b[0].items():
        total = (terms.get(value, 0) + by * factor) & _WORD
        if total:
            terms[value] = total
        else:
            terms.pop(value, None)
    return terms, a[1] + b[1] * factor


def _bounded(terms: dict[SSAValue, int], constant: int, value: SSAValue) -> Sum:
    """A sum, or the value itself where that has too many terms."""
    return (terms, constant) if len(terms) <= _MOST_TERMS else ({value: 1}, 0)


def signed(value: int, bits: int = 64) -> int:
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value
