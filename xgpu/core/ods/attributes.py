# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Classes of attributes and types, made from their definitions.

An enumeration's attribute holds the keyword of its case; any other holds the tuple of its
parameters. Both are values: hashable, and equal when their contents are.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from keyword import iskeyword
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from xdsl.ir import Attribute, Data, OpaqueSyntaxAttribute, TypeAttribute
from xdsl.utils.exceptions import VerifyException

from xgpu.core.ir.construction import current_token
from xgpu.core.ir.diagnostic import Diagnostic
from xgpu.core.ir.errors import DiagnosticError, words_of
from xgpu.core.ir.services import Service, definitions
from xgpu.core.ods.class_names import attr_class_name, package, snake_case
from xgpu.core.ods.spec import AttrSpec, EnumSpec, Parameter

if TYPE_CHECKING:
    from xdsl.parser import AttrParser
    from xdsl.printer import Printer


class AttributeFormats(Protocol):
    """The assembly formats of attributes and types with parameters."""

    def default_parameter(self, parameter: Parameter) -> int | str | tuple[()] | None:
        """The value of a parameter that is left out."""
        ...

    def read_parameters(
        self, spec: AttrSpec, parser: AttrParser
    ) -> tuple[Attribute | int | str | tuple[Attribute | int | str, ...] | None, ...]:
        """The parameters as the format has them. Reports to `parser` what is wrong."""
        ...

    def write_parameters(self, spec: AttrSpec, printer: Printer, attr: Attribute) -> None:
        """Writes what follows the attribute's name."""
        ...


@contextmanager
def reading(
    spec: AttrSpec | None, parameter: Parameter | str, parser: AttrParser
) -> Generator[None]:
    """While a parameter of `spec` is read: what is wrong with it is followed by MLIR's second
    message, which parameter of what it is."""
    try:
        yield
    except DiagnosticError as problem:
        if spec is None or not spec.definition:
            raise
        if isinstance(parameter, str):
            parameter = next(p for p in spec.parameters if p.name == parameter)
        further = Diagnostic(
            "error",
            f"failed to parse {spec.definition} parameter '{parameter.name}' which is to be a "
            f"`{_cpp_type(parameter)}`",
            parser.location_at(parser.pos),  # pyright: ignore
        )
        raise DiagnosticError(*problem.diagnostics, further) from None


def _cpp_type(parameter: Parameter) -> str:
    """The C++ type of a parameter, as MLIR's ODS writes it."""
    kind, enum = parameter.kind, parameter.enum
    if enum is not None:
        full = enum.summary
        return full if kind == "enum" or full == f"::mlir::{kind}" else kind
    return f"::llvm::{kind}" if kind.startswith(("ArrayRef<", "StringRef")) else kind


class EnumAttr(Data[str]):
    """An enumeration: `data` is the keyword; of a bit enum the keywords, joined by ", "."""

    spec: ClassVar[AttrSpec]
    cases: ClassVar[EnumSpec]
    brackets: ClassVar[bool] = False
    always_qualified: ClassVar[bool] = False

    def __init__(self, keyword: str | Sequence[str]) -> None:
        cases = type(self).cases
        if cases.bits:
            keyword = keywords_of(cases, value_of(type(self), cases, keyword))
        elif keyword not in cases.cases:
            raise VerifyException(f"{self.name} has no case {keyword!r}")
        super().__init__(keyword)  # pyright: ignore[reportArgumentType]

    @classmethod
    def of_value(cls, value: int) -> EnumAttr:
        """The attribute of an integer value."""
        if cls.cases.bits:
            return cls(keywords_of(cls.cases, value))
        for keyword, number in cls.cases.cases.items():
            if number == value:
                return cls(keyword)
        raise VerifyException(f"{cls.name} has no case of value {value}")

    @property
    def value(self) -> int:
        """MLIR's integer."""
        if self.cases.bits:
            return value_of(type(self), self.cases, self.data)
        return self.cases.cases[self.data]

    @property
    def flags(self) -> tuple[str, ...]:
        """The keywords of a bit enum, without the one for no bits."""
        zero = {keyword for keyword, number in self.cases.cases.items() if number == 0}
        return tuple(word for word in self.data.split(", ") if word not in zero)

    @classmethod
    def starts(cls, parser: AttrParser) -> bool:
        """Whether what follows can be an attribute of this class without its name."""
        text = current_token(parser).text
        return text == "<" if cls.brackets else text in cls.cases.cases

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> str:
        if not cls.brackets:
            return cls._keywords(parser)
        parser.parse_punctuation("<")
        data = cls._keywords(parser)
        parser.parse_punctuation(">")
        return data

    @classmethod
    def _keywords(cls, parser: AttrParser) -> str:
        spec = cls.spec
        with reading(spec, spec.parameters[0], parser):
            return read_enum(parser, cls.cases)

    def print_parameter(self, printer: Printer) -> None:
        text = self.data
        if self.cases.bits and self.cases.separator != ", ":
            text = self.cases.separator.join(self.data.split(", "))
        printer.print_string(f"<{text}>" if self.brackets else " " + text)


