/* facts: what an inspector says of hand-assembled pickles and of real payloads: names, use, calls, modules
 * and code by value, ids, buffers, extensions, encodings, assumptions, events; whole and in every cut. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "facts/facts.h"
#include "support/asm.h"
#include "support/suite.h"
#include "support/trace.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define ALL "gckmxeas" /* every list of trace_facts */

/* how: letters of options_for; which: lists of trace_facts; want: the outcome, and these lists. STOP is
 * added to the program. */
typedef struct fact_row {
  const char *how, *which, *program, *want;
} fact_row;

/* i inert objects; 1 latin1, u utf-8, b bytes for Python 2 strings; n no events */
static pks_options options_for(const char *how) {
  pks_options options = {.size = sizeof options};
  pks_options_init(&options);
  options.events = strchr(how, 'n') == NULL;
  if (strchr(how, 'i')) options.opaque = PKS_OPAQUE_INERT;
  if (strchr(how, '1')) options.encoding = "latin1";
  if (strchr(how, 'u')) options.encoding = "utf-8";
  if (strchr(how, 'b')) options.encoding = "bytes";
  return options;
}

/* s: names of 8 bytes at the most */
static pks_limits limits_for(const char *how) {
  pks_limits limits = {.size = sizeof limits};
  pks_limits_init(&limits);
  if (strchr(how, 's')) limits.max_name = 8;
  return limits;
}

static void check_facts(const fact_row *row) {
  pks_options options = options_for(row->how);
  pks_limits limits = limits_for(row->how);
  pks_inspector *f = pks_inspector_new(&options, &limits, NULL);
  pickle p = {0};
  pickle_add(&p, row->program);
  pickle_add(&p, "STOP");
  pickle_fit(&p);
  char *got = trace_inspector_cuts(f, p.data, p.size, row->which);
  ck_assert_msg(strcmp(got, row->want) == 0, "%s\n%s--- not\n%s", row->program, got, row->want);
  free(got);
  pickle_free(&p);
  pks_inspector_free(f);
}

/* ---- tables ----------------------------------------------------------------------------------------- */

