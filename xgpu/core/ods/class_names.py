# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Python's names of dialects, operations, attributes, types and their parts.

One rule: MLIR's name in camel case with `Op`, `Attr` or `Type` behind it. `gpu.launch_func` is
`LaunchFuncOp`, `#gpu.dim` is `DimAttr`, `!gpu.async.token` is `AsyncTokenType`; a part has MLIR's
name in snake case. Nothing else is looked up, so MLIR's text gives the name.
"""

from __future__ import annotations

#: Dialects whose MLIR name is a word of Python, and what their package and table are called.
PACKAGES = {"async": "async_"}

#: Packages of dialects from outside (`xgpu.core.ods.foreign`).
LOCATIONS: dict[str, str] = {}

#: Dialects that are not spelled like a word: as in xDSL, where it has them.
_SPELLED = {
    "amdgpu": "AMDGPU",
    "dlti": "DLTI",
    "gpu": "GPU",
    "llvm": "LLVM",
    "memref": "MemRef",
    "mgpu": "MGPU",
    "nvgpu": "NVGPU",
    "nvvm": "NVVM",
    "rocdl": "ROCDL",
    "ub": "UB",
    "xevm": "XeVM",
}


def camel_case(mnemonic: str) -> str:
    """`launch_func`, `mbarrier.try_wait` as `LaunchFunc`, `MbarrierTryWait`."""
    words = mnemonic.replace(".", "_").split("_")
    return "".join([word[:1].upper() + word[1:] for word in words])


def snake_case(name: str) -> str:
    """MLIR's `asyncDependencies` as Python's `async_dependencies`."""
    out: list[str] = []
    for index, char in enumerate(name):
        if char.isupper():
            follows_lower = index > 0 and (name[index - 1].islower() or name[index - 1].isdigit())
            ends_acronym = (
                index > 0
                and name[index - 1].isupper()
                and index + 1 < len(name)
                and name[index + 1].islower()
            )
            if follows_lower or ends_acronym:
                out.append("_")
            out.append(char.lower())
        else:
            out.append(char)
    return "".join(out)


def op_class_name(name: str) -> str:
    """The class of the operation `name`, as `gpu.launch_func`: `LaunchFuncOp`."""
    return camel_case(name.partition(".")[2]) + "Op"


def attr_class_name(name: str, is_type: bool) -> str:
    """The class of the attribute or type `name`, as `gpu.dim`: `DimAttr`."""
    return camel_case(name.partition(".")[2]) + ("Type" if is_type else "Attr")


def dialect_object_name(dialect: str) -> str:
    """The name of a dialect's `Dialect`: `GPU`, `Arith`, `MemRef`."""
    return _SPELLED.get(dialect) or dialect[:1].upper() + dialect[1:]


def package(dialect: str) -> str:
    """The Python package of a dialect."""
    outside = LOCATIONS.get(dialect)
    return "xgpu.dialects." + PACKAGES.get(dialect, dialect) if outside is None else outside
