# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Things cached from one run to the next, in files of the user's own.

What is cached becomes code that runs, so nothing is taken from where another user may have put it:

* The folder is `xgpu` in XDG_CACHE_HOME, or in `.cache` of the user's home, if that is an absolute
  path: never one that depends on the working directory. It is a folder, no link, of the user's own
  and closed to others (0700). The folder that it is in is the user's or the system's.
* A file is taken only if it is a regular one of the user's own that others may not write, and if
  its checksum is that of its content, its kind and its key. Every other file is removed.
* Files come into being whole, under names that no other writer has, and take the place of what was
  there at once; so any number of processes may write the same thing.
* All files together keep below MOST_BYTES: those that were used longest ago go first. Who writes
  does not look at all files each time, but by chance, the likelier the more it writes, on the
  average once in LOOK_BYTES: so writers share no count that one of them could get wrong for all.
  Room is made from an eighth below the limit on, eight times LOOK_BYTES: so much comes without a
  look once in three thousand times, and twice as much once in nine million.

Where any of this cannot be had, there is no cache: `get` finds nothing and `put` does nothing, and
neither says so. `XGPU_NO_CACHE=1` has the same effect.

The key of an entry says what it depends on: versions, options, the machine.
"""

from __future__ import annotations

import json
import os
import stat
import sys
import time
from _imp import source_hash
from collections.abc import Generator
from contextlib import suppress
from functools import cache

# -- the installed versions of xgpu, xDSL and llvmlite, which are a part of keys


@cache
def toolchain() -> tuple[object, ...]:
    """What tells one installation of xgpu, xDSL and llvmlite from another, without importing them:
    where they are, and when they came there."""
    found: list[object] = []
    for name in ("xdsl", "llvmlite"):
        origin = _origin(name)
        found.append([origin, os.stat(origin).st_mtime_ns if origin else 0])
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    installed = os.path.basename(os.path.dirname(root)) == "site-packages"
    return (*found, os.stat(root).st_mtime_ns if installed else _newest(root))


def _origin(name: str) -> str | None:
    """The file that a package begins with."""
    for folder in sys.path:
        path = os.path.join(folder, name, "__init__.py")
        if os.path.isfile(path):
            return path
    from importlib.util import find_spec

    spec = find_spec(name)
    return spec.origin if spec is not None else None


def _newest(root: str) -> int:
    """When a source of a checkout was changed last: there is no version that says so."""
    newest = 0
    folders = [root]
    while folders:
        with os.scandir(folders.pop()) as entries:
            for entry in entries:
                if entry.name.endswith(".py"):
                    newest = max(newest, entry.stat().st_mtime_ns)
                elif "." not in entry.name and entry.name != "__pycache__" and entry.is_dir():
                    folders.append(entry.path)
    return newest


# -- the folder as a whole: its entries, removal of the oldest, removal of all


#: A new file that is not finished in so many seconds is abandoned.
_ABANDONED = 3600


def entries(directory: int) -> list[tuple[str, int, float]]:
    """What is cached: kind, bytes, and when it was used last (seconds since 1970), newest first."""
    files = sorted(_files(directory), reverse=True)
    return [(name.rpartition("-")[0], size, used) for used, size, name in files]


def clear(directory: int, kind: str | None = None) -> int:
    """Remove what is cached, or that of one `kind`; how many files that were."""
    removed = 0
    for _, _, name in list(_files(directory)):
        if kind is None or name.rpartition("-")[0] == kind:
            _remove(directory, name)
            removed += 1
    return removed


def make_room(directory: int, most: int) -> None:
    """Removes what was used longest ago until less than three quarters of `most` bytes are left,
    and what writers that died have left."""
    files = list(_files(directory))
    now = time.time()
    for used, _, name in files:
        if name.startswith("new-") and now - used > _ABANDONED:
            _remove(directory, name)
    total = sum(size for _, size, _ in files)
    if total <= most * 7 // 8:
        return
    for _, size, name in sorted(files):
        if total <= most * 3 // 4:
            return
        _remove(directory, name)
        total -= size


def _files(directory: int) -> Generator[tuple[float, int, str]]:
    """When each file was last used, its bytes and its name."""
    with os.scandir(directory) as found:
        for entry in found:
            try:
                status = entry.stat(follow_symlinks=False)
            except OSError:
                continue
            yield status.st_mtime, status.st_size, entry.name


#: All files together have at most so many bytes.
MOST_BYTES = 256 << 20

#: A single one has at most so many: it must not push out all others.
MOST_BYTES_OF_ONE = MOST_BYTES // 4

#: So many bytes come between two looks at all files, on the average.
LOOK_BYTES = MOST_BYTES // 64

_MAGIC = b"xgpu cache 3\n"
_DIGEST_BYTES = 32
_HEADER_BYTES = len(_MAGIC) + 20

#: A file that was used counts as used today; that is written down once in so many seconds.
_USED = 24 * 3600

_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH


def folder() -> str | None:
    """The folder of the cache, which need not be there yet; None where there can be none."""
    if os.environ.get("XGPU_NO_CACHE") or not hasattr(os, "geteuid"):
        return None
    base = os.environ.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(base):
        home = _home()
        if home is None:
            return None
        base = os.path.join(home, ".cache")
    return os.path.join(base, "xgpu")


def get(kind: str, key: str) -> bytes | None:
    """What was put under `key`, or None. `kind` is a word in small letters."""
    directory = open_folder(create=False)
    if directory is None:
        return None
    name = _name(kind, key)
    try:
        return _read(directory, name, _seed(kind, key))
    except OSError:
        return None
    finally:
        os.close(directory)


def put(kind: str, key: str, data: bytes) -> None:
    """Stores `data`, if it can be stored."""
    if len(data) > MOST_BYTES_OF_ONE:
        return
    content = _header(_seed(kind, key), data) + data
    directory = open_folder(create=True)
    if directory is None:
        return
    try:
        _write(directory, _name(kind, key), content)
        if _is_due(len(content)):
            make_room(directory, MOST_BYTES)
    except OSError:
        pass  # nowhere to write
    finally:
        os.close(directory)


# -- names and checksums ------------------------------------------------------------------------


def checksum(data: bytes) -> bytes:
    """A checksum that tells `data` from everything else."""
    return _digest(b"", data)


def _seed(kind: str, key: str) -> bytes:
    return f"{kind}\0{key}\0".encode("utf-8", "surrogateescape")


def _name(kind: str, key: str) -> str:
    if not (kind.isascii() and kind.replace("-", "").isalnum()):
        raise ValueError(f"kind is {kind!r}, expected a word")
    # Keys hold what users write, so the digest is one for which no two alike can be made.
    digest = _digest(_seed(kind, key), b"")
    return f"{kind}-{digest.hex()[:40]}"


def _header(seed: bytes, data: bytes) -> bytes:
    """What stands before `data`: whose it is, and a checksum that damage does not keep. Only the
    user can have written the file, so it need not resist an attack: it is several times faster
    than one that does."""
    return _MAGIC + _hash(seed, 3) + _hash(data, 4) + len(data).to_bytes(4, "little")


def _hash(data: bytes | memoryview, key: int) -> bytes:
    """Eight bytes that tell `data` from what damage or chance would make of it: what Python tells
    sources by. It is there without a library, other than `hashlib`, `_blake2` and `binascii`, which
    take longer to load than all that is done here."""
    return source_hash(key, data)


def _digest(seed: bytes, data: bytes) -> bytes:
    # `hashlib` loads OpenSSL, which takes longer than all that is done here.
    from _blake2 import blake2b  # pyright: ignore[reportUnknownVariableType, reportMissingImports]

    state = blake2b(seed, digest_size=_DIGEST_BYTES)  # pyright: ignore
    state.update(data)  # pyright: ignore[reportUnknownMemberType]
    return state.digest()  # pyright: ignore


# -- the folder ---------------------------------------------------------------------------------


def _home() -> str | None:
    """The user's home as an absolute path, if there is one."""
    home = os.environ.get("HOME")
    if not home:
        try:
            import pwd

            home = pwd.getpwuid(os.geteuid()).pw_dir
        except (ImportError, KeyError):
            return None
    return home if os.path.isabs(home) else None


