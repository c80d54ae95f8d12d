# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""LLVM IR of the functions for small floats that compiled code calls and this machine may lack."""

from __future__ import annotations

# -- LLVM IR of the functions for small floats that compiled code calls and this machine may lack.


# Of the native library: name -> the function that does it and its type in LLVM IR.
CONVERSIONS = {
    "__truncdfhf2": ("soft_half_from_f64", "double", "half"),
    "__truncsfhf2": ("soft_half_from_f32", "float", "half"),
    "__truncdfbf2": ("soft_bfloat_from_f64", "double", "bfloat"),
    "__truncsfbf2": ("soft_bfloat_from_f32", "float", "bfloat"),
    "__extendhfsf2": ("soft_f32_from_half", "half", "float"),
}


def own_symbol(name: str) -> str:
    """The native library's symbol for one of our functions."""
    return f"xgpu_soft{name}"


def own_text() -> str:
    """LLVM IR of our functions: it alone can say that they take and give 16-bit floats."""
    lines: list[str] = []
    for name, (function, source, target) in CONVERSIONS.items():
        lines.append(f"define {target} @{own_symbol(name)}({source} %x) {{")
        if source == "half":
            lines += [
                "  %h = bitcast half %x to i16",
                "  %w = zext i16 %h to i32",
                f"  %r = call float @{function}(i32 %w)",
                "  ret float %r",
            ]
        else:
            argument = "float %x"
            if source == "double":
                lines.append("  %b = bitcast double %x to i64")
                argument = "i64 %b"
            lines += [
                f"  %w = call i32 @{function}({argument})",
                "  %h = trunc i32 %w to i16",
                f"  %r = bitcast i16 %h to {target}",
                f"  ret {target} %r",
            ]
        lines.append("}")
    return "\n".join(lines) + "\n"


OWN = tuple(own_symbol(name) for name in CONVERSIONS)
