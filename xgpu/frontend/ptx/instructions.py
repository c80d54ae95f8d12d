# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The table of instructions of PTX: first word of an opcode -> rule.

A rule is a function of a `Built`, which reads and writes operands and builds operations:

    @instruction("popc", pure=True)
    def population(p: Built) -> None:
        _, width, _ = _typed(p)
        p.finish()
        p.write(0, p.b.intrinsic("ctpop", (p.integer(1, width),)))

`pure` says that it only computes, and may be done where its predicate does not hold. A rule takes
modifiers with `p.take`, the type with `p.take_type`, and ends with `p.finish()`, which refuses
those that are left.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import NoReturn, Protocol

from xdsl.dialects.builtin import AnyFloat, bf16, f16, f32, f64
from xdsl.ir import Attribute, Block, SSAValue

from xgpu.dialects.llvm import builders as llvm
from xgpu.frontend.ptx.grammar import (
    Address,
    Group,
    Instruction,
    Name,
    Not,
    Number,
    Operand,
    Pair,
    Placeholder,
)
from xgpu.frontend.ptx.registers import (
    I1,
    I8,
    I32,
    I64,
    PtxBuilder,
    Registers,
    Slot,
    as_integer,
    as_pointer,
    as_type,
    integer_type,
    type_width,
    width_of,
)


class Names(Protocol):
    """What names mean in a scope: registers, labels, of a module other things too."""

    def get(self, key: str, /) -> object: ...


#: Types of floats by their names in PTX.
FLOATS: dict[str, AnyFloat] = {"f16": f16, "bf16": bf16, "f32": f32, "f64": f64, "tf32": f32}
#: What does not fit the constants of a getelementptr.
_FAR = 1 << 31
_FORMATS = {"f16": "<e", "f32": "<f", "f64": "<d"}

#: Special registers of 64 bits.
WIDE_REGISTERS = frozenset(("clock64", "globaltimer", "gridid"))
#: Special registers that no operation reads.
_BY_INTRINSIC = frozenset(("clock.hi", "globaltimer.hi"))
#: Special registers that are predicates, which no operation reads either.
PREDICATE_REGISTERS = frozenset(("is_explicit_cluster",))


class Rule:
    __slots__ = ("build", "pure")

    def __init__(self, build: Callable[[Built], None], pure: bool) -> None:
        self.build = build
        self.pure = pure


RULES: dict[str, Rule] = {}

#: The opcodes that each file of this package has rules for.
MODULE_OPCODES: dict[str, tuple[str, ...]] = {
    "integers": (
        "add", "sub", "mul", "mul24", "mad", "mad24", "div", "rem", "abs", "neg", "min", "max",
        "popc", "clz", "bfind", "brev", "sad", "dp4a", "dp2a", "and", "or", "xor", "not", "cnot",
        "shl", "shr", "shf", "bfe", "bfi", "lop3", "prmt", "fma", "rcp", "sqrt", "rsqrt", "sin",
        "cos", "lg2", "ex2", "tanh", "copysign", "fns",
    ),
    "calls": ("call", "st.param", "ld.param"),
    "carries": ("addc", "subc", "madc"),
    "compare": ("setp", "set", "selp", "slct", "testp"),
    "convert": ("mov", "cvt", "cvta", "isspacep", "szext", "bmsk"),
    "memory": (
        "ld", "ldu", "st", "atom", "red", "prefetch", "prefetchu", "applypriority", "discard",
        "mapa", "getctarank", "createpolicy",
    ),
    "video": (
        "vadd", "vsub", "vabsdiff", "vmin", "vmax", "vshl", "vshr", "vset", "vmad", "vadd2",
        "vadd4", "vsub2", "vsub4", "vavrg2", "vavrg4", "vabsdiff2", "vabsdiff4", "vmin2", "vmin4",
        "vmax2", "vmax4", "vset2", "vset4",
    ),
    "remote": ("st.async", "st.bulk", "red.async", "cp.reduce"),
    "sync": (
        "bar", "barrier", "membar", "fence", "mbarrier", "xgpu", "cp", "griddepcontrol",
        "tensormap", "setmaxnreg", "nanosleep", "trap", "brkpt", "exit", "ret", "pmevent",
        "clusterlaunchcontrol",
    ),
    "warp": ("shfl", "vote", "match", "redux", "elect", "activemask"),
    "texture": ("tex", "tld4", "txq", "suq", "suld", "sust"),
    "matrix": ("ldmatrix", "stmatrix", "movmatrix", "mma", "wgmma", "wmma", "tcgen05"),
}  # fmt: skip


def instruction(*opcodes: str, pure: bool = False) -> Callable[..., Callable[[Built], None]]:
    """Registers a rule by the first word of opcodes, or by the first two."""

    def register(build: Callable[[Built], None]) -> Callable[[Built], None]:
        for opcode in opcodes:
            RULES[opcode] = Rule(build, pure)
        return build

    return register


