# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What launches of a kernel begin with: the record of one of a size, and its parameters."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from xgpu.core.ir.errors import DeviceError
from xgpu.core.support.demangle import demangled
from xgpu.host_device.abi.addresses import UNBOUNDED
from xgpu.host_device.abi.structs import ctypes_struct
from xgpu.host_device.device.modules import Kernel, ParameterLayout, Prototype, Word
from xgpu.host_device.device.pages import pages
from xgpu.host_device.native.library import native_library
from xgpu.runtime.launch_limits import Dims, LaunchLimits, check_block, check_configuration

if TYPE_CHECKING:
    from xgpu.host_device.abi import record_classes


#: Begin and end of what lies around an address, None where nothing is known.
BoundsOf = Callable[[int], "tuple[int, int] | None"]
# Grid, block, cluster, bytes of dynamic workgroup memory.
Configuration = tuple[Dims, Dims, Dims, int]
_MOST_PROTOTYPES = 256
MOST_AT_A_TIME = 256  # blocks that a worker takes, where they wait for no others

_CORES = len(os.sched_getaffinity(0))
_SHARES_OF_A_ROW = 8  # a worker takes one by so many and the number of cores

LIMITS = LaunchLimits()


def copy_parameters(
    kernel: Kernel, parameters: int, bounds_of: BoundsOf
) -> tuple[ctypes.Array[ctypes.c_uint64], list[int]]:
    """The kernel's arguments, copied: the caller's storage may be gone when the launch runs; and
    the pointers among them, each of several in a row that are the same once. `bounds_of` gives the
    bounds of what a pointer points into.

    The copy owns them; it begins with the pointers to them.
    """
    layout = kernel.layout
    if layout is None:
        layout = kernel.layout = ParameterLayout(
            kernel.info.parameter_sizes, kernel.info.pointers, kernel.module.has_bounds
        )
    count = len(layout.fields)
    copies = layout.storage()
    if count == 0:
        return copies, []
    if not parameters:
        name = demangled(kernel.info.name)
        raise DeviceError(f"kernel '{name}' takes {count} parameters, none given")
    found = fill_parameters(layout, copies, parameters)
    words = layout.words
    if words > count:
        room = len(copies) - 2 * count
        copies[count] = ctypes.addressof(copies) + 8 * room
        for number in kernel.info.pointers:
            bounds = bounds_of(Word.from_address(copies[number]).value)
            pair = UNBOUNDED if bounds is None else (bounds[0], bounds[1] - bounds[0] + 1)
            copies[room + 2 * number], copies[room + 2 * number + 1] = pair
    return copies, found


def fill_parameters(
    layout: ParameterLayout, copies: ctypes.Array[ctypes.c_uint64], parameters: int
) -> list[int]:
    """Copy arguments to storage of their layout; the pointers among them (`copy_parameters`)."""
    found: list[int] = []
    base = -(-(ctypes.addressof(copies) + 8 * layout.words) // 16) * 16
    given = layout.pointers.from_address(parameters)
    last = 0
    # No function of C is called: ctypes would let another thread run before and after each call.
    for i, (offset, kind, is_pointer) in enumerate(layout.fields):
        at = base + offset
        if kind is None:
            Word.from_address(at).value = value = Word.from_address(given[i]).value
            if is_pointer and value != last:
                found.append(value)
                last = value
        else:
            kind.from_address(at)[:] = kind.from_address(given[i])[:]
        copies[i] = at
    return found


def trespass(pointers: Sequence[int]) -> str | None:
    """What a kernel has stored beside the memory that arguments point to, if anything."""
    known = pages()
    for address in pointers:
        for margin, marks in known.near.get(address, ()):
            if margin.raw != marks:
                return known.trespass(address)
    return None


def without_bounds(
    kernel: Kernel, own: ctypes.Array[ctypes.c_void_p] | ctypes.Array[ctypes.c_uint64]
) -> ctypes.Array[ctypes.c_uint64]:
    """Pointers to arguments, of which no bounds are known, as a kernel that checks them wants."""
    count = len(kernel.info.parameter_sizes)
    made = (ctypes.c_uint64 * (count + 1 + 2 * count))(*(word or 0 for word in own[:count]))
    made[count] = ctypes.addressof(made) + 8 * (count + 1)
    made[count + 1 :] = list(UNBOUNDED) * count
    return made


def prototype_of(kernel: Kernel, configuration: Configuration) -> Prototype:
    """That of a kernel's launches with these sizes; checked when it is first made."""
    found = kernel.prototypes.get(configuration)
    if found is None:
        if len(kernel.prototypes) >= _MOST_PROTOTYPES:
            kernel.prototypes.clear()
        record = _record(kernel, configuration)
        found = Prototype(record, is_independent=_is_independent(kernel, record))
        kernel.prototypes[configuration] = found
    return found


def _is_independent(kernel: Kernel, record: record_classes.Launch) -> bool:
    """Whether blocks wait for no others."""
    is_of_cluster = record.cluster_x * record.cluster_y * record.cluster_z > 1
    return not is_of_cluster and record.entry in kernel.independent


def _record(kernel: Kernel, configuration: Configuration) -> record_classes.Launch:
    """The record of a launch, all but its parameters."""
    grid, block, cluster, dynamic_shared = configuration
    check_configuration(
        kernel.info.name, grid, block, cluster, kernel.info.static_shared, dynamic_shared, LIMITS
    )
    check_block(kernel.info.name, block, kernel.info.block)
    record = ctypes_struct("Launch")()
    is_small = grid[0] * block[0] < 1 << 31
    record.entry, record.suspending = kernel.entry(block, is_small)
    record.grid_x, record.grid_y, record.grid_z = grid
    record.block_x, record.block_y, record.block_z = block
    record.cluster_x, record.cluster_y, record.cluster_z = cluster
    record.dynamic_shared = dynamic_shared
    record.static_shared = kernel.module.shared_end
    record.shared_bytes = kernel.module.shared_bytes + dynamic_shared
    blocks = cluster[0] * cluster[1] * cluster[2]
    record.groups = grid[0] * grid[1] * grid[2] // blocks
    # Programs count on the order in which GPUs begin blocks, though CUDA promises none: a block of
    # threads that share memory reads what one of the row before has written. Few of a row are
    # taken at a time there, and in order.
    shares = kernel.info.static_shared + dynamic_shared > 0
    in_rows = grid[1] * grid[2] > 1 and shares
    record.most = 1
    if _is_independent(kernel, record):
        record.most = MOST_AT_A_TIME
    if in_rows:
        record.most = max(min(record.most, grid[0] // (_SHARES_OF_A_ROW * _CORES)), 1)
    record.backward = record.most > 1 and not in_rows
    record.workers = record.least = 1
    record.work = native_library().work_address(record.suspending)
    return record
