# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls of the sanitizer's native code (`host_device/native/sources/sanitizer_*`) in kernels,
and the locations that its reports name."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar, cast, overload

from xdsl.dialects.builtin import DenseArrayBase, IntegerType, StringAttr, i1, i32, i64

from xgpu.backend.llvm_ir.facts import text_of
from xgpu.core.ir.errors import DiagnosticError, error
from xgpu.core.ir.locations import callers_of, source_location
from xgpu.core.ir.region_flow import predecessor_edges, successor_operands
from xgpu.core.support.demangle import demangled
from xgpu.dialects.llvm import builders as llvm
from xgpu.dialects.llvm.builders import LLVMBuilder
from xgpu.dialects.llvm.types import LLVMPointerType, LLVMVoidType
from xgpu.host_device.abi.sanitizer_records import (
    FLAG_BLOCK_SCOPE,
    FLAG_CLUSTER_SCOPE,
    FLAG_CONSTANT,
    FLAG_VALUE,
    FLAG_VALUE_AT,
    FLAG_WRITE,
    HOW_BITS,
    HOW_RELEASE,
)
from xgpu.host_device.compiler.address_roots import LAYOUT, Root, escapes, root_of
from xgpu.host_device.compiler.ptx.registers import INSTRUCTION

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from xdsl.ir import Attribute, Block, BlockArgument, Operation, SSAValue


# -- Locations that the sanitizer's reports speak of, by number.


MOST_SITES = 1 << 19

T = TypeVar("T")


class Workgroup:
    """Where the variables of a kernel module lie in workgroup memory: (name, offset, bytes), those
    of dynamic shared memory without bytes."""

    __slots__ = ("_variables",)

    def __init__(self, variables: Iterable[tuple[str, int, int | None]] = ()) -> None:
        self._variables = sorted(variables, key=lambda variable: variable[1])

    def offset_of(self, name: str) -> int | None:
        """The offset of a variable, None if there is none of that name."""
        return next((begin for other, begin, _ in self._variables if other == name), None)

    def at(self, offset: int) -> tuple[str, int] | None:
        """Name and offset of the variable that holds a byte."""
        for name, begin, size in self._variables:
            if begin <= offset and (size is None or offset < begin + size):
                return name, begin
        return None


class Site:
    """An operation of a program: where it is, what it is, in which kernel ("" on the host).
    `callers` are the places, `file:line:column`, of the calls that have become part of the kernel,
    the innermost first."""

    __slots__ = ("callers", "column", "file", "is_watched", "kernel", "line", "name", "workgroup")

    def __init__(
        self, file: str, line: int, column: int, name: str, kernel: str,
        workgroup: Workgroup | None = None, callers: tuple[str, ...] = (), is_watched: bool = True,
    ) -> None:  # fmt: skip
        self.callers = callers
        #: False of an operation that does something to memory or order of which nothing is known.
        self.is_watched = is_watched
        self.file = file
        self.line = line
        self.column = column
        self.name = name
        #: As the program has it.
        self.kernel = demangled(kernel)
        #: The variables of its module in workgroup memory.
        self.workgroup = workgroup

    @property
    def location(self) -> str:
        """`file:line:column`, empty where it is not known."""
        return f"{self.file}:{self.line}:{self.column}" if self.file else ""


class SiteTable:
    """Sites by number, from 1; 0 is no location."""

    def __init__(self) -> None:
        self._sites: list[Site] = [Site("", 0, 0, "", "")]
        self._numbers: dict[tuple[object, ...], int] = {}
        #: What files are called here: several texts without a name get different ones.
        self.renamed: dict[str, str] = {}

    def add(self, site: Site) -> int:
        """The number of a site. Raises `OverflowError` where numbers have run out."""
        if len(self._sites) >= MOST_SITES:
            raise OverflowError(f"more than {MOST_SITES - 1} places to look at")
        self._sites.append(site)
        return len(self._sites) - 1

    def host(self, location: str | None, name: str) -> int:
        """The number of a call of the host at `file:line:column`."""
        key = (location, name)
        if key not in self._numbers:
            file, line, column = "", "0", "0"
            if location and location.count(":") >= 2:
                file, line, column = location.rsplit(":", 2)
            self._numbers[key] = self.add(Site(file, int(line), int(column), name, ""))
        return self._numbers[key]

    def made_once(self, key: tuple[object, ...], make: Callable[[], T]) -> T:
        """What `make` gives, which depends on `key` and on the numbers of the sites that it adds.
        It is made once in a process for each number that the first of these may have."""
        whole = (*key, len(self._sites), tuple(self.renamed.items()))
        found = _made.pop(whole, None)
        if found is None:
            begin = len(self._sites)
            result = make()
            found = result, self._sites[begin:]
            if len(_made) >= _MOST_MADE:
                del _made[next(iter(_made))]
        else:
            self._sites += found[1]
        _made[whole] = found
        return cast("T", found[0])

    def __getitem__(self, number: int) -> Site:
        return self._sites[number] if 0 <= number < len(self._sites) else self._sites[0]

    def __len__(self) -> int:
        return len(self._sites)

    def not_watched(self) -> list[Site]:
        """The operations that are not."""
        return [site for site in self._sites if not site.is_watched]


