# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""An attribute of an operation, wherever it is kept."""

from __future__ import annotations

from typing import Any

from xdsl.ir import Operation


def attribute_of(op: Operation, name: str) -> Any:
    """The property, else the attribute `name`; None if there is neither.

    An `or` would not do: integer attributes of zero and empty lists are false in xDSL.
    """
    found = op.properties.get(name)
    return op.attributes.get(name) if found is None else found
