# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""convert-nvvm-to-llvm: nvvm operations that have no intrinsic become inline PTX.

Each has a rule that gives its PTX with `%n` for operand n of the assembly, and its values in order:
results first, then what is read. Source: MLIR 22.1 NVVMToLLVM.cpp, BasicPtxBuilderInterface.cpp.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    BFloat16Type,
    Float16Type,
    Float32Type,
    Float64Type,
    IntegerAttr,
    IntegerType,
    StringAttr,
    UnitAttr,
    VectorType,
    i32,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue

from xgpu.core.ir.dominance import stands_before
from xgpu.core.passes.base import Pass
from xgpu.core.rewriting.driver import Conversion, NoMatch, convert
from xgpu.dialects.llvm.builders import constant, extract
from xgpu.dialects.llvm.types import LLVMPointerType, LLVMStructType

if TYPE_CHECKING:
    from xdsl.context import Context

    from xgpu.dialects import nvvm

_SHARED = 3


class ConvertNVVMToLLVMPass(Pass):
    """Lowers nvvm operations that need inline assembly."""

    name = "convert-nvvm-to-llvm"
    summary = "Convert NVVM to PTX with Inline Assembly in LLVM dialect"

    def run(self, op: Operation, ctx: Context) -> None:
        convert(op, RULES, None, known=("llvm",))


def register_letter(ty: Attribute) -> str:
    """The constraint letter of a value of this type (PTX ISA; MLIR's getNVVMRegisterType)."""
    if isinstance(ty, LLVMPointerType):
        return "r" if ty.address_space == _SHARED else "l"
    if isinstance(ty, IntegerType):
        width = ty.width.data
        return {1: "b", 16: "h", 32: "r", 64: "l"}.get(width) or _unsupported(ty)
    if isinstance(ty, Float32Type):
        return "f"
    if isinstance(ty, Float64Type):
        return "d"
    if isinstance(ty, Float16Type | BFloat16Type):
        return "h"
    if isinstance(ty, VectorType):
        element = ty.element_type
        width = getattr(element, "bitwidth", 0) * ty.element_count()
        letters = {32: "f" if not isinstance(element, IntegerType) else "r", 64: "l"}
        return letters.get(width) or _unsupported(ty)
    return _unsupported(ty)


def _unsupported(ty: Attribute) -> str:
    raise NoMatch(f"the type {ty} has no PTX register")


def _input_letter(value: SSAValue) -> str:
    """The constraint of an input: a constant is part of the text."""
    owner = value.owner
    if isinstance(owner, Operation) and owner.name == "llvm.mlir.constant":
        return "n"
    return register_letter(value.type)


class PtxBuilder:
    """Collects the operands of one inline assembly: MLIR's PtxBuilder."""

    def __init__(self, rw: Conversion, op: Operation) -> None:
        self.rw = rw
        self.op = op
        self.values: list[SSAValue] = []
        self.outputs: list[str] = []
        self.inputs: list[str] = []
        self.result_types: list[Attribute] = []
        self.writes_back: list[SSAValue] = []
        self.has_side_effects = True

    def read(self, value: SSAValue, letter: str | None = None) -> None:
        self.values.append(value)
        self.inputs.append(letter or _input_letter(value))

    def write(self, ty: Attribute, letter: str | None = None) -> None:
        self.result_types.append(ty)
        self.outputs.append("=" + (letter or register_letter(ty)))

    def build(self, ptx: str, predicate: SSAValue | None = None) -> list[SSAValue]:
        """The assembly; its results one by one."""
        if predicate is not None:
            # Right after the other inputs. (MLIR 22.1 forgets the outputs and names a wrong one.)
            position = len(self.outputs) + len(self.inputs)
            self.read(predicate, "b")
            ptx = f"@${position} {ptx}"
        ptx = re.sub(r"%(\d+)", r"$\1", ptx)
        properties: dict[str, Attribute] = {
            "asm_dialect": IntegerAttr(0, i64),
            "asm_string": StringAttr(ptx),
            "constraints": StringAttr(",".join((*self.outputs, *self.inputs))),
        }
        if self.has_side_effects:
            properties["has_side_effects"] = UnitAttr()
        types = self.result_types
        packed = types if len(types) <= 1 else [LLVMStructType(types)]
        assembly = self.rw.create("llvm.inline_asm", self.values, packed, properties)
        if len(types) <= 1:
            return list(assembly.results)
        return [extract(self.rw, assembly.results[0], i) for i in range(len(types))]


def _is_shared(value: SSAValue) -> bool:
    return isinstance(value.type, LLVMPointerType) and value.type.address_space == _SHARED


def lower_barrier_arrive(
    op: Operation, operands: Sequence[SSAValue], rw: Conversion
) -> list[SSAValue]:
    ptx = PtxBuilder(rw, op)
    for operand in operands:
        ptx.read(operand)
    ptx.build("bar.arrive %0, %1;" if len(operands) == 2 else "bar.arrive 0, %0;")
    return []


