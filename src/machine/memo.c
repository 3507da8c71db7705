/* machine/memo.c - the memo, the cells of shared containers, and the stack's growth.
 *
 * Dense entries lie in segments of 1024 words that never move. CPython 3.6-3.14 keeps an array of any
 * index and would ask for 32 GiB for one LONG_BINPUT; entries far past the dense ones go to a small
 * hash table here. */
#include "machine/machine.h"

#define FIRST_STACK 256
#define MEMO_BOMB ((uint64_t)1 << 29) /* CPython's array grows to twice the index, 8 bytes each */

bool pks_machine_grow_stack(pks_machine *m) {
  size_t used = m->stack ? (size_t)(m->top - m->stack) : 0;
  size_t old = m->stack ? (size_t)(m->stack_end - m->stack) : 0;
  size_t size = old ? old * 2 : FIRST_STACK;
  pks_value *stack = pks_base_resize(m->mem, m->stack, old * sizeof *stack, size * sizeof *stack);
  if (!stack) return false;
  m->stack = stack;
  m->top = stack + used;
  m->stack_end = stack + size;
  return true;
}

pks_fail pks_machine_push_mark(pks_machine *m) {
  size_t size = m->mark_capacity ? m->mark_capacity * 2 : 64;
  if (size > m->max_depth) size = (size_t)m->max_depth;
  if (size <= m->mark_capacity) return PKS_FAIL_DEPTH;
  size_t *marks =
      pks_base_resize(m->mem, m->marks, m->mark_capacity * sizeof *marks, size * sizeof *marks);
  if (!marks) return pks_decode_fail_of(m->mem);
  m->marks = marks;
  m->mark_capacity = size;
  return PKS_FAIL_NONE;
}

/* ---- segments ---------------------------------------------------------------------------------- */

static bool add_segment(pks_machine *m, pks_segments *s) {
  uint64_t *segment = pks_base_resize(m->mem, NULL, 0, PKS_SEGMENT_SIZE * sizeof *segment);
  if (!segment) return false;
  uint64_t **entry = pks_base_vec_push(m->mem, &s->directory, sizeof *entry);
  if (!entry) {
    pks_base_release(m->mem, segment, PKS_SEGMENT_SIZE * sizeof *segment);
    return false;
  }
  memset(segment, 0, PKS_SEGMENT_SIZE * sizeof *segment);
  *entry = segment;
  s->words += PKS_SEGMENT_SIZE;
  return true;
}

static void free_segments(pks_machine *m, pks_segments *s) {
  for (size_t i = 0; i < s->directory.count; i++)
    pks_base_release(m->mem, PKS_VEC_AT(&s->directory, uint64_t *, i),
                     PKS_SEGMENT_SIZE * sizeof(uint64_t));
  pks_base_vec_free(m->mem, &s->directory, sizeof(uint64_t *));
  s->words = 0;
}

pks_fail pks_machine_share(pks_machine *m, pks_value *slot) {
  if (m->cell_count == m->cells.words && !add_segment(m, &m->cells))
    return pks_decode_fail_of(m->mem);
  uint64_t *word = pks_segment_word(&m->cells, m->cell_count);
  *word = pks_payload(*slot);
  m->cell_next = word + 1;
  m->cell_stop = word + (PKS_SEGMENT_SIZE - m->cell_count % PKS_SEGMENT_SIZE);
  *slot = pks_make(pks_kind(*slot) + 3, m->cell_count++);
  return PKS_FAIL_NONE;
}

void pks_machine_set_state(pks_machine *m, pks_value *slot, uint64_t state) {
  if (pks_is_ref(*slot))
    *pks_segment_word(&m->cells, (size_t)pks_payload(*slot)) = state;
  else
    *slot = pks_make(pks_kind(*slot), state);
}

/* ---- sparse entries ---------------------------------------------------------------------------- */

static size_t sparse_slot(const pks_machine *m, uint64_t index) {
  uint64_t hash = (index + 1) * 0x9e3779b97f4a7c15ull;
  size_t slot = (size_t)(hash >> 32) & (m->sparse_capacity - 1);
  while (m->sparse[2 * slot] && m->sparse[2 * slot] != index + 1)
    slot = (slot + 1) & (m->sparse_capacity - 1);
  return slot;
}

static pks_fail sparse_grow(pks_machine *m) {
  size_t old = m->sparse_capacity, size = old ? old * 2 : 64;
  pks_value *from = m->sparse;
  pks_value *to = pks_base_resize(m->mem, NULL, 0, size * 2 * sizeof *to);
  if (!to) return pks_decode_fail_of(m->mem);
  memset(to, 0, size * 2 * sizeof *to);
  m->sparse = to;
  m->sparse_capacity = size;
  for (size_t i = 0; i < old; i++) {
    if (!from[2 * i]) continue;
    size_t slot = sparse_slot(m, from[2 * i] - 1);
    to[2 * slot] = from[2 * i];
    to[2 * slot + 1] = from[2 * i + 1];
  }
  pks_base_release(m->mem, from, old * 2 * sizeof *from);
  return PKS_FAIL_NONE;
}

