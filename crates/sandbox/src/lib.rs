//! The operating system's walls: runs a child process under a confinement.
