"""Checks a call against the schema that a request declared, as a model does that knows nothing else."""

from __future__ import annotations

from drive import Json
from jsonschema_rs import Draft202012Validator

__all__ = ["misfits"]


def misfits(declared: dict[str, Json], function: str, arguments: Json) -> list[str]:
    """Returns what is wrong with a call: an undeclared function, or arguments that do not fit its schema."""
    if function not in declared:
        return [f"{function} is not declared"]
    return [
        error.message for error in Draft202012Validator(closed(declared[function])).iter_errors(arguments)
    ]


def closed(schema: Json) -> Json:
    """Returns the schema without room for names that it does not list. Deputy's schemas do not say this each time."""
    found = dict(schema)
    if properties := schema.get("properties"):
        found["properties"] = {name: closed(each) for name, each in properties.items()}
        found["additionalProperties"] = False
    if "items" in schema:
        found["items"] = closed(schema["items"])
    return found
