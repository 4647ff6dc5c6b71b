"""`TouchChanged`, NAOqi's event for every touch, made of the events that the robot raises for each.

Used by `subscriptions`. The law: a subscriber to it is told the sensor and the part of the body, as pairs
with True or False, in the turn in which the sensor changed.
"""

from __future__ import annotations

from typing import Any, Callable

TOUCH_CHANGED = "TouchChanged"

# The events of a NAO, with the part of the body and the sensor that NAOqi names.
TOUCHES = {
    "FrontTactilTouched": ("Head", "Head/Touch/Front"),
    "MiddleTactilTouched": ("Head", "Head/Touch/Middle"),
    "RearTactilTouched": ("Head", "Head/Touch/Rear"),
    "HandLeftBackTouched": ("LArm", "LHand/Touch/Back"),
    "HandLeftLeftTouched": ("LArm", "LHand/Touch/Left"),
    "HandLeftRightTouched": ("LArm", "LHand/Touch/Right"),
    "HandRightBackTouched": ("RArm", "RHand/Touch/Back"),
    "HandRightLeftTouched": ("RArm", "RHand/Touch/Left"),
    "HandRightRightTouched": ("RArm", "RHand/Touch/Right"),
    "LeftBumperPressed": ("LLeg", "LFoot/Bumper"),
    "RightBumperPressed": ("RLeg", "RFoot/Bumper"),
}


def events_of(name: str) -> list[str]:
    """The robot's events that this event is made of; an ordinary one is itself."""
    return list(TOUCHES) if name == TOUCH_CHANGED else [name]


def told(event: str, value: Any) -> list[list[Any]]:
    """What `TouchChanged` tells of an event of the robot."""
    part, sensor = TOUCHES[event]
    is_touched = bool(value)
    return [[part, is_touched, []], [sensor, is_touched, []]]


def translated(function: Callable[..., Any]) -> Callable[..., Any]:
    """A subscriber to `TouchChanged` as one to the robot's events."""
    return lambda event, value, message: function(TOUCH_CHANGED, told(event, value), message)
