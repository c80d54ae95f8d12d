# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bodies of functions: blocks, values by name, and a parser for each kind of instruction, in
`READERS` by opcode.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from xdsl.dialects.builtin import IntegerType, VectorType, i1
from xdsl.ir import Attribute

from xgpu.dialects.llvm.types import LLVMFunctionType, LLVMPointerType, LLVMStructType
from xgpu.frontend.llvm_ir.constant_parser import ConstantParser, MetadataParser, shuffle_mask
from xgpu.frontend.llvm_ir.model import (
    FAST_MATH,
    ORDERINGS,
    Attributes,
    Block,
    Constant,
    DebugRecord,
    Function,
    InlineAssembly,
    Instruction,
    Metadata,
    MetadataValue,
    Value,
    convention,
    is_convention,
)
from xgpu.frontend.llvm_ir.source import Cursor, SyntaxFault, decoded
from xgpu.frontend.llvm_ir.type_parser import (
    LABEL,
    METADATA,
    POINTER,
    VOID,
    AttributeParser,
    TypeParser,
    pointer_result,
)

# --- function parser -----------------------------------------------------------------------------
# The body of a function: its blocks, its values by name, its debug records.
#
# A value may be used before its definition stands in the text, and a block before its label. Both
# are made when first mentioned, and filled in at their definition.


Readers = Mapping[str, Callable[["FunctionParser", Instruction], None]]


class FunctionParser:
    """Reads one body. `parsers` has what reads an instruction, by opcode."""

    __slots__ = (
        "attributes",
        "blocks",
        "constants",
        "cursor",
        "function",
        "metadata",
        "readers",
        "types",
        "undefined",
        "values",
    )

    def __init__(
        self,
        function: Function,
        attributes: AttributeParser,
        constants: ConstantParser,
        metadata: MetadataParser,
        readers: Readers,
    ) -> None:
        self.function = function
        self.readers = readers
        self.cursor: Cursor = constants.cursor
        self.types: TypeParser = constants.types
        self.attributes = attributes
        self.constants = constants
        self.metadata = metadata
        self.values: dict[str, Value] = {a.key: a for a in function.arguments}
        #: values that were used and not yet defined -> where
        self.undefined: dict[str, int] = {}
        self.blocks: dict[str, Block] = {}

    # --- values ------------------------------------------------------------------------------
    def typed(self) -> Value:
        """A type and a value of it."""
        return self.value(self.types.read())

    def value(self, t: Attribute) -> Value:
        """A value of type `t`."""
        cursor = self.cursor
        token = cursor.tokens[cursor.at]
        if token[:1] == "%":
            cursor.at += 1
            found = self.values.get(token)
            if found is None:
                self.undefined[token] = cursor.at - 1
                found = self.values[token] = Instruction()
                found.type = t
            return found
        if t is METADATA:
            metadata = self.metadata.read(self.typed)
            if metadata is None:
                cursor.fail("expected metadata", cursor.at - 1)
            return MetadataValue(t, metadata)
        return self.constants.read(t)

    def block(self, key: str) -> Block:
        """The block `%key`."""
        found = self.blocks.get(key)
        if found is None:
            found = self.blocks[key] = Block(key, len(self.blocks))
        return found

    def label(self) -> Block:
        """`label %x`"""
        self.cursor.expect("label")
        return self.block(self.cursor.next())

    # --- the body ----------------------------------------------------------------------------
    def read(self) -> None:
        """`{ ... }`"""
        cursor, tokens = self.cursor, self.cursor.tokens
        cursor.expect("{")
        self._addressed_blocks()
        self.constants.mentioned = self._mentioned
        records: list[DebugRecord] = []
        block: Block | None = None
        while True:
            token = tokens[cursor.at]
            if token == "}":
                break
            if token[-1:] == ":":
                cursor.at += 1
                block = self._begin("%" + token[:-1])
                continue
            if block is None:
                # LLVM leaves out the label of the entry block if it has no name.
                unnamed = sum(a.key[1:].isdigit() for a in self.function.arguments)
                block = self._begin(f"%{unnamed}")
            if token[:5] == "#dbg_":
                records.append(self._record())
                continue
            instruction = self._instruction(block)
            if records:
                instruction.debug = records
                records = []
        for token in self.undefined.values():
            cursor.fail("expected a value that is defined", token)
        cursor.expect("}")

    def _addressed_blocks(self) -> None:
        """Makes the blocks whose addresses were taken before: LLVM's parser meets them first."""
        own = self.function.key
        taken = sorted(
            (b[1:] for f, b in self.constants.block_addresses if f == own),
            key=lambda name: (int(name), "") if name.isdigit() else (-1, name),
        )
        for name in taken:
            self.block("%" + name)

    def _mentioned(self, function: str, block: str) -> None:
        """The address of a block of this function makes the block, as a branch to it does."""
        if function == self.function.key:
            self.block(block)

    def _begin(self, key: str) -> Block:
        block = self.block(key)
        self.function.blocks.append(block)
        return block

    def _instruction(self, block: Block) -> Instruction:
        cursor, tokens = self.cursor, self.cursor.tokens
        start = cursor.at
        name = tokens[start]
        if name[:1] == "%":
            cursor.at += 2  # the equals sign
            instruction = self._defined(name)
        else:
            instruction = Instruction()
        instruction.token = start
        instruction.block = block
        opcode = cursor.next()
        instruction.opcode = opcode
        read = self.readers.get(opcode)
        if read is None:
            cursor.fail("expected an instruction", cursor.at - 1)
        instruction.type = VOID
        read(self, instruction)
        token = tokens[cursor.at]
        if token == "," or token[:1] == "!":
            instruction.metadata = dict(self.metadata.attachments())
        block.instructions.append(instruction)
        return instruction

    def _defined(self, name: str) -> Instruction:
        known = self.values.get(name)
        if known is None:
            instruction = Instruction()
            self.values[name] = instruction
            return instruction
        if self.undefined.pop(name, None) is None:
            self.cursor.fail("expected a name that is not defined yet", self.cursor.at - 2)
        assert isinstance(known, Instruction)
        return known

    def _record(self) -> DebugRecord:
        """`#dbg_value(ptr %x, !1, !DIExpression(), !2)`"""
        cursor = self.cursor
        start = cursor.at
        kind = cursor.next()[5:]
        cursor.expect("(")
        operands: list[Value | Metadata | None] = []
        while not cursor.accept(")"):
            operands.append(self.metadata.read(self.typed))
            cursor.accept(",")
        return DebugRecord(kind, operands, start)


