"""The encoding of a conversation for chat completions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from deputy_sidecar.backend import ToolCall, ToolMessage
from deputy_sidecar.models import MessagePicture
from deputy_sidecar.provider.transcript import NO_RESULT, Dialect, encode, wire_call_id, wire_name

__all__ = ["ChatDialect", "tool_spec"]


class ChatDialect(Dialect):
    """Messages with roles. Each result is its own message."""

    def system(self, text: str) -> bytes:
        """The system prompt as the first message."""
        return encode({"role": "system", "content": text})

    def user(self, text: str, pictures: Sequence[MessagePicture] = ()) -> bytes:
        """A user message: text, or a list of parts if there are pictures."""
        if not pictures:
            return encode({"role": "user", "content": text})
        shown = [
            {"type": "image_url", "image_url": {"url": f"data:{each.media_type};base64,{each.base64}"}}
            for each in pictures
        ]
        return encode({"role": "user", "content": [{"type": "text", "text": text}, *shown]})

    def assistant(self, text: str, calls: Sequence[ToolCall], state: Any) -> bytes:
        """The model's text and calls in a single message."""
        if not calls:
            return encode({"role": "assistant", "content": text})
        return encode({"role": "assistant", "content": text or None, "tool_calls": [_call(call) for call in calls]})

    def result(self, call_id: str, message: ToolMessage, content: str) -> bytes:
        """A result as a message with the role `tool`."""
        return encode({"role": "tool", "tool_call_id": call_id, "content": content})

    def no_result(self, call_id: str, tool: str) -> bytes:
        """A message that says that a call has no result."""
        return encode({"role": "tool", "tool_call_id": call_id, "content": NO_RESULT})


def _call(call: ToolCall) -> dict[str, Any]:
    function = {"name": wire_name(call.tool), "arguments": encode(call.parameters).decode()}
    return {"id": wire_call_id(call.id), "type": "function", "function": function}


def tool_spec(name: str, description: str, parameters: Any) -> dict[str, Any]:
    """Encodes a tool."""
    return {"type": "function", "function": {"name": name, "description": description, "parameters": parameters}}
