# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The pointer type of the ptr dialect."""

from xgpu.dialects import lazy_classes

__getattr__, __dir__ = lazy_classes("ptr", globals())
