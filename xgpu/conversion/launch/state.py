# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the rules of one conversion to runtime calls share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.ir import Operation, SSAValue

from xgpu.conversion.launch.kernel_arguments import ArgumentBuffers
from xgpu.conversion.launch.kernel_signature import Convention
from xgpu.conversion.launch.runtime_functions import (
    Declarations,
    call_runtime_function,
    module_around,
)
from xgpu.core.rewriting.driver import Conversion

if TYPE_CHECKING:
    from xgpu.conversion.llvm_types import LLVMTypeConverter


class RuntimeState:
    """Declarations, where tokens end, and how kernels get their arguments."""

    __slots__ = (
        "arguments", "convention", "declarations", "dense_of_2to4", "module", "token_ends",
    )  # fmt: skip

    def __init__(self, module: Operation, convention: Convention = Convention()) -> None:  # noqa: B008 - it is frozen
        from xgpu.conversion.launch.sparse_facts import dense_tensors_of_2to4

        self.module = module
        #: How launches pass memrefs, and where they put the arguments of kernels.
        self.convention = convention
        self.arguments = ArgumentBuffers()
        #: Ids of dense tensors that are multiplied with a matrix of 2:4 sparsity.
        self.dense_of_2to4 = dense_tensors_of_2to4(module)
        #: Token -> the last operation of what made it; events of its stream go behind that.
        self.token_ends: dict[SSAValue, Operation] = {}
        self.declarations = Declarations()


class LaunchConversion(Conversion):
    """A conversion with the types of the llvm dialect and a `RuntimeState`: what rules are given
    by the passes that have both. For annotations."""

    types: LLVMTypeConverter  # pyright: ignore[reportIncompatibleVariableOverride]
    state: RuntimeState


def runtime_call(rw: LaunchConversion, name: str, arguments: Sequence[SSAValue]) -> list[SSAValue]:
    """Calls a function of the runtime, declared at the end of the nearest module; its results."""
    assert rw.block is not None
    assert rw.location is not None
    module = module_around(rw.block) or rw.state.module
    rw.state.declarations.declare(module, name, rw.location)
    return call_runtime_function(rw, name, arguments)


def runtime_value(rw: LaunchConversion, name: str, arguments: Sequence[SSAValue]) -> SSAValue:
    """The result of a call of a function of the runtime."""
    (value,) = runtime_call(rw, name, arguments)
    return value
