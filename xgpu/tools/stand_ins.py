# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Modules that a tool's imports name and its run does not use.

xDSL and the standard library import `inspect` (and with it `ast`, `dis`, `tokenize`), `ctypes`,
`copy` and `string` for functions that few runs call. While a tool imports xDSL, modules that load
the real ones when they are first asked stand for them, as `importlib.util.LazyLoader` would have
it, which itself takes as long as some of them. What is asked of them during the imports themselves
they answer: the few facts in `_facts`.

Only the tools do this, around their imports, in their own process.
"""

from __future__ import annotations

import sys
from contextlib import contextmanager
from types import ModuleType

from xgpu.core.support.kept_code import code_of

TYPE_CHECKING = False  # importing `typing` for it takes longer than reading this file
if TYPE_CHECKING:
    from collections.abc import Callable, Generator
    from typing import Any

#: Whether annotations are made when they are asked for (PEP 749).
_LAZY_ANNOTATIONS = sys.hexversion >= 0x30E0000
#: What marks the code of a coroutine, `inspect.CO_COROUTINE`.
_COROUTINE = 0x80


class _NoFinder:
    """Stands for xDSL's `IRDLDialectFinder`: finds nothing."""

    def __init__(self, dialects: object) -> None: ...

    def find_spec(self, name: str, path: object = None, target: object = None) -> None: ...


class _Names:
    """Stands for the parameters of a function where only their names are asked for."""

    def __init__(self, function: Callable[..., object]) -> None:
        code = function.__code__
        self.parameters = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]


def _isclass(object: object) -> bool:
    return isinstance(object, type)


def _ismethod(object: object) -> bool:
    return isinstance(object, type(_NoFinder(None).find_spec))


def _get_annotations(object: Any, **options: Any) -> dict[str, Any]:
    """What `inspect.get_annotations` says; itself of classes as xDSL has them."""
    plain = isinstance(object, type) and options in ({}, {"eval_str": True})
    if not plain or _LAZY_ANNOTATIONS or getattr(object, "__type_params__", ()):
        return _real("inspect").get_annotations(object, **options)
    found: dict[str, Any] = vars(object).get("__annotations__") or {}
    if not options:
        return dict(found)
    module = object.__module__
    names = vars(sys.modules[module])
    own = dict(vars(object))

    def value_of(text: str) -> Any:
        return eval(code_of(text, "eval", group=module), names, own)

    return {
        name: value_of(value) if isinstance(value, str) else value for name, value in found.items()
    }


def _iscoroutinefunction(function: Any) -> bool:
    if type(function) is not type(_isclass) or vars(function):
        return _real("inspect").iscoroutinefunction(function)
    return bool(function.__code__.co_flags & _COROUTINE)


def _getfullargspec(function: Any) -> Any:
    return _real("inspect").getfullargspec(function)


#: The modules, with what is asked of them while others are imported.
_MODULES: dict[str, dict[str, object]] = {
    "_socket": {"CAPI": None},
    "copy": {},
    "ctypes": {},
    "inspect": {
        "isclass": _isclass, "ismethod": _ismethod, "get_annotations": _get_annotations,
        "getfullargspec": _getfullargspec, "iscoroutinefunction": _iscoroutinefunction,
        "signature": _Names,
    },
    "string": {"hexdigits": "0123456789abcdefABCDEF"},
    "struct": {},
}  # fmt: skip
#: What only packages in archives need, or resources that are no files.
_ARCHIVES = ("tempfile", "zipfile")
#: Those of them that hold others.
_PACKAGES = frozenset(("ctypes",))


class _StandIn(ModuleType):
    """A module that asks the real one, and loads it when it is first asked."""

    def __getattr__(self, name: str) -> Any:
        own = self.__name__
        if name == "__path__" and own not in _PACKAGES:
            raise AttributeError(name)  # a statement `from ... import` asks
        value = getattr(_real(own), name)
        setattr(self, name, value)  # it may be asked for each value of a large constant
        return value


def _real(name: str) -> Any:
    """The module itself, which from now on nothing stands for."""
    if isinstance(sys.modules.get(name), _StandIn):
        del sys.modules[name]
    __import__(name)
    return sys.modules[name]


@contextmanager
def stand_ins() -> Generator[None]:
    """Within it, modules that have not been imported are stood for."""
    made: list[_StandIn] = []
    for name, facts in _MODULES.items():
        if name not in sys.modules:
            stand_in = sys.modules[name] = _StandIn(name)
            for fact, value in facts.items():
                setattr(stand_in, fact, value)
            made.append(stand_in)
    try:
        yield
    finally:
        for stand_in in made:
            name = stand_in.__name__
            if sys.modules.get(name) is stand_in:
                del sys.modules[name]  # whoever imports it later gets the real one
            for fact in _MODULES[name]:
                delattr(stand_in, fact)
            if name == "_socket":
                _add_capsule_type()


def import_resources() -> None:
    """Imports `importlib.resources`, which llvmlite does, without what it has for packages in
    archives: that comes when it is asked for."""
    made = [_StandIn(name) for name in _ARCHIVES if name not in sys.modules]
    sys.modules.update({stand_in.__name__: stand_in for stand_in in made})
    try:
        for name in ("importlib.readers", "importlib.resources"):
            __import__(name)
    finally:
        for stand_in in made:
            if sys.modules.get(stand_in.__name__) is stand_in:
                del sys.modules[stand_in.__name__]


def _add_capsule_type() -> None:
    """`typing_extensions` loads a library of the system's for one name in it: that comes when it is
    asked for."""
    module: Any = sys.modules.get("typing_extensions")
    if module is None or hasattr(module, "CapsuleType"):
        return

    def find(name: str) -> Any:
        if name != "CapsuleType":
            raise AttributeError(f"module 'typing_extensions' has no attribute {name!r}")
        import _socket

        module.CapsuleType = type(_socket.CAPI)
        return module.CapsuleType

    module.__getattr__ = find
    module.__all__.append("CapsuleType")


@contextmanager
def without_irdl_files() -> Generator[None]:
    """Within it, `xdsl.dialects` can be imported without what reads IRDL files."""
    name = "xdsl.utils.dialect_loader"
    if name in sys.modules:
        yield
        return
    stand_in: Any = ModuleType(name)
    stand_in.IRDLDialectFinder = _NoFinder
    sys.modules[name] = stand_in
    try:
        yield
    finally:
        del sys.modules[name]  # whoever imports it later gets the real one
