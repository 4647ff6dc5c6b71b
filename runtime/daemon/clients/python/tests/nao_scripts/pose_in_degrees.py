# -*- encoding: UTF-8 -*-
""" Moves every joint to a pose in degrees, by the model of the robot. In the manner of NAO's first years. """

import sys

import motion
from naoqi import ALProxy


def main(robotIP):
    try:
        proxy = ALProxy("ALMotion", robotIP, 9559)
    except Exception as e:
        print("Could not create proxy to ALMotion", e)
        sys.exit(1)

    # Stiffness on the whole body, by a list of its chains
    proxy.stiffnessInterpolation(["Head", "LArm", "RArm", "LLeg", "RLeg"], [1.0] * 5, [0.2] * 5)

    robotConfig = proxy.getRobotConfig()
    robotName = ""
    for i in range(len(robotConfig[0])):
        if robotConfig[0][i] == "Model Type":
            robotName = robotConfig[1][i]
    print(robotName)

    Head = [10, -5]
    LeftArm, RightArm = [75, 15, -75, -30], [75, -15, 75, 30]
    if robotName == "naoH25":
        # Wrists in degrees; hands are not
        LeftArm += [20, 60]
        RightArm += [-20, 60]
    elif robotName != "naoH21":
        print("ERROR : Your robot is unknown")
        sys.exit(1)
    LeftLeg, RightLeg = [0, 5, -25, 50, -25, -5], [0, -5, -25, 50, -25, 5]

    # The order of the chains of "Body"
    pTargetAngles = map(lambda x: x * motion.TO_RAD, Head + LeftArm + LeftLeg + RightLeg + RightArm)
    proxy.angleInterpolationWithSpeed("Body", pTargetAngles, 0.5)
    names = ["HeadYaw", "LWristYaw", "RKneePitch", "RHand"]
    print(["%.0f" % (a / motion.TO_RAD) for a in proxy.getAngles(names, False)])

    try:
        proxy.setPosition("LArm", motion.FRAME_TORSO, [0.0] * 6, 0.5, motion.AXIS_MASK_VEL)
    except RuntimeError as e:
        print("not here:", str(e).split(":")[0])


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "127.0.0.1")
