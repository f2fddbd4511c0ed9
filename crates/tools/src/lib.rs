//! What a task can do: one file a tool, and the registry that checks every call.
