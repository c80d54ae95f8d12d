# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""From Python to an empty kernel of 1, 4 and 16 arrays: processor time of a launch (of its thread);
and to a graph of 80 kernels, which one call updates and launches (of the process).

    python benchmarks/launch.py [--stand-in] [--rounds N]

On the host device; on a GPU, or a stand-in for its driver (xgpu's own, whose launches then do
nothing), beside cuda-bindings and cuda.core; beside Warp on the CPU. What is
not installed is left out. Launches go to a stream in batches, which are waited for, in turns, since
machines drift; one launch before each batch is not counted, since whose turn it was before decides
what is in the caches. The least of all rounds counts, and in brackets the median of the rounds'
ratios to cuda-bindings. `other` launches have other arrays each time, the rest those of the launch
before. `driver alone` is a loop in machine code that calls the driver and does nothing else.
"""

from __future__ import annotations

import argparse
import contextlib
import ctypes
import itertools
import json
import runpy
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

COUNTS = (1, 4, 16)
NODES = 80
BATCH, ROUNDS = 60, 80

#: Something to do, and what waits for it.
Ready = tuple[Callable[[], object], Callable[[], object]]


def source(count: int) -> str:
    parameters = ", ".join(f"%a{i}: memref<?xf32>" for i in range(count))
    return f"gpu.module @m {{ gpu.func @k({parameters}) kernel {{ gpu.return }} }}"


def xgpu_launch(count: int, device: str, other: bool) -> Ready:
    import xgpu

    options = {} if device == "host" else {"chip": "sm_90"}
    stream = xgpu.Stream(device)
    launch = xgpu.load(source(count), device, **options).kernels["k"][1, 32, stream]
    arrays = [xgpu.empty(32, "float32", device) for _ in range(count)]
    if not other:
        return lambda: launch(*arrays), stream.synchronize
    more = [xgpu.empty(32, "float32", device) for _ in range(count)]
    turns = itertools.cycle((arrays, more))
    return lambda: launch(*next(turns)), stream.synchronize


def bindings_launch(count: int, other: bool) -> Ready:
    """The same parameters through cuda-bindings: five words a memref, types given."""
    from cuda.bindings import driver

    function, words = _driver_kernel(driver, count)
    types = tuple([ctypes.c_void_p, ctypes.c_void_p, *[ctypes.c_int64] * 3] * count)
    _, stream = driver.cuStreamCreate(0)
    _, memory = driver.cuMemAlloc(128)
    more = [int(memory), int(memory), 0, 32, 1] * count
    turns = itertools.cycle((words, more) if other else (words,))

    def launch() -> None:
        given = (tuple(next(turns)), types)
        driver.cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, stream, given, 0)

    return launch, lambda: driver.cuStreamSynchronize(stream)


_LOOP = """
declare i32 @launch(ptr, i32, i32, i32, i32, i32, i32, i32, ptr, ptr, ptr)
define i32 @loop(ptr %function, ptr %stream, ptr %parameters) {
  %r = call i32 @launch(ptr %function, i32 1, i32 1, i32 1, i32 32, i32 1, i32 1, i32 0,
                        ptr %stream, ptr %parameters, ptr null)
  ret i32 %r
}
"""


def driver_alone(count: int) -> Ready:
    """The driver's entry point from machine code; ctypes' call of that is a part of it."""
    from cuda.bindings import driver
    from llvmlite import binding

    from xgpu.host_device.machine.cpu import compile_ir
    from xgpu.host_device.native.library import native_library

    function, words = _driver_kernel(driver, count)
    _, stream = driver.cuStreamCreate(0)
    _, entry, _ = driver.cuGetProcAddress(b"cuLaunchKernel", 12000, 0)
    values = (ctypes.c_int64 * len(words))(*words)
    base = ctypes.addressof(values)
    pointers = (ctypes.c_int64 * len(words))(*(base + 8 * i for i in range(len(words))))
    builder = binding.JITLibraryBuilder().add_object_img(compile_ir(_LOOP, 2))
    builder.import_symbol("launch", entry)
    builder.export_symbol("loop")
    tracker = builder.link(native_library().jit, f"benchmark.{count}")
    kind = ctypes.CFUNCTYPE(ctypes.c_int, *[ctypes.c_void_p] * 3)
    call = kind(tracker["loop"])
    given = int(function), int(stream), ctypes.addressof(pointers)
    kept = (tracker, values, pointers)
    return lambda: call(*given), lambda: driver.cuStreamSynchronize(stream) and kept


def _driver_kernel(driver, count: int):
    import xgpu

    ptx = xgpu.compile(source(count), chip="sm_90").kernels["m"]
    driver.cuInit(0)
    _, device = driver.cuDeviceGet(0)
    _, context = driver.cuDevicePrimaryCtxRetain(device)
    driver.cuCtxSetCurrent(context)
    _, module = driver.cuModuleLoadDataEx(ptx + b"\0", 0, [], [])
    _, function = driver.cuModuleGetFunction(module, b"k")
    _, memory = driver.cuMemAlloc(128)
    return function, [int(memory), int(memory), 0, 32, 1] * count


def core_launch(count: int) -> Ready:
    """The same through cuda.core."""
    from cuda.core import Device, LaunchConfig, ObjectCode, launch

    import xgpu

    ptx = xgpu.compile(source(count), chip="sm_90").kernels["m"]
    device = Device()
    device.set_current()
    stream = device.create_stream()
    kernel = ObjectCode.from_ptx(ptx).get_kernel("k")
    buffer = device.allocate(128, stream=stream)
    words = [buffer, buffer, 0, 32, 1] * count
    config = LaunchConfig(grid=1, block=32)
    return lambda: launch(stream, config, kernel, *words), stream.sync


def warp_launch(count: int) -> Ready:
    """Warp on the CPU: a kernel of as many arrays."""
    import warp

    warp.config.quiet = True
    # Warp reads the source of a kernel from its file.
    names = ", ".join(f"a{i}: warp.array(dtype=float)" for i in range(count))
    text = f"import warp\n\n\n@warp.kernel\ndef k({names}):\n    pass\n"
    path = Path(tempfile.mkdtemp()) / f"warp_kernel_{count}.py"
    path.write_text(text)
    kernel = runpy.run_path(str(path))["k"]
    arrays = [warp.zeros(32, dtype=float, device="cpu") for _ in range(count)]
    return lambda: warp.launch(kernel, dim=32, inputs=arrays, device="cpu"), lambda: None


# -- graphs


def graph_source() -> str:
    """A function that launches a kernel NODES times, each after the one before."""
    launches = "\n".join(
        f"    %t{i + 1} = gpu.launch_func async [%t{i}] @m::@k blocks in (%n, %c1, %c1)"
        " threads in (%c1, %c1, %c1) args(%a : memref<?xf32>)"
        for i in range(NODES)
    )
    return f"""
