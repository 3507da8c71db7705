/* facts/helpers.c - arguments of known helpers: modules, types, functions and classes by value. */
#include "facts/facts.h"

pks_span pks_facts_any_text(pks_inspector *f, pks_value v) {
  uint8_t buffer[256];
  pks_span text, none = {NULL, 0};
  if (pks_machine_text(&f->machine, v, buffer, sizeof buffer, &text)) {
    if (text.data != buffer) return text; /* it lies in the payload or among the kept texts */
    text.data = pks_base_arena_copy(&f->mem, &f->text, buffer, text.size);
  } else if (text.data) {
    size_t size = 2 * text.size; /* Latin-1 to UTF-8 at worst doubles */
    uint8_t *room = pks_base_arena_take(&f->mem, &f->text, size);
    if (room && !pks_machine_text(&f->machine, v, room, size, &text)) return none;
    if (!room) text.data = NULL;
  } else {
    return none;
  }
  if (!text.data) pks_facts_fail(f);
  return text.data ? text : none;
}

/* A text that is used as a name. */
static pks_span name_text(pks_inspector *f, pks_value v, uint64_t offset) {
  static const pks_span none = {NULL, 0};
  pks_span text = pks_facts_text(f, v);
  bool is_text = pks_kind(v) == PKS_V_STR || pks_kind(v) == PKS_V_BYTES;
  if (!is_text || (text.data && text.size <= f->limits.max_name)) return text;
  pks_facts_limit(f, PKS_E_LIMIT_NAME, offset);
  return none;
}

/* One record a name and kind. Payloads name few modules, so the search is short; a long list is
 * cut by comparing with the newest only. */
static size_t note_module(pks_inspector *f, pks_module_kind kind, pks_span name, bool dotted,
                          uint64_t offset) {
  if (!name.data) return SIZE_MAX;
  for (size_t i = f->modules.count, seen = 0; i-- && seen < 64; seen++) {
    const pks_module_record *old = &PKS_VEC_AT(&f->modules, pks_module_record, i);
    if (old->kind == kind && old->dotted == dotted && old->name.size == name.size &&
        memcmp(old->name.data, name.data, name.size) == 0)
      return i;
  }
  pks_module_record *record = pks_base_vec_push(&f->mem, &f->modules, sizeof *record);
  if (record)
    *record = (pks_module_record){kind, name, offset, dotted};
  else
    pks_facts_fail(f);
  return record ? f->modules.count - 1 : SIZE_MAX;
}

void pks_facts_module(pks_inspector *f, pks_module_kind kind, pks_span name, uint64_t offset) {
  if (name.data) (void)note_module(f, kind, name, false, offset);
}

static pks_value item_at(const pks_value *items, size_t count, size_t index) {
  return items && index < count ? items[index] : (pks_value)PKS_V_UNKNOWN;
}

/* The text that `dict` holds under a key, looking at the newest items only. */
static pks_span dict_text(pks_inspector *f, pks_value dict, uint8_t key, uint64_t offset) {
  pks_span none = {NULL, 0};
  unsigned kind = pks_kind(dict);
  if (kind != PKS_V_DICT && kind != PKS_V_DICT_REF) return none;
  uint64_t made = pks_machine_state(&f->machine, dict) & PKS_DICT_OFFSET;
  for (size_t i = f->item_count, seen = 0; i-- && seen < PKS_ITEMS; seen++) {
    const pks_item *item = &f->items[i % PKS_ITEMS];
    if (item->dict == made && item->key == key) return name_text(f, item->value, offset);
  }
  return none;
}

/* A state is a dict, or (dict, dict of slots). */
static void state_module(pks_inspector *f, pks_value state, uint64_t offset) {
  size_t count = 0;
  const pks_value *items = NULL;
  if (pks_kind(state) == PKS_V_TUPLE) items = pks_machine_tuple(&f->machine, state, &count);
  pks_facts_module(f, PKS_MODULE_BY_VALUE, dict_text(f, state, PKS_KEY_MODULE, offset), offset);
  for (size_t i = 0; items && i < count && i < 2; i++)
    pks_facts_module(f, PKS_MODULE_BY_VALUE, dict_text(f, items[i], PKS_KEY_MODULE, offset),
                     offset);
}

