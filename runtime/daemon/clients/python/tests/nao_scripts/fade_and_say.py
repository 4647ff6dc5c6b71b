# -*- encoding: UTF-8 -*-
""" Changes the colours of the eyes while it speaks. In the manner of scripts of the first NAOs. """

import sys

from naoqi import ALProxy

IP = "192.168.1.102"  # the robot of whoever wrote it
PORT = 9559

if len(sys.argv) > 1:
    IP = sys.argv[1]

tts = ALProxy("ALTextToSpeech", IP, PORT)
leds = ALProxy("ALLeds", IP, PORT)
battery = ALProxy("ALBattery", IP, PORT)
sonar = ALProxy("ALSonar", IP, PORT)
memory = ALProxy("ALMemory", IP, PORT)

tts.setLanguage("English")
tts.setVolume(0.5)
id = tts.post.say("\\rspd=80\\ My battery has %d percent" % battery.getBatteryCharge())
leds.fadeRGB("FaceLeds", 0x00FF8000, 0.6)
tts.wait(id, 0)

leds.off("EarLeds")
leds.createGroup("ChestLeds", ["ChestBoard/Led/Blue/Actuator/Value"])
leds.on("ChestLeds")
leds.fade("LeftEarLeds", 0.5, 0.2)
leds.rotateEyes(0x0000FF, 0.4, 0.4)
leds.fadeRGB("FaceLeds", "green", 0.1)
leds.fadeRGB("LeftFaceLeds", 1.0, 0.0, 0.5, 0.1)
leds.setIntensity("FaceLed0", 0.25)

sonar.subscribe("fade_and_say")
print(memory.getData("Device/SubDeviceList/US/Left/Sensor/Value"))
sonar.unsubscribe("fade_and_say")
