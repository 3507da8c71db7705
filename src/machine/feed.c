/* machine/feed.c - a payload whole or in pieces, to the loop. */
#include "machine/machine.h"

static const uint8_t nothing[1];

static pks_status run(pks_machine *m, const uint8_t *data, size_t size, bool last, size_t *used) {
  if (m->rules & PKS_RULE_CPICKLE) return pks_machine_run_cpickle(m, data, size, last, used);
  if (m->rules & PKS_RULE_PYPY) return pks_machine_run_pypy(m, data, size, last, used);
  return pks_machine_run(m, data, size, last, used);
}

static size_t at_most(uint64_t count, size_t size) { return count < size ? (size_t)count : size; }

/* The unpickler loses bytes (reading.c): they go, and the start of the opcode they are taken from waits
 * for what comes after them. */
static pks_status take_cut(pks_machine *m, pks_input *in, bool carried) {
  pks_fail fail = PKS_FAIL_NONE;
  pks_window *w = &m->window;
  size_t kept = (size_t)m->cut_kept, gone;
  bool is_frame = kept && (carried ? w->carry[0] : in->data[in->pos]) == PKS_OP_FRAME;
  m->want = (pks_want){.bytes = kept};
  if (carried) {
    gone = at_most(m->cut_drop, w->size - kept);
    if (gone) memmove(w->carry + kept, w->carry + kept + gone, w->size - kept - gone);
    w->size -= gone;
  } else {
    if (kept) pks_decode_window_fill(m->mem, w, in, &m->want, &fail);
    gone = at_most(m->cut_drop, in->size - in->pos);
    in->pos += gone;
  }
  m->drop_left = m->cut_drop - gone;
  if (kept == 0) { /* a FRAME that is done: its body starts later */
    m->offset += m->cut_drop;
    m->want.bytes = 1;
  } else if (is_frame) {
    m->offset += m->moved = m->cut_drop;
  } else {
    m->shift = m->cut_drop;
  }
  m->cut_kept = m->cut_drop = 0;
  if (!fail) return PKS_NEED_MORE;
  m->fail = fail;
  m->fail_offset = m->offset;
  return pks_decode_fails[fail].status;
}

/* Offsets are right again after an opcode of which bytes were lost. */
static void end_cut(pks_machine *m, size_t used) {
  if (m->fail && used == 0) m->fail_offset -= m->moved;
  if (used == 0 || m->fail) return;
  m->offset += m->shift;
  if (m->shift && m->reading == PKS_READ_FILE) m->stop = m->file_end;
  m->shift = m->moved = 0;
}

/* From the carry: fetch what the unfinished opcode wants, run, forget what was used. */
static pks_status run_carry(pks_machine *m, pks_input *in) {
  pks_fail fail = PKS_FAIL_NONE;
  pks_window *w = &m->window;
  size_t used = 0;
  bool ready = w->size && !m->want.line && m->want.bytes <= w->size;
  if (!ready && !pks_decode_window_fill(m->mem, w, in, &m->want, &fail)) {
    if (!fail) return PKS_NEED_MORE;
    m->fail = fail;
    m->fail_offset = m->offset;
    m->fail_op = w->size ? w->carry[0] : -1;
    return pks_decode_fails[fail].status;
  }
  bool cut = m->shift || m->moved;
  if (cut && m->reading == PKS_READ_FILE)
    pks_machine_file_read(m, w->carry, w->size, m->offset + m->shift);
  pks_status status = run(m, w->carry, w->size, false, &used);
  pks_decode_window_drop(w, used);
  if (cut) end_cut(m, used);
  return status;
}

/* Straight from the input; the start of an unfinished opcode goes to the carry. */
static pks_status run_input(pks_machine *m, pks_input *in) {
  size_t used = 0;
  bool last = m->total != UINT64_MAX; /* all of it lies here */
  pks_status status = run(m, in->data + in->pos, in->size - in->pos, last, &used);
  in->pos += used;
  return status;
}

/* Something can be done without more input, after take_cut. */
static bool is_ready(const pks_machine *m) {
  return m->window.size && !m->want.line && m->want.bytes <= m->window.size && !m->drop_left;
}

pks_status pks_machine_feed(pks_machine *m, pks_input *in) {
  pks_status status = PKS_NEED_MORE;
  if (m->fail) return pks_decode_fails[m->fail].status;
  while (status == PKS_NEED_MORE && !m->stopped && (in->pos < in->size || is_ready(m))) {
    if (m->drop_left) {
      size_t gone = at_most(m->drop_left, in->size - in->pos);
      in->pos += gone;
      m->drop_left -= gone;
      continue;
    }
    bool carried = m->window.size != 0 || m->want.line || m->want.bytes > 1;
    status = carried ? run_carry(m, in) : run_input(m, in);
    if (m->cut_drop) status = take_cut(m, in, carried);
  }
  return pks_machine_ended(m);
}

pks_status pks_machine_finish(pks_machine *m) {
  pks_input none = {NULL, 0, 0};
  pks_status status;
  if (m->fail || m->stopped) return pks_machine_ended(m);
  do {
    size_t used = 0;
    const uint8_t *data = m->window.size ? m->window.carry : nothing;
    status = run(m, data, m->window.size, true, &used);
    pks_decode_window_drop(&m->window, used);
    end_cut(m, used);
    if (m->cut_drop) status = take_cut(m, &none, true);
  } while (status == PKS_NEED_MORE);
  return pks_machine_ended(m);
}

pks_status pks_machine_whole(pks_machine *m, const uint8_t *data, size_t size) {
  size_t used = 0;
  if (size == 0) data = nothing;
  m->total = size;
  if (m->reading == PKS_READ_WHOLE) {
    m->whole = data;
    return run(m, data, size, true, &used);
  }
  pks_input in = {data, size, 0};
  pks_status status = pks_machine_feed(m, &in);
  return status == PKS_NEED_MORE ? pks_machine_finish(m) : status;
}