def open_folder(*, create: bool) -> int | None:
    """A handle of the folder, which is private; None if there is none, or it is not."""
    path = folder()
    if path is None:
        return None
    try:
        return _opened(path, create)
    except OSError:
        return None


def _opened(path: str, create: bool) -> int | None:
    parent = os.path.dirname(path)
    if create:
        with suppress(FileExistsError):
            os.mkdir(parent, 0o700)  # not what it is in: a missing home is not made
    if os.stat(parent).st_uid not in (os.geteuid(), 0):
        return None  # the home of another user: nothing is written there
    flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        handle = os.open(path, flags)
    except FileNotFoundError:
        if not create:
            return None
        with suppress(FileExistsError):  # by another process, just now
            os.mkdir(path, 0o700)
        handle = os.open(path, flags)
    if _make_private(handle):
        return handle
    os.close(handle)
    return None


def _make_private(handle: int) -> bool:
    """Whether a folder is the user's own and closed to the writes of others."""
    status = os.fstat(handle)
    if status.st_uid != os.geteuid() or status.st_mode & _OTHERS_WRITE:
        return False
    if stat.S_IMODE(status.st_mode) != 0o700:  # others could only look
        os.fchmod(handle, 0o700)
    return True


# -- files --------------------------------------------------------------------------------------


