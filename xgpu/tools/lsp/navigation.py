# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What stands at a place, where it is defined and used, and renaming it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute, Block, BlockArgument, Operation, OpResult, Region, SSAValue

from xgpu.analysis.sparse import ConstantDomain, Solver
from xgpu.core.ir.constants import constant_of, make
from xgpu.core.ir.errors import DiagnosticError, UsageError, shown
from xgpu.core.ir.op_info import traits_of
from xgpu.core.ir.symbols import symbol_name
from xgpu.core.ods.docstrings import docstring
from xgpu.core.ods.registry import attr_spec, op_spec
from xgpu.tools.lsp.kernels import Kernel, is_kernel_function, kernel_of
from xgpu.transforms.arith.int_range_optimizations import infer_ranges

if TYPE_CHECKING:
    from xgpu.tools.lsp.document import Chunk, Definition, Record, Token

#: Lines and characters of an operation that a hover shows.
_MOST_LINES = 12
_MOST_CHARACTERS = 400
#: In a function of more operations, what is known of a value follows from so many that it depends
#: on: a hover takes less than 100 ms.
_LONG_FUNCTION = 1_000
_LONG_SLICE = 300


class Hover(NamedTuple):
    """Markdown, and the part of the chunk that it is about."""

    text: str
    start: int
    end: int


class Symbol(NamedTuple):
    """An entry of the outline: `[start, end)` is the operation, `[name, name_end)` its name."""

    name: str
    detail: str
    kind: str
    start: int
    end: int
    name_start: int
    name_end: int
    children: list[Symbol]


def name_at(chunk: Chunk, offset: int) -> Token | None:
    """The name of a value, block, symbol or alias at an offset, or the word there."""
    token = chunk.token_at(offset)
    if token is None:
        return None
    index = chunk.token_index(token.start)
    if token.text[:1] == "#" and token.text[1:].isdigit() and index:
        return chunk.tokens[index - 1]  # `%a#1`
    is_name = token.text[:1] in "%^@#!" or token.text[:1].isalpha()
    if not is_name and token.start == offset and index:
        before = chunk.tokens[index - 1]
        return before if before.end == offset else token
    return token


# -- hover


def hover(chunk: Chunk, offset: int) -> Hover | None:
    """What is known of what stands at an offset."""
    token = name_at(chunk, offset)
    if token is None:
        return None
    text = _described(chunk, token)
    return None if text is None else Hover(text, token.start, token.end)


def with_paragraph(text: str, paragraph: str) -> str:
    """A hover's text with a paragraph behind the code with which it begins."""
    head, end, rest = text.partition("\n```\n")
    return f"{head}{end}\n{paragraph}\n{rest}" if end else f"{text}\n\n{paragraph}"


def kernel(chunk: Chunk, offset: int) -> Kernel | None:
    """The kernel of which a hover at an offset tells: that of a gpu operation, or a symbol's."""
    token = name_at(chunk, offset)
    if token is None:
        return None
    if token.text[:1] == "@":
        found = chunk.definition(token)
        target = None if found is None else found.target
        if not isinstance(target, Operation) or not is_kernel_function(target):
            return None
        return kernel_of(target)
    record = chunk.record_at(token.start)
    if record is None or record.name_at != token.start:
        return None
    of_gpu = record.op.name.startswith("gpu.") or is_kernel_function(record.op)
    return kernel_of(record.op) if of_gpu else None


def _described(chunk: Chunk, token: Token) -> str | None:
    definition = chunk.definition(token)
    if definition is not None:
        return _definition_text(chunk, definition, chunk.result_number(token))
    record = chunk.record_at(token.start)
    if record is not None and record.name_at == token.start:
        return _operation_text(chunk, record)
    if token.text[:1] in "!#":
        return _kind_text(token.text)
    if record is None:
        spec = op_spec(token.text) if "." in token.text else None
        return None if spec is None else _documentation(spec.name)
    return _attribute_text(record.op, token.text)


def _definition_text(chunk: Chunk, definition: Definition, number: int) -> str | None:
    target = definition.target
    if definition.values:
        if number >= len(definition.values):
            return None
        return _value_text(definition.name, definition.values[number], number)
    if isinstance(target, Block):
        types = ", ".join(shown(argument.type) for argument in target.args)
        owner = target.parent_op()
        where = "" if owner is None else f" of `{owner.name}`"
        count = sum(1 for _ in target.predecessors())
        return f"{_code(f'{definition.name}({types})')}\nBlock{where}, {count} predecessors"
    if isinstance(target, Operation):
        record = chunk.record_of(target)
        return None if record is None else _symbol_text(chunk, record)
    if isinstance(target, Attribute):
        return _code(f"{definition.name} = {shown(target)}")
    return None


def _code(text: str) -> str:
    return f"```mlir\n{text}\n```"


