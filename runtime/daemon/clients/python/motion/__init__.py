"""The constants of NAOqi's `motion`, which scripts with degrees use: `import motion; motion.TO_RAD`.

The law: the numbers are NAOqi's. Those of frames and axes are for Cartesian calls, which a robot here does not have:
they are here so that a script gets the sentence of such a call, not an error of the import.
"""

from __future__ import annotations

import math

from almath import (AXIS_MASK_ALL, AXIS_MASK_ROT, AXIS_MASK_VEL, AXIS_MASK_WX, AXIS_MASK_WY, AXIS_MASK_WZ, AXIS_MASK_X,
                    AXIS_MASK_Y, AXIS_MASK_Z, TO_DEG, TO_RAD)

PI = math.pi

FRAME_TORSO, FRAME_WORLD, FRAME_ROBOT = 0, 1, 2
SPACE_TORSO, SPACE_WORLD, SPACE_NAO = FRAME_TORSO, FRAME_WORLD, FRAME_ROBOT

__all__ = [
    "AXIS_MASK_ALL", "AXIS_MASK_ROT", "AXIS_MASK_VEL", "AXIS_MASK_WX", "AXIS_MASK_WY", "AXIS_MASK_WZ", "AXIS_MASK_X",
    "AXIS_MASK_Y", "AXIS_MASK_Z", "FRAME_ROBOT", "FRAME_TORSO", "FRAME_WORLD", "PI", "SPACE_NAO", "SPACE_TORSO",
    "SPACE_WORLD", "TO_DEG", "TO_RAD",
]
