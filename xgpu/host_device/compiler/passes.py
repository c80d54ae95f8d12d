# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The steps from a kernel to host code as passes on the llvm and nvvm dialects.

    host-raise-assembly   makes operations of the llvm and nvvm dialects of inline PTX
    host-raise-intrinsics   makes operations of the nvvm dialect of calls of intrinsics
    host-lane-calls   makes calls of the device's runtime of what is not executed as vectors
    host-prepare      control flow and values in the form that the analyses expect
    host-uniformity   writes down how each value differs among threads
    host-regions      writes down which region between barriers each block belongs to
    host-vectorize    kernels become functions that run a whole block
    host-warps        kernels become functions that run a warp

The size of a block comes from the option `block`, else from the kernel's `nvvm.reqntid` or
`gpu.known_block_size`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import ArrayAttr, IntegerAttr, StringAttr, i32

from xgpu.backend.llvm_ir.facts import integers
from xgpu.core.ir.construction import nested_operations
from xgpu.core.ir.errors import error
from xgpu.core.passes.base import Option, Pass
from xgpu.host_device.compiler.code import NoRegions, Unsupported
from xgpu.host_device.compiler.ptx.raise_assembly import raise_assembly
from xgpu.host_device.compiler.raise_intrinsics import raise_intrinsics
from xgpu.host_device.compiler.threads.runtime_calls import declare_called
from xgpu.host_device.compiler.vectors.live_across_barriers import LiveAcrossBarriers, find_segments
from xgpu.host_device.compiler.vectors.shapes import BLOCK, LEVEL_NAMES
from xgpu.host_device.compiler.vectors.uniformity import Uniformity

if TYPE_CHECKING:
    from collections.abc import Sequence

    from xdsl.context import Context
    from xdsl.ir import Operation

Dims = tuple[int, int, int]

_BLOCK = Option("block", list, (), "The size of a block: one to three numbers.")


def kernels_in(op: Operation) -> list[Operation]:
    """The kernels in `op`, and `op` itself if it is one."""
    return [
        f for f in (op, *nested_operations(op))
        if f.name == "llvm.func" and f.regions[0].blocks
        and ("nvvm.kernel" in f.attributes or "gpu.kernel" in f.attributes)
    ]  # fmt: skip


def block_size(kernel: Operation, given: Sequence[str]) -> Dims:
    """The size of a kernel's blocks. Raises `DiagnosticError` if it is not known."""
    if given:
        if len(given) > 3 or not all(n.isdecimal() and 0 < int(n) <= 1024 for n in given):
            raise error(kernel, f"expected one to three sizes of a block, but found {given}")
        sizes = [int(n) for n in given]
    else:
        attr = kernel.attributes.get("nvvm.reqntid") or kernel.attributes.get(
            "gpu.known_block_size"
        )
        if attr is None:
            raise error(kernel, "the size of the kernel's blocks is not known: give the option "
                                "'block'")  # fmt: skip
        sizes = [int(n) for n in integers(attr)]
    x, y, z = (*sizes, 1, 1)[:3]
    return x, y, z


class HostRaiseIntrinsics(Pass):
    """See `raise_intrinsics`."""

    name = "host-raise-intrinsics"
    summary = "Make operations of the nvvm dialect of calls of NVVM's intrinsics in kernels"

    def run(self, op: Operation, ctx: Context) -> None:
        for kernel in kernels_in(op):
            raise_intrinsics(kernel)


class HostRaiseAssembly(Pass):
    """See `raise_assembly`."""

    name = "host-raise-assembly"
    summary = "Make operations of the llvm and nvvm dialects of inline PTX in kernels"

    def run(self, op: Operation, ctx: Context) -> None:
        for kernel in kernels_in(op):
            try:
                raise_assembly(kernel)
            except Unsupported as reason:
                raise error(reason.at or kernel, str(reason)) from None


class HostLaneCalls(Pass):
    """See `lane_calls`."""

    name = "host-lane-calls"
    summary = "Make calls of the host device's runtime of what vectors of threads cannot do"

    def run(self, op: Operation, ctx: Context) -> None:
        from xgpu.host_device.compiler.vectors.lane_calls import lower_for_lanes

        for kernel in kernels_in(op):
            try:
                lower_for_lanes(kernel, kernel.parent_op())
            except NoRegions as why:
                _mark(kernel, why)
            declare_called(cast("Operation", kernel.parent_op()))


class HostPrepare(Pass):
    """Brings kernels into the form that the other passes expect."""

    name = "host-prepare"
    summary = "Bring kernels for the host into the form that the analyses expect"

    def run(self, op: Operation, ctx: Context) -> None:
        from xgpu.host_device.compiler.strategies import prepare_in_place

        for kernel in kernels_in(op):
            try:
                prepare_in_place(kernel)
            except NoRegions as why:
                _mark(kernel, why)


