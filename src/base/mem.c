#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

static void *libc_resize(void *user, void *ptr, size_t old_size, size_t size) {
  (void)user;
  (void)old_size;
  if (size == 0) {
    free(ptr);
    return NULL;
  }
  return realloc(ptr, size);
}

void pks_base_mem_init(pks_mem *mem, const pks_alloc *alloc, uint64_t limit) {
  memset(mem, 0, sizeof *mem);
  mem->alloc.resize = libc_resize;
  if (alloc && alloc->resize) mem->alloc = *alloc;
  mem->limit = limit;
}

void *pks_base_resize(pks_mem *mem, void *ptr, size_t old_size, size_t size) {
  if (size == 0) {
    pks_base_release(mem, ptr, old_size);
    return NULL;
  }
  uint64_t others = mem->used - old_size;
  if (others > mem->limit || size > mem->limit - others) {
    mem->status = PKS_E_LIMIT_MEMORY;
    return NULL;
  }
  void *result = mem->alloc.resize(mem->alloc.user, ptr, old_size, size);
  if (!result) {
    mem->status = PKS_E_NO_MEMORY;
    return NULL;
  }
  mem->used = others + size;
  /* realloc may hold both blocks for a moment; that is the allocator's business, not ours. */
  if (mem->used > mem->peak) mem->peak = mem->used;
  return result;
}

void pks_base_release(pks_mem *mem, void *ptr, size_t size) {
  if (!ptr) return;
  mem->alloc.resize(mem->alloc.user, ptr, size, 0);
  mem->used -= size;
}

void *pks_base_object_new(const pks_alloc *alloc, uint64_t limit, size_t size) {
  pks_mem mem;
  pks_base_mem_init(&mem, alloc, limit);
  void *object = pks_base_resize(&mem, NULL, 0, size);
  if (!object) return NULL;
  memset(object, 0, size);
  memcpy(object, &mem, sizeof mem);
  return object;
}

void pks_base_object_free(void *object, size_t size) {
  pks_mem mem;
  memcpy(&mem, object, sizeof mem);
  pks_base_release(&mem, object, size);
}

bool pks_base_vec_reserve(pks_mem *mem, pks_vec *vec, size_t element_size, size_t more) {
  if (more <= vec->capacity - vec->count) return true;
  size_t most = SIZE_MAX / 2 / element_size;
  if (vec->count > most || more > most - vec->count) {
    mem->status = PKS_E_LIMIT_MEMORY;
    return false;
  }
  size_t capacity = vec->capacity ? vec->capacity : 8;
  while (capacity < vec->count + more) capacity *= 2;
  void *data =
      pks_base_resize(mem, vec->data, vec->capacity * element_size, capacity * element_size);
  if (!data) return false;
  vec->data = data;
  vec->capacity = capacity;
  return true;
}

void pks_base_vec_free(pks_mem *mem, pks_vec *vec, size_t element_size) {
  pks_base_release(mem, vec->data, vec->capacity * element_size);
  memset(vec, 0, sizeof *vec);
}
