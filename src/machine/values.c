/* machine/values.c - tuples, kept texts, hashing; starting over. */
#include "machine/machine.h"

#define FIRST_RING 1024
#define MAX_RING 65536 /* words: 512 KiB */

/* ---- tuples ------------------------------------------------------------------------------------ */

/* The ring holds the items of the newest tuples: the arguments of a call are made right before it.
 * Positions only grow, so an entry is there while it is at most one ring old. Where max_memory allows
 * no larger ring, fewer tuples keep their items; *none: the allocator had no memory. */
static bool ring_room(pks_machine *m, size_t words, bool *none) {
  if (words > MAX_RING / 2) return false;
  while (m->ring_pos + words > m->ring_capacity && m->ring_capacity < MAX_RING) {
    size_t size = m->ring_capacity ? m->ring_capacity * 2 : FIRST_RING;
    if (m->ring_pos > m->ring_capacity) break; /* it has wrapped: it stays as it is */
    uint64_t *ring =
        pks_base_resize(m->mem, m->ring, m->ring_capacity * sizeof *ring, size * sizeof *ring);
    if (!ring) {
      *none = m->mem->status == PKS_E_NO_MEMORY;
      break;
    }
    m->ring = ring;
    m->ring_capacity = size;
  }
  if (*none || words > m->ring_capacity / 2) return false;
  size_t at = (size_t)(m->ring_pos & (m->ring_capacity - 1));
  if (at + words > m->ring_capacity) m->ring_pos += m->ring_capacity - at;
  return true;
}

/* Flags and depth of a tuple that gets `v`, an item that is no plain value, and had `had` before: as in
 * the word of a tuple without items, so that both travel in one register. */
#define DEPTH_1 ((pks_value)1 << (PKS_TUPLE_POS_BITS + 17))
#define DEPTH_AND_FLAGS ((pks_value)PKS_TUPLE_DEPTH_MAX * DEPTH_1 | PKS_VF_UNHASHABLE)

static pks_value take_item(pks_machine *m, pks_value v, pks_value had) {
  if (pks_kind(v) == PKS_V_TUPLE) {
    pks_value depth = (v > had ? v : had) & (pks_value)PKS_TUPLE_DEPTH_MAX * DEPTH_1;
    return depth | ((v | had) & PKS_VF_UNHASHABLE);
  }
  if (pks_kind(v) == PKS_V_VIEW && pks_payload(v))
    *pks_segment_word(&m->cells, (size_t)pks_payload(v) - 1) |= PKS_BYTEARRAY_HELD;
  return had | PKS_VF_UNHASHABLE;
}

/* Kinds that leave a tuple as it is: those that hash, and those of which only a run could tell. */
#define EASY_KINDS \
  ((((uint32_t)1 << (PKS_V_LAST_PLAIN + 1)) - 1) | ~(((uint32_t)1 << PKS_V_FIRST_OPAQUE) - 1))
#define IS_EASY(v) (EASY_KINDS >> pks_kind(v) & 1)

static pks_value tuple_word(pks_value had, size_t count, uint64_t pos) {
  uint64_t shown = count < PKS_TUPLE_COUNT_MAX ? count : PKS_TUPLE_COUNT_MAX;
  uint64_t mask = ((uint64_t)1 << PKS_TUPLE_POS_BITS) - 1;
  if (had < (pks_value)PKS_TUPLE_DEPTH_MAX * DEPTH_1) had += DEPTH_1;
  return had | pks_make(PKS_V_TUPLE, shown << PKS_TUPLE_POS_BITS | (pos & mask));
}

/* How many items the next tuple may have without a look at the ring: with their count they end before
 * the ring does and take at most half of it, and it need not grow for them. */
static size_t ring_left(const pks_machine *m) {
  size_t at = (size_t)(m->ring_pos & (m->ring_capacity - 1));
  if (m->ring_pos >= m->ring_capacity && m->ring_capacity != MAX_RING) return 0;
  size_t left = m->ring_capacity - at - 1, half = m->ring_capacity / 2 - 1;
  return left < half ? left : half;
}

/* A tuple whose items have no room where the ring stands. Out of line, so that the short way saves no
 * registers. */
