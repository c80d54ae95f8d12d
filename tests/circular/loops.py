# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Generated programs with a loop that is buffered and the same loop that is not.

The program runs both for every number of iterations from 0 to three times the stages and gives how
many numbers differ; then every number that the plain loop should have written is counted, so that
a program that does nothing is no success. Threads read what others have copied.
"""

from __future__ import annotations

from typing import NamedTuple

THREADS = 64
SHAPES = (
    "simple",
    "two",
    "depths",
    "nested",
    "persistent",
    "predicated",
    "scratch",
    "inplace",
    "emptied",
    "emptied_nested",
)
TRANSPORTS = ("thread", "cp.async", "bulk")
MODES = {
    "thread": ("pipelined",),
    "cp.async": ("pipelined",),
    "bulk": ("pipelined", "pipelined-mbarrier", "warp-specialized"),
}
STAGES = (2, 3, 4, 5, 9)
_TILE = f"memref<{THREADS}xf32, #gpu.address_space<workgroup>>"


_FENCE = (
    "          nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, "
    "space = #nvvm.shared_space<cta>}\n"
)


class Case(NamedTuple):
    """A generated loop. `constant` is a number of iterations that the compiler knows, or None."""

    transport: str
    mode: str
    stages: int
    prefetch: int
    shape: str
    constant: int | None = None

    @property
    def name(self) -> str:
        known = "" if self.constant is None else f"-{self.constant}"
        return f"{self.transport}-{self.mode}-{self.stages}-{self.prefetch}-{self.shape}{known}"

    @property
    def counts(self) -> range:
        """The numbers of iterations that the program tries."""
        if self.constant is not None:
            return range(self.constant, self.constant + 1)
        return range(3 * self.stages + 1)


def cases() -> list[Case]:
    """Every combination."""
    return [
        Case(transport, mode, stages, prefetch, shape)
        for transport in TRANSPORTS
        for mode in MODES[transport]
        for stages in STAGES
        for prefetch in range(stages)
        for shape in SHAPES
        if not shape.startswith("emptied") or transport != "cp.async"
    ]


def text_of(case: Case) -> str:
    return _Program(case).text()


class _Program:
    def __init__(self, case: Case) -> None:
        self.case = case
        self.is_bulk = case.transport == "bulk"
        self.buffers = 2 if case.shape in ("two", "depths") else 1
        self.outer = 3 if case.shape in ("nested", "persistent", "emptied_nested") else 1
        self.blocks = 2 if case.shape == "persistent" else 1
        self.most = max(case.counts)
        self.size = max(1, self.outer * self.most) * THREADS

    # --- the program ---------------------------------------------------------------------------
    def text(self) -> str:
        case = self.case
        options = f'stages = {case.stages}, prefetch = {case.prefetch}, mode = "{case.mode}"'
        marked = "{xgpu.circular_buffer = {" + options + "}}"
        maps = ""
        if case.shape.startswith("emptied"):
            for i in range(2):
                maps += (
                    f"    %outcast{i} = memref.cast %out{i} : memref<?xf32> to memref<*xf32>\n"
                    f"    %outmap{i} = nvgpu.tma.create.descriptor %outcast{i} box[%threads] : "
                    "memref<*xf32> -> !map\n"
                )
        if self.is_bulk:
            maps += "".join(
                f"    %u{i} = memref.cast %in{i} : memref<?xf32> to memref<*xf32>\n"
                f"    %map{i} = nvgpu.tma.create.descriptor %u{i} box[%threads] : "
                "memref<*xf32> -> !map\n"
                for i in range(self.buffers)
            )
        low, high = min(case.counts), max(case.counts) + 1
        return f"""\
!map = !nvgpu.tensormap.descriptor<tensor = {_TILE}, swizzle = none, l2promo = none, oob = zero,
    interleave = none>
