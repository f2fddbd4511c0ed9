"""Any provider with the chat completions API: OpenAI, Ollama, LM Studio, llama.cpp, vLLM, OpenRouter and many more."""

# /// deputy
# label = "OpenAI-compatible"
# summary = "Any server with the chat completions API: LM Studio, llama.cpp, vLLM, OpenRouter and many more."
# takes_key = true
# probe = "models"
# local_address = "http://127.0.0.1:{port}/v1"
# usual_keys = [
#   { host = "api.openai.com", variable = "OPENAI_API_KEY" },
#   { host = "openrouter.ai", variable = "OPENROUTER_API_KEY" },
#   { host = "api.groq.com", variable = "GROQ_API_KEY" },
#   { host = "api.mistral.ai", variable = "MISTRAL_API_KEY" },
#   { host = "api.deepseek.com", variable = "DEEPSEEK_API_KEY" },
# ]
# presets = [
#   { label = "Ollama", address = "http://127.0.0.1:11434/v1" },
#   { label = "LM Studio", address = "http://127.0.0.1:1234/v1" },
#   { label = "OpenAI", address = "https://api.openai.com/v1" },
#   { label = "OpenRouter", address = "https://openrouter.ai/api/v1" },
# ]
# settings = [
#   { name = "base_url", label = "Address", kind = "address", default = "https://api.openai.com/v1", hint = "Usually ends in /v1." },
#   { name = "model", label = "Model", kind = "model", required = true },
#   { name = "max_output_tokens", label = "Longest answer, in tokens", kind = "number" },
#   { name = "temperature", label = "Temperature", kind = "number", advanced = true },
#   { name = "supports_tools", label = "Calls tools itself", kind = "choice", choices = ["auto", "true", "false"], default = "auto", advanced = true },
#   { name = "pictures", label = "Takes pictures", kind = "switch", default = false, advanced = true },
#   { name = "embedding_model", label = "Model for embeddings", kind = "model", advanced = true },
#   { name = "timeout_secs", label = "Longest silence, in seconds", kind = "number", default = 120, advanced = true },
#   { name = "first_token_timeout_secs", label = "Longest wait for the first words, in seconds", kind = "number", hint = "As the longest silence where it is not set.", advanced = true },
#   { name = "connect_timeout_secs", label = "Longest wait for a connection, in seconds", kind = "number", default = 10, advanced = true },
#   { name = "total_timeout_secs", label = "Longest answer, in seconds", kind = "number", default = 900, advanced = true },
#   { name = "max_retries", label = "Attempts after a failure", kind = "number", default = 2, advanced = true },
#   { name = "max_retry_wait_secs", label = "Longest wait before an attempt, in seconds", kind = "number", default = 5, advanced = true },
#   { name = "extra_headers", label = "Headers of each request", kind = "table", advanced = true },
# ]
# ///

from __future__ import annotations

from typing import ClassVar

from deputy_sidecar.backend import Backend
from deputy_sidecar.chat_completions.backend import ChatBackend, ChatSettings
from deputy_sidecar.provider.client import preload

__all__ = ["OpenAICompatible", "create", "preload"]


class Settings(ChatSettings, frozen=True):
    """The settings of `backends.openai_compatible` in config.toml, and the key."""

    backend: ClassVar[str] = "openai_compatible"

    base_url: str = "https://api.openai.com/v1"


class OpenAICompatible(ChatBackend[Settings]):
    """Makes plans with a chat model over HTTP."""

    name = "openai_compatible"
    settings_kind = Settings


def create() -> Backend:
    """Returns a backend that is not configured yet."""
    return OpenAICompatible()
