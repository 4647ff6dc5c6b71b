"""NAOqi's module for Python, for scripts that were written for NAO: `from naoqi import ALProxy, ALBroker, ALModule`.

The robot is one that dcm-run serves, real or simulated. An address with NAOqi's port means the dcm-run of that machine;
DCM_RUN_ROBOT replaces it, so scripts run unchanged on another robot. The proxies are those of `dcm_run`.
"""

from .broker import ALBroker
from .module import ALModule
from .proxy import ALProxy, ALMemoryProxy

__all__ = ["ALBroker", "ALMemoryProxy", "ALModule", "ALProxy"]
