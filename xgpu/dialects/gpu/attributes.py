# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Types and attributes of the gpu dialect whose syntax MLIR writes in C++.

Source: MLIR 22.1 GPUDialect.cpp, GPUBase.td, CompilationAttrs.td.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    BytesAttr,
    DictionaryAttr,
    Float16Type,
    Float32Type,
    Float64Type,
    IntegerAttr,
    IntegerType,
    Signedness,
    StringAttr,
    UnregisteredAttr,
)
from xdsl.ir import Attribute, Data, TypeAttribute
from xdsl.printer import Printer

from xgpu.core.ir.construction import current_token
from xgpu.core.ods.attributes import reading
from xgpu.core.ods.registry import attr_spec
from xgpu.core.syntax.builtin_attributes import DialectAttr
from xgpu.dialects.syntax_helpers import PlainType

if TYPE_CHECKING:
    from xdsl.parser import AttrParser


class AsyncTokenType(PlainType):
    """`!gpu.async.token`"""

    name = "gpu.async.token"


class SparseDnTensorHandleType(PlainType):
    """`!gpu.sparse.dntensor_handle`"""

    name = "gpu.sparse.dntensor_handle"


class SparseSpMatHandleType(PlainType):
    """`!gpu.sparse.spmat_handle`"""

    name = "gpu.sparse.spmat_handle"


class SparseSpGEMMOpHandleType(PlainType):
    """`!gpu.sparse.spgemmop_handle`"""

    name = "gpu.sparse.spgemmop_handle"


def is_mma_element_type(element: Attribute) -> bool:
    """si8, ui8, i32, f16, f32 and f64, as MLIR's MMAMatrixType::isValidElementType has it."""
    if isinstance(element, Float16Type | Float32Type | Float64Type):
        return True
    if not isinstance(element, IntegerType):
        return False
    if element.width.data == 8:
        return element.signedness.data is not Signedness.SIGNLESS
    return element.width.data == 32


class MMAMatrixType(Data[tuple[tuple[int, ...], Attribute, str]], TypeAttribute):
    """`!gpu.mma_matrix<16x16xf16, "AOp">`: a matrix that a subgroup holds together."""

    name = "gpu.mma_matrix"

    def __init__(
        self,
        shape: tuple[int, ...] | tuple[tuple[int, ...], Attribute, str],
        element_type: Attribute | None = None,
        operand: str = "",
    ) -> None:
        if element_type is None:  # what `parse_parameter` gave: xDSL's parser passes it on whole
            super().__init__(shape)  # pyright: ignore[reportArgumentType]
        else:
            super().__init__((tuple(shape), element_type, operand))  # pyright: ignore

    @property
    def shape(self) -> tuple[int, ...]:
        return self.data[0]

    @property
    def element_type(self) -> Attribute:
        return self.data[1]

    @property
    def operand(self) -> str:
        return self.data[2]

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> tuple[tuple[int, ...], Attribute, str]:
        name = parser.pos - len("mma_matrix")  # where MLIR reports what the type is not
        with parser.in_angle_brackets():
            start = parser.pos
            shape, element = parser.parse_ranked_shape()
            if any(extent < 0 for extent in shape):
                parser.raise_error("expected static shape", start)
            parser.parse_punctuation(",")
            operand = parser.parse_str_literal()
        if operand not in ("AOp", "BOp", "COp"):
            parser.raise_error("operand expected to be one of AOp, BOp or COp", name)
        if len(shape) != 2:
            parser.raise_error("MMAMatrixType must have exactly two dimensions", name)
        if not is_mma_element_type(element):
            parser.raise_error(
                "MMAMatrixType elements must be SI8, UI8, I32, F16, F32, or F64", name
            )
        return (tuple(shape), element, operand)

    def print_parameter(self, printer: Printer) -> None:
        shape, element, operand = self.data
        printer.print_string("<")
        for extent in shape:
            printer.print_string(f"{extent}x")
        printer.print_attribute(element)
        printer.print_string(f', "{operand}">')


