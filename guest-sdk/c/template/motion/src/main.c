// Nods, and looks at whoever touches its head.
#include "choreography.h"

DCM_MOTION("{{name}}", "Nods, and looks up when its head is touched.");
DCM_MANIFEST("fuel = 100_000"); // for each call of a hook

DCM_JOINT(HeadPitch); // by the names of the robot's description
DCM_SENSOR(Touch, "Head/Touch/Front");
DCM_PARAM(Depth, "depth", 0.1, 0.25, 0.4); // lowest, usual, highest: `dcm-run tune {{name}} depth=0.2`

// When its last movement ends; 0 before the first turn.
static dcm_instant end;
static bool was_touched;

// Called once, before the first turn.
void start(void) {
    dcm_info("hello");
}

// Called in every turn, before values are computed.
void pre_process(void) {
    dcm_instant now = dcm_now();
    if (end == 0) {
        // Two nods. Angles are in radians, or deg(20); times are ms(300), or s(1.5).
        double down = dcm_get(Depth);
        dcm_through(HeadPitch, DCM_KEYS({ms(400), down}, {ms(800), 0}, {ms(1200), down}, {ms(1600), 0}));
        end = now + s(3);
    }
    bool is_touched = dcm_is_on(Touch);
    if (is_touched && !was_touched) {
        dcm_move(HeadPitch, .to = -0.2, .replacing = true, .ease = DCM_EASE_SINE, .over = ms(400));
        dcm_move(HeadPitch, .to = 0, .from = -0.2, .ease = DCM_EASE_SINE, .starting = now + s(1), .over = ms(600));
        end = now + s(3);
    }
    was_touched = is_touched;
}

// Called in every turn: it ends when this is false.
bool is_alive(void) {
    return end == 0 || dcm_now() < end;
}
