/* facts/facts.h - what machine and code report, deduplicated, in payload order.
 *
 * The public pks_inspector is the struct below: machine, names that survive resets, and the records of
 * one payload. */
#ifndef PKS_FACTS_FACTS_H
#define PKS_FACTS_FACTS_H

#include "base/arena.h"
#include "code/list.h"
#include "code/marshal.h"
#include "machine/machine.h"

#define PKS_NO_INDEX UINT32_MAX

/* What a known helper does with its arguments (helpers.def). */
typedef enum pks_role {
  PKS_ROLE_NONE = 0,
  PKS_ROLE_IMPORT,
  PKS_ROLE_TYPES,
  PKS_ROLE_FUNCTION,
  PKS_ROLE_MAKE_FUNCTION, /* the same, by cloudpickle 2.1 and later */
  PKS_ROLE_SET_FUNCTION,
  PKS_ROLE_CLASS_META,
  PKS_ROLE_CLASS_TYPE,
  PKS_ROLE_ENUM,
  PKS_ROLE_NAMEDTUPLE,
  PKS_ROLE_SET_CLASS,
  PKS_ROLE_MODULE,
  PKS_ROLE_CODE,
  PKS_ROLE_GETATTR,
  PKS_ROLE_GETATTR_OR,
  PKS_ROLE_SETATTR,
  PKS_ROLE_PARTIAL,
  PKS_ROLE_SET,
  PKS_ROLE_CELL,
  PKS_ROLE_ENCODE,
  PKS_ROLE_BYTES,
  PKS_ROLE_OR,
  PKS_ROLE_FOLD,
  PKS_ROLE_MARSHAL,
  PKS_ROLE_NEW,         /* copyreg.__newobj__, __newobj_ex__: an object of a class */
  PKS_ROLE_RECONSTRUCT, /* copyreg._reconstructor: the same, past its __new__ */
  PKS_ROLE_IMPORT_DOTTED,
  PKS_ROLE_POSIX,
  PKS_ROLE_WINDOWS,
  PKS_ROLE_DTYPE,
  PKS_ROLE_RANDOM,
  PKS_ROLE_NEW_BLOCK,
  PKS_ROLE_CHECKSUM /* __pyx_unpickle_...: known by how its name begins */
} pks_role;

typedef enum pks_library {
  PKS_LIBRARY_NONE = 0,
  PKS_LIBRARY_CLOUDPICKLE,
  PKS_LIBRARY_DILL,
  PKS_LIBRARY_BUILTINS,
  PKS_LIBRARY_TYPES,
  PKS_LIBRARY_PYPY,
  PKS_LIBRARY_CODECS,
  PKS_LIBRARY_COPYREG,
  PKS_LIBRARY_OPERATOR,
  PKS_LIBRARY_FUNCTOOLS,
  PKS_LIBRARY_MARSHAL,
  PKS_LIBRARY_IMPORTLIB,
  PKS_LIBRARY_PATHLIB,
  PKS_LIBRARY_NUMPY,
  PKS_LIBRARY_NUMPY_RANDOM,
  PKS_LIBRARY_PANDAS_BLOCKS
} pks_library;

/* What is known of the result of a call, beside the call: bits 32-39 of an OBJECT's payload. */
typedef enum pks_special {
  PKS_SPECIAL_NONE = 0,
  PKS_SPECIAL_CODE_TYPE, /* types.CodeType, got by name */
  PKS_SPECIAL_FUNCTION_TYPE,
  PKS_SPECIAL_CELL_TYPE,
  PKS_SPECIAL_CODE,  /* bits 0-31: index of the code record */
  PKS_SPECIAL_BYTES, /* bits 0-31: serial of the pks_encoded */
  PKS_SPECIAL_FUNCTION,
  PKS_SPECIAL_CLASS,    /* bits 0-31: index of the class record */
  PKS_SPECIAL_INSTANCE, /* the same: an object of that class */
  PKS_SPECIAL_MODULE,
  PKS_SPECIAL_DTYPE,        /* numpy.dtype */
  PKS_SPECIAL_WRAPPER_TYPE, /* a class of methods that CPython makes no objects of */
  PKS_SPECIAL_SETTER,       /* getattr(dill's module, "_setattr", setattr) */
  PKS_SPECIAL_ITEMGETTER,   /* dill's ItemGetterType, AttrGetterType */
  PKS_SPECIAL_ATTRGETTER
} pks_special;

