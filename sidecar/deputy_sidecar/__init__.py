"""Deputy's sidecar: plans, completes and embeds with whatever model the user chose, over JSON-RPC on stdio."""

__version__ = "0.1.0"
