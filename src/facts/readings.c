/* facts/readings.c - does another interpreter, or another way of reading, find something else?
 *
 * Only a payload with a quirk (PKS_QUIRK_...), or one that nobody reads so far, is read again, by
 * inspectors that are made when the first one comes and belong to this one: its allocator counts what they
 * hold. Two interpreters whose rules differ only in what a reading did not meet read alike, so that most
 * payloads with a quirk are read a second time and no more. */
#include "facts/facts.h"

/* One of each kind of reader. */
typedef struct profile {
  const char *name;
  uint32_t python;
  pks_implementation implementation;
} profile;
static const profile profiles[] = {
    {"cpython-3.14", PKS_PYTHON(3, 14, 2), PKS_IMPLEMENTATION_CPYTHON},
    {"cpython-3.13", PKS_PYTHON(3, 13, 0), PKS_IMPLEMENTATION_CPYTHON},
    {"cpython-3.15", PKS_PYTHON(3, 15, 0), PKS_IMPLEMENTATION_CPYTHON},
    {"cpython-3.12", PKS_PYTHON(3, 12, 0), PKS_IMPLEMENTATION_CPYTHON},
    {"cpython-3.8", PKS_PYTHON(3, 8, 18), PKS_IMPLEMENTATION_CPYTHON},
    {"cpython-3.7", PKS_PYTHON(3, 7, 16), PKS_IMPLEMENTATION_CPYTHON},
    {"cpython-3.6", PKS_PYTHON(3, 6, 15), PKS_IMPLEMENTATION_CPYTHON},
    {"cpython-3.14.7", PKS_PYTHON(3, 14, 7), PKS_IMPLEMENTATION_CPYTHON},
    {"cpython-3.13.15", PKS_PYTHON(3, 13, 15), PKS_IMPLEMENTATION_CPYTHON}};
static const profile python2 = {"cpython-2.7", PKS_PYTHON(2, 7, 18), PKS_IMPLEMENTATION_CPYTHON};
#define PROFILES (sizeof profiles / sizeof *profiles)
#define WAYS 3

/* The rules that say what a reader makes of a quirk. Those that are here nowhere only say how it fails. */
static uint32_t rules_met(unsigned quirks) {
  static const struct {
    unsigned quirk;
    uint32_t rules;
  } met[] = {{PKS_QUIRK_CROSSED, PKS_RULE_FRAMES | PKS_RULE_BYTES_WINDOW},
             {PKS_QUIRK_NESTED, PKS_RULE_FRAMES},
             {PKS_QUIRK_NUMBER, PKS_RULE_INT10}, /* a bool does all that an int does */
             {PKS_QUIRK_DIGITS, PKS_RULE_DIGITS},
             {PKS_QUIRK_MEMO, PKS_RULE_MEMO_ARRAY},
             {PKS_QUIRK_EMPTY, PKS_RULE_EMPTY_EXTEND},
             {PKS_QUIRK_RENAMED, PKS_RULE_TIX | PKS_RULE_CGI},
             {PKS_QUIRK_CODEC, PKS_RULE_EMPTY_LOOKUP},
             {PKS_QUIRK_COUNT, PKS_RULE_SIGNED_STRING}};
  uint32_t rules = 0;
  for (size_t i = 0; i < sizeof met / sizeof *met; i++)
    if (quirks & met[i].quirk) rules |= met[i].rules;
  return rules;
}

static const char *version_name(const pks_options *options) {
  uint32_t python = options->python;
  static const char *const names[] = {
      "cpython-3.6",  "cpython-3.7",  "cpython-3.8",  "cpython-3.9",  "cpython-3.10",
      "cpython-3.11", "cpython-3.12", "cpython-3.13", "cpython-3.14", "cpython-3.15"};
  uint32_t minor = python >> 8 & 0xff;
  size_t last = sizeof names / sizeof *names - 1;
  if (python < PKS_PYTHON(3, 0, 0)) return python2.name;
  if (options->implementation == PKS_IMPLEMENTATION_PYPY) return "pypy-3";
  return names[minor < 6 ? 0 : minor - 6 > last ? last : minor - 6];
}

