# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions of the driver: itself, devices, and contexts."""

from __future__ import annotations

import ctypes

from xgpu.api.cuda_driver import settings
from xgpu.api.cuda_driver.header import (
    TEXTS,
    ContextParameters,
    Refused,
    Result,
    Uuid,
    name_of,
    require,
)
from xgpu.api.cuda_driver.settings import LIMITS
from xgpu.api.cuda_driver.state import Context, Device, Driver
from xgpu.api.cuda_driver.table import FUNCTIONS, PER_THREAD, Needs, entry
from xgpu.frontend import numba

VERSION = 13000
_PER_THREAD_FLAG, _LEGACY_FLAG = 2, 1
_FOUND, _NO_SYMBOL, _TOO_OLD = 0, 1, 2
_SCHEDULING, _MOST_FLAGS = 7, 0xFF
_UNIT = 1 << 20


# -- the driver itself


@entry("cuInit(unsigned int flags)", needs=Needs.NOTHING, since=2000)
def initialize(driver: Driver, flags: int) -> None:
    require(flags == 0, "flags must be 0")
    require(not driver.is_forked, "the process was forked", Result.NOT_INITIALIZED)
    require(driver.devices, "there are no devices", Result.NO_DEVICE)
    driver.begin()
    if numba.is_imported():
        # Imports what compiles kernels, which takes longer than all of the driver.
        from xgpu.api.cuda_driver.clients import adapt

        adapt()


@entry("cuDriverGetVersion(int *version)", needs=Needs.NOTHING, since=2020)
def version(driver: Driver) -> int:
    return VERSION


@entry("cuGetErrorName(CUresult error, const char **text)", needs=Needs.NOTHING, since=6000)
def error_name(driver: Driver, error: int) -> int:
    return driver.text(name_of(_known_result(error)))


@entry("cuGetErrorString(CUresult error, const char **text)", needs=Needs.NOTHING, since=6000)
def error_text(driver: Driver, error: int) -> int:
    return driver.text(TEXTS[_known_result(error)])


def _known_result(error: int) -> Result:
    try:
        return Result(error)
    except ValueError:
        raise Refused(Result.INVALID_VALUE, f"{error} is no result") from None


@entry(
    "cuGetProcAddress(const char *name, void **function, int version, cuuint64_t flags)",
    needs=Needs.NOTHING, since=11030,
)  # fmt: skip
def function_address(driver: Driver, name: str, wanted: int, flags: int) -> int:
    address, _ = found_function(driver, name, wanted, flags)
    require(address, f"no function {name}", Result.NOT_FOUND)
    return address


@entry(
    "cuGetProcAddress_v2(const char *name, void **function, int version, cuuint64_t flags, "
    "CUdriverProcAddressQueryResult *status?)", needs=Needs.NOTHING, since=12000,
)  # fmt: skip
def function_address_2(driver: Driver, name: str, wanted: int, flags: int) -> tuple[int, int]:
    # A function that is not there is no failure of the call.
    return found_function(driver, name, wanted, flags)


def found_function(driver: Driver, name: str, wanted: int, flags: int) -> tuple[int, int]:
    """The address of the newest version of a function that a CUDA of version `wanted` knows, 0 for
    none, and what was found."""
    require(0 <= flags <= (_PER_THREAD_FLAG | _LEGACY_FLAG), "unknown flags")
    symbol, is_known = symbol_of(name, wanted)
    if symbol is None:
        if driver.settings.verbose and not is_known:
            driver.say(f"there is no function {name}")
        return 0, _TOO_OLD if is_known else _NO_SYMBOL
    addresses = driver.addresses
    if flags & _PER_THREAD_FLAG:
        return addresses.get(symbol + PER_THREAD) or addresses[symbol], _FOUND
    return addresses[symbol], _FOUND


def symbol_of(name: str, wanted: int) -> tuple[str | None, bool]:
    """The symbol that a program of CUDA's version `wanted` means by a name, and whether any is of
    that name."""
    versions = sorted(
        (since, symbol)
        for function in FUNCTIONS.values()
        for asked, since, symbol in function.answers
        if name in (asked, symbol)
    )
    exact = [symbol for _, symbol in versions if symbol == name and "_v" in name]
    fitting = [symbol for since, symbol in versions if since <= wanted]
    found = exact or fitting[-1:]
    return (found[0] if found else None), bool(versions)