static inline pks_value pks_object(uint32_t index, pks_special special, unsigned library) {
  return pks_make(PKS_V_OBJECT,
                  (uint64_t)index | (uint64_t)special << 32 | (uint64_t)library << 40);
}
/* A module that a helper imports: also where its record is, if that is among the first ones. */
static inline pks_value pks_object_module(uint32_t call, unsigned library, size_t module) {
  uint64_t place = module < 255 ? (uint64_t)module + 1 : 0;
  return pks_object(call, PKS_SPECIAL_MODULE, library) | place << (8 + 48);
}
static inline size_t pks_object_place(pks_value v) { return (size_t)(v >> (8 + 48)); } /* 0: no */
/* An object that is made in a form of forms.c. */
static inline pks_value pks_object_formed(pks_value v, unsigned form) {
  return v | (pks_value)form << (8 + 48);
}
static inline uint32_t pks_object_index(pks_value v) { return (uint32_t)pks_payload(v); }
static inline pks_special pks_object_special(pks_value v) {
  return (pks_special)(pks_payload(v) >> 32 & 0xff);
}
static inline unsigned pks_object_library(pks_value v) {
  return (unsigned)(pks_payload(v) >> 40 & 0xff);
}

/* A (module, name) that was looked up once; survives resets. */
typedef struct pks_name {
  uint64_t hash;
  const uint8_t *text; /* module, then name, as spelled */
  uint32_t module_size, name_size;
  const char *py2_module, *py2_name; /* NULL: not mapped */
  uint32_t epoch, record;            /* of the payload that saw it last */
  uint32_t next;                     /* the name that was looked up after it the last time */
  uint8_t flags;                     /* PKS_NAME_... */
  uint8_t role, library, watch;      /* watch: PKS_USE_... of uses.c */
  bool was_mapped;                   /* by some Pythons, but not by all */
  uint16_t forms;                    /* its first row of forms.def, plus 1 */
  uint8_t lacks;                     /* its first USE_LACK, plus 1 */
} pks_name;
#define PKS_NAME_PY2 1u       /* looked up while the protocol was below 3 */
#define PKS_NAME_UNCERTAIN 2u /* computed or unreadable */
#define PKS_NAME_ARGUMENT 4u  /* hidden in a helper's argument */
#define PKS_NAME_PYTHON2 8u   /* looked up by Python 2 itself: not mapped */
#define PKS_NAME_TIX 16u      /* below protocol 3: PKS_RULE_TIX holds, */
#define PKS_NAME_CGI 32u      /* PKS_RULE_CGI holds */

#define PKS_VIAS 5 /* REDUCE NEWOBJ NEWOBJ_EX OBJ INST */

typedef struct pks_global_record {
  uint64_t offset, count, pushes, uses;
  uint32_t name;
  uint32_t calls[PKS_VIAS]; /* index + 1 */
  uint32_t helper;          /* global whose argument it is, plus 1 */
  uint8_t used, via;        /* via: opcode, 0 for an argument */
  bool dotted;              /* a lookup while the protocol was 4 or later: dots walk attributes */
  bool instance;            /* it is asked of an object of the class, which may have it by itself */
} pks_global_record;

typedef struct pks_call_record {
  uint64_t offset, count;
  uint32_t global, result_of;
  uint32_t calls[PKS_VIAS]; /* of its result */
  uint8_t via, depth;
  uint8_t arguments; /* of the first call of a global, plus 1; 0: not known, or more than 254 */
} pks_call_record;

/* Arguments of a code object that are numbers; -1: not known. */
typedef struct pks_code_numbers {
  int64_t flags, argcount, posonly, kwonly, nlocals, stacksize;
} pks_code_numbers;

typedef struct pks_code_record {
  uint64_t offset;
  const char *how;
  int arguments;
  pks_span name, qualname, file, bytecode;
  int64_t line;
  pks_code_set set, pypy;
  uint16_t conflicts;
  uint32_t given_magic;
  pks_candidates kind;
  bool broken_call, refused, pypy_differs;
  const uint16_t *magic;
  const char *const *python;
  size_t magic_count;
  pks_import *imports;
  size_t import_count;
  const pks_span *globals;
  size_t global_count;
  pks_code_numbers numbers;
  uint32_t child, sibling; /* code objects among its constants; or PKS_NO_INDEX. Kept only where it
                              matters, in payloads with relative imports */
  bool owned;              /* it is somebody's child */
  bool relative, packaged; /* has such imports; they have been resolved */
  /* For listings: the arguments (options.listings), or the marshal stream and its place in it. */
  const pks_code_value *args;
  pks_span stream;
  size_t ordinal;
  unsigned flags;
} pks_code_record;

