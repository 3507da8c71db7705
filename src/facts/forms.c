/* facts/forms.c - how an object of the standard library is written: by which opcode, with which kinds of
 * arguments, with which kind of state. Versions write the same class in different forms, and not each takes
 * those of the others; forms.def has the forms that not all versions take, as real ones were asked.
 *
 * A form is a text: R (a call), N (NEWOBJ, copyreg.__newobj__), X (NEWOBJ_EX), C (copyreg._reconstructor) or O (OBJ,
 * INST), then the kinds of the arguments; of a state its kind alone. One level of tuples is opened. In a row of
 * forms.def a star is whatever
 * follows, t# a tuple of any items, s! any text. */
#include "facts/facts.h"

#define FORM_SIZE 64
typedef struct form_text {
  char text[FORM_SIZE];
  size_t size;
  bool is_state;
} form_text;

static void put(form_text *t, char c) {
  if (t->size < FORM_SIZE) t->text[t->size++] = c;
}

static void put_number(form_text *t, size_t number) {
  if (number >= 100) put(t, (char)('0' + number / 100 % 10));
  if (number >= 10) put(t, (char)('0' + number / 10 % 10));
  put(t, (char)('0' + number % 10));
}

/* A text of one character is that character: type codes of arrays and their like. */
static void put_text(const pks_inspector *f, form_text *t, pks_value v) {
  uint8_t buffer[8];
  pks_span text;
  bool known = pks_machine_short_text(&f->machine, v, &text) ||
               pks_machine_text(&f->machine, v, buffer, sizeof buffer, &text);
  put(t, v & PKS_VF_STRING ? 'r' : 's');
  if (known && text.size == 1 && text.data[0] > ' ' && text.data[0] < 0x7f) {
    put(t, '=');
    put(t, (char)text.data[0]);
  }
}

/* What a built-in made is named: iter(range(3)) is not iter(bytearray(b"abc")). */
static void put_object(const pks_inspector *f, form_text *t, pks_value v) {
  uint32_t global, call;
  put(t, 'o');
  if (!pks_facts_origin(f, v, &global, &call) || call == PKS_NO_INDEX) return;
  global = PKS_VEC_AT(&f->calls, pks_call_record, call).global;
  if (global == PKS_NO_INDEX) return;
  pks_span module, name;
  uint32_t record = PKS_VEC_AT(&f->globals, pks_global_record, global).name;
  pks_facts_name_spans(&PKS_VEC_AT(&f->names, pks_name, record), &module, &name);
  if (name.size > 12) return;
  bool known = (module.size == 5 && memcmp(module.data, "types", 5) == 0) ||
               (module.size == 8 && memcmp(module.data, "builtins", 8) == 0) ||
               (module.size == 11 && memcmp(module.data, "__builtin__", 11) == 0);
  if (!known) return;
  put(t, ':');
  for (size_t i = name.size && name.data[0] == 'x'; i < name.size; i++) /* xrange is range */
    put(t, (char)name.data[i]);
  put(t, ';');
}

static void put_kind(const pks_inspector *f, form_text *t, pks_value v) {
  static const char kinds[PKS_V_UNKNOWN + 1] = {
      [PKS_V_NONE] = 'N',  [PKS_V_FALSE] = 'b',         [PKS_V_TRUE] = 'b',
      [PKS_V_INT] = 'i',   [PKS_V_BIGINT] = 'L',        [PKS_V_FLOAT] = 'f',
      [PKS_V_BYTES] = 'y', [PKS_V_FROZENSET] = 'z',     [PKS_V_SET] = 'z',
      [PKS_V_LIST] = 'l',  [PKS_V_LIST_REF] = 'l',      [PKS_V_BYTEARRAY] = 'Y',
      [PKS_V_VIEW] = 'Y',  [PKS_V_BYTEARRAY_REF] = 'Y', [PKS_V_GLOBAL] = 'g',
      [PKS_V_OBJECT] = 'o'};
  unsigned kind = pks_kind(v);
  if (kind == PKS_V_STR) {
    put_text(f, t, v);
  } else if (kind == PKS_V_DICT || kind == PKS_V_DICT_REF) {
    put(t, pks_machine_state(&f->machine, v) & PKS_DICT_NONEMPTY ? 'd' : 'e');
  } else if (kind == PKS_V_TUPLE) {
    put(t, 't');
    put_number(t, pks_tuple_count(v));
  } else if (kind == PKS_V_OBJECT && pks_object_special(v) == PKS_SPECIAL_BYTES) {
    put(t, 'y');
  } else if (t->is_state && v == pks_make_int(0)) {
    put(t, 'q'); /* Python 2 does nothing with a state that is false */
  } else if (kind == PKS_V_OBJECT) {
    put_object(f, t, v);
  } else {
    put(t, kind <= PKS_V_UNKNOWN && kinds[kind] ? kinds[kind] : '?');
  }
}

/* The items of a tuple, all tuples among them by their size. */
static void put_items(const pks_inspector *f, form_text *t, pks_value tuple, size_t first,
                      bool open) {
  size_t count = 0;
  const pks_value *items = pks_machine_tuple(&f->machine, tuple, &count);
  put_number(t, count >= first ? count - first : 0);
  if (!items || count > 16) return;
  put(t, '(');
  for (size_t i = first; i < count; i++) {
    if (open && pks_kind(items[i]) == PKS_V_TUPLE) {
      put(t, 't');
      put_items(f, t, items[i], 0, false);
    } else {
      put_kind(f, t, items[i]);
    }
  }
  put(t, ')');
}

static char form_letter(int op) {
  switch (op) {
    case PKS_OP_REDUCE: return 'R';
    case PKS_OP_NEWOBJ: return 'N';
    case PKS_OP_NEWOBJ_EX: return 'X';
    case PKS_OP_BUILD: return 'C';
    default: return 'O';
  }
}

