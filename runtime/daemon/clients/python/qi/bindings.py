"""Decorators and types of `qi` for the methods of services. Python needs none of them: they change nothing here."""

from __future__ import annotations

from typing import Any, Callable, TypeVar

_Any = TypeVar("_Any")


class _Type:
    """A type of a signature."""

    def __init__(self, *_parts: Any) -> None:
        pass


class Void(_Type):
    """Nothing."""


class Bool(_Type):
    """True or False."""


class Int32(_Type):
    """A whole number."""


class Float(_Type):
    """A number."""


class String(_Type):
    """A text."""


class List(_Type):
    """A list."""


class Map(_Type):
    """A dict."""


class Struct(_Type):
    """Several values."""


class Dynamic(_Type):
    """Any value."""


class Object(_Type):
    """An object."""


class Buffer(_Type):
    """Bytes."""


class AnyArguments(_Type):
    """Any arguments."""


# Python has one whole number and one other for all of these.
Int8 = UInt8 = Int16 = UInt16 = UInt32 = Int64 = UInt64 = Int32
Double = Float


def bind(*_signature: Any, **_named: Any) -> Callable[[_Any], _Any]:
    """Describes a method."""
    return lambda method: method


def nobind(method: _Any) -> _Any:
    """A method that is no part of the service."""
    return method


def multiThreaded(*_options: Any) -> Callable[[_Any], _Any]:
    """A class whose methods may be called at once."""
    return lambda whole: whole


def singleThreaded(*_options: Any) -> Callable[[_Any], _Any]:
    """A class whose methods are called one after another."""
    return lambda whole: whole
