/* picklesight.h - learn what a serialized Python payload needs, without ever running it.
 *
 * Levels, each usable alone:
 *   decoder    bytes in any cut -> one opcode out
 *   inspector  bytes -> facts: names looked up, calls, code objects, buffers, persistent ids
 *   report     facts -> text or JSON
 *
 * Threads    No global state and no init call. Different objects may be used by different threads
 *            at once; one object by one thread at a time.
 * Ownership  What X_new returns, X_free releases; X_free(NULL) does nothing. Every other pointer
 *            handed out is borrowed, and the function that hands it out says until when.
 * Errors     Functions that can fail return pks_status. Nothing here prints, exits, aborts, calls
 *            setlocale, imports or executes anything a payload names.
 * Structs    Every struct that a caller fills or receives starts with `size`; set it to
 *            sizeof(struct) before the call. Fields past it are neither read nor written.
 * Stability  Before 1.0 the shared library's soname carries major and minor. Values of enums are
 *            pinned: none is reused or renumbered.
 */
#ifndef PICKLESIGHT_H
#define PICKLESIGHT_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__) || defined(__clang__)
#define PKS_API __attribute__((visibility("default")))
#define PKS_MUST __attribute__((warn_unused_result))
#else
#define PKS_API
#define PKS_MUST
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- version ----------------------------------------------------------------------------- */

#define PKS_VERSION_MAJOR 0
#define PKS_VERSION_MINOR 1
#define PKS_VERSION_PATCH 0

/* Version of the library at run time, "0.1.0". Static. Any thread. */
PKS_API const char *pks_version(void);

/* ---- status ------------------------------------------------------------------------------ */

/* X(value, NAME, meaning). Zones: 0-9 progress, 10-39 the payload is malformed, 40-59 a limit was
 * reached (raising it may help), 60-79 something this library does not read, 80-99 the caller or
 * the system. */
#define PKS_STATUS_MAP(X)                                                                \
  X(0, OK, "one more item was delivered, or the call did what it says")                  \
  X(1, NEED_MORE, "all input was taken; give the next bytes")                            \
  X(2, END, "the payload is complete")                                                   \
  X(10, E_TRUNCATED, "the input ends inside the payload")                                \
  X(11, E_OPCODE, "not an opcode of any pickle protocol this reader knows")              \
  X(12, E_ARGUMENT, "an opcode's argument is malformed")                                 \
  X(13, E_FRAME, "a frame does not hold what it says")                                   \
  X(14, E_STACK, "an opcode takes more than the stack holds")                            \
  X(15, E_MARK, "an opcode needs a mark and there is none")                              \
  X(16, E_MEMO, "a memo entry is read before it is written, or its index is no index")   \
  X(17, E_OPERAND, "an opcode cannot apply to what it was given")                        \
  X(18, E_CODE, "a code object is malformed")                                            \
  X(19, E_CONTAINER, "the file around the payload is malformed")                         \
  X(20, E_FINGERPRINT, "the fingerprint is malformed")                                   \
  X(21, E_NEED, "the reader was not given what the payload asks of it")                  \
  X(40, E_LIMIT_OPS, "more opcodes than the limit max_ops")                              \
  X(41, E_LIMIT_DEPTH, "nested deeper than the limit max_depth")                         \
  X(42, E_LIMIT_MEMORY, "more memory than the limit max_memory")                         \
  X(43, E_LIMIT_NAME, "a name longer than the limit max_name")                           \
  X(44, E_LIMIT_KEEP, "more text to keep than the limit max_keep")                       \
  X(45, E_LIMIT_CODE, "more bytecode to keep than the limit max_code")                   \
  X(46, E_LIMIT_OUTPUT, "a container inflates past the limit max_output")                \
  X(47, E_LIMIT_FRAME, "a frame longer than the limit max_frame whose end was not seen") \
  X(48, E_LIMIT_AGAIN, "more bytes to read again than the limit max_again")              \
  X(49, E_LIMIT_ITEMS, "a tuple's items are asked for after more than are kept")         \
  X(60, E_PROTOCOL, "a pickle protocol newer than this reader")                          \
  X(61, E_PYTHON, "a Python this library has no table for")                              \
  X(62, E_FORMAT, "a container or fingerprint format that is not supported")             \
  X(80, E_NO_MEMORY, "the allocator returned no memory")                                 \
  X(81, E_IO, "reading or writing failed")                                               \
  X(82, E_USAGE, "a call out of order or with a bad argument")

typedef enum pks_status {
#define X(value, name, text) PKS_##name = value,
  PKS_STATUS_MAP(X)
#undef X
      PKS_STATUS_LAST = 99
} pks_status;

typedef enum pks_status_class {
  PKS_CLASS_PROGRESS = 0,
  PKS_CLASS_MALFORMED = 1,
  PKS_CLASS_LIMIT = 2,
  PKS_CLASS_UNSUPPORTED = 3,
  PKS_CLASS_SYSTEM = 4
} pks_status_class;

/* "E_STACK" and the sentence above. Static, never NULL, also for a number that is no status. */
PKS_API const char *pks_status_name(pks_status status);
PKS_API const char *pks_status_text(pks_status status);
PKS_API pks_status_class pks_status_classify(pks_status status);