def _with_predicate(
    op: nvvm.MbarrierInitOp | nvvm.MbarrierArriveExpectTxOp, operands: Sequence[SSAValue],
    rw: Conversion, instruction: str,
) -> list[SSAValue]:  # fmt: skip
    """An instruction on a barrier in memory that is executed where its predicate holds."""
    if op.predicate is None:
        raise NoMatch("without a predicate there is an intrinsic")
    ptx = PtxBuilder(rw, op)
    ptx.read(operands[0])
    ptx.read(operands[1])
    space = ".shared" if _is_shared(operands[0]) else ""
    ptx.build(instruction.replace("{space}", space), operands[2])
    return []


def lower_mbarrier_init(
    op: nvvm.MbarrierInitOp, operands: Sequence[SSAValue], rw: Conversion
) -> list[SSAValue]:
    return _with_predicate(op, operands, rw, "mbarrier.init{space}.b64 [%0], %1;")


def lower_arrive_expect_tx(
    op: nvvm.MbarrierArriveExpectTxOp, operands: Sequence[SSAValue], rw: Conversion
) -> list[SSAValue]:
    return _with_predicate(op, operands, rw, "mbarrier.arrive.expect_tx{space}.b64 _, [%0], %1;")


def lower_try_wait_parity(
    op: Operation, operands: Sequence[SSAValue], rw: Conversion
) -> list[SSAValue]:
    """Tries until the phase is over: a loop in the assembly."""
    ptx = PtxBuilder(rw, op)
    for operand in operands:
        ptx.read(operand)
    space = ".shared" if _is_shared(operands[0]) else ""
    ptx.build(
        "{\n\t"
        ".reg .pred       P1; \n\t"
        "LAB_WAIT: \n\t"
        f"mbarrier.try_wait.parity{space}.b64 P1, [%0], %1, %2; \n\t"
        "@P1 bra.uni DONE; \n\t"
        "bra.uni     LAB_WAIT; \n\t"
        "DONE: \n\t"
        "}"
    )
    return []


def lower_prefetch(
    op: nvvm.PrefetchOp, operands: Sequence[SSAValue], rw: Conversion
) -> list[SSAValue]:
    if op.predicate is None:
        raise NoMatch("without a predicate there is an intrinsic")
    ptx = PtxBuilder(rw, op)
    ptx.read(operands[0])
    ptx.build("prefetch.tensormap [%0];", operands[1])
    return []


def _group(op: Operation, name: str, operands: Sequence[SSAValue]) -> list[SSAValue]:
    """The converted values of an operand group."""
    converted = dict(zip(map(id, op.operands), operands, strict=True))
    found = getattr(op, name)
    if found is None:
        return []
    values = [found] if isinstance(found, SSAValue) else list(found)
    return [converted[id(value)] for value in values]


def lower_tensor_load(
    op: Operation, operands: Sequence[SSAValue], rw: Conversion
) -> list[SSAValue]:
    """cp.async.bulk.tensor global to shared, predicated."""
    predicate = _group(op, "predicate", operands)
    if not predicate:
        raise NoMatch("without a predicate there is an intrinsic")
    ptx = PtxBuilder(rw, op)
    (dst,) = _group(op, "dst_mem", operands)
    (descriptor,) = _group(op, "tma_descriptor", operands)
    (barrier,) = _group(op, "mbar", operands)
    coordinates = _group(op, "coordinates", operands)
    offsets = _group(op, "im2col_offsets", operands)
    mask = _group(op, "multicast_mask", operands)
    hint = _group(op, "l2_cache_hint", operands)
    for value in (dst, descriptor, *coordinates, barrier, *offsets, *mask, *hint):
        ptx.read(value)
    rank = len(coordinates)
    text = (
        f"cp.async.bulk.tensor.{rank}d.shared::cluster.global.mbarrier::complete_tx::bytes"
        + (".im2col" if offsets else "")
        + (".multicast::cluster" if mask else "")
        + (".L2::cache_hint" if hint else "")
    )
    position = 2 + rank
    text += " [%0], [%1, {" + ",".join(f"%{i}" for i in range(2, position)) + "} ], "
    text += f"[%{position}]"
    position += 1
    if offsets:
        text += ",{" + ",".join(f"%{position + i}" for i in range(len(offsets))) + "}"
        position += len(offsets)
    for _ in (*mask, *hint):
        text += f", %{position}"
        position += 1
    ptx.build(text + ";", predicate[0])
    return []


def lower_tensor_store(
    op: Operation, operands: Sequence[SSAValue], rw: Conversion
) -> list[SSAValue]:
    """cp.async.bulk.tensor shared to global, predicated."""
    predicate = _group(op, "predicate", operands)
    if not predicate:
        raise NoMatch("without a predicate there is an intrinsic")
    ptx = PtxBuilder(rw, op)
    (descriptor,) = _group(op, "tma_descriptor", operands)
    (source,) = _group(op, "src_mem", operands)
    coordinates = _group(op, "coordinates", operands)
    for value in (descriptor, source, *coordinates):
        ptx.read(value)
    rank = len(coordinates)
    box = ", ".join(f"%{2 + i}" for i in range(rank))
    ptx.build(
        f"cp.async.bulk.tensor.{rank}d.global.shared::cta.bulk_group [%0, {{{box}}} ], [%1];",
        predicate[0],
    )
    return []


