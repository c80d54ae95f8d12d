# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Host code cannot use device memory, nor kernels what is the host's: an error with a location."""

from __future__ import annotations

import re

import pytest

import xgpu
from xgpu.core.ir.errors import DeviceError
from xgpu.driver.engine import ProgramError

_HEAD = """func.func private @printMemrefI32(memref<*xi32>)
memref.global "private" @table : memref<8xi32> = dense<3>
func.func @main() -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %i = arith.constant 7 : i32
  %d = gpu.alloc () : memref<8xi32>
  %s = gpu.alloc host_shared () : memref<8xi32>
  %h = memref.alloc () : memref<8xi32>
  scf.for %k = %c0 to %c8 step %c1 {
    memref.store %i, %h[%k] : memref<8xi32>
    memref.store %i, %s[%k] : memref<8xi32>
  }
  gpu.memcpy %d, %h : memref<8xi32>, memref<8xi32>
"""
_LAUNCH = """  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%t, %ty, %tz) in (%sx = %c8, %sy = %c1, %sz = %c1) { // HERE
    %old = memref.load MEMORY[%t] : memref<8xi32>
    %new = arith.addi %old, %old : i32
    memref.store %new, MEMORY[%t] : memref<8xi32>
    gpu.terminator
  }
"""


def run(body: str, opt_level: int = 2) -> int | float | None:
    text = f"{_HEAD}{body}  return %i : i32\n}}\n"
    return xgpu.run(text, device="host", opt_level=opt_level, output=lambda _: None).value


def line_of(body: str) -> int:
    """The line with the mark HERE."""
    (number,) = [n for n, line in enumerate((_HEAD + body).split("\n"), 1) if "HERE" in line]
    return number


HOST = {
    "load": "  %v = memref.load %d[%c3] : memref<8xi32> // HERE\n"
    "  memref.store %v, %h[%c0] : memref<8xi32>\n",
    "store": "  memref.store %i, %d[%c3] : memref<8xi32> // HERE\n",
    "store in a loop": """  scf.for %k = %c0 to %c8 step %c1 {
    %v = memref.load %h[%k] : memref<8xi32>
    memref.store %v, %d[%k] : memref<8xi32> // HERE
  }
""",
    "atomic": "  %v = memref.atomic_rmw addi %i, %d[%c3] : (i32, memref<8xi32>) -> i32 // HERE\n"
    "  memref.store %v, %h[%c0] : memref<8xi32>\n",
    "copy": "  memref.copy %h, %d : memref<8xi32> to memref<8xi32> // HERE\n",
    "print": """  %any = memref.cast %d : memref<8xi32> to memref<*xi32>
  call @printMemrefI32(%any) : (memref<*xi32>) -> () // HERE
""",
    "vector": "  %v = vector.load %d[%c0] : memref<8xi32>, vector<4xi32> // HERE\n"
    "  vector.store %v, %h[%c0] : memref<8xi32>, vector<4xi32>\n",
    # The branch that is not taken comes first in the text.
    "second of two branches": """  %no = arith.cmpi eq, %c0, %c1 : index
  %n = memref.load %h[%c0] : memref<8xi32>
  %is = arith.cmpi eq, %n, %c0i : i32
  scf.if %is {
    memref.store %i, %d[%c0] : memref<8xi32>
  } else {
    %more = arith.addi %n, %i : i32
    memref.store %more, %d[%c3] : memref<8xi32> // HERE
  }
""".replace("  %no", "  %c0i = arith.constant 0 : i32\n  %no", 1),
}


@pytest.mark.parametrize("opt_level", [0, 2])
@pytest.mark.parametrize("name", HOST)
def test_host_code_on_device_memory(name: str, opt_level: int) -> None:
    with pytest.raises((ProgramError, DeviceError)) as caught:
        run(HOST[name], opt_level)
    says = r"host code uses device memory: 0x[0-9a-f]+ lies \d+ bytes into 32 bytes of gpu.alloc"
    assert re.fullmatch(rf"-:{line_of(HOST[name])}:\d+: error: {says}", str(caught.value))