static pks_fail sparse_put(pks_machine *m, uint64_t index, pks_value v, bool *fresh) {
  if (m->sparse_count * 2 >= m->sparse_capacity) {
    pks_fail fail = sparse_grow(m);
    if (fail) return fail;
  }
  size_t slot = sparse_slot(m, index);
  *fresh = m->sparse[2 * slot] == 0;
  m->sparse_count += *fresh;
  m->sparse[2 * slot] = index + 1;
  m->sparse[2 * slot + 1] = v;
  return PKS_FAIL_NONE;
}

static pks_value sparse_get(const pks_machine *m, uint64_t index) {
  return m->sparse_count ? m->sparse[2 * sparse_slot(m, index) + 1] : 0;
}

/* ---- the memo ---------------------------------------------------------------------------------- */

/* CPython 3.15 (gh-115952, _Unpickler_MemoPut): past its array, and past twice the count, an entry
 * goes to a dict that MEMOIZE does not count; an entry of the array hides it. The dict's entries are
 * sparse ones here, under this mark. */
#define IN_DICT ((uint64_t)1 << 63)

static bool counted_by_315(pks_machine *m, uint64_t index) {
  /* entry after entry, what the dispatch loop puts itself, doubles the array */
  while (m->memo_array < m->memo_high && m->memo_count == m->memo_high) m->memo_array *= 2;
  if (index < m->memo_array) return true;
  if (index > 2 * m->memo_count) return false;
  m->memo_array = 2 * index;
  return true;
}

pks_value pks_machine_memo_get(const pks_machine *m, uint64_t index) {
  if (index == UINT64_MAX) return 0; /* a negative index */
  pks_value v =
      index < m->memo.words ? *pks_segment_word(&m->memo, (size_t)index) : sparse_get(m, index);
  if (!v && (m->rules & PKS_RULE_MEMO_ARRAY)) v = sparse_get(m, index | IN_DICT);
  return v;
}

/* One more segment; entries of the sparse table that it covers move over. Stale copies stay in the
 * table, which is not asked for a dense index. */
static pks_fail extend_dense(pks_machine *m) {
  size_t from = m->memo.words;
  if (!add_segment(m, &m->memo)) return pks_decode_fail_of(m->mem);
  for (size_t i = from; m->sparse_count && i < m->memo.words; i++) {
    pks_value v = sparse_get(m, i);
    if (v) *pks_segment_word(&m->memo, i) = v;
  }
  if (m->sparse_count) m->memo_high = m->memo.words;
  return PKS_FAIL_NONE;
}

pks_fail pks_machine_memo_put(pks_machine *m, uint64_t index, pks_value v) {
  bool fresh = false;
  pks_machine_memo_sync(m);
  bool counted = (m->rules & PKS_RULE_CPICKLE) || counted_by_315(m, index);
  if (!counted) m->quirks |= PKS_QUIRK_MEMO;
  if (m->rules & PKS_RULE_MEMO_ARRAY) {
    if (!counted) return sparse_put(m, index | IN_DICT, v, &fresh);
  } else if (index >= MEMO_BOMB &&
             !(m->rules & (PKS_RULE_CPICKLE | PKS_RULE_PYPY))) { /* there it is a dict */
    return PKS_FAIL_INDEX_MEMORY;
  }
  /* A segment only where at least half of what lies below is in use: 8 KiB for one entry would
   * let a small payload ask for much. */
  if (index - m->memo.words < PKS_SEGMENT_SIZE && m->memo_count >= m->memo.words / 2) {
    pks_fail fail = extend_dense(m);
    if (fail) return fail;
  }
  if (index < m->memo.words) {
    uint64_t *word = pks_segment_word(&m->memo, (size_t)index);
    fresh = index >= m->memo_high || *word == 0;
    *word = v;
    if (index >= m->memo_high) m->memo_high = (size_t)index + 1;
  } else {
    pks_fail fail = sparse_put(m, index, v, &fresh);
    if (fail) return fail;
  }
  m->memo_count += fresh;
  m->memo_next = m->memo_stop = m->memo_from = NULL;
  if (m->memo_high < m->memo.words && m->memo_count == m->memo_high && !m->sparse_count) {
    m->memo_next = m->memo_from = pks_segment_word(&m->memo, m->memo_high);
    m->memo_stop = m->memo_next + (PKS_SEGMENT_SIZE - m->memo_high % PKS_SEGMENT_SIZE);
  }
  return PKS_FAIL_NONE;
}

/* ---- keys of Python 2.7 ------------------------------------------------------------------------ */

typedef struct memo_key {
  uint64_t hash;
  size_t start, size; /* in key_text */
} memo_key;

#define KEY_INDEX ((uint64_t)1 << 63) /* past those of numbers */

