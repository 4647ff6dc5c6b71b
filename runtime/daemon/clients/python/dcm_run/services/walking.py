"""What NAOqi's ALMotion does and a robot here does not: walking, Cartesian control, whole-body balance, reflexes.

A part of ALMotionProxy. The law: a call that would move the body elsewhere fails with a sentence; a switch of a reflex
that is not here has no effect, and says so in the log once.
"""

from __future__ import annotations

import logging
from typing import Any, Callable

from ..proxy import absent
from .motion_tasks import MotionTasks

_log = logging.getLogger("dcm_run")

_WALK = ("the runtime plays timed motions, and has no walking engine",
         "write the steps as a choreography, or play recorded ones with angleInterpolationBezier")
_PLACE = ("the runtime has no inverse kinematics", "give the angles of the joints: setAngles, angleInterpolation")
_BALANCE = ("the runtime has no whole-body balance", "write it as a choreography: `choreographies/balance` is one")
_ODOMETRY = ("the body does not walk, so it has no position in the world", "read the sensors by ALMemory.getData")


def _switch(name: str) -> Callable[..., None]:
    """A switch of something that is not here."""
    told: list[bool] = []

    def method(self: Any, *_values: Any, **_named: Any) -> None:
        if not told:
            told.append(True)
            _log.warning("ALMotion.%s has no effect: there is no such reflex here", name)

    method.__name__ = name
    method.__doc__ = "Has no effect: there is no such reflex here."
    return method


def _off(name: str) -> Callable[..., bool]:
    """Whether something that is not here is switched on."""

    def method(self: Any, *_of: Any) -> bool:
        return False

    method.__name__ = name
    method.__doc__ = "False: there is no such reflex here."
    return method


class Walking(MotionTasks):
    """Calls that fail, and switches without effect."""

    move = absent("move", *_WALK)
    moveTo = absent("moveTo", *_WALK)
    moveToward = absent("moveToward", *_WALK)
    moveInit = absent("moveInit", *_WALK)
    walkTo = absent("walkTo", *_WALK)
    walkInit = absent("walkInit", *_WALK)
    setWalkTargetVelocity = absent("setWalkTargetVelocity", *_WALK)
    stepTo = absent("stepTo", *_WALK)
    setStepPos = absent("setStepPos", *_WALK)
    setFootSteps = absent("setFootSteps", *_WALK)
    setFootStepsWithSpeed = absent("setFootStepsWithSpeed", *_WALK)
    getFootSteps = absent("getFootSteps", *_WALK)
    getMoveConfig = absent("getMoveConfig", *_WALK)

    getPosition = absent("getPosition", *_PLACE)
    setPosition = absent("setPosition", *_PLACE)
    setPositions = absent("setPositions", *_PLACE)
    changePosition = absent("changePosition", *_PLACE)
    positionInterpolation = absent("positionInterpolation", *_PLACE)
    positionInterpolations = absent("positionInterpolations", *_PLACE)
    getTransform = absent("getTransform", *_PLACE)
    setTransform = absent("setTransform", *_PLACE)
    setTransforms = absent("setTransforms", *_PLACE)
    changeTransform = absent("changeTransform", *_PLACE)
    transformInterpolation = absent("transformInterpolation", *_PLACE)
    transformInterpolations = absent("transformInterpolations", *_PLACE)
    getCOM = absent("getCOM", *_PLACE)

    def wbEnable(self, isEnabled: bool = True) -> None:
        """Not supported: the runtime has no whole-body balance. To switch it off has no effect."""
        if isEnabled:
            absent("wbEnable", *_BALANCE)(self)

    wbFootState = absent("wbFootState", *_BALANCE)
    wbEnableBalanceConstraint = absent("wbEnableBalanceConstraint", *_BALANCE)
    wbGoToBalance = absent("wbGoToBalance", *_BALANCE)
    wbGoToBalanceWithSpeed = absent("wbGoToBalanceWithSpeed", *_BALANCE)
    wbEnableEffectorControl = absent("wbEnableEffectorControl", *_BALANCE)
    wbSetEffectorControl = absent("wbSetEffectorControl", *_BALANCE)

    getRobotPosition = absent("getRobotPosition", *_ODOMETRY)
    getNextRobotPosition = absent("getNextRobotPosition", *_ODOMETRY)
    getRobotVelocity = absent("getRobotVelocity", *_ODOMETRY)

    setMoveArmsEnabled = _switch("setMoveArmsEnabled")
    setWalkArmsEnabled = _switch("setWalkArmsEnabled")
    setWalkArmsEnable = _switch("setWalkArmsEnable")
    setMotionConfig = _switch("setMotionConfig")
    setSmartStiffnessEnabled = _switch("setSmartStiffnessEnabled")
    setCollisionProtectionEnabled = _switch("setCollisionProtectionEnabled")
    setExternalCollisionProtectionEnabled = _switch("setExternalCollisionProtectionEnabled")
    setFallManagerEnabled = _switch("setFallManagerEnabled")
    setPushRecoveryEnabled = _switch("setPushRecoveryEnabled")
    setDiagnosisEffectEnabled = _switch("setDiagnosisEffectEnabled")
    setIdlePostureEnabled = _switch("setIdlePostureEnabled")
    setBreathEnabled = _switch("setBreathEnabled")
    setBreathConfig = _switch("setBreathConfig")
    setOrthogonalSecurityDistance = _switch("setOrthogonalSecurityDistance")
    setTangentialSecurityDistance = _switch("setTangentialSecurityDistance")

    getMoveArmsEnabled = _off("getMoveArmsEnabled")
    getSmartStiffnessEnabled = _off("getSmartStiffnessEnabled")
    getCollisionProtectionEnabled = _off("getCollisionProtectionEnabled")
    getExternalCollisionProtectionEnabled = _off("getExternalCollisionProtectionEnabled")
    getFallManagerEnabled = _off("getFallManagerEnabled")
    getPushRecoveryEnabled = _off("getPushRecoveryEnabled")
    getDiagnosisEffectEnabled = _off("getDiagnosisEffectEnabled")
    getIdlePostureEnabled = _off("getIdlePostureEnabled")
    getBreathEnabled = _off("getBreathEnabled")

    def getWalkArmsEnabled(self) -> list[bool]:
        """False for both arms: the body does not walk."""
        return [False, False]
