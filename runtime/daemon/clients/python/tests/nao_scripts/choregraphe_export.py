# Choregraphe bezier export in Python.
from naoqi import ALProxy
names = list()
times = list()
keys = list()

names.append("HeadYaw")
times.append([0.6, 1.4, 2])
keys.append([[0.7, [3, -0.2, 0], [3, 0.266667, 0]], [-0.4, [3, -0.266667, 0.15], [3, 0.2, -0.1125]], [0, [3, -0.2, 0], [3, 0, 0]]])

names.append("HeadPitch")
times.append([1, 2])
keys.append([[0.2, [2, -0.333333, -0.05], [2, 0.4, 0.06]], [-0.1, [3, -0.333333, 0], [3, 0, 0]]])

names.append("LHand")
times.append([0.8, 2])
keys.append([[0.9, [3, -0.266667, 0], [3, 0.4, 0]], [0.1, [3, -0.4, 0], [3, 0, 0]]])

names.append("RHipYawPitch")
times.append([1, 2])
keys.append([[-0.1, [3, -0.333333, 0], [3, 0.333333, 0]], [0, [3, -0.333333, 0], [3, 0, 0]]])

try:
  # uncomment the following line and modify the IP if you use this script outside Choregraphe.
  # motion = ALProxy("ALMotion", IP, 9559)
  motion = ALProxy("ALMotion")
  motion.angleInterpolationBezier(names, times, keys)
except BaseException as err:
  print(err)