/* Names: how they are spelled, how often they are looked up, what becomes of them. */
static const fact_row global_rows[] = {
    {"", "gc", "GLOBAL 'os' 'system'",
     "END 12\n"
     "0 os system GLOBAL@0 x1 R\n"},
    {"", "gc", "GLOBAL 'os' 'system' EMPTY_TUPLE REDUCE",
     "END 14\n"
     "0 os system GLOBAL@0 x1 C\n"
     "0 REDUCE@12 x1 global 0\n"},
    {"", "gc", "GLOBAL 'os' 'system' DUP EMPTY_TUPLE REDUCE",
     "END 15\n"
     "0 os system GLOBAL@0 x1 CR\n"
     "0 REDUCE@13 x1 global 0\n"},
    {"", "gc", "GLOBAL 'os' 'system' BINPUT 0 POP BINGET 0 EMPTY_TUPLE REDUCE BINGET 0",
     "END 21\n"
     "0 os system GLOBAL@0 x1 CR\n"
     "0 REDUCE@17 x1 global 0\n"},
    {"", "g", "GLOBAL 'm' 'C' EMPTY_TUPLE NEWOBJ",
     "END 8\n"
     "0 m C GLOBAL@0 x1 N\n"},
    {"", "g", "GLOBAL 'm' 'C' EMPTY_TUPLE EMPTY_DICT NEWOBJ_EX",
     "END 9\n"
     "0 m C GLOBAL@0 x1 N\n"},
    {"", "g", "GLOBAL 'm' 'C' EMPTY_TUPLE NEWOBJ EMPTY_DICT BUILD",
     "END 10\n"
     "0 m C GLOBAL@0 x1 NB\n"},
    {"", "g", "GLOBAL 'm' 'C' NONE BUILD",
     "END 8\n"
     "0 m C GLOBAL@0 x1 BR\n"},
    {"", "g", "GLOBAL 'm' 'C' EMPTY_TUPLE REDUCE NONE APPEND",
     "END 10\n"
     "0 m C GLOBAL@0 x1 CB\n"},
    {"", "g", "GLOBAL 'm' 'C' EMPTY_TUPLE REDUCE NONE NONE SETITEM",
     "END 11\n"
     "0 m C GLOBAL@0 x1 CB\n"},
    {"", "g", "EMPTY_DICT GLOBAL 'm' 'C' NONE SETITEM",
     "END 9\n"
     "0 m C GLOBAL@1 x1 K\n"},
    {"", "g", "EMPTY_DICT GLOBAL 'm' 'C' EMPTY_TUPLE NEWOBJ NONE SETITEM",
     "END 11\n"
     "0 m C GLOBAL@1 x1 NK\n"},
    {"", "g", "MARK GLOBAL 'm' 'C' FROZENSET",
     "END 8\n"
     "0 m C GLOBAL@1 x1 K\n"},
    {"", "gc", "MARK NONE INST 'm' 'C'",
     "END 8\n"
     "0 m C INST@2 x1 C\n"
     "0 INST@2 x1 global 0\n"},
    {"", "gc", "MARK GLOBAL 'm' 'C' NONE OBJ",
     "END 9\n"
     "0 m C GLOBAL@1 x1 C\n"
     "0 OBJ@7 x1 global 0\n"},
    {"", "g", "SHORT_BINUNICODE 'os' SHORT_BINUNICODE 'system' STACK_GLOBAL",
     "END 14\n"
     "0 os system STACK_GLOBAL@12 x1 R\n"},
    {"", "g", "UNICODE 'o\\u0073' UNICODE 'syst\\u00e9m' STACK_GLOBAL",
     "END 24\n"
     "0 os syst%c3%a9m STACK_GLOBAL@22 x1 R\n"},
    {"", "g", "GLOBAL 'a b' 'c%0dd'",
     "END 10\n"
     "0 a%20b c%0dd GLOBAL@0 x1 R\n"},
    {"", "g", "GLOBAL '%c3%a9' 'x'",
     "END 7\n"
     "0 %c3%a9 x GLOBAL@0 x1 R\n"},
    {"", "g", "SHORT_BINUNICODE '%ed%a0%80' SHORT_BINUNICODE '' STACK_GLOBAL",
     "END 9\n"
     "0 %ed%a0%80  STACK_GLOBAL@7 x1 R\n"},
    {"", "g", "GLOBAL 'm' 'a' GLOBAL 'm' 'b' GLOBAL 'm' 'a' TUPLE3",
     "END 17\n"
     "0 m a GLOBAL@0 x2 R\n"
     "1 m b GLOBAL@5 x1 R\n"},
    {"", "g", "GLOBAL 'ab' 'c' GLOBAL 'a' 'bc' TUPLE2",
     "END 14\n"
     "0 ab c GLOBAL@0 x1 R\n"
     "1 a bc GLOBAL@6 x1 R\n"},
    {"", "g", "PROTO 4 SHORT_BINUNICODE 'os' SHORT_BINUNICODE 'path.join' STACK_GLOBAL",
     "END 19\n"
     "0 os path.join STACK_GLOBAL@17 x1 R\n"},
    {"", "g", "PROTO 4 SHORT_BINUNICODE 'm' SHORT_BINUNICODE 'C.<locals>.f' STACK_GLOBAL",
     "END 21\n"
     "0 m C.<locals>.f STACK_GLOBAL@19 x1 R\n"},
    {"", "ga", "GLOBAL 'm' 'f' EMPTY_TUPLE REDUCE SHORT_BINUNICODE 'name' STACK_GLOBAL",
     "END 15\n"
     "0 m f GLOBAL@0 x1 C\n"
     "1  name STACK_GLOBAL@13 x1 R?\n"
     "assumed@13 x1 an object that only a run could tell is a str\n"},
    {"", "ga", "SHORT_BINUNICODE 'm' PERSID '1' STACK_GLOBAL",
     "END 8\n"
     "0 m  STACK_GLOBAL@6 x1 R?\n"
     "assumed@6 x1 an object that only a run could tell is a str\n"},
    {"s", "gs", "SHORT_BINUNICODE '12345678' SHORT_BINUNICODE '123456789' STACK_GLOBAL",
     "END 23\n"
     "0 12345678  STACK_GLOBAL@21 x1 R?\n"
     "bytes 23 ops 4 protocol 0 of 4 E_LIMIT_NAME at 21\n"},
    {"s", "gs", "GLOBAL '123456789' 'n'",
     "END 14\n"
     "0  n GLOBAL@0 x1 R?\n"
     "bytes 14 ops 2 protocol 0 of 0 E_LIMIT_NAME at 0\n"},
    {"s", "gs", "UNICODE '%e9%e9%e9%e9%e9%e9' SHORT_BINUNICODE 'n' STACK_GLOBAL",
     "END 13\n"
     "0  n STACK_GLOBAL@11 x1 R?\n"
     "bytes 13 ops 4 protocol 0 of 4 E_LIMIT_NAME at 11\n"},
    {"s", "s", "SHORT_BINUNICODE '' SHORT_BINUNICODE '123456789' STACK_GLOBAL",
     "E_OPERAND 13 STACK_GLOBAL ValueError\nbytes 13 ops 2 protocol 0 of 4\n"},
    {"s", "s", "SHORT_BINUNICODE '123456789' NONE STACK_GLOBAL",
     "E_OPERAND 12 STACK_GLOBAL UnpicklingError\nbytes 12 ops 2 protocol 0 of 4\n"},
};

