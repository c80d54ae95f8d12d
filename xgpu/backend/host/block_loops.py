# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A kernel as a function that runs a whole block: loops over warps between barriers.

    kernel                            block function
      a                                 for each vector: a
      barrier                           n = ...            // the same in the block: once
      for n { b; barrier; c; barrier }  loop n { for each vector: b; for each vector: c }

The function has the kernel's parameters and is called once for each block. What the threads of a
block have in common is computed outside of the loops over vectors; see `crossing` for what else
lives from region to region, `masks` for control flow inside of a region.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import IntegerAttr, i1, i32, i64
from xdsl.ir import Block, Operation, Region, SSAValue

from xgpu.backend.host import operations
from xgpu.backend.host.comparisons import note_test
from xgpu.backend.host.crossing import Crossing, edge_values
from xgpu.backend.host.emission import Affine, Builder, Emitted, Lanes, Uniform
from xgpu.backend.host.graph import Level
from xgpu.backend.host.lanes import each_lane
from xgpu.backend.host.layout import Layout
from xgpu.backend.host.loops import RegionWalk
from xgpu.backend.host.memory import Memory
from xgpu.backend.host.private_tables import COPIES, PrivateTables, Table, add, clear, merge
from xgpu.backend.host.records import rebuilt
from xgpu.backend.host.regions import NoRegions, Segment, ends_in_barrier, find_segments
from xgpu.backend.host.sanitize_marks import Screen, is_check
from xgpu.backend.host.sanitize_screen import Checks
from xgpu.backend.host.shapes import AFFINE, BLOCK, VARYING, WARP, Shape
from xgpu.backend.host.types import I8, I32, I64, POINTER, plain, size_of, vector_of
from xgpu.backend.host.uniformity import Uniformity, private_bytes
from xgpu.backend.host.vector_ops import VectorOps
from xgpu.backend.host.warp_ops import WarpOps

if TYPE_CHECKING:
    from xdsl.ir import Attribute


Mask = SSAValue | None

#: Bytes that a block's values may take on the stack of the thread that runs it.
MOST_BYTES = 1 << 18


