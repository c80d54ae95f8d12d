# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Software pipelining of scf.for: operations of different stages of an iteration run side by side.

A schedule gives each operation of the body a stage and the body an order. The loop becomes a
prologue, a kernel in which an operation of stage s works for iteration i + last - s, and an
epilogue; without the epilogue, what would run past the end is predicated. Values that cross stages
are carried by the kernel. Source: MLIR 22.1 LoopPipelining.cpp.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import IndexType, IntegerAttr, IntegerType, i1, i64
from xdsl.ir import Block, BlockArgument, Operation, Region, SSAValue

from xgpu.core.ir.constants import int_of
from xgpu.core.ir.construction import clone_operation
from xgpu.dialects.arith.builders import attribute_constant, select

if TYPE_CHECKING:
    from xgpu.core.rewriting.builder import Rewriter

_SLT, _SGE = 2, 5
Annotate = Callable[[Operation, str, int], None]
Predicate = Callable[["Rewriter", Operation, SSAValue], "Operation | None"]


class CannotPipelineError(Exception):
    """The loop is not one that can be pipelined; `changed` says if it was already changed."""

    def __init__(self, *, changed: bool) -> None:
        super().__init__("the loop cannot be pipelined")
        self.changed = changed


class Options:
    """A schedule, as pairs of operation and stage in the order of the kernel, and hooks.

    `annotate(op, part, iteration)` is called for every operation made ("prologue", "kernel",
    "epilogue"); `predicate(rw, op, condition)` gives the operation that acts only under the
    condition, or None if there is none. Without `predicate` the epilogue must be peeled.
    """

    __slots__ = ("annotate", "peel_epilogue", "predicate", "schedule", "supports_dynamic")

    def __init__(
        self,
        schedule: Sequence[tuple[Operation, int]],
        *,
        annotate: Annotate | None = None,
        predicate: Predicate | None = None,
        peel_epilogue: bool = True,
        supports_dynamic: bool = False,
    ) -> None:
        self.schedule = schedule
        self.annotate = annotate
        self.predicate = predicate
        self.peel_epilogue = peel_epilogue
        self.supports_dynamic = supports_dynamic


class _LiveRange:
    __slots__ = ("defined", "last_use")

    def __init__(self, defined: int) -> None:
        self.defined = defined
        self.last_use = 0


def pipeline_loop(rw: Rewriter, loop: Operation, options: Options) -> Operation:
    """Pipelines `loop` and returns the kernel. Raises `CannotPipelineError`."""
    return _Pipeliner(rw, loop, options).run()