/* Python 2 names are mapped while the protocol is below 3; Python 2 strings need an encoding. */
static const fact_row python2_rows[] = {
    {"", "g", "GLOBAL '__builtin__' 'xrange'",
     "END 21\n"
     "0 builtins range=__builtin__ xrange GLOBAL@0 x1 R\n"},
    {"", "g", "PROTO 2 GLOBAL '__builtin__' 'eval'",
     "END 21\n"
     "0 builtins eval=__builtin__ eval GLOBAL@2 x1 R\n"},
    {"", "g", "PROTO 3 GLOBAL '__builtin__' 'eval'",
     "END 21\n"
     "0 __builtin__ eval GLOBAL@2 x1 R\n"},
    {"", "g", "PROTO 4 PROTO 2 GLOBAL '__builtin__' 'eval'",
     "END 23\n"
     "0 builtins eval=__builtin__ eval GLOBAL@4 x1 R\n"},
    {"", "g", "SHORT_BINUNICODE '__builtin__' SHORT_BINUNICODE 'unichr' STACK_GLOBAL",
     "END 23\n"
     "0 builtins chr=__builtin__ unichr STACK_GLOBAL@21 x1 R\n"},
    {"", "g", "MARK INST 'exceptions' 'KeyError'",
     "END 23\n"
     "0 builtins KeyError=exceptions KeyError INST@1 x1 C\n"},
    {"", "g", "GLOBAL 'commands' 'getoutput'",
     "END 21\n"
     "0 subprocess getoutput=commands getoutput GLOBAL@0 x1 R\n"},
    {"", "g", "GLOBAL 'copy_reg' '_reconstructor'",
     "END 26\n"
     "0 copyreg _reconstructor=copy_reg _reconstructor GLOBAL@0 x1 R\n"},
    {"", "g", "GLOBAL 'itertools' 'izip'",
     "END 17\n"
     "0 builtins zip=itertools izip GLOBAL@0 x1 R\n"},
    {"", "g", "GLOBAL 'itertools' 'chain'",
     "END 18\n"
     "0 itertools chain GLOBAL@0 x1 R\n"},
    {"", "g", "GLOBAL 'UserDict' 'UserDict' GLOBAL 'UserDict' 'IterableUserDict' TUPLE2",
     "END 48\n"
     "0 collections UserDict=UserDict UserDict GLOBAL@0 x1 R\n"
     "1 collections UserDict=UserDict IterableUserDict GLOBAL@19 x1 R\n"},
    {"", "g", "GLOBAL 'Queue' 'Queue' PROTO 4 GLOBAL 'Queue' 'Queue' TUPLE2",
     "END 30\n"
     "0 queue Queue=Queue Queue GLOBAL@0 x1 R\n"
     "1 Queue Queue GLOBAL@15 x1 R\n"},
    {"", "g", "GLOBAL 'os' 'path.join'",
     "END 15\n"
     "0 os path.join GLOBAL@0 x1 R\n"},
    {"1", "g", "SHORT_BINSTRING 'caf%e9' SHORT_BINSTRING 'n' STACK_GLOBAL",
     "END 11\n"
     "0 caf%c3%a9 n STACK_GLOBAL@9 x1 R\n"},
    {"u", "g", "SHORT_BINSTRING 'caf%c3%a9' SHORT_BINSTRING 'n' STACK_GLOBAL",
     "END 12\n"
     "0 caf%c3%a9 n STACK_GLOBAL@10 x1 R\n"},
    {"", "gas", "SHORT_BINSTRING 'caf%e9' SHORT_BINSTRING 'n' STACK_GLOBAL",
     "END 11\n"
     "0 caf%c3%a9 n STACK_GLOBAL@9 x1 R?\n"
     "assumed@0 x1 a Python 2 string decodes with the encoding that will be given\n"
     "bytes 11 ops 4 protocol 0 of 4 complete encoding@0\n"},
    {"1", "gas", "SHORT_BINSTRING 'caf%e9' STRING '%22\\xe9%22' TUPLE2",
     "END 16\n"
     "bytes 16 ops 4 protocol 0 of 2 complete encoding@0\n"},
    {"", "as", "NONE STRING '%22\\xe9%22' BINSTRING '%ff' TUPLE3",
     "END 17\n"
     "assumed@1 x2 a Python 2 string decodes with the encoding that will be given\n"
     "bytes 17 ops 5 protocol 0 of 2 complete encoding@1\n"},
};