class KernelMetadataAttr(
    Data[tuple[StringAttr, Attribute, ArrayAttr[Attribute] | None, DictionaryAttr | None]]
):
    """`#gpu.kernel_metadata<"k", (i32) -> (), arg_attrs = [..], metadata = {..}>`"""

    name = "gpu.kernel_metadata"

    def __init__(
        self,
        kernel_name: StringAttr
        | tuple[StringAttr, Attribute, ArrayAttr[Attribute] | None, DictionaryAttr | None],
        function_type: Attribute | None = None,
        arg_attrs: ArrayAttr[Attribute] | None = None,
        metadata: DictionaryAttr | None = None,
    ) -> None:
        if isinstance(kernel_name, tuple):  # what `parse_parameter` gave
            super().__init__(kernel_name)
        else:
            assert function_type is not None
            super().__init__((kernel_name, function_type, arg_attrs, metadata))

    @property
    def kernel_name(self) -> StringAttr:
        return self.data[0]

    @property
    def function_type(self) -> Attribute:
        return self.data[1]

    @property
    def arg_attrs(self) -> ArrayAttr[Attribute] | None:
        return self.data[2]

    @property
    def metadata(self) -> DictionaryAttr | None:
        return self.data[3]

    @classmethod
    def parse_parameter(
        cls, parser: AttrParser
    ) -> tuple[StringAttr, Attribute, ArrayAttr[Attribute] | None, DictionaryAttr | None]:
        found: dict[str, Attribute] = {}
        with parser.in_angle_brackets():
            kernel_name = StringAttr(parser.parse_str_literal())
            parser.parse_punctuation(",")
            function_type = parser.parse_type()
            while parser.parse_optional_punctuation(",") is not None:
                key = parser.parse_keyword_in(("arg_attrs", "metadata"))
                if key in found:
                    parser.raise_error("duplicate or unknown struct parameter name")
                parser.parse_punctuation("=")
                position = parser.pos
                found[key] = parser.parse_attribute()
                if not isinstance(found[key], ArrayAttr if key == "arg_attrs" else DictionaryAttr):
                    parser.raise_error("invalid kind of attribute specified", position)
        if not kernel_name.data:
            parser.raise_error("the kernel name can't be empty")
        arg_attrs = found.get("arg_attrs")
        if isinstance(arg_attrs, ArrayAttr) and not all(
            isinstance(item, DictionaryAttr) for item in arg_attrs.data
        ):
            parser.raise_error("all attributes in the array must be a dictionary attribute")
        metadata = found.get("metadata")
        return (
            kernel_name,
            function_type,
            cast("ArrayAttr[Attribute] | None", arg_attrs),
            cast("DictionaryAttr | None", metadata),
        )

    def print_parameter(self, printer: Printer) -> None:
        kernel_name, function_type, arg_attrs, metadata = self.data
        printer.print_string("<")
        printer.print_attribute(kernel_name)
        printer.print_string(", ")
        printer.print_attribute(function_type)
        for key, value in (("arg_attrs", arg_attrs), ("metadata", metadata)):
            if value is not None:
                printer.print_string(f", {key} = ")
                printer.print_attribute(value)
        printer.print_string(">")


class KernelTableAttr(Data[tuple[KernelMetadataAttr, ...]]):
    """`#gpu.kernel_table<[#gpu.kernel_metadata<..>, ..]>`, sorted by name."""

    name = "gpu.kernel_table"

    def __init__(self, kernels: tuple[KernelMetadataAttr, ...] = ()) -> None:
        super().__init__(tuple(sorted(kernels, key=lambda k: k.kernel_name.data)))

    @property
    def kernel_table(self) -> tuple[KernelMetadataAttr, ...]:
        return self.data

    def lookup(self, kernel: str) -> KernelMetadataAttr | None:
        """The metadata of the kernel of this name, if the table has it."""
        return next((k for k in self.data if k.kernel_name.data == kernel), None)

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> tuple[KernelMetadataAttr, ...]:
        kernels: list[KernelMetadataAttr] = []
        with parser.in_angle_brackets():
            if parser.parse_optional_punctuation("[") is not None:
                while True:
                    kernel = parser.parse_attribute()
                    if not isinstance(kernel, KernelMetadataAttr):
                        parser.raise_error("invalid kind of attribute specified")
                    kernels.append(kernel)
                    if parser.parse_optional_punctuation(",") is None:
                        break
                parser.parse_punctuation("]")
        kernels.sort(key=lambda k: k.kernel_name.data)
        for left, right in itertools.pairwise(kernels):
            if left.kernel_name == right.kernel_name:
                parser.raise_error("expected all kernels to be uniquely named")
        return tuple(kernels)

    def print_parameter(self, printer: Printer) -> None:
        printer.print_string("<")
        if self.data:
            printer.print_string("[")
            printer.print_list(self.data, printer.print_attribute)
            printer.print_string("]")
        printer.print_string(">")


OBJECT_FORMATS = {"offload": 1, "assembly": 2, "bin": 3, "fatbin": 4}
_NO_OBJECT = StringAttr("")


