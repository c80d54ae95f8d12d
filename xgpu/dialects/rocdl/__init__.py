# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The rocdl dialect: what its tables have."""

from xgpu.dialects import lazy_classes

__getattr__, __dir__ = lazy_classes("rocdl", globals())
