"""Loads a user's backend file and runs it on its own thread, so that a blocking backend does not block the others."""

from __future__ import annotations

import asyncio
import importlib.util
import sys
import threading
from collections.abc import AsyncIterator, Coroutine, Mapping
from typing import Any, TypeVar

import msgspec

from deputy_sidecar.backend import Conversation, Embedding
from deputy_sidecar.errors import BackendError, InternalError, fault_in_file
from deputy_sidecar.models import AgentPlan, CompleteReply, PlanReply

__all__ = ["UserBackend"]

T = TypeVar("T")
_MEMBERS = ("name", "configure", "plan")
_END = object()
# The maximum number of pieces that a backend may be ahead of the server.
MAX_WAITING_PIECES = 16


class UserBackend:
    """A user's backend with the same interface as the shipped ones."""

    def __init__(self, name: str, path: str) -> None:
        self.name = name
        self._path = path
        self._inner: Any = None
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._serve, name=f"backend-{name}", daemon=True)

    @classmethod
    async def load(cls, name: str, path: str, settings: Mapping[str, Any]) -> UserBackend:
        """Imports the file, instantiates the class and configures it."""
        backend = cls(name, path)
        backend._thread.start()
        try:
            await backend._call(backend._prepare(settings))
        except BaseException:
            await backend.close()
            raise
        return backend

    def configure(self, settings: Mapping[str, Any]) -> None:
        """Does nothing: `load` configures the backend on its thread."""

    async def plan(self, request: Conversation) -> AsyncIterator[str | AgentPlan | PlanReply]:
        """Passes on what the backend yields."""
        here = asyncio.get_running_loop()
        queue: asyncio.Queue[object] = asyncio.Queue(MAX_WAITING_PIECES)

        async def put(item: object) -> None:
            """Waits for room. A backend that yields endlessly would otherwise fill the memory."""
            await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(queue.put(item), here))

        async def pump() -> None:
            try:
                pieces = self._inner.plan(request)
                if not hasattr(pieces, "__aiter__"):
                    raise TypeError("`plan` must be an async generator: `async def plan(self, request)` with `yield`")
                async for item in pieces:
                    await put(item)
                await put(_END)
            except asyncio.CancelledError:
                raise
            except BaseException as error:
                # Includes `sys.exit`, which would end the thread and leave the request without a reply.
                await put(error)

        running = asyncio.run_coroutine_threadsafe(pump(), self._loop)
        try:
            while (item := await queue.get()) is not _END:
                if isinstance(item, BaseException):
                    raise self._told(item)
                yield self._checked_piece(item)
        finally:
            running.cancel()

    async def complete(self, system: str, prompt: str) -> CompleteReply:
        """Completes a single prompt."""
        reply = await self._call(self._member("complete")(system, prompt))
        return CompleteReply(text=reply) if isinstance(reply, str) else self._checked(reply, CompleteReply)

    async def embed(self, texts: list[str]) -> Embedding:
        """Returns a vector for each text."""
        return self._checked(await self._call(self._member("embed")(texts)), Embedding)

    async def models(self) -> list[str]:
        """Returns the names of the backend's models. Empty if its class does not list any."""
        if getattr(self._inner, "models", None) is None:
            return []
        return self._checked(await self._call(self._member("models")()), list[str])

    async def close(self) -> None:
        """Stops the thread once its current work is done."""
        self._loop.call_soon_threadsafe(self._loop.stop)

    def _serve(self) -> None:
        self._loop.run_forever()
        self._loop.close()

    async def _call(self, work: Coroutine[Any, Any, T]) -> T:
        async def guarded() -> T:
            try:
                return await work
            except (SystemExit, KeyboardInterrupt) as error:
                raise self._told(error) from None

        try:
            return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(guarded(), self._loop))
        except Exception as error:
            raise self._told(error) from None

    async def _prepare(self, settings: Mapping[str, Any]) -> None:
        module_name = f"deputy_user_backend_{self.name}"
        spec = importlib.util.spec_from_file_location(module_name, self._path)
        if spec is None or spec.loader is None:
            raise ImportError(f"{self._path} is not a Python file")
        module = importlib.util.module_from_spec(spec)
        # Data classes and pickles look up their module by name.
        sys.modules[module_name] = module
        spec.loader.exec_module(module)
        classes = [
            value
            for value in vars(module).values()
            if isinstance(value, type)
            and value.__module__ == module_name
            and all(hasattr(value, member) for member in _MEMBERS)
        ]
        if len(classes) != 1:
            found = ", ".join(each.__name__ for each in classes) or "none"
            raise InternalError(
                f"{self._path} must hold exactly one class with the members `name`, `configure` and `plan`; "
                f"found: {found}. See docs/backends.md for an example to start from."
            )
        self._inner = classes[0]()
        self._inner.configure(dict(settings))

    def _member(self, name: str) -> Any:
        member = getattr(self._inner, name, None)
        if member is None:
            raise InternalError(
                f"Backend {self.name!r} cannot do this: its class in {self._path} has no `async def {name}`. "
                "Add it, or choose another backend with `deputy config set backend NAME`."
            )
        return member

    def _checked_piece(self, item: object) -> str | AgentPlan | PlanReply:
        if isinstance(item, str):
            return item
        return self._checked(item, PlanReply) if isinstance(item, PlanReply) else self._checked(item, AgentPlan)

    def _checked(self, value: object, shape: type[T]) -> T:
        """Validates a value by encoding it, because Python does not check types."""
        try:
            return msgspec.json.decode(msgspec.json.encode(value), type=shape)
        except (msgspec.MsgspecError, TypeError, ValueError) as error:
            raise InternalError(
                f"Backend {self.name!r} ({self._path}) answered with a {type(value).__name__} that is no "
                f"{getattr(shape, '__name__', shape)}: {error}. Fix the file; the next request reloads it."
            ) from error

    def _told(self, error: BaseException) -> BackendError:
        if isinstance(error, BackendError):
            return error
        return InternalError(
            f"Backend {self.name!r} failed in {fault_in_file(error, self._path)}. "
            "Fix the file; the next request reloads it."
        )
