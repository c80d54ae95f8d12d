# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A module: its globals, functions and module-level metadata as LLVM IR text.

The text leaves to LLVM's own parser what that parser does anyway: the names and declarations of
overloaded intrinsics, default alignments, attribute groups, the order of metadata. What LLVM prints
after parsing it is what `mlir-translate --mlir-to-llvmir` prints.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import cast

from xdsl.dialects.builtin import ArrayAttr, StringAttr
from xdsl.ir import Block, Operation, Region

from xgpu.backend.llvm_ir import globals as global_ops
from xgpu.backend.llvm_ir.attributes import each, function_attributes, parameter, passthrough
from xgpu.backend.llvm_ir.calls import calling_convention
from xgpu.backend.llvm_ir.context import ModuleContext, linkage, string_attribute
from xgpu.backend.llvm_ir.facts import (
    UNNAMED_ADDR,
    VISIBILITY,
    flag,
    integers,
    number,
    prop,
    text_of,
)
from xgpu.backend.llvm_ir.function import FunctionWriter
from xgpu.backend.llvm_ir.metadata import string
from xgpu.backend.llvm_ir.parts import Declaration, Definition, ModuleParts
from xgpu.backend.llvm_ir.types import quoted, symbol
from xgpu.core import ods
from xgpu.core.ir.errors import error, op_error
from xgpu.core.ir.op_info import attribute_of
from xgpu.core.ir.symbols import references
from xgpu.core.support.abi import FUNCTIONS
from xgpu.dialects.llvm.types import LLVMFunctionType

# -- The order of intrinsics' declarations in a printed module.
#
# LLVM's parser, which declares the intrinsics of our text, does so by name; MLIR does when it first
# calls one. The order decides how attribute groups are numbered, so the whole text differs by it.


_DECLARATION = re.compile(
    r"(?:^;[^\n]*\n)?^declare [^\n]*?@(llvm\.[\w.]+)\([^\n]*\n\n?", re.MULTILINE
)
_CALL = re.compile(r"@(llvm\.[\w.]+)\(")


def in_order_of_use(text: str, given: str = "") -> str | None:
    """`text` with its intrinsics declared in the order of their first calls; None if they are.
    Those that the text `given` to LLVM declares itself stay where they are."""
    fixed = {m[1] for m in _DECLARATION.finditer(given)}
    found = {m[1]: m[0] for m in _DECLARATION.finditer(text) if m[1] not in fixed}
    if len(found) < 2:
        return None
    body = _DECLARATION.sub(lambda m: m[0] if m[1] in fixed else "", text)
    used = [name for name in dict.fromkeys(_CALL.findall(body)) if name in found]
    names = used + [name for name in found if name not in used]
    if names == list(found):
        return None
    return "\n".join([body, *(found[name] for name in names)])


