# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a kernel tells the sanitizer, in code whose warps are vectors.

    %q = llvm.call @xgpu_lane_xgpu_san_access(%thread, %p, %info, %root, %extent, %word)
    %v = llvm.load %q : !llvm.ptr -> f32
becomes
    llvm.call @xgpu_san_w_load(%lanes, %places, %info, %root, %extent, %values)
    %v = llvm.load %values : !llvm.ptr -> vector<32xf32>

A load or store of the lanes is done by the function that looks at it, lane by lane: each may be led
to other memory, and sees what the lanes before it have stored. Barriers, waits for an mbarrier,
exits and `cp.async` are one call for all lanes. Any other call of the sanitizer is made for each.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Block, Operation, SSAValue

from xgpu.host_device.abi.sanitizer_records import FLAG_VALUE_AT
from xgpu.host_device.compiler import operations
from xgpu.host_device.compiler.code import OF_LANE, call_properties
from xgpu.host_device.compiler.emission import Builder, Emitted, Lanes, Uniform
from xgpu.host_device.compiler.types import I1, I32, I64, POINTER, bits, size_of, vector_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from xdsl.ir import Attribute

    from xgpu.host_device.compiler.vectors.shapes import Shape

#: The lanes that run; None for all.
Mask = SSAValue | None

_PREFIX = f"{OF_LANE}xgpu_san_"
_ACCESS, _BRANCHED, _WAIT = "access", "branched", "mbarrier_wait"
#: Calls for the copies of lanes, and how many addresses each has; other operands are the same.
_COPIES = {"range": 1, "cp_async": 2}
#: Other calls that are one for all lanes, where operands are the same.
_TOGETHER = frozenset((
    "barrier", "barrier_done", "behind", "exit", "reached", _WAIT, "mbarrier_waited",
))  # fmt: skip
_CASTS = ("llvm.addrspacecast", "llvm.bitcast")


def watched_name(op: Operation) -> str:
    """Which function of the sanitizer an operation calls for a lane; "" for another operation."""
    name = operations.callee(op) or "" if op.name == "llvm.call" else ""
    return name[len(_PREFIX) :] if name.startswith(_PREFIX) else ""


def keeps_shape(op: Operation, given: Sequence[Shape]) -> bool:
    """Whether the address that a call gives differs among lanes as the one that it gets; `given`
    are the shapes of its operands."""
    name = watched_name(op)
    if not all(shape.is_uniform for shape in given[2:5]):
        return False
    return name == _WAIT or (name == _ACCESS and accessed(op) is not None)


def accessed(op: Operation) -> Operation | None:
    """The load or store that is done with a look at it; None if it is done by itself."""
    user = op
    while True:
        uses = list(user.results[0].uses)
        if len(uses) != 1 or uses[0].operation.parent is not op.parent:
            return None
        user, index = uses[0].operation, uses[0].index
        if user.name not in _CASTS:
            break
    places = {"llvm.load": 0, "llvm.store": 1}
    if places.get(user.name) != index or operations.is_ordered(user):
        return None
    info = op.operands[2].owner
    if isinstance(info, Block) or info.name != "llvm.mlir.constant":
        return None
    value = info.properties["value"]
    assert isinstance(value, IntegerAttr)
    if value.value.data >> 20 & FLAG_VALUE_AT:
        return None
    ty = user.results[0].type if user.results else user.operands[0].type
    return user if size_of(ty) in (1, 2, 4, 8) and bits(ty) != 1 else None


