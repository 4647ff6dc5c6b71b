#!/usr/bin/env python3
"""Reads the page of a running robot, as numpy arrays. One file; Python 3.9 or later, and numpy.

    page = dcm_page.Page("/dev/shm/dcm-run/nao.page")
    frame = page.read()                                       # the newest complete frame, or None
    if frame is not None:
        for label, value in zip(page.actuators, frame.sent):
            print(label.name, value, label.unit)
    past = page.history(["now", "HeadYaw.sent", "Battery"])   # one row for each kept turn
    plot(past["now"], past["HeadYaw.sent"])

From a shell: `python3 dcm_page.py FILE [--json] [--history NAME ...]`.
The README of runtime/sensors describes the layout; this is version 3.

What is copied. The file is mapped read-only and numpy reads it in place; nothing here can write to
it. The words of a returned frame are copied once, between two reads of the frame's stamp, and all
of the frame's arrays are views of that one copy. If the stamp has changed after the copy, the copy is
discarded. So all values of a frame belong to one turn, and do not change.

What keeps the order. The stamp must be read before the words, and again after them. An x86-64 processor
executes loads in program order, and neither the interpreter nor numpy reorders them across calls,
so the order holds there. An aarch64 processor may reorder loads, and Python has no fence. Instead a lock is
acquired and released twice: CPython releases a lock with release order and acquires it with acquire order, and
the Arm architecture keeps a release before a later acquire, so that no load passes from one side to the
other. This argument holds for CPython on these processors; the language does not promise it. Rust and C
have real fences; use them where you need a proof.
"""

import argparse
import json
import math
import mmap
import os
import sys
import threading
import time
from collections import namedtuple
from datetime import datetime, timedelta, timezone

try:
    import numpy as np
except ImportError as error:
    raise ImportError("dcm_page needs numpy: apt-get install python3-numpy, or pip install numpy") from error

VERSION = 3
RING = 1024
STATES = ("boot", "disarmed", "armed", "running", "holding", "safe", "fault", "estop")
REALTIME = ("unknown", "comfortable", "tight", "no")

# Indices of the header's words, and their number.
MAGIC = int.from_bytes(b"DCMPAGE\0", sys.byteorder)
(_MAGIC, _VERSION, _FILE_WORDS, _RING, _FRAME_WORDS, _ACTUATORS, _SENSORS, _BOARDS, _LABELS_AT, _RING_AT,
 _PERIOD, _UTC_AT_ZERO, _RUN, _WRITER, _LATEST, _CLOSED, _REALTIME) = range(17)
_HEADER_WORDS = 17
_LABEL_WORDS = 11

# The fields of a frame, in their order. All are words of 8 bytes.
HEAD = [("stamp", "u8"), ("turn", "u8"), ("now", "u8"), ("elapsed", "u8"), ("work", "u8"), ("state", "u8"),
        ("power", "f8"), ("events", "u8")]
ACTUATOR = [("commanded", "f8"), ("limited", "f8"), ("sent", "f8"), ("acknowledged", "f8"), ("coverage", "f8"),
            ("clips", "u8")]
BOARD = [("acks", "u8"), ("nacks", "u8"), ("age", "u8"), ("error", "u8")]

# Far more than any robot has.
_COUNT_MAX = 1 << 20
# Attempts to read the newest frame before giving up.
_TRIES = 64
# Whoever waits for a turn looks so often in each period, and within these times in seconds.
_LOOKS = 20
_NAP_MIN, _NAP_MAX = 1e-5, 1e-2

Label = namedtuple("Label", "name unit min max board trim")
Label.__doc__ = "The label of an actuator or a sensor. A sensor's range is 0 to 0. `trim`: how far a joint's zero was moved."


class PageError(Exception):
    """An error that names the file and what is wrong with it."""


