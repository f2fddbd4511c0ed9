"""Google's Gemini API."""

import json
from collections.abc import Sequence
from typing import Any

from deputy_sidecar.backends import gemini
from support.dialects.double import USED, Double, Said
from support.model_server import Request


class Google(Double):
    name = "gemini"
    module = gemini
    base_path = "/v1beta"
    keeps_thoughts = True

    def chunks(self, text: str, thought: str, calls: Sequence[tuple[str, Any]], finish: str) -> list[Any]:
        def chunk(*parts: Any, **more: Any) -> dict[str, Any]:
            return {"candidates": [{"content": {"parts": list(parts), "role": "model"}, "index": 0, **more}]}

        found = [chunk({"text": thought, "thought": True})] if thought else []
        found += [chunk({"text": piece}) for piece in (text[:2], text[2:]) if piece]
        for number, (tool, arguments) in enumerate(calls):
            part: dict[str, Any] = {"functionCall": {"name": tool, "args": arguments}}
            if thought and number == 0:
                part["thoughtSignature"] = "c2lnbmVk"
            found.append(chunk(part))
        counted = {
            "promptTokenCount": USED["input"],
            "cachedContentTokenCount": USED["cached"],
            "candidatesTokenCount": USED["output"] - USED["thought"],
            "thoughtsTokenCount": USED["thought"],
        }
        last = chunk({"text": ""}, finishReason="MAX_TOKENS" if finish == "length" else "STOP")
        return [*found, {**last, "usageMetadata": counted}]

    def refusals(self) -> dict[str, tuple[int, Any]]:
        def said(code: int, status: str, message: str, *details: Any) -> tuple[int, Any]:
            return code, {"error": {"code": code, "message": message, "status": status, "details": list(details)}}

        wait = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "0.1s"}
        quota = "You exceeded your current quota, please check your plan and billing details."
        return {
            "auth": said(400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key."),
            "rate_limited": said(429, "RESOURCE_EXHAUSTED", quota, wait),
            "context_overflow": said(
                400, "INVALID_ARGUMENT", "The input token count (9) exceeds the maximum number of tokens allowed (8)."
            ),
            "model_missing": said(404, "NOT_FOUND", "models/test-model is not found for API version v1beta"),
            "overloaded": said(503, "UNAVAILABLE", "The model is overloaded. Please try again later."),
        }

    def system(self, request: Request) -> str:
        return str(request.body["systemInstruction"]["parts"][0]["text"])

    def said(self, request: Request) -> list[Said]:
        return [self._said(each) for each in request.body["contents"]]

    def _said(self, content: Any) -> Said:
        parts = content["parts"]
        texts = [part["text"] for part in parts if "text" in part]
        calls = [part["functionCall"] for part in parts if "functionCall" in part]
        answers = [part["functionResponse"]["response"] for part in parts if "functionResponse" in part]
        return Said(
            "results" if answers else {"model": "assistant"}.get(content["role"], content["role"]),
            "".join(texts),
            tuple((call["name"], json.dumps(call["args"])) for call in calls),
            tuple(str(next(iter(each.values()))) for each in answers),
            tuple(part["inlineData"]["data"] for part in parts if "inlineData" in part),
            tuple(part["thoughtSignature"] for part in parts if "thoughtSignature" in part),
        )

    def tools(self, request: Request) -> dict[str, Any]:
        declared = request.body["tools"][0]["functionDeclarations"]
        return {each["name"]: each["parametersJsonSchema"] for each in declared}
