# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The operations of a kernel, once for a vector of threads: what all strategies in which a warp is
a vector have in common.

`emit` does one operation under a mask; who calls it walks the kernel's control flow (`loops`):
region by region for the loops of a block (`block_loops`), from beginning to end for a warp that
waits (`warp_code`). `group` is the number of the vector in its block.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import DenseArrayBase, IntegerAttr, SymbolRefAttr, i1, i32, i64
from xdsl.ir import Operation, Region, SSAValue

from xgpu.backend.llvm_ir.facts import integers
from xgpu.host_device.compiler import claims, operations
from xgpu.host_device.compiler.code import NoRegions
from xgpu.host_device.compiler.emission import (
    Affine,
    Builder,
    Emitted,
    Lanes,
    Uniform,
    each_lane,
)
from xgpu.host_device.compiler.types import I8, I32, I64, POINTER, plain
from xgpu.host_device.compiler.vectors.bounds import BoundsChecks, note_test
from xgpu.host_device.compiler.vectors.memory import Memory
from xgpu.host_device.compiler.vectors.reconvergence import rebuilt
from xgpu.host_device.compiler.vectors.shapes import AFFINE, VARYING, WARP, Layout, Shape
from xgpu.host_device.compiler.vectors.uniformity import Uniformity, private_bytes
from xgpu.host_device.compiler.vectors.vector_ops import VectorOps
from xgpu.host_device.compiler.vectors.warp_ops import WarpOps

if TYPE_CHECKING:
    from collections.abc import Mapping

    from xdsl.dialects.builtin import IntegerType
    from xdsl.ir import Attribute


Mask = SSAValue | None

#: Bytes that a block's values may take on the stack of the thread that runs it.
MOST_BYTES = 1 << 18


