"""What the tests share: the sidecar as a process, a scripted provider, and tools that work on real folders."""
