// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Streams in parallel: pinned memory, asynchronous copies, events across streams, callbacks.
#include <atomic>
#include <vector>

#include "check.h"

__global__ void scale(int *x, int n, int by) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= by;
}

std::atomic<int> called{0};
void on_host(void *data) { called += *(int *)data; }
void on_stream(cudaStream_t, cudaError_t error, void *data) {
  if (error == cudaSuccess) called += *(int *)data;
}

int main() {
  const int n = 4096, parts = 4;
  int *host, *device, ten = 10, one = 1;
  OK(cudaMallocHost(&host, n * sizeof(int)));
  OK(cudaMalloc(&device, n * sizeof(int)));
  for (int i = 0; i < n; ++i) host[i] = i;
  cudaStream_t streams[parts];
  cudaEvent_t start, done[parts];
  OK(cudaEventCreate(&start));
  OK(cudaEventRecord(start));
  for (int p = 0; p < parts; ++p) {
    OK(cudaStreamCreateWithFlags(&streams[p], cudaStreamNonBlocking));
    OK(cudaEventCreateWithFlags(&done[p], p ? cudaEventDisableTiming : cudaEventDefault));
    int *h = host + p * n / parts, *d = device + p * n / parts, bytes = n / parts * sizeof(int);
    OK(cudaMemcpyAsync(d, h, bytes, cudaMemcpyHostToDevice, streams[p]));
    scale<<<n / parts / 128, 128, 0, streams[p]>>>(d, n / parts, p + 2);
    OK(cudaGetLastError());
    OK(cudaMemcpyAsync(h, d, bytes, cudaMemcpyDeviceToHost, streams[p]));
    OK(cudaLaunchHostFunc(streams[p], on_host, &ten));
    OK(cudaStreamAddCallback(streams[p], on_stream, &one, 0));
    OK(cudaEventRecord(done[p], streams[p]));
  }
  for (int p = 1; p < parts; ++p) OK(cudaStreamWaitEvent(streams[0], done[p], 0));
  OK(cudaStreamSynchronize(streams[0]));
  CHECK(called == parts * 11);
  for (int i = 0; i < n; ++i) CHECK(host[i] == i * (i / (n / parts) + 2));
  float milliseconds = -1;
  OK(cudaEventSynchronize(done[0]));
  OK(cudaEventElapsedTime(&milliseconds, start, done[0]));
  CHECK(milliseconds >= 0);
  for (int p = 0; p < parts; ++p) {
    OK(cudaStreamQuery(streams[p]));
    OK(cudaEventQuery(done[p]));
    OK(cudaEventDestroy(done[p]));
    OK(cudaStreamDestroy(streams[p]));
  }
  OK(cudaFreeHost(host));
  OK(cudaFree(device));
  puts("PASS");
}
