# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`convert-linalg-reductions-to-gpu`: reductions along rows become kernels, a block a result.

    linalg.generic ins(%a : memref<?x?xf32>) outs(%b : memref<?xf32>)
        {iterators (parallel, reduction)} { max }
    =>
    gpu.launch blocks(%row, ..) in (%rows, 1, 1) threads(%thread, ..) in (256, 1, 1) {
      %part = scf.for %k = %thread to %columns step 256 iter_args(-inf) { max with %a[%row, %k] }
      %all = gpu.all_reduce maximumf %part
      scf.if %thread == 0 { memref.store (max of %b[%row] and %all), %b[%row] }
    }

Neighbouring threads read neighbouring elements: the loop that is reduced must run along an input's
last dimension. Each thread begins with the neutral element of what combines, so that the order of a
sum is another one than in a loop; what the output held before joins at the end. Elements of 8 and
16 bits are exchanged in 32, so that a sum of f16 is rounded less often than in a loop. Reductions
along other dimensions are left to `convert-linalg-to-gpu`, whose threads read side by side there.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, nan
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import AnyFloat, IntegerType, UnitAttr, f32, i32
from xdsl.ir import Attribute, Operation, Region, SSAValue
from xdsl.ir.affine import AffineDimExpr

from xgpu.conversion.linalg.linalg_to_gpu import (
    WARP,
    Launch,
    dims_of,
    guarded,
    inline,
    is_in_kernel,
    loops,
    subscripts,
    times,
    unflatten,
)
from xgpu.conversion.linalg.linalg_to_loops import loop_sizes
from xgpu.core import ods
from xgpu.core.ir import constants
from xgpu.core.ir.errors import error
from xgpu.core.passes.base import Option, Pass
from xgpu.core.rewriting.builder import Rewriter
from xgpu.core.support.gpu_limits import MAX_THREADS
from xgpu.dialects.affine.index_math import as_value
from xgpu.dialects.affine.maps import Mixed
from xgpu.dialects.arith.builders import attribute_constant
from xgpu.dialects.linalg import ops
from xgpu.transforms.linalg.vectorization import maps
from xgpu.transforms.scf.builders import for_loop

if TYPE_CHECKING:
    from xdsl.context import Context

#: Rows that are shorter are faster in one thread each.
_SHORTEST = 2 * WARP
_EQUAL = 0  # arith.cmpi's predicate


def _neutral(kind: str, ty: Attribute) -> int | float | None:
    """What changes nothing when it is combined with; None where elements cannot be reduced
    between threads."""
    if isinstance(ty, AnyFloat):
        return _FLOATS.get(kind) if ty.bitwidth in (16, 32, 64) else None
    if not isinstance(ty, IntegerType) or ty.width.data not in (8, 16, 32, 64):
        return None
    top = 1 << (ty.width.data - 1)
    known = {"maxsi": -top, "minsi": top - 1, "maxui": 0, "minui": -1, "and": -1, "or": 0}
    return {"add": 0, "mul": 1, "xor": 0, **known}.get(kind)


def _width(ty: Attribute) -> int:
    return ty.width.data if isinstance(ty, IntegerType) else 64


_FLOATS = {
    "add": -0.0,
    "mul": 1.0,
    "maximumf": -inf,
    "minimumf": inf,
    "maxnumf": nan,
    "minnumf": nan,
}


