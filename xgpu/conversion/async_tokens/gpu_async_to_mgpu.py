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
what holds of the result, is told in docs/concepts/async-tokens.md. xgpu's own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.ir import Operation, Region

from xgpu.conversion.async_tokens.points import ForeignLaunch, Work, is_gpu_token, units
from xgpu.conversion.async_tokens.token_view import TokenView
from xgpu.conversion.async_tokens.unit import Unit
from xgpu.conversion.async_tokens.units import Builder
from xgpu.core.ir.calls import is_function
from xgpu.core.ir.errors import Diagnostic
from xgpu.core.passes.base import Option, Pass
from xgpu.core.rewriting.rewriter import Rewriter
from xgpu.core.syntax.diagnostics import emit

if TYPE_CHECKING:
    from xdsl.context import Context

    from xgpu.conversion.async_tokens.graph_launches import Graphs


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
        Option("locations", bool, False, "Tell the runtime the location of each operation."),
    )

    assign: str
    max_streams: int
    mode: str
    locations: bool

    def run(self, op: Operation, ctx: Context) -> None:
        from xgpu.conversion.async_tokens.tokens import drop_tokens, retype_signatures

        regions = [region for region in units(op) if _has_tokens(region)]
        dead: list[Operation] = []
        graphs = None
        if self.mode == "graph":
            from xgpu.conversion.async_tokens.graph_launches import Graphs

            graphs = Graphs(op)
        views = _Views()
        for region in regions:
            dead += self._lower(region, graphs, views)
        if graphs is not None:
            graphs.finish()
        for gone in dead:
            gone.operands = ()
        for region in regions:
            drop_tokens(region)
        for gone in reversed(dead):
            Rewriter(gone).erase(gone)
        retype_signatures(op)

    def _lower(self, region: Region, graphs: Graphs | None, views: _Views) -> list[Operation]:
        """Lowers one unit; the operations that are replaced."""
        if self.assign == "exact":
            from xgpu.conversion.async_tokens.exact import lower_exactly

            return lower_exactly(region, self.locations)
        from xgpu.conversion.async_tokens.calls import end_events
        from xgpu.conversion.async_tokens.emission import Emission
        from xgpu.conversion.async_tokens.streams import Streams

        unit = Builder(region, views.of(region)).build()
        if not unit.points or _is_one_launch(unit):
            return []
        if graphs is not None:
            from xgpu.conversion.async_tokens.graph_runs import form_runs

            for op, why in form_runs(unit):
                text = f"'{op.name}' runs on a stream and not in a graph: {why}"
                emit(Diagnostic("remark", text, op.location))
        streams = Streams(unit, few_events=self.assign == "min-events", limit=self.max_streams)
        emission = Emission(unit, streams, annotate=self.locations, graphs=graphs)
        dead = emission.run()
        end_events(unit)
        return dead


class _Views:
    """The views of functions, each made when the first unit in it is lowered: what runs beside a
    function's thread is in the function's view too, and is as it was while others are lowered."""

    __slots__ = ("_views",)

    def __init__(self) -> None:
        self._views: dict[Operation, TokenView] = {}

    def of(self, region: Region) -> TokenView:
        """The view of the function that `region` is in."""
        function = region.parent
        assert function is not None
        while not is_function(function) and (parent := function.parent_op()) is not None:
            if parent.name == "builtin.module":
                break
            function = parent
        view = self._views.get(function)
        if view is None:
            view = self._views[function] = TokenView(function, host_accesses=False)
        return view


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
        isinstance(point, Work)
        and not isinstance(point, ForeignLaunch)
        and not point.is_async
        and op.name == "gpu.launch_func"
        and not any(map(is_gpu_token, op.operands))
        and len(unit.region.blocks) == 1
        and op.parent is unit.region.blocks[0]
    )
