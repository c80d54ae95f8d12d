# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which strategy a kernel gets on the host, and why not a faster one.

block-loops   loops over warps between barriers (`block_loops`)
warps         each warp a coroutine that is a vector (`warp_code`)
threads       each thread by itself: a loop where no thread waits, else a coroutine
              (`threads.entries`)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import IntegerAttr, UnitAttr, i1, i32, i64
from xdsl.ir import Operation

from xgpu.backend.llvm_ir.facts import number
from xgpu.core import ods
from xgpu.core.ir.construction import clone_operation, erase_operation, nested_operations
from xgpu.core.ir.dominance import ControlFlowGraph
from xgpu.core.rewriting.builder import Builder
from xgpu.dialects.llvm.builders import constant
from xgpu.dialects.llvm.types import LLVMPointerType
from xgpu.host_device.compiler import operations
from xgpu.host_device.compiler.bounds_checks import Checks, check_bounds
from xgpu.host_device.compiler.code import NoRegions, Unsupported
from xgpu.host_device.compiler.elementary import expand_elementary
from xgpu.host_device.compiler.ptx.raise_assembly import raise_assembly
from xgpu.host_device.compiler.raise_intrinsics import (
    compute_as_ptx,
    intrinsic_name,
    raise_intrinsics,
)
from xgpu.host_device.compiler.scalarize import UNWRITTEN, Scalarize, promote
from xgpu.host_device.compiler.threads.entries import choose_width
from xgpu.host_device.compiler.types import bits
from xgpu.host_device.compiler.vectors.block_loops import BlockLoops, Screen
from xgpu.host_device.compiler.vectors.lane_calls import (
    check,
    lower_for_lanes,
    lower_without_thread,
)
from xgpu.host_device.compiler.vectors.memory import SHARED
from xgpu.host_device.compiler.vectors.prepare import prepare, separate_region_ends, variable_sizes
from xgpu.host_device.compiler.vectors.shapes import AFFINE, VARYING, Layout, Shape
from xgpu.host_device.compiler.vectors.spin_checks import (
    check_lane_spins,
    check_order,
    check_spins,
)
from xgpu.host_device.compiler.vectors.uniformity import Uniformity, divergent_sides
from xgpu.host_device.compiler.vectors.warp_code import WarpCode, check_waits

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr
    from xdsl.ir import Block, Region, SSAValue

    from xgpu.host_device.compiler.vectors.vector_code import VectorCode


BLOCK_LOOPS = "block-loops"
WARPS = "warps"
THREADS = "threads"
#: Strategies with vectors of threads, the fastest first.
VECTOR_STRATEGIES = (BLOCK_LOOPS, WARPS)

#: What else concerns a block alone.
_OWN = operations.HINTS | operations.RANGES | {"llvm.alloca", "llvm.mlir.addressof"}
#: The address space of constant memory.
CONSTANT = 4
_SHARED_POINTER = LLVMPointerType(SHARED)
_INDICES = ("tid.", "ntid.", "ctaid.", "nctaid.", "laneid", "warpid")
#: Operations without an attribute that the host may not know.
_PLAIN = (
    operations.ELEMENTWISE | operations.CONSTANTS | operations.TERMINATORS
    | {"nvvm.barrier0", "llvm.getelementptr", "llvm.load", "llvm.store", "llvm.addrspacecast",
       "llvm.insertvalue", "llvm.extractvalue"}
) - {"llvm.mlir.addressof"}  # fmt: skip


def prepared(
    function: Operation, checks: Checks | None = None, screen: Screen | None = None
) -> Operation:
    """A copy of a kernel, in the form that the analyses expect; with `checks`, which learn of its
    accesses, one that checks their bounds; with `screen` one that tells which copies are waited
    for."""
    copy = _raised(function)
    if checks is not None:
        check_bounds(copy, checks)
    if screen is not None:
        screen.mark_groups(copy)
    lower_without_thread(copy, function.parent_op())
    prepare_in_place(copy)
    return copy


