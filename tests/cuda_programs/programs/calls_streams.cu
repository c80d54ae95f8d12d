// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each function for streams, events and graphs: once right, once wrong.
#include "check.h"

#include <cstdlib>
#include <cstring>

#include <unistd.h>

__global__ void add(int *x, int by) { *x += by; }

__global__ void count_down(cudaGraphConditionalHandle handle, int *x) {
  cudaGraphSetConditional(handle, --*x);
}

void nothing(void *) {}
void nothing_more(cudaStream_t, cudaError_t, void *) {}

void streams(cudaStream_t ended) {
  cudaStream_t s, t;
  cudaEvent_t e;
  OK(cudaStreamCreate(&s));
  WRONG(cudaErrorInvalidValue, cudaStreamCreate(nullptr));
  OK(cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking));
  WRONG(cudaErrorInvalidValue, cudaStreamCreateWithFlags(&t, 77));
  unsigned int flags = 9;
  int priority = 9;
  unsigned long long one, two;
  OK(cudaStreamGetFlags(t, &flags));
  CHECK(flags == cudaStreamNonBlocking);
  WRONG(cudaErrorInvalidValue, cudaStreamGetFlags(t, nullptr));
  OK(cudaStreamGetId(s, &one));
  OK(cudaStreamGetId(t, &two));
  CHECK(one != two);
  WRONG(cudaErrorInvalidValue, cudaStreamGetId(s, nullptr));
  OK(cudaStreamDestroy(t));
  int least, greatest;
  WRONG(cudaErrorInvalidValue, cudaStreamCreateWithPriority(nullptr, 0, 0));
  OK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  OK(cudaStreamCreateWithPriority(&t, cudaStreamDefault, greatest));
  OK(cudaStreamGetPriority(t, &priority));
  CHECK(priority == greatest);
  WRONG(cudaErrorInvalidValue, cudaStreamGetPriority(t, nullptr));
  OK(cudaStreamSynchronize(t));
  OK(cudaStreamQuery(t));
  OK(cudaStreamDestroy(t));
  FAILS(cudaStreamDestroy(ended));
  FAILS(cudaStreamSynchronize(ended));
  FAILS(cudaStreamQuery(ended));
  OK(cudaLaunchHostFunc(s, nothing, nullptr));
  WRONG(cudaErrorInvalidValue, cudaLaunchHostFunc(s, nullptr, nullptr));
  OK(cudaStreamAddCallback(s, nothing_more, nullptr, 0));
  WRONG(cudaErrorInvalidValue, cudaStreamAddCallback(s, nothing_more, nullptr, 1));
  int *managed;
  OK(cudaMallocManaged(&managed, 64));
  OK(cudaStreamAttachMemAsync(s, managed));
  WRONG(cudaErrorInvalidValue, cudaStreamAttachMemAsync(s, &flags));
  OK(cudaStreamSynchronize(s));
  OK(cudaFree(managed));

  OK(cudaEventCreate(&e));
  WRONG(cudaErrorInvalidValue, cudaEventCreate(nullptr));
  OK(cudaEventRecord(e, s));
  FAILS(cudaEventRecord(e, ended));
  OK(cudaStreamWaitEvent(s, e));
  WRONG(cudaErrorInvalidResourceHandle, cudaStreamWaitEvent(s, nullptr));
  OK(cudaEventSynchronize(e));
  OK(cudaEventQuery(e));
  cudaEvent_t f, untimed;
  OK(cudaEventCreateWithFlags(&f, cudaEventBlockingSync));
  WRONG(cudaErrorInvalidValue, cudaEventCreateWithFlags(&untimed, 0x100));
  OK(cudaEventCreate(&untimed, cudaEventDisableTiming));
  OK(cudaEventRecordWithFlags(f, s, cudaEventRecordDefault));
  FAILS(cudaEventRecordWithFlags(f, s, 77));
  OK(cudaEventSynchronize(f));
  float ms;
  OK(cudaEventElapsedTime(&ms, e, f));
  CHECK(ms >= 0);
  OK(cudaEventRecord(untimed, s));
  OK(cudaEventSynchronize(untimed));
  WRONG(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&ms, e, untimed));
  for (cudaEvent_t event : {e, f, untimed}) OK(cudaEventDestroy(event));
  FAILS(cudaEventDestroy(e));
  FAILS(cudaEventSynchronize(e));
  FAILS(cudaEventQuery(e));
  OK(cudaStreamDestroy(s));
}

