"""Why a request was not answered, as exceptions that map one to one to the wire's error codes.

BackendError
|-- AuthError             the key is missing, wrong, or may not do this
|-- RateLimitedError      too many requests; says when to come back
|-- ContextOverflowError  the conversation is too long for the model
|-- NetworkError          the provider cannot be reached, is too slow, or broke off
|-- BadResponseError      the provider's answer cannot be used
|-- ModelMissingError     the provider does not have the model
|-- BadSettingsError      the backend's name or settings are wrong
`-- InternalError         a fault in the sidecar or in a backend file

The text of each says what was tried, why it failed and what to do next: it is shown to people as it is.
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

# What decoding JSON fails with: msgspec leaves bad UTF-8 and depth to Python's own errors.
UNREADABLE: Final = (msgspec.DecodeError, UnicodeError, RecursionError)


class BackendError(Exception):
    """A request that was not answered; raise one of the subclasses."""

    code: ClassVar[PlanErrorCode] = "internal"

    def __init__(self, message: str, *, retry_after_secs: float | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.retry_after_secs = retry_after_secs
        # What the provider counted before it failed; nothing where it counted nothing.
        self.usage: Usage | None = None


class AuthError(BackendError):
    """The key is missing, wrong, or may not do this."""

    code = "auth"


class RateLimitedError(BackendError):
    """Too many requests; `retry_after_secs` says when to come back."""

    code = "rate_limited"


class ContextOverflowError(BackendError):
    """The conversation is too long for the model."""

    code = "context_overflow"


class NetworkError(BackendError):
    """The provider cannot be reached, is too slow, or broke off."""

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
    """A fault in the sidecar or in a backend file."""

    code = "internal"


def fault_in_file(error: BaseException, path: str) -> str:
    """Describes `error` by the last place in `path` that it came through: `file, line N: Type: text`."""
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