class BlockLoops:
    """Makes the block function's body from a prepared kernel."""

    def __init__(
        self,
        function: Operation,
        layout: Layout,
        shared: dict[str, int] | None = None,
        screen: Screen | None = None,
    ) -> None:
        self.function = function
        self.layout = layout
        self.u = Uniformity(function, layout)
        self.segments = find_segments(self.u)
        self.crossing = Crossing(self.u, self.segments)
        self.region = Region()
        self.b = Builder(self.region, layout.width)
        self.memory = Memory(self.b)
        self.checks = Checks(self.b, screen)
        self.tables = PrivateTables(self.u, shared or {}, layout.threads)
        self.private_tables: dict[Operation, Table] = {}
        self.ops = VectorOps(self.b)
        self.warp = WarpOps(self.b)
        self.block_values: dict[SSAValue, Emitted] = {}
        self.values: dict[SSAValue, Emitted] = {}
        self.slots: dict[SSAValue, SSAValue] = {}
        self.private: dict[SSAValue, SSAValue] = {}
        self.bytes = 0
        self.group: SSAValue = None  # type: ignore[assignment]
        self._heads: dict[int, Block] = {}
        self._prints = any(
            op.name == "llvm.call" and operations.callee(op) == "vprintf"
            for block in self.u.graph.blocks for op in block.ops
        )  # fmt: skip

    def run(self) -> Region:
        """The body. Raises `NoRegions` for what this form cannot run."""
        self._enter_function()
        for value in self.crossing.slots:
            self._allocate(value)
        for segment in self.segments:
            self._heads[segment.leader] = self.b.new_block()
        for segment in self.segments[1:]:
            head = self._heads[segment.leader]
            for argument in self._block_arguments(segment.leader):
                self.block_values[argument] = Uniform(
                    head.insert_arg(plain(argument.type), len(head.args))
                )
        for segment in self.segments:
            self._segment(segment)
        self.checks.finish()
        self.b.block = self.b.first
        self.checks.begin()
        self.b.branch(self._heads[0])
        return self.region

    def _enter_function(self) -> None:
        for argument in self.u.graph.blocks[0].args:
            new = self.b.first.insert_arg(argument.type, len(self.b.first.args))
            new.name_hint = argument.name_hint
            value: SSAValue = new
            if new.type.name == "llvm.ptr" and new.type != POINTER:
                value = self.b.value("llvm.addrspacecast", (new,), POINTER)
            self.block_values[argument] = Uniform(value)

    def _block_arguments(self, leader: int) -> list[SSAValue]:
        return [a for a in self.u.graph.blocks[leader].args if a in self.crossing.block]

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

    def _slot_type(self, value: SSAValue) -> Attribute:
        if self.crossing.shape(value).level == VARYING:
            return vector_of(value.type, self.b.width)
        return plain(value.type)

    def _allocate(self, value: SSAValue) -> None:
        ty = self._slot_type(value)
        shape = self.crossing.shape(value)
        count = 1 if shape.level == BLOCK else self.layout.groups
        lanes = self.b.width if shape.level == VARYING else 1
        self._reserve(count * lanes * (size_of(value.type) or 8), "the values that live")
        self.slots[value] = self.b.alloca(ty, count)

    def _place(self, value: SSAValue) -> SSAValue:
        if self.crossing.shape(value).level == BLOCK:
            return self.slots[value]
        return self.b.address(self.slots[value], self._group64(), self._slot_type(value))

    def _group64(self) -> Any:
        return 0 if self.layout.groups == 1 else self.b.value("llvm.zext", (self.group,), i64)

    def _load_slot(self, value: SSAValue) -> Emitted:
        return rebuilt(
            self.b.load(self._place(value), self._slot_type(value), self._alignment(value)),
            self.crossing.shape(value),
        )

    def _alignment(self, value: SSAValue) -> int:
        """That of a slot: vectors need not lie at multiples of their own size."""
        size = size_of(value.type) or 1
        return min(64, size * self.b.width) if self._is_vector(value) else size

    def _is_vector(self, value: SSAValue) -> bool:
        return self.crossing.shape(value).level == VARYING

    def _raw(self, emitted: Emitted, shape: Shape) -> SSAValue:
        if shape.level == VARYING:
            return self.b.as_lanes(emitted)
        if isinstance(emitted, Affine):
            return emitted.base
        assert isinstance(emitted, Uniform)
        return emitted.value

    # -- regions

    def _segment(self, segment: Segment) -> None:
        self.values = {}
        self.b.enter(self._heads[segment.leader])
        for number in sorted(segment.blocks):
            for op in self.u.graph.blocks[number].ops:
                if op.results and op.results[0] in self.crossing.block:
                    self.b.location = op.location
                    self.block_values[op.results[0]] = self._block_value(op)
        self.private_tables = self.tables.of(segment)
        tables = dict.fromkeys(self.private_tables.values())
        for table in tables:
            self._reserve(table.size * COPIES, "the copies of counters")
            clear(self.b, table)
        if self._has_work(segment):
            self._over_groups(segment)
        for table in tables:
            merge(self.b, table, self._uniform(table.address))
        self._leave(segment)

    def _block_value(self, op: Any) -> Emitted:
        if op.name in operations.CONSTANTS:
            return Uniform(self._constant(op))
        register = operations.register(op)
        if register is not None:
            return self._register(op, register)
        return self._pure(op, None)

    def _has_work(self, segment: Segment) -> bool:
        if any(self._stored_at_end(segment)):
            return True
        return any(
            op.name not in operations.TERMINATORS and not operations.is_barrier(op)
            and not (operations.is_pure(op) or operations.register(op) is not None)
            and op.name not in operations.HINTS
            for number in segment.blocks for op in self.u.graph.blocks[number].ops
        )  # fmt: skip

    def _over_groups(self, segment: Segment) -> None:
        """for g in 0 .. groups { the region }"""
        count = self.layout.groups
        if count == 1:
            self.group = self.b.integer(0, I32)
            self._group(segment)
            return
        head, after = self.b.new_block([i32]), self.b.new_block()
        self.b.branch(head, [self.b.integer(0, I32)])
        self.b.enter(head)
        self.group = head.args[0]
        self._group(segment)
        following = self.b.add(self.group, 1)
        self.b.cond_branch(self.b.icmp("ult", following, count), head, after, [following], [])
        self.b.enter(after)

    def _group(self, segment: Segment) -> None:
        mask = self._threads()
        for value in self.crossing.needed[segment.leader]:
            if value in self.slots:
                self.values[value] = self._load_slot(value)
            else:
                self._emit(value.owner, self.u.home(value) or 0, mask)
        graph = self.u.graph
        level = Level(graph, segment.blocks, segment.leader, None)
        walk = RegionWalk(self.u, self.b, self.get, self.bind, self._emit)
        walk.region(level, segment.exit, mask)
        stored = [(place, self._raw(self.get(v), shape)) for place, v, shape in
                  self._stored_at_end(segment)]  # fmt: skip
        for value, raw in stored:
            self.b.store(raw, self._place(value), self._alignment(value))

    def _stored_at_end(self, segment: Segment) -> list[tuple[SSAValue, SSAValue, Shape]]:
        """What a region leaves in slots: (whose slot, which value, in which shape)."""
        found: list[tuple[SSAValue, SSAValue, Shape]] = []
        for value in self.slots:
            if not self.crossing.is_leader_argument(value) and (
                self.crossing.home(value) is segment
            ):
                found.append((value, value, self.crossing.shape(value)))
        for _, leader, operands in edge_values(self.u, segment):
            arguments = self.u.graph.blocks[leader].args
            for argument, operand in zip(arguments, operands, strict=True):
                if argument in self.slots:
                    found.append((argument, operand, self.u.of(argument)))
        return found

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
        bound = b.vector([limit] * b.width, I32)
        return b.icmp("ult", b.as_lanes(emitted), bound)

    # -- from region to region

    def _leave(self, segment: Segment) -> None:
        graph = self.u.graph
        last: Any = graph.blocks[segment.exit].last_op
        self.b.location = last.location
        if ends_in_barrier(graph, segment.exit):
            self.checks.region()
        ways = edge_values(self.u, segment)
        if not ways:
            self.b.create("llvm.return")
            return
        targets = [self._heads[leader] for _, leader, _ in ways]
        passed: list[list[SSAValue]] = []
        for _, leader, operands in ways:
            arguments = graph.blocks[leader].args
            passed.append([
                self._at_block_level(o) for a, o in zip(arguments, operands, strict=True)
                if a in self.crossing.block
            ])  # fmt: skip
        if len(ways) == 1:
            self.b.branch(targets[0], passed[0])
            return
        condition = self._at_block_level(last.operands[0])
        self.b.cond_branch(condition, targets[0], targets[1], passed[0], passed[1])

    def _at_block_level(self, value: SSAValue) -> SSAValue:
        found = self.block_values.get(value)
        if found is None:
            found = Uniform(self.b.load(self.slots[value], plain(value.type)))
        assert isinstance(found, Uniform)
        return found.value

    # -- operations

    def _emit(self, op: Any, block: int, mask: Mask) -> None:
        result = op.results[0] if op.results else None
        if result is not None and result in self.crossing.block:
            return
        self.b.location = op.location
        emitted = self._emitted(op, mask)
        if result is not None and emitted is not None:
            self.values[result] = emitted

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
        operands = [self.get(o) for o in op.operands]
        if is_check(op):
            linear = self._register_named("linear", I32)
            self.checks.emit(op, operands, linear, mask)
            return None
        if name == "llvm.load":
            return self.memory.load(op, operands[0], mask)
        if name == "llvm.store":
            self.memory.store(op, operands[0], operands[1], mask)
            return None
        if op in self.private_tables:
            table = self.private_tables[op]
            return add(self.b, table, self._uniform(table.address), operands, mask)
        if name == "llvm.atomicrmw":
            return self.memory.atomic(op, operands, mask)
        if name == "llvm.cmpxchg":
            return self.memory.exchange(op, operands, mask)
        if name == "llvm.extractvalue":
            return self._member(op, operands[0])
        if name in operations.WARP:
            return self.warp.emit(op, operands, mask)
        if name == "llvm.call" and operations.callee(op) in operations.SERVICES:
            return self._service(op, operands, mask)
        if name == "llvm.call":
            return self.ops.call(op, self.u.of(op.results[0]), operands, mask)
        return self._by_itself(op, operands, mask)

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

    def _constant(self, op: Any) -> SSAValue:
        """Constants stand in the function's first block."""
        b = self.b
        block, b.block = b.block, b.first
        ty = op.results[0].type
        if op.name == "llvm.mlir.constant" and ty.name == "integer_type":
            value: IntegerAttr = op.properties["value"]
            result = b.integer(int(value.value.data), ty)
        else:
            result = b.value(op.name, (), ty, op.properties)
            if ty.name == "llvm.ptr" and ty != POINTER:
                result = b.value("llvm.addrspacecast", (result,), POINTER)
        b.block = block
        return result

    def _pure(self, op: Any, mask: Mask) -> Emitted:
        if op.name in operations.CONSTANTS:
            return Uniform(self._constant(op))
        shape = self.u.of(op.results[0])
        if shape.is_known and op.results[0].type.name == "integer_type":
            return self.ops.known(shape, op.results[0].type)
        operands = [self.get(o) for o in op.operands]
        if op.name == "llvm.addrspacecast":
            return operands[0]
        if op.name == "llvm.getelementptr":
            return self.ops.address(op, shape, operands)
        result = self.ops.emit(op, shape, operands, mask)
        if op.name == "llvm.icmp":
            home = self.u.home(op.results[0]) or 0
            note_test(self.b, op, operands, [self.u.at(o, home) for o in op.operands], result)
        return result

    def _member(self, op: Any, aggregate: Emitted) -> Emitted:
        position = next(iter(op.properties["position"].get_values()))
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

    def _register(self, op: Any, name: str) -> Emitted:
        shape = self.layout.register(name)
        ty = op.results[0].type
        if shape is None or name in ("ctaid.x", "nctaid.x"):
            return Uniform(self.b.value(op.name, (), ty, op.properties))
        if name.startswith("lanemask."):
            return self._lane_mask(name)
        return self._register_named(name, ty)

    def _register_named(self, name: str, ty: Any) -> Emitted:
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
            return b.binary("urem", linear, b.vector([x] * b.width, I32))
        by = x if axis == 1 else x * y
        quotient = b.binary("udiv", linear, b.vector([by] * b.width, I32))
        return b.binary("urem", quotient, b.vector([y] * b.width, I32)) if axis == 1 else quotient

    def _lane_mask(self, name: str) -> Emitted:
        """PTX ISA: lanemask_eq, _lt, _le, _gt, _ge."""
        values = {
            "eq": lambda lane: 1 << lane,
            "lt": lambda lane: (1 << lane) - 1,
            "le": lambda lane: (2 << lane) - 1,
            "gt": lambda lane: -(2 << lane),
            "ge": lambda lane: -(1 << lane),
        }[name.rpartition(".")[2]]
        return Lanes(self.b.vector([values(lane) for lane in range(self.b.width)], I32))

    def _private_memory(self, op: Operation) -> Emitted:
        """Each thread's own: lane after lane, vector after vector."""
        size = private_bytes(op)
        if size is None:
            raise NoRegions("private memory of a size known only at run time", op)
        shape = self.u.of(op.results[0])
        place = self.private.get(op.results[0])
        whole = size * self.b.width
        if place is None:
            self._reserve(whole * self.layout.groups, "the private memory of the threads")
            place = self.private[op.results[0]] = self.b.alloca(I8, whole * self.layout.groups)
            if self._prints:
                self._clear(place, whole * self.layout.groups)
        base = place
        if self.layout.groups > 1:
            offset = self.b.mul(self._group64(), whole)
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


def _fence() -> Any:
    from xdsl.dialects.builtin import IntegerAttr

    return {"ordering": IntegerAttr(7, I64)}


#: What the lowering of the block function makes stores to the thread's record of.
SET_THREAD = "xgpu.set_thread"


def _set_thread() -> Any:
    from xdsl.dialects.builtin import DenseArrayBase, SymbolRefAttr

    return {
        "callee": SymbolRefAttr(SET_THREAD),
        "operandSegmentSizes": DenseArrayBase.from_list(i32, [4, 0]),
        "op_bundle_sizes": DenseArrayBase.from_list(i32, []),
    }
