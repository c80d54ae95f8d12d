# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operations of names that no definition has."""

from __future__ import annotations

from xdsl.ir import Operation
from xdsl.irdl import traits_def


class UnregisteredOperation(Operation):
    """An operation of a name that no table has. Subclasses have that name."""

    name = "builtin.unregistered"
    traits = traits_def()

    @classmethod
    def has_trait(cls, trait: object, *, value_if_unregistered: bool = True) -> bool:
        return value_if_unregistered


_unregistered: dict[str, type[Operation]] = {}


def unregistered_op(name: str) -> type[Operation]:
    """The class of unregistered operations called `name`."""
    cls = _unregistered.get(name)
    if cls is None:
        cls = _unregistered[name] = type(
            "UnregisteredOperation", (UnregisteredOperation,), {"name": name}
        )
    return cls
