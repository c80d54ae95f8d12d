# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`gpu-module-to-binary`: compiles each gpu.module for its targets.

    gpu.module @kernels [#nvvm.target<chip = "sm_80">] { llvm.func @k() .. }
    // format=isa
    gpu.binary @kernels [#gpu.object<#nvvm.target<..>, properties = {O = 2 : i32}, assembly = "..">]

MLIR adds to an object's properties how long its compilation took; this pass does not, so that the
same input gives the same output. `format=host` is ours: object code for the CPU, which the host
device runs.
"""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    BytesAttr,
    DictionaryAttr,
    IntegerAttr,
    StringAttr,
    i32,
)
from xdsl.ir import Attribute, Operation

from xgpu.core.ir.calls import own_kernels
from xgpu.core.ir.errors import error
from xgpu.core.ir.symbols import symbol_name
from xgpu.core.passes.base import Option, Pass

if TYPE_CHECKING:
    from xdsl.context import Context

    from xgpu.backend.nvptx.compiler import Libraries
    from xgpu.dialects.nvvm.attributes import NVVMTargetAttr

#: What the option `format` may say -> what the object is.
FORMATS = {
    "offloading": "offload",
    "llvm": "offload",
    "assembly": "assembly",
    "isa": "assembly",
    "binary": "bin",
    "bin": "bin",
    "fatbinary": "fatbin",
    "fatbin": "fatbin",
    "host": "host",
}


class GpuModuleToBinaryPass(Pass):
    """Replaces each gpu.module with a gpu.binary of one object a target."""

    name = "gpu-module-to-binary"
    summary = "Transforms a GPU module into a GPU binary."
    options = (
        Option("toolkit", str, "", "Toolkit path."),
        Option("l", list, (), "Extra files to link to."),
        Option("opts", str, "", "Command line options to pass to the tools."),
        Option("format", str, "fatbin", "The target representation of the compilation process."),
        Option("section", str, "", "ELF section where binary is to be located."),
        Option(
            "fma-contract",
            bool,
            False,
            "Let a product and a sum become one fma, as nvcc does by default.",
        ),
        Option(
            "line-info",
            bool,
            False,
            "Say in the code which line of the source it comes from, as nvcc's -lineinfo.",
        ),
        Option(
            "relaxed-float-atomics",
            bool,
            False,
            "Let kernels on the host device do atomic additions of floats in any order, where "
            "their results are not read.",
        ),
    )

    toolkit: str
    l: list[str]  # noqa: E741 - MLIR's name
    opts: str
    format: str
    section: str
    fma_contract: bool
    line_info: bool
    relaxed_float_atomics: bool

    def run(self, op: Operation, ctx: Context) -> None:
        kind = FORMATS.get(self.format)
        if kind is None:
            listed = f"expected one of {', '.join(FORMATS)}"
            raise error(op, "Invalid format specified.", hint=listed)
        modules = [
            inner
            for region in op.regions
            for block in region.blocks
            for inner in block.ops
            if inner.name == "gpu.module"
        ]
        for module in modules:
            self._replace(module, kind)

    def _replace(self, module: Operation, kind: str) -> None:
        from xgpu.core import ods

        targets = cast("ArrayAttr[NVVMTargetAttr] | None", module.properties.get("targets"))
        if targets is None or not targets.data:
            raise error(module, "the module has no target attributes")
        if self.line_info:
            from xgpu.transforms.llvm.ensure_debug_info_scope_on_llvm_func import add_scopes

            # Directives alone: with a line table of DWARF, ptxas would not optimize.
            add_scopes(module, "DebugDirectivesOnly")
        objects = [self._compile(module, target, kind) for target in targets.data]
        handler = module.properties.get("offloadingHandler")
        if handler is None:
            handler = ods.attr_class("gpu.select_object")()
        binary = ods.create(
            "gpu.binary",
            (),
            (),
            {
                "sym_name": module.properties.get("sym_name") or module.attributes["sym_name"],
                "offloadingHandler": handler,
                "objects": ArrayAttr(objects),
            },
            location=module.location,
        )
        block = module.parent
        assert block is not None
        block.insert_op_before(binary, module)
        module.detach()
        module.erase()

    def _compile(self, module: Operation, target: NVVMTargetAttr, kind: str) -> Attribute:
        """The object for one target."""
        from xgpu.backend.llvm_ir.parsing import RefusedError
        from xgpu.core import ods

        if target.name != "nvvm.target":
            raise error(module, f"cannot compile for {target.name}: only nvvm.target is supported")
        properties: dict[str, Attribute] = {}
        try:
            content = self.serialize(module, target, kind)
        except RefusedError as refused:
            raise refused.at(module) from None
        if kind == "assembly":
            properties["O"] = IntegerAttr(target.O, i32)
        if self.section:
            properties["section"] = StringAttr(self.section)
        data: Attribute = StringAttr(content) if isinstance(content, str) else BytesAttr(content)
        return ods.attr_class("gpu.object")(
            target,
            "bin" if kind == "host" else kind,
            data,
            DictionaryAttr(properties) if properties else None,
        )

    def serialize(self, module: Operation, target: NVVMTargetAttr, kind: str) -> str | bytes:
        """The module's code for `target` as `kind`: text for "assembly", else bytes."""
        from xgpu.backend.nvptx.float_modes import mode_of, with_flags, with_libdevice

        mode = mode_of(target, self.fma_contract)
        if kind == "host":
            with with_flags(module, mode):
                return self._host_object(module, target.O)
        from xgpu.backend import llvm_ir  # from here on not for the host
        from xgpu.backend.llvm_ir.parts import Uses
        from xgpu.backend.nvptx import compiler as nvptx
        from xgpu.backend.nvptx.parameters import check_parameters
        from xgpu.backend.nvptx.shared_memory import dynamic_memory_behind_static

        check_parameters(module)
        _improve_own(module)
        uses = Uses()
        with (
            with_flags(module, mode),
            with_libdevice(module, mode),
            dynamic_memory_behind_static(module),
        ):
            text = llvm_ir.translate(module, target="nvptx", uses=uses)
        chip, features, level = target.chip, target.features, target.O
        if kind == "offload":
            return nvptx.compile_to_bitcode(
                text,
                chip=chip,
                uses=uses,
                features=features,
                opt_level=level,
                libraries=self._libraries(module, target, required=False),
                location=module.location,
            )
        ptx = nvptx.compile_to_ptx(
            text,
            chip=chip,
            uses=uses,
            features=features,
            opt_level=level,
            libraries=self._libraries(module, target, required=True),
            location=module.location,
        )
        if kind == "assembly":
            return ptx
        from xgpu.backend.nvptx import cubin

        options = [o for o in shlex.split(self.opts) if o != "-32"] + _tool_options(target)
        if self.line_info and "-lineinfo" not in options:
            options.append("-lineinfo")
        image = cubin.assemble(
            ptx,
            chip=chip,
            opt_level=level,
            options=options,
            toolkit=self.toolkit,
            location=module.location,
        )
        if kind == "bin":
            return image
        return cubin.fatbinary(
            image, ptx, chip=chip, toolkit=self.toolkit, location=module.location
        )

    def _host_object(self, module: Operation, level: int) -> bytes:
        from xgpu.host_device.compiler import compiler as host
        from xgpu.host_device.compiler.code import Unsupported

        try:
            return host.compile_module(
                module, level, self._block_sizes(module), self.relaxed_float_atomics
            )
        except Unsupported as reason:
            raise error(reason.at or module, f"cannot compile for the host: {reason}") from None

    @staticmethod
    def _block_sizes(module: Operation) -> dict[str, list[tuple[int, int, int]]]:
        """The sizes of blocks that the program around `module` launches its kernels with."""
        from xgpu.host_device.compiler.specialize import block_sizes

        program = module.parent_op()
        found = block_sizes(program) if program is not None else {}
        own = symbol_name(module)
        return {kernel: sizes for (name, kernel), sizes in found.items() if name == own}

    def _libraries(
        self, module: Operation, target: NVVMTargetAttr, *, required: bool
    ) -> Libraries | None:
        """What is linked in: files of the option and of the target, libdevice if math needs it."""
        from xgpu.backend.nvptx import compiler as nvptx

        if self.toolkit and not Path(self.toolkit).is_dir():
            raise error(module, f"CUDA path: {self.toolkit} does not exist or is not a directory.")
        files = [str(f) for f in self.l]
        files += [
            cast("StringAttr", f).data
            for f in (target.link.data if target.link is not None else ())
        ]
        for file in files:
            if not Path(file).is_file():
                raise error(module, f'File path: "{file}" does not exist or is not a file.')
        return nvptx.Libraries(files, nvptx.libdevice_path(self.toolkit), required)


def _tool_options(target: NVVMTargetAttr) -> list[str]:
    """The target's `ptxas-cmd-options`."""
    flags = target.flags
    listed = flags.data.get("ptxas-cmd-options") if flags is not None else None
    return (
        [o.data for o in cast("ArrayAttr[StringAttr]", listed).data] if listed is not None else []
    )


def _improve_own(module: Operation) -> None:
    for kernel in own_kernels(module):
        from xgpu.backend.nvptx.matrix_descriptors import split_addresses
        from xgpu.backend.nvptx.shared_memory import keep_addresses

        keep_addresses(kernel)
        split_addresses(kernel)
