# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Instructions of modules that are not built as those of inline PTX: parameters, calls, addresses.

    ld.param.u64 %rd1, [p];     ->  the argument
    add.s64 %rd2, %rd1, %rd3;   ->  llvm.getelementptr %p[%3], where %rd1 is an address
    call (r), f, (a);           ->  llvm.call @f(%a)

A rule of `RULES` says whether it has built an instruction. Where it has not, the rule that inline
PTX has too does.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn

from xdsl.ir import Attribute, SSAValue

from xgpu.dialects.llvm import builders as llvm
from xgpu.dialects.llvm.types import LLVMFunctionType, LLVMPointerType, LLVMVoidType
from xgpu.frontend.ptx.calls import KNOWN
from xgpu.frontend.ptx.declarations import (
    Bound,
    ModuleBuilder,
    Place,
    Surroundings,
    by_value,
    signature,
    variable_align,
    variable_size,
)
from xgpu.frontend.ptx.grammar import (
    Group,
    Instruction,
    Name,
    Number,
    Operand,
    Prototype,
    Sum,
    Variable,
)
from xgpu.frontend.ptx.instructions import Built, Names, rule_of, scalar_of
from xgpu.frontend.ptx.memory import Access
from xgpu.frontend.ptx.registers import (
    I8,
    I64,
    Registers,
    Slot,
    as_integer,
    as_pointer,
    as_type,
    integer_type,
    type_width,
    width_of,
)


class Imported(Built):
    """An instruction of a module that is being built."""

    def __init__(
        self, b: ModuleBuilder, registers: Registers, instruction: Instruction, names: Names
    ) -> None:
        super().__init__(registers, instruction, names)
        self.b: ModuleBuilder = b

    def refuse(self, why: str = "") -> NoReturn:
        reason = f": {why}" if why else ""
        self.b.refuse(f"'{self.instruction.text[:120]}' is not supported{reason}")

    def slot(self, operand: Operand) -> Slot | None:
        found = super().slot(operand)
        if found is None and isinstance(operand, Name):
            bound = self.names.get(operand.text)
            return bound.slot if isinstance(bound, Bound) else None
        return found

    def value(self, at: int | Operand, width: int = 32) -> SSAValue:
        operand = self.operand(at)
        if isinstance(operand, Sum):
            return self.moved(self._special(operand.name), operand.offset)
        return super().value(operand, width)

    def _special(self, text: str) -> SSAValue:
        found = self.names.get(text)
        if isinstance(found, Place):
            return self.place(found)
        if isinstance(found, Variable):
            return self.b.module.address_of(self.b, found)
        if found is None:
            symbol = self.b.module.symbol(self.b, text)
            if symbol is not None:
                return symbol
        return super()._special(text)

    def place(self, found: Place) -> SSAValue:
        """The address of a variable of the function."""
        if found.pointer is None:
            variable = found.variable
            found.pointer = self.b.allocation(variable_size(variable), variable_align(variable))
        return found.pointer

    def pointer(self, at: int | Operand, space: int) -> SSAValue:
        found = self.address(at)
        bound = self.names.get(found.base.text) if isinstance(found.base, Name) else None
        if isinstance(bound, Bound):
            return self.moved(self.spilled(bound), found.offset)
        slot = self.slot(found.base)
        base = self.value(found.base, slot.width if slot is not None else 64)
        base = self.in_space(base, space)
        return self.moved(base, found.offset)

    def in_space(self, value: SSAValue, space: int) -> SSAValue:
        """A value as an address in a space. Memory of the thread has generic addresses here."""
        if space == _LOCAL:
            is_generic = value.type == LLVMPointerType()
            return (
                value
                if is_generic
                else as_pointer(
                    self.b, value, 0 if isinstance(value.type, LLVMPointerType) else _LOCAL
                )
            )
        ty = value.type
        if isinstance(ty, LLVMPointerType) and 0 not in (ty.address_space, space):
            if ty.address_space == space:
                return value
            value = as_pointer(self.b, value, 0)
        return as_pointer(self.b, value, space)

    def spilled(self, bound: Bound) -> SSAValue:
        """Memory with the value of a parameter that is read in parts, or whose address is taken."""
        if bound.spilled is None:
            size, align = variable_size(bound.variable), variable_align(bound.variable)
            bound.spilled = self.b.allocation(size, align)
        value = self.registers.read(bound.slot)
        llvm.store(self.b, value, bound.spilled)
        return bound.spilled


