# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""For `lit tests/filecheck`: the same files that pytest collects, each tool a process."""

import os
import pathlib
import shutil
import sys

import lit.formats

here = pathlib.Path(__file__).resolve().parent
root = here.parent.parent
sys.path.append(str(root / "tests" / "support"))
from reference import has_gpu, llvm_bin  # noqa: E402

config.name = "xgpu"  # noqa: F821  (lit provides `config`)
config.test_format = lit.formats.ShTest(execute_external=False)  # noqa: F821
config.suffixes = [".mlir", ".ll"]  # noqa: F821
config.excludes = ["Inputs", "bin"]  # noqa: F821
config.test_source_root = str(here)  # noqa: F821
config.test_exec_root = str(root / ".lit")  # noqa: F821
config.substitutions.append(("%examples", str(root / "examples")))  # noqa: F821
config.substitutions.append(("%mlir_test_lib", str(root / "tests" / "mlir_test_lib")))  # noqa: F821
environment = config.environment  # noqa: F821
environment["PATH"] = os.pathsep.join(
    [os.path.dirname(sys.executable), str(here / "bin"), os.environ["PATH"]]
)
environment["PYTHONPATH"] = str(root)
environment["XGPU_TEST_PYTHON"] = sys.executable
for name in ("HOME", "XDG_CACHE_HOME", "LLVM_BIN", "CUDA_PATH"):
    if name in os.environ:
        environment[name] = os.environ[name]
if llvm_bin() is not None:
    config.available_features.add("parity")  # noqa: F821
if shutil.which("ptxas"):
    config.available_features.add("ptxas")  # noqa: F821
if has_gpu():
    config.available_features.add("gpu")  # noqa: F821