def read_enum(parser: AttrParser, cases: EnumSpec) -> str:
    """The keyword, or keywords, of an enumeration."""
    separator = cases.separator.strip()
    if cases.bits and separator == "|":
        # Several are one string, "A|B".
        text = parser.parse_optional_str_literal()
        if text is not None:
            return keywords_of(cases, value_of(parser, cases, text.split("|")))
    words = [_read_case(parser, cases)]
    if cases.bits:
        while _read_separator(parser, separator):
            words.append(_read_case(parser, cases))
        return keywords_of(cases, _union(cases, words))
    return words[0]


def _union(cases: EnumSpec, words: Sequence[str]) -> int:
    value = 0
    for word in words:
        value |= cases.cases[word]
    return value


def _read_separator(parser: AttrParser, separator: str) -> bool:
    if separator == ",":
        return parser.parse_optional_punctuation(",") is not None
    return parser.parse_optional_characters(separator) is not None


def _read_case(parser: AttrParser, cases: EnumSpec) -> str:
    start = parser.pos
    word = parser.parse_optional_keyword_in(cases.cases)
    if word is None:
        word = parser.parse_optional_str_literal()
    if word is None and parser.parse_optional_identifier() is None:
        parser.raise_error("expected valid keyword or string")
    if word not in cases.cases:
        parser.raise_error(
            f"expected {cases.summary or 'enumeration'} to be one of: {', '.join(cases.cases)}",
            start,
        )
    return word  # pyright: ignore[reportReturnType]


def value_of(where: Any, cases: EnumSpec, keywords: str | Sequence[str]) -> int:
    """The bits of keywords, one by one or joined by commas."""
    words = keywords.split(",") if isinstance(keywords, str) else keywords
    value = 0
    for word in words:
        word = word.strip()
        if word:
            if word not in cases.cases:
                message = f"no case {word!r} among {', '.join(cases.cases)}"
                if hasattr(where, "raise_error"):
                    where.raise_error(message)
                raise VerifyException(f"{where.name} has {message}")
            value |= cases.cases[word]
    return value


def keywords_of(cases: EnumSpec, value: int) -> str:
    """The keywords of a value of a bit enum: groups of bits first, then bits in order."""
    if value == 0:
        return next((keyword for keyword, bits in cases.cases.items() if bits == 0), "")
    found: list[str] = []
    several = [(k, b) for k, b in cases.cases.items() if b.bit_count() > 1]
    for keyword, bits in sorted(several, key=lambda item: -item[1].bit_count()):
        if value & bits == bits:
            found.append(keyword)
            value &= ~bits
    found.extend(
        keyword for keyword, bits in cases.cases.items() if bits.bit_count() == 1 and value & bits
    )
    return ", ".join(found)


