# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""LLVM's types, read as MLIR's, and attributes of functions, parameters, results and globals."""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects.builtin import (
    ArrayAttr,
    BFloat16Type,
    Float16Type,
    Float32Type,
    Float64Type,
    Float80Type,
    Float128Type,
    IntegerAttr,
    IntegerType,
    VectorType,
    i1,
)
from xdsl.ir import Attribute

from xgpu.dialects.llvm.types import (
    LLVMArrayType,
    LLVMFunctionType,
    LLVMLabelType,
    LLVMMetadataType,
    LLVMPointerType,
    LLVMPPCFP128Type,
    LLVMStructType,
    LLVMTargetExtType,
    LLVMTokenType,
    LLVMVoidType,
    LLVMX86AMXType,
)
from xgpu.frontend.llvm_ir.model import Attributes
from xgpu.frontend.llvm_ir.source import Cursor, decoded, name_of, unquoted

# --- type parser ---------------------------------------------------------------------------------
# LLVM's types, read as MLIR's.
#
# With opaque pointers no type contains itself, so a named struct is read when it is first
# mentioned, wherever the text defines it.


POINTER = LLVMPointerType()
VOID = LLVMVoidType()
LABEL = LLVMLabelType()
METADATA = LLVMMetadataType()

_PLAIN: dict[str, type[Attribute]] = {
    "half": Float16Type,
    "bfloat": BFloat16Type,
    "float": Float32Type,
    "double": Float64Type,
    "x86_fp80": Float80Type,
    "fp128": Float128Type,
    "ppc_fp128": LLVMPPCFP128Type,
    "x86_amx": LLVMX86AMXType,
    "token": LLVMTokenType,
}
_SCALABLE = ArrayAttr((IntegerAttr(1, i1),))


