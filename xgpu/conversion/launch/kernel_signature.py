# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the parameters of a kernel are once it is lowered, and what a launch gives the runtime:
one answer for host and device.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING, Generic, TypeVar, cast

from xdsl.dialects.builtin import IntegerType, MemRefType, UnrankedMemRefType
from xdsl.ir import Attribute, Operation, SSAValue

from xgpu.conversion.memref_descriptor import MemRefDescriptor, UnrankedDescriptor
from xgpu.core.ir.errors import DiagnosticError, error
from xgpu.core.passes.base import Option
from xgpu.core.rewriting.builder import Rewriter
from xgpu.core.rewriting.driver import NoMatch
from xgpu.dialects.llvm.builders import index_constant
from xgpu.dialects.llvm.types import DataLayout

if TYPE_CHECKING:
    from xgpu.conversion.llvm_types import Converted, LLVMTypeConverter


# --- builtin types -------------------------------------------------------------------------------
# xDSL's generic types, with what their parameters are said once.


Memref = MemRefType[Attribute]
UnrankedMemref = UnrankedMemRefType[Attribute]


def as_memref(ty: Attribute) -> Memref | None:
    """`ty` if it is a ranked memref."""
    return cast("Memref", ty) if isinstance(ty, MemRefType) else None


def as_unranked_memref(ty: Attribute) -> UnrankedMemref | None:
    """`ty` if it is an unranked memref."""
    return cast("UnrankedMemref", ty) if isinstance(ty, UnrankedMemRefType) else None


def integer_width(ty: Attribute) -> int | None:
    """The bits of an integer type; None for another."""
    return cast("IntegerType", ty).width.data if isinstance(ty, IntegerType) else None


# --- kernel signature ----------------------------------------------------------------------------
# What the parameters of a kernel are once it is lowered: one answer for host and device.
#
#     @k(%n: index, %a: memref<?xf32>)       value           i64
#                                            descriptor      ptr, ptr, i64, i64, i64
#
# A kernel that is compiled (`conversion/gpu/functions_to_nvvm.py`) takes the types that its
# signature says. A launch passes the values that the signature of its operands says: as operands
# of a `gpu.launch_func` whose translation stores them (`backend/llvm_ir/gpu.py`), or stored
# by the rules of the mgpu dialect (`state.py`), where its `layout` puts them. Both hand on an
# array of their addresses; the end of this file has the call.


#: The least alignment of a buffer of arguments.
_ALIGNMENT = 16


#: The options of passes that say the convention.
CONVENTION_OPTIONS = (
    Option(
        "use-bare-pointers-for-kernels",
        bool,
        False,
        "Use bare pointers to pass memref arguments to kernels.",
    ),
    Option(
        "intersperse-sizes-for-kernels",
        bool,
        False,
        "Inserts a size_t argument following each memref argument, with its size in bytes.",
    ),
)


@dataclass(frozen=True, slots=True)
class Convention:
    """How memrefs come to kernels: `bare_pointers`, as the address of their first element alone
    instead of as the members of their descriptor; `sizes`, each with its bytes behind it."""

    bare_pointers: bool = False
    sizes: bool = False


class Passing(Enum):
    """How a parameter is passed."""

    VALUE = "as it is, converted"
    DESCRIPTOR = "the members of a memref's descriptor"
    UNRANKED = "rank and descriptor's address of an unranked memref"
    POINTER = "the address of a memref's first element"


@dataclass(frozen=True, slots=True)
class KernelParameter:
    """A parameter: its type before lowering, and the types of what it becomes."""

    source: Attribute
    passing: Passing
    types: tuple[Attribute, ...]
    #: The bytes that are passed behind it, of a convention with sizes.
    size: int | None = None

    @property
    def group(self) -> Attribute | tuple[Attribute, ...]:
        """What it becomes, as block signatures say it: a type, or a tuple of several."""
        return self.types[0] if len(self.types) == 1 else self.types


