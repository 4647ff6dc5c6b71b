// Looks at eight points in turn, in the order of their angles: with the standard library, and memory from `start` only.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "choreography.hpp"

using namespace dcm;

DCM_MOTION("library", "Looks at eight points in turn.");
DCM_MANIFEST("fuel = 100_000");

static Actuator HeadYaw{"HeadYaw"};

static std::vector<double> points;
static Instant end;

// Memory does not grow after this.
void start() {
    for (int point = 0; point < 8; point++) points.push_back(0.3 * std::sin(point * 0.7));
    std::sort(points.begin(), points.end());
    const std::string line = "it looks at " + std::to_string(points.size()) + " points";
    say(line.c_str());
}

void pre_process() {
    if (end != Instant()) return;
    end = now() + 500_ms;
    for (double point : points) {
        HeadYaw.to(point).at(end);
        end += 200_ms;
    }
}

bool is_alive() {
    return end == Instant() || now() < end;
}
