# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attributes and types as text, for messages."""

from __future__ import annotations

from xdsl.ir import Attribute

from xgpu.core.ir.services import attribute_text


def shown(attribute: Attribute) -> str:
    """An attribute or type as MLIR writes it."""
    return attribute_text()(attribute)
