"""{{Name}}: turns the head to and fro. Its hooks are called by the robot's loop, in every turn."""

import math

from choreography import Ease, actuator, now, param, s, seconds

HEAD_YAW = actuator("HeadYaw")
#: Radians to each side; change it while it plays: `dcm-run tune {{name}} width=0.5`.
WIDTH = param("width", 0.0, 0.3, 1.0)

#: When it begins to swing; None before its first turn.
begun: int | None = None


def pre_process() -> None:
    """In every turn, before the values are computed: what is commanded for now is sent in this turn."""
    global begun
    if begun is None:
        # From wherever the head is to the middle, in a second.
        HEAD_YAW.to(0.0).eased(Ease.SINE).over(s(1))
        begun = now() + s(1)
    if now() >= begun:
        HEAD_YAW.to(WIDTH.get() * math.sin(2.0 * seconds(now() - begun))).now()


def is_alive() -> bool:
    """Asked in every turn: it ends after ten movements."""
    return begun is None or seconds(now() - begun) < 10 * math.pi