_LOCAL = 5


# -- rules that know of modules: each says whether it has built the instruction


def _is_pointer(value: SSAValue | None) -> bool:
    return value is not None and isinstance(value.type, LLVMPointerType)


def _held(p: Imported, operand: Operand) -> SSAValue | None:
    """The pointer that an operand holds, if it is one."""
    if isinstance(operand, Name | Sum):
        value = p.value(operand, 64)
        return value if _is_pointer(value) else None
    return None


def _offset(p: Imported, operand: Operand, width: int, negative: bool = False) -> SSAValue | int:
    if isinstance(operand, Number):
        return -operand.value if negative else operand.value
    value = as_integer(p.b, p.value(operand, width), width)
    value = p.b.cast("sext", value, I64) if width < 64 else value
    return p.b.binary("sub", 0, value) if negative else value


def _moved_by(p: Imported, base: SSAValue, offset: SSAValue | int) -> SSAValue:
    if isinstance(offset, int):
        return p.moved(base, offset)
    return llvm.gep(p.b, base, I8, [offset])


def _integer_width(p: Imported) -> int | None:
    """The bits of an operation on integers that may be addresses."""
    word = p.instruction.words[-1]
    return int(word[1:]) if word in ("u64", "s64", "b64", "u32", "s32", "b32") else None


def _add(p: Imported) -> bool:
    width = _integer_width(p)
    if width is None or {"cc", "sat"}.intersection(p.words) or len(p.operands) != 3:
        return False
    first, second = p.operands[1:]
    is_sub = p.instruction.words[0] == "sub"
    held = _held(p, first), _held(p, second)
    if held[0] is not None and held[1] is None:
        p.write(0, _moved_by(p, held[0], _offset(p, second, width, is_sub)))
        return True
    if held[1] is not None and held[0] is None and not is_sub:
        p.write(0, _moved_by(p, held[1], _offset(p, first, width)))
        return True
    return False


def _multiply_add(p: Imported) -> bool:
    words = p.instruction.words
    if _integer_width(p) is None or len(p.operands) != 4 or "sat" in words or "cc" in words:
        return False
    base = _held(p, p.operands[3])
    if base is None or not {"wide", "lo"}.intersection(words):
        return False
    rule = rule_of(["mul"])
    assert rule is not None
    slot = Slot(64 if "wide" in words or words[-1].endswith("64") else 32)
    product = Instruction(
        None,
        ".".join(["mul", *words[1:]]),
        [Name(_PRODUCT), *p.operands[1:3]],
        p.instruction.text,
        p.instruction.at,
    )
    built = Imported(p.b, p.registers, product, _WithProduct(p.names, slot))
    rule.build(built)
    offset = as_integer(p.b, p.registers.read(slot), slot.width)
    offset = p.b.cast("sext", offset, I64) if slot.width < 64 else offset
    p.write(0, _moved_by(p, base, offset))
    return True


#: The name of a register for a product; no name of PTX is empty.
_PRODUCT = ""


class _WithProduct:
    """Names, and that register."""

    def __init__(self, names: Names, slot: Slot) -> None:
        self._names = names
        self._slot = slot

    def get(self, key: str, /) -> object:
        return self._slot if key == _PRODUCT else self._names.get(key)


def _move(p: Imported) -> bool:
    words = p.instruction.words
    if len(p.operands) != 2:
        return False
    target, source = p.operands
    if len(words) == 3 and words[1] in ("v2", "v4", "v8"):
        if not isinstance(target, Group) or not isinstance(source, Group):
            p.refuse()
        width = (scalar_of(words[2]) or p.refuse())[1]
        values = [p.value(part, width) for part in source.parts]
        if len(values) != len(target.parts):
            p.refuse()
        for part, value in zip(target.parts, values, strict=True):
            p.write(part, value)
        return True
    if isinstance(source, Name) and isinstance(bound := p.names.get(source.text), Bound):
        p.write(target, p.spilled(bound))
        return True
    return False


