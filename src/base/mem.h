/* base/mem.h - one object's memory: every byte is counted, and the count has a limit.
 *
 * All memory of a decoder, inspector or report goes through its pks_mem. A refused request leaves
 * the old block alone and says why in `status`. */
#ifndef PKS_BASE_MEM_H
#define PKS_BASE_MEM_H

#include <stdbool.h>
#include <string.h>
#include <picklesight.h>

typedef struct pks_mem {
  pks_alloc alloc;
  uint64_t used, peak, limit;
  pks_status status; /* why the last refused request was refused */
} pks_mem;

/* alloc NULL: malloc, realloc and free. */
void pks_base_mem_init(pks_mem *mem, const pks_alloc *alloc, uint64_t limit);

/* As pks_alloc.resize; NULL when refused (E_LIMIT_MEMORY) or not to be had (E_NO_MEMORY). */
void *pks_base_resize(pks_mem *mem, void *ptr, size_t old_size, size_t size);
void pks_base_release(pks_mem *mem, void *ptr, size_t size);

/* Zeroed object of `size` bytes that holds its own pks_mem at offset 0: made with alloc, and charged
 * to itself. Free with pks_base_object_free. */
void *pks_base_object_new(const pks_alloc *alloc, uint64_t limit, size_t size);
void pks_base_object_free(void *object, size_t size);

/* A growing array of one element size. Doubles; elements move. */
typedef struct pks_vec {
  uint8_t *data;
  size_t count, capacity;
} pks_vec;

/* Room for `more` elements past count. */
bool pks_base_vec_reserve(pks_mem *mem, pks_vec *vec, size_t element_size, size_t more);
/* Room for one more element; its address, not zeroed, or NULL. */
static inline void *pks_base_vec_push(pks_mem *mem, pks_vec *vec, size_t element_size) {
  if (vec->count == vec->capacity && !pks_base_vec_reserve(mem, vec, element_size, 1)) return NULL;
  return vec->data + vec->count++ * element_size;
}
void pks_base_vec_free(pks_mem *mem, pks_vec *vec, size_t element_size);

#define PKS_VEC_AT(vec, type, index) (((type *)(void *)(vec)->data)[index])

/* Is it this text? */
static inline bool pks_span_is(pks_span text, const char *other) {
  size_t size = strlen(other);
  return text.size == size && (size == 0 || memcmp(text.data, other, size) == 0);
}

#endif
