"""Presses Tab in a real shell, in a terminal of its own, and prints what the shell shows.

tab.py SHELL SCRIPT WORDS...: SCRIPT is what `dcm-run completions SHELL` printed; each of WORDS is typed before Tab,
and what is shown then is printed as one line.
"""
import fcntl
import os
import pty
import re
import select
import struct
import sys
import tempfile
import termios
import time

shell, script, *typed = sys.argv[1:]
home = tempfile.mkdtemp()
marks = "READY> "
begin = {
    "bash": ["bash", "--norc", "--noprofile", "-i"],
    "zsh": ["zsh", "-f", "-i"],
    "fish": ["fish", "--no-config", "-i"],
}[shell]
setup = {
    "bash": f"PS1='{marks}'; bind 'set enable-bracketed-paste off'; bind 'set show-all-if-ambiguous on'; "
            f"bind 'set page-completions off'; bind 'set completion-query-items 1000'; source {script}\n",
    "zsh": f"unsetopt ZLE_PROMPT PROMPT_SP 2>/dev/null; PS1='{marks}'; LISTMAX=1000; autoload -Uz compinit; "
           f"compinit -u -D; source {script}; setopt AUTO_LIST NO_LIST_BEEP\n",
    "fish": f"function fish_prompt; echo -n '{marks}'; end; source {script}\n",
}[shell]
env = dict(os.environ, HOME=home, TERM="xterm", COLUMNS="200", LINES="60", fish_greeting="")
pid, terminal = pty.fork()
if pid == 0:
    os.execvpe(begin[0], begin, env)
fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 60, 200, 0, 0))


def hear(seconds, still):
    """What comes until nothing has come for so long, or the time is over."""
    heard, end, last = b"", time.time() + seconds, time.time()
    while time.time() < end:
        ready, _, _ = select.select([terminal], [], [], 0.05)
        if ready:
            try:
                more = os.read(terminal, 65536)
            except OSError:
                break
            heard, last = heard + more, time.time()
            # fish asks what its terminal is, and waits for an answer.
            if b"\x1b[c" in more or b"\x1b[0c" in more:
                os.write(terminal, b"\x1b[?62c")
        elif heard and time.time() - last > still:
            break
    return heard


hear(10, 0.5)
# What the shell says when it is set up, and not the echo of what is typed.
os.write(terminal, setup.encode() + b"echo set''up\n")
said, end = b"", time.time() + 60
while b"setup" not in said and time.time() < end:
    said += hear(1, 0.2)
hear(5, 0.5)
for words in typed:
    os.write(terminal, words.encode())
    hear(2, 0.2)
    os.write(terminal, b"\t")
    # On a busy machine the program takes a while, behind what the shell itself draws.
    shown = hear(20, 1.5)
    os.write(terminal, b"\t")
    shown += hear(3, 0.6)
    shown = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[=>()][0-9B]?", " ", shown.decode(errors="replace"))
    print(" ".join(shown.split()))
    # Away with the line, and with whatever menu is open.
    os.write(terminal, b"\x03")
    hear(2, 0.3)
os.close(terminal)
