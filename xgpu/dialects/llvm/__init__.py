# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The llvm dialect: what its tables cannot say. Each module is found by name when it is needed."""

from xgpu.dialects import lazy_classes

__getattr__, __dir__ = lazy_classes("llvm", globals())
