# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Code for a kernel and one size of its blocks, made when it is first launched so.

An object for the host carries its kernel module as text, beside code in which each thread is by
itself. From the text comes, for each size of a block, the form that `forms` chooses.
"""

from __future__ import annotations

from typing import Any

from xdsl.dialects.builtin import i32
from xdsl.ir import Operation, Region

from xgpu import ods
from xgpu.backend.host.block_loops import SET_THREAD
from xgpu.backend.host.forms import BLOCK_LOOPS, THREADS, Form, block_function
from xgpu.backend.host.regions import NoRegions

Dims = tuple[int, int, int]


class KernelSource:
    """A kernel module that has been lowered to the llvm and nvvm dialects."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._module: Any = None

    @property
    def module(self) -> Operation:
        """The gpu.module."""
        if self._module is None:
            from xgpu.syntax import parse_module

            self._module = parse_module(self.text).regions[0].blocks[0].first_op
        return self._module

    def kernel(self, name: str) -> Operation | None:
        for op in self.module.regions[0].blocks[0].ops:
            if op.name == "llvm.func" and op.properties["sym_name"].data == name:  # type: ignore[attr-defined]
                return op
        return None

    def block_ir(self, kernel: str, block: Dims, is_small: bool = True) -> Operation:
        """A module in which the kernel runs a whole block. Raises `NoRegions`."""
        function = self.kernel(kernel)
        assert function is not None
        body = block_function(function, block, is_small)
        new = Region()
        module = self.module
        from xdsl.ir import Block

        new.add_block(Block())
        for op in module.regions[0].blocks[0].ops:
            if op.name != "llvm.func" or not op.regions[0].blocks:
                new.blocks[0].add_op(op.clone())
        new.blocks[0].add_op(_set_thread())
        new.blocks[0].add_op(body)
        attributes = dict(module.attributes)
        properties = {k: v for k, v in module.properties.items() if k != "targets"}
        return ods.create(
            "gpu.module", (), (), properties, attributes, [new], location=module.location
        )

    def compile(
        self, kernel: str, block: Dims, opt_level: int = 2, is_small: bool = True
    ) -> tuple[Form, Any]:
        """The form, and (object code, manifest) or None where threads run by themselves.

        A defect of the passes costs the kernel its form, not the program its result: the reason
        says that there is one.
        """
        try:
            module = self.block_ir(kernel, block, is_small)
            return Form(BLOCK_LOOPS), compile_block_module(module, kernel, opt_level)
        except NoRegions as why:
            return Form(THREADS, str(why), why.at), None
        except Exception as defect:
            text = f"internal error: {type(defect).__name__}: {str(defect)[:200]}"
            return Form(THREADS, text), None


def compile_block_module(module: Operation, kernel: str, opt_level: int) -> Any:
    """(object code, manifest) of a module in which `kernel` runs a whole block."""
    from xgpu.backend import llvm_ir
    from xgpu.backend.host.compiler import translate
    from xgpu.backend.host.machine import compile_kernels

    text = llvm_ir.translate(module, target="nvptx")
    lowered, manifest = translate(text, frozenset((kernel,)))
    return compile_kernels(lowered, opt_level), manifest


def _set_thread() -> Operation:
    from xgpu.conversion.llvm_ops import function_attributes
    from xgpu.dialects.llvm.types import LLVMFunctionType, LLVMVoidType

    ty = LLVMFunctionType([i32] * 4, LLVMVoidType())
    return ods.create("llvm.func", (), (), function_attributes(SET_THREAD, ty), regions=[Region()])