void capture() {
  cudaStream_t s;
  cudaGraph_t graph;
  cudaStreamCaptureStatus status;
  cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
  OK(cudaStreamCreate(&s));
  WRONG(cudaErrorStreamCaptureUnsupported,
        cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeGlobal));
  OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal));
  OK(cudaStreamIsCapturing(s, &status));
  CHECK(status == cudaStreamCaptureStatusActive);
  WRONG(cudaErrorInvalidValue, cudaStreamIsCapturing(s, nullptr));
  OK(cudaStreamEndCapture(s, &graph));
  FAILS(cudaStreamEndCapture(s, &graph));
  OK(cudaThreadExchangeStreamCaptureMode(&mode));
  CHECK(mode == cudaStreamCaptureModeGlobal);
  OK(cudaThreadExchangeStreamCaptureMode(&mode));
  WRONG(cudaErrorInvalidValue, cudaThreadExchangeStreamCaptureMode(nullptr));
  OK(cudaStreamDestroy(s));
}

void destroyed(void *count) { ++*(int *)count; }

// An object is destroyed with its last reference, which may be a graph's.
void user_objects() {
  int count = 0;
  cudaUserObject_t object;
  cudaGraph_t graph;
  OK(cudaGraphCreate(&graph, 0));
  OK(cudaUserObjectCreate(&object, &count, destroyed, 1, cudaUserObjectNoDestructorSync));
  WRONG(cudaErrorInvalidValue, cudaUserObjectCreate(&object, &count, destroyed, 1, 0));
  OK(cudaUserObjectRetain(object));
  WRONG(cudaErrorInvalidValue, cudaUserObjectRetain(object, 0));
  OK(cudaUserObjectRelease(object));
  WRONG(cudaErrorInvalidValue, cudaUserObjectRelease(object, 0));
  OK(cudaGraphRetainUserObject(graph, object, 2));
  WRONG(cudaErrorInvalidValue, cudaGraphRetainUserObject(graph, object, 0));
  OK(cudaGraphReleaseUserObject(graph, object));
  WRONG(cudaErrorInvalidValue, cudaGraphReleaseUserObject(graph, object, 0));
  OK(cudaUserObjectRelease(object));
  CHECK(count == 0);
  OK(cudaGraphDestroy(graph));
  CHECK(count == 1);
}

