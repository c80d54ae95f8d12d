# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Code of short texts that are compiled in every run: methods of dataclasses, annotations, regular
expressions, predicates.

A tool's process keeps them in the user's cache (`begin`); anywhere else they are compiled. Code is
looked up by its whole text, so changed modules can at worst miss.
"""

from __future__ import annotations

import marshal
import sys
from contextlib import suppress

TYPE_CHECKING = False  # importing `typing` for it takes longer than reading this file
if TYPE_CHECKING:
    from types import CodeType
    from typing import Any

#: What compiled code depends on besides its source; the first number is that of its form.
_VERSION = f"4 {sys.implementation.cache_tag} {sys.hexversion:x} {sys.flags.optimize}"
#: The texts of one process are some hundreds; one that makes many keeps no more.
_MOST = 4000

#: What was made of texts, by mode and text; None where nothing is kept.
_kept: dict[str, Any] | None = None
#: How many there were in the cache.
_known = 0


def begin() -> None:
    """From now on this process keeps what it compiles."""
    global _kept, _known
    if _kept is not None:
        return
    import atexit

    from xgpu.support import cache

    data = cache.get("dataclasses", _VERSION)
    found: Any = None
    if data is not None:
        with suppress(ValueError, EOFError, TypeError):
            found = marshal.loads(data)
    _kept = found if isinstance(found, dict) else {}
    _known = len(_kept)
    atexit.register(store)


def is_begun() -> bool:
    """Whether this process keeps what it compiles."""
    return _kept is not None


def code_of(source: str, mode: str, name: str = "<string>") -> CodeType:
    """What `compile` makes of `source`, for a file of that name, in the mode `exec` or `eval`."""
    key = f"{mode} {name} {source}"
    kept = kept_of(key)
    if kept is not None:
        return kept
    code = compile(source, name, mode)
    keep(key, code)
    return code


def kept_of(key: str) -> Any:
    """What was kept under a key that nothing else has; or None."""
    return None if _kept is None else _kept.get(key)


def keep(key: str, value: Any) -> None:
    """Keeps what `marshal` can write; anything else is not kept."""
    if _kept is not None and len(_kept) < _MOST:
        with suppress(ValueError):
            marshal.dumps(value)
            _kept[key] = value


def store() -> None:
    """Writes down what is new."""
    global _known
    if _kept is not None and len(_kept) > _known:
        from xgpu.support import cache

        cache.put("dataclasses", _VERSION, marshal.dumps(_kept))
        _known = len(_kept)
