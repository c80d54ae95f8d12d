# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Names of numba for devices: `cuda.gpus`, `cuda.get_current_device()`, `cuda.current_context()`,
`cuda.detect()`.

Without a GPU the host device is the only one. Its attributes are those that programs see under
`xgpu-cuda`, and its number of multiprocessors is the number of processors that it runs on.
"""

from __future__ import annotations

import sys
import uuid
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from xgpu.api.cuda_driver.settings import (
    DEFAULT_CHIP,
    DeviceAttribute,
    attributes_of,
    capability,
    identity,
    name_of,
)
from xgpu.api.devices.interface import Backend
from xgpu.api.devices.registry import backend as device_named
from xgpu.api.memory import HOST
from xgpu.core.ir.errors import DeviceError


def compute_capability(device: str) -> tuple[int, int]:
    """The compute capability of a device; the host device has that of its default chip."""
    return capability(device_named(device).chip or DEFAULT_CHIP)


class MemoryInfo(NamedTuple):
    """Bytes of a device's memory."""

    free: int
    total: int


class Device:
    """A device; numba's. Attributes in capitals are those of the driver, such as
    `MULTIPROCESSOR_COUNT`, `MAX_THREADS_PER_BLOCK` and `WARP_SIZE`. In a `with` it is the one that
    is used."""

    def __init__(self, functions: DeviceFunctions, name: str) -> None:
        self._functions = functions
        self._device = name
        self._before: list[str] = []
        self.id = 0 if name == HOST else int(name.removeprefix("cuda:"))
        self.compute_capability = compute_capability(name)

    @property
    def _backend(self) -> Backend:
        return device_named(self._device)

    @property
    def name(self) -> str:
        """The name that the driver has for it."""
        given = self._backend.description()
        return given.name if given is not None else name_of(DEFAULT_CHIP, 0)

    @property
    def uuid(self) -> str:
        """`GPU-` and its UUID."""
        given = self._backend.description()
        known = given.identity if given is not None else identity(0)
        return f"GPU-{uuid.UUID(bytes=known)}"

    @property
    def supports_float16(self) -> bool:
        return self.compute_capability >= (5, 3)

    @property
    def supports_bfloat16(self) -> bool:
        return self.compute_capability >= (8, 0)

    @property
    def supports_fp8(self) -> bool:
        return self.compute_capability >= (8, 9)

    def __getattr__(self, name: str) -> int:
        if not name.isupper():
            raise AttributeError(f"a device has no attribute '{name}'")
        from cuda.bindings.driver import CUdevice_attribute

        number = getattr(CUdevice_attribute, f"CU_DEVICE_ATTRIBUTE_{name}", None)
        if number is None:
            raise AttributeError(f"a device has no attribute '{name}': CUDA's driver has none")
        if self._device != HOST:
            return self._backend.attribute(name)
        if int(number) == DeviceAttribute.MULTIPROCESSOR_COUNT:
            return self._backend.limits()["multiprocessors"]
        known = attributes_of(DEFAULT_CHIP, 0)
        if int(number) not in known:
            raise AttributeError(f"the host device has no attribute '{name}'")
        return known[int(number)]

    def get_primary_context(self) -> Context:
        """Its context."""
        return Context(self)

    def reset(self) -> None:
        """Waits for all work. Arrays and kernels stay: their memory is given back with them."""
        self._backend.synchronize()

    def __enter__(self) -> Context:
        self._before.append(self._functions.device)
        self._functions.device = self._device
        return Context(self)

    def __exit__(self, *problem: object) -> None:
        self._functions.device = self._before.pop()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Device) and self._device == other._device

    def __hash__(self) -> int:
        return hash(self._device)

    def __repr__(self) -> str:
        return f"<CUDA device {self.id} '{self.name}'>"


class Context:
    """The context of a device; numba's."""

    def __init__(self, device: Device) -> None:
        self.device = device

    def get_memory_info(self) -> MemoryInfo:
        """Free and total bytes of the device's memory."""
        return MemoryInfo(*self.device._backend.memory_info())

    def synchronize(self) -> None:
        """Waits for all work."""
        self.device._backend.synchronize()

    def reset(self) -> None:
        """Waits for all work, as `Device.reset`."""
        self.device.reset()

    def __repr__(self) -> str:
        return f"<CUDA context of device {self.device.id}>"


