"""Assembles a streamed chat completion, however the provider splits it."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, ClassVar, Final

from deputy_sidecar.models import Usage
from deputy_sidecar.provider.answer import Answer, NativeCall, text_of, tokens

__all__ = ["ChatAnswer"]

# The reasons of the providers and servers that speak this dialect.
ENDS: Final = frozenset(
    "stop stop_sequence end_turn eos eos_token tool_calls tool_call tool_use function_call complete completed".split()
)
THOUGHT_FIELDS: Final = ("reasoning_content", "reasoning", "thinking")


class ChatAnswer(Answer):
    """A chat completion as far as it has arrived."""

    ENDS: ClassVar[frozenset[str]] = ENDS

    def __init__(self, tool_names: Collection[str]) -> None:
        super().__init__()
        self._tool_names = tool_names

    def take(self, chunk: dict[str, Any]) -> str:
        """Adds a chunk of a stream or a whole completion. Returns the new text."""
        self._take_usage(chunk.get("usage"))
        choices = chunk.get("choices")
        if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
            return ""
        choice = choices[0]
        self.has_begun = True
        reason = choice.get("finish_reason")
        if isinstance(reason, str) and reason:
            self.finish_reason = "length" if reason == "max_tokens" else reason
            # Some servers omit the closing `[DONE]`.
            self.is_done = True
        piece = choice.get("delta") or choice.get("message")
        if not isinstance(piece, dict):
            # The oldest dialect. A few servers still use it for errors.
            return self.say(text_of(choice.get("text")))
        thought = self._take_thought(piece)
        text = self.say(text_of(piece.get("content"))) or self.say(text_of(piece.get("refusal")))
        self._take_calls(piece)
        return thought + text

    def _take_usage(self, usage: object) -> None:
        if not isinstance(usage, dict):
            return
        read, written = usage.get("prompt_tokens_details"), usage.get("completion_tokens_details")
        # The last count wins, because some providers send a running total with each chunk.
        self.usage = Usage(
            input_tokens=tokens(usage.get("prompt_tokens"), self.usage.input_tokens),
            output_tokens=tokens(usage.get("completion_tokens"), self.usage.output_tokens),
            cached_tokens=tokens(read.get("cached_tokens") if isinstance(read, dict) else None),
            reasoning_tokens=tokens(written.get("reasoning_tokens") if isinstance(written, dict) else None),
        )

    def _take_thought(self, piece: dict[str, Any]) -> str:
        for field in THOUGHT_FIELDS:
            thought = text_of(piece.get(field))
            if thought:
                return self.think(thought)
        return ""

    def _take_calls(self, piece: dict[str, Any]) -> None:
        calls = piece.get("tool_calls")
        if isinstance(calls, dict):
            calls = [calls]
        if isinstance(calls, list):
            for call in calls:
                if isinstance(call, dict):
                    self._take_call(call)
        # The older form, from before several calls were possible.
        single = piece.get("function_call")
        if isinstance(single, dict):
            self._take_call({"index": 0, "function": single})

    def _take_call(self, fragment: dict[str, Any]) -> None:
        function = fragment.get("function")
        if not isinstance(function, dict):
            # A few servers omit the level in between.
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
        """Returns the call that a fragment continues, or None if it begins a new call."""
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
        # A fragment with a name may be another call: some providers number all calls 0, or not at all.
        if call_id and call.id and call_id != call.id:
            return None
        if call_id and call_id == call.id:
            return call
        if call.has_arguments and call.is_whole:
            return None
        if name != call.name and call.name in self._tool_names:
            return None
        return call
