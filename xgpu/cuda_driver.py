# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The CUDA driver of xgpu: a `libcuda.so.1` over the host device. See `xgpu-cuda`.

    from xgpu import cuda_driver
    cuda_driver.connect()  # from here on this process finds the CUDA driver there
"""

from __future__ import annotations

from xgpu.api.cuda_driver.library import (
    Connection,
    connect,
    connection,
    is_possible,
    library_folder,
)
from xgpu.api.cuda_driver.settings import Settings

__all__ = ["Connection", "Settings", "connect", "connection", "is_possible", "library_folder"]
