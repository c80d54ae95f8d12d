# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is cached of a program's kernels and functions, as JSON; for annotations.

`signatures` writes it, `parameters.from_json` and the classes of kernels and functions read it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NotRequired, TypedDict


class PlainType(TypedDict):
    """A parameter or result that its type says all of."""

    kind: Literal["scalar", "complex", "pointer", "token", "other"]
    name: str
    type: str


class BlobType(TypedDict):
    """Bytes of a kernel that came as binary."""

    kind: Literal["blob"]
    name: str
    type: str
    size: int


class UnrankedType(TypedDict):
    """A memref of any rank."""

    kind: Literal["unranked"]
    name: str
    type: str
    element: str
    written: bool


class MemRefType(TypedDict):
    """A ranked memref; `parameters.DYNAMIC` is what its type leaves open."""

    kind: Literal["memref"]
    name: str
    type: str
    element: str
    sizes: Sequence[int]
    strides: Sequence[int] | None
    offset: int
    written: bool


DescribedType = PlainType | BlobType | UnrankedType | MemRefType


class DescribedKernel(TypedDict):
    """A kernel. Of a binary that does not say them the parameters are None. `shown` is what the
    language calls it that it was written in, where that is not its symbol."""

    name: str
    shown: NotRequired[str]
    module: str
    parameters: Sequence[DescribedType] | None
    location: list[str | int] | None
    block: list[int] | None


class DescribedFunction(TypedDict):
    """A function of the host."""

    name: str
    parameters: Sequence[DescribedType]
    results: Sequence[DescribedType]
    location: list[str | int] | None
