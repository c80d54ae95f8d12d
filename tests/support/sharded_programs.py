# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A block of a transformer and a stencil, split over grids, and what NumPy says of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

Array = Any

#: What a rank calls around the others; the program is started by `ready`.
LIFE = """
func.func @ready() {
  return
}
func.func @init() {
  mpi.init
  return
}
func.func @finish() {
  mpi.finalize
  return
}
"""

# -- A block of a transformer: attention, a layer norm, two matrix products, a layer norm.


@dataclass(frozen=True)
class Sizes:
    """Tokens, width, heads, width of a head, inner width."""

    tokens: int = 16
    width: int = 32
    heads: int = 8
    head: int = 4
    inner: int = 64

    def shapes(self) -> dict[str, tuple[int, ...]]:
        """The shapes of the arguments."""
        of_heads = (self.heads, self.width, self.head)
        return {
            "x": (self.tokens, self.width), "wq": of_heads, "wk": of_heads, "wv": of_heads,
            "wo": (self.heads, self.head, self.width), "w1": (self.width, self.inner),
            "w2": (self.inner, self.width),
        }  # fmt: skip


@dataclass(frozen=True)
class Layout:
    """A grid, and along which of its axes tokens and heads are split."""

    grid: tuple[int, ...]
    tokens: tuple[int, ...]
    heads: tuple[int, ...]

    def splits(self) -> dict[str, list[tuple[int, ...]]]:
        """How each argument and the result is split."""
        of_heads = [self.heads, (), ()]
        return {
            "x": [self.tokens, ()], "wq": of_heads, "wk": of_heads, "wv": of_heads,
            "wo": of_heads, "w1": [(), self.heads], "w2": [self.heads, ()],
            "result": [self.tokens, ()],
        }  # fmt: skip

    def part(self, rank: int, name: str, whole: Array) -> Array:
        """What a rank has of an argument or the result."""
        index = np.unravel_index(rank, self.grid)
        for dimension, axes in enumerate(self.splits()[name]):
            sizes = [self.grid[axis] for axis in axes]
            if axes:
                at = np.ravel_multi_index([index[axis] for axis in axes], sizes)
                whole = np.split(whole, int(np.prod(sizes)), dimension)[int(at)]
        return np.ascontiguousarray(whole)


SMALL = Sizes()
LAYOUTS = {
    "1": Layout((1,), (), (0,)),
    "2": Layout((2,), (), (0,)),
    "4": Layout((4,), (0,), ()),
    "8": Layout((8,), (), (0,)),
    "2x4": Layout((2, 4), (0,), (1,)),
    "4x2": Layout((4, 2), (0,), (1,)),
}


def _type(*shape: int) -> str:
    return f"tensor<{'x'.join(map(str, shape))}xf32>"


