/* machine/reading.c - where the unpickler's window ends, and what it loses there.
 *
 * pickle.loads has all bytes in one window. pickle.load of an object without peek() reads what an opcode
 * asks for, and FRAME makes its body the window (load_frame reads it and goes back). What the window
 * cannot answer is asked of the object, and the rest of the window is lost (_Unpickler_ReadImpl,
 * _Unpickler_Readline and _Unpickler_ReadFromFile of Modules/_pickle.c); only bytes objects take it
 * first, from 3.8 on (_Unpickler_ReadInto). An object with peek(), such as an opened file, shows what
 * its buffer holds. Such a window loses nothing, because it is consumed as it is used
 * (_Unpickler_SkipConsumed); but a frame that does not fit in what peek() shows is read like any other.
 *
 * So an argument that crosses the end of its frame has up to three meanings. */
#include "machine/machine.h"

#define PREFETCH 131072 /* of _pickle.c: longer reads do not peek first */

/* ---- an opcode's reads -------------------------------------------------------------------------- */

/* Bytes before a counted argument; 0: the opcode has none. */
static size_t head_size(int op) {
  switch ((pks_arg)pks_decode_ops[op].argument) {
    case PKS_ARG_N1:
    case PKS_ARG_L1: return 2;
    case PKS_ARG_N4:
    case PKS_ARG_L4: return 5;
    case PKS_ARG_N8: return 9;
    case PKS_ARG_NONE:
    case PKS_ARG_U1:
    case PKS_ARG_U2:
    case PKS_ARG_U4:
    case PKS_ARG_U8:
    case PKS_ARG_I4:
    case PKS_ARG_F8:
    case PKS_ARG_LINE:
    case PKS_ARG_LINE2: break;
  }
  return 0;
}

static uint64_t count_at(const uint8_t *p, size_t head) {
  return head == 2 ? p[1] : head == 5 ? pks_read4(p + 1) : pks_read8(p + 1);
}

/* _Unpickler_ReadInto instead of _Unpickler_Read? */
static bool reads_into(const pks_machine *m, int op) {
  bool bytes = op == PKS_OP_BINBYTES || op == PKS_OP_SHORT_BINBYTES || op == PKS_OP_BINBYTES8;
  return op == PKS_OP_BYTEARRAY8 || (bytes && !(m->rules & PKS_RULE_BYTES_WINDOW));
}

/* The window ends `room` bytes after p. Where does the first read start that does not fit in it? */
static size_t cut_read(const uint8_t *p, size_t room) {
  size_t head = head_size(*p);
  if (head) return room < head ? 1 : head;
  if (pks_decode_ops[*p].argument != PKS_ARG_LINE2) return 1;
  const uint8_t *newline = memchr(p + 1, '\n', room - 1);
  return newline ? (size_t)(newline - p) + 1 : 1;
}

/* ---- a file's buffer ------------------------------------------------------------------------------ */

/* BufferedReader.read of Modules/_io/bufferedio.c: whole blocks go past the buffer. */
static void buffer_read(pks_machine *m, uint64_t offset, uint64_t count) {
  uint64_t end = offset + count;
  if (end <= m->file_end) return;
  uint64_t left = (end - m->file_end) % m->file_buffer;
  m->file_end = end - left;
  if (left) m->file_end += m->file_buffer;
}

/* readinto: all that the buffer does not hold, when it is more than the buffer can hold. */
static void buffer_readinto(pks_machine *m, uint64_t offset, uint64_t count) {
  uint64_t end = offset + count;
  if (end <= m->file_end) return;
  m->file_end = end - m->file_end > m->file_buffer ? end : m->file_end + m->file_buffer;
}

static void buffer_readline(pks_machine *m, uint64_t end) {
  while (m->file_end < end) m->file_end += m->file_buffer;
}

/* _Unpickler_ReadFromFile. True: the file was read, not only shown. */
static bool window_read(pks_machine *m, uint64_t offset, uint64_t count) {
  if (offset + count <= m->file_end) return false;
  if (count < PREFETCH && offset == m->file_end) {
    m->file_end += m->file_buffer; /* peek() fills an empty buffer, and no other */
    if (offset + count <= m->file_end) return false;
  }
  buffer_read(m, offset, count);
  return true;
}

static bool file_lines(pks_machine *m, const uint8_t *p, size_t size, uint64_t offset, int lines) {
  const uint8_t *at = p + 1, *end = p + size;
  for (; lines; lines--) {
    at = at < end ? memchr(at, '\n', (size_t)(end - at)) : NULL;
    if (!at) return false;
    at++;
    buffer_readline(m, offset + (uint64_t)(at - p));
  }
  return true;
}

bool pks_machine_file_read(pks_machine *m, const uint8_t *p, size_t size, uint64_t offset) {
  static const uint8_t fixed[] = {
      [PKS_ARG_U1] = 1, [PKS_ARG_U2] = 2, [PKS_ARG_U4] = 4, [PKS_ARG_U8] = 8,
      [PKS_ARG_I4] = 4, [PKS_ARG_F8] = 8, [PKS_ARG_L4] = 0};
  pks_arg argument = (pks_arg)pks_decode_ops[*p].argument;
  size_t head = head_size(*p);
  if (argument == PKS_ARG_LINE || argument == PKS_ARG_LINE2)
    return file_lines(m, p, size, offset, argument == PKS_ARG_LINE ? 1 : 2);
  if (head == 0) {
    window_read(m, offset + 1, fixed[argument]);
    return true;
  }
  window_read(m, offset + 1, head - 1);
  if (size < head) return false;
  uint64_t count = count_at(p, head);
  if (count > (uint64_t)INT64_MAX - offset - head) return true; /* it fails */
  if (reads_into(m, *p))
    buffer_readinto(m, offset + head, count);
  else
    window_read(m, offset + head, count);
  return true;
}

