# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sparse functions of the cuda device, over libraries that only keep books."""

from __future__ import annotations

import ctypes

import pytest

pytest.importorskip("cuda.bindings.driver", reason="needs cuda-python")

from tests.support.fake_sparse import SIZE, FakeSparse
from xgpu.core.ir.errors import DeviceError
from xgpu.driver.program import Program
from xgpu.runtime.cuda import sparse, sparse_library
from xgpu.runtime.cuda.device import CudaDevice
from xgpu.runtime.cuda.driver import Driver
from xgpu.runtime.cuda.sparse_library import SPARSE, SPARSE_LT, Library
from xgpu.runtime.session import Session

R_32F, R_64F = 0, 1  # cudaDataType
I_32, I_64 = 2, 3  # cusparseIndexType_t


@pytest.fixture
def library(fake, monkeypatch):
    made = FakeSparse("cusparse", fake)
    monkeypatch.setattr(
        sparse, "load_sparse", lambda: Library("cuSPARSE", "cusparse", SPARSE, made)
    )
    yield made
    assert made.violations == []


@pytest.fixture
def structured(fake, monkeypatch):
    made = FakeSparse("cusparseLt", fake)
    monkeypatch.setattr(
        sparse, "load_sparse_lt", lambda: Library("cuSPARSELt", "cusparseLt", SPARSE_LT, made)
    )
    yield made
    assert made.violations == []


@pytest.fixture
def cuda(fake):
    return CudaDevice(Session(), Driver(fake))


def names(library):
    return [name for name, _ in library.calls]


def test_a_product_with_a_vector(cuda, library):
    stream = cuda.mgpuStreamCreate()
    a = cuda.mgpuCreateCsr(4, 5, 6, 0x10, 0x20, 0x30, I_64, I_32, R_64F, stream)
    x = cuda.mgpuCreateDnVec(5, 0x40, R_64F, stream)
    y = cuda.mgpuCreateDnVec(4, 0x50, R_64F, stream)
    assert library.calls[0][1][1:] == (4, 5, 6, 0x10, 0x20, 0x30, I_64, I_32, 0, R_64F)
    assert cuda.mgpuSpMVBufferSize(1, a, x, y, R_64F, stream) == SIZE
    cuda.mgpuSpMV(1, a, x, y, R_64F, 0x60, stream)
    name, given = library.calls[-1]
    environment, mode, alpha, *operands = given
    assert (name, mode) == ("SpMV", 1)
    assert ctypes.c_double.from_address(alpha).value == 1.0
    assert operands == [a, x, alpha, y, R_64F, 0, 0x60]
    assert library.calls[-2] == ("SetStream", (environment, stream))
    for each in (a, x, y):
        (cuda.mgpuDestroySpMat if each == a else cuda.mgpuDestroyDnVec)(each, stream)
    assert list(library.alive.values()) == ["Destroy"]
    with pytest.raises(DeviceError, match="is no live object of cuSPARSE"):
        cuda.mgpuDestroyDnVec(x, stream)
    cuda.mgpuDestroySparseEnv()
    assert library.alive == {}


def test_products_with_matrices(cuda, library):
    stream = cuda.mgpuStreamCreate()
    coo = cuda.mgpuCreateCoo(4, 5, 6, 1, 2, 3, I_32, R_32F, stream)
    csc = cuda.mgpuCreateCsc(4, 5, 6, 1, 2, 3, I_32, I_32, R_32F, stream)
    bsr = cuda.mgpuCreateBsr(4, 5, 6, 2, 3, 1, 2, 3, I_32, I_64, R_32F, stream)
    assert library.calls[-1][1][1:] == (4, 5, 6, 2, 3, 1, 2, 3, I_32, I_64, 0, R_32F, 2)
    dense = cuda.mgpuCreateDnMat(4, 5, 9, R_32F, stream)
    assert library.calls[-1][1][1:] == (4, 5, 5, 9, R_32F, 2)
    assert cuda.mgpuSpMMBufferSize(0, 1, coo, dense, dense, R_32F, stream) == SIZE
    cuda.mgpuSpMM(0, 1, csc, dense, dense, R_32F, 0x70, stream)
    assert cuda.mgpuSDDMMBufferSize(0, 0, dense, dense, bsr, R_32F, stream) == SIZE
    cuda.mgpuSDDMM(0, 0, dense, dense, bsr, R_32F, 0x70, stream)
    assert [n for n in names(library) if "MM" in n] == [
        "SpMM_bufferSize", "SpMM", "SDDMM_bufferSize", "SDDMM",
    ]  # fmt: skip
    with pytest.raises(DeviceError, match=r"use gpu\.create_coo"):
        cuda.mgpuCreateCooAoS(4, 5, 6, 1, 2, I_32, R_32F, stream)
    with pytest.raises(DeviceError, match="does not compute in the type 99"):
        cuda.mgpuSpMM(0, 1, csc, dense, dense, 99, 0x70, stream)
    cuda.close()
    assert library.alive == {}


