// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Errors of CUDA's runtime: name, number, words. Included where XGPU_ERROR says what each becomes.
XGPU_ERROR(cudaSuccess, 0, "no error")
XGPU_ERROR(cudaErrorInvalidValue, 1, "invalid argument")
XGPU_ERROR(cudaErrorMemoryAllocation, 2, "out of memory")
XGPU_ERROR(cudaErrorInitializationError, 3, "initialization error")
XGPU_ERROR(cudaErrorCudartUnloading, 4, "driver shutting down")
XGPU_ERROR(cudaErrorProfilerDisabled, 5, "profiler disabled while using external profiling tool")
XGPU_ERROR(cudaErrorProfilerNotInitialized, 6,
           "profiler not initialized: call cudaProfilerInitialize()")
XGPU_ERROR(cudaErrorProfilerAlreadyStarted, 7, "profiler already started")
XGPU_ERROR(cudaErrorProfilerAlreadyStopped, 8, "profiler already stopped")
XGPU_ERROR(cudaErrorInvalidConfiguration, 9, "invalid configuration argument")
XGPU_ERROR(cudaErrorVersionTranslation, 10, "API call translation failed")
XGPU_ERROR(cudaErrorInvalidPitchValue, 12, "invalid pitch argument")
XGPU_ERROR(cudaErrorInvalidSymbol, 13, "invalid device symbol")
XGPU_ERROR(cudaErrorInvalidHostPointer, 16, "invalid host pointer")
XGPU_ERROR(cudaErrorInvalidDevicePointer, 17, "invalid device pointer")
XGPU_ERROR(cudaErrorInvalidTexture, 18, "invalid texture reference")
XGPU_ERROR(cudaErrorInvalidTextureBinding, 19, "texture is not bound to a pointer")
XGPU_ERROR(cudaErrorInvalidChannelDescriptor, 20, "invalid channel descriptor")
XGPU_ERROR(cudaErrorInvalidMemcpyDirection, 21, "invalid copy direction for memcpy")
XGPU_ERROR(cudaErrorAddressOfConstant, 22, "address of constant cannot be taken")
XGPU_ERROR(cudaErrorTextureFetchFailed, 23, "fetch from texture failed")
XGPU_ERROR(cudaErrorTextureNotBound, 24, "cannot fetch from a texture that is not bound")
XGPU_ERROR(cudaErrorSynchronizationError, 25, "incorrect use of __syncthreads()")
XGPU_ERROR(cudaErrorInvalidFilterSetting, 26, "linear filtering not supported for non-float type")
XGPU_ERROR(cudaErrorInvalidNormSetting, 27,
           "read as normalized float not supported for 32-bit non float type")
XGPU_ERROR(cudaErrorMixedDeviceExecution, 28,
           "device emulation mode and device execution mode cannot be mixed")
XGPU_ERROR(cudaErrorNotYetImplemented, 31, "feature not yet implemented")
XGPU_ERROR(cudaErrorMemoryValueTooLarge, 32,
           "memory size or pointer value too large to fit in 32 bit")
XGPU_ERROR(cudaErrorStubLibrary, 34, "CUDA driver is a stub library")
XGPU_ERROR(cudaErrorInsufficientDriver, 35,
           "CUDA driver version is insufficient for CUDA runtime version")
XGPU_ERROR(cudaErrorCallRequiresNewerDriver, 36,
           "API call is not supported in the installed CUDA driver")
XGPU_ERROR(cudaErrorInvalidSurface, 37, "invalid surface reference")
XGPU_ERROR(cudaErrorDuplicateVariableName, 43, "duplicate global variable looked up by string name")
XGPU_ERROR(cudaErrorDuplicateTextureName, 44, "duplicate texture looked up by string name")
XGPU_ERROR(cudaErrorDuplicateSurfaceName, 45, "duplicate surface looked up by string name")
XGPU_ERROR(cudaErrorDevicesUnavailable, 46, "CUDA-capable device(s) is/are busy or unavailable")
XGPU_ERROR(cudaErrorIncompatibleDriverContext, 49, "incompatible driver context")
XGPU_ERROR(cudaErrorMissingConfiguration, 52, "__global__ function call is not configured")
XGPU_ERROR(cudaErrorPriorLaunchFailure, 53, "unspecified launch failure in prior launch")
XGPU_ERROR(cudaErrorLaunchMaxDepthExceeded, 65,
           "launch would exceed maximum depth of nested launches")
XGPU_ERROR(cudaErrorLaunchFileScopedTex, 66, "launch file scoped tex")
XGPU_ERROR(cudaErrorLaunchFileScopedSurf, 67, "launch file scoped surf")
XGPU_ERROR(cudaErrorSyncDepthExceeded, 68, "launch would exceed maximum depth of synchronization")
XGPU_ERROR(cudaErrorLaunchPendingCountExceeded, 69,
           "launch would exceed maximum outstanding nested launches")
