// Waves with the right arm, from any position of the arm, and puts it back: the same wave, sent ahead by one long run.
#include "choreography.h"

DCM_SCORE("wave", "Waves with the right arm, and puts it back.");

DCM_JOINT(RShoulderPitch);
DCM_JOINT(RShoulderRoll);
DCM_JOINT(RElbowYaw);
DCM_JOINT(RElbowRoll);
DCM_JOINT(RWristYaw);
DCM_JOINT(HeadYaw);
DCM_GROUP(Chest, "ChestLeds");
DCM_PARAM(Speed, "speed", 0.5, 1.0, 1.5);
DCM_PARAM(Times, "times", 1.0, 3.0, 10.0);

// The pose of the arm for waving: up, and a little out.
static const dcm_pose RAISED[] = {
    {&RShoulderPitch, -1.3}, {&RShoulderRoll, -0.35}, {&RElbowYaw, 0.35},
    {&RElbowRoll, 0.7},      {&RWristYaw, 0},         {&HeadYaw, -0.25},
};

void run(void) {
    dcm_span beat = ms(400 / dcm_get(Speed));
    int times = (int)dcm_get(Times);

    // The arm goes up smoothly, from any position: a longer way takes longer.
    dcm_instant at = dcm_strike(DCM_ALL(RAISED), 0.4, 2 * beat);
    dcm_instant end = at + (2 * times + 3) * beat;
    dcm_move(Chest, .to = 1, .at = at);
    dcm_move(Chest, .to = 0, .at = end);

    // The forearm goes out and in, as often as it waves. Each wave is sent half a beat before it begins.
    for (int time = 0; time < times; time++) {
        dcm_sleep_until(at - beat / 2);
        dcm_move(RElbowRoll, .to = 0.2, .from = 0.7, .ease = DCM_EASE_SINE, .starting = at, .over = beat);
        dcm_move(RElbowRoll, .to = 0.7, .from = 0.2, .ease = DCM_EASE_SINE, .starting = at + beat, .over = beat);
        at += 2 * beat;
    }

    // The arm returns to rest.
    dcm_sleep_until(at - beat / 2);
    for (size_t place = 0; place < sizeof RAISED / sizeof *RAISED; place++) {
        dcm_actuator joint = *RAISED[place].of;
        dcm_move(joint, .to = dcm_rest(joint), .from = RAISED[place].value, .ease = DCM_EASE_JERKLESS,
                 .starting = at, .at = end);
    }

    // What still waits when this returns is dropped.
    dcm_sleep_until(end);
}