def _convert_address(p: Imported) -> bool:
    words = list(p.instruction.words[1:])
    to = "to" in words
    space = next((_SPACES[w] for w in words if w in _SPACES), None)
    if space is None or len(p.operands) != 2:
        return False
    source = p.operands[1]
    value = p.value(source, type_width(words[-1]) or 64)
    given, wanted = (0, space) if to else (space, 0)
    if not _is_pointer(value):
        value = p.in_space(value, given)
    p.write(0, p.in_space(value, wanted))
    return True


_SPACES = {"global": 1, "shared": 3, "shared::cta": 3, "shared::cluster": 7, "local": _LOCAL,
           "const": 4, "param": 0, "param::entry": 0}  # fmt: skip


def _select(p: Imported) -> bool:
    if _integer_width(p) is None or len(p.operands) != 4:
        return False
    held = [_held(p, operand) for operand in p.operands[1:3]]
    first, second = held
    if first is None or second is None or first.type != second.type:
        return False
    p.write(0, p.b.select(p.predicate(3), first, second))
    return True


def _narrow_address(p: Imported) -> bool:
    """cvt.u32.u64 of an address in shared memory, and cvt.u64.u32 of one that 32 bits hold: it
    stays one."""
    words = p.instruction.words[1:]
    if words not in (["u32", "u64"], ["u64", "u32"]) or len(p.operands) != 2:
        return False
    held = _held(p, p.operands[1])
    if held is None:
        return False
    slot = p.slot(p.operands[1])
    is_short = words[0] == "u64" and slot is not None and slot.width == 32
    if not is_short and held.type not in (LLVMPointerType(3), LLVMPointerType(7)):
        return False
    p.write(0, held)
    return True


def _parameter_space(p: Imported) -> str | None:
    return next((w for w in p.words if w == "param" or w.startswith("param::")), None)


def _load(p: Imported) -> bool:
    """A load of a parameter; of other memory it is `memory.load`'s."""
    space = _parameter_space(p)
    if space is None:
        return False
    p.take(space)
    access = Access(p)
    address = p.address(1)
    bound = p.names.get(address.base.text) if isinstance(address.base, Name) else None
    if isinstance(bound, Bound) and access.count == 1 and not address.offset:
        value = p.registers.read(bound.slot)
        if (width_of(value.type) or 0) == access.width:
            p.write(0, value, access.kind == "s")
            return True
    pointer = p.pointer(1, 0)
    load_all(p, access, pointer)
    return True


