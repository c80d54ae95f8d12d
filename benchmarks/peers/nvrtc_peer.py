# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""NVRTC, through the wheels cuda-bindings and nvidia-cuda-nvrtc."""

from __future__ import annotations

from collections.abc import Callable

from cuda.bindings import nvrtc
from measure import report

VECTOR_ADD = """
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, long n) {
  long i = (long)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}
"""

TILED_MATMUL = """
extern "C" __global__ void matmul(const float *a, const float *b, float *c) {
  __shared__ float ta[16][16], tb[16][16];
  long row = blockIdx.y * 16L + threadIdx.y, col = blockIdx.x * 16L + threadIdx.x;
  float sum = 0;
  for (long k = 0; k < 1024; k += 16) {
    ta[threadIdx.y][threadIdx.x] = a[row * 1024 + k + threadIdx.x];
    tb[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * 1024 + col];
    __syncthreads();
    for (long j = 0; j < 16; ++j) sum += ta[threadIdx.y][j] * tb[j][threadIdx.x];
    __syncthreads();
  }
  c[row * 1024 + col] = sum;
}
"""

GELU = """
extern "C" __global__ void gelu(const float *x, float *y, long n) {
  long i = (long)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float v = x[i];
    y[i] = 0.5f * v * (1.0f + tanhf(0.7978845608f * (v + 0.044715f * v * v * v)));
  }
}
"""


def check(result: tuple[object, ...]) -> object:
    """The value of a call that succeeded."""
    if result[0] != nvrtc.nvrtcResult.NVRTC_SUCCESS:
        raise SystemExit(f"nvrtc: {result[0]}")
    return result[1] if len(result) == 2 else None


def compiler(source: str) -> Callable[[], str]:
    def compile_once() -> str:
        program = check(nvrtc.nvrtcCreateProgram(source.encode(), b"kernel.cu", 0, [], []))
        check(nvrtc.nvrtcCompileProgram(program, 1, [b"--gpu-architecture=compute_80"]))
        text = b" " * int(str(check(nvrtc.nvrtcGetPTXSize(program))))
        check(nvrtc.nvrtcGetPTX(program, text))
        check(nvrtc.nvrtcDestroyProgram(program))
        return text.decode()

    return compile_once


if __name__ == "__main__":
    _, major, minor = nvrtc.nvrtcVersion()
    report(
        f"NVRTC {major}.{minor}",
        {
            "vector add": compiler(VECTOR_ADD),
            "tiled matmul": compiler(TILED_MATMUL),
            "gelu": compiler(GELU),
        },
    )
