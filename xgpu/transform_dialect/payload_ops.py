# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Transform operations that run rewrites, conversions and passes on the payload."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import ArrayAttr, IntegerAttr, StringAttr
from xdsl.ir import Attribute, Operation

from xgpu.conversion.to_llvm import TABLES, table
from xgpu.core.ir.errors import Diagnostic, DiagnosticError, UsageError, op_error
from xgpu.core.ir.op_info import traits_of
from xgpu.core.rewriting.driver import convert
from xgpu.dialects.transform.syntax import parameter_index
from xgpu.transform_dialect.interpreter import Results, each, flag, integer
from xgpu.transform_dialect.state import SilenceableError, apply_tracked, definite

if TYPE_CHECKING:
    from collections.abc import Sequence

    from xdsl.dialects.builtin import DictionaryAttr

    from xgpu.conversion.llvm_types import LLVMTypeConverter
    from xgpu.core.rewriting.driver import Rule
    from xgpu.core.rewriting.type_converter import TypeConverter
    from xgpu.transform_dialect.state import State


# --- conversions ---------------------------------------------------------------------------------
# transform.apply_conversion_patterns: rules and a type converter that descriptors name.


_PREFIX = "transform.apply_conversion_patterns."
#: Descriptor -> modules with its RULES (or another table).
_TABLES: dict[str, tuple[str, ...]] = {
    "func.func_to_llvm": ("xgpu.conversion.control_flow.func_to_llvm:RULES",),
    "gpu.gpu_to_nvvm": (
        "xgpu.conversion.gpu.gpu_to_nvvm:INDEX_RULES",
        "xgpu.conversion.gpu.functions_to_nvvm:RULES",
        "xgpu.conversion.scalar.math_to_calls:LIBDEVICE_RULES",
    ),
    "gpu.gpu_wmma_to_nvvm": ("xgpu.conversion.gpu.gpu_to_nvvm:WMMA_RULES",),
    "gpu.gpu_subgroup_reduce_to_nvvm": ("xgpu.conversion.gpu.functions_to_nvvm:REDUX_RULES",),
    "nvgpu.nvgpu_to_nvvm": (
        "xgpu.conversion.nvgpu.memory_to_nvvm:RULES",
        "xgpu.conversion.nvgpu.nvgpu_to_nvvm:MMA_RULES",
        "xgpu.conversion.nvgpu.nvgpu_to_nvvm:WARPGROUP_RULES",
    ),
    "scf.scf_to_control_flow": ("xgpu.conversion.control_flow.scf_to_cf:RULES",),
    "scf.structural_conversions": ("xgpu.conversion.control_flow.scf_structure:RULES",),
    "vector.vector_to_llvm": ("xgpu.conversion.vector.vector_to_llvm:RULES",),
}


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
            self.rules.update(table(path))
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
    attr = descriptor.properties["dialect_name"]
    assert isinstance(attr, StringAttr)
    path = TABLES.get(attr.data)
    if path is None:
        raise definite(
            descriptor,
            f"dialect does not implement ConvertToLLVMPatternInterface or was not loaded: "
            f"{attr.data}",
        )
    return table(path)


def _gpu_types(converter: TypeConverter) -> None:
    types = cast("LLVMTypeConverter", converter)
    from xgpu.conversion.gpu.gpu_to_nvvm import _address_space, _convert_gpu_type

    types.memory_spaces.append(_address_space)
    types.add(partial(_convert_gpu_type, types))


def _nvgpu_types(converter: TypeConverter) -> None:
    types = cast("LLVMTypeConverter", converter)  # which every set of patterns to llvm has
    from xgpu.conversion.gpu.gpu_to_nvvm import _address_space
    from xgpu.conversion.nvgpu.nvgpu_to_nvvm import _convert

    types.memory_spaces.append(_address_space)
    types.add(partial(_convert, types))


_TYPES: dict[str, Callable[[TypeConverter], None]] = {
    "gpu.gpu_to_nvvm": _gpu_types,
    "gpu.gpu_wmma_to_nvvm": _gpu_types,
    "nvgpu.nvgpu_to_nvvm": _nvgpu_types,
}


# --- payload ops ---------------------------------------------------------------------------------
# Transform operations that run rewrites, conversions and passes on the payload.


def _refuse_own_ancestor(op: Operation, target: Operation) -> None:
    current: Operation | None = op
    while current is not None:
        if current is target:
            raise definite(
                op,
                "cannot apply transform to itself (or one of its ancestors)",
                [(target.location, "target payload op")],
            )
        current = current.parent_op()


def _apply_patterns(op: Operation, target: Operation, state: State) -> None:
    from xgpu.transform_dialect.patterns import collect

    _refuse_own_ancestor(op, target)
    block = op.regions[0].first_block
    patterns = collect(block.ops if block is not None else ())
    with_cse = flag(op, "apply_cse")
    while True:
        before = _fingerprint(target) if with_cse else None
        converged = apply_tracked(
            target,
            patterns,
            state,
            max_iterations=integer(op, "max_iterations", -1),
            max_rewrites=integer(op, "max_num_rewrites", -1),
        )
        if not converged:
            raise SilenceableError(
                Diagnostic("error", "greedy pattern application failed", target.location)
            )
        if not with_cse:
            return
        _eliminate(target, state)
        if _fingerprint(target) == before:
            return


def _fingerprint(target: Operation) -> list[int]:
    return [id(o) for o in target.walk()]