/* A code object that was found. */
typedef struct pks_code_given {
  uint64_t offset;
  const char *how;
  const pks_code_value *args; /* NULL: they are out of sight */
  size_t argc;
  uint64_t text_size; /* bytes of all texts among args; 0: not counted yet */
  unsigned flags;     /* of pks_code_inspect */
  uint16_t magic;     /* given, or 0 */
  uint32_t base;      /* record of the code object that constants call number 0 */
  pks_span stream;    /* the marshal stream that it is in */
  size_t ordinal;     /* which one there */
} pks_code_given;

/* A class by value. hooks: methods of its dict that loading an object of it may call. */
typedef struct pks_class_record {
  uint32_t call;      /* that made it */
  uint32_t instance;  /* call that made the newest object of it, or PKS_NO_INDEX */
  uint32_t hooks;     /* PKS_HOOK_...: by value, its own or inherited */
  uint32_t masked;    /* PKS_HOOK_...: named by reference: no code of the payload */
  uint32_t metaclass; /* class record, or PKS_NO_INDEX */
  bool is_enum;       /* calling it looks a member up */
} pks_class_record;
#define PKS_HOOK_MAP(X)                 \
  X(SETSTATE, "__setstate__")           \
  X(NEW, "__new__")                     \
  X(INIT, "__init__")                   \
  X(HASH, "__hash__")                   \
  X(CALL, "__call__")                   \
  X(GETATTR, "__getattr__")             \
  X(GETATTRIBUTE, "__getattribute__")   \
  X(SETATTR, "__setattr__")             \
  X(SETITEM, "__setitem__")             \
  X(SET_NAME, "__set_name__")           \
  X(INIT_SUBCLASS, "__init_subclass__") \
  X(PREPARE, "__prepare__")             \
  X(APPEND, "append")                   \
  X(EXTEND, "extend")                   \
  X(ADD, "add")
enum {
#define X(id, name) PKS_HOOK_INDEX_##id,
  PKS_HOOK_MAP(X)
#undef X
};
enum {
#define X(id, name) PKS_HOOK_##id = 1 << PKS_HOOK_INDEX_##id,
  PKS_HOOK_MAP(X)
#undef X
};

/* Bytes that _codecs.encode(text, "latin1") makes; the newest are kept. */
#define PKS_ENCODED 256
typedef struct pks_encoded {
  pks_value text;
  uint32_t call, serial;
} pks_encoded;

typedef struct pks_module_record {
  pks_module_kind kind;
  pks_span name;
  uint64_t offset;
  bool dotted; /* may also be what is in a module: dill tries */
} pks_module_record;

/* What says more than a name (traits.def). */
typedef enum pks_trait {
#define TRAIT(id, text) PKS_TRAIT_##id,
#include "facts/traits.def"
#undef TRAIT
  PKS_TRAIT_COUNT
} pks_trait;

typedef struct pks_trait_record {
  uint64_t offset; /* of the first */
  pks_span value;  /* data NULL: none */
  uint32_t global; /* that is called, or PKS_NO_INDEX */
  bool seen;
} pks_trait_record;

/* A use of a standard library class that not every version takes (uses.c). */
enum {
  PKS_USE_VALUE = 1,
  PKS_USE_ARITY = 2,
  PKS_USE_OLD = 4,
  PKS_USE_SLOT = 8,
  PKS_USE_FORM = 16,
  PKS_USE_LACK = 32
};
typedef struct pks_use_record {
  uint64_t offset;
  pks_span value;  /* VALUE: of the member, in decimal when it is a number; SLOT: its name */
  uint32_t global; /* FORM: PKS_NO_INDEX, or as the others */
  uint32_t count;  /* ARITY: arguments; FORM: number of its row */
  uint8_t use;
} pks_use_record;

typedef struct pks_extension_record {
  uint64_t offset;
  uint32_t code;
} pks_extension_record;

typedef struct pks_event_record {
  uint64_t offset;
  uint32_t index;
  uint8_t kind;
} pks_event_record;