def lower_inline_ptx(
    op: nvvm.InlinePtxOp, operands: Sequence[SSAValue], rw: Conversion
) -> list[SSAValue]:
    """nvvm.inline_ptx: `{$rN}`, `{$wN}` and `{$rwN}` become positions in the assembly.

    Outputs come first: what is read and written, then results; inputs: what is only read, then,
    tied to the outputs, what is read and written.
    """
    read_write = _group(op, "read_write_args", operands)
    read_only = _group(op, "read_only_args", operands)
    predicate = _group(op, "predicate", operands)
    ptx = PtxBuilder(rw, op)
    ptx.result_types = [*(v.type for v in read_write), *(r.type for r in op.results)]
    ptx.outputs = ["=" + register_letter(ty) for ty in ptx.result_types]
    writes, reads = len(read_write), len(ptx.result_types)
    ptx.values = [*read_write, *read_only]
    ptx.inputs = [_input_letter(v) for v in read_only] + [str(i) for i in range(writes)]
    text = op.ptx_code.data
    text = re.sub(r"\{\$rw(\d+)\}", lambda m: f"%{m[1]}", text)
    text = re.sub(r"\{\$w(\d+)\}", lambda m: f"%{writes + int(m[1])}", text)
    text = re.sub(r"\{\$r(\d+)\}", lambda m: f"%{reads + int(m[1])}", text)
    results = ptx.build(text, predicate[0] if predicate else None)
    # Users after the assembly see what it wrote.
    for old, new in zip(op.read_write_args, results, strict=False):
        for use in list(old.uses):
            user = use.operation
            if stands_before(op, user):
                user.operands[use.index] = new
    return results[writes:]


def lower_wgmma(
    op: nvvm.WgmmaMmaAsyncOp, operands: Sequence[SSAValue], rw: Conversion
) -> list[SSAValue]:
    """wgmma.mma_async: the accumulators are outputs and, tied to them, inputs."""
    properties = op.properties
    accumulator, descriptor_a, descriptor_b = operands[:3]
    struct = cast("LLVMStructType", accumulator.type)
    count = len(struct.body)
    shape = properties["shape"]
    m, n, k = (int(getattr(d, "data", d)) for d in shape.data)
    d_type, a_type, b_type = (kind.data for kind in (op.type_d, op.type_a, op.type_b))
    has_layouts = a_type in ("f16", "bf16")
    overflow = properties.get("satfinite")
    ptx = PtxBuilder(rw, op)
    # MLIR makes the immediate operands first.
    immediates = [1 if properties["scaleD"].data == "one" else 0]
    if d_type != "s32":
        immediates += [-1 if scale.data == "neg" else 1 for scale in (op.scale_a, op.scale_b)]
    if has_layouts:
        immediates += [
            1 if properties["layoutA"].data == "col" else 0,
            1 if properties["layoutB"].data == "row" else 0,
        ]
    scale_values = [constant(rw, value, i32) for value in immediates]
    members = [extract(rw, accumulator, i) for i in range(count)]
    letters = [register_letter(ty) for ty in struct.body]
    ptx.outputs = ["=" + letter for letter in letters]
    ptx.inputs = [str(i) for i in range(count)]
    ptx.values = list(members)
    ptx.read(descriptor_a)
    ptx.read(descriptor_b)
    for value in scale_values:
        ptx.read(value, "n")
    position = 2 * count
    name = f"wgmma.mma_async.sync.aligned.m{m}n{n}k{k}.{d_type}.{a_type}.{b_type}"
    if overflow is not None and overflow.data == "satfinite":
        name += ".satfinite"
    text = "{\n.reg .pred p;\nsetp.ne.b32 p, $" + str(position + 2) + ", 0;\n" + name + " {"
    text += ", ".join(f"${i}" for i in range(count))
    text += f"}}, ${position}, ${position + 1}, p"
    rest = [f"${position + 3 + i}" for i in range(len(immediates) - 1)]
    if rest:
        text += f", {rest[0]},  {rest[1]}"
        if len(rest) > 2:
            text += f", {rest[2]},  {rest[3]}"
    text += ";\n}\n"
    ptx.result_types = [struct]
    return ptx.build(text)


RULES = {
    "nvvm.barrier.arrive": lower_barrier_arrive,
    "nvvm.mbarrier.init": lower_mbarrier_init,
    "nvvm.mbarrier.arrive.expect_tx": lower_arrive_expect_tx,
    "nvvm.mbarrier.try_wait.parity": lower_try_wait_parity,
    "nvvm.prefetch": lower_prefetch,
    "nvvm.cp.async.bulk.tensor.shared.cluster.global": lower_tensor_load,
    "nvvm.cp.async.bulk.tensor.global.shared.cta": lower_tensor_store,
    "nvvm.inline_ptx": lower_inline_ptx,
    "nvvm.wgmma.mma_async": lower_wgmma,
}
