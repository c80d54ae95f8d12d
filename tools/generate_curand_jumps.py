# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Write the jumps of the random generator XORWOW: `xgpu/frontend/cuda/include/xgpu/curand_jumps.h`.

The five words of a state without its Weyl sequence are a vector of 160 bits, and a step is a linear
map of it (Marsaglia, Xorshift RNGs, 2003). So 2^k steps are a polynomial of that map, x^(2^k)
modulo its characteristic polynomial, which follows from 320 bits of a sequence (Berlekamp, Massey).
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

WORDS = 5
BITS = 32 * WORDS
_WORD = (1 << 32) - 1
#: Sequences lie 2^67 steps apart.
SEQUENCE = 67
HEADER = Path(__file__).parents[1] / "xgpu" / "frontend" / "cuda" / "include" / "xgpu"


def step(state: list[int]) -> list[int]:
    """The words after a step."""
    x, y, z, w, v = state
    t = x ^ (x >> 2)
    return [y, z, w, v, (v ^ (v << 4) ^ t ^ (t << 1)) & _WORD]


def characteristic() -> int:
    """The characteristic polynomial, a bit for each coefficient."""
    state, bits = [1, 2, 3, 4, 5], list[int]()
    for _ in range(2 * BITS):
        bits.append(state[-1] & 1)
        state = step(state)
    # Berlekamp and Massey: the shortest recurrence of the bits, from the newest coefficient on.
    known, before, length, since = 1, 1, 0, 1
    for n, bit in enumerate(bits):
        for i in range(1, length + 1):
            bit ^= (known >> i & 1) & bits[n - i]
        if not bit:
            since += 1
            continue
        last, known = known, known ^ before << since
        if 2 * length <= n:
            before, length, since = last, n + 1 - length, 0
        since += 1
    assert length == BITS
    return int(f"{known:0{BITS + 1}b}"[::-1], 2)


def jumps(count: int) -> Iterator[int]:
    """The polynomials of 2^k steps, by k."""
    modulus, power = characteristic(), 2
    for _ in range(count):
        yield power
        # A square spreads the coefficients.
        power = int("0".join(f"{power:b}"), 2)
        while (over := power.bit_length() - BITS - 1) >= 0:
            power ^= modulus << over


def header() -> str:
    """The text of the header."""
    lines = [
        "// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception",
        "// Written by tools/generate_curand_jumps.py: polynomials of 2^k steps of XORWOW, by k.",
        "#pragma once",
        f"#define XGPU_CURAND_JUMPS{' ' * 70}\\",
    ]
    for power in jumps(SEQUENCE + 64):
        words = ", ".join(f"0x{power >> 32 * i & _WORD:08x}" for i in range(WORDS))
        lines.append(f"  {{{words}}},".ljust(95) + "\\")
    lines[-1] = lines[-1].rstrip(" \\")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    (HEADER / "curand_jumps.h").write_text(header())