void parameters_of_nodes(
    cudaGraphNode_t fill, cudaGraphNode_t line, cudaGraphNode_t copy, cudaGraphNode_t call,
    cudaGraphNode_t sub, cudaGraphNode_t record, cudaGraphNode_t wait, cudaEvent_t event,
    const cudaMemsetParams &zero, const cudaMemcpy3DParms &c, const cudaHostNodeParams &h) {
  cudaMemsetParams filled = {};
  OK(cudaGraphMemsetNodeGetParams(fill, &filled));
  CHECK(filled.dst == zero.dst && filled.width == 64 && filled.elementSize == 1);
  WRONG(cudaErrorInvalidValue, cudaGraphMemsetNodeGetParams(fill, nullptr));
  OK(cudaGraphMemsetNodeSetParams(fill, &filled));
  WRONG(cudaErrorInvalidValue, cudaGraphMemsetNodeSetParams(fill, nullptr));
  OK(cudaGraphMemcpyNodeSetParams(copy, &c));
  WRONG(cudaErrorInvalidValue, cudaGraphMemcpyNodeSetParams(copy, nullptr));
  int *x = (int *)zero.dst;
  OK(cudaGraphMemcpyNodeSetParams1D(line, x + 1, x, 4, cudaMemcpyDeviceToDevice));
  FAILS(cudaGraphMemcpyNodeSetParams1D(fill, x + 1, x, 4, cudaMemcpyDeviceToDevice));
  cudaHostNodeParams called = {};
  OK(cudaGraphHostNodeGetParams(call, &called));
  CHECK(called.fn == h.fn);
  WRONG(cudaErrorInvalidValue, cudaGraphHostNodeGetParams(call, nullptr));
  OK(cudaGraphHostNodeSetParams(call, &called));
  WRONG(cudaErrorInvalidValue, cudaGraphHostNodeSetParams(call, nullptr));
  cudaGraph_t inner = nullptr;
  OK(cudaGraphChildGraphNodeGetGraph(sub, &inner));
  CHECK(inner != nullptr);
  WRONG(cudaErrorInvalidValue, cudaGraphChildGraphNodeGetGraph(sub, nullptr));
  cudaEvent_t found = nullptr;
  OK(cudaGraphEventRecordNodeGetEvent(record, &found));
  CHECK(found == event);
  WRONG(cudaErrorInvalidValue, cudaGraphEventRecordNodeGetEvent(record, nullptr));
  OK(cudaGraphEventRecordNodeSetEvent(record, event));
  FAILS(cudaGraphEventRecordNodeSetEvent(wait, event));
  OK(cudaGraphEventWaitNodeGetEvent(wait, &found));
  WRONG(cudaErrorInvalidValue, cudaGraphEventWaitNodeGetEvent(wait, nullptr));
  OK(cudaGraphEventWaitNodeSetEvent(wait, event));
  FAILS(cudaGraphEventWaitNodeSetEvent(record, event));
}