module attributes {{gpu.container_module}} {{
  gpu.module @m {{ gpu.func @k(%a: memref<?xf32>) kernel {{ gpu.return }} }}
  func.func @f(%a: memref<?xf32>, %n: index) {{
    %c1 = arith.constant 1 : index
    %t0 = gpu.wait async
{launches}
    gpu.wait [%t{NODES}]
    return
  }}
}}"""


def xgpu_graph(other: bool, mode: str) -> Ready:
    import xgpu

    program = xgpu.load(graph_source(), "cuda", chip="sm_90", pipeline=f"async-mode={mode}")
    function = program.functions["f"]
    arrays = [xgpu.empty(32, "float32", "cuda") for _ in range(2)]
    if not other:
        return lambda: function(arrays[0], 1), lambda: None
    turns = itertools.cycle(arrays)
    return lambda: function(next(turns), 1), lambda: None


def bindings_graph(other: bool) -> Ready:
    """The same graph, its nodes changed one by one and launched by cuda-bindings."""
    from cuda.bindings import driver

    function, words = _driver_kernel(driver, 1)
    types = (ctypes.c_void_p, ctypes.c_void_p, *[ctypes.c_int64] * 3)
    _, context = driver.cuCtxGetCurrent()
    _, stream = driver.cuStreamCreate(1)

    def params():
        made = driver.CUDA_KERNEL_NODE_PARAMS()
        made.func, made.ctx = function, context
        made.gridDimX = made.gridDimY = made.gridDimZ = 1
        made.blockDimX = made.blockDimY = made.blockDimZ = 1
        made.kernelParams = (tuple(words), types)
        return made

    _, graph = driver.cuGraphCreate(0)
    nodes: list[object] = []
    for _ in range(NODES):
        nodes.append(driver.cuGraphAddKernelNode(graph, nodes[-1:], len(nodes[-1:]), params())[1])
    _, executable = driver.cuGraphInstantiate(graph, 0)

    def launch() -> None:
        if other:
            changed = params()
            for node in nodes:
                driver.cuGraphExecKernelNodeSetParams(executable, node, changed)
        driver.cuGraphLaunch(executable, stream)
        driver.cuStreamSynchronize(stream)

    return launch, lambda: None


BINDINGS, OTHER = "cuda-bindings", "cuda-bindings, other"
PEERS: dict[str, Callable[[int], Ready]] = {
    "xgpu, host device": lambda count: xgpu_launch(count, "host", other=False),
    "xgpu, host, other": lambda count: xgpu_launch(count, "host", other=True),
    "warp, CPU": warp_launch,
    "driver alone": driver_alone,
    BINDINGS: lambda count: bindings_launch(count, other=False),
    OTHER: lambda count: bindings_launch(count, other=True),
    "xgpu, cuda": lambda count: xgpu_launch(count, "cuda", other=False),
    "xgpu, cuda, other": lambda count: xgpu_launch(count, "cuda", other=True),
    "cuda.core": core_launch,
}
GRAPHS: dict[str, Callable[[int], Ready]] = {
    BINDINGS: lambda kind: bindings_graph(other=bool(kind)),
    "xgpu, a graph": lambda kind: xgpu_graph(bool(kind), "graph"),
    "xgpu, streams": lambda kind: xgpu_graph(bool(kind), "streams"),
}


def measure(
    peers: dict[str, Callable[[int], Ready]], kinds: tuple[int, ...], batch: int, rounds: int,
    clock: Callable[[], float],
) -> dict[tuple[str, int], list[float]]:  # fmt: skip
    """Microseconds of processor time by `clock`, of each round."""
    ready: dict[tuple[str, int], Ready] = {}
    for name, make in peers.items():
        for kind in kinds:
            try:
                ready[name, kind] = make(kind)
                for _ in range(3):
                    ready[name, kind][0]()
            except Exception as problem:
                ready.pop((name, kind), None)
                print(f"{name} is left out: {str(problem).splitlines()[0][:100]}")
                break
    found: dict[tuple[str, int], list[float]] = {key: [] for key in ready}
    for _ in range(rounds):
        for key, (launch, wait) in ready.items():
            launch()  # not counted: its caches hold what the peer before has left there
            begin = clock()
            for _ in range(batch):
                launch()
            found[key].append((clock() - begin) / batch * 1e6)
            wait()
    return found


def figures(
    columns: dict[int, str], found: dict[tuple[str, int], list[float]]
) -> dict[str, dict[str, object]]:
    """By column and name the least time, and the median of the ratios to the peer's, if it ran: to
    Warp's on the CPU, else to that of the bindings of the driver."""
    made: dict[str, dict[str, object]] = {text: {} for text in columns.values()}
    for (name, kind), times in found.items():
        if not times:
            continue
        row: dict[str, object] = {"us": min(times)}
        peer_name = OTHER if name.endswith(", other") else BINDINGS
        if name.startswith("xgpu, host"):
            peer_name = "warp, CPU"
        peer = found.get((peer_name, kind), [])
        if name.startswith("xgpu") and peer:
            row["ratio"] = statistics.median(a / b for a, b in zip(times, peer, strict=False))
        made[columns[kind]][name] = row
    return made


