/* match/target.h - what is known of a target: a built-in Python or a fingerprint, and the questions
 * that a payload asks of it.
 *
 * A target is a fingerprint document (pickle-target/1) and what was read from it. A built-in target is a
 * document too, made from its name. --with, --bare and loader options change the document, and with it the
 * id. Questions answer yes, no or unknown, and say why; they allocate nothing and may be asked by several
 * threads at once. NO needs evidence: a list that is complete, or a table. */
#ifndef PKS_MATCH_TARGET_H
#define PKS_MATCH_TARGET_H

#include "base/arena.h"
#include "base/sha256.h"
#include "match/document.h"
#include "match/stdlib.h"

/* ---- the known Pythons (versions.def) ------------------------------------------------------------ */

typedef struct pks_match_version {
  const char *implementation;
  uint8_t major, minor, micro; /* micro: of the captured interpreter */
  uint16_t magic;
  const char *cache_tag; /* "" when it has none */
  uint8_t code_args, max_protocol, default_protocol;
} pks_match_version;

extern const pks_match_version pks_match_versions[];
extern const unsigned pks_match_version_count;

/* "cpython-3.12", for version 0 .. count-1. Static. */
const char *pks_match_version_name(unsigned version);

/* ---- the parsed target ------------------------------------------------------------------------------ */

/* Different texts, sorted by code point, and a hash table of them. */
typedef struct pks_match_names {
  pks_span *text;
  uint32_t *slot; /* index + 1, or 0 */
  uint32_t count, mask;
} pks_match_names;

#define PKS_MATCH_NONE UINT32_MAX
/* Index of a text, or PKS_MATCH_NONE. */
uint32_t pks_match_names_find(const pks_match_names *names, pks_span text);
uint32_t pks_match_names_find_hashed(const pks_match_names *names, pks_span text, uint64_t hash);

typedef enum pks_match_kind {
  PKS_MODULE_ANY = 0,   /* not said                                                         */
  PKS_MODULE_PACKAGE,   /* "p"                                                              */
  PKS_MODULE_PLAIN,     /* "m": a file; has no submodules                                   */
  PKS_MODULE_EXTENSION, /* "e": the same                                                    */
  PKS_MODULE_NAMESPACE, /* "n": may have more submodules than are listed                    */
  PKS_MODULE_CREATED    /* "x": made at import; the same                                    */
} pks_match_kind;

typedef enum pks_serializer {
  PKS_SERIALIZER_NONE = 0,
  PKS_SERIALIZER_CLOUDPICKLE,
  PKS_SERIALIZER_DILL
} pks_serializer;

typedef struct pks_match_module {
  pks_match_names attributes, lacks; /* lacks: asked for, and not there */
  pks_span distribution;             /* size 0: not said */
  uint8_t kind;
  uint8_t why; /* pks_match_why: how it is known                                     */
  bool has_attributes, open;
  bool missing;       /* its distribution is known not to have it */
  bool broken;        /* it, or its distribution, does not import on this Python            */
  bool unsure;        /* this file of it may not import on this implementation              */
  uint8_t serializer; /* pks_serializer: a module of that library, */
  uint8_t version;    /* of this version (index),                  */
  uint8_t first_name, end_name; /* with these names (serializers.c) */
} pks_match_module;

typedef struct pks_match_extension {
  uint32_t code;
  pks_span module, name;
} pks_match_extension;

typedef struct pks_match_micro {
  uint32_t module; /* of stdlib.h */
  pks_span name;   /* size 0: the module itself */
  uint8_t since;
} pks_match_micro;
#define PKS_MATCH_MICROS 16

typedef enum pks_match_os {
  PKS_OS_UNKNOWN = 0,
  PKS_OS_LINUX,
  PKS_OS_WINDOWS,
  PKS_OS_MACOS,
  PKS_OS_OTHER
} pks_match_os;

typedef enum pks_match_loader {
  PKS_LOADER_PICKLE = 0,
  PKS_LOADER_CLOUDPICKLE,
  PKS_LOADER_DILL,
  PKS_LOADER_JOBLIB,
  PKS_LOADER_TORCH,
  PKS_LOADER_PANDAS, /* pandas.read_pickle */
  PKS_LOADER_OTHER
} pks_match_loader;

#define PKS_COMPLETE_TOP_LEVEL 1u
#define PKS_COMPLETE_MODULES 2u
#define PKS_COMPLETE_DISTRIBUTIONS 4u
#define PKS_COMPLETE_EXTENSIONS 8u

