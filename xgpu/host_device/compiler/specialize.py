# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Code for a kernel and one size of its blocks, made when it is first launched so.

An object for the host carries its kernel module, as text for other processes than the one that
compiled it (`objects`). From it comes, for each size of a block, the strategy that `strategies`
chooses, or code for the whole module in which each thread is by itself."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import StringAttr, SymbolRefAttr, i32
from xdsl.ir import Block, Operation, Region, SSAValue

from xgpu.backend.llvm_ir.facts import number, prop, text_of
from xgpu.core import ods
from xgpu.core.ir.construction import clone_operation, nested_operations
from xgpu.core.ir.locations import source_location
from xgpu.core.ir.symbols import symbol_name
from xgpu.core.support.process import rare_collections
from xgpu.core.syntax import parse_module
from xgpu.dialects.llvm.builders import function_attributes
from xgpu.dialects.llvm.types import LLVMFunctionType, LLVMVoidType
from xgpu.host_device.compiler.bounds_checks import Checks
from xgpu.host_device.compiler.code import NoRegions
from xgpu.host_device.compiler.counting import count_in_functions, gathers_of, mark_module
from xgpu.host_device.compiler.functions import STRATEGY
from xgpu.host_device.compiler.objects import CompiledModule, Specialized, Why
from xgpu.host_device.compiler.strategies import (
    BLOCK_LOOPS,
    CONSTANT,
    THREADS,
    VECTOR_STRATEGIES,
    SlowerError,
    block_function,
    is_independent,
    warp_function,
)
from xgpu.host_device.compiler.threads.runtime_calls import (
    EXPORTED,
    declaration,
    host_variables,
    is_variable,
)
from xgpu.host_device.compiler.vectors.vector_code import SET_THREAD

if TYPE_CHECKING:
    from collections.abc import Sequence

    from xdsl.dialects.builtin import IntegerAttr

    from xgpu.host_device.compiler.counting import BlockWork, Gather
    from xgpu.host_device.compiler.vectors.block_loops import Screen

#: The environment variable that has defects raised.
DEFECTS = "XGPU_HOST_DEFECTS"


# -- With which sizes of blocks a program launches its kernels, where they are constants.
#
# Code for these sizes is made when the program's modules are loaded, not when a launch waits for
# it. A hint: a size that is not found here costs time at the first launch, nothing else.


_LAUNCHES = {"mgpuLaunchKernel": 4, "mgpuLaunchClusterKernel": 7}


def block_sizes(program: Operation) -> dict[tuple[str, str], list[tuple[int, int, int]]]:
    """(module, kernel) -> sizes, from the launches that are calls of the runtime's functions."""
    kernels: dict[str, tuple[str, str]] = {}
    found: dict[tuple[str, str], list[tuple[int, int, int]]] = {}
    everything = nested_operations(program)
    for op in everything:
        if op.name == "llvm.mlir.global" and "mgpu.kernel" in op.attributes:
            reference = cast("SymbolRefAttr", op.attributes["mgpu.kernel"])
            path = (reference.root_reference.data, reference.nested_references.data[0].data)
            kernels[text_of(op.properties["sym_name"])] = path
    for op in everything:
        if op.name != "llvm.call":
            continue
        callee = cast("SymbolRefAttr | None", op.properties.get("callee"))
        first = _LAUNCHES.get(callee.root_reference.data) if callee is not None else None
        if first is None:
            continue
        kernel = kernels.get(_global(op.operands[0]) or "")
        size = [_constant(v) for v in op.operands[first : first + 3]]
        if kernel is not None and None not in size:
            sizes = found.setdefault(kernel, [])
            if tuple(size) not in sizes:
                sizes.append(tuple(size))  # type: ignore[arg-type]
    return found


def _definition(value: SSAValue) -> Operation | None:
    """What defines a value, behind casts that await their partner."""
    owner = value.owner
    while not isinstance(owner, Block) and owner.name == "builtin.unrealized_conversion_cast":
        owner = owner.operands[0].owner
    return None if isinstance(owner, Block) else owner


def _global(function: SSAValue) -> str | None:
    """The global that holds a kernel, of the value that a launch is given."""
    load = _definition(function)
    if load is None or load.name != "llvm.load":
        return None
    address = _definition(load.operands[0])
    if address is None or address.name != "llvm.mlir.addressof":
        return None
    return cast("SymbolRefAttr", address.properties["global_name"]).root_reference.data


def _constant(value: SSAValue) -> int | None:
    op = _definition(value)
    if op is None or op.name not in ("llvm.mlir.constant", "arith.constant"):
        return None
    number = op.properties["value"]
    return cast("IntegerAttr", number).value.data if hasattr(number, "value") else None


Dims = tuple[int, int, int]

_OPT_LEVEL = 2