void graphs() {
  int *x, host = 0, by = 5;
  cudaGraph_t graph, clone, child;
  cudaEvent_t event;
  OK(cudaMalloc(&x, 64));
  OK(cudaEventCreate(&event));
  OK(cudaGraphCreate(&graph, 0));
  WRONG(cudaErrorInvalidValue, cudaGraphCreate(nullptr, 0));
  cudaGraphNode_t fill, kernel, copy, call, empty, sub, record, wait, line, nodes[16];
  cudaMemsetParams zero = {};
  zero.dst = x, zero.elementSize = 1, zero.width = 64, zero.height = 1;
  OK(cudaGraphAddMemsetNode(&fill, graph, nullptr, 0, &zero));
  WRONG(cudaErrorInvalidValue, cudaGraphAddMemsetNode(&fill, graph, nullptr, 0, nullptr));
  void *arguments[] = {&x, &by};
  cudaKernelNodeParams p = {}, got;
  p.func = (void *)add, p.gridDim = dim3(1), p.blockDim = dim3(1), p.kernelParams = arguments;
  OK(cudaGraphAddKernelNode(&kernel, graph, &fill, 1, &p));
  p.func = (void *)nothing;
  WRONG(cudaErrorInvalidDeviceFunction, cudaGraphAddKernelNode(&kernel, graph, &fill, 1, &p));
  p.func = (void *)add;
  OK(cudaGraphKernelNodeGetParams(kernel, &got));
  CHECK(got.func == p.func && got.blockDim.x == 1);
  WRONG(cudaErrorInvalidValue, cudaGraphKernelNodeGetParams(kernel, nullptr));
  OK(cudaGraphKernelNodeSetParams(kernel, &p));
  WRONG(cudaErrorInvalidValue, cudaGraphKernelNodeSetParams(kernel, nullptr));
  OK(cudaGraphAddMemcpyNode1D(&line, graph, &kernel, 1, x + 1, x, 4, cudaMemcpyDeviceToDevice));
  WRONG(cudaErrorInvalidMemcpyDirection,
        cudaGraphAddMemcpyNode1D(&copy, graph, &kernel, 1, x, &by, 4, (cudaMemcpyKind)9));
  cudaMemcpy3DParms c = {};
  c.srcPtr = make_cudaPitchedPtr(x + 1, 4, 4, 1), c.dstPtr = make_cudaPitchedPtr(&host, 4, 4, 1);
  c.extent = make_cudaExtent(4, 1, 1), c.kind = cudaMemcpyDeviceToHost;
  OK(cudaGraphAddMemcpyNode(&copy, graph, &line, 1, &c));
  WRONG(cudaErrorInvalidValue, cudaGraphAddMemcpyNode(&copy, graph, &line, 1, nullptr));
  cudaHostNodeParams h = {nothing, nullptr}, bad = {};
  OK(cudaGraphAddHostNode(&call, graph, &copy, 1, &h));
  WRONG(cudaErrorInvalidValue, cudaGraphAddHostNode(&call, graph, &copy, 1, &bad));
  OK(cudaGraphAddEmptyNode(&empty, graph, nullptr, 0));
  WRONG(cudaErrorInvalidValue, cudaGraphAddEmptyNode(nullptr, graph, nullptr, 0));
  OK(cudaGraphAddEventRecordNode(&record, graph, &copy, 1, event));
  FAILS(cudaGraphAddEventRecordNode(&record, graph, &copy, 1, nullptr));
  OK(cudaGraphAddEventWaitNode(&wait, graph, &record, 1, event));
  FAILS(cudaGraphAddEventWaitNode(&wait, graph, &record, 1, nullptr));
  OK(cudaGraphCreate(&child, 0));
  OK(cudaGraphAddEmptyNode(&sub, child, nullptr, 0));
  OK(cudaGraphAddChildGraphNode(&sub, graph, nullptr, 0, child));
  FAILS(cudaGraphAddChildGraphNode(&sub, graph, nullptr, 0, nullptr));
  OK(cudaGraphAddDependencies(graph, &empty, &sub, 1));
  FAILS(cudaGraphAddDependencies(graph, nullptr, &empty, 1));
  size_t count = 16;
  OK(cudaGraphGetNodes(graph, nodes, &count));
  CHECK(count == 9);
  WRONG(cudaErrorInvalidValue, cudaGraphGetNodes(graph, nodes, nullptr));
  count = 16;
  OK(cudaGraphGetRootNodes(graph, nodes, &count));
  CHECK(count == 2);
  WRONG(cudaErrorInvalidValue, cudaGraphGetRootNodes(graph, nodes, nullptr));
  OK(cudaGraphGetEdges(graph, nullptr, nullptr, &count));
  CHECK(count == 7);
  WRONG(cudaErrorInvalidValue, cudaGraphGetEdges(graph, nullptr, nullptr, nullptr));
  cudaGraphNodeType type;
  OK(cudaGraphNodeGetType(call, &type));
  CHECK(type == cudaGraphNodeTypeHost);
  WRONG(cudaErrorInvalidValue, cudaGraphNodeGetType(call, nullptr));
  count = 16;
  OK(cudaGraphNodeGetDependencies(call, nodes, &count));
  CHECK(count == 1 && nodes[0] == copy);
  WRONG(cudaErrorInvalidValue, cudaGraphNodeGetDependencies(call, nodes, nullptr));
  count = 16;
  OK(cudaGraphNodeGetDependentNodes(fill, nodes, &count));
  CHECK(count == 1 && nodes[0] == kernel);
  WRONG(cudaErrorInvalidValue, cudaGraphNodeGetDependentNodes(fill, nodes, nullptr));
  cudaGraphEdgeData data[16];
  data[6].type = 9, count = 16;
  cudaGraphNode_t ends[16];
  OK(cudaGraphGetEdges(graph, nodes, ends, data, &count));
  CHECK(count == 7 && data[6].type == 0);
  OK(cudaGraphRemoveDependencies(graph, &empty, &sub, 1));
  WRONG(cudaErrorInvalidValue, cudaGraphRemoveDependencies(graph, &empty, &sub, 1));
  OK(cudaGraphAddDependencies(graph, &empty, &sub, 1));
  parameters_of_nodes(fill, line, copy, call, sub, record, wait, event, zero, c, h);
  char dot[] = P_tmpdir "/calls_streams_XXXXXX";
  CHECK(close(mkstemp(dot)) == 0);
  OK(cudaGraphDebugDotPrint(graph, dot, cudaGraphDebugDotFlagsVerbose));
  FAILS(cudaGraphDebugDotPrint(graph, "nowhere/graph.dot", 0));
  char text[2000] = {};
  FILE *file = fopen(dot, "r");
  CHECK(fread(text, 1, sizeof text - 1, file) > 200);
  fclose(file), remove(dot);
  CHECK(!strncmp(text, "digraph", 7) && strstr(text, "KERNEL | ") && strstr(text, " -> "));
  OK(cudaGraphClone(&clone, graph));
  OK(cudaGraphNodeFindInClone(&nodes[0], fill, clone));
  OK(cudaGraphNodeGetType(nodes[0], &type));
  CHECK(type == cudaGraphNodeTypeMemset);
  WRONG(cudaErrorInvalidValue, cudaGraphNodeFindInClone(&nodes[0], nodes[0], clone));
  FAILS(cudaGraphClone(&clone, nullptr));
  cudaGraphExec_t run;
  OK(cudaGraphInstantiateWithFlags(&run, graph));
  FAILS(cudaGraphInstantiateWithFlags(&run, nullptr));
  OK(cudaGraphUpload(run, 0));
  FAILS(cudaGraphUpload(nullptr, 0));
  OK(cudaGraphLaunch(run, 0));
  FAILS(cudaGraphLaunch(nullptr, 0));
  OK(cudaDeviceSynchronize());
  CHECK(host == 5);
  by = 6;
  OK(cudaGraphExecKernelNodeSetParams(run, kernel, &p));
  WRONG(cudaErrorInvalidValue, cudaGraphExecKernelNodeSetParams(run, kernel, nullptr));
  OK(cudaGraphExecMemcpyNodeSetParams1D(run, line, x + 1, x, 4, cudaMemcpyDeviceToDevice));
  FAILS(cudaGraphExecMemcpyNodeSetParams1D(run, fill, x + 1, x, 4, cudaMemcpyDeviceToDevice));
  zero.value = 1;
  OK(cudaGraphExecMemsetNodeSetParams(run, fill, &zero));
  WRONG(cudaErrorInvalidValue, cudaGraphExecMemsetNodeSetParams(run, fill, nullptr));
  OK(cudaGraphExecMemcpyNodeSetParams(run, copy, &c));
  FAILS(cudaGraphExecMemcpyNodeSetParams(run, fill, &c));
  OK(cudaGraphExecChildGraphNodeSetParams(run, sub, child));
  FAILS(cudaGraphExecChildGraphNodeSetParams(run, fill, child));
  OK(cudaGraphExecEventRecordNodeSetEvent(run, record, event));
  FAILS(cudaGraphExecEventRecordNodeSetEvent(run, wait, event));
  OK(cudaGraphExecEventWaitNodeSetEvent(run, wait, event));
  FAILS(cudaGraphExecEventWaitNodeSetEvent(run, record, event));
  unsigned long long flags = 9;
  OK(cudaGraphExecGetFlags(run, &flags));
  CHECK(flags == 0);
  WRONG(cudaErrorInvalidValue, cudaGraphExecGetFlags(run, nullptr));
  unsigned int enabled = 9;
  OK(cudaGraphNodeSetEnabled(run, fill, 0));
  FAILS(cudaGraphNodeSetEnabled(run, call, 0));
  OK(cudaGraphNodeGetEnabled(run, fill, &enabled));
  CHECK(enabled == 0);
  WRONG(cudaErrorInvalidValue, cudaGraphNodeGetEnabled(run, fill, nullptr));
  OK(cudaGraphNodeSetEnabled(run, fill, 1));
  OK(cudaGraphExecHostNodeSetParams(run, call, &h));
  FAILS(cudaGraphExecHostNodeSetParams(run, fill, &h));
  OK(cudaGraphLaunch(run, 0));
  OK(cudaDeviceSynchronize());
  CHECK(host == 0x01010101 + 6);
  cudaGraphExecUpdateResultInfo result;
  OK(cudaGraphExecUpdate(run, clone, &result));
  WRONG(cudaErrorGraphExecUpdateFailure, cudaGraphExecUpdate(run, child, &result));
  CHECK(result.result != cudaGraphExecUpdateSuccess);
  OK(cudaGraphExecDestroy(run));
  FAILS(cudaGraphExecDestroy(run));
  OK(cudaGraphDestroyNode(sub));
  FAILS(cudaGraphDestroyNode(nullptr));
  OK(cudaGraphDestroy(clone));
  OK(cudaGraphDestroy(child));
  OK(cudaGraphDestroy(graph));
  FAILS(cudaGraphDestroy(graph));

  OK(cudaGraphCreate(&graph, 0));
  cudaGraphNode_t made, freed;
  cudaMemAllocNodeParams m = {};
  m.poolProps.allocType = cudaMemAllocationTypePinned;
  m.poolProps.location = {cudaMemLocationTypeDevice, 0};
  m.bytesize = 64;
  OK(cudaGraphAddMemAllocNode(&made, graph, nullptr, 0, &m));
  CHECK(m.dptr != nullptr);
  WRONG(cudaErrorInvalidValue, cudaGraphAddMemAllocNode(&made, graph, nullptr, 0, nullptr));
  OK(cudaGraphAddMemFreeNode(&freed, graph, &made, 1, m.dptr));
  FAILS(cudaGraphAddMemFreeNode(&freed, graph, &made, 1, nullptr));
  OK(cudaGraphInstantiate(&run, graph));
  OK(cudaGraphLaunch(run, 0));
  OK(cudaDeviceSynchronize());
  OK(cudaGraphExecDestroy(run));
  OK(cudaGraphDestroy(graph));
  OK(cudaEventDestroy(event));
  OK(cudaFree(x));
}

