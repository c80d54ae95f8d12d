# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Green contexts: contexts with a part of a device's multiprocessors.

The parts are counted as on a GPU of the chip's kind, since a machine has fewer cores than programs
ask for. They decide nothing else: kernels run on all cores, whatever context they belong to.
"""

from __future__ import annotations

import ctypes

from xgpu.api.cuda_driver.header import DevResource, Result, require
from xgpu.api.cuda_driver.held import Held
from xgpu.api.cuda_driver.settings import DeviceAttribute
from xgpu.api.cuda_driver.state import NON_BLOCKING, Context, Device, Driver, Stream
from xgpu.api.cuda_driver.streams import (
    Event,
    create_with_priority,
    record_context,
    wait_context,
)
from xgpu.api.cuda_driver.table import Needs, entry

_MAJOR = DeviceAttribute.COMPUTE_CAPABILITY_MAJOR
_MINOR = DeviceAttribute.COMPUTE_CAPABILITY_MINOR
#: Multiprocessors of a usual GPU by its compute capability: of V100, Turing, A100, GA102, H100,
#: B200 and RTX 5090.
_COUNTS = {(7, 0): 80, (7, 5): 72, (8, 0): 108, (8, 6): 84, (9, 0): 132, (10, 0): 148, (12, 0): 170}
_KIND = 1  # CU_DEV_RESOURCE_TYPE_SM
_DEFAULT_STREAM = 1  # CU_GREEN_CTX_DEFAULT_STREAM
_ANY_NEIGHBOURS, _LARGE_CLUSTERS = 1, 2  # CUdevSmResourceSplit_flags


class Description(Held):
    """Resources for a context. The driver has no function that ends one."""

    kinds = ("CUdevResourceDesc",)
    is_own = True

    def __init__(self, resource: DevResource) -> None:
        self.resource = resource


class GreenContext(Held):
    """A green context, and the context that stands for it where functions take one."""

    kinds = ("CUgreenCtx",)

    def __init__(self, device: Device, resource: DevResource) -> None:
        self.resource = resource
        self.context = Context(device, 0, is_primary=False)
        self.context.is_own = True
        self.context.green = self

    def destroy(self) -> None:
        self.context.destroy()
        self.context.driver.end(self)


# -- resources


def _of_device(device: Device) -> DevResource:
    return _multiprocessors(device, _count(device))


def _count(device: Device) -> int:
    """Of the newest chip in the table that is no newer than this one."""
    capability = device.attributes[_MAJOR], device.attributes[_MINOR]
    return next((_COUNTS[known] for known in reversed(_COUNTS) if known <= capability), 80)


def _multiprocessors(device: Device, count: int) -> DevResource:
    least = _least(device)
    return DevResource(
        type=_KIND, device=device.ordinal + 1, count=count, least=least, alignment=least
    )


def _least(device: Device) -> int:
    """The multiprocessors of the smallest part, and what each is a multiple of but on sm_80, whose
    parts are even (CUDA's table of compute capabilities)."""
    major = device.attributes[_MAJOR]
    return 8 if major >= 9 else 4 if major == 8 else 2 if major == 7 else 1


def _step(device: Device) -> int:
    return 2 if device.attributes[_MAJOR] == 8 else _least(device)


def _device(driver: Driver, resource: DevResource) -> Device:
    """The device of a resource. Raises `Refused` for one that no function has given."""
    require(resource.type == _KIND, "no multiprocessors", Result.INVALID_RESOURCE_TYPE)
    require(
        0 < resource.device <= len(driver.devices) and resource.count > 0,
        "a resource that the driver has not given", Result.INVALID_RESOURCE_CONFIGURATION,
    )  # fmt: skip
    return driver.devices[resource.device - 1]


def _give(where: DevResource, found: DevResource) -> None:
    ctypes.memmove(ctypes.addressof(where), ctypes.addressof(found), ctypes.sizeof(found))


def _check_kind(kind: int) -> None:
    require(kind == _KIND, f"no resource {kind}", Result.INVALID_RESOURCE_TYPE)


@entry(
    "cuDeviceGetDevResource(CUdevice device, CUdevResource *resource, CUdevResourceType type)",
    needs=Needs.INIT, since=12040,
)  # fmt: skip
def device_resource(driver: Driver, device: Device, where: DevResource, kind: int) -> None:
    _check_kind(kind)
    _give(where, _of_device(device))


@entry(
    "cuCtxGetDevResource(CUcontext context, CUdevResource *resource, CUdevResourceType type)",
    needs=Needs.INIT, since=12040,
)  # fmt: skip
def context_resource(driver: Driver, context: Context, where: DevResource, kind: int) -> None:
    _check_kind(kind)
    green = context.green
    _give(where, green.resource if isinstance(green, GreenContext) else _of_device(context.device))


@entry(
    "cuGreenCtxGetDevResource(CUgreenCtx green, CUdevResource *resource, CUdevResourceType type)",
    needs=Needs.INIT, since=12040,
)  # fmt: skip
def green_resource(driver: Driver, green: GreenContext, where: DevResource, kind: int) -> None:
    _check_kind(kind)
    _give(where, green.resource)


@entry(
    "cuDevSmResourceSplitByCount(CUdevResource parts[]?, unsigned int count[1], "
    "const CUdevResource *resource, CUdevResource *remaining?, unsigned int flags, "
    "unsigned int least)", needs=Needs.INIT, since=12040,
)  # fmt: skip
def split(
    driver: Driver, parts: int, count: int, resource: DevResource, remaining: DevResource | None,
    flags: int, least: int,
) -> None:  # fmt: skip
    """Parts of `least` multiprocessors or more, as many as are asked for and as there are."""
    require(not flags & ~(_ANY_NEIGHBOURS | _LARGE_CLUSTERS), f"flags are {flags}")
    device = _device(driver, resource)
    step, smallest = _step(device), _least(device)
    if flags & _ANY_NEIGHBOURS:
        step = smallest = min(smallest, 2)
    size = -(-max(least, smallest) // step) * step
    total = resource.count
    require(size <= total, f"{least} of {total}", Result.INVALID_RESOURCE_CONFIGURATION)
    asked = ctypes.c_uint32.from_address(count)
    asked.value = min(asked.value, total // size) if parts else total // size
    for i in range(asked.value if parts else 0):
        to = DevResource.from_address(parts + i * ctypes.sizeof(DevResource))
        _give(to, _multiprocessors(device, size))
    if remaining is not None:
        left = total - asked.value * size
        _give(remaining, _multiprocessors(device, left) if left else DevResource())


@entry(
    "cuDevResourceGenerateDesc(CUdevResourceDesc *description, CUdevResource resources[], "
    "unsigned int count)", needs=Needs.INIT, since=12040,
)  # fmt: skip
def describe(driver: Driver, resources: int, count: int) -> int:
    require(count, "no resource")
    given = (DevResource * count).from_address(resources)
    devices = {_device(driver, resource) for resource in given}
    total = sum(resource.count for resource in given)
    device = devices.pop()
    fits = not devices and total <= _count(device)
    require(fits, "parts of one device", Result.INVALID_RESOURCE_CONFIGURATION)
    return driver.make(Description(_multiprocessors(device, total)))


# -- contexts


@entry(
    "cuGreenCtxCreate(CUgreenCtx *green, CUdevResourceDesc description, CUdevice device, "
    "unsigned int flags)", needs=Needs.INIT, since=12040,
)  # fmt: skip
def create(driver: Driver, found: Description, device: Device, flags: int) -> int:
    require(flags == _DEFAULT_STREAM, f"flags are {flags}")
    same = found.resource.device == device.ordinal + 1
    require(same, "resources of another device", Result.INVALID_RESOURCE_CONFIGURATION)
    return driver.make(GreenContext(device, found.resource))


@entry("cuGreenCtxDestroy(CUgreenCtx green)", needs=Needs.INIT, since=12040)
def destroy(driver: Driver, green: GreenContext) -> None:
    green.destroy()


@entry("cuCtxFromGreenCtx(CUcontext *context, CUgreenCtx green)", needs=Needs.INIT, since=12040)
def context_of(driver: Driver, green: GreenContext) -> int:
    return green.context.handle


@entry("cuGreenCtxGetId(CUgreenCtx green, unsigned long long *id)", needs=Needs.INIT, since=12090)
def identity(driver: Driver, green: GreenContext) -> int:
    return green.context.number


@entry(
    "cuGreenCtxStreamCreate(CUstream *stream, CUgreenCtx green, unsigned int flags, int priority)",
    needs=Needs.INIT, since=12050,
)  # fmt: skip
def create_stream(driver: Driver, green: GreenContext, flags: int, priority: int) -> int:
    require(flags == NON_BLOCKING, f"flags are {flags}")
    return create_with_priority(green.context, flags, priority)


@entry("cuStreamGetGreenCtx(CUstream stream, CUgreenCtx *green)", since=12040)
def green_of(context: Context, stream: Stream) -> int:
    green = stream.context.green
    return 0 if green is None else green.handle


@entry("cuGreenCtxRecordEvent(CUgreenCtx green, CUevent event)", needs=Needs.INIT, since=12040)
def record_green(driver: Driver, green: GreenContext, event: Event) -> None:
    record_context(green.context, green.context, event)


@entry("cuGreenCtxWaitEvent(CUgreenCtx green, CUevent event)", needs=Needs.INIT, since=12040)
def wait_green(driver: Driver, green: GreenContext, event: Event) -> None:
    wait_context(green.context, green.context, event)