/* Why a payload could not be read on. */
typedef struct pks_error {
  size_t size;
  pks_status status;     /* PKS_OK: no error                                                  */
  uint64_t offset;       /* of the first byte of the opcode at fault, from the pickle's start */
  const char *opcode;    /* its name as in CPython, or NULL. Static                           */
  const char *exception; /* Python exception CPython's unpickler raises there, or NULL. Static */
  const char *text;      /* one sentence. Static, never NULL                                  */
  uint64_t stored; /* of a file around the payload: where in its bytes, compressed as they are,
                            what is wrong was met; 0: not known, or nothing was read        */
} pks_error;

/* ---- memory and limits --------------------------------------------------------------------- */

/* One function does all: size 0 frees ptr and returns NULL; else as realloc (ptr NULL: malloc).
 * old_size is always exact. It may return NULL. Called by the thread that uses the object. */
typedef struct pks_alloc {
  void *(*resize)(void *user, void *ptr, size_t old_size, size_t size);
  void *user;
} pks_alloc;

/* X(name, default, "what it bounds"). Bytes where it is a size.
 *
 * What max_memory must hold: given whole, at most 16 bytes for each memo entry of the payload and 1 MB;
 * in pieces also the texts that may still become names (up to max_name each and max_keep in all) and the
 * byte strings that may be bytecode (max_code). A payload of 52 MB in small objects, with 5 million memo
 * entries, takes 63 MB whole and 68 MB in pieces, which is over the default of 64 MiB (67.1 MB): for such
 * ones set it higher. The command line's own default is 1 GiB. */
#define PKS_LIMITS_MAP(X)                                                           \
  X(max_memory, 64ull << 20, "bytes that one object may hold at a time")            \
  X(max_ops, UINT64_MAX, "opcodes of one payload")                                  \
  X(max_depth, 1000000, "marks open at a time")                                     \
  X(max_name, 1024, "bytes of a text that may be used as a name")                   \
  X(max_keep, 256ull << 20, "bytes of text kept of a payload that comes in pieces") \
  X(max_code, 16ull << 20, "bytes of byte strings kept of a payload in pieces")     \
  X(max_frame, 1ull << 20, "bytes of a frame read as one from a payload in pieces") \
  X(max_again, 1ull << 30, "bytes of a payload read again as other interpreters do")

typedef struct pks_limits {
  size_t size;
#define X(name, value, text) uint64_t name;
  PKS_LIMITS_MAP(X)
#undef X
} pks_limits;

/* Fills *limits with the defaults; limits->size must be set. Returns PKS_OK or PKS_E_USAGE. */
PKS_API pks_status pks_limits_init(pks_limits *limits);

/* ---- how a payload will be read -------------------------------------------------------------- */

/* What is known of an object that only a run could tell (a lookup's result, a call's ...). */
typedef enum pks_opaque {
  PKS_OPAQUE_UNKNOWN = 0, /* nothing: no check on it fails                                     */
  PKS_OPAQUE_INERT = 1    /* a type object that takes every call and hash, has no-op append,
                             extend, add, __setitem__, __setstate__; no tuple, dict, str, buffer.
                             What nobody said is then not there: an encoding other than ASCII,
                             buffers, persistent_load, extension codes                        */
} pks_opaque;

typedef enum pks_answer {
  PKS_ANSWER_UNKNOWN = 0,
  PKS_ANSWER_NO = 1,
  PKS_ANSWER_YES = 2
} pks_answer;

/* How the unpickler gets at the bytes. An argument that crosses the end of its frame is one thing to
 * pickle.loads and another to pickle.load. */
typedef enum pks_read {
  PKS_READ_WHOLE = 0,  /* pickle.loads(bytes)                                                   */
  PKS_READ_STREAM = 1, /* pickle.load of an object without peek(): io.BytesIO, a socket, a member
                          of a zip archive                                                      */
  PKS_READ_FILE = 2    /* pickle.load(open(path, "rb"))                                         */
} pks_read;

#define PKS_BUFFERS_UNKNOWN (-1) /* nobody said whether buffers= will be given */
#define PKS_BUFFERS_NONE (-2)    /* no buffers= will be given                  */

/* Whose unpickler reads: that of CPython is Modules/_pickle.c, that of PyPy its Lib/pickle.py. */
typedef enum pks_implementation {
  PKS_IMPLEMENTATION_CPYTHON = 0,
  PKS_IMPLEMENTATION_PYPY = 1 /* of a PyPy that reads as Python 3 */
} pks_implementation;

/* Python as 0xMMmmuu: 0x030c01 is 3.12.1; micro 0xff: not known. */
#define PKS_PYTHON(major, minor, micro) \
  (((uint32_t)(major) << 16) | ((uint32_t)(minor) << 8) | (uint32_t)(micro))

