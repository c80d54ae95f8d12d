# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`adopt-gpu-ops` and `nvvm-attach-target`: gpu.modules are made ready for a target."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, StringAttr, UnitAttr
from xdsl.ir import Attribute, Operation

from xgpu.core.ir.errors import error
from xgpu.core.ir.symbols import symbol_name
from xgpu.core.passes.base import Option, Pass
from xgpu.dialects.nvvm.attributes import DEFAULT_TRIPLE, NVVMTargetAttr

if TYPE_CHECKING:
    from xdsl.context import Context


# --- adopt gpu ops -------------------------------------------------------------------------------
# `adopt-gpu-ops`: IR of xDSL's operation classes becomes IR of ours.
#
# `xgpu.universe` converts the classes, for every pass that runs in xDSL's tools. In xgpu's own
# tools IR is of our classes from the start, and there is nothing to do.


class AdoptGpuOps(Pass):
    name = "adopt-gpu-ops"
    summary = "Rebuild operations of xDSL's classes as xgpu's"
    anchor = "builtin.module"

    def run(self, op: Operation, ctx: Context) -> None:
        """Nothing: `op` has been read with our classes."""


# --- nvvm attach target --------------------------------------------------------------------------
# nvvm-attach-target: adds an `#nvvm.target` to the gpu.modules whose name matches.
#
# Source: MLIR 22.1 NVVMAttachTarget.cpp.


class GpuNVVMAttachTarget(Pass):
    """Attaches an NVVM target to each gpu.module that the regular expression `module` matches."""

    name = "nvvm-attach-target"
    summary = "Attaches an NVVM target attribute to a GPU Module."
    options = (
        Option("module", str, "", "Regex used to identify the modules to attach the target to."),
        Option("triple", str, DEFAULT_TRIPLE, "Target triple."),
        Option("chip", str, "sm_50", "Target chip."),
        Option("features", str, "", "Target features."),
        Option("O", int, 2, "Optimization level."),
        Option("fast", bool, False, "Enable fast math mode."),
        Option("ftz", bool, False, "Enable flush to zero for denormals."),
        Option("l", list, (), "Extra bitcode libraries paths to link to."),
        Option("ptxas-cmd-options", str, "", "Command line options passed to downstream compiler"),
    )

    module: str
    triple: str
    chip: str
    features: str
    O: int  # noqa: E741
    fast: bool
    ftz: bool
    l: tuple[str, ...]  # noqa: E741
    ptxas_cmd_options: str

    def run(self, op: Operation, ctx: Context) -> None:
        target = self.target(op)
        try:
            pattern = re.compile(self.module) if self.module else None
        except re.error as problem:
            text = f"module is '{self.module}', no regular expression: {problem}"
            raise error(op, text) from None
        for region in op.regions:
            for block in region.blocks:
                for child in block.ops:
                    if child.name != "gpu.module":
                        continue
                    if pattern is None or pattern.search(symbol_name(child) or ""):
                        attach_target(child, target)

    def target(self, op: Operation) -> NVVMTargetAttr:
        """The attribute that the options describe."""
        if not 0 <= self.O <= 3:
            raise error(op, "The optimization level must be a number between 0 and 3.")
        flags: dict[str, Attribute] = {}
        if self.fast:
            flags["fast"] = UnitAttr()
        if self.ftz:
            flags["ftz"] = UnitAttr()
        options = self.ptxas_cmd_options.split()
        if options:
            flags["ptxas-cmd-options"] = ArrayAttr([StringAttr(o) for o in options])
        link = ArrayAttr([StringAttr(path) for path in self.l]) if self.l else None
        return NVVMTargetAttr(
            self.O,
            self.triple,
            self.chip,
            self.features,
            DictionaryAttr(flags) if flags else None,
            link,
        )


def attach_target(module: Operation, target: Attribute) -> None:
    """Appends `target` to the targets of a gpu.module; of equal neighbours MLIR keeps one."""
    present = module.properties.get("targets")
    targets = list(present.data) if isinstance(present, ArrayAttr) else []
    targets.append(target)
    kept = [t for i, t in enumerate(targets) if i == 0 or t != targets[i - 1]]
    module.properties["targets"] = ArrayAttr(kept)
