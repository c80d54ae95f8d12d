# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Byte code of modules, kept for the tools where Python keeps none.

Python compiles a module when it is imported, and keeps the result beside the source. Where it may
not (`PYTHONDONTWRITEBYTECODE`, which images of containers like to set, or a folder that the user
cannot write) a tool would compile 150 modules in each run, which takes three times as long as all
else that it does for a short text. There the user's cache holds what Python would have held.

Python's own search and loaders decide what is imported; the cache is asked only when one of them
is about to compile, and by the text of the source. So what a run does never depends on what was
kept. One entry holds the modules of one folder, since a run that needs one of them needs more.
"""

from __future__ import annotations

import marshal
import os
import sys
from importlib.machinery import PathFinder, SourceFileLoader

from xgpu.support import cache

TYPE_CHECKING = False  # importing `typing` for it takes longer than all the rest
if TYPE_CHECKING:
    from collections.abc import Sequence
    from importlib.machinery import ModuleSpec
    from types import CodeType, ModuleType
    from typing import Any

#: The packages that make up the start of a tool; others are installed with their byte code.
_PACKAGES = ("xgpu", "xdsl")
#: What an entry depends on besides its folder; the first number is that of its form.
_VERSION = f"2 {sys.implementation.cache_tag} {sys.hexversion:x} {sys.flags.optimize}"


class _Folder:
    """What is kept of one folder: by file name a checksum of the source, and its code."""

    def __init__(self, path: str) -> None:
        self._key = f"{_VERSION} {path}"
        self._entries: dict[str, tuple[bytes, bytes]] = {}
        self._changed = False
        data = cache.get("modules", self._key)
        if data is not None:
            self._entries = marshal.loads(data)

    def get(self, name: str, checksum: bytes) -> CodeType | None:
        """The code of the file `name`, if it is of the text with this checksum."""
        entry = self._entries.get(name)
        if entry is None or entry[0] != checksum:
            return None
        return marshal.loads(entry[1])

    def put(self, name: str, checksum: bytes, code: CodeType) -> None:
        self._entries[name] = (checksum, marshal.dumps(code))
        self._changed = True

    def store(self) -> None:
        if self._changed:
            cache.put("modules", self._key, marshal.dumps(self._entries))


class Loader(SourceFileLoader):
    """Python's loader of a source file, which asks the cache before it compiles."""

    def __init__(self, name: str, path: str, folders: Folders) -> None:
        super().__init__(name, path)
        self._folders = folders

    def source_to_code(self, data: Any, path: Any, *, _optimize: int = -1) -> CodeType:
        folder, name = os.path.split(os.fsdecode(path))
        kept = self._folders.of(folder)
        checksum = cache.checksum(bytes(data))
        code = kept.get(name, checksum)
        if code is None:
            code = super().source_to_code(data, path)
            kept.put(name, checksum, code)
        return code


class Folders:
    """The folders that were asked for; a finder of modules that finds what Python's own does."""

    def __init__(self) -> None:
        self._folders: dict[str, _Folder] = {}

    def of(self, path: str) -> _Folder:
        found = self._folders.get(path)
        if found is None:
            found = self._folders[path] = _Folder(path)
        return found

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name.partition(".")[0] not in _PACKAGES:
            return None
        spec = PathFinder.find_spec(name, path, target)
        if spec is not None and type(spec.loader) is SourceFileLoader:
            spec.loader = Loader(name, spec.loader.path, self)
        return spec

    def store(self) -> None:
        for folder in self._folders.values():
            folder.store()


def keep() -> None:
    """From now on what this process has to compile is kept, and found again."""
    if os.environ.get("XGPU_NO_CACHE") or _python_keeps():
        return
    import atexit

    folders = Folders()
    # Before Python's own finder of files, behind what knows modules without files.
    at = sys.meta_path.index(PathFinder) if PathFinder in sys.meta_path else len(sys.meta_path)
    sys.meta_path.insert(at, folders)
    atexit.register(folders.store)


def _python_keeps() -> bool:
    """Whether Python itself has byte code of ours, and may write it where it has not."""
    spec = sys.modules["xgpu"].__spec__
    cached = None if spec is None else spec.cached
    return not sys.dont_write_bytecode and cached is not None and os.path.exists(cached)
