"""The check of prompts finds what a provider's cache would have to read again."""

from __future__ import annotations

import json

from prompts import breaks

MESSAGES = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Hi."}]
ANSWER = {"role": "assistant", "content": "Hello."}


def body(messages: list[dict[str, str]], *functions: str) -> bytes:
    return json.dumps({"messages": messages, "tools": functions}, separators=(",", ":")).encode()


def test_a_request_that_adds_messages_begins_with_the_one_before() -> None:
    assert breaks([body(MESSAGES, "read"), body([*MESSAGES, ANSWER], "read")]) == []


def test_a_changed_message_is_found_with_its_bytes() -> None:
    other = [MESSAGES[0], {"role": "user", "content": "Ho."}, ANSWER]
    (found,) = breaks([body(MESSAGES, "read"), body(other, "read")])
    assert found.request == 1
    assert found.before.startswith(b'i."}')
    assert found.after.startswith(b'o."}')


def test_a_changed_beginning_and_a_left_out_message_are_found() -> None:
    requests = [body(MESSAGES), body([*MESSAGES, ANSWER], "read"), body(MESSAGES, "read")]
    assert [found.request for found in breaks(requests)] == [1, 2]


def test_marks_for_the_cache_are_not_a_part_of_the_prompt() -> None:
    marked = body(MESSAGES).replace(b'Hi."', b'Hi.","cache_control":{"type":"ephemeral"}')
    assert breaks([marked, body([*MESSAGES, ANSWER])]) == []