/* Calls, and what else is done in order. */
static const fact_row call_rows[] = {
    {"", "c", "GLOBAL 'm' 'f' BINPUT 0 EMPTY_TUPLE REDUCE BINGET 0 EMPTY_TUPLE REDUCE TUPLE2",
     "END 15\n"
     "0 REDUCE@8 x2 global 0\n"},
    {"", "c", "GLOBAL 'm' 'f' BINPUT 0 EMPTY_TUPLE REDUCE BINGET 0 EMPTY_TUPLE NEWOBJ TUPLE2",
     "END 15\n"
     "0 REDUCE@8 x1 global 0\n"
     "1 NEWOBJ@12 x1 global 0\n"},
    {"", "c", "GLOBAL 'm' 'f' EMPTY_TUPLE REDUCE EMPTY_TUPLE REDUCE EMPTY_TUPLE REDUCE",
     "END 12\n"
     "0 REDUCE@6 x1 global 0\n"
     "1 REDUCE@8 x1 result 0\n"
     "2 REDUCE@10 x1 result 1\n"},
    {"", "gc",
     "GLOBAL 'm' 'f' EMPTY_TUPLE REDUCE BINPUT 0 EMPTY_TUPLE REDUCE BINGET 0 EMPTY_TUPLE REDUCE "
     "TUPLE2",
     "END 17\n"
     "0 m f GLOBAL@0 x1 C\n"
     "0 REDUCE@6 x1 global 0\n"
     "1 REDUCE@10 x2 result 0\n"},
    {"", "c", "PERSID '1' EMPTY_TUPLE REDUCE",
     "END 6\n"
     "0 REDUCE@4 x1 -\n"},
    {"", "c", "EXT1 1 EMPTY_TUPLE NEWOBJ",
     "END 5\n"
     "0 NEWOBJ@3 x1 -\n"},
    {"", "ca", "GLOBAL 'm' 'f' GLOBAL 'm' 'g' REDUCE",
     "END 12\n"
     "0 REDUCE@10 x1 global 0\n"
     "assumed@10 x1 arguments that only a run could tell are a tuple\n"},
    {"", "e",
     "GLOBAL 'm' 'f' EMPTY_TUPLE REDUCE NONE BUILD PERSID 'x' EXT1 5 NEXT_BUFFER EXT1 5 TUPLE3",
     "END 19\n"
     "GLOBAL@0 0\n"
     "CALL@6 0\n"
     "BUILD@8 -\n"
     "PERSID@9 -\n"
     "EXTENSION@12 0\n"
     "BUFFER@14 -\n"
     "EXTENSION@15 0\n"},
    {"n", "e", "GLOBAL 'm' 'f' EMPTY_TUPLE REDUCE", "END 8\n"},
    {"", "xs", "EXT1 5 EXT4 5 EXT2 300 TUPLE3",
     "END 12\n"
     "extension 5@0\n"
     "extension 300@7\n"
     "bytes 12 ops 5 protocol 0 of 2 complete\n"},
    {"", "s", "PERSID 'a' NONE BINPERSID NEXT_BUFFER READONLY_BUFFER TUPLE3",
     "END 9\n"
     "bytes 9 ops 7 protocol 0 of 5 complete ids 2 buffers 1\n"},
    {"", "s", "PROTO 2 LONG1 '' EMPTY_SET TUPLE2",
     "END 7\n"
     "bytes 7 ops 5 protocol 2 of 4 complete\n"},
    {"", "s", "NONE BYTEARRAY8 '' TUPLE2",
     "END 12\n"
     "bytes 12 ops 4 protocol 0 of 5 complete\n"},
    {"", "s", "GLOBAL 'm' 'f' NONE REDUCE",
     "E_OPERAND 6 REDUCE TypeError\n"
     "bytes 6 ops 2 protocol 0 of 0\n"},
};

