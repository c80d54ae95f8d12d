# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls of functions that do nothing but launch a graph, in machine code: a builtin function for
CPython that reads the arguments as `object_launch` does, and launches the graph again where their
words are what they were when the program launched it last.

Who runs the program, or ends it, disarms the call first: the graph's nodes may be set to something
else then. That happens under the interpreter's lock, and waits for a launch that is under way.
"""

from __future__ import annotations

import ctypes
import time
from collections.abc import Callable, Sequence

from xgpu.runtime.cuda.direct_text import in_context
from xgpu.runtime.cuda.gate import Gate
from xgpu.runtime.cuda.object_launch import Expected, Layout, Plan, builtin, object_text
from xgpu.runtime.cuda.structures import DirectRecord, offset

_L = ctypes.c_uint64
#: The functions of `graph_call_text`.
GRAPH_LAUNCH, GRAPH_CALL = "xgpu_direct.graph", "xgpu_direct.graph_call"
#: What a call says: the program has to run; all is done; the graph is launched and runs.
NOT_MADE, DONE, RUNNING = 0, 1, 2


class _GraphPlan(Plan):
    """`graph` is the program's handle of the executable graph (its first word is the driver's), 0
    while the call is disarmed; `before` are the words that its nodes were set by."""

    _fields_ = (("graph", _L), ("before", _L), ("bytes", _L))


class GraphCall:
    """`call(*arguments)` says one of the above, as a number; it launches into `stream`, in the
    context in the cell at `context`, while `gate` is open. `words` are those of arguments like
    `expected`."""

    def __init__(
        self, entry: int, context: int, stream: int, words: bytes, expected: Sequence[Expected],
        array_type: type, gate: Gate,
    ) -> None:  # fmt: skip
        record = DirectRecord()
        record.context, record.stream, record.gate = context, stream, gate.address
        self._plan = _GraphPlan()
        self._before = ctypes.create_string_buffer(max(len(words), 8))
        self._plan.before, self._plan.bytes = ctypes.addressof(self._before), len(words)
        #: See above.
        self.call: Callable[..., int] = builtin(
            entry,
            self._plan,
            record,
            words,
            expected,
            array_type,
            kept=(self._before, gate),
        )

    def arm(self, graph: int, words: bytes) -> None:
        """The program has launched `graph` last, and has been called with `words`."""
        ctypes.memmove(self._before, words, len(words))
        self._plan.graph = graph

    def disarm(self) -> None:
        """Leave the next call to the program."""
        self._plan.graph = 0
        while self._plan.busy:
            time.sleep(0)  # another thread is launching


def graph_call_text(layout: Layout) -> str:
    """LLVM IR of the function."""
    return _TEXT + object_text(layout, GRAPH_CALL, GRAPH_LAUNCH, _ANSWER)


#: What the builtin function gives for the result of `_TEXT`.
_ANSWER = """
  %answer.said = add i32 %result, 1
  %answer.wide = sext i32 %answer.said to i64
  %answer = call ptr @PyLong_FromLong(i64 %answer.wide)
"""


def _loaded(name: str, structure: type[ctypes.Structure], type: str = "ptr") -> str:
    return (
        f"  %{name}.at = getelementptr i8, ptr %0, i64 {offset(structure, name)}\n"
        f"  %{name} = load {type}, ptr %{name}.at"
    )


_TEXT = f"""
{in_context(GRAPH_LAUNCH, "xgpu_direct.graph_here")}
declare i32 @cuGraphLaunch(ptr, ptr)
declare i32 @cuStreamQuery(ptr)
declare i32 @memcmp(ptr, ptr, i64)
declare ptr @PyLong_FromLong(i64)

define internal i32 @xgpu_direct.graph_here(ptr %0) {{
{_loaded("graph", _GraphPlan)}
  %disarmed = icmp eq ptr %graph, null
  br i1 %disarmed, label %slow, label %armed
armed:
{_loaded("before", _GraphPlan)}
{_loaded("words", _GraphPlan)}
{_loaded("bytes", _GraphPlan, "i64")}
  %difference = call i32 @memcmp(ptr %words, ptr %before, i64 %bytes)
  %same = icmp eq i32 %difference, 0
  br i1 %same, label %made, label %slow
made:
  %executable = load ptr, ptr %graph
  %marked = icmp eq ptr %executable, null
  br i1 %marked, label %slow, label %launch
launch:
{_loaded("stream", DirectRecord)}
  %launched = call i32 @cuGraphLaunch(ptr %executable, ptr %stream)
  %fine = icmp eq i32 %launched, 0
  br i1 %fine, label %ask, label %slow
ask:
  %state = call i32 @cuStreamQuery(ptr %stream)
  %busy = icmp ne i32 %state, 0
  %runs = zext i1 %busy to i32
  ret i32 %runs
slow:
  ret i32 -1
}}
"""
