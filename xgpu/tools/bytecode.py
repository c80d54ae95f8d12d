# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Byte code of modules, kept for the tools in one file.

Half of what a tool does for a short text is Python finding and loading 150 modules. It asks
each folder, reads each file's byte code for itself, with its own copy of each name and constant, or
compiles it anew in each run where it keeps no byte code (`PYTHONDONTWRITEBYTECODE`, which images of
containers like to set, or a folder that the user cannot write).

The user's cache holds an image instead: the modules that each run of a tool needs (its core) as one
object, which is read at once, and all others that runs have needed one by one. What is kept of a
module is taken if its folder and its file are as they were: times of change and of status, size,
inode, which is more than Python itself asks. Then Python's own search is not asked. Everything else
is found, read and compiled by Python's own finders and loaders.
"""

from __future__ import annotations

import gc
import marshal
import os
import sys
from importlib.machinery import BuiltinImporter, ModuleSpec, PathFinder, SourceFileLoader

from xgpu.core.support import cache

TYPE_CHECKING = False  # importing `typing` for it takes longer than all the rest
if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import CodeType, ModuleType

    #: What tells one state of a file from all others.
    State = tuple[int, int, int, int]
    #: A module's folder, its file, the file's state, and where Python would keep its byte code.
    Entry = tuple[str, str, State | None, str | None]

#: The packages that make up the start of a tool; others are installed with their byte code.
_PACKAGES = ("xgpu", "xdsl")
#: What an image depends on besides the place of the packages; the first number is that of its form.
_VERSION = (
    f"4 {sys.implementation.cache_tag} {sys.hexversion:x} {sys.flags.optimize} {sys.pycache_prefix}"
)
#: So many bytes come before the code in a file of Python's (PEP 552).
_PYC_HEADER = 16
#: The parts of an image that are no modules.
_INDEX, _CORE = "", "*"


def state_of(path: str) -> State | None:
    """The state of a file or folder; None if it is not there."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino


class Image:
    """What is kept of all modules; a finder of modules that finds what Python's own does."""

    def __init__(self, place: str) -> None:
        """The image of the packages that are used with the one of this tool, in `place`."""
        self._key = f"{_VERSION} {place}"
        self._folders: dict[str, State | None] = {}
        self._modules: dict[str, Entry] = {}
        self._core: dict[str, CodeType] = {}
        #: The states of folders that were asked for, before they were searched.
        self._found: dict[str, State | None] = {}
        self._new: dict[str, CodeType] = {}
        #: What Python's own file holds of new ones, where it was read from there.
        self._marshalled: dict[str, bytes] = {}
        #: What the core should be, once that is known.
        self._wanted: set[str] = set()
        self._seen: set[str] = set()
        self._parts = cache.get_parts("modules", self._key)
        index = None if self._parts is None else self._parts.load(_INDEX)
        core = None if self._parts is None else self._parts.load(_CORE)
        if index is not None and core is not None:
            self._folders, self._modules = index
            self._core = core

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if path is None or len(path) != 1:
            return None
        entry = self._modules.get(name)
        if entry is not None and entry[0] == path[0]:
            code = self._code(name, entry)
            if code is not None:
                self._seen.add(name)
                return _spec(name, entry, Loader(name, entry, self, code))
        if name.partition(".")[0] not in _PACKAGES:
            return None
        self._is_unchanged(path[0])  # so that its state is known before it is searched
        spec = PathFinder.find_spec(name, path, target)
        if spec is not None and type(spec.loader) is SourceFileLoader:
            entry = (path[0], spec.loader.path, state_of(spec.loader.path), spec.cached)
            spec.loader = Loader(name, entry, self)
        return spec

    def _is_unchanged(self, folder: str) -> bool:
        if folder not in self._found:
            self._found[folder] = state_of(folder)
        return self._found[folder] == self._folders.get(folder)

    def _code(self, name: str, entry: Entry) -> CodeType | None:
        """The code of a module, if its folder and its file are as they were when it was kept."""
        folder, path, state, _ = entry
        if not self._is_unchanged(folder) or state_of(path) != state:
            return None
        code = self._core.get(name)
        if code is None and self._parts is not None:
            code = self._parts.load(name)
        return code

    def put(self, name: str, entry: Entry, code: CodeType, marshalled: bytes | None = None) -> None:
        """Notes the code of a module, whose file had the entry's state before it was read."""
        folder = entry[0]
        if not self._is_unchanged(folder):
            # What else was kept of the folder may not be what is there now.
            self._forget(folder)
            self._folders[folder] = self._found[folder]
        self._modules[name] = entry
        self._core.pop(name, None)
        self._new[name] = code
        if marshalled is not None:
            self._marshalled[name] = marshalled
        self._seen.add(name)

    def _forget(self, folder: str) -> None:
        for name in [name for name, entry in self._modules.items() if entry[0] == folder]:
            del self._modules[name]
            self._core.pop(name, None)

    def mark_core(self) -> None:
        """What has been imported until now is what every run needs."""
        self._wanted = set(self._seen)

    def store(self) -> None:
        """Keeps what was not kept."""
        if not self._new and self._wanted & self._modules.keys() <= self._core.keys():
            return
        wanted = self._wanted | self._core.keys()
        core: dict[str, CodeType] = {}
        parts: dict[str, bytes] = {_INDEX: b"", _CORE: b""}
        for name in list(self._modules):
            code = self._new.get(name) or self._core.get(name)
            data = None if code is not None or self._parts is None else self._parts.get(name)
            if name in wanted and data is not None:
                code = marshal.loads(data)
            if code is not None and name in wanted:
                core[name] = code
            elif code is not None:
                parts[name] = self._marshalled.get(name) or marshal.dumps(code)
            elif data is not None:
                parts[name] = data
            else:
                del self._modules[name]
        parts[_INDEX] = marshal.dumps((self._folders, self._modules))
        parts[_CORE] = marshal.dumps(core)
        cache.put_parts("modules", self._key, parts)


