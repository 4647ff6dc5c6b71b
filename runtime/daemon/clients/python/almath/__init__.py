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

# For Cartesian calls, which a robot here does not have: so that a script gets the sentence of such a call.
AXIS_MASK_X, AXIS_MASK_Y, AXIS_MASK_Z = 1, 2, 4
AXIS_MASK_WX, AXIS_MASK_WY, AXIS_MASK_WZ = 8, 16, 32
AXIS_MASK_VEL, AXIS_MASK_ROT, AXIS_MASK_ALL = 7, 56, 63


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
