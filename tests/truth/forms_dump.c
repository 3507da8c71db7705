/* Prints the forms (facts/forms.c) of every call and every state in pickles, whether there is a row of forms.def or
 * not: path, ordinal of the opcode among those that call or set state, module, name, form of the object, form of the
 * state. Linked with the library; facts/uses.c and facts/forms.c are compiled here once more. */
#include <stdio.h>
#include <stdlib.h>

#define PKS_FORMS_DUMP
#define pks_facts_watch real_watch
#include "../../src/facts/uses.c"
#undef pks_facts_watch
#define is is_form
#define MADE 255
static struct made {
  uint32_t global;
  char form[65];
} made[MADE];
static unsigned made_count;
static const char *path;

#include "facts/facts.h"
typedef struct form_text form_text;
static unsigned find_new(pks_inspector *f, uint32_t global, const form_text *t, uint64_t offset);
static void find_state(pks_inspector *f, unsigned place, const form_text *t, uint64_t offset);
#include "../../src/facts/forms.c"

static void print(pks_inspector *f, uint32_t global, const char *form, const form_text *state,
                  uint64_t offset) {
  pks_span module, name;
  uint32_t which = PKS_VEC_AT(&f->globals, pks_global_record, global).name;
  pks_name known = PKS_VEC_AT(&f->names, pks_name, which);
  pks_facts_name_spans(&known, &module, &name);
  printf("%s\t%llu\t%.*s\t%.*s\t%s\t%.*s\n", path, (unsigned long long)offset, (int)module.size,
         (const char *)module.data, (int)name.size, (const char *)name.data, form,
         state ? (int)state->size : 0, state ? state->text : "");
}

static unsigned find_new(pks_inspector *f, uint32_t global, const form_text *t, uint64_t offset) {
  struct made *at = &made[made_count < MADE ? made_count : MADE - 1];
  *at = (struct made){.global = global};
  memcpy(at->form, t->text, t->size);
  print(f, global, at->form, NULL, offset);
  return made_count < MADE - 1 ? ++made_count : 0;
}

static void find_state(pks_inspector *f, unsigned place, const form_text *t, uint64_t offset) {
  print(f, made[place - 1].global, made[place - 1].form, t, offset);
}

unsigned pks_facts_watch(pks_span module, pks_span name) { return real_watch(module, name); }
unsigned pks_facts_forms_of(pks_span module, pks_span name) {
  (void)module, (void)name;
  return 1;
}
void pks_facts_form_named(pks_inspector *f, pks_span module, pks_span name, size_t count,
                          uint64_t offset) {
  (void)f, (void)module, (void)name, (void)count, (void)offset;
}
const pks_form *pks_facts_form(size_t number) {
  static const pks_form none;
  (void)number;
  return &none;
}

/* The offsets at which opcodes call or set state, so that their ordinals are known: those of another unpickler. */
int main(void) {
  static char line[4096];
  pks_inspector *f = pks_facts_new(NULL, NULL, NULL);
  while (fgets(line, sizeof line, stdin)) {
    static uint8_t data[1 << 22];
    size_t size, consumed;
    line[strcspn(line, "\n")] = 0;
    path = line;
    FILE *file = fopen(line, "rb");
    if (!file) continue;
    size = fread(data, 1, sizeof data, file);
    fclose(file);
    made_count = 0;
    pks_facts_reset(f);
    (void)pks_facts_whole(f, data, size, &consumed);
  }
  pks_facts_free(f);
  return 0;
}
