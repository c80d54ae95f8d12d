# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the standard library compiles from short texts in every run, taken from what was kept.

`dataclasses` writes the source of some 850 small methods for xDSL alone, `typing` and `collections`
evaluate annotations and constructors of named tuples, `re` compiles expressions in Python. The
texts are the same in every run. Nothing changes but where the code comes from.

Only a tool's own process does this.
"""

from __future__ import annotations

import sys

from xgpu.core.support.kept_code import code_of, keep, kept_of

TYPE_CHECKING = False  # importing `typing` for it takes longer than reading this file
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from dataclasses import Field
    from types import CodeType, FunctionType, ModuleType
    from typing import Any


def hook_libraries() -> None:
    """Those that have been imported take their code from what was kept."""
    for name, hook in _HOOKS.items():
        module = sys.modules.get(name)
        if module is not None:
            hook(module)


def _exec(source: str, names: dict[str, Any], *scopes: dict[str, Any]) -> None:
    """Methods are kept with the others of their module, whose names they see."""
    exec(code_of(source, "exec", "<dataclass>", names.get("__name__")), names, *scopes)


def _eval(source: str | CodeType, *scopes: dict[str, object]) -> object:
    return eval(code_of(source, "eval") if isinstance(source, str) else source, *scopes)


def _compile(source: Any, filename: str, mode: str, *rest: Any, **options: Any) -> CodeType:
    if rest or options or not isinstance(source, str) or filename != "<string>":
        return compile(source, filename, mode, *rest, **options)
    return code_of(source, mode)


def _hook_dataclasses(module: ModuleType) -> None:
    if vars(module).get("exec") is _exec:
        return
    vars(module)["exec"] = _exec
    for name, arguments, make in (
        ("_repr_fn", ("fields", "globals"), _later_method("__repr__")),
        ("_hash_fn", ("fields", "globals"), _later_method("__hash__")),
        ("_cmp_fn", ("name", "op", "self_tuple", "other_tuple", "globals"), _later_comparison),
        ("_frozen_get_del_attr", ("cls", "fields", "globals"), _frozen_methods),
    ):
        plain = getattr(module, name, None)
        code = getattr(plain, "__code__", None)
        if (
            plain is not None
            and code is not None
            and code.co_varnames[: code.co_argcount] == arguments
        ):
            setattr(module, name, make(plain))


def _later_method(name: str) -> Callable[[Callable[..., FunctionType]], object]:
    """How a method of `self` is written when it is first called: most never are. From then on the
    class has it as it would have had it at once."""

    def maker(write: Callable[..., FunctionType]) -> object:
        def later(fields: Iterable[Field[object]], globals: dict[str, object]) -> object:
            def method(self: object) -> object:
                return _replace(method, type(self), write(fields, globals))(self)

            method.__name__ = name
            return method

        return later

    return maker


def _later_comparison(write: Callable[..., FunctionType]) -> object:
    """The same of a method that compares two."""

    def later(name: str, *rest: object, **named: object) -> object:
        def method(self: object, other: object) -> object:
            return _replace(method, type(self), write(name, *rest, **named))(self, other)

        method.__name__ = name
        return method

    return later


def _replace(method: Callable[..., object], cls: type, written: FunctionType) -> FunctionType:
    name = method.__name__
    written.__qualname__ = method.__qualname__
    for parent in cls.__mro__:
        if vars(parent).get(name) is method:
            setattr(parent, name, written)
    return written


def _frozen_methods(write: Callable[..., FunctionType]) -> object:
    """The methods of frozen classes, which differ in values only, without a text for each."""
    error: type[Exception] = sys.modules["dataclasses"].FrozenInstanceError

    def methods(cls: type, fields: Iterable[Field[object]], globals: dict[str, object]) -> object:
        names = tuple([field.name for field in fields])

        def __setattr__(self: object, name: str, value: object) -> None:
            if type(self) is cls or name in names:
                raise error(f"cannot assign to field {name!r}")
            super(cls, self).__setattr__(name, value)

        def __delattr__(self: object, name: str) -> None:
            if type(self) is cls or name in names:
                raise error(f"cannot delete field {name!r}")
            super(cls, self).__delattr__(name)

        return __setattr__, __delattr__

    return methods


def _hook_typing(module: ModuleType) -> None:
    vars(module)["compile"] = _compile


def _hook_collections(module: ModuleType) -> None:
    vars(module)["eval"] = _eval


class _Heard:
    """Stands for `_sre` where expressions are compiled, and notes what makes one."""

    def __init__(self, sre: ModuleType) -> None:
        self._sre: Any = sre
        self.arguments: tuple[Any, ...] = ()

    def compile(self, *arguments: Any) -> Any:
        self.arguments = arguments
        return self._sre.compile(*arguments)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._sre, name)


def _hook_expressions(module: Any) -> None:
    plain = module.compile
    sre = getattr(module, "_sre", None)
    if sre is None or getattr(plain, "__name__", "") == "_compiled":
        return

    def _compiled(p: object, flags: int = 0) -> object:
        if not isinstance(p, str):
            return plain(p, flags)
        key = f"re {sre.MAGIC} {int(flags)} {p}"
        made = kept_of(key)
        if made is not None:
            return sre.compile(p, *made)
        module._sre = heard = _Heard(sre)
        try:
            expression = plain(p, flags)
        finally:
            module._sre = sre
        if len(heard.arguments) == 6 and heard.arguments[0] == p:
            _, flags, code, *rest = heard.arguments
            keep(key, (int(flags), [int(word) for word in code], *rest))
        return expression

    module.compile = _compiled


_HOOKS = {
    "collections": _hook_collections,
    "dataclasses": _hook_dataclasses,
    "re._compiler": _hook_expressions,
    "typing": _hook_typing,
}