typedef struct pks_options {
  size_t size;
  uint32_t python;            /* whose unpickler reads, as PKS_PYTHON(...): any 2 or 3;
                                 default: that of the newest final CPython, 3.14           */
  pks_opaque opaque;          /* default PKS_OPAQUE_UNKNOWN                                 */
  const char *encoding;       /* for Python 2 strings; NULL: not known (then a need). Copied */
  const char *errors;         /* its error handler; NULL: "strict". Copied                  */
  int64_t buffers;            /* how many, or PKS_BUFFERS_...; default PKS_BUFFERS_UNKNOWN  */
  pks_answer persistent_load; /* will there be a persistent_load?                          */
  pks_answer extensions;      /* NO: no extension code is registered                        */
  int events;                 /* keep every lookup and call in order, not only unique ones  */
  pks_read reading;           /* default PKS_READ_WHOLE                                     */
  uint32_t file_buffer;       /* PKS_READ_FILE: size of the file's buffer; 0: that of
                                 io.DEFAULT_BUFFER_SIZE, 8192 and from 3.14 on 131072. Up to
                                 3.13 open() takes the file system's block size, often 4096 */
  int listings;               /* keep what pks_listing_start needs of code objects           */
  pks_implementation implementation; /* default PKS_IMPLEMENTATION_CPYTHON                  */
} pks_options;

/* Fills *options with the defaults; options->size must be set. PKS_OK or PKS_E_USAGE. */
PKS_API pks_status pks_options_init(pks_options *options);

/* ---- level 1: opcodes ------------------------------------------------------------------------ */

/* Bytes. Not NUL-terminated; data may be NULL when size is 0. */
typedef struct pks_span {
  const uint8_t *data;
  size_t size;
} pks_span;

/* Input window: the library moves pos and promises pos <= size. */
typedef struct pks_input {
  const uint8_t *data;
  size_t size;
  size_t pos;
} pks_input;

typedef struct pks_op {
  size_t size;
  uint64_t offset;  /* of the opcode byte, from the first byte fed                           */
  uint8_t byte;     /* the opcode                                                            */
  uint8_t protocol; /* first protocol that has it                                            */
  uint8_t argument; /* kind of argument: a value of pks_argument                             */
  uint8_t clipped;  /* 1: arg has only the first bytes of a counted argument                 */
  const char *name; /* "SHORT_BINUNICODE". Static                                            */
  int64_t number;   /* integer argument; saturated when it needs more than 64 bits           */
  double real;      /* float argument                                                        */
  uint64_t length;  /* bytes of a counted argument, all of it                                */
  pks_span arg;     /* raw bytes of a counted argument or of a line without its newline      */
  pks_span arg2;    /* second line of GLOBAL and INST                                        */
} pks_op;

typedef enum pks_argument {
  PKS_ARGUMENT_NONE = 0,
  PKS_ARGUMENT_NUMBER = 1,
  PKS_ARGUMENT_REAL = 2,
  PKS_ARGUMENT_TEXT = 3,  /* characters: arg is UTF-8 or a line still escaped                 */
  PKS_ARGUMENT_BYTES = 4, /* raw bytes                                                        */
  PKS_ARGUMENT_NAMES = 5  /* arg and arg2                                                     */
} pks_argument;

typedef struct pks_decoder pks_decoder;

/* Makes a decoder. options, limits, alloc may be NULL (defaults; malloc). They are copied.
 * Returns NULL when there is no memory, or no room for it in limits.max_memory, or when options or limits
 * have a size or value that is none. Any thread. */
PKS_API pks_decoder *pks_decoder_new(const pks_options *options, const pks_limits *limits,
                                     const pks_alloc *alloc);
PKS_API void pks_decoder_free(pks_decoder *decoder);

/* Starts over for another payload; memory is kept. */
PKS_API void pks_decoder_reset(pks_decoder *decoder);

/* Delivers at most one opcode. It knows arguments, not the stack.
 *   PKS_OK         *op is filled; its spans live until the next call on decoder, or until the
 *                  input buffer changes.
 *   PKS_NEED_MORE  in->pos == in->size; what is still needed of the input has been copied.
 *   PKS_END        STOP was delivered before; in->pos stays just after it.
 *   else           an error (pks_decoder_error), given again by every call until a reset.
 * Results depend on the bytes alone, not on how they were cut: a counted argument or a line of more
 * than limits.max_name bytes is delivered clipped, the lines of GLOBAL and INST never. */
PKS_API PKS_MUST pks_status pks_decoder_next(pks_decoder *decoder, pks_input *in, pks_op *op);

/* Says that no input follows: PKS_END after STOP, else an error (PKS_E_TRUNCATED, or what
 * CPython finds in the unfinished opcode). */
PKS_API PKS_MUST pks_status pks_decoder_finish(pks_decoder *decoder);
PKS_API void pks_decoder_error(const pks_decoder *decoder, pks_error *error);

/* ---- level 2: facts -------------------------------------------------------------------------- */

typedef struct pks_inspector pks_inspector;

/* Makes an inspector; arguments and result as for pks_decoder_new. */
PKS_API pks_inspector *pks_inspector_new(const pks_options *options, const pks_limits *limits,
                                         const pks_alloc *alloc);
PKS_API void pks_inspector_free(pks_inspector *inspector);

/* Starts over for another payload. Memory, options and limits are kept; every pointer handed out
 * ends. Does not allocate. */
PKS_API void pks_inspector_reset(pks_inspector *inspector);

/* Changes how the next payload will be read; also resets. PKS_OK; PKS_E_USAGE: a size or a value that is
 * none (nothing is changed then); PKS_E_NO_MEMORY. */
