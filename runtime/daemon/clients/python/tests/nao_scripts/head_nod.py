# -*- encoding: UTF-8 -*-
""" Stiffens the head, nods it, and reads it back. In the manner of the examples of NAO's documentation. """

import argparse
import sys
import time

import almath
from naoqi import ALProxy


def main(robotIP, PORT=9559):
    try:
        motionProxy = ALProxy("ALMotion", robotIP, PORT)
    except Exception as e:
        print("Could not create proxy to ALMotion")
        print("Error was: ", e)
        sys.exit(1)

    # One name, one value, one time
    pNames = "Body"
    pStiffnessLists = 1.0
    pTimeLists = 0.3
    motionProxy.stiffnessInterpolation(pNames, pStiffnessLists, pTimeLists)
    motionProxy.setStiffnesses("Head", 1.0)
    print(motionProxy.getStiffnesses("Head"))

    # Two joints, each with its own list
    names = ["HeadYaw", "HeadPitch"]
    angleLists = [[0.6, -0.6, 0.0], [0.25, 0.0]]
    timeLists = [[0.6, 1.2, 1.8], [0.9, 1.8]]
    isAbsolute = True
    motionProxy.angleInterpolation(names, angleLists, timeLists, isAbsolute)

    # A chain, one target for each joint, at a part of the maximum speed
    motionProxy.angleInterpolationWithSpeed("Head", [17.2 * almath.TO_RAD, -0.2], 0.2)
    motionProxy.setAngles("HeadYaw", 0.5, 0.1)
    time.sleep(0.5)
    motionProxy.changeAngles(["HeadPitch"], [0.1], 0.1)
    time.sleep(0.5)

    useSensors = True
    print([round(it, 2) for it in motionProxy.getAngles("Head", useSensors)])
    print(len(motionProxy.getAngles("Body", useSensors)), motionProxy.getLimits("HeadYaw")[0][:2])
    print(motionProxy.getSummary())


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--ip", type=str, default="127.0.0.1", help="Robot ip address")
    parser.add_argument("--port", type=int, default=9559, help="Robot port number")
    args = parser.parse_args()
    main(args.ip, args.port)
