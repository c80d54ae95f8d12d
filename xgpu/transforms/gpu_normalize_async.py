# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`gpu-normalize-async`: every gpu operation that uses a stream takes exactly one token.

MLIR's `gpu-to-llvm` lowers allocations, copies and their like only if they are asynchronous with
one dependency, and leaves or rejects the other forms. Here

    gpu.memcpy %d, %s                      becomes  %t = gpu.wait async
                                                    %u = gpu.memcpy async [%t] %d, %s
                                                    gpu.wait [%u]
    %u = gpu.memcpy async [%a, %b] ...     becomes  %t = gpu.wait async [%a, %b]
                                                    %u = gpu.memcpy async [%t] ...

and likewise for no dependency at all. It runs right before `gpu-to-llvm`, since
`canonicalize` would fold such a wait again. xgpu's own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import DenseArrayBase, i32

from xgpu import ods
from xgpu.dialects.gpu.attributes import AsyncTokenType
from xgpu.transforms.base import Pass
from xgpu.transforms.rewriting import Rewriter

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.ir import Operation, SSAValue

#: Those whose synchronous form gpu-to-llvm lowers itself when nothing has to be waited for.
_SYNCHRONOUS = frozenset(("gpu.launch_func",))


class GpuNormalizeAsync(Pass):
    name = "gpu-normalize-async"
    summary = "Give every gpu operation that uses a stream exactly one async dependency"

    def run(self, op: Operation, ctx: Context) -> None:
        for inner in list(op.walk()):
            if inner.name != "gpu.wait" and _is_async(inner):
                _normalize(inner)


def _is_async(op: Operation) -> bool:
    if not op.name.startswith("gpu.") or op.name == "gpu.launch":
        return False
    spec = ods.op_spec(op.name)
    return spec is not None and "AsyncOpInterface" in spec.traits


def _normalize(op: Any) -> None:
    tokens: list[SSAValue] = list(op.async_dependencies)
    is_async = op.async_token is not None
    if is_async and len(tokens) == 1:
        return
    if not is_async and not tokens:
        shared_alloc = op.name == "gpu.alloc" and "hostShared" in op.properties
        if op.name in _SYNCHRONOUS or shared_alloc:
            return
    rw = Rewriter(op)
    token = tokens[0] if len(tokens) == 1 else rw.value("gpu.wait", tokens, AsyncTokenType())
    if op.name in _SYNCHRONOUS and not is_async:
        # Wait on the host for what it depends on; the launch then waits for itself.
        rw.create("gpu.wait", [token])
        _set_dependencies(op, [])
        return
    _set_dependencies(op, [token])
    if is_async:
        return
    rw.after(op)
    rw.create("gpu.wait", [_with_token(op)])


def _set_dependencies(op: Operation, tokens: list[SSAValue]) -> None:
    count = len(op.async_dependencies)  # pyright: ignore[reportAttributeAccessIssue]
    op.operands = [*tokens, *tuple(op.operands)[count:]]
    sizes: Any = op.properties.get("operandSegmentSizes")
    if sizes is not None:
        _, *rest = sizes.get_values()
        op.properties["operandSegmentSizes"] = DenseArrayBase.from_list(i32, [len(tokens), *rest])


def _with_token(op: Operation) -> SSAValue:
    """Replaces `op` with the same operation that has a token as its last result; the token."""
    new = op.__class__.create(
        operands=tuple(op.operands),
        result_types=[*(r.type for r in op.results), AsyncTokenType()],
        properties=op.properties,
        attributes=op.attributes,
        location=op.location,
    )
    rw = Rewriter(op)
    rw.insert(new)
    for old, value in zip(op.results, new.results[:-1], strict=True):
        old.replace_all_uses_with(value)
    rw.erase(op)
    return new.results[-1]
