"""The settings of an OpenAI-compatible provider, checked once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

import msgspec

from deputy_sidecar.errors import BadSettingsError

__all__ = ["Settings", "read_settings"]

Seconds = Annotated[float, msgspec.Meta(gt=0, le=24 * 3600)]


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What `backends.openai_compatible` in config.toml may hold, and the key."""

    base_url: str = "https://api.openai.com/v1"
    model: str = ""
    # Local servers need none.
    api_key: str = ""
    # Longest silence of the provider: until the first piece, and between two pieces.
    timeout_secs: Seconds = 120.0
    connect_timeout_secs: Seconds = 10.0
    # Longest time for a whole answer.
    total_timeout_secs: Seconds = 900.0
    # Only for what cannot have had an effect: refused connections, 429 and 5xx, before the first piece.
    max_retries: Annotated[int, msgspec.Meta(ge=0, le=10)] = 2
    # Longest wait the provider may ask for; beyond it the core is told and waits itself.
    max_retry_wait_secs: Annotated[float, msgspec.Meta(ge=0, le=600)] = 20.0
    temperature: Annotated[float, msgspec.Meta(ge=0, le=2)] | None = None
    max_output_tokens: Annotated[int, msgspec.Meta(ge=1)] | None = None
    extra_headers: dict[str, str] = {}
    # `auto`: the provider's own tool calling until it says that it has none.
    supports_tools: bool | Literal["auto"] = "auto"
    embedding_model: str = ""
    # Whether the model takes pictures. The core hands their bytes over only where this is set.
    pictures: bool = False

    @property
    def host(self) -> str:
        """The provider's host, for messages."""
        return urlsplit(self.base_url).hostname or self.base_url

    @property
    def is_local(self) -> bool:
        """Whether the provider runs on this machine: no proxy stands between."""
        return self.host in {"localhost", "127.0.0.1", "::1"}


def read_settings(settings: Mapping[str, Any]) -> Settings:
    """Checks them; raises `BadSettingsError` that names the setting."""
    # `api_key_env` is the core's: it reads the variable and hands the key over.
    own = {name: value for name, value in settings.items() if name != "api_key_env"}
    try:
        checked = msgspec.convert(own, Settings, strict=False)
    except msgspec.ValidationError as error:
        raise BadSettingsError(
            f"A setting of backend openai_compatible is wrong: {error}. "
            "Correct it with `deputy config set backends.openai_compatible.SETTING VALUE`."
        ) from None
    try:
        parts = urlsplit(checked.base_url)
        is_usable = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_usable = False
    if not is_usable:
        raise BadSettingsError(
            f"The base_url {checked.base_url!r} of backend openai_compatible is no http or https address. Set it with "
            "`deputy config set backends.openai_compatible.base_url http://127.0.0.1:11434/v1`."
        )
    return checked
