# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A module as LLVM IR text, each operation by its emitter."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from xdsl.ir import Operation

from xgpu.backend.llvm_ir.context import DebugInformation, Emitter, ModuleContext, TopLevel
from xgpu.backend.llvm_ir.module import ModuleWriter
from xgpu.backend.llvm_ir.parts import ModuleParts, Uses


def translate(
    module_op: Operation,
    *,
    target: str = "host",
    nvvm_table: Mapping[str, Emitter] | None = None,
    data_layout: str | None = None,
    triple: str | None = None,
    record: Callable[[Operation, str], None] | None = None,
    locates: bool = True,
    names_places: bool = False,
    uses: Uses | None = None,
) -> str:
    """The LLVM IR of a `builtin.module` or `gpu.module` in the llvm, nvvm and gpu dialects.

    The text is for LLVM's parser: intrinsics come without declarations and type suffixes, which the
    parser adds; `canonical` is what LLVM prints of it. `target` "nvptx" and "host" alike translate
    nvvm operations by their table; with an `nvvm_table` of your own the attributes that make a
    function an NVPTX kernel are left out too. `record` gets each operation of a function and
    what is written for it. Instructions of functions get the locations of their debug information
    if it `locates` them. With `names_places` each instruction has its file, line and column as
    `!xgpu.at`, debug information or not. `uses` gets what the text uses that not every target has.

    Errors: `DiagnosticError` at the operation that has no translation.
    """
    writer = _writer(
        module_op, target=target, nvvm_table=nvvm_table, data_layout=data_layout, triple=triple,
        uses=uses,
    )  # fmt: skip
    writer.record = record
    writer.locates = locates
    writer.names_places = names_places
    return writer.write()


def translate_parts(module_op: Operation) -> ModuleParts:
    """The LLVM IR of a host program, with what a linker has to know of it.

    Errors: as of `translate`.
    """
    return _writer(module_op).write_parts()


def _writer(
    module_op: Operation,
    *,
    target: str = "host",
    nvvm_table: Mapping[str, Emitter] | None = None,
    data_layout: str | None = None,
    triple: str | None = None,
    uses: Uses | None = None,
) -> ModuleWriter:
    """What writes the module; see `translate`."""
    from xgpu.backend.llvm_ir import (
        aggregates,
        calls,
        control_flow,
        globals,
        instructions,
        intrinsics,
        memory,
    )

    if target not in ("host", "nvptx"):
        raise ValueError(f"unknown target '{target}', expected 'host' or 'nvptx'")
    tables = (instructions, aggregates, memory, control_flow, calls, intrinsics)
    emitters = _Emitters({name: emit for table in tables for name, emit in table.EMIT.items()})
    emitters.intrinsic = intrinsics.intrinsic
    top_level: dict[str, TopLevel] = dict(globals.TOP_LEVEL)
    emitters.nvvm = nvvm_table
    emitters.top_level = top_level
    top_level["gpu.module"] = _nothing
    top_level["gpu.binary"] = _binary
    return ModuleWriter(
        module_op,
        emitters,
        top_level,
        _debug_info,
        data_layout=data_layout,
        triple=triple,
        nvvm=nvvm_table is None,
        uses=Uses() if uses is None else uses,
    )


def _debug_info(module: ModuleContext) -> DebugInformation:
    from xgpu.backend.llvm_ir.debug_info import DebugInfo

    return DebugInfo(module)


class _Emitters(dict[str, Emitter]):
    """The emitters; those of the nvvm and gpu dialects are loaded when first asked for."""

    intrinsic: Emitter
    nvvm: Mapping[str, Emitter] | None
    top_level: Mapping[str, TopLevel]

    def get(self, name: str, default: object = None) -> Any:
        found = super().get(name)
        if found is None:
            found = self._load(name)
            if found is not None:
                self[name] = found
        return found

    def _load(self, name: str) -> Emitter | None:
        if name.startswith("llvm.intr."):
            return self.intrinsic
        if name.startswith("nvvm."):
            if self.nvvm is not None:
                return self.nvvm.get(name)
            from xgpu.backend.llvm_ir.nvvm import emitter

            return emitter(name)
        if name == "gpu.launch_func":
            from xgpu.backend.llvm_ir.gpu import launch_func

            return launch_func
        return None


def _nothing(writer: object, op: Operation) -> None:
    """A gpu.module that was not serialized has no place in the host's code."""


def _binary(writer: ModuleContext, op: Operation) -> None:
    from xgpu.backend.llvm_ir.gpu import embed_binary

    embed_binary(writer, op)