__device__ int held[4] = {1, 2, 3, 4};

// Nodes that copy to variables of the device and from them.
void graphs_of_variables() {
  cudaGraph_t graph;
  cudaGraphExec_t run;
  cudaGraphNode_t in, out, none;
  cudaMemcpyKind to = cudaMemcpyHostToDevice, from = cudaMemcpyDeviceToHost;
  int given[2] = {10, 20}, got[4] = {}, more = 30;
  OK(cudaGraphCreate(&graph, 0));
  OK(cudaGraphAddMemcpyNodeToSymbol(&in, graph, nullptr, 0, held, given, 8, 4, to));
  WRONG(cudaErrorInvalidValue,
        cudaGraphAddMemcpyNodeToSymbol(&none, graph, nullptr, 0, held, given, 8, 12, to));
  OK(cudaGraphAddMemcpyNodeFromSymbol(&out, graph, &in, 1, got, held, 16, 0, from));
  WRONG(cudaErrorInvalidSymbol,
        cudaGraphAddMemcpyNodeFromSymbol(&none, graph, &in, 1, got, given, 16, 0, from));
  OK(cudaGraphInstantiate(&run, graph));
  OK(cudaGraphLaunch(run, 0));
  OK(cudaDeviceSynchronize());
  CHECK(got[0] == 1 && got[1] == 10 && got[2] == 20 && got[3] == 4);
  OK(cudaGraphExecMemcpyNodeSetParamsToSymbol(run, in, held, &more, 4, 12, to));
  WRONG(cudaErrorInvalidValue,
        cudaGraphExecMemcpyNodeSetParamsToSymbol(run, in, held, &more, 4, 16, to));
  OK(cudaGraphExecMemcpyNodeSetParamsFromSymbol(run, out, got + 1, held, 12, 4, from));
  WRONG(cudaErrorInvalidSymbol,
        cudaGraphExecMemcpyNodeSetParamsFromSymbol(run, out, got, &more, 4, 0, from));
  OK(cudaGraphLaunch(run, 0));
  OK(cudaDeviceSynchronize());
  CHECK(got[0] == 1 && got[1] == 10 && got[2] == 20 && got[3] == 30);
  OK(cudaGraphExecDestroy(run));
  OK(cudaGraphMemcpyNodeSetParamsToSymbol(in, held, given + 1, 4, 0, to));
  WRONG(cudaErrorInvalidValue, cudaGraphMemcpyNodeSetParamsToSymbol(in, held, given, 20, 0, to));
  OK(cudaGraphMemcpyNodeSetParamsFromSymbol(out, got, held, 4, 0, from));
  WRONG(cudaErrorInvalidSymbol,
        cudaGraphMemcpyNodeSetParamsFromSymbol(out, got, nullptr, 4, 0, from));
  OK(cudaGraphInstantiate(&run, graph));
  OK(cudaGraphLaunch(run, 0));
  OK(cudaDeviceSynchronize());
  CHECK(got[0] == 20 && got[1] == 10);
  OK(cudaGraphExecDestroy(run));
  OK(cudaGraphDestroy(graph));
}

