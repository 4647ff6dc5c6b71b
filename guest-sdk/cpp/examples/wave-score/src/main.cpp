// Waves with the right arm, from any position of the arm, and puts it back: the same wave, sent ahead by one long run.
#include "choreography.hpp"

using namespace dcm;

DCM_SCORE("wave", "Waves with the right arm, and puts it back.");

static Actuator RShoulderPitch{"RShoulderPitch"};
static Actuator RShoulderRoll{"RShoulderRoll"};
static Actuator RElbowYaw{"RElbowYaw"};
static Actuator RElbowRoll{"RElbowRoll"};
static Actuator RWristYaw{"RWristYaw"};
static Actuator HeadYaw{"HeadYaw"};
static Group Chest{"ChestLeds"};
static Param Speed{"speed", 0.5, 1.0, 1.5};
static Param Times{"times", 1.0, 3.0, 10.0};

// The pose of the arm for waving: up, and a little out.
static const Pose Raised[] = {
    {RShoulderPitch, -1.3}, {RShoulderRoll, -0.35}, {RElbowYaw, 0.35},
    {RElbowRoll, 0.7},      {RWristYaw, 0.0},       {HeadYaw, -0.25},
};

void run() {
    const Span beat = 400_ms / Speed.get();
    const int times = (int)Times.get();

    // The arm goes up smoothly, from any position: a longer way takes longer.
    Instant at = strike(Raised, 0.4, beat * 2);
    const Instant end = at + beat * (2 * times + 3);
    Chest.to(1).at(at);
    Chest.to(0).at(end);

    // The forearm goes out and in, as often as it waves. Each wave is sent half a beat before it begins.
    for (int time = 0; time < times; time++) {
        sleep_until(at - beat / 2);
        RElbowRoll.to(0.2).eased(Ease::Sine).from(0.7).starting(at).over(beat);
        RElbowRoll.to(0.7).eased(Ease::Sine).from(0.2).starting(at + beat).over(beat);
        at += beat * 2;
    }

    // The arm returns to rest.
    sleep_until(at - beat / 2);
    for (const Pose &up : Raised) {
        const Actuator &joint = up.actuator;
        joint.to(joint.rest()).eased(Ease::Jerkless).from(up.value).starting(at).at(end);
    }

    // What still waits when this returns is dropped.
    sleep_until(end);
}
