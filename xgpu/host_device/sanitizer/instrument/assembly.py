# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What `host-sanitize` puts around inline PTX: the instructions that MLIR's nvvm dialect writes so
(`assembly` has those that the host device runs)."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import IntegerType, i32, i64

from xgpu.backend.llvm_ir.facts import text_of
from xgpu.conversion import llvm_ops
from xgpu.core.ir.errors import error
from xgpu.core.rewriting.rewriter import Rewriter
from xgpu.dialects.llvm.types import LLVMPointerType
from xgpu.host_device.compiler.text import split_commas
from xgpu.host_device.sanitizer.instrument.calls import POINTER, Instrumentation
from xgpu.host_device.sanitizer.instrument.nvvm import INVAL, PROXY_FENCES, answer
from xgpu.host_device.sanitizer.instrument.records import (
    PROXY_MBARRIER,
    SCOPE_BLOCK,
    SCOPE_CLUSTER,
    SCOPE_DEVICE,
)

if TYPE_CHECKING:
    from xdsl.ir import Operation, Region, SSAValue


_HARMLESS = ("griddepcontrol", "prefetch", "setmaxnreg", "nanosleep")
_PRODUCT = re.compile(
    r"wgmma\.mma_async\.sync\.aligned\.m64n(\d+)k(\d+)\.(\w+)\.(\w+)\.(\w+)[\w.]*\s+([^;]*);"
)
_ELEMENT_BYTES = {"f16": 2, "bf16": 2, "tf32": 4, "e4m3": 1, "e5m2": 1, "s8": 1, "u8": 1}
_INSTRUCTION = re.compile(r"^\s*(?:@(!?)\$(\d+)\s+)?([a-z][\w.:]*)(?:\s+([^;]*))?;?\s*$")

# An address with the corner of a box behind it, and what else an instruction has.
_ADDRESS = re.compile(r"\[\s*\$\d+\s*(,\s*\{[\s$\d,]*\}\s*)?\]")
_GROUP = re.compile(r"\.(commit|wait)_group\b")
_PLACE = re.compile(r"\$\d+|_")

#: Operands of an instruction: for each the positions of the operation's operands that it names.
Operands = list[list[int]]
Rule = Callable[[Instrumentation, "Operation", "SSAValue | None", Operands, "re.Match[str]"], None]


#: The loop that MLIR writes for a wait.
_LOOP = re.compile(r"\s*\{\s*\.reg \.pred\s+P1;\s*LAB_WAIT:\s*mbarrier\.try_wait")


def is_known(op: Operation) -> bool:
    """Whether `instrument_assembly` knows a piece of inline PTX; others are raised before."""
    text = text_of(op.properties["asm_string"])
    if "wgmma.mma_async.sp" in text:
        return True  # and refused, for nobody would see what it reads
    match = _INSTRUCTION.match(text)
    if match is None:
        is_wait = _LOOP.match(text) is not None and _is_pointer(op, 0)
        return is_wait or len(_PRODUCT.findall(text)) == 1
    if match[3].startswith(_HARMLESS):
        return True
    if match[2] is not None and int(match[2]) < _outputs(op):
        return False
    has_rule = any(rule.match(match[3]) for rule, _ in _RULES)
    return has_rule and (_GROUP.search(match[3]) is not None or _is_plain(op, match[4] or ""))


def _is_plain(op: Operation, text: str) -> bool:
    """Whether an instruction's operands are as MLIR writes them: pointers in brackets with no
    offset, and operands of the operation. Others are raised, which takes any."""
    first = _outputs(op)
    for operand in split_commas(text):
        places = [int(n) - first for n in re.findall(r"\$(\d+)", operand)]
        if operand.strip().startswith("["):
            if _ADDRESS.fullmatch(operand.strip()) is None or not _is_pointer(op, places[0]):
                return False
        elif _PLACE.fullmatch(operand.strip()) is None:
            return False
    return True


def _is_pointer(op: Operation, index: int) -> bool:
    """Whether an operand is a pointer; CUDA's texts have registers of 32 or 64 bits."""
    return 0 <= index < len(op.operands) and isinstance(op.operands[index].type, LLVMPointerType)


def instrument_assembly(made: Instrumentation, op: Operation) -> None:
    """Put calls around a piece of inline PTX. Raises `DiagnosticError` for what is not known."""
    text = text_of(op.properties["asm_string"])
    if "mbarrier.try_wait" in text:
        _wait(made, op)
        return
    product = _PRODUCT.search(text)
    if product is not None:
        _wgmma(made, op, product)
        return
    match = _INSTRUCTION.match(text)
    if match is not None:
        for pattern, rule in _RULES:
            found = pattern.match(match[3])
            if found is not None:
                rule(made, op, _predicate(made, op, match), _operands(op, match[4] or ""), found)
                return
    if not any(word in text for word in _HARMLESS):
        raise error(op, "the sanitizer does not know what this inline assembly does to memory")


