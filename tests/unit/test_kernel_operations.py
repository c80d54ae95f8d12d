# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What each operation of a kernel means for threads, and the sets of names that follow from it.

Passes know some operations by name: those that tell threads apart, those that a whole block does
together, those of a warp. A new operation of the gpu, nvgpu or nvvm dialect has to get a line of
`SCOPES` here, and so has one of a dialect of this project. Then the sets that it belongs to fail
until they have it.
"""

from __future__ import annotations

import re
from typing import cast

import pytest
from xdsl.ir import Operation

from xgpu.analysis import convergence
from xgpu.analysis.memory import depends_on_thread
from xgpu.conversion.gpu import functions_to_nvvm, gpu_to_nvvm
from xgpu.core.ods.operation import OdsOperation
from xgpu.core.ods.table_files import own_dialects
from xgpu.core.syntax import parse_module
from xgpu.frontend.ptx import fidelity
from xgpu.host_device.compiler import operations
from xgpu.kernels.circular.specialized import needs_whole_block
from xgpu.transforms.gpu import rewrites
from xgpu.universe import get_all_dialects

REGISTER = "nvvm.read.ptx.sreg."

#: What an operation tells, or who does it together. Each operation has one line.
SCOPES = {
    # -- values
    "which thread": r"gpu\.(thread_id|lane_id|subgroup_id)"
    r"|nvvm\.read\.ptx\.sreg\.(tid\.[xyz]|laneid|lanemask\.\w+)|nvvm\.elect\.sync",
    "which thread, by the block's size": r"gpu\.global_id",
    "which warp, by the machine": r"nvvm\.read\.ptx\.sreg\.warpid",
    "time": r"nvvm\.read\.ptx\.sreg\.(clock(64)?|globaltimer(\.lo)?)",
    "the block's size": r"gpu\.(block_dim|num_subgroups)|nvvm\.read\.ptx\.sreg\.ntid\.[xyz]",
    "the block's size, by the machine": r"nvvm\.read\.ptx\.sreg\.nwarpid",
    "of the block": r"gpu\.(block_id|cluster_\w+|grid_dim|subgroup_size|dynamic_shared_memory)"
    r"|nvvm\.read\.ptx\.sreg\.(n?ctaid\.[xyz]|cluster\.\w+(\.[xyz])?|n?clusterid\.[xyz]"
    r"|warpsize|envreg\d+|(aggr|dynamic|total)\.smem\.size)",
    "of the block, by the machine": r"nvvm\.read\.ptx\.sreg\.(n?smid|gridid)",
    # -- who does it together
    "block": r"gpu\.(all_reduce|barrier)|nvvm\.(barrier0|barrier(\.arrive)?)",
    "cluster": r"nvvm\.cluster\.(arrive(\.relaxed)?|wait)",
    "warp, as vectors": r"nvvm\.((shfl|vote|match|redux)\.sync|bar\.warp\.sync)",
    "warp": r"gpu\.(shuffle|rotate|subgroup_(reduce|broadcast|mma_\w+)|warp_execute_on_lane_0)"
    r"|nvvm\.(w?mma\..*|ldmatrix|stmatrix|setmaxregister)"
    r"|nvvm\.tcgen05\.(alloc|dealloc|relinquish_alloc_permit|ld|st|wait)"
    r"|nvgpu\.(mma\..*|ldmatrix)",
    "warpgroup": r"nvvm\.wgmma\..*|nvgpu\.warpgroup\..*",
    "thread": r"gpu\.printf|nvvm\.(breakpoint|clusterlaunchcontrol\..*|convert\..*|cp\.async\..*"
    r"|dot\.accumulate\..*|exit|fence\..*|griddepcontrol|inline_ptx|mapa|mbarrier\..*"
    r"|memory\.barrier|nanosleep|pmevent|prefetch|prmt|rcp\..*|st\.bulk)"
    r"|nvvm\.tcgen05\.(commit|cp|fence|mma.*|shift)"
    r"|nvgpu\.(device_async_\w+|mbarrier\..*|rcp|tma\..*)",
    # -- not of a thread
    "structure": r"gpu\.(binary|func|launch|launch_func|module|return|terminator|yield)",
    "host": r"gpu\.(alloc|dealloc|host_(un)?register|memcpy|memset|set_default_device|wait)"
    r"|gpu\.(create_\w+|destroy_\w+|set_csr_pointers|sddmm\w*|spgemm_\w+|spmat_\w+|sp[mv]\w+)"
    r"|mgpu\..*",
}
DIFFERING = (
    "which thread",
    "which thread, by the block's size",
    "which warp, by the machine",
    "time",
)
#: Specialization replaces these, or looks at how many threads they count.
REPLACED = {"gpu.barrier", "gpu.block_dim", "nvvm.barrier.arrive", "nvvm.cluster.wait"}


def kernel_operations() -> list[str]:
    found: list[str] = []
    for dialect in ("gpu", "nvgpu", "nvvm", *own_dialects()):
        found += (operation.name for operation in get_all_dialects()[dialect]().operations)
    return found


def scopes_of(name: str) -> list[str]:
    return [scope for scope, pattern in SCOPES.items() if re.fullmatch(pattern, name)]


def named(*scopes: str) -> set[str]:
    return {name for name in kernel_operations() if set(scopes_of(name)) & set(scopes)}


def operation(name: str) -> Operation:
    """An operation without operands; it does not verify."""
    properties = {
        "nvvm.barrier": " <{operandSegmentSizes = array<i32: 0, 0, 0>}>",
        "nvvm.inline_ptx": ' <{ptxCode = "", operandSegmentSizes = array<i32: 0, 0, 0>}>',
    }.get(name, "")
    module = parse_module(f'%0 = "{name}"(){properties} : () -> i32')
    (op,) = (op for op in module.walk() if op.name == name)
    return op


def test_each_operation_has_one_line() -> None:
    lines = {name: scopes_of(name) for name in kernel_operations()}
    assert {name: found for name, found in lines.items() if len(found) != 1} == {}, (
        "each operation of a kernel has one line of `SCOPES`: docs/howto/add-an-operation.md"
    )


@pytest.mark.parametrize("scope", [s for s in SCOPES if s not in ("structure", "host")])
def test_thread_ids(scope: str) -> None:
    """`THREAD_IDS` and the prefixes beside it, `xgpu.analysis.memory`."""
    differs = {n for n in named(scope) if depends_on_thread(operation(n).results[0]) is not None}
    assert differs == (named(scope) if scope in DIFFERING else set())


#: Operations that MLIR's patterns expand before a conversion, and those that it does not lower.
EXPANDED = {"gpu.all_reduce", "gpu.warp_execute_on_lane_0"}
NOT_LOWERED = {
    *("gpu.num_subgroups", "gpu.rotate", "gpu.subgroup_broadcast", "gpu.subgroup_size"),
    *("gpu.subgroup_mma_extract_thread_local", "gpu.subgroup_mma_insert_thread_local"),
}


def test_operations_of_kernels_have_a_lowering() -> None:
    """In a table of `xgpu.conversion.gpu`, or of the patterns that go before it."""
    tables = (
        gpu_to_nvvm.device_rules(), gpu_to_nvvm.WMMA_RULES, functions_to_nvvm.REDUX_RULES,
        rewrites.PATTERNS, rewrites.SUBGROUP_ID_PATTERNS,
    )  # fmt: skip
    lowered = {name for table in tables for name in table}
    inside = set(kernel_operations()) - named("structure", "host")
    ours = {name for name in inside if not name.startswith(("nvvm.", "nvgpu."))}
    assert ours - lowered == EXPANDED | NOT_LOWERED, "docs/howto/add-an-operation.md, step 3"


def test_the_whole_block() -> None:
    """`_WHOLE_BLOCK`, `xgpu.kernels.circular.specialized`."""
    expected = named(
        "block", "cluster", "the block's size", "the block's size, by the machine",
        "which thread, by the block's size",
    ) - REPLACED  # fmt: skip
    tested = set(kernel_operations()) - named("structure", "host")
    assert {name for name in tested if needs_whole_block(operation(name))} == expected


@pytest.mark.parametrize(
    ("text", "needs"),
    [
        ('"func.call"() {callee = @f} : () -> ()', True),
        ('"llvm.call"() {callee = @f} : () -> ()', True),
        ('nvvm.inline_ptx "bar.sync 0;"', True),
        ('nvvm.inline_ptx "barrier.cta.red.popc.u32 %r1, 0, %p;"', True),
        ('nvvm.inline_ptx "mov.u32 %r1, %ntid.x;"', True),
        ('nvvm.inline_ptx "call f;"', True),
        ('nvvm.inline_ptx "bar.warp.sync -1; mbarrier.arrive.b64 _, [%call];"', False),
        ('llvm.inline_asm has_side_effects "barrier.sync 0;", "" : () -> ()', True),
        ('llvm.inline_asm has_side_effects "membar.cta;", "" : () -> ()', False),
        ("%n = llvm.mlir.constant(64 : i32) : i32\nnvvm.barrier number_of_threads = %n", False),
        ("%n = llvm.mlir.constant(1 : i32) : i32\nnvvm.barrier id = %n", True),
    ],
)
def test_calls_assembly_and_counts(text: str, needs: bool) -> None:
    last = list(parse_module(text).walk())[-1]
    assert needs_whole_block(last) is needs


def test_results_of_the_block() -> None:
    """`_OF_THE_BLOCK`, `xgpu.analysis.convergence`. An nvvm.barrier may be of some warps only."""
    definitions = {
        op.name: cast("type[OdsOperation]", op).get_irdl_definition()
        for op in get_all_dialects()["gpu"]().operations
    }
    giving = {name for name, found in definitions.items() if found.results and found.operands}
    assert giving & named("block") == convergence._OF_THE_BLOCK


def test_a_warp_as_vectors() -> None:
    """`WARP`, `xgpu.host_device.compiler.operations`."""
    assert named("warp, as vectors") | {"nvvm.elect.sync"} == operations.WARP
    shown = {n for n in kernel_operations() if operations.is_warp_operation(operation(n))}
    own = {n for n in named("which thread") if n.startswith(REGISTER) and ".tid." not in n}
    machine = named("which warp, by the machine", "the block's size, by the machine")
    assert shown == operations.WARP | own | machine


def test_clocks_and_registers_of_the_machine() -> None:
    """`CLOCKS`, `xgpu.host_device.compiler.operations`; `_OF_MACHINE`, `xgpu.frontend.ptx`."""
    registers = {n.removeprefix(REGISTER) for n in kernel_operations() if n.startswith(REGISTER)}
    clocks = {n.removeprefix(REGISTER) for n in named("time")}
    assert {n for n in registers if operations.is_clock(n)} == clocks
    by_machine = [scope for scope in SCOPES if scope.endswith("by the machine")]
    machine = {n.removeprefix(REGISTER) for n in named("time", *by_machine)}
    assert {n for n in registers if f"%{n}".startswith(fidelity._OF_MACHINE)} == machine


def test_an_elected_thread_differs() -> None:
    module = parse_module(
        "%m = llvm.mlir.constant(-1 : i32) : i32\n%0 = nvvm.elect.sync %m -> i1", "elect.mlir"
    )
    last = list(module.walk())[-1]
    assert depends_on_thread(last.results[0]) is last
