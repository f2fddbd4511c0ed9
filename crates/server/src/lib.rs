//! One host a home: the lock, the Unix socket, and the client that speaks to it.