/* A name that only an argument of this call holds. */
static uint32_t argument_global(pks_inspector *f, const char *module, pks_value name, uint32_t call,
                                uint64_t offset) {
  pks_span text = name_text(f, name, offset);
  pks_span owner = {(const uint8_t *)module, strlen(module)};
  if (!text.data) return PKS_NO_INDEX;
  uint32_t index = pks_facts_global(f, owner, text, PKS_NAME_ARGUMENT, 0, offset);
  if (index == PKS_NO_INDEX) return index;
  pks_global_record *record = &PKS_VEC_AT(&f->globals, pks_global_record, index);
  uint32_t helper = PKS_VEC_AT(&f->calls, pks_call_record, call).global;
  record->used |= PKS_USED_REFERENCE;
  if (helper != PKS_NO_INDEX && !record->helper) record->helper = helper + 1;
  return index;
}

/* Types of which CPython makes no objects when they are called. */
static bool is_uncallable(pks_span text) {
  static const char *const names[] = {"AsyncGeneratorType",   "BuiltinFunctionType",
                                      "BuiltinMethodType",    "ClassMethodDescriptorType",
                                      "CoroutineType",        "FrameType",
                                      "GeneratorType",        "GetSetDescriptorType",
                                      "MemberDescriptorType", "MethodDescriptorType",
                                      "MethodWrapperType",    "WrapperDescriptorType"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strlen(names[i]) == text.size && memcmp(names[i], text.data, text.size) == 0) return true;
  return false;
}

static pks_special type_named(pks_inspector *f, pks_value name, uint64_t offset) {
  pks_span text = name_text(f, name, offset);
  if (text.size == 8 && memcmp(text.data, "CodeType", 8) == 0) return PKS_SPECIAL_CODE_TYPE;
  if (text.size == 8 && memcmp(text.data, "CellType", 8) == 0) return PKS_SPECIAL_CELL_TYPE;
  if (text.size == 10 && memcmp(text.data, "LambdaType", 10) == 0) return PKS_SPECIAL_FUNCTION_TYPE;
  if (text.size == 12 && memcmp(text.data, "FunctionType", 12) == 0)
    return PKS_SPECIAL_FUNCTION_TYPE;
  if (is_uncallable(text)) return PKS_SPECIAL_WRAPPER_TYPE;
  if (text.size == 14 && memcmp(text.data, "ItemGetterType", 14) == 0)
    return PKS_SPECIAL_ITEMGETTER;
  if (text.size == 14 && memcmp(text.data, "AttrGetterType", 14) == 0)
    return PKS_SPECIAL_ATTRGETTER;
  return PKS_SPECIAL_NONE;
}

/* An attribute of a module that a helper imported is what a lookup gives. */
static pks_value getattr_module(pks_inspector *f, pks_value object, pks_span name, uint32_t call,
                                uint64_t offset) {
  size_t place = pks_object_place(object);
  if (!place || !name.data) return pks_object(call, PKS_SPECIAL_NONE, 0);
  pks_span module = PKS_VEC_AT(&f->modules, pks_module_record, place - 1).name;
  uint32_t index = pks_facts_global(f, module, name, PKS_NAME_ARGUMENT, 0, offset);
  if (index == PKS_NO_INDEX) return PKS_V_UNKNOWN;
  PKS_VEC_AT(&f->globals, pks_global_record, index).used |= PKS_USED_REFERENCE;
  return pks_make(PKS_V_GLOBAL, index);
}

/* dill's table has the classes of `builtins`, too. */
static pks_value dill_type(pks_inspector *f, pks_value name, uint32_t call, uint64_t offset) {
  pks_span text = name_text(f, name, offset);
  bool builtin = text.size && text.data[0] >= 'a' && text.data[0] <= 'z';
  uint32_t index = argument_global(f, builtin ? "builtins" : "types", name, call, offset);
  if (builtin && index != PKS_NO_INDEX) return pks_make(PKS_V_GLOBAL, index);
  return pks_object(call, type_named(f, name, offset), PKS_LIBRARY_DILL);
}

