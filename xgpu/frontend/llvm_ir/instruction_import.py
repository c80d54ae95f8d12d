# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bodies of functions and of initializers: instructions as operations of the llvm dialect, in
`IMPORTERS` by opcode.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import attrgetter

from xdsl.dialects.builtin import (
    DenseArrayBase,
    IntegerAttr,
    IntegerType,
    StringAttr,
    UnitAttr,
    VectorType,
    i32,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.ir import Block as IRBlock

from xgpu.core import ods
from xgpu.core.ir.dominance import post_order
from xgpu.core.ods.operation import segment_sizes
from xgpu.core.rewriting.builder import Builder
from xgpu.dialects.llvm.attributes import ATOMIC_RMW, DYNAMIC_INDEX, FCMP, ICMP
from xgpu.dialects.llvm.types import LLVMStructType
from xgpu.frontend.llvm_ir import constant_import
from xgpu.frontend.llvm_ir.body import Body
from xgpu.frontend.llvm_ir.call_import import add_label, add_records, call, invoke
from xgpu.frontend.llvm_ir.constant_import import elements, fast_math
from xgpu.frontend.llvm_ir.metadata_import import Context
from xgpu.frontend.llvm_ir.model import Block, Constant, Function, GlobalObject, Instruction, Value

# --- branch import -------------------------------------------------------------------------------
# Terminators other than invoke.


def branch(b: Body, i: Instruction) -> None:
    """`br` with a condition or without"""
    targets = i.extra["successors"]
    handed = [b.edge(i, target) for target in targets]
    successors = [b.blocks[target] for target in targets]
    if len(targets) == 1:
        b.create("llvm.br", handed[0], successors=successors)
        return
    condition = b.value(i.operands[0])
    sizes = segment_sizes((1, len(handed[0]), len(handed[1])))
    b.create(
        "llvm.cond_br",
        (condition, *handed[0], *handed[1]),
        (),
        {"operandSegmentSizes": sizes},
        successors=successors,
    )


def switch(b: Body, i: Instruction) -> None:
    condition = b.value(i.operands[0])
    default, *targets = i.extra["successors"]
    first = b.edge(i, default)
    handed = [b.edge(i, target) for target in targets]
    flat = [value for values in handed for value in values]
    properties: dict[str, Attribute] = {
        "operandSegmentSizes": segment_sizes((1, len(first), len(flat))),
        "case_operand_segments": _lengths(handed),
    }
    if cases := i.extra["cases"]:
        t = cases[0].type
        kind = VectorType(t, (len(cases),))
        properties["case_values"] = elements(kind, [case.data for case in cases])
    b.create(
        "llvm.switch",
        (condition, *first, *flat),
        (),
        properties,
        successors=[b.blocks[default], *(b.blocks[target] for target in targets)],
    )


def _lengths(groups: Sequence[Sequence[SSAValue]]) -> DenseArrayBase[IntegerType]:
    return DenseArrayBase.from_list(i32, [len(group) for group in groups])


def indirect_branch(b: Body, i: Instruction) -> None:
    address = b.value(i.operands[0])
    targets = i.extra["successors"]
    handed = [b.edge(i, target) for target in targets]
    b.create(
        "llvm.indirectbr",
        (address, *(value for values in handed for value in values)),
        (),
        {"indbr_operand_segments": _lengths(handed)},
        successors=[b.blocks[target] for target in targets],
    )


def ret(b: Body, i: Instruction) -> None:
    b.create("llvm.return", b.operands(i.operands))


def unreachable(b: Body, i: Instruction) -> None:
    b.create("llvm.unreachable")


def resume(b: Body, i: Instruction) -> None:
    b.create("llvm.resume", b.operands(i.operands))


def landing_pad(b: Body, i: Instruction) -> None:
    """It begins the block that an invoke unwinds to."""
    properties = {"cleanup": UnitAttr()} if i.flags else {}
    op = b.create("llvm.landingpad", b.operands(i.operands), (i.type,), properties)
    b.values[i] = op.results[0]


BRANCHES = {
    "br": branch,
    "switch": switch,
    "indirectbr": indirect_branch,
    "ret": ret,
    "unreachable": unreachable,
    "resume": resume,
    "landingpad": landing_pad,
}


# --- instruction import --------------------------------------------------------------------------
# Instructions as operations of the llvm dialect, in `IMPORTERS` by opcode.


Importer = Callable[[Body, Instruction], None]

UNIT = UnitAttr()
_OVERFLOW = {"nsw": 1, "nuw": 2}
#: `inbounds` means `nusw` too.
_NO_WRAP = {"inbounds": 3, "nusw": 2, "nuw": 4}
_ORDERING = {
    "unordered": 1,
    "monotonic": 2,
    "acquire": 4,
    "release": 5,
    "acq_rel": 6,
    "seq_cst": 7,
}


def _overflow(i: Instruction) -> dict[str, Attribute]:
    return {"overflowFlags": IntegerAttr(sum(_OVERFLOW[f] for f in i.flags), i32)}


def _exact(i: Instruction) -> dict[str, Attribute]:
    return {"isExact": UNIT} if i.flags else {}


def _disjoint(i: Instruction) -> dict[str, Attribute]:
    return {"isDisjoint": UNIT} if i.flags else {}


def _non_negative(i: Instruction) -> dict[str, Attribute]:
    return {"nonNeg": UNIT} if i.flags else {}


def _fast(i: Instruction) -> dict[str, Attribute]:
    return fast_math(i.flags)


def _nothing(i: Instruction) -> dict[str, Attribute]:
    return {}


def _plain(
    name: str, properties: Callable[[Instruction], dict[str, Attribute]] = _nothing
) -> Importer:
    """An operation of the same operands and result."""

    def convert(b: Body, i: Instruction) -> None:
        op = b.create(name, b.operands(i.operands), (i.type,), properties(i))
        b.values[i] = op.results[0]

    return convert


def _predicate(b: Body, i: Instruction, names: tuple[str, ...]) -> dict[str, Attribute]:
    return {"predicate": IntegerAttr(names.index(i.extra["predicate"]), i64)}


def icmp(b: Body, i: Instruction) -> None:
    op = b.create("llvm.icmp", b.operands(i.operands), (i.type,), _predicate(b, i, ICMP))
    b.values[i] = op.results[0]


def fcmp(b: Body, i: Instruction) -> None:
    properties = {**_predicate(b, i, FCMP), **fast_math(i.flags)}
    op = b.create("llvm.fcmp", b.operands(i.operands), (i.type,), properties)
    b.values[i] = op.results[0]


# --- vectors and aggregates ----------------------------------------------------------------------
def _positioned(name: str) -> Importer:
    """extractvalue and insertvalue"""

    def convert(b: Body, i: Instruction) -> None:
        properties = {"position": b.position(i.extra["position"])}
        op = b.create(name, b.operands(i.operands), (i.type,), properties)
        b.values[i] = op.results[0]

    return convert


def shuffle_vector(b: Body, i: Instruction) -> None:
    properties = {"mask": DenseArrayBase.from_list(i32, list(i.extra["mask"]))}
    op = b.create("llvm.shufflevector", b.operands(i.operands), (i.type,), properties)
    b.values[i] = op.results[0]


# --- memory --------------------------------------------------------------------------------------
def _access(i: Instruction) -> dict[str, Attribute]:
    """Alignment, volatility and scope of an access of memory."""
    found: dict[str, Attribute] = {}
    if (align := i.extra.get("align")) is not None:
        found["alignment"] = IntegerAttr(align, i64)
    if "volatile" in i.flags:
        found["volatile_"] = UNIT
    if (scope := i.extra.get("syncscope")) is not None:
        found["syncscope"] = StringAttr(scope)
    return found


def ordering(name: str | None) -> IntegerAttr:
    return IntegerAttr(_ORDERING[name] if name else 0, i64)


def _memory(b: Body, i: Instruction, name: str, kinds: dict[str, str]) -> None:
    """load and store: `kinds` are metadata that MLIR has flags for."""
    properties = _access(i)
    if (order := i.extra.get("ordering")) is not None:
        properties["ordering"] = ordering(order)
    if i.metadata:
        properties.update({flag: UNIT for kind, flag in kinds.items() if kind in i.metadata})
    results = (i.type,) if name == "llvm.load" else ()
    op = b.create(name, b.operands(i.operands), results, properties)
    if results:
        b.values[i] = op.results[0]


_STORE_FLAGS = {"nontemporal": "nontemporal", "invariant.group": "invariantGroup"}
_LOAD_FLAGS = {**_STORE_FLAGS, "invariant.load": "invariant"}


def load(b: Body, i: Instruction) -> None:
    _memory(b, i, "llvm.load", _LOAD_FLAGS)


def store(b: Body, i: Instruction) -> None:
    _memory(b, i, "llvm.store", _STORE_FLAGS)


def compare_exchange(b: Body, i: Instruction) -> None:
    properties = _access(i)
    properties["success_ordering"] = ordering(i.extra["ordering"])
    properties["failure_ordering"] = ordering(i.extra["failure"])
    if "weak" in i.flags:
        properties["weak"] = UNIT
    op = b.create("llvm.cmpxchg", b.operands(i.operands), (i.type,), properties)
    b.values[i] = op.results[0]


def atomic_rmw(b: Body, i: Instruction) -> None:
    operation = i.extra["operation"]
    if operation not in ATOMIC_RMW:
        raise b.messages.unhandled("instruction", i)
    properties = _access(i)
    properties["bin_op"] = IntegerAttr(ATOMIC_RMW.index(operation), i64)
    properties["ordering"] = ordering(i.extra["ordering"])
    op = b.create("llvm.atomicrmw", b.operands(i.operands), (i.type,), properties)
    b.values[i] = op.results[0]


def fence(b: Body, i: Instruction) -> None:
    properties = _access(i)
    properties["ordering"] = ordering(i.extra["ordering"])
    b.create("llvm.fence", (), (), properties)


def alloca(b: Body, i: Instruction) -> None:
    properties: dict[str, Attribute] = {"elem_type": i.extra["element"]}
    if (align := i.extra.get("align")) is not None:
        properties["alignment"] = IntegerAttr(align, i64)
    if "inalloca" in i.flags:
        properties["inalloca"] = UNIT
    op = b.create("llvm.alloca", b.operands(i.operands), (i.type,), properties)
    b.values[i] = op.results[0]


def get_element_pointer(b: Body, i: Instruction) -> None:
    """Indices into structs are numbers in MLIR, all others operands."""
    base, *indices = i.operands
    operands = [b.value(base)]
    numbers: list[int] = []
    inside: Attribute | None = None
    for place, index in enumerate(indices):
        value = b.value(index)
        number = None
        if place and isinstance(inside, LLVMStructType):
            number = _number(index)
            inside = inside.body[number] if number is not None else None
        elif place and inside is not None:
            inside = getattr(inside, "element_type", None)
        else:
            inside = i.extra["source"]
        if number is None:
            operands.append(value)
            number = DYNAMIC_INDEX
        numbers.append(number)
    bits = 0
    for flag in i.flags:
        bits |= _NO_WRAP[flag]
    properties = {
        "rawConstantIndices": DenseArrayBase.from_list(i32, numbers),
        "elem_type": i.extra["source"],
        "noWrapFlags": IntegerAttr(bits, i32),
    }
    op = b.create("llvm.getelementptr", operands, (i.type,), properties)
    b.values[i] = op.results[0]


def _number(index: Value) -> int | None:
    """The number of an index, or that all elements of a vector of indices are."""
    if not isinstance(index, Constant):
        return None
    if index.kind == "int":
        return index.data
    if index.kind == "zero":
        return 0
    if index.kind == "data" and len(set(index.data)) == 1:
        return index.data[0]
    return None


IMPORTERS: dict[str, Importer] = {
    **{n: _plain(f"llvm.{n}", _overflow) for n in ("add", "sub", "mul", "shl", "trunc")},
    **{n: _plain(f"llvm.{n}", _exact) for n in ("udiv", "sdiv", "lshr", "ashr")},
    **{n: _plain(f"llvm.{n}") for n in ("urem", "srem", "and", "xor")},
    "or": _plain("llvm.or", _disjoint),
    **{
        n: _plain(f"llvm.{n}", _fast)
        for n in ("fadd", "fsub", "fmul", "fdiv", "frem", "fneg", "select")
    },
    **{
        n: _plain(f"llvm.{n}")
        for n in (
            *("sext", "fptosi", "fptoui", "sitofp", "ptrtoint", "inttoptr", "bitcast"),
            *("addrspacecast", "fptrunc", "fpext", "freeze", "va_arg"),
            *("extractelement", "insertelement"),
        )
    },
    **{n: _plain(f"llvm.{n}", _non_negative) for n in ("zext", "uitofp")},
    "icmp": icmp,
    "fcmp": fcmp,
    "extractvalue": _positioned("llvm.extractvalue"),
    "insertvalue": _positioned("llvm.insertvalue"),
    "shufflevector": shuffle_vector,
    "load": load,
    "store": store,
    "cmpxchg": compare_exchange,
    "atomicrmw": atomic_rmw,
    "fence": fence,
    "alloca": alloca,
    "getelementptr": get_element_pointer,
    "call": call,
    "invoke": invoke,
    **BRANCHES,
}


def instruction(b: Body, i: Instruction) -> None:
    """The operation of an instruction; `b.values` has its result afterwards."""
    convert = IMPORTERS.get(i.opcode)
    if convert is None:
        raise b.messages.unhandled("instruction", i)
    convert(b, i)


# --- body import ---------------------------------------------------------------------------------
# The body of a function, or of a global's initializer.
#
# Blocks are visited so that a value's definition comes before its uses: the blocks that can be
# reached from the entry, in reverse post-order. Phis are block arguments, and what comes in along
# an edge stands at the branch. Unreachable blocks are left out. Debug records come last, each
# right behind the value that it is about, where it is dominated.


def _body(context: Context, op: Operation) -> Body:
    return Body(context, op.regions[0], constant_import.convert, instruction)


def initializer(context: Context, found: GlobalObject, constant: Constant, op: Operation) -> None:
    """The region of the global `op`: the constant, and its return."""
    body = _body(context, op)
    body.current = found
    block = IRBlock()
    body.region.add_block(block)
    body.constant_block = block
    value = body.constant(constant)
    Builder(block=block, location=op.location).create("llvm.return", (value,))


def function_body(context: Context, function: Function, op: Operation) -> None:
    """All blocks of a function that has a body."""
    body = _body(context, op)
    order = post_order(function.blocks[0], attrgetter("successors"), set())[::-1]
    reached = set(order)
    for block in function.blocks:
        if block not in reached:
            if block.address_taken:
                name = block.key[1:]
                raise context.messages.error(
                    f"unreachable block '{name}' with address taken", function
                )
            continue
        body.blocks[block] = made = IRBlock()
        body.region.add_block(made)
    entry = body.blocks[function.blocks[0]]
    for argument in function.arguments:
        added = entry.insert_arg(argument.type, len(entry.args))
        added.location = op.location
        name = argument.key[1:]
        if body.context.options.keep_names and added.is_valid_name(name) and not name.isdigit():
            added.name_hint = name
        body.values[argument] = added
    body.constant_block = entry
    for block in order:
        _block(body, block)
    if body.debug:
        add_records(body, op)


def _block(body: Body, block: Block) -> None:
    made = body.blocks[block]
    body.builder = Builder(block=made)
    debug = body.context.debug
    for i in block.instructions:
        body.current = i
        location = debug.location(i.metadata.get("dbg"))
        body.builder.location = location
        body.operation = None
        if i.opcode == "phi":
            argument = made.insert_arg(i.type, len(made.args))
            argument.location = location
            body.values[i] = argument
            continue
        if i.debug:
            _records(body, i)
        body.instruction(i)
        if body.operation is not None:
            body.context.attachments.add(i, body.operation)
    if block.address_taken:
        _tag(body, block, made)


def _records(body: Body, instruction: Instruction) -> None:
    """Keeps records about variables for later; labels come where they stand."""
    for record in instruction.debug:
        if record.kind != "label":
            body.debug.append(record)
            continue
        add_label(body, record)


def _tag(body: Body, block: Block, made: IRBlock) -> None:
    """`llvm.blocktag`, which says what `llvm.blockaddress` means."""
    tag = ods.attr_class("llvm.blocktag")
    builder = Builder(block=made)
    builder.anchor = made.first_op
    assert body.region.parent is not None
    builder.location = body.region.parent.location
    builder.create("llvm.blocktag", (), (), {"tag": tag(block.number)})
