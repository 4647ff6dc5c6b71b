"""The robots of this machine: the local sockets of their servers, and the user's folder of settings.

The rules are those of the program `dcm-run`, so that a robot has the same name in both.
"""

from __future__ import annotations

import os
from pathlib import Path

# The sockets of a robot's system service.
MACHINE = Path("/run/dcm-run")


def _set(key: str) -> Path | None:
    """A folder from the environment; an empty variable counts as unset."""
    value = os.environ.get(key)
    return Path(value) if value else None


def _user() -> int | None:
    """The user number, if the system has one."""
    return os.geteuid() if hasattr(os, "geteuid") else None


def _folders() -> list[Path]:
    """The folders with sockets, the user's first. `DCM_RUN_DIR` replaces all of them."""
    asked = _set("DCM_RUN_DIR")
    if asked:
        return [asked]
    own = _set("RUNTIME_DIRECTORY")
    if own is None and _user() not in (0, None):
        session = _set("XDG_RUNTIME_DIR")
        own = session / "dcm-run" if session else Path(f"/tmp/dcm-run-{_user()}")
    return [MACHINE] if own in (None, MACHINE) else [own, MACHINE]


def _is_name(name: str) -> bool:
    """Whether this is a valid name of a loop. It is part of a file's name."""
    return 0 < len(name) <= 64 and name.isascii() and all(it.isalnum() or it in "-_" for it in name)


def local_socket(name: str) -> Path | None:
    """The socket of the server of the robot with this name, if there is one on this machine."""
    if not _is_name(name):
        return None
    # The system service is also found with `DCM_RUN_DIR`, as in `dcm-run`.
    folders = _folders()
    folders += [] if MACHINE in folders else [MACHINE]
    sockets = [folder / f"{name}.api" for folder in folders]
    return next((socket for socket in sockets if socket.exists()), None)


def local_names() -> list[str]:
    """The robots with a server on this machine. Both sockets must exist: a loop that has ended removes only its own."""
    names: set[str] = set()
    for folder in _folders():
        try:
            found = {it.stem for it in folder.iterdir() if it.suffix == ".sock"}
        except OSError:
            continue
        names.update(it for it in found if local_socket(it))
    return sorted(names)


def config_folder() -> Path | None:
    """The folder of this user's file of paired robots; None without a home."""
    asked = _set("DCM_RUN_DIR")
    if asked:
        return asked / "config"
    config = _set("XDG_CONFIG_HOME")
    if config:
        return config / "dcm-run"
    home = _set("HOME")
    return home / ".config" / "dcm-run" if home else None
