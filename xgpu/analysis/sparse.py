# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Forward data flow along values, through live code only, and the domain of constants.

A `Solver` finds which blocks can be reached and, for each of its domains, what is known of each
value: MLIR's DataFlowSolver with dead code analysis and sparse forward analyses. The first domain
is that of constants, which decide branches. Values start as unknown-to-be-reached (no entry); what
is known only ever gets weaker, until nothing changes.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Any, cast

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from xgpu.core.ir import region_flow
from xgpu.core.ir.calls import CallGraph, call_arguments, is_call, is_return
from xgpu.core.ir.constants import constant_value, int_value, is_constant_op
from xgpu.core.ir.construction import next_use
from xgpu.core.ir.elements import values_of
from xgpu.core.ir.op_info import op_info
from xgpu.core.ir.region_flow import successor_operands


class Domain:
    """What is known of values, and how operations change it."""

    def __init__(self) -> None:
        self.known: dict[SSAValue, Any] = {}
        self.solver: Solver

    def entry(self, value: SSAValue) -> Any:
        """What is known of a value of which nothing can be known; None to say nothing."""
        raise NotImplementedError

    def join(self, old: Any, new: Any) -> Any:
        """What holds if either does."""
        raise NotImplementedError

    def visit(self, op: Operation) -> None:
        """Learns of the results of `op`, which is no call and no region branch."""
        for result in op.results:
            self.learn(result, self.entry(result))

    def visit_arguments(self, op: Operation, index: int, arguments: Sequence[SSAValue]) -> None:
        """Learns of the arguments of region `index` that control flow does not give."""
        for argument in arguments:
            self.learn(argument, self.entry(argument))

    def updated(self, value: SSAValue, what: Any) -> None:
        """Called when `what` is now known of `value`."""

    def constant(self, value: SSAValue) -> Attribute | None:
        """The constant that `value` is known to be; asked of the first domain."""
        return None

    def learn(self, value: SSAValue, what: Any) -> None:
        """Joins `what` to what is known of `value`."""
        if what is None:
            return
        old = self.known.get(value)
        new = what if old is None else self.join(old, what)
        if old is not None and new == old:
            return
        self.known[value] = new
        self.updated(value, new)
        self.solver.changed(value)


class Solver:
    """Runs the domains over what is inside of one operation."""

    def __init__(self, *domains: Domain) -> None:
        self.domains = domains
        self.live: set[Block] = set()
        self.edges: set[tuple[Operation, int]] = set()
        self.work: deque[Operation] = deque()
        self.queued: set[Operation] = set()
        self.calls: CallGraph

    def run(self, top: Operation) -> None:
        for domain in self.domains:
            domain.solver = self
        self.calls = CallGraph(top)
        for region in top.regions:
            self._open(top, region)
        work, queued = self.work, self.queued
        while work:
            op = work.popleft()
            queued.discard(op)
            if op.parent in self.live:
                self._visit(op)

    def push(self, op: Operation) -> None:
        if op not in self.queued:
            self.queued.add(op)
            self.work.append(op)

    def changed(self, value: SSAValue) -> None:
        """Puts the users of `value` on the worklist."""
        use = value.first_use
        users: list[Operation] = []
        while use is not None:
            users.append(use.operation)
            use = next_use(use)
        for user in reversed(users):
            self.push(user)

    def enter(self, block: Block) -> None:
        """Marks `block` as one that can be reached."""
        if block not in self.live:
            self.live.add(block)
            for op in block.ops:
                self.push(op)

    def _open(self, op: Operation, region: Region) -> None:
        """Enters a region of an operation of which no control flow is known."""
        block = region.first_block
        if block is None:
            return
        if block.args:
            index = op.regions.index(region)
            for domain in self.domains:
                domain.visit_arguments(op, index, block.args)
        self.enter(block)

    # --- operations -----------------------------------------------------------------------------
    def _visit(self, op: Operation) -> None:
        if is_call(op):
            self._visit_call(op)
            return
        if region_flow.is_region_branch(op):
            self._visit_region_branch(op)
        elif op.regions:
            self._visit_regions(op)
        if op.successors:
            self._visit_branch(op)
        elif op.name in region_flow.REGION_ENDS:
            parent = op.parent_op()
            if parent is not None and region_flow.is_region_branch(parent):
                self._follow(parent, op)
        elif is_return(op):
            self._visit_return(op)
        if op.results and not region_flow.is_region_branch(op):
            for domain in self.domains:
                domain.visit(op)

    def _visit_regions(self, op: Operation) -> None:
        sites = self.calls.sites(op)
        if sites is not None:
            for site in sites:
                if site.parent in self.live:
                    self._pass_arguments(site, op)
            return
        for region in op.regions:
            self._open(op, region)

    def _constants(self, op: Operation) -> list[Attribute | None] | None:
        """The constants that the operands are; None if some were not reached yet."""
        domain = self.domains[0]
        if any(domain.known.get(operand) is None for operand in op.operands):
            return None
        return [domain.constant(operand) for operand in op.operands]

    def _visit_region_branch(self, op: Operation) -> None:
        self._follow(op, op)

    def _follow(self, op: Operation, end: Operation) -> None:
        constants = self._constants(end)
        if constants is None:
            return
        for flow in region_flow.edges(op, end, constants):
            for domain in self.domains:
                known = domain.known
                for operand, value in zip(flow.operands, flow.inputs, strict=False):
                    domain.learn(value, known.get(operand))
                self._rest(domain, op, flow)
            if flow.target is not None:
                block = op.regions[flow.target].first_block
                assert block is not None
                self.enter(block)

    def _rest(self, domain: Domain, op: Operation, flow: region_flow.Flow) -> None:
        """Values at the end of an edge that the edge does not give."""
        if flow.target is None:
            if len(flow.operands) < len(op.results):
                for result in op.results:
                    domain.learn(result, domain.entry(result))
            return
        block = op.regions[flow.target].first_block
        assert block is not None
        given = set(flow.inputs)
        rest = [a for a in block.args if a not in given]
        if rest:
            domain.visit_arguments(op, flow.target, rest)

    def _visit_branch(self, op: Operation) -> None:
        for index in self._taken(op):
            block = op.successors[index]
            self.edges.add((op, index))
            passed = successor_operands(op, index)
            for domain in self.domains:
                if passed is None:
                    for argument in block.args:
                        domain.learn(argument, domain.entry(argument))
                    continue
                for argument, operand in zip(block.args, passed, strict=False):
                    domain.learn(argument, domain.known.get(operand))
            self.enter(block)

    def _taken(self, op: Operation) -> Sequence[int]:
        """Which successors of `op` can follow."""
        every = range(len(op.successors))
        if op.name in ("cf.cond_br", "cf.switch", "llvm.cond_br", "llvm.switch"):
            constants = self._constants(op)
            if constants is None:
                return ()
            value = int_value(constants[0])
            if value is None:
                return every
            if op.name.endswith("cond_br"):
                return (0,) if value else (1,)
            cases = cast("DenseIntOrFPElementsAttr | None", op.properties.get("case_values"))
            values = [] if cases is None else [*values_of(cases)]
            return (values.index(value) + 1 if value in values else 0,)
        return every

    # --- calls ----------------------------------------------------------------------------------
    def _visit_call(self, op: Operation) -> None:
        function = self.calls.callee(op)
        if function is not None and self.calls.sites(function) is not None:
            self._pass_arguments(op, function)
        returns = None if function is None else self.calls.returns(function)
        for domain in self.domains:
            if returns is None:
                for result in op.results:
                    domain.learn(result, domain.entry(result))
                continue
            for end in returns:
                if end.parent in self.live:
                    for result, operand in zip(op.results, end.operands, strict=False):
                        domain.learn(result, domain.known.get(operand))

    def _pass_arguments(self, site: Operation, function: Operation) -> None:
        block = function.regions[0].first_block
        if block is None:
            return  # a declaration
        for domain in self.domains:
            for argument, operand in zip(block.args, call_arguments(site), strict=False):
                domain.learn(argument, domain.known.get(operand))
        self.enter(block)

    def _visit_return(self, op: Operation) -> None:
        function = op.parent_op()
        if function is not None:
            for site in self.calls.all_sites(function):
                self.push(site)


