# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is compiled simply: small functions of the module's own become part of others."""

from __future__ import annotations

from xgpu.host_device.machine import cpu as machine

TEXT = """
define internal i32 @small(i32 %x) {
  %y = mul i32 %x, 3
  ret i32 %y
}
define internal i32 @large(i32 %x) {
  %a = mul i32 %x, 3
  %b = xor i32 %a, %x
  %c = add i32 %b, 7
  ret i32 %c
}
define i32 @seen(i32 %x) {
  %a = call i32 @small(i32 %x)
  %b = call i32 @large(i32 %a)
  ret i32 %b
}
"""


def test_small_functions_that_nobody_else_sees_are_inlined() -> None:
    module = machine.parse(TEXT)
    machine._inline_small(module, 4)
    marked = {f.name for f in module.functions if any(b"alwaysinline" in a for a in f.attributes)}
    assert marked == {"small"}


def test_what_is_inlined_is_gone() -> None:
    code = machine.compile_simply(TEXT, 0, 4)
    assert b"small" not in code
    assert b"large" in code
    assert b"small" in machine.compile_simply(TEXT, 0)
