# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from typing import Any

class ObjectRef:
    def close(self) -> None: ...

#: LLVM's shared library as ctypes sees it, behind llvmlite's lock.
lib: Any
