"""The lights of a robot under NAOqi's names of groups and LEDs.

Used by ALLeds. The law: a group has the lights that this robot has, in NAOqi's order; a name that means none is an
error. Lights are actuators whose name has `/Led/`; a colour is the part `Red`, `Green` or `Blue` of it.
"""

from __future__ import annotations

import difflib
import threading
import weakref
from typing import Iterable

from ..errors import RobotError
from ..robot import Robot

COLOURS = ("Red", "Green", "Blue")
_PREFIX = "Device/SubDeviceList/"
_END = "/Actuator/Value"

# Where the LEDs of an eye are, degrees, in NAOqi's order: 0 to 7.
_RIGHT = (315, 270, 225, 180, 135, 90, 45, 0)
_LEFT = (45, 0, 315, 270, 225, 180, 135, 90)
# Which of them are in a part of an eye.
_PARTS = {"Top": (7, 0), "Internal": (1, 2), "Bottom": (3, 4), "External": (5, 6)}
# The LEDs of the head, in NAOqi's order: 0 to 11.
_BRAIN = ("Front/Right/1", "Front/Right/0", "Middle/Right/0", "Rear/Right/0", "Rear/Right/1", "Rear/Right/2",
          "Rear/Left/2", "Rear/Left/1", "Rear/Left/0", "Middle/Left/0", "Front/Left/0", "Front/Left/1")

# Groups that are groups of one colour as well: `ChestLedsRed`.
_COLOURED = ("AllLeds", "FaceLeds", "LeftFaceLeds", "RightFaceLeds", "ChestLeds", "FeetLeds", "LeftFootLeds",
             "RightFootLeds")


def _face(side: str, places: Iterable[int]) -> list[str]:
    angles = _LEFT if side == "Left" else _RIGHT
    return [f"Face/Led/{colour}/{side}/{angles[it]}Deg" for colour in COLOURS for it in places]


def _ear(side: str, places: Iterable[int]) -> list[str]:
    return [f"Ears/Led/{side}/{36 * it}Deg" for it in places]


def _colours(place: str) -> list[str]:
    return [f"{place}/Led/{it}" for it in COLOURS]


def _groups() -> dict[str, list[str]]:
    eye, ear = range(8), range(10)
    found = {
        "LeftFaceLeds": _face("Left", eye), "RightFaceLeds": _face("Right", eye),
        "LeftEarLeds": _ear("Left", ear), "RightEarLeds": _ear("Right", ear),
        "ChestLeds": _colours("ChestBoard"),
        "LeftFootLeds": _colours("LFoot"), "RightFootLeds": _colours("RFoot"),
        "BrainLeds": [f"Head/Led/{it}" for it in _BRAIN],
    }
    for side in ("Left", "Right"):
        for part, places in _PARTS.items():
            found[f"FaceLeds{side}{part}"] = _face(side, places)
        for it in eye:
            found[f"FaceLed{side}{it}"] = _face(side, [it])
        for it in ear:
            found[f"{side}EarLed{it + 1}"] = _ear(side, [it])
        # As for `earLedsSetAngle`: 0 degrees is up, 90 is to the front.
        found[f"{side}EarLedsFront"], found[f"{side}EarLedsBack"] = _ear(side, ear[1:5]), _ear(side, ear[6:])
        found[f"{side}EarLedsEven"], found[f"{side}EarLedsOdd"] = _ear(side, ear[1::2]), _ear(side, ear[::2])
        found[f"BrainLeds{side}"] = [it for it in found["BrainLeds"] if f"/{side}/" in it]
        # NAOqi counts these from 1, in the order of the angles.
        for it in eye:
            found[f"{side}FaceLed{it + 1}"] = _face(side, [it if side == "Left" else 7 - it])
    for it in eye:
        found[f"FaceLed{it}"] = found[f"FaceLedLeft{it}"] + found[f"FaceLedRight{it}"]
    for it in range(1, 11):
        found[f"EarLed{it}"] = found[f"LeftEarLed{it}"] + found[f"RightEarLed{it}"]
    for part in _PARTS:
        found[f"FaceLeds{part}"] = found[f"FaceLedsLeft{part}"] + found[f"FaceLedsRight{part}"]
    for part, place in (("Front", "Front"), ("Middle", "Middle"), ("Back", "Rear")):
        found[f"BrainLeds{part}"] = [it for it in found["BrainLeds"] if f"/{place}/" in it]
    for it, name in enumerate(found["BrainLeds"]):
        found[f"Brain{it}"] = [name]
    for whole, sides in (("FaceLeds", "FaceLeds"), ("EarLeds", "EarLeds"), ("FeetLeds", "FootLeds")):
        found[whole] = found[f"Left{sides}"] + found[f"Right{sides}"]
    return found


class LedNames:
    """The lights of a robot, by group and by name."""

    def __init__(self, actuators: Iterable[str]) -> None:
        self.all = sorted(it for it in actuators if "/Led/" in it)
        known = set(self.all)
        here = {name: [it for it in lights if it in known] for name, lights in _groups().items()}
        here["AllLeds"] = list(self.all)
        for whole in _COLOURED:
            for colour in COLOURS:
                here[whole + colour] = [it for it in here[whole] if f"/{colour}" in it]
        self.groups = {name: lights for name, lights in here.items() if lights}

    def lights(self, name: str) -> list[str]:
        """The lights of a group, or the light of this name."""
        if name in self.groups:
            return list(self.groups[name])
        bare = name[len(_PREFIX):] if name.startswith(_PREFIX) else name
        bare = bare[:-len(_END)] if bare.endswith(_END) else bare
        if bare in self.all:
            return [bare]
        near = difflib.get_close_matches(name, [*self.groups, *self.all], 1)
        raise RobotError("unknown-name", f"this robot has no LED or group `{name}`",
                         f"did you mean `{near[0]}`?" if near else "listGroups() and listLEDs() have the names")

    def create(self, name: str, members: Iterable[str]) -> None:
        """Makes a group, or replaces one, also one of NAOqi's."""
        members = [members] if isinstance(members, str) else list(members)
        lights = [light for it in members for light in self.lights(it)]
        if not name or not lights:
            raise RobotError("malformed", "a group has a name and at least one LED", "listLEDs() has the names")
        self.groups[name] = list(dict.fromkeys(lights))


_known: weakref.WeakKeyDictionary[Robot, LedNames] = weakref.WeakKeyDictionary()
_known_lock = threading.Lock()


def led_names_of(robot: Robot) -> LedNames:
    """The lights of a robot. Its proxies share them, so that a group which one has made is known to all."""
    with _known_lock:
        found = _known.get(robot)
        if found is None:
            found = _known[robot] = LedNames(robot.state()["actuators"])
        return found


def share(light: str, rgb: tuple[float, float, float]) -> float:
    """How bright a light is in a colour. Lights of one colour, at the ears and the head, are blue."""
    for colour, value in zip(COLOURS, rgb):
        if f"/{colour}" in light:
            return value
    return rgb[2]