class ModuleWriter(ModuleContext):
    """Collects the text of one LLVM IR module."""

    # --- the module --------------------------------------------------------------------------
    def write(self) -> str:
        """The whole text."""
        functions = [self._function(op) for op in self._begin()] + self.functions
        return self._finish(functions, self._structors())

    def write_parts(self) -> ModuleParts:
        """The text, with declarations of functions, constructors and destructors apart from it."""
        ops = self._begin()
        texts = {text_of(prop(op, "sym_name")): self._function(op) for op in ops}
        used = self._referenced() | self.called
        definitions: dict[str, Definition] = {}
        declarations: dict[str, Declaration] = {}
        for op in ops:
            name, kind = text_of(prop(op, "sym_name")), prop(op, "function_type")
            assert isinstance(kind, LLVMFunctionType)
            parameters, result = [self.types(t) for t in kind.arguments], self.types(kind.result)
            if kind.variadic:
                parameters.append("...")
            if op.regions and op.regions[0].blocks:
                is_local = linkage(op) in ("internal ", "private ")
                definitions[name] = Definition(parameters, result, is_local)
            elif not name.startswith("llvm."):
                text = texts.pop(name)
                if name in used:
                    declarations[name] = Declaration(parameters, result, text)
        for name, text in self.declared.items():
            function = FUNCTIONS[name]
            declarations[name] = Declaration([*function.parameters], function.result, text)
        made = [text for text in self.functions if text not in self.declared.values()]
        return ModuleParts(
            self._finish([*texts.values(), *made], []), definitions, declarations, self.variables,
            [name for name in self.external if name in used],
            [symbol for _, symbol in sorted(self.constructors, key=_priority)],
            [symbol for _, symbol in sorted(self.destructors, key=_priority, reverse=True)],
            self.uses,
        )  # fmt: skip

    def _begin(self) -> list[Operation]:
        """Writes everything but functions, which are left to be written."""
        if self.op.name not in ("builtin.module", "gpu.module"):
            raise op_error(self.op, "can not be translated to an LLVMIR module")
        body = list(self.op.regions[0].block.ops)
        for op in body:
            name = attribute_of(op, "sym_name")
            if isinstance(name, StringAttr):
                self.symbols[name.data] = op
        for op in body:
            if op.name == "llvm.comdat":
                global_ops.comdat(self, op)
        functions = [op for op in body if op.name == "llvm.func"]
        for kind, write in global_ops.GLOBALS:
            for op in body:
                if op.name == kind:
                    write(self, op)
        self._module_attributes()
        for op in body:
            name = op.name
            if name in _DONE or (op.next_op is None and name == "llvm.return"):
                continue
            write_top = self.top_level.get(name)
            if write_top is None:
                self.missing(op)
            else:
                write_top(self, op)
        return functions

    def _referenced(self) -> set[str]:
        """The names of the symbols that operations refer to."""
        return {
            reference.root_reference.data
            for op in self.op.regions[0].block.ops
            if op.name not in ("gpu.module", "gpu.binary")
            for inner in op.walk()
            for reference in references(inner)
        }

    def _finish(self, functions: list[str], structors: list[str]) -> str:
        """The whole text, with these functions and lists of constructors and destructors."""
        if self._debug_info is not None:
            self._debug_info.finish()
        self._flags()
        out = ['source_filename = "LLVMDialectModule"']
        if self.data_layout:
            out.append(f'target datalayout = "{self.data_layout}"')
        if self.triple:
            out.append(f'target triple = "{self.triple}"')
        for entry in self._module_asm():
            out += [f'module asm "{quoted(line)}"' for line in entry.split("\n")]
        out += [f"{name} = type {body}" for name, body in self.types.structs.items()]
        out += self.comdats + self.globals + structors
        out += self.late_globals + self.aliases + functions
        out += [f"!{name} = !{{{', '.join(nodes)}}}" for name, nodes in self.named.items()]
        out += self.metadata.text()
        out.append("")
        return "\n".join(out)

    def _structors(self) -> list[str]:
        """The lists of constructors and destructors, as global variables."""
        out: list[str] = []
        for name, listed in (
            ("llvm.global_ctors", self.constructors),
            ("llvm.global_dtors", self.destructors),
        ):
            if listed:
                entries = ", ".join(
                    f"{{ i32, ptr, ptr }} {{ i32 {n}, ptr {f}, ptr null }}" for n, f in listed
                )
                count = len(listed)
                out.append(
                    f"@{name} = appending global [{count} x {{ i32, ptr, ptr }}] [{entries}]"
                )
            elif name in self.empty_lists:
                out.append(f"@{name} = appending global [0 x {{ i32, ptr, ptr }}] zeroinitializer")
        return out

    def _module_asm(self) -> list[str]:
        asm = self.op.attributes.get("llvm.module_asm")
        if asm is None:
            return []
        if not isinstance(asm, ArrayAttr):
            raise error(self.op, "expected an array attribute for a module level asm")
        found: list[str] = []
        for entry in asm.data:
            if not isinstance(entry, StringAttr):
                raise error(
                    self.op, "expected a string attribute for each entry of a module level asm"
                )
            self.uses.assembly.add(entry.data)
            found.append(entry.data)
        return found

    def _module_attributes(self) -> None:
        md = self.metadata
        for name in ("llvm.ident", "llvm.commandline"):
            if (text := string_attribute(self.op, name)) is not None:
                self.named[name] = [md.tuple([string(text)])]
        libraries = self.op.attributes.get("llvm.dependent_libraries")
        if libraries is not None:
            data = libraries.data  # pyright: ignore[reportAttributeAccessIssue]
            names = (
                data[0]
                if isinstance(data, tuple) and data and not hasattr(data[0], "data")
                else data
            )
            self.named["llvm.dependent-libraries"] = [
                md.tuple([string(text_of(s))]) for s in names or ()
            ]

    def _flags(self) -> None:
        """The module flags that say which debug information this is, as MLIR always adds them."""
        flags = self.named.setdefault("llvm.module.flags", [])
        if not any('"Debug Info Version"' in self.metadata.nodes[int(f[1:])] for f in flags):
            flags.append(self.metadata.tuple(["i32 2", '!"Debug Info Version"', "i32 3"]))
        if self.triple and self.triple.split("-")[2:] == ["windows", "msvc"]:
            flags.append(self.metadata.tuple(["i32 2", '!"CodeView"', "i32 1"]))

    # --- functions ---------------------------------------------------------------------------
    def _function(self, op: Operation) -> str:
        name = text_of(prop(op, "sym_name"))
        kind = prop(op, "function_type")
        if not isinstance(kind, LLVMFunctionType):
            raise error(op, "a function without a type of the llvm dialect")
        self.function = name
        region = op.regions[0] if op.regions else None
        has_body = region is not None and bool(region.blocks)
        w = FunctionWriter(self)
        # The metadata of a declaration stands before its type, that of a definition at its end.
        metadata = list(self._function_metadata(op, w))
        head = "define " if has_body else "".join(["declare ", *(f"{m} " for m in metadata)])
        head += linkage(op)
        head += "dso_local " if flag(op, "dso_local") else ""
        head += VISIBILITY[number(prop(op, "visibility_"))]
        if self.nvvm and "nvvm.kernel" in op.attributes:
            head += "ptx_kernel "
        else:
            head += calling_convention(prop(op, "CConv"))
        results = each(prop(op, "res_attrs"), 1)
        head += parameter(op, results[0], self.types, nvvm=self.nvvm)
        head += f"{self.types(kind.result)} @{symbol(name)}("
        parameters = []
        names = [f"%{i}" for i in range(len(kind.arguments))]
        attrs = each(prop(op, "arg_attrs"), len(names))
        for t, own, text in zip(kind.arguments, attrs, names, strict=False):
            own_text = parameter(op, own, self.types, nvvm=self.nvvm) if own else ""
            parameters.append(f"{self.types(t)} {own_text}{text}")
        if kind.variadic:
            parameters.append("...")
        head += ", ".join(parameters) + ")"
        head += self._function_tail(op)
        if has_body:
            head += "".join(f" {m}" for m in metadata)
        if not has_body:
            return head
        assert region is not None
        text = w.body(distinct_successors(region), names)
        return f"{head} {{\n{text}\n}}"

    def _function_tail(self, op: Operation) -> str:
        """What stands between the parameters and the body, metadata aside."""
        parts: list[str] = []
        if (unnamed := UNNAMED_ADDR[number(prop(op, "unnamed_addr"))]) != "":
            parts.append(unnamed.strip())
        parts += function_attributes(op, device=self.nvvm)
        if (section := prop(op, "section")) is not None:
            parts.append(f'section "{quoted(text_of(section))}"')
        if (comdat := prop(op, "comdat")) is not None:
            parts.append(f"comdat(${symbol(comdat.nested_references.data[-1].data)})")  # pyright: ignore
        if align := number(prop(op, "alignment")):
            parts.append(f"align {align}")
        if (collector := prop(op, "garbageCollector")) is not None:
            parts.append(f'gc "{quoted(text_of(collector))}"')
        if (personality := prop(op, "personality")) is not None and op.regions[0].blocks:
            parts.append(f"personality ptr @{symbol(personality.string_value())}")  # pyright: ignore
        return "".join(f" {p}" for p in parts)

    def _function_metadata(self, op: Operation, w: FunctionWriter) -> Iterable[str]:
        md = self.metadata
        if (count := prop(op, "function_entry_count")) is not None:
            node = md.tuple(['!"function_entry_count"', f"i64 {number(count)}"])
            yield f"!prof {node}"
        if (hint := prop(op, "vec_type_hint")) is not None:
            t, signed = hint.data  # pyright: ignore[reportAttributeAccessIssue]
            node = md.tuple([f"{self.types(t)} undef", f"i32 {1 if signed else 0}"])
            yield f"!vec_type_hint {node}"
        for name in ("work_group_size_hint", "reqd_work_group_size"):
            if (sizes := prop(op, name)) is not None:
                yield f"!{name} {md.tuple([f'i32 {n}' for n in integers(sizes)])}"
        if (size := prop(op, "intel_reqd_sub_group_size")) is not None:
            yield f"!intel_reqd_sub_group_size {md.tuple([f'i32 {number(size)}'])}"
        if (subprogram := self.debug_info.subprogram_of(op)) is not None:
            w.subprogram = subprogram
            yield f"!dbg {subprogram}"


