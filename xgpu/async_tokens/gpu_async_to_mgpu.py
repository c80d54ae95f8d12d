# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`gpu-async-to-mgpu`: tokens to streams and events.

    %t = gpu.launch_func async @k::@a ..              %s = mgpu.stream_create
    %u = gpu.launch_func async @k::@b ..              %r = mgpu.stream_create
    %v = gpu.launch_func async [%t, %u] @k::@c ..     %e = mgpu.event_create
    gpu.wait [%v]                                     mgpu.launch %s, %a ..
                                                      mgpu.launch %r, %b ..
                                                      mgpu.event_record %e, %r
                                                      mgpu.stream_wait_event %s, %e
                                                      mgpu.launch %s, %c ..
                                                      mgpu.stream_synchronize %s
                                                      .. and the three are destroyed

Takes operations with any number of dependencies, asynchronous or not. How tokens are lowered, and
what holds of the result, is told in docs/architecture.md. xgpu's own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.ir import Operation, Region

from xgpu.async_tokens.points import Unit, is_gpu_token, units
from xgpu.async_tokens.units import Builder
from xgpu.ir.errors import Diagnostic
from xgpu.passes.base import Option, Pass
from xgpu.rewriting.rewriter import Rewriter
from xgpu.syntax.diagnostics import emit

if TYPE_CHECKING:
    from xdsl.context import Context

    from xgpu.async_tokens.graph_runs import Run
    from xgpu.async_tokens.graphs import Graphs
    from xgpu.async_tokens.points import Point


class GpuAsyncToMgpu(Pass):
    name = "gpu-async-to-mgpu"
    summary = "Lower async tokens to streams and events of the runtime"
    anchor = "builtin.module"
    options = (
        Option(
            "assign",
            str,
            "min-streams",
            "What to have few of, where work may overlap; exact: a stream for each operation, so "
            "that nothing orders but tokens.",
            ("min-streams", "min-events", "exact"),
        ),
        Option("max-streams", int, 0, "At most so many streams a function; 0 for no limit."),
        Option(
            "mode",
            str,
            "streams",
            "Launch each operation on a stream, or those that can be together as a graph.",
            ("streams", "graph"),
        ),
        Option("locations", bool, False, "Tell the runtime the place of each operation."),
    )

    assign: str
    max_streams: int
    mode: str
    locations: bool

    def run(self, op: Operation, ctx: Context) -> None:
        from xgpu.async_tokens.tokens import drop_tokens, retype_signatures

        regions = [region for region in units(op) if _has_tokens(region)]
        dead: list[Operation] = []
        graphs = None
        if self.mode == "graph":
            from xgpu.async_tokens.graphs import Graphs

            graphs = Graphs(op)
        for region in regions:
            dead += self._lower(region, graphs)
        if graphs is not None:
            graphs.finish()
        for gone in dead:
            gone.operands = ()
        for region in regions:
            drop_tokens(region)
        for gone in reversed(dead):
            Rewriter(gone).erase(gone)
        retype_signatures(op)

    def _lower(self, region: Region, graphs: Graphs | None) -> list[Operation]:
        """Lowers one unit; the operations that are replaced."""
        if self.assign == "exact":
            from xgpu.async_tokens.exact import lower_exactly

            return lower_exactly(region, self.locations)
        from xgpu.async_tokens.calls import end_events
        from xgpu.async_tokens.emission import Emission
        from xgpu.async_tokens.streams import Streams

        unit = Builder(region).build()
        if not unit.points or _is_one_launch(unit):
            return []
        runs: dict[Point, Run] = {}
        if graphs is not None:
            from xgpu.async_tokens.graph_runs import form_runs

            formed, refused = form_runs(unit)
            runs = dict(formed)
            for op, why in refused:
                text = f"'{op.name}' runs on a stream and not in a graph: {why}"
                emit(Diagnostic("remark", text, op.location))
        streams = Streams(unit, few_events=self.assign == "min-events", limit=self.max_streams)
        emission = Emission(unit, streams, annotate=self.locations, graphs=graphs, runs=runs)
        dead = emission.run()
        end_events(unit)
        return dead


def _has_tokens(region: Region) -> bool:
    """Whether anything in a unit works on the device, or has a token from elsewhere."""
    return any(map(is_gpu_token, region.blocks[0].args)) or any(
        op.name.startswith("gpu.") or any(map(is_gpu_token, op.results))
        for block in region.blocks
        for op in block.walk()
    )


def _is_one_launch(unit: Unit) -> bool:
    """Whether all there is to do is one synchronous launch, once: it stays, for a stream of its
    own is what it means already."""
    if len(unit.points) != 1:
        return False
    (point,) = unit.points
    op = point.op
    return (
        point.is_sync
        and op is not None
        and op.name == "gpu.launch_func"
        and not any(map(is_gpu_token, op.operands))
        and len(unit.region.blocks) == 1
        and op.parent is unit.region.blocks[0]
    )