/* The class of an object, as far as a look at the call that made it tells: NEWOBJ is given one, and what is
 * called and has a capital letter is one. */
static uint32_t class_of(const pks_inspector *f, pks_value object) {
  uint32_t global, index;
  if (pks_kind(object) != PKS_V_OBJECT || pks_object_special(object) != PKS_SPECIAL_NONE ||
      !pks_facts_origin(f, object, &global, &index) || index == PKS_NO_INDEX)
    return PKS_NO_INDEX;
  const pks_call_record *call = &PKS_VEC_AT(&f->calls, pks_call_record, index);
  if (call->global == PKS_NO_INDEX || call->via != PKS_OP_REDUCE) return call->global;
  uint32_t name = PKS_VEC_AT(&f->globals, pks_global_record, call->global).name;
  const pks_name *entry = &PKS_VEC_AT(&f->names, pks_name, name);
  uint8_t first = entry->name_size ? entry->text[entry->module_size] : 0;
  return first >= 'A' && first <= 'Z' ? call->global : PKS_NO_INDEX;
}

static pks_span span_of(const char *text) {
  return (pks_span){(const uint8_t *)text, strlen(text)};
}

/* The class of a value that is no object of a call. */
static const char *plain_class(const pks_inspector *f, pks_value v) {
  bool python2 = f->machine.rules & PKS_RULE_CPICKLE;
  switch (pks_kind(v)) {
    case PKS_V_FALSE:
    case PKS_V_TRUE: return "bool";
    case PKS_V_INT: return "int";
    case PKS_V_FLOAT: return "float";
    case PKS_V_STR: return python2 ? NULL : "str"; /* str or unicode */
    case PKS_V_BYTES: return python2 ? "str" : "bytes";
    case PKS_V_FROZENSET: return "frozenset";
    case PKS_V_TUPLE: return "tuple";
    case PKS_V_SET: return "set";
    case PKS_V_LIST:
    case PKS_V_LIST_REF: return "list";
    case PKS_V_DICT:
    case PKS_V_DICT_REF: return "dict";
    case PKS_V_BYTEARRAY:
    case PKS_V_BYTEARRAY_REF: return "bytearray";
    default: return NULL;
  }
}

/* getattr(Class, "method"): an attribute of something that was looked up by name; or of an object of a class
 * that was: a method mostly. */
static void getattr_global(pks_inspector *f, pks_value object, pks_span text, uint64_t offset) {
  uint8_t dotted[2100];
  pks_span module, owner;
  bool instance = pks_kind(object) != PKS_V_GLOBAL;
  const char *plain = instance ? plain_class(f, object) : NULL;
  uint32_t global = instance ? class_of(f, object) : (uint32_t)pks_payload(object);
  if (!text.data || (global == PKS_NO_INDEX && !plain)) return;
  if (plain) {
    module = span_of(f->machine.rules & PKS_RULE_CPICKLE ? "__builtin__" : "builtins");
    owner = span_of(plain);
  } else {
    const pks_global_record *record = &PKS_VEC_AT(&f->globals, pks_global_record, global);
    const pks_name *entry = &PKS_VEC_AT(&f->names, pks_name, record->name);
    if (entry->flags & PKS_NAME_UNCERTAIN) return;
    pks_facts_name_spans(entry, &module, &owner);
  }
  if (owner.size + text.size + 1 > sizeof dotted) return;
  memcpy(dotted, owner.data, owner.size);
  dotted[owner.size] = '.';
  memcpy(dotted + owner.size + 1, text.data, text.size);
  pks_span full = {dotted, owner.size + 1 + text.size};
  uint32_t index = pks_facts_global(f, module, full, PKS_NAME_ARGUMENT, 0, offset);
  if (index == PKS_NO_INDEX) return;
  pks_global_record *found = &PKS_VEC_AT(&f->globals, pks_global_record, index);
  found->instance = instance && (found->count == 1 || found->instance);
  found->used |= PKS_USED_REFERENCE;
}

