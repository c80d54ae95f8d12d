# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What functions of PTX declare: parameters and variables, their types and memory, names in scopes.

A parameter that is one value is `Bound` to a register; one that is an array, and each variable of a
function, is a `Place` in memory.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, NoReturn, Protocol

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, IntegerAttr, VectorType
from xdsl.ir import Block, Operation, Region

from xgpu.dialects.llvm import builders as llvm
from xgpu.dialects.llvm.types import (
    LLVMArrayType,
    LLVMFunctionType,
    LLVMPointerType,
    LLVMVoidType,
)
from xgpu.frontend.ptx.grammar import Loc, PtxError, Variable
from xgpu.frontend.ptx.instructions import FLOATS
from xgpu.frontend.ptx.registers import I8, I64, PtxBuilder, Slot, integer_type, type_width

if TYPE_CHECKING:
    from xdsl.ir import Attribute, LocationAttr, SSAValue

    from xgpu.frontend.ptx.module_reader import Function


class Surroundings(Protocol):
    """What a function's body asks of its module."""

    #: The module's variables by name.
    variables: dict[str, Variable]

    def location(self, at: int) -> LocationAttr:
        """The place of a statement in the text."""
        ...

    def source_location(self, loc: Loc) -> LocationAttr | None:
        """The place in the program that the PTX was made from; None where it has none."""
        ...

    def function_type(self, name: str) -> LLVMFunctionType | None:
        """The type of a function of the module; None for any other name."""
        ...

    def callee_name(self, name: str) -> str:
        """The name that a function has among the modules that are linked."""
        ...

    def symbol(self, b: PtxBuilder, name: str) -> SSAValue | None:
        """The address of a variable or function of the module; None for any other name."""
        ...

    def address_of(self, b: PtxBuilder, variable: Variable) -> SSAValue:
        """The address of a variable that a function declares."""
        ...

    def add_local_variable(self, function: Function, variable: Variable) -> Variable:
        """Notes a variable that a function declares; it becomes one of the module."""
        ...

    def declare(self, name: str, ty: LLVMFunctionType) -> None:
        """Declares a function that every device has."""
        ...

    def function_operation(
        self, function: Function, ty: LLVMFunctionType, region: Region
    ) -> Operation:
        """The `llvm.func` of a function."""
        ...


class Place:
    """A variable in memory that a function has for itself, or a parameter in memory."""

    __slots__ = ("pointer", "variable")

    def __init__(self, variable: Variable) -> None:
        self.variable = variable
        self.pointer: SSAValue | None = None


class Bound:
    """A parameter that is one value; `spilled` is the memory of one that is read in parts."""

    __slots__ = ("slot", "spilled", "variable")

    def __init__(self, variable: Variable, slot: Slot) -> None:
        self.variable = variable
        self.slot = slot
        self.spilled: SSAValue | None = None


class ScopeNames(dict[str, object]):
    """The names of a list of statements in braces; those around it are seen too."""

    def __init__(self, outer: ScopeNames | None = None) -> None:
        super().__init__()
        self._outer = outer

    def get(self, key: str, default: object = None) -> object:
        scope: ScopeNames | None = self
        while scope is not None:
            found = dict.get(scope, key)
            if found is not None:
                return found
            scope = scope._outer
        return default


class ModuleBuilder(PtxBuilder):
    """Builds in a function of a module; constants are in its first block."""

    def __init__(
        self, module: Surroundings, entry: Block, location: LocationAttr,
        is_repeated: Callable[[], bool],
    ) -> None:  # fmt: skip
        super().__init__(block=entry, location=location)
        #: Whether a loop has the block that is being built.
        self.is_repeated = is_repeated
        self.module = module
        self.entry = entry
        self.at = 0

    def refuse(self, message: str) -> NoReturn:
        raise PtxError(message, self.at, message)

    def function_type(self, name: str) -> LLVMFunctionType | None:
        return self.module.function_type(name)

    def once(
        self, key: object, name: str, ty: Attribute,
        properties: Mapping[str, Attribute] | None = None,
    ) -> SSAValue:  # fmt: skip
        found = self.constants.get(key)
        if found is None:
            with self.insertion_guard():
                self.at_start(self.entry)
                found = self.constants[key] = self.value(name, (), ty, properties)
        return found

    def allocation(self, size: int, align: int) -> SSAValue:
        """Memory of the thread, for the whole function."""
        one = self.integer(1, I64)
        assert isinstance(one.owner, Operation)
        with self.insertion_guard():
            self.after(one.owner)
            return llvm.alloca(self, one, LLVMArrayType(max(size, 1), I8), alignment=align)


def parameter_type(variable: Variable, is_pointer: bool = False) -> Attribute:
    """The type of a parameter that is one value."""
    if is_pointer:
        space = {"global": 1, "const": 4, "shared": 3}.get((variable.pointee or ("", 0))[0], 0)
        return LLVMPointerType(space) if space else LLVMPointerType()
    if variable.type in FLOATS:
        return FLOATS[variable.type]
    width = type_width(variable.type)
    assert width is not None
    ty = integer_type(width)
    return ty if variable.count == 1 else VectorType(ty, (variable.count,))


def variable_size(variable: Variable) -> int:
    """Bytes of a variable; those of an array without a size are none."""
    size = max((type_width(variable.type) or 8) // 8, 1) * variable.count
    for count in variable.sizes:
        size *= count or 0
    return size


def variable_align(variable: Variable) -> int:
    natural = max((type_width(variable.type) or 8) // 8, 1) * variable.count
    return max(variable.align, natural)


def returned_type(variable: Variable) -> Attribute:
    """The type of a result: an array as an array of integers of its alignment."""
    if not variable.sizes:
        return parameter_type(variable)
    size, align = variable_size(variable), variable_align(variable)
    unit = next(n for n in (8, 4, 2, 1) if n <= align and size % n == 0)
    return LLVMArrayType(size // unit, integer_type(8 * unit))


def by_value(parameters: Sequence[Variable | None]) -> Attribute:
    """The attributes of arguments: those with a variable are passed by value in memory."""
    found: list[DictionaryAttr] = []
    for variable in parameters:
        attributes: dict[str, Attribute] = {}
        if variable is not None:
            attributes["llvm.byval"] = LLVMArrayType(variable_size(variable), I8)
            attributes["llvm.align"] = IntegerAttr(variable_align(variable), I64)
        found.append(DictionaryAttr(attributes))
    return ArrayAttr(found)


def signature(
    returns: Sequence[Variable], parameters: Sequence[Variable],
    pointers: frozenset[str] = frozenset(),
) -> LLVMFunctionType:  # fmt: skip
    """The type of a function. Raises `PtxError` for several results."""
    if len(returns) > 1:
        raise PtxError(returns[1].name, returns[1].at, "a function with several results")
    arguments = [
        LLVMPointerType() if p.sizes else parameter_type(p, p.name in pointers)
        for p in parameters
    ]  # fmt: skip
    result = returned_type(returns[0]) if returns else LLVMVoidType()
    return LLVMFunctionType(tuple(arguments), result)


#: A number that the printer of IR takes for its own, and drops.
_NUMBER = re.compile(r"_(?=\d+$)")


def hint(name: str) -> str | None:
    """A name of PTX as the name of a value: without `%`, and without `_` before a last number."""
    text = name.lstrip("%$").replace("$", "_").replace("%", "_")
    return _NUMBER.sub("", text) if text.isidentifier() else None
