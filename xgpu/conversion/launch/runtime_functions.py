# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls of the runtime's functions from the llvm dialect, and their declarations.

Both come from the table of them (`xgpu/core/support/abi.py`): a rule says which function and with
what, and cannot declare it otherwise than the devices have it. Where a program counts in less than
64 bits, its sizes are widened to what the function takes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from xgpu.conversion.launch.builtin_types import integer_width
from xgpu.core import ods
from xgpu.core.ir.symbols import lookup, symbol_name
from xgpu.core.support.abi import FUNCTIONS
from xgpu.dialects.llvm.builders import POINTER, VOID, call, function_attributes
from xgpu.dialects.llvm.types import LLVMFunctionType, LLVMPointerType

if TYPE_CHECKING:
    from xdsl.ir import LocationAttr

    from xgpu.core.rewriting.rewriter import Rewriter

_TYPES: dict[str, Attribute] = {
    "ptr": POINTER,
    "void": VOID,
    **{f"i{width}": IntegerType(width) for width in (8, 16, 32, 64)},
}


def parameter_types(name: str) -> list[Attribute]:
    """What a function of the runtime takes, in the llvm dialect."""
    return [_TYPES[ty] for ty in FUNCTIONS[name].parameters]


def function_type(name: str) -> LLVMFunctionType:
    """The type of a function of the runtime in the llvm dialect."""
    return LLVMFunctionType(parameter_types(name), _TYPES[FUNCTIONS[name].result])


class Declarations:
    """Which functions the modules that one conversion meets declare."""

    __slots__ = ("_names",)

    def __init__(self) -> None:
        #: By the module's identity: the module, which is kept, and its functions.
        self._names: dict[int, tuple[Operation, set[str]]] = {}

    def declare(self, module: Operation, name: str, location: LocationAttr) -> None:
        """Declares a function of the runtime at the end of `module`, if it is not there."""
        declared = self._declared(module)
        if name not in declared:
            declared.add(name)
            _append(module, name, location)

    def _declared(self, module: Operation) -> set[str]:
        known = self._names.get(id(module))
        if known is None:
            names = {
                name
                for block in module.regions[0].blocks
                for op in block.ops
                if op.name == "llvm.func" and (name := symbol_name(op))
            }
            known = self._names[id(module)] = (module, names)
        return known[1]


def declare_runtime_function(module: Operation, name: str, location: LocationAttr) -> None:
    """Declares a function of the runtime at the end of `module`, if no symbol has its name."""
    if lookup(module, name) is None:
        _append(module, name, location)


def _append(module: Operation, name: str, location: LocationAttr) -> None:
    block = module.regions[0].blocks.last
    assert block is not None
    block.add_op(
        ods.create(
            "llvm.func",
            properties=function_attributes(name, function_type(name)),
            regions=[Region()],
            location=location,
        )
    )


def module_around(block: Block) -> Operation | None:
    """The module nearest around `block`: its symbols are those that operations in it see."""
    op = block.parent_op()
    while op is not None and op.name != "builtin.module":
        op = op.parent_op()
    return op


def call_runtime_function(rw: Rewriter, name: str, arguments: Sequence[SSAValue]) -> list[SSAValue]:
    """Calls a function of the runtime that is declared; its result, if it has one."""
    taken = parameter_types(name)
    values = [_fitted(rw, value, ty) for value, ty in zip(arguments, taken, strict=True)]
    result = _TYPES[FUNCTIONS[name].result]
    return list(call(rw, name, values, None if result == VOID else result).results)


def _fitted(rw: Rewriter, value: SSAValue, wanted: Attribute) -> SSAValue:
    """`value` as a parameter of type `wanted`: sizes in 64 bits, addresses of any memory as such
    of the host's."""
    ty = value.type
    if ty == wanted:
        return value
    if isinstance(ty, LLVMPointerType):
        return rw.value("llvm.addrspacecast", (value,), wanted)
    width, taken = integer_width(ty), integer_width(wanted)
    assert width is not None, f"'{ty}' where the runtime takes '{wanted}'"
    assert taken is not None, f"'{ty}' where the runtime takes '{wanted}'"
    return rw.value("llvm.zext" if width < taken else "llvm.trunc", (value,), wanted)
