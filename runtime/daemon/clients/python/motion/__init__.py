"""The constants of NAOqi's `motion`, which scripts with degrees use: `import motion; motion.TO_RAD`.

The law: the numbers are NAOqi's. Those of frames and axes are for Cartesian calls, which a robot here does not have:
they are here so that a script gets the sentence of such a call, not an error of the import.
"""

from __future__ import annotations

import math

PI = math.pi
TO_RAD = math.pi / 180
TO_DEG = 180 / math.pi

FRAME_TORSO, FRAME_WORLD, FRAME_ROBOT = 0, 1, 2
SPACE_TORSO, SPACE_WORLD, SPACE_NAO = FRAME_TORSO, FRAME_WORLD, FRAME_ROBOT

AXIS_MASK_X, AXIS_MASK_Y, AXIS_MASK_Z = 1, 2, 4
AXIS_MASK_WX, AXIS_MASK_WY, AXIS_MASK_WZ = 8, 16, 32
AXIS_MASK_VEL, AXIS_MASK_ROT, AXIS_MASK_ALL = 7, 56, 63
