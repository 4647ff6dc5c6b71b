# -*- encoding: UTF-8 -*-
""" Says what was touched. In the manner of the event modules of NAO's documentation. """

import sys
import time

from naoqi import ALProxy
from naoqi import ALBroker
from naoqi import ALModule

from optparse import OptionParser

NAO_IP = "nao.local"

# Global variable to store the module's instance
ReactToTouch = None
memory = None


class ReactToTouchModule(ALModule):
    """ A module that can be called by events. """

    def __init__(self, name):
        ALModule.__init__(self, name)
        # No need for IP and port here because
        # we have our Python broker connected to NAOqi broker
        self.tts = ALProxy("ALTextToSpeech")
        self.touches = 0

        global memory
        memory = ALProxy("ALMemory")
        memory.subscribeToEvent("TouchChanged", "ReactToTouch", "onTouched")
        memory.subscribeToEvent("ChestButtonPressed", "ReactToTouch", "onButton")
        print("subscribed", memory.getSubscribers("TouchChanged"), flush=True)

    def onTouched(self, strVarName, value):
        """ This will be called each time a touch is detected. """
        # Unsubscribe, to avoid repetitions while the robot speaks
        memory.unsubscribeToEvent("TouchChanged", "ReactToTouch")
        touched = [p[0] for p in value if p[1]]
        if touched:
            self.touches += 1
            self.tts.say("My " + " and ".join(touched) + " is touched")
        memory.subscribeToEvent("TouchChanged", "ReactToTouch", "onTouched")

    def onButton(self, key, value, message):
        if value:
            memory.raiseEvent("ReactToTouch/Over", [key, message, self.touches])


def main():
    parser = OptionParser()
    parser.add_option("--pip", help="Parent broker port. The IP address or your robot", dest="pip")
    parser.add_option("--pport", help="Parent broker port. The port NAOqi is listening to", dest="pport", type="int")
    parser.set_defaults(pip=NAO_IP, pport=9559)
    (opts, args_) = parser.parse_args()

    # listen to anyone, find a free port and use it, parent broker IP, parent broker port
    myBroker = ALBroker("myBroker", "0.0.0.0", 0, opts.pip, opts.pport)

    # Warning: ReactToTouch must be a global variable
    global ReactToTouch
    ReactToTouch = ReactToTouchModule("ReactToTouch")

    try:
        while "ReactToTouch/Over" not in memory.getEventList():
            time.sleep(0.05)
    except KeyboardInterrupt:
        print("Interrupted by user, shutting down")
    myBroker.shutdown()
    sys.exit(0)


if __name__ == "__main__":
    main()