class TypeParser:
    """Reads types at a cursor; `literal_structs` forgets the names of structs."""

    __slots__ = (
        "_composites",
        "_known",
        "_named",
        "_places",
        "_unnamed",
        "cursor",
        "literal_structs",
    )

    def __init__(self, cursor: Cursor, *, literal_structs: bool = False) -> None:
        self.cursor = cursor
        self.literal_structs = literal_structs
        self._known: dict[str, Attribute] = {
            "ptr": POINTER,
            "void": VOID,
            "label": LABEL,
            "metadata": METADATA,
        }
        self._named: dict[str, Attribute] = {}
        self._unnamed = 0
        #: what a type is spelled like -> the type
        self._composites: dict[tuple[str, ...], Attribute] = {}
        #: named struct -> the token behind `type` in its definition
        self._places: dict[str, int] = {}

    def define(self, name: str) -> None:
        """`%name = type ...`, of which the cursor stands behind `type`. Skips the body."""
        cursor = self.cursor
        self._places[name] = cursor.at
        if cursor.accept("opaque"):
            return
        depth = 0
        while True:
            token = cursor.next()
            if token in ("{", "[", "<", "("):
                depth += 1
            elif token in ("}", "]", ">", ")"):
                depth -= 1
            elif not token:
                cursor.fail("expected the end of the struct's type", cursor.at - 1)
            if not depth:
                return

    def starts(self) -> bool:
        """Whether a type stands here, and no value or keyword."""
        token = self.cursor.peek()
        return (
            token in self._known
            or token in _PLAIN
            or token in ("{", "[", "<", "target")
            or (token[:1] == "i" and token[1:].isdigit())
            or token in self._places
        )

    def read(self) -> Attribute:
        """A type that is no function type."""
        cursor = self.cursor
        token = cursor.tokens[cursor.at]
        found = self._known.get(token)
        if found is None:
            return self._read(token)
        cursor.at += 1
        if found is POINTER and cursor.tokens[cursor.at] == "addrspace":
            return LLVMPointerType(self.address_space())
        return found

    def address_space(self) -> int:
        """`addrspace(n)`, or 0 if it is not there."""
        cursor = self.cursor
        if not cursor.accept("addrspace"):
            return 0
        cursor.expect("(")
        number = cursor.integer()
        cursor.expect(")")
        return number

    def function(self, result: Attribute) -> LLVMFunctionType:
        """A function type whose result has been read."""
        cursor = self.cursor
        arguments: list[Attribute] = []
        variadic = False
        cursor.expect("(")
        while not cursor.accept(")"):
            if cursor.accept("..."):
                variadic = True
                continue
            arguments.append(self.read())
            cursor.accept(",")
        return LLVMFunctionType(arguments, result, variadic=variadic)

    def _read(self, token: str) -> Attribute:
        cursor = self.cursor
        plain = _PLAIN.get(token)
        if plain is not None:
            cursor.at += 1
            found = self._known[token] = plain()
            return found
        if token[:1] == "i" and token[1:].isdigit():
            cursor.at += 1
            found = self._known[token] = IntegerType(int(token[1:]))
            return found
        if token in self._places:
            cursor.at += 1
            return self._struct(token)
        if token in _COMPOSITE:
            return self._composite(token)
        if token == "target":
            return self._target()
        cursor.fail("expected a type")

    def _composite(self, token: str) -> Attribute:
        """An array, vector or struct. Types repeat, and making one takes longer than finding it."""
        cursor = self.cursor
        start = cursor.at
        depth = 0
        for end in range(start, len(cursor.tokens)):
            text = cursor.tokens[end]
            if text in ("{", "[", "<"):
                depth += 1
            elif text in ("}", "]", ">"):
                depth -= 1
                if not depth:
                    break
        else:
            cursor.fail("expected the end of a type")
        as_text = tuple(cursor.tokens[start : end + 1])
        found = self._composites.get(as_text)
        if found is None:
            found = self._composites[as_text] = _COMPOSITE[token](self)
        cursor.at = end + 1
        return found

    def _literal(self) -> Attribute:
        return LLVMStructType(self._body())

    def _struct(self, name: str) -> Attribute:
        """The named struct, read at its definition when first mentioned."""
        found = self._named.get(name)
        if found is not None:
            return found
        cursor = self.cursor
        back = cursor.at
        cursor.at = self._places[name]
        if cursor.accept("opaque"):
            found = LLVMStructType(None, struct_name=name_of(name))
            if self.literal_structs:
                found = LLVMStructType(())
        else:
            packed = cursor.accept("<")
            body = self._body()
            found = LLVMStructType(body, struct_name=self._name(name), packed=packed)
        cursor.at = back
        self._named[name] = found
        return found

    def _name(self, name: str) -> str | None:
        """What MLIR calls a named struct. Those that have only a number in LLVM have no name there,
        and get one by their order here."""
        if self.literal_structs:
            return None
        if not name[1:].isdigit():
            return name_of(name)
        self._unnamed += 1
        return "" if self._unnamed == 1 else f".{self._unnamed - 1}"

    def _body(self) -> list[Attribute]:
        cursor = self.cursor
        body: list[Attribute] = []
        cursor.expect("{")
        while not cursor.accept("}"):
            body.append(self.read())
            cursor.accept(",")
        return body

    def _array(self) -> Attribute:
        cursor = self.cursor
        cursor.expect("[")
        size = cursor.integer()
        cursor.expect("x")
        element = self.read()
        cursor.expect("]")
        return LLVMArrayType(size, element)

    def _vector_or_packed(self) -> Attribute:
        cursor = self.cursor
        cursor.expect("<")
        if cursor.peek() == "{":
            body = self._body()
            cursor.expect(">")
            return LLVMStructType(body, packed=True)
        scalable = cursor.accept("vscale")
        if scalable:
            cursor.expect("x")
        size = cursor.integer()
        cursor.expect("x")
        element = self.read()
        cursor.expect(">")
        if scalable:
            return VectorType(element, (size,), _SCALABLE)
        return VectorType(element, (size,))

    def _target(self) -> Attribute:
        cursor = self.cursor
        cursor.expect("target")
        cursor.expect("(")
        name = decoded(unquoted(cursor.next()))
        types: list[Attribute] = []
        numbers: list[int] = []
        while cursor.accept(","):
            if cursor.peek().isdigit():
                numbers.append(cursor.integer())
            else:
                types.append(self.read())
        cursor.expect(")")
        return LLVMTargetExtType(name, types, numbers)


