"""The providers' dialects, spoken by the server on loopback: one double for each way a backend is asked.

What a double sends is read by the provider's own package in `test_real_packages.py`, so that a double cannot drift from
the provider while the backend drifts with it.
"""

from support.dialects.chat import Chat, ChatOfOpenAI
from support.dialects.claude import Claude
from support.dialects.double import USED, Double, Said
from support.dialects.google import Google
from support.dialects.local_ollama import LocalOllama
from support.dialects.responses import OpenAIResponses

__all__ = ["DIALECTS", "USED", "Double", "Said"]

DIALECTS: list[Double] = [Chat(), ChatOfOpenAI(), OpenAIResponses(), Claude(), Google(), LocalOllama()]
