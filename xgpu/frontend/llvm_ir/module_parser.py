# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A module as LLVM prints it: what stands at its top level.

    read_module(text) -> Module

Errors: `SyntaxFault` with the token that is wrong. LLVM has checked the text before, so that names
and types fit; what is read is what LLVM 22 prints, in any order.
"""

from __future__ import annotations

from xgpu.dialects.llvm.types import LLVMFunctionType
from xgpu.frontend.llvm_ir.constant_parser import ConstantParser, MetadataParser
from xgpu.frontend.llvm_ir.instruction_parser import READERS, FunctionParser, read_convention
from xgpu.frontend.llvm_ir.model import (
    LINKAGES,
    VISIBILITIES,
    Alias,
    Argument,
    Function,
    GlobalObject,
    GlobalVariable,
    Module,
)
from xgpu.frontend.llvm_ir.source import END, Cursor, decoded, name_of, unescaped
from xgpu.frontend.llvm_ir.type_parser import POINTER, AttributeParser, TypeParser


def read_module(text: str, *, literal_structs: bool = False) -> Module:
    """The module that `text` describes."""
    return ModuleParser(text, literal_structs=literal_structs).read()


class ModuleParser:
    """Reads one module."""

    def __init__(self, text: str, *, literal_structs: bool = False) -> None:
        self.module = Module()
        self.cursor = Cursor(text)
        self.types = TypeParser(self.cursor, literal_structs=literal_structs)
        self.constants = ConstantParser(self.cursor, self.types)
        self.metadata = MetadataParser(self.cursor, self.constants)
        self.attributes = AttributeParser(self.cursor, self.types)
        self.bodies: dict[str, FunctionParser] = {}

    def read(self) -> Module:
        """Everything up to the end of the text."""
        cursor = self.cursor
        self._find_structs()
        while (token := cursor.peek()) != END:
            first = token[0]
            if first == "@":
                self._global()
            elif first == "%":
                cursor.at += 3
                self._skip_struct()
            elif first == "!":
                self._metadata()
            elif first == "$":
                self._comdat()
            elif first == "^":
                self._summary()
            else:
                self._keyword(token)
        for function, block in self.constants.block_addresses:
            body = self.bodies.get(function)
            if body is None or block not in body.blocks:
                raise ValueError(f"blockaddress of {function} and {block}, which is not there")
            body.blocks[block].address_taken = True
        self.module.blocks = {key: body.blocks for key, body in self.bodies.items()}
        self.module.make_constant = self.constants.make
        return self.module

    def _keyword(self, token: str) -> None:
        cursor = self.cursor
        if token in ("define", "declare"):
            cursor.at += 1
            self._function(defined=token == "define")
        elif token == "attributes":
            cursor.at += 1
            group = self.attributes.group(cursor.next())
            cursor.expect("=")
            cursor.expect("{")
            self.attributes.read(group)
            cursor.expect("}")
        elif token == "source_filename":
            cursor.at += 1
            cursor.expect("=")
            self.module.source_filename = decoded(cursor.string())
        elif token == "target":
            cursor.at += 1
            which = cursor.next()
            cursor.expect("=")
            if which == "datalayout":
                self.module.data_layout = decoded(cursor.string())
            else:
                self.module.triple = decoded(cursor.string())
        elif token == "module":
            cursor.at += 1
            cursor.expect("asm")
            self.module.assembly.append(decoded(cursor.string()))
        else:
            cursor.fail("expected something of a module's top level")

    # --- structs, comdats, metadata ----------------------------------------------------------
    def _find_structs(self) -> None:
        """Notes where named structs are defined: they may be mentioned before."""
        cursor, tokens = self.cursor, self.cursor.tokens
        at = -1
        while True:
            try:
                at = tokens.index("type", at + 1)
            except ValueError:
                break
            if tokens[at - 1] == "=" and tokens[at - 2][:1] == "%":
                cursor.at = at + 1
                self.types.define(tokens[at - 2])
        cursor.at = 0

    def _skip_struct(self) -> None:
        self.types.define(self.cursor.tokens[self.cursor.at - 3])

    def _comdat(self) -> None:
        """`$x = comdat any`"""
        cursor = self.cursor
        name = name_of(cursor.next())
        cursor.expect("=")
        cursor.expect("comdat")
        self.module.comdats[name] = cursor.next()

    def _metadata(self) -> None:
        """`!0 = ...` or `!name = !{...}`"""
        cursor = self.cursor
        token = cursor.next()
        cursor.expect("=")
        if token[1:].isdigit():
            self.metadata.define(token)
        else:
            name = decoded(unescaped(token[1:]))
            self.module.named_metadata[name] = self.metadata.named()

    def _summary(self) -> None:
        """`^0 = module: (...)`: of no use for a module's code."""
        cursor = self.cursor
        cursor.at += 2
        while cursor.peek() not in (END, "^"):
            cursor.at += 1

    # --- what all global objects share -------------------------------------------------------
    def _prefix(self, found: GlobalObject) -> None:
        """Linkage, preemption, visibility, storage, thread-local, unnamed_addr, in this order."""
        cursor = self.cursor
        if cursor.peek() in LINKAGES:
            found.linkage = cursor.next()
        if cursor.accept("dso_local"):
            found.dso_local = True
        else:
            cursor.accept("dso_preemptable")
        if cursor.peek() in VISIBILITIES:
            visibility = cursor.next()
            found.visibility = "" if visibility == "default" else visibility
        if cursor.peek() in ("dllimport", "dllexport"):
            cursor.at += 1
        if cursor.accept("thread_local"):
            found.thread_local = True
            if cursor.accept("("):
                cursor.next()
                cursor.expect(")")
        self._unnamed(found)

    def _unnamed(self, found: GlobalObject) -> None:
        if self.cursor.peek() in ("unnamed_addr", "local_unnamed_addr"):
            found.unnamed_addr = self.cursor.next()

    def _add(self, found: GlobalObject) -> None:
        self.module.symbols[found.key] = found

    def _property(self, found: GlobalObject) -> bool:
        """A property behind a global object's content; False if none stands here."""
        cursor = self.cursor
        token = cursor.peek()
        if token in ("section", "partition", "gc", "code_model"):
            cursor.at += 1
            found.properties[token] = decoded(cursor.string())
        elif token == "comdat":
            cursor.at += 1
            found.comdat = found.name
            if cursor.accept("("):
                found.comdat = name_of(cursor.next())
                cursor.expect(")")
        elif token == "align":
            cursor.at += 1
            found.properties["align"] = cursor.integer()
        elif token in ("prefix", "prologue", "personality"):
            cursor.at += 1
            found.properties[token] = self.constants.typed()
        elif token.startswith(("no_sanitize_", "sanitize_")):
            cursor.at += 1
        else:
            return False
        return True

    # --- variables and aliases ---------------------------------------------------------------
    def _global(self) -> None:
        cursor = self.cursor
        start = cursor.at
        key = cursor.next()
        name = "" if key[1:].isdigit() else name_of(key)
        cursor.expect("=")
        shared = GlobalObject(key, name)
        shared.token = start
        self._prefix(shared)
        if cursor.peek() in ("alias", "ifunc"):
            self._alias(shared)
            return
        found = GlobalVariable(key, name)
        _copy(shared, found)
        found.address_space = self.types.address_space()
        found.externally_initialized = cursor.accept("externally_initialized")
        found.is_constant = cursor.next() == "constant"
        found.type = self.types.read()
        if cursor.peek() not in (",", END) and self._has_initializer():
            found.initializer = self.constants.read(found.type)
        self._variable_properties(found)
        self.module.variables.append(found)
        self._add(found)

    def _has_initializer(self) -> bool:
        """Whether the tokens behind a variable's type are its initializer, and not what follows
        the variable in the module."""
        tokens, at = self.cursor.tokens, self.cursor.at
        token = tokens[at]
        if token[0] == "@":
            return tokens[at + 1] != "="
        if token[0] in "!$%^#":
            return False
        return token not in ("define", "declare", "attributes", "module", "target")

    def _variable_properties(self, found: GlobalVariable) -> None:
        """`, section "x", align 4, !dbg !0 #1`"""
        cursor = self.cursor
        while cursor.accept(","):
            if not self._property(found):
                cursor.at -= 1
                break
        found.metadata = self.metadata.attachments() if cursor.peek() == "," else []
        found.attributes = self.attributes.read()

    def _alias(self, shared: GlobalObject) -> None:
        cursor = self.cursor
        found = Alias(shared.key, shared.name, cursor.next() == "ifunc")
        _copy(shared, found)
        found.type = self.types.read()
        if cursor.peek() == "(":
            found.type = self.types.function(found.type)
        cursor.expect(",")
        if self.types.starts():
            found.target = self.constants.typed()
        else:
            # A constant expression stands without its type.
            found.target = self.constants.read(POINTER)
        while cursor.accept(","):
            if not self._property(found):
                cursor.at -= 1
                break
        found.metadata = self.metadata.attachments() if cursor.peek() == "," else []
        self.module.aliases.append(found)
        self._add(found)

    # --- functions ---------------------------------------------------------------------------
    def _function(self, *, defined: bool) -> None:
        cursor = self.cursor
        start = cursor.at - 1
        metadata = self.metadata.attachments()  # before the signature, of a declaration
        shared = GlobalObject("", "")
        self._prefix(shared)
        convention = read_convention(cursor)
        result_attributes = self.attributes.read()
        result = self.types.read()
        key = cursor.next()
        found = Function(key, "" if key[1:].isdigit() else name_of(key))
        _copy(shared, found)
        found.token = start
        found.convention = convention
        found.result_attributes = result_attributes
        found.metadata = metadata
        self._arguments(found, result)
        self._unnamed(found)
        found.address_space = self.types.address_space()
        found.attributes = self.attributes.read(aligns=False)
        while self._property(found):
            self.attributes.read(found.attributes, aligns=False)
        found.metadata += self.metadata.attachments()
        self.module.functions.append(found)
        self._add(found)
        if defined:
            body = FunctionParser(found, self.attributes, self.constants, self.metadata, READERS)
            self.bodies[key] = body
            body.read()

    def _arguments(self, found: Function, result: object) -> None:
        cursor = self.cursor
        variadic, unnamed = False, 0
        cursor.expect("(")
        while not cursor.accept(")"):
            if cursor.accept("..."):
                variadic = True
                continue
            t = self.types.read()
            attributes = self.attributes.read()
            if cursor.peek()[:1] == "%":
                key = cursor.next()
            else:
                key = f"%{unnamed}"
            unnamed += key[1:].isdigit()
            found.arguments.append(Argument(t, attributes, key))
            cursor.accept(",")
        found.type = LLVMFunctionType([a.type for a in found.arguments], result, variadic=variadic)  # pyright: ignore[reportArgumentType]


def _copy(source: GlobalObject, target: GlobalObject) -> None:
    """Gives `target` what stands before the kind of a global object."""
    for name in ("token", "linkage", "dso_local", "visibility", "thread_local", "unnamed_addr"):
        setattr(target, name, getattr(source, name))
