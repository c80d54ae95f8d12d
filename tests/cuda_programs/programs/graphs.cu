// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Graphs: captured from streams, made of nodes, launched again, updated.
#include "check.h"

__global__ void add(int *x, int by) { x[threadIdx.x] += by; }

void doubled(void *data) { *(int *)data *= 2; }

int main() {
  const int n = 64;
  int *x, host[n], counter = 1;
  OK(cudaMalloc(&x, sizeof host));
  cudaStream_t stream;
  OK(cudaStreamCreate(&stream));
  cudaGraph_t graph, other;
  cudaGraphExec_t run;

  // From a stream.
  OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  OK(cudaMemsetAsync(x, 0, sizeof host, stream));
  for (int i = 0; i < 3; ++i) add<<<1, n, 0, stream>>>(x, 1 << i);
  OK(cudaMemcpyAsync(host, x, sizeof host, cudaMemcpyDeviceToHost, stream));
  OK(cudaStreamEndCapture(stream, &graph));
  size_t count = 0;
  OK(cudaGraphGetNodes(graph, nullptr, &count));
  CHECK(count == 5);
  OK(cudaGraphInstantiate(&run, graph, nullptr, nullptr, 0));
  for (int i = 0; i < 2; ++i) {
    OK(cudaGraphLaunch(run, stream));
    OK(cudaStreamSynchronize(stream));
    for (int v : host) CHECK(v == 7);
  }

  // The same shape with other values.
  OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  OK(cudaMemsetAsync(x, 0, sizeof host, stream));
  for (int i = 0; i < 3; ++i) add<<<1, n, 0, stream>>>(x, 10);
  OK(cudaMemcpyAsync(host, x, sizeof host, cudaMemcpyDeviceToHost, stream));
  OK(cudaStreamEndCapture(stream, &other));
  cudaGraphExecUpdateResultInfo result;
  OK(cudaGraphExecUpdate(run, other, &result));
  CHECK(result.result == cudaGraphExecUpdateSuccess);
  OK(cudaGraphLaunch(run, stream));
  OK(cudaStreamSynchronize(stream));
  for (int v : host) CHECK(v == 30);
  OK(cudaGraphExecDestroy(run));
  OK(cudaGraphDestroy(other));
  OK(cudaGraphDestroy(graph));

  // Of nodes.
  OK(cudaGraphCreate(&graph, 0));
  cudaGraphNode_t fill, kernel, call, copy;
  cudaMemsetParams zero = {};
  zero.dst = x, zero.elementSize = 4, zero.width = n, zero.height = 1, zero.value = 5;
  OK(cudaGraphAddMemsetNode(&fill, graph, nullptr, 0, &zero));
  int by = 4;
  void *arguments[] = {&x, &by};
  cudaKernelNodeParams launch = {};
  launch.func = (void *)add, launch.gridDim = dim3(1), launch.blockDim = dim3(n);
  launch.kernelParams = arguments;
  OK(cudaGraphAddKernelNode(&kernel, graph, &fill, 1, &launch));
  cudaHostNodeParams host_call = {doubled, &counter};
  OK(cudaGraphAddHostNode(&call, graph, nullptr, 0, &host_call));
  cudaGraphNode_t before[] = {kernel, call};
  OK(cudaGraphAddMemcpyNode1D(&copy, graph, before, 2, host, x, sizeof host,
                              cudaMemcpyDeviceToHost));
  OK(cudaGraphInstantiate(&run, graph));
  OK(cudaGraphLaunch(run, stream));
  OK(cudaStreamSynchronize(stream));
  for (int v : host) CHECK(v == 9);
  CHECK(counter == 2);
  by = 100;
  OK(cudaGraphExecKernelNodeSetParams(run, kernel, &launch));
  OK(cudaGraphLaunch(run, 0));
  OK(cudaDeviceSynchronize());
  for (int v : host) CHECK(v == 105);
  OK(cudaGraphExecDestroy(run));
  OK(cudaGraphDestroy(graph));
  OK(cudaStreamDestroy(stream));
  OK(cudaFree(x));
  puts("PASS");
}
