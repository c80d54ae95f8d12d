# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Barriers, fences, mbarriers and asynchronous copies in PTX."""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects.builtin import IntegerAttr, StringAttr, UnitAttr, i32
from xdsl.ir import Attribute, SSAValue

from xgpu.core import ods
from xgpu.frontend.ptx.grammar import Address, Name
from xgpu.frontend.ptx.instructions import Built, instruction
from xgpu.frontend.ptx.registers import I1, I32, I64, as_integer

_SHARED = ("shared", "shared::cta", "shared::cluster")
_SCOPES = ("cta", "cluster", "gpu", "sys", "gl")


# -- barriers


@instruction("bar", "barrier")
def barrier(p: Built) -> None:
    if p.take("warp"):
        p.take("sync")
        p.finish()
        p.b.create("nvvm.bar.warp.sync", (p.integer(0, 32),))
        return
    if p.take("cluster"):
        _cluster_barrier(p)
        return
    p.take("cta")
    p.take("aligned")
    what = p.need("sync", "arrive", "red")
    if what == "red":
        _reducing_barrier(p)
        return
    p.finish()
    b = p.b
    numbers = [p.integer(at, 32) for at in range(len(p.operands))]
    if what == "arrive":
        p.expect(2)
        b.create("nvvm.barrier.arrive", numbers)
    elif len(numbers) == 1 and p.constant(0) == 0:
        b.create("nvvm.barrier0")
    else:
        p.expect(1, 2)
        b.create("nvvm.barrier", (numbers[:1], numbers[1:], ()))


def _cluster_barrier(p: Built) -> None:
    what = p.need("arrive", "wait")
    relaxed = p.take("relaxed") is not None
    p.take("release", "acquire")
    p.take("aligned")
    p.finish()
    p.b.create(f"nvvm.cluster.{what}" + (".relaxed" if relaxed else ""))


def _reducing_barrier(p: Built) -> None:
    """red.{popc.u32,and.pred,or.pred} d, a[, b], {!}c"""
    kind = p.need("popc", "and", "or")
    p.take("u32", "pred")
    p.finish()
    p.expect(3, 4)
    given = [p.integer(at, 32) for at in range(1, len(p.operands) - 1)]
    form = "all" if len(given) == 1 else "count"
    holds = p.predicate(len(p.operands) - 1)
    result = I32 if kind == "popc" else I1
    found = p.b.nvvm(f"barrier.cta.red.{kind}.aligned.{form}", (*given, holds), result)
    assert found is not None
    p.write(0, found)


@instruction("fence", "membar")
def fence(p: Built) -> None:
    """Order; proxies are one here, but for the sanitizer."""
    if p.take("proxy"):
        _proxy_fence(p)
        return
    if p.take("mbarrier_init"):
        p.b.create("nvvm.fence.mbarrier.init")
        return
    p.take("sc", "acq_rel", "acquire", "release")
    p.take("sync_restrict::shared::cta", "sync_restrict::shared::cluster")
    scope = p.take(*_SCOPES)
    if scope is None:
        p.refuse()
    p.finish()
    properties: dict[str, Attribute] = {"ordering": IntegerAttr(7, I64)}
    if scope in _NARROW:
        properties["syncscope"] = StringAttr(_NARROW[scope])
    p.b.create("llvm.fence", (), (), properties)


#: Scopes that do not reach the whole device, by LLVM's words.
_NARROW = {"cta": "block", "cluster": "cluster"}


def _proxy_fence(p: Built) -> None:
    """fence.proxy.{alias,async[.space]}, or of tensor maps: .acquire.<scope> [address], size and
    .release.<scope>"""
    if p.take("tensormap::generic"):
        order = p.need("acquire", "release")
        scope = ods.enum("nvvm.mem_scope", p.need("cta", "cluster", "gpu", "sys"))
        p.finish()
        given = (p.pointer(0, 0), p.integer(1, 32)) if order == "acquire" else ()
        p.b.create(f"nvvm.fence.proxy.{order}", given, (), {"scope": scope})
        return
    kind = p.need("alias", "async", "async::generic").partition("::")[0]
    properties: dict[str, Attribute] = {}
    if kind == "async":
        # Of one direction only: the fence of both is at least as strong.
        p.take("acquire", "release")
        p.take("sync_restrict::shared::cta", "sync_restrict::shared::cluster")
        p.take(*_SCOPES)
        space = p.take("global", "shared::cta", "shared::cluster")
        if space is not None:
            kind = f"async.{space.partition('::')[0]}"
        if kind == "async.shared":
            properties["space"] = ods.enum("nvvm.shared_space", (space or "").partition("::")[2])
    p.finish()
    properties["kind"] = ods.enum("nvvm.proxy_kind", kind)
    p.b.create("nvvm.fence.proxy", (), (), properties)