static void put_state(const pks_inspector *f, form_text *t, pks_value state) {
  if (pks_kind(state) != PKS_V_TUPLE) {
    put_kind(f, t, state);
    return;
  }
  put(t, 't');
  put_items(f, t, state, 0, true);
}

#ifndef PKS_FORMS_DUMP
static const pks_form forms[] = {
#define FORM_NEW(module, name, form, state, states, load, run, open) \
  {module, name, form, state, states, load, run, open},
#define FORM_STATE(module, name, form, load, run, open)
#include "facts/forms.def"
#undef FORM_NEW
#undef FORM_STATE
};
#define FORMS (sizeof forms / sizeof *forms)
static const pks_form states[] = {
#define FORM_NEW(module, name, form, state, states, load, run, open)
#define FORM_STATE(module, name, form, load, run, open) {module, name, form, 0, 0, load, run, open},
#include "facts/forms.def"
#undef FORM_NEW
#undef FORM_STATE
};

const pks_form *pks_facts_form(size_t number) {
  return number < FORMS ? &forms[number] : &states[number - FORMS];
}

/* Asked once a name: its first row, plus 1; 0: it has none. */
unsigned pks_facts_forms_of(pks_span module, pks_span name) {
  for (unsigned i = 0; i < FORMS; i++)
    if (pks_span_is(name, forms[i].name) && pks_span_is(module, forms[i].module)) return i + 1;
  return 0;
}

/* Past the size and the items of a tuple, of which none is a tuple with items. */
static size_t past_tuple(const form_text *t, size_t at) {
  while (at < t->size && t->text[at] >= '0' && t->text[at] <= '9') at++;
  if (at < t->size && t->text[at] == '(')
    while (at < t->size && t->text[at++] != ')') continue;
  return at;
}

static bool matches(const form_text *t, const char *form) {
  for (size_t at = 0;; form++) {
    if (*form == '*') return true;
    if (at == t->size || !*form) return at == t->size && !*form;
    if (*form == '#') {
      at = past_tuple(t, at);
    } else if (*form == '!') { /* a text, whichever */
      if (at + 1 < t->size && t->text[at] == '=') at += 2;
    } else if (*form != t->text[at++]) {
      return false;
    }
  }
}

static void found(pks_inspector *f, uint32_t global, size_t number, uint64_t offset) {
  const pks_form *form = pks_facts_form(number);
  if (form->load || form->run || form->open)
    pks_facts_add_use(
        f, (pks_use_record){
               .offset = offset, .global = global, .use = PKS_USE_FORM, .count = (uint32_t)number});
}

_Static_assert(FORMS < PKS_FORM_LACKS, "a row's number has its place in a value");

static unsigned find_row(pks_inspector *f, uint32_t global, size_t first, const form_text *t,
                         uint64_t offset) {
  for (size_t i = first - 1; first && i < FORMS; i++) {
    if (strcmp(forms[i].name, forms[first - 1].name) != 0 ||
        strcmp(forms[i].module, forms[first - 1].module) != 0)
      break;
    if (!matches(t, forms[i].form)) continue;
    found(f, global, i, offset);
    return forms[i].states ? (unsigned)i + 1 : 0;
  }
  return 0;
}

static unsigned find_new(pks_inspector *f, uint32_t global, const form_text *t, uint64_t offset) {
  uint32_t name = PKS_VEC_AT(&f->globals, pks_global_record, global).name;
  return find_row(f, global, PKS_VEC_AT(&f->names, pks_name, name).forms, t, offset);
}

/* An object of a class that dill has under another name, made by NEWOBJ of `count` arguments. */
void pks_facts_form_named(pks_inspector *f, pks_span module, pks_span name, size_t count,
                          uint64_t offset) {
  form_text t = {.size = 0};
  put(&t, 'N');
  put_number(&t, count);
  (void)find_row(f, PKS_NO_INDEX, pks_facts_forms_of(module, name), &t, offset);
}

static void find_state(pks_inspector *f, unsigned place, const form_text *t, uint64_t offset) {
  const pks_form *made = &forms[place - 1];
  for (size_t i = made->state; i < (size_t)made->state + made->states; i++) {
    if (!matches(t, states[i].form)) continue;
    found(f, PKS_NO_INDEX, FORMS + i, offset);
    return;
  }
}
#endif

/* An object is made by a global: which row its form has, plus 1, when states of that form are told apart. */
unsigned pks_facts_form_new(pks_inspector *f, uint32_t global, int op, pks_value args, size_t first,
                            uint64_t offset) {
  form_text t = {.size = 0};
  uint32_t index = PKS_VEC_AT(&f->globals, pks_global_record, global).name;
  const pks_name *name = &PKS_VEC_AT(&f->names, pks_name, index);
  unsigned found_row = 0, lacks = name->lacks;
  put(&t, form_letter(op));
  if (op != PKS_OP_BUILD && pks_kind(args) == PKS_V_TUPLE) put_items(f, &t, args, first, true);
  if (name->forms) found_row = find_new(f, global, &t, offset);
  return !found_row && lacks ? PKS_FORM_LACKS + lacks - 1 : found_row;
}

void pks_facts_form_state(pks_inspector *f, pks_value object, pks_value state, uint64_t offset) {
  form_text t = {.size = 0, .is_state = true};
  size_t place = pks_object_place(object);
  if (place >= PKS_FORM_LACKS) {
    pks_facts_lacks(f, place - PKS_FORM_LACKS, state, offset);
    return;
  }
  put_state(f, &t, state);
  find_state(f, (unsigned)place, &t, offset);
}
