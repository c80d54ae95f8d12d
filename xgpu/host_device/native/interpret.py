# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Native sources as Python, to step through one in a debugger.

    from xgpu.host_device.native.interpret import interpret
    tma = interpret("tma")
    breakpoint()
    tma.swizzled(4096, 3)

Every function gets and gives numbers of its annotated width, so overflow and signs are the
machine's; memory is that of this process. What has no Python, `resume` and what is written in LLVM
IR, raises NotImplementedError.
"""

from __future__ import annotations

import ast
import ctypes
import inspect
from collections.abc import Callable
from ctypes.util import find_library
from functools import cache, wraps
from importlib import import_module
from typing import TYPE_CHECKING, cast

from xgpu.host_device.native import prelude
from xgpu.host_device.native.prelude import Record, ptr

if TYPE_CHECKING:
    from types import ModuleType


_SOURCES = "xgpu.host_device.native.sources"


@cache
def interpret(name: str) -> ModuleType:
    """A source as a module whose functions can be called, as can all that it imports."""
    module = import_module(f"{_SOURCES}.{name}")
    for key, value in list(vars(module).items()):
        home = getattr(value, "__module__", "")
        if not inspect.isfunction(value) or not home.startswith(_SOURCES):
            continue
        if home == module.__name__:
            setattr(module, key, _external(value) if "extern" in vars(value) else _typed(value))
        else:
            setattr(module, key, getattr(interpret(home.rpartition(".")[2]), key))
    return module


@cache
def _kinds(function: Callable[..., object]) -> list[type[object] | None]:
    """The classes of parameters and, last, of the result; None where it has none."""
    names = {**vars(prelude), **function.__globals__}
    annotations = function.__annotations__
    kinds = [_kind(ast.parse(text, mode="eval").body, names) for text in annotations.values()]
    return kinds


def _kind(node: ast.expr, names: dict[str, object]) -> type[object] | None:
    match node:
        case ast.BinOp(left=pointer):
            return _kind(pointer, names)
        case ast.Subscript(slice=element):
            return prelude.Ptr[cast("type", _kind(element, names))]
        case ast.Name(id=name):
            return cast("type[object]", names[name])
        case _:
            return None


def _as(kind: type[object] | None, value: object) -> object:
    """`value` as a parameter or result of a class has it."""
    if kind is None or (value is None and issubclass(kind, ptr)):
        return None
    return value if type(value) is kind else cast("Callable[[object], object]", kind)(value)


def _typed(function: Callable[..., object]) -> Callable[..., object]:
    @wraps(function)
    def call(*arguments: object) -> object:
        *parameters, result = _kinds(function)
        given = [_as(k, a) for k, a in zip(parameters, arguments, strict=True)]
        return _as(result, function(*given))

    return call


def _external(function: Callable[..., object]) -> Callable[..., object]:
    """A function of the C library by its name."""
    name = function.__name__

    @wraps(function)
    def call(*arguments: object) -> object:
        *parameters, result = _kinds(function)
        given = [_as(k, a) for k, a in zip(parameters, arguments, strict=True)]
        return prelude.invoke(_address(name), result, *given)

    return call


@cache
def _address(name: str) -> ptr:
    for library in (None, find_library("m")):
        function = getattr(ctypes.CDLL(library), name, None)
        if function is not None:
            return ptr(ctypes.cast(function, ctypes.c_void_p).value)
    raise NotImplementedError(f"{name} is neither Python nor in the C library")


__all__ = ["Record", "interpret"]