class Loader(SourceFileLoader):
    """Python's loader of a source file, which need not read it if its code was kept."""

    def __init__(self, name: str, entry: Entry, image: Image, code: CodeType | None = None) -> None:
        self.name = name
        self.path = entry[1]
        self._entry = entry
        self._image = image
        self._code = code
        self._marshalled: bytes | None = None

    def get_code(self, fullname: str) -> CodeType | None:
        if self._code is not None:
            return self._code
        code = super().get_code(fullname)
        if code is not None and self._entry[2] is not None:
            self._image.put(fullname, self._entry, code, self._marshalled)
        self._marshalled = None
        return code

    def get_data(self, path: str) -> bytes:
        data = super().get_data(path)
        # If this is what is read last, the source is not: it is the code's.
        self._marshalled = data[_PYC_HEADER:] if path == self._entry[3] else None
        return data

    def exec_module(self, module: ModuleType) -> None:
        code = self._code
        if code is None:
            super().exec_module(module)
        else:
            self._code = None  # it is in the module now
            exec(code, module.__dict__)


def _spec(name: str, entry: Entry, loader: Loader) -> ModuleSpec:
    """What Python's own search would say of a module."""
    path = entry[1]
    spec = ModuleSpec(name, loader, origin=path)
    spec.has_location = True
    spec.cached = entry[3]
    if path.endswith("__init__.py"):
        spec.submodule_search_locations = [os.path.dirname(path)]
    return spec


#: The image of this process, if it has one.
_image: Image | None = None


def keep() -> None:
    """From now on what this process imports comes from the image, and goes there."""
    global _image
    gc.disable()  # what is read now is no garbage
    if os.environ.get("XGPU_NO_CACHE") or _image is not None:
        return
    import atexit

    _image = Image(os.path.dirname(os.path.dirname(os.path.dirname(__file__))))
    # Before Python's own finders, behind who was there first.
    at = sys.meta_path.index(BuiltinImporter) if BuiltinImporter in sys.meta_path else 0
    sys.meta_path.insert(at, _image)
    atexit.register(_image.store)


def mark_core() -> None:
    """What the process has imported until now is what every run of a tool needs."""
    if _image is not None:
        _image.mark_core()