@entry("cuGetExportTable(const void **table, const CUuuid *id)", needs=Needs.NOTHING, since=3000)
def export_table(driver: Driver, identity: Uuid) -> int:
    name = bytes(identity.bytes).hex("-", 4)
    with open("/proc/self/comm", encoding="utf-8", errors="replace") as file:
        program = file.read().strip()
    driver.say(
        f"{program} asks for the undocumented function table {name}: a CUDA runtime that was "
        "linked statically needs it, and it is not there"
    )
    raise Refused(Result.NOT_FOUND)


# -- devices


@entry("cuDeviceGetCount(int *count)", needs=Needs.INIT, since=2000)
def device_count(driver: Driver) -> int:
    return len(driver.devices)


@entry("cuDeviceGet(CUdevice *device, int ordinal)", needs=Needs.INIT, since=2000)
def device(driver: Driver, ordinal: int) -> int:
    return driver.device(ordinal).ordinal


@entry("cuDeviceGetName(char *name, int length, CUdevice device)", needs=Needs.INIT, since=2000)
def device_name(driver: Driver, name: int, length: int, device: Device) -> None:
    require(length > 0, "no room for the name")
    text = settings.name_of(device.chip, device.ordinal).encode()[: length - 1] + b"\0"
    ctypes.memmove(name, text, len(text))


@entry("cuDeviceGetUuid(CUuuid *uuid, CUdevice device)", needs=Needs.INIT, since=9020, v2=11040)
def device_uuid(driver: Driver, uuid: Uuid, device: Device) -> None:
    uuid.bytes[:] = settings.identity(device.ordinal)


@entry("cuDeviceTotalMem(size_t *bytes, CUdevice device)", needs=Needs.INIT, since=2000, v2=3020)
def device_memory(driver: Driver, device: Device) -> int:
    return device.host.memory.capacity


@entry(
    "cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device)",
    needs=Needs.INIT, since=2000,
)  # fmt: skip
def device_attribute(driver: Driver, attribute: int, device: Device) -> int:
    require(attribute in device.attributes, f"no attribute {attribute}")
    return device.attributes[attribute]


@entry(
    "cuDeviceComputeCapability(int *major, int *minor, CUdevice device)",
    needs=Needs.INIT,
    since=2000,
)
def compute_capability(driver: Driver, device: Device) -> tuple[int, int]:
    return settings.capability(device.chip)


@entry("cuDeviceGetPCIBusId(char *id, int length, CUdevice device)", needs=Needs.INIT, since=4010)
def bus_id(driver: Driver, where: int, length: int, device: Device) -> None:
    text = _bus_id(device).encode() + b"\0"
    require(length >= len(text), "no room for the identifier")
    ctypes.memmove(where, text, len(text))


def _bus_id(device: Device) -> str:
    return f"0000:{device.ordinal + 1:02x}:00.0"


@entry("cuDeviceGetByPCIBusId(CUdevice *device, const char *id)", needs=Needs.INIT, since=4010)
def device_by_bus_id(driver: Driver, text: str) -> int:
    for device in driver.devices:
        if _bus_id(device).endswith(text.lower()):
            return device.ordinal
    raise Refused(Result.INVALID_DEVICE, f"no device {text}")


@entry(
    "cuDeviceCanAccessPeer(int *can, CUdevice device, CUdevice peer)", needs=Needs.INIT, since=4000
)
def can_access_peer(driver: Driver, device: Device, peer: Device) -> int:
    return int(device is not peer)


@entry(
    "cuDeviceGetP2PAttribute(int *value, CUdevice_P2PAttribute attribute, CUdevice source, "
    "CUdevice target)", needs=Needs.INIT, since=8000,
)  # fmt: skip
def peer_attribute(driver: Driver, attribute: int, source: Device, target: Device) -> int:
    require(source is not target, "a device and itself", Result.INVALID_DEVICE)
    require(1 <= attribute <= 4, f"no attribute {attribute}")
    return 0 if attribute in (1, 4) else 1


# -- primary contexts


@entry(
    "cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device)", needs=Needs.INIT, since=7000
)
def retain_primary(driver: Driver, device: Device) -> int:
    with driver.lock:
        if device.primary is None:
            device.primary = Context(device, device.primary_flags, is_primary=True)
        device.primary.is_own = False
        device.retained += 1
        return device.primary.handle


@entry("cuDevicePrimaryCtxRelease(CUdevice device)", needs=Needs.INIT, since=7000, v2=11000)
def release_primary(driver: Driver, device: Device) -> None:
    with driver.lock:
        require(device.retained, "the context was not retained", Result.INVALID_CONTEXT)
        device.retained -= 1
        if device.retained == 0:
            _end_primary(device)