class DeviceList:
    """`cuda.gpus`: the GPUs, or the host device where there is none."""

    def __init__(self, functions: DeviceFunctions) -> None:
        self._functions = functions

    @property
    def lst(self) -> list[Device]:
        return [Device(self._functions, name) for name in _names()]

    @property
    def current(self) -> Context:
        """The context of the device that is used."""
        return self._functions.current_context()

    def __len__(self) -> int:
        return len(_names())

    def __iter__(self) -> Iterator[Device]:
        return iter(self.lst)

    def __getitem__(self, number: int) -> Device:
        return Device(self._functions, _names()[_checked(number)])

    def __str__(self) -> str:
        return ", ".join(map(str, self.lst))


def _names() -> list[str]:
    """The names of the devices that have numbers."""
    if device_named("auto").name == HOST:
        return [HOST]
    return [f"cuda:{number}" for number in range(device_named("auto").count())]


def _checked(number: int) -> int:
    count = len(_names())
    if not -count <= number < count:
        raise IndexError(f"no device {number}: there {'is' if count == 1 else 'are'} {count}")
    return number


class DeviceFunctions:
    """Functions of `cuda` about devices."""

    #: Where kernels run and memory is: "auto", "host", "cuda:N".
    device: str

    @property
    def gpus(self) -> DeviceList:
        """The devices."""
        return DeviceList(self)

    def list_devices(self) -> DeviceList:
        """The devices."""
        return self.gpus

    def select_device(self, device: int | str) -> Context:
        """Which device is used: a number of `cuda.gpus`, or a name as `xgpu.load` takes; its
        context."""
        if isinstance(device, str):
            name = device
        else:
            count = len(_names())
            if not 0 <= device < count:
                raise DeviceError(
                    f"no device {device}: there {'is' if count == 1 else 'are'} {count}"
                )
            name = _names()[device]
        device_named(name)
        self.device = name
        return self.current_context()

    def get_current_device(self) -> Device:
        """The device that is used."""
        return Device(self, device_named(self.device).name)

    def current_context(self, devnum: int | None = None) -> Context:
        """The context of the device that is used, or of that with a number."""
        return Context(self.get_current_device() if devnum is None else self.gpus[devnum])

    def require_context(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """The function: a device is made when it is first used."""
        return function

    @contextmanager
    def defer_cleanup(self) -> Generator[None]:
        """Memory is given back with its arrays as ever."""
        yield

    def is_float16_supported(self) -> bool:
        """Whether kernels can use float16."""
        return self.get_current_device().supports_float16

    def is_bfloat16_supported(self) -> bool:
        """Whether kernels can use bfloat16."""
        return self.get_current_device().supports_bfloat16

    def is_fp8_supported(self) -> bool:
        """Whether kernels can use floats of 8 bits."""
        return self.get_current_device().supports_fp8

    def is_supported_version(self) -> bool:
        """Whether the version of CUDA's runtime is one that kernels can use; none is used."""
        return True

    def cuda_error(self) -> None:
        """Why kernels cannot run: they always can."""

    def detect(self) -> bool:
        """Prints the devices; whether there are any."""
        lines = [f"Found {len(self.gpus)} CUDA devices"]
        for device in self.gpus:
            lines.append(f"id {device.id}    {device.name:>40}    [SUPPORTED]")
            major, minor = device.compute_capability
            facts = {
                "Compute Capability": f"{major}.{minor}",
                "PCI Device ID": device.PCI_DEVICE_ID,
                "PCI Bus ID": device.PCI_BUS_ID,
                "UUID": device.uuid,
                "Multiprocessors": device.MULTIPROCESSOR_COUNT,
                "FP16 Support": "Yes" if device.supports_float16 else "No",
                "BF16 Support": "Yes" if device.supports_bfloat16 else "No",
                "FP8 Support": "Yes" if device.supports_fp8 else "No",
            }
            lines += [f"{name:>40}: {value}" for name, value in facts.items()]
        lines += ["Summary:", f"\t{len(self.gpus)}/{len(self.gpus)} devices are supported"]
        sys.stdout.write("\n".join(lines) + "\n")
        return True
