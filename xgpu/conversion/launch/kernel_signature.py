# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the parameters of a kernel are once it is lowered: one answer for host and device.

    @k(%n: index, %a: memref<?xf32>)       value           i64
                                           descriptor      ptr, ptr, i64, i64, i64

A kernel that is compiled (`conversion/gpu/func_to_llvm.py`) takes the types that its signature
says. A launch passes the values that the signature of its operands says: as operands of a
`gpu.launch_func` whose translation stores them (`backend/llvm_ir/gpu_launch.py`), or stored by the
rules of the mgpu dialect (`kernel_arguments.py`), where its `layout` puts them. Everybody hands on
an array of their addresses, and `launch_calls.py` has the call.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING, cast

from xdsl.ir import Attribute, Operation, SSAValue

from xgpu.conversion.launch.builtin_types import as_memref, as_unranked_memref
from xgpu.conversion.memref.descriptor import MemRefDescriptor, UnrankedDescriptor
from xgpu.core.ir.errors import DiagnosticError, error
from xgpu.core.rewriting.driver import NoMatch
from xgpu.dialects.llvm.builders import index_constant
from xgpu.dialects.llvm.types import DataLayout

if TYPE_CHECKING:
    from xgpu.conversion.llvm_types import Converted, LLVMTypeConverter
    from xgpu.core.rewriting.rewriter import Rewriter

#: The least alignment of a buffer of arguments.
_ALIGNMENT = 16


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
        # Nobody has lowered it: it stays, and whoever stores or compiles it says what it is.
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
