# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What MLIR's test dialect has to show results of analyses: what ODS leaves to C++."""

from xgpu.dialects import lazy_classes

__getattr__, __dir__ = lazy_classes("test", globals())