# -- tensor maps that a kernel makes


#: What the record of the host device has, by the words of PTX.
_TENSOR_MAP_FIELDS = {
    "global_address": "base", "rank": "rank", "box_dim": "box", "global_dim": "sizes",
    "global_stride": "strides", "elemtype": "element_bytes", "swizzle_mode": "swizzle",
    "fill_mode": "fill",
}  # fmt: skip
#: What it does not have, and the only number that is supported.
_FIXED_FIELDS = {"element_stride": 1, "interleave_layout": 0, "swizzle_atomicity": 0}
_LISTS = ("box_dim", "global_dim", "global_stride", "element_stride")
#: Bytes and CUtensorMapDataType by the number of `.elemtype`: u8 to tf32.ftz (PTX ISA,
#: "tensormap.replace").
_ELEMENT_BYTES = (1, 2, 4, 4, 8, 8, 2, 4, 4, 8, 2, 4, 4)
_ELEMENT_TYPES = (0, 1, 2, 3, 4, 5, 6, 7, 10, 8, 9, 11, 12)
_TENSOR_MAP_BYTES = 128


@instruction("tensormap")
def tensor_map(p: Built) -> None:
    if p.take("cp_fenceproxy"):
        _publish_tensor_map(p)
        return
    p.need("replace")
    p.need("tile")
    field = p.need(*_TENSOR_MAP_FIELDS, *_FIXED_FIELDS)
    space = {"global": 1, "shared::cta": 3, None: 0}[p.take("global", "shared::cta")]
    p.need("b1024")
    width = int(p.need("b32", "b64")[1:])
    p.finish()
    p.expect(3 if field in _LISTS else 2)
    ordinal = p.constant(1) if field in _LISTS else 0
    last = len(p.operands) - 1
    known = p.constant(last)
    if field in _FIXED_FIELDS:
        if known != _FIXED_FIELDS[field]:
            p.refuse(f"only {_FIXED_FIELDS[field]} is supported")
        return
    value = p.integer(last, width)
    if field == "elemtype":
        if known is None or not 0 <= known < len(_ELEMENT_BYTES):
            p.refuse("its type of elements")
        value = p.b.integer(_ELEMENT_BYTES[known])
        _put(p, space, "element_type", 0, p.b.integer(_ELEMENT_TYPES[known]))
    elif field == "rank":  # counted from zero
        value = p.b.binary("add", value, 1)
    _put(p, space, _TENSOR_MAP_FIELDS[field], ordinal, value)


def _put(p: Built, space: int, field: str, ordinal: int | None, value: SSAValue) -> None:
    """Store a field of the tensor map that the first operand is the address of."""
    offset, count, size = p.b.tensor_map_field(field)
    if ordinal is None or not 0 <= ordinal < max(count, 1):
        p.refuse("its dimension")
    place = p.moved(p.pointer(0, space), offset + ordinal * size)
    properties: dict[str, Attribute] = {"alignment": IntegerAttr(size, I64)}
    value = as_integer(p.b, value, 8 * size)
    p.b.create("llvm.store", (value, place), (), properties)


