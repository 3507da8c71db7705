/* real.c - the reading of the C unpickler of the libpython that this program is linked with.
 *
 * Nothing that a stream names is imported or called: find_class and persistent_load answer with one
 * type object that takes every call, hash, attribute method and item and does nothing. All of it is
 * written in C for speed: no Python code runs while a stream is read. */
#ifdef PKS_HAVE_PYTHON
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#endif

#include "oracle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef PKS_HAVE_PYTHON

bool real_start(reader *out) {
  snprintf(out->name, sizeof out->name, "built without libpython");
  return false;
}

#else

static PyObject *inert, *buffers, *ext_module;
static PyObject *peek_file, *plain_file, *bytes_io, *buffered_reader;
static PyObject *unpickler, *unpickler_persid; /* classes */
static PyObject *registry, *registry_cache, *registered;
static bool is_registered;

/* The stream that is being read. */
static struct {
  PyObject *data;
  size_t pos, size;
  int buffers;
  bytes *trace;
} now;

/* ---- the inert object --------------------------------------------------------------------------- */

static PyObject *inert_call(PyObject *self, PyObject *args, PyObject *kwargs) {
  (void)self, (void)args, (void)kwargs;
  bytes_byte(now.trace, 'C');
  Py_INCREF(inert);
  return inert;
}

/* As a __new__ written in Python, it takes no keyword that is no str. */
static PyObject *inert_new(PyTypeObject *self, PyObject *args, PyObject *kwargs) {
  if (kwargs && !PyArg_ValidateKeywordArguments(kwargs)) return NULL;
  return inert_call((PyObject *)self, args, kwargs);
}

static int inert_setitem(PyObject *self, PyObject *key, PyObject *value) {
  (void)self, (void)key, (void)value;
  return 0;
}

static PyObject *inert_nothing(PyObject *self, PyObject *args) {
  (void)self, (void)args;
  Py_RETURN_NONE;
}

static PyObject *inert_setstate(PyObject *self, PyObject *args) {
  bytes_byte(now.trace, 'S');
  return inert_nothing(self, args);
}

static PyObject *inert_dunder_new(PyObject *self, PyObject *args) {
  return inert_call(self, args, NULL);
}

static PyMethodDef inert_methods[] = {{"append", inert_nothing, METH_VARARGS, NULL},
                                      {"extend", inert_nothing, METH_VARARGS, NULL},
                                      {"add", inert_nothing, METH_VARARGS, NULL},
                                      {"__setstate__", inert_setstate, METH_VARARGS, NULL},
                                      {"__new__", inert_dunder_new, METH_VARARGS, NULL},
                                      {NULL, NULL, 0, NULL}};

#define SLOT(id, function) \
  { id, (void *)(uintptr_t)(function) }

static PyType_Slot meta_slots[] = {
    SLOT(Py_tp_call, inert_call), SLOT(Py_mp_ass_subscript, inert_setitem), {0, NULL}};
static PyType_Spec meta_spec = {"oracle.Meta", 0, 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
                                meta_slots};

/* A class whose class is Meta. Creating it calls type's own tp_call. */
static PyObject *make_inert(void) {
  PyObject *bases = Py_BuildValue("(O)", (PyObject *)&PyType_Type), *names = PyDict_New();
  PyObject *meta = bases ? PyType_FromSpecWithBases(&meta_spec, bases) : NULL;
  if (!meta || !names) return NULL;
  for (PyMethodDef *m = inert_methods; m->ml_name; m++) {
    PyObject *function = PyCFunction_New(m, NULL);
    PyObject *method = function ? PyStaticMethod_New(function) : NULL;
    if (!method || PyDict_SetItemString(names, m->ml_name, method) < 0) return NULL;
  }
  PyObject *args = Py_BuildValue("(s(O)O)", "Inert", (PyObject *)&PyBaseObject_Type, names);
  PyObject *class = args ? PyType_Type.tp_new((PyTypeObject *)(void *)meta, args, NULL) : NULL;
  if (class) ((PyTypeObject *)(void *)class)->tp_new = inert_new;
  return class;
}

/* ---- the unpickler ------------------------------------------------------------------------------- */

static void put_text(PyObject *text) {
  Py_ssize_t size = 0;
  const char *utf8 = PyUnicode_AsUTF8AndSize(text, &size);
  if (utf8) {
    bytes_le(now.trace, (uint64_t)size, 4);
    bytes_put(now.trace, utf8, (size_t)size);
    return;
  }
  PyErr_Clear();
  PyObject *encoded = PyUnicode_AsEncodedString(text, "utf-8", "surrogatepass");
  if (!encoded) abort();
  bytes_le(now.trace, (uint64_t)PyBytes_GET_SIZE(encoded), 4);
  bytes_put(now.trace, PyBytes_AS_STRING(encoded), (size_t)PyBytes_GET_SIZE(encoded));
  Py_DECREF(encoded);
}

