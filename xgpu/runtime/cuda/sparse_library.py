# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""cuSPARSE and cuSPARSELt, from NVIDIA's wheels or the toolkit, with every call checked.

Signatures: cusparse.h of CUDA 12, cusparseLt.h of 0.8 and later, whose objects take 512 bytes (of
earlier ones at most 16 KB).
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from types import ModuleType
from typing import cast

from xgpu.core.ir.errors import DeviceError

_TYPES = {"p": ctypes.c_uint64, "l": ctypes.c_int64, "i": ctypes.c_int32}

#: What each function takes: p an address or a handle, l 64 bits, i 32 bits.
SPARSE = {
    "Create": "p", "Destroy": "p", "SetStream": "pp",
    "CreateDnVec": "plpi", "DestroyDnVec": "p", "CreateDnMat": "plllpii", "DestroyDnMat": "p",
    "CreateCoo": "plllpppiii", "CreateCsr": "plllpppiiii", "CreateCsc": "plllpppiiii",
    "CreateBsr": "plllllpppiiiii", "DestroySpMat": "p", "SpMatGetSize": "pppp",
    "CsrSetPointers": "pppp",
    "SpMV_bufferSize": "pipppppiip", "SpMV": "pipppppiip",
    "SpMM_bufferSize": "piipppppiip", "SpMM": "piipppppiip",
    "SDDMM_bufferSize": "piipppppiip", "SDDMM": "piipppppiip",
    "SpGEMM_createDescr": "p", "SpGEMM_destroyDescr": "p",
    "SpGEMM_workEstimation": "piipppppiippp", "SpGEMM_compute": "piipppppiippp",
    "SpGEMM_copy": "piipppppiip",
}  # fmt: skip
SPARSE_LT = {
    "Init": "p", "Destroy": "p", "DenseDescriptorInit": "ppllliii",
    "StructuredDescriptorInit": "ppllliiii",
    "MatDescriptorDestroy": "p", "MatmulDescriptorInit": "ppiippppi",
    "MatmulAlgSelectionInit": "pppi", "MatmulAlgSetAttribute": "ppipl", "MatmulPlanInit": "pppp",
    "MatmulPlanDestroy": "p", "SpMMAPrune": "ppppip", "SpMMAPruneCheck": "ppppp",
    "MatmulGetWorkspace": "ppp", "SpMMACompressedSize": "pppp", "SpMMACompress": "pppppp",
    "Matmul": "ppppppppppi",
}  # fmt: skip


class Library:
    """A library whose functions begin with `prefix` and give a cusparseStatus_t."""

    def __init__(
        self, name: str, prefix: str, signatures: dict[str, str], library: ctypes.CDLL
    ) -> None:
        self._name = name
        self._prefix = prefix
        self._signatures = signatures
        self._library = library
        self._functions: dict[str, Callable[..., int]] = {}

    def call(self, name: str, *arguments: int, doing: str = "") -> None:
        """Raises `DeviceError` with the library's own words for anything but success."""
        function = self._functions.get(name)
        if function is None:
            function = self._functions[name] = self._function(name)
        status = function(*arguments)
        if status:
            what = f"{doing}: " if doing else ""
            raise DeviceError(f"{what}{self._prefix}{name} failed with {self._describe(status)}")

    def _function(self, name: str) -> Callable[..., int]:
        try:
            found = getattr(self._library, self._prefix + name)
        except AttributeError:
            raise DeviceError(
                f"the installed {self._name} has no {self._prefix}{name}: install another release"
            ) from None
        found.argtypes = [_TYPES[letter] for letter in self._signatures[name]]
        found.restype = ctypes.c_int
        return found

    def _describe(self, status: int) -> str:
        words: list[str] = []
        for name in ("GetErrorName", "GetErrorString"):
            function = getattr(self._library, self._prefix + name, None)
            if function is not None:
                function.restype = ctypes.c_char_p
                words.append((function(status) or b"").decode(errors="replace"))
        if len(words) < 2:
            return f"status {status}"
        return f"{words[0]} ({words[1]})"


def load_sparse() -> Library:
    """cuSPARSE. Raises `DeviceError` that says what to install."""
    library = load_library(
        "cusparse", "cuSPARSE", "libcusparse.so.12", "nvidia-cusparse-cu12", newer=""
    )
    return Library("cuSPARSE", "cusparse", SPARSE, library)


def load_sparse_lt() -> Library:
    """cuSPARSELt. Raises `DeviceError` that says what to install."""
    library = load_library(
        "cusparseLt", "cuSPARSELt", "libcusparseLt.so.0", "nvidia-cusparselt-cu12", newer="-cu13"
    )
    return Library("cuSPARSELt", "cusparseLt", SPARSE_LT, library)


def load_library(stem: str, name: str, file: str, wheel: str, *, newer: str) -> ctypes.CDLL:
    """A library of NVIDIA's: from the wheel for CUDA 12, or that for CUDA 13, whose name ends in
    `newer`, or what the loader finds. Raises `DeviceError` that says what to install."""
    problem: object = None
    for find in (_by_pathfinder, ctypes.CDLL):
        try:
            return find(stem if find is _by_pathfinder else file)
        except (OSError, ImportError, RuntimeError, ValueError) as raised:
            problem = problem or raised
    reason = str(problem).strip().split("\n", 1)[0]
    raise DeviceError(
        f"the program uses {name}, which cannot be loaded ({reason}): pip install "
        f"{wheel.replace('-cu12', newer)} "
        f"(CUDA 13) or {wheel} (CUDA 12)"
    )


def _by_pathfinder(stem: str) -> ctypes.CDLL:
    from cuda import pathfinder  # pyright: ignore

    found = cast("ModuleType", pathfinder).load_nvidia_dynamic_lib(stem)
    return ctypes.CDLL(found.abs_path)
