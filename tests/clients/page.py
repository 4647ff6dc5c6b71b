"""Reads a page with dcm_page.py, for tests/clients/python.rs, and prints what it saw: a line of JSON for each thing.

    page.py live FILE      the newest frames of a page that is being written, then kept ones, then a history
    page.py kept FILE      every frame of a page at rest
    page.py wait FILE      the turns for which it waits, until the page is closed: a number on each line
    page.py forged FILE    what it makes of stamps that do not belong to the frame; it writes to the file

Numbers that are f64 are printed as their bits, so that nothing is lost on the way.
"""

import json
import os
import sys

import numpy as np

import dcm_page

HISTORY = ["turn", "now", "J3.sent", "J25.coverage", "J2.clips", "S5", "board0.acks"]
NEWEST = 200


def bits(values):
    return np.ascontiguousarray(values).view(np.uint64).tolist()


def show(kind, frame):
    print(json.dumps({kind: {
        "turn": frame.turn, "now": frame.now, "elapsed": frame.elapsed, "work": frame.work,
        "state": frame.state, "power": bits(np.float64(frame.power))[0], "events": frame.events,
        "commanded": bits(frame.commanded), "limited": bits(frame.limited), "sent": bits(frame.sent),
        "acknowledged": bits(frame.acknowledged), "coverage": bits(frame.coverage),
        "clips": frame.clips.tolist(), "sensors": bits(frame.sensors),
        "boards": [[int(board.acks), int(board.nacks), int(board.age), int(board.error)] for board in frame.boards],
    }}))


def live(page):
    newest = []
    while len(newest) < NEWEST:
        frame = page.read()
        if frame is not None and (not newest or frame.turn != newest[-1].turn):
            newest.append(frame)
    kept = [page.read_turn(turn) for turn in page.turns()[::50]]
    past = page.history(HISTORY)
    # Only now is there time to print: none of these may have changed since.
    for frame in newest:
        show("newest", frame)
    for frame in kept:
        if frame is not None:
            show("kept", frame)
    for row in zip(*(past[name].view(np.uint64).tolist() for name in HISTORY)):
        print(json.dumps({"past": row}))


def kept(page):
    for label in page.actuators + page.sensors:
        print(json.dumps({"label": [label.name, label.unit, label.min, label.max, label.board]}))
    print(json.dumps({"header": [page.period, page.run, page.writer, page.utc_at_zero, page.is_closed, page.latest,
                                 page.realtime]}))
    for turn in page.turns():
        show("kept", page.read_turn(turn))


def wait(page):
    turn = 0
    while (turn := page.wait(turn, 30)) is not None:
        whole = page.read_turn(turn)
        print(turn if whole is not None and whole.turn == turn else f"{turn} is not whole")


def forged(page, path):
    turn = page.latest
    at = int(page._words[9]) + turn % dcm_page.RING * int(page._words[4])
    file = os.open(path, os.O_RDWR)

    def stamp(value):
        os.pwrite(file, value.to_bytes(8, sys.byteorder), at * 8)

    def say(what, answer):
        print(json.dumps({what: answer}))

    def kept_turns():
        return turn in page.history(["turn"])["turn"]

    say("whole", page.read_turn(turn) is not None and kept_turns())
    for name, value in ("written", 2 * turn), ("another", 2 * turn + 2049), ("none", 0):
        stamp(value)
        # A forged stamp of another turn is taken for that turn in a history: only a writer could know better.
        unkept = name == "another" or not kept_turns()
        say(name, page.read_turn(turn) is None and page.read() is None and unkept)
    stamp(2 * turn + 1)

    # The writer comes by between the copy and the second look at the stamp.
    order, calls = page._order, []

    def overtaken():
        order()
        calls.append(None)
        if len(calls) == 2:
            stamp(2 * turn + 2048)

    page._order = overtaken
    say("overtaken", page.read_turn(turn) is None)
    stamp(2 * turn + 1)
    calls.clear()
    say("overtaken in a history", not kept_turns())
    page._order = order
    stamp(2 * turn + 1)
    say("whole again", page.read() is not None and kept_turns())

    for what, array in ("page", page._words), ("frame", page.read().sent), ("ring", page._ring):
        try:
            array[0] = 1
            say(f"the {what} cannot be written to", False)
        except ValueError:
            say(f"the {what} cannot be written to", True)
    try:
        page.history(["J99.sent"])
    except dcm_page.PageError as error:
        say("no such name", str(error).replace(path, "FILE"))


def main():
    what, path = sys.argv[1:]
    page = dcm_page.Page(path)
    if what == "forged":
        forged(page, path)
    else:
        {"live": live, "kept": kept, "wait": wait}[what](page)


main()