/* ---- windows ---------------------------------------------------------------------------------------- */

/* The opcode at `offset` is read past the end of a window. */
static void next_window(pks_machine *m, uint64_t offset) {
  m->frame_read = false;
  m->stop = 0;
  if (m->reading != PKS_READ_FILE) return;
  if (m->file_end <= offset) m->file_end = offset + m->file_buffer;
  m->stop = m->file_end;
}

const uint8_t *pks_machine_limit(pks_machine *m, uint64_t offset, const uint8_t *data,
                                 size_t size) {
  if (m->stop <= offset) next_window(m, offset);
  return m->stop && m->stop - offset < size ? data + (m->stop - offset) : data + size;
}

/* GLOBAL and INST decode their first line before they read the second. */
static pks_fail crossing_fail(const pks_machine *m, const uint8_t *p, size_t kept) {
  bool line = pks_decode_ops[*p].argument == PKS_ARG_LINE2 && kept > 1;
  pks_fail fail = line ? pks_decode_cut(p, kept, m->rules) : PKS_FAIL_TRUNCATED;
  return fail == PKS_FAIL_TRUNCATED ? PKS_FAIL_FRAME_CROSSED : fail;
}

static void note_frame(pks_machine *m, unsigned quirk, uint64_t offset) {
  if (!(m->quirks & PKS_QUIRK_FRAMES)) m->frame_quirk = offset;
  m->quirks |= quirk;
}

/* At the end of its frame; true: what is left of the frame is lost. */
static bool cross_frame(pks_machine *m, const uint8_t *p, size_t kept, size_t room, uint64_t offset,
                        pks_fail *fail) {
  if (kept != room) {
    if (m->rules & PKS_RULE_FRAMES) *fail = crossing_fail(m, p, kept);
    note_frame(m, PKS_QUIRK_CROSSED, offset);
  }
  bool lost = m->frame_read && kept != room && !(kept == head_size(*p) && reads_into(m, *p));
  m->frame_read = false;
  return lost && !*fail;
}

pks_fail pks_machine_cross(pks_machine *m, const uint8_t *p, size_t size, uint64_t offset) {
  size_t room = (size_t)(m->stop - offset), kept = cut_read(p, size < room ? size : room);
  pks_fail fail = PKS_FAIL_NONE;
  if (m->stop == m->frame_end && cross_frame(m, p, kept, room, offset, &fail)) {
    m->cut_kept = kept;
    m->cut_drop = room - kept;
    m->stop = m->frame_end = 0;
    return fail;
  }
  if (m->reading != PKS_READ_FILE)
    m->stop = 0;
  else if (pks_machine_file_read(m, p, size, offset))
    m->stop = m->file_end;
  return fail;
}

/* Are the frame's bytes from `body` on there? Those up to `end` are; of a payload that is not all here
 * a frame of at most max_frame is waited for, and one that is longer is watched. */
static pks_fail frame_there(pks_machine *m, uint64_t length, uint64_t offset, uint64_t body,
                            uint64_t end, bool last) {
  bool here = body <= end && length <= end - body;
  if (m->total != UINT64_MAX)
    return length > m->total - body ? PKS_FAIL_FRAME_SHORT : PKS_FAIL_NONE;
  if (!here && last) return PKS_FAIL_FRAME_SHORT;
  if (!here && length <= m->max_frame) {
    m->want = (pks_want){.bytes = body + length - offset};
    return PKS_FAIL_COUNT; /* not a failure: come again with all of it */
  }
  if (m->unseen_end <= offset) m->unseen_end = 0; /* that one was whole */
  if (here) return PKS_FAIL_NONE;
  if (!m->unseen_end) {
    m->unseen_end = body + length;
    m->unseen_offset = offset - m->moved;
  } else if (body + length > m->unseen_end) {
    pks_machine_met_limit(m, PKS_E_LIMIT_FRAME, offset - m->moved); /* one of two is watched */
  }
  return PKS_FAIL_NONE;
}

/* load_frame. Up to 3.14 nothing is asked of a frame but that its bytes are there. */
pks_fail pks_machine_frame(pks_machine *m, uint64_t length, uint64_t offset, uint64_t end,
                           bool last) {
  uint64_t body = offset + 9, lost = 0;
  bool inside = m->frame_end > body;
  if (inside) note_frame(m, PKS_QUIRK_NESTED, offset);
  if (inside && m->rules & PKS_RULE_FRAMES) return PKS_FAIL_FRAME_NESTED;
  if (length > INT64_MAX) return PKS_FAIL_FRAME_SIZE;
  if (inside && m->frame_read) {
    if (length <= m->frame_end - body) return PKS_FAIL_NONE; /* the window stays as it is */
    lost = m->frame_end - body;
    body = m->frame_end;
  }
  if (length > (uint64_t)INT64_MAX - body) return PKS_FAIL_READ_OVERFLOW;
  pks_fail fail = frame_there(m, length, offset, body, end, last);
  if (fail) return fail;
  m->frame_end = body + length;
  m->cut_drop = lost;
  m->frame_read = m->reading == PKS_READ_STREAM ||
                  (m->reading == PKS_READ_FILE && window_read(m, body, length));
  m->stop = m->frame_end;
  return PKS_FAIL_NONE;
}

uint64_t pks_machine_end(const pks_machine *m) {
  bool inside = m->stopped && m->frame_read && m->frame_end > m->offset;
  return inside && m->unseen_end <= m->offset ? m->frame_end : m->offset;
}
