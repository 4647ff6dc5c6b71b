"""`python -m dcm_run get KEY...` and `python -m dcm_run set KEY VALUE --in 500ms`.

For tests of the client in a shell. Use the program `dcm-run` for everything else.
"""

from __future__ import annotations

import argparse
import math
import sys

from .dcm import DCMProxy
from .errors import RobotError
from .memory import ALMemoryProxy
from .robot import Robot

_TIMES = {"ms": 1.0, "s": 1000.0}
_PLACES = {"deg": math.pi / 180, "rad": 1.0, "mm": 0.001, "m": 1.0}


def _figure(text: str, units: dict[str, float], plain: float) -> float:
    """A number with an optional unit; `plain` is the factor without one."""
    # Longer units first, because `ms` ends with `s`.
    for unit in sorted(units, key=len, reverse=True):
        if text.endswith(unit):
            text, plain = text[: -len(unit)], units[unit]
            break
    value = float(text) * plain
    if not math.isfinite(value):
        raise ValueError(text)
    return value


def value(text: str) -> float:
    """A value for an actuator: `0.5`, `30deg`."""
    return _figure(text, _PLACES, 1.0)


def span(text: str) -> int:
    """A time from now in ms: `500ms`, `2s`, or a number of seconds."""
    ms = _figure(text, _TIMES, 1000.0)
    if ms < 0:
        raise ValueError(text)
    return round(ms)


def main() -> int:
    """Executes the command line. Returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m dcm_run", description="Reads and moves a robot.")
    parser.add_argument("--robot", help="a robot's name, HOST:PORT, a URL, or unix:/path (default: DCM_RUN_ROBOT)")
    verbs = parser.add_subparsers(dest="verb", required=True)
    get = verbs.add_parser("get", help="print values")
    get.add_argument("keys", nargs="+", metavar="KEY")
    put = verbs.add_parser("set", help="send one value to an actuator or an alias")
    put.add_argument("key", metavar="KEY")
    put.add_argument("value", metavar="VALUE", type=value)
    put.add_argument("--in", dest="span", metavar="TIME", type=span, default=500,
                     help="when it is reached, from now (default: 500ms)")
    # A value such as -0.5 or -30deg is a number, not an option.
    words = [f" {it}" if it[:1] == "-" and it[1:2].isdigit() else it for it in sys.argv[1:]]
    options = parser.parse_args(words)
    try:
        with Robot(options.robot) as robot:
            if options.verb == "get":
                for key, it in zip(options.keys, ALMemoryProxy(robot=robot).getListData(options.keys)):
                    print(key, "-" if it is None else it)
            else:
                dcm = DCMProxy(robot=robot)
                taken = dcm.set([options.key, "ClearAll", [[options.value, dcm.getTime(options.span)]]])
                print(", ".join(f"{name} {count}" for name, count in taken.items()))
    except RobotError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