def load_all(p: Built, access: Access, pointer: SSAValue) -> None:
    targets = p.parts(0)
    if len(targets) != access.count:
        p.refuse()
    size = max(access.width // 8, 1)
    for at, target in enumerate(targets):
        place = p.moved(pointer, at * size)
        value = p.b.value(
            "llvm.load", (place,), integer_type(access.width), access.properties(size)
        )
        p.write(target, value, access.kind == "s")


def _store(p: Imported) -> bool:
    space = _parameter_space(p)
    if space is None:
        return False
    p.take(space)
    access = Access(p)
    address = p.address(0)
    bound = p.names.get(address.base.text) if isinstance(address.base, Name) else None
    sources = p.parts(1)
    if isinstance(bound, Bound):
        if address.offset or len(sources) != 1:
            p.refuse("a part of a parameter")
        value = p.value(sources[0], access.width)
        if width_of(value.type) != bound.slot.width:
            value = as_integer(p.b, as_integer(p.b, value, access.width), bound.slot.width)
        p.registers.write(bound.slot, value)
        return True
    if len(sources) != access.count:
        p.refuse()
    pointer = p.pointer(0, 0)
    size = max(access.width // 8, 1)
    for at, source in enumerate(sources):
        value = p.integer(source, access.width)
        place = p.moved(pointer, at * size)
        p.b.create("llvm.store", (value, place), (), access.properties(size))
    return True


def _popped(operands: list[Operand]) -> list[Operand]:
    """The members of the first operand, if it is a list in parentheses, which is taken away."""
    if not operands or not isinstance(operands[0], Group):
        return []
    parts = operands[0].parts
    del operands[0]
    return parts


def _call(p: Imported) -> bool:
    p.take("uni")
    p.finish()
    operands = list(p.operands)
    result = _popped(operands)
    target = operands.pop(0) if operands else None
    given = _popped(operands)
    prototype = operands.pop(0) if operands else None
    if not isinstance(target, Name) or operands:
        p.refuse("what it calls is not known")
    direct = p.slot(target) is None
    if direct:
        ty = p.b.function_type(target.text) or _known(p.b.module, target.text)
        if ty is None:
            p.refuse(f"'{target.text}' is not declared")
    else:
        found = p.names.get(prototype.text) if isinstance(prototype, Name) else None
        if not isinstance(found, Prototype):
            p.refuse("its prototype is not known")
        ty = signature(found.returns, found.parameters)
    if len(given) != len(ty.arguments):
        p.refuse(f"'{target.text}' takes {len(ty.arguments)} arguments")
    if len(result) == 1 and isinstance(ty.result, LLVMVoidType) and direct:
        # Declared with a result, and defined without one elsewhere: what is read is undefined.
        result = []
    if result and len(result) != (0 if isinstance(ty.result, LLVMVoidType) else 1):
        p.refuse("its results")
    values = [
        _argument(p, operand, wanted) for operand, wanted in zip(given, ty.arguments, strict=True)
    ]
    if direct and target.text == _SET_CONDITION:
        llvm.store(p.b, values[1], as_pointer(p.b, values[0], 1))
        return True
    if direct:
        name = p.b.module.callee_name(target.text)
        op = llvm.call(p.b, name, values, ty.result)
    else:
        callee = as_pointer(p.b, p.value(target, 64), 0)
        op = llvm.call(p.b, None, [callee, *values], ty.result)
    bound = [p.names.get(part.text) if isinstance(part, Name) else None for part in given]
    structs = [b.variable if isinstance(b, Place) else None for b in bound]
    if any(structs):
        op.properties["arg_attrs"] = by_value(structs)
    if result:
        _take_result(p, result[0], op.results[0])
    return True


def _argument(p: Imported, operand: Operand, wanted: Attribute) -> SSAValue:
    bound = p.names.get(operand.text) if isinstance(operand, Name) else None
    if isinstance(bound, Place):
        return p.place(bound)
    return as_type(p.b, p.value(operand, width_of(wanted) or 32), wanted)


def _take_result(p: Imported, target: Operand, value: SSAValue) -> None:
    bound = p.names.get(target.text) if isinstance(target, Name) else None
    if isinstance(bound, Place):
        llvm.store(p.b, value, p.place(bound))
    elif isinstance(target, Group):
        for at, part in enumerate(target.parts):
            p.write(part, p.b.element(value, at))
    else:
        p.write(target, value)


#: What sets the word of a conditional node of a graph: `handle` is the word's address.
_SET_CONDITION = "cudaGraphSetConditional"


def _known(module: Surroundings, name: str) -> LLVMFunctionType | None:
    found = KNOWN.get(name)
    if found is None:
        return None
    ty = LLVMFunctionType(found[0], LLVMVoidType() if found[1] is None else found[1])
    module.declare(name, ty)
    return ty


def _allocate(p: Imported) -> bool:
    """alloca.<type> d, size[, alignment]: memory of the thread, in the local window."""
    p.words.clear()
    size = p.constant(1)
    align = p.constant(2) if len(p.operands) > 2 else 8
    if size is None or align is None:
        p.refuse("memory of a size known only at run time")
    if p.b.is_repeated():
        p.refuse("it is in a loop")
    p.write(0, p.b.allocation(size, align))
    return True


def _stack(p: Imported) -> bool:
    """stacksave and stackrestore: memory of the thread is for the whole function."""
    if p.instruction.words[0] == "stacksave":
        p.write(0, p.b.integer(0, I64))
    return True


RULES: dict[str, Callable[[Imported], bool]] = {
    "add": _add, "sub": _add, "mad": _multiply_add, "mov": _move, "cvta": _convert_address,
    "selp": _select, "cvt": _narrow_address, "ld": _load, "st": _store, "call": _call,
    "alloca": _allocate, "stacksave": _stack, "stackrestore": _stack,
}  # fmt: skip
