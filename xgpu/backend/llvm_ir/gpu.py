# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""GPU code in a host module: binaries, kernels held by globals, and launches.

`gpu.binary` becomes the object's bytes, and functions that load and unload it:

    @m_binary = internal constant [N x i8] c"..", align 8
    @m_module = internal global ptr null
    @m_load, @m_unload      ; among llvm.global_ctors and llvm.global_dtors, priority 123

`gpu.launch_func` becomes an array of the arguments' addresses, and calls of the ABI.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import ArrayAttr, BytesAttr, IntegerAttr, StringAttr, SymbolRefAttr
from xdsl.ir import Operation, SSAValue

from xgpu.backend.llvm_ir.facts import number, prop, text_of
from xgpu.backend.llvm_ir.parts import Variable
from xgpu.backend.llvm_ir.types import quoted, symbol
from xgpu.core.ir.errors import error

if TYPE_CHECKING:
    from xgpu.backend.llvm_ir.context import ModuleContext
    from xgpu.backend.llvm_ir.function import FunctionWriter
    from xgpu.conversion.launch.kernel_signature import KernelSignature
    from xgpu.dialects import gpu


PRIORITY = 123


def selected_object(op: Operation) -> gpu.ObjectAttr:
    """The `#gpu.object` of a binary that its handler selects: by target, by index, or the first."""
    objects = cast("ArrayAttr[gpu.ObjectAttr]", prop(op, "objects"))
    handler = prop(op, "offloadingHandler")
    target = handler.data if handler is not None else None  # pyright: ignore
    index = 0
    if isinstance(target, IntegerAttr):
        index = number(target)
    elif target is not None:
        index = next((i for i, o in enumerate(objects.data) if o.target == target), -1)
    if not 0 <= index < len(objects.data):
        raise error(op, "the requested target object couldn't be found")
    return objects.data[index]


def object_bytes(attr: StringAttr | BytesAttr) -> bytes:
    """The bytes of a StringAttr or BytesAttr."""
    data = attr.data
    return data.encode("utf-8", "surrogateescape") if isinstance(data, str) else data


def embed_binary(m: ModuleContext, op: Operation) -> None:
    """Writes a `gpu.binary`."""
    name = text_of(prop(op, "sym_name"))
    chosen = selected_object(op)
    raw = object_bytes(chosen.object)
    properties = chosen.properties.data if chosen.properties is not None else {}
    is_text = chosen.format == "assembly"
    if is_text:
        raw += b"\0"
    section = properties.get("section")
    if section is not None and not isinstance(section, StringAttr):
        raise error(op, "the ELF section name must be a string")
    placed = f', section "{quoted(section.data)}"' if section is not None else ""
    binary, module = (f"@{symbol(f'{name}_{part}')}" for part in ("binary", "module"))
    m.globals.append(
        f'{binary} = internal constant [{len(raw)} x i8] c"{quoted(raw)}"{placed}, align 8'
    )
    m.globals.append(f"{module} = internal global ptr null")
    m.variables.append(Variable(module, "ptr"))
    if is_text:
        level = properties.get("O")
        if level is not None and not isinstance(level, IntegerAttr):
            raise error(op, "the optimization level must be an integer")
        load = "mgpuModuleLoadJIT"
        arguments = f"ptr {binary}, i32 {number(level)}"
    else:
        load = "mgpuModuleLoad"
        arguments = f"ptr {binary}, i64 {len(raw)}"
    constructor, destructor = (f"@{symbol(f'{name}_{part}')}" for part in ("load", "unload"))
    m.functions.append(
        f'define internal void {constructor}() section ".text.startup" {{\nentry:\n'
        f"  %0 = call ptr @{load}({arguments})\n"
        f"  store ptr %0, ptr {module}\n"
        "  ret void\n}"
    )
    m.declare_runtime(load)
    m.functions.append(
        f'define internal void {destructor}() section ".text.startup" {{\nentry:\n'
        f"  %0 = load ptr, ptr {module}\n"
        f"  call void @mgpuModuleUnload(ptr %0)\n"
        "  ret void\n}"
    )
    m.declare_runtime("mgpuModuleUnload")
    m.constructors.append((PRIORITY, constructor))
    m.destructors.append((PRIORITY, destructor))


# -- launches


