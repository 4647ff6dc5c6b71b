#!/usr/bin/env python
# -*- encoding: UTF-8 -*-
"""Counts touches until it is interrupted. In the manner of scripts with qi of NAO's later years."""

import argparse
import functools
import sys

import qi
import qi.logging


class TouchCounter(object):
    """A class that reacts to touches, and is a service of its own."""

    def __init__(self, app):
        super(TouchCounter, self).__init__()
        app.start()
        session = app.session
        self.logger = qi.logging.Logger("TouchCounter")
        self.memory = session.service("ALMemory")
        self.leds = session.service("ALLeds")
        self.count = 0
        self.changed = qi.Signal("i")
        self.touch = self.memory.subscriber("TouchChanged")
        self.id = self.touch.signal.connect(functools.partial(self.onTouched, "TouchChanged"))

    def onTouched(self, name, value):
        """Counts, and shows it, while it does not listen."""
        self.touch.signal.disconnect(self.id)
        if any(sensor[1] for sensor in value):
            self.count += 1
            self.leds.fadeRGB("FaceLeds", "green", 0.1, _async=True).addCallback(self.onShown)
            self.changed(self.count)
        self.id = self.touch.signal.connect(functools.partial(self.onTouched, "TouchChanged"))

    def onShown(self, future):
        if future.hasError():
            self.logger.error(future.error())

    @qi.bind(returnType=qi.Int32, paramsType=[])
    def touches(self):
        return self.count


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--ip", type=str, default="127.0.0.1")
    parser.add_argument("--port", type=int, default=9559)
    args = parser.parse_args()
    try:
        url = "tcp://" + args.ip + ":" + str(args.port)
        app = qi.Application(["TouchCounter", "--qi-url=" + url])
    except RuntimeError:
        print("Can't connect to Naoqi at ip \"" + args.ip + "\" on port " + str(args.port))
        sys.exit(1)
    counter = TouchCounter(app)
    number = app.session.registerService("TouchCounter", counter)
    service = app.session.service("TouchCounter")
    service.changed.connect(lambda count: print("touched", count, flush=True))
    print("ready", flush=True)
    app.run()
    app.session.unregisterService(number)
    print("touches:", service.touches(), flush=True)


if __name__ == "__main__":
    main()
