# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from llvmlite.binding.ffi import ObjectRef
from llvmlite.binding.module import ModuleRef
from llvmlite.binding.targets import TargetMachine

class PipelineTuningOptions(ObjectRef):
    speed_level: int
    size_level: int
    loop_interleaving: bool
    loop_vectorization: bool
    loop_unrolling: bool
    slp_vectorization: bool

class PassBuilder(ObjectRef):
    def getModulePassManager(self) -> ModulePassManager: ...

class ModulePassManager(ObjectRef):
    def add_global_dead_code_eliminate_pass(self) -> None: ...
    def run(self, module: ModuleRef, pb: PassBuilder) -> None: ...

def create_new_module_pass_manager() -> ModulePassManager: ...
def create_pass_builder(tm: TargetMachine, pto: PipelineTuningOptions) -> PassBuilder: ...
def create_pipeline_tuning_options(speed_level: int = 2) -> PipelineTuningOptions: ...
