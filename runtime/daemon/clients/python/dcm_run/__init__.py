"""A client for robots of dcm-run, with the calls of NAOqi's DCM and ALMemory.

    from dcm_run import ALProxy

    dcm = ALProxy("DCM", "127.0.0.1", 7878)
    dcm.set(["HeadYaw/Position/Actuator/Value", "Merge", [[0.5, dcm.getTime(1000)]]])

It uses the HTTP API of the robot's server, and needs only Python's standard library.
"""

from .dcm import DCMProxy
from .errors import RobotError
from .lane import Lane
from .memory import ALMemoryProxy
from .names import ALProxy
from .request import Request
from .robot import Robot

__all__ = ["ALMemoryProxy", "ALProxy", "DCMProxy", "Lane", "Request", "Robot", "RobotError"]
