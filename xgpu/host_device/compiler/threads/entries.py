# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The functions by which the device starts kernels.

A kernel whose threads wait becomes a coroutine, any other a loop over the threads of a block; a
function that runs a whole block (`block_loops`) is called once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import ArrayAttr, StringAttr

from xgpu.backend.llvm_ir.facts import integers, number, text_of
from xgpu.host_device.compiler.code import ModuleState
from xgpu.host_device.compiler.objects import entry_symbol
from xgpu.host_device.compiler.threads.coroutines import make_coroutine
from xgpu.host_device.compiler.threads.inline_waits import is_entry, waits
from xgpu.host_device.compiler.threads.runtime_calls import (
    BY_VALUE,
    FORM,
    PARAMETERS,
    STATIC_SHARED,
    declare,
    is_block_function,
    is_warp_function,
    top_level,
)
from xgpu.host_device.compiler.threads.thread_loops import make_block_entry, make_loops
from xgpu.host_device.compiler.vectors.vector_width import WIDE, narrow_vectors
from xgpu.host_device.sanitizer.instrument.screening_marks import CHECKED

if TYPE_CHECKING:
    from xdsl.ir import Attribute, Block, Operation


#: On an entry: how it is called, "coroutine" (thread) -> handle, or "loop" (block).
ENTRY = "host.entry"


def make_entries(module: Operation, state: ModuleState) -> None:
    """Changes a module in place: each kernel becomes an entry."""
    for function in top_level(module):
        if function.name == "llvm.func" and is_entry(function):
            _make_entry(function, state)
    declare(module, state)


def _make_entry(function: Operation, state: ModuleState) -> None:
    name = text_of(function.properties["sym_name"])
    attributes = function.attributes
    sizes = integers(attributes.pop(PARAMETERS))
    state.kernels.append((name, sizes, number(attributes.pop(STATIC_SHARED))))
    by_value = integers(attributes.pop(BY_VALUE))
    is_block, is_warp = is_block_function(function), is_warp_function(function)
    is_coroutine = is_warp or (not is_block and waits(function))
    passed = _passed(function) if is_block or is_warp else []
    symbol = entry_symbol(name)
    if is_coroutine:
        make_coroutine(function, symbol, by_value, state)
        passed.append(StringAttr("presplitcoroutine"))
        function.properties["passthrough"] = ArrayAttr(passed)
        attributes.pop(FORM, None)
        attributes[ENTRY] = StringAttr("coroutine")
        state.suspending.add(name)
        return
    attributes.pop(FORM, None)
    entry = (make_block_entry if is_block else make_loops)(function, symbol, by_value)
    entry.attributes[ENTRY] = StringAttr("loop")
    if passed:  # the function is inlined, and what it says of itself must hold where it comes to
        function.properties["passthrough"] = entry.properties["passthrough"] = ArrayAttr(passed)
    block = cast("Block", function.parent)
    block.insert_op_after(entry, function)


def _passed(function: Operation) -> list[Attribute]:
    """What LLVM is told of a function of vectors."""
    if function.attributes.pop(CHECKED, None) is not None:
        # Vectors are saved around the calls of checks: none should lie in two lines of the cache.
        return [StringAttr("stackrealign")]
    return narrow_vectors() if function.attributes.pop(WIDE, None) is None else []
