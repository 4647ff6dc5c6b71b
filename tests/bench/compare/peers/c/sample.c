// A straight loop in C over lines of many joints. Built and called by `run` with the number of joints. The law: each
// joint has its own points, one in every 100 ms, and a cursor; the clock goes on by 1 ms, and begins anew at the end.
#include <string.h>

#include "contest.h"

enum { POINTS = 1000, APART = 100 };

typedef struct { uint64_t at; double value; } Point;
static Point *points;
static uint32_t *cursors;
static double *out;
static long joints;
static uint64_t now = APART;

static void sample(void) {
    if (++now >= (uint64_t)APART * (POINTS - 1)) {
        now = APART;
        memset(cursors, 0, joints * sizeof *cursors);
    }
    for (long joint = 0; joint < joints; joint++) {
        const Point *line = points + joint * POINTS;
        uint32_t cursor = cursors[joint];
        while (line[cursor + 1].at <= now) cursor++;
        cursors[joint] = cursor;
        const Point a = line[cursor], b = line[cursor + 1];
        out[joint] = a.value + (b.value - a.value) * (double)(now - a.at) / (double)(b.at - a.at);
    }
    __asm__ volatile("" : : "r"(out) : "memory");
}

int main(int count, char **words) {
    joints = count > 1 ? atol(words[1]) : JOINTS;
    points = malloc(sizeof *points * POINTS * joints);
    cursors = calloc(joints, sizeof *cursors);
    out = calloc(joints, sizeof *out);
    if (!points || !cursors || !out) return 1;
    for (long place = 0; place < joints * POINTS; place++) {
        uint64_t point = place % POINTS;
        points[place].at = point * APART;
        points[place].value = point * 7 % 13 / 10.0;
    }
    contest(sample);
}
