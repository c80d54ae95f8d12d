# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A stand-in for cuSPARSE and cuSPARSELt: it keeps books of objects and computes nothing. Arguments
must be as many and as wide as the headers say, objects alive, addresses of objects aligned.
"""

from __future__ import annotations

import ctypes
import itertools
from typing import Any

OK, INVALID = 0, 3
#: What makes an object, and what ends it.
_MAKES = {
    "Create": "Destroy", "CreateDnVec": "DestroyDnVec", "CreateDnMat": "DestroyDnMat",
    "CreateCoo": "DestroySpMat", "CreateCsr": "DestroySpMat", "CreateCsc": "DestroySpMat",
    "CreateBsr": "DestroySpMat", "SpGEMM_createDescr": "SpGEMM_destroyDescr",
}  # fmt: skip
#: Objects in memory of the caller: the argument that is made, and what ends it.
_PLACES = {
    "Init": (0, "Destroy"), "DenseDescriptorInit": (1, "MatDescriptorDestroy"),
    "StructuredDescriptorInit": (1, "MatDescriptorDestroy"),
    "MatmulPlanInit": (1, "MatmulPlanDestroy"),
}  # fmt: skip
#: What gives a number, and in which argument.
_SIZES = {
    "SpMV_bufferSize": (-1,), "SpMM_bufferSize": (-1,), "SDDMM_bufferSize": (-1,),
    "SpGEMM_workEstimation": (-2,), "SpGEMM_compute": (-2,), "SpMatGetSize": (1, 2, 3),
    "MatmulGetWorkspace": (2,), "SpMMACompressedSize": (2, 3),
}  # fmt: skip
SIZE = 4096


class FakeSparse:
    """As a library that ctypes has opened. `calls` are names without the prefix, and arguments."""

    def __init__(self, prefix: str, driver: Any) -> None:
        self._prefix = prefix
        self._driver = driver
        self._handles = itertools.count(0x51000, 0x100)
        self.calls: list[tuple[str, tuple[int, ...]]] = []
        self.alive: dict[int, str] = {}  # -> what ends it
        self.violations: list[str] = []
        self.fails: set[str] = set()
        self.sizes = SIZE

    def __getattr__(self, name: str) -> Any:
        if not name.startswith(self._prefix):
            raise AttributeError(name)
        made = Function(self, name.removeprefix(self._prefix))
        setattr(self, name, made)
        return made

    def check(self, condition: object, words: str) -> None:
        if not condition:
            self.violations.append(words)

    def call(self, name: str, arguments: tuple[int, ...]) -> int:
        self.calls.append((name, arguments))
        if name in self.fails:
            return INVALID
        self.check(self._driver.current(), f"{name} without a current context")
        if name in _MAKES:
            handle = next(self._handles)
            self.alive[handle] = _MAKES[name]
            ctypes.c_uint64.from_address(arguments[0]).value = handle
        elif name in _PLACES:
            at, end = _PLACES[name]
            self.check(arguments[at] % 16 == 0, f"{name}: not aligned")
            self.alive[arguments[at]] = end
        elif name in (*_MAKES.values(), *(end for _, end in _PLACES.values())):
            found = self.alive.pop(arguments[0], None)
            self.check(found == name, f"{name} of 0x{arguments[0]:x}, which is ended by {found}")
        else:
            self.check(arguments[0] in self.alive, f"{name}: the first argument is not alive")
        if name == "SpMMAPruneCheck":  # it writes whether anything is wrong
            ctypes.c_int32.from_address(arguments[3]).value = 0
        for at in _SIZES.get(name, ()):
            ctypes.c_uint64.from_address(arguments[at]).value = self.sizes
        return OK


class Function:
    """A function of C, with what ctypes lets one set."""

    def __init__(self, library: FakeSparse, name: str) -> None:
        self._library = library
        self._name = name
        self.argtypes: list[Any] = []
        self.restype: Any = None

    def __call__(self, *arguments: int) -> Any:
        if self._name.startswith("GetError"):
            return b"CUSPARSE_STATUS_INVALID_VALUE" if "Name" in self._name else b"invalid value"
        library = self._library
        library.check(len(arguments) == len(self.argtypes), f"{self._name}: number of arguments")
        for argument, kind in zip(arguments, self.argtypes, strict=True):
            fits = kind(argument).value == argument
            library.check(fits, f"{self._name}: {argument} is no {kind.__name__}")
        return library.call(self._name, arguments)