def launch_func(w: FunctionWriter, op: gpu.LaunchFuncOp) -> None:
    """Writes a launch; one without a stream creates its own and waits for it."""
    # Most programs have none here: the pipeline lowers launches before.
    from xgpu.conversion.launch.kernel_signature import KernelSignature, LaunchCall

    m = w.module
    kernel = op.kernel
    module_name = kernel.root_reference.data
    launched = kernel.nested_references.data[-1].data
    binary_of(m, op, module_name)
    if op.async_dependencies or op.results:
        raise error(op, "tokens cannot be translated to LLVM IR: run gpu-to-llvm before")
    values = list(op.kernel_operands)
    signature = KernelSignature.lowered([v.type for v in values])
    parameters = _stored(w, signature, values)
    handle = w.new(f"load ptr, ptr @{symbol(f'{module_name}_module')}")
    name = name_of_kernel(m, module_name, launched)
    get = m.declare_runtime("mgpuModuleGetFunction")
    function = w.new(f"call ptr {get}(ptr {handle}, ptr {name})")
    own = op.async_object is None
    if own:
        stream = w.new(f"call ptr {m.declare_runtime('mgpuStreamCreate')}()")
    else:
        stream = w.value(cast("SSAValue", op.async_object))
    shared = op.dynamic_shared_memory_size
    cluster, grid, block = (
        tuple(f"i64 {_wide(w, size)}" for size in sizes if size is not None)
        for sizes in (
            (op.cluster_size_x, op.cluster_size_y, op.cluster_size_z),
            (op.grid_size_x, op.grid_size_y, op.grid_size_z),
            (op.block_size_x, op.block_size_y, op.block_size_z),
        )
    )
    launch = LaunchCall(
        f"ptr {function}", grid, block, cluster,
        f"i32 {w.value(shared)}" if shared is not None else "i32 0",
        f"ptr {parameters}", signature.count,
    )  # fmt: skip
    called, arguments = launch.on_stream(f"ptr {stream}", "ptr null", "i64 {}".format)
    w.line(f"call void {m.declare_runtime(called)}({', '.join(arguments)})")
    if own:
        for name in ("mgpuStreamSynchronize", "mgpuStreamDestroy"):
            w.line(f"call void {m.declare_runtime(name)}(ptr {stream})")


def _stored(w: FunctionWriter, signature: KernelSignature, values: list[SSAValue]) -> str:
    """Stores the arguments in a struct; the array of their addresses."""
    # The struct of the arguments has no name; LLVM numbers it.
    number = sum(1 for name in w.types.structs if name[1:].isdigit())
    kind = f"%{number}"
    fields = ", ".join(map(w.types, signature.types))
    w.types.structs[kind] = f"{{ {fields} }}" if fields else "{}"
    record = w.new(f"alloca {kind}")
    array = w.new(f"alloca ptr, i64 {signature.count}")
    for i, value in enumerate(values):
        field = w.new(f"getelementptr inbounds nuw {kind}, ptr {record}, i32 0, i32 {i}")
        w.line(f"store {w.typed(value)}, ptr {field}")
        slot = w.new(f"getelementptr ptr, ptr {array}, i32 {i}")
        w.line(f"store ptr {field}, ptr {slot}")
    return array


def binary_of(m: ModuleContext, op: Operation, module_name: str) -> Operation:
    """The `gpu.binary` of that name, which `op` refers to."""
    binary = m.symbols.get(module_name)
    if binary is None or binary.name != "gpu.binary":
        raise error(op, f"couldn't find the binary holding the kernel: {module_name}")
    return binary


def _wide(w: FunctionWriter, value: SSAValue) -> str:
    """A grid or block size as i64, which the runtime takes."""
    if w.types(value.type) == "i64" or w.value(value)[0] != "%":
        return w.value(value)
    return w.new(f"zext {w.typed(value)} to i64")


def name_of_kernel(m: ModuleContext, module_name: str, kernel_name: str) -> str:
    """The global with the kernel's name, made when first asked for."""
    name = f"@{symbol(f'{module_name}_{kernel_name}_name')}"
    raw = kernel_name.encode("utf-8", "surrogateescape") + b"\0"
    text = f'{name} = private unnamed_addr constant [{len(raw)} x i8] c"{quoted(raw)}", align 1'
    if text not in m.late_globals:
        m.late_globals.append(text)
    return name


# -- Globals that hold a kernel: found, and loaded, when the program begins.
#
#     llvm.mlir.global external @m_k_function() {mgpu.kernel = @m::@k} : !llvm.ptr
#
# becomes
#
#     @m_k_function = internal global ptr null
#     @m_k_resolve             ; among llvm.global_ctors, right after the module has been loaded
#
# So no launch waits for the loading of its kernel, and launches that may overlap do so from the
# first on. In the IR the global has no initializer: a translation that does not know the attribute
# leaves an undefined symbol, not a null kernel.


KERNEL = "mgpu.kernel"


def kernel_global(m: ModuleContext, op: Operation) -> str:
    """The definition of a global with the attribute `mgpu.kernel`; adds what resolves it."""
    reference = op.attributes[KERNEL]
    if not isinstance(reference, SymbolRefAttr) or len(reference.nested_references) != 1:
        raise error(op, f"expected a kernel in a module in '{KERNEL}': @module::@kernel")
    module, name = reference.root_reference.data, reference.nested_references.data[0].data
    binary_of(m, op, module)
    function = f"@{symbol(text_of(prop(op, 'sym_name')))}"
    resolve = f"@{symbol(f'{module}_{name}_resolve')}"
    get = m.declare_runtime("mgpuModuleGetFunction")
    preload = m.declare_runtime("mgpuKernelPreload")
    m.functions.append(
        f'define internal void {resolve}() section ".text.startup" {{\nentry:\n'
        f"  %0 = load ptr, ptr @{symbol(f'{module}_module')}\n"
        f"  %1 = call ptr {get}(ptr %0, ptr {name_of_kernel(m, module, name)})\n"
        f"  call void {preload}(ptr %1)\n"
        f"  store ptr %1, ptr {function}\n"
        "  ret void\n}"
    )
    m.constructors.append((PRIORITY + 1, resolve))
    m.variables.append(Variable(function, "ptr"))
    return f"{function} = internal global ptr null"
