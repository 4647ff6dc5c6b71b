"""Waves with the right arm, from any position of the arm, and puts it back."""

from choreography import Ease, actuators, group, ms, param, sleep_until, strike

SHOULDER_PITCH, SHOULDER_ROLL, ELBOW_YAW, ELBOW_ROLL, WRIST_YAW, HEAD_YAW = actuators(
    "RShoulderPitch", "RShoulderRoll", "RElbowYaw", "RElbowRoll", "RWristYaw", "HeadYaw"
)
CHEST = group("ChestLeds")
SPEED = param("speed", 0.5, 1.0, 1.5)
TIMES = param("times", 1.0, 3.0, 10.0)

#: The pose of the arm for waving: up, and a little out.
RAISED = [
    (SHOULDER_PITCH, -1.3),
    (SHOULDER_ROLL, -0.35),
    (ELBOW_YAW, 0.35),
    (ELBOW_ROLL, 0.7),
    (WRIST_YAW, 0.0),
    (HEAD_YAW, -0.25),
]


def run() -> None:
    sleep_until(wave())


def wave() -> int:
    """Sends a whole wave. Returns when it ends."""
    beat = int(ms(400) / SPEED.get() + 0.5)

    # The arm goes up smoothly, from any position: a longer way takes longer.
    at = strike(RAISED, 0.4, beat * 2)
    CHEST.to(1.0).at(at)

    # The forearm goes out and in, as often as it waves.
    for _ in range(int(TIMES.get())):
        ELBOW_ROLL.to(0.2).eased(Ease.SINE).from_(0.7).starting(at).over(beat)
        ELBOW_ROLL.to(0.7).eased(Ease.SINE).from_(0.2).starting(at + beat).over(beat)
        at += beat * 2

    # The arm returns to rest.
    last = at + beat * 3
    for joint, up in RAISED:
        joint.to(joint.limits().rest).eased(Ease.JERKLESS).from_(up).starting(at).at(last)
    CHEST.to(0.0).at(last)
    return last
