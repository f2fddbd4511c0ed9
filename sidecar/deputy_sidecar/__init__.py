"""Deputy's sidecar: makes plans, completions and embeddings with the user's model, over JSON-RPC on stdio."""

__version__ = "0.1.0"
