/* code/infer.h - which Python's bytecode is in a code object that does not say so?
 *
 * pks_code_inspect takes the arguments of a code object's constructor as a payload gives them and
 * answers with a set of Python versions whose rules the bytecode keeps (the hard set), a ranking of
 * that set by what each version's own compiler would have written (likely), and what the code uses:
 * imports, globals, names.
 *
 * A hard check says "that version's compiler never writes this"; the loader itself checks nothing.
 * An empty set therefore means unknown (another implementation, a pre-release, a rewriting tool, a
 * rule of ours that is wrong), never proof of tampering. */
#ifndef PKS_CODE_INFER_H
#define PKS_CODE_INFER_H

#include "code/code.h"

/* ---- versions ------------------------------------------------------------------------------ */

enum {
#define PKS_CODE_VERSION(id, name, magic, minor, family) PKS_CODE_##id,
#include "code/versions.def"
#undef PKS_CODE_VERSION
  PKS_CODE_VERSIONS
};

/* Set of versions: bit i is version i. */
typedef uint32_t pks_code_set;
#define PKS_CODE_BIT(version) ((pks_code_set)1 << (version))

size_t pks_code_version_count(void);
const char *
pks_code_version_name(size_t version);           /* "cpython-3.11". Static. NULL: no such version */
uint16_t pks_code_version_magic(size_t version); /* of its releases                               */
/* The same as lists of one, static. version: one there is. */
const uint16_t *pks_code_magic_of(size_t version);
const char *const *pks_code_name_of(size_t version);
/* The version with this magic number, older and twin numbers included, or -1. */
int pks_code_version_of_magic(uint16_t magic);

/* Magic numbers of a set into out (room for PKS_CODE_VERSIONS); how many. */
size_t pks_code_set_magics(pks_code_set set, uint16_t *out);
/* Number of versions in a set, and the lowest one (set not empty). */
unsigned pks_code_set_size(pks_code_set set);
unsigned pks_code_set_first(pks_code_set set);

/* ---- one code object ------------------------------------------------------------------------- */

/* How the constructor is called (bits). */
#define PKS_CODE_CLOUDPICKLE_OLD \
  1u                     /* as cloudpickle 1.1 to 1.6 and copies of it do: on 3.10 these put an
                                       lnotab where the line table belongs                          */
#define PKS_CODE_DILL 2u /* dill's _create_code: a leading lnotab may come first           */
#define PKS_CODE_PYPY 4u /* _pickle_support.code_new: the last argument is the magic       */

/* Fields of a code object; at[] says which argument each one is. */
typedef enum pks_code_field {
  PKS_CF_ARGCOUNT,
  PKS_CF_POSONLY,
  PKS_CF_KWONLY,
  PKS_CF_NLOCALS,
  PKS_CF_STACKSIZE,
  PKS_CF_FLAGS,
  PKS_CF_CODE,
  PKS_CF_CONSTS,
  PKS_CF_NAMES,
  PKS_CF_VARNAMES,
  PKS_CF_FILENAME,
  PKS_CF_NAME,
  PKS_CF_QUALNAME,
  PKS_CF_FIRSTLINENO,
  PKS_CF_LINETABLE, /* co_lnotab before 3.10 */
  PKS_CF_EXCEPTIONTABLE,
  PKS_CF_FREEVARS,
  PKS_CF_CELLVARS,
  PKS_CF_LEAD,  /* dill: co_lnotab, before the others */
  PKS_CF_MAGIC, /* PyPy */
  PKS_CF_COUNT
} pks_code_field;

/* Order of the arguments, by how many there are without dill's and PyPy's own. */
typedef enum pks_code_shape {
  PKS_SHAPE_NONE = 0, /* no constructor takes these                                     */
  PKS_SHAPE_14 = 14,  /* Python 2                                                       */
  PKS_SHAPE_15 = 15,  /* 3.0 to 3.7                                                     */
  PKS_SHAPE_16 = 16,  /* 3.8 to 3.10                                                    */
  PKS_SHAPE_18 = 18,  /* 3.11 and later                                                 */
  PKS_SHAPE_20 = 20   /* 3.11 alphas, as dill writes them                               */
} pks_code_shape;

typedef enum pks_code_kinds {
  PKS_CODE_NONE = 0,       /* no candidate                                                  */
  PKS_CODE_EXACT = 1,      /* one                                                           */
  PKS_CODE_EQUIVALENT = 2, /* several, and every instruction is and means the same in each  */
  PKS_CODE_CONFLICTING = 3 /* several that differ                                           */
} pks_code_kinds;

typedef struct pks_code_import {
  pks_span module;            /* as written; empty in `from . import x`                   */
  const pks_code_value *from; /* tuple of names after `from .. import`, or NULL           */
  int32_t level;              /* dots; 0 absolute; -1 Python 2 (implicit); PKS_LEVEL_UNKNOWN */
  uint32_t name;              /* index in co_names                                        */
  uint32_t offset;            /* of the instruction in the bytecode                       */
  pks_code_set under;         /* versions that read an import here                        */
  bool straight;              /* reached whenever the code runs: before any branch, region
                                    with a handler, return, yield                            */
} pks_code_import;
#define PKS_LEVEL_UNKNOWN INT32_MIN

