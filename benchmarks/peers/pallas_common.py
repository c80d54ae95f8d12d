# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How Pallas (Mosaic GPU) compiles without a GPU: XLA takes a device that is described to it, and
Mosaic writes its PTX into a folder that the environment names. To be imported before `jax`."""

from __future__ import annotations

import json
import os
import pathlib
import re
import tempfile
from collections.abc import Callable
from typing import Any

_FOLDER = tempfile.mkdtemp()
os.environ |= {
    "MOSAIC_GPU_DUMP_TO": _FOLDER,
    "MOSAIC_GPU_DUMP_PTX": "1",
    "MOSAIC_GPU_DUMP_MLIR_PASSES": "1",
    "JAX_PLATFORMS": "cpu",
}

import jax  # noqa: E402
import jax_plugins.xla_cuda13 as plugin  # noqa: E402
from jax._src import xla_bridge  # noqa: E402
from jax.experimental import topologies  # noqa: E402

#: What XLA wants to know of a device: name, then numbers of a whole chip.
_DEVICES = {
    "90": ("NVIDIA H100 80GB HBM3", 9, 132, 232448, 233472),
    "100": ("NVIDIA B200", 10, 148, 232448, 233472),
}


def _device(chip: str) -> jax.sharding.Sharding:
    """Where results lie: on a chip that is described, not there."""
    name, major, processors, largest, shared = _DEVICES[chip]
    description = f"""
      gpu_device_info {{
        threads_per_block_limit: 1024 threads_per_warp: 32 threads_per_core_limit: 2048
        shared_memory_per_block: 49152 shared_memory_per_core: {shared}
        shared_memory_per_block_optin: {largest} core_count: {processors} fpus_per_core: 128
        block_dim_limit_x: 2147483647 block_dim_limit_y: 65535 block_dim_limit_z: 65535
        memory_bandwidth: 3352320000000 l2_cache_size: 52428800 clock_rate_ghz: 1.83
        device_memory_size: 84978434048 registers_per_core_limit: 65536
        registers_per_block_limit: 65536 cuda_compute_capability {{ major: {major} }}
      }}
      platform_name: "CUDA"
      dnn_version_info {{ major: 9 minor: 8 }}
      device_description_str: "{name}"
    """
    xla_bridge.discover_pjrt_plugins = lambda: None  # its plugin would look for a driver
    xla_bridge.register_plugin("cuda", library_path=str(plugin._get_library_path()), options=None)
    topology = topologies.get_topology_desc(
        "", platform="cuda", target_config=description, topology="1x1x1"
    )
    mesh = jax.sharding.Mesh(topology.devices, ("x",))
    return jax.sharding.NamedSharding(mesh, jax.sharding.PartitionSpec())


def write(
    kernel: Callable[..., Any], chip: str, target: str, *given: tuple[tuple[int, ...], Any]
) -> None:
    """The PTX of a kernel for arrays of these shapes and types into a file, with the bytes of
    shared memory and the warps that it starts."""
    there = _device(chip)
    arrays = [jax.ShapeDtypeStruct(shape, kind, sharding=there) for shape, kind in given]
    traced = jax.jit(kernel, in_shardings=there, out_shardings=there).trace(*arrays)
    traced.lower(lowering_platforms=("cuda",)).compile()
    (ptx,) = pathlib.Path(_FOLDER).glob("*.ptx")
    (passes,) = pathlib.Path(_FOLDER).glob("*.mlir-passes.log")
    launch = re.search(
        r"gpu.launch .*threads\(.*?\) in \(\S+ = %c(\d+).*dynamic_shared_memory_size %c(\d+)_i32",
        passes.read_text(),
    )
    assert launch is not None
    text = {"ptx": ptx.read_text(), "shared": int(launch[2]), "warps": int(launch[1]) // 32}
    pathlib.Path(target).write_text(json.dumps(text))
