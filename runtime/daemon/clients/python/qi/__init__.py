"""`qi`, the other way of scripts for NAO: `qi.Session().service("ALMotion")`.

The services are the proxies of `dcm_run`; what `qi` adds is here: sessions, applications, futures and signals. An
address with NAOqi's port means the dcm-run of that machine; DCM_RUN_ROBOT replaces it.
"""

from dcm_run.signals import Signal

from .application import Application, ApplicationSession
from .bindings import (AnyArguments, Bool, Buffer, Double, Dynamic, Float, Int8, Int16, Int32, Int64, List, Map,
                       Object, String, Struct, UInt8, UInt16, UInt32, UInt64, Void, bind, multiThreaded, nobind,
                       singleThreaded)
from .future import Future, FutureState, FutureTimeout, Promise, async_, clockNow, runAsync
from .logging import Logger, debug, error, fatal, getLogger, info, verbose, warning
from .periodic import PeriodicTask
from .property import Property
from .session import Session

# A keyword since Python 3.7, so it can only be reached by `getattr(qi, "async")`.
globals()["async"] = async_

__all__ = [
    "AnyArguments", "Application", "ApplicationSession", "Bool", "Buffer", "Double", "Dynamic", "Float", "Future",
    "FutureState", "FutureTimeout", "Int16", "Int32", "Int64", "Int8", "List", "Logger", "Map", "Object",
    "PeriodicTask", "Promise", "Property", "Session", "Signal", "String", "Struct", "UInt16", "UInt32", "UInt64",
    "UInt8", "Void", "async_", "bind", "clockNow", "debug", "error", "fatal", "getLogger", "info", "multiThreaded",
    "nobind", "runAsync", "singleThreaded", "verbose", "warning",
]