static PyObject *find_class(PyObject *self, PyObject *args) {
  (void)self;
  PyObject *module = PyTuple_GET_ITEM(args, 0), *name = PyTuple_GET_ITEM(args, 1);
  if (module == ext_module) {
    bytes_byte(now.trace, 'X');
    bytes_le(now.trace, strtoul(PyUnicode_AsUTF8(name), NULL, 10), 4);
  } else {
    bytes_byte(now.trace, 'G');
    put_text(module);
    put_text(name);
  }
  Py_INCREF(inert);
  return inert;
}

static PyObject *persistent_load(PyObject *self, PyObject *id) {
  (void)self, (void)id;
  bytes_byte(now.trace, 'P');
  Py_INCREF(inert);
  return inert;
}

static PyMethodDef unpickler_methods[] = {{"find_class", find_class, METH_VARARGS, NULL},
                                          {NULL, NULL, 0, NULL}};
static PyMethodDef persistent_method = {"persistent_load", persistent_load, METH_O, NULL};

static PyObject *make_unpickler(PyObject *base, bool persid) {
  PyType_Slot slots[] = {{Py_tp_methods, unpickler_methods}, {0, NULL}};
  PyType_Spec spec = {"oracle.Unpickler", 0, 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots};
  PyObject *bases = Py_BuildValue("(O)", base);
  PyObject *class = bases ? PyType_FromSpecWithBases(&spec, bases) : NULL;
  if (!class || !persid) return class;
  /* static: an unpickler that kept a method of its own would be a circle that nobody frees */
  PyObject *function = PyCFunction_New(&persistent_method, NULL);
  PyObject *method = function ? PyStaticMethod_New(function) : NULL;
  return method && PyObject_SetAttrString(class, "persistent_load", method) == 0 ? class : NULL;
}

/* ---- files: one whose peek gives all that is left, so that the unpickler reads as pickle.loads does,
 * and one without peek; opened files are BufferedReaders over BytesIO ------------------------------ */

static PyObject *file_slice(size_t size) {
  size_t left = now.size - now.pos, start = now.pos;
  if (size > left) size = left;
  now.pos += size;
  return PyBytes_FromStringAndSize(PyBytes_AS_STRING(now.data) + start, (Py_ssize_t)size);
}

static PyObject *file_peek(PyObject *self, PyObject *size) {
  (void)self, (void)size;
  if (now.pos == 0) {
    Py_INCREF(now.data);
    return now.data;
  }
  return PyBytes_FromStringAndSize(PyBytes_AS_STRING(now.data) + now.pos,
                                   (Py_ssize_t)(now.size - now.pos));
}

static PyObject *file_read(PyObject *self, PyObject *size) {
  (void)self;
  Py_ssize_t count = PyLong_AsSsize_t(size);
  if (count < 0) return NULL;
  return file_slice((size_t)count);
}

static PyObject *file_readline(PyObject *self, PyObject *none) {
  (void)self, (void)none;
  const char *start = PyBytes_AS_STRING(now.data) + now.pos;
  const char *newline = memchr(start, '\n', now.size - now.pos);
  return file_slice(newline ? (size_t)(newline - start) + 1 : now.size - now.pos);
}

static PyObject *file_readinto(PyObject *self, PyObject *target) {
  (void)self;
  Py_buffer view;
  if (PyObject_GetBuffer(target, &view, PyBUF_WRITABLE) < 0) return NULL;
  size_t left = now.size - now.pos, size = (size_t)view.len < left ? (size_t)view.len : left;
  memcpy(view.buf, PyBytes_AS_STRING(now.data) + now.pos, size);
  now.pos += size;
  PyBuffer_Release(&view);
  return PyLong_FromSize_t(size);
}

static PyMethodDef peek_methods[] = {{"peek", file_peek, METH_O, NULL},
                                     {"read", file_read, METH_O, NULL},
                                     {"readline", file_readline, METH_NOARGS, NULL},
                                     {"readinto", file_readinto, METH_O, NULL},
                                     {NULL, NULL, 0, NULL}};
static PyMethodDef plain_methods[] = {{"read", file_read, METH_O, NULL},
                                      {"readline", file_readline, METH_NOARGS, NULL},
                                      {"readinto", file_readinto, METH_O, NULL},
                                      {NULL, NULL, 0, NULL}};

static PyObject *buffers_iter(PyObject *self) {
  Py_INCREF(self);
  return self;
}

static PyObject *buffers_next(PyObject *self) {
  (void)self;
  if (now.buffers == 0) return NULL;
  now.buffers--;
  bytes_byte(now.trace, 'B');
  return PyByteArray_FromStringAndSize("abcd", 4);
}