def _outputs(op: Operation) -> int:
    """How many operands of the text are results."""
    constraints = text_of(op.properties["constraints"])
    return sum(c.startswith("=") for c in constraints.split(","))


def _operands(op: Operation, text: str) -> Operands:
    first = _outputs(op)
    return [
        [int(n) - first for n in re.findall(r"\$(\d+)", operand)] for operand in split_commas(text)
    ]


def _predicate(made: Instrumentation, op: Operation, match: re.Match[str]) -> SSAValue | None:
    """The condition under which the instruction is done; None: always."""
    if match[2] is None:
        return None
    value = op.operands[int(match[2]) - _outputs(op)]
    zero = llvm_ops.constant(made.rw, 0, value.type)
    return llvm_ops.icmp(made.rw, "eq" if match[1] else "ne", value, zero)


# -- mbarriers


def _wait(made: Instrumentation, op: Operation) -> None:
    made.checked(op, 0, "mbarrier_wait", made.info(op))
    address, phase = op.operands[0], op.operands[1]
    made.rw.after(op)
    over = answer(made, op)
    made.call("mbarrier_waited", [made.generic(address), made.info(op), phase, over])


def _init(
    made: Instrumentation,
    op: Operation,
    predicate: SSAValue | None,
    operands: Operands,
    match: re.Match[str],
) -> None:
    info = made.where(made.info(op, INVAL if match[1] == "inval" else 0), predicate)
    made.checked(op, operands[0][0], "mbarrier_init", info)


def _arrive(
    made: Instrumentation,
    op: Operation,
    predicate: SSAValue | None,
    operands: Operands,
    _: re.Match[str],
) -> None:
    """`state, [address], ...`, or without the state."""
    address = next(i for places in operands for i in places if i >= 0)
    made.checked(op, address, "mbarrier_arrive", made.where(made.info(op), predicate))


def _barrier_arrive(
    made: Instrumentation,
    op: Operation,
    predicate: SSAValue | None,
    operands: Operands,
    _: re.Match[str],
) -> None:
    id, count = (op.operands[places[0]] for places in operands)
    made.call("barrier_arrive", [id, count, made.info(op)])


# -- products of matrices


def _wgmma(made: Instrumentation, op: Operation, match: re.Match[str]) -> None:
    """{D}, A (a descriptor, or registers), B, the scale of D, scales of A and B, which of the two
    is transposed."""
    n, k, kind, text = int(match[1]), int(match[2]), match[4], match[6]
    if kind not in _ELEMENT_BYTES:
        raise error(op, f"the sanitizer does not know what wgmma of {kind} reads")
    parts = split_commas(text)
    in_registers = parts[1].startswith("{")
    shape = n | k << 16 | _ELEMENT_BYTES[kind] << 32 | int(in_registers) << 40
    transposed = parts[6:7] if in_registers else parts[6:8]
    layouts = [_number(made, op, part, i32) for part in transposed]
    if in_registers:
        layouts.insert(0, made.constant(0, i32))
    packed = made.constant(0, i32)
    for bit, layout in enumerate(layouts):
        moved = made.rw.value("llvm.shl", (layout, made.constant(bit, i32)), i32)
        packed = made.rw.value("llvm.or", (packed, moved), i32)
    a = made.constant(0) if in_registers else _number(made, op, parts[1], i64)
    b = _number(made, op, parts[2], i64)
    made.call("wgmma", [a, b, made.info(op), made.constant(shape), packed])
    made.products.append(op)


def _number(made: Instrumentation, op: Operation, text: str, type: IntegerType) -> SSAValue:
    """An integer of a text: an operand of the operation, or written out."""
    if text.strip().isdecimal():
        return made.constant(int(text), type)
    places = [int(n) - _outputs(op) for n in re.findall(r"\$(\d+)", text)]
    if len(places) == 1 and 0 <= places[0] < len(op.operands):
        value = op.operands[places[0]]
        if isinstance(value.type, IntegerType):
            return made.widened(value, type)
    raise error(op, f"the sanitizer does not know what '{text}' in this inline assembly is")


def _wgmma_fence(made: Instrumentation, op: Operation, *_: object) -> None:
    made.call("wgmma_fence", [])


def _wgmma_commit(made: Instrumentation, op: Operation, *_: object) -> None:
    made.call("wgmma_commit", [])


def _wgmma_wait(made: Instrumentation, op: Operation, *_: object) -> None:
    number = re.search(r"(\d+)\s*;?\s*$", text_of(op.properties["asm_string"]))
    made.rw.after(op)
    groups = llvm_ops.constant(made.rw, int(number[1]) if number else 0, i32)
    made.call("wgmma_wait", [groups, made.info(op)])


# -- tensor copies


def _corner(made: Instrumentation, op: Operation, places: list[int]) -> SSAValue:
    block = op.parent
    assert block is not None
    at = Rewriter(cast("Region", block.parent).blocks[0].first_op)
    corner = llvm_ops.alloca(at, llvm_ops.constant(at, 5, i32), i32, alignment=8)
    for i, place in enumerate(places):
        element = llvm_ops.gep(made.rw, corner, i32, [i])
        made.rw.create("llvm.store", (op.operands[place], element), ())
    return corner