_COMPOSITE: dict[str, Callable[[TypeParser], Attribute]] = {
    "[": TypeParser._array,  # pyright: ignore[reportPrivateUsage]
    "<": TypeParser._vector_or_packed,  # pyright: ignore[reportPrivateUsage]
    "{": TypeParser._literal,  # pyright: ignore[reportPrivateUsage]
}


def is_float(t: Attribute) -> bool:
    """Whether `t` is a floating-point type."""
    return isinstance(
        t,
        Float32Type
        | Float64Type
        | Float16Type
        | BFloat16Type
        | Float80Type
        | Float128Type
        | LLVMPPCFP128Type,
    )


def pointer_result(types: list[Attribute]) -> Attribute:
    """The type of getelementptr of a base and indices: a vector if one of them is."""
    base = types[0]
    if isinstance(base, VectorType):
        return base
    for t in types[1:]:
        if isinstance(t, VectorType):
            return VectorType(base, t.shape.data, t.scalable_dims)
    return base


def elements_of(t: Attribute) -> list[Attribute]:
    """The types of the parts of an aggregate; of an array or vector, of which all are equal, one
    entry (none for no elements)."""
    if isinstance(t, LLVMStructType):
        return list(t.body)
    if isinstance(t, LLVMArrayType):
        return [t.element_type] if t.size else []
    if isinstance(t, VectorType):
        return [t.element_type]
    return []


# --- attribute parser ----------------------------------------------------------------------------
# Attributes of functions, parameters, results and globals.
#
# A value is True for an attribute without one, a number, a type, a range of numbers, or else the
# text between its parentheses.


_TYPED = ("byval", "byref", "sret", "inalloca", "preallocated", "elementtype")
_FLAGS_WORDS = """
allocalign allocptr alwaysinline builtin cold convergent coro_elide_safe
coro_only_destroy_when_complete dead_on_unwind disable_sanitizer_instrumentation
fn_ret_thunk_extern hot hybrid_patchable immarg inlinehint inreg jumptable minsize mustprogress
naked nest noalias nobuiltin nocallback nocf_check nocreateundeforpoison nodivergencesource
noduplicate noext nofree noimplicitfloat noinline nomerge nonlazybind nonnull noprofile
norecurse noredzone noreturn nosanitize_bounds nosanitize_coverage nosync noundef nounwind
null_pointer_is_valid optdebug optforfuzzing optnone optsize presplitcoroutine readnone readonly
returned returns_twice safestack sanitize_address sanitize_alloc_token sanitize_hwaddress
sanitize_memory sanitize_memtag sanitize_numerical_stability sanitize_realtime
sanitize_realtime_blocking sanitize_thread sanitize_type shadowcallstack signext skipprofile
speculatable speculative_load_hardening ssp sspreq sspstrong strictfp swiftasync swifterror
swiftself willreturn writable writeonly zeroext
"""
_FLAGS = frozenset(_FLAGS_WORDS.split())
_NUMBERS = frozenset(("align", "alignstack", "dereferenceable", "dereferenceable_or_null"))
_TEXTS_WORDS = """
allockind allocsize captures dead_on_return denormal_fpenv initializes memory nofpclass
vscale_range
"""
_TEXTS = frozenset(_TEXTS_WORDS.split())

#: Bits of `allockind("...")`.
_ALLOCATION = {
    "alloc": 1,
    "realloc": 2,
    "free": 4,
    "uninitialized": 8,
    "zeroed": 16,
    "aligned": 32,
}


