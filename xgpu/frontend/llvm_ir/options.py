# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What one can choose about an import; the names are those of `mlir-translate`."""

from __future__ import annotations


class Options:
    """Choices of an import, all off by default."""

    __slots__ = (
        "drop_di_composite_type_elements",
        "emit_expensive_warnings",
        "import_structs_as_literals",
        "prefer_unregistered_intrinsics",
    )

    def __init__(
        self,
        *,
        emit_expensive_warnings: bool = False,
        drop_di_composite_type_elements: bool = False,
        prefer_unregistered_intrinsics: bool = False,
        import_structs_as_literals: bool = False,
    ) -> None:
        self.emit_expensive_warnings = emit_expensive_warnings
        self.drop_di_composite_type_elements = drop_di_composite_type_elements
        self.prefer_unregistered_intrinsics = prefer_unregistered_intrinsics
        self.import_structs_as_literals = import_structs_as_literals
