# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Building the code that stands for one operation of a kernel on the host.

A rule (see `lowering`) gets a `Code`. What it builds goes before the operation, at its place in the
source. What is the same for the whole function (constants, special registers, memory) goes to the
function's first block, once each.

    b.thread                     the thread's record (`structs.Thread`), a pointer
    b.native("mapa", ...)        a call of `xgpu_mapa(thread, ...)`
    b.wait("barrier", ...)       likewise of a function that says whether the thread may go on
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NoReturn

from xdsl.dialects.builtin import DenseArrayBase, IntegerAttr, StringAttr, UnitAttr, i32
from xdsl.dialects.builtin import SymbolRefAttr as Symbol
from xdsl.ir import Attribute, Block, Operation, SSAValue

from xgpu.backend.llvm_ir.facts import text_of
from xgpu.core.ir.blocks import split_before
from xgpu.dialects.llvm import builders as llvm
from xgpu.dialects.llvm.builders import LLVMBuilder
from xgpu.dialects.llvm.types import LLVMArrayType, LLVMPointerType, LLVMStructType
from xgpu.host_device.abi.structs import offset
from xgpu.host_device.compiler import claims
from xgpu.host_device.compiler.types import I1, I8, I32, I64, POINTER, size_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from xdsl.dialects.builtin import IntegerType


# -- Special registers that are fields of a record, under PTX's names.


_THREAD = {"tid.x": "tid_x", "tid.y": "tid_y", "tid.z": "tid_z", "linear": "linear"}

#: Register -> field of `structs.Thread` (see `is_thread_register`) or of `structs.Block`.
FIELDS = {
    f"{register}.{axis}": f"{field}_{axis}"
    for register, field in (
        ("ntid", "ntid"), ("ctaid", "ctaid"), ("nctaid", "nctaid"),
        ("clusterid", "clusterid"), ("nclusterid", "nclusterid"),
        ("cluster.ctaid", "cluster_ctaid"), ("cluster.nctaid", "cluster_nctaid"),
    )
    for axis in "xyz"
} | {
    "cluster.ctarank": "cluster_rank",
    "cluster.nctarank": "cluster_size",
    "dynamic.smem.size": "dynamic_shared",
    "count": "count",
    "shared": "shared",
} | _THREAD  # fmt: skip


def is_thread_register(name: str) -> bool:
    """Whether a register may differ between the threads of a block."""
    return name in _THREAD


#: On a call: the thread goes on if the result is true, else when it is resumed.
WAITS = "host.waits"
#: Functions whose results are the records of the thread and of the block that run.
THIS_THREAD, THIS_BLOCK = "xgpu.this_thread", "xgpu.this_block"
#: What stands before the name of a function of the sanitizer that gets the record of a lane.
OF_LANE = "xgpu_lane_"
#: On a kernel: which words of the launch's bounds its last parameters are (`parameters`).
BOUNDS_WORDS = "host.bounds_words"
#: The function of the device that ends a kernel which leaves an array (`bounds_checks`).
BOUNDS_FAILED = "xgpu_bounds_failed"
#: What a block tells the device in a loop that waits for other blocks, before it looks again.
AWAIT = "xgpu_await"
#: And where it does something else then.
AWAIT_END = "xgpu_await_end"
#: On a branch: here the thread ends; what follows is kept for the sake of the values in it.
ENDS = "host.ends"
#: On what reads a special register: its name.
REGISTER = "host.register"

_ICMP = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")
_NO_BUNDLES = DenseArrayBase.from_list(i32, [])


class Unsupported(Exception):
    """Something in a kernel that the host cannot run; the message names it, and `at` is it."""

    def __init__(self, message: str, at: Operation | None = None) -> None:
        super().__init__(message)
        self.at = at


class NoRegions(Exception):
    """Why a kernel is no such program: `at` names the operation."""

    def __init__(self, message: str, at: Operation | None) -> None:
        super().__init__(message)
        self.at = at


