# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`gpu-map-foralls-to-threads`: what the threads of a block share becomes what each of them does.

    scf.forall (%i, %j) in (16, 64) { body }
        {mapping = [#gpu.thread<linear_dim_1>, #gpu.thread<linear_dim_0>]}
    =>                                                  in a block of 256 threads, four times
    %at = %thread + 256 * part
    body with %i = %at / 64, %j = %at mod 64

Neighbouring threads have neighbouring iterations of `linear_dim_0`. There is no barrier behind the
loop: whoever reads what another thread wrote asks for one. Compare
`transform.gpu.map_nested_forall_to_threads`, which needs as many threads as iterations.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.ir import Operation, SSAValue

from xgpu.conversion.linalg.linalg_to_gpu import add, guarded, is_less, times, unflatten
from xgpu.core.ir.constants import int_of
from xgpu.core.ir.errors import error
from xgpu.core.passes.base import Option, Pass
from xgpu.core.rewriting.rewriter import Rewriter
from xgpu.dialects.affine.index_math import as_value
from xgpu.transforms.gpu.gpu_map_parallel_loops import is_shared_by_threads
from xgpu.transforms.scf.builders import for_loop

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.dialects.builtin import DenseArrayBase, IntegerType

    from xgpu.dialects import gpu, scf
    from xgpu.dialects.affine.maps import Mixed

_DYNAMIC = -(1 << 63)


def _bounds(static: DenseArrayBase[IntegerType], dynamic: Sequence[SSAValue]) -> list[Mixed]:
    values = iter(dynamic)
    found: list[Mixed] = []
    for number in static.get_values():
        if number != _DYNAMIC:
            found.append(number)
            continue
        value = next(values)
        constant = int_of(value)
        found.append(value if constant is None else constant)
    return found


class _Shared:
    """One loop and the launch around it."""

    def __init__(self, op: scf.ForallOp, launch: gpu.LaunchOp, most: int) -> None:
        self.op, self.most = op, most
        lower = _bounds(op.static_lower_bound, op.dynamic_lower_bound)
        steps = _bounds(op.static_step, op.dynamic_step)
        if any(bound != 0 for bound in lower) or any(step != 1 for step in steps):
            raise error(op, "expected loops from 0 in steps of 1")
        if op.results:
            raise error(op, "expected a loop on buffers, without results")
        self.sizes = _bounds(op.static_upper_bound, op.dynamic_upper_bound)
        self.rw = Rewriter(op)
        arguments = launch.regions[0].blocks[0].args
        self.ids = arguments[3:6]
        block = (launch.block_size_x, launch.block_size_y, launch.block_size_z)
        known = [int_of(size) for size in block]
        self.block: list[Mixed] = [
            inside if size is None else size
            for inside, size in zip(arguments[9:12], known, strict=True)
        ]

    def build(self) -> None:
        """Replaces the loop."""
        rw = self.rw
        threads, linear = self._threads()
        total: Mixed = 1
        for size in self.sizes:
            total = times(rw, total, size)
        if isinstance(total, int) and isinstance(threads, int) and total <= self.most * threads:
            for part in range(-(-total // threads)):
                at = add(rw, linear, part * threads)
                inside = is_less(rw, at, total) if (part + 1) * threads > total else None
                guarded(rw, inside, (), lambda at=at: self._body(at))
        else:
            bounds = [as_value(rw, item) for item in (linear, total, threads)]
            for_loop(rw, bounds[0], bounds[1], bounds[2], (), lambda iv, _: self._body(iv))
        rw.erase(self.op)

    def _threads(self) -> tuple[Mixed, Mixed]:
        """How many threads a block has, and which of them this is."""
        rw = self.rw
        total: Mixed = 1
        linear: Mixed = 0
        for at, size in reversed(list(zip(self.ids, self.block, strict=True))):
            own: Mixed = 0 if size == 1 else at
            linear = add(rw, times(rw, linear, size), own)
            total = times(rw, total, size)
        return total, linear

    def _body(self, at: Mixed) -> Sequence[SSAValue]:
        """An iteration."""
        block = self.op.regions[0].blocks[0]
        indices = unflatten(self.rw, at, self.sizes)
        values: dict[SSAValue, SSAValue] = {
            argument: as_value(self.rw, index)
            for argument, index in zip(block.args, indices, strict=True)
        }
        for inner in block.ops:
            if inner is not block.last_op:
                self.rw.insert(inner.clone(value_mapper=values))
        return ()


class GpuMapForallsToThreads(Pass):
    """Loops that threads share become what each thread does."""

    name = "gpu-map-foralls-to-threads"
    summary = "scf.forall mapped to linear thread ids becomes what each thread of a gpu.launch does"
    anchor = "func.func"
    options = (
        Option("unroll", int, 16, "most iterations a thread that are not left as a loop", least=0),
    )

    unroll: int

    def run(self, op: Operation, ctx: Context) -> None:
        for inner in list(op.walk()):
            if not is_shared_by_threads(inner):
                continue
            launch = inner.parent_op()
            while launch is not None and launch.name != "gpu.launch":
                launch = launch.parent_op()
            if launch is not None:
                shared = cast("scf.ForallOp", inner)
                _Shared(shared, cast("gpu.LaunchOp", launch), self.unroll).build()