/* ---- comparing ----------------------------------------------------------------------------------- */

static bool same_span(pks_span a, pks_span b) {
  return a.size == b.size && (a.size == 0 || memcmp(a.data, b.data, a.size) == 0);
}

static bool is_python2(const pks_inspector *f) { return f->machine.rules & PKS_RULE_CPICKLE; }

/* Another reader than that of CPython 3, which goes on where this one stops. */
static bool is_other_reader(const pks_inspector *f) {
  return f->machine.rules & (PKS_RULE_CPICKLE | PKS_RULE_PYPY);
}

static bool same_global(const pks_inspector *a, const pks_inspector *b, size_t index) {
  pks_global x, y;
  pks_facts_get_global(a, index, &x);
  pks_facts_get_global(b, index, &y);
  if (x.certain != y.certain) return false;
  if (!x.certain) return x.offset == y.offset;
  return same_span(x.spelled_module, y.spelled_module) &&
         same_span(x.spelled_name, y.spelled_name) &&
         (is_python2(a) != is_python2(b) || /* it looks up what is spelled */
          (same_span(x.module, y.module) && same_span(x.name, y.name)));
}

static bool same_call(const pks_inspector *a, const pks_inspector *b, size_t index) {
  const pks_call_record *x = &PKS_VEC_AT(&a->calls, pks_call_record, index);
  const pks_call_record *y = &PKS_VEC_AT(&b->calls, pks_call_record, index);
  return x->via == y->via && x->global == y->global && x->result_of == y->result_of;
}

static bool same_extension(const pks_inspector *a, const pks_inspector *b, size_t index) {
  return PKS_VEC_AT(&a->extensions, pks_extension_record, index).code ==
         PKS_VEC_AT(&b->extensions, pks_extension_record, index).code;
}

/* Is all that a asks for what b asks for first? */
static bool starts_alike(const pks_inspector *a, const pks_inspector *b) {
  if (a->globals.count > b->globals.count || a->calls.count > b->calls.count ||
      a->extensions.count > b->extensions.count || a->persistent_ids > b->persistent_ids ||
      a->buffers > b->buffers)
    return false;
  for (size_t i = 0; i < a->globals.count; i++)
    if (!same_global(a, b, i)) return false;
  for (size_t i = 0; i < a->calls.count; i++)
    if (!same_call(a, b, i)) return false;
  for (size_t i = 0; i < a->extensions.count; i++)
    if (!same_extension(a, b, i)) return false;
  return true;
}

static bool same_counts(const pks_inspector *a, const pks_inspector *b) {
  if (a->globals.count != b->globals.count || a->calls.count != b->calls.count ||
      a->extensions.count != b->extensions.count || a->persistent_ids != b->persistent_ids ||
      a->buffers != b->buffers)
    return false;
  for (size_t i = 0; i < a->globals.count; i++)
    if (PKS_VEC_AT(&a->globals, pks_global_record, i).count !=
        PKS_VEC_AT(&b->globals, pks_global_record, i).count)
      return false;
  for (size_t i = 0; i < a->calls.count; i++)
    if (PKS_VEC_AT(&a->calls, pks_call_record, i).count !=
        PKS_VEC_AT(&b->calls, pks_call_record, i).count)
      return false;
  return true;
}

static bool comes_to_stop(const pks_inspector *f) { return f->machine.stopped && !f->machine.fail; }

/* Do both come to the end, or neither, and ask for the same? Who is too old to read on has found the same
 * when he found its start. */
static bool same_reading(const pks_inspector *a, const pks_inspector *b) {
  bool old = pks_machine_is_too_old(&a->machine), old_too = pks_machine_is_too_old(&b->machine);
  if (old || old_too) return (old && starts_alike(a, b)) || (old_too && starts_alike(b, a));
  return comes_to_stop(a) == comes_to_stop(b) && same_counts(a, b) && starts_alike(a, b);
}

/* ---- reading again ------------------------------------------------------------------------------- */

