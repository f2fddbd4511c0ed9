"""Chat completions, at OpenAI and at all that imitate it."""

from collections.abc import Sequence
from typing import Any, ClassVar

from deputy_sidecar.backends import openai
from support.dialects.double import USED, Double, Said, arguments_text
from support.model_server import Request, delta, fragment, usage


class Chat(Double):
    name = "openai_compatible"
    base_path = "/v1"

    def chunks(self, text: str, thought: str, calls: Sequence[tuple[str, Any]], finish: str) -> list[Any]:
        found: list[Any] = []
        if thought:
            found.append(delta(reasoning_content=thought))
        found.append(delta(role="assistant", content=text))
        for index, (tool, arguments) in enumerate(calls):
            written = arguments_text(arguments)
            half = len(written) // 2
            found.append(delta(tool_calls=[fragment(index, call_id=f"c{index}", name=tool, arguments=written[:half])]))
            found.append(delta(tool_calls=[fragment(index, arguments=written[half:])]))
        counted = usage(USED["input"], USED["output"])
        counted["usage"]["prompt_tokens_details"] = {"cached_tokens": USED["cached"]}
        counted["usage"]["completion_tokens_details"] = {"reasoning_tokens": USED["thought"]}
        reason = "length" if finish == "length" else "tool_calls" if calls else "stop"
        return [*found, delta(reason), counted]

    def refusals(self) -> dict[str, tuple[int, Any]]:
        def said(message: str, code: str) -> dict[str, Any]:
            return {"error": {"message": message, "code": code, "type": "invalid_request_error"}}

        return {
            "auth": (401, said("Incorrect API key provided", "invalid_api_key")),
            "rate_limited": (429, said("Rate limit reached", "rate_limit_exceeded")),
            "context_overflow": (400, said("This model's maximum context length is 8192", "context_length_exceeded")),
            "model_missing": (404, said("The model `test-model` does not exist", "model_not_found")),
            "overloaded": (503, said("The engine is overloaded", "server_error")),
        }

    def system(self, request: Request) -> str:
        return str(request.body["messages"][0]["content"])

    def said(self, request: Request) -> list[Said]:
        return [self._said(each) for each in request.body["messages"][1:]]

    def _said(self, message: Any) -> Said:
        content = message["content"]
        if message["role"] == "tool":
            return Said("results", results=(content,))
        calls = tuple(
            (each["function"]["name"], each["function"]["arguments"]) for each in message.get("tool_calls", ())
        )
        if isinstance(content, list):
            shown = tuple(part["image_url"]["url"].split(",")[1] for part in content if part["type"] == "image_url")
            return Said(message["role"], content[0]["text"], pictures=shown)
        return Said(message["role"], content or "", calls)

    def tools(self, request: Request) -> dict[str, Any]:
        return {each["function"]["name"]: each["function"]["parameters"] for each in request.body["tools"]}


class ChatOfOpenAI(Chat):
    name = "openai_chat"
    module = openai
    more_settings: ClassVar[dict[str, Any]] = {"api": "chat_completions"}
