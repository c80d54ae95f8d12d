# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`set-llvm-module-datalayout`: the data layout that the LLVM module gets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import StringAttr

from xgpu.core.ir.errors import error
from xgpu.core.passes.base import Option, Pass

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.ir import Operation

#: What a part of a data layout begins with (LLVM's language reference, "Data Layout").
_SPECIFIERS = "eESPAGpivfamFn"


class SetLLVMModuleDataLayout(Pass):
    """Attaches a data layout string as a module attribute."""

    name = "set-llvm-module-datalayout"
    summary = "Attach a datalayout string as a module attribute"
    anchor = "builtin.module"
    options = (Option("data-layout", str, "", "String description (LLVM format) of the layout"),)

    data_layout: str

    def run(self, op: Operation, ctx: Context) -> None:
        for part in self.data_layout.split("-") if self.data_layout else ():
            if not part:
                raise error(
                    op, "invalid data layout descriptor: empty specification is not allowed"
                )
            if part[0] not in _SPECIFIERS:
                raise error(op, f"invalid data layout descriptor: unknown specifier '{part[0]}'")
        op.attributes["llvm.data_layout"] = StringAttr(self.data_layout)