class WatchedCalls:
    """Emits such calls, and the loads and stores that are done with them."""

    def __init__(self, b: Builder) -> None:
        self.b = b
        #: By load, or store: the values of the lanes, and whether they are the same.
        self._done: dict[Operation, tuple[SSAValue, bool] | None] = {}

    def emit(
        self, op: Operation, operands: list[Emitted], mask: Mask
    ) -> tuple[bool, Emitted | None]:
        """Whether a call is one for all lanes, and what it gives then."""
        name = watched_name(op)
        if name == _ACCESS:
            return self._access(op, operands[1:], mask)
        given = _uniform(operands[1:])
        if name == _BRANCHED:
            return self._branched(operands[1:], mask)
        if name in _COPIES:
            return self._copies(name, op, operands[1:], mask)
        if name not in _TOGETHER or given is None:
            return False, None
        result = op.results[0].type if op.results else None
        found = self._call(name, [self._lanes(mask), *given], result)
        return True, None if found is None else Uniform(found)

    def value(self, op: Operation, mask: Mask) -> tuple[bool, Emitted | None]:
        """Whether an operation is a load or store that is done, and what it gives."""
        if op not in self._done:
            return False, None
        found = self._done[op]
        if found is None:
            return True, None
        values, is_same = found
        vector = self.b.load(values, vector_of(op.results[0].type, self.b.width))
        if not is_same:
            return True, Lanes(vector)
        return True, Uniform(self.b.extract(vector, self._first(mask)))

    def _first(self, mask: Mask) -> SSAValue | int:
        if mask is None:
            return 0
        zero = {"is_zero_poison": IntegerAttr(1, I1)}
        return self.b.value("llvm.intr.cttz", (self.b.mask_bits(mask),), I32, zero)

    def _lanes(self, mask: Mask) -> SSAValue:
        return self.b.integer(-1, I32) if mask is None else self.b.mask_bits(mask)

    def _call(
        self, name: str, given: list[SSAValue], result: Attribute | None = None
    ) -> SSAValue | None:
        types = () if result is None else (result,)
        properties = call_properties(f"xgpu_san_w_{name}", given)
        made = self.b.create("llvm.call", given, types, properties)
        return made.results[0] if result is not None else None

    def _access(
        self, op: Operation, operands: list[Emitted], mask: Mask
    ) -> tuple[bool, Emitted | None]:
        user = accessed(op)
        address, info, root, extent, word = operands
        if user is None:
            return False, None
        same = _uniform([info, root, extent])
        b = self.b
        if same is None:
            return False, None
        places = self._spilled(address)
        if user.name == "llvm.store":
            self._call("store", [self._lanes(mask), places, *same, self._spilled(word)])
            self._done[user] = None
            return True, address
        values = b.alloca(user.results[0].type, b.width)
        self._call("load", [self._lanes(mask), places, *same, values])
        self._done[user] = values, isinstance(address, Uniform)
        return True, address

    def _copies(
        self, name: str, op: Operation, operands: list[Emitted], mask: Mask
    ) -> tuple[bool, Emitted | None]:
        count = _COPIES[name]
        same = _uniform(operands[count:])
        if same is None:
            return False, None
        given = [self._lanes(mask), *map(self._spilled, operands[:count]), *same]
        if not op.results:
            self._call(name, given)
            return True, None
        b = self.b
        found = b.alloca(POINTER, b.width)
        self._call(name, [*given, found])
        return True, Lanes(b.load(found, vector_of(POINTER, b.width)))

    def _spilled(self, value: Emitted) -> SSAValue:
        """A value of each lane, in memory."""
        b = self.b
        vector = b.as_lanes(value)
        place = b.alloca(POINTER if vector.type == vector_of(POINTER, b.width) else I64, b.width)
        b.store(vector, place)
        return place

    def _branched(self, operands: list[Emitted], mask: Mask) -> tuple[bool, Emitted | None]:
        taken, *rest = operands
        barriers = _uniform(rest)
        if barriers is None:
            return False, None
        b = self.b
        vector = b.as_lanes(taken)
        bits = b.mask_bits(b.icmp("ne", vector, b.constant_vector([0] * b.width, I32)))
        self._call(_BRANCHED, [self._lanes(mask), bits, *barriers])
        return True, None


def _uniform(operands: list[Emitted]) -> list[SSAValue] | None:
    """Operands that are the same in all lanes; None if one is not."""
    found = [operand.value for operand in operands if isinstance(operand, Uniform)]
    return found if len(found) == len(operands) else None