/* dict[key] = value for a key that says where something comes from. The newest are kept. */
#define PKS_ITEMS 256
typedef struct pks_item {
  uint64_t dict;
  pks_value value;
  uint8_t key; /* PKS_KEY_... */
} pks_item;
enum {
  PKS_KEY_NONE,
  PKS_KEY_NAME,
  PKS_KEY_PACKAGE,
  PKS_KEY_MODULE,
  PKS_KEY_HOOK, /* value: the hook's bit */
  PKS_KEY_SLOT, /* value: which slot of uses.c */
  PKS_KEY_MASK  /* the same, of a hook that is named by reference */
};

/* A tuple still to be turned into code values. */
typedef struct pks_code_work {
  pks_code_value *to;
  pks_value tuple;
  unsigned depth;
} pks_code_work;

/* A payload that is no pickle. */
typedef struct pks_code_file {
  pks_payload_format format;
  pks_code_pyc pyc;
  pks_status status; /* PKS_END, or why it was not read */
  uint64_t offset;
  const char *text;
  uint64_t end;
} pks_code_file;

struct pks_inspector {
  pks_mem mem; /* first: pks_base_object_new */
  pks_machine machine;
  pks_limits limits;
  pks_options options;
  char encoding[32], errors[32];

  pks_vec names; /* of pks_name */
  uint32_t *buckets;
  size_t bucket_count;
  pks_arena name_text;
  uint64_t seed;
  uint32_t epoch;
  uint32_t first_name,
      last_name; /* looked up in a payload: a guess; the last one, or PKS_NO_INDEX */

  pks_arena text; /* of this payload */
  pks_vec globals, calls, codes, modules, extensions, events, classes, uses;
  bool load_calls; /* loading itself calls code that the payload carries */
  uint64_t load_calls_offset;
  uint64_t assumed_offset[PKS_ASSUME_COUNT], assumed_count[PKS_ASSUME_COUNT];
  uint64_t persistent_ids, buffers;
  uint64_t persid_offset, buffer_offset; /* of the first */
  uint64_t encoding_offset;
  bool encoding_needed;
  bool modern_cloudpickle; /* _make_function was looked up: 2.1 or later */
  pks_trait_record traits[PKS_TRAIT_COUNT];
  unsigned trait_count; /* that were seen */
  pks_encoded encoded[PKS_ENCODED];
  uint32_t encoded_count;
  pks_code_scratch scratch;
  pks_arena code_text; /* of the code object at hand */
  pks_vec code_work, code_later;
  pks_code_marshal marshal;
  bool relative_imports;   /* a code object has some */
  uint64_t code_work_done; /* pks_facts_spend */
  uint64_t code_size;      /* of a payload that is no pickle */
  uint64_t serial;         /* of the payload */
  pks_code_file file;
  pks_code_join join;
  pks_code_set joint_set;                  /* that the next two are of, */
  uint32_t joint_given;                    /* with this magic number given, or 0 */
  uint16_t joint_magic[PKS_CODE_VERSIONS]; /* what all code objects can be */
  const char *joint_python[PKS_CODE_VERSIONS];
  pks_item items[PKS_ITEMS];
  size_t item_count;

  pks_vec
      others; /* of pks_other: inspectors that read the payload in other ways; they survive resets */
  size_t reading_count; /* those at the start of `others` that found something else */
  uint64_t again_left;  /* bytes that may be read again */
  bool compared;        /* the payload was read in all ways */
  bool is_other;        /* this is one of those */
};

typedef struct pks_other {
  pks_inspector *inspector;
  const char *profile;
} pks_other;

extern const pks_hooks pks_facts_hooks;

/* names.c */
/* The record of a name of this payload, made when new; PKS_NO_INDEX: no memory (machine.fail). */
uint32_t pks_facts_global(pks_inspector *f, pks_span module, pks_span name, unsigned flags, int via,
                          uint64_t offset);
void pks_facts_names_reset(pks_inspector *f);
void pks_facts_names_free(pks_inspector *f);
void pks_facts_name_spans(const pks_name *name, pks_span *module, pks_span *text);

/* helpers.c: what the arguments of a known callee say. Returns what stands for the result. */
pks_value pks_facts_helper(pks_inspector *f, unsigned library, unsigned role, pks_value args,
                           uint32_t call, uint64_t offset);

