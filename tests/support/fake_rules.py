# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What each function of the driver asks of its arguments, and what it gives (CUDA Driver API
reference, CUDA 13). Structures come as the bindings' objects, or as addresses from machine code.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from xgpu.runtime.cuda.launches import CLUSTER_DIMENSION, LaunchAttribute, LaunchConfig

RULES: dict[str, Callable[..., Any]] = {}


class Refused(Exception):
    """The driver refuses; `broken` says that a documented rule was broken, not a limit met."""

    def __init__(self, words: str, code: str = "INVALID_VALUE", broken: bool = True) -> None:
        super().__init__(words)
        self.code = code
        self.broken = broken


class AnotherContext(Refused):
    """What the call is given belongs to another context than the current one."""

    def __init__(self, words: str) -> None:
        super().__init__(words, "INVALID_HANDLE")


def rule(function: Callable[..., Any]) -> Callable[..., Any]:
    RULES[function.__name__] = function
    return function


def require(condition: object, words: str, code: str = "INVALID_VALUE") -> None:
    if not condition:
        raise Refused(words, code)


# -- devices and contexts


@rule
def cuDeviceGetCount(d: Any) -> Any:
    return (d.count,)


@rule
def cuDriverGetVersion(d: Any) -> Any:
    return (13000,)


@rule
def cuDeviceGet(d: Any, ordinal: int) -> Any:
    require(0 <= ordinal < d.count, "no such device", "INVALID_DEVICE")
    return (ordinal,)


@rule
def cuDeviceGetAttribute(d: Any, kind: Any, device: int) -> Any:
    name = getattr(kind, "name", "").removeprefix("CU_DEVICE_ATTRIBUTE_")
    if name.startswith("COMPUTE_CAPABILITY") and int(device) in d.chips:
        return (d.chips[int(device)][name.endswith("MINOR")],)
    if name not in d.attributes:
        raise Refused(f"the attribute {name}", broken=False)
    return (d.attributes[name],)


@rule
def cuDevicePrimaryCtxRetain(d: Any, device: int) -> Any:
    d.retained[device] = d.retained.get(device, 0) + 1
    return (0x7C0000 + device,)


@rule
def cuDevicePrimaryCtxRelease(d: Any, device: int) -> Any:
    require(d.retained.get(device), "the context was not retained", "INVALID_CONTEXT")
    d.retained[device] -= 1


@rule
def cuCtxGetCurrent(d: Any) -> Any:
    return (d.current.get(threading.get_ident(), 0),)


@rule
def cuCtxSetCurrent(d: Any, context: Any) -> Any:
    context = int(context)
    alive = not context or d.retained.get(context - 0x7C0000)
    require(alive, "the context is destroyed", "CONTEXT_IS_DESTROYED")
    d.current[threading.get_ident()] = context


@rule
def cuCtxPushCurrent(d: Any, context: Any) -> Any:
    here = cuCtxGetCurrent(d)[0]
    cuCtxSetCurrent(d, context)
    d.pushed.setdefault(threading.get_ident(), []).append(here)


@rule
def cuCtxPopCurrent(d: Any) -> Any:
    below = d.pushed.get(threading.get_ident())
    require(below, "no context was pushed", "INVALID_CONTEXT")
    here = cuCtxGetCurrent(d)[0]
    d.current[threading.get_ident()] = below.pop()
    return (here,)


@rule
def cuDeviceCanAccessPeer(d: Any, one: int, other: int) -> Any:
    return (1,)


@rule
def cuCtxEnablePeerAccess(d: Any, context: Any, flags: int) -> Any:
    require(int(context) != d.here(), "a context and itself")


@rule
def cuMemPoolSetAccess(d: Any, pool: Any, access: Any, count: int) -> Any:
    d.find("pool", pool)
    require(count == len(access), "the number of descriptions")


@rule
def cuGetProcAddress(d: Any, name: bytes, version: int, flags: int) -> Any:
    return (d.entry(name.decode()), 0)


# -- modules and launches


def kernels_of(ptx: bytes) -> dict[str, int]:
    """The kernels of PTX, with the bytes of static shared memory of their module."""
    text = ptx.decode(errors="replace")
    static = sum(int(n) for n in re.findall(r"\.shared .*\[(\d+)\];", text))
    return dict.fromkeys(re.findall(r"\.entry\s+(\w+)", text), static)


def check_target(d: Any, image: bytes) -> None:
    """PTX runs on its chip and newer ones; with a chip's own features on that chip alone."""
    found = re.search(rb"^\s*\.target\s+sm_(\d+)(a?)", image, re.M)
    if found is None:
        return
    wanted = int(found[1])
    names = ("COMPUTE_CAPABILITY_MAJOR", "COMPUTE_CAPABILITY_MINOR")
    major, minor = d.chips.get(d.here() - 0x7C0000) or (d.attributes[n] for n in names)
    has = 10 * major + minor
    if has != wanted and (found[2] or has < wanted):
        raise Refused(
            f"code for {found[0].decode()} on sm_{has}", "NO_BINARY_FOR_GPU", broken=False
        )


@rule
def cuModuleLoadDataEx(d: Any, image: bytes, count: int, options: Any, values: Any) -> Any:
    require(count == len(options) == len(values), "the number of options")
    levels = [v for o, v in zip(options, values, strict=True) if "OPTIMIZATION" in o.name]
    require(all(0 <= v <= 4 for v in levels), "the optimization level")
    check_target(d, image)
    return (d.make("module", SimpleNamespace(context=d.here(), kernels=kernels_of(image))),)


@rule
def cuModuleUnload(d: Any, module: int) -> Any:
    d.end("module", module)
    kernels = d.alive.get("kernel", {})
    for handle in [h for h, k in kernels.items() if k.module == module]:
        del kernels[handle]