def show(title: str, columns: dict[int, str], found: dict[tuple[str, int], list[float]]) -> None:
    print(f"{title:22}" + "".join(f"{text:>18}" for text in columns.values()))
    for name in dict.fromkeys(name for name, _ in found):
        cells = ""
        for kind in columns:
            peer_name = OTHER if name.endswith(", other") else BINDINGS
            times, peer = found.get((name, kind), []), found.get((peer_name, kind), [])
            ratios = [a / b for a, b in zip(times, peer, strict=False)]
            ratio = f" ({statistics.median(ratios):.3f})" if ratios else ""
            cells += f"{min(times):.2f}{ratio}".rjust(18) if times else " " * 18
        print(f"{name:22}{cells}")


_NOTHING = """
define i32 @nothing() {
  ret i32 0
}
"""
_LAUNCHES = (
    "cuLaunchKernel", "cuLaunchKernelEx", "cuGraphLaunch", "cuGraphExecKernelNodeSetParams_v2",
)  # fmt: skip


def load_stand_in() -> None:
    """Let this process find xgpu's own driver, whose launches do nothing."""
    with contextlib.suppress(ImportError):
        import warp

        warp.config.quiet = True
        warp.init()  # before there is a driver: it is measured on the CPU
    from llvmlite import binding

    from xgpu import cuda_driver
    from xgpu.host_device.machine.cpu import compile_ir
    from xgpu.host_device.native.library import native_library

    found = cuda_driver.connect()
    builder = binding.JITLibraryBuilder().add_object_img(compile_ir(_NOTHING, 2))
    builder.export_symbol("nothing")
    made = builder.link(native_library().jit, "stand-in")
    for name in _LAUNCHES:
        found.replace(name, made["nothing"])
    _kept.append(made)


#: What the driver's table has addresses of.
_kept: list[object] = []


def main() -> None:
    parser = argparse.ArgumentParser(description="us a launch, from Python")
    parser.add_argument("--stand-in", action="store_true", help="launches do nothing")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--output", type=Path, help="a file for the figures, as JSON")
    given = parser.parse_args()
    if given.stand_in:
        load_stand_in()
    found = measure(PEERS, COUNTS, BATCH, given.rounds, time.thread_time)
    columns = {count: f"{count} arrays" for count in COUNTS}
    show("us a launch", columns, found)
    results = figures(columns, found)
    found = measure(GRAPHS, (0, 1), BATCH, max(given.rounds // 4, 1), time.process_time)
    columns = {0: "same", 1: "other"}
    show(f"us, {NODES} kernels", columns, found)
    results |= figures({kind: f"graph, {text}" for kind, text in columns.items()}, found)
    if given.output is not None:
        given.output.write_text(json.dumps({"results": results}, indent=1) + "\n")


if __name__ == "__main__":
    main()
