# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What one-shot bufferization is asked to do, and the buffer types that follow from it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import (
    MemRefType,
    NoneAttr,
    StridedLayoutAttr,
    TensorType,
    UnrankedMemRefType,
    UnrankedTensorType,
)
from xdsl.ir import Attribute, Operation

from xgpu.core.ir.symbols import symbol_name

if TYPE_CHECKING:
    from xdsl.ir import SSAValue

#: A tensor's type, and a buffer's.
Tensor = TensorType[Attribute] | UnrankedTensorType[Attribute]
Buffer = MemRefType[Attribute] | UnrankedMemRefType[Attribute]

#: The values of `function-boundary-type-conversion` and `unknown-type-conversion`.
INFER, IDENTITY, DYNAMIC = "infer-layout-map", "identity-layout-map", "fully-dynamic-layout-map"


def is_tensor(kind: Attribute) -> bool:
    """Whether a type is a tensor's, of known rank or not."""
    return isinstance(kind, TensorType | UnrankedTensorType)


def is_buffer(kind: Attribute) -> bool:
    return isinstance(kind, MemRefType | UnrankedMemRefType)


def tensor_type(value: SSAValue) -> Tensor:
    """The type of a value that is a tensor."""
    kind = value.type
    assert isinstance(kind, TensorType | UnrankedTensorType)
    return kind


def ranked_type(value: SSAValue) -> TensorType[Attribute]:
    """The type of a value that is a tensor of known rank."""
    kind = value.type
    assert isinstance(kind, TensorType)
    return kind


def identity_buffer(kind: Tensor, space: Attribute) -> Buffer:
    """A buffer for tensors of type `kind`, packed."""
    if isinstance(kind, UnrankedTensorType):
        return UnrankedMemRefType(kind.element_type, space)
    return MemRefType(kind.element_type, kind.shape, NoneAttr(), space)


def dynamic_layout(rank: int) -> StridedLayoutAttr:
    """Strides and an offset of which nothing is known."""
    return StridedLayoutAttr([None] * rank, None)


def dynamic_buffer(kind: Tensor, space: Attribute) -> Buffer:
    """A buffer for tensors of type `kind`, wherever its elements lie."""
    if isinstance(kind, UnrankedTensorType):
        return UnrankedMemRefType(kind.element_type, space)
    return MemRefType(kind.element_type, kind.shape, dynamic_layout(len(kind.get_shape())), space)


def default_space(kind: Tensor) -> Attribute | None:
    """Buffers lie in memory space 0 unless the IR says otherwise."""
    return NoneAttr()


def encoded_space(kind: Tensor) -> Attribute | None:
    """The encoding of a tensor's type is its memory space."""
    return kind.encoding if isinstance(kind, TensorType) else None


def no_space(kind: Tensor) -> Attribute | None:
    """The memory space has to follow from other buffers."""
    return None


@dataclass(slots=True)
class Options:
    """The pass's options, by MLIR's names."""

    allow_return_allocs_from_loops: bool = False
    allow_unknown_ops: bool = False
    analysis_heuristic: str = "bottom-up"
    analysis_fuzzer_seed: int = 0
    buffer_alignment: int = 64
    bufferize_function_boundaries: bool = False
    check_parallel_regions: bool = True
    #: What copies buffers: memref.copy or linalg.copy.
    copy_op: str = "memref.copy"
    copy_before_write: bool = False
    dialect_filter: Sequence[str] = ()
    dump_alias_sets: bool = False
    #: Layouts of functions' arguments and results.
    function_boundaries: str = INFER
    #: Functions whose operations are not analyzed: they copy before each write.
    no_analysis_functions: Sequence[str] = ()
    print_conflicts: bool = False
    test_analysis_only: bool = False
    #: Layouts of buffers of which nothing else is known.
    unknown_layout: str = DYNAMIC
    #: The memory space of buffers of which nothing else is known; None where that is an error.
    space_of: Callable[[Tensor], Attribute | None] = default_space

    def is_allowed(self, op: Operation) -> bool:
        """Whether `op` may be replaced."""
        dialect = op.name.partition(".")[0]
        if dialect == "func" and not self.bufferize_function_boundaries:
            return False
        return not self.dialect_filter or dialect in self.dialect_filter

    def is_analyzed(self, op: Operation) -> bool:
        """Whether `op` is outside of the functions that are left out."""
        if not self.no_analysis_functions:
            return True
        around: Operation | None = op
        while around is not None and around.name != "func.func":
            around = around.parent_op()
        return around is None or symbol_name(around) not in self.no_analysis_functions

    def unknown_buffer(self, kind: Tensor, space: Attribute) -> Buffer:
        """A buffer of which only the tensor's type is known."""
        make = dynamic_buffer if self.unknown_layout == DYNAMIC else identity_buffer
        return make(kind, space)

    def boundary_buffer(self, kind: Tensor) -> Buffer:
        """A buffer that is a function's argument or result."""
        space = self.space_of(kind) or NoneAttr()
        make = identity_buffer if self.function_boundaries == IDENTITY else dynamic_buffer
        return make(kind, space)
