# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loads, stores and atomic operations in PTX."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DenseArrayBase, IntegerAttr, StringAttr, UnitAttr, VectorType
from xdsl.ir import Attribute, SSAValue

from xgpu.dialects.llvm.builders import integer
from xgpu.dialects.llvm.types import LLVMPointerType, LLVMStructType
from xgpu.frontend.ptx.grammar import Operand
from xgpu.frontend.ptx.instructions import Built, element_type, instruction, scalar_of
from xgpu.frontend.ptx.registers import I1, I32, I64, as_pointer, as_type, integer_type, width_of

#: Address spaces of LLVM by PTX's words.
_SPACES = {"global": 1, "shared": 3, "shared::cta": 3, "shared::cluster": 7, "const": 4, "local": 5}
_SCOPES = {"cta": "block", "cluster": "cluster", "gpu": "device", "sys": ""}
_ORDERS = {"relaxed": 2, "acquire": 4, "release": 5, "acq_rel": 6}
#: What says how memory is cached: nothing here.
_HINTS = (
    "ca", "cg", "cs", "lu", "cv", "wb", "wt", "nc", "noftz",
    *(f"{level}::{what}" for level in ("L1", "L2") for what in (
        "evict_normal", "evict_unchanged", "evict_first", "evict_last", "no_allocate",
        "cache_hint", "64B", "128B", "256B",
    )),
)  # fmt: skip
_VECTORS = {"v2": 2, "v4": 4, "v8": 8}


class Access:
    """What the modifiers of a load or store say."""

    def __init__(self, p: Built) -> None:
        name = p.take_type()
        ty = scalar_of(name)
        if ty is None or (ty[2] != 1 and ty[0] not in ("f", "bf")):
            p.refuse(f"'.{name}'")
        self.kind, width, lanes = ty
        self.width = width * lanes
        p.take("weak")
        self.is_volatile = p.take("volatile", "mmio") is not None
        self.order = _ORDERS[p.take(*_ORDERS) or "relaxed"] if self._is_atomic(p) else 0
        self.scope = _SCOPES[p.take(*_SCOPES) or "sys"]
        self.space = _SPACES[space] if (space := p.take(*_SPACES)) is not None else 0
        self.count = _VECTORS[vector] if (vector := p.take(*_VECTORS)) is not None else 1
        while p.take(*_HINTS):
            pass
        p.finish()

    @staticmethod
    def _is_atomic(p: Built) -> bool:
        return any(word in p.words for word in _ORDERS)

    @property
    def is_plain(self) -> bool:
        return not self.is_volatile and not self.order

    def properties(self, size: int) -> dict[str, Attribute]:
        """Of an access to so many bytes."""
        # The address of a whole access is a multiple of its bytes (PTX ISA 6.4.1, "Addresses as
        # Operands").
        found: dict[str, Attribute] = {"alignment": integer(size, I64)}
        if self.is_volatile:
            found["volatile_"] = UnitAttr()
        if self.order:
            found["ordering"] = IntegerAttr(self.order, I64)
            if self.scope:
                found["syncscope"] = StringAttr(self.scope)
        return found


@instruction("ld", "ldu")
def load(p: Built) -> None:
    """ld[.order][.scope][.space][.hints][.vector].<type> d, [a]"""
    access = Access(p)
    b = p.b
    targets = p.parts(0)
    if len(targets) != access.count or access.width > 128:
        p.refuse()
    base = p.pointer(1, access.space)
    ty = _loaded_type(p, targets, access)
    size = access.width // 8
    if access.count > 1 and access.is_plain:
        whole = VectorType(ty, (access.count,))
        loaded = b.value("llvm.load", (base,), whole, access.properties(size * access.count))
        values = [b.element(loaded, at) for at in range(access.count)]
    else:
        values = [
            b.value("llvm.load", (p.moved(base, at * size),), ty, access.properties(size))
            for at in range(access.count)
        ]
    for target, value in zip(targets, values, strict=True):
        p.write(target, value, access.kind == "s")


def _loaded_type(p: Built, targets: Sequence[Operand], access: Access) -> Attribute:
    """The type of the registers, where all have one of so many bits; else an integer."""
    slots = [p.slot(target) for target in targets]
    types = {None if slot is None else slot.type for slot in slots}
    (ty,) = types if len(types) == 1 else (None,)
    is_float = ty is not None and ty.name != "llvm.ptr" and width_of(ty) == access.width
    return ty if is_float and ty is not None else integer_type(access.width)


@instruction("st")
def store(p: Built) -> None:
    """st[.order][.scope][.space][.hints][.vector].<type> [a], b"""
    store_all(p, Access(p))


def store_all(p: Built, access: Access) -> None:
    """Stores the registers of the second operand."""
    b = p.b
    sources = p.parts(1)
    if len(sources) != access.count or access.width > 128:
        p.refuse()
    base = p.pointer(0, access.space)
    size = access.width // 8
    ty = _loaded_type(p, sources, access)
    if ty.name == "integer_type":
        values = [p.integer(part, access.width) for part in sources]
    else:
        values = [as_type(b, p.value(part, access.width), ty) for part in sources]
    if access.count > 1 and access.is_plain:
        whole = b.vector(VectorType(ty, (access.count,)), values)
        b.create("llvm.store", (whole, base), (), access.properties(size * access.count))
        return
    for at, value in enumerate(values):
        place = p.moved(base, at * size)
        b.create("llvm.store", (value, place), (), access.properties(size))