def _eliminate(target: Operation, state: State) -> None:
    """Common subexpressions of `target`; handles follow to the operations that stay."""
    from xgpu.transforms.generic.cse import eliminate_common_subexpressions

    before = list(target.walk())
    eliminate_common_subexpressions(target)
    _forget_removed(before, target, state)


def _forget_removed(before: list[Operation], target: Operation, state: State) -> None:
    left = set(target.walk())
    for old in before:
        if old not in left:
            state.erased(old)


def _apply_cse(op: Operation, target: Operation, state: State) -> None:
    _refuse_own_ancestor(op, target)
    _eliminate(target, state)


def _apply_dce(op: Operation, target: Operation, state: State) -> None:
    from xgpu.transforms.generic.cleanup import erase_dead

    _refuse_own_ancestor(op, target)
    before = list(target.walk())
    while True:
        erase_dead(target)
        left = list(target.walk())
        if len(left) == len(before):
            return
        _forget_removed(before, target, state)
        before = left


def _apply_licm(op: Operation, target: Operation, state: State) -> None:
    from xgpu.transforms.generic.code_motion import is_loop, move_invariant_code

    _refuse_own_ancestor(op, target)
    if not is_loop(target):
        raise SilenceableError(
            Diagnostic(
                "error",
                "transform applied to the wrong op kind",
                op.location,
                [Diagnostic("note", "when applied to this op", target.location)],
            )
        )
    move_invariant_code(target)


def apply_conversion_patterns(op: Operation, state: State) -> Results:
    """One dialect conversion of each target, with the rules that the region names."""
    conversion = Conversion(op)
    keep = flag(op, "preserve_handles")
    for target in state.ops(op.operands[0]):
        _refuse_own_ancestor(op, target)
        before = list(target.walk()) if keep else []
        try:
            conversion.run(target)
        except DiagnosticError as error:
            last = Diagnostic(
                "error",
                "dialect conversion failed",
                op.location,
                [Diagnostic("note", "target op", target.location)],
            )
            raise SilenceableError(*error.diagnostics, last) from None
        if keep:
            _follow_converted(before, target, state)
    return []


def _follow_converted(before: list[Operation], target: Operation, state: State) -> None:
    left = set(target.walk())
    for old in before:
        if old not in left:
            state.erased(old)


def _option_text(value: Attribute) -> str:
    if isinstance(value, StringAttr):
        return value.data
    if isinstance(value, IntegerAttr):
        ty = value.type
        if getattr(getattr(ty, "width", None), "data", 0) == 1:
            return "true" if value.value.data else "false"
        return str(value.value.data)
    from xgpu.core.syntax.printer import attribute_text

    return attribute_text(value)


def _options(op: Operation, state: State) -> str:
    """The options of a pass as the command line has them."""
    given = cast("DictionaryAttr | None", op.properties.get("options"))
    parts: list[str] = []

    def texts(value: Attribute) -> list[str]:
        if value.name == "transform.param_operand":
            handle = op.operands[1 + parameter_index(value)]
            return [_option_text(p) for p in state.payload(handle)]
        if isinstance(value, ArrayAttr):
            return [text for item in value.data for text in texts(item)]
        return [_option_text(value)]

    for key, value in (given.data if given is not None else {}).items():
        joined = ",".join(texts(value))
        quoted = f"{{{joined}}}" if isinstance(value, ArrayAttr) or " " in joined else joined
        parts.append(f"{key}={quoted}")
    return " ".join(parts)


def apply_registered_pass(op: Operation, state: State) -> Results:
    """Runs a pass or pipeline of the registry on each target."""
    from xgpu.core.passes.manager import PassManager, VerifyEach
    from xgpu.core.passes.pipeline_text import add
    from xgpu.core.passes.registry import PASSES, PIPELINES

    name = cast("StringAttr", op.properties["pass_name"])
    if name.data not in PASSES and name.data not in PIPELINES:
        raise definite(op, f"unknown pass or pass pipeline: {name.data}")
    targets = state.ops(op.operands[0])
    text = _options(op, state)
    for target in targets:
        _refuse_own_ancestor(op, target)
        manager = PassManager(target.name)
        try:
            add(manager, name.data, text)
        except UsageError as error:
            raise definite(
                op,
                f"failed to add pass or pass pipeline to pipeline: {name.data}",
                [(op.location, str(error))],
            ) from None
        before = list(target.walk())
        try:
            _check_isolated(target)
            manager.run(target, state.ctx, [VerifyEach()])
        except DiagnosticError as error:
            last = Diagnostic(
                "error",
                "pass pipeline failed",
                op.location,
                [Diagnostic("note", "target op", target.location)],
            )
            raise SilenceableError(*error.diagnostics, last) from None
        _forget_removed(before, target, state)
    return [targets]


def _check_isolated(target: Operation) -> None:
    if target.name != "builtin.module" and "IsolatedFromAbove" not in traits_of(target.name):
        raise op_error(
            target,
            "trying to schedule a pass on an operation not marked as 'IsolatedFromAbove'",
        )


OPS = {
    "transform.apply_conversion_patterns": apply_conversion_patterns,
    "transform.apply_cse": each(_apply_cse),
    "transform.apply_dce": each(_apply_dce),
    "transform.apply_licm": each(_apply_licm),
    "transform.apply_patterns": each(_apply_patterns),
    "transform.apply_registered_pass": apply_registered_pass,
}
