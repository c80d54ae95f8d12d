# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whether the operands of an instruction of PTX have types that it takes.

    add.s32 %r1, %r2, %f1;      %f1 is a float
    shl.b64 %rd1, %rd2, %rd3;   the amount has 32 bits

Sizes are equal and kinds agree: bits with all, integers with integers, floats with floats (PTX ISA,
"Operand Size Exceeding Instruction-Type Size" and "Type Information for Instructions and
Operands"). Registers of ld, st and cvt may have more bits than the instruction says.

`_LAYOUTS` says what each instruction takes. What has no line there is not checked, nor are
arguments of calls. An operand of inline PTX has the bits of its constraint's letter.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache

from xgpu.frontend.ptx.grammar import (
    Address,
    Group,
    Name,
    Not,
    Number,
    Operand,
    Pair,
)
from xgpu.frontend.ptx.instructions import (
    MODULE_OPCODES,
    PREDICATE_REGISTERS,
    WIDE_REGISTERS,
    Built,
)

_TYPE = re.compile(r"(pred|bf|[subf])(\d*)(x\d)?")
#: Kinds of registers by the kind of an instruction's type.
_AGREEING = {"b": "bsuf", "s": "bsu", "u": "bsu", "f": "bf", "p": "p"}


class _Expected:
    """A type that an operand has to have, with `is_least` of so many bits or more."""

    __slots__ = ("is_least", "kind", "name", "width")

    def __init__(self, name: str, is_least: bool = False) -> None:
        found = _TYPE.fullmatch(name)
        assert found is not None
        lanes = int(found[3][1:]) if found[3] else 1
        self.name = name
        self.is_least = is_least
        #: Elements of 16 bits side by side are bits.
        self.kind = "b" if lanes > 1 else "f" if found[1] == "bf" else found[1][0]
        self.width = int(found[2] or 1) * lanes

    def takes(self, name: str) -> bool:
        """Whether a register of a type may be the operand."""
        given = _expected(name)
        if given is None:
            return True
        if given.kind not in _AGREEING[self.kind]:
            return False
        if self.is_least and not self.kind == given.kind == "f":
            return given.width >= self.width
        return given.width == self.width

    def takes_number(self, number: Number) -> bool:
        """Likewise for a constant. An integer has as many bits as the instruction wants."""
        if number.width == 0:
            return self.kind != "f"
        if self.kind == "f":
            return number.width == 64 or self.width == 32
        return self.kind == "b" and self.width in (32, 64)


@lru_cache(maxsize=256)
def _expected(name: str, is_least: bool = False) -> _Expected | None:
    """None for types that are not those of registers."""
    return _Expected(name, is_least) if _TYPE.fullmatch(name) else None


#: What instructions take, by the first words of the opcode, operand by operand: `t` is the last
#: type of the opcode, `d` that before it, `w` the type of `t` with twice the bits for .wide; `?` is
#: not checked; `~` goes before a register that may have more bits. Behind `|` is a predicate.
_LAYOUTS: dict[str, str] = {
    "add": "t t t", "sub": "t t t", "mul": "w t t", "mad": "w t t w", "fma": "t t t t",
    "addc": "t t t", "subc": "t t t", "madc": "t t t t", "mul24": "t t t", "mad24": "t t t t",
    "div": "t t t", "rem": "t t t", "min": "t t t t", "max": "t t t t", "abs": "t t",
    "neg": "t t", "sad": "t t t t", "dp4a": "b32 b32 b32 b32", "dp2a": "b32 b32 b32 b32",
    "popc": "u32 t", "clz": "u32 t", "bfind": "u32 t", "brev": "t t", "bfe": "t t u32 u32",
    "bfi": "t t t u32 u32", "szext": "t t u32", "bmsk": "b32 u32 u32", "fns": "b32 b32 b32 s32",
    "and": "t t t", "or": "t t t", "xor": "t t t", "not": "t t", "cnot": "t t",
    "shl": "t t u32", "shr": "t t u32", "shf": "b32 b32 b32 u32", "prmt": "b32 b32 b32 b32",
    "lop3": "b32 b32 b32 b32 ? pred", "rcp": "t t", "sqrt": "t t", "rsqrt": "t t", "sin": "t t",
    "cos": "t t", "lg2": "t t", "ex2": "t t", "tanh": "t t", "copysign": "t t t",
    "testp": "pred t", "setp": "pred t t pred", "set": "d t t pred", "selp": "t t t pred",
    "slct": "d d d t", "mov": "t t", "cvt": "~d ~t", "cvta": "t t", "isspacep": "pred ?",
    "ld": "~t", "ldu": "~t", "st": "? ~t", "atom": "t ? t t", "red": "? t", "mapa": "t t u32",
    "getctarank": "u32 t", "createpolicy": "b64", "shfl": "t t u32 u32 u32",
    "vote": "pred pred u32", "match": "b32 t b32", "redux": "t t b32", "elect": "b32 b32",
    "activemask": "b32", "bar": "u32 u32", "barrier": "u32 u32", "nanosleep": "u32",
    "ldmatrix": "b32", "stmatrix": "? b32", "movmatrix": "b32 b32", "brx": "u32",
    "mbarrier.init": "? u32", "mbarrier.expect_tx": "? u32", "mbarrier.complete_tx": "? u32",
    "mbarrier.arrive": "b64 ? u32", "mbarrier.arrive_drop": "b64 ? u32",
    "mbarrier.test_wait": "pred ? b64", "mbarrier.try_wait": "pred ? b64 u32",
    "mbarrier.pending_count": "u32 b64", "st.bulk": "? ? ?", "clusterlaunchcontrol": "? b128",
    "tex": "d", "tld4": "d", "txq": "b32", "suq": "b32", "suld": "~t", "sust": "? ~t",
    **dict.fromkeys(MODULE_OPCODES["video"], "b32 b32 b32 b32"),
}  # fmt: skip


def _mixed(words: Sequence[str]) -> str | None:
    """add.f32.f16 and fma.f32.bf16: the first operands are narrow."""
    if "f32" not in words or words[-1] not in ("f16", "bf16"):
        return None
    return "d t t d" if words[0] == "fma" else "d t d"


def _of_predicate(words: Sequence[str]) -> str | None:
    return "b32 pred b32" if "ballot" in words else None


def _by_parity(words: Sequence[str]) -> str | None:
    return "pred ? u32 u32" if "parity" in words else None


def _conversion(words: Sequence[str]) -> str | None:
    """cvt.f16x2.f32 takes two floats, cvt.pack two integers; small floats are not checked."""
    if "pack" in words:
        return "u32 s32 s32 b32"
    if words[-2] == "tf32":
        return "b32 t"
    return "d t t u32" if words[-2] in ("f16x2", "bf16x2") and words[-1] == "f32" else None


def _reducing_barrier(words: Sequence[str]) -> str | None:
    if "red" not in words:
        return None
    return "u32 u32" if "popc" in words else "pred u32"


_FRAGMENTS = {"f32": "f32", "s32": "s32", "f64": "f64", "f16": "b32", "bf16": "b32", "tf32": "b32"}


def _matrices(words: Sequence[str]) -> str | None:
    """mma: types of D, A, B and C; those of C are those of D's registers."""
    given = [_FRAGMENTS.get(word) for word in words[-4:]]
    if None in given or len(given) != 4:
        return None
    return " ".join(
        str(name) if name in ("f64", "b32") or at in (0, 3) else "b32"
        for at, name in enumerate(given)
    )


#: Instructions whose operands depend on modifiers: None where they are as the table has them.
_BY_WORDS: dict[str, Callable[[Sequence[str]], str | None]] = {
    "add": _mixed, "sub": _mixed, "fma": _mixed, "vote": _of_predicate, "cvt": _conversion,
    "mbarrier.test_wait": _by_parity, "mbarrier.try_wait": _by_parity, "bar": _reducing_barrier,
    "barrier": _reducing_barrier, "mma": _matrices,
}  # fmt: skip


@lru_cache(maxsize=4096)
def _layout(opcode: str) -> tuple[_Expected | None, ...]:
    """What an instruction takes, operand by operand."""
    words = opcode.split(".")
    key = next((k for k in (".".join(words[:2]), words[0]) if k in _LAYOUTS or k in _BY_WORDS), "")
    by_words = _BY_WORDS.get(key)
    types = [word for word in words[1:] if _TYPE.fullmatch(word) or word == "tf32"]
    found = None if by_words is None or len(words) < 3 else by_words(words)
    layout = found or _LAYOUTS.get(key, "")
    if key == "cvt" and found is None and types[-2:] != words[-2:]:
        return ()
    return tuple(_resolved(token, types, "wide" in words) for token in layout.split())


def _resolved(token: str, types: Sequence[str], is_wide: bool) -> _Expected | None:
    name = token.lstrip("~")
    if name in ("t", "d", "w"):
        at = 2 if name == "d" else 1
        if len(types) < at:
            return None
        ty = types[-at]
        name = f"{ty[0]}{2 * int(ty[1:])}" if name == "w" and is_wide else ty
    name = "b32" if name == "tf32" else name
    return _expected(name, token.startswith("~"))


_SPECIAL = re.compile(
    r"%((n?(tid|ctaid)|(cluster_)?n?ctaid|n?clusterid)\.[xyz]|laneid|n?warpid|n?smid|clock(_hi)?"
    r"|globaltimer_(hi|lo)|lanemask_[a-z]+|cluster_n?ctarank)"
)
_PREDICATE, _ADDRESS = _Expected("pred"), _Expected("b32", is_least=True)


def check_operands(p: Built) -> None:
    """Refuses an instruction one of whose operands has another type than it takes."""
    instruction = p.instruction
    layout = _layout(instruction.opcode)
    for at, operand in enumerate(instruction.operands):
        _check(p, operand, layout[at] if at < len(layout) else None)
    if instruction.guard is not None:
        _check(p, instruction.guard, _PREDICATE)


def _check(p: Built, operand: Operand, expected: _Expected | None) -> None:
    if isinstance(operand, Address):
        _check_address(p, operand)
    elif expected is None:
        return
    elif isinstance(operand, Group):
        _check_group(p, operand, expected)
    elif isinstance(operand, Pair):
        _check(p, operand.first, expected)
        _check(p, operand.second, _PREDICATE)
    elif isinstance(operand, Not):
        _check(p, operand.of, _PREDICATE)
    elif isinstance(operand, Number):
        if not expected.takes_number(operand):
            kind = f"a float of {operand.width} bits" if operand.width else "an integer"
            _refuse(p, expected, kind)
    else:
        given = _type_of(p, operand) or _special_type(operand, expected)
        if given and not expected.takes(given):
            name = operand.text if isinstance(operand, Name) else "an operand"
            _refuse(p, expected, f"{name} of type '.{given}'")


def _check_address(p: Built, address: Address) -> None:
    given = _type_of(p, address.base)
    if given and (given.startswith(("f", "bf", "pred")) or not _ADDRESS.takes(given)):
        name = address.base.text if isinstance(address.base, Name) else "an operand"
        _refuse(p, None, f"{name} of type '.{given}'")


def _check_group(p: Built, group: Group, expected: _Expected) -> None:
    """Registers of a vector have the type of the instruction, those of mov.b64 share it."""
    words = p.instruction.words
    if words[0] != "mov" or any(word in words for word in ("v2", "v4", "v8")):
        for part in group.parts:
            _check(p, part, expected)
        return
    if expected.kind == "f":
        _refuse(p, expected, "registers in braces")
    if len(group.parts) in (2, 4, 8):
        each = _expected(f"b{expected.width // len(group.parts)}")
        for part in group.parts:
            _check(p, part, each)


def _type_of(p: Built, operand: Operand) -> str:
    """The type of a register of the program; empty for anything else."""
    slot = p.slot(operand)
    return "" if slot is None else slot.declared


def _special_type(operand: Operand, expected: _Expected) -> str:
    """The type of a special register. Programs of PTX 1 read %tid and its like as 16 bits, and
    %gridid as 32."""
    if not isinstance(operand, Name) or operand.text == "%gridid":
        return ""
    if operand.text[1:] in WIDE_REGISTERS:
        return "u64"
    if operand.text[1:] in PREDICATE_REGISTERS:
        return "pred"
    return "u32" if _SPECIAL.fullmatch(operand.text) and expected.width != 16 else ""


def _refuse(p: Built, expected: _Expected | None, found: str) -> None:
    wanted = "an address" if expected is None else f"an operand of type '.{expected.name}'"
    text = p.instruction.text[:120]
    p.b.refuse(f"'{text}': expected {wanted}, but found {found}")