static pks_value getattr_value(pks_inspector *f, unsigned role, pks_value object, pks_value name,
                               uint32_t call, uint64_t offset) {
  pks_span text = name_text(f, name, offset);
  if (pks_kind(object) == PKS_V_OBJECT && pks_object_special(object) == PKS_SPECIAL_MODULE)
    return getattr_module(f, object, text, call, offset);
  if (role != PKS_ROLE_GETATTR_OR) getattr_global(f, object, text, offset);
  bool method = pks_kind(object) == PKS_V_OBJECT && text.data &&
                pks_object_special(object) == PKS_SPECIAL_CLASS && pks_facts_hook_named(text);
  return pks_object(call, method ? PKS_SPECIAL_FUNCTION : PKS_SPECIAL_NONE, 0);
}

/* Bases of a class by value. */
static void mark_bases(pks_inspector *f, pks_value bases) {
  size_t count = 0;
  const pks_value *items = NULL;
  if (pks_kind(bases) == PKS_V_TUPLE) items = pks_machine_tuple(&f->machine, bases, &count);
  for (size_t i = 0; items && i < count; i++) {
    if (pks_kind(items[i]) != PKS_V_GLOBAL) continue;
    pks_global_record *record =
        &PKS_VEC_AT(&f->globals, pks_global_record, (uint32_t)pks_payload(items[i]));
    record->used |= PKS_USED_BASE;
    record->uses++;
  }
}

static pks_value make_class(pks_inspector *f, pks_value metaclass, pks_value bases, pks_value dict,
                            unsigned library, uint32_t call, uint64_t offset) {
  unsigned maker = library == PKS_LIBRARY_CLOUDPICKLE ? PKS_MAKER_SKELETON : PKS_MAKER_WHOLE;
  mark_bases(f, bases);
  pks_facts_module(f, PKS_MODULE_BY_VALUE, dict_text(f, dict, PKS_KEY_MODULE, offset), offset);
  return pks_facts_class(f, call, metaclass, bases, dict, maker, offset);
}

/* text PKS_V_NONE: no bytes at all. */
static pks_value keep_encoded(pks_inspector *f, pks_value text, uint32_t call) {
  uint32_t serial = f->encoded_count++;
  f->encoded[serial % PKS_ENCODED] = (pks_encoded){text, call, serial};
  return pks_object(serial, PKS_SPECIAL_BYTES, 0);
}

/* _codecs.encode(text, "latin1"): how bytes are written below protocol 3. */
static pks_value encoded_bytes(pks_inspector *f, pks_value text, pks_value codec, uint32_t call,
                               uint64_t offset) {
  pks_span name = name_text(f, codec, offset);
  bool latin1 = (name.size == 6 && memcmp(name.data, "latin1", 6) == 0) ||
                (name.size == 7 && memcmp(name.data, "latin-1", 7) == 0);
  if (!latin1 || pks_kind(text) != PKS_V_STR) return pks_object(call, PKS_SPECIAL_NONE, 0);
  return keep_encoded(f, text, call);
}

/* importlib._bootstrap._calc___package__, as far as a dict of globals in a payload says. */
static void function_package(pks_inspector *f, pks_value code, pks_value globals, pks_span name,
                             uint64_t offset) {
  if (!f->relative_imports || pks_kind(code) != PKS_V_OBJECT ||
      pks_object_special(code) != PKS_SPECIAL_CODE)
    return;
  pks_span package = dict_text(f, globals, PKS_KEY_PACKAGE, offset);
  if (!package.data) {
    package = name;
    while (package.size && package.data[package.size - 1] != '.') package.size--;
    if (package.size) package.size--;
  }
  pks_facts_package(f, pks_object_index(code), package);
}

/* (code, globals, ...); cloudpickle's _make_skel_func: (code, number of cells, globals), where the
 * globals of 0.5.4 - 0.7.0 are a module's name. */
static void make_function(pks_inspector *f, const pks_value *a, size_t count, uint32_t call,
                          uint64_t offset) {
  pks_value globals = item_at(a, count, 1);
  bool skeleton = pks_kind(globals) == PKS_V_INT;
  if (skeleton) globals = item_at(a, count, 2);
  pks_span name = dict_text(f, globals, PKS_KEY_NAME, offset);
  if (skeleton && pks_kind(globals) == PKS_V_STR) {
    name = name_text(f, globals, offset);
    pks_facts_trait(f, PKS_TRAIT_SKEL_NAME, name, call, offset);
  }
  pks_facts_module(f, PKS_MODULE_BY_VALUE, name, offset);
  function_package(f, item_at(a, count, 0), globals, name, offset);
}

