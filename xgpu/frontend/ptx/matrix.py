# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Matrix operations in PTX.

Those without an operation of the nvvm dialect become calls of `llvm.nvvm.ptx.<opcode>`, with all
registers one after the other, for which `xgpu/host_device/compiler/rules/matrix.py` and
`xgpu/host_device/compiler/rules/tensor_memory.py` have the rules.
"""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects.builtin import IntegerAttr, f64
from xdsl.ir import Attribute, SSAValue

from xgpu.dialects.llvm.types import LLVMStructType
from xgpu.frontend.ptx.grammar import Address, Group, Number, Operand
from xgpu.frontend.ptx.instructions import Built, instruction
from xgpu.frontend.ptx.registers import I1, I32, I64, as_pointer


def _delivered(p: Built, name: str, given: list[SSAValue], types: list[Attribute]) -> None:
    """A call whose results are the parts of the first operand."""
    targets = p.parts(0)
    result = types[0] if len(types) == 1 else LLVMStructType(types)
    found = p.b.nvvm(name, given, result)
    assert found is not None
    for at, target in enumerate(targets):
        p.write(target, found if len(types) == 1 else p.b.member(found, at))


def _register_types(p: Built) -> list[Attribute]:
    """Types of the registers of a result: of 32 bits, or of doubles."""
    found: list[Attribute] = []
    for part in p.parts(0):
        slot = p.slot(part)
        if slot is None:
            p.refuse("its result is no register")
        found.append(f64 if slot.width == 64 else I32)
    return found


def flattened(p: Built, first: int) -> list[SSAValue]:
    """All registers from an operand on, one after the other; predicates as i1."""
    found: list[SSAValue] = []
    for at in range(first, len(p.operands)):
        for part in p.parts(at):
            found.append(_register(p, part))
    return found


def _register(p: Built, part: Operand) -> SSAValue:
    if isinstance(part, Address):
        return p.pointer(part, 6)
    if isinstance(part, Number | Group):
        return p.integer(part, 32)
    slot = p.slot(part)
    if slot is None:
        return p.value(part, 32)
    return p.predicate(part) if slot.width == 1 else p.integer(part, slot.width)


@instruction("ldmatrix")
def load(p: Built) -> None:
    p.take("shared", "shared::cta")
    name = ".".join(("ldmatrix", *p.words))
    _delivered(p, name, [p.pointer(1, 3)], _register_types(p))


@instruction("stmatrix")
def store(p: Built) -> None:
    p.take("shared", "shared::cta")
    name = ".".join(("stmatrix", *p.words))
    p.b.nvvm(name, [p.pointer(0, 3), *flattened(p, 1)])


@instruction("movmatrix")
def transpose(p: Built) -> None:
    _delivered(p, f"ptx.{p.instruction.opcode}", flattened(p, 1), _register_types(p))


@instruction("mma")
def multiply(p: Built) -> None:
    _delivered(p, f"ptx.{p.instruction.opcode}", flattened(p, 1), _register_types(p))


_WMMA_LAYOUTS = ("row", "col")
_SPACES = {"global": 1, "shared": 3, "shared::cta": 3}


@instruction("wmma")
def fragments(p: Built) -> None:
    """wmma.load.<which>, wmma.store.d and wmma.mma, under the names of NVVM's intrinsics."""
    what = p.need("load", "store", "mma")
    p.take("sync")
    p.take("aligned")
    if what == "mma":
        words = [w for w in p.words if w not in ("xor", "and", "popc", *_WMMA_LAYOUTS)]
        shape = words.pop(0) if words else p.refuse()
        bits = ["xor", "popc"] if "xor" in p.words else ["and", "popc"] if "and" in p.words else []
        layouts = [w for w in p.words if w in _WMMA_LAYOUTS]
        name = ".".join(["wmma", shape, *bits, "mma", *layouts, *words])
        _delivered(p, name, flattened(p, 1), _register_types(p))
        return
    which = p.words.pop(0) if p.words else p.refuse()
    layout = p.need(*_WMMA_LAYOUTS)
    word = p.take(*_SPACES)
    space = 0 if word is None else _SPACES[word]
    ty = p.take_type()
    shape = p.words.pop(0) if p.words else p.refuse()
    p.finish()
    strided = len(p.operands) > 2
    name = f"wmma.{shape}.{what}.{which}.{layout}{'.stride' if strided else ''}.{ty}"
    stride = [p.integer(2, 32)] if strided else []
    if what == "load":
        _delivered(p, name, [p.pointer(1, space), *stride], _register_types(p))
        return
    registers = [_register(p, part) for part in p.parts(1)]
    p.b.nvvm(name, [p.pointer(0, space), *registers, *stride])


@instruction("wgmma")
def warpgroup(p: Built) -> None:
    """mma_async: D, A (a descriptor or registers), B, scale of D, scales and layouts."""
    if p.take("fence"):
        p.b.create("nvvm.wgmma.fence.aligned")
    elif p.take("commit_group"):
        p.b.create("nvvm.wgmma.commit.group.sync.aligned")
    elif p.take("wait_group"):
        properties = {"group": IntegerAttr(p.constant(0) or 0, I64)}
        p.b.create("nvvm.wgmma.wait.group.sync.aligned", (), (), properties)
    elif p.take("mma_async"):
        _delivered(p, f"ptx.{p.instruction.opcode}", flattened(p, 0), _register_types(p))
    else:
        p.refuse()


