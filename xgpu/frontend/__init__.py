# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs in other representations as MLIR: what reads each language, in one table.

A reader gets a text and what messages call it, and gives a program as `xgpu.load` takes it: kernels
are functions of the llvm dialect in a `gpu.module`, marked `gpu.kernel` and `nvvm.kernel`. A binary
form comes as text in which surrogates stand for bytes.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    Reader = Callable[[str, str], ModuleOp]

#: Language, as `files.language_of` names it -> the module and function that read it.
READERS = {
    "LLVM IR": "xgpu.frontend.llvm_ir.device:read_llvm_ir",
    "PTX": "xgpu.frontend.ptx:import_module",
}


def read_program(language: str, text: str, name: str) -> ModuleOp:
    """The program that `text` is; `name` is what messages call it. Raises `DiagnosticError`."""
    module, _, function = READERS[language].partition(":")
    reader = cast("Reader", getattr(import_module(module), function))
    return reader(text, name)
