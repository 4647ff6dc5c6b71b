"""The hook in CPython. Called by `run`, which has built the module `host`. The law: the same work, in plain Python."""
from host import contest, now, read, set


def hook():
    at = now()
    for joint in range(26):
        set(joint, read(joint), at)


contest(hook)
