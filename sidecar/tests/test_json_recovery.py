"""JSON as models write it: each stage by a table, and random damage that must never break or stall it."""

import json
import random
from typing import Any

import pytest
from support.dice import dice

from deputy_sidecar.json_recovery import objects_by_stage, recover_object
from deputy_sidecar.lenient_json import LenientError, parse_leniently

FOUND: list[tuple[str, str, Any]] = [
    ("direct", '{"a": 1}', {"a": 1}),
    ("direct with space", '  \n{"a": "ä\\n"}\t', {"a": "ä\n"}),
    ("fenced", 'Here:\n```json\n{"a": [1, 2]}\n```\nDone.', {"a": [1, 2]}),
    ("fenced without language", '```\n{"a": 1}\n```', {"a": 1}),
    ("fenced on one line", '```{"a": 1}```', {"a": 1}),
    ("fence never closed", '```json\n{"a": 1}', {"a": 1}),
    ("the second block", '```sh\nls\n```\n```json\n{"a": 1}\n```', {"a": 1}),
    ("in prose", 'I will answer {"a": {"b": 1}} now.', {"a": {"b": 1}}),
    ("braces in a string", 'So: {"a": "} {", "b": 1}.', {"a": "} {", "b": 1}),
    ("stray brace before", 'use { like this: {"a": 1}', {"a": 1}),
    ("trailing commas", '{"a": [1, 2,], "b": 1,}', {"a": [1, 2], "b": 1}),
    ("single quotes", "{'a': 'it\\'s', 'b': \"x\"}", {"a": "it's", "b": "x"}),
    ("Python literals", '{"a": True, "b": False, "c": None}', {"a": True, "b": False, "c": None}),
    ("unclosed braces", '{"a": {"b": [1, {"c": 2}', {"a": {"b": [1, {"c": 2}]}}),
    ("a forgotten inner brace", '{"a": [{"b": 1], "c": 2}', {"a": [{"b": 1}], "c": 2}),
    ("unquoted names", "{a: 1, b-c: 'x', $d: null}", {"a": 1, "b-c": "x", "$d": None}),
    ("comments", '{"a": 1, // one\n "b": 2, /* two */ # three\n "c": 3}', {"a": 1, "b": 2, "c": 3}),
    ("missing commas", '{"a": 1 "b": 2}', {"a": 1, "b": 2}),
    ("raw line feed in a string", '{"a": "one\ntwo",}', {"a": "one\ntwo"}),
    ("escapes", r"{'a': '\u00e4\x41\t\q\\'}", {"a": "äA\tq\\"}),
    ("surrogate pair", r"{'a': '\ud83d\ude00'}", {"a": "😀"}),
    ("half a surrogate", r"{'a': 'x\ud83dy'}", {"a": "x\ufffdy"}),
    ("numbers", "{'a': -1.5e3, 'b': +2, 'c': .5, 'd': 007}", {"a": -1500.0, "b": 2, "c": 0.5, "d": 7}),
    ("triple quotes", '{"a": """one "two" three""",}', {"a": 'one "two" three'}),
    ("equals sign", "{a=1, b='x'}", {"a": 1, "b": "x"}),
    ("text behind", "{'a': 1} and so on", {"a": 1}),
]

NOT_FOUND = [
    "",
    "plain words",
    "a set {1, 2, 3}",
    "[1, 2, 3]",
    '"a text"',
    "{}}{}{",
    '{"a": "never closed',
    "{'a': 'never closed",
    '{"a": {"content": "half a fi',
    "{a: undefinedthing}",
    "{'a': 1e999}",
    "{'a': " + "9" * 5000 + "}",
]


@pytest.mark.parametrize(("text", "expected"), [case[1:] for case in FOUND], ids=[case[0] for case in FOUND])
def test_what_is_found(text: str, expected: Any) -> None:
    assert next(iter(objects_by_stage(text)))[0] == expected


@pytest.mark.parametrize("text", NOT_FOUND)
def test_what_is_not_guessed(text: str) -> None:
    assert [found for found in objects_by_stage(text) if found != [{}] and found != [{}, {}]] == []


def test_stages_come_from_strict_to_lenient() -> None:
    text = '{\'lenient\': 1} and {"strict": 2} and\n```json\n{"fenced": 3}\n```'
    assert list(objects_by_stage(text)) == [
        [{"fenced": 3}],
        [{"strict": 2}, {"fenced": 3}],
        [{"fenced": 3}, {"lenient": 1}, {"strict": 2}],
    ]


def test_arguments_are_the_whole_object_never_one_inside() -> None:
    assert recover_object('{"outer": {"inner": 1}') == {"outer": {"inner": 1}}
    assert recover_object('{"content": "cut o') is None
    assert recover_object("no object") is None
    assert recover_object('{"a": {"b": 1}, "c": "cut o') is None


def test_text_without_end_is_no_value() -> None:
    for text in ("'x", "[1, 'x", '{"a": "', "", "}"):
        with pytest.raises(LenientError):
            parse_leniently(text)


def _random_value(chance: random.Random, depth: int = 0) -> Any:
    kind = chance.randrange(8 if depth < 4 else 6)
    if kind == 0:
        return chance.choice([True, False, None])
    if kind == 1:
        return chance.randrange(-(10**9), 10**9)
    if kind == 2:
        return round(chance.uniform(-1e6, 1e6), 3)
    if kind < 6:
        return "".join(chance.choice("ab{}[]\"'\\`,:\n\té😀/# ") for _ in range(chance.randrange(12)))
    if kind == 6:
        return [_random_value(chance, depth + 1) for _ in range(chance.randrange(4))]
    return {f"k{i}": _random_value(chance, depth + 1) for i in range(chance.randrange(4))}


def test_random_objects_are_found_whole_in_prose() -> None:
    chance = dice()
    for _ in range(2000):
        value = {"tool_calls": [], "x": _random_value(chance)}
        text = json.dumps(value, ensure_ascii=chance.random() < 0.5, indent=chance.choice([None, 2]))
        assert recover_object(text) == value
        assert parse_leniently(text) == value
        assert next(iter(objects_by_stage(f"I will do this. {text} That is all.")))[0] == value


def test_random_damage_never_breaks_it() -> None:
    chance = dice()
    for _ in range(5000):
        text = json.dumps({"a": _random_value(chance), "b": _random_value(chance)})
        for _ in range(chance.randrange(1, 8)):
            at = chance.randrange(len(text) + 1)
            text = (
                text[:at]
                + chance.choice(["", "{", "}", '"', "'", "\\", "```", ",", "]", "/*", "\ud800"])
                + text[at + 1 :]
            )
        for found in objects_by_stage(text):
            for each in found:
                # What is found can be sent: no surrogate halves, no infinities.
                json.dumps(each, allow_nan=False).encode()
        recover_object(text)


@pytest.mark.parametrize(
    "text",
    [
        "{" * 1_000_000,
        '{"a":' * 200_000,
        '{"' + '\\"' * 500_000,
        "{}" * 400_000,
        "```" * 300_000,
        "{'a':[" * 100_000,
        "{" + " " * 999_000,
    ]
    + ["{/*" * 300_000, '{"""' * 200_000, "{" + "a" * 999_000],
    ids=range(10),
)
def test_hostile_texts_end(text: str) -> None:
    for _ in objects_by_stage(text):
        pass
    recover_object(text)
