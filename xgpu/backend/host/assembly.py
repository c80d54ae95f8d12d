# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Inline PTX on the host: the instructions that MLIR writes as inline assembly, by pattern."""

from __future__ import annotations

import re
from collections.abc import Callable

from xgpu.backend.host.context import THREAD, FunctionContext, UnsupportedOnHost
from xgpu.backend.host.text import Call

Emitter = Callable[[Call, FunctionContext, "re.Match[str]"], list[str]]


def _try_wait(call: Call, ctx: FunctionContext, match: re.Match[str]) -> list[str]:
    """A loop around mbarrier.try_wait[.parity], or one try: bar, phase, [ticks]."""
    from xgpu.backend.host.calls import wait

    (type, bar), (_, phase) = call.arguments[:2]
    lines: list[str] = []
    if type != "ptr":
        raise UnsupportedOnHost("mbarrier given as an integer")
    lines.append(wait(ctx, "mbarrier_wait", f"ptr {bar}", f"i32 {phase}"))
    if call.result:
        lines.append(f"{call.result} = add {call.type} 1, 0")
    return lines


def _nothing(call: Call, ctx: FunctionContext, match: re.Match[str]) -> list[str]:
    return []


_WGMMA = re.compile(
    r"wgmma\.mma_async\.sync\.aligned\.m64n(\d+)k(\d+)\.(\w+)\.(\w+)\.(\w+)\s*\{[^}]*\},\s*\$"
)


def _wgmma(call: Call, ctx: FunctionContext, match: re.Match[str]) -> list[str]:
    """wgmma.mma_async with descriptors of A and B; registers of D in and out, then the
    descriptors, the
    scales and, for 16-bit types, which operand is transposed."""
    from xgpu.backend.host.intrinsics_matrix import TYPES, load_registers, matrix_buffer

    n, k, d, a, b = int(match[1]), int(match[2]), match[3], match[4], match[5]
    if d != "f32" or a != b or a not in ("f16", "bf16", "tf32"):
        raise UnsupportedOnHost(f"wgmma of {a} and {b} to {d} is not supported on the host device")
    count = n // 2
    rest = [value for _, value in call.arguments[count:]]
    if call.arguments[0][0] != "float" or len(rest) < 5:
        raise UnsupportedOnHost("wgmma with A in registers is not supported on the host device")
    rest += ["0"] * (7 - len(rest))
    buffer = matrix_buffer(ctx, 4 * count)
    lines: list[str] = []
    for i, (_, value) in enumerate(call.arguments[:count]):
        at = ctx.fresh()
        lines.append(f"{at} = getelementptr inbounds float, ptr {buffer}, i64 {i}")
        lines.append(f"store float {value}, ptr {at}")
    types = ["ptr", "ptr", "i64", "i64", *["i32"] * 8]
    callee = ctx.module.declare("void", "xgpu_wgmma", *types)
    values = [THREAD, buffer, rest[0], rest[1], str(n), str(k), str(TYPES[a][0]), *rest[2:7]]
    arguments = ", ".join(f"{t} {v}" for t, v in zip(types, values, strict=True))
    lines.append(f"call void {callee}({arguments})")
    load_registers(ctx, buffer, 0, call, lines)
    return lines


# -- single instructions, predicated or not

_INSTRUCTION = re.compile(r"^\s*(?:@(!?)\$(\d+)\s+)?([a-z][\w.:]*)(?:\s+([^;]*))?;\s*$")
# An instruction's operands: the places that each names, as `[$1, {$2, $3}]` names three.
Operands = list[list[tuple[str, str]]]


def _arrive_expect(match: re.Match[str], operands: Operands) -> tuple[str, Operands]:
    _, (bar,), (size,) = operands
    return "mbarrier.arrive.expect.tx", [[bar], [size]]


def _tensor_to_shared(match: re.Match[str], operands: Operands) -> tuple[str, Operands]:
    """[dst], [map, {coordinates}], [mbarrier] [, multicast mask] [, cache hint]."""
    (target,), (tensor, *corner), (bar,), *rest = operands
    multicast, hint = match[2] is not None, match[3] is not None
    last = [value for (value,) in rest]
    mask = last.pop(0) if multicast else ("i16", "0")
    flags = [("i1", "true" if on else "false") for on in (multicast, hint)]
    name = f"cp.async.bulk.tensor.g2s.tile.{match[1]}d"
    return name, [[target, bar, tensor, *corner, mask, *(last or [("i64", "0")]), *flags]]


