# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The text of a whole module of PTX, read: directives, variables, functions.

    module     = ".version" n.n ".target" names ".address_size" n { item }
    item       = [ linkage ] ( variable | function ) | ".file" n string | ".section" ... | ".pragma"
               | ".alias" name "," name ";"
    linkage    = ".visible" | ".extern" | ".weak" | ".common"
    variable   = space [ ".align" n ] [ ".v2" | ".v4" ] type name { "[" [ n ] "]" } [ "=" initial ]
                 { "," name ... } ";"
    function   = ( ".entry" | ".func" ) [ "(" parameters ")" ] name [ "(" parameters ")" ]
                 { directive } ( ";" | "{" body "}" )
    parameter  = ( ".param" | ".reg" ) [ ".align" n ] type [ ".ptr" [ space ] [ ".align" n ] ] name
                 [ "[" n "]" ]

(PTX ISA, "Directives", "Syntax"). What is read is a `Module`; bodies are statements of `grammar`.
"""

from __future__ import annotations

import re

from xgpu.frontend.ptx.grammar import (
    Initial,
    Loc,
    Prototype,
    PtxError,
    Reader,
    Scope,
    Statement,
    Value,
    Variable,
    number_of,
)

#: Directives of functions with so many numbers at most.
PERFORMANCE = {
    ".maxntid": 3, ".reqntid": 3, ".minnctapersm": 1, ".maxnctapersm": 1, ".maxnreg": 1,
    ".reqnctapercluster": 3, ".maxclusterrank": 1, ".explicitcluster": 0, ".noreturn": 0,
    ".blocksareclusters": 0, ".unroll": 0,
}  # fmt: skip
_SPACES = (".global", ".const", ".shared", ".local")
_LINKAGES = (".visible", ".extern", ".weak", ".common")
_VECTORS = {".v2": 2, ".v4": 4, ".v8": 8}
_OPAQUE = (".texref", ".surfref", ".samplerref")
_TYPE = re.compile(r"\.(?:[subf](?:8|16|32|64|128)|bf16|f16x2|bf16x2|pred)")
_VERSION = re.compile(r"[1-9]\.\d")
#: PTX ISA, `.target`: chips, and how textures are bound, debugging, doubles taken for floats.
_TARGET = re.compile(r"sm_\d{2,3}[af]?|texmode_(?:unified|independent)|debug|map_f64_to_f32")
_ATTRIBUTES = re.compile(r"\.(?:managed|unified)")


class Function:
    """An entry or a function; `body` is None where it is only declared. `marks` are its performance
    directives: numbers by name."""

    def __init__(self, name: str, is_entry: bool, linkage: str, at: int) -> None:
        self.name = name
        self.is_entry = is_entry
        self.linkage = linkage
        self.at = at
        self.returns: list[Variable] = []
        self.parameters: list[Variable] = []
        self.marks: dict[str, list[int]] = {}
        self.body: Scope | None = None


class Module:
    """What a text holds: `files` by the numbers of `.loc`, variables and functions in order."""

    def __init__(self) -> None:
        self.version = ""
        self.targets: list[str] = []
        self.address_size = 64
        self.files: dict[int, str] = {}
        self.variables: list[Variable] = []
        self.functions: list[Function] = []


def read_modules(text: str) -> list[Module]:
    """The modules that a text holds, each from its `.version` on. Raises `PtxError`."""
    return ModuleReader(text).modules()


class ModuleReader(Reader):
    """Reads a module; what declares something in a body is read here too."""

    def modules(self) -> list[Module]:
        if self.peek() != ".version":
            raise self.error("a module begins with '.version'")
        found: list[Module] = []
        while self.kind:
            if self.peek() == ".version":
                self._check_target(found)
                found.append(Module())
            self._item(found[-1])
        self._check_target(found)
        return found

    def _check_target(self, found: list[Module]) -> None:
        """The module that ends here has said what it is for."""
        if found and not found[-1].targets:
            raise self.error("expected '.target' behind '.version'")

    def _item(self, module: Module) -> None:
        word = self.peek()
        if self.accept(";"):
            return
        if self.kind != "directive":
            raise self.error("expected a directive")
        if word == ".version":
            self.next()
            module.version = self._checked(_VERSION, "a version of PTX, such as 8.7")
        elif word == ".target":
            self.next()
            module.targets = [self._checked(_TARGET, "a target, such as sm_90")]
            while self.accept(","):
                module.targets.append(self._checked(_TARGET, "a target, such as sm_90"))
        elif word == ".address_size":
            at = self.start
            self.next()
            module.address_size = self._natural(self.next())
            if module.address_size != 64:
                raise PtxError(".address_size", at, "only addresses of 64 bits are supported")
        elif word == ".file":
            self._file(module)
        elif word == ".section":
            self._section()
        elif word == ".pragma":
            while not self.accept(";"):
                self.next()
        elif word == ".alias":
            self._alias(module)
        elif word == ".loc":
            self.next()
            self.location()
        else:
            self._declaration(module)

    def _checked(self, pattern: re.Pattern[str], what: str) -> str:
        """The next token, which has to be of a form."""
        token = self.next()
        if pattern.fullmatch(token.text) is None:
            raise PtxError(token.text, token.start, f"expected {what}")
        return token.text

    def _alias(self, module: Module) -> None:
        self.next()
        name = self.next()
        self.expect(",")
        target = self.next().text
        self.expect(";")
        functions = [f for f in module.functions if not f.is_entry]
        declared = [f for f in functions if f.name == name.text]
        defined = [f for f in functions if f.name == target and f.body is not None]
        if not declared or any(f.body is not None for f in declared):
            raise PtxError(name.text, name.start, f"'{name.text}' is no function without a body")
        if not defined:
            raise PtxError(name.text, name.start, f"'{target}' is no function of the module")
        for function in declared:
            # Another function of the same statements: their addresses differ.
            function.returns, function.parameters = defined[0].returns, defined[0].parameters
            function.body = defined[0].body

    def _file(self, module: Module) -> None:
        self.next()
        number = self._natural(self.next())
        name = self.next()
        if name.kind != "string":
            raise PtxError(name.text, name.start, "expected the name of a file")
        module.files[number] = name.text[1:-1].replace('\\"', '"').replace("\\\\", "\\")
        while self.accept(","):
            self.next()

    def _section(self) -> None:
        """A section of debugging information: nothing of it is used."""
        self.next()
        self.next()
        self.expect("{")
        depth = 1
        while depth:
            text = self.next().text
            depth += (text == "{") - (text == "}")

    def location(self) -> Loc:
        numbers = [self._natural(self.next()) for _ in range(3)]
        inlined = None
        while self.accept(","):
            word = self.next()
            if word.text == "function_name":
                self.next()
                if self.accept("+"):
                    self.next()
            elif word.text == "inlined_at":
                file, line, column = (self._natural(self.next()) for _ in range(3))
                inlined = Loc(file, line, column, None)
            else:
                raise PtxError(word.text, word.start, "expected 'function_name' or 'inlined_at'")
        return Loc(numbers[0], numbers[1], numbers[2], inlined)

    # -- variables and functions

    def _declaration(self, module: Module) -> None:
        linkage = ""
        while self.peek() in _LINKAGES:
            linkage = self.next().text[1:]
        self._attribute()
        word = self.peek()
        if word in (".entry", ".func"):
            module.functions.append(self._function(linkage))
            return
        if word in _SPACES or word in _OPAQUE:
            for variable in self.variables():
                variable.linkage = linkage
                module.variables.append(variable)
            return
        raise self.error("expected a variable or a function")

    def _attribute(self) -> None:
        if self.accept(".attribute"):
            self.expect("(")
            while not self.accept(")"):
                self.next()

    def variables(self) -> list[Variable]:
        space = self.next().text[1:]
        if f".{space}" in _OPAQUE:
            raise PtxError(f".{space}", self.start, f"'.{space}' is not supported: textures and "
                                                    "surfaces have no memory here")  # fmt: skip
        self._attribute()
        align, count = 0, 1
        while self.peek() in (".align", ".attribute", *_VECTORS):
            if self.peek() == ".attribute":
                self._attribute()
                continue
            word = self.next().text
            if word == ".align":
                align = self._alignment()
            else:
                count = _VECTORS[word]
        ty = self._type()
        found: list[Variable] = []
        while True:
            found += self._declarators(space, ty, align, count)
            if not self.accept(","):
                break
        self.expect(";")
        return found

    def _alignment(self) -> int:
        at = self.start
        number = self._natural(self.next())
        if number < 1 or number & (number - 1) or number > 1 << 20:
            raise PtxError(str(number), at, "an alignment is a power of two")
        return number

    def _type(self) -> str:
        if not _TYPE.fullmatch(self.peek()):
            if self.peek() in _OPAQUE:
                raise self.error(f"'{self.peek()}' is not supported")
            raise self.error("expected a type")
        return self.next().text[1:]

    def _declarators(self, space: str, ty: str, align: int, count: int) -> list[Variable]:
        """A name, its sizes and its initializer; several for `name<n>`."""
        token = self.next()
        if token.kind != "word":
            raise PtxError(token.text, token.start, "expected a name")
        names = [token.text]
        if self.accept("<"):
            number = self._natural(self.next())
            if number > 1 << 16:
                raise PtxError(token.text, token.start, "there are too many variables")
            names = [f"{token.text}{i}" for i in range(number)]
            self.expect(">")
        sizes = self._sizes()
        initial = self._initial() if self.accept("=") else None
        found: list[Variable] = []
        for name in names:
            variable = Variable(space, ty, name, token.start)
            variable.align, variable.count = align, count
            variable.sizes, variable.initial = sizes, initial
            found.append(variable)
        return found

    def _sizes(self) -> list[int | None]:
        sizes: list[int | None] = []
        while self.accept("["):
            if self.peek() == "]":
                sizes.append(None)
            else:
                at = self.start
                size = self.constant().value
                if not 0 <= size < 1 << 40:
                    raise PtxError(str(size), at, "no size of an array")
                sizes.append(size)
            self.expect("]")
        return sizes

    def _initial(self, depth: int = 0) -> Initial:
        if depth > 16:
            raise self.error("an initializer is nested too deeply")
        if self.accept("{"):
            parts: list[Initial] = []
            while not self.accept("}"):
                parts.append(self._initial(depth + 1))
                if not self.accept(","):
                    self.expect("}")
                    break
            return parts
        return self._value()

    def _value(self) -> Value:
        """A number, `symbol [+ n]`, `generic(symbol) [+ n]` or one of these behind `mask(...)`."""
        at = self.start
        if self.kind == "integer" and self.peek(1) == "(":
            mask = number_of(self.next(), 1).value
            self.expect("(")
            inner = self._value()
            self.expect(")")
            inner.mask = mask
            return inner
        if self.kind != "word" or self.peek() == "WARP_SZ":
            number = self.constant()
            return Value(number.value, number.width, at=at)
        name = self.next().text
        is_generic = name == "generic" and self.accept("(")
        if is_generic:
            name = self.next().text
            inner_offset = self._offset()
            self.expect(")")
            return Value(inner_offset + self._offset(), symbol=name, generic=True, at=at)
        return Value(self._offset(), symbol=name, at=at)

    def _function(self, linkage: str) -> Function:
        is_entry = self.next().text == ".entry"
        at = self.start
        self._attribute()
        returns = self._parameters() if self.peek() == "(" else []
        token = self.next()
        if token.kind != "word":
            raise PtxError(token.text, token.start, "expected the name of a function")
        function = Function(token.text, is_entry, linkage, at)
        function.returns = returns
        if self.peek() == "(":
            function.parameters = self._parameters()
        while self.kind == "directive":
            self._mark(function)
        if self.accept(";"):
            return function
        self.expect("{")
        function.body = self.scope()
        self.expect("}")
        return function

    def _mark(self, function: Function) -> None:
        word = self.peek()
        if word == ".pragma":
            while not self.accept(";"):
                self.next()
            return
        most = PERFORMANCE.get(word)
        if most is None:
            raise self.error("expected a directive of a function")
        self.next()
        numbers: list[int] = []
        while len(numbers) < most and self.kind == "integer":
            numbers.append(self._natural(self.next()))
            if not self.accept(","):
                break
        if most and not numbers:
            raise self.error("expected a number")
        function.marks[word] = numbers

    def _parameters(self) -> list[Variable]:
        self.expect("(")
        found: list[Variable] = []
        while not self.accept(")"):
            found.append(self._parameter())
            if not self.accept(","):
                self.expect(")")
                break
        return found

    def _parameter(self) -> Variable:
        at = self.start
        space = self.next().text[1:]
        if space not in ("param", "reg"):
            raise PtxError(f".{space}", at, "expected '.param' or '.reg'")
        align, count = 0, 1
        while self.peek() in (".align", *_VECTORS):
            word = self.next().text
            if word == ".align":
                align = self._alignment()
            else:
                count = _VECTORS[word]
        ty = self._type()
        pointee: tuple[str, int] | None = None
        if self.accept(".ptr"):
            into = self.next().text[1:] if self.peek() in _SPACES else ""
            pointee = into, self._alignment() if self.accept(".align") else 1
        token = self.next()
        if token.kind != "word":
            raise PtxError(token.text, token.start, "expected the name of a parameter")
        found = Variable(space, ty, token.text, at)
        found.align, found.count, found.pointee = align, count, pointee
        found.sizes = self._sizes()
        return found

    def prototype(self, name: str) -> Statement:
        returns = self._parameters() if self.peek() == "(" else []
        self.next()  # `_`
        parameters = self._parameters() if self.peek() == "(" else []
        while not self.accept(";"):
            self.next()  # .noreturn, .abi_preserve
        return Prototype(name, returns, parameters)
