# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Byte code of modules, kept for the tools where Python keeps none.

Python compiles a module when it is imported, and keeps the result beside the source. Where it may
not (`PYTHONDONTWRITEBYTECODE`, which images of containers like to set, or a folder that the user
cannot write) a tool would compile 150 modules in each run, which takes three times as long as all
else that it does for a short text. There the user's cache holds what Python would have held.

One entry holds the modules of one folder, since a run that needs one of them needs more. What is
kept of a module is taken if its folder and its file are as they were: times of change and of
status, size, inode, which is more than Python itself asks. Then Python's own search is not asked
either. Everything else is found, read and compiled by Python's own finders and loaders.
"""

from __future__ import annotations

import marshal
import os
import sys
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader

from xgpu.support import cache

TYPE_CHECKING = False  # importing `typing` for it takes longer than all the rest
if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import CodeType, ModuleType

    #: What tells one state of a file from all others.
    State = tuple[int, int, int, int]

#: The packages that make up the start of a tool; others are installed with their byte code.
_PACKAGES = ("xgpu", "xdsl")
#: What an entry depends on besides its folder; the first number is that of its form.
_VERSION = f"3 {sys.implementation.cache_tag} {sys.hexversion:x} {sys.flags.optimize}"


def state_of(path: str) -> State | None:
    """The state of a file or folder; None if it is not there."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino


class Folder:
    """What is kept of one folder: by the last part of a module's name the path of its file, the
    file's state, and the code."""

    def __init__(self, path: str) -> None:
        self._key = f"{_VERSION} {path}"
        self._state = state_of(path)
        self._index: dict[str, tuple[str, State]] = {}
        self._new: dict[str, bytes] = {}
        self._parts = cache.get_parts("modules", self._key)
        index = None if self._parts is None else self._parts.get("")
        if index is not None:
            state, entries = marshal.loads(index)
            if state == self._state:
                self._index = entries

    def get(self, name: str) -> tuple[str, bytes] | None:
        """The file of a module and its code, if both are as they were when they were kept."""
        entry = self._index.get(name)
        if entry is None or self._parts is None or state_of(entry[0]) != entry[1]:
            return None
        code = self._parts.get(name)
        return None if code is None else (entry[0], code)

    def put(self, name: str, path: str, state: State, code: CodeType) -> None:
        self._index[name] = path, state
        self._new[name] = marshal.dumps(code)

    def store(self) -> None:
        if not self._new:
            return
        parts = self._new
        if self._parts is not None:
            kept = {name: self._parts.get(name) for name in self._index.keys() - parts.keys()}
            parts |= {name: code for name, code in kept.items() if code is not None}
        index = {name: self._index[name] for name in parts}
        cache.put_parts("modules", self._key, {"": marshal.dumps((self._state, index)), **parts})


class Loader(SourceFileLoader):
    """Python's loader of a source file, which need not read it if its code was kept."""

    def __init__(self, name: str, path: str, folder: Folder, code: bytes | None = None) -> None:
        super().__init__(name, path)
        self._folder = folder
        self._code = code

    def get_code(self, fullname: str) -> CodeType | None:
        if self._code is not None:
            return marshal.loads(self._code)
        state = state_of(self.path)  # before it is read: what changes meanwhile is not kept
        code = super().get_code(fullname)
        if state is not None and code is not None:
            self._folder.put(fullname.rpartition(".")[2], self.path, state, code)
        return code


class Folders:
    """The folders that were asked for; a finder of modules that finds what Python's own does."""

    def __init__(self) -> None:
        self._folders: dict[str, Folder] = {}

    def of(self, path: str) -> Folder:
        found = self._folders.get(path)
        if found is None:
            found = self._folders[path] = Folder(path)
        return found

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        top, _, rest = name.partition(".")
        if top not in _PACKAGES:
            return None
        if not rest or path is None or len(path) != 1:
            return PathFinder.find_spec(name, path, target)
        folder = self.of(path[0])
        kept = folder.get(name.rpartition(".")[2])
        if kept is not None:
            return _spec(Loader(name, kept[0], folder, kept[1]))
        spec = PathFinder.find_spec(name, path, target)
        if spec is not None and type(spec.loader) is SourceFileLoader:
            spec.loader = Loader(name, spec.loader.path, folder)
        return spec

    def store(self) -> None:
        for folder in self._folders.values():
            folder.store()


def _spec(loader: Loader) -> ModuleSpec:
    """What Python's own search would say of a module."""
    parent, name = os.path.split(loader.path)
    package = name == "__init__.py"
    spec = ModuleSpec(loader.name, loader, origin=loader.path, is_package=package)
    spec.has_location = True
    if package:
        spec.submodule_search_locations = [parent]
    return spec


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
