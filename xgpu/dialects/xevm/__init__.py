# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The xevm dialect: read, verified and printed, but not compiled."""

from xgpu.dialects import lazy_classes

__getattr__, __dir__ = lazy_classes("xevm", globals())
