# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The native code of matrix and tensor operations: compiled when a kernel first asks for it, then
kept."""

from __future__ import annotations

import re

from xgpu.host_device.abi.codes import linked_once
from xgpu.host_device.abi.structs import STRUCTS, constants
from xgpu.host_device.native.parts import file_content

SOURCES = (
    "libc",
    "small_floats",
    "elements",
    "descriptors",
    "mma",
    "warp_matrices",
    "wgmma",
    "tensor_memory",
    "tensor_copy",
    "tensor_mma",
)
#: What every function of this library that kernels call begins with.
PREFIX = "xgpu_tensor_"

_LIBC = ("malloc", "free")
_NATIVE = ("xgpu_warp_with", "xgpu_misuse", "xgpu_mbarrier_arrive", "xgpu_mapa")
#: Functions of this library that the last lane to come runs for its warp.
_TOGETHER = (
    "tensor_mma", "tensor_ldmatrix", "tensor_stmatrix", "tensor_movmatrix", "tensor_wgmma",
    "tensor_alloc", "tensor_dealloc",
)  # fmt: skip
_LEVEL = 3


def _text(name: str) -> str:
    return file_content(f"sources/{name}.py").decode()


def source_text() -> str:
    """The sources as LLVM IR text; what kernels call is visible."""
    from xgpu.host_device.native.language import Source, compile_sources

    places = "xgpu/host_device/native/sources"
    sources = [Source(n, _text(n), f"{places}/{n}.py") for n in SOURCES]
    text = compile_sources(
        sources, "xgpu tensor operations", visible=PREFIX,
        elsewhere=[f"{name}_address" for name in _TOGETHER],
    )  # fmt: skip
    # The address of a function, which the language has no word for.
    return text + "".join(
        f"define internal ptr @{name}_address() alwaysinline {{ ret ptr @{name} }}\n"
        for name in _TOGETHER
    )


@linked_once
def tensor_symbols() -> dict[str, int]:
    """Addresses of the functions that kernels call."""
    from llvmlite import binding

    from xgpu.host_device.native.library import libc_addresses, native_library

    native = native_library()
    builder = binding.JITLibraryBuilder().add_object_img(_machine_code())
    for name, address in libc_addresses(_LIBC).items():
        builder.import_symbol(name, address)
    for name in _NATIVE:
        builder.import_symbol(name, native.symbols[name])
    pattern = re.compile(rf"^def ({PREFIX}\w+)\(", re.MULTILINE)
    names = pattern.findall("\n".join(map(_text, SOURCES)))
    for name in names:
        builder.export_symbol(name)
    tracker = builder.link(native.jit, "xgpu.tensor")
    native.libraries.append(tracker)
    return {name: tracker[name] for name in names}


def _machine_code() -> bytes:
    """Cached under a hash of its sources."""
    import hashlib

    from xgpu.core.support.cache import NATIVE
    from xgpu.host_device.machine.cpu import compile_ir, description

    digest = hashlib.sha256()
    for name in SOURCES:
        digest.update(_text(name).encode())
    compiler = (
        "language",
        "expressions",
        "arithmetic",
        "builtins",
        "values",
        "debug",
        "../abi/codes",
    )
    for name in (*compiler, "tensor_library"):
        digest.update(file_content(f"{name}.py"))
    digest.update(repr((STRUCTS, constants())).encode())
    key = NATIVE.key(machine=description(), sources=digest.hexdigest(), part="tensor")
    code = NATIVE.get(key)
    if code is None:
        code = compile_ir(source_text(), _LEVEL)
        NATIVE.put(key, code)
    return code
