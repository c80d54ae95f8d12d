# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What belongs to its process: handles and addresses mean nothing in another."""

from __future__ import annotations

from typing import NoReturn


class OfOneProcess:
    """Can be neither pickled nor copied by `copy`."""

    __slots__ = ()

    #: What can be handed on instead.
    _instead = "the program's text"

    def __reduce__(self) -> NoReturn:
        raise TypeError(f"{self!r} belongs to its process: hand on {self._instead} instead")
