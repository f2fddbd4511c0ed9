"""JSON-RPC 2.0: parses incoming lines and encodes outgoing ones."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from deputy_sidecar.models import PlanErrorData

__all__ = [
    "BACKEND_FAILED",
    "INVALID_PARAMS",
    "INVALID_REQUEST",
    "METHOD_NOT_FOUND",
    "NOT_HELD",
    "PARSE_ERROR",
    "Incoming",
    "RequestId",
    "decode_incoming",
    "encode_error",
    "encode_notification",
    "encode_result",
]

PARSE_ERROR: Final = -32700
INVALID_REQUEST: Final = -32600
METHOD_NOT_FOUND: Final = -32601
INVALID_PARAMS: Final = -32602
BACKEND_FAILED: Final = -32000
NOT_HELD: Final = -32001

RequestId = int | str | None

_NO_PARAMS = msgspec.Raw(b"{}")


class Incoming(msgspec.Struct):
    """A request, or a notification if `id` is missing. The parameters stay raw until the method is known."""

    method: str
    id: int | msgspec.UnsetType = msgspec.UNSET
    params: msgspec.Raw = _NO_PARAMS


class _Error(msgspec.Struct):
    code: int
    message: str
    data: PlanErrorData


class _Result(msgspec.Struct):
    jsonrpc: str
    id: RequestId
    result: Any


class _Failure(msgspec.Struct):
    jsonrpc: str
    id: RequestId
    error: _Error


class _Notification(msgspec.Struct):
    jsonrpc: str
    method: str
    params: Any


_decoder = msgspec.json.Decoder(Incoming)
_encode = msgspec.json.Encoder().encode


def decode_incoming(line: bytes) -> Incoming:
    """Parses a line. Raises `msgspec.DecodeError` (not JSON) or `msgspec.ValidationError` (not a request)."""
    return _decoder.decode(line)


def encode_result(request_id: RequestId, result: Any) -> bytes:
    """Encodes a successful reply."""
    return _encode(_Result("2.0", request_id, result)) + b"\n"


def encode_error(request_id: RequestId, number: int, message: str, data: PlanErrorData) -> bytes:
    """Encodes an error reply."""
    return _encode(_Failure("2.0", request_id, _Error(number, message, data))) + b"\n"


def encode_notification(method: str, params: Any) -> bytes:
    """Encodes a notification."""
    return _encode(_Notification("2.0", method, params)) + b"\n"