def _value_text(name: str, value: SSAValue, number: int) -> str:
    shown_name = f"{name}#{number}" if number else name
    lines = [_code(f"{shown_name} : {shown(value.type)}"), _origin(value)]
    constant = constant_of(value)
    if constant is not None:
        lines.append(f"Constant: `{shown(constant)}`")
    else:
        lines += _known_lines(value)
    return "\n\n".join(lines)


def _origin(value: SSAValue) -> str:
    uses = sum(1 for _ in value.uses)
    used = f"; {uses} use{'' if uses == 1 else 's'}"
    if isinstance(value, OpResult):
        spec = op_spec(value.op.name)
        named = ""
        if spec is not None and len(spec.results) == len(value.op.results):
            name = spec.results[value.index].name
            named = f" (`{name}`)" if name else ""
        return f"Result {value.index}{named} of `{value.op.name}`{used}"
    assert isinstance(value, BlockArgument)
    owner = value.block.parent_op()
    where = "a block" if owner is None else f"a block of `{owner.name}`"
    return f"Argument {value.index} of {where}{used}"


def _known_lines(value: SSAValue) -> Iterator[str]:
    """What is known of a value that is no constant of its own: what it folds to, or its range."""
    owner = value.owner
    root = owner if isinstance(owner, Operation) else owner.parent_op()
    while root is not None and "FunctionOpInterface" not in traits_of(root.name):
        root = root.parent_op()
    if root is None:
        return
    if any(count > _LONG_FUNCTION for count, _ in enumerate(root.walk())):
        root, value = _slice(value)
    try:
        constants = ConstantDomain()
        Solver(constants).run(root)
        found = infer_ranges(root).known.get(value)
    except DiagnosticError:
        return
    constant = constants.constant(value)
    if constant is None and found is not None and found.constant is not None:
        constant = make(value.type, found.constant)
    if constant is not None:
        yield f"Always `{shown(constant)}`"
    elif found is not None:
        width = found.width
        if found.smin > -(1 << (width - 1)) or found.smax < (1 << (width - 1)) - 1:
            yield f"Between `{found.smin}` and `{found.smax}`"


def _slice(value: SSAValue) -> tuple[Operation, SSAValue]:
    """A module with a copy of the last operations that a value depends on, and its copy; what they
    need besides, and results of operations with regions, are arguments."""
    wanted: dict[Operation, None] = {}
    queue = [value]
    for needed in queue:  # the nearest first
        op = needed.owner
        if isinstance(op, Block) or op.regions or op in wanted:
            continue
        if len(wanted) == _LONG_SLICE:
            break
        wanted[op] = None
        queue += op.operands
    block = Block()
    copies: dict[SSAValue, SSAValue] = {}
    stack = [(op, False) for op in reversed(wanted)]
    seen: set[Operation] = set()
    while stack:
        op, has_operands = stack.pop()
        if has_operands:
            for operand in op.operands:
                if operand not in copies:
                    copies[operand] = block.insert_arg(operand.type, len(block.args))
            block.add_op(op.clone(copies))
        elif op not in seen:
            seen.add(op)
            stack.append((op, True))
            owners = [operand.owner for operand in op.operands]
            stack += [(o, False) for o in owners if isinstance(o, Operation) and o in wanted]
    copy = copies.get(value) or block.insert_arg(value.type, len(block.args))
    return ModuleOp(Region(block)), copy


def _operation_text(chunk: Chunk, record: Record) -> str:
    op = record.op
    lines = [_code(_head(chunk, record))]
    if op.operands:
        lines.append("Operands: " + ", ".join(f"`{shown(v.type)}`" for v in op.operands))
    if op.results:
        lines.append("Results: " + ", ".join(f"`{shown(v.type)}`" for v in op.results))
    documentation = _documentation(op.name, type(op))
    return "\n\n".join([*lines, *([documentation] if documentation else [])])


def _head(chunk: Chunk, record: Record) -> str:
    """The text of an operation up to its first region."""
    end = record.end
    if record.op.regions and record.children:
        end = chunk.text.rfind("{", record.name_at, record.children[0].start) + 1 or end
    text = chunk.text[record.start : end]
    lines = text.splitlines()[:_MOST_LINES]
    return "\n".join(line[:_MOST_CHARACTERS] for line in lines)


def _documentation(name: str, cls: type[Operation] | None = None) -> str | None:
    spec = op_spec(name)
    if spec is None:
        words = None if cls is None else cls.__doc__
        return f"```text\n{words.strip()}\n```" if words else None
    return f"```text\n{docstring(spec).rstrip()}\n```"


def _symbol_text(chunk: Chunk, record: Record) -> str:
    uses = 0
    token = chunk.symbol_token(record)
    if token is not None and (definition := chunk.definition(token)) is not None:
        uses = sum(1 for _ in chunk.uses(definition)) - 1
    return f"{_code(_head(chunk, record))}\nSymbol of `{record.op.name}`; {uses} references"


