# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The sparse functions of the cuda device, over cuSPARSE and cuSPARSELt.

What MLIR's CUDA runtime does, and in the order of the stream that it is given, which that leaves
out. Products are alpha * A * B + beta * C with both 1; sparse products of sparse matrices have a
beta of 0. What a program does not destroy is destroyed when it ends.
"""

from __future__ import annotations

import contextlib
import ctypes
from collections.abc import Callable
from contextlib import AbstractContextManager

from xgpu.core.ir.errors import DeviceError
from xgpu.runtime.cuda.sparse_library import Library, load_sparse, load_sparse_lt
from xgpu.runtime.cuda.sparse_lt import SparseLt

_ROW_MAJOR, _FROM_ZERO, _DEFAULT = 2, 0, 0  # cusparseOrder_t, cusparseIndexBase_t, algorithms

# One and zero of each cudaDataType that is computed in: f16, bf16, f32, f64, and complex ones.
_ONES = {
    2: b"\x00\x3c", 14: b"\x80\x3f", 0: b"\x00\x00\x80\x3f", 1: bytes(6) + b"\xf0\x3f",
    6: b"\x00\x3c" + bytes(2), 15: b"\x80\x3f" + bytes(2), 4: b"\x00\x00\x80\x3f" + bytes(4),
    5: bytes(6) + b"\xf0\x3f" + bytes(8), 10: b"\x01" + bytes(3),
}  # fmt: skip


class SparseFunctions:
    """The functions of cuSPARSE and cuSPARSELt of the cuda device."""

    _ordinal: int
    _current: Callable[..., AbstractContextManager[None]]
    _home: Callable[[int], int]
    _now: dict[int, int]
    mgpuMemAlloc: Callable[[int, int, int], int]
    mgpuMemFree: Callable[[int, int], None]
    mgpuMemcpy: Callable[[int, int, int, int], None]
    mgpuStreamSynchronize: Callable[[int], None]

    def __init__(self) -> None:
        self._sparse: Library | None = None
        self._environments: dict[int, int] = {}  # by device
        self._operands: dict[int, tuple[str, int]] = {}  # object -> what destroys it, its device
        self._lt: SparseLt | None = None
        self._ones = {kind: ctypes.create_string_buffer(one) for kind, one in _ONES.items()}
        self._zero = ctypes.create_string_buffer(16)

    # -- environments

    def _environment(self, stream: int) -> int:
        """cuSPARSE's handle of the device of `stream`, which works in that stream from here on."""
        stream = self._now.get(stream, stream)
        home = self._home(stream)
        found = self._environments.get(home)
        if found is None:
            found = self._sparse_object("Create", on=home, doing="cuSPARSE")
            self._environments[home] = found
        self._library.call("SetStream", found, stream)
        return found

    @property
    def _library(self) -> Library:
        if self._sparse is None:
            self._sparse = load_sparse()
        return self._sparse

    def mgpuCreateSparseEnv(self) -> None:
        with self._current():
            self._environment(0)

    def mgpuDestroySparseEnv(self) -> None:
        found = self._environments.pop(self._ordinal, None)
        if found is not None:
            with self._current():
                self._library.call("Destroy", found)

    def _release_sparse(self) -> None:
        if self._lt is not None:
            self._lt.release()
        for handle, (name, home) in list(self._operands.items()):
            with contextlib.suppress(DeviceError), self._current(home):
                self._library.call(name, handle)
        for home, handle in self._environments.items():
            with contextlib.suppress(DeviceError), self._current(home):
                self._library.call("Destroy", handle)
        self._operands.clear()
        self._environments.clear()

    # -- objects

    def _sparse_object(self, name: str, *arguments: int, on: int, doing: str) -> int:
        """An object that `name` makes at the address that is its first argument."""
        place = ctypes.c_uint64(0)
        with self._current(on):
            self._library.call(name, ctypes.addressof(place), *arguments, doing=doing)
        return place.value

    def _make_operand(self, name: str, destroy: str, stream: int, *arguments: int) -> int:
        home = self._home(self._now.get(stream, stream))
        made = self._sparse_object(name, *arguments, on=home, doing=f"a sparse operand ({name})")
        self._operands[made] = (destroy, home)
        return made

    def _destroy_operand(self, handle: int) -> None:
        found = self._operands.pop(handle, None)
        if found is None:
            raise DeviceError(f"0x{handle:x} is no live object of cuSPARSE (destroyed already?)")
        with self._current(found[1]):
            self._library.call(found[0], handle)

    def mgpuCreateDnVec(self, size: int, values: int, kind: int, stream: int) -> int:
        return self._make_operand("CreateDnVec", "DestroyDnVec", stream, size, values, kind)

    def mgpuDestroyDnVec(self, vector: int, stream: int) -> None:
        self._destroy_operand(vector)

    def mgpuCreateDnMat(self, rows: int, columns: int, values: int, kind: int, stream: int) -> int:
        sizes = (rows, columns, columns)
        return self._make_operand(
            "CreateDnMat", "DestroyDnMat", stream, *sizes, values, kind, _ROW_MAJOR
        )  # fmt: skip

    def mgpuDestroyDnMat(self, matrix: int, stream: int) -> None:
        self._destroy_operand(matrix)

    def mgpuCreateCoo(
        self, rows: int, columns: int, count: int, row_indices: int, column_indices: int,
        values: int, index_kind: int, kind: int, stream: int,
    ) -> int:  # fmt: skip
        arrays = (row_indices, column_indices, values)
        kinds = (index_kind, _FROM_ZERO, kind)
        return self._make_operand(
            "CreateCoo", "DestroySpMat", stream, rows, columns, count, *arrays, *kinds
        )

    def mgpuCreateCooAoS(
        self, rows: int, columns: int, count: int, indices: int, values: int, index_kind: int,
        kind: int, stream: int,
    ) -> int:  # fmt: skip
        raise DeviceError(
            "cuSPARSE 12 has no matrices with both coordinates in one array: use gpu.create_coo"
        )

    def mgpuCreateCsr(
        self, rows: int, columns: int, count: int, positions: int, indices: int, values: int,
        position_kind: int, index_kind: int, kind: int, stream: int,
    ) -> int:  # fmt: skip
        return self._compressed(
            "CreateCsr", rows, columns, count, positions, indices, values, position_kind,
            index_kind, kind, stream,
        )  # fmt: skip

    def mgpuCreateCsc(
        self, rows: int, columns: int, count: int, positions: int, indices: int, values: int,
        position_kind: int, index_kind: int, kind: int, stream: int,
    ) -> int:  # fmt: skip
        return self._compressed(
            "CreateCsc", rows, columns, count, positions, indices, values, position_kind,
            index_kind, kind, stream,
        )  # fmt: skip

    def _compressed(
        self, name: str, rows: int, columns: int, count: int, positions: int, indices: int,
        values: int, position_kind: int, index_kind: int, kind: int, stream: int,
    ) -> int:  # fmt: skip
        arrays = (positions, indices, values)
        kinds = (position_kind, index_kind, _FROM_ZERO, kind)
        sizes = (rows, columns, count)
        return self._make_operand(name, "DestroySpMat", stream, *sizes, *arrays, *kinds)

    def mgpuCreateBsr(
        self, rows: int, columns: int, count: int, row_size: int, column_size: int,
        positions: int, indices: int, values: int, position_kind: int, index_kind: int, kind: int,
        stream: int,
    ) -> int:  # fmt: skip
        sizes = (rows, columns, count, row_size, column_size)
        kinds = (position_kind, index_kind, _FROM_ZERO, kind, _ROW_MAJOR)
        return self._make_operand(
            "CreateBsr", "DestroySpMat", stream, *sizes, positions, indices, values, *kinds
        )

    def mgpuDestroySpMat(self, matrix: int, stream: int) -> None:
        self._destroy_operand(matrix)

    def mgpuSpMatGetSize(
        self, matrix: int, rows: int, columns: int, count: int, stream: int
    ) -> None:
        with self._current(self._home(self._now.get(stream, stream))):
            self._library.call("SpMatGetSize", matrix, rows, columns, count)

    def mgpuSetCsrPointers(
        self, matrix: int, positions: int, indices: int, values: int, stream: int
    ) -> None:
        with self._current(self._home(self._now.get(stream, stream))):
            self._library.call("CsrSetPointers", matrix, positions, indices, values)

    # -- products

    def _factors(self, kind: int) -> tuple[int, int]:
        """Addresses of one and zero as numbers of a cudaDataType."""
        one = self._ones.get(kind)
        if one is None:
            raise DeviceError(f"cuSPARSE does not compute in the type {kind} (cudaDataType)")
        return ctypes.addressof(one), ctypes.addressof(self._zero)

    def _product(
        self, name: str, modes: tuple[int, ...], operands: tuple[int, ...], kind: int, last: int,
        stream: int,
    ) -> None:  # fmt: skip
        one, _ = self._factors(kind)
        first, second, result = operands
        with self._current(self._home(self._now.get(stream, stream))):
            environment = self._environment(stream)
            self._library.call(
                name, environment, *modes, one, first, second, one, result, kind, _DEFAULT, last
            )

    def _buffer_size(self, name: str, modes: tuple[int, ...], *rest: int) -> int:
        *operands, kind, stream = rest
        size = ctypes.c_uint64(0)
        self._product(
            f"{name}_bufferSize", modes, tuple(operands), kind, ctypes.addressof(size), stream
        )
        return size.value

    def mgpuSpMVBufferSize(self, mode: int, a: int, x: int, y: int, kind: int, stream: int) -> int:
        return self._buffer_size("SpMV", (mode,), a, x, y, kind, stream)

    def mgpuSpMV(
        self, mode: int, a: int, x: int, y: int, kind: int, buffer: int, stream: int
    ) -> None:
        self._product("SpMV", (mode,), (a, x, y), kind, buffer, stream)

    def mgpuSpMMBufferSize(
        self, mode_a: int, mode_b: int, a: int, b: int, c: int, kind: int, stream: int
    ) -> int:
        return self._buffer_size("SpMM", (mode_a, mode_b), a, b, c, kind, stream)

    def mgpuSpMM(
        self, mode_a: int, mode_b: int, a: int, b: int, c: int, kind: int, buffer: int, stream: int
    ) -> None:
        self._product("SpMM", (mode_a, mode_b), (a, b, c), kind, buffer, stream)

    def mgpuSDDMMBufferSize(
        self, mode_a: int, mode_b: int, a: int, b: int, c: int, kind: int, stream: int
    ) -> int:
        return self._buffer_size("SDDMM", (mode_a, mode_b), a, b, c, kind, stream)

    def mgpuSDDMM(
        self, mode_a: int, mode_b: int, a: int, b: int, c: int, kind: int, buffer: int, stream: int
    ) -> None:
        self._product("SDDMM", (mode_a, mode_b), (a, b, c), kind, buffer, stream)

    def mgpuSpGEMMCreateDescr(self, stream: int) -> int:
        return self._make_operand("SpGEMM_createDescr", "SpGEMM_destroyDescr", stream)

    def mgpuSpGEMMDestroyDescr(self, description: int, stream: int) -> None:
        self._destroy_operand(description)

    def _sparse_product(
        self, name: str, modes: tuple[int, int], operands: tuple[int, int, int], kind: int,
        rest: tuple[int, ...], stream: int,
    ) -> None:  # fmt: skip
        one, zero = self._factors(kind)
        a, b, c = operands
        with self._current(self._home(self._now.get(stream, stream))):
            environment = self._environment(stream)
            self._library.call(
                name, environment, *modes, one, a, b, zero, c, kind, _DEFAULT, *rest
            )  # fmt: skip

    def mgpuSpGEMMWorkEstimation(
        self, description: int, mode_a: int, mode_b: int, a: int, b: int, c: int, kind: int,
        size: int, buffer: int, stream: int,
    ) -> int:  # fmt: skip
        return self._sparse_step(
            "SpGEMM_workEstimation", description, mode_a, mode_b, a, b, c, kind, size, buffer,
            stream,
        )  # fmt: skip

    def mgpuSpGEMMCompute(
        self, description: int, mode_a: int, mode_b: int, a: int, b: int, c: int, kind: int,
        size: int, buffer: int, stream: int,
    ) -> int:  # fmt: skip
        return self._sparse_step(
            "SpGEMM_compute", description, mode_a, mode_b, a, b, c, kind, size, buffer, stream
        )  # fmt: skip

    def _sparse_step(
        self, name: str, description: int, mode_a: int, mode_b: int, a: int, b: int, c: int,
        kind: int, size: int, buffer: int, stream: int,
    ) -> int:  # fmt: skip
        needed = ctypes.c_uint64(size)
        rest = (description, ctypes.addressof(needed), buffer)
        self._sparse_product(name, (mode_a, mode_b), (a, b, c), kind, rest, stream)
        return needed.value

    def mgpuSpGEMMCopy(
        self, description: int, mode_a: int, mode_b: int, a: int, b: int, c: int, kind: int,
        stream: int,
    ) -> None:  # fmt: skip
        modes = (mode_a, mode_b)
        self._sparse_product("SpGEMM_copy", modes, (a, b, c), kind, (description,), stream)

    # -- 2:4 sparse matrices

    @property
    def _structured(self) -> SparseLt:
        if self._lt is None:
            self._lt = SparseLt(load_sparse_lt())
        return self._lt

    def mgpuCreateSparseLtEnv(self) -> None:
        with self._current():
            self._structured.environment(self._ordinal)

    def mgpuDestroySparseLtEnv(self) -> None:
        with self._current():
            self._structured.end_environment(self._ordinal)

    def mgpuCreateCuSparseLtDnMat(
        self, handle: int, rows: int, columns: int, values: int, kind: int, stream: int
    ) -> None:
        home = self._home(stream)
        with self._current(home):
            self._structured.create(handle, rows, columns, values, kind, home, sparse=False)

    def mgpuDestroyCuSparseLtDnMat(self, handle: int, stream: int) -> None:
        with self._current(self._home(self._now.get(stream, stream))):
            self._structured.destroy(handle)

    def mgpuCusparseLtCreate2To4SpMat(
        self, handle: int, rows: int, columns: int, values: int, kind: int, stream: int
    ) -> None:
        home = self._home(stream)
        with self._current(home):
            self._structured.create(handle, rows, columns, values, kind, home, sparse=True)

    def mgpuDestroyCuSparseLtSpMat(self, handle: int, stream: int) -> None:
        self.mgpuDestroyCuSparseLtDnMat(handle, stream)

    def mgpuCuSparseLtSpMMBufferSize(
        self, sizes: int, mode_a: int, mode_b: int, a: int, b: int, c: int, kind: int, prune: int,
        stream: int,
    ) -> None:  # fmt: skip
        lt = self._structured
        with self._current(self._home(self._now.get(stream, stream))):
            lt.plan(a, b, c, (mode_a, mode_b), kind)
            if prune:
                lt.prune(a, stream)
        if prune == 2:
            self._check_structure(a, stream)
        with self._current(self._home(self._now.get(stream, stream))):
            # An empty allocation needs no memory.
            (ctypes.c_uint64 * 3).from_address(sizes)[:] = [max(n, 1) for n in lt.sizes(a)]

    def _check_structure(self, a: int, stream: int) -> None:
        """Raise `DeviceError` unless two of four elements are zeros."""
        verdict = self.mgpuMemAlloc(4, stream, 0)
        found = ctypes.c_int32(0)
        try:
            with self._current(self._home(self._now.get(stream, stream))):
                self._structured.check_structure(a, verdict, stream)
            self.mgpuMemcpy(ctypes.addressof(found), verdict, 4, stream)
            self.mgpuStreamSynchronize(stream)
        finally:
            self.mgpuMemFree(verdict, stream)
        if found.value:
            raise DeviceError("cuSPARSELt: of four elements of the matrix more than two are set")

    def mgpuCuSparseLtSpMM(
        self, a: int, b: int, c: int, work: int, compressed: int, buffer: int, stream: int
    ) -> None:
        one, _ = self._factors(0)
        with self._current(self._home(self._now.get(stream, stream))):
            self._structured.multiply(a, b, c, one, (work, compressed, buffer), stream)
