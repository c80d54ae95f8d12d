# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from llvmlite.binding import ffi as ffi
from llvmlite.binding.context import ContextRef as ContextRef
from llvmlite.binding.context import create_context as create_context
from llvmlite.binding.module import ModuleRef as ModuleRef
from llvmlite.binding.module import parse_assembly as parse_assembly
from llvmlite.binding.module import parse_bitcode as parse_bitcode
from llvmlite.binding.newpassmanagers import (
    FunctionPassManager as FunctionPassManager,
)
from llvmlite.binding.newpassmanagers import (
    ModulePassManager as ModulePassManager,
)
from llvmlite.binding.newpassmanagers import (
    PassBuilder as PassBuilder,
)
from llvmlite.binding.newpassmanagers import (
    PipelineTuningOptions as PipelineTuningOptions,
)
from llvmlite.binding.newpassmanagers import (
    create_new_function_pass_manager as create_new_function_pass_manager,
)
from llvmlite.binding.newpassmanagers import (
    create_new_module_pass_manager as create_new_module_pass_manager,
)
from llvmlite.binding.newpassmanagers import (
    create_pass_builder as create_pass_builder,
)
from llvmlite.binding.newpassmanagers import (
    create_pipeline_tuning_options as create_pipeline_tuning_options,
)
from llvmlite.binding.object_file import ObjectFileRef as ObjectFileRef
from llvmlite.binding.orcjit import LLJIT as LLJIT
from llvmlite.binding.orcjit import JITLibraryBuilder as JITLibraryBuilder
from llvmlite.binding.orcjit import ResourceTracker as ResourceTracker
from llvmlite.binding.orcjit import create_lljit_compiler as create_lljit_compiler
from llvmlite.binding.targets import (
    Target as Target,
)
from llvmlite.binding.targets import (
    TargetMachine as TargetMachine,
)
from llvmlite.binding.targets import (
    get_host_cpu_features as get_host_cpu_features,
)
from llvmlite.binding.targets import (
    get_host_cpu_name as get_host_cpu_name,
)
from llvmlite.binding.value import Linkage as Linkage
from llvmlite.binding.value import ValueRef as ValueRef

llvm_version_info: tuple[int, ...]

def initialize_all_targets() -> None: ...
def initialize_all_asmprinters() -> None: ...
def initialize_native_target() -> None: ...
def initialize_native_asmprinter() -> None: ...
def initialize_native_asmparser() -> None: ...
def set_option(name: str, option: str) -> None: ...
