# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions of a kernel module: which are kernels, the strategy of one, and parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr

from xgpu.backend.llvm_ir.facts import number, text_of
from xgpu.dialects.llvm.types import LLVMPointerType
from xgpu.host_device.compiler.code import Unsupported
from xgpu.host_device.compiler.types import size_of

if TYPE_CHECKING:
    from xdsl.ir import Attribute, Operation


#: On a kernel: the strategy that it has, if that is chosen.
STRATEGY = "host.strategy"
_MOST_ALIGNED = 16  # bytes


def is_kernel(function: Operation) -> bool:
    """Whether a function is a kernel: in MLIR by an attribute, in LLVM IR by its convention."""
    attributes = function.attributes
    return (
        "nvvm.kernel" in attributes
        or "gpu.kernel" in attributes
        or convention(function) == "ptx_kernelcc"
        or STRATEGY in attributes
    )


def is_block_function(function: Operation) -> bool:
    """Whether a function runs a whole block (see `block_loops`)."""
    strategy = function.attributes.get(STRATEGY)
    return strategy is not None and text_of(strategy) == "block-loops"


def is_warp_function(function: Operation) -> bool:
    """Whether a function runs a warp (see `warp_code`)."""
    strategy = function.attributes.get(STRATEGY)
    return strategy is not None and text_of(strategy) == "warps"


def convention(function: Operation) -> str:
    attr = function.properties.get("CConv")
    return "" if attr is None else str(getattr(attr, "data", ""))


def argument_attributes(function: Operation) -> list[DictionaryAttr]:
    attrs = cast("ArrayAttr[DictionaryAttr] | None", function.properties.get("arg_attrs"))
    count = len(function.regions[0].blocks[0].args)
    return list(attrs.data) if attrs is not None else [DictionaryAttr({})] * count


def by_value(attributes: DictionaryAttr) -> Attribute | None:
    """The type of which an argument is a copy in memory, if it is one."""
    return attributes.data.get("llvm.byval")


def parameter_sizes(function: Operation) -> list[int]:
    """The bytes of each parameter of a kernel. Raises `Unsupported`."""
    sizes: list[int] = []
    arguments = function.regions[0].blocks[0].args
    for argument, attributes in zip(arguments, argument_attributes(function), strict=True):
        ty = by_value(attributes)
        size = size_of(argument.type if ty is None else ty)
        if size is None:
            raise Unsupported(f"a parameter of type {argument.type}", function)
        sizes.append(size)
    return sizes


def parameter_alignments(function: Operation) -> list[int]:
    """At what each parameter of a kernel is aligned, in a buffer that holds all of them."""
    return [
        number(attributes.data.get("llvm.align")) or min(size & -size, _MOST_ALIGNED)
        for size, attributes in zip(
            parameter_sizes(function), argument_attributes(function), strict=True
        )
    ]


def pointer_parameters(function: Operation) -> list[int]:
    """The numbers of a kernel's parameters that are pointers; one by value is what it points to."""
    arguments = function.regions[0].blocks[0].args
    return [
        number
        for number, (argument, attributes) in enumerate(
            zip(arguments, argument_attributes(function), strict=True)
        )
        if isinstance(argument.type, LLVMPointerType) and by_value(attributes) is None
    ]