typedef struct pks_match_facts {
  pks_span implementation; /* "cpython" */
  uint32_t python;         /* PKS_PYTHON; micro 0xff: not said       */
  int version;             /* index of pks_match_versions, or -1     */
  int64_t magic;           /* -1: not known                          */
  uint32_t code;           /* the pks_code_set of its bytecode; 0: none that is known */
  int code_args;           /* -1: not known                          */
  int max_protocol;        /* -1: not known                          */
  pks_match_os os;
  int bits;         /* of a pointer; 0: not said              */
  int big_endian;   /* -1: not said                           */
  pks_span machine; /* size 0: not said                       */

  pks_match_loader loader;
  pks_span loader_name;
  const char *encoding, *errors; /* NULL: not said, or Python 2           */
  bool fix_imports;
  pks_answer buffers;         /* are out-of-band buffers handed over?  */
  pks_answer persistent_load; /* is there a persistent_load?           */
  bool has_allowed;           /* it looks up these only: "module.name" */
  pks_match_names allowed;

  unsigned complete; /* PKS_COMPLETE_...                       */
  bool table;        /* the standard library is that of stdlib.h */
  bool main_open;
  pks_match_names main, absent, unlisted;
  pks_match_names modules; /* those listed and those that follow     */
  pks_match_module *module;
  pks_match_names distributions; /* normalised names                       */
  pks_span *distribution_version;
  pks_match_extension *extension; /* by code                                */
  uint32_t extensions;
  pks_match_micro micro[PKS_MATCH_MICROS];
  uint32_t micros;
} pks_match_facts;

/* The public pks_target. */
typedef struct pks_target pks_match_target;
struct pks_target {
  pks_mem mem; /* first, for base_object */
  pks_document document;
  pks_arena arena; /* of the facts */
  pks_match_facts facts;
  bool quick;                           /* has no id       */
  char implementation[25];              /* as a C string   */
  char name[48];                        /* "cpython-3.12"  */
  char id[7 + 2 * PKS_SHA256_SIZE + 1]; /* "sha256:..."    */
};

/* ---- making one --------------------------------------------------------------------------------------
 *
 * All give PKS_OK or an error, also in *error (may be NULL): E_PYTHON no such built-in target, E_FINGERPRINT
 * malformed (offset), E_FORMAT a newer major of the format, E_USAGE, E_NO_MEMORY, E_LIMIT_MEMORY. After an
 * error a target can only be freed. */

pks_status pks_match_target_named(const pks_alloc *alloc, const char *name,
                                  pks_match_target **target, pks_error *error);
pks_status pks_match_target_read(const pks_alloc *alloc, const void *data, size_t size,
                                 pks_match_target **target, pks_error *error);
/* The same without an id, which takes a third of the time: for thousands that are only compared. */
pks_status pks_match_target_read_quick(const pks_alloc *alloc, const void *data, size_t size,
                                       pks_match_target **target, pks_error *error);
/* What a capture printed (src/capture), in its shortest form: differences from the table alone. */
pks_status pks_match_target_captured(const pks_alloc *alloc, const void *data, size_t size,
                                     pks_match_target **target, pks_error *error);
void pks_match_target_free(pks_match_target *target);

/* Adds a distribution: "NAME==VERSION". */
pks_status pks_match_target_with(pks_match_target *target, const char *distribution,
                                 pks_error *error);
/* Closes the third-party world: what is not listed or added is not there. */
pks_status pks_match_target_bare(pks_match_target *target, pks_error *error);

/* How it will be read. NULL and PKS_ANSWER_UNKNOWN leave what the document says. */
typedef struct pks_match_loading {
  const char *loader, *encoding, *errors;
  pks_answer buffers, persistent_load;
} pks_match_loading;
pks_status pks_match_target_loading(pks_match_target *target, const pks_match_loading *loading,
                                    pks_error *error);

/* The document in canonical form. */
void pks_match_target_write(const pks_match_target *target, pks_document_write_fn write,
                            void *user);

/* ---- questions ---------------------------------------------------------------------------------------- */

