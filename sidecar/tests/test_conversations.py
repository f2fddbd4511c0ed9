"""Conversations that are kept: only what follows on what is held is added, and no plan changes them."""

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from support.dice import dice
from support.model_server import ModelServer, delta, stream
from support.process import SidecarProcess

from deputy_sidecar import conversations as module
from deputy_sidecar.backend import Conversation
from deputy_sidecar.conversations import Conversations, Head, NotHeldError
from deputy_sidecar.errors import InternalError
from deputy_sidecar.models import ConversationMark, UserMessage

HEAD = Head(b'"Rules."', b"[]", b"[]")
NOT_HELD = -32001


def user(text: str) -> dict[str, Any]:
    return {"role": "user", "text": text}


def wire(*texts: str) -> bytes:
    return json.dumps([user(text) for text in texts], separators=(",", ":"), ensure_ascii=False).encode()


def mark(*texts: str, head: Head = HEAD) -> ConversationMark:
    inner = wire(*texts)[1:-1]
    whole = b"".join(part + b"\n" for part in head) + inner
    return ConversationMark(bytes=len(inner), sha256=hashlib.sha256(whole).hexdigest())


def holding(*texts: str, name: str = "t1") -> Conversations:
    kept = Conversations()
    _, place = kept.whole(name, HEAD, wire(*texts))
    assert place == mark(*texts)
    return kept


def texts_of(conversation: Conversation) -> list[str]:
    messages = conversation.messages
    assert all(isinstance(message, UserMessage) for message in messages)
    return [message.text for message in messages if isinstance(message, UserMessage)]


def test_what_is_added_makes_the_whole() -> None:
    kept = holding("a")
    conversation, place = kept.more("t1", mark("a"), wire("b", 'ä"\n},{'))
    assert texts_of(conversation) == ["a", "b", 'ä"\n},{']
    assert place == mark("a", "b", 'ä"\n},{')
    assert bytes(conversation.raw_messages) == wire("a", "b", 'ä"\n},{')
    assert conversation.system == "Rules."


def test_an_empty_beginning_and_nothing_new_are_fine() -> None:
    kept = holding()
    assert texts_of(kept.more("t1", mark(), wire())[0]) == []
    assert texts_of(kept.more("t1", mark(), wire("a"))[0]) == ["a"]
    assert texts_of(kept.more("t1", mark("a"), wire())[0]) == ["a"]
    assert kept.more("t1", mark("a"), wire("b"))[1] == mark("a", "b")


@pytest.mark.parametrize(
    "base",
    [
        mark("b"),
        mark("a", "b"),
        mark(),
        mark("a", head=HEAD._replace(system=b'"Other rules."')),
        mark("a", head=HEAD._replace(tools=b"[{}]")),
        ConversationMark(bytes=mark("a").bytes, sha256=mark("b").sha256),
        ConversationMark(bytes=mark("a").bytes, sha256=""),
        ConversationMark(bytes=mark("a").bytes, sha256=mark("a").sha256.upper()),
        ConversationMark(bytes=mark("a").bytes - 1, sha256=mark("a").sha256),
        ConversationMark(bytes=-1, sha256=mark("a").sha256),
        ConversationMark(bytes=2**63, sha256=mark("a").sha256),
    ],
)
def test_another_base_is_refused_and_the_conversation_forgotten(base: ConversationMark) -> None:
    kept = holding("a")
    with pytest.raises(NotHeldError):
        kept.more("t1", base, wire("c"))
    with pytest.raises(NotHeldError):
        kept.more("t1", mark("a"), wire("c"))


def test_a_base_of_another_conversation_is_refused() -> None:
    kept = holding("a")
    kept.whole("t2", HEAD, wire("b"))
    with pytest.raises(NotHeldError):
        kept.more("t1", mark("b"), wire("c"))
    assert texts_of(kept.more("t2", mark("b"), wire("c"))[0]) == ["b", "c"]


