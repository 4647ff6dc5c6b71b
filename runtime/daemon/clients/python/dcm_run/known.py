"""The robots that this user has paired with: address, fingerprint, token. `dcm-run pair` writes the file.

This client only reads it: a file of secrets should have one writer.
"""

from __future__ import annotations

import json
import re
import sys
from dataclasses import dataclass, field
from typing import Any

from .errors import RobotError
from .places import config_folder


@dataclass(frozen=True)
class Known:
    """A paired robot. Its token is never printed, not even in a traceback."""

    name: str
    address: str
    fingerprint: str | None = None
    token: str | None = field(default=None, repr=False)


def known_robots() -> list[Known]:
    """All robots in this user's file; none if there is no file."""
    folder = config_folder()
    if folder is None:
        return []
    path = folder / "robots.toml"
    try:
        return _robots(_table(path.read_text(encoding="utf-8")))
    except FileNotFoundError:
        return []
    except (OSError, ValueError) as error:
        raise RobotError("known", f"{path}: {error}", "repair it, or remove it and pair again: `dcm-run pair`") \
            from error


def find_known(name: str) -> Known | None:
    """The robot with this name, else the one with this address."""
    robots = known_robots()
    by_name = [it for it in robots if it.name == name]
    by_address = [it for it in robots if it.address == name]
    return next(iter(by_name + by_address), None)


def _robots(table: dict[str, Any]) -> list[Known]:
    robots = []
    for name, row in table.items():
        if not isinstance(row, dict) or "address" not in row:
            raise ValueError(f"`{name}` has no address")
        if not all(isinstance(it, str) for it in row.values()):
            raise ValueError(f"`{name}` has a value that is not a text")
        robots.append(Known(name, row["address"], row.get("fingerprint"), row.get("token")))
    return robots


def _table(text: str) -> dict[str, Any]:
    if sys.version_info >= (3, 11):
        import tomllib

        return tomllib.loads(text)
    return read_flat(text)


# A name or a value: "basic", 'literal', or bare.
_WORD = r"""("(?:[^"\\]|\\.)*"|'[^']*'|[A-Za-z0-9_-]+)"""
_HEAD = re.compile(rf"\[\s*{_WORD}\s*\]\s*(?:#.*)?")
_PAIR = re.compile(rf"{_WORD}\s*=\s*{_WORD}\s*(?:#.*)?")


def read_flat(text: str) -> dict[str, Any]:
    """Parses the part of TOML that this file uses: tables of texts. For versions of Python without `tomllib`."""
    table: dict[str, Any] = {}
    row: dict[str, Any] = table
    for number, line in enumerate(text.splitlines(), 1):
        line = line.strip()
        head, pair = _HEAD.fullmatch(line), _PAIR.fullmatch(line)
        if not line or line.startswith("#"):
            continue
        if head:
            row = table.setdefault(_word(head.group(1)), {})
        elif pair:
            row[_word(pair.group(1))] = _word(pair.group(2))
        else:
            raise ValueError(f"line {number} is neither `[name]` nor `key = \"text\"`")
    return table


def _word(text: str) -> str:
    if text.startswith('"'):
        return str(json.loads(text))
    return text.strip("'")
