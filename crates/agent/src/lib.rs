//! The agent loop: a pure state machine, its driver, and the host of all tasks.
