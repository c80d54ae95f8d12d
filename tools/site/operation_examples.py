# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The shortest program that holds an operation, taken out of the project's tests.

An operation is cut out of a test with what it needs: its operands become arguments of a function,
and where it does not verify so, the operation around it is tried, up to the whole function. What it
names by a symbol is copied. Each example is printed, read again and verified.
"""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from xdsl.dialects.builtin import FunctionType, ModuleOp, StringAttr  # noqa: E402
from xdsl.ir import Block, Region  # noqa: E402

from xgpu.core.ir.construction import clone_operation  # noqa: E402
from xgpu.core.ir.errors import DiagnosticError, UsageError  # noqa: E402
from xgpu.core.ir.op_info import traits_of  # noqa: E402
from xgpu.core.ir.symbols import (  # noqa: E402
    body_operations,
    is_symbol_table,
    references,
    symbol_name,
)
from xgpu.core.ods.registry import (  # noqa: E402
    dialect_names,
    op_class,
    op_spec,
    operation_names,
)
from xgpu.core.syntax import diagnostics, parse_module, print_module  # noqa: E402
from xgpu.core.syntax.verify import verify_module  # noqa: E402

if TYPE_CHECKING:
    from xdsl.ir import Attribute, Operation, SSAValue

TESTS = ROOT / "tests/filecheck"
NAMED = ROOT / "xgpu/dialects/linalg/named_ops.txt"
#: Dialects whose name is left out in their own functions.
SHORT = ("async", "func", "shape")
#: Of the places of an operation, the plainest first, at most so many are tried, and no more when so
#: many programs show it.
_MOST, _ENOUGH = 40, 3


def examples() -> dict[str, str]:
    """An example, a program, of each operation of the tables that has one: from the tests of its
    dialect's syntax, else from any test, else made from the tables."""
    found: dict[str, str] = {}
    for dialect in dialect_names():
        found |= examples_in(operation_names(dialect), [TESTS / "dialects" / dialect])
    missing = {
        name for dialect in dialect_names() for name in operation_names(dialect)
    } - found.keys()
    found |= examples_in(missing, (path for path in TESTS.iterdir() if path.is_dir()))
    for name, text in made_examples(missing - found.keys()):
        with suppress(DiagnosticError), diagnostics.collect():
            verify_module(parse_module(text))
            found[name] = text
    return found


def examples_in(names: Iterable[str], folders: Iterable[Path]) -> dict[str, str]:
    """An example of each operation of `names` that the tests in `folders` hold."""
    wanted = set(names)
    places: dict[str, list[Operation]] = defaultdict(list)
    for path in sorted(path for folder in folders for path in folder.rglob("*.mlir")):
        for module in _modules(path, wanted):
            for op in module.walk():
                if op.name in wanted:
                    places[op.name].append(op)
    chosen = {name: _plainest(name, ops) for name, ops in places.items()}
    return {name: text for name, text in chosen.items() if text is not None}


def _plainest(name: str, ops: Iterable[Operation]) -> str | None:
    """The shortest program of those that show an operation, out of some of its places."""
    found: list[tuple[bool, int, int, str]] = []
    for op in sorted(ops, key=_burden)[:_MOST]:
        text = _program(op)
        if text is not None:
            found.append((not is_shown(name, text), len(op.attributes), len(text), text))
            if sum(not one[0] for one in found) == _ENOUGH:
                break
    return min(found)[-1] if found else None


def is_shown(name: str, text: str) -> bool:
    """Whether an operation is seen in a text: functions print their terminators, for example,
    without the dialect, and loops an empty one not at all."""
    dialect, _, rest = name.partition(".")
    short = rf"|^ *(?:%[\w:]+ = )?{re.escape(rest)}\b" if dialect in SHORT else ""
    return re.search(rf"\b{re.escape(name)}\b{short}", text, re.MULTILINE) is not None


# -- from the tables


