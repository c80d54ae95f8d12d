# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the standard library compiles from short texts in every run, taken from what was kept.

`dataclasses` writes the source of some 850 small methods for xDSL alone, `typing` and `collections`
evaluate annotations and constructors of named tuples, `re` compiles expressions in Python. The
texts are the same in every run. Nothing changes but where the code comes from.

Only a tool's own process does this.
"""

from __future__ import annotations

import sys

from xgpu.support.kept_code import code_of, keep, kept_of

TYPE_CHECKING = False  # importing `typing` for it takes longer than reading this file
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any


def hook_libraries() -> None:
    """Those that have been imported take their code from what was kept."""
    for name, hook in _HOOKS.items():
        module: Any = sys.modules.get(name)
        if module is not None:
            hook(module)


def _exec(source: Any, names: Any, *scopes: Any) -> None:
    """Methods are kept with the others of their module, whose names they see."""
    exec(code_of(source, "exec", "<dataclass>", names.get("__name__")), names, *scopes)


def _eval(source: Any, *scopes: Any) -> Any:
    return eval(code_of(source, "eval") if isinstance(source, str) else source, *scopes)


def _compile(source: Any, filename: Any, mode: str, *rest: Any, **options: Any) -> Any:
    if rest or options or not isinstance(source, str) or filename != "<string>":
        return compile(source, filename, mode, *rest, **options)
    return code_of(source, mode)


def _hook_dataclasses(module: Any) -> None:
    module.exec = _exec


def _hook_typing(module: Any) -> None:
    module.compile = _compile


def _hook_collections(module: Any) -> None:
    module.eval = _eval


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

    def _compiled(p: Any, flags: Any = 0) -> Any:
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
