# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The functions by which the device starts kernels.

A kernel whose threads wait becomes a coroutine, any other a loop over blocks and the threads of
each; a function that runs a whole block (`block_loops`) is called once for each.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import ArrayAttr, StringAttr, UnitAttr
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from xgpu.backend.llvm_ir.facts import integers, number, text_of
from xgpu.core import ods
from xgpu.core.ir.construction import erase_operation, nested_operations, operations_of
from xgpu.core.ir.dominance import ControlFlowGraph
from xgpu.dialects.llvm.builders import function_attributes
from xgpu.dialects.llvm.types import LLVMFunctionType, LLVMVoidType
from xgpu.host_device.abi.structs import offset, size_of
from xgpu.host_device.compiler import operations
from xgpu.host_device.compiler.code import (
    FIELDS,
    REGISTER,
    ModuleState,
    call_properties,
    is_thread_register,
)
from xgpu.host_device.compiler.emission import Builder
from xgpu.host_device.compiler.functions import (
    STRATEGY,
    is_block_function,
    is_warp_function,
)
from xgpu.host_device.compiler.objects import entry_symbol
from xgpu.host_device.compiler.threads.coroutines import is_entry, make_coroutine, waits
from xgpu.host_device.compiler.threads.runtime_calls import (
    BY_VALUE,
    PARAMETERS,
    STATIC_SHARED,
    declare,
    load_parameters,
    top_level,
)
from xgpu.host_device.compiler.types import I1, I8, I32, I64, POINTER

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from xdsl.ir import LocationAttr


# -- How wide LLVM makes the vectors of a function, on processors that have a choice.
#
# A vector of 32 threads is two registers of 512 bits, or four of 256. Kernels that wait for memory
# gain nothing from the wide ones; accesses that do not begin with a line of the cache touch two
# lines each; and what goes from lane to lane, as shuffles do, or calls a function for each lane,
# takes longer. So kernels get 256 bits, all but those that compute: they have a loop with several
# operations for each access, and do neither of the two.


#: On a function: it computes, and is to have the widest vectors there are.
WIDE = "host.wide"

_ACCESSES = frozenset(("llvm.load", "llvm.store")) | operations.ATOMICS
#: What LLVM makes of these is a call for each lane.
_CALLED = frozenset(
    f"llvm.intr.{name}"
    for name in (
        "exp", "exp2", "exp10", "log", "log2", "log10", "sin", "cos", "tan", "pow", "powi", "asin",
        "acos", "atan", "atan2", "sinh", "cosh", "tanh", "ldexp",
    )
) | {"llvm.call", "llvm.frem"}  # fmt: skip
#: Operations for each access, those on its address among them: a loop that computes.
_DENSE = 3


def choose_width(function: Operation, kernel: Operation) -> None:
    """Let `function`, which is made of `kernel`, have wide vectors if that computes."""
    if computes(kernel):
        function.attributes[WIDE] = UnitAttr()


def computes(kernel: Operation) -> bool:
    """Whether a prepared kernel's time goes into operations on vectors."""
    if any(
        (op.name in _CALLED and not (operations.is_bounds_check(op) or operations.is_mark(op)))
        or (operations.is_warp_operation(op) and not operations.is_barrier(op))
        for op in nested_operations(kernel)
    ):
        return False
    graph = ControlFlowGraph(kernel.regions[0])
    found: dict[int, list[int]] = {}
    for at, block in enumerate(graph.blocks):
        loop = graph.loop_of[at]
        if loop is not None:
            counts = found.setdefault(loop.header, [0, 0])
            accesses, computed = _counts(block.ops)
            counts[0] += accesses
            counts[1] += computed
    return any(computed >= max(accesses, 1) * _DENSE for accesses, computed in found.values())


def _counts(ops: Iterable[Operation]) -> tuple[int, int]:
    accesses = computed = 0
    for op in ops:
        if op.name in _ACCESSES:
            accesses += 1
        elif op.name in operations.ELEMENTWISE:
            computed += 1
    return accesses, computed


