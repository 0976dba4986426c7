/* The module @LIBRARY@: it gives a compiled package the functions and classes of the compiled Seven Hues.

   mypyc expects that the library of another package exports a table. Ours is one library without a table, so this module
   finds the symbols in it and makes the table. */

#include <dlfcn.h>

#include "__native_@GROUP@.h"

static struct export_table_@GROUP@ exports;

static const struct {
    const char *symbol;
    void **place;
} symbols[] = {
@SYMBOLS@
};

static const struct {
    PyTypeObject ***type;
    Py_ssize_t size;
} classes[] = {
@CLASSES@
    {NULL, 0},
};

static PyObject *refuse(const char *what) {
    PyErr_Format(PyExc_ImportError, "@PACKAGE@ does not fit this build of Seven Hues (%s): build @PACKAGE@ again", what);
    return NULL;
}

static PyObject *fill(PyObject *module, PyObject *path) {
    const char *file = PyUnicode_AsUTF8(path);
    void *library = file ? dlopen(file, RTLD_NOW | RTLD_NOLOAD) : NULL;
    if (!library)
        return PyErr_Occurred() ? NULL : refuse("its library is not loaded");
    for (size_t at = 0; at < sizeof(symbols) / sizeof(symbols[0]); at++) {
        *symbols[at].place = dlsym(library, symbols[at].symbol);
        if (!*symbols[at].place)
            return refuse(symbols[at].symbol);
    }
    for (size_t at = 0; classes[at].type; at++) {
        PyTypeObject *type = **classes[at].type;
        if (!type || type->tp_basicsize != classes[at].size)
            return refuse(type ? type->tp_name : "a class is missing");
    }
    PyObject *capsule = PyCapsule_New(&exports, "@LIBRARY@.exports", NULL);
    if (!capsule || PyModule_AddObject(module, "exports", capsule) < 0)
        return NULL;
    return module;
}

static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "@LIBRARY@", NULL, -1, NULL};

PyMODINIT_FUNC PyInit_@LIBRARY@(void) {
    PyObject *contract = PyImport_ImportModule("sevenhues.compiling.contract");
    if (!contract)
        return NULL;
    PyObject *path = PyObject_CallMethod(contract, "link", "sss", "@PACKAGE@", "@FINGERPRINT@", "@MODULES@");
    Py_DECREF(contract);
    if (!path)
        return NULL;
    PyObject *module = PyModule_Create(&definition);
    if (module && !fill(module, path))
        Py_CLEAR(module);
    Py_DECREF(path);
    return module;
}
