# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The async dialect: what its tables cannot say. (`async` is a word of Python's.)"""

from xgpu.dialects import lazy_classes

__getattr__, __dir__ = lazy_classes("async", globals())