@entry("cuDevicePrimaryCtxReset(CUdevice device)", needs=Needs.INIT, since=7000, v2=11000)
def reset_primary(driver: Driver, device: Device) -> None:
    """Those that have retained the context keep their handle: it is that of a new context, which is
    not active before it is current or retained again."""
    with driver.lock:
        found = device.primary
        _end_primary(device)
        if found is None or not device.retained:
            return
        made = device.primary = Context(device, device.primary_flags, is_primary=True)
        made.is_own = True
        driver.end(made)
        driver.destroyed.discard(found.handle)
        made.handle = found.handle
        driver.handles[made.handle] = made
        driver.threads.replace(found, made)


def _end_primary(device: Device) -> None:
    found, device.primary = device.primary, None
    if found is not None:
        found.destroy()


@entry(
    "cuDevicePrimaryCtxSetFlags(CUdevice device, unsigned int flags)", needs=Needs.INIT,
    since=7000, v2=11000,
)  # fmt: skip
def primary_flags(driver: Driver, device: Device, flags: int) -> None:
    _check_flags(flags)
    device.primary_flags = flags
    if device.primary is not None:
        device.primary.flags = flags


@entry(
    "cuDevicePrimaryCtxGetState(CUdevice device, unsigned int *flags, int *active)",
    needs=Needs.INIT, since=7000,
)  # fmt: skip
def primary_state(driver: Driver, device: Device) -> tuple[int, int]:
    found = device.primary
    return device.primary_flags, int(found is not None and not found.is_own)


# -- contexts


def _check_flags(flags: int) -> None:
    require(flags & ~_MOST_FLAGS == 0 and flags & _SCHEDULING in (0, 1, 2, 4), "unknown flags")


@entry(
    "cuCtxCreate(CUcontext *context, unsigned int flags, CUdevice device)", needs=Needs.INIT,
    since=2000, v2=3020,
)  # fmt: skip
def create_context(driver: Driver, flags: int, device: Device) -> int:
    _check_flags(flags)
    made = Context(device, flags, is_primary=False)
    driver.threads.push(made)
    return made.handle


@entry(
    "cuCtxCreate_v3(CUcontext *context, const void affinities[]?, int count, unsigned int flags, "
    "CUdevice device)", needs=Needs.INIT, since=11040,
)  # fmt: skip
def create_context_3(
    driver: Driver, affinities: int, count: int, flags: int, device: Device
) -> int:
    require(not affinities and not count, "no affinities", Result.NOT_SUPPORTED)
    return create_context(driver, flags, device)


@entry(
    "cuCtxCreate_v4(CUcontext *context, CUctxCreateParams *parameters?, unsigned int flags, "
    "CUdevice device)", needs=Needs.INIT, since=12050,
)  # fmt: skip
def create_context_4(
    driver: Driver, given: ContextParameters | None, flags: int, device: Device
) -> int:
    plain = given is None or not (given.affinities or given.cig)
    require(plain, "no affinities and no graphics", Result.NOT_SUPPORTED)
    return create_context(driver, flags, device)


@entry("cuCtxDestroy(CUcontext context)", needs=Needs.INIT, since=2000, v2=4000)
def destroy_context(driver: Driver, context: Context) -> None:
    require(not context.is_primary, "a primary context is released", Result.INVALID_CONTEXT)
    require(context.green is None, "it belongs to a green context", Result.INVALID_CONTEXT)
    if driver.current() is context:
        driver.threads.pop()
    context.destroy()


@entry("cuCtxPushCurrent(CUcontext context)", needs=Needs.INIT, since=2000, v2=4000)
def push_context(driver: Driver, context: Context) -> None:
    if context.green is None:
        context.is_own = False
    driver.threads.push(context)


@entry("cuCtxPopCurrent(CUcontext *context?)", needs=Needs.INIT, since=2000, v2=4000)
def pop_context(driver: Driver) -> int:
    found = driver.threads.pop()
    if found is None:
        raise Refused(Result.INVALID_CONTEXT, "no context is current")
    return found.handle


@entry("cuCtxSetCurrent(CUcontext context?)", needs=Needs.INIT, since=4000)
def set_context(driver: Driver, context: Context | None) -> None:
    driver.threads.pop()
    if context is not None:
        push_context(driver, context)


@entry("cuCtxGetCurrent(CUcontext *context)", needs=Needs.INIT, since=4000)
def current_context(driver: Driver) -> int:
    found = driver.current()
    return 0 if found is None else found.handle


