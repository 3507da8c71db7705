/* picklesight_capture.h - the fingerprint of the Python interpreter that this program embeds.
 *
 * A library of its own (libpicklesight_capture): it calls the interpreter that the program has linked or
 * loaded, and links none itself. For other interpreters there is `picklesight capture`. */
#ifndef PICKLESIGHT_CAPTURE_H
#define PICKLESIGHT_CAPTURE_H

#include <picklesight.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pks_capture_options {
  size_t size;
  const char *const
      *modules; /* list the names of these, as far as they are imported; may be NULL */
  size_t module_count;
  int main_open;                 /* 0: __main__ defines main_names and nothing else            */
  const char *const *main_names; /* may be NULL                                              */
  size_t main_count;
} pks_capture_options;

/* All zero but size and main_open, which is 1. PKS_OK, or PKS_E_USAGE: options NULL, or size too small. */
PKS_API pks_status pks_capture_options_init(pks_capture_options *options);

/* What the running interpreter is: its version, the modules that its sys.path finds, the distributions that are
 * installed. Nothing is imported but a few modules of the standard library (os, pickle, struct), no process is
 * started, sys.path and sys.modules stay as they are. The caller holds the GIL; an exception that is set stays
 * set. Takes about as long as `picklesight capture` does without starting an interpreter: tenths of a second.
 *
 * *out is the target, to be freed with pks_target_free. options, alloc and error may be NULL.
 *   PKS_OK
 *   PKS_E_PYTHON        no interpreter is initialized, or it raised an exception; *error says so
 *   PKS_E_FINGERPRINT   what it told makes no fingerprint
 *   PKS_E_LIMIT_MEMORY, PKS_E_NO_MEMORY, PKS_E_USAGE */
PKS_API PKS_MUST pks_status pks_capture_python(const pks_capture_options *options,
                                               const pks_alloc *alloc, pks_target **out,
                                               pks_error *error);

#ifdef __cplusplus
}
#endif
#endif /* PICKLESIGHT_CAPTURE_H */