/* X(NAME, why the answer is what it is). */
#define PKS_MATCH_WHY_MAP(X)                                                              \
  X(NOTHING, "nothing is known")                                                          \
  X(LISTED, "the fingerprint lists it")                                                   \
  X(IMPLIED, "the fingerprint lists a module in it")                                      \
  X(STDLIB, "the standard library of this version has it")                                \
  X(DISTRIBUTION, "an installed distribution brings it")                                  \
  X(SERIALIZER, "this version of the serializer has it")                                  \
  X(MODULE_OBJECT, "every module object has it")                                          \
  X(OBJECT, "every object has it")                                                        \
  X(LOADER, "the loader answers it")                                                      \
  X(EMPTY, "an empty name is never found")                                                \
  X(LOCALS, "a name inside a function cannot be looked up")                               \
  X(PLAIN_NAME, "below protocol 4 a dotted name is one name, which no module has")        \
  X(MAIN, "the entry script is always there")                                             \
  X(MAIN_LISTED, "the entry script defines it")                                           \
  X(MAIN_OPEN, "the entry script decides")                                                \
  X(MAIN_CLOSED, "the entry script does not define it")                                   \
  X(ABSENT_LISTED, "the fingerprint lists it as absent")                                  \
  X(CLOSED_TOP_LEVEL, "it is not among the top-level modules, which are all listed")      \
  X(CLOSED_MODULES, "it is not among the modules, which are all listed")                  \
  X(NOT_A_PACKAGE, "the module that should hold it is not a package")                     \
  X(NOT_IN_VERSION, "the standard library of this version does not have it")              \
  X(NOT_IN_MICRO, "it came with a later micro version")                                   \
  X(NOT_IN_SERIALIZER, "this version of the serializer does not have it")                 \
  X(BROKEN_IMPORT, "the installed version does not import on this Python")                \
  X(UNSURE_IMPORT, "the installed version may not import on this implementation")         \
  X(IN_RELEASE, "the installed release of its library has it")                            \
  X(NOT_IN_RELEASE, "the installed release of its library does not have it")              \
  X(LINE_END, "its name has a line end in it: the payload was copied as text")            \
  X(REFUSED_IMPORT, "it is there, but its import was refused or brought no names")        \
  X(NOT_IN_MODULE, "the module does not have it")                                         \
  X(NOT_IN_CLASS, "the class does not have it")                                           \
  X(MICRO_OPEN, "it depends on the micro version, which is not said")                     \
  X(PLATFORM, "it depends on the platform")                                               \
  X(NOT_CAPTURED, "the tables leave this part of the standard library out")               \
  X(NO_TABLE, "there is no table of this Python's standard library")                      \
  X(BARE_NAME, "an extension module that was compiled under this bare name may bring it") \
  X(OPEN_WORLD, "nothing is known of third-party modules there")                          \
  X(UNLISTED, "an installed distribution may bring it")                                   \
  X(OPEN_PACKAGE, "the submodules of this package are not all listed")                    \
  X(OPEN_MODULE, "the module's names are not all listed")                                 \
  X(NAMES_NOT_CAPTURED, "the module's names are not listed")                              \
  X(SUBMODULE, "a submodule is an attribute only once it has been imported")              \
  X(MEMBER, "what is inside the object is not listed")                                    \
  X(NO_EXTENSION, "the code is not registered there")                                     \
  X(OPEN_EXTENSIONS, "the extension codes are not all listed")

typedef enum pks_match_why {
#define X(name, text) PKS_WHY_##name,
  PKS_MATCH_WHY_MAP(X)
#undef X
      PKS_WHY_COUNT
} pks_match_why;

/* "NOT_IN_VERSION" and its sentence. Static. */
const char *pks_match_why_name(pks_match_why why);
const char *pks_match_why_text(pks_match_why why);

typedef struct pks_match_answer {
  pks_answer value;
  pks_match_why why;
  uint32_t part;  /* how many bytes of the module's name decided: "a.b" of "a.b.c"        */
  bool attribute; /* the module is there (or given up on): the attribute decided          */
} pks_match_answer;

/* Can `module` be imported there? */
pks_match_answer pks_match_has_module(const pks_match_target *target, pks_span module);

/* Can (module, name) be looked up there? dotted: dots part attributes (protocol 4 and later). */
pks_match_answer pks_match_has_attribute(const pks_match_target *target, pks_span module,
                                         pks_span name, bool dotted);

/* Is the extension code registered? YES: *module and *name are set. */
pks_match_answer pks_match_has_extension(const pks_match_target *target, uint32_t code,
                                         pks_span *module, pks_span *name);

/* A helper of a serializer: how many arguments it takes there. */
#define PKS_ARGUMENTS_ANY 254u
typedef struct pks_match_helper {
  pks_serializer library;
  const char *version; /* "3.1.2"; NULL: not known                                       */
  uint8_t least, most; /* most PKS_ARGUMENTS_ANY: no limit                               */
  bool signature;      /* least and most are known; least > most: no number works        */
} pks_match_helper;
/* value YES: it is there, *helper is filled; NO: it is not; UNKNOWN: no such module, version or name. */
pks_match_answer pks_match_has_helper(const pks_match_target *target, pks_span module,
                                      pks_span name, pks_match_helper *helper);

/* The argument of a helper that looks it up in `types` (_builtin_type, _load_type). */
pks_match_answer pks_match_has_type(const pks_match_target *target, pks_span helper_module,
                                    pks_span name);

/* Does the loader look the name up at all? NO: it has a list of names, and this one is not in it. */
pks_answer pks_match_allows(const pks_match_target *target, pks_span module, pks_span name);

/* ---- hints ----------------------------------------------------------------------------------------------- */

/* The module in which the target's standard library has what other versions have as (module, name); size
 * 0: none is known. */
pks_span pks_match_moved(const pks_match_target *target, pks_span module, pks_span name);

/* Built-in CPythons that have (module, name), name size 0: the module: versions *first .. *last.
 * False: none. */
bool pks_match_span_of(pks_span module, pks_span name, unsigned *first, unsigned *last);

/* The releases of a library that have (module, name), or the module: those in [since, before); "": no bound.
 * False: not known, or all have it. */
typedef struct pks_match_releases {
  const char *distribution, *since, *before;
} pks_match_releases;
bool pks_match_releases_of(pks_span module, pks_span name, pks_match_releases *out);

/* A distribution that brings the module's top level; size 0: none is known. */
pks_span pks_match_provider(pks_span module);

/* Version of an installed distribution (any spelling); size 0: not installed, or not listed. */
pks_span pks_match_distribution(const pks_match_target *target, pks_span distribution);

#endif
