// Blinks now and then, sometimes twice: a hook that does nothing in most turns. Lights with one name are a group. It
// has a random generator of its own, because the contract has none.
#include "choreography.h"

DCM_MOTION("blink", "Blinks now and then, sometimes twice.");
DCM_MANIFEST("fuel = 100_000");
DCM_MANIFEST("loops = true");
DCM_MANIFEST("priority = 5.0"); // others can use the eyes at any time
DCM_MANIFEST("fade-in = 300");
DCM_MANIFEST("fade-out = 300");

DCM_GROUP(Red, "FaceLedsRed");
DCM_GROUP(Green, "FaceLedsGreen");
DCM_GROUP(Blue, "FaceLedsBlue");
DCM_PARAM(Pause, "pause", 0.5, 4.0, 20.0); // seconds, on average
DCM_PARAM(Light, "light", 0.0, 0.7, 1.0);

// The time of the next blink.
static dcm_instant next;

// A random number from 0 to 1: Marsaglia's xorshift. Its state is never 0.
static double roll(void) {
    static uint32_t dice = 0x9e3779b9;
    dice ^= dice << 13;
    dice ^= dice >> 17;
    dice ^= dice << 5;
    return dice / (double)UINT32_MAX;
}

static void colour(const dcm_group *group, double light, dcm_instant at) {
    dcm_move(group, .to = light, .at = at);
    dcm_move(group, .to = 0, .at = at + ms(60));
    dcm_move(group, .to = 0, .at = at + ms(110));
    dcm_move(group, .to = light, .at = at + ms(230));
}

// Closes the eyes and opens them: they close faster than they open.
static void blink(dcm_instant at) {
    double light = dcm_get(Light);
    colour(Red, light * 0.6, at);
    colour(Green, light * 0.8, at);
    colour(Blue, light, at);
}

void start(void) {
    next = dcm_now();
}

void pre_process(void) {
    dcm_instant now = dcm_now();
    if (now < next) return;
    blink(now);
    double rest = dcm_get(Pause) * (0.4 + 1.2 * roll());
    if (roll() < 0.2) {
        blink(now + ms(280));
        rest += 0.28;
    }
    next = now + (rest > 0.3 ? s(rest) : ms(300));
}
