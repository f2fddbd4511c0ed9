"""The inbox is data: tests that lie in it are not ours to run."""

collect_ignore = ["inbox"]
