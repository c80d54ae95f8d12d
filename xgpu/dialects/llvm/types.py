# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The types of the llvm dialect.

Written by hand and small, because every lowering needs them and xDSL's llvm module costs 0.1 s.
Source: MLIR 22.1 LLVMTypes.td, LLVMTypeSyntax.cpp.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, TypeVar

from xdsl.ir import Attribute, Data, TypeAttribute

T = TypeVar("T")


class _LLVMType(Data[T], TypeAttribute, Generic[T]):
    """A type of the llvm dialect; `data` is its whole content, and hashable."""

    def __init__(self, data: T) -> None:
        super().__init__(data)


class LLVMPointerType(_LLVMType[int]):
    """`!llvm.ptr` or `!llvm.ptr<n>`; `data` is the address space."""

    name = "llvm.ptr"

    def __init__(self, address_space: int = 0) -> None:
        super().__init__(address_space)

    @property
    def address_space(self) -> int:
        return self.data


class LLVMVoidType(_LLVMType[None]):
    """`!llvm.void`"""

    name = "llvm.void"

    def __init__(self) -> None:
        super().__init__(None)


class LLVMArrayType(_LLVMType[tuple[int, Attribute]]):
    """`!llvm.array<n x type>`"""

    name = "llvm.array"

    def __init__(self, size: int, element_type: Attribute) -> None:
        super().__init__((size, element_type))

    @property
    def size(self) -> int:
        return self.data[0]

    @property
    def element_type(self) -> Attribute:
        return self.data[1]


class LLVMStructType(_LLVMType[tuple[str | None, tuple[Attribute, ...] | None, bool]]):
    """`!llvm.struct<(types)>`, `!llvm.struct<packed (types)>`, `!llvm.struct<"name", (types)>`.

    An identified struct whose body is not known here (opaque, or a recursive mention) has body None.
    """

    name = "llvm.struct"

    def __init__(
        self,
        body: Sequence[Attribute] | None,
        *,
        struct_name: str | None = None,
        packed: bool = False,
    ) -> None:
        super().__init__((struct_name, None if body is None else tuple(body), packed))

    @property
    def struct_name(self) -> str | None:
        return self.data[0]

    @property
    def body(self) -> tuple[Attribute, ...]:
        return self.data[1] or ()

    @property
    def is_opaque(self) -> bool:
        return self.data[1] is None

    @property
    def packed(self) -> bool:
        return self.data[2]


class LLVMFunctionType(_LLVMType[tuple[Attribute, tuple[Attribute, ...], bool]]):
    """`!llvm.func<result (arguments)>`, variadic with a closing `...`"""

    name = "llvm.func"

    def __init__(
        self, arguments: Sequence[Attribute], result: Attribute, *, variadic: bool = False
    ) -> None:
        super().__init__((result, tuple(arguments), variadic))

    @property
    def result(self) -> Attribute:
        return self.data[0]

    @property
    def arguments(self) -> tuple[Attribute, ...]:
        return self.data[1]

    @property
    def variadic(self) -> bool:
        return self.data[2]