static PyObject *make_object(const char *name, PyType_Slot *slots) {
  PyType_Spec spec = {name, sizeof(PyObject), 0, Py_TPFLAGS_DEFAULT, slots};
  PyObject *type = PyType_FromSpec(&spec);
  return type ? PyObject_CallObject(type, NULL) : NULL;
}

/* ---- extension codes ------------------------------------------------------------------------------ */

static bool make_registry(void) {
  PyObject *copyreg = PyImport_ImportModule("copyreg");
  registry = copyreg ? PyObject_GetAttrString(copyreg, "_inverted_registry") : NULL;
  registry_cache = copyreg ? PyObject_GetAttrString(copyreg, "_extension_cache") : NULL;
  registered = PyDict_New();
  ext_module = PyUnicode_FromString("oracle");
  if (!registry || !registry_cache || !registered || !ext_module) return false;
  for (size_t i = 0; i < ext_code_count; i++) {
    char name[16];
    snprintf(name, sizeof name, "%u", (unsigned)ext_codes[i]);
    PyObject *key = PyLong_FromUnsignedLong(ext_codes[i]);
    PyObject *pair = Py_BuildValue("(Os)", ext_module, name);
    if (!key || !pair || PyDict_SetItem(registered, key, pair) < 0) return false;
  }
  return true;
}

static void set_registry(bool on) {
  if (on || is_registered) PyDict_Clear(registry_cache);
  if (on && !is_registered && PyDict_Update(registry, registered) < 0) abort();
  if (!on && is_registered) PyDict_Clear(registry);
  is_registered = on;
}

/* ---- reading --------------------------------------------------------------------------------------- */

/* Keyword arguments for each way of reading, made when first needed. */
static PyObject *keywords(const how *h) {
  enum { ENCODINGS = 16, ERRORS = 16 };
  static PyObject *made[ENCODINGS][ERRORS][2];
  PyObject **slot = &made[h->encoding][h->errors][h->buffers >= 0];
  if (*slot) return *slot;
  PyObject *dict = PyDict_New();
  const char *encoding = how_encodings[h->encoding], *errors = how_errors[h->errors];
  if (dict && encoding) PyDict_SetItemString(dict, "encoding", PyUnicode_FromString(encoding));
  if (dict && errors) PyDict_SetItemString(dict, "errors", PyUnicode_FromString(errors));
#if PY_VERSION_HEX >= 0x03080000
  if (dict && h->buffers >= 0) PyDict_SetItemString(dict, "buffers", buffers);
#endif
  if (!dict) abort();
  return *slot = dict;
}

static PyObject *open_file(const how_reading *from) {
  PyObject *file = NULL;
  if (from->kind == READ_FILE) {
    PyObject *raw = PyObject_CallFunctionObjArgs(bytes_io, now.data, NULL);
    if (raw) file = PyObject_CallFunction(buffered_reader, "OI", raw, from->buffer);
    Py_XDECREF(raw);
  } else {
    file = from->kind == READ_WHOLE ? peek_file : plain_file;
    Py_INCREF(file);
  }
  return file;
}

static uint64_t position(PyObject *file, const how_reading *from) {
  if (from->kind != READ_FILE) return now.pos;
  PyObject *at = PyObject_CallMethod(file, "tell", NULL);
  uint64_t number = at ? PyLong_AsUnsignedLongLong(at) : 0;
  Py_XDECREF(at);
  return number;
}

static void read_one(const sample *s, reading *out) {
  static PyObject *load;
  if (!load) load = PyUnicode_InternFromString("load");
  out->trace.size = 0;
  out->crashed = out->limited = out->unsure = out->foreign = false;
  now.data = PyBytes_FromStringAndSize((const char *)s->data.data, (Py_ssize_t)s->data.size);
  now.pos = 0;
  now.size = s->data.size;
  now.buffers = s->how.buffers;
  now.trace = &out->trace;
  set_registry(s->how.extensions);
  const how_reading *from = &how_readings[s->how.reading];
  PyObject *class = s->how.persid ? unpickler_persid : unpickler;
  PyObject *file = now.data ? open_file(from) : NULL;
  PyObject *args = file ? PyTuple_Pack(1, file) : NULL;
  PyObject *self = args ? PyObject_Call(class, args, keywords(&s->how)) : NULL;
  PyObject *value = self ? PyObject_CallMethodObjArgs(self, load, NULL) : NULL;
  out->ok = value != NULL;
  out->consumed = out->ok ? position(file, from) : 0;
  const char *name = "-";
  if (!value) {
    const char *full = ((PyTypeObject *)(void *)PyErr_Occurred())->tp_name,
               *dot = strrchr(full, '.');
    name = dot ? dot + 1 : full;
  }
  snprintf(out->exception, sizeof out->exception, "%s", name);
  PyErr_Clear();
  Py_XDECREF(value);
  Py_XDECREF(self);
  Py_XDECREF(args);
  Py_XDECREF(file);
  Py_XDECREF(now.data);
}