class KernelSource:
    """A kernel module that has been lowered to the llvm and nvvm dialects. `has_bounds`: its code
    checks that kernels stay in the arrays that they get. `compiled` is the module where this
    process has it; else it is read from the text."""

    def __init__(
        self, text: str, has_bounds: bool = False, compiled: CompiledModule | None = None
    ) -> None:
        self.text = text
        self.has_bounds = has_bounds
        self._module = compiled.operation if compiled is not None else None
        self._is_shared = compiled is not None
        #: What a thread does at each mark, where kernels count what they do (`counting`).
        self.work: list[BlockWork] = []

    @property
    def module(self) -> Operation:
        """The gpu.module, which is not to be changed."""
        if self._module is None:
            self._module = parse_module(self.text).regions[0].blocks[0].first_op
        return cast("Operation", self._module)

    def changeable_module(self) -> Operation:
        """The gpu.module, to be changed: this source's own."""
        module = self.module
        if self._is_shared:
            module = self._module = clone_operation(module)
            self._is_shared = False
        return module

    def kernel(self, name: str) -> Operation | None:
        for op in self.module.regions[0].blocks[0].ops:
            if op.name == "llvm.func" and op.properties["sym_name"].data == name:  # type: ignore[attr-defined]
                return op
        return None

    def part(self, kernel: str) -> KernelSource:
        """A source of one kernel of a module, and of what it uses."""
        tops = {symbol_name(op): op for op in self.module.regions[0].blocks[0].ops}
        used: set[str] = set()
        pending = [kernel]
        while pending:
            name = pending.pop()
            if name in tops and name not in used:
                used.add(name)
                pending += _named(tops[name])
        new = Region(Block())
        for name, op in tops.items():
            if op.name != "llvm.func" or not op.regions[0].blocks or name in used:
                new.blocks[0].add_op(op.clone())
        module = self.module
        found = KernelSource(self.text, self.has_bounds)
        found._module = ods.create(
            "gpu.module", (), (), dict(module.properties), dict(module.attributes), [new],
            location=module.location,
        )  # fmt: skip
        return found

    @rare_collections()
    def threads(self, opt_level: int) -> tuple[bytes, list[str], set[str], Checks]:
        """Object code in which each thread is by itself, the symbols that it needs, which kernels
        are coroutines, and its checks of bounds."""
        from xgpu.host_device.compiler.compiler import thread_code

        checks = self._checks()
        code, state = thread_code(self.module, opt_level, checks, counts=bool(self.work))
        return code, sorted(state.declared), state.suspending, checks or []

    def count(self) -> None:
        """Lets kernels count what they do, from here on: see `work`."""
        self.work = mark_module(self.changeable_module())

    def _gathers(self, module: Operation) -> list[Gather]:
        """The gathers and scatters of the kernel in a module that is made for it."""
        if not self.work:
            return []
        return [g for op in module.regions[0].blocks[0].ops for g in gathers_of(op)]

    def _checks(self) -> Checks | None:
        return [] if self.has_bounds else None

    def specialized_ir(
        self,
        strategy: str,
        kernel: str,
        block: Dims,
        is_small: bool = True,
        screen: Screen | None = None,
        checks: Checks | None = None,
        is_free: bool = False,
    ) -> Operation:
        """A module in which the kernel has a strategy of vectors; with `screen`, loops of the block
        with checks for the sanitizer; with `checks`, which learn of the accesses, their bounds
        are checked. Raises `NoRegions`, if the kernel `is_free` to have another strategy also where
        that is faster."""
        function = self.kernel(kernel)
        assert function is not None
        if strategy == BLOCK_LOOPS:
            body = block_function(function, block, is_small, screen, checks, is_free)
        else:
            body = warp_function(function, block, is_small, checks)
        body.attributes[STRATEGY] = StringAttr(strategy)
        new = Region(Block())
        module = self.module
        rest = [
            op for op in module.regions[0].blocks[0].ops
            if op.name != "llvm.func" or not op.regions[0].blocks
        ]  # fmt: skip
        rest = _without_tables_of_functions(module, body, rest)
        used = named_variables([body, *(op for op in rest if not is_variable(op))])
        for op in rest:
            if not is_variable(op):
                new.blocks[0].add_op(op.clone())
            elif text_of(op.properties["sym_name"]) in used:
                stays = EXPORTED in op.attributes or number(prop(op, "addr_space")) == CONSTANT
                if screen is not None and not stays:
                    # A launch that is run again finds other values there.
                    raise NoRegions("it uses variables in global memory", op)
                new.blocks[0].add_op(declaration(op))
        new.blocks[0].add_op(_set_thread())
        new.blocks[0].add_op(body)
        attributes = dict(module.attributes)
        properties = {k: v for k, v in module.properties.items() if k != "targets"}
        return ods.create(
            "gpu.module", (), (), properties, attributes, [new], location=module.location
        )

    def _compiled(self, module: Operation, opt_level: int) -> tuple[bytes, list[str]]:
        """(object code, symbols that it needs: functions and variables) of a module with a kernel
        that has a strategy of vectors; the module is used up. What is only declared in the source
        as well (clang's `threadIdx`, whose address no code has in the end) is none of them."""
        from xgpu.host_device.compiler.compiler import host_code, to_threads

        variables = host_variables(self.module).keys() & named_variables([module])
        state = to_threads(module)
        if self.work:
            count_in_functions(module)
        return host_code(module, opt_level), sorted({*state.declared, *variables})

    @rare_collections()
    def screened(self, kernel: str, block: Dims, is_small: bool, screen: Screen) -> Specialized:
        """Code that screens launches of the kernel (`block_loops.Screen`), or why there is none."""
        try:
            module = self.specialized_ir(BLOCK_LOOPS, kernel, block, is_small, screen)
            code, symbols = self._compiled(module, _OPT_LEVEL)
            return Specialized(BLOCK_LOOPS, [], code, symbols, outline=screen.outline)
        except NoRegions as why:
            return Specialized(THREADS, [Why(BLOCK_LOOPS, str(why), location_text(why.at))])
        except Exception as defect:
            return Specialized(THREADS, [_defect(BLOCK_LOOPS, defect)])

    def _waits_for_nobody(self, kernel: str) -> bool:
        try:
            return is_independent(self.kernel(kernel))
        except NoRegions:
            return False

    @rare_collections()
    def compile(
        self,
        kernel: str,
        block: Dims,
        opt_level: int = 2,
        is_small: bool = True,
        strategy: str = "auto",
    ) -> tuple[Specialized, bool]:
        """What the kernel gets, and whether that is for a defect: one of the passes costs the
        kernel its strategy, not the program its result. The reason says that there is one.
        """
        reasons: list[Why] = []
        is_defect = False
        if strategy == "auto" and block == (1, 1, 1) and self._waits_for_nobody(kernel):
            # Vectors would compute as many lanes, and take LLVM several times as long.
            why = Why(BLOCK_LOOPS, "a block is one thread", None)
            return Specialized(THREADS, [why], is_independent=True), False
        for tried in VECTOR_STRATEGIES if strategy == "auto" else (strategy,):
            checks = self._checks()
            try:
                module = self.specialized_ir(
                    tried, kernel, block, is_small, checks=checks, is_free=strategy == "auto"
                )
                gathers = self._gathers(module)
                code, symbols = self._compiled(module, opt_level)
                alone = tried == BLOCK_LOOPS and is_independent(self.kernel(kernel))
                made = Specialized(tried, reasons, code, symbols, alone, checks, gathers)
                return made, False
            except NoRegions as why:
                reasons.append(Why(tried, str(why), location_text(why.at)))
                if isinstance(why, SlowerError):
                    break
            except Exception as defect:
                reasons.append(_defect(tried, defect))
                is_defect = True
        return Specialized(THREADS, reasons), is_defect