class ModuleState:
    """What the functions of a module have in common."""

    def __init__(self) -> None:
        #: The functions that the device must provide: symbol -> (types of arguments, of result).
        self.declared: dict[str, tuple[tuple[Attribute, ...], Attribute | None]] = {}
        #: Those of them that have a declaration.
        self.placed: set[str] = set()
        #: Names of functions that are defined in the module.
        self.defined: set[str] = set()
        #: Where each shared variable begins in the block's memory, in bytes.
        self.shared: dict[str, int] = {}
        #: The bytes of the shared variables that each kernel uses.
        self.kernel_shared: dict[str, int] = {}
        self.static_bytes = 0
        self.dynamic_offset = 0
        #: Variables in other memory.
        self.variables: list[str] = []
        #: Kernels: name, bytes of each parameter, bytes of shared variables.
        self.kernels: list[tuple[str, list[int], int]] = []
        #: Kernels whose threads are coroutines.
        self.suspending: set[str] = set()
        #: How many places at which lanes come together (`activemask`) have a number.
        self.active_places = 0


class FunctionState:
    """What the code of a function has in common. `prologue` is its first block: it has the
    function's arguments, the thread's record first, and ends in a branch to the body."""

    def __init__(
        self,
        function: Operation,
        module: ModuleState,
        is_kernel: bool,
        thread: SSAValue | None = None,
    ) -> None:
        self.function = function
        self.module = module
        self.is_kernel = is_kernel
        self.prologue: Block = function.regions[0].blocks[0]
        self.thread: SSAValue = self.prologue.args[0] if thread is None else thread
        self.known: dict[object, SSAValue] = {}

    @property
    def name(self) -> str:
        return text_of(self.function.properties["sym_name"])

    @property
    def end(self) -> Operation:
        """The last operation of the prologue."""
        last = self.prologue.last_op
        assert last is not None
        return last

    def memory(self, code: Code, size: int, alignment: int) -> SSAValue:
        """`size` bytes of the thread's own, for one operation."""
        one = code.integer(1, I64)
        with code.in_prologue():
            return code.value(
                "llvm.alloca", (one,), POINTER,
                {"elem_type": LLVMArrayType(size, I8), **claims.aligned(alignment)},
            )  # fmt: skip

    def thread_register(self, code: Code, name: str) -> SSAValue:
        """A special register that differs among the threads of a block."""
        return code.field(I32, self.thread, "Thread", FIELDS[name])


class KernelBuilder(LLVMBuilder):
    """Builds code of kernels. What it says of the alignment of accesses: see `claims`."""

    def load(self, address: SSAValue, ty: Attribute, alignment: int = 0) -> SSAValue:
        """`alignment` is what the program claims of an access of its own: see `claims.access`."""
        return self.value("llvm.load", (address,), ty, claims.access(address, ty, alignment))

    def store(self, value: SSAValue, address: SSAValue, alignment: int = 0) -> None:
        """See `load`."""
        properties = claims.access(address, value.type, alignment)
        self.create("llvm.store", (value, address), (), properties)