class HostUniformity(Pass):
    """Writes how each value differs among threads into attributes.

    On an operation `host.shape` is its result's, on a block's last operation `host.arguments` are
    its arguments', and `host.branch` says whether warps or lanes part there.
    """

    name = "host-uniformity"
    summary = "Annotate how the values of kernels differ among threads"
    options = (_BLOCK,)
    block: list[str]

    def run(self, op: Operation, ctx: Context) -> None:
        for kernel in kernels_in(op):
            _annotate_shapes(kernel, _uniformity(kernel, block_size(kernel, self.block)))


class HostRegions(Pass):
    """Writes the region of each block into `host.region` of its last operation, and on values that
    live from one region to another how, into `host.crosses`."""

    name = "host-regions"
    summary = "Annotate the regions between barriers of kernels"
    options = (_BLOCK,)
    block: list[str]

    def run(self, op: Operation, ctx: Context) -> None:
        for kernel in kernels_in(op):
            try:
                _annotate_regions(kernel, block_size(kernel, self.block))
            except NoRegions as why:
                _mark(kernel, why)


class HostVectorize(Pass):
    """Replaces kernels by functions that run a whole block, vector by vector."""

    name = "host-vectorize"
    summary = "Make functions that run a whole block of kernels"
    options = (_BLOCK,)
    block: list[str]

    def run(self, op: Operation, ctx: Context) -> None:
        from xgpu.host_device.compiler.strategies import BLOCK_LOOPS, block_function

        for kernel in kernels_in(op):
            try:
                function = block_function(kernel, block_size(kernel, self.block))
            except NoRegions as why:
                _mark(kernel, why)
                continue
            _put_in_place(kernel, function, BLOCK_LOOPS)


class HostWarps(Pass):
    """Replaces kernels, which `host-lane-calls` and `host-prepare` have changed, by functions that
    run a warp."""

    name = "host-warps"
    summary = "Make functions that run a warp of kernels"
    options = (_BLOCK,)
    block: list[str]

    def run(self, op: Operation, ctx: Context) -> None:
        from xgpu.host_device.compiler.strategies import WARPS, prepared_warp_function

        for kernel in kernels_in(op):
            try:
                function = prepared_warp_function(kernel, block_size(kernel, self.block))
            except NoRegions as why:
                _mark(kernel, why)
                continue
            _put_in_place(kernel, function, WARPS)


def _put_in_place(kernel: Operation, function: Operation, strategy: str) -> None:
    function.attributes["host.strategy"] = StringAttr(strategy)
    block = kernel.parent
    assert block is not None
    block.insert_op_before(function, kernel)
    kernel.detach()
    kernel.erase()
    declare_called(cast("Operation", function.parent_op()))


def _mark(kernel: Operation, why: NoRegions) -> None:
    """Says on a kernel that its threads run by themselves, and why."""
    from xgpu.host_device.compiler.strategies import THREADS

    kernel.attributes["host.strategy"] = StringAttr(THREADS)
    kernel.attributes["host.reason"] = StringAttr(str(why))


def _uniformity(kernel: Operation, block: Dims) -> Uniformity:
    from xgpu.host_device.compiler.strategies import layout_of

    return Uniformity(kernel, layout_of(kernel, block))


def _annotate_shapes(kernel: Operation, uniformity: Uniformity) -> None:
    graph = uniformity.graph
    for number, block in enumerate(graph.blocks):
        for op in block.ops:
            if len(op.results) == 1:
                op.attributes["host.shape"] = StringAttr(str(uniformity.of(op.results[0])))
        last = cast("Operation", block.last_op)
        if block.args and number:
            last.attributes["host.arguments"] = ArrayAttr(
                [StringAttr(str(uniformity.of(a))) for a in block.args]
            )
        if uniformity.branch_level[number] > BLOCK:
            name = LEVEL_NAMES[uniformity.branch_level[number]]
            last.attributes["host.branch"] = StringAttr(name)


def _annotate_regions(kernel: Operation, block: Dims) -> None:
    from xgpu.host_device.compiler.vectors.prepare import separate_region_ends

    separate_region_ends(kernel)
    uniformity = _uniformity(kernel, block)
    segments = find_segments(uniformity)
    live = LiveAcrossBarriers(uniformity, segments)
    needed = {v for values in live.needed.values() for v in values}
    for number, segment in enumerate(segments):
        for b in segment.blocks:
            last = cast("Operation", uniformity.graph.blocks[b].last_op)
            last.attributes["host.region"] = IntegerAttr(number, i32)
    for block_ in uniformity.graph.blocks:
        for op in block_.ops:
            if len(op.results) != 1:
                continue
            value = op.results[0]
            how = "slot" if value in live.slots else "again" if value in needed else None
            if how is None and value in live.block and not op.name.startswith("llvm.mlir."):
                how = "block"
            if how is not None:
                op.attributes["host.crosses"] = StringAttr(how)