def made_examples(names: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Examples of operations of a form that many have: patterns of the transform dialect, and named
    operations of linalg."""
    named = linalg_arguments()
    for name in names:
        spec = op_spec(name)
        if spec is not None and "PatternDescriptorOpInterface" in spec.traits:
            yield name, _PATTERNS.format(name=name)
        elif name in named:
            *inputs, output = named[name]
            values = [f"%{number}" for number in range(len(inputs))]
            arguments = ", ".join(map("{}: {}".format, values, inputs))
            yield name, (
                f"func.func @example({arguments}, %out: {output}) -> {output} {{\n"
                f"  %result = {name} ins({', '.join(values)} : {', '.join(inputs)}) "
                f"outs(%out : {output}) -> {output}\n"
                f"  return %result : {output}\n}}"
            )


_PATTERNS = """\
module attributes {{transform.with_named_sequence}} {{
  transform.named_sequence @__transform_main(%root: !transform.any_op) {{
    transform.apply_patterns to %root {{
      {name}
    }} : !transform.any_op
    transform.yield
  }}
}}"""


def linalg_arguments() -> dict[str, list[str]]:
    """The types of inputs and output of linalg's named operations, by their indexing maps."""
    found: dict[str, list[str]] = {}
    for line in NAMED.read_text(encoding="utf-8").splitlines():
        name, iterators, maps, body = ([*line.split("\t"), "", "", ""])[:4]
        if not maps:
            count = 1 + max((int(n) for n in re.findall(r"a(\d)", body)), default=0)
            found[name] = ["tensor<4x8xf32>"] * (count + 1)
            continue
        extents = {f"d{n}": 4 if kind == "p" else 3 for n, kind in enumerate(iterators)}
        is_quantized = name.endswith("_q")
        types: list[str] = []
        results = [text.partition(" -> ")[2].strip("()") for text in maps.split("; ")]
        for at, result in enumerate(results):
            element = "i8" if is_quantized and at < 2 else "i32" if is_quantized else "f32"
            sizes = [_size_of(term, extents) for term in result.split(", ")] if result else []
            types.append(f"tensor<{'x'.join(map(str, [*sizes, element]))}>" if sizes else element)
        found[name] = types
    return found


def _size_of(expression: str, extents: dict[str, int]) -> int:
    """The extent of a dimension that a sum of dimensions indexes; strides are 1."""
    return 1 + sum(extents[name] - 1 for name in re.findall(r"d\d+", expression))


# -- from the tests


def _modules(path: Path, wanted: Iterable[str]) -> Iterator[ModuleOp]:
    """The programs of a test that are right by themselves and may hold one of the operations."""
    words = [name.partition(".")[2] if name.partition(".")[0] in SHORT else name for name in wanted]
    for text in path.read_text(encoding="utf-8").split("// -----"):
        if "expected-error" in text or not any(word in text for word in words):
            continue
        with suppress(DiagnosticError, UsageError), diagnostics.collect():
            # What is cut out is read without.
            module = parse_module(text, path.name, allow_unregistered=True)
            verify_module(module)
            yield module


def _burden(op: Operation) -> tuple[int, int]:
    """What an example is better without: attributes that are not the operation's own, and other
    operations."""
    return len(op.attributes), sum(1 for _ in op.walk())


def _program(op: Operation) -> str | None:
    """A program with an operation and as little of what is around it as it needs; None where there
    is none that can be printed and read."""
    target: Operation | None = op
    parent = op.parent_op()
    if not op.operands and not op.results and parent and not _is_function(parent):
        target = parent  # it says nothing by itself
    while target is not None and not isinstance(target, ModuleOp):
        for attributes in ({}, _outermost(target).attributes):
            with suppress(DiagnosticError, UsageError), diagnostics.collect():
                module = _cut_out(target, op)
                module.attributes.update(attributes)
                verify_module(module)
                text = print_module(module).strip()
                verify_module(parse_module(text))
                return _without_module(text)
        target = target.parent_op()
    return None


def _is_function(op: Operation) -> bool:
    return isinstance(op, ModuleOp) or "FunctionOpInterface" in traits_of(op.name)


def _outermost(op: Operation) -> Operation:
    while (parent := op.parent_op()) is not None:
        op = parent
    return op


def _cut_out(target: Operation, op: Operation) -> ModuleOp:
    """A module with a copy of `target`, in a function unless it stood in a module; of a symbol
    table that holds `op` only what that needs."""
    free = list(dict.fromkeys(_free_values(target)))
    parent = target.parent_op()
    named = [clone_operation(symbol) for symbol in _symbols(target)]
    if isinstance(parent, ModuleOp):
        copy = clone_operation(target)
        if op is not target and is_symbol_table(target):
            _leave_out(copy, target, op)
        return ModuleOp([*named, copy])
    block = Block(arg_types=[value.type for value in free])
    block.add_op(clone_operation(target, dict(zip(free, block.args, strict=True))))
    block.add_op(op_class("func.return").create())
    types = FunctionType.from_lists([value.type for value in free], [])
    properties: dict[str, Attribute] = {"sym_name": StringAttr("example"), "function_type": types}
    function = op_class("func.func").create(properties=properties, regions=[Region(block)])
    return ModuleOp([*named, function])


def _leave_out(copy: Operation, table: Operation, op: Operation) -> None:
    """Erases what a copy of a symbol table holds and `op` does not need."""
    inner = op
    while (parent := inner.parent_op()) is not table:
        assert parent is not None
        inner = parent
    kept = {name.root_reference.data for one in inner.walk() for name in references(one)}
    originals = list(body_operations(table))
    for original, made in zip(originals, list(body_operations(copy)), strict=True):
        is_end = original is originals[-1] and "IsTerminator" in traits_of(original.name)
        if original is not inner and not is_end and symbol_name(original) not in kept:
            made.detach()


def _free_values(target: Operation) -> Iterator[SSAValue]:
    """The values that are used in an operation and defined outside of it."""
    inside = {value for op in target.walk() for value in op.results}
    inside |= {
        argument
        for op in target.walk()
        for region in op.regions
        for block in region.blocks
        for argument in block.args
    }
    if target.results:
        inside -= set(target.results)
    return (value for op in target.walk() for value in op.operands if value not in inside)


def _symbols(target: Operation) -> list[Operation]:
    """What the operation names, of the module around it."""
    top = target
    while (parent := top.parent_op()) is not None and not isinstance(parent, ModuleOp):
        top = parent
    module = top.parent_op()
    if not isinstance(module, ModuleOp):
        return []
    named = {name.root_reference.data for op in target.walk() for name in references(op)}
    return [op for op in module.body.block.ops if op is not top and symbol_name(op) in named]


def _without_module(text: str) -> str:
    """What stands in a module that says nothing itself."""
    lines = text.splitlines()
    opening = next((at for at, line in enumerate(lines) if line == "module {"), None)
    if opening is None or lines[-1] != "}":
        return text
    inner = [line.removeprefix("  ") for line in lines[opening + 1 : -1]]
    return "\n".join([*lines[:opening], *inner])