def _raised(function: Operation) -> Operation:
    """A copy of a kernel in operations of the nvvm dialect where there are some. Raises
    `NoRegions`."""
    copy = clone_operation(function)
    try:
        raise_assembly(copy)
    except Unsupported as reason:
        raise NoRegions(str(reason), reason.at) from None
    raise_intrinsics(copy)
    _raise_active_masks(copy)
    _own_written_parameters(copy)
    return copy


def _own_written_parameters(function: Operation) -> None:
    """Gives each thread memory of its own for a parameter by value that the kernel may write to.
    One that is only read is the same memory for all threads."""
    arguments = cast("ArrayAttr[DictionaryAttr] | None", function.properties.get("arg_attrs"))
    entry = function.regions[0].blocks[0]
    given = arguments.data if arguments is not None else ()
    for argument, attributes in zip(entry.args, given, strict=False):
        element = attributes.data.get("llvm.byval")
        if element is None or _is_only_read(argument):
            continue
        rw = Builder()
        rw.before(cast("Operation", entry.first_op))
        rw.location = function.location
        alignment = {"alignment": IntegerAttr(number(attributes.data.get("llvm.align")) or 16, i64)}
        size = constant(rw, 1, i32)
        memory = rw.value(
            "llvm.alloca", (size,), argument.type, {"elem_type": element, **alignment}
        )
        argument.replace_all_uses_with(memory)
        rw.create("llvm.store", (rw.value("llvm.load", (argument,), element), memory))


def _is_only_read(address: SSAValue) -> bool:
    """Whether memory is only read by its address, which goes nowhere else."""
    return all(
        use.operation.name == "llvm.load"
        or (
            use.operation.name in ("llvm.getelementptr", "llvm.addrspacecast")
            and use.index == 0
            and _is_only_read(use.operation.results[0])
        )
        for use in address.uses
    )


def _raise_active_masks(function: Operation) -> None:
    """`activemask` as a vote of all that are there: vectors know which lanes a branch has."""
    for op in nested_operations(function):
        if intrinsic_name(op) != "activemask":
            continue
        rw = Builder()
        rw.before(op)
        rw.location = op.location
        everyone, holds = constant(rw, -1, i32), constant(rw, 1, i1)
        kind = {"kind": ods.enum("nvvm.vote_sync_kind", "ballot")}
        vote = rw.value("nvvm.vote.sync", (everyone, holds), i32, kind)
        op.results[0].replace_all_uses_with(vote)
        erase_operation(op)


def prepare_in_place(function: Operation) -> None:
    """Brings a kernel into the form that the analyses expect. Raises `NoRegions`."""
    prepare(function)
    Scalarize(function).run()
    compute_as_ptx(function)
    expand_elementary(function)  # its conversions and shifts are in range
    promote(function)
    _erase_unused_values(function)


def _erase_unused_values(function: Operation) -> None:
    """Erases calls of libdevice and of reads of textures whose result nothing uses: of a texel's
    four channels a kernel seldom needs more than one. LLVM does not know that they only compute,
    but finds all else that is not used."""
    for op in reversed(list(nested_operations(function))):
        if not op.results or any(result.first_use is not None for result in op.results):
            continue
        if _is_value_call(op) or (
            operations.is_pure(op)
            and any(isinstance(v.owner, Operation) and _is_value_call(v.owner) for v in op.operands)
        ):  # fmt: skip
            erase_operation(op)


def _is_value_call(op: Operation) -> bool:
    """Whether `op` calls a function of numbers that gives a number."""
    return op.name == "llvm.call" and (operations.callee(op) or "").startswith("__nv_") and not any(
        isinstance(operand.type, LLVMPointerType) for operand in op.operands
    )  # fmt: skip


def layout_of(function: Operation, block: tuple[int, int, int], is_small: bool = True) -> Layout:
    """How the threads of a block of that size become lanes."""
    return Layout(block, _sees_warps(function), is_small)


def _sees_warps(function: Operation) -> bool:
    return any(operations.is_warp_operation(op) for op in nested_operations(function))


def is_known(op: Operation) -> bool:
    """Whether an operation is one of those that every strategy has, whatever its attributes are."""
    name = operations.register(op)
    if name is not None:
        return name.startswith(_INDICES)
    return op.name in _PLAIN


