"""Sandboxes the current process. It is for a process that only reads untrusted text with code written in C.

Afterwards the process and all its threads can write no files, start no programs and open no sockets, and can read
only the system's folders and Python's. Open descriptors, such as standard input and output, stay usable.
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import struct
import sys
from pathlib import Path
from typing import Final, NamedTuple

__all__ = ["confine"]

# Landlock rights that require a granted path, by the ABI version that introduced them.
_EXECUTE, _READ_FILE, _READ_DIR = 1 << 0, 1 << 2, 1 << 3
_FILES: Final = {1: (1 << 13) - 1, 2: 1 << 13, 3: 1 << 14, 5: 1 << 15}
_TCP: Final = {4: 0b11}
_SCOPES: Final = {6: 0b11}
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_READABLE: Final = ("/usr", "/lib", "/lib64", "/bin", "/etc", "/proc", "/sys", "/dev/null", "/dev/urandom")

_NO_NEW_PRIVILEGES, _SET_SECCOMP, _FILTER = 38, 22, 2


class _Machine(NamedTuple):
    """The audit number of an architecture, and the system calls that are refused on it."""

    audit: int
    calls: tuple[int, ...]


# socket, execve, execveat, kill, ptrace, process_vm_readv, process_vm_writev, pidfd_getfd, io_uring_setup
_MACHINES: Final = {
    "x86_64": _Machine(0xC000003E, (41, 59, 322, 62, 101, 310, 311, 438, 425)),
    "aarch64": _Machine(0xC00000B7, (198, 221, 281, 129, 117, 270, 271, 438, 425)),
}


def confine() -> None:
    """Sandboxes the process.

    Call it before any thread is started. Raises `OSError` if the kernel does not support it.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0) != 0:
        raise _failed("giving up new privileges")
    _refuse_files(libc)
    _refuse_calls(libc)


def _refuse_files(libc: ctypes.CDLL) -> None:
    version = libc.syscall(_CREATE_RULESET, None, 0, 1)
    if version < 1:
        # The kernel has no Landlock. Programs and sockets are still blocked.
        return
    handled = [sum(bits for since, bits in rights.items() if since <= version) for rights in (_FILES, _TCP, _SCOPES)]
    rights = struct.pack("=QQQ", *handled)
    size = 8 if version < 4 else 16 if version < 6 else 24
    ruleset = libc.syscall(_CREATE_RULESET, rights[:size], size, 0)
    if ruleset < 0:
        raise _failed("making a Landlock rule set")
    try:
        for folder in {*_READABLE, sys.prefix, sys.base_prefix, str(Path(__file__).parent)}:
            _grant(libc, ruleset, folder)
        if libc.syscall(_RESTRICT_SELF, ruleset, 0) != 0:
            raise _failed("enforcing a Landlock rule set")
    finally:
        os.close(ruleset)


def _grant(libc: ctypes.CDLL, ruleset: int, path: str) -> None:
    try:
        granted = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        # Not every machine has all of these paths.
        return
    try:
        reads = _READ_FILE | (_READ_DIR if Path(path).is_dir() else 0)
        rule = struct.pack("=Qi", reads, granted)
        if libc.syscall(_ADD_RULE, ruleset, 1, rule, 0) != 0:
            raise _failed(f"granting {path}")
    finally:
        os.close(granted)


def _refuse_calls(libc: ctypes.CDLL) -> None:
    machine = _MACHINES.get(platform.machine())
    if machine is None:
        raise OSError(errno.ENOTSUP, f"no list of system calls is known for {platform.machine()}")
    load, equal, above, answer = 0x20, 0x15, 0x35, 0x06
    refused, killed, allowed = 0x0005_0000 | errno.EPERM, 0x8000_0000, 0x7FFF_0000
    # A call for another architecture kills the process. x32 calls are refused by their number.
    program = [(load, 0, 0, 4), (equal, 1, 0, machine.audit), (answer, 0, 0, killed), (load, 0, 0, 0)]
    program += [(above, 0, 1, 0x4000_0000), (answer, 0, 0, refused)]
    for call in machine.calls:
        program += [(equal, 0, 1, call), (answer, 0, 0, refused)]
    program.append((answer, 0, 0, allowed))
    code = ctypes.create_string_buffer(b"".join(struct.pack("=HBBI", *line) for line in program))
    described = struct.pack("@HxxxxxxP", len(program), ctypes.addressof(code))
    if libc.prctl(_SET_SECCOMP, _FILTER, described, 0, 0) != 0:
        raise _failed("setting a seccomp filter")


def _failed(what: str) -> OSError:
    number = ctypes.get_errno()
    return OSError(number, f"{what} failed: {os.strerror(number)}")
