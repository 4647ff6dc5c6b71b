"""Blinks now and then, sometimes twice. In most turns its hook does nothing: it looks at the clock."""

from choreography import group, ms, now, param, s

RED, GREEN, BLUE = group("FaceLedsRed"), group("FaceLedsGreen"), group("FaceLedsBlue")
#: Seconds, on average.
PAUSE = param("pause", 0.5, 4.0, 20.0)
LIGHT = param("light", 0.0, 0.7, 1.0)

#: When it blinks next.
due = now()
#: Marsaglia's xorshift: the same blinks in every run.
dice = 0x9E3779B9


def pre_process() -> None:
    global due
    if now() < due:
        return
    at = now()
    blink(at)
    rest = PAUSE.get() * (0.4 + 1.2 * roll())
    if roll() < 0.2:
        blink(at + ms(280))
        rest += 0.28
    due = at + max(s(rest), ms(300))


def blink(at: int) -> None:
    """Closes the eyes and opens them: they close faster than they open."""
    light = LIGHT.get()
    for colour, share in [(RED, 0.6), (GREEN, 0.8), (BLUE, 1.0)]:
        colour.to(light * share).at(at)
        colour.to(0.0).at(at + ms(60))
        colour.to(0.0).at(at + ms(110))
        colour.to(light * share).at(at + ms(230))


def roll() -> float:
    """A random number from 0 to 1."""
    global dice
    dice ^= dice << 13 & 0xFFFFFFFF
    dice ^= dice >> 17
    dice ^= dice << 5 & 0xFFFFFFFF
    return dice / 0xFFFFFFFF