def _read(directory: int, name: str, seed: bytes) -> bytes | None:
    opened = _open_own(directory, name)
    if opened is None:
        return None
    handle, last = opened
    with open(handle, "rb", buffering=0) as file:
        content = file.read()
    data = content[_HEADER_BYTES:]
    if content[:_HEADER_BYTES] != _header(seed, data):
        _remove(directory, name)
        return None
    _note_use(directory, name, last)
    return data


def _open_own(directory: int, name: str) -> tuple[int, float] | None:
    """A handle of a file that only the user can have written, and when it was used last; what
    is no such file is removed."""
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK
    try:
        handle = os.open(name, flags, dir_fd=directory)
    except FileNotFoundError:
        return None
    except OSError:  # a link, a socket
        _remove(directory, name)
        return None
    status = os.fstat(handle)
    own = status.st_uid == os.geteuid() and not status.st_mode & _OTHERS_WRITE
    if own and stat.S_ISREG(status.st_mode):
        return handle, status.st_mtime
    os.close(handle)
    _remove(directory, name)
    return None


def _note_use(directory: int, name: str, last: float) -> None:
    if time.time() - last > _USED:
        with suppress(OSError):
            os.utime(name, dir_fd=directory)


def _write(directory: int, name: str, content: bytes) -> None:
    temporary = f"new-{os.getpid()}-{os.urandom(8).hex()}"
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    handle = os.open(temporary, flags, 0o600, dir_fd=directory)
    try:
        with open(handle, "wb") as file:
            file.write(content)
        os.replace(temporary, name, src_dir_fd=directory, dst_dir_fd=directory)
    except BaseException:
        _remove(directory, temporary)
        raise


def _remove(directory: int, name: str) -> None:
    with suppress(OSError):  # gone already, or a folder: it does no harm
        os.unlink(name, dir_fd=directory)


def _is_due(size: int) -> bool:
    """Whether who has written so many bytes looks at all files; see above."""
    return int.from_bytes(os.urandom(4), "little") * LOOK_BYTES < size << 32


# -- The kinds of entries, each with what its key is made of.
#
#     key = KERNELS.key(machine=.., module=.., ..)
#     code = KERNELS.get(key)
#     if code is None:
#         KERNELS.put(key, code := ..)
#
# An entry depends on nothing but what is in its key. Without a folder, `get` finds nothing and
# `put` does nothing.


