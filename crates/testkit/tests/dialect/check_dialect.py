"""Tests a scripted model with the real `openai` package: `check_dialect.py URL`.

The server answers with these turns, in order: a text, the same text, calls, the same calls in fragments, a rate limit,
a cut stream.
"""

import json
import sys

import openai

TEXT = "Grüße from the script, in more than one piece."
CALLS = [
    ("shell", {"command": "echo 'ä \"quoted\" \\\\ word'"}),
    ("read_file", {"path": "a/b.txt", "lines": [1, 2, 3]}),
]
TOOLS = [
    {"type": "function", "function": {"name": name, "description": name, "parameters": {"type": "object"}}}
    for name, _ in CALLS
]
MESSAGES = [{"role": "system", "content": "You are a test."}, {"role": "user", "content": "Hello."}]


def main(url: str) -> None:
    client = openai.OpenAI(base_url=url, api_key="the-key", max_retries=0, timeout=30)
    create = client.chat.completions.create

    assert [model.id for model in client.models.list()] == ["scripted"]

    try:
        client.with_options(api_key="wrong").models.list()
    except openai.AuthenticationError as error:
        assert error.code == "invalid_api_key", error
    else:
        raise AssertionError("a wrong key passed")

    try:
        client.get("/no/such/thing", cast_to=object)
    except openai.NotFoundError:
        pass
    else:
        raise AssertionError("an unknown address passed")

    whole = create(model="scripted", messages=MESSAGES)
    assert whole.choices[0].message.content == TEXT, whole
    assert whole.choices[0].finish_reason == "stop", whole
    assert whole.usage is not None and whole.usage.prompt_tokens > 0, whole
    assert whole.usage.total_tokens == whole.usage.prompt_tokens + whole.usage.completion_tokens, whole

    pieces, usages = [], []
    for chunk in create(model="scripted", messages=MESSAGES, stream=True, stream_options={"include_usage": True}):
        pieces += [choice.delta.content for choice in chunk.choices if choice.delta.content]
        usages += [chunk.usage] if chunk.usage else []
    assert "".join(pieces) == TEXT and len(pieces) > 1, pieces
    assert len(usages) == 1 and usages[0].completion_tokens > 0, usages

    message = create(model="scripted", messages=MESSAGES, tools=TOOLS).choices[0].message
    assert [(call.function.name, json.loads(call.function.arguments)) for call in message.tool_calls] == CALLS
    assert message.content is None, message
    results = [{"role": "tool", "tool_call_id": call.id, "content": "ok"} for call in message.tool_calls]
    conversation = [*MESSAGES, message.model_dump(exclude_none=True), *results]

    # The package's own accumulator must assemble the same calls from the fragments.
    with client.chat.completions.stream(model="scripted", messages=conversation, tools=TOOLS) as stream:
        for _ in stream:
            pass
        streamed = stream.get_final_completion().choices[0]
    assert streamed.finish_reason == "tool_calls", streamed
    calls = [(call.function.name, json.loads(call.function.arguments)) for call in streamed.message.tool_calls]
    assert calls == CALLS, calls
    assert streamed.message.content == "I look first.", streamed

    try:
        create(model="scripted", messages=MESSAGES)
    except openai.RateLimitError as error:
        assert error.response.headers["retry-after"] == "2.5", error.response.headers
    else:
        raise AssertionError("the rate limit passed")

    pieces = []
    try:
        for chunk in create(model="scripted", messages=MESSAGES, stream=True):
            pieces += [choice.delta.content for choice in chunk.choices if choice.delta.content]
    except openai.APIConnectionError:
        pass
    else:
        raise AssertionError("the cut stream ended as if it were whole")
    assert pieces, "nothing came before the cut"

    # The script has ended. The real provider would reject these requests as well.
    for messages, what in [([], "empty"), (conversation[:-1], "no result"), (MESSAGES, "script is over")]:
        try:
            create(model="scripted", messages=messages)
        except openai.BadRequestError as error:
            assert what in str(error), error
        else:
            raise AssertionError(f"passed: {what}")


if __name__ == "__main__":
    main(sys.argv[1])
    print("the dialect is right")
