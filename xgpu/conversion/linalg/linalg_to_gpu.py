# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`convert-linalg-to-gpu`: each structured operation on buffers becomes a kernel, a thread for each
element; `gpu-map-foralls-to-threads`; and what kernels of structured operations share.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    DenseArrayBase,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
)

from xgpu.conversion.linalg.linalg_to_loops import loop_sizes
from xgpu.core.ir import constants
from xgpu.core.ir.constants import int_of
from xgpu.core.ir.errors import error
from xgpu.core.passes.base import Option, Pass
from xgpu.core.rewriting.builder import Rewriter
from xgpu.core.support.gpu_limits import MAX_THREADS
from xgpu.dialects.affine import maps as ap
from xgpu.dialects.affine.index_math import apply, as_value
from xgpu.dialects.affine.maps import Mixed
from xgpu.dialects.arith.builders import attribute_constant, cmpi
from xgpu.dialects.gpu.ops import create_launch
from xgpu.dialects.linalg import ops
from xgpu.transforms.gpu.gpu_map_parallel_loops import is_shared_by_threads
from xgpu.transforms.linalg.generalize_named_ops import description
from xgpu.transforms.scf.builders import for_loop, if_else

if TYPE_CHECKING:
    from xdsl.context import Context

    from xgpu.dialects import gpu, scf


# --- linalg to gpu -------------------------------------------------------------------------------
# `convert-linalg-to-gpu`: each structured operation on buffers becomes a kernel, a thread for
# each element; and what kernels of structured operations share.


# --- kernel nests --------------------------------------------------------------------------------
# What the kernels of structured operations share: launches, indices, guards, loops, bodies.
#
# Sizes are integers or values of the host, which become arguments of the kernel when that is
# outlined. Index arithmetic is built folded: a quotient by 1 is not built.


_INDEX = IndexType()


def dims_of(expr: AffineExpr) -> set[int]:
    """The loops that an expression mentions."""
    if isinstance(expr, AffineDimExpr):
        return {expr.position}
    if isinstance(expr, AffineBinaryOpExpr):
        return dims_of(expr.lhs) | dims_of(expr.rhs)
    return set()


def is_projection(affine_map: AffineMap) -> bool:
    """Whether each result is another loop."""
    positions = [r.position for r in affine_map.results if isinstance(r, AffineDimExpr)]
    return len(positions) == len(affine_map.results) == len(set(positions))


def binary(rw: Rewriter, kind: AffineBinaryOpKind, a: Mixed, b: Mixed) -> Mixed:
    expr = AffineBinaryOpExpr(kind, ap.symbol(0), ap.symbol(1))
    return apply(rw, expr, [a, b])


def add(rw: Rewriter, a: Mixed, b: Mixed) -> Mixed:
    return apply(rw, ap.affine.add(ap.symbol(0), ap.symbol(1)), [a, b])


def times(rw: Rewriter, a: Mixed, b: Mixed) -> Mixed:
    if isinstance(a, int) and isinstance(b, int):
        return a * b
    if isinstance(a, int) or isinstance(b, int):
        return apply(rw, ap.affine.mul(ap.symbol(0), ap.symbol(1)), [a, b])
    return rw.value("arith.muli", [as_value(rw, a), as_value(rw, b)], _INDEX)