def is_independent(function: Operation | None) -> bool:
    """Whether blocks of a kernel never wait for other blocks: it reads no global memory in a way
    that shows what they have done meanwhile, and does nothing that is not known here. Raises
    `NoRegions` where it has inline PTX that is no operation."""
    return function is not None and all(
        _never_waits(op) for op in nested_operations(_raised(function))
    )


def _never_waits(op: Operation) -> bool:
    if op.name in ("llvm.load", *operations.ATOMICS):
        is_read = operations.is_ordered(op) if op.name == "llvm.load" else op.results[0].uses
        return not is_read or op.operands[0].type == _SHARED_POINTER
    if op.name == "llvm.call":
        return (operations.callee(op) or "").startswith("__nv_") or operations.is_mark(op)
    if op.name == "llvm.call_intrinsic":
        return operations.is_computed(op)
    return (
        is_known(op) or operations.is_barrier(op) or operations.is_warp_operation(op)
        or op.name in _OWN
    )  # fmt: skip


def block_function(
    function: Operation,
    block: tuple[int, int, int],
    is_small: bool = True,
    screen: Screen | None = None,
    checks: Checks | None = None,
    is_free: bool = False,
) -> Operation:
    """A kernel as a function that runs a block of that size; detached, named as the kernel.

    `is_small` says that the grid's threads along x can be counted with an i32. With `screen` its
    accesses are checked for the sanitizer, with `checks` their bounds (`bounds_checks`).

    Raises `NoRegions` where the kernel has no such strategy, and `SlowerError` if it `is_free` to
    have another one and this one is slower.
    """
    copy = prepared(function, checks, screen)
    _check_control_flow(copy)
    check(copy)
    check_spins(copy)
    if screen is not None:
        if screen.inits and UNWRITTEN in copy.attributes:
            raise NoRegions(
                "its threads may read memory of their own that they have not written", function
            )
        screen.mark(copy)
    separate_region_ends(copy)
    layout = layout_of(copy, block, is_small)
    loops = BlockLoops(copy, layout, variable_sizes(function), screen)
    if _sees_warps(copy):
        _check_warps(loops.u)
    check_order(loops.u)
    check_lane_spins(loops.u)
    _check_divisions(loops.u)
    if is_free:
        _check_gathers(loops.u)
    made = _with_body(copy, loops.run())
    _say_gathers(made, loops)
    if screen is not None:
        made.attributes[operations.SCREENED] = UnitAttr()
    else:
        choose_width(made, copy)
    return made


def warp_function(
    function: Operation, block: tuple[int, int, int], is_small: bool = True,
    checks: Checks | None = None,
) -> Operation:  # fmt: skip
    """A kernel as a function that runs a warp of a block of that size; see `block_function`."""
    copy = _raised(function)
    if checks is not None:
        check_bounds(copy, checks)
    lower_for_lanes(copy, function.parent_op())
    prepare_in_place(copy)
    return _warp_function(copy, block, is_small)


def prepared_warp_function(function: Operation, block: tuple[int, int, int]) -> Operation:
    """Likewise for a kernel on which `lane_calls` and `prepare` have been."""
    return _warp_function(clone_operation(function), block, True)


def _warp_function(copy: Operation, block: tuple[int, int, int], is_small: bool) -> Operation:
    _check_control_flow(copy)
    check(copy)
    code = WarpCode(copy, Layout(block, True, is_small))
    _check_warps(code.u)
    check_waits(code)
    check_lane_spins(code.u)
    _check_divisions(code.u)
    made = _with_body(copy, code.run())
    _say_gathers(made, code)
    choose_width(made, copy)
    return made


def _say_gathers(made: Operation, code: VectorCode) -> None:
    """Where a kernel counts what it does, its gathers and scatters."""
    if code.memory.gathers:
        from xgpu.host_device.compiler.counting import say_gathers

        say_gathers(made, code.memory.gathers)


def _check_control_flow(function: Operation) -> None:
    graph = ControlFlowGraph(function.regions[0])
    if graph.irreducible is not None:
        raise NoRegions(
            "its control flow is not reducible", graph.blocks[graph.irreducible[0]].last_op
        )