#: What sanitizers of this process have made, with the sites that they have added; the ones used
#: last are at the end.
_made: dict[tuple[object, ...], tuple[object, list[Site]]] = {}
_MOST_MADE = 64

POINTER = LLVMPointerType()
VOID = LLVMVoidType()

#: Flags of atomic accesses that are not for the whole device, by LLVM's words for scopes.
SCOPES = {"block": FLAG_BLOCK_SCOPE, "cluster": FLAG_CLUSTER_SCOPE}
_SITE_BITS = 20
MOST_BYTES = 65535


def _name(op: Operation) -> str:
    """What reports call an operation: an instruction of PTX by its own name."""
    opcode = op.attributes.get(INSTRUCTION)
    return op.name if opcode is None else text_of(opcode)


def _workgroup(module: Operation) -> Workgroup:
    """Where the variables of a kernel module lie in workgroup memory, as far as that is known."""
    from xgpu.host_device.compiler.code import Unsupported
    from xgpu.host_device.compiler.threads.runtime_calls import shared_places, top_level

    try:
        places = shared_places(module)
    except Unsupported:  # compiling the module says so
        return Workgroup()
    sizes = {
        text_of(op.properties["sym_name"]): LAYOUT.size(op.properties["global_type"])
        for op in top_level(module)
        if op.name == "llvm.mlir.global"
    }
    return Workgroup((name, at, sizes[name] or None) for name, at in places.offsets.items())


def unknown(op: Operation, name: str) -> DiagnosticError:
    """The error of an operation that `effects` has no line for."""
    return error(op, f"the sanitizer does not know what '{name}' does to memory")