XGPU_ERROR(cudaErrorInvalidDeviceFunction, 98, "invalid device function")
XGPU_ERROR(cudaErrorNoDevice, 100, "no CUDA-capable device is detected")
XGPU_ERROR(cudaErrorInvalidDevice, 101, "invalid device ordinal")
XGPU_ERROR(cudaErrorDeviceNotLicensed, 102, "device is not licensed")
XGPU_ERROR(cudaErrorSoftwareValidityNotEstablished, 103, "software validity not established")
XGPU_ERROR(cudaErrorStartupFailure, 127, "startup failure in cuda runtime")
XGPU_ERROR(cudaErrorInvalidKernelImage, 200, "device kernel image is invalid")
XGPU_ERROR(cudaErrorDeviceUninitialized, 201, "invalid device context")
XGPU_ERROR(cudaErrorMapBufferObjectFailed, 205, "mapping of buffer object failed")
XGPU_ERROR(cudaErrorUnmapBufferObjectFailed, 206, "unmapping of buffer object failed")
XGPU_ERROR(cudaErrorArrayIsMapped, 207, "array is mapped")
XGPU_ERROR(cudaErrorAlreadyMapped, 208, "resource already mapped")
XGPU_ERROR(cudaErrorNoKernelImageForDevice, 209,
           "no kernel image is available for execution on the device")
XGPU_ERROR(cudaErrorAlreadyAcquired, 210, "resource already acquired")
XGPU_ERROR(cudaErrorNotMapped, 211, "resource not mapped")
XGPU_ERROR(cudaErrorNotMappedAsArray, 212, "resource not mapped as array")
XGPU_ERROR(cudaErrorNotMappedAsPointer, 213, "resource not mapped as pointer")
XGPU_ERROR(cudaErrorECCUncorrectable, 214, "uncorrectable ECC error encountered")
XGPU_ERROR(cudaErrorUnsupportedLimit, 215, "limit is not supported on this architecture")
XGPU_ERROR(cudaErrorDeviceAlreadyInUse, 216,
           "exclusive-thread device already in use by a different thread")
XGPU_ERROR(cudaErrorPeerAccessUnsupported, 217,
           "peer access is not supported between these two devices")
XGPU_ERROR(cudaErrorInvalidPtx, 218, "a PTX JIT compilation failed")
XGPU_ERROR(cudaErrorInvalidGraphicsContext, 219, "invalid OpenGL or DirectX context")
XGPU_ERROR(cudaErrorNvlinkUncorrectable, 220,
           "uncorrectable NVLink error detected during the execution")
XGPU_ERROR(cudaErrorJitCompilerNotFound, 221, "PTX JIT compiler library not found")
XGPU_ERROR(cudaErrorUnsupportedPtxVersion, 222,
           "the provided PTX was compiled with an unsupported toolchain.")
XGPU_ERROR(cudaErrorJitCompilationDisabled, 223, "PTX JIT compilation was disabled")
XGPU_ERROR(cudaErrorUnsupportedExecAffinity, 224,
           "the provided execution affinity is not supported")
XGPU_ERROR(cudaErrorUnsupportedDevSideSync, 225,
           "the provided PTX contains unsupported call to cudaDeviceSynchronize")
XGPU_ERROR(cudaErrorContained, 226, "contained")
XGPU_ERROR(cudaErrorInsufficientLoaderVersion, 227, "insufficient loader version")
XGPU_ERROR(cudaErrorInvalidSource, 300, "device kernel image is invalid")
XGPU_ERROR(cudaErrorFileNotFound, 301, "file not found")
XGPU_ERROR(cudaErrorSharedObjectSymbolNotFound, 302, "shared object symbol not found")
XGPU_ERROR(cudaErrorSharedObjectInitFailed, 303, "shared object initialization failed")
XGPU_ERROR(cudaErrorOperatingSystem, 304, "OS call failed or operation not supported on this OS")
XGPU_ERROR(cudaErrorInvalidResourceHandle, 400, "invalid resource handle")
XGPU_ERROR(cudaErrorIllegalState, 401, "the operation cannot be performed in the present state")
XGPU_ERROR(cudaErrorLossyQuery, 402, "the query would discard metadata about the resource")
XGPU_ERROR(cudaErrorSymbolNotFound, 500, "named symbol not found")
XGPU_ERROR(cudaErrorNotReady, 600, "device not ready")
XGPU_ERROR(cudaErrorIllegalAddress, 700, "an illegal memory access was encountered")
XGPU_ERROR(cudaErrorLaunchOutOfResources, 701, "too many resources requested for launch")
XGPU_ERROR(cudaErrorLaunchTimeout, 702, "the launch timed out and was terminated")
XGPU_ERROR(cudaErrorLaunchIncompatibleTexturing, 703, "launch uses incompatible texturing mode")
XGPU_ERROR(cudaErrorPeerAccessAlreadyEnabled, 704, "peer access is already enabled")
XGPU_ERROR(cudaErrorPeerAccessNotEnabled, 705, "peer access has not been enabled")
XGPU_ERROR(cudaErrorSetOnActiveProcess, 708, "cannot set while device is active in this process")
XGPU_ERROR(cudaErrorContextIsDestroyed, 709, "context is destroyed")
XGPU_ERROR(cudaErrorAssert, 710, "device-side assert triggered")
XGPU_ERROR(cudaErrorTooManyPeers, 711, "peer mapping resources exhausted")
XGPU_ERROR(cudaErrorHostMemoryAlreadyRegistered, 712,
           "part or all of the requested memory range is already mapped")
