# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reports about programs that use CUDA, in CUDA's words.

    note: 256 bytes come from here (gpu.alloc)
    ->  note: 256 bytes come from here (cudaMalloc)

Reports are written in the words of MLIR's dialects. Where the program is not MLIR, the names of
operations in them become those of CUDA C++, or of PTX's instructions.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from xgpu.host_device.sanitizer.reports.findings import Finding

#: Ends of the names of files in CUDA C++, and of headers of it.
_SUFFIXES = (".cu", ".cuh", ".h", ".hh", ".hpp", ".hxx", ".inl", ".cc", ".cpp", ".cxx")
#: What the host calls: of the runtime, and of the driver.
_CALLS = {
    "gpu.alloc host_shared": (
        "cudaMallocManaged or cudaMallocHost", "cuMemAllocManaged or cuMemAllocHost"
    ),
    "gpu.alloc": ("cudaMalloc", "cuMemAlloc"),
    "gpu.dealloc": ("cudaFree", "cuMemFree"),
    "gpu.host_register": ("cudaHostRegister", "cuMemHostRegister"),
    "gpu.memcpy": ("cudaMemcpy", "cuMemcpy"),
    "gpu.launch_func": ("kernel launch", "cuLaunchKernel"),
}  # fmt: skip
#: What kernels do.
_OPERATIONS = {
    "llvm.load": "load", "llvm.store": "store", "llvm.atomicrmw": "atomic operation",
    "llvm.cmpxchg": "atomicCAS", "llvm.fence": "__threadfence", "llvm.intr.memcpy": "memcpy",
    "llvm.intr.memcpy.inline": "memcpy", "llvm.intr.memmove": "memmove",
    "llvm.intr.memset": "memset", "gpu.barrier": "__syncthreads",
    "nvvm.barrier0": "__syncthreads", "nvvm.barrier": "bar.sync",
    "nvvm.barrier.arrive": "bar.arrive", "nvvm.bar.warp.sync": "__syncwarp",
    "nvvm.shfl.sync": "__shfl_sync", "nvvm.memory.barrier": "__threadfence",
    "nvvm.nanosleep": "__nanosleep", "nvvm.fence.mbarrier.init": "fence.mbarrier_init",
    "nvvm.fence.proxy async": "fence.proxy.async",
    "nvvm.cp.async.wait.group": "cp.async.wait_group",
    "nvvm.wgmma.wait.group.sync.aligned": "wgmma.wait_group.sync.aligned",
    "nvvm.wgmma.fence.aligned": "wgmma.fence.sync.aligned",
}  # fmt: skip
_TERMS = {"workgroup memory": "shared memory", "host_shared memory": "managed memory"}
_LONG = sorted((name for name in (*_CALLS, *_OPERATIONS, *_TERMS) if " " in name), key=len)
_NAME = r"(?:nvvm|llvm|gpu)\.[a-z]\w*(?:\.\w+)*"
_WORD = re.compile(rf"(?<![\w./])(?:{'|'.join(map(re.escape, reversed(_LONG)))}|{_NAME})")


def say(finding: Finding, calls: str | None) -> None:
    """Put a finding into CUDA's words, if it is about CUDA C++ or the program uses CUDA: `calls`
    names whose functions the host calls then, "runtime" or "driver"."""
    if calls is None and not any(side.file.endswith(_SUFFIXES) for side in finding.sides):
        return
    is_driver = calls == "driver"
    finding.message = in_cuda(finding.message, is_driver=is_driver)
    finding.hint = in_cuda(finding.hint, is_driver=is_driver)
    for side in finding.sides:
        side.did = in_cuda(side.did, is_driver=is_driver)
        side.operation = in_cuda(side.operation, is_driver=is_driver)


def in_cuda(text: str, *, is_driver: bool = False) -> str:
    """A text in CUDA's words."""

    def word(match: re.Match[str]) -> str:
        name = match[0]
        if name in _CALLS:
            return _CALLS[name][is_driver]
        known = _OPERATIONS.get(name) or _TERMS.get(name)
        return known or name.removeprefix("nvvm.").removeprefix("llvm.intr.")

    return _WORD.sub(word, text)