class Kind:
    """A kind of entries. Its `name` is a word in small letters, which files in the cache's folder
    begin with; `content` says what an entry is; `parts` are what its key is made of, by name."""

    __slots__ = ("content", "name", "parts")

    def __init__(self, name: str, content: str, *parts: str) -> None:
        self.name = name
        self.content = content
        self.parts = parts

    def key(self, **values: object) -> str:
        """The key of an entry that depends on these values of `parts`, which json can write. The
        toolchain is added where the kind has it. Raises `TypeError` if one is missing, or more are
        given."""
        if _TOOLCHAIN in self.parts:
            values[_TOOLCHAIN] = toolchain()
        if values.keys() != set(self.parts):
            raise TypeError(f"key of '{self.name}': expected {self.parts}, not {tuple(values)}")
        return json.dumps([_short(values[part]) for part in self.parts])

    def get(self, key: str) -> bytes | None:
        """The entry of a key, if there is one."""
        return get(self.name, key)

    def put(self, key: str, data: bytes) -> None:
        """Keep an entry."""
        put(self.name, key, data)


def _short(value: object) -> object:
    """What stands for a value in a key: a long text's length and checksum, which take less time to
    find out than the text to write."""
    if not isinstance(value, str) or len(value) <= _LONG:
        return value
    data = value.encode("utf-8", "surrogatepass")
    return {"length": len(value), "checksum": checksum(data).hex()}


#: Characters of a text that stands in a key as it is.
_LONG = 4096
#: The part of a key that says which xgpu, xDSL and llvmlite made the entry.
_TOOLCHAIN = "toolchain"

NATIVE = Kind(
    "native", "machine code of a part of the host device's library", "machine", "sources", "part"
)
SANITIZER = Kind("sanitizer", "machine code of the sanitizer's library", "machine", "sources")
CUDA = Kind("cuda", "machine code of the CUDA device's fast paths", "machine", "sources")
KERNELS = Kind(
    "kernels",
    "machine code of a kernel for a size of its blocks on the host device, or of all kernels of a "
    "module in which each thread is by itself",
    _TOOLCHAIN, "machine", "module", "has_bounds", "kernel", "block", "opt_level", "is_small",
    "strategy",
)  # fmt: skip
PROGRAMS = Kind(
    "programs", "machine code of a host program", _TOOLCHAIN, "machine", "opt_level", "text"
)
LOWERED = Kind(
    "lowered", "a program of `xgpu-runner`, lowered for a device", _TOOLCHAIN, "format", "chips",
    "entry", "opt_level", "options", "filename", "source",
)  # fmt: skip
MODULE = Kind(
    "module", "a program of `xgpu.load`: lowered, with the code and the signatures of its kernels",
    _TOOLCHAIN, "version", "options", "chips", "filename", "source",
)  # fmt: skip
CUDA_SOURCE = Kind(
    "source", "LLVM IR that clang made of CUDA C++, and the files that it read", _TOOLCHAIN,
    "clang", "options", "folder", "filename", "source",
)  # fmt: skip
CUDA_HEADERS = Kind(
    "headers", "clang's state after the header that all programs in CUDA C++ include, and the "
    "files that were read", "clang", "options",
)  # fmt: skip
CUDA_PROGRAM = Kind(
    "cuda-program", "a whole program in CUDA C++ that clang compiled, or the runtime of such "
    "programs, and the files that were read", _TOOLCHAIN, "clang", "options", "chip", "folder",
    "sources", "driver",
)  # fmt: skip
COMPILED = Kind(
    "compiled", "code of kernel modules that `xgpu.compile` made", _TOOLCHAIN, "tools", "options",
    "filename", "source",
)  # fmt: skip
TUNED = Kind(
    "tuned", "which variant of a program `xgpu.autotune` found to be the fastest", _TOOLCHAIN,
    "machine", "device", "variants", "inputs", "launch",
)  # fmt: skip

#: All kinds.
KINDS = (
    NATIVE, SANITIZER, CUDA, KERNELS, PROGRAMS, LOWERED, MODULE, CUDA_SOURCE,
    CUDA_HEADERS, CUDA_PROGRAM, COMPILED, TUNED,
)  # fmt: skip
