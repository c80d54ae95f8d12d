# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A kernel module in which what only a GPU has is calls of the device's runtime.

    llvm.func @k(%a: !llvm.ptr<3>)     ->  llvm.func @k(%thread: !llvm.ptr, %a: !llvm.ptr<3>)
    nvvm.read.ptx.sreg.tid.x           ->  a load from the thread's record
    nvvm.barrier0                      ->  llvm.call @xgpu_barrier(%thread, ...) {host.waits}
    llvm.mlir.addressof @shared        ->  a place in the block's memory

Every function gets the thread's record as its first argument and hands it on. Variables in shared
memory go; `lay_out_shared` says where they lie. Other memory is still in its address space
(see `thread_passes`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    IntegerAttr,
    StringAttr,
    SymbolRefAttr,
    UnitAttr,
    f32,
    i64,
)
from xdsl.ir import Block, Operation, Region

from xgpu.backend.llvm_ir.facts import flag, integers, number, prop, text_of
from xgpu.core import ods
from xgpu.core.ir.construction import erase_operation, nested_operations, operations_of
from xgpu.core.ir.dominance import ControlFlowGraph
from xgpu.core.ir.symbols import symbol_name
from xgpu.dialects.llvm.builders import function_attributes
from xgpu.dialects.llvm.types import LLVMFunctionType, LLVMVoidType
from xgpu.host_device.abi.structs import offset
from xgpu.host_device.compiler.code import (
    BOUNDS_FAILED,
    BOUNDS_WORDS,
    Code,
    FunctionState,
    ModuleState,
    Unsupported,
    call_properties,
)
from xgpu.host_device.compiler.elementary import expand_elementary
from xgpu.host_device.compiler.functions import (
    argument_attributes,
    by_value,
    is_block_function,
    is_kernel,
    is_warp_function,
    parameter_sizes,
)
from xgpu.host_device.compiler.operations import callee
from xgpu.host_device.compiler.ptx.raise_assembly import raise_assembly
from xgpu.host_device.compiler.raise_intrinsics import compute_as_ptx, raise_atomics
from xgpu.host_device.compiler.rules.lowering import lower
from xgpu.host_device.compiler.spin_waits import yield_in_spins
from xgpu.host_device.compiler.types import POINTER, size_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from xdsl.dialects.builtin import IntegerType, SymbolRefAttr
    from xdsl.ir import Attribute, SSAValue

    from xgpu.dialects import llvm
    from xgpu.dialects.llvm.builders import LLVMBuilder
    from xgpu.host_device.compiler.emission import Builder


SHARED = 3  # the address space of workgroup memory
#: On a kernel: the bytes of its parameters, and of its shared variables.
PARAMETERS = "host.parameters"
STATIC_SHARED = "host.static_shared"
#: On a kernel: how it gets each of its parameters (`load_parameters`).
BY_VALUE = "host.by_value"
#: How a kernel gets a parameter: IN_MEMORY, where it lies; BOUNDS and more, that word of the bounds
#: of the launch's arrays, to which a pointer lies behind all others (two words for each parameter:
#: where its array begins, its bytes plus one).
IN_MEMORY, BOUNDS = 1, 2

_TMA_SWIZZLE = 1024  # TMA's widest swizzle repeats every 1024 bytes


class SharedPlaces(NamedTuple):
    """Where shared variables lie in the block's memory: offsets by name, the end of those of a
    known size, and the offset of the dynamic shared memory, which follows all others."""

    offsets: dict[str, int]
    static_bytes: int
    dynamic_offset: int


def shared_places(module: Operation) -> SharedPlaces:
    """The place of each shared variable; those of size zero are the dynamic shared memory."""
    at = 0
    offsets: dict[str, int] = {}
    dynamic: list[str] = []
    for op in top_level(module):
        if op.name != "llvm.mlir.global" or number(prop(op, "addr_space")) != SHARED:
            continue
        name = text_of(op.properties["sym_name"])
        size = size_of(prop(op, "global_type"))
        if size is None:
            raise Unsupported(f"the size of '{name}' in shared memory is not known", op)
        if size == 0:
            dynamic.append(name)
            continue
        at = round_up(at, max(16, number(prop(op, "alignment"))))
        offsets[name] = at
        at += size
    dynamic_offset = round_up(at, _TMA_SWIZZLE)
    return SharedPlaces(offsets | dict.fromkeys(dynamic, dynamic_offset), at, dynamic_offset)