#if defined(__GNUC__)
__attribute__((noinline, cold))
#endif
static pks_value
make_tuple(pks_machine *m, const pks_value *items, size_t count) {
  pks_value had = 0;
  bool none = false;
  if (count == 0) return pks_make(PKS_V_TUPLE | PKS_VF_DROPPED, 0);
  bool room = ring_room(m, count + 1, &none);
  m->ring_left = 0;
  if (none) return PKS_V_EMPTY;
  uint64_t pos = room ? m->ring_pos : 0;
  if (room) {
    uint64_t *at = m->ring + (pos & (m->ring_capacity - 1));
    *at++ = count;
    m->ring_pos += count + 1;
    memcpy(at, items, count * sizeof *at);
    m->ring_left = ring_left(m);
  }
  for (size_t i = 0; i < count; i++)
    if (!IS_EASY(items[i])) had = take_item(m, items[i], had);
  return tuple_word(room ? had : had | PKS_VF_DROPPED, count, pos);
}

pks_value pks_machine_make_tuple(pks_machine *m, const pks_value *items, size_t count) {
  pks_value had = 0;
  const uint64_t pos = m->ring_pos;
  if (count - 1 >= m->ring_left) return make_tuple(m, items, count); /* none, or more */
  uint64_t *at = m->ring + (pos & (m->ring_capacity - 1));
  m->ring_pos = pos + count + 1;
  m->ring_left -= count < m->ring_left ? count + 1 : m->ring_left;
  *at = count;
  for (size_t i = 0; i < count; i++) {
    pks_value v = at[i + 1] = items[i];
    if (!IS_EASY(v)) had = take_item(m, v, had);
  }
  return tuple_word(had, count, pos);
}

const pks_value *pks_machine_tuple(const pks_machine *m, pks_value tuple, size_t *count) {
  uint64_t mask = ((uint64_t)1 << PKS_TUPLE_POS_BITS) - 1;
  *count = pks_tuple_count(tuple);
  if (tuple & PKS_VF_DROPPED) return NULL;
  if (((m->ring_pos - pks_tuple_pos(tuple)) & mask) > m->ring_capacity) return NULL;
  size_t index = (size_t)(pks_tuple_pos(tuple) & (m->ring_capacity - 1));
  /* a position that is as far off as positions reach may point anywhere */
  if (m->ring[index] >= m->ring_capacity - index) return NULL;
  *count = (size_t)m->ring[index];
  return m->ring + index + 1;
}

/* A ring that is shorter than it may be had no room to grow. */
pks_status pks_machine_dropped(const pks_machine *m, size_t count) {
  bool short_ring = m->ring_capacity < MAX_RING && count + 1 <= MAX_RING / 2;
  return short_ring ? PKS_E_LIMIT_MEMORY : PKS_E_LIMIT_ITEMS;
}

pks_fail pks_machine_hashable(pks_machine *m, pks_value v, uint64_t offset) {
  unsigned kind = pks_kind(v);
  if (kind <= PKS_V_LAST_PLAIN) return PKS_FAIL_NONE;
  if (kind == PKS_V_TUPLE) {
    if (pks_tuple_depth(v) >= m->hash_depth) return PKS_FAIL_HASH_DEPTH;
    return v & PKS_VF_UNHASHABLE ? PKS_FAIL_UNHASHABLE : PKS_FAIL_NONE;
  }
  if (kind < PKS_V_FIRST_OPAQUE) return PKS_FAIL_UNHASHABLE;
  m->hooks->key(m, v, offset);
  if (!m->inert) pks_machine_assume(m, PKS_ASSUME_HASH, offset);
  return m->fail;
}

/* ---- kept texts -------------------------------------------------------------------------------- */

