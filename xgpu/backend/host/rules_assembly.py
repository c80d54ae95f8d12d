# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Inline PTX on the host: the instructions that MLIR writes as inline assembly, by pattern."""

from __future__ import annotations

import re
from collections.abc import Callable

from xdsl.dialects.builtin import f32
from xdsl.ir import SSAValue

from xgpu.backend.host.code import Code
from xgpu.backend.host.lowering import Call, Values, lower_intrinsic, operation
from xgpu.backend.host.rules_matrix import TYPES, load_registers, store_registers
from xgpu.backend.host.text import split_commas
from xgpu.backend.host.types import I1, I16, I64

#: An operand of an instruction: the values that it names, as `[$1, {$2, $3}]` names three.
Operands = list[list[SSAValue]]

_WGMMA = re.compile(
    r"wgmma\.mma_async\.sync\.aligned\.m64n(\d+)k(\d+)\.(\w+)\.(\w+)\.(\w+)\s*\{[^}]*\},\s*\$"
)
_NOTHING = re.compile(r"^\s*(fence|membar|griddepcontrol|prefetch|setmaxnreg)[\w.:]*")
_INSTRUCTION = re.compile(r"^\s*(?:@(!?)\$(\d+)\s+)?([a-z][\w.:]*)(?:\s+([^;]*))?;\s*$")
_NAME = re.compile(r"\$?\w+")


@operation("llvm.inline_asm")
def inline_assembly(call: Call, b: Code) -> Values:
    template: str = call.op.properties["asm_string"].data
    if "mbarrier.try_wait.parity" in template:
        return _try_wait(call, b)
    product = _WGMMA.search(template)
    if product is not None:
        return _wgmma(call, b, product)
    if _NOTHING.search(template):
        return []
    instruction = _INSTRUCTION.match(template)
    if instruction is not None and not call.types and _single(call, b, instruction):
        return []
    first = template.strip().splitlines()[0][:80] if template.strip() else ""
    b.refuse(f"inline assembly '{first}' is not supported on the host device")


def _try_wait(call: Call, b: Code) -> Values:
    """A loop around mbarrier.try_wait[.parity], or one try: bar, phase, [ticks]."""
    bar, phase = call.arguments[:2]
    if bar.type.name != "llvm.ptr":
        b.refuse("mbarrier given as an integer")
    b.wait("mbarrier_wait", bar, phase)
    return [b.integer(1, call.type)] if call.types else []


def _wgmma(call: Call, b: Code, match: re.Match[str]) -> Values:
    """wgmma.mma_async with descriptors of A and B; registers of D in and out, then the descriptors,
    the scales and, for 16-bit types, which operand is transposed."""
    n, k, d, kind, other = int(match[1]), int(match[2]), match[3], match[4], match[5]
    if d != "f32" or kind != other or kind not in ("f16", "bf16", "tf32"):
        b.refuse(f"wgmma of {kind} and {other} to {d} is not supported on the host device")
    count = n // 2
    rest = call.arguments[count:]
    if call.arguments[0].type != f32 or len(rest) < 5:
        b.refuse("wgmma with A in registers is not supported on the host device")
    rest += [b.integer(0)] * (7 - len(rest))
    place = b.memory(4 * count)
    store_registers(b, place, 0, call.arguments[:count])
    numbers = (n, k, TYPES[kind][0])
    b.native("wgmma", None, place, *rest[:2], *map(b.integer, numbers), *rest[2:7])
    return [load_registers(b, place, 0, call.type)]


# -- single instructions, predicated or not


def _arrive_expect(b: Code, match: re.Match[str], operands: Operands) -> tuple[str, Operands]:
    _, (bar,), (size,) = operands
    return "mbarrier.arrive.expect.tx", [[bar], [size]]


def _tensor_to_shared(b: Code, match: re.Match[str], operands: Operands) -> tuple[str, Operands]:
    """[dst], [map, {coordinates}], [mbarrier] [, multicast mask] [, cache hint]."""
    (target,), (tensor, *corner), (bar,), *rest = operands
    flags = [b.integer(int(match[i] is not None), I1) for i in (2, 3)]
    last = [value for (value,) in rest]
    mask = last.pop(0) if match[2] is not None else b.integer(0, I16)
    name = f"cp.async.bulk.tensor.g2s.tile.{match[1]}d"
    hint = last or [b.integer(0, I64)]
    return name, [[target, bar, tensor, *corner, mask, *hint, *flags]]


def _tensor_to_global(b: Code, match: re.Match[str], operands: Operands) -> tuple[str, Operands]:
    """[map, {coordinates}], [src]."""
    (tensor, *corner), (source,) = operands
    return f"cp.async.bulk.tensor.s2g.tile.{match[1]}d", [[source, tensor, *corner]]


_Instruction = Callable[[Code, "re.Match[str]", Operands], tuple[str, Operands]]

# PTX instructions -> the NVVM intrinsic that does the same, with its operands in its order.
_INSTRUCTIONS: list[tuple[re.Pattern[str], _Instruction]] = [
    (re.compile(r"mbarrier\.init(\.shared(::cta)?)?\.b64"), lambda b, m, o: ("mbarrier.init", o)),
    (re.compile(r"mbarrier\.arrive\.expect_tx(\.shared(::cta)?)?\.b64"), _arrive_expect),
    (re.compile(r"prefetch\.tensormap"), lambda b, m, o: ("prefetch.tensormap", o)),
    (re.compile(r"bar\.arrive"), lambda b, m, o: ("barrier.cta.arrive.count", o)),
    (re.compile(r"cp\.async\.bulk\.tensor\.(\d)d\.shared::cluster\.global"
                r"\.mbarrier::complete_tx::bytes(\.multicast::cluster)?(\.L2::cache_hint)?"),
     _tensor_to_shared),
    (re.compile(r"cp\.async\.bulk\.tensor\.(\d)d\.global\.shared::cta\.bulk_group"),
     _tensor_to_global),
]  # fmt: skip


def _operands(b: Code, text: str, call: Call) -> Operands:
    """The operands in an instruction's text: `$n` is an argument, `_` nothing."""
    constraints: str = call.op.properties["constraints"].data
    outputs = sum(c.startswith("=") for c in constraints.split(","))
    found: Operands = []
    for operand in split_commas(text):
        values: list[SSAValue] = []
        for name in _NAME.findall(operand):
            if name.startswith("$"):
                values.append(call.arguments[int(name[1:]) - outputs])
            elif name != "_":
                values.append(b.integer(int(name)))
        found.append(values)
    return found


def _single(call: Call, b: Code, match: re.Match[str]) -> bool:
    """One instruction that an intrinsic does too; a predicate becomes a branch around it. Whether
    it is one."""
    inverted, predicate, mnemonic, text = match.groups()
    for pattern, translate in _INSTRUCTIONS:
        found = pattern.fullmatch(mnemonic)
        if found is None:
            continue
        name, operands = translate(b, found, _operands(b, text or "", call))
        arguments = [value for values in operands for value in values]
        if predicate is None:
            lower_intrinsic(Call(call.op, name, arguments, ()), b)
            return True
        ((value,),) = _operands(b, f"${predicate}", call)
        holds = b.icmp("eq" if inverted else "ne", value, 0)
        with b.when(holds):
            lower_intrinsic(Call(call.op, name, arguments, ()), b)
        return True
    return False