# -- the fifth generation


@instruction("tcgen05")
def fifth(p: Built) -> None:
    what, _, kind = (p.words.pop(0) if p.words else p.refuse()).partition("::")
    rule = _FIFTH.get(what)
    if rule is None:
        p.refuse()
    p.words = [*p.words, kind] if kind else p.words
    rule(p)


def _group(p: Built) -> str:
    return f"cg{(p.need('cta_group::1', 'cta_group::2'))[-1]}"


def _allocate(p: Built) -> None:
    p.take("sync")
    p.take("aligned")
    group = _group(p)
    shared = p.take("shared::cta", "shared") is not None
    p.take("b32")
    p.finish()
    name = "tcgen05.alloc" + (".shared" if shared else "") + f".{group}"
    p.b.nvvm(name, [p.pointer(0, 3 if shared else 0), p.integer(1, 32)])


def _release(p: Built) -> None:
    p.take("sync")
    p.take("aligned")
    group = _group(p)
    p.take("b32")
    p.finish()
    p.b.nvvm(f"tcgen05.dealloc.{group}", [_tensor_address(p, 0), p.integer(1, 32)])


def _tensor_address(p: Built, at: int) -> SSAValue:
    operand = p.operand(at)
    if isinstance(operand, Address):
        base = p.integer(operand.base, 32)
        if operand.offset:
            base = p.b.binary("add", base, operand.offset)
    else:
        base = p.integer(operand, 32)
    return as_pointer(p.b, p.b.cast("zext", base, I64), 6)


def _relinquish(p: Built) -> None:
    p.take("sync")
    p.take("aligned")
    p.b.nvvm(f"tcgen05.relinq.alloc.permit.{_group(p)}", [])


def _load(p: Built) -> None:
    """tcgen05.ld.sync.aligned.<shape>.<num>[.pack::16b].b32 r, [address][, split offset]"""
    _moved(p, "ld", "pack::16b")


def _store(p: Built) -> None:
    _moved(p, "st", "unpack::16b")


def _moved(p: Built, what: str, packing: str) -> None:
    b = p.b
    p.take("sync")
    p.take("aligned")
    packs = b.integer(int(p.take(packing) is not None), I1)
    p.take("b32")
    if len(p.words) != 2:
        p.refuse()
    name = f"tcgen05.{what}.{'.'.join(p.words)}"
    splits = p.words[0] == "16x32bx2"
    if what == "ld":
        given = [_tensor_address(p, 1)]
        given += [p.integer(2, 64)] if splits else []
        _delivered(p, name, [*given, packs], _register_types(p))
        return
    given = [_tensor_address(p, 0)]
    given += [p.integer(1, 64)] if splits else []
    b.nvvm(name, [*given, *flattened(p, 2 if splits else 1), packs])


def _wait(p: Built) -> None:
    kind = p.need("ld", "st")
    p.b.nvvm(f"tcgen05.wait.{kind}", [])


def _fence(p: Built) -> None:
    kind = p.need("before_thread_sync", "after_thread_sync")
    p.b.nvvm(f"tcgen05.fence.{kind.replace('_', '.')}", [])


def _shift(p: Built) -> None:
    group = _group(p)
    p.take("down")
    p.finish()
    p.b.nvvm(f"tcgen05.shift.down.{group}", [_tensor_address(p, 0)])


def _copy(p: Built) -> None:
    group = _group(p)
    multicast = p.take("warpx2::02_13", "warpx2::01_23", "warpx4")  # Triton has it before the shape
    shape = p.words.pop(0) if p.words else p.refuse()
    formats = [w for w in p.words if w.startswith(("b4x16", "b6x16"))]
    name = f"tcgen05.cp.{shape}"
    name += "" if multicast is None else f"_{multicast.replace('::', '_')}"
    name += f".{formats[0]}" if formats else ""
    p.b.nvvm(f"{name}.{group}", [_tensor_address(p, 0), p.integer(1, 64)])


def _commit(p: Built) -> None:
    group = _group(p)
    p.take("mbarrier::arrive::one")
    shared = p.take("shared::cluster") is not None
    multicast = p.take("multicast::cluster") is not None
    p.take("b64")
    p.finish()
    name = "tcgen05.commit" + (".mc" if multicast else "") + (".shared" if shared else "")
    given = [p.pointer(0, 3 if shared else 0)]
    given += [p.integer(1, 16)] if multicast else []
    p.b.nvvm(f"{name}.{group}", given)


def _multiply(p: Built) -> None:
    """D, A (a descriptor, or an address), B, ... as `rules/tensor_memory.py` reads them."""
    given: list[SSAValue] = []
    for at, operand in enumerate(p.operands):
        if isinstance(operand, Address):
            given.append(_tensor_address(p, at))
        else:
            given += [_register(p, part) for part in p.parts(at)]
    p.b.nvvm(f"ptx.{p.instruction.opcode}", given)


_FIFTH: dict[str, Callable[[Built], None]] = {
    "alloc": _allocate, "dealloc": _release, "relinquish_alloc_permit": _relinquish, "ld": _load,
    "st": _store, "wait": _wait, "fence": _fence, "shift": _shift, "cp": _copy, "commit": _commit,
    "mma": _multiply,
}  # fmt: skip
