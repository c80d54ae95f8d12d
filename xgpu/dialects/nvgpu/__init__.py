# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The nvgpu dialect: what its tables cannot say."""

from xgpu.dialects import lazy_classes

__getattr__, __dir__ = lazy_classes("nvgpu", globals())