static void real_read(const sample *const *samples, size_t count, reading *out) {
  for (size_t i = 0; i < count; i++) read_one(samples[i], &out[i]);
}

/* ---- memory: none is had past a size, whatever the machine has ------------------------------------- */

#define MOST_MEMORY ((size_t)1 << 30)
static PyMemAllocatorEx allocators[3]; /* before ours; by PyMemAllocatorDomain */

static void *get_memory(void *user, size_t size) {
  const PyMemAllocatorEx *a = user;
  return size > MOST_MEMORY ? NULL : a->malloc(a->ctx, size);
}

static void *get_zeros(void *user, size_t count, size_t size) {
  const PyMemAllocatorEx *a = user;
  return size && count > MOST_MEMORY / size ? NULL : a->calloc(a->ctx, count, size);
}

static void *resize_memory(void *user, void *block, size_t size) {
  const PyMemAllocatorEx *a = user;
  return size > MOST_MEMORY ? NULL : a->realloc(a->ctx, block, size);
}

static void free_memory(void *user, void *block) {
  const PyMemAllocatorEx *a = user;
  a->free(a->ctx, block);
}

static void bound_memory(void) {
  static const PyMemAllocatorDomain domains[] = {PYMEM_DOMAIN_RAW, PYMEM_DOMAIN_MEM,
                                                 PYMEM_DOMAIN_OBJ};
  for (size_t i = 0; i < sizeof domains / sizeof *domains; i++) {
    PyMem_GetAllocator(domains[i], &allocators[i]);
    PyMemAllocatorEx ours = {&allocators[i], get_memory, get_zeros, resize_memory, free_memory};
    PyMem_SetAllocator(domains[i], &ours);
  }
}

static PyObject *start(void) {
  PyType_Slot peek_slots[] = {{Py_tp_methods, peek_methods}, {0, NULL}};
  PyType_Slot plain_slots[] = {{Py_tp_methods, plain_methods}, {0, NULL}};
  PyType_Slot buffers_slots[] = {
      SLOT(Py_tp_iter, buffers_iter), SLOT(Py_tp_iternext, buffers_next), {0, NULL}};
  setenv("PYTHONHASHSEED", "0", 1);
#if PY_VERSION_HEX >= 0x03080000
  PyConfig config;
  PyConfig_InitPythonConfig(&config);
  config.site_import = 0;
  config.install_signal_handlers = 0;
  PyStatus status = Py_InitializeFromConfig(&config);
  PyConfig_Clear(&config);
  if (PyStatus_Exception(status)) return NULL;
#else
  Py_NoSiteFlag = 1;
  Py_InitializeEx(0);
#endif
  /* what a deallocator cannot raise it prints */
  if (PyRun_SimpleString("import gc, sys, warnings\n"
                         "gc.disable()\n"
                         "sys.stderr = None\n"
                         "warnings.simplefilter('ignore')\n") < 0)
    return NULL;
  PyObject *pickle = PyImport_ImportModule("_pickle");
  PyObject *base = pickle ? PyObject_GetAttrString(pickle, "Unpickler") : NULL;
  if (!base || !make_registry()) return NULL;
  unpickler = make_unpickler(base, false);
  unpickler_persid = make_unpickler(base, true);
  inert = make_inert();
  PyObject *io = PyImport_ImportModule("io");
  bytes_io = io ? PyObject_GetAttrString(io, "BytesIO") : NULL;
  buffered_reader = io ? PyObject_GetAttrString(io, "BufferedReader") : NULL;
  peek_file = make_object("oracle.PeekFile", peek_slots);
  plain_file = make_object("oracle.PlainFile", plain_slots);
  buffers = make_object("oracle.Buffers", buffers_slots);
  bound_memory();
  bool made = unpickler && unpickler_persid && inert && buffers && bytes_io && buffered_reader &&
              peek_file && plain_file;
  return made ? inert : NULL;
}

bool real_start(reader *out) {
  unsigned long version = PY_VERSION_HEX;
  snprintf(out->name, sizeof out->name, "CPython %s", PY_VERSION);
  out->python = (uint32_t)(version >> 8);
  out->size32 = sizeof(Py_ssize_t) < 8;
  out->read = real_read;
  if (start()) return true;
  if (PyErr_Occurred()) PyErr_Print();
  snprintf(out->name, sizeof out->name, "libpython did not start");
  return false;
}

#endif
