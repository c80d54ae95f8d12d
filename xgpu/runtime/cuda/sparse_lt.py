# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Matrices of which two of four elements are zeros, over cuSPARSELt.

The program reserves memory for the library's objects, whose address is its handle of a matrix; how
large they are differs between releases, so they lie elsewhere.
"""

from __future__ import annotations

import contextlib
import ctypes
from dataclasses import dataclass, field

from xgpu.core.ir.errors import DeviceError
from xgpu.runtime.cuda.sparse_library import Library

_ROW_MAJOR, _HALF, _DEFAULT, _STRIP = 2, 0, 0, 1
_ALGORITHM = 0  # CUSPARSELT_MATMUL_ALG_CONFIG_ID
_ALIGNMENT = 16
_OBJECT_BYTES = 16384  # more than an object of any release
#: The compute types of the lowering (f16, i32, tf32) as those of the library.
_COMPUTE = {0: 1, 1: 0, 2: 2}


def _object() -> ctypes.Array[ctypes.c_char]:
    return ctypes.create_string_buffer(_OBJECT_BYTES + _ALIGNMENT)


def _at(made: ctypes.Array[ctypes.c_char]) -> int:
    """Where the library's object lies."""
    return -(-ctypes.addressof(made) // _ALIGNMENT) * _ALIGNMENT


@dataclass(slots=True)
class Matrix:
    """A matrix on the device `home`, and of a sparse one the product that is planned with it."""

    values: int
    home: int
    description: ctypes.Array[ctypes.c_char] = field(default_factory=_object)
    product: ctypes.Array[ctypes.c_char] | None = None
    algorithm: ctypes.Array[ctypes.c_char] | None = None
    plan: ctypes.Array[ctypes.c_char] | None = None


class SparseLt:
    """The library's environments, and matrices by the program's handles."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._environments: dict[int, ctypes.Array[ctypes.c_char]] = {}
        self._matrices: dict[int, Matrix] = {}

    def environment(self, home: int) -> int:
        """The library's handle for a device."""
        if home not in self._environments:
            made = _object()
            self._library.call("Init", _at(made), doing="cuSPARSELt")
            self._environments[home] = made
        return _at(self._environments[home])

    def end_environment(self, home: int) -> None:
        made = self._environments.pop(home, None)
        if made is not None:
            self._library.call("Destroy", _at(made))

    def release(self) -> None:
        for handle in list(self._matrices):
            with contextlib.suppress(DeviceError):
                self.destroy(handle)
        for home in list(self._environments):
            with contextlib.suppress(DeviceError):
                self.end_environment(home)

    def create(
        self, handle: int, rows: int, columns: int, values: int, kind: int, home: int, *,
        sparse: bool,
    ) -> None:  # fmt: skip
        made = Matrix(values, home)
        arguments = (rows, columns, columns, _ALIGNMENT, kind, _ROW_MAJOR)
        where = (self.environment(home), _at(made.description))
        if sparse:
            self._library.call("StructuredDescriptorInit", *where, *arguments, _HALF)
        else:
            self._library.call("DenseDescriptorInit", *where, *arguments)
        self._matrices[handle] = made

    def _matrix(self, handle: int) -> Matrix:
        found = self._matrices.get(handle)
        if found is None:
            raise DeviceError(f"0x{handle:x} is no live matrix of cuSPARSELt")
        return found

    def destroy(self, handle: int) -> None:
        found = self._matrix(handle)
        del self._matrices[handle]
        self._drop_plan(found)
        self._library.call("MatDescriptorDestroy", _at(found.description))

    def _drop_plan(self, matrix: Matrix) -> None:
        plan, matrix.plan = matrix.plan, None
        if plan is not None:
            self._library.call("MatmulPlanDestroy", _at(plan))

    def plan(self, a: int, b: int, c: int, modes: tuple[int, int], kind: int) -> None:
        """Plan the product of `a` and `b`, to be added to `c`."""
        first, second, result = self._matrix(a), self._matrix(b), self._matrix(c)
        environment = self.environment(first.home)
        call = self._library.call
        self._drop_plan(first)
        product, algorithm, plan = _object(), _object(), _object()
        first.product, first.algorithm = product, algorithm
        operands = [_at(m.description) for m in (first, second, result, result)]
        compute = _COMPUTE.get(kind, kind)
        call("MatmulDescriptorInit", environment, _at(product), *modes, *operands, compute)
        call("MatmulAlgSelectionInit", environment, _at(algorithm), _at(product), _DEFAULT)
        number = ctypes.c_int32(0)
        call(
            "MatmulAlgSetAttribute", environment, _at(algorithm), _ALGORITHM,
            ctypes.addressof(number), ctypes.sizeof(number),
        )  # fmt: skip
        call("MatmulPlanInit", environment, _at(plan), _at(product), _at(algorithm))
        first.plan = plan

    def _planned(self, a: int) -> tuple[int, int, int, Matrix]:
        """The environment, the product and its plan, and the sparse matrix."""
        found = self._matrix(a)
        if found.plan is None or found.product is None:
            raise DeviceError("a product of cuSPARSELt before its buffers' sizes were asked for")
        return self.environment(found.home), _at(found.product), _at(found.plan), found

    def prune(self, a: int, stream: int) -> None:
        """Set elements of `a` to zero, in place, so that two of four are."""
        environment, product, _, matrix = self._planned(a)
        values = matrix.values
        self._library.call("SpMMAPrune", environment, product, values, values, _STRIP, stream)

    def check_structure(self, a: int, verdict: int, stream: int) -> None:
        """Write 0 to `verdict`, in the device's memory, if two of four elements are zeros."""
        environment, product, _, matrix = self._planned(a)
        self._library.call("SpMMAPruneCheck", environment, product, matrix.values, verdict, stream)

    def sizes(self, a: int) -> tuple[int, int, int]:
        """Bytes of the workspace, of the compressed matrix, and of what compressing it takes."""
        environment, _, plan, _ = self._planned(a)
        found = (ctypes.c_uint64 * 3)()
        at = ctypes.addressof(found)
        self._library.call("MatmulGetWorkspace", environment, plan, at)
        self._library.call("SpMMACompressedSize", environment, plan, at + 8, at + 16)
        work, compressed, buffer = found
        return work, compressed, buffer

    def multiply(
        self, a: int, b: int, c: int, one: int, buffers: tuple[int, int, int], stream: int
    ) -> None:
        """C += A * B in `stream`."""
        work, compressed, buffer = buffers
        environment, _, plan, first = self._planned(a)
        second, result = self._matrix(b), self._matrix(c)
        streams = ctypes.c_uint64(stream)
        call = self._library.call
        call("SpMMACompress", environment, plan, first.values, compressed, buffer, stream)
        call(
            "Matmul", environment, plan, one, compressed, second.values, one, result.values,
            result.values, work, ctypes.addressof(streams), 1,
        )  # fmt: skip
        self._drop_plan(first)
