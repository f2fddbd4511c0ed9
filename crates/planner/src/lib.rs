//! Client of the Python sidecar: spawn, frame, time out, restart.
