# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attributes and types as text, for messages."""

from __future__ import annotations

from xdsl.ir import Attribute


def spell(attribute: Attribute) -> str:
    """An attribute or type as MLIR writes it."""
    from xgpu.syntax.printer import attribute_text

    return attribute_text(attribute)
