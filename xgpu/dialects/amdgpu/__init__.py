# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The operations of the amdgpu dialect that reductions over a subgroup become."""

from xgpu.dialects import lazy_classes

__getattr__, __dir__ = lazy_classes("amdgpu", globals())
