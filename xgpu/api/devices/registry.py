# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Devices by name, each made when it is first asked for."""

from __future__ import annotations

import atexit
from typing import Any

from xgpu.api.devices.interface import Backend
from xgpu.core.ir.errors import DeviceError
from xgpu.core.support.forks import new_lock
from xgpu.core.support.process import REFUSED, is_main_interpreter
from xgpu.driver.options import device_name

_lock = new_lock()
_backends: dict[str, Backend] = {}


def backend(name: object) -> Backend:
    """The device `name`: host, cuda, cuda:N, or auto (the first GPU if there is one, else host).

    Raises `UsageError` for any other name, `DeviceError` where there is no such device.
    """
    found = _backends.get(name) if isinstance(name, str) else None
    if found is not None:
        return found.current()
    full = full_name(name)
    with _lock:
        if full not in _backends:
            _backends[full] = _made(full)
        found = _backends[full]
    return found.current()


def full_name(name: object) -> str:
    """`host` or `cuda:N`, of what a caller calls a device."""
    if isinstance(name, Backend):
        return name.name
    known = device_name(name)
    if known != "auto":
        return known
    from xgpu.runtime.cuda.driver import is_available

    return "cuda:0" if is_available() else "host"


def _made(name: str) -> Backend:
    if not is_main_interpreter():
        raise DeviceError(REFUSED)
    if name == "host":
        from xgpu.api.devices.host import HostBackend

        made = HostBackend()
        made.of_watch = _watched
        atexit.register(made.report_unseen_errors)
        return made
    from xgpu.api.devices.cuda import CudaBackend

    made = CudaBackend(int(name.removeprefix("cuda:")))
    atexit.register(remove, name)  # before the driver gives its contexts back
    return made


def _watched(watched: Any, plain: Any) -> Backend:
    from xgpu.api.devices.watched import watched_host

    return watched_host(watched, plain)


def device_of_pointer(address: int) -> str:
    """The GPU that an address of device memory belongs to."""
    from xgpu.api.devices.cuda import device_of_pointer as asked

    return asked(address)


def install(made: Backend) -> None:
    """Let `made` be the device of its name."""
    with _lock:
        _backends[made.name] = made


def remove(name: str) -> None:
    """End a device: the next one who asks gets a new one."""
    with _lock:
        found = _backends.pop(name, None)
    if found is not None:
        found.close()
