"""The protocol's types as msgspec structs, for the rest of the package to import."""

from deputy_sidecar.generated.protocol import *
from deputy_sidecar.generated.protocol import __all__ as __all__  # noqa: PLC0414
