# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels with one planted mistake, and their correct twins, from one description.

A line of a kernel that ends with `// BAD` is in the mistaken kernel only, one with `// GOOD` in
its twin only. Lines with `// SIDE` are the places that the report has to name.
"""

from __future__ import annotations

import re

import xgpu

_DEFAULT_KINDS = ("memory", "race", "sync", "init")
_CONSTANTS = """\
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %c31 = arith.constant 31 : index
    %c32 = arith.constant 32 : index
    %c63 = arith.constant 63 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    %i0 = arith.constant 0 : i32
    %i1 = arith.constant 1 : i32
    %i3 = arith.constant 3 : i32
    %all = arith.constant 0xFFFFFFFF : i32
    %f0 = arith.constant 0.0 : f32
    %f1 = arith.constant 1.0 : f32
    %one = llvm.mlir.constant(1 : i32) : i32
    %zero = llvm.mlir.constant(0 : i32) : i32"""
_KERNEL = """\
module attributes {{gpu.container_module}} {{
  {globals}
  gpu.module @kernels {{
    {device}
    gpu.func @k(%in: memref<256xf32>, %out: memref<256xf32>, %n: memref<64xi32>){workgroup}
        kernel {{
{constants}
    %t = gpu.thread_id x
    %b = gpu.block_id x
{body}
      gpu.return
    }}
  }}
{host}
}}
"""
_HOST = """\
  func.func @main() {{
    %c1 = arith.constant 1 : index
    %blocks = arith.constant {blocks} : index
    %threads = arith.constant {threads} : index
    %shared = arith.constant {dynamic} : i32
    %cluster = arith.constant {cluster} : index
    %f = arith.constant 1.5 : f32
    %i = arith.constant 0 : i32
    %t0 = gpu.wait async
    %in, %t1 = gpu.alloc async [%t0] () : memref<256xf32>
    %out, %t2 = gpu.alloc async [%t1] () : memref<256xf32>
    %n, %t3 = gpu.alloc async [%t2] () : memref<64xi32>
    %t4 = gpu.memset async [%t3] %in, %f : memref<256xf32>, f32
    %t5 = gpu.memset async [%t4] %n, %i : memref<64xi32>, i32
    %t6 = gpu.launch_func async [%t5] @kernels::@k {clusters}blocks in (%blocks, %c1, %c1)
        threads in (%threads, %c1, %c1) dynamic_shared_memory_size %shared
        args(%in : memref<256xf32>, %out : memref<256xf32>, %n : memref<64xi32>)
    %t7 = gpu.dealloc async [%t6] %in : memref<256xf32>
    %t8 = gpu.dealloc async [%t7] %out : memref<256xf32>
    %t9 = gpu.dealloc async [%t8] %n : memref<64xi32>
    gpu.wait [%t9]
    return
  }}"""


class Planted:
    """One description: `kind` is what the sanitizer has to say of the mistake, or `instead`, which
    is what another order of the run makes of it; kinds in `also` may come beside it."""

    def __init__(
        self, name: str, kind: str, body: str, *, threads: int = 64, blocks: int = 1,
        workgroup: str = "", device: str = "", dynamic: int = 0, host: str | None = None,
        top: str = "", also: tuple[str, ...] = (), instead: str | None = None,
        kinds: tuple[str, ...] = (), cluster: int = 0,
    ) -> None:  # fmt: skip
        self.name = name
        self.kind = kind
        self.instead = instead
        self.kinds = kinds or _DEFAULT_KINDS
        self.also = also if instead is None else (*also, instead)
        if workgroup:
            workgroup = f" workgroup({workgroup})"
        given = host if host is not None else _HOST.format(
            blocks=blocks, threads=threads, dynamic=dynamic, cluster=cluster,
            clusters="clusters in (%cluster, %c1, %c1) " if cluster else "",
        )  # fmt: skip
        self._text = _KERNEL.format(
            constants=_CONSTANTS, body=body.strip("\n"), workgroup=workgroup, device=device,
            host=given, globals=top,
        ).replace("#wg", "#gpu.address_space<workgroup>")  # fmt: skip

    def text(self, bad: bool) -> str:
        """The program with the mistake, or without it. Both have the same lines."""
        drop = "// GOOD" if bad else "// BAD"
        return "\n".join("" if drop in line else line for line in self._text.split("\n"))

    def sides(self) -> set[int]:
        """The lines that the report has to name."""
        lines = self.text(True).split("\n")
        return {i + 1 for i, line in enumerate(lines) if re.search(r"// (BAD )?SIDE", line)}

    def problem(self) -> str | None:
        """What is wrong with what the sanitizer says of both programs, or None."""
        found = xgpu.sanitize(self.text(True), filename=f"{self.name}.mlir", kinds=self.kinds)
        wanted = self.sides()
        said = [(f.kind, {s.line for s in f.sides}) for f in found]
        kinds = (self.kind, self.instead)
        if not any(kind in kinds and wanted <= lines for kind, lines in said):
            return f"expected {self.kind} at lines {sorted(wanted)}, but found:\n{found.text()}"
        strangers = [kind for kind, _ in said if kind != self.kind and kind not in self.also]
        if strangers:
            return f"more than {self.kind} was found:\n{found.text()}"
        twin = xgpu.sanitize(self.text(False), filename=f"{self.name}.mlir", kinds=self.kinds)
        return f"the twin is not mistaken, but found:\n{twin.text()}" if twin else None
