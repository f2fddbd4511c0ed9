"""Interprets a provider's refusal: maps the status and error body to the wire's error codes."""

from __future__ import annotations

import email.utils
import re
import time
from collections.abc import Mapping
from typing import Any, Final

import msgspec

from deputy_sidecar.errors import (
    UNREADABLE,
    AuthError,
    BackendError,
    BadResponseError,
    BadSettingsError,
    ContextOverflowError,
    ModelMissingError,
    NetworkError,
    RateLimitedError,
)
from deputy_sidecar.generated import messages as say
from deputy_sidecar.provider.settings import ProviderSettings

__all__ = ["NO_TOOLS", "Refusal", "is_retryable", "retry_after_secs", "to_error"]

LONGEST_QUOTE_CHARS: Final = 300
LONGEST_WAIT_SECS: Final = 366 * 24 * 3600.0

CONTEXT = re.compile(
    r"context.{0,20}(length|window|size|limit)|maximum context|too many tokens|prompt is too long|input is too long"
    r"|exceeds? the (available|maximum)|reduce the length|token limit|request_too_large|context_length_exceeded",
    re.IGNORECASE,
)
MODEL = re.compile(
    r"model.{0,120}(not found|does not exist|not exist|unknown|no such|not available)|no model", re.IGNORECASE
)
QUOTA = re.compile(
    r"insufficient_quota|exceeded your current quota|billing|insufficient (credit|balance|funds)", re.IGNORECASE
)
AUTH = re.compile(
    r"(invalid|incorrect|missing|no).{0,20}(api.?key|authentication|credentials)|unauthorized", re.IGNORECASE
)
# The only missing resource that a provider itself reports is a model.
MODEL_CODES: Final = frozenset({"model_not_found", "not_found_error"})
# How servers say that a model does not support tools: Ollama, llama.cpp, vLLM, OpenRouter and others.
NO_TOOLS = re.compile(
    r"(tool|function)s?.{0,60}(not support|unsupported|not available|requires?)|(not support|unsupported).{0,60}"
    r"(tool|function)|no endpoints.{0,40}tool|tool.choice",
    re.IGNORECASE,
)


# Statuses by error type, for errors in a stream whose own status was a success.
STATUSES: Final = {
    "invalid_request_error": 400,
    "authentication_error": 401,
    "billing_error": 402,
    "permission_error": 403,
    "not_found_error": 404,
    "request_too_large": 413,
    "rate_limit_error": 429,
    "rate_limit_exceeded": 429,
    "overloaded_error": 529,
    "server_error": 500,
    "context_length_exceeded": 400,
    "INVALID_ARGUMENT": 400,
    "PERMISSION_DENIED": 403,
    "RESOURCE_EXHAUSTED": 429,
    "UNAVAILABLE": 503,
}


class Refusal:
    """An error answer: its status and the provider's explanation."""

    def __init__(self, status: int, headers: Mapping[str, str], body: bytes) -> None:
        self.status = status
        self.is_in_stream = False
        self.headers = headers
        self.code, self.message, self._asked_wait = _read_error_body(body)

    @classmethod
    def in_stream(cls, error: object) -> Refusal:
        """Creates a refusal from an error chunk in a stream that began successfully."""
        refusal = cls(500, {}, msgspec.json.encode({"error": error}))
        refusal.is_in_stream = True
        fields = error if isinstance(error, dict) else {}
        for value in (fields.get("code"), fields.get("status"), fields.get("type")):
            number = int(value) if isinstance(value, str) and value.isdigit() else value
            number = STATUSES.get(number) if isinstance(number, str) else number
            if isinstance(number, int) and 400 <= number < 600:
                refusal.status = number
                break
        return refusal

    @property
    def retry_after_secs(self) -> float | None:
        """The wait that the provider asks for, from a header or the body."""
        wait = retry_after_secs(self.headers)
        return self._asked_wait if wait is None else wait

    @property
    def words(self) -> str:
        """The text to search for hints."""
        return f"{self.code} {self.message}"

    @property
    def quote(self) -> str:
        """The provider's explanation, for use in our message."""
        said = " ".join(self.message.split())[:LONGEST_QUOTE_CHARS]
        if self.is_in_stream:
            # The answer had begun with HTTP 200. Its error may have a code, which is not HTTP's.
            return said or self.code or "no reason"
        return f"HTTP {self.status}: {said}" if said else f"HTTP {self.status} without a reason"