/* Modules that helpers import or carry; names that only their arguments hold. */
static const fact_row module_rows[] = {
    {"", "m", "GLOBAL 'cloudpickle.cloudpickle' 'subimport' SHORT_BINUNICODE 'json' TUPLE1 REDUCE",
     "END 44\n"
     "argument json@42\n"},
    {"", "m",
     "GLOBAL 'joblib.externals.cloudpickle.cloudpickle' 'subimport' SHORT_BINUNICODE 'json' TUPLE1 "
     "REDUCE",
     "END 61\n"
     "argument json@59\n"},
    {"", "m", "GLOBAL 'not_cloudpickle' 'subimport' SHORT_BINUNICODE 'json' TUPLE1 REDUCE",
     "END 36\n"},
    {"", "m",
     "GLOBAL 'cloudpickle.cloudpickle' 'dynamic_subimport' SHORT_BINUNICODE 'dyn' EMPTY_DICT "
     "TUPLE2 REDUCE",
     "END 52\n"
     "value dyn@50\n"},
    {"", "m", "GLOBAL 'dill._dill' '_import_module' SHORT_BINUNICODE 'json' TUPLE1 REDUCE",
     "END 36\n"
     "argument json@34\n"},
    {"", "m",
     "GLOBAL 'cloudpickle.cloudpickle' '_make_function' NONE EMPTY_DICT SHORT_BINUNICODE "
     "'__name__' SHORT_BINUNICODE 'my.mod' SETITEM TUPLE2 REDUCE",
     "END 64\n"
     "value my.mod@62\n"},
    {"", "m",
     "GLOBAL 'dill._dill' '_create_function' MARK NONE EMPTY_DICT SHORT_BINUNICODE '__name__' "
     "SHORT_BINUNICODE 'my.mod' SETITEM NONE NONE TUPLE REDUCE",
     "END 56\n"
     "value my.mod@54\n"},
    {"", "m",
     "GLOBAL 'cloudpickle.cloudpickle' '_function_setstate' NONE EMPTY_DICT SHORT_BINUNICODE "
     "'__module__' SHORT_BINUNICODE 'my.mod' SETITEM EMPTY_DICT TUPLE2 TUPLE2 REDUCE",
     "END 72\n"
     "value my.mod@70\n"},
    {"", "m",
     "GLOBAL 'cloudpickle.cloudpickle' '_fill_function' NONE EMPTY_DICT SHORT_BINUNICODE 'module' "
     "SHORT_BINUNICODE 'old' SETITEM TUPLE2 REDUCE",
     "END 59\n"
     "value old@57\n"},
    {"", "mg",
     "GLOBAL 'cloudpickle.cloudpickle' '_make_skeleton_class' MARK GLOBAL 'builtins' 'type' "
     "SHORT_BINUNICODE 'C' GLOBAL 'm' 'Base' TUPLE1 EMPTY_DICT SHORT_BINUNICODE '__module__' "
     "SHORT_BINUNICODE 'my.mod' SETITEM TUPLE REDUCE",
     "END 99\n"
     "value my.mod@97\n"
     "0 cloudpickle.cloudpickle _make_skeleton_class GLOBAL@0 x1 C\n"
     "1 builtins type GLOBAL@47 x1 R\n"
     "2 m Base GLOBAL@65 x1 S\n"},
    {"", "mg",
     "GLOBAL 'builtins' 'type' SHORT_BINUNICODE 'C' GLOBAL 'm' 'Base' TUPLE1 EMPTY_DICT "
     "SHORT_BINUNICODE '__module__' SHORT_BINUNICODE 'my.mod' SETITEM TUPLE3 REDUCE",
     "END 52\n"
     "value my.mod@50\n"
     "0 builtins type GLOBAL@0 x1 C\n"
     "1 m Base GLOBAL@18 x1 S\n"},
    {"", "m", "GLOBAL 'builtins' 'type' NONE TUPLE1 REDUCE", "END 19\n"},
    {"", "m",
     "GLOBAL 'cloudpickle.cloudpickle' '_class_setstate' NONE EMPTY_DICT SHORT_BINUNICODE "
     "'__module__' SHORT_BINUNICODE 'my.mod' SETITEM EMPTY_DICT TUPLE2 TUPLE2 REDUCE",
     "END 69\n"
     "value my.mod@67\n"},
    {"", "mg",
     "GLOBAL 'cloudpickle.cloudpickle' '_make_skeleton_enum' MARK GLOBAL 'enum' 'Enum' TUPLE1 "
     "SHORT_BINUNICODE 'E' SHORT_BINUNICODE 'E' EMPTY_DICT SHORT_BINUNICODE 'em' NONE TUPLE REDUCE",
     "END 73\n"
     "value em@71\n"
     "0 cloudpickle.cloudpickle _make_skeleton_enum GLOBAL@0 x1 C\n"
     "1 enum Enum GLOBAL@46 x1 S\n"},
    {"", "m",
     "GLOBAL 'dill._dill' '_create_namedtuple' SHORT_BINUNICODE 'P' SHORT_BINUNICODE 'x' TUPLE1 "
     "SHORT_BINUNICODE 'nt' TUPLE3 REDUCE",
     "END 45\n"
     "value nt@43\n"},
    {"", "gm", "GLOBAL 'builtins' 'getattr' GLOBAL 'm' 'C' SHORT_BINUNICODE 'method' TUPLE2 REDUCE",
     "END 34\n"
     "0 builtins getattr GLOBAL@0 x1 C\n"
     "1 m C GLOBAL@18 x1 R\n"
     "2 m C.method argument@32 x1 R\n"},
    {"", "g",
     "GLOBAL 'cloudpickle.cloudpickle' '_builtin_type' SHORT_BINUNICODE 'CodeType' TUPLE1 REDUCE",
     "END 52\n"
     "0 cloudpickle.cloudpickle _builtin_type GLOBAL@0 x1 C\n"
     "1 types CodeType argument@50 x1 R\n"},
    {"", "m",
     "GLOBAL 'cloudpickle.cloudpickle' 'subimport' BINPUT 0 SHORT_BINUNICODE 'a' TUPLE1 REDUCE "
     "BINGET 0 SHORT_BINUNICODE 'a' TUPLE1 REDUCE BINGET 0 SHORT_BINUNICODE 'b' TUPLE1 REDUCE "
     "TUPLE3",
     "END 58\n"
     "argument a@41\n"
     "argument b@55\n"},
    {"s", "ms",
     "GLOBAL 'cloudpickle.cloudpickle' 'subimport' SHORT_BINUNICODE '123456789' TUPLE1 REDUCE",
     "END 49\n"
     "bytes 49 ops 5 protocol 0 of 4 E_LIMIT_NAME at 0\n"},
    {"", "m", "GLOBAL 'cloudpickle.cloudpickle' 'subimport' UNICODE 'm\\u00e9' TUPLE1 REDUCE",
     "END 47\n"
     "argument m%c3%a9@45\n"},
    {"", "m", "GLOBAL 'cloudpickle.cloudpickle' 'subimport' NONE TUPLE1 REDUCE", "END 39\n"},
    {"", "m", "GLOBAL 'cloudpickle.cloudpickle' 'subimport' EMPTY_TUPLE REDUCE", "END 38\n"},
};