def test_a_plan_that_failed_is_asked_for_again_from_where_it_was() -> None:
    kept = holding("a")
    assert texts_of(kept.more("t1", mark("a"), wire("b"))[0]) == ["a", "b"]
    # The same again adds nothing twice, and another continuation replaces what was never answered.
    assert texts_of(kept.more("t1", mark("a"), wire("b"))[0]) == ["a", "b"]
    assert texts_of(kept.more("t1", mark("a"), wire("c"))[0]) == ["a", "c"]
    with pytest.raises(NotHeldError):
        kept.more("t1", mark("a", "b"), wire("d"))


def test_places_that_may_be_added_to_are_few() -> None:
    kept = holding("0")
    said = ["0"]
    for number in range(1, 10):
        kept.more("t1", mark(*said), wire(str(number)))
        said.append(str(number))
    with pytest.raises(NotHeldError):
        kept.more("t1", mark(*said[: -module.MOST_PLACES]), wire("x"))


def test_what_is_sent_whole_replaces_what_was_held() -> None:
    kept = holding("a", "b")
    kept.whole("t1", HEAD, wire("summary"))
    with pytest.raises(NotHeldError):
        kept.more("t1", mark("a", "b"), wire("c"))


def test_the_number_and_the_size_of_what_is_kept_are_bounded() -> None:
    kept = Conversations()
    for number in range(20):
        kept.whole(f"t{number}", HEAD, wire(str(number)))
    assert len(kept._held) == module.MOST_KEPT
    for number in range(20):
        _, place = kept.whole(f"long{number}", HEAD, wire("x" * 3_000_000))
        assert place is not None
        assert kept._bytes <= module.MOST_KEPT_BYTES
        assert kept._bytes == sum(held.size for held in kept._held.values())
    before = set(kept._held)
    conversation, place = kept.whole("huge", HEAD, wire("x" * module.MOST_KEPT_BYTES))
    assert place is None, "the core is not led to believe that it is kept"
    assert len(texts_of(conversation)[0]) == module.MOST_KEPT_BYTES
    assert set(kept._held) == before, "it drives nothing else out"


def test_what_has_no_name_is_not_kept() -> None:
    kept = Conversations()
    assert kept.whole(None, HEAD, wire("a"))[1] is None
    assert not kept._held


@pytest.mark.parametrize("messages", [b"{}", b'"x"', b"null", b"7", b"[", b"]", b""])
def test_what_is_no_array_is_refused_and_changes_nothing(messages: bytes) -> None:
    kept = holding("a")
    with pytest.raises(InternalError):
        kept.more("t1", mark("a"), messages)
    assert texts_of(kept.more("t1", mark("a"), wire("b"))[0]) == ["a", "b"]


