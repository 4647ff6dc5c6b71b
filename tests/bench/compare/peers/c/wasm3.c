// wasm3, an interpreter of WebAssembly. Built by `run` from the sources of the crate wasm3-sys, called with the path of
// the guest. The law: functions of the host are linked raw, which is its quickest way.
#include "m3_api_defs.h"
#include "m3_env.h"
#include "wasm3.h"

#undef fprintf // `silence.h` silences the interpreter, not this
#include "contest.h"

static m3ApiRawFunction(now) {
    m3ApiReturnType(uint64_t)
    m3ApiReturn(host_now());
}

static m3ApiRawFunction(read_one) {
    m3ApiReturnType(double)
    m3ApiGetArg(uint32_t, of)
    m3ApiReturn(host_read(of));
}

static m3ApiRawFunction(set) {
    m3ApiReturnType(uint32_t)
    m3ApiGetArg(uint32_t, to) m3ApiGetArg(double, value) m3ApiGetArg(uint64_t, at)
    m3ApiReturn(host_set(to, value, at));
}

static void check(M3Result result) {
    if (result) {
        fprintf(stderr, "wasm3: %s\n", result);
        exit(1);
    }
}

static IM3Function hook;

static void call(void) {
    check(m3_Call(hook));
    host_take();
}

int main(int count, char **words) {
    static uint8_t bytes[1 << 20];
    FILE *file = count > 1 ? fopen(words[1], "rb") : NULL;
    if (!file) return fprintf(stderr, "which module?\n"), 1;
    size_t length = fread(bytes, 1, sizeof bytes, file);
    IM3Environment environment = m3_NewEnvironment();
    IM3Runtime runtime = m3_NewRuntime(environment, 1 << 16, NULL);
    IM3Module module;
    check(m3_ParseModule(environment, &module, bytes, length));
    check(m3_LoadModule(runtime, module));
    check(m3_LinkRawFunction(module, "host", "now", "I()", &now));
    check(m3_LinkRawFunction(module, "host", "read", "F(i)", &read_one));
    check(m3_LinkRawFunction(module, "host", "set", "i(iFI)", &set));
    check(m3_FindFunction(&hook, runtime, "hook"));
    contest(call);
}