@dataclass(frozen=True, slots=True)
class ArgumentLayout:
    """Where the arguments of a launch lie in the host's memory, in bytes."""

    offsets: tuple[int, ...]
    size: int
    alignment: int


@dataclass(frozen=True, slots=True)
class KernelSignature:
    """The parameters of a kernel, in order."""

    parameters: tuple[KernelParameter, ...]
    #: The type of the sizes that follow memrefs, of a convention with sizes.
    size_type: Attribute | None = None

    @classmethod
    def of(
        cls,
        types: LLVMTypeConverter,
        sources: Sequence[Attribute],
        convention: Convention = Convention(),  # noqa: B008 - it is frozen
    ) -> KernelSignature:
        """The signature of a kernel with parameters of types `sources`.

        Raises `NoMatch` for what the convention cannot pass.
        """
        parameters = tuple(_parameter(types, source, convention) for source in sources)
        if not convention.sizes:
            return cls(parameters)
        if any(len(parameter.types) != 1 for parameter in parameters):
            raise NoMatch("Cannot add sizes to arguments with one-to-many LLVM IR expansion.")
        return cls(tuple(replace(p, size=_size(p.source)) for p in parameters), types.index)

    @classmethod
    def lowered(cls, types: Sequence[Attribute]) -> KernelSignature:
        """The signature of a kernel whose parameters are types of the llvm dialect already."""
        return cls(tuple(KernelParameter(ty, Passing.VALUE, (ty,)) for ty in types))

    @property
    def types(self) -> list[Attribute]:
        """The types of what is passed, in order."""
        found: list[Attribute] = []
        for parameter in self.parameters:
            found += parameter.types
            if self.size_type is not None:
                found.append(self.size_type)
        return found

    @property
    def count(self) -> int:
        """How many values are passed."""
        sizes = 0 if self.size_type is None else len(self.parameters)
        return sum(len(parameter.types) for parameter in self.parameters) + sizes

    def arguments(
        self, rw: Rewriter, values: Sequence[SSAValue | tuple[SSAValue, ...]]
    ) -> list[SSAValue]:
        """What a launch passes for `values`, which are converted (several in a tuple)."""
        groups = [
            list(_members(rw, parameter, value))
            for parameter, value in zip(self.parameters, values, strict=True)
        ]
        if self.size_type is not None:
            for parameter, group in zip(self.parameters, groups, strict=True):
                assert parameter.size is not None
                group.append(index_constant(rw, parameter.size, self.size_type))
        return [value for group in groups for value in group]

    def layout(self, op: Operation) -> ArgumentLayout:
        """Where the arguments of the launch `op` lie, one behind the other."""
        offsets: list[int] = []
        end, whole = 0, _ALIGNMENT
        for ty in self.types:
            size, alignment = storage(op, ty)
            end = -(-end // alignment) * alignment
            offsets.append(end)
            end += size
            whole = max(whole, alignment)
        return ArgumentLayout(tuple(offsets), end, whole)


def _members(
    rw: Rewriter, parameter: KernelParameter, value: SSAValue | tuple[SSAValue, ...]
) -> Iterator[SSAValue]:
    """What is passed for the converted `value` of a parameter."""
    match parameter.passing:
        case Passing.DESCRIPTOR:
            yield from MemRefDescriptor(rw, cast("SSAValue", value)).unpack()
        case Passing.POINTER:
            yield MemRefDescriptor(rw, cast("SSAValue", value)).aligned()
        case Passing.UNRANKED:
            yield from UnrankedDescriptor(rw, cast("SSAValue", value)).unpack()
        case Passing.VALUE:
            yield from value if isinstance(value, tuple) else (value,)


def _parameter(
    types: LLVMTypeConverter, source: Attribute, convention: Convention
) -> KernelParameter:
    memref = as_memref(source)
    passing = Passing.VALUE
    if as_unranked_memref(source) is not None:
        if convention.bare_pointers:
            raise NoMatch("unranked memrefs cannot be bare pointers")
        passing = Passing.UNRANKED
    elif memref is not None:
        passing = Passing.POINTER if convention.bare_pointers else Passing.DESCRIPTOR
    if memref is not None and passing is Passing.POINTER:
        lowered: Converted = types.pointer(memref)
    else:
        lowered = types.argument_types(source, bare=False)
    if lowered is None:
        # It is not lowered: it stays, and what stores or compiles it says what it is.
        lowered = source
    if not isinstance(lowered, tuple):
        return KernelParameter(source, passing, (lowered,))
    return KernelParameter(source, passing, lowered)


def _size(source: Attribute) -> int:
    """The bytes of a memref that is passed as one pointer."""
    memref = as_memref(source)
    if memref is None:
        raise NoMatch("Operand to launch op is not a memref.")
    width: int | None = getattr(memref.element_type, "bitwidth", None)
    if any(extent < 0 for extent in memref.get_shape()) or width is None:
        raise NoMatch(
            "Operand to launch op is not a memref with a static shape and an integer or float "
            "element type."
        )
    if width % 8:
        raise NoMatch("Operand to launch op is not a memref with a byte-aligned element type.")
    return width // 8 * memref.element_count()


#: The layout of 64-bit hosts, as far as arguments show it.
_HOST = DataLayout("i64:64-i128:128-f80:128")


def storage(op: Operation, ty: Attribute) -> tuple[int, int]:
    """Bytes and alignment of a value of an llvm type in the host's memory."""
    try:
        return _HOST.size(ty), _HOST.align(ty)
    except DiagnosticError:
        raise error(op, f"an argument of type '{ty}' cannot be passed to a kernel") from None


# --- launch calls --------------------------------------------------------------------------------
# What a launch tells the runtime: which function, and its arguments in their order.
#
# Rules that build operations and the translation that writes text say the same calls: what an
# argument is, a value or the text of one, is theirs. Signatures: xgpu/core/support/abi.py.


#: A value of the IR, or the text of one.
V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class LaunchCall(Generic[V]):
    """A launch of `function`: sizes along x, y and z as i64 (`cluster` may be empty), the bytes of
    dynamic shared memory as i32, the array of the arguments' addresses, how many there are, and
    the bytes that they take together (graphs copy them; 0 where no graph is)."""

    function: V
    grid: tuple[V, ...]
    block: tuple[V, ...]
    cluster: tuple[V, ...]
    shared: V
    parameters: V
    count: int
    bytes: int = 0

    def on_stream(self, stream: V, null: V, number: Callable[[int], V]) -> tuple[str, list[V]]:
        """The call that launches now; `number` makes an i64, `null` is for what it does not use."""
        sizes = [*self.cluster, *self.grid, *self.block]
        arguments = [self.function, *sizes, self.shared, stream, self.parameters, null]
        if self.cluster:
            return "mgpuLaunchClusterKernel", arguments
        return "mgpuLaunchKernel", [*arguments, number(self.count)]

    def as_node(self, number: Callable[[int], V]) -> tuple[str, list[V]]:
        """The call that adds a node to a graph, without the graph and what the node waits for."""
        name = "mgpuGraphAddClusterKernel" if self.cluster else "mgpuGraphAddKernel"
        sizes = [*self.cluster, *self.grid, *self.block]
        return name, [self.function, *sizes, self.shared, *self._arguments(number)]

    def of_node(self, graph: V, node: V, number: Callable[[int], V]) -> tuple[str, list[V]]:
        """The call that changes a node of an executable graph; such have no clusters."""
        sizes = [*self.grid, *self.block, self.shared]
        arguments = [graph, node, self.function, *sizes, *self._arguments(number)]
        return "mgpuGraphExecKernelSetParams", arguments

    def _arguments(self, number: Callable[[int], V]) -> list[V]:
        """The kernel's arguments, which a graph copies."""
        return [self.parameters, number(self.count), number(self.bytes)]
