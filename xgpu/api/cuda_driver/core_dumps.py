# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attributes of core dumps. The host device writes none: where they would be enabled is refused."""

from __future__ import annotations

import ctypes
import os
import socket

from xgpu.api.cuda_driver.header import Result, require
from xgpu.api.cuda_driver.state import Context, Driver
from xgpu.api.cuda_driver.table import Needs, entry

# CUcoredumpSettings
_ON_EXCEPTION, _TRIGGER_HOST, _LIGHTWEIGHT, _USER_TRIGGER, _FILE, _PIPE, _FLAGS = range(1, 8)
_ENABLE = (_ON_EXCEPTION, _USER_TRIGGER)
_LONGEST = 1023

Attributes = dict[int, "int | bytes"]


def defaults() -> Attributes:
    """What holds where nothing is set: CUDA's names of files."""
    names = (f"{word}.cuda.{socket.gethostname()}.{os.getpid()}" for word in ("core", "corepipe"))
    file, pipe = (name.encode() for name in names)
    return {
        _ON_EXCEPTION: 0, _TRIGGER_HOST: 1, _LIGHTWEIGHT: 0, _USER_TRIGGER: 0, _FILE: file,
        _PIPE: pipe, _FLAGS: 0,
    }  # fmt: skip


def _read(attributes: Attributes, attribute: int, value: int, size: int) -> None:
    """Write an attribute, or only its size, to where the program wants it."""
    require(attribute in attributes, f"no attribute {attribute}")
    found = attributes[attribute]
    room = ctypes.c_uint64.from_address(size)
    if isinstance(found, bytes):
        data = found + b"\0"
    else:
        data = found.to_bytes(1 if room.value == 1 else 4, "little")
    if value:
        require(room.value >= len(data), f"{len(data)} bytes are needed")
        ctypes.memmove(value, data, len(data))
    room.value = len(data)


def _write(attributes: Attributes, attribute: int, value: int, size: int) -> None:
    require(attribute in attributes, f"no attribute {attribute}")
    given = ctypes.string_at(value, ctypes.c_uint64.from_address(size).value)
    if isinstance(attributes[attribute], bytes):
        name = given.partition(b"\0")[0]
        require(0 < len(name) <= _LONGEST, f"a name of {len(name)} bytes")
        attributes[attribute] = name
        return
    require(len(given) in (1, 4), f"a value of {len(given)} bytes")
    number = int.from_bytes(given, "little")
    is_off = attribute not in _ENABLE or not number
    require(is_off, "no core dumps are written", Result.NOT_SUPPORTED)
    attributes[attribute] = number


def _of_driver(driver: Driver) -> Attributes:
    if driver.core_dumps is None:
        driver.core_dumps = defaults()
    return driver.core_dumps


def _of_context(context: Context) -> Attributes:
    """Those of a context begin with the driver's as they are when the context is asked first."""
    if context.core_dumps is None:
        context.core_dumps = dict(_of_driver(context.driver))
    return context.core_dumps


@entry(
    "cuCoredumpGetAttribute(CUcoredumpSettings attribute, void value[]?, size_t size[1])",
    since=12010,
)  # fmt: skip
def attribute(context: Context, number: int, value: int, size: int) -> None:
    _read(_of_context(context), number, value, size)


@entry(
    "cuCoredumpGetAttributeGlobal(CUcoredumpSettings attribute, void value[]?, size_t size[1])",
    needs=Needs.INIT, since=12010,
)  # fmt: skip
def global_attribute(driver: Driver, number: int, value: int, size: int) -> None:
    _read(_of_driver(driver), number, value, size)


@entry(
    "cuCoredumpSetAttribute(CUcoredumpSettings attribute, void value[], size_t size[1])",
    since=12010,
)  # fmt: skip
def set_attribute(context: Context, number: int, value: int, size: int) -> None:
    _write(_of_context(context), number, value, size)


@entry(
    "cuCoredumpSetAttributeGlobal(CUcoredumpSettings attribute, void value[], size_t size[1])",
    needs=Needs.INIT, since=12010,
)  # fmt: skip
def set_global_attribute(driver: Driver, number: int, value: int, size: int) -> None:
    _write(_of_driver(driver), number, value, size)
