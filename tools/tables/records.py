# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records of MLIR's ODS files, as `llvm-tblgen --dump-json` states them."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

#: The release whose definitions the tables hold.
VERSION = "22.1"
#: Debian's packages that hold what is read here, in the version that the tables were made from.
PACKAGES = {"llvm-22": "llvm-tblgen", "llvm-22-dev": "LLVM's headers", "libmlir-22-dev": "MLIR's"}
PACKAGE_VERSION = "22.1.8"
PREFIX = Path(os.environ.get("LLVM_PREFIX", "/usr/lib/llvm-22"))
INCLUDE = PREFIX / "include"
TBLGEN = PREFIX / "bin" / "llvm-tblgen"

#: dialect -> the files that define its operations, attributes and types.
SOURCES: dict[str, tuple[str, ...]] = {
    "builtin": ("IR/BuiltinOps", "IR/BuiltinAttributes", "IR/BuiltinTypes"),
    "arith": ("Dialect/Arith/IR/ArithOps",),
    "math": ("Dialect/Math/IR/MathOps",),
    "complex": ("Dialect/Complex/IR/ComplexOps", "Dialect/Complex/IR/ComplexAttributes"),
    "index": ("Dialect/Index/IR/IndexOps",),
    "dlti": ("Dialect/DLTI/DLTIAttrs",),
    "ub": ("Dialect/UB/IR/UBOps",),
    "cf": ("Dialect/ControlFlow/IR/ControlFlowOps",),
    "func": ("Dialect/Func/IR/FuncOps",),
    "scf": ("Dialect/SCF/IR/SCFOps",),
    "affine": ("Dialect/Affine/IR/AffineOps",),
    "memref": ("Dialect/MemRef/IR/MemRefOps",),
    "vector": ("Dialect/Vector/IR/VectorOps", "Dialect/Vector/IR/VectorAttributes"),
    "llvm": (
        "Dialect/LLVMIR/LLVMOps",
        "Dialect/LLVMIR/LLVMIntrinsicOps",
        "Dialect/LLVMIR/LLVMTypes",
    ),
    "nvvm": ("Dialect/LLVMIR/NVVMOps",),
    "xevm": ("Dialect/LLVMIR/XeVMOps",),
    "ptr": ("Dialect/Ptr/IR/PtrDialect", "Dialect/Ptr/IR/PtrAttrDefs"),
    "async": ("Dialect/Async/IR/AsyncOps",),
    "gpu": (
        "Dialect/GPU/IR/GPUOps",
        "Dialect/GPU/IR/GPUDeviceMappingAttr",
        "Dialect/GPU/IR/ParallelLoopMapperAttr",
    ),
    "nvgpu": ("Dialect/NVGPU/IR/NVGPUOps",),
    "bufferization": ("Dialect/Bufferization/IR/BufferizationOps",),
    "tensor": ("Dialect/Tensor/IR/TensorOps",),
    "shape": ("Dialect/Shape/IR/ShapeOps",),
    "shard": ("Dialect/Shard/IR/ShardOps",),
    "mpi": ("Dialect/MPI/IR/MPIOps",),
    "linalg": (
        "Dialect/Linalg/IR/LinalgOps",
        "Dialect/Linalg/IR/LinalgStructuredOps",
        "Dialect/Linalg/IR/LinalgRelayoutOps",
    ),
}

#: Dialects of which the gpu dialect's passes need a part: their files, and what is needed.
PARTS: dict[str, tuple[str, frozenset[str]]] = {
    "amdgpu": (
        "Dialect/AMDGPU/IR/AMDGPU",
        frozenset({"amdgpu.dpp", "amdgpu.dpp_perm", "amdgpu.swizzle_bitmode"}),
    ),
    "rocdl": (
        "Dialect/LLVMIR/ROCDLOps",
        frozenset({"rocdl.permlanex16", "rocdl.readlane", "rocdl.target"}),
    ),
}