# --- call parser ---------------------------------------------------------------------------------
# Calls and invokes, of functions and of assembly.


_ASSEMBLY_FLAGS = ("sideeffect", "alignstack", "inteldialect", "unwind")


def read_convention(cursor: Cursor) -> str:
    """MLIR's name of the calling convention that may stand here."""
    token = cursor.peek()
    if not is_convention(token):
        return "ccc"
    found = convention(token)
    if found is None:
        raise SyntaxFault(f"unsupported calling convention '{token}'", cursor.at)
    cursor.at += 1
    if token.startswith("riscv_") and cursor.accept("("):
        cursor.next()
        cursor.expect(")")
    return found


def call(r: FunctionParser, i: Instruction) -> None:
    """`tail call fast fastcc zeroext i32 @f(i32 1) #2 [ "tag"(i32 1) ]`"""
    if i.opcode != "call":
        i.extra["tail"] = i.opcode
        i.opcode = "call"
        r.cursor.expect("call")
    cursor = r.cursor
    while (token := cursor.tokens[cursor.at]) in FAST_MATH:
        i.flags.append(token)
        cursor.at += 1
    _call(r, i)


def invoke(r: FunctionParser, i: Instruction) -> None:
    """`invoke void @f() to label %a unwind label %b`"""
    _call(r, i)
    r.cursor.expect("to")
    normal = r.label()
    r.cursor.expect("unwind")
    successors: list[Block] = [normal, r.label()]
    i.extra["successors"] = successors


def _call(r: FunctionParser, i: Instruction) -> None:
    """What calls and invokes share. The operands are the arguments; `extra` holds the callee, the
    function's type, the attributes and the bundles."""
    cursor, extra = r.cursor, i.extra
    extra["convention"] = read_convention(cursor)
    extra["result_attributes"] = r.attributes.read()
    space = r.types.address_space()
    result = r.types.read()
    variadic = r.types.function(result) if cursor.peek() == "(" else None
    extra["callee"] = _callee(r, space)
    arguments: list[Value] = []
    attributes: list[Attributes] = []
    cursor.expect("(")
    while not cursor.accept(")"):
        t = r.types.read()
        attributes.append(r.attributes.read())
        arguments.append(r.value(t))
        cursor.accept(",")
    i.operands = arguments
    i.type = result
    extra["argument_attributes"] = attributes
    extra["type"] = variadic or LLVMFunctionType([a.type for a in arguments], result)
    extra["attributes"] = r.attributes.read()
    extra["bundles"] = _bundles(r) if cursor.peek() == "[" else []


