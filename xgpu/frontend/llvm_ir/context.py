# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What all parts of an import share."""

from __future__ import annotations

from xgpu.frontend.llvm_ir.aliasing import Aliasing
from xgpu.frontend.llvm_ir.debug_attributes import Distinct
from xgpu.frontend.llvm_ir.debug_import import DebugImport
from xgpu.frontend.llvm_ir.loop_import import LoopImport
from xgpu.frontend.llvm_ir.messages import Messages
from xgpu.frontend.llvm_ir.metadata_import import Attachments
from xgpu.frontend.llvm_ir.model import Module
from xgpu.frontend.llvm_ir.options import Options

_NAMELESS = "mlir.llvm.nameless_global"


class Context:
    """The module that is imported, and the translations of what is not code."""

    def __init__(self, source: Module, messages: Messages, options: Options) -> None:
        self.source = source
        self.messages = messages
        self.options = options
        distinct = Distinct()
        self.debug = DebugImport(distinct, drop_elements=options.drop_di_composite_type_elements)
        loops = LoopImport(messages, self.debug, distinct)
        self.aliasing = Aliasing(messages, loops, distinct)
        self.attachments = Attachments(messages, self.aliasing, loops)
        self._nameless: dict[str, str] = {}

    def symbol(self, key: str) -> str:
        """The symbol of a global object; one without a name gets one."""
        name = self.source.symbols[key].name
        if name:
            return name
        found = self._nameless.get(key)
        if found is None:
            taken = {s.name for s in self.source.symbols.values()}
            number = len(self._nameless)
            while f"{_NAMELESS}_{number}" in taken:
                number += 1
            found = self._nameless[key] = f"{_NAMELESS}_{number}"
        return found
