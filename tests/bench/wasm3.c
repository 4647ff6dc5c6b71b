// The same core module as the bench "26 commands sent", called by wasm3: an interpreter, unmetered.
// Built and run by guests.sh. Prints the median time of a call, ns.
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "m3_api_defs.h"
#include "m3_env.h"
#include "wasm3.h"

#undef fprintf // guests.sh silences the interpreter, not this

static struct { uint32_t to; double value; uint64_t at; } tray[1024];
static uint32_t laid;

static m3ApiRawFunction(now) {
    m3ApiReturnType(uint64_t)
    m3ApiReturn(1000000);
}

static m3ApiRawFunction(set) {
    m3ApiReturnType(uint32_t)
    m3ApiGetArg(uint32_t, to) m3ApiGetArg(double, value) m3ApiGetArg(uint64_t, at)
    if (to >= 26) m3ApiReturn(1);
    if (value != value) m3ApiReturn(0);
    if (laid >= 1024) m3ApiReturn(3);
    tray[laid].to = to;
    tray[laid].value = value;
    tray[laid].at = at;
    laid++;
    m3ApiReturn(0);
}

static int compare(const void *a, const void *b) {
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

static void check(M3Result result) {
    if (result) {
        fprintf(stderr, "wasm3: %s\n", result);
        exit(1);
    }
}

int main(int count, char **words) {
    enum { ROUNDS = 31, CALLS = 20000 };
    static uint8_t bytes[1 << 20];
    FILE *file = count > 1 ? fopen(words[1], "rb") : NULL;
    if (!file) return fprintf(stderr, "which module?\n"), 1;
    size_t length = fread(bytes, 1, sizeof bytes, file);
    IM3Environment environment = m3_NewEnvironment();
    IM3Runtime runtime = m3_NewRuntime(environment, 1 << 16, NULL);
    IM3Module module;
    check(m3_ParseModule(environment, &module, bytes, length));
    check(m3_LoadModule(runtime, module));
    check(m3_LinkRawFunction(module, "dcm:choreography/clock@0.1.0", "now", "I()", &now));
    check(m3_LinkRawFunction(module, "dcm:choreography/commands@0.1.0", "set", "i(iFI)", &set));
    IM3Function hook;
    check(m3_FindFunction(&hook, runtime, "pre-process"));
    double times[ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
        struct timespec begun, ended;
        clock_gettime(CLOCK_MONOTONIC, &begun);
        for (int call = 0; call < CALLS; call++) {
            laid = 0;
            check(m3_Call(hook));
        }
        clock_gettime(CLOCK_MONOTONIC, &ended);
        times[round] = ((ended.tv_sec - begun.tv_sec) * 1e9 + (ended.tv_nsec - begun.tv_nsec)) / CALLS;
    }
    qsort(times, ROUNDS, sizeof *times, compare);
    printf("%.0f\n", times[ROUNDS / 2]);
}