/* setattr(object, name, value); call: of what stands for setattr. */
void pks_facts_set_attribute(pks_inspector *f, pks_value args, uint32_t call, uint64_t offset);

/* traits.c */
void pks_facts_trait(pks_inspector *f, pks_trait trait, pks_span value, uint32_t call,
                     uint64_t offset);
/* The argument says which convention its writer has. */
void pks_facts_random(pks_inspector *f, pks_value generator, size_t count, uint32_t call,
                      uint64_t offset);
/* The state of a numpy.dtype. */
void pks_facts_dtype(pks_inspector *f, pks_value dtype, pks_value state, uint64_t offset);
/* dict[key] = value, where rules know the key. */
void pks_facts_stamp(pks_inspector *f, pks_span key, pks_value value, uint64_t dict);

/* uses.c */
unsigned pks_facts_watch(pks_span module, pks_span name);
unsigned pks_facts_slot(pks_span name);
void pks_facts_slots_set(pks_inspector *f, pks_value object, pks_value state, uint64_t offset);
/* Keeps a use that is not among the newest. */
void pks_facts_add_use(pks_inspector *f, pks_use_record use);

/* forms.c: a row of forms.def. load, run, open: versions in which loading fails, or gives another object than
 * was written, or one that lacks something. */
typedef struct pks_form {
  const char *module, *name, *form;
  uint16_t state, states; /* rows of its states */
  uint16_t load, run, open;
} pks_form;
#define PKS_FORM_LACKS 192u /* places from here on: rows of USE_LACK */
const pks_form *pks_facts_form(size_t number);
unsigned pks_facts_forms_of(pks_span module, pks_span name);
/* op as below; first: of the arguments. What belongs to the object's place (pks_object_place). */
unsigned pks_facts_form_new(pks_inspector *f, uint32_t global, int op, pks_value args, size_t first,
                            uint64_t offset);
void pks_facts_form_named(pks_inspector *f, pks_span module, pks_span name, size_t count,
                          uint64_t offset);
void pks_facts_form_state(pks_inspector *f, pks_value object, pks_value state, uint64_t offset);

typedef struct pks_lack {
  const char *module, *name, *key;
  uint16_t versions;
} pks_lack;
const pks_lack *pks_facts_lack(size_t number);
unsigned pks_facts_lacks_of(pks_span module, pks_span name);
void pks_facts_lacks(pks_inspector *f, size_t first, pks_value state, uint64_t offset);
void pks_facts_items_set(pks_inspector *f, size_t first, uint64_t count, uint64_t offset);

/* op: of the call; BUILD: copyreg._reconstructor. */
void pks_facts_used(pks_inspector *f, uint32_t global, unsigned watch, int op, pks_value args,
                    uint64_t offset);

/* classes.c: classes by value, and what loading calls of them. */
pks_value pks_facts_class(pks_inspector *f, uint32_t call, pks_value metaclass, pks_value bases,
                          pks_value dict, unsigned maker, uint64_t offset);
void pks_facts_class_state(pks_inspector *f, pks_value class, pks_value state, uint64_t offset);
pks_value pks_facts_instance(pks_inspector *f, int op, pks_value class, uint32_t call,
                             uint64_t offset);
uint32_t pks_facts_hook_named(pks_span name);
/* What a class by value is made by. */
typedef enum pks_maker {
  PKS_MAKER_SKELETON, /* cloudpickle: the class is empty, and attributes are set later */
  PKS_MAKER_WHOLE,    /* type(name, bases, dict) and dill: with all it has */
  PKS_MAKER_ENUM      /* cloudpickle: with its members */
} pks_maker;
/* The object is used so that Python calls one of `hooks`, when its class has it. */
void pks_facts_hooks_called(pks_inspector *f, pks_value object, uint32_t hooks, uint64_t offset);
void pks_facts_built(pks_inspector *f, pks_value object, pks_value state, uint64_t offset);
void pks_facts_some_hashed(pks_inspector *f, uint64_t offset);
void pks_facts_attribute_set(pks_inspector *f, pks_value object, uint64_t offset);
void pks_facts_hashed(pks_inspector *f, pks_value object, uint64_t offset);
bool pks_facts_is_by_value(const pks_inspector *f, pks_value method);
void pks_facts_load_calls(pks_inspector *f, uint64_t offset);

