# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels of Triton and numba as LLVM IR: imported as mlir-translate 22 imports them, translated
back to the text that it gives, with the PTX of the kernel that came in.

They are looked for in the folder that XGPU_PRODUCER_KERNELS names: modules of the llvm and nvvm
dialects, `add_sm90.mlir`, `numba_math.mlir` and so on, from which the reference makes the LLVM IR.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.support import processes
from xgpu.backend.llvm_ir import canonical, translate
from xgpu.backend.nvptx.compiler import compile_to_ptx
from xgpu.core.syntax import parse_module, print_module
from xgpu.frontend.llvm_ir import import_module

pytestmark = pytest.mark.parity

_FOLDER = os.environ.get("XGPU_PRODUCER_KERNELS", "")
_NAMES = ("add_sm90", "softmax_sm90", "sort_sm90", "hist_sm90", "matmul_sm90", "numba_math")


def _reference(tool: str, text: str, option: str) -> str:
    return processes.run(
        [tool, option], input=text, capture_output=True, text=True, check=True
    ).stdout


@pytest.mark.parametrize("name", _NAMES)
def test_there_and_back(name: str, mlir_translate: str) -> None:
    if not _FOLDER:
        pytest.skip("XGPU_PRODUCER_KERNELS names no folder with kernels of Triton and numba")
    file = Path(_FOLDER) / f"{name}.mlir"
    if not file.exists():
        pytest.skip(f"the folder has no {file.name}")
    given = _reference(mlir_translate, file.read_text(), "--mlir-to-llvmir")
    theirs = _reference(mlir_translate, given, "--import-llvm")
    module = import_module(given)
    # The reference's text, as both of us print it.
    assert print_module(module) == print_module(parse_module(theirs))
    back = canonical(translate(module), module)
    assert back == _reference(mlir_translate, theirs, "--mlir-to-llvmir")
    assert compile_to_ptx(back, chip="sm_90a") == compile_to_ptx(
        canonical(given, None), chip="sm_90a"
    )
