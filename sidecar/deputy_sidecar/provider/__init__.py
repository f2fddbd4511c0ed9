"""Shared code of the backends that use HTTP: connections, retries, failures, answers, conversations, plans."""
