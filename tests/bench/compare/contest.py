"""Measures ours and a peer in alternation. Called by `run` for each row. The law: both are processes of their own on
the same processor, and the one that is not asked waits in a read."""
import os
import subprocess

import prepare

PROCESSOR = max(os.sched_getaffinity(0))
# Rounds are this long, s, so that a moment's load on the machine does not make a ratio.
LENGTH, QUICK = 0.05, 0.01


class Missing(Exception):
    """Why a peer, or ours, is not there."""


class Contestant:
    """A process that answers each number of calls with ns for each."""

    def __init__(self, command):
        self.process = subprocess.Popen(
            [str(it) for it in command], text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env={**os.environ, "RUST_BACKTRACE": "0"},
            preexec_fn=lambda: os.sched_setaffinity(0, {PROCESSOR}))
        if self.line() != "ready":
            raise Missing(self.end())

    def line(self):
        return self.process.stdout.readline().strip()

    def ask(self, calls):
        try:
            self.process.stdin.write(f"{calls}\n")
            self.process.stdin.flush()
            return float(self.line())
        except (ValueError, OSError):
            raise Missing(self.end()) from None

    def calls_for(self, seconds, most):
        """Warms up, and finds how many calls take about so long, at most so many."""
        calls = 1
        while (took := self.ask(calls) * calls / 1e9) < seconds / 4:
            calls *= 2
            if calls >= most:
                return most
        return min(most, max(1, round(calls * seconds / took)))

    def end(self):
        """Ends the process, and returns the last thing it said."""
        try:
            # Without a next line it ends by itself, and takes away what it has made.
            said = self.process.communicate(timeout=2)[1]
        except subprocess.TimeoutExpired:
            self.process.kill()
            said = self.process.communicate()[1]
        said = [line for line in said.splitlines() if line.strip() and not line.startswith("note: ")]
        return prepare.one_line(said[-1] if said else "it ended without a word")


def measure(row, rounds, quick):
    """Returns pairs of ns, ours and the peer's."""
    try:
        if row.paired:
            return row.paired(rounds, quick)
        seconds = QUICK if quick else LENGTH
        both = []
        try:
            for made in (row.ours, row.peer):
                both.append(Contestant(made()))
            if row.paced:
                calls = [round(seconds * 1000)] * 2
                [it.ask(count) for it, count in zip(both, calls)]
            else:
                calls = [it.calls_for(seconds, most) for it, most in zip(both, (row.most, 1 << 24))]
            return [tuple(it.ask(count) / row.units for it, count in zip(both, calls)) for _ in range(rounds)]
        finally:
            for it in both:
                it.end()
    except Missing:
        raise
    # Whatever fails, the other rows go on.
    except Exception as reason:
        said = str(reason) if isinstance(reason, prepare.Failed) else repr(reason)
        raise Missing(prepare.one_line(said)) from None
