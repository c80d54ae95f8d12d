# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The CUDA driver of xgpu: a `libcuda.so.1` over the host device. See `xgpu-cuda`.

    from xgpu import cuda_driver
    cuda_driver.connect()  # from here on this process finds the CUDA driver there

A test sees what its program calls, and lets calls fail:

    recorder = cuda_driver.Recorder(fail_at=7)
    found = cuda_driver.connect(recorder=recorder)
    ...
    recorder.calls, recorder.refusals, found.driver.leftovers()
"""

from __future__ import annotations

from xgpu.api.cuda_driver.calls import Call, Recorder, Refusal
from xgpu.api.cuda_driver.library import Connection, connect, connect_nvrtc, connection
from xgpu.api.cuda_driver.library_file import is_possible, library_folder
from xgpu.api.cuda_driver.settings import Settings

__all__ = [
    "Call", "Connection", "Recorder", "Refusal", "Settings", "connect",
    "connect_nvrtc", "connection", "is_possible", "library_folder",
]  # fmt: skip
