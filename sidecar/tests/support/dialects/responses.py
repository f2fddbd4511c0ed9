"""OpenAI's Responses API."""

from collections.abc import Sequence
from typing import Any

from deputy_sidecar.backends import openai
from support.dialects.chat import Chat
from support.dialects.double import USED, Double, Said, arguments_text
from support.model_server import Request


class OpenAIResponses(Double):
    name = "openai"
    module = openai
    base_path = "/v1"
    keeps_thoughts = True

    def first_text(self) -> int:
        return 3

    def chunks(self, text: str, thought: str, calls: Sequence[tuple[str, Any]], finish: str) -> list[Any]:
        events: list[dict[str, Any]] = []
        output: list[dict[str, Any]] = []

        def emit(kind: str, **fields: Any) -> None:
            events.append({"type": kind, "sequence_number": len(events), **fields})

        def response(status: str, **more: Any) -> dict[str, Any]:
            base = {"id": "resp_1", "object": "response", "created_at": 1, "model": "test-model", "status": status}
            rest = {"parallel_tool_calls": True, "tool_choice": "auto", "tools": [], "error": None}
            return {**base, **rest, "output": list(output), "incomplete_details": None, **more}

        def item(fields: dict[str, Any]) -> int:
            emit("response.output_item.added", output_index=len(output), item={**fields, "status": "in_progress"})
            return len(output)

        def done(fields: dict[str, Any]) -> None:
            emit("response.output_item.done", output_index=len(output), item={**fields, "status": "completed"})
            output.append({**fields, "status": "completed"})

        emit("response.created", response=response("in_progress"))
        if thought:
            base = {"type": "reasoning", "id": "rs_1", "summary": []}
            at = item(base)
            where = {"item_id": "rs_1", "output_index": at, "summary_index": 0}
            emit("response.reasoning_summary_text.delta", delta=thought, **where)
            summary = [{"type": "summary_text", "text": thought}]
            done({**base, "summary": summary, "encrypted_content": "c2lnbmVk"})
        if text:
            at = item({"type": "message", "id": "msg_1", "role": "assistant", "content": []})
            where = {"item_id": "msg_1", "output_index": at, "content_index": 0}
            part = {"type": "output_text", "text": "", "annotations": []}
            emit("response.content_part.added", part=part, **where)
            for piece in (text[:2], text[2:]):
                emit("response.output_text.delta", delta=piece, logprobs=[], **where)
            done({"type": "message", "id": "msg_1", "role": "assistant", "content": [{**part, "text": text}]})
        for number, (tool, arguments) in enumerate(calls):
            written = arguments_text(arguments)
            base = {"type": "function_call", "id": f"fc_{number}", "call_id": f"c{number}", "name": tool}
            at = item({**base, "arguments": ""})
            emit("response.function_call_arguments.delta", item_id=f"fc_{number}", output_index=at, delta=written)
            done({**base, "arguments": written})
        counted = {
            "input_tokens": USED["input"],
            "input_tokens_details": {"cached_tokens": USED["cached"], "cache_write_tokens": 0},
            "output_tokens": USED["output"],
            "output_tokens_details": {"reasoning_tokens": USED["thought"]},
            "total_tokens": USED["input"] + USED["output"],
        }
        if finish == "length":
            why = {"reason": "max_output_tokens"}
            emit("response.incomplete", response=response("incomplete", incomplete_details=why, usage=counted))
        else:
            emit("response.completed", response=response("completed", usage=counted))
        return events

    def refusals(self) -> dict[str, tuple[int, Any]]:
        return {**Chat().refusals(), "overloaded": (500, {"error": {"message": "oops", "type": "server_error"}})}

    def system(self, request: Request) -> str:
        return str(request.body["instructions"])

    def said(self, request: Request) -> list[Said]:
        found: list[Said] = []
        for each in request.body["input"]:
            kind = each.get("type", "message")
            if kind == "reasoning":
                found.append(Said("assistant", state=(each,)))
            elif kind == "function_call":
                found.append(Said("assistant", calls=((each["name"], each["arguments"]),)))
            elif kind == "function_call_output":
                text, shown = self._content(each["output"])
                found.append(Said("results", results=(text,), pictures=shown))
            else:
                text, shown = self._content(each["content"])
                found.append(Said(each["role"], text, pictures=shown))
        return found

    def _content(self, content: Any) -> tuple[str, tuple[str, ...]]:
        if isinstance(content, str):
            return content, ()
        shown = tuple(part["image_url"].split(",")[1] for part in content if part["type"] == "input_image")
        return content[0]["text"], shown

    def tools(self, request: Request) -> dict[str, Any]:
        return {each["name"]: each["parameters"] for each in request.body["tools"]}