PKS_API PKS_MUST pks_status pks_inspector_options(pks_inspector *inspector,
                                                  const pks_options *options);

/* Inspects one payload that lies whole at data. The bytes must stay unchanged until the next reset:
 * facts are views into them. Resets first.
 *   PKS_END   read to STOP; *consumed (may be NULL) is the offset just after it
 *   else      an error (pks_inspector_error); the facts found before it can be read. */
PKS_API PKS_MUST pks_status pks_inspect(pks_inspector *inspector, const void *data, size_t size,
                                        size_t *consumed);

/* Takes the next bytes of a payload that comes in pieces, up to STOP and never past it.
 *   PKS_NEED_MORE  all was taken; PKS_END  STOP was read; else an error, final until a reset. */
PKS_API PKS_MUST pks_status pks_inspector_feed(pks_inspector *inspector, pks_input *in);

/* Says that no input follows: PKS_END after STOP, else an error. */
PKS_API PKS_MUST pks_status pks_inspector_finish(pks_inspector *inspector);
PKS_API void pks_inspector_error(const pks_inspector *inspector, pks_error *error);

/* What a payload is. */
typedef enum pks_payload_format {
  PKS_PAYLOAD_PICKLE = 0,
  PKS_PAYLOAD_MARSHAL = 1, /* what marshal.dumps made of a code object                        */
  PKS_PAYLOAD_PYC = 2      /* a .pyc                                                           */
} pks_payload_format;

/* Inspects code that lies whole at data and in no pickle; as pks_inspect. Of facts there are code
 * objects, with offsets from the first byte. Of a .pyc all is taken; what follows its code is not
 * read by Python either. */
PKS_API PKS_MUST pks_status pks_inspect_code(pks_inspector *inspector, pks_payload_format format,
                                             const void *data, size_t size, size_t *consumed);

/* Counts and flags of the payload read so far. */
typedef struct pks_summary {
  size_t size;
  uint64_t bytes;             /* read, STOP included; not read whole: where the file is left,
                               which can be the end of the last frame                          */
  uint64_t ops;               /* opcodes done                                                    */
  int protocol;               /* argument of the last PROTO, else 0                              */
  int complete;               /* read to STOP within every limit                                 */
  int ambiguous;              /* another interpreter or way of reading reads it differently: it
                                 finds other names, calls, ids or buffers, or does not come to STOP
                                 where this one does. Given in pieces: or may do so              */
  int encoding_needed;        /* holds a Python 2 string with a byte >= 0x80                     */
  uint64_t encoding_offset;   /* of the first such string                                        */
  int load_calls;             /* loading itself calls functions or methods carried by value      */
  uint64_t load_calls_offset; /* of the first opcode that does                                 */
  int min_protocol;           /* lowest protocol whose readers know every opcode used            */
  uint64_t persistent_ids, buffers;
  size_t globals, calls, codes, modules, extensions, events, assumed;
  pks_status limit;          /* a limit that made something unreadable without stopping, or OK  */
  uint64_t peak_memory;      /* bytes held at the peak since the object was made                */
  pks_payload_format format; /* not a pickle: protocol and min_protocol are -1                  */
  size_t readings;           /* of a payload given whole: those that differ                     */
  uint64_t limit_offset; /* of the opcode that met `limit`; where reading ended, when none did  */
} pks_summary;
PKS_API void pks_inspector_summary(const pks_inspector *inspector, pks_summary *summary);

#define PKS_USED_CALL 1u
#define PKS_USED_NEW 2u
#define PKS_USED_BUILD 4u
#define PKS_USED_REFERENCE 8u
#define PKS_USED_BASE 16u
#define PKS_USED_KEY 32u

/* A name that loading looks up. Texts are UTF-8 with surrogatepass, raw: escape before printing. */
typedef struct pks_global {
  size_t size;
  pks_span module, name;                 /* as the unpickler looks it up                       */
  pks_span spelled_module, spelled_name; /* as the payload spells it (Python 2 names differ)   */
  uint64_t offset;                       /* of the first lookup                                */
  uint64_t count;
  uint32_t used;   /* PKS_USED_... bits                                                          */
  int certain;     /* 0: the name is computed or unreadable, and may be another                   */
  const char *via; /* "GLOBAL", "STACK_GLOBAL", "INST", "argument". Static                      */
} pks_global;

/* Each of these fills *out with item `index` (0 .. count-1 of the summary) and returns PKS_OK, or
 * PKS_E_USAGE when there is none. Spans live until reset or free. */
PKS_API pks_status pks_inspector_global(const pks_inspector *inspector, size_t index,
                                        pks_global *out);

typedef struct pks_call {
  size_t size;
  uint64_t offset, count;
  const char *via;  /* "REDUCE", "NEWOBJ", "NEWOBJ_EX", "OBJ", "INST". Static                    */
  size_t global;    /* index of the global that is called, or SIZE_MAX                           */
  size_t result_of; /* when not a global: index of the call whose result is called, or SIZE_MAX */
} pks_call;
PKS_API pks_status pks_inspector_call(const pks_inspector *inspector, size_t index, pks_call *out);

