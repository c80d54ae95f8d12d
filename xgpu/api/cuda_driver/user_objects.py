# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""User objects: what programs let graphs hold, and which is destroyed with its last reference."""

from __future__ import annotations

from collections import Counter

from xgpu.api.cuda_driver.graphs import Graph, UserObject
from xgpu.api.cuda_driver.header import require
from xgpu.api.cuda_driver.state import Driver
from xgpu.api.cuda_driver.table import Needs, entry

_NO_DESTRUCTOR_SYNC = 1  # CUuserObject_flags
_MOVE = 1  # CUuserObjectRetain_flags
_MOST = (1 << 31) - 1


def _check_count(count: int) -> None:
    require(1 <= count <= _MOST, f"{count} references")


@entry(
    "cuUserObjectCreate(CUuserObject *object, void pointer[]?, CUhostFn destroy, "
    "unsigned int count, unsigned int flags)", needs=Needs.INIT, since=11030,
)  # fmt: skip
def create(driver: Driver, pointer: int, destructor: int, count: int, flags: int) -> int:
    require(destructor, "a pointer is null")
    _check_count(count)
    require(flags == _NO_DESTRUCTOR_SYNC, f"flags are {flags}")
    return driver.make(UserObject(driver, pointer, destructor, count))


@entry("cuUserObjectRetain(CUuserObject object, unsigned int count)", needs=Needs.INIT, since=11030)
def retain(driver: Driver, found: UserObject, count: int) -> None:
    _check_count(count)
    found.own += count
    found.add(count)


@entry(
    "cuUserObjectRelease(CUuserObject object, unsigned int count)", needs=Needs.INIT, since=11030
)
def release(driver: Driver, found: UserObject, count: int) -> None:
    _check_count(count)
    require(count <= found.own, "the program has fewer references")
    found.own -= count
    found.drop(count)


@entry(
    "cuGraphRetainUserObject(CUgraph graph, CUuserObject object, unsigned int count, "
    "unsigned int flags)", needs=Needs.INIT, since=11030,
)  # fmt: skip
def retain_in_graph(
    driver: Driver, graph: Graph, found: UserObject, count: int, flags: int
) -> None:
    _check_count(count)
    require(flags in (0, _MOVE), f"flags are {flags}")
    if flags:
        require(count <= found.own, "the program has fewer references")
        found.own -= count
    else:
        found.add(count)
    graph.objects[found] += count


@entry(
    "cuGraphReleaseUserObject(CUgraph graph, CUuserObject object, unsigned int count)",
    needs=Needs.INIT, since=11030,
)  # fmt: skip
def release_in_graph(driver: Driver, graph: Graph, found: UserObject, count: int) -> None:
    _check_count(count)
    require(count <= graph.objects[found], "the graph has fewer references")
    graph.objects -= Counter({found: count})
    found.drop(count)
