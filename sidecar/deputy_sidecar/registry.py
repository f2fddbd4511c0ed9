"""Finds backends by name, configures them, and caches the configured ones."""

from __future__ import annotations

import asyncio
import importlib
import os
import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import urlsplit

import msgspec

from deputy_sidecar.backend import Backend
from deputy_sidecar.backends import EMBEDDERS, SHIPPED
from deputy_sidecar.errors import UNREADABLE, BadSettingsError
from deputy_sidecar.generated import messages as say
from deputy_sidecar.redaction import Redactor
from deputy_sidecar.user_backend import UserBackend

__all__ = ["RawBackendRef", "Registry"]

# The name becomes a file name, so it can contain neither a slash nor a dot.
VALID_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*", re.ASCII)
# Usually there is a single backend with a few models. Evicted ones are configured again on their next use.
MOST_CONFIGURED = 16


class RawBackendRef(msgspec.Struct):
    """A `BackendRef` with raw settings. Their bytes are the cache key of the configured backend."""

    name: str
    settings: msgspec.Raw = msgspec.Raw(b"{}")


class Registry:
    """The available backends."""

    def __init__(self, backends_dir: str, keys: Mapping[str, str], redactor: Redactor) -> None:
        self._backends_dir = backends_dir
        self._keys = dict(keys)
        self._redactor = redactor
        self._entries: dict[tuple[str, bytes, int], _Entry] = {}

    def names(self) -> list[str]:
        """Returns the names of the shipped backends, then the user's by file name."""
        try:
            files = sorted(os.listdir(self._backends_dir)) if self._backends_dir else []
        except OSError:
            # Without the folder, the user has no backends of their own.
            files = []
        own = [file[:-3] for file in files if file.endswith(".py") and VALID_NAME.fullmatch(file[:-3])]
        taken = (*SHIPPED, *EMBEDDERS)
        return [*SHIPPED, *(name for name in own if name not in taken)]

    @asynccontextmanager
    async def use(self, ref: RawBackendRef) -> AsyncIterator[Backend]:
        """Yields the configured backend for one request. A user's file is loaded again if it has changed."""
        path, version = "", 0
        if ref.name not in SHIPPED and ref.name not in EMBEDDERS:
            path = os.path.join(self._backends_dir, f"{ref.name}.py")
            version = self._version_of(ref.name, path)
        key = (ref.name, bytes(ref.settings), version)
        entry = self._entries.get(key)
        if entry is None:
            await self._make_room(ref.name, version)
            entry = self._entries[key] = _Entry(asyncio.ensure_future(self._configure(ref, path)))
        entry.users += 1
        try:
            # Shielded, because other requests may wait for the same backend when this one is cancelled.
            yield await asyncio.shield(entry.backend)
        finally:
            entry.users -= 1
            if entry.has_failed and self._entries.get(key) is entry:
                del self._entries[key]

    def preload(self) -> None:
        """Imports what the backends with a key need. Called when no request is waiting."""
        for name in SHIPPED:
            if name in self._keys:
                preload = getattr(_shipped_module(name), "preload", None)
                if preload is not None:
                    preload()

    async def close(self) -> None:
        """Closes the connections of all backends."""
        entries, self._entries = list(self._entries.values()), {}
        for entry in entries:
            await entry.close()

    def _version_of(self, name: str, path: str) -> int:
        if VALID_NAME.fullmatch(name):
            try:
                return os.stat(path).st_mtime_ns
            except OSError:
                pass
        names = ", ".join(self.names())
        raise BadSettingsError(say.no_backend(name=repr(name), path=path, names=names))

    async def _configure(self, ref: RawBackendRef, path: str) -> Backend:
        settings = _decode_settings(ref)
        # Keys only come from `initialize`. A key in a settings file must not work by accident.
        settings.pop("api_key", None)
        if ref.name in self._keys:
            settings["api_key"] = self._keys[ref.name]
        headers = settings.get("extra_headers")
        if isinstance(headers, dict):
            for value in headers.values():
                self._redactor.add(str(value))
        self._redactor.add(_password_in(settings.get("base_url")))
        if path:
            return await UserBackend.load(ref.name, path, settings)
        backend: Backend = _shipped_module(ref.name).create()
        backend.configure(settings)
        return backend

    async def _make_room(self, name: str, version: int) -> None:
        idle = [key for key, entry in self._entries.items() if not entry.users]
        outdated = [key for key in idle if key[0] == name and key[2] != version]
        surplus = idle[: max(0, len(self._entries) + 1 - MOST_CONFIGURED)]
        entries = [self._entries.pop(key) for key in dict.fromkeys([*outdated, *surplus])]
        for entry in entries:
            await entry.close()


class _Entry:
    """A backend that is configured or being configured, and the number of requests that use it."""

    def __init__(self, backend: asyncio.Future[Backend]) -> None:
        self.backend = backend
        self.users = 0

    @property
    def has_failed(self) -> bool:
        """Whether the configuration failed. The next request tries again."""
        return self.backend.done() and (self.backend.cancelled() or self.backend.exception() is not None)

    async def close(self) -> None:
        """Closes the backend's connections, if it has any."""
        if not self.backend.done():
            self.backend.cancel()
        elif not self.has_failed:
            close = getattr(self.backend.result(), "close", None)
            if close is not None:
                await close()


def _decode_settings(ref: RawBackendRef) -> dict[str, Any]:
    try:
        return msgspec.json.decode(ref.settings, type=dict[str, Any])
    except UNREADABLE as error:
        raise BadSettingsError(say.settings_no_object(name=repr(ref.name), error=error)) from error


def _password_in(url: object) -> str:
    try:
        return urlsplit(url).password or "" if isinstance(url, str) else ""
    except ValueError:
        return ""


def _shipped_module(name: str) -> Any:
    return importlib.import_module(f"deputy_sidecar.backends.{name}")
