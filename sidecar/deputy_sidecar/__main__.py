"""Starts the sidecar: `python -m deputy_sidecar`. It communicates over its standard input and output."""

from __future__ import annotations

import os
import sys

from deputy_sidecar.stdio import take_over_stdio

# The only argument: for a process that only computes embeddings.
CONFINED = "--confined"


def main() -> None:
    """Serves until standard input ends or the core requests shutdown. With `--confined`, sandboxes itself first."""
    if CONFINED in sys.argv[1:]:
        from deputy_sidecar.confinement import confine

        # If sandboxing fails, nothing is served. The reason is the last line of the log.
        confine()
    # Before all other imports, so that no import can print into the protocol.
    stdio = take_over_stdio()

    from deputy_sidecar.server import serve

    code = serve(stdio)
    stdio.log.finish()
    # A stuck thread of a backend must not keep the process alive. Everything worth keeping is already written.
    os._exit(code)


if __name__ == "__main__":
    if sys.argv[1:] not in ([], [CONFINED]):
        sys.exit(
            "deputy_sidecar takes no arguments but --confined: `deputy` starts it and speaks to it by stdin and stdout."
        )
    main()
