# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks put into a host program: where it is, and what it divides by.

LLVM leaves integer division by zero undefined, and folds it to anything. So before a program is
translated, each integer division whose divisor is not known to be harmless gets a call of
`xgpu_check_<s|u>_<type>` (`threads.divisions`), which is inlined: a compare, and a branch that is
never taken.

Locations come from IR: `mark_locations` puts `llvm.call @xgpu_at(n)` before each division and each
call of the device, in the llvm dialect, where locations are. What the program annotates itself
(`mgpuAnnotate`) becomes the mark of the operation that it is about. A host program without
locations has none but those that it annotates, and still has the checks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from xdsl.ir import Operation, SSAValue

    from xgpu.core.rewriting.builder import Rewriter
    from xgpu.host_device.compiler.emission import Builder

_DIVISIONS = frozenset(("llvm.sdiv", "llvm.srem", "llvm.udiv", "llvm.urem"))
_CONSTANTS = ("llvm.mlir.constant", "llvm.mlir.zero")
#: The function that says where the program is, by the number of a location.
AT = "xgpu_at"
#: The function that a division without a result calls, and the one that ends the program then.
DIVISION, _STOP = "xgpu_division", "xgpu_stop"
#: What functions begin with that fail where they may not use memory, or the device fails.
_CALLS = (
    "mgpu", "memrefCopy", "printMemref", "verifyMemRef", "_mlir_ciface_printMemref",
    "_mlir_ciface_verifyMemRef", "MPI_", "xgpu_mpi_outside", "abort",
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
    """Put `llvm.call @xgpu_at(n)` before what can fail in `module` (llvm dialect), and a check
    before each division whose divisor is not known to be harmless, in place."""
    from xdsl.dialects.builtin import i32

    from xgpu.core.ir.locations import source_location
    from xgpu.core.rewriting.builder import Rewriter
    from xgpu.core.support.abi import FUNCTIONS
    from xgpu.dialects.llvm import builders

    rw = Rewriter()
    marked = False
    annotated: str | None = None
    checks: dict[str, Operation] = {}
    for op in list(module.walk()):
        if not _can_fail(op) or _in_kernel(op) or op.parent is None:
            continue
        callee = _callee(op)
        if callee == "mgpuAnnotate" and (text := _constant_text(op.operands[0])) is not None:
            # The mark says it: a program says where it is in one way.
            annotated = text
            op.detach()
            op.erase()
            continue
        location = source_location(op.location)
        where = str(location) if location is not None else None
        called = FUNCTIONS.get(callee or "")
        if called is not None and called.is_operation:
            where, annotated = annotated or where, None
        is_division = op.name in _DIVISIONS
        if where is None and not is_division:
            continue
        rw.before(op)
        rw.location = op.location
        number = builders.constant(rw, locations.add(where) if where else 0, i32)
        if where is not None:
            builders.call(rw, AT, (number,), None)
            marked = True
        if is_division:
            _check_division(rw, op, number, checks)
    body = module.regions[0].blocks[0]
    for function in checks.values():
        body.add_op(function)
    if marked:
        builders.declare(rw, module, AT, (i32,), builders.VOID)
    if checks:
        builders.declare(rw, module, DIVISION, (i32, i32), builders.VOID)
        builders.declare(rw, module, _STOP, (), builders.VOID)


def _check_division(
    rw: Rewriter, op: Operation, number: SSAValue, checks: dict[str, Operation]
) -> None:
    """Check a division, by a function of `checks`, which it is added to."""
    # Programs that come from the cache need none of this.
    from xdsl.dialects.builtin import i32
    from xdsl.ir import Block

    from xgpu.dialects.llvm import builders
    from xgpu.host_device.compiler.threads.divisions import check_function, check_name, is_harmless

    dividend, divisor = op.operands
    if is_harmless(divisor):
        return
    if not isinstance(divisor.owner, Block) and divisor.owner.name in _CONSTANTS:
        # The translation folds operations on constants, and what is folded is not checked.
        divisor = rw.value("llvm.freeze", (divisor,), divisor.type)
        op.operands = (dividend, divisor)
    signed = op.name in ("llvm.sdiv", "llvm.srem")
    name = check_name(divisor.type, signed)
    if name not in checks:
        checks[name] = check_function(name, divisor.type, signed, (i32,), _fail)
    builders.call(rw, name, (dividend, divisor, number), None)


def _fail(b: Builder, kind: SSAValue, place: Sequence[SSAValue]) -> None:
    from xgpu.host_device.compiler.code import call_properties

    given = (*place, kind)
    b.create("llvm.call", given, (), call_properties(DIVISION, given))
    b.create("llvm.call", (), (), call_properties(_STOP, ()))


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
