# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The classes of dialects: one for each name, importable, constructible, described, stubbed."""

import copy
import inspect
import pickle
import sys
from importlib import import_module
from pathlib import Path

import pytest
from xdsl.builder import ImplicitBuilder
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseArrayBase,
    IndexType,
    IntegerAttr,
    MemRefType,
    StridedLayoutAttr,
    StringAttr,
    SymbolRefAttr,
    UnitAttr,
    f32,
    i1,
    i8,
    i32,
    i64,
)
from xdsl.ir import Block, Dialect, Operation, Region, SSAValues
from xdsl.irdl import IRDLOperation, VarOperandDef
from xdsl.pattern_rewriter import (
    PatternRewriter,
    PatternRewriteWalker,
    RewritePattern,
    op_type_rewrite_pattern,
)
from xdsl.utils.exceptions import VerifyException

from tests.support import processes
from tools import generate_stubs
from xgpu.core import ods
from xgpu.core.ir.errors import DiagnosticError
from xgpu.core.ods.class_names import package
from xgpu.core.ods.dialect import attribute_exports, exports, operation_exports
from xgpu.dialects import arith, cf, func, gpu, llvm, memref, nvvm, scf

ROOT = Path(__file__).parents[3]
DIALECTS = [name for name in ods.dialect_names() if name != "builtin"]


def values(*types: object) -> list[object]:
    return list(Block(arg_types=types).args)  # pyright: ignore[reportArgumentType]


# --- names -------------------------------------------------------------------------------------


def test_one_class_per_name() -> None:
    assert ods.op_class("gpu.launch") is gpu.LaunchOp
    assert ods.attr_class("gpu.async.token") is gpu.AsyncTokenType
    assert gpu.LaunchOp.__name__ == "LaunchOp"
    assert gpu.LaunchOp.__module__ == "xgpu.dialects.gpu"
    assert isinstance(gpu.GPU, Dialect)
    assert gpu.GPU.name == "gpu"
    assert import_module("xgpu.dialects.async_").Async.name == "async"


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_name_of_a_dialect_is_a_class(dialect: str) -> None:
    module = import_module(package(dialect))
    assert set(exports(dialect)) <= set(dir(module))
    for name, mlir in operation_exports(dialect).items():
        cls = getattr(module, name)
        assert (cls.name, cls.__name__) == (mlir, name)
        assert pickle.loads(pickle.dumps(cls)) is cls
    for name, mlir in attribute_exports(dialect).items():
        cls = getattr(module, name)
        assert cls.name == mlir.removeprefix("!")
        assert pickle.loads(pickle.dumps(cls)) is cls


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match=r"'xgpu.dialects.gpu' has no attribute 'LunchOp'"):
        gpu.LunchOp  # pyright: ignore # noqa: B018


def test_importing_a_dialect_imports_nothing_else() -> None:
    code = (
        "import sys; from xgpu.dialects import gpu; "
        "print(*sorted(m for m in sys.modules if m.startswith(('xdsl', 'xgpu', 'llvmlite'))))"
    )
    done = processes.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert loaded == {
        "xgpu",
        "xgpu.implementations",
        "xgpu.core",
        "xgpu.core.ir",
        "xgpu.core.ir.services",
        "xgpu.core.ods",
        "xgpu.core.ods.services",
        "xgpu.core.support",
        "xgpu.core.support.process",
        "xgpu.version",
        "xgpu.dialects",
        "xgpu.dialects.gpu",
        "xgpu.tools",
        "xgpu.tools.services",
    }


