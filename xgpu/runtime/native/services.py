# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a kernel may ask of the device. Native source (see `language`): parsed, never imported."""

THROW_ASSERT = 1
THROW_TRAP = 2


def malloc(size: i64) -> ptr: ...
def xgpu_on_assert(t: Thread, message: ptr, file: ptr, line: i32, function: ptr) -> None: ...
def xgpu_on_printf(t: Thread, format: ptr, arguments: ptr) -> i32: ...


def xgpu_assertfail(
    t: Thread, message: ptr, file: ptr, line: i32, function: ptr, char_size: i64
) -> None:
    """A failed assertion ends the grid, as it does on a GPU."""
    xgpu_on_assert(t, message, file, line, function)
    atomic_store(t.block.launch.error, 1)
    xgpu_throw(THROW_ASSERT)


def xgpu_trap(t: Thread) -> None:
    atomic_store(t.block.launch.error, 1)
    xgpu_throw(THROW_TRAP)


def xgpu_vprintf(t: Thread, format: ptr, arguments: ptr) -> i32:
    return xgpu_on_printf(t, format, arguments)


def xgpu_malloc(t: Thread, size: i64) -> ptr:
    return malloc(size)


def xgpu_free(t: Thread, address: ptr) -> None:
    free(address)
