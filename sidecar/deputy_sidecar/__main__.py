"""Starts the sidecar: `python -m deputy_sidecar`, spoken to over its standard input and output."""

from __future__ import annotations

import os
import sys

from deputy_sidecar.stdio import take_over_stdio

# The one argument there is: for a process that only embeds.
CONFINED = "--confined"


def main() -> None:
    """Serves until standard input ends or the core says so; with `--confined`, behind walls of its own."""
    if CONFINED in sys.argv[1:]:
        from deputy_sidecar.confinement import confine

        # Where there are no walls, nothing is served: what failed is the last line of the log.
        confine()
    # Before anything else is imported, so that no import can print into the protocol.
    stdio = take_over_stdio()

    from deputy_sidecar.server import serve

    code = serve(stdio)
    stdio.log.finish()
    # A backend's stuck thread must not keep the process: everything worth keeping has been written.
    os._exit(code)


if __name__ == "__main__":
    if sys.argv[1:] not in ([], [CONFINED]):
        sys.exit(
            "deputy_sidecar takes no arguments but --confined: `deputy` starts it and speaks to it by stdin and stdout."
        )
    main()