/* dill's _import_module: "package.module" or "module.attribute", which are told apart by trying; with
 * True as its second argument it gives None where there is no such. */
static pks_value dotted_import(pks_inspector *f, const pks_value *a, size_t count, uint32_t call,
                               uint64_t offset) {
  size_t place = SIZE_MAX;
  if (count <= 1 || pks_kind(item_at(a, count, 1)) != PKS_V_TRUE)
    place = note_module(f, PKS_MODULE_ARGUMENT, name_text(f, item_at(a, count, 0), offset), true,
                        offset);
  return pks_object_module(call, PKS_LIBRARY_DILL, place);
}

/* The checksum of __pyx_unpickle_CLASS(type, checksum, state), as a text. */
static void layout_checksum(pks_inspector *f, pks_value number, uint32_t call, uint64_t offset) {
  char digits[24];
  size_t at = sizeof digits;
  if (pks_kind(number) != PKS_V_INT || pks_int(number) < 0) return;
  if (f->traits[PKS_TRAIT_CHECKSUM].seen) return;
  uint64_t value = (uint64_t)pks_int(number);
  do {
    digits[--at] = (char)('0' + value % 10);
  } while (value /= 10);
  pks_span text = {NULL, sizeof digits - at};
  text.data = pks_base_arena_copy(&f->mem, &f->text, (const uint8_t *)digits + at, text.size);
  if (text.data)
    pks_facts_trait(f, PKS_TRAIT_CHECKSUM, text, call, offset);
  else
    pks_facts_fail(f);
}

/* Calls that only say something of the writer. */
static pks_value shown(pks_inspector *f, pks_role role, const pks_value *a, size_t count,
                       uint32_t call, uint64_t offset) {
  static const pks_span none = {NULL, 0};
  if (role == PKS_ROLE_POSIX) pks_facts_trait(f, PKS_TRAIT_POSIX_PATH, none, call, offset);
  if (role == PKS_ROLE_WINDOWS) pks_facts_trait(f, PKS_TRAIT_WINDOWS_PATH, none, call, offset);
  if (role == PKS_ROLE_RANDOM) pks_facts_random(f, item_at(a, count, 0), count, call, offset);
  if (role == PKS_ROLE_CHECKSUM) layout_checksum(f, item_at(a, count, 1), call, offset);
  return pks_object(call, role == PKS_ROLE_DTYPE ? PKS_SPECIAL_DTYPE : PKS_SPECIAL_NONE, 0);
}

/* An object of a class that is looked up. The row of its form, plus 1. */
static unsigned made_anew(pks_inspector *f, pks_role role, pks_value class, pks_value args,
                          uint64_t offset) {
  uint32_t global = (uint32_t)pks_payload(class);
  const pks_global_record *record = &PKS_VEC_AT(&f->globals, pks_global_record, global);
  const pks_name *name = &PKS_VEC_AT(&f->names, pks_name, record->name);
  int op = role == PKS_ROLE_NEW ? PKS_OP_NEWOBJ : PKS_OP_BUILD;
  if (name->watch) pks_facts_used(f, global, name->watch, PKS_OP_BUILD, PKS_V_NONE, offset);
  bool formed = name->forms || name->lacks;
  return formed ? pks_facts_form_new(f, global, op, args, 1, offset) : 0;
}

/* A class | another: classes have it from 3.10 on. What is no name is most likely a member of an
 * enumeration of flags. */
static void union_of_types(pks_inspector *f, pks_role role, const pks_value *a, size_t count,
                           uint64_t offset) {
  static const pks_span module = {(const uint8_t *)"builtins", 8};
  static const pks_span name = {(const uint8_t *)"type.__or__", 11};
  if (role == PKS_ROLE_FOLD) {
    pks_value function = item_at(a, count, 0), types = item_at(a, count, 1);
    if (pks_kind(function) != PKS_V_GLOBAL || pks_kind(types) != PKS_V_TUPLE) return;
    const pks_global_record *record =
        &PKS_VEC_AT(&f->globals, pks_global_record, (uint32_t)pks_payload(function));
    if (PKS_VEC_AT(&f->names, pks_name, record->name).role != PKS_ROLE_OR) return;
    a = pks_machine_tuple(&f->machine, types, &count);
  }
  if (!a || count < 2 || pks_kind(a[0]) != PKS_V_GLOBAL) return;
  (void)pks_facts_global(f, module, name, PKS_NAME_ARGUMENT, 0, offset);
}