# -- Which values are constants: sparse conditional constant propagation's domain.


#: What is known of a value that is no constant.
VARIES = False


class Constant:
    """A constant, and the dialect whose operation gave it, which knows how to make an operation of
    it. The same constant of two dialects is one constant."""

    __slots__ = ("attribute", "dialect")

    def __init__(self, attribute: Attribute, op: Operation) -> None:
        self.attribute = attribute
        self.dialect = op.name.partition(".")[0]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Constant) and self.attribute == other.attribute

    def __hash__(self) -> int:
        return hash(self.attribute)


class ConstantDomain(Domain):
    """Each value is a `Constant`, or VARIES."""

    def entry(self, value: SSAValue) -> object:
        return VARIES

    def join(self, old: object, new: object) -> object:
        return old if old == new else VARIES

    def constant(self, value: SSAValue) -> Attribute | None:
        known = self.known.get(value)
        return known.attribute if isinstance(known, Constant) else None

    def dialect(self, value: SSAValue) -> str:
        """The dialect that a value's constant is from."""
        return self.known[value].dialect

    def visit(self, op: Operation) -> None:
        if is_constant_op(op):
            value = constant_value(op)
            self.learn(op.results[0], VARIES if value is None else Constant(value, op))
            return
        if op.regions:
            super().visit(op)
            return
        constants: list[Attribute | None] = []
        for operand in op.operands:
            known = self.known.get(operand)
            if known is None:
                return
            constants.append(known.attribute if isinstance(known, Constant) else None)
        folded = _fold(op, constants)
        if folded is None or len(folded) != len(op.results):
            super().visit(op)
            return
        for result, item in zip(op.results, folded, strict=True):
            if isinstance(item, SSAValue):
                what = self.known.get(item)
                self.learn(result, VARIES if what is None else what)
            else:
                self.learn(result, Constant(item, op))


def _fold(op: Operation, constants: list[Attribute | None]) -> list[SSAValue | Attribute] | None:
    """What `op` folds to, given what the operands are; `op` itself stays as it is."""
    folder = op_info(op.name).fold
    if folder is None:
        return None
    operands, properties = list(op.operands), dict(op.properties)
    attributes = dict(op.attributes)
    result: list[SSAValue | Attribute] | bool | None = folder(op, constants)
    # A fold may change the operation and then find a result as well.
    if result is True or op.properties != properties or len(op.operands) != len(operands):
        op.operands = operands
        op.properties = properties
        op.attributes = attributes
    return result if isinstance(result, list) else None