class Code(KernelBuilder):
    """Builds before the operation `op`."""

    def __init__(self, state: FunctionState, op: Operation) -> None:
        super().__init__(op)
        self.state = state
        self.op = op
        self.constants = state.known

    @property
    def thread(self) -> SSAValue:
        """The record of the thread that runs."""
        return self.state.thread

    @contextmanager
    def in_prologue(self) -> Generator[None]:
        """Build in the function's first block meanwhile."""
        with self.insertion_guard():
            self.block, self.anchor = self.state.prologue, self.state.end
            yield

    def once(
        self,
        key: object,
        name: str,
        ty: Attribute,
        properties: Mapping[str, Attribute] | None = None,
    ) -> SSAValue:
        found = self.state.known.get(key)
        if found is None:
            with self.in_prologue():
                found = self.state.known[key] = self.value(name, (), ty, properties)
        return found

    def refuse(self, message: str) -> NoReturn:
        """The host cannot do this."""
        raise Unsupported(message, self.op)

    # -- memory

    def generic(self, pointer: SSAValue) -> SSAValue:
        """A pointer of any address space as one of the machine's."""
        return self.cast("addrspacecast", pointer, POINTER)

    def address(self, base: SSAValue, index: SSAValue | int, element: Attribute = I8) -> SSAValue:
        """`base + index * bytes of element`"""
        base = self.generic(base)
        if isinstance(index, int) and index == 0:
            return base
        return llvm.gep(self, base, element, [index], result_type=POINTER)

    def copy(self, target: SSAValue, source: SSAValue, size: SSAValue | int) -> Operation:
        """memcpy of `size` bytes."""
        return self._bytes("memcpy", target, self.generic(source), size)

    def fill(self, target: SSAValue, value: int, size: SSAValue | int) -> Operation:
        """memset of `size` bytes."""
        return self._bytes("memset", target, self.integer(value, I8), size)

    def _bytes(
        self, name: str, target: SSAValue, what: SSAValue, size: SSAValue | int
    ) -> Operation:
        size = self.operand(size, I64)
        return self.create(
            f"llvm.intr.{name}", (self.generic(target), what, size), (),
            {"isVolatile": IntegerAttr(0, I1)},
        )  # fmt: skip

    def memory(self, size: int, alignment: int = 16) -> SSAValue:
        """`size` bytes of the thread's own, for this operation."""
        return self.state.memory(self, size, alignment)

    # -- records (see `structs`)

    def field(self, ty: Attribute, base: SSAValue, record: str, name: str) -> SSAValue:
        return self.load(self.address(base, offset(record, name)), ty)

    def set_field(self, value: SSAValue, base: SSAValue, record: str, name: str) -> None:
        self.store(value, self.address(base, offset(record, name)))

    def register(self, name: str) -> SSAValue:
        """A special register by PTX's name, an i32. Also `linear`, the number of the thread in its
        block, `count`, the threads of a block, and `shared`, the block's memory (a pointer)."""
        found = self.state.known.get(("register", name))
        if found is not None:
            return found
        with self.in_prologue():
            ty = POINTER if name == "shared" else I32
            if is_thread_register(name):
                found = self.state.thread_register(self, name)
            else:
                found = self.field(ty, self.block_record(), "Block", FIELDS[name])
        found.owner.attributes[REGISTER] = StringAttr(name)  # type: ignore[union-attr]
        self.state.known["register", name] = found
        return found

    def block_record(self) -> SSAValue:
        """The record of the thread's block."""
        found = self.state.known.get("block")
        if found is None:
            with self.in_prologue():
                found = self.field(POINTER, self.thread, "Thread", "block")
            found.owner.attributes[REGISTER] = StringAttr("block")  # type: ignore[union-attr]
            self.state.known["block"] = found
        return found

    # -- calls

    def call(self, symbol: str, result: Attribute | None, *arguments: SSAValue) -> SSAValue | None:
        """A call of a function that the device or the C library provides."""
        given = [self._plain(a) for a in arguments]
        self.state.module.declared.setdefault(symbol, (tuple(a.type for a in given), result))
        op = self.create(
            "llvm.call", given, () if result is None else (result,), call_properties(symbol, given)
        )
        return op.results[0] if result is not None else None

    def _plain(self, value: SSAValue) -> SSAValue:
        is_pointer = isinstance(value.type, LLVMPointerType)
        return self.generic(value) if is_pointer else value

    def native(
        self, function: str, result: Attribute | None, *arguments: SSAValue
    ) -> SSAValue | None:
        """A call of the runtime's `xgpu_<function>`, which gets the thread's record first."""
        return self.call(f"xgpu_{function}", result, self.thread, *arguments)

    def wait(self, function: str, *arguments: SSAValue) -> None:
        """Wait until the runtime's `xgpu_<function>` (thread, arguments) -> i1 has let the thread
        go on: at once if it says true, else when another thread made it ready."""
        self.native(function, I1, *arguments)
        block, anchor = self.block, self.anchor
        last = anchor.prev_op if anchor is not None else block.last_op  # type: ignore[union-attr]
        assert last is not None
        last.attributes[WAITS] = UnitAttr()

    # -- control flow

    def end_thread(self) -> None:
        """The thread ends here."""
        self._branch_around(self.integer(1, I1), ends=True)

    @contextmanager
    def when(self, condition: SSAValue) -> Generator[None]:
        """Build what is done only where the i1 `condition` holds."""
        head, tail = split_before(self.op)
        then = Block()
        tail.parent.insert_block_before(then, tail)  # type: ignore[union-attr]
        self.at_end(head)
        self.cond_branch(condition, then, tail)
        self.at_end(then)
        yield
        self.branch(tail)
        self.before(self.op)

    def _branch_around(self, condition: SSAValue, ends: bool) -> None:
        head, tail = split_before(self.op)
        last = Block()
        tail.parent.insert_block_before(last, tail)  # type: ignore[union-attr]
        self.at_end(head)
        op = self.cond_branch(condition, last, tail)
        if ends:
            op.attributes[ENDS] = UnitAttr()
        self.at_end(last)
        self.create("llvm.return")
        self.before(self.op)


