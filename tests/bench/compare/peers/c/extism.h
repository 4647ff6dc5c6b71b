// The functions of Extism's C library that are used here: the package of PyPI has the library without its header.
// Included by `extism.c`. The law: only what is called.
#ifndef EXTISM_H
#define EXTISM_H

#include <stdbool.h>
#include <stdint.h>

typedef enum { I32, I64, F32, F64 } Type;
typedef struct {
    Type type;
    union { int32_t i32; int64_t i64; float f32; double f64; } value;
} Value;
typedef struct Function Function;
typedef struct Plugin Plugin;
typedef void Called(void *plugin, const Value *given, uint64_t count, Value *result, uint64_t results, void *data);

Function *extism_function_new(const char *name, const Type *given, uint64_t count, const Type *results,
                              uint64_t result_count, Called *called, void *data, void (*freed)(void *));
void extism_function_set_namespace(Function *function, const char *name);
Plugin *extism_plugin_new(const uint8_t *bytes, uint64_t length, const Function **functions, uint64_t count, bool wasi,
                          char **error);
void extism_plugin_free(Plugin *plugin);
int32_t extism_plugin_call(Plugin *plugin, const char *name, const uint8_t *data, uint64_t length);
const char *extism_plugin_error(Plugin *plugin);

#endif
