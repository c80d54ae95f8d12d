# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Types of the builtin dialect as the llvm dialect's.

index: an integer; memref: a struct (two pointers, offset, sizes, strides), in function signatures
its members; memref of unknown rank: (rank, pointer to such a struct); n-D vector: arrays of
1-D vectors; complex: a struct; floats of 8 bits and less: integers; a function: a pointer.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    BoolAttr,
    ComplexType,
    FunctionType,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    NoneAttr,
    NoneType,
    Signedness,
    TensorType,
    UnrankedMemRefType,
    UnrankedTensorType,
    VectorType,
)
from xdsl.ir import Attribute, Data, Operation, SSAValue

from xgpu.core.ir.errors import Diagnostic
from xgpu.core.ods.predicates import is_llvm_compatible, is_llvm_pointer
from xgpu.core.rewriting.type_converter import TypeConverter, convert_outside
from xgpu.core.syntax.diagnostics import emit
from xgpu.core.syntax.printer import attribute_text
from xgpu.dialects.llvm.types import (
    LLVMArrayType,
    LLVMFunctionType,
    LLVMPointerType,
    LLVMStructType,
    LLVMVoidType,
)
from xgpu.dialects.memref_layout import strided_form

if TYPE_CHECKING:
    from xgpu.core.rewriting.builder import Rewriter
    from xgpu.core.rewriting.driver import Conversion
    from xgpu.dialects.dlti.ops import DataLayoutSpecAttr

    class LLVMConversion(Conversion):
        """A conversion with the types of the llvm dialect: what rules of passes to it are given."""

        types: LLVMTypeConverter  # pyright: ignore[reportIncompatibleVariableOverride]


#: What a value becomes: a type, several, or None where there is no conversion.
Converted = Attribute | tuple[Attribute, ...] | None

#: Bits of what MPI's functions take and return: handles are numbers or addresses, by the library.
_MPI_HANDLES = {"mpi.comm": 64, "mpi.request": 64, "mpi.retval": 32}
_NARROW_FLOATS = {
    "f8E5M2": 8,
    "f8E4M3": 8,
    "f8E4M3FN": 8,
    "f8E5M2FNUZ": 8,
    "f8E4M3FNUZ": 8,
    "f8E4M3B11FNUZ": 8,
    "f8E3M4": 8,
    "f8E8M0FNU": 8,
    "f6E2M3FN": 6,
    "f6E3M2FN": 6,
    "f4E2M1FN": 4,
}


def _is_of_llvm(ty: Attribute) -> bool:
    """Whether a type and all that it consists of are types of the llvm dialect already."""
    if isinstance(ty, LLVMStructType):
        return all(_is_of_llvm(field) for field in ty.body)
    if isinstance(ty, LLVMArrayType):
        return _is_of_llvm(ty.element_type)
    return is_llvm_compatible(ty)


