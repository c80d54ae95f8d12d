# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operation definitions: tables in, operation classes out, each when its name is first met."""

from xgpu.core.ods.registry import (
    attr_class,
    attr_spec,
    create,
    dialect_names,
    enum,
    has_dialect,
    op_class,
    op_spec,
    optional_attr_class,
    optional_op_class,
)

__all__ = [
    "attr_class",
    "attr_spec",
    "create",
    "dialect_names",
    "enum",
    "has_dialect",
    "op_class",
    "op_spec",
    "optional_attr_class",
    "optional_op_class",
]