@entry("cuCtxGetDevice(CUdevice *device)", needs=Needs.ANY_CONTEXT, since=2000)
def context_device(context: Context) -> int:
    return context.device.ordinal


@entry(
    "cuCtxGetDevice_v2(CUdevice *device, CUcontext context?)",
    needs=Needs.INIT,
    since=13000,
    alone=True,
)
def context_device_2(driver: Driver, given: Context | None) -> int:
    return (given or driver.context()).device.ordinal


@entry("cuCtxGetFlags(unsigned int *flags)", since=7000)
def context_flags(context: Context) -> int:
    return context.flags


@entry("cuCtxSetFlags(unsigned int flags)", since=12010)
def set_context_flags(context: Context, flags: int) -> None:
    _check_flags(flags)
    context.flags = flags


@entry("cuCtxGetId(CUcontext context?, unsigned long long *id)", needs=Needs.INIT, since=12000)
def context_id(driver: Driver, given: Context | None) -> int:
    return (given or driver.context()).number


@entry(
    "cuCtxGetApiVersion(CUcontext context?, unsigned int *version)", needs=Needs.INIT, since=3020
)
def context_version(driver: Driver, given: Context | None) -> int:
    _ = given or driver.context()
    return 3020


@entry("cuCtxSynchronize()", since=2000)
def synchronize(context: Context) -> None:
    _check_no_capture(context)
    context.synchronize()


@entry("cuCtxSynchronize_v2(CUcontext context?)", needs=Needs.INIT, since=13000, alone=True)
def synchronize_2(driver: Driver, given: Context | None) -> None:
    synchronize(given or driver.context())


def _check_no_capture(context: Context) -> None:
    if any(s.capture is not None for s in context.streams()):
        raise Refused(Result.STREAM_CAPTURE_UNSUPPORTED, "a stream of the context is capturing")


@entry("cuCtxGetLimit(size_t *value, CUlimit limit)", since=3010)
def limit(context: Context, number: int) -> int:
    require(number in LIMITS, f"no limit {number}", Result.INVALID_VALUE)
    return context.limits.get(number, LIMITS[number])


@entry("cuCtxSetLimit(CUlimit limit, size_t value)", since=3010)
def set_limit(context: Context, number: int, value: int) -> None:
    require(number in LIMITS, f"no limit {number}", Result.INVALID_VALUE)
    context.limits[number] = value


@entry("cuCtxGetCacheConfig(CUfunc_cache *config)", since=3020)
def cache_config(context: Context) -> int:
    return context.cache_config


@entry("cuCtxSetCacheConfig(CUfunc_cache config)", since=3020)
def set_cache_config(context: Context, config: int) -> None:
    require(config <= 3, f"no configuration {config}")
    context.cache_config = config


@entry("cuCtxGetSharedMemConfig(CUsharedconfig *config)", since=4020)
def shared_config(context: Context) -> int:
    return 1  # banks of four bytes, as since Maxwell


@entry("cuCtxSetSharedMemConfig(CUsharedconfig config)", since=4020)
def set_shared_config(context: Context, config: int) -> None:
    require(config <= 2, f"no configuration {config}")


@entry("cuCtxGetStreamPriorityRange(int *least?, int *greatest?)", since=5050)
def priority_range(context: Context) -> tuple[int, int]:
    return 0, -5


@entry("cuCtxResetPersistingL2Cache()", since=11000)
def reset_persisting(context: Context) -> None:
    """There is no such cache."""


@entry("cuCtxEnablePeerAccess(CUcontext peer, unsigned int flags)", since=4000)
def enable_peer(context: Context, peer: Context, flags: int) -> None:
    require(flags == 0, "flags must be 0")
    require(peer.device is not context.device, "a device and itself", Result.INVALID_DEVICE)
    require(peer not in context.peers, "enabled already", Result.PEER_ACCESS_ALREADY_ENABLED)
    context.peers.add(peer)


@entry("cuCtxDisablePeerAccess(CUcontext peer)", since=4000)
def disable_peer(context: Context, peer: Context) -> None:
    require(peer in context.peers, "not enabled", Result.PEER_ACCESS_NOT_ENABLED)
    context.peers.remove(peer)


@entry("cuProfilerStart()", since=4000)
def start_profiler(context: Context) -> None:
    """The timeline shows all that runs."""


@entry("cuProfilerStop()", since=4000)
def stop_profiler(context: Context) -> None:
    """See `start_profiler`."""