class Instrumentation(LLVMBuilder):
    """Builds calls of the sanitizer in one kernel module."""

    integers = i64

    def __init__(self, module: Operation, sites: SiteTable, orders: bool = False) -> None:
        super().__init__()
        self.module = module
        self.sites = sites
        #: Whether the kernels are to run in other orders too (`native.sources.orders`).
        self.orders = orders
        #: Whether a volatile access is like a plain one.
        self.volatile_races = False
        #: Whether there is an operation that another order of threads may change.
        self.depends_on_order = False
        #: Whether other threads may see, without a race, that one has come somewhere.
        self.signals = False
        self.kernel = ""
        #: What synchronizes otherwise than by barriers of the block: 0 nothing, 1 threads of a
        #: block, 2 blocks too.
        self.synchronizes = 0
        self.variables: dict[str, Operation] = {
            text_of(op.properties["sym_name"]): op
            for op in module.regions[0].blocks[0].ops
            if op.name == "llvm.mlir.global"
        }
        #: Where reductions of a whole block are, of which barriers are a part.
        self.collectives: set[object] = set()
        #: Products of matrices (wgmma) of the function.
        self.products: list[Operation] = []
        #: Plain loads that loops wait for.
        self.plain_waits: set[Operation] = set()
        self._roots: dict[SSAValue, Root | None] = {}
        self._shadows: dict[Operation, SSAValue | None] = {}
        self._entry: Block | None = None
        self._workgroup: Workgroup | None = None

    def begin(self, function: Operation) -> None:
        """From here on, operations of `function` come."""
        self.kernel = text_of(function.properties["sym_name"])
        self._entry = function.regions[0].blocks[0]
        self._roots.clear()
        self._shadows.clear()

    # -- values

    def site(self, op: Operation, is_watched: bool = True) -> int:
        """The number of an operation's site."""
        file, line, column = source_location(op.location) or ("", 0, 0)
        renamed = self.sites.renamed
        file = renamed.get(file, file)
        places = map(source_location, callers_of(op.location))
        callers = tuple(f"{renamed.get(p.file, p.file)}:{p.line}:{p.column}" for p in places if p)
        if self._workgroup is None:
            self._workgroup = _workgroup(self.module)
        site = Site(
            file, line, column, _name(op), self.kernel, self._workgroup, callers, is_watched
        )
        return self.sites.add(site)

    def info(self, op: Operation, flags: int = 0, size: int = 0, alignment: int = 1) -> SSAValue:
        """What a call gets about its operation: an integer of 64 bits."""
        bits = self.site(op) | flags << _SITE_BITS | size << 32
        return self.integer(bits | (alignment.bit_length() - 1) << 48)

    def where(self, info: SSAValue, predicate: SSAValue | None) -> SSAValue:
        """`info`, or -1 where a predicate says that nothing is done."""
        if predicate is None:
            return info
        return self.select(predicate, info, self.integer(-1))

    def generic(self, address: SSAValue) -> SSAValue:
        """An address in the space of all: a pointer of any space, or an integer, which is one of
        shared memory if it has 32 bits."""
        if not isinstance(address.type, LLVMPointerType):
            address = self._as_pointer(address)
        if cast("LLVMPointerType", address.type).address_space == 0:
            return address
        return self.value("llvm.addrspacecast", (address,), POINTER)

    def _as_pointer(self, address: SSAValue) -> SSAValue:
        if cast("IntegerType", address.type).width.data != 32:
            return self.value("llvm.inttoptr", (address,), POINTER)
        properties = {
            "intrin": StringAttr("llvm.nvvm.ptx.shared.pointer"),
            "operandSegmentSizes": DenseArrayBase.from_list(i32, [1, 0]),
            "op_bundle_sizes": DenseArrayBase.from_list(i32, []),
        }
        return self.value("llvm.call_intrinsic", (address,), LLVMPointerType(3), properties)

    def back(self, pointer: SSAValue, type: Attribute) -> SSAValue:
        """An address as `type` again."""
        if not isinstance(type, LLVMPointerType):
            return self.value("llvm.ptrtoint", (pointer,), type)
        if type.address_space == 0:
            return pointer
        return self.value("llvm.addrspacecast", (pointer,), type)

    def null(self) -> SSAValue:
        return self.zero(POINTER)

    def widened(self, value: SSAValue, type: IntegerType = i64) -> SSAValue:
        """An integer as `type`, without its sign."""
        if value.type == type:
            return value
        name = (
            "llvm.zext"
            if cast("IntegerType", value.type).width.data < type.width.data
            else "llvm.trunc"
        )
        return self.value(name, (value,), type)

    # -- calls

    @overload
    def call(self, name: str, operands: Sequence[SSAValue], result: Attribute) -> SSAValue: ...
    @overload
    def call(self, name: str, operands: Sequence[SSAValue], result: None = None) -> None: ...
    def call(
        self, name: str, operands: Sequence[SSAValue], result: Attribute | None = None
    ) -> SSAValue | None:
        """Calls `xgpu_san_<name>`, which also gets the thread."""
        full = f"xgpu_san_{name}"
        types = [operand.type for operand in operands]
        llvm.declare(self, self.module, full, types, result or VOID)
        made = llvm.call(self, full, operands, result)
        return made.results[0] if result is not None else None

    def checked(self, op: Operation, index: int, name: str, *rest: SSAValue) -> None:
        """Replaces the address that is operand `index` by what a call gives for it."""
        pointer = op.operands[index]
        result = self.call(name, [self.generic(pointer), *rest], POINTER)
        self.set_operand(op, index, self.back(result, pointer.type))

    @staticmethod
    def set_operand(op: Operation, index: int, value: SSAValue) -> None:
        op.operands = [*op.operands[:index], value, *op.operands[index + 1 :]]

    # -- roots

    def root(self, pointer: SSAValue) -> Root | None:
        if pointer not in self._roots:
            self._roots[pointer] = root_of(pointer, self._incoming, self.variables)
        return self._roots[pointer]

    def _incoming(self, argument: BlockArgument) -> list[SSAValue] | None:
        """What comes into a block's argument; None for a function's."""
        block = argument.owner
        if block is self._entry:
            return None
        found: list[SSAValue] = []
        for branch, successor in predecessor_edges(block):
            values = successor_operands(branch, successor)
            if values is None:
                return None
            found.append(values[argument.index])
        return found

    def root_operands(self, pointer: SSAValue) -> tuple[SSAValue, SSAValue]:
        """Base and extent of an address, as calls take them."""
        root = self.root(pointer)
        if root is None:
            return self.null(), self.integer(-1)
        extent = -1 if root.extent is None else root.extent
        if extent < 0 and not isinstance(root.value.type, LLVMPointerType):
            return self.null(), self.integer(-1)
        return self.generic(root.value), self.integer(extent)

    def shadow(self, root: Root) -> SSAValue:
        """A byte for each byte of private memory; null where others may write there too."""
        alloca = cast("Operation", root.alloca)
        if alloca not in self._shadows:
            self._shadows[alloca] = None if escapes(alloca) else self._make_shadow(alloca, root)
        made = self._shadows[alloca]
        return made if made is not None else self.null()

    def _make_shadow(self, alloca: Operation, root: Root) -> SSAValue:
        at = LLVMBuilder(alloca)
        size = at.integer(root.extent or 0, i64)
        made = llvm.alloca(at, size, IntegerType(8), alignment=8)
        zero = at.integer(0, IntegerType(8))
        at.create("llvm.intr.memset", (made, zero, size), (),
                  {"isVolatile": llvm.integer(0, i1)})  # fmt: skip
        return made

    # -- memory

    def access(
        self,
        op: Operation,
        index: int,
        type: Attribute,
        flags: int,
        alignment: int | None,
        value: SSAValue | None = None,
    ) -> None:
        """Before an access of a value of `type` at the address that is operand `index`."""
        size = LAYOUT.store_size(type)
        if size == 0 or size > MOST_BYTES:
            return
        pointer = op.operands[index]
        root = self.root(pointer)
        align = LAYOUT.align(type) if alignment is None else alignment
        if root is not None and root.alloca is not None:
            shadow = self.shadow(root)
            info = self.info(op, flags, size, align)
            base = self.generic(root.value)
            self.checked(op, index, "private", info, base, self.integer(root.extent or 0), shadow)
            return
        word = self.integer(0)
        if flags & FLAG_WRITE and root is not None and root.is_constant:
            flags |= FLAG_CONSTANT
        if value is not None:
            flag, word = self._word(value, size)
            flags |= flag
        base, extent = self.root_operands(pointer)
        self.checked(op, index, "access", self.info(op, flags, size, align), base, extent, word)

    def compare_and_swap(self, op: Operation, flags: int, success: int, failure: int) -> None:
        """Before a compare-and-swap: its access and what it releases and acquires, which depend on
        whether memory has the value that is expected."""
        if success & HOW_RELEASE:
            self.synchronizes = 2
        address, expected, _ = op.operands
        size = LAYOUT.store_size(expected.type)
        flag, word = self._word(expected, size)
        base, extent = self.root_operands(address)
        info = self.info(op, flags | flag, size, LAYOUT.align(expected.type))
        hows = self.integer(success | failure << HOW_BITS, i32)
        self.checked(op, 0, "compare", info, base, extent, word, hows)

    def _word(self, value: SSAValue, size: int) -> tuple[int, SSAValue]:
        """A value that is stored, so that a call can tell whether it changes anything."""
        if isinstance(value.type, IntegerType) and value.type.width.data in (8, 16, 32, 64):
            return FLAG_VALUE, self.widened(value)
        if isinstance(value.type, LLVMPointerType):
            return FLAG_VALUE, self.value("llvm.ptrtoint", (value,), i64)
        if size in (2, 4, 8) and value.type.name in ("f16", "bf16", "f32", "f64"):
            bits = self.value("llvm.bitcast", (value,), IntegerType(size * 8))
            return FLAG_VALUE, self.widened(bits)
        at = LLVMBuilder(cast("Block", self._entry).first_op)
        place = llvm.alloca(at, at.integer(1, i64), value.type, alignment=16)
        self.create("llvm.store", (value, place), ())
        return FLAG_VALUE_AT, self.value("llvm.ptrtoint", (place,), i64)

    def fence(self, op: Operation, scope: int) -> None:
        """At a fence of a scope (`records.SCOPE_BLOCK`, ..)."""
        self.synchronizes = 2
        self.call("fence", [self.info(op, scope)])

    def proxy_fence(self, op: Operation, *kinds: int) -> None:
        """At a fence between threads and asynchronous copies, for `kinds` of memory
        (`records.PROXY_SHARED`, ..)."""
        self.call("proxy_fence", [self.info(op, sum(1 << kind for kind in kinds))])

    def order(self, op: Operation, index: int, flags: int, how: int) -> None:
        """Before an atomic access: what it releases and acquires."""
        if how & HOW_RELEASE:
            self.synchronizes = 2
        self.call(
            "order",
            [self.generic(op.operands[index]), self.info(op, flags), self.integer(how, i32)],
        )