class _Kernel:
    """The kernel of one reduction."""

    def __init__(self, op: Operation, lane: int, threads: int, neutral: float) -> None:
        self.op, self.lane, self.neutral = op, lane, neutral
        self.host = Rewriter(op)
        sizes = loop_sizes(op, self.host)  # pyright: ignore[reportArgumentType]
        assert sizes is not None  # each loop walks along some operand
        self.sizes: list[Mixed] = list(sizes)
        self.maps = ops.indexing_maps(op)
        kinds = ops.iterator_types(op)
        self.shared = [i for i, kind in enumerate(kinds) if kind == ops.PARALLEL]
        self.own = [i for i in range(len(kinds)) if i not in self.shared and i != lane]
        combiner = maps.combiner(op, 0)
        assert combiner is not None
        self.combiner = combiner
        self.kind = str(maps.kind_of(combiner))
        self.element: Attribute = ops.scalar_type(op.operands[-1])
        length = self.sizes[lane]
        self.threads = threads
        if isinstance(length, int):
            self.threads = min(threads, -(-length // WARP) * WARP)

    def build(self) -> None:
        """Replaces the operation."""
        blocks: Mixed = 1
        for loop in self.shared:
            blocks = times(self.host, blocks, self.sizes[loop])
        launch = Launch(self.host, blocks, (self.threads, 1))
        self.rw = launch.rw
        thread = launch.threads[0]
        indices = unflatten(self.rw, launch.block_id, [self.sizes[i] for i in self.shared])
        self.outer: dict[int, Mixed] = dict(zip(self.shared, indices, strict=True))
        part = self._own_part(thread)
        properties: dict[str, Attribute] = {
            "op": ods.enum("gpu.all_reduce_op", self.kind),
            "uniform": UnitAttr(),
        }
        wide = self._widened(part)
        total = self._narrowed(
            self.rw.create(
                "gpu.all_reduce", [wide], [wide.type], properties, regions=[Region()]
            ).results[0]
        )
        first = self.rw.value(
            "arith.cmpi",
            [thread, as_value(self.rw, 0)],
            IntegerType(1),
            {"predicate": constants.make(IntegerType(64), _EQUAL)},  # pyright: ignore
        )
        guarded(self.rw, first, (), lambda: self._store(total))
        self.host.erase(self.op)

    def _widened(self, part: SSAValue) -> SSAValue:
        """Threads exchange 32 bits at least, in which narrow elements combine to the same."""
        if isinstance(self.element, AnyFloat):
            return part if self.element.bitwidth >= 32 else self.rw.value("arith.extf", [part], f32)
        if _width(self.element) >= 32:
            return part
        signed = self.kind in ("maxsi", "minsi")
        return self.rw.value("arith.extsi" if signed else "arith.extui", [part], i32)

    def _narrowed(self, total: SSAValue) -> SSAValue:
        if total.type == self.element:
            return total
        name = "arith.truncf" if isinstance(self.element, AnyFloat) else "arith.trunci"
        return self.rw.value(name, [total], self.element)

    def _own_part(self, thread: SSAValue) -> SSAValue:
        """What a thread combines: every so manieth element of the row."""
        attr = constants.make(self.element, self.neutral)
        assert attr is not None
        neutral = attribute_constant(self.rw, attr, self.element)
        length = as_value(self.rw, self.sizes[self.lane])
        step = as_value(self.rw, self.threads)

        def row(ivs: list[SSAValue], state: Sequence[SSAValue]) -> Sequence[SSAValue]:
            inner: dict[int, Mixed] = dict(zip(self.own, ivs, strict=True))

            def element(iv: SSAValue, carried: list[SSAValue]) -> Sequence[SSAValue]:
                return self._body({**inner, self.lane: iv}, carried[0])

            return for_loop(self.rw, thread, length, step, state, element).results

        sizes = [self.sizes[i] for i in self.own]
        return loops(self.rw, sizes, [neutral], row)[0]

    def _body(self, own: dict[int, Mixed], carried: SSAValue) -> list[SSAValue]:
        rw = self.rw
        ivs: list[Mixed] = [own[i] if i in own else self.outer[i] for i in range(len(self.sizes))]
        block = maps.body_of(self.op)
        count = len(ops.inputs(self.op))
        arguments: dict[SSAValue, SSAValue] = {block.args[count]: carried}
        for at, value in enumerate(self.op.operands[:count]):
            if block.args[at].first_use is None:
                continue
            shaped = ops.shape_of(value) is not None
            element = ops.scalar_type(value)
            place = subscripts(rw, self.maps[at], ivs) if shaped else ()
            arguments[block.args[at]] = (
                rw.value("memref.load", [value, *place], element) if shaped else value
            )
        return inline(rw, block, arguments, ivs)

    def _store(self, total: SSAValue) -> Sequence[SSAValue]:
        """Joins what the output held before."""
        output = self.op.operands[-1]
        ivs: list[Mixed] = [self.outer.get(i, 0) for i in range(len(self.sizes))]
        place = subscripts(self.rw, self.maps[-1], ivs)
        before = self.rw.value("memref.load", [output, *place], self.element)
        properties = dict(self.combiner.properties)
        name = self.combiner.name
        value = self.rw.value(name, [before, total], self.element, properties)
        self.rw.create("memref.store", [value, output, *place])
        return ()


def row_loop(op: Operation) -> int | None:
    """The reduced loop that runs along the last dimension of an input, if `op` is a reduction that
    a block can share; None for anything else."""
    if not ops.is_structured(op) or not ops.is_on_buffers(op):
        return None
    if len(ops.outputs(op)) != 1 or ops.shape_of(op.operands[-1]) is None:
        return None
    kinds, indexing = ops.iterator_types(op), ops.indexing_maps(op)
    found = maps.match(op, 0)
    if found is None or len(found[1]) != 1 or not maps.is_projected_permutation(indexing[-1]):
        return None
    written = set(maps.dim_positions(indexing[-1]))
    if written != {i for i, kind in enumerate(kinds) if kind == ops.PARALLEL}:
        return None
    for value, map_ in zip(ops.inputs(op), indexing, strict=False):
        last = map_.results[-1] if map_.results else None
        shaped = ops.shape_of(value) is not None
        if shaped and isinstance(last, AffineDimExpr) and kinds[last.position] != "parallel":
            others = [r for r in map_.results[:-1] if last.position in dims_of(r)]
            return None if others else last.position
    return None


class ConvertLinalgReductionsToGpu(Pass):
    """Reductions along rows become kernels, a block for each row."""

    name = "convert-linalg-reductions-to-gpu"
    summary = "Reductions along the last dimension of buffers become kernels, a block for a result"
    anchor = "func.func"
    options = (
        Option("threads", int, 256, "threads of a block, at most", least=1, most=MAX_THREADS),
    )

    threads: int

    def run(self, op: Operation, ctx: Context) -> None:
        if self.threads % WARP or not WARP <= self.threads <= MAX_THREADS:
            raise error(
                op,
                f"expected a multiple of {WARP} threads up to {MAX_THREADS}, but found "
                f"{self.threads}",
            )
        for inner in list(op.walk()):
            lane = None if is_in_kernel(inner) else row_loop(inner)
            if lane is None or not self._pays(inner, lane):
                continue
            kind = str(maps.kind_of(maps.combiner(inner, 0)))
            neutral = _neutral(kind, ops.scalar_type(inner.operands[-1]))
            if neutral is not None:
                _Kernel(inner, lane, self.threads, neutral).build()

    def _pays(self, op: Operation, lane: int) -> bool:
        size = maps.loop_sizes(op)[lane]
        return size < 0 or size >= _SHORTEST
