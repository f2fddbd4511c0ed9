"""The sidecar as a process: what goes in, what comes out, and that it always ends."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
from support.dice import dice
from support.model_server import ModelServer, delta, silent, stream
from support.process import PACKAGE_FOLDER, PATIENCE_SECS, SidecarProcess, plan_params

from deputy_sidecar import __version__, models
from deputy_sidecar.backends import SHIPPED
from deputy_sidecar.stdio import MAX_LINE_BYTES


def test_initialize_tells_the_versions_and_the_backends() -> None:
    with SidecarProcess() as sidecar:
        hello = msgspec.convert(sidecar.hello, models.InitializeResult)
    assert hello.protocol == models.PROTOCOL_VERSION
    assert hello.version == __version__
    assert hello.backends == list(SHIPPED)


def test_starting_imports_no_more_than_it_needs() -> None:
    heavy = ("httpx", "deputy_sidecar.offline", "deputy_sidecar.json_recovery")
    code = f"import sys, deputy_sidecar.server; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], cwd=PACKAGE_FOLDER, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_provider_is_asked_without_the_command_line_of_httpx() -> None:
    code = (
        "import sys, deputy_sidecar.provider.client as client; client.preload(); import httpx; "
        "print([name for name in ('click', 'rich', 'pygments') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=PACKAGE_FOLDER, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_another_protocol_is_refused_with_what_to_do() -> None:
    with SidecarProcess(initialize=False) as sidecar:
        error = sidecar.error("initialize", {"protocol": 99, "backends_dir": "", "keys": {}})
        assert "version 99 of the protocol" in error["message"]
        assert "same release" in error["message"]
        assert msgspec.convert(error["data"], models.PlanErrorData).code == "bad_settings"


def test_ping_before_and_after_initialize() -> None:
    with SidecarProcess(initialize=False) as sidecar:
        assert sidecar.result("health.ping", {}) == {}
        assert "initialize" in sidecar.error("inference.plan", plan_params("offline", "hello"))["message"]


def test_a_plan_is_streamed_and_answered() -> None:
    with SidecarProcess() as sidecar:
        request = sidecar.start("inference.plan", plan_params("offline", "what is in this folder"))
        assert sidecar.next_progress()["id"] == request
        reply = msgspec.convert(sidecar.answer(request)["result"], models.PlanReply)
    assert [call.tool for call in reply.plan.tool_calls] == ["search", "search"]


@pytest.mark.parametrize(
    ("line", "number", "answered_id", "says"),
    [
        (b"this is no JSON", -32700, None, "could not be read"),
        (b'{"jsonrpc": "2.0", "id": 5, "method"', -32700, None, "could not be read"),
        (b"\xff\xfe\x00", -32700, None, "could not be read"),
        (b"[" * 100_000, -32600, None, "not a JSON-RPC request"),
        (b'{"id": 5, "method": "health.ping", "params": ' + b"[" * 100_000, -32700, None, "could not be read"),
        (b"[]", -32600, None, "not a JSON-RPC request"),
        (b'{"id": 5}', -32600, 5, "method"),
        (b'{"id": "five", "method": "health.ping"}', -32600, "five", "id"),
        (b'{"id": 5, "method": "no.such"}', -32601, 5, "inference.plan"),
        (b'{"id": 5, "method": "inference.plan"}', -32602, 5, "backend"),
        (b'{"id": 5, "method": "inference.plan", "params": [1]}', -32602, 5, "parameters"),
        (
            b'{"id": 5, "method": "inference.embed", "params": {"backend": {"name": "x"}, "texts": [1]}}',
            -32602,
            5,
            "texts",
        ),
    ],
)
def test_what_cannot_be_answered_is_refused(line: bytes, number: int, answered_id: object, says: str) -> None:
    with SidecarProcess() as sidecar:
        sidecar.write(line + b"\n")
        refused = sidecar.next_line()
        assert refused["id"] == answered_id
        assert refused["error"]["code"] == number
        assert says in refused["error"]["message"]
        msgspec.convert(refused["error"]["data"], models.PlanErrorData)
        assert sidecar.result("health.ping", {}) == {}


def test_a_line_of_100_megabytes_is_refused_and_skipped() -> None:
    with SidecarProcess() as sidecar:
        piece = b"x" * 1_000_000
        for _ in range(100):
            sidecar.write(piece)
        sidecar.write(b"\n")
        refused = sidecar.next_line()
        assert f"{MAX_LINE_BYTES // 1024 // 1024} MiB" in refused["error"]["message"]
        assert sidecar.result("health.ping", {}) == {}


def test_notifications_are_never_answered() -> None:
    with SidecarProcess() as sidecar:
        sidecar.notify("no.such", {})
        sidecar.notify("$/cancel", {"id": 12345})
        sidecar.notify("$/cancel", {"id": {}})
        sidecar.write(b"\n   \n")
        assert sidecar.result("health.ping", {}) == {}
        assert len(sidecar.raw_output) == 2


def test_random_lines_never_stop_it() -> None:
    chance = dice()
    good = json.dumps(
        {"jsonrpc": "2.0", "id": 1, "method": "inference.plan", "params": plan_params("offline", "hi")}
    ).encode()
    with SidecarProcess() as sidecar:
        for _ in range(2000):
            line = bytearray(good if chance.random() < 0.7 else chance.randbytes(chance.randrange(200)))
            for _ in range(chance.randrange(6)):
                if line:
                    at = chance.randrange(len(line))
                    line[at : at + chance.randrange(4)] = chance.randbytes(chance.randrange(4))
            sidecar.write(bytes(line).replace(b"\n", b" ") + b"\n")
        last = sidecar.start("health.ping", {})
        while sidecar.next_line() != {"jsonrpc": "2.0", "id": last, "result": {}}:
            pass
        # Mutated parameters may well have been a plan; only the end must be clean.
        assert sidecar.end() == 0
    assert b"Traceback" not in sidecar.log, sidecar.log.decode()


def test_end_of_input_ends_it_with_a_request_under_way() -> None:
    with ModelServer(silent()) as server, SidecarProcess() as sidecar:
        request = sidecar.start("inference.plan", plan_params("openai_compatible", "hi", settings=server.settings()))
        sidecar.result("health.ping", {})
        assert sidecar.end() == 0
        assert json.loads(sidecar.raw_output[-1])["error"]["data"]["code"] == "cancelled"
        assert json.loads(sidecar.raw_output[-1])["id"] == request


def test_shutdown_is_answered_then_it_ends() -> None:
    with SidecarProcess() as sidecar:
        assert sidecar.result("lifecycle.shutdown", {}) == {}
        assert sidecar.process.wait(timeout=PATIENCE_SECS) == 0


def test_signals_interrupt_is_the_cores_affair_and_terminate_ends_cleanly() -> None:
    with SidecarProcess() as sidecar:
        sidecar.process.send_signal(signal.SIGINT)
        assert sidecar.result("health.ping", {}) == {}
        sidecar.process.send_signal(signal.SIGTERM)
        assert sidecar.process.wait(timeout=PATIENCE_SECS) == 0


def test_it_ends_when_nobody_reads_its_answers() -> None:
    reading, writing = os.pipe()
    process = subprocess.Popen(
        [sys.executable, "-m", "deputy_sidecar"], cwd=PACKAGE_FOLDER, stdin=subprocess.PIPE, stdout=writing
    )
    os.close(writing)
    os.close(reading)
    assert process.stdin is not None
    # Standard input stays open: only the loss of the reader can end it.
    process.stdin.write(b'{"id": 1, "method": "health.ping"}\n')
    process.stdin.flush()
    assert process.wait(timeout=PATIENCE_SECS) == 0
    process.stdin.close()


def test_a_cancelled_request_is_answered_and_the_connection_closed() -> None:
    with ModelServer(silent()) as server, SidecarProcess() as sidecar:
        request = sidecar.start("inference.plan", plan_params("openai_compatible", "hi", settings=server.settings()))
        while not server.requests:
            sidecar.result("health.ping", {})
        sidecar.notify("$/cancel", {"id": request})
        assert sidecar.answer(request)["error"]["data"]["code"] == "cancelled"
        assert server.hung_up.wait(PATIENCE_SECS)


def test_a_request_cancelled_in_the_same_breath_is_answered() -> None:
    request = json.dumps({"id": 77, "method": "inference.plan", "params": plan_params("offline", "hi")})
    with SidecarProcess() as sidecar:
        sidecar.write(f'{request}\n{{"method": "$/cancel", "params": {{"id": 77}}}}\n'.encode())
        assert sidecar.answer(77).keys() >= {"id"}
        sidecar.write(f'{request}\n{{"id": 78, "method": "lifecycle.shutdown"}}\n'.encode())
        assert {sidecar.answer(77)["id"], sidecar.answer(78)["id"]} == {77, 78}


def test_a_hundred_requests_at_a_time_have_an_answer_each() -> None:
    with ModelServer(stream(delta(content="done"), delta("stop"))) as server, SidecarProcess() as sidecar:
        params = plan_params("openai_compatible", "hi", settings=server.settings())
        requests = [sidecar.start("inference.plan", params) for _ in range(100)]
        assert {sidecar.answer(request)["result"]["plan"]["summary"] for request in requests} == {"done"}


def test_a_slow_request_holds_up_no_other() -> None:
    answer = stream(delta(content="done"), delta("stop"))
    with ModelServer(silent(), answer) as server, SidecarProcess() as sidecar:
        slow = sidecar.start("inference.plan", plan_params("openai_compatible", "one", settings=server.settings()))
        while not server.requests:
            sidecar.result("health.ping", {})
        quick = plan_params("openai_compatible", "two", settings=server.settings())
        assert sidecar.result("inference.plan", quick)["plan"]["summary"] == "done"
        sidecar.notify("$/cancel", {"id": slow})
        assert sidecar.answer(slow)["error"]["data"]["code"] == "cancelled"


def test_an_id_in_use_is_refused() -> None:
    with ModelServer(silent()) as server, SidecarProcess() as sidecar:
        request = sidecar.start("inference.plan", plan_params("openai_compatible", "one", settings=server.settings()))
        sidecar.write(json.dumps({"id": request, "method": "health.ping"}).encode() + b"\n")
        assert "still running" in sidecar.answer(request)["error"]["message"]


def test_an_unknown_backend_names_those_there_are(tmp_path: Path) -> None:
    with SidecarProcess(backends_dir=str(tmp_path)) as sidecar:
        for name in ("nothing", "../etc/passwd", "", "a/b", "a.b", "ä"):
            error = sidecar.error("inference.plan", plan_params(name, "hi"))
            assert error["code"] == -32000
            assert error["data"]["code"] == "bad_settings"
            assert ", ".join(SHIPPED) in error["message"]


def test_a_conversation_that_does_not_fit_is_told_as_such() -> None:
    with SidecarProcess() as sidecar:
        for change in ({"messages": [{"role": "robot"}]}, {"tools": [{"name": "search"}]}, {"messages": [5]}):
            for backend in ("offline", "openai_compatible"):
                params = plan_params(backend, "hi", settings={"model": "x"}) | change
                assert "conversation cannot be read" in sidecar.error("inference.plan", params)["message"]
        sidecar.end()
        assert b"Traceback" not in sidecar.log


def test_what_a_backend_cannot_do_is_said() -> None:
    with SidecarProcess() as sidecar:
        error = sidecar.error("inference.embed", {"backend": {"name": "offline"}, "texts": ["x"]})
        assert error["data"]["code"] == "bad_settings"
        assert "no `embed`" in error["message"]