/* setattr(object, name, value), by which dill fills cells and classes. */
void pks_facts_set_attribute(pks_inspector *f, pks_value args, uint32_t call, uint64_t offset) {
  uint32_t global, maker;
  size_t count = 0;
  const pks_value *a = NULL;
  if (pks_kind(args) == PKS_V_TUPLE) a = pks_machine_tuple(&f->machine, args, &count);
  pks_value object = item_at(a, count, 0);
  pks_span text = name_text(f, item_at(a, count, 1), offset);
  pks_facts_attribute_set(f, object, offset);
  if (text.size != 13 || memcmp(text.data, "cell_contents", 13) != 0) return;
  if (pks_kind(object) != PKS_V_OBJECT || !pks_facts_origin(f, object, &global, &maker)) return;
  pks_facts_trait(f, PKS_TRAIT_CELL_SET, (pks_span){NULL, 0}, call, offset);
}

static bool is_setter(const pks_inspector *f, pks_value v) {
  if (pks_kind(v) != PKS_V_GLOBAL) return false;
  uint32_t name = PKS_VEC_AT(&f->globals, pks_global_record, (uint32_t)pks_payload(v)).name;
  return PKS_VEC_AT(&f->names, pks_name, name).role == PKS_ROLE_SETATTR;
}

pks_value pks_facts_helper(pks_inspector *f, unsigned library, unsigned role, pks_value args,
                           uint32_t call, uint64_t offset) {
  size_t count = 0;
  const pks_value *a = NULL;
  pks_value plain = pks_object(call, PKS_SPECIAL_NONE, library);
  if (pks_kind(args) == PKS_V_TUPLE) a = pks_machine_tuple(&f->machine, args, &count);
  if (!a && count && role != PKS_ROLE_CELL)
    pks_facts_limit(f, pks_machine_dropped(&f->machine, count), offset);
  switch ((pks_role)role) {
    case PKS_ROLE_IMPORT:
      return pks_object_module(call, library,
                               note_module(f, PKS_MODULE_ARGUMENT,
                                           name_text(f, item_at(a, count, 0), offset), false,
                                           offset));
    case PKS_ROLE_IMPORT_DOTTED: return dotted_import(f, a, count, call, offset);
    case PKS_ROLE_MODULE:
      pks_facts_module(f, PKS_MODULE_BY_VALUE, name_text(f, item_at(a, count, 0), offset), offset);
      return pks_object(call, PKS_SPECIAL_MODULE, library);
    case PKS_ROLE_TYPES: {
      pks_value name = item_at(a, count, 0);
      if (library == PKS_LIBRARY_DILL) return dill_type(f, name, call, offset);
      (void)argument_global(f, "types", name, call, offset);
      return pks_object(call, type_named(f, name, offset), library);
    }
    case PKS_ROLE_FUNCTION:
    case PKS_ROLE_MAKE_FUNCTION:
      make_function(f, a, count, call, offset);
      return pks_object(call, PKS_SPECIAL_FUNCTION, library);
    case PKS_ROLE_SET_FUNCTION:
    case PKS_ROLE_SET_CLASS: {
      pks_value object = item_at(a, count, 0);
      state_module(f, item_at(a, count, 1), offset);
      if (role == PKS_ROLE_SET_CLASS)
        pks_facts_class_state(f, object, item_at(a, count, 1), offset);
      return pks_kind(object) == PKS_V_OBJECT ? object : plain;
    }
    case PKS_ROLE_CLASS_META:
      return make_class(f, item_at(a, count, 0), item_at(a, count, 2), item_at(a, count, 3),
                        library, call, offset);
    case PKS_ROLE_CLASS_TYPE:
      if (count != 3) return plain;
      return make_class(f, PKS_V_UNKNOWN, item_at(a, count, 1), item_at(a, count, 2), library, call,
                        offset);
    case PKS_ROLE_ENUM:
      mark_bases(f, item_at(a, count, 0));
      pks_facts_module(f, PKS_MODULE_BY_VALUE, name_text(f, item_at(a, count, 4), offset), offset);
      return pks_facts_class(f, call, PKS_V_UNKNOWN, item_at(a, count, 0), PKS_V_UNKNOWN,
                             PKS_MAKER_ENUM, offset);
    case PKS_ROLE_NAMEDTUPLE:
      if (pks_kind(item_at(a, count, 1)) == PKS_V_TUPLE)
        pks_facts_form_named(f, name_text(f, item_at(a, count, 2), offset),
                             name_text(f, item_at(a, count, 0), offset),
                             pks_tuple_count(item_at(a, count, 1)), offset);
      pks_facts_module(f, PKS_MODULE_BY_VALUE, name_text(f, item_at(a, count, 2), offset), offset);
      return pks_facts_class(f, call, PKS_V_UNKNOWN, PKS_V_UNKNOWN, PKS_V_UNKNOWN,
                             PKS_MAKER_SKELETON, offset);
    case PKS_ROLE_NEW:
    case PKS_ROLE_RECONSTRUCT:
      if (pks_kind(item_at(a, count, 0)) == PKS_V_GLOBAL)
        return pks_object_formed(plain,
                                 made_anew(f, (pks_role)role, item_at(a, count, 0), args, offset));
      if (pks_kind(item_at(a, count, 0)) != PKS_V_OBJECT) return plain;
      return pks_facts_instance(f, role == PKS_ROLE_NEW ? PKS_OP_NEWOBJ : PKS_OP_BUILD,
                                item_at(a, count, 0), call, offset);
    case PKS_ROLE_CODE: return pks_facts_code(f, library, args, offset);
    case PKS_ROLE_MARSHAL: return pks_facts_marshal(f, item_at(a, count, 0), call, offset);
    case PKS_ROLE_GETATTR:
    case PKS_ROLE_GETATTR_OR:
      /* getattr with a default asks for nothing */
      if (count > 2 && library == PKS_LIBRARY_BUILTINS)
        return is_setter(f, a[2]) ? pks_object(call, PKS_SPECIAL_SETTER, library) : plain;
      return getattr_value(f, role, item_at(a, count, 0), item_at(a, count, 1), call, offset);
    case PKS_ROLE_ENCODE:
      return count == 2 ? encoded_bytes(f, item_at(a, count, 0), item_at(a, count, 1), call, offset)
                        : plain;
    case PKS_ROLE_POSIX:
    case PKS_ROLE_WINDOWS:
    case PKS_ROLE_DTYPE:
    case PKS_ROLE_RANDOM:
    case PKS_ROLE_CHECKSUM: return shown(f, (pks_role)role, a, count, call, offset);
    case PKS_ROLE_NEW_BLOCK:
    case PKS_ROLE_OR:
    case PKS_ROLE_FOLD: union_of_types(f, (pks_role)role, a, count, offset); return plain;
    case PKS_ROLE_SETATTR: pks_facts_set_attribute(f, args, call, offset); return plain;
    case PKS_ROLE_SET:
      if (pks_kind(item_at(a, count, 0)) == PKS_V_LIST ||
          pks_kind(item_at(a, count, 0)) == PKS_V_LIST_REF)
        pks_facts_some_hashed(f, offset);
      return plain;
    case PKS_ROLE_PARTIAL: {
      pks_value function = item_at(a, count, library == PKS_LIBRARY_DILL);
      bool carried = pks_kind(function) == PKS_V_OBJECT &&
                     pks_object_special(function) == PKS_SPECIAL_FUNCTION;
      return carried ? pks_object(call, PKS_SPECIAL_FUNCTION, 0) : plain;
    }
    case PKS_ROLE_BYTES: return count == 0 ? keep_encoded(f, PKS_V_NONE, call) : plain;
    case PKS_ROLE_CELL:
    case PKS_ROLE_NONE: break;
  }
  return plain;
}
