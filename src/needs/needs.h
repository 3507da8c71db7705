/* needs/needs.h - facts as requirements on a target, whatever the target is. */
#ifndef PKS_NEEDS_NEEDS_H
#define PKS_NEEDS_NEEDS_H

#include "facts/facts.h"

typedef struct pks_requirement {
  uint8_t kind, phase; /* pks_need_kind, pks_phase                                               */
  bool certain;        /* ATTRIBUTE: the name is what will be looked up; FRAME, NUMBER: the reader
                          stops there, else another one may                                     */
  bool straight;       /* IMPORT: reached whenever the code runs; ATTRIBUTE: of an object, which
                          may have what its class is not known to have                         */
  bool dotted;         /* ATTRIBUTE: dots in the name walk attributes (protocol 4 and later);
                          MODULE: its last part may be an attribute                             */
  uint8_t trait;       /* VERSION, PLATFORM, HELPER: the pks_trait that asks for it, plus 1      */
  bool plain;          /* ATTRIBUTE: certain, and no helper's argument                          */
  uint8_t use;         /* CONSTRUCTOR: PKS_USE_... of facts/uses.c, or 0: of code objects         */
  uint32_t index;      /* ATTRIBUTE, MAIN: of the global; BYTECODE, CONSTRUCTOR: of the code     */
  uint64_t offset;
  uint64_t number;       /* PROTOCOL; CONSTRUCTOR: arguments; BUFFERS: how many; EXTENSION: code;
                            ATTRIBUTE: arguments of its first call by REDUCE, plus 1; 0: none    */
  pks_span module, name; /* MODULE, ATTRIBUTE, MAIN, IMPORT: as looked up                        */
  const pks_name *named; /* ATTRIBUTE, MAIN: also as spelled                                     */
  pks_span helper;       /* ATTRIBUTE: module of the helper whose argument it is. With a trait:
                            module and name of what is called, its value here; with a use too.
                            CONSTRUCTOR: dill's module, if its _create_code is called              */
} pks_requirement;

/* The code object was written by marshal, whose layout its arguments are. */
static inline bool pks_needs_is_marshalled(const pks_code_record *code) {
  return strcmp(code->how, "marshal") == 0 || strcmp(code->how, "pyc") == 0;
}

/* Appends what the payload asks to *out (elements of pks_requirement), parse first, then load, then
 * run, each in payload order. False: no memory. Spans are those of the facts. */
bool pks_needs_collect(const pks_inspector *f, pks_mem *mem, pks_vec *out);

/* "module", "persistent-id" ...; "parse", "load", "run". Static. */
const char *pks_needs_kind_name(pks_need_kind kind);
const char *pks_needs_phase_name(pks_phase phase);

/* Is it __main__, or another module that exists in the process that runs a script and nowhere else? */
bool pks_needs_names_main(pks_span module);
static inline bool pks_needs_is_main(pks_span module) { /* most are not */
  return module.size >= 8 && (module.data[0] == '_' || module.data[0] == 'u') &&
         pks_needs_names_main(module);
}

#endif
