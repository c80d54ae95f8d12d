# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""xgpu: MLIR's GPU compiler in Python, on xDSL and llvmlite.

    load        a program whose kernels and functions one calls with arrays
    compile     the code of a program's kernels: PTX, cubins
    run         a program from its entry to its end
    sanitize, sanitized, explore     races, accesses out of bounds, other legal orders
    autotune, profile                variants of a program; what ran when
    CudaOptions how CUDA C++ is read, which `load` takes beside MLIR and LLVM IR
    Array, asarray, empty, zeros, Stream, Event     memory and order on a device
    cache       what is kept on disk: its place, its size, how to clear it
    UsageError, ProgramError, DiagnosticError, DeviceError     what goes wrong

`help` of each says more. XGPU_DEBUG=1 shows the frames inside of xgpu in tracebacks of errors.
"""

import os
from typing import TYPE_CHECKING

from xgpu.core.support.interpreters import check_interpreter
from xgpu.core.support.ownership import register_exit_code
from xgpu.implementations import provide_all
from xgpu.version import MLIR_VERSION, __version__

check_interpreter()  # before anything of C is loaded

__all__ = [
    "MLIR_VERSION", "Array", "Compiled", "CudaOptions", "DeviceError", "DiagnosticError", "Event",
    "Function", "Kernel", "Module", "Profile", "ProgramError", "Result", "Stream", "Tuned",
    "UsageError", "__version__",
    "asarray", "autotune", "cache", "compile", "empty", "explore", "load",
    "load_ipython_extension", "profile", "run", "sanitize", "sanitized", "zeros",
]  # fmt: skip

provide_all()  # what lower packages ask of higher ones
if "XGPU_SANITIZE" in os.environ:
    register_exit_code()

if TYPE_CHECKING:
    from xgpu.api import cache
    from xgpu.api.arrays import Array, asarray, empty, zeros
    from xgpu.api.exploring import explore
    from xgpu.api.functions import Function
    from xgpu.api.kernels import Kernel
    from xgpu.api.magic import load_ipython_extension
    from xgpu.api.modules import Module, load
    from xgpu.api.profiling import Profile, profile
    from xgpu.api.streams import Event, Stream
    from xgpu.api.variants import Tuned, autotune
    from xgpu.core.ir.errors import DeviceError, DiagnosticError, ProgramError, UsageError
    from xgpu.driver.compiler import Compiled, compile
    from xgpu.driver.program import Result, run
    from xgpu.driver.sanitizer import sanitize, sanitized
    from xgpu.frontend.cuda import CudaOptions

# Where names are that come when they are first asked for (PEP 562).
_LAZY = {
    "Tuned": "xgpu.api.variants", "autotune": "xgpu.api.variants",
    "Profile": "xgpu.api.profiling", "profile": "xgpu.api.profiling",
    "explore": "xgpu.api.exploring", "load_ipython_extension": "xgpu.api.magic",
    "cache": "xgpu.api.cache", "Array": "xgpu.api.arrays", "asarray": "xgpu.api.arrays",
    "empty": "xgpu.api.arrays",
    "zeros": "xgpu.api.arrays", "Event": "xgpu.api.streams", "Stream": "xgpu.api.streams",
    "Function": "xgpu.api.functions", "Kernel": "xgpu.api.kernels", "Module": "xgpu.api.modules",
    "load": "xgpu.api.modules", "Compiled": "xgpu.driver.compiler",
    "Result": "xgpu.driver.program", "compile": "xgpu.driver.compiler",
    "run": "xgpu.driver.program", "sanitize": "xgpu.driver.sanitizer",
    "sanitized": "xgpu.driver.sanitizer", "CudaOptions": "xgpu.frontend.cuda",
    "DeviceError": "xgpu.core.ir.errors", "DiagnosticError": "xgpu.core.ir.errors",
    "ProgramError": "xgpu.core.ir.errors", "UsageError": "xgpu.core.ir.errors",
}  # fmt: skip

#: Those that are modules themselves.
_MODULES = frozenset(("cache",))


def __getattr__(name: str) -> object:
    """`xgpu.load`, `xgpu.empty`, `xgpu.compile` and the like, loaded when first asked for."""
    where = _LAZY.get(name)
    if where is None:
        raise AttributeError(f"module 'xgpu' has no attribute '{name}'")
    from importlib import import_module

    module = import_module(where)
    value = module if name in _MODULES else getattr(module, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
