"""ALLeds: NAOqi's module for lights: groups, fades, colours, and its animations of the eyes.

The law: each call is one request, taken whole; a call with a duration waits for its end, and a later call replaces what
is still shown by an earlier one. Values are from 0 to 1.
"""

from __future__ import annotations

import random
from typing import Any, Mapping, Sequence, Tuple

from ..errors import RobotError
from . import curves
from .led_names import led_names_of, share
from .service import Service

_COLOURS = {
    "white": 0xFFFFFF, "red": 0xFF0000, "green": 0x00FF00, "blue": 0x0000FF, "yellow": 0xFFFF00,
    "magenta": 0xFF00FF, "cyan": 0x00FFFF, "black": 0x000000, "purple": 0x800080, "orange": 0xFF8000,
}
_RASTA = ("green", "yellow", "red")
# How long a colour of `rasta` and of `randomEyes` stays, s.
_STEP = 0.5
_EYE = 8
_EAR = 10

RGB = Tuple[float, float, float]


class ALLedsProxy(Service):
    """Lights, as in NAOqi's ALLeds."""

    def __init__(self, *where: Any, **named: Any) -> None:
        super().__init__(*where, **named)
        self._names = led_names_of(self.robot)

    def createGroup(self, groupName: str, ledNames: Sequence[str]) -> None:
        """Makes a group of LEDs and groups, for this program. Names of NAOqi may be given new members."""
        self._names.create(groupName, ledNames)

    def listGroups(self) -> list[str]:
        """The names of all groups."""
        return sorted(self._names.groups)

    def listGroup(self, groupName: str) -> list[str]:
        """The LEDs of a group."""
        return [f"{it}/Actuator/Value" for it in self._names.lights(groupName)]

    def listLEDs(self) -> list[str]:
        """The names of all LEDs."""
        return list(self._names.all)

    def listLED(self, name: str) -> list[str]:
        """The LEDs that a name means, as keys of the DCM."""
        return [f"Device/SubDeviceList/{it}" for it in self.listGroup(name)]

    def on(self, name: str) -> None:
        """Switches LEDs on."""
        self.setIntensity(name, 1.0)

    def off(self, name: str) -> None:
        """Switches LEDs off."""
        self.setIntensity(name, 0.0)

    def reset(self, name: str) -> None:
        """Switches LEDs to their state after a start here: off."""
        self.off(name)

    def setIntensity(self, ledName: str, intensity: float) -> None:
        """Sets the brightness of LEDs, from 0 to 1."""
        self.fade(ledName, intensity, 0.0)

    def set(self, name: str, intensities: Any) -> None:
        """Sets the brightness of each LED of a group."""
        lights = self._names.lights(name)
        rows = curves.rows(intensities, len(lights), "intensity", spread=True)
        self._show({light: [(0.0, row[0])] for light, row in zip(lights, rows)})

    def getIntensity(self, ledName: str) -> Any:
        """The brightness of an LED; of a group, a list."""
        lights = self._names.lights(ledName)
        values = self._body.values([f"{it}/Actuator/Value" for it in lights])
        return values[0] if len(values) == 1 else values

    def fade(self, name: str, intensity: float, duration: float) -> None:
        """Changes the brightness of LEDs in this time, s."""
        value, time = curves.number(intensity, "intensity"), _duration(duration)
        self._show({it: [(time, value)] for it in self._names.lights(name)})

    def fadeRGB(self, name: str, *colour_and_duration: Any) -> None:
        """Changes the colour of LEDs in this time, s.

        `fadeRGB(name, 0x00RRGGBB, duration)`, `fadeRGB(name, "red", duration)`, or
        `fadeRGB(name, red, green, blue, duration)` with values from 0 to 1.
        """
        said = colour_and_duration
        if len(said) == 4:
            rgb = _rgb(said[:3])
        elif len(said) == 2:
            rgb = _rgb(said[0])
        else:
            raise RobotError("malformed", "a colour is one value or three, and then follows the duration",
                             'fadeRGB("FaceLeds", 0xFF0000, 0.5)')
        time = _duration(said[-1])
        self._show({it: [(time, share(it, rgb))] for it in self._names.lights(name)})

    def fadeListRGB(self, name: str, rgbList: Sequence[Any], timeList: Sequence[float]) -> None:
        """Changes the colour of LEDs along a list, each at its time, s from now."""
        colours = [_rgb(it) for it in curves.plain(rgbList)]
        times = [curves.number(it, "time") for it in curves.plain(timeList)]
        curves.check(times)
        if len(colours) != len(times):
            raise RobotError("wrong-count", f"there are {len(colours)} colours for {len(times)} times",
                             "give one time for each colour")
        self._show({it: [(time, share(it, rgb)) for time, rgb in zip(times, colours)]
                    for it in self._names.lights(name)})

    def rotateEyes(self, rgb: Any, timeForRotation: float, totalDuration: float) -> None:
        """Lets a light of this colour run around the eyes."""
        colour, turn, total = _rgb(rgb), _duration(timeForRotation), _duration(totalDuration)
        if turn <= 0 or total / turn > 500:
            raise RobotError("malformed", f"a rotation of {turn:g} s in {total:g} s cannot be shown",
                             "give up to 500 rotations")
        step = turn / _EYE
        shown: dict[str, list[tuple[float, float]]] = {}
        for place in range(_EYE):
            for light in self._names.lights(f"FaceLed{place}"):
                at = [place * step + it * turn for it in range(int(total / turn) + 1)]
                flashes = [(it + part * step, value) for it in at if it < total
                           for part, value in ((0, 0.0), (1, share(light, colour)), (2, 0.0))]
                shown[light] = [it for it in flashes if it[0] < total] + [(total, 0.0)]
        self._show(shown)

    def randomEyes(self, duration: float) -> None:
        """Shows random colours in the eyes."""
        total = _duration(duration)
        times = _steps(total)
        shown: dict[str, list[tuple[float, float]]] = {}
        for place in range(_EYE):
            colours = [(random.random(), random.random(), random.random()) for _ in times]
            for light in self._names.lights(f"FaceLed{place}"):
                shown[light] = [(time, share(light, it)) for time, it in zip(times, colours)] + [(total + _STEP, 0.0)]
        self._show(shown)

    def rasta(self, duration: float) -> None:
        """Shows green, yellow and red on the whole body, in turn."""
        total = _duration(duration)
        colours = [(time, _rgb(_RASTA[it % 3])) for it, time in enumerate(_steps(total))]
        self._show({light: [(time, share(light, rgb)) for time, rgb in colours] + [(total + _STEP, 0.0)]
                    for light in self._names.all})

    def earLedsSetAngle(self, degrees: int, duration: float, leaveOnAtEnd: bool) -> None:
        """Shows a direction with the LEDs of the ears, for this time."""
        total = _duration(duration)
        near = round(curves.number(degrees, "angle") % 360 / 36) % _EAR
        shown: dict[str, list[tuple[float, float]]] = {}
        for place in range(_EAR):
            value = 1.0 if place == near else 0.0
            for light in self._names.lights(f"EarLed{place + 1}"):
                end = value if leaveOnAtEnd else 0.0
                shown[light] = [(0.0, value), (total, value), (total + curves.STEP, end)]
        self._show(shown)

    def _show(self, shown: Mapping[str, Sequence[tuple[float, float]]]) -> None:
        # No resources: lights do not wait for each other.
        self._body.motions.play("leds", [], lambda: shown)


def _steps(total: float) -> list[float]:
    return [it * _STEP for it in range(max(1, min(int(total / _STEP), curves.POINTS_MAX)))]


def _duration(said: Any) -> float:
    seconds = curves.number(said, "duration")
    if seconds < 0:
        raise RobotError("malformed", f"{seconds:g} s is not a duration", "give 0 or more")
    return seconds


def _rgb(said: Any) -> RGB:
    """A colour: 0x00RRGGBB, a name, or three values."""
    if isinstance(said, str):
        if said.lower() not in _COLOURS:
            raise RobotError("unknown-name", f"there is no colour `{said}`", f"the colours are {', '.join(_COLOURS)}")
        said = _COLOURS[said.lower()]
    if isinstance(said, (list, tuple)) and len(said) == 3:
        red, green, blue = (curves.number(it, "intensity") for it in said)
    else:
        whole = int(curves.number(said, "colour"))
        red, green, blue = ((whole >> shift & 0xFF) / 255 for shift in (16, 8, 0))
    return red, green, blue
