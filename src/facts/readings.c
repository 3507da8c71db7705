/* facts/readings.c - does another interpreter, or another way of reading, find something else?
 *
 * Only a payload with a quirk (PKS_QUIRK_...) is read again, by inspectors that are made when the first
 * one comes and belong to this one: its allocator counts what they hold. */
#include "facts/facts.h"

/* One of each kind of reader. */
static const struct profile {
  const char *name;
  uint32_t python;
} profiles[] = {{"cpython-3.13", PKS_PYTHON(3, 13, 0)},
                {"cpython-3.14", PKS_PYTHON(3, 14, 2)},
                {"cpython-3.15", PKS_PYTHON(3, 15, 0)},
                {"cpython-3.6", PKS_PYTHON(3, 6, 0xff)}};
#define PROFILES (sizeof profiles / sizeof *profiles)

/* Rules that make a payload another one; the rest only says how it fails. */
#define RULES_THAT_MATTER                                                                       \
  (PKS_RULE_PROTO5 | PKS_RULE_DIGITS | PKS_RULE_INT10 | PKS_RULE_BOOL_EXACT | PKS_RULE_FRAMES | \
   PKS_RULE_MEMO_ARRAY | PKS_RULE_EMPTY_EXTEND | PKS_RULE_BYTES_WINDOW)
#define FRAME_QUIRKS (PKS_QUIRK_CROSSED | PKS_QUIRK_NESTED)

static const char *version_name(uint32_t python) {
  static const char *const names[] = {
      "cpython-3.6",  "cpython-3.7",  "cpython-3.8",  "cpython-3.9",  "cpython-3.10",
      "cpython-3.11", "cpython-3.12", "cpython-3.13", "cpython-3.14", "cpython-3.15"};
  uint32_t minor = python >> 8 & 0xff;
  size_t last = sizeof names / sizeof *names - 1;
  return names[minor < 6 ? 0 : minor - 6 > last ? last : minor - 6];
}

/* ---- comparing ----------------------------------------------------------------------------------- */

static bool same_span(pks_span a, pks_span b) {
  return a.size == b.size && (a.size == 0 || memcmp(a.data, b.data, a.size) == 0);
}

static bool same_global(const pks_inspector *a, const pks_inspector *b, size_t index) {
  pks_global x, y;
  pks_facts_get_global(a, index, &x);
  pks_facts_get_global(b, index, &y);
  return x.count == y.count && x.certain && y.certain && same_span(x.module, y.module) &&
         same_span(x.name, y.name) && same_span(x.spelled_module, y.spelled_module) &&
         same_span(x.spelled_name, y.spelled_name);
}

static bool same_call(const pks_inspector *a, const pks_inspector *b, size_t index) {
  const pks_call_record *x = &PKS_VEC_AT(&a->calls, pks_call_record, index);
  const pks_call_record *y = &PKS_VEC_AT(&b->calls, pks_call_record, index);
  return x->count == y->count && x->via == y->via && x->global == y->global &&
         x->result_of == y->result_of;
}

static bool same_extension(const pks_inspector *a, const pks_inspector *b, size_t index) {
  return PKS_VEC_AT(&a->extensions, pks_extension_record, index).code ==
         PKS_VEC_AT(&b->extensions, pks_extension_record, index).code;
}

static bool comes_to_stop(const pks_inspector *f) { return f->machine.stopped && !f->machine.fail; }

/* Do both come to the end, or neither, and ask for the same? */
static bool same_reading(const pks_inspector *a, const pks_inspector *b) {
  if (comes_to_stop(a) != comes_to_stop(b)) return false;
  if (a->globals.count != b->globals.count || a->calls.count != b->calls.count ||
      a->extensions.count != b->extensions.count || a->persistent_ids != b->persistent_ids ||
      a->buffers != b->buffers)
    return false;
  for (size_t i = 0; i < a->globals.count; i++)
    if (!same_global(a, b, i)) return false;
  for (size_t i = 0; i < a->calls.count; i++)
    if (!same_call(a, b, i)) return false;
  for (size_t i = 0; i < a->extensions.count; i++)
    if (!same_extension(a, b, i)) return false;
  return true;
}

/* ---- reading again ------------------------------------------------------------------------------- */

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

/* Without memory nobody knows what the others find. */
static void give_up(pks_inspector *f) {
  f->compared = false;
  if (f->mem.status == PKS_E_NO_MEMORY)
    f->machine.fail = PKS_FAIL_ALLOC;
  else
    pks_facts_limit(f, PKS_E_LIMIT_MEMORY, f->machine.offset);
}

static bool is_known(const pks_inspector *f, const pks_inspector *reading) {
  if (same_reading(f, reading)) return true;
  for (size_t i = 0; i < f->reading_count; i++)
    if (same_reading(other_at(f, i)->inspector, reading)) return true;
  return false;
}

/* Reads with other rules or in another way and keeps the reading if it is a new one. *quirks: what it
 * met. False: there is no memory. */
static bool read_other(pks_inspector *f, const struct profile *profile, pks_read way,
                       const uint8_t *data, size_t size, unsigned *quirks) {
  pks_other *other = free_other(f);
  pks_options options = f->options;
  if (!other) return false;
  options.python = profile->python;
  options.reading = way;
  if (pks_facts_set_options(other->inspector, &options) != PKS_OK) return false;
  other->profile = profile->name;
  (void)pks_facts_whole(other->inspector, data, size, NULL);
  const pks_machine *m = &other->inspector->machine;
  *quirks = m->quirks;
  if (m->fail == PKS_FAIL_ALLOC || m->fail == PKS_FAIL_MEMORY) return false;
  if (!pks_machine_is_too_old(m) && !is_known(f, other->inspector)) f->reading_count++;
  return true;
}

/* The ways of reading that are left, for a reader that met `quirks`. */
static bool read_ways(pks_inspector *f, const struct profile *profile, const uint8_t *data,
                      size_t size, unsigned quirks) {
  static const pks_read ways[] = {PKS_READ_WHOLE, PKS_READ_STREAM, PKS_READ_FILE};
  unsigned met;
  if (!(quirks & FRAME_QUIRKS) || pks_decode_rules(profile->python) & PKS_RULE_FRAMES) return true;
  for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
    if (ways[i] != f->options.reading && !read_other(f, profile, ways[i], data, size, &met))
      return false;
  return true;
}

static bool read_all(pks_inspector *f, const uint8_t *data, size_t size) {
  const struct profile own = {version_name(f->options.python), f->options.python};
  if (!read_ways(f, &own, data, size, f->machine.quirks)) return false;
  for (size_t i = 0; i < PROFILES; i++) {
    uint32_t rules = pks_decode_rules(profiles[i].python);
    unsigned quirks = 0;
    if (((rules ^ f->machine.rules) & RULES_THAT_MATTER) == 0) continue;
    if (!read_other(f, &profiles[i], f->options.reading, data, size, &quirks) ||
        !read_ways(f, &profiles[i], data, size, quirks))
      return false;
  }
  return true;
}

void pks_facts_read_others(pks_inspector *f, const uint8_t *data, size_t size) {
  pks_status_class class = pks_status_classify(pks_decode_fails[f->machine.fail].status);
  if (class == PKS_CLASS_LIMIT || class == PKS_CLASS_SYSTEM)
    return; /* it was not read to its end */
  f->compared = true;
  if (!read_all(f, data, size)) give_up(f);
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