def _check_warps(uniformity: Uniformity) -> None:
    """Lanes that part may meet again at operations of the warp in different places: that is for
    threads that wait. Where only one side of a branch has some, its lanes meet each other there."""
    graph = uniformity.graph
    for sides in divergent_sides(uniformity):
        first, second = ([graph.blocks[b] for b in sorted(side)] for side in sides)
        found = [_warp_operation(side) for side in (first, second)]
        if found[0] is not None and found[1] is not None:
            raise NoRegions("operations of a warp stand where its lanes have parted", found[1])


def _warp_operation(blocks: Iterable[Block]) -> Operation | None:
    for block in blocks:
        for op in block.ops:
            if op.name in operations.WARP and op.name != "nvvm.bar.warp.sync":
                return op
    return None


class SlowerError(NoRegions):
    """The kernel could have a strategy of vectors, and is faster where each thread runs by itself;
    `at` names the operation that says so."""


#: Operations that lanes may compute for each access at an address of its own, so that it does not
#: pay to have them in vectors. A lane of a gather takes as long as a load, and lanes that have left
#: the loop take as long as others.
_MOST_COMPUTED = 6


def _check_gathers(uniformity: Uniformity) -> None:
    """Lanes leave loops at different times in which they do little but gather: rows of sparse
    matrices, neighbors in graphs. Products with rows of 0 to 32 elements take 6 ms of processor
    time by threads and 22 by vectors. Threads that wait are slow."""
    graph = uniformity.graph
    if any(
        operations.is_barrier(op) or operations.is_warp_operation(op)
        for block in graph.blocks for op in block.ops
    ):  # fmt: skip
        return
    for loop in graph.loops:
        is_inner = not any(other.header in loop.blocks for other in graph.loops if other != loop)
        if is_inner and uniformity.loop_level[loop.header] == VARYING:
            _check_loop(uniformity, [op for b in loop.blocks for op in graph.blocks[b].ops])


def _check_loop(uniformity: Uniformity, ops: Sequence[Operation]) -> None:
    if any(
        op.name in operations.ATOMICS or (op.name == "llvm.call" and not operations.is_inserted(op))
        for op in ops
    ):
        return
    addresses = {"llvm.load": 0, "llvm.store": 1}
    gathers = [
        op for op in ops
        if op.name in addresses and uniformity.of(op.operands[addresses[op.name]]).level == VARYING
    ]  # fmt: skip
    computed = sum(op.name in operations.ELEMENTWISE for op in ops)
    if len(gathers) > 1 and computed <= _MOST_COMPUTED * len(gathers):
        what = "threads are faster: lanes leave a loop of gathers at different times"
        raise SlowerError(what, gathers[0])


def _check_divisions(uniformity: Uniformity) -> None:
    """A division without a result ends the kernel when it runs. One that is known beforehand, from
    constants and thread numbers, LLVM folds to anything at all."""
    graph = uniformity.graph
    for at, block in enumerate(graph.blocks):
        for op in block.ops:
            if op.name not in operations.DIVISIONS:
                continue
            dividend, divisor = (uniformity.at(value, at) for value in op.operands)
            if divisor.constant is None and divisor.level != AFFINE:
                continue
            width = bits(op.operands[0].type) or 64
            overflows = op.name in ("llvm.sdiv", "llvm.srem") and (
                _may_be(divisor, -1) and _may_be(dividend, -(1 << (width - 1)))
            )
            if overflows or _may_be(divisor, 0):
                raise NoRegions("a division may have no result", op)


def _may_be(shape: Shape, value: int) -> bool:
    """Whether an element of the shape can be `value`, as far as is known."""
    if shape.constant is not None:
        return shape.constant == value
    return (shape.low is None or shape.low <= value) and (shape.high is None or value <= shape.high)


def _with_body(function: Operation, body: Region) -> Operation:
    """The function with another body, no longer a kernel."""
    attributes = {
        k: v for k, v in function.attributes.items() if not k.startswith(("gpu.", "nvvm."))
    }
    return ods.create(
        function.name, (), (), dict(function.properties), attributes, [body],
        location=function.location,
    )  # fmt: skip
