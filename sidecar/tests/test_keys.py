"""Keys come in by `initialize` and never come out again."""

from pathlib import Path

import pytest
from support.model_server import ModelServer, reply
from support.process import SidecarProcess, plan_params

from deputy_sidecar.redaction import Redactor

KEY = 'k3y/with+odd"chars-9f8e7d6c5b4a'

LEAKY = """
import logging, os, sys
from deputy_sidecar.backend import AgentPlan

class Leaky:
    name = "leaky"

    def configure(self, settings):
        self.key = settings["api_key"]
        print("configured with", self.key, file=sys.stderr)
        print("half a", self.key[:5], end="")
        print(self.key[5:])
        logging.warning("the key is %s", self.key)

    async def plan(self, request):
        raise ValueError(f"the provider refused {self.key!r} in {{'Authorization': 'Bearer {self.key}'}}")
        yield AgentPlan()
"""


def test_a_leaky_backend_leaks_nothing(tmp_path: Path) -> None:
    (tmp_path / "leaky.py").write_text(LEAKY, encoding="utf-8")
    with SidecarProcess(backends_dir=str(tmp_path), keys={"leaky": KEY}) as sidecar:
        error = sidecar.error("inference.plan", plan_params("leaky", "hi"))
        sidecar.end()
        everything = b"".join(sidecar.raw_output) + sidecar.log
    assert "[redacted]" in error["message"]
    assert b"the key is [redacted]" in sidecar.log
    assert KEY.encode() not in everything
    assert KEY.replace('"', '\\"').encode() not in everything


@pytest.mark.parametrize("status", [400, 401, 404, 429, 500])
def test_a_provider_that_quotes_the_key_and_headers(status: int) -> None:
    key, header = "my-plain-key-123456", "tenant-secret-987654"
    with ModelServer(
        reply(status, {"error": {"message": f"bad key {key} and {header}; also sk-abcdefghijklmnopqrstuvwx"}})
    ) as server:
        settings = server.settings(max_retries=0, extra_headers={"X-Tenant": header})
        with SidecarProcess(keys={"openai_compatible": key}) as sidecar:
            error = sidecar.error("inference.plan", plan_params("openai_compatible", "hi", settings=settings))
            sidecar.end()
            everything = b"".join(sidecar.raw_output) + sidecar.log
    assert server.requests[0].headers["authorization"] == f"Bearer {key}"
    assert error["message"].count("[redacted]") == 3
    for secret in (key, header, "sk-abcdefghij"):
        assert secret.encode() not in everything


def test_a_password_in_the_address_is_taken_out() -> None:
    settings = {"base_url": "http://me:pass-word-77@127.0.0.1:1/v1", "model": "x", "max_retries": 0}
    with SidecarProcess() as sidecar:
        error = sidecar.error("inference.plan", plan_params("openai_compatible", "hi", settings=settings))
    assert "cannot be reached" in error["message"]
    assert "pass-word-77" not in error["message"]


def test_keys_are_not_in_the_environment_or_the_arguments() -> None:
    with SidecarProcess(keys={"openai_compatible": KEY}) as sidecar:
        for name in ("environ", "cmdline"):
            assert KEY.encode() not in Path(f"/proc/{sidecar.process.pid}/{name}").read_bytes()


def test_redaction() -> None:
    redactor = Redactor()
    redactor.add("none")
    redactor.add("secret-1")
    redactor.add("secret-1-longer")
    assert redactor.clean("none: secret-1-longer, secret-1.") == "none: [redacted], [redacted]."
    assert redactor.clean("Authorization: Bearer abcdefgh") == "Authorization: Bearer [redacted]"
    assert (
        redactor.clean("a skeleton key in the task-list_of_many_words")
        == "a skeleton key in the task-list_of_many_words"
    )
