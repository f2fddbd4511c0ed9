"""Starts the sidecar: `python -m deputy_sidecar`, spoken to over its standard input and output."""

from __future__ import annotations

import os
import sys

from deputy_sidecar.stdio import take_over_stdio


def main() -> None:
    """Serves until standard input ends or the core says so."""
    # Before anything else is imported, so that no import can print into the protocol.
    stdio = take_over_stdio()

    from deputy_sidecar.server import serve

    code = serve(stdio)
    stdio.log.finish()
    # A backend's stuck thread must not keep the process: everything worth keeping has been written.
    os._exit(code)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        sys.exit("deputy_sidecar takes no arguments: it is started by `deputy` and spoken to over stdin and stdout.")
    main()