def narrow_vectors() -> list[Attribute]:
    """What is passed to LLVM for a function with vectors of 256 bits at most: without the second it
    keeps to the width of the vectors that stand in the function."""
    return [
        ArrayAttr([StringAttr("prefer-vector-width"), StringAttr("256")]),
        ArrayAttr([StringAttr("min-legal-vector-width"), StringAttr("0")]),
    ]


# -- Kernels whose threads do not wait: a function that runs all threads of a block, one after the
# other, and the entry of a function that runs a whole block by itself.
#
# An entry runs blocks that follow each other in the grid. What is the same for all of them is read
# once, before the loops, and the number of a block along x is a value: LLVM computes what depends
# on neither once. The thread's record is a local that LLVM dissolves into registers unless the
# kernel hands it to a function that it does not inline.


_AXES = ("x", "y", "z")
#: Registers that differ among the blocks of a row, and among rows.
_IN_ROWS = ("ctaid.x", "clusterid.x")
_OF_ROWS = tuple(f"{name}.{axis}" for name in ("ctaid", "clusterid") for axis in "yz")


def make_loops(function: Operation, name: str, by_value: list[int]) -> Operation:
    """Makes a kernel a function of a thread and of the registers that it reads, and returns the
    function `name` (block, count) that calls it for every thread of so many blocks."""
    types = [a.type for a in function.regions[0].blocks[0].args][1:]
    registers = _take_registers(function, lambda register: True)
    body = _as_body(function)
    b, block, count = _entry_builder()
    values = load_parameters(b, block, types, by_value)
    thread = _thread_record(b, block)

    def run(known: dict[str, SSAValue]) -> None:
        def call(indices: dict[str, SSAValue]) -> None:
            given = [thread, *values, *(indices.get(r) or known[r] for r in registers)]
            b.create("llvm.call", given, (), call_properties(body, given))

        _thread_loops(b, thread, known, call)

    _each_block(b, block, count, [*registers, "ntid.x", "ntid.y", "ntid.z"], run)
    return _entry(b, name, function.location)


def make_block_entry(function: Operation, name: str, by_value: list[int]) -> Operation:
    """The function `name` (block, count) for a function that runs a whole block and is called for
    each of so many. The thread's record is for what asks for it: the function says which thread it
    is in before it calls a service of the device."""
    types = [a.type for a in function.regions[0].blocks[0].args][1:]
    registers = _take_registers(function, lambda register: not is_thread_register(register))
    body = _as_body(function)
    b, block, count = _entry_builder()
    values = load_parameters(b, block, types, by_value)
    thread = _thread_record(b, block)

    def run(known: dict[str, SSAValue]) -> None:
        given = [thread, *values, *(known[r] for r in registers)]
        b.create("llvm.call", given, (), call_properties(body, given))

    _each_block(b, block, count, registers, run)
    return _entry(b, name, function.location)


def _entry_builder() -> tuple[Builder, SSAValue, SSAValue]:
    region = Region()
    b = Builder(region, 1)
    return b, b.first.insert_arg(POINTER, 0), b.first.insert_arg(I32, 1)


def _entry(b: Builder, name: str, location: LocationAttr) -> Operation:
    ty = LLVMFunctionType((POINTER, I32), LLVMVoidType())
    properties = {**function_attributes(name, ty), "no_unwind": UnitAttr()}
    # Constants and what is read once were built in the first block, before what leaves it.
    return ods.create("llvm.func", (), (), properties, regions=[b.region], location=location)


def _as_body(function: Operation) -> str:
    """Makes a kernel a function that is inlined; its name."""
    properties = function.properties
    name = f"xgpu.body.{text_of(properties['sym_name'])}"
    arguments = [a.type for a in function.regions[0].blocks[0].args]
    properties["sym_name"] = StringAttr(name)
    properties["function_type"] = LLVMFunctionType(arguments, LLVMVoidType())
    properties["linkage"] = ods.attr_class("llvm.linkage")("internal")
    properties["always_inline"] = UnitAttr()
    properties["no_unwind"] = UnitAttr()
    return name