def lay_out_shared(module: Operation, state: ModuleState) -> None:
    """Gives each shared variable its place in the block's memory."""
    offsets, state.static_bytes, state.dynamic_offset = shared_places(module)
    state.shared.update(offsets)
    state.kernel_shared.update(shared_of_kernels(module))


def shared_of_kernels(module: Operation) -> dict[str, int]:
    """The bytes of the shared variables that each kernel uses, by itself or in functions that it
    names. A launch is checked for those, though a block has memory for all of the module's."""
    functions = {symbol_name(op) or "": op for op in top_level(module) if op.name == "llvm.func"}
    variables = [
        op for op in top_level(module)
        if op.name == "llvm.mlir.global" and number(prop(op, "addr_space")) == SHARED
    ]  # fmt: skip
    kernels = [name for name, op in functions.items() if is_kernel(op)]
    if not variables:
        return dict.fromkeys(kernels, 0)
    named = {name: _symbols_in(op) for name, op in functions.items()}
    return {kernel: _bytes_of(variables, _closure(kernel, named)) for kernel in kernels}


def _bytes_of(variables: Sequence[Operation], names: set[str]) -> int:
    at = 0
    for op in variables:
        size = size_of(prop(op, "global_type"))
        if size and symbol_name(op) in names:  # those of size zero are the dynamic shared memory
            at = round_up(at, max(16, number(prop(op, "alignment")))) + size
    return at


def _closure(start: str, named: Mapping[str, set[str]]) -> set[str]:
    """All symbols that a function names, and those named by the functions among them."""
    found = {start}
    rest = [start]
    while rest:
        more = named.get(rest.pop(), set()) - found
        found |= more
        rest += more
    return found


def _symbols_in(function: Operation) -> set[str]:
    return {
        attr.root_reference.data
        for op in nested_operations(function)
        for attr in op.properties.values()
        if isinstance(attr, SymbolRefAttr)
    }


