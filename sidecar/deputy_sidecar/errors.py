"""The errors of requests, as exceptions that map one to one to the wire's error codes.

BackendError
|-- AuthError             the key is missing, wrong, or lacks permission
|-- RateLimitedError      too many requests; says when to try again
|-- ContextOverflowError  the conversation is too long for the model
|-- NetworkError          the provider is unreachable, too slow, or closed the connection
|-- BadResponseError      the provider's answer cannot be used
|-- ModelMissingError     the provider does not have the model
|-- BadSettingsError      the backend's name or settings are wrong
`-- InternalError         an error in the sidecar or in a backend file

Each message says what was tried, why it failed and what to do next. It is shown to users unchanged.
"""

from __future__ import annotations

import os
import traceback
from typing import TYPE_CHECKING, ClassVar, Final

import msgspec

if TYPE_CHECKING:
    from types import TracebackType

    from deputy_sidecar.models import PlanErrorCode, Usage

__all__ = [
    "UNREADABLE",
    "AuthError",
    "BackendError",
    "BadResponseError",
    "BadSettingsError",
    "ContextOverflowError",
    "InternalError",
    "ModelMissingError",
    "NetworkError",
    "RateLimitedError",
    "fault_in_file",
]

# The errors of JSON decoding: msgspec leaves invalid UTF-8 and excessive depth to Python's own errors.
UNREADABLE: Final = (msgspec.DecodeError, UnicodeError, RecursionError)


class BackendError(Exception):
    """A request that failed. Raise one of the subclasses."""

    code: ClassVar[PlanErrorCode] = "internal"

    def __init__(self, message: str, *, retry_after_secs: float | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.retry_after_secs = retry_after_secs
        # The provider's token count before the failure. None if it sent none.
        self.usage: Usage | None = None


class AuthError(BackendError):
    """The key is missing, wrong, or lacks permission."""

    code = "auth"


class RateLimitedError(BackendError):
    """Too many requests. `retry_after_secs` says when to try again."""

    code = "rate_limited"


class ContextOverflowError(BackendError):
    """The conversation is too long for the model."""

    code = "context_overflow"


class NetworkError(BackendError):
    """The provider is unreachable, too slow, or closed the connection."""

    code = "network"


class BadResponseError(BackendError):
    """The provider's answer cannot be used."""

    code = "bad_response"


class ModelMissingError(BackendError):
    """The provider does not have the model."""

    code = "model_missing"


class BadSettingsError(BackendError):
    """The backend's name or settings are wrong."""

    code = "bad_settings"


class InternalError(BackendError):
    """An error in the sidecar or in a backend file."""

    code = "internal"


def fault_in_file(error: BaseException, path: str) -> str:
    """Describes `error` by the last position in `path` that it passed through: `file, line N: Type: text`."""
    if isinstance(error, SyntaxError) and error.filename is not None:
        return f"{error.filename}, line {error.lineno}: {type(error).__name__}: {error.msg}"
    line = _last_line_in(error.__traceback__, path)
    place = path if line is None else f"{path}, line {line}"
    return f"{place}: {type(error).__name__}: {error}"


def _last_line_in(trace: TracebackType | None, path: str) -> int | None:
    wanted = os.path.realpath(path)
    line = None
    for frame in traceback.extract_tb(trace):
        if os.path.realpath(frame.filename) == wanted:
            line = frame.lineno
    return line
