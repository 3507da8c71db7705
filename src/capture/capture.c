/* capture/capture.c - the script of this room, run by the interpreter of this process. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <picklesight_capture.h>

#include "capture/script.h"

static pks_status say(pks_error *error, pks_status status, const char *text) {
  if (error && error->size >= sizeof *error) {
    error->status = status;
    error->offset = 0;
    error->opcode = error->exception = NULL;
    error->text = text;
  }
  return status;
}

pks_status pks_capture_options_init(pks_capture_options *options) {
  if (!options || options->size < sizeof *options) return PKS_E_USAGE;
  *options = (pks_capture_options){.size = sizeof *options, .main_open = 1};
  return PKS_OK;
}

/* ---- the program ------------------------------------------------------------------------------------ */

typedef struct text {
  char *data; /* of PyMem */
  size_t size, capacity;
} text;

static int add(void *user, const char *data, size_t size) {
  text *t = user;
  if (size >= t->capacity - t->size) {
    size_t capacity = t->capacity ? t->capacity : 65536;
    while (capacity - t->size <= size) {
      if (capacity > SIZE_MAX / 2) return 1;
      capacity *= 2;
    }
    char *grown = PyMem_Realloc(t->data, capacity);
    if (!grown) return 1;
    t->data = grown;
    t->capacity = capacity;
  }
  memcpy(t->data + t->size, data, size);
  t->size += size;
  t->data[t->size] = '\0';
  return 0;
}

static pks_span span_of(const char *string) {
  return (pks_span){(const uint8_t *)string, strlen(string)};
}

static bool next(void *user, size_t index, pks_capture_ask *ask) {
  const pks_capture_options *options = user;
  if (index >= options->module_count) return false;
  *ask = (pks_capture_ask){span_of(options->modules[index]), NULL};
  return true;
}

static bool write_program(const pks_capture_options *options, text *program) {
  pks_capture_request request = {.main_open = options->main_open != 0, .inside = true, .fd = -1};
  pks_capture_options asks = *options;
  pks_span *main = PyMem_Calloc(options->main_count + 1, sizeof *main);
  if (!main) return false;
  for (size_t i = 0; i < options->main_count; i++) main[i] = span_of(options->main_names[i]);
  request.main = main;
  request.mains = options->main_count;
  pks_status status = pks_capture_write(&request, next, &asks, add, program);
  PyMem_Free(main);
  return status == PKS_OK;
}

/* ---- running it --------------------------------------------------------------------------------------- */

/* Its RESULT, a str, or NULL with an exception set. */
static PyObject *run(const char *program) {
  PyObject *globals = PyDict_New(), *name = NULL, *result = NULL, *done = NULL;
  if (!globals) return NULL;
  name = PyUnicode_FromString("picklesight_capture");
  if (name && PyDict_SetItemString(globals, "__name__", name) == 0 &&
      PyDict_SetItemString(globals, "__builtins__", PyEval_GetBuiltins()) == 0)
    done = PyRun_StringFlags(program, Py_file_input, globals, globals, NULL);
  if (done) result = PyDict_GetItemString(globals, "RESULT");
  Py_XINCREF(result);
  Py_XDECREF(done);
  Py_XDECREF(name);
  PyDict_Clear(globals); /* its functions hold it */
  Py_DECREF(globals);
  return result;
}

static pks_status read_result(PyObject *result, const pks_alloc *alloc, pks_target **out,
                              pks_error *error) {
  Py_ssize_t size = 0;
  const char *json = PyUnicode_AsUTF8AndSize(result, &size);
  if (!json) return say(error, PKS_E_PYTHON, "the interpreter raised an exception");
  return pks_target_captured(json, (size_t)size, alloc, out, error);
}

static pks_status capture(const pks_capture_options *options, const pks_alloc *alloc,
                          pks_target **out, pks_error *error) {
  text program = {NULL, 0, 0};
  pks_status status = PKS_E_NO_MEMORY;
  if (write_program(options, &program)) {
    PyObject *result = run(program.data);
    status = result ? read_result(result, alloc, out, error)
                    : say(error, PKS_E_PYTHON, "the interpreter raised an exception");
    Py_XDECREF(result);
    PyErr_Clear();
  } else {
    say(error, status, pks_status_text(status));
  }
  PyMem_Free(program.data);
  return status;
}

pks_status pks_capture_python(const pks_capture_options *options, const pks_alloc *alloc,
                              pks_target **out, pks_error *error) {
  pks_capture_options usual = {.size = sizeof usual};
  (void)pks_capture_options_init(&usual);
  if (!out || (options && options->size < sizeof *options)) return PKS_E_USAGE;
  *out = NULL;
  if (!Py_IsInitialized()) return say(error, PKS_E_PYTHON, "no Python interpreter is running");
  PyObject *type, *value, *traceback;
  PyErr_Fetch(&type, &value, &traceback);
  pks_status status = capture(options ? options : &usual, alloc, out, error);
  PyErr_Restore(type, value, traceback);
  return status;
}
