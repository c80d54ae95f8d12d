# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The mgpu dialect: the functions of the runtime as operations
(`xgpu/core/ods/tables/mgpu.own.txt`)."""

from xgpu.dialects import lazy_classes

__getattr__, __dir__ = lazy_classes("mgpu", globals())
