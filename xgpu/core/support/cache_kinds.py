# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the cache on disk keeps: one table of kinds, each with what the key of an entry is made of.

    key = KERNELS.key(machine=.., module=.., ..)
    code = KERNELS.get(key)
    if code is None:
        KERNELS.put(key, code := ..)

An entry depends on nothing but what is in its key. Where `cache` can keep nothing, `get` finds
nothing, and `put` does nothing.
"""

from __future__ import annotations

import json

from xgpu.core.support import cache
from xgpu.core.support.toolchain import toolchain


class Kind:
    """A kind of entries. Its `name` is a word in small letters, which files in the cache's folder
    begin with; `keeps` says what an entry is; `parts` are what its key is made of, by name."""

    __slots__ = ("keeps", "name", "parts")

    def __init__(self, name: str, keeps: str, *parts: str) -> None:
        self.name = name
        self.keeps = keeps
        self.parts = parts

    def key(self, **values: object) -> str:
        """The key of an entry that depends on these values of `parts`, which json can write. The
        toolchain is added where the kind has it. Raises `TypeError` if one is missing, or more are
        given."""
        if _TOOLCHAIN in self.parts:
            values[_TOOLCHAIN] = toolchain()
        if values.keys() != set(self.parts):
            raise TypeError(f"key of '{self.name}': expected {self.parts}, not {tuple(values)}")
        return json.dumps([values[part] for part in self.parts])

    def get(self, key: str) -> bytes | None:
        """The entry of a key, if there is one."""
        return cache.get(self.name, key)

    def put(self, key: str, data: bytes) -> None:
        """Keep an entry."""
        cache.put(self.name, key, data)


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
    "form",
)  # fmt: skip
PROGRAMS = Kind(
    "programs", "machine code of a host program", _TOOLCHAIN, "machine", "opt_level", "text"
)
LOWERED = Kind(
    "lowered", "a program of `xgpu-runner`, lowered for a device", _TOOLCHAIN, "format", "chips",
    "entry", "opt_level", "filename", "source",
)  # fmt: skip
MODULE = Kind(
    "module", "a program of `xgpu.load`: lowered, with the code and the signatures of its kernels",
    _TOOLCHAIN, "version", "options", "chips", "filename", "source",
)  # fmt: skip
CUDA_SOURCE = Kind(
    "source", "LLVM IR that clang made of CUDA C++, and the files that it read", _TOOLCHAIN,
    "clang", "options", "folder", "filename", "source",
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
    NATIVE, SANITIZER, CUDA, KERNELS, PROGRAMS, LOWERED, MODULE, CUDA_SOURCE, COMPILED, TUNED,
)  # fmt: skip
