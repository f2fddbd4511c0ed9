"""The common settings of all HTTP providers, and their validation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, TypeVar
from urllib.parse import urlsplit

import msgspec

from deputy_sidecar.errors import BadSettingsError
from deputy_sidecar.generated import messages as say
from deputy_sidecar.said import Said

__all__ = ["ProviderSettings", "Seconds", "read_settings"]

Seconds = Annotated[float, msgspec.Meta(gt=0, le=24 * 3600)]

S = TypeVar("S", bound="ProviderSettings")


class ProviderSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The common settings of `backends.NAME` in config.toml, and the key. A backend adds its own."""

    # The backend's name, for messages.
    backend: ClassVar[str] = ""

    base_url: str = ""
    model: str = ""
    # Local servers need no key.
    api_key: str = ""
    # The maximum silence between two pieces of an answer.
    timeout_secs: Seconds = 120.0
    # The maximum wait for the first piece. Models that have to load or think need more. Default: `timeout_secs`.
    first_token_timeout_secs: Seconds | None = None
    connect_timeout_secs: Seconds = 10.0
    # The maximum time for a whole answer.
    total_timeout_secs: Seconds = 900.0
    # Only for requests that cannot have had an effect: refused connections, 429 and 5xx, before the first piece.
    max_retries: Annotated[int, msgspec.Meta(ge=0, le=10)] = 2
    # The maximum wait that the provider may ask for. Beyond it, the core waits itself.
    max_retry_wait_secs: Annotated[float, msgspec.Meta(ge=0, le=600)] = 5.0
    temperature: Annotated[float, msgspec.Meta(ge=0, le=2)] | None = None
    max_output_tokens: Annotated[int, msgspec.Meta(ge=1)] | None = None
    extra_headers: dict[str, str] = {}
    # Whether the model accepts pictures. The core sends their bytes only if this is set.
    pictures: bool = False

    @property
    def host(self) -> str:
        """The provider's host, for messages."""
        return urlsplit(self.base_url).hostname or self.base_url

    def asked(self, why: str, attempts: int | None = None) -> Said:
        """Describes what was tried, how often if known, and why it failed."""
        if attempts is None:
            return say.asked(host=self.host, model=repr(self.model), why=why)
        return say.asked_times(host=self.host, model=repr(self.model), attempts=attempts, why=why)

    @property
    def is_local(self) -> bool:
        """Whether the provider runs on this machine, so that no proxy is used."""
        return self.host in {"localhost", "127.0.0.1", "::1"}

    def key_headers(self) -> dict[str, str]:
        """The headers with the key."""
        return {"authorization": f"Bearer {self.api_key}"} if self.api_key else {}


def read_settings(kind: type[S], settings: Mapping[str, Any]) -> S:
    """Validates the settings. Raises a `BadSettingsError` that names the invalid setting."""
    # The core handles `api_key_env`: it reads the variable and sends the key.
    own = {name: value for name, value in settings.items() if name != "api_key_env"}
    try:
        checked = msgspec.convert(own, kind, strict=False)
    except msgspec.ValidationError as error:
        raise BadSettingsError(say.setting_is_wrong(backend=kind.backend, error=error)) from None
    try:
        parts = urlsplit(checked.base_url)
        is_usable = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_usable = False
    if not is_usable:
        raise BadSettingsError(say.no_web_address(address=repr(checked.base_url), backend=kind.backend))
    return checked