/* How far the Python versions that may have made a code object agree about it. */
typedef enum pks_candidates {
  PKS_CANDIDATES_NONE = 0,  /* no version this library knows                                     */
  PKS_CANDIDATES_EXACT = 1, /* one                                                               */
  PKS_CANDIDATES_EQUIVALENT =
      2, /* several, and every instruction is and means the same in each      */
  PKS_CANDIDATES_CONFLICTING =
      3 /* several that read it differently                                  */
} pks_candidates;

/* An import in the bytecode. */
typedef struct pks_import {
  pks_span module;   /* as written; empty in `from . import x`                                    */
  int level;         /* leading dots; 0: absolute; -1: Python 2, either                           */
  int straight;      /* 1: reached whenever the code runs, before any branch or handler           */
  pks_span absolute; /* the module's full name, where it is known: no dots, or dots in a function
                        whose package the payload says; else data NULL                          */
  const pks_span *names; /* after `from .. import`; "*" is one                                  */
  size_t name_count;
  uint32_t offset; /* of the instruction in the bytecode                                        */
} pks_import;

typedef struct pks_code {
  size_t size;
  uint64_t offset;
  const char *how; /* "cloudpickle", "dill", "types", "pypy", "marshal", "pyc". Static     */
  int arguments;   /* how many the constructor gets                                        */
  pks_span name, qualname, file;
  int64_t line;      /* first line, or -1                                                    */
  pks_span bytecode; /* raw co_code, data NULL when not kept                                 */
  pks_candidates kind;
  const uint16_t *magic; /* candidates: importlib.util.MAGIC_NUMBER[:2] as a number              */
  const char *const *python; /* and their names, "cpython-3.11". Static texts                   */
  size_t magic_count;
  uint16_t likely; /* the best candidate over all code objects of the payload, or 0        */
  const pks_import *imports;
  size_t import_count;
  const pks_span *globals; /* global names that the bytecode reads                               */
  size_t global_count;
  int64_t flags; /* co_flags, co_argcount and so on; -1: not known                    */
  int64_t argcount, posonlyargcount, kwonlyargcount, nlocals, stacksize;
} pks_code;
PKS_API pks_status pks_inspector_code(const pks_inspector *inspector, size_t index, pks_code *out);

/* What all code objects of the payload can be: fills kind, magic, python, magic_count and likely of
 * *out. PKS_E_USAGE when there is none. */
PKS_API pks_status pks_inspector_bytecode(const pks_inspector *inspector, pks_code *out);

/* The head of a .pyc. */
typedef struct pks_pyc {
  size_t size;
  uint16_t magic;
  const char *python; /* "cpython-3.11", or NULL. Static                                        */
  int hashed;         /* 1: it knows its source by a hash, 0: by time and size                 */
  int checked;        /* the hash is compared with the source when it is imported              */
  uint32_t source_time, source_size;
  uint64_t source_hash;
} pks_pyc;
/* PKS_E_USAGE when the payload is no .pyc, or none whose head could be read. */
PKS_API pks_status pks_inspector_pyc(const pks_inspector *inspector, pks_pyc *out);

/* ---- instructions of code objects ---------------------------------------------------------------- */

typedef enum pks_operand {
  PKS_OPERAND_NONE = 0,    /* it has no argument                                                */
  PKS_OPERAND_NUMBER = 1,  /* arg says it all                                                   */
  PKS_OPERAND_NAME = 2,    /* text: the name                                                    */
  PKS_OPERAND_CONST = 3,   /* text: the constant, as ascii() writes it; long ones end in "..."  */
  PKS_OPERAND_LOCAL = 4,   /* text: the local, cell or free variable                            */
  PKS_OPERAND_LOCALS = 5,  /* text and text2                                                    */
  PKS_OPERAND_JUMP = 6,    /* target                                                            */
  PKS_OPERAND_OPERATOR = 7 /* text: "<=", "+=", ...                                             */
} pks_operand;

typedef struct pks_instruction {
  size_t size;
  uint64_t offset;  /* in the bytecode, after its EXTENDED_ARGs                                   */
  const char *name; /* "LOAD_FAST"; "?": no instruction of this version. Static                  */
  uint8_t number;   /* of the opcode                                                              */
  uint8_t labelled; /* 1: something jumps here, or a handler starts                               */
  uint32_t arg;     /* with its EXTENDED_ARGs                                                     */
  pks_operand operand;
  pks_span text, text2; /* until the next call; data NULL: out of range, or not kept              */
  uint64_t target;      /* UINT64_MAX: out of the code                                            */
} pks_instruction;

/* Lists instructions as Python's dis does, without running anything. alloc and limits as for
 * pks_inspector_new. NULL when there is no memory. */
typedef struct pks_listing pks_listing;
PKS_API pks_listing *pks_listing_new(const pks_limits *limits, const pks_alloc *alloc);
PKS_API void pks_listing_free(pks_listing *listing);

/* Starts on a code object of inspector (made with options.listings), read as bytecode of the version
 * with this magic number. inspector must not change until the end. PKS_OK; PKS_E_PYTHON: no table for
 * it; PKS_E_CODE: its bytecode is not there; PKS_E_USAGE; or memory was refused. */
PKS_API PKS_MUST pks_status pks_listing_start(pks_listing *listing, const pks_inspector *inspector,
                                              size_t code, uint16_t magic);
