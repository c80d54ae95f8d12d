# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions of the driver: what is given to a stream that captures becomes nodes of a graph."""

from __future__ import annotations

import ctypes

from xgpu.api.cuda_driver.graphs import Capture, Graph, Node, dependencies
from xgpu.api.cuda_driver.header import Refused, Result, require
from xgpu.api.cuda_driver.state import LEGACY, Context, Stream, thread_number
from xgpu.api.cuda_driver.table import entry

_WORD = ctypes.c_uint64
_NONE, _ACTIVE, _INVALIDATED = 0, 1, 2  # CUstreamCaptureStatus
_GLOBAL = 0  # CUstreamCaptureMode
_ADD, _SET = 0, 1  # CUstreamUpdateCaptureDependencies_flags


def _check_begin(context: Context, stream: Stream, mode: int) -> None:
    require(mode <= 2, f"no mode {mode}")
    legacy = stream.handle == LEGACY
    require(not legacy, "the legacy stream", Result.STREAM_CAPTURE_UNSUPPORTED)
    require(stream.capture is None, "the stream is capturing", Result.ILLEGAL_STATE)


@entry("cuStreamBeginCapture(CUstream stream)", since=10000)
def begin_capture_1(context: Context, stream: Stream) -> None:
    begin_capture(context, stream, _GLOBAL)


@entry("cuStreamBeginCapture_v2(CUstream stream, CUstreamCaptureMode mode)", since=10010)
def begin_capture(context: Context, stream: Stream, mode: int) -> None:
    _check_begin(context, stream, mode)
    graph = Graph(context.driver)
    context.driver.make(graph)
    graph.is_own = True  # until the capture ends
    Capture(graph, stream, mode, True)


@entry(
    "cuStreamBeginCaptureToGraph(CUstream stream, CUgraph graph, const CUgraphNode after[]?, "
    "const CUgraphEdgeData data[]?, size_t count, CUstreamCaptureMode mode)", since=12030,
)  # fmt: skip
def begin_capture_to(
    context: Context, stream: Stream, graph: Graph, where: int, data: int, count: int, mode: int
) -> None:
    _check_begin(context, stream, mode)
    after = dependencies(context.driver, graph, where, count)
    Capture(graph, stream, mode, False).join(stream, after)


@entry("cuStreamEndCapture(CUstream stream, CUgraph *graph?)", since=10000)
def end_capture(context: Context, stream: Stream) -> int:
    capture = stream.capture
    if not isinstance(capture, Capture):
        raise Refused(Result.ILLEGAL_STATE, "the stream is not capturing")
    of_stream = capture.origin is stream
    require(of_stream, "another stream began it", Result.STREAM_CAPTURE_UNMATCHED)
    same = capture.mode == 2 or capture.thread == thread_number()
    require(same, "another thread began it", Result.STREAM_CAPTURE_WRONG_THREAD)
    capture.end()
    if not capture.is_valid:
        _drop(capture)
        raise Refused(Result.STREAM_CAPTURE_INVALIDATED, "the capture failed")
    joined = set(_before(capture.streams[stream]))
    for other, last in capture.streams.items():
        if other is not stream and not joined.issuperset(last):
            _drop(capture)
            raise Refused(Result.STREAM_CAPTURE_UNJOINED, "a stream has not been joined")
    if capture.owns_graph:
        capture.graph.is_own = False
    return capture.graph.handle


def _drop(capture: Capture) -> None:
    if capture.owns_graph:
        capture.graph.destroy()
        capture.graph.driver.end(capture.graph)


def _before(ends: list[Node]) -> dict[Node, None]:
    """Nodes and all that they come after."""
    found: dict[Node, None] = {}
    waiting = list(ends)
    while waiting:
        node = waiting.pop()
        if node not in found:
            found[node] = None
            waiting += node.after
    return found


def _status(stream: Stream) -> int:
    capture = stream.capture
    return (
        _NONE if not isinstance(capture, Capture) else _ACTIVE if capture.is_valid else _INVALIDATED
    )


@entry("cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus *status)", since=10000)
def is_capturing(context: Context, stream: Stream) -> int:
    return _status(stream)


@entry(
    "cuStreamGetCaptureInfo(CUstream stream, CUstreamCaptureStatus *status, cuuint64_t *id?)",
    since=10010,
)  # fmt: skip
def capture_info_1(context: Context, stream: Stream) -> tuple[int, int]:
    return _status(stream), stream.capture.number if stream.capture is not None else 0


def _declare_capture_info(version: str, since: int, data: str) -> None:
    @entry(
        f"cuStreamGetCaptureInfo{version}(CUstream stream, CUstreamCaptureStatus *status, "
        f"cuuint64_t *id?, CUgraph *graph?, void **after?, {data}size_t *count?)", since=since,
    )  # fmt: skip
    def capture_info(context: Context, stream: Stream) -> tuple[int, ...]:
        capture = stream.capture
        nothing = (0,) if data else ()
        if not isinstance(capture, Capture):
            return _NONE, 0, 0, 0, *nothing, 0
        handles = [node.handle for node in capture.streams[stream]]
        capture.listed = (_WORD * len(handles))(*handles)
        where = ctypes.addressof(capture.listed)
        edges: tuple[int, ...] = ()
        if data:  # each edge has a structure of 8 bytes, all zero: the node waits for all of it
            capture.edges = (_WORD * len(handles))()
            edges = (ctypes.addressof(capture.edges),)
        return _status(stream), capture.number, capture.graph.handle, where, *edges, len(handles)


def _declare_update(version: str, since: int, data: str) -> None:
    @entry(
        f"cuStreamUpdateCaptureDependencies{version}(CUstream stream, "
        f"CUgraphNode dependencies[]?, {data}size_t count, unsigned int flags)", since=since,
    )  # fmt: skip
    def update(context: Context, stream: Stream, where: int, *given: int) -> None:
        """What the stream's next node comes after, besides or instead of its last one."""
        count, flags = given[-2:]
        require(flags in (_ADD, _SET), f"flags are {flags}")
        capture = stream.capture
        if not isinstance(capture, Capture):
            raise Refused(Result.ILLEGAL_STATE, "the stream is not capturing")
        before = [] if flags == _SET else capture.streams[stream]
        nodes = dependencies(context.driver, capture.graph, where, count)
        capture.streams[stream] = list(dict.fromkeys((*before, *nodes)))


_declare_update("", 11030, "")
_declare_update("_v2", 12030, "const CUgraphEdgeData data[]?, ")
_declare_capture_info("_v2", 11030, "")
_declare_capture_info("_v3", 12030, "void **data?, ")
