// Extism, by the C library in its package of PyPI. Built by `run`; called with `hook` or `load`, and the path of the
// guest. The law: a plug-in as its manual makes one; `hook` calls it, `load` makes one from bytes and calls it once.
#include <stdlib.h>
#include <string.h>

#include "contest.h"
#include "extism.h"

static uint8_t bytes[1 << 20];
static size_t length;
static const Function *functions[3];
static Plugin *plugin;

static void now(void *p, const Value *given, uint64_t count, Value *result, uint64_t results, void *data) {
    (void)p, (void)given, (void)count, (void)results, (void)data;
    result[0].type = I64;
    result[0].value.i64 = host_now();
}

static void read_one(void *p, const Value *given, uint64_t count, Value *result, uint64_t results, void *data) {
    (void)p, (void)count, (void)results, (void)data;
    result[0].type = F64;
    result[0].value.f64 = host_read(given[0].value.i32);
}

static void set(void *p, const Value *given, uint64_t count, Value *result, uint64_t results, void *data) {
    (void)p, (void)count, (void)results, (void)data;
    result[0].type = I32;
    result[0].value.i32 = host_set(given[0].value.i32, given[1].value.f64, given[2].value.i64);
}

static void make(void) {
    char *error = NULL;
    plugin = extism_plugin_new(bytes, length, functions, 3, false, &error);
    if (!plugin) {
        fprintf(stderr, "Extism: %s\n", error ? error : "no plug-in");
        exit(1);
    }
}

static void call(void) {
    if (extism_plugin_call(plugin, "hook", NULL, 0)) {
        const char *error = extism_plugin_error(plugin);
        fprintf(stderr, "Extism: %s\n", error ? error : "the call failed");
        exit(1);
    }
    host_take();
}

static const Function *function(const char *name, Called *called, const Type *given, int count, Type result) {
    Function *made = extism_function_new(name, given, count, &result, 1, called, NULL, NULL);
    extism_function_set_namespace(made, "extism:host/user");
    return made;
}

// A function belongs to one plug-in.
static void functions_anew(void) {
    functions[0] = function("now", now, NULL, 0, I64);
    functions[1] = function("read", read_one, (Type[]){I32}, 1, F64);
    functions[2] = function("set", set, (Type[]){I32, F64, I64}, 3, I32);
}

static void load(void) {
    functions_anew();
    make();
    call();
    extism_plugin_free(plugin);
    for (int it = 0; it < 3; it++) extism_function_free((void *)functions[it]);
}

int main(int count, char **words) {
    FILE *file = count > 2 ? fopen(words[2], "rb") : NULL;
    if (!file) return fprintf(stderr, "which module?\n"), 1;
    length = fread(bytes, 1, sizeof bytes, file);
    if (!strcmp(words[1], "load")) {
        // Compiled anew, as ours: without its cache, which is on if nothing is said.
        setenv("EXTISM_CACHE_CONFIG", "", 1);
        return contest(load), 0;
    }
    functions_anew();
    make();
    contest(call);
}
