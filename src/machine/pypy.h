/* machine/pypy.h - what the two files of PyPy's unpickler share (pypy.c, pypy_objects.c). */
#ifndef PKS_MACHINE_PYPY_H
#define PKS_MACHINE_PYPY_H

#include "machine/machine.h"

static inline pks_fail push(pks_machine *m, pks_value v) {
  if (m->top == m->stack_end && !pks_machine_grow_stack(m)) return pks_decode_fail_of(m->mem);
  *m->top++ = v;
  return PKS_FAIL_NONE;
}

/* How many items are above the top mark. */
static inline size_t height(const pks_machine *m) { return (size_t)(m->top - m->stack) - m->fence; }

static inline pks_fail need(const pks_machine *m, size_t count) {
  return height(m) < count ? PKS_FAIL_PYPY_STACK : PKS_FAIL_NONE;
}

/* pop_mark: its items start at *first. */
static inline pks_fail take_mark(pks_machine *m, pks_value **first) {
  if (m->mark_count == 0) return PKS_FAIL_PYPY_MARK;
  *first = m->stack + m->marks[--m->mark_count];
  m->fence = m->mark_count ? m->marks[m->mark_count - 1] : 0;
  return PKS_FAIL_NONE;
}

/* Steps, once their arguments are read. */
pks_fail pks_pypy_make_tuple(pks_machine *m, pks_value *first);
pks_fail pks_pypy_push_set(pks_machine *m);
pks_fail pks_pypy_list(pks_machine *m);
pks_fail pks_pypy_frozenset(pks_machine *m, uint64_t offset);
pks_fail pks_pypy_dict(pks_machine *m, uint64_t offset);
pks_fail pks_pypy_append(pks_machine *m, int op, uint64_t offset);
pks_fail pks_pypy_additems(pks_machine *m, uint64_t offset);
pks_fail pks_pypy_setitems(pks_machine *m, int op, uint64_t offset);
pks_fail pks_pypy_reduce(pks_machine *m, uint64_t offset);
pks_fail pks_pypy_newobj(pks_machine *m, int op, uint64_t offset);
pks_fail pks_pypy_build(pks_machine *m, uint64_t offset);
pks_fail pks_pypy_obj(pks_machine *m, uint64_t offset);
pks_fail pks_pypy_readonly_buffer(pks_machine *m, uint64_t offset);

#endif
