# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks put into a host program: where it is, and what it divides by.

LLVM leaves integer division by zero undefined, and folds it to anything. So before a program is
optimized, each integer division whose divisor is not known to be harmless gets a call of
`xgpu_check_<s|u>_<type>`, which is inlined: a compare, and a branch that is never taken.

Locations come from IR: `mark_locations` puts `llvm.call @xgpu_at(n)` before each division and each
call of the device, in the llvm dialect, where locations are. What the program annotates itself
(`mgpuAnnotate`) becomes the mark of the operation that it is about. A host program that arrives as
LLVM IR has none but those that it annotates, and still has the checks.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from xdsl.ir import Block

if TYPE_CHECKING:
    from xdsl.ir import Attribute, Operation, Region, SSAValue

_DIVISIONS = frozenset(("llvm.sdiv", "llvm.srem", "llvm.udiv", "llvm.urem"))
_AT = "xgpu_at"
#: What functions begin with that fail where they may not use memory, or the device fails.
_CALLS = (
    "mgpu", "memrefCopy", "printMemref", "verifyMemRef", "_mlir_ciface_printMemref",
    "_mlir_ciface_verifyMemRef",
)  # fmt: skip


class Locations:
    """Locations of the source, `file:line:col`, by number; 0 is nowhere."""

    def __init__(self) -> None:
        self._texts: list[str] = [""]
        self._numbers: dict[str, int] = {}

    def add(self, text: str) -> int:
        number = self._numbers.get(text)
        if number is None:
            number = self._numbers[text] = len(self._texts)
            self._texts.append(text)
        return number

    @property
    def texts(self) -> list[str]:
        """All locations, by number; `restored` makes locations of them again."""
        return list(self._texts)

    @staticmethod
    def restored(texts: list[str]) -> Locations:
        """The locations that had these `texts`."""
        locations = Locations()
        locations._texts = list(texts)
        locations._numbers = {text: i for i, text in enumerate(texts) if text}
        return locations

    def __getitem__(self, number: int) -> str | None:
        return self._texts[number] or None if 0 < number < len(self._texts) else None


def mark_locations(module: Operation, locations: Locations) -> None:
    """Put `llvm.call @xgpu_at(n)` before what can fail in `module` (llvm dialect), in place."""
    from xdsl.dialects.builtin import IntegerAttr, StringAttr, SymbolRefAttr, i32

    from xgpu.core import ods
    from xgpu.core.ir.locations import source_location
    from xgpu.core.support.abi import OPERATIONS
    from xgpu.dialects.llvm.types import LLVMFunctionType, LLVMVoidType

    marked = False
    annotated: str | None = None
    for op in list(module.walk()):
        if not _can_fail(op) or _in_kernel(op) or op.parent is None:
            continue
        if op.name in _DIVISIONS:
            _keep_for_check(op)
        callee = _callee(op)
        if callee == "mgpuAnnotate" and (text := _constant_text(op.operands[0])) is not None:
            # The mark says it: a program says where it is in one way.
            annotated = text
            op.detach()
            op.erase()
            continue
        location = source_location(op.location)
        where = str(location) if location is not None else None
        if callee is not None and callee.startswith(OPERATIONS):
            where, annotated = annotated or where, None
        if where is None:
            continue
        number = locations.add(where)
        constant = ods.create(
            "llvm.mlir.constant", (), (i32,), {"value": IntegerAttr(number, i32)},
            location=op.location,
        )  # fmt: skip
        call = ods.create(
            "llvm.call", ([constant.results[0]], []), (),
            {"callee": SymbolRefAttr(_AT), "op_bundle_sizes": _no_bundles()},
            location=op.location,
        )  # fmt: skip
        op.parent.insert_ops_before([constant, call], op)
        marked = True
    if marked:
        function_type = LLVMFunctionType((i32,), LLVMVoidType())
        body = module.regions[0].blocks[0]
        body.insert_ops_before(
            [
                ods.create(
                    "llvm.func", (), (),
                    {"sym_name": StringAttr(_AT), "function_type": function_type,
                     "linkage": ods.attr_class("llvm.linkage")("external"),
                     "CConv": ods.attr_class("llvm.cconv")("ccc")},
                    regions=[_empty_region()], location=module.location,
                )
            ],
            body.first_op,
        ) if body.first_op is not None else None  # fmt: skip


def _keep_for_check(op: Operation) -> None:
    """Freeze a constant divisor that a division may fail by: the translation folds operations on
    constants, and what is folded is not checked."""
    from xdsl.dialects.builtin import IntegerAttr

    from xgpu.core import ods

    divisor = op.operands[1]
    if isinstance(divisor.owner, Block) or divisor.owner.name not in (
        "llvm.mlir.constant",
        "llvm.mlir.zero",
    ):
        return
    value = divisor.owner.properties.get("value")
    if isinstance(value, IntegerAttr) and value.value.data not in (0, -1):
        return
    frozen = ods.create("llvm.freeze", (divisor,), (divisor.type,), location=op.location)
    assert op.parent is not None
    op.parent.insert_op_before(frozen, op)
    op.operands = (op.operands[0], frozen.results[0])


def _no_bundles() -> Attribute:
    from xdsl.dialects.builtin import DenseArrayBase, i32

    return DenseArrayBase.from_list(i32, [])


def _empty_region() -> Region:
    from xdsl.ir import Region

    return Region()