/* PKS_OK, one more; PKS_END. Bytes at the end that are no instruction come as one, named "?". */
PKS_API PKS_MUST pks_status pks_listing_next(pks_listing *listing, pks_instruction *out);

typedef enum pks_module_kind {
  PKS_MODULE_BY_VALUE = 1, /* its functions or classes are carried in the payload              */
  PKS_MODULE_ARGUMENT = 2  /* a helper is asked to import it                                    */
} pks_module_kind;
typedef struct pks_module {
  size_t size;
  pks_module_kind kind;
  pks_span name;
  uint64_t offset;
} pks_module;
PKS_API pks_status pks_inspector_module(const pks_inspector *inspector, size_t index,
                                        pks_module *out);

/* An extension code (copyreg.add_extension) that is looked up: fills *code and *offset, of which either
 * may be NULL. PKS_OK, or PKS_E_USAGE when there is no item `index`. */
PKS_API pks_status pks_inspector_extension(const pks_inspector *inspector, size_t index,
                                           uint32_t *code, uint64_t *offset);

typedef enum pks_event_kind {
  PKS_EVENT_GLOBAL = 1, /* index: of the global                                               */
  PKS_EVENT_CALL = 2,   /* index: of the call                                                 */
  PKS_EVENT_PERSID = 3, /* persistent_load                                                    */
  PKS_EVENT_BUFFER = 4, /* an out-of-band buffer is taken                                     */
  PKS_EVENT_EXTENSION = 5,
  PKS_EVENT_BUILD = 6 /* state is set on an object only a run could tell                     */
} pks_event_kind;
typedef struct pks_event {
  size_t size;
  pks_event_kind kind;
  uint64_t offset;
  size_t index;
} pks_event;
/* Only with options.events. */
PKS_API pks_status pks_inspector_event(const pks_inspector *inspector, size_t index,
                                       pks_event *out);

/* What was taken for granted of an object that only a run could tell. */
typedef struct pks_assumption {
  size_t size;
  uint64_t offset; /* of the first opcode that relies on it                                      */
  uint64_t count;
  const char *text; /* Static                                                                     */
} pks_assumption;
PKS_API pks_status pks_inspector_assumption(const pks_inspector *inspector, size_t index,
                                            pks_assumption *out);

/* ---- level 3: needs and verdicts --------------------------------------------------------------- */

/* X(NAME, "name in reports"): what a payload asks of a target. */
#define PKS_NEED_MAP(X)             \
  X(PROTOCOL, "protocol")           \
  X(OPCODE, "opcode")               \
  X(NUMBER, "number")               \
  X(FRAME, "frame")                 \
  X(MODULE, "module")               \
  X(ATTRIBUTE, "attribute")         \
  X(MAIN, "main")                   \
  X(HELPER, "helper")               \
  X(CONSTRUCTOR, "constructor")     \
  X(PERSISTENT_ID, "persistent-id") \
  X(BUFFERS, "buffers")             \
  X(EXTENSION, "extension")         \
  X(ENCODING, "encoding")           \
  X(LOADER, "loader")               \
  X(PLATFORM, "platform")           \
  X(VERSION, "version")             \
  X(BYTECODE, "bytecode")           \
  X(IMPORT, "import")               \
  X(NAME, "name")
typedef enum pks_need_kind {
#define X(id, name) PKS_NEED_##id,
  PKS_NEED_MAP(X)
#undef X
      PKS_NEED_KINDS
} pks_need_kind;

typedef enum pks_phase { PKS_PHASE_PARSE = 0, PKS_PHASE_LOAD = 1, PKS_PHASE_RUN = 2 } pks_phase;

typedef enum pks_state {
  PKS_STATE_MET = 0,
  PKS_STATE_MISSING = 1,   /* the target does not have it            */
  PKS_STATE_DIFFERENT = 2, /* it has something else in its place     */
  PKS_STATE_UNKNOWN = 3    /* a fact is not known; `why` names it    */
} pks_state;

/* One question's answer. */
typedef enum pks_outcome {
  PKS_OUTCOME_YES = 0, /* loads, runs                            */
  PKS_OUTCOME_UNKNOWN = 1,
  PKS_OUTCOME_NO = 2,  /* fails, on positive evidence            */
  PKS_OUTCOME_NONE = 3 /* run: the payload carries no code       */
} pks_outcome;

/* Worst last. No verdict says that a payload is safe to load. */
typedef enum pks_verdict {
  PKS_VERDICT_LOADS = 0,
  PKS_VERDICT_UNSURE = 1,
  PKS_VERDICT_FAILS = 2,
  PKS_VERDICT_BROKEN = 3 /* no interpreter this library knows can read it */
} pks_verdict;

typedef struct pks_target pks_target;

/* A built-in target: "cpython-3.12", "cpython-3.13.5", "pypy-3.9". Its standard library is known,
 * third-party modules and __main__ are open. alloc may be NULL; it is kept.
 *   PKS_OK; PKS_E_PYTHON: no such target; PKS_E_NO_MEMORY; PKS_E_USAGE */
PKS_API PKS_MUST pks_status pks_target_builtin(const char *name, const pks_alloc *alloc,
                                               pks_target **out);

