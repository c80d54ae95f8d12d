# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Our reader, printer and verifiers against mlir-opt 22 on MLIR's own tests of the core dialects.

Each case that mlir-opt takes must print alike, and its generic form must read back in mlir-opt as
the same IR. Each case that it rejects must be rejected.
"""

from __future__ import annotations

import os
import pathlib
import subprocess

import pytest
from reference import llvm_bin

from tests.support import processes
from xgpu.core.ir.errors import DiagnosticError
from xgpu.core.syntax import parse_module, print_module
from xgpu.core.syntax.verify import verify_module

pytestmark = pytest.mark.parity

#: Where `fetch_tests.sh` puts MLIR's tests.
_TESTS = pathlib.Path(
    os.environ.get("XGPU_MLIR_TESTS", "~/.cache/xgpu-conformance/test")
).expanduser()

_VALID = [
    "Dialect/Arith/ops.mlir",
    "Dialect/ControlFlow/ops.mlir",
    "Dialect/SCF/ops.mlir",
    "Dialect/Affine/ops.mlir",
    "Dialect/Affine/load-store.mlir",
    "Dialect/MemRef/ops.mlir",
    "Dialect/MemRef/subview.mlir",
    "Dialect/Math/ops.mlir",
    "Dialect/Complex/ops.mlir",
    "Dialect/Index/index-ops.mlir",
    "Dialect/UB/ops.mlir",
    "Dialect/Vector/ops.mlir",
    "Dialect/Tensor/ops.mlir",
]
_INVALID = [
    "Dialect/Arith/invalid.mlir",
    "Dialect/ControlFlow/invalid.mlir",
    "Dialect/SCF/invalid.mlir",
    "Dialect/Affine/invalid.mlir",
    "Dialect/MemRef/invalid.mlir",
]


def _cases(file: str) -> list[str]:
    path = _TESTS / file
    if not path.is_file():
        pytest.skip(f"MLIR's tests are not in {_TESTS} (XGPU_MLIR_TESTS names another place)")
    # The `test` dialect exists in mlir-opt alone.
    return [case for case in path.read_text().split("// -----") if "test." not in case]


def _mlir_opt(text: str) -> subprocess.CompletedProcess[str]:
    folder = llvm_bin()
    if folder is None:
        pytest.skip("no mlir-opt 22 (LLVM_BIN names its folder)")
    command = [str(folder / "mlir-opt"), "--allow-unregistered-dialect", "-"]
    return processes.run(command, input=text, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("file", _VALID)
def test_prints_as_mlir_opt(file: str) -> None:
    for number, case in enumerate(_cases(file)):
        reference = _mlir_opt(case)
        if reference.returncode:
            continue
        module = parse_module(case, f"{file}#{number}", allow_unregistered=True)
        verify_module(module)
        assert print_module(module).rstrip() == reference.stdout.rstrip()
        again = _mlir_opt(print_module(module, generic=True))
        assert again.stdout == reference.stdout, again.stderr


@pytest.mark.parametrize("file", _INVALID)
def test_rejects_what_mlir_opt_rejects(file: str) -> None:
    for number, case in enumerate(_cases(file)):
        if not _mlir_opt(case).returncode:
            continue
        with pytest.raises(DiagnosticError):
            verify_module(parse_module(case, f"{file}#{number}", allow_unregistered=True))