def _load(
    made: Instrumentation,
    op: Operation,
    predicate: SSAValue | None,
    operands: Operands,
    match: re.Match[str],
) -> None:
    """[target], [map, {coordinates}], [mbarrier] [, mask] [, cache hint]"""
    (target,), (tensor, *corner), (bar,), *rest = operands
    mask = made.constant(0, i32)
    if match[1] is not None:
        mask = made.widened(op.operands[rest[0][0]], i32)
    at = _corner(made, op, corner)
    pointers = [made.generic(op.operands[i]) for i in (target, bar, tensor)]
    info = made.where(made.info(op), predicate)
    fine = made.call("tensor_load", [*pointers, at, info, mask], i32)
    _elsewhere(made, op, target, fine)


def _store(
    made: Instrumentation,
    op: Operation,
    predicate: SSAValue | None,
    operands: Operands,
    _: re.Match[str],
) -> None:
    """[map, {coordinates}], [source]"""
    (tensor, *corner), (source,), *__ = operands
    at = _corner(made, op, corner)
    pointers = [made.generic(op.operands[i]) for i in (source, tensor)]
    info = made.where(made.info(op), predicate)
    fine = made.call("tensor_store", [*pointers, at, info], i32)
    _elsewhere(made, op, source, fine)


def _elsewhere(made: Instrumentation, op: Operation, index: int, fine: SSAValue) -> None:
    """Where a copy cannot be done, it is done with memory of nobody's."""
    flag = made.rw.value("llvm.trunc", (fine,), IntegerType(1))
    pointer = op.operands[index]
    sink = made.call("nowhere", [], POINTER)
    chosen = made.rw.value("llvm.select", (flag, made.generic(pointer), sink), POINTER)
    made.set_operand(op, index, made.back(chosen, pointer.type))


# -- fences and groups


def _fence(
    made: Instrumentation,
    op: Operation,
    predicate: SSAValue | None,
    operands: Operands,
    _: re.Match[str],
) -> None:
    words = text_of(op.properties["asm_string"]).strip(" ;").split(".")
    scope = SCOPE_CLUSTER if "cluster" in words else SCOPE_DEVICE
    made.fence(op, SCOPE_BLOCK if "cta" in words else scope)


def _proxy_fence(
    made: Instrumentation,
    op: Operation,
    predicate: SSAValue | None,
    operands: Operands,
    match: re.Match[str],
) -> None:
    """fence.proxy.async, .async.global, .async.shared::cta and fence.mbarrier_init."""
    if match[1] == "mbarrier_init":
        made.proxy_fence(op, PROXY_MBARRIER)
        return
    space = "" if match[2] is None else f".{match[2]}"
    made.proxy_fence(op, *PROXY_FENCES[f"async{space}"])


def _commit(
    made: Instrumentation,
    op: Operation,
    predicate: SSAValue | None,
    operands: Operands,
    _: re.Match[str],
) -> None:
    made.call("bulk_commit", [])


def _wait_group(
    made: Instrumentation,
    op: Operation,
    predicate: SSAValue | None,
    operands: Operands,
    match: re.Match[str],
) -> None:
    text = text_of(op.properties["asm_string"])
    number = re.search(r"(\d+)\s*;?\s*$", text)
    groups = int(number[1]) if number else 0
    made.rw.after(op)
    flags = 1 if match[1] else 0
    made.call("bulk_wait", [llvm_ops.constant(made.rw, groups, i32), made.info(op, flags)])


_RULES: list[tuple[re.Pattern[str], Rule]] = [
    (re.compile(r"mbarrier\.(init|inval)\b"), _init),
    (re.compile(r"mbarrier\.(arrive|arrive_drop|expect_tx|complete_tx)\b"), _arrive),
    (re.compile(r"bar(rier)?(\.cta)?\.arrive"), _barrier_arrive),
    (re.compile(r"cp\.async\.bulk\.tensor\.\dd\.shared::cluster\.global"
                r"\.mbarrier::complete_tx::bytes(\.multicast::cluster)?"), _load),
    (re.compile(r"cp\.async\.bulk\.tensor\.\dd\.global\.shared::cta"), _store),
    (re.compile(r"cp\.async\.bulk\.commit_group"), _commit),
    (re.compile(r"cp\.async\.bulk\.wait_group(\.read)?"), _wait_group),
    (re.compile(r"wgmma\.fence"), _wgmma_fence),
    (re.compile(r"wgmma\.commit_group"), _wgmma_commit),
    (re.compile(r"wgmma\.wait_group"), _wgmma_wait),
    (re.compile(r"fence\.(proxy\.async(?:\.(global|shared))?|mbarrier_init)"), _proxy_fence),
    (re.compile(r"fence\.proxy\."), lambda made, op, predicate, operands, match: None),
    (re.compile(r"fence\b|membar\b"), _fence),
]  # fmt: skip