class _Writer:
    """Writes a function on tensors, of which some have shardings."""

    def __init__(self, layout: Layout, sizes: Sizes) -> None:
        self.lines: list[str] = []
        self._count = 0
        self._layout = layout
        self.sizes = sizes

    def name(self) -> str:
        self._count += 1
        return f"%v{self._count}"

    def split(self, value: str, name: str, kind: str, *, for_users: bool = False) -> str:
        axes = [list(axes) for axes in self._layout.splits()[name]]
        sharding, made = self.name(), self.name()
        users = " annotate_for_users" if for_users else ""
        self.lines += [
            f"{sharding} = shard.sharding @g split_axes = {axes} : !shard.sharding",
            f"{made} = shard.shard {value} to {sharding}{users} : {kind}",
        ]
        return made

    def generic(
        self, loops: str, reduced: str, inputs: list[tuple[str, str, str]], result: str,
        shape: tuple[int, ...], body: str, start: str = "zero",
    ) -> str:  # fmt: skip
        """An operation over loops that are letters; inputs are a value, its type and its letters.
        The body has `%a`, `%b` for inputs and `%o` for the result so far."""
        names = ", ".join(loops)
        maps = [f"affine_map<({names}) -> ({', '.join(of)})>" for _, _, of in inputs]
        maps.append(f"affine_map<({names}) -> ({', '.join(result)})>")
        kinds = ", ".join(f'"{"reduction" if loop in reduced else "parallel"}"' for loop in loops)
        empty, filled, made = self.name(), self.name(), self.name()
        kind = _type(*shape)
        values, types = (", ".join(item[at] for item in inputs) for at in (0, 1))
        arguments = [f"%{letter}: f32" for letter, _ in zip("abc", inputs, strict=False)]
        self.lines += [
            f"{empty} = tensor.empty() : {kind}",
            f"{filled} = linalg.fill ins(%{start} : f32) outs({empty} : {kind}) -> {kind}",
            f"{made} = linalg.generic {{indexing_maps = [{', '.join(maps)}], "
            f"iterator_types = [{kinds}]}} ins({values} : {types}) outs({filled} : {kind}) {{",
            f"^bb0({', '.join([*arguments, '%o: f32'])}):",
            *body.split(";"),
            f"}} -> {kind}",
        ]
        return made

    def product(
        self, loops: str, reduced: str, left: tuple[str, str, str], right: tuple[str, str, str],
        result: str, shape: tuple[int, ...],
    ) -> str:  # fmt: skip
        body = "%p = arith.mulf %a, %b : f32;%s = arith.addf %o, %p : f32;linalg.yield %s : f32"
        return self.generic(loops, reduced, [left, right], result, shape, body)

    def attention(self, q: str, k: str, v: str) -> str:
        n = self.sizes
        heads = _type(n.heads, n.tokens, n.head)
        scores = self.product(
            "hste", "e", (q, heads, "hse"), (k, heads, "hte"), "hst", (n.heads, n.tokens, n.tokens)
        )
        square, row = _type(n.heads, n.tokens, n.tokens), _type(n.heads, n.tokens)
        most = self.generic(
            "hst", "t", [(scores, square, "hst")], "hs", (n.heads, n.tokens),
            "%s = arith.maximumf %o, %a : f32;linalg.yield %s : f32", "least",
        )  # fmt: skip
        powers = self.generic(
            "hst", "", [(scores, square, "hst"), (most, row, "hs")], "hst",
            (n.heads, n.tokens, n.tokens),
            "%d = arith.subf %a, %b : f32;%s = math.exp %d : f32;linalg.yield %s : f32",
        )  # fmt: skip
        total = self.generic(
            "hst", "t", [(powers, square, "hst")], "hs", (n.heads, n.tokens),
            "%s = arith.addf %o, %a : f32;linalg.yield %s : f32",
        )  # fmt: skip
        weights = self.generic(
            "hst", "", [(powers, square, "hst"), (total, row, "hs")], "hst",
            (n.heads, n.tokens, n.tokens),
            "%s = arith.divf %a, %b : f32;linalg.yield %s : f32",
        )  # fmt: skip
        return self.product(
            "hset",
            "t",
            (weights, square, "hst"),
            (v, heads, "hte"),
            "hse",
            (n.heads, n.tokens, n.head),
        )

    def layer_norm(self, value: str) -> str:
        n = self.sizes
        whole, row = _type(n.tokens, n.width), _type(n.tokens)
        add = "%s = arith.addf %o, %a : f32;linalg.yield %s : f32"
        total = self.generic("sd", "d", [(value, whole, "sd")], "s", (n.tokens,), add)
        centered = self.generic(
            "sd", "", [(value, whole, "sd"), (total, row, "s")], "sd", (n.tokens, n.width),
            "%m = arith.divf %b, %width : f32;%s = arith.subf %a, %m : f32;linalg.yield %s : f32",
        )  # fmt: skip
        square = "%p = arith.mulf %a, %a : f32;%s = arith.addf %o, %p : f32;linalg.yield %s : f32"
        squares = self.generic("sd", "d", [(centered, whole, "sd")], "s", (n.tokens,), square)
        return self.generic(
            "sd", "", [(centered, whole, "sd"), (squares, row, "s")], "sd", (n.tokens, n.width),
            "%m = arith.divf %b, %width : f32;%e = arith.addf %m, %eps : f32;"
            "%r = math.sqrt %e : f32;%s = arith.divf %a, %r : f32;linalg.yield %s : f32",
        )  # fmt: skip