def _publish_tensor_map(p: Built) -> None:
    """tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.<scope>.sync.aligned
    [to], [from], 128: a warp copies a tensor map, here its first thread, and releases it."""
    b = p.b
    for word in ("global", "shared::cta", "tensormap::generic", "release", "sync", "aligned"):
        p.need(word)
    scope = ods.enum("nvvm.mem_scope", p.need("cta", "cluster", "gpu", "sys"))
    p.finish()
    p.expect(3)
    if p.constant(2) != _TENSOR_MAP_BYTES:
        p.refuse("its size")
    places = [p.pointer(0, 1), p.pointer(1, 3)]
    first = b.icmp("eq", b.value("nvvm.read.ptx.sreg.laneid", (), I32), 0)
    properties: dict[str, Attribute] = {"alignment": IntegerAttr(8, I64)}

    def one(index: SSAValue) -> None:
        to, of = (p.element_place(place, index, I64) for place in places)
        value = b.value("llvm.load", (of,), I64, properties)
        b.create("llvm.store", (value, to), (), properties)

    b.loop(b.select(first, b.integer(_TENSOR_MAP_BYTES // 8), b.integer(0)), one)
    b.create("nvvm.fence.proxy.release", (), (), {"scope": scope})


@instruction("griddepcontrol", "setmaxnreg", "pmevent")
def nothing(p: Built) -> None:
    """What says how fast things are, or waits for what is over."""


@instruction("nanosleep")
def sleep(p: Built) -> None:
    p.take("u32")
    p.finish()
    p.b.create("nvvm.nanosleep", (p.integer(0, 32),))


@instruction("trap")
def trap(p: Built) -> None:
    p.b.create("llvm.intr.trap")


@instruction("brkpt")
def breakpoint_(p: Built) -> None:
    p.b.create("nvvm.breakpoint")


@instruction("exit")
def leave(p: Built) -> None:
    p.b.create("nvvm.exit")


# -- mbarriers


def _space(p: Built) -> int:
    word = p.take(*_SHARED)
    return 7 if word == "shared::cluster" else 3 if word is not None else 0


def _modifiers(p: Built) -> int:
    """Takes what every mbarrier instruction may say; the address space."""
    p.take("b64")
    p.take("release", "acquire", "relaxed")
    p.take(*_SCOPES)
    return _space(p)


@instruction("mbarrier")
def mbarrier(p: Built) -> None:
    what = p.words.pop(0) if p.words else p.refuse()
    rule = _MBARRIER.get(what)
    if rule is None:
        p.refuse()
    rule(p, what)


def _set_up(p: Built, what: str) -> None:
    space = _modifiers(p)
    p.finish()
    rest = [p.integer(1, 32)] if what == "init" else []
    p.b.create(f"nvvm.mbarrier.{what}", (p.pointer(0, space), *rest))


def _transaction(p: Built, what: str) -> None:
    space = _modifiers(p)
    p.finish()
    p.b.create(f"nvvm.mbarrier.{what}", (p.pointer(0, space), p.integer(1, 32)))


def _arrive(p: Built, what: str) -> None:
    """[state | _,] [address][, count or bytes]"""
    b = p.b
    expects = p.take("expect_tx") is not None
    incomplete = p.take("noComplete") is not None
    space = _modifiers(p)
    p.finish()
    first = 0 if _is_address(p, 0) else 1
    pointer = p.pointer(first, space)
    given = [p.integer(at, 32) for at in range(first + 1, len(p.operands))]
    has_state = first == 1 and not _is_sink(p, 0)
    name = f"nvvm.mbarrier.{what}"
    name += ".expect_tx" if expects else ".nocomplete" if incomplete else ""
    op = b.create(name, (pointer, *given), (I64,) if has_state else ())
    if has_state:
        p.write(0, op.results[0])


def _is_address(p: Built, at: int) -> bool:
    return isinstance(p.operand(at), Address)


def _is_sink(p: Built, at: int) -> bool:
    operand = p.operand(at)
    return isinstance(operand, Name) and operand.text == "_"


def _wait(p: Built, what: str) -> None:
    """done, [address], state or parity[, ticks]"""
    by_parity = p.take("parity") is not None
    space = _modifiers(p)
    p.finish()
    state = p.integer(2, 32 if by_parity else 64)
    name = "nvvm.mbarrier.try_wait" if what == "try_wait" else "nvvm.mbarrier.test.wait"
    p.write(0, p.b.value(name, (p.pointer(1, space), state), I1))


def _pending(p: Built, what: str) -> None:
    found = p.b.nvvm("mbarrier.pending.count", (p.integer(1, 64),), I32)
    assert found is not None
    p.write(0, found)


_MBARRIER: dict[str, Callable[[Built, str], None]] = {
    "init": _set_up, "inval": _set_up, "expect_tx": _transaction, "complete_tx": _transaction,
    "arrive": _arrive, "arrive_drop": _arrive, "test_wait": _wait, "try_wait": _wait,
    "pending_count": _pending,
}  # fmt: skip


@instruction("xgpu")
def wait_for_phase(p: Built) -> None:
    """A loop around mbarrier.try_wait (see `body.joined_waits`): [address], state or parity."""
    b = p.b
    p.take("wait")
    by_parity = p.take("parity") is not None
    space = _modifiers(p)
    p.finish()
    pointer = p.pointer(0, space)
    if by_parity:
        phase = p.integer(1, 32)
    else:
        phase = b.cast("trunc", b.binary("lshr", p.integer(1, 64), 63), I32)
    b.create("nvvm.mbarrier.try_wait.parity", (pointer, phase, b.integer(0)))


# -- blocks that have not begun


@instruction("clusterlaunchcontrol")
def launch_control(p: Built) -> None:
    """Requests to take over blocks that have not begun: none is given up here, as on a GPU where
    all have begun.

    try_cancel.async[.shared::cta].mbarrier::complete_tx::bytes[.multicast::cluster::all].b128
    [answer], [mbarrier]; query_cancel.is_canceled.pred.b128 p, answer;
    query_cancel.get_first_ctaid.v4.b32.b128 {x, y, z, _}, answer, or ::x.b32.b128 x, answer
    """
    b = p.b
    what = p.need("try_cancel", "query_cancel")
    p.expect(2)
    if what == "query_cancel":
        # The ISA leaves the place of a block open where nothing was canceled.
        asked = p.need("is_canceled", *(f"get_first_ctaid{d}" for d in ("", "::x", "::y", "::z")))
        answer = p.integer(1, 128)
        if asked == "is_canceled":
            p.write(0, b.icmp("ne", answer, 0))
            return
        for part in p.parts(0):
            p.write(part, b.integer(0))
        return
    p.need("async")
    p.take("shared::cta")
    p.need("mbarrier::complete_tx::bytes")
    to_all = p.take("multicast::cluster::all") is not None
    p.need("b128")
    p.finish()
    properties: dict[str, Attribute] = {"multicast": UnitAttr()} if to_all else {}
    given = (p.pointer(0, 3), p.pointer(1, 3))
    b.create("nvvm.clusterlaunchcontrol.try.cancel", given, (), properties)


# -- asynchronous copies


@instruction("cp")
def copy(p: Built) -> None:
    if p.take("async") is None:
        p.refuse()
    if p.take("bulk"):
        _bulk(p)
    elif p.take("commit_group"):
        p.b.create("nvvm.cp.async.commit.group")
    elif p.take("wait_group", "wait_all"):
        count = p.constant(0) if p.operands else 0
        p.b.create("nvvm.cp.async.wait.group", (), (), {"n": IntegerAttr(count or 0, i32)})
    elif p.take("mbarrier"):
        _copies_arrive(p)
    else:
        _copy_elements(p)


def _copies_arrive(p: Built) -> None:
    p.take("arrive")
    noinc = p.take("noinc") is not None
    space = _modifiers(p)
    p.finish()
    properties = {"noinc": IntegerAttr(int(noinc), I1)}
    p.b.create("nvvm.cp.async.mbarrier.arrive", (p.pointer(0, space),), (), properties)


def _copy_elements(p: Built) -> None:
    """cp.async.{ca,cg}.shared.global [to], [from], size[, bytes of the source or predicate]"""
    b = p.b
    how = p.need("ca", "cg")
    p.need("shared", "shared::cta")
    p.need("global")
    hinted = False
    for word in [w for w in p.words if w.startswith("L2::")]:
        hinted = hinted or word == "L2::cache_hint"
        p.take(word)
    p.finish()
    size = p.constant(2) or p.refuse("its size is not known")
    given = [p.pointer(0, 3), p.pointer(1, 1)]
    count = len(p.operands) - int(hinted)
    if count > 3:
        slot = p.slot(p.operand(3))
        if slot is not None and slot.width == 1:
            none = p.predicate(3)
            given.append(b.select(none, b.integer(0), b.integer(size)))
        else:
            given.append(p.integer(3, 32))
    modifier = ods.enum("nvvm.load_cache_modifier", how)
    properties = {"size": IntegerAttr(size, i32), "modifier": modifier}
    b.create("nvvm.cp.async.shared.global", given, (), properties)


def _bulk(p: Built) -> None:
    if p.take("commit_group"):
        p.b.create("nvvm.cp.async.bulk.commit.group")
    elif p.take("wait_group"):
        properties: dict[str, Attribute] = {"group": IntegerAttr(p.constant(0) or 0, i32)}
        if p.take("read"):
            properties["read"] = UnitAttr()
        p.b.create("nvvm.cp.async.bulk.wait_group", (), (), properties)
    elif p.take("prefetch"):
        return
    elif p.take("tensor"):
        _tensor(p)
    else:
        _bulk_copy(p)


def _optional(p: Built) -> tuple[bool, bool]:
    """Whether a multicast mask and a cache policy follow."""
    multicast = p.take("multicast::cluster") is not None
    hinted = p.take("L2::cache_hint") is not None
    return multicast, hinted


def _bulk_copy(p: Built) -> None:
    """[to], [from], size[, [mbarrier]][, mask][, policy]"""
    b = p.b
    target = p.words.pop(0) if p.words else p.refuse()
    source = p.words.pop(0) if p.words else p.refuse()
    p.need("mbarrier::complete_tx::bytes", "bulk_group")
    multicast, hinted = _optional(p)
    p.finish()
    rest = [p.operand(at) for at in range(3, len(p.operands))]
    size = p.integer(2, 32)
    if target == "global" and source == "shared::cta":
        hint = [p.integer(rest[0], 64)] if hinted else []
        groups = ([p.pointer(0, 1)], [p.pointer(1, 3)], [size], hint, ())
        b.create("nvvm.cp.async.bulk.global.shared.cta", groups)
        return
    if target not in ("shared::cluster", "shared::cta"):
        p.refuse()
    bar = p.pointer(rest.pop(0), 3)
    if source == "shared::cta":
        given = (p.pointer(0, 7), p.pointer(1, 3), bar, size)
        b.create("nvvm.cp.async.bulk.shared.cluster.shared.cta", given)
        return
    mask = [p.integer(rest.pop(0), 16)] if multicast else []
    hint = [p.integer(rest.pop(0), 64)] if hinted else []
    space = 7 if target == "shared::cluster" else 3
    groups = ([p.pointer(0, space)], [p.pointer(1, 1)], [bar], [size], mask, hint)
    b.create("nvvm.cp.async.bulk.shared.cluster.global", groups)


def _tensor(p: Built) -> None:
    """To shared: [to], [map, {corner}], [mbarrier][, mask][, policy]; from it: [map, {corner}],
    [from]."""
    b = p.b
    p.words.pop(0)  # the rank, which the corner says too
    # In LLVM's text the mode comes before the spaces, in the PTX ISA behind them.
    mode = next((w for w in p.words if w.startswith(("tile", "im2col"))), "tile")
    if mode not in ("tile", "tile::gather4", "tile::scatter4"):
        p.refuse(f"'.{mode}'")
    p.take(mode)
    group = p.take("cta_group::1", "cta_group::2")  # of loads: where the mbarrier may be
    target = p.words.pop(0) if p.words else p.refuse()
    source = p.words.pop(0) if p.words else p.refuse()
    p.need("mbarrier::complete_tx::bytes", "bulk_group")
    multicast, hinted = _optional(p)
    p.finish()
    is_load = source == "global"
    if mode == ("tile::scatter4" if is_load else "tile::gather4"):
        p.refuse(f"'.{mode}'")
    place = p.address(1 if is_load else 0)
    corner = [p.integer(c, 32) for c in p.parts(place.rest[0])]
    if mode != "tile" and len(corner) != 5:
        p.refuse("a line and four numbers of lines are five coordinates")
    properties: dict[str, Attribute] = {}
    if mode != "tile":
        kind = "load" if is_load else "store"
        properties["mode"] = ods.enum(f"nvvm.tma_{kind}_mode", mode.replace("::", "_"))
    tensor = p.pointer(1 if is_load else 0, 0)
    rest = [p.operand(at) for at in range(3 if is_load else 2, len(p.operands))]
    if is_load:
        mask = [p.integer(rest.pop(0), 16)] if multicast else []
        hint = [p.integer(rest.pop(0), 64)] if hinted else []
        # The operation has a group only where the target may be in any block of the cluster.
        is_own = target == "shared::cta" and group != "cta_group::2"
        groups = (
            [p.pointer(0, 3 if is_own else 7)], [tensor], corner, [p.pointer(2, 3)], (), mask, hint,
            (),
        )  # fmt: skip
        properties["isCTAOnly"] = IntegerAttr(int(is_own), I1)
        if group is not None and not is_own:
            properties["group"] = ods.enum("nvvm.cta_group", f"cta_{group[-1]}")
        b.create("nvvm.cp.async.bulk.tensor.shared.cluster.global", groups, (), properties)
        return
    if target != "global" or source != "shared::cta":
        p.refuse()
    if group is not None:
        p.refuse(f"'.{group}'")
    hint = [p.integer(rest[0], 64)] if hinted else []
    groups = ([tensor], [p.pointer(1, 3)], corner, hint, ())
    b.create("nvvm.cp.async.bulk.tensor.global.shared.cta", groups, (), properties)
