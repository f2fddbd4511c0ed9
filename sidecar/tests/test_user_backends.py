"""A user's own backend files: good ones, broken ones, slow ones, and ones that print."""

import os
from pathlib import Path
from typing import Any

import pytest
from support.process import SidecarProcess, plan_params

from deputy_sidecar.backends import SHIPPED

GOOD = """
from deputy_sidecar.backend import AgentPlan, CompleteReply, Embedding, PlanReply, ToolCall, Usage


class Mine:
    name = "mine"

    def configure(self, settings):
        self.settings = settings

    async def plan(self, request):
        yield "Let me "
        yield "see."
        said = request.messages[-1].text
        call = ToolCall(id="1", tool=request.tools[0].name, parameters={"said": said, **self.settings})
        plan = AgentPlan(reasoning=request.system, tool_calls=[call])
        yield PlanReply(plan=plan, usage=Usage(input_tokens=1, output_tokens=2))

    async def complete(self, system, prompt):
        return f"{system} {prompt}"

    async def embed(self, texts):
        return Embedding(model="mine-1", vectors=[[1.0, 2.0] for _ in texts])

    async def models(self):
        return ["mine-1"]
"""


def body(*lines: str) -> str:
    """A backend whose `plan` is these lines."""
    head = [
        "from deputy_sidecar.backend import *",
        "class Mine:",
        "    name = 'mine'",
        "    def configure(self, settings): pass",
    ]
    return "\n".join([*head, "    async def plan(self, request):", *(f"        {line}" for line in lines)])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "backends with a space"


def write(folder: Path, text: str, name: str = "mine") -> Path:
    folder.mkdir(exist_ok=True)
    path = folder / f"{name}.py"
    path.write_text(text, encoding="utf-8")
    return path


def error_with(folder: Path, text: str) -> dict[str, Any]:
    write(folder, text)
    with SidecarProcess(backends_dir=str(folder)) as sidecar:
        return sidecar.error("inference.plan", plan_params("mine", "hi"))


def test_a_good_one_can_do_everything(folder: Path) -> None:
    write(folder, GOOD)
    write(folder, "raise SystemExit", "_private")
    write(folder, "raise SystemExit", "not-a-name")
    write(folder, GOOD, "offline")
    with SidecarProcess(backends_dir=str(folder), keys={"mine": "a-secret-key"}) as sidecar:
        assert sidecar.hello["backends"] == [*SHIPPED, "mine"]
        reply = sidecar.result(
            "inference.plan", plan_params("mine", "hi", settings={"depth": 3, "api_key": "from settings"})
        )
        assert [piece["text"] for piece in sidecar.progress] == ["Let me ", "see."]
        assert reply["plan"]["reasoning"] == "You are a careful deputy."
        expected = {"said": "hi", "depth": 3, "api_key": "a-secret-key"}
        [call] = reply["plan"]["tool_calls"]
        assert call == {"id": "1", "tool": "search", "parameters": expected, "problem": None, "written": None}
        assert reply["usage"] == {"input_tokens": 1, "output_tokens": 2, "cached_tokens": 0, "reasoning_tokens": 0}
        backend = {"name": "mine", "settings": {}}
        completed = sidecar.result("inference.complete", {"backend": backend, "system": "a", "prompt": "b"})
        assert completed["text"] == "a b"
        embedded = sidecar.result("inference.embed", {"backend": backend, "texts": ["x", "y"]})
        assert embedded == {"model": "mine-1", "dimension": 2, "vectors": "AACAPwAAAEAAAIA/AAAAQA=="}
        assert sidecar.result("model.list", {"backend": backend}) == {"models": ["mine-1"]}


def test_a_changed_file_is_loaded_anew(folder: Path) -> None:
    path = write(folder, body("yield AgentPlan(is_complete=True, summary='one')"))
    with SidecarProcess(backends_dir=str(folder)) as sidecar:
        assert sidecar.result("inference.plan", plan_params("mine", "hi"))["plan"]["summary"] == "one"
        path.write_text(body("yield AgentPlan(is_complete=True, summary='two')"), encoding="utf-8")
        os.utime(path, ns=(1, 1))
        assert sidecar.result("inference.plan", plan_params("mine", "hi"))["plan"]["summary"] == "two"


BROKEN: list[tuple[str, str, str]] = [
    ("syntax", "class Mine:\n    def x(:\n", "line 2: SyntaxError"),
    ("import", "\nimport no_such_module_anywhere\n", "line 2: ModuleNotFoundError"),
    ("at import", "\n\n1 / 0\n", "line 3: ZeroDivisionError"),
    ("exit at import", "import sys\nsys.exit(3)\n", "line 2: SystemExit"),
    ("no class", "x = 1\n", "exactly one class"),
    ("two classes", GOOD + GOOD.replace("class Mine", "class Other"), "found: Mine, Other"),
    ("only an imported class", "from deputy_sidecar.backends.offline import Offline\n", "found: none"),
    (
        "needs arguments",
        body("yield AgentPlan()").replace("    name", "    def __init__(self, x): pass\n    name"),
        "TypeError",
    ),
    (
        "configure",
        body("yield AgentPlan()").replace("settings): pass", "settings): settings['nothing']"),
        "line 4: KeyError",
    ),
    ("plan", body("x = 1", "raise ValueError('it went wrong')", "yield x"), "line 7: ValueError: it went wrong"),
    ("exit in plan", body("raise SystemExit(1)", "yield 1"), "line 6: SystemExit"),
    ("no generator", body("return AgentPlan()"), "async generator"),
    ("no plan", body("yield 'only text'"), "ended without a plan"),
    ("a plan of another type", body("yield {'tool_calls': 5}"), "is no AgentPlan"),
    ("a plan with wrong types", body("yield AgentPlan(summary=5)"), "is no AgentPlan"),
    (
        "a plan that cannot be written",
        body("yield AgentPlan(tool_calls=[ToolCall(id='1', tool='x', parameters=object())])"),
        "is no AgentPlan",
    ),
    ("without end", body("while True: yield 'x' * 100000"), "was stopped"),
]


