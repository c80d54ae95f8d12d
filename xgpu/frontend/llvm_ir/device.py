# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""LLVM IR for NVPTX as a program: a module of the gpu dialect around what the import gives.

    module attributes {llvm.target_triple = "nvptx64-nvidia-cuda"} {     module {
      llvm.func ptx_kernelcc @k(..) attributes {                           gpu.module @add {
        passthrough = [["nvvm.maxntid", "256"],             ->               llvm.func ptx_kernelcc @k(..) attributes {
                       ["target-cpu", "sm_80"]]} ..                            gpu.kernel, nvvm.kernel, nvvm.maxntid = ..
    }                                                                      }

What the functions say of a chip is left out: a program is compiled for the chip of its device.
"""  # noqa: E501

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from typing import cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    IntegerAttr,
    ModuleOp,
    StringAttr,
    UnitAttr,
    i32,
)
from xdsl.ir import Attribute, Block, Operation, Region

from xgpu.core import ods
from xgpu.core.ir.construction import erase_operation
from xgpu.core.syntax import diagnostics
from xgpu.dialects.llvm.attributes import CConvAttr
from xgpu.frontend.llvm_ir import Options, import_module
from xgpu.frontend.llvm_ir.source import AS_WRITTEN

_KERNEL = "ptx_kernelcc"
#: Function attributes of LLVM IR that the nvvm dialect has words for -> the word, and whether it
#: has a list.
_LAUNCH = {
    "nvvm.maxntid": ("nvvm.maxntid", True), "nvvm.reqntid": ("nvvm.reqntid", True),
    "nvvm.cluster_dim": ("nvvm.cluster_dim", True), "nvvm.minctasm": ("nvvm.minctasm", False),
    "nvvm.maxnreg": ("nvvm.maxnreg", False),
    "nvvm.maxclusterrank": ("nvvm.cluster_max_blocks", False),
}  # fmt: skip
#: What a function says of the chip that it was compiled for, and of how LLVM optimized it before.
_LEFT_OUT = ("target-cpu", "target-features", "tune-cpu", AS_WRITTEN)
_CHIP_PROPERTIES = ("target_cpu", "target_features", "tune_cpu")
#: Variables that tell LLVM alone what to keep; clang's are numbered where modules were linked.
_MARKS = ("llvm.used", "llvm.compiler.used")
_CLANG_MARK = "__clang_gpu_used_external"
#: What tables of virtual functions have for one that is not there (Itanium C++ ABI, 3.2.6).
_NOT_THERE = ("__cxa_pure_virtual", "__cxa_deleted_virtual")


def read_llvm_ir(text: str, name: str) -> ModuleOp:
    """The program that LLVM IR is, as text or as bitcode in surrogates: one for NVPTX in a
    `gpu.module`, any other as the import gives it. Raises `DiagnosticError`."""
    data = text.encode("utf-8", "surrogateescape")
    with diagnostics.collect() as collected:
        module = cast("ModuleOp", import_module(data, name, Options(keep_names=True)))
    for diagnostic in collected:
        # Every module for NVPTX of LLVM 20 and later has these, and they say nothing of kernels.
        if "unhandled data layout token" not in diagnostic.message:
            diagnostics.emit(diagnostic)
    if not is_device_module(module):
        return module
    return device_program(module, name)


def is_device_module(module: ModuleOp) -> bool:
    """Whether a module that was imported is for NVPTX, by its triple or by its kernels."""
    triple = module.attributes.get("llvm.target_triple")
    if isinstance(triple, StringAttr):
        return triple.data.startswith("nvptx")
    return any(_is_kernel(op) for op in _operations(module))


def device_program(module: ModuleOp, name: str) -> ModuleOp:
    """A program with the operations of `module`, which loses them, in a `gpu.module` that is named
    after the file `name`."""
    body = Block()
    for op in list(_operations(module)):
        if op.name == "llvm.comdat" or (op.name == "llvm.mlir.global" and _is_mark(_symbol(op))):
            erase_operation(op)
            continue
        op.detach()
        # The program is whole: nothing is chosen among those of several modules.
        op.properties.pop("comdat", None)
        if op.name == "llvm.func":
            _adapt(op)
            if _symbol(op) in _NOT_THERE and not op.regions[0].blocks:
                _let_trap(op)
        body.add_op(op)
    device = ods.create(
        "gpu.module", (), (), {"sym_name": StringAttr(_module_name(name))},
        regions=[Region(body)], location=module.location,
    )  # fmt: skip
    program = ods.create(
        "builtin.module", regions=[Region(Block([device]))], location=module.location
    )
    return cast("ModuleOp", program)


def _operations(module: ModuleOp) -> Iterable[Operation]:
    return module.regions[0].blocks[0].ops


def _symbol(op: Operation) -> str:
    return cast("StringAttr", op.properties["sym_name"]).data


def _module_name(name: str) -> str:
    """A symbol from the name of a file."""
    stem = os.path.basename(name).partition(".")[0]
    found = re.sub(r"\W", "_", stem, flags=re.ASCII).strip("_")
    if not found:
        return "kernels"
    return f"_{found}" if found[0].isdigit() else found


def _let_trap(function: Operation) -> None:
    """Define a function that is declared: a call is an error of the program."""
    trap = ods.create("llvm.intr.trap", location=function.location)
    end = ods.create("llvm.unreachable", location=function.location)
    function.regions[0].add_block(Block([trap, end]))


def _is_mark(name: str) -> bool:
    return name in _MARKS or name.partition(".")[0] == _CLANG_MARK


def _is_kernel(op: Operation) -> bool:
    convention = op.properties.get("CConv")
    return isinstance(convention, CConvAttr) and convention.data == _KERNEL


def _adapt(function: Operation) -> None:
    """Mark a kernel, and say in the nvvm dialect's words what LLVM's attributes say of launches."""
    if _is_kernel(function):
        function.attributes["gpu.kernel"] = function.attributes["nvvm.kernel"] = UnitAttr()
        function.properties.pop("always_inline", None)
    for name in _CHIP_PROPERTIES:
        function.properties.pop(name, None)
    entries = function.properties.get("passthrough")
    if not isinstance(entries, ArrayAttr):
        return
    left: list[Attribute] = []
    for entry in cast("ArrayAttr[Attribute]", entries).data:
        key, value = _pair(entry)
        if key in _LAUNCH:
            numbers = [int(number) for number in value.split(",")]
            word, is_list = _LAUNCH[key]
            function.attributes[word] = (
                DenseArrayBase.from_list(i32, numbers) if is_list else IntegerAttr(numbers[0], i32)
            )
        elif key not in _LEFT_OUT:
            left.append(entry)
    if left:
        function.properties["passthrough"] = ArrayAttr(left)
    else:
        del function.properties["passthrough"]


def _pair(entry: Attribute) -> tuple[str, str]:
    """The name and value of an entry of `passthrough`."""
    if isinstance(entry, StringAttr):
        return entry.data, ""
    first, second = cast("ArrayAttr[StringAttr]", entry).data
    return first.data, second.data
