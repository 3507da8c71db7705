/* match/stdlib.h - what the standard library of each known Python has, by name. Tables, no memory.
 *
 * A version is a bit of a mask (versions.def gives bit numbers). `present`: the captured interpreters of
 * these versions have it; `unknown`: it did not import, or is missing, where that proves nothing.
 * Neither: these versions do not have it. */
#ifndef PKS_MATCH_STDLIB_H
#define PKS_MATCH_STDLIB_H

#include <picklesight.h>
#include <stdbool.h>

#define PKS_STDLIB_NONE UINT32_MAX

typedef enum pks_stdlib_kind {
  PKS_STDLIB_NOTHING = 0,
  PKS_STDLIB_CALLABLE, /* class, function, or other callable             */
  PKS_STDLIB_CONSTANT, /* anything else                                  */
  PKS_STDLIB_MODULE,   /* a module bound to the name                     */
  PKS_STDLIB_NESTED,   /* a dotted name: a class in a class              */
  PKS_STDLIB_LAZY      /* the module's own __getattr__ answers           */
} pks_stdlib_kind;

typedef struct pks_stdlib_fact {
  uint16_t present, unknown;
  uint8_t kind; /* of an attribute, where several versions differ: of the newest */
  bool os;      /* of a module: it shows what the operating system has, so a name that no version of
                   the table has may exist elsewhere */
} pks_stdlib_fact;

/* Index of a module of any version, or PKS_STDLIB_NONE. */
uint32_t pks_match_stdlib_find(pks_span module);
uint32_t pks_match_stdlib_find_hashed(pks_span module, uint64_t hash); /* match/hash.h */
pks_span pks_match_stdlib_name(uint32_t module);
uint32_t pks_match_stdlib_count(void); /* indices are below; by name */
pks_stdlib_fact pks_match_stdlib_module_fact(uint32_t module);

/* Of an attribute exactly as written; all zero when no version has it. */
pks_stdlib_fact pks_match_stdlib_attribute_fact(uint32_t module, pks_span name);

/* The next attribute of a module that any version has, by name, from *place (0 at first) on. False: no more. */
bool pks_match_stdlib_attribute_next(uint32_t module, uint32_t *place, pks_span *name,
                                     pks_stdlib_fact *fact);

/* Does this version have it? NO for what no version has. An attribute of a module that is not there is
 * NO. */
pks_answer pks_match_stdlib_module(unsigned version, pks_span module);
pks_answer pks_match_stdlib_attribute(unsigned version, pks_span module, pks_span name);

/* A module of this version in which `name` is bound to the object that other versions have as
 * (module, name): the public one when there are several. PKS_STDLIB_NONE: none is known. */
uint32_t pks_match_stdlib_moved(unsigned version, uint32_t module, pks_span name);

#endif
