# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Native functions that a thread calls for a value: libdevice's, and reads of textures."""

from __future__ import annotations

import ctypes
import re

from xgpu.core.support import cache
from xgpu.core.support.cache import NATIVE
from xgpu.host_device.abi.codes import linked_once
from xgpu.host_device.native.library import native_library
from xgpu.host_device.native.parts import compiler_state, sources
from xgpu.host_device.native.support import add_support

_EXPORTED = re.compile(r"^def (xgpu_nv_\w+)\(", re.MULTILINE)
_LIBDEVICE_LIBM = (
    "fma", "fmaf", "sqrt", "sqrtf", "exp", "log", "sin", "cos", "fmod", "cbrt", "pow", "erf",
    "erfc", "fabs", "scalbn", "hypot", "nextafter", "nextafterf",
)  # fmt: skip
#: Sources of functions that a thread calls for a value, and what these use of the C library.
_LIBRARIES = {
    "libdevice": (("directed_rounding", "libdevice_rounding", "libdevice"), _LIBDEVICE_LIBM),
    "textures": (("textures",), ()),
}
_OF_TEXTURES = ("xgpu_nv_tex_", "xgpu_nv_surf_")


def value_function(symbol: str) -> int | None:
    """The address of a function `xgpu_nv_*`, compiled with its library on first use."""
    found = _textures() if symbol.startswith(_OF_TEXTURES) else libdevice_symbols()
    return found.get(symbol)


@linked_once
def libdevice_symbols() -> dict[str, int]:
    """Addresses of libdevice's functions."""
    return _linked("libdevice")


@linked_once
def _textures() -> dict[str, int]:
    return _linked("textures")


def _linked(library: str) -> dict[str, int]:
    from ctypes.util import find_library

    from llvmlite import binding

    names, of_libm = _LIBRARIES[library]
    code, exported = _compiled(library, names)
    libm = ctypes.CDLL(find_library("m"))
    builder = binding.JITLibraryBuilder().add_object_img(code)
    for name in of_libm:
        address = ctypes.cast(getattr(libm, name), ctypes.c_void_p).value or 0
        builder.import_symbol(name, address)
    for name in exported:
        builder.export_symbol(name)
    native = native_library()
    add_support(builder, code)
    tracker = builder.link(native.jit, f"xgpu.{library}")
    native.libraries.append(tracker)
    return {name: tracker[name] for name in exported}


def _compiled(library: str, names: tuple[str, ...]) -> tuple[bytes, list[str]]:
    """(object code of a library's functions, from the cache if it is there; their names)."""
    from xgpu.host_device.machine.cpu import compile_ir, description
    from xgpu.host_device.native.language import compile_sources

    parts = sources(names)
    said = [compiler_state(), *(part.text.encode() for part in parts)]
    state = cache.checksum(b"\0".join(said)).hex()
    exported = sorted({name for part in parts for name in _EXPORTED.findall(part.text)})
    key = NATIVE.key(machine=description(), sources=state, part=library)
    code = NATIVE.get(key)
    if code is None:
        code = compile_ir(compile_sources(parts, f"xgpu {library}", visible="xgpu_nv_"), 2)
        NATIVE.put(key, code)
    return code, exported