/* Code objects by their constructors. */
static const fact_row code_rows[] = {
    {"", "k",
     "GLOBAL 'types' 'CodeType' MARK BININT1 0 BININT1 0 BININT1 0 BININT1 1 BININT1 2 BININT1 3 "
     "SHORT_BINBYTES '%97%00t%00%00%00|%00S%00' NONE TUPLE1 SHORT_BINUNICODE 'len' TUPLE1 "
     "SHORT_BINUNICODE 'x' TUPLE1 SHORT_BINUNICODE 'job.py' SHORT_BINUNICODE 'f' SHORT_BINUNICODE "
     "'C.f' BININT1 7 SHORT_BINBYTES '' SHORT_BINBYTES '' EMPTY_TUPLE EMPTY_TUPLE TUPLE REDUCE",
     "END 80\n"
     "0 types@78 18 'f' 'C.f' 'job.py' 7 '%97%00t%00%00%00|%00S%00' uses 'len'\n"},
    {"", "kg",
     "GLOBAL 'cloudpickle.cloudpickle' '_builtin_type' SHORT_BINUNICODE 'CodeType' TUPLE1 REDUCE "
     "MARK BININT1 0 BININT1 0 BININT1 0 BININT1 1 BININT1 2 BININT1 3 SHORT_BINBYTES "
     "'%97%00t%00%00%00|%00S%00' NONE TUPLE1 SHORT_BINUNICODE 'len' TUPLE1 SHORT_BINUNICODE 'x' "
     "TUPLE1 SHORT_BINUNICODE 'job.py' SHORT_BINUNICODE 'f' SHORT_BINUNICODE 'C.f' BININT1 7 "
     "SHORT_BINBYTES '' SHORT_BINBYTES '' EMPTY_TUPLE EMPTY_TUPLE TUPLE REDUCE",
     "END 115\n"
     "0 cloudpickle@113 18 'f' 'C.f' 'job.py' 7 '%97%00t%00%00%00|%00S%00' uses 'len'\n"
     "0 cloudpickle.cloudpickle _builtin_type GLOBAL@0 x1 C\n"
     "1 types CodeType argument@50 x1 R\n"},
    {"", "k",
     "GLOBAL 'dill._dill' '_create_code' MARK BININT1 0 BININT1 0 BININT1 0 BININT1 1 BININT1 2 "
     "BININT1 3 SHORT_BINBYTES '%97%00t%00%00%00|%00S%00' NONE TUPLE1 SHORT_BINUNICODE 'len' "
     "TUPLE1 SHORT_BINUNICODE 'x' TUPLE1 SHORT_BINUNICODE 'job.py' SHORT_BINUNICODE 'f' "
     "SHORT_BINUNICODE 'C.f' BININT1 7 SHORT_BINBYTES '' SHORT_BINBYTES '' EMPTY_TUPLE EMPTY_TUPLE "
     "TUPLE REDUCE",
     "END 89\n"
     "0 dill@87 18 'f' 'C.f' 'job.py' 7 '%97%00t%00%00%00|%00S%00' uses 'len'\n"},
    {"", "k", "GLOBAL 'types' 'CodeType' MARK BININT1 1 BININT1 2 TUPLE REDUCE",
     "END 24\n"
     "0 types@22 2 '' '' '' -1 -\n"},
    {"", "ka", "GLOBAL 'types' 'CodeType' GLOBAL 'm' 'args' REDUCE",
     "END 26\n"
     "0 types@24 0 '' '' '' -1 -\n"
     "assumed@24 x1 arguments that only a run could tell are a tuple\n"},
    {"", "k", "GLOBAL 'types' 'CodeType' EMPTY_TUPLE REDUCE",
     "END 19\n"
     "0 types@17 0 '' '' '' -1 -\n"},
};

