# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How a kernel's floats are computed, where not as IEEE 754 has it.

MLIR reads the flags `fast` and `ftz` of `#nvvm.target` and does nothing with them for NVIDIA's
GPUs. Here they mean what nvcc's options do: `ftz` flushes denormal f32 to zero; `fast`
(-use_fast_math) also approximates division, square root and libdevice's functions that have a fast
form, and contracts. Contraction alone, of a product and a sum to an fma, is nvcc's default (-fmad)
and an option here.
"""

from __future__ import annotations

import re
from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import AnyFloat, StringAttr, VectorType

if TYPE_CHECKING:
    from xdsl.ir import Attribute, Operation

    from xgpu.core.ods.attributes import EnumAttr
    from xgpu.dialects.nvvm.attributes import NVVMTargetAttr

#: The order in which MLIR writes fast-math flags.
_ORDER = ("nnan", "ninf", "nsz", "arcp", "contract", "afn", "reassoc")

#: libdevice's functions with a less exact, faster form `__nv_fast_...`.
_FAST_FORMS = "cosf|exp10f|expf|fdividef|log10f|log2f|logf|powf|sincosf|sinf|tanf"
_CALLED = re.compile(rf"@__nv_({_FAST_FORMS})\(")

_FAST_DECLARATION = re.compile(r"declare [^@]*@(__nv_fast_\w+)\(")

#: LLVM IR for NVPTX: f32 is flushed, and so is what libdevice reads of the mode.
_FLUSHED = StringAttr("preserve-sign,preserve-sign")
_REFLECT = '!{i32 4, !"nvvm-reflect-ftz", i32 1}'
_MODULE_FLAGS = re.compile(r"^!llvm\.module\.flags = !\{(.*)\}$", re.MULTILINE)
_NODE = re.compile(r"^!(\d+) = ", re.MULTILINE)


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

    def in_text(self, text: str) -> str:
        """LLVM IR text with the callees and module flags of this mode."""
        if self.approximate:
            text = _CALLED.sub(r"@__nv_fast_\1(", text)
            text = _declared_once(text)
        return _flush(text) if self.flush else text


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
    from xgpu.core import ods

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
    from xgpu.core import ods

    spec = ods.op_spec(op.name)
    return spec is not None and any(a.name == "fastmathFlags" for a in spec.attrs)


def _declared_once(text: str) -> str:
    """`text` without second declarations of fast forms that the module had besides the exact."""
    seen: set[str] = set()
    lines: list[str] = []
    for line in text.split("\n"):
        found = _FAST_DECLARATION.match(line)
        if found is None or found[1] not in seen:
            lines.append(line)
        if found is not None:
            seen.add(found[1])
    return "\n".join(lines)


def _flush(text: str) -> str:
    """What libdevice asks `__nvvm_reflect`."""
    number = max((int(n) for n in _NODE.findall(text)), default=-1) + 1
    node = f"!{number}"
    if _MODULE_FLAGS.search(text) is None:
        return f"{text}\n!llvm.module.flags = !{{{node}}}\n{node} = {_REFLECT}\n"
    text = _MODULE_FLAGS.sub(
        lambda m: f"!llvm.module.flags = !{{{m[1] + ', ' if m[1] else ''}{node}}}", text
    )
    return f"{text}\n{node} = {_REFLECT}\n"
