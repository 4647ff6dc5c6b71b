"""The part of NAOqi's `almath` that scripts with joints use: angles. `import almath; almath.TO_RAD`.

The law: what is here has NAOqi's names and units, rad; positions and transforms are not here, and say so.
"""

from __future__ import annotations

import math
from typing import Any

PI = math.pi
_2_PI_ = 2 * math.pi
PI_2 = math.pi / 2
PI_4 = math.pi / 4
TO_RAD = math.pi / 180
TO_DEG = 180 / math.pi


def modulo2PI(pAngle: float) -> float:
    """The same angle between -π and π."""
    return math.remainder(pAngle, _2_PI_)


def clipData(pMin: float, pMax: float, pData: float) -> float:
    """A value within a range."""
    return min(max(pData, pMin), pMax)


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    raise AttributeError(f"there is no `almath.{name}` here: the runtime moves joints by their angles; fix: use TO_RAD, "
                         "TO_DEG, modulo2PI and clipData, and compute positions with a library of your own")
