// Blinks now and then, sometimes twice: a hook that does nothing in most turns. Lights with one name are a group. It
// has a random generator of its own, because the contract has none.
#include "choreography.hpp"

using namespace dcm;

DCM_MOTION("blink", "Blinks now and then, sometimes twice.");
DCM_MANIFEST("fuel = 100_000");
DCM_MANIFEST("loops = true");
DCM_MANIFEST("priority = 5.0"); // others can use the eyes at any time
DCM_MANIFEST("fade-in = 300");
DCM_MANIFEST("fade-out = 300");

static Group Red{"FaceLedsRed"};
static Group Green{"FaceLedsGreen"};
static Group Blue{"FaceLedsBlue"};
static Param Pause{"pause", 0.5, 4.0, 20.0}; // seconds, on average
static Param Light{"light", 0.0, 0.7, 1.0};

// The time of the next blink.
static Instant next;

// A random number from 0 to 1: Marsaglia's xorshift. Its state is never 0.
static double roll() {
    static uint32_t dice = 0x9e3779b9;
    dice ^= dice << 13;
    dice ^= dice >> 17;
    dice ^= dice << 5;
    return dice / (double)UINT32_MAX;
}

// Closes the eyes and opens them: they close faster than they open.
static void blink(Instant at) {
    const auto colour = [at](const Group &group, double light) {
        group.to(light).at(at);
        group.to(0).at(at + 60_ms);
        group.to(0).at(at + 110_ms);
        group.to(light).at(at + 230_ms);
    };
    const double light = Light.get();
    colour(Red, light * 0.6);
    colour(Green, light * 0.8);
    colour(Blue, light);
}

void start() {
    next = now();
}

void pre_process() {
    const Instant at = now();
    if (at < next) return;
    blink(at);
    double rest = Pause.get() * (0.4 + 1.2 * roll());
    if (roll() < 0.2) {
        blink(at + 280_ms);
        rest += 0.28;
    }
    next = at + (rest > 0.3 ? s(rest) : 300_ms);
}