!bars = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>
func.func @main() -> i64 {{
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %low = arith.constant {low} : index
    %high = arith.constant {high} : index
    %size = arith.constant {self.size} : index
    %threads = arith.constant {THREADS} : index
    %outer = arith.constant {self.outer} : index
    %blocks = arith.constant {self.blocks} : index
    %zero = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %f0 = arith.constant 0.0 : f32
    %none = arith.constant -1.0 : f32
    %h = memref.alloc(%size) : memref<?xf32>
    %g = memref.alloc(%size) : memref<?xf32>
    scf.for %i = %c0 to %size step %c1 {{
      %k = arith.index_cast %i : index to i32
      %f = arith.sitofp %k : i32 to f32
      memref.store %f, %h[%i] : memref<?xf32>
    }}
{self._inputs()}\
    %out0 = gpu.alloc (%size) : memref<?xf32>
    %out1 = gpu.alloc (%size) : memref<?xf32>
{maps}\
    %bad = scf.for %n = %low to %high step %c1 iter_args(%bad0 = %zero) -> i64 {{
      %full = arith.muli %n, %threads : index
      %c7 = arith.constant {7 if case.shape == "predicated" else 0} : index
      %short = arith.subi %full, %c7 : index
      %length = arith.maxsi %short, %c0 : index
      gpu.memset %out0, %none : memref<?xf32>, f32
      gpu.memset %out1, %none : memref<?xf32>, f32
{self._launch("%out0", "")}
{self._launch("%out1", marked)}
      gpu.memcpy %h, %out0 : memref<?xf32>, memref<?xf32>
      gpu.memcpy %g, %out1 : memref<?xf32>, memref<?xf32>
      %used = arith.muli %length, %outer : index
      %bad1 = scf.for %i = %c0 to %size step %c1 iter_args(%b = %bad0) -> i64 {{
        %x = memref.load %h[%i] : memref<?xf32>
        %y = memref.load %g[%i] : memref<?xf32>
        %differ = arith.cmpf une, %x, %y : f32
        %more = arith.select %differ, %one, %zero : i64
        %next = arith.addi %b, %more : i64
        scf.yield %next : i64
      }}
      %wrote = scf.for %i = %c0 to %size step %c1 iter_args(%w = %c0) -> index {{
        %x = memref.load %h[%i] : memref<?xf32>
        %is = arith.cmpf une, %x, %none : f32
        %inc = arith.select %is, %c1, %c0 : index
        %next = arith.addi %w, %inc : index
        scf.yield %next : index
      }}
      %enough = arith.cmpi uge, %wrote, %{"length" if self.outer == 1 else "full"} : index
      %missing = arith.select %enough, %zero, %one : i64
      %bad2 = arith.addi %bad1, %missing : i64
      scf.yield %bad2 : i64
    }}
    gpu.dealloc %out0 : memref<?xf32>
    gpu.dealloc %out1 : memref<?xf32>
    memref.dealloc %h : memref<?xf32>
    memref.dealloc %g : memref<?xf32>
    return %bad : i64
}}
"""

    def _inputs(self) -> str:
        return "".join(
            f"    %in{i} = gpu.alloc (%size) : memref<?xf32>\n"
            f"    gpu.memcpy %in{i}, %h : memref<?xf32>, memref<?xf32>\n"
            for i in range(self.buffers)
        )

    # --- a kernel ------------------------------------------------------------------------------
    def _launch(self, out: str, mark: str) -> str:
        tiles = [f"%tile{i} : {_TILE}" for i in range(self.buffers)]
        if self.case.shape == "scratch":
            tiles.append(f"%scratch : {_TILE}")
        if self.case.shape == "crowded":
            # So much that stages have to lie in dynamic shared memory.
            tiles.append("%more : memref<12100xf32, #gpu.address_space<workgroup>>")
        setup = ""
        if self.is_bulk:
            setup = """\
        %bar = nvgpu.mbarrier.create -> !bars
        nvgpu.mbarrier.init %bar[%c0], %c1, predicate = %first : !bars
        nvvm.fence.mbarrier.init
        gpu.barrier