def rule_of(words: Sequence[str]) -> Rule | None:
    """The rule for an opcode: that for its first two words, if there is one."""
    return _rule(".".join(words[:2])) or _rule(words[0])


#: The module that has the rule of each opcode.
MODULE_OF = {opcode: module for module, opcodes in MODULE_OPCODES.items() for opcode in opcodes}


def _rule(opcode: str) -> Rule | None:
    found = RULES.get(opcode)
    if found is None and opcode in MODULE_OF:
        import_module(f"xgpu.frontend.ptx.{MODULE_OF[opcode]}")
        found = RULES.get(opcode)
    return found


class Built:
    """An instruction that is being built."""

    def __init__(self, registers: Registers, instruction: Instruction, names: Names) -> None:
        self.registers = registers
        self.b = registers.b
        self.instruction = instruction
        self.names = names
        self.operands: list[Operand] = instruction.operands
        #: Modifiers that no rule has taken yet.
        self.words = instruction.words[1:]

    def refuse(self, why: str = "") -> NoReturn:
        """The host does not have this."""
        text = self.instruction.text
        reason = f": {why}" if why else ""
        self.b.refuse(f"inline assembly '{text[:120]}' is not supported on the host device{reason}")

    # -- modifiers

    def take(self, *words: str) -> str | None:
        """The one of these modifiers that is there, if one is."""
        for word in words:
            if word in self.words:
                self.words.remove(word)
                return word
        return None

    def need(self, *words: str) -> str:
        """Likewise where one must be there."""
        return self.take(*words) or self.refuse()

    def take_type(self) -> str:
        """The last modifier."""
        return self.words.pop() if self.words else self.refuse()

    def finish(self) -> None:
        """No other modifier may be left."""
        if self.words:
            self.refuse(f"'.{self.words[0]}'")

    def expect(self, *counts: int) -> None:
        """The instruction has so many operands."""
        if len(self.operands) not in counts:
            self.refuse(f"it has {len(self.operands)} operands")

    # -- operands

    def operand(self, at: int | Operand) -> Operand:
        if not isinstance(at, int):
            return at
        return self.operands[at] if at < len(self.operands) else self.refuse("operands are missing")

    def slot(self, operand: Operand) -> Slot | None:
        """The register that an operand names."""
        if isinstance(operand, Placeholder):
            return self.registers.at(operand)
        found = self.names.get(operand.text) if isinstance(operand, Name) else None
        return found if isinstance(found, Slot) else None

    def value(self, at: int | Operand, width: int = 32) -> SSAValue:
        """An operand; a literal gets `width` bits."""
        operand = self.operand(at)
        slot = self.slot(operand)
        if slot is not None:
            return self.read(slot)
        if isinstance(operand, Number):
            return self.b.integer(self._bits(operand, width), integer_type(width))
        if isinstance(operand, Not):
            return self.b.binary("xor", self.predicate(operand.of), 1)
        if isinstance(operand, Group):
            return self.joined([(p, width // len(operand.parts)) for p in operand.parts])
        if isinstance(operand, Name):
            return self._special(operand.text)
        self.refuse()

    def read(self, slot: Slot) -> SSAValue:
        """What a register holds. One that was never written has some bits, here zeros: of poison,
        as LLVM has it, even a byte that `prmt` does not choose would make the result poison."""
        found = self.registers.read(slot)
        owner = found.owner
        if isinstance(owner, Block) or owner.name != "llvm.mlir.poison":
            return found
        return self.b.integer(0, integer_type(slot.width))

    @staticmethod
    def _bits(number: Number, width: int) -> int:
        if number.width == 64 and width == 32:
            value = struct.unpack("<d", struct.pack("<Q", number.value))[0]
            return struct.unpack("<I", struct.pack("<f", value))[0]
        return number.value

    def _special(self, text: str) -> SSAValue:
        if text == "WARP_SZ":
            return self.b.integer(32)
        if not text.startswith("%"):
            self.refuse(f"'{text}' is not declared")
        if text[1:] in PREDICATE_REGISTERS:
            found = self.b.nvvm(text[1:], (), I1)
            assert found is not None
            return found
        name = text[1:].replace("_", ".")
        ty = I64 if name in WIDE_REGISTERS else I32
        if name in _BY_INTRINSIC:
            found = self.b.nvvm(f"read.ptx.sreg.{name}", (), ty)
            assert found is not None
            return found
        from xgpu.core.ods import optional_op_class

        operation = f"nvvm.read.ptx.sreg.{name}"
        if optional_op_class(operation) is None:
            self.refuse(f"'{text}' is not declared")
        return self.b.value(operation, (), ty)

    def integer(self, at: int | Operand, width: int, signed: bool = False) -> SSAValue:
        return as_integer(self.b, self.value(at, width), width, signed)

    def float(self, at: int | Operand, ty: Attribute) -> SSAValue:
        """An operand as a float of a type of MLIR."""
        operand = self.operand(at)
        if isinstance(operand, Number) and operand.width == 64 and ty != f64:
            value = struct.unpack("<d", struct.pack("<Q", operand.value))[0]
            return self.b.real(value, ty)
        return as_type(self.b, self.value(operand, width_of(ty) or 32), ty)

    def predicate(self, at: int | Operand) -> SSAValue:
        operand = self.operand(at)
        if isinstance(operand, Not):
            return self.b.binary("xor", self.predicate(operand.of), 1)
        if isinstance(operand, Number):
            return self.b.integer(int(operand.value != 0), integer_type(1))
        value = self.value(operand)
        return as_integer(self.b, value, 1) if width_of(value.type) == 1 else self.b.icmp(
            "ne", as_integer(self.b, value, width_of(value.type) or 32), 0
        )  # fmt: skip

    def constant(self, at: int | Operand) -> int | None:
        """An operand that is known here, as a signed number."""

        operand = self.operand(at)
        if isinstance(operand, Number):
            return operand.value
        slot = self.slot(operand)
        return None if slot is None else self.registers.constant(slot)

    def parts(self, at: int | Operand) -> list[Operand]:
        """The members of `{a, b}`, or the operand itself."""
        operand = self.operand(at)
        return operand.parts if isinstance(operand, Group) else [operand]

    def address(self, at: int | Operand) -> Address:
        operand = self.operand(at)
        if not isinstance(operand, Address):
            self.refuse("an address is expected")
        return operand

    def pointer(self, at: int | Operand, space: int) -> SSAValue:
        """The place that `[base + offset]` names."""
        found = self.address(at)
        slot = self.slot(found.base)
        width = slot.width if slot is not None else 64
        base = as_pointer(self.b, self.value(found.base, width), space)
        return base if found.offset == 0 else self.moved(base, found.offset)

    def moved(self, pointer: SSAValue, by: int) -> SSAValue:
        """An address so many bytes on, in its address space."""
        if by == 0:
            return pointer
        far = not -_FAR < by < _FAR
        return llvm.gep(self.b, pointer, I8, [llvm.constant(self.b, by, I64) if far else by])

    def element_place(self, pointer: SSAValue, index: SSAValue, ty: Attribute) -> SSAValue:
        """The address of an element of an array, in its address space."""
        return llvm.gep(self.b, pointer, ty, [index])

    def joined(self, parts: Sequence[tuple[Operand, int]]) -> SSAValue:
        """Registers side by side in one integer, the first in the low bits."""
        return join(self.b, [self.integer(part, width) for part, width in parts])

    # -- results

    def write(self, at: int | Operand, value: SSAValue, signed: bool = False) -> None:
        """A register gets a value; a wider register than the value an extended one."""
        operand = self.operand(at)
        if isinstance(operand, Name) and operand.text == "_":
            return
        slot = self.slot(operand)
        if slot is None:
            self.refuse("its result is no register")
        width = width_of(value.type)
        if width is not None and width != slot.width and value.type.name != "llvm.ptr":
            value = as_integer(self.b, value, slot.width, signed)
        self.registers.write(slot, value)

    def write_pair(self, first: SSAValue, second: SSAValue) -> None:
        """`d|p`, or `d` alone."""
        operand = self.operand(0)
        if isinstance(operand, Pair):
            self.write(operand.first, first)
            self.write(operand.second, second)
        else:
            self.write(operand, first)


def join(b: PtxBuilder, parts: Sequence[SSAValue]) -> SSAValue:
    """Integers of one width side by side, the first in the low bits."""
    each = width_of(parts[0].type) or 32
    whole = integer_type(each * len(parts))
    total = b.cast("zext", parts[0], whole)
    for at, part in enumerate(parts[1:], 1):
        total = b.binary("or", total, b.binary("shl", b.cast("zext", part, whole), each * at))
    return total


def split(b: PtxBuilder, value: SSAValue, count: int) -> list[SSAValue]:
    """The parts of an integer, those in the low bits first."""
    width = width_of(value.type) or 32
    each = integer_type(width // count)
    return [
        b.cast("trunc", b.binary("lshr", value, width // count * at) if at else value, each)
        for at in range(count)
    ]


def scalar_of(name: str) -> tuple[str, int, int] | None:
    """Kind (s, u, b, f, bf), bits of an element and elements of a type such as `f16x2`."""
    base, _, count = name.partition("x")
    kind = base.rstrip("0123456789")
    width = type_width(base)
    if kind not in ("s", "u", "b", "f", "bf") or width is None:
        return None
    return kind, width, int(count or 1)


def element_type(kind: str, width: int) -> Attribute:
    """The type of MLIR of an element."""
    if kind in ("f", "bf"):
        return FLOATS[f"{kind}{width}"]
    return integer_type(width)