def test_products_of_sparse_matrices(cuda, library):
    stream = cuda.mgpuStreamCreate()
    a, b, c = (cuda.mgpuCreateCsr(4, 4, 4, 1, 2, 3, I_32, I_32, R_32F, stream) for _ in range(3))
    description = cuda.mgpuSpGEMMCreateDescr(stream)
    given = (description, 0, 0, a, b, c, R_32F)
    library.sizes = 77
    assert cuda.mgpuSpGEMMWorkEstimation(*given, 0, 0, stream) == 77
    assert cuda.mgpuSpGEMMCompute(*given, 128, 0x80, stream) == 77
    arguments = library.calls[-1][1]
    assert arguments[3:5] == (arguments[3], a)
    one, zero = arguments[3], arguments[6]
    assert ctypes.c_float.from_address(one).value == 1.0
    assert ctypes.c_float.from_address(zero).value == 0.0
    assert arguments[10] == description
    room = (ctypes.c_int64 * 3)()
    places = [ctypes.addressof(room) + 8 * i for i in range(3)]
    cuda.mgpuSpMatGetSize(c, *places, stream)
    assert list(room) == [77, 77, 77]
    cuda.mgpuSetCsrPointers(c, 4, 5, 6, stream)
    assert library.calls[-1] == ("CsrSetPointers", (c, 4, 5, 6))
    cuda.mgpuSpGEMMCopy(*given, stream)
    assert len(library.calls[-1][1]) == len(SPARSE["SpGEMM_copy"])
    cuda.mgpuSpGEMMDestroyDescr(description, stream)


@pytest.mark.parametrize("prune", [0, 1, 2])
def test_matrices_of_which_half_are_zeros(cuda, structured, fake, prune):
    stream = cuda.mgpuStreamCreate()
    memory = (ctypes.c_char * 64)()
    a, b, c = (ctypes.addressof(memory) + 16 * i for i in range(3))
    cuda.mgpuCusparseLtCreate2To4SpMat(a, 16, 32, 0x100, 2, stream)
    cuda.mgpuCreateCuSparseLtDnMat(b, 32, 8, 0x200, 2, stream)
    cuda.mgpuCreateCuSparseLtDnMat(c, 16, 8, 0x300, 2, stream)
    sizes = (ctypes.c_uint64 * 3)()
    structured.sizes = 0
    at = ctypes.addressof(sizes)
    cuda.mgpuCuSparseLtSpMMBufferSize(at, 0, 0, a, b, c, 0, prune, stream)
    assert list(sizes) == [1, 1, 1]  # nothing of no bytes is allocated
    assert ("SpMMAPrune" in names(structured)) == (prune > 0)
    assert ("SpMMAPruneCheck" in names(structured)) == (prune == 2)
    compute = next(g[-1] for n, g in structured.calls if n == "MatmulDescriptorInit")
    assert compute == 1  # CUSPARSE_COMPUTE_16F
    cuda.mgpuCuSparseLtSpMM(a, b, c, 0x400, 0x500, 0x600, stream)
    given = next(g for n, g in structured.calls if n == "Matmul")
    assert given[3:5] == (0x500, 0x200)
    assert given[6:9] == (0x300, 0x300, 0x400)
    assert given[-1] == 1
    for handle in (a, b, c):
        cuda.mgpuDestroyCuSparseLtSpMat(handle, stream)
    with pytest.raises(DeviceError, match="is no live matrix of cuSPARSELt"):
        cuda.mgpuDestroyCuSparseLtDnMat(b, stream)
    cuda.mgpuDestroySparseLtEnv()
    assert structured.alive == {}


def test_errors_have_the_words_of_the_library(cuda, library):
    library.fails = {"CreateDnVec"}
    with pytest.raises(
        DeviceError,
        match=r"cusparseCreateDnVec failed with CUSPARSE_STATUS_INVALID_VALUE \(invalid value\)",
    ):
        cuda.mgpuCreateDnVec(4, 0x10, R_32F, 0)
    cuda.close()
    assert library.alive == {}


def test_libraries_that_are_not_there(cuda, monkeypatch):
    def absent(name):
        raise OSError("cannot open shared object file")

    monkeypatch.setattr(sparse_library, "_by_pathfinder", absent)
    monkeypatch.setattr(sparse_library.ctypes, "CDLL", absent)
    with pytest.raises(DeviceError, match=r"uses cuSPARSE, .* pip install nvidia-cusparse "):
        cuda.mgpuCreateSparseEnv()
    with pytest.raises(DeviceError, match=r"pip install nvidia-cusparselt-cu13 \(CUDA 13\)"):
        cuda.mgpuCreateSparseLtEnv()


PROGRAM = """
func.func @main() {
  %n = arith.constant 4 : index
  %t0 = gpu.wait async
  %i, %t1 = gpu.alloc async [%t0] (%n) : memref<?xindex>
  %v, %t2 = gpu.alloc async [%t1] (%n) : memref<?xf64>
  %a, %t3 = gpu.create_csr async [%t2] %n, %n, %n, %i, %i, %v
      : memref<?xindex>, memref<?xindex>, memref<?xf64>
  %x, %t4 = gpu.create_dn_tensor async [%t3] %v, %n : index into memref<?xf64>
  %s, %t5 = gpu.spmv_buffer_size async [%t4] %a, %x, %x : index into f64
  %t6 = gpu.spmv async [%t5] %a, %x, %x, %v : memref<?xf64> into f64
  %t7 = gpu.destroy_sp_mat async [%t6] %a
  %t8 = gpu.destroy_dn_tensor async [%t7] %x
  %t9 = gpu.dealloc async [%t8] %i : memref<?xindex>
  %t10 = gpu.dealloc async [%t9] %v : memref<?xf64>
  gpu.wait [%t10]
  return
}
"""


def test_a_program(fake, library):
    session = Session()
    device = CudaDevice(session, Driver(fake))
    program = Program(PROGRAM.replace(": index into f64", "into f64"), entry="main", opt_level=0)
    program.run(session, device)
    assert [n for n in names(library) if n not in ("Create", "SetStream")] == [
        "CreateCsr", "CreateDnVec", "SpMV_bufferSize", "SpMV", "DestroySpMat", "DestroyDnVec",
        "Destroy",
    ]  # fmt: skip
    assert library.alive == {}
    assert session.leaks() == {}