/* codes.c: the arguments of a code constructor. */
pks_value pks_facts_code(pks_inspector *f, unsigned library, pks_value args, uint64_t offset);
/* The bytes that encoding a text as Latin-1 makes; false: it has other characters, or no memory. */
bool pks_facts_latin1(pks_inspector *f, pks_value text, pks_span *out);
bool pks_facts_encoded(pks_inspector *f, pks_value object, pks_span *out);

/* code_records.c */
/* Keeps what the code room says; the record's index, or PKS_NO_INDEX (machine.fail). */
uint32_t pks_facts_code_record(pks_inspector *f, const pks_code_given *given);
/* A function of this code object, by value, belongs to this package: what its relative imports mean. */
void pks_facts_package(pks_inspector *f, uint32_t code, pks_span package);
/* Counts work that the size of the payload does not bound, as objects can be named many times. False:
 * it is too much for what was read up to `offset`, and is not done. */
#define PKS_FREE_WORK ((uint64_t)4 << 20)
bool pks_facts_overspent(pks_inspector *f, uint64_t offset);
static inline bool pks_facts_spend(pks_inspector *f, uint64_t amount, uint64_t offset) {
  f->code_work_done += amount;
  return f->code_work_done <= PKS_FREE_WORK || !pks_facts_overspent(f, offset);
}

/* marshalled.c: marshal.loads(bytes) inside a pickle; code outside one. */
pks_value pks_facts_marshal(pks_inspector *f, pks_value data, uint32_t call, uint64_t offset);
pks_status pks_facts_code_file(pks_inspector *f, pks_payload_format format, pks_span data);
bool pks_facts_get_pyc(const pks_inspector *f, pks_pyc *out);

/* The global or call behind an opaque value; false: neither. */
bool pks_facts_origin(const pks_inspector *f, pks_value v, uint32_t *global, uint32_t *call);

/* A text of a value that lives until reset; size 0 and data NULL when it is not readable. */
pks_span pks_facts_any_text(pks_inspector *f, pks_value v);
static inline pks_span pks_facts_text(pks_inspector *f, pks_value v) {
  pks_span text;
  return pks_machine_short_text(&f->machine, v, &text) ? text : pks_facts_any_text(f, v);
}
void pks_facts_fail(pks_inspector *f);
/* Something is not known because of this limit, at this opcode: the summary says so. */
void pks_facts_limit(pks_inspector *f, pks_status limit, uint64_t offset);
void pks_facts_module(pks_inspector *f, pks_module_kind kind, pks_span name, uint64_t offset);

/* query.c: records as the public structs (their size fields are the caller's to set). */
void pks_facts_error(const pks_inspector *f, pks_error *error);
void pks_facts_summary(const pks_inspector *f, pks_summary *out);
bool pks_facts_get_global(const pks_inspector *f, size_t index, pks_global *out);
bool pks_facts_get_call(const pks_inspector *f, size_t index, pks_call *out);
bool pks_facts_get_code(const pks_inspector *f, size_t index, pks_code *out);
bool pks_facts_bytecode(const pks_inspector *f, pks_code *out);
bool pks_facts_get_module(const pks_inspector *f, size_t index, pks_module *out);
bool pks_facts_get_event(const pks_inspector *f, size_t index, pks_event *out);
bool pks_facts_get_assumption(const pks_inspector *f, size_t index, pks_assumption *out);

/* readings.c: a payload that lies whole, and was read, once more in other ways, if they may differ. */
void pks_facts_read_others(pks_inspector *f, const uint8_t *data, size_t size);
bool pks_facts_others_end(const pks_inspector *f); /* does one of them come to STOP? */
void pks_facts_others_free(pks_inspector *f);
const pks_inspector *pks_facts_get_reading(const pks_inspector *f, size_t index,
                                           pks_other_reading *out);

/* inspect.c */
pks_status pks_facts_whole(pks_inspector *f, const uint8_t *data, size_t size, size_t *consumed);
pks_status pks_facts_feed(pks_inspector *f, pks_input *in);
pks_status pks_facts_finish(pks_inspector *f);
pks_inspector *pks_facts_new(const pks_options *options, const pks_limits *limits,
                             const pks_alloc *alloc);
pks_status pks_facts_set_options(pks_inspector *f, const pks_options *options);
void pks_facts_reset(pks_inspector *f);
void pks_facts_free(pks_inspector *f);

#endif