def ceil_div(rw: Rewriter, a: Mixed, b: int) -> Mixed:
    return -(-a // b) if isinstance(a, int) else binary(rw, AffineBinaryOpKind.CeilDiv, a, b)


def split(rw: Rewriter, value: Mixed, by: Mixed) -> tuple[Mixed, Mixed]:
    """Quotient and remainder of what is not negative."""
    if by == 1:
        return value, 0
    if isinstance(value, int) and isinstance(by, int):
        return divmod(value, by)
    operands = [as_value(rw, value), as_value(rw, by)]
    return rw.value("arith.divui", operands, _INDEX), rw.value("arith.remui", operands, _INDEX)


def unflatten(rw: Rewriter, value: Mixed, sizes: Sequence[Mixed]) -> list[Mixed]:
    """The indices that `value` counts through, the last one fastest."""
    found: list[Mixed] = []
    for size in reversed(sizes[1:]):
        value, index = split(rw, value, size)
        found.append(index)
    return [*([value] if sizes else []), *reversed(found)]


def is_less(rw: Rewriter, a: Mixed, b: Mixed) -> SSAValue:
    return cmpi(rw, "ult", as_value(rw, a), as_value(rw, b))


def both(rw: Rewriter, conditions: Sequence[SSAValue]) -> SSAValue | None:
    """Whether all hold; None if there are none."""
    found: SSAValue | None = None
    for condition in conditions:
        found = (
            condition
            if found is None
            else rw.value("arith.andi", [found, condition], condition.type)
        )
    return found


def zero(rw: Rewriter, kind: Attribute) -> SSAValue:
    """A constant 0; ValueError for what has none."""
    value = constants.make(kind, 0)
    if not isinstance(value, FloatAttr | IntegerAttr):
        raise ValueError(f"a value of type {kind} has no zero")
    return attribute_constant(rw, value, kind)


def guarded(
    rw: Rewriter,
    condition: SSAValue | None,
    types: Sequence[Attribute],
    then: Callable[[], Sequence[SSAValue]],
    otherwise: Callable[[], Sequence[SSAValue]] | None = None,
) -> Sequence[SSAValue]:
    """What `then` gives where `condition` holds, or always if that is None."""
    if condition is None:
        return then()
    return if_else(rw, condition, types, then, otherwise).results


def loops(
    rw: Rewriter,
    sizes: Sequence[Mixed],
    inits: Sequence[SSAValue],
    body: Callable[[list[SSAValue], Sequence[SSAValue]], Sequence[SSAValue]],
) -> Sequence[SSAValue]:
    """A nest of loops from 0 to `sizes` that carries `inits`; `body` gets the loops' variables and
    what is carried."""

    def nest(done: list[SSAValue], carried: Sequence[SSAValue]) -> Sequence[SSAValue]:
        if len(done) == len(sizes):
            return body(done, carried)
        bounds = [as_value(rw, item) for item in (0, sizes[len(done)], 1)]
        return for_loop(
            rw, bounds[0], bounds[1], bounds[2], carried, lambda iv, c: nest([*done, iv], c)
        ).results

    return nest([], list(inits))


def subscripts(rw: Rewriter, affine_map: AffineMap, ivs: Sequence[Mixed]) -> list[SSAValue]:
    """Where an iteration reads or writes."""
    symbols = [ap.symbol(i) for i in range(len(ivs))]
    exprs = [ap.substitute(result, symbols, ()) for result in affine_map.results]
    return [as_value(rw, apply(rw, expr, ivs)) for expr in exprs]


def inline(
    rw: Rewriter, block: Block, arguments: Mapping[SSAValue, SSAValue], ivs: Sequence[Mixed]
) -> list[SSAValue]:
    """Copies a body, with values for those of its arguments that it uses; what it yields."""
    values = dict(arguments)
    for op in block.ops:
        if op.name == "linalg.yield":
            return [values.get(v, v) for v in op.operands]
        if op.name == "linalg.index":
            values[op.results[0]] = as_value(rw, ivs[_dimension(op)])
            continue
        copy = rw.insert(op.clone(value_mapper=values))
        for inner in list(copy.walk()):
            if inner.name == "linalg.index":
                rw.replace(inner, [as_value(rw, ivs[_dimension(inner)])])
    return []


def _dimension(op: Operation) -> int:
    dim = op.properties["dim"]
    assert isinstance(dim, IntegerAttr)
    return dim.value.data


class Launch:
    """A `gpu.launch` with blocks of `threads` in x and y and memory for each block; the rewriter
    of its body stands before the terminator."""

    def __init__(
        self,
        rw: Rewriter,
        blocks: Mixed,
        threads: tuple[int, int],
        memory: Sequence[MemRefType[Attribute]] = (),
    ) -> None:
        one = as_value(rw, 1)
        sizes = [as_value(rw, blocks), one, one, *(as_value(rw, n) for n in threads), one]
        block = Block(arg_types=[_INDEX] * 12 + list(memory))

        def launch() -> Sequence[SSAValue]:
            create_launch(rw, sizes, block, len(memory))
            return ()

        # A grid of no blocks is an error.
        is_known = isinstance(blocks, int) and blocks > 0
        guarded(rw, None if is_known else is_less(rw, 0, blocks), (), launch)
        self.rw = Rewriter(block=block, location=rw.location)
        end = self.rw.create("gpu.terminator")
        self.rw.before(end)
        self.block_id: SSAValue = block.args[0]
        self.threads: tuple[SSAValue, SSAValue] = (block.args[3], block.args[4])
        self.memory: list[SSAValue] = list(block.args[12:])


# --- linalg to gpu -------------------------------------------------------------------------------
# `convert-linalg-to-gpu`: each structured operation on buffers becomes a kernel, a thread for each
# element that it writes.
#
#     linalg.generic .. ins(%a : memref<?x?xf32>) outs(%b : memref<?x?xf32>) { .. }
#     =>
#     gpu.launch blocks(%block, ..) in (%rows * ceildiv(%columns, 256), 1, 1)
#                threads(%thread, ..) in (256, 1, 1) {
#       %j = %block mod ceildiv(%columns, 256) * 256 + %thread
#       scf.if %j < %columns { ... load, compute, store ... }
#     }
#
# Neighbouring threads write neighbouring elements: they go along the output's last dimension, and
# blocks along the others. Loops that reduce run in the thread, with the result in a register.
# Copies between buffers are kernels too, so that whatever lies on the device stays there.


WARP = 32


class _Kernel:
    """The kernel of one operation."""

    def __init__(self, op: Operation, threads: int) -> None:
        self.op = op
        self.rw = Rewriter(op)
        sizes = loop_sizes(op, self.rw)  # pyright: ignore[reportArgumentType]
        if sizes is None:
            raise error(op, "the sizes of its loops do not follow from the sizes of its operands")
        self.sizes: list[Mixed] = list(sizes)
        self.maps = ops.indexing_maps(op)
        self.first = len(op.operands) - len(ops.outputs(op))
        #: Loops that blocks and threads share; each element is written by one of them.
        self.shared = self._shared_loops()
        self.lane = self._lane()
        self.own = [i for i in range(len(self.sizes)) if i not in self.shared]
        self.threads = self._block_size(threads)

    def _shared_loops(self) -> list[int]:
        """Parallel loops along which each output is walked by itself."""
        kinds = ops.iterator_types(self.op)
        found = [i for i, kind in enumerate(kinds) if kind == ops.PARALLEL]
        for affine_map in self.maps[self.first :]:
            alone = {r.position for r in affine_map.results if isinstance(r, AffineDimExpr)}
            mixed: set[int] = set()
            for result in affine_map.results:
                if not isinstance(result, AffineDimExpr):
                    mixed |= dims_of(result)
            found = [i for i in found if i in alone and i not in mixed]
        return found

    def _lane(self) -> int | None:
        """The loop that neighbouring threads share: along an output's last dimension."""
        for result in reversed(self.maps[-1].results):
            if isinstance(result, AffineDimExpr) and result.position in self.shared:
                return result.position
        return None

    def _block_size(self, threads: int) -> int:
        if self.lane is None:
            return 1
        size = self.sizes[self.lane]
        if isinstance(size, int) and size < threads:
            return max(-(-size // WARP) * WARP, WARP)
        return threads

    def build(self) -> None:
        """Replaces the operation."""
        rw = self.rw
        others = [i for i in self.shared if i != self.lane]
        lane_size: Mixed = 1 if self.lane is None else self.sizes[self.lane]
        per_row = ceil_div(rw, lane_size, self.threads)
        blocks = per_row
        for loop in others:
            blocks = times(rw, blocks, self.sizes[loop])
        launch = Launch(rw, blocks, (self.threads, 1))
        self.inside = launch.rw
        row: Mixed = 0
        part: Mixed = launch.block_id
        if others:
            row, part = split(self.inside, part, per_row)
        ivs: dict[int, Mixed] = dict(
            zip(others, unflatten(self.inside, row, [self.sizes[i] for i in others]), strict=True)
        )
        condition: SSAValue | None = None
        if self.lane is not None:
            base = times(self.inside, part, self.threads)
            ivs[self.lane] = add(self.inside, base, launch.threads[0])
            if not isinstance(lane_size, int) or lane_size % self.threads:
                condition = is_less(self.inside, ivs[self.lane], lane_size)
        guarded(self.inside, condition, (), lambda: self._element(ivs))
        rw.erase(self.op)

    def _element(self, shared: dict[int, Mixed]) -> Sequence[SSAValue]:
        """What one thread does: its loops, with the outputs in registers if they stay the same."""
        rw = self.inside
        block = self.op.regions[0].first_block
        assert block is not None
        outputs, maps = self.op.operands[self.first :], self.maps[self.first :]
        sizes = [self.sizes[i] for i in self.own]
        own = set(self.own)

        def everywhere(ivs: Sequence[Mixed]) -> list[Mixed]:
            inner = dict(zip(self.own, ivs, strict=True))
            return [shared.get(i, inner.get(i, 0)) for i in range(len(self.sizes))]

        def in_memory(ivs: Sequence[Mixed], _: Sequence[SSAValue] = ()) -> Sequence[SSAValue]:
            every = everywhere(ivs)
            places = [subscripts(rw, m, every) for m in maps]
            results = self._body(block, every, [None] * len(outputs), places)
            self._store(results, places)
            return ()

        if not self.own or any(dims_of(r) & own for m in maps for r in m.results):
            return loops(rw, sizes, (), in_memory)
        places = [subscripts(rw, m, everywhere([0] * len(self.own))) for m in maps]
        inits = [self._load(value, place) for value, place in zip(outputs, places, strict=True)]
        results = loops(
            rw, sizes, inits, lambda ivs, state: self._body(block, everywhere(ivs), state, places)
        )
        self._store(results, places)
        return ()

    def _store(self, results: Sequence[SSAValue], places: Sequence[Sequence[SSAValue]]) -> None:
        for value, result, place in zip(
            self.op.operands[self.first :], results, places, strict=True
        ):
            self.inside.create("memref.store", [result, value, *place])

    def _load(self, value: SSAValue, place: Sequence[SSAValue]) -> SSAValue:
        if ops.shape_of(value) is None:
            return value
        return self.inside.value("memref.load", [value, *place], ops.scalar_type(value))

    def _body(
        self,
        block: Block,
        ivs: list[Mixed],
        state: Sequence[SSAValue | None],
        places: Sequence[Sequence[SSAValue]],
    ) -> list[SSAValue]:
        """One iteration; an output that is not in `state` is loaded if the body wants it."""
        rw = self.inside
        arguments: dict[SSAValue, SSAValue] = {}
        for at, value in enumerate(self.op.operands):
            argument = block.args[at]
            given = state[at - self.first] if at >= self.first else None
            if given is not None:
                arguments[argument] = given
            elif argument.first_use is None:
                continue
            elif at >= self.first:
                arguments[argument] = self._load(value, places[at - self.first])
            else:
                shaped = ops.shape_of(value) is not None
                place = subscripts(rw, self.maps[at], ivs) if shaped else ()
                arguments[argument] = self._load(value, place)
        return inline(rw, block, arguments, ivs)


def copy_as_generic(op: Operation) -> Operation:
    """A copy of a buffer as a structured operation."""
    source, target = op.operands
    kind = target.type
    assert isinstance(kind, MemRefType)
    rank = len(kind.get_shape())
    block = Block(arg_types=[kind.element_type] * 2)
    Rewriter(block=block, location=op.location).create("linalg.yield", [block.args[0]])
    identity = ops.select(rank, range(rank))
    rw = Rewriter(op)
    made = rw.create(
        "linalg.generic",
        [[source], [target]],
        (),
        description([identity] * 2, [ops.PARALLEL] * rank),
        regions=[Region(block)],
    )
    rw.erase(op)
    return made


def is_in_kernel(op: Operation) -> bool:
    """Whether `op` runs on the device already."""
    around = op.parent_op()
    while around is not None and around.name not in ("gpu.launch", "gpu.func"):
        around = around.parent_op()
    return around is not None


class ConvertLinalgToGpu(Pass):
    """Structured operations on buffers, and copies, become kernels."""

    name = "convert-linalg-to-gpu"
    summary = "Each structured operation on buffers becomes a gpu.launch"
    anchor = "func.func"
    options = (
        Option("threads", int, 256, "threads of a block, at most", least=1, most=MAX_THREADS),
    )

    threads: int

    def run(self, op: Operation, ctx: Context) -> None:
        if not 1 <= self.threads <= MAX_THREADS:
            raise error(op, f"expected 1 to {MAX_THREADS} threads, but found {self.threads}")
        for inner in list(op.walk()):
            if is_in_kernel(inner):
                continue
            if inner.name == "memref.copy" and _is_ranked(inner):
                inner = copy_as_generic(inner)
            if ops.is_structured(inner) and ops.is_on_buffers(inner):
                _Kernel(inner, self.threads).build()
            elif inner.name.startswith("linalg.") and inner.name not in _INNER:
                raise error(inner, f"'{inner.name}' cannot become a kernel")


_INNER = frozenset({"linalg.index", "linalg.yield"})


def _is_ranked(op: Operation) -> bool:
    return all(isinstance(value.type, MemRefType) for value in op.operands)


# --- map foralls to threads ----------------------------------------------------------------------
# `gpu-map-foralls-to-threads`: what the threads of a block share becomes what each of them does.
#
#     scf.forall (%i, %j) in (16, 64) { body }
#         {mapping = [#gpu.thread<linear_dim_1>, #gpu.thread<linear_dim_0>]}
#     =>                                                  in a block of 256 threads, four times
#     %at = %thread + 256 * part
#     body with %i = %at / 64, %j = %at mod 64
#
# Neighbouring threads have neighbouring iterations of `linear_dim_0`. There is no barrier behind
# the loop: code that reads what another thread wrote asks for one. Compare
# `transform.gpu.map_nested_forall_to_threads`, which needs as many threads as iterations.


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
