/* SHA-256 against the published examples (FIPS 180-4 / NIST CAVP), whole and in every cut. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "base/sha256.h"
#include "support/chunks.h"

static const struct {
  const char *text;
  size_t repeat;
  const char *digest;
} vectors[] = {
    {"", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
    {"abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
    {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
     "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
    {"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqr"
     "lmnopqrsmnopqrstnopqrstu",
     1, "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"},
    {"a", 1000000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"},
    {"\xbd", 1, "68325720aabd7c82f30f554b313d0570c95accbb7dc4b5aae11204c08ffe732b"},
    {"\xc9\x8c\x8e\x55", 1, "7abc22c0ae5af26ce93dbb94433a0e0b2e119d014f8e7f65bd56c61ccccd9504"},
};

static bool feed(void *user, const uint8_t *data, size_t size) {
  pks_base_sha256_feed(user, data, size);
  return true;
}

typedef struct text {
  const uint8_t *data;
  size_t size;
  const char *digest;
} text;

static bool same(void *user, const size_t *cuts, size_t count) {
  const text *t = user;
  pks_sha256 sha;
  uint8_t digest[PKS_SHA256_SIZE];
  char hex[2 * PKS_SHA256_SIZE + 1];
  pks_base_sha256_start(&sha);
  chunks_pieces(t->data, t->size, cuts, count, feed, &sha);
  pks_base_sha256_finish(&sha, digest);
  pks_base_sha256_hex(digest, hex);
  ck_assert_msg(strcmp(hex, t->digest) == 0, "%zu bytes, cut %s: %s", t->size,
                chunks_text(t->size, cuts, count), hex);
  return true;
}

START_TEST(published) {
  size_t length = strlen(vectors[_i].text);
  text t = {.size = length * vectors[_i].repeat, .digest = vectors[_i].digest};
  uint8_t *data = malloc(t.size + 1);
  ck_assert_ptr_nonnull(data);
  for (size_t i = 0; i < vectors[_i].repeat; i++)
    memcpy(data + i * length, vectors[_i].text, length);
  t.data = data;
  ck_assert(chunks_each(t.size, same, &t));
  free(data);
}
END_TEST

/* Every length around the padding's corners: the digest of the digests of 0 .. 199 zero bytes. */
START_TEST(lengths) {
  static const uint8_t zeros[200];
  pks_sha256 all, one;
  uint8_t digest[PKS_SHA256_SIZE];
  char hex[2 * PKS_SHA256_SIZE + 1];
  pks_base_sha256_start(&all);
  for (size_t n = 0; n < sizeof zeros; n++) {
    pks_base_sha256_start(&one);
    pks_base_sha256_feed(&one, zeros, n);
    pks_base_sha256_finish(&one, digest);
    pks_base_sha256_feed(&all, digest, sizeof digest);
  }
  pks_base_sha256_finish(&all, digest);
  pks_base_sha256_hex(digest, hex);
  ck_assert_str_eq(hex, "59e350876ff46da193f0d152dd874fa876d2020a80910c6b83b1537e21104a9f");
}
END_TEST

int main(void) {
  Suite *suite = suite_create("sha256");
  TCase *vectors_case = tcase_create("vectors");
  tcase_set_timeout(vectors_case, 60);
  tcase_add_loop_test(vectors_case, published, 0, (int)(sizeof vectors / sizeof *vectors));
  tcase_add_test(vectors_case, lengths);
  suite_add_tcase(suite, vectors_case);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed != 0;
}
