# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How a host program calls its device: LLVM IR of each `mgpu*` function that it declares.

Every program has a table of its own, so that programs run beside each other on devices of their
own. A function calls the device through the table, then stops the program if that failed: if the
flag that `xgpu_program_flag` points to is set.
"""

from __future__ import annotations

from collections.abc import Iterable

from xgpu.core.support.abi import FUNCTIONS
from xgpu.host_device.native.codes import THROW_PROGRAM

#: Symbols of a program: pointers to the device's functions, and to the flag of its session.
TABLE, FLAG = "xgpu_program_table", "xgpu_program_flag"


def common_text() -> str:
    """The table, the flag and the check, which every program has."""
    return f"""
@{TABLE} = global [{len(FUNCTIONS)} x ptr] zeroinitializer
@{FLAG} = global ptr null
declare void @xgpu_enter_python()
declare void @xgpu_leave_python()
declare void @xgpu_throw(i32)
define internal void @xgpu_check() noinline {{
  %flag = load ptr, ptr @{FLAG}
  %error = load atomic i32, ptr %flag monotonic, align 4
  %bad = icmp ne i32 %error, 0
  br i1 %bad, label %throw, label %fine
throw:
  call void @xgpu_throw(i32 {THROW_PROGRAM})
  br label %fine
fine:
  ret void
}}
"""


def calls_text(names: Iterable[str]) -> str:
    """The functions `names` of the ABI."""
    lines: list[str] = []
    for name in names:
        function = FUNCTIONS[name]
        parameters = ", ".join(f"{type} %{i}" for i, type in enumerate(function.parameters))
        result = function.result
        call = f"call {result} %f({parameters})"
        lines += [
            f"define internal {result} @{name}({parameters}) noinline {{",
            "entry:",
            f"  %at = getelementptr ptr, ptr @{TABLE}, i64 {function.index}",
            "  %f = load ptr, ptr %at",
            "  call void @xgpu_enter_python()",
            f"  {call}" if result == "void" else f"  %r = {call}",
            "  call void @xgpu_leave_python()",
            "  call void @xgpu_check()",
            "  ret void" if result == "void" else f"  ret {result} %r",
            "}",
        ]
    return "\n".join(lines) + "\n"