def _tensor_to_global(match: re.Match[str], operands: Operands) -> tuple[str, Operands]:
    """[map, {coordinates}], [src]."""
    (tensor, *corner), (source,) = operands
    return f"cp.async.bulk.tensor.s2g.tile.{match[1]}d", [[source, tensor, *corner]]


_Instruction = Callable[["re.Match[str]", Operands], tuple[str, Operands]]

# PTX instructions -> the NVVM intrinsic that does the same, with its operands in its order.
_INSTRUCTIONS: list[tuple[re.Pattern[str], _Instruction]] = [
    (re.compile(r"mbarrier\.init(\.shared(::cta)?)?\.b64"), lambda m, o: ("mbarrier.init", o)),
    (re.compile(r"mbarrier\.arrive\.expect_tx(\.shared(::cta)?)?\.b64"), _arrive_expect),
    (re.compile(r"prefetch\.tensormap"), lambda m, o: ("prefetch.tensormap", o)),
    (re.compile(r"bar\.arrive"), lambda m, o: ("barrier.cta.arrive.count", o)),
    (re.compile(r"cp\.async\.bulk\.tensor\.(\d)d\.shared::cluster\.global"
                r"\.mbarrier::complete_tx::bytes(\.multicast::cluster)?(\.L2::cache_hint)?"),
     _tensor_to_shared),
    (re.compile(r"cp\.async\.bulk\.tensor\.(\d)d\.global\.shared::cta\.bulk_group"),
     _tensor_to_global),
]  # fmt: skip


def _operands(text: str, call: Call) -> Operands:
    """The operands in an instruction's text: `$n` is an argument, `_` nothing."""
    from xgpu.backend.host.text import split_commas

    assert call.assembly is not None
    outputs = sum(c.startswith("=") for c in call.assembly[1].split(","))
    found: Operands = []
    for operand in split_commas(text):
        values: list[tuple[str, str]] = []
        for name in re.findall(r"\$?\w+", operand):
            if name.startswith("$"):
                values.append(call.arguments[int(name[1:]) - outputs])
            elif name != "_":
                values.append(("i32", name))
        found.append(values)
    return found


def _single(call: Call, ctx: FunctionContext) -> list[str] | None:
    """One instruction that an intrinsic does too; a predicate becomes a branch around it."""
    from xgpu.backend.host.function import conditional
    from xgpu.backend.host.intrinsics import find

    assert call.assembly is not None
    match = _INSTRUCTION.match(call.assembly[0])
    if match is None or call.result is not None:
        return None
    inverted, predicate, mnemonic, text = match.groups()
    for pattern, translate in _INSTRUCTIONS:
        found = pattern.fullmatch(mnemonic)
        if found is None:
            continue
        name, operands = translate(found, _operands(text or "", call))
        arguments = [value for values in operands for value in values]
        emitter = find(name)
        assert emitter is not None
        lines = emitter(Call(None, "void", f"@llvm.nvvm.{name}", arguments), ctx)
        if predicate is None:
            return lines
        type, value = _operands(f"${predicate}", call)[0][0]
        holds = ctx.fresh("holds")
        test = "eq" if inverted else "ne"
        return [f"{holds} = icmp {test} {type} {value}, 0", conditional(holds, lines)]
    return None


PATTERNS: list[tuple[re.Pattern[str], Emitter]] = [
    (re.compile(r"mbarrier\.try_wait\.parity"), _try_wait),
    (_WGMMA, _wgmma),
    (re.compile(r"^\s*(fence|membar|griddepcontrol|prefetch|setmaxnreg)[\w.:]*"), _nothing),
]  # fmt: skip


def emit_assembly(call: Call, ctx: FunctionContext) -> list[str]:
    """Lines for a call of inline PTX; `UnsupportedOnHost` names what is not known."""
    assert call.assembly is not None
    template = call.assembly[0]
    for pattern, emitter in PATTERNS:
        match = pattern.search(template)
        if match:
            return emitter(call, ctx, match)
    lines = _single(call, ctx)
    if lines is not None:
        return lines
    first = template.strip().splitlines()[0][:80] if template.strip() else ""
    raise UnsupportedOnHost(f"inline assembly '{first}' is not supported on the host device")