# -- atomic operations: numbers of llvm.atomicrmw by operation and kind of type

_BITWISE = {"exch": 0, "and": 3, "or": 5, "xor": 6}
_SIGNED = {"add": 1, "max": 7, "min": 8}
_UNSIGNED = {"add": 1, "max": 9, "min": 10, "inc": 15, "dec": 16}
_FLOATING = {"add": 11, "max": 13, "min": 14}
_OPERATIONS = ("and", "or", "xor", "cas", "exch", "add", "inc", "dec", "min", "max")


def atomic_number(operation: str, kind: str) -> int | None:
    """The number of `llvm.atomicrmw` for an operation of PTX, None if there is none."""
    if operation in _BITWISE:
        return _BITWISE[operation]
    tables = {"s": _SIGNED, "u": _UNSIGNED, "f": _FLOATING, "bf": _FLOATING}
    return tables.get(kind, {}).get(operation)


@instruction("atom", "red")
def atomic(p: Built) -> None:
    """atom[.order][.scope][.space].<operation>.<type> d, [a], b[, c]; red without d. Elements of a
    vector (.v2.f32 before or behind the operation) are done one after the other."""
    order = _ORDERS[p.take(*_ORDERS) or "relaxed"]
    scope = _SCOPES[p.take(*_SCOPES) or "sys"]
    word = p.take(*_SPACES)
    operation = p.need(*_OPERATIONS)
    while p.take(*_HINTS):
        pass
    vector = p.take(*_VECTORS)
    name = p.take_type()
    ty = scalar_of(name) or p.refuse(f"'.{name}'")
    p.finish()
    first = 1 if p.instruction.words[0] == "atom" else 0
    pointer = p.pointer(first, _SPACES[word] if word is not None else 0)
    if vector is None:
        found = _updated(p, pointer, first, p.operand(first + 1), operation, ty, order, scope)
        if first:
            p.write(0, found, ty[0] == "s")
        return
    values = p.parts(first + 1)
    if len(values) != _VECTORS[vector] or ty[0] not in ("f", "bf") or operation == "cas":
        p.refuse(f"'.{vector}'")
    for at, value in enumerate(values):
        place = p.moved(pointer, at * ty[1] * ty[2] // 8)
        found = _updated(p, place, first, value, operation, ty, order, scope)
        if first:
            p.write(p.parts(0)[at], found)


def _updated(
    p: Built, pointer: SSAValue, first: int, given: Operand, operation: str,
    ty: tuple[str, int, int], order: int, scope: str,
) -> SSAValue:  # fmt: skip
    """What memory held before it was updated."""
    b = p.b
    kind, width, lanes = ty
    ordering = {"ordering": IntegerAttr(order, I64)}
    extra: dict[str, Attribute] = {"syncscope": StringAttr(scope)} if scope else {}
    if operation == "cas":
        return _compare_and_swap(p, pointer, first, width, order, extra)
    number = atomic_number(operation, kind)
    if number is None:
        p.refuse()
    if lanes > 1:
        of: Attribute = VectorType(element_type(kind, width), (lanes,))
    else:
        of = element_type(kind, width) if 10 < number < 15 else integer_type(width)
    value = as_type(b, p.value(given, width * lanes), of)
    properties = {"bin_op": IntegerAttr(number, I64), **ordering, **extra}
    return b.value("llvm.atomicrmw", (pointer, value), value.type, properties)


def _compare_and_swap(
    p: Built, pointer: SSAValue, first: int, width: int, order: int, extra: dict[str, Attribute]
) -> SSAValue:
    ty = integer_type(width)
    expected, new = (p.integer(first + at, width) for at in (1, 2))
    failure = 4 if order in (4, 6) else 2
    properties = {
        "success_ordering": IntegerAttr(order, I64),
        "failure_ordering": IntegerAttr(failure, I64),
        **extra,
    }
    pair = p.b.value("llvm.cmpxchg", (pointer, expected, new), LLVMStructType((ty, I1)), properties)
    member = {"position": DenseArrayBase.from_list(I64, [0])}
    return p.b.value("llvm.extractvalue", (pair,), ty, member)


# -- hints, and other blocks' memory


@instruction("prefetch", "prefetchu", "applypriority", "discard")
def hint(p: Built) -> None:
    """Says nothing about what memory holds."""


@instruction("createpolicy", pure=True)
def policy(p: Built) -> None:
    p.write(0, p.b.integer(0, I64))


@instruction("mapa")
def map_to_rank(p: Built) -> None:
    """mapa[.shared::cluster].<type> d, a, rank: the same place in another block's memory."""
    name = p.take_type()
    in_shared = p.take("shared::cluster") is not None
    p.finish()
    space = 3 if in_shared else 0
    pointer = as_pointer(p.b, p.value(1, 32 if name.endswith("32") else 64), space)
    result = LLVMPointerType(7 if in_shared else 0) if in_shared else LLVMPointerType()
    p.write(0, p.b.value("nvvm.mapa", (pointer, p.integer(2, 32)), result))


@instruction("getctarank")
def rank_of(p: Built) -> None:
    name = p.take_type()
    p.take("shared::cluster")
    p.finish()
    pointer = as_pointer(p.b, p.value(1, 32 if name.endswith("32") else 64), 7)
    found = p.b.nvvm("ptx.getctarank", (pointer,), I32)
    assert found is not None
    p.write(0, found)
