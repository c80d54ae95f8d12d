# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`gpu-vectorize-copies`: copies that threads share move several elements at a time.
`gpu-expand-copies`: copies that a thread makes alone, as loops."""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd
from typing import TYPE_CHECKING, cast

from xdsl.context import Context
from xdsl.dialects.builtin import (
    AffineMapAttr,
    AnyFloat,
    ArrayAttr,
    DenseArrayBase,
    DictionaryAttr,
    FixedBitwidthType,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    VectorType,
    i1,
    i64,
)
from xdsl.ir import Attribute, Block, BlockArgument, Operation, Region, SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineSymExpr,
)

from xgpu.core.ir.constants import int_of
from xgpu.core.ir.errors import error
from xgpu.core.passes.base import Option, Pass
from xgpu.core.rewriting.builder import Rewriter
from xgpu.dialects.affine.index_math import as_value
from xgpu.dialects.arith.builders import cmpi, index_constant
from xgpu.dialects.gpu.syntax import attributions
from xgpu.dialects.memref_layout import contiguous_strides, strided_form
from xgpu.transforms.gpu.gpu_map_parallel_loops import is_shared_by_threads
from xgpu.transforms.scf.builders import if_else

if TYPE_CHECKING:
    from xgpu.dialects import memref, scf


# --- buffer alignment ----------------------------------------------------------------------------
# What is known of where buffers of kernels begin; workgroup memory that is made to begin there.


KERNELS = frozenset({"gpu.launch", "gpu.func"})
#: What cuMemAlloc and the host device give at least.
_DEVICE_ALIGNMENT = 256


def attribution(memory: SSAValue) -> int | None:
    """Which buffer of its workgroup `memory` is."""
    if not isinstance(memory, BlockArgument):
        return None
    kernel = memory.block.parent_op()
    if kernel is None or kernel.name not in KERNELS:
        return None
    buffers = attributions(kernel)[0]
    return buffers.index(memory) if memory in buffers else None


#: They leave the pointer alone; where they begin is an offset of their type.
_SAME_POINTER = frozenset(
    {"memref.cast", "memref.collapse_shape", "memref.expand_shape", "memref.subview"}
)
_BUFFERS = "workgroup_attrib_attrs"
_ALIGN = "llvm.align"


def _entries(kernel: Operation) -> list[DictionaryAttr]:
    held = kernel.properties if kernel.name == "gpu.func" else kernel.attributes
    given = held.get(_BUFFERS)
    if isinstance(given, ArrayAttr):
        return list(cast("ArrayAttr[DictionaryAttr]", given).data)
    return [DictionaryAttr({})] * len(attributions(kernel)[0])


def align(memory: SSAValue, alignment: int) -> None:
    """Sees to it that a buffer is aligned that may be."""
    at = attribution(memory)
    if at is None or alignment_of_buffer(memory) % alignment == 0:
        return
    kernel = cast("BlockArgument", memory).block.parent_op()
    assert kernel is not None
    entries = _entries(kernel)
    entries[at] = DictionaryAttr({**entries[at].data, _ALIGN: IntegerAttr(alignment, i64)})
    held = kernel.properties if kernel.name == "gpu.func" else kernel.attributes
    held[_BUFFERS] = ArrayAttr(entries)


def alignment_of_buffer(memory: SSAValue) -> int:
    """To how many bytes the buffer begins at a multiple, its offset aside; 1 if that is unknown."""
    at = attribution(memory)
    if at is not None:
        kernel = cast("BlockArgument", memory).block.parent_op()
        assert kernel is not None
        given = _entries(kernel)[at].data.get(_ALIGN)
        return given.value.data if isinstance(given, IntegerAttr) else 1
    owner = memory.owner
    if not isinstance(owner, Operation):
        return 1
    if owner.name == "gpu.alloc":
        return _DEVICE_ALIGNMENT
    if owner.name in ("memref.alloc", "memref.alloca", "memref.assume_alignment"):
        given = owner.properties.get("alignment")
        return given.value.data if isinstance(given, IntegerAttr) else 1
    if owner.name in (
        "memref.cast",
        "memref.subview",
        "memref.expand_shape",
        "memref.collapse_shape",
    ):
        # They leave the pointer alone; offsets are of the type.
        return alignment_of_buffer(owner.operands[0])
    return 1


# --- multiples -----------------------------------------------------------------------------------
# Which indices count along with a loop's variable, from a multiple of a number on.
#
# Known of an index are two numbers: how often it contains the variable, and a divisor of the rest.
# `%c = %k * 16 + %j` contains `%j` once, and its rest is a multiple of 16.


#: How often an index contains the variable, and a divisor of the rest (0: the rest is 0).
Form = tuple[int, int]


class Multiples:
    """Indices of iterations of the loop whose variable is `variable`, for vectors of `count`."""

    __slots__ = ("_dependent", "_forms", "count", "variable")

    def __init__(self, variable: SSAValue, count: int) -> None:
        self.variable, self.count = variable, count
        self._forms: dict[SSAValue, Form | None] = {variable: (1, 0)}
        self._dependent: dict[SSAValue, bool] = {variable: True}

    def runs(self, index: SSAValue) -> bool:
        """Whether `index` counts along with the variable, and is a multiple where that is one."""
        form = self.form(index)
        return form is not None and form[0] == 1 and form[1] % self.count == 0

    def depends(self, value: SSAValue) -> bool:
        """Whether a value changes with the variable."""
        found = self._dependent.get(value)
        if found is None:
            owner = value.owner
            found = False
            if isinstance(owner, Operation) and owner.parent is self.variable.owner:
                found = any(self.depends(operand) for operand in owner.operands)
            self._dependent[value] = found
        return found

    def form(self, value: SSAValue) -> Form | None:
        """None where the variable is contained in another way than by sums and products."""
        if value not in self._forms:
            self._forms[value] = self._form(value)
        return self._forms[value]

    def _form(self, value: SSAValue) -> Form | None:
        number = int_of(value)
        if number is not None:
            return 0, abs(number)
        owner = value.owner
        if isinstance(owner, Operation):
            found = self._computed(owner)
            if found is not None:
                return found
        return None if self.depends(value) else (0, 1)

    def _computed(self, op: Operation) -> Form | None:
        if op.name == "affine.apply":
            affine_map = cast("AffineMapAttr", op.properties["map"]).data
            forms = [self.form(operand) for operand in op.operands]
            dims, symbols = forms[: affine_map.num_dims], forms[affine_map.num_dims :]
            return _of_expression(affine_map.results[0], dims, symbols)
        if op.name in ("arith.addi", "arith.subi", "arith.muli"):
            left, right = (self.form(operand) for operand in op.operands)
            if op.name == "arith.muli":
                return _product(left, right, [int_of(operand) for operand in op.operands])
            return _sum(left, right, -1 if op.name == "arith.subi" else 1)
        return None


def _sum(left: Form | None, right: Form | None, sign: int = 1) -> Form | None:
    if left is None or right is None:
        return None
    return left[0] + sign * right[0], gcd(left[1], right[1])


def _product(left: Form | None, right: Form | None, numbers: list[int | None]) -> Form | None:
    if left is None or right is None:
        return None
    if left[0] == 0 and right[0] == 0:
        return 0, left[1] * right[1]
    for (times, rest), number in ((left, numbers[1]), (right, numbers[0])):
        if number is not None:
            return times * number, rest * abs(number)
    return None


def _of_expression(
    expr: AffineExpr, dims: list[Form | None], symbols: list[Form | None]
) -> Form | None:
    if isinstance(expr, AffineConstantExpr):
        return 0, abs(expr.value)
    if isinstance(expr, AffineDimExpr):
        return dims[expr.position]
    if isinstance(expr, AffineSymExpr):
        return symbols[expr.position]
    if not isinstance(expr, AffineBinaryOpExpr):
        return None
    left = _of_expression(expr.lhs, dims, symbols)
    right = _of_expression(expr.rhs, dims, symbols)
    if left is None or right is None:
        return None
    if expr.kind is AffineBinaryOpKind.Add:
        return _sum(left, right)
    if expr.kind is AffineBinaryOpKind.Mul:
        sides = (expr.lhs, expr.rhs)
        return _product(
            left, right, [e.value if isinstance(e, AffineConstantExpr) else None for e in sides]
        )
    # A quotient or a remainder of what does not contain the variable may be anything.
    return (0, 1) if left[0] == 0 and right[0] == 0 else None


# --- gpu vectorize copies ------------------------------------------------------------------------
# `gpu-vectorize-copies`: copies that threads share move several elements at a time.
#
#     scf.forall (%i, %j) in (16, 64) {
#       %v = memref.load %from[%r, %c]             where %c is %j and a multiple of 4
#       memref.store %v, %tile[%i, %j]
#     }
#     =>
#     %aligned = ((address of %from) mod 16 == 0 and its strides mod 4 == 0)
#     scf.if %aligned {
#       scf.forall (%i, %j) in (16, 16) {
#         %v = vector.load %from[%r, %c] {alignment = 16} : vector<4xf32>
#         vector.store %v, %tile[%i, %j * 4] {alignment = 16}
#       }
#     } else { the loop as it was }
#
# Nothing says that a caller's buffer is aligned, and a vector access that is not aligned is an
# error on a GPU. So what types and origins do not prove a kernel asks for, once, before its loops;
# all threads get the same answer. Nothing is left to ask where the buffer is allocated by the
# program or `memref.assume_alignment` says so, sizes are static and divide. A load that is guarded
# by comparisons of its last index stays one access where the bound is a multiple too: then a
# vector is inside or outside as a whole. A tile of workgroup memory is aligned by this pass; where
# its layout is another than the buffer's (a transposed tile), elements are stored one by one.
#
# Which thread gets which vector is the choice of `gpu-map-foralls-to-threads`.


_INDEX = IndexType()
_ULT = 6  # arith.cmpi's predicate
_WIDTHS = (8, 16, 32, 64)
_PURE = frozenset(
    {
        "affine.apply",
        "arith.addi",
        "arith.andi",
        "arith.cmpi",
        "arith.constant",
        "arith.muli",
        "arith.subi",
    }
)


class _Unfit(Exception):
    """A loop is no copy that could move vectors."""


class Copy:
    """The parts of a loop that copies an element an iteration. Raises _Unfit for any other."""

    __slots__ = ("block", "guard", "kind", "last", "load", "loop", "store")

    def __init__(self, loop: scf.ForallOp) -> None:
        self.loop = loop
        self.block: Block = loop.regions[0].blocks[0]
        if loop.results or not self.block.args:
            raise _Unfit
        self.last: BlockArgument = self.block.args[-1]
        found: dict[str, Operation] = {}
        for op in self.block.ops:
            if op is self.block.last_op or op.name in _PURE:
                continue
            if op.name not in ("memref.load", "scf.if", "memref.store") or op.name in found:
                raise _Unfit
            found[op.name] = op
        store = found.get("memref.store")
        if store is None or len(found) != 2:
            raise _Unfit
        self.store = cast("memref.StoreOp", store)
        self.guard = cast("scf.IfOp | None", found.get("scf.if"))
        self.load = cast(
            "memref.LoadOp", found["memref.load"] if self.guard is None else _guarded(self.guard)
        )
        source = self.load if self.guard is None else self.guard
        if self.store.operands[0] is not source.results[0]:
            raise _Unfit
        self.kind: Attribute = self.load.results[0].type
        if not isinstance(self.kind, FixedBitwidthType) or self.kind.bitwidth not in _WIDTHS:
            raise _Unfit

    @property
    def bits(self) -> int:
        """The width of an element."""
        return cast("AnyFloat | IntegerType", self.kind).bitwidth


def _guarded(guard: scf.IfOp) -> Operation:
    """The load of `scf.if .. { load } else { a value from outside }`."""
    if len(guard.results) != 1 or not guard.regions[1].blocks:
        raise _Unfit
    then, other = guard.regions[0].blocks[0], guard.regions[1].blocks[0]
    load, end = then.first_op, then.last_op
    if load is None or load.name != "memref.load" or load.next_op is not end or end is None:
        raise _Unfit
    if end.operands[0] is not load.results[0] or len(list(other.ops)) != 1:
        raise _Unfit
    return load


class Needs:
    """What must hold for vectors of `count` elements, beyond what is known."""

    __slots__ = ("address", "sizes", "strides")

    def __init__(self) -> None:
        #: Whether the address of the buffer's first element is to be looked at.
        self.address = False
        #: Dimensions whose strides are to be multiples.
        self.strides: list[int] = []
        #: Bounds that are to be multiples.
        self.sizes: list[SSAValue] = []

    def __bool__(self) -> bool:
        return self.address or bool(self.strides or self.sizes)


def _leaves(condition: SSAValue) -> list[SSAValue]:
    owner = condition.owner
    if isinstance(owner, Operation) and owner.name == "arith.andi":
        return [leaf for operand in owner.operands for leaf in _leaves(operand)]
    return [condition]


class _Plan:
    """How one copy moves vectors of `count` elements. Raises _Unfit where it cannot."""

    def __init__(self, copy: Copy, count: int) -> None:
        self.copy, self.count = copy, count
        self.multiples = Multiples(copy.last, count)
        self.needs = Needs()
        bounds = list(copy.loop.static_upper_bound.get_values())
        if bounds[-1] <= 0 or bounds[-1] % count:
            raise _Unfit
        if any(copy.loop.static_lower_bound.get_values()):
            raise _Unfit
        if list(copy.loop.static_step.get_values())[-1] != 1:
            raise _Unfit
        self._source()
        if copy.guard is not None:
            self._condition(copy.guard.operands[0])
        self.is_whole = self._target()

    @property
    def bytes(self) -> int:
        return self.copy.bits // 8 * self.count

    def _source(self) -> None:
        memory, *indices = self.copy.load.operands
        if not self._runs(indices):
            raise _Unfit
        kind = cast("MemRefType", memory.type)
        form = strided_form(kind)
        if form is None or form[0][-1] != 1:
            raise _Unfit
        for dim, stride in enumerate(form[0][:-1]):
            if stride is None:
                self.needs.strides.append(dim)
            elif stride % self.count:
                raise _Unfit
        offset = form[1]
        known = offset is not None and offset % self.count == 0
        self.needs.address = not known or alignment_of_buffer(memory) % self.bytes != 0

    def _runs(self, indices: Sequence[SSAValue]) -> bool:
        """Whether neighbouring iterations have neighbouring elements, and vectors begin at a
        multiple of their length."""
        if not indices or any(self.multiples.depends(index) for index in indices[:-1]):
            return False
        return self.multiples.runs(indices[-1])

    def _condition(self, condition: SSAValue) -> None:
        """All elements of a vector are inside or none is."""
        for leaf in _leaves(condition):
            if not self.multiples.depends(leaf):
                continue
            owner = leaf.owner
            if not isinstance(owner, Operation) or owner.name != "arith.cmpi":
                raise _Unfit
            predicate = cast("IntegerAttr", owner.properties["predicate"]).value.data
            index, bound = owner.operands
            if predicate != _ULT or self.multiples.depends(bound):
                raise _Unfit
            if not self.multiples.runs(index):
                raise _Unfit
            number = int_of(bound)
            if number is None:
                self.needs.sizes.append(bound)
            elif number % self.count:
                raise _Unfit

    def _target(self) -> bool:
        """Whether what is written is a vector too."""
        _, memory, *indices = self.copy.store.operands
        kind = cast("MemRefType", memory.type)
        form = strided_form(kind)
        if form is None or form[1] != 0 or not self._runs(indices) or form[0][-1] != 1:
            return False
        if any(stride is None or stride % self.count for stride in form[0][:-1]):
            return False
        return alignment_of_buffer(memory) % self.bytes == 0 or attribution(memory) is not None

    # --- what becomes of it --------------------------------------------------------------------
    def build(self) -> None:
        loop = self.copy.loop
        rw = Rewriter(loop)
        if self.needs:
            aligned = self._aligned()
            copy = loop.clone()

            def as_before() -> Sequence[SSAValue]:
                rw.insert(copy)
                return ()

            if_else(rw, aligned, (), lambda: self._vectors(rw), as_before)
        else:
            self._vectors(rw)
        rw.erase(loop)

    def _aligned(self) -> SSAValue:
        """Whether everything holds, asked before the outermost loop where it can be."""
        memory = self.copy.load.operands[0]
        place: Operation = self.copy.loop
        while _may_move(place, [memory, *self.needs.sizes]):
            parent = place.parent_op()
            assert parent is not None
            place = parent
        rw = Rewriter(place)
        rest: list[tuple[SSAValue, int]] = [(size, self.count) for size in self.needs.sizes]
        kind = cast("MemRefType", memory.type)
        rank = len(kind.get_shape())
        if self.needs.strides or self.needs.address:
            base = MemRefType(kind.element_type, [], memory_space=kind.memory_space)
            types = [base, *[_INDEX] * (2 * rank + 1)]
            metadata = rw.create("memref.extract_strided_metadata", [memory], types).results
            rest.extend((metadata[2 + rank + dim], self.count) for dim in self.needs.strides)
        if self.needs.address:
            address = rw.value("memref.extract_aligned_pointer_as_index", [memory], _INDEX)
            size = as_value(rw, self.copy.bits // 8)
            ahead = rw.value("arith.muli", [metadata[1], size], _INDEX)  # pyright: ignore
            rest.append((rw.value("arith.addi", [address, ahead], _INDEX), self.bytes))
        found: SSAValue | None = None
        for value, divisor in rest:
            left = rw.value("arith.remui", [value, as_value(rw, divisor)], _INDEX)
            holds = cmpi(rw, "eq", left, as_value(rw, 0))
            found = holds if found is None else rw.value("arith.andi", [found, holds], i1)
        assert found is not None
        return found

    def _vectors(self, rw: Rewriter) -> Sequence[SSAValue]:
        """The loop, with a vector an iteration."""
        old = self.copy.loop
        loop = rw.insert(old.clone())
        bounds = list(old.static_upper_bound.get_values())
        bounds[-1] //= self.count
        loop.properties["staticUpperBound"] = DenseArrayBase.from_list(i64, bounds)
        copy = Copy(cast("scf.ForallOp", loop))
        self._scale(copy)
        inner = Rewriter(copy.load)
        kind = VectorType(copy.kind, [self.count])
        alignment: dict[str, Attribute] = {"alignment": IntegerAttr(self.bytes, i64)}
        value = inner.value("vector.load", copy.load.operands, kind, alignment)
        if copy.guard is not None:
            value = self._widen(copy.guard, copy.load, value)
        else:
            copy.load.results[0].replace_all_uses_with(value)
            inner.erase(copy.load)
        self._store(copy, value, alignment)
        return ()

    def _scale(self, copy: Copy) -> None:
        """An iteration begins where its vector does."""
        rw = Rewriter()
        rw.at_start(copy.block)
        rw.location = copy.loop.location
        begin = rw.value("arith.muli", [copy.last, as_value(rw, self.count)], _INDEX)
        for use in list(copy.last.uses):
            if use.operation is not begin.owner:
                use.operation.operands[use.index] = begin

    def _widen(self, guard: Operation, load: Operation, value: SSAValue) -> SSAValue:
        """The guard with a vector as its result; outside all elements are what one was."""
        load.results[0].replace_all_uses_with(value)
        Rewriter(load).erase(load)
        rw = Rewriter(guard)
        regions = [guard.detach_region(guard.regions[0]) for _ in range(2)]
        end = regions[1].blocks[0].last_op
        assert end is not None
        element = end.operands[0]
        kind = cast("VectorType", value.type)
        end.operands[0] = Rewriter(end).value("vector.broadcast", [element], kind)
        wide = rw.create("scf.if", guard.operands, [kind], regions=regions).results[0]
        guard.results[0].replace_all_uses_with(wide)
        rw.erase(guard)
        return wide

    def _store(self, copy: Copy, value: SSAValue, alignment: dict[str, Attribute]) -> None:
        rw = Rewriter(copy.store)
        _, memory, *indices = copy.store.operands
        if self.is_whole:
            align(memory, self.bytes)
            rw.create("vector.store", [value, memory, *indices], (), alignment)
            rw.erase(copy.store)
            return
        begin = next(use.operation for use in copy.last.uses).results[0]
        for at in range(self.count):
            properties = {"static_position": DenseArrayBase.from_list(i64, [at])}
            element = rw.value("vector.extract", (value,), copy.kind, properties)
            moved = {place: _moved(rw, place, begin, at) for place in indices}
            rw.create("memref.store", [element, memory, *(moved[index] for index in indices)])
        rw.erase(copy.store)


def _moved(rw: Rewriter, index: SSAValue, begin: SSAValue, at: int) -> SSAValue:
    """`index` as it is `at` iterations later."""
    if at == 0:
        return index
    if index is begin:
        return rw.value("arith.addi", [begin, as_value(rw, at)], _INDEX)
    owner = index.owner
    if not isinstance(owner, Operation) or owner.parent is not rw.block:
        return index
    if not any(_comes_from(operand, begin, rw.block) for operand in owner.operands):
        return index
    values = {operand: _moved(rw, operand, begin, at) for operand in owner.operands}
    return rw.insert(owner.clone(value_mapper=values)).results[0]


def _comes_from(value: SSAValue, begin: SSAValue, block: Block | None) -> bool:
    if value is begin:
        return True
    owner = value.owner
    if not isinstance(owner, Operation) or owner.parent is not block:
        return False
    return any(_comes_from(operand, begin, block) for operand in owner.operands)


def _may_move(place: Operation, values: Sequence[SSAValue]) -> bool:
    """Whether what is asked of `values` may be asked before what is around `place`."""
    around = place.parent_op()
    if around is None or around.name in KERNELS:
        return False
    return not any(around.is_ancestor(value.owner) for value in values)


class GpuVectorizeCopies(Pass):
    """Copies that threads share move vectors."""

    name = "gpu-vectorize-copies"
    summary = "Copies that the threads of a block share move several elements at a time"
    anchor = "func.func"
    options = (
        Option(
            "bytes", int, 16, "bytes that a thread moves at a time, at most; 0: an element", least=0
        ),
    )

    bytes: int

    def run(self, op: Operation, ctx: Context) -> None:
        if self.bytes not in (0, 2, 4, 8, 16):
            raise error(op, f"expected 0, 2, 4, 8 or 16 bytes, but found {self.bytes}")
        for inner in list(op.walk()):
            if is_shared_by_threads(inner) and _is_in_kernel(inner):
                self._vectorize(cast("scf.ForallOp", inner))

    def _vectorize(self, loop: scf.ForallOp) -> None:
        try:
            copy = Copy(loop)
        except _Unfit:
            return
        count = self.bytes * 8 // copy.bits
        while count > 1:
            try:
                _Plan(copy, count).build()
            except _Unfit:
                count //= 2
            else:
                return


def _is_in_kernel(op: Operation) -> bool:
    around = op.parent_op()
    while around is not None and around.name not in KERNELS:
        around = around.parent_op()
    return around is not None


# -- gpu-expand-copies: what no memcpy can copy has no function in kernels that it could call.


class GpuExpandCopies(Pass):
    """Copies between strided memrefs in kernels are loops over their elements."""

    name = "gpu-expand-copies"
    summary = "Copies between memrefs with strides become loops in kernels"

    def run(self, op: Operation, ctx: Context) -> None:
        for inner in list(op.walk()):
            if inner.name == "memref.copy" and _is_in_kernel(inner) and _has_gaps(inner):
                _expand_copy(inner)


def _has_gaps(copy: Operation) -> bool:
    """Whether a copy is between ranked memrefs whose elements may not lie one after the other."""
    kinds = [operand.type for operand in copy.operands]
    ranked = [kind for kind in kinds if isinstance(kind, MemRefType)]
    return len(ranked) == len(kinds) and not all(
        strided_form(kind) == (contiguous_strides(kind.get_shape()), 0) for kind in ranked
    )


def _expand_copy(copy: Operation) -> None:
    """memref.copy %a, %b  =>  scf.for { memref.store (memref.load %a[%i]), %b[%i] }"""
    source, target = copy.operands
    rw = Rewriter(copy)
    kind = cast("MemRefType", source.type)
    zero, one = index_constant(rw, 0), index_constant(rw, 1)
    indices: list[SSAValue] = []
    for at in range(kind.get_num_dims()):
        size = rw.value("memref.dim", [source, index_constant(rw, at)], IndexType())
        block = Block(arg_types=[IndexType()])
        rw.create("scf.for", [zero, size, one], regions=[Region(block)])
        with rw.inside(block):
            end = rw.create("scf.yield")
        rw.before(end)
        indices.append(block.args[0])
    element = rw.value("memref.load", [source, *indices], kind.element_type)
    rw.create("memref.store", [element, target, *indices])
    rw.erase(copy)