/* The readings done so far, those that found nothing new too. */
typedef struct done {
  uint32_t rules;
  pks_read way;
  uint64_t buffer; /* of a file; else 0 */
  unsigned quirks;
  bool too_old;
} done;
typedef struct history {
  done list[(PROFILES + 2) * WAYS];
  size_t count;
} history;

static void note(history *h, const pks_inspector *f) {
  const pks_machine *m = &f->machine;
  uint64_t buffer = m->reading == PKS_READ_FILE ? m->file_buffer : 0;
  h->list[h->count++] = (done){m->rules, m->reading, buffer, m->quirks, pks_machine_is_too_old(m)};
}

/* Would a reader with these rules do as this one did, or stop at a younger protocol before it differs? */
static bool as_before(const done *d, uint32_t rules, pks_read way, uint64_t buffer) {
  bool strict = d->rules & PKS_RULE_FRAMES;
  uint32_t other = d->rules ^ rules;
  if (other & (PKS_RULE_CPICKLE | PKS_RULE_PYPY) || other & rules_met(d->quirks)) return false;
  bool same_way = d->way == way && d->buffer == buffer;
  if (!same_way && d->quirks & PKS_QUIRK_FRAMES && !strict) return false;
  return !d->too_old || !(other & PKS_RULE_PROTO5);
}

static bool is_done(const history *h, const pks_options *options) {
  bool pypy = options->implementation == PKS_IMPLEMENTATION_PYPY;
  uint32_t rules = pks_decode_reader_rules(options->python, pypy);
  uint64_t given = options->file_buffer;
  uint64_t buffer = given ? given : pks_decode_file_buffer(options->python);
  if (options->reading != PKS_READ_FILE) buffer = 0;
  for (size_t i = 0; i < h->count; i++)
    if (as_before(&h->list[i], rules, options->reading, buffer)) return true;
  return false;
}
/* The allocator of the others: what they hold is charged to the inspector they belong to. */
static void *resize_as_owner(void *user, void *ptr, size_t old_size, size_t size) {
  return pks_base_resize(user, ptr, old_size, size);
}

static pks_other *other_at(const pks_inspector *f, size_t index) {
  return &PKS_VEC_AT(&f->others, pks_other, index);
}

/* The first that holds no reading; NULL: no memory. */
static pks_other *free_other(pks_inspector *f) {
  pks_alloc alloc = {resize_as_owner, &f->mem};
  if (f->reading_count < f->others.count) return other_at(f, f->reading_count);
  if (!pks_base_vec_reserve(&f->mem, &f->others, sizeof(pks_other), 1)) return NULL;
  pks_inspector *inspector = pks_facts_new(&f->options, &f->limits, &alloc);
  if (!inspector) return NULL;
  inspector->is_other = true;
  pks_other *other = pks_base_vec_push(&f->mem, &f->others, sizeof *other);
  *other = (pks_other){inspector, NULL};
  return other;
}

/* Nobody knows what the others find. */
static void give_up(pks_inspector *f, pks_status why) {
  f->compared = false;
  if (why == PKS_E_NO_MEMORY)
    f->machine.fail = PKS_FAIL_ALLOC;
  else
    pks_facts_limit(f, why, f->machine.offset);
}

/* Python 2 fails, too, and finds more names? Of what is no pickle at all it has more to say otherwise. */
static bool finds_nothing(const pks_inspector *f, const pks_inspector *reading) {
  return is_python2(reading) && !is_python2(f) && !comes_to_stop(reading) &&
         reading->globals.count <= f->globals.count && reading->calls.count <= f->calls.count;
}

static bool is_news(const pks_inspector *f, const pks_inspector *reading) {
  if (same_reading(f, reading) || finds_nothing(f, reading)) return false;
  for (size_t i = 0; i < f->reading_count; i++)
    if (same_reading(other_at(f, i)->inspector, reading)) return false;
  return true;
}

/* Reads with other rules or in another way and keeps the reading if it is a new one. PKS_OK, or the limit
 * that was reached. */
