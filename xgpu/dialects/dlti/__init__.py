# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The dlti dialect: data layouts and target descriptions as attributes."""

from xgpu.dialects import lazy_classes

__getattr__, __dir__ = lazy_classes("dlti", globals())