def transformer(layout: Layout, n: Sizes = SMALL) -> str:
    """The program of a block."""
    w = _Writer(layout, n)
    kinds = {name: _type(*shape) for name, shape in n.shapes().items()}
    given = {name: w.split(f"%{name}", name, kind) for name, kind in kinds.items()}
    x = (given["x"], kinds["x"], "sd")
    q, k, v = (
        w.product(
            "hsed", "d", x, (given[name], kinds[name], "hde"), "hse", (n.heads, n.tokens, n.head)
        )
        for name in ("wq", "wk", "wv")
    )
    mixed = w.attention(q, k, v)
    out = w.product(
        "sdhe", "he", (mixed, _type(n.heads, n.tokens, n.head), "hse"),
        (given["wo"], kinds["wo"], "hed"), "sd", (n.tokens, n.width),
    )  # fmt: skip
    add = "%s = arith.addf %a, %b : f32;linalg.yield %s : f32"
    whole = kinds["x"]
    first = w.generic("sd", "", [x, (out, whole, "sd")], "sd", (n.tokens, n.width), add)
    normed = w.layer_norm(w.split(first, "result", whole))
    inner_kind = _type(n.tokens, n.inner)
    inner = w.product(
        "sfd",
        "d",
        (normed, whole, "sd"),
        (given["w1"], kinds["w1"], "df"),
        "sf",
        (n.tokens, n.inner),
    )
    active = w.generic(
        "sf", "", [(inner, inner_kind, "sf")], "sf", (n.tokens, n.inner),
        "%s = arith.maximumf %a, %zero : f32;linalg.yield %s : f32",
    )  # fmt: skip
    outer = w.product(
        "sdf", "f", (active, inner_kind, "sf"), (given["w2"], kinds["w2"], "fd"), "sd",
        (n.tokens, n.width),
    )  # fmt: skip
    second = w.generic(
        "sd", "", [(normed, whole, "sd"), (outer, whole, "sd")], "sd", (n.tokens, n.width), add
    )
    result = w.split(w.layer_norm(w.split(second, "result", whole)), "result", whole)
    arguments = ", ".join(f"%{name}: {kind}" for name, kind in kinds.items())
    constants = {"zero": "0.0", "least": "-1.0e30", "width": f"{n.width}.0", "eps": "1.0e-5"}
    lines = [f"%{name} = arith.constant {value} : f32" for name, value in constants.items()]
    lines += [*w.lines, f"return {result} : {whole}"]
    shape = "x".join(map(str, layout.grid))
    body = "\n".join(lines)
    return (
        f"shard.grid @g(shape = {shape})\n{LIFE}"
        f"func.func @block({arguments}) -> {whole} {{\n{body}\n}}\n"
    )


def attention(processes: int) -> str:
    """Attention alone, without shardings."""
    w = _Writer(LAYOUTS["1"], SMALL)
    kind = _type(SMALL.heads, SMALL.tokens, SMALL.head)
    result = w.attention("%q", "%k", "%v")
    constants = "%zero = arith.constant 0.0 : f32\n%least = arith.constant -1.0e30 : f32\n"
    body = "\n".join([*w.lines, f"return {result} : {kind}"])
    return (
        f"shard.grid @g(shape = {processes})\n"
        f"func.func @attention(%q: {kind}, %k: {kind}, %v: {kind}) -> {kind} {{\n"
        f"{constants}{body}\n}}\n"
    )


def weights(sizes: Sizes = SMALL) -> dict[str, Array]:
    """Random arguments of a block."""
    random = np.random.default_rng(36)
    return {
        name: random.standard_normal(shape).astype(np.float32) * (1.0 if name == "x" else 0.3)
        for name, shape in sizes.shapes().items()
    }


