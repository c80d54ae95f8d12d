// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Streams, events, graphs.
#include "internal.h"

using namespace xgpu;

namespace {

cudaError_t waited(cudaError_t error) {
  if (!error) pull_managed();
  return noted(error);
}

cudaError_t node_of(const cudaKernelNodeParams *p, CUDA_KERNEL_NODE_PARAMS *node) {
  if (!p) return cudaErrorInvalidValue;
  cudaError_t error = ready();
  CUfunction function;
  if (!error) error = function_of(p->func, &function);
  if (error) return error;
  *node = {function,      p->gridDim.x,  p->gridDim.y,      p->gridDim.z,    p->blockDim.x,
           p->blockDim.y, p->blockDim.z, p->sharedMemBytes, p->kernelParams, p->extra,
           nullptr,       nullptr};
  return cudaSuccess;
}

cudaError_t line_of(void *to, const void *from, size_t bytes, cudaMemcpyKind kind,
                    CUDA_MEMCPY3D *copy) {
  cudaMemcpy3DParms p = {};
  p.srcPtr = {(void *)from, bytes, bytes, 1};
  p.dstPtr = {to, bytes, bytes, 1};
  p.extent = {bytes, 1, 1};
  p.kind = kind;
  return copy_of(&p, copy);
}

CUcontext context() {
  CUcontext found = nullptr;
  XGPU_DRIVER(cuCtxGetCurrent, &found);
  return found;
}

// Those of the driver have the layout of the runtime's.
CUDA_MEMSET_NODE_PARAMS fill_of(const cudaMemsetParams &p) {
  return {(CUdeviceptr)p.dst, p.pitch, p.value, p.elementSize, p.width, p.height};
}

}  // namespace

extern "C" {

// -- streams

cudaError_t cudaStreamCreate(cudaStream_t *stream) { XGPU_CALL(cuStreamCreate, stream, 0u); }

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags) {
  XGPU_CALL(cuStreamCreate, stream, flags);
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned int flags, int priority) {
  XGPU_CALL(cuStreamCreateWithPriority, stream, flags, priority);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) { XGPU_CALL(cuStreamDestroy, stream); }

cudaError_t cudaStreamQuery(cudaStream_t stream) {
  cudaError_t error = ready();
  if (!error) error = XGPU_DRIVER(cuStreamQuery, stream_of(stream));
  return waited(error);
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  cudaError_t error = ready();
  if (!error) error = XGPU_DRIVER(cuStreamSynchronize, stream_of(stream));
  return waited(error);
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags) {
  XGPU_CALL(cuStreamWaitEvent, stream_of(stream), event, flags);
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void *data,
                                  unsigned int flags) {
  // Errors of both have the same numbers, so the driver may call it.
  XGPU_CALL(cuStreamAddCallback, stream_of(stream), (CUstreamCallback)callback, data, flags);
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *data) {
  XGPU_CALL(cuLaunchHostFunc, stream_of(stream), function, data);
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int *flags) {
  XGPU_CALL(cuStreamGetFlags, stream_of(stream), flags);
}

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority) {
  XGPU_CALL(cuStreamGetPriority, stream_of(stream), priority);
}

cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long *id) {
  XGPU_CALL(cuStreamGetId, stream_of(stream), id);
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *address, size_t bytes,
                                     unsigned int flags) {
  XGPU_CALL(cuStreamAttachMemAsync, stream_of(stream), (CUdeviceptr)address, bytes, flags);
}

cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaStreamAttrID attribute,
                                   cudaStreamAttrValue *value) {
  XGPU_CALL(cuStreamGetAttribute, stream_of(stream), (CUstreamAttrID)attribute,
            (CUstreamAttrValue *)value);
}

cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaStreamAttrID attribute,
                                   const cudaStreamAttrValue *value) {
  XGPU_CALL(cuStreamSetAttribute, stream_of(stream), (CUstreamAttrID)attribute,
            (const CUstreamAttrValue *)value);
}

cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from) {
  XGPU_CALL(cuStreamCopyAttributes, stream_of(to), stream_of(from));
}

// -- events

cudaError_t cudaEventCreate(cudaEvent_t *event) { XGPU_CALL(cuEventCreate, event, 0u); }

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags) {
  XGPU_CALL(cuEventCreate, event, flags);
}

