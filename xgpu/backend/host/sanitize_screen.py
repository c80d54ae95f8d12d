# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks in kernels that run a whole block (`block_loops`): what screens a launch.

Once a kernel is prepared, a mark stands before each access:

    llvm.call @xgpu_san_check(%address, %root) {host.info, host.extent}
    %v = llvm.load %address

and becomes, for a vector of threads, one call by the shape of the address, and a way out:

    uniform                         xgpu_san_v_one
    one element a lane, in a row    xgpu_san_v_row
    anything else                   xgpu_san_v_many

A kernel for which a check could miss something is refused (`NoRegions`): it runs thread by thread.
"""

from __future__ import annotations

from typing import Any

from xdsl.dialects.builtin import DenseArrayBase, IntegerAttr, SymbolRefAttr, i32, i64
from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from xgpu.backend.host import operations
from xgpu.backend.host.emission import Affine, Builder, Emitted, Lanes, Uniform
from xgpu.backend.host.graph import Graph
from xgpu.backend.host.regions import NoRegions
from xgpu.backend.host.sanitize_calls import ATOMIC, BLOCK_SCOPE, WRITE, Instrumentation
from xgpu.backend.host.sanitize_roots import LAYOUT
from xgpu.backend.host.types import I8, I32, I64, POINTER
from xgpu.backend.llvm_ir.facts import number, prop

CHECK = "xgpu_san_check"
_INFO, _EXTENT, _SPINS = "host.info", "host.extent", "host.spins"
_SHARED = 3
_ADDRESS = {"llvm.load": 0, "llvm.store": 1, "llvm.atomicrmw": 0, "llvm.cmpxchg": 0}
#: Sites that a state of the native code can name.
_MOST_SITES = 2048
_WIDTHS = (1, 2, 4, 8)


class Screen:
    """What the checks of one kernel have in common."""

    def __init__(self, made: Instrumentation, private: bool) -> None:
        self.made = made
        #: Whether a kernel's own memory is looked at as well, which only threads do.
        self.private = private
        #: Logarithm of the smallest access to workgroup memory, at most 2.
        self.shift = 2

    def mark(self, function: Operation) -> None:
        """Put a mark before each access of a prepared kernel. Raises `NoRegions`."""
        self.made.begin(function)
        graph = Graph(function.regions[0])
        for at, block in enumerate(graph.blocks):
            in_loop = graph.loop_of[at] is not None
            for op in list(block.ops):
                if op.name in _ADDRESS:
                    self._mark_access(op, in_loop)
                elif op.name == "llvm.call" and operations.callee(op) in operations.SERVICES:
                    raise NoRegions(f"'{operations.callee(op)}' cannot be undone", op)

    def _mark_access(self, op: Any, in_loop: bool) -> None:
        index = _ADDRESS[op.name]
        pointer = op.operands[index]
        root = self.made.root(pointer)
        if root is not None and root.alloca is not None:
            if self.private:
                raise NoRegions("its threads have memory of their own", op)
            return
        size, flags = _access(op)
        if size not in _WIDTHS:
            raise NoRegions(f"an access to {size} bytes", op)
        if len(self.made.sites) >= _MOST_SITES:
            raise NoRegions("too many places to look at", op)
        extent = -1 if root is None or root.extent is None else root.extent
        if self._is_shared(root):
            self.shift = min(self.shift, size.bit_length() - 1)
        elif flags & BLOCK_SCOPE:
            raise NoRegions("an atomic operation for its block alone", op)
        made = self.made
        made.rw.before(op)
        made.rw.location = op.location
        bits = made.site(op) | flags << 20 | size << 32 | (_alignment(op, size) << 48)
        base = root.value if root is not None and _is_base(root.value) else made.null()
        if root is not None and not _is_base(root.value):
            raise NoRegions("an address that comes from memory", op)
        made.rw.create(
            "llvm.call", (pointer, base), (), _call_properties(CHECK, 2),
            {
                _INFO: IntegerAttr(bits, i64), _EXTENT: IntegerAttr(extent, i64),
                _SPINS: IntegerAttr(int(in_loop and _may_spin(op)), i32),
            },
        )  # fmt: skip

    def _is_shared(self, root: Any) -> bool:
        owner = root.value.owner if root is not None else None
        if owner is None or isinstance(owner, Block) or owner.name != "llvm.mlir.addressof":
            return root is not None and getattr(root.value.type, "data", 0) == _SHARED
        variable = self.made.variables.get(owner.properties["global_name"].string_value())
        return variable is not None and number(prop(variable, "addr_space")) == _SHARED


def _is_base(value: SSAValue) -> bool:
    return isinstance(value, BlockArgument) or value.owner.name == "llvm.mlir.addressof"  # type: ignore[union-attr]


def _access(op: Any) -> tuple[int, int]:
    """Bytes and flags of an access."""
    if op.name == "llvm.load":
        ordered = operations.is_ordered(op)
        return LAYOUT.store_size(op.results[0].type), _scope(op) if ordered else 0
    if op.name == "llvm.store":
        ordered = operations.is_ordered(op)
        return LAYOUT.store_size(op.operands[0].type), WRITE | (_scope(op) if ordered else 0)
    return LAYOUT.store_size(op.operands[1].type), WRITE | _scope(op)


def _scope(op: Any) -> int:
    attr = op.properties.get("syncscope")
    return ATOMIC | (BLOCK_SCOPE if attr is not None and attr.data == "block" else 0)


def _alignment(op: Any, size: int) -> int:
    """The logarithm of the alignment that an access needs."""
    given = op.properties.get("alignment")
    if given is not None:
        return given.value.data.bit_length() - 1
    return 0 if op.name in operations.ATOMICS else size.bit_length() - 1


def _may_spin(op: Any) -> bool:
    if op.name in operations.ATOMICS:
        return op.results[0].first_use is not None
    return op.name == "llvm.load" and operations.is_ordered(op)


def is_check(op: Operation) -> bool:
    """Whether an operation is a mark before an access."""
    return op.name == "llvm.call" and operations.callee(op) == CHECK


def _call_properties(name: str, count: int) -> dict[str, Any]:
    return {
        "callee": SymbolRefAttr(name),
        "operandSegmentSizes": DenseArrayBase.from_list(i32, [count, 0]),
        "op_bundle_sizes": DenseArrayBase.from_list(i32, []),
    }


class Checks:
    """Emits the checks of a block function."""

    def __init__(self, builder: Builder, screen: Screen | None) -> None:
        self.b = builder
        self.screen = screen
        self._way_out = Block()
        self._is_used = False
        self._addresses: SSAValue | None = None

    def begin(self) -> None:
        """In the function's first block: a block begins."""
        if self.screen is not None:
            self._call("block", [self.b.integer(self.screen.shift, I32)], False)

    def region(self) -> None:
        """Behind a barrier."""
        if self.screen is not None:
            self._call("region", [])

    def finish(self) -> None:
        """At the end of the function: where what is not finished goes."""
        if self._is_used:
            self.b.enter(self._way_out)
            self.b.create("llvm.return")

    def emit(
        self, op: Any, address: Emitted, root: Emitted, linear: Emitted, mask: SSAValue | None
    ) -> None:
        """A check of the accesses of a vector of threads, whose numbers are `linear`."""
        b = self.b
        if op.attributes[_SPINS].value.data:
            self._call("spin", [])
        if not isinstance(root, Uniform):
            raise NoRegions("threads use different memory", op)
        base = root.value
        number_ = b.value("llvm.ptrtoint", (base,), I64) if base.type == POINTER else base
        info = op.attributes[_INFO].value.data
        given = [
            number_, b.integer(op.attributes[_EXTENT].value.data, I64), b.integer(info, I64),
            self._first(linear), self._bits(mask),
        ]  # fmt: skip
        size = info >> 32 & 0xFFFF
        if isinstance(address, Uniform):
            self._call("one", [b.value("llvm.ptrtoint", (address.value,), I64), *given])
            return
        if isinstance(address, Affine):
            low = address.offsets[0]
            if address.offsets == tuple(low + size * i for i in range(b.width)):
                start = b.address(address.base, low)
                self._call("row", [b.value("llvm.ptrtoint", (start,), I64), *given])
                return
        self._call("many", [self._spilled(b.as_lanes(address)), *given])

    def _spilled(self, pointers: SSAValue) -> SSAValue:
        if self._addresses is None:
            self._addresses = self.b.alloca(I8, 8 * self.b.width)
        self.b.store(pointers, self._addresses, 64)
        return self._addresses

    def _first(self, linear: Emitted) -> SSAValue:
        """The number of the thread of lane 0."""
        b = self.b
        if isinstance(linear, Affine):
            return b.add(linear.base, linear.offsets[0])
        if isinstance(linear, Uniform):
            return linear.value
        assert isinstance(linear, Lanes)
        return b.extract(linear.value, 0)

    def _bits(self, mask: SSAValue | None) -> SSAValue:
        b = self.b
        if mask is None:
            return b.integer((1 << b.width) - 1, I64)
        bits: Any = b.mask_bits(mask)
        return bits if bits.type == I64 else b.cast("zext", bits, I64)

    def _call(self, name: str, operands: list[SSAValue], may_stop: bool = True) -> None:
        """A call; where it says no, the block ends."""
        b = self.b
        op = b.create(
            "llvm.call", operands, (I32,) if may_stop else (),
            _call_properties(f"xgpu_san_v_{name}", len(operands)),
        )  # fmt: skip
        if not may_stop:
            return
        self._is_used = True
        on = b.new_block()
        b.cond_branch(b.icmp("ne", op.results[0], 0), on, self._way_out)
        b.enter(on)