"""
        return f"""\
      gpu.launch blocks(%bx, %by, %bz) in (%gx = %blocks, %gy = %c1, %gz = %c1)
          threads(%t, %ty, %tz) in (%sx = %threads, %sy = %c1, %sz = %c1)
          workgroup({", ".join(tiles)}) {{
        %first = arith.cmpi eq, %t, %c0 : index
        %final = arith.constant {THREADS - 1} : index
        %leader = arith.cmpi eq, %t, %final : index
        %false = arith.constant false
        %true = arith.constant true
        %ticks = arith.constant 10000000 : index
        %bytes = arith.constant {THREADS * 4 * self.buffers} : index
        %c2 = arith.constant 2 : index
        %c5 = arith.constant 5 : index
        %most = arith.constant {self.most} : index
        %f2 = arith.constant 2.0 : f32
        %t5 = arith.addi %t, %c5 : index
        %other = arith.remui %t5, %threads : index
{setup}\
{self._around(out, mark)}\
        gpu.terminator
      }}"""

    def _around(self, out: str, mark: str) -> str:
        if self.outer == 1:
            loop = self._loop(out, mark, "%c0", "%n", "%false")
            return f"        %offset = arith.constant 0 : index\n{loop}"
        first, step = ("%bx", "%blocks") if self.blocks > 1 else ("%c0", "%c1")
        fewer = (
            "        %own = arith.subi %n, %o : index\n"
            if self.blocks == 1
            else ("        %own = arith.addi %n, %c0 : index\n")
        )
        return f"""\
        %last = scf.for %o = {first} to %outer step {step} iter_args(%parity = %false) -> i1 {{
        %skip = arith.muli %o, %most : index
        %offset = arith.muli %skip, %threads : index
{fewer}\
{self._loop(out, mark, "%c0", "%own", "%parity")}\
        scf.yield %end#1 : i1
        }}
"""

    def _loop(self, out: str, mark: str, low: str, high: str, parity: str) -> str:
        inside = "%true"
        guard = ""
        if self.case.shape == "predicated":
            guard = "          %inside = arith.cmpi ult, %k, %length : index\n"
            inside = "%inside"
        if self.case.constant is not None:
            high = "%n_known"
        known = (
            ""
            if self.case.constant is None
            else (f"        %n_known = arith.constant {self.case.constant} : index\n")
        )
        return f"""\
{known}\
        %end:2 = scf.for %i = {low} to {high} step %c1
            iter_args(%acc = %f0, %phase = {parity}) -> (f32, i1) {{
          %row = arith.muli %i, %threads : index
          %at = arith.addi %row, %offset : index
          %k = arith.addi %at, %t : index
{guard}\
{self._copies(inside, bool(mark))}\
{self._compute(out, inside)}\
{self._fence(mark)}\
          gpu.barrier
          %next_phase = arith.xori %phase, %true : i1
          scf.yield %sum, %next_phase : f32, i1
        }} {mark}