typedef struct pks_code_global {
  pks_span name;
  uint32_t index;  /* in co_names                                                            */
  uint32_t offset; /* of the first instruction that loads it                                 */
  pks_code_set under;
  bool straight; /* the first load is on the straight path                                 */
  bool by_name;  /* LOAD_NAME: class bodies and modules look in their own names first      */
} pks_code_global;

typedef struct pks_code_facts {
  pks_code_shape shape;
  int8_t at[PKS_CF_COUNT]; /* index of each field in args, or -1                             */
  pks_span name, qualname, file, bytecode; /* data NULL: not there or not kept               */
  const pks_code_value *names, *consts;    /* the arguments, NULL when shape is NONE         */
  int64_t line;                            /* first line; -1: not known                      */
  int64_t flags, argcount, posonly, kwonly, nlocals, stacksize; /* -1: not known             */

  pks_code_set set;    /* hard candidates                                                 */
  pks_code_set likely; /* the best of them by soft evidence; more than one: a tie         */
  pks_code_set pypy;   /* PyPys that may have made it (3.8 and 3.9 share CPython's shape); only
                             with a CPython-only mark in the code is it empty                */
  pks_code_kinds kind; /* of set                                                          */
  uint16_t conflicts;  /* bit i: the members of pair i (pairs.def) read this code differently */
  uint16_t soft[PKS_CODE_VERSIONS]; /* soft failures by version                              */
  uint32_t given_magic; /* what the payload itself says; 0: nothing                        */
  bool scanned;         /* the bytecode was there and was looked at                        */
  bool pypy_differs;    /* PyPy 3.9 and a CPython of set read this code differently          */
  bool refused;         /* a number that no CPython takes: not a C int, or a negative count  */
  bool broken_call;     /* 16 arguments of 3.11+ code (cloudpickle 1.2.2 to 2.0.0 there):
                             no interpreter makes a code object of them                      */

  const pks_code_import *imports; /* in the order of their offsets; until the next call        */
  size_t import_count;
  const pks_code_global *globals; /* unique by name                                           */
  size_t global_count;
} pks_code_facts;

/* Working memory of pks_code_inspect; zero-initialise it. Kept from call to call, grown only by
 * what the input really holds. */
typedef struct pks_code_scratch {
  pks_vec starts, targets; /* bit sets over code units                */
  pks_vec depths, work;    /* data flow                               */
  pks_vec text;            /* bytecode that came as text              */
  pks_vec marks;           /* bit sets over co_names and co_consts    */
  pks_vec imports, globals;
} pks_code_scratch;

void pks_code_scratch_free(pks_code_scratch *scratch, pks_mem *mem);

/* Inspects one code object. args, and what they point to, must stay while *out is used; the lists in
 * *out live in scratch until the next call. PKS_OK, or why memory was refused (then *out holds what
 * the arguments alone say). Cost is linear in the size of args. */
PKS_MUST pks_status pks_code_inspect(pks_code_scratch *scratch, pks_mem *mem,
                                     const pks_code_value *args, size_t argc, unsigned flags,
                                     pks_code_facts *out);

/* The same where the magic number is known (a .pyc): nothing is inferred, the set is that version. */
PKS_MUST pks_status pks_code_inspect_as(pks_code_scratch *scratch, pks_mem *mem,
                                        const pks_code_value *args, size_t argc, uint16_t magic,
                                        pks_code_facts *out);

/* ---- the code objects of one payload ------------------------------------------------------------ */

/* Zero-initialise, add every code object, then ask. */
typedef struct pks_code_join {
  uint32_t count, nones; /* code objects added; those without a candidate                       */
  pks_code_set all, any; /* intersection and union of the sets that are not empty               */
  pks_code_set pypy;     /* intersection of pypy                                                */
  uint16_t conflicts;
  uint32_t soft[PKS_CODE_VERSIONS];
  uint32_t given_magic; /* the one magic number given, 0: none                                 */
  bool given_differs;   /* two were given                                                      */
} pks_code_join;

typedef struct pks_code_joint {
  pks_code_set set;    /* what all of them can be; empty when there is nothing that all can be    */
  pks_code_set likely; /* the best of set by soft evidence over all of them                       */
  pks_code_set pypy;   /* PyPys that may have made all of them                                    */
  pks_code_kinds kind;
  bool mixed; /* each has candidates, but no version is one of all: see them one by one  */
} pks_code_joint;

void pks_code_join_add(pks_code_join *join, const pks_code_facts *facts);
void pks_code_join_get(const pks_code_join *join, pks_code_joint *out);
/* As facts->kind for any part of a payload's set: conflicts as above. */
pks_code_kinds pks_code_set_kind(pks_code_set set, uint16_t conflicts);

#endif
