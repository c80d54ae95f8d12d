# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attributes of functions, parameters, results and globals.

A value is True for an attribute without one, a number, a type, a range of numbers, or else the text
between its parentheses.
"""

from __future__ import annotations

from xgpu.frontend.llvm_ir.lexer import Cursor, decoded, unquoted
from xgpu.frontend.llvm_ir.model import Attributes
from xgpu.frontend.llvm_ir.type_parser import TypeParser

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
