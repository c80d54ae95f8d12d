# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Host programs whose functions are called, one after the other, as often as one likes."""

from __future__ import annotations

import threading
import weakref
from collections import deque
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from xgpu.api import profiling
from xgpu.api.devices.interface import Backend
from xgpu.api.loaded import Loaded
from xgpu.api.memory import View
from xgpu.core.ir.errors import ArgumentValueError, DeviceError, UsageError
from xgpu.core.support.forks import new_rlock
from xgpu.driver.host_source import LoweredProgram
from xgpu.runtime.session import Session

if TYPE_CHECKING:
    from xgpu.driver.engine import HostProgram
    from xgpu.host_device.device.arrays import ArrayFacts


class Program:
    """The host program of a module on a device of its own: started by the first call, ended when
    the module is closed. Calls of one program take turns; programs run beside each other.
    """

    def __init__(self, loaded: Loaded) -> None:
        self.loaded = loaded
        self._backend: Backend = loaded.backend
        self.lock = new_rlock()
        self._engine: HostProgram | None = None
        self._device: Any = None
        self._session: Any = None
        self._broken: str | None = None
        self._ending: Any = None
        self._garbage: deque[int] = deque()
        self._elsewhere: tuple[Backend, Program] | None = None
        #: How often a function has been called; a call that goes on from the one before it holds
        #: `lock` and looks whether there was another.
        self.calls = 0
        # The thread that runs a function; what that calls back may use the program no further.
        self._running = 0

    def on(self, backend: Backend) -> Program:
        """The same program on another device that takes the same code; it ends with this one."""
        self._check_outside()
        with self.lock:
            found = self._elsewhere
            if found is None or found[0] is not backend:
                if found is not None:
                    found[1].close()
                found = self._elsewhere = backend, Program(self.loaded.on(backend))
            return found[1]

    def _check_outside(self) -> None:
        """Raise `UsageError` in what a function of the program calls back."""
        if self._running == threading.get_ident():
            raise UsageError("the program is running: what it calls back cannot call or close it")

    def _free_garbage(self) -> None:
        """Give back the memory of results that nothing uses any more."""
        while self._garbage:
            self._device.mgpuMemFree(self._garbage.popleft(), 0)

    def engine(self) -> HostProgram:
        """The program, compiled and started."""
        self._check_outside()
        with self.lock:
            if self.loaded.closed:
                raise ArgumentValueError("the module is closed")
            if self._broken is not None:
                raise DeviceError(self._broken)
            if self._engine is None:
                self._start()
            assert self._engine is not None
            return self._engine

    def _start(self) -> None:
        from xgpu.driver.engine import HostProgram
        from xgpu.host_device.native.signals import hold_faults

        hold_faults()
        session = Session()
        session.output = self.loaded.output
        source = self.loaded.source
        session.text = source if isinstance(source, str) else None
        if session.text is not None:
            self._backend.name_source(self.loaded.filename, session.text)
        device = self._backend.program_device(session, self.loaded.bounds)
        profiling.register(session, device)
        engine = HostProgram(
            self._lowered(), None, "auto", session=session, device=device,
            opt_level=self.loaded.options.opt_level, libraries=self.loaded.libraries, lasting=True,
        )  # fmt: skip
        self._session, self._device = session, device
        try:
            self._guarded(engine.begin)
        except BaseException:
            self._device = None
            device.close()
            raise
        self._engine = engine
        # No `__del__`: where the collector of cycles comes, the engine's code would be gone before.
        backend = self._backend
        self._ending = weakref.finalize(self, lambda: backend.later(lambda: _end(engine, device)))
        self._ending.atexit = False

    def _lowered(self) -> LoweredProgram:
        program = self.loaded.built.program
        assert program is not None  # a function of the program is called
        return program

    def _guarded(self, call: Any) -> None:
        """Call something that may fail; what has failed is forgotten when it has been raised."""
        problem: BaseException | None = None
        try:
            call()
        except BaseException as raised:
            problem = raised
        try:
            self._backend.wait_for_program(self._device)
        except DeviceError as late:
            problem = problem or late
        problem = problem or self._session.error
        self._session.error = None
        self._session.flag.value = 0
        if problem is not None:
            raise problem

    @property
    def graph_functions(self) -> frozenset[str]:
        """Functions that do nothing but launch a graph, where that can be done without them."""
        return self._lowered().graph_functions

    @property
    def straight_functions(self) -> frozenset[str]:
        """Functions that come to their end soon but for waits that Ctrl-C ends."""
        return self._lowered().straight_functions

    def graph_launcher(self) -> Callable[[], bool] | None:
        """See `Backend.graph_launcher`; for the graph that the last call has launched."""
        return self._backend.graph_launcher(self._device)

    def call(
        self, name: str, slots: int, views: Sequence[View], then: Callable[[], None],
        arrays: Sequence[ArrayFacts] = (),
    ) -> None:  # fmt: skip
        """Call a function that gets the arrays of `views`, in a thread with a stack that deep
        programs fit in; wait for what it has given the device; and do `then`, before another caller
        calls the program. The bounds of `arrays` are checked in its kernels."""
        self._check_outside()
        with self.lock:
            self.calls += 1
            self._call(name, slots, views, arrays)
            then()

    def _call(
        self, name: str, slots: int, views: Sequence[View], arrays: Sequence[ArrayFacts]
    ) -> None:
        from xgpu.runtime.program_threads import run_in_thread

        with self.lock:
            engine = self.engine()
            self._free_garbage()
            self._wait_for_arrays(views)
            self._backend.lend(views)

            def work() -> None:
                self._running = threading.get_ident()
                try:
                    with self._device.entered(), self._backend.working_on(self._device, arrays):
                        self._guarded(lambda: engine.invoke(name, slots))
                finally:
                    self._running = 0

            if threading.current_thread() is not threading.main_thread():
                work()
            elif name in self.straight_functions:
                self._run_here(work)
            else:
                run_in_thread(work, self._interrupted)

    def _run_here(self, work: Callable[[], None]) -> None:
        """Run what only waits where Ctrl-C ends it, in the caller's thread."""
        from xgpu.host_device.native import signals

        signals.listen()
        before = signals.count()
        problem: BaseException | None = None
        self._device.set_polls(True)
        try:
            work()
        except BaseException as raised:
            problem = raised
        finally:
            self._device.set_polls(False)
        # Of a callback of native code it goes no further.
        late = signals.is_wanted(before, threading.get_ident())
        if late or isinstance(problem, KeyboardInterrupt):
            ended = threading.Event()
            ended.set()
            self._interrupted(ended)
            raise KeyboardInterrupt
        if problem is not None:
            raise problem

    def _wait_for_arrays(self, views: Sequence[View]) -> None:
        """Wait for what callers who named no stream have given the device, and for the streams in
        which other libraries write these arrays: a program's own streams wait for neither."""
        backend = self._backend
        if not backend.stream_done(0):
            backend.stream_synchronize(0)
        for stream in {view.stream for view in views if view.stream}:
            event = backend.event_create()
            try:
                backend.event_record(event, stream)
                backend.event_synchronize(event)
            finally:
                backend.event_destroy_later(event)

    def _interrupted(self, finished: threading.Event) -> None:
        """Ctrl-C: the function may still be running, with the caller's arrays."""
        from xgpu.runtime.program_threads import end_running

        self._broken = "the program was interrupted, and cannot be called any more"
        self._ending.detach()
        self._session.fail("interrupted")
        end_running(self._device, finished)

    def take(self, address: int) -> Any:
        """What gives memory back that the program has allocated; None if it has not."""
        if not address or self._engine is None:
            return None
        if self._backend.owned_by_program(self._device, address) is not None:
            # Objects die at any time, in any thread, also in one that this device waits for.
            return lambda _: self._garbage.append(address)
        heap: Any = self._engine.heap
        if heap.size_at(address) is not None:
            return lambda _: heap.release_one(address)
        return None

    def is_device_memory(self, address: int) -> bool:
        return self._backend.owned_by_program(self._device, address) is not None

    def new_token(self) -> int:
        """An event that is over."""
        return self._device.mgpuEventCreate()

    def drop_token(self, event: int) -> None:
        self._device.mgpuEventDestroy(event)

    def finish_token(self, event: int) -> None:
        """Wait for a token that a function gave, and drop it."""
        if event:
            self._device.mgpuEventSynchronize(event)
            self._device.mgpuEventDestroy(event)

    def close(self) -> None:
        self._check_outside()
        with self.lock:
            self.calls += 1
            if self._elsewhere is not None:
                self._elsewhere[1].close()
                self._elsewhere = None
            engine, self._engine = self._engine, None
            broken, self._broken = self._broken, self._broken or "the module is closed"
            if self._ending is not None:
                self._ending.detach()
            if broken is not None or self._device is None:
                return
            try:
                if engine is not None:
                    self._free_garbage()
            finally:
                _end(engine, self._device)


def _end(engine: HostProgram | None, device: Any) -> None:
    """End a program that has been started, and give back what it has."""
    try:
        if engine is not None:
            engine.end()
    finally:
        device.close()
