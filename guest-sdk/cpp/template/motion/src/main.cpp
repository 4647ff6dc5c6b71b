// Nods, and looks at whoever touches its head.
#include "choreography.hpp"

using namespace dcm;

DCM_MOTION("{{name}}", "Nods, and looks up when its head is touched.");
DCM_MANIFEST("fuel = 100_000"); // for each call of a hook

static Actuator HeadPitch{"HeadPitch"}; // by the names of the robot's description
static Sensor Touch{"Head/Touch/Front"};
static Param Depth{"depth", 0.1, 0.25, 0.4}; // lowest, usual, highest: `dcm-run tune {{name}} depth=0.2`

// When its last movement ends; the clock's start before the first turn.
static Instant end;
static bool was_touched;

// Called once, before the first turn.
void start() {
    say("hello");
}

// Called in every turn, before values are computed.
void pre_process() {
    if (end == Instant()) {
        // Two nods. Angles are in radians, or 20_deg; times are 300_ms, or 1.5_s.
        const double down = Depth.get();
        HeadPitch.through({{400_ms, down}, {800_ms, 0}, {1200_ms, down}, {1600_ms, 0}}).now();
        end = now() + 3_s;
    }
    const bool is_touched = Touch.is_on();
    if (is_touched && !was_touched) {
        HeadPitch.to(-0.2).replacing().eased(Ease::Sine).over(400_ms);
        HeadPitch.to(0).eased(Ease::Sine).from(-0.2).starting(now() + 1_s).over(600_ms);
        end = now() + 3_s;
    }
    was_touched = is_touched;
}

// Called in every turn: it ends when this is false.
bool is_alive() {
    return end == Instant() || now() < end;
}
