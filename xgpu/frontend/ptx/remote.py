# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Stores and reductions in PTX that say to an mbarrier how many bytes they were, and bulk
reductions and fills, which become a loop over elements. All are done when they are asked for."""

from __future__ import annotations

from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Attribute, SSAValue

from xgpu.core import ods
from xgpu.frontend.ptx.instructions import Built, element_type, instruction, scalar_of
from xgpu.frontend.ptx.memory import Access, atomic, atomic_number, store_all
from xgpu.frontend.ptx.registers import I64, as_integer, integer_type

_COMPLETES = "mbarrier::complete_tx::bytes"
_RELAXED = 2
_SHARED = {"shared::cluster": 7, "shared::cta": 3}


def _complete(p: Built, at: int, size: SSAValue) -> None:
    """`size` bytes have come, for the mbarrier that an operand is the address of."""
    p.b.create("nvvm.mbarrier.complete_tx", (p.pointer(at, 7), size))


@instruction("st.async")
def store(p: Built) -> None:
    """st.async[.weak][.shared::cluster].mbarrier::complete_tx::bytes[.vector].<type> [a], b, [bar]
    or st.async[.mmio].release.<scope>[.global].<type> [a], b"""
    p.take("async")
    completes = p.take(_COMPLETES) is not None
    access = Access(p)
    p.expect(3 if completes else 2)
    if completes and access.space == 0:
        access.space = _SHARED["shared::cluster"]
    store_all(p, access)
    if completes:
        _complete(p, 2, p.b.integer(access.width // 8 * access.count))


@instruction("st.bulk")
def fill(p: Built) -> None:
    """st.bulk[.weak][.shared::cta] [a], bytes, 0: zeros, a multiple of 8 bytes."""
    b = p.b
    p.take("bulk")
    p.take("weak")
    space = _SHARED["shared::cta"] if p.take("shared::cta") is not None else 0
    p.finish()
    p.expect(3)
    if p.constant(2) != 0:
        p.refuse("its value is not 0")
    place = p.pointer(0, space)
    slot = p.slot(p.operand(1))
    size = p.integer(1, 32 if slot is None else slot.width)
    properties: dict[str, Attribute] = {"alignment": IntegerAttr(8, I64)}

    def one(index: SSAValue) -> None:
        to = p.element_place(place, index, I64)
        b.create("llvm.store", (b.integer(0, I64), to), (), properties)

    b.loop(as_integer(b, b.binary("lshr", size, 3), 32), one)


@instruction("red.async")
def reduce(p: Built) -> None:
    """red.async.relaxed.cluster[.shared::cluster].mbarrier::complete_tx::bytes.<op>.<type>
    [a], b, [bar] or red.async[.mmio].release.<scope>[.global].add.<type> [a], b"""
    p.take("async")
    p.take("mmio")
    completes = p.take(_COMPLETES) is not None
    p.expect(3 if completes else 2)
    width = (scalar_of(p.words[-1]) or p.refuse())[1]
    if completes and p.take("shared::cluster") is None:
        p.refuse("its memory is not another block's")
    if completes:
        p.words.insert(0, "shared::cluster")
    atomic(p)
    if completes:
        _complete(p, 2, p.b.integer(width // 8))


@instruction("cp.reduce")
def reduce_many(p: Built) -> None:
    """cp.reduce.async.bulk.<to>.<from>.<completion>[.L2::cache_hint].<op>[.noftz].<type>
    [to], [from], bytes[, [bar]][, policy]"""
    b = p.b
    for word in ("reduce", "async", "bulk"):
        p.need(word)
    if p.take("tensor"):
        _reduce_tensor(p)
        return
    name = p.take_type()
    kind, width, lanes = scalar_of(name) or p.refuse(f"'.{name}'")
    target = p.words.pop(0) if p.words else p.refuse()
    p.need("shared::cta")
    completes = p.need(_COMPLETES, "bulk_group") == _COMPLETES
    p.take("L2::cache_hint")
    p.take("noftz")
    operation = p.words.pop(0) if p.words else p.refuse()
    p.finish()
    number = atomic_number(operation, kind)
    if number is None or lanes != 1 or (target == "global") == completes:
        p.refuse()
    if target != "global" and target not in _SHARED:
        p.refuse(f"'.{target}'")
    places = [p.pointer(0, 1 if target == "global" else _SHARED[target]), p.pointer(1, 3)]
    size = p.integer(2, 32)
    ty = element_type(kind, width) if kind in ("f", "bf") else integer_type(width)
    properties: dict[str, Attribute] = {
        "bin_op": IntegerAttr(number, I64),
        "ordering": IntegerAttr(_RELAXED, I64),
    }

    def one(index: SSAValue) -> None:
        to, of = (p.element_place(place, index, ty) for place in places)
        value = b.value("llvm.load", (of,), ty)
        b.create("llvm.atomicrmw", (to, value), (value.type,), properties)

    b.loop(b.binary("udiv", size, width // 8), one)
    if completes:
        _complete(p, 3, size)


def _reduce_tensor(p: Built) -> None:
    """cp.reduce.async.bulk.tensor.<rank>d.global.shared::cta.<op>[.tile].bulk_group
    [.L2::cache_hint] [map, {corner}], [from][, policy]; in LLVM's text the mode may come first."""
    b = p.b
    p.words.pop(0)  # the rank, which the corner says too
    mode = next((w for w in p.words if w.startswith(("tile", "im2col"))), "tile")
    if mode != "tile":
        p.refuse(f"'.{mode}'")
    p.take("tile")
    p.need("global")
    p.need("shared::cta")
    p.need("bulk_group")
    hinted = p.take("L2::cache_hint") is not None
    kind = p.need("add", "min", "max", "inc", "dec", "and", "or", "xor")
    p.finish()
    p.expect(3 if hinted else 2)
    corner = [p.integer(c, 32) for c in p.parts(p.address(0).rest[0])]
    hint = [p.integer(2, 64)] if hinted else []
    groups = ([p.pointer(0, 0)], [p.pointer(1, 3)], corner, hint)
    properties: dict[str, Attribute] = {"redKind": ods.enum("nvvm.tma_redux_kind", kind)}
    b.create("nvvm.cp.async.bulk.tensor.reduce", groups, (), properties)