class Frame:
    """The frame of one turn. Its arrays are read-only views of one copy."""

    def __init__(self, record):
        self._record = record

    turn = property(lambda self: int(self._record["turn"]), doc="The turn's number, counted from 1.")
    now = property(lambda self: int(self._record["now"]), doc="Its instant, in ns since the robot's start.")
    elapsed = property(lambda self: int(self._record["elapsed"]), doc="Ns since the previous turn.")
    work = property(lambda self: int(self._record["work"]), doc="Ns of work in the previous turn.")
    power = property(lambda self: float(self._record["power"]), doc="The factor on gains and stiffnesses.")
    events = property(lambda self: int(self._record["events"]), doc="Entries written to the event log so far.")

    @property
    def state(self):
        """The safety state's name; None if the number in the file is unknown."""
        number = int(self._record["state"])
        return STATES[number] if number < len(STATES) else None

    commanded = property(lambda self: self._record["actuators"]["commanded"], doc="What was commanded.")
    limited = property(lambda self: self._record["actuators"]["limited"], doc="What remained after the limits.")
    sent = property(lambda self: self._record["actuators"]["sent"], doc="What was sent.")
    acknowledged = property(lambda self: self._record["actuators"]["acknowledged"],
                            doc="What the boards acknowledged.")
    coverage = property(lambda self: self._record["actuators"]["coverage"], doc="The share that lanes claimed.")
    clips = property(lambda self: self._record["actuators"]["clips"], doc="How often limits changed the value.")
    sensors = property(lambda self: self._record["sensors"], doc="The sensors' values.")
    boards = property(lambda self: self._record["boards"].view(np.recarray),
                      doc="Exchanges with each board: acks, nacks, age in turns, error.")