/* What is taken for granted, and whether loading itself calls code that the payload carries. */
static const fact_row assumption_rows[] = {
    {"", "a", "GLOBAL 'm' 'f' BINPUT 0 EMPTY_TUPLE NEWOBJ NONE BUILD NONE APPEND NONE NONE SETITEM",
     "END 17\n"
     "assumed@10 x1 an object takes the state that it is given\n"
     "assumed@12 x1 an object has an append or extend that takes these items\n"
     "assumed@15 x1 an object takes these keys and values\n"},
    {"i", "a",
     "GLOBAL 'm' 'f' BINPUT 0 EMPTY_TUPLE NEWOBJ NONE BUILD NONE APPEND NONE NONE SETITEM",
     "END 17\n"},
    {"", "a", "GLOBAL 'm' 'f' MARK NONE NONE ADDITEMS",
     "END 10\nassumed@8 x1 an object has an add that takes these items\n"},
    {"", "s",
     "GLOBAL 'cloudpickle.cloudpickle' '_make_function' NONE EMPTY_DICT TUPLE2 REDUCE EMPTY_TUPLE "
     "REDUCE",
     "END 47\nbytes 47 ops 8 protocol 0 of 2 complete load_calls@45\n"},
    {"", "s",
     "GLOBAL 'builtins' 'type' SHORT_BINUNICODE 'C' EMPTY_TUPLE EMPTY_DICT SHORT_BINUNICODE "
     "'__setstate__' GLOBAL 'm' 'f' SETITEM TUPLE3 REDUCE EMPTY_TUPLE NEWOBJ NONE BUILD",
     "END 47\nbytes 47 ops 14 protocol 0 of 4 complete\n"},
    {"", "s",
     "GLOBAL 'builtins' 'type' SHORT_BINUNICODE 'C' EMPTY_TUPLE EMPTY_DICT SHORT_BINUNICODE "
     "'__setstate__' GLOBAL 'cloudpickle.cloudpickle' '_make_function' NONE EMPTY_DICT TUPLE2 "
     "REDUCE SETITEM TUPLE3 REDUCE EMPTY_TUPLE NEWOBJ NONE BUILD",
     "END 86\nbytes 86 ops 18 protocol 0 of 4 complete load_calls@84\n"},
    /* state in a dict goes past __setattr__, slots do not; __getattr__ is asked for __setstate__ */
    {"", "s",
     "GLOBAL 'builtins' 'type' SHORT_BINUNICODE 'C' EMPTY_TUPLE EMPTY_DICT SHORT_BINUNICODE "
     "'__setattr__' GLOBAL 'cloudpickle.cloudpickle' '_make_function' NONE EMPTY_DICT TUPLE2 "
     "REDUCE SETITEM TUPLE3 REDUCE EMPTY_TUPLE NEWOBJ EMPTY_DICT BUILD",
     "END 85\nbytes 85 ops 18 protocol 0 of 4 complete\n"},
    {"", "s",
     "GLOBAL 'builtins' 'type' SHORT_BINUNICODE 'C' EMPTY_TUPLE EMPTY_DICT SHORT_BINUNICODE "
     "'__setattr__' GLOBAL 'cloudpickle.cloudpickle' '_make_function' NONE EMPTY_DICT TUPLE2 "
     "REDUCE SETITEM TUPLE3 REDUCE EMPTY_TUPLE NEWOBJ NONE EMPTY_DICT TUPLE2 BUILD",
     "END 87\nbytes 87 ops 20 protocol 0 of 4 complete load_calls@85\n"},
    {"", "s",
     "GLOBAL 'builtins' 'type' SHORT_BINUNICODE 'C' EMPTY_TUPLE EMPTY_DICT SHORT_BINUNICODE "
     "'__getattr__' GLOBAL 'cloudpickle.cloudpickle' '_make_function' NONE EMPTY_DICT TUPLE2 "
     "REDUCE SETITEM TUPLE3 REDUCE EMPTY_TUPLE NEWOBJ EMPTY_DICT BUILD",
     "END 85\nbytes 85 ops 18 protocol 0 of 4 complete load_calls@83\n"},
    {"", "s",
     "GLOBAL 'builtins' 'type' SHORT_BINUNICODE 'C' EMPTY_TUPLE EMPTY_DICT SHORT_BINUNICODE "
     "'__eq__' GLOBAL 'cloudpickle.cloudpickle' '_make_function' NONE EMPTY_DICT TUPLE2 "
     "REDUCE SETITEM TUPLE3 REDUCE EMPTY_TUPLE NEWOBJ BINPUT 0 EMPTY_DICT BINGET 0 NONE SETITEM",
     "END 85\nbytes 85 ops 21 protocol 0 of 4 complete\n"},
    {"", "s",
     "GLOBAL 'builtins' 'type' SHORT_BINUNICODE 'C' EMPTY_TUPLE EMPTY_DICT TUPLE3 REDUCE "
     "EMPTY_TUPLE NEWOBJ NONE BUILD",
     "END 27\nbytes 27 ops 11 protocol 0 of 4 complete\n"},
};

