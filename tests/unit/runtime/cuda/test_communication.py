# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Communication of the cuda device, over an NCCL that only keeps books, and ranks by hand."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Callable, Sequence

import pytest

pytest.importorskip("cuda.bindings.driver", reason="needs cuda-python")

from tests.support.fake_nccl import FakeNccl
from xgpu.core.ir.errors import DeviceError
from xgpu.runtime import collectives
from xgpu.runtime.cuda import communication
from xgpu.runtime.cuda.communication import Nccl
from xgpu.runtime.cuda.device import CudaDevice
from xgpu.runtime.cuda.driver import Driver
from xgpu.runtime.session import Session

F32, I64, SUM, MAX = 7, 4, 0, 2
WORLD = 0x44000000


class OneOfMany:
    """MPI for one of several ranks, whose first has sent what is in `sent`."""

    handle, in_place, status_ignore = 5, 0, 1

    def __init__(self, rank: int, size: int, sent: bytes = b"") -> None:
        self.numbers = {"MPI_Comm_rank": rank, "MPI_Comm_size": size}
        self.sent = sent

    def call(self, name: str, *arguments: int) -> None:
        if name in self.numbers:
            ctypes.c_int32.from_address(arguments[1]).value = self.numbers[name]
            return
        assert name == "MPI_Bcast"
        if self.sent:
            ctypes.memmove(arguments[0], self.sent, len(self.sent))

    def data_type(self, kind: str) -> int:
        return 1

    def reduction(self, name: str) -> int:
        return 1

    def queued(self, number: int, name: str, where: str, behind: Sequence[int]) -> None: ...

    def begins(self, number: int, where: str) -> None: ...

    def ends(self, number: int) -> None: ...


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch):
    made = FakeNccl()
    monkeypatch.setattr(communication, "load_nccl", lambda: Nccl(made))
    yield made
    assert made.violations == []
    assert made.depth == 0


@pytest.fixture
def among(fake, monkeypatch: pytest.MonkeyPatch) -> Callable[..., CudaDevice]:
    def make(rank: int, size: int, sent: bytes = b"") -> CudaDevice:
        ranks = OneOfMany(rank, size, sent)
        monkeypatch.setattr(collectives, "functions_for", lambda handle: ranks)
        return CudaDevice(Session(), Driver(fake))

    return make


def _names(library: FakeNccl) -> list[str]:
    return [name for name, _ in library.calls]


def test_a_collective_is_on_the_tokens_stream(among, library) -> None:
    device = among(0, 2)
    stream = device.mgpuStreamCreate()
    memory = device.mgpuMemAlloc(1024, 0, 0)
    device.mgpuCommAllReduce(memory, memory + 512, 128, F32, MAX, WORLD, stream)
    device.mgpuCommAllReduce(memory, memory, 128, F32, SUM, WORLD, stream)
    (comm,) = library.alive
    assert _names(library) == ["GetUniqueId", "CommInitRank", "AllReduce", "AllReduce"]
    assert library.calls[2][1] == (memory, memory + 512, 128, F32, MAX, comm, stream)
    device.close()
    assert not library.alive


def test_each_function_has_what_the_header_says(among, library) -> None:
    device = among(0, 4)
    a, b = device.mgpuMemAlloc(4096, 0, 0), device.mgpuMemAlloc(4096, 0, 0)
    device.mgpuCommReduceScatter(a, b, 8, I64, SUM, WORLD, 0)
    device.mgpuCommAllGather(b, a, 8, I64, WORLD, 0)
    device.mgpuCommBroadcast(a, 8, I64, 3, WORLD, 0)
    device.mgpuCommSend(a, 8, F32, 1, WORLD, 0)
    device.mgpuCommReceive(b, 8, F32, 1, WORLD, 0)
    (comm,) = library.alive
    assert library.calls[2:] == [
        ("ReduceScatter", (a, b, 8, I64, SUM, comm, 0)),
        ("AllGather", (b, a, 8, I64, comm, 0)),
        ("Broadcast", (a, a, 8, I64, 3, comm, 0)),
        ("Send", (a, 8, F32, 1, comm, 0)),
        ("Recv", (b, 8, F32, 1, comm, 0)),
    ]


def test_messages_of_a_group_and_all_to_all_are_one_group(among, library) -> None:
    device = among(0, 2)
    a, b = device.mgpuMemAlloc(4096, 0, 0), device.mgpuMemAlloc(4096, 0, 0)
    device.mgpuCommGroupStart(0)
    device.mgpuCommSend(a, 8, F32, 1, WORLD, 0)
    device.mgpuCommReceive(b, 8, F32, 1, WORLD, 0)
    device.mgpuCommGroupEnd(0)
    assert _names(library)[2:] == ["GroupStart", "Send", "Recv", "GroupEnd"]
    library.calls.clear()
    device.mgpuCommAllToAll(a, b, 16, F32, WORLD, 0)
    assert _names(library) == ["GroupStart", "Send", "Recv", "Send", "Recv", "GroupEnd"]
    assert [c[1][0] for c in library.calls[1:5]] == [a, b, a + 32, b + 32]


def test_the_unique_id_comes_from_the_first_rank(among, library) -> None:
    device = among(1, 2, b"\x5a" * 128)
    memory = device.mgpuMemAlloc(1024, 0, 0)
    device.mgpuCommAllReduce(memory, memory, 128, F32, SUM, WORLD, 0)
    assert _names(library) == ["CommInitRank", "AllReduce"]
    assert list(library.alive.values()) == [(1, 2)]


def test_an_error_has_its_name_and_words(among, library) -> None:
    device = among(0, 2)
    memory = device.mgpuMemAlloc(1024, 0, 0)
    library.fails["AllReduce"] = 5
    said = re.escape("ncclAllReduce failed with ncclInvalidUsage (words for 5)")
    with pytest.raises(DeviceError, match=said):
        device.mgpuCommAllReduce(memory, memory, 128, F32, SUM, WORLD, 0)