XGPU_ERROR(cudaErrorHostMemoryNotRegistered, 713,
           "pointer does not correspond to a registered memory region")
XGPU_ERROR(cudaErrorHardwareStackError, 714, "hardware stack error")
XGPU_ERROR(cudaErrorIllegalInstruction, 715, "an illegal instruction was encountered")
XGPU_ERROR(cudaErrorMisalignedAddress, 716, "misaligned address")
XGPU_ERROR(cudaErrorInvalidAddressSpace, 717,
           "operation not supported on global/shared address space")
XGPU_ERROR(cudaErrorInvalidPc, 718, "invalid program counter")
XGPU_ERROR(cudaErrorLaunchFailure, 719, "unspecified launch failure")
XGPU_ERROR(cudaErrorCooperativeLaunchTooLarge, 720, "too many blocks in cooperative launch")
XGPU_ERROR(cudaErrorNotPermitted, 800, "operation not permitted")
XGPU_ERROR(cudaErrorNotSupported, 801, "operation not supported")
XGPU_ERROR(cudaErrorSystemNotReady, 802, "system not yet initialized")
XGPU_ERROR(cudaErrorSystemDriverMismatch, 803,
           "system has unsupported display driver / cuda driver combination")
XGPU_ERROR(cudaErrorCompatNotSupportedOnDevice, 804,
           "forward compatibility was attempted on non supported HW")
XGPU_ERROR(cudaErrorMpsConnectionFailed, 805, "mps connection failed")
XGPU_ERROR(cudaErrorMpsRpcFailure, 806, "mps rpc failure")
XGPU_ERROR(cudaErrorMpsServerNotReady, 807, "mps server not ready")
XGPU_ERROR(cudaErrorMpsMaxClientsReached, 808, "mps max clients reached")
XGPU_ERROR(cudaErrorMpsMaxConnectionsReached, 809, "mps max connections reached")
XGPU_ERROR(cudaErrorMpsClientTerminated, 810, "mps client terminated")
XGPU_ERROR(cudaErrorCdpNotSupported, 811, "cdp not supported")
XGPU_ERROR(cudaErrorCdpVersionMismatch, 812, "cdp version mismatch")
XGPU_ERROR(cudaErrorStreamCaptureUnsupported, 900,
           "operation not permitted when stream is capturing")
XGPU_ERROR(cudaErrorStreamCaptureInvalidated, 901,
           "operation failed due to a previous error during capture")
XGPU_ERROR(cudaErrorStreamCaptureMerge, 902,
           "operation would result in a merge of separate capture sequences")
XGPU_ERROR(cudaErrorStreamCaptureUnmatched, 903,
           "capture was not ended in the same stream as it began")
XGPU_ERROR(cudaErrorStreamCaptureUnjoined, 904, "capturing stream has unjoined work")
XGPU_ERROR(cudaErrorStreamCaptureIsolation, 905,
           "dependency created on uncaptured work in another stream")
XGPU_ERROR(cudaErrorStreamCaptureImplicit, 906,
           "operation would make the legacy stream depend on a capturing blocking stream")
XGPU_ERROR(cudaErrorCapturedEvent, 907,
           "operation not permitted on an event last recorded in a capturing stream")
XGPU_ERROR(cudaErrorStreamCaptureWrongThread, 908,
           "attempt to terminate a thread-local capture sequence from another thread")
XGPU_ERROR(cudaErrorTimeout, 909, "wait operation timed out")
XGPU_ERROR(cudaErrorGraphExecUpdateFailure, 910,
           "the graph update was not performed because it included changes which "
           "violated constraints specific to instantiated graph update")
XGPU_ERROR(cudaErrorExternalDevice, 911,
           "an async error has occurred in external entity outside of CUDA")
XGPU_ERROR(cudaErrorInvalidClusterSize, 912, "invalid cluster size")
XGPU_ERROR(cudaErrorFunctionNotLoaded, 913, "the requested function is not loaded")
XGPU_ERROR(cudaErrorInvalidResourceType, 914, "invalid resource type")
XGPU_ERROR(cudaErrorInvalidResourceConfiguration, 915, "invalid resource configuration")
XGPU_ERROR(cudaErrorUnknown, 999, "unknown error")
XGPU_ERROR(cudaErrorApiFailureBase, 10000, "api failure base")
#undef XGPU_ERROR