def _take_registers(function: Operation, is_taken: Callable[[str], bool]) -> list[str]:
    """Makes arguments of those special registers that a kernel reads; their names."""
    prologue: Block = function.regions[0].blocks[0]
    names: list[str] = []
    for op in operations_of(prologue):
        name = op.attributes.get(REGISTER)
        if name is None or not is_taken(text_of(name)):
            continue
        argument = prologue.insert_arg(op.results[0].type, len(prologue.args), op.location)
        op.results[0].replace_all_uses_with(argument)
        erase_operation(op)
        names.append(text_of(name))
    return names


def _block_field(b: Builder, block: SSAValue, register: str) -> SSAValue:
    ty: Attribute = POINTER if register == "shared" else I32
    return b.load(b.address(block, offset("Block", FIELDS[register])), ty)


def _thread_record(b: Builder, block: SSAValue) -> SSAValue:
    thread = b.alloca(I8, size_of("Thread"), 8)
    b.store(block, b.address(thread, offset("Thread", "block")))
    return thread


def _each_block(
    b: Builder,
    block: SSAValue,
    count: SSAValue,
    registers: Sequence[str],
    run: Callable[[dict[str, SSAValue]], None],
) -> None:
    """For the block of a record and those that follow it, `count` together: `run` with the values
    of the registers that are no thread's. The record says which block runs; the worker counts
    them, for the watchdog. Ends early where the launch has failed. More than one have no clusters.
    """
    known: dict[str, SSAValue] = {"block": block}
    wanted = [r for r in dict.fromkeys(registers) if r != "block" and not is_thread_register(r)]
    for register in [*wanted, "nctaid.x", "nctaid.y"]:
        if register not in (*_IN_ROWS, *_OF_ROWS, *known):
            known[register] = _block_field(b, block, register)
    worker = b.load(b.address(block, offset("Block", "worker")), POINTER)
    launch = b.load(b.address(block, offset("Block", "launch")), POINTER)
    taken = b.address(worker, offset("Worker", "taken"))
    error = b.address(launch, offset("Launch", "error"))
    zero, one = b.integer(0, I32), b.integer(1, I32)
    row, each = Block(arg_types=[I32]), Block(arg_types=[I32])
    following, row_end, next_row, done = Block(), Block(), Block(), Block()
    (left,), (x,) = row.args, each.args

    b.enter(row)
    known |= {r: _block_field(b, block, r) for r in wanted if r in _OF_ROWS}
    first = _block_field(b, block, "ctaid.x")
    end = b.value("llvm.intr.umin", (b.binary("add", first, left), known["nctaid.x"]), I32)
    b.branch(each, (first,))

    b.enter(each)
    if "clusterid.x" in wanted:
        known["clusterid.x"] = _block_field(b, block, "clusterid.x")
    known["ctaid.x"] = x
    run(known)
    _store_now(b, b.binary("add", _load_now(b, taken, I64), b.integer(1, I64)), taken)
    failed = b.icmp("ne", _load_now(b, error, I32), zero)
    after = b.binary("add", x, one)
    is_last = b.icmp("eq", after, end)
    b.cond_branch(b.value("llvm.or", (failed, is_last), I1), row_end, following)

    b.enter(following)
    _set_registers(b, block, {"ctaid.x": after, "clusterid.x": after})
    b.branch(each, (after,))

    b.enter(row_end)
    rest = b.binary("sub", left, b.binary("sub", after, first))
    ends = b.value("llvm.or", (failed, b.icmp("eq", rest, zero)), I1)
    b.cond_branch(ends, done, next_row)

    b.enter(next_row)
    y = b.binary("add", _block_field(b, block, "ctaid.y"), one)
    wraps = b.icmp("eq", y, known["nctaid.y"])
    y = b.select(wraps, zero, y)
    z = b.binary("add", _block_field(b, block, "ctaid.z"), b.cast("zext", wraps, I32))
    for name in ("ctaid", "clusterid"):
        _set_registers(b, block, {f"{name}.x": zero, f"{name}.y": y, f"{name}.z": z})
    b.branch(row, (rest,))

    b.enter(done)
    b.create("llvm.return")
    b.at_end(b.first)
    b.branch(row, (count,))


def _set_registers(b: Builder, block: SSAValue, values: dict[str, SSAValue]) -> None:
    for register, value in values.items():
        b.store(value, b.address(block, offset("Block", FIELDS[register])))