"""

    def _fence(self, mark: str) -> str:
        """Between writes to a tile and the next bulk copy; the pass has to add it by itself."""
        if mark or not self.is_bulk or self.case.shape != "inplace":
            return ""
        return (
            "          nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, "
            "space = #nvvm.shared_space<cta>}\n"
        )

    def _copies(self, inside: str, marked: bool) -> str:
        found = ""
        for i in range(self.buffers):
            own = ""
            if marked and self.case.shape == "depths" and i == 1:
                deeper = self.case.stages + 2
                own = f" {{xgpu.circular_buffer = {{stages = {deeper}, prefetch = {deeper - 1}}}}}"
            found += self._copy(i, inside, own)
        if self.is_bulk:
            expect = (
                "          nvgpu.mbarrier.arrive.expect_tx %bar[%c0], %bytes, "
                "predicate = %first : !bars\n"
            )
            wait = "          nvgpu.mbarrier.try_wait.parity %bar[%c0], %phase, %ticks : !bars\n"
            return expect + found + wait
        if self.case.transport == "cp.async":
            tokens = ", ".join(f"%token{i}" for i in range(self.buffers))
            found += (
                f"          %group = nvgpu.device_async_create_group {tokens}\n"
                "          nvgpu.device_async_wait %group\n"
            )
        if self.case.shape.startswith("emptied"):
            # What threads wrote is for the copy engine.
            found += _FENCE
        return found + "          gpu.barrier\n"

    def _copy(self, i: int, inside: str, own: str) -> str:
        if self.is_bulk:
            return (
                f"          nvgpu.tma.async.load %map{i}[%at], %bar[%c0] to %tile{i}, "
                f"predicate = %first{own} : !map, !bars -> {_TILE}\n"
            )
        if self.case.transport == "cp.async":
            elements = ""
            before = ""
            if inside != "%true":
                before = f"          %some{i} = arith.select {inside}, %c1, %c0 : index\n"
                elements = f", %some{i}"
            return before + (
                f"          %token{i} = nvgpu.device_async_copy %in{i}[%k], %tile{i}[%t], 1"
                f"{elements}{own} : memref<?xf32> to {_TILE}\n"
            )
        value = f"""\
            %v{i} = memref.load %in{i}[%k] : memref<?xf32>
            memref.store %v{i}, %tile{i}[%t] : {_TILE}
"""
        if inside == "%true" and not own:
            return value
        condition = inside
        return f"          scf.if {condition} {{\n{value}          }}{own}\n"

    def _emptied(self, out: str) -> str:
        """The copy engine brings the tile to memory, and reads it while threads go on; a thread of
        another warp asks for it than for the loads. In the loop as it was it waits; the pass has
        to see by itself that it must."""
        wait = "          nvvm.cp.async.bulk.wait_group 0 {read}\n" if out == "%out0" else ""
        return f"""\
          %sum = arith.addf %acc, %f2 : f32
          nvgpu.tma.async.store %tile0 to %outmap{out[-1]}[%at], predicate = %leader
              : {_TILE} -> !map
          nvvm.cp.async.bulk.commit.group
{wait}"""

    def _compute(self, out: str, inside: str) -> str:
        if self.case.shape.startswith("emptied"):
            return self._emptied(out)
        read = "".join(
            f"          %x{i} = memref.load %tile{i}[%other] : {_TILE}\n"
            for i in range(self.buffers)
        )
        both = (
            "          %x = arith.addf %x0, %x1 : f32\n"
            if self.buffers == 2
            else ("          %x = arith.addf %x0, %f0 : f32\n")
        )
        if self.case.shape == "scratch":
            both = f"""\
          memref.store %x0, %scratch[%t] : {_TILE}
          gpu.barrier
          %x = memref.load %scratch[%other] : {_TILE}
"""
        if self.case.shape == "inplace":
            both = f"""\
          %double = arith.mulf %x0, %f2 : f32
          gpu.barrier
          memref.store %double, %tile0[%t] : {_TILE}
          gpu.barrier
          %x = memref.load %tile0[%other] : {_TILE}
"""
        if inside != "%true":
            # What lies behind the end is not read.
            read = f"""\
          %there = arith.addi %at, %other : index
          %readable = arith.cmpi ult, %there, %length : index
          %x0 = scf.if %readable -> f32 {{
            %r = memref.load %tile0[%other] : {_TILE}
            scf.yield %r : f32
          }} else {{
            scf.yield %f0 : f32
          }}
"""
        return f"""\
{read}{both}\
          %twice = arith.mulf %acc, %f2 : f32
          %less = arith.remf %twice, %limit : f32
          %sum = arith.addf %less, %x : f32
          scf.if {inside} {{
            memref.store %sum, {out}[%k] : memref<?xf32>
          }}
""".replace("          %less", "          %limit = arith.constant 1021.0 : f32\n          %less", 1)
