# Choregraphe bezier export in Python.
from naoqi import ALProxy
names = list()
times = list()
keys = list()

names.append("HeadPitch")
times.append([0.52, 1.4])
keys.append([[-0.125, [3, -0.173333, 0], [3, 0.293333, 0.25]], [0.5, [3, -0.293333, -0.125], [1, 0, 0]]])

names.append("LHand")
times.append([1])
keys.append([[0.25, [0, 0, 0], [3, 0, 0]]])

try:
  motion = ALProxy("ALMotion")
  motion.angleInterpolationBezier(names, times, keys)
except BaseException as err:
  print(err)