def _callee(r: FunctionParser, space: int) -> Value:
    cursor = r.cursor
    if not cursor.accept("asm"):
        return r.value(LLVMPointerType(space) if space else POINTER)
    found: list[str] = []
    while cursor.peek() in _ASSEMBLY_FLAGS:
        found.append(cursor.next())
    text = decoded(cursor.string())
    cursor.expect(",")
    return InlineAssembly(text, decoded(cursor.string()), found)


def _bundles(r: FunctionParser) -> list[tuple[str, list[Value]]]:
    """`[ "tag"(i32 1, ptr %x), ... ]`"""
    cursor = r.cursor
    found: list[tuple[str, list[Value]]] = []
    cursor.expect("[")
    while not cursor.accept("]"):
        tag = decoded(cursor.string())
        values: list[Value] = []
        cursor.expect("(")
        while not cursor.accept(")"):
            values.append(r.typed())
            cursor.accept(",")
        found.append((tag, values))
        cursor.accept(",")
    return found


# --- instruction parser --------------------------------------------------------------------------
# Instructions as LLVM prints them: a parser for each kind, in `READERS` by opcode.
#
# A parser finds the cursor behind the opcode, and leaves it before the metadata.


Reader = Callable[[FunctionParser, Instruction], None]

_I32 = IntegerType(32)


def flags(r: FunctionParser, i: Instruction, known: frozenset[str]) -> None:
    """The keywords behind an opcode."""
    cursor = r.cursor
    while (token := cursor.tokens[cursor.at]) in known:
        i.flags.append(token)
        cursor.at += 1


def _flagged(*names: str) -> frozenset[str]:
    return frozenset(names)


_WRAP = _flagged("nuw", "nsw")
_EXACT = _flagged("exact")
_NONE = frozenset[str]()


def _binary(known: frozenset[str]) -> Reader:
    """`add nsw i32 %a, %b`"""

    def read(r: FunctionParser, i: Instruction) -> None:
        flags(r, i, known)
        t = i.type = r.types.read()
        first = r.value(t)
        r.cursor.expect(",")
        i.operands = [first, r.value(t)]

    return read


def _unary(known: frozenset[str]) -> Reader:
    """`fneg fast float %a`, `freeze i32 %a`"""

    def read(r: FunctionParser, i: Instruction) -> None:
        flags(r, i, known)
        i.type = r.types.read()
        i.operands = [r.value(i.type)]

    return read


def _cast(known: frozenset[str]) -> Reader:
    """`zext nneg i32 %a to i64`"""

    def read(r: FunctionParser, i: Instruction) -> None:
        flags(r, i, known)
        i.operands = [r.typed()]
        r.cursor.expect("to")
        i.type = r.types.read()

    return read


def _compare(known: frozenset[str]) -> Reader:
    """`icmp slt i32 %a, %b`"""

    def read(r: FunctionParser, i: Instruction) -> None:
        flags(r, i, known)
        i.extra["predicate"] = r.cursor.next()
        t = r.types.read()
        first = r.value(t)
        r.cursor.expect(",")
        i.operands = [first, r.value(t)]
        i.type = i1
        if isinstance(t, VectorType):
            i.type = VectorType(i1, t.shape.data, t.scalable_dims)

    return read


def _listed(r: FunctionParser, i: Instruction, count: int) -> None:
    """`T a, T b, ...`"""
    i.operands = [r.typed()]
    for _ in range(count - 1):
        r.cursor.expect(",")
        i.operands.append(r.typed())


def select(r: FunctionParser, i: Instruction) -> None:
    flags(r, i, FAST_MATH)
    _listed(r, i, 3)
    i.type = i.operands[1].type


def phi(r: FunctionParser, i: Instruction) -> None:
    """`phi i32 [ %a, %x ], [ 1, %y ]`: the operands and `extra["blocks"]` go together."""
    flags(r, i, FAST_MATH)
    cursor = r.cursor
    i.type = r.types.read()
    blocks: list[Block] = []
    while True:
        cursor.expect("[")
        i.operands.append(r.value(i.type))
        cursor.expect(",")
        blocks.append(r.block(cursor.next()))
        cursor.expect("]")
        if cursor.tokens[cursor.at + 1] != "[" or not cursor.accept(","):
            break
    i.extra["blocks"] = blocks


def va_arg(r: FunctionParser, i: Instruction) -> None:
    i.operands = [r.typed()]
    r.cursor.expect(",")
    i.type = r.types.read()


