"""Where robots of this machine are found: the local sockets of their servers, and the user's own folder.

The rules are those of the `dcm-run` program, so that a robot has the same name for both.
"""

from __future__ import annotations

import os
from pathlib import Path

# Where a robot's own service puts its sockets, whichever user runs it.
MACHINE = Path("/run/dcm-run")


def _set(key: str) -> Path | None:
    """A folder from the environment; one that is set to nothing counts as not set."""
    value = os.environ.get(key)
    return Path(value) if value else None


def _user() -> int | None:
    """The user's number, where users have numbers."""
    return os.geteuid() if hasattr(os, "geteuid") else None


def _folders() -> list[Path]:
    """Folders with sockets, the user's own first. A folder that was asked for is the only one."""
    asked = _set("DCM_RUN_DIR")
    if asked:
        return [asked]
    own = _set("RUNTIME_DIRECTORY")
    if own is None and _user() not in (0, None):
        session = _set("XDG_RUNTIME_DIR")
        own = session / "dcm-run" if session else Path(f"/tmp/dcm-run-{_user()}")
    return [MACHINE] if own in (None, MACHINE) else [own, MACHINE]


def _is_name(name: str) -> bool:
    """Whether a robot's loop can have this name. It becomes a file's name, so nothing else may pass."""
    return 0 < len(name) <= 64 and name.isascii() and all(it.isalnum() or it in "-_" for it in name)


def local_socket(name: str) -> Path | None:
    """The socket of the server of the robot with this name, if there is one on this machine."""
    if not _is_name(name):
        return None
    # A robot of the machine is found even from a folder that was asked for, as `dcm-run` finds it.
    folders = _folders()
    folders += [] if MACHINE in folders else [MACHINE]
    sockets = [folder / f"{name}.api" for folder in folders]
    return next((socket for socket in sockets if socket.exists()), None)


def local_names() -> list[str]:
    """The robots with a server on this machine. Both sockets count: a loop that has ended takes only its own away."""
    names: set[str] = set()
    for folder in _folders():
        try:
            found = {it.stem for it in folder.iterdir() if it.suffix == ".sock"}
        except OSError:
            continue
        names.update(it for it in found if local_socket(it))
    return sorted(names)


def config_folder() -> Path | None:
    """Where this user's file of paired robots lies. Without a home there is none."""
    asked = _set("DCM_RUN_DIR")
    if asked:
        return asked / "config"
    config = _set("XDG_CONFIG_HOME")
    if config:
        return config / "dcm-run"
    home = _set("HOME")
    return home / ".config" / "dcm-run" if home else None
