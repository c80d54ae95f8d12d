# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The module of a kernel as people know it: names of Python, exceptions that stop a thread.

    gpu.func @_Z3add5ArrayI..(%arg0: memref<..>, ..) kernel
    =>  gpu.func @add(%x: memref<..>, ..) kernel

numba-cuda-mlir notes an exception in a global, `__numba_cuda_mlir_error_code`, and goes on; the
launcher reads it if the kernel was compiled with `debug=True`. Here such a kernel ends the thread
by an assertion, which names the class, and what the Python source says in that line.
"""

from __future__ import annotations

import ast
import linecache
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    FileLineColLoc,
    FusedLoc,
    IntAttr,
    IntegerType,
    LocationAttr,
    ModuleOp,
    StringAttr,
    SymbolRefAttr,
    UnknownLoc,
    i1,
    i64,
)
from xdsl.ir import Operation, SSAValue

from xgpu.core.ir.constants import int_of
from xgpu.core.ir.construction import defining, nested_operations
from xgpu.core.ir.locations import source_location
from xgpu.core.ir.symbols import set_symbol_name
from xgpu.core.rewriting.builder import Rewriter
from xgpu.core.syntax import parse_module
from xgpu.dialects.arith.builders import constant

if TYPE_CHECKING:
    from xgpu.frontend.numba.front_end import Source

_ERROR_CODE = "__numba_cuda_mlir_error_code"
#: The exceptions that numba-cuda-mlir's codes are.
EXCEPTIONS: dict[int, type[Exception]] = {
    1: AssertionError, 2: IndexError, 3: ValueError, 4: RuntimeError, 5: ZeroDivisionError,
}  # fmt: skip


def kernel_module(source: Source, parameters: Sequence[str], *, raises: bool) -> ModuleOp:
    """The module of a kernel whose flattened parameters have these names.

    `raises` says that exceptions end a thread.
    """
    module = parse_module(source.text, f"{source.kernel}.mlir")
    for op in nested_operations(module):
        _forget_debug_scope(op)
        if op.name == "gpu.func" and _is_kernel(op):
            set_symbol_name(op, source.kernel)
            _name_arguments(op, parameters)
        elif op.name == "gpu.printf":
            _widen_arguments(op)
        elif op.name == "llvm.cmpxchg" and raises and _is_error_code(op.operands[0]):
            _assert(op)
    return module


#: What tells a debugger where variables are.
_DEBUG = ("llvm.intr.dbg.declare", "llvm.intr.dbg.value", "llvm.intr.dbg.label")


def _forget_debug_scope(op: Operation) -> None:
    """Leaves lines and files, without the scopes of a debugger: functions are compiled for the host
    in several copies, and a scope is one function's."""
    op.location = _line(op.location)
    for region in op.regions:
        for block in region.blocks:
            for argument in block.args:
                argument.location = _line(argument.location)
    if op.name in _DEBUG:
        op.detach()
        op.erase()


def _line(location: LocationAttr) -> LocationAttr:
    """The line alone; the front end knows no columns, so that of the line's first character."""
    if isinstance(location, FusedLoc):
        parts = cast("ArrayAttr[LocationAttr]", location.locations).data
        return _line(parts[0]) if parts else UnknownLoc()
    if not isinstance(location, FileLineColLoc) or location.column.data:
        return location
    text = linecache.getline(location.filename.data, location.line.data)
    column = len(text) - len(text.lstrip()) + 1
    return FileLineColLoc(location.filename, location.line, IntAttr(column))


def _is_kernel(op: Operation) -> bool:
    return "kernel" in op.properties or "gpu.kernel" in op.attributes


def _name_arguments(kernel: Operation, names: Sequence[str]) -> None:
    entry = kernel.regions[0].first_block
    assert entry is not None
    for argument, name in zip(entry.args, names, strict=False):
        argument.name_hint = name


#: Conversions of printf that read 64 bits.
_LONG = re.compile(r"%[-+ #0]*\d*(?:\.\d+)?(hh|h|ll|l|j|z|t)?([a-zA-Z%])")


def _widen_arguments(op: Operation) -> None:
    """printf "%lld", %i : i32  =>  printf "%lld", (extsi %i) : i64, which the format reads."""
    text = cast("StringAttr", op.properties["format"]).data
    found = [match for match in _LONG.finditer(text) if match[2] != "%"]
    rw = Rewriter(op)
    for at, (match, value) in enumerate(zip(found, op.operands, strict=False)):
        narrow = isinstance(value.type, IntegerType) and value.type.width.data < i64.width.data
        if match[1] in ("l", "ll") and narrow:
            name = "arith.extsi" if match[2] in "di" else "arith.extui"
            op.operands[at] = rw.value(name, [value], i64)


def _is_error_code(pointer: SSAValue) -> bool:
    taken = defining(pointer, "llvm.mlir.addressof")
    if taken is None:
        return False
    reference = cast("SymbolRefAttr", taken.properties["global_name"])
    return reference.root_reference.data == _ERROR_CODE


def _assert(op: Operation) -> None:
    """Puts an assertion that fails behind where the code of an exception is noted."""
    code = int_of(op.operands[2])
    rw = Rewriter(op)
    properties = {"msg": StringAttr(_message(op, EXCEPTIONS.get(code or 0, RuntimeError)))}
    rw.create("cf.assert", [constant(rw, False, i1)], (), properties)


def _message(op: Operation, kind: type[Exception]) -> str:
    """`IndexError: no such element`, as far as the source says it."""
    place = source_location(op.location)
    if place is None:
        return kind.__name__
    said = raised(linecache.getline(str(place[0]), int(place[1])))
    return said or kind.__name__


_STATEMENT = re.compile(r"\b(?:raise|assert)\b.*")


def raised(line: str) -> str | None:
    """What a line of Python with a `raise` or an `assert` says; None for another line."""
    found = _STATEMENT.search(line)
    if found is None:
        return None
    try:
        (statement,) = ast.parse(found[0]).body
    except (SyntaxError, ValueError):
        return None
    if isinstance(statement, ast.Assert):
        return _text("AssertionError", [statement.msg] if statement.msg is not None else [])
    if not isinstance(statement, ast.Raise) or statement.exc is None:
        return None
    called = statement.exc
    if not isinstance(called, ast.Call):
        return ast.unparse(called)
    return _text(ast.unparse(called.func), called.args)


def _text(name: str, arguments: Sequence[ast.expr]) -> str:
    shown = [
        str(argument.value) if isinstance(argument, ast.Constant) else ast.unparse(argument)
        for argument in arguments
    ]
    return f"{name}: {', '.join(shown)}" if shown else name