void attributes(cudaStream_t ended) {
  cudaStream_t s, t;
  OK(cudaStreamCreate(&s));
  OK(cudaStreamCreate(&t));
  cudaStreamAttrValue value = {}, found = {};
  value.syncPolicy = cudaSyncPolicySpin;
  OK(cudaStreamSetAttribute(s, cudaStreamAttributeSynchronizationPolicy, &value));
  OK(cudaStreamCopyAttributes(t, s));
  OK(cudaStreamGetAttribute(t, cudaStreamAttributeSynchronizationPolicy, &found));
  CHECK(found.syncPolicy == cudaSyncPolicySpin);
  value.syncPolicy = (cudaSynchronizationPolicy)9;
  WRONG(cudaErrorInvalidValue,
        cudaStreamSetAttribute(s, cudaStreamAttributeSynchronizationPolicy, &value));
  WRONG(cudaErrorInvalidValue, cudaStreamGetAttribute(s, cudaLaunchAttributeCooperative, &found));
  FAILS(cudaStreamCopyAttributes(s, ended));
  OK(cudaStreamDestroy(s));
  OK(cudaStreamDestroy(t));
}

// A loop that counts a number down, whose body is captured, in a graph that is captured.
void conditional_nodes() {
  int five = 5, *x;
  OK(cudaMalloc(&x, sizeof *x));
  cudaStream_t s, inner;
  OK(cudaStreamCreate(&s));
  OK(cudaStreamCreate(&inner));
  cudaGraph_t graph, body;
  cudaGraphNode_t node, last;
  cudaStreamCaptureStatus status;
  const cudaGraphNode_t *before;
  size_t count;
  OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
  OK(cudaMemcpyAsync(x, &five, sizeof five, cudaMemcpyHostToDevice, s));
  OK(cudaStreamGetCaptureInfo_v3(s, &status, nullptr, &graph, &before, nullptr, &count));
  CHECK(status == cudaStreamCaptureStatusActive && count == 1);
  WRONG(cudaErrorInvalidValue, cudaStreamGetCaptureInfo_v3(s, nullptr));
  cudaGraphConditionalHandle handle;
  OK(cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault));
  WRONG(cudaErrorInvalidValue, cudaGraphConditionalHandleCreate(nullptr, graph));
  cudaGraphNodeParams p = {cudaGraphNodeTypeConditional};
  p.conditional.handle = handle, p.conditional.type = cudaGraphCondTypeWhile;
  p.conditional.size = 2;
  WRONG(cudaErrorInvalidValue, cudaGraphAddNode_v2(&node, graph, before, nullptr, count, &p));
  p.conditional.size = 1;
  OK(cudaGraphAddNode_v2(&node, graph, before, nullptr, count, &p));
  body = p.conditional.phGraph_out[0];
  OK(cudaStreamUpdateCaptureDependencies_v2(s, &node, nullptr, 1,
                                            cudaStreamSetCaptureDependencies));
  WRONG(cudaErrorInvalidValue, cudaStreamUpdateCaptureDependencies_v2(s, &node, nullptr, 1, 7));
  OK(cudaMemcpyAsync(&five, x, sizeof five, cudaMemcpyDeviceToHost, s));
  OK(cudaStreamEndCapture(s, &graph));
  OK(cudaStreamBeginCaptureToGraph(inner, body, nullptr, nullptr, 0,
                                   cudaStreamCaptureModeGlobal));
  FAILS(cudaStreamBeginCaptureToGraph(s, nullptr, nullptr, nullptr, 0,
                                      cudaStreamCaptureModeGlobal));
  count_down<<<1, 1, 0, inner>>>(handle, x);
  OK(cudaStreamEndCapture(inner, &body));
  cudaGraphExec_t run;
  OK(cudaGraphInstantiate(&run, graph));
  OK(cudaGraphLaunch(run, s));
  OK(cudaStreamSynchronize(s));
  CHECK(five == 0);

  // Nodes of other kinds, by the same function.
  int by = 3;
  void *arguments[] = {&x, &by};
  cudaGraphNodeParams k = {cudaGraphNodeTypeKernel}, f = {cudaGraphNodeTypeMemset};
  cudaGraphNodeParams c = {cudaGraphNodeTypeMemcpy}, m = {cudaGraphNodeTypeMemAlloc};
  f.memset.dst = x, f.memset.value = 4, f.memset.elementSize = 4;
  f.memset.width = f.memset.height = 1;
  k.kernel.func = (void *)add, k.kernel.gridDim = k.kernel.blockDim = dim3(1);
  k.kernel.kernelParams = arguments;
  c.memcpy.copyParams.srcPtr = make_cudaPitchedPtr(x, 4, 4, 1);
  c.memcpy.copyParams.dstPtr = make_cudaPitchedPtr(&five, 4, 4, 1);
  c.memcpy.copyParams.extent = make_cudaExtent(4, 1, 1);
  c.memcpy.copyParams.kind = cudaMemcpyDeviceToHost;
  m.alloc.poolProps.allocType = cudaMemAllocationTypePinned;
  m.alloc.poolProps.location = {cudaMemLocationTypeDevice, 0};
  m.alloc.bytesize = 64;
  cudaGraph_t other;
  OK(cudaGraphCreate(&other, 0));
  OK(cudaGraphAddNode(&node, other, nullptr, 0, &f));
  WRONG(cudaErrorInvalidValue, cudaGraphAddNode(&node, other, nullptr, 0, nullptr));
  OK(cudaGraphAddNode(&last, other, &node, nullptr, 1, &k));
  OK(cudaGraphAddNode(&node, other, &last, nullptr, 1, &c));
  OK(cudaGraphAddNode(&last, other, &node, nullptr, 1, &m));
  CHECK(m.alloc.dptr != nullptr);
  cudaGraphExec_t other_run;
  OK(cudaGraphInstantiate(&other_run, other));
  OK(cudaGraphLaunch(other_run, s));
  OK(cudaStreamSynchronize(s));
  CHECK(five == 7);
  unsigned long long used = 0, none = 0;
  OK(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &used));
  CHECK(used >= 64);
  FAILS(cudaDeviceGetGraphMemAttribute(99, cudaGraphMemAttrUsedMemHigh, &used));
  for (cudaGraphExec_t e : {run, other_run}) OK(cudaGraphExecDestroy(e));
  for (cudaGraph_t g : {graph, other}) OK(cudaGraphDestroy(g));
  OK(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &none));
  WRONG(cudaErrorInvalidValue,
        cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &none));
  OK(cudaDeviceGraphMemTrim(0));
  FAILS(cudaDeviceGraphMemTrim(99));
  OK(cudaStreamDestroy(s));
  OK(cudaStreamDestroy(inner));
  OK(cudaFree(x));
}

int main() {
  cudaStream_t ended;
  OK(cudaStreamCreate(&ended));
  OK(cudaStreamDestroy(ended));
  streams(ended);
  capture();
  graphs();
  graphs_of_variables();
  user_objects();
  attributes(ended);
  conditional_nodes();
  puts("PASS");
}
