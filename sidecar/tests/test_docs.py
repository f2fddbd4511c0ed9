"""The pages about backends and the sidecar: their example is run as it is there."""

import importlib
import re
import tomllib
from pathlib import Path
from typing import get_args

import pytest
from support.process import SidecarProcess, plan_params

from deputy_sidecar.backends import SHIPPED
from deputy_sidecar.models import PlanErrorCode
from deputy_sidecar.provider.settings import ProviderSettings, read_settings

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "backends.md").read_text(encoding="utf-8")
PROTOCOL = (DOCS / "sidecar.md").read_text(encoding="utf-8")


def test_the_example_works_as_it_stands(tmp_path: Path) -> None:
    (example,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    (tmp_path / "echo.py").write_text(example, encoding="utf-8")
    with SidecarProcess(backends_dir=str(tmp_path)) as sidecar:
        assert "echo" in sidecar.hello["backends"]
        # What `deputy backends check echo` asks, which the page says to type next.
        assert sidecar.result("model.list", {"backend": {"name": "echo", "settings": {}}}) == {"models": []}
        assert sidecar.result("model.list", {"backend": {"name": "offline", "settings": {}}}) == {"models": []}
        params = plan_params("echo", "Hello there.", settings={"greeting": "I heard"})
        first = sidecar.result("inference.plan", params)["plan"]
        assert sidecar.progress[-1]["text"] == "Let me look. "
        call = first["tool_calls"][0] | {"id": "t1-1-1"}
        params["messages"] += [
            {"role": "assistant", "text": first["reasoning"], "tool_calls": [call]},
            {"role": "tool", "call": "t1-1-1", "tool": "list_dir", "content": "a.txt\n1 file", "ok": True},
        ]
        last = sidecar.result("inference.plan", params)
        assert last["plan"]["summary"] == "I heard: Hello there.\nThere is:\na.txt\n1 file"
        assert last["usage"]["input_tokens"] == len("Hello there.")
        error = sidecar.error("inference.plan", plan_params("echo", "x", settings={"greeting": 5}))
        assert error["data"]["code"] == "bad_settings"


SETTINGS = [
    importlib.import_module(f"deputy_sidecar.backends.{name}").Settings for name in SHIPPED if name != "offline"
]


def test_the_pages_name_every_setting_and_every_code() -> None:
    for settings in SETTINGS:
        for setting in settings.__struct_fields__:
            assert setting == "api_key" or f"`{setting}`" in PAGE
    for code in get_args(PlanErrorCode):
        # `sidecar` is the core's own word for a sidecar that does not answer.
        assert code == "sidecar" or f"| `{code}` |" in PROTOCOL


@pytest.mark.parametrize("kind", SETTINGS, ids=lambda kind: kind.backend)
def test_what_a_backend_declares_is_what_it_takes(kind: type[ProviderSettings]) -> None:
    backends = Path(__file__).parents[1] / "deputy_sidecar" / "backends"
    text = (backends / f"{kind.backend}.py").read_text(encoding="utf-8")
    (block,) = re.findall(r"^# /// deputy\n((?:#.*\n)*?)# ///$", text, re.MULTILINE)
    listed = tomllib.loads(re.sub(r"^# ?", "", block, flags=re.MULTILINE))["settings"]
    declared = {each["name"]: each.get("default") for each in listed}
    assert set(declared) == set(kind.__struct_fields__) - {"api_key"}
    settings = kind()
    assert all((getattr(settings, name) or None) == (usual or None) for name, usual in declared.items())
    for each in listed:
        for choice in each.get("choices", ()):
            read_settings(kind, {each["name"]: choice})
