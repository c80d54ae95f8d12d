// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A list in managed memory, built by the host and summed by the device; memory of the device's heap.
#include "check.h"

struct Node {
  int value;
  Node *next;
};

struct Managed {
  void *operator new(size_t bytes) {
    void *p;
    OK(cudaMallocManaged(&p, bytes));
    return p;
  }
  void operator delete(void *p) { OK(cudaFree(p)); }
};
struct List : Managed {
  Node *first = nullptr;
  int length = 0;
};

__global__ void sum(const List *list, int *out) {
  int total = 0;
  for (const Node *n = list->first; n; n = n->next) total += n->value;
  out[0] = total;
  Node *own = new Node{7, nullptr};
  out[1] = own->value + list->length;
  delete own;
}

int main() {
  List *list = new List;
  int *out, expected = 0;
  OK(cudaMallocManaged(&out, 2 * sizeof(int)));
  for (int i = 0; i < 50; ++i) {
    Node *n;
    OK(cudaMallocManaged(&n, sizeof *n));
    *n = {i * i, list->first};
    list->first = n;
    ++list->length;
    expected += i * i;
  }
  OK(cudaMemPrefetchAsync(out, 2 * sizeof(int), 0));
  sum<<<1, 1>>>(list, out);
  OK(cudaDeviceSynchronize());
  CHECK(out[0] == expected && out[1] == 57);
  cudaPointerAttributes attributes;
  OK(cudaPointerGetAttributes(&attributes, out));
  CHECK(attributes.type == cudaMemoryTypeManaged && attributes.device == 0);
  for (Node *n = list->first; n;) {
    Node *next = n->next;
    OK(cudaFree(n));
    n = next;
  }
  delete list;
  OK(cudaFree(out));
  int *placed;
  const cudaMemLocation device = {cudaMemLocationTypeDevice, 0}, host = {cudaMemLocationTypeHost, 0};
  OK(cudaMallocManaged(&placed, 64));
  for (cudaMemLocation at : {device, host}) {
    OK(cudaMemAdvise(placed, 64, cudaMemAdviseSetPreferredLocation, at));
    OK(cudaMemPrefetchAsync(placed, 64, at, 0));
  }
  WRONG(cudaErrorInvalidValue, cudaMemPrefetchAsync(placed, 64, device, 1));
  OK(cudaFree(placed));
  puts("PASS");
}