/* A fingerprint (pickle-target/1). The bytes are copied. error may be NULL.
 *   PKS_OK; PKS_E_FINGERPRINT: malformed, *error has offset and reason; PKS_E_FORMAT: of a newer major;
 *   PKS_E_LIMIT_MEMORY, PKS_E_NO_MEMORY, PKS_E_USAGE */
PKS_API PKS_MUST pks_status pks_target_read(const void *json, size_t size, const pks_alloc *alloc,
                                            pks_target **out, pks_error *error);

/* What the capture script printed (picklesight capture --script, picklesight_capture.h), in its shortest form:
 * of the standard library only what differs from the table. As pks_target_read. */
PKS_API PKS_MUST pks_status pks_target_captured(const void *json, size_t size,
                                                const pks_alloc *alloc, pks_target **out,
                                                pks_error *error);
PKS_API void pks_target_free(pks_target *target);

/* Adds a distribution: "cloudpickle==3.1.2". PKS_OK, PKS_E_USAGE (not NAME==VERSION),
 * PKS_E_NO_MEMORY. Not while another thread uses the target; after the last change it may be shared. */
PKS_API PKS_MUST pks_status pks_target_with(pks_target *target, const char *requirement);

/* Nothing but the standard library and what was added: all else is missing, not unknown. As
 * pks_target_with. */
PKS_API PKS_MUST pks_status pks_target_bare(pks_target *target);

/* What loads the payload there: "pickle", "cloudpickle", "dill", "joblib", "torch" or "pandas"
 * (pandas.read_pickle). As pks_target_with. */
PKS_API PKS_MUST pks_status pks_target_loader(pks_target *target, const char *loader);

/* Called with successive pieces of output; returns 0 to go on, else what is written ends with E_IO. */
typedef int (*pks_write_fn)(void *user, const char *data, size_t size);

/* The fingerprint in canonical form: the bytes whose SHA-256 is the id. PKS_OK, PKS_E_IO,
 * PKS_E_USAGE. */
PKS_API pks_status pks_target_write(const pks_target *target, pks_write_fn write, void *user);

typedef struct pks_target_info {
  size_t size;
  const char *name;           /* "cpython-3.12"; of a fingerprint: implementation-x.y.z        */
  const char *id;             /* "sha256:..." of the canonical fingerprint                      */
  const char *implementation; /* "cpython", "pypy"                                              */
  const char *version;        /* "3.12.1", or "3.12" when the micro version is not known         */
  uint32_t python;            /* as in pks_options                                               */
  uint16_t magic;
  int max_protocol;
} pks_target_info;
/* Texts live as long as the target is not changed. PKS_OK or PKS_E_USAGE. */
PKS_API pks_status pks_target_describe(const pks_target *target, pks_target_info *info);

/* Names of the built-in targets: index 0 .. count-1. Static. */
PKS_API size_t pks_target_count(void);
PKS_API const char *pks_target_name(size_t index);

/* Makes options read as the target does: sets python and implementation; encoding, errors and persistent_load where the
 * target says them and the options do not. What a loader lacks by default (an encoding other than ASCII,
 * persistent_load) is left to the check, so that the reading goes on past the first place that asks for
 * it. Texts live as long as the target is not changed. PKS_OK or PKS_E_USAGE. */
PKS_API pks_status pks_target_options(const pks_target *target, pks_options *options);

/* ---- what several targets have in common -------------------------------------------------------- */

/* The handshake of a cluster. Thousands of targets take tens of milliseconds; all share one copy of the tables. */
typedef struct pks_common pks_common;

typedef struct pks_common_item {
  size_t size;
  pks_span name;           /* of a module or distribution (normalised)                       */
  pks_span version;        /* of the distribution                                            */
  int64_t magic;           /* of a group; -1: not known, or no group                         */
  const uint32_t *targets; /* which: indices as given to pks_common_new, rising; NULL: all   */
  size_t target_count;
} pks_common_item;

/* The targets must outlive it. alloc may be NULL. PKS_OK, PKS_E_USAGE (no targets), PKS_E_NO_MEMORY,
 * PKS_E_LIMIT_MEMORY. */
PKS_API PKS_MUST pks_status pks_common_new(const pks_target *const *targets, size_t count,
                                           const pks_alloc *alloc, pks_common **out);
PKS_API void pks_common_free(pks_common *common);

/* The highest protocol that all read; -1: one of them does not say. */
PKS_API int pks_common_protocol(const pks_common *common);

/* Groups of targets that run the same bytecode, by their first targets. One group: what one of them pickles by
 * value, all can run. */
PKS_API size_t pks_common_groups(const pks_common *common);
PKS_API pks_status pks_common_group(const pks_common *common, size_t index, pks_common_item *item);

/* Modules that are known on all targets: index 0 .. shared-1; on some: shared .. shared+partial-1. By name. */
PKS_API size_t pks_common_shared(const pks_common *common);
PKS_API size_t pks_common_partial(const pks_common *common);
PKS_API pks_status pks_common_module(const pks_common *common, size_t index, pks_common_item *item);

/* Distributions that targets have in different versions, an item a version. By name, then first target. */
PKS_API size_t pks_common_versions(const pks_common *common);
PKS_API pks_status pks_common_version(const pks_common *common, size_t index,
                                      pks_common_item *item);

