# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What linalg's named operations compute, from `named_ops.txt`.

For each: the iterators (p parallel, r reduction), the indexing maps of the operands, and the body.
An elementwise operation has neither iterators nor maps. In maps, `S0` is the first stride and `D0`
the first dilation. In bodies, `a0` is the first argument, `cast` and `castu` convert to the
element type of the result, signed or not; `castattr` as the attribute `cast` says. `index(0)` is
the first iterator, `i64(1)` and `f64(1.0)` are constants, and `toi32` and `tof64` signed casts.
"""

from xgpu.core.support.packages import data_lines, data_text

#: operation -> (iterators, indexing maps of the operands, body)
OPS: dict[str, tuple[str, tuple[str, ...], str]] = {
    name: (iterators, tuple(maps.split("; ")) if maps else (), body)
    for name, iterators, maps, body in data_lines(data_text(__file__, "named_ops.txt"))
}