def _defect(strategy: str, problem: Exception) -> Why:
    """Why a kernel does not get a strategy whose passes have a defect: that costs time, not the
    result. Tests have the defect raised, or they would pass in spite of it."""
    if os.environ.get(DEFECTS) == "raise":
        raise problem
    text = f"internal error: {type(problem).__name__}: {str(problem)[:200]}"
    return Why(strategy, text, None)


def location_text(op: Operation | None) -> str | None:
    """The location of an operation in its source, if that is known."""
    found = source_location(op.location) if op is not None else None
    return None if found is None else f"{found[0]}:{found[1]}:{found[2]}"


def _without_tables_of_functions(
    module: Operation, body: Operation, rest: list[Operation]
) -> list[Operation]:
    """What a module with one kernel has beside it: constants with addresses of functions, which it
    lacks, are left out. Raises `NoRegions` where the kernel uses one."""
    gone = {
        text_of(op.properties["sym_name"]) for op in module.regions[0].blocks[0].ops
        if op.name == "llvm.func" and op.regions[0].blocks
    }  # fmt: skip
    constants = [op for op in rest if op.name == "llvm.mlir.global" and not is_variable(op)]
    tables: list[Operation] = []
    while found := [op for op in constants if op not in tables and named_variables([op]) & gone]:
        tables += found
        gone |= {text_of(op.properties["sym_name"]) for op in found}
    names = named_variables([body])
    for op in tables:
        if text_of(op.properties["sym_name"]) in names:
            raise NoRegions("it uses a table of functions", op)
    return [op for op in rest if op not in tables]


def named_variables(operations: Sequence[Operation]) -> set[str]:
    """The variables and functions whose address is taken in operations."""
    return {
        cast("SymbolRefAttr", op.properties["global_name"]).root_reference.data
        for around in operations
        for op in nested_operations(around)
        if op.name == "llvm.mlir.addressof"
    }


def _named(function: Operation) -> list[str]:
    """The symbols that operations of a function name."""
    return [
        attribute.root_reference.data
        for op in nested_operations(function)
        for attribute in op.properties.values()
        if isinstance(attribute, SymbolRefAttr)
    ]


def _set_thread() -> Operation:
    ty = LLVMFunctionType([i32] * 4, LLVMVoidType())
    return ods.create("llvm.func", (), (), function_attributes(SET_THREAD, ty), regions=[Region()])
