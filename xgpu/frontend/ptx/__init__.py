# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PTX as the llvm and nvvm dialects: whole modules, and the rules that inline PTX shares with them.

    import_module(text, "kernel.ptx") -> module operation

`grammar` reads statements and `module_reader` what stands around them. `importer` makes a
`gpu.module` of modules, `functions` the body of each function in SSA form (`control_flow`). The
rules that `instructions` lists say what an instruction means.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from xdsl.ir import Operation

__all__ = ["import_module"]


def import_module(text: str, name: str = "-") -> Operation:
    """The `builtin.module` with a `gpu.module` that PTX means; several modules are linked.

    `name` is how messages call the text. Errors: `DiagnosticError` at the line of what is no PTX,
    or is not supported.
    """
    from xgpu.frontend.ptx.importer import import_text

    return import_text(text, name)
