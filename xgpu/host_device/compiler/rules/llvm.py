# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operations that mean something else on the host: address spaces and asynchronous copies, and of
the llvm dialect calls, private and shared memory, traps. A rule that returns None leaves the
operation as it is."""

from __future__ import annotations

from typing import cast

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, IntegerAttr
from xdsl.ir import Operation, SSAValue

from xgpu.backend.llvm_ir.facts import groups, prop
from xgpu.host_device.compiler import operations
from xgpu.host_device.compiler.code import (
    AWAIT,
    AWAIT_END,
    BOUNDS_FAILED,
    OF_LANE,
    THIS_BLOCK,
    THIS_THREAD,
    Code,
    call_properties,
)
from xgpu.host_device.compiler.operations import ASYNC, callee, is_mark
from xgpu.host_device.compiler.rules.lowering import (
    Call,
    Values,
    intrinsic,
    lower_intrinsic,
    operation,
)
from xgpu.host_device.compiler.types import I1, I8, I32, I64, POINTER, integer_constant, size_of

# -- Address spaces and asynchronous copies on the host.
#
# All memory is one address space. An asynchronous copy is done at once, which is one of the orders
# that its definition allows; waiting for it is then nothing.


@intrinsic(r"cp\.async\.c[ag]\.shared\.global\.\d+(\.s)?")
def copy(call: Call, b: Code) -> Values:
    """(target, source[, bytes of the source]): the rest of the size in the name is zero."""
    partial = call.words[-1] == "s"
    size = int(call.words[-2] if partial else call.words[-1])
    target, source = call.arguments[:2]
    if not partial or integer_constant(call.arguments[2]) == size:
        made = [b.copy(target, source, size)]
    else:
        made = [
            b.fill(target, 0, size),
            b.copy(target, source, b.cast("zext", call.arguments[2], I64)),
        ]
    for op in made:
        op.attributes[ASYNC] = IntegerAttr(size, I64)
    return []


@intrinsic(r"cp\.async\.(commit\.group|wait\.(all|group))")
def copies_are_done(call: Call, b: Code) -> Values:
    return []


def _is_shared(b: Code, pointer: SSAValue) -> SSAValue:
    """Whether an address is inside the block's memory."""
    at = b.value("llvm.ptrtoint", (b.generic(pointer),), I64)
    start = b.value("llvm.ptrtoint", (b.register("shared"),), I64)
    dynamic = b.cast("zext", b.register("dynamic.smem.size"), I64)
    size = b.binary("add", dynamic, b.state.module.dynamic_offset)
    return b.icmp("ult", b.binary("sub", at, start), size)


@intrinsic(r"isspacep\.shared(\.cluster)?")
def is_shared(call: Call, b: Code) -> Values:
    return [_is_shared(b, call.arguments[0])]


@intrinsic(r"isspacep\.global")
def is_global(call: Call, b: Code) -> Values:
    return [b.binary("xor", _is_shared(b, call.arguments[0]), 1)]


@intrinsic(r"ptr\..*\.to\..*", r"internal\.addrspace\.wrap.*", r"cvta.*")
def same_pointer(call: Call, b: Code) -> Values:
    return [b.generic(call.arguments[0])]


@intrinsic(r"ld[gu]\.global\..*")
def load_uniform(call: Call, b: Code) -> Values:
    """An ordinary load; the alignment is a constant."""
    alignment = integer_constant(call.arguments[1]) if len(call.arguments) > 1 else None
    return [b.load(call.arguments[0], call.type, alignment or 1)]


@intrinsic(r"mapa(\.shared\.cluster)?")
def mapa(call: Call, b: Code) -> Values:
    """The same place in the shared memory of another block of the cluster."""
    return [b.native("mapa", POINTER, *call.arguments)]


@intrinsic(r"ptx\.shared\.pointer")
def shared_pointer(call: Call, b: Code) -> Values:
    """The lower 32 bits of an address in shared memory, as the address that is next to it."""
    start = b.value("llvm.ptrtoint", (b.register("shared"),), I64)
    apart = b.binary("sub", call.arguments[0], b.cast("trunc", start, I32))
    whole = b.binary("add", start, b.cast("sext", apart, I64))
    return [b.cast("inttoptr", whole, POINTER)]