class StructAttr(Data[tuple[Any, ...]]):
    """An attribute or type with parameters: `data` is the tuple of them, in ODS's order.

    A parameter is an Attribute, int, str, bool, a tuple of these, or None where it is absent. Those
    that are left out get their defaults.
    """

    spec: ClassVar[AttrSpec]
    _formats: ClassVar[Service[AttributeFormats]]
    always_qualified: ClassVar[bool] = False

    def __init__(
        self,
        *parameters: Attribute | int | str | tuple[Attribute | int | str, ...] | None,
    ) -> None:
        if len(parameters) == 1 and isinstance(parameters[0], _Parameters):
            parameters = tuple(parameters[0])
        spec = type(self).spec
        given = len(parameters)
        if given > len(spec.parameters):
            raise VerifyException(f"{self.name} has {len(spec.parameters)} parameters")
        if given < len(spec.parameters):
            default_parameter = self._formats().default_parameter
            parameters += tuple(default_parameter(p) for p in spec.parameters[given:])
        super().__init__(tuple(tuple(p) if isinstance(p, list) else p for p in parameters))

    @classmethod
    def new(cls, params: _Parameters) -> StructAttr:
        return cls(*params)

    def verify(self) -> None:
        hook = type(self).check
        if hook is not None:
            hook(self)

    #: The dialect's check of the parameters (`attributes.py`, VERIFY).
    check: ClassVar[Any] = None

    @classmethod
    def starts(cls, parser: AttrParser) -> bool:
        return current_token(parser).text == "<"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> Any:
        at = parser.pos
        parameters = _Parameters(cls._formats().read_parameters(cls.spec, parser))
        if cls.check is not None:  # a mistake belongs to the place where the parameters stand
            try:
                cls(parameters)
            except VerifyException as e:
                parser.raise_error(words_of(e), at)
        return parameters

    def print_parameter(self, printer: Printer) -> None:
        self._formats().write_parameters(self.spec, printer, self)


class _Parameters(tuple[Any, ...]):
    """The parameters as xDSL hands them from `parse_parameter` to the class, as one argument."""


def make_attr_class(spec: AttrSpec, formats: Service[AttributeFormats]) -> type[Data[Any]]:
    """The class of the attribute or type that `spec` defines."""
    hooks = definitions().hooks
    bases: list[type] = []
    namespace: dict[str, object] = {
        "name": spec.name,
        "spec": spec,
        "__module__": package(spec.name.partition(".")[0]),
    }
    only = spec.parameters[0] if len(spec.parameters) == 1 else None
    if not spec.is_type and only is not None and only.enum is not None:
        bases.append(EnumAttr)
        namespace["cases"] = only.enum
        text = (spec.format or "$value").replace(" ", "")
        namespace["brackets"] = text.startswith("`<`")
        if not namespace["brackets"]:
            bases.append(OpaqueSyntaxAttribute)
    else:
        bases.append(StructAttr)
        namespace["_formats"] = formats
        for index, parameter in enumerate(spec.parameters):
            getter = property(_getter(index))
            namespace[accessor_of_parameter(parameter.name)] = getter
        if spec.format and not spec.format.lstrip("( ").startswith("`<`"):
            bases.append(OpaqueSyntaxAttribute)
        if not spec.parameters or not spec.format:
            namespace["always_qualified"] = True
    namespace["check"] = hooks(spec.name.partition(".")[0], "attributes", "VERIFY_PARAMETERS").get(
        spec.name
    )
    if namespace["check"] is not None:
        namespace["check"] = staticmethod(namespace["check"])
    if spec.is_type:
        bases.append(TypeAttribute)
    name = attr_class_name(spec.name, spec.is_type)
    return type(name, tuple(bases), namespace)  # pyright: ignore[reportReturnType]


_TAKEN = frozenset(("name", "data", "spec", "verify", "new", "get", "check", "starts"))


def accessor_of_parameter(name: str) -> str:
    """The Python name of a parameter of an attribute."""
    name = snake_case(name)
    return name + "_" if name in _TAKEN or iskeyword(name) else name


def _getter(index: int) -> Any:
    def get(self: StructAttr) -> object:
        return self.data[index]

    return get