def _priority(structor: tuple[int, str]) -> int:
    return structor[0]


_DONE = frozenset(
    (
        "llvm.func",
        "llvm.mlir.global",
        "llvm.mlir.alias",
        "llvm.mlir.ifunc",
        "llvm.comdat",
        "llvm.mlir.global_ctors",
        "llvm.mlir.global_dtors",
    )
)


def distinct_successors(region: Region) -> Region:
    """`region`, or a changed clone in which no branch hands values to one block by two ways.

    A phi node cannot tell two edges from one block apart, so the further edges go through blocks
    of their own, as MLIR's `ensureDistinctSuccessors` has it.
    """
    if len(region.blocks) < 2:
        return region

    def repeated(block: Block) -> bool:
        last = block.last_op
        successors = list(last.successors) if last is not None else []
        return any(s.args and successors.count(s) > 1 for s in successors)

    if not any(repeated(b) for b in region.blocks):
        return region
    clone = region.clone()
    # What a cloned body uses of the original (its entry arguments aside) does not exist: functions
    # are isolated from above.
    for block in list(clone.blocks):
        if not repeated(block):
            continue
        seen: set[Block] = set()
        last = cast("Operation", block.last_op)
        successors = list(last.successors)
        for i, target in enumerate(successors):
            if target in seen and target.args:
                extra = Block(arg_types=[a.type for a in target.args])
                extra.add_op(
                    ods.create("llvm.br", extra.args, successors=(target,), location=last.location)
                )
                clone.add_block(extra)
                successors[i] = extra
            seen.add(target)
        last.successors = successors
    return clone


__all__ = ["ModuleWriter", "passthrough"]