#define ROW_TEST(rows)                                 \
  START_TEST(check_##rows) { check_facts(&rows[_i]); } \
  END_TEST

/* clang-format off */
ROW_TEST(global_rows)
ROW_TEST(python2_rows)
ROW_TEST(call_rows)
ROW_TEST(module_rows)
ROW_TEST(code_rows)
ROW_TEST(assumption_rows)
/* clang-format on */

/* A chain of results of results is told apart up to a point, and never recursed into. */
START_TEST(long_chain_of_calls) {
  pks_inspector *f = pks_inspector_new(NULL, NULL, NULL);
  pks_summary summary = {.size = sizeof summary};
  pks_call call = {.size = sizeof call};
  pickle p = {0};
  uint64_t counted = 0;
  pickle_add(&p, "GLOBAL 'm' 'f'");
  pickle_add_times(&p, 1000000, "EMPTY_TUPLE REDUCE");
  pickle_add(&p, "STOP");
  ck_assert_int_eq(pks_inspect(f, p.data, p.size, NULL), PKS_END);
  pks_inspector_summary(f, &summary);
  ck_assert_uint_lt(summary.calls, 100);
  ck_assert_uint_gt(summary.calls, 10);
  for (size_t i = 0; i < summary.calls; i++) {
    ck_assert_int_eq(pks_inspector_call(f, i, &call), PKS_OK);
    ck_assert(i == 0 ? call.global == 0 : call.result_of == i - 1);
    counted += call.count;
  }
  ck_assert_uint_eq(counted, 1000000);
  pickle_free(&p);
  pks_inspector_free(f);
}
END_TEST

/* Items that are gone when a helper gets them leave something unknown, and that is said. */
START_TEST(lost_arguments_are_noticed) {
  static const char *const calls[] = {
      "GLOBAL 'cloudpickle.cloudpickle' 'subimport' BINGET 0 REDUCE STOP",
      "GLOBAL 'types' 'CodeType' BINGET 0 REDUCE STOP"};
  for (size_t i = 0; i < COUNT(calls); i++)
    for (size_t between = 0; between < 200000; between += 100000) {
      pks_inspector *f = pks_inspector_new(NULL, NULL, NULL);
      pks_summary summary = {.size = sizeof summary};
      pickle p = {0};
      pickle_add(&p, "SHORT_BINUNICODE 'json' TUPLE1 BINPUT 0 POP");
      pickle_add_times(&p, between, "NONE TUPLE1 POP");
      pickle_add(&p, calls[i]);
      ck_assert_int_eq(pks_inspect(f, p.data, p.size, NULL), PKS_END);
      pks_inspector_summary(f, &summary);
      ck_assert_int_eq(summary.limit, between ? PKS_E_LIMIT_ITEMS : PKS_OK);
      ck_assert_int_eq(summary.complete, between == 0);
      if (i == 0) ck_assert_uint_eq(summary.modules, between == 0);
      pickle_free(&p);
      pks_inspector_free(f);
    }
}
END_TEST

/* ---- the suite ------------------------------------------------------------------------------------------- */

#define ADD_ROWS(rows) tcase_add_loop_test(tables, check_##rows, 0, (int)COUNT(rows))

int main(void) {
  Suite *suite = suite_create("facts");
  TCase *tables = suite_case(suite, "tables");
  ADD_ROWS(global_rows);
  ADD_ROWS(python2_rows);
  ADD_ROWS(call_rows);
  ADD_ROWS(module_rows);
  ADD_ROWS(code_rows);
  ADD_ROWS(assumption_rows);
  tcase_add_test(tables, long_chain_of_calls);
  tcase_add_test(tables, lost_arguments_are_noticed);
  return suite_run(suite);
}
