# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operations and types of the mgpu dialect: ours, written by hand in the form of the others.

Each operation is one function of the runtime (xgpu/support/abi.py), which its name gives. Memory is
a memref, not an address and a size, and a kernel is a symbol: so the operations stand beside those
of any dialect, and what an address or a size is follows from the conversion to llvm.
"""

OPS = {
    # streams
    "mgpu.stream_create": """\
results stream:MGPU_Stream [allocate]
format attr-dict
""",
    "mgpu.stream_destroy": """\
operands stream:MGPU_Stream [free]
format $stream attr-dict
""",
    "mgpu.stream_synchronize": """\
operands stream:MGPU_Stream
format $stream attr-dict
""",
    "mgpu.stream_wait_event": """\
operands stream:MGPU_Stream, event:MGPU_Event
format $stream `,` $event attr-dict
""",
    # events
    "mgpu.event_create": """\
results event:MGPU_Event [allocate]
format attr-dict
""",
    "mgpu.event_destroy": """\
operands event:MGPU_Event [free]
format $event attr-dict
""",
    "mgpu.event_record": """\
operands event:MGPU_Event, stream:MGPU_Stream
format $event `,` $stream attr-dict
""",
    "mgpu.event_synchronize": """\
operands event:MGPU_Event
format $event attr-dict
""",
    # modules and kernels
    "mgpu.module_load": """\
operands data:MGPU_Pointer, size:I64
results module:MGPU_Module [allocate]
format $data `,` $size attr-dict
""",
    "mgpu.module_load_jit": """\
operands data:MGPU_Pointer, optLevel:I32
results module:MGPU_Module [allocate]
format $data `,` $optLevel attr-dict
""",
    "mgpu.module_unload": """\
operands module:MGPU_Module [free]
format $module attr-dict
""",
    "mgpu.get_function": """\
operands module:MGPU_Module
attrs kernel:StrAttr
results function:MGPU_Function
format $module `,` $kernel attr-dict
""",
    "mgpu.kernel_preload": """\
operands function:MGPU_Function
format $function attr-dict
""",
    "mgpu.kernel": """\
attrs kernel:SymbolRefAttr
results function:MGPU_FunctionOrPointer
traits Pure
hooks verify
format $kernel attr-dict `:` type($function)
""",
    "mgpu.launch": """\
operands stream:MGPU_Stream, function:MGPU_Function, gridSizeX:LaunchIndx, gridSizeY:LaunchIndx, gridSizeZ:LaunchIndx, blockSizeX:LaunchIndx, blockSizeY:LaunchIndx, blockSizeZ:LaunchIndx, clusterSizeX?:LaunchIndx, clusterSizeY?:LaunchIndx, clusterSizeZ?:LaunchIndx, dynamicSharedMemorySize?:I32, kernelOperands*:AnyType
traits AttrSizedOperandSegments
trait AllTypesMatch<gridSizeX, gridSizeY, gridSizeZ, blockSizeX, blockSizeY, blockSizeZ>
hooks verify
format $stream `,` $function ( `clusters` `in` ` ` `(` $clusterSizeX^ `,` $clusterSizeY `,` $clusterSizeZ `)` )? `blocks` `in` ` ` `(` $gridSizeX `,` $gridSizeY `,` $gridSizeZ `)` `threads` `in` ` ` `(` $blockSizeX `,` $blockSizeY `,` $blockSizeZ `)` custom<LaunchDimType>(type($gridSizeX), ref($clusterSizeX), type($clusterSizeX), type($clusterSizeY), type($clusterSizeZ)) (`dynamic_shared_memory_size` $dynamicSharedMemorySize^)? custom<LaunchFuncOperands>($kernelOperands, type($kernelOperands)) attr-dict
""",
    # memory
    "mgpu.alloc": """\
operands dynamicSizes*:Index, symbolOperands*:Index
attrs hostShared?:UnitAttr
results memref:AnyMemRef [allocate]
traits AttrSizedOperandSegments
hooks verify
format (` ` `host_shared` $hostShared^)? ` ` `(` $dynamicSizes `)` (`` `[` $symbolOperands^ `]`)? attr-dict `:` type($memref)
""",
    "mgpu.free": """\
operands memref:AnyMemRef [free]
format $memref attr-dict `:` type($memref)
""",
    "mgpu.alloc_async": """\
operands stream:MGPU_Stream, dynamicSizes*:Index, symbolOperands*:Index
results memref:AnyMemRef [allocate]
traits AttrSizedOperandSegments
hooks verify
format $stream `,` `(` $dynamicSizes `)` (`` `[` $symbolOperands^ `]`)? attr-dict `:` type($memref)
""",
    "mgpu.free_async": """\
