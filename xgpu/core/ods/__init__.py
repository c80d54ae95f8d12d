# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operation definitions: tables in, operation classes out, each when its name is first met.

What is offered here comes from `xgpu.core.ods.registry`, which is imported when it is first asked
for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
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


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from xgpu.core.ods import registry

    found = globals()[name] = getattr(registry, name)
    return found