static pks_status read_other(pks_inspector *f, history *h, const profile *p, pks_read way,
                             pks_span data) {
  pks_options options = f->options;
  options.python = p->python;
  options.implementation = p->implementation;
  options.reading = way;
  if (is_done(h, &options)) return PKS_OK;
  if (data.size > f->again_left) return PKS_E_LIMIT_AGAIN;
  pks_other *other = free_other(f);
  if (!other) return f->mem.status;
  if (pks_facts_set_options(other->inspector, &options) != PKS_OK) return f->mem.status;
  other->profile = p->name;
  (void)pks_facts_whole(other->inspector, data.data, data.size, NULL);
  const pks_machine *m = &other->inspector->machine;
  if (m->fail == PKS_FAIL_ALLOC || m->fail == PKS_FAIL_MEMORY) return f->mem.status;
  f->again_left -= m->offset;
  note(h, other->inspector);
  if (is_news(f, other->inspector)) f->reading_count++;
  return PKS_OK;
}

static pks_status read_ways(pks_inspector *f, history *h, const profile *p, pks_span data) {
  static const pks_read ways[WAYS] = {PKS_READ_WHOLE, PKS_READ_STREAM, PKS_READ_FILE};
  pks_status status = read_other(f, h, p, f->options.reading, data);
  for (size_t i = 0; i < WAYS && !status; i++) status = read_other(f, h, p, ways[i], data);
  return status;
}

/* What one Python 3 does not read another one may, or Python 2; what needs a protocol past 2, not that. */
static bool asks_other_python(const pks_inspector *f) {
  const pks_machine *m = &f->machine;
  pks_status status = pks_decode_fails[m->fail].status;
  if (pks_status_classify(status) != PKS_CLASS_MALFORMED || status == PKS_E_NEED) return false;
  return !pks_machine_is_too_old(m) && m->seen_protocols < 8;
}

static pks_status read_all(pks_inspector *f, history *h, pks_span data) {
  const profile own = {version_name(&f->options), f->options.python, f->options.implementation};
  bool quirks = f->machine.quirks, fails = asks_other_python(f);
  pks_status status = PKS_OK;
  if (quirks) status = read_ways(f, h, &own, data);
  for (size_t i = 0; i < PROFILES && (quirks || (fails && is_other_reader(f))) && !status; i++)
    status = read_ways(f, h, &profiles[i], data);
  if (!status && fails && !is_python2(f) && !pks_facts_others_end(f)) {
    quirks = false;
    status = read_other(f, h, &python2, f->options.reading, data);
  }
  /* of what fails anyhow, and is too long to be read again, nobody reads it as far as is known */
  return quirks || status != PKS_E_LIMIT_AGAIN ? status : PKS_OK;
}

void pks_facts_read_others(pks_inspector *f, const uint8_t *data, size_t size) {
  pks_status_class class = pks_status_classify(pks_decode_fails[f->machine.fail].status);
  history h = {.count = 0};
  if (class == PKS_CLASS_LIMIT || class == PKS_CLASS_SYSTEM)
    return; /* it was not read to its end */
  if (!f->machine.quirks && !asks_other_python(f)) return;
  f->compared = true;
  f->again_left = f->limits.max_again;
  note(&h, f);
  pks_status status = read_all(f, &h, (pks_span){data, size});
  if (status) give_up(f, status);
}

bool pks_facts_others_end(const pks_inspector *f) {
  for (size_t i = 0; i < f->reading_count; i++)
    if (comes_to_stop(other_at(f, i)->inspector)) return true;
  return false;
}

void pks_facts_others_free(pks_inspector *f) {
  for (size_t i = 0; i < f->others.count; i++) pks_facts_free(other_at(f, i)->inspector);
  pks_base_vec_free(&f->mem, &f->others, sizeof(pks_other));
}

const pks_inspector *pks_facts_get_reading(const pks_inspector *f, size_t index,
                                           pks_other_reading *out) {
  if (index >= f->reading_count) return NULL;
  const pks_other *other = other_at(f, index);
  const pks_machine *m = &other->inspector->machine;
  *out = (pks_other_reading){.profile = other->profile,
                             .read = other->inspector->options.reading,
                             .status = m->fail ? pks_decode_fails[m->fail].status : PKS_END};
  return other->inspector;
}
