# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The part of a kernel that brings a loop to its copies: what producers run.

That is the loops and conditions around the loop, with what their bounds and the copies' addresses
need, and nothing else. What is needed must be pure or read what the kernel does not write.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from xdsl.ir import Block, BlockArgument, Operation, Region, SSAValue

from xgpu.analysis.memory import SYNCHRONIZATION, accesses, operands_inside
from xgpu.core.ir.effects import is_memory_effect_free
from xgpu.core.ir.errors import error
from xgpu.dialects.gpu.ops import clone_with_locations

if TYPE_CHECKING:
    from xgpu.core.rewriting.rewriter import Rewriter

Mapping = dict[SSAValue, SSAValue]


class Producers:
    """Copies of what leads from a kernel's body to `loop`; `chain` are the operations around it,
    from the inside, `top` the outermost of them."""

    def __init__(
        self,
        kernel: Operation,
        loop: Operation,
        chain: Sequence[Operation],
        moved: Iterable[Operation],
    ) -> None:
        #: Operations of the kernel's body that producers do not come by.
        self.moved = set(moved)
        self.kernel = kernel
        self.loop = loop
        self.chain = list(chain)
        self.top = self.chain[-1] if self.chain else loop
        self.home = self.top.parent
        self.needed: set[Operation] = set()
        self.carried: dict[Operation, set[int]] = {op: set() for op in self.chain}
        self._seen: set[SSAValue] = set()

    # --- finding -------------------------------------------------------------------------------
    def need(self, values: Sequence[SSAValue]) -> None:
        """Adds what `values`, which copies use, come from."""
        pending = list(values)
        for op in self.chain:
            pending += op.operands[: 3 if op.name == "scf.for" else 1]
        while pending:
            value = pending.pop()
            if value in self._seen:
                continue
            self._seen.add(value)
            pending += self._behind(value)

    def _behind(self, value: SSAValue) -> list[SSAValue]:
        if isinstance(value, BlockArgument):
            loop = value.block.parent_op()
            if loop is None or loop not in self.carried or value.index == 0:
                return []
            return self._behind_carried(loop, value.index - 1)
        op = value.owner
        assert isinstance(op, Operation)
        if not self.kernel.is_ancestor(op) or self.loop.is_ancestor(op):
            return []
        if op.parent is self.home and op not in self.moved:
            return []
        if op in self.carried:
            return self._behind_carried(op, op.results.index(value))  # pyright: ignore
        if op not in self.needed:
            self._check(op)
            self.needed.add(op)
            return list(operands_inside(op))
        return []

    def _behind_carried(self, op: Operation, at: int) -> list[SSAValue]:
        """A value that an operation of the chain carries, or gives."""
        self.carried[op].add(at)
        found = [region.block.last_op.operands[at] for region in op.regions if region.blocks]  # pyright: ignore
        if op.name == "scf.for":
            found.append(op.operands[3 + at])
        return found

    def _check(self, op: Operation) -> None:
        found = list(accesses(op))
        reads = [a for a in found if a.kind == "read"]
        effects = not is_memory_effect_free(op)
        if effects and (not reads or len(reads) < len(found) or op.name in SYNCHRONIZATION):
            raise error(
                op,
                "is needed for the copies, which other warps make, and cannot be done there too: "
                "it has effects",
                [(self.loop.location, "the copies are in this loop")],
            )
        if not reads:
            return
        for other in self.kernel.walk():
            for access in () if other.regions else accesses(other):
                if access.kind == "write" and any(a.conflicts(access) for a in reads):
                    raise error(
                        op,
                        "is needed for the copies, which other warps make, and reads what this "
                        "kernel writes",
                        [(other.location, "written here")],
                    )

    # --- building ------------------------------------------------------------------------------
    def build(self, rw: Rewriter, mapping: Mapping, copies: Callable[[Mapping], None]) -> None:
        """Builds it at the rewriter's place, with `copies` in place of the loop."""
        assert self.home is not None
        self._fill(rw, self.home, mapping, copies)

    def _fill(
        self, rw: Rewriter, block: Block, mapping: Mapping, copies: Callable[[Mapping], None]
    ) -> None:
        for op in list(block.ops):
            if op is self.loop:
                copies(mapping)
            elif op in self.carried:
                self._around(rw, op, mapping, copies)
            elif op in self.needed:
                rw.insert(clone_with_locations(op, mapping))

    def _around(
        self, rw: Rewriter, op: Operation, mapping: Mapping, copies: Callable[[Mapping], None]
    ) -> None:
        """An operation of the chain, with what it has to carry."""
        kept = sorted(self.carried[op])
        regions: list[Region] = []
        for region in op.regions:
            old = region.block if region.blocks else None
            if old is None:
                regions.append(Region())
                continue
            arguments = [old.args[0], *(old.args[1 + at] for at in kept)] if old.args else []
            block = Block(arg_types=[argument.type for argument in arguments])
            mapping.update(zip(arguments, block.args, strict=True))
            with rw.inside(block):
                self._fill(rw, old, mapping, copies)
                rw.at_end(block)
                assert old.last_op is not None
                given = [mapping.get(v, v) for v in (old.last_op.operands[at] for at in kept)]
                rw.create("scf.yield", given)
            regions.append(Region(block))
        operands = list(op.operands)
        if op.name == "scf.for":
            operands = [*operands[:3], *(operands[3 + at] for at in kept)]
        results = [op.results[at] for at in kept]
        new = rw.create(
            op.name,
            [mapping.get(value, value) for value in operands],
            [result.type for result in results],
            op.properties,
            op.attributes,
            regions,
        )
        mapping.update(zip(results, new.results, strict=True))
