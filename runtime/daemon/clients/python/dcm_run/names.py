"""`ALProxy`: a proxy by the name of NAOqi's module.

The law: a module that is not here fails by its name, with what to use instead. A module's file is read when it is
asked for, so that a script that uses the DCM alone starts as fast as before.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, overload

from .errors import RobotError
from .proxy import Proxy

if TYPE_CHECKING:
    from .dcm import DCMProxy
    from .memory import ALMemoryProxy

_MODULES = {
    "DCM": ("dcm", "DCMProxy"),
    "ALMemory": ("memory", "ALMemoryProxy"),
    "ALMotion": ("services.motion", "ALMotionProxy"),
    "ALRobotPosture": ("services.posture", "ALRobotPostureProxy"),
    "ALLeds": ("services.leds", "ALLedsProxy"),
    "ALBattery": ("services.battery", "ALBatteryProxy"),
    "ALSonar": ("services.sonar", "ALSonarProxy"),
    "ALTextToSpeech": ("services.speech", "ALTextToSpeechProxy"),
}

_SEEING = "there is no vision here; use a camera's own program, and share what it sees by ALMemory.raiseEvent"
_HEARING = "there is no hearing here; use a program of your own, and share what it hears by ALMemory.raiseEvent"
_LIFE = "a robot here does nothing by itself: leave the call out"
_PLAYS = "upload a choreography: `dcm-run push FILE --start`"
# What scripts often ask for besides, and what they can do.
_INSTEAD = {
    "ALAnimatedSpeech": "use ALTextToSpeech, and ALMotion for the gestures",
    "ALAudioDevice": _HEARING, "ALAudioPlayer": "play the sound with a program of the machine, such as aplay",
    "ALAutonomousLife": _LIFE, "ALAutonomousMoves": _LIFE, "ALAutonomousBlinking": _LIFE, "ALBasicAwareness": _LIFE,
    "ALBackgroundMovement": _LIFE, "ALListeningMovement": _LIFE, "ALSpeakingMovement": _LIFE,
    "ALBehaviorManager": _PLAYS, "ALAnimationPlayer": _PLAYS, "ALChoregraphe": _PLAYS, "ALFrameManager": _PLAYS,
    "ALBodyTemperature": "read HeadYaw/Temperature/Sensor/Value and the like by ALMemory.getData",
    "ALFaceDetection": _SEEING, "ALLandMarkDetection": _SEEING, "ALPeoplePerception": _SEEING,
    "ALPhotoCapture": _SEEING, "ALRedBallDetection": _SEEING, "ALTracker": _SEEING, "ALVideoDevice": _SEEING,
    "ALVisionRecognition": _SEEING, "ALVideoRecorder": _SEEING, "ALBarcodeReader": _SEEING,
    "ALNavigation": "the runtime has no walking engine; write the steps as a choreography",
    "ALDialog": _HEARING, "ALSoundDetection": _HEARING, "ALSoundLocalization": _HEARING,
    "ALSpeechRecognition": _HEARING, "ALAudioRecorder": _HEARING,
    "ALSensors": "subscribe to touches and bumpers by ALMemory.subscribeToEvent",
    "ALTouch": "subscribe to TouchChanged by ALMemory.subscribeToEvent",
    "ALSystem": "`dcm-run doctor` and `GET /api/v2/state` tell the state of the machine",
}


def module_names() -> list[str]:
    """The modules that are here."""
    return sorted(_MODULES)


def is_module(name: str) -> bool:
    """Whether there is a module of this name."""
    return name in _MODULES


def module_class(name: str) -> type[Proxy]:
    """The class of a module; an error for one that is not here."""
    place = _MODULES.get(name)
    if place is None:
        listed = f"the modules are {', '.join(module_names())}"
        raise RobotError("not-here", f"there is no module `{name}` here", _INSTEAD.get(name, listed))
    found: type[Proxy] = getattr(import_module(f".{place[0]}", __package__), place[1])
    return found


@overload
def ALProxy(name: Literal["DCM"], ip: str | None = None, port: int | None = None) -> DCMProxy: ...
@overload
def ALProxy(name: Literal["ALMemory"], ip: str | None = None, port: int | None = None) -> ALMemoryProxy: ...
@overload
def ALProxy(name: str, ip: str | None = None, port: int | None = None) -> Any: ...


def ALProxy(name: str, ip: str | None = None, port: int | None = None) -> Any:
    """The proxy for a module of NAOqi, such as `DCM`, `ALMemory` or `ALMotion`."""
    return module_class(name)(ip, port)