@intrinsic(r"ptx\.getctarank")
def rank_of(call: Call, b: Code) -> Values:
    """Which block of the cluster an address in shared memory belongs to."""
    return [b.native("getctarank", I32, call.arguments[0])]


# External functions that a kernel may call and the device provides
# (`host_device/native/sources/device_functions.py`).
_SERVICES = {"vprintf": "vprintf", "malloc": "malloc", "free": "free"}
_SET_THREAD = "xgpu.set_thread"
# What a kernel that `host-sanitize` has instrumented tells the sanitizer.
_SANITIZER = "xgpu_san_"
# What code for warps calls already (see `lane_calls`).
_DEVICE = "xgpu_"


@operation("llvm.call")
def call_(call: Call, b: Code) -> Values | None:
    name = callee(call.op)
    if name is None or name in b.state.module.defined:
        return _own_function(call.op, name, b)
    if name == _SET_THREAD:
        for field, value in zip(("tid_x", "tid_y", "tid_z", "linear"), call.arguments, strict=True):
            b.set_field(value, b.thread, "Thread", field)
        return []
    if name.startswith("__nv_"):
        from xgpu.host_device.compiler.rules.math import library_call

        return library_call(Call(call.op, name[5:], call.arguments), b)
    if name == "__assertfail":
        if not b.state.is_kernel:
            b.native("assertfail_in_function", None, *call.arguments)
            return []
        b.native("assertfail", None, *call.arguments)
        b.end_thread()
        return []
    if name == operations.BOUNDS_CHECK:
        return _bounds(call, b)
    if is_mark(call.op):
        from xgpu.host_device.compiler.counting import add_to_counters

        one = b.integer(1, I64)
        add_to_counters(b, call.op, one, one)
        return []
    if name in (BOUNDS_FAILED, AWAIT, AWAIT_END):
        b.call(name, None, b.block_record(), *call.arguments)
        return []
    if name == THIS_THREAD:
        return [b.thread]
    if name == THIS_BLOCK:
        return [b.block_record()]
    if name.startswith(OF_LANE):
        return _with_thread(call, name[len(OF_LANE) :], b)
    if name.startswith(_SANITIZER):
        result = b.native(name[len("xgpu_") :], call.type, *call.arguments)
        return [] if result is None else [result]
    if name in _SERVICES:
        result = b.native(_SERVICES[name], call.type, *call.arguments)
        return [] if result is None else [result]
    if name.startswith(_DEVICE):
        b.state.module.declared.setdefault(name, (tuple(a.type for a in call.arguments), call.type))
        return None
    b.refuse(f"call of '{name}', which is not defined and not known to the device")


def _with_thread(call: Call, name: str, b: Code) -> Values:
    """A call for a lane of a warp has the thread's record already."""
    result = b.call(name, call.type, *call.arguments)
    return [] if result is None else [result]


def _own_function(op: Operation, name: str | None, b: Code) -> Values:
    """A function of the kernel module gets the thread's record first."""
    operands, bundled = groups(op, 2)
    at = 0 if name is not None else 1
    given = [*operands[:at], b.thread, *operands[at:]]
    properties = call_properties(name or "", given)
    if name is None:
        del properties["callee"]
    flags = op.properties.get("fastmathFlags")
    if flags is not None:
        properties["fastmathFlags"] = flags
    attrs = cast("ArrayAttr[DictionaryAttr] | None", op.properties.get("arg_attrs"))
    if attrs is not None:
        properties["arg_attrs"] = ArrayAttr([DictionaryAttr({}), *map(_as_passed, attrs.data)])
    if bundled:
        b.refuse("a call with operand bundles")
    results = b.create("llvm.call", given, [r.type for r in op.results], properties).results
    return list(results)


#: Attributes of arguments that change how they are passed. The function gets a pointer, and makes
#: a copy of its own of what is there.
_PASSED_IN_MEMORY = ("llvm.byval", "llvm.sret", "llvm.byref", "llvm.inalloca")