cudaError_t cudaEventDestroy(cudaEvent_t event) { XGPU_CALL(cuEventDestroy, event); }

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  XGPU_CALL(cuEventRecord, event, stream_of(stream));
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned int flags) {
  XGPU_CALL(cuEventRecordWithFlags, event, stream_of(stream), flags);
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
  cudaError_t error = ready();
  if (!error) error = XGPU_DRIVER(cuEventQuery, event);
  return waited(error);
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  cudaError_t error = ready();
  if (!error) error = XGPU_DRIVER(cuEventSynchronize, event);
  return waited(error);
}

cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t end) {
  XGPU_CALL(cuEventElapsedTime, milliseconds, start, end);
}

// -- capture

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
  XGPU_CALL(cuStreamBeginCapture, stream_of(stream), (CUstreamCaptureMode)mode);
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph) {
  XGPU_CALL(cuStreamEndCapture, stream_of(stream), graph);
}

cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph,
                                          const cudaGraphNode_t *dependencies,
                                          const cudaGraphEdgeData *edges, size_t count,
                                          cudaStreamCaptureMode mode) {
  XGPU_CALL(cuStreamBeginCaptureToGraph, stream_of(stream), graph, dependencies,
            (const CUgraphEdgeData *)edges, count, (CUstreamCaptureMode)mode);
}

cudaError_t cudaStreamGetCaptureInfo_v3(cudaStream_t stream, cudaStreamCaptureStatus *status,
                                        unsigned long long *id, cudaGraph_t *graph,
                                        const cudaGraphNode_t **dependencies,
                                        const cudaGraphEdgeData **edges, size_t *count) {
  XGPU_CALL(cuStreamGetCaptureInfo_v3, stream_of(stream), (CUstreamCaptureStatus *)status,
            (cuuint64_t *)id, graph, dependencies, (const CUgraphEdgeData **)edges, count);
}

cudaError_t cudaStreamUpdateCaptureDependencies_v2(cudaStream_t stream,
                                                   cudaGraphNode_t *dependencies,
                                                   const cudaGraphEdgeData *edges, size_t count,
                                                   unsigned int flags) {
  XGPU_CALL(cuStreamUpdateCaptureDependencies_v2, stream_of(stream), dependencies,
            (const CUgraphEdgeData *)edges, count, flags);
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus *status) {
  XGPU_CALL(cuStreamIsCapturing, stream_of(stream), (CUstreamCaptureStatus *)status);
}

cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode *mode) {
  XGPU_CALL(cuThreadExchangeStreamCaptureMode, (CUstreamCaptureMode *)mode);
}

// -- graphs

cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned int flags) {
  XGPU_CALL(cuGraphCreate, graph, flags);
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) { XGPU_CALL(cuGraphDestroy, graph); }

cudaError_t cudaGraphClone(cudaGraph_t *clone, cudaGraph_t graph) {
  XGPU_CALL(cuGraphClone, clone, graph);
}

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                   const cudaGraphNode_t *dependencies, size_t count,
                                   const cudaKernelNodeParams *parameters) {
  CUDA_KERNEL_NODE_PARAMS p;
  cudaError_t error = node_of(parameters, &p);
  if (!error) error = XGPU_DRIVER(cuGraphAddKernelNode, node, graph, dependencies, count, &p);
  return noted(error);
}

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                   const cudaGraphNode_t *dependencies, size_t count,
                                   const cudaMemcpy3DParms *copy) {
  CUDA_MEMCPY3D c;
  cudaError_t error = copy_of(copy, &c);
  if (!error) error = ready();
  if (error) return noted(error);
  return noted(
      XGPU_DRIVER(cuGraphAddMemcpyNode, node, graph, dependencies, count, &c, context()));
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *node, cudaGraph_t graph,
                                     const cudaGraphNode_t *dependencies, size_t count, void *to,
                                     const void *from, size_t bytes, cudaMemcpyKind kind) {
  CUDA_MEMCPY3D c;
  cudaError_t error = line_of(to, from, bytes, kind, &c);
  if (!error) error = ready();
  if (error) return noted(error);
  return noted(
      XGPU_DRIVER(cuGraphAddMemcpyNode, node, graph, dependencies, count, &c, context()));
}

cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t *node, cudaGraph_t graph,
                                           const cudaGraphNode_t *dependencies, size_t count,
                                           const void *symbol, const void *from, size_t bytes,
                                           size_t offset, cudaMemcpyKind kind) {
  void *place;
  cudaError_t error = place_in(symbol, offset, bytes, &place);
  if (error) return noted(error);
  return cudaGraphAddMemcpyNode1D(node, graph, dependencies, count, place, from, bytes, kind);
}

cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t *node, cudaGraph_t graph,
                                             const cudaGraphNode_t *dependencies, size_t count,
                                             void *to, const void *symbol, size_t bytes,
                                             size_t offset, cudaMemcpyKind kind) {
  void *place;
  cudaError_t error = place_in(symbol, offset, bytes, &place);
  if (error) return noted(error);
  return cudaGraphAddMemcpyNode1D(node, graph, dependencies, count, to, place, bytes, kind);
}

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                   const cudaGraphNode_t *dependencies, size_t count,
                                   const cudaMemsetParams *parameters) {
  if (!parameters) return noted(cudaErrorInvalidValue);
  if (cudaError_t error = ready()) return noted(error);
  CUDA_MEMSET_NODE_PARAMS p = fill_of(*parameters);
  return noted(
      XGPU_DRIVER(cuGraphAddMemsetNode, node, graph, dependencies, count, &p, context()));
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                 const cudaGraphNode_t *dependencies, size_t count,
                                 const cudaHostNodeParams *parameters) {
  XGPU_CALL(cuGraphAddHostNode, node, graph, dependencies, count,
            (const CUDA_HOST_NODE_PARAMS *)parameters);
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                  const cudaGraphNode_t *dependencies, size_t count) {
  XGPU_CALL(cuGraphAddEmptyNode, node, graph, dependencies, count);
}

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                       const cudaGraphNode_t *dependencies, size_t count,
                                       cudaGraph_t child) {
  XGPU_CALL(cuGraphAddChildGraphNode, node, graph, dependencies, count, child);
}

cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                        const cudaGraphNode_t *dependencies, size_t count,
                                        cudaEvent_t event) {
  XGPU_CALL(cuGraphAddEventRecordNode, node, graph, dependencies, count, event);
}

cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                      const cudaGraphNode_t *dependencies, size_t count,
                                      cudaEvent_t event) {
  XGPU_CALL(cuGraphAddEventWaitNode, node, graph, dependencies, count, event);
}

cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                     const cudaGraphNode_t *dependencies, size_t count,
                                     cudaMemAllocNodeParams *parameters) {
  XGPU_CALL(cuGraphAddMemAllocNode, node, graph, dependencies, count,
            (CUDA_MEM_ALLOC_NODE_PARAMS *)parameters);
}

cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                    const cudaGraphNode_t *dependencies, size_t count,
                                    void *address) {
  XGPU_CALL(cuGraphAddMemFreeNode, node, graph, dependencies, count, (CUdeviceptr)address);
}

cudaError_t cudaGraphAddNode_v2(cudaGraphNode_t *node, cudaGraph_t graph,
                                const cudaGraphNode_t *dependencies,
                                const cudaGraphEdgeData *edges, size_t count,
                                cudaGraphNodeParams *parameters) {
  if (!parameters) return noted(cudaErrorInvalidValue);
  if (cudaError_t error = ready()) return noted(error);
  // Kernels and copies are described in other words, all else in the driver's.
  CUgraphNodeParams p = {(CUgraphNodeType)parameters->type};
  const bool is_kernel = parameters->type == cudaGraphNodeTypeKernel;
  const bool is_copy = parameters->type == cudaGraphNodeTypeMemcpy;
  cudaError_t error = cudaSuccess;
  if (is_kernel) {
    error = node_of(&parameters->kernel, &p.kernel);
  } else if (is_copy) {
    error = copy_of(&parameters->memcpy.copyParams, &p.memcpy.copyParams);
  } else {
    __builtin_memcpy(p.reserved1, parameters->reserved1, sizeof(p.reserved1));
    if (parameters->type == cudaGraphNodeTypeMemset) p.memset.ctx = nullptr;
    if (parameters->type == cudaGraphNodeTypeConditional) p.conditional.ctx = nullptr;
  }
  if (!error)
    error = XGPU_DRIVER(cuGraphAddNode_v2, node, graph, dependencies,
                        (const CUgraphEdgeData *)edges, count, &p);
  // What an allocation and a conditional node have got.
  if (!error && !is_kernel && !is_copy)
    __builtin_memcpy(parameters->reserved1, p.reserved1, sizeof(p.reserved1));
  return noted(error);
}

