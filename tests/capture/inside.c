/* inside.c - captures the interpreter of this process, by the functions of picklesight_capture.h.
 *
 *   capture_inside           prints the fingerprint
 *   capture_inside MODULE    imports it first, and asks for its names
 *
 * Exit status 1 when the interpreter is not left as it was. */
#include <Python.h>
#include <picklesight_capture.h>
#include <stdio.h>

static int print(void *user, const char *data, size_t size) {
  return fwrite(data, 1, size, user) == size ? 0 : 1;
}

static int complain(const char *text) {
  fprintf(stderr, "inside: %s\n", text);
  return 1;
}

/* How many modules, and how long sys.path is. */
static Py_ssize_t state(void) {
  return PyDict_Size(PyImport_GetModuleDict()) * 1000 + PyList_Size(PySys_GetObject("path"));
}

static int capture(const char *module) {
  pks_capture_options options = {.size = sizeof options};
  pks_target *target = NULL;
  pks_error error = {.size = sizeof error, .text = ""};
  int failed = 0;
  if (pks_capture_options_init(&options) != PKS_OK) return complain("no options");
  options.modules = &module;
  options.module_count = module != NULL;
  if (module && !PyImport_ImportModule(module)) return complain("no such module");
  if (pks_capture_python(module ? &options : NULL, NULL, &target, &error) != PKS_OK)
    return complain(error.text);
  pks_target_free(target);
  /* What it imports itself is there now. */
  Py_ssize_t before = state();
  PyErr_SetString(PyExc_KeyError, "kept");
  if (pks_capture_python(module ? &options : NULL, NULL, &target, &error) != PKS_OK)
    failed = complain(error.text);
  if (!PyErr_ExceptionMatches(PyExc_KeyError)) failed = complain("the exception was lost");
  PyErr_Clear();
  if (state() != before) failed = complain("sys.modules or sys.path changed");
  if (!failed && pks_target_write(target, print, stdout) != PKS_OK) failed = complain("no output");
  pks_target_free(target);
  return failed;
}

int main(int argc, char **argv) {
  pks_target *target = NULL;
  if (pks_capture_python(NULL, NULL, &target, NULL) != PKS_E_PYTHON)
    return complain("there is an interpreter before there is one");
  Py_Initialize();
  int failed = capture(argc > 1 ? argv[1] : NULL);
  Py_Finalize();
  return failed;
}
