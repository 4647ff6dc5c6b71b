"""A servo board, made from runtime/drivers/PROTOCOL.md alone, which can misbehave. Python's own library is all it needs.

board.py --at SOCKET [--log FILE] [--do MISBEHAVIOUR] TABLE
TABLE is a file of rows: direction kind lowest highest rest unit step name. The inputs read where the outputs are, in
their order. The log gets a line for each frame: seconds, whether it has force, and each joint's place in words.
"""
import argparse
import os
import socket
import struct
import sys
import time

MARK_DOWN, MARK_UP, VERSION, SHORT, ABOUT = 0xD7, 0x7D, 1, 64, 0xFFFF
UNITS = ["-", "rad", "m", "rad/s", "m/s", "1", "°C", "A", "V", "m/s2", "N", "Nm"]
KINDS = ["position", "velocity", "stiffness", "gain", "light", "trigger", "current", "temperature", "button",
         "inertial", "voltage", "other"]
CHECKSUM, VERSION_FLAW, FORM, SEQUENCE, TABLE, BOOTS = 1, 2, 3, 4, 5, 6


def crc32c(data):
    """CRC-32 of Castagnoli's polynomial, bit by bit: reflected, begun and ended with all ones."""
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


assert crc32c(b"123456789") == 0xE3069283


def sealed(frame):
    return frame + struct.pack("<I", crc32c(frame))


class Row:
    def __init__(self, direction, kind, lowest, highest, rest, unit, step, name):
        self.direction, self.kind, self.name = int(direction == "in"), KINDS.index(kind), name
        self.lowest, self.highest, self.rest = int(lowest), int(highest), int(rest)
        self.unit, self.step = UNITS.index(unit), float(step)

    def bytes(self):
        head = struct.pack("<BBHHH", self.direction, self.kind | self.unit << 4, self.lowest, self.highest, self.rest)
        return head + self.name.encode().ljust(20, b"\0") + struct.pack("<f", self.step)


class Board:
    def __init__(self, rows, name="python", watchdog=500, boots=1):
        self.rows, self.name, self.watchdog, self.boots = rows, name, watchdog, boots
        self.outputs = [it for it in rows if not it.direction]
        self.inputs = [it for it in rows if it.direction]
        self.taken, self.told, self.refused = None, ("nothing",), 0
        self.powered = self.relaxed = False
        self.heard = 0.0
        # Of each output: from, to, when it began, how long it takes; how fast that is and might be, in words/s; and how
        # fast it may gather speed, in words/s², 0 for as it likes.
        self.lines = [(it.rest, it.rest, 0.0, 0.0) for it in self.outputs]
        self.speeds = [(0.0, 0.0) for _ in self.outputs]
        self.accelerations = [0] * len(self.outputs)
        self.lies = set()

    def length(self):
        return max(16 + 4 * len(self.outputs) + 4, 16 + 2 * len(self.inputs) + 4, SHORT)

    def word(self, place, now):
        begin, end, began, takes = self.lines[place]
        gone = now - began
        return end if gone >= takes else begin + (end - begin) * gone / takes

    def hear(self, frame, now):
        self.tick(now)
        self.refused = self.take(frame, now) or self.refused

    def take(self, frame, now):
        """Takes a frame whole, or says why not."""
        if len(frame) < 20:
            return FORM
        if crc32c(frame[:-4]) != struct.unpack("<I", frame[-4:])[0]:
            return CHECKSUM
        mark, version, kind, flags, sequence, horizon, count, boots = struct.unpack("<BBBBHHHB", frame[:11])
        if version != VERSION:
            return VERSION_FLAW
        acceleration, = struct.unpack_from("<I", frame, 12)
        if mark != MARK_DOWN or kind not in (1, 2, 3) or flags > 7 or frame[11] or kind != 1 and acceleration:
            return FORM
        if kind == 1:
            self.taken, self.powered = None, False
            if count < len(self.outputs):
                self.accelerations[count] = acceleration
            self.told = ("row", count)
            return None
        if boots != self.boots:
            return BOOTS
        if self.taken is not None and not 1 <= (sequence - self.taken) % 65536 <= 32767:
            return SEQUENCE
        if kind == 2 and count != len(self.outputs):
            return TABLE
        if kind == 2 and len(frame) < 20 + 4 * count:
            return FORM
        frames = 1 if self.taken is None else (sequence - self.taken) % 65536
        horizon *= 50e-6
        takes = max(min(frames * horizon, now - self.heard + 16 * horizon), horizon)
        had_force = self.powered
        self.taken, self.told, self.heard = sequence, ("run",), now
        self.relaxed &= bool(flags & 1)
        self.powered = bool(flags & 1) and not self.relaxed
        for place, row in enumerate(self.outputs if kind == 2 else []):
            word, ahead = struct.unpack_from("<HH", frame, 16 + 4 * place)
            if flags & 4 and (word, ahead) == (65535, 0):
                continue
            word, ahead = (min(max(it, row.lowest), row.highest) for it in (word, ahead))
            begin, end, began, lasted = self.lines[place]
            if not had_force:
                self.lines[place], self.speeds[place] = (word, ahead, now, takes), (0.0, 0.0)
                continue
            left = max(began + lasted - now, 0.0) if begin != end else 0.0
            if left and end == ahead:
                continue
            passed = min(now - began, left + takes)
            most = 512 if self.accelerations[place] else 64
            takes += min(max(left - passed / 128, 0.0), most * horizon)
            if self.accelerations[place] and horizon:
                takes = self.gather(place, ahead, now, takes, horizon)
            self.lines[place] = (self.word(place, now), ahead, now, takes)
        return None

    def gather(self, place, ahead, now, takes, horizon):
        """How long a line takes that is no faster than the one before and what that may have gathered."""
        _, _, began, lasted = self.lines[place]
        speed, allowed = self.speeds[place]
        gone, way = now - began, ahead - self.word(place, now)
        acceleration = self.accelerations[place]
        if gone - lasted > horizon / 2 or speed * way <= 0:
            allowed = acceleration * min(max(gone, horizon / 2), horizon)
        elif gone >= horizon / 2:
            allowed = min(allowed, abs(speed) + 1 / horizon) + acceleration * min(gone, 2 * horizon)
        takes = max(takes, (abs(way) - 1) / allowed)
        self.speeds[place] = (way / takes, allowed)
        return takes

    def tick(self, now):
        if self.powered and (now - self.heard) * 1000 > self.watchdog:
            self.powered, self.relaxed = False, True

    def answer(self, now, readings):
        self.tick(now)
        kind, count, body = 3, 0, b""
        if self.told[0] == "row":
            kind, count, body = self.row(self.told[1])
        elif self.told[0] == "run":
            kind, count = 2, len(self.inputs)
            body = b"".join(struct.pack("<H", int(round(it)) & 0xFFFF) for it in readings)
        flags = int(self.powered and "unpowered" not in self.lies) | self.relaxed << 1
        clock = 0 if "frozen" in self.lies else int(now * 1e6) & 0xFFFFFFFF
        head = struct.pack("<BBBBHHHBBI", MARK_UP, VERSION, kind, flags, self.taken or 0, 0, count, self.boots,
                           self.refused, clock)
        self.refused = 0
        length = self.length() if self.told[0] == "run" else SHORT
        return sealed((head + body).ljust(length - 4, b"\0"))

    def row(self, number):
        if number == ABOUT:
            table = crc32c(b"".join(it.bytes() for it in self.rows))
            about = struct.pack("<HHHHI", len(self.outputs), len(self.inputs), self.watchdog, 0, table)
            return 1, number, about + self.name.encode().ljust(20, b"\0")
        if number < len(self.rows):
            return 1, number, self.rows[number].bytes()
        return 3, 0, b""