operands stream:MGPU_Stream, memref:AnyMemRef [free]
format $stream `,` $memref attr-dict `:` type($memref)
""",
    "mgpu.memcpy": """\
operands stream:MGPU_Stream, dst:AnyMemRef [write], src:AnyMemRef [read]
format $stream `,` $dst `,` $src `:` type($dst) `,` type($src) attr-dict
""",
    "mgpu.memset": """\
operands stream:MGPU_Stream, dst:AnyMemRef [write], value:AnyType
trait AllElementTypesMatch<dst, value>
format $stream `,` $dst `,` $value `:` type($dst) `,` type($value) attr-dict
""",
    "mgpu.host_register": """\
operands value:AnyUnrankedMemRef
format $value attr-dict `:` type($value)
""",
    "mgpu.host_unregister": """\
operands value:AnyUnrankedMemRef
format $value attr-dict `:` type($value)
""",
    "mgpu.set_default_device": """\
operands devIndex:I32
format $devIndex attr-dict
""",
    "mgpu.annotate": """\
attrs text:StrAttr
format $text attr-dict
""",
    # graphs
    "mgpu.graph_create": """\
results graph:MGPU_Graph [allocate]
format attr-dict
""",
    "mgpu.graph_destroy": """\
operands graph:MGPU_Graph [free]
format $graph attr-dict
""",
    "mgpu.graph_add_kernel": """\
operands graph:MGPU_Graph, dependencies*:MGPU_GraphNode, function:MGPU_Function, gridSizeX:LaunchIndx, gridSizeY:LaunchIndx, gridSizeZ:LaunchIndx, blockSizeX:LaunchIndx, blockSizeY:LaunchIndx, blockSizeZ:LaunchIndx, clusterSizeX?:LaunchIndx, clusterSizeY?:LaunchIndx, clusterSizeZ?:LaunchIndx, dynamicSharedMemorySize?:I32, kernelOperands*:AnyType
results node:MGPU_GraphNode
traits AttrSizedOperandSegments
trait AllTypesMatch<gridSizeX, gridSizeY, gridSizeZ, blockSizeX, blockSizeY, blockSizeZ>
hooks verify
format $graph `[` $dependencies `]` `,` $function ( `clusters` `in` ` ` `(` $clusterSizeX^ `,` $clusterSizeY `,` $clusterSizeZ `)` )? `blocks` `in` ` ` `(` $gridSizeX `,` $gridSizeY `,` $gridSizeZ `)` `threads` `in` ` ` `(` $blockSizeX `,` $blockSizeY `,` $blockSizeZ `)` custom<LaunchDimType>(type($gridSizeX), ref($clusterSizeX), type($clusterSizeX), type($clusterSizeY), type($clusterSizeZ)) (`dynamic_shared_memory_size` $dynamicSharedMemorySize^)? custom<LaunchFuncOperands>($kernelOperands, type($kernelOperands)) attr-dict
""",
    "mgpu.graph_add_memcpy": """\
operands graph:MGPU_Graph, dependencies*:MGPU_GraphNode, dst:AnyMemRef [write], src:AnyMemRef [read]
results node:MGPU_GraphNode
format $graph `[` $dependencies `]` `,` $dst `,` $src `:` type($dst) `,` type($src) attr-dict
""",
    "mgpu.graph_add_memset": """\
operands graph:MGPU_Graph, dependencies*:MGPU_GraphNode, dst:AnyMemRef [write], value:AnyType
results node:MGPU_GraphNode
trait AllElementTypesMatch<dst, value>
format $graph `[` $dependencies `]` `,` $dst `,` $value `:` type($dst) `,` type($value) attr-dict
""",
    "mgpu.graph_add_empty": """\
operands graph:MGPU_Graph, dependencies*:MGPU_GraphNode
results node:MGPU_GraphNode
format $graph `[` $dependencies `]` attr-dict
""",
    "mgpu.graph_add_host": """\
operands graph:MGPU_Graph, dependencies*:MGPU_GraphNode, callee:MGPU_Pointer, argument:MGPU_Pointer
results node:MGPU_GraphNode
format $graph `[` $dependencies `]` `,` $callee `,` $argument attr-dict
""",
    "mgpu.graph_instantiate": """\
operands graph:MGPU_Graph
results exec:MGPU_GraphExec [allocate]
format $graph attr-dict
""",
    "mgpu.graph_set_kernel": """\