def test_stubs_are_current() -> None:
    done = processes.run(
        [sys.executable, "tools/generate_stubs.py", "--check"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (0, ""), "run python tools/generate_stubs.py"


def test_stubs_are_not_in_the_tree() -> None:
    """They are generated: the build makes them."""
    listed = processes.run(
        ["git", "ls-files", "xgpu/*.pyi"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if listed.returncode != 0:
        pytest.skip("not a checkout of git")
    assert listed.stdout.split() == ["xgpu/host_device/native/prelude.pyi"]


# --- constructors ------------------------------------------------------------------------------


def test_optional_results_and_segments() -> None:
    start = gpu.WaitOp(async_token=True)
    assert start.async_token is not None
    assert start.async_token.type == gpu.AsyncTokenType()
    wait = gpu.WaitOp(async_dependencies=[start.async_token, start])
    assert list(wait.async_dependencies) == [start.async_token, start.async_token]
    assert wait.async_token is None
    memory = gpu.AllocOp([start], values(IndexType())[0], memref=MemRefType(f32, [DYNAMIC_INDEX]))
    assert memory.properties["operandSegmentSizes"] == DenseArrayBase.from_list(i32, [1, 1, 0])
    memory.verify()


def test_attributes_from_python_values() -> None:
    assert gpu.ThreadIdOp(dimension="x", upper_bound=64).properties == {
        "dimension": gpu.DimAttr("x"),
        "upper_bound": IntegerAttr(64, IndexType()),
    }
    launch = gpu.LaunchFuncOp(
        kernel="module::kernel",
        **{f"{kind}_size_{d}": values(IndexType())[0] for kind in ("grid", "block") for d in "xyz"},
    )
    assert launch.kernel == SymbolRefAttr("module", ["kernel"])
    a, b = values(i64, i64)
    assert arith.AddiOp(a, b, overflow_flags=["nsw", "nuw"]).overflow_flags.flags == ("nsw", "nuw")
    assert arith.CmpiOp(a, b, predicate="slt").predicate == IntegerAttr(2, 64)
    module = gpu.ModuleOp(sym_name="m", targets=[nvvm.NVVMTargetAttr()])
    assert module.sym_name == StringAttr("m")
    alloc = gpu.AllocOp(host_shared=True, memref=MemRefType(f32, [4]))
    assert alloc.host_shared == UnitAttr()
    assert gpu.AllocOp(host_shared=False, memref=MemRefType(f32, [4])).host_shared is None


def test_result_types_are_inferred() -> None:
    a, b = values(i64, i64)
    assert arith.AddiOp(a, b).result.type == i64
    assert arith.CmpiOp(a, b, predicate="eq").result.type == i1
    assert arith.ConstantOp(value=IntegerAttr(1, 32)).result.type == i32
    (m, i) = values(MemRefType(f32, [4]), IndexType())
    assert memref.LoadOp(m, [i]).result.type == f32
    metadata = memref.ExtractStridedMetadataOp(values(MemRefType(f32, [4, 8]))[0])
    assert [r.type for r in metadata.results] == [MemRefType(f32, []), *[IndexType()] * 5]
    assert len(metadata.sizes) == len(metadata.strides) == 2


def test_static_and_dynamic_sizes() -> None:
    m, size = values(MemRefType(f32, [8, 8]), IndexType())
    type = MemRefType(f32, [DYNAMIC_INDEX, 4], StridedLayoutAttr([8, 1]))
    view = memref.SubviewOp(m, [0, 0], [size, 4], [1, 1], result=type)
    assert view.static_sizes.get_values() == (DYNAMIC_INDEX, 4)
    assert list(view.sizes) == [size]
    view.verify()


def test_numbers_become_constants_in_an_implicit_builder() -> None:
    block = Block()
    with ImplicitBuilder(block):
        body = Block(arg_types=[IndexType()] * 12)
        with ImplicitBuilder(body):
            gpu.TerminatorOp()
        sizes = {f"{kind}_size_{d}": 1 for kind in ("grid", "block") for d in "xyz"}
        launch = gpu.LaunchOp(**sizes, body=body)
    assert [op.name for op in block.ops] == ["arith.constant"] * 6 + ["gpu.launch"]
    launch.verify()


def test_regions_get_their_terminator() -> None:
    i = values(IndexType())[0]
    loop = scf.ForOp(i, i, i, region=Block(arg_types=[IndexType()]))
    assert [op.name for op in loop.region.block.ops] == ["scf.yield"]
    assert func.FuncOp(
        sym_name="f", function_type=func_type(), body=[func.ReturnOp()]
    ).body.block.last_op.name == "func.return"  # fmt: skip


def func_type() -> object:
    from xdsl.dialects.builtin import FunctionType

    return FunctionType.from_lists([], [])


def test_successors() -> None:
    block = Block(arg_types=[i32])
    branch = cf.BrOp(values(i32), dest=block)
    assert list(branch.successors) == [block]


def test_more_attributes_and_a_place() -> None:
    from xdsl.dialects.builtin import FileLineColLoc, IntAttr

    place = FileLineColLoc(StringAttr("k.py"), IntAttr(3), IntAttr(4))
    op = gpu.BarrierOp(attributes={"note": UnitAttr()}, location=place)
    assert (op.attributes, op.location) == ({"note": UnitAttr()}, place)


i64_value, memory = values(i64, MemRefType(f32, [4]))

MISTAKES = [
    (lambda: gpu.WaitOp(async_tokn=True), TypeError,
     "WaitOp() got an unexpected keyword argument 'async_tokn', did you mean 'async_token'? "
     "(it takes async_dependencies, async_token, attributes, location)"),
    (lambda: gpu.WaitOp(async_token=3), TypeError,
     "async_token must be the result's type, but is 3"),
    (lambda: gpu.ThreadIdOp(), TypeError,
     "ThreadIdOp() missing required argument: 'dimension'"),
    (lambda: gpu.ThreadIdOp(dimension="w"), ValueError,
     "dimension must be one of x, y, z, but is 'w'"),
    (lambda: arith.AddiOp(i64_value), TypeError, "AddiOp() missing required argument: 'rhs'"),
    (lambda: arith.AddiOp(1, i64_value), TypeError,
     "lhs must be an SSA value, but is 1, and its definition (signless-integer-like) does not say "
     "of which type a constant is"),
    (lambda: arith.AddiOp(i64_value, i64_value, i64_value), TypeError,
     "AddiOp() takes 2 positional arguments but 3 were given"),
    (lambda: gpu.MemcpyOp(1, 2, 3), TypeError,
     "MemcpyOp() takes 1 positional argument but 3 were given: dst, src must be given by name"),
    (lambda: arith.ConstantOp(value=3), TypeError,
     "value must be an attribute, or a number where 'result' is given, the type of an integer or a "
     "float, but is int 3"),
    (lambda: arith.ConstantOp(value=300, result=i8), ValueError,
     "value: Integer value 300 is out of range for type i8 which supports values in the range "
     "[-128, 256)"),
    (lambda: memref.LoadOp(memory, 3), TypeError,
     "indices must be a sequence of SSA values, but is 3"),
    (lambda: memref.LoadOp(memory, [3]), TypeError,
     "indices[0] must be an SSA value, but is 3: a number can only become a constant where an "
     "ImplicitBuilder is active to insert it"),
    (lambda: memref.AllocOp(), TypeError, "AllocOp() missing required argument: 'memref'"),
    (lambda: gpu.AllocOp(memref=5), TypeError, "memref must be the result's type, but is 5"),
    (lambda: gpu.LaunchOp(async_token=True), TypeError,
     "LaunchOp() missing required arguments: 'grid_size_x', 'grid_size_y', 'grid_size_z', "
     "'block_size_x', 'block_size_y', 'block_size_z'"),
    (lambda: gpu.ModuleOp(sym_name=3), TypeError,
     "sym_name must be an attribute (string attribute) or a str, but is int 3"),
    (lambda: llvm.MlirAddressofOp(global_name="a::b", res=llvm.LLVMPointerType()), ValueError,
     "global_name must be one symbol, but is 'a::b'"),
    (lambda: gpu.ThreadIdOp(dimension="x", upper_bound=2.5), TypeError,
     "upper_bound must be an attribute (index attribute) or an int, but is float 2.5"),
    (lambda: gpu.BarrierOp(1), TypeError,
     "BarrierOp() takes 0 positional arguments but 1 was given"),
    (lambda: gpu.ThreadIdOp(dimension=3), TypeError,
     "dimension must be an attribute (a dimension, either 'x', 'y', or 'z') or a keyword, but is "
     "int 3"),
    (lambda: arith.CmpiOp(i64_value, i64_value, predicate=2.5), TypeError,
     "predicate must be an attribute (allowed 64-bit signless integer cases: 0, 1, 2, 3, 4, 5, 6, "
     "7, 8, 9) or a keyword or an int, but is float 2.5"),
    (lambda: gpu.BarrierOp(attributes={"note": b"x"}), TypeError,
     "attributes['note'] must be an attribute, but is bytes b'x'"),
    (lambda: cf.BrOp(dest=3), TypeError, "dest must be a Block, but is 3"),
]  # fmt: skip


@pytest.mark.parametrize(("make", "kind", "message"), MISTAKES, ids=[m[2][:30] for m in MISTAKES])
def test_mistakes_name_the_argument(make: object, kind: type[Exception], message: str) -> None:
    with pytest.raises(kind) as caught:
        make()  # pyright: ignore
    assert str(caught.value) == message


@pytest.mark.parametrize("dialect", DIALECTS)
def test_descriptions(dialect: str) -> None:
    """Docstring, signature and xDSL's definition of each operation say the same names."""
    for mlir in operation_exports(dialect).values():
        cls = ods.op_class(mlir)
        text = inspect.getdoc(cls)
        assert text is not None
        assert text.startswith(f"MLIR's operation `{mlir}`.")
        for name in inspect.signature(cls).parameters:
            assert name in ("attributes", "location") or f"    {name}: " in text
        definition = cls.get_irdl_definition()
        assert definition.name == mlir
        assert len(definition.operands) == len(cls.spec.operands)


def test_docstring_of_wait() -> None:
    assert inspect.getdoc(gpu.WaitOp) == (
        "MLIR's operation `gpu.wait`.\n\n"
        "Operands:\n    async_dependencies: async token type (any number)\n\n"
        "Results:\n    async_token: async token type (optional); True or its type to have it\n\n"
        "Besides `attributes`, a mapping of the names of more attributes, and `location`.\n\n"
        "Syntax: `wait custom<AsyncDependencies>(type($asyncToken), $asyncDependencies) attr-dict`"
    )


# --- as xDSL's ---------------------------------------------------------------------------------


def test_implicit_builder_sees_all_operations() -> None:
    region = Region(Block())
    with ImplicitBuilder(region):
        gpu.WaitOp(async_token=True)
        ods.create("gpu.barrier")
        gpu.BarrierOp.create()
    assert [op.name for op in region.block.ops] == ["gpu.wait", "gpu.barrier", "gpu.barrier"]
    ods.create("gpu.barrier")
    assert len(region.block.ops) == 3


def test_implicit_builder_that_is_active_when_we_are_imported() -> None:
    code = (
        "from xdsl.builder import ImplicitBuilder; from xdsl.ir import Block\n"
        "block = Block()\n"
        "with ImplicitBuilder(block):\n"
        "    from xgpu.dialects import gpu\n"
        "    gpu.BarrierOp()\n"
        "gpu.BarrierOp()\n"
        "print(len(block.ops))"
    )
    done = processes.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "1\n"


def test_slices_know_their_types() -> None:
    token = gpu.WaitOp(async_token=True)
    wait = gpu.WaitOp([token, token, token], async_token=True)
    for part in (wait.operands[1:], wait.results[:1], wait.results[:1][:1]):
        assert isinstance(part, SSAValues)
        assert set(part.types) == {gpu.AsyncTokenType()}
    assert wait.async_dependencies.types == (gpu.AsyncTokenType(),) * 3
    assert wait.results[-1] is wait.async_token


def test_verify_raises_what_both_know() -> None:
    bad = gpu.AllocOp(memref=i32)
    with pytest.raises(VerifyException, match=r"'gpu.alloc' op result #0 must be memref") as caught:
        bad.verify()
    assert isinstance(caught.value, DiagnosticError)
    assert caught.value.diagnostics[0].location is bad.location
    outer = scf.ExecuteRegionOp(region=Region(Block([bad])))
    with pytest.raises(VerifyException, match=r"'gpu.alloc' op result #0"):
        outer.verify()


def test_irdl() -> None:
    assert issubclass(gpu.WaitOp, IRDLOperation)
    definition = gpu.WaitOp.get_irdl_definition()
    assert [name for name, _ in definition.operands] == ["async_dependencies"]
    assert isinstance(definition.operands[0][1], VarOperandDef)
    built = gpu.WaitOp.build(operands=[[]], result_types=[[gpu.AsyncTokenType()]])
    built.verify()
    with pytest.raises(VerifyException):
        definition.operands[0][1].constr.verify((i32,), None)  # pyright: ignore


def test_copies() -> None:
    token = gpu.WaitOp(async_token=True)
    wait = gpu.WaitOp([token], attributes={"note": UnitAttr()})
    block = Block([token, wait])
    for copied in (
        wait.clone(),
        copy.deepcopy(wait),
        pickle.loads(pickle.dumps(block)).last_op,
    ):
        assert type(copied) is gpu.WaitOp
        assert copied is not wait
        assert copied.attributes == {"note": UnitAttr()}
        assert copied.async_dependencies.types == (gpu.AsyncTokenType(),)
    assert pickle.loads(pickle.dumps(gpu.DimAttr("x"))) == gpu.DimAttr("x")
    assert copy.deepcopy(nvvm.NVVMTargetAttr()) == nvvm.NVVMTargetAttr()


def test_patterns_and_match() -> None:
    class Erase(RewritePattern):
        @op_type_rewrite_pattern
        def match_and_rewrite(
            self, op: gpu.BarrierOp | gpu.WaitOp, rewriter: PatternRewriter, /
        ) -> None:
            rewriter.erase(op)

    from xdsl.dialects.builtin import ModuleOp

    module = ModuleOp([gpu.BarrierOp(), gpu.WaitOp(), arith.ConstantOp(value=IntegerAttr(1, 32))])
    PatternRewriteWalker(Erase()).rewrite_module(module)
    assert [op.name for op in module.body.block.ops] == ["arith.constant"]

    def what(op: Operation) -> str:
        match op:
            case gpu.WaitOp(async_token=None):
                return "host waits"
            case gpu.WaitOp():
                return "token"
            case _:
                return "else"

    found = [what(op) for op in (gpu.WaitOp(), gpu.WaitOp(async_token=True), gpu.BarrierOp())]
    assert found == ["host waits", "token", "else"]


def test_stubs_of_a_dialect_without_a_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generate_stubs, "dialects", lambda: ["missing"])
    with pytest.raises(SystemExit, match=r"^xgpu/dialects/missing is missing: docs/howto/"):
        generate_stubs.stubs()