def call_properties(
    symbol: str, arguments: Sequence[SSAValue], bundled: int = 0
) -> dict[str, Attribute]:
    """The properties of an `llvm.call` of a function by name."""
    return {
        "callee": Symbol(symbol),
        "operandSegmentSizes": DenseArrayBase.from_list(i32, [len(arguments), bundled]),
        "op_bundle_sizes": _NO_BUNDLES,
    }


class Call:
    """An operation as a call: `name` is the intrinsic without `llvm.nvvm.`, or the operation's own
    name; `words` are its parts; `arguments` are values."""

    __slots__ = ("arguments", "name", "op", "types")

    def __init__(
        self,
        op: Operation,
        name: str,
        arguments: Sequence[SSAValue],
        types: Sequence[Attribute] | None = None,
    ) -> None:
        self.op: Any = op
        self.name = name
        self.arguments = list(arguments)
        #: Types of the results.
        self.types = [r.type for r in op.results] if types is None else list(types)

    @property
    def words(self) -> list[str]:
        return self.name.split(".")

    @property
    def type(self) -> Any:
        """The type of the result, None if there is none."""
        return self.types[0] if self.types else None


# -- Registers in memory, where the device's runtime reads what a thread brings and leaves what it
# gets.


if TYPE_CHECKING:
    #: A number that is known here, or when the kernel runs.
    Number = int | SSAValue


def register_types(ty: Attribute) -> list[Attribute]:
    """Register types of a result: of one register, or of a struct of them."""
    return list(ty.body) if isinstance(ty, LLVMStructType) else [ty]


def bytes_of(types: Sequence[Attribute]) -> int:
    return sum(size_of(t) or 0 for t in types)


def store_numbers(
    b: Code, place: SSAValue, numbers: Sequence[Number], ty: IntegerType, at: int = 0
) -> None:
    """Stores integers, known or not, one behind the other."""
    size = size_of(ty) or 0
    for i, number in enumerate(numbers):
        value = b.integer(number, ty) if isinstance(number, int) else number
        b.store(value, b.address(place, at + size * i))


def store_registers(b: Code, place: SSAValue, at: int, registers: Sequence[SSAValue]) -> int:
    """Stores values one behind the other, from byte `at` of `place` on; where they end."""
    for value in registers:
        b.store(value, b.address(place, at))
        at += size_of(value.type) or 0
    return at


def load_registers(b: Code, place: SSAValue, at: int, ty: Attribute) -> SSAValue:
    """Loads a value, or a struct of values, from byte `at` of `place` on."""
    found: list[SSAValue] = []
    for kind in register_types(ty):
        found.append(b.load(b.address(place, at), kind))
        at += size_of(kind) or 0
    return b.pack(ty, found) if isinstance(ty, LLVMStructType) else found[0]
