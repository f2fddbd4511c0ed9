"""Puts a streamed answer together, however the provider cuts it into pieces."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final

import msgspec

from deputy_sidecar.errors import UNREADABLE

__all__ = ["Answer", "NativeCall"]

THOUGHT_FIELDS: Final = ("reasoning_content", "reasoning", "thinking")


class NativeCall:
    """A call of a tool, as far as it has arrived."""

    def __init__(self, index: int | None, call_id: str) -> None:
        self.index = index
        self.id = call_id
        self.name = ""
        self.arguments = ""
        # Some servers send the arguments as an object at once instead of as text.
        self.arguments_object: dict[str, Any] | None = None

    @property
    def has_arguments(self) -> bool:
        """Whether any of the arguments are there."""
        return bool(self.arguments) or self.arguments_object is not None

    @property
    def is_whole(self) -> bool:
        """Whether what has arrived could be all of it."""
        if self.arguments_object is not None:
            return True
        try:
            msgspec.json.decode(self.arguments)
        except UNREADABLE:
            return False
        return True


class Answer:
    """What the model said so far."""

    def __init__(self, tool_names: Collection[str]) -> None:
        self._tool_names = tool_names
        self._text: list[str] = []
        self._thought: list[str] = []
        self.calls: list[NativeCall] = []
        self.finish_reason = ""
        self.input_tokens = 0
        self.output_tokens = 0
        self.has_choice = False

    @property
    def text(self) -> str:
        """The answer's text."""
        return "".join(self._text)

    @property
    def thought(self) -> str:
        """What a reasoning model thought before."""
        return "".join(self._thought)

    def take(self, chunk: dict[str, Any]) -> str:
        """Adds a chunk of a stream, or a whole completion; the new text in it."""
        self._take_usage(chunk.get("usage"))
        choices = chunk.get("choices")
        if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
            return ""
        choice = choices[0]
        self.has_choice = True
        reason = choice.get("finish_reason")
        if isinstance(reason, str) and reason:
            self.finish_reason = reason
        piece = choice.get("delta") or choice.get("message")
        if not isinstance(piece, dict):
            # The oldest dialect, still spoken by a few servers' error paths.
            return self._take_text(choice.get("text"))
        thought = self._take_thought(piece)
        text = self._take_text(piece.get("content")) or self._take_text(piece.get("refusal"))
        self._take_calls(piece)
        return thought + text

    def _take_usage(self, usage: object) -> None:
        if not isinstance(usage, dict):
            return
        # The last one counts: some providers send a running total with each chunk.
        self.input_tokens = _tokens(usage.get("prompt_tokens"), self.input_tokens)
        self.output_tokens = _tokens(usage.get("completion_tokens"), self.output_tokens)

    def _take_thought(self, piece: dict[str, Any]) -> str:
        for field in THOUGHT_FIELDS:
            thought = _text_of(piece.get(field))
            if thought:
                self._thought.append(thought)
                return thought
        return ""

    def _take_text(self, content: object) -> str:
        text = _text_of(content)
        if text:
            self._text.append(text)
        return text

    def _take_calls(self, piece: dict[str, Any]) -> None:
        calls = piece.get("tool_calls")
        if isinstance(calls, dict):
            calls = [calls]
        if isinstance(calls, list):
            for call in calls:
                if isinstance(call, dict):
                    self._take_call(call)
        # What tool calls were called before there could be several.
        single = piece.get("function_call")
        if isinstance(single, dict):
            self._take_call({"index": 0, "function": single})

    def _take_call(self, fragment: dict[str, Any]) -> None:
        function = fragment.get("function")
        if not isinstance(function, dict):
            # A few servers leave out the layer in between.
            function = fragment
        name = function.get("name")
        name = name if isinstance(name, str) else ""
        index = fragment.get("index")
        index = index if isinstance(index, int) else None
        call_id = fragment.get("id")
        call_id = call_id if isinstance(call_id, str) else ""
        call = self._continued(index, call_id, name)
        if call is None:
            call = NativeCall(index, call_id)
            self.calls.append(call)
        call.id = call.id or call_id
        if name and name != call.name:
            call.name += name
        arguments = function.get("arguments", function.get("parameters"))
        if isinstance(arguments, str):
            call.arguments += arguments
        elif isinstance(arguments, dict):
            call.arguments_object = arguments

    def _continued(self, index: int | None, call_id: str, name: str) -> NativeCall | None:
        """The call that a fragment goes on with, or nothing where it begins one."""
        if index is not None:
            same = [call for call in self.calls if call.index == index]
        elif call_id:
            same = [call for call in self.calls if call.id == call_id]
            if not same and not name and self.calls:
                same = self.calls
        else:
            same = self.calls
        if not same:
            return None
        call = same[-1]
        if not name:
            return call
        # With a name it may be another call: providers exist that number all of them 0, or not at all.
        if call_id and call.id and call_id != call.id:
            return None
        if call_id and call_id == call.id:
            return call
        if call.has_arguments and call.is_whole:
            return None
        if name != call.name and call.name in self._tool_names:
            return None
        return call


def _text_of(content: object) -> str:
    """The text of a string, or of the parts that some providers send instead."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "".join(_text_of(part.get("text")) for part in content if isinstance(part, dict))
    return ""


def _tokens(value: object, otherwise: int) -> int:
    return value if isinstance(value, int) and 0 <= value < 2**53 else otherwise
