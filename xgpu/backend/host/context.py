# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the rewriting of one function for the host keeps at hand: names, special registers,
declarations.
"""

from __future__ import annotations

from xgpu.backend.host.structs import offset

THREAD = "%xgpu.t"  # every rewritten function's first parameter

# Special registers that are a field of the block's record, under LLVM's names.
_BLOCK_FIELDS = {
    f"{register}.{axis}": f"{field}_{axis}"
    for register, field in (
        ("ntid", "ntid"), ("ctaid", "ctaid"), ("nctaid", "nctaid"),
        ("clusterid", "clusterid"), ("nclusterid", "nclusterid"),
        ("cluster.ctaid", "cluster_ctaid"), ("cluster.nctaid", "cluster_nctaid"),
    )
    for axis in "xyz"
}  # fmt: skip
_BLOCK_FIELDS.update(
    {
        "cluster.ctarank": "cluster_rank",
        "cluster.nctarank": "cluster_size",
        "dynamic.smem.size": "dynamic_shared",
        "count": "count",
    }
)
_THREAD_FIELDS = {"tid.x": "tid_x", "tid.y": "tid_y", "tid.z": "tid_z", "linear": "linear"}

SPECIAL_REGISTERS = {**_BLOCK_FIELDS, **_THREAD_FIELDS, "shared": "shared"}


class UnsupportedOnHost(Exception):
    """Something in a kernel that the host cannot run; the message names it.

    `function` is where it is, and `text` is in the LLVM IR of the instruction, if it is one.
    """

    def __init__(self, message: str, function: str = "", text: str = "") -> None:
        super().__init__(message)
        self.function = function
        self.text = text


class ModuleContext:
    """Declarations that the rewritten functions need, and where shared variables lie."""

    __slots__ = ("declarations", "definitions", "dynamic_offset", "shared", "static_bytes")

    def __init__(self) -> None:
        self.declarations: dict[str, str] = {}
        self.definitions: dict[str, str] = {}
        self.shared: dict[str, int] = {}  # offset of each shared variable in the block's buffer
        self.static_bytes = 0
        self.dynamic_offset = 0

    def declare(self, result: str, name: str, *types: str) -> str:
        """Make sure that `name` is declared; the callee's spelling."""
        self.declarations.setdefault(name, f"declare {result} @{name}({', '.join(types)})")
        return f"@{name}"


class FunctionContext:
    """One function. `registers` fills as special registers are asked for, `entry` with lines that
    must come first (pieces of constant expressions)."""

    __slots__ = ("counter", "entry", "function_name", "is_kernel", "module", "registers")

    def __init__(self, module: ModuleContext, function_name: str, is_kernel: bool) -> None:
        self.module = module
        self.function_name = function_name
        self.is_kernel = is_kernel
        self.counter = 0
        self.registers: set[str] = set()
        self.entry: list[str] = []

    def fresh(self, stem: str = "v") -> str:
        self.counter += 1
        return f"%xgpu.{stem}.{self.counter}"

    def register(self, name: str) -> str:
        """The value of a special register (i32; `shared` is a ptr)."""
        self.registers.add(name)
        return f"%xgpu.sreg.{name}"

    def register_loads(self) -> list[str]:
        """Lines that load every register asked for, from the thread's record."""
        lines: list[str] = []
        block_fields = self.registers - set(_THREAD_FIELDS)
        if block_fields:
            lines += field_load("%xgpu.block", "ptr", THREAD, "Thread", "block")
        for name in sorted(self.registers):
            target = f"%xgpu.sreg.{name}"
            if name in _THREAD_FIELDS:
                lines += field_load(target, "i32", THREAD, "Thread", _THREAD_FIELDS[name])
            else:
                lines += block_register_load(target, name, "%xgpu.block")
        return lines


def block_register_load(target: str, name: str, block: str) -> list[str]:
    """Load a register that is the same for all threads of a block."""
    if name == "shared":
        return field_load(target, "ptr", block, "Block", "shared")
    return field_load(target, "i32", block, "Block", _BLOCK_FIELDS[name])


def is_block_register(name: str) -> bool:
    return name not in _THREAD_FIELDS


def field_load(target: str, type: str, base: str, struct: str, field: str) -> list[str]:
    """Load `field` of the record at `base`."""
    address = f"{target}.addr"
    return [
        f"{address} = getelementptr inbounds i8, ptr {base}, i64 {offset(struct, field)}",
        f"{target} = load {type}, ptr {address}",
    ]


def field_store(value: str, type: str, base: str, struct: str, field: str, name: str) -> list[str]:
    """Store into `field` of the record at `base`; `name` is a fresh name for the address."""
    return [
        f"{name} = getelementptr inbounds i8, ptr {base}, i64 {offset(struct, field)}",
        f"store {type} {value}, ptr {name}",
    ]