class AttributeParser:
    """Reads sets of attributes; `groups` are those that the text numbers."""

    __slots__ = ("cursor", "groups", "types")

    def __init__(self, cursor: Cursor, types: TypeParser) -> None:
        self.cursor = cursor
        self.types = types
        self.groups: dict[str, Attributes] = {}

    def group(self, number: str) -> Attributes:
        """The group `#n`, wherever the text defines it."""
        return self.groups.setdefault(number, Attributes())

    def read(self, into: Attributes | None = None, *, aligns: bool = True) -> Attributes:
        """As many attributes as stand here; `align` is one of them only if it `aligns`."""
        found = Attributes() if into is None else into
        cursor = self.cursor
        while True:
            token = cursor.tokens[cursor.at]
            if token in _FLAGS:
                cursor.at += 1
                found.known[token] = True
            elif token[:1] == '"':
                self._string(found)
            elif token[:1] == "#" and token[1:].isdigit():
                cursor.at += 1
                found.groups.append(self.group(token))
            elif (token == "align" and not aligns) or not self._valued(token, found):
                return found

    def _string(self, found: Attributes) -> None:
        cursor = self.cursor
        name = decoded(unquoted(cursor.next()))
        found.strings[name] = ""
        if cursor.accept("="):
            found.strings[name] = decoded(unquoted(cursor.next()))

    def _valued(self, token: str, found: Attributes) -> bool:
        """Reads an attribute with a value; False if none stands here."""
        cursor = self.cursor
        if token in _NUMBERS:
            cursor.at += 1
            found.known[token] = self._number()
        elif token in _TYPED:
            cursor.at += 1
            cursor.expect("(")
            found.known[token] = self.types.read()
            cursor.expect(")")
        elif token == "range":
            cursor.at += 1
            found.known[token] = self._range()
        elif token == "uwtable":
            cursor.at += 1
            found.known[token] = 1 if self._text_if_any() == "sync" else 2
        elif token in _TEXTS:
            cursor.at += 1
            found.known[token] = self._text_if_any() or True
        else:
            return False
        return True

    def _number(self) -> int:
        """`8`, `(8)` or `=8`"""
        cursor = self.cursor
        if cursor.accept("("):
            number = cursor.integer()
            cursor.expect(")")
            return number
        cursor.accept("=")
        return cursor.integer()

    def _range(self) -> tuple[int, int, int]:
        """`(i32 0, 8)`: width, lower, upper."""
        cursor = self.cursor
        cursor.expect("(")
        width = int(cursor.next()[1:])
        lower = cursor.integer()
        cursor.expect(",")
        upper = cursor.integer()
        cursor.expect(")")
        return width, lower, upper

    def _text_if_any(self) -> str:
        """What stands between parentheses, if they follow."""
        cursor = self.cursor
        if not cursor.accept("("):
            return ""
        depth, parts = 1, list[str]()
        while True:
            token = cursor.next()
            if not token:
                cursor.fail("expected ')'", cursor.at - 1)
            depth += (token == "(") - (token == ")")
            if not depth:
                return " ".join(parts)
            parts.append(token)


def allocation_kind(text: str) -> int:
    """The number behind `allockind("alloc,zeroed")`."""
    return sum(_ALLOCATION[word] for word in text.strip('"').split(","))


def allocation_size(text: str) -> int:
    """The number behind `allocsize(0, 1)`: element size's place above, count's below."""
    places = [int(part) for part in text.split(",")]
    return places[0] << 32 | (places[1] if len(places) > 1 else 0xFFFFFFFF)


#: Locations of memory as `memory(...)` names them, in MLIR's order.
_MEMORY = ("", "argmem", "inaccessiblemem", "errnomem", "target_mem0", "target_mem1")
_ACCESS = {"none": 0, "read": 1, "write": 2, "readwrite": 3}


def memory_effects(text: object) -> tuple[int, ...]:
    """Reads and writes (bits 1 and 2) of each location, from the text of `memory(...)`."""
    if not isinstance(text, str):
        return (3,) * len(_MEMORY)
    default, named = 0, dict[str, int]()
    words = text.replace(",", " ").split()
    at = 0
    while at < len(words):
        word = words[at]
        if word.endswith(":"):
            if word == "target_mem:":
                named["target_mem0"] = named["target_mem1"] = _ACCESS[words[at + 1]]
            named[word[:-1]] = _ACCESS[words[at + 1]]
            at += 2
        else:
            default = _ACCESS[word]
            at += 1
    return tuple(named.get(name, default) for name in _MEMORY)


def memory_number(effects: tuple[int, ...]) -> int:
    """LLVM's number for reads and writes of each location: two bits for each, in LLVM's order."""
    other, arguments, inaccessible, errno, *targets = effects
    in_order = (arguments, inaccessible, errno, other, *targets)
    return sum(effect << 2 * place for place, effect in enumerate(in_order))