/* ---- checks ----------------------------------------------------------------------------------- */

typedef struct pks_check pks_check;

/* Reusable; alloc may be NULL. NULL when there is no memory. */
PKS_API pks_check *pks_check_new(const pks_alloc *alloc);
PKS_API void pks_check_free(pks_check *check);

typedef struct pks_result {
  size_t size;
  pks_verdict verdict;
  pks_outcome parse, load, run;
  size_t needs; /* of every state */
} pks_result;

/* Can the target load and run what the inspector found? Of code in no pickle: does its marshal take the
 * layout, does it import a .pyc of that magic number? target NULL: every need is unknown. The
 * inspector must not be reset while the check is asked. Allocates only until its lists are as long as
 * the payload needs. PKS_OK, PKS_E_USAGE, PKS_E_NO_MEMORY. */
PKS_API PKS_MUST pks_status pks_check_run(pks_check *check, const pks_inspector *inspector,
                                          const pks_target *target, pks_result *result);

typedef struct pks_need {
  size_t size;
  pks_need_kind kind;
  pks_phase phase;
  pks_state state;
  uint64_t offset;  /* of the opcode that asks */
  const char *what; /* "module json", "magic 3495" ... Escaped; until the next call on check    */
  const char *why;  /* one sentence, escaped; the same                                          */
  const char *hint; /* what would meet it, or NULL                                              */
} pks_need;
PKS_API pks_status pks_check_need(pks_check *check, size_t index, pks_need *out);

/* How else a payload is read, when that differs (frames crossed by an argument, numbers spelled oddly ...).
 * Compared are the CPythons that stand for all from 3.6 on, and where frames matter all three ways of
 * reading; CPython 2.7 where no other comes to STOP. Of readings that find the same only the first is
 * here; one that stops at what a younger protocol brought, having found the same, is none. */
typedef struct pks_other_reading {
  size_t size;
  const char *profile; /* "cpython-3.14". Static                                                  */
  pks_read read;
  pks_status status; /* PKS_END, or why it stopped                                              */
} pks_other_reading;

/* Fills *out (may be NULL) and returns an inspector that has read the payload in that way: ask it for its
 * error, globals, calls and so on, nothing else. It ends when `inspector` is reset. NULL when there is
 * no reading `index` (0 .. readings-1 of the summary). */
PKS_API const pks_inspector *pks_inspector_reading(const pks_inspector *inspector, size_t index,
                                                   pks_other_reading *out);

/* ---- report ---------------------------------------------------------------------------------- */

typedef enum pks_format {
  PKS_FORMAT_TEXT = 0,
  PKS_FORMAT_JSON = 1,
  PKS_FORMAT_JSONL = 2
} pks_format;

/* Where a payload was found. Texts are NUL-terminated; path may hold any bytes. */
typedef struct pks_place {
  size_t size;
  const char *path;       /* NULL: not from a file                                                */
  const char *member;     /* NULL: not in a container                                             */
  const char *container;  /* "raw", "gzip", "zlib"                                                */
  int64_t offset;         /* where the pickle starts in the file; -1: inside a compression        */
  int64_t bytes;          /* -1: not known                                                        */
  const char *skipped;    /* reason why nothing was read, or NULL                                 */
  int color;              /* text: use ANSI colours                                               */
  int events;             /* also write the full sequence of events                               */
  const pks_error *error; /* what is wrong with the file around the payload, or NULL              */
  const char
      *looks_like; /* what the bytes of a broken payload seem to be ("an HTML page"), or NULL */
  int width;       /* text: columns at which sentences are folded; 0: they are not         */
  int listings;    /* also list the instructions of code objects (options.listings)        */
  uint16_t
      listing_magic; /* under this version; 0: the likely one, or each where they conflict    */
} pks_place;

typedef struct pks_report pks_report;

/* Starts a report of any number of payloads. alloc may be NULL. NULL when there is no memory. */
PKS_API pks_report *pks_report_new(pks_format format, pks_write_fn write, void *user,
                                   const pks_alloc *alloc);
PKS_API void pks_report_free(pks_report *report);

/* Adds what inspector found (NULL: nothing, place->skipped or place->error says why). PKS_OK,
 * PKS_E_IO, PKS_E_NO_MEMORY or PKS_E_USAGE; E_IO is final. */
PKS_API PKS_MUST pks_status pks_report_facts(pks_report *report, const pks_place *place,
                                             const pks_inspector *inspector);

/* Says which targets the payloads of the report are checked against. Before the first payload. */
PKS_API PKS_MUST pks_status pks_report_target(pks_report *report, const pks_target *target);

/* Adds a payload with the results of checks, one a target in their order. best: it counts by its best
 * target instead of its worst. verbose: met needs too. As pks_report_facts. */
PKS_API PKS_MUST pks_status pks_report_checks(pks_report *report, const pks_place *place,
                                              const pks_inspector *inspector,
                                              pks_check *const *checks, size_t count, int best,
                                              int verbose);

/* Ends it: `files` is how many files were looked at. PKS_OK or PKS_E_IO. */
PKS_API PKS_MUST pks_status pks_report_finish(pks_report *report, uint64_t files);

#ifdef __cplusplus
}
#endif
#endif /* PICKLESIGHT_H */