class ObjectAttr(
    Data[
        tuple[Attribute, str, StringAttr | BytesAttr, DictionaryAttr | None, KernelTableAttr | None]
    ]
):
    """`#gpu.object<target, properties = {..}, kernels = .., assembly = "..">`: a compiled module.

    `object` is a StringAttr where the bytes are text, else a BytesAttr.
    """

    name = "gpu.object"

    def __init__(
        self,
        target: Attribute
        | tuple[
            Attribute, str, StringAttr | BytesAttr, DictionaryAttr | None, KernelTableAttr | None
        ],
        format: str = "fatbin",
        object: StringAttr | BytesAttr = _NO_OBJECT,
        properties: DictionaryAttr | None = None,
        kernels: KernelTableAttr | None = None,
    ) -> None:
        if isinstance(target, tuple):  # what `parse_parameter` gave
            super().__init__(target)
        else:
            super().__init__((target, format, object, properties, kernels))

    @property
    def target(self) -> Attribute:
        return self.data[0]

    @property
    def format(self) -> str:
        return self.data[1]

    @property
    def object(self) -> StringAttr | BytesAttr:
        return self.data[2]

    @property
    def properties(self) -> DictionaryAttr | None:
        return self.data[3]

    @property
    def kernels(self) -> KernelTableAttr | None:
        return self.data[4]

    @classmethod
    def parse_parameter(
        cls, parser: AttrParser
    ) -> tuple[
        Attribute, str, StringAttr | BytesAttr, DictionaryAttr | None, KernelTableAttr | None
    ]:
        properties = kernels = None
        kind = "fatbin"
        with parser.in_angle_brackets():
            target = parser.parse_attribute()
            if not is_target(target):
                parser.raise_error(
                    "the target attribute must implement or promise the `gpu::TargetAttrInterface`"
                )
            parser.parse_punctuation(",")
            if parser.parse_optional_keyword("properties") is not None:
                parser.parse_punctuation("=")
                properties = cast("DictionaryAttr", parser.parse_attribute())
                parser.parse_punctuation(",")
            if parser.parse_optional_keyword("kernels") is not None:
                parser.parse_punctuation("=")
                with reading(attr_spec(cls.name), "kernels", parser):
                    kernels = _parse_kernel_table(parser)
                parser.parse_punctuation(",")
            keyword = parser.parse_optional_identifier()
            if keyword is not None:
                if keyword not in OBJECT_FORMATS:
                    parser.raise_error("expected keyword for GPU object format")
                kind = keyword
                parser.parse_punctuation("=", " after the object's format")
            content = parser.parse_attribute()
            if not isinstance(content, StringAttr | BytesAttr):
                parser.raise_error(
                    "failed to parse GPU_ObjectAttr parameter 'object' "
                    "which is to be a `StringAttr`"
                )
        return (target, kind, content, properties, kernels)

    def print_parameter(self, printer: Printer) -> None:
        target, kind, content, properties, kernels = self.data
        printer.print_string("<")
        printer.print_attribute(target)
        if properties is not None:
            printer.print_string(", properties = ")
            printer.print_attribute(properties)
        if kernels is not None:
            printer.print_string(", kernels = ")
            kernels.print_parameter(printer)
        printer.print_string(", " if kind == "fatbin" else f", {kind} = ")
        printer.print_attribute(content)
        printer.print_string(">")


def _parse_kernel_table(parser: AttrParser) -> KernelTableAttr:
    """A kernel table, `#gpu.kernel_table<..>` or, as MLIR prints it, only its `<..>`."""
    if not current_token(parser).text.startswith("#"):
        return KernelTableAttr(KernelTableAttr.parse_parameter(parser))
    at = parser.pos
    table = parser.parse_attribute()
    if not isinstance(table, KernelTableAttr):
        parser.raise_error("invalid kind of attribute specified", at)
    return table


class SelectObjectAttr(Data[Attribute | None]):
    """`#gpu.select_object<target or index>`: which object of a gpu.binary is embedded."""

    name = "gpu.select_object"

    def __init__(self, target: Attribute | None = None) -> None:
        super().__init__(target)

    @property
    def target(self) -> Attribute | None:
        return self.data

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> Attribute | None:
        at = parser.pos
        if parser.parse_optional_punctuation("<") is None:
            return None
        target = parser.parse_attribute()
        parser.parse_punctuation(">")
        if isinstance(target, IntegerAttr):
            if target.value.data < 0:
                parser.raise_error("the object index must be positive", at)
        elif not is_target(target):
            parser.raise_error("the target attribute must be a GPU Target attribute", at)
        return target

    def print_parameter(self, printer: Printer) -> None:
        if self.data is None:
            return
        printer.print_string("<")
        printer.print_attribute(self.data)
        printer.print_string(">")


#: Attributes that implement MLIR's gpu::TargetAttrInterface.
TARGETS = frozenset({"nvvm.target", "rocdl.target", "spirv.target_env", "xevm.target"})


def is_target(attribute: Attribute) -> bool:
    """Whether a gpu.module can be compiled for this attribute."""
    if attribute.name in TARGETS:
        return True
    # A target of a dialect that is not loaded is kept as its dialect and its text.
    if isinstance(attribute, UnregisteredAttr):  # by xDSL's parser
        return attribute.attr_name.data in TARGETS
    if not isinstance(attribute, DialectAttr):
        return False
    dialect, body, _ = attribute.data
    return f"{dialect}.{body.partition('<')[0]}" in TARGETS


ATTRIBUTES: dict[str, type[Attribute]] = {
    cls.name: cls
    for cls in (
        AsyncTokenType,
        SparseDnTensorHandleType,
        SparseSpMatHandleType,
        SparseSpGEMMOpHandleType,
        MMAMatrixType,
        KernelMetadataAttr,
        KernelTableAttr,
        ObjectAttr,
        SelectObjectAttr,
    )
}