def _as_passed(attributes: DictionaryAttr) -> DictionaryAttr:
    left = {k: v for k, v in attributes.data.items() if k not in _PASSED_IN_MEMORY}
    return DictionaryAttr(left)


def _bounds(call: Call, b: Code) -> Values:
    """A check of bounds for one thread: see `bounds_checks`."""
    group, low, span = call.op.attributes[operations.BOUNDS].get_values()
    pointer, begin, room, *size = call.arguments
    start = b.value("llvm.ptrtoint", (b.generic(pointer),), I64)
    if low:
        start = b.binary("add", start, low)
    origin = b.binary("sub", start, begin)
    bytes = size[0] if size else b.integer(span, I64)
    bad = b.icmp("uge", origin, b.intrinsic("usub.sat", (room, bytes)))
    if size:
        bad = b.binary("and", bad, b.icmp("ne", bytes, 0))
    one, zero = b.integer(1, I64), b.integer(0, I64)
    found = (b.integer(group), b.register("linear"), one, start, zero, begin, room, bytes)
    with b.when(bad):
        b.call(BOUNDS_FAILED, None, b.block_record(), *found)
    return []


@operation("llvm.call_intrinsic")
def by_name(call: Call, b: Code) -> Values | None:
    """LLVM's own intrinsics stay, but for those of NVVM."""
    name = call.op.properties["intrin"].data
    if name.startswith("llvm.nvvm."):
        return lower_intrinsic(Call(call.op, name[10:], call.arguments), b)
    if name.startswith(("llvm.dbg.", "llvm.lifetime.")):
        return []
    return None


@operation("llvm.intr.trap", "llvm.intr.debugtrap", "llvm.intr.ubsantrap")
def trap(call: Call, b: Code) -> Values:
    """Must not take the process down."""
    b.native("trap", None)
    return []


@operation("nvvm.breakpoint")
def breakpoint_(call: Call, b: Code) -> Values:
    b.native("trap", None)
    return []


@operation(
    "llvm.intr.dbg.value", "llvm.intr.dbg.declare", "llvm.intr.dbg.label",
    "llvm.intr.lifetime.start", "llvm.intr.lifetime.end",
)  # fmt: skip
def nothing(call: Call, b: Code) -> Values:
    return []


@operation("llvm.alloca")
def private_memory(call: Call, b: Code) -> Values:
    """Private memory belongs to the thread, not to the point that names it: LLVM makes frame slots
    only of what is allocated in the entry block."""
    op = call.op
    count = integer_constant(op.operands[0])
    if count is None:
        b.refuse("private memory of a size known only at run time")
    properties = {k: v for k, v in op.properties.items() if k in ("elem_type", "alignment")}
    number = b.integer(count, I64)
    with b.in_prologue():
        place = b.value("llvm.alloca", (number,), POINTER, properties)
        if _is_printed(op):
            # printf reads whole words of what MLIR stores as narrower integers.
            size = (size_of(prop(op, "elem_type")) or 0) * count
            zero, length = b.integer(0, I8), b.integer(size, I64)
            b.create(
                "llvm.intr.memset", (place, zero, length), (),
                {"isVolatile": IntegerAttr(0, I1)},
            )  # fmt: skip
    return [place]


def _is_printed(op: Operation) -> bool:
    """Whether an allocation is handed to vprintf."""
    pending = list(op.results)
    while pending:
        for use in pending.pop().uses:
            user = use.operation
            if user.name == "llvm.call" and callee(user) == "vprintf":
                return True
            if user.name == "llvm.addrspacecast":
                pending += user.results
    return False


@operation("llvm.mlir.addressof")
def address_of(call: Call, b: Code) -> Values | None:
    """A shared variable is a place in the block's memory."""
    name: str = call.op.properties["global_name"].root_reference.data
    at = b.state.module.shared.get(name)
    if at is None:
        return None
    key = ("shared", name)
    found = b.state.known.get(key)
    if found is None:
        base = b.register("shared")
        with b.in_prologue():
            found = b.state.known[key] = b.address(base, at)
    return [found]