def round_up(value: int, to: int) -> int:
    return -(-value // to) * to


def top_level(module: Operation) -> list[Operation]:
    """The operations of a module."""
    return operations_of(module.regions[0].blocks[0])


def lower_module(module: Operation) -> ModuleState:
    """Changes a module in place. Raises `Unsupported` at an operation."""
    state = ModuleState()
    lay_out_shared(module, state)
    functions = [op for op in top_level(module) if op.name == "llvm.func"]
    state.defined = {symbol_name(f) or "" for f in functions if f.regions[0].blocks}
    for function in functions:
        if function.regions[0].blocks:
            _lower_function(function, state)
    for op in top_level(module):
        if not _stays(op, state):
            op.detach()
            op.erase()
    declare(module, state)
    return state


def _stays(op: Operation, state: ModuleState) -> bool:
    """Whether an operation of the module means something on the host."""
    if op.name == "llvm.func":
        return bool(op.regions[0].blocks)
    if op.name == "llvm.mlir.global":
        _check_initializer(op, state)
        name = symbol_name(op) or ""
        if name not in state.shared:
            state.variables.append(name)
            if is_host_variable(op):  # it has a name for others, who may write it
                op.properties["linkage"] = ods.attr_class("llvm.linkage")("external")
                if op.attributes.pop(EXPORTED, None) is None:
                    op.properties.pop("constant", None)
        return name not in state.shared
    return op.name == "llvm.mlir.alias"


def _check_initializer(op: Operation, state: ModuleState) -> None:
    for inner in nested_operations(op):
        if inner.name != "llvm.mlir.addressof":
            continue
        reference = cast("SymbolRefAttr", inner.properties["global_name"])
        if reference.root_reference.data in state.shared:
            raise Unsupported("a variable that holds the address of shared memory", op)


def _lower_function(function: Operation, module: ModuleState) -> None:
    raise_assembly(function)
    raise_atomics(function)
    if not is_block_function(function) and not is_warp_function(function):
        compute_as_ptx(function)  # vectors have been made of what computes so
    kernel = is_kernel(function)
    own = [by_value(a) for a in argument_attributes(function)]
    if kernel:
        _describe_kernel(function, module, own)
    _add_thread(function)
    state = FunctionState(function, module, kernel and not is_block_function(function))
    if not is_block_function(function) and not is_warp_function(function):
        yield_in_spins(function, state, by_thread=True)
    for at, ty in enumerate(own):
        if ty is not None:
            _copy_argument(state, at + 1, ty)
    expand_elementary(function)  # what libdevice has under names of its own
    blocks = list(function.regions[0].blocks)[1:]
    for op in [op for block in blocks for op in operations_of(block)]:
        lower_operation(op, state)

    def far(b: LLVMBuilder, name: str, x: SSAValue) -> SSAValue:
        symbol = f"{name}f" if x.type == f32 else name
        module.declared.setdefault(symbol, ((x.type,), x.type))
        return b.value("llvm.call", (x,), x.type, call_properties(symbol, (x,)))

    expand_elementary(function, far)
    if not is_block_function(function) and not is_warp_function(function):
        _forget_unrolling(function)


_UNROLL = 3  # the place of `unroll` among the parameters of a loop's annotation


def _forget_unrolling(function: Operation) -> None:
    """Takes the wish to be unrolled from loops with calls, such as barriers and what the sanitizer
    adds: they gain nothing by it, and LLVM warns of each that it leaves as it is."""
    wishes = [
        (op, annotation)
        for block in function.regions[0].blocks
        if (op := block.last_op) is not None
        and (annotation := op.properties.get("loop_annotation")) is not None
        and cast("llvm.LoopAnnotationAttr", annotation).data[_UNROLL] is not None
    ]
    if not wishes:
        return
    graph = ControlFlowGraph(function.regions[0])
    latches = {latch: loop for loop in graph.loops for latch in loop.latches}
    for op, annotation in wishes:
        assert op.parent is not None
        loop = latches.get(graph.number.get(op.parent, -1))
        if loop is None or any(
            inside.name == "llvm.call" for b in loop.blocks for inside in graph.blocks[b].ops
        ):
            data = list(cast("llvm.LoopAnnotationAttr", annotation).data)
            data[_UNROLL] = None
            op.properties["loop_annotation"] = ods.attr_class("llvm.loop_annotation")(*data)


def lower_operation(op: Operation, state: FunctionState) -> None:
    """Puts what stands for `op` in its place."""
    b = Code(state, op)
    found = lower(op, b)
    if found is None:
        return
    for old, new in zip(op.results, found, strict=True):
        if old.first_use is not None:
            assert new is not None
            old.replace_all_uses_with(_as_type(b, new, old.type))
    erase_operation(op)


def _as_type(b: Code, value: SSAValue, ty: Attribute) -> SSAValue:
    """What a rule built as the type that the operation has."""
    have = value.type
    if have == ty:
        return value
    if ty.name == have.name == "llvm.ptr":
        return b.cast("addrspacecast", value, ty)
    if have.name == "llvm.struct":  # elect: the lane, and whether it is this one
        return b.member(value, 1)
    if have.name == "integer_type" and ty.name == "integer_type":
        return b.cast(
            "trunc"
            if cast("IntegerType", have).width.data > cast("IntegerType", ty).width.data
            else "zext",
            value,
            ty,
        )
    return b.cast("bitcast", value, ty)


#: A constant that objects for sizes of blocks share.
EXPORTED = "host.exported"


def is_variable(op: Operation) -> bool:
    """Whether an operation is a variable in global memory that a kernel may change, or one in
    constant memory that the host may, or an exported constant. It is there once, in the code for
    threads; an object for a size of blocks only declares it."""
    if op.name != "llvm.mlir.global" or number(prop(op, "addr_space")) == SHARED:
        return False
    return not _is_constant(op) or EXPORTED in op.attributes


def _is_constant(op: Operation) -> bool:
    """Whether an operation is a variable whose value is known."""
    is_global = op.name == "llvm.mlir.global" and number(prop(op, "addr_space")) != SHARED
    return is_global and flag(op, "constant") and not flag(op, "externally_initialized")


def export_constants(module: Operation) -> dict[str, int]:
    """Let constants of a module be there once, at an address that is known; the bytes of each, by
    its name."""
    before = host_variables(module)
    for op in top_level(module):
        if _is_constant(op) and _is_defined(op):
            op.attributes[EXPORTED] = UnitAttr()
    return {name: size for name, size in host_variables(module).items() if name not in before}


#: What a variable of another object does not have: a value, and a place that is known.
_OF_A_DEFINITION = ("value", "constant", "externally_initialized", "dso_local", "unnamed_addr")


def declaration(op: Operation) -> Operation:
    """A variable that is in the code for threads."""
    properties = {k: v for k, v in op.properties.items() if k not in _OF_A_DEFINITION}
    properties["linkage"] = ods.attr_class("llvm.linkage")("external")
    return ods.create("llvm.mlir.global", (), (), properties, regions=[Region()])


def is_host_variable(op: Operation) -> bool:
    """Whether an operation is a variable that the host can use: the module defines it."""
    return is_variable(op) and _is_defined(op)


def _is_defined(op: Operation) -> bool:
    return "value" in op.properties or bool(op.regions[0].blocks)


def is_divisible(module: Operation) -> bool:
    """Whether code of each kernel of a gpu.module can be made by itself: they share no
    variables."""
    tops = list(module.regions[0].blocks[0].ops)
    is_free = all(
        op.name != "llvm.mlir.global" or number(prop(op, "addr_space")) == SHARED for op in tops
    )
    return is_free and sum(op.name == "llvm.func" and bool(op.regions[0].blocks) for op in tops) > 1


_WORKSPACE = "envreg1"
#: Where a function says by which register it reads the workspace's address: the property.
_READS = {
    "llvm.call_intrinsic": "intrin",
    "llvm.inline_asm": "asm_string",
    "nvvm.inline_ptx": "ptxCode",
}


def uses_workspace(module: Operation) -> bool:
    """Whether a function of a gpu.module may ask for the workspace of its grid."""
    for op in nested_operations(module):
        if op.name == f"nvvm.read.ptx.sreg.{_WORKSPACE}":
            return True
        if op.name in _READS and _WORKSPACE in str(op.properties[_READS[op.name]]):
            return True
        if op.name == "llvm.func" and symbol_name(op) == f"llvm.nvvm.read.ptx.sreg.{_WORKSPACE}":
            return True
    return False


def host_variables(module: Operation) -> dict[str, int]:
    """The bytes of each variable that the host can use, by its name."""
    found: dict[str, int] = {}
    for op in top_level(module):
        size = size_of(prop(op, "global_type")) if is_host_variable(op) else None
        if size is not None:
            found[symbol_name(op) or ""] = size
    return found


def _describe_kernel(function: Operation, module: ModuleState, own: list[Attribute | None]) -> None:
    """Writes down what a launch must know of a kernel."""
    sizes = parameter_sizes(function)
    attributes = function.attributes
    for name in [n for n in attributes if not n.startswith("host.")]:
        del attributes[name]
    attributes[PARAMETERS] = ArrayAttr([IntegerAttr(n, i64) for n in sizes])
    shared = module.kernel_shared[text_of(function.properties["sym_name"])]
    attributes[STATIC_SHARED] = IntegerAttr(shared, i64)
    ways = [IN_MEMORY if ty is not None else 0 for ty in own]
    words = attributes.pop(BOUNDS_WORDS, None)
    if words is not None:
        bounds = [BOUNDS + word for word in integers(words)]
        ways[len(ways) - len(bounds) :] = bounds
    attributes[BY_VALUE] = ArrayAttr([IntegerAttr(way, i64) for way in ways])


#: Properties of a function that mean the same on another machine.
_KEPT = ("sym_name", "linkage", "dso_local")


def _add_thread(function: Operation) -> None:
    """Gives a function the thread's record as its first argument, and a block before its first."""
    region: Region = function.regions[0]
    body = region.blocks[0]
    ty = cast("LLVMFunctionType", function.properties["function_type"])
    prologue = Block(arg_types=[POINTER, *(a.type for a in body.args)])
    region.insert_block_before(prologue, body)
    for old, new in zip(body.args, prologue.args[1:], strict=True):
        new.location = old.location
        old.replace_all_uses_with(new)
    for argument in reversed(body.args):
        body.erase_arg(argument)
    prologue.add_op(ods.create("llvm.br", (), (), successors=(body,), location=function.location))
    properties = {k: v for k, v in function.properties.items() if k in _KEPT}
    properties["function_type"] = LLVMFunctionType((POINTER, *ty.arguments), ty.result)
    function.properties.clear()
    function.properties.update(properties)


def _copy_argument(state: FunctionState, at: int, ty: Attribute) -> None:
    """An argument by value is the function's own; it may write to it."""
    argument = state.prologue.args[at]
    b = Code(state, state.end)
    place = b.memory(size_of(ty) or 0)
    argument.replace_all_uses_with(_as_type(b, place, argument.type))
    b.copy(place, argument, size_of(ty) or 0)


def declare(module: Operation, state: ModuleState) -> None:
    """Declares the functions of the device that are called, those that are not yet."""
    block = module.regions[0].blocks[0]
    first = block.first_op
    for name, (arguments, result) in sorted(state.declared.items()):
        if name in state.placed:
            continue
        state.placed.add(name)
        ty = LLVMFunctionType(arguments, LLVMVoidType() if result is None else result)
        properties = {**function_attributes(name, ty), **_never_returns(name)}
        function = ods.create(
            "llvm.func", (), (), properties, regions=[Region()], location=module.location
        )
        if first is None:
            block.add_op(function)
        else:
            block.insert_op_before(function, first)


def _never_returns(name: str) -> dict[str, Attribute]:
    """Attributes of the function that ends a kernel which leaves an array: how it is done
    does not matter to what kernels have in memory."""
    if name != BOUNDS_FAILED:
        return {}
    words = [StringAttr(word) for word in ("cold", "noreturn", "nounwind")]
    return {"passthrough": ArrayAttr(words)}


def declare_called(module: Operation) -> None:
    """Declares the functions that are called and that the module lacks."""
    state = ModuleState()
    state.placed = {symbol_name(op) or "" for op in top_level(module)}
    for op in nested_operations(module):
        name = callee(op) if op.name == "llvm.call" else None
        if name is not None:
            result = op.results[0].type if op.results else None
            state.declared.setdefault(name, (tuple(o.type for o in op.operands), result))
    declare(module, state)


# -- A kernel's parameters, as cuLaunchKernel passes them: an array of pointers to values.


def load_parameters(
    b: Code | Builder, block: SSAValue, types: Sequence[Attribute], ways: Sequence[int]
) -> list[SSAValue]:
    """Reads the parameters of the launch of `block`; `b` is a `Code` or a `Builder`."""

    def field(base: SSAValue, record: str, name: str) -> SSAValue:
        return b.load(b.address(base, offset(record, name)), POINTER)

    params = field(field(block, "Block", "launch"), "Launch", "params")
    found: list[SSAValue] = []
    bounds: SSAValue | None = None
    for at, (ty, way) in enumerate(zip(types, ways, strict=True)):
        if way >= BOUNDS:
            if bounds is None:
                bounds = b.load(b.address(params, 8 * at), POINTER)
            found.append(b.load(b.address(bounds, 8 * (way - BOUNDS)), ty))
            continue
        place = b.load(b.address(params, 8 * at), POINTER)
        found.append(place if way == IN_MEMORY else b.load(place, ty))
    return found