static bool grow_keys(pks_machine *m) {
  size_t count = m->key_bucket_count ? m->key_bucket_count * 2 : 64;
  uint32_t *buckets = pks_base_resize(m->mem, NULL, 0, count * sizeof *buckets);
  if (!buckets) return false;
  memset(buckets, 0, count * sizeof *buckets);
  for (size_t i = 0; i < m->keys.count; i++) {
    size_t at = (size_t)PKS_VEC_AT(&m->keys, memo_key, i).hash & (count - 1);
    while (buckets[at]) at = (at + 1) & (count - 1);
    buckets[at] = (uint32_t)i + 1;
  }
  pks_base_release(m->mem, m->key_buckets, m->key_bucket_count * sizeof *buckets);
  m->key_buckets = buckets;
  m->key_bucket_count = count;
  return true;
}

static uint64_t new_key(pks_machine *m, pks_span text, uint64_t hash) {
  if (m->keys.count >= UINT32_MAX - 1 ||
      (m->keys.count * 2 >= m->key_bucket_count && !grow_keys(m)) ||
      !pks_base_vec_reserve(m->mem, &m->key_text, 1, text.size) ||
      !pks_base_vec_reserve(m->mem, &m->keys, sizeof(memo_key), 1)) {
    m->fail = pks_decode_fail_of(m->mem);
    return UINT64_MAX;
  }
  memcpy(m->key_text.data + m->key_text.count, text.data, text.size);
  memo_key *key = pks_base_vec_push(m->mem, &m->keys, sizeof *key);
  *key = (memo_key){hash, m->key_text.count, text.size};
  m->key_text.count += text.size;
  size_t at = (size_t)hash & (m->key_bucket_count - 1);
  while (m->key_buckets[at]) at = (at + 1) & (m->key_bucket_count - 1);
  m->key_buckets[at] = (uint32_t)m->keys.count;
  return KEY_INDEX | (m->keys.count - 1);
}

uint64_t pks_machine_memo_key(pks_machine *m, pks_span text, bool add) {
  uint64_t hash = (uint64_t)(uintptr_t)m;
  for (size_t i = 0; i < text.size; i++) hash = (hash ^ text.data[i]) * 0x9e3779b97f4a7c15ull;
  hash ^= hash >> 32;
  for (size_t at = (size_t)hash; m->key_bucket_count; at++) {
    uint32_t found = m->key_buckets[at & (m->key_bucket_count - 1)];
    if (!found) break;
    const memo_key *key = &PKS_VEC_AT(&m->keys, memo_key, found - 1);
    if (key->hash == hash && key->size == text.size &&
        memcmp(m->key_text.data + key->start, text.data, text.size) == 0)
      return KEY_INDEX | (found - 1);
  }
  return add ? new_key(m, text, hash) : UINT64_MAX;
}

static void reset_keys(pks_machine *m) {
  if (m->keys.count) memset(m->key_buckets, 0, m->key_bucket_count * sizeof *m->key_buckets);
  m->keys.count = m->key_text.count = 0;
}

/* ---- starting over ----------------------------------------------------------------------------- */

/* Most memos are short: memset with a size that the compiler sees a bound of becomes `rep stos`, which
 * takes longer than a short loop. */
static void zero_words(uint64_t *word, size_t count) {
  for (; count >= 4; count -= 4, word += 4) word[0] = word[1] = word[2] = word[3] = 0;
  for (; count; count--) *word++ = 0;
}

void pks_machine_memo_reset(pks_machine *m) {
  reset_keys(m);
  pks_machine_memo_sync(m);
  for (size_t i = 0; i < m->memo_high; i += PKS_SEGMENT_SIZE) {
    size_t words = m->memo_high - i < PKS_SEGMENT_SIZE ? m->memo_high - i : PKS_SEGMENT_SIZE;
    zero_words(pks_segment_word(&m->memo, i), words);
  }
  if (m->sparse_count) memset(m->sparse, 0, m->sparse_capacity * 2 * sizeof *m->sparse);
  m->memo_high = m->sparse_count = m->cell_count = 0;
  m->memo_count = 0;
  m->memo_next = m->memo_stop = m->memo_from = m->cell_next = m->cell_stop = NULL;
  m->memo_array = 32; /* CPython 3.15's first capacity */
}

void pks_machine_memo_free(pks_machine *m) {
  pks_base_release(m->mem, m->key_buckets, m->key_bucket_count * sizeof *m->key_buckets);
  pks_base_vec_free(m->mem, &m->keys, sizeof(memo_key));
  pks_base_vec_free(m->mem, &m->key_text, 1);
  m->key_buckets = NULL;
  m->key_bucket_count = 0;
  free_segments(m, &m->memo);
  free_segments(m, &m->cells);
  pks_base_release(m->mem, m->sparse, m->sparse_capacity * 2 * sizeof *m->sparse);
  pks_base_release(m->mem, m->marks, m->mark_capacity * sizeof *m->marks);
  if (m->stack)
    pks_base_release(m->mem, m->stack, (size_t)(m->stack_end - m->stack) * sizeof *m->stack);
  m->sparse = m->stack = m->top = m->stack_end = NULL;
  m->marks = NULL;
  m->sparse_capacity = m->mark_capacity = 0;
}
