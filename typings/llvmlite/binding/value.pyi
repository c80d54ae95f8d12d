# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from collections.abc import Iterable
from enum import IntEnum

from llvmlite.binding.ffi import ObjectRef

class Linkage(IntEnum):
    internal = 8

class ValueRef(ObjectRef):
    name: str
    #: Setting takes the name of a linkage too.
    linkage: object
    @property
    def attributes(self) -> Iterable[bytes]: ...
    def add_function_attribute(self, attr: str) -> None: ...
    @property
    def is_declaration(self) -> bool: ...
    @property
    def global_value_type(self) -> object: ...
    @property
    def opcode(self) -> str: ...
    @property
    def blocks(self) -> Iterable[ValueRef]: ...
    @property
    def arguments(self) -> Iterable[ValueRef]: ...
    @property
    def instructions(self) -> Iterable[ValueRef]: ...
    @property
    def operands(self) -> Iterable[ValueRef]: ...