class VectorCode:
    """Builds operations of a prepared kernel for vectors."""

    def __init__(self, function: Operation, layout: Layout) -> None:
        self.function = function
        self.layout = layout
        self.u = Uniformity(function, layout)
        self.region = Region()
        self.b = Builder(self.region, layout.width)
        self.memory = Memory(self.b, operations.RELAXED_FLOATS in function.attributes)
        self.ops = VectorOps(self.b)
        self.warp = WarpOps(self.b)
        self.bounds = BoundsChecks(self.b, lambda: self._register_named("linear", I32))
        #: What is there in the whole function, and what only where the code now is.
        self.block_values: dict[SSAValue, Emitted] = {}
        self.values: dict[SSAValue, Emitted] = {}
        self.private: dict[SSAValue, SSAValue] = {}
        self.bytes = 0
        self.group: SSAValue = None  # type: ignore[assignment]
        self._prints = any(
            op.name == "llvm.call" and operations.callee(op) == "vprintf"
            for block in self.u.graph.blocks for op in block.ops
        )  # fmt: skip

    @property
    def copies(self) -> int:
        """For how many vectors the function has private memory."""
        return self.layout.groups

    def is_known_before(self, value: SSAValue) -> bool:
        """Whether a value is computed elsewhere, not where its operation stands."""
        return False

    def _enter_function(self) -> None:
        for argument in self.u.graph.blocks[0].args:
            new = self.b.first.insert_arg(argument.type, len(self.b.first.args))
            new.name_hint = argument.name_hint
            value: SSAValue = new
            if new.type.name == "llvm.ptr" and new.type != POINTER:
                value = self.b.value("llvm.addrspacecast", (new,), POINTER)
            self.block_values[argument] = Uniform(value)

    # -- values

    def get(self, value: SSAValue) -> Emitted:
        found = self.values.get(value)
        if found is None:
            found = self.block_values[value]
        return found

    def bind(self, value: SSAValue, emitted: Emitted) -> None:
        self.values[value] = emitted

    # -- memory of the function

    def _reserve(self, size: int, what: str) -> None:
        self.bytes += size
        if self.bytes > MOST_BYTES:
            raise NoRegions(f"{what} of a block take more than {MOST_BYTES} bytes", None)

    def _group64(self) -> SSAValue | int:
        return 0 if self.layout.groups == 1 else self.b.value("llvm.zext", (self.group,), i64)

    def _raw(self, emitted: Emitted, shape: Shape) -> SSAValue:
        if shape.level == VARYING:
            return self.b.as_lanes(emitted)
        if isinstance(emitted, Affine):
            return emitted.base
        assert isinstance(emitted, Uniform)
        return emitted.value

    def _threads(self) -> Mask:
        """The lanes of this vector that are threads of the block; None for all."""
        layout, b = self.layout, self.b
        if layout.is_full:
            return None
        if layout.rows:
            limit, name = layout.block[0], "tid.x"
        else:
            limit, name = layout.threads, "linear"
        emitted = self._register_named(name, I32)
        bound = b.constant_vector([limit] * b.width, I32)
        return b.icmp("ult", b.as_lanes(emitted), bound)

    # -- operations

    def _emit(self, op: Operation, block: int, mask: Mask) -> None:
        result = op.results[0] if op.results else None
        if result is not None and self.is_known_before(result):
            return
        self.b.location = op.location
        emitted = self._emitted(op, mask)
        if result is not None and emitted is not None:
            self.values[result] = emitted

    def check(self, op: Operation, operands: list[Emitted], mask: Mask) -> None:
        """An access that the sanitizer has marked."""
        raise NoRegions("the sanitizer's checks are in block loops alone", op)

    def together(self, op: Operation, operands: list[Emitted], mask: Mask) -> None:
        """Before an operation of a warp that the lanes of a mask execute."""

    def _emitted(self, op: Operation, mask: Mask) -> Emitted | None:
        name = op.name
        if operations.is_barrier(op) or name in operations.HINTS:
            return None
        if name in operations.FENCES:
            self.b.create("llvm.fence", (), (), _fence())
            return None
        register = operations.register(op)
        if register is not None:
            return self._register(op, register)
        if name == "llvm.alloca":
            return self._private_memory(op)
        if operations.is_pure(op) or name == "llvm.addrspacecast":
            return self._pure(op, mask)
        if operations.is_bounds_check(op):
            self.bounds.emit(op, self.get, mask)
            return None
        if operations.is_mark(op):
            self.memory.count(op, mask)
            return None
        operands = [self.get(o) for o in op.operands]
        if operations.is_screen_check(op):
            self.check(op, operands, mask)
            return None
        if name == "llvm.load":
            return self.memory.load(op, operands[0], mask)
        if name == "llvm.store":
            self.memory.store(op, operands[0], operands[1], mask)
            return None
        if name == "llvm.atomicrmw":
            return self.atomic(op, operands, mask)
        if name == "llvm.cmpxchg":
            return self.memory.exchange(op, operands, mask)
        if name == "llvm.extractvalue":
            return self._member(op, operands[0])
        if name in operations.WARP:
            self.together(op, operands, mask)
            return self.warp.emit(op, operands, mask)
        if name == "llvm.call" and operations.callee(op) in operations.SERVICES:
            return self._service(op, operands, mask)
        if name == "llvm.call":
            return self.ops.call(op, self.u.of(op.results[0]), operands, mask)
        if name == "llvm.call_intrinsic":
            return self.ops.intrinsic(op, self.u.of(op.results[0]), operands, mask)
        return self._by_itself(op, operands, mask)

    def atomic(self, op: Operation, operands: list[Emitted], mask: Mask) -> Emitted | None:
        return self.memory.atomic(op, operands, mask)

    def _uniform(self, value: SSAValue) -> SSAValue:
        emitted = self.get(value)
        assert isinstance(emitted, Uniform)
        return emitted.value

    def _by_itself(self, op: Operation, operands: list[Emitted], mask: Mask) -> Emitted | None:
        """What a thread computes by itself, and no vector instruction does."""
        if op.results and self.u.of(op.results[0]).level <= WARP:
            given = [self._raw(o, self.u.of(v)) for o, v in zip(operands, op.operands, strict=True)]
            return Uniform(self.b.value(op.name, given, op.results[0].type, op.properties))
        return self.ops.by_lanes(op, operands, mask)

    def _constant(self, op: Operation) -> SSAValue:
        """Constants stand in the function's first block."""
        b = self.b
        block, b.block = b.block, b.first
        ty = op.results[0].type
        if op.name == "llvm.mlir.constant" and ty.name == "integer_type":
            value = cast("IntegerAttr", op.properties["value"])
            result = b.integer(int(value.value.data), cast("IntegerType", ty))
        else:
            result = b.value(op.name, (), ty, op.properties)
            if ty.name == "llvm.ptr" and ty != POINTER:
                result = b.value("llvm.addrspacecast", (result,), POINTER)
        b.block = block
        return result

    def _pure(self, op: Operation, mask: Mask) -> Emitted:
        if op.name in operations.CONSTANTS:
            return Uniform(self._constant(op))
        shape = self.u.of(op.results[0])
        if shape.is_known and op.results[0].type.name == "integer_type":
            return self.ops.known(shape, op.results[0].type)
        operands = [self.get(o) for o in op.operands]
        if op.name == "llvm.addrspacecast":
            return operands[0]
        if op.name == "llvm.getelementptr":
            return self.ops.address(op, shape, operands, mask)
        home = self.u.home(op.results[0]) or 0
        given = [self.u.at(o, home) for o in op.operands]
        result = self.ops.emit(op, shape, given, operands, mask)
        if op.results[0].type == i1:
            note_test(self.b, op, operands, given, result)
        return result

    def _member(self, op: Operation, aggregate: Emitted) -> Emitted:
        position = integers(op.properties["position"])[0]
        if isinstance(aggregate, Uniform):
            ty = plain(op.results[0].type)
            return Uniform(self.b.value(op.name, (aggregate.value,), ty, op.properties))
        items = getattr(aggregate, "items", None)
        if items is None:
            raise NoRegions("a struct is taken apart", op)
        found = items[position]
        # A member that came out narrower than the analysis expects is used as it is.
        return found

    # -- thread indices and private memory

    def _register(self, op: Operation, name: str) -> Emitted:
        shape = self.layout.register(name)
        ty = op.results[0].type
        if shape is None or name in ("ctaid.x", "nctaid.x"):
            return Uniform(self.b.value(op.name, (), ty, op.properties))
        if name.startswith("lanemask."):
            return self._lane_mask(name)
        return self._register_named(name, ty)

    def _register_named(self, name: str, ty: Attribute) -> Emitted:
        shape = self.layout.register(name)
        assert shape is not None
        if shape.is_known:
            return self.ops.known(shape, ty)
        if shape.level == VARYING:
            return Lanes(self._computed_index("xyz".index(name[-1])))
        return rebuilt(self.layout.base(self.b, name, self.group), shape)

    def _computed_index(self, axis: int) -> SSAValue:
        """A thread index of a block whose rows do not fit vectors, lane by lane."""
        b = self.b
        x, y, _ = self.layout.block
        linear = b.as_lanes(self._register_named("linear", I32))
        if axis == 0:
            return b.binary("urem", linear, b.constant_vector([x] * b.width, I32))
        by = x if axis == 1 else x * y
        quotient = b.binary("udiv", linear, b.constant_vector([by] * b.width, I32))
        if axis != 1:
            return quotient
        return b.binary("urem", quotient, b.constant_vector([y] * b.width, I32))

    def _lane_mask(self, name: str) -> Emitted:
        """PTX ISA: lanemask_eq, _lt, _le, _gt, _ge."""
        values = {
            "eq": lambda lane: 1 << lane,
            "lt": lambda lane: (1 << lane) - 1,
            "le": lambda lane: (2 << lane) - 1,
            "gt": lambda lane: -(2 << lane),
            "ge": lambda lane: -(1 << lane),
        }[name.rpartition(".")[2]]
        return Lanes(self.b.constant_vector([values(lane) for lane in range(self.b.width)], I32))

    def _private_memory(self, op: Operation) -> Emitted:
        """Each thread's own: lane after lane, vector after vector."""
        size = private_bytes(op)
        if size is None:
            raise NoRegions("private memory of a size known only at run time", op)
        shape = self.u.of(op.results[0])
        place = self.private.get(op.results[0])
        whole = size * self.b.width
        if place is None:
            self._reserve(whole * self.copies, "the private memory of the threads")
            alignment = max(claims.OWN_ALIGNMENT, claims.of_allocation(op))
            place = self.b.alloca(I8, whole * self.copies, alignment)
            self.private[op.results[0]] = place
            if self._prints:
                self._clear(place, whole * self.copies)
        base = place
        if self.copies > 1:
            offset = self.b.binary("mul", self._group64(), whole)
            base = self.b.address(place, offset)
        return Affine(base, shape.offsets) if shape.level == AFFINE and shape.offsets else (
            Uniform(base)
        )  # fmt: skip

    def _clear(self, place: SSAValue, size: int) -> None:
        """printf reads whole words of what is stored as narrower integers."""
        b = self.b
        block, b.block = b.block, b.first
        b.create(
            "llvm.intr.memset", (place, b.integer(0, I8), b.integer(size)), (),
            {"isVolatile": IntegerAttr(0, i1)},
        )  # fmt: skip
        b.block = block

    # -- services of the device

    def _service(self, op: Operation, operands: list[Emitted], mask: Mask) -> Emitted | None:
        """A call of the device's, thread after thread; the thread's record says which."""
        b = self.b
        indices = [self._register_named(n, I32) for n in ("tid.x", "tid.y", "tid.z", "linear")]
        types = [r.type for r in op.results]

        def one(lane: SSAValue, given: list[SSAValue]) -> list[SSAValue]:
            b.create("llvm.call", given[:4], (), _set_thread())
            return list(b.create(op.name, given[4:], types, op.properties).results)

        found = each_lane(b, mask, [*indices, *operands], types, one)
        return found[0] if found else None


def _fence() -> Mapping[str, Attribute]:
    return {"ordering": IntegerAttr(7, I64)}


#: What the lowering of the block function makes stores to the thread's record of.
SET_THREAD = "xgpu.set_thread"


def _set_thread() -> Mapping[str, Attribute]:
    return {
        "callee": SymbolRefAttr(SET_THREAD),
        "operandSegmentSizes": DenseArrayBase.from_list(i32, [4, 0]),
        "op_bundle_sizes": DenseArrayBase.from_list(i32, []),
    }