def _can_fail(op: Operation) -> bool:
    if op.name in _DIVISIONS or op.name == "gpu.launch_func":
        return True
    name = _callee(op) or ""
    return name.startswith(_CALLS) or name == "free"


def _callee(op: Operation) -> str | None:
    """The function that an `llvm.call` names."""
    from xdsl.dialects.builtin import SymbolRefAttr

    callee = op.properties.get("callee") if op.name == "llvm.call" else None
    return callee.root_reference.data if isinstance(callee, SymbolRefAttr) else None


def _constant_text(address: SSAValue) -> str | None:
    """The text with a closing zero in the constant global at `address`."""
    from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, SymbolRefAttr

    from xgpu.core.ir.symbols import resolve

    owner = address.owner
    if getattr(owner, "name", "") == "llvm.getelementptr":
        owner = owner.operands[0].owner  # type: ignore[union-attr]
    if getattr(owner, "name", "") != "llvm.mlir.addressof":
        return None
    name = owner.properties["global_name"]  # type: ignore[union-attr]
    assert isinstance(name, SymbolRefAttr)
    path = resolve(owner, name)  # type: ignore[arg-type]
    data = path[-1].properties.get("value") if path else None
    if not isinstance(data, DenseIntOrFPElementsAttr):
        return None
    values = [int(v) & 0xFF for v in data.get_values()]
    return bytes(values).rstrip(b"\0").decode(errors="replace")


def _in_kernel(op: Operation) -> bool:
    parent = op.parent_op()
    while parent is not None:
        if parent.name == "gpu.module":
            return True
        parent = parent.parent_op()
    return False


# -- LLVM IR text

_DIVISION = re.compile(
    r"^\s*%\S+ = ([su])(?:div|rem) (?:exact )?(i\d+|<(?:vscale x )?\d+ x i\d+>) "
    r"(<[^>]*>|[^,]+), (<[^>]*>|[^,!]+)"
)
_FAIL = ("call void @xgpu_division(i32 %location, i32 %kind) cold", "call void @xgpu_stop() cold")
_DECLARED = ("declare void @xgpu_division(i32, i32)", "declare void @xgpu_stop()")
_MARK = re.compile(r"call void @xgpu_at\(i32 (\d+)\)")


def check_divisions(text: str) -> str:
    """Put checks into a host program in LLVM's printed form."""
    if "div " not in text and "rem " not in text:
        return text
    out: list[str] = []
    checks: dict[str, str] = {}
    location = "0"
    for line in text.splitlines():
        mark = _MARK.search(line)
        if mark:
            location = mark[1]
        match = _DIVISION.match(line)
        if match:
            sign, type, dividend, divisor = match.groups()
            if not _harmless(divisor):
                name = "xgpu_check_" + sign + re.sub(r"\W+", "_", f"_{type}")
                checks.setdefault(name, _check(name, sign == "s", type))
                out.append(
                    f"  call void @{name}({type} {dividend}, {type} {divisor}, i32 {location})"
                )
        elif line and not line.startswith(" "):
            location = "0"
        out.append(line)
    if not checks:
        return text
    return "\n".join([*out, *_DECLARED, *checks.values()]) + "\n"


_VECTOR = re.compile(r"(?:splat \(|<)(i\d+ -?\d+(?:, i\d+ -?\d+)*)[)>]")


def _harmless(divisor: str) -> bool:
    """Whether a divisor is constant and never 0 or -1."""
    vector = _VECTOR.fullmatch(divisor.strip())
    numbers = [e.split(" ")[1] for e in vector[1].split(", ")] if vector else [divisor.strip()]
    return all(n.lstrip("-").isdigit() and int(n) not in (0, -1) for n in numbers)


def _check(name: str, signed: bool, type: str) -> str:
    """Divisor zero, and for signed division the smallest number by minus one."""
    vector = re.fullmatch(r"<(\d+) x (i\d+)>", type)
    element = vector[2] if vector else type
    smallest = -(1 << (int(element[1:]) - 1))

    def splat(number: int) -> str:
        return f"splat ({element} {number})" if vector else str(number)

    flag = f"<{vector[1]} x i1>" if vector else "i1"
    lines = [
        f"define internal void @{name}({type} %n, {type} %d, i32 %location) alwaysinline {{",
        f"  %zero = icmp eq {type} %d, {splat(0)}",
        f"  %minus = icmp eq {type} %d, {splat(-1)}",
        f"  %least = icmp eq {type} %n, {splat(smallest)}",
        f"  %over = and {flag} %minus, %least" if signed else f"  %over = xor {flag} %zero, %zero",
        f"  %bad = or {flag} %zero, %over",
    ]
    reduced = {"bad": "%bad", "zero": "%zero"}
    if vector:
        reduce = f"llvm.vector.reduce.or.v{vector[1]}i1"
        for value in ("bad", "zero"):
            lines.append(f"  %any.{value} = call i1 @{reduce}({flag} %{value})")
            reduced[value] = f"%any.{value}"
    return "\n".join(
        [
            *lines,
            f"  br i1 {reduced['bad']}, label %fail, label %fine",
            "fail:",
            f"  %kind = select i1 {reduced['zero']}, i32 0, i32 1",
            *(f"  {line}" for line in _FAIL),
            "  unreachable",
            "fine:",
            "  ret void",
            "}",
        ]
    )