def test_whatever_happens_the_conversation_is_the_one_that_was_sent() -> None:
    chance = dice()
    kept = Conversations()
    said: dict[str, list[str]] = {}
    for _ in range(3_000):
        name = f"t{chance.randrange(12)}"
        before = said.get(name, [])
        base = before[: chance.choice([len(before)] * 6 + [0, len(before) // 2])]
        new = [str(chance.randrange(1000)) for _ in range(chance.randrange(4))]
        try:
            conversation, place = kept.more(name, mark(*base), wire(*new))
        except NotHeldError:
            conversation, place = kept.whole(name, HEAD, wire(*base, *new))
        assert texts_of(conversation) == [*base, *new]
        assert place == mark(*base, *new)
        said[name] = [*base, *new]


def plan_params(*texts: str, backend: str = "offline", settings: dict[str, Any] | None = None) -> dict[str, Any]:
    return {
        "backend": {"name": backend, "settings": settings or {}},
        "system": "Rules.",
        "messages": [user(text) for text in texts],
        "tools": [],
        "earlier": [],
        "conversation": "t1",
    }


def more_params(base: dict[str, Any], *texts: str, **backend: Any) -> dict[str, Any]:
    asked = plan_params(*texts, **backend)
    return {name: asked[name] for name in ("backend", "messages", "conversation")} | {"base": base}


SPOILER = """
from deputy_sidecar.backend import AgentPlan

class Spoiler:
    name = "spoiler"

    def configure(self, settings):
        pass

    async def plan(self, request):
        said = "|".join(message.text for message in request.messages)
        said += f" {request.system} {len(request.tools)} {len(request.earlier)}"
        request.messages.clear()
        request.tools.append("poison")
        request.earlier.append("poison")
        request.system = "poison"
        request.raw_messages = b'[{"role": "user", "text": "poison"}]'
        yield AgentPlan(is_complete=True, summary=said)
"""


def test_what_a_backend_does_to_a_conversation_reaches_no_later_plan(tmp_path: Path) -> None:
    (tmp_path / "spoiler.py").write_text(SPOILER, encoding="utf-8")
    with SidecarProcess(backends_dir=str(tmp_path)) as sidecar:
        answer = sidecar.result("inference.plan", plan_params("a", backend="spoiler"))
        assert answer["plan"]["summary"] == "a Rules. 0 0"
        for number in range(3):
            answer = sidecar.result("inference.plan_more", more_params(answer["kept"], str(number), backend="spoiler"))
        assert answer["plan"]["summary"] == "a|0|1|2 Rules. 0 0"


def test_a_process_that_was_started_anew_refuses_and_then_takes_the_whole() -> None:
    with SidecarProcess() as sidecar:
        kept = sidecar.result("inference.plan", plan_params("what is in this folder"))["kept"]
    with SidecarProcess() as sidecar:
        error = sidecar.error("inference.plan_more", more_params(kept, "and now?"))
        assert error["code"] == NOT_HELD
        assert sidecar.result("inference.plan", plan_params("what is in this folder"))["kept"] == kept


@pytest.mark.parametrize(
    "params",
    [
        b'{"backend":{"name":"offline"},"conversation":"t1","base":BASE,"messages":[{"role":"user","text":"x"}',
        b'{"backend":{"name":"offline"},"conversation":"t1","base":BASE,"messages":[{"role":}]}',
        b'{"backend":{"name":"offline"},"conversation":"t1","base":BASE}',
        b'{"backend":{"name":"offline"},"conversation":7,"base":BASE,"messages":[]}',
        b'{"backend":{"name":"offline"},"conversation":"t1","base":{"bytes":true,"sha256":""},"messages":[]}',
        b'{"backend":{"name":"offline"},"conversation":"t1","base":{"bytes":1.5,"sha256":""},"messages":[]}',
        b'{"backend":{"name":"offline"},"conversation":"t1","base":null,"messages":[]}',
        b'{"backend":{"name":"offline"},"conversation":"t1","base":BASE,"messages":[],"messages":{"role":"user"}}',
    ],
)
def test_a_request_that_cannot_be_read_adds_nothing(params: bytes) -> None:
    with SidecarProcess() as sidecar:
        kept = sidecar.result("inference.plan", plan_params("what is in this folder"))["kept"]
        whole = params.replace(b"BASE", json.dumps(kept).encode())
        sidecar.write(b'{"jsonrpc":"2.0","id":99,"method":"inference.plan_more","params":' + whole + b"}\n")
        refused = sidecar.next_line()
        assert "error" in refused
        assert sidecar.result("inference.plan_more", more_params(kept))["kept"] == kept


def test_a_provider_gets_the_same_bytes_whether_a_conversation_is_sent_whole_or_in_pieces() -> None:
    said = ["Go.", "And?", "More."]
    answers = [stream(delta("stop", content="Well.")) for _ in range(2 * len(said))]
    with ModelServer(*answers) as server, SidecarProcess() as sidecar:
        asked: dict[str, Any] = {"backend": "openai_compatible", "settings": server.settings()}
        for number in range(len(said)):
            sidecar.result("inference.plan", plan_params(*said[: number + 1], **asked) | {"conversation": None})
        kept = sidecar.result("inference.plan", plan_params(said[0], **asked))["kept"]
        for text in said[1:]:
            kept = sidecar.result("inference.plan_more", more_params(kept, text, **asked))["kept"]
        bodies = [request.raw for request in server.requests]
    assert bodies[: len(said)] == bodies[len(said) :]