def is_retryable(refusal: Refusal) -> bool:
    """Returns whether the same request may succeed soon."""
    if refusal.status == 429:
        return not _is_out_of_credit(refusal)
    if refusal.status == 500 and (CONTEXT.search(refusal.words) or NO_TOOLS.search(refusal.words)):
        # llama.cpp uses this status for requests that it never accepts.
        return False
    return refusal.status in {408, 409, 425} or refusal.status >= 500


def _is_out_of_credit(refusal: Refusal) -> bool:
    """Returns whether waiting is useless.

    Some providers use the same code for limits per minute, but then they say how long to wait.
    """
    return bool(QUOTA.search(refusal.words)) and refusal.retry_after_secs is None


def retry_after_secs(headers: Mapping[str, str]) -> float | None:
    """Returns the wait that the provider asks for, given in seconds or as a date."""
    value = headers.get("retry-after", "").strip()
    milliseconds = headers.get("retry-after-ms", "").strip()
    try:
        if milliseconds:
            wait = float(milliseconds) / 1000
        elif value and (value[0].isdigit() or value[0] == "."):
            wait = float(value)
        elif value:
            wait = email.utils.parsedate_to_datetime(value).timestamp() - time.time()
        else:
            return None
    except (ValueError, OverflowError):
        return None
    # NaN and infinity are floats too.
    return min(max(wait, 0.0), LONGEST_WAIT_SECS) if wait == wait else None


def to_error(refusal: Refusal, settings: ProviderSettings, attempts: int) -> BackendError:
    """Returns an error that says what was tried, why it failed and what to do next."""
    said = refusal.quote
    status, words = refusal.status, refusal.words
    if status in {401, 403} or (status == 400 and AUTH.search(words)):
        key = say.key_refused if settings.api_key else say.no_key
        return AuthError(settings.asked(key(said=said)))
    if status == 402 or _is_out_of_credit(refusal):
        return AuthError(settings.asked(say.account_may_not(said=said)))
    if status == 429:
        return RateLimitedError(
            settings.asked(say.too_many_requests(said=said), attempts), retry_after_secs=refusal.retry_after_secs
        )
    if status == 413 or (status in {400, 422, 500} and CONTEXT.search(words)):
        return ContextOverflowError(settings.asked(say.conversation_too_long(said=said)))
    if (status in {400, 404} and MODEL.search(words)) or refusal.code in MODEL_CODES:
        return ModelMissingError(settings.asked(say.no_such_model(said=said)))
    if status >= 500 or status in {408, 409, 425}:
        return NetworkError(
            settings.asked(say.provider_failed(said=said), attempts), retry_after_secs=refusal.retry_after_secs
        )
    if status in {301, 302, 303, 307, 308, 404, 405}:
        return BadSettingsError(settings.asked(say.wrong_address(address=settings.base_url, said=said)))
    return BadResponseError(settings.asked(say.request_refused(said=said)))


def _read_error_body(body: bytes) -> tuple[str, str, float | None]:
    """Returns the error's code, its message, and the wait that it asks for in seconds."""
    try:
        value: Any = msgspec.json.decode(body)
    except UNREADABLE:
        return "", _visible_text(body), None
    if isinstance(value, list) and value:
        value = value[0]
    error = value.get("error", value) if isinstance(value, dict) else value
    if isinstance(error, dict):
        code = error.get("code") or error.get("type") or ""
        if isinstance(code, int):
            code = error.get("status") or code
        message = error.get("message") or error.get("detail") or error.get("error") or ""
        if not isinstance(message, str):
            message = msgspec.json.encode(message).decode()
        return str(code), message, _wait_in(error.get("details"))
    return "", error if isinstance(error, str) else "", None


def _wait_in(details: object) -> float | None:
    """Parses Google's `RetryInfo`, e.g. `17s`."""
    for each in details if isinstance(details, list) else []:
        delay = each.get("retryDelay") if isinstance(each, dict) else None
        if isinstance(delay, str) and delay.endswith("s"):
            return retry_after_secs({"retry-after": delay[:-1]})
    return None


def _visible_text(body: bytes) -> str:
    """Returns the text of an HTML page, e.g. from a proxy, without tags."""
    text = re.sub(rb"<[^>]{0,500}>", b" ", body[:4096]).decode("utf-8", "replace")
    return "".join(each if each.isprintable() else " " for each in text)
