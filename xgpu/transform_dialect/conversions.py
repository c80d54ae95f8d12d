# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""transform.apply_conversion_patterns: rules and a type converter that descriptors name."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Operation

from xgpu.transform_dialect.failures import definite
from xgpu.transform_dialect.interpreter import flag, integer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from xdsl.dialects.builtin import ArrayAttr

    from xgpu.conversion.llvm_types import LLVMTypeConverter
    from xgpu.core.rewriting.driver import Rule
    from xgpu.core.rewriting.type_converter import TypeConverter

_PACKAGE = "xgpu.conversion"
_PREFIX = "transform.apply_conversion_patterns."
#: Descriptor -> modules with its RULES (or another table).
_TABLES: dict[str, tuple[str, ...]] = {
    "func.func_to_llvm": ("control_flow.func_to_llvm:RULES",),
    "gpu.gpu_to_nvvm": (
        "gpu.index_to_nvvm:RULES",
        "gpu.func_to_llvm:RULES",
        "gpu.collectives_to_nvvm:RULES",
        "scalar.math_to_libdevice:RULES",
    ),
    "gpu.gpu_wmma_to_nvvm": ("gpu.wmma_to_nvvm:RULES",),
    "gpu.gpu_subgroup_reduce_to_nvvm": ("gpu.collectives_to_nvvm:REDUX_RULES",),
    "nvgpu.nvgpu_to_nvvm": (
        "nvgpu.memory_to_nvvm:RULES",
        "nvgpu.mma_to_nvvm:RULES",
        "nvgpu.warpgroup_to_nvvm:RULES",
    ),
    "scf.scf_to_control_flow": ("control_flow.scf_to_cf:RULES",),
    "scf.structural_conversions": ("control_flow.scf_structure:RULES",),
    "vector.vector_to_llvm": ("vector.vector_to_llvm:RULES",),
}
#: Descriptors that only work with an LLVM type converter.
_NEEDS_LLVM_TYPES = frozenset(
    (
        "func.func_to_llvm",
        "gpu.gpu_to_nvvm",
        "gpu.gpu_wmma_to_nvvm",
        "gpu.gpu_subgroup_reduce_to_nvvm",
        "nvgpu.nvgpu_to_nvvm",
        "vector.vector_to_llvm",
        "dialect_to_llvm",
    )
)


class Conversion:
    """What one apply_conversion_patterns operation describes."""

    def __init__(self, op: Operation) -> None:
        self.op = op
        self.types: TypeConverter | None = self._type_converter()
        self.rules: dict[str, Rule] = {}
        block = op.regions[0].first_block
        for descriptor in block.ops if block is not None else ():
            self._add(descriptor)
        self._legal = _names(op, "legal_ops"), _names(op, "legal_dialects")
        self._illegal = _names(op, "illegal_ops"), _names(op, "illegal_dialects")

    def run(self, target: Operation) -> None:
        """Converts what is in `target`."""
        from xgpu.core.rewriting.driver import convert

        convert(
            target,
            self.rules,
            self.types,
            full=not flag(self.op, "partial_conversion"),
            legal=self._is_legal,
            illegal=self._is_illegal,
            state=target,
            root_too=target.parent is not None,
        )

    def _is_legal(self, op: Operation) -> bool:
        return _decide(op, self._legal, self._illegal) is True

    def _is_illegal(self, op: Operation) -> bool:
        return _decide(op, self._legal, self._illegal) is False

    # --- what the regions say ------------------------------------------------------------------
    def _type_converter(self) -> TypeConverter | None:
        for region in self.op.regions[1:]:
            block = region.first_block
            for builder in block.ops if block is not None else ():
                if builder.name == _PREFIX + "memref.memref_to_llvm_type_converter":
                    return _llvm_types(builder)
                raise definite(builder, f"the type converter '{builder.name}' is not supported")
        return None

    def _add(self, descriptor: Operation) -> None:
        name = descriptor.name.removeprefix(_PREFIX)
        if name == "dialect_to_llvm":
            self.rules.update(_dialect_rules(descriptor))
            return
        if name not in _TABLES:
            raise definite(descriptor, f"the patterns of '{descriptor.name}' are not supported")
        for path in _TABLES[name]:
            module, _, table = path.partition(":")
            self.rules.update(getattr(import_module(f"{_PACKAGE}.{module}"), table))
        add_types = _TYPES.get(name)
        if add_types is not None and self.types is not None:
            add_types(self.types)


def _decide(
    op: Operation, legal: Sequence[frozenset[str]], illegal: Sequence[frozenset[str]]
) -> bool | None:
    """True if `op` is legal, False if illegal; its own name counts before its dialect."""
    if op.name in illegal[0]:
        return False
    if op.name in legal[0]:
        return True
    dialect = op.name.partition(".")[0]
    if dialect in illegal[1]:
        return False
    if dialect in legal[1]:
        return True
    return None


def _names(op: Operation, name: str) -> frozenset[str]:
    attr = cast("ArrayAttr[StringAttr] | None", op.properties.get(name))
    return frozenset(item.data for item in attr.data) if attr is not None else frozenset()


def _llvm_types(builder: Operation) -> TypeConverter:
    from xgpu.conversion.llvm_types import LLVMTypeConverter

    types = LLVMTypeConverter(
        integer(builder, "index_bitwidth", 64) or 64,
        bare_pointers=flag(builder, "use_bare_ptr_call_conv"),
    )
    types.aligned_alloc = flag(builder, "use_aligned_alloc")
    types.generic_functions = flag(builder, "use_generic_functions")
    return types


def _dialect_rules(descriptor: Operation) -> dict[str, Rule]:
    from xgpu.conversion.to_llvm import MODULES

    attr = descriptor.properties["dialect_name"]
    assert isinstance(attr, StringAttr)
    module = MODULES.get(attr.data)
    if module is None:
        raise definite(
            descriptor,
            f"dialect does not implement ConvertToLLVMPatternInterface or was not loaded: "
            f"{attr.data}",
        )
    return import_module(f"{_PACKAGE}.{module}").RULES


def _gpu_types(converter: TypeConverter) -> None:
    types = cast("LLVMTypeConverter", converter)
    from functools import partial

    from xgpu.conversion.gpu.gpu_to_nvvm import _address_space, _convert_gpu_type

    types.memory_spaces.append(_address_space)
    types.add(partial(_convert_gpu_type, types))


def _nvgpu_types(converter: TypeConverter) -> None:
    types = cast("LLVMTypeConverter", converter)  # which every set of patterns to llvm has
    from functools import partial

    from xgpu.conversion.gpu.gpu_to_nvvm import _address_space
    from xgpu.conversion.nvgpu.nvgpu_to_nvvm import _convert

    types.memory_spaces.append(_address_space)
    types.add(partial(_convert, types))


_TYPES: dict[str, Callable[[TypeConverter], None]] = {
    "gpu.gpu_to_nvvm": _gpu_types,
    "gpu.gpu_wmma_to_nvvm": _gpu_types,
    "nvgpu.nvgpu_to_nvvm": _nvgpu_types,
}


def needs_llvm_types(name: str) -> bool:
    """Whether the descriptor `name` asks for an LLVM type converter."""
    return name.removeprefix(_PREFIX) in _NEEDS_LLVM_TYPES