@pytest.mark.parametrize(("text", "says"), [case[1:] for case in BROKEN], ids=[case[0] for case in BROKEN])
def test_a_broken_one_is_told_by_file_and_line(folder: Path, text: str, says: str) -> None:
    error = error_with(folder, text)
    assert error["code"] == -32000
    assert error["data"]["code"] in {"internal", "bad_response"}
    assert says in error["message"]
    if "line" in says:
        assert str(folder / "mine.py") in error["message"]


def test_one_without_end_is_stopped_and_can_be_asked_again(folder: Path) -> None:
    lines = ["if request.messages[-1].text == 'again':", "    yield AgentPlan(is_complete=True, summary='back')"]
    write(folder, body(*lines, "while True: yield 'x' * 100000"))
    with SidecarProcess(backends_dir=str(folder)) as sidecar:
        assert "was stopped" in sidecar.error("inference.plan", plan_params("mine", "hi"))["message"]
        # Its one thread is free again only if the endless loop really ended.
        assert sidecar.result("inference.plan", plan_params("mine", "again"))["plan"]["summary"] == "back"


def test_its_own_typed_errors_come_through(folder: Path) -> None:
    error = error_with(folder, body("raise RateLimitedError('Wait a little.', retry_after_secs=2.5)", "yield 1"))
    assert error == {
        "code": -32000,
        "message": "Wait a little.",
        "data": {"code": "rate_limited", "retry_after_secs": 2.5, "said": None, "usage": None},
    }


def test_what_it_lacks_is_said(folder: Path) -> None:
    write(folder, body("yield AgentPlan()"))
    with SidecarProcess(backends_dir=str(folder)) as sidecar:
        error = sidecar.error("inference.embed", {"backend": {"name": "mine"}, "texts": ["x"]})
    assert "has no `async def embed`" in error["message"]


@pytest.mark.parametrize("waits", ["await asyncio.sleep(3600)", "time.sleep(3600)"], ids=["async", "blocking"])
def test_a_slow_one_holds_up_nobody_and_can_be_cancelled(folder: Path, waits: str) -> None:
    write(folder, "import asyncio, time\n" + body("yield 'I begin'", waits, "yield AgentPlan()"))
    write(folder, body("yield AgentPlan(is_complete=True, summary='quick')"), "other")
    with SidecarProcess(backends_dir=str(folder)) as sidecar:
        slow = sidecar.start("inference.plan", plan_params("mine", "hi"))
        assert sidecar.next_progress() == {"id": slow, "text": "I begin"}
        assert sidecar.result("health.ping", {}) == {}
        assert sidecar.result("inference.plan", plan_params("other", "hi"))["plan"]["summary"] == "quick"
        sidecar.notify("$/cancel", {"id": slow})
        assert sidecar.answer(slow)["error"]["data"]["code"] == "cancelled"
        assert sidecar.end() == 0


def test_one_that_is_slow_to_import_holds_up_nobody(folder: Path) -> None:
    write(folder, "import time\ntime.sleep(3600)")
    with SidecarProcess(backends_dir=str(folder)) as sidecar:
        slow = sidecar.start("inference.plan", plan_params("mine", "hi"))
        assert sidecar.result("inference.plan", plan_params("offline", "what is here"))["plan"]["tool_calls"]
        sidecar.notify("$/cancel", {"id": slow})
        assert sidecar.answer(slow)["error"]["data"]["code"] == "cancelled"
        assert sidecar.end() == 0


def test_what_it_prints_never_reaches_the_protocol(folder: Path) -> None:
    prints = [
        "print('PRINTED')",
        "sys.stdout.write('WRITTEN\\n')",
        "sys.__stdout__.write('ORIGINAL\\n'); sys.__stdout__.flush()",
        "os.write(1, b'DESCRIPTOR\\n')",
        "subprocess.run(['sh', '-c', 'echo CHILD; cat'])",
        "input_is = sys.stdin.read()",
        "yield AgentPlan(is_complete=True, summary='done' + input_is)",
    ]
    write(folder, "import os, subprocess, sys\nprint('AT IMPORT')\n" + body(*prints))
    with SidecarProcess(backends_dir=str(folder)) as sidecar:
        assert sidecar.result("inference.plan", plan_params("mine", "hi"))["plan"]["summary"] == "done"
        sidecar.end()
        assert len(sidecar.raw_output) == 2
        for word in (b"AT IMPORT", b"PRINTED", b"WRITTEN", b"ORIGINAL", b"DESCRIPTOR", b"CHILD"):
            assert word in sidecar.log
