# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which addresses are the device's, and which fault (`address_spaces`)."""

from __future__ import annotations

# -- Which addresses are the device's, and which fault.


#: Device memory has this number above this bit of its addresses.
DEVICE_BIT, DEVICE = 44, 2

#: Where the operating system's addresses begin.
FAULT_BASE = 0xFFFF_8000_0000_0000

#: Host code that uses device memory faults at FAULT_BASE, with the number of the location above
#: this bit, and below it what the address has there.
WHERE_BIT = 36

LOW = (1 << WHERE_BIT) - 1

#: Locations that have a number there.
MOST_PLACES = (1 << (47 - WHERE_BIT)) - 1

#: Where memory begins whose bounds are not known, and its bytes plus one: all addresses that there
#: can be are in it, those that fault too, and as far from its ends as a number with a sign can
#: tell.
UNBOUNDED = (1 << 64) - (1 << 62), (1 << 63) - 1

#: The function that moves a pointer there if it is the device's.
APART = "xgpu_apart"


def is_device(address: int) -> bool:
    """Whether an address is one of device memory."""
    return address >> DEVICE_BIT == DEVICE


def device_use(address: int) -> tuple[int, int] | None:
    """Of an address that host code has faulted at: the number of the location, and which address
    of the device it used, up to a multiple of 64 GiB. None for any other address."""
    if address < FAULT_BASE:
        return None
    rest = address - FAULT_BASE
    return rest >> WHERE_BIT, DEVICE << DEVICE_BIT | rest & LOW


def host_use(address: int) -> int | None:
    """Of an address that a kernel has faulted at: which address of the host it used."""
    return address - FAULT_BASE if address >= FAULT_BASE else None


def apart_text() -> str:
    """`xgpu_apart` in LLVM IR."""
    return f"""
define internal ptr @{APART}(ptr %p, i64 %where) alwaysinline {{
  %address = ptrtoint ptr %p to i64
  %part = lshr i64 %address, {DEVICE_BIT}
  %is = icmp eq i64 %part, {DEVICE}
  %low = and i64 %address, {LOW}
  %to = or i64 %low, %where
  %far = sub i64 %to, %address
  %by = select i1 %is, i64 %far, i64 0
  %q = getelementptr i8, ptr %p, i64 %by
  ret ptr %q
}}
"""