class Page:
    """Reads a page. Several threads may use one reader at once."""

    def __init__(self, path):
        self._path = os.fspath(path)
        self._words = words = self._map()
        counts = self._check()
        self._counts = counts
        frame_words, ring_at = int(words[_FRAME_WORDS]), int(words[_RING_AT])
        self._ring = words[ring_at:ring_at + RING * frame_words].reshape(RING, frame_words)
        actuators, sensors, boards = counts
        self._sensors_at = len(HEAD) + actuators * len(ACTUATOR)
        self._boards_at = self._sensors_at + sensors
        parts = HEAD + [("actuators", ACTUATOR, (actuators,)), ("sensors", "f8", (sensors,)),
                        ("boards", BOARD, (boards,)),
                        ("rest", "u8", (frame_words - self._boards_at - boards * len(BOARD),))]
        self._frame = np.dtype(parts)
        self._lock = threading.Lock()

    @property
    def actuators(self):
        """The actuators' labels, in the order of a frame's arrays."""
        return self._labels(0, self._counts[0])

    @property
    def sensors(self):
        """The sensors' labels, in the order of a frame's `sensors`."""
        return self._labels(self._counts[0], self._counts[1])

    period = property(lambda self: int(self._words[_PERIOD]), doc="The loop's period in ns.")
    run = property(lambda self: int(self._words[_RUN]), doc="The number of the run that wrote the page.")
    writer = property(lambda self: int(self._words[_WRITER]), doc="The id of the process that wrote it.")
    utc_at_zero = property(lambda self: int(self._words[_UTC_AT_ZERO:][:1].view(np.int64)[0]),
                           doc="UTC in ns since 1970 at the robot's instant 0.")
    is_closed = property(lambda self: int(self._words[_CLOSED]) != 0,
                         doc="Whether the writer closed the page properly. If not, it runs or was killed.")

    @property
    def realtime(self):
        """Whether the loop keeps its period, as of its last turns: one of `REALTIME`."""
        number = int(self._words[_REALTIME])
        return REALTIME[number] if number < len(REALTIME) else REALTIME[0]

    @property
    def latest(self):
        """The turn of the newest complete frame; 0 for none."""
        turn = int(self._words[_LATEST])
        self._order()
        return turn

    def turns(self):
        """The turns that are still kept, the oldest first."""
        latest = self.latest
        return range(max(latest - RING + 1, 1), latest + 1)

    def wait(self, after, timeout=1.0):
        """
        Waits for a turn after this one, at most this many seconds. The first of them that is still kept: who asks again
        with it misses none that is kept. None if none came, or if the loop has ended.
        """
        until = time.monotonic() + timeout
        nap = min(max(self.period / _LOOKS / 1e9, _NAP_MIN), _NAP_MAX)
        while True:
            # In this order, so that the last turn before the end is not missed.
            over = self.is_closed
            self._order()
            latest = self.latest
            if latest > after:
                return max(after + 1, latest - RING + 1)
            left = until - time.monotonic()
            if over or left <= 0:
                return None
            time.sleep(min(nap, left))

    def read(self):
        """The newest complete frame. None if there is none yet, or if the writer overwrote every attempt."""
        for _ in range(_TRIES):
            frame = self.read_turn(self.latest)
            if frame is not None:
                return frame
        return None

    def read_turn(self, turn):
        """The frame of one turn. None if it is not written yet, or is overwritten."""
        words, whole = self._ring[turn % RING], 2 * turn + 1
        if turn < 1 or int(words[0]) != whole:
            return None
        self._order()
        copied = words.copy()
        self._order()
        if int(words[0]) != whole:
            return None
        copied.flags.writeable = False
        return Frame(copied.view(self._frame)[0])

    def history(self, names):
        """
        Chosen values of every kept turn, the oldest first: an array with a row for each turn and a
        field for each name. Turns that are overwritten meanwhile are missing; add "turn" to see which.

        A name is one of turn, now, elapsed, work, state (its number), power, events; or a sensor's name; or
        an actuator's name and a field, as in "HeadYaw.sent"; or a board's field, as in "board0.acks".
        """
        names = [names] if isinstance(names, str) else list(names)
        columns = [self._column(name) for name in names]
        before = self._ring[:, 0].copy()
        self._order()
        values = [self._ring[:, at].copy() for at, _ in columns]
        self._order()
        after = self._ring[:, 0].copy()
        turns = before >> np.uint64(1)
        in_place = turns % np.uint64(RING) == np.arange(RING, dtype=np.uint64)
        whole = np.flatnonzero((before == after) & (before & np.uint64(1) == 1) & in_place)
        rows = whole[np.argsort(turns[whole])]
        chosen = np.empty(len(rows), [(name, kind) for name, (_, kind) in zip(names, columns)])
        for name, (_, kind), value in zip(names, columns, values):
            chosen[name] = value[rows].view(kind)
        return chosen

    def _order(self):
        """Orders all earlier loads before all later ones: see the head of this file."""
        with self._lock:
            pass
        with self._lock:
            pass

    def _map(self):
        try:
            file = os.open(self._path, os.O_RDONLY)
            try:
                length = os.fstat(file).st_size
                if length < _HEADER_WORDS * 8:
                    raise self._no_page()
                mapped = mmap.mmap(file, length, access=mmap.ACCESS_READ)
            finally:
                os.close(file)
        except OSError as error:
            raise self._unopened(error.strerror) from error
        except ValueError as error:
            raise self._unopened(error) from error
        return np.frombuffer(mapped, np.uint64, length // 8)

    def _check(self):
        """Checks the header against itself and the file's length; returns how many of each the page holds."""
        header = [int(word) for word in self._words[:_HEADER_WORDS]]
        if header[_MAGIC] != MAGIC:
            raise self._no_page()
        if header[_VERSION] != VERSION:
            raise PageError(
                f"{self._path} is a page of version {header[_VERSION]}, but this program reads version {VERSION}; "
                "fix: use the program that matches the loop")
        counts = actuators, sensors, boards = header[_ACTUATORS], header[_SENSORS], header[_BOARDS]
        if max(counts) > _COUNT_MAX:
            raise self._broken("it claims too many actuators, sensors or boards")
        frame_words = _whole_lines(len(HEAD) + actuators * len(ACTUATOR) + sensors + boards * len(BOARD))
        ring_at = _whole_lines(_HEADER_WORDS + (actuators + sensors) * _LABEL_WORDS)
        file_words = ring_at + RING * frame_words
        layout = {_RING: RING, _FRAME_WORDS: frame_words, _LABELS_AT: _HEADER_WORDS, _RING_AT: ring_at,
                  _FILE_WORDS: file_words}
        if any(header[at] != wanted for at, wanted in layout.items()):
            raise self._broken("its header is inconsistent")
        if len(self._words) < file_words:
            raise self._broken("the file is truncated")
        return counts

    def _unopened(self, why):
        return PageError(
            f"the page {self._path} cannot be opened: {why}; fix: `dcm-run ps` shows whether its loop runs")

    def _no_page(self):
        return PageError(
            f"{self._path} is not a page: it does not begin with DCMPAGE; fix: name a loop, or the file of its page")

    def _broken(self, what):
        return PageError(
            f"{self._path} is an invalid page: {what}; fix: start its loop again, which writes a new one")

    def _labels(self, first, count):
        labels = []
        for place in range(first, first + count):
            at = _HEADER_WORDS + place * _LABEL_WORDS
            words = self._words[at:at + _LABEL_WORDS]
            low, high = (float(value) for value in words[7:9].view(np.float64))
            labels.append(Label(_text(words[0:6]), _text(words[6:7]), low, high, int(words[9]),
                                float(words[10:11].view(np.float64)[0])))
        return labels

    def _column(self, name):
        """The index of the word with a name's value in a frame, and its kind."""
        heads = [head for head, _ in HEAD]
        if name in heads[1:]:
            return heads.index(name), HEAD[heads.index(name)][1]
        sensors = [label.name for label in self.sensors]
        if name in sensors:
            return self._sensors_at + sensors.index(name), "f8"
        whose, _, what = name.rpartition(".")
        actuators = [label.name for label in self.actuators]
        boards = [f"board{place}" for place in range(self._counts[2])]
        for owners, at, parts in ((actuators, len(HEAD), ACTUATOR), (boards, self._boards_at, BOARD)):
            kinds = [part for part, _ in parts]
            if whose in owners and what in kinds:
                return at + owners.index(whose) * len(parts) + kinds.index(what), parts[kinds.index(what)][1]
        raise PageError(f"{self._path} has no \"{name}\": use a sensor's name, or an actuator's as in NAME.sent")


def _whole_lines(words):
    """This number of words, rounded up to whole cache lines."""
    return -(-words // 8) * 8


def _text(words):
    return words.tobytes().split(b"\0", 1)[0].decode("utf-8", "replace")


def _plain(value):
    """A value for JSON, which has no NaN."""
    value = value.item() if isinstance(value, np.generic) else value
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _utc(page, frame):
    try:
        at = datetime(1970, 1, 1, tzinfo=timezone.utc) + timedelta(microseconds=(page.utc_at_zero + frame.now) // 1000)
    except OverflowError:
        return None
    return at.isoformat()


def _as_json(page, frame):
    def row(label, values):
        return {"name": label.name, "unit": label.unit, **{name: _plain(value) for name, value in values}}

    kinds = [name for name, _ in ACTUATOR]
    arrays = [getattr(frame, name) for name in kinds]
    heads = ("turn", "now", "elapsed", "work", "state", "power", "events")
    return {
        **{name: _plain(getattr(frame, name)) for name in heads},
        "run": page.run, "realtime": page.realtime, "closed": page.is_closed, "utc": _utc(page, frame),
        "actuators": [row(label, zip(kinds, values)) for label, *values in zip(page.actuators, *arrays)],
        "sensors": [row(label, [("value", value)]) for label, value in zip(page.sensors, frame.sensors)],
        "boards": [{name: int(board[name]) for name, _ in BOARD} for board in frame.boards],
    }


def _table(rows):
    """Prints rows in columns: words on the left, numbers on the right."""
    rows = [[f"{cell:.6g}" if isinstance(cell, float) else str(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*rows)]
    for row in rows:
        words = [cell.ljust(width) for cell, width in zip(row[:2], widths)]
        numbers = [cell.rjust(width) for cell, width in zip(row[2:], widths[2:])]
        print("  ".join(words + numbers).rstrip())


def _print_frame(page, frame):
    closed = "closed" if page.is_closed else "open"
    print(f"turn {frame.turn}  {frame.state}  at {frame.now / 1e9:.6f} s, {_utc(page, frame)}")
    print(f"power {frame.power:.3g}  elapsed {frame.elapsed / 1e6:.3f} ms  work {frame.work / 1e6:.3f} ms  "
          f"events {frame.events}  run {page.run}, {closed}  real-time: {page.realtime}\n")
    kinds = [name for name, _ in ACTUATOR]
    arrays = [getattr(frame, name).tolist() for name in kinds]
    values = ([label.name, label.unit, *row] for label, *row in zip(page.actuators, *arrays))
    _table([["actuator", "unit", *kinds], *values])
    print()
    sensors = zip(page.sensors, frame.sensors.tolist())
    _table([["sensor", "unit", "value"], *([label.name, label.unit, value] for label, value in sensors)])
    print()
    boards = ([place, "", *board] for place, board in enumerate(frame.boards.tolist()))
    _table([["board", "", *(name for name, _ in BOARD)], *boards])


def _print_history(page, names, as_json):
    past = page.history(names)
    if as_json:
        print(json.dumps({name: [_plain(value) for value in past[name]] for name in names}))
        return
    print(",".join(names))
    for row in past.tolist():
        print(",".join(map(repr, row)))


def main():
    words = argparse.ArgumentParser(description="Print the newest frame of a running robot's page as a table.")
    words.add_argument("file", help="the page")
    words.add_argument("--json", action="store_true", help="print JSON; NaN is null")
    words.add_argument("--history", nargs="+", metavar="NAME",
                       help="print all kept turns as CSV: turn, now, SENSOR, ACTUATOR.sent, board0.acks")
    asked = words.parse_args()
    try:
        page = Page(asked.file)
        if asked.history:
            _print_history(page, asked.history, asked.json)
            return 0
        frame = page.read()
    except PageError as error:
        print(error, file=sys.stderr)
        return 1
    if frame is None:
        print("no frame is available", file=sys.stderr)
        return 2
    if asked.json:
        print(json.dumps(_as_json(page, frame)))
    else:
        _print_frame(page, frame)
    return 0


if __name__ == "__main__":
    sys.exit(main())