class LLVMTypeConverter(TypeConverter):
    """MLIR's LLVMTypeConverter.

    `index_bitwidth` is the width of index, `bare_pointers` says that memrefs cross functions as one
    pointer. Memory spaces that are no integers need a function in `memory_spaces`, which takes the
    attribute and returns the address space or None; the one added last is asked first.
    """

    def __init__(self, index_bitwidth: int = 64, *, bare_pointers: bool = False) -> None:
        super().__init__(self._convert_builtin)
        self.index_bitwidth = index_bitwidth
        self.bare_pointers = bare_pointers
        self.index = IntegerType(index_bitwidth)
        #: Allocate with `aligned_alloc`; call MLIR's own allocation functions.
        self.aligned_alloc = False
        self.generic_functions = False
        #: Of vectors: their indices fit in 32 bits; accesses have the vector's alignment rather
        # than
        #: the element's; reductions of floats may change their order.
        self.vector_indices_32bit = True
        self.vector_alignment = False
        self.reassociate_reductions = False
        #: Divide complex numbers by Smith's formula.
        self.improved_complex_range = False
        self.memory_spaces: list[Callable[[Attribute], int | None]] = []
        #: The identified structs whose bodies are being converted.
        self._inside: list[str] = []
        #: Memory spaces without an address space, of which it was said.
        self._refused_spaces: set[Attribute] = set()

    # --- types -------------------------------------------------------------------------------
    def _convert_builtin(self, ty: Attribute) -> Converted:
        if isinstance(ty, IndexType):
            return self.index
        if isinstance(ty, IntegerType):
            if ty.signedness.data is Signedness.SIGNLESS:
                return ty
            return IntegerType(ty.width.data)
        if isinstance(ty, MemRefType):
            return self.descriptor(ty)
        if isinstance(ty, UnrankedMemRefType):
            return self.unranked_descriptor(ty)
        if isinstance(ty, VectorType):
            return self._convert_vector(ty)
        if isinstance(ty, ComplexType):
            element = self.convert(ty.element_type)
            return None if element is None else LLVMStructType((element, element))
        if isinstance(ty, FunctionType):
            return LLVMPointerType()
        if isinstance(ty, LLVMStructType | LLVMArrayType | LLVMFunctionType):
            return self._convert_llvm(ty)
        if isinstance(ty, TensorType | UnrankedTensorType | NoneType):
            return None
        name = ty.name
        if name == "ptr.ptr":
            return self._convert_pointer(ty)
        if name in _NARROW_FLOATS:
            return IntegerType(_NARROW_FLOATS[name])
        if name in _FLOATS or name.startswith("llvm."):
            return ty
        if name in _MPI_HANDLES:
            return IntegerType(_MPI_HANDLES[name])
        return convert_outside(ty, "llvm", self)

    def _convert_pointer(self, ty: Attribute) -> Attribute | None:
        space = cast("Data[Sequence[Attribute]]", ty).data[0]
        number = None
        for convert in reversed(self.memory_spaces):
            number = number if number is not None else convert(space)
        if number is None and isinstance(space, IntegerAttr):
            number = space.value.data
        if number is not None:
            return LLVMPointerType(number)
        return ty if is_llvm_pointer(ty) else None

    def _convert_vector(self, ty: VectorType) -> Attribute | None:
        element = self.convert(ty.element_type)
        if element is None:
            return None
        shape = ty.get_shape()
        if not shape:
            return VectorType(element, [1])
        scalable = [bool(s.value.data) for s in ty.scalable_dims.data]
        if any(scalable[:-1]):
            return None
        if len(shape) == 1 and element is ty.element_type:
            return ty
        result: Attribute = VectorType(element, [shape[-1]], _last_scalable(ty))
        for size in reversed(shape[:-1]):
            result = LLVMArrayType(size, result)
        return result

    def _convert_llvm(self, ty: Attribute) -> Attribute | None:
        if isinstance(ty, LLVMArrayType):
            element = self.convert(ty.element_type)
            if element is None or element == ty.element_type:
                return ty if element is not None else None
            return LLVMArrayType(ty.size, element)
        if isinstance(ty, LLVMFunctionType):
            arguments = self.convert_all(ty.arguments)
            result = ty.result if isinstance(ty.result, LLVMVoidType) else self.convert(ty.result)
            if arguments is None or result is None:
                return None
            return LLVMFunctionType(arguments, result, variadic=ty.variadic)
        assert isinstance(ty, LLVMStructType)
        name = ty.struct_name
        if name is None:
            body = self.convert_all(ty.body)
            return None if body is None else LLVMStructType(body, packed=ty.packed)
        # What is mentioned inside of itself has no body there.
        new_name = f"_Converted.{name}"
        if name in self._inside:
            return LLVMStructType(None, struct_name=new_name)
        if ty.is_opaque or _is_of_llvm(ty):
            return ty
        self._inside.append(name)
        try:
            body = self.convert_all(ty.body)
        finally:
            self._inside.pop()
        return (
            None if body is None else LLVMStructType(body, struct_name=new_name, packed=ty.packed)
        )

    def address_space(self, ty: MemRefType | UnrankedMemRefType) -> int | None:
        """The address space of a memref, or None if its memory space has none."""
        space = ty.memory_space
        if isinstance(space, NoneAttr):
            return 0
        for convert in reversed(self.memory_spaces):
            result = convert(space)
            if result is not None:
                return result
        return space.value.data if isinstance(space, IntegerAttr) else None

    def pointer(self, ty: MemRefType | UnrankedMemRefType) -> LLVMPointerType | None:
        """The type of a pointer to the elements."""
        space = self.address_space(ty)
        return None if space is None else LLVMPointerType(space)

    def descriptor_fields(
        self, ty: MemRefType, *, unpack_aggregates: bool = False
    ) -> tuple[Attribute, ...] | None:
        """The members of the struct that stands for a memref."""
        if strided_form(ty) is None or self.convert(ty.element_type) is None:
            return None
        pointer = self.pointer(ty)
        if pointer is None:
            self._refuse_space(ty.memory_space)
            return None
        rank = ty.get_num_dims()
        if unpack_aggregates:
            return (pointer, pointer, self.index, *(self.index for _ in range(2 * rank)))
        if rank == 0:
            return (pointer, pointer, self.index)
        sizes = LLVMArrayType(rank, self.index)
        return (pointer, pointer, self.index, sizes, sizes)

    def _refuse_space(self, space: Attribute) -> None:
        """Says, once, that a memory space has no address space; the operation stays, as in MLIR."""
        if space in self._refused_spaces:
            return
        self._refused_spaces.add(space)
        message = (
            f"conversion of memref memory space {attribute_text(space)} to integer address space "
            "failed. Consider adding memory space conversions."
        )
        emit(Diagnostic("error", message))

    def descriptor(self, ty: MemRefType) -> LLVMStructType | None:
        fields = self.descriptor_fields(ty)
        return None if fields is None else LLVMStructType(fields)

    def unranked_fields(self, ty: UnrankedMemRefType) -> tuple[Attribute, ...] | None:
        if self.convert(ty.element_type) is None or self.address_space(ty) is None:
            return None
        return (self.index, LLVMPointerType())

    def unranked_descriptor(self, ty: UnrankedMemRefType) -> LLVMStructType | None:
        fields = self.unranked_fields(ty)
        return None if fields is None else LLVMStructType(fields)

    def can_be_bare(self, ty: Attribute) -> bool:
        """Whether a memref has static shape, strides and offset."""
        if not isinstance(ty, MemRefType) or any(n < 0 for n in ty.get_shape()):
            return False
        form = strided_form(ty)
        return form is not None and None not in form[0] and form[1] is not None

    # --- functions ---------------------------------------------------------------------------
    def argument_types(self, ty: Attribute, *, bare: bool | None = None) -> Converted:
        """What an argument of type `ty` becomes: a type, a tuple of types, or None."""
        if self.bare_pointers if bare is None else bare:
            return self.call_type(ty, bare=True)
        if isinstance(ty, MemRefType):
            return self.descriptor_fields(ty, unpack_aggregates=True)
        if isinstance(ty, UnrankedMemRefType):
            return self.unranked_fields(ty)
        return self.convert(ty)

    def call_type(self, ty: Attribute, *, bare: bool | None = None) -> Converted:
        """What a result of type `ty` becomes."""
        if (self.bare_pointers if bare is None else bare) and isinstance(
            ty, MemRefType | UnrankedMemRefType
        ):
            if not self.can_be_bare(ty) or self.convert(ty.element_type) is None:
                return None
            return self.pointer(ty)
        return self.convert(ty)

    def packed_results(
        self, types: Sequence[Attribute], *, bare: bool | None = None
    ) -> Attribute | None:
        """The one result type of a function that returns `types`."""
        if not types:
            return LLVMVoidType()
        result: list[Attribute] = []
        for ty in types:
            new = self.call_type(ty, bare=bare)
            if new is None:
                return None
            result.extend(new if isinstance(new, tuple) else (new,))
        return result[0] if len(result) == 1 else LLVMStructType(result)

    def signature(
        self, ty: FunctionType, *, variadic: bool = False, bare: bool | None = None
    ) -> tuple[list[Attribute | tuple[Attribute, ...]], LLVMFunctionType] | None:
        """For each argument what it becomes, and the type of the function."""
        groups: list[Attribute | tuple[Attribute, ...]] = []
        flat: list[Attribute] = []
        for argument in ty.inputs.data:
            new = self.argument_types(argument, bare=bare)
            if new is None:
                return None
            groups.append(new)
            flat.extend(new if isinstance(new, tuple) else (new,))
        result = self.packed_results(ty.outputs.data, bare=bare)
        if result is None:
            return None
        return groups, LLVMFunctionType(flat, result, variadic=variadic)

    def c_signature(self, ty: FunctionType) -> tuple[LLVMFunctionType, Attribute | None] | None:
        """The type of the C interface of a function, and the type that it returns through its
        first argument, if it does so."""
        arguments: list[Attribute] = []
        result = self.packed_results(ty.outputs.data, bare=False)
        if result is None:
            return None
        through_pointer: Attribute | None = None
        if isinstance(result, LLVMStructType):
            through_pointer = result
            arguments.append(LLVMPointerType())
            result = LLVMVoidType()
        for argument in ty.inputs.data:
            if isinstance(argument, MemRefType | UnrankedMemRefType):
                arguments.append(LLVMPointerType())
                continue
            new = self.convert(argument)
            if new is None:
                return None
            arguments.extend(new if isinstance(new, tuple) else (new,))
        return LLVMFunctionType(arguments, result), through_pointer

    # --- values ------------------------------------------------------------------------------
    def to_source(
        self, rw: Rewriter, old_type: Attribute, values: Sequence[SSAValue]
    ) -> SSAValue | None:
        """A memref of the members of its descriptor: a cast of the whole descriptor."""
        fields = None
        if isinstance(old_type, MemRefType):
            fields = self.descriptor_fields(old_type, unpack_aggregates=True)
        elif isinstance(old_type, UnrankedMemRefType):
            fields = self.unranked_fields(old_type)
        if fields is None or tuple(v.type for v in values) != tuple(fields):
            return None
        built = self.to_target(rw, self.convert(old_type), values, old_type)
        if built is None:
            return None
        return rw.value("builtin.unrealized_conversion_cast", (built,), old_type)

    def to_target(
        self, rw: Rewriter, new_type: Attribute, values: Sequence[SSAValue], old_type: Attribute
    ) -> SSAValue | None:
        """A descriptor from the members that came through a function's arguments."""
        from xgpu.conversion.memref_descriptor import MemRefDescriptor, UnrankedDescriptor

        if isinstance(old_type, MemRefType):
            if len(values) == 1:
                value = values[0]
                if isinstance(value.type, LLVMPointerType) and self.can_be_bare(old_type):
                    return MemRefDescriptor.from_static_shape(rw, self, old_type, value).value
                return None
            if len(values) == 3 + 2 * old_type.get_num_dims():
                return MemRefDescriptor.pack(rw, self, old_type, values).value
        if isinstance(old_type, UnrankedMemRefType) and len(values) == 2:
            return UnrankedDescriptor.pack(rw, self, old_type, values).value
        return None


_FLOATS = frozenset(("bf16", "f16", "f32", "f64", "f80", "f128"))


def _last_scalable(ty: VectorType) -> ArrayAttr[BoolAttr]:
    return ArrayAttr([ty.scalable_dims.data[-1]])


def index_width(op: Operation) -> int:
    """The width of index that the data layout of `op` or around it gives; 64 by default."""
    current: Operation | None = op
    while current is not None:
        spec = current.attributes.get("dlti.dl_spec")
        if spec is not None:
            width = _index_entry(cast("DataLayoutSpecAttr", spec))
            if width is not None:
                return width
        current = current.parent_op()
    return 64


def _index_entry(spec: DataLayoutSpecAttr) -> int | None:
    for key, value in spec.entries():
        if isinstance(key, IndexType) and isinstance(value, IntegerAttr):
            return value.value.data
    return None