/* Room for `size` bytes in one piece; positions of blocks are PKS_BLOCK_SIZE apart. */
static uint8_t *keep_room(pks_machine *m, size_t size, uint64_t *position) {
  size_t index = (size_t)(m->keep_used >> PKS_BLOCK_BITS),
         inside = m->keep_used & (PKS_BLOCK_SIZE - 1);
  if (inside + size > PKS_BLOCK_SIZE && inside) {
    index++;
    inside = 0;
  }
  size_t blocks = size > PKS_BLOCK_SIZE ? (size + PKS_BLOCK_SIZE - 1) >> PKS_BLOCK_BITS : 1;
  while (m->keep_blocks.count < index + blocks) {
    pks_keep_block *block = pks_base_vec_push(m->mem, &m->keep_blocks, sizeof *block);
    if (!block) return NULL;
    *block = (pks_keep_block){NULL, 0};
  }
  pks_keep_block *block = &PKS_VEC_AT(&m->keep_blocks, pks_keep_block, index);
  size_t wanted = blocks << PKS_BLOCK_BITS;
  if (block->size < wanted) {
    uint8_t *data = pks_base_resize(m->mem, block->data, block->size, wanted);
    if (!data) return NULL;
    block->data = data;
    block->size = wanted;
  }
  *position = ((uint64_t)index << PKS_BLOCK_BITS) + inside;
  m->keep_used = *position + size;
  m->keep_at = block->data + inside + size;
  m->keep_left =
      blocks > 1 ? 0 : wanted - inside - size; /* positions past it are another block's */
  uint64_t allowed = m->max_keep - m->keep_bytes - size;
  if (m->keep_left > allowed) m->keep_left = (size_t)allowed;
  return block->data + inside;
}

/* Copies the opcode with its argument; *position UINT64_MAX: max_keep is reached. */
pks_fail pks_machine_keep(pks_machine *m, const uint8_t *op, size_t size, uint64_t offset,
                          uint64_t *position) {
  bool bytes = *op == PKS_OP_BINBYTES || *op == PKS_OP_SHORT_BINBYTES || *op == PKS_OP_BINBYTES8;
  *position = UINT64_MAX;
  if (size > m->max_keep || m->keep_bytes > m->max_keep - size) {
    pks_machine_met_limit(m, PKS_E_LIMIT_KEEP, offset);
    return PKS_FAIL_NONE;
  }
  uint8_t *data = keep_room(m, size, position);
  if (!data) return pks_decode_fail_of(m->mem);
  memcpy(data, op, size);
  m->keep_bytes += size;
  if (bytes) m->code_bytes += size;
  return PKS_FAIL_NONE;
}

bool pks_machine_text(const pks_machine *m, pks_value v, uint8_t *buffer, size_t capacity,
                      pks_span *out) {
  unsigned kind = pks_kind(v);
  *out = (pks_span){NULL, 0};
  if ((kind != PKS_V_STR && kind != PKS_V_BYTES) || (v & PKS_VF_UNREADABLE)) return false;
  const uint8_t *op = pks_machine_opcode(m, v);
  return pks_decode_value_text(op, &m->strings, buffer, capacity, out);
}

/* ---- starting over ----------------------------------------------------------------------------- */

void pks_machine_reset(pks_machine *m) {
  pks_machine_memo_reset(m);
  m->whole = NULL;
  m->offset = m->ops = m->frame_end = m->unseen_end = 0;
  m->total = UINT64_MAX;
  m->frame_read = m->stopped = false;
  m->stop = m->file_end = m->reading == PKS_READ_FILE ? m->file_buffer : 0;
  m->quirks = 0;
  m->protocol = 0;
  m->seen_protocols = 0;
  m->top = m->stack;
  m->fence = m->mark_count = 0;
  m->scans = 0;
  m->views = 0;
  m->ring_pos = 0;
  m->ring_left = m->ring_capacity ? ring_left(m) : 0;
  m->keep_used = m->keep_bytes = m->code_bytes = 0;
  m->keep_left = 0;
  m->limit = PKS_OK;
  m->limit_offset = 0;
  m->skip.left = 0;
  m->window.size = 0;
  m->want = (pks_want){.bytes = 1};
  m->cut_kept = m->cut_drop = m->drop_left = m->shift = m->moved = 0;
  m->fail = PKS_FAIL_NONE;
  m->fail_offset = 0;
  m->fail_op = -1;
}

void pks_machine_free(pks_machine *m) {
  pks_machine_memo_free(m);
  pks_decode_window_free(m->mem, &m->window);
  for (size_t i = 0; i < m->keep_blocks.count; i++) {
    pks_keep_block *block = &PKS_VEC_AT(&m->keep_blocks, pks_keep_block, i);
    pks_base_release(m->mem, block->data, block->size);
  }
  pks_base_vec_free(m->mem, &m->keep_blocks, sizeof(pks_keep_block));
  pks_base_release(m->mem, m->ring, m->ring_capacity * sizeof *m->ring);
  m->ring = NULL;
  m->ring_capacity = m->ring_left = 0;
}
