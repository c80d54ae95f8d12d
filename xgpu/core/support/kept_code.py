# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Code of short texts that are compiled in every run: methods of dataclasses, annotations, regular
expressions, predicates.

A tool's process keeps them in the user's cache (`begin`); anywhere else they are compiled. Code is
looked up by its whole text, so changed modules can at worst miss.

What all runs together have asked for is much more than what one run needs, so a text is kept in a
group: with the others of its module, or alone. Groups that every run asks for (the core) are read
at once, any other when it is first asked for.
"""

from __future__ import annotations

import marshal
import sys
from contextlib import suppress

TYPE_CHECKING = False  # importing `typing` for it takes longer than reading this file
if TYPE_CHECKING:
    from types import CodeType
    from typing import Any

    from xgpu.core.support.cache import Parts

#: What compiled code depends on besides its source; the first number is that of its form. Each
#: place has its own, so that nobody reads what other releases have asked for.
_VERSION = f"5 {sys.implementation.cache_tag} {sys.hexversion:x} {sys.flags.optimize} {__file__}"
#: The groups of all runs are some hundreds; no more are kept than these, of so many texts each.
_MOST = 4000
#: The part that is read at once. No group has this name.
_CORE = "*"


class _Kept:
    """What was made of texts, by group and text."""

    def __init__(self, parts: Parts | None) -> None:
        self._parts = parts
        core = None if parts is None else parts.load(_CORE)
        self._core: dict[str, dict[str, object]] = core or {}
        self._groups = dict(self._core)
        #: Groups that have something that was not kept.
        self._changed: set[str] = set()
        #: What the core should be, once that is known.
        self._wanted: set[str] = set()

    def group(self, name: str) -> dict[str, object]:
        found = self._groups.get(name)
        if found is None:
            found = None if self._parts is None else self._parts.load(name)
            self._groups[name] = found = found or {}
        return found

    def put(self, name: str, key: str, value: object) -> None:
        group = self.group(name)
        if len(group) < _MOST and len(self._groups) < _MOST:
            group[key] = value
            self._changed.add(name)

    def mark_core(self) -> None:
        """The groups that were asked for until now are those that every run needs."""
        self._wanted = set(self._groups)

    def store(self) -> None:
        """Writes down what is new."""
        if not self._changed and self._wanted <= self._core.keys():
            return
        from xgpu.core.support import cache

        core = {name: self._groups[name] for name in self._wanted | self._core.keys()}
        parts = {_CORE: marshal.dumps(core)}
        for name in self._changed - core.keys():
            parts[name] = marshal.dumps(self._groups[name])
        for name in self._parts or ():
            data = None
            if name not in parts and name not in core and self._parts is not None:
                data = self._parts.get(name)
            if data is not None and len(parts) < _MOST:
                parts[name] = data
        cache.put_parts("dataclasses", _VERSION, parts)
        self._changed.clear()
        self._core = core


#: None where nothing is kept.
_kept: _Kept | None = None


def begin() -> None:
    """From now on this process keeps what it compiles."""
    global _kept
    if _kept is not None:
        return
    import atexit

    from xgpu.core.support import cache

    _kept = _Kept(cache.get_parts("dataclasses", _VERSION))
    atexit.register(_kept.store)


def is_begun() -> bool:
    """Whether this process keeps what it compiles."""
    return _kept is not None


def mark_core() -> None:
    """What has been asked for until now is what every run of a tool asks for."""
    if _kept is not None:
        _kept.mark_core()


def code_of(source: str, mode: str, name: str = "<string>", group: str | None = None) -> CodeType:
    """What `compile` makes of `source`, for a file of that name, in the mode `exec` or `eval`; kept
    with others of the `group`, or alone."""
    key = f"{mode} {name} {source}"
    kept = kept_of(key, group)
    if kept is not None:
        return kept
    code = compile(source, name, mode)
    keep(key, code, group)
    return code


def kept_of(key: str, group: str | None = None) -> Any:
    """What was kept under a key that nothing else has; or None."""
    if _kept is None:
        return None
    return _kept.group(_group_of(key) if group is None else group).get(key)


def keep(key: str, value: Any, group: str | None = None) -> None:
    """Keeps what `marshal` can write; anything else is not kept."""
    if _kept is not None:
        with suppress(ValueError):
            marshal.dumps(value)
            _kept.put(_group_of(key) if group is None else group, key, value)


def _group_of(key: str) -> str:
    """The group of a text that is kept alone; another that has it by chance does no harm."""
    from _imp import source_hash

    return source_hash(6, key.encode("utf-8", "surrogatepass")).hex()
