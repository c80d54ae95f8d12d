# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Names of kernels for messages: `ns::scale<float, 4>` of the symbol `_ZN2ns5scaleIfLi4EEvPf`.

`__cxa_demangle` reads symbols (Itanium C++ ABI, "Demangler API"). Where no library of the C++
runtime is installed a symbol stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, lru_cache

#: The libraries of GCC and of LLVM that have it.
_LIBRARIES = ("libstdc++.so.6", "libc++abi.so.1", "libc++.1.dylib")
#: `add[abi:v1]`: compilers of Python put hashes there.
_TAG = re.compile(r"\[abi:\w+\]")


def demangled(symbol: str) -> str:
    """The name that a symbol of C++ has in its program, with the arguments of templates, without
    parameters; any other symbol as it is."""
    return _function_name(symbol) if symbol.startswith("_Z") else symbol


@lru_cache(maxsize=1024)
def _function_name(symbol: str) -> str:
    whole = _TAG.sub("", _demangler()(symbol))
    # Of templates the type that is returned is there too: that of kernels is void.
    return _without_parameters(whole).removeprefix("void ") if whole else symbol


def _without_parameters(text: str) -> str:
    """What is before the last pair of parentheses, if the text ends with it."""
    if not text.endswith(")"):
        return text
    depth = 0
    for at in range(len(text) - 1, -1, -1):
        depth += (text[at] == ")") - (text[at] == "(")
        if depth == 0:
            return text[:at] or text
    return text


@cache
def _demangler() -> Callable[[str], str]:
    """What gives the declaration of a symbol, an empty text for one that is not of C++."""
    import ctypes  # few messages name such a kernel

    libc = ctypes.CDLL(None)
    libc.free.argtypes = [ctypes.c_void_p]
    for name in _LIBRARIES:
        try:
            function = ctypes.CDLL(name)["__cxa_demangle"]
        except (OSError, AttributeError):
            continue
        function.argtypes = [ctypes.c_char_p] + [ctypes.c_void_p] * 3
        function.restype = ctypes.c_void_p

        def demangle(symbol: str, function: ctypes._NamedFuncPointer = function) -> str:
            found: int | None = function(symbol.encode(), None, None, None)
            if not found:
                return ""
            text = ctypes.string_at(found).decode(errors="replace")
            libc.free(found)
            return text

        return demangle
    return lambda symbol: ""
