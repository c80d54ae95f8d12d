# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The mpi dialect: what ODS leaves to C++."""

from xgpu.dialects import lazy_classes

__getattr__, __dir__ = lazy_classes("mpi", globals())
