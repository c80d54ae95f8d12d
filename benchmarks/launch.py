# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""From Python to an empty kernel of 1, 4 and 16 arrays: processor time of a launch.

    python benchmarks/launch.py

On the host device; on a GPU, or a stand-in for its driver on LD_LIBRARY_PATH, beside cuda-bindings
and cuda.core; beside Warp on the CPU. What is not installed is left out. Launches go to a stream in
batches, which are waited for; the least of several rounds counts, in turns, since machines drift.
"""

from __future__ import annotations

import ctypes
import runpy
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

COUNTS = (1, 4, 16)
BATCH, ROUNDS = 500, 7


def source(count: int) -> str:
    parameters = ", ".join(f"%a{i}: memref<?xf32>" for i in range(count))
    return f"gpu.module @m {{ gpu.func @k({parameters}) kernel {{ gpu.return }} }}"


def xgpu_launch(count: int, device: str) -> tuple[Callable[[], None], Callable[[], None]]:
    """A launch, and what waits for it."""
    import xgpu

    options = {} if device == "host" else {"chip": "sm_90"}
    stream = xgpu.Stream(device)
    launch = xgpu.load(source(count), device, **options).kernels["k"][1, 32, stream]
    arrays = [xgpu.empty(32, "float32", device) for _ in range(count)]
    return lambda: launch(*arrays), stream.synchronize


def bindings_launch(count: int) -> tuple[Callable[[], None], Callable[[], None]]:
    """The same parameters through cuda-bindings: five words a memref, types given."""
    from cuda.bindings import driver

    function, words = _driver_kernel(driver, count)
    types = tuple([ctypes.c_void_p, ctypes.c_void_p, *[ctypes.c_int64] * 3] * count)
    _, stream = driver.cuStreamCreate(0)

    def launch() -> None:
        given = (tuple(words), types)
        driver.cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, stream, given, 0)

    return launch, lambda: driver.cuStreamSynchronize(stream) and None


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


def core_launch(count: int) -> tuple[Callable[[], None], Callable[[], None]]:
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


def warp_launch(count: int) -> tuple[Callable[[], None], Callable[[], None]]:
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


PEERS: dict[str, Callable[[int], tuple[Callable[[], None], Callable[[], None]]]] = {
    "xgpu, host device": lambda count: xgpu_launch(count, "host"),
    "xgpu, cuda": lambda count: xgpu_launch(count, "cuda"),
    "cuda-bindings": bindings_launch,
    "cuda.core": core_launch,
    "warp, CPU": warp_launch,
}


def measure() -> dict[tuple[str, int], float]:
    """Microseconds of processor time of this thread, the least of all rounds."""
    ready: dict[tuple[str, int], tuple[Callable[[], None], Callable[[], None]]] = {}
    for name, make in PEERS.items():
        for count in COUNTS:
            try:
                ready[name, count] = make(count)
                ready[name, count][0]()
            except Exception as problem:
                ready.pop((name, count), None)
                print(f"{name} is left out: {str(problem).splitlines()[0][:100]}")
                break
    best: dict[tuple[str, int], float] = {}
    for _ in range(ROUNDS):
        for key, (launch, wait) in ready.items():
            begin = time.thread_time()
            for _ in range(BATCH):
                launch()
            taken = (time.thread_time() - begin) / BATCH * 1e6
            wait()
            best[key] = min(best.get(key, taken), taken)
    return best


def main() -> None:
    found = measure()
    print(f"{'us a launch':22}" + "".join(f"{c:>4} arrays" for c in COUNTS))
    for name in PEERS:
        if (name, COUNTS[0]) in found:
            print(f"{name:22}" + "".join(f"{found[name, c]:>11.2f}" for c in COUNTS))


if __name__ == "__main__":
    main()
