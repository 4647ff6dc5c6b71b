// CPython, with functions of the host in C. Built by `run` as the module `host`; `peers/python/hook.py` calls `contest`
// with the hook. The law: METH_FASTCALL for each function, and the hook is called from C: CPython's quickest way.
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "contest.h"

static PyObject *now(PyObject *self, PyObject *none) {
    (void)self, (void)none;
    return PyLong_FromUnsignedLongLong(host_now());
}

static PyObject *read_one(PyObject *self, PyObject *const *words, Py_ssize_t count) {
    (void)self;
    if (count != 1) return PyErr_SetString(PyExc_TypeError, "read takes one"), NULL;
    return PyFloat_FromDouble(host_read(PyLong_AsUnsignedLong(words[0])));
}

static PyObject *set(PyObject *self, PyObject *const *words, Py_ssize_t count) {
    (void)self;
    if (count != 3) return PyErr_SetString(PyExc_TypeError, "set takes three"), NULL;
    uint32_t to = PyLong_AsUnsignedLong(words[0]);
    uint64_t at = PyLong_AsUnsignedLongLong(words[2]);
    return PyLong_FromUnsignedLong(host_set(to, PyFloat_AsDouble(words[1]), at));
}

static PyObject *hook;

static void call(void) {
    PyObject *result = PyObject_CallNoArgs(hook);
    if (!result) {
        PyErr_Print();
        exit(1);
    }
    Py_DECREF(result);
    host_take();
}

static PyObject *begin(PyObject *self, PyObject *called) {
    (void)self;
    hook = called;
    contest(call);
    Py_RETURN_NONE;
}

static PyMethodDef functions[] = {
    {"now", now, METH_NOARGS, NULL},
    {"read", (PyCFunction)(void (*)(void))read_one, METH_FASTCALL, NULL},
    {"set", (PyCFunction)(void (*)(void))set, METH_FASTCALL, NULL},
    {"contest", begin, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "host", NULL, -1, functions, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit_host(void) { return PyModule_Create(&module); }