class _Pipeliner:
    def __init__(self, rw: Rewriter, loop: Operation, options: Options) -> None:
        self.rw = rw
        self.loop = loop
        self.options = options
        self.body: Block = loop.regions[0].block
        self.lower, self.upper, self.step = loop.operands[:3]
        self.inits = list(loop.operands[3:])
        self.iv = self.body.args[0]
        self.carried = list(self.body.args[1:])
        terminator = self.body.last_op
        assert terminator is not None
        self.yielded = list(terminator.operands)
        self.stages = dict(options.schedule)
        self.order = [op for op, _ in options.schedule]
        self.last = max((stage for _, stage in options.schedule), default=0)
        self.dynamic = False
        #: Value of the loop -> its versions; the index counts iterations.
        self.versions: dict[SSAValue, list[SSAValue | None]] = {}

    def run(self) -> Operation:
        self._check()
        self.rw.location = self.loop.location
        self.rw.before(self.loop)
        self._prologue()
        cross_stage = self._cross_stage_values()
        positions: dict[tuple[SSAValue, int], int] = {}
        kernel = self._kernel_loop(cross_stage, positions)
        self._kernel(kernel, cross_stage, positions)
        results: list[SSAValue] = list(kernel.results[: len(self.loop.results)])
        if self.options.peel_epilogue:
            self.rw.after(kernel)
            results = self._epilogue(results)
        self.rw.replace(self.loop, results)
        return kernel

    # --- before --------------------------------------------------------------------------------
    def _check(self) -> None:
        options = self.options
        bounds = [int_of(v) for v in (self.lower, self.upper, self.step)]
        self.dynamic = True
        if all(b is not None for b in bounds):
            lower, upper, step = bounds
            if step and -((lower - upper) // step) >= self.last:  # type: ignore[operator]
                self.dynamic = False
        if self.dynamic and not options.supports_dynamic:
            raise CannotPipelineError(changed=False)
        if (not options.peel_epilogue or self.dynamic) and options.predicate is None:
            raise CannotPipelineError(changed=False)
        if not options.schedule:
            raise CannotPipelineError(changed=False)
        for value in self.yielded:
            # Carried from the iteration before, or always the same.
            if value.owner not in self.stages and not self._is_outside(value):
                raise CannotPipelineError(changed=False)

    def _is_outside(self, value: SSAValue) -> bool:
        owner = value.owner
        return isinstance(owner, Operation) and owner.parent is not self.body

    # --- parts ---------------------------------------------------------------------------------
    def _prologue(self) -> None:
        rw = self.rw
        for argument, init in zip(self.carried, self.inits, strict=True):
            self._set(argument, init, 0)
        for argument, value in zip(self.carried, self.yielded, strict=True):
            if value.owner not in self.stages:
                for version in range(1, self.last + 1):
                    self._set(argument, value, version)
        predicates: list[SSAValue] = []
        for part in range(self.last):
            if self.dynamic:
                predicates.append(self._compare(self._iteration(part), self.upper))
            self._set(self.iv, self._iteration(part), part)
            for op in self.order:
                stage = self.stages[op]
                if stage > part:
                    continue
                version = part - stage
                new = self._clone(op, version)
                if predicates:
                    assert self.options.predicate is not None
                    guarded = self.options.predicate(rw, new, predicates[version])
                    if guarded is None:
                        raise CannotPipelineError(changed=True)
                    new = guarded
                rw.after(new)
                self._annotate(new, "prologue", part)
                for old_result, result in zip(op.results, new.results, strict=True):
                    self._set(old_result, result, version)
                    for argument in self._carried_by(old_result):
                        self._set(argument, result, version + 1)

    def _cross_stage_values(self) -> dict[SSAValue, _LiveRange]:
        """Values that are used in a later stage than they are defined in."""
        found: dict[SSAValue, _LiveRange] = {}
        for op in self.order:
            stage = self.stages[op]
            for inner in op.walk():
                for operand in inner.operands:
                    definition, distance = self._definition(operand)
                    if definition is None or definition not in self.stages:
                        continue
                    defined = self.stages[definition]
                    if defined in (stage, stage + distance):
                        continue
                    info = found.setdefault(operand, _LiveRange(defined))
                    info.defined = defined
                    info.last_use = max(info.last_use, stage)
        return found

    def _definition(self, value: SSAValue) -> tuple[Operation | None, int]:
        """The operation of the loop that defines `value`, and how many iterations ago."""
        if isinstance(value, BlockArgument):
            if value.block is not self.body or value.index == 0:
                return None, 0
            owner = self.yielded[value.index - 1].owner
            return (owner if isinstance(owner, Operation) else None), 1
        owner = value.owner
        return (owner if isinstance(owner, Operation) else None), 0

    def _kernel_loop(
        self,
        cross_stage: dict[SSAValue, _LiveRange],
        positions: dict[tuple[SSAValue, int], int],
    ) -> Operation:
        rw = self.rw
        arguments: list[SSAValue] = []
        for argument, value in zip(self.carried, self.yielded, strict=True):
            stage = self.stages.get(value.owner)  # type: ignore[arg-type]
            version = 0 if stage is None else self.last - stage
            arguments.append(self._get(argument, version))
        for value, info in cross_stage.items():
            span = info.last_use - info.defined
            for index in range(span):
                positions[value, span - index] = len(arguments)
                arguments.append(self._get(value, self.last - info.last_use + index))
        upper = self.upper
        if self.options.peel_epilogue:
            steps = self._binary("muli", self.step, self._constant(self.last))
            upper = self._binary("subi", self.upper, steps)
        block = Block(arg_types=[self.iv.type, *[v.type for v in arguments]])
        return rw.create(
            "scf.for",
            [self.lower, upper, self.step, *arguments],
            [v.type for v in arguments],
            attributes=self.loop.attributes,
            regions=[Region(block)],
        )

    def _kernel(
        self,
        kernel: Operation,
        cross_stage: dict[SSAValue, _LiveRange],
        positions: dict[tuple[SSAValue, int], int],
    ) -> None:
        rw = self.rw
        self.versions = {}
        block: Block = kernel.regions[0].block
        rw.at_end(block)
        iv, carried = block.args[0], block.args[1:]
        mapping: dict[SSAValue, SSAValue] = {self.iv: iv}
        mapping.update(zip(self.carried, carried, strict=False))
        predicates: dict[int, SSAValue] = {}
        if not self.options.peel_epilogue:
            for stage in range(self.last):
                back = self._binary("muli", self.step, self._constant(self.last - stage))
                limit = self._binary("subi", self.upper, back)
                predicates[stage] = self._compare(iv, limit)
        for op in self.order:
            new = self._kernel_op(op, block, mapping, positions)
            predicate = predicates.get(self.stages[op])
            if predicate is not None:
                assert self.options.predicate is not None
                rw.before(new)
                guarded = self.options.predicate(rw, new, predicate)
                if guarded is None:
                    raise CannotPipelineError(changed=True)
                new = guarded
            mapping.update(zip(op.results, new.results, strict=True))
            rw.at_end(block)
            self._annotate(new, "kernel", 0)
        rw.location = self.loop.location
        self._yield(kernel, block, cross_stage, mapping, predicates)

    def _kernel_op(
        self,
        op: Operation,
        block: Block,
        mapping: dict[SSAValue, SSAValue],
        positions: dict[tuple[SSAValue, int], int],
    ) -> Operation:
        """A copy of `op` for the kernel; operands of other stages are what the loop carries."""
        rw = self.rw
        stage = self.stages[op]
        carried = block.args[1:]
        new = clone_operation(op, dict(mapping))
        rw.at_end(block)
        rw.insert(new)
        for old, copy in zip(list(op.walk()), list(new.walk()), strict=True):
            for index, operand in enumerate(old.operands):
                if operand is self.iv:
                    rw.before(new)
                    offset = self._binary("muli", self.step, self._constant(self.last - stage))
                    copy.operands[index] = self._binary("addi", block.args[0], offset)
                    continue
                source = operand
                if isinstance(source, BlockArgument) and source.block is self.body:
                    source = self.yielded[source.index - 1]
                    defined = self.stages.get(source.owner)  # type: ignore[arg-type]
                    if defined is None or defined == stage:
                        continue
                    if defined == stage + 1:
                        copy.operands[index] = mapping.get(source, source)
                        continue
                defined = self.stages.get(source.owner)  # type: ignore[arg-type]
                if defined is None or defined == stage:
                    continue
                copy.operands[index] = carried[positions[operand, stage - defined]]
        return new

    def _yield(
        self,
        kernel: Operation,
        block: Block,
        cross_stage: dict[SSAValue, _LiveRange],
        mapping: dict[SSAValue, SSAValue],
        predicates: dict[int, SSAValue],
    ) -> None:
        rw = self.rw
        values: list[SSAValue] = []
        for index, value in enumerate(self.yielded):
            source = mapping.get(value, value)
            used = self.loop.results[index].first_use is not None
            if not self.options.peel_epilogue and used:
                stage = self.stages.get(value.owner)  # type: ignore[arg-type]
                if stage is not None and stage < self.last:
                    old = block.args[index + 1]
                    source = select(rw, predicates[stage], source, old)
            values.append(source)
        for value, info in cross_stage.items():
            version = self.last - info.last_use + 1
            for _ in range(1, info.last_use - info.defined):
                self._set(value, kernel.results[len(values)], version)
                version += 1
                values.append(block.args[len(values) + 2])
            self._set(value, kernel.results[len(values)], version)
            values.append(mapping.get(value, value))
        for index, value in enumerate(self.yielded):
            stage = self.stages.get(value.owner)  # type: ignore[arg-type]
            if stage is None:
                for version in range(1, self.last + 1):
                    self._set(self.carried[index], kernel.results[index], version)
            elif stage > 0:
                self._set(self.carried[index], kernel.results[index], self.last - stage + 1)
        rw.create("scf.yield", values)

    def _epilogue(self, results: list[SSAValue]) -> list[SSAValue]:
        rw = self.rw
        returned = list(results)
        predicates = self._epilogue_iterations()
        for part in range(1, self.last + 1):
            live_out: dict[int, int] = {}
            for op in self.order:
                stage = self.stages[op]
                if stage < part:
                    continue
                version = self.last - stage + part
                new = self._clone(op, version)
                if predicates:
                    assert self.options.predicate is not None
                    guarded = self.options.predicate(rw, new, predicates[version - 1])
                    if guarded is None:
                        raise CannotPipelineError(changed=True)
                    new = guarded
                rw.after(new)
                self._annotate(new, "epilogue", part - 1)
                for old_result, result in zip(op.results, new.results, strict=True):
                    self._set(old_result, result, version)
                    for argument in self._carried_by(old_result):
                        returned[argument.index - 1] = result
                        live_out[argument.index - 1] = version
                        if version < self.last:
                            self._set(argument, result, version + 1)
            if predicates:
                self._select_live_out(live_out, returned, predicates)
        return returned

    def _select_live_out(
        self, live_out: dict[int, int], returned: list[SSAValue], predicates: list[SSAValue]
    ) -> None:
        """What the loop returns comes from the last part that is run at all."""
        for index, version in live_out.items():
            argument = self.carried[index]
            operands = [predicates[version - 1], returned[index], self._get(argument, version)]
            returned[index] = self.rw.value("arith.select", operands, returned[index].type)
            if version < self.last:
                self._set(argument, returned[index], version + 1)

    def _epilogue_iterations(self) -> list[SSAValue]:
        """Sets the induction variable of each part; returns, for a loop whose number of iterations
        is not known, the condition under which the part is run."""
        rw = self.rw
        zero, one = self._constant(0), self._constant(1)
        is_down = self._compare(self.step, zero)
        back = select(rw, is_down, one, self._constant(-1))
        span = self._binary("subi", self.upper, self.lower)
        span = self._binary("addi", self._binary("addi", span, self.step), back)
        count = self._binary("divsi", span, self.step)
        start = self._binary("subi", count, self._constant(self.last))
        at = self._binary("maxsi", zero, start)
        predicates: list[SSAValue] = []
        for part in range(1, self.last + 1):
            value = self._binary("addi", self.lower, self._binary("muli", self.step, at))
            self._set(self.iv, value, part)
            at = self._binary("addi", at, one)
            if self.dynamic:
                predicates.append(self._compare(count, self._constant(part), _SGE))
        return predicates

    # --- small ---------------------------------------------------------------------------------
    def _clone(self, op: Operation, version: int) -> Operation:
        """A copy of `op` at the insertion point, with that version of its operands."""
        new = clone_operation(op)
        inside = set(new.walk())
        for copy in inside:
            for index, operand in enumerate(copy.operands):
                if operand in self.versions:
                    copy.operands[index] = self._get(operand, version)
        self.rw.insert(new)
        return new

    def _carried_by(self, result: SSAValue) -> list[BlockArgument]:
        return [a for a, v in zip(self.carried, self.yielded, strict=True) if v is result]

    def _set(self, value: SSAValue, version: SSAValue, index: int) -> None:
        known = self.versions.setdefault(value, [None] * (self.last + 1))
        known[index] = version

    def _get(self, value: SSAValue, index: int) -> SSAValue:
        version = self.versions[value][index]
        if version is None:
            raise CannotPipelineError(changed=True)
        return version

    def _annotate(self, op: Operation, part: str, iteration: int) -> None:
        if self.options.annotate is not None:
            self.options.annotate(op, part, iteration)
        self.rw.location = self.loop.location

    def _iteration(self, number: int) -> SSAValue:
        """The induction variable of iteration `number`."""
        return self._binary(
            "addi", self.lower, self._binary("muli", self.step, self._constant(number))
        )

    def _constant(self, value: int) -> SSAValue:
        ty = cast("IntegerType | IndexType", self.iv.type)
        return attribute_constant(self.rw, IntegerAttr(value, ty), ty)

    def _binary(self, name: str, left: SSAValue, right: SSAValue) -> SSAValue:
        return self.rw.value(f"arith.{name}", [left, right], self.iv.type)

    def _compare(self, left: SSAValue, right: SSAValue, predicate: int = _SLT) -> SSAValue:
        properties: dict[str, IntegerAttr] = {"predicate": IntegerAttr(predicate, i64)}
        return self.rw.value("arith.cmpi", [left, right], i1, properties)
