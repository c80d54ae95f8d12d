# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs that were lowered before: LLVM IR of the host program, with the kernels in it, and the
locations of the source that it names, by the program's content."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from xgpu.core.support import cache
from xgpu.core.support.toolchain import toolchain
from xgpu.driver.several_chips import chooses_devices
from xgpu.host_device.compiler.checks import Locations

if TYPE_CHECKING:
    from xgpu.runtime.device import Device

_KIND = "lowered"


def key_of(source: str, name: str, device: Device, entry: str, opt_level: int) -> str:
    """What the outcome of lowering depends on. `name` is in the locations."""
    chips = [getattr(device, "chip", None)]
    if chooses_devices(source):
        chips += getattr(device, "other_chips", ())
    return json.dumps(
        [toolchain(), device.kernel_format, chips, entry, opt_level, name, source]
    )  # fmt: skip


def find(key: str) -> tuple[str, Locations] | None:
    """The text and the locations that were kept."""
    data = cache.get(_KIND, key)
    if data is None:
        return None
    texts, text = json.loads(data)
    return text, Locations.restored(texts)


def keep(key: str, text: str, locations: Locations) -> None:
    cache.put(_KIND, key, json.dumps([locations.texts, text]).encode())