def table(text):
    lines = (line.split() for line in text.splitlines() if line.strip() and not line.startswith("#"))
    return [Row(*line[:-1], "" if line[-1] == "-" else line[-1]) for line in lines]


def misbehave(board, what):
    """What is wrong with the table, or what the board does from the 100th frame with force on."""
    row = board.rows[0]
    if what == "space":
        row.name = row.name[:2] + " " + row.name[2:]
    elif what == "kind":
        row.kind = 13
    elif what == "rest":
        row.rest = row.highest + 1
    elif what == "name":
        row.name = "Other"
    elif what == "velocity":
        row.kind = KINDS.index("velocity")
    elif what == "narrow":
        row.highest -= 1000
    elif what == "scale":
        row.step *= 2
    elif what == "unit":
        row.unit = UNITS.index("m")
    elif what == "watchdog":
        board.watchdog = 100


def serve(board, path, log, what):
    end = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    if os.path.exists(path):
        os.unlink(path)
    end.bind(path)
    prepared, forced, lost, pause = b"", 0, 0, 100
    places = {it.name: place for place, it in enumerate(board.outputs)}
    # Where the joints are: with force where their outputs are, without it where they were.
    at = [it.rest for it in board.outputs]
    while True:
        packet, whence = end.recvfrom(8192)
        now = time.monotonic()
        number, frame = packet[:1], packet[1:]
        forced += board.powered
        acts = forced > 100
        if acts and what == "late":
            time.sleep(0.012)
        if acts and what == "unpowered":
            board.lies.add("unpowered")
        if acts and what == "frozen":
            board.lies.add("frozen")
        if acts and what == "reboot":
            # Once, as another board: its first row is narrower now.
            board.__init__(board.rows, boots=board.boots + 1)
            board.rows[0].highest -= 1000
            forced, what = 0, ""
        # A frame is lost on the wire, three in ten, on their own and in a row.
        lost = lost - 1 if lost else (int.from_bytes(os.urandom(1), "big") % 8 == 0) * 4
        is_lost = acts and what == "lossy" and lost
        if board.powered:
            at = [board.word(it, now) for it in range(len(at))]
        readings = [at[places[it.name]] if it.name in places else it.rest for it in board.inputs]
        if acts and what == "impossible":
            readings[0] = 65000
        if acts and what == "blocked":
            readings[0] = board.outputs[0].rest
        if not is_lost:
            board.hear(frame, now)
        if log:
            words = (str(round(it, 2)) for it in at)
            log.write(f"{now:.6f} {int(board.powered)} {' '.join(words)}\n")
            log.flush()
        # What goes out was prepared after the transfer before.
        back = bytes(prepared[:len(frame)]).ljust(len(frame), b"\xff")
        is_silent = acts and (what == "silent" or what == "pause" and pause > 0)
        pause -= bool(is_silent)
        if whence and not is_silent and not is_lost:
            try:
                end.sendto(number + back, whence)
            except OSError:
                # Whoever asked has gone.
                pass
        prepared = board.answer(now, readings)


def main():
    asked = argparse.ArgumentParser()
    asked.add_argument("--at", required=True)
    asked.add_argument("--log")
    asked.add_argument("--do", default="")
    asked.add_argument("table")
    words = asked.parse_args()
    board = Board(table(open(words.table, encoding="utf-8").read()))
    misbehave(board, words.do)
    serve(board, words.at, open(words.log, "w") if words.log else None, words.do)


if __name__ == "__main__":
    main()