# --- vectors and aggregates ----------------------------------------------------------------------
def extract_element(r: FunctionParser, i: Instruction) -> None:
    _listed(r, i, 2)
    i.type = i.operands[0].type.element_type  # pyright: ignore[reportAttributeAccessIssue]


def insert_element(r: FunctionParser, i: Instruction) -> None:
    _listed(r, i, 3)
    i.type = i.operands[0].type


def shuffle_vector(r: FunctionParser, i: Instruction) -> None:
    _listed(r, i, 2)
    r.cursor.expect(",")
    mask = r.constants.typed()
    first, kind = i.operands[0].type, mask.type
    assert isinstance(first, VectorType)
    assert isinstance(kind, VectorType)
    i.extra["mask"] = shuffle_mask(mask)
    i.type = VectorType(first.element_type, kind.shape.data, kind.scalable_dims)


def _indices(r: FunctionParser, i: Instruction) -> list[int]:
    """`, 1, 2`, of which metadata may follow."""
    cursor = r.cursor
    found: list[int] = []
    while cursor.tokens[cursor.at + 1].isdigit() and cursor.accept(","):
        found.append(cursor.integer())
    i.extra["position"] = found
    return found


def extract_value(r: FunctionParser, i: Instruction) -> None:
    i.operands = [r.typed()]
    t: Attribute = i.operands[0].type
    for index in _indices(r, i):
        t = t.body[index] if isinstance(t, LLVMStructType) else t.element_type  # pyright: ignore
    i.type = t


def insert_value(r: FunctionParser, i: Instruction) -> None:
    _listed(r, i, 2)
    _indices(r, i)
    i.type = i.operands[0].type


# --- memory --------------------------------------------------------------------------------------
def _alignment(r: FunctionParser, i: Instruction) -> None:
    """`, align 8`"""
    cursor = r.cursor
    if cursor.tokens[cursor.at + 1] == "align" and cursor.accept(","):
        cursor.at += 1
        i.extra["align"] = cursor.integer()


def _scope(r: FunctionParser, i: Instruction) -> None:
    """`syncscope("agent") acquire`"""
    cursor = r.cursor
    if cursor.accept("syncscope"):
        cursor.expect("(")
        i.extra["syncscope"] = decoded(cursor.string())
        cursor.expect(")")
    if cursor.peek() in ORDERINGS:
        i.extra["ordering"] = cursor.next()


def alloca(r: FunctionParser, i: Instruction) -> None:
    flags(r, i, _flagged("inalloca", "swifterror"))
    cursor = r.cursor
    i.extra["element"] = r.types.read()
    i.operands = [r.constants.make("int", _I32, 1)]
    if cursor.tokens[cursor.at + 1] not in ("align", "addrspace") and cursor.peek() == ",":
        at = cursor.at
        cursor.at += 1
        if r.types.starts():
            i.operands = [r.typed()]
        else:
            cursor.at = at
    _alignment(r, i)
    space = 0
    if cursor.tokens[cursor.at + 1] == "addrspace" and cursor.accept(","):
        space = r.types.address_space()
    i.type = LLVMPointerType(space)


def load(r: FunctionParser, i: Instruction) -> None:
    flags(r, i, _flagged("atomic", "volatile"))
    i.type = r.types.read()
    r.cursor.expect(",")
    i.operands = [r.typed()]
    _scope(r, i)
    _alignment(r, i)


def store(r: FunctionParser, i: Instruction) -> None:
    flags(r, i, _flagged("atomic", "volatile"))
    _listed(r, i, 2)
    _scope(r, i)
    _alignment(r, i)


def compare_exchange(r: FunctionParser, i: Instruction) -> None:
    flags(r, i, _flagged("weak", "volatile"))
    _listed(r, i, 3)
    _scope(r, i)
    i.extra["failure"] = r.cursor.next()
    _alignment(r, i)
    i.type = LLVMStructType((i.operands[1].type, i1))


def atomic_rmw(r: FunctionParser, i: Instruction) -> None:
    flags(r, i, _flagged("volatile"))
    i.extra["operation"] = r.cursor.next()
    _listed(r, i, 2)
    _scope(r, i)
    _alignment(r, i)
    i.type = i.operands[1].type


def fence(r: FunctionParser, i: Instruction) -> None:
    _scope(r, i)