operands exec:MGPU_GraphExec, node:MGPU_GraphNode, function:MGPU_Function, gridSizeX:LaunchIndx, gridSizeY:LaunchIndx, gridSizeZ:LaunchIndx, blockSizeX:LaunchIndx, blockSizeY:LaunchIndx, blockSizeZ:LaunchIndx, dynamicSharedMemorySize?:I32, kernelOperands*:AnyType
traits AttrSizedOperandSegments
trait AllTypesMatch<gridSizeX, gridSizeY, gridSizeZ, blockSizeX, blockSizeY, blockSizeZ>
format $exec `,` $node `,` $function `blocks` `in` ` ` `(` $gridSizeX `,` $gridSizeY `,` $gridSizeZ `)` `threads` `in` ` ` `(` $blockSizeX `,` $blockSizeY `,` $blockSizeZ `)` `:` type($gridSizeX) (`dynamic_shared_memory_size` $dynamicSharedMemorySize^)? custom<LaunchFuncOperands>($kernelOperands, type($kernelOperands)) attr-dict
""",
    "mgpu.graph_set_memcpy": """\
operands exec:MGPU_GraphExec, node:MGPU_GraphNode, dst:AnyMemRef [write], src:AnyMemRef [read]
format $exec `,` $node `,` $dst `,` $src `:` type($dst) `,` type($src) attr-dict
""",
    "mgpu.graph_set_memset": """\
operands exec:MGPU_GraphExec, node:MGPU_GraphNode, dst:AnyMemRef [write], value:AnyType
trait AllElementTypesMatch<dst, value>
format $exec `,` $node `,` $dst `,` $value `:` type($dst) `,` type($value) attr-dict
""",
    "mgpu.graph_launch": """\
operands exec:MGPU_GraphExec, stream:MGPU_Stream
format $exec `,` $stream attr-dict
""",
    "mgpu.graph_exec_destroy": """\
operands exec:MGPU_GraphExec [free]
format $exec attr-dict
""",
    # handles that outlive a call: places of a global, which the program's end destroys
    "mgpu.cache_load": """\
attrs cache:FlatSymbolRefAttr, index:I64Attr
results handle:MGPU_Handle
format $cache `[` $index `]` attr-dict `:` type($handle)
""",
    "mgpu.cache_take": """\
attrs cache:FlatSymbolRefAttr, index:I64Attr
results handle:MGPU_Handle [allocate]
format $cache `[` $index `]` attr-dict `:` type($handle)
""",
    "mgpu.cache_store": """\
operands handle:MGPU_Handle
attrs cache:FlatSymbolRefAttr, index:I64Attr
format $handle `,` $cache `[` $index `]` attr-dict `:` type($handle)
""",
    "mgpu.is_null": """\
operands handle:MGPU_Handle
results result:I1
traits Pure
format $handle attr-dict `:` type($handle)
""",
}

ATTRS = {}

TYPES = {
    'I64': ('is_signless(t, 64)', '64-bit signless integer', 'i64'),
    'LaunchIndx': ('is_index(t) or is_signless(t, 32) or is_signless(t, 64)', 'index or 32-bit signless integer or 64-bit signless integer'),
    'MGPU_Event': ('named(t, "mgpu.event")', 'event', '!mgpu.event'),
    'MGPU_Function': ('named(t, "mgpu.function")', 'kernel function', '!mgpu.function'),
    'MGPU_FunctionOrPointer': ('named(t, "mgpu.function") or named(t, "llvm.ptr")', 'kernel function or LLVM pointer type'),
    'MGPU_Graph': ('named(t, "mgpu.graph")', 'graph', '!mgpu.graph'),
    'MGPU_GraphExec': ('named(t, "mgpu.graph_exec")', 'executable graph', '!mgpu.graph_exec'),
    'MGPU_GraphNode': ('named(t, "mgpu.graph_node")', 'node of a graph', '!mgpu.graph_node'),
    'MGPU_Handle': ('named(t, "mgpu.stream") or named(t, "mgpu.event") or named(t, "mgpu.module") or named(t, "mgpu.function") or named(t, "mgpu.graph") or named(t, "mgpu.graph_node") or named(t, "mgpu.graph_exec")', 'handle of the runtime'),
    'MGPU_Module': ('named(t, "mgpu.module")', 'module', '!mgpu.module'),
    'MGPU_Pointer': ('named(t, "llvm.ptr")', 'LLVM pointer type', '!llvm.ptr'),
    'MGPU_Stream': ('named(t, "mgpu.stream")', 'stream', '!mgpu.stream'),
}

ATTR_CONSTRAINTS = {}
