"""The protocol's types as msgspec structs, for the rest of the package to import."""

from deputy_sidecar.generated.protocol import *  # noqa: F403
from deputy_sidecar.generated.protocol import __all__ as __all__