cudaError_t cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph,
                             const cudaGraphNode_t *dependencies, size_t count,
                             cudaGraphNodeParams *parameters) {
  return cudaGraphAddNode_v2(node, graph, dependencies, nullptr, count, parameters);
}

cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle *handle, cudaGraph_t graph,
                                             unsigned int value, unsigned int flags) {
  XGPU_CALL(cuGraphConditionalHandleCreate, handle, graph, nullptr, value, flags);
}

cudaError_t cudaDeviceGetGraphMemAttribute(int device, cudaGraphMemAttributeType attribute,
                                           void *value) {
  XGPU_CALL(cuDeviceGetGraphMemAttribute, device, (CUgraphMem_attribute)attribute, value);
}

cudaError_t cudaDeviceSetGraphMemAttribute(int device, cudaGraphMemAttributeType attribute,
                                           void *value) {
  XGPU_CALL(cuDeviceSetGraphMemAttribute, device, (CUgraphMem_attribute)attribute, value);
}

cudaError_t cudaDeviceGraphMemTrim(int device) { XGPU_CALL(cuDeviceGraphMemTrim, device); }

cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                     const cudaGraphNode_t *to, size_t count) {
  XGPU_CALL(cuGraphAddDependencies, graph, from, to, count);
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count) {
  XGPU_CALL(cuGraphGetNodes, graph, nodes, count);
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count) {
  XGPU_CALL(cuGraphGetRootNodes, graph, nodes, count);
}

cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to,
                              size_t *count) {
  XGPU_CALL(cuGraphGetEdges, graph, from, to, count);
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType *type) {
  XGPU_CALL(cuGraphNodeGetType, node, (CUgraphNodeType *)type);
}

cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node) { XGPU_CALL(cuGraphDestroyNode, node); }

cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, cudaKernelNodeParams *parameters) {
  if (!parameters) return noted(cudaErrorInvalidValue);
  CUDA_KERNEL_NODE_PARAMS p = {};
  cudaError_t error = ready();
  if (!error) error = XGPU_DRIVER(cuGraphKernelNodeGetParams, node, &p);
  if (error) return noted(error);
  *parameters = {(void *)symbol_of(p.func),
                 dim3(p.gridDimX, p.gridDimY, p.gridDimZ),
                 dim3(p.blockDimX, p.blockDimY, p.blockDimZ),
                 p.sharedMemBytes,
                 p.kernelParams,
                 p.extra};
  return cudaSuccess;
}

cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node,
                                         const cudaKernelNodeParams *parameters) {
  CUDA_KERNEL_NODE_PARAMS p;
  cudaError_t error = node_of(parameters, &p);
  if (!error) error = XGPU_DRIVER(cuGraphKernelNodeSetParams, node, &p);
  return noted(error);
}

cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t *found, cudaGraphNode_t node,
                                     cudaGraph_t clone) {
  XGPU_CALL(cuGraphNodeFindInClone, found, node, clone);
}

cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char *path, unsigned int flags) {
  XGPU_CALL(cuGraphDebugDotPrint, graph, path, flags);
}

cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                        const cudaGraphNode_t *to, size_t count) {
  XGPU_CALL(cuGraphRemoveDependencies, graph, from, to, count);
}

cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t *nodes,
                                         size_t *count) {
  XGPU_CALL(cuGraphNodeGetDependencies, node, nodes, count);
}

cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t *nodes,
                                           size_t *count) {
  XGPU_CALL(cuGraphNodeGetDependentNodes, node, nodes, count);
}

cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node, const cudaMemcpy3DParms *copy) {
  CUDA_MEMCPY3D c;
  cudaError_t error = copy_of(copy, &c);
  if (!error) error = ready();
  if (!error) error = XGPU_DRIVER(cuGraphMemcpyNodeSetParams, node, &c);
  return noted(error);
}

cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void *to, const void *from,
                                           size_t bytes, cudaMemcpyKind kind) {
  CUDA_MEMCPY3D c;
  cudaError_t error = line_of(to, from, bytes, kind, &c);
  if (!error) error = ready();
  if (!error) error = XGPU_DRIVER(cuGraphMemcpyNodeSetParams, node, &c);
  return noted(error);
}

cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node, const void *symbol,
                                                 const void *from, size_t bytes, size_t offset,
                                                 cudaMemcpyKind kind) {
  void *place;
  cudaError_t error = place_in(symbol, offset, bytes, &place);
  return error ? noted(error) : cudaGraphMemcpyNodeSetParams1D(node, place, from, bytes, kind);
}

cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node, void *to,
                                                   const void *symbol, size_t bytes, size_t offset,
                                                   cudaMemcpyKind kind) {
  void *place;
  cudaError_t error = place_in(symbol, offset, bytes, &place);
  return error ? noted(error) : cudaGraphMemcpyNodeSetParams1D(node, to, place, bytes, kind);
}

cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node, cudaMemsetParams *parameters) {
  if (!parameters) return noted(cudaErrorInvalidValue);
  CUDA_MEMSET_NODE_PARAMS p = {};
  cudaError_t error = ready();
  if (!error) error = XGPU_DRIVER(cuGraphMemsetNodeGetParams, node, &p);
  if (!error)
    *parameters = {(void *)p.dst, p.pitch, p.value, p.elementSize, p.width, p.height};
  return noted(error);
}

cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node,
                                         const cudaMemsetParams *parameters) {
  if (!parameters) return noted(cudaErrorInvalidValue);
  const CUDA_MEMSET_NODE_PARAMS p = fill_of(*parameters);
  XGPU_CALL(cuGraphMemsetNodeSetParams, node, &p);
}

cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node, cudaHostNodeParams *parameters) {
  XGPU_CALL(cuGraphHostNodeGetParams, node, (CUDA_HOST_NODE_PARAMS *)parameters);
}

cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node,
                                       const cudaHostNodeParams *parameters) {
  XGPU_CALL(cuGraphHostNodeSetParams, node, (const CUDA_HOST_NODE_PARAMS *)parameters);
}

cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t *graph) {
  XGPU_CALL(cuGraphChildGraphNodeGetGraph, node, graph);
}

cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node, cudaEvent_t *event) {
  XGPU_CALL(cuGraphEventRecordNodeGetEvent, node, event);
}

cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
  XGPU_CALL(cuGraphEventRecordNodeSetEvent, node, event);
}

cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node, cudaEvent_t *event) {
  XGPU_CALL(cuGraphEventWaitNodeGetEvent, node, event);
}

cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
  XGPU_CALL(cuGraphEventWaitNodeSetEvent, node, event);
}

// -- graphs that run

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *executable, cudaGraph_t graph,
                                          unsigned long long flags) {
  XGPU_CALL(cuGraphInstantiateWithFlags, executable, graph, flags);
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable) {
  XGPU_CALL(cuGraphExecDestroy, executable);
}

cudaError_t cudaGraphUpload(cudaGraphExec_t executable, cudaStream_t stream) {
  XGPU_CALL(cuGraphUpload, executable, stream_of(stream));
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream) {
  if (cudaError_t error = ready()) return noted(error);
  push_managed();
  return noted(XGPU_DRIVER(cuGraphLaunch, executable, stream_of(stream)));
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t executable, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo *result) {
  XGPU_CALL(cuGraphExecUpdate, executable, graph, (CUgraphExecUpdateResultInfo *)result);
}

cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const cudaKernelNodeParams *parameters) {
  CUDA_KERNEL_NODE_PARAMS p;
  cudaError_t error = node_of(parameters, &p);
  if (!error) error = XGPU_DRIVER(cuGraphExecKernelNodeSetParams, executable, node, &p);
  return noted(error);
}

cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t executable, cudaGraphNode_t node,
                                               void *to, const void *from, size_t bytes,
                                               cudaMemcpyKind kind) {
  CUDA_MEMCPY3D c;
  cudaError_t error = line_of(to, from, bytes, kind, &c);
  if (!error) error = ready();
  if (error) return noted(error);
  return noted(XGPU_DRIVER(cuGraphExecMemcpyNodeSetParams, executable, node, &c, context()));
}

cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t executable,
                                                     cudaGraphNode_t node, const void *symbol,
                                                     const void *from, size_t bytes, size_t offset,
                                                     cudaMemcpyKind kind) {
  void *place;
  cudaError_t error = place_in(symbol, offset, bytes, &place);
  if (error) return noted(error);
  return cudaGraphExecMemcpyNodeSetParams1D(executable, node, place, from, bytes, kind);
}

cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t executable,
                                                       cudaGraphNode_t node, void *to,
                                                       const void *symbol, size_t bytes,
                                                       size_t offset, cudaMemcpyKind kind) {
  void *place;
  cudaError_t error = place_in(symbol, offset, bytes, &place);
  if (error) return noted(error);
  return cudaGraphExecMemcpyNodeSetParams1D(executable, node, to, place, bytes, kind);
}

cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const cudaMemsetParams *parameters) {
  if (!parameters) return noted(cudaErrorInvalidValue);
  if (cudaError_t error = ready()) return noted(error);
  CUDA_MEMSET_NODE_PARAMS p = fill_of(*parameters);
  return noted(XGPU_DRIVER(cuGraphExecMemsetNodeSetParams, executable, node, &p, context()));
}

cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                           const cudaHostNodeParams *parameters) {
  XGPU_CALL(cuGraphExecHostNodeSetParams, executable, node,
            (const CUDA_HOST_NODE_PARAMS *)parameters);
}

cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const cudaMemcpy3DParms *copy) {
  CUDA_MEMCPY3D c;
  cudaError_t error = copy_of(copy, &c);
  if (!error) error = ready();
  if (error) return noted(error);
  return noted(XGPU_DRIVER(cuGraphExecMemcpyNodeSetParams, executable, node, &c, context()));
}

cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                                 cudaGraph_t child) {
  XGPU_CALL(cuGraphExecChildGraphNodeSetParams, executable, node, child);
}

cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t executable, cudaGraphNode_t node,
                                                 cudaEvent_t event) {
  XGPU_CALL(cuGraphExecEventRecordNodeSetEvent, executable, node, event);
}

cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t executable, cudaGraphNode_t node,
                                               cudaEvent_t event) {
  XGPU_CALL(cuGraphExecEventWaitNodeSetEvent, executable, node, event);
}

cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t executable, unsigned long long *flags) {
  XGPU_CALL(cuGraphExecGetFlags, executable, flags);
}

cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t executable, cudaGraphNode_t node,
                                    unsigned int enabled) {
  XGPU_CALL(cuGraphNodeSetEnabled, executable, node, enabled);
}

cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t executable, cudaGraphNode_t node,
                                    unsigned int *enabled) {
  XGPU_CALL(cuGraphNodeGetEnabled, executable, node, enabled);
}

// -- objects that graphs hold

cudaError_t cudaUserObjectCreate(cudaUserObject_t *object, void *pointer, cudaHostFn_t destroy,
                                 unsigned int references, unsigned int flags) {
  XGPU_CALL(cuUserObjectCreate, object, pointer, destroy, references, flags);
}

cudaError_t cudaUserObjectRetain(cudaUserObject_t object, unsigned int count) {
  XGPU_CALL(cuUserObjectRetain, object, count);
}

cudaError_t cudaUserObjectRelease(cudaUserObject_t object, unsigned int count) {
  XGPU_CALL(cuUserObjectRelease, object, count);
}

cudaError_t cudaGraphRetainUserObject(cudaGraph_t graph, cudaUserObject_t object,
                                      unsigned int count, unsigned int flags) {
  XGPU_CALL(cuGraphRetainUserObject, graph, object, count, flags);
}

cudaError_t cudaGraphReleaseUserObject(cudaGraph_t graph, cudaUserObject_t object,
                                       unsigned int count) {
  XGPU_CALL(cuGraphReleaseUserObject, graph, object, count);
}

}  // extern "C"