def _norm(value: Array) -> Array:
    centered = value - value.mean(1, keepdims=True)
    return centered / np.sqrt((centered**2).mean(1, keepdims=True) + 1e-5)


def block(given: dict[str, Array]) -> Array:
    """The block as NumPy computes it, in doubles."""
    x, wq, wk, wv, wo, w1, w2 = (given[name].astype(np.float64) for name in given)
    q, k, v = (np.einsum("sd,hde->hse", x, w) for w in (wq, wk, wv))
    scores = np.einsum("hse,hte->hst", q, k)
    powers = np.exp(scores - scores.max(2, keepdims=True))
    mixed = np.einsum("hst,hte->hse", powers / powers.sum(2, keepdims=True), v)
    first = _norm(x + np.einsum("hse,hed->sd", mixed, wo))
    return _norm(first + np.maximum(first @ w1, 0) @ w2)


# -- A stencil of nine points, on 16x16 points and borders of zeros.

POINTS, STEPS = 16, 5


def stencil(grid: tuple[int, int]) -> str:
    """A program whose function `steps` computes in place, on a shard with a halo of one."""
    rows, columns = (POINTS // size + 2 for size in grid)
    kind = f"memref<{rows}x{columns}xf32>"
    loads = "\n".join(
        f"%i{r}{c} = arith.addi %i, %c{r} : index\n%j{r}{c} = arith.addi %j, %c{c} : index\n"
        f"%e{r}{c} = memref.load %h[%i{r}{c}, %j{r}{c}] : {kind}"
        for r in range(3)
        for c in range(3)
    )
    names = [f"%e{r}{c}" for r in range(3) for c in range(3)]
    sums = [f"%s0 = arith.addf {names[0]}, {names[1]} : f32"]
    sums += [f"%s{n} = arith.addf %s{n - 1}, {name} : f32" for n, name in enumerate(names[2:], 1)]
    return (
        f"""
shard.grid @g(shape = {grid[0]}x{grid[1]})
{LIFE}
func.func @steps(%a: {kind}, %b: {kind}) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %steps = arith.constant {STEPS} : index
  %rows = arith.constant {rows - 2} : index
  %columns = arith.constant {columns - 2} : index
  %part = arith.constant 0.125 : f32
  scf.for %step = %c0 to %steps step %c1 {{
    %h = shard.update_halo %a on @g split_axes = [[0], [1]] halo_sizes = [1, 1, 1, 1] : {kind}
    scf.for %i = %c0 to %rows step %c1 {{
      scf.for %j = %c0 to %columns step %c1 {{
        {loads}
        {chr(10).join(sums)}
        %v = arith.mulf %s7, %part : f32
        memref.store %v, %b[%i11, %j11] : {kind}
      }}
    }}
    scf.for %i = %c1 to %rows_end step %c1 {{
      scf.for %j = %c1 to %columns_end step %c1 {{
        %v = memref.load %b[%i, %j] : {kind}
        memref.store %v, %h[%i, %j] : {kind}
      }}
    }}
  }}
  return
}}
""".replace("%rows_end", "%re")
        .replace("%columns_end", "%ce")
        .replace(
            "  %part =",
            f"  %re = arith.constant {rows - 1} : index\n"
            f"  %ce = arith.constant {columns - 1} : index\n  %part =",
        )
    )


def stencil_part(grid: tuple[int, int], rank: int, whole: Array) -> Array:
    """A rank's points of an array with borders, with its halo."""
    rows, columns = (POINTS // size for size in grid)
    r, c = (int(n) for n in np.unravel_index(rank, grid))
    return np.ascontiguousarray(
        whole[r * rows : (r + 1) * rows + 2, c * columns : (c + 1) * columns + 2]
    )


def stencil_steps(whole: Array) -> Array:
    """The stencil as NumPy computes it, in floats and in the same order."""
    for _ in range(STEPS):
        parts = [whole[r : r + POINTS, c : c + POINTS] for r in range(3) for c in range(3)]
        total = parts[0]
        for part in parts[1:]:
            total = total + part
        whole = np.pad(total * np.float32(0.125), 1)
    return whole