def test_host_code_on_memory_that_the_device_has_released() -> None:
    body = "  gpu.dealloc %d : memref<8xi32>\n" + HOST["load"]
    with pytest.raises(ProgramError, match=r"host code uses .* that gpu.dealloc has released$"):
        run(body)


def test_a_function_that_gets_device_memory() -> None:
    text = """
func.func @first(%m: memref<?xi32>) -> i32 {
  %c0 = arith.constant 0 : index
  %v = memref.load %m[%c0] : memref<?xi32>
  return %v : i32
}
func.func @main() -> i32 {
  %d = gpu.alloc () : memref<8xi32>
  %m = memref.cast %d : memref<8xi32> to memref<?xi32>
  %v = func.call @first(%m) : (memref<?xi32>) -> i32
  return %v : i32
}"""
    with pytest.raises(ProgramError, match=r"^-:4:8: error: host code uses device memory"):
        xgpu.run(text, device="host")


KERNELS = {
    "memory of the program": "%h",
    "a variable": "%g",
    "memory of the stack": "%a",
}
_OTHERS = """  %g = memref.get_global @table : memref<8xi32>
  %a = memref.alloca () : memref<8xi32>
"""


@pytest.mark.parametrize("memory", KERNELS.values(), ids=list(KERNELS))
def test_a_kernel_on_host_memory(memory: str) -> None:
    body = _OTHERS + _LAUNCH.replace("MEMORY", memory)
    says = r"0x[0-9a-f]+ is the host's, and neither registered \(gpu.host_register\) nor shared"
    line = line_of(body) - 1
    with pytest.raises(DeviceError, match=rf"^-:{line}:3: error: kernel 'main_kernel': .*{says}"):
        run(body)


@pytest.mark.parametrize("memory", ["%h", "%g", "%a", "%s"])
def test_a_kernel_on_registered_and_shared_memory(memory: str) -> None:
    register = f"""  %any = memref.cast {memory} : memref<8xi32> to memref<*xi32>
  gpu.host_register %any : memref<*xi32>
"""
    body = _OTHERS + (register if memory != "%s" else "") + _LAUNCH.replace("MEMORY", memory)
    fill = f"""  scf.for %k = %c0 to %c8 step %c1 {{
    memref.store %i, {memory}[%k] : memref<8xi32>
  }}
"""
    get = f"""  %v = memref.load {memory}[%c3] : memref<8xi32>
  return %v : i32
}}
func.func @rest() -> i32 {{
  %i = arith.constant 0 : i32
"""
    head, launch = body.split("  gpu.launch ", 1)
    assert run(head + fill + "  gpu.launch " + launch + get) == 14


def test_a_part_that_is_registered_serves_all_of_its_memory() -> None:
    """As a kernel gets a view by the address of the whole."""
    body = """  %part = memref.subview %h[4] [4] [1]
      : memref<8xi32> to memref<4xi32, strided<[1], offset: 4>>
  %any = memref.cast %part : memref<4xi32, strided<[1], offset: 4>> to memref<*xi32>
  gpu.host_register %any : memref<*xi32>
  %c4 = arith.constant 4 : index
"""
    launch = _LAUNCH.replace("MEMORY", "%part").replace("%sx = %c8", "%sx = %c4")
    type = "memref<4xi32, strided<[1], offset: 4>>"
    launch = "\n".join(
        line.replace("memref<8xi32>", type) if "%part" in line else line
        for line in launch.split("\n")
    )
    get = """  %c7 = arith.constant 7 : index
  %v = memref.load %h[%c7] : memref<8xi32>
  return %v : i32
}
func.func @rest() -> i32 {
  %i = arith.constant 0 : i32
"""
    assert run(body + launch + get) == 14


def test_memory_that_is_no_longer_registered() -> None:
    register = """  %any = memref.cast %h : memref<8xi32> to memref<*xi32>
  gpu.host_register %any : memref<*xi32>
  gpu.host_unregister %any : memref<*xi32>
"""
    with pytest.raises(DeviceError, match="is the host's, and neither registered"):
        run(register + _LAUNCH.replace("MEMORY", "%h"))
