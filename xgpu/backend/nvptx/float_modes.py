# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How a kernel's floats are computed, where not as IEEE 754 has it.

MLIR reads the flags `fast` and `ftz` of `#nvvm.target` and does nothing with them for NVIDIA's
GPUs. Here they mean what nvcc's options do: `ftz` flushes denormal f32 to zero; `fast`
(-use_fast_math) also approximates division, square root and libdevice's functions that have a fast
form, and contracts. Contraction alone, of a product and a sum to an fma, is nvcc's default (-fmad)
and an option here.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    AnyFloat,
    ArrayAttr,
    IntegerAttr,
    StringAttr,
    SymbolRefAttr,
    VectorType,
    i32,
)
from xdsl.ir import Attribute, Operation

from xgpu.core import ods
from xgpu.core.ir.symbols import body_operations, lookup, symbol_name

if TYPE_CHECKING:
    from xgpu.core.ods.attributes import EnumAttr
    from xgpu.dialects.nvvm.attributes import NVVMTargetAttr

#: The order in which MLIR writes fast-math flags.
_ORDER = ("nnan", "ninf", "nsz", "arcp", "contract", "afn", "reassoc")

#: libdevice's functions with a less exact, faster form `__nv_fast_...`.
_FAST_FORMS = {
    f"__nv_{name}": f"__nv_fast_{name}"
    for name in (
        "cosf", "exp10f", "expf", "fdividef", "log10f", "log2f", "logf", "powf", "sincosf", "sinf",
        "tanf",
    )
}  # fmt: skip
#: The properties that name a function.
_NAMES = {"llvm.call": "callee", "llvm.mlir.addressof": "global_name"}

#: f32 is flushed.
_FLUSHED = StringAttr("preserve-sign,preserve-sign")


class FloatMode:
    """What differs from IEEE 754."""

    __slots__ = ("approximate", "contract", "flush")

    def __init__(
        self, *, contract: bool = False, approximate: bool = False, flush: bool = False
    ) -> None:
        self.contract = contract
        self.approximate = approximate
        self.flush = flush

    @property
    def flags(self) -> tuple[str, ...]:
        """The fast-math flags that every operation on floats has."""
        return ("contract",) * self.contract + ("afn",) * self.approximate


def mode_of(target: NVVMTargetAttr, contract: bool = False) -> FloatMode:
    """The mode that an `#nvvm.target` and the option for contraction ask for."""
    flags = target.flags.data if target.flags is not None else {}
    fast = "fast" in flags
    return FloatMode(contract=contract or fast, approximate=fast, flush=fast or "ftz" in flags)


@contextmanager
def with_flags(module: Operation, mode: FloatMode) -> Generator[None]:
    """Gives the operations on floats in `module` the flags of `mode` for a while, and its functions
    the denormals: several targets of one module may ask for different ones."""
    changed: list[tuple[Operation, str, Attribute | None]] = []
    made: dict[str, Attribute] = {}
    for op in module.walk() if mode.flags or mode.flush else ():
        name = "fastmathFlags"
        old: Attribute | None
        if op.name == "llvm.func" and mode.flush:
            name = "denormal_fp_math_f32"
            old, new = op.properties.get(name), _FLUSHED
        elif mode.flags and _computes(op):
            old = op.properties.get(name)
            new = _more_flags("" if old is None else cast("EnumAttr", old).data, mode, made)
        else:
            continue
        changed.append((op, name, old))
        op.properties[name] = new
    try:
        yield
    finally:
        for op, name, old in changed:
            if old is None:
                del op.properties[name]
            else:
                op.properties[name] = old


def _more_flags(had: str, mode: FloatMode, made: dict[str, Attribute]) -> Attribute:
    if had not in made:
        words = {*had.replace(" ", "").split(","), *mode.flags}
        text = had if "fast" in words else ", ".join(w for w in _ORDER if w in words)
        made[had] = ods.enum("llvm.fastmath", text)
    return made[had]


_ARITHMETIC = frozenset(f"llvm.{n}" for n in ("fadd", "fdiv", "fmul", "fneg", "frem", "fsub"))


def _computes(op: Operation) -> bool:
    """Whether `op` has fast-math flags and a result that is a float."""
    if op.name in _ARITHMETIC:
        return True
    if not op.name.startswith("llvm.intr.") or len(op.results) != 1:
        return False
    ty = op.results[0].type
    element = ty.element_type if isinstance(ty, VectorType) else ty
    if not isinstance(element, AnyFloat):
        return False
    spec = ods.op_spec(op.name)
    return spec is not None and any(a.name == "fastmathFlags" for a in spec.attrs)


@contextmanager
def with_libdevice(module: Operation, mode: FloatMode) -> Generator[None]:
    """Has `module` call libdevice's functions that `mode` asks for, and say the mode to libdevice,
    for a while."""
    renamed = list(_fast_names(module)) if mode.approximate else []
    flags = _add_reflected_flag(module) if mode.flush else None
    for op, name, _, new in renamed:
        op.properties[name] = new
    try:
        yield
    finally:
        for op, name, old, _ in renamed:
            op.properties[name] = old
        if flags is not None:
            flags.detach()
            flags.erase()


def _fast_names(module: Operation) -> Iterator[tuple[Operation, str, Attribute, Attribute]]:
    """Operations that name a function with a fast form: which property, its value, and the new one.

    A module that declares both forms keeps both declarations.
    """
    for op in body_operations(module):
        name = symbol_name(op)
        if name in _FAST_FORMS and lookup(module, _FAST_FORMS[name]) is None:
            yield op, "sym_name", StringAttr(name), StringAttr(_FAST_FORMS[name])
    for op in module.walk():
        old = op.properties.get(_NAMES.get(op.name, ""))
        if isinstance(old, SymbolRefAttr) and old.root_reference.data in _FAST_FORMS:
            yield op, _NAMES[op.name], old, SymbolRefAttr(_FAST_FORMS[old.root_reference.data])


def _add_reflected_flag(module: Operation) -> Operation:
    """The operation that answers libdevice's `__nvvm_reflect("__CUDA_FTZ")`."""
    flag = ods.attr_class("llvm.mlir.module_flag")(
        "override", StringAttr("nvvm-reflect-ftz"), IntegerAttr(1, i32)
    )
    flags = ods.create("llvm.module_flags", (), (), {"flags": ArrayAttr([flag])})
    module.regions[0].block.add_op(flags)
    return flags
