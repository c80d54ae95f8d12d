# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the driver asks of calls that xgpu does not make, but other libraries in its process do."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from tests.support.fake_rules import (
    DEFAULT_STREAMS,
    RULES,
    Refused,
    check_stream,
    kernels_of,
    require,
    rule,
)

_FIRST_CONTEXT = 0x7C0000


@rule
def cuCtxGetDevice(d: Any) -> Any:
    if not d.here():  # how others ask whether there is one
        raise Refused("no context is current", "INVALID_CONTEXT", broken=False)
    return (d.here() - _FIRST_CONTEXT,)


@rule
def cuDeviceGetDefaultMemPool(d: Any, device: int) -> Any:
    return (_default_pool(d, device),)


@rule
def cuDeviceGetMemPool(d: Any, device: int) -> Any:
    return (_default_pool(d, device),)


def _default_pool(d: Any, device: int) -> int:
    """The device's own, which is neither made nor ended."""
    handle = 0xD0000 + device
    d.pools_of_devices[handle] = device
    return handle


@rule
def cuMemPoolGetAttribute(d: Any, pool: Any, kind: Any) -> Any:
    return (0,)


@rule
def cuCtxGetStreamPriorityRange(d: Any) -> Any:
    return (0, 0)


@rule
def cuStreamCreateWithPriority(d: Any, flags: int, priority: int) -> Any:
    return (d.make("stream", d.here()),)


@rule
def cuStreamGetCtx(d: Any, stream: Any) -> Any:
    return (d.here() if int(stream) in DEFAULT_STREAMS else d.find("stream", stream),)


@rule
def cuStreamIsCapturing(d: Any, stream: Any) -> Any:
    check_stream(d, stream)
    return (0,)


@rule
def cuLibraryLoadData(d: Any, image: bytes, *options: Any) -> Any:
    return (d.make("library", SimpleNamespace(kernels=kernels_of(image))),)


@rule
def cuLibraryUnload(d: Any, library: Any) -> Any:
    d.end("library", library)


@rule
def cuLibraryGetKernel(d: Any, library: Any, name: bytes) -> Any:
    found = d.find("library", library).kernels
    require(name.decode() in found, "no such kernel", "NOT_FOUND")
    static = found[name.decode()]
    kernel = SimpleNamespace(
        module=int(library), context=d.here(), static=static, dynamic=49152 - static, cluster=8
    )
    return (d.make("kernel", kernel),)


@rule
def cuKernelGetFunction(d: Any, kernel: Any) -> Any:
    d.find("kernel", kernel)
    return (int(kernel),)


RULES["cuStreamGetDevice"] = cuCtxGetDevice