@rule
def cuModuleGetFunction(d: Any, module: int, name: bytes) -> Any:
    found = d.find("module", module)
    require(found.context == d.here(), "the module is another context's", "INVALID_HANDLE")
    text = name.decode()
    if found.kernels and text not in found.kernels:
        raise Refused("no such kernel", "NOT_FOUND", broken=False)
    static = found.kernels.get(text, 0)
    kernel = SimpleNamespace(
        module=module, context=d.here(), static=static, dynamic=49152 - static, cluster=8
    )
    return (d.make("kernel", kernel),)


@rule
def cuFuncLoad(d: Any, kernel: int) -> Any:
    d.find("kernel", kernel)


@rule
def cuFuncGetAttribute(d: Any, kind: Any, kernel: int) -> Any:
    require("SHARED_SIZE_BYTES" in kind.name, "an attribute that is not known here")
    return (d.find("kernel", kernel).static,)


@rule
def cuFuncSetAttribute(d: Any, kernel: int, kind: Any, value: int) -> Any:
    found = d.find("kernel", kernel)
    if "NON_PORTABLE" in kind.name:
        found.cluster = 16
        return
    most = d.attributes["MAX_SHARED_MEMORY_PER_BLOCK_OPTIN"] - found.static
    require(0 <= value <= most, f"{value} bytes of dynamic shared memory, at most {most}")
    require(value >= found.dynamic or value > 49152, "the limit is lowered")
    found.dynamic = value


def check_launch(
    d: Any, kernel: Any, grid: Any, block: Any, shared: int, cluster: Any = (1, 1, 1)
) -> None:
    found = d.find("kernel", kernel)
    if found.context != d.here():
        raise AnotherContext("the kernel is another context's")
    sizes = min(*grid, *block) > 0 and block[0] * block[1] * block[2] <= 1024 and block[2] <= 64
    if not sizes or grid[0] >= 1 << 31 or grid[1] > 65535 or grid[2] > 65535:
        raise Refused("sizes of the launch", broken=False)
    if shared > found.dynamic:
        raise Refused(f"{shared} bytes of shared memory, {found.dynamic} allowed", broken=False)
    blocks = cluster[0] * cluster[1] * cluster[2]
    if blocks > found.cluster or any(g % c for g, c in zip(grid, cluster, strict=True)):
        raise Refused("the cluster", "INVALID_CLUSTER_SIZE", broken=False)


#: The null stream, CU_STREAM_LEGACY and CU_STREAM_PER_THREAD: every context has them.
DEFAULT_STREAMS = (0, 1, 2)


def check_stream(d: Any, stream: Any) -> None:
    if int(stream) not in DEFAULT_STREAMS:
        context = d.find("stream", stream)
        if context != d.here():
            raise AnotherContext("the stream is another context's")


@rule
def cuLaunchKernel(d: Any, kernel: Any, *rest: Any) -> Any:
    *sizes, shared, stream, _parameters, _extra = map(int, rest)
    check_stream(d, stream)
    check_launch(d, kernel, sizes[:3], sizes[3:], shared)


@rule
def cuLaunchKernelEx(d: Any, config: Any, kernel: Any, parameters: Any, extra: Any) -> Any:
    if isinstance(config, int):
        read = LaunchConfig.from_address(config)
        words, shared, stream = (*read.grid, *read.block), read.shared, read.stream
        attributes = (LaunchAttribute * read.count).from_address(read.attributes or 1)
        sizes = [a.value[:3] for a in attributes if a.id == CLUSTER_DIMENSION]
        cluster = sizes[0] if sizes else (1, 1, 1)
    else:
        words = (
            config.gridDimX, config.gridDimY, config.gridDimZ,
            config.blockDimX, config.blockDimY, config.blockDimZ,
        )  # fmt: skip
        shared, stream = config.sharedMemBytes, int(config.hStream)
        dim = config.attrs[0].value.clusterDim
        cluster = [dim.x, dim.y, dim.z]
    check_stream(d, stream)
    grid, block = list(words[:3]), list(words[3:6])
    check_launch(d, kernel, grid, block, shared, cluster)
    d.launches.append((int(kernel), grid, block, list(cluster), shared, stream))


# -- streams and events


@rule
def cuStreamCreate(d: Any, flags: Any) -> Any:
    return (d.make("stream", d.here()),)


@rule
def cuStreamDestroy(d: Any, stream: Any) -> Any:
    d.end("stream", stream)


@rule
def cuStreamSynchronize(d: Any, stream: Any) -> Any:
    check_stream(d, stream)


@rule
def cuStreamWaitEvent(d: Any, stream: Any, event: Any, flags: int) -> Any:
    check_stream(d, stream)
    d.find("event", event)


@rule
def cuEventCreate(d: Any, flags: Any) -> Any:
    return (d.make("event", d.here()),)


@rule
def cuEventDestroy(d: Any, event: Any) -> Any:
    d.end("event", event)


@rule
def cuEventSynchronize(d: Any, event: Any) -> Any:
    d.find("event", event)


@rule
def cuEventQuery(d: Any, event: Any) -> Any:
    d.find("event", event)


@rule
def cuEventRecord(d: Any, event: Any, stream: Any) -> Any:
    check_stream(d, stream)
    context = d.find("event", event)
    require(context == d.here(), "the event is another context's", "INVALID_HANDLE")
    d.clock += 1
    d.recorded[int(event)] = d.clock


@rule
def cuEventElapsedTime(d: Any, first: Any, second: Any) -> Any:
    one, other = d.recorded[int(first)], d.recorded[int(second)]
    return (float(other - one),)