def get_element_pointer(r: FunctionParser, i: Instruction) -> None:
    flags(r, i, _flagged("inbounds", "nusw", "nuw"))
    cursor = r.cursor
    i.extra["source"] = r.types.read()
    while cursor.tokens[cursor.at + 1][:1] != "!" and cursor.accept(","):
        i.operands.append(r.typed())
    i.type = pointer_result([operand.type for operand in i.operands])


# --- terminators ---------------------------------------------------------------------------------
def ret(r: FunctionParser, i: Instruction) -> None:
    t = r.types.read()
    if t is not VOID:
        i.operands = [r.value(t)]


def branch(r: FunctionParser, i: Instruction) -> None:
    t = r.types.read()
    if t is LABEL:
        i.extra["successors"] = [r.block(r.cursor.next())]
        return
    i.operands = [r.value(t)]
    r.cursor.expect(",")
    first = r.label()
    r.cursor.expect(",")
    i.extra["successors"] = [first, r.label()]


def switch(r: FunctionParser, i: Instruction) -> None:
    """The successors are the default and the cases' blocks, `extra["cases"]` their values."""
    cursor = r.cursor
    i.operands = [r.typed()]
    cursor.expect(",")
    successors = [r.label()]
    cases: list[Constant] = []
    cursor.expect("[")
    while not cursor.accept("]"):
        cases.append(r.constants.typed())
        cursor.expect(",")
        successors.append(r.label())
    i.extra["successors"] = successors
    i.extra["cases"] = cases


def indirect_branch(r: FunctionParser, i: Instruction) -> None:
    cursor = r.cursor
    i.operands = [r.typed()]
    cursor.expect(",")
    successors: list[Block] = []
    cursor.expect("[")
    while not cursor.accept("]"):
        successors.append(r.label())
        cursor.accept(",")
    i.extra["successors"] = successors


def unreachable(r: FunctionParser, i: Instruction) -> None:
    """It has no operands."""


def resume(r: FunctionParser, i: Instruction) -> None:
    i.operands = [r.typed()]


def landing_pad(r: FunctionParser, i: Instruction) -> None:
    cursor = r.cursor
    i.type = r.types.read()
    if cursor.accept("cleanup"):
        i.flags.append("cleanup")
    while cursor.peek() in ("catch", "filter"):
        cursor.at += 1
        i.operands.append(r.typed())


def unsupported(r: FunctionParser, i: Instruction) -> None:
    """Exception handling by funclets and its kin, which the llvm dialect has no operations for."""
    raise SyntaxFault("unhandled instruction", i.token)


READERS: dict[str, Reader] = {
    **{name: _binary(_WRAP) for name in ("add", "sub", "mul", "shl")},
    **{name: _binary(_EXACT) for name in ("udiv", "sdiv", "lshr", "ashr")},
    **{name: _binary(_NONE) for name in ("urem", "srem", "and", "xor")},
    "or": _binary(_flagged("disjoint")),
    **{name: _binary(FAST_MATH) for name in ("fadd", "fsub", "fmul", "fdiv", "frem")},
    "fneg": _unary(FAST_MATH),
    "freeze": _unary(_NONE),
    **{
        name: _cast(_NONE)
        for name in (
            *("sext", "fptosi", "fptoui", "sitofp", "ptrtoint", "ptrtoaddr", "inttoptr"),
            *("bitcast", "addrspacecast"),
        )
    },
    "trunc": _cast(_WRAP),
    "zext": _cast(_flagged("nneg")),
    "uitofp": _cast(_flagged("nneg")),
    "fptrunc": _cast(FAST_MATH),
    "fpext": _cast(FAST_MATH),
    "icmp": _compare(_flagged("samesign")),
    "fcmp": _compare(FAST_MATH),
    "select": select,
    "phi": phi,
    "va_arg": va_arg,
    "extractelement": extract_element,
    "insertelement": insert_element,
    "shufflevector": shuffle_vector,
    "extractvalue": extract_value,
    "insertvalue": insert_value,
    "alloca": alloca,
    "load": load,
    "store": store,
    "cmpxchg": compare_exchange,
    "atomicrmw": atomic_rmw,
    "fence": fence,
    "getelementptr": get_element_pointer,
    "call": call,
    "tail": call,
    "musttail": call,
    "notail": call,
    "invoke": invoke,
    "ret": ret,
    "br": branch,
    "switch": switch,
    "indirectbr": indirect_branch,
    "unreachable": unreachable,
    "resume": resume,
    "landingpad": landing_pad,
    **dict.fromkeys(
        (*("callbr", "cleanuppad", "catchpad", "catchswitch", "catchret", "cleanupret"),),
        unsupported,
    ),
}