# Accesses of what other threads read and write meanwhile: each is done where it stands.


def _load_now(b: Builder, address: SSAValue, ty: Attribute) -> SSAValue:
    return b.value("llvm.load", (address,), ty, {"volatile_": UnitAttr()})


def _store_now(b: Builder, value: SSAValue, address: SSAValue) -> None:
    b.create("llvm.store", (value, address), (), {"volatile_": UnitAttr()})


def _thread_loops(
    b: Builder,
    thread: SSAValue,
    known: dict[str, SSAValue],
    call: Callable[[dict[str, SSAValue]], None],
) -> None:
    """Three nested loops around `call`, x innermost, which sets the thread's indices first."""
    zero, one = b.integer(0, I32), b.integer(1, I32)
    heads = {axis: Block(arg_types=[I32]) for axis in _AXES}
    latches = {axis: Block() for axis in ("y", "z")}
    done = Block()
    index = {axis: heads[axis].args[0] for axis in _AXES}

    def next_round(axis: str, after: Block) -> None:
        following = b.binary("add", index[axis], one)
        more = b.icmp("ult", following, known[f"ntid.{axis}"])
        b.cond_branch(more, heads[axis], after, (following,), ())

    b.branch(heads["z"], (zero,))
    b.enter(heads["z"])
    b.branch(heads["y"], (zero,))
    b.enter(heads["y"])
    row = b.binary("add", b.binary("mul", index["z"], known["ntid.y"]), index["y"])
    first = b.binary("mul", row, known["ntid.x"])
    b.branch(heads["x"], (zero,))
    b.enter(heads["x"])
    linear = b.binary("add", first, index["x"])
    indices: dict[str, SSAValue] = {f"tid.{axis}": index[axis] for axis in _AXES} | {
        "linear": linear
    }
    for register, value in indices.items():
        b.store(value, b.address(thread, offset("Thread", FIELDS[register])))
    call(indices)
    next_round("x", latches["y"])
    b.enter(latches["y"])
    next_round("y", latches["z"])
    b.enter(latches["z"])
    next_round("z", done)
    b.enter(done)


#: On an entry: how it is called, "coroutine" (thread) -> handle, or "loop" (block, count).
ENTRY = "host.entry"


def make_entries(module: Operation, state: ModuleState) -> None:
    """Changes a module in place: each kernel becomes an entry."""
    for function in top_level(module):
        if function.name == "llvm.func" and is_entry(function):
            _make_entry(function, state)
    declare(module, state)


def _make_entry(function: Operation, state: ModuleState) -> None:
    name = text_of(function.properties["sym_name"])
    attributes = function.attributes
    sizes = integers(attributes.pop(PARAMETERS))
    state.kernels.append((name, sizes, number(attributes.pop(STATIC_SHARED))))
    by_value = integers(attributes.pop(BY_VALUE))
    is_block, is_warp = is_block_function(function), is_warp_function(function)
    is_coroutine = is_warp or (not is_block and waits(function))
    passed = _passed(function) if is_block or is_warp else []
    symbol = entry_symbol(name)
    if is_coroutine:
        make_coroutine(function, symbol, by_value, state)
        passed.append(StringAttr("presplitcoroutine"))
        function.properties["passthrough"] = ArrayAttr(passed)
        attributes.pop(STRATEGY, None)
        attributes[ENTRY] = StringAttr("coroutine")
        state.suspending.add(name)
        return
    attributes.pop(STRATEGY, None)
    entry = (make_block_entry if is_block else make_loops)(function, symbol, by_value)
    entry.attributes[ENTRY] = StringAttr("loop")
    if passed:  # the function is inlined, and what it says of itself must hold where it comes to
        function.properties["passthrough"] = entry.properties["passthrough"] = ArrayAttr(passed)
    block = cast("Block", function.parent)
    block.insert_op_after(entry, function)


def _passed(function: Operation) -> list[Attribute]:
    """Attributes of a function of vectors."""
    if function.attributes.pop(operations.SCREENED, None) is not None:
        # Vectors are saved around the calls of checks: none should lie in two lines of the cache.
        return [StringAttr("stackrealign")]
    return narrow_vectors() if function.attributes.pop(WIDE, None) is None else []