def _kind_text(name: str) -> str | None:
    """A type or attribute of a dialect."""
    if "." not in name:
        return None
    spec = attr_spec(name if name.startswith("!") else name[1:]) or attr_spec(name[1:])
    if spec is None:
        return None
    what = "type" if spec.is_type else "attribute"
    parameters = "".join(f"\n    {p.name}: {p.kind}" for p in spec.parameters)
    summary = f": {spec.summary}" if spec.summary else ""
    return f"```text\nMLIR's {what} {spec.name.lstrip('!')}{summary}{parameters}\n```"


def _attribute_text(op: Operation, word: str) -> str | None:
    """The attribute of an operation that a word names."""
    spec = op_spec(op.name)
    field = None if spec is None else next((a for a in spec.attrs if a.name == word), None)
    if field is None:
        return None
    value = op.properties.get(word) or op.attributes.get(word)
    words = field.constraint.summary or field.constraint.name
    now = "" if value is None else f"\n\nHere: `{shown(value)}`"
    return f"Attribute `{word}` of `{op.name}`: {words}{now}"


# -- definitions, uses, names


def definition(chunk: Chunk, offset: int) -> Definition | None:
    """Where the name at an offset is defined."""
    token = name_at(chunk, offset)
    return None if token is None else chunk.definition(token)


def references(chunk: Chunk, offset: int) -> list[Token]:
    """All places of the name at an offset, its definition first."""
    found = definition(chunk, offset)
    if found is None:
        return []
    return sorted(chunk.uses(found), key=lambda token: (token.start != found.start, token.start))


_NAMES = {
    "%": re.compile(r"[0-9]+|[A-Za-z$._-][A-Za-z0-9$._-]*", re.ASCII),
    "^": re.compile(r"[0-9]+|[A-Za-z$._-][A-Za-z0-9$._-]*", re.ASCII),
    "@": re.compile(r"[A-Za-z_][A-Za-z0-9_$.]*", re.ASCII),
    "#": re.compile(r"[A-Za-z_][A-Za-z0-9_$]*", re.ASCII),
    "!": re.compile(r"[A-Za-z_][A-Za-z0-9_$]*", re.ASCII),
}


def renamable(chunk: Chunk, offset: int) -> Token | None:
    """The name at an offset, where it can have another one."""
    found = definition(chunk, offset)
    return None if found is None else name_at(chunk, offset)


def rename(chunk: Chunk, offset: int, name: str) -> tuple[str, list[Token]]:
    """The new name with its sigil, and the tokens that it replaces. UsageError where it is no name,
    or another thing has it."""
    found = definition(chunk, offset)
    if found is None:
        raise UsageError("there is no name here that can be changed")
    sigil = found.name[0]
    plain = name.removeprefix(sigil)
    if _NAMES[sigil].fullmatch(plain) is None:
        raise UsageError(f"'{name}' is no name of this kind")
    new = sigil + plain
    places = list(chunk.uses(found))
    if new != found.name and _is_taken(chunk, found, new, places):
        raise UsageError(f"'{new}' is defined already")
    return new, places


def _is_taken(chunk: Chunk, found: Definition, new: str, places: list[Token]) -> bool:
    """Whether another definition of the name is seen where this one is, or the other way round."""
    if new[0] == "@":
        record = chunk.record_at(found.start)
        table = None if record is None else record.parent
        symbols = chunk.top if table is None else table.symbols.values()
        return any(symbol_name(other.op) == new[1:] for other in symbols)
    for other in chunk.definitions:
        if other.name != new:
            continue
        if other.scope.holds(found.start) or found.scope.holds(other.start):
            return True
        if any(other.scope.holds(place.start) for place in places):
            return True
    return False


# -- outline


def symbols(chunk: Chunk) -> list[Symbol]:
    """The outline: operations that are symbols, and what they hold."""
    return list(_symbols_of(chunk, chunk.top))


def _symbols_of(chunk: Chunk, records: list[Record]) -> Iterator[Symbol]:
    for record in records:
        inner = list(_symbols_of(chunk, record.children))
        op = record.op
        name = symbol_name(op)
        if name is None and op.name != "builtin.module":
            yield from inner
            continue
        token = chunk.symbol_token(record)
        start = record.name_at if token is None else token.start
        end = start + (len(op.name) if token is None else len(token.text))
        yield Symbol(
            name or "module", op.name, _symbol_kind(op), record.start, record.end,
            start, min(end, record.end), inner,
        )  # fmt: skip


def _symbol_kind(op: Operation) -> str:
    if op.name.endswith(".module"):
        return "module"
    return "function" if "FunctionOpInterface" in traits_of(op.name) else "variable"
