// Looks left and right, to a beat, and lights its chest.
#include "choreography.hpp"

using namespace dcm;

DCM_SCORE("{{name}}", "Looks left and right, to a beat.");

static Actuator HeadYaw{"HeadYaw"}; // by the names of the robot's description
static Actuator HeadPitch{"HeadPitch"};
static Group Chest{"ChestLeds"};
static Param Far{"far", 0.1, 0.5, 0.8}; // lowest, usual, highest: `dcm-run tune {{name}} far=0.3`

// Runs beside the loop. Commands that still wait when it returns are dropped.
void run() {
    say("hello");
    // Angles are in radians, or 20_deg; times are 300_ms, or 1.5_s.
    const Span beat = 600_ms;
    Instant bar = now() + 1_s;
    HeadPitch.to(0).eased(Ease::Sine).over(900_ms);
    for (int count = 1; count <= 4; count++) {
        const double far = Far.get();
        HeadYaw.through({{beat, far}, {beat * 3, -far}, {beat * 4, 0}}).from(0).at(bar);
        Chest.to(1).at(bar + beat);
        Chest.to(0).at(bar + beat * 3);
        sleep_until(bar + beat * 2);
        bar += beat * 4;
    }
    sleep_until(bar);
}
