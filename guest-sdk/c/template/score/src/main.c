// Looks left and right, to a beat, and lights its chest.
#include "choreography.h"

DCM_SCORE("{{name}}", "Looks left and right, to a beat.");

DCM_JOINT(HeadYaw); // by the names of the robot's description
DCM_JOINT(HeadPitch);
DCM_GROUP(Chest, "ChestLeds");
DCM_PARAM(Far, "far", 0.1, 0.5, 0.8); // lowest, usual, highest: `dcm-run tune {{name}} far=0.3`

// Runs beside the loop. Commands that still wait when it returns are dropped.
void run(void) {
    dcm_info("hello");
    // Angles are in radians, or deg(20); times are ms(300), or s(1.5).
    const dcm_span beat = ms(600);
    dcm_instant bar = dcm_now() + s(1);
    dcm_move(HeadPitch, .to = 0, .ease = DCM_EASE_SINE, .over = ms(900));
    for (int count = 1; count <= 4; count++) {
        double far = dcm_get(Far);
        dcm_through(HeadYaw, DCM_KEYS({beat, far}, {3 * beat, -far}, {4 * beat, 0}), .from = 0, .at = bar);
        dcm_move(Chest, .to = 1, .at = bar + beat);
        dcm_move(Chest, .to = 0, .at = bar + 3 * beat);
        dcm_sleep_until(bar + 2 * beat);
        bar += 4 * beat;
    }
    dcm_sleep_until(bar);
}