#: Files that cannot be read together, each with the dialect that its records extend.
EXTENSIONS: dict[str, tuple[str, ...]] = {
    "transform": (
        "Dialect/Transform/IR/TransformOps",
        "Dialect/Transform/IR/TransformTypes",
        "Dialect/Transform/IR/TransformAttrs",
        "Dialect/Transform/DebugExtension/DebugExtensionOps",
        "Dialect/Transform/LoopExtension/LoopExtensionOps",
        "Dialect/GPU/TransformOps/GPUTransformOps",
        "Dialect/NVGPU/TransformOps/NVGPUTransformOps",
        "Dialect/Affine/TransformOps/AffineTransformOps",
        "Dialect/Bufferization/TransformOps/BufferizationTransformOps",
        "Dialect/Func/TransformOps/FuncTransformOps",
        "Dialect/Linalg/TransformOps/LinalgMatchOps",
        "Dialect/Linalg/TransformOps/LinalgTransformOps",
        "Dialect/MemRef/TransformOps/MemRefTransformOps",
        "Dialect/SCF/TransformOps/SCFTransformOps",
        "Dialect/Tensor/TransformOps/TensorTransformOps",
        "Dialect/Vector/TransformOps/VectorTransformOps",
    ),
}

Record = dict[str, Any]


class Records:
    """The records of one dialect's ODS files."""

    def __init__(self, dialect: str, paths: tuple[str, ...]) -> None:
        self.dialect = dialect
        text = "\n".join(f'include "mlir/{path}.td"' for path in paths)
        dump = subprocess.run(
            [TBLGEN, "--dump-json", "-I", str(INCLUDE), "-"],
            input=text,
            capture_output=True,
            text=True,
            check=False,
        )
        if dump.returncode:
            raise SystemExit(f"{dialect}: {dump.stderr}")
        self.all: dict[str, Record] = json.loads(dump.stdout)
        self.instances: dict[str, list[str]] = self.all["!instanceof"]  # type: ignore[assignment]

    def get(self, reference: Any) -> Record:
        """The record that a field refers to."""
        name = reference["def"] if isinstance(reference, dict) else reference
        return self.all[name]

    def of_class(self, cls: str) -> list[Record]:
        """The records derived from `cls`, in the order of their names."""
        return [self.all[name] for name in self.instances.get(cls, ())]

    def mlir_dialect(self, record: Record, field: str = "opDialect") -> str:
        """MLIR's name of the dialect that `record` belongs to."""
        return self.get(record[field])["name"]


def missing() -> str | None:
    """Why the definitions cannot be read on this machine; None if they can."""
    parts = (TBLGEN, INCLUDE / "llvm/IR/IntrinsicEnums.inc", INCLUDE / "mlir/IR/OpBase.td")
    lacking = [package for package, part in zip(PACKAGES, parts, strict=True) if not part.exists()]
    if lacking:
        return (
            f"{PREFIX} lacks what Debian's {', '.join(lacking)} ({PACKAGE_VERSION}) bring; "
            "LLVM_PREFIX names another place"
        )
    told = subprocess.run([TBLGEN, "--version"], capture_output=True, text=True, check=False)
    if f"version {VERSION}." not in told.stdout:
        return f"{TBLGEN} is not of LLVM {VERSION}"
    return None


def dialects() -> list[str]:
    """The dialects that tables are written for."""
    return [*SOURCES, *PARTS, *EXTENSIONS]


def load(dialect: str) -> list[Records]:
    """The records that define `dialect`; several sets where its files cannot be read together."""
    if dialect in SOURCES:
        return [Records(dialect, SOURCES[dialect])]
    if dialect in PARTS:
        return [Records(dialect, (PARTS[dialect][0],))]
    return [Records(dialect, (path,)) for path in EXTENSIONS[dialect]]


def is_needed(name: str) -> bool:
    """Whether the operation, attribute or type `name` belongs in a table."""
    dialect = name.partition(".")[0]
    return dialect not in PARTS or name in PARTS[dialect][1]


def is_a(record: Record, cls: str) -> bool:
    """Whether `record` derives from the ODS class `cls`."""
    return cls in record["!superclasses"]
